/* SPDX-License-Identifier: MIT
 *
 * The goal store as its own files see it (goal*.c, formula.c).
 *
 * Nodes never change once made, except for their memo fields. The node array may move when it
 * grows, so a `const struct goal_node *` is only good until the next node is made; kids arrays
 * stay where they are.
 */
#ifndef FORMA_AUTOMATON_GOAL_INTERNAL_H
#define FORMA_AUTOMATON_GOAL_INTERNAL_H

#include "automaton/goal.h"

#define GOAL_UNKNOWN UINT32_MAX

/* Nesting of and/or/ref expansions that the store follows; deeper is a sticky failure. Each level
 * costs about 1 kB of stack. */
#define GOAL_MAX_DEPTH 2500
/* Circles of references inside circles are gone through again and again: a bound. */
#define GOAL_MAX_UNSETTLED 1000000

struct name_record {
    const char *text;
    size_t length;
};

struct key_member {
    uint32_t key_class, name;
    bool has;
};

struct rewrite_memo {
    uint32_t stamp, value;
};

struct goal_store {
    struct arena *arena;
    struct regex_store *regex;
    struct number_store *numbers;
    goal_expand_fn expand;
    void *expand_ctx;
    bool met_cycle;
    uint64_t visits; /* nodes looked at so far: what the solver's limit counts beside its steps */
    bool too_deep;   /* GOAL_MAX_DEPTH or GOAL_MAX_UNSETTLED was met: the arena failed by that */
    uint32_t depth;
    uint32_t open_refs; /* references whose expansion is being made */
    uint32_t relies_on; /* the outermost of them that what is being made relies on; UINT32_MAX */
    uint32_t unsettled; /* results so far that could not be kept because of that */

    ARENA_VEC(struct goal_node) nodes;
    struct table node_table;
    ARENA_VEC(struct predicate) predicates;
    struct table predicate_table;
    ARENA_VEC(struct unevaluated) unevaluated;
    struct table unevaluated_table;
    ARENA_VEC(struct name_record) names;
    struct table name_table;
    ARENA_VEC(struct key_class) classes;
    struct table class_table;
    struct table member_table; /* memo of key_class_has: ids into members */
    ARENA_VEC(struct key_member) members;

    ARENA_VEC(struct rewrite_memo) rewritten; /* by node; valid where stamp = rewrite_stamp */
    uint32_t rewrite_stamp;

    /* A stack of ids for building formulas: pushed and popped like C frames. */
    struct arena scratch;
};

/* Room for n ids until goal_scratch_pop(mark); NULL (sticky failure) when the stack is full. */
goal_id *goal_scratch(struct goal_store *s, size_t n);
static inline size_t goal_scratch_mark(const struct goal_store *s) {
    return s->scratch.used;
}
static inline void goal_scratch_pop(struct goal_store *s, size_t mark) {
    s->scratch.used = mark;
}

/* The node with this content (kids are copied when it is new). */
goal_id goal_intern(struct goal_store *s, const struct goal_node *key);
/* The and, or, exactly-one, or unevaluated that node n is, over other kids. */
goal_id goal_with_kids(struct goal_store *s, const struct goal_node *n, const goal_id *kids);
goal_id unevaluated_with_conditions(struct goal_store *s, const struct goal_node *n,
                                    const goal_id *kids);
/* The same, stepped: before the child `name`, or before the next item where name is 0. `kids` are
 * stepped already. Served: the child is taken for one that refutes it. */
goal_id unevaluated_step(struct goal_store *s, const struct goal_node *n, const goal_id *kids,
                         uint32_t name, bool served);
/* Drops the counts among ids that another of the same children makes needless (goal_counts.c).
 * False: two of them cannot stand together. `disjunction`: the dual. */
bool goal_subsume_counts(const struct goal_store *s, bool disjunction, goal_id *ids, size_t *n);
/* A predicate of its type, sign given; and the leaf of the same. */
goal_id goal_predicate(struct goal_store *s, enum value_type t, const struct predicate *p,
                       bool sign);
goal_id goal_leaf(struct goal_store *s, enum value_type t, const struct predicate *p, bool sign,
                  bool vacuous);
uint32_t predicate_intern(struct goal_store *s, const struct predicate *p);
/* "The verdict of g on the child being read": constants stay, V(not g) = not V(g). */
goal_id goal_variable(struct goal_store *s, goal_id g);

/* One level deeper; false (sticky failure) past GOAL_MAX_DEPTH. Pair with s->depth--. */
static inline bool goal_descend(struct goal_store *s) {
    if (s->arena->failed) return false;
    if (++s->depth <= GOAL_MAX_DEPTH) return true;
    s->too_deep = s->arena->failed = true;
    return false;
}

static inline const struct goal_node *node(const struct goal_store *s, goal_id g) {
    return &s->nodes.data[g];
}

#endif
