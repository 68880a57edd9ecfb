/* SPDX-License-Identifier: MIT */
#include "runtime/bpe.h"

#include <string.h>

bool bpe_init(struct bpe *b, struct arena *arena, uint32_t capacity) {
    memset(b, 0, sizeof *b);
    for (unsigned i = 0; i < 256; i++) b->byte_token[i] = BPE_NONE;
    b->capacity = capacity;
    b->merges = arena_push_array(arena, capacity, sizeof *b->merges);
    uint32_t slots = capacity < UINT32_MAX / 2 ? capacity + capacity / 2 + 8 : capacity;
    return b->merges && table_init(&b->pairs, arena, slots);
}

uint32_t bpe_find(const struct bpe *b, uint32_t left, uint32_t right) {
    for (struct table_probe p = table_probe(&b->pairs, fa_hash_mix(left, right));
         table_next(&b->pairs, &p);)
        if (b->merges[p.id].left == left && b->merges[p.id].right == right) return p.id;
    return BPE_NONE;
}

enum bpe_add bpe_add_merge(struct bpe *b, uint32_t left, uint32_t right, uint32_t result) {
    if (b->n_merges == b->capacity) return BPE_NO_MEMORY;
    if (bpe_find(b, left, right) != BPE_NONE) return BPE_DUPLICATE;
    if (!table_add(&b->pairs, fa_hash_mix(left, right), b->n_merges)) return BPE_NO_MEMORY;
    b->merges[b->n_merges++] = (struct bpe_merge){left, right, result};
    return BPE_ADDED;
}

void bpe_scratch_destroy(struct bpe_scratch *s) {
    fa_free(s->allocator, s->symbols, s->symbol_capacity * sizeof *s->symbols);
    fa_free(s->allocator, s->heap, s->heap_capacity * sizeof *s->heap);
    s->symbols = NULL;
    s->heap = NULL;
    s->n_symbols = s->symbol_capacity = s->n_heap = s->heap_capacity = 0;
}

static bool reserve_symbols(struct bpe_scratch *s, size_t n) {
    if (n <= s->symbol_capacity) return true;
    size_t capacity = n < 64 ? 64 : n + n / 2, bytes;
    if (!fa_mul_size(capacity, sizeof *s->symbols, &bytes)) return false;
    void *grown =
        fa_resize(s->allocator, s->symbols, s->symbol_capacity * sizeof *s->symbols, bytes);
    if (!grown) return false;
    s->symbols = grown;
    s->symbol_capacity = capacity;
    return true;
}

static bool reserve_heap(struct bpe_scratch *s, size_t n) {
    size_t bytes;
    if (n <= s->heap_capacity) return true;
    if (!fa_mul_size(n, sizeof *s->heap, &bytes)) return false;
    void *grown = fa_resize(s->allocator, s->heap, s->heap_capacity * sizeof *s->heap, bytes);
    if (!grown) return false;
    s->heap = grown;
    s->heap_capacity = n;
    return true;
}

bool bpe_reserve(struct bpe_scratch *s, size_t most) {
    return most <= INT32_MAX / 3 && reserve_symbols(s, most) && reserve_heap(s, 3 * most);
}

static bool heap_push(struct bpe_scratch *s, uint64_t key) {
    if (s->n_heap == s->heap_capacity &&
        !reserve_heap(s, s->heap_capacity ? 2 * s->heap_capacity : 64))
        return false;
    size_t i = s->n_heap++;
    for (; i > 0; s->work++) {
        size_t parent = (i - 1) / 4;
        if (s->heap[parent] <= key) break;
        s->heap[i] = s->heap[parent];
        i = parent;
    }
    s->heap[i] = key;
    return true;
}

static uint64_t heap_pop(struct bpe_scratch *s) {
    uint64_t top = s->heap[0], last = s->heap[--s->n_heap];
    size_t i = 0;
    for (size_t first; (first = 4 * i + 1) < s->n_heap; s->work++) {
        size_t end = first + 4 < s->n_heap ? first + 4 : s->n_heap, least = first;
        for (size_t child = first + 1; child < end; child++)
            if (s->heap[child] < s->heap[least]) least = child;
        if (s->heap[least] >= last) break;
        s->heap[i] = s->heap[least];
        i = least;
    }
    s->heap[i] = last;
    return top;
}

/* Looks the pair that begins at `position` up and makes it a candidate, if it can be merged. */
static bool consider(const struct bpe *b, struct bpe_scratch *s, uint32_t position) {
    struct bpe_symbol *left = &s->symbols[position];
    left->rank = BPE_NONE;
    if (left->next == BPE_NONE) return true;
    s->work++;
    left->rank = bpe_find(b, left->id, s->symbols[left->next].id);
    return left->rank == BPE_NONE || heap_push(s, (uint64_t)left->rank << 32 | position);
}

static bool merge_all(const struct bpe *b, struct bpe_scratch *s) {
    struct bpe_symbol *symbols = s->symbols;
    while (s->n_heap > 0) {
        uint64_t key = heap_pop(s);
        uint32_t position = (uint32_t)key, rank = (uint32_t)(key >> 32);
        struct bpe_symbol *left = &symbols[position];
        if (left->rank != rank) continue;
        struct bpe_symbol *right = &symbols[left->next];
        left->id = b->merges[rank].result;
        left->next = right->next;
        right->rank = BPE_NONE; /* gone: no candidate fits it any more */
        if (left->next != BPE_NONE) symbols[left->next].previous = position;
        s->n_symbols--;
        if (!consider(b, s, position)) return false;
        if (left->previous != BPE_NONE && !consider(b, s, left->previous)) return false;
    }
    return true;
}

bool bpe_begin(struct bpe_scratch *s, size_t most) {
    s->n_symbols = s->n_heap = 0;
    return most <= INT32_MAX && reserve_symbols(s, most);
}

void bpe_push(struct bpe_scratch *s, uint32_t id) {
    uint32_t n = (uint32_t)s->n_symbols++;
    if (n) s->symbols[n - 1].next = n;
    s->symbols[n] = (struct bpe_symbol){id, n ? n - 1 : BPE_NONE, BPE_NONE, BPE_NONE};
}

bool bpe_merge(const struct bpe *b, struct bpe_scratch *s) {
    uint32_t n = (uint32_t)s->n_symbols;
    for (uint32_t i = 0; i + 1 < n; i++)
        if (!consider(b, s, i)) return false;
    return merge_all(b, s);
}

bool bpe_encode(const struct bpe *b, struct bpe_scratch *s, const unsigned char *piece,
                size_t length, size_t *n_dropped) {
    if (!bpe_begin(s, length)) return false;
    for (size_t i = 0; i < length; i++) {
        uint32_t id = b->byte_token[piece[i]];
        if (id == BPE_NONE)
            ++*n_dropped;
        else
            bpe_push(s, id);
    }
    return bpe_merge(b, s);
}
