/* SPDX-License-Identifier: MIT
 *
 * forma sample: texts of a form without a model, one a line: drawn from seeds, or, with --shortest,
 * the shortest ones in order. The first text has the seed of --seed, the next the one after it, so
 * every text can be had again alone.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "automaton/grammar.h"
#include "automaton/sample.h"
#include "automaton/shortest.h"
#include "base/clock.h"
#include "base/hash.h"
#include "cli/form.h"
#include "cli/interrupt.h"

#define DEFAULT_MAX_LENGTH 2000
#define PROGRESS_MS        100
/* Texts that were there before, one after the other, until --distinct gives up. */
#define MAX_REPEATS   1000
#define DISTINCT_SIZE ((size_t)1 << 34)

struct sample_args {
    uint32_t n;
    struct option_seed seed;
    size_t max_length; /* SIZE_MAX: not given */
    bool shortest, distinct;
};

#define AT(member)   offsetof(struct sample_args, member)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct option sample_options[] = {
    {"--count", 'n', OPTION_COUNT, AT(n), "N", "how many texts; default 1", 1, UINT32_MAX},
    {"--seed", 0, OPTION_SEED, AT(seed), "N",
     "of the first text, the next has the next one; default random, reported by -v and --json", 0,
     0},
    {"--max-length", 0, OPTION_SIZE, AT(max_length), "N",
     "the most bytes a text may have; default 2000", 0, 0},
    {"--distinct", 0, OPTION_FLAG, AT(distinct), NULL, "no text twice", 0, 0},
    {"--shortest", 0, OPTION_FLAG, AT(shortest), NULL,
     "the N shortest texts instead, equal lengths in byte order; --max-work bounds the search", 0,
     0},
};

/* Texts that were written, for --distinct. */
struct written {
    const unsigned char *text;
    size_t length;
};

struct sample_command {
    struct sample_args args;
    struct form_args form_args;
    struct common_args common;
    struct form form;
    struct sample_maker *maker;
    struct shortest *shortest;
    struct arena arena; /* of the texts written */
    struct table table;
    ARENA_VEC(struct written) written;
    uint32_t n_written;
    double shown_ms;
    bool shows_progress;
    bool stop; /* the reader left, or Ctrl-C */
};

/* ---- output ------------------------------------------------------------------------------- */

static void show_progress(struct sample_command *c) {
    if (!c->shows_progress || clock_ms() - c->shown_ms < PROGRESS_MS) return;
    fprintf(stderr, "\r%" PRIu32 " of %" PRIu32 " texts\033[K", c->n_written, c->args.n);
    c->shown_ms = clock_ms();
}

static void hide_progress(struct sample_command *c) {
    if (c->shows_progress) fputs("\r\033[K", stderr);
    c->shows_progress = false;
}

/* `more`: what else the JSON object says. */
static void print_text(struct sample_command *c, const unsigned char *text, size_t length,
                       const char *more) {
    if (c->common.json) {
        fputs("{\"text\": ", stdout);
        cli_json_string(stdout, (const char *)text, length);
        printf(", %s, \"bytes\": %zu}\n", more, length);
    } else {
        fwrite(text, 1, length, stdout);
        putchar('\n');
    }
    c->n_written++;
    c->stop = ferror(stdout) != 0;
    show_progress(c);
}

__attribute__((format(printf, 2, 3))) static void tell(struct sample_command *c, const char *format,
                                                       ...) {
    hide_progress(c);
    if (c->common.quiet) return;
    fflush(stdout);
    fputs("forma: ", stderr);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

/* ---- drawn texts -------------------------------------------------------------------------- */

/* Adds a text to those written; *is_new: it was not there. */
static enum forma_status add_written(struct sample_command *c, const unsigned char *text,
                                     size_t length, bool *is_new, struct forma_error *err) {
    uint32_t hash = fa_hash(text, length);
    for (struct table_probe p = table_probe(&c->table, hash); table_next(&c->table, &p);) {
        const struct written *w = &c->written.data[p.id];
        if (w->length == length && memcmp(w->text, text, length) == 0) {
            *is_new = false;
            return FORMA_OK;
        }
    }
    const unsigned char *copy = arena_push_copy(&c->arena, text, length);
    if (!copy || !ARENA_VEC_GROW(&c->arena, &c->written) ||
        !table_add(&c->table, hash, c->written.count))
        return error_set(err, FORMA_EMEMORY,
                         "no memory for the texts that were written; lower -n or leave out "
                         "--distinct");
    c->written.data[c->written.count++] = (struct written){copy, length};
    *is_new = true;
    return FORMA_OK;
}

static enum forma_status make_maker(struct sample_command *c, struct forma_error *err) {
    size_t most = c->args.max_length != SIZE_MAX ? c->args.max_length : DEFAULT_MAX_LENGTH;
    c->maker = sample_maker_new(grammar_machine(c->form.grammar), most, NULL, err);
    return c->maker ? FORMA_OK : err->status;
}

/* States of texts are kept: when they fill the grammar's memory, a new grammar goes on. */
static enum forma_status draw(struct sample_command *c, uint64_t seed, const unsigned char **text,
                              size_t *length, struct forma_error *err) {
    enum forma_status status = sample_draw(c->maker, seed, text, length, err);
    if (status != FORMA_ELIMIT || c->n_written == 0) return status;
    sample_maker_free(c->maker);
    c->maker = NULL;
    forma_grammar_free(c->form.grammar);
    c->form.grammar = NULL;
    status = form_compile(&c->form, NULL, err);
    if (status == FORMA_OK) status = make_maker(c, err);
    return status == FORMA_OK ? sample_draw(c->maker, seed, text, length, err) : status;
}

static enum forma_status draw_texts(struct sample_command *c, struct forma_error *err) {
    enum forma_status status = make_maker(c, err);
    uint64_t seed = c->args.seed.value;
    for (unsigned repeats = 0; status == FORMA_OK && !c->stop && c->n_written < c->args.n; seed++) {
        const unsigned char *text;
        size_t length;
        bool is_new = true;
        status = draw(c, seed, &text, &length, err);
        if (status == FORMA_OK && c->args.distinct)
            status = add_written(c, text, length, &is_new, err);
        if (status != FORMA_OK) break;
        if (is_new) {
            char more[40];
            snprintf(more, sizeof more, "\"seed\": %" PRIu64, seed);
            print_text(c, text, length, more);
            repeats = 0;
        } else if (++repeats == MAX_REPEATS) {
            tell(c, "%" PRIu32 " distinct text%s; %d draws in a row brought no other", c->n_written,
                 c->n_written == 1 ? "" : "s", MAX_REPEATS);
            break;
        }
        c->stop |= interrupt_came();
    }
    return status;
}

/* ---- the shortest ------------------------------------------------------------------------- */

/* A text that is longer than --max-length: no other is shorter. */
static enum forma_status end_at_length(struct sample_command *c, const struct shortest_text *t,
                                       struct forma_error *err) {
    if (!c->n_written)
        return error_set(
            err, FORMA_EINVAL, "the shortest text %s has %zu bytes; raise max_length, which is %zu",
            t->proven ? "of the form" : "that is known", t->length, c->args.max_length);
    tell(c, "the next text has %zu bytes; raise --max-length, which is %zu", t->length,
         c->args.max_length);
    return FORMA_OK;
}

/* A limit ended the search: fewer texts than were asked for are an error. */
static enum forma_status end_at_limit(struct sample_command *c, const struct shortest_text *t,
                                      struct forma_error *err) {
    char advice[96];
    cli_limit_advice(t->limits, advice, sizeof advice);
    if (t->text)
        tell(c, "a text of %zu bytes; shorter ones were not ruled out; %s", t->length, advice);
    if (c->n_written >= c->args.n) return FORMA_OK;
    return error_set(err, FORMA_ELIMIT, "the search for the next text met a limit; %s", advice);
}

/* Writes the next text; c->stop: it was the last one. */
static enum forma_status find_text(struct sample_command *c, struct forma_error *err) {
    struct shortest_text t;
    enum forma_status status = shortest_next(c->shortest, &t, err);
    if (status != FORMA_OK) return status;
    bool fits = t.text && t.length <= c->args.max_length;
    if (fits) print_text(c, t.text, t.length, t.proven ? "\"proven\": true" : "\"proven\": false");
    if (fits && t.proven) return FORMA_OK;
    c->stop = true;
    if (t.text && !fits) return end_at_length(c, &t, err);
    if (!t.proven) return end_at_limit(c, &t, err);
    tell(c, "the form has no more than %" PRIu32 " text%s", c->n_written,
         c->n_written == 1 ? "" : "s");
    return FORMA_OK;
}

static enum forma_status find_texts(struct sample_command *c, struct forma_error *err) {
    enum forma_status status = FORMA_OK;
    c->shortest = shortest_new(grammar_machine(c->form.grammar), c->form.options.max_work,
                               interrupt_flag(), NULL, err);
    if (!c->shortest) return err->status;
    status = shortest_check_length(c->shortest, c->args.max_length, err);
    while (status == FORMA_OK && !c->stop && c->n_written < c->args.n) {
        status = find_text(c, err);
        c->stop |= interrupt_came();
    }
    return status == FORMA_ECANCELLED ? FORMA_OK : status;
}

/* ---- the command -------------------------------------------------------------------------- */

static enum forma_status check_arguments(struct sample_command *c, int n_words, char **argv,
                                         struct forma_error *err) {
    struct sample_args *a = &c->args;
    if (n_words)
        return error_set(err, FORMA_EINVAL,
                         "unexpected argument \"%.60s\"; the form goes to --schema", argv[1]);
    if (!c->form_args.schema && !c->form_args.regex)
        return error_set(err, FORMA_EINVAL, "which form? Give one with --schema or --regex");
    if (a->max_length != SIZE_MAX && (a->max_length < 1 || a->max_length > SAMPLE_MAX_LENGTH))
        return error_set(err, FORMA_EINVAL, "--max-length is %zu; it must be 1 to %zu",
                         a->max_length, SAMPLE_MAX_LENGTH);
    if (a->shortest && (a->seed.given || a->distinct))
        return error_set(err, FORMA_EINVAL, "--shortest draws nothing; leave out %s",
                         a->seed.given ? "--seed" : "--distinct");
    if (a->shortest || a->seed.given) return FORMA_OK;
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        return error_set(err, FORMA_EIO, "the system gives no random numbers; choose a --seed");
    a->seed.value = random >> 11; /* 53 bits: every JSON reader keeps them */
    return FORMA_OK;
}

static enum forma_status open_sample(struct sample_command *c, struct forma_error *err) {
    enum forma_status status = form_load(&c->form, &c->form_args, &c->common, false, err);
    if (status == FORMA_OK) status = form_compile(&c->form, NULL, err);
    if (status != FORMA_OK) return status;
    if (c->args.distinct && (!arena_init(&c->arena, fa_default_allocator(), DISTINCT_SIZE) ||
                             !table_init(&c->table, &c->arena, 64)))
        return error_set(err, FORMA_EMEMORY, "no memory for the texts; leave out --distinct");
    c->shows_progress = !c->common.quiet && isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO);
    c->shown_ms = clock_ms();
    return FORMA_OK;
}

static int sample(struct sample_command *c, struct forma_error *err) {
    if (open_sample(c, err) != FORMA_OK) return cli_fail(c->common.json, c->form.file, err);
    interrupt_catch();
    enum forma_status status = c->args.shortest ? find_texts(c, err) : draw_texts(c, err);
    hide_progress(c);
    if (interrupt_came()) return CLI_CANCELLED;
    if (status != FORMA_OK) return cli_fail(c->common.json, c->form.file, err);
    if (c->common.verbose && !c->args.shortest)
        fprintf(stderr, "forma: seed %" PRIu64 "\n", c->args.seed.value);
    return CLI_OK;
}

int cmd_sample(int argc, char **argv) {
    struct sample_command c;
    struct forma_error err;
    bool json = cli_wants_json(argc, argv);
    memset(&c, 0, sizeof c);
    form_args_init(&c.form_args);
    c.args.n = 1;
    c.args.max_length = SIZE_MAX;
    const struct option_group groups[] = {
        {"The texts", sample_options, COUNT(sample_options), &c.args},
        {"The form", form_options, n_form_options, &c.form_args},
        {"Styles (default schema, natural, plain, minimal)", style_options, n_style_options,
         &c.form_args},
        {"Limits", limit_options, n_limit_options, &c.form_args},
        {"Common", common_options, n_common_options, &c.common},
    };
    const struct command command = {
        .usage = "forma sample --schema FILE|JSON | --regex RE [-n N] [--seed S]\n"
                 "                    [--max-length N] [--distinct] [options]\n"
                 "       forma sample --schema FILE|JSON | --regex RE --shortest [-n N] [options]",
        .about = "Texts of the form without a model, one a line: test data, or the shortest there "
                 "are.",
        .groups = groups,
        .n_groups = COUNT(groups),
    };
    int n_words = options_parse(&command, argc, argv, &err);
    if (n_words < 0) return cli_fail(json, NULL, &err);
    if (c.common.help) {
        options_print_help(&command, stdout);
        return CLI_OK;
    }
    if (check_arguments(&c, n_words, argv, &err) != FORMA_OK) return cli_fail(json, NULL, &err);
    int status = sample(&c, &err);
    sample_maker_free(c.maker);
    shortest_free(c.shortest);
    arena_destroy(&c.arena);
    form_free(&c.form);
    return status;
}
