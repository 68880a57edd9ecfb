/* SPDX-License-Identifier: MIT
 *
 * Numbers that every variant of a kernel must compute alike. Included by files that are compiled
 * for different instruction sets: everything is static inline, and no expression may be fused or
 * reordered (C11 mode of gcc does not; clang is told).
 */
#ifndef FORMA_RUNTIME_KERNELS_NUMERIC_H
#define FORMA_RUNTIME_KERNELS_NUMERIC_H

#include <stdint.h>
#include <string.h>

#ifdef __F16C__
#include <immintrin.h>
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define SUM_LANES 16 /* float sums run in this many lanes */

static inline uint32_t float_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float bits_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint16_t load_u16(const void *p) {
    uint16_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline uint32_t load_u32(const void *p) {
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline float load_f32(const void *p) {
    return bits_float(load_u32(p));
}

#ifdef __F16C__
static inline float half_float(uint16_t h) {
    return _cvtsh_ss(h);
}
static inline uint16_t float_half(float x) {
    return _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
}
#else
/* The exponent is moved by a multiplication, which is exact, subnormals included. */
static inline float half_float(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;
    if (rest >= 0x0f800000) { /* infinity, NaN (made quiet, as the hardware does) */
        uint32_t quiet = rest > 0x0f800000 ? 0x400000 : 0;
        return bits_float(sign | 0x7f800000 | rest | quiet);
    }
    return bits_float(sign | float_bits(bits_float(rest) * 0x1p112f));
}
/* To the nearest, ties to even. */
static inline uint16_t float_half(float x) {
    uint32_t bits = float_bits(x), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (rest >> 13 & 0x1ff));
    if (rest >= 0x477ff000) return (uint16_t)(sign | 0x7c00);
    if (rest < 0x38800000) { /* subnormal: adding 0.5 leaves units of 2^-24 in the low bits */
        float units = bits_float(rest) + 0.5f;
        return (uint16_t)(sign | (float_bits(units) - float_bits(0.5f)));
    }
    rest += 0xfff + (rest >> 13 & 1);
    return (uint16_t)(sign | (rest - 0x38000000) >> 13);
}
#endif

static inline float bf16_float(uint16_t b) {
    return bits_float((uint32_t)b << 16);
}

/* The sixteen lanes of a sum, halved four times. */
static inline float sum_lanes(const float *lanes) {
    float t[8];
    for (int i = 0; i < 8; i++) t[i] = lanes[i] + lanes[i + 8];
    for (int i = 0; i < 4; i++) t[i] = t[i] + t[i + 4];
    t[0] = t[0] + t[2];
    t[1] = t[1] + t[3];
    return t[0] + t[1];
}

/* Nearest integer, ties to even, of |x| < 2^22, as a float and in the low bits. */
#define ROUNDING_MAGIC 12582912.0f /* 1.5 * 2^23 */

/* e^x within 2 ulp (range reduction to |r| <= ln 2 / 2 and the polynomial of Cephes' expf); 0 below
 * -87, clamped at 88. No branch: loops over it become vector code. */
static inline float exp_float(float x) {
    float c = x < -87.0f ? -87.0f : x;
    c = c > 88.0f ? 88.0f : c;
    float shifted = c * 1.44269504088896341f + ROUNDING_MAGIC;
    float n = shifted - ROUNDING_MAGIC;
    float r = c - n * 0.693359375f;
    r = r - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    float y = p * (r * r) + r + 1.0f;
    uint32_t exponent = (float_bits(shifted) - float_bits(ROUNDING_MAGIC) + 127u) << 23;
    y = y * bits_float(exponent);
    return x < -87.0f ? 0.0f : y;
}

static inline float silu_float(float x) {
    return x / (1.0f + exp_float(-x));
}

#endif
