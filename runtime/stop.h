/* SPDX-License-Identifier: MIT
 *
 * Stop sequences in a stream of text, however tokens cut it. Bytes go in one by one; a byte comes
 * out as soon as no stop sequence can begin at it or reach back to it. The sequence that is
 * complete first ends the text (of two that end together, the longer); it is never let out.
 *
 *     fed:   ... he said "El
 *     out:   ... he said        held: "El        (a stop sequence is "ELSE" or "\"Else")
 *
 * One owner; allocates when made. O(sequences) a byte, amortised.
 */
#ifndef FORMA_RUNTIME_STOP_H
#define FORMA_RUNTIME_STOP_H

#include "base/alloc.h"

#define STOP_MAX_SEQUENCES 64
#define STOP_MAX_BYTES     4096 /* of one sequence */

struct stop_scanner;

/* Each sequence is UTF-8, at least a byte long; copied. `n` may be 0: then all text passes. */
struct stop_scanner *stop_new(const char *const *sequences, size_t n,
                              const struct forma_allocator *allocator, struct forma_error *err);
void stop_free(struct stop_scanner *s);

/* The most bytes that one call of stop_push or stop_flush lets out. */
size_t stop_capacity(const struct stop_scanner *s);

/* Adds a byte. `may_end`: may the text end just before it? A sequence that begins where the text
 * may not end is text like any other. Writes what is let out, sets *n_out; returns the index of
 * the sequence that ends the text here, or -1. After that nothing is held. */
int stop_push(struct stop_scanner *s, unsigned char byte, bool may_end, char *out, size_t *n_out);

/* The text has ended otherwise: lets out what was held. Returns its length. */
size_t stop_flush(struct stop_scanner *s, char *out);

#endif
