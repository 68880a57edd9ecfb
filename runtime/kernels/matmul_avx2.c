/* SPDX-License-Identifier: MIT
 *
 * Quantised products with AVX2: as matmul_avx512.c in halves of eight weight rows. Without VNNI,
 * bytes are multiplied in pairs into 16 bits (`vpmaddubsw`), which saturate beyond 32767: weights
 * up to 63 stay far below; those of Q8_0 are taken as magnitudes of at most 128, their signs moved
 * to the activations: 2 * 128 * 127 = 32512 fits.
 */
#define VARIANT avx2
#include "runtime/kernels/lanes_avx2.h"
#include "runtime/kernels/matmul_core.h"
#include "runtime/kernels/row_dot.h"
#include "runtime/kernels/tile.h"

#define FEW_ROWS 4 /* below it a tile in scratch does not pay */

/* ---- loading: see matmul_avx512.c --------------------------------------------------------- */

/* Eight rows at the same column: rows 0 and 4 and the distance of two rows. */
struct row_pointers {
    const unsigned char *p[2];
    size_t stride;
};

/* 16 bytes at `offset` of rows i and 4 + i. */
INLINE __m256i load_rows(const struct row_pointers *rows, size_t i, size_t offset) {
    size_t at = i * rows->stride + offset;
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)(rows->p[0] + at));
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(rows->p[1] + at));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* out[j]: 32-bit number j of the 16 bytes at `offset`, lane r = row r. */
INLINE void load_transposed(const struct row_pointers *rows, size_t offset, __m256i *out) {
    __m256i z0 = load_rows(rows, 0, offset), z1 = load_rows(rows, 1, offset);
    __m256i z2 = load_rows(rows, 2, offset), z3 = load_rows(rows, 3, offset);
    __m256i low01 = _mm256_unpacklo_epi32(z0, z1), high01 = _mm256_unpackhi_epi32(z0, z1);
    __m256i low23 = _mm256_unpacklo_epi32(z2, z3), high23 = _mm256_unpackhi_epi32(z2, z3);
    out[0] = _mm256_unpacklo_epi64(low01, low23);
    out[1] = _mm256_unpackhi_epi64(low01, low23);
    out[2] = _mm256_unpacklo_epi64(high01, high23);
    out[3] = _mm256_unpackhi_epi64(high01, high23);
}

INLINE __m256 low_half(__m256i x) {
    __m256i words = _mm256_and_si256(x, _mm256_set1_epi32(0xffff));
    words = _mm256_permute4x64_epi64(_mm256_packus_epi32(words, words), 0x8);
    return _mm256_cvtph_ps(_mm256_castsi256_si128(words));
}

INLINE __m256 high_half(__m256i x) {
    return low_half(_mm256_srli_epi32(x, 16));
}

struct block {
    __m256i w[8]; /* w[j]: columns 4 j .. 4 j + 3 */
    __m256 d, m;
};

INLINE void load_nibbles(const struct row_pointers *rows, size_t offset, struct block *b) {
    const __m256i mask = _mm256_set1_epi8(0xf);
    __m256i packed[4];
    load_transposed(rows, offset, packed);
    for (int j = 0; j < 4; j++) {
        b->w[j] = _mm256_and_si256(packed[j], mask);
        b->w[4 + j] = _mm256_and_si256(_mm256_srli_epi32(packed[j], 4), mask);
    }
}

INLINE void add_fifth_bits(__m256i bits, struct block *b) {
    const __m256i spread = _mm256_set1_epi32(0x00204081), ones = _mm256_set1_epi32(0x01010101);
    for (int j = 0; j < 8; j++) {
        __m256i four = _mm256_and_si256(_mm256_srli_epi32(bits, 4 * j), _mm256_set1_epi32(0xf));
        __m256i bytes = _mm256_and_si256(_mm256_mullo_epi32(four, spread), ones);
        b->w[j] = _mm256_or_si256(b->w[j], _mm256_slli_epi32(bytes, 4));
    }
}

INLINE void load_block(uint32_t type, const struct row_pointers *rows, struct block *b) {
    __m256i pieces[4];
    load_transposed(rows, 0, pieces);
    b->d = low_half(pieces[0]);
    b->m = _mm256_setzero_ps();
    switch (type) {
    case GGUF_TYPE_Q4_0: load_nibbles(rows, 2, b); break;
    case GGUF_TYPE_Q4_1:
        b->m = high_half(pieces[0]);
        load_nibbles(rows, 4, b);
        break;
    case GGUF_TYPE_Q5_0:
        load_nibbles(rows, 6, b);
        load_transposed(rows, 2, pieces);
        add_fifth_bits(pieces[0], b);
        break;
    case GGUF_TYPE_Q5_1:
        b->m = high_half(pieces[0]);
        load_nibbles(rows, 8, b);
        load_transposed(rows, 4, pieces);
        add_fifth_bits(pieces[0], b);
        break;
    default: /* Q8_0: kept signed */
        load_transposed(rows, 2, b->w);
        load_transposed(rows, 18, b->w + 4);
        break;
    }
}

INLINE struct row_pointers half_rows(const struct tile_job *job, uint32_t half) {
    struct row_pointers rows = {.stride = job->w->row_bytes};
    for (uint32_t i = 0; i < 2; i++) rows.p[i] = tensor_row(job->w, job->first + half * 8 + i * 4);
    return rows;
}

/* ---- few activation rows ------------------------------------------------------------------ */

INLINE __m256i dot4(__m256i sum, __m256i w, const int8_t *x, const bool is_signed) {
    __m256i a = _mm256_set1_epi32((int)load_u32(x));
    if (is_signed) {
        a = _mm256_sign_epi8(a, w);
        w = _mm256_abs_epi8(w);
    }
    __m256i pairs = _mm256_maddubs_epi16(w, a);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

INLINE void store_half(const struct tile_job *job, uint32_t x_row, uint32_t half, __m256 acc) {
    float lanes[8], *y = (float *)tensor_row(job->y, x_row) + job->first;
    _mm256_storeu_ps(lanes, acc);
    for (uint32_t r = 0; r < 8 && half * 8 + r < job->n_rows; r++) y[half * 8 + r] = lanes[r];
}

/* Eight weight rows times one activation row, straight from the packed blocks. */
INLINE void decode(const struct quantised_rows *a, const struct tile_job *job, uint32_t type,
                   uint32_t block_bytes, uint32_t half, uint32_t x_row) {
    const struct weight_format f = weight_format(type);
    const bool is_signed = type == GGUF_TYPE_Q8_0;
    struct row_pointers rows = half_rows(job, half);
    __m256 acc = _mm256_setzero_ps();
    size_t n_blocks = a->cols / 32;
    for (size_t g = 0; g < n_blocks; g++) {
        struct block b;
        load_block(type, &rows, &b);
        for (int i = 0; i < 2; i++) rows.p[i] += block_bytes;
        size_t at = x_row * n_blocks + g;
        const int8_t *x_high = a->high + at * 32, *x_low = a->low + at * 32;
        __m256i high = _mm256_setzero_si256(), low = high;
        if (f.offset && !is_signed)
            low = _mm256_set1_epi32(-f.offset * (a->sums[2 * at] + a->sums[2 * at + 1]));
        for (int j = 0; j < 8; j++) {
            high = dot4(high, b.w[j], x_high + 4 * j, is_signed);
            low = dot4(low, b.w[j], x_low + 4 * j, is_signed);
        }
        __m256i dot = _mm256_add_epi32(_mm256_slli_epi32(high, 7), low);
        __m256 scale = _mm256_mul_ps(b.d, _mm256_set1_ps(a->d[at]));
        acc = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dot), scale, acc);
        if (f.has_min) acc = _mm256_fmadd_ps(b.m, _mm256_set1_ps(a->ds[at]), acc);
    }
    store_half(job, x_row, half, acc);
}

INLINE void decode_rows(const struct quantised_rows *a, const struct tile_job *job, uint32_t type,
                        uint32_t block_bytes) {
    for (uint32_t i = 0; i < job->x->rows; i++)
        for (uint32_t half = 0; half < 2; half++) decode(a, job, type, block_bytes, half, i);
}

/* ---- many activation rows ----------------------------------------------------------------- */

INLINE void fill_blocks(struct weight_tile *t, const struct tile_job *job, uint32_t type,
                        uint32_t block_bytes) {
    for (uint32_t half = 0; half < 2; half++) {
        struct row_pointers rows = half_rows(job, half);
        for (size_t g = 0; g < t->cols / 32; g++) {
            struct block b;
            load_block(type, &rows, &b);
            for (int i = 0; i < 2; i++) rows.p[i] += block_bytes;
            for (size_t j = 0; j < 8; j++)
                _mm256_store_si256((__m256i *)(void *)(t->q + (g * 8 + j) * 64 + half * 32),
                                   b.w[j]);
            _mm256_store_ps(t->d + g * TILE_ROWS + half * 8, b.d);
            if (t->format.has_min) _mm256_store_ps(t->m + g * TILE_ROWS + half * 8, b.m);
        }
    }
}

/* Eight of the tile's rows times n activation rows from `first` on. */
INLINE void half_dots(const struct quantised_rows *a, const struct weight_tile *t,
                      const struct tile_job *job, uint32_t half, uint32_t first, const uint32_t n,
                      const uint32_t group) {
    const bool is_signed = t->format.offset == 128;
    __m256 acc[4];
    const int8_t *x_high = a->high + (size_t)first * t->cols;
    const int8_t *x_low = a->low + (size_t)first * t->cols;
    const uint8_t *q = t->q + (size_t)half * 32;
    for (uint32_t i = 0; i < n; i++) acc[i] = _mm256_setzero_ps();
    for (size_t g = 0; g < t->cols / group; g++, x_high += group, x_low += group) {
        __m256i high[4], low[4];
        __m256 d = _mm256_loadu_ps(t->d + g * TILE_ROWS + half * 8);
        for (uint32_t i = 0; i < n; i++) {
            const int32_t *sums = a->sums + ((size_t)(first + i) * t->cols + g * group) / 16;
            int32_t sum = group == 32 ? sums[0] + sums[1] : sums[0];
            high[i] = _mm256_setzero_si256();
            low[i] = _mm256_set1_epi32(is_signed ? 0 : -t->format.offset * sum);
        }
        for (uint32_t j = 0; j < group / 4; j++, q += 64) {
            __m256i w = _mm256_loadu_si256((const __m256i *)(const void *)q);
            for (uint32_t i = 0; i < n; i++) {
                size_t at = (size_t)i * t->cols + 4 * j;
                high[i] = dot4(high[i], w, x_high + at, is_signed);
                low[i] = dot4(low[i], w, x_low + at, is_signed);
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            size_t at = ((size_t)(first + i) * t->cols + g * group) / 32;
            __m256 scale = _mm256_mul_ps(d, _mm256_set1_ps(a->d[at]));
            __m256i dot = _mm256_add_epi32(_mm256_slli_epi32(high[i], 7), low[i]);
            acc[i] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dot), scale, acc[i]);
            if (t->format.has_min)
                acc[i] = _mm256_fmadd_ps(_mm256_loadu_ps(t->m + g * TILE_ROWS + half * 8),
                                         _mm256_set1_ps(a->ds[at]), acc[i]);
        }
    }
    for (uint32_t i = 0; i < n; i++) store_half(job, first + i, half, acc[i]);
}

INLINE void half_times_rows(const struct quantised_rows *a, const struct weight_tile *t,
                            const struct tile_job *job, uint32_t half, const uint32_t group) {
    uint32_t i = 0;
    for (; i + 4 <= job->x->rows; i += 4) half_dots(a, t, job, half, i, 4, group);
    for (; i < job->x->rows; i++) half_dots(a, t, job, half, i, 1, group);
}

/* The general way to fill a tile leaves Q8_0 as unsigned bytes. */
static void make_signed(struct weight_tile *t) {
    for (size_t i = 0; i < (size_t)t->cols * TILE_ROWS; i++) t->q[i] ^= 0x80;
}

#define BLOCK_TYPE(name, bytes)                                                                    \
    case GGUF_TYPE_##name:                                                                         \
        if (job->x->rows < FEW_ROWS) {                                                             \
            decode_rows(a, job, GGUF_TYPE_##name, bytes);                                          \
            return;                                                                                \
        }                                                                                          \
        fill_blocks(&t, job, GGUF_TYPE_##name, bytes);                                             \
        break;

static void quantised_tile(const struct kctx *k, const struct tile_job *job,
                           unsigned char *scratch) {
    const struct quantised_rows *a = &k->activations;
    if (job->x->rows < FEW_ROWS && job->w->type >= GGUF_TYPE_Q4_K) {
        rows_times_rows(a, job, scratch);
        return;
    }
    struct weight_tile t = tile_in(scratch, job->w->type, a->cols);
    switch (job->n_rows == TILE_ROWS ? job->w->type : UINT32_MAX) {
        BLOCK_TYPE(Q4_0, 18)
        BLOCK_TYPE(Q4_1, 20)
        BLOCK_TYPE(Q5_0, 22)
        BLOCK_TYPE(Q5_1, 24)
        BLOCK_TYPE(Q8_0, 34)
    default:
        tile_fill(&t, job->w, job->first, job->n_rows);
        if (job->w->type == GGUF_TYPE_Q8_0) make_signed(&t);
        break;
    }
    for (uint32_t half = 0; half * 8 < job->n_rows; half++) {
        if (t.format.group == 16)
            half_times_rows(a, &t, job, half, 16);
        else
            half_times_rows(a, &t, job, half, 32);
    }
}
