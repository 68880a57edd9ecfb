/* SPDX-License-Identifier: MIT
 *
 * struct forma_cache: a mask cache for all matchers of several grammars, on whatever threads. Readers
 * go side by side; who adds a mask waits for them, for as long as it takes to copy its differences. A
 * grammar gets a number when its first matcher is made, and no number is given twice: what a freed
 * grammar left behind is found by nobody and goes with the next flush.
 */
#ifndef FORMA_TOKENMASK_SHARED_CACHE_H
#define FORMA_TOKENMASK_SHARED_CACHE_H

#include "tokenmask/mask.h"
#include "tokenmask/mask_cache.h"
#include "tokenmask/vocabulary.h"

/* A number from 1 on. */
uint32_t shared_cache_number(struct forma_cache *c);
/* For a matcher, to look with. */
unsigned shared_cache_stripe(struct forma_cache *c);
bool shared_cache_serves(const struct forma_cache *c, const struct forma_vocabulary *v);
bool shared_cache_find(struct forma_cache *c, unsigned stripe, uint32_t owner, struct state state,
                       uint32_t *row);
/* Its differences are found without a lock. */
void shared_cache_put(struct forma_cache *c, uint32_t owner, struct state state,
                      const uint32_t *row, struct mask_scratch *scratch);
struct mask_difference mask_find_difference(const struct mask_cache *c, const uint32_t *row,
                                            struct mask_scratch *scratch);
/* Of all that share it; hits and misses are not counted. */
struct mask_cache_stats shared_cache_stats(struct forma_cache *c);

/* The masks of a vocabulary, with its rows as bases. */
bool mask_cache_init_for(struct mask_cache *c, const struct forma_vocabulary *v,
                         size_t budget_bytes, const struct forma_allocator *allocator);

#endif
