/* SPDX-License-Identifier: MIT
 *
 * Reading: derivatives. A row of them, one for each class of bytes, is filled on demand at each
 * term (Owens, Reppy, Turon 2009).
 *
 * Complement inside characters. At a lead byte, not(x) becomes "the rest of any character, then
 * anything" and not(x'), where not is raw. Continuation bytes step both. When the character is
 * complete the first has become TERM_ANY and is gone, so complements between characters have one
 * form again. A raw complement never stands alone; so what the byte is tells what a term that
 * fits anywhere (TERM_ANY, length leaves) has to become.
 */
#include "automaton/regex_look_internal.h"
#include "automaton/regex_machine_internal.h"

/* ---- derivatives ----------------------------------------------------------------------------- */

static term_id derive(struct regex_store *s, term_id t, unsigned char byte);

term_id term_any_after(struct regex_store *s, unsigned char byte) {
    uint32_t rest = charset_step(&s->sets, s->all, byte);
    if (rest == CHARSET_NOTHING) return TERM_NONE;
    if (rest == CHARSET_DONE) return TERM_ANY;
    return regex_cat(s, term_set(s, rest), TERM_ANY);
}

static term_id derive_trie(const struct term *x, unsigned char byte) {
    uint32_t lo = 0, hi = x->c;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (x->bytes[mid] < byte)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < x->c && x->bytes[lo] == byte ? x->kids[lo] : TERM_NONE;
}

static term_id derive_cat(struct regex_store *s, term_id t, unsigned char byte) {
    uint32_t base = s->stack.count;
    for (;;) {
        const struct term *x = term_get(s, t);
        bool cat = x->kind == KIND_CAT;
        term_id d = derive(s, cat ? x->a : t, byte);
        if (!term_push(s, cat ? regex_cat(s, d, x->b) : d)) break;
        if (!cat || !term_get(s, x->a)->nullable) break;
        t = x->b;
    }
    return term_or_stack(s, base);
}

static term_id derive_or(struct regex_store *s, const struct term *x, unsigned char byte) {
    uint32_t base = s->stack.count;
    for (uint32_t i = 0; i < x->c; i++)
        if (!term_push(s, derive(s, x->kids[i], byte))) break;
    return term_or_stack(s, base);
}

/* Complements and lengths step raw; at a lead byte the rest of "any character" goes with them
 * unless a kid keeps the text well-formed. */
static term_id derive_and(struct regex_store *s, const struct term *x, unsigned char byte) {
    uint32_t base = s->stack.count;
    for (uint32_t i = 0; i < x->c; i++) {
        const struct term *k = term_get(s, x->kids[i]);
        term_id d = k->kind == KIND_NOT      ? regex_not(s, derive(s, k->a, byte))
                    : k->kind == KIND_LENGTH ? x->kids[i]
                                             : derive(s, x->kids[i], byte);
        if (d == TERM_NONE || !term_push(s, d)) {
            s->stack.count = base;
            return TERM_NONE;
        }
    }
    bool guarded = is_continuation(byte);
    for (uint32_t i = base; !guarded && i < s->stack.count; i++)
        guarded = term_get(s, s->stack.data[i])->guarded;
    if (!guarded) term_push(s, term_any_after(s, byte));
    return term_and_stack(s, base);
}

static term_id derive_alone(struct regex_store *s, term_id raw, unsigned char byte) {
    if (is_continuation(byte)) return raw;
    term_id both[2] = {term_any_after(s, byte), raw};
    return regex_and(s, both, 2);
}

static term_id derive_node(struct regex_store *s, term_id t, unsigned char byte) {
    const struct term *x = term_get(s, t);
    switch ((enum term_kind)x->kind) {
    case KIND_NONE:
    case KIND_EMPTY: return TERM_NONE;
    case KIND_ANY: return derive_alone(s, TERM_ANY, byte);
    case KIND_LENGTH: return derive_alone(s, t, byte);
    case KIND_NOT: return derive_alone(s, regex_not(s, derive(s, x->a, byte)), byte);
    case KIND_SET: {
        uint32_t rest = charset_step(&s->sets, x->a, byte);
        return rest == CHARSET_DONE ? TERM_EMPTY_STRING : term_set(s, rest);
    }
    case KIND_LITERAL: {
        if (x->bytes[0] != byte) return TERM_NONE;
        if (x->c == 1) return x->a;
        struct term node = {.kind = KIND_LITERAL, .a = x->a, .c = x->c - 1, .bytes = x->bytes + 1};
        return term_make(s, &node);
    }
    case KIND_TRIE: return derive_trie(x, byte);
    case KIND_CAT: return derive_cat(s, t, byte);
    case KIND_OR: return derive_or(s, x, byte);
    case KIND_AND: return derive_and(s, x, byte);
    case KIND_REPEAT: {
        uint32_t min = x->b ? x->b - 1 : 0, max = x->c == REGEX_UNBOUNDED ? x->c : x->c - 1;
        term_id d = derive(s, x->a, byte);
        return d == TERM_NONE ? d : regex_cat(s, d, regex_repeat(s, x->a, min, max));
    }
    case KIND_LOOK: return look_language(s, look_derive(s, x->a, byte));
    case KIND_MACHINE: return machine_derive(s, x, byte);
    }
    return TERM_NONE;
}

static term_id derive(struct regex_store *s, term_id t, unsigned char byte) {
    const struct term *x = term_get(s, t);
    if (x->kind == KIND_TRIE) return derive_trie(x, byte);
    if (x->kind == KIND_MACHINE && x->is_wide) return machine_derive(s, x, byte); /* seldom twice */
    const struct partition *p = term_partition(s, t);
    if (!p) return TERM_NONE;
    struct term_memo *memo = term_memo(s, t);
    if (!memo->row) memo->row = arena_push_array(s->arena, p->n, sizeof *memo->row);
    if (!memo->row) return TERM_NONE;
    term_id *cell = &memo->row[p->classes[byte]];
    if (!*cell) {
        s->effort++;
        term_id d = derive_node(s, t, byte);
        if (s->arena->failed) return TERM_NONE;
        *cell = d + 1;
    }
    return *cell - 1;
}

term_id regex_derive(struct regex_store *s, term_id t, unsigned char byte) {
    /* a raw complement must not be asked between characters, nor the other way round */
    if (is_continuation(byte) != term_is_inside(term_get(s, t))) return TERM_NONE;
    return term_living(s, derive(s, t, byte));
}

bool regex_matches(struct regex_store *s, term_id t, const unsigned char *bytes, size_t length) {
    uint64_t k = 0;
    for (size_t i = 0; i < length && t != TERM_NONE; i++) {
        t = regex_derive(s, t, bytes[i]);
        k += !is_continuation(bytes[i]);
    }
    return regex_nullable(s, t, k);
}

/* ---- inside characters ----------------------------------------------------------------------- */

uint32_t regex_partial_set(struct regex_store *s, const struct code_range *ranges, size_t n) {
    uint32_t set = charset_make(&s->sets, ranges, n, 0);
    set = charset_intersection(&s->sets, set, s->all);
    return set == CHARSET_NOTHING ? CHARSET_DONE : set; /* 1 names the empty set here */
}

partial_id regex_partial_step(struct regex_store *s, uint32_t set, partial_id p,
                              unsigned char byte) {
    if (p == PARTIAL_DEAD) return PARTIAL_DEAD;
    if (p == PARTIAL_BOUNDARY) p = set ? set : s->all;
    return charset_step(&s->sets, p, byte);
}
