/* SPDX-License-Identifier: MIT
 *
 * Cuts a Jinja template into tokens, with the white-space control that Hugging Face switches on
 * (trim_blocks and lstrip_blocks): a newline behind a block tag goes with the tag, and so do
 * blanks between the start of a line and a block tag; "-" inside a tag takes all white space on
 * that side, "+" keeps it. One owner; the source must outlive the tokens, which are views of it.
 */
#ifndef FORMA_RUNTIME_JINJA_LEXER_H
#define FORMA_RUNTIME_JINJA_LEXER_H

#include "base/alloc.h"

enum jinja_token_kind {
    JINJA_END,
    JINJA_TEXT,
    JINJA_OUTPUT_BEGIN,
    JINJA_OUTPUT_END,
    JINJA_BLOCK_BEGIN,
    JINJA_BLOCK_END,
    JINJA_NAME,
    JINJA_STRING, /* as written, without its quotes */
    JINJA_INTEGER,
    JINJA_FLOAT,
    JINJA_OPERATOR
};

struct jinja_token {
    enum jinja_token_kind kind;
    size_t offset;
    const char *text;
    size_t length;
};

struct jinja_lexer {
    const char *source;
    size_t length, at;
    enum { JINJA_IN_TEXT, JINJA_IN_OUTPUT, JINJA_IN_BLOCK } mode;
    bool begin_pending; /* the tag at `at` is to be entered: its text was given out */
    bool line_starting; /* what was read last ended a line */
    size_t open;        /* brackets open inside the tag */
    struct forma_error *err;
};

void jinja_lexer_init(struct jinja_lexer *l, const char *source, size_t length,
                      struct forma_error *err);
/* False: a fault in the template (described). After the end, JINJA_END again and again. */
bool jinja_lexer_next(struct jinja_lexer *l, struct jinja_token *token);

/* White space as Python's str.isspace sees it. */
bool jinja_is_space(uint32_t code_point);
/* The same text without white space in front, or behind. */
void jinja_strip_front(const char **text, size_t *length);
void jinja_strip_back(const char *text, size_t *length);

#endif
