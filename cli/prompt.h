/* SPDX-License-Identifier: MIT
 *
 * From what the user wrote to prompt tokens: through the model's chat template, or raw. Special
 * tokens are recognised only in text that the template wrote.
 */
#ifndef FORMA_CLI_PROMPT_H
#define FORMA_CLI_PROMPT_H

#include "runtime/tokenizer.h"

struct prompt_source {
    const char *text; /* the user's, `length` bytes */
    size_t length;
    const char *system; /* NULL: none */
    const char *schema; /* shown to the model in the system text; NULL: not shown */
    size_t schema_length;
    bool raw; /* no template: system and schema are not used */
};

/* Appends the prompt's tokens. FORMA_EINVAL for text that is not UTF-8 (its offset is set), that
 * is empty where the model has no token to begin with, or that holds a NUL in a chat. */
enum forma_status prompt_encode(const struct gguf *file, const struct tokenizer *tokenizer,
                                const struct prompt_source *source, struct token_list *out,
                                struct forma_error *err);

#endif
