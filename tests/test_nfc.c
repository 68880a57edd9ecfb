/* SPDX-License-Identifier: MIT
 *
 * The normal form NFC. With the path of Unicode's NormalizationTest.txt as argument, that file too.
 */
#include "base/nfc.h"
#include "base/utf8.h"
#include "tests/lib_alloc.h"
#include "tests/test.h"

static const struct forma_allocator *usual;

static void check_text(const char *in, size_t n, const char *want, size_t length,
                       const char *what) {
    char *out = malloc(NFC_MAX_GROWTH * n + 1);
    size_t got = nfc_normalize(in, n, out, usual);
    if (!CHECK(got == length && memcmp(out, want, length) == 0)) fprintf(stderr, "  %s\n", what);
    if (nfc_is_normal(in, n) && !CHECK(n == length && memcmp(in, want, n) == 0))
        fprintf(stderr, "  said to be normal: %s\n", what);
    free(out);
}

static void test_cases(void) {
    static const struct {
        const char *in, *want;
    } cases[] = {
        {"", ""},
        {"plain text\n", "plain text\n"},
        {"e\xCC\x81", "\xC3\xA9"},                                /* e, acute */
        {"\xC3\xA9x", "\xC3\xA9x"},                               /* as it is */
        {"o\xCC\xA3\xCC\x82", "\xE1\xBB\x99"},                    /* dot below, circumflex */
        {"o\xCC\x82\xCC\xA3", "\xE1\xBB\x99"},                    /* in the other order */
        {"q\xCC\x87\xCC\xA3", "q\xCC\xA3\xCC\x87"},               /* only put in order */
        {"q\xCD\x84", "q\xCC\x88\xCC\x81"},                       /* U+0344 is never written; */
        {"\xE2\x84\xAB", "\xC3\x85"},                             /* nor the sign of Angstrom, */
        {"\xE0\xA5\x98", "\xE0\xA4\x95\xE0\xA4\xBC"},             /* nor Qa */
        {"\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8", "\xEA\xB0\x81"}, /* Hangul */
        {"\xEA\xB0\x80\xE1\x86\xA8", "\xEA\xB0\x81"},             /* a syllable and its end */
        {"\xEA\xB0\x81\xE1\x86\xA8", "\xEA\xB0\x81\xE1\x86\xA8"}, /* which has one already */
        {"\xEA\xB0\x80\xE1\x86\xA7", "\xEA\xB0\x80\xE1\x86\xA7"}, /* no end */
        {"\xCC\x81z", "\xCC\x81z"},                               /* a mark with nothing before */
        {"e\xCC\x81\xCC\x81", "\xC3\xA9\xCC\x81"},                /* the second is blocked */
        {"\xE0\xAD\x87\xCC\x80\xE0\xAC\xBE", "\xE0\xAD\x87\xCC\x80\xE0\xAC\xBE"},
        {"\xF0\x9D\x85\x9E", "\xF0\x9D\x85\x97\xF0\x9D\x85\xA5"}, /* a note: excluded */
        {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_text(cases[i].in, strlen(cases[i].in), cases[i].want, strlen(cases[i].want),
                   cases[i].in);
}

/* Normalizing twice is normalizing once, for every code point alone and behind a letter. */
static void test_idempotent(void) {
    for (uint32_t c = 0; c <= UTF8_MAX_CODE_POINT; c++) {
        char in[8] = "A", once[32], twice[96];
        size_t n = utf8_encode(c, (unsigned char *)in + 1);
        if (n == 0) continue;
        for (int with = 0; with < 2; with++) {
            size_t a = nfc_normalize(in + 1 - with, n + (size_t)with, once, usual);
            size_t b = nfc_normalize(once, a, twice, usual);
            if (a != b || memcmp(once, twice, a) != 0) CHECK_INT(c, -1);
        }
    }
    CHECK(true);
}

/* A long run of marks: linear but for sorting, and in order; memory may fail. */
static void test_long_run(void) {
    enum { MARKS = 100000 };
    static char in[2 * MARKS + 1], out[NFC_MAX_GROWTH * sizeof in];
    struct counting_allocator c;
    in[0] = 'x';
    for (size_t i = 0; i < MARKS; i++) memcpy(in + 1 + 2 * i, i % 2 ? "\xCC\xA3" : "\xCC\x81", 2);
    size_t n = nfc_normalize(in, sizeof in, out, usual);
    CHECK_INT(n, sizeof in);
    CHECK(memcmp(out + 1, "\xCC\xA3\xCC\xA3", 4) == 0);
    CHECK(memcmp(out + n - 4, "\xCC\x81\xCC\x81", 4) == 0);
    counting_allocator_init(&c);
    c.fail_at = 1;
    CHECK(nfc_normalize(in, sizeof in, out, &c.allocator) == SIZE_MAX);
    CHECK_INT(c.blocks, 0);
}

/* "0045 0301" as UTF-8. */
static size_t read_points(const char *field, char *out) {
    size_t n = 0;
    for (char *end; *field && *field != ';'; field = end + (*end == ' '))
        n += utf8_encode((uint32_t)strtoul(field, &end, 16), (unsigned char *)out + n);
    return n;
}

/* Columns 1 to 3 become column 2, columns 4 and 5 column 4. */
static void test_file(const char *path) {
    FILE *file = fopen(path, "r");
    char line[2048];
    if (!CHECK(file != NULL)) return;
    while (fgets(line, sizeof line, file)) {
        char text[5][256];
        size_t length[5];
        const char *field = line;
        if (*line == '#' || *line == '@' || *line == '\n') continue;
        for (int i = 0; i < 5; i++) {
            length[i] = read_points(field, text[i]);
            field = strchr(field, ';') + 1;
        }
        for (int i = 0; i < 5; i++)
            check_text(text[i], length[i], text[i < 3 ? 1 : 3], length[i < 3 ? 1 : 3], line);
    }
    fclose(file);
}

int main(int argc, char **argv) {
    usual = fa_default_allocator();
    test_cases();
    test_idempotent();
    test_long_run();
    if (argc > 1) test_file(argv[1]);
    return test_done("nfc");
}
