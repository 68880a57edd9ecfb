/* SPDX-License-Identifier: MIT
 *
 * A JSON Schema as goals. Loading parses the text, settles base URIs, anchors and references
 * (to the caller's documents and to metaschemas, too), and checks every schema that the root
 * reaches through applicators and references: wrong values, references to nothing, and keywords
 * that are not enforced are errors with a JSON pointer, found before anything is generated; in
 * another document the pointer begins with its URI and '#'. Goals are made later, per (schema,
 * type), when the goal store asks for them, so recursive schemas end.
 *
 * The schema lives in the goal store's arena (there is no free) and is used by the store's owner.
 * Loading is linear in the text (expected, by hashing) and not recursive.
 */
#ifndef FORMA_SCHEMA_JSON_SCHEMA_H
#define FORMA_SCHEMA_JSON_SCHEMA_H

#include "automaton/goal.h"
#include "forma.h"

struct json_schema;

/* Installs itself as the store's expander. `text` and `options` (not NULL) are borrowed for the
 * call. NULL on failure. Ignored words are reported to options->log. */
struct json_schema *json_schema_load(struct goal_store *goals, const char *text, size_t length,
                                     const struct forma_options *options, struct forma_error *err);

/* What becomes of every keyword, gathered while a schema is loaded. It has an arena of its own. With
 * one, loading goes on behind a refusal, to find them all; it fails all the same, with the first. */
struct schema_report;
/* NULL when there is no memory for it. */
struct schema_report *schema_report_new(const struct forma_options *options,
                                        struct forma_error *err);
void schema_report_free(struct schema_report *r);

/* How else to load: with a report, which is used up whether loading succeeds or not (NULL: none),
 * and without some rules (rules.h, of an earlier load of these texts), which are checked all the
 * same. */
struct rule_place;
struct schema_wishes {
    struct schema_report *report;
    const struct rule_place *without;
    size_t n_without;
};
struct json_schema *json_schema_load_with(struct goal_store *goals, const char *text, size_t length,
                                          const struct forma_options *options,
                                          const struct schema_wishes *wishes,
                                          struct forma_error *err);
/* No value satisfies that schema node; UINT32_MAX: what stands at a pointer. */
void schema_report_never(struct schema_report *r, uint32_t node, const char *pointer,
                         const char *why);
bool schema_report_has_never(const struct schema_report *r);
/* Calls `fn` for every rule, while the schema's arena is there: not where loading failed before
 * there were keywords. False when memory ran out, and nothing was told. */
bool schema_report_tell(struct schema_report *r, forma_rule_fn fn, void *ctx, const char **draft);

/* Was a reference that consumes nothing reported while loading? */
bool json_schema_told_of_cycle(const struct json_schema *s);

/* Did making goals fail (the arena with it) because dynamic anchors combine in too many ways? */
bool json_schema_too_many_scopes(const struct json_schema *s);

/* What a whole text must be. */
goal_id json_schema_root(struct json_schema *s);

/* JSON pointer of a schema node (a REF's `a`), for messages; made on first use. Equal schemas are
 * one node, at the first of their places. Never NULL. */
const char *json_schema_pointer(struct json_schema *s, uint32_t node);

/* The declared key order of an object that must meet these goals (in any formula; goals of any
 * type). First the names under `properties` (and the members of objects in `enum` and `const`) in
 * the order in which the text declares them, going through allOf, anyOf and `$ref` in the order of
 * the text; then names that stand in `required` only; then single names that the formula holds
 * without a schema. Sets *names to `count` name ids in the arena and returns the count; cached by
 * goals. 0 also when the arena is full. */
uint32_t json_schema_key_order(struct json_schema *s, const goal_id *goals, uint32_t n_goals,
                               const uint32_t **names);

#endif
