/* SPDX-License-Identifier: MIT
 *
 * The exact JSON reader for schema texts (RFC 8259): numbers keep their digits, names their
 * order, every value its place. Strict: valid UTF-8, no duplicate names, no lone surrogates, one
 * value and nothing behind it; a leading byte order mark is skipped. Not recursive on input
 * depth. The tree lives in the caller's arena and is immutable.
 */
#ifndef FORMA_SCHEMA_JSON_TEXT_H
#define FORMA_SCHEMA_JSON_TEXT_H

#include "base/arena.h"
#include "base/decimal.h"
#include "forma.h"

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

struct json_value {
    enum json_kind kind;
    uint32_t count; /* members or items */
    size_t offset;  /* byte of the text where the value starts */
    /* string: decoded bytes (UTF-8, may hold NUL), terminated by a NUL that length excludes.
     * number: `number` is its exact value, text/length the spelling. */
    const char *text;
    size_t length;
    struct decimal number;
    struct json_value *items;    /* arrays: count values */
    struct json_member *members; /* objects: count members, in the order of the text */
    uint32_t *index;             /* larger objects: member + 1 by hash of the name; else NULL */
    uint32_t index_mask;
    uint32_t hash; /* of the value; see json_hash */
};

struct json_member {
    const char *name;                /* decoded, NUL-terminated */
    size_t name_length, name_offset; /* bytes; where the name starts in the text */
    uint32_t name_hash;
    struct json_value value;
};

struct json_limits {
    size_t max_bytes, max_nesting; /* nesting is also cut to JSON_NESTING_CAP */
};

/* Deeper trees would make recursive readers of the tree unsafe. */
#define JSON_NESTING_CAP 10000

/* NULL on failure: err has offset, line, column and says what is wrong (FORMA_ESCHEMA,
 * FORMA_ELIMIT; a full arena is a limit too). Linear time (names by hashing, so 100,000 members are
 * fine). */
const struct json_value *json_parse(struct arena *arena, const char *text, size_t length,
                                    const struct json_limits *limits, struct forma_error *err);

/* Member of an object by name, or NULL (also when v is not an object). O(1) expected for large
 * objects. */
const struct json_value *json_find(const struct json_value *v, const char *name);
const struct json_value *json_find_n(const struct json_value *v, const char *name, size_t length);

/* JSON equality: numbers by value, objects regardless of order. */
bool json_equal(const struct json_value *a, const struct json_value *b);
/* Equal values have equal hashes. */
uint32_t json_hash(const struct json_value *v);

/* Appends "/name" with ~0 ~1 escapes (or "/index") to a JSON pointer buffer; cuts silently at
 * capacity (the result is always terminated). */
void json_pointer_push(char *pointer, size_t capacity, const char *name, size_t length);
void json_pointer_push_index(char *pointer, size_t capacity, size_t index);

#endif
