/* SPDX-License-Identifier: MIT
 *
 * What the files of the JSON Schema reader share.
 *
 * A *node* is a place in the text where a schema object stands. Nodes are found breadth-first, so
 * the nodes of subschemas have higher ids than the node that holds them. A *resource* is a part
 * of the document with its own base URI and dialect; node 0 is the root, resource 0 its own.
 * Boolean schemas have no nodes: NODE_TRUE and NODE_FALSE stand for them.
 *
 * A node's *canonical* node is one with the same resource and the same content once annotations,
 * unknown words and definitions are left out (with the same order of properties): goals name
 * canonical nodes, so that equal schemas are equal goals.
 */
#ifndef FORMA_SCHEMA_INTERNAL_H
#define FORMA_SCHEMA_INTERNAL_H

#include "base/hash.h"
#include "schema/json_schema.h"
#include "schema/json_text.h"
#include "schema/keywords.h"

#define NODE_NONE  UINT32_MAX
#define NODE_TRUE  (UINT32_MAX - 1)
#define NODE_FALSE (UINT32_MAX - 2)
#define NO_INDEX   UINT32_MAX

struct schema_node {
    const struct json_value *value; /* an object */
    uint32_t parent;                /* NODE_NONE at the root */
    uint32_t resource;
    uint32_t canonical;
    uint32_t first;                    /* of a canonical node: the lowest node that it stands for */
    uint32_t target;                   /* of $ref */
    const struct json_member *keyword; /* of the parent, under which the node stands */
    const struct json_member *key;     /* below it, or NULL */
    uint32_t index;                    /* below it, or NO_INDEX */
    uint32_t stamp;                    /* schema_key_order: the query that saw it last */
    const char *path;                  /* instead of the three: a pointer below the parent */
    size_t path_length;
    const char *pointer; /* made on demand */
    bool reached;        /* from the root, so it has been checked */
    bool plain;          /* restricts nothing: the same as true */
    bool only_ref;       /* a $ref and nothing else that restricts */
    bool hidden;         /* a $ref makes everything beside it ignored (up to draft 7) */
    bool located;        /* its place is its identity */
};

/* A node (or NODE_TRUE, NODE_FALSE, NODE_NONE) and the dynamic scope in which it is met: an id of
 * scope.c, 0 where nothing below depends on it. */
struct schema_place {
    uint32_t node, scope;
};

struct schema_resource {
    const char *uri; /* without fragment; "" when nothing names it */
    size_t uri_length;
    uint32_t root; /* node */
    enum dialect dialect;
    bool ambiguous; /* another resource has the same URI */
};

struct schema_anchor {
    const char *name;
    size_t length;
    uint32_t resource, node;
    bool ambiguous;
};

struct schema_pattern {
    const char *text;
    size_t length;
    term_id term;
};

/* One answer of json_schema_key_order. */
struct schema_order {
    const goal_id *goals;
    const uint32_t *names;
    uint32_t n_goals, n_names;
};

struct order_frame {
    struct schema_place place;
    uint32_t member, item;
};

struct equality_frame {
    const struct json_value *value;
    uint32_t next, base;
};

struct json_schema {
    struct arena *arena;
    struct goal_store *goals;
    const struct forma_options *options; /* NULL after loading */
    const struct json_value *root;
    ARENA_VEC(struct schema_node) nodes;
    ARENA_VEC(struct schema_resource) resources;
    ARENA_VEC(struct schema_anchor) anchors;
    ARENA_VEC(struct schema_pattern) patterns;
    ARENA_VEC(struct schema_order) orders;
    ARENA_VEC(uint32_t) work; /* nodes to check */
    struct table by_value, by_uri, by_anchor, by_content, by_pattern, by_order;

    /* Scratch of build.c and order.c. */
    ARENA_VEC(goal_id) kids;
    ARENA_VEC(struct equality_frame) equality;
    ARENA_VEC(struct order_frame) stack;
    ARENA_VEC(uint32_t) names;
    ARENA_VEC(uint32_t) name_stamps; /* by name id */
    ARENA_VEC(goal_id) formula;
    uint32_t stamp;
};

/* ---- resolve.c ------------------------------------------------------------------------------- */

/* Makes the root's node and resource, and finds all nodes, identifiers and anchors below. False
 * with an error that has a pointer. */
bool schema_index(struct json_schema *s, enum dialect dialect, struct forma_error *err);
/* NODE_NONE when the value is no node (yet). */
uint32_t schema_find_node(const struct json_schema *s, const struct json_value *value);
/* The target of node's `$ref`: a node or NODE_TRUE, NODE_FALSE; NODE_NONE with an error. */
uint32_t schema_resolve(struct json_schema *s, uint32_t node, const struct json_member *ref,
                        struct forma_error *err);
/* Fills the canonical nodes, once all reached nodes are checked. */
bool schema_settle_identity(struct json_schema *s);

/* ---- json_schema.c --------------------------------------------------------------------------- */

/* An error at a keyword of a node (NULL: at the node itself); key or index below it, if any. */
__attribute__((format(printf, 8, 9))) bool
schema_fail(struct json_schema *s, uint32_t node, const struct json_member *keyword,
            const struct json_member *key, uint32_t index, struct forma_error *err,
            enum forma_status status, const char *format, ...);
__attribute__((format(printf, 5, 6))) void schema_log(struct json_schema *s, uint32_t node,
                                                      const struct json_member *keyword, int level,
                                                      const char *format, ...);
bool schema_fail_memory(struct json_schema *s, struct forma_error *err);

static inline enum dialect schema_dialect(const struct json_schema *s, uint32_t node) {
    return s->resources.data[s->nodes.data[node].resource].dialect;
}

/* The keyword that a member of a node's object is, if it has any effect on values there: NULL for
 * annotations, containers, unknown words, and siblings of `$ref` before 2019-09. */
const struct keyword_info *schema_effect(const struct json_schema *s, uint32_t node,
                                         const struct json_member *member);

/* The place of a pattern in s->patterns, or UINT32_MAX. */
uint32_t schema_find_pattern(const struct json_schema *s, const char *text, size_t length);

/* ---- check.c --------------------------------------------------------------------------------- */

/* Checks the keywords of a node and puts the schemas that it applies on the work list. */
bool schema_check(struct json_schema *s, uint32_t node, struct forma_error *err);

/* ---- scope.c --------------------------------------------------------------------------------- */

/* A subschema of a node in scope `scope`: entering its resource may widen the scope. */
struct schema_place schema_descend(struct json_schema *s, uint32_t scope,
                                   const struct json_value *value);
/* Where a reference keyword of the node leads. node = NODE_NONE for other keywords. */
struct schema_place schema_follow(struct json_schema *s, struct schema_place from,
                                  enum keyword keyword);

/* ---- build.c --------------------------------------------------------------------------------- */

/* The goal of a subschema that stands in a node with this dynamic scope. */
goal_id schema_goal(struct json_schema *s, const struct json_value *value, uint32_t scope);
goal_id schema_place_goal(struct json_schema *s, struct schema_place place);
/* The names under `properties` and those that a name of `patternProperties` matches (NULL: none). */
term_id schema_names(struct json_schema *s, const struct json_value *properties,
                     const struct json_value *patterns);
/* goal_expand_fn; ctx is the json_schema. */
goal_id schema_expand(void *ctx, uint32_t node, uint32_t scope, enum value_type t);
/* Items of an array: `prefix` (or NULL) are those with their own schema, `rest` (or NULL) is the
 * schema of the others. */
void schema_item_keywords(const struct json_schema *s, uint32_t node,
                          const struct json_value **prefix, const struct json_value **rest);

/* ---- evaluated.c ----------------------------------------------------------------------------- */

/* "Every member or item that no keyword has evaluated meets g", for a value of type t, where that
 * stands in the schema object at `place`. */
goal_id schema_unevaluated(struct json_schema *s, struct schema_place place, enum value_type t,
                           goal_id g);

#endif
