/* SPDX-License-Identifier: MIT
 *
 * From GGUF keys to tables. GPT-2's spelling shows each byte as a printable character: 33 to 126,
 * 161 to 172 and 174 to 255 stand for themselves, the other bytes in order for U+0100, U+0101 ...
 * A file is not trusted: every id, merge and spelling is checked, and a merge may not make a
 * control token, because then user text could.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "runtime/tokenizer_internal.h"

#define KEY_TOKENS "tokenizer.ggml.tokens"
#define KEY_TYPES  "tokenizer.ggml.token_type"
#define KEY_MERGES "tokenizer.ggml.merges"
#define STAND_INS  0x144 /* code points below; 256 bytes and the 68 moved ones */

/* A spelling for a message: printable, cut. */
struct shown {
    char text[40];
};
static struct shown show(struct gguf_string s) {
    struct shown out;
    size_t n = s.length < sizeof out.text - 4 ? s.length : sizeof out.text - 4;
    n = utf8_valid_prefix((const unsigned char *)s.data, n);
    for (size_t i = 0; i < n; i++)
        out.text[i] = (unsigned char)s.data[i] < 0x20 || s.data[i] == 0x7F ? '?' : s.data[i];
    memcpy(out.text + n, n < s.length ? "..." : "", n < s.length ? 4 : 1);
    return out;
}

/* stand_in[c] = byte + 1, or 0 for a code point that stands for none. */
static void fill_stand_ins(uint16_t stand_in[STAND_INS]) {
    memset(stand_in, 0, STAND_INS * sizeof *stand_in);
    uint16_t moved = 0;
    for (uint16_t b = 0; b < 256; b++) {
        bool itself = (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
        stand_in[itself ? b : 256 + moved++] = (uint16_t)(b + 1);
    }
}

/* The bytes behind a spelling; a spelling outside the stand-ins is text as it is. */
static bool decode_piece(struct tokenizer *t, struct token *token, const uint16_t *stand_in) {
    const unsigned char *p = (const unsigned char *)token->piece.data;
    size_t length = token->piece.length, n = 0;
    unsigned char *bytes = arena_push(&t->arena, length);
    if (!bytes) return false;
    token->bytes = bytes;
    token->byte_level = true;
    for (size_t i = 0; i < length && token->byte_level;) {
        uint32_t c;
        size_t step = utf8_decode(p + i, length - i, &c);
        token->byte_level = step && c < STAND_INS && stand_in[c];
        if (token->byte_level) bytes[n++] = (unsigned char)(stand_in[c] - 1);
        i += step;
    }
    if (!token->byte_level && length) {
        memcpy(bytes, p, length);
        n = length;
    }
    token->length = (uint32_t)n;
    return true;
}

static enum forma_status read_type(const struct gguf_value *types, uint32_t id, struct token *token,
                                   struct forma_error *err) {
    int64_t type = types ? gguf_array_i64(types, id) : TOKEN_NORMAL;
    if (type < TOKEN_NORMAL || type > TOKEN_BYTE)
        return error_at_pointer(err, FORMA_EMODEL, KEY_TYPES,
                                "token %" PRIu32 " has the type %" PRId64 "; types are 1 to 6", id,
                                type);
    if (type == TOKEN_BYTE)
        return error_at_pointer(err, FORMA_EUNSUPPORTED, KEY_TYPES,
                                "token %" PRIu32 " is a byte token; byte-level BPE has none", id);
    token->type = (uint8_t)type;
    return FORMA_OK;
}

static bool is_text(const struct token *token) {
    return token->type == TOKEN_NORMAL || token->type == TOKEN_USER_DEFINED;
}

/* Adds a spelling that must be new. */
static enum forma_status index_piece(struct tokenizer *t, uint32_t id, struct forma_error *err) {
    const struct gguf_string *piece = &t->tokens[id].piece;
    uint32_t same = tokenizer_find_piece(t, piece->data, piece->length);
    if (same != BPE_NONE)
        return error_at_pointer(err, FORMA_EMODEL, KEY_TOKENS,
                                "tokens %" PRIu32 " and %" PRIu32 " are both spelled \"%s\"", same,
                                id, show(*piece).text);
    if (!table_add(&t->pieces, fa_hash(piece->data, piece->length), id))
        return error_set(err, FORMA_EMEMORY, "no memory for the vocabulary");
    return FORMA_OK;
}

static const struct gguf_value *find_array(const struct gguf *model, const char *key,
                                           bool of_strings) {
    const struct gguf_value *v = gguf_find(model, key);
    if (!v || v->type != GGUF_ARRAY) return NULL;
    bool strings = v->element_type == GGUF_STRING;
    bool integers =
        v->element_type <= GGUF_I32 || v->element_type == GGUF_U64 || v->element_type == GGUF_I64;
    return (of_strings ? strings : integers) ? v : NULL;
}

static enum forma_status load_tokens(struct tokenizer *t, const struct gguf *model,
                                     const struct gguf_value *array, struct forma_error *err) {
    const struct gguf_value *types = find_array(model, KEY_TYPES, false);
    if (!types && gguf_find(model, KEY_TYPES))
        return error_at_pointer(err, FORMA_EMODEL, KEY_TYPES, "not a list of integers");
    if (types && types->count != array->count)
        return error_at_pointer(err, FORMA_EMODEL, KEY_TYPES,
                                "%" PRIu64 " types for %" PRIu64 " tokens", types->count,
                                array->count);
    t->n_tokens = (uint32_t)array->count;
    t->tokens = arena_push_array(&t->arena, t->n_tokens, sizeof *t->tokens);
    if (!t->tokens || !table_init(&t->pieces, &t->arena, t->n_tokens + t->n_tokens / 2 + 8))
        return error_set(err, FORMA_EMEMORY, "no memory for %" PRIu32 " tokens", t->n_tokens);
    uint16_t stand_in[STAND_INS];
    fill_stand_ins(stand_in);
    const unsigned char *cursor = array->data;
    for (uint32_t id = 0; id < t->n_tokens; id++) {
        struct token *token = &t->tokens[id];
        if (!gguf_next_string(array, &cursor, &token->piece))
            return error_at_pointer(err, FORMA_EMODEL, KEY_TOKENS, "the list ends early");
        if (token->piece.length > INT32_MAX)
            return error_at_pointer(err, FORMA_EMODEL, KEY_TOKENS, "token %" PRIu32 " is too long",
                                    id);
        enum forma_status status = read_type(types, id, token, err);
        if (status) return status;
        token->bytes = (const unsigned char *)"";
        if (token->piece.length == 0) { /* padding that some files hold: never text */
            token->type = TOKEN_UNUSED;
            continue;
        }
        status = index_piece(t, id, err);
        if (status) return status;
        if (token->type == TOKEN_USER_DEFINED) {
            token->bytes = (const unsigned char *)token->piece.data;
            token->length = (uint32_t)token->piece.length;
        } else if (token->type == TOKEN_NORMAL && !decode_piece(t, token, stand_in)) {
            return error_set(err, FORMA_EMEMORY, "no memory for the vocabulary");
        }
    }
    return FORMA_OK;
}

static bool index_words(struct tokenizer *t) {
    if (!t->ignore_merges) return true;
    if (!table_init(&t->words, &t->arena, t->n_tokens + t->n_tokens / 2 + 8)) return false;
    for (uint32_t id = 0; id < t->n_tokens; id++) {
        const struct token *token = &t->tokens[id];
        if (token->byte_level && !table_add(&t->words, fa_hash(token->bytes, token->length), id))
            return false;
    }
    return true;
}

/* The two sides of a merge and what they make. */
static enum forma_status read_merge(struct tokenizer *t, struct gguf_string merge, uint32_t rank,
                                    char *joined, struct forma_error *err) {
    const char *space = memchr(merge.data, ' ', merge.length);
    size_t left = space ? (size_t)(space - merge.data) : 0;
    size_t right = space ? merge.length - left - 1 : 0;
    if (!left || !right || memchr(space + 1, ' ', right))
        return error_at_pointer(err, FORMA_EMODEL, KEY_MERGES,
                                "merge %" PRIu32 " \"%s\" is not two spellings and a space", rank,
                                show(merge).text);
    memcpy(joined, merge.data, left);
    memcpy(joined + left, space + 1, right);
    uint32_t ids[3] = {tokenizer_find_piece(t, merge.data, left),
                       tokenizer_find_piece(t, space + 1, right),
                       tokenizer_find_piece(t, joined, left + right)};
    for (int i = 0; i < 3; i++) {
        static const char *const what[3] = {"its left side", "its right side", "its result"};
        if (ids[i] == BPE_NONE)
            return error_at_pointer(err, FORMA_EMODEL, KEY_MERGES,
                                    "merge %" PRIu32 " \"%s\": %s is no token", rank,
                                    show(merge).text, what[i]);
        if (!is_text(&t->tokens[ids[i]]))
            return error_at_pointer(err, FORMA_EMODEL, KEY_MERGES,
                                    "merge %" PRIu32 " \"%s\": %s is a control token", rank,
                                    show(merge).text, what[i]);
    }
    enum bpe_add added = bpe_add_merge(&t->bpe, ids[0], ids[1], ids[2]);
    if (added == BPE_DUPLICATE)
        return error_at_pointer(err, FORMA_EMODEL, KEY_MERGES,
                                "merge %" PRIu32 " \"%s\" is there twice", rank, show(merge).text);
    if (added == BPE_NO_MEMORY) return error_set(err, FORMA_EMEMORY, "no memory for the merges");
    return FORMA_OK;
}

static enum forma_status load_merges(struct tokenizer *t, const struct gguf_value *array,
                                     struct forma_error *err) {
    if (!bpe_init(&t->bpe, &t->arena, (uint32_t)array->count))
        return error_set(err, FORMA_EMEMORY, "no memory for the merges");
    for (uint32_t id = 0; id < t->n_tokens; id++) {
        const struct token *token = &t->tokens[id];
        if (token->byte_level && token->length == 1) t->bpe.byte_token[token->bytes[0]] = id;
    }
    size_t longest = 0;
    struct gguf_string merge;
    for (const unsigned char *cursor = array->data; gguf_next_string(array, &cursor, &merge);)
        if (merge.length > longest) longest = merge.length;
    char *joined = arena_push(&t->arena, longest);
    if (!joined) return error_set(err, FORMA_EMEMORY, "no memory for the merges");
    uint32_t rank = 0;
    for (const unsigned char *cursor = array->data; gguf_next_string(array, &cursor, &merge);) {
        enum forma_status status = read_merge(t, merge, rank++, joined, err);
        if (status) return status;
    }
    return FORMA_OK;
}

static bool collect_added(struct tokenizer *t) {
    struct added_set *set = &t->added[0];
    uint32_t n = 0;
    for (uint32_t id = 0; id < t->n_tokens; id++)
        n += t->tokens[id].type == TOKEN_CONTROL || t->tokens[id].type == TOKEN_USER_DEFINED;
    set->list = arena_push_array(&t->arena, n, sizeof *set->list);
    if (!set->list) return false;
    for (uint32_t id = 0; id < t->n_tokens; id++) {
        const struct token *token = &t->tokens[id];
        bool control = token->type == TOKEN_CONTROL;
        if (control || token->type == TOKEN_USER_DEFINED)
            set->list[set->count++] =
                (struct added_token){.text = token->piece, .id = id, .control = control};
    }
    added_set_finish(set);
    return true;
}

/* An optional id: -1 where the key is absent. */
static enum forma_status read_id(const struct tokenizer *t, const struct gguf *model,
                                 const char *key, int64_t *out, struct forma_error *err) {
    uint64_t id;
    *out = -1;
    if (!gguf_find(model, key)) return FORMA_OK;
    if (!gguf_get_u64(model, key, &id))
        return error_at_pointer(err, FORMA_EMODEL, key, "not a token id");
    /* Some writers put the largest number where they mean "none". */
    if (id == UINT32_MAX) return FORMA_OK;
    if (id >= t->n_tokens)
        return error_at_pointer(err, FORMA_EMODEL, key,
                                "token %" PRIu64 " is outside the vocabulary of %" PRIu32, id,
                                t->n_tokens);
    *out = (int64_t)id;
    return FORMA_OK;
}

static void add_eos(struct tokenizer *t, uint32_t id) {
    for (uint32_t i = 0; i < t->n_eos; i++)
        if (t->eos[i] == id) return;
    t->eos[t->n_eos++] = id;
}

/* The ids that the file names first, then control tokens whose name says that they end a turn:
 * many files name only one of the two that their models write. */
static enum forma_status load_ends(struct tokenizer *t, const struct gguf *model,
                                   struct forma_error *err) {
    static const char *const keys[] = {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                                       "tokenizer.ggml.eom_token_id"};
    static const char *const names[] = {"<|endoftext|>", "<|im_end|>",    "<|eot_id|>",
                                        "<|eom_id|>",    "<end_of_turn>", "<|end_of_text|>",
                                        "<|end|>",       "</s>"};
    const size_t n_keys = sizeof keys / sizeof *keys, n_names = sizeof names / sizeof *names;
    t->eos = arena_push_array(&t->arena, n_keys + n_names, sizeof *t->eos);
    if (!t->eos) return error_set(err, FORMA_EMEMORY, "no memory for the vocabulary");
    for (size_t i = 0; i < n_keys; i++) {
        int64_t id;
        enum forma_status status = read_id(t, model, keys[i], &id, err);
        if (status) return status;
        if (id >= 0) add_eos(t, (uint32_t)id);
    }
    for (size_t i = 0; i < n_names; i++) {
        uint32_t id = tokenizer_find_piece(t, names[i], strlen(names[i]));
        if (id != BPE_NONE && t->tokens[id].type == TOKEN_CONTROL) add_eos(t, id);
    }
    return read_id(t, model, "tokenizer.ggml.bos_token_id", &t->bos, err);
}

static enum forma_status load_bos_rule(struct tokenizer *t, const struct gguf *model, bool usual,
                                       struct forma_error *err) {
    static const char key[] = "tokenizer.ggml.add_bos_token";
    bool said = gguf_find(model, key) != NULL;
    t->adds_bos = usual && t->bos >= 0;
    if (said && !gguf_get_bool(model, key, &t->adds_bos))
        return error_at_pointer(err, FORMA_EMODEL, key, "not true or false");
    if (t->adds_bos && t->bos < 0)
        return error_at_pointer(err, FORMA_EMODEL, key,
                                "the text should begin with a token that the file does not name");
    return FORMA_OK;
}

static enum forma_status find_rule(const struct gguf *model, const struct pretokenizer_rule **rule,
                                   struct forma_error *err) {
    static const char key_model[] = "tokenizer.ggml.model", key_pre[] = "tokenizer.ggml.pre";
    struct gguf_string name;
    if (!gguf_get_string(model, key_model, &name))
        return error_at_pointer(err, FORMA_EMODEL, key_model, "the file holds no tokenizer");
    if (name.length != 4 || memcmp(name.data, "gpt2", 4) != 0)
        return error_at_pointer(
            err, FORMA_EUNSUPPORTED, key_model,
            "tokenizers of the kind \"%s\" are not supported yet; only \"gpt2\" "
            "(byte-level BPE) is",
            show(name).text);
    if (!gguf_get_string(model, key_pre, &name))
        return error_at_pointer(err, FORMA_EUNSUPPORTED, key_pre,
                                "the file does not say how text is split before merging; convert "
                                "it anew");
    *rule = pretokenizer_find_rule(name.data, name.length);
    if (!*rule)
        return error_at_pointer(err, FORMA_EUNSUPPORTED, key_pre,
                                "the pre-tokenizer \"%s\" is not supported yet", show(name).text);
    return FORMA_OK;
}

enum forma_status tokenizer_load(struct tokenizer *t, const struct gguf *model,
                                 struct forma_error *err) {
    const struct pretokenizer_rule *rule;
    enum forma_status status = find_rule(model, &rule, err);
    if (status) return status;
    const struct gguf_value *tokens = find_array(model, KEY_TOKENS, true);
    const struct gguf_value *merges = find_array(model, KEY_MERGES, true);
    if (!tokens || tokens->count == 0 || tokens->count > INT32_MAX)
        return error_at_pointer(err, FORMA_EMODEL, KEY_TOKENS, "not a list of strings");
    if (!merges || merges->count > INT32_MAX)
        return error_at_pointer(err, FORMA_EMODEL, KEY_MERGES, "not a list of strings");
    t->ignore_merges = rule->ignore_merges;
    t->unknown = BPE_NONE;

    /* What the tables take, roundly: address space costs nothing until it is touched. */
    size_t space, bytes = (size_t)(tokens->bytes + merges->bytes) * 4;
    if (!fa_mul_size((size_t)(tokens->count + merges->count), 256, &space) ||
        !arena_init(&t->arena, t->allocator, space + bytes + (1u << 20)))
        return error_set(err, FORMA_EMEMORY, "no memory for the vocabulary");
    status = load_tokens(t, model, tokens, err);
    if (!status) status = load_merges(t, merges, err);
    if (!status && (!index_words(t) || !collect_added(t)))
        status = error_set(err, FORMA_EMEMORY, "no memory for the vocabulary");
    if (!status) status = load_ends(t, model, err);
    if (!status) status = load_bos_rule(t, model, rule->add_bos, err);
    if (status) return status;
    t->pretokenizer = pretokenizer_new(rule, t->allocator, err);
    return t->pretokenizer ? FORMA_OK : err ? err->status : FORMA_EMEMORY;
}
