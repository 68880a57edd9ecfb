/* SPDX-License-Identifier: MIT
 *
 * forma generate: a text from a model, free or in a form. Cheap things that can fail come first:
 * options, schema, tokenizer, compile, prompt; then the weights. Text is flushed piece by piece.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/form.h"
#include "cli/interrupt.h"
#include "cli/prompt.h"
#include "cli/report.h"

#define DEFAULT_MAX_TOKENS 512

struct generate_args {
    const char *model, *prompt, *file, *system, *samplers, *kernels;
    struct option_list stops;
    bool raw, no_forced, no_kv_cache, stats;
    int schema_in_prompt, kv, on_budget; /* -1: not given */
    uint32_t max_tokens;                 /* 0: not given */
    uint32_t ctx, threads, chunk;
    struct sampler_options sampler;
    struct option_seed seed;
};

#define AT(member) offsetof(struct generate_args, member)
#define LATER(name, value, help)                                                                   \
    { name, 0, OPTION_UNSUPPORTED, 0, value, help, 0, 0 }

static const struct option generate_options[] = {
    {"--model", 'm', OPTION_TEXT, AT(model), "FILE", "a GGUF file", 0, 0},
    {"--prompt", 'p', OPTION_TEXT, AT(prompt), "TEXT", "the prompt; without -p and -f: stdin", 0,
     0},
    {"--file", 'f', OPTION_TEXT, AT(file), "FILE", "the prompt, from a file (- is stdin)", 0, 0},
    {"--system", 0, OPTION_TEXT, AT(system), "TEXT", "the system text of the chat", 0, 0},
    {"--raw", 0, OPTION_FLAG, AT(raw), NULL, "no chat template: the model goes on from the prompt",
     0, 0},
    {"--schema-in-prompt", 0, OPTION_CHOICE, AT(schema_in_prompt), "on|off",
     "show the schema in the system text; default on, in a chat", 0, 0},
    {"--max-tokens", 0, OPTION_COUNT, AT(max_tokens), "N",
     "tokens to write at most; default 512. Given with a form, the text ends in a whole value", 1,
     4294967294.0},
    {"--on-budget", 0, OPTION_CHOICE, AT(on_budget), "complete|cut",
     "at the last token, a form is complete, or the text is cut with status 1; default complete if "
     "--max-tokens is given",
     0, 0},
    {"--stop", 0, OPTION_LIST, AT(stops), "TEXT",
     "end before this text; may be given several times", 0, 0},
    {"--stats", 0, OPTION_FLAG, AT(stats), NULL, "times and counts on stderr", 0, 0},
    LATER("--messages", "FILE", "use -p and --system"),
    LATER("--think", "auto|off|N", "leave it out"),
    LATER("--logprobs", "N", "leave it out"),
    LATER("--json-events", NULL, "use --json"),
};

static const struct option sampling_options[] = {
    {"--temp", 0, OPTION_NUMBER, AT(sampler.temperature), "T",
     "temperature; default 0.8; 0 = always the most probable token", 0, 1e6},
    {"--top-k", 0, OPTION_COUNT, AT(sampler.top_k), "K",
     "keep the K most probable; default 0 = off", 0, 4294967295.0},
    {"--top-p", 0, OPTION_NUMBER, AT(sampler.top_p), "P",
     "keep the fewest whose probabilities reach P; default 1 = off", 0, 1},
    {"--min-p", 0, OPTION_NUMBER, AT(sampler.min_p), "P",
     "keep what is at least P times as probable as the best; default 0 = off", 0, 1},
    {"--repeat-penalty", 0, OPTION_NUMBER, AT(sampler.repeat_penalty), "R",
     "divide positive, multiply negative logits of written tokens; default 1 = off", 1e-6, 1e6},
    {"--presence-penalty", 0, OPTION_NUMBER, AT(sampler.presence_penalty), "A",
     "subtract A from logits of written tokens; default 0 = off", -1e6, 1e6},
    {"--frequency-penalty", 0, OPTION_NUMBER, AT(sampler.frequency_penalty), "A",
     "subtract A for each time a token was written; default 0 = off", -1e6, 1e6},
    {"--samplers", 0, OPTION_TEXT, AT(samplers), "LIST",
     "the steps, in order; default penalties,temperature,top-k,top-p,min-p", 0, 0},
    {"--seed", 0, OPTION_SEED, AT(seed), "N", "of the draws; default random, reported by --stats",
     0, 0},
};

static const struct option machine_options[] = {
    {"--ctx", 0, OPTION_COUNT, AT(ctx), "N",
     "tokens of context, prompt and answer; default what the model was trained on, at most 8192", 1,
     4294967294.0},
    {"--threads", 0, OPTION_COUNT, AT(threads), "N", "default: the processors available", 1, 64},
    {"--chunk", 0, OPTION_COUNT, AT(chunk), "N", "prompt tokens of one pass at most; default 256",
     1, 65536},
    {"--kv", 0, OPTION_CHOICE, AT(kv), "f32|f16", "numbers of the KV memory; default f16", 0, 0},
    {"--kernels", 0, OPTION_TEXT, AT(kernels), "NAME",
     "scalar, avx2 or avx512; default the best that the processor grants", 0, 0},
    {"--no-forced", 0, OPTION_FLAG, AT(no_forced), NULL,
     "ask the model for text that the form forces, too: slow", 0, 0},
    {"--no-kv-cache", 0, OPTION_FLAG, AT(no_kv_cache), NULL,
     "compute every position again for each token: slow, the same text", 0, 0},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* All that one run opens. */
struct generate {
    struct generate_args args;
    struct form_args form_args;
    struct common_args common;
    struct form form;
    struct gguf *file;
    struct tokenizer *tokenizer;
    struct forma_vocabulary *vocabulary;
    struct forma_matcher *matcher;
    struct cli_text prompt_text;
    struct token_list prompt;
    struct model *model;
    struct engine *engine;
    struct cli_text text; /* what was written, under --json */
    char last;            /* the last byte written to stdout */
    int write_errno;
    double load_ms, compile_ms;
    const char *error_file; /* whose error it is, if it is a file's */
};

/* ---- arguments ---------------------------------------------------------------------------- */

static enum forma_status settle_seed(struct generate_args *a, struct forma_error *err) {
    if (!a->seed.given) {
        uint64_t random;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            return error_set(err, FORMA_EIO, "the system gives no random numbers; choose a --seed");
        a->seed.value = random >> 11; /* 53 bits: every JSON reader keeps them */
    }
    a->sampler.seed = a->seed.value;
    return FORMA_OK;
}

static enum forma_status check_args(struct generate *g, int n_words, char **argv,
                                    struct forma_error *err) {
    struct generate_args *a = &g->args;
    bool prompt_is_stdin = !a->prompt && (!a->file || !strcmp(a->file, "-"));
    if (n_words > 0)
        return error_set(err, FORMA_EINVAL, "unexpected argument \"%.60s\"; the prompt goes to -p",
                         argv[1]);
    if (!a->model) return error_set(err, FORMA_EINVAL, "which model? Give a GGUF file with -m");
    if (a->prompt && a->file)
        return error_set(err, FORMA_EINVAL, "the prompt is given twice; use -p or -f");
    if (prompt_is_stdin && form_is_stdin(&g->form_args))
        return error_set(err, FORMA_EINVAL,
                         "stdin cannot be both schema and prompt; give the prompt with -p or -f");
    if (a->schema_in_prompt == 0 && !g->form_args.schema)
        return error_set(err, FORMA_EINVAL, "--schema-in-prompt on needs a --schema");
    if (a->raw && a->system)
        return error_set(err, FORMA_EINVAL, "--system needs the chat template; leave out --raw");
    if (a->raw && a->schema_in_prompt == 0)
        return error_set(err, FORMA_EINVAL,
                         "--schema-in-prompt on needs the chat template; leave out --raw");
    if (a->on_budget == 0 && !form_is_given(&g->form_args))
        return error_set(err, FORMA_EINVAL,
                         "--on-budget complete needs a form; give one with --schema or --regex");
    if (a->on_budget < 0) a->on_budget = !a->max_tokens;
    if (!a->max_tokens) a->max_tokens = DEFAULT_MAX_TOKENS;
    if (a->samplers) {
        enum forma_status status = sampler_parse_steps(a->samplers, &a->sampler, err);
        if (status != FORMA_OK) return status;
    }
    return settle_seed(a, err);
}

/* ---- opening ------------------------------------------------------------------------------ */

static enum forma_status read_prompt(struct generate *g, struct forma_error *err) {
    const struct generate_args *a = &g->args;
    if (a->prompt) return cli_text_append(&g->prompt_text, a->prompt, strlen(a->prompt), err);
    const char *path = a->file ? a->file : "-";
    if (!strcmp(path, "-") && isatty(STDIN_FILENO) && !g->common.quiet)
        fputs("forma: reading the prompt from the terminal; Ctrl-D ends it\n", stderr);
    g->error_file = strcmp(path, "-") ? path : "stdin";
    return cli_read_file(path, CLI_MAX_TEXT, &g->prompt_text, err);
}

static enum forma_status open_form(struct generate *g, struct forma_error *err) {
    g->compile_ms = NAN;
    if (!g->form.file) return FORMA_OK;
    g->error_file = g->args.model;
    g->vocabulary = tokenizer_vocabulary(g->tokenizer, err);
    if (!g->vocabulary) return err->status;
    double start = clock_ms();
    g->error_file = g->form.file;
    enum forma_status status = form_compile(&g->form, g->vocabulary, err);
    if (status != FORMA_OK) return status;
    g->matcher = forma_matcher_new(g->form.grammar, g->vocabulary, NULL, err);
    g->compile_ms = clock_ms() - start;
    return g->matcher ? FORMA_OK : err->status;
}

static enum forma_status encode_prompt(struct generate *g, struct forma_error *err) {
    const struct generate_args *a = &g->args;
    bool shows_schema = g->form.kind == FORM_SCHEMA && !a->raw && a->schema_in_prompt != 1;
    struct prompt_source source = {
        .text = g->prompt_text.data,
        .length = g->prompt_text.length,
        .system = a->system,
        .schema = shows_schema ? g->form.text.data : NULL,
        .schema_length = g->form.text.length,
        .raw = a->raw,
    };
    enum forma_status status = prompt_encode(g->file, g->tokenizer, &source, &g->prompt, err);
    /* An error with an offset is the prompt's, others are the model's template or tokenizer. */
    if (status == FORMA_EINVAL)
        g->error_file = cli_file_name(a->file);
    else
        g->error_file = a->model;
    return status;
}

static enum forma_status open_model(struct generate *g, struct forma_error *err) {
    const struct generate_args *a = &g->args;
    struct run_options run;
    run_options_init(&run);
    run.n_ctx = a->ctx;
    run.n_sequences = 1;
    if (a->threads) run.n_threads = a->threads;
    if (a->chunk) run.max_rows = a->chunk;
    if (a->kv >= 0) run.kv = a->kv ? KV_F16 : KV_F32;
    if (a->kernels) run.kernels = a->kernels;
    g->error_file = a->model;
    g->model = model_open(g->file, NULL, err);
    if (!g->model) return err->status;
    if (a->ctx > model_shape(g->model)->n_ctx_train && !g->common.quiet)
        fprintf(stderr,
                "forma: warning: --ctx %" PRIu32 " is more than the %" PRIu32
                " tokens that the model was trained on; expect nonsense beyond them\n",
                a->ctx, model_shape(g->model)->n_ctx_train);
    g->engine = engine_new(g->model, g->tokenizer, &run, err);
    if (!g->engine && err->status == FORMA_EINVAL) g->error_file = NULL; /* an option's */
    return g->engine ? FORMA_OK : err->status;
}

static enum forma_status open_all(struct generate *g, struct forma_error *err) {
    double start = clock_ms();
    g->error_file = NULL;
    enum forma_status status = form_load(&g->form, &g->form_args, &g->common, false, err);
    if (status != FORMA_OK) {
        g->error_file = g->form.file;
        return status;
    }
    g->error_file = g->args.model;
    g->file = gguf_open(g->args.model, NULL, err);
    if (!g->file) return err->status;
    g->tokenizer = tokenizer_open(g->file, NULL, err);
    if (!g->tokenizer) return err->status;
    status = open_form(g, err);
    if (status == FORMA_OK) status = read_prompt(g, err);
    if (status == FORMA_OK) status = encode_prompt(g, err);
    if (status == FORMA_OK) status = open_model(g, err);
    g->load_ms = clock_ms() - start - (isfinite(g->compile_ms) ? g->compile_ms : 0);
    return status;
}

static void close_all(struct generate *g) {
    engine_free(g->engine);
    model_free(g->model);
    forma_matcher_free(g->matcher);
    form_free(&g->form);
    forma_vocabulary_free(g->vocabulary);
    token_list_destroy(&g->prompt);
    tokenizer_free(g->tokenizer);
    gguf_close(g->file);
    cli_text_free(&g->prompt_text);
    cli_text_free(&g->text);
}

/* ---- running ------------------------------------------------------------------------------ */

static bool on_text(void *ctx, const char *text, size_t length) {
    struct generate *g = ctx;
    if (g->common.json) {
        if (cli_text_append(&g->text, text, length, NULL) == FORMA_OK) return true;
        g->write_errno = ENOMEM;
        return false;
    }
    g->last = text[length - 1];
    if (fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0) return true;
    g->write_errno = errno;
    return false;
}

static int finish_status(const struct generate *g, const struct engine_result *r) {
    switch (r->finish) {
    case ENGINE_STOP:
    case ENGINE_STOP_SEQUENCE: return CLI_OK;
    case ENGINE_LENGTH:
        if (!g->common.quiet)
            fprintf(stderr, "forma: warning: the text was cut at --max-tokens %" PRIu32 "; %s\n",
                    g->args.max_tokens,
                    g->matcher
                        ? "raise it, or let it end in a whole value with --on-budget complete"
                        : "raise it for a whole one");
        return CLI_NO;
    case ENGINE_CONTEXT:
        if (!g->common.quiet)
            fprintf(stderr,
                    "forma: warning: the text was cut because the context of %" PRIu32
                    " tokens is full; raise --ctx or shorten the prompt\n",
                    engine_n_ctx(g->engine));
        return CLI_NO;
    case ENGINE_CANCELLED: return interrupt_came() ? CLI_CANCELLED : CLI_FAULT;
    }
    return CLI_FAULT;
}

static void name_of_model(const struct gguf *file, char *out, size_t capacity) {
    struct gguf_string name;
    if (gguf_get_string(file, "general.name", &name))
        snprintf(out, capacity, "%.*s", (int)(name.length < 100 ? name.length : 100), name.data);
    else
        snprintf(out, capacity, "(no name)");
}

static int run(struct generate *g) {
    const struct generate_args *a = &g->args;
    struct engine_request request = {
        .prompt = g->prompt.ids,
        .n_prompt = g->prompt.count,
        .max_tokens = a->max_tokens,
        .sampler = a->sampler,
        .stops = a->stops.items,
        .n_stops = a->stops.count,
        .matcher = g->matcher,
        .complete = a->on_budget == 0,
        .no_forced = a->no_forced,
        .no_kv_cache = a->no_kv_cache,
        .cancel = interrupt_flag(),
        .on_text = on_text,
        .ctx = g,
    };
    struct engine_result result;
    struct forma_error err;
    char name[128];
    interrupt_catch();
    enum forma_status status = engine_generate(g->engine, &request, &result, &err);
    if (!g->common.json && isatty(STDOUT_FILENO) && g->last && g->last != '\n') putchar('\n');
    if (g->write_errno == EPIPE) return CLI_FAULT; /* the reader left: it knows */
    if (g->write_errno) {
        error_set(&err, FORMA_EIO, "cannot write the text: %s", strerror(g->write_errno));
        clearerr(stdout);
        return cli_fail(false, NULL, &err);
    }
    if (status != FORMA_OK) return cli_fail(g->common.json, NULL, &err);
    name_of_model(g->file, name, sizeof name);
    struct report report = {
        .result = &result,
        .engine = g->engine,
        .model = g->model,
        .text = &g->text,
        .stop_sequence =
            result.finish == ENGINE_STOP_SEQUENCE ? a->stops.items[result.stop_index] : NULL,
        .model_name = name,
        .seed = a->seed.value,
        .load_ms = g->load_ms,
        .compile_ms = g->compile_ms,
    };
    if (g->common.json) report_json(&report, stdout);
    if (a->stats)
        report_stats(&report, stderr);
    else if (g->common.verbose)
        fprintf(stderr, "forma: seed %" PRIu64 "\n", a->seed.value);
    if (result.narrowed && !g->common.quiet) {
        char advice[96];
        cli_limit_advice(result.narrowed, advice, sizeof advice);
        fprintf(stderr,
                "forma: warning: a search limit made some mask stricter than the form; %s\n",
                advice);
    }
    return finish_status(g, &result);
}

int cmd_generate(int argc, char **argv) {
    struct generate g;
    struct forma_error err;
    bool json = cli_wants_json(argc, argv);
    memset(&g, 0, sizeof g);
    sampler_options_init(&g.args.sampler);
    form_args_init(&g.form_args);
    g.args.schema_in_prompt = g.args.kv = g.args.on_budget = -1;
    const struct option_group groups[] = {
        {"The request", generate_options, COUNT(generate_options), &g.args},
        {"The form", form_options, n_form_options, &g.form_args},
        {"Styles (default schema, natural, plain, minimal)", style_options, n_style_options,
         &g.form_args},
        {"Sampling", sampling_options, COUNT(sampling_options), &g.args},
        {"The machine", machine_options, COUNT(machine_options), &g.args},
        {"Limits", limit_options, n_limit_options, &g.form_args},
        {"Common", common_options, n_common_options, &g.common},
    };
    const struct command command = {
        .usage = "forma generate -m MODEL [--schema FILE|JSON | --regex RE]\n"
                 "                      [-p TEXT | -f FILE] [options]",
        .about = "Writes a text with a model; with a schema, the text is JSON that the schema "
                 "accepts. The form is guaranteed, the content is not.",
        .groups = groups,
        .n_groups = COUNT(groups),
    };
    int n_words = options_parse(&command, argc, argv, &err);
    if (n_words < 0) return cli_fail(json, NULL, &err);
    if (g.common.help) {
        options_print_help(&command, stdout);
        return CLI_OK;
    }
    int status;
    if (check_args(&g, n_words, argv, &err) != FORMA_OK) return cli_fail(json, NULL, &err);
    if (open_all(&g, &err) != FORMA_OK)
        status = cli_fail(json, g.error_file, &err);
    else
        status = run(&g);
    close_all(&g);
    return status;
}
