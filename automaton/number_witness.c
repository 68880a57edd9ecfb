/* SPDX-License-Identifier: MIT
 *
 * Spelling: the bytes that complete a text so far to a given value. Where the key holds a stand-in
 * for the digits read, the bytes are right for the text all the same: equal futures.
 */
#include "automaton/number_internal.h"

#include <string.h>

#define TEXT_MAX    200000
#define PLAIN_SHIFT 20 /* `any`: more zeros than this become an exponent */

void text_put(struct number_store *s, struct text *t, char c) {
    if (t->failed) return;
    if (t->length == t->capacity) {
        size_t capacity = t->capacity ? t->capacity * 2 : 64;
        char *data = capacity <= TEXT_MAX * 2 ? arena_push(&s->scratch, capacity) : NULL;
        if (!data) {
            t->failed = true;
            return;
        }
        if (t->length) memcpy(data, t->data, t->length);
        t->data = data;
        t->capacity = capacity;
    }
    t->data[t->length++] = c;
}

void text_put_u64(struct number_store *s, struct text *t, uint64_t x) {
    char digits[24];
    size_t n = 0;
    do digits[n++] = (char)('0' + x % 10);
    while (x /= 10);
    while (n) text_put(s, t, digits[--n]);
}

/* Digits number from .. to - 1 of y, counted from its first; zeros before and behind. */
static void put_digits(struct number_store *s, struct text *t, const struct decimal *y,
                       int64_t from, int64_t to) {
    if (to - from > TEXT_MAX) t->failed = true;
    for (int64_t i = from; i < to && !t->failed; i++)
        text_put(s, t, i >= 0 && i < (int64_t)y->n_digits ? (char)('0' + y->digits[i]) : '0');
}

static void put_exponent(struct number_store *s, struct text *t, int64_t k) {
    if (!k) return;
    text_put(s, t, (char)s->byte_of[CLASS_E]);
    if (k < 0) text_put(s, t, '-');
    text_put_u64(s, t, k < 0 ? 0 - (uint64_t)k : (uint64_t)k);
}

/* Integer part (beginning with digit `from`) and fraction, no exponent. */
static void spell_plain(struct number_store *s, struct text *t, const struct decimal *y,
                        int64_t from) {
    put_digits(s, t, y, from, y->exponent);
    if ((int64_t)y->n_digits <= y->exponent) return;
    text_put(s, t, '.');
    put_digits(s, t, y, y->exponent > 0 ? y->exponent : 0 + y->exponent, y->n_digits);
}

/* Behind the sign. */
static void spell_all(struct number_store *s, struct text *t, const struct decimal *y) {
    int64_t n = y->n_digits;
    bool point = s->writable[CLASS_POINT];
    bool small = y->exponent >= -PLAIN_SHIFT && y->exponent <= n + PLAIN_SHIFT;
    if (!s->writable[CLASS_E] || (small && (point || y->exponent >= n))) {
        if (y->exponent <= 0) text_put(s, t, '0');
        spell_plain(s, t, y, 0);
        return;
    }
    if (!s->writable[CLASS_MINUS] && y->exponent < n) { /* needs the point */
        if (y->exponent <= 0) text_put(s, t, '0');
        spell_plain(s, t, y, 0);
        return;
    }
    put_digits(s, t, y, 0, n);
    put_exponent(s, t, y->exponent - n);
}

/* `any`, in the integer part. */
static void spell_integer(struct number_store *s, const struct number_key *k, struct text *t,
                          const struct decimal *y) {
    int64_t n = k->p.exponent, shift = y->exponent - (n - k->f);
    int64_t more = (int64_t)y->n_digits > n ? (int64_t)y->n_digits - n : 0;
    bool point = s->writable[CLASS_POINT];
    bool short_form = shift >= 0 && shift <= more + PLAIN_SHIFT && (more <= shift || point);
    if (short_form || !s->writable[CLASS_E] || (!s->writable[CLASS_MINUS] && more > shift)) {
        put_digits(s, t, y, n, n + shift);
        if (more <= shift) return;
        text_put(s, t, '.');
        put_digits(s, t, y, n + shift, n + more);
        return;
    }
    put_digits(s, t, y, n, n + more);
    put_exponent(s, t, shift - more);
}

/* `any`, behind the point, with digits other than zero before. */
static void spell_fraction(struct number_store *s, const struct number_key *k, struct text *t,
                           const struct decimal *y) {
    int64_t n = k->p.exponent;
    int64_t more = (int64_t)y->n_digits > n ? (int64_t)y->n_digits - n : 0;
    if (k->phase == PHASE_POINT && !more) text_put(s, t, '0');
    put_digits(s, t, y, n, n + more);
    put_exponent(s, t, y->exponent - (n - k->f));
}

/* `any`, only zeros so far. */
static void spell_zero(struct number_store *s, const struct number_key *k, struct text *t,
                       const struct decimal *y) {
    if (!y->n_digits) {
        if (k->phase == PHASE_POINT) text_put(s, t, '0');
        return;
    }
    if (k->phase == PHASE_ZERO) text_put(s, t, '.');
    int64_t shift = y->exponent + k->f; /* of the exponent, if the digits follow at once */
    bool zeros = shift <= 0 && (shift >= -PLAIN_SHIFT || !s->writable[CLASS_MINUS]);
    if (zeros || !s->writable[CLASS_E]) {
        put_digits(s, t, y, shift, y->n_digits);
        return;
    }
    put_digits(s, t, y, 0, y->n_digits);
    put_exponent(s, t, shift);
}

static void spell(struct number_store *s, const struct number_key *k, const struct decimal *y,
                  struct text *t) {
    switch (k->phase) {
    case PHASE_START:
    case PHASE_MINUS:
        if (y->n_digits)
            spell_all(s, t, y);
        else
            text_put(s, t, '0');
        return;
    case PHASE_WHOLE: put_digits(s, t, y, k->p.exponent, y->exponent); return;
    case PHASE_ZERO:
    case PHASE_INTEGER:
        if (k->p.n_digits && s->any_form)
            spell_integer(s, k, t, y);
        else if (k->p.n_digits)
            spell_plain(s, t, y, k->p.exponent);
        else
            spell_zero(s, k, t, y);
        return;
    case PHASE_POINT:
    case PHASE_FRACTION:
        if (!s->writable[CLASS_E] && y->n_digits) {
            put_digits(s, t, y, y->exponent + k->f, y->n_digits);
            if (s->any_form && k->phase == PHASE_POINT &&
                y->exponent + k->f >= (int64_t)y->n_digits)
                text_put(s, t, '0');
        } else if (k->p.n_digits) {
            spell_fraction(s, k, t, y);
        } else {
            spell_zero(s, k, t, y);
        }
        return;
    default: t->failed = true;
    }
}

static bool is_whole(const struct text *t) {
    for (size_t i = 0; i < t->length; i++)
        if (t->data[i] == '.' || t->data[i] == 'e' || t->data[i] == 'E') return false;
    return true;
}

void number_spell(struct number_store *s, const struct number_key *k, const struct decimal *y,
                  bool negative, enum spelling spelling, struct text *t) {
    if (k->phase == PHASE_START && negative) text_put(s, t, '-');
    if (spelling == SPELL_WHOLE && y->n_digits)
        put_digits(s, t, y, k->p.exponent, y->exponent);
    else
        spell(s, k, y, t);
    /* Nothing to add: the text has the value, but may not end so, written whole. */
    bool unfinished = !t->length && (k->phase == PHASE_ZERO || k->phase == PHASE_INTEGER);
    if (!unfinished && (spelling != SPELL_NOT_WHOLE || !is_whole(t))) return;
    text_put(s, t, (char)s->byte_of[s->writable[CLASS_POINT] ? CLASS_POINT : CLASS_E]);
    text_put(s, t, '0');
}
