/* SPDX-License-Identifier: MIT
 *
 * The vocabulary of a Hugging Face tokenizer.json: the pieces and ids of `model.vocab`, the
 * decoder that says how pieces spell bytes, and `added_tokens`: special ones are control tokens,
 * the others are text. Kinds of tokenizer whose decoder is not known here are refused: a guessed
 * spelling would make masks that look right and are not.
 */
#include "base/tokenizer_json.h"

#include <string.h>

#include "base/error.h"
#include "tokenmask/vocabulary.h"

struct reader {
    const struct tokenizer_json *file;
    const struct vocabulary_ends *ends; /* NULL: the names tell */
    struct vocabulary_builder builder;
    enum spelling spelling;
    bool byte_tokens; /* <0xNN> is a byte */
};

/* ---- how pieces spell bytes ---------------------------------------------------------------- */

static enum forma_status read_decoder(struct reader *r, const struct tokenizer_part *decoder,
                                      struct forma_error *err) {
    static const char blank[] = "\xE2\x96\x81";
    if (json_string_is(decoder->type, "ByteLevel")) {
        r->spelling = SPELLING_BYTE_LEVEL;
    } else if (json_string_is(decoder->type, "Metaspace") &&
               json_string_is(decoder->replacement, blank)) {
        r->spelling = SPELLING_SENTENCE;
    } else if (json_string_is(decoder->type, "Replace") && json_string_is(decoder->content, " ") &&
               !decoder->pattern_is_regex && json_string_is(decoder->pattern, blank)) {
        r->spelling = SPELLING_SENTENCE;
    } else if (json_string_is(decoder->type, "ByteFallback")) {
        r->byte_tokens = true;
    } else if (!json_string_is(decoder->type, "Fuse") && !json_string_is(decoder->type, "Strip")) {
        /* (Those two change whole texts, not tokens.) */
        size_t n = decoder->type.length < 40 ? decoder->type.length : 40;
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/decoder",
                                "the decoder \"%.*s\" is not supported; byte-level and "
                                "sentence-piece decoders are",
                                (int)n, n ? decoder->type.data : "");
    }
    return FORMA_OK;
}

static enum forma_status read_decoders(struct reader *r, struct forma_error *err) {
    const struct tokenizer_json *file = r->file;
    r->byte_tokens = file->byte_fallback;
    r->spelling = SPELLING_PLAIN;
    for (uint32_t i = 0; i < file->decoders.count; i++) {
        enum forma_status status = read_decoder(r, &file->decoders.list[i], err);
        if (status) return status;
    }
    if (r->spelling == SPELLING_PLAIN)
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/decoder",
                                "the decoder does not say how tokens spell blanks");
    if (file->word_suffix.length || file->word_prefix.length)
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/model",
                                "tokens with a word prefix or suffix are not supported");
    return FORMA_OK;
}

/* ---- tokens -------------------------------------------------------------------------------- */

static enum forma_status put_piece(struct reader *r, uint32_t id, struct forma_error *err) {
    const struct tokenizer_json *file = r->file;
    struct json_string piece = file->pieces[id], unknown = file->unk_token;
    bool is_unknown = id == file->unk_id || (unknown.length && unknown.length == piece.length &&
                                             memcmp(unknown.data, piece.data, piece.length) == 0);
    if (is_unknown) return builder_put(&r->builder, id, SPELLING_PLAIN, NULL, 0, err);
    int byte = r->byte_tokens ? spelling_byte_token(piece.data, piece.length) : -1;
    if (byte >= 0) {
        char c = (char)byte;
        return builder_put(&r->builder, id, SPELLING_PLAIN, &c, 1, err);
    }
    return builder_put(&r->builder, id, r->spelling, piece.data, piece.length, err);
}

/* Added tokens replace what the model's vocabulary says of their id. In sentence-piece files the
 * decoder turns blanks in them too; byte-level files have them as they are written. */
static enum forma_status put_added(struct reader *r, const struct tokenizer_added *a,
                                   struct forma_error *err) {
    enum spelling spelling = r->spelling == SPELLING_SENTENCE ? SPELLING_SENTENCE : SPELLING_PLAIN;
    if (spelling_names_end(a->content.data, a->content.length, a->special))
        return builder_put_end(&r->builder, a->id, r->ends, err);
    return builder_put(&r->builder, a->id, spelling, a->content.data,
                       a->special ? 0 : a->content.length, err);
}

static bool is(struct json_string s, const char *text, size_t length) {
    return s.length == length && memcmp(s.data, text, length) == 0;
}

static uint64_t find_spelling(const void *ctx, const char *spelling) {
    const struct tokenizer_json *file = ctx;
    size_t length = strlen(spelling);
    for (uint32_t i = 0; i < file->n_added; i++)
        if (is(file->added[i].content, spelling, length)) return file->added[i].id;
    for (uint32_t id = 0; id < file->n_pieces; id++)
        if (file->pieces[id].data && is(file->pieces[id], spelling, length)) return id;
    return UINT64_MAX;
}

static enum forma_status put_all(struct reader *r, struct forma_error *err) {
    const struct tokenizer_json *file = r->file;
    struct json_string type = file->model_type;
    if (!file->has_vocab)
        return error_at_pointer(err, FORMA_EMODEL, "/model/vocab",
                                "the file has no vocabulary; is it a tokenizer.json?");
    if (type.length && !json_string_is(type, "BPE") && !json_string_is(type, "Unigram")) {
        size_t n = type.length < 40 ? type.length : 40;
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/model/type",
                                "the tokenizer model \"%.*s\" is not supported; BPE and Unigram "
                                "are",
                                (int)n, type.data);
    }
    enum forma_status status = read_decoders(r, err);
    for (uint32_t id = 0; id < file->n_pieces && !status; id++)
        if (file->pieces[id].data) status = put_piece(r, id, err);
    for (uint32_t i = 0; i < file->n_added && !status; i++)
        status = put_added(r, &file->added[i], err);
    if (!status && r->ends)
        status = builder_put_ends(&r->builder, r->ends, find_spelling, file, err);
    return status;
}

struct forma_vocabulary *vocabulary_from_json(const char *text, size_t length,
                                              const struct vocabulary_ends *ends,
                                              const struct forma_allocator *allocator,
                                              struct forma_error *err) {
    struct forma_vocabulary *v = NULL;
    struct tokenizer_json file;
    struct reader r = {.file = &file, .ends = ends};
    if (tokenizer_json_read(&file, text, length, false, allocator, err)) return NULL;
    if (builder_begin(&r.builder, allocator, err) == FORMA_OK) {
        if (put_all(&r, err) == FORMA_OK)
            v = builder_finish(&r.builder, err);
        else
            builder_abandon(&r.builder);
    }
    tokenizer_json_destroy(&file);
    return v;
}
