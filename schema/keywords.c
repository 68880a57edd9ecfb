/* SPDX-License-Identifier: MIT */
#include "schema/keywords.h"

#include <string.h>

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

static bool same(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static const char *const dialect_names[] = {"draft 4", "draft 6", "draft 7", "draft 2019-09",
                                            "draft 2020-12"};

const char *dialect_name(enum dialect dialect) {
    return dialect_names[dialect];
}

bool dialect_find(const char *uri, size_t length, enum dialect *out) {
    static const char *const paths[] = {
        "json-schema.org/draft-04/schema", "json-schema.org/draft-06/schema",
        "json-schema.org/draft-07/schema", "json-schema.org/draft/2019-09/schema",
        "json-schema.org/draft/2020-12/schema"};
    if (length && uri[length - 1] == '#') length--;
    /* Both schemes are in use for the same five identifiers. */
    if (length > 8 && memcmp(uri, "https://", 8) == 0) {
        uri += 8;
        length -= 8;
    } else if (length > 7 && memcmp(uri, "http://", 7) == 0) {
        uri += 7;
        length -= 7;
    } else {
        return false;
    }
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (!same(uri, length, paths[i])) continue;
        *out = (enum dialect)i;
        return true;
    }
    return false;
}

bool format_is_defined(const char *name, size_t length) {
    static const char *const formats[] = {"date",          "date-time",
                                          "duration",      "email",
                                          "hostname",      "idn-email",
                                          "idn-hostname",  "ipv4",
                                          "ipv6",          "iri",
                                          "iri-reference", "json-pointer",
                                          "regex",         "relative-json-pointer",
                                          "time",          "uri",
                                          "uri-reference", "uri-template",
                                          "uuid"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (same(name, length, formats[i])) return true;
    return false;
}
