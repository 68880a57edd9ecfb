/* SPDX-License-Identifier: MIT
 *
 * Constructors of terms without boolean operators. Concatenation is nested to the right, its
 * literals are chunks; both are built by loops, so long patterns cost no depth.
 */
#include <string.h>

#include "automaton/regex_internal.h"
#include "base/utf8.h"

term_id term_set(struct regex_store *s, uint32_t charset) {
    if (charset <= CHARSET_DONE) return TERM_NONE;
    if (charset_count2(&s->sets, charset) == 1) { /* one member is a literal: one form for each */
        const struct charset *c = charset_get(&s->sets, charset);
        unsigned char bytes[4];
        unsigned n = charset_spell(c->ranges[0].first, c->pending, bytes);
        return term_prepend(s, bytes, n, TERM_EMPTY_STRING);
    }
    struct term node = {.kind = KIND_SET, .a = charset};
    return term_make(s, &node);
}

term_id regex_charset(struct regex_store *s, const struct code_range *ranges, size_t n) {
    uint32_t set = charset_make(&s->sets, ranges, n, 0);
    return term_set(s, charset_intersection(&s->sets, set, s->all));
}

term_id regex_charset_except(struct regex_store *s, const struct code_range *ranges, size_t n) {
    uint32_t set = charset_make(&s->sets, ranges, n, 0);
    return term_set(s, charset_difference(&s->sets, s->all, set));
}

term_id regex_min_length(struct regex_store *s, uint64_t n) {
    if (n == 0) return TERM_ANY;
    struct term node = {.kind = KIND_LENGTH, .a = (uint32_t)n, .b = (uint32_t)(n >> 32)};
    return term_make(s, &node);
}

/* ---- literals and concatenation -------------------------------------------------------------- */

term_id term_prepend(struct regex_store *s, const unsigned char *bytes, size_t n, term_id next) {
    while (n && next != TERM_NONE) {
        unsigned char chunk[TERM_LITERAL_CHUNK];
        const struct term *b = term_get(s, next);
        uint32_t have = b->kind == KIND_LITERAL && b->c < TERM_LITERAL_CHUNK ? b->c : 0;
        uint32_t take = TERM_LITERAL_CHUNK - have;
        if (take > n) take = (uint32_t)n;
        n -= take;
        memcpy(chunk, bytes + n, take);
        if (have) memcpy(chunk + take, b->bytes, have);
        struct term node = {
            .kind = KIND_LITERAL, .a = have ? b->a : next, .c = take + have, .bytes = chunk};
        next = term_make(s, &node);
    }
    return next;
}

bool regex_literal_is_spellable(const struct regex_store *s, const unsigned char *bytes,
                                size_t length) {
    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t n = utf8_decode(bytes + i, length - i, &c);
        if (!n || !charset_has(&s->sets, s->all, c)) return false;
        i += n;
    }
    return true;
}

term_id regex_literal(struct regex_store *s, const unsigned char *bytes, size_t length) {
    return regex_literal_is_spellable(s, bytes, length)
               ? term_prepend(s, bytes, length, TERM_EMPTY_STRING)
               : TERM_NONE;
}

/* a{i,j} a{k,l} = a{i+k,j+l}; false where a bound does not fit. */
static bool add_bounds(uint32_t a, uint32_t b, bool upper, uint32_t *out) {
    if (upper && (a == REGEX_UNBOUNDED || b == REGEX_UNBOUNDED)) {
        *out = REGEX_UNBOUNDED;
        return true;
    }
    *out = a + b;
    return *out >= a && *out != REGEX_UNBOUNDED;
}

/* a is neither CAT nor EMPTY nor NONE; b is not NONE. */
static term_id cat_one(struct regex_store *s, term_id a, term_id b) {
    const struct term *x = term_get(s, a), *y = term_get(s, b);
    if (x->kind == KIND_LITERAL) return term_prepend(s, x->bytes, x->c, b);
    if (b == TERM_EMPTY_STRING) return a;
    bool any_first = b == TERM_ANY || (y->kind == KIND_CAT && y->a == TERM_ANY);
    if (any_first && x->nullable) return b;
    if (a == TERM_ANY && y->nullable) return TERM_ANY;
    /* rounds of the same thing, side by side */
    term_id head = y->kind == KIND_CAT ? y->a : b, tail = TERM_EMPTY_STRING;
    if (y->kind == KIND_CAT) tail = y->b;
    const struct term *h = term_get(s, head);
    term_id body = x->kind == KIND_REPEAT ? x->a : a;
    if (h->kind == KIND_REPEAT && h->a == body) {
        uint32_t min, max, one_min = x->kind == KIND_REPEAT ? x->b : 1;
        uint32_t one_max = x->kind == KIND_REPEAT ? x->c : 1;
        if (add_bounds(one_min, h->b, false, &min) && add_bounds(one_max, h->c, true, &max)) {
            term_id joined = regex_repeat(s, body, min, max);
            return tail == TERM_EMPTY_STRING ? joined : regex_cat(s, joined, tail);
        }
    }
    struct term node = {.kind = KIND_CAT, .a = a, .b = b};
    return term_make(s, &node);
}

term_id regex_cat(struct regex_store *s, term_id a, term_id b) {
    a = term_living(s, a);
    b = term_living(s, b);
    if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
    uint32_t base = s->stack.count;
    while (a != TERM_EMPTY_STRING) {
        const struct term *x = term_get(s, a);
        bool chain = x->kind == KIND_CAT || (x->kind == KIND_LITERAL && x->a != TERM_EMPTY_STRING);
        if (!term_push(s, x->kind == KIND_CAT ? x->a : a)) {
            s->stack.count = base;
            return TERM_NONE;
        }
        if (!chain) break;
        a = x->kind == KIND_CAT ? x->b : x->a;
    }
    while (s->stack.count > base) b = cat_one(s, s->stack.data[--s->stack.count], b);
    return b;
}

/* ---- repetition ------------------------------------------------------------------------------ */

/* (b{m,n}){k,l} = b{mk,nl} if no count between is left out. */
static bool flatten_repeat(const struct term *inner, uint32_t k, uint32_t l, uint32_t *min,
                           uint32_t *max) {
    uint64_t m = inner->b, n = inner->c;
    bool unbounded = n == REGEX_UNBOUNDED || l == REGEX_UNBOUNDED;
    if (k != l) {
        bool gapless =
            n == REGEX_UNBOUNDED ? (k > 0 || m <= 1) : (k + UINT64_C(1)) * m <= k * n + 1;
        if (!gapless) return false;
    }
    uint64_t low = m * k, high = unbounded ? REGEX_UNBOUNDED : n * l;
    if (low >= REGEX_UNBOUNDED || (!unbounded && high >= REGEX_UNBOUNDED)) return false;
    *min = (uint32_t)low;
    *max = (uint32_t)high;
    return true;
}

/* An alternative "" inside a repetition only makes the minimum 0. */
static term_id without_empty_kid(struct regex_store *s, term_id a) {
    const struct term *x = term_get(s, a);
    if (x->kind != KIND_OR || x->kids[0] != TERM_EMPTY_STRING) return a;
    return regex_or(s, x->kids + 1, x->c - 1);
}

term_id regex_repeat(struct regex_store *s, term_id a, uint32_t min, uint32_t max) {
    a = term_living(s, a);
    if (min > max) return TERM_NONE;
    if (max == 0 || a == TERM_EMPTY_STRING) return TERM_EMPTY_STRING;
    if (a == TERM_NONE) return min == 0 ? TERM_EMPTY_STRING : TERM_NONE;
    if (a == TERM_ANY) return TERM_ANY;
    if (min == 1 && max == 1) return a;
    if (term_get(s, a)->nullable) {
        min = 0;
        a = without_empty_kid(s, a);
    }
    const struct term *x = term_get(s, a);
    if (x->kind == KIND_REPEAT) {
        uint32_t low, high;
        if (flatten_repeat(x, min, max, &low, &high)) return regex_repeat(s, x->a, low, high);
    }
    if (max == REGEX_UNBOUNDED && a == term_set(s, s->all))
        return min == 0 ? TERM_ANY : regex_cat(s, regex_repeat(s, a, min, min), TERM_ANY);
    struct term node = {.kind = KIND_REPEAT, .a = a, .b = min, .c = max};
    return term_make(s, &node);
}

/* ---- without the empty string ---------------------------------------------------------------- */

static term_id nonempty_node(struct regex_store *s, term_id a);

/* x1 x2 x3 ...: the first that is not empty is xi, the ones before it are. */
static term_id nonempty_cat(struct regex_store *s, term_id a) {
    uint32_t base = s->stack.count;
    for (;;) {
        const struct term *x = term_get(s, a);
        if (x->kind != KIND_CAT) break;
        if (!term_push(s, regex_cat(s, regex_nonempty(s, x->a), x->b))) break;
        a = x->b;
    }
    term_push(s, nonempty_node(s, a));
    return term_or_stack(s, base);
}

static term_id nonempty_node(struct regex_store *s, term_id a) {
    const struct term *x = term_get(s, a);
    if (!x->nullable && !x->has_length) return a;
    switch ((enum term_kind)x->kind) {
    case KIND_EMPTY: return TERM_NONE;
    case KIND_ANY: return regex_cat(s, term_set(s, s->all), TERM_ANY);
    case KIND_CAT: return nonempty_cat(s, a);
    case KIND_TRIE: {
        struct term node = *x;
        node.final = false;
        if (x->c == 1) return term_prepend(s, x->bytes, 1, x->kids[0]);
        return term_make(s, &node);
    }
    case KIND_REPEAT: {
        if (!term_get(s, x->a)->nullable) return regex_repeat(s, x->a, 1, x->c);
        uint32_t rest = x->c == REGEX_UNBOUNDED ? x->c : x->c - 1;
        return regex_cat(s, regex_nonempty(s, x->a), regex_repeat(s, x->a, 0, rest));
    }
    case KIND_OR: {
        uint32_t base = s->stack.count;
        for (uint32_t i = 0; i < x->c; i++)
            if (!term_push(s, regex_nonempty(s, x->kids[i]))) break;
        return term_or_stack(s, base);
    }
    default: {
        term_id both[2] = {a, regex_not(s, TERM_EMPTY_STRING)};
        return regex_and(s, both, 2);
    }
    }
}

term_id regex_nonempty(struct regex_store *s, term_id a) {
    return nonempty_node(s, a);
}
