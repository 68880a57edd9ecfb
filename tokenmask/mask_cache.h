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
    uint32_t owner;     /* the grammar whose state it is, where several share the cache */
    uint32_t at;        /* the first of its words in the pool */
    uint32_t n;         /* differences; UINT32_MAX: the whole row lies there */
    uint32_t base;
};

struct mask_cache_stats {
    uint64_t hits, misses, flushes; /* hits and misses are counted by who looks */
    size_t bytes;                   /* of the masks that are kept, and their slots */
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
    uint64_t flushes;
};

/* What is to be kept of a row. */
struct mask_difference {
    uint32_t base;
    bool whole;              /* the row itself */
    size_t n;                /* else so many words differ from the base: */
    const uint16_t *changes; /* their indices */
};

/* Rows of `words` words. `bases`: MASK_CACHE_BASES - 1 rows that outlive the cache (some may be
 * NULL), or NULL. A budget too small for one whole row keeps nothing. False: no memory. */
bool mask_cache_init(struct mask_cache *c, size_t words, const uint32_t *const *bases,
                     size_t budget_bytes, const struct forma_allocator *allocator);
/* As it was when it was made. */
void mask_cache_clear(struct mask_cache *c);
/* A zeroed cache is fine. */
void mask_cache_destroy(struct mask_cache *c);
struct mask_cache_stats mask_cache_stats(const struct mask_cache *c);

/* Writes the row of a live state; false where it is not known. Changes nothing: several threads may
 * look while none adds. */
bool mask_cache_find(const struct mask_cache *c, uint32_t owner, struct state state, uint32_t *row);
/* Needs no lock: only what never changes is read. `buffer`: words + 1 indices, in use as long as the
 * result is. */
struct mask_difference mask_cache_compare(const struct mask_cache *c, const uint32_t *row,
                                          uint16_t *buffer);
/* The same where it is known: only these words of the row are not 0, in whatever order, each once. */
struct mask_difference mask_cache_noted(const struct mask_cache *c, const uint16_t *changes,
                                        size_t n);
/* Keeps the row of a state, unless it is there. */
void mask_cache_add(struct mask_cache *c, uint32_t owner, struct state state, const uint32_t *row,
                    const struct mask_difference *d);

#endif
