/* SPDX-License-Identifier: MIT
 *
 * Sets of numbers and the machine that reads a JSON number text for several of them at once.
 * A set is a hash-consed boolean combination of: x >= c, x > c, x is a multiple of m, x is one of
 * a finite list, and one that asks about the text instead of the value: x is written whole (no
 * fraction, no exponent). All arithmetic is exact on the decimal digits. A *number state* is the text read
 * so far, reduced to what still matters, together with a tuple of sets: goal 0 is the demand and
 * decides viability, the others are tracked for their verdict. A state is dead (0) unless some
 * completion of the text is a number in goal 0 *that the style may write*; viability is exact.
 *
 * Styles: `plain` writes no exponent, no fraction that ends in 0, no "-0"; `any` is all of JSON
 * (RFC 8259, section 6). In `any`, "1.0" and "1e0" equal 1.
 *
 * Memory is the caller's arena (sticky failure: functions return the dead state / NUMSET_NONE).
 * One owner; no locks.
 */
#ifndef FORMA_AUTOMATON_NUMBER_H
#define FORMA_AUTOMATON_NUMBER_H

#include <stdio.h>

#include "base/decimal.h"

typedef uint32_t numset_id;
#define NUMSET_NONE 0u
#define NUMSET_ALL  1u

typedef uint32_t number_state;
#define NUMBER_DEAD 0u

struct number_store;

/* `alphabet[b]`: can byte b be written? (256 entries, copied.) `any_form`: style. */
struct number_store *number_store_new(struct arena *arena, const bool alphabet[256], bool any_form);

/* ---- sets ---------------------------------------------------------------------------------- */
numset_id numset_at_least(struct number_store *s, const struct decimal *c);
numset_id numset_above(struct number_store *s, const struct decimal *c);
numset_id numset_multiple_of(struct number_store *s, const struct decimal *m); /* m > 0 */
/* Exactly these values (order and duplicates do not matter). */
numset_id numset_values(struct number_store *s, const struct decimal *values, size_t n);
/* Those written without fraction and exponent: 1 and -0, not 1.0, not 1e0. In `plain` these are
 * the integers. */
numset_id numset_written_whole(struct number_store *s);
/* Splits the numbers so that no set made so far tells spellings of one value apart within a part:
 * into those written whole and the others, or (returns 1) not at all. */
unsigned numset_spellings(struct number_store *s, numset_id out[2]);
numset_id numset_and(struct number_store *s, const numset_id *sets, size_t n);
numset_id numset_or(struct number_store *s, const numset_id *sets, size_t n);
numset_id numset_not(struct number_store *s, numset_id a);

/* Is x in the set, in some spelling? */
bool numset_contains(struct number_store *s, numset_id a, const struct decimal *x);

enum numset_answer { NUMSET_NO, NUMSET_YES, NUMSET_LIMIT };
/* Is there a number in the set that can be written? Exact; *work counts steps, NUMSET_LIMIT past
 * `limit`. Memoised. */
enum numset_answer numset_has_value(struct number_store *s, numset_id a, uint64_t *work,
                                    uint64_t limit);
/* Are there infinitely many values (not spellings) in the set that can be written? Exact, but
 * NUMSET_LIMIT past the limit, and where some digit cannot be written and all values are too many
 * to look at. */
enum numset_answer numset_is_infinite(struct number_store *s, numset_id a, uint64_t *work,
                                      uint64_t limit);
/* The values of a finite set that can be written, up to `capacity` of them, in an order that is
 * always the same; their digits live in the store's arena. Returns how many. *more: NUMSET_NO,
 * these are all; NUMSET_YES, there are others, too (of an infinite set none is listed);
 * NUMSET_LIMIT, not known. */
size_t numset_enumerate(struct number_store *s, numset_id a, struct decimal *out, size_t capacity,
                        enum numset_answer *more, uint64_t *work, uint64_t limit);

/* ---- reading a number ---------------------------------------------------------------------- */

/* Before the first byte. goals[0] is the demand. NUMBER_DEAD if it has no value, or *limited is set
 * because a limit was met before that was known. */
number_state number_begin(struct number_store *s, const numset_id *goals, size_t n_goals,
                          bool *limited);
/* `byte` out of -+.0-9eE; NUMBER_DEAD when nothing in the demand begins so, or past the limit
 * (then *limited is set to true). Memoised: a table row per state. */
number_state number_step(struct number_store *s, number_state state, unsigned char byte,
                         bool *limited);
/* So many further digits may come, whichever they are, and perhaps more: the text is then in goal 0
 * behind each. */
unsigned number_free_digits(struct number_store *s, number_state state);
/* Is the text so far a whole number in goal 0, in the style? */
bool number_may_end(struct number_store *s, number_state state);
/* Verdict of goal i on the text so far (only where number_may_end). */
bool number_verdict(struct number_store *s, number_state state, size_t goal);
/* Next byte of a completion (without a new search), or -1 where the number may end. Following it
 * ends. Only for live states. */
int number_witness_byte(struct number_store *s, number_state state);

/* A step limit for each question, default 1,000,000. */
void number_set_limit(struct number_store *s, uint64_t limit);

void numset_print(struct number_store *s, numset_id a, FILE *out);

#endif
