/* SPDX-License-Identifier: MIT
 *
 * What may come next of a text of a regular language: which characters, as ranges of code points;
 * how many more there may be; the rests, where there are few. For strings in JSON, names, and raw
 * texts alike. The characters are found by stepping a reader through UTF-8, a few thousand steps at
 * most where its states repeat.
 */
#ifndef FORMA_AUTOMATON_NEXT_TEXT_H
#define FORMA_AUTOMATON_NEXT_TEXT_H

#include "automaton/next.h"
#include "automaton/regex.h"

/* A place between two characters. */
struct text_place {
    /* The state behind a byte that stands for itself, 0: dead, or another meaning. */
    uint32_t (*step)(void *ctx, uint32_t state, unsigned char byte);
    void *ctx;
    uint32_t state;
    uint32_t open; /* a state that every character follows that can be written */
    struct regex_store *regex;
    term_id residual;
    uint64_t k;       /* characters so far, as the residual counts them */
    const char *what; /* "string", "name", "text" */
    bool in_key;
    bool has_rests; /* by which the possible characters are listed */
};

/* Lists the characters, those that are possible and that others are not. *least (UINT64_MAX: not
 * known) becomes the number of characters that must still come. Names are not counted. */
void next_in_text(struct lister *l, const struct text_place *p, uint64_t *least);

/* Lists the rests if they are few, and not all single characters; true: these are all. `write` makes
 * the text of a thing from one (at most NEXT_REST_LENGTH bytes) and returns its length. */
#define NEXT_REST_LENGTH 60
bool next_rests(struct lister *l, const struct text_place *p,
                size_t (*write)(const unsigned char *rest, size_t length, char *out));

#endif
