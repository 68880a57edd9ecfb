/* SPDX-License-Identifier: MIT
 *
 * Building: the ids are sorted by their bytes, then each token adds the nodes past the prefix that
 * it shares with the one before it. The sort is a most-significant-byte-first radix sort on an
 * eight-byte key, a comparison sort within the (few) groups of equal keys.
 */
#include "tokenmask/trie.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* What is sorted: the first eight bytes as a big-endian number, so that most comparisons are one
 * of integers. Zero padding sorts prefixes first, as it must, but for tokens that hold NUL bytes:
 * the full comparison decides those. */
struct sort_key {
    uint64_t head;
    const unsigned char *bytes;
    uint32_t length;
    uint32_t id;
};

static uint64_t head_of(const unsigned char *bytes, uint32_t length) {
    uint64_t head = 0;
    for (uint32_t i = 0; i < 8; i++) head = head << 8 | (i < length ? bytes[i] : 0);
    return head;
}

static int compare_keys(const void *pa, const void *pb) {
    const struct sort_key *a = pa, *b = pb;
    if (a->head != b->head) return a->head < b->head ? -1 : 1;
    uint32_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->bytes, b->bytes, shorter);
    if (order) return order;
    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Least significant digit first over the top 32 bits of the head (two passes of 16 bits), then
 * comparison within runs that are still equal: runs are short. `spare` has n keys. */
static void sort_keys(struct sort_key *keys, struct sort_key *spare, size_t n, uint32_t *counts) {
    for (int pass = 0; pass < 2; pass++) {
        int shift = 32 + 16 * pass;
        memset(counts, 0, ((size_t)1 << 16) * sizeof *counts);
        for (size_t i = 0; i < n; i++) counts[keys[i].head >> shift & 0xFFFF]++;
        uint32_t sum = 0;
        for (size_t d = 0; d < (size_t)1 << 16; d++) {
            uint32_t count = counts[d];
            counts[d] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++) spare[counts[keys[i].head >> shift & 0xFFFF]++] = keys[i];
        struct sort_key *swap = keys;
        keys = spare;
        spare = swap;
    }
    for (size_t begin = 0; begin < n;) {
        size_t end = begin + 1;
        while (end < n && keys[end].head >> 32 == keys[begin].head >> 32) end++;
        if (end - begin > 1) qsort(keys + begin, end - begin, sizeof *keys, compare_keys);
        begin = end;
    }
}

static uint32_t shared_prefix(const struct sort_key *a, const struct sort_key *b) {
    uint32_t n = a->length < b->length ? a->length : b->length, i = 0;
    while (i < n && a->bytes[i] == b->bytes[i]) i++;
    return i;
}

static size_t count_nodes(const struct sort_key *keys, size_t n) {
    size_t nodes = n ? keys[0].length : 0;
    for (size_t i = 1; i < n; i++) nodes += keys[i].length - shared_prefix(&keys[i - 1], &keys[i]);
    return nodes;
}

static bool is_ill_formed(const struct sort_key *key) {
    size_t valid = utf8_valid_prefix(key->bytes, key->length);
    return utf8_incomplete_tail(key->bytes, key->length) != key->length - valid;
}

static void fill_nodes(struct trie *t, const struct sort_key *keys) {
    size_t node = 0;
    for (size_t i = 0; i < t->n_ids; i++) {
        uint32_t shared = i ? shared_prefix(&keys[i - 1], &keys[i]) : 0;
        for (uint32_t d = shared; d < keys[i].length; d++) {
            t->nodes[node++] = (struct trie_node){.classes = trie_bits(keys[i].bytes, d),
                                                  .first = (uint32_t)i,
                                                  .depth = d + 1,
                                                  .byte = keys[i].bytes[d]};
            t->occurs[keys[i].bytes[d]] = true;
        }
        if (is_ill_formed(&keys[i])) t->nodes[node - 1].classes |= TRIE_ILL_FORMED;
        if (keys[i].length > t->max_depth) t->max_depth = keys[i].length;
        t->ids[i] = keys[i].id;
    }
    t->nodes[node] = (struct trie_node){.first = (uint32_t)t->n_ids, .skip = 1};
}

/* `first` was set to the token that made the node. Where that token is longer, the ids of the
 * node's subtree begin there just the same, so the lists come out right: a node's list is empty
 * when the next node has the same first. Skips and classes come from the end backwards; `open[d]`
 * is the nearest node of depth d to the right that no node has claimed. */
static void link_nodes(struct trie *t) {
    for (size_t i = t->n_nodes; i-- > 0;) {
        struct trie_node *node = &t->nodes[i];
        size_t child = i + 1;
        node->height = 1;
        while (child < t->n_nodes && t->nodes[child].depth > node->depth) {
            uint8_t height = t->nodes[child].height;
            if (height >= node->height) node->height = height < UINT8_MAX ? height + 1 : UINT8_MAX;
            node->classes |= t->nodes[child].classes;
            child += t->nodes[child].skip;
        }
        node->skip = (uint32_t)(child - i);
    }
}

/* Children of the nodes [begin, end), which are one level and what is below it. */
static uint32_t list_level(struct trie *t, size_t begin, size_t end, uint32_t n) {
    for (size_t i = begin; i < end; i += t->nodes[i].skip) {
        t->children.bytes[n] = t->nodes[i].byte;
        t->children.nodes[n++] = (uint32_t)i;
    }
    return n;
}

static void list_children(struct trie *t) {
    uint32_t n = list_level(t, 0, t->n_nodes, 0);
    t->children.first[0] = 0;
    for (size_t i = 0; i < t->n_nodes; i++) {
        t->children.first[i + 1] = n;
        n = list_level(t, i + 1, i + t->nodes[i].skip, n);
    }
    t->children.first[t->n_nodes + 1] = n;
}

static bool allocate_nodes(struct trie *t, size_t n) {
    const struct forma_allocator *a = t->allocator;
    t->n_nodes = n;
    t->nodes = fa_alloc(a, (n + 1) * sizeof *t->nodes);
    t->children.first = fa_alloc(a, (n + 2) * sizeof *t->children.first);
    t->children.bytes = fa_alloc(a, n + 1);
    t->children.nodes = fa_alloc(a, (n + 1) * sizeof *t->children.nodes);
    return t->nodes && t->children.first && t->children.bytes && t->children.nodes;
}

bool trie_build(struct trie *t, const unsigned char *text, const struct token_span *spans,
                size_t n_spans, const struct forma_allocator *allocator) {
    memset(t, 0, sizeof *t);
    t->allocator = allocator;
    size_t n = 0;
    for (size_t i = 0; i < n_spans; i++) n += spans[i].length > 0;
    size_t counts_size = ((size_t)1 << 16) * sizeof(uint32_t);
    size_t keys_size = (n ? n : 1) * sizeof(struct sort_key);
    struct sort_key *keys = fa_alloc(allocator, keys_size);
    struct sort_key *spare = fa_alloc(allocator, keys_size);
    uint32_t *counts = fa_alloc(allocator, counts_size);
    t->ids = fa_alloc(allocator, (n ? n : 1) * sizeof *t->ids);
    t->n_ids = n;
    bool ok = keys && spare && counts && t->ids;
    if (ok) {
        size_t k = 0;
        for (size_t i = 0; i < n_spans; i++) {
            if (!spans[i].length) continue;
            const unsigned char *bytes = text + spans[i].offset;
            keys[k++] = (struct sort_key){head_of(bytes, spans[i].length), bytes, spans[i].length,
                                          (uint32_t)i};
        }
        sort_keys(keys, spare, n, counts);
        ok = allocate_nodes(t, count_nodes(keys, n));
    }
    if (ok) {
        fill_nodes(t, keys);
        link_nodes(t);
        list_children(t);
    }
    fa_free(allocator, keys, keys_size);
    fa_free(allocator, spare, keys_size);
    fa_free(allocator, counts, counts_size);
    if (!ok) trie_destroy(t);
    return ok;
}

void trie_destroy(struct trie *t) {
    const struct forma_allocator *a = t->allocator;
    size_t n = t->n_nodes;
    if (t->nodes) fa_free(a, t->nodes, (n + 1) * sizeof *t->nodes);
    if (t->children.first) fa_free(a, t->children.first, (n + 2) * sizeof *t->children.first);
    if (t->children.bytes) fa_free(a, t->children.bytes, n + 1);
    if (t->children.nodes) fa_free(a, t->children.nodes, (n + 1) * sizeof *t->children.nodes);
    if (t->ids) fa_free(a, t->ids, (t->n_ids ? t->n_ids : 1) * sizeof *t->ids);
    memset(t, 0, sizeof *t);
}

const struct trie_node *trie_find(const struct trie *t, const unsigned char *bytes, size_t length) {
    uint32_t list = 0;
    if (!t->n_nodes) return NULL;
    for (size_t d = 0;; d++) {
        uint32_t node = trie_child(t, list, bytes[d]);
        if (node == UINT32_MAX) return NULL;
        if (d + 1 == length) return &t->nodes[node];
        list = node + 1;
    }
}

unsigned trie_class(unsigned char byte) {
    static const unsigned char punctuation[] = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    if (byte < 0x80) {
        const void *at = byte ? memchr(punctuation, byte, sizeof punctuation - 1) : NULL;
        if (at) return 24 + (unsigned)((const unsigned char *)at - punctuation); /* 24 .. 55 */
        if (byte == ' ') return 0;
        if (byte == '\n') return 1;
        if (byte == '\r') return 2;
        if (byte == '\t') return 3;
        if (byte < 0x20 || byte == 0x7F) return 4;
        if (byte == '0') return 5;
        if (byte <= '9') return 6;
        unsigned char lower = byte | 0x20;
        unsigned group = lower == 'e'                    ? 7 /* exponents, hex */
                         : lower <= 'f'                  ? 8 /* hex */
                         : strchr("nrtu", lower) != NULL ? 9 /* escapes, null and true */
                                                         : 10;
        return byte >= 'a' ? group : group + 4;
    }
    if (byte < 0x90) return 16;
    if (byte < 0xA0) return 17;
    if (byte < 0xC0) return 18;
    if (byte < 0xC2 || byte > 0xF4) return 19; /* never in UTF-8 */
    if (byte < 0xE0) return 20;
    if (byte == 0xE0 || byte == 0xED) return 21;
    return byte < 0xF0 ? 22 : 23;
}

bool trie_is_space(uint32_t c) {
    return c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

uint64_t trie_bits(const unsigned char *bytes, size_t at) {
    uint64_t bits = UINT64_C(1) << trie_class(bytes[at]);
    uint32_t c = 0;
    if (at >= 1 && bytes[at - 1] == 0xC2) c = 0x80 | (bytes[at] & 0x3F);
    if (at >= 2 && bytes[at - 2] >= 0xE1 && bytes[at - 2] <= 0xEF)
        c = (uint32_t)(bytes[at - 2] & 0x0F) << 12 | (uint32_t)(bytes[at - 1] & 0x3F) << 6 |
            (bytes[at] & 0x3F);
    return trie_is_space(c) && (bytes[at] & 0xC0) == 0x80 ? bits | TRIE_SPACES : bits;
}
