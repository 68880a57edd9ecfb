/* SPDX-License-Identifier: MIT
 *
 * The nodes of expressions with lookaround. Concatenation is nested to the right; plain
 * neighbours are one term. A node of kind BEHIND keeps what its prefix has still to read: all
 * nodes of an expression stand at one place of the string, and move on together (shift).
 */
#ifndef FORMA_AUTOMATON_REGEX_LOOK_INTERNAL_H
#define FORMA_AUTOMATON_REGEX_LOOK_INTERNAL_H

#include "automaton/regex_internal.h"
#include "automaton/regex_look.h"

enum look_kind {
    LOOK_KIND_NONE,
    LOOK_KIND_TERM,   /* a: the term */
    LOOK_KIND_CAT,    /* a then b; a is no CAT */
    LOOK_KIND_OR,     /* c kids, sorted */
    LOOK_KIND_REPEAT, /* a, b to c times; not plain */
    LOOK_KIND_REST,   /* a: the term that the rest of the string must meet */
    LOOK_KIND_AHEAD,  /* a; has lookbehind inside, otherwise it is a REST */
    LOOK_KIND_BEHIND  /* a: what the text read so far must match, less what it has read */
};

struct look {
    uint8_t kind, pending; /* continuation bytes to come first */
    bool negated;
    bool has_behind, has_loop; /* BEHIND somewhere inside; REPEAT somewhere inside */
    bool may_be_empty, may_consume;
    uint32_t a, b, c, depth;
    const look_id *kids;
    uint64_t min, max; /* bounds on the code points begun by a match; max UINT64_MAX = none */
    struct look_memo *memo;
};

/* Derivatives and shifts by class of bytes, id + 1; `here`: see look_here, id + 1. */
struct look_memo {
    const struct partition *derive_partition, *shift_partition;
    look_id *derived, *shifted;
    term_id here, language;
};

/* An alternative, taken apart: REST, then TERM, then what follows. */
struct look_clause {
    term_id rest, head;
    look_id tail;
};

struct look_store {
    struct table table;
    ARENA_VEC(struct look *) nodes;
    ARENA_VEC(look_id) stack; /* of lists under construction */
    ARENA_VEC(struct look_clause) clauses;
};

static inline struct look *look_get(const struct regex_store *s, look_id x) {
    return s->look->nodes.data[x];
}
/* Number of alternatives. */
static inline uint32_t look_width(const struct regex_store *s, look_id x) {
    return look_get(s, x)->kind == LOOK_KIND_OR ? look_get(s, x)->c : 1;
}
/* May look_language leave no trace of it, whatever follows? */
static inline bool look_is_closed(const struct look *x) {
    return !x->has_behind && !x->has_loop;
}

/* regex_look.c */
bool look_store_init(struct regex_store *s); /* once the constant terms are there */
bool look_push(struct regex_store *s, look_id x);
look_id look_or_stack(struct regex_store *s, uint32_t base);
struct look_clause look_clause_of(const struct regex_store *s, look_id x);

/* regex_look_language.c: the rests of the string before which x matches "" here. */
term_id look_here(struct regex_store *s, look_id x);

/* regex_look_derive.c */
const struct partition *look_partition(struct regex_store *s, look_id x);
look_id look_derive(struct regex_store *s, look_id x, unsigned char byte);

#endif
