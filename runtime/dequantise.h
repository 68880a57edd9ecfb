/* SPDX-License-Identifier: MIT
 *
 * What the bytes of a quantised row mean: the reference that every kernel is tested against, one
 * plain loop a type, in float. Each result is rounded exactly as the formula beside its type says
 * (product first, then the sum; never fused), so it is the same on every machine.
 * No state; any alignment of `src`.
 */
#ifndef FORMA_RUNTIME_DEQUANTISE_H
#define FORMA_RUNTIME_DEQUANTISE_H

#include <stdbool.h>
#include <stdint.h>

/* `n` weights of type `type` (enum gguf_tensor_type) to dst. False for a type that forma does not
 * read, or when n is not a multiple of the block. */
bool dequantise_row(uint32_t type, const void *src, float *dst, uint64_t n);

/* Conversions. From a half or bfloat16 every value is exact (NaNs keep their payload); to them
 * the nearest is taken, even on ties; beyond the largest, infinity; NaNs stay NaNs. */
float half_to_float(uint16_t half);
uint16_t float_to_half(float x);
float bfloat16_to_float(uint16_t b);
uint16_t float_to_bfloat16(float x);

#endif
