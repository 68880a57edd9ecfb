/* SPDX-License-Identifier: MIT
 *
 * Characters of ECMA-262 patterns: the classes behind \d \w \s and `.`, and escapes that stand
 * for one character. Pure functions over constant tables.
 *
 * Besides what the `u` flag allows, an escaped - " _ # @ : % , ' & ! ~ ` = < > ; or space stands
 * for itself, as in the validators in use.
 */
#ifndef FORMA_SCHEMA_ECMA_CLASS_H
#define FORMA_SCHEMA_ECMA_CLASS_H

#include "automaton/regex.h"

struct ecma_class {
    const struct code_range *ranges; /* NULL: there is no such class */
    size_t n;
    bool negated;
};

/* d D w W s S, or '.' */
struct ecma_class ecma_class_find(char letter);

/* p stands behind a backslash. How many bytes belong to the escape; 0 if it stands for no single
 * character. The value may be a surrogate, which no string holds. */
size_t ecma_escape_read(const char *p, size_t length, bool in_class, uint32_t *value);

#endif
