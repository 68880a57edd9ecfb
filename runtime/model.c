/* SPDX-License-Identifier: MIT
 *
 * Opening a model: the keys of the architecture "llama", every tensor by name, shape and type.
 * Nothing is ignored silently: a tensor or a scaling key that this graph would leave out is refused
 * by name, because the text would be fluent and wrong. Weights stay where the file is mapped;
 * only the norms (a few kilobytes) are copied, for alignment.
 */
#include "runtime/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "runtime/model_internal.h"

/* Far above any model of this kind; they keep every product of two sizes within 64 bits. */
#define MAX_LAYERS   4096
#define MAX_WIDTH    (1u << 20) /* n_embd, n_ff, heads * head_dim */
#define MAX_HEAD_DIM 4096
#define MAX_VOCAB    (1u << 24)

/* Keys that change the graph, and the value at which they do not. */
static const struct {
    const char *key;
    double neutral;
} graph_keys[] = {
    {"llama.expert_count", 0},          {"llama.expert_used_count", 0},
    {"llama.rope.scale_linear", 1},     {"llama.attention.sliding_window", 0},
    {"llama.logit_scale", 1},           {"llama.residual_scale", 1},
    {"llama.embedding_scale", 1},       {"llama.attention.max_alibi_bias", 0},
    {"llama.attention.clamp_kqv", 0},   {"llama.attn_logit_softcapping", 0},
    {"llama.attention.causal", 1},      {"llama.final_logit_softcapping", 0},
    {"llama.use_parallel_residual", 0},
};

static bool starts_with(struct gguf_string s, const char *prefix) {
    size_t n = strlen(prefix);
    return s.length >= n && memcmp(s.data, prefix, n) == 0;
}

static bool string_is(struct gguf_string s, const char *text) {
    return s.length == strlen(text) && memcmp(s.data, text, s.length) == 0;
}

static enum forma_status check_architecture(const struct gguf *file, struct forma_error *err) {
    struct gguf_string arch;
    if (!gguf_get_string(file, "general.architecture", &arch))
        return error_at_pointer(err, FORMA_EMODEL, "general.architecture",
                                "the key is missing or not a string");
    if (!string_is(arch, "llama"))
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "general.architecture",
                                "architecture \"%.*s\" is not supported; forma runs llama",
                                (int)(arch.length < 64 ? arch.length : 64), arch.data);
    return FORMA_OK;
}

static enum forma_status refuse_key(const struct gguf_value *v, struct forma_error *err) {
    char key[128];
    snprintf(key, sizeof key, "%.*s", (int)(v->key.length < 127 ? v->key.length : 127),
             v->key.data);
    return error_at_pointer(err, FORMA_EUNSUPPORTED, key,
                            "the key changes the model's graph in a way that forma does not "
                            "implement");
}

static enum forma_status check_graph_keys(const struct gguf *file, struct forma_error *err) {
    for (size_t i = 0; i < sizeof graph_keys / sizeof *graph_keys; i++) {
        const struct gguf_value *v = gguf_find(file, graph_keys[i].key);
        double x;
        bool flag;
        if (!v) continue;
        if (gguf_get_bool(file, graph_keys[i].key, &flag))
            x = flag;
        else if (!gguf_get_f64(file, graph_keys[i].key, &x))
            return refuse_key(v, err);
        if (x != graph_keys[i].neutral) return refuse_key(v, err);
    }
    for (uint64_t i = 0; i < gguf_n_values(file); i++) {
        const struct gguf_value *v = gguf_value_at(file, i);
        if (!starts_with(v->key, "llama.rope.scaling.")) continue;
        struct gguf_string s;
        if (string_is(v->key, "llama.rope.scaling.type") &&
            gguf_get_string(file, "llama.rope.scaling.type", &s) && string_is(s, "none"))
            continue;
        return refuse_key(v, err);
    }
    return FORMA_OK;
}

/* A positive integer of at most `max`; `absent` where the key is missing (0 = it must be there). */
static enum forma_status get_count(const struct gguf *file, const char *key, uint64_t max,
                                   uint32_t absent, uint32_t *out, struct forma_error *err) {
    uint64_t x;
    if (!gguf_find(file, key)) {
        if (absent == 0) return error_at_pointer(err, FORMA_EMODEL, key, "the key is missing");
        *out = absent;
        return FORMA_OK;
    }
    if (!gguf_get_u64(file, key, &x))
        return error_at_pointer(err, FORMA_EUNSUPPORTED, key,
                                "the value is not one non-negative integer");
    if (x == 0 || x > max)
        return error_at_pointer(err, FORMA_EMODEL, key, "%" PRIu64 " is not between 1 and %" PRIu64,
                                x, max);
    *out = (uint32_t)x;
    return FORMA_OK;
}

static enum forma_status get_float(const struct gguf *file, const char *key, double absent,
                                   float *out, struct forma_error *err) {
    double x = absent;
    if (gguf_find(file, key) && !gguf_get_f64(file, key, &x))
        return error_at_pointer(err, FORMA_EMODEL, key, "the value is not a number");
    if (!(x > 0) || x > 1e30)
        return error_at_pointer(err, FORMA_EMODEL, key,
                                gguf_find(file, key)
                                    ? "%g is not a positive number of sensible size"
                                    : "the key is missing",
                                x);
    *out = (float)x;
    return FORMA_OK;
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        enum forma_status status_ = (call);                                                        \
        if (status_ != FORMA_OK) return status_;                                                   \
    } while (0)

static enum forma_status read_heads(const struct gguf *file, struct model_shape *s,
                                    struct forma_error *err) {
    TRY(get_count(file, "llama.attention.head_count", MAX_WIDTH, 0, &s->n_heads, err));
    TRY(get_count(file, "llama.attention.head_count_kv", MAX_WIDTH, s->n_heads, &s->n_kv_heads,
                  err));
    if (s->n_heads % s->n_kv_heads)
        return error_at_pointer(err, FORMA_EMODEL, "llama.attention.head_count_kv",
                                "%u KV heads do not divide %u heads", s->n_kv_heads, s->n_heads);
    uint32_t value_length;
    if (!gguf_find(file, "llama.attention.key_length") && s->n_embd % s->n_heads)
        return error_at_pointer(err, FORMA_EMODEL, "llama.attention.head_count",
                                "%u heads do not divide an embedding of %u", s->n_heads, s->n_embd);
    uint32_t usual = s->n_embd / s->n_heads ? s->n_embd / s->n_heads : 1;
    TRY(get_count(file, "llama.attention.key_length", MAX_HEAD_DIM, usual, &s->head_dim, err));
    TRY(get_count(file, "llama.attention.value_length", MAX_HEAD_DIM, s->head_dim, &value_length,
                  err));
    if (s->head_dim > MAX_HEAD_DIM)
        return error_at_pointer(err, FORMA_EMODEL, "llama.attention.head_count",
                                "heads of %u numbers are too large", s->head_dim);
    if (value_length != s->head_dim)
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "llama.attention.value_length",
                                "values of %u numbers beside keys of %u are not supported",
                                value_length, s->head_dim);
    if ((uint64_t)s->n_heads * s->head_dim > MAX_WIDTH)
        return error_at_pointer(err, FORMA_EMODEL, "llama.attention.head_count",
                                "%u heads of %u numbers are too many", s->n_heads, s->head_dim);
    TRY(get_count(file, "llama.rope.dimension_count", s->head_dim, s->head_dim, &s->rope_dims,
                  err));
    if (s->rope_dims % 2)
        return error_at_pointer(err, FORMA_EMODEL, "llama.rope.dimension_count",
                                "%u is odd: rotations work on pairs", s->rope_dims);
    return FORMA_OK;
}

static enum forma_status read_shape(const struct gguf *file, struct model_shape *s,
                                    struct forma_error *err) {
    TRY(check_architecture(file, err));
    TRY(check_graph_keys(file, err));
    TRY(get_count(file, "llama.block_count", MAX_LAYERS, 0, &s->n_layers, err));
    TRY(get_count(file, "llama.embedding_length", MAX_WIDTH, 0, &s->n_embd, err));
    TRY(get_count(file, "llama.feed_forward_length", MAX_WIDTH, 0, &s->n_ff, err));
    TRY(get_count(file, "llama.context_length", 1u << 30, 0, &s->n_ctx_train, err));
    TRY(read_heads(file, s, err));
    TRY(get_float(file, "llama.attention.layer_norm_rms_epsilon", 0, &s->rms_epsilon, err));
    TRY(get_float(file, "llama.rope.freq_base", 10000, &s->rope_base, err));
    const struct gguf_tensor *embd = gguf_find_tensor(file, "token_embd.weight");
    if (!embd || embd->n_dims != 2 || embd->dims[1] == 0 || embd->dims[1] > MAX_VOCAB)
        return error_at_pointer(err, FORMA_EMODEL, "token_embd.weight",
                                embd ? "the shape is not (embedding, vocabulary)"
                                     : "the tensor is missing");
    s->n_vocab = (uint32_t)embd->dims[1];
    s->tied_head = !gguf_find_tensor(file, "output.weight");
    return FORMA_OK;
}

/* ---- tensors ------------------------------------------------------------------------------ */

struct loader {
    const struct gguf *file;
    struct model *m;
    uint32_t n_norms;
    uint64_t n_used; /* tensors taken so far */
    uint64_t bytes;
    struct forma_error *err;
};

/* `where`: " for a norm; F32 is". A type without a name is told by its code. */
static enum forma_status refuse_type(const struct loader *l, const char *name, uint32_t type,
                                     const char *where) {
    char code[12];
    const char *text = gguf_type_name(type);
    snprintf(code, sizeof code, "%" PRIu32, type);
    if (strcmp(text, "unknown type") == 0) text = code;
    return error_at_pointer(l->err, FORMA_EUNSUPPORTED, name, "type %s is not supported%s", text,
                            where);
}

static enum forma_status find(const struct loader *l, const char *name, uint64_t cols,
                              uint64_t rows, const struct gguf_tensor **out) {
    const struct gguf_tensor *t = gguf_find_tensor(l->file, name);
    if (!t) return error_at_pointer(l->err, FORMA_EMODEL, name, "the tensor is missing");
    if (t->dims[0] != cols || t->dims[1] != rows || t->dims[2] != 1 || t->dims[3] != 1)
        return error_at_pointer(l->err, FORMA_EMODEL, name,
                                "the shape is %" PRIu64 " x %" PRIu64 " x %" PRIu64 " x %" PRIu64
                                ", but the model's keys need %" PRIu64 " x %" PRIu64,
                                t->dims[0], t->dims[1], t->dims[2], t->dims[3], cols, rows);
    if (!t->data) return refuse_type(l, name, t->type, "");
    *out = t;
    return FORMA_OK;
}

static enum forma_status take(struct loader *l, const char *name, uint32_t cols, uint32_t rows,
                              struct tensor *out) {
    const struct gguf_tensor *t = NULL;
    uint32_t weights, bytes;
    TRY(find(l, name, cols, rows, &t));
    if (!gguf_type_block(t->type, &weights, &bytes) || cols % weights)
        return error_at_pointer(l->err, FORMA_EMODEL, name,
                                "rows of %u weights are not whole blocks of type %s", cols,
                                gguf_type_name(t->type));
    size_t row_bytes = (size_t)(cols / weights) * bytes;
    if (t->bytes / row_bytes < rows)
        return error_at_pointer(l->err, FORMA_EMODEL, name, "the data is too short");
    /* The mapping is never written: kernels take weights as const. */
    *out = (struct tensor){t->type, rows, cols, row_bytes, (void *)(uintptr_t)t->data};
    l->n_used++;
    l->m->n_parameters += t->n_elements;
    l->bytes += t->bytes;
    return FORMA_OK;
}

static enum forma_status take_norm(struct loader *l, const char *name, struct tensor *out) {
    const struct gguf_tensor *t = NULL;
    uint32_t n = l->m->shape.n_embd;
    TRY(find(l, name, n, 1, &t));
    if (t->type != GGUF_TYPE_F32) return refuse_type(l, name, t->type, " for a norm; F32 is");
    float *copy = l->m->norms + (size_t)l->n_norms++ * n;
    memcpy(copy, t->data, n * sizeof *copy);
    *out = (struct tensor){GGUF_TYPE_F32, 1, n, n * sizeof *copy, copy};
    l->n_used++;
    l->m->n_parameters += n;
    l->bytes += n * sizeof *copy;
    return FORMA_OK;
}

static enum forma_status take_layer(struct loader *l, uint32_t i) {
    const struct model_shape *s = &l->m->shape;
    struct model_layer *layer = &l->m->layers[i];
    uint32_t heads = s->n_heads * s->head_dim, kv_heads = s->n_kv_heads * s->head_dim;
    const struct {
        const char *name;
        uint32_t cols, rows; /* rows 0 = a norm */
        struct tensor *out;
    } parts[] = {
        {"attn_norm", s->n_embd, 0, &layer->attn_norm},
        {"attn_q", s->n_embd, heads, &layer->q},
        {"attn_k", s->n_embd, kv_heads, &layer->k},
        {"attn_v", s->n_embd, kv_heads, &layer->v},
        {"attn_output", heads, s->n_embd, &layer->attn_output},
        {"ffn_norm", s->n_embd, 0, &layer->ffn_norm},
        {"ffn_gate", s->n_embd, s->n_ff, &layer->gate},
        {"ffn_up", s->n_embd, s->n_ff, &layer->up},
        {"ffn_down", s->n_ff, s->n_embd, &layer->down},
    };
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        char name[64];
        snprintf(name, sizeof name, "blk.%u.%s.weight", i, parts[p].name);
        if (parts[p].rows == 0)
            TRY(take_norm(l, name, parts[p].out));
        else
            TRY(take(l, name, parts[p].cols, parts[p].rows, parts[p].out));
    }
    return FORMA_OK;
}

/* Llama 3 stores a divisor for each frequency; NaN, zero and negative ones are refused. */
static enum forma_status read_frequencies(struct loader *l) {
    struct model *m = l->m;
    uint32_t pairs = m->shape.rope_dims / 2;
    const struct gguf_tensor *t = NULL;
    if (gguf_find_tensor(l->file, "rope_freqs.weight")) {
        TRY(find(l, "rope_freqs.weight", pairs, 1, &t));
        if (t->type != GGUF_TYPE_F32)
            return refuse_type(l, "rope_freqs.weight", t->type, " here; F32 is");
        l->n_used++;
    }
    for (uint32_t i = 0; i < pairs; i++) {
        float divisor = 1;
        if (t) memcpy(&divisor, t->data + (size_t)i * sizeof divisor, sizeof divisor);
        if (!(divisor > 0))
            return error_at_pointer(l->err, FORMA_EMODEL, "rope_freqs.weight",
                                    "divisor %u is not positive", i);
        m->rope_frequencies[i] =
            pow((double)m->shape.rope_base, -2.0 * i / m->shape.rope_dims) / (double)divisor;
    }
    return FORMA_OK;
}

/* Every tensor of the file must have been used: a bias or an extra norm left out would change the
 * text. Names a tensor that was not. */
static enum forma_status refuse_unused(const struct loader *l) {
    const struct model_shape *s = &l->m->shape;
    static const char *const layer_names[] = {"attn_norm", "attn_q",      "attn_k",
                                              "attn_v",    "attn_output", "ffn_norm",
                                              "ffn_gate",  "ffn_up",      "ffn_down"};
    if (gguf_n_tensors(l->file) == l->n_used) return FORMA_OK;
    for (uint64_t i = 0; i < gguf_n_tensors(l->file); i++) {
        const char *name = gguf_tensor_at(l->file, i)->c_name;
        char expected[64];
        unsigned layer;
        bool used = strcmp(name, "token_embd.weight") == 0 || strcmp(name, "output.weight") == 0 ||
                    strcmp(name, "output_norm.weight") == 0 ||
                    strcmp(name, "rope_freqs.weight") == 0;
        if (!used && sscanf(name, "blk.%u.", &layer) == 1 && layer < s->n_layers) {
            for (size_t j = 0; j < sizeof layer_names / sizeof *layer_names && !used; j++) {
                snprintf(expected, sizeof expected, "blk.%u.%s.weight", layer, layer_names[j]);
                used = strcmp(name, expected) == 0;
            }
        }
        if (!used)
            return error_at_pointer(l->err, FORMA_EUNSUPPORTED, name,
                                    "the tensor has no place in the graph that forma implements");
    }
    return error_set(l->err, FORMA_EMODEL, "a tensor name occurs twice");
}

static enum forma_status load(struct loader *l) {
    struct model *m = l->m;
    const struct model_shape *s = &m->shape;
    TRY(take(l, "token_embd.weight", s->n_embd, s->n_vocab, &m->token_embd));
    uint64_t embedding_bytes = l->bytes;
    m->output = m->token_embd;
    if (!s->tied_head) {
        TRY(take(l, "output.weight", s->n_embd, s->n_vocab, &m->output));
        l->bytes -= embedding_bytes; /* a pass reads a few of its rows only */
    }
    TRY(take_norm(l, "output_norm.weight", &m->output_norm));
    for (uint32_t i = 0; i < s->n_layers; i++) TRY(take_layer(l, i));
    TRY(read_frequencies(l));
    m->weight_bytes = l->bytes;
    return refuse_unused(l);
}

struct model *model_open(const struct gguf *file, const struct forma_allocator *allocator,
                         struct forma_error *err) {
    allocator = fa_allocator_or_default(allocator);
    struct model_shape shape = {0};
    if (read_shape(file, &shape, err) != FORMA_OK) return NULL;
    struct model *m = fa_alloc_zero(allocator, sizeof *m);
    if (!m) goto memory;
    m->allocator = allocator;
    m->shape = shape;
    m->norms_bytes = (2 * (size_t)shape.n_layers + 1) * shape.n_embd * sizeof *m->norms;
    m->layers = fa_alloc_zero(allocator, shape.n_layers * sizeof *m->layers);
    m->norms = fa_alloc(allocator, m->norms_bytes);
    m->rope_frequencies = fa_alloc(allocator, shape.rope_dims / 2 * sizeof(double));
    if (!m->layers || !m->norms || !m->rope_frequencies) goto memory;
    struct loader l = {.file = file, .m = m, .err = err};
    if (load(&l) != FORMA_OK) {
        model_free(m);
        return NULL;
    }
    return m;
memory:
    error_set(err, FORMA_EMEMORY, "no memory for the model's directory");
    model_free(m);
    return NULL;
}

void model_free(struct model *m) {
    if (!m) return;
    fa_free(m->allocator, m->layers, m->shape.n_layers * sizeof *m->layers);
    fa_free(m->allocator, m->norms, m->norms_bytes);
    fa_free(m->allocator, m->rope_frequencies, m->shape.rope_dims / 2 * sizeof(double));
    fa_free(m->allocator, m, sizeof *m);
}

const struct model_shape *model_shape(const struct model *m) {
    return &m->shape;
}

uint64_t model_n_parameters(const struct model *m) {
    return m->n_parameters;
}

uint64_t model_kv_bytes_per_token(const struct model *m, enum kv_type type) {
    return (uint64_t)2 * m->shape.n_layers * m->shape.n_kv_heads * m->shape.head_dim *
           kv_element_bytes(type);
}
