/* SPDX-License-Identifier: MIT
 *
 * The types of a GGUF file: names and block geometry of tensor types, and typed access to
 * metadata values. Values are read byte by byte: they have no alignment in the file.
 */
#include "base/gguf.h"

#include <string.h>

/* ---- tensor types ------------------------------------------------------------------------- */

/* Published codes that forma does not read. Codes missing here were removed from the format. */
#define UNREAD_TYPE_MAP(X)                                                                         \
    X(Q8_1, 9)                                                                                     \
    X(Q2_K, 10)                                                                                    \
    X(Q3_K, 11)                                                                                    \
    X(Q8_K, 15)                                                                                    \
    X(IQ2_XXS, 16)                                                                                 \
    X(IQ2_XS, 17)                                                                                  \
    X(IQ3_XXS, 18)                                                                                 \
    X(IQ1_S, 19)                                                                                   \
    X(IQ4_NL, 20)                                                                                  \
    X(IQ3_S, 21)                                                                                   \
    X(IQ2_S, 22)                                                                                   \
    X(IQ4_XS, 23)                                                                                  \
    X(I8, 24)                                                                                      \
    X(I16, 25)                                                                                     \
    X(I32, 26)                                                                                     \
    X(I64, 27)                                                                                     \
    X(F64, 28)                                                                                     \
    X(IQ1_M, 29)                                                                                   \
    X(TQ1_0, 34)                                                                                   \
    X(TQ2_0, 35)                                                                                   \
    X(MXFP4, 39)                                                                                   \
    X(NVFP4, 40)                                                                                   \
    X(Q1_0, 41)

const char *gguf_type_name(uint32_t type) {
    switch (type) {
#define X(name, code, weights, bytes)                                                              \
    case code: return #name;
        GGUF_TENSOR_TYPE_MAP(X)
#undef X
#define X(name, code)                                                                              \
    case code: return #name;
        UNREAD_TYPE_MAP(X)
#undef X
    default: return "unknown type";
    }
}

bool gguf_type_block(uint32_t type, uint32_t *weights, uint32_t *bytes) {
    switch (type) {
#define X(name, code, block_weights, block_bytes)                                                  \
    case code:                                                                                     \
        *weights = block_weights;                                                                  \
        *bytes = block_bytes;                                                                      \
        return true;
        GGUF_TENSOR_TYPE_MAP(X)
#undef X
    default: return false;
    }
}

/* ---- metadata ----------------------------------------------------------------------------- */

static uint64_t load(const unsigned char *p, unsigned bytes) {
    uint64_t x = 0;
    for (unsigned i = 0; i < bytes; i++) x |= (uint64_t)p[i] << (8 * i);
    return x;
}

/* Integer or bool of this type: sign-extended in *out, and whether it is negative. */
static bool load_integer(enum gguf_value_type type, const unsigned char *p, uint64_t i,
                         uint64_t *out, bool *negative) {
    int64_t x;
    *negative = false;
    switch (type) {
    case GGUF_U8:
    case GGUF_BOOL: *out = p[i]; return true;
    case GGUF_U16: *out = load(p + 2 * i, 2); return true;
    case GGUF_U32: *out = load(p + 4 * i, 4); return true;
    case GGUF_U64: *out = load(p + 8 * i, 8); return true;
    case GGUF_I8: x = (int8_t)p[i]; break;
    case GGUF_I16: x = (int16_t)load(p + 2 * i, 2); break;
    case GGUF_I32: x = (int32_t)load(p + 4 * i, 4); break;
    case GGUF_I64: x = (int64_t)load(p + 8 * i, 8); break;
    default: return false;
    }
    *negative = x < 0;
    *out = (uint64_t)x;
    return true;
}

static bool load_float(enum gguf_value_type type, const unsigned char *p, uint64_t i, double *out) {
    if (type == GGUF_F32) {
        uint32_t bits = (uint32_t)load(p + 4 * i, 4);
        float x;
        memcpy(&x, &bits, sizeof x);
        *out = (double)x;
        return true;
    }
    if (type != GGUF_F64) return false;
    uint64_t bits = load(p + 8 * i, 8);
    memcpy(out, &bits, sizeof *out);
    return true;
}

bool gguf_get_u64(const struct gguf *g, const char *key, uint64_t *out) {
    const struct gguf_value *v = gguf_find(g, key);
    uint64_t x;
    bool negative;
    if (!v || v->type == GGUF_BOOL || !load_integer(v->type, v->data, 0, &x, &negative) || negative)
        return false;
    *out = x;
    return true;
}

bool gguf_get_f64(const struct gguf *g, const char *key, double *out) {
    const struct gguf_value *v = gguf_find(g, key);
    uint64_t x;
    bool negative;
    if (!v || v->type == GGUF_BOOL) return false;
    if (load_float(v->type, v->data, 0, out)) return true;
    if (!load_integer(v->type, v->data, 0, &x, &negative)) return false;
    *out = negative ? (double)(int64_t)x : (double)x;
    return true;
}

bool gguf_get_bool(const struct gguf *g, const char *key, bool *out) {
    const struct gguf_value *v = gguf_find(g, key);
    if (!v || v->type != GGUF_BOOL) return false;
    *out = v->data[0] != 0;
    return true;
}

bool gguf_get_string(const struct gguf *g, const char *key, struct gguf_string *out) {
    const struct gguf_value *v = gguf_find(g, key);
    if (!v || v->type != GGUF_STRING) return false;
    *out = (struct gguf_string){(const char *)v->data + 8, (size_t)load(v->data, 8)};
    return true;
}

bool gguf_next_string(const struct gguf_value *array, const unsigned char **cursor,
                      struct gguf_string *out) {
    if (array->type != GGUF_ARRAY || array->element_type != GGUF_STRING ||
        *cursor >= array->data + array->bytes)
        return false;
    size_t length = (size_t)load(*cursor, 8);
    *out = (struct gguf_string){(const char *)*cursor + 8, length};
    *cursor += 8 + length;
    return true;
}

int64_t gguf_array_i64(const struct gguf_value *array, uint64_t i) {
    uint64_t x = 0;
    bool negative;
    load_integer(array->element_type, array->data, i, &x, &negative);
    return (int64_t)x;
}

double gguf_array_f64(const struct gguf_value *array, uint64_t i) {
    double x = 0;
    load_float(array->element_type, array->data, i, &x);
    return x;
}
