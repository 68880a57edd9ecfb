/* SPDX-License-Identifier: MIT
 *
 * Partitions of the bytes: bytes of one class lead to the same place. Interned in the store, so that
 * equal ones are one pointer, and few: a partition is made in some thousand steps, found in some
 * dozen. NULL on failure.
 */
#ifndef FORMA_AUTOMATON_REGEX_PARTITION_H
#define FORMA_AUTOMATON_REGEX_PARTITION_H

#include "automaton/regex.h"

/* Classes are numbered by the byte that represents them best. */
struct partition {
    const unsigned char *classes; /* by byte */
    const unsigned char *best;    /* one byte of each class */
    uint32_t id;                  /* small numbers */
    uint32_t n;
};

/* Bytes of equal value are a class. */
const struct partition *partition_intern(struct regex_store *s, const uint32_t value[256]);
/* The coarsest that refines both; NULL if one is NULL. */
const struct partition *partition_meet(struct regex_store *s, const struct partition *p,
                                       const struct partition *q);
/* By regex_partial_step; `set` as there. */
const struct partition *partition_of_place(struct regex_store *s, uint32_t set, partial_id p);
/* By regex_derive. */
const struct partition *term_partition(struct regex_store *s, term_id t);

#endif
