/* SPDX-License-Identifier: MIT
 *
 * From the parts of a tokenizer.json to tables. As in GGUF files every id, merge and spelling is
 * checked. The model's pieces can be made by merging; added tokens cannot unless they are among
 * those, and what is special among them is never text.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/token_spelling.h"
#include "runtime/tokenizer_internal.h"

struct loader {
    struct tokenizer *t;
    const struct tokenizer_json *file;
    enum spelling spelling;
    struct forma_error *err;
};

static enum forma_status no_memory(struct loader *l) {
    return error_set(l->err, FORMA_EMEMORY, "no memory for the vocabulary");
}

static bool has_part(const struct tokenizer_parts *parts, const char *type) {
    for (uint32_t i = 0; i < parts->count; i++)
        if (json_string_is(parts->list[i].type, type)) return true;
    return false;
}

static bool copy_text(struct loader *l, struct json_string from, struct gguf_string *to) {
    to->data = arena_push_copy(&l->t->arena, from.data, from.length);
    to->length = from.length;
    return to->data != NULL;
}

/* ---- tokens -------------------------------------------------------------------------------- */

/* The bytes that the piece stands for. */
static bool spell(struct loader *l, struct token *token) {
    struct gguf_string piece = token->piece;
    unsigned char *bytes = arena_push(&l->t->arena, piece.length);
    if (!bytes) return false;
    token->bytes = bytes;
    token->byte_level =
        l->spelling == SPELLING_BYTE_LEVEL && spelling_is_byte_level(piece.data, piece.length);
    int byte = l->t->byte_fallback ? spelling_byte_token(piece.data, piece.length) : -1;
    if (byte >= 0) {
        bytes[0] = (unsigned char)byte;
        token->length = 1;
    } else {
        token->length = (uint32_t)spelling_decode(l->spelling, piece.data, piece.length, bytes);
    }
    return true;
}

static enum forma_status load_piece(struct loader *l, uint32_t id) {
    struct tokenizer *t = l->t;
    struct token *token = &t->tokens[id];
    if (l->file->pieces[id].length > INT32_MAX)
        return error_at_pointer(l->err, FORMA_EMODEL, "/model/vocab",
                                "token %" PRIu32 " is too long", id);
    if (!copy_text(l, l->file->pieces[id], &token->piece)) return no_memory(l);
    struct gguf_string piece = token->piece;
    uint32_t same = tokenizer_find_piece(t, piece.data, piece.length);
    if (same != BPE_NONE)
        return error_at_pointer(l->err, FORMA_EMODEL, "/model/vocab",
                                "tokens %" PRIu32 " and %" PRIu32 " have the same spelling", same,
                                id);
    if (!table_add(&t->pieces, fa_hash(piece.data, piece.length), id)) return no_memory(l);
    struct json_string unknown = l->file->unk_token;
    if (unknown.length && unknown.length == piece.length &&
        memcmp(unknown.data, piece.data, piece.length) == 0) {
        token->type = TOKEN_UNKNOWN;
        t->unknown = id;
        return FORMA_OK;
    }
    token->type = TOKEN_NORMAL;
    return spell(l, token) ? FORMA_OK : no_memory(l);
}

static enum forma_status load_added(struct loader *l, const struct tokenizer_added *a) {
    struct tokenizer *t = l->t;
    struct token *token = &t->tokens[a->id];
    struct gguf_string text;
    if (a->single_word)
        return error_at_pointer(l->err, FORMA_EUNSUPPORTED, "/added_tokens",
                                "token %" PRIu32 " is added as a single word, which is not "
                                "supported",
                                a->id);
    if (!a->content.length || a->content.length > INT32_MAX)
        return error_at_pointer(l->err, FORMA_EMODEL, "/added_tokens",
                                "token %" PRIu32 " is empty or too long", a->id);
    if (!copy_text(l, a->content, &text)) return no_memory(l);
    bool byte_level = token->byte_level;
    token->piece = text;
    token->type = a->special ? TOKEN_CONTROL : TOKEN_USER_DEFINED;
    token->length = 0;
    token->bytes = (const unsigned char *)"";
    if (!a->special) {
        enum spelling spelling = l->spelling;
        if (spelling == SPELLING_BYTE_LEVEL) l->spelling = SPELLING_PLAIN;
        bool ok = spell(l, token);
        l->spelling = spelling;
        if (!ok) return no_memory(l);
    }
    /* Merging may still make it if it is one of the model's pieces. */
    token->byte_level = byte_level;
    struct added_set *set = &t->added[a->normalized];
    set->list[set->count++] = (struct added_token){text, a->id, a->special, a->lstrip, a->rstrip};
    return FORMA_OK;
}

/* Texts that are looked for in normalized text are normalized themselves. */
static enum forma_status normalize_added(struct loader *l) {
    struct tokenizer *t = l->t;
    struct normalizer_scratch scratch = {.allocator = t->allocator};
    bool ok = true;
    for (uint32_t i = 0; i < t->added[1].count && ok; i++) {
        struct added_token *a = &t->added[1].list[i];
        struct json_string text = {a->text.data, a->text.length};
        ok = normalizer_apply(&t->normalizer, &scratch, NORMALIZE_PART, &text) &&
             (text.data == a->text.data || copy_text(l, text, &a->text));
    }
    normalizer_scratch_destroy(&scratch);
    if (!ok) return no_memory(l);
    added_set_finish(&t->added[0]);
    added_set_finish(&t->added[1]);
    return FORMA_OK;
}

static enum forma_status load_tokens(struct loader *l) {
    struct tokenizer *t = l->t;
    const struct tokenizer_json *file = l->file;
    t->n_tokens = file->n_pieces;
    for (uint32_t i = 0; i < file->n_added; i++)
        if (file->added[i].id >= t->n_tokens) t->n_tokens = file->added[i].id + 1;
    t->tokens = arena_push_array(&t->arena, t->n_tokens, sizeof *t->tokens);
    t->eos = arena_push_array(&t->arena, file->n_added, sizeof *t->eos);
    for (int i = 0; i < 2; i++)
        t->added[i].list = arena_push_array(&t->arena, file->n_added, sizeof *t->added[i].list);
    if (!t->tokens || !t->eos || !t->added[0].list || !t->added[1].list ||
        !table_init(&t->pieces, &t->arena, t->n_tokens + t->n_tokens / 2 + 8))
        return no_memory(l);
    enum forma_status status = FORMA_OK;
    for (uint32_t id = 0; id < t->n_tokens && !status; id++) {
        t->tokens[id].piece = (struct gguf_string){"", 0};
        t->tokens[id].bytes = (const unsigned char *)"";
        t->tokens[id].type = TOKEN_UNUSED;
        if (id < file->n_pieces && file->pieces[id].data) status = load_piece(l, id);
    }
    for (uint32_t i = 0; i < file->n_added && !status; i++) {
        const struct tokenizer_added *a = &file->added[i];
        status = load_added(l, a);
        if (!status && spelling_names_end(a->content.data, a->content.length, a->special)) {
            t->tokens[a->id].length = 0;
            t->eos[t->n_eos++] = a->id;
        }
    }
    return status ? status : normalize_added(l);
}

/* ---- merges -------------------------------------------------------------------------------- */

static void find_byte_tokens(struct loader *l) {
    struct tokenizer *t = l->t;
    for (uint32_t id = 0; id < l->file->n_pieces; id++) {
        const struct token *token = &t->tokens[id];
        struct gguf_string piece = token->piece;
        int byte = -1;
        if (t->by_characters)
            byte = t->byte_fallback ? spelling_byte_token(piece.data, piece.length) : -1;
        else if (token->byte_level && token->length == 1)
            byte = token->bytes[0];
        if (byte >= 0) t->bpe.byte_token[byte] = id;
    }
}

static enum forma_status load_merge(struct loader *l, uint32_t rank, char *joined) {
    static const char *const what[3] = {"its left side", "its right side", "its result"};
    struct tokenizer *t = l->t;
    struct json_string left = l->file->merges[rank].left, right = l->file->merges[rank].right;
    memcpy(joined, left.data, left.length);
    memcpy(joined + left.length, right.data, right.length);
    uint32_t ids[3] = {tokenizer_find_piece(t, left.data, left.length),
                       tokenizer_find_piece(t, right.data, right.length),
                       tokenizer_find_piece(t, joined, left.length + right.length)};
    for (int i = 0; i < 3; i++) {
        if (ids[i] == BPE_NONE)
            return error_at_pointer(l->err, FORMA_EMODEL, "/model/merges",
                                    "merge %" PRIu32 ": %s is no token", rank, what[i]);
        if (t->tokens[ids[i]].type == TOKEN_CONTROL)
            return error_at_pointer(l->err, FORMA_EMODEL, "/model/merges",
                                    "merge %" PRIu32 ": %s is a control token", rank, what[i]);
    }
    if (left.length && right.length) {
        unsigned char last = (unsigned char)left.data[left.length - 1];
        unsigned char first = (unsigned char)right.data[0];
        t->bpe.seams[last * 4u + first / 64u] |= UINT64_C(1) << first % 64;
    }
    enum bpe_add added = bpe_add_merge(&t->bpe, ids[0], ids[1], ids[2]);
    if (added == BPE_DUPLICATE)
        return error_at_pointer(l->err, FORMA_EMODEL, "/model/merges",
                                "merge %" PRIu32 " is there twice", rank);
    return added == BPE_ADDED ? FORMA_OK : no_memory(l);
}

static enum forma_status load_merges(struct loader *l) {
    struct tokenizer *t = l->t;
    const struct tokenizer_json *file = l->file;
    size_t longest = 0;
    if (!bpe_init(&t->bpe, &t->arena, file->n_merges)) return no_memory(l);
    find_byte_tokens(l);
    for (uint32_t i = 0; i < file->n_merges; i++) {
        size_t length = file->merges[i].left.length + file->merges[i].right.length;
        if (length > longest) longest = length;
    }
    char *joined = arena_push(&t->arena, longest);
    if (!joined) return no_memory(l);
    enum forma_status status = FORMA_OK;
    for (uint32_t i = 0; i < file->n_merges && !status; i++) status = load_merge(l, i, joined);
    return status;
}

/* ---- the file ------------------------------------------------------------------------------ */

static enum forma_status check_model(struct loader *l) {
    const struct tokenizer_json *file = l->file;
    if (!file->n_pieces)
        return error_at_pointer(l->err, FORMA_EMODEL, "/model/vocab",
                                "the file has no vocabulary; is it a tokenizer.json?");
    if (!json_string_is(file->model_type, "BPE") && file->model_type.length)
        return error_at_pointer(l->err, FORMA_EUNSUPPORTED, "/model/type",
                                "text cannot be encoded by a tokenizer of the kind \"%.*s\" yet; "
                                "only BPE can",
                                (int)(file->model_type.length < 40 ? file->model_type.length : 40),
                                file->model_type.data);
    if (file->has_dropout)
        return error_at_pointer(l->err, FORMA_EUNSUPPORTED, "/model/dropout",
                                "merges that are left out by chance are not supported");
    if (has_part(&file->decoders, "ByteLevel") && !has_part(&file->pre_tokenizers, "ByteLevel"))
        return error_at_pointer(
            l->err, FORMA_EUNSUPPORTED, "/pre_tokenizer",
            "pieces are spelled in bytes, but nothing makes bytes of the text; a "
            "ByteLevel pre-tokenizer should");
    if (file->word_prefix.length || file->word_suffix.length)
        return error_at_pointer(l->err, FORMA_EUNSUPPORTED, "/model",
                                "tokens with a word prefix or suffix are not supported");
    return FORMA_OK;
}

static bool index_words(struct tokenizer *t) {
    if (!t->ignore_merges || t->by_characters) return true;
    if (!table_init(&t->words, &t->arena, t->n_tokens + t->n_tokens / 2 + 8)) return false;
    for (uint32_t id = 0; id < t->n_tokens; id++) {
        const struct token *token = &t->tokens[id];
        if (token->byte_level && !table_add(&t->words, fa_hash(token->bytes, token->length), id))
            return false;
    }
    return true;
}

enum forma_status tokenizer_load_json(struct tokenizer *t, const struct tokenizer_json *file,
                                      struct forma_error *err) {
    struct loader l = {.t = t, .file = file, .err = err};
    enum forma_status status = check_model(&l);
    if (status) return status;
    bool by_bytes = has_part(&file->pre_tokenizers, "ByteLevel");
    t->by_characters = !by_bytes;
    t->ignore_merges = file->ignore_merges;
    t->byte_fallback = file->byte_fallback && !by_bytes;
    t->fuse_unknown = file->fuse_unk;
    t->unknown = BPE_NONE;
    t->bos = -1;
    l.spelling = has_part(&file->decoders, "ByteLevel") ? SPELLING_BYTE_LEVEL : SPELLING_SENTENCE;

    /* What the tables take, roundly: address space costs nothing until it is touched. */
    size_t space, count = (size_t)file->n_pieces + file->n_added + file->n_merges;
    if (!fa_mul_size(count, 512, &space) ||
        __builtin_add_overflow(space, 2 * file->text_length, &space) ||
        !arena_init(&t->arena, t->allocator, space + ((size_t)1 << 20)))
        return no_memory(&l);
    status = normalizer_init(&t->normalizer, &file->normalizers, &t->arena, err);
    if (!status) status = normalizer_init_prefix(&t->prefix, &file->pre_tokenizers, &t->arena, err);
    if (!status) status = load_tokens(&l);
    if (!status) status = load_merges(&l);
    if (!status && !index_words(t)) status = no_memory(&l);
    if (status) return status;
    t->pretokenizer = pretokenizer_from_parts(&file->pre_tokenizers, t->allocator, err);
    return t->pretokenizer ? FORMA_OK : err ? err->status : FORMA_EMEMORY;
}
