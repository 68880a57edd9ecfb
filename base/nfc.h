/* SPDX-License-Identifier: MIT
 *
 * The normal form NFC of UTF-8 text (UAX #15), by Unicode 15.0.0: pure functions over constant
 * tables.
 */
#ifndef FORMA_BASE_NFC_H
#define FORMA_BASE_NFC_H

#include "base/alloc.h"

/* NFC is at most so many times as long as what it is made of. */
#define NFC_MAX_GROWTH 3

/* Is the text surely in NFC? (False for some texts that are: those with marks that might have been
 * composed.) `text` is valid UTF-8. Linear. */
bool nfc_is_normal(const char *text, size_t length);

/* Writes the normal form of valid UTF-8 to `out` (room for NFC_MAX_GROWTH * length bytes) and
 * returns its length; SIZE_MAX: no memory (only stretches of more than 30 marks need some).
 * O(length), with a logarithm for such stretches. */
size_t nfc_normalize(const char *text, size_t length, char *out,
                     const struct forma_allocator *allocator);

#endif
