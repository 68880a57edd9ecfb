/* SPDX-License-Identifier: MIT
 *
 * forma explain --support: all that forma knows. Nothing is listed here: the keywords, formats and
 * properties come from the tables from which schemas are compiled, the forms, styles and limits from
 * those by which the command line is read.
 */
#include <inttypes.h>
#include <string.h>

#include "cli/explain.h"
#include "schema/ecma_property.h"
#include "schema/formats.h"
#include "schema/keywords.h"

/* What a schema may be written in: the drafts, and OpenAPI 3.0, which adds to draft 4. */
#define N_LANGUAGES (DIALECT_2020 + 2)

static enum dialect dialect_of(int language) {
    return language > DIALECT_2020 ? DIALECT_4 : (enum dialect)language;
}

static const char *language_name(int language) {
    return language > DIALECT_2020 ? "openapi-3.0" : dialect_number((enum dialect)language);
}

/* NULL: no keyword there. */
static const char *status_of(const struct keyword_info *k, int language) {
    enum dialect dialect = dialect_of(language);
    unsigned vocabularies =
        VOCABULARIES_ALL | (language > DIALECT_2020 ? VOCABULARY_BIT(VOCABULARY_OPENAPI) : 0);
    if (dialect < k->first || dialect > k->last ||
        !(vocabularies & VOCABULARY_BIT(keyword_vocabulary(k, dialect))))
        return NULL;
    switch (keyword_status_in(k, dialect)) {
    case KEYWORD_STRUCTURE: return forma_strrule(FORMA_RULE_STRUCTURE);
    case KEYWORD_ANNOTATION: return forma_strrule(FORMA_RULE_ANNOTATION);
    default: return forma_strrule(FORMA_RULE_ENFORCED);
    }
}

static const struct {
    const char *name, *source;
} formats[] = {
#define X(identifier, name, source) {name, source},
    FORMAT_MAP(X)
#undef X
};

static const struct {
    const char *key, *title;
    enum ecma_property_kind kind;
} property_kinds[] = {{"General_Category", "general categories", ECMA_CATEGORY},
                      {"Script", "scripts", ECMA_SCRIPT},
                      {"binary", "binary properties", ECMA_BINARY}};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct ecma_property *properties_of(enum ecma_property_kind kind, unsigned *n) {
    *n = kind == ECMA_BINARY ? ecma_property_n_binary : ecma_property_n_values;
    return kind == ECMA_BINARY ? ecma_property_binary : ecma_property_values;
}

/* Of an option of limit_options, in args that hold the defaults. */
static uint64_t limit_of(const struct form_args *args, const struct option *o) {
    const char *at = (const char *)args + o->offset;
    uint32_t count;
    size_t size;
    if (o->kind == OPTION_COUNT) {
        memcpy(&count, at, sizeof count);
        return count;
    }
    memcpy(&size, at, sizeof size);
    return size;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void print_member(const char *before, const char *key, const char *text) {
    printf("%s\"%s\": ", before, key);
    if (text)
        cli_json_string(stdout, text, strlen(text));
    else
        fputs("null", stdout);
}

/* The parts of "a|b|c" as a list. */
static void print_words(const char *words, char separator) {
    putchar('[');
    for (const char *end; *words; words = *end ? end + 1 : end) {
        end = strchr(words, separator);
        if (!end) end = words + strlen(words);
        cli_json_string(stdout, words, (size_t)(end - words));
        if (*end) fputs(", ", stdout);
    }
    putchar(']');
}

static void print_keywords_json(void) {
    const struct keyword_info *k;
    fputs("\"languages\": [", stdout);
    for (int i = 0; i < N_LANGUAGES; i++) printf("%s\"%s\"", i ? ", " : "", language_name(i));
    fputs("],\n\"keywords\": [", stdout);
    for (size_t i = 0; (k = keyword_at(i)) != NULL; i++) {
        print_member(i ? ",\n  {" : "\n  {", "keyword", k->word);
        for (int language = 0; language < N_LANGUAGES; language++)
            print_member(language ? ", " : ", \"status\": {", language_name(language),
                         status_of(k, language));
        print_member("}, ", "meaning", keyword_meaning(k));
        putchar('}');
    }
    fputs("\n],\n\"formats\": [", stdout);
    for (size_t i = 0; i < COUNT(formats); i++) {
        print_member(i ? ",\n  {" : "\n  {", "format", formats[i].name);
        print_member(", ", "source", formats[i].source);
        putchar('}');
    }
    fputs("\n],\n", stdout);
}

static void print_patterns_json(void) {
    fputs("\"patterns\": {\"syntax\": \"ECMA-262, u flag\", \"properties\": {", stdout);
    for (size_t i = 0; i < COUNT(property_kinds); i++) {
        unsigned n, printed = 0;
        const struct ecma_property *p = properties_of(property_kinds[i].kind, &n);
        printf("%s\"%s\": [", i ? ", " : "", property_kinds[i].key);
        for (unsigned j = 0; j < n; j++) {
            if (p[j].kind != property_kinds[i].kind) continue;
            if (printed++) fputs(", ", stdout);
            print_words(p[j].names, ' ');
        }
        putchar(']');
    }
    fputs("}},\n", stdout);
}

/* Options of the command line: their values where there is a choice among words. */
static void print_options_json(const char *key, const struct option *options, size_t n) {
    printf("\"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        print_member(i ? ",\n  {" : "\n  {", "option", options[i].name);
        fputs(", \"values\": ", stdout);
        if (options[i].value)
            print_words(options[i].value, '|');
        else
            fputs("null", stdout);
        printf(", \"supported\": %s", options[i].kind == OPTION_UNSUPPORTED ? "false" : "true");
        print_member(", ", "about", options[i].help);
        putchar('}');
    }
    fputs("\n],\n", stdout);
}

static void print_limits_json(const struct form_args *args) {
    fputs("\"limits\": [", stdout);
    for (size_t i = 0; i < n_limit_options; i++) {
        print_member(i ? ",\n  {" : "\n  {", "option", limit_options[i].name);
        printf(", \"default\": %" PRIu64, limit_of(args, &limit_options[i]));
        print_member(", ", "about", limit_options[i].help);
        putchar('}');
    }
    fputs("\n]", stdout);
}

static void print_json(const struct form_args *args) {
    print_member("{", "version", FORMA_VERSION);
    fputs(",\n", stdout);
    print_keywords_json();
    print_patterns_json();
    print_options_json("forms", form_options, n_form_options);
    print_options_json("styles", style_options, n_style_options);
    print_limits_json(args);
    puts("}");
}

/* ---- tables ------------------------------------------------------------------------------- */

static void print_keywords(void) {
    const struct keyword_info *k;
    printf("%-23s", "Keywords");
    for (int i = 0; i < N_LANGUAGES; i++) printf(" %-11s", language_name(i));
    puts(" what it says");
    for (size_t i = 0; (k = keyword_at(i)) != NULL; i++) {
        printf("  %-21s", k->word);
        for (int language = 0; language < N_LANGUAGES; language++) {
            const char *status = status_of(k, language);
            printf(" %-11s", status ? status : "-");
        }
        printf(" %s\n", keyword_meaning(k));
    }
    puts("\nFormats");
    for (size_t i = 0; i < COUNT(formats); i++)
        printf("  %-21s %s\n", formats[i].name, formats[i].source);
}

static void print_patterns(void) {
    puts("\nPatterns\n  ECMA-262, with the u flag; Unicode properties (--json lists them):");
    for (size_t i = 0; i < COUNT(property_kinds); i++) {
        unsigned n, found = 0;
        const struct ecma_property *p = properties_of(property_kinds[i].kind, &n);
        for (unsigned j = 0; j < n; j++) found += p[j].kind == property_kinds[i].kind;
        printf("  %-21s %u\n", property_kinds[i].title, found);
    }
}

static void print_options(const char *title, const struct option *options, size_t n) {
    printf("\n%s\n", title);
    for (size_t i = 0; i < n; i++)
        printf("  %-13s %-29s %s%s\n", options[i].name, options[i].value ? options[i].value : "",
               options[i].kind == OPTION_UNSUPPORTED ? "not yet; " : "", options[i].help);
}

static void print_tables(const struct form_args *args) {
    print_keywords();
    print_patterns();
    print_options("Forms", form_options, n_form_options);
    print_options("Styles", style_options, n_style_options);
    puts("\nLimits");
    for (size_t i = 0; i < n_limit_options; i++)
        printf("  %-21s %-11" PRIu64 " %s\n", limit_options[i].name,
               limit_of(args, &limit_options[i]), limit_options[i].help);
}

int explain_support(bool json) {
    struct form_args args;
    form_args_init(&args);
    form_args_set_limits(&args);
    if (json)
        print_json(&args);
    else
        print_tables(&args);
    return CLI_OK;
}
