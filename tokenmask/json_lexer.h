/* SPDX-License-Identifier: MIT
 *
 * Which tokens can be pieces of JSON texts at all, seen from a place outside of strings: a reader so
 * coarse that it knows nothing of nesting or order, only what texts are made of (RFC 8259: white
 * space, punctuation, literals, numbers, strings). Most tokens of a vocabulary are words and fall out;
 * masks need not look at them there.
 */
#ifndef FORMA_TOKENMASK_JSON_LEXER_H
#define FORMA_TOKENMASK_JSON_LEXER_H

#include <stdbool.h>
#include <stddef.h>

/* Can `bytes` follow in some JSON text behind a place that is outside of strings, be it inside a number
 * or a literal? True for some that cannot. */
bool json_lexer_reads(const unsigned char *bytes, size_t n);

#endif
