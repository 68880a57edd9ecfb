/* SPDX-License-Identifier: MIT
 *
 * Raw texts of a regular expression. Over all short byte strings of a small alphabet, broken UTF-8
 * among them, a text is accepted exactly where PCRE2 matches it from end to end; a live state has a
 * completion that PCRE2 takes, and below a dead one no text is accepted. Then walks over masks, with
 * rollback; alphabets that lack a byte; errors and their places; memory that runs out.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "automaton/grammar.h"
#include "automaton/text_machine.h"
#include "base/error.h"
#include "schema/ecma_regex.h"
#include "tests/lib_alloc.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"
#include "tokenmask/matcher.h"

enum { MAX_TEXT = 512, DEPTH = 6 };

static const char *const patterns[] = {
    "",
    "a",
    "a*",
    "(a*)*b",
    "(a|a)*c",
    "(ab|c){2}",
    "(?:a|ab)(?:c|bc)",
    "a.*?b",
    "[^a]+",
    ".",
    "..",
    "\xC3\xA9+a?",
    "[\xC3\xA0-\xC3\xBF]{2}",
    "^a$|b",
    "(?!a).*",
    "(?=.*a)(?=.*b).{2,4}",
    "(?:(?=a)a|(?!a)b)*",
    "\\ba+\\b.*",
    "(a{2}){2}|b{3,}",
    ".*a.{2}",
    "(?<=a)b|(?<!a)c",
    "[\\s\\S]*",
    "a(?:b|)c?",
    "(?:a?){3}a{3}",
};
enum { N_PATTERNS = sizeof patterns / sizeof *patterns };

/* ---- all short texts ------------------------------------------------------------------------- */

struct oracle {
    pcre2_code *code;
    pcre2_match_data *data;
};

static bool oracle_open(struct oracle *o, const char *pattern) {
    int code;
    PCRE2_SIZE at;
    o->code = pcre2_compile((PCRE2_SPTR)pattern, strlen(pattern),
                            PCRE2_UTF | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_DOLLAR_ENDONLY |
                                PCRE2_NO_UTF_CHECK,
                            &code, &at, NULL);
    o->data = pcre2_match_data_create(1, NULL);
    return CHECK(o->code && o->data);
}

static void oracle_close(struct oracle *o) {
    pcre2_match_data_free(o->data);
    pcre2_code_free(o->code);
}

/* Ill-formed texts are an error of the match, so no. */
static bool oracle_accepts(const struct oracle *o, const unsigned char *text, size_t length) {
    return pcre2_match(o->code, text, length, 0, 0, o->data, NULL) >= 0;
}

struct search {
    struct machine *machine;
    struct oracle oracle;
    unsigned char text[MAX_TEXT];
};

/* Is any text with this beginning accepted, up to DEPTH bytes? */
static bool check_below(struct search *x, struct state s, size_t length) {
    static const unsigned char bytes[] = {'a', 'b', 'c', 0xC3, 0xA9, '\n'};
    bool accepted = oracle_accepts(&x->oracle, x->text, length), any = accepted;
    CHECK_INT(x->machine->ops->accepts(x->machine, s), accepted);
    if (!state_is_dead(s)) {
        size_t n = x->machine->ops->completion(x->machine, s, x->text + length, MAX_TEXT - length);
        CHECK(n < MAX_TEXT && oracle_accepts(&x->oracle, x->text, length + n));
        CHECK(accepted == (n == 0));
    }
    for (size_t i = 0; i < sizeof bytes && length < DEPTH; i++) {
        x->text[length] = bytes[i];
        any |= check_below(x, machine_step(x->machine, s, bytes[i]), length + 1);
    }
    if (any) CHECK(!state_is_dead(s));
    return any;
}

static void test_all_texts(const char *pattern) {
    struct search x = {0};
    struct forma_error err;
    long failed = test_failed;
    struct forma_grammar *g = forma_grammar_from_regex(pattern, strlen(pattern), NULL, NULL, &err);
    if (CHECK(g != NULL) && oracle_open(&x.oracle, pattern)) {
        x.machine = grammar_machine(g);
        check_below(&x, x.machine->start, 0);
        CHECK_INT(x.machine->narrowed, 0);
    }
    oracle_close(&x.oracle);
    forma_grammar_free(g);
    if (test_failed != failed) fprintf(stderr, "pattern: %s\n", pattern);
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* Draws an allowed token; SIZE_MAX: none. */
static uint32_t draw(const int32_t *row, size_t n, uint64_t *seed) {
    uint32_t start = test_below(seed, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        uint32_t t = (uint32_t)((start + i) % n);
        if ((uint32_t)row[t / 32] >> t % 32 & 1) return t;
    }
    return UINT32_MAX;
}

static void walk(struct forma_matcher *m, const struct forma_vocabulary *v, uint64_t *seed) {
    size_t n = forma_vocabulary_size(v), words = forma_matcher_mask_words(m), steps = 0;
    int32_t *row = calloc(words, sizeof *row);
    uint32_t *slow = calloc(words, sizeof *slow);
    while (row && slow && steps < 30) {
        CHECK_INT(forma_matcher_mask(m, row, words, NULL), FORMA_OK);
        matcher_mask_slow(m, slow, words);
        CHECK(!memcmp(row, slow, words * sizeof *row));
        uint32_t token = draw(row, n, seed);
        if (!CHECK(token != UINT32_MAX)) break;
        if (forma_vocabulary_is_eos(v, token)) {
            CHECK(forma_matcher_accepts_end(m));
            break;
        }
        CHECK_INT(forma_matcher_accept(m, token, NULL), FORMA_OK);
        steps++;
    }
    struct state last = matcher_state(m);
    size_t back = steps ? test_below(seed, (uint32_t)steps) + 1 : 0;
    unsigned char rest[MAX_TEXT];
    CHECK_INT(forma_matcher_rollback(m, back, NULL), FORMA_OK);
    size_t length = forma_matcher_completion(m, rest, sizeof rest);
    if (CHECK(length <= sizeof rest)) {
        CHECK_INT(forma_matcher_accept_bytes(m, rest, length, NULL), FORMA_OK);
        CHECK(forma_matcher_accepts_end(m));
    }
    if (back == 0) CHECK(length == 0 || !state_equal(last, matcher_state(m)));
    free(row);
    free(slow);
}

static void test_masks(uint64_t seed) {
    struct forma_vocabulary *v = vocabulary_random(seed, 600);
    for (size_t p = 0; p < N_PATTERNS && CHECK(v != NULL); p++) {
        struct forma_error err;
        struct forma_grammar *g =
            forma_grammar_from_regex(patterns[p], strlen(patterns[p]), v, NULL, &err);
        struct forma_matcher *m = g ? forma_matcher_new(g, v, NULL, &err) : NULL;
        for (int i = 0; i < 3 && CHECK(m != NULL); i++) {
            forma_matcher_reset(m);
            walk(m, v, &seed);
        }
        forma_matcher_free(m);
        forma_grammar_free(g);
    }
    forma_vocabulary_free(v);
}

/* ---- alphabets, errors, words ---------------------------------------------------------------- */

/* All bytes but `missing`, and an end token. */
static struct forma_vocabulary *vocabulary_without(unsigned char missing) {
    static const uint32_t eos[] = {256};
    unsigned char all[257];
    const unsigned char *bytes[257];
    size_t lengths[257];
    for (unsigned i = 0; i < 257; i++) {
        all[i] = (unsigned char)i;
        bytes[i] = &all[i];
        lengths[i] = i < 256 && i != missing;
    }
    return forma_vocabulary_from_bytes(bytes, lengths, NULL, 257, eos, 1, NULL, NULL);
}

static void test_alphabet(void) {
    static const struct {
        const char *pattern, *good, *bad;
    } cases[] = {
        {"a|b", "a", "b"}, {".*", "ac", "ab"},   {"[^a]", "c", "b"},   {"\xC3[^x]*", NULL, ""},
        {"b", NULL, "b"},  {"(?!a).", "c", "b"}, {".*b.*", NULL, "b"}, {"a{2,}b?", "aa", "aab"},
    };
    struct forma_vocabulary *v = vocabulary_without('b');
    for (size_t i = 0; i < sizeof cases / sizeof *cases && CHECK(v != NULL); i++) {
        struct forma_error err;
        const char *p = cases[i].pattern;
        struct forma_grammar *g = forma_grammar_from_regex(p, strlen(p), v, NULL, &err);
        if (!cases[i].good) {
            CHECK(g == NULL);
            CHECK_INT(err.status, *p == '\xC3' ? FORMA_ESCHEMA : FORMA_EUNSAT);
            if (*p != '\xC3') CHECK(strstr(err.message, "0x62") != NULL);
            continue;
        }
        struct forma_matcher *m = g ? forma_matcher_new(g, v, NULL, &err) : NULL;
        if (CHECK(m != NULL)) {
            const unsigned char *good = (const unsigned char *)cases[i].good;
            const unsigned char *bad = (const unsigned char *)cases[i].bad;
            CHECK_INT(forma_matcher_accept_bytes(m, good, strlen(cases[i].good), &err), FORMA_OK);
            CHECK(forma_matcher_accepts_end(m));
            forma_matcher_reset(m);
            CHECK_INT(forma_matcher_accept_bytes(m, bad, strlen(cases[i].bad), &err),
                      FORMA_EREFUSED);
        }
        forma_matcher_free(m);
        forma_grammar_free(g);
    }
    forma_vocabulary_free(v);
}

static void test_errors(void) {
    static const struct {
        const char *pattern;
        enum forma_status status;
        long offset; /* -1: none */
    } cases[] = {
        {"(ab", FORMA_ESCHEMA, 0},      {"a{1,2}{1,2}", FORMA_ESCHEMA, 6},
        {"ab)", FORMA_ESCHEMA, 2},      {"(a)\\1", FORMA_EUNSUPPORTED, 3},
        {"a(?!.*)b", FORMA_EUNSAT, -1}, {"[^\\s\\S]", FORMA_EUNSAT, -1},
        {"a\xFF", FORMA_ESCHEMA, 1},    {"(?=a)b", FORMA_EUNSAT, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct forma_error err;
        const char *p = cases[i].pattern;
        CHECK(forma_grammar_from_regex(p, strlen(p), NULL, NULL, &err) == NULL);
        CHECK_INT(err.status, cases[i].status);
        CHECK_INT(err.offset == UINT64_MAX ? -1 : (long)err.offset, cases[i].offset);
        CHECK(err.message[0] != 0);
    }
    struct forma_options o;
    struct forma_error err;
    forma_options_init(&o);
    o.max_bytes = 3;
    CHECK(forma_grammar_from_regex("abcd", 4, NULL, &o, &err) == NULL);
    CHECK_INT(err.status, FORMA_ELIMIT);
    o.max_nesting = 0;
    CHECK(forma_grammar_from_regex("a", 1, NULL, &o, &err) == NULL);
    CHECK_INT(err.status, FORMA_EINVAL);
}

/* Follows the witness to the end: a search that gives up leaves states dead, says so, and the way to
 * an end open. */
static bool follow_narrowed(struct forma_matcher *m) {
    bool narrowed = false;
    int32_t row[9];
    for (int i = 0; i < 200 && !forma_matcher_accepts_end(m); i++) {
        unsigned char rest[MAX_TEXT];
        CHECK_INT(forma_matcher_mask(m, row, 9, NULL), FORMA_OK);
        narrowed |= forma_matcher_narrowed(m);
        size_t n = forma_matcher_completion(m, rest, sizeof rest);
        if (!CHECK(n && n <= sizeof rest)) break;
        CHECK((uint32_t)row[rest[0] / 32] >> rest[0] % 32 & 1);
        CHECK_INT(forma_matcher_accept(m, rest[0], NULL), FORMA_OK);
    }
    CHECK(forma_matcher_accepts_end(m));
    return narrowed;
}

static void test_narrowed(void) {
    static const char pattern[] = "x+|y(?=.*a.{9}b)(?=.*b.{9}a)(?!.*[cd].{7}[ef]).*";
    struct forma_vocabulary *v = vocabulary_of_bytes(NULL);
    int n_narrowed = 0;
    for (size_t work = 16; work < 20000; work *= 2) {
        struct forma_options o;
        struct forma_error err;
        forma_options_init(&o);
        o.max_work = work;
        struct forma_grammar *g =
            forma_grammar_from_regex(pattern, sizeof pattern - 1, v, &o, &err);
        if (!g) CHECK_INT(err.status, FORMA_ELIMIT);
        struct forma_matcher *m = g ? forma_matcher_new(g, v, NULL, &err) : NULL;
        if (m) n_narrowed += follow_narrowed(m);
        forma_matcher_free(m);
        forma_grammar_free(g);
    }
    CHECK(n_narrowed > 0);
    forma_vocabulary_free(v);
}

#define E_5  "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
#define E_10 E_5 E_5

static void test_words(void) {
    static const struct {
        const char *pattern, *text, *words;
    } cases[] = {
        {"foo|bar", "", "the rest of the text: \"bar\", \"foo\""},
        {"foo", "fo", "the rest of the text: \"o\""},
        {"a\"\\\\\\n", "a", "the rest of the text: \"\\\"\\\\\\u000a\""},
        /* cut before the character that has no room, and marked */
        {"ab\xC3\xA9{30}", "a",
         "the rest of the text: \"b" E_10 E_5 "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9...\""},
        {"foo", "foo", "the end of the text"},
        {"fo+", "fo", "more of the text, or its end"},
        {"fo+!", "fo", "more of the text"},
        {"\xC3\xA9", "\xC3", "more of the text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[200];
        const char *p = cases[i].pattern, *t = cases[i].text;
        struct forma_grammar *g = forma_grammar_from_regex(p, strlen(p), NULL, NULL, NULL);
        struct forma_matcher *m = g ? forma_matcher_new(g, NULL, NULL, NULL) : NULL;
        if (CHECK(m != NULL)) {
            forma_matcher_accept_bytes(m, (const unsigned char *)t, strlen(t), NULL);
            forma_matcher_describe(m, words, sizeof words);
            CHECK_STR(words, cases[i].words);
        }
        forma_matcher_free(m);
        forma_grammar_free(g);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool is_memory(enum forma_status status) {
    return status == FORMA_EMEMORY || status == FORMA_ELIMIT;
}

static void test_allocator_fails(void) {
    static const char pattern[] = "(?=.*a)(?!.*b.*b)[a-f]{3,9}";
    bool done = false;
    for (long fail_at = 1; !done && CHECK(fail_at < 100); fail_at++) {
        struct counting_allocator c;
        struct forma_options o;
        struct forma_error err;
        counting_allocator_init(&c);
        c.fail_at = fail_at;
        forma_options_init(&o);
        o.allocator = &c.allocator;
        struct forma_grammar *g =
            forma_grammar_from_regex(pattern, sizeof pattern - 1, NULL, &o, &err);
        if (!g) CHECK(is_memory(err.status));
        done = g != NULL;
        forma_grammar_free(g);
        CHECK_INT(c.blocks, 0);
    }
}

/* Reads a text under every memory limit up to one that suffices. */
static void test_memory_limits(void) {
    static const char pattern[] = "(?=.*a.{3}b)(?!.*c.{20}d)(?:[a-z]+ )*[a-z]+";
    static const char text[] = "the quick brown fox jumps over axyzb and the cow";
    size_t good = 0;
    for (size_t bytes = (size_t)1 << 15; good < 3 && CHECK(bytes < (size_t)1 << 26);
         bytes += bytes / 8 & ~(size_t)4095 ? bytes / 8 & ~(size_t)4095 : 4096) {
        struct text_machine_options o = {
            .max_memory = bytes, .max_work = 100000, .allocator = fa_default_allocator()};
        struct forma_error err;
        struct text_machine *m = text_machine_new(&o, &err);
        struct ecma_options eo = {.max_nesting = 50, .whole = true};
        bool ok = m != NULL;
        if (m) {
            struct machine *base = text_machine_base(m);
            term_id t =
                ecma_regex_compile(text_machine_regex(m), pattern, sizeof pattern - 1, &eo, &err);
            ok = err.status == FORMA_OK && text_machine_start(m, t, &err) == FORMA_OK;
            struct state s = base->start;
            for (size_t i = 0; ok && i < sizeof text - 1 && !base->failed; i++)
                s = machine_step(base, s, (unsigned char)text[i]);
            if (ok && !base->failed) CHECK(base->ops->accepts(base, s));
            if (ok && base->failed) CHECK(state_is_dead(s));
            if (!ok) CHECK(is_memory(err.status));
            good += ok && !base->failed;
        } else {
            CHECK(is_memory(err.status));
        }
        text_machine_free(m);
    }
}

int main(void) {
    for (size_t i = 0; i < N_PATTERNS; i++) test_all_texts(patterns[i]);
    test_masks(5);
    test_alphabet();
    test_errors();
    test_narrowed();
    test_words();
    test_allocator_fails();
    test_memory_limits();
    return test_done("text machine");
}
