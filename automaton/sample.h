/* SPDX-License-Identifier: MIT
 *
 * Texts of a form without a model: test data. A text is drawn byte by byte from those that the
 * machine lets come, by a policy that makes texts look written rather than random: first the kind of
 * what comes (a letter, a digit, a bracket, an escape), then the byte; lengths are geometric; a mood
 * drawn for each text makes some sparse and some full. What no byte shows, such as the names that
 * an object declares, the machine suggests (machine_ops.suggest).
 *
 * Every text ends whole and within max_length: now and then the known completion is measured; when
 * it no longer fits, the text goes back to where it did, and in the end the completion is followed.
 *
 * Only integers are drawn and compared, so a seed gives the same text everywhere. One owner; the
 * machine's lock is taken inside.
 */
#ifndef FORMA_AUTOMATON_SAMPLE_H
#define FORMA_AUTOMATON_SAMPLE_H

#include "automaton/machine.h"
#include "base/rng.h"

#define SAMPLE_MAX_LENGTH ((size_t)1 << 30)

enum sample_characters { SAMPLE_PLAIN, SAMPLE_MIXED, SAMPLE_WILD };
enum sample_blanks { SAMPLE_NO_BLANKS, SAMPLE_SPACES, SAMPLE_ANY_BLANKS };

/* What the parts of one text have in common. */
struct sample_mood {
    unsigned fullness; /* of 256: how readily there is more, where there may be */
    unsigned length;   /* mean length of strings that may have any */
    unsigned digits;   /* the same of numbers */
    enum sample_characters characters;
    enum sample_blanks blanks;
};

struct sample_maker;

/* Texts of at most max_length bytes (1 to SAMPLE_MAX_LENGTH). The machine must outlive the maker.
 * NULL with FORMA_EINVAL where the shortest text that is known is longer (the message says how
 * long), with FORMA_EMEMORY or FORMA_ELIMIT. */
struct sample_maker *sample_maker_new(struct machine *machine, size_t max_length,
                                      const struct forma_allocator *allocator,
                                      struct forma_error *err);
/* The text of a seed; it lasts until the next call. FORMA_ELIMIT: the machine has used up its
 * memory or states. */
enum forma_status sample_draw(struct sample_maker *d, uint64_t seed, const unsigned char **text,
                              size_t *length, struct forma_error *err);
void sample_maker_free(struct sample_maker *d);

#endif
