/* SPDX-License-Identifier: MIT
 *
 * Vocabularies and their builder. The texts of all tokens lie behind each other in one block;
 * `spans` says where. A replaced token leaves its old bytes behind: few are.
 */
#include "tokenmask/vocabulary.h"

#include <string.h>

#include "automaton/json_pool.h"
#include "base/error.h"
#include "base/file.h"
#include "base/tokenizer_json.h"
#include "tokenmask/matcher_pool.h"

#define ABSENT UINT32_MAX /* span.offset of an id that nothing was put for */

/* ---- building ------------------------------------------------------------------------------ */

/* Room for `needed` elements; grows by half. `*data` and `*capacity` change together. */
static enum forma_status grow(const struct forma_allocator *a, void **data, size_t element,
                              size_t *capacity, size_t needed, struct forma_error *err) {
    if (needed <= *capacity) return FORMA_OK;
    size_t wanted = *capacity + *capacity / 2 + 64;
    if (wanted < needed) wanted = needed;
    void *p = fa_resize(a, *data, *capacity * element, wanted * element);
    if (!p) return error_set(err, FORMA_EMEMORY, "no memory for the vocabulary");
    *data = p;
    *capacity = wanted;
    return FORMA_OK;
}

enum forma_status builder_begin(struct vocabulary_builder *b,
                                const struct forma_allocator *allocator, struct forma_error *err) {
    memset(b, 0, sizeof *b);
    allocator = fa_allocator_or_default(allocator);
    b->v = fa_alloc_zero(allocator, sizeof *b->v);
    if (!b->v) return error_set(err, FORMA_EMEMORY, "no memory for the vocabulary");
    b->v->allocator = allocator;
    return FORMA_OK;
}

static enum forma_status make_span(struct vocabulary_builder *b, uint64_t id,
                                   struct forma_error *err) {
    struct forma_vocabulary *v = b->v;
    if (id >= VOCABULARY_MAX_TOKENS)
        return error_set(err, FORMA_EMODEL, "token id %llu is past the limit of %u tokens",
                         (unsigned long long)id, VOCABULARY_MAX_TOKENS);
    enum forma_status status = grow(v->allocator, (void **)&v->spans, sizeof *v->spans,
                                    &b->spans_capacity, (size_t)id + 1, err);
    if (status) return status;
    while (v->n_tokens <= id) v->spans[v->n_tokens++] = (struct token_span){ABSENT, 0};
    return FORMA_OK;
}

enum forma_status builder_put(struct vocabulary_builder *b, uint64_t id, enum spelling spelling,
                              const char *piece, size_t length, struct forma_error *err) {
    struct forma_vocabulary *v = b->v;
    enum forma_status status = make_span(b, id, err);
    if (status) return status;
    if (length > VOCABULARY_MAX_TOKEN_BYTES)
        return error_set(err, FORMA_EMODEL, "token %llu has %zu bytes; the limit is %u",
                         (unsigned long long)id, length, VOCABULARY_MAX_TOKEN_BYTES);
    if (v->text_size + length > INT32_MAX)
        return error_set(err, FORMA_ELIMIT, "the vocabulary's tokens have more than 2 GiB");
    status =
        grow(v->allocator, (void **)&v->text, 1, &b->text_capacity, v->text_size + length, err);
    if (status) return status;
    size_t n = length ? spelling_decode(spelling, piece, length, v->text + v->text_size) : 0;
    v->spans[id] = (struct token_span){(uint32_t)v->text_size, (uint32_t)n};
    v->text_size += n;
    return FORMA_OK;
}

enum forma_status builder_put_eos(struct vocabulary_builder *b, uint64_t id,
                                  struct forma_error *err) {
    struct forma_vocabulary *v = b->v;
    enum forma_status status = builder_put(b, id, SPELLING_PLAIN, NULL, 0, err);
    if (status) return status;
    for (size_t i = 0; i < v->n_eos; i++)
        if (v->eos[i] == id) return FORMA_OK;
    status =
        grow(v->allocator, (void **)&v->eos, sizeof *v->eos, &b->eos_capacity, v->n_eos + 1, err);
    if (status) return status;
    v->eos[v->n_eos++] = (uint32_t)id;
    return FORMA_OK;
}

enum forma_status builder_put_end(struct vocabulary_builder *b, uint64_t id,
                                  const struct vocabulary_ends *ends, struct forma_error *err) {
    return ends ? builder_put(b, id, SPELLING_PLAIN, NULL, 0, err) : builder_put_eos(b, id, err);
}

/* All digits: an id, though a token may be spelled so too. */
static bool read_id(const char *text, uint64_t *id) {
    size_t n = strspn(text, "0123456789");
    *id = 0;
    for (size_t i = 0; i < n && *id <= UINT32_MAX; i++) *id = 10 * *id + (uint64_t)(text[i] - '0');
    return n > 0 && !text[n];
}

enum forma_status builder_put_ends(struct vocabulary_builder *b, const struct vocabulary_ends *ends,
                                   uint64_t (*find)(const void *file, const char *spelling),
                                   const void *file, struct forma_error *err) {
    for (size_t i = 0; i < ends->count; i++) {
        uint64_t id;
        bool known = read_id(ends->list[i], &id) ? builder_has(b, id)
                                                 : (id = find(file, ends->list[i])) != UINT64_MAX;
        if (!known)
            return error_set(
                err, FORMA_EINVAL,
                "the vocabulary has no token %.80s to end a text with; write a token as "
                "the file spells it, or its id",
                ends->list[i]);
        enum forma_status status = builder_put_eos(b, id, err);
        if (status) return status;
    }
    return FORMA_OK;
}

bool builder_has(const struct vocabulary_builder *b, uint64_t id) {
    return id < b->v->n_tokens && b->v->spans[id].offset != ABSENT;
}

/* Gives back what growing left over, so that sizes can be passed to free later. */
static bool trim(const struct forma_allocator *a, void **data, size_t capacity, size_t used) {
    if (used == capacity) return true;
    void *p = used ? fa_resize(a, *data, capacity, used) : NULL;
    if (used && !p) return false;
    if (!used) fa_free(a, *data, capacity);
    *data = p;
    return true;
}

struct forma_vocabulary *builder_finish(struct vocabulary_builder *b, struct forma_error *err) {
    struct forma_vocabulary *v = b->v;
    const struct forma_allocator *a = v->allocator;
    if (v->n_tokens == 0) {
        error_set(err, FORMA_EMODEL, "the vocabulary has no tokens");
        goto fail;
    }
    if (!trim(a, (void **)&v->spans, b->spans_capacity * sizeof *v->spans,
              v->n_tokens * sizeof *v->spans))
        goto no_memory;
    b->spans_capacity = v->n_tokens;
    if (!trim(a, (void **)&v->text, b->text_capacity, v->text_size)) goto no_memory;
    b->text_capacity = v->text_size;
    if (!trim(a, (void **)&v->eos, b->eos_capacity * sizeof *v->eos, v->n_eos * sizeof *v->eos))
        goto no_memory;
    b->eos_capacity = v->n_eos;
    for (size_t i = 0; i < v->n_eos; i++) v->spans[v->eos[i]].length = 0; /* even if put again */
    for (size_t i = 0; i < v->n_tokens; i++)
        if (v->spans[i].length == 1) v->alphabet[v->text[v->spans[i].offset]] = true;
    if (!trie_build(&v->trie, v->text, v->spans, v->n_tokens, a) ||
        !string_tokens_build(&v->strings, v->text, v->spans, v->n_tokens, v->alphabet, a))
        goto no_memory;
    v->machines = json_pool_new(a);
    v->matchers = matcher_pool_new(a);
    if (!v->machines || !v->matchers) goto no_memory;
    b->v = NULL;
    return v;
no_memory:
    error_set(err, FORMA_EMEMORY, "no memory for the vocabulary");
fail:
    builder_abandon(b);
    return NULL;
}

void builder_abandon(struct vocabulary_builder *b) {
    struct forma_vocabulary *v = b->v;
    if (!v) return;
    const struct forma_allocator *a = v->allocator;
    matcher_pool_free(v->matchers);
    json_pool_release(v->machines);
    trie_destroy(&v->trie);
    string_tokens_destroy(&v->strings);
    fa_free(a, v->spans, b->spans_capacity * sizeof *v->spans);
    fa_free(a, v->text, b->text_capacity);
    fa_free(a, v->eos, b->eos_capacity * sizeof *v->eos);
    fa_free(a, v, sizeof *v);
    b->v = NULL;
}

struct forma_vocabulary *
forma_vocabulary_from_bytes(const unsigned char *const *bytes, const size_t *lengths,
                            const bool *control, size_t n_tokens, const uint32_t *eos, size_t n_eos,
                            const struct forma_allocator *allocator, struct forma_error *err) {
    struct vocabulary_builder b;
    error_clear(err);
    if (!bytes || !lengths || n_tokens == 0 || (n_eos && !eos)) {
        error_set(err, FORMA_EINVAL, "a vocabulary needs tokens and their lengths");
        return NULL;
    }
    if (builder_begin(&b, allocator, err)) return NULL;
    for (size_t i = 0; i < n_tokens; i++) {
        size_t length = control && control[i] ? 0 : lengths[i];
        if (length && !bytes[i]) {
            error_set(err, FORMA_EINVAL, "token %zu has a length but no bytes", i);
            goto fail;
        }
        if (builder_put(&b, i, SPELLING_PLAIN, (const char *)bytes[i], length, err)) goto fail;
    }
    for (size_t i = 0; i < n_eos; i++) {
        if (eos[i] >= n_tokens) {
            error_set(err, FORMA_EINVAL, "end token %u is not in the vocabulary", eos[i]);
            goto fail;
        }
        if (builder_put_eos(&b, eos[i], err)) goto fail;
    }
    return builder_finish(&b, err);
fail:
    builder_abandon(&b);
    return NULL;
}

/* ---- files --------------------------------------------------------------------------------- */

static struct forma_vocabulary *open_file(const char *path, const struct vocabulary_ends *ends,
                                          const struct forma_allocator *allocator,
                                          struct forma_error *err) {
    const struct forma_allocator *a = fa_allocator_or_default(allocator);
    struct forma_vocabulary *v = NULL;
    char magic[4];
    size_t n;
    error_clear(err);
    if (!path) {
        error_set(err, FORMA_EINVAL, "no path of a tokenizer file");
        return NULL;
    }
    if (file_head(path, magic, sizeof magic, &n, err)) return NULL;
    if (n == sizeof magic && memcmp(magic, "GGUF", n) == 0) {
        struct gguf *g = gguf_open(path, a, err);
        if (g) v = vocabulary_from_gguf(g, ends, a, err);
        gguf_close(g);
        return v;
    }
    struct file_text text;
    if (file_read(path, TOKENIZER_JSON_MAX_BYTES, a, &text, err)) return NULL;
    v = vocabulary_from_json(text.data, text.length, ends, a, err);
    file_text_free(&text);
    return v;
}

struct forma_vocabulary *forma_vocabulary_open(const char *path,
                                               const struct forma_allocator *allocator,
                                               struct forma_error *err) {
    return open_file(path, NULL, allocator, err);
}

struct forma_vocabulary *forma_vocabulary_open_with_ends(const char *path, const char *const *ends,
                                                         size_t n_ends,
                                                         const struct forma_allocator *allocator,
                                                         struct forma_error *err) {
    const struct vocabulary_ends list = {ends, n_ends};
    return open_file(path, &list, allocator, err);
}

/* ---- using --------------------------------------------------------------------------------- */

size_t forma_vocabulary_size(const struct forma_vocabulary *v) {
    return v->n_tokens;
}

const unsigned char *forma_vocabulary_bytes(const struct forma_vocabulary *v, uint32_t id,
                                            size_t *length) {
    if (length) *length = 0;
    if (id >= v->n_tokens || v->spans[id].length == 0) return NULL;
    if (length) *length = v->spans[id].length;
    return v->text + v->spans[id].offset;
}

bool forma_vocabulary_is_eos(const struct forma_vocabulary *v, uint32_t id) {
    for (size_t i = 0; i < v->n_eos; i++)
        if (v->eos[i] == id) return true;
    return false;
}

bool vocabulary_spells_byte(const struct forma_vocabulary *v, unsigned char byte) {
    return v->alphabet[byte];
}

const bool *forma_vocabulary_alphabet(const struct forma_vocabulary *v) {
    return v->alphabet;
}

struct json_pool *forma_vocabulary_machines(const struct forma_vocabulary *v) {
    return v ? v->machines : NULL;
}

void forma_vocabulary_free(struct forma_vocabulary *v) {
    if (!v) return;
    struct vocabulary_builder b = {v, v->n_tokens, v->text_size, v->n_eos};
    builder_abandon(&b);
}
