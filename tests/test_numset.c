/* SPDX-License-Identifier: MIT
 *
 * Sets of numbers: normal forms, and which of them are infinite or what they list, against brute
 * force over a period of all divisors.
 */
#include "tests/lib_naive_number.h"
#include "tests/test.h"

#define ARENA ((size_t)1 << 30)

struct fixture {
    struct arena a;
    struct number_store *s;
};

static void setup(struct fixture *f, bool any, const char *missing) {
    bool alphabet[256];
    for (int i = 0; i < 256; i++) alphabet[i] = !i || !strchr(missing, i);
    CHECK(arena_init(&f->a, NULL, ARENA));
    f->s = number_store_new(&f->a, alphabet, any);
}

static struct decimal dec(struct fixture *f, const char *text) {
    struct decimal d = {0};
    CHECK_INT(decimal_parse(&f->a, text, strlen(text), &d), DECIMAL_OK);
    return d;
}

static int compare_decimals(const void *a, const void *b) {
    return decimal_compare(a, b);
}

static void test_sets(void) {
    struct fixture f;
    setup(&f, false, "");
    CHECK_INT(naive_number_parse(f.s, &f.a, ">=3 >5"), naive_number_parse(f.s, &f.a, ">5"));
    CHECK_INT(naive_number_parse(f.s, &f.a, ">=3 <=3"), naive_number_parse(f.s, &f.a, "=3"));
    CHECK_INT(naive_number_parse(f.s, &f.a, ">3 <=3"), NUMSET_NONE);
    CHECK_INT(naive_number_parse(f.s, &f.a, "*4 *6"), naive_number_parse(f.s, &f.a, "*12"));
    CHECK_INT(naive_number_parse(f.s, &f.a, "*4 !*2"), NUMSET_NONE);
    CHECK_INT(naive_number_parse(f.s, &f.a, "=5 >=6"), NUMSET_NONE);
    numset_id either[2] = {naive_number_parse(f.s, &f.a, "<3"),
                           naive_number_parse(f.s, &f.a, ">=3")};
    CHECK_INT(numset_or(f.s, either, 2), NUMSET_ALL);
    either[0] = naive_number_parse(f.s, &f.a, "=1");
    either[1] = naive_number_parse(f.s, &f.a, "=2");
    struct decimal both[] = {dec(&f, "2.0"), dec(&f, "1"), dec(&f, "1e0")};
    CHECK_INT(numset_or(f.s, either, 2), numset_values(f.s, both, 3));
    CHECK_INT(numset_and(f.s, NULL, 0), NUMSET_ALL);
    CHECK_INT(numset_or(f.s, NULL, 0), NUMSET_NONE);
    CHECK_INT(numset_values(f.s, NULL, 0), NUMSET_NONE);
    CHECK_INT(naive_number_parse(f.s, &f.a, "w"),
              naive_number_parse(f.s, &f.a, "*1")); /* `plain` writes no 1.0 */
    arena_destroy(&f.a);
    setup(&f, true, "");
    CHECK(naive_number_parse(f.s, &f.a, "w") != naive_number_parse(f.s, &f.a, "*1"));
    CHECK_INT(naive_number_parse(f.s, &f.a, "w *1"), naive_number_parse(f.s, &f.a, "w"));
    CHECK_INT(naive_number_parse(f.s, &f.a, "w *0.25"), naive_number_parse(f.s, &f.a, "w"));
    CHECK_INT(naive_number_parse(f.s, &f.a, "w !*1"), NUMSET_NONE);
    CHECK_INT(naive_number_parse(f.s, &f.a, "w !w"), NUMSET_NONE);
    CHECK_INT(naive_number_parse(f.s, &f.a, "w =1.5"), NUMSET_NONE);
    CHECK_INT(naive_number_parse(f.s, &f.a, "!w =1.5"), naive_number_parse(f.s, &f.a, "=1.5"));
    either[0] = naive_number_parse(f.s, &f.a, "w");
    either[1] = naive_number_parse(f.s, &f.a, "!w");
    CHECK_INT(numset_or(f.s, either, 2), NUMSET_ALL);
    either[1] = naive_number_parse(f.s, &f.a, "*1");
    CHECK_INT(numset_or(f.s, either, 2), naive_number_parse(f.s, &f.a, "*1"));
    numset_id spellings[2];
    CHECK_INT(numset_spellings(f.s, spellings), 2);
    CHECK_INT(spellings[0], naive_number_parse(f.s, &f.a, "w"));
    arena_destroy(&f.a);
    setup(&f, true, ".eE");
    CHECK_INT(numset_spellings(f.s, spellings), 1);
    CHECK_INT(spellings[0], NUMSET_ALL);
    CHECK_INT(naive_number_parse(f.s, &f.a, "w"), NUMSET_ALL);
    arena_destroy(&f.a);
}

static void test_finite(void) {
    static const struct {
        const char *goal, *missing;
        size_t capacity;
        enum numset_answer more;
        long count;
        const char *first, *last; /* after sorting */
    } cases[] = {
        {"*1 >=1 <=5", "", 10, NUMSET_NO, 5, "1", "5"},
        {"*1 >=1 <=5", "", 5, NUMSET_NO, 5, "1", "5"},
        {"*1 >=1 <=5", "", 4, NUMSET_YES, 4, "1", "5"},
        {"*1 >=1 <=1e9", "", 3, NUMSET_YES, 3, "1", "1000000000"},
        {"*1.5 >-3 <=3", "", 10, NUMSET_NO, 4, "-1.5", "3"},
        {"*1 >=0", "", 10, NUMSET_YES, 0, "", ""},
        {">=0 <=1", "", 10, NUMSET_YES, 0, "", ""},
        {">=2 <=2", "", 10, NUMSET_NO, 1, "2", "2"},
        {"*0.1 >=0.5 <=0.7", "", 10, NUMSET_NO, 3, "0.5", "0.7"},
        {"*0.1 >=0.5 <=1.7", ".", 10, NUMSET_NO, 1, "1", "1"},
        {"*1 !*2 >=-3 <=3", "", 10, NUMSET_NO, 4, "-3", "3"},
        {"*1 >=-2 <=2", "-", 10, NUMSET_NO, 3, "0", "2"},
        {"*1 >=-2 <=2", "1", 10, NUMSET_NO, 3, "-2", "2"},
        {"*1 >=-2", "1", 10, NUMSET_LIMIT, 0, "", ""},
        {"*1 >1 <2", "", 10, NUMSET_NO, 0, "", ""},
        {"*1 <=0", "-", 10, NUMSET_NO, 1, "0", "0"},
        {"w >=-1.5 <=2", "", 10, NUMSET_NO, 4, "-1", "2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct decimal values[10];
        enum numset_answer more;
        uint64_t work = 0;
        char text[32];
        setup(&f, false, cases[i].missing);
        size_t n = numset_enumerate(f.s, naive_number_parse(f.s, &f.a, cases[i].goal), values,
                                    cases[i].capacity, &more, &work, 1000000);
        CHECK_INT(more, cases[i].more);
        CHECK_INT(n, cases[i].count);
        if (n > 0) {
            qsort(values, n, sizeof *values, compare_decimals);
            decimal_print(&values[0], text, sizeof text);
            CHECK_STR(text, cases[i].first);
            decimal_print(&values[n - 1], text, sizeof text);
            CHECK_STR(text, cases[i].last);
        }
        arena_destroy(&f.a);
    }
}

struct listing {
    struct number_store *s;
    const struct naive_numset *set;
    bool any;
    uint64_t seed;
    bool failed;
};

static void complain(struct listing *t, const char *what) {
    if (t->failed) return; /* one complaint a set */
    t->failed = true;
    fprintf(stderr, "seed %llu, %s: %s\n", (unsigned long long)t->seed, t->any ? "any" : "plain",
            what);
}

/* ---- finite sets ---------------------------------------------------------------------------- */

/* Does some spelling of v lie in the set? */
static bool has(const struct listing *t, struct naive_decimal v) {
    struct naive_decimal one = {1, 0};
    const struct naive_numset integer = {.op = NAIVE_MULTIPLE, .c = {one}};
    struct naive_number text = {v, false};
    bool whole = naive_number_holds(&integer, &text);
    if ((t->any || !whole) && naive_number_holds(t->set, &text)) return true;
    text.whole = true;
    return whole && naive_number_holds(t->set, &text);
}

/* One period of all divisors beyond the constants tells what follows, and a point of no divisor in
 * each gap tells the gaps. */
static bool oracle_is_infinite(const struct listing *t) {
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 1; i <= 2100 * 20; i++)
            if (has(t, (struct naive_decimal){sign * (100000 + (naive_int)i * 5), -2})) return true;
        for (size_t i = 0; i < NAIVE_CONSTANTS; i++) {
            struct naive_decimal v = {
                naive_constants[i].m * naive_power10(naive_constants[i].e + 9) + sign * 1003, -9};
            if (has(t, v)) return true;
        }
    }
    return false;
}

/* Every candidate is listed iff the oracle has it, and nothing else is listed. */
static void check_list(struct listing *t, struct arena *a, struct decimal *list, size_t n) {
    size_t found = 0;
    if (n) qsort(list, n, sizeof *list, compare_decimals);
    for (size_t i = 1; i < n; i++)
        if (decimal_compare(&list[i - 1], &list[i]) == 0) complain(t, "listed twice");
    for (int i = -20000; i <= 20000; i++) {
        struct naive_decimal v = {(naive_int)i * 5, -2};
        if (!has(t, v)) continue;
        struct decimal d = naive_number_decimal(a, v);
        found++;
        if (!n || !bsearch(&d, list, n, sizeof *list, compare_decimals)) complain(t, "not listed");
    }
    for (size_t i = 0; i < NAIVE_CONSTANTS; i++) {
        struct naive_decimal v = naive_constants[i];
        if (v.e >= -2 && v.m * naive_power10(v.e + 2) % 5 == 0) continue; /* seen above */
        struct decimal d = naive_number_decimal(a, v);
        bool listed = n && bsearch(&d, list, n, sizeof *list, compare_decimals);
        found += listed;
        if (listed != has(t, v)) complain(t, "a constant listed wrongly");
    }
    if (found != n) complain(t, "something is listed that is not in the set");
}

static void test_lists(uint64_t seed) {
    enum { MOST = 50000, FEW = 7 };
    struct decimal *list = malloc(2 * MOST * sizeof *list), *few = list + MOST;
    long finite = 0, infinite = 0, limits = 0;
    for (int i = 0; i < 400; i++, seed++) {
        struct arena a;
        uint64_t r = seed, work = 0;
        bool alphabet[256];
        struct listing t = {.any = i & 1, .seed = seed};
        if (!CHECK(arena_init(&a, NULL, ARENA))) return;
        memset(alphabet, true, sizeof alphabet);
        t.s = number_store_new(&a, alphabet, t.any);
        t.set = naive_number_random(&a, &r, 4);
        numset_id id = naive_number_build(t.s, &a, t.set);
        enum numset_answer answer = numset_is_infinite(t.s, id, &work, 1000000), more;
        size_t n = numset_enumerate(t.s, id, list, MOST, &more, &work, 10000000);
        if (answer == NUMSET_LIMIT || more == NUMSET_LIMIT) {
            limits++;
        } else if (answer == NUMSET_YES) {
            infinite++;
            if (more != NUMSET_YES || n) complain(&t, "an infinite set is listed");
            if (!oracle_is_infinite(&t)) complain(&t, "not infinite");
        } else {
            finite++;
            if (more != NUMSET_NO) complain(&t, "the list has no end");
            if (oracle_is_infinite(&t)) complain(&t, "infinite");
            size_t m = numset_enumerate(t.s, id, few, FEW, &more, &work, 10000000);
            if (m != (n < FEW ? n : FEW) || more != (n > FEW ? NUMSET_YES : NUMSET_NO))
                complain(&t, "the beginning of the list has another length");
            for (size_t j = 0; j < m; j++)
                if (decimal_compare(&few[j], &list[j])) complain(&t, "another order");
            check_list(&t, &a, list, n);
        }
        test_result(!t.failed);
        arena_destroy(&a);
    }
    free(list);
    printf("%ld finite, %ld infinite sets, %ld limits\n", finite, infinite, limits);
}

/* Many multiples at once: what they imply is not tried out. */
static void test_many_multiples(void) {
    static const unsigned primes[30] = {2,  3,  5,  7,  11, 13,  17,  19,  23,  29,
                                        31, 37, 41, 43, 47, 53,  59,  61,  67,  71,
                                        73, 79, 83, 89, 97, 101, 103, 107, 109, 113};
    static const struct {
        const char *bounds;
        enum numset_answer none, pairs; /* no multiple of a prime; one of each pair of primes */
    } cases[] = {
        {"*1 >=2 <=112", NUMSET_NO, NUMSET_NO},
        {"*1 >=2 <=127", NUMSET_YES, NUMSET_NO},
        {"*1 >=2 <=1e6", NUMSET_YES, NUMSET_NO},
        {"*1 >=2", NUMSET_YES, NUMSET_YES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        uint64_t work = 0;
        numset_id multiple[30], none[31], pairs[16], same[64];
        setup(&f, i & 1, "");
        for (size_t j = 0; j < 30; j++) {
            struct decimal p = naive_number_decimal(&f.a, (struct naive_decimal){primes[j], 0});
            multiple[j] = numset_multiple_of(f.s, &p);
            none[j] = numset_not(f.s, multiple[j]);
        }
        for (size_t j = 0; j < 15; j++) pairs[j] = numset_or(f.s, multiple + 2 * j, 2);
        none[30] = pairs[15] = naive_number_parse(f.s, &f.a, cases[i].bounds);
        numset_id id = numset_and(f.s, none, 31);
        CHECK_INT(numset_has_value(f.s, id, &work, 100000), cases[i].none);
        id = numset_and(f.s, pairs, 16);
        CHECK_INT(numset_has_value(f.s, id, &work, 100000), cases[i].pairs);
        for (size_t j = 0; j < 64; j++)
            same[j] = naive_number_parse(f.s, &f.a, j & 1 ? "*1" : "*0.01");
        CHECK_INT(numset_and(f.s, same, 64), same[1]);
        arena_destroy(&f.a);
    }
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    test_sets();
    test_finite();
    test_many_multiples();
    test_lists(seed);
    return test_done("numset");
}
