/* SPDX-License-Identifier: MIT
 *
 * Sixteen floats at once, in plain C: the definition that lanes_avx2.h and lanes_avx512.h repeat
 * with the same signatures and the same bits. A file that is written above them includes one.
 */
#ifndef FORMA_RUNTIME_KERNELS_LANES_H
#define FORMA_RUNTIME_KERNELS_LANES_H

#include <math.h>
#include <stddef.h>

#include "runtime/kernels/numeric.h"

struct lanes {
    float v[SUM_LANES];
};

static inline struct lanes lanes_set1(float x) {
    struct lanes r;
    for (int i = 0; i < SUM_LANES; i++) r.v[i] = x;
    return r;
}

static inline struct lanes lanes_load(const void *p) {
    struct lanes r;
    memcpy(r.v, p, sizeof r.v);
    return r;
}

static inline struct lanes lanes_load_half(const void *p) {
    struct lanes r;
    for (size_t i = 0; i < SUM_LANES; i++)
        r.v[i] = half_float(load_u16((const unsigned char *)p + 2 * i));
    return r;
}

static inline struct lanes lanes_load_bf16(const void *p) {
    struct lanes r;
    for (size_t i = 0; i < SUM_LANES; i++)
        r.v[i] = bf16_float(load_u16((const unsigned char *)p + 2 * i));
    return r;
}

static inline void lanes_store(float *p, struct lanes x) {
    memcpy(p, x.v, sizeof x.v);
}

static inline struct lanes lanes_add(struct lanes a, struct lanes b) {
    for (int i = 0; i < SUM_LANES; i++) a.v[i] += b.v[i];
    return a;
}

static inline struct lanes lanes_mul(struct lanes a, struct lanes b) {
    for (int i = 0; i < SUM_LANES; i++) a.v[i] *= b.v[i];
    return a;
}

/* a * b + c, rounded once */
static inline struct lanes lanes_fma(struct lanes a, struct lanes b, struct lanes c) {
    for (int i = 0; i < SUM_LANES; i++) c.v[i] = fmaf(a.v[i], b.v[i], c.v[i]);
    return c;
}

static inline float lanes_sum(struct lanes x) {
    return sum_lanes(x.v);
}

#endif
