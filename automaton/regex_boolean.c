/* SPDX-License-Identifier: MIT
 *
 * Union, intersection, complement. Fewer forms for one language mean fewer states, so unions
 * are flattened, sorted and joined where that is exact:
 *
 *     [ab]T | [c]T           = [abc]T              (sets of characters before the same tail)
 *     a{2,4}T | a{5,7}T      = a{2,7}T             (counts: what keeps a searched .{100000}x small)
 *     x | not x = any,  not x | not y = not(x & y),  and the duals
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/regex_internal.h"
#include "base/utf8.h"

enum { HEAD_SET, HEAD_REPEAT };

static int compare_ids(const void *pa, const void *pb) {
    term_id a = *(const term_id *)pa, b = *(const term_id *)pb;
    return a < b ? -1 : a > b;
}

static void sort_unique(struct regex_store *s, uint32_t base) {
    term_id *v = s->stack.data + base;
    uint32_t n = s->stack.count - base, kept = 0;
    if (n > 16) {
        qsort(v, n, sizeof *v, compare_ids);
    } else {
        for (uint32_t i = 1; i < n; i++) {
            term_id x = v[i];
            uint32_t j = i;
            for (; j && v[j - 1] > x; j--) v[j] = v[j - 1];
            v[j] = x;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        if (!kept || v[kept - 1] != v[i]) v[kept++] = v[i];
    s->stack.count = base + kept;
}

static bool contains(const struct regex_store *s, uint32_t base, term_id t) {
    uint32_t lo = base, hi = s->stack.count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->stack.data[mid] < t)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->stack.count && s->stack.data[lo] == t;
}

/* Splices the kids of nodes of `kind` in, drops the unit. True if the zero was met. */
static bool flatten(struct regex_store *s, uint32_t base, enum term_kind kind, term_id unit,
                    term_id zero) {
    bool met = false;
    uint32_t kept = base, n = s->stack.count;
    s->effort += n - base;
    for (uint32_t i = base; i < n; i++) {
        term_id t = term_living(s, s->stack.data[i]);
        const struct term *x = term_get(s, t);
        if (t == zero) met = true;
        if (t == unit) continue;
        if (x->kind != kind) {
            s->stack.data[kept++] = t;
            continue;
        }
        s->stack.data[kept++] = x->kids[0];
        for (uint32_t k = 1; k < x->c; k++)
            if (!term_push(s, x->kids[k])) return true;
    }
    /* what was appended moves down to what was kept */
    uint32_t added = s->stack.count - n;
    if (added) memmove(s->stack.data + kept, s->stack.data + n, added * sizeof(term_id));
    s->stack.count = kept + added;
    return met;
}

/* ---- what unions join ------------------------------------------------------------------------ */

/* A set of characters that begins the term: CHARSET_NOTHING if it begins otherwise. */
static uint32_t head_set(struct regex_store *s, const struct term *x) {
    if (x->kind == KIND_SET) return x->a;
    if (x->kind != KIND_LITERAL || x->c > 4) return CHARSET_NOTHING;
    uint32_t value = 0, pending = term_is_inside(x) ? x->pending : 0;
    if (!pending) {
        if (utf8_decode(x->bytes, x->c, &value) != x->c) return CHARSET_NOTHING;
    } else {
        if (pending != x->c) return CHARSET_NOTHING;
        for (uint32_t i = 0; i < x->c; i++) value = value << 6 | (x->bytes[i] & 0x3F);
    }
    struct code_range one = {value, value};
    return charset_make(&s->sets, &one, 1, pending);
}

/* Does the term begin with a set or a repetition before a tail? */
static bool find_head(struct regex_store *s, term_id t, struct or_head *h) {
    const struct term *x = term_get(s, t), *first = x;
    term_id tail = TERM_EMPTY_STRING;
    if (x->kind == KIND_CAT) {
        first = term_get(s, x->a);
        tail = x->b;
    } else if (x->kind == KIND_LITERAL) {
        tail = x->a;
    }
    if (first->kind == KIND_REPEAT) {
        *h = (struct or_head){HEAD_REPEAT, first->a, tail, first->b, first->c};
        return true;
    }
    uint32_t set = head_set(s, first);
    if (set == CHARSET_NOTHING) return false;
    *h = (struct or_head){HEAD_SET, charset_get(&s->sets, set)->pending, tail, set, t};
    return true;
}

static int compare_heads(const void *pa, const void *pb) {
    const struct or_head *a = pa, *b = pb;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    if (a->tail != b->tail) return a->tail < b->tail ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static bool same_group(const struct or_head *a, const struct or_head *b) {
    return a->kind == b->kind && a->key == b->key && a->tail == b->tail;
}

/* One group of sets before one tail: a single term. */
static void push_joined_sets(struct regex_store *s, uint32_t from, uint32_t to) {
    struct or_head h = s->heads.data[from];
    if (to - from == 1) {
        term_push(s, h.last);
        return;
    }
    uint32_t set = h.first;
    for (uint32_t i = from + 1; i < to; i++)
        set = charset_union(&s->sets, set, s->heads.data[i].first);
    term_push(s, regex_cat(s, term_set(s, set), h.tail));
}

/* One group of repetitions of one thing before one tail, by minimum. */
static void push_joined_repeats(struct regex_store *s, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to;) {
        struct or_head h = s->heads.data[i++];
        while (i < to && (h.last == REGEX_UNBOUNDED || s->heads.data[i].first <= h.last + 1)) {
            if (s->heads.data[i].last > h.last) h.last = s->heads.data[i].last;
            i++;
        }
        term_push(s, regex_cat(s, regex_repeat(s, h.key, h.first, h.last), h.tail));
    }
}

static void join_heads(struct regex_store *s, uint32_t base) {
    uint32_t n = s->stack.count, kept = base, first_head = s->heads.count;
    if (n - base < 2) return;
    for (uint32_t i = base; i < n; i++) {
        struct or_head h;
        term_id t = s->stack.data[i];
        if (!find_head(s, t, &h)) {
            s->stack.data[kept++] = t;
            continue;
        }
        if (!ARENA_VEC_GROW(s->arena, &s->heads)) break;
        s->heads.data[s->heads.count++] = h;
    }
    uint32_t end = s->heads.count;
    s->stack.count = kept;
    if (end - first_head > 1)
        qsort(s->heads.data + first_head, end - first_head, sizeof *s->heads.data, compare_heads);
    for (uint32_t i = first_head; i < end;) {
        uint32_t j = i + 1;
        while (j < end && same_group(&s->heads.data[i], &s->heads.data[j])) j++;
        if (s->heads.data[i].kind == HEAD_SET)
            push_joined_sets(s, i, j);
        else
            push_joined_repeats(s, i, j);
        i = j;
    }
    s->heads.count = first_head;
}

/* ---- complements and lengths among the kids -------------------------------------------------- */

/* `not x` beside `x`? Two or more complements become one of the dual: not(x) | not(y) =
 * not(x & y). Terms with length leaves stay apart. */
static bool join_complements(struct regex_store *s, uint32_t base, bool or) {
    uint32_t n = s->stack.count, plain = 0;
    for (uint32_t i = base; i < n; i++) {
        const struct term *x = term_get(s, s->stack.data[i]);
        if (x->kind != KIND_NOT) continue;
        if (contains(s, base, x->a)) return true;
        plain += !x->has_length;
    }
    if (plain < 2) return false;
    uint32_t kept = base;
    for (uint32_t i = base; i < n; i++) {
        term_id t = s->stack.data[i];
        const struct term *x = term_get(s, t);
        if (x->kind == KIND_NOT && !x->has_length)
            term_push(s, x->a);
        else
            s->stack.data[kept++] = t;
    }
    term_id inner = or ? term_and_stack(s, n) : term_or_stack(s, n);
    s->stack.count = kept;
    term_push(s, regex_not(s, inner));
    return false;
}

/* Of several "at least" only one matters, and of several "less than". Returns true when the two
 * together are the zero of the operation (any for or, none for and). */
static bool join_lengths(struct regex_store *s, uint32_t base, bool or) {
    uint64_t least = 0, below = 0; /* 0 = absent */
    uint32_t kept = base, n = s->stack.count;
    for (uint32_t i = base; i < n; i++) {
        term_id t = s->stack.data[i];
        const struct term *x = term_get(s, t);
        bool negated = x->kind == KIND_NOT && term_get(s, x->a)->kind == KIND_LENGTH;
        if (x->kind == KIND_LENGTH) {
            uint64_t v = length_bound(x);
            if (!least || (or ? v < least : v > least)) least = v;
        } else if (negated) {
            uint64_t v = length_bound(term_get(s, x->a));
            if (!below || (or ? v > below : v < below)) below = v;
        } else {
            s->stack.data[kept++] = t;
        }
    }
    if (kept == n) return false;
    s->stack.count = kept;
    if (least && below && (or ? least <= below : least >= below)) return true;
    if (least) term_push(s, regex_min_length(s, least));
    if (below) term_push(s, regex_not(s, regex_min_length(s, below)));
    return false;
}

/* ---- union ----------------------------------------------------------------------------------- */

static term_id finish(struct regex_store *s, uint32_t base, enum term_kind kind, term_id unit) {
    sort_unique(s, base);
    uint32_t n = s->stack.count - base;
    term_id result = unit;
    if (s->arena->failed) {
        result = TERM_NONE;
    } else if (n == 1) {
        result = s->stack.data[base];
    } else if (n > 1) {
        struct term node = {.kind = (uint8_t)kind, .c = n, .kids = s->stack.data + base};
        result = term_make(s, &node);
    }
    s->stack.count = base;
    return result;
}

static term_id give_up(struct regex_store *s, uint32_t base, term_id result) {
    s->stack.count = base;
    return s->arena->failed ? TERM_NONE : result;
}

term_id term_or_stack(struct regex_store *s, uint32_t base) {
    if (flatten(s, base, KIND_OR, TERM_NONE, TERM_ANY)) return give_up(s, base, TERM_ANY);
    sort_unique(s, base);
    join_heads(s, base);
    /* joining can make a union again, or anything at all */
    if (flatten(s, base, KIND_OR, TERM_NONE, TERM_ANY)) return give_up(s, base, TERM_ANY);
    sort_unique(s, base);
    if (join_complements(s, base, true) || join_lengths(s, base, true))
        return give_up(s, base, TERM_ANY);
    if (flatten(s, base, KIND_OR, TERM_NONE, TERM_ANY)) return give_up(s, base, TERM_ANY);
    sort_unique(s, base);
    uint32_t n = s->stack.count;
    if (n - base > 1 && s->stack.data[base] == TERM_EMPTY_STRING) {
        for (uint32_t i = base + 1; i < n; i++) {
            const struct term *x = term_get(s, s->stack.data[i]);
            if (x->has_length || !x->nullable) continue;
            s->stack.data[base] = s->stack.data[--s->stack.count];
            break;
        }
    }
    return finish(s, base, KIND_OR, TERM_NONE);
}

/* ---- intersection ---------------------------------------------------------------------------- */

/* Single characters among the kids: their intersection. True if it is empty. */
static bool meet_sets(struct regex_store *s, uint32_t base) {
    uint32_t set = CHARSET_NOTHING, kept = base, n = s->stack.count, met = 0;
    for (uint32_t i = base; i < n; i++) {
        term_id t = s->stack.data[i];
        const struct term *x = term_get(s, t);
        bool whole = x->kind == KIND_SET || (x->kind == KIND_LITERAL && x->a == TERM_EMPTY_STRING);
        uint32_t mine = whole ? head_set(s, x) : CHARSET_NOTHING;
        if (mine == CHARSET_NOTHING) {
            s->stack.data[kept++] = t;
            continue;
        }
        set = met++ ? charset_intersection(&s->sets, set, mine) : mine;
        if (set == CHARSET_NOTHING) return true;
    }
    s->stack.count = kept;
    if (met) term_push(s, term_set(s, set));
    return false;
}

/* Bounds on the length that exclude each other; "" beside kids without "". */
static bool is_impossible(const struct regex_store *s, uint32_t base) {
    uint64_t min = 0, max = UINT64_MAX;
    bool empty = s->stack.count > base && s->stack.data[base] == TERM_EMPTY_STRING;
    for (uint32_t i = base; i < s->stack.count; i++) {
        const struct term *x = term_get(s, s->stack.data[i]);
        if (x->min > min) min = x->min;
        if (x->max < max) max = x->max;
        if (empty && !x->has_length && !x->nullable) return true;
    }
    return min > max;
}

static term_id and_stack(struct regex_store *s, uint32_t base, bool factor);

/* t = body{count} tail, where all strings of the body have one length? */
static bool find_fixed(const struct regex_store *s, term_id t, struct or_head *h) {
    const struct term *x = term_get(s, t);
    bool cat = x->kind == KIND_CAT;
    if (!cat && x->kind != KIND_REPEAT) return false;
    term_id head = cat ? x->a : t;
    const struct term *first = term_get(s, head);
    bool repeats = first->kind == KIND_REPEAT && first->b == first->c;
    if (first->min != first->max || (!cat && !repeats)) return false;
    *h = (struct or_head){HEAD_REPEAT, repeats ? first->a : head, cat ? x->b : TERM_EMPTY_STRING,
                          repeats ? first->b : 1, t};
    return true;
}

/* One group of a body, by rising count: ab{2}x & ab{5}y = ab{2}(x & ab{3}y). */
static term_id factor_group(struct regex_store *s, uint32_t from, uint32_t to) {
    uint32_t base = s->stack.count, least = UINT32_MAX, body = s->heads.data[from].key;
    for (uint32_t i = from; i < to; i++)
        if (s->heads.data[i].first < least) least = s->heads.data[i].first;
    for (uint32_t i = from; i < to; i++) {
        struct or_head h = s->heads.data[i];
        term_id more = regex_repeat(s, body, h.first - least, h.first - least);
        if (!term_push(s, regex_cat(s, more, h.tail))) break;
    }
    /* What follows is factored when it is reached: no recursion. */
    return regex_cat(s, regex_repeat(s, body, least, least), and_stack(s, base, false));
}

/* Kids that begin alike, with something of one length, begin so once: then where what follows them
 * begins is no question. True if they exclude each other. */
static bool factor_heads(struct regex_store *s, uint32_t base) {
    uint32_t n = s->stack.count, kept = base, first_head = s->heads.count;
    struct or_head h;
    for (uint32_t i = base; i < n; i++) {
        term_id t = s->stack.data[i];
        if (!find_fixed(s, t, &h)) {
            s->stack.data[kept++] = t;
            continue;
        }
        if (!ARENA_VEC_GROW(s->arena, &s->heads)) return true;
        s->heads.data[s->heads.count++] = h;
    }
    uint32_t end = s->heads.count;
    bool none = false;
    s->stack.count = kept;
    if (end - first_head > 1)
        qsort(s->heads.data + first_head, end - first_head, sizeof *s->heads.data, compare_heads);
    for (uint32_t i = first_head; i < end && !none;) {
        uint32_t j = i + 1;
        while (j < end && s->heads.data[j].key == s->heads.data[i].key) j++;
        term_id t = j == i + 1 ? s->heads.data[i].last : factor_group(s, i, j);
        none = t == TERM_NONE || !term_push(s, t);
        i = j;
    }
    s->heads.count = first_head;
    return none;
}

/* Complements of what is too long, or too short, for the other kids say nothing. */
static void drop_complements(struct regex_store *s, uint32_t base) {
    uint64_t min = 0, max = UINT64_MAX;
    uint32_t kept = base;
    for (uint32_t i = base; i < s->stack.count; i++) {
        const struct term *x = term_get(s, s->stack.data[i]);
        if (x->min > min) min = x->min;
        if (x->max < max) max = x->max;
    }
    for (uint32_t i = base; i < s->stack.count; i++) {
        const struct term *x = term_get(s, s->stack.data[i]);
        const struct term *a = x->kind == KIND_NOT ? term_get(s, x->a) : NULL;
        if (!a || (a->min <= max && a->max >= min)) s->stack.data[kept++] = s->stack.data[i];
    }
    s->stack.count = kept;
}

term_id term_and_stack(struct regex_store *s, uint32_t base) {
    return and_stack(s, base, true);
}

static term_id and_stack(struct regex_store *s, uint32_t base, bool factor) {
    if (flatten(s, base, KIND_AND, TERM_ANY, TERM_NONE)) return give_up(s, base, TERM_NONE);
    sort_unique(s, base);
    if (join_complements(s, base, false) || join_lengths(s, base, false))
        return give_up(s, base, TERM_NONE);
    if (flatten(s, base, KIND_AND, TERM_ANY, TERM_NONE)) return give_up(s, base, TERM_NONE);
    if (s->stack.count - base > 1) {
        if (meet_sets(s, base) || (factor && factor_heads(s, base)))
            return give_up(s, base, TERM_NONE);
        drop_complements(s, base);
    }
    sort_unique(s, base);
    if (is_impossible(s, base)) return give_up(s, base, TERM_NONE);
    if (s->stack.count - base > 1 && s->stack.data[base] == TERM_EMPTY_STRING) {
        /* "" meets what holds it; only length leaves still have a say */
        uint32_t kept = base + 1;
        for (uint32_t i = base + 1; i < s->stack.count; i++)
            if (term_get(s, s->stack.data[i])->has_length) s->stack.data[kept++] = s->stack.data[i];
        s->stack.count = kept;
    }
    return finish(s, base, KIND_AND, TERM_ANY);
}

/* ---- the public constructors ----------------------------------------------------------------- */

static bool push_all(struct regex_store *s, const term_id *terms, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!term_push(s, terms[i])) return false;
    return true;
}

term_id regex_or(struct regex_store *s, const term_id *terms, size_t n) {
    uint32_t base = s->stack.count;
    if (!push_all(s, terms, n)) return give_up(s, base, TERM_NONE);
    return term_or_stack(s, base);
}

term_id regex_and(struct regex_store *s, const term_id *terms, size_t n) {
    uint32_t base = s->stack.count;
    if (!push_all(s, terms, n)) return give_up(s, base, TERM_NONE);
    return term_and_stack(s, base);
}

term_id regex_not(struct regex_store *s, term_id a) {
    a = term_living(s, a);
    if (s->arena->failed) return TERM_NONE;
    if (a == TERM_NONE) return TERM_ANY;
    if (a == TERM_ANY) return TERM_NONE;
    const struct term *x = term_get(s, a);
    if (x->kind == KIND_NOT) return x->a;
    struct term node = {.kind = KIND_NOT, .a = a};
    return term_make(s, &node);
}
