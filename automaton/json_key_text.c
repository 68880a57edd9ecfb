/* SPDX-License-Identifier: MIT
 *
 * The texts of keys (and of values that are recorded). A key's exact text matters (no name may come twice), so a key state is more
 * than a place in an automaton: it names a node in a tree of decoded texts. A walk over a
 * vocabulary tries a hundred thousand of them at one place, and all but one are never read. So
 * there are two zones: what is read stays and is interned (equal texts have equal ids); what is
 * made while speculating is just appended, found by nobody else, and dropped when the walk is
 * over. A walk meets every text once: looking for equals would cost more than it saves.
 */
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"
#include "base/utf8.h"

static bool zone_init(struct speculative_zone *z, struct arena *arena, uint32_t capacity,
                      size_t record) {
    struct arena tail;
    if (!arena_split_tail(arena, capacity * record, &tail)) return false;
    z->records = tail.base;
    z->capacity = capacity;
    return true;
}

bool key_text_init(struct json_machine *m) {
    /* 24 bytes a speculative text: a 32nd of the limit, a million texts at most. */
    uint32_t capacity = UINT32_C(1) << 20;
    while (capacity > 1024 && (size_t)capacity * 24 > m->arena.size / 32) capacity /= 2;
    if (!zone_init(&m->new_prefixes, &m->arena, capacity, sizeof(struct prefix_node)) ||
        !zone_init(&m->new_key_states, &m->arena, capacity, sizeof(struct key_state)) ||
        !table_init(&m->prefix_table, &m->arena, 32) ||
        !table_init(&m->key_state_table, &m->arena, 32) || !ARENA_VEC_GROW(&m->arena, &m->prefixes))
        return false;
    m->prefixes.data[m->prefixes.count++] = (struct prefix_node){0};
    return true;
}

void key_text_forget(struct json_machine *m) {
    m->new_prefixes.count = 0;
    m->new_key_states.count = 0;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static struct prefix_node *prefix(const struct json_machine *m, uint32_t id) {
    if (id & SPECULATIVE)
        return (struct prefix_node *)m->new_prefixes.records + (id & ~SPECULATIVE);
    return &m->prefixes.data[id];
}

struct prefix_node prefix_get(const struct json_machine *m, uint32_t id) {
    return *prefix(m, id);
}

uint32_t prefix_extend(struct json_machine *m, uint32_t parent, unsigned char byte) {
    struct prefix_node node = {parent, prefix(m, parent)->length + 1, byte};
    struct speculative_zone *z = &m->new_prefixes;
    if (m->base.speculating && z->count < z->capacity) {
        ((struct prefix_node *)z->records)[z->count] = node;
        return z->count++ | SPECULATIVE;
    }
    uint32_t hash = fa_hash_mix(parent, byte);
    for (struct table_probe p = table_probe(&m->prefix_table, hash);
         table_next(&m->prefix_table, &p);)
        if (m->prefixes.data[p.id].parent == parent && m->prefixes.data[p.id].byte == byte)
            return p.id;
    if (!ARENA_VEC_GROW(&m->arena, &m->prefixes) ||
        !table_add(&m->prefix_table, hash, m->prefixes.count))
        return 0;
    m->prefixes.data[m->prefixes.count] = node;
    return m->prefixes.count++;
}

char *prefix_text(struct json_machine *m, uint32_t id, size_t *length) {
    *length = prefix(m, id)->length;
    char *text = arena_push(&m->goals->scratch, *length + 1);
    if (!text) {
        m->arena.failed = true;
        return NULL;
    }
    for (size_t i = *length; i > 0; id = prefix(m, id)->parent)
        text[--i] = (char)prefix(m, id)->byte;
    return text;
}

/* ---- states ---------------------------------------------------------------------------------- */

static const struct key_state *key_state(const struct json_machine *m, uint32_t id) {
    if (id & SPECULATIVE)
        return (const struct key_state *)m->new_key_states.records + (id & ~SPECULATIVE);
    return &m->key_states.data[id];
}

static bool same_key_state(const struct key_state *a, const struct key_state *b) {
    return a->string == b->string && a->prefix == b->prefix && a->phase == b->phase &&
           a->count == b->count;
}

struct key_state key_state_get(const struct json_machine *m, uint32_t region) {
    return *key_state(m, region & REGION_MASK);
}

static uint32_t intern_key_state(struct json_machine *m, const struct key_state *k) {
    struct speculative_zone *z = &m->new_key_states;
    if (m->base.speculating && z->count < z->capacity) {
        ((struct key_state *)z->records)[z->count] = *k;
        return z->count++ | SPECULATIVE;
    }
    uint32_t hash =
        fa_hash_mix(fa_hash_mix(k->string, k->prefix), (uint32_t)k->phase << 8 | k->count);
    for (struct table_probe p = table_probe(&m->key_state_table, hash);
         table_next(&m->key_state_table, &p);)
        if (same_key_state(&m->key_states.data[p.id], k)) return p.id;
    if (m->key_states.count >= SPECULATIVE || !ARENA_VEC_GROW(&m->arena, &m->key_states) ||
        !table_add(&m->key_state_table, hash, m->key_states.count)) {
        m->arena.failed = true;
        return 0;
    }
    m->key_states.data[m->key_states.count] = *k;
    return m->key_states.count++;
}

uint32_t key_state_region(struct json_machine *m, enum region_kind kind, struct key_state k) {
    return region(kind, intern_key_state(m, &k));
}

struct state key_state_in(struct json_machine *m, uint32_t o, struct key_state k) {
    return (struct state){o, key_state_region(m, REGION_KEY, k)};
}

/* ---- names that were read -------------------------------------------------------------------- */

struct suffixes {
    const struct json_machine *m;
    const char *prefix;
    size_t length;
    const unsigned char **texts;
    size_t *lengths;
    size_t n;
};

static bool count_suffix(void *ctx, uint32_t name) {
    struct suffixes *t = ctx;
    size_t length;
    const char *text = goal_name_text(t->m->goals, name, &length);
    if (length >= t->length && memcmp(text, t->prefix, t->length) == 0) t->n++;
    return true;
}

static bool collect_suffix(void *ctx, uint32_t name) {
    struct suffixes *t = ctx;
    size_t length;
    const char *text = goal_name_text(t->m->goals, name, &length);
    if (length < t->length || memcmp(text, t->prefix, t->length) != 0) return true;
    t->texts[t->n] = (const unsigned char *)text + t->length;
    t->lengths[t->n++] = length - t->length;
    return true;
}

term_id key_unseen(struct json_machine *m, term_id residual, name_set seen, uint32_t id) {
    size_t mark = goal_scratch_mark(m->goals), length;
    struct arena *scratch = &m->goals->scratch;
    struct name_set_store *sets = solver_name_sets(m->solver);
    struct suffixes t = {.m = m};
    t.prefix = prefix_text(m, id, &length);
    if (!t.prefix) return TERM_NONE;
    /* A complement is taken between characters, then led through the one that has begun. */
    size_t begun = utf8_incomplete_tail((const unsigned char *)t.prefix, length);
    t.length = length - begun;
    name_set_visit(sets, seen, count_suffix, &t);
    t.texts = arena_push_array(scratch, t.n, sizeof *t.texts);
    t.lengths = arena_push_array(scratch, t.n, sizeof *t.lengths);
    if (!t.texts || !t.lengths) {
        m->arena.failed = true;
        return TERM_NONE;
    }
    t.n = 0;
    name_set_visit(sets, seen, collect_suffix, &t);
    term_id unseen = regex_not(m->regex, regex_literal_set(m->regex, t.texts, t.lengths, t.n));
    for (size_t i = 0; i < begun; i++)
        unseen = regex_derive(m->regex, unseen, (unsigned char)t.prefix[t.length + i]);
    goal_scratch_pop(m->goals, mark);
    return t.n ? regex_and(m->regex, (const term_id[]){residual, unseen}, 2) : residual;
}

term_id key_without_seen(struct json_machine *m, term_id residual, name_set seen, uint32_t id) {
    uint64_t work = 0;
    if (regex_is_infinite(m->regex, residual, &work, UINT64_C(1) << 20) == REGEX_YES)
        return residual; /* some other name is always left */
    return key_unseen(m, residual, seen, id);
}
