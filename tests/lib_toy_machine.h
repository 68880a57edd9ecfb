/* SPDX-License-Identifier: MIT
 *
 * A machine small enough to be obviously right, for tests of what stands above machines: values of
 * nested [ ] and { } (up to 20 deep, separated by commas), numbers of digits, and strings of
 * well-formed UTF-8 without control characters and escapes. Its context is the stack of brackets
 * as bits below a leading 1, so nothing is interned.
 */
#ifndef FORMA_TESTS_TOY_MACHINE_H
#define FORMA_TESTS_TOY_MACHINE_H

#include "automaton/grammar.h"

struct toy_machine {
    struct machine machine;
    bool narrow_on_7; /* the digit 7 counts as a search that gave up */
    bool fail_on_8;   /* the digit 8 counts as memory that ran out */
    bool plain_bytes; /* strings take any byte from 0x80 up, well-formed or not */
};

/* The machine is the caller's and must outlive the grammar. NULL: no memory. */
struct forma_grammar *toy_grammar(struct toy_machine *toy);

#endif
