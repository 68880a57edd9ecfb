/* SPDX-License-Identifier: MIT
 *
 * Products of quantised weights with integer activations in plain C: the definition (see kernels.h)
 * that matmul_avx2.c and matmul_avx512.c repeat bit by bit. */
#include <math.h>

#define VARIANT scalar
#include "runtime/kernels/lanes_scalar.h"
#include "runtime/kernels/matmul_core.h"

struct unpacked {
    uint8_t *q;   /* (cols) */
    float *d, *m; /* (cols / group) */
};

static float dot_row(const struct unpacked *w, struct weight_format f,
                     const struct quantised_rows *a, size_t at) {
    float acc = 0.0f;
    for (uint32_t g = 0; g < a->cols / f.group; g++) {
        const uint8_t *q = w->q + g * f.group;
        const int8_t *high = a->high + at + g * f.group, *low = a->low + at + g * f.group;
        size_t block = (at + g * f.group) / 32, half = (at + g * f.group) / 16;
        int32_t dot = 0, sum = a->sums[half];
        if (f.group == 32) sum += a->sums[half + 1];
        for (uint32_t i = 0; i < f.group; i++) dot += q[i] * (128 * high[i] + low[i]);
        dot -= f.offset * sum;
        acc = fmaf((float)dot, w->d[g] * a->d[block], acc);
        if (f.has_min) acc = fmaf(w->m[g], a->ds[block], acc);
    }
    return acc;
}

static void quantised_tile(const struct kctx *k, const struct tile_job *job,
                           unsigned char *scratch) {
    const struct quantised_rows *a = &k->activations;
    struct weight_format f = weight_format(job->w->type);
    struct unpacked w;
    w.d = (float *)(void *)scratch;
    w.m = w.d + a->cols / f.group;
    w.q = (uint8_t *)(w.m + a->cols / f.group);
    for (uint32_t row = job->first; row < job->first + job->n_rows; row++) {
        unpack_row(job->w->type, tensor_row(job->w, row), a->cols, w.q, w.d, w.m);
        for (uint32_t i = 0; i < job->x->rows; i++) {
            float *y = tensor_row(job->y, i);
            y[row] = dot_row(&w, f, a, (size_t)i * a->cols);
        }
    }
}
