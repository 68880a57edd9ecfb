/* SPDX-License-Identifier: MIT
 *
 * Text to token ids and back, by BPE: the text is normalized and split into pieces, of which the
 * symbols are bytes or characters at first; the pair of lowest merge rank is merged first, leftmost
 * on ties. From a GGUF file (byte-level BPE, "gpt2" there) or a tokenizer.json. Added tokens
 * (control, user-defined) are recognised only where the caller says so: in a chat template's text,
 * never in the user's. Immutable after open: shared by threads; encoding works in the caller's
 * `struct token_list`.
 */
#ifndef FORMA_RUNTIME_TOKENIZER_H
#define FORMA_RUNTIME_TOKENIZER_H

#include "base/gguf.h"

struct tokenizer;

/* Which added tokens are recognised in a text? */
enum encode_added {
    ENCODE_PLAIN,   /* none: no text becomes one, whatever it spells */
    ENCODE_SPECIAL, /* all */
    ENCODE_TEXT     /* those that are no control tokens */
};

struct token_list {
    const struct forma_allocator *allocator; /* NULL = default; set before first use */
    uint32_t *ids;
    size_t count, capacity;
    size_t n_dropped; /* bytes of valid text left out: the vocabulary has no token for them */
};
void token_list_destroy(struct token_list *list);
bool token_list_push(struct token_list *list, uint32_t id); /* false: no memory */

/* The gguf must outlive the tokenizer. */
struct tokenizer *tokenizer_open(const struct gguf *model, const struct forma_allocator *allocator,
                                 struct forma_error *err);
/* From the text of a tokenizer.json, which is not needed afterwards. */
struct tokenizer *tokenizer_from_json(const char *text, size_t length,
                                      const struct forma_allocator *allocator,
                                      struct forma_error *err);
/* From a file of either kind, told apart by its content. */
struct tokenizer *tokenizer_open_file(const char *path, const struct forma_allocator *allocator,
                                      struct forma_error *err);
void tokenizer_free(struct tokenizer *t);

/* Appends the ids of the text. A byte of valid text that no token can spell (SmolLM2 has none for
 * the control character 04, say) is left out and counted in out->n_dropped: other implementations
 * leave it out too, so ids stay equal to theirs. Invalid UTF-8 is encoded byte by byte where the
 * vocabulary has the bytes; otherwise FORMA_EINVAL names the offset. Added tokens are looked for
 * first, the leftmost, the longest of those. Adds no BOS or EOS. On failure `out` is as it was.
 * O(n log n) in the length of the text. */
enum forma_status tokenizer_encode(const struct tokenizer *t, const char *text, size_t length,
                                   enum encode_added which, struct token_list *out,
                                   struct forma_error *err);

/* A text in parts, of which some may hold special tokens (a chat template's own) and some may not
 * (the messages'). The ids are those of the whole text: plain text merges over the seams of the
 * parts, as encoding part by part would not; a special token never spans a seam. Offsets in
 * errors count from the start of the whole. */
struct text_span {
    const char *text;
    size_t length;
    bool parse_special;
};
enum forma_status tokenizer_encode_spans(const struct tokenizer *t, const struct text_span *spans,
                                         size_t n_spans, struct token_list *out,
                                         struct forma_error *err);

/* Encodes pieces of text that go on behind others, as ENCODE_TEXT does, but puts nothing in front
 * of them. Its memory is kept: pieces of up to `most` bytes allocate nothing, but by tokenizers that
 * normalize. The tokenizer must outlive it; one owner. */
struct continuation;
struct continuation *continuation_new(const struct tokenizer *t, size_t most,
                                      const struct forma_allocator *allocator,
                                      struct forma_error *err);
/* Of type forma_encode_fn, with the continuation as its context. Writes as many ids as there is room
 * for; 0: the text cannot be encoded. */
size_t continuation_encode(void *continuation, const unsigned char *text, size_t length,
                           uint32_t *ids, size_t capacity);
void continuation_free(struct continuation *c); /* NULL is fine */

size_t tokenizer_size(const struct tokenizer *t);
/* The bytes that a token stands for ("" length 0 for control tokens); NULL: no such id. */
const unsigned char *tokenizer_bytes(const struct tokenizer *t, uint32_t id, size_t *length);
/* The piece as the file spells it (for display). */
struct gguf_string tokenizer_piece(const struct tokenizer *t, uint32_t id);
bool tokenizer_is_control(const struct tokenizer *t, uint32_t id);
/* All tokens that end a turn or text (eos, eot, ...). */
const uint32_t *tokenizer_eos(const struct tokenizer *t, size_t *count);
/* -1 where there is none. */
int64_t tokenizer_bos(const struct tokenizer *t);
bool tokenizer_adds_bos(const struct tokenizer *t);

/* Streaming decoder: holds back incomplete UTF-8. */
struct text_decoder {
    unsigned char held[4];
    unsigned n_held;
};
/* Bytes of the token behind what was held; writes complete characters to out and keeps the
 * incomplete rest. Returns bytes written. Bytes that can never be completed pass through as they
 * are, or with `replace` as U+FFFD, one for each ill-formed beginning. So the capacity of out must
 * be at least 4 + length, or with `replace` 4 + 3 * length. */
size_t text_decoder_push(struct text_decoder *d, const unsigned char *bytes, size_t length,
                         bool replace, unsigned char *out);
/* At the end: what is still held (as U+FFFD when `replace`). */
size_t text_decoder_finish(struct text_decoder *d, bool replace, unsigned char *out);

/* The vocabulary that masks need, from the same file. */
struct forma_vocabulary *tokenizer_vocabulary(const struct tokenizer *t, struct forma_error *err);

#endif
