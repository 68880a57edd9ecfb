/* SPDX-License-Identifier: MIT
 *
 * For tests of the engine: a tiny model with random weights, a form, and the text of the last run.
 * Included by the test programs themselves, because checks count there.
 */
#ifndef FORMA_TESTS_ENGINE_RIG_H
#define FORMA_TESTS_ENGINE_RIG_H

#include "base/utf8.h"
#include "runtime/engine.h"
#include "tests/test.h"

#define MODELS "fixtures/models/"

struct rig {
    struct gguf *file;
    struct tokenizer *tokenizer;
    struct forma_vocabulary *vocabulary;
    struct model *model;
    struct engine *engine;
    struct token_list prompt;
    /* the form, if any */
    struct forma_grammar *grammar;
    struct forma_matcher *matcher;
    /* the text of the last run */
    char text[1 << 14];
    size_t length, pieces;
    bool broken;                      /* a piece was not UTF-8 */
    const volatile long *allocations; /* a count, or NULL; */
    long first, last;                 /* what it was at the first and the last piece */
    size_t cancel_after;              /* pieces; 0 = never */
    bool refuse;                      /* the callback says no instead of setting the flag */
    volatile bool cancel;
};

static inline void must(bool ok, const struct forma_error *err) {
    if (ok) return;
    fprintf(stderr, "setup: %s %s\n", err->pointer, err->message);
    test_failed++;
    exit(test_done("setup"));
}

static inline void new_engine(struct rig *r, uint32_t n_ctx, uint32_t max_rows) {
    struct run_options o;
    struct forma_error err;
    engine_free(r->engine);
    run_options_init(&o);
    o.n_ctx = n_ctx;
    o.n_threads = 1;
    if (max_rows) o.max_rows = max_rows;
    r->engine = engine_new(r->model, r->tokenizer, &o, &err);
    must(r->engine != NULL, &err);
}

static inline void open_rig(struct rig *r, const char *path, const char *prompt) {
    struct forma_error err;
    memset(r, 0, sizeof *r);
    must((r->file = gguf_open(path, NULL, &err)) != NULL, &err);
    must((r->tokenizer = tokenizer_open(r->file, NULL, &err)) != NULL, &err);
    must((r->vocabulary = tokenizer_vocabulary(r->tokenizer, &err)) != NULL, &err);
    must((r->model = model_open(r->file, NULL, &err)) != NULL, &err);
    must(tokenizer_encode(r->tokenizer, prompt, strlen(prompt), false, &r->prompt, &err) ==
             FORMA_OK,
         &err);
    new_engine(r, 0, 0);
}

static inline void drop_form(struct rig *r) {
    forma_matcher_free(r->matcher);
    forma_grammar_free(r->grammar);
    r->matcher = NULL;
    r->grammar = NULL;
}

static inline void set_form(struct rig *r, const char *schema, bool exact) {
    struct forma_error err;
    struct forma_options o;
    drop_form(r);
    forma_options_init(&o);
    if (exact) o.style = forma_style_exact();
    r->grammar = forma_grammar_from_json_schema(schema, strlen(schema), r->vocabulary, &o, &err);
    must(r->grammar != NULL, &err);
    r->matcher = forma_matcher_new(r->grammar, r->vocabulary, NULL, &err);
    must(r->matcher != NULL, &err);
}

static inline void close_rig(struct rig *r) {
    drop_form(r);
    engine_free(r->engine);
    model_free(r->model);
    forma_vocabulary_free(r->vocabulary);
    token_list_destroy(&r->prompt);
    tokenizer_free(r->tokenizer);
    gguf_close(r->file);
}

static inline bool on_text(void *ctx, const char *text, size_t length) {
    struct rig *r = ctx;
    if (r->allocations) r->last = *r->allocations;
    if (r->pieces++ == 0) r->first = r->last;
    r->broken |= length == 0 || utf8_valid_prefix((const unsigned char *)text, length) != length;
    if (r->length + length < sizeof r->text) {
        memcpy(r->text + r->length, text, length);
        r->length += length;
        r->text[r->length] = '\0';
    }
    if (r->pieces != r->cancel_after) return true;
    if (r->refuse) return false;
    r->cancel = true;
    return true;
}

static inline struct engine_request request_for(struct rig *r, float temperature, uint64_t seed,
                                                uint32_t max_tokens) {
    struct engine_request q = {.prompt = r->prompt.ids,
                               .n_prompt = r->prompt.count,
                               .max_tokens = max_tokens,
                               .matcher = r->matcher,
                               .cancel = &r->cancel,
                               .on_text = on_text,
                               .ctx = r};
    sampler_options_init(&q.sampler);
    q.sampler.temperature = temperature;
    q.sampler.seed = seed;
    return q;
}

static inline struct engine_result generate(struct rig *r, const struct engine_request *q) {
    struct engine_result result;
    struct forma_error err = {0};
    r->length = r->pieces = 0;
    r->text[0] = '\0';
    r->cancel = r->broken = false;
    if (q->matcher) forma_matcher_reset(q->matcher);
    if (!CHECK_INT(engine_generate(r->engine, q, &result, &err), FORMA_OK))
        fprintf(stderr, "%s\n", err.message);
    CHECK(!r->broken);
    return result;
}

/* Does a matcher that knows no tokens accept the text? */
static inline bool is_valid(const char *schema, const char *text, size_t length) {
    struct forma_options o;
    struct forma_error err;
    forma_options_init(&o);
    o.style = forma_style_exact();
    struct forma_grammar *g =
        forma_grammar_from_json_schema(schema, strlen(schema), NULL, &o, &err);
    struct forma_matcher *m = g ? forma_matcher_new(g, NULL, NULL, &err) : NULL;
    bool valid =
        m && forma_matcher_accept_bytes(m, (const unsigned char *)text, length, &err) == FORMA_OK &&
        forma_matcher_accepts_end(m);
    forma_matcher_free(m);
    forma_grammar_free(g);
    return valid;
}

#endif
