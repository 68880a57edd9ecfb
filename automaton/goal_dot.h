/* SPDX-License-Identifier: MIT
 *
 * Goals as a drawing for Graphviz: each goal is one node, however many others hold it. References
 * are not followed, but a root that a value must meet is also shown as it reads for values of each
 * type.
 */
#ifndef FORMA_AUTOMATON_GOAL_DOT_H
#define FORMA_AUTOMATON_GOAL_DOT_H

#include <stdio.h>

#include "automaton/goal.h"

struct goal_drawing {
    struct goal_store *goals;
    const char *(*pointer)(void *ctx, uint32_t schema_node); /* of a REF, for its label */
    void *ctx;
    FILE *out;
    /* own */
    struct table table;
    ARENA_VEC(goal_id) drawn; /* node i is the goal drawn.data[i] */
    uint32_t n_roots;
};

/* False: no memory. The store's scratch stack is used, and left for the caller to pop. */
bool goal_dot_begin(struct goal_drawing *d);
/* A root, named. `by_type`: its formulas for values of the types, too. */
void goal_dot_root(struct goal_drawing *d, const char *name, goal_id g, bool by_type);
void goal_dot_end(struct goal_drawing *d, const char *title);

#endif
