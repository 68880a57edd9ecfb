/* SPDX-License-Identifier: MIT
 *
 * The vocabulary of a GGUF file: the keys tokenizer.ggml.model, .tokens, .token_type and the ids
 * of the end tokens. Two models are read: "gpt2" (byte-level pieces) and "llama" (sentence-piece
 * pieces, with <0xNN> for lone bytes). Of the token types normal (1), user-defined (4) and byte
 * (6) are text; unknown (2), control (3) and unused (5) never are.
 */
#include "tokenmask/vocabulary.h"

#include <string.h>

#include "base/error.h"

enum token_type { TYPE_NORMAL = 1, TYPE_UNKNOWN, TYPE_CONTROL, TYPE_USER, TYPE_UNUSED, TYPE_BYTE };

static bool is(struct gguf_string s, const char *name) {
    return s.length == strlen(name) && memcmp(s.data, name, s.length) == 0;
}

static enum forma_status put_token(struct vocabulary_builder *b, uint64_t id, int64_t type,
                                   struct gguf_string piece, enum spelling spelling,
                                   const struct vocabulary_ends *ends, struct forma_error *err) {
    bool is_end = spelling_names_end(piece.data, piece.length, type == TYPE_CONTROL);
    if (is_end && (type == TYPE_CONTROL || type == TYPE_USER))
        return builder_put_end(b, id, ends, err);
    switch (type) {
    case TYPE_NORMAL: return builder_put(b, id, spelling, piece.data, piece.length, err);
    case TYPE_USER: /* written as it is; only sentence-piece's blank never stands for itself */
        if (spelling == SPELLING_BYTE_LEVEL) spelling = SPELLING_PLAIN;
        return builder_put(b, id, spelling, piece.data, piece.length, err);
    case TYPE_BYTE: {
        int byte = spelling_byte_token(piece.data, piece.length);
        if (byte < 0)
            return error_at_pointer(err, FORMA_EMODEL, "tokenizer.ggml.tokens",
                                    "token %llu has the type of a byte but is not <0xNN>",
                                    (unsigned long long)id);
        char c = (char)byte;
        return builder_put(b, id, SPELLING_PLAIN, &c, 1, err);
    }
    case TYPE_UNKNOWN:
    case TYPE_CONTROL:
    case TYPE_UNUSED: return builder_put(b, id, SPELLING_PLAIN, NULL, 0, err);
    default:
        return error_at_pointer(err, FORMA_EMODEL, "tokenizer.ggml.token_type",
                                "token %llu has the unknown type %lld", (unsigned long long)id,
                                (long long)type);
    }
}

/* The keys that name an end token, beside the tokens that are known by name. */
static enum forma_status put_end_keys(struct vocabulary_builder *b, const struct gguf *file,
                                      uint64_t n_tokens, const struct vocabulary_ends *ends,
                                      struct forma_error *err) {
    static const char *const keys[] = {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                                       "tokenizer.ggml.eom_token_id"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        uint64_t id;
        if (!gguf_get_u64(file, keys[i], &id)) continue;
        if (id >= n_tokens)
            return error_at_pointer(err, FORMA_EMODEL, keys[i],
                                    "token %llu is not in the vocabulary of %llu tokens",
                                    (unsigned long long)id, (unsigned long long)n_tokens);
        enum forma_status status = builder_put_end(b, id, ends, err);
        if (status) return status;
    }
    return FORMA_OK;
}

static enum forma_status find_spelling(const struct gguf *file, enum spelling *out,
                                       struct forma_error *err) {
    static const char key[] = "tokenizer.ggml.model";
    struct gguf_string model;
    if (!gguf_get_string(file, key, &model))
        return error_at_pointer(err, FORMA_EMODEL, key, "the file names no tokenizer model");
    if (is(model, "gpt2"))
        *out = SPELLING_BYTE_LEVEL;
    else if (is(model, "llama"))
        *out = SPELLING_SENTENCE;
    else
        return error_at_pointer(err, FORMA_EUNSUPPORTED, key,
                                "the tokenizer model \"%.*s\" is not supported; gpt2 and llama are",
                                (int)(model.length < 40 ? model.length : 40), model.data);
    return FORMA_OK;
}

static uint64_t find_spelling_of(const void *ctx, const char *spelling) {
    const struct gguf_value *tokens = gguf_find(ctx, "tokenizer.ggml.tokens");
    const unsigned char *cursor = tokens->data;
    struct gguf_string piece;
    for (uint64_t id = 0; gguf_next_string(tokens, &cursor, &piece); id++)
        if (is(piece, spelling)) return id;
    return UINT64_MAX;
}

static enum forma_status put_tokens(struct vocabulary_builder *b, const struct gguf *file,
                                    const struct vocabulary_ends *ends, struct forma_error *err) {
    enum spelling spelling;
    enum forma_status status = find_spelling(file, &spelling, err);
    if (status) return status;
    const struct gguf_value *tokens = gguf_find(file, "tokenizer.ggml.tokens");
    const struct gguf_value *types = gguf_find(file, "tokenizer.ggml.token_type");
    if (!tokens || tokens->type != GGUF_ARRAY || tokens->element_type != GGUF_STRING)
        return error_at_pointer(err, FORMA_EMODEL, "tokenizer.ggml.tokens",
                                "the file has no list of tokens");
    if (types && (types->type != GGUF_ARRAY || types->element_type == GGUF_STRING ||
                  types->element_type == GGUF_ARRAY || types->element_type == GGUF_F32 ||
                  types->element_type == GGUF_F64 || types->count != tokens->count))
        return error_at_pointer(err, FORMA_EMODEL, "tokenizer.ggml.token_type",
                                "not a list of as many integers as there are tokens");
    if (!types && spelling == SPELLING_SENTENCE)
        return error_at_pointer(err, FORMA_EMODEL, "tokenizer.ggml.token_type",
                                "the file does not say which tokens are bytes or control tokens");
    const unsigned char *cursor = tokens->data;
    struct gguf_string piece;
    uint64_t id = 0;
    for (; id < tokens->count && gguf_next_string(tokens, &cursor, &piece); id++) {
        int64_t type = types ? gguf_array_i64(types, id) : TYPE_NORMAL;
        status = put_token(b, id, type, piece, spelling, ends, err);
        if (status) return status;
    }
    status = put_end_keys(b, file, id, ends, err);
    return status || !ends ? status : builder_put_ends(b, ends, find_spelling_of, file, err);
}

struct forma_vocabulary *vocabulary_from_gguf(const struct gguf *file,
                                              const struct vocabulary_ends *ends,
                                              const struct forma_allocator *allocator,
                                              struct forma_error *err) {
    struct vocabulary_builder b;
    if (builder_begin(&b, allocator, err)) return NULL;
    if (put_tokens(&b, file, ends, err) == FORMA_OK) return builder_finish(&b, err);
    builder_abandon(&b);
    return NULL;
}
