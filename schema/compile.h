/* SPDX-License-Identifier: MIT
 *
 * From the text of a JSON Schema to a machine, for those who need more than a grammar.
 */
#ifndef FORMA_SCHEMA_COMPILE_H
#define FORMA_SCHEMA_COMPILE_H

#include "automaton/json_machine.h"
#include "schema/json_schema.h"

struct json_pool;
struct schema_source {
    const char *text;
    size_t length;
    const bool *alphabet; /* NULL: every byte */
    const struct forma_options *options;
    struct json_pool *machines; /* where the machine comes from; may be NULL */
};

/* When a compile that begins now is over time, by clock_ms. */
double schema_deadline(const struct forma_options *options);

/* A started machine, or NULL. *schema lives in its arena. */
struct json_machine *schema_build(const struct schema_source *source,
                                  const struct schema_wishes *wishes, double deadline,
                                  struct json_schema **schema, struct forma_error *err);

#endif
