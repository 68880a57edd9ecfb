/* SPDX-License-Identifier: MIT
 *
 * forma explain of a schema: a table with a line for every keyword, what becomes of it and why, and
 * the verdict below it. All lines are kept until the last, so that columns are as wide as they must
 * be; nothing is cut.
 */
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "cli/explain.h"

struct rules {
    struct arena arena; /* the texts, which end with the call */
    ARENA_VEC(struct forma_rule) all;
    size_t count[FORMA_RULE_COUNT];
    size_t pointer_width, keyword_width; /* in characters */
};

/* ---- gathering ---------------------------------------------------------------------------- */

/* Wider ones do not widen the column: their line is the wider. */
#define POINTER_WIDTH_MAX 60
#define KEYWORD_WIDTH_MAX 24

static size_t characters(const char *text) {
    size_t n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static void widen(size_t *width, const char *text, size_t most) {
    size_t n = characters(text);
    if (n > *width && n <= most) *width = n;
}

static const char *keep(struct rules *r, const char *text) {
    return arena_push_copy(&r->arena, text, strlen(text) + 1);
}

static void take_rule(void *ctx, const struct forma_rule *rule) {
    struct rules *r = ctx;
    const struct forma_rule *last = r->all.count ? &r->all.data[r->all.count - 1] : NULL;
    bool same = last && !strcmp(last->pointer, rule->pointer); /* mostly: one copy will do */
    struct forma_rule copy = {same ? last->pointer : keep(r, rule->pointer), keep(r, rule->keyword),
                              rule->status, keep(r, rule->reason)};
    if (!ARENA_VEC_GROW(&r->arena, &r->all) || r->arena.failed) return;
    r->all.data[r->all.count++] = copy;
    r->count[rule->status]++;
    widen(&r->pointer_width, rule->pointer, POINTER_WIDTH_MAX);
    widen(&r->keyword_width, rule->keyword, KEYWORD_WIDTH_MAX);
}

/* ---- a table ------------------------------------------------------------------------------ */

static const char *colour_of(enum forma_rule_status status) {
    switch (status) {
    case FORMA_RULE_ENFORCED: return "\033[32m";
    case FORMA_RULE_IGNORED:
    case FORMA_RULE_UNKNOWN: return "\033[33m";
    case FORMA_RULE_REFUSED:
    case FORMA_RULE_NEVER: return "\033[31m";
    default: return "\033[2m";
    }
}

static void print_cell(const char *text, size_t width) {
    size_t n = characters(text);
    cli_print_words(stdout, text, strlen(text));
    printf("%*s", (int)(n < width ? width - n : 0) + 2, "");
}

static void print_rule(const struct rules *r, const struct forma_rule *x, bool colour) {
    print_cell(*x->pointer ? x->pointer : "(root)", r->pointer_width);
    print_cell(*x->keyword ? x->keyword : "-", r->keyword_width);
    printf("%s%-10s%s  ", colour ? colour_of(x->status) : "", forma_strrule(x->status),
           colour ? "\033[0m" : "");
    puts(x->reason); /* one line, as errors are */
}

/* "8 enforced, 2 ignored; draft 2020-12" */
static void print_summary(const struct rules *r, const char *draft) {
    const char *separator = "";
    for (int i = 0; i < FORMA_RULE_COUNT; i++) {
        if (!r->count[i]) continue;
        bool noun = i == FORMA_RULE_ANNOTATION && r->count[i] != 1;
        printf("%s%zu %s%s", separator, r->count[i], forma_strrule((enum forma_rule_status)i),
               noun ? "s" : "");
        separator = ", ";
    }
    fputs(*separator ? "" : "no keywords", stdout);
    if (*draft) printf("; draft %s", draft);
    putchar('\n');
}

static void print_table(struct rules *r, const struct form *form, const char *draft,
                        const struct forma_error *err) {
    bool colour = cli_has_colour(stdout);
    widen(&r->pointer_width, "(root)", POINTER_WIDTH_MAX);
    for (uint32_t i = 0; i < r->all.count; i++) print_rule(r, &r->all.data[i], colour);
    print_summary(r, draft);
    const char *off = colour ? "\033[0m" : "";
    if (err->status == FORMA_OK) {
        printf("%scompiles%s\n", colour ? "\033[32m" : "", off);
        return;
    }
    char why[1024];
    cli_error_text(err, why, sizeof why);
    printf("%sdoes not compile%s: %s: %s\n", colour ? "\033[31m" : "", off, form->file, why);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void print_string(const char *text) {
    cli_json_string(stdout, text, strlen(text));
}

static void print_json(const struct rules *r, const struct form *form, const char *draft,
                       const struct forma_error *err) {
    printf("{\"compiles\": %s, ", err->status == FORMA_OK ? "true" : "false");
    if (err->status != FORMA_OK) {
        fputs("\"error\": ", stdout);
        cli_print_error(form->file, err);
        fputs(", ", stdout);
    }
    printf(*draft ? "\"draft\": \"%s\", \"rules\": [" : "\"draft\": null, \"rules\": [", draft);
    for (uint32_t i = 0; i < r->all.count; i++) {
        const struct forma_rule *x = &r->all.data[i];
        printf("%s\n  {\"pointer\": ", i ? "," : "");
        print_string(x->pointer);
        fputs(", \"keyword\": ", stdout);
        if (*x->keyword || x->status != FORMA_RULE_NEVER)
            print_string(x->keyword);
        else
            fputs("null", stdout);
        printf(", \"status\": \"%s\", \"reason\": ", forma_strrule(x->status));
        print_string(x->reason);
        putchar('}');
    }
    fputs(r->all.count ? "\n], \"summary\": {" : "], \"summary\": {", stdout);
    for (int i = 0; i < FORMA_RULE_COUNT; i++)
        printf("%s\"%s\": %zu", i ? ", " : "", forma_strrule((enum forma_rule_status)i),
               r->count[i]);
    puts("}}");
}

/* ---- both --------------------------------------------------------------------------------- */

/* A form that is no schema is one rule. */
static void explain_expression(struct form *form, struct rules *rules, struct forma_error *err) {
    bool compiles = form_compile(form, NULL, err) == FORMA_OK;
    const struct forma_rule rule = {
        "", "regex",
        compiles                      ? FORMA_RULE_ENFORCED
        : err->status == FORMA_EUNSAT ? FORMA_RULE_NEVER
                                      : FORMA_RULE_REFUSED,
        compiles ? "the whole text matches the expression: ECMA-262, with the u flag"
                 : err->message};
    take_rule(rules, &rule);
}

static void gather(struct form *form, struct rules *rules, const char **draft,
                   struct forma_error *err) {
    *draft = "";
    if (form->kind == FORM_SCHEMA)
        forma_explain_json_schema(form->text.data, form->text.length, &form->options, take_rule,
                                  rules, draft, err);
    else
        explain_expression(form, rules, err);
    if (rules->arena.failed)
        error_set(err, FORMA_ELIMIT, "the table of rules needs more memory; raise max_memory");
}

int explain_schema(const struct explain_request *r) {
    struct rules rules;
    struct forma_error err;
    const char *draft;
    struct form *form = r->form;
    memset(&rules, 0, sizeof rules);
    error_clear(&err);
    if (arena_init(&rules.arena, fa_default_allocator(), form->options.max_memory))
        gather(form, &rules, &draft, &err);
    else
        error_set(&err, FORMA_EMEMORY, "no memory for a table of rules");
    int status = err.status == FORMA_OK ? CLI_OK : cli_exit_status(err.status);
    if (err.status != FORMA_OK && (rules.arena.failed || !rules.all.count))
        cli_fail(r->json, form->file, &err);
    else if (r->json)
        print_json(&rules, form, draft, &err);
    else
        print_table(&rules, form, draft, &err);
    arena_destroy(&rules.arena);
    return status;
}
