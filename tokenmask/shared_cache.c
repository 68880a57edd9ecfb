/* SPDX-License-Identifier: MIT */
#include "tokenmask/shared_cache.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/error.h"

/* A lock for readers in stripes: each matcher takes one of them, so that threads that only look do not
 * pass a cache line to and fro; who adds takes them all. */
enum { STRIPES = 16 };
struct stripe {
    _Alignas(64) pthread_mutex_t lock;
};

struct forma_cache {
    struct stripe stripes[STRIPES]; /* first: aligned as the pages are */
    const struct forma_allocator *allocator;
    const struct forma_vocabulary *vocabulary;
    struct mask_cache masks;
    atomic_uint last_number, last_stripe;
};

bool mask_cache_init_for(struct mask_cache *c, const struct forma_vocabulary *v,
                         size_t budget_bytes, const struct forma_allocator *allocator) {
    const uint32_t *bases[MASK_CACHE_BASES - 1] = {v->strings.free_rows[0],
                                                   v->strings.free_rows[1]};
    return mask_cache_init(c, mask_words(v->n_tokens), bases, budget_bytes, allocator);
}

struct forma_cache *forma_cache_new(const struct forma_vocabulary *vocabulary, size_t budget_bytes,
                                    const struct forma_allocator *allocator,
                                    struct forma_error *err) {
    error_clear(err);
    if (!vocabulary) {
        error_set(err, FORMA_EINVAL, "a cache needs a vocabulary");
        return NULL;
    }
    allocator = fa_allocator_or_default(allocator);
    struct forma_cache *c = fa_reserve(allocator, sizeof *c);
    if (!c || !mask_cache_init_for(&c->masks, vocabulary, budget_bytes, allocator)) {
        if (c) fa_release(allocator, c, sizeof *c);
        error_set(err, FORMA_EMEMORY, "no memory for the cache");
        return NULL;
    }
    c->allocator = allocator;
    c->vocabulary = vocabulary;
    for (size_t i = 0; i < STRIPES; i++) pthread_mutex_init(&c->stripes[i].lock, NULL);
    atomic_init(&c->last_number, 0);
    atomic_init(&c->last_stripe, 0);
    return c;
}

void forma_cache_free(struct forma_cache *c) {
    if (!c) return;
    for (size_t i = 0; i < STRIPES; i++) pthread_mutex_destroy(&c->stripes[i].lock);
    mask_cache_destroy(&c->masks);
    fa_release(c->allocator, c, sizeof *c);
}

static void lock_all(struct forma_cache *c) {
    for (size_t i = 0; i < STRIPES; i++) pthread_mutex_lock(&c->stripes[i].lock);
}

static void unlock_all(struct forma_cache *c) {
    for (size_t i = STRIPES; i-- > 0;) pthread_mutex_unlock(&c->stripes[i].lock);
}

size_t forma_cache_memory(struct forma_cache *c) {
    return shared_cache_stats(c).bytes;
}

struct mask_cache_stats shared_cache_stats(struct forma_cache *c) {
    pthread_mutex_lock(&c->stripes[0].lock);
    struct mask_cache_stats s = mask_cache_stats(&c->masks);
    pthread_mutex_unlock(&c->stripes[0].lock);
    return s;
}

uint32_t shared_cache_number(struct forma_cache *c) {
    return atomic_fetch_add_explicit(&c->last_number, 1, memory_order_relaxed) + 1;
}

unsigned shared_cache_stripe(struct forma_cache *c) {
    return atomic_fetch_add_explicit(&c->last_stripe, 1, memory_order_relaxed) % STRIPES;
}

bool shared_cache_serves(const struct forma_cache *c, const struct forma_vocabulary *v) {
    return c->vocabulary == v;
}

bool shared_cache_find(struct forma_cache *c, unsigned stripe, uint32_t owner, struct state state,
                       uint32_t *row) {
    pthread_mutex_lock(&c->stripes[stripe].lock);
    bool found = mask_cache_find(&c->masks, owner, state, row);
    pthread_mutex_unlock(&c->stripes[stripe].lock);
    return found;
}

struct mask_difference mask_find_difference(const struct mask_cache *c, const uint32_t *row,
                                            struct mask_scratch *scratch) {
    return scratch->noted ? mask_cache_noted(c, scratch->changes, scratch->n_changes)
                          : mask_cache_compare(c, row, scratch->changes);
}

void shared_cache_put(struct forma_cache *c, uint32_t owner, struct state state,
                      const uint32_t *row, struct mask_scratch *scratch) {
    struct mask_difference d = mask_find_difference(&c->masks, row, scratch);
    lock_all(c);
    mask_cache_add(&c->masks, owner, state, row, &d);
    unlock_all(c);
}
