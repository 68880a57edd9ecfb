/* SPDX-License-Identifier: MIT
 *
 * What opening a tokenizer.json costs, stage by stage, and how fast it encodes:
 *
 *     build/release/bench/tokenizers FILE... [-- TEXT]
 *
 * A stage's time is the best of three, its memory what it leaves allocated (address space that was
 * touched included). Without TEXT nothing is encoded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/tokenizer_json.h"
#include "runtime/tokenizer.h"
#include "tokenmask/vocabulary.h"

#define ROUNDS 3

/* Pages of this process that are in memory and not a file's, in MiB. */
static double resident(void) {
    long size = 0, total = 0, shared = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld %ld", &size, &total, &shared) != 3) total = shared = 0;
    if (file) fclose(file);
    return (double)(total - shared) * (double)sysconf(_SC_PAGESIZE) / 1048576;
}

static void fail(const char *what, const struct forma_error *err) {
    fprintf(stderr, "tokenizers: %s: %s %s\n", what, err->pointer, err->message);
    exit(1);
}

static void report(const char *stage, double ms, double mib) {
    printf("  %-28s %8.1f ms %8.1f MiB\n", stage, ms, mib);
}

static void parse(const struct file_text *text, bool merges) {
    struct tokenizer_json json;
    struct forma_error err;
    double best = 1e30, held = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double before = resident(), start = clock_ms();
        if (tokenizer_json_read(&json, text->data, text->length, merges, NULL, &err))
            fail("parse", &err);
        double ms = clock_ms() - start;
        if (ms < best) best = ms;
        held = resident() - before;
        tokenizer_json_destroy(&json);
    }
    report(merges ? "parse, with merges" : "parse, without merges", best, held);
}

static void make_vocabulary(const struct file_text *text) {
    struct forma_error err;
    double best = 1e30, held = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double before = resident(), start = clock_ms();
        struct forma_vocabulary *v =
            vocabulary_from_json(text->data, text->length, NULL, NULL, &err);
        double ms = clock_ms() - start;
        if (!v) fail("vocabulary", &err);
        if (ms < best) best = ms;
        held = resident() - before;
        forma_vocabulary_free(v);
    }
    report("vocabulary (with its parse)", best, held);
}

static void encode(const struct tokenizer *t, const struct file_text *text) {
    struct forma_error err;
    double best = 1e30;
    struct token_list ids = {0};
    for (int i = 0; i < ROUNDS; i++) {
        ids.count = 0;
        double start = clock_ms();
        if (tokenizer_encode(t, text->data, text->length, ENCODE_TEXT, &ids, &err))
            fail("encode", &err);
        double ms = clock_ms() - start;
        if (ms < best) best = ms;
    }
    printf("  %-28s %8.1f ms %8.1f MB/s, %zu tokens\n", "encode", best,
           (double)text->length / best / 1e3, ids.count);
    token_list_destroy(&ids);
}

static void run(const char *path, const struct file_text *sample) {
    struct file_text text;
    struct forma_error err;
    double start = clock_ms();
    if (file_read(path, TOKENIZER_JSON_MAX_BYTES, NULL, &text, &err)) fail(path, &err);
    printf("%s\n", path);
    report("read", clock_ms() - start, (double)text.length / 1048576);
    parse(&text, false);
    make_vocabulary(&text);
    parse(&text, true);
    double best = 1e30, held = 0;
    struct tokenizer *t = NULL;
    for (int i = 0; i < ROUNDS; i++) {
        tokenizer_free(t);
        double before = resident();
        start = clock_ms();
        t = tokenizer_from_json(text.data, text.length, NULL, &err);
        if (!t) fail(path, &err);
        if (clock_ms() - start < best) best = clock_ms() - start;
        held = resident() - before;
    }
    report("encoder (with its parse)", best, held);
    if (sample->data) encode(t, sample);
    tokenizer_free(t);
    file_text_free(&text);
}

int main(int argc, char **argv) {
    struct file_text sample = {0};
    struct forma_error err;
    int n = 1;
    while (n < argc && strcmp(argv[n], "--") != 0) n++;
    if (n + 1 < argc && file_read(argv[n + 1], (size_t)1 << 30, NULL, &sample, &err))
        fail(argv[n + 1], &err);
    if (n == 1) {
        fputs("usage: tokenizers FILE... [-- TEXT]\n", stderr);
        return 2;
    }
    for (int i = 1; i < n; i++) run(argv[i], &sample);
    file_text_free(&sample);
    return 0;
}
