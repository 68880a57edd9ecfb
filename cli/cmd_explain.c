/* SPDX-License-Identifier: MIT
 *
 * forma explain: what a form demands and where that stands. Without a text, every keyword of the
 * schema: is it enforced, and if not, why not? With a text, what may come next and by which rule.
 * With --dot, drawings for Graphviz; with --support, all that forma knows.
 */
#include <string.h>

#include "cli/explain.h"

struct explain_args {
    const char *file;
    int dot;           /* -1: not given */
    size_t dot_states; /* SIZE_MAX: not given */
    bool support;
};

#define DRAWINGS     "region|goal"
#define AT(member)   offsetof(struct explain_args, member)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct option explain_options[] = {
    {"--file", 'f', OPTION_TEXT, AT(file), "FILE", "the text, from a file (- is stdin)", 0, 0},
    {"--dot", 0, OPTION_CHOICE, AT(dot), DRAWINGS,
     "draw for Graphviz, after the text or at the beginning: the automaton of the string, number "
     "or "
     "key that is being read, or the goal that the value must meet",
     0, 0},
    {"--dot-states", 0, OPTION_AMOUNT, AT(dot_states), "N",
     "with --dot region: states that are drawn; default 200", 0, 0},
    {"--support", 0, OPTION_FLAG, AT(support), NULL,
     "everything that forma knows: keywords by draft, formats, styles, limits", 0, 0},
};

struct explain {
    struct explain_args args;
    struct form_args form_args;
    struct common_args common;
    struct form form;
    struct cli_text text;
    const char *error_file;
};

static enum forma_status check_arguments(struct explain *e, int n_words, char **argv,
                                         struct forma_error *err) {
    if (n_words > 1)
        return error_set(err, FORMA_EINVAL, "%d texts; explain takes one (quote it)", n_words);
    if (e->args.support && (n_words || e->args.file || e->args.dot >= 0 ||
                            e->args.dot_states != SIZE_MAX || form_is_given(&e->form_args)))
        return error_set(err, FORMA_EINVAL,
                         "--support is about no form and no text; leave them out");
    if (e->args.support) return FORMA_OK;
    if (!form_is_given(&e->form_args))
        return error_set(err, FORMA_EINVAL,
                         "which form? Give a schema with --schema, or an expression with --regex");
    if (e->args.dot >= 0 && e->common.json)
        return error_set(err, FORMA_EINVAL, "a drawing is no JSON; leave out --json or --dot");
    if (e->args.dot_states != SIZE_MAX && (e->args.dot != 0 || e->args.dot_states < 1))
        return error_set(err, FORMA_EINVAL,
                         e->args.dot ? "--dot-states is about --dot region; leave it out"
                                     : "--dot-states is 0; it must be at least 1");
    if (n_words && e->args.file)
        return error_set(err, FORMA_EINVAL, "the text is given twice; use TEXT or -f");
    if (e->args.file && !strcmp(e->args.file, "-") && form_is_stdin(&e->form_args))
        return error_set(err, FORMA_EINVAL,
                         "stdin cannot be both form and text; put one of them in a file");
    return cli_text_append(&e->text, argv[n_words], n_words ? strlen(argv[1]) : 0, err);
}

/* Reads what the command is about. `about_text`: so the form must compile. */
static enum forma_status open_explain(struct explain *e, bool about_text, struct forma_error *err) {
    enum forma_status status = form_load(&e->form, &e->form_args, &e->common, false, err);
    e->error_file = e->form.file;
    if (status != FORMA_OK || !about_text) return status;
    status = form_compile(&e->form, NULL, err);
    if (status != FORMA_OK || !e->args.file) return status;
    e->error_file = cli_file_name(e->args.file);
    cli_text_free(&e->text);
    return cli_read_file(e->args.file, CLI_MAX_TEXT, &e->text, err);
}

static int explain(struct explain *e, bool given, struct forma_error *err) {
    bool draws = e->args.dot >= 0, about_text = given || e->args.file || draws;
    if (e->args.support) return explain_support(e->common.json);
    if (open_explain(e, about_text, err) != FORMA_OK)
        return cli_fail(e->common.json, e->error_file, err);
    const struct explain_request r = {
        .form = &e->form,
        .text = e->text.data,
        .length = e->text.length,
        .file = e->args.file ? cli_file_name(e->args.file) : "TEXT",
        .dot = !draws        ? NULL
               : e->args.dot ? "goal"
                             : "region",
        .dot_states = e->args.dot_states == SIZE_MAX ? 0 : e->args.dot_states,
        .json = e->common.json,
        .common = &e->common,
    };
    return draws ? explain_dot(&r) : about_text ? explain_next(&r) : explain_schema(&r);
}

int cmd_explain(int argc, char **argv) {
    struct explain e;
    struct forma_error err;
    bool json = cli_wants_json(argc, argv);
    memset(&e, 0, sizeof e);
    e.args.dot = -1;
    e.args.dot_states = SIZE_MAX;
    form_args_init(&e.form_args);
    const struct option_group groups[] = {
        {"The question", explain_options, COUNT(explain_options), &e.args},
        {"The form", form_options, n_form_options, &e.form_args},
        {"Styles (default schema, natural, plain, minimal)", style_options, n_style_options,
         &e.form_args},
        {"Limits", limit_options, n_limit_options, &e.form_args},
        {"Common", common_options, n_common_options, &e.common},
    };
    const struct command command = {
        .usage = "forma explain --schema FILE|JSON [options]\n"
                 "       forma explain --schema FILE|JSON | --regex RE [--dot region|goal]\n"
                 "                     [options] [TEXT]\n"
                 "       forma explain --support [--json]",
        .about = "Every keyword of a schema: is it enforced, and if not, why? After TEXT: what may "
                 "come next, and by which rule.",
        .groups = groups,
        .n_groups = COUNT(groups),
    };
    int n_words = options_parse(&command, argc, argv, &err);
    if (n_words < 0) return cli_fail(json, NULL, &err);
    if (e.common.help) {
        options_print_help(&command, stdout);
        return CLI_OK;
    }
    int status = check_arguments(&e, n_words, argv, &err) == FORMA_OK
                     ? explain(&e, n_words > 0, &err)
                     : cli_fail(json, NULL, &err);
    form_free(&e.form);
    cli_text_free(&e.text);
    return status;
}
