/* SPDX-License-Identifier: MIT
 *
 * One loop reads values; an explicit stack holds the open arrays and objects. Children wait in one
 * growing array until their container closes and are then copied out side by side. Larger
 * objects get a hash index of their names, which also finds duplicates.
 */
#include "schema/json_text.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/utf8.h"

#define INDEX_FROM 9 /* members; below, comparing hashes one by one is faster */

struct open {
    bool object;
    uint32_t first; /* of its children in `waiting` */
    size_t offset;
};

struct parser {
    struct arena *arena;
    const char *text;
    size_t length, at, max_nesting;
    struct forma_error *err;
    ARENA_VEC(struct json_member) waiting;
    ARENA_VEC(struct open) stack;
};

#define FAIL_AT(p, offset, status, ...)                                                            \
    (error_at_text((p)->err, (status), (p)->text, (p)->length, (offset), __VA_ARGS__), false)

static bool no_memory(struct parser *p) {
    return FAIL_AT(p, p->at, FORMA_ELIMIT,
                   "no memory is left for this text; raise the memory limit");
}

static int peek(const struct parser *p) {
    return p->at < p->length ? (unsigned char)p->text[p->at] : -1;
}

static void skip_blanks(struct parser *p) {
    for (int c; (c = peek(p)) == ' ' || c == '\t' || c == '\n' || c == '\r';) p->at++;
}

/* "expected X here, not Y". */
static bool unexpected(struct parser *p, const char *expected) {
    int c = peek(p);
    if (c < 0)
        return FAIL_AT(p, p->at, FORMA_ESCHEMA, "the text ends early; expected %s here", expected);
    if (c > ' ' && c < 0x7F)
        return FAIL_AT(p, p->at, FORMA_ESCHEMA, "expected %s here, not '%c'", expected, c);
    return FAIL_AT(p, p->at, FORMA_ESCHEMA, "expected %s here, not the byte 0x%02X", expected,
                   (unsigned)c);
}

/* ---- strings -------------------------------------------------------------------------------- */

/* Four hexadecimal digits behind "\u". */
static bool read_hex4(struct parser *p, uint32_t *out) {
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(peek(p));
        if (digit < 0) return unexpected(p, "four hexadecimal digits after \\u");
        v = v << 4 | (uint32_t)digit;
        p->at++;
    }
    *out = v;
    return true;
}

static bool read_unicode_escape(struct parser *p, size_t start, uint32_t *out) {
    uint32_t low = 0;
    if (!read_hex4(p, out)) return false;
    if (*out < 0xD800 || *out > 0xDFFF) return true;
    if (*out <= 0xDBFF && p->at + 1 < p->length && p->text[p->at] == '\\' &&
        p->text[p->at + 1] == 'u') {
        p->at += 2;
        if (!read_hex4(p, &low)) return false;
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *out = 0x10000 + ((*out - 0xD800) << 10) + (low - 0xDC00);
            return true;
        }
    }
    return FAIL_AT(p, start, FORMA_ESCHEMA,
                   "the escape is a lone surrogate, not a character; write a pair");
}

/* Behind a backslash. Writes the decoded bytes at *out and moves it on. */
static bool read_escape(struct parser *p, unsigned char **out) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    size_t start = p->at - 1;
    int c = peek(p);
    const char *simple = c > 0 ? strchr(from, c) : NULL;
    if (simple) {
        *(*out)++ = (unsigned char)to[simple - from];
        p->at++;
        return true;
    }
    if (c != 'u') return unexpected(p, "one of \" \\ / b f n r t u after the backslash");
    uint32_t code_point = 0;
    p->at++;
    if (!read_unicode_escape(p, start, &code_point)) return false;
    *out += utf8_encode(code_point, *out);
    return true;
}

/* Where the closing quote of the string is (or the end of the text). */
static size_t find_quote(const struct parser *p) {
    size_t i = p->at;
    while (i < p->length && p->text[i] != '"') i += p->text[i] == '\\' ? 2 : 1;
    return i < p->length ? i : p->length;
}

/* Characters of ASCII that stand for themselves: most of any text. The caller has seen one. */
static void copy_plain(struct parser *p, unsigned char **out) {
    size_t from = p->at;
    for (int c; (c = peek(p)) >= 0x20 && c < 0x80 && c != '"' && c != '\\';) p->at++;
    memcpy(*out, p->text + from, p->at - from);
    *out += p->at - from;
}

/* The opening quote is next. Decoding never makes a text longer. */
static bool read_string(struct parser *p, const char **text, size_t *length) {
    size_t open_quote = p->at++;
    unsigned char *buffer = arena_push(p->arena, find_quote(p) - p->at + 1), *out = buffer;
    if (!buffer) return no_memory(p);
    for (int c; (c = peek(p)) != '"';) {
        if (c < 0)
            return FAIL_AT(p, open_quote, FORMA_ESCHEMA,
                           "the string has no closing quote; write \" at its end");
        if (c < 0x20)
            return FAIL_AT(p, p->at, FORMA_ESCHEMA,
                           "the control character 0x%02X stands in a string; write it as \\u%04x",
                           (unsigned)c, (unsigned)c);
        if (c == '\\') {
            p->at++;
            if (!read_escape(p, &out)) return false;
            continue;
        }
        if (c < 0x80) {
            copy_plain(p, &out);
            continue;
        }
        uint32_t code_point;
        size_t n =
            utf8_decode((const unsigned char *)p->text + p->at, p->length - p->at, &code_point);
        if (!n) return FAIL_AT(p, p->at, FORMA_ESCHEMA, "the bytes here are not valid UTF-8");
        memcpy(out, p->text + p->at, n);
        out += n;
        p->at += n;
    }
    p->at++;
    *out = '\0';
    *text = (const char *)buffer;
    *length = (size_t)(out - buffer);
    return true;
}

/* ---- numbers and words ---------------------------------------------------------------------- */

static bool is_number_byte(int c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static bool read_number(struct parser *p, struct json_value *v) {
    size_t start = p->at;
    while (is_number_byte(peek(p))) p->at++;
    v->length = p->at - start;
    char *text = arena_push(p->arena, v->length + 1);
    if (!text) return no_memory(p);
    memcpy(text, p->text + start, v->length);
    text[v->length] = '\0';
    v->text = text;
    switch (decimal_parse(p->arena, text, v->length, &v->number)) {
    case DECIMAL_OK: return true;
    case DECIMAL_SYNTAX:
        return FAIL_AT(p, start, FORMA_ESCHEMA, "\"%.40s%s\" is not a JSON number", text,
                       v->length > 40 ? "..." : "");
    case DECIMAL_TOO_LONG:
        return FAIL_AT(p, start, FORMA_ELIMIT,
                       "the number is too long; at most %d digits and exponents up to 10^17 are "
                       "read",
                       DECIMAL_MAX_DIGITS);
    case DECIMAL_NO_MEMORY: break;
    }
    return no_memory(p);
}

static bool read_word(struct parser *p, struct json_value *v) {
    static const struct {
        const char *word;
        size_t length;
        enum json_kind kind;
    } words[] = {{"null", 4, JSON_NULL}, {"false", 5, JSON_FALSE}, {"true", 4, JSON_TRUE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (p->length - p->at >= words[i].length &&
            memcmp(p->text + p->at, words[i].word, words[i].length) == 0) {
            p->at += words[i].length;
            v->kind = words[i].kind;
            return true;
        }
    return unexpected(p, "a JSON value");
}

/* ---- containers ----------------------------------------------------------------------------- */

static bool same_name(const struct json_member *m, uint32_t hash, const char *name, size_t length) {
    return m->name_hash == hash && m->name_length == length &&
           (length == 0 || memcmp(m->name, name, length) == 0);
}

/* Names the member, with what would break a line or a code point replaced. */
static bool duplicate_name(struct parser *p, const struct json_member *m) {
    char name[61];
    size_t n = 0;
    for (; n < m->name_length && n < sizeof name - 1; n++) {
        unsigned char c = (unsigned char)m->name[n];
        name[n] = c < 0x20 || c == 0x7F ? '?' : (char)c;
    }
    n -= utf8_incomplete_tail((const unsigned char *)name, n);
    name[n] = '\0';
    return FAIL_AT(p, m->name_offset, FORMA_ESCHEMA,
                   "the object has a second member named \"%s%s\"; remove one", name,
                   n < m->name_length ? "..." : "");
}

static bool build_index(struct parser *p, struct json_value *v) {
    uint32_t size = 32;
    while (size < UINT32_C(1) << 31 && size / 2 < v->count) size *= 2;
    v->index = arena_push_array(p->arena, size, sizeof *v->index);
    if (!v->index) return no_memory(p);
    v->index_mask = size - 1;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct json_member *m = &v->members[i];
        uint32_t slot = m->name_hash & v->index_mask;
        for (; v->index[slot]; slot = (slot + 1) & v->index_mask)
            if (same_name(&v->members[v->index[slot] - 1], m->name_hash, m->name, m->name_length))
                return duplicate_name(p, m);
        v->index[slot] = i + 1;
    }
    return true;
}

static bool check_names(struct parser *p, struct json_value *v) {
    if (v->count >= INDEX_FROM) return build_index(p, v);
    for (uint32_t i = 1; i < v->count; i++) {
        const struct json_member *m = &v->members[i];
        for (uint32_t j = 0; j < i; j++)
            if (same_name(&v->members[j], m->name_hash, m->name, m->name_length))
                return duplicate_name(p, m);
    }
    return true;
}

/* Of a value whose children have theirs. */
static uint32_t hash_value(const struct json_value *v) {
    uint32_t h = (uint32_t)v->kind + 1;
    switch (v->kind) {
    case JSON_NUMBER: return fa_hash_mix(h, decimal_hash(&v->number));
    case JSON_STRING: return fa_hash_mix(h, fa_hash(v->text, v->length));
    case JSON_ARRAY:
        for (uint32_t i = 0; i < v->count; i++) h = fa_hash_mix(h, v->items[i].hash);
        return h;
    case JSON_OBJECT: { /* a sum: members have no order */
        uint32_t sum = 0;
        for (uint32_t i = 0; i < v->count; i++)
            sum += fa_hash_mix(v->members[i].name_hash, v->members[i].value.hash);
        return fa_hash_mix(h, sum);
    }
    default: return fa_hash_mix(h, 0);
    }
}

static bool open_container(struct parser *p, bool object) {
    if (p->stack.count >= p->max_nesting)
        return FAIL_AT(p, p->at, FORMA_ELIMIT,
                       "arrays and objects are nested more than %zu deep; flatten the text or "
                       "raise max_nesting",
                       p->max_nesting);
    if (!ARENA_VEC_GROW(p->arena, &p->stack)) return no_memory(p);
    p->stack.data[p->stack.count++] = (struct open){object, p->waiting.count, p->at};
    p->at++;
    return true;
}

/* Takes the children of the innermost container out of `waiting`. */
static bool close_container(struct parser *p, struct json_value *v) {
    struct open o = p->stack.data[--p->stack.count];
    p->at++;
    v->offset = o.offset;
    v->kind = o.object ? JSON_OBJECT : JSON_ARRAY;
    v->count = p->waiting.count - o.first;
    struct json_member *children = p->waiting.data ? p->waiting.data + o.first : NULL;
    p->waiting.count = o.first;
    if (!v->count) return true;
    if (o.object) {
        v->members = arena_push_copy(p->arena, children, v->count * sizeof *children);
        return v->members ? check_names(p, v) : no_memory(p);
    }
    v->items = arena_push_array(p->arena, v->count, sizeof *v->items);
    if (!v->items) return no_memory(p);
    for (uint32_t i = 0; i < v->count; i++) v->items[i] = children[i].value;
    return true;
}

/* Member name and colon, where the innermost container is an object: they wait for the value. */
static bool read_name(struct parser *p) {
    struct json_member m = {0};
    skip_blanks(p);
    if (peek(p) != '"') return unexpected(p, "a member name in quotes");
    m.name_offset = p->at;
    if (!read_string(p, &m.name, &m.name_length)) return false;
    m.name_hash = fa_hash(m.name, m.name_length);
    skip_blanks(p);
    if (peek(p) != ':') return unexpected(p, "':' after the member name");
    p->at++;
    if (!ARENA_VEC_GROW(p->arena, &p->waiting)) return no_memory(p);
    p->waiting.data[p->waiting.count++] = m;
    return true;
}

/* Hands a finished value to the innermost container. */
static bool place(struct parser *p, const struct json_value *v) {
    if (p->stack.data[p->stack.count - 1].object) {
        p->waiting.data[p->waiting.count - 1].value = *v;
        return true;
    }
    if (!ARENA_VEC_GROW(p->arena, &p->waiting)) return no_memory(p);
    memset(&p->waiting.data[p->waiting.count], 0, sizeof *p->waiting.data);
    p->waiting.data[p->waiting.count++].value = *v;
    return true;
}

/* Reads a scalar, an empty container, or an opening bracket (*done = false) with the first name
 * behind it. */
static bool read_start(struct parser *p, struct json_value *v, bool *done) {
    skip_blanks(p);
    memset(v, 0, sizeof *v);
    v->offset = p->at;
    *done = true;
    int c = peek(p);
    if (c == '"') {
        v->kind = JSON_STRING;
        return read_string(p, &v->text, &v->length);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        v->kind = JSON_NUMBER;
        return read_number(p, v);
    }
    if (c != '{' && c != '[') return read_word(p, v);
    if (!open_container(p, c == '{')) return false;
    skip_blanks(p);
    if (peek(p) == (c == '{' ? '}' : ']')) return close_container(p, v);
    *done = false;
    return c == '[' || read_name(p);
}

/* Behind a value in a container: a comma (*done = false), or the bracket that makes the container
 * the finished value. */
static bool read_next(struct parser *p, struct json_value *v, bool *done) {
    bool object = p->stack.data[p->stack.count - 1].object;
    skip_blanks(p);
    if (peek(p) == (object ? '}' : ']')) {
        memset(v, 0, sizeof *v);
        *done = true;
        return close_container(p, v);
    }
    if (peek(p) != ',') return unexpected(p, object ? "',' or '}'" : "',' or ']'");
    p->at++;
    *done = false;
    return !object || read_name(p);
}

static bool read_document(struct parser *p, struct json_value *v) {
    static const char mark[] = "\xEF\xBB\xBF";
    if (p->length >= 3 && memcmp(p->text, mark, 3) == 0) p->at = 3;
    skip_blanks(p);
    if (p->at == p->length)
        return FAIL_AT(p, p->at, FORMA_ESCHEMA, "the text is empty; write a JSON value");
    for (bool done;;) {
        if (!read_start(p, v, &done)) return false;
        while (done) {
            v->hash = hash_value(v);
            if (!p->stack.count) {
                skip_blanks(p);
                if (p->at == p->length) return true;
                return FAIL_AT(p, p->at, FORMA_ESCHEMA,
                               "more text follows the JSON value; remove it");
            }
            if (!place(p, v) || !read_next(p, v, &done)) return false;
        }
    }
}

const struct json_value *json_parse(struct arena *arena, const char *text, size_t length,
                                    const struct json_limits *limits, struct forma_error *err) {
    struct parser p = {.arena = arena, .text = text, .length = length, .err = err};
    p.max_nesting = limits->max_nesting < JSON_NESTING_CAP ? limits->max_nesting : JSON_NESTING_CAP;
    error_clear(err);
    if (length > limits->max_bytes) {
        error_at_offset(err, FORMA_ELIMIT, limits->max_bytes,
                        "the text has %zu bytes, more than the limit of %zu; raise max_bytes",
                        length, limits->max_bytes);
        return NULL;
    }
    struct json_value *v = arena_push(arena, sizeof *v);
    if (!v) {
        no_memory(&p);
        return NULL;
    }
    return read_document(&p, v) ? v : NULL;
}

/* ---- using the tree ------------------------------------------------------------------------- */

static const struct json_member *find_member(const struct json_value *v, uint32_t hash,
                                             const char *name, size_t length) {
    if (v->index) {
        for (uint32_t slot = hash & v->index_mask; v->index[slot];
             slot = (slot + 1) & v->index_mask) {
            const struct json_member *m = &v->members[v->index[slot] - 1];
            if (same_name(m, hash, name, length)) return m;
        }
        return NULL;
    }
    for (uint32_t i = 0; i < v->count; i++)
        if (same_name(&v->members[i], hash, name, length)) return &v->members[i];
    return NULL;
}

const struct json_value *json_find_n(const struct json_value *v, const char *name, size_t length) {
    if (!v || v->kind != JSON_OBJECT) return NULL;
    const struct json_member *m = find_member(v, fa_hash(name, length), name, length);
    return m ? &m->value : NULL;
}

const struct json_value *json_find(const struct json_value *v, const char *name) {
    return json_find_n(v, name, strlen(name));
}

/* Recursion is as deep as the text is nested: JSON_NESTING_CAP at most. */
bool json_equal(const struct json_value *a, const struct json_value *b) {
    if (a->kind != b->kind || a->hash != b->hash) return false;
    switch (a->kind) {
    case JSON_NUMBER: return decimal_compare(&a->number, &b->number) == 0;
    case JSON_STRING:
        return a->length == b->length && (a->length == 0 || !memcmp(a->text, b->text, a->length));
    case JSON_ARRAY:
        if (a->count != b->count) return false;
        for (uint32_t i = 0; i < a->count; i++)
            if (!json_equal(&a->items[i], &b->items[i])) return false;
        return true;
    case JSON_OBJECT:
        if (a->count != b->count) return false;
        for (uint32_t i = 0; i < a->count; i++) {
            const struct json_member *m = &a->members[i];
            const struct json_member *o = find_member(b, m->name_hash, m->name, m->name_length);
            if (!o || !json_equal(&m->value, &o->value)) return false;
        }
        return true;
    default: return true;
    }
}

uint32_t json_hash(const struct json_value *v) {
    return v->hash;
}

void json_pointer_push(char *pointer, size_t capacity, const char *name, size_t length) {
    if (!capacity) return;
    size_t at = strlen(pointer);
    if (at + 1 < capacity) pointer[at++] = '/';
    for (size_t i = 0; i < length; i++) {
        bool escaped = name[i] == '~' || name[i] == '/';
        if (at + (escaped ? 2 : 1) >= capacity) break;
        if (escaped) pointer[at++] = '~';
        pointer[at++] = !escaped ? name[i] : name[i] == '~' ? '0' : '1';
    }
    pointer[at] = '\0';
}

void json_pointer_push_index(char *pointer, size_t capacity, size_t index) {
    char text[24];
    int n = snprintf(text, sizeof text, "%zu", index);
    json_pointer_push(pointer, capacity, text, (size_t)n);
}
