/* SPDX-License-Identifier: MIT
 *
 * Every token is read by the automaton of a string without any rule, once for each way to escape.
 */
#include "tokenmask/string_tokens.h"

#include <stdlib.h>
#include <string.h>

#include "automaton/json_string.h"
#include "automaton/spellable.h"
#include "base/arena.h"
#include "tokenmask/json_lexer.h"

#define READER_BYTES ((size_t)16 << 20) /* address space; a fraction is used */

enum fate { FATE_NONE, FATE_INSIDE, FATE_CLOSING };

/* What becomes of a token in a string without any rule. */
struct reading {
    enum fate fate;
    uint32_t characters; /* inside: how many must still be allowed; closing: before the quote */
    uint32_t quote;      /* closing: where the quote stands */
};

/* Strings without any rule, in one way to escape. */
struct free_string {
    struct arena arena;
    struct string_reader *reader;
    string_state start;
};

static bool free_string_init(struct free_string *f, const bool alphabet[256], bool any_escape,
                             const struct forma_allocator *allocator) {
    bool limited = false;
    memset(f, 0, sizeof *f);
    if (!arena_init(&f->arena, allocator, READER_BYTES)) return false;
    struct code_range *ranges = arena_push_array(&f->arena, SPELLABLE_MAX_RANGES, sizeof *ranges);
    if (!ranges) return false;
    size_t n = string_spellable(alphabet, any_escape, ranges);
    struct regex_store *regex = regex_store_new(&f->arena, ranges, n);
    if (!regex) return false;
    f->reader = string_reader_new(&f->arena, regex, alphabet, any_escape, UINT64_MAX);
    if (!f->reader) return false;
    f->start = string_begin(f->reader, (const term_id[]){TERM_ANY}, 1, &limited);
    return !f->arena.failed;
}

static struct reading read_token(struct free_string *f, const unsigned char *bytes, size_t n) {
    struct reading r = {FATE_INSIDE, 0, 0};
    string_state s = f->start;
    bool limited = false;
    for (size_t i = 0; i < n && s != STRING_DEAD; i++) {
        unsigned char decoded[4];
        string_state next = string_step(f->reader, s, bytes[i], &limited);
        if (next == STRING_CLOSED) {
            bool can = json_lexer_reads(bytes + i + 1, n - i - 1);
            return (struct reading){can ? FATE_CLOSING : FATE_NONE, r.characters, (uint32_t)i};
        }
        size_t m = string_decoded(f->reader, s, bytes[i], next, decoded);
        for (size_t d = 0; d < m; d++) r.characters += (decoded[d] & 0xC0) != 0x80;
        s = next;
    }
    if (s == STRING_DEAD) return (struct reading){FATE_NONE, 0, 0};
    r.characters += string_is_escaping(f->reader, s);
    return r;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool make_rows(struct string_tokens *t) {
    for (int e = 0; e < 2; e++) {
        t->free_rows[e] = fa_alloc_zero(t->allocator, t->words * sizeof(uint32_t));
        t->room_rows[e] = fa_alloc_zero(t->allocator, STRING_ROOMS * t->words * sizeof(uint32_t));
        if (!t->free_rows[e] || !t->room_rows[e]) return false;
    }
    return true;
}

static void allow(uint32_t *row, uint32_t id) {
    row[id / 32] |= UINT32_C(1) << id % 32;
}

static void add_inside(struct string_tokens *t, int escapes, uint32_t id, uint32_t characters) {
    allow(t->free_rows[escapes], id);
    if (t->most_characters < characters) t->most_characters = characters;
    for (uint32_t room = characters; room < STRING_ROOMS; room++)
        allow(t->room_rows[escapes] + room * t->words, id);
}

static int by_characters(const void *a, const void *b) {
    const struct long_token *x = a, *y = b;
    if (x->characters != y->characters) return x->characters < y->characters ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* ---- building -------------------------------------------------------------------------------- */

/* While building, by token. */
struct drafts {
    struct reading *any, *minimal;
    struct token_span *plain, *escaping, *closing, *tails, *outside;
    size_t n;
};

static void free_drafts(struct drafts *d, const struct forma_allocator *a) {
    fa_free(a, d->any, d->n * sizeof *d->any);
    fa_free(a, d->minimal, d->n * sizeof *d->minimal);
    fa_free(a, d->plain, d->n * sizeof *d->plain);
    fa_free(a, d->escaping, d->n * sizeof *d->escaping);
    fa_free(a, d->closing, d->n * sizeof *d->closing);
    fa_free(a, d->tails, d->n * sizeof *d->tails);
    fa_free(a, d->outside, d->n * sizeof *d->outside);
}

static bool read_all(struct string_tokens *t, struct drafts *d, const unsigned char *text,
                     const struct token_span *spans, const bool alphabet[256]) {
    for (int e = 1; e >= 0; e--) {
        struct free_string f;
        bool ok = free_string_init(&f, alphabet, e == 1, t->allocator);
        for (size_t i = 0; ok && i < d->n; i++) {
            struct reading *r = e ? &d->any[i] : &d->minimal[i];
            if (!spans[i].length || (!e && d->any[i].fate == FATE_NONE)) continue;
            *r = read_token(&f, text + spans[i].offset, spans[i].length);
            if (r->fate == FATE_INSIDE) add_inside(t, e, (uint32_t)i, r->characters);
        }
        ok = ok && !f.arena.failed;
        arena_destroy(&f.arena);
        if (!ok) return false;
    }
    return true;
}

static bool collect_longer(struct string_tokens *t, const struct drafts *d) {
    for (size_t i = 0; i < d->n; i++)
        t->n_longer += d->any[i].fate == FATE_INSIDE && d->any[i].characters >= STRING_ROOMS;
    t->longer = fa_alloc(t->allocator, (t->n_longer + 1) * sizeof *t->longer);
    if (!t->longer) return false;
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++)
        if (d->any[i].fate == FATE_INSIDE && d->any[i].characters >= STRING_ROOMS)
            t->longer[n++] = (struct long_token){(uint32_t)i, d->any[i].characters};
    qsort(t->longer, n, sizeof *t->longer, by_characters);
    return true;
}

/* The tails get numbers by their bytes. An empty tail has no node in the trie: it is number 0,
 * which is always there. */
static bool number_tails(struct string_tokens *t, const struct drafts *d) {
    size_t n = t->closing.n_ids;
    t->tail = fa_alloc_zero(t->allocator, (n + 1) * sizeof *t->tail);
    t->minimal = fa_alloc_zero(t->allocator, (n + 1) * sizeof *t->minimal);
    t->before = fa_alloc_zero(t->allocator, (n + 1) * sizeof *t->before);
    uint32_t *number = fa_alloc_zero(t->allocator, (d->n + 1) * sizeof *number);
    bool ok = t->tail && t->minimal && t->before && number;
    t->n_tails = 1;
    for (size_t i = 0; ok && i < t->tails.n_nodes; i++) {
        uint32_t first = t->tails.nodes[i].first, end = t->tails.nodes[i + 1].first;
        for (uint32_t k = first; k < end; k++) number[t->tails.ids[k]] = (uint32_t)t->n_tails;
        if (first < end) t->tails.ids[first] = (uint32_t)t->n_tails++;
    }
    for (size_t k = 0; ok && k < n; k++) {
        t->tail[k] = number[t->closing.ids[k]];
        t->minimal[k] = d->minimal[t->closing.ids[k]].fate == FATE_CLOSING;
        t->before[k] = d->any[t->closing.ids[k]].characters;
    }
    fa_free(t->allocator, number, (d->n + 1) * sizeof *number);
    return ok;
}

static bool list_entries(struct string_tokens *t) {
    size_t n = t->closing.n_ids;
    t->tail_first = fa_alloc_zero(t->allocator, (t->n_tails + 2) * sizeof *t->tail_first);
    t->tail_entries = fa_alloc(t->allocator, (n + 1) * sizeof *t->tail_entries);
    if (!t->tail_first || !t->tail_entries) return false;
    for (size_t k = 0; k < n; k++) t->tail_first[t->tail[k] + 2]++;
    for (size_t i = 2; i < t->n_tails + 2; i++) t->tail_first[i] += t->tail_first[i - 1];
    for (size_t k = 0; k < n; k++) t->tail_entries[t->tail_first[t->tail[k] + 1]++] = (uint32_t)k;
    return true;
}

/* What the bytes before the quote stand for; SIZE_MAX where nothing is escaped. */
static size_t decode(struct free_string *f, const unsigned char *bytes, size_t n,
                     unsigned char *out) {
    if (!memchr(bytes, '\\', n)) return SIZE_MAX;
    string_state s = f->start;
    bool limited = false;
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        string_state next = string_step(f->reader, s, bytes[i], &limited);
        length += string_decoded(f->reader, s, bytes[i], next, out + length);
        s = next;
    }
    return length;
}

struct sort_text {
    const unsigned char *bytes;
    struct escaped_token token;
};

static int by_text(const void *pa, const void *pb) {
    const struct sort_text *a = pa, *b = pb;
    uint32_t n = a->token.length < b->token.length ? a->token.length : b->token.length;
    int order = n ? memcmp(a->bytes, b->bytes, n) : 0;
    if (order) return order;
    return (a->token.length > b->token.length) - (a->token.length < b->token.length);
}

static bool list_escaped(struct string_tokens *t, struct free_string *f, const struct drafts *d,
                         const unsigned char *text, const struct token_span *spans) {
    size_t n = t->closing.n_ids;
    for (size_t k = 0; k < n; k++)
        t->decoded_size += 4 * (size_t)d->any[t->closing.ids[k]].quote; /* at most */
    struct sort_text *list = fa_alloc(t->allocator, (n + 1) * sizeof *list);
    t->decoded = fa_alloc(t->allocator, t->decoded_size + 1);
    bool ok = list && t->decoded;
    uint32_t used = 0;
    for (size_t k = 0; ok && k < n; k++) {
        uint32_t id = t->closing.ids[k];
        size_t length = decode(f, text + spans[id].offset, d->any[id].quote, t->decoded + used);
        if (length == SIZE_MAX) continue;
        list[t->n_escaped++] =
            (struct sort_text){t->decoded + used, {(uint32_t)k, used, (uint32_t)length}};
        used += (uint32_t)length;
    }
    t->escaped = fa_alloc(t->allocator, (t->n_escaped + 1) * sizeof *t->escaped);
    ok = ok && t->escaped;
    if (ok) qsort(list, t->n_escaped, sizeof *list, by_text);
    for (size_t i = 0; ok && i < t->n_escaped; i++) t->escaped[i] = list[i].token;
    fa_free(t->allocator, list, (n + 1) * sizeof *list);
    return ok;
}

static bool describe_plain(struct string_tokens *t, const struct drafts *d,
                           const unsigned char *text) {
    const struct trie *p = &t->plain;
    t->plain_nodes = fa_alloc_zero(t->allocator, (p->n_nodes + 1) * sizeof *t->plain_nodes);
    t->signatures = fa_alloc(t->allocator, t->words * 32 * sizeof *t->signatures);
    uint16_t *above = fa_alloc_zero(t->allocator, (p->max_depth + 1) * sizeof *above);
    unsigned char *path = fa_alloc_zero(t->allocator, p->max_depth + 1);
    bool ok = t->plain_nodes && t->signatures && above && path;
    if (ok) memset(t->signatures, 0xFF, t->words * 32 * sizeof *t->signatures);
    for (size_t i = 0; ok && i < d->n; i++) {
        if (!d->plain[i].length) continue;
        t->signatures[i] = 0;
        for (uint32_t k = 0; k < d->plain[i].length; k++)
            t->signatures[i] |= trie_bits(text + d->plain[i].offset, k);
        t->plain_classes |= t->signatures[i];
        for (unsigned c = 0; c < 64; c++) t->weight[c] += (uint32_t)(t->signatures[i] >> c & 1);
    }
    for (size_t i = 0; ok && i < p->n_nodes; i++) {
        const struct trie_node *n = &p->nodes[i];
        above[n->depth] = (uint16_t)(above[n->depth - 1] + ((n->byte & 0xC0) != 0x80));
        t->plain_nodes[i].characters = above[n->depth];
        path[n->depth - 1] = n->byte;
        t->plain_nodes[i].is_space = (trie_bits(path, n->depth - 1) & TRIE_SPACES) != 0;
    }
    for (size_t i = p->n_nodes; ok && i-- > 0;) /* children stand behind their parents */
        for (size_t k = i + 1; k < i + p->nodes[i].skip; k += p->nodes[k].skip) {
            const struct plain_node *c = &t->plain_nodes[k];
            unsigned h = c->height + (unsigned)c->characters - t->plain_nodes[i].characters;
            if (h > t->plain_nodes[i].height) t->plain_nodes[i].height = (uint16_t)h;
        }
    fa_free(t->allocator, above, (p->max_depth + 1) * sizeof *above);
    fa_free(t->allocator, path, p->max_depth + 1);
    return ok;
}

static bool build_tries(struct string_tokens *t, struct drafts *d, const unsigned char *text,
                        const struct token_span *spans) {
    for (size_t i = 0; i < d->n; i++) {
        const struct reading *r = &d->any[i];
        if (json_lexer_reads(text + spans[i].offset, spans[i].length)) d->outside[i] = spans[i];
        bool escapes =
            r->fate == FATE_INSIDE && memchr(text + spans[i].offset, '\\', spans[i].length) != NULL;
        if (escapes) d->escaping[i] = spans[i];
        if (r->fate == FATE_INSIDE && !escapes) d->plain[i] = spans[i];
        if (r->fate != FATE_CLOSING) continue;
        d->closing[i] = spans[i];
        d->tails[i] =
            (struct token_span){spans[i].offset + r->quote + 1, spans[i].length - r->quote - 1};
    }
    return trie_build(&t->plain, text, d->plain, d->n, t->allocator) &&
           trie_build(&t->escaping, text, d->escaping, d->n, t->allocator) &&
           describe_plain(t, d, text) &&
           trie_build(&t->closing, text, d->closing, d->n, t->allocator) &&
           trie_build(&t->tails, text, d->tails, d->n, t->allocator) && number_tails(t, d) &&
           list_entries(t) && trie_build(&t->outside, text, d->outside, d->n, t->allocator);
}

static bool build_escaped(struct string_tokens *t, const struct drafts *d,
                          const unsigned char *text, const struct token_span *spans,
                          const bool alphabet[256]) {
    struct free_string f;
    bool ok =
        free_string_init(&f, alphabet, true, t->allocator) && list_escaped(t, &f, d, text, spans);
    arena_destroy(&f.arena);
    return ok;
}

bool string_tokens_build(struct string_tokens *t, const unsigned char *text,
                         const struct token_span *spans, size_t n_spans, const bool alphabet[256],
                         const struct forma_allocator *allocator) {
    memset(t, 0, sizeof *t);
    t->allocator = allocator;
    t->words = (n_spans + 31) / 32;
    struct drafts d = {.n = n_spans};
    d.any = fa_alloc_zero(allocator, n_spans * sizeof *d.any);
    d.minimal = fa_alloc_zero(allocator, n_spans * sizeof *d.minimal);
    d.plain = fa_alloc_zero(allocator, n_spans * sizeof *d.plain);
    d.escaping = fa_alloc_zero(allocator, n_spans * sizeof *d.escaping);
    d.closing = fa_alloc_zero(allocator, n_spans * sizeof *d.closing);
    d.tails = fa_alloc_zero(allocator, n_spans * sizeof *d.tails);
    d.outside = fa_alloc_zero(allocator, n_spans * sizeof *d.outside);
    bool ok = d.any && d.minimal && d.plain && d.escaping && d.closing && d.tails && d.outside &&
              make_rows(t);
    if (ok && alphabet['"']) ok = read_all(t, &d, text, spans, alphabet);
    ok = ok && collect_longer(t, &d) && build_tries(t, &d, text, spans) &&
         build_escaped(t, &d, text, spans, alphabet);
    free_drafts(&d, allocator);
    if (!ok) string_tokens_destroy(t);
    return ok;
}

void string_tokens_destroy(struct string_tokens *t) {
    const struct forma_allocator *a = t->allocator;
    if (!a) return;
    for (int e = 0; e < 2; e++) {
        fa_free(a, t->free_rows[e], t->words * sizeof(uint32_t));
        fa_free(a, t->room_rows[e], STRING_ROOMS * t->words * sizeof(uint32_t));
    }
    fa_free(a, t->longer, (t->n_longer + 1) * sizeof *t->longer);
    fa_free(a, t->tail, (t->closing.n_ids + 1) * sizeof *t->tail);
    fa_free(a, t->minimal, (t->closing.n_ids + 1) * sizeof *t->minimal);
    fa_free(a, t->before, (t->closing.n_ids + 1) * sizeof *t->before);
    fa_free(a, t->tail_first, (t->n_tails + 2) * sizeof *t->tail_first);
    fa_free(a, t->tail_entries, (t->closing.n_ids + 1) * sizeof *t->tail_entries);
    fa_free(a, t->escaped, (t->n_escaped + 1) * sizeof *t->escaped);
    fa_free(a, t->decoded, t->decoded_size + 1);
    fa_free(a, t->plain_nodes, (t->plain.n_nodes + 1) * sizeof *t->plain_nodes);
    fa_free(a, t->signatures, t->words * 32 * sizeof *t->signatures);
    trie_destroy(&t->plain);
    trie_destroy(&t->escaping);
    trie_destroy(&t->closing);
    trie_destroy(&t->tails);
    trie_destroy(&t->outside);
    memset(t, 0, sizeof *t);
}
