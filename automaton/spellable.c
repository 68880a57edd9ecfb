/* SPDX-License-Identifier: MIT */
#include "automaton/spellable.h"

#include "base/utf8.h"

bool spellable_raw(const bool alphabet[256], uint32_t c) {
    unsigned char bytes[4];
    size_t n = utf8_encode(c, bytes);
    for (size_t i = 0; i < n; i++)
        if (!alphabet[bytes[i]]) return false;
    return n > 0;
}

/* The last character of the block that begins at c: characters that share the leading byte of
 * their spelling, so that a full alphabet costs thousands of checks, not a million. */
static uint32_t block_end(uint32_t c) {
    static const uint32_t ends[] = {0x7F, 0x7FF, 0xD7FF, 0xFFFF, UTF8_MAX_CODE_POINT};
    uint32_t size = c < 0x80 ? 1 : c < 0x800 ? 64 : c < 0x10000 ? 4096 : 262144;
    uint32_t last = (c / size + 1) * size - 1;
    size_t i = 0;
    while (ends[i] < c) i++;
    return last < ends[i] ? last : ends[i];
}

size_t spellable_ranges(const bool alphabet[256], bool (*fits)(const void *ctx, uint32_t c),
                        const void *ctx, struct code_range *ranges) {
    bool all_continuations = true;
    size_t n = 0;
    for (int b = 0x80; b < 0xC0; b++) all_continuations &= alphabet[b];
    for (uint32_t c = 0; c <= UTF8_MAX_CODE_POINT; c++) {
        if (c == 0xD800) c = 0xE000;
        uint32_t last = all_continuations ? block_end(c) : c;
        if (fits(ctx, c)) {
            if (n && ranges[n - 1].last + 1 == c)
                ranges[n - 1].last = last;
            else if (n < SPELLABLE_MAX_RANGES)
                ranges[n++] = (struct code_range){c, last};
        }
        c = last;
    }
    return n;
}
