/* SPDX-License-Identifier: MIT
 *
 * Goals: what a value must be, as hash-consed formulas in negation normal form. This is the
 * algebra in which every keyword of JSON Schema, in both polarities, is written:
 *
 *     true, false, and, or, exactly-one, type set,
 *     leaf(type, predicate, sign, verdict on other types)     ("every assertion implies its type")
 *     ref(schema node, dynamic scope, sign)                    (expanded lazily, per type)
 *     unevaluated(cells, G)                                    (goal_unevaluated.c)
 *     cycle                                                    (a $ref that consumes nothing)
 *
 * and, inside frames only, predicates of one type (a leaf whose type is settled) and variables
 * ("the verdict of goal G on the child being read"). Predicates:
 *
 *     string in TERM, number in SET, boolean is true, the one predicate of all containers
 *     count(K, G, n): at least n children whose key lies in class K (a term over names, or an
 *     interval of indices relative to the next item) meet G;
 *     and "unique": no two items are equal, those read before included.
 *
 * "At most m" is not(count(.., m + 1)); count(K, G, 0) is true; count of an empty K or false G is
 * false. Formulas are normalised when made: flattened, sorted, complements cancelled, units
 * propagated. goal_not flips sign and the verdict on other types, so a negated assertion implies
 * its type. The store grows in the grammar's arena; failure is sticky there. One owner.
 */
#ifndef FORMA_AUTOMATON_GOAL_H
#define FORMA_AUTOMATON_GOAL_H

#include "automaton/number.h"
#include "automaton/regex.h"
#include "base/hash.h"

typedef uint32_t goal_id;
#define GOAL_FALSE 0u
#define GOAL_TRUE  1u
#define GOAL_CYCLE 2u

/* Types, as bits of a set. Integers are numbers (a multiple of 1). The order is the order in
 * which a witness is looked for. */
enum value_type {
    TYPE_NULL,
    TYPE_BOOLEAN,
    TYPE_STRING,
    TYPE_NUMBER,
    TYPE_ARRAY,
    TYPE_OBJECT,
    TYPE_COUNT
};
#define TYPE_BIT(t) (1u << (t))
#define TYPE_ALL    0x3Fu

#define INDEX_UNBOUNDED UINT64_MAX

enum goal_kind {
    GOAL_KIND_CONSTANT, /* false, true, cycle */
    GOAL_KIND_AND,
    GOAL_KIND_OR,
    GOAL_KIND_ONE, /* exactly one (with `count` = 1 already true: none) */
    GOAL_KIND_TYPE,
    GOAL_KIND_LEAF, /* predicate on values of its type; `vacuous` on the others */
    GOAL_KIND_PREDICATE,
    GOAL_KIND_REF,
    GOAL_KIND_VARIABLE,
    GOAL_KIND_UNEVALUATED /* every child that nothing has evaluated meets a goal */
};

enum predicate_kind {
    PREDICATE_STRING,      /* in `term` */
    PREDICATE_NUMBER,      /* in `set` */
    PREDICATE_TRUE,        /* the boolean is true */
    PREDICATE_COUNT_KEYS,  /* at least n members with key in `keys` and value in `goal` */
    PREDICATE_COUNT_ITEMS, /* at least n items at [first, last] with value in `goal` */
    PREDICATE_UNIQUE       /* array: all items differ */
};

/* A class of names. A single name has its text in the store. */
struct key_class {
    term_id term;
    uint32_t name; /* 0: not a single name */
};

struct predicate {
    enum predicate_kind kind;
    term_id term;
    numset_id set;
    uint32_t key_class; /* id */
    goal_id goal;
    uint64_t n, first, last;
};

/* Children of a container: a class of names, or an interval of indices relative to the next item. */
struct child_range {
    uint32_t key_class;
    uint64_t first, last;
};

/* These children, where they meet `goal`, are evaluated if `condition` holds. */
struct evaluated_cell {
    struct child_range children;
    goal_id goal, condition;
};

/* The asked children that no cell evaluates meet `goal`. The conditions are the node's kids. */
struct unevaluated {
    struct child_range asked;
    goal_id goal;
    uint32_t n;
    const struct evaluated_cell *cells;
};

struct goal_node {
    uint8_t kind; /* enum goal_kind */
    bool sign;
    bool vacuous;        /* LEAF: on other types; UNEVALUATED: the type is not settled yet */
    bool open;           /* a variable is in it */
    bool counts;         /* PREDICATE: a count of two or more */
    uint8_t type;        /* LEAF, PREDICATE, UNEVALUATED: enum value_type; TYPE: the set; ONE: count
                            so far */
    uint8_t unique;      /* formulas: polarity of "unique" in it, as in struct formula_variable */
    uint32_t a;          /* LEAF, PREDICATE: predicate id; REF: node; VARIABLE: goal; UNEVALUATED:
                            record id */
    uint32_t b;          /* REF: dynamic scope */
    uint32_t n_kids;     /* AND, OR, ONE, UNEVALUATED */
    const goal_id *kids; /* sorted; UNEVALUATED: the cells' conditions, in their order */
    goal_id negation;    /* memo; UINT32_MAX = not made yet */
    goal_id closed;      /* memo of formula_close */
    goal_id spec[TYPE_COUNT]; /* memo of goal_specialise; UINT32_MAX = not made yet */
};

struct goal_store;

/* Expands schema node `node` (with dynamic scope `scope`) into a formula for values of type `t`.
 * Called once per (node, scope, type). */
typedef goal_id (*goal_expand_fn)(void *ctx, uint32_t node, uint32_t scope, enum value_type t);

struct goal_store *goal_store_new(struct arena *arena, struct regex_store *regex,
                                  struct number_store *numbers);
void goal_store_set_expand(struct goal_store *s, goal_expand_fn expand, void *ctx);
struct arena *goal_store_arena(struct goal_store *s);
struct regex_store *goal_store_regex(struct goal_store *s);
struct number_store *goal_store_numbers(struct goal_store *s);

/* ---- names and key classes ------------------------------------------------------------------ */

/* Names (decoded, UTF-8) are interned: equal ids, equal names. Id 0 is no name. */
uint32_t goal_name(struct goal_store *s, const char *text, size_t length);
/* The id of a name that was interned before, or 0. */
uint32_t goal_name_find(const struct goal_store *s, const char *text, size_t length);
const char *goal_name_text(const struct goal_store *s, uint32_t name, size_t *length);

uint32_t key_class_name(struct goal_store *s, uint32_t name);
uint32_t key_class_term(struct goal_store *s, term_id term); /* any set of names */
const struct key_class *key_class_get(const struct goal_store *s, uint32_t id);
#define KEY_CLASS_NONE 0u
#define KEY_CLASS_ALL  1u
bool key_class_has(struct goal_store *s, uint32_t key_class, uint32_t name);

/* ---- making goals ---------------------------------------------------------------------------- */

goal_id goal_and(struct goal_store *s, const goal_id *kids, size_t n);
goal_id goal_or(struct goal_store *s, const goal_id *kids, size_t n);
goal_id goal_and2(struct goal_store *s, goal_id a, goal_id b);
goal_id goal_or2(struct goal_store *s, goal_id a, goal_id b);
/* Exactly one of kids, `already` of them known to hold. */
goal_id goal_one(struct goal_store *s, unsigned already, const goal_id *kids, size_t n, bool sign);
goal_id goal_not(struct goal_store *s, goal_id g);
goal_id goal_type(struct goal_store *s, unsigned set);
goal_id goal_ref(struct goal_store *s, uint32_t node, uint32_t scope);

/* Leaves as keywords write them: true on values of other types ("vacuous"). */
goal_id goal_string(struct goal_store *s, term_id term);
goal_id goal_number(struct goal_store *s, numset_id set);
goal_id goal_boolean(struct goal_store *s, bool value);
goal_id goal_count_keys(struct goal_store *s, uint32_t key_class, goal_id g, uint64_t n, bool sign);
goal_id goal_count_items(struct goal_store *s, uint64_t first, uint64_t last, goal_id g, uint64_t n,
                         bool sign);
goal_id goal_unique(struct goal_store *s);

/* Every child of a t (object or array) that no cell evaluates meets g. Other types hold. */
goal_id goal_unevaluated(struct goal_store *s, enum value_type t,
                         const struct evaluated_cell *cells, size_t n, goal_id g);

/* ---- reading goals --------------------------------------------------------------------------- */

const struct goal_node *goal_get(const struct goal_store *s, goal_id g);
const struct predicate *predicate_get(const struct goal_store *s, uint32_t id);
const struct unevaluated *unevaluated_get(const struct goal_store *s, uint32_t id);

/* Settles the type: only predicates of that type, and/or/exactly-one are left. Expands refs in
 * place; a ref that reaches itself without consuming anything is GOAL_CYCLE. */
goal_id goal_specialise(struct goal_store *s, goal_id g, enum value_type t);

/* Scalars: the formula (already specialised) as one language or set. */
term_id goal_to_term(struct goal_store *s, goal_id specialised);
numset_id goal_to_numset(struct goal_store *s, goal_id specialised);
/* Null: constant. Boolean: value `b`. */
bool goal_holds_null(struct goal_store *s, goal_id specialised);
bool goal_holds_boolean(struct goal_store *s, goal_id specialised, bool b);

/* Did any expansion meet a $ref cycle that consumes nothing? */
bool goal_store_met_cycle(const struct goal_store *s);
/* Did the store fail because references and combinators nest too deeply, or run in too many
 * circles? */
bool goal_store_too_deep(const struct goal_store *s);

void goal_print(struct goal_store *s, goal_id g, FILE *out);

#endif
