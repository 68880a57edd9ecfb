/* SPDX-License-Identifier: MIT
 *
 * The demand on a child: eliminate the variables of the stepped formula one by one, keeping for
 * each what the child must then meet (json-machine: dem). A variable that occurs only positively
 * needs no literal on its negative side, and the dual.
 */
#include "automaton/solver_internal.h"

bool solver_pick_variable(struct solver *s, goal_id f, struct formula_variable *v) {
    size_t mark = goal_scratch_mark(s->goals);
    size_t capacity = (s->goals->scratch.size - s->goals->scratch.used) / sizeof *v;
    if (capacity > 1 << 16) capacity = 1 << 16;
    struct formula_variable *list = arena_push_array(&s->goals->scratch, capacity, sizeof *list);
    size_t n = list ? formula_variables(s->goals, f, list, 0, capacity) : SIZE_MAX;
    if (n == SIZE_MAX) {
        s->limited = true;
        n = 0;
    }
    if (n) {
        size_t best = 0;
        for (size_t i = 0; i < n; i++)
            if (list[i].polarity == 3) {
                best = i;
                break;
            }
        *v = list[best];
    }
    goal_scratch_pop(s->goals, mark);
    return n > 0;
}

/* By goal, as formula_assign wants it. Nearly sorted as a rule: variables are made in that order. */
static void sort_assignment(goal_id *goals, bool *values, size_t n) {
    for (size_t i = 1; i < n; i++) {
        goal_id g = goals[i];
        bool v = values[i];
        size_t j = i;
        for (; j && goals[j - 1] > g; j--) {
            goals[j] = goals[j - 1];
            values[j] = values[j - 1];
        }
        goals[j] = g;
        values[j] = v;
    }
}

goal_id solver_take_units(struct solver *s, goal_id f, goal_id *child) {
    for (;;) {
        size_t n;
        const goal_id *literals = formula_literals(s->goals, &f, &n);
        size_t mark = goal_scratch_mark(s->goals), m = 0;
        goal_id *units = goal_scratch(s->goals, n), *said = goal_scratch(s->goals, n + 1);
        bool *values = arena_push(&s->goals->scratch, n);
        if (!units || !said || !values) return GOAL_FALSE;
        for (size_t i = 0; i < n; i++) {
            const struct goal_node *x = node(s->goals, literals[i]);
            if (x->kind != GOAL_KIND_VARIABLE) continue;
            units[m] = x->a;
            values[m] = x->sign;
            said[m] = x->sign ? x->a : goal_not(s->goals, x->a);
            m++;
        }
        sort_assignment(units, values, m);
        if (m) {
            said[m] = *child;
            *child = goal_and(s->goals, said, m + 1);
            f = formula_assign(s->goals, f, units, values, m);
        }
        goal_scratch_pop(s->goals, mark);
        if (!m) return f;
    }
}

static uint32_t demand_hash(goal_id f, enum value_type parent, name_set seen) {
    return fa_hash_mix(fa_hash_mix(f, seen), parent);
}

static bool find_demand(struct solver *s, goal_id f, enum value_type parent, name_set seen,
                        goal_id *demand) {
    for (struct table_probe p = table_probe(&s->demand_table, demand_hash(f, parent, seen));
         table_next(&s->demand_table, &p);) {
        const struct demand_record *d = &s->demands.data[p.id];
        if (d->stepped != f || d->seen != seen || d->parent != parent) continue;
        /* Where nothing was too deep, the room does not matter. */
        bool any_room = d->deepest <= d->room && d->deepest <= s->room;
        if (!any_room && d->room != s->room) continue;
        if (d->deepest > s->deepest) s->deepest = d->deepest;
        *demand = d->demand;
        return true;
    }
    return false;
}

static void add_demand(struct solver *s, goal_id f, enum value_type parent, name_set seen,
                       goal_id demand) {
    if (s->limited || s->arena->failed || !ARENA_VEC_GROW(s->arena, &s->demands) ||
        !table_add(&s->demand_table, demand_hash(f, parent, seen), s->demands.count))
        return;
    s->demands.data[s->demands.count++] =
        (struct demand_record){f, seen, (uint8_t)parent, demand, s->room, s->deepest};
}

static goal_id demand_of(struct solver *s, goal_id f, enum value_type parent, name_set seen);

static goal_id leaf(struct solver *s, goal_id f, enum value_type parent, name_set seen) {
    witness_id w = parent == TYPE_OBJECT ? solver_decide(s, QUESTION_OBJECT, f, seen)
                                         : solver_decide(s, QUESTION_ARRAY, f, NAME_SET_EMPTY);
    uint32_t depth = s->witnesses.data[w].depth;
    if (depth > s->deepest) s->deepest = depth;
    return w == WITNESS_NONE || depth > s->room ? GOAL_FALSE : GOAL_TRUE;
}

/* A disjunction is satisfiable iff one of its parts is, whatever the verdicts: so its demand is the
 * disjunction of their demands. A union of 500 objects costs 500 small questions. */
static goal_id demand_of_any(struct solver *s, goal_id f, enum value_type parent, name_set seen) {
    struct goal_node n = *node(s->goals, f);
    size_t mark = goal_scratch_mark(s->goals), m = 0;
    goal_id *demands = goal_scratch(s->goals, n.n_kids), result = GOAL_UNKNOWN;
    if (!demands) return GOAL_FALSE;
    for (uint32_t i = 0; i < n.n_kids && result == GOAL_UNKNOWN; i++) {
        demands[m] = demand_of(s, n.kids[i], parent, seen);
        if (demands[m] == GOAL_TRUE) result = GOAL_TRUE;
        if (demands[m] != GOAL_FALSE) m++;
    }
    if (result == GOAL_UNKNOWN) result = goal_or(s->goals, demands, m);
    goal_scratch_pop(s->goals, mark);
    return result;
}

static goal_id branch(struct solver *s, goal_id f, const struct formula_variable *v,
                      enum value_type parent, name_set seen) {
    struct goal_store *g = s->goals;
    bool yes = true, no = false;
    goal_id if_true = GOAL_UNKNOWN, if_false = GOAL_UNKNOWN;
    if (v->polarity != 1) {
        if_true = demand_of(s, formula_assign(g, f, &v->goal, &yes, 1), parent, seen);
        if (v->polarity == 2 && if_true == GOAL_TRUE) return GOAL_TRUE;
    }
    if_false = demand_of(s, formula_assign(g, f, &v->goal, &no, 1), parent, seen);
    if (v->polarity == 1) {
        if (if_false == GOAL_TRUE) return GOAL_TRUE;
        if_true = demand_of(s, formula_assign(g, f, &v->goal, &yes, 1), parent, seen);
        return goal_or2(g, goal_and2(g, v->goal, if_true), if_false);
    }
    goal_id not_goal = goal_not(g, v->goal);
    if (v->polarity == 2) return goal_or2(g, goal_and2(g, not_goal, if_false), if_true);
    if (if_true == if_false) return if_true;
    return goal_or2(g, goal_and2(g, v->goal, if_true), goal_and2(g, not_goal, if_false));
}

static goal_id demand_of(struct solver *s, goal_id f, enum value_type parent, name_set seen) {
    goal_id result;
    if (f == GOAL_FALSE || f == GOAL_CYCLE) return GOAL_FALSE;
    if (find_demand(s, f, parent, seen, &result)) return result;
    if (!solver_step(s) || s->goals->depth > GOAL_MAX_DEPTH / 2) {
        s->limited = true;
        return GOAL_FALSE;
    }
    s->goals->depth++;
    uint32_t deepest = s->deepest;
    s->deepest = 0;
    struct formula_variable v;
    goal_id child = GOAL_TRUE;
    goal_id rest = solver_take_units(s, f, &child);
    if (node(s->goals, f)->kind == GOAL_KIND_OR)
        result = demand_of_any(s, f, parent, seen);
    else if (child != GOAL_TRUE || rest != f)
        result = goal_and2(s->goals, child, demand_of(s, rest, parent, seen));
    else if (solver_pick_variable(s, f, &v))
        result = branch(s, f, &v, parent, seen);
    else
        result = leaf(s, f, parent, seen);
    s->goals->depth--;
    add_demand(s, f, parent, seen, result);
    if (deepest > s->deepest) s->deepest = deepest;
    return result;
}

goal_id solver_demand_within(struct solver *s, goal_id stepped, enum value_type parent,
                             name_set seen, uint32_t room, bool *cut) {
    solver_begin(s);
    s->room = room;
    s->deepest = 0;
    goal_id demand = demand_of(s, stepped, parent, seen);
    *cut = s->deepest > room;
    return demand;
}

goal_id solver_demand(struct solver *s, goal_id stepped, enum value_type parent, name_set seen) {
    bool cut;
    return solver_demand_within(s, stepped, parent, seen, UINT32_MAX, &cut);
}
