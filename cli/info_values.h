/* SPDX-License-Identifier: MIT
 *
 * Printing the metadata values of a GGUF file, for people (cut to a line) and as JSON (whole).
 */
#ifndef FORMA_CLI_INFO_VALUES_H
#define FORMA_CLI_INFO_VALUES_H

#include <stdio.h>

#include "base/gguf.h"

#define INFO_NUMBER_BYTES 32

/* "134,515,008" into `digits` (INFO_NUMBER_BYTES); returns it. */
const char *info_number(uint64_t n, char *digits);

/* The string with its control bytes escaped, "..." after the first `limit` bytes. */
void info_print_string(FILE *out, struct gguf_string s, size_t limit);
/* One line: strings quoted and cut, arrays by their first elements. */
void info_print_value(FILE *out, const struct gguf_value *v);
/* Any JSON value; arrays of arrays as null. */
void info_json_value(FILE *out, const struct gguf_value *v);

#endif
