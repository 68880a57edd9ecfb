/* SPDX-License-Identifier: MIT
 *
 * What the derivatives need of terms that are read by machines. Between characters such a term
 * names a state. Inside a character it names the state before it, the rest of the character as
 * a set, and the bits that were read: which state comes next depends on the whole character.
 */
#ifndef FORMA_AUTOMATON_REGEX_MACHINE_INTERNAL_H
#define FORMA_AUTOMATON_REGEX_MACHINE_INTERNAL_H

#include "automaton/regex_internal.h"
#include "automaton/regex_machine.h"

struct machine_state {
    const struct regex_machine *machine;
    uint32_t letters; /* the alphabet, as far as it is spellable: a charset */
    bool trusted;     /* the machine's own ways to an end can be written */
    uint32_t size;
    const unsigned char *bytes;
};

struct machine_store {
    struct table table;
    ARENA_VEC(struct machine_state) states;
};

/* How far the state is from an end, by its own way; inside a character, the state before it. */
uint32_t machine_guess(const struct regex_store *s, const struct term *t);
/* The bounds of a state's term. */
void machine_describe(const struct regex_store *s, struct term *t);
const struct partition *machine_partition(struct regex_store *s, const struct term *x);
term_id machine_derive(struct regex_store *s, const struct term *x, unsigned char byte);

static inline const struct machine_state *machine_state(const struct regex_store *s,
                                                        const struct term *x) {
    return &s->machines->states.data[x->a];
}

#endif
