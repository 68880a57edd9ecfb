/* SPDX-License-Identifier: MIT
 *
 * Products of quantised weights with integer activations in plain C: the definition that
 * matmul_avx2.c and matmul_avx512.c repeat bit by bit. */
#define VARIANT scalar
#include "runtime/kernels/lanes_scalar.h"
#include "runtime/kernels/matmul_core.h"
#include "runtime/kernels/row_dot.h"

static void quantised_tile(const struct kctx *k, const struct tile_job *job,
                           unsigned char *scratch) {
    rows_times_rows(&k->activations, job, scratch);
}
