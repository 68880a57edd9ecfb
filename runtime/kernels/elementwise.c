/* SPDX-License-Identifier: MIT
 *
 * rmsnorm, rope, swiglu, add, quantise: the definition, for any CPU. The code is in elementwise.h. */
#define VARIANT scalar
#include "runtime/kernels/elementwise.h"
