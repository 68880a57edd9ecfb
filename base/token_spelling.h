/* SPDX-License-Identifier: MIT
 *
 * How tokenizer files write tokens as text, and what their tokens are called. Pure functions.
 */
#ifndef FORMA_BASE_TOKEN_SPELLING_H
#define FORMA_BASE_TOKEN_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

enum spelling {
    SPELLING_PLAIN,      /* the bytes are the text */
    SPELLING_BYTE_LEVEL, /* one character stands for one byte (GPT-2's table) */
    SPELLING_SENTENCE    /* U+2581 stands for a space */
};
/* Writes the bytes of a piece to `out` (at least `length` bytes); returns how many. A byte-level
 * piece with a character that stands for no byte is taken as it is. */
size_t spelling_decode(enum spelling spelling, const char *piece, size_t length,
                       unsigned char *out);
/* Is every character of the piece one that stands for a byte? */
bool spelling_is_byte_level(const char *piece, size_t length);
/* "<0xNN>": 0 to 255; -1 for anything else. */
int spelling_byte_token(const char *piece, size_t length);
/* Is this the name of a token that ends a turn or a text? Names that may be markup in a text, such
 * as </s>, count only for control tokens. */
bool spelling_names_end(const char *piece, size_t length, bool control);

#endif
