/* SPDX-License-Identifier: MIT
 *
 * Causal attention of the rows of a pass over their sequences' cached keys and values, and the
 * kernel that stores them. Written above struct lanes; attention.c, _avx2.c and _avx512.c
 * compile it for their instruction sets.
 *
 * A task is a tile of at most 16 queries that read the same K and V: some heads of one KV head's
 * group, times some neighbouring rows of one sequence. For each query, in this order:
 *
 *     score[t] = (q . k[t]) / sqrt(head_dim)      fma over the dimensions, a lane a token
 *     p[t]     = exp(score[t] - max)              sum of p in lanes t % 16, halved
 *     out[d]   = (sum over t of p[t] v[t][d]) / sum of p     fma over the tokens, a lane a
 * dimension
 *
 * so the result of a query does not depend on the tile that it is in.
 */
#ifndef FORMA_RUNTIME_KERNELS_ATTENTION_CORE_H
#define FORMA_RUNTIME_KERNELS_ATTENTION_CORE_H

#include <math.h>

#include "runtime/kernels/internal.h"

#define INLINE static inline __attribute__((always_inline))

struct attention_job {
    struct tensor *out;
    const struct tensor *q;
    const struct kv_rows *rows;
    uint32_t group;        /* query heads that share a KV head */
    uint32_t heads_a_task; /* of them, in one task */
    uint32_t tasks_a_row;  /* of all KV heads */
    uint32_t rows_a_task;  /* at most; those of another sequence are cut off */
    float scale;
};

struct query {
    const float *q;
    float *out, *scores;
    uint32_t n_tokens; /* that it sees */
    float inverse_sum;
};

struct tile {
    const struct kv_cache *kv;
    uint32_t layer, sequence, kv_head, n_queries;
    float scale;
    struct query queries[MAX_QUERIES];
};

INLINE struct lanes load_cached(enum kv_type type, const unsigned char *p, size_t element) {
    if (type == KV_F16) return lanes_load_half(p + element * 2);
    return lanes_load(p + element * 4);
}

/* Scores of n queries for the 16 tokens of a block. */
INLINE void score_block(const struct tile *t, const struct query *query, enum kv_type type,
                        const unsigned char *keys, size_t token, const int n) {
    struct lanes acc[4];
    for (int i = 0; i < n; i++) acc[i] = lanes_set1(0.0f);
    for (uint32_t d = 0; d < t->kv->head_dim; d++) {
        struct lanes k = load_cached(type, keys, (size_t)d * KV_BLOCK_TOKENS);
        for (int i = 0; i < n; i++) acc[i] = lanes_fma(lanes_set1(query[i].q[d]), k, acc[i]);
    }
    for (int i = 0; i < n; i++)
        lanes_store(query[i].scores + token, lanes_mul(acc[i], lanes_set1(t->scale)));
}

static void score_tile(const struct tile *t, enum kv_type type) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < t->n_queries; i++)
        most = t->queries[i].n_tokens > most ? t->queries[i].n_tokens : most;
    for (uint32_t token = 0; token < most; token += KV_BLOCK_TOKENS) {
        uint32_t block = kv_block_of(t->kv, t->sequence, token);
        const unsigned char *keys = kv_k(t->kv, t->layer, block, t->kv_head);
        uint32_t i = 0;
        for (; i + 4 <= t->n_queries; i += 4) score_block(t, &t->queries[i], type, keys, token, 4);
        switch (t->n_queries - i) {
        case 3: score_block(t, &t->queries[i], type, keys, token, 3); break;
        case 2: score_block(t, &t->queries[i], type, keys, token, 2); break;
        case 1: score_block(t, &t->queries[i], type, keys, token, 1); break;
        default: break;
        }
    }
}

/* Scores to weights, not yet divided by their sum. The scores behind n_tokens, of tokens that the
 * query must not see, become 0: the scores array has room for whole blocks. */
static void softmax(struct query *query) {
    float *s = query->scores;
    uint32_t n = query->n_tokens;
    uint32_t whole = (n + SUM_LANES - 1) / SUM_LANES * SUM_LANES;
    for (uint32_t i = n; i < whole; i++) s[i] = -INFINITY;
    float most[SUM_LANES], sum[SUM_LANES] = {0};
    for (uint32_t j = 0; j < SUM_LANES; j++) most[j] = -INFINITY;
    for (uint32_t i = 0; i < whole; i += SUM_LANES)
        for (uint32_t j = 0; j < SUM_LANES; j++) most[j] = s[i + j] > most[j] ? s[i + j] : most[j];
    float max = most[0];
    for (uint32_t j = 1; j < SUM_LANES; j++) max = most[j] > max ? most[j] : max;
    for (uint32_t i = 0; i < whole; i++) s[i] = exp_float(s[i] - max);
    for (uint32_t i = 0; i < whole; i += SUM_LANES)
        for (uint32_t j = 0; j < SUM_LANES; j++) sum[j] += s[i + j];
    query->inverse_sum = 1.0f / sum_lanes(sum);
}

/* n queries, `width` times 16 dimensions from `dim` on; all tokens that the n queries share in one
 * go, those that only some of them see (neighbouring rows) one query at a time. */
INLINE void mix_dims(const struct tile *t, const struct query *query, enum kv_type type,
                     uint32_t dim, const int n, const int width) {
    struct lanes acc[4][4];
    uint32_t shared = UINT32_MAX;
    for (int i = 0; i < n; i++) {
        for (int w = 0; w < width; w++) acc[i][w] = lanes_set1(0.0f);
        shared = query[i].n_tokens < shared ? query[i].n_tokens : shared;
    }
    size_t stride = t->kv->head_dim;
    for (uint32_t token = 0; token < shared; token += KV_BLOCK_TOKENS) {
        uint32_t block = kv_block_of(t->kv, t->sequence, token);
        const unsigned char *values = kv_v(t->kv, t->layer, block, t->kv_head);
        uint32_t here = shared - token < KV_BLOCK_TOKENS ? shared - token : KV_BLOCK_TOKENS;
        for (uint32_t j = 0; j < here; j++) {
            struct lanes v[4];
            for (int w = 0; w < width; w++)
                v[w] = load_cached(type, values, j * stride + dim + (size_t)w * SUM_LANES);
            for (int i = 0; i < n; i++) {
                struct lanes p = lanes_set1(query[i].scores[token + j]);
                for (int w = 0; w < width; w++) acc[i][w] = lanes_fma(p, v[w], acc[i][w]);
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (uint32_t token = shared; token < query[i].n_tokens; token++) {
            uint32_t block = kv_block_of(t->kv, t->sequence, token);
            const unsigned char *values = kv_v(t->kv, t->layer, block, t->kv_head);
            struct lanes p = lanes_set1(query[i].scores[token]);
            for (int w = 0; w < width; w++)
                acc[i][w] = lanes_fma(
                    p,
                    load_cached(type, values,
                                token % KV_BLOCK_TOKENS * stride + dim + (size_t)w * SUM_LANES),
                    acc[i][w]);
        }
        struct lanes inverse = lanes_set1(query[i].inverse_sum);
        for (int w = 0; w < width; w++)
            lanes_store(query[i].out + dim + w * SUM_LANES, lanes_mul(acc[i][w], inverse));
    }
}

/* Dimensions that do not fill sixteen lanes. */
static void mix_rest(const struct tile *t, const struct query *query, enum kv_type type,
                     uint32_t dim) {
    size_t size = kv_element_bytes(type);
    for (; dim < t->kv->head_dim; dim++) {
        float acc = 0.0f;
        for (uint32_t token = 0; token < query->n_tokens; token++) {
            uint32_t block = kv_block_of(t->kv, t->sequence, token);
            const unsigned char *p = kv_v(t->kv, t->layer, block, t->kv_head);
            p += (token % KV_BLOCK_TOKENS * (size_t)t->kv->head_dim + dim) * size;
            float v = type == KV_F16 ? half_float(load_u16(p)) : load_f32(p);
            acc = fmaf(query->scores[token], v, acc);
        }
        query->out[dim] = acc * query->inverse_sum;
    }
}

INLINE void mix_queries(const struct tile *t, const struct query *query, enum kv_type type,
                        const int n) {
    uint32_t dim = 0, dims = t->kv->head_dim;
    for (; dim + 64 <= dims; dim += 64) mix_dims(t, query, type, dim, n, 4);
    for (; dim + 16 <= dims; dim += 16) mix_dims(t, query, type, dim, n, 1);
    for (int i = 0; i < n && dim < dims; i++) mix_rest(t, query + i, type, dim);
}

static void mix_tile(const struct tile *t, enum kv_type type) {
    uint32_t i = 0;
    for (; i + 4 <= t->n_queries; i += 4) mix_queries(t, &t->queries[i], type, 4);
    switch (t->n_queries - i) {
    case 3: mix_queries(t, &t->queries[i], type, 3); break;
    case 2: mix_queries(t, &t->queries[i], type, 2); break;
    case 1: mix_queries(t, &t->queries[i], type, 1); break;
    default: break;
    }
}

static void attention_task(void *ctx, uint32_t task, uint32_t thread);

/* Rows first, first + 1, ... of the same sequence, at most rows_a_task of them. The tiles of rows
 * start at multiples of rows_a_task; a tile that holds two sequences is done in two goes. */
static void attend(const struct attention_job *job, uint32_t part, uint32_t first, uint32_t n_rows,
                   float *scores, size_t scores_stride) {
    const struct kv_rows *rows = job->rows;
    uint32_t parts_a_head = job->tasks_a_row / rows->kv->n_kv_heads;
    struct tile t = {.kv = rows->kv,
                     .layer = rows->layer,
                     .sequence = rows->sequence[first],
                     .kv_head = part / parts_a_head,
                     .scale = job->scale};
    uint32_t from = part % parts_a_head * job->heads_a_task, to = from + job->heads_a_task;
    if (to > job->group) to = job->group;
    for (uint32_t row = first; row < first + n_rows; row++) {
        for (uint32_t j = from; j < to; j++) {
            size_t at = ((size_t)t.kv_head * job->group + j) * t.kv->head_dim;
            t.queries[t.n_queries] =
                (struct query){.q = (const float *)tensor_row(job->q, row) + at,
                               .out = (float *)tensor_row(job->out, row) + at,
                               .scores = scores + t.n_queries * scores_stride,
                               .n_tokens = rows->position[row] + 1};
            t.n_queries++;
        }
    }
    if (t.kv->type == KV_F16)
        score_tile(&t, KV_F16);
    else
        score_tile(&t, KV_F32);
    for (uint32_t i = 0; i < t.n_queries; i++) softmax(&t.queries[i]);
    if (t.kv->type == KV_F16)
        mix_tile(&t, KV_F16);
    else
        mix_tile(&t, KV_F32);
}

struct attention_run {
    struct kctx *k;
    struct attention_job job;
};

static void attention_task(void *ctx, uint32_t task, uint32_t thread) {
    const struct attention_run *run = ctx;
    const struct attention_job *job = &run->job;
    const struct kv_rows *rows = job->rows;
    float *scores = (float *)(void *)kctx_scratch(run->k, thread);
    size_t stride = run->k->scratch_bytes / (MAX_QUERIES * sizeof(float));
    uint32_t first = task / job->tasks_a_row * job->rows_a_task;
    uint32_t end = first + job->rows_a_task;
    if (end > rows->n_rows) end = rows->n_rows;
    while (first < end) {
        uint32_t n = 1;
        while (first + n < end && rows->sequence[first + n] == rows->sequence[first]) n++;
        attend(job, task % job->tasks_a_row, first, n, scores, stride);
        first += n;
    }
}

void OP(attention)(struct kctx *k, struct tensor *out, const struct tensor *q,
                   const struct kv_rows *rows) {
    const struct kv_cache *kv = rows->kv;
    struct attention_run run = {.k = k, .job = {.out = out, .q = q, .rows = rows}};
    struct attention_job *job = &run.job;
    job->group = q->cols / kv->head_dim / kv->n_kv_heads;
    job->scale = 1.0f / sqrtf((float)kv->head_dim);
    job->heads_a_task = job->group < MAX_QUERIES ? job->group : MAX_QUERIES;
    /* Few rows: single heads, so that every thread has work; K and V are then read once a head. */
    if ((uint64_t)rows->n_rows * kv->n_kv_heads < 4 * (uint64_t)threads_count(k->threads) &&
        threads_count(k->threads) > 1)
        job->heads_a_task = 1;
    job->rows_a_task = rows->n_rows == 1 ? 1 : MAX_QUERIES / job->heads_a_task;
    uint32_t parts = (job->group + job->heads_a_task - 1) / job->heads_a_task;
    job->tasks_a_row = parts * kv->n_kv_heads;
    uint32_t row_tiles = (rows->n_rows + job->rows_a_task - 1) / job->rows_a_task;
    threads_run(k->threads, attention_task, &run, row_tiles * job->tasks_a_row);
}

/* ---- storing ------------------------------------------------------------------------------ */

struct store_job {
    const struct tensor *keys, *values;
    const struct kv_rows *rows;
};

static void store_row(const struct kv_cache *kv, const float *k, const float *v,
                      unsigned char *keys, unsigned char *values, uint32_t slot) {
    size_t n = kv->head_dim;
    if (kv->type == KV_F16) {
        uint16_t *kh = (uint16_t *)(void *)keys + slot;
        uint16_t *vh = (uint16_t *)(void *)values + slot * n;
        for (size_t d = 0; d < n; d++) kh[d * KV_BLOCK_TOKENS] = float_half(k[d]);
        for (size_t d = 0; d < n; d++) vh[d] = float_half(v[d]);
    } else {
        float *kf = (float *)(void *)keys + slot;
        for (size_t d = 0; d < n; d++) kf[d * KV_BLOCK_TOKENS] = k[d];
        memcpy((float *)(void *)values + slot * n, v, n * sizeof *v);
    }
}

static void store_task(void *ctx, uint32_t head, uint32_t thread) {
    (void)thread;
    const struct store_job *job = ctx;
    const struct kv_rows *rows = job->rows;
    const struct kv_cache *kv = rows->kv;
    size_t at = (size_t)head * kv->head_dim;
    for (uint32_t row = 0; row < rows->n_rows; row++) {
        uint32_t block = kv_block_of(kv, rows->sequence[row], rows->position[row]);
        store_row(kv, (const float *)tensor_row(job->keys, row) + at,
                  (const float *)tensor_row(job->values, row) + at,
                  kv_k(kv, rows->layer, block, head), kv_v(kv, rows->layer, block, head),
                  rows->position[row] % KV_BLOCK_TOKENS);
    }
}

/* A task a KV head, because neighbouring rows share cache lines of a transposed block. */
void OP(kv_store)(struct kctx *k, const struct tensor *keys, const struct tensor *values,
                  const struct kv_rows *rows) {
    struct store_job job = {keys, values, rows};
    uint32_t n = rows->kv->n_kv_heads;
    if (rows->n_rows >= 8) {
        threads_run(k->threads, store_task, &job, n);
        return;
    }
    for (uint32_t head = 0; head < n; head++) store_task(&job, head, 0);
}

#endif
