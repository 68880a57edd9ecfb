/* SPDX-License-Identifier: MIT
 *
 * Ctrl-C (or SIGTERM): long work ends early and tells what there is, with exit status 130. A second
 * one ends the program at once.
 */
#ifndef FORMA_CLI_INTERRUPT_H
#define FORMA_CLI_INTERRUPT_H

#include <stdbool.h>

/* Call when there is something to tell; until then an interrupt ends the program. */
void interrupt_catch(void);
/* True from the first one on. */
bool interrupt_came(void);
/* The same, for who polls a flag. */
const volatile bool *interrupt_flag(void);

#endif
