/* SPDX-License-Identifier: MIT
 *
 * Unicode properties as \p names them in ECMA-262: General_Category, Script, Script_Extensions
 * and binary properties, by their exact names and aliases; Unicode 15.0.0. Pure functions over
 * constant tables (about 60 kB); a look-up reads a few hundred names.
 */
#ifndef FORMA_SCHEMA_ECMA_PROPERTY_H
#define FORMA_SCHEMA_ECMA_PROPERTY_H

#include "automaton/regex.h"

enum ecma_property_kind { ECMA_CATEGORY, ECMA_SCRIPT, ECMA_EXTENSIONS, ECMA_BINARY };

struct ecma_property {
    enum ecma_property_kind kind;
    const char *names;
    const char *set; /* see ecma_property_next */
};

/* Categories, scripts, extensions (where they differ from the script); binary properties. */
extern const struct ecma_property ecma_property_values[], ecma_property_binary[];
extern const unsigned ecma_property_n_values, ecma_property_n_binary;

/* `text` is what stands between the braces: Name=Value, a category, or a binary property. NULL
 * if there is no such property. */
const struct ecma_property *ecma_property_find(const char *text, size_t length);

/* Reads the next range of a set, in ascending order. *set moves on; *at, 0 at first, is the code
 * point behind the range. False at the end. */
bool ecma_property_next(const char **set, uint32_t *at, struct code_range *range);

#endif
