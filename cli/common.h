/* SPDX-License-Identifier: MIT
 *
 * What every command of the `forma` program shares: exit statuses, the one form of an error,
 * reading whole files, JSON output, and the end of stdout. A command is
 * `int cmd_name(int argc, char **argv)`, argv[0] its own name; it returns the exit status.
 *
 * Results go to stdout, all else to stderr. An error is one sentence,
 * `forma: FILE: PLACE: what is wrong; what to do`; under --json it is an object on stdout.
 */
#ifndef FORMA_CLI_COMMON_H
#define FORMA_CLI_COMMON_H

#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"

enum cli_exit {
    CLI_OK = 0,          /* done, yes */
    CLI_NO = 1,          /* text refused, a case failed, output cut by a limit */
    CLI_WRONG = 2,       /* the request was wrong */
    CLI_FAULT = 3,       /* input/output, memory, internal */
    CLI_CANCELLED = 130, /* Ctrl-C */
};

int cmd_generate(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_mask(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_sample(int argc, char **argv);
int cmd_tokenize(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_bench(int argc, char **argv);

/* ---- errors ------------------------------------------------------------------------------- */

/* The exit status that belongs to a failure. */
int cli_exit_status(enum forma_status status);

/* "PLACE: what is wrong; what to do", cut to `capacity`. */
void cli_error_text(const struct forma_error *err, char *out, size_t capacity);

/* The library speaks of max_work where the command line has --max-work: the message with the names
 * of options in it, cut to `capacity`. */
void cli_name_options(const char *message, char *out, size_t capacity);

/* "raise --max-work", or that no option helps, for bits of enum forma_limit. */
void cli_limit_advice(unsigned limits, char *out, size_t capacity);

/* Prints the error, as a sentence on stderr or, with `json`, as an object on stdout. `file` may
 * be NULL. Returns the exit status. */
int cli_fail(bool json, const char *file, const struct forma_error *err);

/* The same for a wrong request without a place: exit status 2. */
__attribute__((format(printf, 2, 3))) int cli_wrong(bool json, const char *format, ...);

/* The object of an error alone, on stdout, for results that hold one. */
void cli_print_error(const char *file, const struct forma_error *err);

/* Is --json among the arguments? Known before the options are parsed, so that their own errors
 * take the right form. */
bool cli_wants_json(int argc, char **argv);

/* ---- input -------------------------------------------------------------------------------- */

struct cli_text {
    char *data; /* terminated with a NUL that `length` does not count */
    size_t length, capacity;
};

/* A file's name in messages: `-` is stdin. */
const char *cli_file_name(const char *path);
/* A whole file of at most `max` bytes (devices and pipes may have no end); "-" is stdin. */
#define CLI_MAX_TEXT ((size_t)1 << 30)
enum forma_status cli_read_file(const char *path, size_t max, struct cli_text *out,
                                struct forma_error *err);
enum forma_status cli_text_append(struct cli_text *t, const char *data, size_t length,
                                  struct forma_error *err);
void cli_text_free(struct cli_text *t);

/* ---- output ------------------------------------------------------------------------------- */

/* A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void cli_json_string(FILE *out, const char *text, size_t length);
/* A JSON number, or null for what is not finite. `digits` after the point. */
void cli_json_number(FILE *out, double value, int digits);

/* Text for a terminal: control bytes and bytes that are not UTF-8 as \n, \t, \xNN. */
void cli_print_quoted(FILE *out, const char *text, size_t length);
/* The same, but a backslash stays one: pointers, patterns and JSON can be copied as they stand. */
void cli_print_words(FILE *out, const char *text, size_t length);

/* May escape sequences for colour be written there? (A terminal that is not dumb, and
 * NO_COLOR is not set.) */
bool cli_has_colour(FILE *out);

/* Call last: flushes stdout and turns a write failure into exit status 3 (silently when the
 * reader has gone). Returns the status to exit with. */
int cli_finish(bool json, int status);

#endif
