/* SPDX-License-Identifier: MIT
 *
 * The number machine against brute force: every short text, judged by lib_naive_number. Live states are checked through their witness,
 * dead ones through all texts: a text that the oracle accepts must have no dead prefix.
 */
#include "tests/lib_naive_number.h"
#include "tests/test.h"

#define MAX_GOALS 3
#define ARENA     ((size_t)1 << 30)

/* ---- the oracle ----------------------------------------------------------------------------- */

/* Reads a text of the style. 0: no beginning of a number, 1: beginning only, 2: a number. */
static int scan(const char *t, bool any, struct naive_number *out) {
    const char *p = t;
    bool negative = *p == '-';
    naive_int m = 0;
    int e = 0, digits = 0;
    if (negative) p++;
    if (!*p) return 1;
    if (*p < '0' || *p > '9') return 0;
    if (*p == '0')
        p++;
    else
        for (; *p >= '0' && *p <= '9'; p++, digits++) m = m * 10 + (*p - '0');
    bool trailing_zero = false;
    out->whole = true;
    if (*p == '.') {
        out->whole = false;
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
        out->whole = false;
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
    out->v.m = negative ? -m : m;
    out->v.e = m == 0 ? 0 : e > 22 ? 22 : e < -22 ? -22 : e;
    if (!any && (trailing_zero || (negative && out->whole && m == 0))) return 1;
    return 2;
}

/* Can the oracle judge it without overflow (and was no exponent cut that matters)? */
static bool fits(struct naive_decimal v) {
    naive_int m = v.m < 0 ? -v.m : v.m;
    return m < naive_power10(12) || (m < naive_power10(24) && v.e > -12 && v.e < 10);
}

/* ---- walking all texts ---------------------------------------------------------------------- */

struct trial {
    struct number_store *s;
    const struct naive_numset *goals[MAX_GOALS];
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
    struct naive_number v;
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
    if (n > 30) return; /* too long for the oracle */
    if (scan(text, t->any, &v) != 2)
        complain(t, text, "the witness is no number");
    else if (fits(v.v) && !naive_number_holds(t->goals[0], &v))
        complain(t, text, "the witness is wrong");
}

/* `free`: so many digits, the last of the text included, were to keep it alive. */
static void check_free_digits(struct trial *t, const char *text, int length, number_state state,
                              unsigned free) {
    if (length && free && !state && text[length - 1] >= '0' && text[length - 1] <= '9')
        complain(t, text, "dead behind digits that were to be free");
}

/* Does some text that begins so, within max_length, lie in goal 0? Also checks everything. */
static void explore(struct trial *t, char *text, int length, number_state state, unsigned free) {
    check_free_digits(t, text, length, state, free);
    if (free) free--;
    if (state) {
        unsigned own = number_free_digits(t->s, state);
        if (own > free) free = own;
    }
    struct naive_number v;
    int kind = scan(text, t->any, &v);
    if (length && !kind) {
        if (state) complain(t, text, "live, but no number begins so");
        return;
    }
    bool in = kind == 2 && naive_number_holds(t->goals[0], &v);
    t->texts++;
    if (in != (state && number_may_end(t->s, state)))
        complain(t, text, in ? "refused" : "accepted");
    if (in && state)
        for (size_t i = 0; i < t->n_goals; i++)
            if (number_verdict(t->s, state, i) != naive_number_holds(t->goals[i], &v))
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
        explore(t, text, length + 1, next, *b >= '0' && *b <= '9' ? free : 0);
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
        t.goals[i] = naive_number_random(&a, &r, 3);
        ids[i] = naive_number_build(t.s, &a, t.goals[i]);
    }
    bool gave_up = false;
    number_state start = number_begin(t.s, ids, t.n_goals, &gave_up);
    if (gave_up)
        t.limited++;
    else
        explore(&t, text, 0, start, 0);
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
        {false, false, "-0123456789.eE+", 4, 60},
        {true, false, "-0123456789.eE+", 4, 60},
        {false, false, "-0157.", 6, 60},
        {true, false, "-0125.e+", 5, 80},
        {false, true, "-0123456789", 4, 30},
        {true, true, "-0123456789e", 4, 30},
        {false, false, "-17.", 8, 30},
        {true, false, "01e-", 8, 40},
        {true, false, "-07.e", 7, 20},
        {true, true, "0123456789.e", 4, 30},
        {false, true, "01579.-", 5, 30},
    };
    long texts = 0, limited = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (int j = 0; j < runs[i].trials; j++)
            run_trial(seed++, runs[i].any, runs[i].strict, runs[i].bytes, runs[i].max_length,
                      &texts, &limited);
    printf("%ld texts\n", texts);
    CHECK_INT(limited, 0);
}

/* ---- chosen cases --------------------------------------------------------------------------- */

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

static number_state read(struct fixture *f, const char *goal, const char *text) {
    numset_id id = naive_number_parse(f->s, &f->a, goal);
    bool limited = false, gave_up = false; /* a missing digit can make the first search endless */
    number_state state = number_begin(f->s, &id, 1, &gave_up);
    for (; state && *text; text++) state = number_step(f->s, state, (unsigned char)*text, &limited);
    CHECK(!limited);
    return state;
}

/* 'd'ead, 'l'ive, 'e'nd allowed. */
static char judge(struct fixture *f, const char *goal, const char *text) {
    number_state state = read(f, goal, text);
    if (!state) return 'd';
    return number_may_end(f->s, state) ? 'e' : 'l';
}

static void test_verdicts(void) {
    static const struct {
        const char *goal, *text, *missing;
        char plain, any;
    } cases[] = {
        {"*7 <=13", "1", "", 'd', 'd'},
        {"*7 <=13", "7", "", 'e', 'e'},
        {"*7 <=13", "0.7", "", 'd', 'l'},
        {"*7 <=13", "-1", "", 'l', 'l'},
        {"=9007199254740993", "900719925474099", "", 'l', 'l'},
        {"=9007199254740993", "9007199254740993", "", 'e', 'e'},
        {"=9007199254740993", "9007199254740992", "", 'd', 'd'},
        {">=9007199254740993", "9007199254740992", "", 'l', 'l'},
        {"=18446744073709551616", "18446744073709551616", "", 'e', 'e'},
        {"*0.1", "0.3", "", 'e', 'e'},
        {"*0.1", "0.30", "", 'd', 'e'},
        {"*0.1", "0.31", "", 'd', 'l'},
        {"*0.01 >0.03 <0.05", "0.04", "", 'e', 'e'},
        {"*1e-300 >0 <1e-299", "0.0", "", 'l', 'l'},
        {">=1e400", "1", "", 'l', 'l'},
        {">=1e400", "0", "", 'd', 'l'},
        {"=1", "1.0", "", 'd', 'e'},
        {"=1", "1e0", "", 'd', 'e'},
        {"=1", "1000e-3", "", 'd', 'e'},
        {"=1", "0.00001e5", "", 'd', 'e'},
        {"=1", "0.00001e6", "", 'd', 'd'},
        {">=0", "-", "", 'd', 'l'}, /* -0 */
        {">=0", "-0", "", 'd', 'e'},
        {">0", "-", "", 'd', 'd'},
        {"*1 >=0", "12", "", 'e', 'e'},
        {"*1 >=0", "12.", "", 'd', 'l'},
        {"*1", "1.5e", "", 'd', 'l'},
        {"*1", "1.5e0", "", 'd', 'l'}, /* leading zeros: 1.5e01 */
        {"*1", "1.5e-", "", 'd', 'd'},
        {"*1 >=0", "1e99999999999999999999999999999999", "", 'd', 'e'},
        {"<=100", "1e99999999999999999999999999999999", "", 'd', 'd'},
        {"<=100", "1e-99999999999999999999999999999999", "", 'd', 'e'},
        {"*1 <=100", "1e-99999999999999999999999999999999", "", 'd', 'd'},
        {"*1 <=100", "0e99999999999999999999999999999999", "", 'd', 'e'},
        {">1 <2 *1", "", "", 'd', 'd'},
        {"*1 !*2 !*3 >=2 <=4", "", "", 'd', 'd'},
        {"*1 !*2 !*3 >=2 <=5", "", "", 'l', 'l'},
        {"<0", "", "-", 'd', 'd'},
        {">0 <1", "", ".", 'd', 'l'},
        {">0 <1", "", ".e", 'd', 'l'}, /* E is left */
        {">0 <1", "", ".eE", 'd', 'd'},
        {"=7", "", "7", 'd', 'd'},
        {"*1 >=70 <=80", "", "7", 'l', 'l'},
        {"*1 >=70 <80", "", "7", 'd', 'd'}, /* 70 has no other first digit */
        {">=1e1000000", "5", "", '?', 'l'},
        {">=1e1000000 *7", "5", "", '?', 'l'},
        {">1 <=1.0000000001", "1.0000000000", "", 'l', 'l'},
        {">1 <=1.0000000001", "1.00000000001", "", 'e', 'e'},
        {">1", "1.000000", "", 'l', 'l'},
        {">0", "1E5", "e", 'd', 'e'},
        {">0", "1e5", "e", 'd', 'd'},
        {">0", "1E5", "E", 'd', 'd'},
        {">0", "1e+5", "+", 'd', 'd'},
        {"=100", "1", "", 'l', 'l'},
        {"=100", "10", "", 'l', 'l'},
        {"=100", "2", "", 'd', 'd'},
        {"w", "12", "", 'e', 'e'},
        {"w", "-0", "", 'd', 'e'},
        {"w", "12.", "", 'd', 'd'},
        {"w", "1e", "", 'd', 'd'},
        {"w", "0.", "", 'd', 'd'},
        {"!w", "1", "", 'l', 'l'},
        {"!w", "1.0", "", 'l', 'e'},
        {"!w", "1e0", "", 'd', 'e'},
        {"!w *1", "1", "", 'd', 'l'},
        {"!w =1", "", "", 'd', 'l'},
        {"!w =1", "", ".eE", 'd', 'd'},
        {"!w =1", "1", ".", 'd', 'l'},
        {"!w =1.5", "1.5", "", 'e', 'e'},
        {"w =1.5", "", "", 'd', 'd'},
        {"w >=1.5 <=1.7", "", "", 'd', 'd'},
        {"w >=1.5 <=2", "1", "", 'd', 'd'},
        {"w >=1.5 <=2", "2", "", 'e', 'e'},
        {"w *0.7 >0", "7", "", 'e', 'e'},
        {"w *0.7 >0 <7", "", "", 'd', 'd'},
        {"w >=1e30", "9", "", 'l', 'l'},
        {"w >=1e400 *7", "-", "", 'd', 'd'},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int any = 0; any < 2; any++) {
            struct fixture f;
            char want = any ? cases[i].any : cases[i].plain;
            if (want == '?') continue;
            setup(&f, any, cases[i].missing);
            if (!CHECK_INT(judge(&f, cases[i].goal, cases[i].text), want))
                fprintf(stderr, "  (%s) after \"%s\" in %s\n", cases[i].goal, cases[i].text,
                        any ? "any" : "plain");
            arena_destroy(&f.a);
        }
}

static void test_free_digits(void) {
    static const struct {
        const char *goal, *text;
        unsigned free;
    } cases[] = {
        {"*1 >=0 <=65535", "1", 4},   {"*1 >=0 <=65535", "6", 3},    {"*1 >=0 <=65535", "65", 2},
        {"*1 >=0 <=65535", "655", 1}, {"*1 >=0 <=65535", "6553", 0}, {"*1 >=0 <=65535", "0", 0},
        {"*1 >=1000 <=1999", "1", 0}, {"*1 >=-300 <=5", "-2", 2},    {"*1 >=-300 <=5", "-3", 1},
        {"*7 <=65535", "1", 0},       {"*0.5 <=65535", "1", 4},      {"*1 <=5.5e15", "5", 14}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        setup(&f, false, "");
        number_state s = read(&f, cases[i].goal, cases[i].text);
        if (CHECK(s)) CHECK_INT(number_free_digits(f.s, s), cases[i].free);
        arena_destroy(&f.a);
    }
}

static void test_equal_states(void) {
    static const struct {
        const char *goal, *a, *b;
        bool plain, any;
    } cases[] = {
        {"*1", "12", "57", true, true},          {"*1", "1", "1234567", true, true},
        {">=0", "12", "57", true, true},         {">=0", "0.5", "3.25", true, true},
        {">=0 <=1000", "12", "99", true, true},  {">=0 <=1000", "12", "9", false, false},
        {"*1 >=3", "4", "77", true, false},      {"*7", "8", "15", true, true},
        {"*7", "8", "16", false, false},         {"*0.25", "1.2", "17.2", true, false},
        {">=0", "1e5", "1e123", false, true},    {"*1", "1.5e1", "1.5e77", false, true},
        {">1 <=2", "1.0001", "1.2", true, true}, {"*1", "120", "130", true, true},
        {"w", "1", "1234567", true, true},       {"w >=1 <=65535", "12", "47", true, true},
        {"w >=3", "4", "77", true, true},        {"w *7", "8", "15", true, true},
        {"!w", "1", "12", true, true},           {"!w *1", "1.0", "3.5", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int any = 0; any < 2; any++) {
            struct fixture f;
            setup(&f, any, "");
            number_state a = read(&f, cases[i].goal, cases[i].a);
            number_state b = read(&f, cases[i].goal, cases[i].b);
            bool want = any ? cases[i].any : cases[i].plain;
            if (want ? !CHECK(a && a == b) : !CHECK(!a || a != b))
                fprintf(stderr, "  (%s) \"%s\" and \"%s\" in %s\n", cases[i].goal, cases[i].a,
                        cases[i].b, any ? "any" : "plain");
            arena_destroy(&f.a);
        }
}

/* A limit gives LIMIT or the right answer, never a wrong one. */
static void test_limits(void) {
    static const char *const goals[] = {"*7 >=100 <=104", "*7 >=100 <=105", ">=1e1000000",
                                        "*1 !*2 !*3 !*5 >=26 <=28"};
    static const enum numset_answer want[] = {NUMSET_NO, NUMSET_YES, NUMSET_YES, NUMSET_NO};
    for (size_t i = 0; i < 4; i++)
        for (uint64_t limit = 0; limit < 2000; limit += 1 + limit / 4) {
            struct fixture f;
            uint64_t work = 0;
            setup(&f, false, "");
            enum numset_answer a =
                numset_has_value(f.s, naive_number_parse(f.s, &f.a, goals[i]), &work, limit);
            CHECK(a == want[i] || a == NUMSET_LIMIT);
            arena_destroy(&f.a);
        }
    struct fixture f;
    uint64_t work = 0;
    setup(&f, false, "");
    CHECK_INT(numset_has_value(f.s, naive_number_parse(f.s, &f.a, goals[0]), &work, 1000000),
              NUMSET_NO);
    CHECK_INT(numset_has_value(f.s, naive_number_parse(f.s, &f.a, goals[1]), &work, 1000000),
              NUMSET_YES);
    CHECK(work > 0);
    arena_destroy(&f.a);
}

/* Numbers of thousands of digits and long lists: scratch memory has to grow. */
static void test_large(void) {
    struct fixture f;
    enum { DIGITS = 1000, VALUES = 3000 };
    char *text = malloc(DIGITS + 1);
    struct decimal *values = malloc(VALUES * sizeof *values);
    setup(&f, false, "");
    for (int i = 0; i < DIGITS; i++) text[i] = (char)('1' + i % 9);
    text[DIGITS] = '\0';
    struct decimal c = dec(&f, text);
    numset_id id = numset_values(f.s, &c, 1);
    bool limited = false;
    number_state state = number_begin(f.s, &id, 1, &limited);
    int length = 0;
    CHECK(state);
    while (state && !number_may_end(f.s, state)) {
        int byte = number_witness_byte(f.s, state);
        CHECK_INT(byte, text[length++]);
        state = number_step(f.s, state, (unsigned char)byte, &limited);
    }
    CHECK_INT(length, DIGITS);
    for (int i = 0; i < VALUES; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i * 37);
        values[i] = dec(&f, number);
    }
    id = numset_values(f.s, values, VALUES);
    long accepted = 0;
    for (int i = 0; i < VALUES * 37; i += 5) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        state = number_begin(f.s, &id, 1, &limited);
        for (char *p = number; *p && state; p++)
            state = number_step(f.s, state, (unsigned char)*p, &limited);
        bool in = state && number_may_end(f.s, state);
        accepted += in;
        if (in != (i % 37 == 0)) CHECK(in == (i % 37 == 0));
    }
    CHECK_INT(accepted, VALUES / 5);
    CHECK(!limited);
    arena_destroy(&f.a);
    free(text);
    free(values);
}

/* Every allocation fails once: dead states or right answers, no crash. */
static void test_no_memory(void) {
    for (int any = 0; any < 2; any++) {
        bool whole = false;
        for (size_t n = 0; !whole && n < 5000; n++) {
            struct fixture f = {0};
            bool alphabet[256], limited = false;
            memset(alphabet, true, sizeof alphabet);
            CHECK(arena_init(&f.a, NULL, ARENA));
            struct decimal c[3] = {dec(&f, "3"), dec(&f, "104.5"), dec(&f, "7")};
            f.a.fail_after = n;
            f.s = number_store_new(&f.a, alphabet, any);
            if (f.s) {
                numset_id written = numset_written_whole(f.s);
                numset_id parts[4] = {
                    numset_at_least(f.s, &c[0]), numset_not(f.s, numset_above(f.s, &c[1])),
                    numset_multiple_of(f.s, &c[2]), any ? numset_not(f.s, written) : written};
                numset_id id = numset_and(f.s, parts, 4);
                number_state state = f.a.failed ? 0 : number_begin(f.s, &id, 1, &limited);
                for (const char *p = any ? "1.4e1" : "14"; *p && state; p++)
                    state = number_step(f.s, state, (unsigned char)*p, &limited);
                whole = state && number_may_end(f.s, state);
                struct decimal values[100];
                enum numset_answer more;
                uint64_t work = 0;
                if (!f.a.failed) numset_enumerate(f.s, id, values, 100, &more, &work, 1000000);
                CHECK(whole || f.a.failed);
                whole = whole && !f.a.failed;
            }
            arena_destroy(&f.a);
        }
        CHECK(whole);
    }
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    test_verdicts();
    test_free_digits();
    test_equal_states();
    test_limits();
    test_large();
    test_no_memory();
    test_brute_force(seed);
    return test_done("number");
}
