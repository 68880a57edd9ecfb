/* SPDX-License-Identifier: MIT
 *
 * What tests and tools may ask a matcher beyond forma.h.
 */
#ifndef FORMA_TOKENMASK_MATCHER_H
#define FORMA_TOKENMASK_MATCHER_H

#include "tokenmask/mask_cache.h"
#include "tokenmask/vocabulary.h"

struct mask_cache_stats matcher_cache_stats(const struct forma_matcher *m);
struct state matcher_state(const struct forma_matcher *m);
/* What the machine knows of the string around the place (machine.h); false where there is none. */
bool matcher_string_view(struct forma_matcher *m, struct string_view *view);
/* The mask here by definition (mask_fill_slow): `words` words, at least what the vocabulary
 * needs. */
void matcher_mask_slow(struct forma_matcher *m, uint32_t *row, size_t words);

/* ---- for matcher_pool.c ------------------------------------------------------------------------ */

#define MATCHER_KEPT_BYTES ((size_t)1 << 20)
bool matcher_suits(const struct forma_matcher *m, const struct forma_matcher_options *options);
void matcher_destroy(struct forma_matcher *m); /* whatever pool there is */

/* ---- for questions that other files of this folder answer -------------------------------------- */

/* Their memory, of a matcher with a vocabulary. */
#define MATCHER_TEXT_BYTES ((size_t)1 << 20)
struct matcher_scratch {
    const struct forma_allocator *allocator;
    void *block;
    size_t size;
    uint32_t *least, *last; /* MATCHER_TEXT_BYTES + 1 each: for every length of `text`, the fewest
                             * tokens that spell so much of it, and the last of them */
    struct state *path;     /* trie.max_depth + 1 */
    int32_t *row;           /* a mask */
    unsigned char *text;    /* MATCHER_TEXT_BYTES */
};
bool matcher_scratch_init(struct matcher_scratch *s, const struct forma_vocabulary *v,
                          const struct forma_allocator *allocator); /* false: no memory */
void matcher_scratch_destroy(struct matcher_scratch *s);            /* a zeroed one is fine */

const struct forma_vocabulary *matcher_vocabulary(const struct forma_matcher *m); /* may be NULL */
struct matcher_scratch *matcher_scratch(struct forma_matcher *m);
bool matcher_has_ended(const struct forma_matcher *m); /* by an end token */
struct machine *matcher_machine(const struct forma_matcher *m);
/* The same, locked, its states only to be looked at, until the end of the look. What the matcher
 * says of its own last question stays. False: the machine ran out of memory, no answer counts. */
struct machine *matcher_look(struct forma_matcher *m);
bool matcher_end_look(struct forma_matcher *m);

#endif
