/* SPDX-License-Identifier: MIT
 *
 * Behind an `e` the mantissa is fixed and the value is x * 10^k. Every atom changes its verdict at
 * one or two exponents: bounds once, a listed value on and off, a multiple once (zeros behind the
 * digits only add the primes 2 and 5). So the verdicts are constant between finitely many k, and
 * an exponent prefix is a union of intervals of k. Exponents past the last change are all alike:
 * huge ones are never computed.
 */
#include "automaton/number_internal.h"

#include <stdlib.h>
#include <string.h>

/* Above every change: constants reach 10^17 digits, texts far fewer. */
#define FAR_EXPONENT INT64_C(200000000000000000)

/* ---- the context ---------------------------------------------------------------------------- */

struct changes {
    ARENA_VEC(int64_t) at;
    bool failed;
};

static void add_change(struct number_store *s, struct changes *c, int64_t k) {
    if (!ARENA_VEC_GROW(&s->scratch, &c->at))
        c->failed = true;
    else
        c->at.data[c->at.count++] = k;
}

/* Order of the digits alone, as 0.d1d2... */
static int compare_mantissas(const struct decimal *x, const struct decimal *y) {
    struct decimal u = *x, v = *y;
    u.exponent = v.exponent = 0;
    return decimal_compare(&u, &v);
}

/* The least k with x * 10^k a multiple of m, if any. */
static bool first_multiple(const struct decimal *x, const struct decimal *m, int64_t *k) {
    int64_t least = (m->exponent - (int64_t)m->n_digits) - (x->exponent - (int64_t)x->n_digits);
    int64_t lo = 0, hi = 4 * (int64_t)m->n_digits;
    struct decimal y = decimal_scale(x, least + hi);
    if (!decimal_is_multiple(&y, m)) return false;
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        y = decimal_scale(x, least + mid);
        if (decimal_is_multiple(&y, m))
            hi = mid;
        else
            lo = mid + 1;
    }
    *k = least + lo;
    return true;
}

static void changes_of_atom(struct number_store *s, const struct set_node *a,
                            const struct decimal *x, struct changes *c) {
    int64_t k;
    int order;
    switch (a->kind) {
    case SET_MULTIPLE:
        if (first_multiple(x, &a->c, &k)) add_change(s, c, k);
        return;
    case SET_VALUES:
        for (uint32_t i = 0; i < a->n; i++) {
            const struct decimal *v = &a->values[i];
            if (v->negative || !v->n_digits || compare_mantissas(x, v)) continue;
            add_change(s, c, v->exponent - x->exponent);
            add_change(s, c, v->exponent - x->exponent + 1);
        }
        return;
    default:
        if (a->c.negative || !a->c.n_digits) return; /* x > 0 */
        order = compare_mantissas(x, &a->c);
        k = a->c.exponent - x->exponent; /* here both have the same power of ten */
        add_change(s, c, order > 0 || (order == 0 && a->kind == SET_AT_LEAST) ? k : k + 1);
    }
}

static int compare_i64(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool find_changes(struct number_store *s, uint32_t tuple, const struct decimal *x,
                         struct changes *c) {
    size_t n;
    const struct tuple *t = &s->tuples.data[tuple];
    uint32_t *atoms = numset_atoms(s, t->sets, t->n, &n);
    if (s->limited) return false;
    for (size_t i = 0; i < n && x->n_digits; i++) {
        if (!number_work(s, 1)) return false;
        changes_of_atom(s, &s->nodes.data[atoms[i]], x, c);
    }
    if (c->failed) s->limited = true;
    if (c->at.count) qsort(c->at.data, c->at.count, sizeof *c->at.data, compare_i64);
    return !s->limited;
}

static uint32_t intern_context(struct number_store *s, const struct exponent_cell *cells,
                               uint32_t n) {
    uint32_t hash = n;
    for (uint32_t i = 0; i < n; i++) {
        hash = fa_hash_mix(hash, (uint32_t)cells[i].start);
        hash = fa_hash_mix(hash, cells[i].end);
    }
    for (struct table_probe p = table_probe(&s->context_table, hash);
         table_next(&s->context_table, &p);) {
        const struct exponent_context *c = &s->contexts.data[p.id];
        bool same = c->n == n;
        for (uint32_t i = 0; same && i < n; i++)
            same = c->cells[i].start == cells[i].start && c->cells[i].end == cells[i].end;
        if (same) return p.id;
    }
    const struct exponent_cell *copy = arena_push_copy(s->arena, cells, n * sizeof *cells);
    if (!copy || !ARENA_VEC_GROW(s->arena, &s->contexts) ||
        !table_add(&s->context_table, hash, s->contexts.count))
        return 0;
    s->contexts.data[s->contexts.count] = (struct exponent_context){copy, n};
    return s->contexts.count++;
}

bool exponent_begin(struct number_store *s, const struct number_key *k, struct number_key *out) {
    struct decimal x = decimal_scale(&k->p, -k->f);
    struct changes c = {.failed = false};
    uint32_t n = 0;
    bool live = false;
    *out = (struct number_key){.phase = PHASE_END};
    if (!find_changes(s, k->rest, &x, &c)) return false;
    struct exponent_cell *cells =
        arena_push_array(&s->scratch, (size_t)c.at.count + 1, sizeof *cells);
    if (!cells) {
        s->limited = true;
        return false;
    }
    for (uint32_t i = 0; i <= c.at.count; i++) {
        int64_t start = i ? c.at.data[i - 1] : INT64_MIN;
        int64_t sample = i ? start : c.at.count ? c.at.data[0] - 1 : 0;
        if (i > 1 && start == c.at.data[i - 2]) continue;
        struct decimal y = decimal_scale(&x, sample);
        uint32_t end = tuple_verdicts(s, k->rest, &y, false);
        if (!number_work(s, 1) || s->arena->failed) return false;
        live |= end != 0;
        if (n && cells[n - 1].end == end) continue;
        cells[n++] = (struct exponent_cell){start, end};
    }
    if (!live || s->limited) return !s->limited;
    out->phase = PHASE_E;
    out->rest = intern_context(s, cells, n);
    return out->rest != 0;
}

/* ---- reading digits ------------------------------------------------------------------------- */

static uint32_t cell_at(const struct exponent_context *c, int64_t k) {
    uint32_t lo = 0, hi = c->n;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (c->cells[mid].start <= k)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* Verdicts for the exponent read; where all longer ones agree, the digits are forgotten. */
static void settle(const struct number_store *s, struct number_key *k) {
    const struct exponent_context *c = &s->contexts.data[k->rest];
    bool negative = k->phase == PHASE_EXPONENT_NEGATIVE;
    uint32_t cell = cell_at(c, negative ? -k->f : k->f);
    uint32_t end = c->cells[cell].end;
    k->end = end;
    if (cell != (negative ? 0 : c->n - 1)) return;
    *k = (struct number_key){.phase = end ? PHASE_EXPONENT_ANY : PHASE_END, .end = end};
}

bool exponent_derive(struct number_store *s, const struct number_key *k, int class,
                     struct number_key *out) {
    bool digit = class < 10;
    *out = (struct number_key){.phase = PHASE_END};
    if (k->phase == PHASE_EXPONENT_ANY) {
        if (digit) *out = *k;
        return true;
    }
    if (!digit) {
        if (k->phase != PHASE_E || (class != CLASS_PLUS && class != CLASS_MINUS)) return true;
        *out = *k;
        out->phase = class == CLASS_PLUS ? PHASE_E_PLUS : PHASE_E_MINUS;
        return true;
    }
    bool negative = k->phase == PHASE_E_MINUS || k->phase == PHASE_EXPONENT_NEGATIVE;
    *out = *k;
    out->phase = negative ? PHASE_EXPONENT_NEGATIVE : PHASE_EXPONENT;
    out->f = k->f * 10 + class;
    settle(s, out);
    return true;
}

/* ---- completing ----------------------------------------------------------------------------- */

/* The least k in [lo, hi], lo >= 0, such that exponent k (or -k) may end. */
static bool first_live(const struct exponent_context *c, bool negative, int64_t lo, int64_t hi,
                       int64_t *k) {
    bool found = false;
    for (uint32_t i = 0; i < c->n; i++) {
        int64_t from = c->cells[i].start, to = i + 1 < c->n ? c->cells[i + 1].start - 1 : INT64_MAX;
        if (!c->cells[i].end) continue;
        if (negative) {
            int64_t t = from;
            from = -to;
            to = t == INT64_MIN ? INT64_MAX : -t;
        }
        if (from < lo) from = lo;
        if (to > hi) to = hi;
        if (from > to || (found && *k <= from)) continue;
        *k = from;
        found = true;
    }
    return found;
}

/* Exponents that begin with the digits read. */
static bool complete_digits(const struct exponent_context *c, const struct number_key *key,
                            bool negative, int64_t *k) {
    if (!key->f) return first_live(c, negative, 0, INT64_MAX, k);
    for (int64_t lo = key->f, hi = key->f;; lo *= 10, hi = hi * 10 + 9) {
        if (first_live(c, negative, lo, hi, k)) return true;
        if (lo > FAR_EXPONENT) return false;
    }
}

static void put_digits(struct number_store *s, struct text *t, int64_t k, int64_t read) {
    int64_t power = 1;
    while (power <= k / 10) power *= 10;
    for (; read && power > 0; read /= 10) power /= 10; /* skip what is written already */
    for (; power > 0; power /= 10) text_put(s, t, (char)('0' + k / power % 10));
}

bool exponent_witness(struct number_store *s, const struct number_key *key, struct text *t) {
    const struct exponent_context *c = &s->contexts.data[key->rest];
    int64_t up = 0, down = 0;
    bool negative = key->phase == PHASE_E_MINUS || key->phase == PHASE_EXPONENT_NEGATIVE;
    if (key->phase == PHASE_EXPONENT || key->phase == PHASE_EXPONENT_NEGATIVE) {
        if (!complete_digits(c, key, negative, &up)) return false;
        if (key->f || up) put_digits(s, t, up, key->f);
        return true;
    }
    bool has_up = !negative && first_live(c, false, 0, INT64_MAX, &up);
    bool has_down = (negative || (key->phase == PHASE_E && s->writable[CLASS_MINUS])) &&
                    first_live(c, true, 0, INT64_MAX, &down);
    if (!has_up && !has_down) return false;
    if (has_up && has_down && down < up) has_up = false;
    if (!has_up && key->phase == PHASE_E) text_put(s, t, '-');
    put_digits(s, t, has_up ? up : down, 0);
    return true;
}
