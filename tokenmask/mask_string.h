/* SPDX-License-Identifier: MIT
 *
 * Masks inside JSON strings and keys (machine_strings in automaton/machine.h). The tokens that stay
 * inside hang on the string's automaton alone; for most places they are a row that the vocabulary
 * has ready. The tokens that close the string are read up to the quote by the same automaton, and
 * from there the few hundred different tails are read by the machine, once for each state behind
 * a quote.
 *
 * mask_fill_slow is the definition.
 */
#ifndef FORMA_TOKENMASK_MASK_STRING_H
#define FORMA_TOKENMASK_MASK_STRING_H

#include "tokenmask/mask.h"

/* Fills the row as mask_fill does, if the state is such a place: else false, and nothing is done.
 * The row has exactly the vocabulary's words. */
bool mask_fill_string(struct machine *machine, const struct forma_vocabulary *v, struct state state,
                      struct mask_scratch *scratch, uint32_t *row);

#endif
