/* SPDX-License-Identifier: MIT
 *
 * The rules of a schema, one by one, so that a question can be asked again without some of them. A
 * rule is a keyword that has an effect at one place, or a `false` that stands there for a schema in a
 * list or map. Not enforcing it means what it would mean had it not been written, but that references
 * into it still lead somewhere.
 *
 * Rules are numbered by node and member, which every load of the same texts numbers alike.
 */
#ifndef FORMA_SCHEMA_RULES_H
#define FORMA_SCHEMA_RULES_H

#include "schema/internal.h"

/* Which rules one would rather hear of. */
enum rule_rank {
    RULE_ASSERTS,  /* says it itself: `required`, `maximum`, `not`, `additionalProperties: false` */
    RULE_APPLIES,  /* applies schemas that say it: `properties`, `anyOf`, `$ref` */
    RULE_INVERTED, /* stands below a `not`, an `if` or a `contains`: without it, more is demanded */
    RULE_FOREIGN   /* stands in a document of ours, such as a metaschema */
};

struct rule_place {
    uint32_t node, member;
    uint32_t child; /* in the member's list or map; NO_INDEX: the keyword */
    enum rule_rank rank;
};

/* All rules of the schemas that are reached, in the arena, by node. False when that is full. */
bool rules_list(struct json_schema *s, struct rule_place **rules, size_t *n);
/* No longer enforces them. While loading, once all is checked. */
void rules_drop(struct json_schema *s, const struct rule_place *rules, size_t n);
/* Its pointer, in the arena; "" when that is full. */
const char *rule_pointer(struct json_schema *s, const struct rule_place *rule);

#endif
