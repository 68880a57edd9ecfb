/* SPDX-License-Identifier: MIT
 *
 * Resolving a URI reference against a base (RFC 3986, section 5.2), on plain byte strings: no
 * percent-decoding, no case folding, nothing fetched. Linear, no allocation.
 */
#ifndef FORMA_SCHEMA_URI_H
#define FORMA_SCHEMA_URI_H

#include <stddef.h>

/* Writes `reference`, resolved against `base` and without its fragment, to `out` (terminated).
 * Returns its length, or SIZE_MAX when `capacity` is too small. An empty base is fine. */
size_t uri_resolve(const char *base, size_t base_length, const char *reference,
                   size_t reference_length, char *out, size_t capacity);

/* Bytes before the first '#'. */
size_t uri_without_fragment(const char *uri, size_t length);

/* Decodes %XX of [text, length) into `out` (at least `length` bytes); returns the length. A '%'
 * that no two hexadecimal digits follow stays as it is. */
size_t uri_percent_decode(const char *text, size_t length, char *out);

#endif
