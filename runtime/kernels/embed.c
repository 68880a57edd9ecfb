/* SPDX-License-Identifier: MIT
 *
 * Copies of rows: token embeddings out of the (quantised) table, and rows out of activations. */
#include <string.h>

#include "runtime/dequantise.h"
#include "runtime/kernels/internal.h"

void op_embed(struct kctx *k, struct tensor *out, const struct tensor *table, const uint32_t *ids) {
    (void)k;
    for (uint32_t i = 0; i < out->rows; i++)
        dequantise_row(table->type, tensor_row(table, ids[i]), tensor_row(out, i), out->cols);
}

void op_gather(struct kctx *k, struct tensor *out, const struct tensor *x,
               const uint32_t *indices) {
    (void)k;
    for (uint32_t i = 0; i < out->rows; i++)
        memcpy(tensor_row(out, i), tensor_row(x, indices[i]), out->cols * sizeof(float));
}
