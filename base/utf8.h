/* SPDX-License-Identifier: MIT
 *
 * UTF-8 (RFC 3629) in the strict sense: no surrogates, no overlong forms, nothing past U+10FFFF.
 */
#ifndef FORMA_BASE_UTF8_H
#define FORMA_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_MAX_CODE_POINT 0x10FFFFu

/* Bytes of the code point at p (1 to 4), its value in *code_point; 0 when the bytes are not
 * valid UTF-8 or end too early. */
size_t utf8_decode(const unsigned char *p, size_t length, uint32_t *code_point);

/* Writes 1 to 4 bytes; returns how many (0 for a surrogate or a value past U+10FFFF). */
size_t utf8_encode(uint32_t code_point, unsigned char out[4]);

/* Offset of the first byte that is not valid UTF-8, or `length`. */
size_t utf8_valid_prefix(const unsigned char *p, size_t length);

/* Length of the sequence that lead byte b begins: 1 to 4; 0 for a byte that begins none. */
size_t utf8_sequence_length(unsigned char b);

/* How many bytes at the end of the text form the beginning of a code point that more bytes could
 * complete (0 to 3): what a stream has to hold back. */
size_t utf8_incomplete_tail(const unsigned char *p, size_t length);

#endif
