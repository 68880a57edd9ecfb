/* SPDX-License-Identifier: MIT
 *
 * Rows of next states, filled on demand: for each state a map from bytes to classes, which states
 * share, and the next state by class. Rows live in a pool of fixed size beside the arena's budget;
 * when it is used up all of them are dropped and made again as needed. States stay.
 *
 * Ids of states are small numbers that the caller gives. One owner; a step is two loads.
 */
#ifndef FORMA_AUTOMATON_BYTE_ROWS_H
#define FORMA_AUTOMATON_BYTE_ROWS_H

#include "base/arena.h"

struct byte_row {
    const unsigned char *classes; /* NULL = no row */
    uint32_t *next;               /* 0 = not known yet, else state + 1 */
};

struct byte_rows {
    struct arena *arena;
    ARENA_VEC(struct byte_row) rows; /* by state */
    uint32_t *pool;
    size_t used, size; /* cells of it */
};

/* Takes a 16th of the arena's size for the pool, 64 MiB at most: touched only when used. */
bool byte_rows_init(struct byte_rows *r, struct arena *arena);

/* True, and the state behind the byte, if that is known. */
static inline bool byte_rows_find(const struct byte_rows *r, uint32_t state, unsigned char byte,
                                  uint32_t *next) {
    if (state >= r->rows.count) return false;
    const struct byte_row *row = &r->rows.data[state];
    uint32_t found = row->classes ? row->next[row->classes[byte]] : 0;
    *next = found - 1;
    return found != 0;
}

/* Makes a row for a state that has none. `classes` < n must live as long as the rows. */
void byte_rows_open(struct byte_rows *r, uint32_t state, const unsigned char *classes, unsigned n);
static inline bool byte_rows_is_open(const struct byte_rows *r, uint32_t state) {
    return state < r->rows.count && r->rows.data[state].classes;
}
/* For all bytes of the class, if there is a row. */
void byte_rows_keep(struct byte_rows *r, uint32_t state, unsigned char byte, uint32_t next);

#endif
