/* SPDX-License-Identifier: MIT
 *
 * The strings of a small language, in words, for messages.
 */
#ifndef FORMA_AUTOMATON_REGEX_LIST_H
#define FORMA_AUTOMATON_REGEX_LIST_H

#include "automaton/regex.h"
#include "base/text.h"

/* If t holds few strings, and short ones: adds `before` and the first of them, quoted. Else false,
 * and nothing is added. Bounded work. */
bool regex_list(struct regex_store *s, term_id t, const char *before, struct text *out);

/* Are its strings so short that one may look at them, whatever the counts in a pattern? */
bool regex_is_short(struct regex_store *s, term_id t);

#endif
