/* SPDX-License-Identifier: MIT */
#include "cli/verdict.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/common.h"

enum forma_status verdict_narrowed(const struct forma_matcher *matcher, const char *text,
                                   size_t length, size_t offset, struct forma_error *err) {
    char advice[96];
    cli_limit_advice(forma_matcher_narrowed_by(matcher), advice, sizeof advice);
    return error_at_text(err, FORMA_ELIMIT, text, length, offset,
                         "a search limit was met at byte %zu, so it cannot be told whether the "
                         "text fits; %s",
                         offset, advice);
}

static void locate(const char *text, size_t offset, struct verdict *v) {
    v->offset = offset;
    v->line = v->column = 1;
    for (size_t i = 0; i < offset; i++) {
        v->column++;
        if (text[i] == '\n') {
            v->line++;
            v->column = 1;
        }
    }
}

/* Nothing, or something else, would be seen of it. */
static bool is_invisible(uint32_t c) {
    return (c >= 0x80 && c < 0xA0) || (c >= 0x200B && c < 0x2010) || (c >= 0x2028 && c < 0x202F) ||
           c == 0xFEFF;
}

static void quote_found(const char *text, size_t length, size_t offset, struct verdict *v) {
    uint32_t code_point;
    const unsigned char *p = (const unsigned char *)text + offset;
    v->found[0] = '\0';
    if (offset >= length) return;
    size_t n = utf8_decode(p, length - offset, &code_point);
    if (n == 0 || code_point < 0x20 || code_point == 0x7F)
        snprintf(v->found, sizeof v->found, "%sbyte 0x%02X%s",
                 *p == '\n'   ? "a line end ("
                 : *p == '\t' ? "a tab ("
                              : "",
                 *p, *p == '\n' || *p == '\t' ? ")" : "");
    else if (is_invisible(code_point))
        snprintf(v->found, sizeof v->found, "U+%04X%s", (unsigned)code_point,
                 code_point == 0xFEFF ? " (a byte order mark)" : "");
    else
        snprintf(v->found, sizeof v->found, "'%.*s'", (int)n, (const char *)p);
}

enum forma_status verdict_of_text(struct forma_matcher *matcher, const char *text, size_t length,
                                  bool partial, struct verdict *v, struct forma_error *err) {
    const unsigned char *bytes = (const unsigned char *)text;
    memset(v, 0, sizeof *v);
    v->token = NO_TOKEN;
    enum forma_status status = forma_matcher_accept_bytes(matcher, bytes, length, err);
    if (status == FORMA_OK) {
        v->accepted = partial || forma_matcher_accepts_end(matcher);
        if (v->accepted) return FORMA_OK;
        locate(text, length, v);
    } else {
        if (status != FORMA_EREFUSED) return status;
        size_t offset = (size_t)err->offset;
        if (forma_matcher_narrowed(matcher))
            return verdict_narrowed(matcher, text, length, offset, err);
        status = forma_matcher_accept_bytes(matcher, bytes, offset, err);
        if (status != FORMA_OK) return status;
        locate(text, offset, v);
        quote_found(text, length, offset, v);
    }
    forma_matcher_describe(matcher, v->expected, sizeof v->expected);
    return FORMA_OK;
}

void verdict_describe(const struct verdict *v, struct text *out) {
    if (v->token != NO_TOKEN)
        text_add(out, "token index %zu: ", v->token);
    else
        text_add(out, "byte %zu (%zu:%zu): ", v->offset, v->line, v->column);
    if (v->found[0])
        text_add(out, "%s does not fit; ", v->found);
    else
        text_add(out, "the text ends too early; ");
    text_add(out, "expected %s", v->expected);
}
