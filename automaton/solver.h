/* SPDX-License-Identifier: MIT
 *
 * Is there a value? The search behind viability (json-machine: "viability", "frames"), over
 * goals, over the formulas of open objects and arrays, and over the demand on a child.
 *
 * Every "yes" comes with a witness, a tree that says what to write next; every "no" is a proof.
 * Answers are memoised. "No" reached through a goal that is still being decided is provisional
 * until its cycle closes (R7 of the specification), so mutually recursive schemas are decided
 * exactly. Satisfiability is NP-hard: a question may use `max_work` steps, then the answer is
 * SAT_LIMIT and nothing of it is remembered.
 *
 * Grows in the goal store's arena. One owner.
 */
#ifndef FORMA_AUTOMATON_SOLVER_H
#define FORMA_AUTOMATON_SOLVER_H

#include "automaton/formula.h"
#include "automaton/json_value.h"

enum sat_answer { SAT_NO, SAT_YES, SAT_LIMIT };

/* Witnesses nest no deeper than questions do. */
#define SOLVER_MAX_VALUE_DEPTH 1500

typedef uint32_t witness_id;
#define WITNESS_NONE 0u

/* A value, or what is still missing of an object or array. */
struct witness {
    enum value_type type;
    bool boolean;
    term_id term;           /* string: any of this language */
    numset_id set;          /* number: any of this set */
    uint32_t count;         /* members or items */
    const uint32_t *names;  /* of members, in no particular order */
    const witness_id *kids; /* values of members or items */
    uint64_t repeat;        /* array: the last kid stands this many times (0 = as it is: once) */
    uint32_t depth;         /* arrays and objects inside each other, this one included; scalars 0 */
    bool distinct;          /* array: no two items are equal; read it with solver_item */
    goal_id draw;           /* item of such an array: any value of this goal that is not used yet,
                             * one of infinitely many; GOAL_FALSE: exactly what stands here */
    uint32_t again;         /* array that repeats a value: index of that item + 1, 0 = none such */
};

struct solver;

/* `types`: the value types that can be written at all (TYPE_BIT). */
struct solver *solver_new(struct goal_store *goals, uint64_t max_work, unsigned types);
struct name_set_store *solver_name_sets(struct solver *s);
struct value_store *solver_values(struct solver *s);
const struct witness *solver_witness(const struct solver *s, witness_id w);
/* When set, polled now and then: true = give up (the answer is SAT_LIMIT). */
void solver_set_deadline(struct solver *s, bool (*expired)(void *ctx), void *ctx);
/* For tests: decide everything the general way, also what a short cut could. */
void solver_set_general(struct solver *s, bool only_general);
/* For tests: plan arrays from this count on (see solver_counts.c). */
void solver_set_planned_from(struct solver *s, uint64_t count);
bool solver_is_general(const struct solver *s);
/* Did the last question reach its limit? */
bool solver_was_limited(const struct solver *s);

/* While on, questions share one budget, SOLVER_SHARED times that of a single one: for the many small
 * questions behind one look at an object. */
#define SOLVER_SHARED 4
void solver_share_work(struct solver *s, bool on);
/* The part of `seen` that answers for the object formula f depend on. */
name_set solver_relevant_names(struct solver *s, goal_id f, name_set seen);

/* A value for goal g. `w` may be NULL. */
enum sat_answer solver_goal(struct solver *s, goal_id g, witness_id *w);
/* What completes an open object with formula f in which the names `seen` cannot come (again), or
 * an open array that holds the values `seen` (only where f asks for unique items). */
enum sat_answer solver_object(struct solver *s, goal_id f, name_set seen, witness_id *w);
enum sat_answer solver_array(struct solver *s, goal_id f, value_set seen, witness_id *w);

/* Can an array with formula f, without variables, go on in the same ways whatever string, array or
 * object comes next? So it is where no later item must be one of finitely many. */
bool solver_has_free_items(struct solver *s, goal_id f);

/* The items of an array witness one by one, each a witness of its own. Where items are distinct,
 * those that may still be chosen become single values, different from all others and from `used`. */
struct item_list {
    witness_id array;
    value_set used;
    uint64_t next, n;
    bool failed; /* a limit, or memory */
};
struct item_list solver_items(struct solver *s, witness_id array, value_set used);
/* WITNESS_NONE at the end, or on failure. */
witness_id solver_item(struct solver *s, struct item_list *l);

/* May some member of a class of names be what f needs? Then it matters which names cannot come, also
 * those that f does not hold: they have to be in `seen`. */
bool solver_counts_names(struct solver *s, goal_id f);

/* What the child must satisfy so that the rest of the parent stays satisfiable: a goal over the
 * variables' goals. `stepped` is the parent's formula after formula_step_*, `seen` as above, this
 * child's name included. GOAL_FALSE: no child can come here. Past the limit the goal is narrower than need be (solver_was_limited). */
goal_id solver_demand(struct solver *s, goal_id stepped, enum value_type parent, name_set seen);
/* The same, where the parent, completed, may have no more than `room` as its depth. Sets *cut when
 * the goal is narrower because of that: what is known to complete the parent is too deep. */
goal_id solver_demand_within(struct solver *s, goal_id stepped, enum value_type parent,
                             name_set seen, uint32_t room, bool *cut);

/* A stepped formula once the child meets its demand: without the verdicts that it enforces. */
goal_id solver_settle_units(struct solver *s, goal_id stepped);

/* The formula f of objects or arrays, written so that it is easier to decide (see disjoint.h). */
goal_id solver_loosen(struct solver *s, goal_id f, enum value_type type);

/* The names outside `excluded` (and outside the single names of the formulas), cut into cells that
 * no key class of the formulas splits. `name` is a member that is not in `avoid`, or 0 when there
 * is none. A cell need not hold the names of `avoid`; where these have changed the cells, *hangs.
 * Returns how many; cells live in the arena. Past the limit fewer (solver_was_limited). */
struct key_cell {
    term_id term;
    uint32_t name;
};
size_t solver_key_cells(struct solver *s, const goal_id *formulas, size_t n_formulas,
                        const uint32_t *excluded, size_t n_excluded, name_set avoid,
                        const struct key_cell **cells, bool *hangs);
/* All names outside `excluded` and outside the single names of the formula: what the cells cut. */
term_id solver_other_names(struct solver *s, goal_id formula, const uint32_t *excluded,
                           size_t n_excluded);
/* A language of names as a list and a rest with the same other names. */
struct reduced_names {
    term_id term, rest;
    bool lists; /* the names are listed; else only the rest is known */
    bool usable;
    uint32_t n;
    const uint32_t *names;
};
/* NULL: too many names, or no memory. Remembered. */
const struct reduced_names *solver_reduce_names(struct solver *s, term_id language, bool lists);
/* The distinct key classes of the formulas that are no single name and not all names, on the scratch
 * stack. */
size_t solver_key_classes(struct solver *s, const goal_id *formulas, size_t n_formulas,
                          const uint32_t **classes);
/* The distinct single names in the formulas' key classes; in the arena. */
size_t solver_single_names(struct solver *s, const goal_id *formulas, size_t n_formulas,
                           const uint32_t **names);

#endif
