/* SPDX-License-Identifier: MIT
 *
 * What the runners of `forma check` have in common: a form is compiled, texts are put to it, and
 * what was not as expected is reported.
 */
#include <stdio.h>

#include "base/clock.h"
#include "cli/check.h"
#include "cli/interrupt.h"

static const struct {
    const char *name, *what, *expected;
    bool partial, accepted; /* read as a beginning? what is right? */
} questions[CHECK_QUESTIONS] = {
    {"valid", "valid text", "accepted", false, true},
    {"invalid", "invalid text", "refused", false, false},
    {"viable", "viable prefix", "viable", true, true},
    {"dead", "dead prefix", "dead", true, false},
};

const char *check_question_name(enum check_question q) {
    return questions[q].name;
}

enum forma_status check_compile(struct check_run *run, struct check_subject *s,
                                struct check_form form, const struct forma_options *options,
                                struct forma_error *err) {
    /* Texts are read byte by byte and one at a time: no masks, nothing to take back. */
    struct forma_matcher_options matcher = {0};
    struct forma_options own = *options;
    struct form log = {.common = run->common};
    char name[512];
    report_place(&s->place, name, sizeof name);
    log.file = name;
    own.log = run->common->verbose ? form_log : NULL;
    own.log_ctx = &log;
    double start = clock_ms();
    s->grammar = form_grammar(form.kind, form.text, form.length, run->vocabulary, &own, err);
    s->compile_ms = clock_ms() - start;
    if (!s->grammar) return err->status;
    s->matcher = forma_matcher_new(s->grammar, run->vocabulary, &matcher, err);
    return s->matcher ? FORMA_OK : err->status;
}

void check_subject_free(struct check_subject *s) {
    forma_matcher_free(s->matcher);
    forma_grammar_free(s->grammar);
    s->matcher = NULL;
    s->grammar = NULL;
}

void check_judge(struct check_run *run, struct check_subject *s, enum check_question q,
                 const char *text, size_t length) {
    struct verdict v;
    struct forma_error err;
    char detail[1200] = "";
    struct text t;
    if (interrupt_came()) return; /* the sums are of what was judged */
    text_init(&t, detail, sizeof detail);
    forma_matcher_reset(s->matcher);
    enum forma_status status =
        verdict_of_text(s->matcher, text, length, questions[q].partial, &v, &err);
    if (status == FORMA_OK && v.accepted == questions[q].accepted) {
        run->report.passed++;
        return;
    }
    const char *got = questions[q].partial ? "viable" : "accepted";
    if (status == FORMA_OK && !v.accepted) {
        got = questions[q].partial ? "dead" : "refused";
        verdict_describe(&v, &t);
    } else if (status != FORMA_OK) {
        got = status == FORMA_ELIMIT ? "a limit" : "an error";
        cli_error_text(&err, detail, sizeof detail);
    }
    report_fail(&run->report, &(struct check_failure){.place = s->place,
                                                      .verdicts = 1,
                                                      .what = questions[q].what,
                                                      .text = text,
                                                      .text_length = length,
                                                      .expected = questions[q].expected,
                                                      .got = got,
                                                      .detail = detail});
}

void check_refused(struct check_run *run, const struct check_subject *s, size_t verdicts,
                   const struct forma_error *why) {
    char detail[1200];
    cli_error_text(why, detail, sizeof detail);
    report_fail(&run->report,
                &(struct check_failure){.place = s->place,
                                        .verdicts = verdicts,
                                        .what = "schema",
                                        .expected = "a form",
                                        .got = why->status == FORMA_ELIMIT ? "a limit" : "an error",
                                        .detail = detail});
}
