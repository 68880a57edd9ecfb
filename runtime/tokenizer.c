/* SPDX-License-Identifier: MIT */
#include "runtime/tokenizer.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "runtime/tokenizer_internal.h"

uint32_t tokenizer_find_piece(const struct tokenizer *t, const char *piece, size_t length) {
    for (struct table_probe p = table_probe(&t->pieces, fa_hash(piece, length));
         table_next(&t->pieces, &p);) {
        const struct gguf_string *s = &t->tokens[p.id].piece;
        if (s->length == length && memcmp(s->data, piece, length) == 0) return p.id;
    }
    return BPE_NONE;
}

static struct tokenizer *make_empty(const struct forma_allocator *allocator,
                                    struct forma_error *err) {
    allocator = fa_allocator_or_default(allocator);
    struct tokenizer *t = fa_alloc_zero(allocator, sizeof *t);
    if (t)
        t->allocator = allocator;
    else
        error_set(err, FORMA_EMEMORY, "no memory for the tokenizer");
    return t;
}

struct tokenizer *tokenizer_open(const struct gguf *model, const struct forma_allocator *allocator,
                                 struct forma_error *err) {
    struct tokenizer *t = make_empty(allocator, err);
    if (!t || tokenizer_load(t, model, err) == FORMA_OK) return t;
    tokenizer_free(t);
    return NULL;
}

struct tokenizer *tokenizer_from_json(const char *text, size_t length,
                                      const struct forma_allocator *allocator,
                                      struct forma_error *err) {
    struct tokenizer_json file;
    struct tokenizer *t = make_empty(allocator, err);
    if (!t) return NULL;
    enum forma_status status = tokenizer_json_read(&file, text, length, true, t->allocator, err);
    if (!status) {
        status = tokenizer_load_json(t, &file, err);
        tokenizer_json_destroy(&file);
    }
    if (!status) return t;
    tokenizer_free(t);
    return NULL;
}

struct tokenizer *tokenizer_open_file(const char *path, const struct forma_allocator *allocator,
                                      struct forma_error *err) {
    char magic[4];
    size_t n;
    allocator = fa_allocator_or_default(allocator);
    if (file_head(path, magic, sizeof magic, &n, err)) return NULL;
    if (n == sizeof magic && memcmp(magic, "GGUF", n) == 0) {
        struct gguf *file = gguf_open(path, allocator, err);
        struct tokenizer *t = file ? tokenizer_open(file, allocator, err) : NULL;
        if (t)
            t->file = file;
        else
            gguf_close(file);
        return t;
    }
    struct file_text text;
    if (file_read(path, TOKENIZER_JSON_MAX_BYTES, allocator, &text, err)) return NULL;
    struct tokenizer *t = tokenizer_from_json(text.data, text.length, allocator, err);
    file_text_free(&text);
    return t;
}

void tokenizer_free(struct tokenizer *t) {
    if (!t) return;
    pretokenizer_free(t->pretokenizer);
    if (t->arena.allocator) arena_destroy(&t->arena);
    gguf_close(t->file);
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
