/* SPDX-License-Identifier: MIT */
#include "automaton/json_pool.h"

#include <pthread.h>

#define KEPT 4 /* machines: as many as compile at the same time, on most hosts */

struct json_pool {
    const struct forma_allocator *allocator;
    pthread_mutex_t lock;
    size_t users; /* the owner, and machines that were taken */
    size_t n_idle;
    struct json_machine *idle[KEPT];
};

struct json_pool *json_pool_new(const struct forma_allocator *allocator) {
    struct json_pool *pool = fa_alloc_zero(allocator, sizeof *pool);
    if (!pool) return NULL;
    pool->allocator = allocator;
    pool->users = 1;
    pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

static void destroy(struct json_pool *pool) {
    while (pool->n_idle) json_machine_destroy(pool->idle[--pool->n_idle]);
    pthread_mutex_destroy(&pool->lock);
    fa_free(pool->allocator, pool, sizeof *pool);
}

static void leave(struct json_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    bool last = --pool->users == 0;
    pthread_mutex_unlock(&pool->lock);
    if (last) destroy(pool);
}

void json_pool_release(struct json_pool *pool) {
    if (pool) leave(pool);
}

void json_pool_forget(struct json_pool *pool) {
    leave(pool);
}

static struct json_machine *find(struct json_pool *pool,
                                 const struct json_machine_options *options) {
    struct json_machine *m = NULL;
    pthread_mutex_lock(&pool->lock);
    for (size_t i = pool->n_idle; i-- > 0 && !m;)
        if (json_machine_suits(pool->idle[i], options)) {
            m = pool->idle[i];
            pool->idle[i] = pool->idle[--pool->n_idle];
        }
    pool->users++;
    pthread_mutex_unlock(&pool->lock);
    return m;
}

struct json_machine *json_pool_take(struct json_pool *pool,
                                    const struct json_machine_options *options,
                                    struct forma_error *err) {
    if (!pool || pool->allocator != options->allocator) return json_machine_new(options, err);
    struct json_machine *m = find(pool, options);
    if (!m) m = json_machine_new(options, err);
    if (m)
        json_machine_belongs_to(m, pool);
    else
        leave(pool);
    return m;
}

void json_pool_give(struct json_pool *pool, struct json_machine *m) {
    struct json_machine *oldest = NULL;
    pthread_mutex_lock(&pool->lock);
    if (pool->n_idle == KEPT) {
        oldest = pool->idle[0];
        for (size_t i = 1; i < KEPT; i++) pool->idle[i - 1] = pool->idle[i];
        pool->n_idle--;
    }
    pool->idle[pool->n_idle++] = m;
    pthread_mutex_unlock(&pool->lock);
    json_machine_destroy(oldest);
    leave(pool);
}
