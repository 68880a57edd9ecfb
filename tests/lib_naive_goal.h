/* SPDX-License-Identifier: MIT
 *
 * Goals the slow way, for tests: small values as trees, and what a goal says about a value by the
 * definition of its nodes, without normal forms, specialising, or search.
 */
#ifndef FORMA_TESTS_NAIVE_GOAL_H
#define FORMA_TESTS_NAIVE_GOAL_H

#include "automaton/solver.h"

struct naive_value {
    enum value_type type;
    bool boolean;
    const char *text; /* string; terminated */
    struct decimal number;
    uint32_t n; /* items or members */
    const uint32_t *names;
    const struct naive_value *const *kids;
};

/* Stores over every character in an arena of their own. */
struct naive_stores {
    struct arena arena;
    struct regex_store *regex;
    struct number_store *numbers;
    struct goal_store *goals;
};
bool naive_stores_open(struct naive_stores *s);
void naive_stores_close(struct naive_stores *s);

/* A list of values, at most `capacity`. */
struct naive_pool {
    struct naive_stores *stores;
    const struct naive_value **values;
    uint32_t n, capacity;
};
bool naive_pool_init(struct naive_pool *p, struct naive_stores *s, uint32_t capacity);
/* null, false, true, "a", "b", "c", -1, 0, 1, 2.5 */
void naive_pool_scalars(struct naive_pool *p);
/* Every object of at most `most` members (named by `names`) and every array of at most `most` items
 * whose kids are the first `n_kids` values of the pool; stops when it is full. */
void naive_pool_containers(struct naive_pool *p, const uint32_t *names, uint32_t n_names,
                           uint32_t n_kids, uint32_t most);

struct naive_context {
    struct goal_store *goals;
    /* What reference `node` stands for. */
    goal_id (*deref)(void *ctx, uint32_t node);
    void *ctx;
    /* Items before the first of an array that the goal is asked about: for unique items. */
    const struct naive_value *const *before;
    uint32_t n_before;
};
/* A variable is taken as the verdict of its goal on v itself. */
bool naive_holds(const struct naive_context *c, goal_id g, const struct naive_value *v);

/* Does one of the cells evaluate child i of v? */
bool naive_is_evaluated(const struct naive_context *c, const struct evaluated_cell *cells, size_t n,
                        const struct naive_value *v, uint32_t i);

/* The value that a solver's witness describes; NULL where it is too large (repeat > 64) or has no
 * value. */
const struct naive_value *naive_from_witness(struct naive_stores *s, struct solver *solver,
                                             witness_id w);

void naive_print(struct goal_store *goals, const struct naive_value *v, FILE *out);

#endif
