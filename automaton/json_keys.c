/* SPDX-License-Identifier: MIT
 *
 * Keys of open objects. Which names may come is one language, made when the first key is looked
 * for: the declared names whose member leaves the object satisfiable, and the cells of undeclared
 * names for which the same holds. A key is read as a string of that language, while its decoded
 * text is kept as a node of a tree: no name may come twice, so the exact text matters.
 *
 * Names read before are not cut out of the language (it would grow with the object): as long as
 * the residual language is infinite some other name is always left; only finite ones are compared.
 *
 * Key order "schema": passing a name makes every name before it unavailable, an undeclared name
 * makes all declared ones unavailable. Their single-name predicates close at once.
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"

/* ---- orders ---------------------------------------------------------------------------------- */

struct indexed_name {
    uint32_t name, index;
};

static int by_name(const void *a, const void *b) {
    const struct indexed_name *x = a, *y = b;
    return (x->name > y->name) - (x->name < y->name);
}

uint32_t key_order_for(struct json_machine *m, const goal_id *goals, uint32_t n) {
    const uint32_t *names;
    uint32_t count = m->form.key_order(m->form.ctx, goals, n, &names);
    if (!count) return 0;
    uint32_t hash = fa_hash(names, count * sizeof *names);
    for (struct table_probe p = table_probe(&m->order_table, hash);
         table_next(&m->order_table, &p);) {
        const struct key_order *o = &m->orders.data[p.id];
        if (o->n == count && memcmp(o->names, names, count * sizeof *names) == 0) return p.id;
    }
    size_t mark = goal_scratch_mark(m->goals);
    struct indexed_name *sorted = arena_push_array(&m->goals->scratch, count, sizeof *sorted);
    uint32_t *index = arena_push_array(&m->arena, count, sizeof *index);
    const uint32_t *copy = arena_push_copy(&m->arena, names, count * sizeof *names);
    if (!sorted || !index || !copy || !ARENA_VEC_GROW(&m->arena, &m->orders)) return 0;
    for (uint32_t i = 0; i < count; i++) sorted[i] = (struct indexed_name){names[i], i};
    qsort(sorted, count, sizeof *sorted, by_name);
    for (uint32_t i = 0; i < count; i++) index[i] = sorted[i].index;
    goal_scratch_pop(m->goals, mark);
    if (!table_add(&m->order_table, hash, m->orders.count)) return 0;
    m->orders.data[m->orders.count] = (struct key_order){copy, count, index};
    return m->orders.count++;
}

uint32_t key_index(const struct json_machine *m, uint32_t order, uint32_t name) {
    const struct key_order *o = &m->orders.data[order];
    uint32_t low = 0, high = o->n;
    while (low < high) {
        uint32_t mid = (low + high) / 2, index = o->by_name[mid], at = o->names[index];
        if (at == name) return index;
        if (at < name)
            low = mid + 1;
        else
            high = mid;
    }
    return UINT32_MAX;
}

/* ---- members --------------------------------------------------------------------------------- */

struct gone {
    const struct json_machine *m;
    uint32_t order, first, last; /* indices first..last-1 are passed over */
};

static bool is_gone(void *ctx, uint32_t name) {
    const struct gone *g = ctx;
    uint32_t i = key_index(g->m, g->order, name);
    return i != UINT32_MAX && i >= g->first && i < g->last;
}

static uint32_t make_child(struct json_machine *m, uint32_t o, uint32_t name) {
    const struct context *c = context(m, o);
    struct context key = {.parent = c->parent,
                          .depth = c->depth,
                          .n_roots = c->n_roots,
                          .order = c->order,
                          .rank = c->rank,
                          .seen = c->seen};
    if (name_set_has(solver_name_sets(m->solver), c->seen, name)) return 0;
    uint32_t index = key_index(m, c->order, name), n_order = m->orders.data[c->order].n;
    struct gone gone = {m, c->order, c->rank, index == UINT32_MAX ? n_order : index};
    if (index == UINT32_MAX) {
        key.seen = name_set_add(solver_name_sets(m->solver), c->seen, name);
        key.rank = n_order;
    } else if (index < c->rank) {
        return 0;
    } else {
        key.rank = index + 1;
    }
    size_t mark = goal_scratch_mark(m->goals);
    goal_id *roots = goal_scratch(m->goals, c->n_roots);
    if (!roots) return 0;
    for (uint32_t i = 0; i < c->n_roots; i++) {
        goal_id f = c->roots[i];
        if (gone.first < gone.last) f = formula_close_names(m->goals, f, is_gone, &gone);
        roots[i] = formula_step_key(m->goals, f, name, FORMULA_SERVE_NONE);
    }
    key.roots = roots;
    uint32_t value = context_child(m, &key, TYPE_OBJECT);
    goal_scratch_pop(m->goals, mark);
    return value;
}

uint32_t key_child(struct json_machine *m, uint32_t o, uint32_t name) {
    uint32_t hash = fa_hash_mix(o, name);
    for (struct table_probe p = table_probe(&m->key_child_table, hash);
         table_next(&m->key_child_table, &p);) {
        const struct key_child *k = &m->key_children.data[p.id];
        if (k->object == o && k->name == name) return k->value;
    }
    bool was_narrowed = m->base.narrowed;
    m->base.narrowed = false;
    uint32_t value = make_child(m, o, name);
    bool remember = !m->base.narrowed && !m->arena.failed;
    m->base.narrowed |= was_narrowed;
    if (remember && ARENA_VEC_GROW(&m->arena, &m->key_children) &&
        table_add(&m->key_child_table, hash, m->key_children.count))
        m->key_children.data[m->key_children.count++] = (struct key_child){o, name, value};
    return value;
}

/* ---- the language of keys -------------------------------------------------------------------- */

/* Names to try one by one: the order's from `rank` on (style "schema"), and single names of the
 * formulas that the order does not hold (all of them in style "any"). */
static term_id single_keys(struct json_machine *m, uint32_t o) {
    const struct context *c = context(m, o);
    const struct key_order order = m->orders.data[c->order];
    const uint32_t *singles;
    size_t n = 0, n_singles = solver_single_names(m->solver, c->roots, c->n_roots, &singles);
    size_t mark = goal_scratch_mark(m->goals), capacity = n_singles + order.n;
    const unsigned char **texts = arena_push_array(&m->goals->scratch, capacity, sizeof *texts);
    size_t *lengths = arena_push_array(&m->goals->scratch, capacity, sizeof *lengths);
    if (!texts || !lengths) {
        m->arena.failed = true;
        return TERM_NONE;
    }
    for (size_t i = 0; i < n_singles + order.n; i++) {
        bool in_order = i >= n_singles;
        uint32_t name = in_order ? order.names[i - n_singles] : singles[i];
        if (in_order ? i - n_singles < c->rank : key_index(m, c->order, name) != UINT32_MAX)
            continue;
        if (!key_child(m, o, name)) continue;
        texts[n] = (const unsigned char *)goal_name_text(m->goals, name, &lengths[n]);
        n++;
    }
    term_id t = regex_literal_set(m->regex, texts, lengths, n);
    goal_scratch_pop(m->goals, mark);
    return t;
}

static term_id undeclared_keys(struct json_machine *m, uint32_t o) {
    const struct context *c = context(m, o);
    const struct key_order *order = &m->orders.data[c->order];
    const struct key_cell *cells;
    size_t n =
        solver_key_cells(m->solver, c->roots, c->n_roots, order->names, order->n, c->seen, &cells);
    if (solver_was_limited(m->solver)) m->base.narrowed = true;
    size_t mark = goal_scratch_mark(m->goals), count = 0;
    term_id *terms = goal_scratch(m->goals, n);
    if (!terms) return TERM_NONE;
    for (size_t i = 0; i < n; i++)
        if (cells[i].name && key_child(m, o, cells[i].name)) terms[count++] = cells[i].term;
    term_id t = regex_or(m->regex, terms, count);
    goal_scratch_pop(m->goals, mark);
    return t;
}

static string_state first_key_state(struct json_machine *m, uint32_t o) {
    struct context *c = context(m, o);
    if (c->keys != NOT_KNOWN) return c->keys;
    bool was_narrowed = m->base.narrowed, limited = false;
    m->base.narrowed = false;
    term_id language =
        regex_or(m->regex, (const term_id[]){single_keys(m, o), undeclared_keys(m, o)}, 2);
    string_state s = language == TERM_NONE || m->arena.failed
                         ? STRING_DEAD
                         : string_begin(m->strings, &language, 1, &limited);
    if (limited) m->base.narrowed = true;
    if (!m->base.narrowed && !m->arena.failed) c->keys = s;
    m->base.narrowed |= was_narrowed;
    return s;
}

/* ---- names that were read -------------------------------------------------------------------- */

static uint32_t prefix_extend(struct json_machine *m, uint32_t parent, unsigned char byte) {
    uint32_t hash = fa_hash_mix(parent, byte);
    for (struct table_probe p = table_probe(&m->prefix_table, hash);
         table_next(&m->prefix_table, &p);)
        if (m->prefixes.data[p.id].parent == parent && m->prefixes.data[p.id].byte == byte)
            return p.id;
    if (!ARENA_VEC_GROW(&m->arena, &m->prefixes) ||
        !table_add(&m->prefix_table, hash, m->prefixes.count))
        return 0;
    m->prefixes.data[m->prefixes.count] = (struct prefix_node){
        .parent = parent, .byte = byte, .length = m->prefixes.data[parent].length + 1};
    return m->prefixes.count++;
}

/* The text of a prefix on the scratch stack. */
static char *prefix_text(struct json_machine *m, uint32_t prefix, size_t *length) {
    *length = m->prefixes.data[prefix].length;
    char *text = arena_push(&m->goals->scratch, *length + 1);
    if (!text) {
        m->arena.failed = true;
        return NULL;
    }
    size_t i = *length;
    for (uint32_t p = prefix; i > 0; p = m->prefixes.data[p].parent)
        text[--i] = (char)m->prefixes.data[p].byte;
    return text;
}

static uint32_t prefix_name(struct json_machine *m, uint32_t prefix) {
    if (m->prefixes.data[prefix].name) return m->prefixes.data[prefix].name;
    size_t mark = goal_scratch_mark(m->goals), length;
    char *text = prefix_text(m, prefix, &length);
    uint32_t name = text ? goal_name(m->goals, text, length) : 0;
    goal_scratch_pop(m->goals, mark);
    m->prefixes.data[prefix].name = name;
    return name;
}

struct taken {
    const struct json_machine *m;
    const char *prefix;
    size_t length;
    const unsigned char **suffixes;
    size_t *lengths;
    size_t n, capacity;
};

static bool collect_taken(void *ctx, uint32_t name) {
    struct taken *t = ctx;
    size_t length;
    const char *text = goal_name_text(t->m->goals, name, &length);
    if (length < t->length || memcmp(text, t->prefix, t->length) != 0) return true;
    if (t->n == t->capacity) return false;
    t->suffixes[t->n] = (const unsigned char *)text + t->length;
    t->lengths[t->n++] = length - t->length;
    return true;
}

/* The residual language of a key without the names that were read before; itself when that makes
 * no difference to liveness. */
static term_id without_taken(struct json_machine *m, term_id residual, name_set seen,
                             uint32_t prefix) {
    uint64_t work = 0;
    if (seen == NAME_SET_EMPTY ||
        regex_is_infinite(m->regex, residual, &work, UINT64_C(1) << 20) == REGEX_YES)
        return residual;
    size_t mark = goal_scratch_mark(m->goals);
    struct arena *scratch = &m->goals->scratch;
    struct taken t = {.m = m};
    t.prefix = prefix_text(m, prefix, &t.length);
    t.capacity = (scratch->size - scratch->used) / 64;
    if (t.capacity > 1 << 20) t.capacity = 1 << 20;
    t.suffixes = arena_push_array(scratch, t.capacity, sizeof *t.suffixes);
    t.lengths = arena_push_array(scratch, t.capacity, sizeof *t.lengths);
    if (!t.prefix || !t.suffixes || !t.lengths) {
        m->arena.failed = true;
        return TERM_NONE;
    }
    name_set_visit(solver_name_sets(m->solver), seen, collect_taken, &t);
    term_id result = residual;
    if (t.n) {
        term_id names = regex_literal_set(m->regex, t.suffixes, t.lengths, t.n);
        result = regex_and(m->regex, (const term_id[]){residual, regex_not(m->regex, names)}, 2);
    }
    goal_scratch_pop(m->goals, mark);
    return result;
}

static bool key_is_alive(struct json_machine *m, uint32_t o, string_state s, uint32_t prefix) {
    name_set seen = context(m, o)->seen;
    if (seen == NAME_SET_EMPTY) return true; /* the string state is alive already */
    uint64_t k, work = 0;
    partial_id partial;
    term_id residual = string_residual(m->strings, s, &k, &partial);
    term_id rest = without_taken(m, residual, seen, prefix);
    if (rest == residual) return true;
    enum regex_answer a = regex_alive(m->regex, rest, k, partial, &work, UINT64_C(1) << 22);
    if (a == REGEX_LIMIT) m->base.narrowed = true;
    return a == REGEX_YES;
}

/* ---- reading --------------------------------------------------------------------------------- */

static struct state key_state(struct json_machine *m, uint32_t o, string_state s, uint32_t prefix) {
    uint32_t hash = fa_hash_mix(s, prefix);
    uint32_t id = UINT32_MAX;
    for (struct table_probe p = table_probe(&m->key_state_table, hash);
         id == UINT32_MAX && table_next(&m->key_state_table, &p);)
        if (m->key_states.data[p.id].string == s && m->key_states.data[p.id].prefix == prefix)
            id = p.id;
    if (id == UINT32_MAX) {
        if (m->key_states.count > REGION_MASK || !ARENA_VEC_GROW(&m->arena, &m->key_states) ||
            !table_add(&m->key_state_table, hash, m->key_states.count))
            return (struct state){0, 0};
        id = m->key_states.count++;
        m->key_states.data[id] = (struct key_state){s, prefix};
    }
    return (struct state){o, region(REGION_KEY, id)};
}

struct state key_begin(struct json_machine *m, uint32_t o) {
    string_state s = first_key_state(m, o);
    if (s == STRING_DEAD || !key_is_alive(m, o, s, 0)) return (struct state){0, 0};
    return key_state(m, o, s, 0);
}

bool key_is_possible(struct json_machine *m, uint32_t o) {
    return !state_is_dead(key_begin(m, o));
}

static struct state key_end(struct json_machine *m, uint32_t o, uint32_t prefix) {
    uint32_t name = prefix_name(m, prefix);
    uint32_t value = name ? key_child(m, o, name) : 0;
    return (struct state){value, value ? region_blank(PLACE_COLON, 0) : 0};
}

struct state key_step(struct json_machine *m, struct state s, unsigned char byte) {
    struct key_state k = m->key_states.data[s.region & REGION_MASK];
    bool limited = false;
    string_state next = string_step(m->strings, k.string, byte, &limited);
    if (limited) m->base.narrowed = true;
    if (next == STRING_DEAD) return (struct state){0, 0};
    if (next == STRING_CLOSED) return key_end(m, s.context, k.prefix);
    unsigned char decoded[4];
    size_t n = string_decoded(m->strings, k.string, byte, next, decoded);
    uint32_t prefix = k.prefix;
    for (size_t i = 0; i < n; i++) prefix = prefix_extend(m, prefix, decoded[i]);
    if (n && !key_is_alive(m, s.context, next, prefix)) return (struct state){0, 0};
    return key_state(m, s.context, next, prefix);
}

unsigned char key_witness_byte(struct json_machine *m, struct state s) {
    struct key_state k = m->key_states.data[s.region & REGION_MASK];
    uint64_t count, work = 0;
    partial_id partial;
    name_set seen = context(m, s.context)->seen;
    term_id residual = string_residual(m->strings, k.string, &count, &partial);
    unsigned char byte = string_witness_byte(m->strings, k.string);
    if (seen == NAME_SET_EMPTY) return byte;
    /* Would the string reader's own completion end in a name that was read? Then look for another. */
    size_t mark = goal_scratch_mark(m->goals);
    struct arena *scratch = &m->goals->scratch;
    struct taken t = {.m = m, .capacity = 4096};
    t.prefix = prefix_text(m, k.prefix, &t.length);
    t.suffixes = arena_push_array(scratch, t.capacity, sizeof *t.suffixes);
    t.lengths = arena_push_array(scratch, t.capacity, sizeof *t.lengths);
    if (t.prefix && t.suffixes && t.lengths && partial == PARTIAL_BOUNDARY) {
        name_set_visit(solver_name_sets(m->solver), seen, collect_taken, &t);
        if (t.n) {
            term_id names = regex_literal_set(m->regex, t.suffixes, t.lengths, t.n);
            term_id rest =
                regex_and(m->regex, (const term_id[]){residual, regex_not(m->regex, names)}, 2);
            bool limited = false;
            string_state other =
                regex_alive(m->regex, rest, count, partial, &work, UINT64_C(1) << 22) == REGEX_YES
                    ? string_begin(m->strings, &rest, 1, &limited)
                    : STRING_DEAD;
            if (other != STRING_DEAD) byte = string_witness_byte(m->strings, other);
        }
    }
    goal_scratch_pop(m->goals, mark);
    return byte;
}
