/* SPDX-License-Identifier: MIT
 *
 * Objects whose formula is a plain conjunction: "these names must come", "the value under this
 * name meets G", "every value under a name of this class meets G", "at most m members". Most
 * objects of most schemas are of this kind, and then names do not depend on each other: whether a
 * member may come is a question about its own goal, and the object is satisfiable iff each needed
 * member is. No formula has to be stepped to know it. (The general way is in solver_container.c;
 * tests compare the two.)
 *
 * Made once per formula, O(n log n), kept in the solver's arena.
 */
#ifndef FORMA_AUTOMATON_CONJUNCTION_H
#define FORMA_AUTOMATON_CONJUNCTION_H

#include "automaton/solver.h"

struct conjunction;

/* NULL when f is not a plain conjunction (or memory is out). */
const struct conjunction *conjunction_find(struct solver *s, goal_id f);

/* Names that must come, sorted by id. */
const uint32_t *conjunction_needs(const struct conjunction *c, size_t *n);
bool conjunction_is_need(const struct conjunction *c, uint32_t name);
/* Members that may come in all, needed ones included. */
uint64_t conjunction_max_members(const struct conjunction *c);
/* What the value under `name` must meet. */
goal_id conjunction_member(struct solver *s, const struct conjunction *c, uint32_t name);

#endif
