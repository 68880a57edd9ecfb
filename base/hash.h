/* SPDX-License-Identifier: MIT
 *
 * Hash-consing: a table from hash to 32-bit id that knows nothing of what the ids name. The
 * caller keeps the records, compares them, and adds an id after a miss:
 *
 *     uint32_t hash = fa_hash(key, size);
 *     for (struct table_probe p = table_probe(&t, hash); table_next(&t, &p);)
 *         if (same(records[p.id], key)) return p.id;
 *     ... make record `id` ...
 *     table_add(&t, hash, id);
 *
 * Open addressing, linear probing, power-of-two capacity, at most 3/4 full; the slots live in an
 * arena. Expected O(1). One owner; no locks.
 */
#ifndef FORMA_BASE_HASH_H
#define FORMA_BASE_HASH_H

#include "base/arena.h"

struct table_slot {
    uint32_t hash;
    uint32_t id_plus_1; /* 0 = empty */
};

struct table {
    struct arena *arena;
    struct table_slot *slots;
    uint32_t count, capacity;
};

struct table_probe {
    uint32_t hash, index, id;
};

/* 32 well-mixed bits of `size` bytes (any alignment). A known function: it can be flooded. */
uint32_t fa_hash(const void *data, size_t size);

static inline uint32_t fa_hash_mix(uint32_t h, uint32_t x) {
    uint64_t m = ((uint64_t)h << 32 | x) * UINT64_C(0x9E3779B97F4A7C15);
    m ^= m >> 29;
    m *= UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(m >> 32);
}

/* `capacity` slots at first (rounded up to a power of two). False on failure. */
bool table_init(struct table *t, struct arena *arena, uint32_t capacity);
static inline struct table_probe table_probe(const struct table *t, uint32_t hash) {
    (void)t;
    return (struct table_probe){hash, hash, 0};
}
/* Moves to the next id stored under the same hash; false at the end. */
static inline bool table_next(const struct table *t, struct table_probe *p) {
    if (!t->capacity) return false;
    for (uint32_t mask = t->capacity - 1;;) {
        const struct table_slot *s = &t->slots[p->index & mask];
        if (!s->id_plus_1) return false;
        p->index++;
        if (s->hash == p->hash) {
            p->id = s->id_plus_1 - 1;
            return true;
        }
    }
}
/* False when the arena is full (the table is unchanged). */
bool table_add(struct table *t, uint32_t hash, uint32_t id);

#endif
