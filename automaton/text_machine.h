/* SPDX-License-Identifier: MIT
 *
 * The machine that reads a raw text for a regular language: no quotes, no escapes, UTF-8 as it
 * comes. A state's region is the residual language, its context is always the same. A state is dead
 * unless the text can still be completed by characters that can be written.
 *
 * Made empty, given a language through its store, then started. All memory is one arena over
 * reserved address space, as in json_machine.h. Callers hold machine->lock once it is shared.
 */
#ifndef FORMA_AUTOMATON_TEXT_MACHINE_H
#define FORMA_AUTOMATON_TEXT_MACHINE_H

#include "automaton/machine.h"
#include "automaton/regex.h"

struct text_machine;

struct text_machine_options {
    const bool *alphabet; /* 256 flags; NULL = every byte */
    size_t max_memory;
    uint64_t max_work;                       /* steps of one search for a completion */
    const struct forma_allocator *allocator; /* not NULL */
};

struct text_machine *text_machine_new(const struct text_machine_options *options,
                                      struct forma_error *err);
void text_machine_free(struct text_machine *m);
struct machine *text_machine_base(struct text_machine *m);
struct regex_store *text_machine_regex(struct text_machine *m);

/* FORMA_EUNSAT when no text of the language can be written, FORMA_ELIMIT past a limit. */
enum forma_status text_machine_start(struct text_machine *m, term_id language,
                                     struct forma_error *err);

#endif
