/* SPDX-License-Identifier: MIT
 *
 * Addresses of machines and of mail. An IPv6 address is built from its end: what may follow k groups
 * depends on k alone, so there are few states, where the nine alternatives of the grammar would
 * be read side by side.
 */
#include <string.h>

#include "schema/formats_internal.h"

/* RFC 3986, appendix A: dec-octet, IPv4address; RFC 2673, section 3.2, says the same in words. */
#define OCTET "(?:[1-9]?[0-9]|1[0-9]{2}|2(?:[0-4][0-9]|5[0-5]))"
#define IPV4  OCTET "(?:\\." OCTET "){3}"

/* RFC 5321, section 4.1.3: Snum may have leading zeros. */
#define SMTP_OCTET "(?:[01]?[0-9]{1,2}|2(?:[0-4][0-9]|5[0-5]))"
#define SMTP_IPV4  SMTP_OCTET "(?:\\." SMTP_OCTET "){3}"

term_id format_ipv4(struct regex_store *s) {
    return format_pattern(s, IPV4);
}

/* ---- IPv6 ------------------------------------------------------------------------------------ */

struct ipv6_parts {
    term_id group, colon, ipv4;
    uint32_t least_gap; /* groups that "::" stands for, at least */
};

/* Up to n groups after "::"; an IPv4 address at the end counts as two. */
static term_id groups_after_gap(struct regex_store *s, const struct ipv6_parts *p, uint32_t n) {
    term_id some = TERM_NONE; /* one at least */
    for (uint32_t i = 1; i <= n; i++) {
        term_id end[2] = {TERM_EMPTY_STRING, regex_cat(s, p->colon, some)};
        term_id ways[2] = {regex_cat(s, p->group, regex_or(s, end, 2)),
                           i >= 2 ? p->ipv4 : TERM_NONE};
        some = regex_or(s, ways, 2);
    }
    return regex_repeat(s, some, 0, 1);
}

/* What follows k groups, each with its colon, to make eight. */
static term_id groups_after(struct regex_store *s, const struct ipv6_parts *p, uint32_t k,
                            term_id after_next) {
    uint32_t left = 8 - k;
    term_id ways[3] = {p->group, TERM_NONE, left == 2 ? p->ipv4 : TERM_NONE};
    if (left > 1) ways[0] = regex_cat(s, p->group, regex_cat(s, p->colon, after_next));
    if (left >= p->least_gap)
        ways[1] = regex_cat(s, p->colon, groups_after_gap(s, p, left - p->least_gap));
    return regex_or(s, ways, 3);
}

static term_id ipv6(struct regex_store *s, const char *ipv4, uint32_t least_gap) {
    struct ipv6_parts p = {format_pattern(s, "[0-9A-Fa-f]{1,4}"), format_pattern(s, ":"),
                           format_pattern(s, ipv4), least_gap};
    term_id after = TERM_NONE;
    for (uint32_t k = 7; k > 0; k--) after = groups_after(s, &p, k, after);
    term_id first[2] = {
        regex_cat(s, p.group, regex_cat(s, p.colon, after)),
        regex_cat(s, format_pattern(s, "::"), groups_after_gap(s, &p, 8 - least_gap))};
    return regex_or(s, first, 2);
}

term_id format_ipv6(struct regex_store *s) {
    return ipv6(s, IPV4, 1);
}

/* ---- mail ------------------------------------------------------------------------------------ */

#define MAX_LOCAL 64u /* octets; RFC 5321, section 4.5.3.1.1 */

/* RFC 5321, section 4.1.2; atext: RFC 5322, section 3.2.3. RFC 6531, section 3.3, adds all characters
 * that are not ASCII. */
#define ATEXT        "A-Za-z0-9!#$%&'*+/=?^_`{|}~-"
#define LOCAL(wide)  "(?:[" wide ATEXT "]+(?:\\.[" wide ATEXT "]+)*|" QUOTED(wide) ")"
#define QUOTED(wide) "\"(?:[" wide " !#-\\[\\]-~]|\\\\[ -~])*\""
#define NOT_ASCII    "\\u{80}-\\u{10FFFF}"
#define LABEL        "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
#define DOMAIN_NAME  LABEL "(?:\\." LABEL ")*"

/* Section 4.1.3. Other tags than IPv6 would have to be registered, and none is. */
static term_id address_literal(struct regex_store *s) {
    term_id with_tag[2] = {format_pattern(s, "IPv6:"), ipv6(s, SMTP_IPV4, 2)};
    term_id either[2] = {format_pattern(s, SMTP_IPV4), format_sequence(s, with_tag, 2)};
    term_id all[3] = {format_pattern(s, "\\["), regex_or(s, either, 2), format_pattern(s, "\\]")};
    return format_sequence(s, all, 3);
}

/* Strings of at most n octets in UTF-8. */
static term_id short_strings(struct regex_store *s, uint32_t n) {
    const term_id one[4] = {
        format_pattern(s, "[\\0-\\x7F]"), format_pattern(s, "[\\u{80}-\\u{7FF}]"),
        format_pattern(s, "[\\u{800}-\\u{FFFF}]"), format_pattern(s, "[\\u{10000}-\\u{10FFFF}]")};
    term_id last[5] = {TERM_EMPTY_STRING, TERM_NONE, TERM_NONE, TERM_NONE, TERM_NONE};
    for (uint32_t i = 1; i <= n; i++) { /* last[k]: of i - 1 - k octets */
        term_id ways[5] = {TERM_EMPTY_STRING};
        for (size_t k = 0; k < 4; k++) ways[k + 1] = regex_cat(s, one[k], last[k]);
        memmove(last + 1, last, 4 * sizeof *last);
        last[0] = regex_or(s, ways, 5);
    }
    return last[0];
}

term_id format_email(struct regex_store *s, bool international) {
    term_id local[2] = {format_pattern(s, international ? LOCAL(NOT_ASCII) : LOCAL("")),
                        short_strings(s, MAX_LOCAL)};
    term_id host[2] = {international ? format_mail_domain(s) : format_pattern(s, DOMAIN_NAME),
                       address_literal(s)};
    term_id all[3] = {regex_and(s, local, 2), format_pattern(s, "@"), regex_or(s, host, 2)};
    return format_sequence(s, all, 3);
}
