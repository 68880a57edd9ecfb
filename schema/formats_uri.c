/* SPDX-License-Identifier: MIT
 *
 * URIs (RFC 3986, appendix A), IRIs (RFC 3987, section 2.2), URI templates (RFC 6570, section 2).
 * `wide` stands for the characters that an IRI adds, written as members of a class. What begins
 * alike stays together: a path is read once, whatever follows it.
 */
#include "schema/formats_internal.h"

/* RFC 3987: ucschar, iprivate. */
#define UCSCHAR                                                                                    \
    "\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}\\u{10000}-\\u{1FFFD}\\u{20000}-"      \
    "\\u{2FFFD}\\u{30000}-\\u{3FFFD}\\u{40000}-\\u{4FFFD}\\u{50000}-\\u{5FFFD}\\u{60000}-"         \
    "\\u{6FFFD}\\u{70000}-\\u{7FFFD}\\u{80000}-\\u{8FFFD}\\u{90000}-\\u{9FFFD}\\u{A0000}-"         \
    "\\u{AFFFD}\\u{B0000}-\\u{BFFFD}\\u{C0000}-\\u{CFFFD}\\u{D0000}-\\u{DFFFD}\\u{E1000}-"         \
    "\\u{EFFFD}"
#define IPRIVATE "\\u{E000}-\\u{F8FF}\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}"

#define PERCENT               "%[0-9A-Fa-f]{2}"
#define NAME(wide)            wide "A-Za-z0-9._~!$&'()*+,;=-" /* unreserved, sub-delims */
#define SEGMENT(wide)         "(?:[:@" NAME(wide) "]|" PERCENT ")"
#define ABEMPTY(wide)         "(?:/" SEGMENT(wide) "*)*"
#define FRAGMENT(wide)        "(?:#(?:[/?:@" NAME(wide) "]|" PERCENT ")*)?"
#define SUFFIX(wide, private) "(?:\\?(?:[/?:@" private NAME(wide) "]|" PERCENT ")*)?" FRAGMENT(wide)
#define USERINFO(wide)        "(?:(?:[:" NAME(wide) "]|" PERCENT ")*@)?"
#define REG_NAME(wide)        "(?:[" NAME(wide) "]|" PERCENT ")*" /* IPv4 addresses are such names, too */
#define SCHEME                "[A-Za-z][A-Za-z0-9+.-]*:"

/* path-absolute, or a rootless path that begins with a segment of `first`; both may be left out */
#define PATH(wide, first)                                                                          \
    "(?:/(?:" SEGMENT(wide) "+" ABEMPTY(wide) ")?|" first "+" ABEMPTY(wide) ")?"
#define SEGMENT_NC(wide) "(?:[@" NAME(wide) "]|" PERCENT ")" /* without a colon */

struct uri_patterns {
    const char *userinfo, *reg_name, *abempty, *rootless, *noscheme, *suffix;
};

#define PATTERNS(wide, private)                                                                    \
    {                                                                                              \
        USERINFO(wide), REG_NAME(wide), ABEMPTY(wide), PATH(wide, SEGMENT(wide)),                  \
            PATH(wide, SEGMENT_NC(wide)), SUFFIX(wide, private)                                    \
    }

/* Section 3.2: "//" authority, then path-abempty. */
static term_id with_authority(struct regex_store *s, const struct uri_patterns *p) {
    term_id address[2] = {format_ipv6(s),
                          format_pattern(s, "[Vv][0-9A-Fa-f]+\\.[:A-Za-z0-9._~!$&'()*+,;=-]+")};
    term_id literal[3] = {format_pattern(s, "\\["), regex_or(s, address, 2),
                          format_pattern(s, "\\]")};
    term_id host[2] = {format_sequence(s, literal, 3), format_pattern(s, p->reg_name)};
    term_id parts[5] = {format_pattern(s, "//"), format_pattern(s, p->userinfo),
                        regex_or(s, host, 2), format_pattern(s, "(?::[0-9]*)?"),
                        format_pattern(s, p->abempty)};
    return format_sequence(s, parts, 5);
}

term_id format_uri(struct regex_store *s, bool international, bool reference) {
    static const struct uri_patterns uri = PATTERNS("", ""), iri = PATTERNS(UCSCHAR, IPRIVATE);
    const struct uri_patterns *p = international ? &iri : &uri;
    term_id authority = with_authority(s, p), suffix = format_pattern(s, p->suffix);
    term_id hierarchy[2] = {authority, format_pattern(s, p->rootless)};
    term_id absolute[3] = {format_pattern(s, SCHEME), regex_or(s, hierarchy, 2), suffix};
    term_id full = format_sequence(s, absolute, 3);
    if (!reference) return full;
    term_id relative[2] = {authority, format_pattern(s, p->noscheme)};
    term_id either[2] = {full, regex_cat(s, regex_or(s, relative, 2), suffix)};
    return regex_or(s, either, 2);
}

/* ---- URI templates --------------------------------------------------------------------------- */

/* Sections 2.1 to 2.4. The apostrophe is a literal, too (erratum 6937). */
#define LITERAL    "[!#$&'()*+,\\-./0-9:;=?@A-Z\\[\\]_a-z~" UCSCHAR IPRIVATE "]"
#define VARCHAR    "(?:[A-Za-z0-9_]|" PERCENT ")"
#define VARSPEC    VARCHAR "(?:\\.?" VARCHAR ")*(?:\\*|:[1-9][0-9]{0,3})?"
#define EXPRESSION "\\{[+#./;?&=,!@|]?" VARSPEC "(?:," VARSPEC ")*\\}"

term_id format_uri_template(struct regex_store *s) {
    return format_pattern(s, "(?:" LITERAL "|" PERCENT "|" EXPRESSION ")*");
}
