/* SPDX-License-Identifier: MIT
 *
 * Differences lie in the pool as the changed words' bits (to be xor-ed), then their indices, two to
 * a word.
 */
#include "tokenmask/mask_cache.h"

#include <string.h>

#include "base/hash.h"

#define ALIGNMENT  64   /* a cache line */
#define MEAN_WORDS 256u /* of the pool for a mask: how many slots there may be */
#define SAMPLED    31u  /* one word of so many tells which base is near */
#define BLOCK      16u  /* words */
#define FEW_SLOTS                                                                                  \
    256u /* at first: a table that is looked at here and there touches all its pages */

/* Words of the pool that n differences take. */
static size_t pool_words(size_t n) {
    return n + (n + 1) / 2;
}

bool mask_cache_init(struct mask_cache *c, size_t words, const uint32_t *const *bases,
                     size_t budget_bytes, const struct forma_allocator *allocator) {
    memset(c, 0, sizeof *c);
    c->allocator = allocator;
    c->words = words;
    for (size_t i = 1; bases && i < MASK_CACHE_BASES; i++) c->bases[i] = bases[i - 1];
    size_t max_slots = 2;
    while (max_slots < 2 * (budget_bytes / sizeof(uint32_t) / MEAN_WORDS)) max_slots *= 2;
    /* each table behind the smaller ones */
    size_t slots_size = (2 * max_slots * sizeof *c->slots + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t capacity =
        budget_bytes > slots_size ? (budget_bytes - slots_size) / sizeof(uint32_t) : 0;
    if (words == 0 || capacity < words) return true;
    if (capacity > UINT32_MAX / 2) capacity = UINT32_MAX / 2;
    c->n_slots = FEW_SLOTS < max_slots ? FEW_SLOTS : max_slots;
    c->max_slots = max_slots;
    c->block_size = slots_size + capacity * sizeof(uint32_t);
    c->block = fa_reserve(allocator, c->block_size);
    if (!c->block) return false;
    c->slots = c->block;
    c->pool = (uint32_t *)(void *)((unsigned char *)c->block + slots_size);
    c->capacity = capacity;
    return true;
}

void mask_cache_destroy(struct mask_cache *c) {
    if (c->block) fa_release(c->allocator, c->block, c->block_size);
    memset(c, 0, sizeof *c);
}

struct mask_cache_stats mask_cache_stats(const struct mask_cache *c) {
    size_t bytes = c->used * sizeof *c->pool + c->n_slots * sizeof *c->slots;
    return (struct mask_cache_stats){.flushes = c->flushes, .bytes = bytes};
}

/* The state's slot, or the empty one where it would be. */
static struct mask_cache_slot *slot_of(const struct mask_cache *c, uint32_t owner,
                                       struct state state) {
    size_t i = fa_hash_mix(fa_hash_mix(state.context, state.region), owner);
    for (;; i++) {
        struct mask_cache_slot *slot = &c->slots[i & (c->n_slots - 1)];
        if (state_is_dead(slot->state)) return slot;
        if (state_equal(slot->state, state) && slot->owner == owner) return slot;
    }
}

static void copy_base(const struct mask_cache *c, uint32_t base, uint32_t *row) {
    if (base)
        memcpy(row, c->bases[base], c->words * sizeof *row);
    else
        memset(row, 0, c->words * sizeof *row);
}

bool mask_cache_find(const struct mask_cache *c, uint32_t owner, struct state state,
                     uint32_t *row) {
    if (c->capacity == 0) return false;
    const struct mask_cache_slot *slot = slot_of(c, owner, state);
    if (state_is_dead(slot->state)) return false;
    const uint32_t *bits = c->pool + slot->at;
    if (slot->n == UINT32_MAX) {
        memcpy(row, bits, c->words * sizeof *row);
        return true;
    }
    copy_base(c, slot->base, row);
    const uint16_t *index = (const uint16_t *)(const void *)(bits + slot->n);
    for (uint32_t i = 0; i < slot->n; i++) row[index[i]] ^= bits[i];
    return true;
}

/* How many of some words differ from the base? They stand for all: few bases are close. */
static size_t estimate(const struct mask_cache *c, uint32_t base, const uint32_t *row) {
    size_t n = 0;
    const uint32_t *b = c->bases[base];
    for (size_t i = 0; i < c->words; i += SAMPLED) n += row[i] != (b ? b[i] : 0);
    return n;
}

static uint32_t nearest_base(const struct mask_cache *c, const uint32_t *row) {
    uint32_t best = 0;
    size_t n = estimate(c, 0, row);
    for (uint32_t b = 1; b < MASK_CACHE_BASES && n; b++) {
        size_t other = c->bases[b] ? estimate(c, b, row) : SIZE_MAX;
        if (other < n) {
            n = other;
            best = b;
        }
    }
    return best;
}

/* Which words of a row differ from those of `base` (NULL: from 0): their indices. Blocks are looked at
 * as wholes first: most are the same. */
static size_t list_changes(const uint32_t *row, const uint32_t *base, size_t words,
                           uint16_t *changes) {
    size_t n = 0, i = 0;
    for (; i + BLOCK <= words; i += BLOCK) {
        uint32_t any = 0;
        if (base)
            for (size_t k = 0; k < BLOCK; k++) any |= row[i + k] ^ base[i + k];
        else
            for (size_t k = 0; k < BLOCK; k++) any |= row[i + k];
        for (size_t k = i; any && k < i + BLOCK; k++) {
            changes[n] = (uint16_t)k;
            n += row[k] != (base ? base[k] : 0);
        }
    }
    for (; i < words; i++) {
        changes[n] = (uint16_t)i;
        n += row[i] != (base ? base[i] : 0);
    }
    return n;
}

static void empty(struct mask_cache *c) {
    memset(c->slots, 0, c->n_slots * sizeof *c->slots);
    c->count = 0;
    c->used = 0;
    c->flushes++;
}

void mask_cache_clear(struct mask_cache *c) {
    if (c->capacity == 0) return;
    c->slots = c->block;
    c->n_slots = FEW_SLOTS < c->max_slots ? FEW_SLOTS : c->max_slots;
    empty(c);
    c->flushes = 0;
}

static void grow(struct mask_cache *c) {
    struct mask_cache_slot *old = c->slots;
    size_t n = c->n_slots;
    c->slots += n;
    c->n_slots *= 2;
    memset(c->slots, 0, c->n_slots * sizeof *c->slots); /* of an earlier time */
    for (size_t i = 0; i < n; i++)
        if (!state_is_dead(old[i].state)) *slot_of(c, old[i].owner, old[i].state) = old[i];
}

struct mask_difference mask_cache_compare(const struct mask_cache *c, const uint32_t *row,
                                          uint16_t *buffer) {
    struct mask_difference d = {.changes = buffer};
    if (c->capacity == 0) return d;
    d.base = nearest_base(c, row);
    d.whole = c->words > UINT16_MAX;
    if (!d.whole) d.n = list_changes(row, c->bases[d.base], c->words, buffer);
    if (pool_words(d.n) >= c->words) d.whole = true;
    return d;
}

struct mask_difference mask_cache_noted(const struct mask_cache *c, const uint16_t *changes,
                                        size_t n) {
    return (struct mask_difference){.whole = pool_words(n) >= c->words, .n = n, .changes = changes};
}

void mask_cache_add(struct mask_cache *c, uint32_t owner, struct state state, const uint32_t *row,
                    const struct mask_difference *d) {
    if (c->capacity == 0) return;
    size_t needed = d->whole ? c->words : pool_words(d->n);
    if (c->count >= c->n_slots / 2 && c->n_slots < c->max_slots) grow(c);
    if (c->count >= c->n_slots / 2 || needed > c->capacity - c->used) empty(c);
    struct mask_cache_slot *slot = slot_of(c, owner, state);
    if (!state_is_dead(slot->state)) return; /* another thread was faster */
    *slot = (struct mask_cache_slot){.state = state,
                                     .owner = owner,
                                     .at = (uint32_t)c->used,
                                     .n = d->whole ? UINT32_MAX : (uint32_t)d->n,
                                     .base = d->base};
    uint32_t *bits = c->pool + c->used;
    c->used += needed;
    c->count++;
    if (d->whole) {
        memcpy(bits, row, c->words * sizeof *row);
        return;
    }
    const uint32_t *b = c->bases[d->base];
    for (size_t k = 0; k < d->n; k++) {
        size_t i = d->changes[k];
        bits[k] = row[i] ^ (b ? b[i] : 0);
    }
    memcpy(bits + d->n, d->changes, d->n * sizeof *d->changes);
}
