/* SPDX-License-Identifier: MIT
 *
 * Listing what may come next in a JSON text: what json_next.c (values, members, items, numbers) and
 * json_next_string.c (strings and names) share.
 */
#ifndef FORMA_AUTOMATON_JSON_NEXT_H
#define FORMA_AUTOMATON_JSON_NEXT_H

#include "automaton/json_internal.h"

static inline struct json_machine *json_of(const struct lister *l) {
    return (struct json_machine *)(void *)l->machine;
}

/* Inside a string or name; `at`: its place. */
void next_in_string(struct lister *l, string_state at, bool in_key);

/* The bytes that write `text` inside quotes, without them: how many. `out` has room for 6 bytes for
 * each of the text. */
size_t next_spell(const char *text, size_t length, char *out);

#endif
