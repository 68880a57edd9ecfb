/* SPDX-License-Identifier: MIT
 *
 * What a U-label must meet. Each rule is a function that cites its paragraph; a label is short, so
 * each looks at it from its beginning.
 */
#include <string.h>

#include "base/ranges.h"
#include "schema/idna_internal.h"

enum {
    MIDDLE_DOT = 0xB7,
    KERAIA = 0x375,
    GERESH = 0x5F3,
    GERSHAYIM = 0x5F4,
    NON_JOINER = 0x200C,
    JOINER = 0x200D,
    KATAKANA_DOT = 0x30FB,
    ARABIC_ZERO = 0x660,
    EXTENDED_ZERO = 0x6F0,
    VIRAMA = 9 /* Canonical_Combining_Class */
};

/* ---- tables ---------------------------------------------------------------------------------- */

/* The first range that does not end before c; NULL if there is none. */
static const struct idna_range *range_from(uint32_t c) {
    size_t i = ranges_from(idna_ranges, idna_n_ranges, sizeof *idna_ranges, c);
    return i < idna_n_ranges ? &idna_ranges[i] : NULL;
}

static const struct idna_range *find(uint32_t c) {
    const struct idna_range *r = range_from(c);
    return r && r->first <= c ? r : NULL;
}

bool idna_is_allowed(uint32_t c) {
    return find(c) != NULL;
}

uint32_t idna_next_allowed(uint32_t c) {
    const struct idna_range *r = range_from(c);
    if (!r) return 0;
    return r->first > c ? r->first : c;
}

uint32_t idna_last_allowed(uint32_t c) {
    return range_from(c)->last;
}

/* What a and b compose to; 0: they do not. */
static uint32_t composition(uint32_t a, uint32_t b) {
    size_t low = 0, high = idna_n_compositions;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint32_t *pair = idna_compositions[middle];
        if (pair[0] == a && pair[1] == b) return pair[2];
        if (pair[0] < a || (pair[0] == a && pair[1] < b))
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* RFC 5891, section 4.2.3.1, and the hyphens of RFC 952. */
static bool hyphens_are_right(const uint32_t *c, size_t n, bool whole) {
    if (c[0] == '-' || (n >= 4 && c[2] == '-' && c[3] == '-')) return false;
    return !whole || c[n - 1] != '-';
}

/* UAX #15: the canonical decomposition of c, at most four code points. */
static size_t decompose(uint32_t c, uint32_t out[4]) {
    size_t n = 0;
    out[n++] = c;
    for (size_t i = 0; i < idna_n_compositions && n < 4;) {
        const uint32_t *pair = idna_compositions[i++];
        if (pair[2] != out[0]) continue;
        memmove(out + 2, out + 1, (n - 1) * sizeof *out);
        out[0] = pair[0];
        out[1] = pair[1];
        n++;
        i = 0;
    }
    return n;
}

static uint8_t combining_class(uint32_t c) {
    const struct idna_range *r = find(c);
    return r ? r->combining : 0;
}

/* A letter and the marks behind it: does NFC leave them as they are? It takes the letter apart, puts
 * the marks in order, and composes what is not blocked by a mark of the same class. */
static bool is_composed_letter(const uint32_t *c, size_t n) {
    uint32_t text[IDNA_MAX_LABEL + 4];
    size_t kept = 1, length = decompose(c[0], text);
    for (size_t i = 1; i < n; i++) {
        size_t at = length++;
        for (; at > 1 && combining_class(text[at - 1]) > combining_class(c[i]); at--)
            text[at] = text[at - 1];
        text[at] = c[i];
    }
    uint8_t last = 0;
    for (size_t i = 1; i < length; i++) {
        uint8_t mine = combining_class(text[i]);
        uint32_t whole = kept == 1 || last < mine ? composition(text[0], text[i]) : 0;
        if (whole) {
            text[0] = whole;
            continue;
        }
        last = mine;
        text[kept++] = text[i];
    }
    return kept == n && memcmp(text, c, n * sizeof *c) == 0;
}

/* NFC. Single code points that are allowed are in it: NFKC would change others. */
static bool is_composed(const uint32_t *c, const struct idna_range *const *p, size_t n) {
    for (size_t i = 0, next; i < n; i = next) {
        next = i + 1;
        while (next < n && p[next]->combining) {
            if (p[next - 1]->combining > p[next]->combining) return false;
            next++;
        }
        if (next > i + 1 && !p[i]->combining && !is_composed_letter(c + i, next - i)) return false;
        if (next == i + 1 && next < n && composition(c[i], c[next])) return false;
    }
    return true;
}

/* RFC 5892, appendix A.1: between letters that would join, seen through transparent ones. */
static bool breaks_a_joint(const struct idna_range *const *p, size_t n, size_t at, bool whole) {
    size_t l = at, r = at + 1;
    while (l > 0 && p[l - 1]->joining == JOINING_T) l--;
    while (r < n && p[r]->joining == JOINING_T) r++;
    if (l == 0 || (p[l - 1]->joining != JOINING_L && p[l - 1]->joining != JOINING_D)) return false;
    if (r == n) return !whole;
    return p[r]->joining == JOINING_R || p[r]->joining == JOINING_D;
}

static bool holds_script(const struct idna_range *const *p, size_t n, enum script script) {
    for (size_t i = 0; i < n; i++)
        if (p[i]->script == script) return true;
    return false;
}

static bool holds_digit_from(const uint32_t *c, size_t n, uint32_t zero) {
    for (size_t i = 0; i < n; i++)
        if (c[i] >= zero && c[i] < zero + 10) return true;
    return false;
}

/* RFC 5892, appendix A. */
static bool context_is_right(const uint32_t *c, const struct idna_range *const *p, size_t n,
                             size_t i, unsigned rules) {
    bool whole = rules & IDNA_WHOLE;
    bool after_virama = i > 0 && p[i - 1]->combining == VIRAMA, last = i + 1 == n;
    switch (c[i]) {
    case NON_JOINER: return after_virama || breaks_a_joint(p, n, i, whole);
    case JOINER: return after_virama;
    case MIDDLE_DOT: return i > 0 && c[i - 1] == 'l' && (last ? !whole : c[i + 1] == 'l');
    case KERAIA: return last ? !whole : p[i + 1]->script == SCRIPT_GREEK;
    case GERESH:
    case GERSHAYIM: return i > 0 && p[i - 1]->script == SCRIPT_HEBREW;
    case KATAKANA_DOT: return !whole || holds_script(p, n, SCRIPT_EAST);
    default: break;
    }
    if (c[i] >= ARABIC_ZERO && c[i] < ARABIC_ZERO + 10)
        return !holds_digit_from(c, n, EXTENDED_ZERO);
    return true;
}

/* ---- RFC 5893 -------------------------------------------------------------------------------- */

static enum bidi_class bidi(uint32_t c) {
    if (c < 0x80) {
        if (c == '-') return BIDI_ES;
        return c >= '0' && c <= '9' ? BIDI_EN : BIDI_L;
    }
    const struct idna_range *r = find(c);
    return r ? (enum bidi_class)r->bidi : BIDI_ON;
}

bool idna_is_right_to_left(const uint32_t *label, size_t n) {
    for (size_t i = 0; i < n; i++) {
        enum bidi_class b = label[i] < 0x80 ? BIDI_L : bidi(label[i]);
        if (b == BIDI_R || b == BIDI_AL || b == BIDI_AN) return true;
    }
    return false;
}

static bool keeps_bidi_rule(const uint32_t *label, size_t n, bool whole) {
    enum bidi_class first = bidi(label[0]), last = BIDI_NSM;
    bool arabic_digits = false, european_digits = false;
    bool right_to_left = first == BIDI_R || first == BIDI_AL;
    if (!right_to_left && first != BIDI_L) return false; /* 1 */
    for (size_t i = 0; i < n; i++) {
        enum bidi_class b = bidi(label[i]);
        bool strong_right = b == BIDI_R || b == BIDI_AL || b == BIDI_AN;
        if (right_to_left ? b == BIDI_L : strong_right) return false; /* 2, 5 */
        arabic_digits |= b == BIDI_AN;
        european_digits |= b == BIDI_EN;
        if (b != BIDI_NSM) last = b;
    }
    if (right_to_left && arabic_digits && european_digits) return false; /* 4 */
    if (!whole) return true;
    if (!right_to_left) return last == BIDI_L || last == BIDI_EN;                   /* 6 */
    return last == BIDI_R || last == BIDI_AL || last == BIDI_EN || last == BIDI_AN; /* 3 */
}

bool idna_keeps_bidi_rule(const uint32_t *label, size_t n) {
    return keeps_bidi_rule(label, n, true);
}

/* ---- labels ------------------------------------------------------------------------------------ */

bool idna_is_label(const uint32_t *label, size_t n, unsigned rules) {
    bool whole = rules & IDNA_WHOLE;
    const struct idna_range *properties[IDNA_MAX_LABEL];
    if (n == 0 || n > IDNA_MAX_LABEL) return false;
    for (size_t i = 0; i < n; i++) {
        properties[i] = find(label[i]);
        if (!properties[i]) return false;
    }
    if (properties[0]->mark) return false; /* RFC 5891, section 4.2.3.2 */
    if (!hyphens_are_right(label, n, whole)) return false;
    if (rules & IDNA_COMPOSED && !is_composed(label, properties, n)) return false;
    for (size_t i = 0; i < n; i++)
        if (!context_is_right(label, properties, n, i, rules)) return false;
    return !idna_is_right_to_left(label, n) || keeps_bidi_rule(label, n, whole);
}
