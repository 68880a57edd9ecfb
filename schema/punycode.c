/* SPDX-License-Identifier: MIT
 *
 * Punycode (RFC 3492). A label's ASCII characters come first, as they are; then, in ascending
 * order, each insertion of another one as a number that counts over places and code points, written
 * in digits whose thresholds adapt to what came before.
 */
#include "schema/punycode.h"

#include <string.h>

/* Section 5. */
enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, FIRST_BIAS = 72, FIRST_CODE = 128 };

#define LAST_CODE 0x10FFFFu

static uint32_t threshold(uint32_t k, uint32_t bias) {
    if (k <= bias + T_MIN) return T_MIN;
    return k >= bias + T_MAX ? T_MAX : k - bias;
}

/* Section 6.1. */
static uint32_t adapt(uint32_t delta, uint32_t count, bool first) {
    uint32_t k = 0;
    delta = first ? delta / DAMP : delta / 2;
    delta += delta / count;
    for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE) delta /= BASE - T_MIN;
    return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static unsigned char digit_of(uint32_t value) {
    return (unsigned char)(value < 26 ? 'a' + value : '0' + value - 26);
}

/* ---- writing --------------------------------------------------------------------------------- */

struct writer {
    unsigned char *out; /* NULL: only counts */
    size_t n, limit;
};

static void put(struct writer *w, unsigned char c) {
    if (w->out && w->n < w->limit) w->out[w->n] = c;
    w->n++;
}

static void put_number(struct writer *w, uint32_t value, uint32_t bias) {
    for (uint32_t k = BASE;; k += BASE) {
        uint32_t t = threshold(k, bias);
        if (value < t) break;
        put(w, digit_of(t + (value - t) % (BASE - t)));
        value = (value - t) / (BASE - t);
    }
    put(w, digit_of(value));
}

/* Section 6.3. With at most 63 code points no number comes near 32 bits. */
size_t punycode_encode(const uint32_t *label, size_t n, unsigned char *out, size_t limit) {
    struct writer w = {out, 0, limit};
    if (n > IDNA_MAX_LABEL) return SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        if (label[i] < FIRST_CODE) put(&w, (unsigned char)label[i]);
    size_t basic = w.n, done = basic;
    if (basic && basic < n) put(&w, '-');
    uint32_t code = FIRST_CODE, delta = 0, bias = FIRST_BIAS;
    while (done < n && w.n <= limit) {
        uint32_t next = LAST_CODE;
        for (size_t i = 0; i < n; i++)
            if (label[i] >= code && label[i] < next) next = label[i];
        delta += (next - code) * (uint32_t)(done + 1);
        code = next;
        for (size_t i = 0; i < n; i++) {
            delta += label[i] < code;
            if (label[i] != code) continue;
            put_number(&w, delta, bias);
            bias = adapt(delta, (uint32_t)done + 1, done == basic);
            delta = 0;
            done++;
        }
        delta++;
        code++;
    }
    return w.n > limit ? SIZE_MAX : w.n;
}

/* ---- how long at most ------------------------------------------------------------------------ */

/* Blocks that are larger than 256; what is not in one has code / 256 as its id. */
static const struct large_block {
    uint32_t first, last;
    uint16_t id;
    uint8_t class; /* of rest_digits */
} large_blocks[] = {
    {0x3100, 0x4DFF, 0x31, 1},    {0x4E00, 0x9FFF, 0x4E, 2},    {0xA000, 0xABFF, 0xA0, 1},
    {0xAC00, 0xD7FF, 0xAC, 1},    {0x10000, 0x1FFFF, 0x100, 3}, {0x20000, 0x2FFFF, 0x200, 3},
    {0x30000, 0x3FFFF, 0x300, 3},
};
enum { N_LARGE = sizeof large_blocks / sizeof *large_blocks };

/* Behind the first code point of a block of 256, 11,264, 20,992, or 65,536, k + 1 more take so many
 * digits at most, if all fit into 59 octets. It is a problem of maximising: the numbers add up to no
 * more than (size + k) * length, and each sets the bias of the next. tests/test_punycode.c solves it. */
static const uint8_t rest_digits[4][28] = {
    {4,  8,  11, 14, 17, 20, 22, 25, 28, 31, 34, 37, 40, 42,
     45, 47, 50, 52, 54, 57, 59, 61, 63, 66, 68, 70, 73, 75},
    {6, 10, 14, 18, 22, 26, 30, 34, 38, 41, 45, 49, 53, 57, 61},
    {6, 10, 15, 19, 24, 28, 32, 35, 39, 43, 47, 50, 54, 58, 62},
    {7, 11, 16, 21, 25, 30, 34, 38, 42, 47, 51, 55, 60},
};

static const struct large_block *large_block(uint32_t c, uint16_t id) {
    for (size_t i = 0; i < N_LARGE; i++) {
        const struct large_block *b = &large_blocks[i];
        if (c ? c >= b->first && c <= b->last : id == b->id) return b;
    }
    return NULL;
}

uint16_t punycode_block_of(uint32_t c) {
    const struct large_block *b = large_block(c, 0);
    return b ? b->id : (uint16_t)(c >> 8);
}

/* Digits of a number up to `value`, the first of a label. */
static size_t first_digits(uint64_t value) {
    uint64_t below = 0, weight = 1;
    for (size_t n = 1;; n++) {
        uint32_t t = threshold((uint32_t)n * BASE, FIRST_BIAS);
        below += weight * t;
        if (value < below) return n;
        weight *= BASE - t;
    }
}

/* Of a later one, whatever the bias is: numbers below the n-th of these have at most n digits. */
static size_t later_digits(uint64_t value) {
    static const uint32_t below[] = {1, 36, 1261, 28886, 288886, 2888886, 28888886};
    size_t n = 0;
    while (n < sizeof below / sizeof *below && value >= below[n]) n++;
    return n + 1;
}

size_t punycode_most_octets(const struct punycode_block *blocks, size_t n_blocks, size_t n) {
    size_t wide = 0, octets = 0;
    uint32_t before = FIRST_CODE;
    for (size_t i = 0; i < n_blocks; i++) {
        const struct large_block *large = large_block(0, blocks[i].id);
        uint32_t first = large ? large->first : (uint32_t)blocks[i].id << 8;
        uint32_t last = large ? large->last : first + 0xFF;
        uint64_t most = (uint64_t)(last - before + 1) * n;
        octets += i == 0 ? first_digits(most) : later_digits(most);
        if (blocks[i].n > 1) {
            unsigned rest = blocks[i].n - 2u;
            uint8_t digits = rest < 28 ? rest_digits[large ? large->class : 0][rest] : 0;
            if (!digits) return SIZE_MAX;
            octets += digits;
        }
        wide += blocks[i].n;
        before = first;
    }
    if (wide < n) octets += n - wide + 1; /* a hyphen divides */
    return octets > 59 ? SIZE_MAX : octets;
}

/* ---- reading --------------------------------------------------------------------------------- */

void punycode_begin(struct punycode *p, const unsigned char *basic, size_t n) {
    memset(p, 0, sizeof *p);
    for (size_t i = 0; i < n && i < IDNA_MAX_LABEL; i++) p->label[p->n++] = basic[i];
    p->code = FIRST_CODE;
    p->weight = 1;
    p->k = BASE;
    p->bias = FIRST_BIAS;
    p->first = true;
}

bool punycode_place(const struct punycode *p, uint64_t index, uint32_t *code, uint32_t *at) {
    uint64_t places = p->n + 1, c = p->code + index / places;
    *code = c > LAST_CODE ? 0 : (uint32_t)c;
    *at = (uint32_t)(index % places);
    return *code && p->n < IDNA_MAX_LABEL;
}

/* Section 6.2. The number is complete. */
static bool insert(struct punycode *p, uint32_t number) {
    uint32_t code, at;
    if (!punycode_place(p, p->index, &code, &at)) return false;
    p->bias = adapt(number, (uint32_t)p->n + 1, p->first);
    memmove(p->label + at + 1, p->label + at, (p->n - at) * sizeof *p->label);
    p->label[at] = code;
    p->n++;
    p->code = code;
    p->index = p->start = at + 1;
    p->weight = 1;
    p->k = BASE;
    p->first = false;
    return true;
}

bool punycode_read(struct punycode *p, unsigned char digit) {
    uint32_t value;
    if (digit >= 'a' && digit <= 'z')
        value = digit - (uint32_t)'a';
    else if (digit >= '0' && digit <= '9')
        value = digit - (uint32_t)'0' + 26;
    else
        return false;
    uint32_t t = threshold(p->k, p->bias);
    uint64_t index = p->index + (uint64_t)value * p->weight;
    uint32_t code, at;
    if (!punycode_place(p, index, &code, &at)) return false;
    p->index = (uint32_t)index;
    if (value < t) return insert(p, p->index - p->start);
    p->weight *= BASE - t; /* fits: the digit was 1 at least, so the index is above the weight */
    p->k += BASE;
    return true;
}

size_t punycode_digits(const struct punycode *p, uint64_t rest, unsigned char *first) {
    size_t n = 1;
    for (uint32_t k = p->k;; k += BASE, n++) {
        uint32_t t = threshold(k, p->bias);
        uint64_t digit = rest < t ? rest : t + (rest - t) % (BASE - t);
        if (n == 1) *first = digit_of((uint32_t)digit);
        if (rest < t) return n;
        rest = (rest - t) / (BASE - t);
    }
}
