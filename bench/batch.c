/* SPDX-License-Identifier: MIT
 *
 * A batch of masks on one thread and on several:
 *
 *     build/release/bench/batch TOKENIZER THREADS FILE...
 *
 * A FILE holds a `schema`, as for `forma bench masks`. Each is compiled, and has one matcher. A round
 * makes all masks in one call; then each matcher takes an allowed token, drawn by seed. Times are of the
 * calls alone. Once with every mask made anew, and once more the same texts with the masks kept from
 * the first time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/rng.h"
#include "cli/json_source.h"
#include "forma.h"

#define ROUNDS      100
#define MAX_FILE    ((size_t)64 << 20)
#define CACHE_BYTES ((size_t)1 << 30)

struct batch {
    struct forma_vocabulary *v;
    struct forma_cache *cache;
    struct forma_threads *threads;
    struct forma_grammar **grammars;
    struct forma_matcher **matchers;
    size_t n, words;
    int32_t *rows;
};

static void fail(const char *what, const struct forma_error *err) {
    fprintf(stderr, "batch: %s: %s %s\n", what, err->pointer, err->message);
    exit(1);
}

static struct forma_grammar *compile(const char *path, struct batch *b) {
    struct file_text text;
    struct forma_error err;
    struct arena arena;
    struct forma_options options;
    const struct json_limits limits = {.max_bytes = MAX_FILE, .max_nesting = 512};
    if (file_read(path, MAX_FILE, fa_default_allocator(), &text, &err)) fail(path, &err);
    if (!arena_init(&arena, NULL, 16 * MAX_FILE)) exit(1);
    const struct json_value *root = json_parse(&arena, text.data, text.length, &limits, &err);
    const struct json_value *schema = root ? json_find(root, "schema") : NULL;
    struct forma_grammar *g = NULL;
    forma_options_init(&options);
    options.style = forma_style_exact();
    options.style.blanks = FORMA_BLANKS_NATURAL;
    options.cache = b->cache;
    if (schema)
        g = forma_grammar_from_json_schema(text.data + schema->offset,
                                           json_source_length(text.data, schema), b->v, &options,
                                           &err);
    arena_destroy(&arena);
    file_text_free(&text);
    return g; /* NULL: it has no value, as a rule */
}

static void begin(struct batch *b, char **paths, size_t n, unsigned n_threads) {
    struct forma_error err;
    b->cache = forma_cache_new(b->v, CACHE_BYTES, NULL, &err);
    b->threads = n_threads > 1 ? forma_threads_new(n_threads, NULL, &err) : NULL;
    if (!b->cache || (n_threads > 1 && !b->threads)) fail("threads", &err);
    for (size_t i = b->n = 0; i < n; i++) {
        struct forma_grammar *g = compile(paths[i], b);
        if (!g) continue;
        b->grammars[b->n] = g;
        b->matchers[b->n] = forma_matcher_new(g, b->v, NULL, &err);
        if (!b->matchers[b->n++]) fail(paths[i], &err);
    }
}

static void end(struct batch *b) {
    for (size_t i = 0; i < b->n; i++) {
        forma_matcher_free(b->matchers[i]);
        forma_grammar_free(b->grammars[i]);
    }
    forma_threads_free(b->threads);
    forma_cache_free(b->cache);
}

static void take_token(struct batch *b, size_t i, struct rng *rng) {
    const uint32_t *row = (const uint32_t *)b->rows + i * b->words;
    uint32_t first = (uint32_t)(rng_next(rng) % (32 * b->words));
    for (uint32_t k = 0; k < 32 * b->words; k++) {
        uint32_t id = (first + k) % (uint32_t)(32 * b->words);
        if (!(row[id / 32] >> id % 32 & 1) || forma_vocabulary_is_eos(b->v, id)) continue;
        if (!forma_matcher_accept(b->matchers[i], id, NULL)) return;
    }
    forma_matcher_reset(b->matchers[i]);
}

/* Milliseconds of the calls. */
static double run(struct batch *b, double *slowest) {
    struct forma_error err;
    struct rng rng;
    double sum = 0;
    *slowest = 0;
    rng_seed(&rng, 1);
    for (size_t i = 0; i < b->n; i++) forma_matcher_reset(b->matchers[i]);
    for (int round = 0; round < ROUNDS; round++) {
        double start = clock_ms();
        if (forma_matcher_masks(b->matchers, b->n, b->rows, b->words, b->threads, &err))
            fail("masks", &err);
        double ms = clock_ms() - start;
        sum += ms;
        if (ms > *slowest) *slowest = ms;
        for (size_t i = 0; i < b->n; i++) take_token(b, i, &rng);
    }
    return sum;
}

int main(int argc, char **argv) {
    struct forma_error err;
    struct batch b = {0};
    unsigned n_threads = argc > 3 ? (unsigned)atoi(argv[2]) : 0;
    if (n_threads < 2) {
        fprintf(stderr, "usage: %s TOKENIZER THREADS FILE...  (2 threads or more)\n", argv[0]);
        return 2;
    }
    size_t n = (size_t)argc - 3;
    b.v = forma_vocabulary_open(argv[1], NULL, &err);
    if (!b.v) fail(argv[1], &err);
    b.words = (forma_vocabulary_size(b.v) + 31) / 32;
    b.grammars = calloc(n, sizeof *b.grammars);
    b.matchers = calloc(n, sizeof *b.matchers);
    b.rows = calloc(n * b.words, sizeof *b.rows);
    if (!b.grammars || !b.matchers || !b.rows) return 3;
    double one[2] = {0, 0};
    printf("%-8s %8s %12s %12s %12s %12s %8s\n", "threads", "masks", "", "all, ms", "us a mask",
           "slowest, ms", "ratio");
    for (unsigned t = 1; t <= n_threads; t++) {
        begin(&b, argv + 3, n, t);
        for (int kept = 0; kept < 2; kept++) {
            double slowest, ms = run(&b, &slowest);
            if (t == 1) one[kept] = ms;
            printf("%-8u %8zu %12s %12.1f %12.2f %12.2f %8.2f\n", t, ROUNDS * b.n,
                   kept ? "kept" : "made anew", ms, 1000 * ms / (double)(ROUNDS * b.n), slowest,
                   one[kept] / ms);
        }
        end(&b);
    }
    forma_vocabulary_free(b.v);
    return 0;
}
