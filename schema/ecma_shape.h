/* SPDX-License-Identifier: MIT
 *
 * Sub-patterns by the place where their match begins: at the beginning of the string, behind it,
 * or either ("any": an expression that tells them apart itself). `^` is "" at the beginning and
 * nothing inside, so patterns that begin with it, alternatives and all, end as terms without a
 * trace of an anchor; only where the place is truly open does a lookbehind remain. `$` and
 * lookahead need no such care: what follows is passed down (automaton/regex_look.h).
 */
#ifndef FORMA_SCHEMA_ECMA_SHAPE_H
#define FORMA_SCHEMA_ECMA_SHAPE_H

#include "automaton/regex_look.h"

enum ecma_place { ECMA_START, ECMA_INSIDE, ECMA_ANY, ECMA_N_PLACES };

struct ecma_shape {
    look_id at[ECMA_N_PLACES];
};

struct ecma_shape ecma_term(struct regex_store *s, term_id t);
/* ^ or $ */
struct ecma_shape ecma_anchor(struct regex_store *s, bool left);
/* \b or (negated) \B, for these word characters */
struct ecma_shape ecma_boundary(struct regex_store *s, term_id word, bool negated);
struct ecma_shape ecma_cat(struct regex_store *s, struct ecma_shape a, struct ecma_shape b);
struct ecma_shape ecma_or(struct regex_store *s, const struct ecma_shape *shapes, size_t n);
struct ecma_shape ecma_repeat(struct regex_store *s, struct ecma_shape a, uint32_t min,
                              uint32_t max);
struct ecma_shape ecma_ahead(struct regex_store *s, struct ecma_shape a, bool negated);
struct ecma_shape ecma_behind(struct regex_store *s, struct ecma_shape a, bool negated);
/* Strings that contain a match; strings that are one. */
term_id ecma_search(struct regex_store *s, struct ecma_shape a);
term_id ecma_whole(struct regex_store *s, struct ecma_shape a);

#endif
