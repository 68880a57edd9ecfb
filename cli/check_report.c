/* SPDX-License-Identifier: MIT */
#include "cli/check_report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/interrupt.h"

#define PROGRESS_MS 100
#define SHOWN_BYTES 120 /* of a judged text in a line */

enum forma_status report_open(struct check_report *r, const struct common_args *common,
                              struct forma_error *err) {
    *r = (struct check_report){.common = common};
    r->progress = !common->quiet && isatty(STDERR_FILENO);
    r->shown_ms = clock_ms();
    if (!common->json) return FORMA_OK;
    r->failures = open_memstream(&r->kept, &r->kept_length);
    return r->failures ? FORMA_OK : error_set(err, FORMA_EMEMORY, "no memory for the report");
}

void report_close(struct check_report *r) {
    report_still(r);
    if (r->failures) fclose(r->failures);
    free(r->kept);
    r->failures = NULL;
    r->kept = NULL;
}

/* ---- failures ----------------------------------------------------------------------------- */

void report_place(const struct check_place *place, char *out, size_t capacity) {
    struct text t;
    text_init(&t, out, capacity);
    text_add(&t, "%s:%zu", place->file, place->line);
    if (place->id) text_add(&t, ": %.*s", (int)place->id_length, place->id);
    if (place->test) text_add(&t, ": %.*s", (int)place->test_length, place->test);
}

/* Bytes of the text that a line shows: whole characters. */
static size_t shown_length(const char *text, size_t length) {
    if (length <= SHOWN_BYTES) return length;
    size_t n = SHOWN_BYTES;
    while (n > SHOWN_BYTES - 4 && ((unsigned char)text[n] & 0xC0) == 0x80) n--;
    return n;
}

static void print_failure(const struct check_failure *f) {
    printf("%s:%zu: ", f->place.file, f->place.line);
    if (f->place.id) {
        cli_print_quoted(stdout, f->place.id, f->place.id_length);
        fputs(": ", stdout);
    }
    if (f->place.test) {
        cli_print_quoted(stdout, f->place.test, f->place.test_length);
        fputs(": ", stdout);
    }
    fputs(f->what, stdout);
    if (f->text) {
        size_t n = shown_length(f->text, f->text_length);
        fputs(" '", stdout);
        cli_print_quoted(stdout, f->text, n);
        fputs(n < f->text_length ? "...'" : "'", stdout);
    }
    printf(": expected %s, got %s", f->expected, f->got);
    if (f->detail[0]) printf(" (%s)", f->detail);
    if (f->verdicts != 1) printf(" [%zu verdicts]", f->verdicts);
    putchar('\n');
}

static void text_member(FILE *out, const char *name, const char *text, size_t length) {
    fprintf(out, ", \"%s\": ", name);
    if (text)
        cli_json_string(out, text, length);
    else
        fputs("null", out);
}

static void keep_failure(struct check_report *r, const struct check_failure *f) {
    FILE *out = r->failures;
    fputs(ftell(out) > 0 ? ", " : "", out);
    fputs("{\"file\": ", out);
    cli_json_string(out, f->place.file, strlen(f->place.file));
    fprintf(out, ", \"line\": %zu", f->place.line);
    text_member(out, "id", f->place.id, f->place.id_length);
    text_member(out, "test", f->place.test, f->place.test_length);
    text_member(out, "what", f->what, strlen(f->what));
    text_member(out, "text", f->text, f->text_length);
    text_member(out, "expected", f->expected, strlen(f->expected));
    text_member(out, "got", f->got, strlen(f->got));
    text_member(out, "detail", f->detail, strlen(f->detail));
    fprintf(out, ", \"verdicts\": %zu}", f->verdicts);
}

void report_fail(struct check_report *r, const struct check_failure *f) {
    r->failed += f->verdicts;
    report_still(r);
    if (r->failures)
        keep_failure(r, f);
    else if (!r->common->quiet)
        print_failure(f);
}

/* ---- progress ----------------------------------------------------------------------------- */

void report_progress(struct check_report *r) {
    if (!r->progress || clock_ms() - r->shown_ms < PROGRESS_MS) return;
    fflush(stdout); /* the same terminal, perhaps */
    fprintf(stderr, "\r%zu passed, %zu failed\033[K", r->passed, r->failed);
    r->shown_ms = clock_ms();
}

void report_still(struct check_report *r) {
    if (r->progress) fputs("\r\033[K", stderr);
}

/* ---- sums --------------------------------------------------------------------------------- */

enum forma_status report_end(struct check_report *r, struct forma_error *err) {
    report_still(r);
    if (!r->failures || (fflush(r->failures) == 0 && !ferror(r->failures))) return FORMA_OK;
    return error_set(err, FORMA_EMEMORY, "no memory for the report; leave out --json");
}

int report_sums(struct check_report *r, const char *more) {
    bool cancelled = interrupt_came();
    if (r->common->json) {
        printf("{\"passed\": %zu, \"failed\": %zu, \"skipped\": %zu%s%s, \"failures\": [%s]}\n",
               r->passed, r->failed, r->skipped, cancelled ? ", \"cancelled\": true" : "", more,
               r->kept ? r->kept : "");
    } else if (!r->common->quiet) {
        printf("%zu passed, %zu failed", r->passed, r->failed);
        if (r->skipped) printf(", %zu skipped", r->skipped);
        puts(cancelled ? ", cancelled" : "");
    }
    if (cancelled) return CLI_CANCELLED;
    return r->failed ? CLI_NO : CLI_OK;
}
