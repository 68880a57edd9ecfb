/* SPDX-License-Identifier: MIT
 *
 * What tests and tools may ask a matcher beyond forma.h.
 */
#ifndef FORMA_TOKENMASK_MATCHER_H
#define FORMA_TOKENMASK_MATCHER_H

#include "tokenmask/mask_cache.h"

struct mask_cache_stats matcher_cache_stats(const struct forma_matcher *m);
struct state matcher_state(const struct forma_matcher *m);
/* What the machine knows of the string around the place (machine.h); false where there is none. */
bool matcher_string_view(struct forma_matcher *m, struct string_view *view);
/* The mask here by definition (mask_fill_slow): `words` words, at least what the vocabulary
 * needs. */
void matcher_mask_slow(struct forma_matcher *m, uint32_t *row, size_t words);

#endif
