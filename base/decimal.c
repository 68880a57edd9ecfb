/* SPDX-License-Identifier: MIT
 *
 * Arithmetic goes through base/nat.h on both numbers shifted to a common last place. Where the
 * shift could be long, 10^s stands for all of 10^s, 10^(s+1), ...: a divisor of n digits holds
 * the primes 2 and 5 fewer than 4n times each, so more zeros than that change no divisibility.
 */
#include "base/decimal.h"

#include <string.h>

#include "base/hash.h"
#include "base/nat.h"

__extension__ typedef unsigned __int128 u128;

#define MAX_EXPONENT INT64_C(100000000000000000) /* 10^17 */
#define MAX_LIMBS    (DECIMAL_MAX_DIGITS / NAT_DIGITS + 2)

/* ---- reading and printing ------------------------------------------------------------------- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

struct scan {
    const char *text;
    size_t length, at;
};

static char peek(const struct scan *s) {
    return s->at < s->length ? s->text[s->at] : '\0';
}

/* Skips digits; how many. */
static size_t skip_digits(struct scan *s) {
    size_t from = s->at;
    while (is_digit(peek(s))) s->at++;
    return s->at - from;
}

/* The part behind `e`. False on a syntax error; a value out of range is cut short, still out of
 * range. */
static bool scan_exponent(struct scan *s, int64_t *out) {
    const int64_t cut = INT64_C(400000000000000000);
    bool negative = peek(s) == '-';
    int64_t e = 0;
    if (negative || peek(s) == '+') s->at++;
    size_t from = s->at;
    if (!skip_digits(s)) return false;
    for (size_t i = from; i < s->at; i++) {
        if (e >= cut) continue;
        e = e * 10 + (s->text[i] - '0');
    }
    *out = negative ? -e : e;
    return true;
}

enum decimal_status decimal_parse(struct arena *a, const char *text, size_t length,
                                  struct decimal *out) {
    struct scan s = {text, length, 0};
    int64_t exponent = 0;
    struct decimal d = {NULL, 0, false, 0};
    d.negative = peek(&s) == '-';
    if (d.negative) s.at++;
    size_t start = s.at, whole = skip_digits(&s), fraction = 0;
    if (!whole || (whole > 1 && text[start] == '0')) return DECIMAL_SYNTAX;
    if (peek(&s) == '.') {
        s.at++;
        fraction = skip_digits(&s);
        if (!fraction) return DECIMAL_SYNTAX;
    }
    size_t end = s.at;
    if (peek(&s) == 'e' || peek(&s) == 'E') {
        s.at++;
        if (!scan_exponent(&s, &exponent)) return DECIMAL_SYNTAX;
    }
    if (s.at != length) return DECIMAL_SYNTAX;

    /* The significant digits lie in text[first, last); the point among them is skipped. */
    size_t first = start, last = end;
    while (first < end && !(text[first] >= '1' && text[first] <= '9')) first++;
    while (last > first && !(text[last - 1] >= '1' && text[last - 1] <= '9')) last--;
    if (first == last) {
        *out = (struct decimal){NULL, 0, false, 0};
        return DECIMAL_OK;
    }
    size_t point = start + whole;
    size_t n = last - first - (first < point && last > point ? 1 : 0);
    if (n > DECIMAL_MAX_DIGITS || exponent > MAX_EXPONENT || exponent < -MAX_EXPONENT)
        return DECIMAL_TOO_LONG;
    unsigned char *digits = arena_push(a, n);
    if (!digits) return DECIMAL_NO_MEMORY;
    for (size_t i = first, k = 0; i < last; i++)
        if (is_digit(text[i])) digits[k++] = (unsigned char)(text[i] - '0');
    d.digits = digits;
    d.n_digits = (uint32_t)n;
    d.exponent =
        exponent + (first < point ? (int64_t)(point - first) : -(int64_t)(first - point - 1));
    *out = d;
    return DECIMAL_OK;
}

struct writer {
    char *out;
    size_t capacity, length;
};

static void put(struct writer *w, char c) {
    if (w->length + 1 < w->capacity) w->out[w->length] = c;
    w->length++;
}

static void put_i64(struct writer *w, int64_t x) {
    char buffer[24];
    size_t n = 0;
    uint64_t u = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    if (x < 0) put(w, '-');
    do buffer[n++] = (char)('0' + u % 10);
    while (u /= 10);
    while (n) put(w, buffer[--n]);
}

/* Bytes of the text without exponent. */
static uint64_t plain_length(const struct decimal *d) {
    uint64_t n = d->n_digits, sign = d->negative;
    if (!n) return 1;
    if (d->exponent <= 0) return sign + 2 + (uint64_t)-d->exponent + n;
    if ((uint64_t)d->exponent >= n) return sign + (uint64_t)d->exponent;
    return sign + n + 1;
}

size_t decimal_print(const struct decimal *d, char *out, size_t capacity) {
    struct writer w = {out, capacity, 0};
    bool plain = plain_length(d) < capacity;
    if (d->negative) put(&w, '-');
    if (!d->n_digits) {
        put(&w, '0');
    } else if (plain) {
        int64_t places = d->exponent > (int64_t)d->n_digits ? d->exponent : (int64_t)d->n_digits;
        if (d->exponent <= 0) {
            put(&w, '0');
            put(&w, '.');
            for (int64_t i = d->exponent; i < 0; i++) put(&w, '0');
        }
        for (int64_t i = 0; i < places; i++) {
            if (i && i == d->exponent) put(&w, '.');
            put(&w, i < (int64_t)d->n_digits ? (char)('0' + d->digits[i]) : '0');
        }
    } else {
        for (uint32_t i = 0; i < d->n_digits; i++) {
            if (i == 1) put(&w, '.');
            put(&w, (char)('0' + d->digits[i]));
        }
        put(&w, 'e');
        put_i64(&w, d->exponent - 1);
    }
    if (capacity) out[w.length < capacity ? w.length : capacity - 1] = '\0';
    return w.length;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static int compare_magnitude(const struct decimal *a, const struct decimal *b) {
    if (a->exponent != b->exponent) return a->exponent < b->exponent ? -1 : 1;
    uint32_t n = a->n_digits < b->n_digits ? a->n_digits : b->n_digits;
    int c = memcmp(a->digits, b->digits, n);
    if (c) return c < 0 ? -1 : 1;
    return (a->n_digits > b->n_digits) - (a->n_digits < b->n_digits);
}

int decimal_compare(const struct decimal *a, const struct decimal *b) {
    int sign_a = a->n_digits ? (a->negative ? -1 : 1) : 0;
    int sign_b = b->n_digits ? (b->negative ? -1 : 1) : 0;
    if (sign_a != sign_b) return sign_a < sign_b ? -1 : 1;
    if (!sign_a) return 0;
    int c = compare_magnitude(a, b);
    return a->negative ? -c : c;
}

bool decimal_is_integer(const struct decimal *d) {
    return d->exponent >= (int64_t)d->n_digits;
}

uint32_t decimal_hash(const struct decimal *d) {
    uint32_t h = fa_hash(d->digits, d->n_digits);
    h = fa_hash_mix(h, (uint32_t)((uint64_t)d->exponent >> 32));
    h = fa_hash_mix(h, (uint32_t)d->exponent);
    return fa_hash_mix(h, d->negative);
}

bool decimal_to_u64(const struct decimal *d, uint64_t *out) {
    uint64_t x = 0;
    if (d->negative || !decimal_is_integer(d) || d->exponent > 20) return false;
    for (int64_t i = 0; i < d->exponent; i++) {
        unsigned digit = i < (int64_t)d->n_digits ? d->digits[i] : 0;
        if (__builtin_mul_overflow(x, (uint64_t)10, &x) ||
            __builtin_add_overflow(x, (uint64_t)digit, &x))
            return false;
    }
    *out = x;
    return true;
}

/* ---- divisibility --------------------------------------------------------------------------- */

/* The place of the last digit: value = (integer of the digits) * 10^place. */
static int64_t last_place(const struct decimal *d) {
    return d->exponent - (int64_t)d->n_digits;
}

/* Hands out digits of a number with zeros behind it, nine at a time. */
struct chunks {
    const struct decimal *d;
    size_t at, total;
};

static uint32_t next_chunk(struct chunks *c) {
    uint32_t v = 0;
    do {
        v = v * 10 + (c->at < c->d->n_digits ? c->d->digits[c->at] : 0);
        c->at++;
    } while ((c->total - c->at) % NAT_DIGITS);
    return v;
}

static bool divides_small(uint64_t m, struct chunks c) {
    u128 r = 0;
    while (c.at < c.total) {
        uint32_t v = next_chunk(&c);
        r = (r * NAT_BASE + v) % m;
    }
    return r == 0;
}

/* For long divisors; the work space is 90 kB of stack so that nothing here can fail. */
static __attribute__((noinline)) bool divides_long(const struct decimal *m, struct chunks c) {
    uint32_t y[MAX_LIMBS] = {0}, r[MAX_LIMBS + 1] = {0};
    size_t n = 0;
    struct chunks mc = {m, 0, m->n_digits};
    size_t limbs = (m->n_digits + NAT_DIGITS - 1) / NAT_DIGITS;
    for (n = limbs; n-- > 0;) y[n] = next_chunk(&mc);
    n = limbs;
    while (c.at < c.total) {
        memmove(r + 1, r, n * sizeof *r);
        r[0] = next_chunk(&c);
        nat_reduce_window(r, y, n);
    }
    for (size_t i = 0; i < n; i++)
        if (r[i]) return false;
    return true;
}

bool decimal_is_multiple(const struct decimal *a, const struct decimal *m) {
    if (!a->n_digits) return true;
    int64_t shift = last_place(a) - last_place(m);
    if (shift < 0) return false; /* the last digit of a, not 0, lies below every digit of m */
    int64_t enough = 4 * (int64_t)m->n_digits;
    if (shift > enough) shift = enough;
    struct chunks c = {a, 0, a->n_digits + (size_t)shift};
    if (m->n_digits > 18) return divides_long(m, c);
    uint64_t small = 0;
    for (uint32_t i = 0; i < m->n_digits; i++) small = small * 10 + m->digits[i];
    return divides_small(small, c);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

bool decimal_from_u64(struct arena *a, uint64_t x, struct decimal *out) {
    char text[24];
    struct writer w = {text, sizeof text, 0};
    unsigned char reversed[24] = {0};
    size_t n = 0;
    for (; x; x /= 10) reversed[n++] = (unsigned char)(x % 10);
    for (size_t i = n; i-- > 0;) put(&w, (char)('0' + reversed[i]));
    if (!n) put(&w, '0');
    return decimal_parse(a, text, w.length, out) == DECIMAL_OK;
}

struct decimal decimal_scale(const struct decimal *d, int64_t shift) {
    struct decimal r = *d;
    if (r.n_digits) r.exponent += shift;
    return r;
}

struct decimal decimal_negate(const struct decimal *d) {
    struct decimal r = *d;
    if (r.n_digits) r.negative = !r.negative;
    return r;
}

/* |d| / 10^place as a natural; place is at most the last place of d. */
static bool to_nat(struct arena *a, const struct decimal *d, int64_t place, struct nat *out) {
    if (!d->n_digits) {
        *out = (struct nat){NULL, 0};
        return true;
    }
    int64_t zeros = last_place(d) - place;
    if (zeros > 5 * (int64_t)DECIMAL_MAX_DIGITS) return false;
    return nat_from_digits(a, d->digits, d->n_digits, (size_t)zeros, out);
}

static bool from_nat(struct arena *a, const struct nat *x, int64_t place, bool negative,
                     struct decimal *out) {
    unsigned char *digits;
    size_t n;
    if (!nat_digits(a, x, &digits, &n)) return false;
    int64_t exponent = place + (int64_t)n;
    while (n && !digits[n - 1]) n--;
    if (n > DECIMAL_MAX_DIGITS) return false;
    *out = (struct decimal){digits, (uint32_t)n, n && negative, n ? exponent : 0};
    return true;
}

static int64_t common_place(const struct decimal *x, const struct decimal *y) {
    if (!x->n_digits) return last_place(y);
    if (!y->n_digits) return last_place(x);
    return last_place(x) < last_place(y) ? last_place(x) : last_place(y);
}

bool decimal_add(struct arena *a, const struct decimal *x, const struct decimal *y,
                 struct decimal *out) {
    struct nat u, v, w;
    int64_t place = common_place(x, y);
    if (!to_nat(a, x, place, &u) || !to_nat(a, y, place, &v)) return false;
    if (x->negative == y->negative)
        return nat_add(a, &u, &v, &w) && from_nat(a, &w, place, x->negative, out);
    if (nat_compare(&u, &v) >= 0)
        return nat_subtract(a, &u, &v, &w) && from_nat(a, &w, place, x->negative, out);
    return nat_subtract(a, &v, &u, &w) && from_nat(a, &w, place, y->negative, out);
}

bool decimal_remainder(struct arena *a, const struct decimal *x, const struct decimal *m,
                       struct decimal *out) {
    struct nat u, v, r;
    int64_t place = common_place(x, m);
    return to_nat(a, x, place, &u) && to_nat(a, m, place, &v) && nat_divide(a, &u, &v, NULL, &r) &&
           from_nat(a, &r, place, false, out);
}

/* Digits of x below the last place of m cannot decide more than "a little above": they are cut, so
 * that a tiny x costs nothing. */
bool decimal_next_multiple(struct arena *a, const struct decimal *x, const struct decimal *m,
                           bool above, struct decimal *out) {
    struct nat u, v, r;
    int64_t place = last_place(m);
    struct decimal cut = *x;
    if (x->n_digits && last_place(x) < place) {
        int64_t keep = x->exponent - place;
        cut.n_digits = keep > 0 ? (uint32_t)keep : 0;
        while (cut.n_digits && !cut.digits[cut.n_digits - 1]) cut.n_digits--;
        above = true;
    }
    if (!cut.n_digits) cut.exponent = 0;
    if (!to_nat(a, &cut, place, &u) || !to_nat(a, m, place, &v) || !nat_divide(a, &u, &v, NULL, &r))
        return false;
    if (r.n || above) {
        if (!nat_add(a, &u, &v, &u) || !nat_subtract(a, &u, &r, &u)) return false;
    }
    return from_nat(a, &u, place, false, out);
}

/* With x = X * 10^k * 10^place and y = Y * 10^place, the zeros of 10^k beyond those that could
 * meet a 2 or 5 of Y go to the result as they are. */
bool decimal_lcm(struct arena *a, const struct decimal *x, const struct decimal *y,
                 struct decimal *out) {
    struct nat u, v, g, q, l;
    if (last_place(x) < last_place(y)) {
        const struct decimal *t = x;
        x = y;
        y = t;
    }
    int64_t place = last_place(y), k = last_place(x) - place, free_zeros = 0;
    int64_t enough = 4 * (int64_t)y->n_digits;
    if (k > enough) {
        free_zeros = k - enough;
        k = enough;
    }
    return nat_from_digits(a, x->digits, x->n_digits, (size_t)k, &u) &&
           nat_from_digits(a, y->digits, y->n_digits, 0, &v) && nat_gcd(a, &u, &v, &g) &&
           nat_divide(a, &v, &g, &q, NULL) && nat_multiply(a, &u, &q, &l) &&
           from_nat(a, &l, place + free_zeros, false, out);
}
