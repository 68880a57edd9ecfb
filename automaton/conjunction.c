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
    struct member_rule *names; /* of plain names, sorted by name */
    struct member_rule *classes;
    uint32_t *needs;   /* sorted, distinct */
    uint32_t *touched; /* key classes in the literals that are not plain; sorted, distinct */
    uint32_t n_names, n_classes, n_needs, n_touched;
    uint64_t max_members;
    goal_id rest;
};

static int by_key(const void *a, const void *b) {
    const struct member_rule *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->goal > y->goal) - (x->goal < y->goal);
}

static int by_id(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t sort_distinct(uint32_t *ids, uint32_t n) {
    uint32_t distinct = 0;
    qsort(ids, n, sizeof *ids, by_id);
    for (uint32_t i = 0; i < n; i++)
        if (!distinct || ids[distinct - 1] != ids[i]) ids[distinct++] = ids[i];
    return distinct;
}

/* What kind of literal: a rule about one name, about a class, a bound on all, or none of these. */
enum literal_kind { LITERAL_NAME, LITERAL_CLASS, LITERAL_BOUND, LITERAL_OTHER };

static enum literal_kind classify(struct goal_store *s, goal_id g, struct predicate *p,
                                  bool *sign) {
    const struct goal_node *n = node(s, g);
    if (n->kind != GOAL_KIND_PREDICATE || n->type != TYPE_OBJECT) return LITERAL_OTHER;
    *p = *predicate_get(s, n->a);
    *sign = n->sign;
    bool single = key_class_get(s, p->key_class)->name != 0;
    if (p->n == 1 && single) return LITERAL_NAME;
    if (n->sign) return LITERAL_OTHER;
    if (p->key_class == KEY_CLASS_ALL && p->goal == GOAL_TRUE) return LITERAL_BOUND;
    return p->n == 1 ? LITERAL_CLASS : LITERAL_OTHER;
}

struct touched_list {
    uint32_t *ids;
    size_t n, capacity;
    bool full;
};

static void touch(void *ctx, uint32_t key_class, bool needed) {
    struct touched_list *l = ctx;
    (void)needed;
    if (l->n == l->capacity)
        l->full = true;
    else
        l->ids[l->n++] = key_class;
}

/* The key classes in the literals that are not plain. False when there are too many to care. */
static bool find_touched(struct solver *s, struct conjunction *c, const goal_id *literals,
                         size_t n) {
    struct goal_store *g = s->goals;
    size_t mark = goal_scratch_mark(g);
    struct touched_list l = {.capacity = 4096};
    l.ids = goal_scratch(g, l.capacity);
    if (!l.ids) return false;
    for (size_t i = 0; i < n && !l.full; i++) {
        struct predicate p;
        bool sign;
        if (classify(g, literals[i], &p, &sign) != LITERAL_OTHER) continue;
        if (l.n > l.capacity / 2) l.n = sort_distinct(l.ids, (uint32_t)l.n);
        formula_key_classes(g, literals[i], touch, &l);
    }
    l.n = sort_distinct(l.ids, (uint32_t)l.n);
    if (!l.full) {
        c->touched = arena_push_copy(s->arena, l.ids, l.n * sizeof *l.ids);
        c->n_touched = (uint32_t)l.n;
    }
    goal_scratch_pop(g, mark);
    return !l.full && c->touched;
}

static bool allocate_rules(struct solver *s, struct conjunction *c, const goal_id *literals,
                           size_t n) {
    size_t n_names = 0, n_classes = 0, n_needs = 0;
    for (size_t i = 0; i < n; i++) {
        struct predicate p;
        bool sign;
        enum literal_kind kind = classify(s->goals, literals[i], &p, &sign);
        n_names += kind == LITERAL_NAME;
        n_needs += kind == LITERAL_NAME && sign;
        n_classes += kind == LITERAL_CLASS;
    }
    c->names = arena_push_array(s->arena, n_names, sizeof *c->names);
    c->classes = arena_push_array(s->arena, n_classes, sizeof *c->classes);
    c->needs = arena_push_array(s->arena, n_needs, sizeof *c->needs);
    return c->names && c->classes && c->needs;
}

/* Sorts the literals into rules and the rest; `others` has room for n. False: nothing is plain. */
static bool fill(struct solver *s, struct conjunction *c, const goal_id *literals, size_t n,
                 goal_id *others) {
    struct goal_store *g = s->goals;
    size_t n_others = 0;
    bool mixed = c->n_touched > 0;
    for (size_t i = 0; i < n; i++) {
        struct predicate p = {0};
        bool sign = false;
        enum literal_kind kind = classify(g, literals[i], &p, &sign);
        uint32_t name = kind == LITERAL_NAME ? key_class_get(g, p.key_class)->name : 0;
        bool touched = name && conjunction_rest_touches(s, c, name);
        if (kind == LITERAL_OTHER || touched || (kind == LITERAL_CLASS && mixed))
            others[n_others++] = literals[i];
        if (kind == LITERAL_BOUND && p.n - 1 < c->max_members) c->max_members = p.n - 1;
        struct member_rule rule = {name, sign ? p.goal : GOAL_TRUE};
        if (!sign && (kind == LITERAL_NAME || kind == LITERAL_CLASS))
            rule.goal = goal_not(g, p.goal);
        if (kind == LITERAL_CLASS) {
            rule.key = p.key_class;
            c->classes[c->n_classes++] = rule;
        } else if (kind == LITERAL_NAME && !touched) {
            if (sign) c->needs[c->n_needs++] = name;
            c->names[c->n_names++] = rule;
        }
    }
    c->rest = goal_and(g, others, n_others);
    /* A bound on all members counts those of the rest too: then nothing is independent. */
    return !mixed || (c->n_names && c->max_members == UINT64_MAX);
}

static const struct conjunction *make(struct solver *s, goal_id f) {
    size_t n = 0;
    const goal_id *literals = &f;
    if (f != GOAL_TRUE) literals = formula_literals(s->goals, &f, &n);
    if (f != GOAL_TRUE && n == 1 && node(s->goals, f)->kind != GOAL_KIND_PREDICATE) return NULL;
    struct conjunction *c = arena_push(s->arena, sizeof *c);
    if (!c) return NULL;
    c->max_members = UINT64_MAX;
    size_t mark = goal_scratch_mark(s->goals);
    goal_id *others = goal_scratch(s->goals, n);
    bool plain = others && find_touched(s, c, literals, n) && allocate_rules(s, c, literals, n) &&
                 fill(s, c, literals, n, others);
    goal_scratch_pop(s->goals, mark);
    if (!plain) return NULL;
    qsort(c->names, c->n_names, sizeof *c->names, by_key);
    c->n_needs = sort_distinct(c->needs, c->n_needs);
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
    return c->n_needs && bsearch(&name, c->needs, c->n_needs, sizeof name, by_id) != NULL;
}

uint64_t conjunction_max_members(const struct conjunction *c) {
    return c->max_members;
}

goal_id conjunction_rest(const struct conjunction *c) {
    return c->rest;
}

bool conjunction_rest_touches(struct solver *s, const struct conjunction *c, uint32_t name) {
    for (uint32_t i = 0; i < c->n_touched; i++)
        if (key_class_has(s->goals, c->touched[i], name)) return true;
    return false;
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

goal_id conjunction_any_member(struct solver *s, const struct conjunction *c) {
    size_t mark = goal_scratch_mark(s->goals);
    goal_id *goals = goal_scratch(s->goals, c->n_classes), result = GOAL_FALSE;
    for (uint32_t i = 0; goals && i < c->n_classes; i++) goals[i] = c->classes[i].goal;
    if (goals) result = goal_and(s->goals, goals, c->n_classes);
    goal_scratch_pop(s->goals, mark);
    return result;
}
