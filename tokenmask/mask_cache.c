/* SPDX-License-Identifier: MIT */
#include "tokenmask/mask_cache.h"

#include <string.h>

#include "base/hash.h"

#define ROW_ALIGNMENT 64 /* a cache line */

bool mask_cache_init(struct mask_cache *c, size_t words, size_t budget_bytes,
                     const struct forma_allocator *allocator) {
    memset(c, 0, sizeof *c);
    c->allocator = allocator;
    c->words = words;
    size_t row_bytes = words * sizeof *c->rows;
    size_t slot_bytes = 4 * sizeof *c->slots; /* a row's share at most: capacity is rounded up */
    size_t capacity = budget_bytes > ROW_ALIGNMENT
                          ? (budget_bytes - ROW_ALIGNMENT) / (row_bytes + slot_bytes)
                          : 0;
    if (capacity == 0 || words == 0) return true;
    if (capacity > UINT32_MAX / 4) capacity = UINT32_MAX / 4;
    for (c->n_slots = 2; c->n_slots < 2 * capacity;) c->n_slots *= 2;
    size_t slots_size = c->n_slots * sizeof *c->slots;
    slots_size = (slots_size + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    c->block_size = slots_size + capacity * row_bytes;
    c->block = fa_reserve(allocator, c->block_size);
    if (!c->block) return false;
    c->slots = c->block;
    c->rows = (uint32_t *)(void *)((unsigned char *)c->block + slots_size);
    c->capacity = (uint32_t)capacity;
    return true;
}

void mask_cache_destroy(struct mask_cache *c) {
    if (c->block) fa_release(c->allocator, c->block, c->block_size);
    memset(c, 0, sizeof *c);
}

/* The state's slot, or the empty one where it would be. */
static struct mask_cache_slot *slot_of(struct mask_cache *c, struct state state) {
    size_t i = fa_hash_mix(state.context, state.region);
    for (;; i++) {
        struct mask_cache_slot *slot = &c->slots[i & (c->n_slots - 1)];
        if (state_is_dead(slot->state) || state_equal(slot->state, state)) return slot;
    }
}

const uint32_t *mask_cache_find(struct mask_cache *c, struct state state) {
    if (c->capacity == 0) return NULL;
    const struct mask_cache_slot *slot = slot_of(c, state);
    if (state_is_dead(slot->state)) {
        c->stats.misses++;
        return NULL;
    }
    c->stats.hits++;
    return c->rows + (size_t)slot->row * c->words;
}

void mask_cache_put(struct mask_cache *c, struct state state, const uint32_t *row) {
    if (c->capacity == 0) return;
    if (c->count == c->capacity) {
        memset(c->slots, 0, c->n_slots * sizeof *c->slots);
        c->count = 0;
        c->stats.flushes++;
    }
    struct mask_cache_slot *slot = slot_of(c, state);
    *slot = (struct mask_cache_slot){state, c->count};
    memcpy(c->rows + (size_t)c->count * c->words, row, c->words * sizeof *row);
    c->count++;
}
