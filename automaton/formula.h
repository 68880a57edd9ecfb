/* SPDX-License-Identifier: MIT
 *
 * What reading children does to the formula of an open array or object (json-machine: "frames").
 * A formula here is a specialised goal: and, or, exactly-one over counting predicates and
 * unevaluated (whose conditions are formulas of the same container), and, while a child is being read, over variables ("the verdict of goal G on this child").
 *
 *     step    before a child:  count(K,G,n) with the child in K
 *                              -> (V(G) and count(K - child, G, n-1)) or count(K - child, G, n)
 *                              unique -> unique and not V(equal to an item read before)
 *     assign  after the child: each variable becomes its verdict
 *     close   at the end:      count -> false, unique and unevaluated -> true (their negations
 *                              the opposite)
 *
 * Each is a rewriting of the whole formula with a memo, O(its size).
 */
#ifndef FORMA_AUTOMATON_FORMULA_H
#define FORMA_AUTOMATON_FORMULA_H

#include "automaton/goal.h"

#define FORMULA_SERVE_NONE UINT32_MAX

/* Before the member `name`. If the predicate node `serve` (a unit, positive) stands in f and
 * counts this child, it is taken as served: count(K, G, n) -> count(K - child, G, n-1), and the
 * caller sees to it that the child meets G. The negation of an unevaluated is served by a child
 * that it asks for: what the child must meet is all that is left of it. */
goal_id formula_step_key(struct goal_store *s, goal_id f, uint32_t name, goal_id serve);
/* Before the next item; indices become relative to the one after it. `seen`: the goal "equal to an
 * item read before", GOAL_FALSE where there is none or where f does not ask for it. */
goal_id formula_step_item(struct goal_store *s, goal_id f, goal_id seen);
/* With "unique" taken as decided. */
goal_id formula_settle_unique(struct goal_store *s, goal_id f, bool unique);
goal_id formula_close(struct goal_store *s, goal_id f);
/* Closes the counts over single names that can no longer come. */
goal_id formula_close_names(struct goal_store *s, goal_id f, bool (*gone)(void *ctx, uint32_t name),
                            void *ctx);

struct formula_variable {
    goal_id goal;
    uint8_t polarity; /* 1 occurs positively, 2 negatively, 3 both or inside exactly-one */
};

/* Adds the variables of f (each once, ordered by goal id) to those already in out[0..n-1]; at
 * most `capacity`. Returns the new count, or SIZE_MAX when they do not fit. */
size_t formula_variables(struct goal_store *s, goal_id f, struct formula_variable *out, size_t n,
                         size_t capacity);
bool formula_has_variables(const struct goal_store *s, goal_id f);

/* Variable `goals[i]` := verdicts[i]; goals in rising order. */
goal_id formula_assign(struct goal_store *s, goal_id f, const goal_id *goals, const bool *verdicts,
                       size_t n);

/* Visits the key classes that f speaks of, those of one node together. Needed: a member of the
 * class may be what makes f true. */
void formula_key_classes(struct goal_store *s, goal_id f,
                         void (*visit)(void *ctx, uint32_t key_class, bool needed), void *ctx);
/* Visits predicates and unevaluated nodes. Wanted: what makes this one true, without its sign, can
 * only help f. One that stands there in several ways is visited more than once. */
void formula_occurrences(struct goal_store *s, goal_id f,
                         void (*visit)(void *ctx, goal_id g, bool wanted), void *ctx);

/* The conjuncts of f: itself, or the kids of an `and`. */
const goal_id *formula_literals(struct goal_store *s, const goal_id *f, size_t *n);

#endif
