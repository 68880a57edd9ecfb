/* SPDX-License-Identifier: MIT
 *
 * The memory of a run, reserved once: activations of a pass, KV cache, kernel scratch, threads. */
#include <string.h>

#include "base/error.h"
#include "runtime/model_internal.h"

#define DEFAULT_MAX_CTX  8192
#define DEFAULT_MAX_ROWS 256
#define MAX_ROWS         (1u << 16)
#define MAX_SEQUENCES    (1u << 16)
#define MAX_CTX          (1u << 26)

void run_options_init(struct run_options *o) {
    *o = (struct run_options){
        .n_sequences = 1, .max_rows = DEFAULT_MAX_ROWS, .kv = KV_F16, .path = MODEL_PATH_FAST};
}

/* Reserves space in two rounds: the first, with memory NULL, only adds up. */
struct carver {
    unsigned char *memory;
    size_t used;
    bool overflow;
};

static void *carve(struct carver *c, size_t count, size_t size) {
    size_t bytes, padded;
    if (!fa_mul_size(count, size, &bytes) || __builtin_add_overflow(bytes, 63, &padded) ||
        __builtin_add_overflow(c->used, padded & ~(size_t)63, &padded)) {
        c->overflow = true;
        return NULL;
    }
    void *p = c->memory ? c->memory + c->used : NULL;
    c->used = padded;
    return p;
}

static struct tensor carve_tensor(struct carver *c, size_t rows, size_t cols) {
    void *p = carve(c, rows, cols * sizeof(float)); /* cols < 2^26 */
    return (struct tensor){GGUF_TYPE_F32, (uint32_t)rows, (uint32_t)cols, cols * sizeof(float), p};
}

static void carve_buffers(struct run_state *s, struct carver *c, uint32_t n_sequences) {
    const struct model_shape *m = &s->model->shape;
    size_t rows = s->max_rows, heads = (size_t)m->n_heads * m->head_dim;
    size_t kv_heads = (size_t)m->n_kv_heads * m->head_dim;
    s->x = carve_tensor(c, rows, m->n_embd);
    s->normed = carve_tensor(c, rows, m->n_embd);
    s->projected = carve_tensor(c, rows, m->n_embd);
    s->q = carve_tensor(c, rows, heads);
    s->mixed = carve_tensor(c, rows, heads);
    s->k = carve_tensor(c, rows, kv_heads);
    s->v = carve_tensor(c, rows, kv_heads);
    s->gate = carve_tensor(c, rows, m->n_ff);
    s->up = carve_tensor(c, rows, m->n_ff);
    s->turns = carve_tensor(c, rows, m->rope_dims);
    s->logits = carve_tensor(c, rows, m->n_vocab);
    s->tokens = carve(c, rows, sizeof(uint32_t));
    s->sequences = carve(c, rows, sizeof(uint32_t));
    s->positions = carve(c, rows, sizeof(uint32_t));
    s->wanted = carve(c, rows, sizeof(uint32_t));
    s->logits_row = carve(c, rows, sizeof(uint32_t));
    s->new_rows = carve(c, n_sequences, sizeof(uint32_t));
}

static enum forma_status check_options(const struct run_options *o, struct forma_error *err) {
    if (o->max_rows == 0 || o->max_rows > MAX_ROWS)
        return error_set(err, FORMA_EINVAL, "a pass of %u rows: give 1 to %u", o->max_rows,
                         MAX_ROWS);
    if (o->n_sequences == 0 || o->n_sequences > MAX_SEQUENCES)
        return error_set(err, FORMA_EINVAL, "%u sequences: give 1 to %u", o->n_sequences,
                         MAX_SEQUENCES);
    if (o->n_ctx > MAX_CTX)
        return error_set(err, FORMA_EINVAL, "a context of %u tokens: give at most %u", o->n_ctx,
                         MAX_CTX);
    if (o->n_threads > THREADS_MAX)
        return error_set(err, FORMA_EINVAL, "%u threads: give 1 to %d", o->n_threads, THREADS_MAX);
    if ((o->kv != KV_F16 && o->kv != KV_F32) ||
        (o->path != MODEL_PATH_FAST && o->path != MODEL_PATH_REFERENCE))
        return error_set(err, FORMA_EINVAL, "no such KV type or path");
    return FORMA_OK;
}

static enum forma_status init_parts(struct run_state *s, const struct run_options *o,
                                    struct forma_error *err) {
    const struct model_shape *m = &s->model->shape;
    uint32_t n_ctx = o->n_ctx;
    if (n_ctx == 0) n_ctx = m->n_ctx_train < DEFAULT_MAX_CTX ? m->n_ctx_train : DEFAULT_MAX_CTX;
    s->kernels =
        o->path == MODEL_PATH_REFERENCE ? kernels_reference() : kernels_find(o->kernels, err);
    if (!s->kernels) return FORMA_EINVAL; /* err is filled */
    s->threads = threads_new(o->n_threads ? o->n_threads : threads_available(), s->allocator, err);
    if (!s->threads) return FORMA_EMEMORY;
    struct kv_shape kv = {o->kv, m->n_layers, m->n_kv_heads, m->head_dim, n_ctx, o->n_sequences};
    enum forma_status status = kv_cache_init(&s->kv, &kv, s->allocator, err);
    if (status != FORMA_OK) return status;
    uint32_t heads = m->n_heads * m->head_dim, cols = m->n_embd;
    if (heads > cols) cols = heads;
    if (m->n_ff > cols) cols = m->n_ff;
    struct kernel_limits limits = {s->max_rows, cols, s->kv.n_blocks * KV_BLOCK_TOKENS};
    status = kctx_init(&s->kctx, s->kernels, s->threads, &limits, s->allocator, err);
    if (status != FORMA_OK) return status;
    struct carver c = {0};
    carve_buffers(s, &c, o->n_sequences);
    if (c.overflow)
        return error_set(err, FORMA_EINVAL, "a pass of %u rows is too large", s->max_rows);
    s->memory_bytes = c.used;
    s->memory = fa_reserve(s->allocator, s->memory_bytes);
    if (!s->memory)
        return error_set(err, FORMA_EMEMORY, "no memory for %zu bytes of activations",
                         s->memory_bytes);
    c = (struct carver){.memory = s->memory};
    carve_buffers(s, &c, o->n_sequences);
    return FORMA_OK;
}

struct run_state *run_state_new(const struct model *m, const struct run_options *o,
                                struct forma_error *err) {
    const struct forma_allocator *allocator = fa_allocator_or_default(o->allocator);
    if (check_options(o, err) != FORMA_OK) return NULL;
    struct run_state *s = fa_alloc_zero(allocator, sizeof *s);
    if (!s) {
        error_set(err, FORMA_EMEMORY, "no memory for a run");
        return NULL;
    }
    s->allocator = allocator;
    s->model = m;
    s->max_rows = o->max_rows;
    if (init_parts(s, o, err) != FORMA_OK) {
        run_state_free(s);
        return NULL;
    }
    s->counters.weight_bytes = m->weight_bytes;
    return s;
}

void run_state_free(struct run_state *s) {
    if (!s) return;
    threads_free(s->threads);
    kctx_destroy(&s->kctx);
    kv_cache_destroy(&s->kv);
    if (s->memory) fa_release(s->allocator, s->memory, s->memory_bytes);
    fa_free(s->allocator, s, sizeof *s);
}

float *run_state_logits(struct run_state *s, uint32_t row) {
    if (row >= s->n_rows || s->logits_row[row] == UINT32_MAX) return NULL;
    return (float *)s->logits.data + (size_t)s->logits_row[row] * s->model->shape.n_vocab;
}

void run_state_truncate(struct run_state *s, uint32_t sequence, uint32_t n_tokens) {
    if (sequence < s->kv.n_sequences) kv_cache_truncate(&s->kv, sequence, n_tokens);
}

uint32_t run_state_length(const struct run_state *s, uint32_t sequence) {
    return sequence < s->kv.n_sequences ? s->kv.lengths[sequence] : 0;
}

const struct run_counters *run_state_counters(const struct run_state *s) {
    return &s->counters;
}

const char *run_state_kernels_name(const struct run_state *s) {
    return s->kernels->name;
}

uint32_t run_state_n_threads(const struct run_state *s) {
    return threads_count(s->threads);
}
