/* SPDX-License-Identifier: MIT
 *
 * Drawings in the language of Graphviz (graphviz.org/doc/info/lang.html): quoting, and automata that
 * are read byte by byte, state by state. The same state is drawn the same way every time.
 */
#ifndef FORMA_AUTOMATON_DOT_H
#define FORMA_AUTOMATON_DOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

/* A quoted string: quotes, backslashes and controls are escaped. A '\n' in the text is a new line. */
void dot_quote(FILE *out, const char *text);

/* An automaton to be drawn. */
struct dot_automaton {
    void *ctx;
    /* The state behind a byte, DOT_DEAD, or DOT_OUT where the region ends. */
    uint32_t (*step)(void *ctx, uint32_t state, unsigned char byte);
    bool (*accepts)(void *ctx, uint32_t state);
    const char *title; /* what it reads, in words */
    const char *out;   /* what comes behind it */
};
#define DOT_DEAD UINT32_MAX
#define DOT_OUT  (UINT32_MAX - 1)

/* Draws what is reachable from a state, at most max_states states; the others are one node "...".
 * False: no memory. */
bool dot_draw_automaton(const struct dot_automaton *a, uint32_t from, size_t max_states,
                        struct arena *scratch, FILE *out);

#endif
