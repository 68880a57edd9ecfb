/* SPDX-License-Identifier: MIT
 *
 * Is there a completion, and which byte begins one? A state is (term, code points read, place in
 * a character). Its measure is the number of code points still to begin on the way known to an
 * end; the witness follows the measure downwards, continuation bytes keep it, so it ends. (Where a
 * bound has been reached the measure may jump up, once for each bound.)
 *
 * Lengths: in each segment between the bounds of the length leaves the term is free of them, so
 * the question becomes "a string whose length lies in [lo, hi)", answered by regex_search.c.
 * Places: what the writer allows inside a character and what the term allows are stepped
 * together, at most three bytes deep.
 */
#include "automaton/regex_internal.h"

/* A number of code points with which t can be completed, and the term (without length leaves) of
 * the segment where that ends. */
static enum regex_answer measure(struct regex_store *s, term_id t, uint64_t k, uint64_t *work,
                                 uint64_t limit, uint64_t *length, term_id *segment) {
    *segment = t;
    if (!term_get(s, t)->has_length) return term_reach(s, t, work, limit, length);
    const struct term_lengths *l = term_lengths(s, t);
    if (!l) return REGEX_LIMIT;
    enum regex_answer answer = REGEX_NO;
    *length = TERM_NO_LENGTH;
    uint32_t i = 0;
    while (i < l->n && l->at[i] <= k) i++;
    for (; i <= l->n; i++) {
        uint64_t lo = i && l->at[i - 1] > k ? l->at[i - 1] - k : 0;
        uint64_t hi = i < l->n ? l->at[i] - k : UINT64_MAX, found;
        if (lo >= *length) break; /* nothing shorter can come */
        term_id decided = term_at_length(s, t, saturating_add(k, lo));
        if (term_get(s, decided)->min >= hi) continue;
        enum regex_answer a = lo ? REGEX_LIMIT : term_reach(s, decided, work, limit, &found);
        if (lo || (a == REGEX_YES && found >= hi))
            a = term_least_length(s, decided, lo, work, limit, &found);
        const struct term *x = term_get(s, decided);
        bool vague = a == REGEX_YES && found >= hi && x->is_wide && !x->contiguous;
        if (a == REGEX_LIMIT || vague) {
            if (answer == REGEX_NO) answer = REGEX_LIMIT;
        } else if (a == REGEX_YES && found < hi && found < *length) {
            answer = REGEX_YES;
            *length = found;
            *segment = decided;
        }
    }
    return s->arena->failed ? REGEX_LIMIT : answer;
}

/* The same for the least number there is, lo at least; past the limit something below it. */
static uint64_t least_from(struct regex_store *s, term_id t, uint64_t lo, uint64_t *work,
                           uint64_t limit) {
    const struct term *x = term_get(s, t);
    uint64_t found, sure = x->min > lo ? x->min : lo;
    if (x->is_wide) return sure;
    enum regex_answer a = lo ? term_least_length(s, t, lo, work, limit, &found)
                             : term_shortest(s, t, work, limit, &found);
    return a == REGEX_YES ? found : a == REGEX_NO ? UINT64_MAX : sure;
}

uint64_t regex_at_least(struct regex_store *s, term_id t, uint64_t k, uint64_t *work,
                        uint64_t limit) {
    if (t == TERM_NONE) return UINT64_MAX;
    if (!term_get(s, t)->has_length) return least_from(s, t, 0, work, limit);
    const struct term_lengths *l = term_lengths(s, t);
    uint64_t least = UINT64_MAX;
    uint32_t i = 0;
    if (!l) return 0;
    while (i < l->n && l->at[i] <= k) i++;
    for (; i <= l->n; i++) {
        uint64_t lo = i && l->at[i - 1] > k ? l->at[i - 1] - k : 0;
        uint64_t hi = i < l->n ? l->at[i] - k : UINT64_MAX;
        if (lo >= least) break;
        uint64_t found =
            least_from(s, term_at_length(s, t, saturating_add(k, lo)), lo, work, limit);
        if (found < hi && found < least) least = found;
    }
    return s->arena->failed ? 0 : least;
}

static enum regex_answer measure_inside(struct regex_store *s, term_id t, uint64_t k, partial_id p,
                                        uint64_t *work, uint64_t limit, struct pair_result *out);

static const struct pair_result *find_pair(struct regex_store *s, term_id t, partial_id p) {
    uint32_t hash = fa_hash_mix(t, p);
    for (struct table_probe q = table_probe(&s->partial_table, hash);
         table_next(&s->partial_table, &q);) {
        const struct pair_result *r = &s->partials.data[q.id];
        if (r->a == t && r->b == p) return r;
    }
    return NULL;
}

static void keep_pair(struct regex_store *s, const struct pair_result *r) {
    if (ARENA_VEC_GROW(s->arena, &s->partials) &&
        table_add(&s->partial_table, fa_hash_mix(r->a, r->b), s->partials.count))
        s->partials.data[s->partials.count++] = *r;
}

/* One continuation byte further. */
static enum regex_answer measure_step(struct regex_store *s, term_id d, uint64_t k, partial_id p,
                                      uint64_t *work, uint64_t limit, uint64_t *length) {
    if (p == PARTIAL_BOUNDARY) {
        term_id segment;
        return measure(s, d, k, work, limit, length, &segment);
    }
    struct pair_result r;
    enum regex_answer a = measure_inside(s, d, k, p, work, limit, &r);
    *length = r.value;
    return a;
}

/* The least of the measures over the bytes that both the place and the term allow; the first of a
 * wide term. Three deep. */
static enum regex_answer measure_inside(struct regex_store *s, term_id t, uint64_t k, partial_id p,
                                        uint64_t *work, uint64_t limit, struct pair_result *out) {
    bool keep = !term_get(s, t)->has_length;
    const struct pair_result *old = keep ? find_pair(s, t, p) : NULL;
    if (old) {
        *out = *old;
        return out->answer;
    }
    struct pair_result best = {t, p, 0, REGEX_NO, TERM_NO_LENGTH};
    bool wide = term_get(s, t)->is_wide; /* any way will do: each byte makes new states */
    term_id last_term = TERM_NONE;
    partial_id last_place = PARTIAL_DEAD;
    for (unsigned b = 0x80; b <= 0xBF; b++) {
        partial_id q = charset_step(&s->sets, p, (unsigned char)b);
        term_id d = q == PARTIAL_DEAD ? TERM_NONE : regex_derive(s, t, (unsigned char)b);
        if (d == TERM_NONE || (d == last_term && q == last_place)) continue;
        last_term = d;
        last_place = q;
        uint64_t length;
        enum regex_answer a = measure_step(s, d, k, q, work, limit, &length);
        if (a == REGEX_LIMIT && best.answer == REGEX_NO) best.answer = REGEX_LIMIT;
        if (a != REGEX_YES || (best.answer == REGEX_YES && length >= best.value)) continue;
        best.answer = REGEX_YES;
        best.value = length;
        best.byte = b;
        if (wide) break;
    }
    if (s->arena->failed) best.answer = REGEX_LIMIT;
    if (keep && best.answer != REGEX_LIMIT) keep_pair(s, &best);
    *out = best;
    return best.answer;
}

enum regex_answer regex_alive(struct regex_store *s, term_id t, uint64_t k, partial_id p,
                              uint64_t *work, uint64_t limit) {
    if (s->arena->failed) return REGEX_LIMIT;
    if (t == TERM_NONE || p == PARTIAL_DEAD) return REGEX_NO;
    uint64_t length;
    if (p == PARTIAL_BOUNDARY) {
        term_id segment;
        return measure(s, t, k, work, limit, &length, &segment);
    }
    struct pair_result r;
    return measure_inside(s, t, k, p, work, limit, &r);
}

/* A byte after which exactly `length` code points (that of this byte included) lead to the end. */
static int byte_towards(struct regex_store *s, term_id t, uint64_t length, uint64_t *work) {
    const struct partition *p = term_partition(s, t);
    uint64_t rest = length - !term_is_inside(term_get(s, t));
    for (uint32_t c = 0; p && c < p->n; c++) {
        uint64_t found;
        term_id d = regex_derive(s, t, p->best[c]);
        if (d == TERM_NONE) continue;
        if (term_least_length(s, d, rest, work, TERM_INNER_LIMIT, &found) == REGEX_YES &&
            found == rest)
            return p->best[c];
    }
    return -1;
}

int regex_witness_byte(struct regex_store *s, term_id t, uint64_t k, partial_id p) {
    uint64_t work = 0, length, known;
    if (s->arena->failed || t == TERM_NONE || p == PARTIAL_DEAD) return -1;
    if (p != PARTIAL_BOUNDARY) {
        struct pair_result r;
        enum regex_answer a = measure_inside(s, t, k, p, &work, TERM_INNER_LIMIT, &r);
        return a == REGEX_YES ? (int)r.byte : -1;
    }
    term_id segment;
    if (measure(s, t, k, &work, TERM_INNER_LIMIT, &length, &segment) != REGEX_YES) return -1;
    if (term_reach(s, segment, &work, TERM_INNER_LIMIT, &known) != REGEX_YES || known != length)
        return byte_towards(s, segment, length, &work);
    int byte = term_known_byte(s, segment);
    if (byte >= 0 && segment != t) {
        /* the segment's residual and the residual's segment are one language, perhaps two terms */
        term_id next = regex_derive(s, t, (unsigned char)byte);
        next = term_living(s, term_at_length(s, next, saturating_add(k, length)));
        term_carry(s, regex_derive(s, segment, (unsigned char)byte), next);
    }
    return byte;
}

/* ---- how much is still needed ---------------------------------------------------------------- */

enum regex_answer regex_need(struct regex_store *s, term_id t, partial_id p, uint64_t least,
                             uint64_t *work, uint64_t limit, uint64_t *need) {
    if (t == TERM_NONE || p == PARTIAL_DEAD) return REGEX_NO;
    if (p == PARTIAL_BOUNDARY) return term_least_length(s, t, least, work, limit, need);
    enum regex_answer answer = REGEX_NO;
    term_id last_term = TERM_NONE;
    partial_id last_place = PARTIAL_DEAD;
    for (unsigned b = 0x80; b <= 0xBF; b++) {
        partial_id q = charset_step(&s->sets, p, (unsigned char)b);
        term_id d = q == PARTIAL_DEAD ? TERM_NONE : regex_derive(s, t, (unsigned char)b);
        if (d == TERM_NONE || (d == last_term && q == last_place)) continue;
        last_term = d;
        last_place = q;
        uint64_t found;
        enum regex_answer a = regex_need(s, d, q, least, work, limit, &found);
        if (a == REGEX_LIMIT) return a;
        if (a != REGEX_YES || (answer == REGEX_YES && found >= *need)) continue;
        answer = a;
        *need = found;
        if (found == least) break;
    }
    return s->arena->failed ? REGEX_LIMIT : answer;
}
