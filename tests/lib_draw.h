/* SPDX-License-Identifier: MIT
 *
 * Strings drawn at random from a regular language, and what a few changes make of them. A walk takes
 * a random class of bytes that keeps a completion possible, then a random byte of it; after a while
 * it follows the witness.
 */
#ifndef FORMA_TESTS_LIB_DRAW_H
#define FORMA_TESTS_LIB_DRAW_H

#include "automaton/regex.h"

enum { DRAW_MAX = 4096 };

struct text {
    unsigned char bytes[DRAW_MAX];
    size_t length;
};

/* The characters that Unicode 15.0 assigns, and no others: newer tables know properties of
 * those. */
struct regex_store *draw_store_new(struct arena *a);
/* False where the language is empty, or the string grows too long. */
bool draw_string(struct regex_store *s, term_id t, uint64_t *seed, struct text *x);
/* Deletes, doubles, replaces or inserts a character, one to three times. */
void draw_mutation(uint64_t *seed, struct text *x);
/* A line "VERDICT HEX": is x in t? Nothing, if it holds a character that is not spellable. */
void draw_print(struct regex_store *s, term_id t, const struct text *x);

#endif
