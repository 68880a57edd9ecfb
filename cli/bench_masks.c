/* SPDX-License-Identifier: MIT
 *
 * forma bench masks: a file holds a `schema` and `tests`, each with `data` and `valid`. One thread
 * compiles the schema's text and makes the first mask (one sample of ttfm), then goes through each
 * instance token by token, a mask before every token and one at the end (a sample of tbm each):
 *
 *     schema text -> grammar -> matcher -> mask      ttfm
 *     instance: [mask, token]*, mask, end token      tbm, tbm, tbm ...
 *
 * Between files every cache but the vocabulary's is dropped. Only the calls are inside the clock;
 * the verdict looks at one bit of each mask, so that checking evicts nothing. An instance is
 * accepted if each of its tokens, and at the end an end token, has its bit set.
 */
#include "cli/bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/bench_profile.h"
#include "cli/files.h"
#include "cli/form.h"
#include "cli/interrupt.h"
#include "cli/json_source.h"
#include "cli/python_json.h"
#include "runtime/sampler.h"
#include "runtime/tokenizer.h"

#define MAX_FILES   ((size_t)1000000)
#define PROGRESS_MS 100.0

struct masks_args {
    struct option_list ends;
    const char *tokenizer, *data, *out;
    size_t limit; /* SIZE_MAX: all */
    struct option_seed seed;
    bool no_cache, profile;
};

#define AT(member)   offsetof(struct masks_args, member)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct option masks_options[] = {
    {"--tokenizer", 0, OPTION_TEXT, AT(tokenizer), "FILE", "a tokenizer.json or a GGUF file", 0, 0},
    {"--eos", 0, OPTION_LIST, AT(ends), "TOKEN|ID",
     "a token that ends a text, instead of those known by name; may be given again", 0, 0},
    {"--data", 0, OPTION_TEXT, AT(data), "DIR|LIST|FILE",
     "all .json files below a directory, those that a text file lists, or one", 0, 0},
    {"--out", 'o', OPTION_TEXT, AT(out), "FILE", "a JSON line for each file (- is stdout)", 0, 0},
    {"--limit", 0, OPTION_AMOUNT, AT(limit), "N", "only N of the files, drawn by --seed", 0, 0},
    {"--seed", 0, OPTION_SEED, AT(seed), "N", "default 1", 0, 0},
    {"--no-cache", 0, OPTION_FLAG, AT(no_cache), NULL, "no mask is kept, so that each is made anew",
     0, 0},
    {"--shared-cache", 0, OPTION_UNSUPPORTED, 0, NULL,
     "leave it out: each file begins with the vocabulary alone", 0, 0},
    {"--profile", 0, OPTION_FLAG, AT(profile), NULL, "also by kind of place, and the slowest masks",
     0, 0},
};

struct bench {
    struct masks_args args;
    struct form_args form_args;
    struct common_args common;
    struct form form; /* the options, for every schema */
    struct tokenizer *tokenizer;
    struct forma_vocabulary *vocabulary;
    uint32_t eos; /* an end token */
    double vocabulary_ms;
    struct file_list files;
    FILE *out;
    int32_t *row;
    size_t words;
    const char *error_file;
    char *path; /* of the file at hand, or of the one that an error is about */

    struct samples ttfm, compile, tbm, cold, memory, cache; /* us; the last two bytes */
    struct profile profile;
    size_t n_files, n_right, n_uncompiled, n_refusing, n_accepting, n_narrowed, n_tests;
    double shown_ms;
};

/* ---- one file ----------------------------------------------------------------------------- */

struct subject {
    struct bench *b;
    const struct json_value *schema, *tests;
    const char *name;       /* of the file */
    struct cli_text text;   /* the file */
    FILE *line;             /* of the output, written at the end */
    struct token_list *ids; /* of each test, */
    struct cli_text *texts; /* and its text */
    struct samples tbm;     /* in their order */
    struct forma_matcher *matcher;
    char exc[200]; /* why a mask or a token failed, if one did */
    bool narrowed;
    size_t n_bad;
    bool refuses, accepts; /* wrongly, some of the tests */
};

static double now_us(void) {
    return clock_ms() * 1e3;
}

static enum forma_status no_memory(struct forma_error *err) {
    return error_set(err, FORMA_EMEMORY, "no memory for the measurement");
}

static enum forma_status check_file(struct subject *s, const struct json_value *root,
                                    struct forma_error *err) {
    static const char wanted[] =
        "a file holds an object with a \"schema\" and a list of \"tests\", "
        "each with \"data\" and \"valid\", true or false";
    s->schema = json_find(root, "schema");
    s->tests = json_find(root, "tests");
    bool ok = s->schema && s->tests && s->tests->kind == JSON_ARRAY;
    for (uint32_t i = 0; ok && i < s->tests->count; i++) {
        const struct json_value *valid = json_find(&s->tests->items[i], "valid");
        ok = json_find(&s->tests->items[i], "data") && valid &&
             (valid->kind == JSON_TRUE || valid->kind == JSON_FALSE);
    }
    return ok ? FORMA_OK : error_at_offset(err, FORMA_EINVAL, root->offset, "%s", wanted);
}

/* The instances' tokens, before anything is measured. */
static enum forma_status encode_tests(struct subject *s, struct forma_error *err) {
    enum forma_status status = FORMA_OK;
    s->ids = calloc(s->tests->count + 1, sizeof *s->ids);
    s->texts = calloc(s->tests->count + 1, sizeof *s->texts);
    if (!s->ids || !s->texts) return no_memory(err);
    for (uint32_t i = 0; i < s->tests->count && !status; i++) {
        status = python_json_append(&s->texts[i], json_find(&s->tests->items[i], "data"), err);
        if (!status)
            status = tokenizer_encode(s->b->tokenizer, s->texts[i].data, s->texts[i].length,
                                      ENCODE_TEXT, &s->ids[i], err);
    }
    return status;
}

static bool is_set(const struct bench *b, uint32_t id) {
    return id / 32 < b->words && (uint32_t)b->row[id / 32] >> id % 32 & 1;
}

/* How often the system gave the processor to others; asked only where masks are told apart: it costs
 * about what a mask costs. */
static long times_interrupted(const struct bench *b) {
    struct rusage usage = {0};
    if (b->args.profile) getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

/* One sample, in front of byte `at` of test i. False: the mask failed, and s->exc says why. */
static bool measure_mask(struct subject *s, uint32_t i, size_t token, size_t at) {
    struct bench *b = s->b;
    struct forma_error err;
    uint64_t misses = matcher_cache_stats(s->matcher).misses;
    long interrupted = times_interrupted(b);
    double start = now_us();
    enum forma_status status = forma_matcher_mask(s->matcher, b->row, b->words, &err);
    double us = now_us() - start;
    bool cold = b->args.no_cache || matcher_cache_stats(s->matcher).misses > misses;
    s->narrowed |= forma_matcher_narrowed(s->matcher);
    if (!samples_add(&s->tbm, us) || (cold && !samples_add(&b->cold, us))) status = no_memory(&err);
    interrupted = times_interrupted(b) - interrupted;
    b->profile.n_interrupted += interrupted > 0;
    if (b->args.profile && status == FORMA_OK && !interrupted) {
        struct profile_place place = {.us = us, .cold = cold, .test = i, .token = token};
        snprintf(place.file, sizeof place.file, "%s", s->name);
        if (!profile_add(&b->profile, s->matcher, at, place)) status = no_memory(&err);
    }
    if (status) cli_error_text(&err, s->exc, sizeof s->exc);
    return status == FORMA_OK;
}

/* Is instance i accepted? *at: the token that is not. */
static bool run_test(struct subject *s, uint32_t i, size_t *at) {
    const struct token_list *ids = &s->ids[i];
    struct forma_error err;
    size_t byte = 0, length;
    forma_matcher_reset(s->matcher);
    if (s->b->args.profile && !profile_begin(&s->b->profile, s->texts[i].data, s->texts[i].length))
        return false;
    for (*at = 0; *at < ids->count; ++*at) {
        uint32_t id = ids->ids[*at];
        if (!measure_mask(s, i, *at, byte) || !is_set(s->b, id)) return false;
        if (forma_matcher_accept(s->matcher, id, &err) != FORMA_OK) {
            cli_error_text(&err, s->exc, sizeof s->exc);
            return false;
        }
        forma_vocabulary_bytes(s->b->vocabulary, id, &length);
        byte += length;
    }
    return measure_mask(s, i, *at, byte) && is_set(s->b, s->b->eos);
}

/* `runs`: the schema has values; else every instance is refused. */
static void judge_tests(struct subject *s, bool runs) {
    struct bench *b = s->b;
    for (uint32_t i = 0; i < s->tests->count; i++) {
        bool want = json_find(&s->tests->items[i], "valid")->kind == JSON_TRUE;
        size_t at = 0;
        bool accepted = runs && run_test(s, i, &at);
        b->n_tests++;
        if (accepted == want) continue;
        *(want ? &s->refuses : &s->accepts) = true;
        fprintf(s->line, "%s{\"i\": %u, \"want\": %s, \"at\": %zu, \"n\": %zu}",
                s->n_bad++ ? ", " : ", \"bad\": [", i, want ? "true" : "false", at,
                s->ids[i].count);
    }
    if (s->n_bad) putc(']', s->line);
}

static void write_tbm(struct subject *s) {
    fprintf(s->line, ", \"tests\": %u, \"tbm\": [", s->tests->count);
    for (size_t i = 0; i < s->tbm.count; i++)
        fprintf(s->line, "%s%.2f", i ? ", " : "", s->tbm.values[i]);
    putc(']', s->line);
}

static void write_text(struct subject *s, const char *name, const char *text) {
    fprintf(s->line, ", \"%s\": ", name);
    cli_json_string(s->line, text, strlen(text));
}

/* What the file adds to the sums. */
static enum forma_status add_up(struct subject *s, double ttfm, double compiled, size_t bytes,
                                size_t cached, struct forma_error *err) {
    struct bench *b = s->b;
    b->n_right += !s->n_bad;
    b->n_refusing += s->refuses;
    b->n_accepting += s->accepts;
    b->n_narrowed += s->narrowed;
    bool ok = samples_add(&b->ttfm, ttfm) && samples_add(&b->compile, compiled) &&
              samples_add(&b->memory, (double)(bytes + cached)) &&
              samples_add(&b->cache, (double)cached);
    for (size_t i = 0; ok && i < s->tbm.count; i++) ok = samples_add(&b->tbm, s->tbm.values[i]);
    return ok ? FORMA_OK : no_memory(err);
}

/* Compiles, measures, judges. */
static enum forma_status measure(struct subject *s, struct forma_error *err) {
    struct bench *b = s->b;
    struct forma_matcher_options options;
    struct forma_error why = {0};
    forma_matcher_options_init(&options);
    if (b->args.no_cache) options.mask_cache_bytes = 0;
    const char *schema = s->text.data + s->schema->offset;
    size_t length = json_source_length(s->text.data, s->schema);

    double start = now_us();
    struct forma_grammar *g =
        forma_grammar_from_json_schema(schema, length, b->vocabulary, &b->form.options, &why);
    double compiled = now_us() - start;
    s->matcher = g ? forma_matcher_new(g, b->vocabulary, &options, &why) : NULL;
    if (s->matcher) forma_matcher_mask(s->matcher, b->row, b->words, &why);
    double ttfm = now_us() - start;

    enum forma_status status = FORMA_OK;
    fprintf(s->line, ", \"ttfm\": %.2f", ttfm);
    bool none = !g && why.status == FORMA_EUNSAT;
    if (why.status != FORMA_OK && !none) {
        char text[256];
        cli_error_text(&why, text, sizeof text);
        write_text(s, "compile_error", text);
        b->n_uncompiled++;
    } else {
        judge_tests(s, !none);
        write_tbm(s);
        if (*s->exc) write_text(s, "exc", s->exc);
        if (s->narrowed) fputs(", \"narrowed\": true", s->line);
        size_t bytes = g ? forma_grammar_memory(g) : 0;
        size_t cached = s->matcher ? matcher_cache_stats(s->matcher).bytes : 0;
        fprintf(s->line, ", \"memory\": %zu, \"cache\": %zu", bytes + cached, cached);
        status = add_up(s, ttfm, compiled, bytes, cached, err);
    }
    forma_matcher_free(s->matcher);
    forma_grammar_free(g);
    return status;
}

static enum forma_status run_parsed(struct subject *s, const struct json_value *root,
                                    struct forma_error *err) {
    const char *slash = strrchr(s->b->path, '/');
    s->name = slash ? slash + 1 : s->b->path;
    size_t size;
    enum forma_status status = check_file(s, root, err);
    if (!status) status = python_json_size(s->schema, &size, err);
    if (!status) status = encode_tests(s, err);
    if (status) return status;
    fputs("{\"file\": ", s->line);
    cli_json_string(s->line, s->name, strlen(s->name));
    fprintf(s->line, ", \"size\": %zu", size);
    status = measure(s, err);
    fputs("}\n", s->line);
    return status;
}

static enum forma_status run_file(struct bench *b, struct forma_error *err) {
    struct subject s = {.b = b};
    struct arena arena = {0};
    char *line = NULL;
    size_t length = 0;
    const struct json_value *root = NULL;
    b->error_file = b->path;
    enum forma_status status = cli_read_file(b->path, CLI_MAX_TEXT, &s.text, err);
    if (!status) {
        root = json_source_parse(&arena, s.text.data, s.text.length, JSON_NESTING_CAP, err);
        status = root ? FORMA_OK : err->status;
    }
    s.line = status ? NULL : open_memstream(&line, &length);
    if (!status) status = s.line ? run_parsed(&s, root, err) : no_memory(err);
    if (s.line && fclose(s.line) != 0 && !status) status = no_memory(err);
    if (!status && b->out && fwrite(line, 1, length, b->out) != length) {
        b->error_file = b->args.out;
        status = error_set(err, FORMA_EIO, "cannot write (%s)", strerror(errno));
    }
    b->n_files += !status;
    for (uint32_t i = 0; s.ids && i < s.tests->count; i++) token_list_destroy(&s.ids[i]);
    for (uint32_t i = 0; s.texts && i < s.tests->count; i++) cli_text_free(&s.texts[i]);
    free(s.ids);
    free(s.texts);
    free(line);
    samples_free(&s.tbm);
    cli_text_free(&s.text);
    arena_destroy(&arena);
    return status;
}

/* ---- all files ---------------------------------------------------------------------------- */

static void show_progress(struct bench *b) {
    if (b->common.quiet || !isatty(STDERR_FILENO) || clock_ms() - b->shown_ms < PROGRESS_MS) return;
    fprintf(stderr, "\r%zu of %zu files, %zu masks, %zu files with a wrong verdict\033[K",
            b->n_files, b->files.count, b->tbm.count, b->n_files - b->n_right - b->n_uncompiled);
    b->shown_ms = clock_ms();
}

/* The paths that a text lists, a line each. */
static enum forma_status read_list(struct bench *b, struct forma_error *err) {
    struct cli_text text = {0};
    enum forma_status status = cli_read_file(b->args.data, CLI_MAX_TEXT, &text, err);
    for (char *line = text.data, *end; !status && line && *line; line = end) {
        size_t n = strcspn(line, "\n");
        end = line + n + (line[n] == '\n');
        line[n] = 0;
        if (n && line[n - 1] == '\r') line[n - 1] = 0;
        if (*line && !files_add(&b->files, line)) status = no_memory(err);
    }
    cli_text_free(&text);
    return status;
}

static bool ends_in(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

/* Keeps `limit` of the files, in their order, each as likely as the others. */
static void draw_files(struct bench *b) {
    struct rng rng;
    size_t wanted = b->args.limit, kept = 0, n = b->files.count;
    rng_seed(&rng, b->args.seed.given ? b->args.seed.value : 1);
    for (size_t i = 0; i < n; i++) {
        bool keep = kept < wanted && rng_unit(&rng) * (double)(n - i) < (double)(wanted - kept);
        if (keep)
            b->files.paths[kept++] = b->files.paths[i];
        else
            free(b->files.paths[i]);
    }
    b->files.count = kept;
}

static enum forma_status find_files(struct bench *b, struct forma_error *err) {
    const char *data = b->args.data;
    enum forma_status status = FORMA_OK;
    b->error_file = data;
    if (files_is_directory(data))
        status = files_below(data, ".json", MAX_FILES, &b->files, err);
    else if (ends_in(data, ".json"))
        status = files_add(&b->files, data) ? FORMA_OK : no_memory(err);
    else
        status = read_list(b, err);
    if (!status && b->files.count == 0)
        status = error_set(err, FORMA_EINVAL, "there are no .json files here");
    if (!status && b->args.limit < b->files.count) draw_files(b);
    return status;
}

static enum forma_status run_files(struct bench *b, struct forma_error *err) {
    bool below = files_is_directory(b->args.data);
    enum forma_status status = FORMA_OK;
    interrupt_catch();
    for (size_t i = 0; i < b->files.count && !status && !interrupt_came(); i++) {
        free(b->path);
        b->path = below ? files_join(b->args.data, b->files.paths[i]) : strdup(b->files.paths[i]);
        status = b->path ? run_file(b, err) : no_memory(err);
        show_progress(b);
    }
    if (b->shown_ms > 0) fputs("\r\033[K", stderr);
    return status;
}

/* ---- the command -------------------------------------------------------------------------- */

static enum forma_status open_bench(struct bench *b, struct forma_error *err) {
    enum forma_status status = form_settle(&b->form, &b->form_args, &b->common, false, err);
    if (b->form_args.keys < 0 && !b->form_args.exact) b->form.options.style.keys = FORMA_KEYS_ANY;
    if (b->form_args.numbers < 0) b->form.options.style.numbers = FORMA_NUMBERS_ANY;
    if (b->form_args.escapes < 0) b->form.options.style.escapes = FORMA_ESCAPES_ANY;
    b->error_file = b->form.file;
    if (status) return status;
    b->form.options.log = NULL; /* thousands of schemas */
    b->error_file = b->args.tokenizer;
    double start = clock_ms();
    b->vocabulary = cli_open_vocabulary(b->args.tokenizer, &b->args.ends, err);
    b->vocabulary_ms = clock_ms() - start;
    if (!b->vocabulary) return err->status;
    b->tokenizer = tokenizer_open_file(b->args.tokenizer, NULL, err);
    if (!b->tokenizer) return err->status;
    size_t n = forma_vocabulary_size(b->vocabulary);
    while (b->eos < n && !forma_vocabulary_is_eos(b->vocabulary, b->eos)) b->eos++;
    if (b->eos == n)
        return error_set(err, FORMA_EMODEL, "no token is known to end a text; name one with --eos");
    b->words = (n + 31) / 32;
    b->row = aligned_alloc(64, (b->words * sizeof *b->row + 63) / 64 * 64);
    if (!b->row) return no_memory(err);
    if ((status = find_files(b, err)) != FORMA_OK || !b->args.out) return status;
    b->error_file = b->args.out;
    b->out = strcmp(b->args.out, "-") ? fopen(b->args.out, "w") : stdout;
    return b->out ? FORMA_OK
                  : error_set(err, FORMA_EIO, "cannot write to the file (%s)", strerror(errno));
}

struct sums {
    struct summary ttfm, compile, tbm, cold, memory, cache;
    double peak_mib;
    long interrupted; /* times that the system ran something else */
};

static struct sums add_up_all(struct bench *b) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (struct sums){samples_sum(&b->ttfm),          samples_sum(&b->compile),
                         samples_sum(&b->tbm),           samples_sum(&b->cold),
                         samples_sum(&b->memory),        samples_sum(&b->cache),
                         (double)usage.ru_maxrss / 1024, usage.ru_nivcsw};
}

static void print_json(const struct bench *b, const struct sums *s, FILE *out) {
    const struct {
        const char *name;
        const struct summary *sum;
    } parts[] = {{"ttfm_us", &s->ttfm}, {"compile_us", &s->compile},  {"tbm_us", &s->tbm},
                 {"cold_us", &s->cold}, {"memory_bytes", &s->memory}, {"cache_bytes", &s->cache}};
    fprintf(out,
            "{\"files\": %zu, \"right\": %zu, \"compile_errors\": %zu, \"wrongly_refusing\": %zu, "
            "\"wrongly_accepting\": %zu, \"narrowed\": %zu, \"tests\": %zu",
            b->n_files, b->n_right, b->n_uncompiled, b->n_refusing, b->n_accepting, b->n_narrowed,
            b->n_tests);
    for (size_t i = 0; i < COUNT(parts); i++) {
        fprintf(out, ", \"%s\": ", parts[i].name);
        summary_json(out, parts[i].sum);
    }
    fprintf(out, ", \"vocabulary_ms\": %.1f, \"peak_mib\": %.1f, \"interrupted\": %ld%s}\n",
            b->vocabulary_ms, s->peak_mib, s->interrupted,
            interrupt_came() ? ", \"cancelled\": true" : "");
}

static const char *plural(size_t n) {
    return n == 1 ? "" : "s";
}

static void print_table(struct bench *b, const struct sums *s, FILE *out) {
    if (interrupt_came())
        fprintf(out, "interrupted after %zu of %zu files\n", b->n_files, b->files.count);
    fprintf(out,
            "%zu file%s, %zu test%s: %zu file%s right, %zu do not compile, %zu wrongly refuse, %zu "
            "wrongly accept, %zu narrowed\n",
            b->n_files, plural(b->n_files), b->n_tests, plural(b->n_tests), b->n_right,
            plural(b->n_right), b->n_uncompiled, b->n_refusing, b->n_accepting, b->n_narrowed);
    summary_print(out, "", NULL);
    summary_print(out, "first mask, us", &s->ttfm);
    summary_print(out, "of which to compile", &s->compile);
    summary_print(out, "mask, us", &s->tbm);
    summary_print(out, "mask made anew, us", &s->cold);
    struct summary kib = summary_scaled(&s->memory, 1.0 / 1024);
    summary_print(out, "grammar and its cache, KiB", &kib);
    kib = summary_scaled(&s->cache, 1.0 / 1024);
    summary_print(out, "of which the cache", &kib);
    fprintf(
        out,
        "vocabulary opened in %.1f ms; at most %.1f MiB in memory; the system ran something else "
        "%ld times\n",
        b->vocabulary_ms, s->peak_mib, s->interrupted);
    if (b->args.profile) profile_print(&b->profile, out);
}

static void print_summary(struct bench *b) {
    FILE *out = b->out == stdout ? stderr : stdout;
    struct sums sums = add_up_all(b);
    if (b->common.json)
        print_json(b, &sums, out);
    else
        print_table(b, &sums, out);
}

static void close_bench(struct bench *b) {
    if (b->out && b->out != stdout) fclose(b->out);
    samples_free(&b->ttfm);
    samples_free(&b->compile);
    profile_free(&b->profile);
    samples_free(&b->tbm);
    samples_free(&b->cold);
    samples_free(&b->memory);
    samples_free(&b->cache);
    files_free(&b->files);
    free(b->row);
    free(b->path);
    tokenizer_free(b->tokenizer);
    forma_vocabulary_free(b->vocabulary);
    form_free(&b->form);
}

static int run(struct bench *b, bool json) {
    struct forma_error err;
    error_clear(&err);
    if (!b->args.tokenizer)
        return cli_wrong(json, "which vocabulary? Give a tokenizer.json with --tokenizer");
    if (!b->args.data) return cli_wrong(json, "which schemas? Give a directory with --data");
    if (b->form_args.schema || b->form_args.regex)
        return cli_wrong(json, "the schemas are those of --data; leave out %s",
                         b->form_args.schema ? "--schema" : "--regex");
    if (!b->args.limit) return cli_wrong(json, "--limit 0 leaves no file; give at least 1");
    enum forma_status status = open_bench(b, &err);
    if (!status) status = run_files(b, &err);
    if (status) return cli_fail(json, b->error_file, &err);
    print_summary(b);
    if (interrupt_came()) return CLI_CANCELLED;
    return b->n_refusing || b->n_accepting ? CLI_NO : CLI_OK;
}

int bench_masks(int argc, char **argv) {
    struct bench b;
    struct forma_error err;
    bool json = cli_wants_json(argc, argv);
    memset(&b, 0, sizeof b);
    b.args.limit = SIZE_MAX;
    form_args_init(&b.form_args);
    const struct option_group groups[] = {
        {"Options", masks_options, COUNT(masks_options), &b.args},
        {NULL, form_options, N_FORMS, &b.form_args}, /* refused in run */
        {"The form", form_options + N_FORMS, n_form_options - N_FORMS, &b.form_args},
        {"Styles (default any, natural, any, any)", style_options, n_style_options, &b.form_args},
        {"Limits", limit_options, n_limit_options, &b.form_args},
        {"Common", common_options, n_common_options, &b.common},
    };
    const struct command command = {
        .usage = "forma bench masks --tokenizer FILE --data DIR|LIST|FILE [--out FILE]\n"
                 "                         [options]",
        .about =
            "Compiles the schema of each file, walks through its instances token by token, and "
            "tells what the first mask and every other one cost. Verdicts are checked.",
        .groups = groups,
        .n_groups = COUNT(groups),
    };
    int n_words = options_parse(&command, argc, argv, &err);
    if (n_words < 0) return cli_fail(json, NULL, &err);
    if (b.common.help) {
        options_print_help(&command, stdout);
        return CLI_OK;
    }
    int status = n_words ? cli_wrong(json, "unknown argument %.60s; files go to --data", argv[1])
                         : run(&b, json);
    close_bench(&b);
    return status;
}
