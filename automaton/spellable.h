/* SPDX-License-Identifier: MIT
 *
 * Which characters can be written with an alphabet of bytes: the bytes that some token of the
 * vocabulary spells alone. Pure functions.
 */
#ifndef FORMA_AUTOMATON_SPELLABLE_H
#define FORMA_AUTOMATON_SPELLABLE_H

#include "automaton/regex.h"

#define SPELLABLE_MAX_RANGES 4096

/* Are all bytes of c's UTF-8 in the alphabet? */
bool spellable_raw(const bool alphabet[256], uint32_t c);

/* The characters that fit, ascending, as ranges for regex_store_new. Returns how many; `ranges` has
 * room for SPELLABLE_MAX_RANGES, what is beyond is left out: narrower, never wider. Past ASCII
 * `fits` may depend on the character's spelling only. */
size_t spellable_ranges(const bool alphabet[256], bool (*fits)(const void *ctx, uint32_t c),
                        const void *ctx, struct code_range *ranges);

#endif
