/* SPDX-License-Identifier: MIT
 *
 * The decode loop of an engine, inside a form. The model is made of random numbers, so the words
 * are nonsense; the JSON is valid all the same.
 *
 * Usage: mask_loop SCHEMA [VOCABULARY [SEED]]
 *     SCHEMA      a file with a JSON Schema, or the schema itself
 *     VOCABULARY  a tokenizer.json or a GGUF file; without one: all bytes and some words
 *     SEED        a number: other random numbers
 * Prints the text. Exit status 0: it is a whole value of the schema; 2: it could not be made.
 */
#include <forma.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOKENS = 200, COMPLETION_BYTES = 1 << 16 };

/* A place is a JSON pointer into the schema, a line and column, or an offset. */
static void report(const char *what, const struct forma_error *err) {
    fprintf(stderr, "mask_loop: %s", what);
    if (*err->pointer) fprintf(stderr, ": %s", err->pointer);
    if (err->line) fprintf(stderr, ": line %zu, column %zu", err->line, err->column);
    fprintf(stderr, *err->message ? ": %s\n" : "%s\n", err->message);
}

/* The whole file, or a copy of the argument where there is no such file. The caller frees it. */
static char *read_schema(const char *argument, size_t *length) {
    FILE *file = fopen(argument, "rb");
    size_t capacity = file ? 1 << 20 : strlen(argument) + 1; /* a megabyte is enough here */
    char *text = malloc(capacity);
    if (text && file) *length = fread(text, 1, capacity, file);
    if (text && !file) memcpy(text, argument, *length = capacity - 1);
    if (file) fclose(file);
    return text;
}

/* Tokens from arrays: what an engine has that reads its tokenizer itself. All of it is copied. */
static struct forma_vocabulary *own_vocabulary(struct forma_error *err) {
    static const char *const words[] = {"{\"", "\":", "\": ", ",\"", "\"}", "true", "hello", "ing"};
    enum { N_WORDS = sizeof words / sizeof *words, END = 256 + N_WORDS, N_TOKENS };
    unsigned char single[256];
    const unsigned char *bytes[N_TOKENS] = {0}; /* the end token has no bytes */
    size_t lengths[N_TOKENS] = {0};
    for (size_t t = 0; t < 256; t++) {
        single[t] = (unsigned char)t;
        bytes[t] = &single[t];
        lengths[t] = 1;
    }
    for (size_t w = 0; w < N_WORDS; w++) {
        bytes[256 + w] = (const unsigned char *)words[w];
        lengths[256 + w] = strlen(words[w]);
    }
    const uint32_t end = END;
    return forma_vocabulary_from_bytes(bytes, lengths, NULL, N_TOKENS, &end, 1, NULL, err);
}

/* In place of a pass of a model. */
static void forward(float *logits, size_t n) {
    for (size_t t = 0; t < n; t++) logits[t] = (float)rand() / (float)RAND_MAX;
}

/* Bit t % 32 of word t / 32: may token t come next? What may not gets probability 0. */
static void apply_mask(float *logits, const int32_t *mask, size_t n) {
    for (size_t t = 0; t < n; t++)
        if (!((uint32_t)mask[t / 32] >> t % 32 & 1)) logits[t] = -INFINITY;
}

/* The most probable token: any sampler will do, as long as it never draws what is -INFINITY. */
static uint32_t draw(const float *logits, size_t n) {
    size_t best = 0;
    for (size_t t = 1; t < n; t++)
        if (logits[t] > logits[best]) best = t;
    return (uint32_t)best;
}

/* A text that is cut, here by MAX_TOKENS, is valid only as far as it goes. forma knows an end for
 * every text that it let begin; an engine may take it, or report the cut. */
static bool complete(struct forma_matcher *m, struct forma_error *err) {
    static unsigned char rest[COMPLETION_BYTES];
    size_t n = forma_matcher_completion(m, rest, sizeof rest);
    if (n == SIZE_MAX) return false;
    if (n && forma_matcher_accept_bytes(m, rest, n, err)) return false;
    fwrite(rest, 1, n, stdout);
    return forma_matcher_accepts_end(m);
}

int main(int argc, char **argv) {
    struct forma_error err = {0};
    struct forma_vocabulary *vocabulary = NULL;
    struct forma_grammar *grammar = NULL;
    struct forma_matcher *matcher = NULL;
    float *logits = NULL;
    int32_t *mask = NULL;
    int status = 2;
    if (argc < 2 || argc > 4) {
        fputs("usage: mask_loop SCHEMA [VOCABULARY [SEED]]\n", stderr);
        return status;
    }
    srand(argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1);

    /* Once for a tokenizer, once for a schema, once for a sequence. */
    size_t length = 0;
    char *schema = read_schema(argv[1], &length);
    vocabulary = argc > 2 ? forma_vocabulary_open(argv[2], NULL, &err) : own_vocabulary(&err);
    struct forma_options options;
    forma_options_init(&options);
    options.style.blanks = FORMA_BLANKS_COMPACT; /* random numbers would make much of white space */
    if (schema && vocabulary)
        grammar = forma_grammar_from_json_schema(schema, length, vocabulary, &options, &err);
    if (grammar) matcher = forma_matcher_new(grammar, vocabulary, NULL, &err);
    if (!matcher) {
        report(vocabulary ? argv[1] : "the vocabulary", &err);
        goto done;
    }
    /* A model may have more logits than the tokenizer has tokens: then give the mask the words of
     * the logits. The rest of it is cleared. */
    size_t n_tokens = forma_vocabulary_size(vocabulary), words = forma_matcher_mask_words(matcher);
    logits = malloc(n_tokens * sizeof *logits);
    mask = malloc(words * sizeof *mask);
    if (!logits || !mask) goto done;

    for (int i = 0; i < MAX_TOKENS; i++) {
        forward(logits, n_tokens);
        if (forma_matcher_mask(matcher, mask, words, &err)) break;
        apply_mask(logits, mask, n_tokens);
        uint32_t token = draw(logits, n_tokens);
        if (forma_matcher_accept(matcher, token, &err)) break;
        if (forma_vocabulary_is_eos(vocabulary, token)) break;
        size_t n;
        const unsigned char *bytes = forma_vocabulary_bytes(vocabulary, token, &n);
        fwrite(bytes, 1, n, stdout);
        if (forma_matcher_is_finished(matcher)) break; /* spares the pass that draws the end */
    }
    if (err.status == FORMA_OK && complete(matcher, &err)) status = 0;
    putchar('\n');
    if (status) report("the text is not complete", &err);
done:
    free(mask);
    free(logits);
    free(schema);
    forma_matcher_free(matcher); /* before its grammar and vocabulary */
    forma_grammar_free(grammar);
    forma_vocabulary_free(vocabulary);
    return status;
}
