/* SPDX-License-Identifier: MIT
 *
 * Attention over the paged cache: for AVX-512. The code is in attention_core.h. */
#define VARIANT avx512
#include "runtime/kernels/lanes_avx512.h"
#include "runtime/kernels/attention_core.h"
