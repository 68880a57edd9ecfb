/* SPDX-License-Identifier: MIT
 *
 * forma check: is this text, or this list of tokens, in the form? Exit status 0 yes, 1 no. On no:
 * where the text stopped to fit, what was expected there, by which rule. A search limit that
 * stood in the way is an error (status 2), never a no. With --cases or --suite many forms and
 * texts are judged in one run; see cli/check.h.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/check.h"

#define AT(member)   offsetof(struct check_args, member)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct option check_options[] = {
    {"--partial", 0, OPTION_FLAG, AT(partial), NULL,
     "is the text the beginning of one in the form?", 0, 0},
    {"--tokens", 0, OPTION_FLAG, AT(tokens), NULL,
     "the input is a JSON list of token ids; needs --tokenizer", 0, 0},
    {"--tokenizer", 0, OPTION_TEXT, AT(tokenizer), "FILE", "a GGUF file or a tokenizer.json", 0, 0},
    {"--eos", 0, OPTION_LIST, AT(ends), "TOKEN|ID",
     "a token that ends a text, instead of those known by name; may be given again", 0, 0},
};

static const struct option run_options[] = {
    {"--cases", 0, OPTION_TEXT, AT(cases), "FILE",
     "judge the cases of a file, one JSON object a line; those without a form are about --schema "
     "or --regex",
     0, 0},
    {"--limits", 0, OPTION_FLAG, AT(limits), NULL,
     "judge the \"limits\" of cases too, such as the time to compile", 0, 0},
    {"--suite", 0, OPTION_TEXT, AT(suite), "DIR",
     "judge the JSON-Schema-Test-Suite there, or one draft or file of it", 0, 0},
    {"--optional", 0, OPTION_FLAG, AT(optional), NULL, "the suite's optional tests too", 0, 0},
};

struct check {
    struct check_args args;
    struct form_args form_args;
    struct common_args common;
    struct form form;
    struct forma_vocabulary *vocabulary;
    struct forma_matcher *matcher;
    struct cli_text input;
    const char *input_file;
    const char *error_file;
};

/* ---- judging ------------------------------------------------------------------------------ */

static enum forma_status judge_token(struct check *c, size_t index, uint32_t id, bool *ended,
                                     struct verdict *v, struct forma_error *err) {
    enum forma_status status = forma_matcher_accept(c->matcher, id, err);
    if (status == FORMA_OK) {
        *ended |= forma_vocabulary_is_eos(c->vocabulary, id);
        return FORMA_OK;
    }
    if (status != FORMA_EREFUSED) return status;
    if (forma_matcher_narrowed(c->matcher)) {
        char advice[96];
        cli_limit_advice(forma_matcher_narrowed_by(c->matcher), advice, sizeof advice);
        return error_set(err, FORMA_ELIMIT,
                         "a search limit was met at token index %zu, so it cannot be told whether "
                         "the text fits; %s",
                         index, advice);
    }
    v->token = index;
    snprintf(v->found, sizeof v->found, "token %lu", (unsigned long)id);
    if (*ended)
        snprintf(v->expected, sizeof v->expected, "nothing: an end token came before");
    else
        forma_matcher_describe(c->matcher, v->expected, sizeof v->expected);
    return FORMA_EREFUSED;
}

static enum forma_status judge_list(struct check *c, const struct json_value *list,
                                    struct verdict *v, struct forma_error *err) {
    size_t n = forma_vocabulary_size(c->vocabulary);
    bool ended = false;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct json_value *item = &list->items[i];
        uint64_t id = UINT64_MAX;
        if (item->kind != JSON_NUMBER || !decimal_to_u64(&item->number, &id) || id >= n)
            return error_at_text(err, FORMA_EINVAL, c->input.data, c->input.length, item->offset,
                                 "this is no token id of the vocabulary; ids are whole numbers "
                                 "below %zu",
                                 n);
        enum forma_status status = judge_token(c, i, (uint32_t)id, &ended, v, err);
        if (status == FORMA_EREFUSED) return FORMA_OK;
        if (status != FORMA_OK) return status;
    }
    v->accepted = ended || c->args.partial || forma_matcher_accepts_end(c->matcher);
    v->token = list->count;
    if (!v->accepted) forma_matcher_describe(c->matcher, v->expected, sizeof v->expected);
    return FORMA_OK;
}

static enum forma_status judge_tokens(struct check *c, struct verdict *v, struct forma_error *err) {
    struct arena arena;
    const struct json_value *list =
        json_source_parse(&arena, c->input.data, c->input.length, 2, err);
    enum forma_status status = list ? FORMA_OK : err->status;
    if (list && list->kind != JSON_ARRAY)
        status =
            error_set(err, FORMA_EINVAL, "this is not a JSON list of token ids; write [1, 2, 3]");
    if (status == FORMA_OK) status = judge_list(c, list, v, err);
    arena_destroy(&arena);
    return status;
}

/* ---- telling ------------------------------------------------------------------------------ */

static void print_verdict(const struct check *c, const struct verdict *v) {
    bool colour = cli_has_colour(stdout);
    const char *off = colour ? "\033[0m" : "";
    if (v->accepted) {
        printf("%syes%s\n", colour ? "\033[32m" : "", off);
        return;
    }
    char why[768];
    struct text t;
    text_init(&t, why, sizeof why);
    verdict_describe(v, &t);
    printf("%sno%s: %s: %s\n", colour ? "\033[31m" : "", off, cli_file_name(c->input_file), why);
}

static void print_verdict_json(const struct check *c, const struct verdict *v) {
    printf("{\"accepted\": %s, \"partial\": %s", v->accepted ? "true" : "false",
           c->args.partial ? "true" : "false");
    if (v->accepted) {
        puts("}");
        return;
    }
    if (c->args.tokens)
        printf(", \"token_index\": %zu", v->token);
    else
        printf(", \"offset\": %zu, \"line\": %zu, \"column\": %zu", v->offset, v->line, v->column);
    fputs(", \"found\": ", stdout);
    if (v->found[0])
        cli_json_string(stdout, v->found, strlen(v->found));
    else
        fputs("null", stdout);
    fputs(", \"expected\": ", stdout);
    cli_json_string(stdout, v->expected, strlen(v->expected));
    puts("}");
}

/* ---- the command -------------------------------------------------------------------------- */

static enum forma_status check_run_arguments(const struct check *c, int n_words,
                                             struct forma_error *err) {
    const struct check_args *a = &c->args;
    const char *run = a->cases ? "--cases" : "--suite";
    if (a->cases && a->suite)
        return error_set(err, FORMA_EINVAL, "--cases and --suite are two runs; give one of them");
    if (n_words)
        return error_set(err, FORMA_EINVAL, "%s brings its own texts; leave out %s", run,
                         c->input_file);
    if (a->suite && form_is_given(&c->form_args))
        return error_set(err, FORMA_EINVAL, "--suite brings its own schemas; leave out %s",
                         c->form_args.schema ? "--schema" : "--regex");
    if (form_is_stdin(&c->form_args) && !strcmp(a->cases, "-"))
        return error_set(err, FORMA_EINVAL,
                         "stdin cannot be both schema and cases; put one of them in a file");
    if (a->partial || a->tokens)
        return error_set(err, FORMA_EINVAL, "%s is about one text; leave it out with %s",
                         a->partial ? "--partial" : "--tokens", run);
    return FORMA_OK;
}

static enum forma_status check_arguments(struct check *c, int n_words, struct forma_error *err) {
    const struct check_args *a = &c->args;
    if (a->limits && !a->cases)
        return error_set(err, FORMA_EINVAL, "--limits belongs to --cases; name the file of cases");
    if (a->optional && !a->suite)
        return error_set(err, FORMA_EINVAL, "--optional belongs to --suite; name the suite");
    if (a->cases || a->suite) return check_run_arguments(c, n_words, err);
    if (n_words > 1)
        return error_set(err, FORMA_EINVAL, "%d files; check takes one text at a time", n_words);
    if (!form_is_given(&c->form_args))
        return error_set(err, FORMA_EINVAL, "which form? Give one with --schema or --regex");
    if (a->tokens && !a->tokenizer)
        return error_set(err, FORMA_EINVAL,
                         "--tokens needs the vocabulary; name it with "
                         "--tokenizer");
    if (form_is_stdin(&c->form_args) && !strcmp(c->input_file, "-"))
        return error_set(err, FORMA_EINVAL,
                         "stdin cannot be both schema and text; put one of them in a file");
    return FORMA_OK;
}

static enum forma_status open_vocabulary(const struct check_args *a, struct forma_vocabulary **out,
                                         struct forma_error *err) {
    *out = a->tokenizer ? cli_open_vocabulary(a->tokenizer, &a->ends, err) : NULL;
    return a->tokenizer && !*out ? err->status : FORMA_OK;
}

static enum forma_status open_check(struct check *c, struct forma_error *err) {
    enum forma_status status = form_load(&c->form, &c->form_args, &c->common, true, err);
    c->error_file = c->form.file;
    if (status != FORMA_OK) return status;
    c->error_file = c->args.tokenizer;
    status = open_vocabulary(&c->args, &c->vocabulary, err);
    if (status != FORMA_OK) return status;
    c->error_file = c->form.file;
    status = form_compile(&c->form, c->vocabulary, err);
    if (status != FORMA_OK) return status;
    c->matcher = forma_matcher_new(c->form.grammar, c->vocabulary, NULL, err);
    if (!c->matcher) return err->status;
    if (!strcmp(c->input_file, "-") && isatty(STDIN_FILENO) && !c->common.quiet)
        fputs("forma: reading the text from the terminal; Ctrl-D ends it\n", stderr);
    c->error_file = cli_file_name(c->input_file);
    return cli_read_file(c->input_file, CLI_MAX_TEXT, &c->input, err);
}

static int judge_one(struct check *c, struct forma_error *err) {
    struct verdict v;
    memset(&v, 0, sizeof v);
    v.token = NO_TOKEN;
    enum forma_status status = open_check(c, err);
    if (status == FORMA_OK)
        status = c->args.tokens ? judge_tokens(c, &v, err)
                                : verdict_of_text(c->matcher, c->input.data, c->input.length,
                                                  c->args.partial, &v, err);
    if (status != FORMA_OK) return cli_fail(c->common.json, c->error_file, err);
    if (c->common.json)
        print_verdict_json(c, &v);
    else if (!c->common.quiet)
        print_verdict(c, &v);
    return v.accepted ? CLI_OK : CLI_NO;
}

static enum forma_status run_many(struct check_run *r, struct cli_text *more,
                                  struct forma_error *err) {
    enum forma_status status = form_is_given(r->form_args)
                                   ? form_load(&r->form, r->form_args, r->common, true, err)
                                   : form_settle(&r->form, r->form_args, r->common, true, err);
    r->error_file = r->form.file;
    if (status != FORMA_OK) return status;
    r->error_file = r->args->tokenizer;
    status = open_vocabulary(r->args, &r->vocabulary, err);
    if (status == FORMA_OK) status = report_open(&r->report, r->common, err);
    if (status != FORMA_OK) return status;
    status = r->args->cases ? check_cases(r, err) : check_suite(r, more, err);
    return status == FORMA_OK ? report_end(&r->report, err) : status;
}

static int judge_many(struct check *c, struct forma_error *err) {
    struct check_run r = {.args = &c->args, .form_args = &c->form_args, .common = &c->common};
    struct cli_text more = {0};
    enum forma_status status = run_many(&r, &more, err);
    report_still(&r.report);
    int exit_status = status == FORMA_OK ? report_sums(&r.report, more.data ? more.data : "")
                                         : cli_fail(c->common.json, r.error_file, err);
    report_close(&r.report);
    cli_text_free(&more);
    form_free(&r.form);
    forma_vocabulary_free(r.vocabulary);
    free(r.error_path);
    return exit_status;
}

int cmd_check(int argc, char **argv) {
    struct check c;
    struct forma_error err;
    bool json = cli_wants_json(argc, argv);
    memset(&c, 0, sizeof c);
    form_args_init(&c.form_args);
    const struct option_group groups[] = {
        {"The question", check_options, COUNT(check_options), &c.args},
        {"Many at once", run_options, COUNT(run_options), &c.args},
        {"The form", form_options, n_form_options, &c.form_args},
        {"Styles (default --exact)", style_options, n_style_options, &c.form_args},
        {"Limits", limit_options, n_limit_options, &c.form_args},
        {"Common", common_options, n_common_options, &c.common},
    };
    const struct command command = {
        .usage = "forma check --schema FILE|JSON | --regex RE [options] [FILE|-]\n"
                 "       forma check --cases FILE [--schema FILE|JSON] [--limits] [options]\n"
                 "       forma check --suite DIR [--draft D] [--optional] [options]",
        .about = "Is this text in the form? Exit status 0 yes, 1 no. On no: the byte, what was "
                 "expected there, by which rule.",
        .groups = groups,
        .n_groups = COUNT(groups),
    };
    int n_words = options_parse(&command, argc, argv, &err);
    if (n_words < 0) return cli_fail(json, NULL, &err);
    if (c.common.help) {
        options_print_help(&command, stdout);
        return CLI_OK;
    }
    c.input_file = n_words > 0 ? argv[1] : "-";
    if (check_arguments(&c, n_words, &err) != FORMA_OK) return cli_fail(json, NULL, &err);
    if (c.args.cases || c.args.suite) return judge_many(&c, &err);
    int status = judge_one(&c, &err);
    forma_matcher_free(c.matcher);
    form_free(&c.form);
    forma_vocabulary_free(c.vocabulary);
    cli_text_free(&c.input);
    return status;
}
