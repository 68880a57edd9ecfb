/* SPDX-License-Identifier: MIT
 *
 * Forced text and plans against their definitions, at places of random walks through the schemas of
 * fixtures/schemas and through random ones: byte by byte, token by token.
 *
 *     test_forced [SEED]
 */
#include "tests/lib_fixture_schemas.h"
#include "tests/lib_random_schema.h"
#include "tests/lib_vocabulary.h"
#include "tests/lib_walk.h"
#include "tests/test.h"
#include "tokenmask/mask.h"
#include "tokenmask/matcher.h"

enum { TOKENS = 30, MAX_TEXT = 4096, MAX_COMPLETION = 300, WORK = 2000 };

struct place {
    struct forma_matcher *m;
    const struct walker *w;
    const char *schema;
    uint64_t *random;
    const unsigned char *so_far;
    size_t length;
    bool narrowed; /* some answer was: then less may be known */
};

static void tell(const struct place *p, const char *what) {
    fprintf(stderr, "  %s: in %s behind %.*s\n", what, p->schema, (int)p->length, p->so_far);
}

static bool step_bytes(struct place *p, const unsigned char *bytes, size_t n) {
    bool ok = forma_matcher_accept_bytes(p->m, bytes, n, NULL) == FORMA_OK;
    p->narrowed |= forma_matcher_narrowed(p->m);
    return ok;
}

static void back(struct place *p, size_t steps) {
    CHECK_INT(forma_matcher_rollback(p->m, steps, NULL), FORMA_OK);
}

/* ---- forced text ---------------------------------------------------------------------------- */

/* By definition; the matcher is left behind it, one step for each byte. */
static size_t naive_text(struct place *p, unsigned char *out) {
    size_t n = 0;
    while (n < MAX_TEXT && !forma_matcher_accepts_end(p->m)) {
        int count = 0;
        for (unsigned b = 0; b < 256; b++) {
            unsigned char byte = (unsigned char)b;
            if (!step_bytes(p, &byte, 1)) continue;
            out[n] = byte;
            count++;
            back(p, 1);
        }
        if (count != 1 || !step_bytes(p, out + n, 1)) break;
        n++;
    }
    return n;
}

/* The first byte of the text from which a token goes on behind it. The matcher stands there. */
static size_t naive_safe(struct place *p, const unsigned char *text, size_t n) {
    const struct forma_vocabulary *v = p->w->v;
    for (size_t i = 0; i < n; i++) {
        for (uint32_t id = 0; id < v->n_tokens; id++) {
            size_t length = 0, inside = n - i;
            const unsigned char *bytes = forma_vocabulary_bytes(v, id, &length);
            if (!bytes || length <= inside || memcmp(bytes, text + i, inside) != 0) continue;
            if (!step_bytes(p, bytes + inside, length - inside)) continue;
            back(p, 1);
            return i;
        }
    }
    return n;
}

struct cutter {
    const struct forma_vocabulary *v;
    uint64_t seed;
    bool lies;
    uint32_t ids[MAX_TEXT];
    size_t n;
};

static size_t cut(void *ctx, const unsigned char *text, size_t length, uint32_t *ids,
                  size_t capacity) {
    struct cutter *c = ctx;
    uint64_t random = c->seed; /* the same text is cut in the same way */
    c->n = vocabulary_spell(c->v, (const char *)text, length, &random, c->ids, MAX_TEXT);
    if (c->n == SIZE_MAX) c->n = 0;
    if (c->lies && c->n > 1) c->ids[test_below(&random, (uint32_t)c->n)] += 1;
    size_t n = c->n < capacity ? c->n : capacity;
    memcpy(ids, c->ids, n * sizeof *ids);
    return n;
}

/* Are these tokens the longest ones, again and again, of any text that begins with the forced one?
 * Tried with the known completion. The matcher stands behind the forced text. */
static bool begins_longest(struct place *p, const unsigned char *text, size_t n,
                           const uint32_t *ids, size_t count) {
    static unsigned char whole[MAX_TEXT + MAX_COMPLETION];
    size_t at = 0, more = forma_matcher_completion(p->m, whole + n, MAX_COMPLETION);
    if (more == SIZE_MAX) return true;
    memcpy(whole, text, n);
    for (size_t i = 0; i < count; i++) {
        size_t length = 0;
        uint32_t id = walk_longest(p->w, whole + at, n + more - at);
        if (id != ids[i]) return false;
        forma_vocabulary_bytes(p->w->v, id, &length);
        at += length;
    }
    return true;
}

static size_t spelled_within(const struct forma_vocabulary *v, const unsigned char *text, size_t n,
                             const uint32_t *ids, size_t count) {
    size_t kept = 0, at = 0;
    for (; kept < count; kept++) {
        size_t length = 0;
        const unsigned char *bytes = forma_vocabulary_bytes(v, ids[kept], &length);
        if (!bytes || length > n - at || memcmp(bytes, text + at, length) != 0) break;
        at += length;
    }
    return kept;
}

/* The token of a mask that has one only; UINT32_MAX: it has others. */
static uint32_t only_token(struct place *p, uint32_t *row) {
    if (forma_matcher_mask(p->m, (int32_t *)row, p->w->words, NULL)) return UINT32_MAX;
    p->narrowed |= forma_matcher_narrowed(p->m);
    if (mask_count(row, p->w->words) != 1) return UINT32_MAX;
    uint32_t id = 0;
    while (!mask_test(row, id)) id++;
    return id;
}

static void check_accepted(struct place *p, const uint32_t *ids, size_t count) {
    size_t n = 0;
    while (n < count && forma_matcher_accept(p->m, ids[n], NULL) == FORMA_OK) n++;
    if (!CHECK_INT(n, count)) tell(p, "a forced token is refused");
    back(p, n);
}

static void check_forced(struct place *p, uint32_t *row) {
    static unsigned char text[MAX_TEXT], want[MAX_TEXT];
    static struct cutter cutter;
    uint32_t ids[MAX_TEXT];
    size_t n = forma_matcher_forced_text(p->m, text, MAX_TEXT), few = 0;
    size_t naive = naive_text(p, want), safe = naive_safe(p, want, naive);
    bool narrowed = p->narrowed;
    uint32_t only = UINT32_MAX;
    if (!CHECK(narrowed ? n <= naive : n == naive) || !CHECK(memcmp(text, want, n) == 0))
        tell(p, "forced text");
    for (unsigned how = 0; how < 3 && !narrowed; how++) {
        cutter = (struct cutter){.v = p->w->v, .seed = *p->random, .lies = how == 2};
        back(p, naive);
        size_t count = forma_matcher_forced_tokens(p->m, how ? cut : NULL, &cutter, ids, MAX_TEXT);
        size_t first = forma_matcher_forced_tokens(p->m, how ? cut : NULL, &cutter, &only, 1);
        CHECK_INT(first, count > 0);
        if (first) CHECK_INT(only, ids[0]);
        check_accepted(p, ids, count);
        only = only_token(p, row);
        const uint32_t *cut_ids = how ? cutter.ids : ids;
        size_t kept = spelled_within(p->w->v, want, safe, cut_ids, how ? cutter.n : count);
        if (kept == 0 && only != UINT32_MAX)
            CHECK(count == 1 && ids[0] == only);
        else if (!CHECK_INT(count, kept) || !CHECK(!kept || !memcmp(ids, cut_ids, 4 * kept)))
            tell(p, "forced tokens");
        for (size_t i = 0; i < naive; i++) step_bytes(p, want + i, 1);
        if (how == 0 && kept && !CHECK(begins_longest(p, want, naive, ids, kept)))
            tell(p, "a longer token would have come");
    }
    back(p, naive);
    /* However little room there is. */
    few = n ? test_below(p->random, (uint32_t)n) : 0;
    CHECK_INT(forma_matcher_forced_text(p->m, want, few), few);
    CHECK(memcmp(text, want, few) == 0);
}

/* ---- plans ---------------------------------------------------------------------------------- */

/* Tokens that a text takes at least: each token tried at each place. */
static size_t naive_fewest(const struct forma_vocabulary *v, const unsigned char *text, size_t n) {
    size_t least[MAX_COMPLETION + 1] = {0};
    for (size_t end = 1; end <= n; end++) {
        least[end] = SIZE_MAX;
        for (uint32_t id = 0; id < v->n_tokens; id++) {
            size_t length = 0;
            const unsigned char *bytes = forma_vocabulary_bytes(v, id, &length);
            if (!bytes || length > end || memcmp(bytes, text + end - length, length) != 0) continue;
            if (least[end - length] < least[end]) least[end] = least[end - length] + 1;
        }
    }
    return least[n];
}

/* Follows a plan to the end of a text and comes back. */
static void check_whole(struct place *p, const uint32_t *ids, size_t count) {
    size_t n = 0;
    while (n < count && forma_matcher_accept(p->m, ids[n], NULL) == FORMA_OK) n++;
    if (!CHECK_INT(n, count) || !CHECK(forma_matcher_accepts_end(p->m))) tell(p, "a plan");
    back(p, n);
}

/* What the machine answers may change with what it has learned meanwhile: then asked again. */
static void check_fits(struct place *p, uint32_t token, uint32_t budget) {
    static unsigned char text[1 << 16];
    uint32_t ids[MAX_COMPLETION];
    size_t n = SIZE_MAX, more = SIZE_MAX;
    bool fits = false, naive = false;
    for (int again = 0; again < 2 && (again == 0 || fits != naive); again++) {
        fits = forma_matcher_fits(p->m, token, budget, ids, &n);
        if (forma_matcher_accept(p->m, token, NULL) == FORMA_OK) {
            more = forma_matcher_plan(p->m, 0, NULL, 0);
            naive = budget > 0 && more <= budget - 1 &&
                    forma_matcher_completion(p->m, text, sizeof text) <= 256 + 16 * (budget - 1);
            if (fits && !forma_vocabulary_is_eos(p->w->v, token)) {
                CHECK(n < budget);
                check_whole(p, ids, n);
            }
            back(p, 1);
        } else {
            CHECK(!fits);
        }
        p->narrowed |= forma_matcher_narrowed(p->m);
    }
    if (!CHECK(fits == naive || p->narrowed)) tell(p, "what fits");
}

static void check_plan(struct place *p, const uint32_t *row) {
    unsigned char text[MAX_COMPLETION];
    uint32_t ids[MAX_COMPLETION];
    size_t n = forma_matcher_completion(p->m, text, MAX_COMPLETION); /* may learn on the way */
    size_t count = forma_matcher_plan(p->m, 0, ids, MAX_COMPLETION);
    n = forma_matcher_completion(p->m, text, MAX_COMPLETION);
    if (n != SIZE_MAX) {
        if (!CHECK_INT(count, naive_fewest(p->w->v, text, n))) tell(p, "fewest tokens");
        CHECK_INT(spelled_within(p->w->v, text, n, ids, count), count);
        check_whole(p, ids, count);
    }
    for (int i = 0; i < 6 && n != SIZE_MAX; i++) {
        static const struct walk_policy evenly = {.evenly = true,
                                                  .weights = {1, 1, 1, 1, 1, 1, 1, 1}};
        uint32_t any = test_below(p->random, (uint32_t)p->w->v->n_tokens + 2);
        uint32_t drawn = walk_draw(p->w, &evenly, row, p->random);
        check_fits(p, i % 2 ? any : drawn, test_below(p->random, (uint32_t)count + 6));
    }
    if (n != SIZE_MAX && test_below(p->random, 8) == 0) {
        size_t shortest = forma_matcher_plan(p->m, WORK, ids, MAX_COMPLETION);
        check_whole(p, ids, shortest);
    }
}

/* ---- walks ---------------------------------------------------------------------------------- */

struct walking {
    const struct walker *w;
    uint64_t random;
    unsigned n, narrowed, forced;
};

static void walk_form(void *ctx, const char *schema, struct forma_grammar *g) {
    struct walking *walking = ctx;
    unsigned char text[4096];
    struct place p = {
        .w = walking->w, .schema = schema, .random = &walking->random, .so_far = text};
    uint32_t *row = calloc(p.w->words, sizeof *row);
    struct walk_policy policy = walk_policy(walking->n++, &walking->random);
    p.m = forma_matcher_new(g, p.w->v, NULL, NULL);
    bool long_one = p.m && forma_matcher_completion(p.m, text, sizeof text) == SIZE_MAX;
    for (int i = 0; i < TOKENS && !long_one && CHECK(p.m && row); i++) {
        size_t length = 0;
        uint32_t id;
        struct state at = matcher_state(p.m);
        p.narrowed = false;
        check_forced(&p, row);
        if (forma_matcher_mask(p.m, (int32_t *)row, p.w->words, NULL)) break;
        check_plan(&p, row);
        CHECK(state_equal(at, matcher_state(p.m)));
        walking->narrowed += p.narrowed;
        id = walk_draw(p.w, &policy, row, p.random);
        if (id == UINT32_MAX || !CHECK_INT(forma_matcher_accept(p.m, id, NULL), FORMA_OK)) break;
        const unsigned char *bytes = forma_vocabulary_bytes(p.w->v, id, &length);
        if (!bytes || p.length + length > sizeof text) break;
        memcpy(text + p.length, bytes, length);
        p.length += length;
        walking->forced += forma_matcher_forced_tokens(p.m, NULL, NULL, &id, 1) > 0;
    }
    free(row);
    forma_matcher_free(p.m);
}

static void test_walks(uint64_t seed) {
    struct forma_vocabulary *v = vocabulary_random(seed, 700);
    struct walker *w = v ? walker_new(v) : NULL;
    struct walking walking = {.w = w, .random = seed};
    char schema[4096];
    if (!CHECK(w != NULL)) return;
    size_t n = each_fixture_schema(v, walk_form, &walking);
    CHECK(n >= 200);
    for (int i = 0; i < 120; i++) {
        if (!random_schema(&walking.random, schema, sizeof schema)) continue;
        struct forma_grammar *g =
            forma_grammar_from_json_schema(schema, strlen(schema), v, NULL, NULL);
        if (g) walk_form(&walking, schema, g);
        forma_grammar_free(g);
    }
    printf("%zu fixtures, %u forms; %u places narrowed, %u with forced tokens\n", n, walking.n,
           walking.narrowed, walking.forced);
    CHECK(walking.forced > 100);
    walker_free(w);
    forma_vocabulary_free(v);
}

/* ---- by hand -------------------------------------------------------------------------------- */

/* All bytes, these tokens from id 256 on, and an end token behind them. */
static struct forma_vocabulary *vocabulary_with(const char *const *words, size_t n) {
    unsigned char single[256];
    const unsigned char *bytes[300];
    size_t lengths[300];
    for (size_t i = 0; i < 256; i++) {
        single[i] = (unsigned char)i;
        bytes[i] = &single[i];
        lengths[i] = 1;
    }
    for (size_t i = 0; i < n; i++) {
        bytes[256 + i] = (const unsigned char *)words[i];
        lengths[256 + i] = strlen(words[i]);
    }
    uint32_t eos = (uint32_t)(256 + n);
    bytes[eos] = NULL;
    lengths[eos] = 0;
    return forma_vocabulary_from_bytes(bytes, lengths, NULL, eos + 1, &eos, 1, NULL, NULL);
}

static struct forma_matcher *open_regex(const char *pattern, const struct forma_vocabulary *v,
                                        struct forma_grammar **g) {
    *g = forma_grammar_from_regex(pattern, strlen(pattern), v, NULL, NULL);
    return *g ? forma_matcher_new(*g, v, NULL, NULL) : NULL;
}

/* What `forma_matcher_forced_tokens` finds, token by token with a | between. */
static const char *forced_tokens(struct forma_matcher *m, const struct forma_vocabulary *v) {
    static char out[256];
    uint32_t ids[32];
    size_t n = forma_matcher_forced_tokens(m, NULL, NULL, ids, 32), at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        size_t length = 0;
        const unsigned char *bytes = forma_vocabulary_bytes(v, ids[i], &length);
        at += (size_t)snprintf(out + at, sizeof out - at, "%s%.*s", i ? "|" : "",
                               bytes ? (int)length : 3, bytes ? (const char *)bytes : "end");
    }
    return out;
}

static void test_by_hand(void) {
    static const char *const words[] = {"ab", "bcd", "cde", "cdx", "de"};
    static const struct {
        const char *pattern, *so_far, *tokens;
    } cases[] = {
        {"abcd(e|f)", "", "ab"},     /* "cde" may come: it begins at the c */
        {"abcd(f|g)", "", "ab|c|d"}, /* no "cde", and no "de" either */
        {"abcd", "", "ab|c|d"},      /* nothing follows */
        {"abcd", "abcd", "end"},     /* the one token that may come */
        {"abcd?", "", ""},           /* the text may end behind c, or go on with "cd" */
        {"abcd(x|y)", "a", ""},      /* "cdx" begins inside of "bcd" */
        {"a+", "a", ""},             /* the end may come, or more */
        {"x(ab|cd)", "", "x"},       /* a byte that is a token, no other begins with it */
        {"a(b|c)", "", ""},          /* "ab" may come in place of "a" */
        {"aaaa(b|c)", "", "a|a|a"},
    };
    struct forma_vocabulary *v = vocabulary_with(words, sizeof words / sizeof *words);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct forma_grammar *g;
        struct forma_matcher *m = open_regex(cases[i].pattern, v, &g);
        size_t n = strlen(cases[i].so_far);
        if (!CHECK(m != NULL)) continue;
        CHECK_INT(forma_matcher_accept_bytes(m, (const unsigned char *)cases[i].so_far, n, NULL),
                  FORMA_OK);
        if (!CHECK_STR(forced_tokens(m, v), cases[i].tokens))
            fprintf(stderr, "  in %s behind %s\n", cases[i].pattern, cases[i].so_far);
        forma_matcher_free(m);
        forma_grammar_free(g);
    }
    forma_vocabulary_free(v);
}

/* The longest token each time would take three. */
static void test_fewest(void) {
    static const char *const words[] = {"ab", "bcd", "bbbbbbbb"};
    struct forma_vocabulary *v = vocabulary_with(words, sizeof words / sizeof *words);
    struct forma_grammar *g;
    uint32_t ids[4] = {0};
    struct forma_matcher *m = open_regex("abcd", v, &g);
    CHECK_INT(forma_matcher_plan(m, 0, ids, 4), 2);
    CHECK(ids[0] == 'a' && ids[1] == 257);
    ids[1] = 0;
    CHECK_INT(forma_matcher_plan(m, 0, ids, 1), 2); /* so many, but room for one */
    CHECK(ids[0] == 'a' && ids[1] == 0);
    CHECK(forma_matcher_fits(m, 'a', 2, NULL, NULL) && !forma_matcher_fits(m, 'a', 1, NULL, NULL));
    CHECK(forma_matcher_fits(m, 256, 3, NULL, NULL) && !forma_matcher_fits(m, 256, 2, NULL, NULL));
    CHECK(!forma_matcher_fits(m, 257, 100, NULL, NULL) &&
          !forma_matcher_fits(m, 9999, 100, NULL, NULL));
    CHECK(!forma_matcher_fits(m, 259, 100, NULL, NULL)); /* the end token, too early */
    for (size_t i = 0; i < 2; i++) forma_matcher_accept(m, i ? 257 : 'a', NULL);
    CHECK_INT(forma_matcher_plan(m, 0, ids, 4), 0);
    CHECK(forma_matcher_fits(m, 259, 1, NULL, NULL) && !forma_matcher_fits(m, 259, 0, NULL, NULL));
    CHECK_INT(forma_matcher_accept(m, 259, NULL), FORMA_OK);
    CHECK_INT(forma_matcher_plan(m, 0, ids, 4), 0);
    CHECK_INT(forma_matcher_forced_tokens(m, NULL, NULL, ids, 4), 0);
    CHECK(!forma_matcher_fits(m, 259, 5, NULL, NULL));
    forma_matcher_free(m);
    forma_grammar_free(g);
    /* A longer text in fewer tokens than the shortest one stays the plan. */
    m = open_regex("b{8}|cacac", v, &g);
    size_t known = forma_matcher_plan(m, 0, ids, 4), least = forma_matcher_plan(m, 1000, ids, 4);
    CHECK(least <= known && (least == 1 || least == 5));
    forma_matcher_free(m);
    forma_grammar_free(g);
    forma_vocabulary_free(v);
}

/* Without a vocabulary there are bytes, but no tokens. */
static void test_bytes_only(void) {
    struct forma_grammar *g;
    unsigned char out[8];
    uint32_t id;
    struct forma_matcher *m = open_regex("abc[de]", NULL, &g);
    CHECK_INT(forma_matcher_forced_text(m, out, 8), 3);
    CHECK_INT(forma_matcher_forced_text(m, out, 2), 2);
    CHECK_INT(forma_matcher_forced_tokens(m, NULL, NULL, &id, 1), 0);
    CHECK_INT(forma_matcher_plan(m, 0, &id, 1), SIZE_MAX);
    CHECK(!forma_matcher_fits(m, 0, 1, NULL, NULL));
    forma_matcher_free(m);
    forma_grammar_free(g);
}

/* What only a limit forces is not forced: here another array could be opened, were it not too deep. */
static void test_narrowed(void) {
    static const char schema[] =
        "{\"anyOf\": [{\"const\": 1}, {\"type\": \"array\", \"minItems\": 1, "
        "\"items\": {\"$ref\": \"#\"}}]}";
    for (size_t nesting = 4; nesting <= 6; nesting++) {
        struct forma_options o;
        unsigned char out[8];
        forma_options_init(&o);
        o.style.blanks = FORMA_BLANKS_COMPACT;
        o.max_nesting = nesting;
        struct forma_vocabulary *v = vocabulary_of_bytes(NULL);
        struct forma_grammar *g =
            forma_grammar_from_json_schema(schema, sizeof schema - 1, v, &o, NULL);
        struct forma_matcher *m = g ? forma_matcher_new(g, v, NULL, NULL) : NULL;
        if (CHECK(m != NULL)) {
            uint32_t id;
            CHECK_INT(forma_matcher_accept_bytes(m, (const unsigned char *)"[[[[[[", nesting, NULL),
                      0);
            CHECK_INT(forma_matcher_forced_text(m, out, 8), 0);
            CHECK_INT(forma_matcher_forced_tokens(m, NULL, NULL, &id, 1), 0);
            CHECK_INT(forma_matcher_plan(m, 0, &id, 1), nesting + 1);
        }
        forma_matcher_free(m);
        forma_grammar_free(g);
        forma_vocabulary_free(v);
    }
}

/* Texts of more than one question's bytes come in parts; a completion too long is no plan. */
static void test_long(void) {
    struct forma_grammar *g;
    static uint32_t ids[1 << 16];
    struct forma_vocabulary *v = vocabulary_of_bytes(NULL);
    struct forma_matcher *m = open_regex("a{10000}b{70000}", v, &g);
    CHECK_INT(forma_matcher_forced_tokens(m, NULL, NULL, ids, 1 << 16), 4096);
    CHECK_INT(forma_matcher_plan(m, 0, ids, 1 << 16), 80000);
    CHECK(ids[9999] == 'a' && ids[10000] == 'b');
    CHECK(forma_matcher_fits(m, 'a', 80000, NULL, NULL) &&
          !forma_matcher_fits(m, 'a', 79999, NULL, NULL));
    forma_matcher_free(m);
    forma_grammar_free(g);
    m = open_regex("(a{1000}){2000}", v, &g);
    if (CHECK(m != NULL)) CHECK_INT(forma_matcher_plan(m, 0, ids, 1), SIZE_MAX);
    forma_matcher_free(m);
    forma_grammar_free(g);
    forma_vocabulary_free(v);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    printf("seed %llu\n", (unsigned long long)seed);
    test_by_hand();
    test_fewest();
    test_bytes_only();
    test_narrowed();
    test_long();
    test_walks(seed);
    return test_done("forced");
}
