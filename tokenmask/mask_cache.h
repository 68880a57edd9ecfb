/* SPDX-License-Identifier: MIT
 *
 * Masks by state, within a byte budget that is reserved when the cache is made: address space, so
 * a row costs memory only once it is used. A full cache is emptied and filled again. One owner.
 */
#ifndef FORMA_TOKENMASK_MASK_CACHE_H
#define FORMA_TOKENMASK_MASK_CACHE_H

#include "automaton/machine.h"
#include "base/alloc.h"

struct mask_cache_slot {
    struct state state; /* dead: the slot is empty */
    uint32_t row;
};

struct mask_cache_stats {
    uint64_t hits, misses, flushes;
};

struct mask_cache {
    const struct forma_allocator *allocator;
    void *block; /* slots, then rows */
    size_t block_size;
    struct mask_cache_slot *slots; /* n_slots, a power of two, at least twice the rows */
    uint32_t *rows;                /* (capacity, words) */
    size_t words, n_slots;
    uint32_t count, capacity; /* rows; capacity 0: nothing is kept */
    struct mask_cache_stats stats;
};

/* Rows of `words` words. A budget too small for one row keeps nothing. False: no memory. */
bool mask_cache_init(struct mask_cache *c, size_t words, size_t budget_bytes,
                     const struct forma_allocator *allocator);
/* A zeroed cache is fine. */
void mask_cache_destroy(struct mask_cache *c);

/* The row of a live state, or NULL. Valid until the next put. */
const uint32_t *mask_cache_find(struct mask_cache *c, struct state state);
/* Keeps a copy of the row of a state that is not in the cache. */
void mask_cache_put(struct mask_cache *c, struct state state, const uint32_t *row);

#endif
