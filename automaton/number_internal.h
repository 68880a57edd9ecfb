/* SPDX-License-Identifier: MIT
 *
 * What the files of the number machine share. numset.c keeps the sets, numset_normalise.c makes
 * conjunctions of them, numset_written.c adds what depends on the spelling, numset_decide.c asks
 * whether a set meets a reachable range and lists finite ones, number_key.c
 * says what a text so far still matters for, number_exponent.c does so behind an `e`,
 * number_witness.c writes completions, number.c ties them to states.
 *
 * Set ids are literals: id ^ 1 is the complement, id >> 1 the node. A node is an atom or an AND of
 * smaller ids, so OR is the complement of an AND and one normaliser serves both.
 *
 * A set that depends on the spelling is a pair of sets that do not: one for texts written whole, one
 * for those with a fraction or an exponent. Pairs stand at the top only; the operations work on
 * both halves, and reading a point or an `e` leaves the second.
 *
 * Behind the sign everything is about y = |value|: for "-" the sets are mirrored once.
 */
#ifndef FORMA_AUTOMATON_NUMBER_INTERNAL_H
#define FORMA_AUTOMATON_NUMBER_INTERNAL_H

#include "automaton/number.h"
#include "base/hash.h"

/* ---- sets ---------------------------------------------------------------------------------- */

enum set_kind {
    SET_CONSTANT,
    SET_AT_LEAST,
    SET_ABOVE,
    SET_MULTIPLE,
    SET_VALUES,
    SET_AND,
    SET_WRITTEN
};

struct set_node {
    uint8_t kind;
    uint8_t value;                /* scratch of one evaluation: a truth */
    bool kept;                    /* VALUES: they and their digits lie in the arena already */
    uint32_t n;                   /* values or kids */
    struct decimal c;             /* AT_LEAST, ABOVE, MULTIPLE */
    const struct decimal *values; /* VALUES: ascending */
    const numset_id *kids;        /* AND: ascending literals; WRITTEN: whole, other (positive) */
    uint32_t depth;
    uint64_t value_stamp, map_stamp, seen_stamp;
    numset_id mapped; /* scratch of one substitution */
    numset_id mirror; /* of the positive literal; UINT32_MAX = not made yet */
    uint32_t place;   /* scratch of numset_find: of a threshold or multiple among its like */
};

#define SET_DEPTH_MAX 2000 /* evaluation recurses: deeper sets count as memory used up */

/* ---- states --------------------------------------------------------------------------------- */

enum phase {
    PHASE_END,   /* no byte may follow */
    PHASE_START, /* nothing read */
    PHASE_MINUS,
    PHASE_ZERO, /* integer part 0 */
    PHASE_INTEGER,
    PHASE_WHOLE, /* digits of an integer part that no point and no `e` may follow */
    PHASE_POINT,
    PHASE_FRACTION,
    PHASE_E, /* from here on `rest` is an exponent context, `f` the exponent read */
    PHASE_E_PLUS,
    PHASE_E_MINUS,
    PHASE_EXPONENT, /* digits of an exponent >= 0 */
    PHASE_EXPONENT_NEGATIVE,
    PHASE_EXPONENT_ANY /* further digits change no verdict */
};

/* What a text so far still matters for. Tuples are interned lists of sets, one a goal; 0 = none.
 * y of the text itself is p * 10^-f; p is an integer, f the digits behind the point, except that
 * a canonical stand-in may have any f. */
struct number_key {
    enum phase phase;
    uint32_t end;  /* verdicts if the text ends here, as a tuple of constants; 0: may not end */
    uint32_t rest; /* what longer texts must meet; 0: there are none */
    struct decimal p;
    int64_t f;
};

enum status { STATUS_UNKNOWN, STATUS_LIVE, STATUS_DEAD };

enum { CLASS_MINUS = 10, CLASS_PLUS, CLASS_POINT, CLASS_E, N_CLASSES }; /* 0 to 9: digits */
#define CLASS_NONE (-1)

#define ROW_UNKNOWN UINT32_MAX
#define ROW_LIMITED (UINT32_MAX - 1)

struct number_record {
    struct number_key key;
    uint8_t status;
    int8_t witness; /* class of the next byte; CLASS_NONE where the text may end */
    uint64_t visit;
    uint32_t row[N_CLASSES];
};

struct tuple {
    const numset_id *sets;
    uint32_t n;
};

/* Behind `e`: the verdicts as a function of the exponent k, constant between the starts. */
struct exponent_cell {
    int64_t start; /* first k; INT64_MIN in the first cell */
    uint32_t end;  /* tuple of verdicts; 0: may not end */
};
struct exponent_context {
    const struct exponent_cell *cells;
    uint32_t n;
};

struct number_store {
    struct arena *arena;
    struct arena scratch; /* a piece of `arena`: see scratch_mark */
    bool any_form;
    bool writable[N_CLASSES];
    bool all_digits;       /* can every digit be written? */
    bool lower_e, upper_e; /* can these? */
    unsigned char byte_of[N_CLASSES];

    ARENA_VEC(struct set_node) nodes;
    struct table node_table;
    uint64_t stamp;
    bool has_written; /* a pair has been made */

    ARENA_VEC(struct tuple) tuples;
    struct table tuple_table;
    ARENA_VEC(struct exponent_context) contexts;
    struct table context_table;
    ARENA_VEC(struct number_record) states; /* 0 is dead */
    struct table state_table;

    uint64_t work, limit;
    bool limited;       /* the question at hand met a limit */
    bool scratch_short; /* ... and scratch memory did not do */
    uint64_t visit;     /* of searches, see number.c */
};

/* Scratch memory is taken in stack order and zeroed when given back. */
static inline size_t scratch_mark(const struct number_store *s) {
    return s->scratch.used;
}
void scratch_release(struct number_store *s, size_t mark);
/* After a failure for want of scratch memory: more of it, if the arena has it. */
bool scratch_grow(struct number_store *s);

/* A question with a limit of its own, `done` of which is used up: returns the store's limit, to be
 * given back at the end. */
uint64_t number_begin_question(struct number_store *s, uint64_t done, uint64_t limit);
void number_end_question(struct number_store *s, uint64_t saved, uint64_t *work);
/* (Again) from the beginning. */
void number_reset_question(struct number_store *s);

/* Looking through a list of constants costs far less than a step each. */
#define NUMSET_LOOKS_A_STEP 16
/* Counts steps; false (and s->limited) past the limit. */
bool number_work(struct number_store *s, uint64_t steps);

static inline struct set_node *set_node(const struct number_store *s, numset_id a) {
    return &s->nodes.data[a >> 1];
}

/* The id of a node, made if it is new (what it points at is copied); NUMSET_NONE on failure. */
numset_id numset_intern(struct number_store *s, struct set_node k);

/* numset_values of values in the arena that ascend already. */
numset_id numset_sorted_values(struct number_store *s, const struct decimal *values, uint32_t n);
/* Sorts; in O(n) what is sorted. */
void decimals_sort(struct decimal *d, size_t n);

/* A copy of the digits in the store's arena. */
bool decimal_keep(struct number_store *s, const struct decimal *d, struct decimal *out);

/* Truth of a set when `atom` tells that of each atom node; unknown only where it depends on atoms
 * that are. */
enum truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN };
typedef enum truth (*atom_truth_fn)(void *ctx, const struct number_store *s, uint32_t node);
enum truth numset_evaluate(struct number_store *s, numset_id a, atom_truth_fn atom, void *ctx);
/* The set with each atom replaced by a set. */
typedef numset_id (*atom_map_fn)(void *ctx, struct number_store *s, uint32_t node);
numset_id numset_map(struct number_store *s, numset_id a, atom_map_fn map, void *ctx);
/* Lists the atom nodes of several sets (in scratch); NULL with *n = 0 when there are none. */
uint32_t *numset_atoms(struct number_store *s, const numset_id *sets, size_t n_sets, size_t *n);
/* { -x : x in a } */
numset_id numset_mirror(struct number_store *s, numset_id a);

/* For texts written whole, the first set, for others the second. */
numset_id numset_written(struct number_store *s, numset_id whole, numset_id other);
static inline bool numset_is_written(const struct number_store *s, numset_id a) {
    return set_node(s, a)->kind == SET_WRITTEN;
}
/* What a set asks of a value whose text is written whole, or not: a set without pairs. */
static inline numset_id numset_part(const struct number_store *s, numset_id a, bool whole) {
    return numset_is_written(s, a) ? set_node(s, a)->kids[!whole] ^ (a & 1) : a;
}
/* numset_and, where there are pairs. */
numset_id numset_written_and(struct number_store *s, const numset_id *sets, size_t n);
/* The values of the set, in whatever spelling: a set without pairs. */
numset_id numset_written_values(struct number_store *s, numset_id a);

/* ---- deciding ------------------------------------------------------------------------------- */

/* Values y >= 0 that longer texts can have: an interval, or all that begin with the digits of p:
 * [p, p + 1) * 10^j for j_min <= j <= j_max. */
struct reach {
    bool empty;
    bool prefix;
    bool dense;  /* else only integers */
    bool lo_out; /* lo (or p) itself is out */
    bool hi_infinite;
    struct decimal lo, hi;     /* interval; hi is out */
    struct decimal p, p_above; /* prefix: p > 0 and p + 1 */
    int64_t j_min, j_max;      /* INT64_MIN, INT64_MAX: no bound */
};

bool reach_has(const struct reach *r, const struct decimal *y);
/* The set, simplified by what is the same for all of the range. */
numset_id numset_fold(struct number_store *s, numset_id a, const struct reach *r);
/* Some y of the range in the set (its digits in scratch). */
enum numset_answer numset_find(struct number_store *s, numset_id a, const struct reach *r,
                               struct decimal *y);

/* ---- keys ----------------------------------------------------------------------------------- */

uint32_t tuple_intern(struct number_store *s, const numset_id *sets, size_t n);
/* All goals at one value, in a text that is written whole or not: a tuple of constants, or 0 if
 * goal 0 does not hold. */
uint32_t tuple_verdicts(struct number_store *s, uint32_t tuple, const struct decimal *y,
                        bool whole);

struct reach number_reach(struct number_store *s, const struct number_key *k);
/* Of longer texts that are written whole; before a point or `e`. */
struct reach number_reach_whole(struct number_store *s, const struct number_key *k);
/* The key behind one more byte; PHASE_END without end and rest when nothing is left. Digits of the
 * result may lie in scratch. False on failure. */
bool number_derive(struct number_store *s, const struct number_key *k, int class,
                   struct number_key *out);
static inline bool key_is_dead(const struct number_key *k) {
    return !k->end && !k->rest;
}

/* Behind `e`. */
bool exponent_begin(struct number_store *s, const struct number_key *k, struct number_key *out);
bool exponent_derive(struct number_store *s, const struct number_key *k, int class,
                     struct number_key *out);
/* The exponent text that completes an exponent phase; false if there is none. */
struct text {
    char *data;
    size_t length, capacity;
    bool failed;
};
bool exponent_witness(struct number_store *s, const struct number_key *k, struct text *t);

void text_put(struct number_store *s, struct text *t, char c);
void text_put_u64(struct number_store *s, struct text *t, uint64_t x);
enum spelling { SPELL_FREELY, SPELL_WHOLE, SPELL_NOT_WHOLE };
/* The bytes behind the text so far that make it y; before a point or `e` as asked for. */
void number_spell(struct number_store *s, const struct number_key *k, const struct decimal *y,
                  bool negative, enum spelling spelling, struct text *t);

/* May a number that is no integer be written? */
static inline bool number_dense(const struct number_store *s) {
    return s->writable[CLASS_POINT] || (s->writable[CLASS_E] && s->writable[CLASS_MINUS]);
}

#endif
