/* SPDX-License-Identifier: MIT */
#include "schema/rules.h"

static bool is_map(const struct keyword_info *k) {
    return k->place == PLACE_MAP || k->place == PLACE_MAP_OR_NAMES;
}

/* The i-th schema in a keyword's list or map, NULL past the last. */
static struct json_value *child_of(const struct keyword_info *k, const struct json_value *v,
                                   uint32_t i) {
    bool list = v->kind == JSON_ARRAY && (k->place == PLACE_LIST || k->place == PLACE_ONE_OR_LIST);
    if (i >= v->count) return NULL;
    if (list) return &v->items[i];
    return is_map(k) && v->kind == JSON_OBJECT ? &v->members[i].value : NULL;
}

/* A keyword that says something itself, beside what the schemas below it say. */
static bool asserts(const struct keyword_info *k, const struct json_value *v) {
    switch (k->id) {
    case KEYWORD_REF:
    case KEYWORD_DYNAMIC_REF:
    case KEYWORD_RECURSIVE_REF: return false;
    case KEYWORD_NOT:
    case KEYWORD_CONTAINS: return true;
    case KEYWORD_DEPENDENCIES:
        for (uint32_t i = 0; i < v->count; i++)
            if (v->kind == JSON_OBJECT && v->members[i].value.kind == JSON_ARRAY) return true;
        return false;
    default: return k->place == PLACE_NONE || v->kind == JSON_FALSE;
    }
}

/* Does the node stand where a value that meets less makes the whole meet more? */
static bool is_inverted(const struct json_schema *s, uint32_t node) {
    for (; node != NODE_NONE; node = s->nodes.data[node].parent) {
        const struct json_member *m = s->nodes.data[node].keyword;
        const struct keyword_info *k = m ? keyword_find_any(m->name, m->name_length) : NULL;
        if (k && (k->id == KEYWORD_NOT || k->id == KEYWORD_IF || k->id == KEYWORD_CONTAINS))
            return true;
    }
    return false;
}

struct rule_list {
    struct rule_place *rules; /* NULL: they are only counted */
    size_t n;
};

static void add_rule(struct rule_list *l, struct rule_place rule) {
    if (l->rules) l->rules[l->n] = rule;
    l->n++;
}

static void add_rules_of(struct json_schema *s, uint32_t node, struct rule_list *l) {
    const struct schema_node *n = &s->nodes.data[node];
    bool foreign = s->documents.data[s->resources.data[n->resource].document].builtin;
    bool inverted = is_inverted(s, node);
    for (uint32_t i = 0; i < n->value->count; i++) {
        const struct json_member *m = &n->value->members[i];
        const struct keyword_info *k = schema_effect(s, node, m);
        const struct json_value *child;
        if (!k) continue;
        enum rule_rank rank = foreign ? RULE_FOREIGN : inverted ? RULE_INVERTED : RULE_ASSERTS;
        for (uint32_t j = 0; (child = child_of(k, &m->value, j)); j++)
            if (child->kind == JSON_FALSE) add_rule(l, (struct rule_place){node, i, j, rank});
        if (rank == RULE_ASSERTS && !asserts(k, &m->value)) rank = RULE_APPLIES;
        add_rule(l, (struct rule_place){node, i, NO_INDEX, rank});
    }
}

bool rules_list(struct json_schema *s, struct rule_place **rules, size_t *n) {
    struct rule_list l = {NULL, 0};
    for (uint32_t i = 0; i < s->nodes.count; i++)
        if (s->nodes.data[i].reached) add_rules_of(s, i, &l);
    l.rules = arena_push_array(s->arena, l.n, sizeof *l.rules);
    if (!l.rules) return false;
    l.n = 0;
    for (uint32_t i = 0; i < s->nodes.count; i++)
        if (s->nodes.data[i].reached) add_rules_of(s, i, &l);
    *rules = l.rules;
    *n = l.n;
    return true;
}

/* The tree is this load's own: a `false` becomes `true`, a keyword a word that is none. */
void rules_drop(struct json_schema *s, const struct rule_place *rules, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const struct rule_place *r = &rules[i];
        if (r->node >= s->nodes.count || r->member >= s->nodes.data[r->node].value->count) continue;
        struct json_member *m = &s->nodes.data[r->node].value->members[r->member];
        const struct keyword_info *k = schema_effect(s, r->node, m);
        struct json_value *child =
            k && r->child != NO_INDEX ? child_of(k, &m->value, r->child) : NULL;
        if (child) child->kind = JSON_TRUE;
    }
    for (size_t i = 0; i < n; i++) {
        const struct rule_place *r = &rules[i];
        if (r->child != NO_INDEX) continue;
        if (r->node >= s->nodes.count || r->member >= s->nodes.data[r->node].value->count) continue;
        struct json_member *m = &s->nodes.data[r->node].value->members[r->member];
        m->name = "";
        m->name_length = 0;
    }
    for (size_t i = 0; i < n; i++)
        if (rules[i].node < s->nodes.count) schema_count_effects(s, rules[i].node);
}

const char *rule_pointer(struct json_schema *s, const struct rule_place *r) {
    const struct json_member *m = &s->nodes.data[r->node].value->members[r->member];
    if (r->child == NO_INDEX) return schema_pointer(s, s->arena, r->node, m, NULL, NO_INDEX);
    if (m->value.kind == JSON_ARRAY) return schema_pointer(s, s->arena, r->node, m, NULL, r->child);
    return schema_pointer(s, s->arena, r->node, m, &m->value.members[r->child], NO_INDEX);
}
