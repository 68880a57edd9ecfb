/* SPDX-License-Identifier: MIT
 *
 * Masks by the trie walk equal the definition, in every state of random walks of a toy machine
 * over random vocabularies; the mask cache keeps what it is given and stays within its budget.
 */
#include "tokenmask/mask.h"

#include "tests/lib_alloc.h"
#include "tests/lib_toy_machine.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"
#include "tokenmask/mask_cache.h"

/* Walks by random allowed tokens and compares at each state. */
static void check_walks(struct machine *machine, const struct forma_vocabulary *v, uint64_t seed,
                        int walks) {
    size_t words = mask_words(v->n_tokens);
    uint32_t *fast = malloc(words * sizeof *fast), *slow = malloc(words * sizeof *slow);
    struct mask_frame *path = malloc((v->trie.max_depth + 1) * sizeof *path);
    uint64_t random = seed;
    long states = 0, differ = 0;
    for (int walk = 0; walk < walks; walk++) {
        struct state s = machine->start;
        for (int step = 0; step < 25; step++, states++) {
            mask_fill(machine, v, s, path, fast, words);
            mask_fill_slow(machine, v, s, slow, words);
            if (memcmp(fast, slow, words * sizeof *fast) != 0 && differ++ == 0)
                fprintf(stderr, "masks differ: seed %llu, walk %d, step %d\n",
                        (unsigned long long)seed, walk, step);
            size_t n = mask_count(fast, words);
            if (n == 0) break;
            uint32_t pick = test_below(&random, (uint32_t)n), id = 0;
            for (;; id++)
                if (mask_test(fast, id) && pick-- == 0) break;
            size_t length;
            const unsigned char *bytes = forma_vocabulary_bytes(v, id, &length);
            if (!bytes) break; /* an end token */
            for (size_t i = 0; i < length; i++) s = machine_step(machine, s, bytes[i]);
        }
    }
    CHECK(states > walks);
    CHECK_INT(differ, 0);
    free(fast);
    free(slow);
    free(path);
}

static void test_walks(void) {
    for (int kind = 0; kind < 2; kind++) {
        struct toy_machine toy = {.plain_bytes = kind == 1};
        struct forma_grammar *g = toy_grammar(&toy);
        struct forma_vocabulary *bytes = vocabulary_of_bytes(NULL);
        if (CHECK(g && bytes)) check_walks(&toy.machine, bytes, 7, 40);
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct forma_vocabulary *v = vocabulary_random(seed, 2000);
            if (CHECK(v != NULL)) check_walks(&toy.machine, v, seed, 40);
            forma_vocabulary_free(v);
        }
        forma_vocabulary_free(bytes);
        forma_grammar_free(g);
    }
}

/* Inside a string nearly everything is allowed; at the start of a value little is. */
static void test_known(void) {
    struct toy_machine toy = {0};
    struct forma_grammar *g = toy_grammar(&toy);
    struct forma_vocabulary *v = vocabulary_of_bytes(NULL);
    struct mask_frame path[2];
    uint32_t row[9];
    mask_fill(&toy.machine, v, toy.machine.start, path, row, 9);
    CHECK_INT(mask_count(row, 9), 13); /* ten digits, a quote, two brackets */
    CHECK(!mask_test(row, 256));
    struct state s = machine_step(&toy.machine, toy.machine.start, '"');
    mask_fill(&toy.machine, v, s, path, row, 9);
    CHECK_INT(mask_count(row, 9), 0x60 - 1 + 0xF5 - 0xC2); /* no backslash; lead bytes */
    s = machine_step(&toy.machine, s, '"');
    mask_fill(&toy.machine, v, s, path, row, 9);
    CHECK_INT(mask_count(row, 9), 1);
    CHECK(mask_test(row, 256));
    mask_fill(&toy.machine, v, (struct state){0, 0}, path, row, 9);
    CHECK(mask_is_empty(row, 9));
    forma_vocabulary_free(v);
    forma_grammar_free(g);
}

static void test_cache(void) {
    struct counting_allocator a;
    struct mask_cache c;
    counting_allocator_init(&a);
    const size_t words = 10, budget = 4000;
    if (!CHECK(mask_cache_init(&c, words, budget, &a.allocator))) return;
    CHECK(c.capacity > 10);
    CHECK(a.bytes <= (long long)budget);
    uint32_t row[10], kept = 0;
    const uint32_t n = 500;
    for (uint32_t i = 1; i <= n; i++) {
        struct state s = {i, i * 3};
        for (size_t w = 0; w < words; w++) row[w] = i * 100 + (uint32_t)w;
        CHECK(mask_cache_find(&c, s) == NULL);
        mask_cache_put(&c, s, row);
        const uint32_t *found = mask_cache_find(&c, s);
        CHECK(found && memcmp(found, row, sizeof row) == 0);
    }
    for (uint32_t i = 1; i <= n; i++) {
        const uint32_t *found = mask_cache_find(&c, (struct state){i, i * 3});
        if (!found) continue;
        kept++;
        CHECK_INT(found[9], i * 100 + 9);
    }
    CHECK_INT(kept, c.count);
    CHECK_INT(c.stats.flushes, (n - 1) / c.capacity);
    mask_cache_destroy(&c);
    CHECK_INT(a.blocks, 0);
    CHECK(mask_cache_init(&c, words, 20, &a.allocator)); /* too small for a row */
    mask_cache_put(&c, (struct state){1, 1}, row);
    CHECK(mask_cache_find(&c, (struct state){1, 1}) == NULL);
    mask_cache_destroy(&c);
    a.fail_at = 1;
    CHECK(!mask_cache_init(&c, words, budget, &a.allocator));
}

int main(void) {
    test_known();
    test_walks();
    test_cache();
    return test_done("mask");
}
