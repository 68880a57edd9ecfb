/* SPDX-License-Identifier: MIT
 *
 * The schemas of the text blocks in fixtures/schemas, for tests that want many forms.
 */
#ifndef FORMA_TESTS_FIXTURE_SCHEMAS_H
#define FORMA_TESTS_FIXTURE_SCHEMAS_H

#include "forma.h"

/* Calls `fn` for each that compiles with `vocabulary` (may be NULL) as it stands there: blocks with
 * a style, a draft or documents of their own may not. They are written in the styles of `generate`,
 * compact and exact, in turns. Returns how many. `fn` does not keep the grammar. */
size_t each_fixture_schema(const struct forma_vocabulary *vocabulary,
                           void (*fn)(void *ctx, const char *schema, struct forma_grammar *g),
                           void *ctx);

#endif
