/* SPDX-License-Identifier: MIT
 *
 * What matchers share: one cache for several grammars, threads that fill a batch of masks, masks along
 * a draft. All of it is compared with matchers that share nothing.
 *
 *     test_batch [SEED]
 */
#include "tests/lib_alloc.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"
#include "tokenmask/mask.h"
#include "tokenmask/matcher.h"

enum { MATCHERS = 12, ROUNDS = 60, MAX_WORDS = 64, DRAFT = 6 };

static const char *const schemas[] = {
    ("{\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\", \"maxLength\": 9}, "
     "\"value\": {\"type\": \"integer\", \"minimum\": 3, \"maximum\": 70000}}, \"required\": "
     "[\"name\"]}"),
    ("{\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": \"string\", \"pattern\": "
     "\"^(ab|name)+$\"}, {\"type\": \"object\"}, {\"enum\": [1, \"the\", null]}]}}"),
    "{\"type\": \"array\", \"uniqueItems\": true, \"items\": {\"type\": \"string\"}}",
    "{}",
};
enum { SCHEMAS = sizeof schemas / sizeof *schemas };

static struct forma_grammar *compile(const char *schema, struct forma_cache *cache,
                                     const struct forma_vocabulary *v) {
    struct forma_options options;
    forma_options_init(&options);
    options.cache = cache;
    return forma_grammar_from_json_schema(schema, strlen(schema), v, &options, NULL);
}

static struct forma_matcher *alone(struct forma_grammar *g, const struct forma_vocabulary *v) {
    struct forma_matcher_options options;
    forma_matcher_options_init(&options);
    options.mask_cache_bytes = 0;
    return forma_matcher_new(g, v, &options, NULL);
}

/* Some allowed token of a row; UINT32_MAX: none. */
static uint32_t draw(const uint32_t *row, size_t words, uint64_t *random) {
    size_t n = mask_count(row, words);
    if (!n) return UINT32_MAX;
    size_t nth = test_below(random, (uint32_t)n);
    uint32_t id = 0;
    while (!mask_test(row, id) || nth-- > 0) id++;
    return id;
}

/* Walks of many matchers side by side. */
static void check_batch(const struct forma_vocabulary *v, size_t budget, unsigned n_threads,
                        uint64_t seed) {
    static int32_t rows[MATCHERS][MAX_WORDS];
    uint32_t row[MAX_WORDS];
    struct forma_grammar *shared[SCHEMAS], *own[SCHEMAS];
    struct forma_matcher *batch[MATCHERS], *reference[MATCHERS];
    size_t words = mask_words(forma_vocabulary_size(v));
    struct forma_cache *cache = forma_cache_new(v, budget, NULL, NULL);
    struct forma_threads *threads = n_threads ? forma_threads_new(n_threads, NULL, NULL) : NULL;
    if (!CHECK(cache) || !CHECK(!n_threads || threads)) return;
    for (size_t i = 0; i < SCHEMAS; i++) {
        shared[i] = compile(schemas[i], cache, v);
        own[i] = compile(schemas[i], NULL, v);
        if (!CHECK(shared[i] && own[i])) return;
    }
    for (size_t i = 0; i < MATCHERS; i++) {
        batch[i] = forma_matcher_new(shared[i % SCHEMAS], v, NULL, NULL);
        reference[i] = alone(own[i % SCHEMAS], v);
        if (!CHECK(batch[i] && reference[i])) return;
    }
    for (int round = 0; round < ROUNDS; round++) {
        memset(rows, 0x55, sizeof rows);
        CHECK_INT(forma_matcher_masks(batch, MATCHERS, rows[0], MAX_WORDS, threads, NULL),
                  FORMA_OK);
        for (size_t i = 0; i < MATCHERS; i++) {
            CHECK_INT(forma_matcher_mask(reference[i], (int32_t *)row, MAX_WORDS, NULL), FORMA_OK);
            CHECK(memcmp(row, rows[i], sizeof row) == 0);
            /* the same seed for some: then they meet the same states */
            uint64_t random = seed + (uint64_t)round + (i % 2 ? i : 0);
            uint32_t id = draw(row, words, &random);
            if (id == UINT32_MAX) {
                forma_matcher_reset(batch[i]);
                forma_matcher_reset(reference[i]);
                continue;
            }
            CHECK_INT(forma_matcher_accept(batch[i], id, NULL), FORMA_OK);
            CHECK_INT(forma_matcher_accept(reference[i], id, NULL), FORMA_OK);
        }
    }
    CHECK(forma_cache_memory(cache) <= budget);
    if (budget > 1 << 20) {
        CHECK(matcher_cache_stats(batch[0]).hits > 0);
        CHECK(forma_cache_memory(cache) > 0);
    }
    for (size_t i = 0; i < MATCHERS; i++) {
        forma_matcher_free(batch[i]);
        forma_matcher_free(reference[i]);
    }
    for (size_t i = 0; i < SCHEMAS; i++) {
        forma_grammar_free(shared[i]);
        forma_grammar_free(own[i]);
    }
    forma_threads_free(threads);
    forma_cache_free(cache);
}

/* A grammar that takes the place of a freed one finds none of its masks. */
static void check_numbers(const struct forma_vocabulary *v) {
    int32_t row[MAX_WORDS], expected[MAX_WORDS];
    struct forma_cache *cache = forma_cache_new(v, (size_t)1 << 22, NULL, NULL);
    for (size_t i = 0; CHECK(cache) && i < 4 * SCHEMAS; i++) {
        struct forma_grammar *g = compile(schemas[i % SCHEMAS], cache, v);
        struct forma_grammar *other = compile(schemas[i % SCHEMAS], NULL, v);
        struct forma_matcher *m = forma_matcher_new(g, v, NULL, NULL), *r = alone(other, v);
        CHECK_INT(forma_matcher_mask(m, row, MAX_WORDS, NULL), FORMA_OK);
        CHECK_INT(forma_matcher_mask(r, expected, MAX_WORDS, NULL), FORMA_OK);
        CHECK(memcmp(row, expected, sizeof row) == 0);
        CHECK_INT(matcher_cache_stats(m).misses, 1);
        forma_matcher_free(m);
        m = forma_matcher_new(g, v, NULL, NULL); /* the next one of the same grammar finds it */
        CHECK_INT(forma_matcher_mask(m, row, MAX_WORDS, NULL), FORMA_OK);
        CHECK(memcmp(row, expected, sizeof row) == 0);
        CHECK_INT(matcher_cache_stats(m).hits, 1);
        forma_matcher_free(m);
        forma_matcher_free(r);
        forma_grammar_free(g);
        forma_grammar_free(other);
    }
    forma_cache_free(cache);
}

static void check_draft(const struct forma_vocabulary *v, const char *schema, uint64_t seed) {
    static int32_t rows[DRAFT + 1][MAX_WORDS], row[MAX_WORDS];
    struct forma_grammar *g = compile(schema, NULL, v);
    struct forma_matcher *m = forma_matcher_new(g, v, NULL, NULL), *r = alone(g, v);
    uint64_t random = seed;
    size_t words = mask_words(forma_vocabulary_size(v)), n_cut = 0;
    for (int round = 0; CHECK(m && r) && round < ROUNDS; round++) {
        uint32_t draft[DRAFT];
        size_t expected = 0, n_viable;
        bool cut = false;
        struct state before = matcher_state(m);
        for (size_t i = 0; i <= DRAFT && !cut; i++) {
            CHECK_INT(forma_matcher_mask(r, rows[i], MAX_WORDS, NULL), FORMA_OK);
            if (i == DRAFT) break;
            draft[i] = draw((uint32_t *)rows[i], words, &random);
            if (draft[i] == UINT32_MAX || test_below(&random, 8) == 0)
                draft[i] = test_below(&random, (uint32_t)forma_vocabulary_size(v) + 3);
            cut = forma_matcher_accept(r, draft[i], NULL) != FORMA_OK;
            expected += !cut;
            for (size_t k = i + 1; cut && k < DRAFT; k++) draft[k] = 0;
        }
        n_cut += cut;
        forma_matcher_rollback(r, expected, NULL);
        static int32_t found[DRAFT + 1][MAX_WORDS];
        CHECK_INT(forma_matcher_draft_masks(m, draft, DRAFT, found[0], MAX_WORDS, &n_viable, NULL),
                  FORMA_OK);
        CHECK_INT(n_viable, expected);
        CHECK(memcmp(found, rows, (expected + 1) * sizeof *rows) == 0);
        CHECK(state_equal(matcher_state(m), before));
        CHECK_INT(forma_matcher_mask(m, row, MAX_WORDS, NULL), FORMA_OK);
        CHECK(memcmp(row, rows[0], sizeof row) == 0);
        if (expected == 0 || test_below(&random, 4) == 0) {
            forma_matcher_reset(m);
            forma_matcher_reset(r);
        } else {
            CHECK_INT(forma_matcher_accept(m, draft[0], NULL), FORMA_OK);
            CHECK_INT(forma_matcher_accept(r, draft[0], NULL), FORMA_OK);
        }
    }
    CHECK(n_cut > 0);
    forma_matcher_free(m);
    forma_matcher_free(r);
    forma_grammar_free(g);
}

static void check_errors(const struct forma_vocabulary *v) {
    struct forma_error err;
    static int32_t rows[2][MAX_WORDS];
    CHECK(!forma_cache_new(NULL, 100, NULL, &err) && err.status == FORMA_EINVAL);
    CHECK(!forma_threads_new(0, NULL, &err) && err.status == FORMA_EINVAL);
    CHECK(!forma_threads_new(1000, NULL, &err) && err.status == FORMA_EINVAL);
    struct forma_grammar *g = compile("{}", NULL, v);
    struct forma_matcher *m[2] = {forma_matcher_new(g, v, NULL, NULL),
                                  forma_matcher_new(g, NULL, NULL, NULL)};
    CHECK_INT(forma_matcher_masks(m, 2, rows[0], MAX_WORDS, NULL, &err), FORMA_EINVAL);
    CHECK(strstr(err.message, "vocabulary"));
    CHECK(!mask_is_empty((uint32_t *)rows[0], MAX_WORDS)); /* that of the other is made */
    CHECK_INT(forma_matcher_masks(m, 1, rows[0], 1, NULL, &err), FORMA_EINVAL);
    CHECK_INT(forma_matcher_masks(m, 0, rows[0], 1, NULL, &err), FORMA_OK);
    forma_matcher_free(m[0]);
    forma_matcher_free(m[1]);
    forma_grammar_free(g);
    struct counting_allocator a;
    bool made = false;
    for (int fail_at = 1; fail_at < 10 && !made; fail_at++) {
        counting_allocator_init(&a);
        a.fail_at = fail_at;
        struct forma_cache *c = forma_cache_new(v, 1 << 20, &a.allocator, &err);
        made = c != NULL;
        CHECK(made || err.status == FORMA_EMEMORY);
        forma_cache_free(c);
        CHECK_INT(a.blocks, 0);
    }
    CHECK(made);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    printf("seed %llu\n", (unsigned long long)seed);
    struct forma_vocabulary *v = vocabulary_random(seed, 1500);
    if (!CHECK(v != NULL)) return test_done("batch");
    for (unsigned threads = 0; threads <= 4; threads += 2) {
        check_batch(v, (size_t)4 << 20, threads, seed);
        check_batch(v, 20000, threads, seed); /* small: flushed again and again */
    }
    check_numbers(v);
    for (size_t i = 0; i < SCHEMAS; i++) check_draft(v, schemas[i], seed + i);
    check_errors(v);
    forma_vocabulary_free(v);
    return test_done("batch");
}
