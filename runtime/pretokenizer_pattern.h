/* SPDX-License-Identifier: MIT
 *
 * Splitting patterns: those of the GGUF names, and those of tokenizer.json files, which are written
 * for Oniguruma and mean other things to PCRE2 here and there. Pure functions.
 */
#ifndef FORMA_RUNTIME_PRETOKENIZER_PATTERN_H
#define FORMA_RUNTIME_PRETOKENIZER_PATTERN_H

#include "base/json_pull.h"

#define PRETOKENIZER_PATTERN_MAX 8192

/* The same pattern for PCRE2 with UTF and Unicode properties, terminated. FORMA_EUNSUPPORTED for
 * what is not known to mean the same, or when `capacity` is too small. */
enum forma_status pretokenizer_translate(struct json_string pattern, char *out, size_t capacity,
                                         struct forma_error *err);

/* GPT-2's own, in PCRE2's syntax. */
extern const char *const pretokenizer_gpt2_pattern;

#endif
