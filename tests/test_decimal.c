/* SPDX-License-Identifier: MIT
 *
 * Exact decimals: chosen texts, then small numbers against 128-bit integers and large ones against
 * identities (a remainder added back, a least common multiple taken apart).
 */
#include "base/decimal.h"
#include "base/nat.h"
#include "tests/test.h"

__extension__ typedef __int128 i128;

static struct arena a;

static struct decimal dec(const char *text) {
    struct decimal d = {0};
    CHECK_INT(decimal_parse(&a, text, strlen(text), &d), DECIMAL_OK);
    return d;
}

static const char *show(const struct decimal *d) {
    static char text[64];
    decimal_print(d, text, sizeof text);
    return text;
}

static void test_parse(void) {
    static const struct {
        const char *text, *printed;
    } good[] = {
        {"0", "0"},
        {"-0", "0"},
        {"0.000", "0"},
        {"0e999999999999999999999", "0"},
        {"1", "1"},
        {"-12.50", "-12.5"},
        {"1000e-3", "1"},
        {"1e3", "1000"},
        {"0.00123", "0.00123"},
        {"1E+2", "100"},
        {"10.0e-1", "1"},
        {"9007199254740993", "9007199254740993"},
        {"1e400", "1e400"},
        {"-1.25e-400", "-1.25e-400"},
        {"1e100000000000000000", "1e100000000000000000"},
        {"123456.789e-2", "1234.56789"},
        {"0.1e1", "1"},
        {"100.001", "100.001"},
    };
    static const struct {
        const char *text;
        enum decimal_status status;
    } bad[] = {
        {"", DECIMAL_SYNTAX},
        {"-", DECIMAL_SYNTAX},
        {"01", DECIMAL_SYNTAX},
        {"1.", DECIMAL_SYNTAX},
        {".5", DECIMAL_SYNTAX},
        {"1e", DECIMAL_SYNTAX},
        {"1e+", DECIMAL_SYNTAX},
        {"+1", DECIMAL_SYNTAX},
        {"1 ", DECIMAL_SYNTAX},
        {"--1", DECIMAL_SYNTAX},
        {"1.2.3", DECIMAL_SYNTAX},
        {"0x1", DECIMAL_SYNTAX},
        {"1e100000000000000001", DECIMAL_TOO_LONG},
        {"1e-99999999999999999999999", DECIMAL_TOO_LONG},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct decimal d = dec(good[i].text);
        CHECK_STR(show(&d), good[i].printed);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct decimal d;
        CHECK_INT(decimal_parse(&a, bad[i].text, strlen(bad[i].text), &d), bad[i].status);
    }
    char *many = malloc(DECIMAL_MAX_DIGITS + 2);
    memset(many, '1', DECIMAL_MAX_DIGITS + 1);
    struct decimal d;
    CHECK_INT(decimal_parse(&a, many, DECIMAL_MAX_DIGITS, &d), DECIMAL_OK);
    CHECK_INT(decimal_parse(&a, many, DECIMAL_MAX_DIGITS + 1, &d), DECIMAL_TOO_LONG);
    free(many);
}

static void test_print(void) {
    struct decimal d = dec("-0.0625");
    char small[8];
    CHECK_INT(decimal_print(&d, small, sizeof small), 7);
    CHECK_STR(small, "-0.0625");
    CHECK_INT(decimal_print(&d, small, 7), 8); /* does not fit: with exponent, -6.25e-2 */
    CHECK_STR(small, "-6.25e");
    CHECK_INT(decimal_print(&d, NULL, 0), 8);
}

static void test_order(void) {
    static const char *const ascending[] = {"-1e1000",   "-12",        "-1.5", "-1",   "-1e-99",
                                            "0",         "1e-1000000", "0.1",  "0.11", "1",
                                            "1.0000001", "9",          "10",   "1e17"};
    enum { N = sizeof ascending / sizeof *ascending };
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            struct decimal x = dec(ascending[i]), y = dec(ascending[j]);
            CHECK_INT(decimal_compare(&x, &y), (i > j) - (i < j));
        }
    struct decimal x = dec("1e2"), y = dec("100.0");
    CHECK_INT(decimal_hash(&x), decimal_hash(&y));
    y = dec("-100");
    CHECK(decimal_hash(&x) != decimal_hash(&y));
}

static void test_multiples(void) {
    static const struct {
        const char *x, *m;
        bool is;
    } cases[] = {
        {"0", "7", true},
        {"14", "7", true},
        {"15", "7", false},
        {"-14", "7", true},
        {"0.3", "0.1", true},
        {"0.35", "0.1", false},
        {"4.02", "0.0001", true},
        {"0.00751", "0.0001", false},
        {"1e308", "0.123456789", false},
        {"1e1000000", "1024", true},
        {"1e1000000", "3", false},
        {"1e3", "16", false},
        {"1e4", "16", true},
        {"1e-5", "1", false},
        {"1e100000000000000000", "1e-100000000000000000", true},
        {"9007199254740993", "3", true},
        {"9007199254740994", "3", false},
        {"12345678901234567890123456789012345678900", "12345678901234567890123456789", false},
        {"152415787532388367501905199875019052100", "12345678901234567890", true},
        {"152415787532388367501905199875019052101", "12345678901234567890", false},
        {"1e40", "1099511627776", true},
        {"1e39", "1099511627776", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct decimal x = dec(cases[i].x), m = dec(cases[i].m);
        if (!CHECK(decimal_is_multiple(&x, &m) == cases[i].is))
            fprintf(stderr, "  %s of %s\n", cases[i].x, cases[i].m);
    }
    struct decimal x = dec("1e5"), y = dec("0.5"), z = dec("12.25");
    CHECK(decimal_is_integer(&x) && !decimal_is_integer(&y) && !decimal_is_integer(&z));
}

static void test_u64(void) {
    uint64_t v;
    struct decimal d = dec("18446744073709551615");
    CHECK(decimal_to_u64(&d, &v) && v == UINT64_MAX);
    d = dec("18446744073709551616");
    CHECK(!decimal_to_u64(&d, &v));
    d = dec("-1");
    CHECK(!decimal_to_u64(&d, &v));
    d = dec("1.5");
    CHECK(!decimal_to_u64(&d, &v));
    d = dec("12e2");
    CHECK(decimal_to_u64(&d, &v) && v == 1200);
    CHECK(decimal_from_u64(&a, UINT64_MAX, &d) && decimal_to_u64(&d, &v) && v == UINT64_MAX);
    CHECK(decimal_from_u64(&a, 0, &d) && d.n_digits == 0);
}

static i128 power10(int n) {
    i128 p = 1;
    while (n-- > 0) p *= 10;
    return p;
}

static struct decimal scaled(long long m, int e) {
    char text[40];
    snprintf(text, sizeof text, "%llde%d", m, e);
    return dec(text);
}

/* m * 10^e of a decimal with few digits, as an integer times 10^-8. */
static i128 fixed(const struct decimal *d) {
    i128 v = 0;
    for (uint32_t i = 0; i < d->n_digits; i++) v = v * 10 + d->digits[i];
    int64_t place = d->exponent - (int64_t)d->n_digits + 8;
    v *= power10((int)place);
    return d->negative ? -v : v;
}

static i128 gcd(i128 x, i128 y) {
    while (y) {
        i128 t = x % y;
        x = y;
        y = t;
    }
    return x;
}

static void test_small(uint64_t seed) {
    uint64_t r = seed;
    for (int i = 0; i < 20000; i++) {
        int ex = (int)test_below(&r, 12) - 6, em = (int)test_below(&r, 12) - 6;
        long long sx = (long long)test_below(&r, 200001) - 100000;
        long long sm = 1 + test_below(&r, i % 2 ? 100 : 100000);
        struct decimal x = scaled(sx, ex), m = scaled(sm, em), out,
                       positive = scaled(llabs(sx), ex);
        i128 vx = sx * power10(ex + 8), vm = sm * power10(em + 8), vp = vx < 0 ? -vx : vx;
        bool ok = fixed(&x) == vx && decimal_compare(&x, &m) == (vx > vm) - (vx < vm) &&
                  decimal_is_multiple(&x, &m) == (vx % vm == 0);
        ok = ok && decimal_add(&a, &x, &m, &out) && fixed(&out) == vx + vm;
        ok = ok && decimal_remainder(&a, &positive, &m, &out) && fixed(&out) == vp % vm;
        i128 next = (vp + vm - 1) / vm * vm;
        ok = ok && decimal_next_multiple(&a, &positive, &m, false, &out) && fixed(&out) == next;
        next = (vp / vm + 1) * vm;
        ok = ok && decimal_next_multiple(&a, &positive, &m, true, &out) && fixed(&out) == next;
        if (vp && vp / gcd(vp, vm) < power10(20))
            ok = ok && decimal_lcm(&a, &positive, &m, &out) && fixed(&out) == vp / gcd(vp, vm) * vm;
        if (!test_result(ok))
            fprintf(stderr, "seed %llu, round %d: %llde%d and %llde%d\n", (unsigned long long)seed,
                    i, sx, ex, sm, em);
    }
}

static struct decimal random_long(uint64_t *r, uint32_t digits) {
    char *text = malloc(digits + 1);
    struct decimal d = {0};
    for (uint32_t i = 0; i < digits; i++) text[i] = (char)('0' + test_below(r, 10));
    text[0] = (char)('1' + test_below(r, 9));
    if (digits > 6 && test_below(r, 2))
        memset(text + digits / 3, test_below(r, 2) ? '9' : '0', digits / 2);
    decimal_parse(&a, text, digits, &d);
    free(text);
    return d;
}

static void test_long(uint64_t seed) {
    uint64_t r = seed;
    for (int i = 0; i < 2000; i++) {
        struct decimal x = random_long(&r, 1 + test_below(&r, 120));
        struct decimal m = random_long(&r, 1 + test_below(&r, 80)), rest, minus, whole, next, back;
        bool ok = decimal_remainder(&a, &x, &m, &rest) && decimal_compare(&rest, &m) < 0 &&
                  !rest.negative;
        minus = decimal_negate(&rest);
        ok = ok && decimal_add(&a, &x, &minus, &whole) && decimal_is_multiple(&whole, &m);
        ok = ok && decimal_is_multiple(&x, &m) == (rest.n_digits == 0);
        ok = ok && decimal_next_multiple(&a, &x, &m, true, &next) &&
             decimal_add(&a, &whole, &m, &back) && decimal_compare(&next, &back) == 0;
        ok = ok && decimal_lcm(&a, &x, &m, &next) && decimal_is_multiple(&next, &x) &&
             decimal_is_multiple(&next, &m);
        if (!test_result(ok)) fprintf(stderr, "seed %llu, round %d\n", (unsigned long long)seed, i);
    }
    struct decimal big = random_long(&r, DECIMAL_MAX_DIGITS), one = dec("1"), out;
    CHECK(decimal_is_multiple(&big, &big));
    CHECK(decimal_add(&a, &big, &one, &out) && !decimal_is_multiple(&out, &big));
    struct decimal far = dec("1e1000000");
    CHECK(!decimal_add(&a, &far, &one, &out));
    struct decimal twelve = dec("12"), tiny = dec("1e-1000000");
    CHECK(decimal_lcm(&a, &far, &twelve, &out));
    CHECK_STR(show(&out), "3e1000000");
    CHECK(decimal_next_multiple(&a, &tiny, &twelve, false, &out));
    CHECK_STR(show(&out), "12");
}

static void test_no_memory(void) {
    bool whole = false;
    for (size_t n = 0; !whole && n < 100; n++) {
        struct arena small;
        struct decimal x, y, out;
        CHECK(arena_init(&small, NULL, 1 << 20));
        small.fail_after = n;
        whole = decimal_parse(&small, "123456789012345", 15, &x) == DECIMAL_OK &&
                decimal_parse(&small, "36", 2, &y) == DECIMAL_OK &&
                decimal_lcm(&small, &x, &y, &out) && decimal_add(&small, &x, &y, &out) &&
                decimal_remainder(&small, &x, &y, &out) &&
                decimal_next_multiple(&small, &x, &y, true, &out);
        CHECK(whole != small.failed);
        arena_destroy(&small);
    }
    CHECK(whole);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    if (!CHECK(arena_init(&a, NULL, (size_t)1 << 30))) return test_done("decimal");
    test_parse();
    test_print();
    test_order();
    test_multiples();
    test_u64();
    test_small(seed);
    test_long(seed);
    test_no_memory();
    arena_destroy(&a);
    return test_done("decimal");
}
