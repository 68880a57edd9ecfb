/* SPDX-License-Identifier: MIT
 *
 * What the files of the CPU kernels share: jobs over rows, and the pieces from which kernels.c
 * builds the tables. */
#ifndef FORMA_RUNTIME_KERNELS_INTERNAL_H
#define FORMA_RUNTIME_KERNELS_INTERNAL_H

#include "runtime/kernels/kernels.h"

#define TILE_ROWS     16       /* weight rows that a matmul task treats together */
#define QUANTISED_MAX 16256.0f /* 127 * 128: of an activation's integer */
#define MAX_QUERIES   16       /* (row, head) pairs that an attention task treats together */

struct row_job {
    struct tensor *out;
    const struct tensor *x, *weight;
    const struct quantised_rows *quantised;
    float epsilon;
    uint32_t head_dim;
};

static inline void *tensor_row(const struct tensor *t, uint32_t row) {
    return (unsigned char *)t->data + (size_t)row * t->row_bytes;
}

static inline unsigned char *kctx_scratch(const struct kctx *k, uint32_t thread) {
    return k->scratch + (size_t)thread * k->scratch_bytes;
}

/* Few rows are done by the caller alone: waking threads would cost more. */
void run_rows(struct kctx *k, threads_task_fn run, struct row_job *job, uint32_t n_rows);

void op_embed(struct kctx *k, struct tensor *out, const struct tensor *table, const uint32_t *ids);
void op_gather(struct kctx *k, struct tensor *out, const struct tensor *x, const uint32_t *indices);

/* The operations of one variant: scalar_add, avx2_add, avx512_add ... A file that is compiled for
 * a variant defines VARIANT before it includes the shared code. */
#define OP_PASTE(variant, name) variant##_##name
#define OP_NAME(variant, name)  OP_PASTE(variant, name)
#define OP(name)                OP_NAME(VARIANT, name)

#define DECLARE_OPERATIONS(variant)                                                                \
    void variant##_rmsnorm(struct kctx *k, struct tensor *out, const struct tensor *x,             \
                           const struct tensor *weight, float epsilon);                            \
    void variant##_rope(struct kctx *k, struct tensor *x, uint32_t head_dim,                       \
                        const struct tensor *cos_sin);                                             \
    void variant##_swiglu(struct kctx *k, struct tensor *gate, const struct tensor *up);           \
    void variant##_add(struct kctx *k, struct tensor *x, const struct tensor *y);                  \
    void variant##_quantise(struct kctx *k, const struct tensor *x); /* into k->activations */     \
    void variant##_matmul(struct kctx *k, const struct tensor *x, const struct matmul_part *parts, \
                          uint32_t n_parts);                                                       \
    void variant##_kv_store(struct kctx *k, const struct tensor *keys,                             \
                            const struct tensor *values, const struct kv_rows *rows);              \
    void variant##_attention(struct kctx *k, struct tensor *out, const struct tensor *q,           \
                             const struct kv_rows *rows);

DECLARE_OPERATIONS(scalar)
DECLARE_OPERATIONS(avx2)
DECLARE_OPERATIONS(avx512)
DECLARE_OPERATIONS(reference)

#endif
