/* SPDX-License-Identifier: MIT
 *
 * What the runners of `forma check` tell: a line for each failure while they run, the sums at the
 * end, progress on a terminal. Under --json failures are kept, because the sums come first and
 * because a broken file makes the whole output an error.
 */
#ifndef FORMA_CLI_CHECK_REPORT_H
#define FORMA_CLI_CHECK_REPORT_H

#include "cli/options.h"

struct check_report {
    const struct common_args *common;
    size_t passed, failed, skipped; /* verdicts */
    bool progress;                  /* stderr is a terminal that wants to know */
    double shown_ms;                /* when progress was last written */
    FILE *failures;                 /* --json: written here, an array without its brackets */
    char *kept;
    size_t kept_length;
};

/* Which case: of a cases file by its id, of a suite by the descriptions of group and test. */
struct check_place {
    const char *file;
    size_t line;
    const char *id, *test; /* may be NULL */
    size_t id_length, test_length;
};

struct check_failure {
    struct check_place place;
    size_t verdicts;  /* that fail by it; 1 unless the form did not compile */
    const char *what; /* "valid text", "dead prefix", "schema" ... */
    const char *text; /* that was judged, or NULL */
    size_t text_length;
    const char *expected; /* "accepted" ... */
    const char *got;      /* "refused", "a limit" ... */
    const char *detail;   /* where and why; may be "" */
};

enum forma_status report_open(struct check_report *r, const struct common_args *common,
                              struct forma_error *err);
void report_fail(struct check_report *r, const struct check_failure *f);
/* "FILE:LINE: ID: TEST", cut to `capacity`. */
void report_place(const struct check_place *place, char *out, size_t capacity);
/* May rewrite the line of progress. */
void report_progress(struct check_report *r);
/* Ends the line of progress. */
void report_still(struct check_report *r);
/* Call before the sums: were all failures kept? */
enum forma_status report_end(struct check_report *r, struct forma_error *err);
/* The last line; under --json the object, with `more` (members, or "") in it; both say so if the run
 * was interrupted. Returns the exit status. */
int report_sums(struct check_report *r, const char *more);
void report_close(struct check_report *r);

#endif
