/* SPDX-License-Identifier: MIT
 *
 * rmsnorm, rope, swiglu, add, quantise: for AVX2, FMA and F16C. The code is in elementwise.h. */
#define VARIANT avx2
#include "runtime/kernels/elementwise.h"
