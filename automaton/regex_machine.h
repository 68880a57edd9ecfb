/* SPDX-License-Identifier: MIT
 *
 * Languages that are read by a machine: those that are not regular, or regular only as automata far
 * too large to be written down. A machine is a pure function from state and character to state; a
 * state is a short text of bytes, and the language of a state is a term like any other, so it
 * may stand in concatenations, under and, or, not, beside patterns and lengths. Derivatives make
 * states on demand and intern them.
 *
 * A machine knows its own way to an end: no search runs through its states unless they are
 * combined with something else.
 */
#ifndef FORMA_AUTOMATON_REGEX_MACHINE_H
#define FORMA_AUTOMATON_REGEX_MACHINE_H

#include "automaton/regex.h"

#define REGEX_MACHINE_STATE 512u /* bytes that a state may have at most */

struct regex_machine {
    const char *name;
    /* The characters that its strings may hold: sorted, disjoint. */
    const struct code_range *alphabet;
    size_t n_alphabet;
    /* Those of them that its ways to an end may be made of, besides what has been read. If not all can
     * be spelled, the ways are not used. */
    const struct code_range *ways;
    size_t n_ways;
    uint64_t max_length; /* no string has more characters */
    bool is_wide; /* there may be a new state for every string: searches look at a few only */

    /* Writes the state after c, returns its size. 0: no string goes on like this; every other
     * state must have a way to an end. */
    size_t (*step)(const unsigned char *state, size_t size, uint32_t c, unsigned char *next);
    /* The characters that some way to an end needs, and the first of them in *next; 0: a string may
     * end here. Along that way the distance must fall with every character. */
    uint64_t (*distance)(const unsigned char *state, size_t size, uint32_t *next);
    /* L, if there are strings of each length from `distance`, the least one, up to L; 0: there may be
     * gaps. NULL: 0. */
    uint64_t (*longest)(const unsigned char *state, size_t size);
    /* Equal numbers, all below 2^31, for ASCII characters that lead to equal states, or both to none. */
    uint32_t (*symbol)(const unsigned char *state, size_t size, uint32_t c);
    /* May the characters of the alphabet from `first` to `last`, none of them ASCII, lead to different
     * states? If not, all of them lead to one. NULL: never. */
    bool (*is_particular)(const unsigned char *state, size_t size, uint32_t first, uint32_t last);
    /* Writes a state that characters beyond ASCII lead from to the same states; its size. NULL: the
     * state itself. */
    size_t (*beyond_ascii)(const unsigned char *state, size_t size, unsigned char *out);
};

/* The strings that the machine accepts from this state on; it must have a way to an end. */
term_id regex_machine_term(struct regex_store *s, const struct regex_machine *machine,
                           const unsigned char *state, size_t size);

/* Reading by a machine alone, without terms: nothing is made on the way and nothing stays behind. For
 * walks over many texts of which few will be read. */
struct regex_pure {
    const struct regex_machine *machine;
    uint32_t letters;    /* a charset: what may come between characters */
    uint32_t rest, bits; /* inside a character: the rest of it (else 0), what was read of it */
    uint32_t size;
    unsigned char state[REGEX_MACHINE_STATE]; /* between characters, or before this one */
};

/* False: t is not a single state of a wide machine between characters, or its ways to an end cannot be
 * written. `letters`: a charset of what can be written at all. */
bool regex_pure_begin(struct regex_store *s, term_id t, uint32_t letters, struct regex_pure *p);
/* False: dead. */
bool regex_pure_step(struct regex_store *s, const struct regex_pure *p, unsigned char byte,
                     struct regex_pure *next);

#endif
