/* SPDX-License-Identifier: MIT
 *
 * From a text so far to what still matters. A key holds the verdicts if the text ends here and,
 * for longer texts, the goals simplified by what all of their values share; of the digits only a
 * canonical stand-in with the same future stays:
 *   - no constants left: nothing;
 *   - bounds: how the digits compare with those of each constant, as the least number that
 *     compares so;
 *   - multiples: the remainder.
 * Whatever has a simple rule is merged; the rest keeps its digits, which is always exact.
 */
#include "automaton/number_internal.h"

#include <string.h>

#define MODULUS_DIGITS_MAX 1000

static const unsigned char one_digit[1] = {1};
static const struct decimal zero = {NULL, 0, false, 0};
static const struct decimal one = {one_digit, 1, false, 1};

static int64_t last_place(const struct decimal *d) {
    return d->exponent - (int64_t)d->n_digits;
}

/* ---- tuples --------------------------------------------------------------------------------- */

uint32_t tuple_intern(struct number_store *s, const numset_id *sets, size_t n) {
    uint32_t hash = fa_hash(sets, n * sizeof *sets);
    if (n > UINT32_MAX) {
        s->arena->failed = true;
        return 0;
    }
    for (struct table_probe p = table_probe(&s->tuple_table, hash);
         table_next(&s->tuple_table, &p);) {
        const struct tuple *t = &s->tuples.data[p.id];
        if (t->n == n && memcmp(t->sets, sets, n * sizeof *sets) == 0) return p.id;
    }
    const numset_id *copy = arena_push_copy(s->arena, sets, n * sizeof *sets);
    if (!copy || !ARENA_VEC_GROW(s->arena, &s->tuples) ||
        !table_add(&s->tuple_table, hash, s->tuples.count))
        return 0;
    s->tuples.data[s->tuples.count] = (struct tuple){copy, (uint32_t)n};
    return s->tuples.count++;
}

static bool tuple_is_written(const struct number_store *s, uint32_t tuple) {
    const struct tuple *t = &s->tuples.data[tuple];
    for (uint32_t i = 0; i < t->n; i++)
        if (numset_is_written(s, t->sets[i])) return true;
    return false;
}

struct tuple_map {
    enum { MAP_VERDICT, MAP_FOLD, MAP_MIRROR, MAP_PART } kind;
    bool whole;                      /* VERDICT, PART */
    const struct decimal *y;         /* VERDICT */
    const struct reach *r, *r_whole; /* FOLD; the second for what asks of texts written whole */
};

static numset_id fold_set(struct number_store *s, numset_id a, const struct tuple_map *map) {
    if (!numset_is_written(s, a)) return numset_fold(s, a, map->r);
    numset_id whole = numset_fold(s, numset_part(s, a, true), map->r_whole);
    return numset_written(s, whole, numset_fold(s, numset_part(s, a, false), map->r));
}

/* Applies one of the maps to every set of a tuple; 0 when goal 0 becomes empty. */
static uint32_t map_tuple(struct number_store *s, uint32_t tuple, const struct tuple_map *map) {
    struct tuple t = s->tuples.data[tuple];
    size_t mark = scratch_mark(s);
    numset_id *sets = arena_push_array(&s->scratch, t.n, sizeof *sets);
    uint32_t id = 0;
    if (!sets) s->limited = true;
    for (uint32_t i = 0; sets && i < t.n; i++) {
        numset_id a = t.sets[i];
        switch (map->kind) {
        case MAP_VERDICT:
            sets[i] = numset_contains(s, numset_part(s, a, map->whole), map->y);
            break;
        case MAP_FOLD: sets[i] = fold_set(s, a, map); break;
        case MAP_MIRROR: sets[i] = numset_mirror(s, a); break;
        case MAP_PART: sets[i] = numset_part(s, a, map->whole); break;
        }
        if (i == 0 && sets[0] == NUMSET_NONE) break;
    }
    if (sets && sets[0] != NUMSET_NONE) id = tuple_intern(s, sets, t.n);
    scratch_release(s, mark);
    return id;
}

uint32_t tuple_verdicts(struct number_store *s, uint32_t tuple, const struct decimal *y,
                        bool whole) {
    return map_tuple(s, tuple, &(struct tuple_map){.kind = MAP_VERDICT, .y = y, .whole = whole});
}

static uint32_t tuple_part(struct number_store *s, uint32_t tuple, bool whole) {
    return map_tuple(s, tuple, &(struct tuple_map){.kind = MAP_PART, .whole = whole});
}

/* ---- ranges --------------------------------------------------------------------------------- */

static struct decimal value_of(const struct number_key *k) {
    return decimal_scale(&k->p, -k->f);
}

static struct reach from_zero(bool zero_out, bool dense) {
    return (struct reach){.hi_infinite = true, .lo_out = zero_out, .dense = dense};
}

/* [x, x + 10^-f) */
static struct reach behind_point(struct number_store *s, const struct number_key *k, bool x_out) {
    struct reach r = {.dense = true, .lo_out = x_out, .lo = value_of(k)};
    struct decimal unit = decimal_scale(&one, -k->f);
    if (!decimal_add(&s->scratch, &r.lo, &unit, &r.hi)) s->limited = true;
    return r;
}

static struct reach leading(struct number_store *s, const struct number_key *k, bool any_scale,
                            bool dense) {
    struct reach r = {.prefix = true, .dense = dense, .p = k->p};
    r.j_min = any_scale ? INT64_MIN : -k->f;
    r.j_max = INT64_MAX;
    if (!decimal_add(&s->scratch, &k->p, &one, &r.p_above)) s->limited = true;
    return r;
}

static struct reach reach_from_zero_digit(const struct number_store *s) {
    bool point = s->writable[CLASS_POINT], exponent = s->writable[CLASS_E];
    if (point && exponent) return from_zero(false, true);
    if (!point && !exponent) return (struct reach){.empty = true};
    return (struct reach){.dense = point, .lo_out = !s->any_form, .hi = one};
}

struct reach number_reach(struct number_store *s, const struct number_key *k) {
    bool point = s->writable[CLASS_POINT], exponent = s->writable[CLASS_E];
    bool any_scale = exponent && s->writable[CLASS_MINUS];
    switch (k->phase) {
    case PHASE_START:
    case PHASE_MINUS: return from_zero(!s->any_form, number_dense(s));
    case PHASE_ZERO: return reach_from_zero_digit(s);
    case PHASE_INTEGER: {
        struct reach r = leading(s, k, any_scale, point || any_scale);
        r.lo_out = !s->any_form || (!point && !exponent);
        return r;
    }
    case PHASE_WHOLE: return number_reach_whole(s, k);
    case PHASE_POINT:
    case PHASE_FRACTION:
        if (!exponent) return behind_point(s, k, !s->any_form);
        if (!k->p.n_digits) return from_zero(false, true);
        return leading(s, k, any_scale, true);
    default: return (struct reach){.empty = true};
    }
}

struct reach number_reach_whole(struct number_store *s, const struct number_key *k) {
    if (k->phase == PHASE_START || k->phase == PHASE_MINUS) return from_zero(!s->any_form, false);
    struct reach r = leading(s, k, false, false);
    r.j_min = 1;
    return r;
}

/* ---- canonical digits ----------------------------------------------------------------------- */

struct constants {
    const struct decimal **cuts; /* of bounds and values, all > 0 */
    size_t n_cuts;
    const struct decimal **multiples;
    size_t n_multiples;
};

static bool collect(struct number_store *s, uint32_t tuple, struct constants *c) {
    size_t n, total = 0;
    const struct tuple *t = &s->tuples.data[tuple];
    uint32_t *atoms = numset_atoms(s, t->sets, t->n, &n);
    memset(c, 0, sizeof *c);
    for (size_t i = 0; i < n; i++) total += s->nodes.data[atoms[i]].n + 1;
    c->cuts = arena_push_array(&s->scratch, total, sizeof(struct decimal *));
    c->multiples = arena_push_array(&s->scratch, n, sizeof(struct decimal *));
    if (s->limited || !c->cuts || !c->multiples) {
        s->limited = true;
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const struct set_node *k = &s->nodes.data[atoms[i]];
        if (k->kind == SET_MULTIPLE)
            c->multiples[c->n_multiples++] = &k->c;
        else if (k->kind != SET_VALUES)
            c->cuts[c->n_cuts++] = &k->c;
        else
            for (uint32_t j = 0; j < k->n; j++) c->cuts[c->n_cuts++] = &k->values[j];
    }
    return number_work(s, 1 + total / NUMSET_LOOKS_A_STEP);
}

/* lcm(1, multiples); false when it is too long to be worth it. */
static bool modulus(struct number_store *s, const struct constants *c, struct decimal *m) {
    *m = one;
    for (size_t i = 0; i < c->n_multiples; i++) {
        struct decimal before = *m;
        if (!decimal_lcm(&s->scratch, &before, c->multiples[i], m) ||
            m->n_digits > MODULUS_DIGITS_MAX || m->exponent > 4 * MODULUS_DIGITS_MAX)
            return false;
    }
    return true;
}

/* The first n digits of c, as an integer (zeros behind its own digits). */
static struct decimal first_digits(const struct decimal *c, int64_t n) {
    struct decimal d = *c;
    d.exponent = n;
    if ((int64_t)d.n_digits > n) d.n_digits = (uint32_t)n;
    while (d.n_digits && !d.digits[d.n_digits - 1]) d.n_digits--;
    return d;
}

/* Largest beginning (of p's length) of a constant below p, and least one above; NULL-like zero
 * digits when there is none. False when p itself is the beginning of one. */
static bool neighbours(const struct constants *c, const struct decimal *p,
                       const struct decimal **below, const struct decimal **above) {
    struct decimal best_below = zero, best_above = zero;
    *below = *above = NULL;
    for (size_t i = 0; i < c->n_cuts; i++) {
        if (!c->cuts[i]->n_digits || c->cuts[i]->negative) continue;
        struct decimal d = first_digits(c->cuts[i], p->exponent);
        struct decimal mantissa = *c->cuts[i];
        mantissa.exponent = 0;
        int order = decimal_compare(&d, p);
        if (order == 0) return false;
        if (order < 0 && (!*below || decimal_compare(&mantissa, &best_below) > 0)) {
            best_below = mantissa;
            *below = c->cuts[i];
        }
        if (order > 0 && (!*above || decimal_compare(&mantissa, &best_above) < 0)) {
            best_above = mantissa;
            *above = c->cuts[i];
        }
    }
    return true;
}

/* Integer part of a text written whole: the least integer of the same length (when it matters) between the same
 * beginnings with the same remainder. */
static void reduce_integer(struct number_store *s, const struct constants *c,
                           struct number_key *k) {
    const struct decimal *below, *above;
    struct decimal least = one, m, offset, remainder, minus;
    if (!neighbours(c, &k->p, &below, &above) || !modulus(s, c, &m)) return;
    if (c->n_cuts) least = decimal_scale(&one, k->p.exponent - 1);
    if (below) {
        struct decimal d = first_digits(below, k->p.exponent);
        if (!decimal_add(&s->scratch, &d, &one, &least)) return;
    }
    minus = decimal_negate(&least);
    if (decimal_add(&s->scratch, &k->p, &minus, &offset) &&
        decimal_remainder(&s->scratch, &offset, &m, &remainder) &&
        decimal_add(&s->scratch, &least, &remainder, &offset))
        k->p = offset;
}

/* `plain`, behind the point, no bounds left: the integer part by its remainder. */
static void reduce_fraction(struct number_store *s, const struct constants *c,
                            struct number_key *k) {
    struct decimal m, remainder;
    if (c->n_cuts || !modulus(s, c, &m)) return;
    m = decimal_scale(&m, k->f);
    if (decimal_remainder(&s->scratch, &k->p, &m, &remainder)) k->p = remainder;
}

/* `any`, bounds only: the leading digits count by where they lie between the mantissas of the
 * constants, and the power of ten of the first digit. */
static void reduce_leading(struct number_store *s, const struct constants *c,
                           struct number_key *k) {
    const struct decimal *below, *above;
    if (!neighbours(c, &k->p, &below, &above)) return;
    size_t n = below ? below->n_digits : 0, room = n + 2 + (above ? above->n_digits : 0);
    unsigned char *digits = arena_push(&s->scratch, room);
    if (!digits) return;
    if (n) memcpy(digits, below->digits, n);
    /* below 0..0 1, with the fewest zeros such that all that begins so lies under `above`; with
     * nothing below: 1 0..0 */
    struct decimal p = zero;
    for (size_t length = n + 1; length <= room; length++) {
        memset(digits + n, 0, length - n);
        digits[n ? length - 1 : 0] = 1;
        struct decimal candidate = {digits, (uint32_t)(n ? length : 1), false, (int64_t)length};
        struct decimal over;
        if (!decimal_add(&s->scratch, &candidate, &one, &over)) return;
        if (over.exponent > candidate.exponent && above) continue;
        p = candidate;
        if (!above) break;
        struct decimal scaled = *above;
        scaled.exponent = candidate.exponent;
        if (decimal_compare(&over, &scaled) <= 0) break;
        p = zero;
    }
    if (!p.n_digits) return;
    k->f = p.exponent - (k->p.exponent - k->f);
    k->p = p;
}

/* Largest u >= 0 with a * 10^u dividing p, or -1. */
static int64_t times_ten(const struct decimal *p, const struct decimal *a) {
    if (!decimal_is_multiple(p, a)) return -1;
    for (int64_t u = last_place(p); u > 0; u--) {
        struct decimal m = decimal_scale(a, u);
        if (decimal_is_multiple(p, &m)) return u;
    }
    return 0;
}

/* `any`, multiples only: an exponent may bring trailing zeros back, so p counts by its remainder
 * and by how many tens it holds beyond each divisor. */
static void reduce_multiples(struct number_store *s, const struct constants *c,
                             struct number_key *k) {
    struct decimal all = one, m, remainder;
    int64_t most = -1;
    bool single = true;
    for (size_t i = 0; i < c->n_multiples; i++) {
        struct decimal a = decimal_scale(c->multiples[i], -last_place(c->multiples[i]));
        struct decimal before = all;
        if (i && decimal_compare(&a, &all)) single = false;
        if (!decimal_lcm(&s->scratch, &before, &a, &all) || all.n_digits > MODULUS_DIGITS_MAX)
            return;
        int64_t u = times_ten(&k->p, &a);
        if (u > most) most = u;
    }
    if (single && most >= 0) {
        k->p = decimal_scale(&all, most);
        return;
    }
    m = decimal_scale(&all, single ? 0 : most + 1);
    if (decimal_remainder(&s->scratch, &k->p, &m, &remainder)) k->p = remainder;
}

/* Without constants any digits do. */
static void forget_digits(const struct number_store *s, struct number_key *k) {
    bool behind = k->phase == PHASE_POINT || k->phase == PHASE_FRACTION;
    if (k->phase == PHASE_ZERO) return;
    k->p = behind && !s->writable[CLASS_E] ? zero : one;
    k->f = k->phase == PHASE_FRACTION ? 1 : 0;
}

static void canonicalise(struct number_store *s, struct number_key *k) {
    struct constants c;
    if (k->phase == PHASE_START || k->phase == PHASE_MINUS || !collect(s, k->rest, &c)) return;
    if (!c.n_cuts && !c.n_multiples) {
        forget_digits(s, k);
    } else if (k->phase == PHASE_WHOLE) {
        reduce_integer(s, &c, k);
    } else if (tuple_is_written(s, k->rest)) {
        return; /* texts of both sorts are to come: the digits stay */
    } else if (!s->writable[CLASS_E]) {
        if (s->any_form || k->phase == PHASE_ZERO) return;
        if (k->phase == PHASE_INTEGER)
            reduce_integer(s, &c, k);
        else
            reduce_fraction(s, &c, k);
    } else if (k->p.n_digits && s->writable[CLASS_MINUS]) {
        if (!c.n_multiples)
            reduce_leading(s, &c, k);
        else if (!c.n_cuts)
            reduce_multiples(s, &c, k);
    }
}

/* ---- one more byte -------------------------------------------------------------------------- */

static bool is_whole(const struct number_key *k) {
    return k->phase == PHASE_ZERO || k->phase == PHASE_INTEGER || k->phase == PHASE_WHOLE;
}

/* What longer texts must meet. Where only those written whole can, the phase says so. */
static uint32_t rest_of(struct number_store *s, struct number_key *k, uint32_t tuple,
                        const struct reach *r) {
    struct tuple_map fold = {.kind = MAP_FOLD, .r = r};
    if (!tuple_is_written(s, tuple)) return map_tuple(s, tuple, &fold);
    if (k->phase != PHASE_MINUS && k->phase != PHASE_INTEGER) {
        tuple = tuple_part(s, tuple, false);
        return tuple ? map_tuple(s, tuple, &fold) : 0;
    }
    struct reach whole = number_reach_whole(s, k);
    fold.r_whole = &whole;
    tuple = s->limited ? 0 : map_tuple(s, tuple, &fold);
    if (!tuple || k->phase == PHASE_MINUS ||
        numset_part(s, s->tuples.data[tuple].sets[0], false) != NUMSET_NONE)
        return tuple;
    k->phase = PHASE_WHOLE;
    return tuple_part(s, tuple, true);
}

/* Completes a key whose goals are those of the shorter text. */
static bool settle(struct number_store *s, struct number_key *k, uint32_t tuple, bool may_end) {
    struct decimal y = value_of(k);
    k->end = may_end ? tuple_verdicts(s, tuple, &y, is_whole(k)) : 0;
    struct reach r = number_reach(s, k);
    k->rest = r.empty || s->limited ? 0 : rest_of(s, k, tuple, &r);
    if (s->limited || s->arena->failed) return false;
    if (k->rest)
        canonicalise(s, k);
    else
        *k = (struct number_key){.phase = PHASE_END, .end = k->end};
    return !s->limited && !s->arena->failed;
}

static bool append_digit(struct number_store *s, const struct decimal *p, int digit,
                         struct decimal *out) {
    *out = decimal_scale(p, 1);
    if (!digit) return true;
    size_t n = p->n_digits ? (size_t)p->exponent + 1 : 1;
    if (n > DECIMAL_MAX_DIGITS || !number_work(s, n / 64)) {
        s->limited = true;
        return false;
    }
    unsigned char *digits = arena_push(&s->scratch, n);
    if (!digits) {
        s->limited = true;
        return false;
    }
    memset(digits, 0, n);
    if (p->n_digits) memcpy(digits, p->digits, p->n_digits);
    digits[n - 1] = (unsigned char)digit;
    *out = (struct decimal){digits, (uint32_t)n, false, (int64_t)n};
    return true;
}

static bool derive_digit(struct number_store *s, const struct number_key *k, int digit,
                         struct number_key *out) {
    *out = (struct number_key){.phase = k->phase, .f = k->f};
    bool may_end = true;
    switch (k->phase) {
    case PHASE_START:
    case PHASE_MINUS:
        out->phase = digit ? PHASE_INTEGER : PHASE_ZERO;
        may_end = digit || k->phase == PHASE_START || s->any_form; /* plain has no -0 */
        break;
    case PHASE_INTEGER:
    case PHASE_WHOLE: break;
    case PHASE_POINT:
    case PHASE_FRACTION:
        out->phase = PHASE_FRACTION;
        out->f++;
        may_end = digit || s->any_form;
        break;
    default: *out = (struct number_key){.phase = PHASE_END}; return true;
    }
    return append_digit(s, &k->p, digit, &out->p) && settle(s, out, k->rest, may_end);
}

bool number_derive(struct number_store *s, const struct number_key *k, int class,
                   struct number_key *out) {
    *out = (struct number_key){.phase = PHASE_END};
    if (!s->writable[class]) return true;
    if (k->phase >= PHASE_E) return exponent_derive(s, k, class, out);
    if (!k->rest) return true;
    bool breakable = k->phase == PHASE_ZERO || k->phase == PHASE_INTEGER;
    switch (class) {
    case CLASS_MINUS: {
        if (k->phase != PHASE_START) return true;
        uint32_t tuple = map_tuple(s, k->rest, &(struct tuple_map){.kind = MAP_MIRROR});
        if (!tuple) return !s->limited && !s->arena->failed;
        out->phase = PHASE_MINUS;
        return settle(s, out, tuple, false);
    }
    case CLASS_PLUS: return true;
    case CLASS_POINT:
        if (!breakable) return true;
        *out = *k;
        out->phase = PHASE_POINT;
        return settle(s, out, k->rest, false);
    case CLASS_E: {
        if (!breakable && k->phase != PHASE_FRACTION) return true;
        struct number_key mantissa = *k;
        mantissa.rest = tuple_part(s, k->rest, false);
        if (!mantissa.rest) return !s->limited && !s->arena->failed;
        return exponent_begin(s, &mantissa, out);
    }
    default: return derive_digit(s, k, class, out);
    }
}
