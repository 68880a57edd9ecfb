/* SPDX-License-Identifier: MIT
 *
 * The order in which keys are declared. A goal is a formula over schema nodes; the nodes that it
 * names are visited by their place in the text, and from each the schemas that apply in place, in
 * the order of the text, once for the names under `properties`, once for those in `required`.
 * Stamps on nodes and names keep every visit single, so a query is linear in what it visits.
 */
#include "schema/internal.h"

#include <stdlib.h>
#include <string.h>

#include "automaton/goal.h"

/* A schema node that the formula names, and where it stands in the text. */
struct met {
    uint32_t document;
    size_t offset;
    struct schema_place place;
};

struct round_place {
    struct schema_place place;
    uint32_t round;
};

struct query {
    struct json_schema *s;
    uint32_t names_stamp;
    struct met *nodes; /* in the formula, by place */
    uint32_t n_nodes;
    struct table seen; /* places with a scope */
    ARENA_VEC(struct round_place) places;
};

/* ---- answers --------------------------------------------------------------------------------- */

static uint32_t find_order(const struct json_schema *s, uint32_t hash, const goal_id *goals,
                           uint32_t n) {
    struct table_probe p = table_probe(&s->by_order, hash);
    while (table_next(&s->by_order, &p)) {
        const struct schema_order *o = &s->orders.data[p.id];
        if (o->n_goals == n && (n == 0 || memcmp(o->goals, goals, n * sizeof *goals) == 0))
            return p.id;
    }
    return UINT32_MAX;
}

static void add_name(struct query *q, uint32_t name) {
    struct json_schema *s = q->s;
    while (s->name_stamps.count <= name) {
        if (!ARENA_VEC_GROW(s->arena, &s->name_stamps)) return;
        s->name_stamps.data[s->name_stamps.count++] = 0;
    }
    if (name == 0 || s->name_stamps.data[name] == q->names_stamp) return;
    s->name_stamps.data[name] = q->names_stamp;
    if (ARENA_VEC_GROW(s->arena, &s->names)) s->names.data[s->names.count++] = name;
}

static void add_text(struct query *q, const char *text, size_t length) {
    add_name(q, goal_name(q->s->goals, text, length));
}

/* ---- the formula ----------------------------------------------------------------------------- */

static bool is_name_leaf(const struct json_schema *s, const struct goal_node *g, uint32_t *name) {
    if (g->kind != GOAL_KIND_LEAF && g->kind != GOAL_KIND_PREDICATE) return false;
    const struct predicate *p = predicate_get(s->goals, g->a);
    if (p->kind != PREDICATE_COUNT_KEYS) return false;
    *name = key_class_get(s->goals, p->key_class)->name;
    return *name != 0;
}

static bool push_goal(struct json_schema *s, goal_id g) {
    if (!ARENA_VEC_GROW(s->arena, &s->formula)) return false;
    s->formula.data[s->formula.count++] = g;
    return true;
}

/* All goals of the formula, each once: breadth-first in s->formula. */
static bool open_formula(struct json_schema *s, const goal_id *goals, uint32_t n) {
    struct table seen;
    s->formula.count = 0;
    if (!table_init(&seen, s->arena, 16)) return false;
    for (uint32_t i = 0; i < n; i++)
        if (!push_goal(s, goals[i])) return false;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->formula.count; i++) {
        goal_id g = s->formula.data[i];
        uint32_t hash = fa_hash_mix(7, g);
        bool known = false;
        for (struct table_probe p = table_probe(&seen, hash); !known && table_next(&seen, &p);)
            known = p.id == g;
        if (known) continue;
        if (!table_add(&seen, hash, g)) return false;
        s->formula.data[kept++] = g;
        const struct goal_node *node = goal_get(s->goals, g);
        if (node->kind == GOAL_KIND_VARIABLE && !push_goal(s, node->a)) return false;
        for (uint32_t k = 0; k < node->n_kids; k++)
            if (!push_goal(s, node->kids[k])) return false;
    }
    s->formula.count = kept;
    return true;
}

static int by_id(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int by_place(const void *a, const void *b) {
    const struct met *x = a, *y = b;
    if (x->document != y->document) return x->document < y->document ? -1 : 1;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    if (x->place.node != y->place.node) return x->place.node < y->place.node ? -1 : 1;
    return x->place.scope < y->place.scope ? -1 : x->place.scope > y->place.scope;
}

/* The schema nodes of the formula, by their place in the text. */
static bool collect_nodes(struct query *q) {
    struct json_schema *s = q->s;
    q->nodes = arena_push_array(s->arena, s->formula.count, sizeof *q->nodes);
    if (!q->nodes) return false;
    for (uint32_t i = 0; i < s->formula.count; i++) {
        const struct goal_node *g = goal_get(s->goals, s->formula.data[i]);
        if (g->kind != GOAL_KIND_REF || g->a >= s->nodes.count) continue;
        const struct schema_node *first = &s->nodes.data[s->nodes.data[g->a].first];
        q->nodes[q->n_nodes++] = (struct met){
            s->resources.data[first->resource].document, first->value->offset, {g->a, g->b}};
    }
    if (q->n_nodes) qsort(q->nodes, q->n_nodes, sizeof *q->nodes, by_place);
    return true;
}

/* ---- the schemas ----------------------------------------------------------------------------- */

static void add_members(struct query *q, const struct json_value *v) {
    if (v->kind != JSON_OBJECT) return;
    for (uint32_t i = 0; i < v->count; i++)
        add_text(q, v->members[i].name, v->members[i].name_length);
}

static void add_declared(struct query *q, const struct keyword_info *k,
                         const struct json_value *v) {
    if (k->id == KEYWORD_PROPERTIES || k->id == KEYWORD_CONST) add_members(q, v);
    if (k->id == KEYWORD_ENUM)
        for (uint32_t i = 0; i < v->count; i++) add_members(q, &v->items[i]);
}

static void add_texts(struct query *q, const struct json_value *v) {
    for (uint32_t i = 0; i < v->count; i++) add_text(q, v->items[i].text, v->items[i].length);
}

static void add_required(struct query *q, const struct keyword_info *k,
                         const struct json_value *v) {
    if (k->id == KEYWORD_DEPENDENCIES || k->id == KEYWORD_DEPENDENT_REQUIRED) {
        for (uint32_t i = 0; i < v->count; i++) {
            const struct json_member *m = &v->members[i];
            add_text(q, m->name, m->name_length);
            if (m->value.kind == JSON_ARRAY) add_texts(q, &m->value);
        }
    } else if (k->id == KEYWORD_REQUIRED) {
        add_texts(q, v);
    }
}

/* Is the place met for the first time in this round? Nearly always the scope is 0, and a stamp
 * tells. */
static bool is_new(struct query *q, struct schema_place place) {
    struct json_schema *s = q->s;
    if (place.scope == 0) {
        uint32_t *stamp = &s->nodes.data[place.node].stamp;
        bool seen = *stamp == s->stamp;
        *stamp = s->stamp;
        return !seen;
    }
    uint32_t hash = fa_hash_mix(fa_hash_mix(s->stamp, place.node), place.scope);
    for (struct table_probe p = table_probe(&q->seen, hash); table_next(&q->seen, &p);) {
        const struct round_place *known = &q->places.data[p.id];
        if (known->round == s->stamp && known->place.node == place.node &&
            known->place.scope == place.scope)
            return false;
    }
    uint32_t id = q->places.count;
    if (!ARENA_VEC_GROW(s->arena, &q->places) || !table_add(&q->seen, hash, id)) return false;
    q->places.data[id] = (struct round_place){place, s->stamp};
    q->places.count++;
    return true;
}

static void open_node(struct query *q, struct schema_place place) {
    struct json_schema *s = q->s;
    if (place.node >= NODE_FALSE || !is_new(q, place)) return;
    if (!ARENA_VEC_GROW(s->arena, &s->stack)) return;
    s->stack.data[s->stack.count++] = (struct order_frame){place, 0, 0};
}

/* One node and all that apply in place, depth-first in the order of the text. */
static void visit(struct query *q, struct schema_place place,
                  void (*gather)(struct query *, const struct keyword_info *,
                                 const struct json_value *)) {
    struct json_schema *s = q->s;
    s->stack.count = 0;
    open_node(q, place);
    while (s->stack.count && !s->arena->failed) {
        struct order_frame *f = &s->stack.data[s->stack.count - 1];
        const struct json_value *object = s->nodes.data[f->place.node].value;
        if (f->member == object->count) {
            s->stack.count--;
            continue;
        }
        const struct json_member *m = &object->members[f->member];
        const struct keyword_info *k = schema_effect(s, f->place.node, m);
        const struct json_value *next =
            k && k->id != KEYWORD_NOT ? schema_in_place(k, &m->value, f->item) : NULL;
        if (next) {
            f->item++;
            open_node(q, schema_descend(s, f->place.scope, next));
            continue;
        }
        struct schema_place from = f->place;
        f->member++;
        f->item = 0;
        if (!k) continue;
        struct schema_place to = schema_follow(s, from, k->id);
        if (to.node != NODE_NONE)
            open_node(q, to);
        else
            gather(q, k, &m->value);
    }
}

static bool run(struct query *q, const goal_id *goals, uint32_t n_goals) {
    struct json_schema *s = q->s;
    s->names.count = 0;
    if (!table_init(&q->seen, s->arena, 4)) return false;
    if (!open_formula(s, goals, n_goals) || !collect_nodes(q)) return false;
    q->names_stamp = ++s->stamp;
    for (uint32_t i = 0; i < q->n_nodes; i++) visit(q, q->nodes[i].place, add_declared);
    s->stamp++;
    for (uint32_t i = 0; i < q->n_nodes; i++) visit(q, q->nodes[i].place, add_required);
    uint32_t *rest = arena_push_array(s->arena, s->formula.count, sizeof *rest);
    uint32_t n = 0, name;
    if (!rest) return false;
    for (uint32_t i = 0; i < s->formula.count; i++)
        if (is_name_leaf(s, goal_get(s->goals, s->formula.data[i]), &name)) rest[n++] = name;
    if (n) qsort(rest, n, sizeof *rest, by_id);
    for (uint32_t i = 0; i < n; i++) add_name(q, rest[i]);
    return !s->arena->failed;
}

uint32_t json_schema_key_order(struct json_schema *s, const goal_id *goals, uint32_t n_goals,
                               const uint32_t **names) {
    uint32_t hash = fa_hash(goals, n_goals * sizeof *goals);
    uint32_t id = find_order(s, hash, goals, n_goals);
    if (id == UINT32_MAX) {
        struct query q = {.s = s};
        id = s->orders.count;
        *names = NULL;
        if (!run(&q, goals, n_goals)) return 0;
        goal_id *key = arena_push_copy(s->arena, goals, n_goals * sizeof *goals);
        uint32_t *copy =
            arena_push_copy(s->arena, s->names.data, s->names.count * sizeof *s->names.data);
        if (!key || !copy || !ARENA_VEC_GROW(s->arena, &s->orders) ||
            !table_add(&s->by_order, hash, id))
            return 0;
        s->orders.data[id] = (struct schema_order){key, copy, n_goals, s->names.count};
        s->orders.count++;
    }
    *names = s->orders.data[id].names;
    return s->orders.data[id].n_names;
}
