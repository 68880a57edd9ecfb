/* SPDX-License-Identifier: MIT
 *
 * Byte-pair encoding of one piece: from one symbol a byte (or character), the neighbours whose merge has the
 * lowest rank become one symbol, leftmost first on ties, until no pair can be merged.
 *
 *     symbols   h <-> e <-> l <-> l <-> o        a linked list inside an array
 *     heap      (rank, position): candidates; one whose rank is no longer that of the pair there
 *               is skipped
 *
 * A piece of n bytes costs O(n log n): it makes at most 3n candidates. The table is filled when a
 * tokenizer is opened and then read-only, shared by threads; the scratch has one owner.
 */
#ifndef FORMA_RUNTIME_BPE_H
#define FORMA_RUNTIME_BPE_H

#include "base/hash.h"

#define BPE_NONE UINT32_MAX

struct bpe_merge {
    uint32_t left, right, result; /* token ids */
};

struct bpe {
    uint32_t byte_token[256]; /* BPE_NONE where the vocabulary has none */
    struct bpe_merge *merges; /* by rank; in the arena */
    uint32_t n_merges, capacity;
    struct table pairs; /* (left, right) -> rank */
    uint64_t
        seams[1024]; /* bit 256 a + b: may a merge join a side that ends in byte a with one that
                             begins with b? Only where symbols are characters. */
};

static inline bool bpe_may_join(const struct bpe *b, unsigned char last, unsigned char first) {
    return b->seams[last * 4u + first / 64u] >> first % 64 & 1;
}

/* Room for `capacity` merges. False: the arena is full. */
bool bpe_init(struct bpe *b, struct arena *arena, uint32_t capacity);

enum bpe_add { BPE_ADDED, BPE_DUPLICATE, BPE_NO_MEMORY };
/* The next rank. */
enum bpe_add bpe_add_merge(struct bpe *b, uint32_t left, uint32_t right, uint32_t result);
/* The rank of the pair, or BPE_NONE. Expected O(1). */
uint32_t bpe_find(const struct bpe *b, uint32_t left, uint32_t right);

struct bpe_symbol {
    uint32_t id, previous, next;
    uint32_t rank; /* of the merge with the next symbol, or BPE_NONE */
};
struct bpe_scratch {
    const struct forma_allocator *allocator; /* never NULL; the rest starts as zero */
    struct bpe_symbol *symbols;
    size_t n_symbols, symbol_capacity; /* after bpe_encode: what is left, from 0 along `next` */
    uint64_t *heap; /* rank << 32 | position; four children a node: fewer cache lines */
    size_t n_heap, heap_capacity;
    uint64_t work; /* pair look-ups and heap moves since the start: the cost, for tests */
};
void bpe_scratch_destroy(struct bpe_scratch *s);
/* Room for all that pieces of up to `most` symbols need. False: no memory, or too many. */
bool bpe_reserve(struct bpe_scratch *s, size_t most);

/* Where the first symbols are not bytes: room for `most` of them (false: no memory, or 2^31 and
 * more), then push each, then merge. */
bool bpe_begin(struct bpe_scratch *s, size_t most);
void bpe_push(struct bpe_scratch *s, uint32_t id);
bool bpe_merge(const struct bpe *b, struct bpe_scratch *s);

/* Encodes the piece into scratch->symbols: walk from 0 by `next` until BPE_NONE, unless n_symbols
 * is 0. Bytes without a token are left out before merging, as other implementations do; their
 * number is added to *n_dropped. False: no memory, or a piece of 2^31 bytes and more. */
bool bpe_encode(const struct bpe *b, struct bpe_scratch *s, const unsigned char *piece,
                size_t length, size_t *n_dropped);

#endif
