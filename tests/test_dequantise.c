/* SPDX-License-Identifier: MIT
 *
 * Dequantisation against floats that the published `gguf` package made of the same blocks
 * (fixtures/dequantise.bin, written by scripts/make_dequantise_fixture.py): equal bit by bit,
 * but for NaNs, whose payload depends on the machine; and the half and bfloat16 conversions
 * against the definition of the formats, all 65,536 of them.
 */
#include "runtime/dequantise.h"

#include "base/gguf.h"
#include "tests/test.h"

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool same(float a, float b) {
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

static bool read_u32(FILE *f, uint32_t *out) {
    unsigned char b[4];
    if (fread(b, 1, 4, f) != 4) return false;
    *out = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return true;
}

/* One record; `shift` moves the source off its alignment. */
static bool test_record(FILE *f, size_t shift) {
    uint32_t type, n, bytes, bits;
    if (!CHECK(read_u32(f, &type) && read_u32(f, &n) && read_u32(f, &bytes))) return false;
    unsigned char *src = malloc(bytes + shift);
    float *got = malloc(n * sizeof *got);
    bool ok = CHECK(src && got && fread(src + shift, 1, bytes, f) == bytes) &&
              CHECK(dequantise_row(type, src + shift, got, n));
    uint32_t block, block_bytes;
    if (CHECK(gguf_type_block(type, &block, &block_bytes))) {
        CHECK_INT((uint64_t)n / block * block_bytes, bytes);
        if (ok && block > 1) CHECK(!dequantise_row(type, src + shift, got, n - 1));
    }
    uint32_t differ = 0;
    for (uint32_t i = 0; ok && i < n; i++) {
        if (!CHECK(read_u32(f, &bits))) break;
        if (!same(got[i], float_of(bits)) && differ++ == 0)
            fprintf(stderr, "%s: weight %u: got %.9g, want %.9g\n", gguf_type_name(type), i,
                    (double)got[i], (double)float_of(bits));
    }
    CHECK_INT(differ, 0);
    free(src);
    free(got);
    return ok;
}

static void test_fixture(size_t shift) {
    FILE *f = fopen("fixtures/dequantise.bin", "rb");
    char magic[4];
    uint32_t version = 0, n_records = 0, n_types = 0;
#define X(name, code, weights, bytes) n_types++;
    GGUF_TENSOR_TYPE_MAP(X)
#undef X
    if (!CHECK(f != NULL)) return;
    CHECK(fread(magic, 1, 4, f) == 4 && memcmp(magic, "FDEQ", 4) == 0);
    CHECK(read_u32(f, &version) && read_u32(f, &n_records));
    CHECK_INT(version, 1);
    CHECK_INT(n_records, n_types);
    for (uint32_t i = 0; i < n_records; i++)
        if (!test_record(f, shift)) break;
    CHECK(fgetc(f) == EOF);
    fclose(f);
}

/* The value of a half by its definition. */
static float half_value(uint32_t half) {
    int exponent = (int)(half >> 10 & 0x1f), fraction = (int)(half & 0x3ff);
    double x = exponent == 0x1f ? (fraction ? NAN : INFINITY)
               : exponent       ? ldexp(1024 + fraction, exponent - 25)
                                : ldexp(fraction, -24);
    return (float)(half & 0x8000 ? -x : x);
}

static void test_halves(void) {
    int wrong = 0, wrong_back = 0, wrong_between = 0;
    for (uint32_t h = 0; h < 0x10000; h++) {
        float x = half_to_float((uint16_t)h);
        wrong += !same(x, half_value(h));
        if (isnan(x))
            wrong_back += !isnan(half_to_float(float_to_half(x)));
        else
            wrong_back += float_to_half(x) != h;
        /* Between neighbours: below the middle down, above it up, at it to the even one. */
        if ((h & 0x7fff) >= 0x7bff) continue;
        float middle = x / 2 + half_value(h + 1) / 2;
        wrong_between += float_to_half(middle) != (h & 1 ? h + 1 : h);
        wrong_between += float_to_half(nextafterf(middle, x)) != h;
        wrong_between += float_to_half(nextafterf(middle, half_value(h + 1))) != h + 1;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(wrong_back, 0);
    CHECK_INT(wrong_between, 0);
    CHECK_INT(float_to_half(65519.996f), 0x7bff);
    CHECK_INT(float_to_half(65520.0f), 0x7c00);
    CHECK_INT(float_to_half(-1e30f), 0xfc00);
    CHECK_INT(float_to_half(1e-30f), 0);
}

static void test_bfloat16(void) {
    int wrong = 0;
    for (uint32_t b = 0; b < 0x10000; b++) {
        float x = bfloat16_to_float((uint16_t)b);
        wrong += bits_of(x) != b << 16;
        if (isnan(x)) {
            wrong += !isnan(bfloat16_to_float(float_to_bfloat16(x)));
            continue;
        }
        wrong += float_to_bfloat16(x) != b;
        if ((b & 0x7fff) == 0x7f80) continue;
        wrong += float_to_bfloat16(float_of(b << 16 | 0x7fff)) != b;
        wrong += float_to_bfloat16(float_of(b << 16 | 0x8000)) != (b & 1 ? b + 1 : b);
        wrong += float_to_bfloat16(float_of(b << 16 | 0x8001)) != b + 1;
    }
    CHECK_INT(wrong, 0);
}

int main(void) {
    float x[256];
    unsigned char zeros[512] = {0};
    test_fixture(0);
    test_fixture(1);
    test_halves();
    test_bfloat16();
    CHECK(!dequantise_row(10, zeros, x, 256)); /* Q2_K: published, not read */
    CHECK(!dequantise_row(4, zeros, x, 32));   /* removed */
    CHECK(!dequantise_row(UINT32_MAX, zeros, x, 32));
    CHECK(dequantise_row(GGUF_TYPE_Q4_0, zeros, x, 0));
    return test_done("dequantise");
}
