/* SPDX-License-Identifier: MIT
 *
 * Length leaves. The bounds in a term cut the lengths into few segments; inside a segment every
 * leaf is constant. The term of each segment, and the term with only the reached leaves settled,
 * are made once per (term, number of bounds reached) and kept.
 */
#include <string.h>

#include "automaton/regex_internal.h"

/* Bounds of the kids, merged: ascending, no duplicates. */
static bool collect(struct regex_store *s, const term_id *kids, uint32_t n,
                    struct term_lengths *out) {
    uint64_t *all = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (!term_get(s, kids[i])->has_length) continue;
        const struct term_lengths *k = term_lengths(s, kids[i]);
        if (!k) return false;
        uint64_t *merged = arena_push_array(s->arena, (size_t)out->n + k->n, sizeof *merged);
        if (!merged) return false;
        uint32_t count = 0;
        for (uint32_t x = 0, y = 0; x < out->n || y < k->n;) {
            bool left = y == k->n || (x < out->n && all[x] <= k->at[y]);
            uint64_t v = left ? all[x++] : k->at[y++];
            if (!count || merged[count - 1] != v) merged[count++] = v;
        }
        all = merged;
        out->n = count;
    }
    out->at = all;
    return true;
}

const struct term_lengths *term_lengths(struct regex_store *s, term_id t) {
    struct term_scratch *kept = term_scratch(s, t);
    if (!kept || kept->lengths) return kept ? kept->lengths : NULL;
    const struct term *x = term_get(s, t);
    struct term_lengths *l = arena_push(s->arena, sizeof *l);
    if (!l) return NULL;
    if (x->kind == KIND_LENGTH) {
        uint64_t n = length_bound(x);
        l->n = 1;
        l->at = arena_push_copy(s->arena, &n, sizeof n);
    } else if (!collect(s, x->kind == KIND_NOT ? &x->a : x->kids, x->kind == KIND_NOT ? 1 : x->c,
                        l)) {
        return NULL;
    }
    l->decided = arena_push_array(s->arena, (size_t)l->n + 1, sizeof *l->decided);
    l->settled = arena_push_array(s->arena, (size_t)l->n + 1, sizeof *l->settled);
    if (s->arena->failed) return NULL;
    return kept->lengths = l;
}

/* How many bounds a length has reached. */
static uint32_t reached(const struct term_lengths *l, uint64_t length) {
    uint32_t lo = 0, hi = l->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (l->at[mid] <= length)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Leaves with bound <= length become any; the others stay, or become none if `all`. */
static term_id substitute(struct regex_store *s, term_id t, uint64_t length, bool all) {
    const struct term *x = term_get(s, t);
    if (!x->has_length) return t;
    const struct term_lengths *l = term_lengths(s, t);
    if (!l) return TERM_NONE;
    uint32_t i = reached(l, length);
    if (i == 0 && !all) return t;
    term_id *memo = all ? &l->decided[i] : &l->settled[i];
    if (*memo) return *memo - 1;
    term_id result;
    if (x->kind == KIND_LENGTH) {
        result = i ? TERM_ANY : TERM_NONE;
    } else if (x->kind == KIND_NOT) {
        result = regex_not(s, substitute(s, x->a, length, all));
    } else {
        uint32_t base = s->stack.count;
        for (uint32_t k = 0; k < x->c; k++)
            if (!term_push(s, substitute(s, x->kids[k], length, all))) break;
        result = x->kind == KIND_AND ? term_and_stack(s, base) : term_or_stack(s, base);
    }
    if (s->arena->failed) return TERM_NONE;
    *memo = result + 1;
    return result;
}

term_id term_at_length(struct regex_store *s, term_id t, uint64_t length) {
    return substitute(s, t, length, true);
}

term_id regex_settle(struct regex_store *s, term_id t, uint64_t k) {
    return substitute(s, t, k, false);
}

bool regex_nullable(struct regex_store *s, term_id t, uint64_t k) {
    return term_get(s, term_at_length(s, t, k))->nullable;
}

bool regex_split_length(struct regex_store *s, term_id t, term_id *rest, uint64_t *least,
                        uint64_t *below) {
    const struct term x = *term_get(s, t);
    uint32_t base = s->stack.count;
    *least = 0;
    *below = UINT64_MAX;
    *rest = t;
    if (!x.has_length) return true;
    for (uint32_t i = 0; i < (x.kind == KIND_AND ? x.c : 1); i++) {
        term_id kid = x.kind == KIND_AND ? x.kids[i] : t;
        const struct term *k = term_get(s, kid);
        if (k->kind == KIND_LENGTH) {
            *least = length_bound(k);
        } else if (k->kind == KIND_NOT && term_get(s, k->a)->kind == KIND_LENGTH) {
            *below = length_bound(term_get(s, k->a));
        } else if (k->has_length || !term_push(s, kid)) {
            s->stack.count = base;
            return false;
        }
    }
    *rest = s->stack.count == base ? TERM_ANY : term_and_stack(s, base);
    return !s->arena->failed;
}

bool regex_is_gapless(const struct regex_store *s, term_id t) {
    const struct term *x = term_get(s, t);
    return t == TERM_ANY || (x->positive && x->contiguous && x->max == UINT64_MAX);
}
