/* SPDX-License-Identifier: MIT
 *
 * What the files of the JSON Schema reader share.
 *
 * A *document* is a text: the schema itself (document 0), those that the caller supplied, and the
 * built-in metaschemas. A *node* is a place in a text where a schema object stands. Nodes are found
 * breadth-first, so the nodes of subschemas have higher ids than the node that holds them. A
 * *resource* is a part of a document with its own base URI and dialect; node 0 is the root of
 * document 0, resource 0 its own. Boolean schemas have no nodes: NODE_TRUE and NODE_FALSE stand for
 * them.
 *
 * A node's *canonical* node is one with the same resource and the same content once annotations,
 * unknown words and definitions are left out (with the same order of properties): goals name
 * canonical nodes, so that equal schemas are equal goals.
 */
#ifndef FORMA_SCHEMA_INTERNAL_H
#define FORMA_SCHEMA_INTERNAL_H

#include <stdarg.h>

#include "base/hash.h"
#include "schema/formats.h"
#include "schema/json_schema.h"
#include "schema/json_text.h"
#include "schema/keywords.h"

#define MAX_URI 2048 /* bytes; each resource keeps its absolute URI */
/* The texts that contentEncoding "base64" admits (RFC 4648, section 4): whole quanta, the bits that
 * padding leaves over are zero. */
#define BASE64_PATTERN                                                                             \
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$"
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
    uint32_t dynamic_target;           /* of $dynamicRef or $recursiveRef, without any scope */
    uint32_t dynamic_name;             /* whose outermost place it is instead; NO_INDEX: plain */
    const struct json_member *keyword; /* of the parent, under which the node stands */
    const struct json_member *key;     /* below it, or NULL */
    uint32_t index;                    /* below it, or NO_INDEX */
    uint32_t stamp;                    /* order.c, cycles.c: the walk that saw it last */
    const char *path;                  /* instead of the three: a pointer below the parent */
    size_t path_length;
    const char *pointer; /* made on demand */
    bool reached;        /* from the root, so it has been checked */
    bool plain;          /* restricts nothing: the same as true */
    bool only_ref;       /* a $ref and nothing else that restricts */
    bool hidden;         /* a $ref makes everything beside it ignored (up to draft 7) */
    bool located;        /* its place is its identity */
    bool dynamic;        /* what it means depends on the scope in which it is met */
};

/* A node (or NODE_TRUE, NODE_FALSE, NODE_NONE) and the dynamic scope in which it is met: an id of
 * scope.c, 0 where nothing below depends on it. */
struct schema_place {
    uint32_t node, scope;
};

/* What `$schema` decides: which words are keywords. */
struct schema_language {
    enum dialect dialect;
    unsigned vocabularies; /* VOCABULARY_BIT */
};

/* What a `$schema` was found to mean. */
struct known_language {
    const char *uri;
    size_t length;
    bool found;
    struct schema_language language;
};

struct schema_document {
    const char *uri; /* by which it was asked for, without fragment; "" for document 0 */
    size_t uri_length;
    const char *text; /* borrowed while loading */
    size_t length;
    const struct json_value *root; /* NULL: not parsed yet */
    bool indexed, builtin;
    bool ambiguous; /* another document has the same URI */
};

struct schema_resource {
    const char *uri; /* without fragment; "" when nothing names it */
    size_t uri_length;
    uint32_t root; /* node */
    uint32_t document;
    struct schema_language language;
    uint32_t first_anchor; /* of its dynamic ones: a schema_dynamic; NO_INDEX at the end */
    bool entered;          /* some node of it is reached */
};

/* What an absolute URI without fragment names. */
struct schema_name {
    const char *uri;
    size_t length;
    uint32_t node; /* or NODE_TRUE, NODE_FALSE */
    bool ambiguous;
};

struct schema_anchor {
    const char *name;
    size_t length;
    uint32_t resource, node;
    bool ambiguous;
    uint32_t dynamic; /* a schema_dynamic, or NO_INDEX */
};

/* A `$dynamicAnchor`, or the `$recursiveAnchor: true` of a resource, whose name is the empty one
 * (number 0). */
struct schema_dynamic {
    uint32_t name; /* number of a schema_dynamic_name */
    uint32_t node;
    uint32_t next;    /* in the resource */
    uint32_t of_name; /* next with the same name */
};

struct schema_dynamic_name {
    const char *text;
    size_t length;
    uint32_t first; /* a schema_dynamic with that name */
    bool wanted;    /* by a reference that is reached */
};

/* What each name means, outermost first come; sorted by name. */
struct scope_entry {
    uint32_t name, node;
};
struct schema_scope {
    const struct scope_entry *entries;
    uint32_t count;
};
struct scope_step {
    uint32_t scope, resource, result;
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
    bool too_many_scopes;                /* the arena failed by that */
    bool told_of_cycle;                  /* of references that consume nothing */
    size_t max_nesting;                  /* of the options */
    bool asserts_formats;                /* `format` is a demand; contents, where they may be */
    const struct forma_options *options; /* NULL after loading */
    struct schema_report *report;        /* NULL: nobody asks */
    const struct json_value *root;
    struct schema_language language; /* where `$schema` is silent */
    ARENA_VEC(struct schema_document) documents;
    ARENA_VEC(struct schema_name) uris;
    ARENA_VEC(const struct json_value *) embedded; /* definitions with an identifier */
    bool embedded_listed;
    ARENA_VEC(struct known_language) languages;
    ARENA_VEC(struct schema_node) nodes;
    ARENA_VEC(struct schema_resource) resources;
    ARENA_VEC(struct schema_anchor) anchors;
    ARENA_VEC(struct schema_pattern) patterns;
    struct format_terms formats;
    ARENA_VEC(struct schema_order) orders;
    ARENA_VEC(uint32_t) work; /* nodes to check */
    ARENA_VEC(struct schema_dynamic) dynamics;
    ARENA_VEC(struct schema_dynamic_name) dynamic_names;
    ARENA_VEC(struct schema_scope) scopes;
    ARENA_VEC(struct scope_step) scope_steps;
    struct table by_document, by_embedded, by_language, by_value, by_uri, by_anchor, by_content,
        by_pattern, by_order;
    struct table by_dynamic_name, by_scope, by_scope_step;

    /* Scratch of build.c and order.c. */
    ARENA_VEC(goal_id) kids;
    ARENA_VEC(struct equality_frame) equality;
    ARENA_VEC(struct order_frame) stack;
    ARENA_VEC(uint32_t) names;
    ARENA_VEC(uint32_t) name_stamps; /* by name id */
    ARENA_VEC(goal_id) formula;
    uint32_t stamp;
};

/* ---- documents.c ----------------------------------------------------------------------------- */

/* Takes the caller's documents; those without a URI are parsed to see what they are called. */
bool schema_open_documents(struct json_schema *s, struct forma_error *err);
/* The root of what an absolute URI without fragment names, in *node: a schema that is known, or a
 * document that is read now. NODE_NONE when there is none. False with an error. */
bool schema_find_uri(struct json_schema *s, const char *uri, size_t length, uint32_t *node,
                     struct forma_error *err);
/* The same for a metaschema, which is read as JSON only. NULL in *value when there is none. */
bool schema_find_metaschema(struct json_schema *s, const char *uri, size_t length,
                            const struct json_value **value, struct forma_error *err);

/* ---- dialect.c ------------------------------------------------------------------------------- */

/* The language that `$schema: uri` chooses. A refusal is an error without a place. */
bool schema_find_language(struct json_schema *s, const char *uri, size_t length,
                          struct schema_language *out, struct forma_error *err);

/* ---- index.c --------------------------------------------------------------------------------- */

/* Makes the nodes, resources and anchors of a document that is parsed; its root's node in *node. */
bool schema_index(struct json_schema *s, uint32_t document, uint32_t *node,
                  struct forma_error *err);
/* NODE_NONE when the value is no node (yet). */
uint32_t schema_find_node(const struct json_schema *s, const struct json_value *value);
/* An object below `parent` that no keyword leads to, and all nodes below it. `path`: the rest of a
 * pointer from the parent. */
uint32_t schema_index_odd(struct json_schema *s, const struct json_value *value, uint32_t parent,
                          const char *path, size_t length, struct forma_error *err);
/* What the caller may call `uri`: a known schema, NULL where there is none. */
const struct schema_name *schema_find_name(const struct json_schema *s, const char *uri,
                                           size_t length);
const struct schema_anchor *schema_find_anchor(const struct json_schema *s, uint32_t resource,
                                               const char *name, size_t length);

/* ---- resolve.c ------------------------------------------------------------------------------- */

/* The target of a reference: a node or NODE_TRUE, NODE_FALSE; NODE_NONE with an error. *dynamic
 * (may be NULL) becomes the schema_dynamic that the fragment names, or NO_INDEX. */
uint32_t schema_resolve(struct json_schema *s, uint32_t node, const struct json_member *ref,
                        uint32_t *dynamic, struct forma_error *err);

/* ---- cycles.c -------------------------------------------------------------------------------- */

/* Reports references that consume nothing, once all schemas on the work list are checked. */
void schema_warn_of_cycles(struct json_schema *s);

/* ---- identity.c ------------------------------------------------------------------------------ */

/* Fills the canonical nodes, once all reached nodes are checked. */
bool schema_settle_identity(struct json_schema *s);

/* The i-th of the schemas under a keyword that apply to the same value, NULL past the last. */
const struct json_value *schema_in_place(const struct keyword_info *k, const struct json_value *v,
                                         uint32_t i);

/* ---- json_schema.c --------------------------------------------------------------------------- */

/* An error at a keyword of a node (NULL: at the node itself); key or index below it, if any. */
__attribute__((format(printf, 8, 9))) bool
schema_fail(struct json_schema *s, uint32_t node, const struct json_member *keyword,
            const struct json_member *key, uint32_t index, struct forma_error *err,
            enum forma_status status, const char *format, ...);
__attribute__((format(printf, 5, 6))) void schema_log(struct json_schema *s, uint32_t node,
                                                      const struct json_member *keyword, int level,
                                                      const char *format, ...);
/* Texts of the schema may hold anything, a message is one line. */
void schema_format_line(char *out, size_t size, const char *format, va_list arguments);
bool schema_fail_memory(struct json_schema *s, struct forma_error *err);
/* The pointer of a node, behind the URI of its document if that is not the schema itself, with one
 * step more (NULL, NULL, NO_INDEX: none); in the arena, "" when that is full. */
const char *schema_pointer(const struct json_schema *s, struct arena *arena, uint32_t node,
                           const struct json_member *keyword, const struct json_member *key,
                           uint32_t index);

static inline enum dialect schema_dialect(const struct json_schema *s, uint32_t node) {
    return s->resources.data[s->nodes.data[node].resource].language.dialect;
}

/* The keyword that a word is in the language of a node, or NULL. */
const struct keyword_info *schema_keyword(const struct json_schema *s, uint32_t node,
                                          const char *word, size_t length);

/* The keyword that a member of a node's object is, if it has any effect on values there: NULL for
 * annotations, containers, unknown words, and siblings of `$ref` before 2019-09. */
const struct keyword_info *schema_effect(const struct json_schema *s, uint32_t node,
                                         const struct json_member *member);

/* Does a `then` or `else` stand there, that an `if` beside it decides about? */
bool schema_decides(const struct json_schema *s, uint32_t node);

/* What must stand beside a keyword for it to mean anything, and does not: a phrase; else NULL. */
const char *schema_lacks(const struct json_schema *s, uint32_t node,
                         const struct json_member *member, const struct keyword_info *k);

/* Are formats demands there? And this value of `format`, is it one? */
bool schema_asserts_formats(const struct json_schema *s, uint32_t node);
bool schema_asserts_format(const struct json_schema *s, uint32_t node,
                           const struct json_value *format);
/* Must strings be base64 by this value of contentEncoding, or hold JSON by this one of
 * contentMediaType? */
bool schema_asserts_base64(const struct json_schema *s, uint32_t node,
                           const struct json_value *encoding);
bool schema_asserts_json(const struct json_schema *s, uint32_t node,
                         const struct json_value *media_type);

/* The place of a pattern in s->patterns, or UINT32_MAX. */
uint32_t schema_find_pattern(const struct json_schema *s, const char *text, size_t length);

/* ---- report.c -------------------------------------------------------------------------------- */

/* What becomes of a member of a node's object. Where a report is made the rule goes there, else to
 * the log, in words made of the status and the reason (may be NULL). */
#define RULE_NOT_LOGGED 2 /* a level */
void schema_rule(struct json_schema *s, uint32_t node, const struct json_member *member,
                 enum forma_rule_status status, int level, const char *reason);
__attribute__((format(printf, 6, 7))) void schema_rule_because(struct json_schema *s, uint32_t node,
                                                               const struct json_member *member,
                                                               enum forma_rule_status status,
                                                               int level, const char *format, ...);
void schema_report_begin(struct schema_report *r, struct json_schema *s);
/* The member has an error. True: it was noted, and the check goes on; false: give up. */
bool schema_refuse(struct json_schema *s, uint32_t node, const struct json_member *member,
                   const struct forma_error *err);
/* A member has been checked: where nothing was told of it, it is what schema_effect says. */
void schema_report_member(struct json_schema *s, uint32_t node, const struct json_member *member);
/* The check is over; `complete`: it came to its end. False, with the first error, when there was
 * one. */
bool schema_report_end(struct schema_report *r, bool complete, struct forma_error *err);

/* ---- check.c --------------------------------------------------------------------------------- */

/* Checks the keywords of the root and of every schema that it leads to, and resolves references. */
bool schema_check(struct json_schema *s, uint32_t root, struct forma_error *err);
/* Sets `plain` and `only_ref` of a node. */
void schema_count_effects(struct json_schema *s, uint32_t node);

/* ---- scope.c --------------------------------------------------------------------------------- */

/* The number of the name of a dynamic anchor; 0 is the empty one. */
uint32_t schema_dynamic_name(struct json_schema *s, const char *text, size_t length);
/* Which nodes depend on the scope, once all references are resolved. */
bool schema_settle_scopes(struct json_schema *s);
/* A node that is met coming from `scope`. */
struct schema_place schema_arrive(struct json_schema *s, uint32_t scope, uint32_t node);

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
