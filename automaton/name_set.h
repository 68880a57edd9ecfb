/* SPDX-License-Identifier: MIT
 *
 * Persistent sets of names: binary tries over the bits of the name id, lowest bit first, with a
 * leaf as high as it can stand. The shape is a function of the content and nodes are
 * hash-consed, so equal sets have equal ids, and adding to a set of n names costs O(log n) memory
 * and time: a long object does not cost its length squared.
 */
#ifndef FORMA_AUTOMATON_NAME_SET_H
#define FORMA_AUTOMATON_NAME_SET_H

#include "base/hash.h"

typedef uint32_t name_set;
#define NAME_SET_EMPTY 0u

struct name_set_store {
    struct arena *arena;
    struct table table;
    ARENA_VEC(struct name_set_node) nodes;
};

struct name_set_node {
    uint32_t name;      /* of a leaf; UINT32_MAX: inner node */
    name_set zero, one; /* of an inner node: names with the next bit 0, 1 */
};

bool name_set_store_init(struct name_set_store *s, struct arena *arena);
name_set name_set_add(struct name_set_store *s, name_set set, uint32_t name);
bool name_set_has(const struct name_set_store *s, name_set set, uint32_t name);
/* Is every name of a in b? */
bool name_set_within(const struct name_set_store *s, name_set a, name_set b);
/* Visits every name; stops when visit returns false. */
void name_set_visit(const struct name_set_store *s, name_set set,
                    bool (*visit)(void *ctx, uint32_t name), void *ctx);

#endif
