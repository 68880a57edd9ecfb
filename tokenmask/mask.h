/* SPDX-License-Identifier: MIT
 *
 * Masks: for a state of a machine, the set of tokens that keep the text viable, as a row of 32-bit
 * words: token t is bit t % 32 of word t / 32. End tokens are in the set iff the state accepts;
 * control tokens and holes never are.
 *
 * The caller holds the machine's lock and looks at `narrowed` and `failed` afterwards. Nothing is
 * allocated here. Cost: one machine step for each trie node whose prefix is viable, less what the
 * loop rule of mask.c saves; up to two nodes a token where everything is viable.
 */
#ifndef FORMA_TOKENMASK_MASK_H
#define FORMA_TOKENMASK_MASK_H

#include "automaton/machine.h"
#include "tokenmask/mask_inside.h"
#include "tokenmask/vocabulary.h"

/* One open node of the walk: the state behind its byte. */
struct mask_frame {
    struct state state;
    uint64_t loops;     /* trie classes of which any bytes that follow keep the text viable */
    unsigned digits;    /* that may come, whichever they are */
    bool free;          /* in a string that may go on with any characters */
    unsigned char byte; /* that led here */
};

/* A place in a string's automaton behind a byte. */
struct place_frame {
    uint32_t place;
};

/* Which tails of closing tokens may follow in a state (string_tokens.h): two sets of bits. */
struct tail_row {
    struct state state; /* dead: none yet */
    size_t words;
    uint32_t *yes, *unsure; /* one behind the other */
    bool any_unsure;
};

/* What a walk needs; one owner. */
struct mask_scratch {
    const struct forma_allocator *allocator;
    void *block;
    size_t size;
    struct mask_frame *path;    /* trie.max_depth + 1 */
    struct place_frame *places; /* trie.max_depth + 1 */
    unsigned char *bytes;       /* trie.max_depth + 1 */
    struct tail_row tails;
    struct inside_scratch *inside;
    uint16_t *changes; /* mask_words + 1: see mask_cache_compare */
    /* Of the mask made last: are the words that are not 0 the first n_changes of `changes`? */
    bool noted;
    size_t n_changes;
};
bool mask_scratch_init(struct mask_scratch *s, const struct forma_vocabulary *v,
                       const struct forma_allocator *allocator); /* false: no memory */
void mask_scratch_destroy(struct mask_scratch *s);               /* a zeroed one is fine */

static inline size_t mask_words(size_t n_tokens) {
    return (n_tokens + 31) / 32;
}
static inline bool mask_test(const uint32_t *row, uint32_t token) {
    return row[token / 32] >> token % 32 & 1;
}
static inline void mask_allow(uint32_t *row, uint32_t token) {
    row[token / 32] |= UINT32_C(1) << token % 32;
}
bool mask_is_empty(const uint32_t *row, size_t words);
size_t mask_count(const uint32_t *row, size_t words);

/* Fills `words` (at least mask_words of the vocabulary) words. */
void mask_fill(struct machine *machine, const struct forma_vocabulary *v, struct state state,
               struct mask_scratch *scratch, uint32_t *row, size_t words);

/* The definition, which mask_fill must equal: every token's bytes stepped from the state. */
void mask_fill_slow(struct machine *machine, const struct forma_vocabulary *v, struct state state,
                    uint32_t *row, size_t words);

/* Adds the tokens that spell a beginning of `bytes` and keep the text viable. */
void mask_allow_prefixes(struct machine *machine, const struct forma_vocabulary *v,
                         struct state state, const unsigned char *bytes, size_t length,
                         uint32_t *row);

#endif
