/* SPDX-License-Identifier: MIT
 *
 * The text is cut into segments at the code points that NFC never touches and that nothing before
 * them can reach; each segment is taken apart, its marks are put in order, and it is composed:
 *
 *     a  o  dot-below  circumflex  b       segments  a | o dot-below circumflex | b
 */
#include "base/nfc.h"

#include <stdlib.h>
#include <string.h>

#include "base/nfc_tables.h"
#include "base/ranges.h"
#include "base/utf8.h"

#define FIRST_TOUCHED 0x300u /* code points below are in no table of ranges */
#define SHORT_SEGMENT 128u   /* code points, taken apart, that need no memory */
#define MAX_APART     4u     /* code points that one is taken apart to */

/* Hangul syllables are composed by arithmetic (The Unicode Standard, section 3.12). */
enum { S_BASE = 0xAC00, L_BASE = 0x1100, V_BASE = 0x1161, T_BASE = 0x11A7 };
enum { L_COUNT = 19, V_COUNT = 21, T_COUNT = 28, S_COUNT = L_COUNT * V_COUNT * T_COUNT };

struct mark {
    uint32_t c;
    uint8_t klass;
    uint32_t place; /* to keep equals in order */
};

static const struct nfc_range *find_range(uint32_t c) {
    if (c < FIRST_TOUCHED) return NULL;
    size_t i = ranges_from(nfc_ranges, nfc_n_ranges, sizeof *nfc_ranges, c);
    return i < nfc_n_ranges && nfc_ranges[i].first <= c ? &nfc_ranges[i] : NULL;
}

bool nfc_is_normal(const char *text, size_t length) {
    const unsigned char *p = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        uint32_t c = p[i];
        if (c < 0xCC) { /* below U+0300 */
            i += c < 0x80 ? 1 : 2;
            continue;
        }
        i += utf8_decode(p + i, length - i, &c);
        if (find_range(c)) return false;
    }
    return true;
}

/* ---- apart --------------------------------------------------------------------------------- */

static const uint32_t *find_decomposition(uint32_t c) {
    size_t low = 0, high = nfc_n_decompositions;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (nfc_decompositions[middle][0] < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < nfc_n_decompositions && nfc_decompositions[low][0] == c ? nfc_decompositions[low]
                                                                         : NULL;
}

/* Only the first half of a pair is ever taken apart further. */
static size_t take_apart(uint32_t c, uint32_t out[MAX_APART]) {
    if (c >= S_BASE && c < S_BASE + S_COUNT) {
        uint32_t s = c - S_BASE, t = s % T_COUNT;
        out[0] = L_BASE + s / (V_COUNT * T_COUNT);
        out[1] = V_BASE + s % (V_COUNT * T_COUNT) / T_COUNT;
        out[2] = T_BASE + t;
        return t ? 3 : 2;
    }
    uint32_t behind[MAX_APART];
    size_t n_behind = 0, n = 0;
    for (const uint32_t *d; n_behind < MAX_APART - 1 && (d = find_decomposition(c)) != NULL;
         c = d[1])
        if (d[2]) behind[n_behind++] = d[2];
    out[n++] = c;
    while (n_behind) out[n++] = behind[--n_behind];
    return n;
}

/* ---- in order ------------------------------------------------------------------------------ */

static int by_class(const void *pa, const void *pb) {
    const struct mark *a = pa, *b = pb;
    if (a->klass != b->klass) return a->klass < b->klass ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Runs of marks, each between two code points of class 0. */
static void put_in_order(struct mark *m, size_t n) {
    for (size_t begin = 0; begin < n;) {
        size_t end = begin + 1;
        bool ordered = true;
        if (m[begin].klass)
            for (; end < n && m[end].klass; end++) ordered &= m[end - 1].klass <= m[end].klass;
        if (!ordered) qsort(m + begin, end - begin, sizeof *m, by_class);
        begin = end;
    }
}

/* ---- together ------------------------------------------------------------------------------ */

/* What a and b compose to; 0: they do not. */
static uint32_t compose_pair(uint32_t a, uint32_t b) {
    if (a >= L_BASE && a < L_BASE + L_COUNT && b >= V_BASE && b < V_BASE + V_COUNT)
        return S_BASE + ((a - L_BASE) * V_COUNT + (b - V_BASE)) * T_COUNT;
    if (a >= S_BASE && a < S_BASE + S_COUNT && (a - S_BASE) % T_COUNT == 0 && b > T_BASE &&
        b < T_BASE + T_COUNT)
        return a + (b - T_BASE);
    size_t low = 0, high = nfc_n_compositions;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint32_t *d = nfc_decompositions[nfc_compositions[middle]];
        if (d[1] == a && d[2] == b) return d[0];
        if (d[1] < a || (d[1] == a && d[2] < b))
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

/* Returns how many are left. A mark reaches the last code point of class 0 unless one of its own or
 * a higher class, or another of class 0, stands between. */
static size_t compose(struct mark *m, size_t n) {
    size_t kept = 0, starter = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        bool blocked =
            starter == SIZE_MAX || (kept > starter + 1 && m[kept - 1].klass >= m[i].klass);
        uint32_t whole = blocked ? 0 : compose_pair(m[starter].c, m[i].c);
        if (whole) {
            m[starter].c = whole;
            continue;
        }
        if (m[i].klass == 0) starter = kept;
        m[kept++] = m[i];
    }
    return kept;
}

static size_t normalize_segment(const unsigned char *text, size_t length, struct mark *m,
                                char *out) {
    size_t n = 0, written = 0;
    for (size_t i = 0; i < length;) {
        uint32_t c, apart[MAX_APART];
        i += utf8_decode(text + i, length - i, &c);
        size_t parts = take_apart(c, apart);
        for (size_t j = 0; j < parts; j++, n++) {
            const struct nfc_range *r = find_range(apart[j]);
            m[n] = (struct mark){apart[j], r ? r->combining_class : 0, (uint32_t)n};
        }
    }
    put_in_order(m, n);
    n = compose(m, n);
    for (size_t i = 0; i < n; i++) {
        unsigned char bytes[4];
        size_t used = utf8_encode(m[i].c, bytes);
        memcpy(out + written, bytes, used);
        written += used;
    }
    return written;
}

size_t nfc_normalize(const char *text, size_t length, char *out,
                     const struct forma_allocator *allocator) {
    const unsigned char *p = (const unsigned char *)text;
    struct mark few[SHORT_SEGMENT];
    size_t written = 0;
    for (size_t begin = 0, end; begin < length; begin = end) {
        uint32_t c;
        size_t first = end = begin + utf8_decode(p + begin, length - begin, &c), n = 1;
        bool touched = find_range(c) != NULL;
        for (size_t step; end < length; end += step, n++) {
            step = utf8_decode(p + end, length - end, &c);
            if (!find_range(c)) break;
        }
        if (!touched && end == first) {
            memcpy(out + written, text + begin, end - begin);
            written += end - begin;
            continue;
        }
        struct mark *m = few;
        size_t size = 0;
        if (n > SHORT_SEGMENT / MAX_APART) {
            if (!fa_mul_size(n, MAX_APART * sizeof *m, &size)) return SIZE_MAX;
            m = fa_alloc(allocator, size);
            if (!m) return SIZE_MAX;
        }
        written += normalize_segment(p + begin, end - begin, m, out + written);
        if (m != few) fa_free(allocator, m, size);
    }
    return written;
}
