/* SPDX-License-Identifier: MIT
 *
 * The forward pass of the llama graph, written once above the table of kernels: it names buffers
 * and operations and never looks at a number.
 *
 *     x = embedding of the token
 *     every layer:   x += output(attention(rope(q), cached k, v))     of rmsnorm(x)
 *                    x += down(silu(gate) * up)                       of rmsnorm(x)
 *     logits = head(rmsnorm(x))                                       of the rows that want them
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "runtime/model_internal.h"

/* ---- the batch ---------------------------------------------------------------------------- */

static enum forma_status check_rows(struct run_state *s, const struct batch_row *rows,
                                    uint32_t n_rows, struct forma_error *err) {
    if (n_rows == 0 || n_rows > s->max_rows)
        return error_set(err, FORMA_EINVAL, "a pass of %u rows: this run takes 1 to %u", n_rows,
                         s->max_rows);
    memset(s->new_rows, 0, s->kv.n_sequences * sizeof *s->new_rows);
    for (uint32_t i = 0; i < n_rows; i++) {
        const struct batch_row *r = &rows[i];
        if (r->sequence >= s->kv.n_sequences)
            return error_set(err, FORMA_EINVAL, "row %u: sequence %u of %u", i, r->sequence,
                             s->kv.n_sequences);
        if (r->token >= s->model->shape.n_vocab)
            return error_set(err, FORMA_EINVAL, "row %u: token %u of a vocabulary of %u", i,
                             r->token, s->model->shape.n_vocab);
        uint32_t next = s->kv.lengths[r->sequence] + s->new_rows[r->sequence];
        if (r->position != next)
            return error_set(err, FORMA_EINVAL,
                             "row %u: position %u of sequence %u, but the next is %u", i,
                             r->position, r->sequence, next);
        s->new_rows[r->sequence]++;
    }
    return FORMA_OK;
}

/* All sequences get their room, or none. */
static enum forma_status make_room(struct run_state *s, struct forma_error *err) {
    uint64_t needed = 0;
    for (uint32_t i = 0; i < s->kv.n_sequences; i++)
        if (s->new_rows[i]) needed += kv_cache_blocks_needed(&s->kv, i, s->new_rows[i]);
    if (needed > s->kv.n_free)
        return error_set(err, FORMA_ELIMIT,
                         "the KV memory of %u tokens is full; give a larger context or a shorter "
                         "text",
                         s->kv.n_blocks * KV_BLOCK_TOKENS);
    for (uint32_t i = 0; i < s->kv.n_sequences; i++)
        if (s->new_rows[i]) kv_cache_extend(&s->kv, i, s->new_rows[i]);
    return FORMA_OK;
}

static void take_back(struct run_state *s) {
    for (uint32_t i = 0; i < s->kv.n_sequences; i++)
        if (s->new_rows[i]) kv_cache_truncate(&s->kv, i, s->kv.lengths[i] - s->new_rows[i]);
}

/* The rows as columns, which rows want logits, and the rotations of their positions. Angles in
 * double: at position 8,000 a float angle would be off by 1e-3. */
static uint32_t set_batch(struct run_state *s, const struct batch_row *rows, uint32_t n_rows) {
    uint32_t n_wanted = 0, dims = s->model->shape.rope_dims;
    float *turn = s->turns.data;
    for (uint32_t i = 0; i < n_rows; i++) {
        s->tokens[i] = rows[i].token;
        s->sequences[i] = rows[i].sequence;
        s->positions[i] = rows[i].position;
        s->logits_row[i] = rows[i].want_logits ? n_wanted : UINT32_MAX;
        if (rows[i].want_logits) s->wanted[n_wanted++] = i;
        for (uint32_t j = 0; j < dims; j += 2, turn += 2) {
            double angle = rows[i].position * s->model->rope_frequencies[j / 2];
            turn[0] = (float)cos(angle);
            turn[1] = (float)sin(angle);
        }
    }
    return n_wanted;
}

static void set_rows(struct run_state *s, uint32_t n) {
    struct tensor *const buffers[] = {&s->x, &s->normed, &s->projected, &s->q,  &s->mixed,
                                      &s->k, &s->v,      &s->gate,      &s->up, &s->turns};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) buffers[i]->rows = n;
}

/* ---- the graph ---------------------------------------------------------------------------- */

static void matmul(struct run_state *s, const struct tensor *x, struct tensor *y,
                   const struct tensor *w) {
    s->kernels->matmul(&s->kctx, x, &(struct matmul_part){y, w}, 1);
}

static void attention_block(struct run_state *s, const struct model_layer *l, uint32_t layer) {
    const struct kernels *op = s->kernels;
    struct kctx *k = &s->kctx;
    const struct model_shape *shape = &s->model->shape;
    struct kv_rows rows = {&s->kv, layer, s->x.rows, s->sequences, s->positions};
    struct matmul_part qkv[] = {{&s->q, &l->q}, {&s->k, &l->k}, {&s->v, &l->v}};
    op->rmsnorm(k, &s->normed, &s->x, &l->attn_norm, shape->rms_epsilon);
    op->matmul(k, &s->normed, qkv, 3);
    op->rope(k, &s->q, shape->head_dim, &s->turns);
    op->rope(k, &s->k, shape->head_dim, &s->turns);
    op->kv_store(k, &s->k, &s->v, &rows);
    op->attention(k, &s->mixed, &s->q, &rows);
    matmul(s, &s->mixed, &s->projected, &l->attn_output);
    op->add(k, &s->x, &s->projected);
}

static void ffn_block(struct run_state *s, const struct model_layer *l) {
    const struct kernels *op = s->kernels;
    struct kctx *k = &s->kctx;
    struct matmul_part gate_up[] = {{&s->gate, &l->gate}, {&s->up, &l->up}};
    op->rmsnorm(k, &s->normed, &s->x, &l->ffn_norm, s->model->shape.rms_epsilon);
    op->matmul(k, &s->normed, gate_up, 2);
    op->swiglu(k, &s->gate, &s->up);
    matmul(s, &s->gate, &s->projected, &l->down);
    op->add(k, &s->x, &s->projected);
}

static void head(struct run_state *s, uint32_t n_wanted) {
    const struct model *m = s->model;
    s->projected.rows = s->normed.rows = s->logits.rows = n_wanted;
    s->kernels->gather(&s->kctx, &s->projected, &s->x, s->wanted);
    s->kernels->rmsnorm(&s->kctx, &s->normed, &s->projected, &m->output_norm, m->shape.rms_epsilon);
    matmul(s, &s->normed, &s->logits, &m->output);
}

enum forma_status model_forward(struct run_state *s, const struct batch_row *rows, uint32_t n_rows,
                                const volatile bool *cancel, struct forma_error *err) {
    enum forma_status status = check_rows(s, rows, n_rows, err);
    if (status == FORMA_OK) status = make_room(s, err);
    if (status != FORMA_OK) return status;
    s->n_rows = 0; /* the old logits are gone */
    uint32_t n_wanted = set_batch(s, rows, n_rows);
    set_rows(s, n_rows);
    s->kernels->embed(&s->kctx, &s->x, &s->model->token_embd, s->tokens);
    for (uint32_t layer = 0; layer < s->model->shape.n_layers; layer++) {
        if (cancel && *cancel) {
            take_back(s);
            return error_set(err, FORMA_ECANCELLED, "cancelled after layer %u of a pass", layer);
        }
        attention_block(s, &s->model->layers[layer], layer);
        ffn_block(s, &s->model->layers[layer]);
    }
    if (n_wanted) head(s, n_wanted);
    s->n_rows = n_rows;
    s->counters.passes++;
    s->counters.rows += n_rows;
    return FORMA_OK;
}
