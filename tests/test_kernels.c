/* SPDX-License-Identifier: MIT
 *
 * Every operation of every CPU table against a naive loop in double, and the three fast tables
 * against each other bit by bit. Tables that this CPU lacks are skipped with a message. */
#include "runtime/dequantise.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/numeric.h"
#include "runtime/kernels/unpack.h"
#include "test.h"

#define SEED 20240607

static uint64_t seed_state = SEED;

static float uniform(void) { /* -1 .. 1 */
    return (float)((double)(test_random(&seed_state) >> 11) * 0x1p-52 - 1.0);
}

static const struct {
    const char *name;
    const struct kernels *(*table)(void);
} tables[] = {{"scalar", kernels_scalar}, {"avx2", kernels_avx2}, {"avx512", kernels_avx512}};
#define N_TABLES (sizeof tables / sizeof *tables)

static bool available(size_t i) {
    return kernels_find(tables[i].name, NULL) != NULL;
}

static struct tensor new_tensor(uint32_t rows, uint32_t cols) {
    float *data = malloc((size_t)rows * cols * sizeof *data);
    for (size_t i = 0; i < (size_t)rows * cols; i++) data[i] = uniform();
    return (struct tensor){GGUF_TYPE_F32, rows, cols, cols * sizeof *data, data};
}

static float at(const struct tensor *t, uint32_t row, uint32_t col) {
    return ((const float *)t->data)[(size_t)row * t->cols + col];
}

static bool same_bits(const struct tensor *a, const struct tensor *b) {
    return memcmp(a->data, b->data, (size_t)a->rows * a->row_bytes) == 0;
}

struct bench {
    struct threads *threads;
    struct kctx k;
};

static void bench_open(struct bench *b, const struct kernels *table, uint32_t n_threads,
                       uint32_t max_rows, uint32_t max_cols, uint32_t max_tokens) {
    struct kernel_limits limits = {max_rows, max_cols, max_tokens};
    b->threads = threads_new(n_threads, fa_default_allocator(), NULL);
    CHECK_INT(kctx_init(&b->k, table, b->threads, &limits, NULL, NULL), FORMA_OK);
}

static void bench_close(struct bench *b) {
    kctx_destroy(&b->k);
    threads_free(b->threads);
}

/* ---- numbers ------------------------------------------------------------------------------ */

static void test_numbers(void) {
    long bad = 0;
    for (uint32_t h = 0; h < 65536; h++) {
        float a = half_float((uint16_t)h), b = half_to_float((uint16_t)h);
        if (isnan(a) || isnan(b))
            bad += !(isnan(a) && isnan(b));
        else
            bad += float_bits(a) != float_bits(b) || float_half(a) != h;
    }
    CHECK_INT(bad, 0);
    for (int i = 0; i < 2000000; i++) {
        float x = bits_float((uint32_t)test_random(&seed_state));
        if (!isnan(x)) bad += float_half(x) != float_to_half(x);
    }
    CHECK_INT(bad, 0);
    double worst = 0;
    for (double x = -86.9; x < 87.9; x += 0.0007) {
        double want = exp((double)(float)x);
        worst = fmax(worst, fabs((double)exp_float((float)x) - want) / want);
    }
    CHECK_NEAR(worst, 0, 2.5e-7);
    CHECK(exp_float(-INFINITY) == 0.0f && exp_float(0.0f) == 1.0f && exp_float(-100.0f) == 0.0f);
    CHECK(isnan(exp_float(NAN)));
    CHECK_NEAR(silu_float(-200.0f), 0, 1e-30);
    CHECK_NEAR(silu_float(2.0f), 2 / (1 + exp(-2)), 1e-6);
}

/* ---- quantised weights -------------------------------------------------------------------- */

static const uint32_t weight_types[] = {
#define X(name, code, weights, bytes) code,
    GGUF_TENSOR_TYPE_MAP(X)
#undef X
};
#define N_TYPES (sizeof weight_types / sizeof *weight_types)

/* Where the halves (scales) of a block stand; their bytes must not be any. */
static void set_halves(uint32_t type, unsigned char *block) {
    size_t places[2] = {0, 0};
    int n = 1;
    if (type == GGUF_TYPE_Q4_1 || type == GGUF_TYPE_Q5_1 || type == GGUF_TYPE_Q4_K ||
        type == GGUF_TYPE_Q5_K) {
        places[1] = 2;
        n = 2;
    }
    if (type == GGUF_TYPE_Q6_K) places[0] = 208;
    for (int i = 0; i < n; i++) {
        uint16_t h = float_to_half(0.05f * uniform());
        memcpy(block + places[i], &h, sizeof h);
    }
}

static struct tensor new_weights(uint32_t type, uint32_t rows, uint32_t cols) {
    uint32_t per_block, block_bytes;
    gguf_type_block(type, &per_block, &block_bytes);
    size_t row_bytes = (size_t)cols / per_block * block_bytes;
    unsigned char *data = malloc(rows * row_bytes); /* exact: sanitizers see a read beyond */
    for (size_t i = 0; i < rows * row_bytes; i++) data[i] = (unsigned char)test_random(&seed_state);
    for (size_t i = 0; i < rows * row_bytes; i += block_bytes) {
        if (type == GGUF_TYPE_F32) {
            float x = uniform();
            memcpy(data + i, &x, 4);
        } else if (type == GGUF_TYPE_BF16) {
            uint16_t h = float_to_bfloat16(uniform());
            memcpy(data + i, &h, 2);
        } else if (type == GGUF_TYPE_F16) {
            uint16_t h = float_to_half(uniform());
            memcpy(data + i, &h, 2);
        } else {
            set_halves(type, data + i);
        }
    }
    return (struct tensor){type, rows, cols, row_bytes, data};
}

static void test_unpack(void) {
    enum { COLS = 512 };
    for (size_t t = 0; t < N_TYPES; t++) {
        uint32_t type = weight_types[t];
        struct weight_format f = weight_format(type);
        if (!f.group) continue;
        struct tensor w = new_weights(type, 1, COLS);
        uint8_t q[COLS];
        float d[COLS / 16], m[COLS / 16] = {0}, want[COLS];
        CHECK(dequantise_row(type, w.data, want, COLS));
        unpack_row(type, w.data, COLS, q, d, m);
        for (uint32_t i = 0; i < COLS; i++) {
            double got = (q[i] - f.offset) * (double)d[i / f.group];
            if (f.has_min) got += (double)m[i / f.group];
            if (!CHECK_NEAR(got, want[i], 1e-5 + 1e-6 * fabs((double)want[i]))) break;
        }
        free(w.data);
    }
}

static int32_t quantised_at(const struct quantised_rows *a, size_t i) {
    return 128 * a->high[i] + a->low[i];
}

/* The product in double, of the dequantised weights and the activations as the kernel sees them. */
static double naive_dot(const struct tensor *w, uint32_t row, const struct tensor *x,
                        uint32_t x_row, const struct quantised_rows *a, float *scratch,
                        double *magnitude) {
    dequantise_row(w->type, (const unsigned char *)w->data + row * w->row_bytes, scratch, w->cols);
    bool quantised = a && weight_format(w->type).group;
    double sum = 0;
    *magnitude = 0;
    for (size_t c = 0; c < w->cols; c++) {
        size_t i = (size_t)x_row * w->cols + c;
        double v = quantised ? quantised_at(a, i) * (double)a->d[i / 32]
                             : (double)at(x, x_row, (uint32_t)c);
        sum += v * (double)scratch[c];
        *magnitude += fabs(v * (double)scratch[c]);
    }
    return sum;
}

/* One product of two weights (a part each) by all tables. */
static void check_matmul(uint32_t type, uint32_t cols, uint32_t w_rows, uint32_t n,
                         uint32_t threads) {
    struct tensor w[2] = {new_weights(type, w_rows, cols), new_weights(type, 16, cols)};
    struct tensor x = new_tensor(n, cols), y[N_TABLES][2];
    float *scratch = malloc(cols * sizeof *scratch);
    for (size_t t = 0; t <= N_TABLES; t++) { /* the last: the reference */
        if (t < N_TABLES && !available(t)) continue;
        const struct kernels *table = t < N_TABLES ? tables[t].table() : kernels_reference();
        struct tensor out[2] = {new_tensor(n, w_rows), new_tensor(n, 16)};
        struct bench b;
        bench_open(&b, table, threads, n, cols, 16);
        table->matmul(&b.k, &x, (struct matmul_part[]){{&out[0], &w[0]}, {&out[1], &w[1]}}, 2);
        const struct quantised_rows *a = t < N_TABLES ? &b.k.activations : NULL;
        for (int part = 0; part < 2; part++) {
            for (uint32_t i = 0; i < n; i++) {
                for (uint32_t r = 0; r < w[part].rows; r++) {
                    double magnitude;
                    double want = naive_dot(&w[part], r, &x, i, a, scratch, &magnitude);
                    if (CHECK_NEAR(at(&out[part], i, r), want, 2e-6 * magnitude + 1e-6)) continue;
                    fprintf(stderr, "%s, %s: %u x %u weights, row %u of %u (seed %d)\n",
                            gguf_type_name(type), table->name, w[part].rows, cols, i, n, SEED);
                    i = n - 1;
                    break;
                }
            }
        }
        bench_close(&b);
        for (int part = 0; part < 2; part++) {
            if (t < N_TABLES) {
                if (t > 0 && !CHECK(same_bits(&out[part], &y[0][part])))
                    fprintf(stderr, "%s: %s is not scalar\n", gguf_type_name(type), table->name);
                y[t][part] = out[part];
            } else {
                free(out[part].data);
            }
        }
    }
    for (size_t t = 0; t < N_TABLES; t++)
        for (int part = 0; part < 2 && available(t); part++) free(y[t][part].data);
    free(w[0].data);
    free(w[1].data);
    free(x.data);
    free(scratch);
}

static void test_matmul(void) {
    static const uint32_t rows[] = {1, 2, 3, 4, 5, 13};
    for (size_t t = 0; t < N_TYPES; t++) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            check_matmul(weight_types[t], 256, 48, rows[i], 1);
            check_matmul(weight_types[t], 512, 21, rows[i], 3);
        }
        if (weight_format(weight_types[t]).group == 0)
            check_matmul(weight_types[t], 37, 7, 5, 2);
        else if (weight_types[t] < GGUF_TYPE_Q4_K)
            check_matmul(weight_types[t], 96, 32, 9, 2);
    }
}

/* Zeros, tiny, huge and not finite numbers in a block. */
static void test_quantise_edges(void) {
    struct tensor x = new_tensor(1, 160), w = new_weights(GGUF_TYPE_Q8_0, 16, 160);
    float *v = x.data;
    for (int i = 0; i < 32; i++) {
        v[i] = 0;
        v[32 + i] = 1e-44f * (float)i;
        v[64 + i] = i == 3 ? 3e30f : -3e30f;
        v[96 + i] = i == 5 ? 7.0f : 0.001f;
        v[128 + i] = (float)(i - 16);
    }
    for (size_t t = 0; t < N_TABLES; t++) {
        if (!available(t)) continue;
        struct tensor y = new_tensor(1, 16);
        struct bench b;
        bench_open(&b, tables[t].table(), 1, 1, 160, 16);
        tables[t].table()->matmul(&b.k, &x, &(struct matmul_part){&y, &w}, 1);
        const struct quantised_rows *a = &b.k.activations;
        for (size_t i = 0; i < 64; i++) CHECK_INT(quantised_at(a, i), 0);
        CHECK_INT(quantised_at(a, 64 + 3), 16256);
        CHECK_INT(quantised_at(a, 64 + 4), -16256);
        CHECK_INT(quantised_at(a, 96 + 5), 16256);
        CHECK_INT(quantised_at(a, 128), -16256);
        CHECK_NEAR(a->d[4], 16.0 / 16256, 1e-9);
        for (uint32_t r = 0; r < 16; r++) CHECK(isfinite(at(&y, 0, r)));
        v[7] = NAN; /* must come out as NaN, not as some number */
        tables[t].table()->matmul(&b.k, &x, &(struct matmul_part){&y, &w}, 1);
        for (uint32_t r = 0; r < 16; r++) CHECK(isnan(at(&y, 0, r)));
        v[7] = 0;
        bench_close(&b);
        free(y.data);
    }
    free(x.data);
    free(w.data);
}

/* ---- attention ---------------------------------------------------------------------------- */

struct attention_case {
    uint32_t n_heads, n_kv_heads, head_dim;
};

/* Sequence 0 holds 70 tokens, sequence 1 holds 33; the rows of the pass are the last 9 tokens of 0, 5
 * of 1, and again 1 of 0. */
static void check_attention(struct attention_case c, enum kv_type type) {
    enum { N0 = 70, N1 = 33, ROWS = 15 };
    uint32_t kv_cols = c.n_kv_heads * c.head_dim, cols = c.n_heads * c.head_dim;
    struct kv_shape shape = {type, 2, c.n_kv_heads, c.head_dim, 160, 2};
    struct kv_cache kv;
    CHECK_INT(kv_cache_init(&kv, &shape, NULL, NULL), FORMA_OK);
    CHECK(kv_cache_extend(&kv, 0, 20) && kv_cache_extend(&kv, 1, N1) &&
          kv_cache_extend(&kv, 0, N0 - 20)); /* blocks of 0 do not lie together */
    struct tensor k = new_tensor(N0 + N1, kv_cols), v = new_tensor(N0 + N1, kv_cols);
    struct tensor q = new_tensor(ROWS, cols), out[N_TABLES], single = new_tensor(1, cols);
    uint32_t sequence[N0 + N1], position[N0 + N1];
    for (uint32_t i = 0; i < N0 + N1; i++) {
        sequence[i] = i >= N0;
        position[i] = i < N0 ? i : i - N0;
    }
    uint32_t row_sequence[ROWS], row_position[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        row_sequence[i] = i >= 9 && i < 14;
        row_position[i] = i < 9 ? N0 - 10 + i : i < 14 ? N1 - 5 + i - 9 : N0 - 1;
    }
    struct kv_rows store = {&kv, 1, N0 + N1, sequence, position};
    struct kv_rows rows = {&kv, 1, ROWS, row_sequence, row_position};
    for (size_t t = 0; t <= N_TABLES; t++) {
        if (t < N_TABLES && !available(t)) continue;
        const struct kernels *table = t < N_TABLES ? tables[t].table() : kernels_reference();
        struct tensor y = new_tensor(ROWS, cols);
        struct bench b;
        bench_open(&b, table, 2, ROWS, 16, 160);
        table->kv_store(&b.k, &k, &v, &store);
        table->attention(&b.k, &y, &q, &rows);
        for (uint32_t i = 0; i < ROWS; i++) {
            for (uint32_t h = 0; h < c.n_heads; h++) {
                uint32_t n = row_position[i] + 1, first = row_sequence[i] ? N0 : 0;
                uint32_t kv_at = h / (c.n_heads / c.n_kv_heads) * c.head_dim;
                double p[N0], sum = 0;
                for (uint32_t j = 0; j < n; j++) {
                    double score = 0;
                    for (uint32_t d = 0; d < c.head_dim; d++) {
                        float x = at(&k, first + j, kv_at + d);
                        if (type == KV_F16) x = half_to_float(float_to_half(x));
                        score += (double)at(&q, i, h * c.head_dim + d) * (double)x;
                    }
                    sum += p[j] = exp(score / sqrt(c.head_dim));
                }
                for (uint32_t d = 0; d < c.head_dim; d++) {
                    double want = 0;
                    for (uint32_t j = 0; j < n; j++) {
                        float x = at(&v, first + j, kv_at + d);
                        if (type == KV_F16) x = half_to_float(float_to_half(x));
                        want += p[j] / sum * (double)x;
                    }
                    CHECK_NEAR(at(&y, i, h * c.head_dim + d), want, 2e-6);
                }
            }
            if (t == N_TABLES) continue; /* a row alone gives the same bits */
            struct kv_rows one = {&kv, 1, 1, row_sequence + i, row_position + i};
            struct tensor q_row = q;
            q_row.rows = 1;
            q_row.data = (float *)q.data + (size_t)i * cols;
            table->attention(&b.k, &single, &q_row, &one);
            CHECK(memcmp(single.data, (float *)y.data + (size_t)i * cols, y.row_bytes) == 0);
        }
        bench_close(&b);
        if (t == N_TABLES) {
            free(y.data);
            continue;
        }
        out[t] = y;
        if (t > 0 && !CHECK(same_bits(&out[t], &out[0])))
            fprintf(stderr, "attention: %s is not scalar\n", table->name);
    }
    for (size_t t = 0; t < N_TABLES; t++)
        if (available(t)) free(out[t].data);
    free(k.data);
    free(v.data);
    free(q.data);
    free(single.data);
    kv_cache_destroy(&kv);
}

static void test_attention(void) {
    static const struct attention_case cases[] = {
        {9, 3, 64}, {4, 4, 16}, {4, 1, 8}, {20, 1, 24}, {2, 1, 80}, {5, 5, 128},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_attention(cases[i], KV_F32);
        check_attention(cases[i], KV_F16);
    }
}

/* ---- the small operations ----------------------------------------------------------------- */

static void check_small(const struct kernels *table, uint32_t n, uint32_t cols) {
    struct bench b;
    bench_open(&b, table, 2, n, cols, 16);
    struct tensor x = new_tensor(n, cols), y = new_tensor(n, cols), w = new_tensor(1, cols);
    struct tensor out = new_tensor(n, cols);
    table->rmsnorm(&b.k, &out, &x, &w, 1e-5f);
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0;
        for (uint32_t c = 0; c < cols; c++) sum += (double)at(&x, i, c) * (double)at(&x, i, c);
        double scale = 1 / sqrt(sum / cols + 1e-5);
        for (uint32_t c = 0; c < cols; c++)
            CHECK_NEAR(at(&out, i, c), (double)at(&x, i, c) * scale * (double)at(&w, 0, c), 1e-6);
    }
    memcpy(out.data, x.data, n * x.row_bytes);
    table->add(&b.k, &out, &y);
    for (uint32_t c = 0; c < cols; c++)
        CHECK(at(&out, n - 1, c) == at(&x, n - 1, c) + at(&y, n - 1, c));
    memcpy(out.data, x.data, n * x.row_bytes);
    table->swiglu(&b.k, &out, &y);
    for (uint32_t c = 0; c < cols; c++) {
        double g = (double)at(&x, n - 1, c), want = g / (1 + exp(-g)) * (double)at(&y, n - 1, c);
        CHECK_NEAR(at(&out, n - 1, c), want, 1e-6);
    }
    /* Heads of a quarter of the row, half of each turns. */
    uint32_t head = cols / 4, dims = head / 2 & ~1u;
    struct tensor turn = new_tensor(n, dims);
    memcpy(out.data, x.data, n * x.row_bytes);
    table->rope(&b.k, &out, head, &turn);
    for (uint32_t c = 0; c < cols; c++) {
        uint32_t i = c % head, even = c - i % 2;
        double want = (double)at(&x, n - 1, c);
        if (i < dims) {
            double co = (double)at(&turn, n - 1, i - i % 2),
                   si = (double)at(&turn, n - 1, i - i % 2 + 1);
            double e = (double)at(&x, n - 1, even), o = (double)at(&x, n - 1, even + 1);
            want = i % 2 ? e * si + o * co : e * co - o * si;
        }
        CHECK_NEAR(at(&out, n - 1, c), want, 1e-6);
    }
    uint32_t indices[16];
    for (uint32_t i = 0; i < n && i < 16; i++) indices[i] = (i * 7 + 1) % n;
    if (n <= 16) {
        table->gather(&b.k, &out, &x, indices);
        CHECK(at(&out, n - 1, 3) == at(&x, indices[n - 1], 3));
        table->embed(&b.k, &out, &x, indices);
        CHECK(at(&out, n - 1, 3) == at(&x, indices[n - 1], 3));
    }
    bench_close(&b);
    free(x.data);
    free(y.data);
    free(w.data);
    free(out.data);
    free(turn.data);
}

static void test_small(void) {
    for (size_t t = 0; t <= N_TABLES; t++) {
        if (t < N_TABLES && !available(t)) continue;
        const struct kernels *table = t < N_TABLES ? tables[t].table() : kernels_reference();
        check_small(table, 1, 64);
        check_small(table, 13, 72);
    }
}

static void test_find(void) {
    struct forma_error err;
    CHECK(kernels_find(NULL, &err) != NULL);
    CHECK(kernels_find("scalar", &err) == kernels_scalar());
    CHECK(kernels_find("neon", &err) == NULL);
    CHECK_INT(err.status, FORMA_EINVAL);
    CHECK(strstr(err.message, "neon") != NULL);
    for (size_t t = 0; t < N_TABLES; t++) {
        if (kernels_find(tables[t].name, &err)) continue;
        CHECK_INT(err.status, FORMA_EUNSUPPORTED);
        fprintf(stderr, "kernels: %s skipped: %s\n", tables[t].name, err.message);
    }
}

/* ---- threads ------------------------------------------------------------------------------ */

static void count_task(void *ctx, uint32_t task, uint32_t thread) {
    uint32_t *cells = ctx;
    cells[task] += 1 + 0 * thread;
}

static void test_threads(void) {
    enum { TASKS = 300 };
    static const uint32_t counts[] = {1, 2, 3, 17, 64};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct threads *t = threads_new(counts[i], fa_default_allocator(), NULL);
        uint32_t cells[TASKS] = {0}, rounds = counts[i] < 10 ? 400 : 40;
        for (uint32_t round = 0; round < rounds; round++)
            threads_run(t, count_task, cells, TASKS - round % 3);
        for (uint32_t task = 0; task < TASKS - 2; task++) CHECK_INT(cells[task], rounds);
        CHECK_INT(cells[TASKS - 1], (rounds + 2) / 3);
        threads_free(t);
    }
    CHECK(threads_new(0, fa_default_allocator(), NULL) == NULL);
    CHECK(threads_new(THREADS_MAX + 1, fa_default_allocator(), NULL) == NULL);
    CHECK(threads_available() >= 1);
}

int main(void) {
    test_find();
    test_numbers();
    test_unpack();
    test_matmul();
    test_quantise_edges();
    test_attention();
    test_small();
    test_threads();
    return test_done("kernels");
}
