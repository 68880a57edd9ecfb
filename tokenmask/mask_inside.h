/* SPDX-License-Identifier: MIT
 *
 * Which tokens stay inside a string that has rules (a pattern, an enum, a format). Walking all of
 * the vocabulary would be tens of thousands of steps, most of them through text that the string
 * does not mind. So first a *plan* is made at the place: a set S of byte classes such that whatever
 * characters of S come, up to some number, the place behind them is alive. The tokens made of S are
 * a row that depends on S alone (and is kept); then only those subtrees of the trie are walked that
 * hold a byte which may come somewhere but is not in S, or more characters than the plan knows of.
 *
 * Bounds on the length of the string are taken out of the automaton first: places behind them would
 * differ with every character. Then a token fits if it is alive without them and the characters that
 * must come behind it fit, too.
 *
 * The plan is found by looking at all places that S leads to (a few for most patterns); where one
 * of them cannot read some of S, S is made smaller, or, where none can be read any more, the number
 * of characters is the end. Everything is found by stepping; nothing is assumed of the automaton.
 */
#ifndef FORMA_TOKENMASK_MASK_INSIDE_H
#define FORMA_TOKENMASK_MASK_INSIDE_H

#include "automaton/machine.h"
#include "tokenmask/string_tokens.h"

struct inside_scratch;

/* NULL: no memory. One owner. It knows places of one machine; for another it must be cleared. */
struct inside_scratch *inside_scratch_new(const struct string_tokens *tokens, uint32_t max_depth,
                                          const struct forma_allocator *allocator);
void inside_scratch_free(struct inside_scratch *s); /* NULL is fine */

void inside_scratch_clear(struct inside_scratch *s);

/* The row of all inside tokens that keep the string alive from view->inside. */
void inside_fill(struct inside_scratch *s, struct machine *machine, const struct string_view *view,
                 uint32_t *row);
/* The definition: every token is walked. */
void inside_fill_slow(struct inside_scratch *s, struct machine *machine, uint32_t place,
                      uint32_t *row);

#endif
