/* SPDX-License-Identifier: MIT */
#include "automaton/member_rules.h"

#include <stdlib.h>

#include "automaton/solver_internal.h"

struct member_rule {
    uint32_t key; /* name, or key class */
    goal_id shun; /* what the value must not meet */
};

struct member_rules {
    ARENA_VEC(struct member_rule) names; /* sorted by key */
    ARENA_VEC(struct member_rule) classes;
};

struct reader {
    struct solver *s;
    struct member_rules *rules;
    bool failed;
};

static void add_rule(struct reader *r, uint32_t key_class, goal_id shun) {
    uint32_t name = key_class_get(r->s->goals, key_class)->name;
    struct arena *scratch = &r->s->goals->scratch;
    if (name && ARENA_VEC_GROW(scratch, &r->rules->names))
        r->rules->names.data[r->rules->names.count++] = (struct member_rule){name, shun};
    else if (!name && ARENA_VEC_GROW(scratch, &r->rules->classes))
        r->rules->classes.data[r->rules->classes.count++] = (struct member_rule){key_class, shun};
    else
        r->failed = true;
}

static void read_occurrence(void *ctx, goal_id g, bool wanted) {
    struct reader *r = ctx;
    struct goal_store *s = r->s->goals;
    const struct goal_node n = *node(s, g);
    if (n.type != TYPE_OBJECT ||
        (n.kind != GOAL_KIND_PREDICATE && n.kind != GOAL_KIND_UNEVALUATED)) {
        r->failed = true;
    } else if (n.kind == GOAL_KIND_UNEVALUATED) {
        /* Its conditions speak for themselves. A member that is not asked for, or meets the goal,
         * need not be evaluated. */
        const struct unevaluated u = *unevaluated_get(s, n.a);
        add_rule(r, u.asked.key_class, goal_not(s, u.goal));
    } else if (!wanted) {
        const struct predicate *p = predicate_get(s, n.a);
        add_rule(r, p->key_class, p->goal);
    }
}

static int by_key(const void *a, const void *b) {
    const struct member_rule *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->shun > y->shun) - (x->shun < y->shun);
}

const struct member_rules *member_rules_make(struct solver *s, goal_id f) {
    struct member_rules *rules = arena_push(&s->goals->scratch, sizeof *rules);
    struct reader r = {s, rules, rules == NULL};
    if (!rules) return NULL;
    *rules = (struct member_rules){0};
    formula_occurrences(s->goals, f, read_occurrence, &r);
    if (r.failed) return NULL;
    if (rules->names.count)
        qsort(rules->names.data, rules->names.count, sizeof *rules->names.data, by_key);
    return rules;
}

goal_id member_rules_harmless(struct solver *s, const struct member_rules *r, uint32_t name) {
    struct goal_store *g = s->goals;
    uint32_t low = 0, high = r->names.count, end, n = 0;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (r->names.data[mid].key < name)
            low = mid + 1;
        else
            high = mid;
    }
    for (end = low; end < r->names.count && r->names.data[end].key == name;) end++;
    size_t mark = goal_scratch_mark(g);
    goal_id *goals = goal_scratch(g, end - low + r->classes.count + (size_t)1);
    if (!goals) return GOAL_FALSE;
    for (uint32_t i = low; i < end; i++) goals[n++] = goal_not(g, r->names.data[i].shun);
    for (uint32_t i = 0; i < r->classes.count; i++)
        if (key_class_has(g, r->classes.data[i].key, name))
            goals[n++] = goal_not(g, r->classes.data[i].shun);
    goal_id result = goal_and(g, goals, n);
    goal_scratch_pop(g, mark);
    return result;
}

goal_id member_rules_harmless_anywhere(struct solver *s, const struct member_rules *r) {
    struct goal_store *g = s->goals;
    size_t mark = goal_scratch_mark(g);
    goal_id *goals = goal_scratch(g, r->classes.count), result = GOAL_FALSE;
    for (uint32_t i = 0; goals && i < r->classes.count; i++)
        goals[i] = goal_not(g, r->classes.data[i].shun);
    if (goals) result = goal_and(g, goals, r->classes.count);
    goal_scratch_pop(g, mark);
    return result;
}
