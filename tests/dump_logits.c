/* SPDX-License-Identifier: MIT
 *
 * Writes the logits of every position of one sequence as raw float32, for comparison with models in
 * other languages:
 *
 *     dump_logits MODEL --ids 1,2,3 [--path reference|fast] [--kv f32|f16] [--threads N]
 *                 [--chunk N] [--kernels NAME] [--repeat N] --out FILE
 *
 * --repeat runs the whole sequence N times and prints the tokens per second of the fastest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/model.h"

struct arguments {
    const char *model, *ids, *out;
    unsigned chunk, repeat;
    bool last_only;
    struct run_options run;
};

static bool parse(int argc, char **argv, struct arguments *a) {
    run_options_init(&a->run);
    a->chunk = 64;
    a->repeat = 1;
    if (argc < 2) return false;
    a->model = argv[1];
    for (int i = 2; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (!strcmp(name, "--ids"))
            a->ids = value;
        else if (!strcmp(name, "--out"))
            a->out = value;
        else if (!strcmp(name, "--threads"))
            a->run.n_threads = (unsigned)atoi(value);
        else if (!strcmp(name, "--chunk"))
            a->chunk = (unsigned)atoi(value);
        else if (!strcmp(name, "--repeat"))
            a->repeat = (unsigned)atoi(value);
        else if (!strcmp(name, "--kernels"))
            a->run.kernels = value;
        else if (!strcmp(name, "--kv"))
            a->run.kv = !strcmp(value, "f32") ? KV_F32 : KV_F16;
        else if (!strcmp(name, "--path"))
            a->run.path = !strcmp(value, "reference") ? MODEL_PATH_REFERENCE : MODEL_PATH_FAST;
        else
            return false;
    }
    a->run.max_rows = a->chunk;
    a->last_only = !a->out;
    return a->ids != NULL && a->chunk > 0;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fail(const struct forma_error *err) {
    fprintf(stderr, "dump_logits: %s: %s\n", err->pointer, err->message);
    return 2;
}

/* "1,2,3": how many, and the numbers. */
static uint32_t *parse_ids(const char *text, uint32_t *n) {
    *n = 1;
    for (const char *p = text; *p; p++) *n += *p == ',';
    uint32_t *ids = malloc(*n * sizeof *ids);
    for (uint32_t i = 0; ids && i < *n; i++) {
        char *end;
        ids[i] = (uint32_t)strtoul(text, &end, 10);
        text = *end ? end + 1 : end;
    }
    return ids;
}

static enum forma_status run(struct run_state *s, const struct arguments *a, const uint32_t *ids,
                             uint32_t n, FILE *out, size_t n_vocab, struct forma_error *err) {
    struct batch_row *rows = calloc(a->chunk, sizeof *rows);
    enum forma_status status = rows ? FORMA_OK : FORMA_EMEMORY;
    run_state_truncate(s, 0, 0);
    for (uint32_t at = 0; at < n && status == FORMA_OK; at += a->chunk) {
        uint32_t here = n - at < a->chunk ? n - at : a->chunk;
        for (uint32_t i = 0; i < here; i++)
            rows[i] = (struct batch_row){0, at + i, ids[at + i], !a->last_only || at + i + 1 == n};
        status = model_forward(s, rows, here, NULL, err);
        for (uint32_t i = 0; i < here && out && status == FORMA_OK; i++)
            if (fwrite(run_state_logits(s, i), sizeof(float), n_vocab, out) != n_vocab)
                status = FORMA_EIO;
    }
    free(rows);
    return status;
}

int main(int argc, char **argv) {
    struct arguments a = {0};
    struct forma_error err = {0};
    if (!parse(argc, argv, &a)) {
        fprintf(stderr, "usage: dump_logits MODEL --ids 1,2,3 [--path reference|fast] "
                        "[--kv f32|f16] [--threads N] [--chunk N] [--kernels NAME] "
                        "[--repeat N] [--out FILE]\n");
        return 2;
    }
    uint32_t n;
    uint32_t *ids = parse_ids(a.ids, &n);
    a.run.n_ctx = n;
    struct gguf *file = gguf_open(a.model, fa_default_allocator(), &err);
    struct model *m = file ? model_open(file, NULL, &err) : NULL;
    struct run_state *s = m ? run_state_new(m, &a.run, &err) : NULL;
    if (!s || !ids) return fail(&err);
    FILE *out = a.out ? fopen(a.out, "wb") : NULL;
    if (a.out && !out) {
        perror(a.out);
        return 3;
    }
    double best = 1e30;
    for (unsigned i = 0; i < a.repeat; i++) {
        double start = seconds();
        if (run(s, &a, ids, n, i == 0 ? out : NULL, model_shape(m)->n_vocab, &err) != FORMA_OK)
            return fail(&err);
        double took = seconds() - start;
        if (took < best) best = took;
    }
    if (a.repeat > 1) {
        uint64_t passes = run_state_counters(s)->passes / a.repeat;
        double bytes = (double)run_state_counters(s)->weight_bytes * (double)passes;
        printf("%s, %u threads: %u tokens in %.1f ms: %.1f tok/s, %.2f GB/s of weights\n",
               run_state_kernels_name(s), run_state_n_threads(s), n, best * 1e3, n / best,
               bytes / best * 1e-9);
    }
    bool written = !out || fclose(out) == 0;
    run_state_free(s);
    model_free(m);
    gguf_close(file);
    free(ids);
    return written ? 0 : 3;
}
