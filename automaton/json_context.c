/* SPDX-License-Identifier: MIT
 *
 * Frames: interning, opening, what a child must meet, and what its verdicts make of the parent.
 */
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"

static bool same_goals(const goal_id *a, const goal_id *b, uint32_t n) {
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

static bool same_context(const struct context *a, const struct context *b) {
    return a->kind == b->kind && a->parent == b->parent && a->n_roots == b->n_roots &&
           a->n_tracked == b->n_tracked && a->order == b->order && a->rank == b->rank &&
           a->seen == b->seen && a->recorded == b->recorded && a->member == b->member &&
           a->has_guessed_name == b->has_guessed_name &&
           same_goals(a->roots, b->roots, a->n_roots) &&
           same_goals(a->tracked, b->tracked, a->n_tracked);
}

uint32_t context_intern(struct json_machine *m, const struct context *key) {
    uint32_t hash = fa_hash_mix(key->kind, key->parent);
    hash = fa_hash_mix(hash, key->order);
    hash = fa_hash_mix(hash, key->rank);
    hash = fa_hash_mix(hash, key->seen);
    hash = fa_hash_mix(fa_hash_mix(hash, key->recorded), key->member + key->has_guessed_name);
    if (key->n_roots) hash = fa_hash_mix(hash, fa_hash(key->roots, key->n_roots * sizeof(goal_id)));
    if (key->n_tracked)
        hash = fa_hash_mix(hash, fa_hash(key->tracked, key->n_tracked * sizeof(goal_id)));
    for (struct table_probe p = table_probe(&m->context_table, hash);
         table_next(&m->context_table, &p);)
        if (same_context(context(m, p.id), key)) return p.id;
    if (m->contexts.count > m->max_states) m->base.too_many_states = m->arena.failed = true;
    if (!ARENA_VEC_GROW(&m->arena, &m->contexts)) return 0;
    struct context *c = arena_push_copy(&m->arena, key, sizeof *key);
    if (!c) return 0;
    c->roots = arena_push_copy(&m->arena, key->roots, key->n_roots * sizeof(goal_id));
    c->tracked = arena_push_copy(&m->arena, key->tracked, key->n_tracked * sizeof(goal_id));
    if (!c->roots || !c->tracked) return 0;
    c->string = c->number = c->object = c->array = c->item = c->keys = NOT_KNOWN;
    c->undeclared = NOT_KNOWN;
    if (!table_add(&m->context_table, hash, m->contexts.count)) return 0;
    m->contexts.data[m->contexts.count] = c;
    return m->contexts.count++;
}

bool *context_verdicts(struct json_machine *m, uint32_t n) {
    bool *v = arena_push(&m->goals->scratch, n + 1);
    if (!v) m->arena.failed = true;
    return v;
}

uint32_t context_room(const struct json_machine *m, uint32_t depth) {
    return depth < m->max_nesting ? (uint32_t)(m->max_nesting - depth) : 0;
}

/* Is what was found a value that may stand inside `depth` containers? */
bool context_found_fits(struct json_machine *m, enum sat_answer a, witness_id w, uint32_t depth) {
    bool fits = a == SAT_YES && solver_witness(m->solver, w)->depth <= context_room(m, depth);
    if (a == SAT_LIMIT) m->base.narrowed |= FORMA_LIMIT_WORK;
    if (a == SAT_YES && !fits) m->base.narrowed |= FORMA_LIMIT_NESTING;
    return fits;
}

bool context_fits(struct json_machine *m, goal_id g, uint32_t depth) {
    witness_id w;
    enum sat_answer a = solver_goal(m->solver, g, &w);
    return context_found_fits(m, a, w, depth);
}

/* ---- children -------------------------------------------------------------------------------- */

#define MAX_TRACKED ((size_t)1 << 16)

/* The variables of all stepped roots, as goals, on the scratch stack. */
static goal_id *tracked_goals(struct json_machine *m, const struct context *key, uint32_t *n) {
    struct arena *scratch = &m->goals->scratch;
    size_t capacity = (scratch->size - scratch->used) / sizeof(struct formula_variable) / 2;
    if (capacity > MAX_TRACKED) capacity = MAX_TRACKED;
    struct formula_variable *list = arena_push_array(scratch, capacity, sizeof *list);
    size_t count = list ? 0 : SIZE_MAX;
    for (uint32_t i = 0; i < key->n_roots && count != SIZE_MAX; i++)
        count = formula_variables(m->goals, key->roots[i], list, count, capacity);
    if (count == SIZE_MAX) {
        m->base.narrowed |= capacity < MAX_TRACKED ? FORMA_LIMIT_MEMORY : FORMA_LIMIT_FIXED;
        return NULL;
    }
    goal_id *goals = goal_scratch(m->goals, count);
    for (size_t i = 0; goals && i < count; i++) goals[i] = list[i].goal;
    *n = (uint32_t)count;
    return goals;
}

/* Does one of the formulas ask for unique items? */
static bool asks_for_unique(const struct json_machine *m, const goal_id *roots, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (node(m->goals, roots[i])->unique) return true;
    return false;
}

/* The verdicts that the demand enforces are known: the first root does not wait for them. */
static bool settle_demanded(struct json_machine *m, struct context *key) {
    goal_id *roots = goal_scratch(m->goals, key->n_roots);
    if (!roots) return false;
    memcpy(roots, key->roots, key->n_roots * sizeof *roots);
    roots[0] = solver_settle_units(m->solver, roots[0]);
    key->roots = roots;
    return true;
}

uint32_t context_child(struct json_machine *m, struct context *key, enum value_type type) {
    size_t mark = goal_scratch_mark(m->goals);
    uint32_t result = 0, n = 0;
    bool cut;
    goal_id demand = solver_demand_within(m->solver, key->roots[0], type, key->seen,
                                          context_room(m, key->depth - 1), &cut);
    if (solver_was_limited(m->solver)) m->base.narrowed |= FORMA_LIMIT_WORK;
    if (cut) m->base.narrowed |= FORMA_LIMIT_NESTING;
    if (demand != GOAL_FALSE && !context_fits(m, demand, key->depth)) demand = GOAL_FALSE;
    goal_id *tracked =
        demand == GOAL_FALSE || !settle_demanded(m, key) ? NULL : tracked_goals(m, key, &n);
    goal_id *roots = tracked ? goal_scratch(m->goals, n + 1) : NULL;
    if (roots) {
        key->kind = type == TYPE_OBJECT ? CONTEXT_PENDING_OBJECT : CONTEXT_PENDING_ARRAY;
        key->tracked = tracked;
        key->n_tracked = n;
        roots[0] = demand;
        memcpy(roots + 1, tracked, n * sizeof *roots);
        bool is_recorded = key->recorded != RECORD_NONE ||
                           (type == TYPE_ARRAY && asks_for_unique(m, key->roots, key->n_roots));
        bool is_guessed = record_is_guessed(m, key);
        uint32_t pending = context_intern(m, key);
        if (pending)
            result = context_intern(m, &(struct context){.kind = CONTEXT_VALUE,
                                                         .parent = pending,
                                                         .depth = key->depth,
                                                         .n_roots = n + 1,
                                                         .roots = roots,
                                                         .is_recorded = is_recorded,
                                                         .is_guessed = is_guessed});
    }
    goal_scratch_pop(m->goals, mark);
    return result;
}

uint32_t context_item(struct json_machine *m, uint32_t a) {
    struct context *c = context(m, a);
    if (c->item != NOT_KNOWN) return c->item;
    size_t mark = goal_scratch_mark(m->goals);
    unsigned was_narrowed = m->base.narrowed;
    m->base.narrowed = 0;
    goal_id *roots = goal_scratch(m->goals, c->n_roots);
    if (!roots) return 0;
    goal_id seen = value_set_goal(solver_values(m->solver), c->seen);
    for (uint32_t i = 0; i < c->n_roots; i++)
        roots[i] = formula_step_item(m->goals, c->roots[i], seen);
    struct context key = {.parent = c->parent,
                          .depth = c->depth,
                          .n_roots = c->n_roots,
                          .roots = roots,
                          .seen = c->seen,
                          .recorded = c->recorded,
                          .is_guessed = c->is_guessed,
                          .shown = c->shown};
    uint32_t item = context_child(m, &key, TYPE_ARRAY);
    if (!m->base.narrowed && !m->arena.failed) c->item = item;
    m->base.narrowed |= was_narrowed;
    goal_scratch_pop(m->goals, mark);
    return item;
}

struct state context_return(struct json_machine *m, uint32_t parent, const bool *verdicts,
                            value_id value) {
    if (!parent) {
        uint32_t end = context_intern(m, &(struct context){.kind = CONTEXT_END});
        return (struct state){end, region_blank(PLACE_END, 0)};
    }
    const struct context *pending = context(m, parent);
    size_t mark = goal_scratch_mark(m->goals);
    goal_id *roots = goal_scratch(m->goals, pending->n_roots);
    if (!roots) return (struct state){0, 0};
    for (uint32_t i = 0; i < pending->n_roots; i++)
        roots[i] = formula_assign(m->goals, pending->roots[i], pending->tracked, verdicts,
                                  pending->n_tracked);
    bool object = pending->kind == CONTEXT_PENDING_OBJECT;
    struct context key = {.kind = object ? CONTEXT_OBJECT : CONTEXT_ARRAY,
                          .parent = pending->parent,
                          .depth = pending->depth,
                          .n_roots = pending->n_roots,
                          .roots = roots,
                          .order = pending->order,
                          .rank = pending->rank,
                          .seen = pending->seen,
                          .recorded = record_child(m, pending, value),
                          .is_guessed = pending->is_guessed,
                          .has_guessed_name = pending->has_guessed_name,
                          .names = pending->names,
                          .shown = pending->shown};
    if (!object)
        key.seen = asks_for_unique(m, roots, key.n_roots)
                       ? name_set_add(solver_name_sets(m->solver), pending->seen, value)
                       : VALUE_SET_EMPTY;
    uint32_t c = context_intern(m, &key);
    goal_scratch_pop(m->goals, mark);
    return (struct state){c, region_blank(object ? PLACE_AFTER_MEMBER : PLACE_AFTER_ITEM, 0)};
}

/* ---- containers ------------------------------------------------------------------------------ */

static uint32_t open_container(struct json_machine *m, uint32_t v, enum value_type type) {
    const struct context *value = context(m, v);
    if (!(m->types & TYPE_BIT(type))) return 0;
    if (value->depth >= m->max_nesting) {
        m->base.narrowed |= FORMA_LIMIT_NESTING;
        return 0;
    }
    size_t mark = goal_scratch_mark(m->goals);
    goal_id *roots = goal_scratch(m->goals, value->n_roots);
    if (!roots) return 0;
    for (uint32_t i = 0; i < value->n_roots; i++) {
        roots[i] = goal_specialise(m->goals, value->roots[i], type);
        roots[i] = solver_loosen(m->solver, roots[i], type);
    }
    witness_id w;
    enum sat_answer a = type == TYPE_OBJECT
                            ? solver_object(m->solver, roots[0], NAME_SET_EMPTY, &w)
                            : solver_array(m->solver, roots[0], VALUE_SET_EMPTY, &w);
    uint32_t c = 0;
    if (context_found_fits(m, a, w, value->depth)) {
        struct context key = {.kind = type == TYPE_OBJECT ? CONTEXT_OBJECT : CONTEXT_ARRAY,
                              .parent = value->parent,
                              .depth = value->depth + 1,
                              .shown = value->roots[0],
                              .recorded = value->is_recorded ? RECORD_EMPTY : RECORD_NONE,
                              .is_guessed = value->is_guessed,
                              .n_roots = value->n_roots,
                              .roots = roots};
        if (type == TYPE_OBJECT && m->style.keys == FORMA_KEYS_SCHEMA)
            key.order = key_order_for(m, value->roots, value->n_roots);
        c = context_intern(m, &key);
    }
    goal_scratch_pop(m->goals, mark);
    return c;
}

uint32_t context_open(struct json_machine *m, uint32_t v, enum value_type type) {
    struct context *value = context(m, v);
    uint32_t *memo = type == TYPE_OBJECT ? &value->object : &value->array;
    if (*memo != NOT_KNOWN) return *memo;
    unsigned was_narrowed = m->base.narrowed;
    m->base.narrowed = 0;
    uint32_t c = open_container(m, v, type);
    if (!m->base.narrowed && !m->arena.failed) *memo = c;
    m->base.narrowed |= was_narrowed;
    return c;
}

bool context_can_close(struct json_machine *m, uint32_t c) {
    return formula_close(m->goals, context(m, c)->roots[0]) == GOAL_TRUE;
}

struct state context_close(struct json_machine *m, uint32_t c) {
    const struct context *x = context(m, c);
    size_t mark = goal_scratch_mark(m->goals);
    bool *verdicts = context_verdicts(m, x->n_roots);
    if (!verdicts) return (struct state){0, 0};
    for (uint32_t i = 1; i < x->n_roots; i++)
        verdicts[i - 1] = formula_close(m->goals, x->roots[i]) == GOAL_TRUE;
    struct state s = context_return(m, x->parent, verdicts, record_value(m, x));
    goal_scratch_pop(m->goals, mark);
    return s;
}

/* ---- scalars --------------------------------------------------------------------------------- */

string_state context_string(struct json_machine *m, uint32_t v) {
    struct context *c = context(m, v);
    if (c->string != NOT_KNOWN) return c->string;
    size_t mark = goal_scratch_mark(m->goals);
    uint32_t *terms = goal_scratch(m->goals, c->n_roots);
    if (!terms) return STRING_DEAD;
    for (uint32_t i = 0; i < c->n_roots; i++)
        terms[i] = goal_to_term(m->goals, goal_specialise(m->goals, c->roots[i], TYPE_STRING));
    bool limited = false;
    string_state s = terms[0] == TERM_NONE || !(m->types & TYPE_BIT(TYPE_STRING))
                         ? STRING_DEAD
                         : string_begin(m->strings, terms, c->n_roots, &limited);
    if (limited)
        m->base.narrowed |= FORMA_LIMIT_WORK;
    else if (!m->arena.failed)
        c->string = s;
    goal_scratch_pop(m->goals, mark);
    return s;
}

number_state context_number(struct json_machine *m, uint32_t v) {
    struct context *c = context(m, v);
    if (c->number != NOT_KNOWN) return c->number;
    size_t mark = goal_scratch_mark(m->goals);
    uint32_t *sets = goal_scratch(m->goals, c->n_roots);
    if (!sets) return NUMBER_DEAD;
    for (uint32_t i = 0; i < c->n_roots; i++)
        sets[i] = goal_to_numset(m->goals, goal_specialise(m->goals, c->roots[i], TYPE_NUMBER));
    bool limited = false;
    number_state s =
        sets[0] == NUMSET_NONE ? NUMBER_DEAD : number_begin(m->numbers, sets, c->n_roots, &limited);
    if (limited)
        m->base.narrowed |= FORMA_LIMIT_WORK;
    else if (!m->arena.failed)
        c->number = s;
    goal_scratch_pop(m->goals, mark);
    return s;
}

/* ---- what is open ---------------------------------------------------------------------------- */

size_t json_machine_open_goals(const struct json_machine *m, struct state s, goal_id *goals,
                               size_t capacity) {
    const struct context *c = context(m, s.context);
    if (state_is_dead(s) || c->kind == CONTEXT_END) return 0;
    size_t n = c->depth + (c->kind == CONTEXT_VALUE ? 1u : 0u), i = n;
    if (c->kind == CONTEXT_VALUE) {
        if (--i < capacity) goals[i] = c->roots[0];
        c = context(m, c->parent);
    }
    for (; i > 0; c = context(m, c->parent))
        if (--i < capacity) goals[i] = c->shown;
    return n < capacity ? n : capacity;
}
