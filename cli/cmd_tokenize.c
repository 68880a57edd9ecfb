/* SPDX-License-Identifier: MIT
 *
 * forma tokenize: text to token ids and pieces, and back. With --json-lines many texts in one
 * process: a JSON string a line in, a JSON list of ids a line out.
 */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/options.h"
#include "runtime/tokenizer.h"
#include "schema/json_text.h"

/* Address space for one line's JSON value; a string needs its length and a node. */
#define LINE_SLACK 65536u

struct tokenize_args {
    const char *model, *file;
    bool special, added, decode, json_lines;
};

#define AT(member)   offsetof(struct tokenize_args, member)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct option tokenize_options[] = {
    {"--model", 'm', OPTION_TEXT, AT(model), "FILE", "a GGUF file or a tokenizer.json", 0, 0},
    {"--tokenizer", 0, OPTION_TEXT, AT(model), "FILE", "the same", 0, 0},
    {"--file", 'f', OPTION_TEXT, AT(file), "FILE",
     "the text, from a file (- is stdin, also the default)", 0, 0},
    {"--special", 0, OPTION_FLAG, AT(special), NULL,
     "recognise special tokens such as <|im_start|> in the text", 0, 0},
    {"--added", 0, OPTION_FLAG, AT(added), NULL,
     "recognise added tokens that are no control tokens, such as <think>", 0, 0},
    {"--decode", 0, OPTION_FLAG, AT(decode), NULL,
     "the input is a list of ids (1 2 3 or [1, 2, 3]), the output their text", 0, 0},
    {"--json-lines", 0, OPTION_FLAG, AT(json_lines), NULL,
     "a JSON string a line in, a JSON list of ids a line out", 0, 0},
};

struct tokenize {
    struct tokenize_args args;
    struct common_args common;
    struct tokenizer *tokenizer;
    enum encode_added which;
    struct token_list ids;
    struct cli_text input;
    const char *error_file;
};

/* ---- output ------------------------------------------------------------------------------- */

/* The bytes of a token, or for a control token its spelling in the file. */
static struct gguf_string shown(const struct tokenizer *t, uint32_t id) {
    size_t length = 0;
    const unsigned char *bytes = tokenizer_bytes(t, id, &length);
    if (bytes && length) return (struct gguf_string){(const char *)bytes, length};
    return tokenizer_piece(t, id);
}

static void print_ids(const struct token_list *ids) {
    putchar('[');
    for (size_t i = 0; i < ids->count; i++) printf("%s%" PRIu32, i ? ", " : "", ids->ids[i]);
    putchar(']');
}

static void print_tokens(const struct tokenize *t) {
    for (size_t i = 0; i < t->ids.count; i++) {
        struct gguf_string s = shown(t->tokenizer, t->ids.ids[i]);
        printf("%8" PRIu32 "  ", t->ids.ids[i]);
        cli_print_quoted(stdout, s.data, s.length);
        if (tokenizer_is_control(t->tokenizer, t->ids.ids[i])) fputs("  (control)", stdout);
        putchar('\n');
    }
    printf("%zu tokens, %zu bytes\n", t->ids.count, t->input.length);
}

static void print_tokens_json(const struct tokenize *t) {
    printf("{\"count\": %zu, \"ids\": ", t->ids.count);
    print_ids(&t->ids);
    fputs(", \"tokens\": [", stdout);
    for (size_t i = 0; i < t->ids.count; i++) {
        uint32_t id = t->ids.ids[i];
        struct gguf_string s = shown(t->tokenizer, id);
        printf("%s{\"id\": %" PRIu32 ", \"text\": ", i ? ", " : "", id);
        cli_json_string(stdout, s.data, s.length);
        if (utf8_valid_prefix((const unsigned char *)s.data, s.length) < s.length) {
            fputs(", \"bytes\": \"", stdout);
            for (size_t j = 0; j < s.length; j++) printf("%02x", (unsigned char)s.data[j]);
            putchar('"');
        }
        printf(", \"control\": %s}", tokenizer_is_control(t->tokenizer, id) ? "true" : "false");
    }
    puts("]}");
}

/* ---- decoding ----------------------------------------------------------------------------- */

static enum forma_status parse_ids(struct tokenize *t, struct forma_error *err) {
    static const char blanks[] = " \t\r\n";
    const char *text = t->input.data;
    size_t i = strspn(text, blanks), end = t->input.length;
    while (end > i && strchr(blanks, text[end - 1]) && text[end - 1]) end--;
    bool list = text[i] == '[';
    if (list != (end > i && text[end - 1] == ']') || (list && end - i < 2))
        return error_at_offset(err, FORMA_EINVAL, list ? end : end - 1,
                               "the brackets of the list do not match; write 1 2 3 or [1, 2, 3]");
    i += list;
    end -= list;
    while (i < end) {
        size_t start = i;
        uint64_t id = 0;
        if (text[i] == ',' || (strchr(blanks, text[i]) && text[i])) {
            i++;
            continue;
        }
        for (; text[i] >= '0' && text[i] <= '9' && id <= UINT32_MAX; i++)
            id = 10 * id + (uint64_t)(text[i] - '0');
        if (i == start)
            return error_at_offset(err, FORMA_EINVAL, start,
                                   "this is no token id; write numbers, as in 1 2 3");
        if (id >= tokenizer_size(t->tokenizer))
            return error_at_offset(err, FORMA_EINVAL, start,
                                   "there is no such token; ids are below %zu",
                                   tokenizer_size(t->tokenizer));
        if (!token_list_push(&t->ids, (uint32_t)id))
            return error_set(err, FORMA_EMEMORY, "no memory for the list of ids");
    }
    return FORMA_OK;
}

/* The exact bytes; control tokens only with --special. */
static enum forma_status decode(struct tokenize *t, struct forma_error *err) {
    struct cli_text text = {0};
    enum forma_status status = parse_ids(t, err);
    if (status == FORMA_OK) status = cli_text_append(&text, "", 0, err);
    for (size_t i = 0; i < t->ids.count && status == FORMA_OK; i++) {
        size_t length = 0;
        uint32_t id = t->ids.ids[i];
        const unsigned char *bytes = tokenizer_bytes(t->tokenizer, id, &length);
        if (bytes && length)
            status = cli_text_append(&text, (const char *)bytes, length, err);
        else if (t->args.special) {
            struct gguf_string s = tokenizer_piece(t->tokenizer, id);
            status = cli_text_append(&text, s.data, s.length, err);
        }
    }
    if (status == FORMA_OK && t->common.json) {
        printf("{\"count\": %zu, \"text\": ", t->ids.count);
        cli_json_string(stdout, text.data, text.length);
        puts("}");
    } else if (status == FORMA_OK) {
        fwrite(text.data, 1, text.length, stdout);
    }
    cli_text_free(&text);
    return status;
}

/* ---- many texts --------------------------------------------------------------------------- */

static enum forma_status encode_line(struct tokenize *t, const char *line, size_t length,
                                     struct forma_error *err) {
    struct json_limits limits = {length, 1};
    struct arena arena;
    size_t size;
    if (__builtin_mul_overflow(length, (size_t)4, &size) || size > SIZE_MAX - LINE_SLACK ||
        !arena_init(&arena, fa_default_allocator(), size + LINE_SLACK))
        return error_set(err, FORMA_EMEMORY, "no memory for a line of %zu bytes", length);
    const struct json_value *v = json_parse(&arena, line, length, &limits, err);
    enum forma_status status = v ? FORMA_OK : err->status;
    if (v && v->kind != JSON_STRING)
        status = error_set(err, FORMA_EINVAL, "a line is not a JSON string");
    t->ids.count = 0;
    if (status == FORMA_OK)
        status = tokenizer_encode(t->tokenizer, v->text, v->length, t->which, &t->ids, err);
    arena_destroy(&arena);
    return status;
}

static enum forma_status encode_lines(struct tokenize *t, struct forma_error *err) {
    size_t number = 1;
    for (size_t start = 0; start < t->input.length; number++) {
        const char *line = t->input.data + start;
        const char *end = memchr(line, '\n', t->input.length - start);
        size_t length = end ? (size_t)(end - line) : t->input.length - start;
        enum forma_status status = encode_line(t, line, length, err);
        if (status != FORMA_OK) {
            err->line = number;
            if (err->column == 0) err->column = 1;
            return status;
        }
        print_ids(&t->ids);
        putchar('\n');
        start += length + 1;
    }
    return FORMA_OK;
}

/* ---- the command -------------------------------------------------------------------------- */

static enum forma_status run(struct tokenize *t, int n_words, char **argv,
                             struct forma_error *err) {
    enum forma_status status = FORMA_OK;
    t->error_file = t->args.model;
    t->which = t->args.special ? ENCODE_SPECIAL : t->args.added ? ENCODE_TEXT : ENCODE_PLAIN;
    t->tokenizer = tokenizer_open_file(t->args.model, NULL, err);
    if (!t->tokenizer) return err->status;
    if (n_words) {
        t->error_file = "TEXT";
        status = cli_text_append(&t->input, "", 0, err);
        for (int i = 1; i <= n_words && status == FORMA_OK; i++) {
            if (i > 1) status = cli_text_append(&t->input, " ", 1, err);
            if (status == FORMA_OK)
                status = cli_text_append(&t->input, argv[i], strlen(argv[i]), err);
        }
    } else {
        const char *path = t->args.file ? t->args.file : "-";
        t->error_file = strcmp(path, "-") ? path : "stdin";
        status = cli_read_file(path, CLI_MAX_TEXT, &t->input, err);
    }
    if (status != FORMA_OK) return status;
    if (t->args.decode) return decode(t, err);
    if (t->args.json_lines) return encode_lines(t, err);
    status = tokenizer_encode(t->tokenizer, t->input.data, t->input.length, t->which, &t->ids, err);
    if (status != FORMA_OK) return status;
    if (t->common.json)
        print_tokens_json(t);
    else
        print_tokens(t);
    return FORMA_OK;
}

static enum forma_status check_arguments(const struct tokenize *t, int n_words,
                                         struct forma_error *err) {
    if (!t->args.model)
        return error_set(
            err, FORMA_EINVAL,
            "which vocabulary? Give a GGUF file with -m, or a tokenizer.json with --tokenizer");
    if (n_words && t->args.file)
        return error_set(err, FORMA_EINVAL, "the text is given twice; use TEXT or -f");
    if (n_words > 1 && !t->args.decode)
        return error_set(err, FORMA_EINVAL, "%d texts; tokenize takes one (quote it)", n_words);
    if (t->args.decode && t->args.json_lines)
        return error_set(err, FORMA_EINVAL, "--decode and --json-lines exclude each other");
    return FORMA_OK;
}

int cmd_tokenize(int argc, char **argv) {
    struct tokenize t;
    struct forma_error err;
    bool json = cli_wants_json(argc, argv);
    memset(&t, 0, sizeof t);
    const struct option_group groups[] = {
        {"Options", tokenize_options, COUNT(tokenize_options), &t.args},
        {"Common", common_options, n_common_options, &t.common},
    };
    const struct command command = {
        .usage = "forma tokenize -m MODEL [options] [TEXT]",
        .about = "The token ids and pieces of a text (stdin without TEXT), or with --decode the "
                 "text of ids. No token is added at the beginning or the end.",
        .groups = groups,
        .n_groups = COUNT(groups),
    };
    int status = CLI_OK, n_words = options_parse(&command, argc, argv, &err);
    if (n_words < 0) return cli_fail(json, NULL, &err);
    if (t.common.help) {
        options_print_help(&command, stdout);
        return CLI_OK;
    }
    if (check_arguments(&t, n_words, &err) != FORMA_OK)
        status = cli_fail(json, NULL, &err);
    else if (run(&t, n_words, argv, &err) != FORMA_OK)
        status = cli_fail(json, t.error_file, &err);
    token_list_destroy(&t.ids);
    tokenizer_free(t.tokenizer);
    cli_text_free(&t.input);
    return status;
}
