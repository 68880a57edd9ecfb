/* SPDX-License-Identifier: MIT
 *
 * One allocator for everything: `resize` is malloc, realloc and free in one call, `reserve`
 * hands out address space whose pages cost nothing until they are touched. Sizes are passed back
 * on release, so memory is accounted without headers. Whoever makes an object frees it through
 * the allocator that it was made with. Threads: as safe as the functions behind it (the default
 * is malloc and mmap: safe).
 */
#ifndef FORMA_BASE_ALLOC_H
#define FORMA_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forma.h"

/* The default allocator: malloc/realloc/free and anonymous mmap. Never NULL. */
const struct forma_allocator *fa_default_allocator(void);

/* NULL -> the default. */
const struct forma_allocator *fa_allocator_or_default(const struct forma_allocator *a);

/* `size` bytes, or NULL. size 0 gives NULL. */
void *fa_alloc(const struct forma_allocator *a, size_t size);
/* The same, zeroed. */
void *fa_alloc_zero(const struct forma_allocator *a, size_t size);
/* Grows or shrinks; on failure NULL and `ptr` is untouched. */
void *fa_resize(const struct forma_allocator *a, void *ptr, size_t old_size, size_t new_size);
/* `ptr` may be NULL. */
void fa_free(const struct forma_allocator *a, void *ptr, size_t size);

/* Address space of `size` bytes, zeroed, page-aligned; NULL on failure. */
void *fa_reserve(const struct forma_allocator *a, size_t size);
void fa_release(const struct forma_allocator *a, void *ptr, size_t size);

/* count * size with overflow check: false on overflow. */
static inline bool fa_mul_size(size_t count, size_t size, size_t *out) {
    return !__builtin_mul_overflow(count, size, out);
}

#endif
