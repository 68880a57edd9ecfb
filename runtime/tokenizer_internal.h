/* SPDX-License-Identifier: MIT
 *
 * What the tokenizer's files share: the tables that tokenizer_load.c fills and the others read.
 */
#ifndef FORMA_RUNTIME_TOKENIZER_INTERNAL_H
#define FORMA_RUNTIME_TOKENIZER_INTERNAL_H

#include "base/hash.h"
#include "runtime/bpe.h"
#include "runtime/normalizer.h"
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

/* Tokens that are cut out of a text before it is split, sorted by `text`. */
struct added_token {
    struct gguf_string text;
    uint32_t id;
    bool control;
    bool lstrip, rstrip; /* takes the blanks beside it along */
};
struct added_set {
    struct added_token *list;
    uint32_t count;
    bool begins[256]; /* does one begin with this byte? */
};

struct tokenizer {
    const struct forma_allocator *allocator;
    struct gguf *file; /* our own, or NULL */
    struct arena arena;
    struct token *tokens;
    uint32_t n_tokens;
    struct table pieces; /* spelling -> id, all that merging can make */
    struct table words;  /* bytes -> id, byte-level tokens; only with ignore_merges */
    bool ignore_merges;
    bool by_characters; /* symbols are characters at first, not bytes */
    bool byte_fallback; /* a character without a token: as its bytes; by_characters only */
    bool fuse_unknown;  /* characters without any: one unknown token for a run of them */
    uint32_t unknown;   /* or BPE_NONE: they are left out */
    struct bpe bpe;
    struct normalizer normalizer, prefix; /* before and after added[1] is looked for */
    struct pretokenizer *pretokenizer;
    struct added_set added[2]; /* looked for in the text as it is; in the normalized one */
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

/* The same from a tokenizer.json. */
enum forma_status tokenizer_load_json(struct tokenizer *t, const struct tokenizer_json *file,
                                      struct forma_error *err);

/* ---- added tokens (tokenizer_added.c) ------------------------------------------------------ */

/* Sorts the list; call it once it is complete. */
void added_set_finish(struct added_set *set);

struct added_match {
    const struct added_token *token; /* NULL: none; then start = end = length */
    size_t start, end;               /* with the blanks that it takes along */
};
/* The first at or behind `at`, the longest of those that begin there. `which`: control tokens are
 * passed over like text, as a whole, unless it is ENCODE_SPECIAL. */
struct added_match added_set_find(const struct added_set *set, enum encode_added which,
                                  const char *text, size_t length, size_t at);

#endif
