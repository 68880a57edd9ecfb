/* SPDX-License-Identifier: MIT
 *
 * The reference backend: dequantised weights, fp32 activations, sums in double, one obvious loop
 * each. It is what the fast kernels are judged by, and is itself judged by an independent model in
 * another language. */
#include <math.h>

#include "runtime/dequantise.h"
#include "runtime/kernels/internal.h"

void reference_rmsnorm(struct kctx *k, struct tensor *out, const struct tensor *x,
                       const struct tensor *weight, float epsilon) {
    (void)k;
    const float *w = weight->data;
    for (uint32_t row = 0; row < x->rows; row++) {
        const float *in = tensor_row(x, row);
        float *y = tensor_row(out, row);
        double sum = 0;
        for (uint32_t i = 0; i < x->cols; i++) sum += (double)in[i] * in[i];
        double scale = 1.0 / sqrt(sum / x->cols + (double)epsilon);
        for (uint32_t i = 0; i < x->cols; i++) y[i] = (float)(in[i] * scale * w[i]);
    }
}

void reference_rope(struct kctx *k, struct tensor *x, uint32_t head_dim,
                    const struct tensor *cos_sin) {
    (void)k;
    for (uint32_t row = 0; row < x->rows; row++) {
        float *y = tensor_row(x, row);
        const float *turn = tensor_row(cos_sin, row);
        for (uint32_t head = 0; head < x->cols; head += head_dim) {
            for (uint32_t i = 0; i < cos_sin->cols; i += 2) {
                double even = y[head + i], odd = y[head + i + 1];
                double c = turn[i], s = turn[i + 1];
                y[head + i] = (float)(even * c - odd * s);
                y[head + i + 1] = (float)(even * s + odd * c);
            }
        }
    }
}

void reference_swiglu(struct kctx *k, struct tensor *gate, const struct tensor *up) {
    (void)k;
    for (uint32_t row = 0; row < gate->rows; row++) {
        float *g = tensor_row(gate, row);
        const float *u = tensor_row(up, row);
        for (uint32_t i = 0; i < gate->cols; i++)
            g[i] = (float)(g[i] / (1.0 + exp(-(double)g[i])) * u[i]);
    }
}

void reference_add(struct kctx *k, struct tensor *x, const struct tensor *y) {
    (void)k;
    for (uint32_t row = 0; row < x->rows; row++) {
        float *a = tensor_row(x, row);
        const float *b = tensor_row(y, row);
        for (uint32_t i = 0; i < x->cols; i++) a[i] += b[i];
    }
}

/* ---- matmul ------------------------------------------------------------------------------- */

struct reference_matmul_job {
    struct kctx *k;
    const struct tensor *x, *w;
    struct tensor *y;
};

static void matmul_row(void *ctx, uint32_t row, uint32_t thread) {
    const struct reference_matmul_job *job = ctx;
    float *w = (float *)(void *)kctx_scratch(job->k, thread);
    dequantise_row(job->w->type, tensor_row(job->w, row), w, job->w->cols);
    for (uint32_t i = 0; i < job->x->rows; i++) {
        const float *x = tensor_row(job->x, i);
        float *y = tensor_row(job->y, i);
        double sum = 0;
        for (uint32_t c = 0; c < job->w->cols; c++) sum += (double)w[c] * x[c];
        y[row] = (float)sum;
    }
}

void reference_matmul(struct kctx *k, const struct tensor *x, const struct matmul_part *parts,
                      uint32_t n_parts) {
    for (uint32_t i = 0; i < n_parts; i++) {
        struct reference_matmul_job job = {k, x, parts[i].w, parts[i].y};
        threads_run(k->threads, matmul_row, &job, parts[i].w->rows);
    }
}

/* ---- attention ---------------------------------------------------------------------------- */

void reference_kv_store(struct kctx *k, const struct tensor *keys, const struct tensor *values,
                        const struct kv_rows *rows) {
    scalar_kv_store(k, keys, values, rows);
}

static double cached(const struct kv_cache *kv, const unsigned char *p, size_t i) {
    if (kv->type == KV_F32) return ((const float *)(const void *)p)[i];
    return half_to_float(((const uint16_t *)(const void *)p)[i]);
}

/* One query over positions 0..n-1. */
static void attend_one(const struct kv_rows *rows, uint32_t row, uint32_t kv_head, const float *q,
                       float *out, float *scores) {
    const struct kv_cache *kv = rows->kv;
    uint32_t sequence = rows->sequence[row], n = rows->position[row] + 1, dim = kv->head_dim;
    double max = -INFINITY, sum = 0;
    for (uint32_t t = 0; t < n; t++) {
        const unsigned char *p = kv_k(kv, rows->layer, kv_block_of(kv, sequence, t), kv_head);
        double score = 0;
        for (size_t d = 0; d < dim; d++)
            score += q[d] * cached(kv, p, d * KV_BLOCK_TOKENS + t % KV_BLOCK_TOKENS);
        scores[t] = (float)(score / sqrt((double)dim));
        max = fmax(max, scores[t]);
    }
    for (uint32_t t = 0; t < n; t++) {
        scores[t] = (float)exp(scores[t] - max);
        sum += scores[t];
    }
    for (size_t d = 0; d < dim; d++) {
        double mixed = 0;
        for (uint32_t t = 0; t < n; t++) {
            const unsigned char *p = kv_v(kv, rows->layer, kv_block_of(kv, sequence, t), kv_head);
            mixed += scores[t] * cached(kv, p, t % KV_BLOCK_TOKENS * (size_t)dim + d);
        }
        out[d] = (float)(mixed / sum);
    }
}

struct reference_attention_job {
    struct kctx *k;
    struct tensor *out;
    const struct tensor *q;
    const struct kv_rows *rows;
};

static void attention_row(void *ctx, uint32_t row, uint32_t thread) {
    const struct reference_attention_job *job = ctx;
    const struct kv_cache *kv = job->rows->kv;
    float *scores = (float *)(void *)kctx_scratch(job->k, thread);
    uint32_t n_heads = job->q->cols / kv->head_dim, group = n_heads / kv->n_kv_heads;
    for (uint32_t h = 0; h < n_heads; h++)
        attend_one(job->rows, row, h / group,
                   (const float *)tensor_row(job->q, row) + (size_t)h * kv->head_dim,
                   (float *)tensor_row(job->out, row) + (size_t)h * kv->head_dim, scores);
}

void reference_attention(struct kctx *k, struct tensor *out, const struct tensor *q,
                         const struct kv_rows *rows) {
    struct reference_attention_job job = {k, out, q, rows};
    threads_run(k->threads, attention_row, &job, rows->n_rows);
}
