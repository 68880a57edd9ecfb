/* SPDX-License-Identifier: MIT
 *
 * y = x w^T for several weights at once: the part that all variants share. A task is a run of
 * tiles of 16 weight rows; each tile is multiplied with every row of the pass while it is in
 * the cache. The including file defines, in its instruction set,
 *
 *     quantised_tile(k, job, scratch)      quantised weights times k->activations
 *
 * and includes a lanes_*.h for the F32, F16 and BF16 weights.
 */
#ifndef FORMA_RUNTIME_KERNELS_MATMUL_CORE_H
#define FORMA_RUNTIME_KERNELS_MATMUL_CORE_H

#include "runtime/kernels/internal.h"
#include "runtime/kernels/unpack.h"

#define INLINE static inline __attribute__((always_inline))

struct tile_job {
    const struct tensor *w, *x;
    struct tensor *y;
    uint32_t first, n_rows; /* weight rows, at most TILE_ROWS */
};

static void quantised_tile(const struct kctx *k, const struct tile_job *job,
                           unsigned char *scratch);

INLINE struct lanes load_weights(uint32_t type, const unsigned char *p, size_t i) {
    if (type == GGUF_TYPE_F32) return lanes_load(p + i * 4);
    if (type == GGUF_TYPE_F16) return lanes_load_half(p + i * 2);
    return lanes_load_bf16(p + i * 2);
}

/* Four weight rows (the last may be repeated) times n activation rows. */
INLINE void float_dots(const struct tile_job *job, uint32_t type, uint32_t row, uint32_t x_row,
                       const int n) {
    const unsigned char *w[4];
    const float *x[4];
    struct lanes acc[4][4];
    uint32_t last = job->first + job->n_rows - 1, cols = job->w->cols;
    uint32_t whole = cols - cols % SUM_LANES;
    for (uint32_t r = 0; r < 4; r++) w[r] = tensor_row(job->w, row + r < last ? row + r : last);
    for (int i = 0; i < n; i++) {
        x[i] = tensor_row(job->x, x_row + (uint32_t)i);
        for (int r = 0; r < 4; r++) acc[i][r] = lanes_set1(0.0f);
    }
    for (uint32_t c = 0; c < whole; c += SUM_LANES) {
        struct lanes wl[4];
        for (int r = 0; r < 4; r++) wl[r] = load_weights(type, w[r], c);
        for (int i = 0; i < n; i++) {
            struct lanes xl = lanes_load(x[i] + c);
            for (int r = 0; r < 4; r++) acc[i][r] = lanes_fma(wl[r], xl, acc[i][r]);
        }
    }
    for (int i = 0; i < n; i++) {
        float *y = tensor_row(job->y, x_row + (uint32_t)i);
        for (uint32_t r = 0; r < 4 && row + r <= last; r++) {
            if (whole < cols) { /* a last, shorter group: missing lanes are zeros */
                float tail_w[SUM_LANES] = {0}, tail_x[SUM_LANES] = {0};
                for (uint32_t c = whole; c < cols; c++) {
                    tail_w[c - whole] = float_weight(type, w[r], c);
                    tail_x[c - whole] = x[i][c];
                }
                acc[i][r] = lanes_fma(lanes_load(tail_w), lanes_load(tail_x), acc[i][r]);
            }
            y[row + r] = lanes_sum(acc[i][r]);
        }
    }
}

INLINE void float_tile_of(const struct tile_job *job, uint32_t type) {
    for (uint32_t row = job->first; row < job->first + job->n_rows; row += 4) {
        uint32_t i = 0;
        for (; i + 4 <= job->x->rows; i += 4) float_dots(job, type, row, i, 4);
        for (; i < job->x->rows; i++) float_dots(job, type, row, i, 1);
    }
}

static void float_tile(const struct tile_job *job) {
    switch (job->w->type) {
    case GGUF_TYPE_F32: float_tile_of(job, GGUF_TYPE_F32); break;
    case GGUF_TYPE_F16: float_tile_of(job, GGUF_TYPE_F16); break;
    default: float_tile_of(job, GGUF_TYPE_BF16); break;
    }
}

struct matmul_job {
    struct kctx *k;
    const struct tensor *x;
    const struct matmul_part *parts;
    uint32_t n_parts, n_tiles, tiles_a_task;
};

static uint32_t tiles_of(const struct tensor *w) {
    return (w->rows + TILE_ROWS - 1) / TILE_ROWS;
}

static void matmul_task(void *ctx, uint32_t task, uint32_t thread) {
    const struct matmul_job *job = ctx;
    unsigned char *scratch = kctx_scratch(job->k, thread);
    uint32_t tile = task * job->tiles_a_task, end = tile + job->tiles_a_task, part = 0;
    if (end > job->n_tiles) end = job->n_tiles;
    uint32_t base = 0; /* first tile of `part` */
    for (; tile < end; tile++) {
        while (tile - base >= tiles_of(job->parts[part].w)) base += tiles_of(job->parts[part++].w);
        const struct tensor *w = job->parts[part].w;
        struct tile_job t = {
            .w = w, .x = job->x, .y = job->parts[part].y, .first = (tile - base) * TILE_ROWS};
        t.n_rows = w->rows - t.first < TILE_ROWS ? w->rows - t.first : TILE_ROWS;
        if (weight_format(w->type).group)
            quantised_tile(job->k, &t, scratch);
        else
            float_tile(&t);
    }
}

void OP(matmul)(struct kctx *k, const struct tensor *x, const struct matmul_part *parts,
                uint32_t n_parts) {
    struct matmul_job job = {.k = k, .x = x, .parts = parts, .n_parts = n_parts};
    bool quantised = false;
    for (uint32_t i = 0; i < n_parts; i++) {
        quantised |= weight_format(parts[i].w->type).group != 0;
        job.n_tiles += tiles_of(parts[i].w);
    }
    if (quantised) OP(quantise)(k, x);
    /* Some tasks a thread, so that a late thread does not hold up the others. */
    job.tiles_a_task = job.n_tiles / (threads_count(k->threads) * 6) + 1;
    threads_run(k->threads, matmul_task, &job,
                (job.n_tiles + job.tiles_a_task - 1) / job.tiles_a_task);
}

#endif
