/* SPDX-License-Identifier: MIT */
#include "cli/form.h"

#include <string.h>

#define DRAFTS  "4|6|7|2019-09|2020-12"
#define FORMATS "assert|annotate"
#define KEYS    "schema|any"
#define BLANKS  "compact|natural|any|pretty:N"
#define NUMBERS "plain|any"
#define ESCAPES "minimal|any"

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
    {"--regex", 0, OPTION_FORM, AT(regex), "RE",
     "a regular expression (ECMA-262) that the whole text must match", 0, 0},
    {"--draft", 0, OPTION_CHOICE, AT(draft), DRAFTS,
     "where the schema does not say ($schema); default 2020-12", 0, 0},
    {"--formats", 0, OPTION_CHOICE, AT(formats), FORMATS,
     "must `format` hold (and contents, in draft 7), or is it an annotation; default assert", 0, 0},
    {"--dialect", 0, OPTION_CHOICE, AT(dialect), "json-schema|openapi-3.0",
     "what kind of schema; openapi-3.0 is draft 4 with `nullable`; default json-schema", 0, 0},
    {"--ref", 0, OPTION_LIST, AT(refs), "URI=FILE|FILE|DIR",
     "documents that $ref may reach: by URI, or by their $id; URI/=DIR: all files below; may be "
     "given again",
     0, 0},
    {"--remotes", 0, OPTION_TEXT, AT(remotes), "DIR",
     "--ref " DOCUMENTS_REMOTES "=DIR: the remotes of the official test suite", 0, 0},
    LATER("--grammar", "FILE", "use --schema or --regex"),
    LATER("--lark", "FILE", "use --schema or --regex"),
    LATER("--choice", "FILE", "use --schema with an \"enum\""),
    LATER("--tools", "FILE", "use --schema"),
    LATER("--tool-choice", "WHICH", "use --schema"),
};
const size_t n_form_options = sizeof form_options / sizeof *form_options;

const struct option style_options[] = {
    {"--keys", 0, OPTION_CHOICE, AT(keys), KEYS,
     "order of an object's keys: as the schema lists them, or any", 0, 0},
    {"--blanks", 0, OPTION_TEXT, AT(blanks), BLANKS,
     "white space between the parts: none, what common programs write, any, or N spaces a level", 0,
     0},
    {"--numbers", 0, OPTION_CHOICE, AT(numbers), NUMBERS,
     "without exponents and needless zeros, or any spelling", 0, 0},
    {"--escapes", 0, OPTION_CHOICE, AT(escapes), ESCAPES,
     "only the escapes that a string needs, or any", 0, 0},
    {"--exact", 0, OPTION_FLAG, AT(exact), NULL, "any, any, any, any", 0, 0},
};
const size_t n_style_options = sizeof style_options / sizeof *style_options;

const struct option limit_options[] = {
    {"--max-compile-ms", 0, OPTION_COUNT, AT(max_compile_ms), "N",
     "milliseconds that compiling may take; default 10000", 1, UINT32_MAX - 1.0},
    {"--max-memory", 0, OPTION_SIZE, AT(max_memory), "BYTES",
     "memory of the compiled form, with its states; default 1G", 0, 0},
    {"--max-nesting", 0, OPTION_AMOUNT, AT(max_nesting), "N",
     "levels of the schema, of patterns and of the output; default 512", 0, 0},
    {"--max-bytes", 0, OPTION_SIZE, AT(max_bytes), "BYTES",
     "length of the schema's text, and of each document of --ref; default 16M", 0, 0},
    {"--max-work", 0, OPTION_AMOUNT, AT(max_work), "N",
     "steps of one search for a value that satisfies a part of the schema; default 250000", 0, 0},
    {"--max-documents", 0, OPTION_AMOUNT, AT(max_documents), "N",
     "documents that --ref and --remotes may name; default 10000", 0, 0},
    {"--max-document-bytes", 0, OPTION_SIZE, AT(max_document_bytes), "BYTES",
     "all of them together; default 256M", 0, 0},
    {"--max-nodes", 0, OPTION_AMOUNT, AT(max_nodes), "N",
     "schemas in the schema's text and the documents it reaches; default 1000000", 0, 0},
    {"--max-states", 0, OPTION_AMOUNT, AT(max_states), "N",
     "open values, arrays and objects that the compiled form may tell apart; default 4000000", 0,
     0},
};
const size_t n_limit_options = sizeof limit_options / sizeof *limit_options;

void form_args_init(struct form_args *a) {
    memset(a, 0, sizeof *a);
    a->keys = a->numbers = a->escapes = a->draft = a->formats = a->dialect = -1;
    a->max_bytes = a->max_nesting = a->max_memory = a->max_work = SIZE_MAX;
    a->max_nodes = a->max_states = SIZE_MAX;
    a->max_documents = a->max_document_bytes = SIZE_MAX;
    a->max_compile_ms = UINT32_MAX;
}

void form_args_set_limits(struct form_args *a) {
    struct forma_options o;
    forma_options_init(&o);
    a->max_bytes = o.max_bytes;
    a->max_nesting = o.max_nesting;
    a->max_memory = o.max_memory;
    a->max_work = o.max_work;
    a->max_nodes = o.max_nodes;
    a->max_states = o.max_states;
    a->max_documents = DOCUMENTS_MAX;
    a->max_document_bytes = DOCUMENTS_MAX_BYTES;
    a->max_compile_ms = o.max_compile_ms;
}

/* ---- styles and drafts by name ------------------------------------------------------------ */

static bool set_blanks(const char *text, struct forma_style *style) {
    static const enum forma_blanks values[] = {FORMA_BLANKS_COMPACT, FORMA_BLANKS_NATURAL,
                                               FORMA_BLANKS_ANY};
    int index = options_choice(text, BLANKS);
    if (index >= 0 && (size_t)index < sizeof values / sizeof *values) {
        style->blanks = values[index];
        return true;
    }
    if (strncmp(text, "pretty:", 7) != 0) return false;
    const char *digits = text + 7;
    size_t n = strspn(digits, "0123456789");
    unsigned indent = 0;
    for (size_t i = 0; i < n && i < 3; i++) indent = 10 * indent + (unsigned)(digits[i] - '0');
    if (n < 1 || n > 2 || digits[n] || indent > 16) return false;
    style->blanks = FORMA_BLANKS_PRETTY;
    style->pretty_indent = indent;
    return true;
}

static void set_choices(int keys, int numbers, int escapes, struct forma_style *style) {
    if (keys >= 0) style->keys = keys ? FORMA_KEYS_ANY : FORMA_KEYS_SCHEMA;
    if (numbers >= 0) style->numbers = numbers ? FORMA_NUMBERS_ANY : FORMA_NUMBERS_PLAIN;
    if (escapes >= 0) style->escapes = escapes ? FORMA_ESCAPES_ANY : FORMA_ESCAPES_MINIMAL;
}

bool form_style_by_name(const char *style, const char *value, struct forma_style *out) {
    int keys = -1, numbers = -1, escapes = -1;
    if (!strcmp(style, "blanks")) return set_blanks(value, out);
    if (!strcmp(style, "keys")) keys = options_choice(value, KEYS);
    if (!strcmp(style, "numbers")) numbers = options_choice(value, NUMBERS);
    if (!strcmp(style, "escapes")) escapes = options_choice(value, ESCAPES);
    set_choices(keys, numbers, escapes, out);
    return keys >= 0 || numbers >= 0 || escapes >= 0;
}

bool form_draft_by_name(const char *name, enum forma_draft *out) {
    int index = options_choice(name, DRAFTS);
    if (index >= 0) *out = (enum forma_draft)drafts[index];
    return index >= 0;
}

bool form_formats_by_name(const char *name, enum forma_formats *out) {
    int index = options_choice(name, FORMATS);
    if (index >= 0) *out = index ? FORMA_FORMATS_ANNOTATE : FORMA_FORMATS_ASSERT;
    return index >= 0;
}

/* ---- options ------------------------------------------------------------------------------ */

static enum forma_status set_style(const struct form_args *a, bool exact, struct forma_style *style,
                                   struct forma_error *err) {
    bool any_given = a->keys >= 0 || a->blanks || a->numbers >= 0 || a->escapes >= 0;
    if (a->exact && any_given)
        return error_set(err, FORMA_EINVAL,
                         "--exact sets all four styles; leave out --keys, --blanks, --numbers and "
                         "--escapes, or --exact");
    if (exact || a->exact) *style = forma_style_exact();
    set_choices(a->keys, a->numbers, a->escapes, style);
    if (!a->blanks || set_blanks(a->blanks, style)) return FORMA_OK;
    return error_set(err, FORMA_EINVAL,
                     "option --blanks: \"%.60s\" is not one of compact, natural, any or pretty:N "
                     "with N from 0 to 16",
                     a->blanks);
}

void form_log(void *ctx, int level, const char *pointer, const char *message) {
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
    if (a->dialect >= 0)
        o->dialect = a->dialect ? FORMA_DIALECT_OPENAPI_3_0 : FORMA_DIALECT_JSON_SCHEMA;
    if (a->max_bytes != SIZE_MAX) o->max_bytes = a->max_bytes;
    if (a->max_nesting != SIZE_MAX) o->max_nesting = a->max_nesting;
    if (a->max_memory != SIZE_MAX) o->max_memory = a->max_memory;
    if (a->max_work != SIZE_MAX) o->max_work = a->max_work;
    if (a->max_nodes != SIZE_MAX) o->max_nodes = a->max_nodes;
    if (a->max_states != SIZE_MAX) o->max_states = a->max_states;
    if (a->max_compile_ms != UINT32_MAX) o->max_compile_ms = a->max_compile_ms;
    o->log = form_log;
    o->report_parts = form->common->verbose > 0;
    o->log_ctx = form;
    return set_style(a, exact, &o->style, err);
}

/* ---- documents ---------------------------------------------------------------------------- */

enum forma_status form_settle_documents(struct form *form, struct forma_error *err) {
    enum forma_status status = documents_settle(&form->documents, err);
    form->options.documents = form->documents.list;
    form->options.n_documents = form->documents.count;
    return status;
}

static enum forma_status read_documents(struct form *form, const struct form_args *a,
                                        struct forma_error *err) {
    struct documents *d = &form->documents;
    enum forma_status status = FORMA_OK;
    d->common = form->common;
    d->max_count = a->max_documents != SIZE_MAX ? a->max_documents : DOCUMENTS_MAX;
    d->max_bytes = a->max_document_bytes != SIZE_MAX ? a->max_document_bytes : DOCUMENTS_MAX_BYTES;
    d->max_file = form->options.max_bytes;
    d->max_nesting = form->options.max_nesting;
    for (size_t i = 0; i < a->refs.count && status == FORMA_OK; i++)
        status = documents_add(d, a->refs.items[i], err);
    if (status == FORMA_OK && a->remotes) status = documents_add_remotes(d, a->remotes, err);
    if (status == FORMA_OK) status = form_settle_documents(form, err);
    if (status != FORMA_OK) form->file = d->file;
    return status;
}

enum forma_status form_settle(struct form *form, const struct form_args *a,
                              const struct common_args *common, bool exact,
                              struct forma_error *err) {
    memset(form, 0, sizeof *form);
    form->common = common;
    error_clear(err);
    enum forma_status status = set_options(form, a, exact, err);
    return status == FORMA_OK ? read_documents(form, a, err) : status;
}

struct forma_vocabulary *cli_open_vocabulary(const char *file, const struct option_list *ends,
                                             struct forma_error *err) {
    if (!ends->count) return forma_vocabulary_open(file, NULL, err);
    return forma_vocabulary_open_with_ends(file, ends->items, ends->count, NULL, err);
}

/* ---- the form ----------------------------------------------------------------------------- */

static bool is_json(const char *text) {
    const char *p = text + strspn(text, " \t\r\n");
    size_t n = strcspn(p, " \t\r\n");
    bool alone = p[n + strspn(p + n, " \t\r\n")] == '\0';
    if (*p == '{' || *p == '[') return true;
    return alone && ((n == 4 && !memcmp(p, "true", 4)) || (n == 5 && !memcmp(p, "false", 5)));
}

bool form_is_given(const struct form_args *a) {
    return a->schema || a->regex;
}

bool form_is_stdin(const struct form_args *a) {
    return a->schema && !strcmp(a->schema, "-");
}

struct given_option {
    bool given;
    const char *name;
};

static const char *first_given(const struct given_option *options, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (options[i].given) return options[i].name;
    return NULL;
}

/* An option that means nothing without a schema, or NULL. */
static const char *needs_schema(const struct form_args *a) {
    const struct given_option options[] = {
        {a->draft >= 0, "--draft"},
        {a->formats >= 0, "--formats"},
        {a->keys >= 0, "--keys"},
        {a->blanks != NULL, "--blanks"},
        {a->numbers >= 0, "--numbers"},
        {a->escapes >= 0, "--escapes"},
        {a->exact, "--exact"},
        {a->dialect >= 0, "--dialect"},
        {a->refs.count > 0, "--ref"},
        {a->remotes != NULL, "--remotes"},
        {a->max_documents != SIZE_MAX, "--max-documents"},
        {a->max_document_bytes != SIZE_MAX, "--max-document-bytes"},
        {a->max_nodes != SIZE_MAX, "--max-nodes"},
        {a->max_states != SIZE_MAX, "--max-states"},
    };
    return first_given(options, sizeof options / sizeof *options);
}

/* An option that means nothing without a form, or NULL. */
static const char *needs_form(const struct form_args *a) {
    const struct given_option options[] = {
        {a->max_compile_ms != UINT32_MAX, "--max-compile-ms"},
        {a->max_memory != SIZE_MAX, "--max-memory"},
        {a->max_nesting != SIZE_MAX, "--max-nesting"},
        {a->max_bytes != SIZE_MAX, "--max-bytes"},
        {a->max_work != SIZE_MAX, "--max-work"},
    };
    const char *name = needs_schema(a);
    return name ? name : first_given(options, sizeof options / sizeof *options);
}

static enum forma_status read_schema(struct form *form, const char *schema,
                                     struct forma_error *err) {
    form->kind = FORM_SCHEMA;
    if (is_json(schema)) {
        form->file = "--schema";
        return cli_text_append(&form->text, schema, strlen(schema), err);
    }
    if (!*schema)
        return error_set(err, FORMA_EINVAL, "option --schema is empty; give a file or a JSON text");
    form->file = cli_file_name(schema);
    enum forma_status status = cli_read_file(schema, form->options.max_bytes, &form->text, err);
    if (status == FORMA_EIO && strstr(schema, "://"))
        return error_set(err, FORMA_EIO,
                         "nothing is fetched; save the schema in a file, name that");
    return status;
}

enum forma_status form_load(struct form *form, const struct form_args *a,
                            const struct common_args *common, bool exact, struct forma_error *err) {
    memset(form, 0, sizeof *form);
    if (a->schema && a->regex)
        return error_set(err, FORMA_EINVAL, "--schema and --regex are two forms; give one");
    if (!form_is_given(a) && needs_form(a))
        return error_set(err, FORMA_EINVAL, "%s is about a form; give one with --schema or --regex",
                         needs_form(a));
    if (a->regex && needs_schema(a))
        return error_set(err, FORMA_EINVAL, "%s is about a schema; leave it out with --regex",
                         needs_schema(a));
    enum forma_status status = form_settle(form, a, common, exact, err);
    if (status != FORMA_OK || !form_is_given(a)) return status;
    if (a->schema) return read_schema(form, a->schema, err);
    form->kind = FORM_REGEX;
    form->file = "--regex";
    return cli_text_append(&form->text, a->regex, strlen(a->regex), err);
}

struct forma_grammar *form_grammar(enum form_kind kind, const char *text, size_t length,
                                   const struct forma_vocabulary *vocabulary,
                                   const struct forma_options *options, struct forma_error *err) {
    return kind == FORM_REGEX
               ? forma_grammar_from_regex(text, length, vocabulary, options, err)
               : forma_grammar_from_json_schema(text, length, vocabulary, options, err);
}

enum forma_status form_compile(struct form *form, const struct forma_vocabulary *vocabulary,
                               struct forma_error *err) {
    form->grammar = form_grammar(form->kind, form->text.data, form->text.length, vocabulary,
                                 &form->options, err);
    return form->grammar ? FORMA_OK : err->status;
}

void form_free(struct form *form) {
    forma_grammar_free(form->grammar);
    cli_text_free(&form->text);
    documents_free(&form->documents);
    form->grammar = NULL;
}
