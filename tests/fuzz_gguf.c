/* SPDX-License-Identifier: MIT
 *
 * Fuzz entry: any bytes as a GGUF file. Whatever opens is walked to its last byte.
 */
#include <stdlib.h>

#include "base/gguf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct forma_error err;
    struct gguf *g = gguf_open_memory(data, size, NULL, &err);
    uint64_t sum = 0;
    if (!g) {
        if (err.status == FORMA_OK || !err.message[0]) abort();
        return 0;
    }
    for (uint64_t i = 0; i < gguf_n_values(g); i++) {
        const struct gguf_value *v = gguf_value_at(g, i);
        const unsigned char *cursor = v->data;
        struct gguf_string s;
        uint64_t n = 0;
        for (uint64_t j = 0; j < v->bytes; j++) sum += v->data[j];
        for (; gguf_next_string(v, &cursor, &s); n++)
            sum += s.length ? (unsigned char)s.data[0] : 0;
        if (v->type == GGUF_ARRAY && v->element_type == GGUF_STRING && n != v->count) abort();
        if (v->type == GGUF_ARRAY && v->count && v->element_type < GGUF_STRING)
            sum += (uint64_t)gguf_array_i64(v, v->count - 1) +
                   (uint64_t)(gguf_array_f64(v, v->count - 1) > 0);
    }
    for (uint64_t i = 0; i < gguf_n_tensors(g); i++) {
        const struct gguf_tensor *t = gguf_tensor_at(g, i);
        if (gguf_find_tensor(g, t->c_name) != t) abort();
        for (uint64_t j = 0; t->data && j < t->bytes; j++) sum += t->data[j];
    }
    gguf_close(g);
    volatile uint64_t keep = sum; /* keeps the reads */
    return keep ? 0 : 0;
}
