/* SPDX-License-Identifier: MIT
 *
 * Attention over the paged cache: the definition, for any CPU. The code is in attention_core.h. */
#define VARIANT scalar
#include "runtime/kernels/lanes_scalar.h"
#include "runtime/kernels/attention_core.h"
