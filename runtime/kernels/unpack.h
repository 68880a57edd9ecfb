/* SPDX-License-Identifier: MIT
 *
 * One row of quantised weights as plain numbers: every type is brought to unsigned bytes q, a
 * scale d for each group (32 weights, or 16) and, for some types, a minimum m:
 *
 *     weight = (q - offset) * d + m
 *
 * The block layouts are described in runtime/dequantise.c, which is the independent definition
 * that the tests compare this with. Static inline, so that each variant compiles it for
 * its own instruction set.
 */
#ifndef FORMA_RUNTIME_KERNELS_UNPACK_H
#define FORMA_RUNTIME_KERNELS_UNPACK_H

#include <stdbool.h>

#include "base/gguf.h"
#include "runtime/kernels/numeric.h"

struct weight_format {
    uint32_t group; /* weights that share a scale: 32 or 16; 0 = not quantised */
    int32_t offset;
    bool has_min;
};

static inline struct weight_format weight_format(uint32_t type) {
    switch (type) {
    case GGUF_TYPE_Q4_0: return (struct weight_format){32, 8, false};
    case GGUF_TYPE_Q4_1: return (struct weight_format){32, 0, true};
    case GGUF_TYPE_Q5_0: return (struct weight_format){32, 16, false};
    case GGUF_TYPE_Q5_1: return (struct weight_format){32, 0, true};
    case GGUF_TYPE_Q8_0: return (struct weight_format){32, 128, false};
    case GGUF_TYPE_Q4_K: return (struct weight_format){32, 0, true};
    case GGUF_TYPE_Q5_K: return (struct weight_format){32, 0, true};
    case GGUF_TYPE_Q6_K: return (struct weight_format){16, 32, false};
    default: return (struct weight_format){0, 0, false};
    }
}

static inline void unpack_nibbles(const unsigned char *p, uint8_t *q) {
    for (int i = 0; i < 16; i++) q[i] = p[i] & 0xf;
    for (int i = 0; i < 16; i++) q[16 + i] = p[i] >> 4;
}

static inline void unpack_fifth_bits(uint32_t bits, uint8_t *q) {
    for (int i = 0; i < 32; i++) q[i] = (uint8_t)(q[i] | (bits >> i & 1) << 4);
}

/* Scale and minimum number i (0..7) of the 12 packed bytes of Q4_K and Q5_K. */
static inline void unpack_k_scale(const unsigned char *p, int i, float *scale, float *minimum) {
    int s, m;
    if (i < 4) {
        s = p[i] & 63;
        m = p[i + 4] & 63;
    } else {
        s = (p[i + 4] & 15) | (p[i - 4] >> 6) << 4;
        m = p[i + 4] >> 4 | (p[i] >> 6) << 4;
    }
    *scale = (float)s;
    *minimum = (float)m;
}

static inline void unpack_q4_k(const unsigned char *p, uint8_t *q, float *d, float *m) {
    float scale = half_float(load_u16(p)), minimum = half_float(load_u16(p + 2));
    for (int i = 0; i < 8; i++) {
        unpack_k_scale(p + 4, i, &d[i], &m[i]);
        d[i] = scale * d[i];
        m[i] = -(minimum * m[i]);
    }
    for (int pair = 0; pair < 4; pair++) {
        const unsigned char *in = p + 16 + pair * 32;
        for (int i = 0; i < 32; i++) q[pair * 64 + i] = in[i] & 0xf;
        for (int i = 0; i < 32; i++) q[pair * 64 + 32 + i] = in[i] >> 4;
    }
}

static inline void unpack_q5_k(const unsigned char *p, uint8_t *q, float *d, float *m) {
    float scale = half_float(load_u16(p)), minimum = half_float(load_u16(p + 2));
    for (int i = 0; i < 8; i++) {
        unpack_k_scale(p + 4, i, &d[i], &m[i]);
        d[i] = scale * d[i];
        m[i] = -(minimum * m[i]);
    }
    for (int pair = 0; pair < 4; pair++) {
        const unsigned char *in = p + 48 + pair * 32, *fifth = p + 16;
        for (int i = 0; i < 32; i++) {
            q[pair * 64 + i] = (uint8_t)((in[i] & 0xf) | (fifth[i] >> (2 * pair) & 1) << 4);
            q[pair * 64 + 32 + i] = (uint8_t)(in[i] >> 4 | (fifth[i] >> (2 * pair + 1) & 1) << 4);
        }
    }
}

static inline void unpack_q6_k(const unsigned char *p, uint8_t *q, float *d) {
    float scale = half_float(load_u16(p + 208));
    for (int i = 0; i < 16; i++) d[i] = scale * (float)(int8_t)p[192 + i];
    for (int half = 0; half < 2; half++) {
        const unsigned char *low = p + half * 64, *pairs = p + 128 + half * 32;
        uint8_t *out = q + half * 128;
        for (int i = 0; i < 32; i++) {
            out[i] = (uint8_t)((low[i] & 0xf) | (pairs[i] & 3) << 4);
            out[32 + i] = (uint8_t)((low[32 + i] & 0xf) | (pairs[i] >> 2 & 3) << 4);
            out[64 + i] = (uint8_t)(low[i] >> 4 | (pairs[i] >> 4 & 3) << 4);
            out[96 + i] = (uint8_t)(low[32 + i] >> 4 | (pairs[i] >> 6 & 3) << 4);
        }
    }
}

/* cols weights: q (cols), d and m (cols / group). m is written only for types that have it. */
static inline void unpack_row(uint32_t type, const unsigned char *p, uint32_t cols, uint8_t *q,
                              float *d, float *m) {
    switch (type) {
    case GGUF_TYPE_Q4_0:
        for (uint32_t b = 0; b < cols / 32; b++, p += 18) {
            d[b] = half_float(load_u16(p));
            unpack_nibbles(p + 2, q + b * 32);
        }
        break;
    case GGUF_TYPE_Q4_1:
        for (uint32_t b = 0; b < cols / 32; b++, p += 20) {
            d[b] = half_float(load_u16(p));
            m[b] = half_float(load_u16(p + 2));
            unpack_nibbles(p + 4, q + b * 32);
        }
        break;
    case GGUF_TYPE_Q5_0:
        for (uint32_t b = 0; b < cols / 32; b++, p += 22) {
            d[b] = half_float(load_u16(p));
            unpack_nibbles(p + 6, q + b * 32);
            unpack_fifth_bits(load_u32(p + 2), q + b * 32);
        }
        break;
    case GGUF_TYPE_Q5_1:
        for (uint32_t b = 0; b < cols / 32; b++, p += 24) {
            d[b] = half_float(load_u16(p));
            m[b] = half_float(load_u16(p + 2));
            unpack_nibbles(p + 8, q + b * 32);
            unpack_fifth_bits(load_u32(p + 4), q + b * 32);
        }
        break;
    case GGUF_TYPE_Q8_0:
        for (uint32_t b = 0; b < cols / 32; b++, p += 34) {
            d[b] = half_float(load_u16(p));
            for (uint32_t i = 0; i < 32; i++) q[b * 32 + i] = p[2 + i] ^ 0x80;
        }
        break;
    case GGUF_TYPE_Q4_K:
        for (uint32_t b = 0; b < cols / 256; b++, p += 144)
            unpack_q4_k(p, q + b * 256, d + b * 8, m + b * 8);
        break;
    case GGUF_TYPE_Q5_K:
        for (uint32_t b = 0; b < cols / 256; b++, p += 176)
            unpack_q5_k(p, q + b * 256, d + b * 8, m + b * 8);
        break;
    case GGUF_TYPE_Q6_K:
        for (uint32_t b = 0; b < cols / 256; b++, p += 210) unpack_q6_k(p, q + b * 256, d + b * 16);
        break;
    default: break;
    }
}

/* Sixteen (or fewer) float weights from index i on. */
static inline float float_weight(uint32_t type, const unsigned char *p, size_t i) {
    if (type == GGUF_TYPE_F32) return load_f32(p + i * 4);
    if (type == GGUF_TYPE_F16) return half_float(load_u16(p + i * 2));
    return bf16_float(load_u16(p + i * 2));
}

#endif
