/* SPDX-License-Identifier: MIT
 *
 * Quantised products with AVX2: as matmul_avx512.c in halves of eight weight rows. Without VNNI, bytes
 * are multiplied in pairs into 16 bits (`vpmaddubsw`), which saturate beyond 32767: weights up to 63
 * stay far below; those of Q8_0 are taken as magnitudes of at most 128, their signs moved to
 * the activations: 2 * 128 * 127 = 32512 fits.
 */
#define VARIANT avx2
#include "runtime/kernels/lanes_avx2.h"
#include "runtime/kernels/matmul_core.h"
#include "runtime/kernels/tile.h"

INLINE __m256i dot4(__m256i sum, __m256i w, const int8_t *x, const bool is_signed) {
    __m256i a = _mm256_set1_epi32((int)load_u32(x));
    if (is_signed) {
        w = _mm256_xor_si256(w, _mm256_set1_epi8((char)0x80));
        a = _mm256_sign_epi8(a, w);
        w = _mm256_abs_epi8(w);
    }
    __m256i pairs = _mm256_maddubs_epi16(w, a);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

INLINE void store_half(const struct tile_job *job, uint32_t x_row, uint32_t half, __m256 acc) {
    float lanes[8], *y = (float *)tensor_row(job->y, x_row) + job->first;
    _mm256_storeu_ps(lanes, acc);
    for (uint32_t r = 0; r < 8 && half * 8 + r < job->n_rows; r++) y[half * 8 + r] = lanes[r];
}

/* Eight of the tile's rows times n activation rows from `first` on. */
INLINE void half_dots(const struct quantised_rows *a, const struct weight_tile *t,
                      const struct tile_job *job, uint32_t half, uint32_t first, const uint32_t n,
                      const uint32_t group) {
    const bool is_signed = t->format.offset == 128;
    __m256 acc[4];
    const int8_t *x_high = a->high + (size_t)first * t->cols;
    const int8_t *x_low = a->low + (size_t)first * t->cols;
    const uint8_t *q = t->q + (size_t)half * 32;
    for (uint32_t i = 0; i < n; i++) acc[i] = _mm256_setzero_ps();
    for (size_t g = 0; g < t->cols / group; g++, x_high += group, x_low += group) {
        __m256i high[4], low[4];
        __m256 d = _mm256_loadu_ps(t->d + g * TILE_ROWS + half * 8);
        for (uint32_t i = 0; i < n; i++) {
            const int32_t *sums = a->sums + ((size_t)(first + i) * t->cols + g * group) / 16;
            int32_t sum = group == 32 ? sums[0] + sums[1] : sums[0];
            high[i] = _mm256_setzero_si256();
            low[i] = _mm256_set1_epi32(is_signed ? 0 : -t->format.offset * sum);
        }
        for (uint32_t j = 0; j < group / 4; j++, q += 64) {
            __m256i w = _mm256_loadu_si256((const __m256i *)(const void *)q);
            for (uint32_t i = 0; i < n; i++) {
                size_t at = (size_t)i * t->cols + 4 * j;
                high[i] = dot4(high[i], w, x_high + at, is_signed);
                low[i] = dot4(low[i], w, x_low + at, is_signed);
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            size_t at = ((size_t)(first + i) * t->cols + g * group) / 32;
            __m256 scale = _mm256_mul_ps(d, _mm256_set1_ps(a->d[at]));
            __m256i dot = _mm256_add_epi32(_mm256_slli_epi32(high[i], 7), low[i]);
            acc[i] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dot), scale, acc[i]);
            if (t->format.has_min)
                acc[i] = _mm256_fmadd_ps(_mm256_loadu_ps(t->m + g * TILE_ROWS + half * 8),
                                         _mm256_set1_ps(a->ds[at]), acc[i]);
        }
    }
    for (uint32_t i = 0; i < n; i++) store_half(job, first + i, half, acc[i]);
}

INLINE void half_times_rows(const struct quantised_rows *a, const struct weight_tile *t,
                            const struct tile_job *job, uint32_t half, const uint32_t group) {
    uint32_t i = 0;
    for (; i + 4 <= job->x->rows; i += 4) half_dots(a, t, job, half, i, 4, group);
    for (; i < job->x->rows; i++) half_dots(a, t, job, half, i, 1, group);
}

static void quantised_tile(const struct kctx *k, const struct tile_job *job,
                           unsigned char *scratch) {
    struct weight_tile t = tile_in(scratch, job->w->type, k->activations.cols);
    tile_fill(&t, job->w, job->first, job->n_rows);
    for (uint32_t half = 0; half * 8 < job->n_rows; half++) {
        if (t.format.group == 16)
            half_times_rows(&k->activations, &t, job, half, 16);
        else
            half_times_rows(&k->activations, &t, job, half, 32);
    }
}
