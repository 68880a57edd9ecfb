/* SPDX-License-Identifier: MIT
 *
 * From expressions to terms: what an expression matches from here to the end of the string.
 *
 * Without lookbehind and without repetitions that contain lookaround this is a matter of passing
 * the continuation down: close(x, K) is the language of x then K.
 *
 *     close(t, K) = tK          close(x|y, K) = close(x, K) | close(y, K)
 *     close(xy, K) = close(x, close(y, K))
 *     close(rest R, K) = R & K  where (?=B) is the rest close(B, any), (?!B) its complement
 *
 * The mirror image holds where the expression begins, at the place where it stands: all that can
 * stand between this place and a lookbehind P is a plain term t, so t(?<=P) is t & P.
 * Everything else becomes a leaf with the expression in it (KIND_LOOK).
 */
#include "automaton/regex_look_internal.h"

static term_id and_two(struct regex_store *s, term_id a, term_id b) {
    term_id both[2] = {a, b};
    return regex_and(s, both, 2);
}

static term_id negate_if(struct regex_store *s, term_id t, bool negated) {
    return negated && !s->arena->failed ? regex_not(s, t) : t;
}

/* Of x that look_is_closed. */
static term_id close(struct regex_store *s, look_id x, term_id k) {
    const struct look *n = look_get(s, x);
    uint32_t base = s->look->stack.count;
    for (; n->kind == LOOK_KIND_CAT; x = n->b, n = look_get(s, x))
        if (!look_push(s, n->a)) return TERM_NONE;
    for (;;) {
        if (n->kind == LOOK_KIND_TERM) {
            k = regex_cat(s, n->a, k);
        } else if (n->kind == LOOK_KIND_REST) {
            k = and_two(s, n->a, k);
        } else if (n->kind == LOOK_KIND_OR) {
            uint32_t terms = s->stack.count;
            for (uint32_t i = 0; i < n->c; i++)
                if (!term_push(s, close(s, n->kids[i], k))) break;
            k = term_or_stack(s, terms);
        } else {
            k = TERM_NONE;
        }
        if (s->look->stack.count == base) return k;
        n = look_get(s, s->look->stack.data[--s->look->stack.count]);
    }
}

/* The longest tail of x that can be closed becomes one term. */
static look_id close_tail(struct regex_store *s, look_id x) {
    uint32_t base = s->look->stack.count;
    const struct look *n = look_get(s, x);
    for (; n->kind == LOOK_KIND_CAT && !look_is_closed(n); x = n->b, n = look_get(s, x))
        if (!look_push(s, n->a)) return LOOK_NONE;
    if (look_is_closed(n)) x = look_term(s, close(s, x, TERM_EMPTY_STRING));
    while (s->look->stack.count > base)
        x = look_cat(s, s->look->stack.data[--s->look->stack.count], x);
    return x;
}

/* Alternatives: those that can be closed are one term, to the end of the string. */
static look_id close_some(struct regex_store *s, const struct look *n) {
    uint32_t base = s->look->stack.count, terms = s->stack.count;
    for (uint32_t i = 0; i < n->c; i++) {
        look_id k = n->kids[i];
        bool ok = look_is_closed(look_get(s, k)) ? term_push(s, close(s, k, TERM_EMPTY_STRING))
                                                 : look_push(s, close_tail(s, k));
        if (!ok) return LOOK_NONE;
    }
    look_push(s, look_term(s, term_or_stack(s, terms)));
    return look_or_stack(s, base);
}

static term_id leaf(struct regex_store *s, look_id x) {
    const struct look *n = look_get(s, x);
    if (x == LOOK_NONE) return TERM_NONE;
    if (look_is_closed(n)) return close(s, x, TERM_EMPTY_STRING);
    bool ends = term_get(s, look_here(s, x))->nullable;
    struct term node = {.kind = KIND_LOOK, .a = x, .b = ends};
    return s->arena->failed ? TERM_NONE : term_make(s, &node);
}

/* One step of x = first tail towards a form without assertions in front: they go to *rest, or
 * into the term before them. False where there is none. */
static bool strip(struct regex_store *s, look_id *x, term_id *rest) {
    const struct look *n = look_get(s, *x), *first = n;
    look_id tail = LOOK_EMPTY;
    if (n->kind == LOOK_KIND_CAT) {
        first = look_get(s, n->a);
        tail = n->b;
    }
    if (first->kind == LOOK_KIND_REST || first->kind == LOOK_KIND_AHEAD ||
        first->kind == LOOK_KIND_BEHIND) {
        *rest = and_two(s, *rest, look_here(s, n == first ? *x : n->a));
        *x = tail;
        return true;
    }
    if (first->kind != LOOK_KIND_TERM || tail == LOOK_EMPTY) return false;
    const struct look *m = look_get(s, tail), *behind = m;
    if (m->kind == LOOK_KIND_CAT) behind = look_get(s, m->a);
    if (behind->kind != LOOK_KIND_BEHIND || look_get(s, behind->a)->kind != LOOK_KIND_TERM)
        return false;
    term_id prefix = negate_if(s, look_get(s, behind->a)->a, behind->negated);
    look_id head = look_term(s, and_two(s, first->a, prefix));
    *x = look_cat(s, head, m == behind ? LOOK_EMPTY : m->b);
    return true;
}

term_id look_language(struct regex_store *s, look_id x) {
    if (x == LOOK_NONE || s->arena->failed) return TERM_NONE;
    struct look *whole = look_get(s, x);
    if (!whole->memo) whole->memo = arena_push(s->arena, sizeof *whole->memo);
    if (!whole->memo) return TERM_NONE;
    if (whole->memo->language) return whole->memo->language - 1;
    term_id rest = TERM_ANY;
    while (!s->arena->failed && !look_is_closed(look_get(s, x)) && strip(s, &x, &rest)) {}
    if (s->arena->failed) return TERM_NONE;
    const struct look *n = look_get(s, x);
    look_id tidy = x;
    if (!look_is_closed(n)) tidy = n->kind == LOOK_KIND_OR ? close_some(s, n) : close_tail(s, x);
    if (rest != TERM_NONE) rest = and_two(s, rest, leaf(s, tidy));
    if (s->arena->failed) return TERM_NONE;
    whole->memo->language = rest + 1;
    return rest;
}

/* ---- the empty match ------------------------------------------------------------------------- */

static term_id here_of(struct regex_store *s, look_id x) {
    const struct look *n = look_get(s, x);
    switch ((enum look_kind)n->kind) {
    case LOOK_KIND_NONE: return TERM_NONE;
    case LOOK_KIND_TERM: return term_get(s, n->a)->nullable ? TERM_ANY : TERM_NONE;
    case LOOK_KIND_CAT: {
        uint32_t base = s->stack.count;
        for (; n->kind == LOOK_KIND_CAT; x = n->b, n = look_get(s, x))
            if (!term_push(s, look_here(s, n->a))) break;
        term_push(s, look_here(s, x));
        return term_and_stack(s, base);
    }
    case LOOK_KIND_OR: {
        uint32_t base = s->stack.count;
        for (uint32_t i = 0; i < n->c; i++)
            if (!term_push(s, look_here(s, n->kids[i]))) break;
        return term_or_stack(s, base);
    }
    case LOOK_KIND_REPEAT: return n->b == 0 ? TERM_ANY : look_here(s, n->a);
    case LOOK_KIND_REST: return n->a;
    case LOOK_KIND_AHEAD: {
        look_id open = look_cat(s, n->a, look_term(s, TERM_ANY));
        return negate_if(s, look_language(s, open), n->negated);
    }
    case LOOK_KIND_BEHIND: return negate_if(s, look_here(s, n->a), n->negated);
    }
    return TERM_NONE;
}

term_id look_here(struct regex_store *s, look_id x) {
    struct look *n = look_get(s, x);
    if (!n->may_be_empty) return TERM_NONE;
    if (!n->memo) n->memo = arena_push(s->arena, sizeof *n->memo);
    if (!n->memo) return TERM_NONE;
    if (!n->memo->here) {
        term_id t = here_of(s, x);
        if (s->arena->failed) return TERM_NONE;
        n->memo->here = t + 1;
    }
    return n->memo->here - 1;
}
