/* SPDX-License-Identifier: MIT */
#include "runtime/jinja_lexer.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

bool jinja_is_space(uint32_t c) {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

void jinja_strip_front(const char **text, size_t *length) {
    uint32_t c;
    for (size_t n; *length > 0; *text += n, *length -= n) {
        n = utf8_decode((const unsigned char *)*text, *length, &c);
        if (!n || !jinja_is_space(c)) return;
    }
}

void jinja_strip_back(const char *text, size_t *length) {
    while (*length > 0) {
        size_t start = *length - 1;
        while (start > 0 && *length - start < 4 && ((unsigned char)text[start] & 0xC0) == 0x80)
            start--;
        uint32_t c;
        size_t n = utf8_decode((const unsigned char *)text + start, *length - start, &c);
        if (n != *length - start || !jinja_is_space(c)) return;
        *length = start;
    }
}

void jinja_lexer_init(struct jinja_lexer *l, const char *source, size_t length,
                      struct forma_error *err) {
    memset(l, 0, sizeof *l);
    l->source = source;
    l->length = length;
    l->line_starting = true;
    l->err = err;
}

static bool fail(struct jinja_lexer *l, size_t offset, const char *what) {
    error_at_text(l->err, FORMA_EMODEL, l->source, l->length, offset, "%s", what);
    return false;
}

static bool starts_with(const struct jinja_lexer *l, const char *what) {
    size_t n = strlen(what);
    return l->length - l->at >= n && memcmp(l->source + l->at, what, n) == 0;
}

static void skip_space(struct jinja_lexer *l) {
    const char *rest = l->source + l->at;
    size_t length = l->length - l->at;
    jinja_strip_front(&rest, &length);
    l->at = l->length - length;
}

/* Consumes `end` with its sign; "-" takes the white space behind, a block's end one newline. */
static bool take_end(struct jinja_lexer *l, const char *end, bool is_output) {
    size_t begin = l->at;
    char sign = l->at < l->length ? l->source[l->at] : '\0';
    if (sign == '-' || (sign == '+' && !is_output))
        l->at++;
    else
        sign = '\0';
    if (!starts_with(l, end)) {
        l->at = begin;
        return false;
    }
    l->at += 2;
    if (sign == '-')
        skip_space(l);
    else if (!sign && !is_output && starts_with(l, "\n"))
        l->at++;
    l->line_starting = l->source[l->at - 1] == '\n';
    return true;
}

/* The next tag at or behind `at`, or the end. */
static size_t find_tag(const struct jinja_lexer *l) {
    size_t i = l->at;
    while (i + 1 < l->length) {
        const char *brace = memchr(l->source + i, '{', l->length - 1 - i);
        if (!brace) break;
        i = (size_t)(brace - l->source);
        if (brace[1] == '{' || brace[1] == '%' || brace[1] == '#') return i;
        i++;
    }
    return l->length;
}

/* Text up to `tag`, less what the tag takes away. */
static size_t text_before(const struct jinja_lexer *l, size_t tag) {
    const char *text = l->source + l->at;
    size_t length = tag - l->at;
    if (tag == l->length) return length;
    char sign = tag + 2 < l->length ? l->source[tag + 2] : '\0';
    if (sign == '-') {
        jinja_strip_back(text, &length);
    } else if (sign != '+' && l->source[tag + 1] != '{') {
        size_t line = length;
        while (line > 0 && text[line - 1] != '\n') line--;
        const char *blanks = text + line;
        size_t n = length - line;
        jinja_strip_front(&blanks, &n);
        if (n == 0 && (line > 0 || l->line_starting)) length = line;
    }
    return length;
}

static bool skip_comment(struct jinja_lexer *l) {
    size_t begin = l->at;
    l->at += 2;
    if (starts_with(l, "-") || starts_with(l, "+")) l->at++;
    for (; l->at < l->length; l->at++)
        if (take_end(l, "#}", false)) return true;
    return fail(l, begin, "the comment has no end");
}

static bool enter_tag(struct jinja_lexer *l, struct jinja_token *token) {
    bool output = l->source[l->at + 1] == '{';
    l->mode = output ? JINJA_IN_OUTPUT : JINJA_IN_BLOCK;
    *token = (struct jinja_token){output ? JINJA_OUTPUT_BEGIN : JINJA_BLOCK_BEGIN, l->at,
                                  l->source + l->at, 2};
    l->at += 2;
    if (starts_with(l, "-") || starts_with(l, "+")) l->at++;
    l->open = 0;
    l->begin_pending = false;
    return true;
}

static bool next_text(struct jinja_lexer *l, struct jinja_token *token) {
    for (;;) {
        if (l->begin_pending) return enter_tag(l, token);
        if (l->at == l->length) {
            *token = (struct jinja_token){JINJA_END, l->length, "", 0};
            return true;
        }
        size_t tag = find_tag(l), begin = l->at, length = text_before(l, tag);
        l->at = tag;
        l->line_starting = false;
        if (tag < l->length && l->source[tag + 1] == '#') {
            if (!skip_comment(l)) return false;
        } else {
            l->begin_pending = tag < l->length;
        }
        if (length > 0) {
            *token = (struct jinja_token){JINJA_TEXT, begin, l->source + begin, length};
            return true;
        }
    }
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t digits_at(const struct jinja_lexer *l, size_t at) {
    size_t n = at;
    while (n < l->length &&
           (is_digit(l->source[n]) ||
            (l->source[n] == '_' && n > at && n + 1 < l->length && is_digit(l->source[n + 1]))))
        n++;
    return n - at;
}

static enum jinja_token_kind take_number(struct jinja_lexer *l) {
    l->at += digits_at(l, l->at);
    bool is_float = false;
    if (starts_with(l, ".") && digits_at(l, l->at + 1)) {
        l->at += 1 + digits_at(l, l->at + 1);
        is_float = true;
    }
    if (starts_with(l, "e") || starts_with(l, "E")) {
        size_t sign =
            l->at + 1 < l->length && (l->source[l->at + 1] == '+' || l->source[l->at + 1] == '-');
        size_t n = digits_at(l, l->at + 1 + sign);
        if (n) l->at += 1 + sign + n;
        is_float |= n > 0;
    }
    return is_float ? JINJA_FLOAT : JINJA_INTEGER;
}

static bool take_string(struct jinja_lexer *l, struct jinja_token *token) {
    char quote = l->source[l->at];
    size_t begin = ++l->at;
    for (; l->at < l->length; l->at++) {
        if (l->source[l->at] == '\\') {
            l->at++;
        } else if (l->source[l->at] == quote) {
            *token =
                (struct jinja_token){JINJA_STRING, begin - 1, l->source + begin, l->at - begin};
            l->at++;
            return true;
        }
    }
    l->at = l->length;
    return fail(l, begin - 1, "the string has no end");
}

static bool take_operator(struct jinja_lexer *l, struct jinja_token *token) {
    static const char *const operators[] = {"==", "!=", "<=", ">=", "//", "**", "+", "-", "*",
                                            "/",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                            "<",  ">",  "=",  ".",  ":",  "|",  ",", ";"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (!starts_with(l, operators[i])) continue;
        char c = operators[i][0];
        if (c == '[' || c == '(' || c == '{') l->open++;
        if ((c == ']' || c == ')' || c == '}') && l->open) l->open--;
        *token =
            (struct jinja_token){JINJA_OPERATOR, l->at, l->source + l->at, strlen(operators[i])};
        l->at += token->length;
        return true;
    }
    return fail(l, l->at, "this character has no meaning here");
}

bool jinja_lexer_next(struct jinja_lexer *l, struct jinja_token *token) {
    if (l->mode == JINJA_IN_TEXT) return next_text(l, token);
    bool output = l->mode == JINJA_IN_OUTPUT;
    skip_space(l);
    size_t begin = l->at;
    if (begin == l->length) return fail(l, begin, "the template ends inside a tag");
    if (l->open == 0 && take_end(l, output ? "}}" : "%}", output)) {
        l->mode = JINJA_IN_TEXT;
        *token = (struct jinja_token){output ? JINJA_OUTPUT_END : JINJA_BLOCK_END, begin,
                                      l->source + begin, 2};
        return true;
    }
    char c = l->source[begin];
    if (c == '\'' || c == '"') return take_string(l, token);
    enum jinja_token_kind kind;
    if (is_digit(c)) {
        kind = take_number(l);
    } else if (is_name_start(c)) {
        kind = JINJA_NAME;
        while (l->at < l->length && (is_name_start(l->source[l->at]) || is_digit(l->source[l->at])))
            l->at++;
    } else {
        return take_operator(l, token);
    }
    *token = (struct jinja_token){kind, begin, l->source + begin, l->at - begin};
    return true;
}
