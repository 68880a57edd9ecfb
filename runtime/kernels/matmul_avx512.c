/* SPDX-License-Identifier: MIT
 *
 * Quantised products with AVX-512 VNNI. Lane r of every register is weight row r of the tile: one
 * `vpdpbusd` multiplies four columns of 16 rows with four bytes of activations, broadcast. Blocks
 * are transposed on the way in (16-byte pieces of 16 rows, 4 x 4 numbers of 32 bits within each
 * 128-bit lane).
 *
 * One to three activation rows (decode) are multiplied straight from those registers; more
 * (prefill) from a tile in scratch, eight rows at a time, so that a block is unpacked once for all
 * of them.
 */
#define VARIANT avx512
#include "runtime/kernels/lanes_avx512.h"
#include "runtime/kernels/matmul_core.h"
#include "runtime/kernels/row_dot.h"
#include "runtime/kernels/tile.h"

#define FEW_ROWS 4 /* below it a tile in scratch does not pay */

/* ---- loading ------------------------------------------------------------------------------ */

/* Sixteen rows at the same column: rows 0, 4, 8, 12 and the distance of two rows. */
struct row_pointers {
    const unsigned char *p[4];
    size_t stride;
};

/* 16 bytes at `offset` of rows i, 4 + i, 8 + i, 12 + i. */
INLINE __m512i load_rows(const struct row_pointers *rows, size_t i, size_t offset) {
    size_t at = i * rows->stride + offset;
    __m512i z = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(rows->p[0] + at)));
    z = _mm512_inserti32x4(z, _mm_loadu_si128((const __m128i *)(rows->p[1] + at)), 1);
    z = _mm512_inserti32x4(z, _mm_loadu_si128((const __m128i *)(rows->p[2] + at)), 2);
    return _mm512_inserti32x4(z, _mm_loadu_si128((const __m128i *)(rows->p[3] + at)), 3);
}

/* out[j]: 32-bit number j of the 16 bytes at `offset`, lane r = row r. */
INLINE void load_transposed(const struct row_pointers *rows, size_t offset, __m512i *out) {
    __m512i z0 = load_rows(rows, 0, offset), z1 = load_rows(rows, 1, offset);
    __m512i z2 = load_rows(rows, 2, offset), z3 = load_rows(rows, 3, offset);
    __m512i low01 = _mm512_unpacklo_epi32(z0, z1), high01 = _mm512_unpackhi_epi32(z0, z1);
    __m512i low23 = _mm512_unpacklo_epi32(z2, z3), high23 = _mm512_unpackhi_epi32(z2, z3);
    out[0] = _mm512_unpacklo_epi64(low01, low23);
    out[1] = _mm512_unpackhi_epi64(low01, low23);
    out[2] = _mm512_unpacklo_epi64(high01, high23);
    out[3] = _mm512_unpackhi_epi64(high01, high23);
}

/* The first 32 bits of each row's block. Reads 16 bytes: every block has more. */
INLINE __m512i load_first(const struct row_pointers *rows) {
    __m512i low01 = _mm512_unpacklo_epi32(load_rows(rows, 0, 0), load_rows(rows, 1, 0));
    __m512i low23 = _mm512_unpacklo_epi32(load_rows(rows, 2, 0), load_rows(rows, 3, 0));
    return _mm512_unpacklo_epi64(low01, low23);
}

INLINE __m512 low_half(__m512i x) {
    return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(x));
}

INLINE __m512 high_half(__m512i x) {
    return low_half(_mm512_srli_epi32(x, 16));
}

struct block {
    __m512i w[8]; /* w[j]: columns 4 j .. 4 j + 3 */
    __m512 d, m;
};

INLINE void load_nibbles(const struct row_pointers *rows, size_t offset, struct block *b) {
    const __m512i mask = _mm512_set1_epi8(0xf);
    __m512i packed[4];
    load_transposed(rows, offset, packed);
    for (int j = 0; j < 4; j++) {
        b->w[j] = _mm512_and_si512(packed[j], mask);
        b->w[4 + j] = _mm512_and_si512(_mm512_srli_epi32(packed[j], 4), mask);
    }
}

/* Bits 4 j .. 4 j + 3 of each row's 32 become bit 4 of the four bytes of w[j]. The product puts a
 * copy of the four bits at bits 0, 7, 14 and 21, so that bit i of them lands at 8 i. */
INLINE void add_fifth_bits(__m512i bits, struct block *b) {
    const __m512i spread = _mm512_set1_epi32(0x00204081), ones = _mm512_set1_epi32(0x01010101);
    for (int j = 0; j < 8; j++) {
        __m512i four =
            _mm512_and_si512(_mm512_srli_epi32(bits, 4 * (unsigned)j), _mm512_set1_epi32(0xf));
        __m512i bytes = _mm512_and_si512(_mm512_mullo_epi32(four, spread), ones);
        b->w[j] = _mm512_or_si512(b->w[j], _mm512_slli_epi32(bytes, 4));
    }
}

INLINE void load_block(uint32_t type, const struct row_pointers *rows, struct block *b) {
    __m512i first = load_first(rows), pieces[4];
    b->d = low_half(first);
    b->m = _mm512_setzero_ps();
    switch (type) {
    case GGUF_TYPE_Q4_0: load_nibbles(rows, 2, b); break;
    case GGUF_TYPE_Q4_1:
        b->m = high_half(first);
        load_nibbles(rows, 4, b);
        break;
    case GGUF_TYPE_Q5_0: /* d, fifth bits: bytes 2..5 */
        load_nibbles(rows, 6, b);
        load_transposed(rows, 2, pieces);
        add_fifth_bits(pieces[0], b);
        break;
    case GGUF_TYPE_Q5_1:
        b->m = high_half(first);
        load_nibbles(rows, 8, b);
        load_transposed(rows, 4, pieces);
        add_fifth_bits(pieces[0], b);
        break;
    default: /* Q8_0 */
        load_transposed(rows, 2, b->w);
        load_transposed(rows, 18, b->w + 4);
        for (int j = 0; j < 8; j++)
            b->w[j] = _mm512_xor_si512(b->w[j], _mm512_set1_epi8((char)0x80));
        break;
    }
}

/* ---- few activation rows ------------------------------------------------------------------ */

INLINE __m512i dot4(__m512i sum, __m512i w, const int8_t *x) {
    return _mm512_dpbusd_epi32(sum, w, _mm512_set1_epi32((int)load_u32(x)));
}

INLINE __m512 join(__m512i high, __m512i low) {
    return _mm512_cvtepi32_ps(_mm512_add_epi32(_mm512_slli_epi32(high, 7), low));
}

INLINE void store_rows(const struct tile_job *job, uint32_t x_row, __m512 acc) {
    float *y = (float *)tensor_row(job->y, x_row) + job->first;
    _mm512_mask_storeu_ps(y, (__mmask16)((1u << job->n_rows) - 1), acc);
}

INLINE void decode(const struct quantised_rows *a, const struct tile_job *job, uint32_t type,
                   uint32_t block_bytes, const uint32_t n) {
    const struct weight_format f = weight_format(type);
    struct row_pointers rows = {.stride = job->w->row_bytes};
    __m512 acc[FEW_ROWS];
    size_t n_blocks = a->cols / 32;
    for (uint32_t i = 0; i < 4; i++) rows.p[i] = tensor_row(job->w, job->first + 4 * i);
    for (uint32_t i = 0; i < n; i++) acc[i] = _mm512_setzero_ps();
    for (size_t g = 0; g < n_blocks; g++) {
        struct block b;
        load_block(type, &rows, &b);
        for (int i = 0; i < 4; i++) rows.p[i] += block_bytes;
        for (uint32_t i = 0; i < n; i++) {
            size_t at = i * n_blocks + g;
            const int8_t *x_high = a->high + at * 32, *x_low = a->low + at * 32;
            __m512i high = _mm512_setzero_si512(), low = high;
            if (f.offset)
                low = _mm512_set1_epi32(-f.offset * (a->sums[2 * at] + a->sums[2 * at + 1]));
            for (int j = 0; j < 8; j++) {
                high = dot4(high, b.w[j], x_high + 4 * j);
                low = dot4(low, b.w[j], x_low + 4 * j);
            }
            __m512 dot = join(high, low);
            acc[i] = _mm512_fmadd_ps(dot, _mm512_mul_ps(b.d, _mm512_set1_ps(a->d[at])), acc[i]);
            if (f.has_min) acc[i] = _mm512_fmadd_ps(b.m, _mm512_set1_ps(a->ds[at]), acc[i]);
        }
    }
    for (uint32_t i = 0; i < n; i++) store_rows(job, i, acc[i]);
}

INLINE void decode_rows(const struct quantised_rows *a, const struct tile_job *job, uint32_t type,
                        uint32_t block_bytes) {
    switch (job->x->rows) {
    case 1: decode(a, job, type, block_bytes, 1); break;
    case 2: decode(a, job, type, block_bytes, 2); break;
    default: decode(a, job, type, block_bytes, 3); break;
    }
}

/* ---- many activation rows ----------------------------------------------------------------- */

INLINE void fill_blocks(struct weight_tile *t, const struct tile_job *job, uint32_t type,
                        uint32_t block_bytes) {
    struct row_pointers rows = {.stride = job->w->row_bytes};
    for (uint32_t i = 0; i < 4; i++) rows.p[i] = tensor_row(job->w, job->first + 4 * i);
    for (size_t g = 0; g < t->cols / 32; g++) {
        struct block b;
        load_block(type, &rows, &b);
        for (int i = 0; i < 4; i++) rows.p[i] += block_bytes;
        for (size_t j = 0; j < 8; j++) _mm512_store_si512(t->q + (g * 8 + j) * 64, b.w[j]);
        _mm512_store_ps(t->d + g * TILE_ROWS, b.d);
        if (t->format.has_min) _mm512_store_ps(t->m + g * TILE_ROWS, b.m);
    }
}

/* n activation rows from row `first` on. */
INLINE void tile_dots(const struct quantised_rows *a, const struct weight_tile *t,
                      const struct tile_job *job, uint32_t first, const uint32_t n,
                      const uint32_t group, const bool has_min) {
    __m512 acc[8];
    const int8_t *x_high = a->high + (size_t)first * t->cols;
    const int8_t *x_low = a->low + (size_t)first * t->cols;
    const uint8_t *q = t->q;
    for (uint32_t i = 0; i < n; i++) acc[i] = _mm512_setzero_ps();
    for (size_t g = 0; g < t->cols / group; g++, x_high += group, x_low += group) {
        __m512i high[8], low[8];
        __m512 d = _mm512_load_ps(t->d + g * TILE_ROWS);
        for (uint32_t i = 0; i < n; i++) {
            const int32_t *sums = a->sums + ((size_t)(first + i) * t->cols + g * group) / 16;
            int32_t sum = group == 32 ? sums[0] + sums[1] : sums[0];
            high[i] = _mm512_setzero_si512();
            low[i] = has_min ? high[i] : _mm512_set1_epi32(-t->format.offset * sum);
        }
        for (uint32_t j = 0; j < group / 4; j++, q += 64) {
            __m512i w = _mm512_load_si512(q);
            for (uint32_t i = 0; i < n; i++) {
                size_t at = (size_t)i * t->cols + 4 * j;
                high[i] = dot4(high[i], w, x_high + at);
                low[i] = dot4(low[i], w, x_low + at);
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            size_t at = ((size_t)(first + i) * t->cols + g * group) / 32;
            __m512 scale = _mm512_mul_ps(d, _mm512_set1_ps(a->d[at]));
            acc[i] = _mm512_fmadd_ps(join(high[i], low[i]), scale, acc[i]);
            if (has_min)
                acc[i] = _mm512_fmadd_ps(_mm512_load_ps(t->m + g * TILE_ROWS),
                                         _mm512_set1_ps(a->ds[at]), acc[i]);
        }
    }
    for (uint32_t i = 0; i < n; i++) store_rows(job, first + i, acc[i]);
}

INLINE void tile_times_rows(const struct quantised_rows *a, const struct weight_tile *t,
                            const struct tile_job *job, const uint32_t group, const bool has_min) {
    uint32_t i = 0;
    for (; i + 8 <= job->x->rows; i += 8) tile_dots(a, t, job, i, 8, group, has_min);
    for (; i + 4 <= job->x->rows; i += 4) tile_dots(a, t, job, i, 4, group, has_min);
    for (; i < job->x->rows; i++) tile_dots(a, t, job, i, 1, group, has_min);
}

static void tile_product(const struct quantised_rows *a, const struct weight_tile *t,
                         const struct tile_job *job) {
    if (t->format.group == 16)
        tile_times_rows(a, t, job, 16, false);
    else if (t->format.has_min)
        tile_times_rows(a, t, job, 32, true);
    else
        tile_times_rows(a, t, job, 32, false);
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
    default: tile_fill(&t, job->w, job->first, job->n_rows); break;
    }
    tile_product(a, &t, job);
}
