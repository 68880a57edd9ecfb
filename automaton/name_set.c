/* SPDX-License-Identifier: MIT */
#include "automaton/name_set.h"

#define INNER UINT32_MAX

bool name_set_store_init(struct name_set_store *s, struct arena *arena) {
    s->arena = arena;
    s->nodes.data = NULL;
    s->nodes.count = s->nodes.capacity = 0;
    if (!table_init(&s->table, arena, 16) || !ARENA_VEC_GROW(arena, &s->nodes)) return false;
    s->nodes.data[s->nodes.count++] = (struct name_set_node){INNER, 0, 0}; /* the empty set */
    return true;
}

static name_set intern(struct name_set_store *s, struct name_set_node n) {
    uint32_t hash = fa_hash_mix(fa_hash_mix(n.name, n.zero), n.one);
    for (struct table_probe p = table_probe(&s->table, hash); table_next(&s->table, &p);) {
        const struct name_set_node *m = &s->nodes.data[p.id];
        if (m->name == n.name && m->zero == n.zero && m->one == n.one) return p.id;
    }
    if (!ARENA_VEC_GROW(s->arena, &s->nodes) || !table_add(&s->table, hash, s->nodes.count))
        return NAME_SET_EMPTY;
    s->nodes.data[s->nodes.count] = n;
    return s->nodes.count++;
}

static name_set leaf(struct name_set_store *s, uint32_t name) {
    return intern(s, (struct name_set_node){name, 0, 0});
}

/* Two different names below one node at depth `bit`: a chain down to the lowest bit in which they
 * differ, made from its end. (Written as a recursion on `bit` it comes out wrong from gcc 12 -O2:
 * its value range propagation takes both bits as different at once.) */
static name_set two(struct name_set_store *s, uint32_t a, uint32_t b, unsigned bit) {
    unsigned split = (unsigned)__builtin_ctz(a ^ b);
    bool a_one = a >> split & 1;
    name_set set =
        intern(s, (struct name_set_node){INNER, leaf(s, a_one ? b : a), leaf(s, a_one ? a : b)});
    for (unsigned i = split; i > bit; i--) {
        bool one = a >> (i - 1) & 1;
        set = intern(s, (struct name_set_node){INNER, one ? NAME_SET_EMPTY : set,
                                               one ? set : NAME_SET_EMPTY});
    }
    return set;
}

static name_set add(struct name_set_store *s, name_set set, uint32_t name, unsigned bit) {
    if (set == NAME_SET_EMPTY) return leaf(s, name);
    struct name_set_node n = s->nodes.data[set];
    if (n.name != INNER) return n.name == name ? set : two(s, n.name, name, bit);
    if (name >> bit & 1)
        n.one = add(s, n.one, name, bit + 1);
    else
        n.zero = add(s, n.zero, name, bit + 1);
    return intern(s, n);
}

name_set name_set_add(struct name_set_store *s, name_set set, uint32_t name) {
    return add(s, set, name, 0);
}

static bool has_from(const struct name_set_store *s, name_set set, uint32_t name, unsigned bit) {
    for (; set != NAME_SET_EMPTY; bit++) {
        const struct name_set_node *n = &s->nodes.data[set];
        if (n->name != INNER) return n->name == name;
        set = name >> bit & 1 ? n->one : n->zero;
    }
    return false;
}

bool name_set_has(const struct name_set_store *s, name_set set, uint32_t name) {
    return has_from(s, set, name, 0);
}

static bool within(const struct name_set_store *s, name_set a, name_set b, unsigned bit) {
    if (a == b || a == NAME_SET_EMPTY) return true;
    if (b == NAME_SET_EMPTY) return false;
    const struct name_set_node *x = &s->nodes.data[a], *y = &s->nodes.data[b];
    if (x->name != INNER) return has_from(s, b, x->name, bit);
    if (y->name != INNER) return false; /* an inner node holds more than one */
    return within(s, x->zero, y->zero, bit + 1) && within(s, x->one, y->one, bit + 1);
}

bool name_set_within(const struct name_set_store *s, name_set a, name_set b) {
    return within(s, a, b, 0);
}

void name_set_visit(const struct name_set_store *s, name_set set,
                    bool (*visit)(void *ctx, uint32_t name), void *ctx) {
    name_set stack[40]; /* at most one waiting sibling a bit */
    unsigned n = 0;
    if (set != NAME_SET_EMPTY) stack[n++] = set;
    while (n) {
        const struct name_set_node *node = &s->nodes.data[stack[--n]];
        if (node->name != INNER) {
            if (!visit(ctx, node->name)) return;
            continue;
        }
        if (node->one != NAME_SET_EMPTY) stack[n++] = node->one;
        if (node->zero != NAME_SET_EMPTY) stack[n++] = node->zero;
    }
}
