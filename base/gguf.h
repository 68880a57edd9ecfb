/* SPDX-License-Identifier: MIT
 *
 * The directory of a GGUF file (ggml-org/ggml docs/gguf.md, versions 2 and 3, little-endian):
 * memory-mapped, every length, offset, type, alignment and count checked before use; strings and
 * tensors are views into the mapping. Read-only after open: shared by threads. Failure is one
 * sentence that names the offset, key or tensor (err->pointer holds key or tensor name).
 */
#ifndef FORMA_BASE_GGUF_H
#define FORMA_BASE_GGUF_H

#include "base/alloc.h"

enum gguf_value_type {
    GGUF_U8,
    GGUF_I8,
    GGUF_U16,
    GGUF_I16,
    GGUF_U32,
    GGUF_I32,
    GGUF_F32,
    GGUF_BOOL,
    GGUF_STRING,
    GGUF_ARRAY,
    GGUF_U64,
    GGUF_I64,
    GGUF_F64
};

/* Tensor types that forma reads: X(name, code, weights a block, bytes a block). */
#define GGUF_TENSOR_TYPE_MAP(X)                                                                    \
    X(F32, 0, 1, 4)                                                                                \
    X(F16, 1, 1, 2)                                                                                \
    X(Q4_0, 2, 32, 18)                                                                             \
    X(Q4_1, 3, 32, 20)                                                                             \
    X(Q5_0, 6, 32, 22)                                                                             \
    X(Q5_1, 7, 32, 24)                                                                             \
    X(Q8_0, 8, 32, 34)                                                                             \
    X(Q4_K, 12, 256, 144)                                                                          \
    X(Q5_K, 13, 256, 176)                                                                          \
    X(Q6_K, 14, 256, 210)                                                                          \
    X(BF16, 30, 1, 2)

enum gguf_tensor_type {
#define X(name, code, weights, bytes) GGUF_TYPE_##name = code,
    GGUF_TENSOR_TYPE_MAP(X)
#undef X
};

struct gguf_string {
    const char *data; /* not terminated; may hold any bytes */
    size_t length;
};

struct gguf_value {
    struct gguf_string key;
    enum gguf_value_type type;
    enum gguf_value_type element_type; /* of arrays */
    uint64_t count;                    /* of arrays; else 1 */
    const unsigned char *data;         /* in the file: the scalar, or the first element */
    uint64_t bytes;                    /* of data */
};

struct gguf_tensor {
    struct gguf_string name;
    char c_name[65]; /* terminated; names are at most 64 bytes */
    uint32_t type;   /* the code in the file; may be one that forma does not read */
    uint32_t n_dims;
    uint64_t dims[4]; /* fastest-varying first; unused ones are 1 */
    uint64_t n_elements;
    const unsigned char *data; /* NULL when the type is not known (its size is then not known) */
    uint64_t bytes;
};

struct gguf;

struct gguf *gguf_open(const char *path, const struct forma_allocator *allocator,
                       struct forma_error *err);
/* The same over memory that the caller keeps (tests, fuzzing). */
struct gguf *gguf_open_memory(const void *data, size_t size,
                              const struct forma_allocator *allocator, struct forma_error *err);
void gguf_close(struct gguf *g);

uint32_t gguf_version(const struct gguf *g);
uint64_t gguf_file_size(const struct gguf *g);
uint64_t gguf_n_values(const struct gguf *g);
const struct gguf_value *gguf_value_at(const struct gguf *g, uint64_t i);
uint64_t gguf_n_tensors(const struct gguf *g);
const struct gguf_tensor *gguf_tensor_at(const struct gguf *g, uint64_t i);

/* NULL when absent. O(log n). */
const struct gguf_value *gguf_find(const struct gguf *g, const char *key);
const struct gguf_tensor *gguf_find_tensor(const struct gguf *g, const char *name);

/* Integers of any width and sign, if the value fits; false when absent or of another type. */
bool gguf_get_u64(const struct gguf *g, const char *key, uint64_t *out);
bool gguf_get_f64(const struct gguf *g, const char *key, double *out); /* F32, F64 and integers */
bool gguf_get_bool(const struct gguf *g, const char *key, bool *out);
bool gguf_get_string(const struct gguf *g, const char *key, struct gguf_string *out);

/* Walks the strings of an array: start with *cursor = value->data; false at the end. */
bool gguf_next_string(const struct gguf_value *array, const unsigned char **cursor,
                      struct gguf_string *out);
/* Element i of an array of integers or bools (any width), sign-extended. i < count. */
int64_t gguf_array_i64(const struct gguf_value *array, uint64_t i);
double gguf_array_f64(const struct gguf_value *array, uint64_t i); /* F32/F64 arrays */

/* "Q4_1", "F32"...; for codes that forma does not read the published name, or "unknown
 * type" (print the code as well). */
const char *gguf_type_name(uint32_t type);
/* Block geometry; false for types that forma does not read. */
bool gguf_type_block(uint32_t type, uint32_t *weights, uint32_t *bytes);

#endif
