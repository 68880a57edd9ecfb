/* SPDX-License-Identifier: MIT
 *
 * The vocabulary of a Hugging Face tokenizer.json: the pieces and ids of `model.vocab`, the
 * decoder that says how pieces spell bytes, and `added_tokens`: special ones are control tokens,
 * the others are text. Kinds of tokenizer whose decoder is not known here are refused: a guessed
 * spelling would make masks that look right and are not.
 *
 * The tree comes from cJSON, whose memory is the C library's and is gone when the call returns.
 */
#include "tokenmask/vocabulary.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/error.h"

struct reader {
    struct vocabulary_builder builder;
    enum spelling spelling;
    bool byte_tokens; /* <0xNN> is a byte */
};

static const char *string_of(const cJSON *object, const char *name) {
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return s ? s : "";
}

static bool is(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* ---- how pieces spell bytes ---------------------------------------------------------------- */

static enum forma_status read_decoder(struct reader *r, const cJSON *decoder,
                                      struct forma_error *err) {
    static const char blank[] = "\xE2\x96\x81";
    const char *type = string_of(decoder, "type");
    if (is(type, "ByteLevel")) {
        r->spelling = SPELLING_BYTE_LEVEL;
    } else if (is(type, "Metaspace") && is(string_of(decoder, "replacement"), blank)) {
        r->spelling = SPELLING_SENTENCE;
    } else if (is(type, "Replace") && is(string_of(decoder, "content"), " ") &&
               is(string_of(cJSON_GetObjectItemCaseSensitive(decoder, "pattern"), "String"),
                  blank)) {
        r->spelling = SPELLING_SENTENCE;
    } else if (is(type, "ByteFallback")) {
        r->byte_tokens = true;
    } else if (!is(type, "Fuse") && !is(type, "Strip")) { /* these change whole texts, not tokens */
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/decoder",
                                "the decoder \"%.40s\" is not supported; byte-level and "
                                "sentence-piece decoders are",
                                type);
    }
    return FORMA_OK;
}

static enum forma_status read_decoders(struct reader *r, const cJSON *root,
                                       struct forma_error *err) {
    const cJSON *decoder = cJSON_GetObjectItemCaseSensitive(root, "decoder");
    const cJSON *model = cJSON_GetObjectItemCaseSensitive(root, "model");
    r->byte_tokens = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(model, "byte_fallback"));
    r->spelling = SPELLING_PLAIN;
    if (is(string_of(decoder, "type"), "Sequence")) {
        const cJSON *part;
        cJSON_ArrayForEach(part, cJSON_GetObjectItemCaseSensitive(decoder, "decoders")) {
            enum forma_status status = read_decoder(r, part, err);
            if (status) return status;
        }
    } else {
        enum forma_status status = read_decoder(r, decoder, err);
        if (status) return status;
    }
    if (r->spelling == SPELLING_PLAIN)
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/decoder",
                                "the decoder does not say how tokens spell blanks");
    if (*string_of(model, "end_of_word_suffix") || *string_of(model, "continuing_subword_prefix"))
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/model",
                                "tokens with a word prefix or suffix are not supported");
    return FORMA_OK;
}

/* ---- tokens -------------------------------------------------------------------------------- */

static bool id_of(const cJSON *number, uint64_t *out) {
    if (!cJSON_IsNumber(number)) return false;
    double d = number->valuedouble;
    if (!(d >= 0 && d < 4294967296.0)) return false;
    *out = (uint64_t)d;
    return (double)*out == d;
}

static enum forma_status put_piece(struct reader *r, uint64_t id, const char *piece,
                                   struct forma_error *err) {
    size_t length = strlen(piece);
    int byte = r->byte_tokens ? spelling_byte_token(piece, length) : -1;
    if (builder_has(&r->builder, id))
        return error_at_pointer(err, FORMA_EMODEL, "/model/vocab", "two tokens have the id %llu",
                                (unsigned long long)id);
    if (byte >= 0) {
        char c = (char)byte;
        return builder_put(&r->builder, id, SPELLING_PLAIN, &c, 1, err);
    }
    return builder_put(&r->builder, id, r->spelling, piece, length, err);
}

/* BPE: an object from piece to id. */
static enum forma_status read_bpe(struct reader *r, const cJSON *model, struct forma_error *err) {
    const char *unknown = string_of(model, "unk_token");
    const cJSON *token;
    cJSON_ArrayForEach(token, cJSON_GetObjectItemCaseSensitive(model, "vocab")) {
        uint64_t id;
        if (!id_of(token, &id))
            return error_at_pointer(err, FORMA_EMODEL, "/model/vocab",
                                    "the id of \"%.40s\" is not a token id", token->string);
        const char *piece = *unknown && is(token->string, unknown) ? "" : token->string;
        enum forma_status status = put_piece(r, id, piece, err);
        if (status) return status;
    }
    return FORMA_OK;
}

/* Unigram: a list of [piece, score]; the id is the place. */
static enum forma_status read_unigram(struct reader *r, const cJSON *model,
                                      struct forma_error *err) {
    uint64_t unknown = UINT64_MAX, id = 0;
    id_of(cJSON_GetObjectItemCaseSensitive(model, "unk_id"), &unknown);
    const cJSON *token;
    cJSON_ArrayForEach(token, cJSON_GetObjectItemCaseSensitive(model, "vocab")) {
        const char *piece = cJSON_GetStringValue(cJSON_GetArrayItem(token, 0));
        if (!piece)
            return error_at_pointer(err, FORMA_EMODEL, "/model/vocab", "token %llu has no text",
                                    (unsigned long long)id);
        enum forma_status status = put_piece(r, id, id == unknown ? "" : piece, err);
        if (status) return status;
        id++;
    }
    return FORMA_OK;
}

/* Added tokens replace what the model's vocabulary says of their id. In sentence-piece files the
 * decoder turns blanks in them too; byte-level files have them as they are written. */
static enum forma_status read_added(struct reader *r, const cJSON *root, struct forma_error *err) {
    const cJSON *token;
    cJSON_ArrayForEach(token, cJSON_GetObjectItemCaseSensitive(root, "added_tokens")) {
        const char *content =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(token, "content"));
        bool special = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(token, "special"));
        uint64_t id;
        if (!content || !id_of(cJSON_GetObjectItemCaseSensitive(token, "id"), &id))
            return error_at_pointer(err, FORMA_EMODEL, "/added_tokens",
                                    "an added token has no id or no content");
        size_t length = strlen(content);
        enum spelling spelling =
            r->spelling == SPELLING_SENTENCE ? SPELLING_SENTENCE : SPELLING_PLAIN;
        enum forma_status status =
            spelling_names_end(content, length, special)
                ? builder_put_eos(&r->builder, id, err)
                : builder_put(&r->builder, id, spelling, content, special ? 0 : length, err);
        if (status) return status;
    }
    return FORMA_OK;
}

static enum forma_status read_root(struct reader *r, const cJSON *root, struct forma_error *err) {
    const cJSON *model = cJSON_GetObjectItemCaseSensitive(root, "model");
    const cJSON *vocab = cJSON_GetObjectItemCaseSensitive(model, "vocab");
    const char *type = string_of(model, "type");
    enum forma_status status;
    if (!cJSON_IsObject(model) || !(cJSON_IsObject(vocab) || cJSON_IsArray(vocab)))
        return error_at_pointer(err, FORMA_EMODEL, "/model/vocab",
                                "the file has no vocabulary; is it a tokenizer.json?");
    if (!is(type, "BPE") && !is(type, "Unigram") && *type)
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/model/type",
                                "the tokenizer model \"%.40s\" is not supported; BPE and Unigram "
                                "are",
                                type);
    if ((status = read_decoders(r, root, err))) return status;
    status = cJSON_IsObject(vocab) ? read_bpe(r, model, err) : read_unigram(r, model, err);
    if (status) return status;
    return read_added(r, root, err);
}

/* cJSON's strings end at the first NUL: a token with an escaped one would lose its end. Offset of
 * the escape, or SIZE_MAX. */
static size_t find_escaped_nul(const char *text, size_t length) {
    for (size_t i = 0; i + 6 <= length; i++) {
        if (text[i] != '\\') continue;
        if (memcmp(text + i, "\\u0000", 6) == 0) return i;
        i++; /* the escaped character */
    }
    return SIZE_MAX;
}

static bool only_blanks(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!text[i] || !strchr(" \t\r\n", text[i])) return false;
    return true;
}

struct forma_vocabulary *vocabulary_from_json(const char *text, size_t length,
                                              const struct forma_allocator *allocator,
                                              struct forma_error *err) {
    struct forma_vocabulary *v = NULL;
    struct reader r = {0};
    const char *end = NULL;
    size_t nul = find_escaped_nul(text, length);
    if (nul != SIZE_MAX) {
        error_at_offset(err, FORMA_EUNSUPPORTED, nul, "a token holds a NUL character");
        return NULL;
    }
    cJSON *root = length ? cJSON_ParseWithLengthOpts(text, length, &end, 0) : NULL;
    if (!root || !only_blanks(end, length - (size_t)(end - text))) {
        error_at_text(err, FORMA_EMODEL, text, length, end ? (size_t)(end - text) : 0,
                      "neither a GGUF file nor JSON text");
    } else if (builder_begin(&r.builder, allocator, err) == FORMA_OK) {
        if (read_root(&r, root, err) == FORMA_OK)
            v = builder_finish(&r.builder, err);
        else
            builder_abandon(&r.builder);
    }
    cJSON_Delete(root);
    return v;
}
