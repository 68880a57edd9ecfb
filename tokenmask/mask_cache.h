/* SPDX-License-Identifier: MIT
 *
 * Masks by state, within a byte budget that is reserved when the cache is made: address space, so
 * that a mask costs memory only once it is used. A full cache is emptied and filled again. One
 * owner.
 *
 * A mask is kept as what tells it from a *base*: the empty row, or one of a few rows that live
 * elsewhere (those of a vocabulary). The differences are words by their index; a mask that differs
 * too much is kept whole. Most masks differ from their base in some hundred words.
 */
#ifndef FORMA_TOKENMASK_MASK_CACHE_H
#define FORMA_TOKENMASK_MASK_CACHE_H

#include "automaton/machine.h"
#include "base/alloc.h"

#define MASK_CACHE_BASES 4 /* base 0 is the empty row */

struct mask_cache_slot {
    struct state state; /* dead: the slot is empty */
    uint32_t at;        /* the first of its words in the pool */
    uint32_t n;         /* differences; UINT32_MAX: the whole row lies there */
    uint32_t base;
};

struct mask_cache_stats {
    uint64_t hits, misses, flushes;
    size_t bytes; /* of the masks that are kept, and their slots */
};

struct mask_cache {
    const struct forma_allocator *allocator;
    void *block; /* slots, then the pool */
    size_t block_size;
    struct mask_cache_slot *slots; /* n_slots, a power of two; grows up to max_slots */
    uint32_t *pool;
    uint16_t *changes;                       /* of the mask that is being kept: words + 1 indices */
    const uint32_t *bases[MASK_CACHE_BASES]; /* NULL: not used */
    size_t words, n_slots, max_slots;
    uint32_t count;        /* masks */
    size_t used, capacity; /* words of the pool; capacity 0: nothing is kept */
    struct mask_cache_stats stats;
};

/* Rows of `words` words. `bases`: MASK_CACHE_BASES - 1 rows that outlive the cache (some may be
 * NULL), or NULL. A budget too small for one whole row keeps nothing. False: no memory. */
bool mask_cache_init(struct mask_cache *c, size_t words, const uint32_t *const *bases,
                     size_t budget_bytes, const struct forma_allocator *allocator);
/* A zeroed cache is fine. */
void mask_cache_destroy(struct mask_cache *c);

/* Writes the row of a live state; false where it is not known. */
bool mask_cache_find(struct mask_cache *c, struct state state, uint32_t *row);
/* Keeps the row of a state that is not in the cache. */
void mask_cache_put(struct mask_cache *c, struct state state, const uint32_t *row);

#endif
