/* SPDX-License-Identifier: MIT
 *
 * rmsnorm, rope, swiglu, add, quantise: the definition, for any CPU. Code: elementwise.h. */
#define VARIANT scalar
#include "runtime/kernels/elementwise.h"
