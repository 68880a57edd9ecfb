/* SPDX-License-Identifier: MIT
 *
 * Derivatives of expressions with lookaround, exact for all of them (lookahead: Miyazaki and
 * Minamide, "Derivatives of Regular Expressions with Lookahead", Journal of Information Processing
 * 27, 2019; lookbehind is the mirror image, by keeping what its prefix has still to read).
 *
 *     here(x)      the rests of the string before which x matches ""
 *     shift_c(x)   x, one byte further on without being read: lookbehinds read c
 *     d_c(x)       what is left of matches of x that begin with c:
 *
 *     d_c(xy)      = d_c(x) shift_c(y)  |  rest(d_c here(x)) d_c(y)
 *     d_c(x{m,n})  = d_c(x) shift_c(x{m-1,n-1})  |  rest(d_c here(x)) d_c(x) shift_c(x{0,n-1})
 *     d_c(assertion) = none,   here(rest R) = R,   here(not behind P) = not here(P), ...
 *
 * In the second line rounds that match "" come first, all at one place, so they can stand for
 * any number of those demanded. The rests are demands on the string from here to its end. They
 * step as the terms they are, and stay a flat conjunction in front of each alternative: an
 * alternative is a set of residuals of finitely many terms, then one of finitely many tails. So
 * there are finitely many derivatives (this is an alternating automaton in disjunctive form;
 * Chandra, Kozen, Stockmeyer, "Alternation", 1981).
 */
#include "automaton/regex_look_internal.h"

/* ---- partitions ------------------------------------------------------------------------------ */

static const struct partition *shift_partition(struct regex_store *s, look_id x);

static const struct partition *meet_kids(struct regex_store *s, const struct look *n,
                                         const struct partition *of(struct regex_store *,
                                                                    look_id)) {
    const struct partition *p = of(s, n->kids[0]);
    for (uint32_t i = 1; p && i < n->c; i++) p = partition_meet(s, p, of(s, n->kids[i]));
    return p;
}

/* Of x = first tail, whose own partitions are known. */
static const struct partition *cat_partition(struct regex_store *s, const struct look *n,
                                             bool shift) {
    const struct partition *p = shift ? shift_partition(s, n->a) : look_partition(s, n->a);
    shift = shift || !look_get(s, n->a)->may_be_empty;
    return partition_meet(s, p, shift ? shift_partition(s, n->b) : look_partition(s, n->b));
}

static const struct partition *make_partition(struct regex_store *s, look_id x, bool shift) {
    const struct look *n = look_get(s, x);
    switch ((enum look_kind)n->kind) {
    case LOOK_KIND_NONE: break;
    case LOOK_KIND_TERM:
    case LOOK_KIND_REST: return term_partition(s, n->a);
    case LOOK_KIND_CAT: return cat_partition(s, n, shift);
    case LOOK_KIND_OR: return meet_kids(s, n, shift ? shift_partition : look_partition);
    case LOOK_KIND_REPEAT: return shift ? shift_partition(s, n->a) : look_partition(s, n->a);
    case LOOK_KIND_AHEAD:
        if (shift) return shift_partition(s, n->a);
        return partition_meet(s, shift_partition(s, n->a), term_partition(s, look_here(s, x)));
    case LOOK_KIND_BEHIND:
        if (shift) return look_partition(s, n->a);
        return partition_meet(s, look_partition(s, n->a), term_partition(s, look_here(s, x)));
    }
    return term_partition(s, TERM_EMPTY_STRING);
}

static struct look_memo *memo_of(struct regex_store *s, look_id x) {
    struct look *n = look_get(s, x);
    if (!n->memo) n->memo = arena_push(s->arena, sizeof *n->memo);
    return n->memo;
}

static const struct partition **partition_cell(struct regex_store *s, look_id x, bool shift) {
    struct look_memo *memo = memo_of(s, x);
    if (!memo || s->arena->failed) return NULL;
    return shift ? &memo->shift_partition : &memo->derive_partition;
}

/* For shifts or derivatives. Along the spine from its end, as far as it is asked for and not
 * known: long ones cost no depth. Behind what cannot be empty, tails only shift. */
static const struct partition *partition_of(struct regex_store *s, look_id x, bool shift) {
    uint32_t base = s->look->stack.count, n_derived = 0;
    for (;;) {
        const struct look *n = look_get(s, x);
        const struct partition **cell = partition_cell(s, x, shift);
        if (!cell || *cell || !look_push(s, x)) break;
        n_derived += !shift;
        if (n->kind != LOOK_KIND_CAT) break;
        shift = shift || !look_get(s, n->a)->may_be_empty;
        x = n->b;
    }
    const struct partition **cell = partition_cell(s, x, shift);
    while (s->look->stack.count > base && cell) {
        x = s->look->stack.data[--s->look->stack.count];
        shift = s->look->stack.count - base >= n_derived;
        const struct partition *p = make_partition(s, x, shift);
        cell = partition_cell(s, x, shift);
        if (cell) *cell = p;
    }
    s->look->stack.count = base;
    return cell ? *cell : NULL;
}

const struct partition *look_partition(struct regex_store *s, look_id x) {
    return partition_of(s, x, false);
}

static const struct partition *shift_partition(struct regex_store *s, look_id x) {
    if (!look_get(s, x)->has_behind) return term_partition(s, TERM_EMPTY_STRING);
    return partition_of(s, x, true);
}

/* ---- shifts ---------------------------------------------------------------------------------- */

/* The place of the result for this byte in the memo; NULL on failure. */
static look_id *shift_cell(struct regex_store *s, look_id x, unsigned char byte) {
    const struct partition *p = shift_partition(s, x);
    struct look_memo *memo = memo_of(s, x);
    if (!p || !memo) return NULL;
    if (!memo->shifted) memo->shifted = arena_push_array(s->arena, p->n, sizeof *memo->shifted);
    return memo->shifted ? &memo->shifted[p->classes[byte]] : NULL;
}

static look_id shift(struct regex_store *s, look_id x, unsigned char byte);

/* Along the spine, from its end or the first tail that is known, so that long ones cost no depth
 * and every tail is made once. */
static look_id shift_spine(struct regex_store *s, look_id x, unsigned char byte) {
    uint32_t base = s->look->stack.count;
    look_id known = LOOK_NONE;
    for (const struct look *n = look_get(s, x); n->kind == LOOK_KIND_CAT && n->has_behind;
         x = n->b, n = look_get(s, x)) {
        look_id *cell = shift_cell(s, x, byte);
        if (cell) known = *cell;
        if (known || !cell || !look_push(s, x)) break;
    }
    if (s->arena->failed) return LOOK_NONE;
    look_id result = known ? known - 1 : shift(s, x, byte);
    while (s->look->stack.count > base) {
        look_id node = s->look->stack.data[--s->look->stack.count];
        result = look_cat(s, shift(s, look_get(s, node)->a, byte), result);
        look_id *cell = shift_cell(s, node, byte);
        if (!cell || s->arena->failed) return LOOK_NONE;
        *cell = result + 1;
    }
    return result;
}

static look_id shift_node(struct regex_store *s, look_id x, unsigned char byte) {
    const struct look *n = look_get(s, x);
    switch ((enum look_kind)n->kind) {
    case LOOK_KIND_OR: {
        uint32_t base = s->look->stack.count;
        for (uint32_t i = 0; i < n->c; i++)
            if (!look_push(s, shift(s, n->kids[i], byte))) break;
        return look_or_stack(s, base);
    }
    case LOOK_KIND_REPEAT: return look_repeat(s, shift(s, n->a, byte), n->b, n->c);
    case LOOK_KIND_AHEAD: return look_ahead(s, shift(s, n->a, byte), n->negated);
    case LOOK_KIND_BEHIND: return look_behind(s, look_derive(s, n->a, byte), n->negated);
    default: return x;
    }
}

static look_id shift(struct regex_store *s, look_id x, unsigned char byte) {
    const struct look *n = look_get(s, x);
    if (!n->has_behind) return x;
    if (n->kind == LOOK_KIND_CAT) return shift_spine(s, x, byte);
    look_id *cell = shift_cell(s, x, byte);
    if (!cell) return LOOK_NONE;
    if (!*cell) {
        look_id result = shift_node(s, x, byte);
        if (s->arena->failed) return LOOK_NONE;
        *cell = result + 1;
    }
    return *cell - 1;
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* Pushes the alternatives of `rest x tail`. */
static void push_alternatives(struct regex_store *s, term_id rest, look_id x, look_id tail) {
    const struct look *n = look_get(s, x);
    look_id demand = look_rest(s, rest);
    const look_id *kids = n->kind == LOOK_KIND_OR ? n->kids : &x;
    for (uint32_t i = 0, count = n->kind == LOOK_KIND_OR ? n->c : 1; i < count; i++)
        if (!look_push(s, look_cat(s, demand, look_cat(s, kids[i], tail)))) return;
}

/* What `here` demands of the string behind the byte. */
static term_id demand_after(struct regex_store *s, term_id here, unsigned char byte) {
    return here == TERM_ANY ? here : regex_derive(s, here, byte);
}

static look_id derive_cat(struct regex_store *s, look_id x, unsigned char byte) {
    uint32_t base = s->look->stack.count;
    term_id here = TERM_ANY;
    while (here != TERM_NONE && !s->arena->failed) {
        const struct look *n = look_get(s, x);
        bool cat = n->kind == LOOK_KIND_CAT;
        look_id d = look_derive(s, cat ? n->a : x, byte);
        if (d != LOOK_NONE)
            push_alternatives(s, demand_after(s, here, byte), d,
                              cat ? shift(s, n->b, byte) : LOOK_EMPTY);
        if (!cat) break;
        term_id both[2] = {here, look_here(s, n->a)};
        here = regex_and(s, both, 2);
        x = n->b;
    }
    return look_or_stack(s, base);
}

static look_id derive_repeat(struct regex_store *s, const struct look *n, unsigned char byte) {
    uint32_t base = s->look->stack.count;
    uint32_t min = n->b ? n->b - 1 : 0, max = n->c == REGEX_UNBOUNDED ? n->c : n->c - 1;
    look_id d = look_derive(s, n->a, byte), round = shift(s, n->a, byte);
    if (d == LOOK_NONE) return d;
    push_alternatives(s, TERM_ANY, d, look_repeat(s, round, min, max));
    term_id here = min ? look_here(s, n->a) : TERM_NONE;
    if (here != TERM_NONE)
        push_alternatives(s, demand_after(s, here, byte), d, look_repeat(s, round, 0, max));
    return look_or_stack(s, base);
}

static look_id derive_node(struct regex_store *s, look_id x, unsigned char byte) {
    const struct look *n = look_get(s, x);
    switch ((enum look_kind)n->kind) {
    case LOOK_KIND_TERM: return look_term(s, regex_derive(s, n->a, byte));
    case LOOK_KIND_CAT: return derive_cat(s, x, byte);
    case LOOK_KIND_OR: {
        uint32_t base = s->look->stack.count;
        for (uint32_t i = 0; i < n->c; i++)
            if (!look_push(s, look_derive(s, n->kids[i], byte))) break;
        return look_or_stack(s, base);
    }
    case LOOK_KIND_REPEAT: return derive_repeat(s, n, byte);
    default: return LOOK_NONE;
    }
}

look_id look_derive(struct regex_store *s, look_id x, unsigned char byte) {
    const struct partition *p = look_partition(s, x);
    struct look_memo *memo = memo_of(s, x);
    if (!p || !memo) return LOOK_NONE;
    if (!memo->derived) memo->derived = arena_push_array(s->arena, p->n, sizeof *memo->derived);
    if (!memo->derived) return LOOK_NONE;
    look_id *cell = &memo->derived[p->classes[byte]];
    if (!*cell) {
        look_id result = derive_node(s, x, byte);
        if (s->arena->failed) return LOOK_NONE;
        *cell = result + 1;
    }
    return *cell - 1;
}
