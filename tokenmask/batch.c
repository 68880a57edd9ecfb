/* SPDX-License-Identifier: MIT
 *
 * Masks of many matchers at once, by threads that take the next one that nobody has taken. Which thread
 * makes a mask changes nothing of it, so neither does their number.
 */
#include "base/error.h"
#include "base/threads.h"
#include "forma.h"

struct forma_threads {
    const struct forma_allocator *allocator;
    struct threads *pool;
};

struct forma_threads *forma_threads_new(unsigned n, const struct forma_allocator *allocator,
                                        struct forma_error *err) {
    error_clear(err);
    allocator = fa_allocator_or_default(allocator);
    struct forma_threads *t = fa_alloc_zero(allocator, sizeof *t);
    if (!t) {
        error_set(err, FORMA_EMEMORY, "no memory for the threads");
        return NULL;
    }
    t->allocator = allocator;
    t->pool = threads_new(n, allocator, err);
    if (t->pool) return t;
    fa_free(allocator, t, sizeof *t);
    return NULL;
}

void forma_threads_free(struct forma_threads *t) {
    if (!t) return;
    threads_free(t->pool);
    fa_free(t->allocator, t, sizeof *t);
}

struct batch {
    struct forma_matcher *const *matchers;
    int32_t *rows;
    size_t words;
    uint32_t failed; /* the first matcher that failed, or UINT32_MAX; atomically */
};

static void make_mask(void *ctx, uint32_t task, uint32_t thread) {
    struct batch *b = ctx;
    (void)thread;
    if (!forma_matcher_mask(b->matchers[task], b->rows + task * b->words, b->words, NULL)) return;
    uint32_t first = __atomic_load_n(&b->failed, __ATOMIC_RELAXED);
    while (task < first && !__atomic_compare_exchange_n(&b->failed, &first, task, false,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

enum forma_status forma_matcher_masks(struct forma_matcher *const *matchers, size_t n,
                                      int32_t *rows, size_t words, struct forma_threads *threads,
                                      struct forma_error *err) {
    struct batch b = {matchers, rows, words, UINT32_MAX};
    error_clear(err);
    if (n >= UINT32_MAX)
        return error_set(err, FORMA_EINVAL, "%zu matchers are too many for one call", n);
    if (threads)
        threads_run(threads->pool, make_mask, &b, (uint32_t)n);
    else
        for (uint32_t i = 0; i < n; i++) make_mask(&b, i, 0);
    if (b.failed == UINT32_MAX) return FORMA_OK;
    /* once more, for its words */
    return forma_matcher_mask(matchers[b.failed], rows + b.failed * words, words, err);
}
