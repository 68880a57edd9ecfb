/* SPDX-License-Identifier: MIT
 *
 * One form, many threads: what a matcher says depends on its own text only, whatever the others ask
 * of the same grammar in the meantime. Random walks (masks, ends, completions, rollbacks) of four
 * threads on one grammar are compared with the same walks each alone on a fresh grammar.
 *
 *     test_threads [SEED]
 */
#include <pthread.h>

#include "tests/lib_vocabulary.h"
#include "tests/test.h"
#include "tokenmask/mask.h"

enum { THREADS = 4, WALKS = 30, STEPS = 40, MAX_WORDS = 64, COMPLETION = 1 << 12 };

static const char *const schemas[] = {
    /* Recursion. */
    "{\"$ref\": \"#/$defs/tree\", \"$defs\": {\"tree\": {\"type\": \"object\", \"properties\": "
    "{\"name\": {\"type\": \"string\", \"maxLength\": 5}, \"items\": {\"type\": \"array\", "
    "\"items\": {\"$ref\": \"#/$defs/tree\"}}}, \"required\": [\"name\"], "
    "\"additionalProperties\": false}}}",
    /* An open object; numbers. */
    "{\"type\": \"object\", \"properties\": {\"value\": {\"type\": \"number\", \"minimum\": -12.5, "
    "\"maximum\": 300, \"multipleOf\": 0.25}, \"ab\": {\"enum\": [1, \"ab\", [null]]}}, "
    "\"required\": [\"value\"], \"additionalProperties\": {\"type\": [\"integer\", \"array\"]}}",
    /* Patterns, and alternatives that are searched. */
    "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"anyOf\": [{\"type\": \"string\", "
    "\"pattern\": \"^(ab|name)+$\", \"minLength\": 4}, {\"type\": \"object\", \"properties\": "
    "{\"the\": {\"type\": \"string\", \"pattern\": \"\\\\d{2}\"}}, \"required\": [\"the\"]}, "
    "{\"type\": \"integer\"}]}}",
    /* Whatever is JSON. */
    "{}",
};

struct job {
    struct forma_grammar *grammar;
    const struct forma_vocabulary *v;
    uint64_t seed, hash;
    long states, ends, faults;
    pthread_t thread;
};

static void mix(struct job *job, const void *data, size_t length) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < length; i++)
        job->hash = (job->hash ^ bytes[i]) * UINT64_C(1099511628211);
}

/* The n-th allowed token. */
static uint32_t nth_token(const uint32_t *row, size_t nth) {
    uint32_t id = 0;
    while (!mask_test(row, id) || nth-- > 0) id++;
    return id;
}

/* One step of a walk; false where the walk ends. */
static bool step(struct job *job, struct forma_matcher *m, uint64_t *random) {
    uint32_t row[MAX_WORDS];
    unsigned char text[COMPLETION];
    size_t words = forma_matcher_mask_words(m);
    job->faults += forma_matcher_mask(m, (int32_t *)row, words, NULL) != FORMA_OK;
    job->faults += forma_matcher_narrowed(m); /* no limit is met, so none explains a difference */
    bool end = forma_matcher_accepts_end(m);
    size_t length = forma_matcher_completion(m, text, sizeof text);
    mix(job, row, words * 4);
    mix(job, &end, sizeof end);
    mix(job, &length, sizeof length);
    job->states++;
    if (length > sizeof text) {
        job->faults++;
        return false;
    }
    mix(job, text, length);
    uint32_t kind = test_below(random, 10);
    if (kind == 0 && length > 0) {
        job->faults += forma_matcher_accept_bytes(m, text, length, NULL) != FORMA_OK;
        job->faults += !forma_matcher_accepts_end(m);
        return true;
    }
    if (kind == 1 && forma_matcher_rollback(m, 1 + test_below(random, 3), NULL) == FORMA_OK)
        return true;
    size_t n = mask_count(row, words);
    if (n == 0) {
        job->faults++;
        return false;
    }
    uint32_t id = nth_token(row, test_below(random, (uint32_t)n));
    job->faults += forma_matcher_accept(m, id, NULL) != FORMA_OK;
    mix(job, &id, sizeof id);
    if (!forma_vocabulary_is_eos(job->v, id)) return true;
    job->ends++;
    return false;
}

static void *walk(void *arg) {
    struct job *job = arg;
    struct forma_matcher_options options;
    uint64_t random = job->seed;
    forma_matcher_options_init(&options);
    if (job->seed % 2) options.mask_cache_bytes = 1 << 14; /* small: flushed now and then */
    struct forma_matcher *m = forma_matcher_new(job->grammar, job->v, &options, NULL);
    if (!m) {
        job->faults++;
        return NULL;
    }
    for (int i = 0; i < WALKS; i++) {
        forma_matcher_reset(m);
        for (int n = 0; n < STEPS && step(job, m, &random); n++) continue;
    }
    forma_matcher_free(m);
    return NULL;
}

static struct forma_grammar *compile(const char *schema, bool exact,
                                     const struct forma_vocabulary *v) {
    struct forma_options options;
    struct forma_error err = {0};
    forma_options_init(&options);
    if (exact) options.style = forma_style_exact();
    struct forma_grammar *g =
        forma_grammar_from_json_schema(schema, strlen(schema), v, &options, &err);
    if (!CHECK(g != NULL)) fprintf(stderr, "%s: %s %s\n", schema, err.pointer, err.message);
    return g;
}

static void check_form(const char *schema, bool exact, const struct forma_vocabulary *v,
                       uint64_t seed) {
    struct job jobs[THREADS];
    struct forma_grammar *shared = compile(schema, exact, v);
    if (!shared) return;
    int started = 0;
    for (; started < THREADS; started++) {
        struct job *job = &jobs[started];
        *job = (struct job){.grammar = shared, .v = v, .seed = seed + (uint64_t)started};
        if (!CHECK_INT(pthread_create(&job->thread, NULL, walk, job), 0)) break;
    }
    for (int i = 0; i < started; i++) pthread_join(jobs[i].thread, NULL);
    for (int i = 0; i < started; i++) {
        struct job alone = {.v = v, .seed = seed + (uint64_t)i};
        alone.grammar = compile(schema, exact, v);
        if (!alone.grammar) break;
        walk(&alone);
        bool same = CHECK(jobs[i].hash == alone.hash);
        same &= CHECK_INT(jobs[i].states, alone.states);
        same &= CHECK_INT(jobs[i].ends, alone.ends);
        same &= CHECK_INT(jobs[i].faults, 0);
        same &= CHECK_INT(alone.faults, 0);
        same &= CHECK(alone.states > STEPS);
        if (!same)
            fprintf(stderr, "  seed %llu, exact %d: %s\n", (unsigned long long)alone.seed, exact,
                    schema);
        forma_grammar_free(alone.grammar);
    }
    forma_grammar_free(shared);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    printf("seed %llu\n", (unsigned long long)seed);
    struct forma_vocabulary *v = vocabulary_random(seed, 1500);
    if (!CHECK(v != NULL) || !CHECK(mask_words(forma_vocabulary_size(v)) <= MAX_WORDS))
        return test_done("threads");
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        check_form(schemas[i], false, v, seed);
        check_form(schemas[i], true, v, seed + THREADS);
    }
    forma_vocabulary_free(v);
    return test_done("threads");
}
