/* SPDX-License-Identifier: MIT
 *
 * ECMA-262 patterns: hand-written vectors, errors with their places, and a property test against
 * PCRE2 on random patterns and strings (the syntax that both read alike).
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "schema/ecma_property.h"
#include "schema/ecma_regex.h"
#include "tests/test.h"

static const struct code_range everything = {0, 0x10FFFF};
static const struct ecma_options searched = {100, false}, whole = {100, true};

static bool matches(struct regex_store *s, term_id t, const char *text) {
    return regex_matches(s, t, (const unsigned char *)text, strlen(text));
}

static const struct {
    const char *pattern, *text;
    bool match;
} vectors[] = {
    {"", "", true},
    {"", "x", true},
    {"b", "abc", true},
    {"^b", "abc", false},
    {"^a", "abc", true},
    {"c$", "abc", true},
    {"b$", "abc", false},
    {"^abc$", "abc", true},
    {"^abc$", "abc\n", false},
    {"^$", "", true},
    {"(?![])", "", true}, /* nothing before it made an expression */
    {"^$", "a", false},
    {"$^", "", true},
    {"$^", "a", false},
    {"a^b", "ab", false},
    {"a$b", "ab", false},
    {"(^a|b)c", "xbc", true},
    {"(^a|b)c", "xac", false},
    {"(^a|b)c", "ac", true},
    {"(^|x)a", "ba", false},
    {"(^|x)a", "bxa", true},
    {"a($|x)", "ab", false},
    {"a($|x)", "axb", true},
    {"(^a$|^b$)", "b", true},
    {"(^a$|^b$)", "ab", false},
    {"(?:^|a)+b", "ab", true},
    {"(?:^|a)+b", "cb", false},
    {"(?:^){3}a", "ba", false},
    {"(?:^){3}a", "ab", true},
    {"(?:a|$){2}", "ba", true},
    {"(?:a|$){3}", "ab", true}, /* at the end */
    {"^(?:a|$){3}$", "ab", false},
    {"^(?:a|b){2,3}$", "abab", false},
    {"^(?:a|b){2,3}$", "aba", true},
    {"^(?:^a|b){3}$", "abb", true},
    {"^(?:^a|b){3}$", "abbb", false},
    {"^(?:^a|b){3}$", "ab", false},
    {"(?:a|^b){2}", "ba", true},
    {"(?:a|b$){2}", "ab", true},
    {"(?:^|b){2}c", "bc", true}, /* an empty round before */
    {"(?:b|$){2}", "cb", true},  /* an empty round behind */
    {"^(?:b|$){3}$", "b", true},
    {"^[^a]$", "\xC3\xA9", true},
    {"^[\\d-x]$", "-", true},
    {"^[a-]$", "-", true},
    {"^[]$", "", false},
    {"^[^]$", "\n", true},
    {"^.$", "\n", false},
    {"^.$", "\xE2\x80\xA8", false}, /* U+2028 */
    {"^.$", "\xF0\x9F\x98\x80", true},
    {"^\\uD83D\\uDE00$", "\xF0\x9F\x98\x80", true},
    {"^\\u{1F600}$", "\xF0\x9F\x98\x80", true},
    {"^[\\uD83D\\uDE00-\\u{1F601}]$", "\xF0\x9F\x98\x81", true},
    {"\\uD83D", "\xF0\x9F\x98\x80", false},
    {"^\\s$", "\xEF\xBB\xBF", true},
    {"^\\s$", "\xC2\xA0", true},
    {"^\\w$", "\xC3\xA9", false},
    {"^\\W$", "\xC3\xA9", true},
    {"^\\d$", "\xD9\xA0", false},
    {"^\\cA\\x41\\0$", "\001A", false},
    {"^\\cA\\x41$", "\001A", true},
    {"^[\\b]$", "\b", true},
    {"^\\-\\/\\\"\\_\\#\\@\\:\\%$", "-/\"_#@:%", true},
    {"^{}a{,2}]}$", "{}a{,2}]}", true},
    {"^a{2}$", "aa", true},
    {"^a{2,}$", "a", false},
    {"^a{2,3}?$", "aaa", true},
    {"^a*?$", "aaa", true},
    {"^(?<name>a|b)$", "b", true},
    {"^(foo|bar|baz)$", "bar", true},
    {"^(foo|bar|baz)$", "ba", false},
    {"^(foo|bar|)$", "", true},
    {"foo|bar", "a bar b", true},
    {"^foo|bar$", "foox", true},
    {"^(?!foo|bar)[a-z]+$", "fob", true},
    {"^(?!foo|bar)[a-z]+$", "food", false},
    {"^((?!mode).)*$", "a mod e", true},
    {"^((?!mode).)*$", "amode", false},
    {"(?<=\\$)\\d+(?!\\.)", "$5", true},
    {"(?<=\\$)\\d+(?!\\.)", "$5.", false},
    {"(?<=\\$)\\d+(?!\\.)", "$15.", true}, /* 1 */
    {"\\bfoo\\b", "a-foo-b", true},
    {"\\bfoo\\b", "afoo", false},
    {"\\Bfoo\\b", "afoo", true},
    {"(?<=a(?=bc))b", "abc", true}, /* looks past where it stands */
    {"(?<=a(?=bc))b", "abd", false},
    {"^(?:(?<=^a|b)b|a){3}$", "abb", true},
    {"^(?:(?<=^a|b)b|a){4}$", "aaab", false},
    {"^\\p{Lu}\\p{Ll}+$", "\xC3\x89t\xC3\xA9", true},
    {"^\\P{Script=Greek}$", "\xCE\xB1", false},
    {"^[^\\p{L}\\d]$", "-", true},
    {"^[^\\p{L}\\d]$", "\xC3\xA9", false},
    {"^foo|bar$", "xfoo", false},
};

static void test_vectors(void) {
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct arena a;
        struct forma_error err;
        arena_init(&a, NULL, (size_t)64 << 20);
        struct regex_store *s = regex_store_new(&a, &everything, 1);
        const char *p = vectors[i].pattern;
        term_id t = ecma_regex_compile(s, p, strlen(p), &searched, &err);
        CHECK_INT(err.status, FORMA_OK);
        if (!CHECK_INT(matches(s, t, vectors[i].text), vectors[i].match))
            fprintf(stderr, "  pattern %s on %s\n", p, vectors[i].text);
        arena_destroy(&a);
    }
}

static const struct {
    const char *pattern;
    enum forma_status status;
    long offset;
} errors[] = {
    {"[\\p{Foo}]", FORMA_ESCHEMA, 1},
    {"\\pL", FORMA_ESCHEMA, 0},
    {"a\\P{sc=Latin", FORMA_ESCHEMA, 1},
    {"\\p{Script=latin}", FORMA_ESCHEMA, 0},
    {"(a)\\1", FORMA_EUNSUPPORTED, 3},
    {"(?<x>a)\\k<x>", FORMA_EUNSUPPORTED, 7},
    {"(?<\\u{61}b>a)", FORMA_EUNSUPPORTED, 3},
    {"(?i:a)", FORMA_EUNSUPPORTED, 0},
    {"(?i)a", FORMA_ESCHEMA, 0},
    {"(?P<x>a)", FORMA_ESCHEMA, 0},
    {"\\Aab\\Z", FORMA_ESCHEMA, 0},
    {"a**", FORMA_ESCHEMA, 2},
    {"a+?+", FORMA_ESCHEMA, 3},
    {"*a", FORMA_ESCHEMA, 0},
    {"a|*", FORMA_ESCHEMA, 2},
    {"^*", FORMA_ESCHEMA, 1},
    {"{1}", FORMA_ESCHEMA, 0},
    {"a{2,1}", FORMA_ESCHEMA, 1},
    {"a{99999999999}", FORMA_ELIMIT, 1},
    {"(a", FORMA_ESCHEMA, 0},
    {"a)", FORMA_ESCHEMA, 1},
    {"[a", FORMA_ESCHEMA, 0},
    {"[b-a]", FORMA_ESCHEMA, 1},
    {"\\", FORMA_ESCHEMA, 0},
    {"\\a", FORMA_ESCHEMA, 0},
    {"\\x1", FORMA_ESCHEMA, 0},
    {"\\u{110000}", FORMA_ESCHEMA, 0},
    {"\\01", FORMA_ESCHEMA, 0},
    {"a\xC3", FORMA_ESCHEMA, 1},
    {"(?<1>a)", FORMA_ESCHEMA, 3},
    {"(?<a>x)(?<a>y)", FORMA_ESCHEMA, 10},
    {"(?:(?<a>x)|(?<b>z))(?<b>y)", FORMA_ESCHEMA, 22},
    {"(?=a)*", FORMA_ESCHEMA, 5},
    {"\\b+", FORMA_ESCHEMA, 2},
};

static void test_errors(void) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct arena a;
        struct forma_error err;
        arena_init(&a, NULL, (size_t)64 << 20);
        struct regex_store *s = regex_store_new(&a, &everything, 1);
        const char *p = errors[i].pattern;
        term_id t = ecma_regex_compile(s, p, strlen(p), &searched, &err);
        CHECK_INT(t, TERM_NONE);
        bool ok = CHECK_INT(err.status, errors[i].status);
        ok &= CHECK_INT(err.offset, errors[i].offset);
        if (!ok) fprintf(stderr, "  pattern %s: %s\n", p, err.message);
        arena_destroy(&a);
    }
}

/* ---- properties ------------------------------------------------------------------------------ */

static uint32_t size_of(const struct ecma_property *property) {
    const char *set = property->set;
    struct code_range range;
    uint32_t at = 0, sum = 0, behind = 0;
    while (ecma_property_next(&set, &at, &range)) {
        CHECK(range.first >= behind && range.last >= range.first && range.last <= 0x10FFFF);
        behind = range.last + 2; /* neighbours would be one range */
        sum += range.last - range.first + 1;
    }
    return sum;
}

/* Each code point has one category and one script. */
static void test_properties(void) {
    uint32_t categories = 0, scripts = 0;
    for (unsigned i = 0; i < ecma_property_n_values; i++) {
        const struct ecma_property *p = &ecma_property_values[i];
        uint32_t size = size_of(p);
        if (p->kind == ECMA_SCRIPT) scripts += size;
        bool single = p->names[1] >= 'a' && p->names[1] <= 'z'; /* Lu; not L, LC */
        if (p->kind == ECMA_CATEGORY && single) categories += size;
    }
    CHECK_INT(categories, 0x110000);
    CHECK_INT(scripts, 0x110000);
    for (unsigned i = 0; i < ecma_property_n_binary; i++)
        CHECK(size_of(&ecma_property_binary[i]) > 0);
    CHECK_INT(size_of(ecma_property_find("Assigned", 8)) + size_of(ecma_property_find("Cn", 2)),
              0x110000);
    CHECK_INT(size_of(ecma_property_find("Any", 3)), 0x110000);
    CHECK(ecma_property_find("scx=Zyyy", 8) == ecma_property_find("Script_Extensions=Common", 24));
    CHECK(ecma_property_find("scx=Zyyy", 8) != ecma_property_find("sc=Zyyy", 7));
    CHECK(ecma_property_find("lu", 2) == NULL);
    CHECK(ecma_property_find("gc=Alphabetic", 13) == NULL);
    CHECK(ecma_property_find("", 0) == NULL);
}

/* ---- against PCRE2 --------------------------------------------------------------------------- */

struct text {
    char bytes[4096];
    size_t length;
};

static void add(struct text *t, const char *what) {
    size_t n = strlen(what);
    if (t->length + n >= sizeof t->bytes) return;
    memcpy(t->bytes + t->length, what, n + 1);
    t->length += n;
}

static void random_pattern(uint64_t *seed, struct text *t, int depth) {
    static const char *const atoms[] = {"a",
                                        "b",
                                        "c",
                                        "\xC3\xA9",
                                        "\xE2\x82\xAC",
                                        "[ab]",
                                        "[^a]",
                                        "[a-c\xC3\xA9]",
                                        ".",
                                        "^",
                                        "$",
                                        "^",
                                        "$",
                                        "()",
                                        "[^\xC3\xA9]",
                                        "\\w",
                                        "ab",
                                        "\xF0\x9F\x98\x80",
                                        "[\xE2\x82\xAC-\xF0\x9F\x98\x80]"};
    static const char *const quantifiers[] = {"*", "+", "?", "{2}", "{0,2}", "{1,3}", "{2,}", "*?"};
    unsigned pieces = test_below(seed, 4);
    for (unsigned i = 0; i <= pieces; i++) {
        bool group = depth > 0 && test_below(seed, 3) == 0;
        unsigned atom = test_below(seed, sizeof atoms / sizeof *atoms);
        bool anchor = !group && (atoms[atom][0] == '^' || atoms[atom][0] == '$');
        if (group) {
            add(t, "(?:");
            random_pattern(seed, t, depth - 1);
            add(t, ")");
        } else {
            add(t, atoms[atom]);
        }
        if (!anchor && test_below(seed, 3) == 0) add(t, quantifiers[test_below(seed, 8)]);
        if (test_below(seed, 6) == 0) add(t, "|");
    }
}

static void random_text(uint64_t *seed, struct text *t) {
    static const char *const characters[] = {
        "a", "b", "c", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "d"};
    t->length = 0;
    t->bytes[0] = 0;
    for (unsigned n = test_below(seed, 7); n; n--) add(t, characters[test_below(seed, 7)]);
}

/* Every prefix of a text is alive iff some completion exists: the witness must lead to a match. */
static bool completes(struct regex_store *s, term_id t, const struct text *x) {
    uint64_t work = 0, k = 0;
    term_id u = t;
    for (size_t i = 0; i < x->length; i++) {
        k += ((unsigned char)x->bytes[i] & 0xC0) != 0x80;
        u = regex_derive(s, u, (unsigned char)x->bytes[i]);
    }
    if (regex_alive(s, u, k, PARTIAL_BOUNDARY, &work, 100000) != REGEX_YES) return true;
    for (int steps = 0; steps < 1000; steps++) {
        int b = regex_witness_byte(s, u, k, PARTIAL_BOUNDARY);
        if (b < 0) return regex_nullable(s, u, k);
        k += (b & 0xC0) != 0x80;
        u = regex_derive(s, u, (unsigned char)b);
    }
    return false;
}

static void test_against_pcre2(uint64_t seed, int rounds) {
    for (int round = 0; round < rounds; round++) {
        struct text pattern = {"", 0}, text;
        uint64_t before = seed;
        random_pattern(&seed, &pattern, 3);
        int code;
        PCRE2_SIZE where;
        pcre2_code *re = pcre2_compile((PCRE2_SPTR)pattern.bytes, pattern.length,
                                       PCRE2_UTF | PCRE2_DOLLAR_ENDONLY, &code, &where, NULL);
        if (!CHECK(re != NULL)) continue;
        pcre2_match_data *data = pcre2_match_data_create(1, NULL);
        struct arena a;
        struct forma_error err;
        arena_init(&a, NULL, (size_t)256 << 20);
        struct regex_store *s = regex_store_new(&a, &everything, 1);
        term_id t = ecma_regex_compile(s, pattern.bytes, pattern.length, &searched, &err);
        bool ok = CHECK_INT(err.status, FORMA_OK);
        term_id not_t = regex_not(s, t);
        for (int i = 0; ok && i < 20; i++) {
            random_text(&seed, &text);
            int rc = pcre2_match(re, (PCRE2_SPTR)text.bytes, text.length, 0, 0, data, NULL);
            if (rc < 0 && rc != PCRE2_ERROR_NOMATCH) continue; /* PCRE2 gave up */
            ok = CHECK_INT(matches(s, t, text.bytes), rc >= 0);
            ok &= CHECK_INT(matches(s, not_t, text.bytes), rc < 0);
            ok &= CHECK(completes(s, t, &text)) && CHECK(completes(s, not_t, &text));
        }
        if (!ok)
            fprintf(stderr, "  seed %llu: pattern %s on \"%s\"\n", (unsigned long long)before,
                    pattern.bytes, text.bytes);
        pcre2_match_data_free(data);
        pcre2_code_free(re);
        arena_destroy(&a);
        if (!ok) return;
    }
}

/* ---- hostile patterns, whole match, failing memory ------------------------------------------- */

static void test_hostile(void) {
    struct arena a;
    struct forma_error err;
    uint64_t work = 0;
    arena_init(&a, NULL, (size_t)256 << 20);
    struct regex_store *s = regex_store_new(&a, &everything, 1);
    const char *p = "(a{1000}){1000}";
    term_id t = ecma_regex_compile(s, p, strlen(p), &searched, &err);
    CHECK_INT(regex_alive(s, t, 0, PARTIAL_BOUNDARY, &work, 1000), REGEX_YES);
    p = ".{100000}x";
    t = ecma_regex_compile(s, p, strlen(p), &searched, &err);
    for (int i = 0; i < 2000; i++) t = regex_derive(s, t, 'a');
    CHECK_INT(regex_alive(s, t, 2000, PARTIAL_BOUNDARY, &work, 1000), REGEX_YES);
    CHECK(a.used < (size_t)16 << 20);
    enum { N = 100000 };
    char *big = malloc(N);
    for (int i = 0; i < N; i++)
        big[i] = i % 5 == 4 ? '|' : "abcdefghijklmnopqrstuvwxyz"[(i * 7 + i / 26) % 26];
    t = ecma_regex_compile(s, big, N, &searched, &err);
    CHECK_INT(err.status, FORMA_OK);
    big[9] = 0;
    CHECK(matches(s, t, big + 5));
    memset(big, 'a', N);
    t = ecma_regex_compile(s, big, N, &whole, &err);
    CHECK_INT(regex_matches(s, t, (const unsigned char *)big, N), true);
    memset(big, '(', N);
    ecma_regex_compile(s, big, N, &searched, &err);
    CHECK_INT(err.status, FORMA_ELIMIT);
    free(big);
    arena_destroy(&a);
}

/* `what` n times, answered within a limit of work and memory that says so. */
static void check_repeated(const char *what, unsigned n, enum forma_status status) {
    struct arena a;
    struct forma_error err;
    size_t size = strlen(what);
    char *text = malloc(size * n);
    for (unsigned i = 0; i < n; i++) memcpy(text + i * size, what, size);
    arena_init(&a, NULL, (size_t)256 << 20);
    struct regex_store *s = regex_store_new(&a, &everything, 1);
    term_id t = ecma_regex_compile(s, text, size * n, &searched, &err);
    if (!CHECK_INT(err.status, status)) fprintf(stderr, "  %s: %s\n", what, err.message);
    for (int i = 0; i < 20 && err.status == FORMA_OK; i++) {
        uint64_t work = 0;
        t = regex_derive(s, t, (unsigned char)"ab-"[i % 3]);
        regex_alive(s, t, 0, PARTIAL_BOUNDARY, &work, 20000);
    }
    CHECK(!a.failed);
    arena_destroy(&a);
    free(text);
}

static void test_hostile_lookaround(void) {
    check_repeated("\\w*\\b", 400, FORMA_OK);
    check_repeated("(?:a|b$)*", 400, FORMA_OK);
    check_repeated("(?!a).", 400, FORMA_OK);
    check_repeated("(?=.*a.{9}b)", 20, FORMA_OK);
    check_repeated("(?:(?=a)|(?<=b.{0,100}))?", 200, FORMA_OK);
    check_repeated("(?:^a|b)*", 1000, FORMA_OK);
    check_repeated("(?:^a|b)*", 1001, FORMA_ELIMIT);
    check_repeated("\\b", 1001, FORMA_ELIMIT);
    check_repeated("^a|b$|", 10000, FORMA_OK);
}

static void test_memory(const char *p) {
    bool done = false;
    for (size_t n = 0; !done && n < 10000; n++) {
        struct arena a;
        struct forma_error err;
        arena_init(&a, NULL, (size_t)16 << 20);
        a.fail_after = n;
        struct regex_store *s = regex_store_new(&a, &everything, 1);
        if (s) {
            uint64_t work = 0;
            term_id t = ecma_regex_compile(s, p, strlen(p), &searched, &err);
            done = err.status == FORMA_OK;
            if (!done) CHECK_INT(err.status, FORMA_ELIMIT);
            term_id both[2] = {t, regex_not(s, regex_literal(s, (const unsigned char *)"foo", 3))};
            t = regex_and(s, both, 2);
            enum regex_answer alive = regex_alive(s, t, 0, PARTIAL_BOUNDARY, &work, 1000);
            CHECK(!done || a.failed || alive == REGEX_YES);
            CHECK(!a.failed || alive != REGEX_NO);
            matches(s, t, "foobar");
            regex_witness_byte(s, t, 0, PARTIAL_BOUNDARY);
            done = done && !a.failed;
        }
        arena_destroy(&a);
    }
    CHECK(done);
}

int main(void) {
    test_vectors();
    test_errors();
    test_properties();
    test_against_pcre2(20261130, 4000);
    test_hostile();
    test_hostile_lookaround();
    test_memory("^(?:foo|bar|\xC3\xA9[^a-c]{2,5})+(x|$)");
    test_memory("(?<!\\bx|^)(?:(?=f\\w)(?<=(?<n>o|^)(?=f|\\p{Sc}))foo|b(?!ar)|$)+(?:x|\\B|^)*");
    return test_done("ecma_regex");
}
