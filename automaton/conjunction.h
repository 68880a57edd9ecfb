/* SPDX-License-Identifier: MIT
 *
 * Objects whose formula is, for most names, a plain conjunction: "these names must come", "the
 * value under this name meets G", "every value under a name of this class meets G", "at most m
 * members". There names do not depend on each other: whether a member may come is a question about
 * its own goal, and no formula has to be stepped to know it. What else the formula holds (anyOf
 * over the object, counts of classes) is the *rest*, a formula over the names that it touches:
 *
 *     satisfiable(f)  iff  every needed plain member is, and satisfiable(rest)
 *
 * (The general way is in solver_container.c; tests compare the two.) Made once per formula,
 * O(n log n), kept in the solver's arena.
 */
#ifndef FORMA_AUTOMATON_CONJUNCTION_H
#define FORMA_AUTOMATON_CONJUNCTION_H

#include "automaton/solver.h"

struct conjunction;

/* NULL when f has no plain part worth setting apart (or memory is out). */
const struct conjunction *conjunction_find(struct solver *s, goal_id f);

/* Plain names that must come, sorted by id. */
const uint32_t *conjunction_needs(const struct conjunction *c, size_t *n);
bool conjunction_is_need(const struct conjunction *c, uint32_t name);
/* Members that may come in all, needed ones included. */
uint64_t conjunction_max_members(const struct conjunction *c);
/* GOAL_TRUE when the whole formula is plain. */
goal_id conjunction_rest(const struct conjunction *c);
/* Does the rest depend on whether a member `name` comes, or on its value? */
bool conjunction_rest_touches(struct solver *s, const struct conjunction *c, uint32_t name);
/* What the value under `name`, which the rest does not touch, must meet. */
goal_id conjunction_member(struct solver *s, const struct conjunction *c, uint32_t name);
/* What suits under every name that is not plain, whatever classes it is in. */
goal_id conjunction_any_member(struct solver *s, const struct conjunction *c);

#endif
