/* SPDX-License-Identifier: MIT
 *
 * Encoding: added tokens are cut out first (where asked), the rest is cut at bytes that are not
 * UTF-8, what is left is normalized, goes through the pre-tokenizer, and each piece through the
 * merges.
 */
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "runtime/tokenizer_internal.h"

void token_list_destroy(struct token_list *list) {
    fa_free(fa_allocator_or_default(list->allocator), list->ids,
            list->capacity * sizeof *list->ids);
    list->ids = NULL;
    list->count = list->capacity = 0;
}

bool token_list_push(struct token_list *list, uint32_t id) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64, bytes;
        if (!fa_mul_size(capacity, sizeof *list->ids, &bytes)) return false;
        void *grown = fa_resize(fa_allocator_or_default(list->allocator), list->ids,
                                list->capacity * sizeof *list->ids, bytes);
        if (!grown) return false;
        list->ids = grown;
        list->capacity = capacity;
    }
    list->ids[list->count++] = id;
    return true;
}

struct encoder {
    const struct tokenizer *t;
    const char *text; /* what is encoded, and */
    uint64_t offset;  /* where it begins in the whole: for places in errors */
    enum encode_added which;
    bool continues; /* behind another text */
    char *plain;    /* text of several parts (plain_capacity) */
    size_t n_plain, plain_capacity;
    struct normalizer_scratch normalized, prefixed;
    struct pretokenizer_run run;
    struct bpe_scratch scratch;
    struct token_list *out;
    struct forma_error *err;
};

static enum forma_status no_memory(struct encoder *e) {
    return error_set(e->err, FORMA_EMEMORY, "no memory to encode the text");
}

/* ---- one piece ----------------------------------------------------------------------------- */

static enum forma_status push_symbols(struct encoder *e) {
    if (e->scratch.n_symbols == 0) return FORMA_OK;
    for (uint32_t i = 0; i != BPE_NONE; i = e->scratch.symbols[i].next)
        if (!token_list_push(e->out, e->scratch.symbols[i].id)) return no_memory(e);
    return FORMA_OK;
}

/* The bytes of a character that is no token, if all of them are. */
static bool push_bytes(struct encoder *e, const unsigned char *bytes, size_t n) {
    const uint32_t *tokens = e->t->bpe.byte_token;
    for (size_t i = 0; i < n; i++)
        if (tokens[bytes[i]] == BPE_NONE) return false;
    for (size_t i = 0; i < n; i++) bpe_push(&e->scratch, tokens[bytes[i]]);
    return true;
}

static enum forma_status merge_characters(struct encoder *e) {
    return bpe_merge(&e->t->bpe, &e->scratch) ? push_symbols(e) : no_memory(e);
}

/* Where no merge joins a character to the next, what lies before is encoded by itself: a text that
 * the pre-tokenizer leaves whole costs no more than its words. */
static enum forma_status encode_characters(struct encoder *e, const unsigned char *piece,
                                           size_t length) {
    const struct tokenizer *t = e->t;
    bool unknown = false; /* one is due, in front of the next character that is known */
    bool plain = false;   /* is the last symbol spelled like the text? */
    if (!bpe_begin(&e->scratch, length + 1)) return no_memory(e);
    for (size_t i = 0, n; i < length; i += n) {
        n = utf8_sequence_length(piece[i]);
        uint32_t id = tokenizer_find_piece(t, (const char *)piece + i, n);
        bool seam = plain && id != BPE_NONE && !bpe_may_join(&t->bpe, piece[i - 1], piece[i]);
        plain = id != BPE_NONE;
        if (seam) {
            enum forma_status status = merge_characters(e);
            if (status) return status;
            bpe_begin(&e->scratch, 0);
        }
        if (id != BPE_NONE) {
            if (unknown) bpe_push(&e->scratch, t->unknown);
            unknown = false;
            bpe_push(&e->scratch, id);
        } else if (t->byte_fallback && push_bytes(e, piece + i, n)) {
            continue;
        } else if (t->unknown != BPE_NONE) {
            if (unknown && !t->fuse_unknown) bpe_push(&e->scratch, t->unknown);
            unknown = true;
        } else {
            e->out->n_dropped += n;
        }
    }
    if (unknown) bpe_push(&e->scratch, t->unknown);
    return merge_characters(e);
}

/* A piece that is a token as a whole, or BPE_NONE. */
static uint32_t find_word(const struct tokenizer *t, const unsigned char *piece, size_t length) {
    if (t->by_characters) return tokenizer_find_piece(t, (const char *)piece, length);
    for (struct table_probe p = table_probe(&t->words, fa_hash(piece, length));
         table_next(&t->words, &p);) {
        const struct token *token = &t->tokens[p.id];
        if (token->length == length && memcmp(token->bytes, piece, length) == 0) return p.id;
    }
    return BPE_NONE;
}

static enum forma_status encode_piece(struct encoder *e, const char *text, size_t length) {
    const struct tokenizer *t = e->t;
    const unsigned char *piece = (const unsigned char *)text;
    uint32_t word = t->ignore_merges ? find_word(t, piece, length) : BPE_NONE;
    if (word != BPE_NONE) return token_list_push(e->out, word) ? FORMA_OK : no_memory(e);
    if (t->by_characters) return encode_characters(e, piece, length);
    if (!bpe_encode(&t->bpe, &e->scratch, piece, length, &e->out->n_dropped)) return no_memory(e);
    return push_symbols(e);
}

/* ---- text between added tokens ------------------------------------------------------------- */

/* Normalized text without added tokens. */
static enum forma_status encode_pieces(struct encoder *e, struct json_string text,
                                       enum normalizer_place place) {
    size_t start, end;
    if (!normalizer_apply(&e->t->prefix, &e->prefixed, place, &text)) return no_memory(e);
    pretokenizer_start(&e->run, text.data, text.length, e->err);
    while (pretokenizer_next(&e->run, &start, &end)) {
        enum forma_status status = encode_piece(e, text.data + start, end - start);
        if (status) return status;
    }
    return e->run.status;
}

static enum forma_status encode_valid(struct encoder *e, const char *data, size_t length) {
    struct json_string text = {data, length};
    const struct added_set *set = &e->t->added[1];
    bool first = e->offset == 0 && data == e->text;
    enum normalizer_place place = e->continues ? NORMALIZE_CONTINUATION
                                  : first      ? NORMALIZE_FIRST
                                               : NORMALIZE_PART;
    if (!normalizer_apply(&e->t->normalizer, &e->normalized, place, &text)) return no_memory(e);
    for (size_t at = 0; at < text.length;) {
        struct added_match m = added_set_find(set, e->which, text.data, text.length, at);
        struct json_string plain = {text.data + at, m.start - at};
        if (at > 0 && place == NORMALIZE_FIRST) place = NORMALIZE_PART;
        enum forma_status status = encode_pieces(e, plain, place);
        if (status) return status;
        if (m.token && !token_list_push(e->out, m.token->id)) return no_memory(e);
        at = m.end;
    }
    return FORMA_OK;
}

static enum forma_status encode_plain(struct encoder *e, const char *text, size_t length) {
    while (length > 0) {
        size_t valid = utf8_valid_prefix((const unsigned char *)text, length);
        enum forma_status status = valid ? encode_valid(e, text, valid) : FORMA_OK;
        if (status) return status;
        if (valid == length) break;
        unsigned char byte = (unsigned char)text[valid];
        uint32_t id = e->t->bpe.byte_token[byte];
        if (id == BPE_NONE)
            return error_at_offset(e->err, FORMA_EINVAL,
                                   e->offset + (uint64_t)(text + valid - e->text),
                                   "the text is not UTF-8 here and the vocabulary has no token for "
                                   "the byte %02X",
                                   byte);
        if (!token_list_push(e->out, id)) return no_memory(e);
        text += valid + 1;
        length -= valid + 1;
    }
    return FORMA_OK;
}

static enum forma_status encode_text(struct encoder *e, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        struct added_match m = added_set_find(&e->t->added[0], e->which, text, length, at);
        enum forma_status status = encode_plain(e, text + at, m.start - at);
        if (status) return status;
        if (m.token && !token_list_push(e->out, m.token->id)) return no_memory(e);
        at = m.end;
    }
    return FORMA_OK;
}

/* ---- parts -------------------------------------------------------------------------------- */

static bool add_plain(struct encoder *e, const char *text, size_t length) {
    if (length > e->plain_capacity - e->n_plain) {
        size_t capacity;
        if (__builtin_add_overflow(e->n_plain, length, &capacity) ||
            !fa_mul_size(capacity, 2, &capacity))
            return false;
        char *grown = fa_resize(e->t->allocator, e->plain, e->plain_capacity, capacity);
        if (!grown) return false;
        e->plain = grown;
        e->plain_capacity = capacity;
    }
    if (length) memcpy(e->plain + e->n_plain, text, length);
    e->n_plain += length;
    return true;
}

/* Encodes what has been gathered. */
static enum forma_status flush_plain(struct encoder *e) {
    e->text = e->plain;
    enum forma_status status = encode_plain(e, e->plain, e->n_plain);
    e->offset += e->n_plain;
    e->n_plain = 0;
    return status;
}

/* The first added token of either kind: what is gathered is normalized as a whole, so both are
 * looked for before that. */
static struct added_match find_either(const struct encoder *e, const struct text_span *span,
                                      size_t at) {
    enum encode_added which = span->parse_special ? ENCODE_SPECIAL : ENCODE_PLAIN;
    const struct added_set *sets = e->t->added;
    struct added_match a = added_set_find(&sets[0], which, span->text, span->length, at);
    struct added_match b = added_set_find(&sets[1], which, span->text, span->length, at);
    return !a.token || (b.token && b.start < a.start) ? b : a;
}

static enum forma_status encode_span(struct encoder *e, const struct text_span *span) {
    for (size_t at = 0; at < span->length;) {
        struct added_match m = find_either(e, span, at);
        if (!add_plain(e, span->text + at, m.start - at)) return no_memory(e);
        if (!m.token) break;
        enum forma_status status = flush_plain(e);
        if (status) return status;
        if (!token_list_push(e->out, m.token->id)) return no_memory(e);
        e->offset += m.end - m.start;
        at = m.end;
    }
    return FORMA_OK;
}

static enum forma_status encode_spans(struct encoder *e, const struct text_span *spans, size_t n) {
    enum forma_status status = FORMA_OK;
    for (size_t i = 0; i < n && !status; i++) status = encode_span(e, &spans[i]);
    return status ? status : flush_plain(e);
}

/* ---- entry -------------------------------------------------------------------------------- */

static enum forma_status finish(struct encoder *e, enum forma_status status, size_t count,
                                size_t n_dropped) {
    if (status) {
        e->out->count = count;
        e->out->n_dropped = n_dropped;
    }
    fa_free(e->t->allocator, e->plain, e->plain_capacity);
    normalizer_scratch_destroy(&e->normalized);
    normalizer_scratch_destroy(&e->prefixed);
    bpe_scratch_destroy(&e->scratch);
    pretokenizer_end(&e->run);
    return status;
}

static bool begin(struct encoder *e) {
    const struct forma_allocator *a = e->t->allocator;
    e->scratch.allocator = e->normalized.allocator = e->prefixed.allocator = a;
    return pretokenizer_begin(e->t->pretokenizer, &e->run);
}

enum forma_status tokenizer_encode_spans(const struct tokenizer *t, const struct text_span *spans,
                                         size_t n_spans, struct token_list *out,
                                         struct forma_error *err) {
    struct encoder e = {.t = t, .out = out, .err = err};
    size_t count = out->count, n_dropped = out->n_dropped;
    if (!begin(&e)) return no_memory(&e);
    return finish(&e, encode_spans(&e, spans, n_spans), count, n_dropped);
}

enum forma_status tokenizer_encode(const struct tokenizer *t, const char *text, size_t length,
                                   enum encode_added which, struct token_list *out,
                                   struct forma_error *err) {
    struct encoder e = {.t = t, .text = text, .which = which, .out = out, .err = err};
    size_t count = out->count, n_dropped = out->n_dropped;
    if (!begin(&e)) return no_memory(&e);
    return finish(&e, encode_text(&e, text, length), count, n_dropped);
}

/* ---- text that goes on --------------------------------------------------------------------- */

struct continuation {
    const struct forma_allocator *allocator;
    struct encoder encoder;
    struct token_list list;
};

struct continuation *continuation_new(const struct tokenizer *t, size_t most,
                                      const struct forma_allocator *allocator,
                                      struct forma_error *err) {
    error_clear(err);
    allocator = fa_allocator_or_default(allocator);
    struct continuation *c = fa_alloc_zero(allocator, sizeof *c);
    if (c) {
        c->allocator = c->list.allocator = allocator;
        c->encoder =
            (struct encoder){.t = t, .which = ENCODE_TEXT, .continues = true, .out = &c->list};
        c->list.ids = fa_alloc(allocator, most * sizeof *c->list.ids);
        c->list.capacity = c->list.ids ? most : 0;
        if (begin(&c->encoder) && c->list.ids && bpe_reserve(&c->encoder.scratch, most)) return c;
    }
    continuation_free(c);
    error_set(err, FORMA_EMEMORY, "no memory to encode text");
    return NULL;
}

size_t continuation_encode(void *continuation, const unsigned char *text, size_t length,
                           uint32_t *ids, size_t capacity) {
    struct continuation *c = continuation;
    c->list.count = 0;
    c->encoder.text = (const char *)text;
    if (encode_text(&c->encoder, c->encoder.text, length)) return 0;
    size_t n = c->list.count < capacity ? c->list.count : capacity;
    memcpy(ids, c->list.ids, n * sizeof *ids);
    return n;
}

void continuation_free(struct continuation *c) {
    if (!c) return;
    struct encoder *e = &c->encoder;
    if (e->t) finish(e, FORMA_OK, 0, 0);
    token_list_destroy(&c->list);
    fa_free(c->allocator, c, sizeof *c);
}
