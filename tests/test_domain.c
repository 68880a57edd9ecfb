/* SPDX-License-Identifier: MIT
 *
 * Labels of domain names: the bound on the length of A-labels is one, and a label that is read
 * character by character, with most of it forgotten, gets the verdict of the rules on the whole.
 */
#include "base/utf8.h"
#include "schema/formats.h"
#include "schema/idna.h"
#include "schema/punycode.h"
#include "tests/test.h"

enum { MAX_BLOCKS = 63 };

static size_t most(const uint32_t *label, size_t n) {
    struct punycode_block blocks[MAX_BLOCKS];
    size_t n_blocks = 0;
    for (size_t i = 0; i < n; i++) {
        uint16_t id = punycode_block_of(label[i]);
        size_t at = 0;
        if (label[i] < 0x80) continue;
        while (at < n_blocks && blocks[at].id < id) at++;
        if (at == n_blocks || blocks[at].id != id) {
            memmove(blocks + at + 1, blocks + at, (n_blocks - at) * sizeof *blocks);
            blocks[at] = (struct punycode_block){id, 0};
            n_blocks++;
        }
        blocks[at].n++;
    }
    return punycode_most_octets(blocks, n_blocks, n);
}

/* ---- the longest rest of a block, by dynamic programming ------------------------------------- */

/* RFC 3492, sections 5 and 6.1, once more. */
static uint32_t threshold(uint32_t k, uint32_t bias) {
    return k <= bias + 1 ? 1 : k >= bias + 26 ? 26 : k - bias;
}

static uint32_t next_bias(uint64_t delta, uint32_t count) {
    uint32_t k = 0;
    delta = delta / 2 + delta / 2 / count;
    for (; delta > 455; k += 36) delta /= 35;
    return k + (uint32_t)(36 * delta / (delta + 38));
}

enum { BIASES = 160, DIGITS = 8, UNIT = 64, SUMS = 320 };

/* Numbers below limit[b][j] have at most j digits under bias b. */
static uint64_t limit[BIASES][DIGITS + 1];

static void fill_limits(void) {
    for (uint32_t b = 0; b < BIASES; b++) {
        uint64_t weight = 1;
        for (uint32_t j = 1; j <= DIGITS; j++) {
            uint32_t t = threshold(36 * j, b);
            limit[b][j] = limit[b][j - 1] + weight * t;
            weight *= 36 - t;
        }
    }
}

/* The most digits of k numbers that sum up to no more than (size + k) * n, n = others + k + 1, where
 * each sets the bias of the next. Sums in units, rounded so that more is allowed. */
static unsigned most_digits(uint32_t size, uint32_t k, uint32_t others) {
    static uint8_t now[BIASES][SUMS], later[BIASES][SUMS];
    uint64_t sum = (uint64_t)(size + k) * (others + k + 1);
    uint32_t sums = (uint32_t)(sum / UNIT) + 1;
    unsigned best = 0;
    if (!CHECK(sums <= SUMS)) return 0;
    memset(now, 0, sizeof now);
    for (uint32_t i = k; i--;) {
        uint64_t least[BIASES + 1]; /* number that leads to a bias; of those after it: sum + 1 */
        for (uint32_t b = 0; b <= BIASES; b++) least[b] = UINT64_MAX;
        for (uint64_t d = sum + 1; d--;) least[next_bias(d, others + 2 + i)] = d;
        memcpy(later, now, sizeof now);
        for (uint32_t b = 0; b < BIASES; b++)
            for (uint32_t t = 0; t < sums; t++) {
                uint8_t most_here = 0;
                for (uint32_t a = 0; a < BIASES; a++) {
                    if (least[a] == UINT64_MAX) continue;
                    uint32_t after = a + 1;
                    while (after < BIASES && least[after] == UINT64_MAX) after++;
                    uint64_t end = after == BIASES ? sum + 1 : least[after];
                    for (uint32_t j = 1; j <= DIGITS; j++) {
                        uint64_t low = limit[b][j - 1] > least[a] ? limit[b][j - 1] : least[a];
                        uint64_t high = limit[b][j] < end ? limit[b][j] : end;
                        if (low >= high || low / UNIT > t) continue;
                        unsigned digits = j + later[a][t - low / UNIT];
                        if (digits > most_here) most_here = (uint8_t)digits;
                    }
                }
                now[b][t] = most_here;
            }
    }
    for (uint32_t b = 0; b < BIASES; b++)
        if (now[b][sums - 1] > best) best = now[b][sums - 1];
    return best;
}

/* Of any number: the least limit that a bias leads to. */
static void test_limits(void) {
    static const uint32_t below[] = {1, 36, 1261, 28886, 288886, 2888886};
    for (uint32_t j = 0; j < sizeof below / sizeof *below; j++) {
        uint64_t least = UINT64_MAX;
        for (uint32_t b = 0; b < BIASES; b++)
            if (limit[b][j + 1] < least) least = limit[b][j + 1];
        CHECK_INT(least, below[j]);
    }
}

/* Of a block of 256, behind its first code point: as the bound has it. */
static void test_rest_of_block(void) {
    for (uint32_t k = 1; k <= 12; k += k < 4 ? 1 : 4) {
        const struct punycode_block first = {4, 1}, all = {4, (uint8_t)(k + 1)};
        size_t octets = punycode_most_octets(&all, 1, k + 1);
        CHECK_INT(octets - punycode_most_octets(&first, 1, k + 1) + k + 1,
                  most_digits(256, k, 57 - 2 * k));
    }
}

/* ---- random labels --------------------------------------------------------------------------- */

static const uint32_t pool[] = {
    'a',    'l',    'q',    '-',    '0',    '9',    0xB7,    0xDF,    0xE9,   0xFF,
    0x101,  0x1FF,  0x300,  0x301,  0x316,  0x327,  0x375,   0x3B1,   0x3C9,  0x430,
    0x438,  0x4FF,  0x5D0,  0x5EA,  0x5B0,  0x5F3,  0x627,   0x628,   0x64A,  0x64B,
    0x660,  0x669,  0x6F0,  0x6F9,  0x710,  0x915,  0x94D,   0x937,   0x9C7,  0x9BE,
    0x200C, 0x200D, 0xE01,  0xE31,  0x1820, 0x3042, 0x304B,  0x3099,  0x30A2, 0x30FB,
    0x30FC, 0x4E00, 0x9FFF, 0xAC00, 0xD7A3, 0xA840, 0x20000, 0x10900, 0x1E922};
enum { N_POOL = sizeof pool / sizeof *pool };

static size_t draw_label(uint64_t *seed, uint32_t *label, unsigned longest) {
    size_t n = 1 + test_below(seed, longest);
    uint32_t base = pool[test_below(seed, N_POOL)];
    for (size_t i = 0; i < n; i++)
        label[i] =
            test_below(seed, 3) ? base + test_below(seed, 40) : pool[test_below(seed, N_POOL)];
    return n;
}

static void test_bound(uint64_t *seed) {
    unsigned within = 0;
    for (int i = 0; i < 200000; i++) {
        uint32_t label[63];
        size_t n = draw_label(seed, label, 40), bound = most(label, n);
        size_t octets = punycode_encode(label, n, NULL, 1000);
        within += bound != SIZE_MAX;
        CHECK(octets <= bound);
    }
    CHECK(within > 20000);
}

/* By the rules on the whole label. */
static bool is_right(const uint32_t *label, size_t n) {
    bool ascii = true;
    for (size_t i = 0; i < n; i++) {
        ascii &= label[i] < 0x80;
        if (!idna_is_allowed(label[i])) return false;
    }
    if (ascii) return label[0] != '-' && label[n - 1] != '-';
    return idna_is_label(label, n, IDNA_WHOLE | IDNA_COMPOSED) && most(label, n) != SIZE_MAX;
}

static void test_reading(uint64_t *seed) {
    struct arena arena;
    struct format_terms terms = {{0}, {0}};
    const struct code_range all = {0, UTF8_MAX_CODE_POINT};
    unsigned right = 0;
    arena_init(&arena, NULL, SIZE_MAX / 4 < ((size_t)1 << 33) ? SIZE_MAX / 4 : (size_t)1 << 33);
    struct regex_store *s = regex_store_new(&arena, &all, 1);
    term_id t = format_term(s, &terms, FORMAT_IDN_HOSTNAME);
    for (int i = 0; i < 40000; i++) {
        uint32_t label[63];
        unsigned char text[63 * 4];
        size_t n = draw_label(seed, label, i % 2 ? 4 : 9), length = 0;
        for (size_t k = 0; k < n; k++) {
            if (label[k] >= 'A' && label[k] <= 'Z') label[k] = 'z';
            if (label[k] == '.' || label[k] == 0x3002) label[k] = 'q';
            length += utf8_encode(label[k], text + length);
        }
        bool expected = is_right(label, n);
        right += expected;
        if (!CHECK(regex_matches(s, t, text, length) == expected))
            fprintf(stderr, "  %.*s, %s\n", (int)length, text, expected ? "right" : "wrong");
    }
    CHECK(right > 4000);
    CHECK(!arena.failed);
    arena_destroy(&arena);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 5890;
    printf("domain: seed %llu\n", (unsigned long long)seed);
    fill_limits();
    test_limits();
    test_rest_of_block();
    test_bound(&seed);
    test_reading(&seed);
    return test_done("domain");
}
