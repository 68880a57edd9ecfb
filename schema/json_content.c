/* SPDX-License-Identifier: MIT */
#include "schema/json_content.h"

#include <string.h>

static term_id literal(struct regex_store *s, const char *text) {
    return regex_literal(s, (const unsigned char *)text, strlen(text));
}

static term_id range(struct regex_store *s, uint32_t first, uint32_t last) {
    return regex_charset(s, &(struct code_range){first, last}, 1);
}

static term_id one_of(struct regex_store *s, const char *characters) {
    struct code_range ranges[16];
    size_t n = strlen(characters);
    for (size_t i = 0; i < n; i++)
        ranges[i] = (struct code_range){(unsigned char)characters[i], (unsigned char)characters[i]};
    return regex_charset(s, ranges, n);
}

static term_id cat(struct regex_store *s, const term_id *terms, size_t n) {
    term_id t = TERM_EMPTY_STRING;
    while (n) t = regex_cat(s, terms[--n], t);
    return t;
}
#define CAT(s, ...)                                                                                \
    cat(s, (const term_id[]){__VA_ARGS__}, sizeof((const term_id[]){__VA_ARGS__}) / sizeof(term_id))
#define OR(s, ...)                                                                                 \
    regex_or(s, (const term_id[]){__VA_ARGS__},                                                    \
             sizeof((const term_id[]){__VA_ARGS__}) / sizeof(term_id))

static term_id optional(struct regex_store *s, term_id t) {
    return regex_repeat(s, t, 0, 1);
}

static term_id many(struct regex_store *s, term_id t) {
    return regex_repeat(s, t, 0, REGEX_UNBOUNDED);
}

/* Section 7. */
static term_id string_term(struct regex_store *s) {
    static const struct code_range plain[] = {
        {0x20, 0x21}, {0x23, 0x5B}, {0x5D, 0x10FFFF}}; /* all but ", \ and controls */
    static const struct code_range hex[] = {{'0', '9'}, {'A', 'F'}, {'a', 'f'}};
    term_id quote = literal(s, "\"");
    term_id code = CAT(s, literal(s, "u"), regex_repeat(s, regex_charset(s, hex, 3), 4, 4));
    term_id escape = CAT(s, literal(s, "\\"), OR(s, one_of(s, "\"\\/bfnrt"), code));
    return CAT(s, quote, many(s, OR(s, regex_charset(s, plain, 3), escape)), quote);
}

/* Section 6. */
static term_id number_term(struct regex_store *s) {
    term_id digit = range(s, '0', '9'), digits = regex_repeat(s, digit, 1, REGEX_UNBOUNDED);
    term_id whole = OR(s, literal(s, "0"), CAT(s, range(s, '1', '9'), many(s, digit)));
    term_id fraction = CAT(s, literal(s, "."), digits);
    term_id exponent = CAT(s, one_of(s, "eE"), optional(s, one_of(s, "+-")), digits);
    return CAT(s, optional(s, literal(s, "-")), whole, optional(s, fraction),
               optional(s, exponent));
}

/* open (blanks | element (, element)*) close */
static term_id list_of(struct regex_store *s, const char *open, term_id element, term_id blanks,
                       const char *close) {
    term_id more = many(s, CAT(s, literal(s, ","), element));
    return CAT(s, literal(s, open), OR(s, blanks, CAT(s, element, more)), literal(s, close));
}

term_id json_content_term(struct regex_store *s, size_t levels) {
    term_id blanks = many(s, one_of(s, " \t\n\r")), string = string_term(s);
    term_id scalar =
        OR(s, string, number_term(s), literal(s, "null"), literal(s, "true"), literal(s, "false"));
    term_id value = scalar;
    for (size_t level = 0; level < levels; level++) {
        term_id element = CAT(s, blanks, value, blanks);
        term_id member = CAT(s, blanks, string, blanks, literal(s, ":"), element);
        value = OR(s, scalar, list_of(s, "[", element, blanks, "]"),
                   list_of(s, "{", member, blanks, "}"));
    }
    return CAT(s, blanks, value, blanks);
}
