/* SPDX-License-Identifier: MIT
 *
 * How far apart are two words? For "did you mean": a letter that is missing, superfluous, another
 * one, or two neighbours that are swapped, are one step each; upper and lower case of ASCII are
 * none.
 */
#ifndef FORMA_BASE_WORDS_H
#define FORMA_BASE_WORDS_H

#include <stddef.h>

#define WORDS_MAX 64 /* bytes; a longer word is SIZE_MAX from every other */

/* O(a_length * b_length). */
size_t words_distance(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
