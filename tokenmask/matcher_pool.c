/* SPDX-License-Identifier: MIT */
#include "tokenmask/matcher_pool.h"

#include <pthread.h>

#include "tokenmask/matcher.h"

#define KEPT 8 /* matchers; each has at most MATCHER_KEPT_BYTES that were touched */

struct matcher_pool {
    const struct forma_allocator *allocator;
    pthread_mutex_t lock;
    size_t n_idle;
    struct forma_matcher *idle[KEPT];
};

struct matcher_pool *matcher_pool_new(const struct forma_allocator *allocator) {
    struct matcher_pool *pool = fa_alloc_zero(allocator, sizeof *pool);
    if (!pool) return NULL;
    pool->allocator = allocator;
    pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

void matcher_pool_free(struct matcher_pool *pool) {
    if (!pool) return;
    while (pool->n_idle) matcher_destroy(pool->idle[--pool->n_idle]);
    pthread_mutex_destroy(&pool->lock);
    fa_free(pool->allocator, pool, sizeof *pool);
}

struct forma_matcher *matcher_pool_take(struct matcher_pool *pool,
                                        const struct forma_matcher_options *options) {
    struct forma_matcher *m = NULL;
    if (fa_allocator_or_default(options->allocator) != pool->allocator) return NULL;
    pthread_mutex_lock(&pool->lock);
    for (size_t i = pool->n_idle; i-- > 0 && !m;)
        if (matcher_suits(pool->idle[i], options)) {
            m = pool->idle[i];
            pool->idle[i] = pool->idle[--pool->n_idle];
        }
    pthread_mutex_unlock(&pool->lock);
    return m;
}

bool matcher_pool_give(struct matcher_pool *pool, struct forma_matcher *m) {
    pthread_mutex_lock(&pool->lock);
    bool room = pool->n_idle < KEPT;
    if (room) pool->idle[pool->n_idle++] = m;
    pthread_mutex_unlock(&pool->lock);
    return room;
}
