/* SPDX-License-Identifier: MIT
 *
 * Strings read by the machine and by a naive decoder: over all short byte strings of small
 * alphabets, and over sequences of the pieces that escapes and surrogate pairs are made of, a
 * string is closed exactly where the decoder accepts it in the style and the language; along the
 * way the decoded bytes, the verdicts and the witness of every live state are compared. So a live
 * state has a completion, and a dead one has none among the strings tried.
 */
#include "automaton/json_string.h"
#include "base/utf8.h"
#include "tests/test.h"

enum { MAX_TEXT = 64, N_TERMS = 7 };

struct world {
    struct arena arena;
    struct regex_store *regex;
    struct string_reader *reader;
    bool alphabet[256], any_escape;
    term_id terms[N_TERMS];
};

/* ---- the naive decoder ----------------------------------------------------------------------- */

static int hex_digits(const unsigned char *p, size_t n, bool upper_too, uint32_t *value) {
    if (n < 4) return 0;
    *value = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef";
        const char *at = p[i] ? strchr(digits, p[i]) : NULL;
        if (!at && upper_too && p[i] >= 'A' && p[i] <= 'F') at = strchr(digits, p[i] + 32);
        if (!at) return 0;
        *value = *value << 4 | (uint32_t)(at - digits);
    }
    return 1;
}

/* Reads one character of the string; its length in the text, 0 = not allowed. */
static size_t read_char(const struct world *w, const unsigned char *p, size_t n, uint32_t *c) {
    if (p[0] != '\\') return p[0] < 0x20 || p[0] == '"' ? 0 : utf8_decode(p, n, c);
    if (n < 2) return 0;
    static const char letters[] = "\"\\bfnrt/", meaning[] = "\"\\\b\f\n\r\t/";
    const char *at = p[1] ? strchr(letters, p[1]) : NULL;
    if (at) {
        *c = (unsigned char)meaning[at - letters];
        return *at == '/' && !w->any_escape ? 0 : 2;
    }
    uint32_t low;
    for (const char *d = "u0123456789abcdef"; *d; d++) /* \u needs all of its digits */
        if (!w->alphabet[(unsigned char)*d]) return 0;
    if (p[1] != 'u' || !hex_digits(p + 2, n - 2, w->any_escape, c)) return 0;
    if (!w->any_escape) return *c < 0x20 && !strchr("\b\f\n\r\t", (int)*c + !*c) ? 6 : 0;
    if (*c < 0xD800 || *c > 0xDFFF) return 6;
    if (*c > 0xDBFF || n < 12 || p[6] != '\\' || p[7] != 'u') return 0;
    if (!hex_digits(p + 8, n - 8, true, &low) || low < 0xDC00 || low > 0xDFFF) return 0;
    *c = 0x10000 + ((*c - 0xD800) << 10) + (low - 0xDC00);
    return 12;
}

/* The whole text behind the opening quote, the closing one included: its decoded bytes, -1 = not a
 * string of the style. */
static long decode(const struct world *w, const unsigned char *p, size_t n, unsigned char *out) {
    size_t at = 0;
    long length = 0;
    for (size_t i = 0; i < n; i++)
        if (!w->alphabet[p[i]]) return -1;
    if (n == 0 || p[n - 1] != '"') return -1;
    while (at < n - 1) {
        uint32_t c;
        size_t taken = read_char(w, p + at, n - at - 1, &c);
        if (!taken) return -1;
        length += (long)utf8_encode(c, out + length);
        at += taken;
    }
    return length;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool open_world(struct world *w, const bool alphabet[256], bool any_escape) {
    memset(w, 0, sizeof *w);
    memcpy(w->alphabet, alphabet, sizeof w->alphabet);
    w->any_escape = any_escape;
    if (!CHECK(arena_init(&w->arena, NULL, (size_t)1 << 28))) return false;
    struct code_range *ranges = arena_push_array(&w->arena, SPELLABLE_MAX_RANGES, sizeof *ranges);
    size_t n = string_spellable(alphabet, any_escape, ranges);
    w->regex = regex_store_new(&w->arena, ranges, n);
    w->reader = string_reader_new(&w->arena, w->regex, alphabet, any_escape, 100000);
    struct regex_store *r = w->regex;
    static const char *const words[] = {"a", "\xC3\xA9", "\xF0\x9F\x98\x80", "a\n", "\"",
                                        "/", "\x01"};
    term_id literals[7];
    for (int i = 0; i < 7; i++)
        literals[i] = regex_literal(r, (const unsigned char *)words[i], strlen(words[i]));
    w->terms[0] = TERM_ANY;
    w->terms[1] = regex_or(r, literals, 7);
    w->terms[2] = regex_not(r, w->terms[1]);
    w->terms[3] = regex_min_length(r, 2);
    w->terms[4] = regex_not(r, w->terms[3]);
    w->terms[5] = regex_cat(r, literals[0], TERM_ANY);
    w->terms[6] = regex_charset(r, (const struct code_range[]){{0x80, 0x10FFFF}}, 1);
    return CHECK(w->reader != NULL);
}

/* From a live state the witness ends, in a text that the decoder takes. */
static bool check_witness(struct world *w, string_state s, const unsigned char *text, size_t n,
                          term_id term) {
    unsigned char all[2 * MAX_TEXT], decoded[2 * MAX_TEXT];
    bool limited = false;
    memcpy(all, text, n);
    while (s != STRING_CLOSED && s != STRING_DEAD && n < sizeof all) {
        all[n] = string_witness_byte(w->reader, s);
        s = string_step(w->reader, s, all[n++], &limited);
    }
    if (!CHECK_INT(s, STRING_CLOSED) || !CHECK(!limited)) return false;
    long length = decode(w, all, n, decoded);
    return CHECK(length >= 0) && CHECK(regex_matches(w->regex, term, decoded, (size_t)length));
}

/* Reads the text for the demand `term`, tracking all terms. True if it is closed at its end. */
static bool read_text(struct world *w, unsigned demand, const unsigned char *text, size_t n,
                      bool *ok) {
    term_id tuple[N_TERMS + 1] = {w->terms[demand]};
    unsigned char decoded[MAX_TEXT], naive[MAX_TEXT];
    size_t n_decoded = 0;
    bool limited = false;
    memcpy(tuple + 1, w->terms, sizeof w->terms);
    string_state s = string_begin(w->reader, tuple, N_TERMS + 1, &limited);
    for (size_t i = 0; i < n; i++) {
        if (s == STRING_DEAD || s == STRING_CLOSED) return false;
        *ok &= check_witness(w, s, text, i, tuple[0]);
        string_state next = string_step(w->reader, s, text[i], &limited);
        *ok &= CHECK_INT(string_step(w->reader, s, text[i], &limited), next);
        n_decoded += string_decoded(w->reader, s, text[i], next, decoded + n_decoded);
        if (next == STRING_CLOSED && i + 1 == n) {
            long length = decode(w, text, n, naive);
            *ok &= CHECK_INT(length, n_decoded) && CHECK(!memcmp(naive, decoded, n_decoded));
            for (uint32_t t = 0; t < N_TERMS && *ok; t++)
                *ok &= CHECK_INT(string_verdict(w->reader, s, t + 1),
                                 regex_matches(w->regex, w->terms[t], decoded, n_decoded));
        }
        s = next;
    }
    return s == STRING_CLOSED;
}

static bool check_text(struct world *w, const unsigned char *text, size_t n) {
    unsigned char decoded[MAX_TEXT];
    long length = decode(w, text, n, decoded);
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        if (!w->alphabet[text[i]]) return true; /* nobody can write it */
    for (unsigned demand = 0; demand < N_TERMS && ok; demand++) {
        bool want =
            length >= 0 && regex_matches(w->regex, w->terms[demand], decoded, (size_t)length);
        ok &= CHECK_INT(read_text(w, demand, text, n, &ok), want);
        if (ok) continue;
        fprintf(stderr, "demand %u, any escape %d, text", demand, w->any_escape);
        for (size_t i = 0; i < n; i++) fprintf(stderr, " %02x", text[i]);
        fputc('\n', stderr);
    }
    return ok;
}

static void full_alphabet(bool alphabet[256]) {
    memset(alphabet, true, 256);
}

/* Every string of up to `most` of the bytes, a quote behind it. */
static void test_bytes(const char *bytes, size_t most, const bool alphabet[256], bool any) {
    struct world w;
    size_t n_bytes = strlen(bytes);
    bool ok = open_world(&w, alphabet, any);
    for (size_t n = 0; n <= most && ok; n++) {
        size_t digits[8] = {0};
        for (bool more = true; more && ok;) {
            unsigned char text[9];
            for (size_t i = 0; i < n; i++) text[i] = (unsigned char)bytes[digits[i]];
            text[n] = '"';
            ok = check_text(&w, text, n + 1);
            size_t i = 0;
            while (i < n && ++digits[i] == n_bytes) digits[i++] = 0;
            more = i < n;
        }
    }
    CHECK(!w.arena.failed);
    arena_destroy(&w.arena);
}

/* Sequences of pieces: escapes whole, in halves, pairs, lone surrogates, both cases. */
static void test_pieces(const bool alphabet[256], bool any, uint64_t seed, int rounds) {
    static const char *const pieces[] = {
        "\\u",          "\\",   "u",    "00",     "d8",   "D83d", "dE00",     "dc00",
        "0061",         "000a", "0001", "001f",   "\\n",  "\\/",  "\\\"",     "\\\\",
        "\\b",          "a",    "/",    "1",      "00e9", "ffff", "\xC3\xA9", "\xF0\x9F\x98\x80",
        "\xED\xA0\x80", "\xC3", "\x7F", "\\u0061"};
    enum { N_PIECES = sizeof pieces / sizeof *pieces };
    struct world w;
    uint64_t random = seed;
    bool ok = open_world(&w, alphabet, any);
    for (int round = 0; round < rounds && ok; round++) {
        unsigned char text[MAX_TEXT];
        size_t n = 0, want = 1 + test_below(&random, 5);
        bool escapes = test_below(&random, 2); /* pairs are rare otherwise */
        for (size_t i = 0; i < want && n < 40; i++) {
            const char *piece = escapes ? pieces[i % 2 ? 3 + test_below(&random, 9) : 0]
                                        : pieces[test_below(&random, N_PIECES)];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        text[n++] = '"';
        ok = check_text(&w, text, n);
        if (!ok) fprintf(stderr, "round %d of seed %llu\n", round, (unsigned long long)seed);
    }
    CHECK(!w.arena.failed);
    arena_destroy(&w.arena);
}

/* ---- restricted alphabets -------------------------------------------------------------------- */

/* Alphabets with some bytes gone: what can be spelled is exactly what the decoder finds some
 * spelling for. */
static bool has_spelling(const struct world *w, uint32_t c) {
    unsigned char out[8], text[16];
    size_t n = utf8_encode(c, text);
    text[n] = '"';
    if (decode(w, text, n + 1, out) >= 0 && c != '"' && c != '\\') return true;
    static const char letters[] = "\"\\bfnrt/";
    for (int i = 0; letters[i]; i++) {
        unsigned char escape[] = {'\\', (unsigned char)letters[i], '"'};
        uint32_t meant = 0;
        if (decode(w, escape, 3, out) > 0) meant = out[0];
        if (decode(w, escape, 3, out) > 0 && meant == c) return true;
    }
    char hex[16];
    snprintf(hex, sizeof hex, "\\u%04x\"", c);
    if (c > 0xFFFF)
        snprintf(hex, sizeof hex, "\\u%04x\\u%04x\"", 0xD800 + ((c - 0x10000) >> 10),
                 0xDC00 + ((c - 0x10000) & 0x3FF));
    return decode(w, (const unsigned char *)hex, strlen(hex), out) > 0;
}

static void check_spellable(const bool alphabet[256], bool any) {
    struct world w = {.any_escape = any};
    static struct code_range ranges[SPELLABLE_MAX_RANGES];
    memcpy(w.alphabet, alphabet, sizeof w.alphabet);
    size_t n = string_spellable(alphabet, any, ranges), at = 0;
    for (size_t i = 1; i < n; i++) CHECK(ranges[i - 1].last < ranges[i].first);
    long wrong = 0;
    for (uint32_t c = 0; c <= UTF8_MAX_CODE_POINT; c += c < 0x900 || c > 0xFF00 ? 1 : 7) {
        if (c == 0xD800 || (c > 0xD800 && c < 0xE000)) c = 0xE000;
        if (c > 0x10100 && c < 0x10F000) c += 997;
        while (at < n && ranges[at].last < c) at++;
        bool in = at < n && ranges[at].first <= c;
        bool full = n == SPELLABLE_MAX_RANGES && c > ranges[n - 1].last; /* then it is narrower */
        if (!full && in != has_spelling(&w, c) && wrong++ < 3)
            fprintf(stderr, "U+%04X: spellable %d (any escape %d)\n", c, in, any);
    }
    CHECK_INT(wrong, 0);
}

static void test_alphabets(void) {
    static const char *const missing[] = {"",  "\\", "u",    "a",        "0",    "n", "\"",
                                          "/", "e",  "\xC3", "\xA9\xF0", "bnrt", " ", "\x80"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        for (int any = 0; any < 2; any++) {
            bool alphabet[256];
            full_alphabet(alphabet);
            for (const char *p = missing[i]; *p; p++) alphabet[(unsigned char)*p] = false;
            if (alphabet['"']) check_spellable(alphabet, any);
            test_pieces(alphabet, any, 500 + i, 150);
        }
    /* ASCII only, and a handful of bytes */
    bool few[256] = {false};
    for (int b = 0; b < 128; b++) few[b] = true;
    check_spellable(few, false);
    check_spellable(few, true);
    test_pieces(few, true, 600, 300);
    memset(few, false, sizeof few);
    for (const char *p = "\"ab\xC3\xA9"; *p; p++) few[(unsigned char)*p] = true;
    check_spellable(few, true);
    test_bytes("ab\xC3\xA9\\", 4, few, true);
}

/* ---- retarget, rows, lengths ----------------------------------------------------------------- */

static void test_retarget(void) {
    struct world w;
    bool alphabet[256], limited = false;
    full_alphabet(alphabet);
    if (!open_world(&w, alphabet, true)) return;
    static const struct {
        const char *text;
        unsigned term; /* terms[1] is a, é, 😀, a\n, ", / and U+0001; 6 is one character not ASCII */
        bool alive;
    } cases[] = {
        {"", 1, true},          {"a", 1, true},         {"b", 1, false},
        {"a\\", 1, true},       {"b\\", 1, false},      {"\\u", 6, true},
        {"\\u00", 6, true},     {"\\u006", 6, false},   {"\\u00e", 6, true},
        {"\\u00e9", 6, true},   {"\\u00e9a", 6, false}, {"\\ud83d", 1, true},
        {"\\ud83d\\", 1, true}, {"\\ud83e", 1, false},  {"\\ud83d\\ude0", 1, true},
        {"\xC3", 1, true},      {"\xC4", 1, false},     {"\xC3", 5, false},
        {"\\", 6, true},        {"a\\n", 1, true},      {"a\\u000", 1, true},
        {"a\\u001", 1, false},  {"\xF0\x9F", 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        string_state s = string_begin(w.reader, w.terms, 1, &limited);
        for (const char *p = cases[i].text; *p && s != STRING_DEAD; p++)
            s = string_step(w.reader, s, (unsigned char)*p, &limited);
        if (!CHECK(s != STRING_DEAD)) continue;
        /* The residual of "any string" is "any string": behind the text, the target's own
         * residual. */
        unsigned char decoded[MAX_TEXT];
        size_t n = 0;
        string_state at = string_begin(w.reader, w.terms, 1, &limited);
        for (const char *p = cases[i].text; *p; p++) {
            string_state next = string_step(w.reader, at, (unsigned char)*p, &limited);
            n += string_decoded(w.reader, at, (unsigned char)*p, next, decoded + n);
            at = next;
        }
        term_id t = w.terms[cases[i].term];
        for (size_t j = 0; j < n; j++) t = regex_derive(w.regex, t, decoded[j]);
        string_state there =
            t == TERM_NONE ? STRING_DEAD : string_retarget(w.reader, s, t, &limited);
        if (!CHECK_INT(there != STRING_DEAD, cases[i].alive))
            fprintf(stderr, "after %s\n", cases[i].text);
        if (there != STRING_DEAD)
            check_witness(&w, there, (const unsigned char *)cases[i].text, strlen(cases[i].text),
                          w.terms[cases[i].term]);
    }
    CHECK(!limited);
    arena_destroy(&w.arena);
}

/* Lengths count code points, escapes included; a large one is a number, not states. */
static void test_lengths(void) {
    struct world w;
    bool alphabet[256], limited = false;
    full_alphabet(alphabet);
    if (!open_world(&w, alphabet, true)) return;
    term_id exactly_3 =
        regex_and(w.regex,
                  (const term_id[]){regex_min_length(w.regex, 3),
                                    regex_not(w.regex, regex_min_length(w.regex, 4))},
                  2);
    static const struct {
        const char *text;
        bool whole;
    } cases[] = {{"abc\"", true},
                 {"ab\"", false},
                 {"abcd\"", false},
                 {"\\ud83d\\ude00\\n\xE2\x82\xAC\"", true},
                 {"\xF0\x9F\x98\x80\xC3\xA9\\u0061\"", true},
                 {"\\u0061\\u0062\"", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        string_state s = string_begin(w.reader, &exactly_3, 1, &limited);
        for (const char *p = cases[i].text; *p; p++)
            s = s == STRING_DEAD ? s : string_step(w.reader, s, (unsigned char)*p, &limited);
        CHECK_INT(s == STRING_CLOSED, cases[i].whole);
    }
    term_id billion = regex_min_length(w.regex, 1000000000);
    string_state s = string_begin(w.reader, &billion, 1, &limited);
    for (int i = 0; i < 100; i++) {
        unsigned char b = string_witness_byte(w.reader, s);
        CHECK(b != '"');
        s = string_step(w.reader, s, b, &limited);
        CHECK_INT(string_step(w.reader, s, '"', &limited), STRING_DEAD);
    }
    CHECK(!limited && !w.arena.failed);
    arena_destroy(&w.arena);
}

/* A reader whose pool of rows is used up again and again answers the same. */
static void test_rows(void) {
    struct arena arena;
    bool alphabet[256], limited = false;
    full_alphabet(alphabet);
    if (!CHECK(arena_init(&arena, NULL, (size_t)1 << 20))) return;
    static const struct code_range all[] = {{0, 0x10FFFF}};
    struct regex_store *regex = regex_store_new(&arena, all, 1);
    struct string_reader *r = string_reader_new(&arena, regex, alphabet, true, 100000);
    term_id term = regex_min_length(regex, 500);
    if (!CHECK(r && term)) return;
    string_state states[400];
    for (int round = 0; round < 3; round++) {
        string_state s = string_begin(r, &term, 1, &limited);
        for (int i = 0; i < 400; i++) {
            for (unsigned b = 0; b < 256; b += 16) string_step(r, s, (unsigned char)b, &limited);
            s = string_step(r, s, (unsigned char)('a' + i % 20), &limited);
            if (!round) states[i] = s;
            CHECK_INT(s, states[i]);
        }
    }
    CHECK(!limited && !arena.failed);
    arena_destroy(&arena);
}

int main(void) {
    bool alphabet[256];
    full_alphabet(alphabet);
    for (int any = 0; any < 2; any++) {
        test_bytes("a\\\"u0n/\xC3\xA9\x01", 4, alphabet, any);
        test_bytes("\xE2\x82\xAC\xF0\x9F\x98\x80\xED\xA0", 4, alphabet, any);
        test_pieces(alphabet, any, 41, 4000);
    }
    test_alphabets();
    test_retarget();
    test_lengths();
    test_rows();
    return test_done("JSON string");
}
