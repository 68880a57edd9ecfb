/* SPDX-License-Identifier: MIT
 *
 * Natural numbers of any size, in limbs of nine decimal digits, least significant first, no
 * leading zero limbs (zero has none). What base/decimal.c needs and no more: schoolbook, because
 * schema numbers have a handful of digits and only must not break with 100,000. Limbs live in the
 * caller's arena; functions that carve return false when it is full.
 */
#ifndef FORMA_BASE_NAT_H
#define FORMA_BASE_NAT_H

#include "base/arena.h"

#define NAT_BASE   1000000000u
#define NAT_DIGITS 9

struct nat {
    uint32_t *limbs;
    size_t n;
};

/* The number that the digits (0 to 9, most significant first) write, times 10^zeros. */
bool nat_from_digits(struct arena *a, const unsigned char *digits, size_t n_digits, size_t zeros,
                     struct nat *out);
/* Its digits, most significant first, without leading zeros. */
bool nat_digits(struct arena *a, const struct nat *x, unsigned char **digits, size_t *n_digits);

int nat_compare(const struct nat *x, const struct nat *y);
bool nat_add(struct arena *a, const struct nat *x, const struct nat *y, struct nat *out);
/* x - y, for x >= y. */
bool nat_subtract(struct arena *a, const struct nat *x, const struct nat *y, struct nat *out);
bool nat_multiply(struct arena *a, const struct nat *x, const struct nat *y, struct nat *out);
/* x = quotient * y + remainder, y > 0. Either result may be NULL. */
bool nat_divide(struct arena *a, const struct nat *x, const struct nat *y, struct nat *quotient,
                struct nat *remainder);
bool nat_gcd(struct arena *a, const struct nat *x, const struct nat *y, struct nat *out);

/* One step of long division, in place: `r` has n + 1 limbs and is less than y * NAT_BASE. Takes
 * the largest multiple of y (n limbs) off it and returns the factor. */
uint32_t nat_reduce_window(uint32_t *r, const uint32_t *y, size_t n);

#endif
