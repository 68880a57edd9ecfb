/* SPDX-License-Identifier: MIT
 *
 * JSON values as Python's json.dumps writes them: separators ", " and ": ", members in the order of
 * the text, numbers as Python reads and repeats them (1e5 becomes 100000.0). What other programs
 * measure is written so, and figures are comparable only on the same texts.
 */
#ifndef FORMA_CLI_PYTHON_JSON_H
#define FORMA_CLI_PYTHON_JSON_H

#include "cli/common.h"
#include "schema/json_text.h"

/* Appends json.dumps(value, ensure_ascii=False). */
enum forma_status python_json_append(struct cli_text *out, const struct json_value *v,
                                     struct forma_error *err);
/* len(json.dumps(value)), where other characters than ASCII are escapes. */
enum forma_status python_json_size(const struct json_value *v, size_t *size,
                                   struct forma_error *err);

#endif
