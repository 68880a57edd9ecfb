/* SPDX-License-Identifier: MIT
 *
 * rmsnorm, rope, swiglu, add, quantise: for AVX-512. The code is in elementwise.h. */
#define VARIANT avx512
#include "runtime/kernels/elementwise.h"
