/* SPDX-License-Identifier: MIT
 *
 * A text in as few tokens as can be: the shortest way through the places between its bytes, where each
 * token of the vocabulary that stands in the text is a step. Exact. O(n d) for n bytes, d the
 * longest way down the trie that the text takes anywhere.
 */
#ifndef FORMA_TOKENMASK_PLAN_H
#define FORMA_TOKENMASK_PLAN_H

#include "tokenmask/matcher.h"

/* How many tokens that is for the first n bytes of s->text, SIZE_MAX: no tokens spell them. n is at
 * most MATCHER_TEXT_BYTES. */
size_t plan_fewest(const struct forma_vocabulary *v, struct matcher_scratch *s, size_t n);
/* The first `capacity` of the tokens that plan_fewest found for these n bytes. */
void plan_write(const struct forma_vocabulary *v, const struct matcher_scratch *s, size_t n,
                uint32_t *ids, size_t capacity);

#endif
