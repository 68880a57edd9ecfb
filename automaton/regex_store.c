/* SPDX-License-Identifier: MIT
 *
 * The store of terms: interning, and the attributes that every node gets when it is made.
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/regex_look_internal.h"
#include "automaton/regex_machine_internal.h"

static term_id fixed_term(struct regex_store *s, uint8_t kind) {
    struct term node = {.kind = kind};
    return term_make(s, &node);
}

struct regex_store *regex_store_new(struct arena *arena, const struct code_range *spellable,
                                    size_t n_ranges) {
    struct regex_store *s = arena_push(arena, sizeof *s);
    if (!s) return NULL;
    s->arena = arena;
    if (!charset_store_init(&s->sets, arena) || !table_init(&s->table, arena, 64) ||
        !table_init(&s->partition_table, arena, 32) || !table_init(&s->meet_table, arena, 16) ||
        !table_init(&s->partial_table, arena, 16))
        return NULL;
    s->all = charset_make(&s->sets, spellable, n_ranges, 0);
    fixed_term(s, KIND_NONE);
    fixed_term(s, KIND_EMPTY);
    fixed_term(s, KIND_ANY);
    return look_store_init(s) ? s : NULL;
}

struct arena *regex_arena(struct regex_store *s) {
    return s->arena;
}

/* ---- attributes ----------------------------------------------------------------------------- */

struct interval {
    uint64_t min, max;
};

static int compare_intervals(const void *pa, const void *pb) {
    const struct interval *a = pa, *b = pb;
    return a->min < b->min ? -1 : a->min > b->min;
}

/* Do the intervals leave no gap? Looks at few only: a "no" costs speed, not truth. */
static bool intervals_chain(struct interval *v, size_t n) {
    qsort(v, n, sizeof *v, compare_intervals);
    uint64_t reach = v[0].max;
    for (size_t i = 1; i < n; i++) {
        if (v[i].min > saturating_add(reach, 1)) return false;
        if (v[i].max > reach) reach = v[i].max;
    }
    return true;
}

/* Alternatives: kids, each `shift[i]` code points further (shift NULL: none). */
static void describe_union(const struct regex_store *s, struct term *t, const bool *shift,
                           bool with_empty) {
    enum { FEW = 64 };
    struct interval intervals[FEW + 1];
    size_t n = 0;
    bool few = t->c <= FEW, chained = true;
    t->min = with_empty ? 0 : UINT64_MAX;
    t->max = 0;
    if (with_empty) intervals[n++] = (struct interval){0, 0};
    for (uint32_t i = 0; i < t->c; i++) {
        const struct term *k = term_get(s, t->kids[i]);
        uint64_t add = shift && shift[i];
        struct interval v = {saturating_add(k->min, add), saturating_add(k->max, add)};
        if (v.min < t->min) t->min = v.min;
        if (v.max > t->max) t->max = v.max;
        chained = chained && k->contiguous;
        if (few) intervals[n++] = v;
    }
    bool same = t->min == t->max;
    t->contiguous = chained && (same || (few && intervals_chain(intervals, n)));
}

static void describe_literal(const struct regex_store *s, struct term *t) {
    const struct term *next = term_get(s, t->a);
    uint32_t inside = 0;
    uint64_t leads = 0;
    while (inside < t->c && is_continuation(t->bytes[inside])) inside++;
    for (uint32_t i = inside; i < t->c; i++) leads += !is_continuation(t->bytes[i]);
    if (inside == t->c && term_is_inside(next)) inside += next->pending;
    t->pending = (uint8_t)inside;
    t->min = saturating_add(next->min, leads);
    t->max = saturating_add(next->max, leads);
    t->contiguous = next->contiguous;
    t->positive = next->positive;
    t->is_wide = next->is_wide;
    t->depth = next->depth;
}

static void describe_trie(const struct regex_store *s, struct term *t) {
    bool shift[256] = {false};
    for (uint32_t i = 0; i < t->c; i++) shift[i] = !is_continuation(t->bytes[i]);
    const struct term *k = term_get(s, t->kids[0]);
    t->pending = shift[0] ? 0 : (uint8_t)(1 + (term_is_inside(k) ? k->pending : 0));
    t->nullable = t->final;
    t->positive = true;
    t->depth = 1;
    describe_union(s, t, shift, t->final);
}

static void describe_cat(const struct regex_store *s, struct term *t) {
    const struct term *a = term_get(s, t->a), *b = term_get(s, t->b);
    t->pending = a->pending == TERM_PENDING_ANY ? 0 : a->pending;
    t->nullable = a->nullable && b->nullable;
    t->positive = a->positive && b->positive;
    t->is_wide = a->is_wide || b->is_wide;
    t->min = saturating_add(a->min, b->min);
    t->max = saturating_add(a->max, b->max);
    t->contiguous = a->contiguous && b->contiguous;
    t->depth = a->depth + 1 > b->depth ? a->depth + 1 : b->depth;
}

static void describe_repeat(const struct regex_store *s, struct term *t) {
    const struct term *a = term_get(s, t->a);
    bool unbounded = t->c == REGEX_UNBOUNDED;
    t->nullable = t->b == 0 || a->nullable;
    t->positive = a->positive;
    t->is_wide = a->is_wide;
    t->min = saturating_mul(a->min, t->b);
    t->max = unbounded ? (a->max ? UINT64_MAX : 0) : saturating_mul(a->max, t->c);
    /* i and i + 1 rounds leave no gap between them if that holds for the least i */
    bool gapless = saturating_mul(a->min, (uint64_t)t->b + 1) <=
                   saturating_add(saturating_mul(a->max, t->b), 1);
    t->contiguous = a->contiguous && (t->b == t->c || gapless);
    t->depth = a->depth + 1;
}

static void describe_boolean(const struct regex_store *s, struct term *t) {
    bool and = t->kind == KIND_AND;
    t->pending = TERM_PENDING_ANY;
    t->nullable = and;
    t->positive = !and;
    t->guarded = !and;
    for (uint32_t i = 0; i < t->c; i++) {
        const struct term *k = term_get(s, t->kids[i]);
        if (t->pending == TERM_PENDING_ANY) t->pending = k->pending;
        t->has_length |= k->has_length;
        t->is_wide |= k->is_wide;
        if (t->depth < k->depth + 1) t->depth = k->depth + 1;
        if (and) {
            t->nullable &= k->nullable;
            t->guarded |= k->guarded;
            if (k->min > t->min) t->min = k->min;
            if (i == 0 || k->max < t->max) t->max = k->max;
        } else {
            t->nullable |= k->nullable;
            t->positive &= k->positive;
            t->guarded &= k->guarded;
        }
    }
    if (!and) describe_union(s, t, NULL, false);
}

static uint32_t add_guesses(uint32_t a, uint32_t b) {
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* Each kid of an intersection wants its own characters: the sum leads a search better than the
 * maximum, which is all that a proof may use. */
static uint32_t guess(const struct regex_store *s, const struct term *t) {
    uint32_t g = t->min > UINT32_MAX ? UINT32_MAX : (uint32_t)t->min;
    if (t->positive) return g;
    switch ((enum term_kind)t->kind) {
    case KIND_MACHINE: return machine_guess(s, t);
    case KIND_CAT: return add_guesses(term_get(s, t->a)->guess, term_get(s, t->b)->guess);
    case KIND_AND:
        g = 0;
        for (uint32_t i = 0; i < t->c; i++) g = add_guesses(g, term_get(s, t->kids[i])->guess);
        return g;
    case KIND_OR:
        g = UINT32_MAX;
        for (uint32_t i = 0; i < t->c; i++)
            if (term_get(s, t->kids[i])->guess < g) g = term_get(s, t->kids[i])->guess;
        return g;
    case KIND_NOT: return !t->nullable;
    default: return g;
    }
}

/* An intersection of full languages is full, of upward ones upward. One dense language stays dense
 * beside these: a string is continued into each upward one, then far enough for the full ones, then
 * into the dense one. */
static void describe_density_of_and(const struct regex_store *s, struct term *t) {
    bool all = true, free = true;
    t->full = t->upward = true;
    unsigned others = 0;
    for (uint32_t i = 0; i < t->c; i++) {
        const struct term *k = term_get(s, t->kids[i]);
        all &= k->dense;
        t->full &= k->full;
        t->upward &= k->upward;
        others += !k->full && !k->upward;
        free &= !term_is_inside(k);
    }
    t->dense = all && free && others <= 1;
}

static void describe_density(const struct regex_store *s, struct term *t) {
    const struct term *a = NULL, *b = NULL;
    t->dense = t->full = t->upward = false;
    switch ((enum term_kind)t->kind) {
    case KIND_ANY:
    case KIND_LENGTH: t->full = t->upward = s->all != CHARSET_NOTHING; break;
    case KIND_NOT:
        a = term_get(s, t->a);
        t->full = a->max != UINT64_MAX && !term_is_inside(a) && s->all != CHARSET_NOTHING;
        break;
    case KIND_OR:
        t->upward = true;
        for (uint32_t i = 0; i < t->c; i++) {
            a = term_get(s, t->kids[i]);
            t->dense |= a->dense;
            t->full |= a->full;
            t->upward &= a->upward;
        }
        break;
    case KIND_AND: describe_density_of_and(s, t); break;
    case KIND_CAT:
        a = term_get(s, t->a);
        b = term_get(s, t->b);
        t->full = a->full && b->nullable;
        t->dense = (a->dense && b->positive) || (a->nullable && b->dense);
        t->upward = b->upward;
        break;
    default: break;
    }
    t->dense |= t->full;
}

static void describe(const struct regex_store *s, struct term *t) {
    t->nullable = t->positive = t->has_length = t->is_wide = t->contiguous = false;
    t->guarded = true;
    t->min = t->max = 0;
    t->depth = 0;
    t->pending = 0;
    t->memo = NULL;
    switch ((enum term_kind)t->kind) {
    case KIND_NONE: t->pending = TERM_PENDING_ANY; break;
    case KIND_EMPTY: t->nullable = t->positive = t->contiguous = true; break;
    case KIND_ANY:
        t->pending = TERM_PENDING_ANY;
        t->nullable = t->positive = t->contiguous = true;
        t->guarded = false;
        t->max = s->all == CHARSET_NOTHING ? 0 : UINT64_MAX;
        break;
    case KIND_SET:
        t->pending = (uint8_t)charset_get(&s->sets, t->a)->pending;
        t->positive = t->contiguous = true;
        t->min = t->max = t->pending == 0;
        break;
    case KIND_LITERAL: describe_literal(s, t); break;
    case KIND_TRIE: describe_trie(s, t); break;
    case KIND_CAT: describe_cat(s, t); break;
    case KIND_OR:
    case KIND_AND: describe_boolean(s, t); break;
    case KIND_NOT: {
        const struct term *a = term_get(s, t->a);
        t->pending = a->pending;
        t->nullable = !a->nullable;
        t->guarded = false;
        t->has_length = a->has_length;
        t->is_wide = a->is_wide;
        t->max = UINT64_MAX;
        t->depth = a->depth + 1;
        break;
    }
    case KIND_REPEAT: describe_repeat(s, t); break;
    case KIND_LENGTH:
        t->pending = TERM_PENDING_ANY;
        t->guarded = false;
        t->has_length = true;
        t->max = UINT64_MAX;
        break;
    case KIND_LOOK: {
        const struct look *x = look_get(s, t->a);
        t->pending = x->pending;
        t->nullable = t->b;
        t->min = t->b ? 0 : x->min;
        t->max = x->max;
        t->depth = x->depth + 1;
        break;
    }
    case KIND_MACHINE:
        t->pending = t->c ? (uint8_t)charset_get(&s->sets, t->c)->pending : 0;
        t->nullable = t->final;
        t->max = machine_state(s, t)->machine->max_length;
        t->is_wide = machine_state(s, t)->machine->is_wide;
        if (!t->pending) machine_describe(s, t);
        break;
    }
    if (t->has_length) t->min = 0;
    t->guess = guess(s, t);
    describe_density(s, t);
}

/* ---- interning ------------------------------------------------------------------------------ */

static bool has_kids(const struct term *t) {
    return t->kind == KIND_OR || t->kind == KIND_AND || t->kind == KIND_TRIE;
}
static bool has_bytes(const struct term *t) {
    return t->kind == KIND_LITERAL || t->kind == KIND_TRIE;
}

static uint32_t hash_term(const struct term *t) {
    uint32_t h = fa_hash_mix(fa_hash_mix(t->kind, t->a), fa_hash_mix(t->b, t->c + t->final));
    if (has_kids(t)) h = fa_hash_mix(h, fa_hash(t->kids, t->c * sizeof *t->kids));
    if (has_bytes(t)) h = fa_hash_mix(h, fa_hash(t->bytes, t->c));
    return h;
}

static bool same_term(const struct term *x, const struct term *y) {
    return x->kind == y->kind && x->a == y->a && x->b == y->b && x->c == y->c &&
           x->final == y->final &&
           (!has_kids(x) || !memcmp(x->kids, y->kids, x->c * sizeof *x->kids)) &&
           (!has_bytes(x) || !memcmp(x->bytes, y->bytes, x->c));
}

static struct term *new_slot(struct regex_store *s) {
    if (s->count >> TERM_BLOCK_BITS == s->blocks.count) {
        if (s->count == UINT32_MAX || !ARENA_VEC_GROW(s->arena, &s->blocks)) return NULL;
        struct term *block =
            arena_push_array(s->arena, (size_t)1 << TERM_BLOCK_BITS, sizeof *block);
        if (!block) return NULL;
        s->blocks.data[s->blocks.count++] = block;
    }
    return term_get(s, s->count);
}

term_id term_make(struct regex_store *s, const struct term *node) {
    if (s->arena->failed) return TERM_NONE;
    uint32_t hash = hash_term(node);
    for (struct table_probe p = table_probe(&s->table, hash); table_next(&s->table, &p);)
        if (same_term(term_get(s, p.id), node)) return p.id;
    struct term t = *node;
    describe(s, &t);
    if (t.depth > TERM_MAX_DEPTH) {
        s->arena->failed = true; /* no recursion below may go that deep */
        return TERM_NONE;
    }
    if (has_kids(&t)) t.kids = arena_push_copy(s->arena, t.kids, t.c * sizeof *t.kids);
    if (has_bytes(&t)) t.bytes = arena_push_copy(s->arena, t.bytes, t.c);
    struct term *slot = s->arena->failed ? NULL : new_slot(s);
    if (!slot || !table_add(&s->table, hash, s->count)) return TERM_NONE;
    *slot = t;
    return s->count++;
}

struct term_memo *term_memo_new(struct regex_store *s, term_id t) {
    return term_get(s, t)->memo = arena_push(s->arena, sizeof(struct term_memo));
}

struct term_scratch *term_scratch(struct regex_store *s, term_id t) {
    struct term_memo *memo = term_memo(s, t);
    if (memo && !memo->scratch) memo->scratch = arena_push(s->arena, sizeof *memo->scratch);
    return memo ? memo->scratch : NULL;
}

bool term_push(struct regex_store *s, term_id t) {
    if (!ARENA_VEC_GROW(s->arena, &s->stack)) return false;
    s->stack.data[s->stack.count++] = t;
    return true;
}

bool regex_has_length(const struct regex_store *s, term_id t) {
    return term_get(s, t)->has_length;
}

bool regex_is_between(const struct regex_store *s, term_id t) {
    return !term_is_inside(term_get(s, t));
}

/* Less than a number of code points, and nothing else but at least some? */
static uint64_t length_below(const struct regex_store *s, const struct term *t) {
    uint64_t below = UINT64_MAX;
    uint32_t n = t->kind == KIND_AND ? t->c : 1;
    for (uint32_t i = 0; i < n; i++) {
        const struct term *x = t->kind == KIND_AND ? term_get(s, t->kids[i]) : t;
        if (x->kind == KIND_NOT && term_get(s, x->a)->kind == KIND_LENGTH)
            below = length_bound(term_get(s, x->a));
        else if (x->kind != KIND_LENGTH)
            return UINT64_MAX;
    }
    return below;
}

bool regex_is_dense(const struct regex_store *s, term_id t, uint64_t k, uint64_t *room) {
    const struct term *x = term_get(s, t);
    *room = UINT64_MAX;
    if (x->dense) return true;
    if (!x->has_length || s->all == CHARSET_NOTHING) return false;
    uint64_t below = length_below(s, x);
    if (below == UINT64_MAX || below <= k) return false;
    *room = below - 1 - k;
    return true;
}

bool regex_is_list(const struct regex_store *s, term_id t) {
    const struct term *x = term_get(s, t);
    return (x->kind == KIND_TRIE || x->kind == KIND_LITERAL || x->kind == KIND_EMPTY) &&
           x->positive && x->max != UINT64_MAX;
}
