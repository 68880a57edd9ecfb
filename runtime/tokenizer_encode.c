/* SPDX-License-Identifier: MIT
 *
 * Encoding: special tokens are cut out first (where asked), the rest is cut at bytes that are not
 * UTF-8, what is left goes through the pre-tokenizer, and each piece through the merges.
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
    char *plain;      /* text of several parts (plain_capacity) */
    size_t n_plain, plain_capacity;
    struct pretokenizer_run run;
    struct bpe_scratch scratch;
    struct token_list *out;
    struct forma_error *err;
};

static enum forma_status no_memory(struct encoder *e) {
    return error_set(e->err, FORMA_EMEMORY, "no memory to encode the text");
}

static enum forma_status encode_piece(struct encoder *e, const unsigned char *piece,
                                      size_t length) {
    const struct tokenizer *t = e->t;
    if (t->ignore_merges)
        for (struct table_probe p = table_probe(&t->words, fa_hash(piece, length));
             table_next(&t->words, &p);) {
            const struct token *token = &t->tokens[p.id];
            if (token->length == length && memcmp(token->bytes, piece, length) == 0)
                return token_list_push(e->out, p.id) ? FORMA_OK : no_memory(e);
        }
    if (!bpe_encode(&t->bpe, &e->scratch, piece, length, &e->out->n_dropped)) return no_memory(e);
    if (e->scratch.n_symbols == 0) return FORMA_OK;
    for (uint32_t i = 0; i != BPE_NONE; i = e->scratch.symbols[i].next)
        if (!token_list_push(e->out, e->scratch.symbols[i].id)) return no_memory(e);
    return FORMA_OK;
}

static enum forma_status encode_valid(struct encoder *e, const char *text, size_t length) {
    for (size_t start = 0, end; start < length; start = end) {
        enum forma_status status =
            pretokenizer_next(e->t->pretokenizer, &e->run, text, length, start, &end, e->err);
        if (!status) status = encode_piece(e, (const unsigned char *)text + start, end - start);
        if (status) return status;
    }
    return FORMA_OK;
}

static enum forma_status encode_plain(struct encoder *e, const char *text, size_t length) {
    while (length > 0) {
        size_t valid = utf8_valid_prefix((const unsigned char *)text, length);
        enum forma_status status = encode_valid(e, text, valid);
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

/* First index in [low, high) whose spelling has at `depth` a byte of at least `byte`, among
 * spellings that agree before it (a spelling that ends there comes first). */
static uint32_t lower_bound(const struct tokenizer *t, uint32_t low, uint32_t high, size_t depth,
                            int byte) {
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct gguf_string *s = &t->tokens[t->special[middle]].piece;
        int here = depth < s->length ? (unsigned char)s->data[depth] : -1;
        if (here < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The longest special token that begins here, or BPE_NONE: a walk down the sorted spellings. */
static uint32_t find_special(const struct tokenizer *t, const char *text, size_t length,
                             size_t *matched) {
    uint32_t low = 0, high = t->n_special, best = BPE_NONE;
    for (size_t depth = 0; low < high; depth++) {
        const struct token *first = &t->tokens[t->special[low]];
        if (first->piece.length == depth) {
            best = t->special[low];
            *matched = depth;
        }
        if (depth == length) break;
        int byte = (unsigned char)text[depth];
        low = lower_bound(t, low, high, depth, byte);
        high = lower_bound(t, low, high, depth, byte + 1);
    }
    return best;
}

/* Finds the next special token at or behind *at, or *at = length and BPE_NONE. */
static uint32_t next_special(const struct tokenizer *t, const char *text, size_t length, size_t *at,
                             size_t *matched) {
    for (; *at < length; ++*at) {
        uint32_t id = find_special(t, text + *at, length - *at, matched);
        if (id != BPE_NONE) return id;
    }
    return BPE_NONE;
}

static enum forma_status encode_special(struct encoder *e, const char *text, size_t length) {
    for (size_t plain = 0, i = 0, matched = 0;; plain = i += matched) {
        uint32_t id = next_special(e->t, text, length, &i, &matched);
        enum forma_status status = encode_plain(e, text + plain, i - plain);
        if (status || id == BPE_NONE) return status;
        if (!token_list_push(e->out, id)) return no_memory(e);
    }
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

static enum forma_status encode_span(struct encoder *e, const struct text_span *span) {
    for (size_t plain = 0, i = 0, matched = 0;; plain = i += matched) {
        uint32_t id = BPE_NONE;
        if (span->parse_special)
            id = next_special(e->t, span->text, span->length, &i, &matched);
        else
            i = span->length;
        if (!add_plain(e, span->text + plain, i - plain)) return no_memory(e);
        if (id == BPE_NONE) return FORMA_OK;
        enum forma_status status = flush_plain(e);
        if (status) return status;
        if (!token_list_push(e->out, id)) return no_memory(e);
        e->offset += matched;
    }
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
    bpe_scratch_destroy(&e->scratch);
    pretokenizer_end(&e->run);
    return status;
}

enum forma_status tokenizer_encode_spans(const struct tokenizer *t, const struct text_span *spans,
                                         size_t n_spans, struct token_list *out,
                                         struct forma_error *err) {
    struct encoder e = {.t = t, .out = out, .err = err};
    e.scratch.allocator = t->allocator;
    size_t count = out->count, n_dropped = out->n_dropped;
    if (!pretokenizer_begin(t->pretokenizer, &e.run)) return no_memory(&e);
    return finish(&e, encode_spans(&e, spans, n_spans), count, n_dropped);
}

enum forma_status tokenizer_encode(const struct tokenizer *t, const char *text, size_t length,
                                   bool parse_special, struct token_list *out,
                                   struct forma_error *err) {
    struct encoder e = {.t = t, .text = text, .out = out, .err = err};
    e.scratch.allocator = t->allocator;
    size_t count = out->count, n_dropped = out->n_dropped;
    if (!pretokenizer_begin(t->pretokenizer, &e.run)) return no_memory(&e);
    return finish(&e,
                  parse_special ? encode_special(&e, text, length) : encode_plain(&e, text, length),
                  count, n_dropped);
}
