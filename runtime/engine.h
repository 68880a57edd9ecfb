/* SPDX-License-Identifier: MIT
 *
 * The autoregressive loop, the only one: command line, server and tests run this code.
 *
 *     prompt -> { forced text -> pass, in chunks -> mask -> draw -> accept -> text -> stops ->
 *     callback }
 *
 * Text that the form forces is appended without a draw and computed together with what stands before
 * it. Under a budget (`complete`) a token is drawn only if the text can still end in time.
 *
 * A struct engine holds one sequence of KV memory and what the loop needs; everything is reserved
 * by engine_new and at the start of engine_generate, the loop itself allocates nothing. One owner;
 * model, tokenizer and vocabulary are shared, read-only. A constraint is a forma_matcher.
 */
#ifndef FORMA_RUNTIME_ENGINE_H
#define FORMA_RUNTIME_ENGINE_H

#include "runtime/model.h"
#include "runtime/sampler.h"
#include "runtime/tokenizer.h"

/* X(name, text): why a run ended. */
#define ENGINE_FINISH_MAP(X)                                                                       \
    X(STOP, "stop") /* an end token, a form with nothing left to say, a budget */                  \
    X(STOP_SEQUENCE, "stop_sequence") /* found in the text, not part of it */                      \
    X(LENGTH, "length")               /* max_tokens: the text is cut */                            \
    X(CONTEXT, "context")             /* the context is full: the text is cut */                   \
    X(CANCELLED, "cancelled")         /* by the cancel flag or the callback */

enum engine_finish {
#define X(name, text) ENGINE_##name,
    ENGINE_FINISH_MAP(X)
#undef X
};
const char *engine_finish_name(enum engine_finish finish);

/* A piece of the text: whole UTF-8 characters, not terminated. False ends the run (CANCELLED). */
typedef bool (*engine_text_fn)(void *ctx, const char *text, size_t length);

struct engine_request {
    const uint32_t *prompt; /* at least one token, fewer than the context holds */
    size_t n_prompt;
    uint32_t max_tokens; /* at least 1 */
    struct sampler_options sampler;
    const char *const *stops; /* stop sequences; may be NULL when n_stops is 0 */
    size_t n_stops;
    struct forma_matcher *matcher; /* at the start of its text; NULL = free text */
    bool complete;    /* with a form: max_tokens, or the context, ends in a whole value */
    bool no_forced;   /* with a form: a draw for each token, for forced ones too */
    bool no_kv_cache; /* compute every position again for each token */
    const volatile bool *cancel; /* may be NULL */
    engine_text_fn on_text;      /* may be NULL */
    void *ctx;                   /* of on_text */
};

struct engine_spread {
    size_t count; /* 0: the figures are NaN */
    double mean, p50, p95, p99, max;
};

struct engine_result {
    enum engine_finish finish;
    size_t stop_index; /* which sequence, for STOP_SEQUENCE */
    uint32_t prompt_tokens;
    uint32_t completion_tokens; /* tokens drawn and forced, a final end token included */
    uint32_t forced_tokens;     /* of them, appended without a draw */
    bool budget_forced;         /* `complete` made the text another than the model wanted */
    unsigned narrowed;          /* enum forma_limit: they made some mask stricter than the form */
    bool complete;              /* with a form: the text is a whole value of it */
    double ttft_ms;             /* start to first draw: prefill, mask and draw; NaN = none */
    double tpot_ms;             /* mean time of the tokens after it, forced or not; NaN = none */
    double total_ms;
    struct engine_spread itl_ms;  /* between draws */
    struct engine_spread mask_us; /* forma_matcher_mask */
    uint64_t passes, rows;        /* of this run: calls of the model, positions computed */
    uint64_t prefill_passes;      /* those until the first draw */
};

struct engine;

/* `run->n_sequences` is taken as 1. Fails (FORMA_EMODEL) when the model has fewer logits than the
 * tokenizer has tokens. Model and tokenizer must outlive the engine. */
struct engine *engine_new(const struct model *model, const struct tokenizer *tokenizer,
                          const struct run_options *run, struct forma_error *err);
/* Tokens of context: prompt and answer. */
uint32_t engine_n_ctx(const struct engine *e);
const struct run_state *engine_run_state(const struct engine *e);

/* Runs a request to its end. `out` is filled also when the run was cancelled or failed on the way
 * (as far as it came). The matcher is left behind the last accepted token. */
enum forma_status engine_generate(struct engine *e, const struct engine_request *request,
                                  struct engine_result *out, struct forma_error *err);
void engine_free(struct engine *e);

#endif
