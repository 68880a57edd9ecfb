/* SPDX-License-Identifier: MIT
 *
 * The transformer: weights mapped from a GGUF file (struct model: immutable, shared by threads)
 * and a run state (struct run_state: one owner, its threads inside). `model_forward` takes a batch
 * of rows (sequence, position, token) over a paged KV cache, so that batching and prefix sharing
 * need no other function; a single request is the batch of one sequence.
 *
 * Logits of a row depend on the tokens of its sequence alone: not on batch, chunk size, threads,
 * or whether K and V came from the cache (fixed reduction order; tests compare bits).
 */
#ifndef FORMA_RUNTIME_MODEL_H
#define FORMA_RUNTIME_MODEL_H

#include "base/gguf.h"

#define KV_BLOCK_TOKENS 16

enum kv_type { KV_F32, KV_F16 };
enum model_path {
    MODEL_PATH_FAST,
    MODEL_PATH_REFERENCE
}; /* reference: plain C, fp32 activations */

struct model_shape {
    uint32_t n_layers, n_embd, n_ff, n_heads, n_kv_heads, head_dim, rope_dims, n_vocab, n_ctx_train;
    float rms_epsilon, rope_base;
    bool tied_head;
};

struct model;
struct model *model_open(const struct gguf *file, const struct forma_allocator *allocator,
                         struct forma_error *err); /* the gguf must outlive it */
void model_free(struct model *m);
const struct model_shape *model_shape(const struct model *m);
/* Weights only, in parameters, tied head counted once. */
uint64_t model_n_parameters(const struct model *m);
uint64_t model_kv_bytes_per_token(const struct model *m, enum kv_type type);

struct run_options {
    uint32_t n_ctx;       /* tokens of KV memory over all sequences; 0 = min(n_ctx_train, 8192) */
    uint32_t n_sequences; /* at most this many at once */
    uint32_t max_rows;    /* of one pass: the largest prefill chunk */
    uint32_t n_threads;   /* 0 = processors available */
    enum kv_type kv;
    enum model_path path;
    const char *kernels; /* NULL = best that CPU and system grant; "scalar", "avx2", "avx512" */
    const struct forma_allocator *allocator;
};
void run_options_init(struct run_options *o);

struct batch_row {
    uint32_t sequence, position, token;
    bool want_logits;
};

struct run_counters {
    uint64_t passes, rows; /* calls of model_forward, rows computed in them */
    uint64_t weight_bytes; /* read per pass */
};

struct run_state;
/* Everything is reserved here: forward allocates nothing. */
struct run_state *run_state_new(const struct model *m, const struct run_options *o,
                                struct forma_error *err);
void run_state_free(struct run_state *s);

/* One pass. Rows of one sequence come in rising positions, each the next of its sequence (or one
 * that run_state_truncate opened again). FORMA_ELIMIT when the KV memory is full. `cancel` may be
 * NULL: polled between layers. */
enum forma_status model_forward(struct run_state *s, const struct batch_row *rows, uint32_t n_rows,
                                const volatile bool *cancel, struct forma_error *err);
/* Logits of row i of the last pass (it must have wanted them): n_vocab floats, the caller may
 * overwrite them; valid until the next pass. */
float *run_state_logits(struct run_state *s, uint32_t row);
/* Keeps the first n_tokens of a sequence, frees the blocks behind. */
void run_state_truncate(struct run_state *s, uint32_t sequence, uint32_t n_tokens);
uint32_t run_state_length(const struct run_state *s, uint32_t sequence);
const struct run_counters *run_state_counters(const struct run_state *s);
/* "avx512 (VNNI)", "avx2", "scalar". */
const char *run_state_kernels_name(const struct run_state *s);
uint32_t run_state_n_threads(const struct run_state *s);

#endif
