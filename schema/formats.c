/* SPDX-License-Identifier: MIT
 *
 * The table of formats, and those of which one pattern says everything. Patterns follow their
 * grammar (ABNF) rule by rule, but alternatives that begin alike are drawn together: the fewer terms
 * a residual language consists of, the fewer states there are.
 */
#include "schema/formats.h"

#include <string.h>

#include "base/words.h"
#include "schema/ecma_regex.h"
#include "schema/formats_internal.h"

/* RFC 3339, section 5.7: days of the month. February 29 belongs to years that are divisible by 4,
 * but by 100 only if by 400 (appendix C). */
#define MONTH_AND_DAY                                                                              \
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|"      \
    "02-(?:0[1-9]|1[0-9]|2[0-8]))"
#define LEAP_YEAR "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
#define DATE      "(?:[0-9]{4}-" MONTH_AND_DAY "|" LEAP_YEAR "-02-29)"

/* RFC 3339, appendix A: a unit may be followed by the next smaller one only. */
#define DURATION_TIME "T[0-9]+(?:S|M(?:[0-9]+S)?|H(?:[0-9]+M(?:[0-9]+S)?)?)"
#define DURATION                                                                                   \
    "P(?:[0-9]+(?:W|(?:D|M(?:[0-9]+D)?|Y(?:[0-9]+M(?:[0-9]+D)?)?)(?:" DURATION_TIME                \
    ")?)|" DURATION_TIME ")"

/* RFC 4122, section 3. */
#define UUID "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"

/* RFC 6901, section 3. */
#define JSON_POINTER "(?:/(?:[^/~]|~[01])*)*"

static const struct {
    const char *name, *source;
} formats[FORMAT_COUNT] = {
#define X(identifier, name, source) {name, source},
    FORMAT_MAP(X)
#undef X
};

enum format format_find(const char *name, size_t length) {
    size_t i = 0;
    while (i < FORMAT_COUNT &&
           (strlen(formats[i].name) != length || memcmp(formats[i].name, name, length) != 0))
        i++;
    return (enum format)i;
}

/* As for keywords: one letter, where there are enough of them that it makes no other word. */
const char *format_meant(const char *name, size_t length) {
    enum { LETTERS = 5 };
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        size_t n = strlen(formats[i].name), d;
        d = words_distance(name, length, formats[i].name, n);
        if (d == 0 || (d == 1 && n >= LETTERS && length >= LETTERS)) return formats[i].name;
    }
    return NULL;
}

const char *format_source(enum format format) {
    return formats[format].source;
}

/* ---- languages ------------------------------------------------------------------------------- */

term_id format_pattern(struct regex_store *s, const char *pattern) {
    struct ecma_options options = {.max_nesting = 100, .whole = true};
    struct forma_error err;
    memset(&err, 0, sizeof err);
    return ecma_regex_compile(s, pattern, strlen(pattern), &options, &err);
}

term_id format_sequence(struct regex_store *s, const term_id *terms, size_t n) {
    term_id t = TERM_EMPTY_STRING;
    while (n--) t = regex_cat(s, terms[n], t);
    return t;
}

static term_id date_time(struct regex_store *s) {
    term_id parts[3] = {format_pattern(s, DATE), format_pattern(s, "[Tt]"), format_time(s)};
    return format_sequence(s, parts, 3);
}

/* `[^/~]` does not mean "but for line ends", as `.` does. */
static term_id make(struct regex_store *s, enum format format) {
    switch (format) {
    case FORMAT_DATE: return format_pattern(s, DATE);
    case FORMAT_DATE_TIME: return date_time(s);
    case FORMAT_DURATION: return format_pattern(s, DURATION);
    case FORMAT_EMAIL: return format_email(s, false);
    case FORMAT_HOSTNAME: return format_hostname(s, false);
    case FORMAT_IDN_EMAIL: return format_email(s, true);
    case FORMAT_IDN_HOSTNAME: return format_hostname(s, true);
    case FORMAT_IPV4: return format_ipv4(s);
    case FORMAT_IPV6: return format_ipv6(s);
    case FORMAT_IRI: return format_uri(s, true, false);
    case FORMAT_IRI_REFERENCE: return format_uri(s, true, true);
    case FORMAT_JSON_POINTER: return format_pattern(s, JSON_POINTER);
    case FORMAT_REGEX: return format_regex(s);
    case FORMAT_RELATIVE_JSON_POINTER:
        return format_pattern(s, "(?:0|[1-9][0-9]*)(?:#|" JSON_POINTER ")");
    case FORMAT_TIME: return format_time(s);
    case FORMAT_URI: return format_uri(s, false, false);
    case FORMAT_URI_REFERENCE: return format_uri(s, false, true);
    case FORMAT_URI_TEMPLATE: return format_uri_template(s);
    case FORMAT_UUID: return format_pattern(s, UUID);
    case FORMAT_COUNT: break;
    }
    return TERM_NONE;
}

term_id format_term(struct regex_store *s, struct format_terms *terms, enum format format) {
    if (!terms->made[format]) {
        terms->term[format] = make(s, format);
        terms->made[format] = true;
    }
    return terms->term[format];
}
