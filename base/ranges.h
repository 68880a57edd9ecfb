/* SPDX-License-Identifier: MIT
 *
 * Looking into tables of ranges of numbers: ascending, disjoint, each a struct that begins with
 * `uint32_t first, last`.
 */
#ifndef FORMA_BASE_RANGES_H
#define FORMA_BASE_RANGES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The index of the first of n ranges, each of `size` bytes, that does not end before c; n: all do. */
static inline size_t ranges_from(const void *ranges, size_t n, size_t size, uint32_t c) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t last;
        memcpy(&last, (const unsigned char *)ranges + middle * size + sizeof last, sizeof last);
        if (last < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
