/* SPDX-License-Identifier: MIT
 *
 * forma check --suite: the layout of the official JSON-Schema-Test-Suite.
 *
 *     DIR/tests/draft7/            required tests
 *     DIR/tests/draft7/optional/   with --optional; these assert formats and contents
 *     DIR/remotes/                 what references reach, at http://localhost:1234/
 *
 * DIR may also be tests/, one draft, a directory inside it or one file: what a file is for is read
 * off its real path. A file is a list of groups, a group a schema with tests; a schema that is
 * refused for having no value refuses every instance, as it should.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "cli/files.h"
#include "cli/interrupt.h"

#define SUITE_MAX_FILES ((size_t)10000)

static const char *const draft_names[] = {"4", "6", "7", "2019-09", "2020-12"};
#define N_DRAFTS (sizeof draft_names / sizeof *draft_names)

struct sums {
    size_t passed, failed;
    bool any;
};

struct suite {
    struct check_run *run;
    bool all;                          /* optional tests too */
    struct sums sums[N_DRAFTS + 1][2]; /* by draft, the last without; required, optional */
    size_t n_files;
};

/* What the path of a file says. */
struct layout {
    size_t draft;       /* index, or N_DRAFTS */
    size_t draft_start; /* where "draft7" begins in the path */
    bool optional;
};

static struct layout layout_of(const char *path) {
    struct layout l = {.draft = N_DRAFTS};
    for (const char *p = path; (p = strchr(p, '/')) != NULL;) {
        size_t n = strcspn(++p, "/");
        if (n > 5 && !memcmp(p, "draft", 5)) {
            for (size_t i = 0; i < N_DRAFTS; i++)
                if (strlen(draft_names[i]) == n - 5 && !memcmp(draft_names[i], p + 5, n - 5))
                    l = (struct layout){.draft = i, .draft_start = (size_t)(p - path)};
        }
        if (n == 8 && !memcmp(p, "optional", n)) l.optional = true;
    }
    return l;
}

/* ---- one file ----------------------------------------------------------------------------- */

struct suite_file {
    struct suite *suite;
    struct cli_text text;
    struct forma_options options;
    size_t line, line_at; /* the line of an offset that was asked for: offsets grow */
};

static size_t line_of(struct suite_file *f, size_t offset) {
    for (; f->line_at < offset; f->line_at++) f->line += f->text.data[f->line_at] == '\n';
    return f->line;
}

static enum forma_status wrong(const struct suite_file *f, const struct json_value *v,
                               const char *what, struct forma_error *err) {
    return error_at_text(err, FORMA_EINVAL, f->text.data, f->text.length, v->offset,
                         "%s; is this a file of the JSON-Schema-Test-Suite?", what);
}

static void set_test(struct suite_file *f, struct check_place *place,
                     const struct json_value *test) {
    const struct json_value *name = json_find(test, "description");
    bool named = name && name->kind == JSON_STRING;
    place->line = line_of(f, test->offset);
    place->test = named ? name->text : NULL;
    place->test_length = named ? name->length : 0;
}

static enum forma_status check_group(const struct suite_file *f, const struct json_value *group,
                                     struct forma_error *err) {
    const struct json_value *tests = json_find(group, "tests");
    if (!json_find(group, "schema"))
        return wrong(f, group, "a group of tests is an object with a \"schema\"", err);
    if (!tests || tests->kind != JSON_ARRAY)
        return wrong(f, group, "a group of tests has a list of \"tests\"", err);
    for (uint32_t i = 0; i < tests->count; i++) {
        const struct json_value *test = &tests->items[i], *valid = json_find(test, "valid");
        if (!json_find(test, "data") || !valid ||
            (valid->kind != JSON_TRUE && valid->kind != JSON_FALSE))
            return wrong(f, test, "a test is an object with \"data\" and \"valid\", true or false",
                         err);
    }
    return FORMA_OK;
}

static void judge_group(struct suite_file *f, struct check_subject *s,
                        const struct json_value *tests) {
    for (uint32_t i = 0; i < tests->count; i++) {
        const struct json_value *test = &tests->items[i], *data = json_find(test, "data");
        bool valid = json_find(test, "valid")->kind == JSON_TRUE;
        set_test(f, &s->place, test);
        check_judge(f->suite->run, s, valid ? CHECK_VALID : CHECK_INVALID,
                    f->text.data + data->offset, json_source_length(f->text.data, data));
    }
}

/* The schema has no value, so no instance is accepted. */
static void judge_without_value(struct suite_file *f, struct check_subject *s,
                                const struct json_value *tests, const struct forma_error *why) {
    struct check_report *report = &f->suite->run->report;
    for (uint32_t i = 0; i < tests->count; i++) {
        const struct json_value *test = &tests->items[i], *data = json_find(test, "data");
        if (json_find(test, "valid")->kind == JSON_FALSE) {
            report->passed++;
            continue;
        }
        set_test(f, &s->place, test);
        report_fail(report,
                    &(struct check_failure){.place = s->place,
                                            .verdicts = 1,
                                            .what = "valid text",
                                            .text = f->text.data + data->offset,
                                            .text_length = json_source_length(f->text.data, data),
                                            .expected = "accepted",
                                            .got = "refused",
                                            .detail = why->message});
    }
}

static enum forma_status run_group(struct suite_file *f, const struct json_value *group,
                                   struct forma_error *err) {
    struct check_run *run = f->suite->run;
    enum forma_status status = check_group(f, group, err);
    if (status != FORMA_OK) return status;
    const struct json_value *schema = json_find(group, "schema"),
                            *tests = json_find(group, "tests"),
                            *name = json_find(group, "description");
    struct check_subject s = {
        .place = {.file = run->error_file, .line = line_of(f, group->offset)}};
    struct forma_error why;
    if (name && name->kind == JSON_STRING) {
        s.place.id = name->text;
        s.place.id_length = name->length;
    }
    struct check_form form = {FORM_SCHEMA, f->text.data + schema->offset,
                              json_source_length(f->text.data, schema)};
    status = check_compile(run, &s, form, &f->options, &why);
    if (status == FORMA_OK)
        judge_group(f, &s, tests);
    else if (status == FORMA_EUNSAT)
        judge_without_value(f, &s, tests, &why);
    else if (tests->count)
        check_refused(run, &s, tests->count, &why);
    check_subject_free(&s);
    report_progress(&run->report);
    return FORMA_OK;
}

static enum forma_status run_groups(struct suite_file *f, struct forma_error *err) {
    struct arena arena;
    const struct json_value *root =
        json_source_parse(&arena, f->text.data, f->text.length, JSON_NESTING_CAP, err);
    enum forma_status status = root ? FORMA_OK : err->status;
    size_t n_tests = 0;
    if (root && root->kind != JSON_ARRAY)
        status = wrong(f, root, "the file is not a list of groups of tests", err);
    for (uint32_t i = 0; status == FORMA_OK && i < root->count && !interrupt_came(); i++) {
        status = run_group(f, &root->items[i], err);
        if (status == FORMA_OK) n_tests += json_find(&root->items[i], "tests")->count;
    }
    if (status == FORMA_OK && n_tests == 0 && !interrupt_came())
        status = error_set(err, FORMA_EINVAL, "there is no test in the file");
    arena_destroy(&arena);
    return status;
}

/* `path`: as the user named it; `real`: the same file, for the layout. */
static enum forma_status run_file(struct suite *suite, const char *path, const char *real,
                                  bool keep_draft, struct forma_error *err) {
    struct check_run *run = suite->run;
    struct layout l = layout_of(real);
    if (l.optional && !suite->all) return FORMA_OK;
    struct suite_file f = {.suite = suite, .options = run->form.options, .line = 1};
    size_t row = keep_draft ? (size_t)run->form_args->draft : l.draft;
    struct sums *sums = &suite->sums[row][l.optional];
    struct sums before = {run->report.passed, run->report.failed, true};
    if (l.draft < N_DRAFTS && !keep_draft)
        form_draft_by_name(draft_names[l.draft], &f.options.draft);
    if (run->form_args->formats < 0)
        f.options.formats = l.optional ? FORMA_FORMATS_ASSERT : FORMA_FORMATS_ANNOTATE;
    run->error_file = path;
    enum forma_status status = cli_read_file(path, CLI_MAX_TEXT, &f.text, err);
    if (status == FORMA_OK) status = run_groups(&f, err);
    cli_text_free(&f.text);
    sums->passed += run->report.passed - before.passed;
    sums->failed += run->report.failed - before.failed;
    sums->any = true;
    suite->n_files++;
    return status;
}

/* ---- the tree ----------------------------------------------------------------------------- */

static enum forma_status no_memory(struct forma_error *err) {
    return error_set(err, FORMA_EMEMORY, "no memory for a path");
}

static enum forma_status run_directory(struct suite *suite, const char *directory, bool keep_draft,
                                       struct forma_error *err) {
    struct file_list files;
    char real[PATH_MAX];
    suite->run->error_file = suite->run->args->suite;
    if (!realpath(directory, real))
        return error_set(err, FORMA_EIO, "cannot open the directory (%s); check the path",
                         strerror(errno));
    enum forma_status status = files_below(directory, ".json", SUITE_MAX_FILES, &files, err);
    for (size_t i = 0; i < files.count && status == FORMA_OK && !interrupt_came(); i++) {
        char *path = files_join(directory, files.paths[i]);
        char *real_path = files_join(real, files.paths[i]);
        status =
            path && real_path ? run_file(suite, path, real_path, keep_draft, err) : no_memory(err);
        /* The file that a failure is about has to be named after this. */
        if (status != FORMA_OK && path) {
            free(suite->run->error_path);
            suite->run->error_file = suite->run->error_path = path;
            path = NULL;
        }
        free(path);
        free(real_path);
    }
    files_free(&files);
    return status;
}

/* The drafts below a directory, or all of it when it holds none. */
static enum forma_status run_drafts(struct suite *suite, const char *directory,
                                    struct forma_error *err) {
    int wanted = suite->run->form_args->draft;
    bool any = false;
    enum forma_status status = FORMA_OK;
    for (size_t i = 0; i < N_DRAFTS && status == FORMA_OK && !interrupt_came(); i++) {
        char name[16];
        snprintf(name, sizeof name, "draft%s", draft_names[i]);
        char *path = files_join(directory, name);
        if (!path) return no_memory(err);
        if (files_is_directory(path)) {
            any = true;
            if (wanted < 0 || (size_t)wanted == i) status = run_directory(suite, path, false, err);
        }
        free(path);
    }
    return any ? status : run_directory(suite, directory, wanted >= 0, err);
}

/* Beside the tests of the suite lie the documents that they refer to. */
static enum forma_status find_remotes(struct check_run *run, const char *real,
                                      struct forma_error *err) {
    struct layout l = layout_of(real);
    char path[PATH_MAX + 16];
    size_t n = l.draft < N_DRAFTS ? l.draft_start - 1 : strlen(real); /* to .../tests */
    memcpy(path, real, n);
    if (n >= 6 && !memcmp(path + n - 6, "/tests", 6)) n -= 6;
    snprintf(path + n, sizeof path - n, "/remotes");
    if (!files_is_directory(path)) return FORMA_OK;
    enum forma_status status = documents_add_remotes(&run->form.documents, path, err);
    if (status == FORMA_OK) status = form_settle_documents(&run->form, err);
    if (status != FORMA_OK) run->error_file = run->form.documents.file;
    return status;
}

static void print_sums(const struct suite *suite, struct cli_text *more, struct forma_error *err) {
    const struct common_args *common = suite->run->common;
    char line[256];
    bool first = true;
    for (size_t i = 0; i <= N_DRAFTS; i++) {
        for (size_t j = 0; j < 2; j++) {
            const struct sums *s = &suite->sums[i][j];
            const char *draft = i < N_DRAFTS ? draft_names[i] : NULL;
            if (!s->any) continue;
            snprintf(line, sizeof line,
                     "%s{\"draft\": %s%s%s, \"optional\": %s, \"passed\": %zu, \"failed\": %zu}",
                     first ? "" : ", ", draft ? "\"" : "", draft ? draft : "null",
                     draft ? "\"" : "", j ? "true" : "false", s->passed, s->failed);
            first = false;
            cli_text_append(more, line, strlen(line), err);
            if (common->json || common->quiet) continue;
            report_still(&suite->run->report);
            printf("%s%s, %s: %zu passed, %zu failed\n", draft ? "draft " : "no draft",
                   draft ? draft : "", j ? "optional" : "required", s->passed, s->failed);
        }
    }
}

enum forma_status check_suite(struct check_run *run, struct cli_text *more,
                              struct forma_error *err) {
    const char *directory = run->args->suite;
    char real[PATH_MAX];
    struct suite suite = {.run = run, .all = run->args->optional};
    run->error_file = directory;
    if (!realpath(directory, real))
        return error_set(err, FORMA_EIO, "cannot open the suite (%s); check the path",
                         strerror(errno));
    suite.all |= layout_of(real).optional; /* named by itself */
    enum forma_status status = FORMA_OK;
    if (!run->form_args->remotes) status = find_remotes(run, real, err);
    if (status != FORMA_OK) return status;
    interrupt_catch();
    char *tests = files_join(directory, "tests");
    if (!tests) return no_memory(err);
    if (!files_is_directory(directory))
        status = run_file(&suite, directory, real, run->form_args->draft >= 0, err);
    else
        status = run_drafts(&suite, files_is_directory(tests) ? tests : directory, err);
    free(tests);
    if (status != FORMA_OK) return status;
    run->error_file = directory;
    if (suite.n_files == 0 && !interrupt_came())
        return error_set(err, FORMA_EINVAL,
                         "no tests were found; DIR is a JSON-Schema-Test-Suite, its tests/, one of "
                         "its drafts, or a directory of such files");
    error_clear(err);
    cli_text_append(more, ", \"drafts\": [", 13, err);
    print_sums(&suite, more, err);
    cli_text_append(more, "]", 1, err);
    return err->status;
}
