/* SPDX-License-Identifier: MIT
 *
 * lanes_scalar.h in two AVX2 registers. Needs FMA and F16C. */
#ifndef FORMA_RUNTIME_KERNELS_LANES_H
#define FORMA_RUNTIME_KERNELS_LANES_H

#include <immintrin.h>

#include "runtime/kernels/numeric.h"

struct lanes {
    __m256 a, b;
};

static inline struct lanes lanes_set1(float x) {
    return (struct lanes){_mm256_set1_ps(x), _mm256_set1_ps(x)};
}

static inline struct lanes lanes_load(const void *p) {
    const float *f = p;
    return (struct lanes){_mm256_loadu_ps(f), _mm256_loadu_ps(f + 8)};
}

static inline struct lanes lanes_load_half(const void *p) {
    const __m128i *h = p;
    return (struct lanes){_mm256_cvtph_ps(_mm_loadu_si128(h)),
                          _mm256_cvtph_ps(_mm_loadu_si128(h + 1))};
}

static inline __m256 bf16_to_ps(__m128i x) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(x), 16));
}

static inline struct lanes lanes_load_bf16(const void *p) {
    const __m128i *h = p;
    return (struct lanes){bf16_to_ps(_mm_loadu_si128(h)), bf16_to_ps(_mm_loadu_si128(h + 1))};
}

static inline void lanes_store(float *p, struct lanes x) {
    _mm256_storeu_ps(p, x.a);
    _mm256_storeu_ps(p + 8, x.b);
}

static inline struct lanes lanes_add(struct lanes x, struct lanes y) {
    return (struct lanes){_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)};
}

static inline struct lanes lanes_mul(struct lanes x, struct lanes y) {
    return (struct lanes){_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)};
}

static inline struct lanes lanes_fma(struct lanes x, struct lanes y, struct lanes z) {
    return (struct lanes){_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)};
}

static inline float lanes_sum(struct lanes x) {
    __m256 eight = _mm256_add_ps(x.a, x.b);
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

#endif
