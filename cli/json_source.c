/* SPDX-License-Identifier: MIT */
#include "cli/json_source.h"

#include <string.h>

#include "base/error.h"

const struct json_value *json_source_parse(struct arena *arena, const char *text, size_t length,
                                           size_t max_nesting, struct forma_error *err) {
    struct json_limits limits = {SIZE_MAX, max_nesting};
    size_t size; /* address space: a digit and its comma make a node of the tree */
    memset(arena, 0, sizeof *arena);
    if (__builtin_mul_overflow(length + 1024, (size_t)512, &size) ||
        !arena_init(arena, fa_default_allocator(), size)) {
        error_set(err, FORMA_EMEMORY, "no memory to parse %zu bytes of JSON", length);
        return NULL;
    }
    return json_parse(arena, text, length, &limits, err);
}

/* Behind the string that begins at text[at]. */
static size_t string_end(const char *text, size_t at) {
    for (at++; text[at] != '"'; at++)
        if (text[at] == '\\') at++;
    return at + 1;
}

size_t json_source_length(const char *text, const struct json_value *v) {
    const char *source = text + v->offset;
    size_t depth = 0, i = 0;
    switch (v->kind) {
    case JSON_NULL:
    case JSON_TRUE: return 4;
    case JSON_FALSE: return 5;
    case JSON_NUMBER: return v->length;
    case JSON_STRING: return string_end(source, 0);
    case JSON_ARRAY:
    case JSON_OBJECT: break;
    }
    do {
        char c = source[i];
        if (c == '"') {
            i = string_end(source, i);
            continue;
        }
        if (c == '{' || c == '[') depth++;
        if (c == '}' || c == ']') depth--;
        i++;
    } while (depth > 0);
    return i;
}
