/* SPDX-License-Identifier: MIT */
#include "tests/lib_draw.h"

#include "base/utf8.h"
#include "schema/ecma_property.h"
#include "tests/test.h"

enum { WALK = 24, WORK = 200000 };

void draw_print(struct regex_store *s, term_id t, const struct text *x) {
    if (!regex_matches(s, TERM_ANY, x->bytes, x->length)) return;
    printf("%d ", regex_matches(s, t, x->bytes, x->length));
    for (size_t i = 0; i < x->length; i++) printf("%02x", x->bytes[i]);
    putchar('\n');
}

/* A byte after which t can still be completed, or -1. */
static int random_byte(struct regex_store *s, term_id t, uint64_t *seed) {
    unsigned n;
    const unsigned char *classes = regex_classes(s, t, &n);
    uint64_t work = 0;
    for (int attempt = 0; attempt < 12; attempt++) {
        unsigned c = test_below(seed, n), first = test_below(seed, 256);
        for (unsigned i = 0; i < 256; i++) {
            unsigned char b = (unsigned char)(first + i);
            if (classes[b] != c) continue;
            term_id d = regex_derive(s, t, b);
            if (regex_alive(s, d, 0, PARTIAL_BOUNDARY, &work, WORK) == REGEX_YES) return b;
            break;
        }
    }
    return -1;
}

bool draw_string(struct regex_store *s, term_id t, uint64_t *seed, struct text *x) {
    uint64_t work = 0;
    x->length = 0;
    if (regex_alive(s, t, 0, PARTIAL_BOUNDARY, &work, WORK) != REGEX_YES) return false;
    unsigned patience = test_below(seed, WALK);
    while (x->length < DRAW_MAX) {
        bool boundary = utf8_valid_prefix(x->bytes, x->length) == x->length;
        if (boundary && regex_nullable(s, t, 0) && test_below(seed, 5) == 0) return true;
        int b = x->length < patience ? random_byte(s, t, seed) : -1;
        if (b < 0) b = regex_witness_byte(s, t, 0, PARTIAL_BOUNDARY);
        if (b < 0) return true;
        x->bytes[x->length++] = (unsigned char)b;
        t = regex_derive(s, t, (unsigned char)b);
    }
    return false;
}

/* Characters of x, at most DRAW_MAX; returns how many. */
static size_t decode(const struct text *x, uint32_t *codes) {
    size_t n = 0;
    for (size_t i = 0; i < x->length;) {
        size_t k = utf8_decode(x->bytes + i, x->length - i, &codes[n++]);
        if (!k) return n - 1;
        i += k;
    }
    return n;
}

void draw_mutation(uint64_t *seed, struct text *x) {
    static const uint32_t pool[] = {'a',  'Z',    '0',    '_',    ' ',    '-',    '.',
                                    '\n', 0x2028, 0xE9,   0x17F,  0x212A, 0xFEFF, 0x1F600,
                                    '/',  '@',    0x0660, 0x3042, 0x0300, '\t',   0xA0};
    uint32_t codes[DRAW_MAX + 4];
    size_t n = decode(x, codes);
    for (unsigned edits = 1 + test_below(seed, 3); edits && n < DRAW_MAX / 4; edits--) {
        size_t at = test_below(seed, (unsigned)n + 1);
        unsigned kind = test_below(seed, 4);
        uint32_t c = pool[test_below(seed, sizeof pool / sizeof *pool)];
        if (kind == 1 && n) c = codes[test_below(seed, (unsigned)n)];
        if (kind < 2 || at == n) {
            memmove(codes + at + 1, codes + at, (n - at) * sizeof *codes);
            codes[at] = c;
            n++;
        } else if (kind == 2) {
            memmove(codes + at, codes + at + 1, (n - at - 1) * sizeof *codes);
            n--;
        } else {
            codes[at] = c;
        }
    }
    x->length = 0;
    for (size_t i = 0; i < n; i++) x->length += utf8_encode(codes[i], x->bytes + x->length);
}

struct regex_store *draw_store_new(struct arena *a) {
    const char *set = ecma_property_find("Assigned", 8)->set;
    struct code_range ranges[1024];
    uint32_t at = 0;
    size_t n = 0;
    while (n < 1024 && ecma_property_next(&set, &at, &ranges[n])) n++;
    return regex_store_new(a, ranges, n);
}
