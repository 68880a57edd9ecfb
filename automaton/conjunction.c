/* SPDX-License-Identifier: MIT */
#include "automaton/conjunction.h"

#include <stdlib.h>

#include "automaton/solver_internal.h"

/* What a literal says about one name, or about a class of names. */
struct member_rule {
    uint32_t key; /* name, or key class */
    goal_id goal; /* what the value must meet */
};

struct conjunction {
    struct member_rule *names; /* sorted by name */
    struct member_rule *classes;
    uint32_t *needs; /* sorted, distinct */
    uint32_t n_names, n_classes, n_needs;
    uint64_t max_members;
};

static int by_key(const void *a, const void *b) {
    const struct member_rule *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->goal > y->goal) - (x->goal < y->goal);
}

static int by_name(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Adds what literal g says; false when it is of another kind. */
static bool add_literal(struct goal_store *s, struct conjunction *c, goal_id g) {
    struct goal_node n = *node(s, g);
    struct predicate p = *predicate_get(s, n.a);
    uint32_t name = key_class_get(s, p.key_class)->name;
    if (n.sign) {
        if (!name || p.n != 1) return false;
        c->needs[c->n_needs++] = name;
        c->names[c->n_names++] = (struct member_rule){name, p.goal};
        return true;
    }
    if (p.key_class == KEY_CLASS_ALL && p.goal == GOAL_TRUE) {
        if (p.n - 1 < c->max_members) c->max_members = p.n - 1;
        return true;
    }
    if (p.n != 1) return false;
    struct member_rule rule = {name ? name : p.key_class, goal_not(s, p.goal)};
    if (name)
        c->names[c->n_names++] = rule;
    else
        c->classes[c->n_classes++] = rule;
    return true;
}

static const struct conjunction *make(struct solver *s, goal_id f) {
    size_t n = 0;
    const goal_id *literals = &f;
    if (f != GOAL_TRUE) literals = formula_literals(s->goals, &f, &n);
    size_t n_needs = 0, n_classes = 0;
    for (size_t i = 0; i < n; i++) { /* a cheap test first, and the sizes */
        const struct goal_node *x = node(s->goals, literals[i]);
        if (x->kind != GOAL_KIND_PREDICATE || x->type != TYPE_OBJECT) return NULL;
        n_needs += x->sign;
        n_classes += !key_class_get(s->goals, predicate_get(s->goals, x->a)->key_class)->name;
    }
    struct conjunction *c = arena_push(s->arena, sizeof *c);
    if (!c) return NULL;
    c->names = arena_push_array(s->arena, n - n_classes, sizeof *c->names);
    c->classes = arena_push_array(s->arena, n_classes, sizeof *c->classes);
    c->needs = arena_push_array(s->arena, n_needs, sizeof *c->needs);
    c->max_members = UINT64_MAX;
    if (!c->names || !c->classes || !c->needs) return NULL;
    for (size_t i = 0; i < n; i++)
        if (!add_literal(s->goals, c, literals[i])) return NULL;
    qsort(c->names, c->n_names, sizeof *c->names, by_key);
    qsort(c->needs, c->n_needs, sizeof *c->needs, by_name);
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < c->n_needs; i++)
        if (!distinct || c->needs[distinct - 1] != c->needs[i]) c->needs[distinct++] = c->needs[i];
    c->n_needs = distinct;
    return c;
}

const struct conjunction *conjunction_find(struct solver *s, goal_id f) {
    if (f == GOAL_FALSE || f == GOAL_CYCLE) return NULL;
    uint32_t hash = fa_hash_mix(f, 0);
    for (struct table_probe p = table_probe(&s->conjunction_table, hash);
         table_next(&s->conjunction_table, &p);)
        if (s->conjunctions.data[p.id].formula == f) return s->conjunctions.data[p.id].plain;
    const struct conjunction *c = make(s, f);
    if (s->arena->failed || !ARENA_VEC_GROW(s->arena, &s->conjunctions) ||
        !table_add(&s->conjunction_table, hash, s->conjunctions.count))
        return NULL;
    s->conjunctions.data[s->conjunctions.count++] = (struct conjunction_record){f, c};
    return c;
}

const uint32_t *conjunction_needs(const struct conjunction *c, size_t *n) {
    *n = c->n_needs;
    return c->needs;
}

bool conjunction_is_need(const struct conjunction *c, uint32_t name) {
    return c->n_needs && bsearch(&name, c->needs, c->n_needs, sizeof name, by_name) != NULL;
}

uint64_t conjunction_max_members(const struct conjunction *c) {
    return c->max_members;
}

goal_id conjunction_member(struct solver *s, const struct conjunction *c, uint32_t name) {
    uint32_t low = 0, high = c->n_names;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (c->names[mid].key < name)
            low = mid + 1;
        else
            high = mid;
    }
    size_t mark = goal_scratch_mark(s->goals), n = 0;
    uint32_t end = low;
    while (end < c->n_names && c->names[end].key == name) end++;
    goal_id *goals = goal_scratch(s->goals, end - low + c->n_classes + 1);
    if (!goals) return GOAL_FALSE;
    for (uint32_t i = low; i < end; i++) goals[n++] = c->names[i].goal;
    for (uint32_t i = 0; i < c->n_classes; i++)
        if (key_class_has(s->goals, c->classes[i].key, name)) goals[n++] = c->classes[i].goal;
    goal_id result = goal_and(s->goals, goals, n);
    goal_scratch_pop(s->goals, mark);
    return result;
}
