/* SPDX-License-Identifier: MIT
 *
 * A text being drawn, as sample.c (its length) and sample_choice.c (what comes next) see it.
 */
#ifndef FORMA_AUTOMATON_SAMPLE_INTERNAL_H
#define FORMA_AUTOMATON_SAMPLE_INTERNAL_H

#include "automaton/sample.h"

struct sample_maker {
    struct machine *machine;
    const struct forma_allocator *allocator;
    unsigned char *text;      /* max_length bytes of address space */
    size_t max_length, least; /* least: the length of the plan at the beginning */
    unsigned char *plan;      /* a text that fits, where the machine's own completion does not */

    struct rng rng;
    struct sample_mood mood;
    struct state state;
    size_t length;
    size_t enough;  /* bytes from which on the text only goes to its end */
    unsigned depth; /* brackets that were opened and not closed, as far as bytes tell */
};

enum sample_step {
    SAMPLE_WRITTEN, /* one byte or more */
    SAMPLE_END,     /* the text ends here */
    SAMPLE_FULL,    /* no room for what was chosen */
    SAMPLE_STUCK    /* no byte was found */
};

void sample_draw_mood(struct sample_maker *d);
enum sample_step sample_choose(struct sample_maker *d);
/* Bytes of the completion from here, at most `capacity`; SIZE_MAX: longer. */
size_t sample_completion(struct sample_maker *d, unsigned char *out, size_t capacity);

#endif
