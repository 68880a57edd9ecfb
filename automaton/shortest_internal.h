/* SPDX-License-Identifier: MIT
 *
 * What the two searches share: shortest_length.c finds how long the shortest text is,
 * shortest.c writes down the texts of one length after the other.
 */
#ifndef FORMA_AUTOMATON_SHORTEST_INTERNAL_H
#define FORMA_AUTOMATON_SHORTEST_INTERNAL_H

#include "automaton/shortest.h"
#include "base/hash.h"

#define NO_NODE UINT32_MAX

/* A state that the first search has reached. */
struct reached {
    struct state state;
    uint64_t cost; /* bytes of the shortest way to it that is known */
    uint32_t next; /* in its bucket */
    bool expanded; /* with this cost */
};

/* (state, rest): no text goes on from the state for exactly `rest` bytes. */
struct barren {
    struct state state;
    uint64_t rest;
    bool longer; /* but some do for more */
};

/* A byte on the way: the state before it, the next byte to try. */
struct way {
    struct state state;
    uint16_t next;
    bool found, longer;
};

struct shortest {
    struct machine *machine;
    struct state start; /* what is completed */
    const struct forma_allocator *allocator;
    struct arena arena;
    const volatile bool *cancel;
    uint64_t work, max_work; /* live states looked at */
    unsigned narrowed;       /* limits that the machine met meanwhile */
    bool cancelled;

    ARENA_VEC(struct reached) reached;
    struct table reached_table;
    uint64_t least; /* a text has at least that many bytes: what `reached` says holds for it */

    ARENA_VEC(struct barren) barren;
    struct table barren_table;
    ARENA_VEC(struct way) ways;
    unsigned char *text; /* address space of `capacity` bytes */
    size_t capacity;
    uint64_t length; /* of the texts that are being written */
    bool longer;     /* there are longer ones */

    unsigned char *known; /* the machine's completion, once made */
    size_t known_length;
    enum { SHORTEST_NEW, SHORTEST_WRITING, SHORTEST_DONE } phase;
};

/* The step; a live state that it leads to is work. */
struct state shortest_step(struct shortest *s, struct state from, unsigned byte);
/* False when the work is used up, or memory, or the search is cancelled. */
bool shortest_may_go_on(struct shortest *s);
/* No way from the state to an end is shorter. */
uint64_t shortest_bound(struct shortest *s, struct state at);
uint32_t shortest_find_reached(const struct shortest *s, struct state at);

/* Sets s->least to the length of the shortest text if it is below `limit`, else to `limit`. False:
 * past a limit; s->least is then what is proven. */
bool shortest_find_length(struct shortest *s, uint64_t limit);

#endif
