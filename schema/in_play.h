/* SPDX-License-Identifier: MIT
 *
 * Which schemas apply where a text stands: the text is followed from the root, member by member and
 * item by item, and at each value the schemas that apply in place are gathered. Copies of a schema
 * are told apart, as goals do not: each keeps its own pointer. Branches of an `anyOf` that the text
 * has left are left out as far as the goals of the machine tell.
 */
#ifndef FORMA_SCHEMA_IN_PLAY_H
#define FORMA_SCHEMA_IN_PLAY_H

#include "automaton/next.h"
#include "schema/compile.h"

struct in_play;

/* Follows `text`, which led the machine to state s. NULL when memory is out. Lives in the arena. */
struct in_play *in_play_new(struct json_schema *s, struct json_machine *m, struct state state,
                            const char *text, size_t length);

/* The pointers of the rules that speak of a thing that may come, in the order of the text; at most
 * `capacity`. Returns how many. */
size_t in_play_rules(struct in_play *p, const struct next_item *item, const char **pointers,
                     size_t capacity);

/* How many values lie between the one where the text stands and the outermost to which the node
 * applies; UINT32_MAX: it applies to none. */
uint32_t in_play_distance(const struct in_play *p, uint32_t node);

#endif
