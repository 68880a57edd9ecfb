/* SPDX-License-Identifier: MIT
 *
 * The solver against values tried one by one. A value of the pool that meets a goal makes "no"
 * wrong; every "yes" must come with a witness that meets it. The short cut for plain conjunctions
 * must answer as the general way does. The demand on a child must hold for exactly those values
 * after which the rest can be completed. Then recursion, limits, and sizes that forbid unrolling.
 */
#include "tests/lib_naive_goal.h"
#include "tests/test.h"

enum { N_DEFS = 80, N_NAMES = 4, MAX_WORK = 200000 };

struct world {
    struct naive_stores stores;
    struct goal_store *goals; /* of stores */
    struct solver *solver, *general;
    struct naive_pool pool;
    struct naive_context naive;
    uint64_t random;
    uint32_t names[N_NAMES];
    uint32_t classes[N_NAMES + 3];
    goal_id shared[3]; /* conditions, so that the same ones stand in several places */
    unsigned n_shared;
    unsigned n_defs;
    goal_id defs[N_DEFS];
};

static goal_id deref(void *ctx, uint32_t node) {
    return ((struct world *)ctx)->defs[node];
}
static goal_id expand(void *ctx, uint32_t node, uint32_t scope, enum value_type t) {
    (void)scope;
    (void)t;
    return deref(ctx, node);
}

static term_id lit(struct world *w, const char *text) {
    return regex_literal(w->stores.regex, (const unsigned char *)text, strlen(text));
}

static bool open_world(struct world *w, uint64_t seed, uint64_t max_work) {
    static const char *const names[N_NAMES] = {"x", "xx", "y", "other"};
    memset(w, 0, sizeof *w);
    w->random = seed;
    if (!CHECK(naive_stores_open(&w->stores))) return false;
    struct goal_store *s = w->goals = w->stores.goals;
    struct regex_store *r = w->stores.regex;
    goal_store_set_expand(s, expand, w);
    w->naive = (struct naive_context){.goals = s, .deref = deref, .ctx = w};
    w->solver = solver_new(s, max_work, TYPE_ALL);
    w->general = solver_new(s, max_work, TYPE_ALL);
    if (!CHECK(w->solver && w->general)) return false;
    solver_set_general(w->general, true);
    CHECK(solver_is_general(w->general) && !solver_is_general(w->solver));
    term_id singles[2];
    for (int i = 0; i < N_NAMES; i++) {
        w->names[i] = goal_name(s, names[i], strlen(names[i]));
        w->classes[i] = key_class_name(s, w->names[i]);
        if (i % 2 == 0) singles[i / 2] = lit(w, names[i]);
    }
    w->classes[N_NAMES] = KEY_CLASS_ALL;
    w->classes[N_NAMES + 1] =
        key_class_term(s, regex_cat(r, lit(w, "x"), TERM_ANY)); /* begins with x */
    w->classes[N_NAMES + 2] =
        key_class_term(s, regex_not(r, regex_or(r, singles, 2))); /* undeclared */
    naive_pool_init(&w->pool, &w->stores, 6000);
    naive_pool_scalars(&w->pool);
    naive_pool_containers(&w->pool, w->names, N_NAMES, 10, 2);
    uint32_t flat = w->pool.n; /* and containers of containers */
    const struct naive_value *kept[10];
    memcpy(kept, w->pool.values, sizeof kept);
    for (int i = 0; i < 10; i++) w->pool.values[i] = w->pool.values[(unsigned)i * 83 % flat];
    naive_pool_containers(&w->pool, w->names, N_NAMES, 10, 2);
    memcpy(w->pool.values, kept, sizeof kept);
    return CHECK(!w->stores.arena.failed);
}

static uint32_t below(struct world *w, uint32_t n) {
    return test_below(&w->random, n);
}

/* ---- random goals ---------------------------------------------------------------------------- */

static goal_id random_scalar(struct world *w) {
    static const char *const texts[] = {"a", "b", "c"};
    struct decimal d;
    switch (below(w, 6)) {
    case 0: return goal_string(w->goals, lit(w, texts[below(w, 3)]));
    case 1:
        return goal_string(
            w->goals, regex_or(w->stores.regex, (const term_id[]){lit(w, "a"), lit(w, "b")}, 2));
    case 2:
        decimal_from_u64(&w->stores.arena, below(w, 3), &d);
        return goal_number(w->goals, numset_values(w->stores.numbers, &d, 1));
    case 3:
        decimal_from_u64(&w->stores.arena, below(w, 3), &d);
        return goal_number(w->goals, numset_at_least(w->stores.numbers, &d));
    case 4: return goal_boolean(w->goals, below(w, 2));
    default: return goal_type(w->goals, 1 + below(w, TYPE_ALL));
    }
}

static goal_id random_goal(struct world *w, unsigned depth, unsigned types);

static goal_id random_kid_goal(struct world *w, unsigned depth) {
    if (w->n_defs && below(w, 3) == 0) return goal_ref(w->goals, below(w, w->n_defs), 0);
    if (below(w, 4) == 0) return GOAL_TRUE;
    return depth ? random_goal(w, depth - 1, TYPE_ALL) : random_scalar(w);
}

/* Conditions are goals of the whole container. */
static goal_id random_condition(struct world *w, unsigned depth, enum value_type t) {
    if (below(w, 4) == 0) return GOAL_TRUE;
    if (!w->n_shared || below(w, 3) == 0) return random_goal(w, depth, TYPE_BIT(t));
    goal_id g = w->shared[below(w, w->n_shared)], h = w->shared[below(w, w->n_shared)];
    switch (below(w, 6)) {
    case 0: return goal_not(w->goals, g);
    case 1: return goal_and2(w->goals, g, h);
    case 2: return goal_or2(w->goals, g, h);
    default: return g;
    }
}

static goal_id random_unevaluated(struct world *w, unsigned depth, enum value_type t) {
    struct evaluated_cell cells[4];
    size_t n = below(w, 4);
    for (size_t i = 0; i < n; i++) {
        uint64_t first = below(w, 3), last = below(w, 2) ? first : INDEX_UNBOUNDED;
        cells[i].children = (struct child_range){w->classes[below(w, N_NAMES + 3)], 0, 0};
        if (t == TYPE_ARRAY) cells[i].children = (struct child_range){KEY_CLASS_NONE, first, last};
        cells[i].goal = below(w, 3) ? GOAL_TRUE : random_kid_goal(w, depth);
        cells[i].condition = random_condition(w, depth, t);
    }
    goal_id g = below(w, 2) ? random_kid_goal(w, depth) : GOAL_FALSE;
    goal_id result = goal_unevaluated(w->goals, t, cells, n, g);
    for (uint32_t i = below(w, 97); i < w->pool.n; i += 97) { /* its normal form says the same */
        const struct naive_value *v = w->pool.values[i];
        bool want = true;
        for (uint32_t k = 0; k < v->n && v->type == t; k++)
            want &= naive_is_evaluated(&w->naive, cells, n, v, k) ||
                    naive_holds(&w->naive, g, v->kids[k]);
        CHECK_INT(naive_holds(&w->naive, result, v), want);
    }
    return below(w, 2) ? result : goal_not(w->goals, result);
}

/* An assertion of one of the types. */
static goal_id random_leaf(struct world *w, unsigned depth, unsigned types) {
    unsigned t = below(w, 3);
    if (t == 0 && types == TYPE_ALL) return random_scalar(w);
    bool sign = below(w, 2);
    uint64_t n = 1u + (below(w, 4) == 0) + (below(w, 8) == 0);
    if (depth && below(w, 5) == 0) {
        bool object = types == TYPE_ALL ? below(w, 2) : types & TYPE_BIT(TYPE_OBJECT);
        return random_unevaluated(w, depth - 1, object ? TYPE_OBJECT : TYPE_ARRAY);
    }
    goal_id kid = random_kid_goal(w, depth);
    if ((t == 1 && types & TYPE_BIT(TYPE_OBJECT)) || types == TYPE_BIT(TYPE_OBJECT)) {
        uint32_t k = below(w, N_NAMES + 3);
        return goal_count_keys(w->goals, w->classes[k], kid, k < N_NAMES ? 1 : n, sign);
    }
    uint64_t first = below(w, 3), last = below(w, 2) ? first : INDEX_UNBOUNDED;
    return goal_count_items(w->goals, first, last, kid, n, sign);
}

static goal_id random_goal(struct world *w, unsigned depth, unsigned types) {
    goal_id kids[4];
    size_t n = 2 + below(w, 3);
    uint32_t op = depth ? below(w, 7) : 0;
    if (op == 0) return random_leaf(w, depth, types);
    for (size_t i = 0; i < n; i++) kids[i] = random_goal(w, depth - 1, types);
    if (op <= 2) return goal_and(w->goals, kids, n);
    if (op == 3) return goal_or(w->goals, kids, n);
    if (op == 4) return goal_not(w->goals, kids[0]);
    return goal_one(w->goals, 0, kids, n, op == 5);
}

/* ---- yes and no ------------------------------------------------------------------------------ */

static const struct naive_value *brute(struct world *w, goal_id g) {
    for (uint32_t i = 0; i < w->pool.n; i++)
        if (naive_holds(&w->naive, g, w->pool.values[i])) return w->pool.values[i];
    return NULL;
}

static bool check_goal(struct world *w, struct solver *solver, goal_id g, long counts[3]) {
    witness_id id = WITNESS_NONE;
    enum sat_answer a = solver_goal(solver, g, &id);
    bool ok = CHECK(a == SAT_YES || id == WITNESS_NONE);
    counts[a]++;
    if (a == SAT_YES) {
        const struct naive_value *v = naive_from_witness(&w->stores, solver, id);
        ok &= CHECK(v != NULL) && CHECK(naive_holds(&w->naive, g, v));
        if (v && !ok) naive_print(w->goals, v, stderr);
    } else if (a == SAT_NO) {
        const struct naive_value *v = brute(w, g);
        ok &= CHECK(v == NULL);
        if (v) naive_print(w->goals, v, stderr);
    }
    if (!ok) goal_print(w->goals, g, stderr);
    return ok;
}

static void test_goals(uint64_t seed, int families, bool recursive, uint64_t max_work,
                       long counts[3]) {
    bool ok = true;
    for (int family = 0; family < families && ok; family++) {
        struct world w;
        if (!(ok = open_world(&w, seed + (uint64_t)family * 1000, max_work))) break;
        if (recursive) {
            w.n_defs = 2 + below(&w, 5);
            /* No reference stands outside a container: what is in place consumes something. */
            for (unsigned i = 0; i < w.n_defs; i++) {
                goal_id kids[2] = {random_leaf(&w, 1, TYPE_BIT(TYPE_OBJECT)),
                                   random_leaf(&w, 1, TYPE_BIT(TYPE_ARRAY))};
                goal_id type = goal_type(w.goals, TYPE_BIT(TYPE_OBJECT) | TYPE_BIT(TYPE_ARRAY) |
                                                      (below(&w, 4) == 0));
                w.defs[i] = goal_and(w.goals, (const goal_id[]){kids[0], kids[1], type}, 3);
            }
        }
        for (int i = 0; i < 25 && ok; i++) {
            goal_id g = random_goal(&w, 1 + below(&w, 3), TYPE_ALL);
            ok = check_goal(&w, w.solver, g, counts) && check_goal(&w, w.general, g, counts);
            if (!ok)
                fprintf(stderr, "goal %d of family %d of seed %llu\n", i, family,
                        (unsigned long long)seed);
        }
        ok &= CHECK(!w.stores.arena.failed);
        naive_stores_close(&w.stores);
    }
}

/* ---- plain conjunctions ---------------------------------------------------------------------- */

static goal_id random_literal(struct world *w) {
    uint32_t k = below(w, N_NAMES + 3);
    goal_id kid = below(w, 3) ? random_kid_goal(w, 1) : GOAL_TRUE;
    bool sign = k < N_NAMES && below(w, 2);
    uint64_t many = k == N_NAMES && kid == GOAL_TRUE ? 1 + below(w, 4) : 1;
    return goal_count_keys(w->goals, w->classes[k], sign ? GOAL_TRUE : kid, many, sign);
}

/* Mostly plain; one in three formulas also holds choices, which touch some of the names. */
static goal_id random_conjunction(struct world *w) {
    goal_id kids[8];
    size_t n = 1 + below(w, 7);
    bool mixed = below(w, 3) == 0;
    for (size_t i = 0; i < n; i++) {
        kids[i] = random_literal(w);
        if (mixed && below(w, 3) == 0)
            kids[i] = goal_or2(w->goals, kids[i],
                               goal_and2(w->goals, random_literal(w), random_literal(w)));
    }
    return goal_specialise(w->goals, goal_and(w->goals, kids, n), TYPE_OBJECT);
}

/* Both ways, from f with the names `seen` gone. */
static bool check_both_ways(struct world *w, goal_id f, name_set seen, name_set general_seen,
                            long counts[3]) {
    enum sat_answer a = solver_object(w->solver, f, seen, NULL);
    enum sat_answer b = solver_object(w->general, f, general_seen, NULL);
    counts[a]++;
    return CHECK_INT(a, b);
}

static void test_conjunctions(uint64_t seed, long counts[3]) {
    struct world w;
    bool ok = open_world(&w, seed, MAX_WORK);
    for (int i = 0; i < 3000 && ok; i++) {
        goal_id f = random_conjunction(&w);
        ok = check_both_ways(&w, f, NAME_SET_EMPTY, NAME_SET_EMPTY, counts);
        uint32_t name = w.names[below(&w, N_NAMES)];
        name_set seen = name_set_add(solver_name_sets(w.solver), NAME_SET_EMPTY, name);
        name_set same = name_set_add(solver_name_sets(w.general), NAME_SET_EMPTY, name);
        goal_id stepped = formula_step_key(w.goals, f, name, FORMULA_SERVE_NONE);
        goal_id short_cut = solver_demand(w.solver, stepped, TYPE_OBJECT, seen);
        goal_id full = solver_demand(w.general, stepped, TYPE_OBJECT, same);
        ok &= CHECK_INT(solver_goal(w.solver, short_cut, NULL), solver_goal(w.general, full, NULL));
        for (uint32_t v = 0; v < w.pool.n && ok; v += 1 + v / 100)
            ok &= CHECK_INT(naive_holds(&w.naive, short_cut, w.pool.values[v]),
                            naive_holds(&w.naive, full, w.pool.values[v]));
        if (!ok) {
            goal_print(w.goals, f, stderr);
            fprintf(stderr, "conjunction %d of seed %llu\n", i, (unsigned long long)seed);
        }
    }
    naive_stores_close(&w.stores);
}

/* ---- demands --------------------------------------------------------------------------------- */

/* The rest is satisfiable after v iff v meets the demand. */
static bool check_demand(struct world *w, struct solver *solver, goal_id f, enum value_type parent,
                         long counts[3]) {
    uint32_t name = w->names[below(w, N_NAMES)];
    name_set seen = NAME_SET_EMPTY;
    if (parent == TYPE_OBJECT) seen = name_set_add(solver_name_sets(solver), seen, name);
    goal_id stepped = parent == TYPE_OBJECT
                          ? formula_step_key(w->goals, f, name, FORMULA_SERVE_NONE)
                          : formula_step_item(w->goals, f, GOAL_FALSE);
    struct formula_variable variables[64];
    size_t n = formula_variables(w->goals, stepped, variables, 0, 64);
    goal_id demand = solver_demand(solver, stepped, parent, seen);
    if (!CHECK(n <= 64) || solver_was_limited(solver)) return n <= 64;
    goal_id goals[64];
    for (size_t i = 0; i < n; i++) goals[i] = variables[i].goal;
    bool ok = true;
    for (uint32_t i = 0; i < w->pool.n && ok; i += 1 + i / 64) {
        const struct naive_value *v = w->pool.values[i];
        bool verdicts[64];
        for (size_t j = 0; j < n; j++) verdicts[j] = naive_holds(&w->naive, goals[j], v);
        goal_id rest = formula_assign(w->goals, stepped, goals, verdicts, n);
        ok &= CHECK(!formula_has_variables(w->goals, rest));
        enum sat_answer a = parent == TYPE_OBJECT ? solver_object(solver, rest, seen, NULL)
                                                  : solver_array(solver, rest, seen, NULL);
        counts[a]++;
        if (a != SAT_LIMIT) ok &= CHECK_INT(naive_holds(&w->naive, demand, v), a == SAT_YES);
        if (!ok) naive_print(w->goals, v, stderr);
    }
    if (!ok) {
        fputs(" in ", stderr);
        goal_print(w->goals, f, stderr);
        fputs("demand ", stderr);
        goal_print(w->goals, demand, stderr);
    }
    return ok;
}

static void test_demands(uint64_t seed, long counts[3]) {
    struct world w;
    bool ok = open_world(&w, seed, MAX_WORK);
    for (int i = 0; i < 1500 && ok; i++) {
        enum value_type t = below(&w, 2) ? TYPE_OBJECT : TYPE_ARRAY;
        goal_id g = random_goal(&w, 1 + below(&w, 3), TYPE_BIT(t));
        goal_id f = goal_specialise(w.goals, g, t);
        ok = check_demand(&w, w.solver, f, t, counts) && check_demand(&w, w.general, f, t, counts);
        if (!ok) fprintf(stderr, "demand %d of seed %llu\n", i, (unsigned long long)seed);
    }
    CHECK(!w.stores.arena.failed);
    naive_stores_close(&w.stores);
}

/* ---- unevaluated ----------------------------------------------------------------------------- */

/* Goals in which every choice hangs on what has been evaluated: alone, beside the conditions that
 * it asks, and in choices. */
static goal_id random_evaluation(struct world *w, enum value_type t) {
    goal_id kids[4];
    size_t n = 1 + below(w, 3);
    w->n_shared = 0;
    for (size_t i = 0; i < 3; i++) w->shared[i] = random_goal(w, 1, TYPE_BIT(t));
    w->n_shared = 3;
    for (size_t i = 0; i < n; i++)
        kids[i] =
            i && below(w, 3) ? random_condition(w, 1, t) : random_unevaluated(w, below(w, 3), t);
    uint32_t op = below(w, 4);
    goal_id result = op == 0   ? goal_or(w->goals, kids, n)
                     : op == 1 ? goal_one(w->goals, 0, kids, n, true)
                               : goal_and(w->goals, kids, n);
    for (uint32_t i = below(w, 23); i < w->pool.n; i += 23) {
        size_t held = 0;
        for (size_t k = 0; k < n; k++) held += naive_holds(&w->naive, kids[k], w->pool.values[i]);
        bool want = op == 0 ? held > 0 : op == 1 ? held == 1 : held == n;
        if (!CHECK_INT(naive_holds(&w->naive, result, w->pool.values[i]), want)) break;
    }
    return below(w, 4) ? result : goal_not(w->goals, result);
}

static void test_unevaluated(uint64_t seed, long counts[3], long demands[3]) {
    bool ok = true;
    for (uint64_t family = 0; family < 60 && ok; family++) {
        struct world w;
        if (!(ok = open_world(&w, seed + family * 1000, MAX_WORK))) break;
        for (int i = 0; i < 40 && ok; i++) {
            enum value_type t = below(&w, 2) ? TYPE_OBJECT : TYPE_ARRAY;
            goal_id g = random_evaluation(&w, t);
            goal_id typed = goal_and2(w.goals, g, goal_type(w.goals, TYPE_BIT(t)));
            goal_id f = goal_specialise(w.goals, g, t);
            ok = check_goal(&w, w.solver, typed, counts) &&
                 check_goal(&w, w.general, typed, counts) &&
                 check_demand(&w, w.solver, f, t, demands) &&
                 check_demand(&w, w.general, f, t, demands);
            if (!ok)
                fprintf(stderr, "evaluation %d of family %llu of seed %llu\n", i,
                        (unsigned long long)family, (unsigned long long)seed);
        }
        ok &= CHECK(!w.stores.arena.failed);
        naive_stores_close(&w.stores);
    }
}

/* Alternatives told apart by the tag "x" (two of them may share it), with what they evaluate. */
static goal_id random_alternatives(struct world *w) {
    static const char *const tags[] = {"a", "b", "c"};
    struct goal_store *s = w->goals;
    goal_id kids[4], beside[3];
    struct evaluated_cell cells[6];
    uint32_t n = 2 + below(w, 3), n_cells = 1 + below(w, 6);
    for (uint32_t i = 0; i < n; i++) {
        goal_id tag = goal_string(s, lit(w, tags[below(w, 8) ? i % 3 : below(w, 3)]));
        tag = goal_and2(s, tag, goal_type(s, TYPE_BIT(TYPE_STRING)));
        kids[i] = goal_count_keys(s, w->classes[0], goal_not(s, tag), 1, false);
        if (below(w, 4))
            kids[i] = goal_and2(s, kids[i], goal_count_keys(s, w->classes[0], GOAL_TRUE, 1, true));
        if (below(w, 2)) kids[i] = goal_and2(s, kids[i], random_literal(w));
    }
    for (uint32_t i = 0; i < n_cells; i++) {
        goal_id condition = kids[below(w, n)];
        if (below(w, 3) == 0) condition = goal_and2(s, condition, random_literal(w));
        if (below(w, 3) == 0) condition = goal_or2(s, condition, kids[below(w, n)]);
        if (below(w, 8) == 0) condition = random_literal(w);
        cells[i] = (struct evaluated_cell){
            {.key_class = w->classes[below(w, N_NAMES + 3)]}, GOAL_TRUE, condition};
    }
    beside[0] = goal_one(s, 0, kids, n, true);
    beside[1] = goal_unevaluated(s, TYPE_OBJECT, cells, n_cells, GOAL_FALSE);
    beside[2] = random_literal(w);
    return goal_specialise(s, goal_and(s, beside, 2 + below(w, 2)), TYPE_OBJECT);
}

static void test_alternatives(uint64_t seed) {
    struct world w;
    bool ok = open_world(&w, seed, MAX_WORK);
    int loosened = 0;
    for (int i = 0; i < 1500 && ok; i++) {
        goal_id f = random_alternatives(&w), g = solver_loosen(w.solver, f, TYPE_OBJECT);
        loosened += g != f;
        for (uint32_t v = below(&w, 7); v < w.pool.n && ok; v += 7)
            if (w.pool.values[v]->type == TYPE_OBJECT)
                ok = CHECK_INT(naive_holds(&w.naive, g, w.pool.values[v]),
                               naive_holds(&w.naive, f, w.pool.values[v]));
        if (ok) continue;
        goal_print(w.goals, f, stderr);
        goal_print(w.goals, g, stderr);
        fprintf(stderr, "alternatives %d of seed %llu\n", i, (unsigned long long)seed);
    }
    CHECK(loosened > 300);
    naive_stores_close(&w.stores);
}

/* ---- recursion ------------------------------------------------------------------------------- */

static goal_id required(struct world *w, int name, goal_id g) {
    return goal_and2(w->goals, goal_count_keys(w->goals, w->classes[name], GOAL_TRUE, 1, true),
                     goal_count_keys(w->goals, w->classes[name], goal_not(w->goals, g), 1, false));
}

/* 80 definitions that all need two others: no value; with one way out: a value for each that
 * reaches it. */
static void test_families(void) {
    for (int way_out = 0; way_out < 3; way_out++) {
        struct world w;
        if (!open_world(&w, 5, 5000)) return;
        struct goal_store *s = w.goals;
        w.n_defs = N_DEFS;
        for (uint32_t i = 0; i < N_DEFS; i++) {
            goal_id next = goal_ref(s, (i + 1) % N_DEFS, 0);
            goal_id any = goal_ref(s, below(&w, N_DEFS), 0);
            goal_id a = required(&w, 0, next), b = required(&w, 2, any);
            goal_id choice = way_out == 2 ? goal_or2(s, a, b) : goal_and2(s, a, b);
            w.defs[i] = goal_and2(s, goal_type(s, TYPE_BIT(TYPE_OBJECT)), choice);
        }
        if (way_out) w.defs[40] = goal_type(s, TYPE_BIT(TYPE_NULL));
        struct solver *both[2] = {w.solver, w.general};
        for (int k = 0; k < 2; k++)
            for (uint32_t i = 0; i < N_DEFS; i++) {
                enum sat_answer want = way_out == 2 || (way_out == 1 && i == 40) ? SAT_YES : SAT_NO;
                if (way_out == 1 && i != 40) continue; /* depends on the random references */
                if (!CHECK_INT(solver_goal(both[k], goal_ref(s, i, 0), NULL), want)) break;
            }
        naive_stores_close(&w.stores);
    }
}

/* a = arrays of (b or a), not empty; b = arrays of (a or null), not empty. */
static void test_mutual(void) {
    for (int with_null = 0; with_null < 2; with_null++) {
        struct world w;
        if (!open_world(&w, 6, 5000)) return;
        struct goal_store *s = w.goals;
        goal_id a = goal_ref(s, 0, 0), b = goal_ref(s, 1, 0);
        goal_id items[2] = {goal_or2(s, b, a),
                            with_null ? goal_or2(s, a, goal_type(s, TYPE_BIT(TYPE_NULL))) : a};
        for (int i = 0; i < 2; i++)
            w.defs[i] = goal_and(
                s,
                (const goal_id[]){
                    goal_type(s, TYPE_BIT(TYPE_ARRAY)),
                    goal_count_items(s, 0, INDEX_UNBOUNDED, GOAL_TRUE, 1, true),
                    goal_count_items(s, 0, INDEX_UNBOUNDED, goal_not(s, items[i]), 1, false)},
                3);
        CHECK_INT(solver_goal(w.solver, a, NULL), with_null ? SAT_YES : SAT_NO);
        CHECK_INT(solver_goal(w.solver, b, NULL), with_null ? SAT_YES : SAT_NO);
        naive_stores_close(&w.stores);
    }
}

/* ---- sizes and limits ------------------------------------------------------------------------ */

static void test_large_counts(void) {
    struct world w;
    if (!open_world(&w, 8, 60)) return;
    struct goal_store *s = w.goals;
    const uint64_t billion = 1000000000;
    goal_id array = goal_type(s, TYPE_BIT(TYPE_ARRAY));
    goal_id least = goal_count_items(s, 0, INDEX_UNBOUNDED, GOAL_TRUE, billion, true);
    goal_id most = goal_count_items(s, 0, INDEX_UNBOUNDED, GOAL_TRUE, billion, false);
    goal_id strings = goal_count_items(s, 0, INDEX_UNBOUNDED,
                                       goal_type(s, TYPE_ALL & ~TYPE_BIT(TYPE_STRING)), 1, false);
    goal_id nothing = goal_count_items(s, 0, INDEX_UNBOUNDED, GOAL_TRUE, 1, false);
    goal_id g = goal_and(s, (const goal_id[]){array, least, strings}, 3);
    witness_id id;
    CHECK_INT(solver_goal(w.solver, g, &id), SAT_YES);
    const struct witness *x = solver_witness(w.solver, id);
    CHECK_INT(x->count + x->repeat - 1, billion);
    CHECK_INT(solver_goal(w.solver, goal_and2(s, g, most), NULL), SAT_NO);
    CHECK_INT(solver_goal(w.solver, goal_and(s, (const goal_id[]){array, least, nothing}, 3), NULL),
              SAT_NO);
    /* the first items are different ones */
    goal_id first = goal_count_items(s, 0, 0, goal_string(s, lit(&w, "a")), 1, true);
    CHECK_INT(solver_goal(w.solver, goal_and2(s, g, first), &id), SAT_YES);
    x = solver_witness(w.solver, id);
    CHECK_INT(x->count + x->repeat - 1, billion);
    naive_stores_close(&w.stores);
}

/* "anyOf" over required names encodes propositional satisfiability: pigeons in too few holes. */
static void test_limit(void) {
    struct world w;
    if (!open_world(&w, 9, 300)) return;
    struct goal_store *s = w.goals;
    enum { HOLES = 6, PIGEONS = 7 };
    goal_id sits[PIGEONS][HOLES], all[300];
    size_t n = 0;
    for (int p = 0; p < PIGEONS; p++) {
        for (int h = 0; h < HOLES; h++) {
            char text[8];
            int length = snprintf(text, sizeof text, "%d%d", p, h);
            sits[p][h] = goal_count_keys(s, key_class_name(s, goal_name(s, text, (size_t)length)),
                                         GOAL_TRUE, 1, true);
        }
        all[n++] = goal_or(s, sits[p], HOLES);
    }
    for (int h = 0; h < HOLES; h++)
        for (int p = 0; p < PIGEONS; p++)
            for (int q = 0; q < p; q++)
                all[n++] = goal_or2(s, goal_not(s, sits[p][h]), goal_not(s, sits[q][h]));
    all[n++] = goal_type(s, TYPE_BIT(TYPE_OBJECT));
    witness_id id = 77;
    CHECK_INT(solver_goal(w.solver, goal_and(s, all, n), &id), SAT_LIMIT);
    CHECK_INT(id, WITNESS_NONE);
    CHECK(solver_was_limited(w.solver));
    /* nothing of it is remembered: with a larger budget the answer is right, and other questions
     * have a budget of their own */
    CHECK_INT(solver_goal(w.solver, goal_type(s, TYPE_BIT(TYPE_OBJECT)), NULL), SAT_YES);
    CHECK(!solver_was_limited(w.solver));
    struct solver *patient = solver_new(s, 10000000, TYPE_ALL);
    CHECK_INT(solver_goal(patient, goal_and(s, all, n), NULL), SAT_NO);
    naive_stores_close(&w.stores);
}

static bool at_once(void *ctx) {
    ++*(int *)ctx;
    return true;
}

static void test_deadline(void) {
    struct world w;
    int polls = 0;
    if (!open_world(&w, 10, MAX_WORK)) return;
    struct goal_store *s = w.goals;
    goal_id wanted[600];
    for (int i = 0; i < 600; i++) {
        char text[8];
        int length = snprintf(text, sizeof text, "n%d", i);
        wanted[i] = goal_count_keys(s, key_class_name(s, goal_name(s, text, (size_t)length)),
                                    goal_type(s, TYPE_BIT(TYPE_STRING)), 1, true);
    }
    goal_id g = goal_and2(s, goal_and(s, wanted, 600), goal_type(s, TYPE_BIT(TYPE_OBJECT)));
    solver_set_deadline(w.general, at_once, &polls);
    CHECK_INT(solver_goal(w.general, g, NULL), SAT_LIMIT);
    CHECK(polls > 0);
    solver_set_deadline(w.general, NULL, NULL);
    CHECK_INT(solver_goal(w.general, g, NULL), SAT_YES);
    naive_stores_close(&w.stores);
}

/* Types that cannot be written are not there. */
static void test_types(void) {
    struct world w;
    if (!open_world(&w, 11, MAX_WORK)) return;
    struct solver *few =
        solver_new(w.goals, MAX_WORK, TYPE_BIT(TYPE_NUMBER) | TYPE_BIT(TYPE_ARRAY));
    witness_id id;
    CHECK_INT(solver_goal(few, GOAL_TRUE, &id), SAT_YES);
    CHECK_INT(solver_witness(few, id)->type, TYPE_NUMBER);
    CHECK_INT(solver_goal(few, goal_type(w.goals, TYPE_BIT(TYPE_OBJECT)), NULL), SAT_NO);
    goal_id some = goal_count_items(w.goals, 0, INDEX_UNBOUNDED,
                                    goal_type(w.goals, TYPE_BIT(TYPE_NULL)), 1, true);
    CHECK_INT(
        solver_goal(few, goal_and2(w.goals, some, goal_type(w.goals, TYPE_BIT(TYPE_ARRAY))), NULL),
        SAT_NO);
    naive_stores_close(&w.stores);
}

int main(void) {
    long goals[3] = {0}, recursive[3] = {0}, narrow[3] = {0}, conjunctions[3] = {0},
         demands[3] = {0}, evaluations[3] = {0};
    test_goals(1000000, 30, false, MAX_WORK, goals);
    test_goals(2000000, 40, true, MAX_WORK, recursive);
    test_goals(3000000, 20, true, 12, narrow);
    test_conjunctions(31, conjunctions);
    test_demands(41, demands);
    test_unevaluated(4000000, evaluations, demands);
    test_alternatives(51);
    CHECK(goals[SAT_NO] > 20 && recursive[SAT_NO] > 20 && conjunctions[SAT_NO] > 100 &&
          demands[SAT_NO] > 1000 && demands[SAT_YES] > 1000 && evaluations[SAT_NO] > 100);
    CHECK_INT(goals[SAT_LIMIT], 0);
    CHECK(recursive[SAT_LIMIT] < 40);
    CHECK(narrow[SAT_LIMIT] > 20);
    if (getenv("VERBOSE"))
        printf("no/yes/limit: goals %ld %ld %ld, recursive %ld %ld %ld, narrow %ld %ld %ld, "
               "conjunctions %ld %ld %ld, demands %ld %ld %ld, evaluations %ld %ld %ld\n",
               goals[0], goals[1], goals[2], recursive[0], recursive[1], recursive[2], narrow[0],
               narrow[1], narrow[2], conjunctions[0], conjunctions[1], conjunctions[2], demands[0],
               demands[1], demands[2], evaluations[0], evaluations[1], evaluations[2]);
    test_families();
    test_mutual();
    test_large_counts();
    test_limit();
    test_deadline();
    test_types();
    return test_done("solver");
}
