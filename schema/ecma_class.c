/* SPDX-License-Identifier: MIT */
#include "schema/ecma_class.h"

#include <string.h>

#include "base/hex.h"
#include "base/utf8.h"

static const struct code_range digit[] = {{'0', '9'}};
static const struct code_range word[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
/* WhiteSpace and LineTerminator: ECMA-262, 12.2 and 12.3 */
static const struct code_range space[] = {
    {0x09, 0x0D},     {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
    {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
static const struct code_range terminator[] = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};

struct ecma_class ecma_class_find(char letter) {
#define CLASS(ranges, negated)                                                                     \
    ((struct ecma_class){ranges, sizeof ranges / sizeof *ranges, negated})
    switch (letter) {
    case 'd': return CLASS(digit, false);
    case 'D': return CLASS(digit, true);
    case 'w': return CLASS(word, false);
    case 'W': return CLASS(word, true);
    case 's': return CLASS(space, false);
    case 'S': return CLASS(space, true);
    case '.': return CLASS(terminator, true);
    default: return (struct ecma_class){NULL, 0, false};
    }
#undef CLASS
}

/* Exactly n hexadecimal digits. */
static bool read_hex(const char *p, size_t length, size_t n, uint32_t *value) {
    if (length < n) return false;
    *value = 0;
    for (size_t i = 0; i < n; i++) {
        int d = hex_digit((unsigned char)p[i]);
        if (d < 0) return false;
        *value = *value << 4 | (uint32_t)d;
    }
    return true;
}

/* Behind `\u`. A lone surrogate is a value that no string can hold. */
static size_t read_unicode(const char *p, size_t length, uint32_t *value) {
    uint32_t low;
    if (length && p[0] == '{') {
        size_t i = 1;
        *value = 0;
        for (; i < length && hex_digit((unsigned char)p[i]) >= 0; i++) {
            *value = *value << 4 | (uint32_t)hex_digit((unsigned char)p[i]);
            if (*value > UTF8_MAX_CODE_POINT) return 0;
        }
        return i > 1 && i < length && p[i] == '}' ? i + 1 : 0;
    }
    if (!read_hex(p, length, 4, value)) return 0;
    bool high = *value >= 0xD800 && *value <= 0xDBFF;
    if (high && length >= 10 && p[4] == '\\' && p[5] == 'u' &&
        read_hex(p + 6, length - 6, 4, &low) && low >= 0xDC00 && low <= 0xDFFF) {
        *value = 0x10000 + ((*value - 0xD800) << 10) + (low - 0xDC00);
        return 10;
    }
    return 4;
}

size_t ecma_escape_read(const char *p, size_t length, bool in_class, uint32_t *value) {
    static const char syntax[] = "^$\\.*+?()[]{}|/"
                                 /* not in ECMA-262, but validators let them pass */
                                 "-\"_#@:%,'&!~`=<>; ";
    static const char letters[] = "tnvfr", controls[] = "\t\n\v\f\r";
    if (!length) return 0;
    const char *letter = p[0] ? strchr(letters, p[0]) : NULL;
    if (letter) {
        *value = (unsigned char)controls[letter - letters];
        return 1;
    }
    if (p[0] && strchr(syntax, p[0])) {
        *value = (unsigned char)p[0];
        return 1;
    }
    bool digit_follows = length > 1 && p[1] >= '0' && p[1] <= '9';
    size_t n;
    switch (p[0]) {
    case '0': *value = 0; return digit_follows ? 0 : 1;
    case 'b': *value = '\b'; return in_class ? 1 : 0;
    case 'c':
        if (length < 2 || !((p[1] >= 'a' && p[1] <= 'z') || (p[1] >= 'A' && p[1] <= 'Z'))) return 0;
        *value = (uint32_t)p[1] & 0x1F;
        return 2;
    case 'x': return read_hex(p + 1, length - 1, 2, value) ? 3 : 0;
    case 'u': n = read_unicode(p + 1, length - 1, value); return n ? n + 1 : 0;
    default: return 0;
    }
}
