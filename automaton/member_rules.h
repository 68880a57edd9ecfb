/* SPDX-License-Identifier: MIT
 *
 * What an object formula says about single members, read off without stepping it. A member is
 * *harmless* when its value can be chosen so that no count in the formula changes to the worse:
 * counts that stand positively may rise, all others must not see it. Whatever completed the object
 * before completes it still, so in a satisfiable object a harmless member may come. That settles
 * most names of large objects at the cost of a small goal each, where stepping the formula costs
 * its whole size.
 *
 * The rules live on the goal store's scratch stack, above the caller's mark.
 */
#ifndef FORMA_AUTOMATON_MEMBER_RULES_H
#define FORMA_AUTOMATON_MEMBER_RULES_H

#include "automaton/solver.h"

struct member_rules;

/* NULL when the formula holds what cannot be read off (or memory is out). O(n log n). */
const struct member_rules *member_rules_make(struct solver *s, goal_id f);
/* What the value under `name` must meet so that the member is harmless; GOAL_FALSE: no value is. */
goal_id member_rules_harmless(struct solver *s, const struct member_rules *r, uint32_t name);
/* The same for a member of any name that has no rule of its own. */
goal_id member_rules_harmless_anywhere(struct solver *s, const struct member_rules *r);

#endif
