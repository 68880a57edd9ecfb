/* SPDX-License-Identifier: MIT
 *
 * struct forma_grammar: a compiled form, which is a machine and the memory that it lives in. Made
 * by the schema layer, used by matchers. Shared by threads through the machine's lock.
 */
#ifndef FORMA_AUTOMATON_GRAMMAR_H
#define FORMA_AUTOMATON_GRAMMAR_H

#include "automaton/machine.h"
#include "base/alloc.h"

/* Takes the machine in (it is destroyed with the grammar). `cache`: see grammar_share. NULL: no
 * memory, machine untouched. */
struct forma_grammar *grammar_new(struct machine *machine, struct forma_cache *cache,
                                  const struct forma_allocator *allocator);

struct machine *grammar_machine(struct forma_grammar *g);

/* Where the masks of all of its matchers go, and under which number (0: none yet). The machine's lock
 * protects the number. The cache is borrowed: it outlives the grammar. */
struct grammar_share {
    struct forma_cache *cache; /* may be NULL */
    uint32_t number;
};
struct grammar_share *grammar_share(struct forma_grammar *g);

#endif
