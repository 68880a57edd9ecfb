/* SPDX-License-Identifier: MIT
 *
 * What the files that make formats share: languages that several of them are built of.
 */
#ifndef FORMA_SCHEMA_FORMATS_INTERNAL_H
#define FORMA_SCHEMA_FORMATS_INTERNAL_H

#include "automaton/regex_machine.h"

/* A pattern of ECMA-262 that stands for the whole string, one of our own: it is right. */
term_id format_pattern(struct regex_store *s, const char *pattern);
/* One after the other. */
term_id format_sequence(struct regex_store *s, const term_id *terms, size_t n);

/* formats_address.c */
term_id format_ipv4(struct regex_store *s);
term_id format_ipv6(struct regex_store *s);
/* `international`: RFC 6531 instead of RFC 5321. */
term_id format_email(struct regex_store *s, bool international);

/* formats_uri.c; `international`: RFC 3987 instead of RFC 3986. */
term_id format_uri(struct regex_store *s, bool international, bool reference);
term_id format_uri_template(struct regex_store *s);

/* formats_time.c */
term_id format_time(struct regex_store *s);

/* formats_domain.c */
term_id format_hostname(struct regex_store *s, bool international);
/* RFC 6531, section 3.3: Domain. */
term_id format_mail_domain(struct regex_store *s);

/* formats_regex.c */
term_id format_regex(struct regex_store *s);

#endif
