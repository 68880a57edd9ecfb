/* SPDX-License-Identifier: MIT
 *
 * `format`: each name that a draft defines, as a language of strings. The table says which text
 * defines it; docs/schemas.md adds where forma and that text part. A language is made when a schema
 * first asks for it. Most are regular; the others are read by machines (automaton/regex_machine.h).
 */
#ifndef FORMA_SCHEMA_FORMATS_H
#define FORMA_SCHEMA_FORMATS_H

#include "automaton/regex.h"

/* identifier, name, what defines it; by name, in byte order */
#define FORMAT_MAP(X)                                                                              \
    X(DATE, "date", "RFC 3339, section 5.6: full-date")                                            \
    X(DATE_TIME, "date-time", "RFC 3339, section 5.6: date-time")                                  \
    X(DURATION, "duration", "RFC 3339, appendix A: duration")                                      \
    X(EMAIL, "email", "RFC 5321, section 4.1.2: Mailbox")                                          \
    X(HOSTNAME, "hostname", "RFC 1123, section 2.1; A-labels: RFC 5890, section 2.3.2.1")          \
    X(IDN_EMAIL, "idn-email", "RFC 6531, section 3.3: Mailbox")                                    \
    X(IDN_HOSTNAME, "idn-hostname", "RFC 5890, section 2.3.2.3; RFC 5891 to 5893")                 \
    X(IPV4, "ipv4", "RFC 2673, section 3.2: dotted-quad")                                          \
    X(IPV6, "ipv6", "RFC 4291, section 2.2; RFC 3986, appendix A: IPv6address")                    \
    X(IRI, "iri", "RFC 3987, section 2.2: IRI")                                                    \
    X(IRI_REFERENCE, "iri-reference", "RFC 3987, section 2.2: IRI-reference")                      \
    X(JSON_POINTER, "json-pointer", "RFC 6901, section 3: json-pointer")                           \
    X(REGEX, "regex", "ECMA-262, section 22.2.1: Pattern, with the u flag")                        \
    X(RELATIVE_JSON_POINTER, "relative-json-pointer",                                              \
      "draft-handrews-relative-json-pointer-01, section 3: relative-json-pointer")                 \
    X(TIME, "time", "RFC 3339, section 5.6: full-time")                                            \
    X(URI, "uri", "RFC 3986, appendix A: URI")                                                     \
    X(URI_REFERENCE, "uri-reference", "RFC 3986, appendix A: URI-reference")                       \
    X(URI_TEMPLATE, "uri-template", "RFC 6570, section 2: URI-Template")                           \
    X(UUID, "uuid", "RFC 4122, section 3: UUID")

enum format {
#define X(identifier, name, source) FORMAT_##identifier,
    FORMAT_MAP(X)
#undef X
        FORMAT_COUNT
};

/* The languages of one store, each made on first use. */
struct format_terms {
    term_id term[FORMAT_COUNT];
    bool made[FORMAT_COUNT];
};

/* FORMAT_COUNT: no draft defines it. Who writes "uuid" in draft 7 means what 2019-09 says: taking
 * it for an annotation would be a weaker form than the one that was asked for. */
enum format format_find(const char *name, size_t length);
/* The format that an unknown name was probably meant to be, or NULL. */
const char *format_meant(const char *name, size_t length);
const char *format_source(enum format format);

/* The strings of the format; TERM_NONE on failure of the arena, or if none is spellable. */
term_id format_term(struct regex_store *s, struct format_terms *terms, enum format format);

#endif
