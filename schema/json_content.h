/* SPDX-License-Identifier: MIT
 *
 * contentMediaType "application/json" as a language: the strings that hold a JSON text (RFC 8259).
 * Arrays and objects inside each other make that language infinite in memory; nested at most
 * `levels` deep it is regular, and deeper texts are not in it. Names may come twice, as for any
 * JSON parser.
 */
#ifndef FORMA_SCHEMA_JSON_CONTENT_H
#define FORMA_SCHEMA_JSON_CONTENT_H

#include "automaton/regex.h"

/* O(levels) terms. TERM_NONE when memory is out. */
term_id json_content_term(struct regex_store *s, size_t levels);

#endif
