/* SPDX-License-Identifier: MIT
 *
 * The tokens of a vocabulary as one flat trie in depth-first order. A node is one byte of one or
 * more tokens; the nodes below it follow it directly, and `skip` jumps over them, so a walk is one
 * loop over an array:
 *
 *     tokens  a ab ac b        nodes  a  b  c  b
 *                              skip   3  1  1  1
 *                              depth  1  2  2  1
 *
 * Ids are listed in the order of the nodes: node n spells `ids[n.first .. (n+1).first)`, and all of
 * its subtree `ids[n.first .. (n+skip).first)`; one closing node ends the last list. Several ids
 * may spell the same bytes. `classes` are the kinds of bytes that occur in the subtree, the node
 * included: what lets a walk see at once that nothing below can matter (see mask.c).
 *
 * Immutable after building: shared by threads. Building sorts: O(bytes of all tokens) for the
 * usual vocabulary.
 */
#ifndef FORMA_TOKENMASK_TRIE_H
#define FORMA_TOKENMASK_TRIE_H

#include <string.h>

#include "base/alloc.h"

/* Classes of bytes that continue a character (80-BF), and the mark of subtrees with a token that is
 * not the beginning of well-formed UTF-8 (tokens may end inside a character). */
#define TRIE_CONTINUATIONS (UINT64_C(7) << 16)
#define TRIE_ILL_FORMED    (UINT64_C(1) << 63)
#define TRIE_DIGITS        (UINT64_C(3) << 5)
#define TRIE_CONTROLS      (UINT64_C(31) & ~UINT64_C(1)) /* classes of bytes below a space, and DEL */
/* Also set for the last byte of a character beyond ASCII that ECMA-262 takes for white space or a
 * line end: patterns tell these from their neighbours (trie_is_space). */
#define TRIE_SPACES (UINT64_C(1) << 60)

struct trie_node {
    uint64_t classes; /* trie_bits of each byte in the subtree; TRIE_ILL_FORMED */
    uint32_t skip;    /* nodes of the subtree, this one included */
    uint32_t first;   /* index of the node's first id */
    uint32_t depth;   /* bytes from the root; the first byte of a token has depth 1 */
    unsigned char byte;
    uint8_t height; /* nodes of the longest path from here, this one included; 255: or more */
};

/* The children of all nodes, side by side: where most of them are of no use, a walk that looks at their
 * bytes first touches few nodes. Those of the root come first; those of node n are
 * bytes[first[n + 1] .. first[n + 2]), and so their indices in `nodes`. */
struct trie_children {
    uint32_t *first; /* n_nodes + 2 */
    unsigned char *bytes;
    uint32_t *nodes;
};

struct trie {
    const struct forma_allocator *allocator;
    struct trie_node *nodes; /* n_nodes, and the closing one */
    size_t n_nodes;
    struct trie_children children;
    uint32_t *ids;
    size_t n_ids;
    uint32_t max_depth;
    bool occurs[256]; /* does some token hold this byte? */
};

/* Where the bytes of token `id` lie: `text[offset .. offset + length)`. Length 0: no text. */
struct token_span {
    uint32_t offset, length;
};

/* False when there is no memory (then nothing is held). At most 2^31 bytes in all. */
bool trie_build(struct trie *t, const unsigned char *text, const struct token_span *spans,
                size_t n_spans, const struct forma_allocator *allocator);
/* A zeroed trie is fine. */
void trie_destroy(struct trie *t);

/* The node that spells `bytes`, or NULL. Length at least 1. O(length). */
const struct trie_node *trie_find(const struct trie *t, const unsigned char *bytes, size_t length);

/* The child of a node for one more byte, UINT32_MAX: none. `list` is 0 at the root, else the node's
 * index + 1. */
static inline uint32_t trie_child(const struct trie *t, uint32_t list, unsigned char byte) {
    const struct trie_children *c = &t->children;
    const unsigned char *begin = c->bytes + c->first[list];
    const unsigned char *at = memchr(begin, byte, c->first[list + 1] - c->first[list]);
    return at ? c->nodes[at - c->bytes] : UINT32_MAX;
}

/* 0 .. 62. Coarse where bytes behave alike in most forms, fine where they do not: each ASCII
 * punctuation mark alone; letters, digits and the bytes of longer characters in groups. */
unsigned trie_class(unsigned char byte);
bool trie_is_space(uint32_t code_point);
/* The bits of byte `at` of a token: its class, and TRIE_SPACES where it ends such a character. */
uint64_t trie_bits(const unsigned char *bytes, size_t at);

#endif
