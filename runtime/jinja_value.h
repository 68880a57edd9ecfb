/* SPDX-License-Identifier: MIT
 *
 * Values of the template language, in the arena of one rendering. Strings know which of their
 * bytes came from the messages:
 *
 *     "<|im_start|>" + role + "\n"      data   <|im_start|>user\n
 *                                       runs   12 template, 16 message, 17 template   (ends)
 *
 * Cutting and joining keep the runs, so user text is never taken for the template's own, whatever
 * the template does with it. Strings, lists and dictionaries are immutable and shared freely.
 */
#ifndef FORMA_RUNTIME_JINJA_VALUE_H
#define FORMA_RUNTIME_JINJA_VALUE_H

#include "base/arena.h"

struct jinja_run {
    size_t end; /* in the string's data */
    bool from_message;
};

struct jinja_string {
    const char *data;
    size_t length;
    const struct jinja_run *runs; /* ascending; NULL: all of it is as from_message says */
    size_t n_runs;
    bool from_message;
};

enum jinja_kind {
    JINJA_UNDEFINED,
    JINJA_NONE,
    JINJA_BOOL,
    JINJA_INT,
    JINJA_STR,
    JINJA_LIST,
    JINJA_DICT,
    JINJA_NAMESPACE,
    JINJA_LOOP,
    JINJA_FUNCTION /* one of the built-in ones: can be called by name, and is defined */
};

struct jinja_pair;
struct jinja_namespace;
struct jinja_loop;

struct jinja_value {
    enum jinja_kind kind;
    size_t count; /* of items and pairs */
    union {
        bool boolean;
        int64_t integer;
        struct jinja_string string; /* of undefined: what is undefined */
        const struct jinja_value *items;
        const struct jinja_pair *pairs;
        struct jinja_namespace *space;
        const struct jinja_loop *loop;
    };
};

struct jinja_pair {
    struct jinja_value key, value;
};

/* Made by namespace(): the one thing that a template can change. */
struct jinja_namespace {
    ARENA_VEC(struct jinja_pair) pairs;
};

struct jinja_loop {
    const struct jinja_value *items;
    size_t count, index;
};

/* ---- making ------------------------------------------------------------------------------- */

struct jinja_value jinja_undefined(const char *what, size_t length);
struct jinja_value jinja_none(void);
struct jinja_value jinja_bool(bool b);
struct jinja_value jinja_int(int64_t i);
struct jinja_value jinja_str(const char *data, size_t length, bool from_message);

/* ---- asking ------------------------------------------------------------------------------- */

bool jinja_truth(const struct jinja_value *v);
/* "string", "list" ... for messages. */
const char *jinja_kind_name(const struct jinja_value *v);
bool jinja_is_number(const struct jinja_value *v); /* integers and booleans, as in Python */
int64_t jinja_number(const struct jinja_value *v);
/* Equality as in Python; every part compared takes from *steps, and at 0 the answer means nothing.
 * Values nested deeper than 64 count as different. */
bool jinja_equal(const struct jinja_value *a, const struct jinja_value *b, uint64_t *steps);
/* Byte order, which is code point order. */
int jinja_compare_strings(const struct jinja_string *a, const struct jinja_string *b);
/* The value under a key, or NULL. */
const struct jinja_value *jinja_find(const struct jinja_pair *pairs, size_t count,
                                     const struct jinja_value *key);
/* Code points (ill-formed bytes count one each). */
size_t jinja_string_length(const struct jinja_string *s);
/* Bytes of the code point at `at`, at least 1. */
size_t jinja_char_size(const struct jinja_string *s, size_t at);
/* Offset of `what` at or behind `from`, or SIZE_MAX. */
size_t jinja_search(const struct jinja_string *s, const struct jinja_string *what, size_t from);

/* ---- strings in parts --------------------------------------------------------------------- */

/* Bytes [begin, end). False: no room. */
bool jinja_substring(struct arena *a, const struct jinja_string *s, size_t begin, size_t end,
                     struct jinja_string *out);

/* A string that grows. */
struct jinja_builder {
    struct arena *arena;
    size_t max_bytes;
    char *data;
    size_t length, capacity;
    ARENA_VEC(struct jinja_run) runs;
    bool too_long;
};
void jinja_builder_init(struct jinja_builder *b, struct arena *arena, size_t max_bytes);
/* False: no room (arena failed) or longer than max_bytes (too_long). */
bool jinja_builder_put(struct jinja_builder *b, const char *data, size_t length, bool from_message);
bool jinja_builder_add(struct jinja_builder *b, const struct jinja_string *s);
struct jinja_string jinja_builder_string(const struct jinja_builder *b);

#endif
