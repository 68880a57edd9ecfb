/* SPDX-License-Identifier: MIT */
#include "tests/lib_random_schema.h"

#include <stdarg.h>

#include "tests/test.h"

#define MAX_DEPTH 3

struct writer {
    uint64_t *random;
    char *out;
    size_t used, capacity; /* used > capacity: it did not fit */
    bool in_leaf;          /* a leaf that is itself would hold for no value */
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *w, const char *format, ...) {
    if (w->used >= w->capacity) return;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(w->out + w->used, w->capacity - w->used, format, args);
    va_end(args);
    w->used += (size_t)n;
}

static uint32_t below(struct writer *w, uint32_t n) {
    return test_below(w->random, n);
}

static bool chance(struct writer *w, uint32_t percent) {
    return below(w, 100) < percent;
}

static const char *pick(struct writer *w, const char *const *list, size_t n) {
    return list[below(w, (uint32_t)n)];
}
#define PICK(w, list) pick((w), (list), sizeof(list) / sizeof *(list))

static const char *const names[] = {"a",       "b",     "name", "id",  "x y",
                                    "\\u00e9", "\\\"q", "list", "next"};

static void write_value(struct writer *w, int depth) {
    static const char *const scalars[] = {"null",
                                          "true",
                                          "false",
                                          "0",
                                          "1",
                                          "-1",
                                          "42",
                                          "2.5",
                                          "1e2",
                                          "9007199254740993",
                                          "0.1",
                                          "\"\"",
                                          "\"a\"",
                                          "\"ab\"",
                                          "\"red\"",
                                          "\"green\"",
                                          "\"\\u00e9\"",
                                          "\"a\\\"b\"",
                                          "\"1\"",
                                          "\"\\n\"",
                                          "\"\\ud83d\\ude00\"",
                                          "\"null\"",
                                          "\"rose\""};
    if (depth < 2 && chance(w, 12)) {
        put(w, "[");
        for (uint32_t n = below(w, 3), i = 0; i < n; i++) {
            if (i) put(w, ",");
            write_value(w, depth + 1);
        }
        put(w, "]");
    } else if (depth < 2 && chance(w, 12)) {
        put(w, "{");
        for (uint32_t n = below(w, 3), i = 0; i < n; i++) {
            put(w, "%s\"%s\":", i ? "," : "", names[i * 2 + below(w, 2)]);
            write_value(w, depth + 1);
        }
        put(w, "}");
    } else {
        put(w, "%s", PICK(w, scalars));
    }
}

static void write_enum(struct writer *w) {
    if (chance(w, 30)) {
        put(w, "\"const\":");
        write_value(w, 0);
        return;
    }
    put(w, "\"enum\":[");
    for (uint32_t n = 1 + below(w, 5), i = 0; i < n; i++) {
        if (i) put(w, ",");
        write_value(w, 0);
    }
    put(w, "]");
}

static void write_string(struct writer *w) {
    static const char *const patterns[] = {"^[a-z]+$",
                                           "^[a-z]{2,5}$",
                                           "^\\\\d{4}-\\\\d{2}$",
                                           "^(foo|bar|baz)",
                                           "[0-9]",
                                           "a.c",
                                           "^[^\\\"]*$",
                                           "^\\\\w+@\\\\w+\\\\.(com|org)$",
                                           "^$|^x",
                                           "^[A-F0-9]{2,4}$",
                                           "(ab)*$",
                                           "^[\\\\u4e00-\\\\u9fff]{1,4}$",
                                           "^[\\\\u00e0-\\\\u00ff]+",
                                           "^-?(0|[1-9]\\\\d*)$",
                                           "\\\\s",
                                           "^.{3}$",
                                           "^(?!-)[a-z-]*(?<!-)$",
                                           "^(?=[a-z]*[0-9])[a-z0-9]+$"};
    uint32_t low = below(w, 4);
    put(w, "\"type\":\"string\"");
    if (chance(w, 25)) put(w, ",\"minLength\":%u", low);
    if (chance(w, 30)) put(w, ",\"maxLength\":%u", low + below(w, 6));
    if (chance(w, 35)) put(w, ",\"pattern\":\"%s\"", PICK(w, patterns));
}

static void write_number(struct writer *w) {
    static const char *const lows[] = {"0", "1", "-5", "-1.5", "0.001", "10", "-100", "99"};
    static const char *const steps[] = {"1", "2", "0.5", "0.01", "7", "25", "3"};
    put(w, "\"type\":\"%s\"", chance(w, 60) ? "integer" : "number");
    if (chance(w, 40))
        put(w, ",\"%s\":%s", chance(w, 70) ? "minimum" : "exclusiveMinimum", PICK(w, lows));
    if (chance(w, 40))
        put(w, ",\"%s\":%u%s", chance(w, 70) ? "maximum" : "exclusiveMaximum", below(w, 300) + 1,
            chance(w, 20) ? ".5" : "");
    if (chance(w, 25)) put(w, ",\"multipleOf\":%s", PICK(w, steps));
}

static void write_schema(struct writer *w, int depth);

/* What evaluates members or items beside the other keywords, and what is said of the rest. */
static void write_unevaluated(struct writer *w, bool array, int depth) {
    const char *name = PICK(w, names);
    if (chance(w, 50) && array)
        put(w, ",\"if\":{\"contains\":{\"type\":\"string\"}},\"else\":{\"prefixItems\":[true]}");
    else if (chance(w, 50))
        put(w, ",\"if\":{\"required\":[\"%s\"]},\"then\":{\"properties\":{\"%s\":true}}", name,
            name);
    if (chance(w, 50)) {
        put(w, ",\"anyOf\":[");
        write_schema(w, depth + 1);
        put(w, array
                   ? ",{\"prefixItems\":[{\"type\":\"null\"}]},{\"contains\":{\"const\":1}}]"
                   : ",{\"properties\":{\"id\":{\"const\":1},\"b\":true}},{\"required\":[\"a\"]}]");
    }
    put(w, ",\"%s\":", array ? "unevaluatedItems" : "unevaluatedProperties");
    if (chance(w, 60))
        put(w, "false");
    else
        write_schema(w, MAX_DEPTH);
}

static void write_array(struct writer *w, int depth) {
    uint32_t low = below(w, 3);
    put(w, "\"type\":\"array\"");
    if (chance(w, 30)) put(w, ",\"minItems\":%u", low);
    if (chance(w, 50)) put(w, ",\"maxItems\":%u", low + below(w, 4));
    if (chance(w, 20))
        put(w, chance(w, 80) ? ",\"uniqueItems\":true" : ",\"not\":{\"uniqueItems\":true}");
    if (chance(w, 30)) {
        put(w, ",\"prefixItems\":[");
        for (uint32_t n = 1 + below(w, 2), i = 0; i < n; i++) {
            if (i) put(w, ",");
            write_schema(w, depth + 1);
        }
        put(w, "]");
    }
    if (chance(w, 75)) {
        put(w, ",\"items\":");
        write_schema(w, depth + 1);
    }
    if (chance(w, 12)) write_unevaluated(w, true, depth);
}

static void write_object(struct writer *w, int depth) {
    bool used[sizeof names / sizeof *names] = {false};
    uint32_t count = 0, n = below(w, 4);
    put(w, "\"type\":\"object\",\"properties\":{");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t name = below(w, sizeof names / sizeof *names);
        if (used[name]) continue;
        used[name] = true;
        put(w, "%s\"%s\":", count++ ? "," : "", names[name]);
        write_schema(w, depth + 1);
    }
    put(w, "}");
    if (chance(w, 60)) {
        put(w, ",\"required\":[");
        count = 0;
        for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
            if (chance(w, used[i] ? 60 : 4)) put(w, "%s\"%s\"", count++ ? "," : "", names[i]);
        put(w, "]");
    }
    if (chance(w, 50))
        put(w, ",\"additionalProperties\":false");
    else if (chance(w, 50)) {
        put(w, ",\"additionalProperties\":");
        write_schema(w, depth + 1);
    }
    if (chance(w, 12)) write_unevaluated(w, false, depth);
}

static void write_branches(struct writer *w, const char *keyword, int depth) {
    put(w, "\"%s\":[", keyword);
    for (uint32_t n = 1 + below(w, 3), i = 0; i < n; i++) {
        if (i) put(w, ",");
        write_schema(w, depth + 1);
    }
    put(w, "]");
}

static void write_types(struct writer *w) {
    static const char *const types[] = {"string", "integer", "boolean", "null",
                                        "array",  "object",  "number"};
    uint32_t first = below(w, 7), step = 1 + below(w, 6);
    put(w, "\"type\":[\"%s\",\"%s\"]", types[first], types[(first + step) % 7]);
    if (chance(w, 30)) put(w, ",\"minimum\":3");
    if (chance(w, 30)) put(w, ",\"maxLength\":4");
    if (chance(w, 30)) put(w, ",\"maxItems\":2");
}

static void write_schema(struct writer *w, int depth) {
    uint32_t kind = below(w, 100);
    if (depth >= MAX_DEPTH && kind >= 44 && kind < 82) kind = below(w, 44);
    if (chance(w, 3)) {
        put(w, chance(w, 75) ? "true" : "false");
        return;
    }
    put(w, "{");
    if (kind < 16)
        write_string(w);
    else if (kind < 30)
        write_number(w);
    else if (kind < 36)
        put(w, "\"type\":\"boolean\"");
    else if (kind < 38)
        put(w, "\"type\":\"null\"");
    else if (kind < 44)
        write_enum(w);
    else if (kind < 56)
        write_array(w, depth);
    else if (kind < 72)
        write_object(w, depth);
    else if (kind < 79)
        write_branches(w, "anyOf", depth);
    else if (kind < 82)
        write_branches(w, "allOf", depth);
    else if (kind < 86)
        write_types(w);
    else if (kind < 92)
        put(w, "\"$ref\":\"#/$defs/%s\"", w->in_leaf || chance(w, 50) ? "tree" : "leaf");
    else
        write_enum(w);
    /* Siblings: an assertion beside what is there. */
    if (chance(w, 6) && (kind < 79 || kind >= 82)) {
        put(w, ",\"allOf\":[");
        write_schema(w, MAX_DEPTH);
        put(w, "]");
    }
    put(w, "}");
}

size_t random_schema(uint64_t *random, char *out, size_t capacity) {
    struct writer w = {random, out, 0, capacity, false};
    put(&w, "{");
    uint32_t kind = below(&w, 100);
    if (kind < 45)
        write_object(&w, 0);
    else if (kind < 65)
        write_array(&w, 0);
    else if (kind < 72)
        write_string(&w);
    else if (kind < 79)
        write_number(&w);
    else if (kind < 84)
        write_enum(&w);
    else if (kind < 92)
        write_branches(&w, "anyOf", 0);
    else if (kind < 95)
        write_branches(&w, "allOf", 0);
    else
        put(&w, "\"$ref\":\"#/$defs/tree\"");
    put(&w, ",\"$defs\":{\"leaf\":");
    w.in_leaf = true;
    write_schema(&w, MAX_DEPTH);
    if (chance(&w, 60))
        put(&w,
            ",\"tree\":{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#/$defs/tree\"},"
            "\"v\":{\"$ref\":\"#/$defs/leaf\"}},\"required\":[\"%s\"],"
            "\"additionalProperties\":false}",
            chance(&w, 80) ? "v" : "next");
    else
        put(&w,
            ",\"tree\":{\"type\":\"array\",\"items\":{\"anyOf\":[{\"$ref\":\"#/$defs/tree\"},"
            "{\"$ref\":\"#/$defs/leaf\"}]},\"maxItems\":%u}",
            1 + below(&w, 3));
    put(&w, "}}");
    return w.used < w.capacity ? w.used : 0;
}
