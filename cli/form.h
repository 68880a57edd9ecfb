/* SPDX-License-Identifier: MIT
 *
 * The form on the command line: --schema or --regex, the documents that it refers to, the styles, the limits;
 * read, then compiled. Names that interface texts promise but forma cannot do yet are refused by
 * name.
 */
#ifndef FORMA_CLI_FORM_H
#define FORMA_CLI_FORM_H

#include "cli/documents.h"

enum form_kind { FORM_NONE, FORM_SCHEMA, FORM_REGEX };

struct form_args {
    const char *schema, *regex;
    int keys, numbers, escapes, draft, formats, dialect; /* -1: not given */
    const char *blanks;
    bool exact;
    struct option_list refs;
    const char *remotes;
    size_t max_bytes, max_nesting, max_memory, max_work, max_nodes,
        max_states;                           /* SIZE_MAX: not given */
    size_t max_documents, max_document_bytes; /* SIZE_MAX: not given */
    uint32_t max_compile_ms;                  /* UINT32_MAX: not given */
};
void form_args_init(struct form_args *a);
/* The limits become what they are where none is given. */
void form_args_set_limits(struct form_args *a);
/* Is there a form? Does it come from stdin? */
bool form_is_given(const struct form_args *a);
bool form_is_stdin(const struct form_args *a);

/* The first N_FORMS of form_options name a form, the others say how it is read. */
#define N_FORMS 2
extern const struct option form_options[], style_options[], limit_options[];
extern const size_t n_form_options, n_style_options, n_limit_options;

struct form {
    enum form_kind kind;
    const char *file;     /* for messages: the file's name, or the option that holds the text */
    struct cli_text text; /* the schema, the pattern */
    struct forma_options options;
    struct documents documents;
    const struct common_args *common;
    struct forma_grammar *grammar;
};

/* Settles the options and reads the documents. On failure form->file is the document to name, or
 * NULL. */
enum forma_status form_settle(struct form *form, const struct form_args *a,
                              const struct common_args *common, bool exact,
                              struct forma_error *err);
/* Hands the documents to the options; again when more were added to form->documents. */
enum forma_status form_settle_documents(struct form *form, struct forma_error *err);
/* The same, and reads the form. Without a form, form->file stays NULL.
 * `exact`: the command's default style. Errors of the form's text belong to form->file, others
 * (err->pointer empty, file NULL) to the command line. */
enum forma_status form_load(struct form *form, const struct form_args *a,
                            const struct common_args *common, bool exact, struct forma_error *err);
/* A grammar from a text of some kind; NULL on failure. */
struct forma_grammar *form_grammar(enum form_kind kind, const char *text, size_t length,
                                   const struct forma_vocabulary *vocabulary,
                                   const struct forma_options *options, struct forma_error *err);
enum forma_status form_compile(struct form *form, const struct forma_vocabulary *vocabulary,
                               struct forma_error *err);
void form_free(struct form *form);

/* A forma_log_fn whose context is a form: names form->file, heeds -q and -v. */
void form_log(void *form, int level, const char *pointer, const char *message);

/* --tokenizer with its --eos options. NULL on failure. */
struct forma_vocabulary *cli_open_vocabulary(const char *file, const struct option_list *ends,
                                             struct forma_error *err);

/* By the words of the options, for texts that carry options of their own: "keys", "any". False when
 * there is no such style or value. */
bool form_style_by_name(const char *style, const char *value, struct forma_style *out);
bool form_draft_by_name(const char *name, enum forma_draft *out);
bool form_formats_by_name(const char *name, enum forma_formats *out);

#endif
