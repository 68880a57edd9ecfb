/* SPDX-License-Identifier: MIT */
#include "tests/lib_alloc.h"

#include <string.h>

static bool refuses(struct counting_allocator *c) {
    c->calls++;
    return c->fail_at && c->calls >= c->fail_at;
}

static void *counting_resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct counting_allocator *c = ctx;
    const struct forma_allocator *a = fa_default_allocator();
    if (new_size && refuses(c)) return NULL;
    void *p = a->resize(a->ctx, ptr, old_size, new_size);
    if (new_size && !p) return NULL;
    c->blocks += (new_size != 0) - (ptr != NULL);
    c->bytes += (long long)new_size - (ptr ? (long long)old_size : 0);
    return p;
}

static void *counting_reserve(void *ctx, void *ptr, size_t size) {
    struct counting_allocator *c = ctx;
    const struct forma_allocator *a = fa_default_allocator();
    if (!ptr && refuses(c)) return NULL;
    void *p = a->reserve(a->ctx, ptr, size);
    if (!ptr && !p) return NULL;
    c->blocks += ptr ? -1 : 1;
    c->bytes += ptr ? -(long long)size : (long long)size;
    return p;
}

void counting_allocator_init(struct counting_allocator *c) {
    memset(c, 0, sizeof *c);
    c->allocator = (struct forma_allocator){c, counting_resize, counting_reserve};
}
