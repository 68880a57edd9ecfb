/* SPDX-License-Identifier: MIT
 *
 * A small interpreter for the Jinja language of chat templates (the subset is listed in
 * docs/chat-templates.md; anything else is an error that names it and its line). Compiled once,
 * immutable, shared by threads.
 *
 * The result is a list of pieces: text that the template itself wrote (special tokens count there)
 * and text that came from the messages (never parsed for special tokens).
 */
#ifndef FORMA_RUNTIME_CHAT_TEMPLATE_H
#define FORMA_RUNTIME_CHAT_TEMPLATE_H

#include "base/alloc.h"

struct chat_message {
    const char *role;    /* "system", "user", "assistant" */
    const char *content; /* NUL-terminated */
};

struct chat_piece {
    const char *text;
    size_t length;
    bool from_template; /* parse special tokens here, and only here */
};

struct chat_text {
    const struct forma_allocator *allocator;
    struct chat_piece *pieces;
    size_t n_pieces;
    char *buffer;
    size_t buffer_size;
};
void chat_text_destroy(struct chat_text *t);

struct chat_template;

struct chat_template *chat_template_compile(const char *source, size_t length,
                                            const struct forma_allocator *allocator,
                                            struct forma_error *err);
void chat_template_free(struct chat_template *t);

struct chat_context {
    const struct chat_message *messages;
    size_t n_messages;
    bool add_generation_prompt;
    const char *bos_token, *eos_token; /* may be NULL: undefined */
};

/* Bounded: at most `max_steps` evaluation steps and `max_bytes` of output (FORMA_ELIMIT). */
enum forma_status chat_template_render(const struct chat_template *t,
                                       const struct chat_context *context, uint64_t max_steps,
                                       size_t max_bytes, struct chat_text *out,
                                       struct forma_error *err);

#endif
