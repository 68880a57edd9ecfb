/* SPDX-License-Identifier: MIT
 *
 * xoshiro256++ 1.0 seeded by splitmix64 (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", 2019; both are in the public domain). Period 2^256 - 1.
 */
#include "base/rng.h"

static uint64_t rotate_left(uint64_t x, unsigned k) {
    return x << k | x >> (64 - k);
}

void rng_seed(struct rng *r, uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        seed += UINT64_C(0x9E3779B97F4A7C15);
        uint64_t z = seed;
        z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
        r->s[i] = z ^ z >> 31;
    }
}

uint64_t rng_next(struct rng *r) {
    uint64_t *s = r->s;
    uint64_t result = rotate_left(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double rng_unit(struct rng *r) {
    return (double)(rng_next(r) >> 11) * 0x1.0p-53;
}
