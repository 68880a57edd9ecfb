/* SPDX-License-Identifier: MIT
 *
 * forma check: is this text, or this list of tokens, in the form? Exit status 0 yes, 1 no. On no:
 * where the text stopped to fit, what was expected there, by which rule. A search limit that
 * stood in the way is an error (status 2), never a no.
 */
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/form.h"
#include "schema/json_text.h"

struct check_args {
    const char *tokenizer;
    bool partial, tokens;
};

#define AT(member)   offsetof(struct check_args, member)
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define LATER(name, value, help)                                                                   \
    { name, 0, OPTION_UNSUPPORTED, 0, value, help, 0, 0 }

static const struct option check_options[] = {
    {"--partial", 0, OPTION_FLAG, AT(partial), NULL,
     "is the text the beginning of one in the form?", 0, 0},
    {"--tokens", 0, OPTION_FLAG, AT(tokens), NULL,
     "the input is a JSON list of token ids; needs --tokenizer", 0, 0},
    {"--tokenizer", 0, OPTION_TEXT, AT(tokenizer), "FILE", "a GGUF file or a tokenizer.json", 0, 0},
    LATER("--cases", "FILE", "check one text at a time"),
    LATER("--suite", "DIR", "check one text at a time"),
    LATER("--limits", NULL, "it belongs to --cases"),
};

#define NO_TOKEN ((size_t)-1)

struct verdict {
    bool accepted;
    size_t offset;       /* of the first byte that does not fit, when not accepted */
    size_t line, column; /* from 1 */
    size_t token;        /* index of the token that does not fit, or NO_TOKEN */
    char found[32];      /* what stands there, quoted; "" at the end */
    char expected[512];
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

static enum forma_status narrowed(struct forma_error *err) {
    return error_set(err, FORMA_ELIMIT,
                     "a search limit was met, so this cannot be told; raise --max-work, "
                     "--max-memory or --max-nesting");
}

static void locate(const char *text, size_t offset, struct verdict *v) {
    v->offset = offset;
    v->line = v->column = 1;
    for (size_t i = 0; i < offset; i++) {
        v->column++;
        if (text[i] == '\n') {
            v->line++;
            v->column = 1;
        }
    }
}

static void quote_found(const char *text, size_t length, size_t offset, struct verdict *v) {
    uint32_t code_point;
    const unsigned char *p = (const unsigned char *)text + offset;
    v->found[0] = '\0';
    if (offset >= length) return;
    size_t n = utf8_decode(p, length - offset, &code_point);
    if (n == 0 || code_point < 0x20 || code_point == 0x7F)
        snprintf(v->found, sizeof v->found, "byte 0x%02X", *p);
    else
        snprintf(v->found, sizeof v->found, "'%.*s'", (int)n, (const char *)p);
}

/* The matcher stands where the text ends. */
static void judge_end(struct check *c, size_t length, struct verdict *v) {
    v->accepted = c->args.partial || forma_matcher_accepts_end(c->matcher);
    if (v->accepted) return;
    locate(c->input.data, length, v);
    forma_matcher_describe(c->matcher, v->expected, sizeof v->expected);
}

static enum forma_status judge_text(struct check *c, struct verdict *v, struct forma_error *err) {
    const unsigned char *bytes = (const unsigned char *)c->input.data;
    enum forma_status status = forma_matcher_accept_bytes(c->matcher, bytes, c->input.length, err);
    if (status == FORMA_OK) {
        judge_end(c, c->input.length, v);
        return FORMA_OK;
    }
    if (status != FORMA_EREFUSED) return status;
    if (forma_matcher_narrowed(c->matcher)) return narrowed(err);
    size_t offset = (size_t)err->offset;
    status = forma_matcher_accept_bytes(c->matcher, bytes, offset, err);
    if (status != FORMA_OK) return status;
    locate(c->input.data, offset, v);
    quote_found(c->input.data, c->input.length, offset, v);
    forma_matcher_describe(c->matcher, v->expected, sizeof v->expected);
    return FORMA_OK;
}

static enum forma_status judge_token(struct check *c, size_t index, uint32_t id, bool *ended,
                                     struct verdict *v, struct forma_error *err) {
    enum forma_status status = forma_matcher_accept(c->matcher, id, err);
    if (status == FORMA_OK) {
        *ended |= forma_vocabulary_is_eos(c->vocabulary, id);
        return FORMA_OK;
    }
    if (status != FORMA_EREFUSED) return status;
    if (forma_matcher_narrowed(c->matcher)) return narrowed(err);
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
    struct json_limits limits = {SIZE_MAX, 2};
    struct arena arena;
    size_t size; /* address space: an id of one digit and its comma make a node of the tree */
    if (__builtin_mul_overflow(c->input.length + 1024, (size_t)512, &size) ||
        !arena_init(&arena, fa_default_allocator(), size))
        return error_set(err, FORMA_EMEMORY, "no memory for the list of ids");
    const struct json_value *list =
        json_parse(&arena, c->input.data, c->input.length, &limits, err);
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
    printf("%sno%s: %s: ", colour ? "\033[31m" : "", off, cli_file_name(c->input_file));
    if (c->args.tokens)
        printf("token index %zu: ", v->token);
    else
        printf("byte %zu (%zu:%zu): ", v->offset, v->line, v->column);
    if (v->found[0])
        printf("%s does not fit; ", v->found);
    else
        fputs("the text ends too early; ", stdout);
    printf("expected %s\n", v->expected);
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

static enum forma_status check_arguments(struct check *c, int n_words, struct forma_error *err) {
    if (n_words > 1)
        return error_set(err, FORMA_EINVAL, "%d files; check takes one text at a time", n_words);
    if (!c->form_args.schema)
        return error_set(err, FORMA_EINVAL, "which form? Give a schema with --schema");
    if (c->args.tokens && !c->args.tokenizer)
        return error_set(err, FORMA_EINVAL,
                         "--tokens needs the vocabulary; name it with "
                         "--tokenizer");
    if (!strcmp(c->form_args.schema, "-") && !strcmp(c->input_file, "-"))
        return error_set(err, FORMA_EINVAL,
                         "stdin cannot be both schema and text; put one of them in a file");
    return FORMA_OK;
}

static enum forma_status open_check(struct check *c, struct forma_error *err) {
    enum forma_status status = form_load(&c->form, &c->form_args, &c->common, true, err);
    c->error_file = c->form.file;
    if (status != FORMA_OK) return status;
    if (c->args.tokenizer) {
        c->error_file = c->args.tokenizer;
        c->vocabulary = forma_vocabulary_open(c->args.tokenizer, NULL, err);
        if (!c->vocabulary) return err->status;
    }
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

static int run(struct check *c, struct forma_error *err) {
    struct verdict v;
    memset(&v, 0, sizeof v);
    v.token = NO_TOKEN;
    enum forma_status status = open_check(c, err);
    if (status == FORMA_OK)
        status = c->args.tokens ? judge_tokens(c, &v, err) : judge_text(c, &v, err);
    if (status != FORMA_OK) return cli_fail(c->common.json, c->error_file, err);
    if (c->common.json)
        print_verdict_json(c, &v);
    else if (!c->common.quiet)
        print_verdict(c, &v);
    return v.accepted ? CLI_OK : CLI_NO;
}

int cmd_check(int argc, char **argv) {
    struct check c;
    struct forma_error err;
    bool json = cli_wants_json(argc, argv);
    memset(&c, 0, sizeof c);
    form_args_init(&c.form_args);
    const struct option_group groups[] = {
        {"The question", check_options, COUNT(check_options), &c.args},
        {"The form", form_options, n_form_options, &c.form_args},
        {"Styles (default --exact)", style_options, n_style_options, &c.form_args},
        {"Limits", limit_options, n_limit_options, &c.form_args},
        {"Common", common_options, n_common_options, &c.common},
    };
    const struct command command = {
        .usage = "forma check --schema FILE|JSON [options] [FILE|-]",
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
    int status = run(&c, &err);
    forma_matcher_free(c.matcher);
    form_free(&c.form);
    forma_vocabulary_free(c.vocabulary);
    cli_text_free(&c.input);
    return status;
}
