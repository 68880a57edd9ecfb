/* SPDX-License-Identifier: MIT
 *
 * Unique items against values tried one by one: formulas of arrays in which "unique" stands
 * positively, negatively or both, over few values, so that they run out. What the solver says of an
 * open array that holds some values, and what it demands of the next item, must be what trying
 * every short continuation gives. The direct way for plain arrays must answer as the general way
 * does. Then sizes that forbid unrolling.
 */
#include "automaton/solver.h"
#include "forma.h"
#include "tests/lib_naive_goal.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"
#include "tokenmask/matcher.h"

enum { N_KIDS = 9, MAX_ITEMS = 3, MAX_WORK = 300000 };

struct world {
    struct naive_stores stores;
    struct goal_store *goals;
    struct solver *solver, *general;
    struct naive_pool kids, arrays;
    uint64_t random;
    value_id values[N_KIDS]; /* of `kids`, in w->solver's store and in w->general's */
    value_id general_values[N_KIDS];
};

static uint32_t below(struct world *w, uint32_t n) {
    return test_below(&w->random, n);
}

static goal_id no_reference(void *ctx, uint32_t node) {
    (void)ctx;
    (void)node;
    return GOAL_FALSE;
}

static value_id value_of(struct world *w, struct solver *solver, const struct naive_value *v) {
    struct value_store *s = solver_values(solver);
    value_list items = VALUE_LIST_EMPTY;
    value_members members = VALUE_MEMBERS_EMPTY;
    switch (v->type) {
    case TYPE_NULL: return value_null(s);
    case TYPE_BOOLEAN: return value_boolean(s, v->boolean);
    case TYPE_STRING: return value_string(s, v->text, strlen(v->text));
    case TYPE_NUMBER: return value_number(s, &v->number);
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < v->n; i++)
            items = value_list_add(s, items, value_of(w, solver, v->kids[i]));
        return value_array(s, items);
    case TYPE_OBJECT:
        for (uint32_t i = 0; i < v->n; i++)
            members = value_members_add(s, members, v->names[i], value_of(w, solver, v->kids[i]));
        return value_object(s, members);
    case TYPE_COUNT: break;
    }
    return VALUE_NONE;
}

/* null, false, true, "a", "b", 1 and [], [1], {"x":1} */
static bool open_world(struct world *w, uint64_t seed) {
    memset(w, 0, sizeof *w);
    w->random = seed;
    if (!CHECK(naive_stores_open(&w->stores))) return false;
    w->goals = w->stores.goals;
    w->solver = solver_new(w->goals, MAX_WORK, TYPE_ALL);
    w->general = solver_new(w->goals, MAX_WORK, TYPE_ALL);
    if (!CHECK(w->solver && w->general)) return false;
    solver_set_general(w->general, true);
    struct naive_pool all;
    naive_pool_init(&all, &w->stores, 60);
    naive_pool_scalars(&all);
    uint32_t x = goal_name(w->goals, "x", 1);
    naive_pool_containers(&all, &x, 1, 10, 1);
    static const uint32_t chosen[N_KIDS] = {0, 1, 2, 3, 4, 8, 10, 19, 30};
    naive_pool_init(&w->kids, &w->stores, N_KIDS);
    for (int i = 0; i < N_KIDS; i++) w->kids.values[w->kids.n++] = all.values[chosen[i]];
    naive_pool_init(&w->arrays, &w->stores, 1 + 9 + 81 + 729 + N_KIDS);
    memcpy(w->arrays.values, w->kids.values, N_KIDS * sizeof *w->kids.values);
    w->arrays.n = N_KIDS;
    naive_pool_containers(&w->arrays, &x, 0, N_KIDS, MAX_ITEMS);
    for (int i = 0; i < N_KIDS; i++) {
        w->values[i] = value_of(w, w->solver, w->kids.values[i]);
        w->general_values[i] = value_of(w, w->general, w->kids.values[i]);
    }
    return CHECK(!w->stores.arena.failed);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Equal values have equal ids, whatever their spelling and the order of members; and the goal of a
 * value holds for it alone. */
static void test_values(void) {
    struct world w;
    if (!open_world(&w, 3)) return;
    struct value_store *s = solver_values(w.solver);
    struct decimal d[2];
    decimal_parse(&w.stores.arena, "1000e-3", 7, &d[0]);
    decimal_parse(&w.stores.arena, "1.0", 3, &d[1]);
    CHECK_INT(value_number(s, &d[0]), value_number(s, &d[1]));
    CHECK_INT(value_number(s, &d[0]), w.values[5]);
    uint32_t x = goal_name(w.goals, "x", 1), y = goal_name(w.goals, "y", 1);
    value_members one = value_members_add(s, VALUE_MEMBERS_EMPTY, x, w.values[0]), other;
    one = value_members_add(s, one, y, w.values[5]);
    other = value_members_add(s, VALUE_MEMBERS_EMPTY, y, w.values[5]);
    CHECK(value_object(s, one) != value_object(s, other));
    other = value_members_add(s, other, x, w.values[0]);
    CHECK_INT(value_object(s, one), value_object(s, other));
    CHECK_INT(value_get(s, value_object(s, one))->count, 2);
    CHECK_INT(value_get(s, value_object(s, one))->depth, 1);
    for (int i = 0; i < N_KIDS; i++)
        for (int j = 0; j < N_KIDS; j++) {
            struct naive_context c = {.goals = w.goals, .deref = no_reference};
            goal_id equal = value_equal_goal(s, w.values[i]);
            CHECK_INT(naive_holds(&c, equal, w.kids.values[j]), i == j);
            CHECK_INT(w.values[i] == w.values[j], i == j);
        }
    CHECK_INT(value_equal_goal(s, VALUE_SOME), GOAL_FALSE);
    naive_stores_close(&w.stores);
}

/* ---- random formulas ------------------------------------------------------------------------- */

/* One of a few of the values, or something wider. */
static goal_id random_item(struct world *w) {
    struct value_store *s = solver_values(w->solver);
    value_set set = VALUE_SET_EMPTY;
    uint32_t kind = below(w, 8);
    if (kind == 0) return GOAL_TRUE;
    if (kind == 1) return goal_type(w->goals, 1 + below(w, TYPE_ALL));
    for (uint32_t n = 1 + below(w, 3); n; n--)
        set = name_set_add(solver_name_sets(w->solver), set, w->values[below(w, N_KIDS)]);
    goal_id g = value_set_goal(s, set);
    return kind == 2 ? goal_not(w->goals, g) : g;
}

static goal_id random_leaf(struct world *w) {
    if (below(w, 3) == 0) {
        goal_id unique = goal_unique(w->goals);
        return below(w, 2) ? unique : goal_not(w->goals, unique);
    }
    uint64_t first = below(w, 3), last = below(w, 2) ? first : INDEX_UNBOUNDED;
    uint64_t n = last == first ? 1 : 1 + below(w, 3);
    bool sign = below(w, 2);
    goal_id item = below(w, 4) ? random_item(w) : GOAL_TRUE;
    if (!sign && below(w, 3)) n = 1;
    return goal_count_items(w->goals, first, last, item, n, sign);
}

static goal_id random_formula(struct world *w, unsigned depth) {
    goal_id kids[4];
    size_t n = 2 + below(w, 3);
    uint32_t op = depth ? below(w, 8) : 0;
    if (op == 0) return random_leaf(w);
    for (size_t i = 0; i < n; i++) kids[i] = random_formula(w, depth - 1);
    if (op <= 4) return goal_and(w->goals, kids, n);
    if (op == 5) return goal_or(w->goals, kids, n);
    if (op == 6) return goal_not(w->goals, kids[0]);
    return goal_one(w->goals, 0, kids, n, true);
}

/* Items at places, sizes, and "unique": what plain_array_read takes. */
static goal_id random_plain(struct world *w) {
    goal_id kids[8];
    size_t n = 0;
    for (uint64_t i = 0; i < 3; i++)
        if (below(w, 2))
            kids[n++] =
                goal_count_items(w->goals, i, i, goal_not(w->goals, random_item(w)), 1, false);
    if (below(w, 3))
        kids[n++] = goal_count_items(w->goals, below(w, 4), INDEX_UNBOUNDED,
                                     goal_not(w->goals, random_item(w)), 1, false);
    kids[n++] = goal_count_items(w->goals, 0, INDEX_UNBOUNDED, GOAL_TRUE, 1 + below(w, 3), true);
    if (below(w, 2))
        kids[n++] =
            goal_count_items(w->goals, 0, INDEX_UNBOUNDED, GOAL_TRUE, 2 + below(w, 3), false);
    goal_id unique = goal_unique(w->goals);
    kids[n++] = below(w, 4) ? unique : goal_not(w->goals, unique);
    return goal_and(w->goals, kids, n);
}

/* ---- open arrays ----------------------------------------------------------------------------- */

/* An array that holds some of the kids, and must go on as formula f says. */
struct open_array {
    struct world *w;
    struct solver *solver;
    const value_id *values;
    struct naive_context naive;
    const struct naive_value *before[3];
    value_set seen;
    goal_id f;
};

static bool hold(struct open_array *a, uint32_t kid) {
    a->seen = name_set_add(solver_name_sets(a->solver), a->seen, a->values[kid]);
    a->before[a->naive.n_before++] = a->w->kids.values[kid];
    return true;
}

static const struct naive_value *brute(const struct open_array *a) {
    for (uint32_t i = N_KIDS; i < a->w->arrays.n; i++)
        if (naive_holds(&a->naive, a->f, a->w->arrays.values[i])) return a->w->arrays.values[i];
    return NULL;
}

/* The witness with its items apart from those that are there. */
static const struct naive_value *continuation(const struct open_array *a, witness_id w) {
    struct item_list l = solver_items(a->solver, w, a->seen);
    struct naive_value v = {.type = TYPE_ARRAY};
    const struct naive_value *kids[64];
    witness_id item;
    while (v.n < 64 && (item = solver_item(a->solver, &l)) != WITNESS_NONE) {
        kids[v.n] = naive_from_witness(&a->w->stores, a->solver, item);
        if (!kids[v.n++]) return NULL;
    }
    if (l.failed || v.n == 64) return NULL;
    v.kids = arena_push_copy(&a->w->stores.arena, kids, v.n * sizeof *kids);
    return v.kids ? arena_push_copy(&a->w->stores.arena, &v, sizeof v) : NULL;
}

static void complain(const struct open_array *a) {
    fputs(" behind [", stderr);
    for (uint32_t i = 0; i < a->naive.n_before; i++) {
        naive_print(a->w->goals, a->before[i], stderr);
        fputc(' ', stderr);
    }
    fputs("] in ", stderr);
    goal_print(a->w->goals, a->f, stderr);
}

static bool check_array(struct open_array *a, enum sat_answer *answer, long counts[3]) {
    witness_id w = WITNESS_NONE;
    *answer = solver_array(a->solver, a->f, a->seen, &w);
    counts[*answer]++;
    const struct naive_value *v = NULL;
    bool ok = true;
    if (*answer == SAT_YES) {
        v = continuation(a, w);
        ok = CHECK(v != NULL) && CHECK(naive_holds(&a->naive, a->f, v));
    } else if (*answer == SAT_NO) {
        v = brute(a);
        ok = CHECK(v == NULL);
    }
    if (!ok) {
        if (v) naive_print(a->w->goals, v, stderr);
        complain(a);
    }
    return ok;
}

/* What is left of the formula when kid v is the next item, and what the demand says of v. */
static bool check_next(struct open_array *a, goal_id stepped, goal_id demand, uint32_t kid,
                       long counts[3]) {
    struct world *w = a->w;
    struct formula_variable variables[64];
    size_t n = formula_variables(w->goals, stepped, variables, 0, 64);
    goal_id goals[64];
    bool verdicts[64];
    if (!CHECK(n <= 64)) return false;
    struct naive_context inside = {.goals = w->goals, .deref = no_reference};
    for (size_t i = 0; i < n; i++) {
        goals[i] = variables[i].goal;
        verdicts[i] = naive_holds(&inside, goals[i], w->kids.values[kid]);
    }
    struct open_array next = *a;
    next.naive.before = next.before;
    next.f = formula_assign(w->goals, stepped, goals, verdicts, n);
    hold(&next, kid);
    enum sat_answer answer;
    bool ok = check_array(&next, &answer, counts);
    if (answer != SAT_LIMIT)
        ok &= CHECK_INT(naive_holds(&inside, demand, w->kids.values[kid]), answer == SAT_YES);
    if (!ok) {
        fputs("next ", stderr);
        naive_print(w->goals, w->kids.values[kid], stderr);
        fputs(", demand ", stderr);
        goal_print(w->goals, demand, stderr);
    }
    return ok;
}

static bool check_formula(struct world *w, bool general, goal_id f, const uint32_t *before,
                          uint32_t n_before, long counts[3]) {
    struct open_array a = {.w = w,
                           .solver = general ? w->general : w->solver,
                           .values = general ? w->general_values : w->values,
                           .f = f};
    a.naive = (struct naive_context){.goals = w->goals, .deref = no_reference, .before = a.before};
    for (uint32_t i = 0; i < n_before; i++) hold(&a, before[i]);
    enum sat_answer answer;
    bool ok = check_array(&a, &answer, counts);
    goal_id seen = value_set_goal(solver_values(a.solver), a.seen);
    goal_id stepped = formula_step_item(w->goals, f, seen);
    goal_id demand = solver_demand(a.solver, stepped, TYPE_ARRAY, a.seen);
    if (solver_was_limited(a.solver)) return ok;
    for (uint32_t i = 0; i < N_KIDS && ok; i++) ok = check_next(&a, stepped, demand, i, counts);
    if (!ok) {
        fputs(general ? "general way\n" : "direct way\n", stderr);
        complain(&a);
    }
    return ok;
}

static void test_formulas(uint64_t seed, int families, bool plain, long counts[3]) {
    bool ok = true;
    for (int family = 0; family < families && ok; family++) {
        struct world w;
        if (!(ok = open_world(&w, seed + (uint64_t)family))) break;
        for (int i = 0; i < 40 && ok; i++) {
            goal_id g = plain ? random_plain(&w) : random_formula(&w, 1 + below(&w, 3));
            goal_id f = goal_specialise(w.goals, g, TYPE_ARRAY);
            uint32_t before[2] = {below(&w, N_KIDS), below(&w, N_KIDS)}, n = below(&w, 3);
            ok = check_formula(&w, false, f, before, n, counts) &&
                 check_formula(&w, true, f, before, n, counts);
            if (!ok)
                fprintf(stderr, "formula %d of seed %llu\n", i,
                        (unsigned long long)seed + (unsigned long long)family);
        }
        ok &= CHECK(!w.stores.arena.failed);
        naive_stores_close(&w.stores);
    }
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static goal_id at_least(struct world *w, uint64_t n) {
    return goal_count_items(w->goals, 0, INDEX_UNBOUNDED, GOAL_TRUE, n, true);
}

static goal_id items_meet(struct world *w, uint64_t first, uint64_t last, goal_id g) {
    return goal_count_items(w->goals, first, last, goal_not(w->goals, g), 1, false);
}

/* The strings "e0".."e<n-1>", from the one numbered `first`. */
static goal_id numbered(struct world *w, unsigned first, unsigned n) {
    struct value_store *s = solver_values(w->solver);
    value_set set = VALUE_SET_EMPTY;
    for (unsigned i = first; i < first + n; i++) {
        char text[16];
        int length = snprintf(text, sizeof text, "e%u", i);
        set = name_set_add(solver_name_sets(w->solver), set, value_string(s, text, (size_t)length));
    }
    return value_set_goal(s, set);
}

static enum sat_answer ask(struct world *w, const goal_id *kids, size_t n, witness_id *id) {
    goal_id f = goal_specialise(w->goals, goal_and(w->goals, kids, n), TYPE_ARRAY);
    return solver_array(w->solver, f, VALUE_SET_EMPTY, id);
}

static void test_sizes(void) {
    struct world w;
    const uint64_t billion = 1000000000;
    if (!open_world(&w, 7)) return;
    goal_id unique = goal_unique(w.goals), string = goal_type(w.goals, TYPE_BIT(TYPE_STRING));
    goal_id strings = items_meet(&w, 0, INDEX_UNBOUNDED, string);
    witness_id id = WITNESS_NONE;
    /* Infinitely many: not unrolled; the items come one by one, each another one. */
    CHECK_INT(ask(&w, (const goal_id[]){unique, strings, at_least(&w, billion)}, 3, &id), SAT_YES);
    struct item_list l = solver_items(w.solver, id, VALUE_SET_EMPTY);
    CHECK_INT(l.n, billion);
    const char *texts[50];
    for (int i = 0; i < 50; i++) {
        const struct naive_value *v =
            naive_from_witness(&w.stores, w.solver, solver_item(w.solver, &l));
        if (!CHECK(v != NULL)) return;
        texts[i] = v->text;
        for (int j = 0; j < i; j++) CHECK(strcmp(texts[i], texts[j]) != 0);
    }
    /* And all equal. */
    goal_id not_unique = goal_not(w.goals, unique);
    CHECK_INT(ask(&w, (const goal_id[]){not_unique, strings, at_least(&w, billion)}, 3, &id),
              SAT_YES);
    /* Out of a thousand. */
    goal_id thousand = items_meet(&w, 0, INDEX_UNBOUNDED, numbered(&w, 0, 1000));
    CHECK_INT(ask(&w, (const goal_id[]){unique, thousand, at_least(&w, 900)}, 3, &id), SAT_YES);
    CHECK_INT(ask(&w, (const goal_id[]){unique, thousand, at_least(&w, 1000)}, 3, &id), SAT_YES);
    CHECK_INT(ask(&w, (const goal_id[]){unique, thousand, at_least(&w, 1001)}, 3, &id), SAT_NO);
    CHECK_INT(ask(&w, (const goal_id[]){unique, thousand, at_least(&w, billion)}, 3, &id), SAT_NO);
    /* Two hundred places that share their values, but the last of which is missing. */
    goal_id kids[202];
    for (unsigned i = 0; i < 200; i++) kids[i] = items_meet(&w, i, i, numbered(&w, 199 - i, 2));
    kids[200] = unique;
    kids[201] = at_least(&w, 200);
    CHECK_INT(ask(&w, kids, 202, &id), SAT_YES);
    kids[0] = items_meet(&w, 0, 0, numbered(&w, 199, 1));
    kids[1] = items_meet(&w, 1, 1, numbered(&w, 198, 1));
    kids[199] = items_meet(&w, 199, 199, numbered(&w, 1, 2));
    CHECK_INT(ask(&w, kids, 202, &id), SAT_NO);
    CHECK(!w.stores.arena.failed);
    naive_stores_close(&w.stores);
}

/* ---- whole texts ----------------------------------------------------------------------------- */

static struct forma_matcher *match(const char *schema, struct forma_grammar **g) {
    struct forma_error err = {0};
    *g = forma_grammar_from_json_schema(schema, strlen(schema), NULL, NULL, &err);
    struct forma_matcher *m = *g ? forma_matcher_new(*g, NULL, NULL, &err) : NULL;
    if (!CHECK(m != NULL)) fprintf(stderr, "%s\n", err.message);
    return m;
}

static bool accept(struct forma_matcher *m, const char *text) {
    return forma_matcher_accept_bytes(m, (const unsigned char *)text, strlen(text), NULL) ==
           FORMA_OK;
}

/* Long arrays of each kind of item; the first item does not come again. */
static void test_long_arrays(void) {
    static const char *const formats[] = {"\"text %d\"", "%d.5", "{\"id\":%d,\"tags\":[\"x\"]}",
                                          "[[%d],null]"};
    static const int lengths[] = {2000, 500, 100, 100};
    for (int f = 0; f < 4; f++) {
        struct forma_grammar *g;
        struct forma_matcher *m = match("{\"type\":\"array\",\"uniqueItems\":true}", &g);
        bool ok = m && CHECK(accept(m, "["));
        char item[80];
        for (int i = 0; i < lengths[f] && ok; i++) {
            snprintf(item, sizeof item, formats[f], i);
            ok = (i == 0 || CHECK(accept(m, ","))) && CHECK(accept(m, item));
        }
        snprintf(item, sizeof item, formats[f], 0);
        if (ok) {
            CHECK(accept(m, ","));
            CHECK(!accept(m, item) || !accept(m, "]"));
        }
        forma_matcher_free(m);
        forma_grammar_free(g);
    }
}

/* Completions of beginnings are in the form, whatever has been read. */
static void test_completions(void) {
    static const char *const schema =
        "{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":6,\"items\":{\"type\":[\"object\","
        "\"array\",\"string\",\"boolean\"],\"properties\":{\"k\":{\"enum\":[1,2]}},"
        "\"additionalProperties\":false,\"maxItems\":1,\"items\":{\"type\":\"null\"},\"maxLength\":"
        "1,"
        "\"pattern\":\"^[ab]?$\"}}";
    static const char *const begun[] = {"",
                                        "[",
                                        "[\"a",
                                        "[\"a\",",
                                        "[\"a\",\"",
                                        "[[",
                                        "[[],[",
                                        "[{",
                                        "[{},{",
                                        "[{},{\"k\":1},{",
                                        "[{\"k\":1},{\"k\"",
                                        "[\"\",\"a\",\"b\",true,false,[],[null],{},{"};
    struct forma_grammar *g;
    struct forma_matcher *m = match(schema, &g);
    static unsigned char text[4096];
    for (size_t i = 0; m && i < sizeof begun / sizeof *begun; i++) {
        forma_matcher_reset(m);
        if (!CHECK(accept(m, begun[i]))) continue;
        size_t n = forma_matcher_completion(m, text, sizeof text - 1);
        if (!CHECK(n < sizeof text)) continue;
        text[n] = '\0';
        bool ok = CHECK(accept(m, (const char *)text)) && CHECK(forma_matcher_accepts_end(m));
        if (!ok) fprintf(stderr, "%s%s\n", begun[i], text);
    }
    forma_matcher_free(m);
    forma_grammar_free(g);
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* Tokens that close a string and go on, some of them through the next items: what a walk leaves
 * open about the first of them decides the others. */
static struct forma_vocabulary *telling_vocabulary(void) {
    static const char *const texts[] = {"[",
                                        "]",
                                        "{",
                                        "}",
                                        ",",
                                        ":",
                                        "\"",
                                        "a",
                                        "b",
                                        "ab",
                                        "k",
                                        "1",
                                        "12",
                                        "\",\"",
                                        "\"]",
                                        "\"},",
                                        "a\",\"a\"",
                                        "a\",\"a",
                                        "a\",\"b\"",
                                        "b\",\"a\",\"b\"",
                                        "\",\"a",
                                        "\",\"\"",
                                        "\\u0061\",\"a\"",
                                        "a\",[\"a\"],\"a",
                                        "\"],[\"",
                                        "\"],[\"a\"],[\"",
                                        "a\"],[\"a\"]",
                                        "a\"],[\"a\",1]",
                                        "a\"},{\"k\":\"a\"}",
                                        "a\"},{\"k\":\"b\"}",
                                        "a\",\"l\":1},{\"k\":\"a\"",
                                        "a\",1,2,1",
                                        "a\",1,\"1\"",
                                        "a\",true,tr",
                                        "a\",null,null",
                                        "],[",
                                        "[]",
                                        "{}",
                                        "{\"k\":\"",
                                        "\"k\":",
                                        "\"l\":",
                                        "true",
                                        "null",
                                        "<end>"};
    enum { N = sizeof texts / sizeof *texts };
    const unsigned char *bytes[N];
    size_t lengths[N];
    uint32_t eos = N - 1;
    for (size_t i = 0; i < N; i++) {
        bytes[i] = (const unsigned char *)texts[i];
        lengths[i] = strlen(texts[i]);
    }
    return forma_vocabulary_from_bytes(bytes, lengths, NULL, N, &eos, 1, NULL, NULL);
}

/* A random walk; at each state the mask is what stepping every token gives. */
static bool walk(struct forma_matcher *m, size_t words, uint64_t *random) {
    uint32_t mask[4], slow[4];
    forma_matcher_reset(m);
    for (int step = 0; step < 12; step++) {
        if (!CHECK_INT(forma_matcher_mask(m, (int32_t *)mask, words, NULL), FORMA_OK)) return false;
        matcher_mask_slow(m, slow, words);
        if (!CHECK(memcmp(mask, slow, words * sizeof *mask) == 0)) {
            for (size_t i = 0; i < words * 32; i++)
                if ((mask[i / 32] ^ slow[i / 32]) >> i % 32 & 1)
                    fprintf(stderr, "token %zu of the list after %d tokens\n", i, step);
            return false;
        }
        uint32_t allowed[128], n = 0;
        for (uint32_t i = 0; i < words * 32; i++)
            if (mask[i / 32] >> i % 32 & 1) allowed[n++] = i;
        if (!n ||
            !CHECK_INT(forma_matcher_accept(m, allowed[test_below(random, n)], NULL), FORMA_OK))
            return n == 0;
    }
    return true;
}

static void test_masks(void) {
    static const char *const schemas[] = {
        "{\"type\":\"array\",\"uniqueItems\":true}",
        "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\"}}",
        "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"pattern\":\"^(a|b.*)$\"}}",
        "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"enum\":[\"a\",\"b\",\"ab\",1]}}",
        "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"anyOf\":[{\"enum\":[\"a\",\"b\"]},"
        "{\"type\":\"integer\"}]}}",
        "{\"type\":\"array\",\"uniqueItems\":true,\"prefixItems\":[{},{\"enum\":[\"a\",\"b\"]},{}]"
        "}",
        "{\"type\":\"array\",\"not\":{\"uniqueItems\":true},\"maxItems\":4}",
        "{\"type\":\"array\",\"uniqueItems\":true,\"maxItems\":3,\"items\":{\"type\":\"array\","
        "\"uniqueItems\":true}}",
        "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"object\"},\"minItems\":2}",
        "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"object\",\"properties\":{"
        "\"k\":"
        "{\"enum\":[\"a\",\"b\"]}},\"required\":[\"k\"],\"additionalProperties\":false}}",
        "{\"type\":\"array\",\"anyOf\":[{\"uniqueItems\":true},{\"maxItems\":2}]}",
        "{\"type\":\"array\",\"uniqueItems\":true,\"contains\":{\"const\":\"a\"}}"};
    struct forma_options o;
    forma_options_init(&o);
    o.style = forma_style_exact();
    struct forma_vocabulary *v = telling_vocabulary();
    uint64_t random = 99;
    for (size_t i = 0; v && i < sizeof schemas / sizeof *schemas; i++) {
        struct forma_error err = {0};
        struct forma_grammar *g =
            forma_grammar_from_json_schema(schemas[i], strlen(schemas[i]), v, &o, &err);
        struct forma_matcher *m = g ? forma_matcher_new(g, v, NULL, &err) : NULL;
        bool ok = CHECK(m != NULL);
        size_t words = ok ? forma_matcher_mask_words(m) : 0;
        for (int n = 0; n < 150 && ok; n++) ok = walk(m, words, &random);
        if (!ok) fprintf(stderr, "%s %s\n", schemas[i], err.message);
        forma_matcher_free(m);
        forma_grammar_free(g);
    }
    CHECK(v != NULL);
    forma_vocabulary_free(v);
}

int main(void) {
    long random[3] = {0}, plain[3] = {0};
    test_values();
    test_formulas(1000, 40, false, random);
    test_formulas(2000, 40, true, plain);
    if (getenv("VERBOSE"))
        printf("no/yes/limit: random %ld %ld %ld, plain %ld %ld %ld\n", random[0], random[1],
               random[2], plain[0], plain[1], plain[2]);
    test_sizes();
    test_long_arrays();
    test_completions();
    test_masks();
    return test_done("unique");
}
