/* SPDX-License-Identifier: MIT
 *
 * forma check --cases: a file of JSON objects, one a line, each a form and texts that it must
 * accept or refuse; docs/testing.md has the members. A line is read completely before it is run: a
 * member of the wrong kind is an error of the file (status 2), not a failed case, because a case
 * that was silently not judged would look like one that passed.
 */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "cli/check.h"
#include "cli/interrupt.h"

#define CASE_NESTING JSON_NESTING_CAP

enum expect { EXPECT_COMPILE, EXPECT_ERROR, EXPECT_EITHER };
#define EXPECT "compile|compile_error|compile_or_error"

struct test_case {
    const char *text; /* the line */
    size_t length, number;
    const struct json_value *root, *member; /* member: that holds the form; NULL: --schema ... */
    struct check_form form;                 /* FORM_NONE: of a kind that is not supported yet */
    enum expect expect;
    struct forma_options options;
    const struct json_value *texts[CHECK_QUESTIONS]; /* NULL: none */
    size_t n_verdicts;                               /* of the texts */
    double max_compile_ms;                           /* INFINITY: no such limit */
    bool unjudged_limit;                             /* some other limit is there */
};

struct cases {
    struct check_run *run;
    struct cli_text scratch; /* a text in parts, put together */
    uint64_t told;           /* names for which another was suggested, by index */
    bool any;                /* lines that are not blank */
};

/* ---- reading a case ----------------------------------------------------------------------- */

static const char *const form_names[] = {"schema", "schema_text", "grammar", "lark",
                                         "regex",  "choice",      "tools"};
static const char *const other_names[] = {
    "valid",  "invalid",     "viable", "dead", "expect", "draft", "formats", "style",
    "limits", "tool_format", "id",     "may",  "kind",   "note",  "source",  "oracle"};
#define N_READERS    6 /* the last ones change no verdict */
#define COUNT(array) (sizeof(array) / sizeof *(array))

__attribute__((format(printf, 4, 5))) static enum forma_status wrong(const struct test_case *c,
                                                                     const struct json_value *v,
                                                                     struct forma_error *err,
                                                                     const char *format, ...) {
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return error_at_text(err, FORMA_EINVAL, c->text, c->length, v->offset, "%s", message);
}

static bool is_word(const struct json_value *v) {
    return v->kind == JSON_STRING && strlen(v->text) == v->length;
}

/* One text of `valid`, `dead` ...: a string, or a list of strings and {"token": string}. */
static bool is_text(const struct json_value *v) {
    if (v->kind == JSON_STRING) return true;
    if (v->kind != JSON_ARRAY) return false;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct json_value *part = &v->items[i], *token = json_find(part, "token");
        bool is_token = token && part->count == 1 && token->kind == JSON_STRING;
        if (part->kind != JSON_STRING && !is_token) return false;
    }
    return true;
}

static enum forma_status read_texts(const struct test_case *c, const char *name,
                                    const struct json_value **out, struct forma_error *err) {
    *out = json_find(c->root, name);
    if (!*out) return FORMA_OK;
    if ((*out)->kind != JSON_ARRAY) return wrong(c, *out, err, "\"%s\" must be a list", name);
    for (uint32_t i = 0; i < (*out)->count; i++)
        if (!is_text(&(*out)->items[i]))
            return wrong(c, &(*out)->items[i], err,
                         "a text in \"%s\" must be a string, or a list of strings and "
                         "{\"token\": NAME}; a JSON value is written as a string of its text",
                         name);
    return FORMA_OK;
}

static enum forma_status read_form(const struct form *given, struct test_case *c,
                                   struct forma_error *err) {
    const char *name = "";
    for (size_t i = 0; i < COUNT(form_names); i++) {
        const struct json_value *v = json_find(c->root, form_names[i]);
        bool over = c->member && i == 1 && !strcmp(name, "schema"); /* schema_text wins */
        if (v && c->member && !over)
            return wrong(c, v, err, "the case has \"%s\" and \"%s\"; it can have one form", name,
                         form_names[i]);
        if (!v) continue;
        c->member = v;
        name = form_names[i];
    }
    if (!c->member && given->file) {
        c->form = (struct check_form){given->kind, given->text.data, given->text.length};
        return FORMA_OK;
    }
    if (!c->member)
        return wrong(c, c->root, err,
                     "the case has no form; give it a \"schema\" or \"regex\", or give --schema or "
                     "--regex for all "
                     "that have none");
    if (!strcmp(name, "schema")) {
        c->form = (struct check_form){FORM_SCHEMA, c->text + c->member->offset,
                                      json_source_length(c->text, c->member)};
    } else if (!strcmp(name, "choice") || !strcmp(name, "tools")) {
        if (c->member->kind != JSON_ARRAY)
            return wrong(c, c->member, err, "\"%s\" must be a list", name);
    } else if (c->member->kind != JSON_STRING) {
        return wrong(c, c->member, err, "\"%s\" must be a string", name);
    } else if (!strcmp(name, "schema_text") || !strcmp(name, "regex")) {
        c->form = (struct check_form){*name == 'r' ? FORM_REGEX : FORM_SCHEMA, c->member->text,
                                      c->member->length};
    }
    return FORMA_OK;
}

static enum forma_status read_style(struct test_case *c, struct forma_error *err) {
    const struct json_value *style = json_find(c->root, "style");
    if (!style) return FORMA_OK;
    if (style->kind != JSON_OBJECT)
        return wrong(c, style, err, "\"style\" must be an object such as {\"keys\": \"any\"}");
    for (uint32_t i = 0; i < style->count; i++) {
        const struct json_member *m = &style->members[i];
        if (!is_word(&m->value) || strlen(m->name) != m->name_length ||
            !form_style_by_name(m->name, m->value.text, &c->options.style))
            return wrong(
                c, &m->value, err,
                "\"style\": \"%.40s\" or its value is not known; known are \"keys\" schema or any, "
                "\"blanks\" compact, natural, any or pretty:N, \"numbers\" "
                "plain or any, \"escapes\" minimal or any",
                m->name);
    }
    return FORMA_OK;
}

static enum forma_status read_limits(struct test_case *c, struct forma_error *err) {
    const struct json_value *limits = json_find(c->root, "limits");
    c->max_compile_ms = INFINITY;
    if (!limits) return FORMA_OK;
    if (limits->kind != JSON_OBJECT)
        return wrong(c, limits, err, "\"limits\" must be an object such as {\"compile_ms\": 100}");
    for (uint32_t i = 0; i < limits->count; i++) {
        const struct json_member *m = &limits->members[i];
        if (m->value.kind != JSON_NUMBER || strtod(m->value.text, NULL) < 0)
            return wrong(c, &m->value, err, "the limit \"%.40s\" must be a number of at least 0",
                         m->name);
        if (!strcmp(m->name, "compile_ms"))
            c->max_compile_ms = strtod(m->value.text, NULL);
        else
            c->unjudged_limit = true;
    }
    return FORMA_OK;
}

static enum forma_status read_options(struct test_case *c, struct forma_error *err) {
    const struct json_value *expect = json_find(c->root, "expect"),
                            *draft = json_find(c->root, "draft"),
                            *formats = json_find(c->root, "formats");
    int index = expect && is_word(expect) ? options_choice(expect->text, EXPECT) : -1;
    if (expect && index < 0)
        return wrong(c, expect, err,
                     "\"expect\" must be one of compile, compile_error or compile_or_error");
    if (expect) c->expect = (enum expect)index;
    char name[16] = "";
    if (draft && (is_word(draft) || draft->kind == JSON_NUMBER)) /* 7 is as good as "7" */
        snprintf(name, sizeof name, "%.*s", (int)draft->length, draft->text);
    if (draft && !form_draft_by_name(name, &c->options.draft))
        return wrong(c, draft, err, "\"draft\" must be one of 4, 6, 7, 2019-09 or 2020-12");
    if (formats && !(is_word(formats) && form_formats_by_name(formats->text, &c->options.formats)))
        return wrong(c, formats, err, "\"formats\" must be assert or annotate");
    enum forma_status status = read_style(c, err);
    return status == FORMA_OK ? read_limits(c, err) : status;
}

/* Members for readers are free. One that is a step from a known one is an error of the file, since
 * texts would not be judged by it; one that is a little farther away (and begins as it does), or like
 * one for readers, is told once. */
static enum forma_status check_names(struct cases *cases, const struct test_case *c,
                                     struct forma_error *err) {
    const char *names[COUNT(form_names) + COUNT(other_names)];
    size_t n = 0;
    for (size_t i = 0; i < COUNT(form_names); i++) names[n++] = form_names[i];
    for (size_t i = 0; i < COUNT(other_names); i++) names[n++] = other_names[i];
    for (uint32_t m = 0; m < c->root->count; m++) {
        const char *name = c->root->members[m].name;
        const char *nearest = options_nearest(name, names, n);
        if (!nearest || !strcmp(nearest, name) || tolower((unsigned char)*name) != *nearest)
            continue;
        size_t index = 0;
        while (names[index] != nearest) index++;
        if (index < n - N_READERS &&
            words_distance(name, strlen(name), nearest, strlen(nearest)) <= 1)
            return error_at_text(
                err, FORMA_EINVAL, c->text, c->length, c->root->members[m].name_offset,
                "\"%.60s\" is no member of a case; did you mean \"%s\"?", name, nearest);
        if (cases->told >> index & 1 || cases->run->common->quiet) continue;
        cases->told |= UINT64_C(1) << index;
        report_still(&cases->run->report);
        fprintf(stderr,
                "forma: %s:%zu: warning: \"%.60s\" is not looked at; did you mean \"%s\"?\n",
                cases->run->error_file, c->number, name, nearest);
    }
    return FORMA_OK;
}

static enum forma_status read_case(struct cases *cases, struct test_case *c,
                                   struct forma_error *err) {
    if (c->root->kind != JSON_OBJECT)
        return wrong(c, c->root, err, "a case is a JSON object, one a line");
    const struct json_value *id = json_find(c->root, "id"), *may;
    if (id && id->kind != JSON_STRING) return wrong(c, id, err, "\"id\" must be a string");
    c->options = cases->run->form.options;
    enum forma_status status = read_form(&cases->run->form, c, err);
    if (status == FORMA_OK) status = read_options(c, err);
    for (int q = 0; q < CHECK_QUESTIONS && status == FORMA_OK; q++) {
        status = read_texts(c, check_question_name((enum check_question)q), &c->texts[q], err);
        if (status == FORMA_OK && c->texts[q]) c->n_verdicts += c->texts[q]->count;
    }
    if (status == FORMA_OK) status = read_texts(c, "may", &may, err);
    return status == FORMA_OK ? check_names(cases, c, err) : status;
}

/* ---- running a case ----------------------------------------------------------------------- */

/* Puts the parts together; false: there is a control token among them. */
static bool put_together(struct cases *cases, const struct json_value *parts,
                         enum forma_status *status, struct forma_error *err) {
    cases->scratch.length = 0;
    *status = cli_text_append(&cases->scratch, "", 0, err);
    for (uint32_t i = 0; i < parts->count && *status == FORMA_OK; i++) {
        if (parts->items[i].kind != JSON_STRING) return false;
        *status =
            cli_text_append(&cases->scratch, parts->items[i].text, parts->items[i].length, err);
    }
    return true;
}

static enum forma_status judge_texts(struct cases *cases, const struct test_case *c,
                                     struct check_subject *s, struct forma_error *err) {
    enum forma_status status = FORMA_OK;
    for (int q = 0; q < CHECK_QUESTIONS; q++) {
        const struct json_value *texts = c->texts[q];
        for (uint32_t i = 0; texts && i < texts->count; i++) {
            const struct json_value *v = &texts->items[i];
            const char *text = v->text;
            size_t length = v->length;
            if (v->kind == JSON_ARRAY) {
                if (!put_together(cases, v, &status, err)) {
                    cases->run->report.skipped++; /* no form has control tokens yet */
                    continue;
                }
                if (status != FORMA_OK) return status;
                text = cases->scratch.data;
                length = cases->scratch.length;
            }
            check_judge(cases->run, s, (enum check_question)q, text, length);
        }
    }
    return FORMA_OK;
}

/* A machine that does something else at the moment must not fail a case: the best of some tries. */
#define COMPILE_TRIES 3

static void judge_limits(struct cases *cases, const struct test_case *c, struct check_subject *s) {
    struct check_report *report = &cases->run->report;
    double best = s->compile_ms;
    char expected[64], got[64];
    if (c->unjudged_limit) report->skipped++;
    if (isinf(c->max_compile_ms)) return;
    for (int i = 1; i < COMPILE_TRIES && best > c->max_compile_ms; i++) {
        struct check_subject again = {.place = s->place};
        struct forma_error ignored;
        check_compile(cases->run, &again, c->form, &c->options, &ignored);
        best = fmin(best, again.compile_ms);
        check_subject_free(&again);
    }
    if (best <= c->max_compile_ms) {
        report->passed++;
        return;
    }
    snprintf(expected, sizeof expected, "at most %.10g ms", c->max_compile_ms);
    snprintf(got, sizeof got, "%.3g ms", best);
    report_fail(report, &(struct check_failure){.place = s->place,
                                                .verdicts = 1,
                                                .what = "time to compile",
                                                .expected = expected,
                                                .got = got,
                                                .detail = ""});
}

/* A fault of the machine says nothing of the schema. */
static bool is_refusal(enum forma_status status) {
    return cli_exit_status(status) == CLI_WRONG;
}

static enum forma_status run_case(struct cases *cases, const struct test_case *c,
                                  struct forma_error *err) {
    struct check_run *run = cases->run;
    const struct json_value *id = json_find(c->root, "id");
    struct check_subject s = {.place = {.file = run->error_file,
                                        .line = c->number,
                                        .id = id ? id->text : NULL,
                                        .id_length = id ? id->length : 0}};
    struct forma_error why;
    size_t n = c->n_verdicts && c->expect != EXPECT_ERROR ? c->n_verdicts : 1;
    if (c->form.kind == FORM_NONE) {
        run->report.skipped += n;
        return FORMA_OK;
    }
    enum forma_status status = check_compile(run, &s, c->form, &c->options, &why);
    bool compiled = status == FORMA_OK;
    if (run->common->verbose) {
        char place[512];
        report_place(&s.place, place, sizeof place);
        fprintf(stderr, "forma: %s: %s in %.3f ms\n", place, compiled ? "compiled" : "refused",
                s.compile_ms);
    }
    status = FORMA_OK;
    if (!compiled && (c->expect == EXPECT_COMPILE || !is_refusal(why.status)))
        check_refused(run, &s, n, &why);
    else if (!compiled || (c->n_verdicts == 0 && c->expect != EXPECT_ERROR))
        run->report.passed++;
    else if (c->expect == EXPECT_ERROR)
        report_fail(&run->report, &(struct check_failure){.place = s.place,
                                                          .verdicts = 1,
                                                          .what = "schema",
                                                          .expected = "an error",
                                                          .got = "a form",
                                                          .detail = "it compiles"});
    else
        status = judge_texts(cases, c, &s, err);
    if (run->args->limits && status == FORMA_OK) judge_limits(cases, c, &s);
    check_subject_free(&s);
    return status;
}

/* ---- the file ----------------------------------------------------------------------------- */

static bool is_blank(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r", line[i]) || !line[i]) return false;
    return true;
}

static enum forma_status run_line(struct cases *cases, const char *line, size_t length,
                                  size_t number, struct forma_error *err) {
    struct arena arena;
    struct test_case c = {.text = line, .length = length, .number = number};
    c.root = json_source_parse(&arena, line, length, CASE_NESTING, err);
    enum forma_status status = c.root ? read_case(cases, &c, err) : err->status;
    size_t n = strlen(err->message); /* a case over several lines ends early in its first */
    if (!c.root && err->line && err->offset >= length)
        snprintf(err->message + n, sizeof err->message - n, "; a case is one line");
    if (status == FORMA_OK) status = run_case(cases, &c, err);
    arena_destroy(&arena);
    report_progress(&cases->run->report);
    return status;
}

enum forma_status check_cases(struct check_run *run, struct forma_error *err) {
    struct cases cases = {.run = run};
    struct cli_text file;
    run->error_file = cli_file_name(run->args->cases);
    enum forma_status status = cli_read_file(run->args->cases, CLI_MAX_TEXT, &file, err);
    size_t number = 1;
    interrupt_catch();
    for (size_t at = 0; at < file.length && status == FORMA_OK && !interrupt_came(); number++) {
        const char *line = file.data + at, *end = memchr(line, '\n', file.length - at);
        size_t length = end ? (size_t)(end - line) : file.length - at;
        bool blank = is_blank(line, length);
        cases.any |= !blank;
        if (!blank) status = run_line(&cases, line, length, number, err);
        if (status != FORMA_OK && err->line) { /* of a line: now of the file */
            err->line = number;
            err->offset += at;
        }
        at += length + 1;
    }
    if (status == FORMA_OK && !cases.any && !interrupt_came())
        status = error_set(err, FORMA_EINVAL, "there is no case in the file");
    cli_text_free(&cases.scratch);
    cli_text_free(&file);
    return status;
}
