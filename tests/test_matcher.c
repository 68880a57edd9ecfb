/* SPDX-License-Identifier: MIT
 *
 * Matchers over a toy machine: masks by definition, rollback, ends, limits, copies, threads; and
 * that nothing is allocated once a matcher is made.
 */
#include "tokenmask/matcher.h"

#include <pthread.h>

#include "tests/lib_alloc.h"
#include "tests/lib_toy_machine.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"
#include "tokenmask/mask.h"

enum { END = 256, WORDS = 9 };

static enum forma_status feed(struct forma_matcher *m, const char *text, struct forma_error *err) {
    return forma_matcher_accept_bytes(m, (const unsigned char *)text, strlen(text), err);
}

static size_t count_allowed(struct forma_matcher *m) {
    int32_t row[WORDS];
    if (!CHECK_INT(forma_matcher_mask(m, row, WORDS, NULL), FORMA_OK)) return 0;
    return mask_count((const uint32_t *)row, WORDS);
}

static void test_steps(struct forma_grammar *g, const struct forma_vocabulary *v) {
    struct forma_error err;
    char text[64];
    unsigned char completion[8];
    struct forma_matcher *m = forma_matcher_new(g, v, NULL, &err);
    if (!CHECK(m != NULL)) return;
    CHECK_INT(forma_matcher_mask_words(m), WORDS);
    CHECK(!forma_matcher_accepts_end(m) && !forma_matcher_is_finished(m));
    CHECK_INT(forma_matcher_accept(m, '[', &err), FORMA_OK);
    CHECK_INT(forma_matcher_accept(m, '}', &err), FORMA_EREFUSED);
    CHECK_INT(err.offset, 0);
    CHECK(strstr(err.message, "'}' does not fit") && strstr(err.message, "region 2 of toy"));
    CHECK_INT(feed(m, "{1,\"a\xFF", &err), FORMA_EREFUSED);
    CHECK_INT(err.offset, 5);
    CHECK_INT(feed(m, "{1,\"a", &err), FORMA_OK); /* the refused text left nothing behind */
    CHECK_INT(forma_matcher_completion(m, completion, 8), 3);
    CHECK(memcmp(completion, "\"}]", 3) == 0);
    CHECK_INT(forma_matcher_completion(m, completion, 2), SIZE_MAX);
    forma_matcher_describe(m, text, sizeof text);
    CHECK_STR(text, "region 4 of toy");
    CHECK_INT(forma_matcher_accept(m, END, &err), FORMA_EREFUSED);
    CHECK_INT(forma_matcher_accept(m, 257, &err), FORMA_EINVAL);
    CHECK_INT(feed(m, "\"}]", &err), FORMA_OK);
    CHECK(forma_matcher_accepts_end(m) && forma_matcher_is_finished(m));
    CHECK_INT(count_allowed(m), 1);
    CHECK_INT(forma_matcher_accept(m, END, &err), FORMA_OK);
    CHECK(forma_matcher_is_finished(m));
    CHECK_INT(count_allowed(m), 0);
    CHECK_INT(forma_matcher_accept(m, END, &err), FORMA_EREFUSED);
    CHECK_INT(forma_matcher_accept(m, ' ', &err), FORMA_EREFUSED);
    forma_matcher_describe(m, text, 10);
    CHECK_STR(text, "nothing: ");
    CHECK_INT(forma_matcher_rollback(m, 1, &err), FORMA_OK); /* the end */
    CHECK_INT(count_allowed(m), 1);
    CHECK_INT(forma_matcher_rollback(m, 2, &err), FORMA_OK);
    forma_matcher_describe(m, text, sizeof text);
    CHECK_STR(text, "region 2 of toy");
    CHECK_INT(forma_matcher_rollback(m, 2, &err), FORMA_EINVAL);
    forma_matcher_reset(m);
    CHECK_INT(forma_matcher_rollback(m, 1, &err), FORMA_EINVAL);
    CHECK_INT(feed(m, "12", &err), FORMA_OK);
    CHECK(forma_matcher_accepts_end(m) && !forma_matcher_is_finished(m));
    CHECK_INT(count_allowed(m), 11);
    forma_matcher_free(m);
    forma_matcher_free(NULL);
}

static void test_rows(struct forma_grammar *g, const struct forma_vocabulary *v) {
    struct forma_error err;
    struct forma_matcher *m = forma_matcher_new(g, v, NULL, &err);
    int32_t wide[WORDS + 3];
    if (!CHECK(m != NULL)) return;
    memset(wide, 0xFF, sizeof wide);
    CHECK_INT(forma_matcher_mask(m, wide, WORDS + 3, &err), FORMA_OK);
    CHECK_INT(mask_count((const uint32_t *)wide, WORDS + 3), 13);
    memset(wide, 0xFF, sizeof wide);
    CHECK_INT(forma_matcher_mask(m, wide, WORDS + 3, &err), FORMA_OK); /* from the cache */
    CHECK_INT(mask_count((const uint32_t *)wide, WORDS + 3), 13);
    CHECK_INT(matcher_cache_stats(m).hits, 1);
    CHECK_INT(matcher_cache_stats(m).misses, 1);
    CHECK_INT(forma_matcher_mask(m, wide, WORDS - 1, &err), FORMA_EINVAL);
    forma_matcher_free(m);
    m = forma_matcher_new(g, NULL, NULL, &err); /* bytes only */
    if (!CHECK(m != NULL)) return;
    CHECK_INT(forma_matcher_mask_words(m), 0);
    CHECK_INT(forma_matcher_mask(m, wide, WORDS, &err), FORMA_EINVAL);
    CHECK_INT(forma_matcher_accept(m, '1', &err), FORMA_EINVAL);
    CHECK_INT(feed(m, "{}", &err), FORMA_OK);
    CHECK(forma_matcher_is_finished(m));
    forma_matcher_free(m);
}

/* A grammar that was compiled without looking at the vocabulary comes to a place where no token
 * fits: an error, not an empty mask. A vocabulary without end tokens is no such error. */
static void test_foreign_vocabulary(struct forma_grammar *g) {
    static const unsigned char *const bytes[] = {(const unsigned char *)"[",
                                                 (const unsigned char *)"1"};
    static const size_t lengths[] = {1, 1};
    struct forma_error err;
    int32_t row[1] = {-1};
    struct forma_vocabulary *v =
        forma_vocabulary_from_bytes(bytes, lengths, NULL, 2, NULL, 0, NULL, &err);
    struct forma_matcher *m = v ? forma_matcher_new(g, v, NULL, &err) : NULL;
    if (!CHECK(m != NULL)) return;
    CHECK_INT(feed(m, "[{\"", &err), FORMA_OK);
    for (int twice = 0; twice < 2; twice++) {
        CHECK_INT(forma_matcher_mask(m, row, 1, &err), FORMA_OK); /* a string goes on */
        CHECK_INT(row[0], 3);
    }
    CHECK_INT(feed(m, "a\"", &err), FORMA_OK);
    for (int twice = 0; twice < 2; twice++) {
        row[0] = -1;
        CHECK_INT(forma_matcher_mask(m, row, 1, &err), FORMA_EINVAL);
        CHECK_INT(row[0], 0);
        CHECK(strstr(err.message, "compile the grammar with the vocabulary") != NULL);
    }
    CHECK_INT(feed(m, "}]", &err), FORMA_OK);
    CHECK(forma_matcher_is_finished(m));
    CHECK_INT(forma_matcher_mask(m, row, 1, &err), FORMA_OK);
    CHECK_INT(row[0], 0);
    forma_matcher_free(m);
    forma_vocabulary_free(v);
}

/* Random walks with rollbacks: states and masks come back, with a large cache, a tiny one and
 * none; a copy goes on from the same place on its own. */
static void test_rollback(struct forma_grammar *g, uint64_t seed, size_t cache_bytes) {
    struct forma_vocabulary *v = vocabulary_random(seed, 900);
    struct forma_matcher_options options;
    forma_matcher_options_init(&options);
    options.mask_cache_bytes = cache_bytes;
    options.max_rollback = 8;
    struct forma_matcher *m = forma_matcher_new(g, v, &options, NULL);
    enum { STEPS = 30, MAX_WORDS = 64 };
    static uint32_t rows[STEPS + 1][MAX_WORDS], slow[MAX_WORDS], again[MAX_WORDS];
    struct state states[STEPS + 1];
    uint64_t random = seed;
    size_t words = forma_matcher_mask_words(m), wrong = 0;
    if (!CHECK(m != NULL) || !CHECK(words <= MAX_WORDS)) return;
    for (int walk = 0; walk < 60; walk++) {
        forma_matcher_reset(m);
        for (int step = 0, kept = 0; step < STEPS; step++) {
            states[step] = matcher_state(m);
            if (forma_matcher_mask(m, (int32_t *)rows[step], words, NULL)) wrong++;
            matcher_mask_slow(m, slow, words);
            wrong += memcmp(rows[step], slow, words * 4) != 0;
            size_t n = mask_count(rows[step], words);
            if (n == 0) break;
            uint32_t pick = test_below(&random, (uint32_t)n), id = 0;
            for (;; id++)
                if (mask_test(rows[step], id) && pick-- == 0) break;
            wrong += forma_matcher_accept(m, id, NULL) != FORMA_OK;
            if (kept < 8) kept++;
            if (forma_vocabulary_is_eos(v, id)) break;
            if (test_below(&random, 4) || kept < 2) continue;
            int back = 1 + (int)test_below(&random, (uint32_t)kept);
            wrong += forma_matcher_rollback(m, (size_t)back, NULL) != FORMA_OK;
            kept -= back;
            step -= back;
            wrong += !state_equal(matcher_state(m), states[step + 1]);
            if (forma_matcher_mask(m, (int32_t *)again, words, NULL)) wrong++;
            wrong += memcmp(again, rows[step + 1], words * 4) != 0;
        }
        struct forma_matcher *copy = forma_matcher_copy(m, NULL);
        if (!CHECK(copy != NULL)) break;
        while (forma_matcher_rollback(m, 1, NULL) == FORMA_OK)
            wrong += forma_matcher_rollback(copy, 1, NULL) != FORMA_OK ||
                     !state_equal(matcher_state(m), matcher_state(copy));
        wrong += forma_matcher_rollback(copy, 1, NULL) == FORMA_OK;
        forma_matcher_free(copy);
    }
    if (!CHECK_INT(wrong, 0)) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    forma_matcher_free(m);
    forma_vocabulary_free(v);
}

/* What a search that gave up and a full memory do to masks and steps. */
static void test_limits(const struct forma_vocabulary *v) {
    struct toy_machine toy = {.narrow_on_7 = true};
    struct forma_grammar *g = toy_grammar(&toy);
    struct forma_matcher *m = forma_matcher_new(g, v, NULL, NULL);
    struct forma_error err;
    if (!CHECK(m != NULL)) return;
    CHECK(!forma_matcher_narrowed(m));
    CHECK_INT(forma_matcher_narrowed_by(m), 0);
    CHECK_INT(count_allowed(m), 12);
    CHECK(forma_matcher_narrowed(m));
    CHECK_INT(forma_matcher_narrowed_by(m), FORMA_LIMIT_WORK);
    CHECK_STR(forma_strlimits(FORMA_LIMIT_WORK | FORMA_LIMIT_FIXED), "max_work");
    CHECK_STR(forma_strlimits(FORMA_LIMIT_MEMORY | FORMA_LIMIT_NESTING),
              "max_nesting and max_memory");
    CHECK_STR(forma_strlimits(FORMA_LIMIT_FIXED), "");
    CHECK_INT(count_allowed(m), 12);
    CHECK_INT(matcher_cache_stats(m).hits, 0); /* a narrowed mask is not kept */
    CHECK_INT(feed(m, "7", &err), FORMA_EREFUSED);
    CHECK(strstr(err.message, "max_work") != NULL);
    CHECK(forma_matcher_narrowed(m));
    CHECK_INT(feed(m, "\"7", &err), FORMA_OK);
    CHECK(!forma_matcher_narrowed(m));
    forma_matcher_reset(m);
    toy.fail_on_8 = true;
    int32_t row[WORDS];
    CHECK_INT(forma_matcher_mask(m, row, WORDS, &err), FORMA_ELIMIT);
    CHECK(mask_is_empty((uint32_t *)row, WORDS));
    CHECK(strstr(err.message, "max_memory") != NULL);
    CHECK_INT(feed(m, "1", &err), FORMA_ELIMIT);
    forma_matcher_free(m);
    forma_grammar_free(g);
}

/* Vocabulary and matcher: every allocation may fail; afterwards nothing is held. And a matcher
 * that was made asks for nothing more. */
static void test_memory(struct forma_grammar *g) {
    struct counting_allocator c;
    counting_allocator_init(&c);
    for (long fail = 1; fail < 200; fail++) {
        struct forma_error err = {.status = FORMA_OK};
        struct forma_matcher_options options = {1 << 16, 10, &c.allocator};
        c.calls = 0;
        c.fail_at = fail;
        unsigned char text[] = "[\"]12";
        const unsigned char *bytes[] = {text, text + 1, text + 2, text + 3, text};
        size_t lengths[] = {1, 1, 1, 2, 0};
        uint32_t eos = 4;
        struct forma_vocabulary *v =
            forma_vocabulary_from_bytes(bytes, lengths, NULL, 5, &eos, 1, &c.allocator, &err);
        struct forma_matcher *m = v ? forma_matcher_new(g, v, &options, &err) : NULL;
        struct forma_matcher *copy = m ? forma_matcher_copy(m, &err) : NULL;
        bool done = copy != NULL;
        CHECK_INT(err.status, done ? FORMA_OK : FORMA_EMEMORY);
        if (done) {
            long calls = c.calls;
            int32_t row[1];
            for (int i = 0; i < 100; i++) {
                CHECK_INT(forma_matcher_mask(m, row, 1, &err), FORMA_OK);
                forma_matcher_accept(m, (uint32_t)i % 5, &err);
                forma_matcher_is_finished(m);
                if (i % 7 == 0) forma_matcher_rollback(m, 1, &err);
            }
            CHECK_INT(c.calls, calls);
        }
        forma_matcher_free(copy);
        forma_matcher_free(m);
        forma_vocabulary_free(v);
        CHECK_INT(c.blocks, 0);
        CHECK_INT(c.bytes, 0);
        if (done) return;
    }
    CHECK(false); /* allocations never sufficed */
}

struct thread_job {
    struct forma_grammar *grammar;
    const struct forma_vocabulary *vocabulary;
    uint64_t hash;
    pthread_t thread;
};

static void *walk_in_thread(void *arg) {
    struct thread_job *job = arg;
    struct forma_matcher *m = forma_matcher_new(job->grammar, job->vocabulary, NULL, NULL);
    uint64_t random = 42;
    int32_t row[WORDS];
    for (int step = 0; m && step < 2000; step++) {
        if (forma_matcher_mask(m, row, WORDS, NULL)) break;
        for (int i = 0; i < WORDS; i++) job->hash = job->hash * 31 + (uint32_t)row[i];
        uint32_t id = test_below(&random, 257);
        if (forma_matcher_is_finished(m)) forma_matcher_reset(m);
        forma_matcher_accept(m, id, NULL);
    }
    forma_matcher_free(m);
    return NULL;
}

static void test_threads(struct forma_grammar *g, const struct forma_vocabulary *v) {
    struct thread_job jobs[4];
    for (int i = 0; i < 4; i++) {
        jobs[i] = (struct thread_job){.grammar = g, .vocabulary = v};
        CHECK_INT(pthread_create(&jobs[i].thread, NULL, walk_in_thread, &jobs[i]), 0);
    }
    for (int i = 0; i < 4; i++) pthread_join(jobs[i].thread, NULL);
    CHECK(jobs[0].hash != 0);
    for (int i = 1; i < 4; i++) CHECK(jobs[i].hash == jobs[0].hash);
}

int main(void) {
    struct toy_machine toy = {0};
    struct forma_grammar *g = toy_grammar(&toy);
    struct forma_vocabulary *v = vocabulary_of_bytes(NULL);
    if (!CHECK(g && v)) return test_done("matcher");
    test_steps(g, v);
    test_rows(g, v);
    test_foreign_vocabulary(g);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        test_rollback(g, seed, (size_t)1 << 20);
        test_rollback(g, seed, 4096);
        test_rollback(g, seed, 0);
    }
    test_limits(v);
    test_memory(g);
    test_threads(g, v);
    forma_vocabulary_free(v);
    forma_grammar_free(g);
    return test_done("matcher");
}
