/* SPDX-License-Identifier: MIT
 *
 * The tables behind base/nfc.h. Constant.
 */
#ifndef FORMA_BASE_NFC_TABLES_H
#define FORMA_BASE_NFC_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* Code points, ascending, that NFC may touch wherever they stand: those with a combining class, and
 * those that it always or in some places replaces. All others begin a new segment. */
struct nfc_range {
    uint32_t first, last;
    uint8_t combining_class;
};
extern const struct nfc_range nfc_ranges[];
extern const size_t nfc_n_ranges;

/* {c, a, b}, ascending by c: c is a and b, or a alone (b = 0). Without Hangul. */
extern const uint32_t nfc_decompositions[][3];
extern const size_t nfc_n_decompositions;

/* Indices of those that are composed again, ascending by a, then b. */
extern const uint16_t nfc_compositions[];
extern const size_t nfc_n_compositions;

#endif
