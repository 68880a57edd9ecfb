/* SPDX-License-Identifier: MIT
 *
 * Matchers that were given back, empty and ready to be used again, for the reason that json_pool.h
 * gives: their memory has been touched. A vocabulary keeps a few, all made with its own allocator.
 * Threads may share a pool.
 */
#ifndef FORMA_TOKENMASK_MATCHER_POOL_H
#define FORMA_TOKENMASK_MATCHER_POOL_H

#include "base/alloc.h"
#include "forma.h"

struct matcher_pool;

/* NULL: no memory. The allocator must outlive the pool. */
struct matcher_pool *matcher_pool_new(const struct forma_allocator *allocator);
void matcher_pool_free(struct matcher_pool *pool); /* and the matchers in it; NULL is fine */

/* One that was made with these options, or NULL. */
struct forma_matcher *matcher_pool_take(struct matcher_pool *pool,
                                        const struct forma_matcher_options *options);
/* False: the pool is full. */
bool matcher_pool_give(struct matcher_pool *pool, struct forma_matcher *m);

#endif
