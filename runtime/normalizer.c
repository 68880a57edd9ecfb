/* SPDX-License-Identifier: MIT */
#include "runtime/normalizer.h"

#include <string.h>

#include "base/error.h"
#include "base/nfc.h"

/* ---- making -------------------------------------------------------------------------------- */

static enum forma_status add_step(struct normalizer *n, enum normalizer_kind kind,
                                  struct json_string from, struct json_string to,
                                  struct arena *arena, const char *place, struct forma_error *err) {
    if (n->n_steps == NORMALIZER_MAX_STEPS)
        return error_at_pointer(err, FORMA_EUNSUPPORTED, place,
                                "more than %d steps in a row are not supported",
                                NORMALIZER_MAX_STEPS);
    struct normalizer_step *step = &n->steps[n->n_steps++];
    step->kind = kind;
    step->from = (struct json_string){arena_push_copy(arena, from.data, from.length), from.length};
    step->to = (struct json_string){arena_push_copy(arena, to.data, to.length), to.length};
    if (step->from.data && step->to.data) return FORMA_OK;
    return error_set(err, FORMA_EMEMORY, "no memory for the normalizer");
}

enum forma_status normalizer_init(struct normalizer *n, const struct tokenizer_parts *normalizers,
                                  struct arena *arena, struct forma_error *err) {
    static const char place[] = "/normalizer";
    const struct json_string none = {"", 0};
    enum forma_status status = FORMA_OK;
    memset(n, 0, sizeof *n);
    for (uint32_t i = 0; i < normalizers->count && !status; i++) {
        const struct tokenizer_part *part = &normalizers->list[i];
        if (json_string_is(part->type, "NFC"))
            status = add_step(n, NORMALIZE_NFC, none, none, arena, place, err);
        else if (json_string_is(part->type, "Prepend"))
            status = add_step(n, NORMALIZE_PREPEND, none, part->prepend, arena, place, err);
        else if (json_string_is(part->type, "Replace") && part->pattern.length &&
                 !part->pattern_is_regex)
            status =
                add_step(n, NORMALIZE_REPLACE, part->pattern, part->content, arena, place, err);
        else
            return error_at_pointer(err, FORMA_EUNSUPPORTED, place,
                                    "the normalizer \"%.*s\" is not supported; NFC, Prepend and "
                                    "Replace of a text are",
                                    (int)(part->type.length < 40 ? part->type.length : 40),
                                    part->type.length ? part->type.data : "");
    }
    return status;
}

static enum forma_status add_metaspace(struct normalizer *n, const struct tokenizer_part *part,
                                       struct arena *arena, const char *place,
                                       struct forma_error *err) {
    const struct json_string space = {" ", 1}, sign = part->replacement,
                             scheme = part->prepend_scheme;
    bool always = scheme.length ? json_string_is(scheme, "always") : part->add_prefix_space;
    bool first = json_string_is(scheme, "first");
    if (!sign.length || (scheme.length && !always && !first && !json_string_is(scheme, "never")))
        return error_at_pointer(err, FORMA_EUNSUPPORTED, place,
                                "this kind of Metaspace is not supported");
    enum forma_status status = add_step(n, NORMALIZE_REPLACE, space, sign, arena, place, err);
    if (status || (!always && !first)) return status;
    return add_step(n, always ? NORMALIZE_PREFIX : NORMALIZE_PREFIX_FIRST, sign, sign, arena, place,
                    err);
}

enum forma_status normalizer_init_prefix(struct normalizer *n,
                                         const struct tokenizer_parts *pre_tokenizers,
                                         struct arena *arena, struct forma_error *err) {
    static const char place[] = "/pre_tokenizer";
    const struct json_string space = {" ", 1};
    memset(n, 0, sizeof *n);
    for (uint32_t i = 0; i < pre_tokenizers->count; i++) {
        const struct tokenizer_part *part = &pre_tokenizers->list[i];
        bool meta = json_string_is(part->type, "Metaspace");
        bool prefix = json_string_is(part->type, "ByteLevel") && part->add_prefix_space;
        enum forma_status status = FORMA_OK;
        /* Behind a split each piece would get its own. */
        if (i > 0 && (meta || prefix))
            return error_at_pointer(err, FORMA_EUNSUPPORTED, place,
                                    "spaces that are put in front of pieces are not supported");
        if (meta) status = add_metaspace(n, part, arena, place, err);
        if (prefix) status = add_step(n, NORMALIZE_PREFIX, space, space, arena, place, err);
        if (status) return status;
    }
    return FORMA_OK;
}

/* ---- running ------------------------------------------------------------------------------- */

void normalizer_scratch_destroy(struct normalizer_scratch *s) {
    for (size_t i = 0; i < 2; i++) {
        fa_free(s->allocator, s->buffers[i].data, s->buffers[i].capacity);
        s->buffers[i] = (struct normalizer_buffer){0};
    }
}

/* The buffer that the text is not in, with room for `size` bytes; NULL: no memory. */
static char *other_buffer(struct normalizer_scratch *s, const char *text, size_t size) {
    struct normalizer_buffer *b = &s->buffers[text == s->buffers[0].data];
    if (size > b->capacity) {
        size_t capacity = size + size / 2 + 64;
        if (capacity < size) return NULL;
        char *grown = fa_resize(s->allocator, b->data, b->capacity, capacity);
        if (!grown) return NULL;
        b->data = grown;
        b->capacity = capacity;
    }
    return b->data;
}

static bool replace(const struct normalizer_step *step, struct normalizer_scratch *s,
                    struct json_string *text) {
    struct json_string from = step->from, to = step->to;
    const char *in = text->data, *end = in + text->length, *found;
    size_t count = 0, size;
    for (const char *p = in; (found = memmem(p, (size_t)(end - p), from.data, from.length)) != NULL;
         p = found + from.length)
        count++;
    if (count == 0) return true;
    if (!fa_mul_size(count, to.length, &size) ||
        __builtin_add_overflow(size, text->length - count * from.length, &size))
        return false;
    char *out = other_buffer(s, in, size);
    if (!out) return false;
    text->data = out;
    text->length = size;
    for (; count > 0; count--) {
        found = memmem(in, (size_t)(end - in), from.data, from.length);
        memcpy(out, in, (size_t)(found - in));
        out += found - in;
        memcpy(out, to.data, to.length);
        out += to.length;
        in = found + from.length;
    }
    memcpy(out, in, (size_t)(end - in));
    return true;
}

static bool prepend(struct json_string prefix, struct normalizer_scratch *s,
                    struct json_string *text) {
    size_t size = prefix.length + text->length;
    char *out = size < text->length ? NULL : other_buffer(s, text->data, size);
    if (!out) return false;
    memcpy(out, prefix.data, prefix.length);
    memcpy(out + prefix.length, text->data, text->length);
    *text = (struct json_string){out, size};
    return true;
}

static bool normalize_nfc(struct normalizer_scratch *s, struct json_string *text) {
    size_t size;
    if (nfc_is_normal(text->data, text->length)) return true;
    if (!fa_mul_size(text->length, NFC_MAX_GROWTH, &size)) return false;
    char *out = other_buffer(s, text->data, size);
    if (!out) return false;
    size = nfc_normalize(text->data, text->length, out, s->allocator);
    *text = (struct json_string){out, size};
    return size != SIZE_MAX;
}

static bool begins_with(struct json_string text, struct json_string prefix) {
    return text.length >= prefix.length && memcmp(text.data, prefix.data, prefix.length) == 0;
}

bool normalizer_apply(const struct normalizer *n, struct normalizer_scratch *s,
                      enum normalizer_place place, struct json_string *text) {
    bool ok = true;
    for (size_t i = 0; i < n->n_steps && ok && text->length; i++) {
        const struct normalizer_step *step = &n->steps[i];
        bool here = place == NORMALIZE_FIRST ||
                    (place == NORMALIZE_PART && step->kind != NORMALIZE_PREFIX_FIRST);
        switch (step->kind) {
        case NORMALIZE_REPLACE: ok = replace(step, s, text); break;
        case NORMALIZE_PREPEND:
            if (here) ok = prepend(step->to, s, text);
            break;
        case NORMALIZE_PREFIX_FIRST:
        case NORMALIZE_PREFIX:
            if (here && !begins_with(*text, step->from)) ok = prepend(step->to, s, text);
            break;
        case NORMALIZE_NFC: ok = normalize_nfc(s, text); break;
        }
    }
    return ok;
}
