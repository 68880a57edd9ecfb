/* SPDX-License-Identifier: MIT */
#include "runtime/tokenizer.h"

#include <string.h>

#include "base/error.h"
#include "runtime/tokenizer_internal.h"

uint32_t tokenizer_find_piece(const struct tokenizer *t, const char *piece, size_t length) {
    for (struct table_probe p = table_probe(&t->pieces, fa_hash(piece, length));
         table_next(&t->pieces, &p);) {
        const struct gguf_string *s = &t->tokens[p.id].piece;
        if (s->length == length && memcmp(s->data, piece, length) == 0) return p.id;
    }
    return BPE_NONE;
}

int tokenizer_compare_pieces(const struct gguf_string *a, const struct gguf_string *b) {
    size_t n = a->length < b->length ? a->length : b->length;
    int order = n ? memcmp(a->data, b->data, n) : 0;
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

struct tokenizer *tokenizer_open(const struct gguf *model, const struct forma_allocator *allocator,
                                 struct forma_error *err) {
    allocator = fa_allocator_or_default(allocator);
    struct tokenizer *t = fa_alloc_zero(allocator, sizeof *t);
    if (!t) {
        error_set(err, FORMA_EMEMORY, "no memory for the tokenizer");
        return NULL;
    }
    t->allocator = allocator;
    if (tokenizer_load(t, model, err) != FORMA_OK) {
        tokenizer_free(t);
        return NULL;
    }
    return t;
}

void tokenizer_free(struct tokenizer *t) {
    if (!t) return;
    pretokenizer_free(t->pretokenizer);
    if (t->arena.allocator) arena_destroy(&t->arena);
    fa_free(t->allocator, t, sizeof *t);
}

size_t tokenizer_size(const struct tokenizer *t) {
    return t->n_tokens;
}

const unsigned char *tokenizer_bytes(const struct tokenizer *t, uint32_t id, size_t *length) {
    *length = 0;
    if (id >= t->n_tokens) return NULL;
    *length = t->tokens[id].length;
    return t->tokens[id].bytes;
}

struct gguf_string tokenizer_piece(const struct tokenizer *t, uint32_t id) {
    return id < t->n_tokens ? t->tokens[id].piece : (struct gguf_string){"", 0};
}

bool tokenizer_is_control(const struct tokenizer *t, uint32_t id) {
    return id < t->n_tokens && t->tokens[id].length == 0;
}

const uint32_t *tokenizer_eos(const struct tokenizer *t, size_t *count) {
    *count = t->n_eos;
    return t->eos;
}

int64_t tokenizer_bos(const struct tokenizer *t) {
    return t->bos;
}

bool tokenizer_adds_bos(const struct tokenizer *t) {
    return t->adds_bos;
}
