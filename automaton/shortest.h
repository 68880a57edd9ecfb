/* SPDX-License-Identifier: MIT
 *
 * The texts of a form from the shortest one on: by length in bytes, equal lengths by byte order.
 *
 * Whether a text is the shortest is a search over the machine's states, which are interned, so that
 * each is looked at once. The machine gives a lower bound on what is missing in a state
 * (machine_ops.at_least); where it is exact the search walks straight to the text. In general the
 * question is as hard as satisfiability, so it may look at `max_work` states, and at a few more for
 * each byte of the known completion; past that the answer is some text, and says that it is not proven
 * to be the next.
 *
 * One owner; the machine's lock is taken inside. States stay in the machine: memory grows.
 */
#ifndef FORMA_AUTOMATON_SHORTEST_H
#define FORMA_AUTOMATON_SHORTEST_H

#include "automaton/machine.h"

#define SHORTEST_DEFAULT_WORK UINT64_C(250000)

struct shortest;

struct shortest_text {
    const unsigned char *text; /* lasts until the next call; NULL: there is no other */
    size_t length;
    bool proven;     /* no other text that was not given yet comes before it; of NULL: the form has
                       * no more */
    unsigned limits; /* not proven: the bits of enum forma_limit to raise */
};

/* The machine must outlive it. `cancel` (may be NULL) is polled. NULL: no memory. */
struct shortest *shortest_new(struct machine *machine, uint64_t max_work,
                              const volatile bool *cancel, const struct forma_allocator *allocator,
                              struct forma_error *err);
/* The same for texts that complete the one that has led to state `from`, which is to stay. */
struct shortest *shortest_new_at(struct machine *machine, struct state from, uint64_t max_work,
                                 const volatile bool *cancel,
                                 const struct forma_allocator *allocator, struct forma_error *err);
/* FORMA_EINVAL where it is plain that all texts have more than max_length bytes, and many: how long
 * the shortest is exactly may then be a long search. */
enum forma_status shortest_check_length(struct shortest *s, size_t max_length,
                                        struct forma_error *err);
/* The next text. One that is not proven is the last. FORMA_ELIMIT: the machine has used up its
 * memory; FORMA_ECANCELLED. */
enum forma_status shortest_next(struct shortest *s, struct shortest_text *out,
                                struct forma_error *err);
void shortest_free(struct shortest *s);

#endif
