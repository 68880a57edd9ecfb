/* SPDX-License-Identifier: MIT
 *
 * Exact decimal numbers of any size: sign, digits, exponent. Immutable, canonical (no leading or
 * trailing zero digits; zero has no digits, no sign), living in an arena. No doubles anywhere:
 * 9007199254740993, 0.1 and 1e400 are what the text wrote; 1000e-3 equals 1. Operations never
 * expand an exponent: 1e1000000000 costs what 1 costs, except where a result truly needs the
 * digits; then they fail (false) past DECIMAL_MAX_DIGITS.
 */
#ifndef FORMA_BASE_DECIMAL_H
#define FORMA_BASE_DECIMAL_H

#include "base/arena.h"

#define DECIMAL_MAX_DIGITS 100000 /* of one number: a schema number longer than that is refused */

struct decimal {
    const unsigned char
        *digits; /* values 0 to 9, most significant first; value = 0.d1d2d3... * 10^exponent */
    uint32_t n_digits; /* 0 for zero */
    bool negative;
    int64_t exponent; /* of the form above; 0 for zero */
};

enum decimal_status { DECIMAL_OK, DECIMAL_SYNTAX, DECIMAL_TOO_LONG, DECIMAL_NO_MEMORY };

/* A JSON number text. Exponents beyond +-10^17 are DECIMAL_TOO_LONG. */
enum decimal_status decimal_parse(struct arena *a, const char *text, size_t length,
                                  struct decimal *out);
/* -1, 0, 1. Allocates nothing; O(digits). */
int decimal_compare(const struct decimal *a, const struct decimal *b);
bool decimal_is_integer(const struct decimal *d);
/* Is a = m * integer? m > 0. Exact; O(digits of a + shift, computed by remainder, not expanded). */
bool decimal_is_multiple(const struct decimal *a, const struct decimal *m);
/* Least common multiple of two positive decimals; false past DECIMAL_MAX_DIGITS or no memory. */
bool decimal_lcm(struct arena *a, const struct decimal *x, const struct decimal *y,
                 struct decimal *out);
uint32_t decimal_hash(const struct decimal *d);
/* Plain JSON text without exponent, as long as that has at most `capacity` - 1 bytes; else with
 * exponent. Returns the length needed (terminated when it fits). */
size_t decimal_print(const struct decimal *d, char *out, size_t capacity);
/* Fits a uint64 exactly? */
bool decimal_to_u64(const struct decimal *d, uint64_t *out);

/* From a uint64; false when the arena is full. */
bool decimal_from_u64(struct arena *a, uint64_t x, struct decimal *out);
/* d * 10^shift; shares the digits. */
struct decimal decimal_scale(const struct decimal *d, int64_t shift);
struct decimal decimal_negate(const struct decimal *d);
/* The next three are exact; false past DECIMAL_MAX_DIGITS or when the arena is full. */
bool decimal_add(struct arena *a, const struct decimal *x, const struct decimal *y,
                 struct decimal *out);
/* x - m * floor(x / m), for x >= 0 and m > 0. */
bool decimal_remainder(struct arena *a, const struct decimal *x, const struct decimal *m,
                       struct decimal *out);
/* The least multiple of m that is >= x (> x if `above`), for x >= 0 and m > 0. */
bool decimal_next_multiple(struct arena *a, const struct decimal *x, const struct decimal *m,
                           bool above, struct decimal *out);

#endif
