/* SPDX-License-Identifier: MIT
 *
 * What the tokenizer's files share: the tables that tokenizer_load.c fills and the others read.
 */
#ifndef FORMA_RUNTIME_TOKENIZER_INTERNAL_H
#define FORMA_RUNTIME_TOKENIZER_INTERNAL_H

#include "base/hash.h"
#include "runtime/bpe.h"
#include "runtime/pretokenizer.h"
#include "runtime/tokenizer.h"

/* tokenizer.ggml.token_type */
enum token_type {
    TOKEN_NORMAL = 1,
    TOKEN_UNKNOWN,
    TOKEN_CONTROL,
    TOKEN_USER_DEFINED,
    TOKEN_UNUSED,
    TOKEN_BYTE
};

struct token {
    struct gguf_string piece; /* in the file */
    const unsigned char *bytes;
    uint32_t length; /* of bytes; 0 for what is never text */
    uint8_t type;    /* enum token_type */
    bool byte_level; /* spelled in stand-ins: a piece may become it */
};

struct tokenizer {
    const struct forma_allocator *allocator;
    struct arena arena;
    struct token *tokens;
    uint32_t n_tokens;
    struct table pieces; /* spelling -> id, all tokens with one */
    struct table words;  /* bytes -> id, byte-level tokens; only with ignore_merges */
    bool ignore_merges;
    struct bpe bpe;
    struct pretokenizer *pretokenizer;
    uint32_t *special; /* ids of control and user-defined tokens, sorted by spelling */
    uint32_t n_special;
    uint32_t *eos;
    uint32_t n_eos;
    int64_t bos;
    bool adds_bos;
};

/* The id of the token spelled so, or BPE_NONE. */
uint32_t tokenizer_find_piece(const struct tokenizer *t, const char *piece, size_t length);

/* Fills the tables from the file's keys. The arena is ready; the caller frees on failure. */
enum forma_status tokenizer_load(struct tokenizer *t, const struct gguf *model,
                                 struct forma_error *err);

/* Negative, 0 or positive as bytes compare; the shorter first. */
int tokenizer_compare_pieces(const struct gguf_string *a, const struct gguf_string *b);

#endif
