/* SPDX-License-Identifier: MIT
 *
 * forma mask: which tokens of a vocabulary may come next, after a text, in a form?
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/form.h"
#include "cli/verdict.h"
#include "runtime/tokenizer.h"

#define TERMINAL_ROWS 40
#define MAX_FORCED    4096 /* tokens that are told */

struct mask_args {
    struct option_list ends;
    const char *tokenizer, *file;
    bool all;
};

#define AT(member)   offsetof(struct mask_args, member)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct option mask_options[] = {
    {"--tokenizer", 0, OPTION_TEXT, AT(tokenizer), "FILE", "a GGUF file or a tokenizer.json", 0, 0},
    {"--model", 'm', OPTION_TEXT, AT(tokenizer), "FILE", "the same", 0, 0},
    {"--eos", 0, OPTION_LIST, AT(ends), "TOKEN|ID",
     "a token that ends a text, instead of those known by name; may be given again", 0, 0},
    {"--file", 'f', OPTION_TEXT, AT(file), "FILE", "the text, from a file (- is stdin)", 0, 0},
    {"--all", 0, OPTION_FLAG, AT(all), NULL, "all tokens; on a terminal the list is cut at 40", 0,
     0},
};

struct mask_command {
    struct mask_args args;
    struct form_args form_args;
    struct common_args common;
    struct form form;
    struct forma_vocabulary *vocabulary;
    struct forma_matcher *matcher;
    struct cli_text text;
    int32_t *row;
    size_t words;
    const char *error_file;
};

static bool is_allowed(const struct mask_command *m, size_t id) {
    return (uint32_t)m->row[id / 32] >> id % 32 & 1;
}

static enum forma_status open_mask(struct mask_command *m, struct forma_error *err) {
    enum forma_status status = form_load(&m->form, &m->form_args, &m->common, false, err);
    m->error_file = m->form.file;
    if (status != FORMA_OK) return status;
    m->error_file = m->args.tokenizer;
    m->vocabulary = cli_open_vocabulary(m->args.tokenizer, &m->args.ends, err);
    if (!m->vocabulary) return err->status;
    m->error_file = m->form.file;
    status = form_compile(&m->form, m->vocabulary, err);
    if (status != FORMA_OK) return status;
    m->matcher = forma_matcher_new(m->form.grammar, m->vocabulary, NULL, err);
    if (!m->matcher) return err->status;
    m->words = forma_matcher_mask_words(m->matcher);
    m->row = fa_alloc_zero(fa_default_allocator(), m->words * sizeof *m->row);
    if (!m->row) return error_set(err, FORMA_EMEMORY, "no memory for the mask");
    m->error_file = cli_file_name(m->args.file);
    return m->args.file ? cli_read_file(m->args.file, CLI_MAX_TEXT, &m->text, err) : FORMA_OK;
}

static enum forma_status fill_mask(struct mask_command *m, struct forma_error *err) {
    m->error_file = m->args.file ? cli_file_name(m->args.file) : "TEXT";
    if (m->text.length) {
        enum forma_status status = forma_matcher_accept_bytes(
            m->matcher, (const unsigned char *)m->text.data, m->text.length, err);
        if (status == FORMA_EREFUSED && forma_matcher_narrowed(m->matcher))
            return verdict_narrowed(m->matcher, m->text.data, m->text.length, (size_t)err->offset,
                                    err);
        if (status != FORMA_OK) return status;
    }
    return forma_matcher_mask(m->matcher, m->row, m->words, err);
}

static size_t count_allowed(const struct mask_command *m, size_t *last) {
    size_t count = 0, n = forma_vocabulary_size(m->vocabulary);
    for (size_t id = 0; id < n; id++) {
        if (!is_allowed(m, id)) continue;
        count++;
        *last = id;
    }
    return count;
}

/* An end token has no bytes: its text is empty. Bytes of a token that are no text on their own,
 * such as half a character, are U+FFFD in "text" and told in "bytes". */
static void print_token_json(const struct mask_command *m, size_t id) {
    size_t length = 0;
    const unsigned char *bytes = forma_vocabulary_bytes(m->vocabulary, (uint32_t)id, &length);
    printf("{\"id\": %zu, \"text\": ", id);
    cli_json_string(stdout, bytes ? (const char *)bytes : "", bytes ? length : 0);
    if (bytes && utf8_valid_prefix(bytes, length) < length) {
        fputs(", \"bytes\": \"", stdout);
        for (size_t i = 0; i < length; i++) printf("%02x", bytes[i]);
        putchar('"');
    }
    putchar('}');
}

/* As `generate` would append them; by the longest match where the file's own cutting is not known. */
static void print_forced(const struct mask_command *m) {
    uint32_t ids[MAX_FORCED];
    unsigned char byte;
    struct tokenizer *tokenizer = NULL;
    struct continuation *c = NULL;
    if (forma_matcher_forced_text(m->matcher, &byte, 1))
        tokenizer = tokenizer_open_file(m->args.tokenizer, NULL, NULL);
    if (tokenizer) c = continuation_new(tokenizer, MAX_FORCED, NULL, NULL);
    size_t n =
        forma_matcher_forced_tokens(m->matcher, c ? continuation_encode : NULL, c, ids, MAX_FORCED);
    continuation_free(c);
    tokenizer_free(tokenizer);
    for (size_t i = 0; i < n; i++) printf("%s%" PRIu32, i ? ", " : "[", ids[i]);
    fputs(n ? "]" : "null", stdout);
}

static void print_json(const struct mask_command *m) {
    size_t last = 0, printed = 0, n = forma_vocabulary_size(m->vocabulary);
    size_t count = count_allowed(m, &last);
    printf("{\"count\": %zu, \"tokens\": [", count);
    for (size_t id = 0; id < n; id++) {
        if (!is_allowed(m, id)) continue;
        if (printed++) fputs(", ", stdout);
        print_token_json(m, id);
    }
    printf("], \"eos\": %s, \"forced\": ",
           forma_matcher_accepts_end(m->matcher) ? "true" : "false");
    bool narrowed = forma_matcher_narrowed(m->matcher);
    print_forced(m);
    printf(", \"narrowed\": %s}\n", narrowed ? "true" : "false");
}

static void print_list(const struct mask_command *m) {
    size_t last = 0, printed = 0, n = forma_vocabulary_size(m->vocabulary), length;
    size_t count = count_allowed(m, &last);
    size_t most = m->args.all || !isatty(STDOUT_FILENO) ? SIZE_MAX : TERMINAL_ROWS;
    printf("%zu of %zu tokens may come next; the text may %send here\n", count, n,
           forma_matcher_accepts_end(m->matcher) ? "" : "not ");
    for (size_t id = 0; id < n && printed < most; id++) {
        if (!is_allowed(m, id)) continue;
        const unsigned char *bytes = forma_vocabulary_bytes(m->vocabulary, (uint32_t)id, &length);
        printf("%8zu  ", id);
        if (bytes)
            cli_print_quoted(stdout, (const char *)bytes, length);
        else
            fputs("(end of text)", stdout);
        putchar('\n');
        printed++;
    }
    if (printed < count) printf("     ...  %zu more; --all lists them\n", count - printed);
    if (m->common.verbose) {
        char expected[512];
        forma_matcher_describe(m->matcher, expected, sizeof expected);
        fprintf(stderr, "forma: expected %s\n", expected);
    }
    if (forma_matcher_narrowed(m->matcher) && !m->common.quiet) {
        char advice[96];
        cli_limit_advice(forma_matcher_narrowed_by(m->matcher), advice, sizeof advice);
        fprintf(stderr,
                "forma: warning: a search limit made this mask stricter than the form; %s\n",
                advice);
    }
}

static enum forma_status check_arguments(struct mask_command *m, int n_words, char **argv,
                                         struct forma_error *err) {
    if (n_words > 1)
        return error_set(err, FORMA_EINVAL, "%d texts; mask takes one (quote it)", n_words);
    if (!form_is_given(&m->form_args))
        return error_set(err, FORMA_EINVAL, "which form? Give one with --schema or --regex");
    if (!m->args.tokenizer)
        return error_set(err, FORMA_EINVAL, "which vocabulary? Give a file with --tokenizer");
    if (n_words && m->args.file)
        return error_set(err, FORMA_EINVAL, "the text is given twice; use TEXT or -f");
    if (m->args.file && !strcmp(m->args.file, "-") && form_is_stdin(&m->form_args))
        return error_set(err, FORMA_EINVAL,
                         "stdin cannot be both schema and text; put one of them in a file");
    return n_words ? cli_text_append(&m->text, argv[1], strlen(argv[1]), err) : FORMA_OK;
}

int cmd_mask(int argc, char **argv) {
    struct mask_command m;
    struct forma_error err;
    bool json = cli_wants_json(argc, argv);
    memset(&m, 0, sizeof m);
    form_args_init(&m.form_args);
    const struct option_group groups[] = {
        {"The question", mask_options, COUNT(mask_options), &m.args},
        {"The form", form_options, n_form_options, &m.form_args},
        {"Styles (default schema, natural, plain, minimal)", style_options, n_style_options,
         &m.form_args},
        {"Limits", limit_options, n_limit_options, &m.form_args},
        {"Common", common_options, n_common_options, &m.common},
    };
    const struct command command = {
        .usage = "forma mask --schema FILE|JSON | --regex RE --tokenizer FILE\n"
                 "                  [options] [TEXT]",
        .about = "Which tokens may come next, after TEXT (default: at the beginning)?",
        .groups = groups,
        .n_groups = COUNT(groups),
    };
    int status = CLI_OK, n_words = options_parse(&command, argc, argv, &err);
    if (n_words < 0) return cli_fail(json, NULL, &err);
    if (m.common.help) {
        options_print_help(&command, stdout);
        return CLI_OK;
    }
    if (check_arguments(&m, n_words, argv, &err) != FORMA_OK)
        status = cli_fail(json, NULL, &err);
    else if (open_mask(&m, &err) != FORMA_OK || fill_mask(&m, &err) != FORMA_OK)
        status = cli_fail(json, m.error_file, &err);
    else if (json)
        print_json(&m);
    else
        print_list(&m);
    fa_free(fa_default_allocator(), m.row, m.words * sizeof *m.row);
    forma_matcher_free(m.matcher);
    form_free(&m.form);
    forma_vocabulary_free(m.vocabulary);
    cli_text_free(&m.text);
    return status;
}
