/* SPDX-License-Identifier: MIT
 *
 * Looking at whole languages: are they infinite, which strings do they hold, how do they read.
 */
#include "automaton/regex_machine_internal.h"

/* ---- infinite? ------------------------------------------------------------------------------- */

enum { NOT_SEEN, OPEN, CLOSED };

/* Depth-first over living residuals: a way back to an open one is a cycle. The stamp marks this
 * walk, the slot holds colour. Frames: (term, next class) on the stack. */
static enum regex_answer find_cycle(struct regex_store *s, term_id t, uint64_t *work,
                                    uint64_t limit) {
    uint32_t base = s->stack.count, stamp = ++s->walk_stamp;
    if (!term_push(s, t) || !term_push(s, 0)) return REGEX_LIMIT;
    struct term_scratch *root = term_scratch(s, t);
    if (!root) return REGEX_LIMIT;
    root->walk_stamp = stamp;
    root->colour = OPEN;
    while (s->stack.count > base) {
        term_id u = s->stack.data[s->stack.count - 2];
        uint32_t c = s->stack.data[s->stack.count - 1]++;
        const struct partition *p = term_partition(s, u);
        if (!p || ++*work > limit) return REGEX_LIMIT;
        if (c >= p->n) {
            term_get(s, u)->memo->scratch->colour = CLOSED;
            s->stack.count -= 2;
            continue;
        }
        term_id d = regex_derive(s, u, p->best[c]);
        uint64_t length;
        enum regex_answer a = term_reach(s, d, work, limit, &length);
        if (a == REGEX_LIMIT) return a;
        if (a == REGEX_NO) continue;
        const struct term *x = term_get(s, d);
        if (x->positive && x->max == UINT64_MAX) return REGEX_YES;
        if (x->positive) continue;
        struct term_scratch *seen = term_scratch(s, d);
        if (!seen) return REGEX_LIMIT;
        if (seen->walk_stamp == stamp) {
            if (seen->colour == OPEN) return REGEX_YES;
            continue;
        }
        seen->walk_stamp = stamp;
        seen->colour = OPEN;
        if (!term_push(s, d) || !term_push(s, 0)) return REGEX_LIMIT;
    }
    return REGEX_NO;
}

/* Part by part: a walk through one machine need not drag another along. */
static enum regex_answer holds_infinite(struct regex_store *s, const struct term *x, uint64_t *work,
                                        uint64_t limit) {
    enum regex_answer all = REGEX_NO;
    for (uint32_t i = 0; i < x->c && all != REGEX_YES; i++) {
        enum regex_answer a = regex_is_infinite(s, x->kids[i], work, limit);
        if (a != REGEX_NO) all = a;
    }
    return all;
}

enum regex_answer regex_is_infinite(struct regex_store *s, term_id t, uint64_t *work,
                                    uint64_t limit) {
    if (s->arena->failed) return REGEX_LIMIT;
    if (term_get(s, t)->dense) return REGEX_YES;
    /* below the largest bound there are finitely many strings */
    if (term_get(s, t)->has_length) t = term_at_length(s, t, UINT64_MAX);
    const struct term *x = term_get(s, t);
    if (s->arena->failed) return REGEX_LIMIT;
    if (x->positive || x->max != UINT64_MAX) return x->max == UINT64_MAX ? REGEX_YES : REGEX_NO;
    if (x->is_wide && x->kind == KIND_OR) return holds_infinite(s, x, work, limit);
    struct term_memo *memo = term_memo(s, t);
    if (!memo) return REGEX_LIMIT;
    if (memo->infinite) return memo->infinite == 2 ? REGEX_YES : REGEX_NO;
    uint64_t length;
    enum regex_answer a = term_reach(s, t, work, limit, &length);
    if (a != REGEX_YES) return a;
    uint32_t base = s->stack.count;
    a = find_cycle(s, t, work, limit);
    s->stack.count = base;
    if (s->arena->failed) return REGEX_LIMIT;
    if (a != REGEX_LIMIT) memo->infinite = a == REGEX_YES ? 2 : 1;
    return a;
}

/* ---- all strings ----------------------------------------------------------------------------- */

/* Frames on the stack: (term, next byte); the text so far is one byte a frame. */
static enum regex_answer descend(struct regex_store *s, term_id t,
                                 bool (*visit)(void *ctx, const unsigned char *bytes,
                                               size_t length),
                                 void *ctx, size_t *visited, uint64_t *work, uint64_t limit) {
    uint32_t base = s->stack.count, text = s->text.count;
    uint64_t k = 0;
    if (!term_push(s, t) || !term_push(s, 0)) return REGEX_LIMIT;
    while (s->stack.count > base) {
        term_id u = s->stack.data[s->stack.count - 2];
        uint32_t byte = s->stack.data[s->stack.count - 1]++;
        if (byte == 0 && regex_nullable(s, u, k)) {
            if (s->arena->failed) return REGEX_LIMIT;
            if (!visit(ctx, s->text.data + text, s->text.count - text)) return REGEX_YES;
            ++*visited;
        }
        if (byte == 256) {
            s->stack.count -= 2;
            if (s->stack.count > base) k -= !is_continuation(s->text.data[--s->text.count]);
            continue;
        }
        term_id d = regex_derive(s, u, (unsigned char)byte);
        uint64_t next = k + !is_continuation((unsigned char)byte);
        enum regex_answer a = regex_alive(s, d, next, PARTIAL_BOUNDARY, work, limit);
        if (a == REGEX_LIMIT) return a;
        if (a == REGEX_NO) continue;
        if (++*work > limit || !ARENA_VEC_GROW(s->arena, &s->text)) return REGEX_LIMIT;
        s->text.data[s->text.count++] = (unsigned char)byte;
        k = next;
        if (!term_push(s, d) || !term_push(s, 0)) return REGEX_LIMIT;
    }
    return s->arena->failed ? REGEX_LIMIT : REGEX_NO;
}

size_t regex_enumerate(struct regex_store *s, term_id t,
                       bool (*visit)(void *ctx, const unsigned char *bytes, size_t length),
                       void *ctx, enum regex_answer *more, uint64_t *work, uint64_t limit) {
    uint32_t base = s->stack.count, text = s->text.count;
    size_t visited = 0;
    *more = regex_is_infinite(s, t, work, limit);
    if (*more == REGEX_NO)
        *more = regex_alive(s, t, 0, PARTIAL_BOUNDARY, work, limit);
    else
        return 0;
    if (*more == REGEX_YES) *more = descend(s, t, visit, ctx, &visited, work, limit);
    s->stack.count = base;
    s->text.count = text;
    return visited;
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_code(uint32_t c, FILE *out) {
    if (c > 0x20 && c < 0x7F && c != '\\' && c != ']' && c != '[' && c != '-')
        fputc((int)c, out);
    else
        fprintf(out, "\\u{%X}", c);
}

static void print_set(const struct regex_store *s, uint32_t set, FILE *out) {
    const struct charset *c = charset_get(&s->sets, set);
    if (c->pending) fprintf(out, "<%u more ", c->pending);
    fputc('[', out);
    for (uint32_t i = 0; i < c->n && i < 16; i++) {
        print_code(c->ranges[i].first, out);
        if (c->ranges[i].last == c->ranges[i].first) continue;
        fputc('-', out);
        print_code(c->ranges[i].last, out);
    }
    if (c->n > 16) fputs("...", out);
    fputs(c->pending ? "]>" : "]", out);
}

static void print_bytes(const unsigned char *bytes, uint32_t n, FILE *out) {
    fputc('"', out);
    for (uint32_t i = 0; i < n; i++) {
        if (bytes[i] < 0x20 || bytes[i] == 0x7F || bytes[i] == '"' || bytes[i] == '\\')
            fprintf(out, "\\x%02X", bytes[i]);
        else
            fputc(bytes[i], out);
    }
    fputc('"', out);
}

static void print_node(const struct regex_store *s, const struct term *x, FILE *out);

static void print_term(const struct regex_store *s, term_id t, FILE *out) {
    for (;;) { /* along the spine of concatenations */
        const struct term *x = term_get(s, t);
        if (x->kind == KIND_CAT)
            print_term(s, x->a, out);
        else if (x->kind == KIND_LITERAL)
            print_bytes(x->bytes, x->c, out);
        else {
            print_node(s, x, out);
            return;
        }
        t = x->kind == KIND_CAT ? x->b : x->a;
        if (t == TERM_EMPTY_STRING) return;
        fputc(' ', out);
    }
}

static void print_list(const struct regex_store *s, const struct term *x, const char *separator,
                       FILE *out) {
    fputc('(', out);
    for (uint32_t i = 0; i < x->c; i++) {
        if (i) fputs(separator, out);
        print_term(s, x->kids[i], out);
    }
    fputc(')', out);
}

static void print_node(const struct regex_store *s, const struct term *x, FILE *out) {
    switch ((enum term_kind)x->kind) {
    case KIND_NONE: fputs("none", out); break;
    case KIND_EMPTY: fputs("\"\"", out); break;
    case KIND_ANY: fputs("any", out); break;
    case KIND_SET: print_set(s, x->a, out); break;
    case KIND_TRIE:
        fprintf(out, "<trie of %u branches%s>", x->c, x->final ? ", may end" : "");
        break;
    case KIND_OR: print_list(s, x, " | ", out); break;
    case KIND_AND: print_list(s, x, " & ", out); break;
    case KIND_NOT:
        fputs("not(", out);
        print_term(s, x->a, out);
        fputc(')', out);
        break;
    case KIND_REPEAT:
        fputc('(', out);
        print_term(s, x->a, out);
        if (x->c == REGEX_UNBOUNDED)
            fprintf(out, "){%u,}", x->b);
        else
            fprintf(out, "){%u,%u}", x->b, x->c);
        break;
    case KIND_LENGTH: fprintf(out, "length>=%llu", (unsigned long long)length_bound(x)); break;
    case KIND_LOOK: fprintf(out, "<lookaround %u>", x->a); break;
    case KIND_MACHINE:
        fprintf(out, "<%s %u%s>", machine_state(s, x)->machine->name, x->a, x->c ? "..." : "");
        break;
    case KIND_CAT:
    case KIND_LITERAL: break; /* print_term */
    }
}

void regex_print(struct regex_store *s, term_id t, FILE *out) {
    print_term(s, t, out);
}

size_t regex_some_string(struct regex_store *s, term_id t, unsigned char *out, size_t capacity) {
    uint64_t k = 0;
    partial_id p = PARTIAL_BOUNDARY;
    for (size_t n = 0;; n++) {
        int b = regex_witness_byte(s, t, k, p);
        if (b < 0) return n;
        if (n == capacity) return SIZE_MAX;
        unsigned char byte = (unsigned char)b;
        out[n] = byte;
        t = regex_derive(s, t, byte);
        p = regex_partial_step(s, 0, p, byte);
        if ((byte & 0xC0) != 0x80) k++;
    }
}
