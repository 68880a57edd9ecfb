/* SPDX-License-Identifier: MIT
 *
 * Making expressions with lookaround. Unions are kept short, because the derivatives of an
 * expression are unions of alternatives (rest, head, tail), "what follows the place meets `rest`,
 * and head then tail match":
 *
 *     (R, h, T) | (R, h', T)   = (R, h|h', T)      heads are plain terms, which know how to join
 *     (R & Q, h, T) | (R, h, T) = (R, h, T)         the one that demands less says it all
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/regex_look_internal.h"

enum { FEW = 64 }; /* alternatives with one tail that are compared in pairs: costs no truth */

/* ---- nodes ----------------------------------------------------------------------------------- */

static void describe(const struct regex_store *s, struct look *x) {
    const struct look *a = x->kind == LOOK_KIND_TERM || x->kind == LOOK_KIND_REST ||
                                   x->kind == LOOK_KIND_NONE || x->kind == LOOK_KIND_OR
                               ? NULL
                               : look_get(s, x->a);
    if (a) {
        x->has_behind = a->has_behind || x->kind == LOOK_KIND_BEHIND;
        x->has_loop = a->has_loop;
        x->depth = a->depth + 1;
        x->pending = a->pending;
    }
    switch ((enum look_kind)x->kind) {
    case LOOK_KIND_NONE: break;
    case LOOK_KIND_TERM: {
        const struct term *t = term_get(s, x->a);
        x->pending = term_is_inside(t) ? t->pending : 0;
        x->may_be_empty = t->nullable;
        x->may_consume = x->a != TERM_EMPTY_STRING;
        x->min = t->min;
        x->max = t->max;
        x->depth = t->depth;
        break;
    }
    case LOOK_KIND_CAT: {
        const struct look *b = look_get(s, x->b);
        bool assertion = !a->may_consume;
        if (assertion) x->pending = b->pending;
        x->has_behind |= b->has_behind;
        x->has_loop |= b->has_loop;
        x->may_be_empty = a->may_be_empty && b->may_be_empty;
        x->may_consume = a->may_consume || b->may_consume;
        x->min = saturating_add(a->min, b->min);
        x->max = saturating_add(a->max, b->max);
        if (b->depth > x->depth) x->depth = b->depth;
        break;
    }
    case LOOK_KIND_OR:
        x->min = UINT64_MAX;
        for (uint32_t i = 0; i < x->c; i++) {
            const struct look *k = look_get(s, x->kids[i]);
            x->pending = k->pending;
            x->has_behind |= k->has_behind;
            x->has_loop |= k->has_loop;
            x->may_be_empty |= k->may_be_empty;
            x->may_consume |= k->may_consume;
            if (k->min < x->min) x->min = k->min;
            if (k->max > x->max) x->max = k->max;
            if (k->depth >= x->depth) x->depth = k->depth + 1;
        }
        break;
    case LOOK_KIND_REPEAT:
        x->has_loop = true;
        x->may_be_empty = x->b == 0 || a->may_be_empty;
        x->may_consume = true;
        x->min = saturating_mul(a->min, x->b);
        x->max = x->c == REGEX_UNBOUNDED ? UINT64_MAX : saturating_mul(a->max, x->c);
        break;
    case LOOK_KIND_REST:
        x->depth = term_get(s, x->a)->depth;
        x->may_be_empty = true;
        break;
    case LOOK_KIND_AHEAD:
    case LOOK_KIND_BEHIND:
        x->pending = 0;
        x->may_be_empty = true;
        break;
    }
}

static look_id make(struct regex_store *s, struct look node) {
    if (s->arena->failed) return LOOK_NONE;
    struct look_store *ls = s->look;
    uint32_t hash = fa_hash_mix(fa_hash_mix(node.kind, node.a), fa_hash_mix(node.b, node.c));
    hash = fa_hash_mix(hash, node.negated);
    if (node.kids) hash = fa_hash_mix(hash, fa_hash(node.kids, node.c * sizeof *node.kids));
    for (struct table_probe p = table_probe(&ls->table, hash); table_next(&ls->table, &p);) {
        const struct look *x = look_get(s, p.id);
        if (x->kind == node.kind && x->a == node.a && x->b == node.b && x->c == node.c &&
            x->negated == node.negated &&
            (!node.kids || !memcmp(x->kids, node.kids, node.c * sizeof *node.kids)))
            return p.id;
    }
    describe(s, &node);
    if (node.depth > TERM_MAX_DEPTH) s->arena->failed = true; /* see term_make */
    if (node.kids) node.kids = arena_push_copy(s->arena, node.kids, node.c * sizeof *node.kids);
    struct look *x = arena_push_copy(s->arena, &node, sizeof node);
    if (!x || s->arena->failed || !ARENA_VEC_GROW(s->arena, &ls->nodes) ||
        !table_add(&ls->table, hash, ls->nodes.count))
        return LOOK_NONE;
    ls->nodes.data[ls->nodes.count] = x;
    return ls->nodes.count++;
}

bool look_store_init(struct regex_store *s) {
    s->look = arena_push(s->arena, sizeof *s->look);
    if (!s->look || !table_init(&s->look->table, s->arena, 16)) return false;
    make(s, (struct look){.kind = LOOK_KIND_NONE});
    make(s, (struct look){.kind = LOOK_KIND_TERM, .a = TERM_EMPTY_STRING});
    return !s->arena->failed;
}

bool look_push(struct regex_store *s, look_id x) {
    if (!ARENA_VEC_GROW(s->arena, &s->look->stack)) return false;
    s->look->stack.data[s->look->stack.count++] = x;
    return true;
}

bool look_may_be_empty(const struct regex_store *s, look_id a) {
    return a != LOOK_NONE && look_get(s, a)->may_be_empty;
}

bool look_may_consume(const struct regex_store *s, look_id a) {
    return a != LOOK_NONE && look_get(s, a)->may_consume;
}

/* ---- single nodes ---------------------------------------------------------------------------- */

look_id look_term(struct regex_store *s, term_id t) {
    t = term_living(s, t);
    if (t == TERM_NONE) return LOOK_NONE;
    return t == TERM_EMPTY_STRING ? LOOK_EMPTY
                                  : make(s, (struct look){.kind = LOOK_KIND_TERM, .a = t});
}

look_id look_rest(struct regex_store *s, term_id t) {
    t = term_living(s, t);
    if (t == TERM_NONE) return LOOK_NONE;
    return t == TERM_ANY ? LOOK_EMPTY : make(s, (struct look){.kind = LOOK_KIND_REST, .a = t});
}

look_id look_ahead(struct regex_store *s, look_id a, bool negated) {
    if (a == LOOK_NONE) return negated ? LOOK_EMPTY : LOOK_NONE;
    if (look_get(s, a)->has_behind)
        return make(s, (struct look){.kind = LOOK_KIND_AHEAD, .a = a, .negated = negated});
    term_id t = look_language(s, look_cat(s, a, look_term(s, TERM_ANY)));
    if (s->arena->failed) return LOOK_NONE;
    return look_rest(s, negated ? regex_not(s, t) : t);
}

look_id look_behind(struct regex_store *s, look_id a, bool negated) {
    if (a == LOOK_NONE) return negated ? LOOK_EMPTY : LOOK_NONE;
    return make(s, (struct look){.kind = LOOK_KIND_BEHIND, .a = a, .negated = negated});
}

/* ---- concatenation and repetition ------------------------------------------------------------ */

/* a is no CAT. */
static look_id cat_one(struct regex_store *s, look_id a, look_id b) {
    const struct look *x = look_get(s, a), *y = look_get(s, b);
    if (b == LOOK_NONE) return b;
    if (a == LOOK_EMPTY) return b;
    if (b == LOOK_EMPTY) return a;
    look_id first = y->kind == LOOK_KIND_CAT ? y->a : b, tail = LOOK_EMPTY;
    if (y->kind == LOOK_KIND_CAT) tail = y->b;
    const struct look *f = look_get(s, first);
    if (x->kind == f->kind && (x->kind == LOOK_KIND_TERM || x->kind == LOOK_KIND_REST)) {
        term_id both[2] = {x->a, f->a};
        look_id joined = x->kind == LOOK_KIND_TERM ? look_term(s, regex_cat(s, x->a, f->a))
                                                   : look_rest(s, regex_and(s, both, 2));
        if (joined == LOOK_NONE || joined == LOOK_EMPTY) return joined ? tail : joined;
        return tail == LOOK_EMPTY
                   ? joined
                   : make(s, (struct look){.kind = LOOK_KIND_CAT, .a = joined, .b = tail});
    }
    return make(s, (struct look){.kind = LOOK_KIND_CAT, .a = a, .b = b});
}

look_id look_cat(struct regex_store *s, look_id a, look_id b) {
    if (a == LOOK_NONE || b == LOOK_NONE) return LOOK_NONE;
    if (b == LOOK_EMPTY) return a;
    uint32_t base = s->look->stack.count;
    for (const struct look *x; (x = look_get(s, a))->kind == LOOK_KIND_CAT; a = x->b)
        if (!look_push(s, x->a)) break;
    b = cat_one(s, a, b);
    while (s->look->stack.count > base)
        b = cat_one(s, s->look->stack.data[--s->look->stack.count], b);
    return s->arena->failed ? LOOK_NONE : b;
}

look_id look_repeat(struct regex_store *s, look_id a, uint32_t min, uint32_t max) {
    if (min > max) return LOOK_NONE;
    if (max == 0 || a == LOOK_EMPTY) return LOOK_EMPTY;
    if (a == LOOK_NONE) return min == 0 ? LOOK_EMPTY : LOOK_NONE;
    const struct look *x = look_get(s, a);
    if (x->kind == LOOK_KIND_TERM) return look_term(s, regex_repeat(s, x->a, min, max));
    if (!x->may_consume) return min == 0 ? LOOK_EMPTY : a;
    if (max == 1) {
        look_id both[2] = {LOOK_EMPTY, a};
        return min == 1 ? a : look_or(s, both, 2);
    }
    return make(s, (struct look){.kind = LOOK_KIND_REPEAT, .a = a, .b = min, .c = max});
}

/* ---- union ----------------------------------------------------------------------------------- */

struct look_clause look_clause_of(const struct regex_store *s, look_id x) {
    struct look_clause c = {TERM_ANY, TERM_EMPTY_STRING, x};
    const struct look *n = look_get(s, x), *first;
    first = n->kind == LOOK_KIND_CAT ? look_get(s, n->a) : n;
    if (first->kind == LOOK_KIND_REST) {
        c.rest = first->a;
        c.tail = n->kind == LOOK_KIND_CAT ? n->b : LOOK_EMPTY;
        n = look_get(s, c.tail);
        first = n->kind == LOOK_KIND_CAT ? look_get(s, n->a) : n;
    }
    if (first->kind == LOOK_KIND_TERM) {
        c.head = first->a;
        c.tail = n->kind == LOOK_KIND_CAT ? n->b : LOOK_EMPTY;
    }
    return c;
}

static int compare_clauses(const void *pa, const void *pb) {
    const struct look_clause *a = pa, *b = pb;
    if (a->tail != b->tail) return a->tail < b->tail ? -1 : 1;
    if (a->rest != b->rest) return a->rest < b->rest ? -1 : 1;
    return a->head < b->head ? -1 : a->head > b->head;
}

/* Is every conjunct of `weak` one of `strong`? */
static bool demands(const struct regex_store *s, term_id strong, term_id weak) {
    if (weak == TERM_ANY || weak == strong) return true;
    const struct term *x = term_get(s, strong), *y = term_get(s, weak);
    if (x->kind != KIND_AND) return false;
    const term_id *want = y->kind == KIND_AND ? y->kids : &weak;
    uint32_t n = y->kind == KIND_AND ? y->c : 1, found = 0;
    for (uint32_t i = 0; i < x->c && found < n; i++) found += x->kids[i] == want[found];
    return found == n;
}

/* Of clauses with one tail, from..to: drops those that another one with the head implies. */
static uint32_t absorb(struct regex_store *s, uint32_t from, uint32_t to) {
    struct look_clause *v = s->look->clauses.data;
    if (to - from > FEW) return to;
    uint32_t kept = from;
    for (uint32_t i = from; i < to; i++) {
        bool implied = false;
        for (uint32_t k = from; k < to && !implied; k++)
            implied = k != i && v[k].head == v[i].head && v[k].rest != v[i].rest &&
                      demands(s, v[i].rest, v[k].rest);
        /* what implies an implied one comes first or stays: `demands` is an order */
        if (!implied) v[kept++] = v[i];
    }
    return kept;
}

/* Clauses with one tail and one rest, from..to: pushes one. Heads join, except that a tail
 * without head stays as it is. */
static void push_joined(struct regex_store *s, uint32_t from, uint32_t to) {
    const struct look_clause first = s->look->clauses.data[from];
    uint32_t base = s->stack.count;
    for (uint32_t i = from; i < to; i++) {
        term_id head = s->look->clauses.data[i].head;
        if (head == TERM_EMPTY_STRING && first.tail != LOOK_EMPTY)
            look_push(s, look_cat(s, look_rest(s, first.rest), first.tail));
        else if (!term_push(s, head))
            break;
    }
    if (s->stack.count == base) return;
    look_id head = look_term(s, term_or_stack(s, base));
    look_push(s, look_cat(s, look_rest(s, first.rest), look_cat(s, head, first.tail)));
}

/* Takes the alternatives from `base` apart, joins, and pushes what is left. */
static void join_clauses(struct regex_store *s, uint32_t base) {
    struct look_store *ls = s->look;
    uint32_t start = ls->clauses.count;
    for (uint32_t i = base; i < ls->stack.count; i++) {
        struct look_clause c = look_clause_of(s, ls->stack.data[i]);
        if (!ARENA_VEC_GROW(s->arena, &ls->clauses)) return;
        ls->clauses.data[ls->clauses.count++] = c;
    }
    ls->stack.count = base;
    uint32_t end = ls->clauses.count;
    qsort(ls->clauses.data + start, end - start, sizeof *ls->clauses.data, compare_clauses);
    for (uint32_t i = start; i < end;) {
        uint32_t j = i;
        while (j < end && ls->clauses.data[j].tail == ls->clauses.data[i].tail) j++;
        uint32_t kept = absorb(s, i, j);
        while (i < kept) {
            uint32_t k = i;
            while (k < kept && ls->clauses.data[k].rest == ls->clauses.data[i].rest) k++;
            push_joined(s, i, k);
            i = k;
        }
        i = j;
    }
    ls->clauses.count = start;
}

static int compare_ids(const void *pa, const void *pb) {
    look_id a = *(const look_id *)pa, b = *(const look_id *)pb;
    return a < b ? -1 : a > b;
}

/* Splices the kids of unions in, drops LOOK_NONE, sorts, drops duplicates. */
static void flatten(struct regex_store *s, uint32_t base) {
    struct look_store *ls = s->look;
    for (uint32_t i = base; i < ls->stack.count;) {
        const struct look *x = look_get(s, ls->stack.data[i]);
        if (x->kind == LOOK_KIND_OR) {
            ls->stack.data[i] = x->kids[0];
            for (uint32_t k = 1; k < x->c; k++)
                if (!look_push(s, x->kids[k])) return;
        } else if (x->kind == LOOK_KIND_NONE) {
            ls->stack.data[i] = ls->stack.data[--ls->stack.count];
        } else {
            i++;
        }
    }
    look_id *v = ls->stack.data + base;
    uint32_t n = ls->stack.count - base, kept = 0;
    if (n > 1) qsort(v, n, sizeof *v, compare_ids);
    for (uint32_t i = 0; i < n; i++)
        if (!kept || v[kept - 1] != v[i]) v[kept++] = v[i];
    ls->stack.count = base + kept;
}

look_id look_or_stack(struct regex_store *s, uint32_t base) {
    struct look_store *ls = s->look;
    look_id result = LOOK_NONE;
    flatten(s, base);
    if (ls->stack.count - base > 1) {
        join_clauses(s, base);
        flatten(s, base);
    }
    uint32_t n = ls->stack.count - base;
    if (n == 1) result = ls->stack.data[base];
    if (n > 1)
        result =
            make(s, (struct look){.kind = LOOK_KIND_OR, .c = n, .kids = ls->stack.data + base});
    ls->stack.count = base;
    return s->arena->failed ? LOOK_NONE : result;
}

look_id look_or(struct regex_store *s, const look_id *ids, size_t n) {
    uint32_t base = s->look->stack.count;
    for (size_t i = 0; i < n; i++)
        if (!look_push(s, ids[i])) break;
    return look_or_stack(s, base);
}
