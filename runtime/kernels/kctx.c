/* SPDX-License-Identifier: MIT
 *
 * Scratch of the kernels, one reservation carved once: quantised activations of a pass, then for
 * each thread the larger of a weight tile (matmul) and the scores of a query tile (attention). */
#include <string.h>

#include "base/error.h"
#include "runtime/kernels/internal.h"

void run_rows(struct kctx *k, threads_task_fn run, struct row_job *job, uint32_t n_rows) {
    if (n_rows >= 8) {
        threads_run(k->threads, run, job, n_rows);
        return;
    }
    for (uint32_t i = 0; i < n_rows; i++) run(job, i, 0);
}

static size_t max_size(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t round_up(size_t x, size_t unit) {
    return (x + unit - 1) / unit * unit;
}

enum forma_status kctx_init(struct kctx *k, const struct kernels *kernels, struct threads *threads,
                            const struct kernel_limits *limits,
                            const struct forma_allocator *allocator, struct forma_error *err) {
    memset(k, 0, sizeof *k);
    k->allocator = fa_allocator_or_default(allocator);
    k->kernels = kernels;
    k->threads = threads;
    /* All three are at most 2^32 - 1 and cols, tokens far less (checked by the model): in 64 bits
     * the sums below cannot overflow but the product with rows can. */
    size_t cols = round_up(limits->max_cols, 256), tokens = round_up(limits->max_tokens, 16), cells;
    size_t tile = TILE_ROWS * cols + 2 * TILE_ROWS * (cols / 16) * sizeof(float);
    size_t floats = TILE_ROWS * cols * sizeof(float); /* a tile dequantised, for the reference */
    size_t scores = MAX_QUERIES * tokens * sizeof(float);
    k->scratch_bytes = round_up(max_size(max_size(tile, floats), scores), 4096) + 4096;
    size_t threads_bytes;
    if (!fa_mul_size(limits->max_rows, cols, &cells) || cells > SIZE_MAX / 4 ||
        !fa_mul_size(k->scratch_bytes, threads_count(threads), &threads_bytes) ||
        threads_bytes > SIZE_MAX / 4)
        return error_set(err, FORMA_EINVAL, "a pass of %u rows is too large", limits->max_rows);
    /* two bytes, two floats a block of 32, an int32 a block of 16 */
    k->memory_bytes = 2 * cells + 2 * (cells / 32) * sizeof(float) +
                      (cells / 16) * sizeof(int32_t) + threads_bytes;
    k->memory = fa_reserve(k->allocator, k->memory_bytes);
    if (!k->memory)
        return error_set(err, FORMA_EMEMORY, "no memory for %zu bytes of scratch", k->memory_bytes);
    unsigned char *p = k->memory;
    k->scratch = p;
    p += threads_bytes;
    k->activations.high = (int8_t *)p;
    p += cells;
    k->activations.low = (int8_t *)p;
    p += cells;
    k->activations.d = (float *)(void *)p;
    p += cells / 32 * sizeof(float);
    k->activations.ds = (float *)(void *)p;
    p += cells / 32 * sizeof(float);
    k->activations.sums = (int32_t *)(void *)p;
    return FORMA_OK;
}

void kctx_destroy(struct kctx *k) {
    if (k->memory) fa_release(k->allocator, k->memory, k->memory_bytes);
    memset(k, 0, sizeof *k);
}
