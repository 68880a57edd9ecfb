/* SPDX-License-Identifier: MIT
 *
 * The parts of a condition are the kids of a disjunction, else the condition itself. A part needs
 * a kid that it is, that stands in it as a conjunct, or all of whose conjuncts stand in it (a
 * conjunction inside a conjunction is flattened).
 */
#include "automaton/unevaluated_split.h"

#include <stdlib.h>

#define NEEDS_NONE UINT32_MAX
#define MAX_TESTS  4000000 /* of kids against parts that are no kids themselves */

struct place {
    goal_id goal;
    uint32_t index;
};

static int by_goal(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    return (x->goal > y->goal) - (x->goal < y->goal);
}

static uint32_t find(const struct place *places, uint32_t n, goal_id g) {
    const struct place *p = bsearch(&(struct place){g, 0}, places, n, sizeof *places, by_goal);
    return p ? p->index : NEEDS_NONE;
}

/* Is every conjunct of b one of a? Both are conjunctions. */
static bool contains(const struct goal_node *a, const struct goal_node *b) {
    uint32_t i = 0;
    for (uint32_t j = 0; j < b->n_kids; j++) {
        while (i < a->n_kids && a->kids[i] < b->kids[j]) i++;
        if (i == a->n_kids || a->kids[i] != b->kids[j]) return false;
    }
    return true;
}

static uint32_t needed_kid(const struct unevaluated_split *u, const struct place *places,
                           goal_id part, size_t *tests) {
    uint32_t found = find(places, u->n_kids, part);
    const struct goal_node *n = node(u->s, part);
    if (found != NEEDS_NONE || n->kind != GOAL_KIND_AND) return found;
    for (uint32_t i = 0; i < n->n_kids && found == NEEDS_NONE; i++)
        found = find(places, u->n_kids, n->kids[i]);
    for (uint32_t i = 0; i < u->n_kids && found == NEEDS_NONE && ++*tests < MAX_TESTS; i++) {
        const struct goal_node *kid = node(u->s, u->kids[i]);
        if (kid->kind == GOAL_KIND_AND && contains(n, kid)) found = i;
    }
    return found;
}

static const goal_id *parts_of(const struct goal_store *s, const goal_id *condition, uint32_t *n) {
    const struct goal_node *c = node(s, *condition);
    *n = c->kind == GOAL_KIND_OR ? c->n_kids : 1;
    return c->kind == GOAL_KIND_OR ? c->kids : condition;
}

bool unevaluated_split_open(struct unevaluated_split *u, struct goal_store *s, const goal_id *nodes,
                            size_t n_nodes, const goal_id *kids, uint32_t n_kids) {
    *u = (struct unevaluated_split){s, nodes, n_nodes, kids, n_kids, NULL};
    struct place *places = arena_push_array(&s->scratch, n_kids, sizeof *places);
    size_t total = 0, tests = 0, at = 0;
    uint32_t n;
    for (size_t i = 0; i < n_nodes; i++)
        for (uint32_t k = 0; k < node(s, nodes[i])->n_kids; k++) {
            parts_of(s, &node(s, nodes[i])->kids[k], &n);
            total += n;
        }
    u->needs = goal_scratch(s, total);
    if (!places || !u->needs) return false;
    for (uint32_t i = 0; i < n_kids; i++) places[i] = (struct place){kids[i], i};
    qsort(places, n_kids, sizeof *places, by_goal);
    bool any = false;
    for (size_t i = 0; i < n_nodes; i++)
        for (uint32_t k = 0; k < node(s, nodes[i])->n_kids; k++) {
            const goal_id *parts = parts_of(s, &node(s, nodes[i])->kids[k], &n);
            for (uint32_t p = 0; p < n; p++) {
                u->needs[at] = needed_kid(u, places, parts[p], &tests);
                any |= u->needs[at++] != NEEDS_NONE;
            }
        }
    return any;
}

goal_id unevaluated_split_group(const struct unevaluated_split *u, const uint32_t *group,
                                uint32_t own) {
    struct goal_store *s = u->s;
    goal_id result = GOAL_TRUE;
    const uint32_t *needs = u->needs;
    for (size_t i = 0; i < u->n_nodes; i++) {
        struct goal_node x = *node(s, u->nodes[i]);
        size_t mark = goal_scratch_mark(s);
        goal_id *conditions = goal_scratch(s, x.n_kids);
        if (!conditions) return GOAL_FALSE;
        for (uint32_t k = 0; k < x.n_kids; k++) {
            uint32_t n, kept = 0;
            const goal_id *parts = parts_of(s, &x.kids[k], &n);
            goal_id *left = goal_scratch(s, n);
            if (!left) return GOAL_FALSE;
            for (uint32_t p = 0; p < n; p++, needs++)
                if (*needs == NEEDS_NONE || group[*needs] == own) left[kept++] = parts[p];
            conditions[k] = kept == n ? x.kids[k] : goal_or(s, left, kept);
        }
        result = goal_and2(s, result, goal_with_kids(s, &x, conditions));
        goal_scratch_pop(s, mark);
    }
    return result;
}
