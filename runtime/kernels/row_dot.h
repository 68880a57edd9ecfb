/* SPDX-License-Identifier: MIT
 *
 * Quantised weights times activations one weight row at a time, in plain loops: the definition of
 * the product (see kernels.h), which the scalar variant uses for everything, and the vector
 * variants, compiled for their instruction set, for the K-quants when a pass has few rows. */
#ifndef FORMA_RUNTIME_KERNELS_ROW_DOT_H
#define FORMA_RUNTIME_KERNELS_ROW_DOT_H

#include <math.h>

#include "runtime/kernels/matmul_core.h"

struct unpacked_row {
    uint8_t *q;   /* (cols) */
    float *d, *m; /* (cols / group) */
};

/* Sum of q[i] (128 high[i] + low[i]); n is 16 or 32. Exact, so the order does not matter. */
#ifdef __AVX2__
INLINE int32_t dot_planes(const uint8_t *q, const int8_t *high, const int8_t *low,
                          const uint32_t n) {
    __m256i sum_high = _mm256_setzero_si256(), sum_low = sum_high;
    for (uint32_t i = 0; i < n; i += 16) {
        __m256i w = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(q + i)));
        __m128i h = _mm_loadu_si128((const __m128i *)(const void *)(high + i));
        __m128i l = _mm_loadu_si128((const __m128i *)(const void *)(low + i));
        sum_high = _mm256_add_epi32(sum_high, _mm256_madd_epi16(w, _mm256_cvtepi8_epi16(h)));
        sum_low = _mm256_add_epi32(sum_low, _mm256_madd_epi16(w, _mm256_cvtepi8_epi16(l)));
    }
    __m256i sum = _mm256_add_epi32(_mm256_slli_epi32(sum_high, 7), sum_low);
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}
#else
INLINE int32_t dot_planes(const uint8_t *q, const int8_t *high, const int8_t *low,
                          const uint32_t n) {
    int32_t dot_high = 0, dot_low = 0;
    for (uint32_t i = 0; i < n; i++) dot_high += q[i] * high[i];
    for (uint32_t i = 0; i < n; i++) dot_low += q[i] * low[i];
    return 128 * dot_high + dot_low;
}
#endif

INLINE float row_dot(const struct unpacked_row *w, struct weight_format f,
                     const struct quantised_rows *a, size_t at, const uint32_t group) {
    float acc = 0.0f;
    for (size_t g = 0; g < a->cols / group; g++) {
        const uint8_t *q = w->q + g * group;
        const int8_t *high = a->high + at + g * group, *low = a->low + at + g * group;
        size_t block = (at + g * group) / 32, half = (at + g * group) / 16;
        int32_t sum = a->sums[half];
        if (group == 32) sum += a->sums[half + 1];
        int32_t dot = dot_planes(q, high, low, group) - f.offset * sum;
        acc = fmaf((float)dot, w->d[g] * a->d[block], acc);
        if (f.has_min) acc = fmaf(w->m[g], a->ds[block], acc);
    }
    return acc;
}

static void rows_times_rows(const struct quantised_rows *a, const struct tile_job *job,
                            unsigned char *scratch) {
    const struct weight_format f = weight_format(job->w->type);
    struct unpacked_row w;
    w.d = (float *)(void *)scratch;
    w.m = w.d + a->cols / f.group;
    w.q = (uint8_t *)(w.m + a->cols / f.group);
    for (uint32_t row = job->first; row < job->first + job->n_rows; row++) {
        unpack_row(job->w->type, tensor_row(job->w, row), a->cols, w.q, w.d, w.m);
        for (uint32_t i = 0; i < job->x->rows; i++) {
            float *y = tensor_row(job->y, i);
            size_t at = (size_t)i * a->cols;
            y[row] = f.group == 16 ? row_dot(&w, f, a, at, 16) : row_dot(&w, f, a, at, 32);
        }
    }
}

#endif
