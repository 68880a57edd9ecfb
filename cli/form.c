/* SPDX-License-Identifier: MIT */
#include "cli/form.h"

#include <string.h>

static const int drafts[] = {FORMA_DRAFT_4, FORMA_DRAFT_6, FORMA_DRAFT_7, FORMA_DRAFT_2019_09,
                             FORMA_DRAFT_2020_12};

#define AT(member) offsetof(struct form_args, member)
#define LATER(name, value, help)                                                                   \
    { name, 0, OPTION_UNSUPPORTED, 0, value, help, 0, 0 }

const struct option form_options[] = {
    {"--schema", 0, OPTION_FORM, AT(schema), "FILE|JSON",
     "a JSON Schema: a file, - for stdin, or the text itself when it begins with { or [ or is true "
     "or false",
     0, 0},
    {"--draft", 0, OPTION_CHOICE, AT(draft), "4|6|7|2019-09|2020-12",
     "where the schema does not say ($schema); default 2020-12", 0, 0},
    {"--formats", 0, OPTION_CHOICE, AT(formats), "assert|annotate",
     "must `format` hold (what cannot be enforced is refused), or is it an annotation; default "
     "assert",
     0, 0},
    LATER("--grammar", "FILE", "use --schema"),
    LATER("--lark", "FILE", "use --schema"),
    LATER("--regex", "RE", "use --schema with a \"pattern\""),
    LATER("--choice", "FILE", "use --schema with an \"enum\""),
    LATER("--tools", "FILE", "use --schema"),
    LATER("--tool-choice", "WHICH", "use --schema"),
    LATER("--ref", "URI=FILE", "put the definitions into the schema's \"$defs\""),
    LATER("--remotes", "DIR", "put the definitions into the schema's \"$defs\""),
    LATER("--dialect", "NAME", "write the schema in plain JSON Schema"),
};
const size_t n_form_options = sizeof form_options / sizeof *form_options;

const struct option style_options[] = {
    {"--keys", 0, OPTION_CHOICE, AT(keys), "schema|any",
     "order of an object's keys: as the schema lists them, or any", 0, 0},
    {"--blanks", 0, OPTION_TEXT, AT(blanks), "compact|natural|any|pretty:N",
     "white space between the parts: none, what common programs write, any, or N spaces a level", 0,
     0},
    {"--numbers", 0, OPTION_CHOICE, AT(numbers), "plain|any",
     "without exponents and needless zeros, or any spelling", 0, 0},
    {"--escapes", 0, OPTION_CHOICE, AT(escapes), "minimal|any",
     "only the escapes that a string needs, or any", 0, 0},
    {"--exact", 0, OPTION_FLAG, AT(exact), NULL, "any, any, any, any", 0, 0},
};
const size_t n_style_options = sizeof style_options / sizeof *style_options;

const struct option limit_options[] = {
    {"--max-compile-ms", 0, OPTION_COUNT, AT(max_compile_ms), "N",
     "milliseconds that compiling may take; default 10000", 1, UINT32_MAX - 1.0},
    {"--max-memory", 0, OPTION_SIZE, AT(max_memory), "BYTES",
     "memory of the compiled form, with its states; default 1G", 0, 0},
    {"--max-nesting", 0, OPTION_SIZE, AT(max_nesting), "N",
     "levels of the schema, of patterns and of the output; default 512", 0, 0},
    {"--max-bytes", 0, OPTION_SIZE, AT(max_bytes), "BYTES",
     "length of the schema's text; default 16M", 0, 0},
    {"--max-work", 0, OPTION_SIZE, AT(max_work), "N",
     "steps of one search for a value that satisfies a part of the schema; default 250000", 0, 0},
    LATER("--max-states", "N", "use --max-memory"),
};
const size_t n_limit_options = sizeof limit_options / sizeof *limit_options;

void form_args_init(struct form_args *a) {
    memset(a, 0, sizeof *a);
    a->keys = a->numbers = a->escapes = a->draft = a->formats = -1;
    a->max_bytes = a->max_nesting = a->max_memory = a->max_work = SIZE_MAX;
    a->max_compile_ms = UINT32_MAX;
}

static enum forma_status set_blanks(const char *text, struct forma_style *style,
                                    struct forma_error *err) {
    static const char *const names[] = {"compact", "natural", "any"};
    static const enum forma_blanks values[] = {FORMA_BLANKS_COMPACT, FORMA_BLANKS_NATURAL,
                                               FORMA_BLANKS_ANY};
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            style->blanks = values[i];
            return FORMA_OK;
        }
    }
    if (strncmp(text, "pretty:", 7) == 0) {
        const char *digits = text + 7;
        size_t n = strspn(digits, "0123456789");
        unsigned indent = 0;
        for (size_t i = 0; i < n && i < 3; i++) indent = 10 * indent + (unsigned)(digits[i] - '0');
        if (n >= 1 && n <= 2 && !digits[n] && indent <= 16) {
            style->blanks = FORMA_BLANKS_PRETTY;
            style->pretty_indent = indent;
            return FORMA_OK;
        }
    }
    return error_set(err, FORMA_EINVAL,
                     "option --blanks: \"%.60s\" is not one of compact, natural, any or pretty:N "
                     "with N from 0 to 16",
                     text);
}

static enum forma_status set_style(const struct form_args *a, bool exact, struct forma_style *style,
                                   struct forma_error *err) {
    bool any_given = a->keys >= 0 || a->blanks || a->numbers >= 0 || a->escapes >= 0;
    if (a->exact && any_given)
        return error_set(err, FORMA_EINVAL,
                         "--exact sets all four styles; leave out --keys, --blanks, --numbers and "
                         "--escapes, or --exact");
    if (exact || a->exact) *style = forma_style_exact();
    if (a->keys >= 0) style->keys = a->keys ? FORMA_KEYS_ANY : FORMA_KEYS_SCHEMA;
    if (a->numbers >= 0) style->numbers = a->numbers ? FORMA_NUMBERS_ANY : FORMA_NUMBERS_PLAIN;
    if (a->escapes >= 0) style->escapes = a->escapes ? FORMA_ESCAPES_ANY : FORMA_ESCAPES_MINIMAL;
    return a->blanks ? set_blanks(a->blanks, style, err) : FORMA_OK;
}

static void report(void *ctx, int level, const char *pointer, const char *message) {
    const struct form *form = ctx;
    if (form->common->quiet || (level > 0 && !form->common->verbose)) return;
    fprintf(stderr, "forma: %s: %s%s%s: %s\n", form->file, pointer ? pointer : "",
            pointer && *pointer ? ": " : "", level > 0 ? "note" : "warning", message);
}

static enum forma_status set_options(struct form *form, const struct form_args *a, bool exact,
                                     struct forma_error *err) {
    struct forma_options *o = &form->options;
    forma_options_init(o);
    if (a->draft >= 0) o->draft = (enum forma_draft)drafts[a->draft];
    if (a->formats >= 0) o->formats = a->formats ? FORMA_FORMATS_ANNOTATE : FORMA_FORMATS_ASSERT;
    if (a->max_bytes != SIZE_MAX) o->max_bytes = a->max_bytes;
    if (a->max_nesting != SIZE_MAX) o->max_nesting = a->max_nesting;
    if (a->max_memory != SIZE_MAX) o->max_memory = a->max_memory;
    if (a->max_work != SIZE_MAX) o->max_work = a->max_work;
    if (a->max_compile_ms != UINT32_MAX) o->max_compile_ms = a->max_compile_ms;
    o->log = report;
    o->log_ctx = form;
    return set_style(a, exact, &o->style, err);
}

static bool is_json(const char *text) {
    const char *p = text + strspn(text, " \t\r\n");
    size_t n = strcspn(p, " \t\r\n");
    bool alone = p[n + strspn(p + n, " \t\r\n")] == '\0';
    if (*p == '{' || *p == '[') return true;
    return alone && ((n == 4 && !memcmp(p, "true", 4)) || (n == 5 && !memcmp(p, "false", 5)));
}

/* An option that means nothing without a schema, or NULL. */
static const char *needs_schema(const struct form_args *a) {
    const struct {
        bool given;
        const char *name;
    } options[] = {
        {a->draft >= 0, "--draft"},
        {a->formats >= 0, "--formats"},
        {a->keys >= 0, "--keys"},
        {a->blanks != NULL, "--blanks"},
        {a->numbers >= 0, "--numbers"},
        {a->escapes >= 0, "--escapes"},
        {a->exact, "--exact"},
        {a->max_compile_ms != UINT32_MAX, "--max-compile-ms"},
        {a->max_memory != SIZE_MAX, "--max-memory"},
        {a->max_nesting != SIZE_MAX, "--max-nesting"},
        {a->max_bytes != SIZE_MAX, "--max-bytes"},
        {a->max_work != SIZE_MAX, "--max-work"},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given) return options[i].name;
    return NULL;
}

enum forma_status form_load(struct form *form, const struct form_args *a,
                            const struct common_args *common, bool exact, struct forma_error *err) {
    memset(form, 0, sizeof *form);
    form->common = common;
    enum forma_status status = set_options(form, a, exact, err);
    if (status != FORMA_OK) return status;
    if (!a->schema) {
        const char *name = needs_schema(a);
        if (!name) return FORMA_OK;
        return error_set(err, FORMA_EINVAL, "%s is about a form; give one with --schema", name);
    }
    if (is_json(a->schema)) {
        form->file = "--schema";
        return cli_text_append(&form->text, a->schema, strlen(a->schema), err);
    }
    if (!*a->schema)
        return error_set(err, FORMA_EINVAL, "option --schema is empty; give a file or a JSON text");
    form->file = cli_file_name(a->schema);
    return cli_read_file(a->schema, form->options.max_bytes, &form->text, err);
}

enum forma_status form_compile(struct form *form, const struct forma_vocabulary *vocabulary,
                               struct forma_error *err) {
    form->grammar = forma_grammar_from_json_schema(form->text.data, form->text.length, vocabulary,
                                                   &form->options, err);
    return form->grammar ? FORMA_OK : err->status;
}

void form_free(struct form *form) {
    forma_grammar_free(form->grammar);
    cli_text_free(&form->text);
    form->grammar = NULL;
}
