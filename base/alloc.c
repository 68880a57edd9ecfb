/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *default_resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

static void *default_reserve(void *ctx, void *ptr, size_t size) {
    (void)ctx;
    if (ptr) {
        munmap(ptr, size);
        return NULL;
    }
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

const struct forma_allocator *fa_default_allocator(void) {
    static const struct forma_allocator allocator = {NULL, default_resize, default_reserve};
    return &allocator;
}

const struct forma_allocator *fa_allocator_or_default(const struct forma_allocator *a) {
    return a ? a : fa_default_allocator();
}

void *fa_alloc(const struct forma_allocator *a, size_t size) {
    return size ? a->resize(a->ctx, NULL, 0, size) : NULL;
}

void *fa_alloc_zero(const struct forma_allocator *a, size_t size) {
    void *p = fa_alloc(a, size);
    if (p) memset(p, 0, size);
    return p;
}

void *fa_resize(const struct forma_allocator *a, void *ptr, size_t old_size, size_t new_size) {
    return a->resize(a->ctx, ptr, old_size, new_size);
}

void fa_free(const struct forma_allocator *a, void *ptr, size_t size) {
    if (ptr) a->resize(a->ctx, ptr, size, 0);
}

void *fa_reserve(const struct forma_allocator *a, size_t size) {
    return size ? a->reserve(a->ctx, NULL, size) : NULL;
}

void fa_release(const struct forma_allocator *a, void *ptr, size_t size) {
    if (ptr) a->reserve(a->ctx, ptr, size);
}
