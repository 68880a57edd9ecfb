/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <string.h>

bool arena_init(struct arena *a, const struct forma_allocator *allocator, size_t size) {
    memset(a, 0, sizeof *a);
    a->allocator = fa_allocator_or_default(allocator);
    a->fail_after = SIZE_MAX;
    a->base = fa_reserve(a->allocator, size);
    if (!a->base) return false;
    a->size = a->reserved = size;
    return true;
}

void arena_destroy(struct arena *a) {
    if (a->base) fa_release(a->allocator, a->base, a->reserved);
    memset(a, 0, sizeof *a);
}

bool arena_split_tail(struct arena *a, size_t size, struct arena *tail) {
    size &= ~(size_t)15;
    if (size > a->size - a->used) return false;
    a->size -= size;
    *tail = (struct arena){.allocator = a->allocator,
                           .base = a->base + (a->size & ~(size_t)15),
                           .size = size,
                           .fail_after = SIZE_MAX};
    return true;
}

void *arena_push(struct arena *a, size_t size) {
    size_t padded = (size + 15) & ~(size_t)15;
    if (a->failed) return NULL;
    if (padded < size || padded > a->size - a->used || a->fail_after == 0) {
        a->failed = true;
        return NULL;
    }
    if (a->fail_after != SIZE_MAX) a->fail_after--;
    void *p = a->base + a->used;
    a->used += padded;
    return p;
}

void *arena_push_array(struct arena *a, size_t count, size_t size) {
    size_t total;
    if (!fa_mul_size(count, size, &total)) {
        a->failed = true;
        return NULL;
    }
    return arena_push(a, total);
}

void *arena_push_copy(struct arena *a, const void *data, size_t size) {
    void *p = arena_push(a, size);
    if (p && size) memcpy(p, data, size);
    return p;
}

bool arena_vec_grow(struct arena *a, void **data, size_t element, uint32_t count,
                    uint32_t *capacity) {
    uint32_t wanted = *capacity ? *capacity * 2 : 16;
    if (wanted < *capacity) {
        a->failed = true;
        return false;
    }
    void *p = arena_push_array(a, wanted, element);
    if (!p) return false;
    if (count) memcpy(p, *data, (size_t)count * element);
    *data = p;
    *capacity = wanted;
    return true;
}
