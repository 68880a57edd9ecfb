/* SPDX-License-Identifier: MIT */
#include "schema/keywords.h"

#include <string.h>

#include "base/words.h"

#define DIALECT_OF_4    DIALECT_4
#define DIALECT_OF_6    DIALECT_6
#define DIALECT_OF_7    DIALECT_7
#define DIALECT_OF_2019 DIALECT_2019
#define DIALECT_OF_2020 DIALECT_2020

static const struct keyword_info keywords[KEYWORD_COUNT] = {
#define X(identifier, word, first, last, status, place)                                            \
    {word,         KEYWORD_##identifier, DIALECT_OF_##first, DIALECT_OF_##last, KEYWORD_##status,  \
     PLACE_##place},
    KEYWORD_MAP(X)
#undef X
};

/* Byte order; a word that holds a NUL equals none of the table. */
static int compare_words(const char *a, size_t a_length, const char *b) {
    size_t b_length = strlen(b);
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    if (order) return order;
    return a_length < b_length ? -1 : a_length > b_length;
}

const struct keyword_info *keyword_find_any(const char *word, size_t length) {
    size_t low = 0, high = KEYWORD_COUNT;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_words(word, length, keywords[middle].word);
        if (order == 0) return &keywords[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const struct keyword_info *keyword_find(const char *word, size_t length, enum dialect dialect) {
    const struct keyword_info *k = keyword_find_any(word, length);
    return k && k->first <= dialect && dialect <= k->last ? k : NULL;
}

const struct keyword_info *keyword_at(size_t i) {
    return i < KEYWORD_COUNT ? &keywords[i] : NULL;
}

enum keyword_status keyword_status_in(const struct keyword_info *k, enum dialect dialect) {
    bool content = k->id == KEYWORD_CONTENT_ENCODING || k->id == KEYWORD_CONTENT_MEDIA_TYPE;
    bool annotation = content && !dialect_may_assert_content(dialect);
    return annotation ? KEYWORD_ANNOTATION : (enum keyword_status)k->status;
}

const char *keyword_meaning(const struct keyword_info *k) {
    static const char *const meanings[KEYWORD_COUNT] = {
        [KEYWORD_ANCHOR] = "names this schema",
        [KEYWORD_COMMENT] = "a comment",
        [KEYWORD_DEFS] = "schemas that others refer to",
        [KEYWORD_DYNAMIC_ANCHOR] = "names this schema, also for dynamic references",
        [KEYWORD_DYNAMIC_REF] = "what the reference leads to, from where it is met",
        [KEYWORD_DOLLAR_ID] = "names this schema and the base of its references",
        [KEYWORD_RECURSIVE_ANCHOR] = "marks this schema for recursive references",
        [KEYWORD_RECURSIVE_REF] = "what the reference leads to, from where it is met",
        [KEYWORD_REF] = "what the reference leads to",
        [KEYWORD_SCHEMA] = "says of which draft the schema is",
        [KEYWORD_VOCABULARY] = "for metaschemas: which words are keywords",
        [KEYWORD_ADDITIONAL_ITEMS] = "items behind those that 'items' lists",
        [KEYWORD_ADDITIONAL_PROPERTIES] =
            "members that neither 'properties' nor 'patternProperties' covers",
        [KEYWORD_ALL_OF] = "all of these hold",
        [KEYWORD_ANY_OF] = "at least one of these holds",
        [KEYWORD_CONST] = "this value",
        [KEYWORD_CONTAINS] = "some items meet this",
        [KEYWORD_CONTENT_ENCODING] = "strings that are base64: RFC 4648, section 4",
        [KEYWORD_CONTENT_MEDIA_TYPE] = "strings that hold JSON: RFC 8259",
        [KEYWORD_CONTENT_SCHEMA] = "what the content of a string is",
        [KEYWORD_DEFAULT] = "a value for what is absent",
        [KEYWORD_DEFINITIONS] = "schemas that others refer to",
        [KEYWORD_DEPENDENCIES] = "what must come, or hold, where a member is there",
        [KEYWORD_DEPENDENT_REQUIRED] = "names that must come where a member is there",
        [KEYWORD_DEPENDENT_SCHEMAS] = "what holds where a member is there",
        [KEYWORD_DEPRECATED] = "what should not be used any more",
        [KEYWORD_DESCRIPTION] = "a description",
        [KEYWORD_ELSE] = "holds where 'if' does not",
        [KEYWORD_ENUM] = "one of these values",
        [KEYWORD_EXAMPLES] = "values for example",
        [KEYWORD_EXCLUSIVE_MAXIMUM] = "numbers below the bound",
        [KEYWORD_EXCLUSIVE_MINIMUM] = "numbers above the bound",
        [KEYWORD_FORMAT] = "a language of strings",
        [KEYWORD_ID] = "names this schema and the base of its references",
        [KEYWORD_IF] = "decides between 'then' and 'else'",
        [KEYWORD_ITEMS] = "items; those that a list or 'prefixItems' does not cover, or by place",
        [KEYWORD_MAX_CONTAINS] = "at most so many items meet 'contains'",
        [KEYWORD_MAX_ITEMS] = "arrays of at most so many items",
        [KEYWORD_MAX_LENGTH] = "strings of at most so many characters",
        [KEYWORD_MAX_PROPERTIES] = "objects of at most so many members",
        [KEYWORD_MAXIMUM] = "numbers of at most this",
        [KEYWORD_MIN_CONTAINS] = "at least so many items meet 'contains'",
        [KEYWORD_MIN_ITEMS] = "arrays of at least so many items",
        [KEYWORD_MIN_LENGTH] = "strings of at least so many characters",
        [KEYWORD_MIN_PROPERTIES] = "objects of at least so many members",
        [KEYWORD_MINIMUM] = "numbers of at least this",
        [KEYWORD_MULTIPLE_OF] = "numbers that are multiples of this",
        [KEYWORD_NOT] = "this does not hold",
        [KEYWORD_NULLABLE] = "null, beside what 'type' says",
        [KEYWORD_ONE_OF] = "exactly one of these holds",
        [KEYWORD_PATTERN] = "strings in which the expression matches: ECMA-262, with the u flag",
        [KEYWORD_PATTERN_PROPERTIES] =
            "members in whose name the expression matches: ECMA-262, with the u flag",
        [KEYWORD_PREFIX_ITEMS] = "the first items, by place",
        [KEYWORD_PROPERTIES] = "members, by name",
        [KEYWORD_PROPERTY_NAMES] = "the names of members",
        [KEYWORD_READ_ONLY] = "what may only be read",
        [KEYWORD_REQUIRED] = "names that must come",
        [KEYWORD_THEN] = "holds where 'if' does",
        [KEYWORD_TITLE] = "a title",
        [KEYWORD_TYPE] = "values of these types",
        [KEYWORD_UNEVALUATED_ITEMS] = "items that no keyword beside it, or below in place, covers",
        [KEYWORD_UNEVALUATED_PROPERTIES] =
            "members that no keyword beside it, or below in place, covers",
        [KEYWORD_UNIQUE_ITEMS] = "arrays whose items differ",
        [KEYWORD_WRITE_ONLY] = "what may only be written",
    };
    return meanings[k->id];
}

/* With fewer letters one that differs makes another word. */
#define LETTERS_FOR_A_SLIP 5

const struct keyword_info *keyword_meant(const char *word, size_t length, enum dialect dialect) {
    for (size_t i = 0; i < KEYWORD_COUNT; i++) {
        const struct keyword_info *k = &keywords[i];
        size_t n = strlen(k->word);
        bool restricts = k->status == KEYWORD_ENFORCED || k->status == KEYWORD_COMPANION;
        if (!restricts || dialect < k->first || dialect > k->last) continue;
        if (n + 1 < length || length + 1 < n) continue;
        size_t d = words_distance(word, length, k->word, n);
        bool dollar = *k->word == '$' && n == length + 1 && memcmp(k->word + 1, word, length) == 0;
        bool enough = n >= LETTERS_FOR_A_SLIP && length >= LETTERS_FOR_A_SLIP;
        if (d == 0 || (d == 1 && (enough || dollar))) return k;
    }
    return NULL;
}

static bool same(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* Moves behind a prefix that is there. */
static bool skip(const char **text, size_t *length, const char *prefix) {
    size_t n = strlen(prefix);
    if (*length < n || memcmp(*text, prefix, n) != 0) return false;
    *text += n;
    *length -= n;
    return true;
}

enum vocabulary keyword_vocabulary(const struct keyword_info *k, enum dialect dialect) {
    switch (k->id) {
    case KEYWORD_REF:
    case KEYWORD_DYNAMIC_REF:
    case KEYWORD_RECURSIVE_REF: return VOCABULARY_CORE;
    case KEYWORD_FORMAT: return VOCABULARY_FORMAT;
    case KEYWORD_CONTENT_ENCODING:
    case KEYWORD_CONTENT_MEDIA_TYPE:
    case KEYWORD_CONTENT_SCHEMA: return VOCABULARY_CONTENT;
    case KEYWORD_NULLABLE: return VOCABULARY_OPENAPI;
    case KEYWORD_UNEVALUATED_ITEMS:
    case KEYWORD_UNEVALUATED_PROPERTIES:
        return dialect == DIALECT_2019 ? VOCABULARY_APPLICATOR : VOCABULARY_UNEVALUATED;
    default: break;
    }
    if (k->status == KEYWORD_STRUCTURE) return VOCABULARY_CORE;
    if (k->status == KEYWORD_ANNOTATION) return VOCABULARY_METADATA;
    return k->place == PLACE_NONE ? VOCABULARY_VALIDATION : VOCABULARY_APPLICATOR;
}

bool vocabulary_find(const char *uri, size_t length, enum vocabulary *out, enum dialect *dialect) {
    static const struct {
        const char *name;
        enum vocabulary vocabulary;
        enum dialect first, last;
    } names[] = {
        {"core", VOCABULARY_CORE, DIALECT_2019, DIALECT_2020},
        {"applicator", VOCABULARY_APPLICATOR, DIALECT_2019, DIALECT_2020},
        {"unevaluated", VOCABULARY_UNEVALUATED, DIALECT_2020, DIALECT_2020},
        {"validation", VOCABULARY_VALIDATION, DIALECT_2019, DIALECT_2020},
        {"meta-data", VOCABULARY_METADATA, DIALECT_2019, DIALECT_2020},
        {"format", VOCABULARY_FORMAT, DIALECT_2019, DIALECT_2019},
        {"format-annotation", VOCABULARY_FORMAT, DIALECT_2020, DIALECT_2020},
        {"format-assertion", VOCABULARY_FORMAT_ASSERTION, DIALECT_2020, DIALECT_2020},
        {"content", VOCABULARY_CONTENT, DIALECT_2019, DIALECT_2020},
    };
    if (skip(&uri, &length, "https://json-schema.org/draft/2019-09/vocab/"))
        *dialect = DIALECT_2019;
    else if (skip(&uri, &length, "https://json-schema.org/draft/2020-12/vocab/"))
        *dialect = DIALECT_2020;
    else
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!same(uri, length, names[i].name) || *dialect < names[i].first ||
            *dialect > names[i].last)
            continue;
        *out = names[i].vocabulary;
        return true;
    }
    return false;
}

static const char *const dialect_names[] = {"draft 4", "draft 6", "draft 7", "draft 2019-09",
                                            "draft 2020-12"};

const char *dialect_name(enum dialect dialect) {
    return dialect_names[dialect];
}

const char *dialect_number(enum dialect dialect) {
    return dialect_names[dialect] + strlen("draft ");
}

bool dialect_may_assert_content(enum dialect dialect) {
    return dialect == DIALECT_7;
}

/* Draft 5 changed nothing in what a schema means, hyper-schemas add what is no matter of form, and
 * the dialect of OpenAPI 3.1 adds annotations only. */
bool dialect_find(const char *uri, size_t length, enum dialect *out) {
    static const struct {
        const char *path;
        enum dialect dialect;
    } paths[] = {
        {"draft-04/schema", DIALECT_4},
        {"draft-05/schema", DIALECT_4},
        {"draft-06/schema", DIALECT_6},
        {"draft-07/schema", DIALECT_7},
        {"draft/2019-09/schema", DIALECT_2019},
        {"draft/2020-12/schema", DIALECT_2020},
        {"draft-04/hyper-schema", DIALECT_4},
        {"draft-05/hyper-schema", DIALECT_4},
        {"draft-06/hyper-schema", DIALECT_6},
        {"draft-07/hyper-schema", DIALECT_7},
        {"draft/2019-09/hyper-schema", DIALECT_2019},
        {"draft/2020-12/hyper-schema", DIALECT_2020},
    };
    if (length && uri[length - 1] == '#') length--;
    if (skip(&uri, &length, "https://spec.openapis.org/oas/3.1/dialect/")) {
        *out = DIALECT_2020;
        return length > 0;
    }
    /* Both schemes are in use for the same identifiers. */
    if (!skip(&uri, &length, "https://json-schema.org/") &&
        !skip(&uri, &length, "http://json-schema.org/"))
        return false;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (!same(uri, length, paths[i].path)) continue;
        *out = paths[i].dialect;
        return true;
    }
    return false;
}

bool dialect_is_open(const char *uri, size_t length) {
    if (length && uri[length - 1] == '#') length--;
    return same(uri, length, "http://json-schema.org/schema") ||
           same(uri, length, "https://json-schema.org/schema");
}
