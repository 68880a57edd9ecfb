/* SPDX-License-Identifier: MIT */
#include "base/string_index.h"

#include <string.h>

static int compare(struct gguf_string a, struct gguf_string b) {
    size_t n = a.length < b.length ? a.length : b.length;
    int order = n ? memcmp(a.data, b.data, n) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static const void *record_at(const struct string_index *x, uint32_t i) {
    return (const unsigned char *)x->records + x->stride * x->order[i];
}

struct gguf_string string_index_at(const struct string_index *x, uint32_t i) {
    struct gguf_string s;
    memcpy(&s, record_at(x, i), sizeof s);
    return s;
}

static void swap(struct string_index *x, uint32_t i, uint32_t j) {
    uint32_t id = x->order[i];
    x->order[i] = x->order[j];
    x->order[j] = id;
}

/* Lets the root of the heap of the first n places sink to where it belongs. */
static void sift_down(struct string_index *x, uint32_t root, uint32_t n) {
    for (uint32_t child; (child = 2 * root + 1) < n; root = child) {
        struct gguf_string larger = string_index_at(x, child);
        if (child + 1 < n && compare(larger, string_index_at(x, child + 1)) < 0)
            larger = string_index_at(x, ++child);
        if (compare(string_index_at(x, root), larger) >= 0) return;
        swap(x, root, child);
    }
}

void string_index_sort(struct string_index *x) {
    for (uint32_t i = 0; i < x->n; i++) x->order[i] = i;
    for (uint32_t i = x->n / 2; i-- > 0;) sift_down(x, i, x->n);
    for (uint32_t end = x->n; end-- > 1;) {
        swap(x, 0, end);
        sift_down(x, 0, end);
    }
}

uint32_t string_index_duplicate(const struct string_index *x) {
    for (uint32_t i = 1; i < x->n; i++)
        if (compare(string_index_at(x, i - 1), string_index_at(x, i)) == 0) return i;
    return 0;
}

const void *string_index_find(const struct string_index *x, const char *name) {
    struct gguf_string wanted = {name, strlen(name)};
    uint32_t low = 0, high = x->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int side = compare(wanted, string_index_at(x, middle));
        if (side == 0) return record_at(x, middle);
        if (side < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
