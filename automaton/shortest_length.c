/* SPDX-License-Identifier: MIT
 *
 * How long is the shortest text? A* over the machine's states: buckets by the least total length
 * that a state promises, the deepest state of a bucket first. A state that a shorter way reaches
 * later is looked at again, so a bound that is not consistent does no harm.
 */
#include "automaton/shortest_internal.h"

static uint32_t state_hash(struct state at) {
    return fa_hash_mix(at.context, at.region);
}

uint32_t shortest_find_reached(const struct shortest *s, struct state at) {
    for (struct table_probe p = table_probe(&s->reached_table, state_hash(at));
         table_next(&s->reached_table, &p);)
        if (state_equal(s->reached.data[p.id].state, at)) return p.id;
    return NO_NODE;
}

/* Lists of nodes by promised length, from s->least to limit - 1. */
struct buckets {
    uint32_t *heads;
    uint64_t first, n;
};

/* The state is reached at `cost`, on a way that promises no less than `promised` in all. */
static bool reach(struct shortest *s, struct buckets *b, struct state at, uint64_t cost,
                  uint64_t promised) {
    uint32_t id = shortest_find_reached(s, at);
    if (id != NO_NODE && s->reached.data[id].cost <= cost) return true;
    uint64_t rest = shortest_bound(s, at),
             total = rest > UINT64_MAX - cost ? UINT64_MAX : cost + rest;
    if (total < promised) total = promised;
    if (total >= b->first + b->n) return true; /* no shorter than what is known */
    if (!ARENA_VEC_GROW(&s->arena, &s->reached)) return false;
    /* One entry for each time that a state is listed; the first of them is found, and knows. */
    uint32_t entry = s->reached.count++, *head = &b->heads[total - b->first];
    s->reached.data[entry] = (struct reached){.state = at, .cost = cost, .next = *head};
    *head = entry;
    if (id == NO_NODE) return table_add(&s->reached_table, state_hash(at), entry);
    s->reached.data[id].cost = cost;
    s->reached.data[id].expanded = false;
    return true;
}

/* A state of the lowest bucket from *total on; NO_NODE: none is left. */
static uint32_t pop(struct shortest *s, struct buckets *b, uint64_t *total) {
    for (; *total < b->n; ++*total) {
        while (b->heads[*total] != NO_NODE) {
            const struct reached *r = &s->reached.data[b->heads[*total]];
            b->heads[*total] = r->next;
            uint32_t id = shortest_find_reached(s, r->state);
            if (!s->reached.data[id].expanded) return id;
        }
    }
    return NO_NODE;
}

bool shortest_find_length(struct shortest *s, uint64_t limit) {
    struct buckets b = {.first = s->least, .n = limit > s->least ? limit - s->least : 0};
    uint64_t total = 0;
    if (b.n == 0) return true;
    b.heads = b.n < UINT32_MAX ? arena_push_array(&s->arena, b.n, sizeof *b.heads) : NULL;
    if (!b.heads) return false;
    for (uint64_t i = 0; i < b.n; i++) b.heads[i] = NO_NODE;
    if (!reach(s, &b, s->start, 0, b.first)) return false;
    for (;;) {
        uint32_t id = pop(s, &b, &total);
        s->least = b.first + total;
        if (id == NO_NODE) return true;
        struct reached at = s->reached.data[id];
        if (s->machine->ops->accepts(s->machine, at.state)) {
            s->least = at.cost;
            return true;
        }
        s->reached.data[id].expanded = true;
        for (unsigned byte = 0; byte < 256; byte++) {
            if (!shortest_may_go_on(s)) return false;
            struct state next = shortest_step(s, at.state, byte);
            if (!state_is_dead(next) && !reach(s, &b, next, at.cost + 1, s->least)) return false;
        }
    }
}
