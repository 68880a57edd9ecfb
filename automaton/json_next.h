/* SPDX-License-Identifier: MIT
 *
 * Listing what may come next: what json_next.c (values, members, items, numbers) and
 * json_next_string.c (strings and names) share. A lister adds things one by one; what is possible
 * is cut to the bytes that live, and what they leave over becomes one thing at the end.
 */
#ifndef FORMA_AUTOMATON_JSON_NEXT_H
#define FORMA_AUTOMATON_JSON_NEXT_H

#include "automaton/json_internal.h"
#include "automaton/next.h"
#include "base/text.h"

struct lister {
    struct json_machine *m;
    struct state s;
    next_visit visit;
    void *ctx;
    uint32_t live[8], covered[8];
    struct text what, why; /* of the thing being made; emptied by next_begin */
    char what_out[512], why_out[256];
};

/* A thing with empty words. */
struct next_item next_begin(struct lister *l, enum next_kind kind);
/* Hands it out as possible, if some of its bytes live. Its first bytes are those of its text, where
 * it has one. */
bool next_possible(struct lister *l, struct next_item *item);
/* Hands it out as not possible, if none of its bytes (its text, where it has one) goes on. */
void next_blocked(struct lister *l, struct next_item *item);
/* Of this text, which must stay where it is until then. */
void next_set_text(struct next_item *item, const char *text, size_t length);
void next_add_range(struct next_item *item, unsigned first, unsigned last);

/* Inside a string or name; `at`: its place. */
void next_in_string(struct lister *l, string_state at, bool in_key);
/* The bytes that write `text` inside quotes, without them; NULL (sticky) when memory is out. */
char *next_spell(struct lister *l, const char *text, size_t length, size_t *spelled);

#endif
