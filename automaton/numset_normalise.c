/* SPDX-License-Identifier: MIT
 *
 * Making an AND: it is flattened and sorted; of its bounds the strongest stay; multiples become
 * their least common multiple; a finite list is filtered by everything else. By complement the
 * same holds for OR.
 */
#include "automaton/number_internal.h"

#include <stdlib.h>
#include <string.h>

#define LCM_DIGITS_MAX 1000 /* longer ones are left as separate atoms */

struct conjunction {
    numset_id *kids;
    uint32_t n, capacity;
    bool none; /* known to be empty */
};

static int compare_ids(const void *a, const void *b) {
    numset_id x = *(const numset_id *)a, y = *(const numset_id *)b;
    return (x > y) - (x < y);
}

static void flatten(struct number_store *s, const numset_id *sets, size_t n,
                    struct conjunction *c) {
    for (size_t i = 0; i < n; i++) {
        const struct set_node *k = set_node(s, sets[i]);
        if (sets[i] == NUMSET_NONE) c->none = true;
        if (sets[i] <= NUMSET_ALL) continue;
        if (k->kind == SET_AND && !(sets[i] & 1)) {
            memcpy(c->kids + c->n, k->kids, k->n * sizeof *k->kids);
            c->n += k->n;
        } else {
            c->kids[c->n++] = sets[i];
        }
    }
    if (!c->n) return;
    qsort(c->kids, c->n, sizeof *c->kids, compare_ids);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < c->n; i++) {
        if (c->kids[i] == (c->kids[kept - 1] ^ 1)) c->none = true;
        if (c->kids[i] != c->kids[kept - 1]) c->kids[kept++] = c->kids[i];
    }
    c->n = kept;
}

static bool is_lower(const struct number_store *s, numset_id a) {
    const struct set_node *k = set_node(s, a);
    return !(a & 1) && (k->kind == SET_AT_LEAST || k->kind == SET_ABOVE);
}

static bool is_upper(const struct number_store *s, numset_id a) {
    return is_lower(s, a ^ 1);
}

/* Of two lower bounds (or two upper ones) the one that implies the other. */
static numset_id stronger(const struct number_store *s, numset_id a, numset_id b) {
    const struct set_node *x = set_node(s, a), *y = set_node(s, b);
    int c = decimal_compare(&x->c, &y->c);
    if (c) return (c > 0) == !(a & 1) ? a : b;
    /* same constant: above is stronger than at least; not at least stronger than not above */
    return (x->kind == SET_ABOVE) == !(a & 1) ? a : b;
}

/* Keeps the strongest bounds; equal ones become a single value. */
static void join_bounds(struct number_store *s, struct conjunction *c) {
    numset_id lower = NUMSET_ALL, upper = NUMSET_ALL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        numset_id a = c->kids[i];
        if (is_lower(s, a))
            lower = lower == NUMSET_ALL ? a : stronger(s, lower, a);
        else if (is_upper(s, a))
            upper = upper == NUMSET_ALL ? a : stronger(s, upper, a);
        else
            c->kids[kept++] = a;
    }
    c->n = kept;
    if (lower != NUMSET_ALL && upper != NUMSET_ALL) {
        const struct set_node *l = set_node(s, lower), *u = set_node(s, upper);
        int order = decimal_compare(&l->c, &u->c);
        if (order > 0 || (order == 0 && (l->kind == SET_ABOVE || u->kind == SET_AT_LEAST))) {
            c->none = true;
            return;
        }
        if (order == 0) {
            struct decimal value = l->c;
            c->kids[c->n++] = numset_values(s, &value, 1);
            return;
        }
    }
    if (lower != NUMSET_ALL) c->kids[c->n++] = lower;
    if (upper != NUMSET_ALL) c->kids[c->n++] = upper;
}

/* Positive multiples become one; a negated one that it implies makes the set empty. */
static void join_multiples(struct number_store *s, struct conjunction *c) {
    numset_id all = NUMSET_ALL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        numset_id a = c->kids[i];
        if (set_node(s, a)->kind == SET_MULTIPLE && !(a & 1)) {
            struct decimal lcm;
            if (all == NUMSET_ALL) {
                all = a;
                continue;
            }
            size_t mark = scratch_mark(s);
            bool joined =
                decimal_lcm(&s->scratch, &set_node(s, all)->c, &set_node(s, a)->c, &lcm) &&
                lcm.n_digits <= LCM_DIGITS_MAX;
            if (joined) all = numset_multiple_of(s, &lcm);
            scratch_release(s, mark);
            if (joined) continue;
        }
        c->kids[kept++] = a;
    }
    c->n = kept;
    if (all == NUMSET_ALL) return;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct set_node *k = set_node(s, c->kids[i]);
        if (k->kind == SET_MULTIPLE && (c->kids[i] & 1) &&
            decimal_is_multiple(&set_node(s, all)->c, &k->c))
            c->none = true;
    }
    c->kids[c->n++] = all;
}

/* Is x in all kids but number `but`? */
static bool others_have(struct number_store *s, const struct conjunction *c, uint32_t but,
                        const struct decimal *x) {
    for (uint32_t i = 0; i < c->n; i++)
        if (i != but && !numset_contains(s, c->kids[i], x)) return false;
    return true;
}

/* The values of list number `at` that the other kids allow, as a set. */
static numset_id filter_values(struct number_store *s, const struct conjunction *c, uint32_t at) {
    struct set_node k = *set_node(s, c->kids[at]);
    size_t mark = scratch_mark(s);
    struct decimal *kept = arena_push_array(&s->scratch, k.n, sizeof *kept);
    if (!kept) { /* a long list */
        scratch_release(s, mark);
        kept = arena_push_array(s->arena, k.n, sizeof *kept);
        if (!kept) return NUMSET_NONE;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < k.n; i++)
        if (others_have(s, c, at, &k.values[i])) kept[n++] = k.values[i];
    numset_id id = n == k.n ? c->kids[at] & ~1u : numset_values(s, kept, n);
    scratch_release(s, mark);
    return id;
}

/* Several excluded lists become one. */
static void join_excluded(struct number_store *s, struct conjunction *c) {
    uint32_t kept = 0;
    size_t total = 0, lists = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (set_node(s, c->kids[i])->kind == SET_VALUES) {
            total += set_node(s, c->kids[i])->n;
            lists++;
        }
    if (lists < 2) return;
    struct decimal *values = arena_push_array(s->arena, total, sizeof *values);
    if (!values) return;
    total = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct set_node *k = set_node(s, c->kids[i]);
        if (k->kind != SET_VALUES) {
            c->kids[kept++] = c->kids[i];
            continue;
        }
        memcpy(values + total, k->values, k->n * sizeof *values);
        total += k->n;
    }
    c->n = kept;
    c->kids[c->n++] = numset_values(s, values, total) ^ 1;
}

static numset_id finish(struct number_store *s, struct conjunction *c) {
    for (uint32_t i = 0; i < c->n; i++) /* a finite list: the others only filter it */
        if (set_node(s, c->kids[i])->kind == SET_VALUES && !(c->kids[i] & 1))
            return filter_values(s, c, i);
    join_excluded(s, c);
    for (uint32_t i = 0; i < c->n; i++) {
        if (set_node(s, c->kids[i])->kind != SET_VALUES) continue;
        numset_id excluded = filter_values(s, c, i) ^ 1;
        if (excluded == NUMSET_ALL)
            c->kids[i] = c->kids[--c->n];
        else
            c->kids[i] = excluded;
        break;
    }
    if (!c->n) return NUMSET_ALL;
    if (c->n == 1) return c->kids[0];
    qsort(c->kids, c->n, sizeof *c->kids, compare_ids);
    struct set_node k = {.kind = SET_AND, .kids = c->kids, .n = c->n};
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t depth = set_node(s, c->kids[i])->depth + 1;
        if (depth > k.depth) k.depth = depth;
    }
    return numset_intern(s, k);
}

numset_id numset_and(struct number_store *s, const numset_id *sets, size_t n) {
    size_t room = 4, mark = scratch_mark(s);
    for (size_t i = 0; i < n; i++) {
        const struct set_node *k = set_node(s, sets[i]);
        if (k->kind == SET_WRITTEN) return numset_written_and(s, sets, n);
        room += k->kind == SET_AND ? k->n : 1;
    }
    struct conjunction c = {0};
    c.kids = arena_push_array(&s->scratch, room, sizeof *c.kids);
    if (!c.kids) {
        scratch_release(s, mark);
        c.kids = arena_push_array(s->arena, room, sizeof *c.kids);
        if (!c.kids) return NUMSET_NONE;
    }
    flatten(s, sets, n, &c);
    if (!c.none) join_bounds(s, &c);
    if (!c.none) join_multiples(s, &c);
    numset_id id = c.none ? NUMSET_NONE : finish(s, &c);
    scratch_release(s, mark);
    return id;
}

numset_id numset_or(struct number_store *s, const numset_id *sets, size_t n) {
    size_t mark = scratch_mark(s);
    numset_id *kids = arena_push_array(&s->scratch, n + 1, sizeof *kids);
    if (!kids) {
        scratch_release(s, mark);
        kids = arena_push_array(s->arena, n + 1, sizeof *kids);
        if (!kids) return NUMSET_NONE;
    }
    for (size_t i = 0; i < n; i++) kids[i] = sets[i] ^ 1;
    numset_id id = numset_and(s, kids, n) ^ 1;
    scratch_release(s, mark);
    return s->arena->failed ? NUMSET_NONE : id;
}
