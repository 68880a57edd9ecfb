/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <stdbool.h>

size_t utf8_sequence_length(unsigned char b) {
    if (b < 0x80) return 1;
    if (b >= 0xC2 && b <= 0xDF) return 2;
    if (b >= 0xE0 && b <= 0xEF) return 3;
    if (b >= 0xF0 && b <= 0xF4) return 4;
    return 0;
}

/* May `b` be byte number 1 of a sequence that begins with `lead`? (Table 3-7 of Unicode.) */
static bool second_byte_fits(unsigned char lead, unsigned char b) {
    if ((b & 0xC0) != 0x80) return false;
    if (lead == 0xE0) return b >= 0xA0;
    if (lead == 0xED) return b <= 0x9F;
    if (lead == 0xF0) return b >= 0x90;
    if (lead == 0xF4) return b <= 0x8F;
    return true;
}

/* Bytes of a well-formed beginning of one sequence at p, at most its whole length. */
static size_t sequence_prefix(const unsigned char *p, size_t length, size_t *whole) {
    *whole = length ? utf8_sequence_length(p[0]) : 0;
    if (!*whole) return 0;
    size_t n = 1;
    while (n < *whole && n < length &&
           (n == 1 ? second_byte_fits(p[0], p[1]) : (p[n] & 0xC0) == 0x80))
        n++;
    return n;
}

size_t utf8_decode(const unsigned char *p, size_t length, uint32_t *code_point) {
    size_t whole, n = sequence_prefix(p, length, &whole);
    if (!whole || n < whole) return 0;
    static const unsigned char lead_bits[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t c = p[0] & lead_bits[n];
    for (size_t i = 1; i < n; i++) c = c << 6 | (p[i] & 0x3F);
    *code_point = c;
    return n;
}

size_t utf8_encode(uint32_t c, unsigned char out[4]) {
    if (c < 0x80) {
        out[0] = (unsigned char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (unsigned char)(0xC0 | c >> 6);
        out[1] = (unsigned char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        if (c >= 0xD800 && c <= 0xDFFF) return 0;
        out[0] = (unsigned char)(0xE0 | c >> 12);
        out[1] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (unsigned char)(0x80 | (c & 0x3F));
        return 3;
    }
    if (c > UTF8_MAX_CODE_POINT) return 0;
    out[0] = (unsigned char)(0xF0 | c >> 18);
    out[1] = (unsigned char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (unsigned char)(0x80 | (c & 0x3F));
    return 4;
}

size_t utf8_valid_prefix(const unsigned char *p, size_t length) {
    size_t i = 0;
    uint32_t c;
    while (i < length) {
        size_t n = utf8_decode(p + i, length - i, &c);
        if (!n) return i;
        i += n;
    }
    return length;
}

size_t utf8_incomplete_tail(const unsigned char *p, size_t length) {
    for (size_t back = 1; back <= 3 && back <= length; back++) {
        size_t whole, n = sequence_prefix(p + length - back, back, &whole);
        if (whole && n == back && n < whole) return back;
    }
    return 0;
}
