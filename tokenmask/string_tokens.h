/* SPDX-License-Identifier: MIT
 *
 * The tokens of a vocabulary as pieces of JSON strings, seen from between two characters of one.
 * A token either can go on inside the string (an *inside* token), or closes it (a *closing* token:
 * a beginning that stays inside, a quote, a tail that is read by what encloses the string), or
 * does neither in any string. What follows from the vocabulary alone is made once: the rows of
 * tokens that strings without any rule admit, by the number of characters that may still come; a
 * trie of the inside tokens; one of the closing tokens, and one of their tails, of which there are
 * few: a string may be left in a thousand ways, but they go on in some dozens. One more trie holds the
 * tokens that can be read outside of strings.
 *
 * There are two sets of rows, for the two ways to escape: [0] minimal, [1] any. Every token that
 * is inside or closing with minimal escapes is so with any; the tries are made for these.
 *
 * Immutable when made, shared by threads.
 */
#ifndef FORMA_TOKENMASK_STRING_TOKENS_H
#define FORMA_TOKENMASK_STRING_TOKENS_H

#include "tokenmask/trie.h"

/* Rows for strings in which at most 0 .. STRING_ROOMS - 1 characters may come. */
#define STRING_ROOMS 17

/* An inside token that needs room for more characters than the rows know. */
struct long_token {
    uint32_t id, characters;
};

/* decoded[offset .. offset + length) is what stands before the quote of closing token `entry`. */
struct escaped_token {
    uint32_t entry, offset, length;
};

/* A node of the plain tokens: characters begun from the root to it, and the most below it on top. */
struct plain_node {
    uint16_t characters, height;
    bool is_space; /* its byte ends one (trie_is_space) */
};

struct string_tokens {
    const struct forma_allocator *allocator;
    size_t words;              /* of a row */
    uint32_t *free_rows[2];    /* any number of characters may come */
    uint32_t *room_rows[2];    /* STRING_ROOMS rows */
    struct long_token *longer; /* ascending by characters */
    size_t n_longer;
    uint32_t most_characters;       /* that an inside token needs */
    struct trie plain, escaping;    /* inside tokens without and with a backslash */
    struct plain_node *plain_nodes; /* beside those of `plain` */
    /* By token: the classes of a plain token's bytes; all bits set for any other. */
    uint64_t *signatures;
    uint64_t plain_classes; /* of all plain tokens */
    uint32_t weight[64];    /* plain tokens with a byte of the class */
    struct trie closing, tails;
    struct trie outside; /* tokens that can be read outside of strings (json_lexer.h) */
    /* By index into closing.ids: the number of the token's tail, whether minimal escapes spell its
     * beginning, and how many characters that holds. */
    uint32_t *tail;
    bool *minimal;
    uint32_t *before;
    /* Tails are numbered; 0 is the empty one, that of a node of `tails` is the first of its ids. The
     * closing tokens of tail t are tail_entries[tail_first[t] .. tail_first[t + 1]), indices into
     * closing.ids. */
    uint32_t *tail_first, *tail_entries;
    size_t n_tails;
    /* Closing tokens with escapes before the quote, ascending by what these stand for. */
    struct escaped_token *escaped;
    size_t n_escaped;
    unsigned char *decoded; /* their texts */
    size_t decoded_size;
};

/* From the tokens' bytes: span i is token i, length 0 no text. `alphabet`: bytes that can be
 * written. False when there is no memory (then nothing is held). Vocabularies in which no quote
 * can be written have no strings: all is empty. */
bool string_tokens_build(struct string_tokens *t, const unsigned char *text,
                         const struct token_span *spans, size_t n_spans, const bool alphabet[256],
                         const struct forma_allocator *allocator);
void string_tokens_destroy(struct string_tokens *t); /* a zeroed one is fine */

#endif
