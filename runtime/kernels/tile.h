/* SPDX-License-Identifier: MIT
 *
 * A tile: sixteen rows of quantised weights unpacked into scratch, interleaved four weights at a
 * time so that one vector register holds the same four columns of all rows:
 *
 *     q  (cols / 4, 16 rows, 4)    d, m  (groups, 16 rows)
 *
 * The vector kernels then need no horizontal sum: lane r is weight row r. This is the general
 * (slow) way to fill one, for any type and for tiles with fewer than 16 rows (the others are
 * zeros).
 */
#ifndef FORMA_RUNTIME_KERNELS_TILE_H
#define FORMA_RUNTIME_KERNELS_TILE_H

#include "runtime/kernels/internal.h"
#include "runtime/kernels/unpack.h"

struct weight_tile {
    struct weight_format format;
    uint32_t cols;
    uint8_t *q;
    float *d, *m;
};

/* scratch: aligned to 64; cols * 16 for q, 2 * 4 * cols for d and m, a row behind them: less than
 * the 64 * cols that kctx_init grants. */
static inline struct weight_tile tile_in(unsigned char *scratch, uint32_t type, uint32_t cols) {
    struct weight_tile t = {.format = weight_format(type), .cols = cols, .q = scratch};
    size_t groups = cols / t.format.group;
    t.d = (float *)(void *)(scratch + (size_t)cols * TILE_ROWS);
    t.m = t.d + groups * TILE_ROWS;
    return t;
}

static inline void tile_fill(struct weight_tile *t, const struct tensor *w, uint32_t first,
                             uint32_t n_rows) {
    size_t groups = t->cols / t->format.group;
    float *d = t->m + groups * TILE_ROWS, *m = d + groups;
    uint8_t *q = (uint8_t *)(m + groups);
    if (n_rows < TILE_ROWS) {
        memset(t->q, 0, (size_t)t->cols * TILE_ROWS);
        memset(t->d, 0, 2 * groups * TILE_ROWS * sizeof(float));
    }
    for (uint32_t r = 0; r < n_rows; r++) {
        unpack_row(w->type, (const unsigned char *)tensor_row(w, first + r), t->cols, q, d, m);
        for (size_t c = 0; c < t->cols / 4; c++)
            memcpy(t->q + (c * TILE_ROWS + r) * 4, q + c * 4, 4);
        for (size_t g = 0; g < groups; g++) {
            t->d[g * TILE_ROWS + r] = d[g];
            if (t->format.has_min) t->m[g * TILE_ROWS + r] = m[g];
        }
    }
}

#endif
