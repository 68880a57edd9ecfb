/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <string.h>

uint32_t fa_hash(const void *data, size_t size) {
    const unsigned char *p = data;
    uint64_t h = UINT64_C(0x9E3779B97F4A7C15) ^ size;
    while (size >= 8) {
        uint64_t x;
        memcpy(&x, p, 8);
        h = (h ^ x) * UINT64_C(0xBF58476D1CE4E5B9);
        h ^= h >> 31;
        p += 8;
        size -= 8;
    }
    uint64_t tail = 0;
    if (size) memcpy(&tail, p, size);
    h = (h ^ tail) * UINT64_C(0x94D049BB133111EB);
    h ^= h >> 29;
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(h >> 32);
}

static uint32_t power_of_two(uint32_t n) {
    uint32_t c = 16;
    while (c < n && c < UINT32_C(1) << 31) c *= 2;
    return c;
}

/* Cleared here: an arena that is used as a stack gives memory that is not zero. */
static struct table_slot *empty_slots(struct arena *arena, uint32_t capacity) {
    struct table_slot *slots = arena_push_array(arena, capacity, sizeof *slots);
    if (slots) memset(slots, 0, capacity * sizeof *slots);
    return slots;
}

bool table_init(struct table *t, struct arena *arena, uint32_t capacity) {
    t->arena = arena;
    t->count = 0;
    t->capacity = power_of_two(capacity);
    t->slots = empty_slots(arena, t->capacity);
    if (!t->slots) t->capacity = 0;
    return t->slots != NULL;
}

static void insert(struct table_slot *slots, uint32_t mask, struct table_slot slot) {
    uint32_t i = slot.hash & mask;
    while (slots[i].id_plus_1) i = (i + 1) & mask;
    slots[i] = slot;
}

bool table_add(struct table *t, uint32_t hash, uint32_t id) {
    if (t->count >= t->capacity / 4 * 3) {
        uint32_t capacity = t->capacity ? t->capacity * 2 : 16;
        struct table_slot *slots = capacity ? empty_slots(t->arena, capacity) : NULL;
        if (!slots) return false;
        for (uint32_t i = 0; i < t->capacity; i++)
            if (t->slots[i].id_plus_1) insert(slots, capacity - 1, t->slots[i]);
        t->slots = slots;
        t->capacity = capacity;
    }
    insert(t->slots, t->capacity - 1, (struct table_slot){hash, id + 1});
    t->count++;
    return true;
}
