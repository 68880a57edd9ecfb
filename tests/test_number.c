/* SPDX-License-Identifier: MIT
 *
 * The number machine against brute force: every short text, judged by scaled 128-bit arithmetic
 * that shares nothing with the code under test. Live states are checked through their witness,
 * dead ones through all texts: a text that the oracle accepts must have no dead prefix.
 */
#include "automaton/number.h"
#include "tests/test.h"

__extension__ typedef __int128 i128;

#define MAX_GOALS 3
#define ARENA     ((size_t)1 << 30)

/* ---- the oracle ----------------------------------------------------------------------------- */

struct value {
    i128 m;
    int e;
};

enum { OP_GE, OP_GT, OP_MULTIPLE, OP_IN, OP_AND, OP_OR, OP_NOT };

struct expr {
    int op;
    struct value c[3];
    int n; /* of c (IN) */
    const struct expr *kids[2];
};

static i128 power10(int n) {
    i128 p = 1;
    while (n-- > 0) p *= 10;
    return p;
}

static int compare(struct value a, struct value b) {
    i128 x = a.m, y = b.m;
    if (a.e > b.e)
        x *= power10(a.e - b.e);
    else
        y *= power10(b.e - a.e);
    return (x > y) - (x < y);
}

static bool holds(const struct expr *x, struct value v) {
    switch (x->op) {
    case OP_GE: return compare(v, x->c[0]) >= 0;
    case OP_GT: return compare(v, x->c[0]) > 0;
    case OP_MULTIPLE: {
        i128 a = v.m, m = x->c[0].m;
        if (v.e > x->c[0].e)
            a *= power10(v.e - x->c[0].e);
        else
            m *= power10(x->c[0].e - v.e);
        return a % m == 0;
    }
    case OP_IN:
        for (int i = 0; i < x->n; i++)
            if (compare(v, x->c[i]) == 0) return true;
        return false;
    case OP_AND: return holds(x->kids[0], v) && holds(x->kids[1], v);
    case OP_OR: return holds(x->kids[0], v) || holds(x->kids[1], v);
    default: return !holds(x->kids[0], v);
    }
}

/* Reads a text of the style. 0: no beginning of a number, 1: beginning only, 2: a number. */
static int scan(const char *t, bool any, struct value *v) {
    const char *p = t;
    bool negative = *p == '-';
    i128 m = 0;
    int e = 0, digits = 0;
    if (negative) p++;
    if (!*p) return 1;
    if (*p < '0' || *p > '9') return 0;
    if (*p == '0')
        p++;
    else
        for (; *p >= '0' && *p <= '9'; p++, digits++) m = m * 10 + (*p - '0');
    bool whole = true, trailing_zero = false;
    if (*p == '.') {
        whole = false;
        p++;
        if (!*p) return 1;
        if (*p < '0' || *p > '9') return 0;
        for (; *p >= '0' && *p <= '9'; p++, e--) {
            m = m * 10 + (*p - '0');
            trailing_zero = *p == '0';
        }
    }
    if (any && (*p == 'e' || *p == 'E')) {
        p++;
        int sign = 1, x = 0;
        if (*p == '+' || *p == '-') sign = *p++ == '-' ? -1 : 1;
        if (!*p) return 1;
        if (*p < '0' || *p > '9') return 0;
        for (; *p >= '0' && *p <= '9'; p++)
            if (x < 100000000) x = x * 10 + (*p - '0');
        e += sign * x;
    }
    if (*p) return 0;
    /* Constants are small: exponents past these bounds answer every question alike. */
    v->m = negative ? -m : m;
    v->e = m == 0 ? 0 : e > 22 ? 22 : e < -22 ? -22 : e;
    if (!any && (trailing_zero || (negative && whole && m == 0))) return 1;
    return 2;
}

/* ---- making the same sets twice ------------------------------------------------------------- */

static struct decimal to_decimal(struct arena *a, struct value v) {
    char text[64];
    struct decimal d = {0};
    snprintf(text, sizeof text, "%llde%d", (long long)v.m, v.e);
    decimal_parse(a, text, strlen(text), &d);
    return d;
}

static numset_id build(struct number_store *s, struct arena *a, const struct expr *x) {
    struct decimal d[3];
    numset_id kids[2];
    for (int i = 0; i < 3; i++) d[i] = to_decimal(a, x->c[i]);
    for (int i = 0; i < 2; i++)
        if (x->kids[i]) kids[i] = build(s, a, x->kids[i]);
    switch (x->op) {
    case OP_GE: return numset_at_least(s, &d[0]);
    case OP_GT: return numset_above(s, &d[0]);
    case OP_MULTIPLE: return numset_multiple_of(s, &d[0]);
    case OP_IN: return numset_values(s, d, (size_t)x->n);
    case OP_AND: return numset_and(s, kids, 2);
    case OP_OR: return numset_or(s, kids, 2);
    default: return numset_not(s, kids[0]);
    }
}

static const struct value constants[] = {
    {0, 0},  {1, 0},   {2, 0},  {5, 0},   {7, 0},    {10, 0},   {12, 0},    {13, 0},   {20, 0},
    {99, 0}, {100, 0}, {1, 3},  {5, -1},  {1, -1},   {125, -2}, {1, -2},    {333, -2}, {19, -1},
    {-1, 0}, {-5, -1}, {-3, 0}, {-12, 0}, {-100, 0}, {123, 0},  {1005, -1}, {1, -3},   {-125, -2}};
static const struct value divisors[] = {{1, 0},  {2, 0},   {3, 0},  {7, 0},  {5, -1}, {25, -2},
                                        {10, 0}, {15, -1}, {3, -1}, {1, -1}, {1, 2},  {12, 0}};

#define PICK(array, r) ((array)[test_below((r), (uint32_t)(sizeof(array) / sizeof *(array)))])

static const struct expr *random_expr(struct arena *a, uint64_t *r, int depth) {
    struct expr *x = arena_push(a, sizeof *x);
    uint32_t k = test_below(r, depth ? 12 : 6);
    if (k < 2)
        x->op = (int)k;
    else if (k < 5)
        x->op = OP_MULTIPLE;
    else if (k < 6)
        x->op = OP_IN;
    else if (k < 10)
        x->op = OP_AND;
    else
        x->op = k == 10 ? OP_OR : OP_NOT;
    x->n = 1 + (int)test_below(r, 3);
    for (int i = 0; i < 3; i++)
        x->c[i] = x->op == OP_MULTIPLE ? PICK(divisors, r) : PICK(constants, r);
    if (x->op >= OP_AND) x->kids[0] = random_expr(a, r, depth - 1);
    if (x->op == OP_AND || x->op == OP_OR) x->kids[1] = random_expr(a, r, depth - 1);
    return x;
}

/* ---- walking all texts ---------------------------------------------------------------------- */

struct trial {
    struct number_store *s;
    const struct expr *goals[MAX_GOALS];
    size_t n_goals;
    bool any;
    const char *bytes; /* that are tried, and written if `strict` */
    int max_length;
    uint64_t seed;
    long texts, limited;
    bool failed;
};

static void complain(struct trial *t, const char *text, const char *what) {
    if (t->failed) return; /* one complaint a trial */
    t->failed = true;
    test_failed++;
    fprintf(stderr, "seed %llu, %s, text \"%s\": %s\n", (unsigned long long)t->seed,
            t->any ? "any" : "plain", text, what);
}

static void check_witness(struct trial *t, const char *prefix, number_state state) {
    char text[160];
    size_t n = strlen(prefix);
    struct value v;
    bool limited = false;
    memcpy(text, prefix, n + 1);
    for (int byte; (byte = number_witness_byte(t->s, state)) >= 0;) {
        if (n + 1 >= sizeof text) {
            complain(t, text, "a witness without end");
            return;
        }
        text[n++] = (char)byte;
        text[n] = '\0';
        state = number_step(t->s, state, (unsigned char)byte, &limited);
        if (!state || limited) {
            complain(t, text, "the witness dies");
            return;
        }
    }
    if (n > 24) return; /* too long for the oracle */
    if (scan(text, t->any, &v) != 2 || !holds(t->goals[0], v))
        complain(t, text, "the witness is wrong");
}

/* Does some text that begins so, within max_length, lie in goal 0? Also checks everything. */
static void explore(struct trial *t, char *text, int length, number_state state) {
    struct value v;
    int kind = scan(text, t->any, &v);
    if (length && !kind) {
        if (state) complain(t, text, "live, but no number begins so");
        return;
    }
    bool in = kind == 2 && holds(t->goals[0], v);
    t->texts++;
    if (in != (state && number_may_end(t->s, state)))
        complain(t, text, in ? "refused" : "accepted");
    if (in && state)
        for (size_t i = 0; i < t->n_goals; i++)
            if (number_verdict(t->s, state, i) != holds(t->goals[i], v))
                complain(t, text, "wrong verdict");
    if (state) check_witness(t, text, state);
    if (length == t->max_length || t->failed) return;
    for (const char *b = t->bytes; *b; b++) {
        bool limited = false;
        number_state next =
            state ? number_step(t->s, state, (unsigned char)*b, &limited) : NUMBER_DEAD;
        if (limited) {
            t->limited++;
            continue;
        }
        text[length] = *b;
        text[length + 1] = '\0';
        explore(t, text, length + 1, next);
        text[length] = '\0';
    }
}

static void run_trial(uint64_t seed, bool any, bool strict, const char *bytes, int max_length,
                      long *texts, long *limited) {
    struct arena a;
    uint64_t r = seed;
    bool alphabet[256];
    char text[16] = "";
    struct trial t = {.any = any, .bytes = bytes, .max_length = max_length, .seed = seed};
    if (!CHECK(arena_init(&a, NULL, ARENA))) return;
    for (int i = 0; i < 256; i++) alphabet[i] = !strict || (i && strchr(bytes, i));
    t.s = number_store_new(&a, alphabet, any);
    t.n_goals = 1 + test_below(&r, MAX_GOALS);
    numset_id ids[MAX_GOALS];
    for (size_t i = 0; i < t.n_goals; i++) {
        t.goals[i] = random_expr(&a, &r, 3);
        ids[i] = build(t.s, &a, t.goals[i]);
    }
    explore(&t, text, 0, number_begin(t.s, ids, t.n_goals));
    if (a.failed) complain(&t, "", "out of memory");
    test_result(!t.failed);
    *texts += t.texts;
    *limited += t.limited;
    arena_destroy(&a);
}

static void test_brute_force(uint64_t seed) {
    static const struct {
        bool any, strict;
        const char *bytes;
        int max_length, trials;
    } runs[] = {
        {false, false, "-0123456789.eE+", 4, 60}, {true, false, "-0123456789.eE+", 4, 60},
        {false, false, "-0157.", 6, 60},          {true, false, "-0125.e+", 5, 80},
        {false, true, "-0123456789", 4, 30},      {true, true, "-0123456789e", 4, 30},
        {true, true, "0123456789.e", 4, 30},      {false, true, "01579.-", 5, 30},
    };
    long texts = 0, limited = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (int j = 0; j < runs[i].trials; j++)
            run_trial(seed++, runs[i].any, runs[i].strict, runs[i].bytes, runs[i].max_length,
                      &texts, &limited);
    printf("%ld texts, %ld limits\n", texts, limited);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    test_brute_force(seed);
    return test_done("number");
}
