/* SPDX-License-Identifier: MIT
 *
 * What model.c, run_state.c and model_forward.c share: the weights of an open model, and the
 * buffers of a run. */
#ifndef FORMA_RUNTIME_MODEL_INTERNAL_H
#define FORMA_RUNTIME_MODEL_INTERNAL_H

#include "runtime/kernels/kernels.h"
#include "runtime/model.h"

/* Shapes beside each: (rows, cols), a row being one output. */
struct model_layer {
    struct tensor attn_norm;   /* (1, n_embd) */
    struct tensor q;           /* (n_heads * head_dim, n_embd) */
    struct tensor k, v;        /* (n_kv_heads * head_dim, n_embd) */
    struct tensor attn_output; /* (n_embd, n_heads * head_dim) */
    struct tensor ffn_norm;    /* (1, n_embd) */
    struct tensor gate, up;    /* (n_ff, n_embd) */
    struct tensor down;        /* (n_embd, n_ff) */
};

struct model {
    const struct forma_allocator *allocator;
    struct model_shape shape;
    struct tensor token_embd; /* (n_vocab, n_embd) */
    struct tensor output;     /* the same when the head is tied */
    struct tensor output_norm;
    struct model_layer *layers; /* (n_layers) */
    float *norms;               /* copies of all norm weights, aligned: (2 n_layers + 1, n_embd) */
    double *rope_frequencies;   /* (rope_dims / 2): radians a token */
    size_t norms_bytes;
    uint64_t n_parameters, weight_bytes; /* weight_bytes: read in a pass with logits */
};

struct run_state {
    const struct forma_allocator *allocator;
    const struct model *model;
    const struct kernels *kernels;
    struct threads *threads;
    struct kctx kctx;
    struct kv_cache kv;
    struct run_counters counters;
    uint32_t max_rows;
    uint32_t n_rows; /* of the last pass */

    unsigned char *memory; /* everything below */
    size_t memory_bytes;
    struct tensor x, normed; /* (max_rows, n_embd) */
    struct tensor q, mixed;  /* (max_rows, n_heads * head_dim) */
    struct tensor k, v;      /* (max_rows, n_kv_heads * head_dim) */
    struct tensor gate, up;  /* (max_rows, n_ff) */
    struct tensor projected; /* (max_rows, n_embd) */
    struct tensor turns;     /* (max_rows, rope_dims): cosine, sine of each pair */
    struct tensor logits;    /* (max_rows, n_vocab): rows that wanted them, in order */
    uint32_t *tokens, *sequences, *positions; /* (max_rows) of the pass */
    uint32_t *wanted;                         /* (max_rows): row numbers that wanted logits */
    uint32_t *logits_row; /* (max_rows): where the logits of a row are; UINT32_MAX = none */
    uint32_t *new_rows;   /* (n_sequences): rows of the pass that each sequence has */
};

#endif
