/* SPDX-License-Identifier: MIT */
#include "schema/ecma_property.h"

#include <string.h>

static bool is_word(const char *text, size_t length, const char *word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* Is the text one of the names, which are separated by spaces? */
static bool is_named(const char *names, const char *text, size_t length) {
    for (const char *end; *names; names = *end ? end + 1 : end) {
        end = strchr(names, ' ');
        if (!end) end = names + strlen(names);
        if ((size_t)(end - names) == length && memcmp(names, text, length) == 0) return true;
    }
    return false;
}

static const struct ecma_property *find(enum ecma_property_kind kind, const char *text,
                                        size_t length) {
    const struct ecma_property *table =
        kind == ECMA_BINARY ? ecma_property_binary : ecma_property_values;
    unsigned n = kind == ECMA_BINARY ? ecma_property_n_binary : ecma_property_n_values;
    for (unsigned i = 0; i < n; i++)
        if (table[i].kind == kind && is_named(table[i].names, text, length)) return &table[i];
    return NULL;
}

const struct ecma_property *ecma_property_find(const char *text, size_t length) {
    const char *equals = memchr(text, '=', length);
    const struct ecma_property *found;
    if (!equals) {
        found = find(ECMA_CATEGORY, text, length);
        return found ? found : find(ECMA_BINARY, text, length);
    }
    size_t name = (size_t)(equals - text), value = length - name - 1;
    if (is_word(text, name, "General_Category") || is_word(text, name, "gc"))
        return find(ECMA_CATEGORY, equals + 1, value);
    bool extensions = is_word(text, name, "Script_Extensions") || is_word(text, name, "scx");
    if (!extensions && !is_word(text, name, "Script") && !is_word(text, name, "sc")) return NULL;
    found = extensions ? find(ECMA_EXTENSIONS, equals + 1, value) : NULL;
    return found ? found : find(ECMA_SCRIPT, equals + 1, value);
}

static uint32_t read_number(const char **set) {
    uint32_t value = 0;
    while (**set < ']') value = value * 28 + (uint32_t)(*(*set)++ - '@');
    return value * 34 + (uint32_t)(*(*set)++ - ']');
}

bool ecma_property_next(const char **set, uint32_t *at, struct code_range *range) {
    if (!**set) return false;
    range->first = *at + read_number(set);
    *at = range->first + read_number(set);
    range->last = *at - 1;
    return true;
}
