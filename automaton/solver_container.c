/* SPDX-License-Identifier: MIT
 *
 * Deciding open objects and arrays: what has to be added so that the formula closes to true?
 *
 * An object serves one unit need at a time (a positive count that must hold): single names first,
 * classes of names last; without a need it splits a disjunction. An array has no choice of place:
 * it appends the next item. As long as a child leaves no choice (no variables left) the work goes
 * on in a loop; only choices recurse. An array whose needs are counts of any item jumps to the
 * end instead of unrolling them: minItems 10^9 is one step.
 */
#include "automaton/solver_verdicts.h"

#include <string.h>

/* The part of the witness that the loop has fixed so far. Lives in the scratch stack. */
struct members {
    uint32_t *names;
    witness_id *kids;
    uint32_t n, capacity;
};

static bool members_push(struct solver *s, struct members *m, uint32_t name, witness_id kid) {
    if (m->n == m->capacity) {
        uint32_t capacity = m->capacity ? m->capacity * 2 : 8;
        uint32_t *names = goal_scratch(s->goals, capacity);
        witness_id *kids = goal_scratch(s->goals, capacity);
        if (!names || !kids) return false;
        if (m->n) {
            memcpy(names, m->names, m->n * sizeof *names);
            memcpy(kids, m->kids, m->n * sizeof *kids);
        }
        *m = (struct members){names, kids, m->n, capacity};
    }
    m->names[m->n] = name;
    m->kids[m->n++] = kid;
    return true;
}

/* The witness of the members so far followed by those of `rest` (WITNESS_NONE: nothing more). */
static witness_id finish(struct solver *s, enum value_type type, const struct members *m,
                         witness_id rest) {
    struct witness w = {.type = type, .count = m->n};
    struct witness r = s->witnesses.data[rest];
    w.count += r.count;
    w.repeat = r.repeat;
    uint32_t *names = arena_push_array(s->arena, w.count, sizeof *names);
    witness_id *kids = arena_push_array(s->arena, w.count, sizeof *kids);
    if (!names || !kids) return WITNESS_NONE;
    if (m->n) {
        memcpy(names, m->names, m->n * sizeof *names);
        memcpy(kids, m->kids, m->n * sizeof *kids);
    }
    if (r.count) {
        if (type == TYPE_OBJECT) memcpy(names + m->n, r.names, r.count * sizeof *names);
        memcpy(kids + m->n, r.kids, r.count * sizeof *kids);
    }
    w.names = names;
    w.kids = kids;
    for (uint32_t i = 0; i < w.count; i++)
        if (s->witnesses.data[kids[i]].depth > w.depth) w.depth = s->witnesses.data[kids[i]].depth;
    w.depth++;
    return solver_add_witness(s, &w);
}

/* ---- the child and the rest ------------------------------------------------------------------ */

/* Where the search goes on after a child. */
struct rest {
    enum value_type type;
    name_set seen;
};

static witness_id decide_rest(struct solver *s, const struct rest *r, goal_id f) {
    return r->type == TYPE_OBJECT ? solver_decide(s, QUESTION_OBJECT, f, r->seen)
                                  : solver_decide(s, QUESTION_ARRAY, f, NAME_SET_EMPTY);
}

/* A search for a child of the wanted kind, and for what follows. */
struct child_search {
    struct solver *s;
    const struct rest *rest;
    size_t open;             /* literals of the parent that an end before the child would falsify */
    witness_id child, after; /* found */
    /* instead of looking for witnesses (see solver_try_children) */
    bool (*place)(void *ctx, goal_id child, goal_id rest);
    void *ctx;
};

static bool find_child(struct child_search *c, goal_id stepped, goal_id child, unsigned types);

/* A child that takes part in no more choices: does the parent go on with it? */
static bool try_child(struct child_search *c, goal_id stepped, goal_id child) {
    if (stepped == GOAL_FALSE || stepped == GOAL_CYCLE) return false;
    if (c->place) return c->place(c->ctx, child, stepped);
    c->child = solver_decide(c->s, QUESTION_GOAL, child, NAME_SET_EMPTY);
    if (c->child == WITNESS_NONE) return false;
    c->after = decide_rest(c->s, c->rest, stepped);
    return c->after != WITNESS_NONE;
}

static bool find_by_variable(struct child_search *c, goal_id stepped, goal_id child, unsigned types,
                             const struct formula_variable *v) {
    struct goal_store *g = c->s->goals;
    bool found = false;
    for (int i = 0; i < 2 && !found; i++) {
        bool value = (i == 0) == (v->polarity != 2);
        goal_id with = formula_assign(g, stepped, &v->goal, &value, 1), narrower = child;
        if (v->polarity == 3 || (v->polarity == 1) == value)
            narrower = goal_and2(g, child, value ? v->goal : goal_not(g, v->goal));
        found = find_child(c, with, narrower, types);
    }
    return found;
}

/* The literals of f that are not true if nothing more comes. */
static size_t open_literals(struct solver *s, goal_id f) {
    size_t n, open = 0;
    const goal_id *literals = formula_literals(s->goals, &f, &n);
    for (size_t i = 0; i < n; i++) open += formula_close(s->goals, literals[i]) != GOAL_TRUE;
    return open;
}

/* The kinds of scalar children of one type, and what each leaves of the parent. */
struct scalar_rows {
    struct verdict_table table;
    goal_id *rests; /* GOAL_UNKNOWN: not looked at yet */
};

/* False when the table would be too large. */
static bool make_rows(struct child_search *c, goal_id child, enum value_type t,
                      const goal_id *goals, size_t n, struct scalar_rows *rows) {
    struct solver *s = c->s;
    *rows = (struct scalar_rows){.table = {.type = t}};
    if (!(s->types & TYPE_BIT(t)) || goal_specialise(s->goals, child, t) == GOAL_FALSE) return true;
    if (!solver_verdict_table(s, t, goals, n, &rows->table)) return false;
    rows->rests = goal_scratch(s->goals, rows->table.rows.count);
    if (!rows->rests) return false;
    memset(rows->rests, 0xFF, rows->table.rows.count * sizeof *rows->rests);
    return true;
}

/* Tries the rows that bring the parent nearer to its end, or the others. Where children make new
 * demands as well as serve old ones, going for the first that can come would pile them up. */
static bool find_scalar(struct child_search *c, goal_id stepped, goal_id child,
                        const goal_id *goals, size_t n, const struct scalar_rows *rows,
                        bool nearer) {
    struct solver *s = c->s;
    for (uint32_t i = 0; i < rows->table.rows.count; i++) {
        const struct verdict_row *row = &rows->table.rows.data[i];
        if (rows->rests[i] == GOAL_UNKNOWN)
            rows->rests[i] = formula_assign(s->goals, stepped, goals, row->verdicts, n);
        goal_id rest = rows->rests[i];
        if (rest == GOAL_FALSE || (open_literals(s, rest) < c->open) != nearer) continue;
        goal_id this_row = solver_row_goal(s, rows->table.type, row, goals, n);
        if (try_child(c, rest, goal_and2(s->goals, child, this_row))) return true;
        if (!solver_step(s)) return false;
    }
    return false;
}

static bool find_container(struct child_search *c, goal_id stepped, goal_id child,
                           enum value_type t, const goal_id *goals, size_t n) {
    struct goal_store *g = c->s->goals;
    goal_id *settled = goal_scratch(g, n);
    bool *verdicts = arena_push(&g->scratch, n);
    if (!settled || !verdicts || goal_specialise(g, child, t) == GOAL_FALSE) return false;
    size_t m = solver_settled_goals(c->s, t, goals, n, settled, verdicts);
    child = goal_and2(g, child, goal_type(g, TYPE_BIT(t)));
    return find_child(c, formula_assign(g, stepped, settled, verdicts, m), child, TYPE_BIT(t));
}

/* Type by type, as solver_demand.c does it. 1 found, 0 not, -1: that would be too large. */
static int find_by_type(struct child_search *c, goal_id stepped, goal_id child,
                        const struct formula_variable *list, size_t n) {
    static const enum value_type scalars[] = {TYPE_NULL, TYPE_BOOLEAN, TYPE_STRING, TYPE_NUMBER};
    enum { N_SCALARS = sizeof scalars / sizeof *scalars };
    struct solver *s = c->s;
    struct scalar_rows rows[N_SCALARS];
    goal_id *goals = goal_scratch(s->goals, n);
    if (!goals) return 0;
    for (size_t i = 0; i < n; i++) goals[i] = list[i].goal;
    for (int nearer = 1; nearer >= 0; nearer--)
        for (int i = 0; i < N_SCALARS; i++) {
            if (nearer && !make_rows(c, child, scalars[i], goals, n, &rows[i])) return -1;
            if (find_scalar(c, stepped, child, goals, n, &rows[i], nearer)) return 1;
        }
    for (int t = TYPE_ARRAY; t <= TYPE_OBJECT; t++)
        if (s->types & TYPE_BIT(t) &&
            find_container(c, stepped, child, (enum value_type)t, goals, n))
            return 1;
    return 0;
}

/* The variable to branch on: of a few, the one that helps the parent most when it goes its way. */
static struct formula_variable pick_helpful(struct solver *s, goal_id stepped,
                                            const struct formula_variable *list, size_t n) {
    enum { FEW = 4 };
    struct formula_variable best = solver_pick_variable(list, n);
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < n && n <= FEW && best.polarity != 3; i++) {
        bool value = list[i].polarity == 1;
        goal_id with = formula_assign(s->goals, stepped, &list[i].goal, &value, 1);
        size_t open = open_literals(s, with);
        if (open >= least) continue;
        least = open;
        best = list[i];
    }
    return best;
}

/* A child that meets `child` and makes verdicts under which the rest is satisfiable. Both
 * witnesses are set on success. `types`: all, or the one that is settled already. */
static bool find_child(struct child_search *c, goal_id stepped, goal_id child, unsigned types) {
    struct solver *s = c->s;
    stepped = solver_take_units(s, stepped, &child);
    if (stepped == GOAL_FALSE || stepped == GOAL_CYCLE || !solver_step(s)) return false;
    if (solver_decide(s, QUESTION_GOAL, child, NAME_SET_EMPTY) == WITNESS_NONE) return false;
    if (s->goals->depth > GOAL_MAX_DEPTH / 2) { /* rewriting needs the rest */
        s->limited = true;
        return false;
    }
    size_t mark = goal_scratch_mark(s->goals), n = 0;
    int found = -1;
    const struct formula_variable *list = solver_variables(s, stepped, &n);
    s->goals->depth++;
    if (!list)
        found = 0;
    else if (n == 0)
        found = try_child(c, stepped, child);
    else if (types == TYPE_ALL && solver_wants_table(list, n))
        found = find_by_type(c, stepped, child, list, n);
    if (found < 0) {
        struct formula_variable v = pick_helpful(s, stepped, list, n);
        goal_scratch_pop(s->goals, mark);
        found = find_by_variable(c, stepped, child, types, &v);
    }
    s->goals->depth--;
    goal_scratch_pop(s->goals, mark);
    return found > 0;
}

bool solver_try_children(struct solver *s, goal_id stepped, goal_id child,
                         bool (*place)(void *ctx, goal_id child, goal_id rest), void *ctx) {
    struct child_search c = {.s = s, .open = SIZE_MAX, .place = place, .ctx = ctx};
    return find_child(&c, stepped, child, TYPE_ALL);
}

/* ---- objects --------------------------------------------------------------------------------- */

static bool is_need(struct solver *s, goal_id g) {
    const struct goal_node *n = node(s->goals, g);
    if (n->type != TYPE_OBJECT) return false;
    return n->kind == GOAL_KIND_PREDICATE ? n->sign : n->kind == GOAL_KIND_UNEVALUATED && !n->sign;
}

/* The class of names that can serve a need. */
static uint32_t need_class(struct solver *s, goal_id g) {
    const struct goal_node *n = node(s->goals, g);
    return n->kind == GOAL_KIND_PREDICATE ? predicate_get(s->goals, n->a)->key_class
                                          : unevaluated_get(s->goals, n->a)->asked.key_class;
}

/* The unit need to serve first: a single name, else a class that is not "all", else any, else a
 * child that refutes an unevaluated, because it depends on all the others. */
static goal_id pick_need(struct solver *s, goal_id f) {
    size_t n;
    const goal_id *literals = formula_literals(s->goals, &f, &n);
    goal_id best = GOAL_UNKNOWN;
    int best_rank = 4;
    for (size_t i = 0; i < n; i++) {
        if (!is_need(s, literals[i])) continue;
        uint32_t key_class = need_class(s, literals[i]);
        int rank = node(s->goals, literals[i])->kind == GOAL_KIND_UNEVALUATED ? 3
                   : key_class_get(s->goals, key_class)->name                 ? 0
                   : key_class != KEY_CLASS_ALL                               ? 1
                                                                              : 2;
        if (rank < best_rank) {
            best = literals[i];
            best_rank = rank;
        }
    }
    return best;
}

static goal_id serve(struct solver *s, goal_id f, goal_id need, uint32_t name, goal_id *child) {
    goal_id stepped = formula_step_key(s->goals, f, name, need);
    *child = GOAL_TRUE;
    if (node(s->goals, need)->kind == GOAL_KIND_UNEVALUATED) return stepped;
    *child = predicate_get(s->goals, node(s->goals, need)->a)->goal;
    goal_id v = goal_variable(s->goals, *child);
    const struct goal_node *n = node(s->goals, v);
    if (n->kind != GOAL_KIND_VARIABLE) return stepped;
    goal_id goal = n->a;
    bool value = n->sign;
    return formula_assign(s->goals, stepped, &goal, &value, 1);
}

/* Serves `need` by member `name`. 1: *f and m went on without a choice; 0: no; 2: *result is the
 * whole answer. */
static int serve_name(struct solver *s, goal_id *f, name_set *seen, struct members *m, goal_id need,
                      uint32_t name, witness_id *result) {
    if (name_set_has(&s->names, *seen, name)) return 0;
    goal_id child;
    goal_id stepped = serve(s, *f, need, name, &child);
    stepped = solver_take_units(s, stepped, &child);
    name_set more = name_set_add(&s->names, *seen, name);
    if (!formula_has_variables(s->goals, stepped)) {
        witness_id w = solver_decide(s, QUESTION_GOAL, child, NAME_SET_EMPTY);
        if (w == WITNESS_NONE || !members_push(s, m, name, w)) return 0;
        *f = stepped;
        *seen = more;
        return 1;
    }
    struct rest rest = {TYPE_OBJECT, more};
    struct child_search c = {.s = s, .rest = &rest, .open = open_literals(s, *f)};
    if (!find_child(&c, stepped, child, TYPE_ALL) || !members_push(s, m, name, c.child)) return 0;
    *result = finish(s, TYPE_OBJECT, m, c.after);
    return 2;
}

/* A need of a class of names: any single name in the class, or a member of any cell of it. */
static witness_id serve_class(struct solver *s, goal_id f, name_set seen, struct members *m,
                              goal_id need) {
    const uint32_t *singles;
    const struct key_cell *cells;
    bool hangs;
    size_t n_singles = solver_single_names(s, &f, 1, &singles);
    size_t n_cells = solver_key_cells(s, &f, 1, NULL, 0, seen, &cells, &hangs);
    uint32_t key_class = need_class(s, need);
    for (size_t i = 0; i < n_singles + n_cells && !s->limited; i++) {
        uint32_t name = i < n_singles ? singles[i] : cells[i - n_singles].name;
        if (!name || !key_class_has(s->goals, key_class, name)) continue;
        goal_id rest = f;
        name_set more = seen;
        struct members longer = *m;
        witness_id result = WITNESS_NONE;
        int served = serve_name(s, &rest, &more, &longer, need, name, &result);
        if (served == 1) {
            witness_id r = solver_decide(s, QUESTION_OBJECT, rest, more);
            if (r != WITNESS_NONE) result = finish(s, TYPE_OBJECT, &longer, r);
        }
        if (result != WITNESS_NONE) return result;
    }
    return WITNESS_NONE;
}

/* f with the literal `old` replaced. */
static goal_id replace_literal(struct solver *s, goal_id f, goal_id old, const goal_id *with,
                               size_t n_with) {
    size_t n;
    const goal_id *literals = formula_literals(s->goals, &f, &n);
    size_t mark = goal_scratch_mark(s->goals), m = 0;
    goal_id *kids = goal_scratch(s->goals, n + n_with);
    if (!kids) return GOAL_FALSE;
    for (size_t i = 0; i < n; i++)
        if (literals[i] != old) kids[m++] = literals[i];
    for (size_t i = 0; i < n_with; i++) kids[m++] = with[i];
    goal_id result = goal_and(s->goals, kids, m);
    goal_scratch_pop(s->goals, mark);
    return result;
}

/* A disjunction: one of its parts. */
static witness_id decide_any(struct solver *s, goal_id f, const struct rest *r) {
    struct goal_node n = *node(s->goals, f);
    for (uint32_t i = 0; i < n.n_kids && !s->limited; i++) {
        witness_id w = decide_rest(s, r, n.kids[i]);
        if (w != WITNESS_NONE) return w;
    }
    return WITNESS_NONE;
}

static witness_id split_or(struct solver *s, goal_id f, name_set seen, goal_id x) {
    struct goal_node n = *node(s->goals, x);
    for (int predicates = 1; predicates >= 0; predicates--)
        for (uint32_t i = 0; i < n.n_kids && !s->limited; i++) {
            goal_id d = n.kids[i];
            if ((node(s->goals, d)->kind == GOAL_KIND_PREDICATE) != predicates) continue;
            witness_id w = solver_decide(s, QUESTION_OBJECT, replace_literal(s, f, x, &d, 1), seen);
            if (w != WITNESS_NONE) return w;
        }
    return WITNESS_NONE;
}

/* Exactly-one: the first kid holds, or it does not and the others are left. */
static witness_id split_one(struct solver *s, goal_id f, name_set seen, goal_id x) {
    struct goal_node n = *node(s->goals, x);
    for (unsigned holds = 1; holds + 1 > 0 && !s->limited; holds--) {
        goal_id with[2];
        with[0] = goal_one(s->goals, n.type + holds, n.kids + 1, n.n_kids - 1, n.sign);
        with[1] = holds ? n.kids[0] : goal_not(s->goals, n.kids[0]);
        witness_id w = solver_decide(s, QUESTION_OBJECT, replace_literal(s, f, x, with, 2), seen);
        if (w != WITNESS_NONE) return w;
    }
    return WITNESS_NONE;
}

/* No unit need, yet closing does not give true: some literal is a choice that closing falsifies. */
static witness_id split(struct solver *s, goal_id f, name_set seen) {
    size_t n;
    const goal_id *literals = formula_literals(s->goals, &f, &n);
    for (size_t i = 0; i < n; i++) {
        if (formula_close(s->goals, literals[i]) != GOAL_FALSE) continue;
        goal_id x = literals[i];
        enum goal_kind kind = node(s->goals, x)->kind;
        if (kind == GOAL_KIND_OR) return split_or(s, f, seen, x);
        if (kind == GOAL_KIND_ONE) return split_one(s, f, seen, x);
        return WITNESS_NONE;
    }
    return WITNESS_NONE;
}

static witness_id decide_object(struct solver *s, goal_id f, name_set seen, struct members *m) {
    while (f != GOAL_FALSE && f != GOAL_CYCLE && solver_step(s)) {
        if (formula_close(s->goals, f) == GOAL_TRUE) return finish(s, TYPE_OBJECT, m, WITNESS_NONE);
        if (node(s->goals, f)->kind == GOAL_KIND_OR) {
            witness_id rest = decide_any(s, f, &(struct rest){TYPE_OBJECT, seen});
            return rest == WITNESS_NONE ? rest : finish(s, TYPE_OBJECT, m, rest);
        }
        goal_id need = pick_need(s, f);
        if (need == GOAL_UNKNOWN) {
            witness_id rest = split(s, f, seen);
            return rest == WITNESS_NONE ? rest : finish(s, TYPE_OBJECT, m, rest);
        }
        uint32_t name = key_class_get(s->goals, need_class(s, need))->name;
        if (!name) return serve_class(s, f, seen, m, need);
        witness_id result = WITNESS_NONE;
        int served = serve_name(s, &f, &seen, m, need, name, &result);
        if (served != 1) return served == 2 ? result : WITNESS_NONE;
    }
    return WITNESS_NONE;
}

/* The same where names are independent: the needed members, each on its own, and the rest. */
static witness_id decide_conjunction(struct solver *s, const struct conjunction *c, name_set seen,
                                     struct members *m) {
    size_t n;
    const uint32_t *needs = conjunction_needs(c, &n);
    if (n > conjunction_max_members(c)) return WITNESS_NONE;
    for (size_t i = 0; i < n && solver_step(s); i++) {
        if (name_set_has(&s->names, seen, needs[i])) return WITNESS_NONE;
        witness_id w =
            solver_decide(s, QUESTION_GOAL, conjunction_member(s, c, needs[i]), NAME_SET_EMPTY);
        if (w == WITNESS_NONE || !members_push(s, m, needs[i], w)) return WITNESS_NONE;
    }
    if (s->limited || conjunction_rest(c) == GOAL_TRUE)
        return s->limited ? WITNESS_NONE : finish(s, TYPE_OBJECT, m, WITNESS_NONE);
    witness_id rest = solver_decide(s, QUESTION_OBJECT, conjunction_rest(c), seen);
    return rest == WITNESS_NONE ? rest : finish(s, TYPE_OBJECT, m, rest);
}

struct class_search {
    struct solver *s;
    bool found;
};

static void find_class_need(void *ctx, uint32_t key_class, bool needed) {
    struct class_search *c = ctx;
    if (needed && !key_class_get(c->s->goals, key_class)->name) c->found = true;
}

witness_id solver_decide_object(struct solver *s, goal_id f, name_set seen) {
    struct members m = {0};
    size_t mark = goal_scratch_mark(s->goals);
    const struct conjunction *c = s->only_general ? NULL : conjunction_find(s, f);
    witness_id w = c ? decide_conjunction(s, c, seen, &m) : decide_object(s, f, seen, &m);
    goal_scratch_pop(s->goals, mark);
    return w;
}

bool solver_counts_names(struct solver *s, goal_id f) {
    struct class_search c = {s, false};
    formula_key_classes(s->goals, f, find_class_need, &c);
    return c.found;
}

/* Names that are taken only matter where a class of names is needed; a single name that is taken
 * has no predicate left in the formula. */
name_set solver_relevant_names(struct solver *s, goal_id f, name_set seen) {
    return seen != NAME_SET_EMPTY && solver_counts_names(s, f) ? seen : NAME_SET_EMPTY;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

bool solver_is_stationary(struct solver *s, goal_id f, uint64_t *least, uint64_t *most,
                          goal_id *each) {
    size_t n;
    const goal_id *literals = formula_literals(s->goals, &f, &n);
    *least = 0;
    *most = UINT64_MAX;
    *each = GOAL_TRUE;
    for (size_t i = 0; i < n; i++) {
        struct goal_node x = *node(s->goals, literals[i]);
        if (x.kind != GOAL_KIND_PREDICATE) return false;
        struct predicate p = *predicate_get(s->goals, x.a);
        if (p.first != 0 || p.last != INDEX_UNBOUNDED) return false;
        if (p.goal == GOAL_TRUE) {
            if (x.sign && p.n > *least) *least = p.n;
            if (!x.sign && p.n - 1 < *most) *most = p.n - 1;
        } else {
            if (x.sign || p.n != 1) return false;
            *each = goal_and2(s->goals, *each, goal_not(s->goals, p.goal));
        }
    }
    return true;
}

static witness_id finish_stationary(struct solver *s, struct members *m, uint64_t least,
                                    uint64_t most, goal_id each) {
    if (least > most) return WITNESS_NONE;
    witness_id w = solver_decide(s, QUESTION_GOAL, each, NAME_SET_EMPTY);
    if (w == WITNESS_NONE || !members_push(s, m, 0, w)) return WITNESS_NONE;
    witness_id result = finish(s, TYPE_ARRAY, m, WITNESS_NONE);
    if (result != WITNESS_NONE) s->witnesses.data[result].repeat = least;
    return result;
}

/* f where an unevaluated asks its goal of every item to come, which is more than it says. */
static goal_id without_unevaluated(struct solver *s, goal_id f) {
    struct goal_store *g = s->goals;
    size_t n, mark = goal_scratch_mark(g);
    const goal_id *literals = formula_literals(g, &f, &n);
    goal_id *kids = goal_scratch(g, n);
    if (!kids) return f;
    for (size_t i = 0; i < n; i++) {
        struct goal_node x = *node(g, literals[i]);
        kids[i] = literals[i];
        if (x.kind != GOAL_KIND_UNEVALUATED || !x.sign) continue;
        goal_id other = goal_not(g, unevaluated_get(g, x.a)->goal);
        struct predicate p = {
            .kind = PREDICATE_COUNT_ITEMS, .last = INDEX_UNBOUNDED, .goal = other, .n = 1};
        kids[i] = goal_predicate(g, TYPE_ARRAY, &p, false);
    }
    goal_id result = goal_and(g, kids, n);
    goal_scratch_pop(g, mark);
    return result;
}

static witness_id decide_array(struct solver *s, goal_id f, struct members *m) {
    while (f != GOAL_FALSE && f != GOAL_CYCLE && solver_step(s)) {
        if (formula_close(s->goals, f) == GOAL_TRUE) return finish(s, TYPE_ARRAY, m, WITNESS_NONE);
        if (node(s->goals, f)->kind == GOAL_KIND_OR) {
            witness_id rest = decide_any(s, f, &(struct rest){TYPE_ARRAY, NAME_SET_EMPTY});
            return rest == WITNESS_NONE ? rest : finish(s, TYPE_ARRAY, m, rest);
        }
        uint64_t least, most;
        goal_id each;
        if (solver_is_stationary(s, f, &least, &most, &each))
            return finish_stationary(s, m, least, most, each);
        goal_id stronger = without_unevaluated(s, f);
        if (stronger != f && solver_is_stationary(s, stronger, &least, &most, &each)) {
            witness_id w = finish_stationary(s, m, least, most, each);
            if (w != WITNESS_NONE) return w;
        }
        if (!s->only_general) {
            witness_id planned;
            enum sat_answer answer = solver_plan_counts(s, f, &planned);
            if (answer == SAT_YES) return finish(s, TYPE_ARRAY, m, planned);
            if (answer == SAT_NO) return WITNESS_NONE;
        }
        goal_id child = GOAL_TRUE;
        goal_id stepped = formula_step_item(s->goals, f, GOAL_FALSE);
        stepped = solver_take_units(s, stepped, &child);
        if (formula_has_variables(s->goals, stepped)) {
            struct rest rest = {TYPE_ARRAY, NAME_SET_EMPTY};
            struct child_search c = {.s = s, .rest = &rest, .open = open_literals(s, f)};
            if (!find_child(&c, stepped, child, TYPE_ALL) || !members_push(s, m, 0, c.child))
                return WITNESS_NONE;
            return finish(s, TYPE_ARRAY, m, c.after);
        }
        if (stepped == f) return WITNESS_NONE; /* another item changes nothing */
        witness_id w = solver_decide(s, QUESTION_GOAL, child, NAME_SET_EMPTY);
        if (w == WITNESS_NONE || !members_push(s, m, 0, w)) return WITNESS_NONE;
        f = stepped;
    }
    return WITNESS_NONE;
}

/* "Unique" is true or false in the end: the formula is split by that, and where it only stands
 * positively (negatively), an array that needs no help from it is looked for first. */
static witness_id decide_unique(struct solver *s, goal_id f, value_set seen) {
    unsigned polarity = node(s->goals, f)->unique;
    goal_id if_unique = formula_settle_unique(s->goals, f, true);
    goal_id if_not = formula_settle_unique(s->goals, f, false);
    witness_id w = WITNESS_NONE;
    if (polarity != 3)
        w = solver_decide(s, QUESTION_ARRAY, polarity == 1 ? if_not : if_unique, VALUE_SET_EMPTY);
    if (w == WITNESS_NONE && polarity & 1) w = solver_decide(s, QUESTION_DISTINCT, if_unique, seen);
    if (w == WITNESS_NONE && polarity & 2)
        w = solver_decide(s, QUESTION_REPEAT, if_not, value_set_goal(s->values, seen));
    return w;
}

witness_id solver_decide_array(struct solver *s, goal_id f, value_set seen) {
    if (node(s->goals, f)->unique) return decide_unique(s, f, seen);
    struct members m = {0};
    size_t mark = goal_scratch_mark(s->goals);
    witness_id w = decide_array(s, f, &m);
    goal_scratch_pop(s->goals, mark);
    return w;
}
