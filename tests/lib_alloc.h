/* SPDX-License-Identifier: MIT
 *
 * An allocator for tests that counts what is held and fails on request.
 */
#ifndef FORMA_TESTS_ALLOC_H
#define FORMA_TESTS_ALLOC_H

#include "base/alloc.h"

struct counting_allocator {
    struct forma_allocator allocator; /* hand out &c.allocator */
    long calls;                       /* requests for memory so far */
    long blocks;                      /* blocks held */
    long long bytes;                  /* bytes held */
    long fail_at;                     /* this request (from 1) and later ones fail; 0 = none */
};

void counting_allocator_init(struct counting_allocator *c);

#endif
