/* SPDX-License-Identifier: MIT
 *
 * States of machines as terms: interning, derivatives, partitions, ways to an end.
 *
 * A term of kind MACHINE is (a, b, c): a = the state; inside a character also c = the rest of the
 * character, a charset, and b = the bits of it that were read. `final`: the state accepts.
 */
#include "automaton/regex_machine_internal.h"

#include <string.h>

#include "base/utf8.h"

/* ---- states ---------------------------------------------------------------------------------- */

static bool init_store(struct regex_store *s) {
    if (s->machines) return true;
    struct machine_store *m = arena_push(s->arena, sizeof *m);
    if (!m || !table_init(&m->table, s->arena, 64)) return false;
    s->machines = m;
    return true;
}

/* The id of a state, UINT32_MAX on failure. `like`: a state of the same machine, NULL for the
 * first. */
static uint32_t intern(struct regex_store *s, const struct regex_machine *machine,
                       const struct machine_state *like, const unsigned char *bytes, size_t size) {
    struct machine_store *m = s->machines;
    uint32_t hash = fa_hash(bytes, size);
    for (struct table_probe p = table_probe(&m->table, hash); table_next(&m->table, &p);) {
        const struct machine_state *known = &m->states.data[p.id];
        if (known->machine == machine && known->size == size && !memcmp(known->bytes, bytes, size))
            return p.id;
    }
    struct machine_state state = {.machine = machine, .size = (uint32_t)size};
    if (like) {
        state.letters = like->letters;
        state.trusted = like->trusted;
    } else {
        uint32_t all = charset_make(&s->sets, machine->alphabet, machine->n_alphabet, 0);
        uint32_t ways = charset_make(&s->sets, machine->ways, machine->n_ways, 0);
        state.letters = charset_intersection(&s->sets, all, s->all);
        state.trusted = charset_intersection(&s->sets, ways, s->all) == ways;
    }
    state.bytes = arena_push_copy(s->arena, bytes, size);
    if (!state.bytes || !ARENA_VEC_GROW(s->arena, &m->states) ||
        !table_add(&m->table, hash, m->states.count))
        return UINT32_MAX;
    m->states.data[m->states.count] = state;
    return m->states.count++;
}

/* ---- ways to an end -------------------------------------------------------------------------- */

void machine_describe(const struct regex_store *s, struct term *t) {
    const struct machine_state *q = machine_state(s, t);
    uint32_t unused;
    uint64_t longest = q->machine->longest ? q->machine->longest(q->bytes, q->size) : 0;
    t->min = !t->final;
    if (!longest || !q->trusted) return;
    t->contiguous = true;
    t->min = q->machine->distance(q->bytes, q->size, &unused);
    t->max = longest;
}

uint32_t machine_guess(const struct regex_store *s, const struct term *t) {
    const struct machine_state *q = machine_state(s, t);
    uint32_t unused;
    uint64_t distance = q->machine->distance(q->bytes, q->size, &unused);
    return distance > UINT32_MAX ? UINT32_MAX : (uint32_t)distance;
}

/* What a search would have found. */
static void keep_way(struct regex_store *s, term_id t, uint64_t length, unsigned char byte) {
    struct term_memo *memo = term_memo(s, t);
    if (!memo || (memo->verdict != VERDICT_UNKNOWN && memo->shortest <= length)) return;
    memo->verdict = VERDICT_ALIVE;
    memo->shortest = length;
    memo->via = byte;
    memo->exact = false;
}

/* The term of state `id`. */
static term_id state_term(struct regex_store *s, uint32_t id) {
    if (id == UINT32_MAX) return TERM_NONE;
    struct machine_state q = s->machines->states.data[id];
    uint32_t next = 0;
    uint64_t distance = q.machine->distance(q.bytes, q.size, &next);
    struct term node = {.kind = KIND_MACHINE, .a = id, .final = distance == 0};
    term_id t = term_make(s, &node);
    unsigned char bytes[4];
    if (distance && q.trusted && t != TERM_NONE && utf8_encode(next, bytes))
        keep_way(s, t, distance, bytes[0]);
    return t;
}

term_id regex_machine_term(struct regex_store *s, const struct regex_machine *machine,
                           const unsigned char *state, size_t size) {
    if (!init_store(s)) return TERM_NONE;
    return state_term(s, intern(s, machine, NULL, state, size));
}

static bool is_particular(const struct machine_state *q, uint32_t first, uint32_t last) {
    return q->machine->is_particular && q->machine->is_particular(q->bytes, q->size, first, last);
}

/* The last character, up to `last`, of those from c on that lead where c does, as far as is asked. */
static uint32_t last_alike(const struct machine_state *q, uint32_t c, uint32_t last) {
    uint32_t end = c | 0xFFF;
    for (unsigned tries = 0; tries < 2; tries++, end = c | 0x3F) {
        if (end > last) end = last;
        if (!is_particular(q, c, end)) return end;
    }
    return c;
}

/* The first character of `rest` (with the bits before it) that leads anywhere, and how far its
 * state is from an end. False: none does. */
static bool find_character(const struct regex_store *s, const struct machine_state *q,
                           uint32_t rest, uint32_t bits, uint32_t *found, uint64_t *distance) {
    const struct charset *set = charset_get(&s->sets, rest);
    unsigned char next[REGEX_MACHINE_STATE];
    uint32_t before = bits << 6 * set->pending;
    for (uint32_t i = 0; i < set->n; i++) {
        uint32_t last = before | set->ranges[i].last, c = before | set->ranges[i].first;
        for (; c <= last; c = last_alike(q, c, last) + 1) {
            size_t size = q->machine->step(q->bytes, q->size, c, next);
            if (!size) continue;
            *found = c - before;
            *distance = q->machine->distance(next, size, &c);
            return true;
        }
    }
    return false;
}

/* Inside a character: TERM_NONE if no character goes on like this. */
static term_id inside_term(struct regex_store *s, uint32_t id, uint32_t rest, uint32_t bits) {
    struct term node = {.kind = KIND_MACHINE, .a = id, .b = bits, .c = rest};
    const struct machine_state q = s->machines->states.data[id];
    uint32_t value;
    uint64_t distance;
    if (!find_character(s, &q, rest, bits, &value, &distance)) return TERM_NONE;
    term_id t = term_make(s, &node);
    if (t == TERM_NONE || !q.trusted) return t;
    unsigned char bytes[4];
    charset_spell(value, charset_get(&s->sets, rest)->pending, bytes);
    keep_way(s, t, distance, bytes[0]);
    return t;
}

/* ---- without terms --------------------------------------------------------------------------- */

bool regex_pure_begin(struct regex_store *s, term_id t, uint32_t letters, struct regex_pure *p) {
    const struct term *x = term_get(s, t);
    if (x->kind != KIND_MACHINE || x->c) return false;
    const struct machine_state *q = machine_state(s, x);
    if (!q->trusted || !q->machine->is_wide) return false;
    p->machine = q->machine;
    p->letters = charset_intersection(&s->sets, q->letters, letters);
    p->rest = p->bits = 0;
    p->size = q->size;
    memcpy(p->state, q->bytes, q->size);
    return true;
}

static bool read_whole(const struct regex_pure *p, uint32_t c, struct regex_pure *next) {
    next->machine = p->machine;
    next->letters = p->letters;
    next->rest = next->bits = 0;
    next->size = (uint32_t)p->machine->step(p->state, p->size, c, next->state);
    return next->size > 0;
}

bool regex_pure_step(struct regex_store *s, const struct regex_pure *p, unsigned char byte,
                     struct regex_pure *next) {
    uint32_t rest = charset_step(&s->sets, p->rest ? p->rest : p->letters, byte), value;
    uint64_t distance;
    if (rest == CHARSET_NOTHING) return false;
    if (byte < 0x80) return read_whole(p, byte, next);
    uint32_t pending = charset_get(&s->sets, rest)->pending;
    uint32_t bits = p->rest ? p->bits << 6 | (byte & 0x3Fu) : byte & (0x3Fu >> pending);
    if (!pending) return read_whole(p, bits, next);
    const struct machine_state q = {.machine = p->machine, .size = p->size, .bytes = p->state};
    if (!find_character(s, &q, rest, bits, &value, &distance)) return false;
    next->machine = p->machine;
    next->letters = p->letters;
    next->rest = rest;
    next->bits = bits;
    next->size = p->size;
    memcpy(next->state, p->state, p->size);
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static term_id step(struct regex_store *s, uint32_t id, uint32_t c) {
    unsigned char next[REGEX_MACHINE_STATE];
    struct machine_state q = s->machines->states.data[id];
    size_t size = q.machine->step(q.bytes, q.size, c, next);
    return size ? state_term(s, intern(s, q.machine, &q, next, size)) : TERM_NONE;
}

/* May the characters that begin with these bits, `pending` bytes before their end, lead to different
 * states? */
static bool begins_particular(const struct machine_state *q, uint32_t bits, uint32_t pending) {
    uint32_t first = bits << 6 * pending;
    return is_particular(q, first, first | ((UINT32_C(1) << 6 * pending) - 1));
}

static uint32_t beyond_ascii(struct regex_store *s, uint32_t id) {
    unsigned char out[REGEX_MACHINE_STATE];
    struct machine_state q = s->machines->states.data[id];
    if (!q.machine->beyond_ascii) return id;
    size_t size = q.machine->beyond_ascii(q.bytes, q.size, out);
    return intern(s, q.machine, &q, out, size);
}

/* The bits of a character that `byte` goes on with, or begins, `pending` bytes before its end. */
static uint32_t bits_after(const struct term *x, unsigned char byte, uint32_t pending) {
    return x->c ? x->b << 6 | (byte & 0x3Fu) : byte & (0x3Fu >> pending);
}

term_id machine_derive(struct regex_store *s, const struct term *x, unsigned char byte) {
    const struct machine_state q = *machine_state(s, x);
    uint32_t id = x->a, inside = x->c;
    uint32_t rest = charset_step(&s->sets, inside ? inside : q.letters, byte);
    if (rest == CHARSET_NOTHING) return TERM_NONE;
    if (byte < 0x80) return step(s, id, byte);
    uint32_t pending = charset_get(&s->sets, rest)->pending, bits = bits_after(x, byte, pending);
    if (!pending) return step(s, id, bits);
    if (!begins_particular(&q, bits, pending)) {
        uint32_t first = charset_get(&s->sets, rest)->ranges[0].first;
        return regex_cat(s, term_set(s, rest), step(s, id, bits << 6 * pending | first));
    }
    if (!inside) id = beyond_ascii(s, id);
    return id == UINT32_MAX ? TERM_NONE : inside_term(s, id, rest, bits);
}

const struct partition *machine_partition(struct regex_store *s, const struct term *x) {
    const struct machine_state q = *machine_state(s, x);
    uint32_t value[256], inside = x->c;
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t rest = charset_step(&s->sets, inside ? inside : q.letters, (unsigned char)b);
        uint32_t pending = charset_get(&s->sets, rest)->pending;
        if (rest == CHARSET_NOTHING)
            value[b] = 0;
        else if (b < 0x80)
            value[b] = 1 + q.machine->symbol(q.bytes, q.size, b); /* apart from what is dead */
        else if (inside || begins_particular(&q, bits_after(x, (unsigned char)b, pending), pending))
            value[b] = UINT32_MAX - b; /* apart from all symbols */
        else
            value[b] = UINT32_MAX - 256 - rest;
    }
    return s->arena->failed ? NULL : partition_intern(s, value);
}
