/* SPDX-License-Identifier: MIT
 *
 * What `unevaluatedProperties` and `unevaluatedItems` call evaluated: the members or items that a
 * keyword of the same schema object, or of one that applies in place below it, applied to. One
 * below an `anyOf`, say, counts only where its branch holds: a condition.
 *
 * The schemas that apply in place form a graph, because references share them: the edges carry
 * what must hold for the target to count ("the branch holds", "the member is there"). A schema's
 * condition is the disjunction, over the edges that lead to it, of the source's condition and the
 * edge's. The graph is walked once for its edges and an order in which sources come first, then
 * the conditions are made in that order: every schema once, however many ways lead to it. An edge
 * that leads back closes a circle of references that consumes nothing, and adds nothing.
 */
#include "schema/internal.h"

#include <string.h>

struct edge {
    uint32_t to; /* number of a visit */
    goal_id guard;
};

struct visit {
    struct schema_place place;
    uint32_t first, n; /* its edges */
    uint32_t next;     /* of them, to go along */
    goal_id condition;
};

struct walk {
    struct json_schema *s;
    enum value_type type;
    ARENA_VEC(struct visit) visits;
    ARENA_VEC(struct edge) edges;
    ARENA_VEC(uint32_t) open;  /* visits on the way down */
    ARENA_VEC(uint32_t) order; /* visits, those behind first */
    ARENA_VEC(struct evaluated_cell) cells;
    struct table by_place;
};

/* ---- the graph ------------------------------------------------------------------------------- */

static uint32_t hash_place(struct schema_place p) {
    return fa_hash_mix(p.node, p.scope);
}

/* The number of the visit; a new one is opened. UINT32_MAX when memory is out. */
static uint32_t visit_of(struct walk *w, struct schema_place place) {
    struct table_probe p = table_probe(&w->by_place, hash_place(place));
    while (table_next(&w->by_place, &p)) {
        struct schema_place known = w->visits.data[p.id].place;
        if (known.node == place.node && known.scope == place.scope) return p.id;
    }
    uint32_t id = w->visits.count;
    if (!ARENA_VEC_GROW(w->s->arena, &w->visits) || !table_add(&w->by_place, hash_place(place), id))
        return UINT32_MAX;
    w->visits.data[w->visits.count++] =
        (struct visit){.place = place, .n = UINT32_MAX, .condition = GOAL_FALSE};
    return id;
}

static void add_edge(struct walk *w, struct schema_place to, goal_id guard) {
    if (to.node >= NODE_FALSE || to.node == NODE_NONE || guard == GOAL_FALSE) return;
    uint32_t id = visit_of(w, to);
    if (id != UINT32_MAX && ARENA_VEC_GROW(w->s->arena, &w->edges))
        w->edges.data[w->edges.count++] = (struct edge){id, guard};
}

/* To the subschema v. */
static void add_branch(struct walk *w, struct schema_place from, const struct json_value *v,
                       goal_id guard) {
    add_edge(w, schema_descend(w->s, from.scope, v), guard);
}

static goal_id has_member(struct json_schema *s, const struct json_member *m) {
    uint32_t keys = key_class_name(s->goals, goal_name(s->goals, m->name, m->name_length));
    return goal_count_keys(s->goals, keys, GOAL_TRUE, 1, true);
}

/* `if` counts where it holds, also without a `then`; where it does not, only `else` does. */
static void add_condition(struct walk *w, struct schema_place from, const struct json_value *v) {
    struct json_schema *s = w->s;
    const struct json_value *object = s->nodes.data[from.node].value;
    const struct json_value *yes = json_find(object, "then"), *no = json_find(object, "else");
    goal_id holds = schema_goal(s, v, from.scope);
    add_branch(w, from, v, holds);
    if (yes) add_branch(w, from, yes, holds);
    if (no) add_branch(w, from, no, goal_not(s->goals, holds));
}

/* What stands under `not` evaluates nothing: where the whole holds, it does not. */
static void add_edges(struct walk *w, struct schema_place from, const struct keyword_info *k,
                      const struct json_value *v) {
    struct json_schema *s = w->s;
    switch (k->id) {
    case KEYWORD_ALL_OF:
        for (uint32_t i = 0; i < v->count; i++) add_branch(w, from, &v->items[i], GOAL_TRUE);
        return;
    case KEYWORD_ANY_OF:
    case KEYWORD_ONE_OF:
        for (uint32_t i = 0; i < v->count; i++)
            add_branch(w, from, &v->items[i], schema_goal(s, &v->items[i], from.scope));
        return;
    case KEYWORD_IF: add_condition(w, from, v); return;
    case KEYWORD_DEPENDENCIES: /* of an older draft, behind a reference */
    case KEYWORD_DEPENDENT_SCHEMAS:
        for (uint32_t i = 0; i < v->count && w->type == TYPE_OBJECT; i++)
            if (v->members[i].value.kind != JSON_ARRAY)
                add_branch(w, from, &v->members[i].value, has_member(s, &v->members[i]));
        return;
    default: add_edge(w, schema_follow(s, from, (enum keyword)k->id), GOAL_TRUE); return;
    }
}

/* The edges of a visit, when it is met first. */
static void find_edges(struct walk *w, uint32_t id) {
    struct json_schema *s = w->s;
    struct schema_place from = w->visits.data[id].place;
    const struct json_value *object = s->nodes.data[from.node].value;
    uint32_t first = w->edges.count;
    for (uint32_t i = 0; i < object->count; i++) {
        const struct keyword_info *k = schema_effect(s, from.node, &object->members[i]);
        if (k) add_edges(w, from, k, &object->members[i].value);
    }
    struct visit *v = &w->visits.data[id];
    v->first = v->next = first;
    v->n = w->edges.count - first;
}

/* Depth-first from visit 0. */
static bool explore(struct walk *w) {
    struct arena *arena = w->s->arena;
    uint32_t enter = 0;
    for (;;) {
        if (enter != UINT32_MAX) {
            if (!ARENA_VEC_GROW(arena, &w->open)) return false;
            w->open.data[w->open.count++] = enter;
            find_edges(w, enter);
            if (arena->failed) return false;
        }
        enter = UINT32_MAX;
        if (w->open.count == 0) return true;
        uint32_t at = w->open.data[w->open.count - 1];
        struct visit *v = &w->visits.data[at];
        if (v->next < v->first + v->n) {
            uint32_t to = w->edges.data[v->next++].to;
            if (w->visits.data[to].n == UINT32_MAX) enter = to;
            continue;
        }
        w->open.count--;
        if (!ARENA_VEC_GROW(arena, &w->order)) return false;
        w->order.data[w->order.count++] = at;
    }
}

/* ---- what one schema object evaluates -------------------------------------------------------- */

static void add_cell(struct walk *w, struct child_range children, goal_id goal, goal_id condition) {
    if (ARENA_VEC_GROW(w->s->arena, &w->cells))
        w->cells.data[w->cells.count++] = (struct evaluated_cell){children, goal, condition};
}

static const struct child_range all_items = {KEY_CLASS_NONE, 0, INDEX_UNBOUNDED};

/* `properties` and `patternProperties`; the other two evaluate what is left of all names. */
static void add_members(struct walk *w, uint32_t node, bool outer, goal_id condition) {
    struct json_schema *s = w->s;
    const struct json_value *object = s->nodes.data[node].value;
    struct child_range children = {.key_class = KEY_CLASS_NONE};
    const struct json_value *properties = NULL, *patterns = NULL;
    for (uint32_t i = 0; i < object->count; i++) {
        const struct keyword_info *k = schema_effect(s, node, &object->members[i]);
        const struct json_value *v = &object->members[i].value;
        if (!k) continue;
        if (k->id == KEYWORD_PROPERTIES) properties = v;
        if (k->id == KEYWORD_PATTERN_PROPERTIES) patterns = v;
        if (k->id == KEYWORD_ADDITIONAL_PROPERTIES ||
            (k->id == KEYWORD_UNEVALUATED_PROPERTIES && !outer))
            children.key_class = KEY_CLASS_ALL;
    }
    if (children.key_class != KEY_CLASS_ALL)
        children.key_class = key_class_term(s->goals, schema_names(s, properties, patterns));
    if (children.key_class != KEY_CLASS_NONE) add_cell(w, children, GOAL_TRUE, condition);
}

static void add_items(struct walk *w, struct schema_place place, bool outer, goal_id condition) {
    struct json_schema *s = w->s;
    const struct json_value *object = s->nodes.data[place.node].value, *prefix, *rest;
    schema_item_keywords(s, place.node, &prefix, &rest);
    struct child_range first = {KEY_CLASS_NONE, 0, 0};
    if (rest) {
        add_cell(w, all_items, GOAL_TRUE, condition);
    } else if (prefix && prefix->count) {
        first.last = prefix->count - 1;
        add_cell(w, first, GOAL_TRUE, condition);
    }
    for (uint32_t i = 0; i < object->count; i++) {
        const struct keyword_info *k = schema_effect(s, place.node, &object->members[i]);
        const struct json_value *v = &object->members[i].value;
        if (!k) continue;
        if (k->id == KEYWORD_UNEVALUATED_ITEMS && !outer)
            add_cell(w, all_items, GOAL_TRUE, condition);
        /* Up to 2019-09 `contains` evaluates nothing. */
        if (k->id == KEYWORD_CONTAINS && schema_dialect(s, place.node) >= DIALECT_2020)
            add_cell(w, all_items, schema_goal(s, v, place.scope), condition);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

goal_id schema_unevaluated(struct json_schema *s, struct schema_place place, enum value_type t,
                           goal_id g) {
    struct walk w = {.s = s, .type = t};
    if (!table_init(&w.by_place, s->arena, 16) || visit_of(&w, place) != 0 || !explore(&w))
        return GOAL_FALSE;
    w.visits.data[0].condition = GOAL_TRUE;
    for (uint32_t i = w.order.count; i-- > 0 && !s->arena->failed;) {
        uint32_t at = w.order.data[i];
        const struct visit v = w.visits.data[at];
        if (t == TYPE_OBJECT)
            add_members(&w, v.place.node, at == 0, v.condition);
        else
            add_items(&w, v.place, at == 0, v.condition);
        for (uint32_t e = v.first; e < v.first + v.n; e++) {
            struct edge edge = w.edges.data[e];
            goal_id *condition = &w.visits.data[edge.to].condition;
            goal_id here = goal_and2(s->goals, v.condition, edge.guard);
            *condition = goal_or2(s->goals, *condition, here);
        }
    }
    return s->arena->failed ? GOAL_FALSE
                            : goal_unevaluated(s->goals, t, w.cells.data, w.cells.count, g);
}
