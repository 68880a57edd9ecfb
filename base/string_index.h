/* SPDX-License-Identifier: MIT
 *
 * Finding records by name without a hash table: ids sorted by the string that each record begins
 * with. Heapsort, so that no input makes it slow (O(n log n) compares, no memory of its own), while
 * a hash table with a known function can be flooded by the file that it indexes. Equal strings end
 * up as neighbours. Strings and records are borrowed; nothing to free.
 */
#ifndef FORMA_BASE_STRING_INDEX_H
#define FORMA_BASE_STRING_INDEX_H

#include "base/gguf.h"

/* `records`: n of them, `stride` bytes apart, each beginning with a struct gguf_string. */
struct string_index {
    const void *records;
    size_t stride;
    uint32_t *order; /* n ids, the caller's memory */
    uint32_t n;
};

/* Fills `order`. */
void string_index_sort(struct string_index *x);
/* The string of the id at place i of the order. */
struct gguf_string string_index_at(const struct string_index *x, uint32_t i);
/* The first place whose string equals that of the place before it; 0 when all differ. */
uint32_t string_index_duplicate(const struct string_index *x);
/* The record named so, or NULL. O(log n) compares. */
const void *string_index_find(const struct string_index *x, const char *name);

#endif
