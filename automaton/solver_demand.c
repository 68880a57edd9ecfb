/* SPDX-License-Identifier: MIT
 *
 * The demand on a child: eliminate the variables of the stepped formula one by one, keeping for
 * each what the child must then meet (json-machine: dem). A variable that occurs only positively
 * needs no literal on its negative side, and the dual.
 */
#include "automaton/solver_verdicts.h"

/* The variable to branch on: one whose two sides both need a literal, if there is one. */
struct formula_variable solver_pick_variable(const struct formula_variable *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (list[i].polarity == 3) return list[i];
    return list[0];
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

goal_id solver_settle_units(struct solver *s, goal_id stepped) {
    goal_id child = GOAL_TRUE;
    return solver_take_units(s, stepped, &child);
}

/* Whose demand: of a child whose type is among `types`, so that the parent, of which `seen` names
 * are taken, stays satisfiable. */
struct demander {
    enum value_type parent;
    name_set seen;
    unsigned types;
};

static uint32_t demand_hash(goal_id f, const struct demander *d) {
    return fa_hash_mix(fa_hash_mix(f, d->seen), (uint32_t)d->parent << 8 | d->types);
}

static bool find_demand(struct solver *s, goal_id f, const struct demander *of, goal_id *demand) {
    for (struct table_probe p = table_probe(&s->demand_table, demand_hash(f, of));
         table_next(&s->demand_table, &p);) {
        const struct demand_record *d = &s->demands.data[p.id];
        if (d->stepped != f || d->seen != of->seen || d->parent != of->parent ||
            d->types != of->types)
            continue;
        /* Where nothing was too deep, the room does not matter. */
        bool any_room = d->deepest <= d->room && d->deepest <= s->room;
        if (!any_room && d->room != s->room) continue;
        if (d->deepest > s->deepest) s->deepest = d->deepest;
        *demand = d->demand;
        return true;
    }
    return false;
}

static void add_demand(struct solver *s, goal_id f, const struct demander *of, goal_id demand) {
    if (s->limited || s->arena->failed || !ARENA_VEC_GROW(s->arena, &s->demands) ||
        !table_add(&s->demand_table, demand_hash(f, of), s->demands.count))
        return;
    s->demands.data[s->demands.count++] = (struct demand_record){.stepped = f,
                                                                 .seen = of->seen,
                                                                 .parent = (uint8_t)of->parent,
                                                                 .types = (uint8_t)of->types,
                                                                 .demand = demand,
                                                                 .room = s->room,
                                                                 .deepest = s->deepest};
}

static goal_id demand_of(struct solver *s, goal_id f, const struct demander *of);

#define MANY_VARIABLES 4 /* so many are worth a question about the worst case */

bool solver_has_room(struct solver *s, witness_id w) {
    uint32_t depth = s->witnesses.data[w].depth;
    if (depth > s->deepest) s->deepest = depth;
    return w != WITNESS_NONE && depth <= s->room;
}

static goal_id leaf(struct solver *s, goal_id f, const struct demander *of) {
    if (node(s->goals, f)->unique) return solver_demand_unique(s, f, of->seen);
    witness_id w = of->parent == TYPE_OBJECT ? solver_decide(s, QUESTION_OBJECT, f, of->seen)
                                             : solver_decide(s, QUESTION_ARRAY, f, NAME_SET_EMPTY);
    return solver_has_room(s, w) ? GOAL_TRUE : GOAL_FALSE;
}

/* A disjunction is satisfiable iff one of its parts is, whatever the verdicts: so its demand is the
 * disjunction of their demands. A union of 500 objects costs 500 small questions. */
static goal_id demand_of_any(struct solver *s, goal_id f, const struct demander *of) {
    struct goal_node n = *node(s->goals, f);
    size_t mark = goal_scratch_mark(s->goals), m = 0;
    goal_id *demands = goal_scratch(s->goals, n.n_kids), result = GOAL_UNKNOWN;
    if (!demands) return GOAL_FALSE;
    for (uint32_t i = 0; i < n.n_kids && result == GOAL_UNKNOWN; i++) {
        demands[m] = demand_of(s, n.kids[i], of);
        if (demands[m] == GOAL_TRUE) result = GOAL_TRUE;
        if (demands[m] != GOAL_FALSE) m++;
    }
    if (result == GOAL_UNKNOWN) result = goal_or(s->goals, demands, m);
    goal_scratch_pop(s->goals, mark);
    return result;
}

static goal_id branch(struct solver *s, goal_id f, const struct formula_variable *v,
                      const struct demander *of) {
    struct goal_store *g = s->goals;
    bool yes = true, no = false;
    goal_id if_true = GOAL_UNKNOWN, if_false = GOAL_UNKNOWN;
    if (v->polarity != 1) {
        if_true = demand_of(s, formula_assign(g, f, &v->goal, &yes, 1), of);
        if (v->polarity == 2 && if_true == GOAL_TRUE) return GOAL_TRUE;
    }
    if_false = demand_of(s, formula_assign(g, f, &v->goal, &no, 1), of);
    if (v->polarity == 1) {
        if (if_false == GOAL_TRUE) return GOAL_TRUE;
        if_true = demand_of(s, formula_assign(g, f, &v->goal, &yes, 1), of);
        return goal_or2(g, goal_and2(g, v->goal, if_true), if_false);
    }
    goal_id not_goal = goal_not(g, v->goal);
    if (v->polarity == 2) return goal_or2(g, goal_and2(g, not_goal, if_false), if_true);
    if (if_true == if_false) return if_true;
    return goal_or2(g, goal_and2(g, v->goal, if_true), goal_and2(g, not_goal, if_false));
}

/* ---- by tables ------------------------------------------------------------------------------- */

/* What is put together: alternatives, and types of which every value will do. */
struct union_of_types {
    ARENA_VEC(goal_id) goals;
    unsigned whole;
};

static void add_alternative(struct solver *s, struct union_of_types *u, goal_id g) {
    if (g == GOAL_FALSE) return;
    if (ARENA_VEC_GROW(&s->goals->scratch, &u->goals))
        u->goals.data[u->goals.count++] = g;
    else
        s->arena->failed = true;
}

/* Children of scalar type t: a row of the table is as good as another only if the parent is. */
static bool demand_of_scalars(struct solver *s, goal_id f, enum value_type t, const goal_id *goals,
                              size_t n, const struct demander *of, struct union_of_types *u) {
    struct verdict_table table;
    size_t before = u->goals.count;
    bool whole = true;
    if (!solver_verdict_table(s, t, goals, n, &table)) return false;
    for (uint32_t i = 0; i < table.rows.count; i++) {
        const struct verdict_row *row = &table.rows.data[i];
        goal_id rest = formula_assign(s->goals, f, goals, row->verdicts, n);
        goal_id d = demand_of(s, rest, of);
        whole &= d == GOAL_TRUE;
        if (d != GOAL_FALSE)
            add_alternative(s, u, goal_and2(s->goals, solver_row_goal(s, t, row, goals, n), d));
    }
    if (whole) {
        u->goals.count = (uint32_t)before;
        u->whole |= TYPE_BIT(t);
    }
    return true;
}

/* Arrays and objects: goals about scalars are settled for all of them. */
static void demand_of_containers(struct solver *s, goal_id f, const goal_id *goals, size_t n,
                                 const struct demander *of, struct union_of_types *u) {
    goal_id *settled = goal_scratch(s->goals, n), rest[2];
    bool *verdicts = arena_push(&s->goals->scratch, n);
    static const enum value_type types[] = {TYPE_ARRAY, TYPE_OBJECT};
    if (!settled || !verdicts) return;
    for (int i = 0; i < 2; i++) {
        size_t m = solver_settled_goals(s, types[i], goals, n, settled, verdicts);
        rest[i] = formula_assign(s->goals, f, settled, verdicts, m);
    }
    for (int i = 0; i < 2; i++) {
        struct demander typed = *of;
        typed.types = TYPE_BIT(types[i]) & s->types;
        if (i == 0 && rest[0] == rest[1]) continue;
        if (rest[0] == rest[1]) typed.types |= TYPE_BIT(TYPE_ARRAY) & s->types;
        if (!typed.types) continue;
        goal_id d = demand_of(s, rest[i], &typed);
        if (d == GOAL_TRUE)
            u->whole |= typed.types;
        else
            add_alternative(s, u, goal_and2(s->goals, goal_type(s->goals, typed.types), d));
    }
}

/* The demand type by type, or GOAL_UNKNOWN when a table would be too large. */
static goal_id demand_by_type(struct solver *s, goal_id f, const struct formula_variable *list,
                              size_t n, const struct demander *of) {
    static const enum value_type scalars[] = {TYPE_NULL, TYPE_BOOLEAN, TYPE_STRING, TYPE_NUMBER};
    struct union_of_types u = {.whole = 0};
    goal_id *goals = goal_scratch(s->goals, n);
    if (!goals) return GOAL_FALSE;
    for (size_t i = 0; i < n; i++) goals[i] = list[i].goal;
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (s->types & TYPE_BIT(scalars[i]) &&
            !demand_of_scalars(s, f, scalars[i], goals, n, of, &u))
            return s->limited || s->arena->failed ? GOAL_FALSE : GOAL_UNKNOWN;
    demand_of_containers(s, f, goals, n, of, &u);
    if (u.whole == s->types) return GOAL_TRUE;
    add_alternative(s, &u, goal_type(s->goals, u.whole));
    return goal_or(s->goals, u.goals.data, u.goals.count);
}

/* Is the parent satisfiable whatever the child's verdicts? Not if it needs some when each of them is
 * as bad as it can be. An object that must not equal any of a thousand waits for a thousand
 * verdicts, and hardly ever needs one. */
static bool needs_no_verdict(struct solver *s, goal_id f, const struct formula_variable *list,
                             size_t n, const struct demander *of) {
    goal_id *goals = goal_scratch(s->goals, n);
    bool *worst = arena_push(&s->goals->scratch, n);
    if (!goals || !worst) return false;
    for (size_t i = 0; i < n; i++) {
        if (list[i].polarity == 3) return false;
        goals[i] = list[i].goal;
        worst[i] = list[i].polarity == 2;
    }
    return demand_of(s, formula_assign(s->goals, f, goals, worst, n), of) == GOAL_TRUE;
}

static goal_id demand_by_variables(struct solver *s, goal_id f, const struct demander *of) {
    size_t mark = goal_scratch_mark(s->goals), n = 0;
    goal_id result = GOAL_UNKNOWN;
    const struct formula_variable *list = solver_variables(s, f, &n);
    if (!list) {
        result = GOAL_FALSE;
    } else if (n == 0) {
        goal_scratch_pop(s->goals, mark);
        return leaf(s, f, of);
    } else if (n >= MANY_VARIABLES && needs_no_verdict(s, f, list, n, of)) {
        result = GOAL_TRUE;
    } else if (of->types == TYPE_ALL && solver_wants_table(list, n)) {
        result = demand_by_type(s, f, list, n, of);
    }
    if (result == GOAL_UNKNOWN) {
        struct formula_variable v = solver_pick_variable(list, n);
        goal_scratch_pop(s->goals, mark);
        return branch(s, f, &v, of);
    }
    goal_scratch_pop(s->goals, mark);
    return result;
}

static goal_id demand_of(struct solver *s, goal_id f, const struct demander *of) {
    goal_id result;
    if (f == GOAL_FALSE || f == GOAL_CYCLE) return GOAL_FALSE;
    if (find_demand(s, f, of, &result)) return result;
    if (!solver_step(s) || s->goals->depth > GOAL_MAX_DEPTH / 2) {
        s->limited = true;
        return GOAL_FALSE;
    }
    s->goals->depth++;
    uint32_t deepest = s->deepest;
    s->deepest = 0;
    goal_id child = GOAL_TRUE;
    goal_id rest = solver_take_units(s, f, &child);
    if (node(s->goals, f)->kind == GOAL_KIND_OR)
        result = demand_of_any(s, f, of);
    else if (child != GOAL_TRUE || rest != f)
        result = goal_and2(s->goals, child, demand_of(s, rest, of));
    else
        result = demand_by_variables(s, f, of);
    s->goals->depth--;
    add_demand(s, f, of, result);
    if (deepest > s->deepest) s->deepest = deepest;
    return result;
}

goal_id solver_demand_of_item(struct solver *s, goal_id stepped) {
    return demand_of(s, stepped, &(struct demander){TYPE_ARRAY, VALUE_SET_EMPTY, TYPE_ALL});
}

goal_id solver_demand_within(struct solver *s, goal_id stepped, enum value_type parent,
                             name_set seen, uint32_t room, bool *cut) {
    solver_begin(s);
    s->room = room;
    s->deepest = 0;
    goal_id demand = demand_of(s, stepped, &(struct demander){parent, seen, TYPE_ALL});
    *cut = s->deepest > room;
    return demand;
}

goal_id solver_demand(struct solver *s, goal_id stepped, enum value_type parent, name_set seen) {
    bool cut;
    return solver_demand_within(s, stepped, parent, seen, UINT32_MAX, &cut);
}
