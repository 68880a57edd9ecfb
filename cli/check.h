/* SPDX-License-Identifier: MIT
 *
 * `forma check` and its runners: one text (cmd_check.c), a file of cases (check_cases.c), the
 * official test suite (check_suite.c). The runners compile a form for each case, judge its texts,
 * free it, go on; what fails is told as it is found.
 */
#ifndef FORMA_CLI_CHECK_H
#define FORMA_CLI_CHECK_H

#include "cli/check_report.h"
#include "cli/form.h"
#include "cli/json_source.h"
#include "cli/verdict.h"

struct check_args {
    struct option_list ends;
    const char *tokenizer, *cases, *suite;
    bool partial, tokens, limits, optional;
};

/* What a run of cases shares. */
struct check_run {
    const struct check_args *args;
    const struct form_args *form_args;
    const struct common_args *common;
    struct form form; /* its options are each case's defaults, its schema that of cases without */
    struct forma_vocabulary *vocabulary;
    struct check_report report;
    const char *error_file; /* that a failure of the run is about */
    char *error_path;       /* its memory, where it needs one */
};

/* A form under test. */
struct check_subject {
    struct check_place place;
    struct forma_grammar *grammar;
    struct forma_matcher *matcher;
    double compile_ms;
};

/* A form's text, in the memory of whoever read it. */
struct check_form {
    enum form_kind kind;
    const char *text;
    size_t length;
};

/* Compiles the form; on failure `err` says why. Free the subject in either case. */
enum forma_status check_compile(struct check_run *run, struct check_subject *s,
                                struct check_form form, const struct forma_options *options,
                                struct forma_error *err);
void check_subject_free(struct check_subject *s);

enum check_question { CHECK_VALID, CHECK_INVALID, CHECK_VIABLE, CHECK_DEAD };
#define CHECK_QUESTIONS 4
/* "valid", as cases files spell it. */
const char *check_question_name(enum check_question q);

/* Judges one text and reports. */
void check_judge(struct check_run *run, struct check_subject *s, enum check_question q,
                 const char *text, size_t length);
/* Reports that the form did not compile, for so many verdicts. */
void check_refused(struct check_run *run, const struct check_subject *s, size_t verdicts,
                   const struct forma_error *why);

/* The runners. A failure is one of the run (a broken file), not of a case; `more` of the suite:
 * members for the report's JSON object. */
enum forma_status check_cases(struct check_run *run, struct forma_error *err);
enum forma_status check_suite(struct check_run *run, struct cli_text *more,
                              struct forma_error *err);

#endif
