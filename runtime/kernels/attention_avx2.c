/* SPDX-License-Identifier: MIT
 *
 * Attention over the paged cache: for AVX2, FMA and F16C. The code is in attention_core.h. */
#define VARIANT avx2
#include "runtime/kernels/lanes_avx2.h"
#include "runtime/kernels/attention_core.h"
