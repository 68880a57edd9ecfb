/* SPDX-License-Identifier: MIT
 *
 * Sets of literal strings as a shared trie. The strings are sorted; a frame stands for those that
 * share a prefix and waits until each of its branches is a term, so equal suffixes become equal
 * nodes (a DAWG, as in Daciuk et al. 2000) without a tree ever being built. Cost: the sort, and
 * once through the bytes. No recursion.
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/regex_internal.h"

struct literal {
    const unsigned char *bytes;
    size_t length;
};

/* Strings [from, to) agree on `depth` bytes, the frame began `prefix` bytes earlier. Its finished
 * branches are on the stack of terms from `kids`, their bytes on s->text from `edges`. */
struct frame {
    size_t from, to, next, start, depth;
    uint32_t kids, edges;
    bool final;
};

static int compare_literals(const void *pa, const void *pb) {
    const struct literal *a = pa, *b = pb;
    size_t n = a->length < b->length ? a->length : b->length;
    int order = n ? memcmp(a->bytes, b->bytes, n) : 0;
    if (order) return order;
    return a->length < b->length ? -1 : a->length > b->length;
}

static struct frame open_frame(struct regex_store *s, const struct literal *v, size_t from,
                               size_t to, size_t start) {
    const struct literal *a = &v[from], *b = &v[to - 1];
    size_t depth = start;
    while (depth < a->length && depth < b->length && a->bytes[depth] == b->bytes[depth]) depth++;
    bool final = a->length == depth;
    return (struct frame){from,          to,   from + final, start, depth, s->stack.count,
                          s->text.count, final};
}

/* All branches are there: the node, with the shared bytes before it. */
static term_id close_frame(struct regex_store *s, const struct literal *v, const struct frame *f) {
    uint32_t n = s->stack.count - f->kids;
    term_id t = TERM_EMPTY_STRING;
    if (n) {
        struct term node = {.kind = KIND_TRIE,
                            .c = n,
                            .final = f->final,
                            .bytes = s->text.data + f->edges,
                            .kids = s->stack.data + f->kids};
        t = term_make(s, &node);
    }
    s->stack.count = f->kids;
    s->text.count = f->edges;
    return term_prepend(s, v[f->from].bytes + f->start, f->depth - f->start, t);
}

static bool push_edge(struct regex_store *s, unsigned char byte) {
    if (!ARENA_VEC_GROW(s->arena, &s->text)) return false;
    s->text.data[s->text.count++] = byte;
    return true;
}

static term_id build(struct regex_store *s, const struct literal *v, size_t n) {
    ARENA_VEC(struct frame) frames = {NULL, 0, 0};
    if (!ARENA_VEC_GROW(s->arena, &frames)) return TERM_NONE;
    frames.data[frames.count++] = open_frame(s, v, 0, n, 0);
    for (;;) {
        struct frame *f = &frames.data[frames.count - 1];
        if (f->next < f->to) {
            unsigned char byte = v[f->next].bytes[f->depth];
            size_t from = f->next, to = from + 1;
            while (to < f->to && v[to].bytes[f->depth] == byte) to++;
            f->next = to;
            struct frame child = open_frame(s, v, from, to, f->depth + 1);
            /* the edge byte lies below the child's own edges */
            if (!push_edge(s, byte) || !ARENA_VEC_GROW(s->arena, &frames)) return TERM_NONE;
            child.edges = s->text.count;
            frames.data[frames.count++] = child;
            continue;
        }
        term_id t = close_frame(s, v, f);
        if (--frames.count == 0) return t;
        if (!term_push(s, t)) return TERM_NONE;
    }
}

term_id regex_literal_set(struct regex_store *s, const unsigned char *const *strings,
                          const size_t *lengths, size_t n) {
    struct literal *v = arena_push_array(s->arena, n, sizeof *v);
    if (!v) return TERM_NONE;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (regex_literal_is_spellable(s, strings[i], lengths[i]))
            v[kept++] = (struct literal){strings[i], lengths[i]};
    if (!kept) return TERM_NONE;
    qsort(v, kept, sizeof *v, compare_literals);
    size_t unique = 1;
    for (size_t i = 1; i < kept; i++)
        if (compare_literals(&v[unique - 1], &v[i])) v[unique++] = v[i];
    uint32_t stack = s->stack.count, text = s->text.count;
    term_id t = build(s, v, unique);
    s->stack.count = stack;
    s->text.count = text;
    return s->arena->failed ? TERM_NONE : t;
}
