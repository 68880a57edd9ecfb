/* SPDX-License-Identifier: MIT
 *
 * Paged memory for keys and values: a free list of blocks and a table of them a sequence. */
#include "runtime/kv_cache.h"

#include <string.h>

#include "base/error.h"

static bool sizes(struct kv_cache *kv) {
    size_t per_head, heads;
    if (!fa_mul_size(kv->head_dim, KV_BLOCK_TOKENS * kv_element_bytes(kv->type), &per_head) ||
        !fa_mul_size(kv->n_kv_heads, 2, &heads) ||
        !fa_mul_size(heads, per_head, &kv->block_bytes) ||
        !fa_mul_size(kv->block_bytes, kv->n_blocks, &kv->layer_bytes) ||
        !fa_mul_size(kv->layer_bytes, kv->n_layers, &kv->data_bytes))
        return false;
    kv->head_bytes = per_head;
    size_t rows = (size_t)kv->n_sequences + 2, cells; /* tables, users, free list */
    return fa_mul_size(rows, kv->n_blocks, &cells) &&
           !__builtin_add_overflow(cells, kv->n_sequences, &cells) &&
           fa_mul_size(cells, sizeof(uint32_t), &kv->table_bytes);
}

enum forma_status kv_cache_init(struct kv_cache *kv, const struct kv_shape *shape,
                                const struct forma_allocator *allocator, struct forma_error *err) {
    memset(kv, 0, sizeof *kv);
    kv->allocator = fa_allocator_or_default(allocator);
    kv->type = shape->type;
    kv->n_layers = shape->n_layers;
    kv->n_kv_heads = shape->n_kv_heads;
    kv->head_dim = shape->head_dim;
    kv->n_sequences = shape->n_sequences;
    kv->n_blocks = shape->n_tokens / KV_BLOCK_TOKENS + (shape->n_tokens % KV_BLOCK_TOKENS != 0);
    if (!sizes(kv) || kv->data_bytes == 0 || kv->n_sequences == 0)
        return error_set(err, FORMA_EINVAL,
                         "a KV cache of %u tokens for %u sequences has no valid size",
                         shape->n_tokens, shape->n_sequences);
    kv->data = fa_reserve(kv->allocator, kv->data_bytes);
    uint32_t *cells = fa_reserve(kv->allocator, kv->table_bytes);
    kv->tables = cells;
    if (!kv->data || !cells) {
        size_t wanted = kv->data_bytes;
        kv_cache_destroy(kv);
        return error_set(err, FORMA_EMEMORY,
                         "no memory for a KV cache of %zu bytes; lower the context", wanted);
    }
    kv->users = cells + (size_t)kv->n_sequences * kv->n_blocks;
    kv->free_blocks = kv->users + kv->n_blocks;
    kv->lengths = kv->free_blocks + kv->n_blocks;
    kv->n_free = kv->n_blocks;
    for (uint32_t i = 0; i < kv->n_blocks; i++) kv->free_blocks[i] = kv->n_blocks - 1 - i;
    return FORMA_OK;
}

void kv_cache_destroy(struct kv_cache *kv) {
    if (!kv->allocator) return;
    fa_release(kv->allocator, kv->data, kv->data_bytes);
    fa_release(kv->allocator, kv->tables, kv->table_bytes);
    memset(kv, 0, sizeof *kv);
}

static uint32_t blocks_of(uint32_t n_tokens) {
    return n_tokens / KV_BLOCK_TOKENS + (n_tokens % KV_BLOCK_TOKENS != 0);
}

uint32_t kv_cache_blocks_needed(const struct kv_cache *kv, uint32_t sequence, uint32_t n) {
    uint32_t length = kv->lengths[sequence];
    if (n > UINT32_MAX - length) return UINT32_MAX;
    return blocks_of(length + n) - blocks_of(length);
}

bool kv_cache_extend(struct kv_cache *kv, uint32_t sequence, uint32_t n) {
    uint32_t needed = kv_cache_blocks_needed(kv, sequence, n);
    if (needed > kv->n_free) return false;
    uint32_t *table = kv->tables + (size_t)sequence * kv->n_blocks;
    for (uint32_t at = blocks_of(kv->lengths[sequence]); needed > 0; needed--, at++) {
        uint32_t block = kv->free_blocks[--kv->n_free];
        kv->users[block] = 1;
        table[at] = block;
    }
    kv->lengths[sequence] += n;
    return true;
}

void kv_cache_truncate(struct kv_cache *kv, uint32_t sequence, uint32_t n) {
    if (n >= kv->lengths[sequence]) return;
    const uint32_t *table = kv->tables + (size_t)sequence * kv->n_blocks;
    for (uint32_t at = blocks_of(kv->lengths[sequence]); at > blocks_of(n); at--) {
        uint32_t block = table[at - 1];
        if (--kv->users[block] == 0) kv->free_blocks[kv->n_free++] = block;
    }
    kv->lengths[sequence] = n;
}

void kv_cache_read(const struct kv_cache *kv, uint32_t layer, uint32_t sequence, uint32_t position,
                   uint32_t head, void *k, void *v) {
    size_t size = kv_element_bytes(kv->type), slot = position % KV_BLOCK_TOKENS;
    uint32_t block = kv_block_of(kv, sequence, position);
    const unsigned char *keys = kv_k(kv, layer, block, head);
    const unsigned char *values = kv_v(kv, layer, block, head);
    for (size_t d = 0; d < kv->head_dim; d++)
        memcpy((unsigned char *)k + d * size, keys + (d * KV_BLOCK_TOKENS + slot) * size, size);
    memcpy(v, values + slot * kv->head_dim * size, kv->head_dim * size);
}
