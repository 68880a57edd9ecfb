/* SPDX-License-Identifier: MIT
 *
 * Reference: ggml-org/ggml docs/gguf.md and the block structs of ggml-common.h. Conventions of
 * the comments: d = scale, m = minimum (halves), q = stored integer.
 *
 * Products and sums are separate statements: a compiler may contract a * b + c within one
 * expression to a fused multiply-add, which rounds once instead of twice.
 */
#include "runtime/dequantise.h"

#include <string.h>

#include "base/gguf.h"

static uint16_t load_u16(const unsigned char *p) {
    return (uint16_t)(p[0] | p[1] << 8);
}

static uint32_t load_u32(const unsigned char *p) {
    return (uint32_t)load_u16(p) | (uint32_t)load_u16(p + 2) << 16;
}

static float load_half(const unsigned char *p) {
    return half_to_float(load_u16(p));
}

static float float_of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of_float(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* ---- half and bfloat16 -------------------------------------------------------------------- */

float half_to_float(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
    if (exponent == 0x1f) return float_of_bits(sign | 0x7f800000 | fraction << 13);
    if (exponent) return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    if (!fraction) return float_of_bits(sign);
    exponent = 113; /* subnormal: shift the first one bit up to its implicit place */
    while (!(fraction & 0x400)) {
        fraction <<= 1;
        exponent--;
    }
    return float_of_bits(sign | exponent << 23 | (fraction & 0x3ff) << 13);
}

/* x / 2^shift, nearest, even on ties. 0 < shift < 32. */
static uint32_t shift_round(uint32_t x, uint32_t shift) {
    uint32_t half = UINT32_C(1) << (shift - 1), rest = x & ((half << 1) - 1), out = x >> shift;
    return out + (rest > half || (rest == half && (out & 1)));
}

uint16_t float_to_half(float x) {
    uint32_t bits = bits_of_float(x), sign = bits >> 16 & 0x8000;
    uint32_t exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    if (exponent == 0xff) {
        uint32_t payload = fraction ? 0x200 | fraction >> 13 : 0;
        return (uint16_t)(sign | 0x7c00 | payload);
    }
    if (exponent > 142) return (uint16_t)(sign | 0x7c00);
    /* A carry out of the fraction runs into the exponent, up to infinity: as it should. */
    if (exponent > 112)
        return (uint16_t)(sign | shift_round((exponent - 112) << 23 | fraction, 13));
    if (exponent < 102) return (uint16_t)sign; /* below half of the least subnormal */
    return (uint16_t)(sign | shift_round(0x800000 | fraction, 126 - exponent));
}

float bfloat16_to_float(uint16_t b) {
    return float_of_bits((uint32_t)b << 16);
}

uint16_t float_to_bfloat16(float x) {
    uint32_t bits = bits_of_float(x);
    if ((bits & 0x7fffffff) > 0x7f800000) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)shift_round(bits, 16);
}

/* ---- blocks of 32 ------------------------------------------------------------------------- */

/* d | 16 bytes: low nibbles are weights 0..15, high nibbles 16..31; (q - 8) d */
static void block_q4_0(const unsigned char *p, float *y) {
    float d = load_half(p);
    for (int i = 0; i < 16; i++) {
        y[i] = d * (float)((p[2 + i] & 0xf) - 8);
        y[i + 16] = d * (float)((p[2 + i] >> 4) - 8);
    }
}

/* d | m | 16 bytes as above; q d + m */
static void block_q4_1(const unsigned char *p, float *y) {
    float d = load_half(p), m = load_half(p + 2);
    for (int i = 0; i < 16; i++) {
        float low = d * (float)(p[4 + i] & 0xf);
        float high = d * (float)(p[4 + i] >> 4);
        y[i] = low + m;
        y[i + 16] = high + m;
    }
}

/* d | 32 fifth bits, bit i for weight i | 16 bytes as above; (q - 16) d */
static void block_q5_0(const unsigned char *p, float *y) {
    float d = load_half(p);
    uint32_t fifth = load_u32(p + 2);
    for (int i = 0; i < 16; i++) {
        int low = (p[6 + i] & 0xf) | (int)(fifth >> i & 1) << 4;
        int high = p[6 + i] >> 4 | (int)(fifth >> (i + 16) & 1) << 4;
        y[i] = d * (float)(low - 16);
        y[i + 16] = d * (float)(high - 16);
    }
}

/* d | m | fifth bits | 16 bytes; q d + m */
static void block_q5_1(const unsigned char *p, float *y) {
    float d = load_half(p), m = load_half(p + 2);
    uint32_t fifth = load_u32(p + 4);
    for (int i = 0; i < 16; i++) {
        float low = d * (float)((p[8 + i] & 0xf) | (int)(fifth >> i & 1) << 4);
        float high = d * (float)(p[8 + i] >> 4 | (int)(fifth >> (i + 16) & 1) << 4);
        y[i] = low + m;
        y[i + 16] = high + m;
    }
}

/* d | 32 signed bytes; q d */
static void block_q8_0(const unsigned char *p, float *y) {
    float d = load_half(p);
    for (int i = 0; i < 32; i++) y[i] = (float)(int8_t)p[2 + i] * d;
}

/* ---- blocks of 256 ------------------------------------------------------------------------ */

/* Eight 6-bit scales and eight 6-bit minima in 12 bytes: entries 0..3 are the low 6 bits of bytes
 * 0..3 and 4..7; entries 4..7 have their low 4 bits in bytes 8..11 (scale low nibble, minimum
 * high) and their top 2 bits in the spare top bits of bytes 0..3 and 4..7. */
static void unpack_scale(const unsigned char *p, int i, int *scale, int *minimum) {
    if (i < 4) {
        *scale = p[i] & 0x3f;
        *minimum = p[i + 4] & 0x3f;
    } else {
        *scale = (p[i + 4] & 0xf) | (p[i - 4] >> 6) << 4;
        *minimum = p[i + 4] >> 4 | (p[i] >> 6) << 4;
    }
}

/* d | dmin | 12 bytes of scales | 128 bytes; each 32 bytes hold 64 weights: low nibbles the first
 * 32, high nibbles the next; (d sc) q - (dmin mn) */
static void block_q4_k(const unsigned char *p, float *y) {
    float d = load_half(p), dmin = load_half(p + 2);
    for (int run = 0; run < 8; run++) { /* of 32 weights */
        const unsigned char *q = p + 16 + run / 2 * 32;
        int scale, minimum, shift = run % 2 * 4;
        unpack_scale(p + 4, run, &scale, &minimum);
        float a = d * (float)scale, b = dmin * (float)minimum;
        for (int i = 0; i < 32; i++) {
            float product = a * (float)(q[i] >> shift & 0xf);
            y[run * 32 + i] = product - b;
        }
    }
}

/* As Q4_K, and 32 bytes of fifth bits in front of the nibbles: bit `run` of byte i belongs to
 * weight i of the run. */
static void block_q5_k(const unsigned char *p, float *y) {
    float d = load_half(p), dmin = load_half(p + 2);
    const unsigned char *fifth = p + 16;
    for (int run = 0; run < 8; run++) {
        const unsigned char *q = p + 48 + run / 2 * 32;
        int scale, minimum, shift = run % 2 * 4;
        unpack_scale(p + 4, run, &scale, &minimum);
        float a = d * (float)scale, b = dmin * (float)minimum;
        for (int i = 0; i < 32; i++) {
            int level = (q[i] >> shift & 0xf) | (fifth[i] >> run & 1) << 4;
            float product = a * (float)level;
            y[run * 32 + i] = product - b;
        }
    }
}

/* 128 bytes of low nibbles | 64 bytes of upper bit pairs | 16 signed scales | d; (d sc) (q - 32).
 * Each half of 128 weights is four runs of 32: nibbles from bytes 0..31 low, 32..63 low, 0..31
 * high, 32..63 high of its 64; the pairs of all four from the same 32 bytes, at bits 0, 2, 4, 6. */
static void block_q6_k(const unsigned char *p, float *y) {
    float d = load_half(p + 208);
    for (int run = 0; run < 8; run++) {
        int half = run / 4, part = run % 4;
        const unsigned char *low = p + half * 64 + part % 2 * 32;
        const unsigned char *pairs = p + 128 + half * 32;
        const unsigned char *scales = p + 192 + run * 2; /* one for 16 weights */
        for (int i = 0; i < 32; i++) {
            int level = (low[i] >> part / 2 * 4 & 0xf) | (pairs[i] >> part * 2 & 3) << 4;
            float scale = d * (float)(int8_t)scales[i / 16];
            y[run * 32 + i] = scale * (float)(level - 32);
        }
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

static void block_f32(const unsigned char *p, float *y) {
    *y = float_of_bits(load_u32(p));
}

static void block_f16(const unsigned char *p, float *y) {
    *y = load_half(p);
}

static void block_bf16(const unsigned char *p, float *y) {
    *y = bfloat16_to_float(load_u16(p));
}

typedef void (*block_fn)(const unsigned char *p, float *y);

static block_fn block_of(uint32_t type) {
    switch (type) {
    case GGUF_TYPE_F32: return block_f32;
    case GGUF_TYPE_F16: return block_f16;
    case GGUF_TYPE_BF16: return block_bf16;
    case GGUF_TYPE_Q4_0: return block_q4_0;
    case GGUF_TYPE_Q4_1: return block_q4_1;
    case GGUF_TYPE_Q5_0: return block_q5_0;
    case GGUF_TYPE_Q5_1: return block_q5_1;
    case GGUF_TYPE_Q8_0: return block_q8_0;
    case GGUF_TYPE_Q4_K: return block_q4_k;
    case GGUF_TYPE_Q5_K: return block_q5_k;
    case GGUF_TYPE_Q6_K: return block_q6_k;
    default: return NULL;
    }
}

bool dequantise_row(uint32_t type, const void *src, float *dst, uint64_t n) {
    uint32_t weights, bytes;
    block_fn block = block_of(type);
    if (!block || !gguf_type_block(type, &weights, &bytes) || n % weights) return false;
    const unsigned char *p = src;
    for (uint64_t i = 0; i < n; i += weights, p += bytes) block(p, dst + i);
    return true;
}
