/* SPDX-License-Identifier: MIT
 *
 * Keys and values of every past token, in blocks of 16 tokens: a sequence is a table of block
 * numbers, so its memory need not lie together, and two tables may name the same block (a shared
 * prefix: blocks count their users). Block 5 of a layer:
 *
 *     K  (n_kv_heads, head_dim, 16)   transposed: 16 neighbouring numbers are 16 tokens, so that
 *                                     a vector register holds the scores of 16 tokens
 *     V  (n_kv_heads, 16, head_dim)
 *
 * One owner. Everything is reserved in kv_cache_init (address space; pages count when they are
 * touched); nothing is allocated later. Lengths move before the rows are written: kv_cache_extend
 * makes room, the kernel `kv_store` fills it.
 */
#ifndef FORMA_RUNTIME_KV_CACHE_H
#define FORMA_RUNTIME_KV_CACHE_H

#include "runtime/model.h"

struct kv_cache {
    const struct forma_allocator *allocator;
    enum kv_type type;
    uint32_t n_layers, n_kv_heads, head_dim, n_blocks, n_sequences;
    size_t head_bytes;  /* K or V of one head in one block */
    size_t block_bytes; /* K and V of all heads, one layer */
    size_t layer_bytes;
    unsigned char *data; /* (n_layers, n_blocks, {K, V}, n_kv_heads, ...) */
    uint32_t *tables;    /* (n_sequences, n_blocks): block numbers */
    uint32_t *lengths;   /* (n_sequences): tokens */
    uint32_t *users;     /* (n_blocks): sequences that name the block */
    uint32_t *free_blocks, n_free;
    size_t data_bytes, table_bytes;
};

struct kv_shape {
    enum kv_type type;
    uint32_t n_layers, n_kv_heads, head_dim;
    uint32_t n_tokens; /* rounded up to whole blocks */
    uint32_t n_sequences;
};

/* FORMA_EMEMORY, FORMA_EINVAL on sizes that overflow. `kv` is zeroed first: destroy is always
 * safe. */
enum forma_status kv_cache_init(struct kv_cache *kv, const struct kv_shape *shape,
                                const struct forma_allocator *allocator, struct forma_error *err);
void kv_cache_destroy(struct kv_cache *kv);

/* Blocks that n more tokens of a sequence would take from the free list. */
uint32_t kv_cache_blocks_needed(const struct kv_cache *kv, uint32_t sequence, uint32_t n);
/* Room for n more tokens; false (and no change) when too few blocks are free. */
bool kv_cache_extend(struct kv_cache *kv, uint32_t sequence, uint32_t n);
/* Keeps the first n tokens. */
void kv_cache_truncate(struct kv_cache *kv, uint32_t sequence, uint32_t n);

static inline size_t kv_element_bytes(enum kv_type type) {
    return type == KV_F16 ? 2 : 4;
}
/* The block that holds `position` of a sequence. */
static inline uint32_t kv_block_of(const struct kv_cache *kv, uint32_t sequence,
                                   uint32_t position) {
    return kv->tables[(size_t)sequence * kv->n_blocks + position / KV_BLOCK_TOKENS];
}
static inline unsigned char *kv_k(const struct kv_cache *kv, uint32_t layer, uint32_t block,
                                  uint32_t head) {
    return kv->data + layer * kv->layer_bytes + block * kv->block_bytes + head * kv->head_bytes;
}
static inline unsigned char *kv_v(const struct kv_cache *kv, uint32_t layer, uint32_t block,
                                  uint32_t head) {
    return kv_k(kv, layer, block, kv->n_kv_heads + head);
}

/* Tests: K and V (head_dim each, in the stored type) of one token, read back. */
void kv_cache_read(const struct kv_cache *kv, uint32_t layer, uint32_t sequence, uint32_t position,
                   uint32_t head, void *k, void *v);

#endif
