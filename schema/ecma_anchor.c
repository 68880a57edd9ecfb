/* SPDX-License-Identifier: MIT
 *
 * Concatenation, repetition and search of patterns with anchors in them. The pieces of a match
 * that are not empty keep an inner piece from both ends of the string; pieces that are empty do
 * not. So each rule splits by which pieces are empty. x+ below means: x without "".
 */
#include "schema/ecma_internal.h"

struct ecma_shape ecma_plain(term_id t) {
    return (struct ecma_shape){{{t, t}, {t, t}}};
}

struct ecma_shape ecma_anchor(bool left) {
    struct ecma_shape a;
    for (int l = 0; l < 2; l++)
        for (int r = 0; r < 2; r++) a.in[l][r] = (left ? l : r) ? TERM_EMPTY_STRING : TERM_NONE;
    return a;
}

static bool holds_empty(struct regex_store *s, term_id t) {
    return regex_nullable(s, t, 0);
}

/* ab = "" if both are | b+ where a is "" before it | a+ where b is "" behind it | a+ b+ */
static term_id cat_in(struct regex_store *s, const struct ecma_shape *a, const struct ecma_shape *b,
                      int l, int r) {
    if (a->in[l][r] == a->in[l][0] && b->in[l][r] == b->in[0][r])
        return regex_cat(s, a->in[l][r], b->in[l][r]);
    term_id parts[4];
    size_t n = 0;
    if (holds_empty(s, a->in[l][r]) && holds_empty(s, b->in[l][r])) parts[n++] = TERM_EMPTY_STRING;
    if (holds_empty(s, a->in[l][0])) parts[n++] = regex_nonempty(s, b->in[l][r]);
    if (holds_empty(s, b->in[0][r])) parts[n++] = regex_nonempty(s, a->in[l][r]);
    parts[n++] = regex_cat(s, regex_nonempty(s, a->in[l][0]), regex_nonempty(s, b->in[0][r]));
    return regex_or(s, parts, n);
}

struct ecma_shape ecma_cat(struct regex_store *s, struct ecma_shape a, struct ecma_shape b) {
    if (ecma_is_plain(a) && ecma_is_plain(b))
        return ecma_plain(regex_cat(s, a.in[0][0], b.in[0][0]));
    struct ecma_shape c;
    for (int l = 0; l < 2; l++)
        for (int r = 0; r < 2; r++) c.in[l][r] = cat_in(s, &a, &b, l, r);
    return c;
}

/* By the number of rounds that are not empty: none, one, or a first, some between, a last. Empty
 * rounds fill up the minimum wherever "" is possible beside them. */
static term_id repeat_in(struct regex_store *s, const struct ecma_shape *a, uint32_t min,
                         uint32_t max, int l, int r) {
    bool filler = holds_empty(s, a->in[l][0]) || holds_empty(s, a->in[0][r]);
    term_id parts[3];
    size_t n = 0;
    if (min == 0 || holds_empty(s, a->in[l][r])) parts[n++] = TERM_EMPTY_STRING;
    if (max >= 1 && (min <= 1 || filler)) parts[n++] = regex_nonempty(s, a->in[l][r]);
    if (max >= 2) {
        uint32_t least = filler || min < 2 ? 0 : min - 2;
        uint32_t most = max == REGEX_UNBOUNDED ? max : max - 2;
        term_id between = regex_repeat(s, regex_nonempty(s, a->in[0][0]), least, most);
        term_id last = regex_nonempty(s, a->in[0][r]);
        parts[n++] = regex_cat(s, regex_nonempty(s, a->in[l][0]), regex_cat(s, between, last));
    }
    return regex_or(s, parts, n);
}

struct ecma_shape ecma_repeat(struct regex_store *s, struct ecma_shape a, uint32_t min,
                              uint32_t max) {
    if (ecma_is_plain(a)) return ecma_plain(regex_repeat(s, a.in[0][0], min, max));
    struct ecma_shape c;
    for (int l = 0; l < 2; l++)
        for (int r = 0; r < 2; r++) c.in[l][r] = repeat_in(s, &a, min, max, l, r);
    return c;
}

term_id ecma_search(struct regex_store *s, struct ecma_shape a) {
    term_id some = regex_nonempty(s, TERM_ANY), from[2];
    for (int r = 0; r < 2; r++) {
        term_id both[2] = {a.in[1][r], regex_cat(s, some, a.in[0][r])};
        from[r] =
            a.in[1][r] == a.in[0][r] ? regex_cat(s, TERM_ANY, a.in[0][r]) : regex_or(s, both, 2);
    }
    if (from[0] == from[1]) return regex_cat(s, from[0], TERM_ANY);
    term_id both[2] = {from[1], regex_cat(s, from[0], some)};
    return regex_or(s, both, 2);
}
