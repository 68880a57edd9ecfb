/* SPDX-License-Identifier: MIT
 *
 * Interned sets of characters and what is left of them while the bytes of one character come in.
 * A set is a sorted list of disjoint ranges and a count of continuation bytes still to come: 0 for
 * whole characters (the ranges are code points), n for the rest of a character (the ranges are
 * values of the 6n bits to come). Stepping by a byte cuts the list, so overlong forms, surrogates
 * and characters outside the set are impossible by construction. Equal content, equal id.
 * Memory: the arena, sticky failure (CHARSET_NOTHING). One owner.
 */
#ifndef FORMA_AUTOMATON_CHARSET_H
#define FORMA_AUTOMATON_CHARSET_H

#include "automaton/regex.h"
#include "base/hash.h"

#define CHARSET_NOTHING 0u /* the empty set; as a step: no character goes on like this */
#define CHARSET_DONE    1u /* as a step: the character is complete */

struct charset {
    const struct code_range *ranges;
    uint32_t n;
    uint32_t pending; /* continuation bytes to come */
    uint32_t *row;    /* memo of charset_step, id + 1; NULL = not made yet */
};

struct charset_store {
    struct arena *arena;
    struct table table;
    ARENA_VEC(struct charset) sets;
    ARENA_VEC(struct code_range) scratch;
};

bool charset_store_init(struct charset_store *cs, struct arena *arena);

/* Ranges in any order, may overlap; pending 0 leaves surrogates out. */
uint32_t charset_make(struct charset_store *cs, const struct code_range *ranges, size_t n,
                      uint32_t pending);
/* Both operands must have the same `pending`; so has the result. */
uint32_t charset_union(struct charset_store *cs, uint32_t a, uint32_t b);
uint32_t charset_intersection(struct charset_store *cs, uint32_t a, uint32_t b);
uint32_t charset_difference(struct charset_store *cs, uint32_t a, uint32_t b);
/* What may follow `byte`. Memoised. */
uint32_t charset_step(struct charset_store *cs, uint32_t set, unsigned char byte);
/* The same for every byte, in less time than one by one. */
void charset_steps(struct charset_store *cs, uint32_t set, uint32_t next[256]);
bool charset_has(const struct charset_store *cs, uint32_t set, uint32_t value);
/* Number of members, saturated at 2. */
unsigned charset_count2(const struct charset_store *cs, uint32_t set);
/* The bytes that spell member `value` of a set with `pending`: returns how many. */
unsigned charset_spell(uint32_t value, uint32_t pending, unsigned char out[4]);

static inline const struct charset *charset_get(const struct charset_store *cs, uint32_t set) {
    return &cs->sets.data[set];
}

#endif
