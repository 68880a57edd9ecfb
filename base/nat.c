/* SPDX-License-Identifier: MIT */
#include "base/nat.h"

#include <string.h>

__extension__ typedef unsigned __int128 u128;

static void trim(struct nat *x) {
    while (x->n && !x->limbs[x->n - 1]) x->n--;
}

static bool carve(struct arena *a, size_t n, struct nat *out) {
    out->limbs = arena_push_array(a, n, sizeof *out->limbs);
    out->n = n;
    if (!out->limbs) return false;
    memset(out->limbs, 0, n * sizeof *out->limbs);
    return true;
}

bool nat_from_digits(struct arena *a, const unsigned char *digits, size_t n_digits, size_t zeros,
                     struct nat *out) {
    static const uint32_t power[NAT_DIGITS] = {1,      10,      100,      1000,     10000,
                                               100000, 1000000, 10000000, 100000000};
    size_t total = n_digits + zeros;
    if (!carve(a, total / NAT_DIGITS + 1, out)) return false;
    for (size_t i = 0; i < n_digits; i++) {
        size_t place = total - 1 - i; /* of ten */
        out->limbs[place / NAT_DIGITS] += digits[i] * power[place % NAT_DIGITS];
    }
    trim(out);
    return true;
}

bool nat_digits(struct arena *a, const struct nat *x, unsigned char **digits, size_t *n_digits) {
    size_t room = x->n * NAT_DIGITS, lead = 0;
    unsigned char *d = arena_push(a, room);
    if (!d) return false;
    for (size_t i = 0; i < x->n; i++) {
        uint32_t limb = x->limbs[i];
        for (size_t j = 0; j < NAT_DIGITS; j++) {
            d[room - 1 - (i * NAT_DIGITS + j)] = (unsigned char)(limb % 10);
            limb /= 10;
        }
    }
    while (lead < room && !d[lead]) lead++;
    *digits = d + lead;
    *n_digits = room - lead;
    return true;
}

static int compare_limbs(const uint32_t *x, const uint32_t *y, size_t n) {
    for (size_t i = n; i-- > 0;)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

int nat_compare(const struct nat *x, const struct nat *y) {
    if (x->n != y->n) return x->n < y->n ? -1 : 1;
    return compare_limbs(x->limbs, y->limbs, x->n);
}

bool nat_add(struct arena *a, const struct nat *x, const struct nat *y, struct nat *out) {
    struct nat r;
    size_t n = x->n > y->n ? x->n : y->n;
    uint32_t carry = 0;
    if (!carve(a, n + 1, &r)) return false;
    for (size_t i = 0; i < n; i++) {
        uint32_t sum = carry + (i < x->n ? x->limbs[i] : 0) + (i < y->n ? y->limbs[i] : 0);
        carry = sum >= NAT_BASE;
        r.limbs[i] = carry ? sum - NAT_BASE : sum;
    }
    r.limbs[n] = carry;
    trim(&r);
    *out = r;
    return true;
}

/* r -= y; returns the borrow out of limb n - 1. */
static uint32_t subtract_limbs(uint32_t *r, const uint32_t *y, size_t n) {
    uint32_t borrow = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t take = y[i] + borrow;
        borrow = r[i] < take;
        r[i] = borrow ? r[i] + NAT_BASE - take : r[i] - take;
    }
    return borrow;
}

bool nat_subtract(struct arena *a, const struct nat *x, const struct nat *y, struct nat *out) {
    struct nat r;
    if (!carve(a, x->n, &r)) return false;
    if (x->n) memcpy(r.limbs, x->limbs, x->n * sizeof *r.limbs);
    uint32_t borrow = subtract_limbs(r.limbs, y->limbs, y->n);
    for (size_t i = y->n; borrow && i < r.n; i++) {
        borrow = r.limbs[i] == 0;
        r.limbs[i] = borrow ? NAT_BASE - 1 : r.limbs[i] - 1;
    }
    trim(&r);
    *out = r;
    return true;
}

bool nat_multiply(struct arena *a, const struct nat *x, const struct nat *y, struct nat *out) {
    struct nat r;
    if (!carve(a, x->n + y->n, &r)) return false;
    for (size_t i = 0; i < x->n; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < y->n; j++) {
            carry += r.limbs[i + j] + (uint64_t)x->limbs[i] * y->limbs[j];
            r.limbs[i + j] = (uint32_t)(carry % NAT_BASE);
            carry /= NAT_BASE;
        }
        r.limbs[i + y->n] = (uint32_t)carry;
    }
    trim(&r);
    *out = r;
    return true;
}

/* The guess divides the three top limbs of r by the two top limbs of y, rounded so that it is
 * never too large; it is at most 3 too small, because those two limbs are at least NAT_BASE. */
uint32_t nat_reduce_window(uint32_t *r, const uint32_t *y, size_t n) {
    uint64_t q = 0;
    if (n == 1) {
        uint64_t v = (uint64_t)r[1] * NAT_BASE + r[0];
        q = v / y[0];
        r[0] = (uint32_t)(v % y[0]);
        r[1] = 0;
        return (uint32_t)q;
    }
    u128 top = ((u128)r[n] * NAT_BASE + r[n - 1]) * NAT_BASE + r[n - 2];
    uint64_t divisor = (uint64_t)y[n - 1] * NAT_BASE + y[n - 2];
    q = (uint64_t)(top / (divisor + 1));
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        carry += q * y[i];
        uint32_t take = (uint32_t)(carry % NAT_BASE);
        carry /= NAT_BASE;
        if (r[i] < take) {
            r[i] += NAT_BASE;
            carry++;
        }
        r[i] -= take;
    }
    r[n] -= (uint32_t)carry;
    while (r[n] || compare_limbs(r, y, n) >= 0) {
        r[n] -= subtract_limbs(r, y, n);
        q++;
    }
    return (uint32_t)q;
}

bool nat_divide(struct arena *a, const struct nat *x, const struct nat *y, struct nat *quotient,
                struct nat *remainder) {
    struct nat r, q = {NULL, 0};
    if (!carve(a, (x->n > y->n ? x->n : y->n) + 1, &r)) return false;
    if (x->n) memcpy(r.limbs, x->limbs, x->n * sizeof *r.limbs);
    if (x->n >= y->n) {
        if (!carve(a, x->n - y->n + 1, &q)) return false;
        for (size_t i = q.n; i-- > 0;) q.limbs[i] = nat_reduce_window(r.limbs + i, y->limbs, y->n);
        trim(&q);
    }
    trim(&r);
    if (quotient) *quotient = q;
    if (remainder) *remainder = r;
    return true;
}

bool nat_gcd(struct arena *a, const struct nat *x, const struct nat *y, struct nat *out) {
    struct nat u, v; /* working copies that swap places: nothing is carved in the loop */
    size_t n = (x->n > y->n ? x->n : y->n) + 1;
    if (!carve(a, n, &u) || !carve(a, n, &v)) return false;
    if (x->n) memcpy(u.limbs, x->limbs, x->n * sizeof *u.limbs);
    if (y->n) memcpy(v.limbs, y->limbs, y->n * sizeof *v.limbs);
    trim(&u);
    trim(&v);
    while (v.n) {
        for (size_t i = u.n >= v.n ? u.n - v.n + 1 : 0; i-- > 0;)
            nat_reduce_window(u.limbs + i, v.limbs, v.n);
        trim(&u);
        struct nat t = u;
        u = v;
        v = t;
    }
    *out = u;
    return true;
}
