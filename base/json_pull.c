/* SPDX-License-Identifier: MIT */
#include "base/json_pull.h"

#include <string.h>

#include "base/error.h"
#include "base/hex.h"
#include "base/utf8.h"

#define MAX_DEPTH 1000u

bool json_string_is(struct json_string s, const char *word) {
    size_t n = strlen(word);
    return s.length == n && memcmp(s.data, word, n) == 0;
}

void pull_begin(struct json_pull *p, const char *text, size_t length, struct arena *arena,
                struct forma_error *err) {
    *p = (struct json_pull){.text = text, .length = length, .arena = arena, .err = err};
}

bool pull_fail(struct json_pull *p, const char *what) {
    if (p->status) return false;
    p->status = error_at_text(p->err, FORMA_EMODEL, p->text, p->length, p->at,
                              "the JSON text should have %s here", what);
    return false;
}

/* The next character that is no blank; 0 at the end. */
static char next_char(struct json_pull *p) {
    while (p->at < p->length) {
        char c = p->text[p->at];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return c;
        p->at++;
    }
    return 0;
}

char pull_peek(struct json_pull *p) {
    char c = p->status ? 0 : next_char(p);
    switch (c) {
    case '{':
    case '[':
    case '"':
    case 't':
    case 'f':
    case 'n': return c;
    default: return c == '-' || (c >= '0' && c <= '9') ? '0' : 0;
    }
}

/* ---- containers ---------------------------------------------------------------------------- */

bool pull_enter(struct json_pull *p, char bracket) {
    if (p->status) return false;
    if (next_char(p) != bracket) return pull_fail(p, bracket == '{' ? "an object" : "an array");
    if (++p->opened > MAX_DEPTH) return pull_fail(p, "fewer levels");
    p->at++;
    p->first = true;
    return true;
}

/* Steps over the comma before the next element; false behind the last one. */
static bool has_more(struct json_pull *p, char close) {
    if (p->status) return false;
    char c = next_char(p);
    bool first = p->first;
    p->first = false;
    if (c == close) {
        p->at++;
        p->opened--;
        return false;
    }
    if (first) return true;
    if (c != ',') return pull_fail(p, close == '}' ? "a comma or }" : "a comma or ]");
    p->at++;
    return true;
}

bool pull_member(struct json_pull *p, struct json_string *name) {
    if (!has_more(p, '}') || !pull_string(p, name)) return false;
    if (next_char(p) != ':') return pull_fail(p, "a colon");
    p->at++;
    return true;
}

bool pull_item(struct json_pull *p) {
    return has_more(p, ']');
}

/* ---- strings ------------------------------------------------------------------------------- */

/* Four hexadecimal digits, or UINT32_MAX. */
static uint32_t read_hex4(const struct json_pull *p, size_t at) {
    uint32_t value = 0;
    if (p->length - at < 4) return UINT32_MAX;
    for (size_t i = 0; i < 4; i++) {
        int digit = hex_digit(p->text[at + i]);
        if (digit < 0) return UINT32_MAX;
        value = value << 4 | (uint32_t)digit;
    }
    return value;
}

/* Behind a backslash: appends what the escape stands for, at most 4 bytes for 6 read. */
static bool read_escape(struct json_pull *p, char *out, size_t *n) {
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char c = p->at < p->length ? p->text[p->at] : 0;
    const char *letter = c ? strchr(letters, c) : NULL;
    if (letter) {
        out[(*n)++] = meanings[letter - letters];
        p->at++;
        return true;
    }
    uint32_t code = c == 'u' ? read_hex4(p, p->at + 1) : UINT32_MAX;
    if (code == UINT32_MAX) return pull_fail(p, "an escape that JSON knows");
    size_t used = 5;
    if (code >= 0xD800 && code <= 0xDBFF) {
        bool more =
            p->length - p->at > 7 && p->text[p->at + 5] == '\\' && p->text[p->at + 6] == 'u';
        uint32_t low = more ? read_hex4(p, p->at + 7) : UINT32_MAX;
        if (low < 0xDC00 || low > 0xDFFF)
            return pull_fail(p, "the second half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        used = 11;
    }
    unsigned char bytes[4];
    size_t length = utf8_encode(code, bytes);
    if (!length) return pull_fail(p, "the first half of a surrogate pair");
    memcpy(out + *n, bytes, length);
    *n += length;
    p->at += used;
    return true;
}

/* From the first backslash to the closing quote; `begin` is the string's first byte. */
static bool read_escaped(struct json_pull *p, size_t begin, struct json_string *out) {
    size_t end = p->at, n = p->at - begin;
    while (end < p->length && p->text[end] != '"') end += p->text[end] == '\\' ? 2 : 1;
    if (end >= p->length) return pull_fail(p, "the closing quote of a string");
    char *copy = arena_push(p->arena, end - begin);
    if (!copy) {
        p->status = error_set(p->err, FORMA_EMEMORY, "no memory for the file's strings");
        return false;
    }
    memcpy(copy, p->text + begin, n);
    while (p->text[p->at] != '"') {
        char c = p->text[p->at];
        if ((unsigned char)c < 0x20) return pull_fail(p, "no control character");
        p->at++;
        if (c != '\\')
            copy[n++] = c;
        else if (!read_escape(p, copy, &n))
            return false;
    }
    *out = (struct json_string){copy, n};
    return true;
}

bool pull_string(struct json_pull *p, struct json_string *out) {
    if (p->status) return false;
    if (next_char(p) != '"') return pull_fail(p, "a string");
    size_t begin = ++p->at;
    unsigned char all = 0;
    const unsigned char *text = (const unsigned char *)p->text;
    size_t i = begin;
    for (; i < p->length && text[i] != '"' && text[i] != '\\' && text[i] >= 0x20; i++)
        all |= text[i];
    p->at = i;
    if (i >= p->length || text[i] < 0x20) return pull_fail(p, "the closing quote of a string");
    if (text[i] == '\\') {
        all = 0x80;
        if (!read_escaped(p, begin, out)) return false;
    } else {
        *out = (struct json_string){p->text + begin, i - begin};
    }
    if (all >= 0x80) {
        size_t valid = utf8_valid_prefix((const unsigned char *)out->data, out->length);
        if (valid < out->length) return pull_fail(p, "only strings that are UTF-8");
    }
    p->at++;
    return true;
}

/* ---- other values -------------------------------------------------------------------------- */

static bool take_word(struct json_pull *p, const char *word) {
    size_t n = strlen(word);
    if (p->length - p->at < n || memcmp(p->text + p->at, word, n) != 0) return false;
    p->at += n;
    return true;
}

bool pull_bool(struct json_pull *p, bool *out) {
    if (p->status) return false;
    char c = next_char(p);
    if (c == 't' && take_word(p, "true"))
        *out = true;
    else if (c == 'f' && take_word(p, "false"))
        *out = false;
    else
        return pull_fail(p, "true or false");
    return true;
}

bool pull_u32(struct json_pull *p, uint32_t *out) {
    if (p->status) return false;
    uint64_t value = 0;
    next_char(p);
    size_t begin = p->at;
    for (; p->at < p->length && p->text[p->at] >= '0' && p->text[p->at] <= '9'; p->at++) {
        value = 10 * value + (uint64_t)(p->text[p->at] - '0');
        if (value > UINT32_MAX) break;
    }
    bool whole = p->at > begin && value <= UINT32_MAX &&
                 (p->at == p->length || !strchr(".eE", p->text[p->at]) || !p->text[p->at]);
    if (!whole) {
        p->at = begin;
        return pull_fail(p, "a whole number below 2^32");
    }
    *out = (uint32_t)value;
    return true;
}

/* A number in a value that is skipped: its spelling is not looked at closely. */
static bool skip_number(struct json_pull *p) {
    size_t begin = p->at;
    while (p->at < p->length && p->text[p->at] && strchr("+-.0123456789eE", p->text[p->at]))
        p->at++;
    return p->at > begin;
}

static bool skip_string(struct json_pull *p) {
    size_t i = p->at + 1;
    while (i < p->length && p->text[i] != '"') i += p->text[i] == '\\' ? 2 : 1;
    if (i >= p->length) return pull_fail(p, "the closing quote of a string");
    p->at = i + 1;
    return true;
}

static bool skip_scalar(struct json_pull *p) {
    switch (pull_peek(p)) {
    case '"': return skip_string(p);
    case '0': return skip_number(p);
    case 't': return take_word(p, "true") || pull_fail(p, "true");
    case 'f': return take_word(p, "false") || pull_fail(p, "false");
    case 'n': return take_word(p, "null") || pull_fail(p, "null");
    default: return pull_fail(p, "a value");
    }
}

bool pull_skip(struct json_pull *p, struct json_string *source) {
    char open[MAX_DEPTH + 1];
    size_t depth = 0, begin;
    if (p->status) return false;
    next_char(p);
    begin = p->at;
    do {
        bool more = true;
        if (depth) {
            struct json_string name;
            /* Names are read, not skipped: they have to be strings. */
            more = open[depth - 1] == '{' ? pull_member(p, &name) : pull_item(p);
            if (p->status) return false;
            if (!more) {
                depth--;
                continue;
            }
        }
        char c = pull_peek(p);
        if (c == '{' || c == '[') {
            if (!pull_enter(p, c)) return false;
            open[depth++] = c;
        } else if (!skip_scalar(p)) {
            return false;
        }
    } while (depth);
    if (source) *source = (struct json_string){p->text + begin, p->at - begin};
    return true;
}

bool pull_end(struct json_pull *p) {
    if (p->status) return false;
    next_char(p);
    return p->at == p->length || pull_fail(p, "nothing more");
}
