/* SPDX-License-Identifier: MIT
 *
 * The operations that treat each row alone: rmsnorm, rope, swiglu, add, and the quantisation of
 * activations. Written once in plain loops that compilers turn into vector code; elementwise.c,
 * _avx2.c and _avx512.c compile this header for their instruction sets, under names that OP makes.
 * Rows are shared out among the threads when there are enough of them.
 */
#ifndef FORMA_RUNTIME_KERNELS_ELEMENTWISE_H
#define FORMA_RUNTIME_KERNELS_ELEMENTWISE_H

#include <math.h>

#include "runtime/kernels/internal.h"
#include "runtime/kernels/numeric.h"

static void rmsnorm_task(void *ctx, uint32_t row, uint32_t thread) {
    (void)thread;
    const struct row_job *job = ctx;
    const float *x = tensor_row(job->x, row), *w = job->weight->data;
    float *out = tensor_row(job->out, row);
    uint32_t n = job->x->cols, whole = n - n % SUM_LANES;
    float lanes[SUM_LANES] = {0};
    for (uint32_t i = 0; i < whole; i += SUM_LANES)
        for (uint32_t j = 0; j < SUM_LANES; j++) lanes[j] += x[i + j] * x[i + j];
    for (uint32_t i = whole; i < n; i++) lanes[i - whole] += x[i] * x[i];
    float scale = 1.0f / sqrtf(sum_lanes(lanes) / (float)n + job->epsilon);
    for (uint32_t i = 0; i < n; i++) out[i] = x[i] * scale * w[i];
}

static void rope_task(void *ctx, uint32_t row, uint32_t thread) {
    (void)thread;
    const struct row_job *job = ctx;
    float *x = tensor_row(job->out, row);
    const float *turn = tensor_row(job->x, row);
    for (uint32_t head = 0; head < job->out->cols; head += job->head_dim) {
        for (uint32_t i = 0; i < job->x->cols; i += 2) {
            float even = x[head + i], odd = x[head + i + 1], c = turn[i], s = turn[i + 1];
            x[head + i] = even * c - odd * s;
            x[head + i + 1] = even * s + odd * c;
        }
    }
}

static void swiglu_task(void *ctx, uint32_t row, uint32_t thread) {
    (void)thread;
    const struct row_job *job = ctx;
    float *gate = tensor_row(job->out, row);
    const float *up = tensor_row(job->x, row);
    for (uint32_t i = 0; i < job->out->cols; i++) gate[i] = silu_float(gate[i]) * up[i];
}

static void add_task(void *ctx, uint32_t row, uint32_t thread) {
    (void)thread;
    const struct row_job *job = ctx;
    float *x = tensor_row(job->out, row);
    const float *y = tensor_row(job->x, row);
    for (uint32_t i = 0; i < job->out->cols; i++) x[i] += y[i];
}

/* The largest magnitude through the bits, which order like the magnitudes: an integer maximum is a
 * vector loop, a float one is not. */
static inline void quantise_block(const float *x, int8_t *high, int8_t *low, float *d, float *ds,
                                  int32_t *sums) {
    int32_t most = 0;
    for (int i = 0; i < 32; i++) {
        int32_t magnitude = (int32_t)(float_bits(x[i]) & 0x7fffffff);
        most = magnitude > most ? magnitude : most;
    }
    float largest = bits_float((uint32_t)most);
    if (!(largest <= 3e38f)) { /* infinite, NaN or nearly: the product must be NaN, not a number */
        memset(high, 0, 32);
        memset(low, 0, 32);
        sums[0] = sums[1] = 0;
        *d = *ds = NAN;
        return;
    }
    /* Where the inverse overflows, the numbers are as good as zeros. */
    float inverse = largest > 1e-33f ? QUANTISED_MAX / largest : 0.0f;
    int32_t t[32];
    for (int i = 0; i < 32; i++) {
        float rounded = x[i] * inverse + ROUNDING_MAGIC;
        t[i] = (int32_t)(float_bits(rounded) - float_bits(ROUNDING_MAGIC));
    }
    for (int i = 0; i < 32; i++) {
        int32_t upper = (t[i] + 64) >> 7; /* -127 .. 127 */
        high[i] = (int8_t)upper;
        low[i] = (int8_t)(t[i] - upper * 128); /* -64 .. 63 */
    }
    sums[0] = sums[1] = 0;
    for (int i = 0; i < 16; i++) sums[0] += t[i];
    for (int i = 16; i < 32; i++) sums[1] += t[i];
    *d = largest / QUANTISED_MAX;
    *ds = *d * (float)(sums[0] + sums[1]);
}

static void quantise_task(void *ctx, uint32_t row, uint32_t thread) {
    (void)thread;
    const struct row_job *job = ctx;
    const struct quantised_rows *a = job->quantised;
    const float *x = tensor_row(job->x, row);
    size_t at = (size_t)row * a->cols;
    for (uint32_t i = 0; i < a->cols; i += 32)
        quantise_block(x + i, a->high + at + i, a->low + at + i, a->d + (at + i) / 32,
                       a->ds + (at + i) / 32, a->sums + (at + i) / 16);
}

void OP(rmsnorm)(struct kctx *k, struct tensor *out, const struct tensor *x,
                 const struct tensor *weight, float epsilon) {
    struct row_job job = {.out = out, .x = x, .weight = weight, .epsilon = epsilon};
    run_rows(k, rmsnorm_task, &job, x->rows);
}

void OP(rope)(struct kctx *k, struct tensor *x, uint32_t head_dim, const struct tensor *cos_sin) {
    struct row_job job = {.out = x, .x = cos_sin, .head_dim = head_dim};
    run_rows(k, rope_task, &job, x->rows);
}

void OP(swiglu)(struct kctx *k, struct tensor *gate, const struct tensor *up) {
    struct row_job job = {.out = gate, .x = up};
    run_rows(k, swiglu_task, &job, gate->rows);
}

void OP(add)(struct kctx *k, struct tensor *x, const struct tensor *y) {
    struct row_job job = {.out = x, .x = y};
    run_rows(k, add_task, &job, x->rows);
}

void OP(quantise)(struct kctx *k, const struct tensor *x) {
    struct row_job job = {.x = x, .quantised = &k->activations};
    k->activations.cols = x->cols;
    run_rows(k, quantise_task, &job, x->rows);
}

#endif
