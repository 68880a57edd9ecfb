/* SPDX-License-Identifier: MIT
 *
 * Is this text in the form, and if not, where does it stop to fit? One question put to a matcher,
 * for `forma check` and its runners.
 */
#ifndef FORMA_CLI_VERDICT_H
#define FORMA_CLI_VERDICT_H

#include "base/error.h"
#include "base/text.h"

#define NO_TOKEN ((size_t)-1)

struct verdict {
    bool accepted;
    size_t offset;       /* of the first byte that does not fit, when not accepted */
    size_t line, column; /* from 1 */
    size_t token;        /* index of the token that does not fit, or NO_TOKEN */
    char found[32];      /* what stands there, quoted; "" at the end */
    char expected[512];
};

/* Reads the text from where the matcher stands; `partial`: is it the beginning of one in the form?
 * A search limit that stood in the way is FORMA_ELIMIT, never a refusal. */
enum forma_status verdict_of_text(struct forma_matcher *matcher, const char *text, size_t length,
                                  bool partial, struct verdict *v, struct forma_error *err);

/* That limit, as an error: at which byte, and the option that raises it. */
enum forma_status verdict_narrowed(const struct forma_matcher *matcher, const char *text,
                                   size_t length, size_t offset, struct forma_error *err);

/* Where it was refused and why, in words. */
void verdict_describe(const struct verdict *v, struct text *out);

#endif
