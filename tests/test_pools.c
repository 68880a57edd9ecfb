/* SPDX-License-Identifier: MIT
 *
 * Machines and matchers that are used again: what was there before must not show. Each schema's masks
 * and memory are those that it has with a vocabulary of its own.
 *
 *     test_pools [SEED]
 */
#include <pthread.h>
#include <stdlib.h>

#include "tests/lib_alloc.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"
#include "tokenmask/mask.h"
#include "tokenmask/matcher.h"

enum { MAX_WORDS = 64, STEPS = 25, ROUNDS = 30, THREADS = 4 };

static const char *const schemas[] = {
    ("{\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\", \"maxLength\": 9}, "
     "\"value\": {\"type\": \"integer\", \"minimum\": 3, \"maximum\": 70000}}, \"required\": "
     "[\"name\"], \"additionalProperties\": false}"),
    "{\"type\": \"array\", \"items\": {\"type\": \"string\", \"pattern\": \"^(ab|name)+$\"}}",
    "{\"type\": \"array\", \"uniqueItems\": true, \"items\": {\"type\": \"string\"}}",
    "{\"enum\": [\"the\", \"name\", 17, null, [1, 2]]}",
    "{\"type\": \"string\", \"format\": \"date-time\"}",
    "{}",
};
enum { SCHEMAS = sizeof schemas / sizeof *schemas };

/* What a walk of drawn tokens meets, as a number; 0: something failed. (Threads cannot check.) */
static uint64_t walk(struct forma_grammar *g, const struct forma_vocabulary *v, uint64_t seed) {
    int32_t row[MAX_WORDS];
    size_t words = mask_words(forma_vocabulary_size(v));
    struct forma_matcher *m = forma_matcher_new(g, v, NULL, NULL);
    uint64_t seen = 1;
    for (unsigned i = 0; m && seen && i < STEPS && !forma_matcher_is_finished(m); i++) {
        uint32_t id = 0;
        bool fine = forma_matcher_mask(m, row, words, NULL) == FORMA_OK;
        size_t n = fine ? mask_count((const uint32_t *)row, words) : 0;
        size_t nth = n ? test_below(&seed, (uint32_t)n) : 0;
        while (n && (!mask_test((const uint32_t *)row, id) || nth-- > 0)) id++;
        for (size_t w = 0; w < words; w++) seen = seen * 1000003 + (uint32_t)row[w];
        if (!n || forma_matcher_accept(m, id, NULL) != FORMA_OK) seen = 0;
    }
    forma_matcher_free(m);
    return m ? seen : 0;
}

static uint64_t compile_and_walk(unsigned schema, const struct forma_vocabulary *v, uint64_t seed,
                                 size_t *memory) {
    struct forma_grammar *g =
        forma_grammar_from_json_schema(schemas[schema], strlen(schemas[schema]), v, NULL, NULL);
    uint64_t seen = g ? walk(g, v, seed) : 0;
    if (g && memory) *memory = forma_grammar_memory(g);
    forma_grammar_free(g);
    return seen;
}

static void check_reuse(uint64_t seed) {
    struct forma_vocabulary *v = vocabulary_random(seed, 700);
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned schema = test_below(&seed, SCHEMAS);
        size_t memory = 0, own_memory = 0;
        struct forma_vocabulary *own = vocabulary_random(seed, 700);
        uint64_t before = compile_and_walk(schema, own, seed, &own_memory);
        forma_vocabulary_free(v);
        v = vocabulary_random(seed, 700);
        for (unsigned other = 0; other < SCHEMAS; other++)
            CHECK(compile_and_walk(other, v, seed + other, NULL) != 0);
        CHECK(before != 0);
        CHECK(compile_and_walk(schema, v, seed, &memory) == before);
        CHECK_INT(memory, own_memory);
        forma_vocabulary_free(own);
    }
    forma_vocabulary_free(v);
}

/* The second time no address space is asked for, and all is given back whoever ends first. */
static void check_memory(void) {
    struct counting_allocator c;
    counting_allocator_init(&c);
    struct forma_vocabulary *v = vocabulary_of_bytes(&c.allocator);
    struct forma_options options;
    struct forma_matcher_options matcher_options;
    forma_options_init(&options);
    forma_matcher_options_init(&matcher_options);
    options.allocator = matcher_options.allocator = &c.allocator;
    long calls[3];
    for (unsigned i = 0; i < 3; i++) {
        long before = c.calls;
        struct forma_grammar *g = forma_grammar_from_json_schema("{}", 2, v, &options, NULL);
        struct forma_matcher *m = forma_matcher_new(g, v, &matcher_options, NULL);
        calls[i] = c.calls - before;
        forma_matcher_free(m);
        forma_grammar_free(g);
    }
    CHECK(calls[1] < calls[0]);
    CHECK_INT(calls[1], calls[2]);
    CHECK_INT(calls[1], 1); /* the handle of the grammar */
    struct forma_grammar *last = forma_grammar_from_json_schema("{}", 2, v, &options, NULL);
    forma_vocabulary_free(v);
    struct forma_matcher *m = forma_matcher_new(last, NULL, &matcher_options, NULL);
    CHECK_INT(forma_matcher_accept_bytes(m, (const unsigned char *)"[1]", 3, NULL), FORMA_OK);
    forma_matcher_free(m);
    forma_grammar_free(last);
    CHECK_INT(c.blocks, 0);
    CHECK_INT(c.bytes, 0);
}

struct job {
    const struct forma_vocabulary *v;
    uint64_t seed, seen[SCHEMAS];
};

static void *run(void *arg) {
    struct job *job = arg;
    for (unsigned round = 0; round < 4; round++)
        for (unsigned s = 0; s < SCHEMAS; s++)
            job->seen[s] = compile_and_walk(s, job->v, job->seed + s, NULL);
    return NULL;
}

static void check_threads(uint64_t seed) {
    struct forma_vocabulary *v = vocabulary_random(seed, 300);
    struct job jobs[THREADS];
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){.v = v, .seed = seed};
        if (pthread_create(&threads[i], NULL, run, &jobs[i])) abort();
    }
    for (unsigned i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (unsigned s = 0; s < SCHEMAS; s++) CHECK(jobs[0].seen[s] != 0);
    for (unsigned i = 1; i < THREADS; i++)
        CHECK(memcmp(jobs[i].seen, jobs[0].seen, sizeof jobs[0].seen) == 0);
    forma_vocabulary_free(v);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20;
    check_reuse(seed);
    check_memory();
    check_threads(seed);
    return test_done("pools");
}
