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
    if (a->kind != GOAL_KIND_PREDICATE) return 0;
    const struct predicate *p = predicate_get(s, a->a), *q = predicate_get(s, b->a);
    if (!is_count(p) || !is_count(q) || !same_children(p, q)) return 0;
    bool for_x = a->sign != disjunction, for_y = b->sign != disjunction;
    if (for_x == for_y) return for_x == (p->n > q->n) ? 1 : 0;
    uint64_t at_least = for_x ? p->n : q->n, below = for_x ? q->n : p->n;
    return at_least >= below ? -1 : 0;
}

/* Few literals count two or more: each of those is held against all others. */
bool goal_subsume_counts(const struct goal_store *s, bool disjunction, goal_id *ids, size_t *n) {
    for (size_t c = 0; c < *n; c++) {
        if (!node(s, ids[c])->counts) continue;
        goal_id count = ids[c];
        bool goes = false;
        size_t m = 0, before = 0;
        for (size_t i = 0; i < *n; i++) {
            goal_id other = ids[i];
            int says = judge(s, disjunction, count, other);
            if (says < 0) return false;
            goes |= judge(s, disjunction, other, count) == 1;
            if (says == 1) continue;
            before += i < c;
            ids[m++] = other;
        }
        *n = m;
        c = before; /* where the count stands now */
        if (!goes) continue;
        for (size_t i = c + 1; i < *n; i++) ids[i - 1] = ids[i];
        --*n;
        c--; /* wraps at 0, and the loop brings it back */
    }
    return true;
}
