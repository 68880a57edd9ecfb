/* SPDX-License-Identifier: MIT
 *
 * The solver as its own files see it: solver.c (memo, cycles, goals), solver_container.c (objects
 * and arrays), solver_demand.c, key_cells.c; unique*.c (arrays whose items must differ, or must not).
 */
#ifndef FORMA_AUTOMATON_SOLVER_INTERNAL_H
#define FORMA_AUTOMATON_SOLVER_INTERNAL_H

#include "automaton/goal_internal.h"
#include "automaton/conjunction.h"
#include "automaton/solver.h"

/* Questions inside questions: each level is a few C frames, about 1.5 kB of stack. */
#define SOLVER_MAX_DEPTH SOLVER_MAX_VALUE_DEPTH

/* DISTINCT: an array that goes on with items that differ from each other and from the values
 * `seen`. REPEAT: one that repeats an item, or holds a value of the goal `seen`. Their formulas do
 * not speak of unique items any more. */
enum question_kind {
    QUESTION_GOAL,
    QUESTION_OBJECT,
    QUESTION_ARRAY,
    QUESTION_DISTINCT,
    QUESTION_REPEAT
};
enum question_status { STATUS_UNKNOWN, STATUS_OPEN, STATUS_PROVISIONAL, STATUS_FINAL };

struct question {
    uint32_t formula;
    name_set seen; /* or values, or a goal: see enum question_kind */
    uint8_t kind, status;
    bool used;          /* somebody relied on "no" while it was open or provisional */
    uint32_t low;       /* open: its depth; provisional: lowest depth it depends on */
    witness_id witness; /* final: the answer */
};

struct demand_record {
    goal_id stepped;
    name_set seen;
    uint8_t parent, types;
    goal_id demand;
    uint32_t room, deepest; /* witnesses deeper than `room` did not count */
};

/* The values of a goal, or as many as were asked for. */
struct domain {
    goal_id goal;
    bool infinite; /* then none is listed */
    bool complete; /* these are all */
    uint32_t n;
    const value_id *values;
};

struct conjunction_record {
    goal_id formula;
    const struct conjunction *plain; /* NULL: it is not one */
};

struct loosened_record {
    goal_id formula, result;
};

struct solver {
    struct goal_store *goals;
    struct arena *arena;
    struct name_set_store names;
    struct value_store *values;
    uint64_t work, max_work;
    uint64_t counted_visits; /* of the goal store's, up to here counted as work */
    unsigned types;          /* that can be written */
    bool limited;
    bool shared; /* solver_share_work is on: work goes on over several questions */
    bool (*expired)(void *ctx);
    void *expired_ctx;

    uint32_t depth; /* open questions */
    uint32_t low;   /* lowest depth that the question being decided has relied on */
    uint64_t dirty; /* yes-answers that refuted a "no" somebody relied on */
    ARENA_VEC(struct question) questions;
    struct table question_table;
    ARENA_VEC(uint32_t) provisional; /* question ids, a stack */
    ARENA_VEC(uint32_t) distinct;    /* ids of the open questions of that kind, a stack */
    ARENA_VEC(struct domain) domains;
    struct table domain_table;
    ARENA_VEC(struct witness) witnesses;
    ARENA_VEC(struct demand_record) demands;
    uint32_t room, deepest; /* of the demand being made: what it may have, what it met */
    struct table demand_table;
    ARENA_VEC(struct conjunction_record) conjunctions;
    struct table conjunction_table;
    ARENA_VEC(struct loosened_record) loosened; /* disjoint.c */
    struct table loosened_table;
    ARENA_VEC(const struct reduced_names *) reduced;
    struct table reduced_table;
    uint64_t planned_from; /* counts of items that are planned; smaller ones are unrolled, which
                            * finds the shortest array */
    bool only_general;     /* tests: never use conjunctions */
};

/* How much work the question may do, with what was done before it where that is shared. */
static inline uint64_t solver_budget(const struct solver *s) {
    return s->shared ? s->max_work * SOLVER_SHARED : s->max_work;
}

#define LOW_NONE UINT32_MAX /* of solver.low: nothing open was relied on */

/* Does the language hold a string? "No" past the limit (s->limited). */
bool solver_has_string(struct solver *s, term_id t);
/* Is the text of this name in the language? */
bool solver_name_is_in(struct solver *s, term_id t, uint32_t name);
/* Counts a step of work; false when the limit is reached (then everything unwinds with "no"). */
bool solver_step(struct solver *s);
/* A fresh budget, if no question is open. */
void solver_begin(struct solver *s);

/* Decide within the current question; WITNESS_NONE = no, or limit (s->limited). */
witness_id solver_decide(struct solver *s, enum question_kind kind, goal_id f, name_set seen);
witness_id solver_decide_object(struct solver *s, goal_id f, name_set seen);
witness_id solver_decide_array(struct solver *s, goal_id f, value_set seen);
witness_id solver_decide_distinct(struct solver *s, goal_id f, value_set seen);
witness_id solver_decide_repeat(struct solver *s, goal_id f, goal_id candidates);

/* solver_counts.c: what completes an array of formula f, if it only counts. SAT_LIMIT says nothing:
 * decide it another way. */
enum sat_answer solver_plan_counts(struct solver *s, goal_id f, witness_id *w);
/* If f is a conjunction of "at least n items", "at most n items" and "every item meets G", over
 * all items to come: true, with the numbers and the goal. */
bool solver_is_stationary(struct solver *s, goal_id f, uint64_t *least, uint64_t *most,
                          goal_id *each);

/* Tries the verdicts that a child which meets `child` may give: place(ctx, what it must meet then,
 * what is left of the parent) until that is true, which is the answer. */
bool solver_try_children(struct solver *s, goal_id stepped, goal_id child,
                         bool (*place)(void *ctx, goal_id child, goal_id rest), void *ctx);

/* WITNESS_NONE when memory is out. */
witness_id solver_add_witness(struct solver *s, const struct witness *w);

/* The variable to branch on, out of n >= 1. */
struct formula_variable solver_pick_variable(const struct formula_variable *list, size_t n);
/* Assigns true to the variables that are literals of f (units), adding what they say to *child;
 * until none is left. Returns the new formula. */
goal_id solver_take_units(struct solver *s, goal_id f, goal_id *child);

/* The demand on a child behind which formula f, without variables, is left, where f asks for
 * unique items and `seen` is in the array already. */
goal_id solver_demand_unique(struct solver *s, goal_id f, value_set seen);
/* Within the demand that is being made: the same for an array that does not ask for unique items,
 * stepped. */
goal_id solver_demand_of_item(struct solver *s, goal_id stepped);
/* Notes that completing the parent takes w; is it small enough? */
bool solver_has_room(struct solver *s, witness_id w);

#endif
