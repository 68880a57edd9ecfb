/* SPDX-License-Identifier: MIT
 *
 * Deciding terms that hold wide machines (regex_machine.h), where a search is dear: every state
 * that it looks at is made, with dozens that follow it.
 *
 * Ways. A machine knows its own way to an end, a pattern its shortest string. Where they stand
 * together, each says which byte it would go on with, and the one that leaves least to be done is
 * taken. It often arrives, and makes one state a byte.
 *
 * Strings of a length. Where one is asked for, a way is stretched: as long as there is room, a
 * character that leaves little to be done comes first. What is done next depends on the term and the
 * length alone, so a string that was found once is found again from each of its places.
 *
 * Covers. A machine's strings are strings of its alphabet: with each machine replaced by that, and
 * what a complement would take away left in, the term holds more. If that is empty, the term is; a
 * search through machines would hardly ever end.
 */
#include "automaton/regex_machine_internal.h"

enum {
    MAX_WAY = 4096,    /* bytes */
    MAX_HINTS = 8,     /* that are looked at for each byte */
    MAX_COVER = 64,    /* terms inside each other */
    COVER_WORK = 20000 /* steps */
};

/* ---- ways ------------------------------------------------------------------------------------ */

struct hints {
    unsigned char byte[MAX_HINTS];
    size_t n;
};

static void add_hint(struct hints *h, int byte) {
    if (byte < 0 || h->n == MAX_HINTS) return;
    for (size_t i = 0; i < h->n; i++)
        if (h->byte[i] == byte) return;
    h->byte[h->n++] = (unsigned char)byte;
}

/* The bytes that t's parts would go on with. */
static void find_hints(struct regex_store *s, term_id t, struct hints *h, unsigned depth) {
    const struct term *x = term_get(s, t);
    int byte = term_known_byte(s, t);
    if (byte >= 0 || depth == 0) {
        add_hint(h, byte);
        return;
    }
    switch ((enum term_kind)x->kind) {
    case KIND_CAT: find_hints(s, term_get(s, x->a)->nullable ? x->b : x->a, h, depth - 1); break;
    case KIND_AND:
    case KIND_OR:
        for (uint32_t i = 0; i < x->c && h->n < MAX_HINTS; i++)
            find_hints(s, x->kids[i], h, depth - 1);
        break;
    default: break;
    }
}

/* The byte that leaves least to be done, and the term behind it. */
static term_id step_by_hint(struct regex_store *s, term_id t, unsigned char *byte) {
    struct hints hints = {.n = 0};
    term_id best = TERM_NONE;
    find_hints(s, t, &hints, 4);
    for (size_t i = 0; i < hints.n; i++) {
        term_id d = term_living(s, regex_derive(s, t, hints.byte[i]));
        if (d == TERM_NONE) continue;
        if (best != TERM_NONE && term_get(s, d)->guess >= term_get(s, best)->guess) continue;
        best = d;
        *byte = hints.byte[i];
    }
    return best;
}

/* A character to go on with where none is asked for: one of `first`, those that fit most formats, then
 * whatever the term tells apart. The term behind it must be done in `room` characters. */
static term_id fill(struct regex_store *s, term_id t, const char *first, uint64_t room,
                    unsigned char *byte) {
    for (; *first; first++) {
        *byte = (unsigned char)*first;
        term_id d = term_living(s, regex_derive(s, t, *byte));
        if (d != TERM_NONE && term_get(s, d)->guess <= room) return d;
    }
    const struct partition *p = term_partition(s, t);
    for (uint32_t c = 0; p && c < p->n && c < MAX_HINTS; c++) {
        *byte = p->best[c];
        term_id d = *byte < 0x80 ? term_living(s, regex_derive(s, t, *byte)) : TERM_NONE;
        if (d != TERM_NONE && term_get(s, d)->guess <= room) return d;
    }
    return TERM_NONE;
}

/* Is it known that t holds a string? Its code points in *length. */
static bool is_alive(const struct regex_store *s, term_id t, uint64_t *length) {
    const struct term *x = term_get(s, t);
    *length = x->nullable ? 0 : x->min;
    if (x->nullable || x->positive) return true;
    if (!x->memo || x->memo->verdict != VERDICT_ALIVE) return false;
    *length = x->memo->shortest;
    return true;
}

/* The terms on the way are on s->stack from `terms`, their bytes on s->text from `bytes`; it ends
 * where `length` code points are known to be left. */
static void keep_way(struct regex_store *s, uint32_t terms, uint32_t bytes, uint64_t length) {
    uint32_t n = s->stack.count - terms;
    for (uint32_t i = n; i--;) {
        term_id t = s->stack.data[terms + i];
        struct term_memo *memo = term_memo(s, t);
        length += !term_is_inside(term_get(s, t));
        if (!memo || (memo->verdict == VERDICT_ALIVE && memo->shortest <= length)) return;
        memo->verdict = VERDICT_ALIVE;
        memo->shortest = length;
        memo->via = s->text.data[bytes + i];
        memo->exact = false;
    }
}

static bool follow_hints(struct regex_store *s, term_id t, uint64_t *work, uint64_t limit,
                         uint64_t *length) {
    uint32_t terms = s->stack.count, bytes = s->text.count;
    uint64_t rest = 0, patience = 2 * (uint64_t)term_get(s, t)->guess + 16;
    if (patience > MAX_WAY) patience = MAX_WAY;
    bool found = false;
    for (; patience && !(found = is_alive(s, t, &rest)) && ++*work <= limit; patience--) {
        unsigned char byte = 0;
        term_id next = step_by_hint(s, t, &byte);
        /* what is wanted may fit behind a dot: in another label, another atom */
        if (next == TERM_NONE) next = fill(s, t, ".a0", UINT64_MAX, &byte);
        if (next == TERM_NONE || !term_push(s, t) || !ARENA_VEC_GROW(s->arena, &s->text)) break;
        s->text.data[s->text.count++] = byte;
        t = next;
    }
    *length = rest;
    for (uint32_t i = terms; i < s->stack.count; i++)
        *length += !term_is_inside(term_get(s, s->stack.data[i]));
    if (found) keep_way(s, terms, bytes, rest);
    s->stack.count = terms;
    s->text.count = bytes;
    return found;
}

/* ---- strings of a length --------------------------------------------------------------------- */

static term_id stretch(struct regex_store *s, term_id t, uint64_t length) {
    term_id next = TERM_NONE;
    unsigned char unused;
    bool inside = term_is_inside(term_get(s, t));
    if (!inside && term_get(s, t)->guess < length) next = fill(s, t, "a.0", length - 1, &unused);
    return next != TERM_NONE ? next : step_by_hint(s, t, &unused);
}

bool term_has_length_wide(struct regex_store *s, term_id t, uint64_t length, uint64_t *work,
                          uint64_t limit) {
    uint32_t base = s->stack.count, left = (uint32_t)length;
    bool found = false;
    if (length > MAX_WAY) return false;
    for (; t != TERM_NONE && ++*work <= limit; t = stretch(s, t, left)) {
        const struct term *x = term_get(s, t);
        bool inside = term_is_inside(x);
        const struct term_scratch *known = x->memo ? x->memo->scratch : NULL;
        found = (left == 0 && x->nullable) || (left && known && known->has_length == left) ||
                (x->contiguous && x->min <= left && left <= x->max);
        if (found || (left == 0 && !inside) || !term_push(s, t)) break;
        left -= !inside;
    }
    for (uint32_t i = s->stack.count; found && i-- > base;) {
        struct term_scratch *known = term_scratch(s, s->stack.data[i]);
        left += !term_is_inside(term_get(s, s->stack.data[i]));
        if (known) known->has_length = left;
    }
    s->stack.count = base;
    return found;
}

/* ---- covers ---------------------------------------------------------------------------------- */

/* A term without machines that holds all strings of t, which stands between characters. */
static term_id cover(struct regex_store *s, term_id t, unsigned depth) {
    const struct term x = *term_get(s, t);
    if (!x.is_wide) return t;
    if (depth == 0) return TERM_ANY;
    uint32_t base = s->stack.count;
    switch ((enum term_kind)x.kind) {
    case KIND_MACHINE: {
        term_id all = term_set(s, machine_state(s, &x)->letters);
        return regex_repeat(s, all, 0, REGEX_UNBOUNDED);
    }
    case KIND_CAT: return regex_cat(s, cover(s, x.a, depth - 1), cover(s, x.b, depth - 1));
    case KIND_AND:
    case KIND_OR:
        for (uint32_t i = 0; i < x.c; i++)
            if (!term_push(s, cover(s, x.kids[i], depth - 1))) return TERM_NONE;
        return x.kind == KIND_AND ? term_and_stack(s, base) : term_or_stack(s, base);
    default: return TERM_ANY;
    }
}

enum regex_answer term_reach_wide(struct regex_store *s, term_id t, uint64_t *work, uint64_t limit,
                                  uint64_t *length) {
    if (follow_hints(s, t, work, limit, length)) return REGEX_YES;
    if (term_is_inside(term_get(s, t)) || *work > limit) return REGEX_LIMIT;
    uint64_t end = saturating_add(*work, COVER_WORK), unused;
    if (end > limit) end = limit;
    if (term_shortest(s, cover(s, t, MAX_COVER), work, end, &unused) != REGEX_NO)
        return REGEX_LIMIT;
    struct term_memo *memo = term_memo(s, t);
    if (memo) memo->verdict = VERDICT_DEAD;
    return s->arena->failed ? REGEX_LIMIT : REGEX_NO;
}
