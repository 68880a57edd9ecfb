/* SPDX-License-Identifier: MIT
 *
 * Which rules keep a thing from coming next? Asked by the definition: a set of rules is to blame if
 * the schema, compiled again without enforcing them, reads the text and goes on with the thing, and
 * does not with any rule of the set put back. So what is told is true whatever the engine made of
 * the rules on the way (goals are merged, simplified, and solved for; no label would survive that),
 * and a set is found in about as many compiles as its size times the logarithm of the number of
 * rules, by halving a list that is ordered by preference.
 */
#ifndef FORMA_SCHEMA_BLAME_H
#define FORMA_SCHEMA_BLAME_H

#include "automaton/next.h"
#include "schema/in_play.h"
#include "schema/rules.h"

#define BLAME_MAX_RULES 4

struct blame {
    const char *rules[BLAME_MAX_RULES]; /* JSON pointers, or the option of a style */
    size_t n;
    bool together;  /* only without all of them; else each one alone */
    bool is_syntax; /* no rule is to blame, JSON itself does not go on so */
};

struct blamer;

/* About what may come behind `text`, which `machine` (of `schema`, compiled from `source`) has read;
 * they are used, not kept. The options of `source` must not log. NULL when memory is out. */
struct blamer *blamer_new(const struct schema_source *source, struct json_machine *machine,
                          struct json_schema *schema, const struct in_play *in_play,
                          const char *text, size_t length, double deadline);
/* False: the deadline came first, or a limit. */
bool blamer_ask(struct blamer *b, const struct next_item *item, struct blame *out);
void blamer_free(struct blamer *b);

#endif
