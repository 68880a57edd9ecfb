/* SPDX-License-Identifier: MIT
 *
 * Open arrays that only count: "at least n items meet G", "at most m items meet H", any number of
 * each, over all items to come. Unrolling a large n would take n questions inside each other; here
 * the items are planned in blocks of equal ones. A block serves as many needs as one item can, and
 * keeps out of the bounds where it can; what is still missing is filled up. A plan is a proof that
 * there is a value. That there is no plan says nothing; but needs that no item can serve together
 * add up, and a sum past a bound is a proof that there is none.
 */
#include <string.h>

#include "automaton/solver_internal.h"

#define MAX_COUNTED 32   /* needs, and bounds */
#define MAX_LISTED  4096 /* items of all blocks but the longest */

struct count {
    goal_id goal;
    uint64_t n;
};

struct block {
    witness_id item;
    uint64_t n;
};

struct plan {
    struct solver *s;
    goal_id each;
    uint64_t least, most;
    struct count needs[MAX_COUNTED], bounds[MAX_COUNTED];
    size_t n_needs, n_bounds;
    struct block blocks[MAX_COUNTED + 1];
    size_t n_blocks;
};

static bool add_count(struct count *list, size_t *n, goal_id goal, uint64_t count) {
    if (*n == MAX_COUNTED) return false;
    list[(*n)++] = (struct count){goal, count};
    return true;
}

/* False: the formula says something else, too. */
static bool read_counts(struct plan *p, goal_id f) {
    struct goal_store *g = p->s->goals;
    size_t n;
    const goal_id *literals = formula_literals(g, &f, &n);
    for (size_t i = 0; i < n; i++) {
        struct goal_node x = *node(g, literals[i]);
        if (x.kind != GOAL_KIND_PREDICATE) return false;
        struct predicate c = *predicate_get(g, x.a);
        if (c.kind != PREDICATE_COUNT_ITEMS || c.first != 0 || c.last != INDEX_UNBOUNDED)
            return false;
        if (c.goal == GOAL_TRUE) {
            if (x.sign && c.n > p->least) p->least = c.n;
            if (!x.sign && c.n - 1 < p->most) p->most = c.n - 1;
        } else if (x.sign) {
            if (!add_count(p->needs, &p->n_needs, c.goal, c.n)) return false;
        } else if (c.n == 1) {
            p->each = goal_and2(g, p->each, goal_not(g, c.goal));
        } else if (!add_count(p->bounds, &p->n_bounds, c.goal, c.n - 1)) {
            return false;
        }
    }
    return true;
}

static bool has_value(const struct plan *p, goal_id g) {
    return solver_decide(p->s, QUESTION_GOAL, g, NAME_SET_EMPTY) != WITNESS_NONE;
}

/* Do n items that meet `goal` break a bound, wherever they are taken from? */
static bool breaks_bound(const struct plan *p, goal_id goal, uint64_t n) {
    struct goal_store *g = p->s->goals;
    if (n > p->most) return true;
    for (size_t i = 0; i < p->n_bounds; i++)
        if (n > p->bounds[i].n && !has_value(p, goal_and2(g, goal, goal_not(g, p->bounds[i].goal))))
            return true;
    return false;
}

/* Is it proved that there is no array? Looks at single needs, and at needs of which no two can be
 * served by one item. */
static bool is_impossible(const struct plan *p) {
    struct goal_store *g = p->s->goals;
    goal_id apart[MAX_COUNTED];
    size_t n_apart = 0;
    uint64_t sum = 0;
    if (p->least > p->most || (p->least && breaks_bound(p, p->each, p->least))) return true;
    for (size_t i = 0; i < p->n_needs; i++) {
        goal_id goal = goal_and2(g, p->each, p->needs[i].goal);
        if (breaks_bound(p, goal, p->needs[i].n)) return true;
        bool disjoint = true;
        for (size_t k = 0; k < n_apart && disjoint; k++)
            disjoint = !has_value(p, goal_and2(g, goal, apart[k]));
        if (!disjoint) continue;
        apart[n_apart++] = goal;
        if (p->needs[i].n > UINT64_MAX - sum) return true;
        sum += p->needs[i].n;
    }
    return sum > p->most;
}

/* Adds n items that meet `goal`, outside the bounds as far as such items exist. */
static bool add_block(struct plan *p, goal_id goal, uint64_t n) {
    struct goal_store *g = p->s->goals;
    if (!has_value(p, goal)) return false;
    for (size_t i = 0; i < p->n_bounds; i++) {
        goal_id outside = goal_and2(g, goal, goal_not(g, p->bounds[i].goal));
        if (has_value(p, outside)) {
            goal = outside;
        } else {
            if (p->bounds[i].n < n) return false;
            p->bounds[i].n -= n;
        }
    }
    if (n > p->most) return false;
    p->most -= n;
    p->least -= n < p->least ? n : p->least;
    witness_id item = solver_decide(p->s, QUESTION_GOAL, goal, NAME_SET_EMPTY);
    p->blocks[p->n_blocks++] = (struct block){item, n};
    return item != WITNESS_NONE;
}

/* A block for the needs that are left, as many of them as one item can serve. */
static bool serve_needs(struct plan *p) {
    goal_id goal = p->each;
    uint64_t longest = 0;
    size_t left = 0;
    for (size_t i = 0; i < p->n_needs; i++) {
        goal_id both = goal_and2(p->s->goals, goal, p->needs[i].goal);
        if (has_value(p, both)) {
            goal = both;
            if (p->needs[i].n > longest) longest = p->needs[i].n;
        } else {
            p->needs[left++] = p->needs[i];
        }
    }
    if (left == p->n_needs) return false;
    p->n_needs = left;
    return add_block(p, goal, longest);
}

/* The longest block comes last, where a witness may repeat its item. */
static witness_id write_plan(struct plan *p) {
    size_t longest = 0;
    uint64_t listed = 0;
    for (size_t i = 0; i < p->n_blocks; i++) {
        listed += p->blocks[i].n;
        if (p->blocks[i].n > p->blocks[longest].n) longest = i;
    }
    struct block last = p->blocks[longest];
    p->blocks[longest].n = 0;
    listed -= last.n;
    if (listed > MAX_LISTED) return WITNESS_NONE;
    witness_id *items = arena_push_array(p->s->arena, (size_t)listed + 1, sizeof *items);
    struct witness w = {.type = TYPE_ARRAY, .kids = items, .repeat = last.n};
    if (!items) return WITNESS_NONE;
    for (size_t i = 0; i < p->n_blocks; i++)
        for (uint64_t k = 0; k < p->blocks[i].n; k++) items[w.count++] = p->blocks[i].item;
    items[w.count++] = last.item;
    for (uint32_t i = 0; i < w.count; i++)
        if (solver_witness(p->s, items[i])->depth > w.depth)
            w.depth = solver_witness(p->s, items[i])->depth;
    w.depth++;
    return solver_add_witness(p->s, &w);
}

enum sat_answer solver_plan_counts(struct solver *s, goal_id f, witness_id *w) {
    struct plan p = {.s = s, .each = GOAL_TRUE, .most = UINT64_MAX};
    *w = WITNESS_NONE;
    if (!read_counts(&p, f)) return SAT_LIMIT;
    bool large = p.least >= s->planned_from;
    for (size_t i = 0; i < p.n_needs; i++) large |= p.needs[i].n >= s->planned_from;
    if (!large) return SAT_LIMIT;
    if (is_impossible(&p)) return s->limited ? SAT_LIMIT : SAT_NO;
    while (p.n_needs)
        if (!serve_needs(&p) || s->limited) return SAT_LIMIT;
    if (p.least && !add_block(&p, p.each, p.least)) return SAT_LIMIT;
    if (!s->limited) *w = write_plan(&p);
    return *w == WITNESS_NONE ? SAT_LIMIT : SAT_YES;
}
