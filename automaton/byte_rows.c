/* SPDX-License-Identifier: MIT */
#include "automaton/byte_rows.h"

#include <string.h>

#define MAX_POOL_BYTES ((size_t)64 << 20)

bool byte_rows_init(struct byte_rows *r, struct arena *arena) {
    struct arena pool;
    size_t bytes = arena->size / 16;
    if (bytes > MAX_POOL_BYTES) bytes = MAX_POOL_BYTES;
    *r = (struct byte_rows){.arena = arena, .size = bytes / sizeof *r->pool};
    if (!arena_split_tail(arena, r->size * sizeof *r->pool, &pool)) return false;
    r->pool = (uint32_t *)(void *)pool.base;
    return true;
}

void byte_rows_open(struct byte_rows *r, uint32_t state, const unsigned char *classes, unsigned n) {
    while (state >= r->rows.count) {
        if (!ARENA_VEC_GROW(r->arena, &r->rows)) return;
        r->rows.data[r->rows.count++] = (struct byte_row){NULL, NULL};
    }
    if (n > r->size) return;
    if (n > r->size - r->used) { /* drop them all */
        memset(r->rows.data, 0, r->rows.count * sizeof *r->rows.data);
        r->used = 0;
    }
    uint32_t *next = r->pool + r->used;
    r->used += n;
    memset(next, 0, n * sizeof *next);
    r->rows.data[state] = (struct byte_row){classes, next};
}

void byte_rows_keep(struct byte_rows *r, uint32_t state, unsigned char byte, uint32_t next) {
    if (!byte_rows_is_open(r, state)) return;
    const struct byte_row *row = &r->rows.data[state];
    row->next[row->classes[byte]] = next + 1;
}
