/* SPDX-License-Identifier: MIT
 *
 * JSON files whose parts are texts of their own: a schema in a case, the data of a test. They are
 * judged as they were written, digit by digit, so what is handed on is the source of a value, not
 * a copy that some writer made of it.
 */
#ifndef FORMA_CLI_JSON_SOURCE_H
#define FORMA_CLI_JSON_SOURCE_H

#include "schema/json_text.h"

/* Parses into an arena made for it; destroy it afterwards, also when NULL came back. */
const struct json_value *json_source_parse(struct arena *arena, const char *text, size_t length,
                                           size_t max_nesting, struct forma_error *err);

/* Bytes of the value's source, which begins at text + v->offset. O(their number). */
size_t json_source_length(const char *text, const struct json_value *v);

#endif
