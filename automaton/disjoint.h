/* SPDX-License-Identifier: MIT
 *
 * Exactly one of several objects or arrays, where at most one can hold anyway: then "exactly one"
 * is "or", and an "or" falls apart into its parts, each a small question, where "exactly one" has
 * to be carried as a whole (json-machine: R3). Objects are told apart by a *tag*: a name that must
 * come and whose values no two of them share; arrays by their first item.
 *
 * The test is made in context: a member that the rules beside the alternatives demand need not be
 * demanded by each of them. It is a proof or nothing: an answer that leans on a question which is
 * still open does not count.
 */
#ifndef FORMA_AUTOMATON_DISJOINT_H
#define FORMA_AUTOMATON_DISJOINT_H

#include "automaton/solver_internal.h"

/* The formula f of objects or arrays with every exactly-one loosened as far as its alternatives are
 * proved to exclude each other: among alternatives that fall into groups without overlap, exactly
 * one holds iff exactly one holds in one of the groups. Equivalent to f. Memoised. */
goal_id disjoint_loosen(struct solver *s, goal_id f, enum value_type type);

#endif
