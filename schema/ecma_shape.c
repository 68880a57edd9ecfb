/* SPDX-License-Identifier: MIT */
#include "schema/ecma_shape.h"

static struct ecma_shape everywhere(look_id x) {
    return (struct ecma_shape){{x, x, x}};
}

static bool is_everywhere(struct ecma_shape a) {
    return a.at[ECMA_START] == a.at[ECMA_INSIDE] && a.at[ECMA_START] == a.at[ECMA_ANY];
}

struct ecma_shape ecma_term(struct regex_store *s, term_id t) {
    return everywhere(look_term(s, t));
}

struct ecma_shape ecma_anchor(struct regex_store *s, bool left) {
    if (!left) return everywhere(look_rest(s, TERM_EMPTY_STRING));
    return (struct ecma_shape){{LOOK_EMPTY, LOOK_NONE, look_behind(s, LOOK_EMPTY, false)}};
}

struct ecma_shape ecma_boundary(struct regex_store *s, term_id word, bool negated) {
    look_id before = look_term(s, regex_cat(s, TERM_ANY, word)), after = look_term(s, word), or [2];
    for (int i = 0; i < 2; i++) /* \b: a word character on one side only */
        or [i] = look_cat(s, look_behind(s, before, i), look_ahead(s, after, (i == 0) != negated));
    look_id inside = look_or(s, or, 2);
    return (struct ecma_shape){{look_ahead(s, after, negated), inside, inside}};
}

/* What follows a match of `a` that began at `place`. */
static look_id tail_at(const struct regex_store *s, look_id a, struct ecma_shape b,
                       enum ecma_place place) {
    if (!look_may_consume(s, a)) return b.at[place];
    return look_may_be_empty(s, a) && place != ECMA_INSIDE ? b.at[ECMA_ANY] : b.at[ECMA_INSIDE];
}

struct ecma_shape ecma_cat(struct regex_store *s, struct ecma_shape a, struct ecma_shape b) {
    if (is_everywhere(a) && is_everywhere(b)) return everywhere(look_cat(s, a.at[0], b.at[0]));
    struct ecma_shape c;
    for (unsigned place = 0; place < ECMA_N_PLACES; place++)
        c.at[place] = look_cat(s, a.at[place], tail_at(s, a.at[place], b, place));
    return c;
}

struct ecma_shape ecma_or(struct regex_store *s, const struct ecma_shape *shapes, size_t n) {
    struct ecma_shape c = everywhere(LOOK_NONE);
    bool same = true;
    look_id *ids = arena_push_array(regex_arena(s), n, sizeof *ids);
    if (!ids) return c;
    for (size_t i = 0; i < n; i++) same = same && is_everywhere(shapes[i]);
    for (unsigned place = 0; place < ECMA_N_PLACES; place++) {
        for (size_t i = 0; i < n; i++) ids[i] = shapes[i].at[place];
        c.at[place] = same && place ? c.at[0] : look_or(s, ids, n);
    }
    return c;
}

/* Where a round consumes something, only the first one begins where the repetition does. */
static look_id repeat_at(struct regex_store *s, struct ecma_shape a, uint32_t min, uint32_t max,
                         enum ecma_place place) {
    if (place == ECMA_INSIDE || max == 0) return look_repeat(s, a.at[place], min, max);
    if (look_may_be_empty(s, a.at[place])) return look_repeat(s, a.at[ECMA_ANY], min, max);
    look_id more = look_repeat(s, a.at[ECMA_INSIDE], min ? min - 1 : 0,
                               max == REGEX_UNBOUNDED ? max : max - 1);
    look_id rounds[2] = {look_cat(s, a.at[place], more), LOOK_EMPTY};
    return look_or(s, rounds, min ? 1 : 2);
}

struct ecma_shape ecma_repeat(struct regex_store *s, struct ecma_shape a, uint32_t min,
                              uint32_t max) {
    if (is_everywhere(a)) return everywhere(look_repeat(s, a.at[0], min, max));
    struct ecma_shape c;
    for (unsigned place = 0; place < ECMA_N_PLACES; place++)
        c.at[place] = repeat_at(s, a, min, max, place);
    return c;
}

struct ecma_shape ecma_ahead(struct regex_store *s, struct ecma_shape a, bool negated) {
    if (is_everywhere(a)) return everywhere(look_ahead(s, a.at[0], negated));
    struct ecma_shape c;
    for (unsigned place = 0; place < ECMA_N_PLACES; place++)
        c.at[place] = look_ahead(s, a.at[place], negated);
    return c;
}

/* What may stand before the end of a match of `a`, the match included. */
static look_id before_and(struct regex_store *s, struct ecma_shape a) {
    look_id any = look_term(s, TERM_ANY), some = look_term(s, regex_nonempty(s, TERM_ANY));
    if (is_everywhere(a)) return look_cat(s, any, a.at[0]);
    look_id both[2] = {a.at[ECMA_START], look_cat(s, some, a.at[ECMA_INSIDE])};
    return look_or(s, both, 2);
}

struct ecma_shape ecma_behind(struct regex_store *s, struct ecma_shape a, bool negated) {
    return everywhere(look_behind(s, before_and(s, a), negated));
}

term_id ecma_search(struct regex_store *s, struct ecma_shape a) {
    return look_language(s, look_cat(s, before_and(s, a), look_term(s, TERM_ANY)));
}

term_id ecma_whole(struct regex_store *s, struct ecma_shape a) {
    return look_language(s, a.at[ECMA_START]);
}
