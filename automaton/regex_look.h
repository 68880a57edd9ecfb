/* SPDX-License-Identifier: MIT
 *
 * Expressions with lookaround, and their way back to terms. An expression does not denote strings
 * but *spans*: the triples (before, match, after) of a whole string where it matches; lookahead
 * reads `after`, lookbehind `before`. Once what follows is part of the expression, up to the end of
 * the string, its language is regular again: look_language makes it a term.
 *
 * Wherever it can, that term has no trace of lookaround left: with the continuation K at hand,
 * (?=B)K is an intersection of B.* and K, and x(?<=B), with all that came before in x, is one of x
 * and .*B. What is left (lookaround in repetitions, lookahead and lookbehind entangled) is a term
 * of its own kind that keeps the expression and is read by derivatives of expressions; see
 * regex_look_derive.c.
 *
 * Expressions live in the store of the terms, hash-consed; failure is sticky in its arena (then
 * LOOK_NONE). One owner. Every function is O(size of the new node) but look_language, which may
 * walk the whole expression.
 */
#ifndef FORMA_AUTOMATON_REGEX_LOOK_H
#define FORMA_AUTOMATON_REGEX_LOOK_H

#include "automaton/regex.h"

typedef uint32_t look_id;
#define LOOK_NONE  0u /* matches nowhere */
#define LOOK_EMPTY 1u /* matches "" everywhere */

/* The strings of t, wherever they stand. */
look_id look_term(struct regex_store *s, term_id t);
look_id look_cat(struct regex_store *s, look_id a, look_id b);
look_id look_or(struct regex_store *s, const look_id *ids, size_t n);
/* a{min,max}; max REGEX_UNBOUNDED for no bound. */
look_id look_repeat(struct regex_store *s, look_id a, uint32_t min, uint32_t max);
/* "" where a match of `a` begins, or (negated) where none does. */
look_id look_ahead(struct regex_store *s, look_id a, bool negated);
/* "" where a match of `a` ends that began where the string begins, or (negated) where none does:
 * for a lookbehind `a` begins with any string. */
look_id look_behind(struct regex_store *s, look_id a, bool negated);
/* "" where the rest of the string, to its end, is one of t. */
look_id look_rest(struct regex_store *s, term_id t);

/* Can it match "", and other spans? "No" is certain, "yes" is not. */
bool look_may_be_empty(const struct regex_store *s, look_id a);
bool look_may_consume(const struct regex_store *s, look_id a);

/* The strings that `a` matches from their beginning to their end. */
term_id look_language(struct regex_store *s, look_id a);

#endif
