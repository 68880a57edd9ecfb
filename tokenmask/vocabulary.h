/* SPDX-License-Identifier: MIT
 *
 * A vocabulary: what each token id stands for as bytes, which ids end a text, and the trie over
 * them that masks walk. Ids may have holes; a hole, a control token and an empty token are alike:
 * they have no bytes and no mask ever allows them (end tokens are allowed where the text may end).
 * Several ids may have the same bytes.
 *
 * Immutable when made, shared by threads. The builder below is how each file format makes one; its
 * functions fail with FORMA_EMEMORY, FORMA_EMODEL or FORMA_ELIMIT, and the builder must then be
 * given to builder_abandon.
 */
#ifndef FORMA_TOKENMASK_VOCABULARY_H
#define FORMA_TOKENMASK_VOCABULARY_H

#include "base/gguf.h"
#include "base/token_spelling.h"
#include "tokenmask/string_tokens.h"

#define VOCABULARY_MAX_TOKENS      (1u << 24) /* so that a wild id costs no memory */
#define VOCABULARY_MAX_TOKEN_BYTES (1u << 16)

struct json_pool;
struct matcher_pool;
struct forma_vocabulary {
    const struct forma_allocator *allocator;
    struct token_span *spans; /* n_tokens */
    size_t n_tokens;          /* the largest id + 1 */
    unsigned char *text;
    size_t text_size;
    uint32_t *eos; /* no id twice */
    size_t n_eos;
    bool alphabet[256];
    struct trie trie;
    struct string_tokens strings;
    struct json_pool *machines;    /* for the grammars that are made for it */
    struct matcher_pool *matchers; /* and their matchers */
};

/* Is there a token that is this byte alone? (forma_vocabulary_alphabet has all 256 answers.) */
bool vocabulary_spells_byte(const struct forma_vocabulary *v, unsigned char byte);

/* Which tokens end a sequence: each one spelled as in the file, or its id in digits. NULL in place
 * of a list: the file or the tokens' names tell. */
struct vocabulary_ends {
    const char *const *list;
    size_t count;
};

/* From an open file; the file is not needed afterwards. */
struct forma_vocabulary *vocabulary_from_gguf(const struct gguf *file,
                                              const struct vocabulary_ends *ends,
                                              const struct forma_allocator *allocator,
                                              struct forma_error *err);
/* From the text of a tokenizer.json. */
struct forma_vocabulary *vocabulary_from_json(const char *text, size_t length,
                                              const struct vocabulary_ends *ends,
                                              const struct forma_allocator *allocator,
                                              struct forma_error *err);

/* ---- making one ---------------------------------------------------------------------------- */

struct vocabulary_builder {
    struct forma_vocabulary *v;
    size_t spans_capacity, text_capacity, eos_capacity;
};

enum forma_status builder_begin(struct vocabulary_builder *b,
                                const struct forma_allocator *allocator, struct forma_error *err);
/* Token `id` with its bytes as `spelling` has them; length 0 = control. A second put replaces. */
enum forma_status builder_put(struct vocabulary_builder *b, uint64_t id, enum spelling spelling,
                              const char *piece, size_t length, struct forma_error *err);
/* Makes it an end token without bytes. */
enum forma_status builder_put_eos(struct vocabulary_builder *b, uint64_t id,
                                  struct forma_error *err);
/* A token that the file, or its name, calls an end token: a control token where `ends` has others. */
enum forma_status builder_put_end(struct vocabulary_builder *b, uint64_t id,
                                  const struct vocabulary_ends *ends, struct forma_error *err);
/* Makes each of `ends` an end token; `find` gives the id of the token that the file spells so, or
 * UINT64_MAX. FORMA_EINVAL names the one that is no token. */
enum forma_status builder_put_ends(struct vocabulary_builder *b, const struct vocabulary_ends *ends,
                                   uint64_t (*find)(const void *file, const char *spelling),
                                   const void *file, struct forma_error *err);
/* Was this id put? */
bool builder_has(const struct vocabulary_builder *b, uint64_t id);
/* NULL on failure; the builder is used up either way. */
struct forma_vocabulary *builder_finish(struct vocabulary_builder *b, struct forma_error *err);
void builder_abandon(struct vocabulary_builder *b);

#endif
