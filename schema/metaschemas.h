/* SPDX-License-Identifier: MIT
 *
 * The metaschemas of drafts 4, 6, 7, 2019-09 and 2020-12, with those of their vocabularies, for
 * schemas that refer to them. Only what decides validity, and none of the prose. Constant data.
 */
#ifndef FORMA_SCHEMA_METASCHEMAS_H
#define FORMA_SCHEMA_METASCHEMAS_H

#include <stddef.h>

struct metaschema {
    const char *path; /* of its URI, from the ':' behind the scheme on */
    const char *text;
};

/* By URI without fragment, under http or https; NULL when it is none. */
const struct metaschema *metaschema_find(const char *uri, size_t length);

#endif
