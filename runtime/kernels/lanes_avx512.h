/* SPDX-License-Identifier: MIT
 *
 * lanes_scalar.h in one AVX-512 register. */
#ifndef FORMA_RUNTIME_KERNELS_LANES_H
#define FORMA_RUNTIME_KERNELS_LANES_H

#include <immintrin.h>

#include "runtime/kernels/numeric.h"

struct lanes {
    __m512 v;
};

static inline struct lanes lanes_set1(float x) {
    return (struct lanes){_mm512_set1_ps(x)};
}

static inline struct lanes lanes_load(const void *p) {
    return (struct lanes){_mm512_loadu_ps(p)};
}

static inline struct lanes lanes_load_half(const void *p) {
    return (struct lanes){_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p))};
}

static inline struct lanes lanes_load_bf16(const void *p) {
    __m512i x = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
    return (struct lanes){_mm512_castsi512_ps(_mm512_slli_epi32(x, 16))};
}

static inline void lanes_store(float *p, struct lanes x) {
    _mm512_storeu_ps(p, x.v);
}

static inline struct lanes lanes_add(struct lanes x, struct lanes y) {
    return (struct lanes){_mm512_add_ps(x.v, y.v)};
}

static inline struct lanes lanes_mul(struct lanes x, struct lanes y) {
    return (struct lanes){_mm512_mul_ps(x.v, y.v)};
}

static inline struct lanes lanes_fma(struct lanes x, struct lanes y, struct lanes z) {
    return (struct lanes){_mm512_fmadd_ps(x.v, y.v, z.v)};
}

static inline float lanes_sum(struct lanes x) {
    __m256 low = _mm512_castps512_ps256(x.v);
    __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(x.v), 1));
    __m256 eight = _mm256_add_ps(low, high);
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

#endif
