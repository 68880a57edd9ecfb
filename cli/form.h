/* SPDX-License-Identifier: MIT
 *
 * The form on the command line: --schema, the styles, the limits; read, then compiled. Names that
 * interface texts promise but forma cannot do yet are refused by name.
 */
#ifndef FORMA_CLI_FORM_H
#define FORMA_CLI_FORM_H

#include "cli/options.h"

struct form_args {
    const char *schema;
    int keys, numbers, escapes, draft, formats; /* -1: not given */
    const char *blanks;
    bool exact;
    size_t max_bytes, max_nesting, max_memory, max_work; /* SIZE_MAX: not given */
    uint32_t max_compile_ms;                             /* UINT32_MAX: not given */
};
void form_args_init(struct form_args *a);

extern const struct option form_options[], style_options[], limit_options[];
extern const size_t n_form_options, n_style_options, n_limit_options;

struct form {
    const char *file;     /* for messages: the file's name, or "--schema" for text given there */
    struct cli_text text; /* the schema */
    struct forma_options options;
    const struct common_args *common;
    struct forma_grammar *grammar;
};

/* Reads the schema and settles the options. Without a form, form->file stays NULL.
 * `exact`: the command's default style. Errors of the schema's text belong to form->file, others
 * (err->pointer empty, file NULL) to the command line. */
enum forma_status form_load(struct form *form, const struct form_args *a,
                            const struct common_args *common, bool exact, struct forma_error *err);
enum forma_status form_compile(struct form *form, const struct forma_vocabulary *vocabulary,
                               struct forma_error *err);
void form_free(struct form *form);

#endif
