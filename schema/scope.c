/* SPDX-License-Identifier: MIT
 *
 * From place to place: subschemas and references, with the dynamic scope that each is met in.
 */
#include "schema/internal.h"

struct schema_place schema_descend(struct json_schema *s, uint32_t scope,
                                   const struct json_value *value) {
    if (value->kind == JSON_TRUE) return (struct schema_place){NODE_TRUE, 0};
    if (value->kind == JSON_FALSE) return (struct schema_place){NODE_FALSE, 0};
    return (struct schema_place){schema_find_node(s, value), scope};
}

struct schema_place schema_follow(struct json_schema *s, struct schema_place from,
                                  enum keyword keyword) {
    if (keyword != KEYWORD_REF) return (struct schema_place){NODE_NONE, 0};
    return (struct schema_place){s->nodes.data[from.node].target, from.scope};
}
