/* SPDX-License-Identifier: MIT
 *
 * Characters beyond ASCII in names of groups (ECMA-262, RegExpIdentifierName): the properties ID_Start
 * and ID_Continue of Unicode 15.0.0, and the two joiners. Pure functions over a constant table.
 */
#ifndef FORMA_SCHEMA_ECMA_NAMES_H
#define FORMA_SCHEMA_ECMA_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ecma_name_range {
    uint32_t first, last;
    bool starts; /* a name; else it only goes on with them */
};

/* Made by scripts/make_unicode_tables.py. Ascending. */
extern const struct ecma_name_range ecma_name_ranges[];
extern const unsigned ecma_n_name_ranges;

/* c >= 0x80: may it stand in a name, at its beginning or not? */
bool ecma_is_in_name(uint32_t c, bool at_start);
/* May any character from first to last, all beyond ASCII? */
bool ecma_some_in_name(uint32_t first, uint32_t last);

#endif
