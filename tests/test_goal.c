/* SPDX-License-Identifier: MIT
 *
 * Normal forms keep the meaning: random formulas are built twice, as trees that are evaluated by
 * truth tables and as goals; goals, their negations, their specialisations and what those become
 * as languages and sets must say the same about every value of a pool. Then identity (equal
 * content, equal id), complements, and the rules of cycles.
 */
#include "tests/lib_naive_goal.h"
#include "tests/test.h"

enum { N_LEAVES = 18, MAX_TREE = 64, N_REFS = 3 };

struct world {
    struct naive_stores stores;
    struct goal_store *goals; /* of stores */
    struct naive_pool pool;
    struct naive_context naive;
    goal_id leaves[N_LEAVES];
    goal_id refs[N_REFS];
    uint32_t names[3];
    long missed; /* complements */
};

static goal_id deref(void *ctx, uint32_t node) {
    return ((struct world *)ctx)->refs[node];
}
static goal_id expand(void *ctx, uint32_t node, uint32_t scope, enum value_type t) {
    (void)scope;
    (void)t;
    return deref(ctx, node);
}

static term_id lit(struct world *w, const char *text) {
    return regex_literal(w->stores.regex, (const unsigned char *)text, strlen(text));
}
static numset_id at_least(struct world *w, uint64_t n) {
    struct decimal d;
    decimal_from_u64(&w->stores.arena, n, &d);
    return numset_at_least(w->stores.numbers, &d);
}
static numset_id only(struct world *w, uint64_t n) {
    struct decimal d;
    decimal_from_u64(&w->stores.arena, n, &d);
    return numset_values(w->stores.numbers, &d, 1);
}

static bool open_world(struct world *w) {
    memset(w, 0, sizeof *w);
    if (!CHECK(naive_stores_open(&w->stores))) return false;
    struct goal_store *s = w->goals = w->stores.goals;
    goal_store_set_expand(s, expand, w);
    w->naive = (struct naive_context){.goals = s, .deref = deref, .ctx = w};
    static const char *const names[] = {"x", "y", "xx"};
    for (int i = 0; i < 3; i++) w->names[i] = goal_name(s, names[i], strlen(names[i]));
    naive_pool_init(&w->pool, &w->stores, 1000);
    naive_pool_scalars(&w->pool);
    naive_pool_containers(&w->pool, w->names, 3, 7, 2);
    uint32_t x = key_class_name(s, w->names[0]), y = key_class_name(s, w->names[1]);
    uint32_t xs = key_class_term(s, regex_repeat(w->stores.regex, lit(w, "x"), 1, REGEX_UNBOUNDED));
    term_id ab = regex_or(w->stores.regex, (const term_id[]){lit(w, "a"), lit(w, "b")}, 2);
    goal_id one = goal_number(s, only(w, 1)), a = goal_string(s, lit(w, "a"));
    goal_id leaves[N_LEAVES] = {
        a,
        goal_string(s, ab),
        goal_string(s, TERM_NONE),
        one,
        goal_number(s, at_least(w, 1)),
        goal_boolean(s, true),
        goal_boolean(s, false),
        goal_type(s, TYPE_BIT(TYPE_STRING)),
        goal_type(s, TYPE_BIT(TYPE_NUMBER) | TYPE_BIT(TYPE_OBJECT)),
        goal_count_keys(s, x, GOAL_TRUE, 1, true),
        goal_count_keys(s, y, a, 1, false),
        goal_count_keys(s, KEY_CLASS_ALL, GOAL_TRUE, 2, true),
        goal_count_keys(s, xs, goal_type(s, TYPE_BIT(TYPE_STRING)), 1, false),
        goal_count_items(s, 0, INDEX_UNBOUNDED, goal_type(s, TYPE_BIT(TYPE_BOOLEAN)), 2, true),
        goal_count_items(s, 1, 1, GOAL_TRUE, 1, true),
        goal_ref(s, 0, 0),
        goal_ref(s, 1, 0),
        goal_ref(s, 2, 0),
    };
    memcpy(w->leaves, leaves, sizeof leaves);
    w->refs[0] = goal_or2(s, a, goal_type(s, TYPE_BIT(TYPE_ARRAY)));
    w->refs[1] = goal_not(s, goal_ref(s, 0, 0));
    w->refs[2] = goal_one(s, 0, (const goal_id[]){goal_ref(s, 1, 0), one, leaves[9]}, 3, true);
    return CHECK(!w->stores.arena.failed);
}

/* ---- trees ----------------------------------------------------------------------------------- */

enum op { OP_LEAF, OP_NOT, OP_AND, OP_OR, OP_ONE, OP_NOT_ONE, OP_COUNT };

struct tree {
    enum op op;
    unsigned leaf, already, n_kids;
    unsigned kids[5];
};

struct forest {
    struct tree t[MAX_TREE];
    unsigned n;
};

static unsigned grow(struct forest *f, uint64_t *random, unsigned depth) {
    struct tree t = {.op = depth && f->n < MAX_TREE - 30 ? test_below(random, OP_COUNT) : OP_LEAF};
    if (t.op == OP_LEAF) t.leaf = test_below(random, N_LEAVES + 2); /* two constants */
    if (t.op == OP_NOT) t.n_kids = 1;
    if (t.op >= OP_AND) t.n_kids = test_below(random, 5);
    if (t.op >= OP_ONE) t.already = test_below(random, 8) == 0;
    for (unsigned i = 0; i < t.n_kids; i++) /* sometimes a kid again: duplicates */
        t.kids[i] = i && test_below(random, 6) == 0 ? t.kids[i - 1] : grow(f, random, depth - 1);
    f->t[f->n] = t;
    return f->n++;
}

static goal_id build(struct world *w, const struct forest *f, unsigned id) {
    struct goal_store *s = w->goals;
    const struct tree *t = &f->t[id];
    goal_id kids[5];
    for (unsigned i = 0; i < t->n_kids; i++) kids[i] = build(w, f, t->kids[i]);
    switch (t->op) {
    case OP_NOT: return goal_not(s, kids[0]);
    case OP_AND: return goal_and(s, kids, t->n_kids);
    case OP_OR: return goal_or(s, kids, t->n_kids);
    case OP_ONE: return goal_one(s, t->already, kids, t->n_kids, true);
    case OP_NOT_ONE: return goal_one(s, t->already, kids, t->n_kids, false);
    default: break;
    }
    return t->leaf >= N_LEAVES ? (t->leaf == N_LEAVES ? GOAL_TRUE : GOAL_FALSE)
                               : w->leaves[t->leaf];
}

static bool evaluate(struct world *w, const struct forest *f, unsigned id,
                     const struct naive_value *v) {
    const struct tree *t = &f->t[id];
    unsigned count = 0;
    for (unsigned i = 0; i < t->n_kids; i++) count += evaluate(w, f, t->kids[i], v);
    switch (t->op) {
    case OP_NOT: return !count;
    case OP_AND: return count == t->n_kids;
    case OP_OR: return count > 0;
    case OP_ONE: return count + t->already == 1;
    case OP_NOT_ONE: return count + t->already != 1;
    default: break;
    }
    return t->leaf >= N_LEAVES ? t->leaf == N_LEAVES
                               : naive_holds(&w->naive, w->leaves[t->leaf], v);
}

/* ---- meaning --------------------------------------------------------------------------------- */

/* Only predicates of type t, and the connectives. */
static bool is_specialised(struct goal_store *s, goal_id g, enum value_type t) {
    struct goal_node n = *goal_get(s, g);
    if (n.kind == GOAL_KIND_CONSTANT) return g != GOAL_CYCLE;
    if (n.kind == GOAL_KIND_PREDICATE) return n.type == t;
    if (n.kind != GOAL_KIND_AND && n.kind != GOAL_KIND_OR && n.kind != GOAL_KIND_ONE) return false;
    for (uint32_t i = 0; i < n.n_kids; i++)
        if (!is_specialised(s, n.kids[i], t)) return false;
    return true;
}

static bool scalar_holds(struct world *w, goal_id f, const struct naive_value *v) {
    switch (v->type) {
    case TYPE_NULL: return goal_holds_null(w->goals, f);
    case TYPE_BOOLEAN: return goal_holds_boolean(w->goals, f, v->boolean);
    case TYPE_STRING:
        return regex_matches(w->stores.regex, goal_to_term(w->goals, f),
                             (const unsigned char *)v->text, strlen(v->text));
    case TYPE_NUMBER:
        return numset_contains(w->stores.numbers, goal_to_numset(w->goals, f), &v->number);
    default: return naive_holds(&w->naive, f, v);
    }
}

static bool check_meaning(struct world *w, const struct forest *f, unsigned root) {
    struct goal_store *s = w->goals;
    goal_id g = build(w, f, root), not_g = goal_not(s, g);
    goal_id spec[TYPE_COUNT];
    bool ok = CHECK_INT(build(w, f, root), g);
    for (int t = 0; t < TYPE_COUNT; t++) {
        spec[t] = goal_specialise(s, g, (enum value_type)t);
        ok &= CHECK(is_specialised(s, spec[t], (enum value_type)t));
    }
    for (uint32_t i = 0; i < w->pool.n && ok; i++) {
        const struct naive_value *v = w->pool.values[i];
        bool want = evaluate(w, f, root, v);
        ok &= CHECK_INT(naive_holds(&w->naive, g, v), want);
        ok &= CHECK_INT(naive_holds(&w->naive, not_g, v), !want);
        ok &= CHECK_INT(naive_holds(&w->naive, spec[v->type], v), want);
        ok &= CHECK_INT(scalar_holds(w, spec[v->type], v), want);
    }
    /* Complements are found by identity, so simplified ones may be missed: rarely, and then only
     * the form is longer. */
    goal_id none = goal_and2(s, g, not_g), all = goal_or2(s, g, not_g), back = goal_not(s, not_g);
    w->missed += (none != GOAL_FALSE) + (all != GOAL_TRUE);
    for (uint32_t i = 0; i < w->pool.n && ok && (none != GOAL_FALSE || all != GOAL_TRUE); i++)
        ok &= CHECK(!naive_holds(&w->naive, none, w->pool.values[i]) &&
                    naive_holds(&w->naive, all, w->pool.values[i]));
    for (uint32_t i = 0; i < w->pool.n && ok && back != g; i++)
        ok &= CHECK_INT(naive_holds(&w->naive, back, w->pool.values[i]),
                        naive_holds(&w->naive, g, w->pool.values[i]));
    if (!ok) goal_print(s, g, stderr);
    return ok;
}

static void test_meaning(uint64_t seed) {
    struct world w;
    uint64_t random = seed;
    bool ok = open_world(&w);
    for (int i = 0; i < 4000 && ok; i++) {
        struct forest f = {.n = 0};
        unsigned root = grow(&f, &random, 1 + test_below(&random, 4));
        ok = check_meaning(&w, &f, root);
        if (!ok) fprintf(stderr, "formula %d of seed %llu\n", i, (unsigned long long)seed);
    }
    CHECK(w.missed < 40);
    naive_stores_close(&w.stores);
}

/* The same through exchange of operands, nesting, and De Morgan. */
static void test_identity(uint64_t seed) {
    struct world w;
    if (!open_world(&w)) return;
    struct goal_store *s = w.goals;
    uint64_t random = seed;
    for (int round = 0; round < 2000; round++) {
        goal_id kids[6], other[7], negated[6];
        size_t n = 1 + test_below(&random, 6);
        for (size_t i = 0; i < n; i++) kids[i] = w.leaves[test_below(&random, N_LEAVES)];
        memcpy(other, kids, n * sizeof *kids);
        for (size_t i = n; i > 1; i--) {
            size_t j = test_below(&random, (uint32_t)i);
            goal_id swap = other[i - 1];
            other[i - 1] = other[j];
            other[j] = swap;
        }
        other[n] = other[0]; /* and one of them twice */
        CHECK_INT(goal_and(s, kids, n), goal_and(s, other, n + 1));
        CHECK_INT(goal_or(s, kids, n), goal_or(s, other, n + 1));
        CHECK_INT(goal_one(s, 0, kids, n, true), goal_one(s, 0, other, n, true));
        size_t half = n / 2;
        CHECK_INT(goal_and2(s, goal_and(s, kids, half), goal_and(s, kids + half, n - half)),
                  goal_and(s, kids, n));
        CHECK_INT(goal_or2(s, goal_or(s, kids, half), goal_or(s, kids + half, n - half)),
                  goal_or(s, kids, n));
        for (size_t i = 0; i < n; i++) {
            negated[i] = goal_not(s, kids[i]);
            CHECK_INT(goal_not(s, negated[i]), kids[i]);
        }
        CHECK_INT(goal_not(s, goal_and(s, kids, n)), goal_or(s, negated, n));
        CHECK_INT(goal_not(s, goal_or(s, kids, n)), goal_and(s, negated, n));
        CHECK_INT(goal_one(s, 0, kids, n, false), goal_not(s, goal_one(s, 0, kids, n, true)));
    }
    naive_stores_close(&w.stores);
}

static void test_rules(void) {
    struct world w;
    if (!open_world(&w)) return;
    struct goal_store *s = w.goals;
    goal_id a = w.leaves[0], b = w.leaves[9], c = w.leaves[14];
    goal_id not_a = goal_not(s, a), not_b = goal_not(s, b), not_c = goal_not(s, c);
    goal_id b_or_c = goal_or2(s, b, c), b_and_c = goal_and2(s, b, c);
    CHECK_INT(goal_and(s, NULL, 0), GOAL_TRUE);
    CHECK_INT(goal_or(s, NULL, 0), GOAL_FALSE);
    CHECK_INT(goal_and2(s, b, b_or_c), b); /* absorption */
    CHECK_INT(goal_or2(s, b, b_and_c), b);
    CHECK_INT(goal_and2(s, not_b, b_or_c), goal_and2(s, not_b, c)); /* unit propagation */
    CHECK_INT(goal_or2(s, not_b, b_and_c), goal_or2(s, not_b, c));
    /* exactly one */
    CHECK_INT(goal_one(s, 0, NULL, 0, true), GOAL_FALSE);
    CHECK_INT(goal_one(s, 1, NULL, 0, true), GOAL_TRUE);
    CHECK_INT(goal_one(s, 2, &a, 1, true), GOAL_FALSE);
    CHECK_INT(goal_one(s, 0, &a, 1, true), a);
    CHECK_INT(goal_one(s, 1, &a, 1, true), not_a);
    CHECK_INT(goal_one(s, 1, (const goal_id[]){b, c}, 2, true), goal_and2(s, not_b, not_c));
    CHECK_INT(goal_one(s, 0, (const goal_id[]){b, b, c}, 3, true), goal_and2(s, not_b, c));
    CHECK_INT(goal_one(s, 0, (const goal_id[]){b, not_b, c}, 3, true), not_c);
    CHECK_INT(goal_one(s, 0, (const goal_id[]){b, GOAL_TRUE, c}, 3, true),
              goal_and2(s, not_b, not_c));
    CHECK_INT(goal_one(s, 0, (const goal_id[]){GOAL_TRUE, GOAL_TRUE, c}, 3, true), GOAL_FALSE);
    goal_id one = goal_one(s, 0, (const goal_id[]){a, b, c}, 3, true);
    CHECK_INT(goal_and2(s, b, one), goal_and(s, (const goal_id[]){b, not_a, not_c}, 3));
    CHECK_INT(goal_not(s, goal_not(s, one)), one);
    /* types: intersected, united, and implied by a negated leaf */
    CHECK_INT(goal_type(s, 0), GOAL_FALSE);
    CHECK_INT(goal_type(s, TYPE_ALL), GOAL_TRUE);
    CHECK_INT(goal_and2(s, goal_type(s, TYPE_BIT(TYPE_STRING)), goal_type(s, TYPE_BIT(TYPE_NULL))),
              GOAL_FALSE);
    CHECK_INT(goal_or2(s, goal_type(s, 3), goal_type(s, 4)), goal_type(s, 7));
    CHECK_INT(goal_specialise(s, not_a, TYPE_NUMBER), GOAL_FALSE);
    CHECK_INT(goal_specialise(s, a, TYPE_NUMBER), GOAL_TRUE);
    /* counts */
    CHECK_INT(goal_count_keys(s, KEY_CLASS_ALL, a, 0, true), GOAL_TRUE);
    CHECK_INT(goal_specialise(s, goal_count_keys(s, KEY_CLASS_NONE, a, 1, true), TYPE_OBJECT),
              GOAL_FALSE);
    CHECK_INT(
        goal_specialise(s, goal_count_keys(s, KEY_CLASS_ALL, GOAL_FALSE, 1, true), TYPE_OBJECT),
        GOAL_FALSE);
    CHECK_INT(goal_specialise(s, goal_count_items(s, 3, 2, a, 1, true), TYPE_ARRAY), GOAL_FALSE);
    /* names: equal texts, equal ids; bytes matter, zero bytes too */
    CHECK_INT(goal_name(s, "x", 1), w.names[0]);
    CHECK_INT(goal_name_find(s, "x", 1), w.names[0]);
    CHECK_INT(goal_name_find(s, "never", 5), 0);
    CHECK(goal_name(s, "n\0a", 3) != goal_name(s, "n\0b", 3));
    CHECK(goal_name(s, "", 0) != 0);
    CHECK_INT(goal_name(s, "", 0), goal_name_find(s, "", 0));
    naive_stores_close(&w.stores);
}

/* A reference that consumes nothing: for no value, and neither is its negation. */
static void test_cycles(void) {
    struct world w;
    if (!open_world(&w)) return;
    struct goal_store *s = w.goals;
    goal_id a = w.leaves[9], b = w.leaves[14];
    CHECK_INT(goal_not(s, GOAL_CYCLE), GOAL_CYCLE);
    CHECK_INT(goal_and2(s, a, GOAL_CYCLE), GOAL_CYCLE);
    CHECK_INT(goal_and2(s, GOAL_FALSE, GOAL_CYCLE), GOAL_FALSE);
    CHECK_INT(goal_or2(s, a, GOAL_CYCLE), a);
    CHECK_INT(goal_or2(s, GOAL_FALSE, GOAL_CYCLE), GOAL_CYCLE);
    CHECK_INT(goal_or2(s, GOAL_TRUE, GOAL_CYCLE), GOAL_TRUE);
    CHECK_INT(goal_one(s, 0, (const goal_id[]){a, b, GOAL_CYCLE}, 3, true), GOAL_CYCLE);
    CHECK_INT(goal_one(s, 0, (const goal_id[]){a, b, GOAL_CYCLE}, 3, false), GOAL_CYCLE);
    CHECK(!goal_store_met_cycle(s));
    /* 0 = { allOf: [0, a] }, 1 = { anyOf: [1, a] }, 2 = { not: 2 } */
    w.refs[0] = goal_and2(s, goal_ref(s, 0, 0), a);
    w.refs[1] = goal_or2(s, goal_ref(s, 1, 0), a);
    w.refs[2] = goal_not(s, goal_ref(s, 2, 0));
    CHECK_INT(goal_specialise(s, goal_ref(s, 0, 0), TYPE_OBJECT), GOAL_CYCLE);
    CHECK(goal_store_met_cycle(s));
    CHECK_INT(goal_specialise(s, goal_ref(s, 1, 0), TYPE_OBJECT),
              goal_specialise(s, a, TYPE_OBJECT));
    CHECK_INT(goal_specialise(s, goal_ref(s, 2, 0), TYPE_OBJECT), GOAL_CYCLE);
    CHECK_INT(goal_specialise(s, goal_not(s, goal_ref(s, 2, 0)), TYPE_OBJECT), GOAL_CYCLE);
    naive_stores_close(&w.stores);
}

/* A chain of references too long to follow is a sticky failure that says why. */
static goal_id endless(void *ctx, uint32_t node, uint32_t scope, enum value_type t) {
    (void)scope;
    (void)t;
    return goal_ref(ctx, node + 1, 0);
}

static void test_depth(void) {
    struct naive_stores stores;
    if (!CHECK(naive_stores_open(&stores))) return;
    goal_store_set_expand(stores.goals, endless, stores.goals);
    CHECK(!goal_store_too_deep(stores.goals));
    goal_specialise(stores.goals, goal_ref(stores.goals, 0, 0), TYPE_OBJECT);
    CHECK(goal_store_too_deep(stores.goals));
    CHECK(stores.arena.failed);
    naive_stores_close(&stores);
}

int main(void) {
    test_meaning(20250101);
    test_meaning(20250102);
    test_identity(7);
    test_rules();
    test_cycles();
    test_depth();
    return test_done("goal");
}
