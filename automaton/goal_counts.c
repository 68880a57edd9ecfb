/* SPDX-License-Identifier: MIT
 *
 * Counts that imply each other. "At least 5" says more than "at least 3" of the same children, and
 * contradicts "at most 4". Stepping a count leaves such pairs behind; a conjunction keeps the
 * stronger one, a disjunction the weaker.
 */
#include "automaton/goal_internal.h"

static bool is_count(const struct predicate *p) {
    return p->kind == PREDICATE_COUNT_KEYS || p->kind == PREDICATE_COUNT_ITEMS;
}

static bool same_children(const struct predicate *a, const struct predicate *b) {
    return a->kind == b->kind && a->key_class == b->key_class && a->goal == b->goal &&
           a->first == b->first && a->last == b->last;
}

/* What literal x (of predicate p) means for y: 0 nothing, 1 y can go, -1 they cannot stand
 * together. In a disjunction the same with the signs exchanged. */
static int judge(const struct goal_store *s, bool disjunction, goal_id x, goal_id y) {
    const struct goal_node *a = node(s, x), *b = node(s, y);
    if (x == y || b->kind != GOAL_KIND_PREDICATE || a->type != b->type) return 0;
    const struct predicate *p = predicate_get(s, a->a), *q = predicate_get(s, b->a);
    if (!is_count(q) || !same_children(p, q)) return 0;
    bool for_x = a->sign != disjunction, for_y = b->sign != disjunction;
    if (for_x == for_y) return for_x == (p->n > q->n) ? 1 : 0;
    uint64_t at_least = for_x ? p->n : q->n, below = for_x ? q->n : p->n;
    return at_least >= below ? -1 : 0;
}

static bool implied(const struct goal_store *s, bool disjunction, const goal_id *ids, size_t n,
                    goal_id g) {
    for (size_t i = 0; i < n; i++)
        if (node(s, ids[i])->kind == GOAL_KIND_PREDICATE &&
            is_count(predicate_get(s, node(s, ids[i])->a)) && judge(s, disjunction, ids[i], g) == 1)
            return true;
    return false;
}

bool goal_subsume_counts(const struct goal_store *s, bool disjunction, goal_id *ids, size_t *n,
                         const goal_id *fresh, size_t n_fresh) {
    bool counts = false;
    for (size_t i = 0; i < *n && !counts; i++) counts = node(s, ids[i])->counts;
    for (size_t f = 0; counts && f < n_fresh; f++) {
        const struct goal_node *x = node(s, fresh[f]);
        if (x->kind != GOAL_KIND_PREDICATE || !is_count(predicate_get(s, x->a))) continue;
        bool goes = implied(s, disjunction, ids, *n, fresh[f]);
        size_t m = 0;
        for (size_t i = 0; i < *n; i++) {
            int says = judge(s, disjunction, fresh[f], ids[i]);
            if (says < 0) return false;
            if (says == 0 && !(goes && ids[i] == fresh[f])) ids[m++] = ids[i];
        }
        *n = m;
    }
    return true;
}
