/* SPDX-License-Identifier: MIT
 *
 * A bump arena over reserved address space: memory is carved, never moved and never freed one by
 * one, so pointers into it stay valid until `destroy`, and growth in a hot loop calls no
 * allocator. What counts against the budget is what was carved.
 *
 * Failure is sticky: once a push does not fit, every later push fails too and `failed` stays set.
 * Code that builds deep structures may therefore go on with a harmless value and let its entry
 * point look at `failed` once, provided that nothing built after the failure is used.
 * One owner; no locks.
 */
#ifndef FORMA_BASE_ARENA_H
#define FORMA_BASE_ARENA_H

#include "base/alloc.h"

struct arena {
    const struct forma_allocator *allocator;
    unsigned char *base;
    size_t used, size; /* bytes */
    size_t reserved;   /* size, and what arena_split_tail took off its end */
    size_t fail_after; /* tests: pushes that still succeed, counted down; SIZE_MAX = off */
    bool failed;
};

/* Reserves `size` bytes of address space. False when the system refuses. */
bool arena_init(struct arena *a, const struct forma_allocator *allocator, size_t size);
void arena_destroy(struct arena *a);

/* Takes `size` bytes off the end, for a part that manages them itself (a stack of temporaries):
 * they do not count as used. Lives as long as the arena. False when they are not there. */
bool arena_split_tail(struct arena *a, size_t size, struct arena *tail);

/* `size` zeroed bytes aligned to 16, or NULL (see above). size 0 gives a valid pointer. */
void *arena_push(struct arena *a, size_t size);

/* Array of `count` elements of `size` bytes, zeroed, or NULL; checks the product. */
void *arena_push_array(struct arena *a, size_t count, size_t size);

/* A copy of `size` bytes. */
void *arena_push_copy(struct arena *a, const void *data, size_t size);

/* A growing array inside an arena: doubles by carving anew (the old copy stays behind: at most
 * as much again is wasted). Element type by macro, so that misuse does not compile. */
#define ARENA_VEC(type)                                                                            \
    struct {                                                                                       \
        type *data;                                                                                \
        uint32_t count, capacity;                                                                  \
    }

/* Makes room for one more; false on failure. */
#define ARENA_VEC_GROW(arena, v)                                                                   \
    ((v)->count < (v)->capacity ||                                                                 \
     arena_vec_grow((arena), (void **)&(v)->data, sizeof *(v)->data, (v)->count, &(v)->capacity))

bool arena_vec_grow(struct arena *a, void **data, size_t element, uint32_t count,
                    uint32_t *capacity);

#endif
