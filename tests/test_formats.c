/* SPDX-License-Identifier: MIT
 *
 * Formats: cases by hand, each kind of language against an independent way to decide it, and what
 * all of them owe the string reader: prefixes of their strings are alive, and ways to an end end.
 */
#include "schema/formats.h"

#include <arpa/inet.h>

#include "base/utf8.h"
#include "schema/ecma_regex.h"
#include "schema/punycode.h"
#include "tests/lib_draw.h"
#include "tests/test.h"

static const char *const format_names[] = {
#define X(identifier, name, source) name,
    FORMAT_MAP(X)
#undef X
};

struct fixture {
    struct arena arena;
    struct regex_store *store;
    struct format_terms terms;
};

static void open_store(struct fixture *f, size_t fail_after) {
    static const struct code_range all = {0, UTF8_MAX_CODE_POINT};
    memset(f, 0, sizeof *f);
    arena_init(&f->arena, NULL, (size_t)1 << 28);
    f->arena.fail_after = fail_after;
    f->store = regex_store_new(&f->arena, &all, 1);
}

static bool holds(struct fixture *f, enum format format, const char *text, size_t length) {
    term_id t = format_term(f->store, &f->terms, format);
    return regex_matches(f->store, t, (const unsigned char *)text, length);
}

/* ---- by hand --------------------------------------------------------------------------------- */

struct format_case {
    const char *format, *yes,
        *no; /* separated by spaces; a format without a space in its strings */
};

static const struct format_case format_cases[] = {
    {"date", "2024-02-29 0000-02-29 0400-02-29 9999-12-31 2023-04-30",
     "2023-02-29 0100-02-29 2023-04-31 2023-00-01 2023-1-1 23-01-01 2023-01-01Z"},
    {"time",
     "00:00:00Z 23:59:60Z 23:59:60.5z 00:29:60+00:30 00:59:60+01:00 22:59:60-01:00 "
     "12:00:00-00:00 23:59:59.000000000+23:59",
     "24:00:00Z 22:59:60Z 00:00:60+00:00 12:00:00 12:00:00.Z 12:00:61Z 12:00:00+24:00 12:00Z "
     "00:30:60+00:30 23:59:60+00:01"},
    {"date-time", "2024-02-29T12:00:00Z 2016-12-31t23:59:60z 2017-01-01T00:59:60+01:00",
     "2024-02-29 2023-02-29T12:00:00Z 2016-12-31T23:58:60Z 2016-12-31T12:00:00"},
    {"duration", "P1Y P1Y2M P1Y2M3D P3W PT1S P1DT1H PT1M1S P0D",
     "P PT P1 1Y P1YT P1Y1D PT1H1S P1W1D p1d P1.5D P-1D"},
    {"email",
     "a@b a.b@c.d \"a..b\"@c \"\\@\"@c a@[127.0.0.01] a@[IPv6:::1] a@[IPv6:1:2:3:4:5:6::] "
     "0@x--y",
     "a @b a@ .a@b a.@b a..b@c a@-b a@b- a@b_c a@[1.2.3] a@[IPv6:1:2:3:4:5:6:7::] a@[tag:x] a@b."},
    {"idn-email", "\xC3\xBC@\xC3\xBC a@\xE3\x83\xBB\xE4\xB8\x80 \"\xC3\xBC\"@b",
     "\xC3\xBC@\xE3\x83\xBB \xC3\xBC@\xC3\xBC. a@\xE2\x80\xA8 a@B\xC3\xBC"},
    {"hostname", "a a.b A-B.c 1.2.3.4 a--b ab--cd xn--bcher-kva XN--bcher-KVA xn--zca",
     "-a a- a. .a a..b a_b xn--a xn-- xn--x xn---- \xC3\xBC a.xn--4db.0a 0a.xn--4db xn--ls8h"},
    {"idn-hostname",
     "b\xC3\xBC"
     "cher l\xC2\xB7l \xD7\x90.\xD7\x91 A.\xC3\xBC a\xE3\x80\x82"
     "b xn--zca.\xC3\x9F 10\xCC\x80j a-\xCC\x80x q\xCC\xB1\xCC\x88",
     "B\xC3\xBC \xC2\xB7 l\xC2\xB7 a\xD7\x90 0a.\xD7\x90 \xD7\x90.0a u\xCC\x88 xn--\xC3\xBC "
     "\xEF\xBC\xA1 \xC3\xBC\xCC\xB0 q\xCC\x88\xCC\xB1 "
     "a\xE3\x80\x82"},
    {"ipv4", "0.0.0.0 255.255.255.255 1.20.200.9", "1.2.3 1.2.3.4.5 256.1.1.1 01.1.1.1 1.1.1."},
    {"ipv6",
     ":: ::1 1:: 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 ::1.2.3.4 1:2:3:4:5:6:1.2.3.4",
     "1:2:3:4:5:6:7 1::2::3 ::1:2:3:4:5:6:7:8 12345:: ::1.2.3 ::01.2.3.4 1:2:3:4:5:6:7:1.2.3.4 "
     "::1%a "
     "1.2.3.4::"},
    {"uri", "a: http://a http://[::1]:80/b?c#d urn:a:b mailto:a@b file:///x http://a:b@c:1 a:/",
     "a /a //a 1a: http://[1] http://a:b a:/[ a:%1 http://a@b@c http://\xC3\xBC a:b\\c"},
    {"uri-reference", "/a //a ?a #a ./a:b a/b:c a:b", "1:b \\a a#b#c %zz /\xC3\xBC"},
    {"iri", "http://\xC3\xBC/\xC3\xBC?\xEE\x80\x80#\xC3\xBC",
     "\xC3\xBC http://a/\xEE\x80\x80 a:\xC2\x80"},
    {"iri-reference", "\xC3\xBC #\xC3\xBC a:b", "\xEF\xBF\xBE 1:\xC3\xBC"},
    {"uri-template", "a {a} {+a,b:3,c*} {a.b}x{%41} {=a} '",
     "{ } {} {a {a:0} {a:10000} {a,} {-a} % %4 <"},
    {"uuid", "01234567-89ab-CDEF-0000-000000000000",
     "01234567-89ab-CDEF-0000-00000000000 01234567-89ab-CDEF-0000-00000000000g "
     "0123456789abCDEF0000000000000000"},
    {"json-pointer", "/ /a/b /~0~1 // /\xC3\xBC", "a /~ /~2 #/a"},
    {"relative-json-pointer", "0 1/a 10# 0/", "01 -1 /a 0## 1#/a 0+1/a"},
    {"regex",
     "a [] [^] (?<a>b)\\k<a> \\1() a{2} a{ } ] a{2,1 [a-b-c] [\\w-a] \\p{L} \\p{sc=Yi} (?=a) "
     "\\u{1F600} "
     "[\\uD83D\\uDE00-\\uD83D\\uDE01] \\cA \\0 a*? (?:a) (?<!a) \\-",
     "( ) [ a** ^* (?=a)* \\ \\1 \\2() [b-a] a{2,1} (?<a>)(?<a>) \\k<a> (?i) (?P<a>b) \\a \\p{X} "
     "\\pL "
     "\\u{110000} \\x1 [\\u{61}-\\x60] \\00 * (?<1>) {2} \\c"},
};

static void check_words(struct fixture *f, enum format format, const char *words, bool expected) {
    for (const char *end; *words; words = *end ? end + 1 : end) {
        end = strchr(words, ' ');
        if (!end) end = words + strlen(words);
        if (!CHECK(holds(f, format, words, (size_t)(end - words)) == expected))
            fprintf(stderr, "  %s: %.*s\n", format_names[format], (int)(end - words), words);
    }
}

static void test_cases(void) {
    struct fixture f;
    open_store(&f, SIZE_MAX);
    for (size_t i = 0; i < sizeof format_cases / sizeof *format_cases; i++) {
        const struct format_case *c = &format_cases[i];
        enum format format = format_find(c->format, strlen(c->format));
        if (!CHECK(format != FORMAT_COUNT)) continue;
        check_words(&f, format, c->yes, true);
        check_words(&f, format, c->no, false);
    }
    CHECK(!f.arena.failed);
    arena_destroy(&f.arena);
}

/* ---- other ways to decide -------------------------------------------------------------------- */

static bool is_date(int year, int month, int day) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (month == 2 && leap);
}

static void test_dates(struct fixture *f) {
    char text[32];
    for (int year = 0; year<10000; year += year % 100> 5 && year % 100 < 95 ? 13 : 1)
        for (int month = 0; month < 15; month++)
            for (int day = 26; day < 34; day++) {
                int n = snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
                if (!CHECK(holds(f, FORMAT_DATE, text, (size_t)n) == is_date(year, month, day)))
                    fprintf(stderr, "  %s\n", text);
            }
}

static void test_leap_seconds(struct fixture *f, uint64_t *seed) {
    char text[32];
    for (int i = 0; i < 30000; i++) {
        int time = (int)test_below(seed, 1440), offset = (int)test_below(seed, 1440);
        bool west = test_below(seed, 2);
        if (test_below(seed, 2)) offset = west ? 1439 - time : (time + 1) % 1440;
        int n = snprintf(text, sizeof text, "%02d:%02d:60%s%c%02d:%02d", time / 60, time % 60,
                         i % 3 ? "" : ".5", west ? '-' : '+', offset / 60, offset % 60);
        int utc = (time + (west ? offset : 1440 - offset)) % 1440;
        if (!CHECK(holds(f, FORMAT_TIME, text, (size_t)n) == (utc == 1439)))
            fprintf(stderr, "  %s\n", text);
    }
}

static void test_addresses(struct fixture *f, uint64_t *seed) {
    static const char *const parts[] = {":",  ":",   ":",       "::",       "1",
                                        "ff", "0ab", "1.2.3.4", "1.02.3.4", "."};
    unsigned char out[16];
    for (int i = 0; i < 30000; i++) {
        char text[64] = "";
        for (unsigned n = 1 + test_below(seed, 17); n; n--)
            strncat(text,
                    n % 2 && test_below(seed, 8) ? parts[test_below(seed, 4)]
                                                 : parts[4 + test_below(seed, 6)],
                    sizeof text - strlen(text) - 1);
        bool expected = inet_pton(AF_INET6, text, out) == 1;
        if (!CHECK(holds(f, FORMAT_IPV6, text, strlen(text)) == expected))
            fprintf(stderr, "  %s\n", text);
        expected = inet_pton(AF_INET, text, out) == 1;
        CHECK(holds(f, FORMAT_IPV4, text, strlen(text)) == expected);
    }
}

/* RFC 3492, section 7.1: (B), (D), (I), (L). */
static void test_punycode(void) {
    static const struct {
        const char *text, *punycode;
    } cases[] = {
        {"\xE4\xBB\x96\xE4\xBB\xAC\xE4\xB8\xBA\xE4\xBB\x80\xE4\xB9\x88\xE4\xB8\x8D\xE8\xAF\xB4\xE4"
         "\xB8\xAD"
         "\xE6\x96\x87",
         "ihqwcrb4cv8a8dqg056pqjye"},
        {"pro\xC4\x8Dprost\xC4\x9Bnemluv\xC3\xAD\xC4\x8D"
         "esky",
         "proprostnemluvesky-uyb24dma41a"},
        {"\xD0\xBF\xD0\xBE\xD1\x87\xD0\xB5\xD0\xBC\xD1\x83\xD0\xB6\xD0\xB5\xD0\xBE\xD0\xBD\xD0\xB8"
         "\xD0\xBD"
         "\xD0\xB5\xD0\xB3\xD0\xBE\xD0\xB2\xD0\xBE\xD1\x80\xD1\x8F\xD1\x82\xD0\xBF\xD0\xBE\xD1\x80"
         "\xD1\x83"
         "\xD1\x81\xD1\x81\xD0\xBA\xD0\xB8",
         "b1abfaaepdrnnbgefbadotcwatmq2g4l"},
        {"3\xE5\xB9\xB4"
         "b\xE7\xB5\x84\xE9\x87\x91\xE5\x85\xAB\xE5\x85\x88\xE7\x94\x9F",
         "3b-ww4c5e180e575a65lsy2b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned char *text = (const unsigned char *)cases[i].text;
        uint32_t label[IDNA_MAX_LABEL];
        unsigned char out[64] = {0};
        size_t n = 0, length = strlen(cases[i].text);
        for (size_t at = 0; at < length;) at += utf8_decode(text + at, length - at, &label[n++]);
        size_t octets = punycode_encode(label, n, out, 59);
        CHECK_INT(octets, strlen(cases[i].punycode));
        CHECK(memcmp(out, cases[i].punycode, octets) == 0);
        CHECK(punycode_encode(label, n, NULL, octets - 1) == SIZE_MAX);
    }
}

/* What a pattern may be and what the format says of it are the same, but for what the parser of
 * patterns refuses although it is ECMA-262, and for references, which it does not follow. */
static void test_regex(struct fixture *f, uint64_t *seed) {
    static const char *const parts[] = {
        "a",   "b",    "-",        "[",    "]",   "^",       "(",    ")",     "?",
        "*",   "+",    "{",        "}",    ",",   "1",       "2",    "0",     "\\",
        "\\d", "\\b",  "|",        "$",    "(?:", "(?=",     "(?<!", "(?<",   "(?<a",
        ">",   "\\x",  "41",       "\\u",  "{61", "\\u{",    "\\p{", "L",     "sc=",
        "}",   "Latn", "\xC3\xBC", "\\cJ", "[a-", "\\u0061", "\\0",  "{1,2}", "."};
    const struct ecma_options options = {.max_nesting = 250, .whole = true};
    unsigned agreed = 0;
    for (int i = 0; i < 40000; i++) {
        char text[64] = "";
        for (unsigned n = 1 + test_below(seed, 7); n; n--)
            strcat(text, parts[test_below(seed, sizeof parts / sizeof *parts)]);
        struct forma_error err;
        memset(&err, 0, sizeof err);
        ecma_regex_compile(f->store, text, strlen(text), &options, &err);
        if (err.status != FORMA_OK && err.status != FORMA_ESCHEMA) continue;
        bool ok = holds(f, FORMAT_REGEX, text, strlen(text)) == (err.status == FORMA_OK);
        agreed += err.status == FORMA_OK;
        if (!CHECK(ok)) fprintf(stderr, "  %s: %s\n", text, err.message);
    }
    CHECK(agreed > 4000);
}

/* ---- what all owe ---------------------------------------------------------------------------- */

/* From every prefix of a string there is a way on, and it ends in the language. */
static void check_prefixes(struct fixture *f, enum format format, const struct text *x) {
    term_id t = f->terms.term[format];
    for (size_t i = 0; i < x->length; i++) {
        uint64_t work = 0;
        CHECK(regex_derive(f->store, t, 0xC0) == TERM_NONE); /* begins no character */
        t = regex_derive(f->store, t, x->bytes[i]);
        bool alive = regex_alive(f->store, t, 0, PARTIAL_BOUNDARY, &work, 100000) == REGEX_YES;
        if (!CHECK(alive)) {
            fprintf(stderr, "  %s: %.*s\n", format_names[format], (int)i + 1, x->bytes);
            return;
        }
        term_id u = t;
        int steps = 0, b;
        while ((b = regex_witness_byte(f->store, u, 0, PARTIAL_BOUNDARY)) >= 0 && steps++ < 600)
            u = regex_derive(f->store, u, (unsigned char)b);
        if (!CHECK(regex_nullable(f->store, u, 0) && steps < 600))
            fprintf(stderr, "  %s: no end behind %.*s\n", format_names[format], (int)i + 1,
                    x->bytes);
    }
}

static void test_drawn(uint64_t *seed) {
    for (enum format format = 0; format < FORMAT_COUNT; format++) {
        struct fixture f;
        struct text x;
        open_store(&f, SIZE_MAX);
        term_id t = format_term(f.store, &f.terms, format), other = regex_not(f.store, t);
        for (int i = 0; i < 60; i++) {
            if (!CHECK(draw_string(f.store, t, seed, &x))) continue;
            CHECK(regex_matches(f.store, t, x.bytes, x.length));
            CHECK(!regex_matches(f.store, other, x.bytes, x.length));
            check_prefixes(&f, format, &x);
            if (!CHECK(draw_string(f.store, other, seed, &x))) continue;
            CHECK(!regex_matches(f.store, t, x.bytes, x.length));
        }
        if (!CHECK(!f.arena.failed)) fprintf(stderr, "  %s\n", format_names[format]);
        arena_destroy(&f.arena);
    }
}

/* Beside lengths and patterns, and negated. */
static void test_combined(void) {
    static const struct {
        const char *format, *pattern;
        unsigned least, most;
        bool some;
    } cases[] = {
        {"hostname", "^[a-z.]+$", 30, 40, true},   {"hostname", "^xn--", 20, 63, true},
        {"hostname", "^[0-9.]+$", 253, 300, true}, {"hostname", "^.*$", 254, 300, false},
        {"idn-hostname", "^.*$", 20, 30, true},    {"idn-hostname", "^.*$", 254, 300, false},
        {"date-time", "Z$", 25, 26, true},         {"date", "^2023", 10, 10, true},
        {"date", "-02-30$", 0, 20, false},         {"time", "60Z$", 9, 9, true},
        {"time", "^1.:..:60Z", 0, 20, false},      {"email", "@example[.]com$", 20, 40, true},
        {"email", "@.*@.*@", 0, 50, true},         {"uri", "^https://", 100, 100, true},
        {"ipv6", "^[0-9.:]*$", 40, 45, true},      {"ipv6", "^.*$", 46, 60, false},
        {"regex", "^[(]{5}a", 0, 30, true},        {"regex", "^[(]{5}a", 0, 10, false},
        {"uuid", "^[a-z-]*$", 36, 36, true},       {"uuid", "", 37, 99, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct forma_error err;
        uint64_t work = 0;
        open_store(&f, SIZE_MAX);
        struct ecma_options options = {.max_nesting = 20};
        enum format format = format_find(cases[i].format, strlen(cases[i].format));
        term_id all[4] = {
            format_term(f.store, &f.terms, format),
            ecma_regex_compile(f.store, cases[i].pattern, strlen(cases[i].pattern), &options, &err),
            regex_min_length(f.store, cases[i].least),
            regex_not(f.store, regex_min_length(f.store, cases[i].most + 1))};
        enum regex_answer a =
            regex_alive(f.store, regex_and(f.store, all, 4), 0, PARTIAL_BOUNDARY, &work, 1000000);
        /* of machines with a state for every string nothing is proved that a search would have to */
        bool unproved = format == FORMAT_REGEX && !cases[i].some && a == REGEX_LIMIT;
        if (!unproved && !CHECK_INT(a, cases[i].some ? REGEX_YES : REGEX_NO))
            fprintf(stderr, "  %s with %s\n", cases[i].format, cases[i].pattern);
        CHECK(!f.arena.failed);
        arena_destroy(&f.arena);
    }
}

static void test_memory(void) {
    for (enum format format = 0; format < FORMAT_COUNT; format++) {
        size_t n = 1;
        for (;; n += 1 + n / 8) {
            struct fixture f;
            open_store(&f, n);
            if (f.store) format_term(f.store, &f.terms, format);
            bool failed = f.arena.failed;
            arena_destroy(&f.arena);
            if (!failed) break;
        }
        CHECK(n > 1);
    }
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20240229;
    struct fixture f;
    printf("formats: seed %llu\n", (unsigned long long)seed);
    open_store(&f, SIZE_MAX);
    test_cases();
    test_dates(&f);
    test_leap_seconds(&f, &seed);
    test_addresses(&f, &seed);
    test_punycode();
    test_regex(&f, &seed);
    CHECK(!f.arena.failed);
    arena_destroy(&f.arena);
    test_drawn(&seed);
    test_combined();
    test_memory();
    return test_done("formats");
}
