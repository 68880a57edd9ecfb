/* SPDX-License-Identifier: MIT */
#include "base/tokenizer_json.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

#define MAX_PARTS 64u /* of one chain */

struct reader {
    struct tokenizer_json *t;
    struct json_pull p;
    bool want_merges;
    uint32_t piece_capacity;
};

static bool no_memory(struct reader *r) {
    if (!r->p.status)
        r->p.status = error_set(r->p.err, FORMA_EMEMORY, "no memory for the tokenizer file");
    return false;
}

/* ---- values -------------------------------------------------------------------------------- */

/* A string, or null for the empty one. */
static bool read_text(struct json_pull *p, struct json_string *out) {
    if (pull_peek(p) == '"') return pull_string(p, out);
    return pull_skip(p, NULL);
}

static bool read_flag(struct json_pull *p, bool *out) {
    char c = pull_peek(p);
    return c == 't' || c == 'f' ? pull_bool(p, out) : pull_skip(p, NULL);
}

static bool read_id(struct json_pull *p, uint32_t *out) {
    if (!pull_u32(p, out)) return false;
    if (*out < TOKENIZER_JSON_MAX_TOKENS) return true;
    p->status = error_at_text(p->err, FORMA_EMODEL, p->text, p->length, p->at,
                              "token id %" PRIu32 " is past the limit of %" PRIu32 " tokens", *out,
                              TOKENIZER_JSON_MAX_TOKENS);
    return false;
}

/* ---- the model ----------------------------------------------------------------------------- */

static bool put_piece(struct reader *r, uint32_t id, struct json_string piece) {
    struct tokenizer_json *t = r->t;
    if (!piece.data) piece.data = "";
    while (id >= r->piece_capacity)
        if (!arena_vec_grow(&t->arena, (void **)&t->pieces, sizeof *t->pieces, t->n_pieces,
                            &r->piece_capacity))
            return no_memory(r);
    if (id < t->n_pieces && t->pieces[id].data) {
        r->p.status = error_at_pointer(r->p.err, FORMA_EMODEL, "/model/vocab",
                                       "two tokens have the id %" PRIu32, id);
        return false;
    }
    t->pieces[id] = piece;
    if (id >= t->n_pieces) t->n_pieces = id + 1;
    return true;
}

/* BPE: an object from piece to id. Unigram: a list of [piece, score]; the id is the place. */
static bool read_vocab(struct reader *r) {
    struct json_pull *p = &r->p;
    struct json_string piece;
    uint32_t id = 0;
    if (pull_peek(p) == '[') {
        for (pull_enter(p, '['); pull_item(p); id++) {
            pull_enter(p, '[');
            if (!pull_item(p)) return pull_fail(p, "a piece and its score");
            pull_string(p, &piece);
            while (pull_item(p)) pull_skip(p, NULL);
            if (p->status || !put_piece(r, id, piece)) return false;
        }
        return !p->status;
    }
    pull_enter(p, '{');
    while (pull_member(p, &piece))
        if (!read_id(p, &id) || !put_piece(r, id, piece)) return false;
    return !p->status;
}

/* "left right" in older files, ["left", "right"] in newer ones. */
static bool read_merge(struct reader *r, struct tokenizer_merge *m) {
    struct json_pull *p = &r->p;
    struct json_string both;
    if (pull_peek(p) == '[') {
        pull_enter(p, '[');
        if (!pull_item(p) || !pull_string(p, &m->left) || !pull_item(p) ||
            !pull_string(p, &m->right))
            return pull_fail(p, "the two pieces of a merge");
        return !pull_item(p) ? !p->status : pull_fail(p, "the end of a merge of two pieces");
    }
    if (!pull_string(p, &both)) return false;
    const char *blank = memchr(both.data, ' ', both.length);
    if (!blank) return pull_fail(p, "two pieces with a space between");
    m->left = (struct json_string){both.data, (size_t)(blank - both.data)};
    m->right = (struct json_string){blank + 1, both.length - m->left.length - 1};
    return !memchr(m->right.data, ' ', m->right.length) ||
           pull_fail(p, "two pieces with one space between");
}

static bool read_merges(struct reader *r) {
    struct tokenizer_json *t = r->t;
    struct json_pull *p = &r->p;
    ARENA_VEC(struct tokenizer_merge) list = {0};
    if (!r->want_merges || pull_peek(p) == 'n') return pull_skip(p, NULL);
    for (pull_enter(p, '['); pull_item(p); list.count++) {
        if (!ARENA_VEC_GROW(&t->arena, &list)) return no_memory(r);
        if (!read_merge(r, &list.data[list.count])) return false;
    }
    t->merges = list.data;
    t->n_merges = list.count;
    return !p->status;
}

static bool read_model(struct reader *r) {
    struct tokenizer_json *t = r->t;
    struct json_pull *p = &r->p;
    struct json_string name;
    for (pull_enter(p, '{'); pull_member(p, &name);) {
        if (json_string_is(name, "type"))
            read_text(p, &t->model_type);
        else if (json_string_is(name, "unk_token"))
            read_text(p, &t->unk_token);
        else if (json_string_is(name, "unk_id") && pull_peek(p) == '0')
            pull_u32(p, &t->unk_id);
        else if (json_string_is(name, "continuing_subword_prefix"))
            read_text(p, &t->word_prefix);
        else if (json_string_is(name, "end_of_word_suffix"))
            read_text(p, &t->word_suffix);
        else if (json_string_is(name, "byte_fallback"))
            read_flag(p, &t->byte_fallback);
        else if (json_string_is(name, "fuse_unk"))
            read_flag(p, &t->fuse_unk);
        else if (json_string_is(name, "ignore_merges"))
            read_flag(p, &t->ignore_merges);
        else if (json_string_is(name, "dropout")) {
            t->has_dropout = pull_peek(p) != 'n';
            pull_skip(p, NULL);
        } else if (json_string_is(name, "vocab"))
            t->has_vocab = read_vocab(r);
        else if (json_string_is(name, "merges"))
            read_merges(r);
        else
            pull_skip(p, NULL);
    }
    return !p->status;
}

/* ---- added tokens -------------------------------------------------------------------------- */

static bool read_added_token(struct reader *r, struct tokenizer_added *a) {
    struct json_pull *p = &r->p;
    struct json_string name;
    bool has_id = false;
    for (pull_enter(p, '{'); pull_member(p, &name);) {
        if (json_string_is(name, "id"))
            has_id = read_id(p, &a->id);
        else if (json_string_is(name, "content"))
            pull_string(p, &a->content);
        else if (json_string_is(name, "special"))
            read_flag(p, &a->special);
        else if (json_string_is(name, "normalized"))
            read_flag(p, &a->normalized);
        else if (json_string_is(name, "lstrip"))
            read_flag(p, &a->lstrip);
        else if (json_string_is(name, "rstrip"))
            read_flag(p, &a->rstrip);
        else if (json_string_is(name, "single_word"))
            read_flag(p, &a->single_word);
        else
            pull_skip(p, NULL);
    }
    if (p->status || (has_id && a->content.data)) return !p->status;
    p->status = error_at_pointer(p->err, FORMA_EMODEL, "/added_tokens",
                                 "an added token has no id or no content");
    return false;
}

static bool read_added(struct reader *r) {
    struct tokenizer_json *t = r->t;
    struct json_pull *p = &r->p;
    ARENA_VEC(struct tokenizer_added) list = {0};
    if (pull_peek(p) == 'n') return pull_skip(p, NULL);
    for (pull_enter(p, '['); pull_item(p); list.count++) {
        if (!ARENA_VEC_GROW(&t->arena, &list)) return no_memory(r);
        list.data[list.count] = (struct tokenizer_added){0};
        if (!read_added_token(r, &list.data[list.count])) return false;
    }
    t->added = list.data;
    t->n_added = list.count;
    return !p->status;
}

/* ---- chains -------------------------------------------------------------------------------- */

/* {"String": S} or {"Regex": R}, or the pattern as a string. */
static bool read_pattern(struct json_pull *p, struct tokenizer_part *part) {
    struct json_string name;
    if (pull_peek(p) != '{') return read_text(p, &part->pattern);
    for (pull_enter(p, '{'); pull_member(p, &name);) {
        part->pattern_is_regex = json_string_is(name, "Regex");
        if (part->pattern_is_regex || json_string_is(name, "String"))
            pull_string(p, &part->pattern);
        else
            pull_skip(p, NULL);
    }
    return !p->status;
}

static bool read_chain(struct reader *r, struct tokenizer_parts *parts);

/* A member that holds the parts of a sequence goes to the list directly. */
static bool read_part_member(struct reader *r, struct json_string name, struct tokenizer_part *part,
                             struct tokenizer_parts *parts) {
    struct json_pull *p = &r->p;
    const struct {
        const char *name;
        struct json_string *text;
        bool *flag;
    } members[] = {
        {"type", &part->type, NULL},
        {"content", &part->content, NULL},
        {"behavior", &part->behavior, NULL},
        {"replacement", &part->replacement, NULL},
        {"prepend", &part->prepend, NULL},
        {"prepend_scheme", &part->prepend_scheme, NULL},
        {"invert", NULL, &part->invert},
        {"individual_digits", NULL, &part->individual_digits},
        {"add_prefix_space", NULL, &part->add_prefix_space},
        {"use_regex", NULL, &part->use_regex},
        {"split", NULL, &part->split},
    };
    if (json_string_is(name, "pattern")) return read_pattern(p, part);
    if (json_string_is(name, "normalizers") || json_string_is(name, "pretokenizers") ||
        json_string_is(name, "decoders")) {
        for (pull_enter(p, '['); pull_item(p);)
            if (!read_chain(r, parts)) return false;
        return !p->status;
    }
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (json_string_is(name, members[i].name))
            return members[i].text ? read_text(p, members[i].text) : read_flag(p, members[i].flag);
    return pull_skip(p, NULL);
}

/* One part, or the parts of a sequence, behind those that are there. Sequences nest no deeper
 * than the reader allows (1000 brackets). */
static bool read_chain(struct reader *r, struct tokenizer_parts *parts) {
    struct json_pull *p = &r->p;
    struct json_string name;
    struct tokenizer_part part = {.add_prefix_space = true, .use_regex = true, .split = true};
    if (pull_peek(p) == 'n') return pull_skip(p, NULL);
    for (pull_enter(p, '{'); pull_member(p, &name);)
        if (!read_part_member(r, name, &part, parts)) return false;
    if (p->status) return false;
    if (json_string_is(part.type, "Sequence")) return true;
    if (!parts->list) parts->list = arena_push_array(&r->t->arena, MAX_PARTS, sizeof *parts->list);
    if (!parts->list) return no_memory(r);
    if (parts->count == MAX_PARTS) return pull_fail(p, "fewer parts in a chain");
    parts->list[parts->count++] = part;
    return true;
}

/* ---- the file ------------------------------------------------------------------------------ */

static void read_root(struct reader *r) {
    struct tokenizer_json *t = r->t;
    struct json_pull *p = &r->p;
    struct json_string name;
    for (pull_enter(p, '{'); pull_member(p, &name);) {
        if (json_string_is(name, "added_tokens"))
            read_added(r);
        else if (json_string_is(name, "normalizer"))
            read_chain(r, &t->normalizers);
        else if (json_string_is(name, "pre_tokenizer"))
            read_chain(r, &t->pre_tokenizers);
        else if (json_string_is(name, "decoder"))
            read_chain(r, &t->decoders);
        else if (json_string_is(name, "model") && pull_peek(p) == '{')
            read_model(r);
        else
            pull_skip(p, NULL);
    }
    pull_end(p);
}

enum forma_status tokenizer_json_read(struct tokenizer_json *t, const char *text, size_t length,
                                      bool merges, const struct forma_allocator *allocator,
                                      struct forma_error *err) {
    struct reader r = {.t = t, .want_merges = merges};
    size_t size;
    memset(t, 0, sizeof *t);
    t->unk_id = UINT32_MAX;
    t->text_length = length;
    /* Address space: a merge of five bytes takes 32, twice for growing; and the widest list of
     * pieces. */
    if (!fa_mul_size(length, 16, &size) ||
        __builtin_add_overflow(size, 4 * sizeof *t->pieces * TOKENIZER_JSON_MAX_TOKENS, &size) ||
        !arena_init(&t->arena, allocator, size))
        return error_set(err, FORMA_EMEMORY, "no memory for the tokenizer file");
    pull_begin(&r.p, text, length, &t->arena, err);
    if (pull_peek(&r.p) != '{') {
        error_at_text(err, FORMA_EMODEL, text, length, r.p.at,
                      "neither a GGUF file nor a JSON object; is it a tokenizer.json?");
        r.p.status = FORMA_EMODEL;
    } else {
        read_root(&r);
    }
    if (r.p.status) tokenizer_json_destroy(t);
    return r.p.status;
}

void tokenizer_json_destroy(struct tokenizer_json *t) {
    if (t->arena.allocator) arena_destroy(&t->arena);
    memset(t, 0, sizeof *t);
}
