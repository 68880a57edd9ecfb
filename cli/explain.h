/* SPDX-License-Identifier: MIT
 *
 * The parts of `forma explain`: the rules of a form and their status, what may come next after a
 * text, drawings for Graphviz, and what forma supports. Each prints its result on stdout, tells of a
 * failure with cli_fail, and returns the exit status.
 */
#ifndef FORMA_CLI_EXPLAIN_H
#define FORMA_CLI_EXPLAIN_H

#include "cli/form.h"

struct explain_request {
    struct form *form; /* loaded; compiled too, but for explain_schema */
    const char *text;  /* what has been written so far; never NULL, may be empty */
    size_t length;
    const char *file;  /* the text's name in messages: a file's, or "TEXT" */
    const char *dot;   /* "region" or "goal", for explain_dot; else NULL */
    size_t dot_states; /* of a region; 0: as many as the library draws */
    bool json;
    const struct common_args *common;
};

/* Every keyword of the schema: what becomes of it, and why. */
int explain_schema(const struct explain_request *r);
/* What may come next, by which rule. */
int explain_next(const struct explain_request *r);
/* The automaton of the region where the text ends, or the goal that is still open, for Graphviz. */
int explain_dot(const struct explain_request *r);
/* What forma knows, as its own tables say it. */
int explain_support(bool json);

#endif
