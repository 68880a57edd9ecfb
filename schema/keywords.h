/* SPDX-License-Identifier: MIT
 *
 * The words of JSON Schema, drafts 4 to 2020-12: in which dialects each is a keyword, whether
 * forma enforces it, refuses it by name, or may pass it by because it restricts nothing, and
 * where schemas stand below it. A word that the table does not hold for a dialect is an
 * annotation there. Read-only data, shared by threads; a look-up is a binary search.
 */
#ifndef FORMA_SCHEMA_KEYWORDS_H
#define FORMA_SCHEMA_KEYWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dialect { DIALECT_4, DIALECT_6, DIALECT_7, DIALECT_2019, DIALECT_2020 };

enum keyword_status {
    KEYWORD_ENFORCED,
    KEYWORD_STRUCTURE,  /* identifiers and containers */
    KEYWORD_ANNOTATION, /* restricts nothing, reported as a note */
    KEYWORD_COMPANION   /* read by another keyword, and without meaning where that is absent */
};

/* Where schemas stand in the value of a keyword. */
enum keyword_place {
    PLACE_NONE,
    PLACE_ONE,
    PLACE_LIST,
    PLACE_MAP,
    PLACE_ONE_OR_LIST,
    PLACE_MAP_OR_NAMES /* `dependencies`: schemas or lists of names */
};

/* Groups of keywords that a metaschema's `$vocabulary` turns on (2019-09 and later); older dialects
 * have them all. OpenAPI is one of ours: what OpenAPI 3.0 adds to draft 4. */
enum vocabulary {
    VOCABULARY_CORE,
    VOCABULARY_APPLICATOR,
    VOCABULARY_UNEVALUATED,
    VOCABULARY_VALIDATION,
    VOCABULARY_FORMAT,
    VOCABULARY_CONTENT,
    VOCABULARY_METADATA,
    /* Only where it is asked for: */
    VOCABULARY_OPENAPI,
    VOCABULARY_FORMAT_ASSERTION /* beside VOCABULARY_FORMAT: `format` is a demand in any case */
};
#define VOCABULARY_BIT(v) (1u << (v))
#define VOCABULARIES_ALL  (VOCABULARY_BIT(VOCABULARY_OPENAPI) - 1)

/* X(identifier, word, first dialect, last dialect, status, place), in byte order of the words. */
#define KEYWORD_MAP(X)                                                                             \
    X(ANCHOR, "$anchor", 2019, 2020, STRUCTURE, NONE)                                              \
    X(COMMENT, "$comment", 4, 2020, ANNOTATION, NONE)                                              \
    X(DEFS, "$defs", 4, 2020, STRUCTURE, MAP)                                                      \
    X(DYNAMIC_ANCHOR, "$dynamicAnchor", 2020, 2020, STRUCTURE, NONE)                               \
    X(DYNAMIC_REF, "$dynamicRef", 2020, 2020, ENFORCED, NONE)                                      \
    X(DOLLAR_ID, "$id", 6, 2020, STRUCTURE, NONE)                                                  \
    X(RECURSIVE_ANCHOR, "$recursiveAnchor", 2019, 2019, STRUCTURE, NONE)                           \
    X(RECURSIVE_REF, "$recursiveRef", 2019, 2019, ENFORCED, NONE)                                  \
    X(REF, "$ref", 4, 2020, ENFORCED, NONE)                                                        \
    X(SCHEMA, "$schema", 4, 2020, STRUCTURE, NONE)                                                 \
    X(VOCABULARY, "$vocabulary", 2019, 2020, ANNOTATION, NONE)                                     \
    X(ADDITIONAL_ITEMS, "additionalItems", 4, 2019, ENFORCED, ONE)                                 \
    X(ADDITIONAL_PROPERTIES, "additionalProperties", 4, 2020, ENFORCED, ONE)                       \
    X(ALL_OF, "allOf", 4, 2020, ENFORCED, LIST)                                                    \
    X(ANY_OF, "anyOf", 4, 2020, ENFORCED, LIST)                                                    \
    X(CONST, "const", 6, 2020, ENFORCED, NONE)                                                     \
    X(CONTAINS, "contains", 6, 2020, ENFORCED, ONE)                                                \
    X(CONTENT_ENCODING, "contentEncoding", 7, 2020, ENFORCED, NONE)                                \
    X(CONTENT_MEDIA_TYPE, "contentMediaType", 7, 2020, ENFORCED, NONE)                             \
    X(CONTENT_SCHEMA, "contentSchema", 2019, 2020, ANNOTATION, ONE)                                \
    X(DEFAULT, "default", 4, 2020, ANNOTATION, NONE)                                               \
    X(DEFINITIONS, "definitions", 4, 2020, STRUCTURE, MAP)                                         \
    X(DEPENDENCIES, "dependencies", 4, 2020, ENFORCED, MAP_OR_NAMES)                               \
    X(DEPENDENT_REQUIRED, "dependentRequired", 2019, 2020, ENFORCED, NONE)                         \
    X(DEPENDENT_SCHEMAS, "dependentSchemas", 2019, 2020, ENFORCED, MAP)                            \
    X(DEPRECATED, "deprecated", 4, 2020, ANNOTATION, NONE)                                         \
    X(DESCRIPTION, "description", 4, 2020, ANNOTATION, NONE)                                       \
    X(ELSE, "else", 7, 2020, COMPANION, ONE)                                                       \
    X(ENUM, "enum", 4, 2020, ENFORCED, NONE)                                                       \
    X(EXAMPLES, "examples", 4, 2020, ANNOTATION, NONE)                                             \
    X(EXCLUSIVE_MAXIMUM, "exclusiveMaximum", 4, 2020, ENFORCED, NONE)                              \
    X(EXCLUSIVE_MINIMUM, "exclusiveMinimum", 4, 2020, ENFORCED, NONE)                              \
    X(FORMAT, "format", 4, 2020, ENFORCED, NONE)                                                   \
    X(ID, "id", 4, 4, STRUCTURE, NONE)                                                             \
    X(IF, "if", 7, 2020, ENFORCED, ONE)                                                            \
    X(ITEMS, "items", 4, 2020, ENFORCED, ONE_OR_LIST)                                              \
    X(MAX_CONTAINS, "maxContains", 2019, 2020, COMPANION, NONE)                                    \
    X(MAX_ITEMS, "maxItems", 4, 2020, ENFORCED, NONE)                                              \
    X(MAX_LENGTH, "maxLength", 4, 2020, ENFORCED, NONE)                                            \
    X(MAX_PROPERTIES, "maxProperties", 4, 2020, ENFORCED, NONE)                                    \
    X(MAXIMUM, "maximum", 4, 2020, ENFORCED, NONE)                                                 \
    X(MIN_CONTAINS, "minContains", 2019, 2020, COMPANION, NONE)                                    \
    X(MIN_ITEMS, "minItems", 4, 2020, ENFORCED, NONE)                                              \
    X(MIN_LENGTH, "minLength", 4, 2020, ENFORCED, NONE)                                            \
    X(MIN_PROPERTIES, "minProperties", 4, 2020, ENFORCED, NONE)                                    \
    X(MINIMUM, "minimum", 4, 2020, ENFORCED, NONE)                                                 \
    X(MULTIPLE_OF, "multipleOf", 4, 2020, ENFORCED, NONE)                                          \
    X(NOT, "not", 4, 2020, ENFORCED, ONE)                                                          \
    X(NULLABLE, "nullable", 4, 4, COMPANION, NONE)                                                 \
    X(ONE_OF, "oneOf", 4, 2020, ENFORCED, LIST)                                                    \
    X(PATTERN, "pattern", 4, 2020, ENFORCED, NONE)                                                 \
    X(PATTERN_PROPERTIES, "patternProperties", 4, 2020, ENFORCED, MAP)                             \
    X(PREFIX_ITEMS, "prefixItems", 2020, 2020, ENFORCED, LIST)                                     \
    X(PROPERTIES, "properties", 4, 2020, ENFORCED, MAP)                                            \
    X(PROPERTY_NAMES, "propertyNames", 6, 2020, ENFORCED, ONE)                                     \
    X(READ_ONLY, "readOnly", 4, 2020, ANNOTATION, NONE)                                            \
    X(REQUIRED, "required", 4, 2020, ENFORCED, NONE)                                               \
    X(THEN, "then", 7, 2020, COMPANION, ONE)                                                       \
    X(TITLE, "title", 4, 2020, ANNOTATION, NONE)                                                   \
    X(TYPE, "type", 4, 2020, ENFORCED, NONE)                                                       \
    X(UNEVALUATED_ITEMS, "unevaluatedItems", 2019, 2020, ENFORCED, ONE)                            \
    X(UNEVALUATED_PROPERTIES, "unevaluatedProperties", 2019, 2020, ENFORCED, ONE)                  \
    X(UNIQUE_ITEMS, "uniqueItems", 4, 2020, ENFORCED, NONE)                                        \
    X(WRITE_ONLY, "writeOnly", 4, 2020, ANNOTATION, NONE)

enum keyword {
#define X(identifier, word, first, last, status, place) KEYWORD_##identifier,
    KEYWORD_MAP(X)
#undef X
        KEYWORD_COUNT
};

struct keyword_info {
    const char *word;
    uint8_t id;          /* enum keyword */
    uint8_t first, last; /* enum dialect */
    uint8_t status;      /* enum keyword_status */
    uint8_t place;       /* enum keyword_place */
};

/* NULL when the word is no keyword of the dialect. */
const struct keyword_info *keyword_find(const char *word, size_t length, enum dialect dialect);
/* The same for every dialect: is it a keyword anywhere? */
const struct keyword_info *keyword_find_any(const char *word, size_t length);

/* A keyword of the dialect that restricts, for a word that is none but looks like a slip of it: it
 * differs in case only, in one letter (or two that are swapped) where there are enough of them, or
 * lacks its "$". NULL when there is none. A walk over the table: for words that are no keywords. */
const struct keyword_info *keyword_meant(const char *word, size_t length, enum dialect dialect);

/* What a keyword says of values, or is for: a phrase. */
const char *keyword_meaning(const struct keyword_info *k);
/* What is made of it in a dialect that has it: of KEYWORD_ENFORCED, some is an annotation there. */
enum keyword_status keyword_status_in(const struct keyword_info *k, enum dialect dialect);
/* The i-th of the table; NULL behind its end. */
const struct keyword_info *keyword_at(size_t i);

/* The group of a keyword in a dialect. */
enum vocabulary keyword_vocabulary(const struct keyword_info *k, enum dialect dialect);
/* The group that a URI in `$vocabulary` names, and the dialect that it belongs to. False: not
 * known. */
bool vocabulary_find(const char *uri, size_t length, enum vocabulary *out, enum dialect *dialect);

/* The dialect that a `$schema` names (an empty fragment does not matter). False: not known. */
bool dialect_find(const char *uri, size_t length, enum dialect *out);
/* "http://json-schema.org/schema", which means whatever draft is the current one. */
bool dialect_is_open(const char *uri, size_t length);
const char *dialect_name(enum dialect dialect);   /* "draft 7" */
const char *dialect_number(enum dialect dialect); /* "7" */
/* May contentEncoding and contentMediaType be demands? Only draft 7 leaves that to the reader: before
 * they are no keywords, later they are annotations. */
bool dialect_may_assert_content(enum dialect dialect);

#endif
