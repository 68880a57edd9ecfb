/* SPDX-License-Identifier: MIT
 *
 * What the files of the regular languages share: the terms, their store, the memo tables.
 *
 * A term is one node. Its language is a set of byte strings; where it stands between characters
 * all of them are UTF-8 of spellable characters. Inside a character (`pending` bytes to come) a
 * complement is *raw*: everything else, valid or not. That is sound because the derivative by a
 * lead byte sets beside each complement the rest of "any character" (see regex_derive.c):
 *
 *     not(x)  --lead byte b-->  and(rest_b any, not(x'))  --last byte-->  not(x'')
 *
 * Attributes are computed when a node is made; what searches find is kept in `memo`, made on
 * first use. Node pointers are stable.
 */
#ifndef FORMA_AUTOMATON_REGEX_INTERNAL_H
#define FORMA_AUTOMATON_REGEX_INTERNAL_H

#include "automaton/charset.h"
#include "automaton/regex_partition.h"

#define TERM_MAX_DEPTH     3000u /* nodes on a path, spines not counted: bounds every recursion */
#define TERM_LITERAL_CHUNK 32u   /* bytes of a literal node: a step hashes no more */
#define TERM_BLOCK_BITS    8u
#define TERM_PENDING_ANY   255u              /* a node that fits anywhere: any, lengths */
#define TERM_INNER_LIMIT   UINT64_C(4000000) /* steps of a search that no caller limits */
#define TERM_NO_LENGTH     UINT64_MAX

enum term_kind {
    KIND_NONE,
    KIND_EMPTY,
    KIND_ANY,
    KIND_SET,     /* one character: a = charset (two members at least) */
    KIND_LITERAL, /* bytes[0..c), then a; chunks are cut from the end, so equal texts are equal */
    KIND_TRIE,    /* c edges: bytes[i] leads to kids[i]; `final`: the empty string too */
    KIND_CAT,     /* a then b; a is no CAT and no LITERAL */
    KIND_OR,      /* c kids, sorted */
    KIND_AND,     /* c kids, sorted */
    KIND_NOT,     /* a */
    KIND_REPEAT,  /* a, b to c times */
    KIND_LENGTH,  /* at least (b << 32 | a) code points in the whole string */
    KIND_LOOK,    /* a = expression with lookaround, b = holds ""; see regex_look.h */
    KIND_MACHINE  /* a = state of a machine, and a place in a character; see regex_machine.c */
};

struct term {
    uint8_t kind, pending;
    bool nullable; /* holds "" (without length leaves; else ask term_at_length) */
    bool positive; /* no and, not, length, look, machine: never empty, bounds are exact */
    bool guarded;  /* every string is well-formed, inside a character too */
    bool has_length;
    bool is_wide;    /* a machine in it may have a new state for every string */
    bool contiguous; /* every length from min to max is there */
    bool final;
    /* Between characters, as far as the node's form tells: every string can be continued to one of
     * the language; all strings of some length and more are in it; what continues a string of it
     * is one, too. */
    bool dense, full, upward;
    uint32_t a, b, c, depth;
    uint32_t guess; /* code points that a string will need: guides searches, proves nothing */
    const unsigned char *bytes;
    const term_id *kids;
    uint64_t min, max; /* bounds on the code points begun by a string; max UINT64_MAX = none */
    struct term_memo *memo;
};

enum verdict { VERDICT_UNKNOWN, VERDICT_ALIVE, VERDICT_DEAD };

/* Length leaves: their bounds, ascending, and the term with leaves decided, by how many bounds
 * the length has reached (ids + 1). */
struct term_lengths {
    uint32_t n;
    const uint64_t *at;
    term_id *decided; /* n + 1: all leaves replaced */
    term_id *settled; /* n + 1: those reached replaced by any */
};

struct term_memo {
    const struct partition *partition;
    term_id *row; /* derivative by class, id + 1 */
    uint8_t verdict, via;
    uint8_t infinite;  /* 0 not known, 1 no, 2 yes */
    bool exact;        /* `shortest` is the least there is */
    uint64_t shortest; /* VERDICT_ALIVE: code points of the string that `via` begins */
    struct term_scratch *scratch;
};

/* Of the terms that searches meet: few of many. */
struct term_scratch {
    uint32_t stamp, slot; /* of the search that saw it last */
    uint32_t walk_stamp;
    uint8_t colour;
    uint64_t gave_up; /* work that did not suffice to find any string */
    uint32_t n_next;
    bool cut;            /* there are more of them */
    const term_id *next; /* residuals after one whole character; NULL = not made yet */
    uint32_t has_length; /* a length > 0 that some string has, of a wide term; 0 = not known */
    struct term_lengths *lengths;
};

struct search_node {
    term_id term;
    uint32_t parent;
    uint64_t cost;
    unsigned char byte;
};

struct search_entry {
    uint64_t estimate, cost;
    uint32_t node;
};

struct or_head {
    uint32_t kind, key, tail, first, last;
};

struct pair_result {
    uint32_t a, b, byte;
    enum regex_answer answer;
    uint64_t value;
};

struct regex_store {
    struct arena *arena;
    struct charset_store sets;
    uint32_t all; /* charset of the spellable characters; may be CHARSET_NOTHING */
    struct table table;
    ARENA_VEC(struct term *) blocks;
    uint32_t count;
    struct table partition_table, meet_table, partial_table;
    ARENA_VEC(struct partition *) partitions;
    ARENA_VEC(const struct partition *) set_partitions; /* by charset */
    const struct partition *byte_partitions[256];       /* a byte, and the others */
    ARENA_VEC(struct pair_result) meets, partials;
    ARENA_VEC(term_id) stack; /* of term lists under construction */
    ARENA_VEC(struct or_head) heads;
    ARENA_VEC(struct search_node) nodes;
    ARENA_VEC(struct search_entry) heap;
    ARENA_VEC(term_id) levels;
    ARENA_VEC(unsigned char) text;
    uint32_t stamp, walk_stamp;
    uint64_t effort; /* derivatives made, kids of unions and intersections looked at */
    const struct partition *any_partition;
    struct look_store *look;        /* expressions with lookaround */
    struct machine_store *machines; /* NULL = none so far */
};

static inline struct term *term_get(const struct regex_store *s, term_id t) {
    return &s->blocks.data[t >> TERM_BLOCK_BITS][t & ((1u << TERM_BLOCK_BITS) - 1)];
}
static inline bool is_continuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}
/* Inside a character? */
static inline bool term_is_inside(const struct term *t) {
    return t->pending != 0 && t->pending != TERM_PENDING_ANY;
}
static inline uint64_t length_bound(const struct term *t) {
    return (uint64_t)t->b << 32 | t->a;
}
static inline uint64_t saturating_add(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
static inline uint64_t saturating_mul(uint64_t a, uint64_t b) {
    uint64_t r;
    return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

/* regex_store.c: interns a node (arrays are copied) and computes its attributes. */
term_id term_make(struct regex_store *s, const struct term *node);
struct term_memo *term_memo_new(struct regex_store *s, term_id t);
/* NULL on failure. */
static inline struct term_memo *term_memo(struct regex_store *s, term_id t) {
    struct term_memo *memo = term_get(s, t)->memo;
    return memo ? memo : term_memo_new(s, t);
}
struct term_scratch *term_scratch(struct regex_store *s, term_id t);
/* TERM_NONE for a term that a search has found empty. */
static inline term_id term_living(const struct regex_store *s, term_id t) {
    const struct term_memo *memo = term_get(s, t)->memo;
    return memo && memo->verdict == VERDICT_DEAD ? TERM_NONE : t;
}
bool term_push(struct regex_store *s, term_id t); /* on s->stack */

/* regex_term.c */
term_id term_set(struct regex_store *s, uint32_t charset);
term_id term_prepend(struct regex_store *s, const unsigned char *bytes, size_t n, term_id next);
/* Valid UTF-8 of spellable characters? */
bool regex_literal_is_spellable(const struct regex_store *s, const unsigned char *bytes,
                                size_t length);
/* The rest of "any string" after byte b. */
term_id term_any_after(struct regex_store *s, unsigned char byte);

/* regex_boolean.c: of the terms on s->stack from `base` up, which are popped. */
term_id term_or_stack(struct regex_store *s, uint32_t base);
term_id term_and_stack(struct regex_store *s, uint32_t base);

/* regex_length.c */
const struct term_lengths *term_lengths(struct regex_store *s, term_id t);
/* With every length leaf decided for strings of `length` code points. */
term_id term_at_length(struct regex_store *s, term_id t, uint64_t length);

/* regex_search.c, for terms without length leaves. */
/* Some string, found quickly: its code points in *length. */
enum regex_answer term_reach(struct regex_store *s, term_id t, uint64_t *work, uint64_t limit,
                             uint64_t *length);
/* A shortest string: its code points in *length. */
enum regex_answer term_shortest(struct regex_store *s, term_id t, uint64_t *work, uint64_t limit,
                                uint64_t *length);
/* The least length >= lo of a string of t, if there is one; of a wide term, any. */
enum regex_answer term_least_length(struct regex_store *s, term_id t, uint64_t lo, uint64_t *work,
                                    uint64_t limit, uint64_t *length);
/* regex_wide.c: term_reach of a wide term, as far as it goes without a search. */
enum regex_answer term_reach_wide(struct regex_store *s, term_id t, uint64_t *work, uint64_t limit,
                                  uint64_t *length);
/* Was a string found that has this length? */
bool term_has_length_wide(struct regex_store *s, term_id t, uint64_t length, uint64_t *work,
                          uint64_t limit);
/* First byte of the known string (see term_memo), -1 where that is empty. */
int term_known_byte(struct regex_store *s, term_id t);
/* `from` and `to` hold the same strings: what is known of the one goes for the other. */
void term_carry(struct regex_store *s, term_id from, term_id to);

#endif
