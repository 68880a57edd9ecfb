/* SPDX-License-Identifier: MIT
 *
 * What an item must meet because of "unique", once all verdicts are settled: it becomes one of the
 * values that the array holds, and with one more of them the rest must still be satisfiable.
 *
 * Where all items must differ, it may be any value that the rest can do without: a witness of the
 * rest names those it needs, and for each of these it is asked again. Where some two must be equal,
 * any value will do if the rest can see to that by itself, else it must be one that comes again.
 */
#include "automaton/unique_internal.h"

/* ---- all different --------------------------------------------------------------------------- */

static value_set critical_values(struct solver *s, goal_id f, value_set seen, witness_id found) {
    value_set critical = VALUE_SET_EMPTY;
    struct witness w = s->witnesses.data[found];
    for (uint32_t i = 0; i < w.count && solver_step(s); i++) {
        if (s->witnesses.data[w.kids[i]].draw != GOAL_FALSE) continue;
        value_id v = solver_witness_value(s, w.kids[i]);
        if (v == VALUE_NONE) return critical;
        value_set more = name_set_add(&s->names, seen, v);
        if (!solver_has_room(s, solver_decide(s, QUESTION_DISTINCT, f, more)))
            critical = name_set_add(&s->names, critical, v);
    }
    return critical;
}

static goal_id demand_distinct(struct solver *s, goal_id f, value_set seen) {
    if (f == GOAL_FALSE || f == GOAL_CYCLE) return GOAL_FALSE;
    struct goal_node n = *node(s->goals, f);
    if (n.kind == GOAL_KIND_OR) {
        goal_id any = GOAL_FALSE;
        for (uint32_t i = 0; i < n.n_kids && any != GOAL_TRUE; i++)
            any = goal_or2(s->goals, any, demand_distinct(s, n.kids[i], seen));
        return any;
    }
    witness_id w = solver_decide(s, QUESTION_DISTINCT, f, seen);
    if (!solver_has_room(s, w)) return GOAL_FALSE;
    size_t mark = goal_scratch_mark(s->goals);
    struct plain_array plain;
    value_set critical;
    if (!s->only_general && plain_array_read(s, f, &plain))
        critical = plain_array_critical(s, &plain, seen);
    else
        critical = critical_values(s, f, seen, w);
    goal_scratch_pop(s->goals, mark);
    if (s->limited) return GOAL_FALSE;
    return goal_not(s->goals, value_set_goal(s->values, critical));
}

/* ---- one pair that is equal ------------------------------------------------------------------ */

/* Formulas that later items may be read in, each looked at once. */
struct later {
    struct solver *s;
    ARENA_VEC(goal_id) formulas;
};

static bool add_later(void *ctx, goal_id child, goal_id rest) {
    struct later *l = ctx;
    struct solver *s = l->s;
    if (rest == GOAL_FALSE || rest == GOAL_CYCLE || !solver_step(s)) return false;
    for (uint32_t i = 0; i < l->formulas.count; i++)
        if (l->formulas.data[i] == rest) return false;
    if (solver_decide(s, QUESTION_GOAL, child, NAME_SET_EMPTY) == WITNESS_NONE) return false;
    if (ARENA_VEC_GROW(s->arena, &l->formulas)) l->formulas.data[l->formulas.count++] = rest;
    return false;
}

/* The values that some item behind f may have: what comes now need only be one of them. */
static goal_id later_values(struct solver *s, goal_id f) {
    struct later l = {.s = s};
    goal_id values = GOAL_FALSE;
    add_later(&l, GOAL_TRUE, f);
    for (uint32_t i = 0; i < l.formulas.count && values != GOAL_TRUE && solver_step(s); i++) {
        uint64_t least, most;
        goal_id g = l.formulas.data[i], each;
        struct goal_node n = *node(s->goals, g);
        if (n.kind == GOAL_KIND_OR) {
            for (uint32_t k = 0; k < n.n_kids; k++) add_later(&l, GOAL_TRUE, n.kids[k]);
            continue;
        }
        if (!s->only_general && solver_is_stationary(s, g, &least, &most, &each)) {
            if (least <= most && most > 0) values = goal_or2(s->goals, values, each);
            continue;
        }
        goal_id stepped = formula_step_item(s->goals, g, GOAL_FALSE);
        values = goal_or2(s->goals, values, solver_demand_of_item(s, stepped));
        solver_try_children(s, stepped, GOAL_TRUE, add_later, &l);
    }
    return s->limited ? GOAL_FALSE : values;
}

static goal_id demand_repeat(struct solver *s, goal_id f, value_set seen) {
    if (f == GOAL_FALSE || f == GOAL_CYCLE) return GOAL_FALSE;
    witness_id w = solver_decide(s, QUESTION_REPEAT, f, value_set_goal(s->values, seen));
    return solver_has_room(s, w) ? GOAL_TRUE : later_values(s, f);
}

/* ---- neither --------------------------------------------------------------------------------- */

bool solver_has_free_items(struct solver *s, goal_id f) {
    if (node(s->goals, f)->open) return false;
    if (!node(s->goals, f)->unique) return true;
    size_t n, unique = 0;
    const goal_id *literals = formula_literals(s->goals, &f, &n);
    for (size_t i = 0; i < n; i++) {
        const struct goal_node *x = node(s->goals, literals[i]);
        if (x->unique && (x->kind != GOAL_KIND_PREDICATE || !x->sign)) return false;
        unique += x->unique != 0;
    }
    solver_begin(s);
    size_t mark = goal_scratch_mark(s->goals);
    struct plain_array plain;
    bool is_free = unique == 1 &&
                   plain_array_read(s, formula_settle_unique(s->goals, f, true), &plain) &&
                   plain_array_is_free(s, &plain);
    goal_scratch_pop(s->goals, mark);
    return is_free;
}

/* ---- both ------------------------------------------------------------------------------------ */

goal_id solver_demand_unique(struct solver *s, goal_id f, value_set seen) {
    unsigned polarity = node(s->goals, f)->unique;
    goal_id if_unique = formula_settle_unique(s->goals, f, true);
    goal_id if_not = formula_settle_unique(s->goals, f, false);
    if (polarity != 3) { /* can it do without? */
        goal_id alone = polarity == 1 ? if_not : if_unique;
        if (solver_has_room(s, solver_decide(s, QUESTION_ARRAY, alone, VALUE_SET_EMPTY)))
            return GOAL_TRUE;
    }
    goal_id demand = GOAL_FALSE;
    if (polarity & 1) demand = demand_distinct(s, if_unique, seen);
    if (polarity & 2 && demand != GOAL_TRUE)
        demand = goal_or2(s->goals, demand, demand_repeat(s, if_not, seen));
    return s->limited ? GOAL_FALSE : demand;
}
