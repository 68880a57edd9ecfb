/* SPDX-License-Identifier: MIT
 *
 * `struct loop` is one run. A token drawn goes through: matcher (may it stay?), sampler (its
 * penalties), history, decoder (bytes to whole characters), stop scanner, callback. Under a form
 * with stop sequences a second matcher, the shadow, reads the text byte by byte, because a stop
 * sequence may begin inside a token and ends the text only where the form accepts it.
 *
 * KV memory: a token's K and V are written by the pass that follows its draw. So a context of n
 * positions ends a run after the draw that makes n + 1 tokens.
 */
#include "runtime/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "runtime/budget.h"
#include "runtime/stop.h"

#define DEFAULT_CTX      8192u
#define MAX_FORCED       256  /* tokens asked for at once */
#define MAX_FORCED_BYTES 4096 /* of them: what forma_matcher_forced_tokens looks at */

struct engine {
    const struct forma_allocator *allocator;
    const struct model *model;
    const struct tokenizer *tokenizer;
    struct run_state *run;
    uint32_t n_ctx, n_vocab, max_rows;
    size_t mask_words;
    size_t max_token_bytes;
    uint32_t *tokens;       /* (n_ctx + 1) prompt and answer */
    struct batch_row *rows; /* (max_rows) */
    int32_t *mask;          /* (mask_words) */
};

struct loop {
    struct engine *e;
    const struct engine_request *q;
    struct engine_result *out;
    struct sampler *sampler;
    struct stop_scanner *stops;        /* NULL: no stop sequences */
    struct forma_matcher *shadow;      /* NULL: no stop sequences, or no form */
    struct continuation *continuation; /* NULL: no text is forced */
    struct budget budget;
    struct text_decoder decoder;
    char *piece, *passed; /* (piece_size), (passed_size): text of one token, text let out */
    size_t piece_size, passed_size;
    float *itl_ms, *mask_us; /* (max_draws) */
    size_t max_draws, n_draws, n_itl, n_mask;
    uint32_t n_first;    /* tokens written with the first draw */
    uint32_t n_tokens;   /* in e->tokens */
    uint32_t n_computed; /* of them, in KV memory */
    bool masks_padding;  /* free text, but more logits than tokens */
    double start_ms, first_ms, last_ms;
};

const char *engine_finish_name(enum engine_finish finish) {
    switch (finish) {
#define X(name, text)                                                                              \
    case ENGINE_##name: return text;
        ENGINE_FINISH_MAP(X)
#undef X
    }
    return "unknown";
}

/* ---- the engine --------------------------------------------------------------------------- */

static size_t longest_token(const struct tokenizer *t) {
    size_t longest = 0, length;
    for (size_t id = 0; id < tokenizer_size(t); id++)
        if (tokenizer_bytes(t, (uint32_t)id, &length) && length > longest) longest = length;
    return longest;
}

struct engine *engine_new(const struct model *model, const struct tokenizer *tokenizer,
                          const struct run_options *run, struct forma_error *err) {
    const struct model_shape *shape = model_shape(model);
    if (shape->n_vocab < tokenizer_size(tokenizer)) {
        error_set(err, FORMA_EMODEL,
                  "the model scores %u tokens but its tokenizer has %zu; the file is damaged or "
                  "of two models",
                  (unsigned)shape->n_vocab, tokenizer_size(tokenizer));
        return NULL;
    }
    struct run_options o = *run;
    o.n_sequences = 1;
    if (o.n_ctx == 0) o.n_ctx = shape->n_ctx_train < DEFAULT_CTX ? shape->n_ctx_train : DEFAULT_CTX;
    if (o.n_ctx == 0 || o.max_rows == 0) {
        error_set(err, FORMA_EINVAL, "the context and the prefill chunk need at least one token");
        return NULL;
    }
    if (o.max_rows > o.n_ctx) o.max_rows = o.n_ctx;
    const struct forma_allocator *a = fa_allocator_or_default(run->allocator);
    struct engine *e = fa_alloc_zero(a, sizeof *e);
    if (!e) goto no_memory;
    e->allocator = a;
    e->model = model;
    e->tokenizer = tokenizer;
    e->n_ctx = o.n_ctx;
    e->max_rows = o.max_rows;
    e->n_vocab = shape->n_vocab;
    e->mask_words = ((size_t)e->n_vocab + 31) / 32;
    e->max_token_bytes = longest_token(tokenizer);
    e->tokens = fa_alloc(a, ((size_t)e->n_ctx + 1) * sizeof *e->tokens);
    e->rows = fa_alloc(a, e->max_rows * sizeof *e->rows);
    e->mask = fa_alloc(a, e->mask_words * sizeof *e->mask);
    if (!e->tokens || !e->rows || !e->mask) goto no_memory;
    e->run = run_state_new(model, &o, err);
    if (!e->run) {
        engine_free(e);
        return NULL;
    }
    return e;
no_memory:
    engine_free(e);
    error_set(err, FORMA_EMEMORY, "no memory for the engine");
    return NULL;
}

void engine_free(struct engine *e) {
    if (!e) return;
    run_state_free(e->run);
    fa_free(e->allocator, e->tokens, ((size_t)e->n_ctx + 1) * sizeof *e->tokens);
    fa_free(e->allocator, e->rows, e->max_rows * sizeof *e->rows);
    fa_free(e->allocator, e->mask, e->mask_words * sizeof *e->mask);
    fa_free(e->allocator, e, sizeof *e);
}

uint32_t engine_n_ctx(const struct engine *e) {
    return e->n_ctx;
}

const struct run_state *engine_run_state(const struct engine *e) {
    return e->run;
}

/* ---- setup of a run ----------------------------------------------------------------------- */

static enum forma_status check_request(const struct engine *e, const struct engine_request *q,
                                       struct forma_error *err) {
    if (q->n_prompt == 0)
        return error_set(err, FORMA_EINVAL,
                         "the prompt has no tokens; a model needs at least one to go on from");
    if (q->n_prompt > e->n_ctx)
        return error_set(err, FORMA_EINVAL,
                         "the prompt has %zu tokens, the context holds %u; shorten the prompt or "
                         "raise the context (--ctx)",
                         q->n_prompt, (unsigned)e->n_ctx);
    for (size_t i = 0; i < q->n_prompt; i++)
        if (q->prompt[i] >= e->n_vocab)
            return error_set(err, FORMA_EINVAL, "prompt token %u is not in the vocabulary",
                             (unsigned)q->prompt[i]);
    if (q->max_tokens == 0)
        return error_set(err, FORMA_EINVAL, "at least one token has to be asked for");
    if (q->matcher && forma_matcher_mask_words(q->matcher) > e->mask_words)
        return error_set(err, FORMA_EMODEL,
                         "the form was compiled for a larger vocabulary than the model has");
    return FORMA_OK;
}

/* What cannot be met is refused before anything is computed. */
static enum forma_status open_budget(struct loop *l, uint32_t room, struct forma_error *err) {
    const struct engine_request *q = l->q;
    bool by_context = room < q->max_tokens;
    uint32_t tokens = by_context ? room : q->max_tokens;
    size_t least = 0;
    if (!q->complete || !q->matcher) return FORMA_OK;
    enum forma_status status =
        budget_open(&l->budget, q->matcher, tokens, l->e->allocator, &least, err);
    if (status != FORMA_EINVAL) return status;
    if (by_context)
        return error_set(err, status,
                         "the context has room for %u tokens, a whole value of the form takes %zu, "
                         "as far as is known; shorten the prompt or raise the context (--ctx)",
                         (unsigned)tokens, least);
    return error_set(err, status,
                     "%u tokens are too few: a whole value of the form takes %zu, as far as is "
                     "known; raise the limit (--max-tokens) to %zu or more",
                     (unsigned)tokens, least, least);
}

static enum forma_status reserve(struct loop *l, struct forma_error *err) {
    struct engine *e = l->e;
    const struct engine_request *q = l->q;
    const struct forma_allocator *a = e->allocator;
    size_t room = e->n_ctx - q->n_prompt + 1;
    l->max_draws = q->max_tokens < room ? q->max_tokens : room;
    l->sampler = sampler_new(&q->sampler, e->n_vocab, a, err);
    if (!l->sampler) return err ? err->status : FORMA_EMEMORY;
    enum forma_status status = open_budget(l, (uint32_t)room, err);
    if (status != FORMA_OK) return status;
    if (q->matcher && !q->no_forced) {
        l->continuation = continuation_new(e->tokenizer, MAX_FORCED_BYTES, a, err);
        if (!l->continuation) return FORMA_EMEMORY;
    }
    if (q->n_stops > 0) {
        l->stops = stop_new(q->stops, q->n_stops, a, err);
        if (!l->stops) return err ? err->status : FORMA_EMEMORY;
        if (q->matcher) {
            l->shadow = forma_matcher_copy(q->matcher, err);
            if (!l->shadow) return err ? err->status : FORMA_EMEMORY;
        }
    }
    /* A byte becomes U+FFFD, three bytes, at worst; up to three were held before. */
    l->piece_size = 3 * (e->max_token_bytes + 4);
    l->passed_size = l->piece_size + (l->stops ? stop_capacity(l->stops) : 0);
    l->piece = fa_alloc(a, l->piece_size);
    l->passed = fa_alloc(a, l->passed_size);
    l->itl_ms = fa_alloc(a, l->max_draws * sizeof *l->itl_ms);
    l->mask_us = fa_alloc(a, l->max_draws * sizeof *l->mask_us);
    if (!l->piece || !l->passed || !l->itl_ms || !l->mask_us)
        return error_set(err, FORMA_EMEMORY, "no memory for the run");
    return FORMA_OK;
}

static void release(struct loop *l) {
    const struct forma_allocator *a = l->e->allocator;
    sampler_free(l->sampler);
    stop_free(l->stops);
    forma_matcher_free(l->shadow);
    continuation_free(l->continuation);
    budget_close(&l->budget);
    fa_free(a, l->piece, l->piece_size);
    fa_free(a, l->passed, l->passed_size);
    fa_free(a, l->itl_ms, l->max_draws * sizeof *l->itl_ms);
    fa_free(a, l->mask_us, l->max_draws * sizeof *l->mask_us);
}

/* Free text over logits that are wider than the tokenizer: the padding is no token. */
static void mask_padding(struct loop *l) {
    struct engine *e = l->e;
    size_t n = tokenizer_size(e->tokenizer);
    l->masks_padding = !l->q->matcher && n < e->n_vocab;
    if (!l->masks_padding) return;
    memset(e->mask, 0, e->mask_words * sizeof *e->mask);
    for (size_t id = 0; id < n; id++)
        e->mask[id / 32] = (int32_t)((uint32_t)e->mask[id / 32] | UINT32_C(1) << id % 32);
}

/* ---- passes ------------------------------------------------------------------------------- */

/* Computes the tokens that KV memory does not hold yet; the last one's logits are wanted. */
static enum forma_status compute(struct loop *l, const float **logits, struct forma_error *err) {
    struct engine *e = l->e;
    uint32_t n = 0;
    if (l->q->no_kv_cache) l->n_computed = 0;
    if (l->n_computed == 0) run_state_truncate(e->run, 0, 0);
    while (l->n_computed < l->n_tokens) {
        uint32_t left = l->n_tokens - l->n_computed;
        n = left < e->max_rows ? left : e->max_rows;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t position = l->n_computed + i;
            e->rows[i] = (struct batch_row){.sequence = 0,
                                            .position = position,
                                            .token = e->tokens[position],
                                            .want_logits = position + 1 == l->n_tokens};
        }
        enum forma_status status = model_forward(e->run, e->rows, n, l->q->cancel, err);
        if (status != FORMA_OK) return status;
        l->n_computed += n;
    }
    *logits = run_state_logits(e->run, n - 1);
    return FORMA_OK;
}

/* ---- from logits to a token --------------------------------------------------------------- */

static enum forma_status fill_mask(struct loop *l, const int32_t **mask, struct forma_error *err) {
    struct forma_matcher *m = l->q->matcher;
    *mask = l->masks_padding ? l->e->mask : NULL;
    if (!m) return FORMA_OK;
    double start = clock_ms();
    enum forma_status status = forma_matcher_mask(m, l->e->mask, l->e->mask_words, err);
    if (status != FORMA_OK) return status;
    if (l->n_mask < l->max_draws) l->mask_us[l->n_mask++] = (float)((clock_ms() - start) * 1e3);
    l->out->narrowed |= forma_matcher_narrowed_by(m);
    *mask = l->e->mask;
    return FORMA_OK;
}

/* Sets *token, or *ended when the form allows nothing more. */
static enum forma_status choose(struct loop *l, const float *logits, uint32_t *token, bool *ended,
                                struct forma_error *err) {
    const int32_t *mask;
    enum forma_status status = fill_mask(l, &mask, err);
    if (status != FORMA_OK) return status;
    *ended = false;
    bool drawn = l->budget.matcher ? budget_draw(&l->budget, l->sampler, logits, l->e->mask,
                                                 l->e->mask_words, token)
                                   : sampler_draw(l->sampler, logits, mask, token);
    if (!drawn) {
        /* A vocabulary without an end token, at the end of the form. */
        *ended = l->q->matcher && forma_matcher_accepts_end(l->q->matcher);
        l->out->finish = ENGINE_STOP;
        if (*ended) return FORMA_OK;
        if (l->out->narrowed)
            return error_set(err, FORMA_ELIMIT,
                             "a search limit left no token that is known to fit the form; raise "
                             "max_work or max_nesting");
        return error_set(err, FORMA_EINTERNAL, "the form allows no token here; please report this");
    }
    double now = clock_ms();
    l->out->completion_tokens++;
    if (l->n_draws++ == 0) {
        l->first_ms = now;
        l->n_first = l->out->completion_tokens;
    } else if (l->n_itl < l->max_draws) {
        l->itl_ms[l->n_itl++] = (float)(now - l->last_ms);
    }
    l->last_ms = now;
    return FORMA_OK;
}

static bool is_end_token(const struct tokenizer *t, uint32_t token) {
    size_t n;
    const uint32_t *eos = tokenizer_eos(t, &n);
    for (size_t i = 0; i < n; i++)
        if (eos[i] == token) return true;
    return false;
}

/* ---- from a token to text ----------------------------------------------------------------- */

static bool say(struct loop *l, const char *text, size_t length) {
    if (length == 0 || !l->q->on_text) return true;
    return l->q->on_text(l->q->ctx, text, length);
}

/* Text through the stop sequences to the callback. True when the run ends here. */
static bool pass_text(struct loop *l, const char *text, size_t length) {
    size_t used = 0;
    int found = -1;
    if (!l->stops) {
        if (say(l, text, length)) return false;
        l->out->finish = ENGINE_CANCELLED;
        return true;
    }
    for (size_t i = 0; i < length && found < 0; i++) {
        unsigned char byte = (unsigned char)text[i];
        size_t n;
        bool may_end = !l->shadow || forma_matcher_accepts_end(l->shadow);
        found = stop_push(l->stops, byte, may_end, l->passed + used, &n);
        used += n;
        /* Refused only behind U+FFFD, the rest of a text that a limit cut: it ends nowhere. */
        if (l->shadow) (void)forma_matcher_accept_bytes(l->shadow, &byte, 1, NULL);
    }
    if (found >= 0) {
        l->out->finish = ENGINE_STOP_SEQUENCE;
        l->out->stop_index = (size_t)found;
        l->out->complete = true;
    }
    if (!say(l, l->passed, used)) {
        l->out->finish = ENGINE_CANCELLED;
        found = 0;
    }
    return found >= 0;
}

static bool pass_token(struct loop *l, uint32_t token) {
    size_t length = 0;
    const unsigned char *bytes = tokenizer_bytes(l->e->tokenizer, token, &length);
    if (!bytes || length == 0) return false; /* a control token is no text */
    size_t n = text_decoder_push(&l->decoder, bytes, length, true, (unsigned char *)l->piece);
    return pass_text(l, l->piece, n);
}

/* What decoder and stop scanner still hold, when the run ends other than by a stop sequence. */
static void pass_rest(struct loop *l) {
    if (l->out->finish == ENGINE_STOP_SEQUENCE) return;
    enum engine_finish finish = l->out->finish;
    size_t n = text_decoder_finish(&l->decoder, true, (unsigned char *)l->piece);
    if (pass_text(l, l->piece, n)) return;
    l->out->finish = finish;
    if (l->stops && !say(l, l->passed, stop_flush(l->stops, l->passed)))
        l->out->finish = ENGINE_CANCELLED;
}

/* ---- the loop ----------------------------------------------------------------------------- */

/* Takes a token in. *ended when the run ends with it; l->out->finish says why. */
static enum forma_status take(struct loop *l, uint32_t token, bool *ended,
                              struct forma_error *err) {
    struct forma_matcher *m = l->q->matcher;
    bool is_end = is_end_token(l->e->tokenizer, token);
    *ended = true;
    sampler_accept(l->sampler, token);
    if (m) {
        enum forma_status status = forma_matcher_accept(m, token, err);
        if (status == FORMA_EREFUSED)
            return error_set(
                err, FORMA_EINTERNAL,
                "the form refuses token %u, which its mask allowed; please report this",
                (unsigned)token);
        if (status != FORMA_OK) return status;
        l->out->narrowed |= forma_matcher_narrowed_by(m);
        if (l->budget.matcher) budget_spend(&l->budget, token);
    }
    l->out->finish = ENGINE_STOP;
    if (is_end) {
        l->out->complete = m != NULL;
        return FORMA_OK;
    }
    l->e->tokens[l->n_tokens++] = token;
    if (pass_token(l, token)) return FORMA_OK;
    if (m && forma_matcher_is_finished(m)) return FORMA_OK;
    if (l->budget.matcher && l->budget.left == 0) {
        l->budget.ruled = true; /* the text is whole, but the model could have gone on */
        return FORMA_OK;
    }
    l->out->finish = ENGINE_LENGTH;
    if (l->out->completion_tokens >= l->q->max_tokens) return FORMA_OK;
    l->out->finish = ENGINE_CONTEXT;
    if (l->n_tokens > l->e->n_ctx) return FORMA_OK;
    l->out->finish = ENGINE_CANCELLED;
    if (l->q->cancel && *l->q->cancel) return FORMA_OK;
    *ended = false;
    return FORMA_OK;
}

/* Tokens that the form forces, as far as they fit into the budget: in other tokens the same text may
 * take fewer. */
static enum forma_status take_forced(struct loop *l, bool *ended, struct forma_error *err) {
    uint32_t ids[MAX_FORCED];
    size_t n = 0;
    do {
        n = forma_matcher_forced_tokens(l->q->matcher, continuation_encode, l->continuation, ids,
                                        MAX_FORCED);
        for (size_t i = 0; i < n && !*ended; i++) {
            if (l->budget.matcher && !budget_allows(&l->budget, ids[i])) return FORMA_OK;
            l->out->completion_tokens++;
            l->out->forced_tokens++;
            enum forma_status status = take(l, ids[i], ended, err);
            if (status != FORMA_OK) return status;
        }
    } while (n > 0 && !*ended);
    return FORMA_OK;
}

static enum forma_status run(struct loop *l, struct forma_error *err) {
    const struct run_counters *counters = run_state_counters(l->e->run);
    uint64_t passes = counters->passes;
    bool ended = l->q->matcher && forma_matcher_is_finished(l->q->matcher);
    l->out->finish = ENGINE_STOP;
    while (!ended) {
        const float *logits = NULL;
        uint32_t token = 0;
        enum forma_status status = l->continuation ? take_forced(l, &ended, err) : FORMA_OK;
        if (status != FORMA_OK || ended) return status;
        status = compute(l, &logits, err);
        if (status == FORMA_ECANCELLED) {
            l->out->finish = ENGINE_CANCELLED;
            break;
        }
        if (status != FORMA_OK) return status;
        if (l->n_draws == 0) l->out->prefill_passes = counters->passes - passes;
        status = choose(l, logits, &token, &ended, err);
        if (status != FORMA_OK) return status;
        if (ended) break;
        status = take(l, token, &ended, err);
        if (status != FORMA_OK) return status;
    }
    return FORMA_OK;
}

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Percentiles by nearest rank. */
static struct engine_spread spread_of(float *values, size_t n) {
    struct engine_spread s = {n, NAN, NAN, NAN, NAN, NAN};
    if (n == 0) return s;
    double sum = 0;
    qsort(values, n, sizeof *values, compare_floats);
    for (size_t i = 0; i < n; i++) sum += values[i];
    s.mean = sum / (double)n;
    s.p50 = values[(n * 50 + 99) / 100 - 1];
    s.p95 = values[(n * 95 + 99) / 100 - 1];
    s.p99 = values[(n * 99 + 99) / 100 - 1];
    s.max = values[n - 1];
    return s;
}

static void fill_result(struct loop *l, uint64_t passes, uint64_t rows) {
    struct engine_result *out = l->out;
    const struct run_counters *counters = run_state_counters(l->e->run);
    uint32_t n = out->completion_tokens;
    if (l->q->matcher && forma_matcher_accepts_end(l->q->matcher)) out->complete = true;
    out->passes = counters->passes - passes;
    out->rows = counters->rows - rows;
    out->total_ms = clock_ms() - l->start_ms;
    out->budget_forced = l->budget.ruled;
    if (l->n_draws > 0) out->ttft_ms = l->first_ms - l->start_ms;
    if (l->n_draws > 1) out->tpot_ms = (l->last_ms - l->first_ms) / (n - l->n_first);
    out->itl_ms = spread_of(l->itl_ms, l->n_itl);
    out->mask_us = spread_of(l->mask_us, l->n_mask);
}

enum forma_status engine_generate(struct engine *e, const struct engine_request *request,
                                  struct engine_result *out, struct forma_error *err) {
    struct forma_error local; /* reserve() reads the status of a failure from it */
    if (!err) err = &local;
    memset(out, 0, sizeof *out);
    out->ttft_ms = out->tpot_ms = NAN;
    out->itl_ms = out->mask_us = (struct engine_spread){0, NAN, NAN, NAN, NAN, NAN};
    enum forma_status status = check_request(e, request, err);
    if (status != FORMA_OK) return status;
    struct loop l = {.e = e, .q = request, .out = out, .start_ms = clock_ms()};
    out->prompt_tokens = l.n_tokens = (uint32_t)request->n_prompt;
    memcpy(e->tokens, request->prompt, request->n_prompt * sizeof *e->tokens);
    status = reserve(&l, err);
    if (status == FORMA_OK) {
        const struct run_counters *counters = run_state_counters(e->run);
        uint64_t passes = counters->passes, rows = counters->rows;
        mask_padding(&l);
        status = run(&l, err);
        pass_rest(&l);
        fill_result(&l, passes, rows);
    }
    release(&l);
    return status;
}
