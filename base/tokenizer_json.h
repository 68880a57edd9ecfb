/* SPDX-License-Identifier: MIT
 *
 * The parts of a Hugging Face tokenizer.json: pieces by id, merges by rank, added tokens, and the
 * chains of normalizers, pre-tokenizers and decoders as lists. What they mean is for those who
 * read it: tokenmask makes a vocabulary of it, runtime an encoder. A file is not trusted: ids are
 * bounded and no id is there twice.
 *
 * Strings point into the text that was parsed or into the arena; both must outlive their use. Made
 * once, then read-only. Cost: one pass over the text.
 */
#ifndef FORMA_BASE_TOKENIZER_JSON_H
#define FORMA_BASE_TOKENIZER_JSON_H

#include "base/json_pull.h"

#define TOKENIZER_JSON_MAX_TOKENS (UINT32_C(1) << 24) /* so that a wild id costs no memory */
#define TOKENIZER_JSON_MAX_BYTES  ((size_t)1 << 30)

struct tokenizer_merge {
    struct json_string left, right;
};

struct tokenizer_added {
    struct json_string content;
    uint32_t id;
    bool special;        /* a control token */
    bool normalized;     /* looked for in the text after normalizing, not before */
    bool lstrip, rstrip; /* takes the blanks beside it */
    bool single_word;    /* not inside a word */
};

/* One normalizer, pre-tokenizer or decoder. Members that a type does not have are as if absent. */
struct tokenizer_part {
    struct json_string type, pattern, content, behavior, replacement, prepend, prepend_scheme;
    bool pattern_is_regex, invert, individual_digits;
    bool add_prefix_space, use_regex, split; /* true where the file is silent */
};
struct tokenizer_parts {
    struct tokenizer_part *list;
    uint32_t count;
};

struct tokenizer_json {
    struct arena arena;
    size_t text_length;
    struct json_string model_type, unk_token, word_prefix, word_suffix;
    bool has_vocab, byte_fallback, fuse_unk, ignore_merges, has_dropout;
    uint32_t unk_id;            /* of Unigram; UINT32_MAX: none */
    struct json_string *pieces; /* by id; data NULL: no such token */
    uint32_t n_pieces;
    struct tokenizer_merge *merges;
    uint32_t n_merges;
    struct tokenizer_added *added;
    uint32_t n_added;
    struct tokenizer_parts normalizers, pre_tokenizers, decoders; /* sequences laid flat */
};

/* `merges`: are they wanted? Else they are skipped. On failure (FORMA_EMODEL, FORMA_EMEMORY)
 * nothing is held. */
enum forma_status tokenizer_json_read(struct tokenizer_json *t, const char *text, size_t length,
                                      bool merges, const struct forma_allocator *allocator,
                                      struct forma_error *err);
/* A zeroed one is fine. */
void tokenizer_json_destroy(struct tokenizer_json *t);

#endif
