/* SPDX-License-Identifier: MIT
 *
 * The tables behind schema/idna.h, made by scripts/make_idna_tables.py.
 */
#ifndef FORMA_SCHEMA_IDNA_INTERNAL_H
#define FORMA_SCHEMA_IDNA_INTERNAL_H

#include "schema/idna.h"

enum bidi_class {
    BIDI_L,
    BIDI_R,
    BIDI_AL,
    BIDI_EN,
    BIDI_AN,
    BIDI_NSM,
    BIDI_ES,
    BIDI_CS,
    BIDI_ET,
    BIDI_ON,
    BIDI_BN
};

enum joining_type { JOINING_U, JOINING_R, JOINING_L, JOINING_D, JOINING_T, JOINING_C };

/* Scripts that contextual rules name; SCRIPT_EAST is Hiragana, Katakana or Han. */
enum script { SCRIPT_OTHER, SCRIPT_GREEK, SCRIPT_HEBREW, SCRIPT_EAST };

/* Code points of equal properties that are PVALID, CONTEXTJ or CONTEXTO; ascending. */
struct idna_range {
    uint32_t first, last;
    uint8_t bidi;      /* enum bidi_class */
    uint8_t joining;   /* enum joining_type */
    uint8_t mark;      /* of the general category M */
    uint8_t script;    /* enum script */
    uint8_t combining; /* Canonical_Combining_Class */
};

extern const struct idna_range idna_ranges[];
extern const size_t idna_n_ranges;

/* Pairs that NFC composes, ascending, and what they become. */
extern const uint32_t idna_compositions[][3];
extern const size_t idna_n_compositions;

#endif
