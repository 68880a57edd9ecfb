/* SPDX-License-Identifier: MIT
 *
 * ECMA-262 regular expressions, as with the `u` flag, to terms. A pattern is *searched*: it holds
 * for a string that contains a match anywhere, anchors included. Anchors, word boundaries and
 * lookaround may stand anywhere. What is tolerated beyond ECMA-262 is listed in docs/schemas.md.
 */
#ifndef FORMA_SCHEMA_ECMA_REGEX_H
#define FORMA_SCHEMA_ECMA_REGEX_H

#include "automaton/regex.h"
#include "forma.h"

struct ecma_options {
    size_t max_nesting; /* groups */
    bool whole;         /* match the whole text instead of searching */
};

/* `pattern` is UTF-8. On failure TERM_NONE, and err holds status FORMA_ESCHEMA (not ECMA-262) or
 * FORMA_EUNSUPPORTED (backreferences, groups with modifiers: refused by name), offset = byte in the
 * pattern. TERM_NONE with status FORMA_OK in err means: well-formed, but no spellable
 * string matches. err must not be NULL. */
term_id ecma_regex_compile(struct regex_store *s, const char *pattern, size_t length,
                           const struct ecma_options *options, struct forma_error *err);

#endif
