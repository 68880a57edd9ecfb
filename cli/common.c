/* SPDX-License-Identifier: MIT */
#include "cli/common.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/utf8.h"

#define MESSAGE_BYTES (sizeof((struct forma_error *)0)->message + 64) /* with options named */

/* ---- errors ------------------------------------------------------------------------------- */

int cli_exit_status(enum forma_status status) {
    switch (status) {
    case FORMA_OK: return CLI_OK;
    case FORMA_EREFUSED: return CLI_NO;
    case FORMA_EIO:
    case FORMA_EMEMORY:
    case FORMA_EINTERNAL: return CLI_FAULT;
    case FORMA_ECANCELLED: return CLI_CANCELLED;
    case FORMA_EINVAL:
    case FORMA_ESCHEMA:
    case FORMA_EUNSUPPORTED:
    case FORMA_EUNSAT:
    case FORMA_ELIMIT:
    case FORMA_EMODEL: return CLI_WRONG;
    }
    return CLI_FAULT;
}

static const char *status_name(enum forma_status status) {
    switch (status) {
#define X(code, text)                                                                              \
    case code: return #code;
        FORMA_STATUS_MAP(X)
#undef X
    }
    return "FORMA_EINTERNAL";
}

static void print_text_member(const char *name, const char *text) {
    printf(", \"%s\": ", name);
    if (text && *text)
        cli_json_string(stdout, text, strlen(text));
    else
        fputs("null", stdout);
}

static void print_number_member(const char *name, uint64_t value, bool known) {
    if (known)
        printf(", \"%s\": %" PRIu64, name, value);
    else
        printf(", \"%s\": null", name);
}

void cli_print_error(const char *file, const struct forma_error *err) {
    char message[MESSAGE_BYTES];
    printf("{\"status\": \"%s\"", status_name(err->status));
    cli_name_options(err->message, message, sizeof message);
    print_text_member("message", message);
    print_text_member("file", file);
    fputs(", \"pointer\": ", stdout);
    if (err->has_pointer)
        cli_json_string(stdout, err->pointer, strlen(err->pointer));
    else
        fputs("null", stdout);
    print_number_member("line", err->line, err->line > 0);
    print_number_member("column", err->column, err->line > 0);
    print_number_member("offset", err->offset, err->offset != UINT64_MAX);
    putchar('}');
}

/* ---- names of options --------------------------------------------------------------------- */

/* The option that a name of the library at `p` is, or NULL. Only where our sentences have them: other
 * words may be the user's. */
static const char *option_at(const char *message, const char *p, size_t *length) {
    static const char *const names[] = {"max_bytes",  "max_nesting",   "max_nodes",
                                        "max_states", "max_memory",    "max_work",
                                        "max_length", "max_compile_ms"};
    static const char *const before[] = {"raise ", "lower ", " and ", " or "};
    bool fits = p == message;
    for (size_t i = 0; i < sizeof before / sizeof *before && !fits; i++) {
        size_t n = strlen(before[i]);
        fits = (size_t)(p - message) >= n && !memcmp(p - n, before[i], n);
    }
    if (!fits || *p != 'm') return NULL;
    *length = strspn(p, "abcdefghijklmnopqrstuvwxyz_");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == *length && !memcmp(names[i], p, *length)) return names[i];
    return NULL;
}

void cli_name_options(const char *message, char *out, size_t capacity) {
    struct text t;
    text_init(&t, out, capacity);
    bool quoted = false;
    for (const char *p = message; *p;) {
        size_t length = 1;
        if (*p == '\'') quoted = !quoted && (p == message || !isalpha((unsigned char)p[-1]));
        if (quoted || !option_at(message, p, &length)) {
            text_add(&t, "%c", *p++);
            continue;
        }
        text_add(&t, "--");
        for (const char *end = p + length; p < end; p++) text_add(&t, "%c", *p == '_' ? '-' : *p);
    }
}

void cli_limit_advice(unsigned limits, char *out, size_t capacity) {
    const char *names = forma_strlimits(limits);
    char advice[96];
    snprintf(advice, sizeof advice, "raise %s", names);
    cli_name_options(*names ? advice : "no option raises that limit", out, capacity);
}

void cli_error_text(const struct forma_error *err, char *out, size_t capacity) {
    struct text t;
    text_init(&t, out, capacity);
    if (err->pointer[0]) text_add(&t, "%s: ", err->pointer);
    if (err->line)
        text_add(&t, "%zu:%zu: ", err->line, err->column);
    else if (err->offset != UINT64_MAX)
        text_add(&t, "byte %" PRIu64 ": ", err->offset);
    char message[MESSAGE_BYTES];
    cli_name_options(err->message[0] ? err->message : forma_strstatus(err->status), message,
                     sizeof message);
    text_add(&t, "%s", message);
}

int cli_fail(bool json, const char *file, const struct forma_error *err) {
    char sentence[sizeof err->pointer + MESSAGE_BYTES + 64];
    int status = cli_exit_status(err->status);
    if (json) {
        fputs("{\"error\": ", stdout);
        cli_print_error(file, err);
        puts("}");
        return status;
    }
    cli_error_text(err, sentence, sizeof sentence);
    fprintf(stderr, "forma: %s%s%s\n", file ? file : "", file ? ": " : "", sentence);
    return status;
}

int cli_wrong(bool json, const char *format, ...) {
    struct forma_error err;
    va_list args;
    error_clear(&err);
    err.status = FORMA_EINVAL;
    va_start(args, format);
    vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    return cli_fail(json, NULL, &err);
}

bool cli_wants_json(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0) return true;
    return false;
}

/* ---- input -------------------------------------------------------------------------------- */

enum forma_status cli_text_append(struct cli_text *t, const char *data, size_t length,
                                  struct forma_error *err) {
    size_t needed;
    if (__builtin_add_overflow(t->length, length, &needed) || needed == SIZE_MAX)
        return error_set(err, FORMA_EMEMORY, "the text is too long for this machine");
    if (needed + 1 > t->capacity) {
        size_t capacity = t->capacity < 256 ? 256 : t->capacity;
        while (capacity < needed + 1)
            capacity = capacity > SIZE_MAX / 2 ? needed + 1 : 2 * capacity;
        char *grown = realloc(t->data, capacity);
        if (!grown) return error_set(err, FORMA_EMEMORY, "no memory for %zu bytes of text", needed);
        t->data = grown;
        t->capacity = capacity;
    }
    if (length) memcpy(t->data + t->length, data, length);
    t->length = needed;
    t->data[needed] = '\0';
    return FORMA_OK;
}

void cli_text_free(struct cli_text *t) {
    free(t->data);
    *t = (struct cli_text){0};
}

const char *cli_file_name(const char *path) {
    return path && strcmp(path, "-") == 0 ? "stdin" : path;
}

enum forma_status cli_read_file(const char *path, size_t max, struct cli_text *out,
                                struct forma_error *err) {
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");
    char buffer[1 << 14];
    size_t n;
    *out = (struct cli_text){0};
    if (!file)
        return error_set(err, FORMA_EIO, "cannot open the file (%s); %s", strerror(errno),
                         *path == '{' || *path == '[' ? "a text itself is read from stdin"
                                                      : "check the path");
    enum forma_status status = cli_text_append(out, "", 0, err);
    while (status == FORMA_OK && (n = fread(buffer, 1, sizeof buffer, file)) > 0)
        status =
            n > max - out->length
                ? error_set(err, FORMA_ELIMIT, "the file has more than the limit of %zu bytes%s",
                            max, max < CLI_MAX_TEXT ? "; raise --max-bytes" : "")
                : cli_text_append(out, buffer, n, err);
    if (status == FORMA_OK && ferror(file))
        status = error_set(err, FORMA_EIO, "cannot read the file (%s)%s", strerror(errno),
                           errno == EISDIR ? "; name a file in it" : "");
    if (!is_stdin) fclose(file);
    if (status != FORMA_OK) cli_text_free(out);
    return status;
}

/* ---- output ------------------------------------------------------------------------------- */

void cli_json_string(FILE *out, const char *text, size_t length) {
    const unsigned char *p = (const unsigned char *)text;
    fputc('"', out);
    for (size_t i = 0; i < length;) {
        uint32_t code_point;
        size_t n = utf8_decode(p + i, length - i, &code_point);
        if (n == 0) {
            fputs("\xEF\xBF\xBD", out);
            i++;
            continue;
        }
        switch (code_point) {
        case '"': fputs("\\\"", out); break;
        case '\\': fputs("\\\\", out); break;
        case '\n': fputs("\\n", out); break;
        case '\r': fputs("\\r", out); break;
        case '\t': fputs("\\t", out); break;
        default:
            if (code_point < 0x20 || code_point == 0x7F)
                fprintf(out, "\\u%04x", code_point);
            else
                fwrite(p + i, 1, n, out);
        }
        i += n;
    }
    fputc('"', out);
}

void cli_json_number(FILE *out, double value, int digits) {
    if (isfinite(value))
        fprintf(out, "%.*f", digits, value);
    else
        fputs("null", out);
}

static void print_escaped(FILE *out, const char *text, size_t length, const char *backslash) {
    const unsigned char *p = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        uint32_t code_point;
        size_t n = utf8_decode(p + i, length - i, &code_point);
        if (n == 0)
            fprintf(out, "\\x%02X", p[i]);
        else if (code_point == '\n')
            fputs("\\n", out);
        else if (code_point == '\r')
            fputs("\\r", out);
        else if (code_point == '\t')
            fputs("\\t", out);
        else if (code_point == '\\')
            fputs(backslash, out);
        else if (code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0))
            fprintf(out, "\\x%02X", code_point);
        else
            fwrite(p + i, 1, n, out);
        i += n ? n : 1;
    }
}

void cli_print_quoted(FILE *out, const char *text, size_t length) {
    print_escaped(out, text, length, "\\\\");
}

void cli_print_words(FILE *out, const char *text, size_t length) {
    print_escaped(out, text, length, "\\");
}

bool cli_has_colour(FILE *out) {
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no_colour && *no_colour) && term && strcmp(term, "dumb") != 0 && isatty(fileno(out));
}

/* errno of the failed write may be long gone; a pipe without a reader still shows. */
static bool reader_has_gone(void) {
    struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&p, 1, 0) == 1 && (p.revents & (POLLERR | POLLHUP)) != 0;
}

int cli_finish(bool json, int status) {
    struct forma_error err;
    errno = 0;
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed) return status;
    if (errno == EPIPE || reader_has_gone()) return CLI_FAULT; /* the reader knows */
    error_set(&err, FORMA_EIO, "cannot write the output: %s",
              errno ? strerror(errno) : "an earlier write failed");
    (void)json; /* stdout is what failed */
    return cli_fail(false, NULL, &err);
}
