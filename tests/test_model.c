/* SPDX-License-Identifier: MIT
 *
 * Whole models: the fixtures against the logits of the oracle in double precision; the same bits for
 * every chunk size, thread count, batch and after truncation; files that must be refused; failing
 * allocations; counters; a full cache; cancelling. */
#include "runtime/model.h"
#include "runtime/model_internal.h"
#include "test.h"

static const char *const fixtures[] = {"f32-gqa", "q4_1-mqa", "f16-mha", "k-quants", "mixed"};
#define N_FIXTURES (sizeof fixtures / sizeof *fixtures)

/* ---- files -------------------------------------------------------------------------------- */

static unsigned char *read_file(const char *name, const char *extension, size_t *size) {
    char path[256];
    snprintf(path, sizeof path, "fixtures/models/%s.%s", name, extension);
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        exit(1);
    }
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *data = malloc(*size);
    if (fread(data, 1, *size, f) != *size) exit(1);
    fclose(f);
    return data;
}

struct opened {
    unsigned char *data;
    struct gguf *file;
    struct model *model;
};

static struct opened open_fixture(const char *name) {
    size_t size;
    struct forma_error err = {0};
    struct opened o = {.data = read_file(name, "gguf", &size)};
    o.file = gguf_open_memory(o.data, size, fa_default_allocator(), &err);
    if (o.file) o.model = model_open(o.file, NULL, &err);
    if (!CHECK(o.model != NULL)) {
        fprintf(stderr, "%s: %s: %s\n", name, err.pointer, err.message);
        exit(1);
    }
    return o;
}

static void close_fixture(struct opened *o) {
    model_free(o->model);
    gguf_close(o->file);
    free(o->data);
}

/* ---- running ------------------------------------------------------------------------------ */

static struct run_options options(uint32_t n_threads, uint32_t max_rows) {
    struct run_options o;
    run_options_init(&o);
    o.n_ctx = 512;
    o.n_sequences = 3;
    o.max_rows = max_rows;
    o.n_threads = n_threads;
    return o;
}

static struct run_state *new_run(const struct model *m, struct run_options o) {
    struct forma_error err = {0};
    struct run_state *s = run_state_new(m, &o, &err);
    if (!CHECK(s != NULL)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return s;
}

/* Appends ids[from..n) to a sequence in chunks; logits after each of them to `out`, if any. */
static void feed(struct run_state *s, uint32_t sequence, const uint32_t *ids, uint32_t from,
                 uint32_t n, uint32_t chunk, float *out) {
    struct batch_row rows[256];
    size_t n_vocab = s->model->shape.n_vocab;
    for (uint32_t at = from; at < n; at += chunk) {
        uint32_t here = n - at < chunk ? n - at : chunk;
        for (uint32_t i = 0; i < here; i++)
            rows[i] = (struct batch_row){sequence, at + i, ids[at + i], out != NULL};
        CHECK_INT(model_forward(s, rows, here, NULL, NULL), FORMA_OK);
        for (uint32_t i = 0; i < here && out; i++)
            memcpy(out + (at + i) * n_vocab, run_state_logits(s, i), n_vocab * sizeof *out);
    }
}

/* ---- against the oracle ------------------------------------------------------------------- */

static uint32_t next_u32(const unsigned char **p) {
    uint32_t x;
    memcpy(&x, *p, 4);
    *p += 4;
    return x;
}

static double kl_divergence(const float *want, const float *got, size_t n) {
    double max_p = -1e300, max_q = -1e300, sum_p = 0, sum_q = 0, kl = 0;
    for (size_t i = 0; i < n; i++) {
        max_p = fmax(max_p, (double)want[i]);
        max_q = fmax(max_q, (double)got[i]);
    }
    for (size_t i = 0; i < n; i++) {
        sum_p += exp((double)want[i] - max_p);
        sum_q += exp((double)got[i] - max_q);
    }
    for (size_t i = 0; i < n; i++) {
        double log_p = (double)want[i] - max_p - log(sum_p);
        double log_q = (double)got[i] - max_q - log(sum_q);
        kl += exp(log_p) * (log_p - log_q);
    }
    return kl;
}

static void compare(const char *name, const struct model *m, struct run_options o, bool exact) {
    size_t size, n_vocab = m->shape.n_vocab;
    unsigned char *data = read_file(name, "logits", &size);
    const unsigned char *p = data + 8;
    struct run_state *s = new_run(m, o);
    CHECK(memcmp(data, "FLOG", 4) == 0);
    CHECK_INT(next_u32(&p), n_vocab);
    uint32_t n_prompts = next_u32(&p);
    CHECK(n_prompts > 0);
    for (uint32_t prompt = 0; prompt < n_prompts; prompt++) {
        uint32_t n = next_u32(&p), ids[256];
        for (uint32_t i = 0; i < n; i++) ids[i] = next_u32(&p);
        float *want = malloc(n * n_vocab * sizeof *want), *got = malloc(n * n_vocab * sizeof *got);
        memcpy(want, p, n * n_vocab * sizeof *want);
        p += n * n_vocab * sizeof *want;
        run_state_truncate(s, 0, 0);
        feed(s, 0, ids, 0, n, o.max_rows, got);
        double worst = 0, kl = 0;
        for (size_t i = 0; i < n * n_vocab; i++)
            worst = fmax(worst, fabs((double)want[i] - (double)got[i]));
        for (uint32_t i = 0; i < n; i++)
            kl = fmax(kl, kl_divergence(want + i * n_vocab, got + i * n_vocab, n_vocab));
        bool good = exact ? CHECK_NEAR(worst, 0, 1e-3) : CHECK_NEAR(kl, 0, 1e-4);
        if (!good) fprintf(stderr, "%s, %s: prompt %u\n", name, run_state_kernels_name(s), prompt);
        free(want);
        free(got);
    }
    CHECK(p == data + size);
    run_state_free(s);
    free(data);
}

static void test_oracle(void) {
    static const char *const kernels[] = {"scalar", "avx2", "avx512"};
    for (size_t i = 0; i < N_FIXTURES; i++) {
        struct opened o = open_fixture(fixtures[i]);
        struct run_options run = options(2, 7);
        run.kv = KV_F32;
        run.path = MODEL_PATH_REFERENCE;
        compare(fixtures[i], o.model, run, true);
        run = options(2, 7);
        for (size_t k = 0; k < 3; k++) {
            run.kernels = kernels[k];
            if (kernels_find(kernels[k], NULL))
                compare(fixtures[i], o.model, run, false);
            else
                fprintf(stderr, "model: %s skipped: this CPU lacks it\n", kernels[k]);
        }
        close_fixture(&o);
    }
}

/* ---- the same bits ------------------------------------------------------------------------ */

#define LONG 90

static bool same(const float *a, const float *b, size_t n) {
    return memcmp(a, b, n * sizeof *a) == 0;
}

static void check_bits(const struct model *m, enum model_path path, enum kv_type kv) {
    static const uint32_t chunks[] = {1, 2, 7, 16, LONG};
    size_t n_vocab = m->shape.n_vocab, total = LONG * n_vocab;
    float *base = malloc(total * sizeof *base), *other = malloc(total * sizeof *other);
    uint32_t ids[3][LONG];
    uint64_t state = 7;
    for (uint32_t i = 0; i < 3 * LONG; i++)
        ids[i / LONG][i % LONG] = test_below(&state, m->shape.n_vocab);
    struct run_options o = options(1, LONG);
    o.path = path;
    o.kv = kv;
    struct run_state *solo = new_run(m, o);
    feed(solo, 0, ids[0], 0, LONG, LONG, base);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        o.n_threads = threads;
        struct run_state *s = new_run(m, o);
        CHECK_INT(run_state_n_threads(s), threads);
        for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++) {
            run_state_truncate(s, 0, 0);
            feed(s, 0, ids[0], 0, LONG, chunks[c], other);
            if (!CHECK(same(base, other, total)))
                fprintf(stderr, "%u threads, chunks of %u\n", threads, chunks[c]);
        }
        /* Computed again from the middle: over kept keys and values. */
        run_state_truncate(s, 0, 37);
        CHECK_INT(run_state_length(s, 0), 37);
        memset(other, 0, total * sizeof *other);
        feed(s, 0, ids[0], 37, LONG, 5, other);
        CHECK(same(base + 37 * n_vocab, other + 37 * n_vocab, total - 37 * n_vocab));
        /* Three sequences in one batch, at different speeds. */
        run_state_truncate(s, 0, 0);
        uint32_t at[3] = {0}, step[3] = {1, 3, 2};
        long wrong = 0;
        while (at[0] < 30) {
            struct batch_row rows[6];
            uint32_t n = 0, of_zero[6];
            for (uint32_t round = 0; round < 3; round++)
                for (uint32_t q = 0; q < 3; q++)
                    if (round < step[q]) {
                        of_zero[n] = q == 0 ? at[0] : UINT32_MAX;
                        rows[n++] = (struct batch_row){q, at[q], ids[q][at[q]], q == 0};
                        at[q]++;
                    }
            CHECK_INT(model_forward(s, rows, n, NULL, NULL), FORMA_OK);
            for (uint32_t i = 0; i < n; i++) {
                CHECK((run_state_logits(s, i) != NULL) == (of_zero[i] != UINT32_MAX));
                if (of_zero[i] != UINT32_MAX)
                    wrong += !same(base + of_zero[i] * n_vocab, run_state_logits(s, i), n_vocab);
            }
        }
        CHECK_INT(wrong, 0);
        run_state_free(s);
    }
    run_state_free(solo);
    free(base);
    free(other);
}

static void test_same_bits(void) {
    for (size_t i = 0; i < N_FIXTURES; i++) {
        struct opened o = open_fixture(fixtures[i]);
        check_bits(o.model, MODEL_PATH_FAST, i % 2 ? KV_F32 : KV_F16);
        if (i == 1) check_bits(o.model, MODEL_PATH_REFERENCE, KV_F16);
        close_fixture(&o);
    }
}

/* Keys and values of a position never change later: attention looks back only. */
static void test_causal(void) {
    struct opened o = open_fixture("q4_1-mqa");
    const struct model_shape *shape = model_shape(o.model);
    struct run_state *s = new_run(o.model, options(2, 64));
    uint32_t ids[400];
    uint64_t state = 11;
    for (uint32_t i = 0; i < 400; i++) ids[i] = test_below(&state, shape->n_vocab);
    size_t bytes = shape->head_dim * sizeof(uint16_t);
    unsigned char before[2][512], after[2][512];
    CHECK(bytes <= sizeof before[0]);
    feed(s, 0, ids, 0, 40, 40, NULL);
    for (uint32_t layer = 0; layer < shape->n_layers; layer++) {
        kv_cache_read(&s->kv, layer, 0, 37, 0, before[0], before[1]);
        if (layer == 0) feed(s, 0, ids, 40, 400, 64, NULL);
        kv_cache_read(&s->kv, layer, 0, 37, 0, after[0], after[1]);
        CHECK(memcmp(before[0], after[0], bytes) == 0 && memcmp(before[1], after[1], bytes) == 0);
        if (layer + 1 < shape->n_layers) { /* back to 40 tokens for the next layer */
            run_state_truncate(s, 0, 0);
            feed(s, 0, ids, 0, 40, 1, NULL);
            kv_cache_read(&s->kv, layer + 1, 0, 37, 0, before[0], before[1]);
            feed(s, 0, ids, 40, 400, 64, NULL);
        }
    }
    run_state_free(s);
    close_fixture(&o);
}

/* ---- counters, limits, misuse ------------------------------------------------------------- */

static void test_counters(void) {
    struct opened o = open_fixture("f32-gqa");
    struct run_state *s = new_run(o.model, options(2, 32));
    uint32_t ids[100] = {0};
    feed(s, 0, ids, 0, 100, 32, NULL);
    CHECK_INT(run_state_counters(s)->passes, 4); /* ceil(100 / 32) */
    CHECK_INT(run_state_counters(s)->rows, 100);
    for (uint32_t i = 0; i < 10; i++) {
        struct batch_row row = {0, 100 + i, 5, true};
        CHECK_INT(model_forward(s, &row, 1, NULL, NULL), FORMA_OK);
    }
    CHECK_INT(run_state_counters(s)->passes, 14); /* one a token */
    CHECK_INT(run_state_counters(s)->rows, 110);
    CHECK(run_state_counters(s)->weight_bytes > 0);
    CHECK_INT(run_state_length(s, 0), 110);
    CHECK_INT(run_state_length(s, 1), 0);
    run_state_free(s);
    close_fixture(&o);
}

static void test_sizes(void) {
    struct opened o = open_fixture("q4_1-mqa");
    const struct model_shape *m = model_shape(o.model);
    CHECK(m->tied_head && m->n_kv_heads == 1 && m->n_heads == 4);
    uint64_t heads = (uint64_t)m->n_heads * m->head_dim, kv = m->head_dim, d = m->n_embd;
    uint64_t layer = 2 * d + 2 * heads * d + 2 * kv * d + 3 * d * m->n_ff;
    CHECK_INT(model_n_parameters(o.model), m->n_layers * layer + d + d * m->n_vocab);
    CHECK_INT(model_kv_bytes_per_token(o.model, KV_F16), 2 * m->n_layers * kv * 2);
    CHECK_INT(model_kv_bytes_per_token(o.model, KV_F32), 2 * m->n_layers * kv * 4);
    close_fixture(&o);
}

static void test_limits(void) {
    struct opened o = open_fixture("f16-mha");
    struct run_options run = options(1, 16);
    struct forma_error err;
    run.n_ctx = 32;
    struct run_state *s = new_run(o.model, run);
    uint32_t ids[32] = {0};
    feed(s, 0, ids, 0, 16, 16, NULL);
    feed(s, 1, ids, 0, 15, 15, NULL);
    struct batch_row rows[3] = {{1, 15, 1, true}, {1, 16, 1, true}, {0, 16, 1, true}};
    CHECK_INT(model_forward(s, rows, 3, NULL, &err), FORMA_ELIMIT);
    CHECK_INT(err.status, FORMA_ELIMIT);
    CHECK_INT(run_state_length(s, 0), 16);
    CHECK_INT(run_state_length(s, 1), 15);
    CHECK_INT(model_forward(s, rows, 1, NULL, &err), FORMA_OK);
    CHECK(run_state_logits(s, 0) != NULL && run_state_logits(s, 1) == NULL);
    run_state_truncate(s, 1, 0); /* frees a block */
    CHECK_INT(model_forward(s, rows + 2, 1, NULL, &err), FORMA_OK);

    bool cancel = true;
    struct batch_row next = {0, 17, 1, true};
    CHECK_INT(model_forward(s, &next, 1, &cancel, &err), FORMA_ECANCELLED);
    CHECK_INT(run_state_length(s, 0), 17);
    CHECK(run_state_logits(s, 0) == NULL);
    CHECK_INT(model_forward(s, &next, 1, NULL, &err), FORMA_OK);

    static const struct batch_row bad[] = {
        {3, 0, 1, true}, {0, 17, 1, true},        {0, 19, 1, true},
        {1, 1, 1, true}, {0, 18, 1u << 30, true},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_INT(model_forward(s, &bad[i], 1, NULL, &err), FORMA_EINVAL);
    CHECK_INT(model_forward(s, rows, 0, NULL, &err), FORMA_EINVAL);
    CHECK_INT(model_forward(s, rows, 17, NULL, &err), FORMA_EINVAL);
    CHECK(run_state_logits(s, 99) == NULL);
    CHECK_INT(run_state_length(s, 99), 0);
    run_state_truncate(s, 99, 0);
    run_state_free(s);

    struct run_options wrong[6];
    for (int i = 0; i < 6; i++) wrong[i] = options(1, 16);
    wrong[0].max_rows = 0;
    wrong[1].n_sequences = 0;
    wrong[2].n_threads = 65;
    wrong[3].kernels = "fast";
    wrong[4].n_ctx = UINT32_MAX;
    wrong[5].max_rows = UINT32_MAX;
    for (int i = 0; i < 6; i++) {
        CHECK(run_state_new(o.model, &wrong[i], &err) == NULL);
        CHECK(err.message[0] != '\0');
    }
    close_fixture(&o);
}

/* ---- files that must be refused ----------------------------------------------------------- */

static unsigned char *find_bytes(unsigned char *data, size_t size, const char *text) {
    unsigned char *p = memmem(data, size, text, strlen(text));
    if (!p) {
        fprintf(stderr, "the fixture has no \"%s\"\n", text);
        exit(1);
    }
    return p;
}

static void swap_dims(unsigned char *after_name) { /* n_dims u32, dims u64 [2], type u32 */
    unsigned char t[8];
    memcpy(t, after_name + 4, 8);
    memcpy(after_name + 4, after_name + 12, 8);
    memcpy(after_name + 12, t, 8);
}

/* What is done with the bytes behind `text`. */
enum change { RENAME, RENAME_LAST, SWAP, TYPE, NORM_TYPE, VALUE };

static void test_hostile(void) {
    static const struct {
        const char *fixture, *text;
        enum change change;
        const char *with; /* RENAME */
        uint32_t value;
        enum forma_status status;
        const char *pointer;
    } cases[] = {
        {"f32-gqa", "blk.0.attn_q.weight", RENAME, "blk.0.attn_x.weight", 0, FORMA_EMODEL,
         "blk.0.attn_q.weight"},
        {"f32-gqa", "output_norm.weight", RENAME, "output_morn.weight", 0, FORMA_EMODEL,
         "output_norm.weight"},
        {"f32-gqa", "token_embd.weight", RENAME, "token_embx.weight", 0, FORMA_EMODEL,
         "token_embd.weight"},
        {"f32-gqa", "output.weight", RENAME_LAST, "outpux.weight", 0, FORMA_EUNSUPPORTED,
         "outpux.weight"},
        {"f32-gqa", "blk.1.attn_k.weight", SWAP, NULL, 0, FORMA_EMODEL, "blk.1.attn_k.weight"},
        {"f32-gqa", "blk.1.ffn_down.weight", SWAP, NULL, 0, FORMA_EMODEL, "blk.1.ffn_down.weight"},
        {"f32-gqa", "blk.1.ffn_up.weight", TYPE, NULL, 10, FORMA_EUNSUPPORTED,
         "blk.1.ffn_up.weight"},
        {"f32-gqa", "blk.0.attn_norm.weight", NORM_TYPE, NULL, 1, FORMA_EUNSUPPORTED,
         "blk.0.attn_norm.weight"},
        {"f32-gqa", "llama.attention.head_count", VALUE, NULL, 0, FORMA_EMODEL,
         "llama.attention.head_count"},
        {"f32-gqa", "llama.attention.head_count", VALUE, NULL, 3, FORMA_EMODEL, ""},
        {"f32-gqa", "llama.attention.head_count", VALUE, NULL, UINT32_MAX, FORMA_EMODEL, ""},
        {"f32-gqa", "llama.attention.head_count_kv", VALUE, NULL, 3, FORMA_EMODEL,
         "llama.attention.head_count_kv"},
        {"f32-gqa", "llama.block_count", VALUE, NULL, 4000, FORMA_EMODEL, ""},
        {"f32-gqa", "llama.block_count", VALUE, NULL, 1, FORMA_EUNSUPPORTED, ""},
        {"f32-gqa", "llama.block_count", VALUE, NULL, UINT32_MAX, FORMA_EMODEL,
         "llama.block_count"},
        {"f32-gqa", "llama.embedding_length", VALUE, NULL, 1u << 20, FORMA_EMODEL, ""},
        {"f32-gqa", "llama.feed_forward_length", VALUE, NULL, 1, FORMA_EMODEL, ""},
        {"f32-gqa", "llama.context_length", VALUE, NULL, 0, FORMA_EMODEL, "llama.context_length"},
        {"f32-gqa", "llama.rope.freq_base", RENAME, "llama.rope.scaling.x", 0, FORMA_EUNSUPPORTED,
         "llama.rope.scaling.x"},
        {"f32-gqa", "llama.rope.freq_base", VALUE, NULL, 0, FORMA_EMODEL, "llama.rope.freq_base"},
        {"f32-gqa", "llama.rope.freq_base", VALUE, NULL, 0x7fc00000, FORMA_EMODEL,
         "llama.rope.freq_base"},
        {"f32-gqa", "llama.rope.dimension_count", VALUE, NULL, 3, FORMA_EMODEL,
         "llama.rope.dimension_count"},
        {"f32-gqa", "general.architecture", RENAME, "general.architectura", 0, FORMA_EMODEL,
         "general.architecture"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size, length = strlen(cases[i].text);
        unsigned char *data = read_file(cases[i].fixture, "gguf", &size);
        unsigned char *p = find_bytes(data, size, cases[i].text);
        while (cases[i].change == RENAME_LAST) { /* "output" is the end of another name, too */
            unsigned char *next =
                memmem(p + 1, size - (size_t)(p + 1 - data), cases[i].text, length);
            if (!next) break;
            p = next;
        }
        switch (cases[i].change) {
        case RENAME_LAST:
        case RENAME: memcpy(p, cases[i].with, length); break;
        case SWAP: swap_dims(p + length); break;
        case TYPE: memcpy(p + length + 20, &cases[i].value, 4); break;
        case NORM_TYPE: memcpy(p + length + 12, &cases[i].value, 4); break; /* one dimension */
        case VALUE: memcpy(p + length + 4, &cases[i].value, 4); break;      /* behind its type */
        }
        struct forma_error err = {0};
        struct gguf *file = gguf_open_memory(data, size, fa_default_allocator(), &err);
        struct model *m = file ? model_open(file, NULL, &err) : NULL;
        bool good = CHECK(m == NULL) && CHECK_INT(err.status, cases[i].status);
        if (file && cases[i].pointer[0]) good &= CHECK_STR(err.pointer, cases[i].pointer);
        if (!good) fprintf(stderr, "case %zu: %s: %s\n", i, err.pointer, err.message);
        model_free(m);
        gguf_close(file);
        free(data);
    }
}

static void test_other_architecture(void) {
    size_t size;
    unsigned char *data = read_file("f16-mha", "gguf", &size);
    unsigned char *p = find_bytes(data, size, "general.architecture");
    memcpy(p + 20 + 4 + 8, "qwen3", 5); /* behind type and length of the value */
    struct forma_error err = {0};
    struct gguf *file = gguf_open_memory(data, size, fa_default_allocator(), &err);
    CHECK(file != NULL && model_open(file, NULL, &err) == NULL);
    CHECK_INT(err.status, FORMA_EUNSUPPORTED);
    CHECK(strstr(err.message, "qwen3") != NULL);
    gguf_close(file);
    free(data);
}

/* ---- memory ------------------------------------------------------------------------------- */

struct counting {
    long calls, fail_at; /* fail_at < 0: never */
    size_t live;
};

static bool refuses(struct counting *c) {
    return c->calls++ == c->fail_at;
}

static void *counting_resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct counting *c = ctx;
    if (new_size && refuses(c)) return NULL;
    void *p = fa_default_allocator()->resize(NULL, ptr, old_size, new_size);
    c->live += new_size - old_size;
    return p;
}

static void *counting_reserve(void *ctx, void *ptr, size_t size) {
    struct counting *c = ctx;
    if (!ptr && refuses(c)) return NULL;
    c->live += ptr ? -size : size;
    return fa_default_allocator()->reserve(NULL, ptr, size);
}

static void test_memory(void) {
    struct opened o = open_fixture("mixed");
    bool done = false;
    for (long fail_at = 0; !done && CHECK(fail_at < 100); fail_at++) {
        struct counting c = {.fail_at = fail_at};
        struct forma_allocator allocator = {&c, counting_resize, counting_reserve};
        struct forma_error err = {0};
        struct run_options run = options(3, 8);
        run.allocator = &allocator;
        struct model *m = model_open(o.file, &allocator, &err);
        struct run_state *s = m ? run_state_new(m, &run, &err) : NULL;
        done = s != NULL;
        if (!s) CHECK_INT(err.status, FORMA_EMEMORY);
        if (s) { /* a pass allocates nothing */
            long before = c.calls;
            uint32_t ids[20] = {0};
            float *logits = malloc(20 * m->shape.n_vocab * sizeof *logits);
            feed(s, 0, ids, 0, 20, 8, logits);
            run_state_truncate(s, 0, 3);
            CHECK_INT(c.calls, before);
            free(logits);
        }
        run_state_free(s);
        model_free(m);
        CHECK_INT(c.live, 0);
    }
    close_fixture(&o);
}

int main(void) {
    test_oracle();
    test_same_bits();
    test_causal();
    test_counters();
    test_sizes();
    test_limits();
    test_hostile();
    test_other_architecture();
    test_memory();
    return test_done("model");
}
