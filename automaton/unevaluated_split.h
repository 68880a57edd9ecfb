/* SPDX-License-Identifier: MIT
 *
 * An unevaluated beside alternatives that exclude each other: inside one of them the conditions
 * that need another are false. So it moves into the alternatives, where a few of its cells are
 * left, mostly with settled conditions: then it is a plain rule about names, and the alternatives
 * stay questions of their own (disjoint.h).
 */
#ifndef FORMA_AUTOMATON_UNEVALUATED_SPLIT_H
#define FORMA_AUTOMATON_UNEVALUATED_SPLIT_H

#include "automaton/goal_internal.h"

/* The unevaluated nodes `nodes` (positive) beside an exactly-one over `kids`. */
struct unevaluated_split {
    struct goal_store *s;
    const goal_id *nodes;
    size_t n_nodes;
    const goal_id *kids;
    uint32_t n_kids;
    uint32_t *needs; /* for each part of each condition: the kid without which it cannot hold */
};

/* False: no condition needs a kid (or memory is out), so there is nothing to split. Lives on the
 * scratch stack, above the caller's mark. */
bool unevaluated_split_open(struct unevaluated_split *u, struct goal_store *s, const goal_id *nodes,
                            size_t n_nodes, const goal_id *kids, uint32_t n_kids);
/* The nodes where only kids of group `own` can hold. */
goal_id unevaluated_split_group(const struct unevaluated_split *u, const uint32_t *group,
                                uint32_t own);

#endif
