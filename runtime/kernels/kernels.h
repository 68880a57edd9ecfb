/* SPDX-License-Identifier: MIT
 *
 * The table of operations that the model is written in. A backend is one const table; the CPU has
 * four: `reference` (fp32 activations, dequantised weights, sums in double: slow, obvious) and
 * `scalar`, `avx2`, `avx512` (integer activations against quantised weights), which give the same
 * bits: each output element is a fixed sequence of operations, done by one thread,
 * whatever the number of rows, threads or lanes.
 *
 * The fixed sequence of the fast matmul, for weight row w and activation row a:
 *
 *     quantised w: per group g of 32 weights (16 in Q6_K), in order:
 *         dot = sum of q_w[i] q_a[i] - offset * sum of q_a[i]        exact, in int32
 *         acc = fma(dot, d_w[g] * d_a[g], acc)
 *         acc = fma(m_w[g], d_a[g] * sum of q_a[i], acc)             types with a minimum
 *     F32, F16, BF16: sixteen lanes, lane i % 16: acc = fma(w[i], a[i], acc); then a halving tree
 *
 * Activation tensors are F32, (rows, cols), owned by the run state. Model code never looks at data.
 */
#ifndef FORMA_RUNTIME_KERNELS_H
#define FORMA_RUNTIME_KERNELS_H

#include "runtime/kv_cache.h"
#include "base/threads.h"

struct tensor {
    uint32_t type; /* enum gguf_tensor_type */
    uint32_t rows, cols;
    size_t row_bytes;
    void *data; /* weights: the mapped file, never written */
};

/* One product of several over the same activations: y (n, w->rows) = x (n, w->cols) w^T */
struct matmul_part {
    struct tensor *y;
    const struct tensor *w;
};

/* Where the rows of a pass stand in the cache. */
struct kv_rows {
    const struct kv_cache *kv;
    uint32_t layer, n_rows;
    const uint32_t *sequence, *position; /* (n_rows) */
};

/* Activations as integers of 15 bits, 32 to a block: q = round(x / d), d = largest magnitude /
 * 16256, in two planes of bytes, q = 128 high + low, so that integer dot products of bytes serve.
 * One plane alone (8 bits, twice as fast in prefill) was measured too coarse: KL up to 0.1 nats a
 * position. */
struct quantised_rows {
    int8_t *high, *low; /* (rows, cols) */
    float *d;           /* (rows, cols / 32) */
    float *ds;          /* d times the sum of the block's q */
    int32_t *sums;      /* (rows, cols / 16): of q */
    uint32_t cols;
};

struct kernel_limits {
    uint32_t max_rows, max_cols, max_tokens; /* of a pass, of a weight, of a sequence */
};

struct kernels;

/* What kernels may use besides their arguments. One owner. */
struct kctx {
    const struct forma_allocator *allocator;
    const struct kernels *kernels;
    struct threads *threads; /* borrowed */
    struct quantised_rows activations;
    unsigned char *scratch; /* (n_threads, scratch_bytes) */
    size_t scratch_bytes, memory_bytes;
    unsigned char *memory;
};

struct kernels {
    const char *name;
    /* out (n, cols): rows `ids` of the table */
    void (*embed)(struct kctx *k, struct tensor *out, const struct tensor *table,
                  const uint32_t *ids);
    /* out = x / sqrt(mean(x^2) + epsilon) * weight; weight (1, cols) F32 */
    void (*rmsnorm)(struct kctx *k, struct tensor *out, const struct tensor *x,
                    const struct tensor *weight, float epsilon);
    void (*matmul)(struct kctx *k, const struct tensor *x, const struct matmul_part *parts,
                   uint32_t n_parts);
    /* Turns the adjacent pairs of each head's first `dims` elements; cos_sin (n, dims):
     * cosine, sine of each pair. */
    void (*rope)(struct kctx *k, struct tensor *x, uint32_t head_dim, const struct tensor *cos_sin);
    /* Keys and values (n, n_kv_heads * head_dim) of a pass into the cache. */
    void (*kv_store)(struct kctx *k, const struct tensor *keys, const struct tensor *values,
                     const struct kv_rows *rows);
    /* out, q (n, n_heads * head_dim): causal attention of each row over its own sequence */
    void (*attention)(struct kctx *k, struct tensor *out, const struct tensor *q,
                      const struct kv_rows *rows);
    /* gate = silu(gate) * up */
    void (*swiglu)(struct kctx *k, struct tensor *gate, const struct tensor *up);
    /* x += y */
    void (*add)(struct kctx *k, struct tensor *x, const struct tensor *y);
    /* out (n): rows `indices` of x */
    void (*gather)(struct kctx *k, struct tensor *out, const struct tensor *x,
                   const uint32_t *indices);
};

const struct kernels *kernels_reference(void);
const struct kernels *kernels_scalar(void);
const struct kernels *kernels_avx2(void);   /* the table; whether the CPU has it is another */
const struct kernels *kernels_avx512(void); /* question: kernels_find asks it */

/* `name` NULL: the best that CPU and system grant. NULL with an error for a name that is not known
 * or that the CPU lacks. */
const struct kernels *kernels_find(const char *name, struct forma_error *err);

/* Reserves the scratch of every thread. Safe to destroy after failure. */
enum forma_status kctx_init(struct kctx *k, const struct kernels *kernels, struct threads *threads,
                            const struct kernel_limits *limits,
                            const struct forma_allocator *allocator, struct forma_error *err);
void kctx_destroy(struct kctx *k);

#endif
