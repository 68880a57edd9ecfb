/* SPDX-License-Identifier: MIT
 *
 * What the parser of ECMA-262 patterns and its algebra of anchors share.
 *
 * A shape is the language of a sub-pattern in its four surroundings: [l][r], l = "the string
 * begins where the match begins", r = "the string ends where it ends". Without anchors all four
 * are one term. So `^` is "" in [1][*] and nothing in [0][*], `$` likewise on the right; more
 * surroundings can only add matches.
 */
#ifndef FORMA_SCHEMA_ECMA_INTERNAL_H
#define FORMA_SCHEMA_ECMA_INTERNAL_H

#include "automaton/regex.h"

struct ecma_shape {
    term_id in[2][2];
};

struct ecma_shape ecma_plain(term_id t);
struct ecma_shape ecma_anchor(bool left);
struct ecma_shape ecma_cat(struct regex_store *s, struct ecma_shape a, struct ecma_shape b);
struct ecma_shape ecma_repeat(struct regex_store *s, struct ecma_shape a, uint32_t min,
                              uint32_t max);
/* Strings that contain a match. */
term_id ecma_search(struct regex_store *s, struct ecma_shape a);

static inline bool ecma_is_plain(struct ecma_shape a) {
    return a.in[0][0] == a.in[0][1] && a.in[0][0] == a.in[1][0] && a.in[0][0] == a.in[1][1];
}

#endif
