/* SPDX-License-Identifier: MIT
 *
 * The random generator: xoshiro256++ seeded by splitmix64. Integers only up to the last step, so
 * the draws of a seed are the same on every platform. Not for secrets. One owner.
 */
#ifndef FORMA_BASE_RNG_H
#define FORMA_BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
double rng_unit(struct rng *r); /* [0, 1), 53 bits */

/* 0 .. n-1, n > 0; the bias is below n / 2^32. */
static inline uint32_t rng_below(struct rng *r, uint32_t n) {
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

#endif
