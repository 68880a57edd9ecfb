/* SPDX-License-Identifier: MIT */
#include "runtime/jinja_value.h"

#include <string.h>

#include "base/utf8.h"

#define MAX_VALUE_DEPTH 64 /* of lists in lists: chat data does not nest deeper */

struct jinja_value jinja_undefined(const char *what, size_t length) {
    struct jinja_value v = {.kind = JINJA_UNDEFINED};
    v.string = (struct jinja_string){.data = what, .length = length};
    return v;
}

struct jinja_value jinja_none(void) {
    return (struct jinja_value){.kind = JINJA_NONE};
}

struct jinja_value jinja_bool(bool b) {
    struct jinja_value v = {.kind = JINJA_BOOL};
    v.boolean = b;
    return v;
}

struct jinja_value jinja_int(int64_t i) {
    struct jinja_value v = {.kind = JINJA_INT};
    v.integer = i;
    return v;
}

struct jinja_value jinja_str(const char *data, size_t length, bool from_message) {
    struct jinja_value v = {.kind = JINJA_STR};
    v.string = (struct jinja_string){.data = data, .length = length, .from_message = from_message};
    return v;
}

bool jinja_truth(const struct jinja_value *v) {
    switch (v->kind) {
    case JINJA_UNDEFINED:
    case JINJA_NONE: return false;
    case JINJA_BOOL: return v->boolean;
    case JINJA_INT: return v->integer != 0;
    case JINJA_STR: return v->string.length > 0;
    case JINJA_LIST:
    case JINJA_DICT: return v->count > 0;
    case JINJA_NAMESPACE:
    case JINJA_LOOP:
    case JINJA_FUNCTION: return true;
    }
    return false;
}

const char *jinja_kind_name(const struct jinja_value *v) {
    static const char *const names[] = {
        [JINJA_UNDEFINED] = "undefined", [JINJA_NONE] = "none",
        [JINJA_BOOL] = "a boolean",      [JINJA_INT] = "an integer",
        [JINJA_STR] = "a string",        [JINJA_LIST] = "a list",
        [JINJA_DICT] = "a dictionary",   [JINJA_NAMESPACE] = "a namespace",
        [JINJA_LOOP] = "the loop",       [JINJA_FUNCTION] = "a function"};
    return names[v->kind];
}

bool jinja_is_number(const struct jinja_value *v) {
    return v->kind == JINJA_INT || v->kind == JINJA_BOOL;
}

int64_t jinja_number(const struct jinja_value *v) {
    return v->kind == JINJA_BOOL ? v->boolean : v->integer;
}

int jinja_compare_strings(const struct jinja_string *a, const struct jinja_string *b) {
    size_t n = a->length < b->length ? a->length : b->length;
    int order = n ? memcmp(a->data, b->data, n) : 0;
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static bool equal_at(const struct jinja_value *a, const struct jinja_value *b, int depth,
                     uint64_t *steps) {
    uint64_t cost = 1 + (a->kind == JINJA_STR ? a->string.length / 64 : 0);
    *steps -= cost < *steps ? cost : *steps;
    if (*steps == 0) return false;
    if (jinja_is_number(a) && jinja_is_number(b)) return jinja_number(a) == jinja_number(b);
    if (a->kind != b->kind || depth > MAX_VALUE_DEPTH) return false;
    switch (a->kind) {
    case JINJA_STR: return jinja_compare_strings(&a->string, &b->string) == 0;
    case JINJA_LIST:
        if (a->count != b->count) return false;
        for (size_t i = 0; i < a->count; i++)
            if (!equal_at(&a->items[i], &b->items[i], depth + 1, steps)) return false;
        return true;
    case JINJA_DICT:
        if (a->count != b->count) return false;
        for (size_t i = 0; i < a->count; i++) {
            const struct jinja_value *other = jinja_find(b->pairs, b->count, &a->pairs[i].key);
            if (!other || !equal_at(&a->pairs[i].value, other, depth + 1, steps)) return false;
        }
        return true;
    case JINJA_NAMESPACE: return a->space == b->space;
    case JINJA_LOOP: return a->loop == b->loop;
    default: return true; /* none, undefined */
    }
}

bool jinja_equal(const struct jinja_value *a, const struct jinja_value *b, uint64_t *steps) {
    return equal_at(a, b, 0, steps);
}

const struct jinja_value *jinja_find(const struct jinja_pair *pairs, size_t count,
                                     const struct jinja_value *key) {
    for (size_t i = 0; i < count; i++) {
        const struct jinja_value *k = &pairs[i].key;
        if (k->kind == JINJA_STR && key->kind == JINJA_STR
                ? jinja_compare_strings(&k->string, &key->string) == 0
                : jinja_is_number(k) && jinja_is_number(key) &&
                      jinja_number(k) == jinja_number(key))
            return &pairs[i].value;
    }
    return NULL;
}

size_t jinja_char_size(const struct jinja_string *s, size_t at) {
    uint32_t c;
    size_t n = utf8_decode((const unsigned char *)s->data + at, s->length - at, &c);
    return n ? n : 1;
}

size_t jinja_string_length(const struct jinja_string *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->length; i += jinja_char_size(s, i)) n++;
    return n;
}

size_t jinja_search(const struct jinja_string *s, const struct jinja_string *what, size_t from) {
    if (from > s->length || what->length > s->length - from) return SIZE_MAX;
    if (what->length == 0) return from;
    const char *found = memmem(s->data + from, s->length - from, what->data, what->length);
    return found ? (size_t)(found - s->data) : SIZE_MAX;
}

bool jinja_substring(struct arena *a, const struct jinja_string *s, size_t begin, size_t end,
                     struct jinja_string *out) {
    *out = (struct jinja_string){
        .data = s->data + begin, .length = end - begin, .from_message = s->from_message};
    if (!s->runs) return true;
    size_t first = 0, n = 1;
    for (size_t high = s->n_runs - 1; first < high;) { /* the first run that ends behind begin */
        size_t middle = first + (high - first) / 2;
        if (s->runs[middle].end <= begin)
            first = middle + 1;
        else
            high = middle;
    }
    while (first + n < s->n_runs && s->runs[first + n - 1].end < end) n++;
    out->from_message = s->runs[first].from_message;
    if (n == 1) return true;
    struct jinja_run *runs = arena_push_array(a, n, sizeof *runs);
    if (!runs) return false;
    for (size_t i = 0; i < n; i++) {
        runs[i] = s->runs[first + i];
        runs[i].end = runs[i].end < end ? runs[i].end - begin : end - begin;
    }
    out->runs = runs;
    out->n_runs = n;
    return true;
}

void jinja_builder_init(struct jinja_builder *b, struct arena *arena, size_t max_bytes) {
    memset(b, 0, sizeof *b);
    b->arena = arena;
    b->max_bytes = max_bytes;
}

bool jinja_builder_put(struct jinja_builder *b, const char *data, size_t length,
                       bool from_message) {
    if (length == 0) return true;
    if (length > b->max_bytes - b->length) {
        b->too_long = true;
        return false;
    }
    if (length > b->capacity - b->length) {
        size_t capacity = b->length + length < 64 ? 64 : 2 * (b->length + length);
        char *grown = arena_push(b->arena, capacity);
        if (!grown) return false;
        if (b->length) memcpy(grown, b->data, b->length);
        b->data = grown;
        b->capacity = capacity;
    }
    if (b->runs.count == 0 || b->runs.data[b->runs.count - 1].from_message != from_message) {
        if (!ARENA_VEC_GROW(b->arena, &b->runs)) return false;
        b->runs.data[b->runs.count++] = (struct jinja_run){0, from_message};
    }
    memcpy(b->data + b->length, data, length);
    b->length += length;
    b->runs.data[b->runs.count - 1].end = b->length;
    return true;
}

bool jinja_builder_add(struct jinja_builder *b, const struct jinja_string *s) {
    if (!s->runs) return jinja_builder_put(b, s->data, s->length, s->from_message);
    size_t begin = 0;
    for (size_t i = 0; i < s->n_runs; begin = s->runs[i++].end)
        if (!jinja_builder_put(b, s->data + begin, s->runs[i].end - begin, s->runs[i].from_message))
            return false;
    return true;
}

struct jinja_string jinja_builder_string(const struct jinja_builder *b) {
    struct jinja_string s = {.data = b->length ? b->data : "", .length = b->length};
    if (b->runs.count > 0) s.from_message = b->runs.data[0].from_message;
    if (b->runs.count > 1) {
        s.runs = b->runs.data;
        s.n_runs = b->runs.count;
    }
    return s;
}
