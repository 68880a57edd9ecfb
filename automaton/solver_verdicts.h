/* SPDX-License-Identifier: MIT
 *
 * Which verdicts can a scalar child give at once? The goals that a formula waits for are seldom
 * independent: of fifty `const` tags at most one holds. The table of the combinations that occur
 * (json-machine: R4) has a row for each class of values that no goal tells apart, so who branches
 * over rows does it some fifty times, where branching goal by goal does it 2^50 times.
 */
#ifndef FORMA_AUTOMATON_SOLVER_VERDICTS_H
#define FORMA_AUTOMATON_SOLVER_VERDICTS_H

#include "automaton/solver_internal.h"

struct verdict_row {
    uint32_t language;    /* string: term; number: set; boolean: bit 0 false, bit 1 true */
    const bool *verdicts; /* one a goal */
};

struct verdict_table {
    enum value_type type;
    ARENA_VEC(struct verdict_row) rows;
};

/* The rows for values of scalar type t; every value of t that can be written is in exactly one.
 * They live on the goal store's scratch stack, above the caller's mark. False: too many (or
 * memory is out). */
bool solver_verdict_table(struct solver *s, enum value_type t, const goal_id *goals, size_t n,
                          struct verdict_table *out);

/* What the values of a row have in common, as a goal: one of `goals` where it says the same, so
 * that it keeps its place in the schema. */
goal_id solver_row_goal(struct solver *s, enum value_type t, const struct verdict_row *row,
                        const goal_id *goals, size_t n);

/* Arrays and objects: the goals that hold for all values of type t, or for none. Fills indices[]
 * (rising) and verdicts[], returns how many. */
size_t solver_settled_goals(struct solver *s, enum value_type t, const goal_id *goals, size_t n,
                            goal_id *settled, bool *verdicts);

/* Is it worth to make tables for these variables? */
bool solver_wants_table(const struct formula_variable *variables, size_t n);

/* The variables of f on the scratch stack, by goal; *n of them. NULL past the limit. */
struct formula_variable *solver_variables(struct solver *s, goal_id f, size_t *n);

#endif
