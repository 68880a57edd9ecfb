/* SPDX-License-Identifier: MIT
 *
 * Labels of internationalized domain names: RFC 5890 to 5893 (IDNA 2008), by Unicode 15.0.0. Pure
 * functions over constant tables. Labels are code points, at most IDNA_MAX_LABEL of them: no more
 * fit into the 63 octets of an A-label.
 */
#ifndef FORMA_SCHEMA_IDNA_H
#define FORMA_SCHEMA_IDNA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDNA_MAX_LABEL 63u

/* May labels hold this code point (RFC 5892, section 3: PVALID, CONTEXTJ, CONTEXTO)? */
bool idna_is_allowed(uint32_t c);
/* The least such code point that is not below c; 0 if there is none. */
uint32_t idna_next_allowed(uint32_t c);
/* The last of those that follow c, which is one, without a gap and with the same properties. */
uint32_t idna_last_allowed(uint32_t c);

/* Without IDNA_WHOLE a label may go on: what is there breaks no rule yet. Without IDNA_COMPOSED it
 * need not be in the normal form NFC. */
enum { IDNA_WHOLE = 1, IDNA_COMPOSED = 2 };

/* RFC 5891, section 4.2: a U-label, but for its length: NFC, hyphens, leading marks, the rules of
 * context; with characters from right to left also the Bidi rule. */
bool idna_is_label(const uint32_t *label, size_t n, unsigned rules);
/* RFC 5893, section 1.4: does a label make its domain name a Bidi domain name? */
bool idna_is_right_to_left(const uint32_t *label, size_t n);
/* RFC 5893, section 2: what all labels of such a name must meet. */
bool idna_keeps_bidi_rule(const uint32_t *label, size_t n);

#endif
