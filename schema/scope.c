/* SPDX-License-Identifier: MIT
 *
 * From place to place: subschemas and references, with the dynamic scope that each is met in.
 *
 * A scope says for each name of a dynamic anchor which place has it in the outermost resource that
 * was entered; entering a resource, by descent or by reference, adds its anchors where they are
 * absent. Only names that some reference asks for are kept, and only at nodes below which such a
 * reference stands: everywhere else the scope is 0, so schemas without dynamic references are
 * never told apart by the way that led to them.
 */
#include "schema/internal.h"

#include <string.h>

/* A few are usual. More than these come of resources whose anchors can be entered in any
 * combination; each makes all goals below anew. */
#define MAX_SCOPES 4096

/* ---- names ----------------------------------------------------------------------------------- */

uint32_t schema_dynamic_name(struct json_schema *s, const char *text, size_t length) {
    uint32_t hash = fa_hash(text, length), id = s->dynamic_names.count;
    for (struct table_probe p = table_probe(&s->by_dynamic_name, hash);
         table_next(&s->by_dynamic_name, &p);) {
        const struct schema_dynamic_name *n = &s->dynamic_names.data[p.id];
        if (n->length == length && memcmp(n->text, text, length) == 0) return p.id;
    }
    if (!ARENA_VEC_GROW(s->arena, &s->dynamic_names) || !table_add(&s->by_dynamic_name, hash, id))
        return 0;
    s->dynamic_names.data[id] = (struct schema_dynamic_name){text, length, NO_INDEX, false};
    s->dynamic_names.count++;
    return id;
}

/* ---- which nodes depend on it ---------------------------------------------------------------- */

/* Nodes with a reference to each node, as lists: two references a node at most. */
struct referrers {
    uint32_t *first; /* by target; node * 2, + 1 for the dynamic one; NO_INDEX */
    uint32_t *next;
};

static void add_referrer(struct referrers *r, uint32_t target, uint32_t link) {
    if (target >= NODE_FALSE) return;
    r->next[link] = r->first[target];
    r->first[target] = link;
}

static bool mark(struct json_schema *s, uint32_t node) {
    if (s->nodes.data[node].dynamic) return true;
    if (!ARENA_VEC_GROW(s->arena, &s->work)) return false;
    s->nodes.data[node].dynamic = true;
    s->work.data[s->work.count++] = node;
    return true;
}

bool schema_settle_scopes(struct json_schema *s) {
    uint32_t n = s->nodes.count;
    bool any = false;
    for (uint32_t i = 0; i < s->dynamic_names.count; i++) any |= s->dynamic_names.data[i].wanted;
    if (!any) return true;
    struct referrers r = {arena_push_array(s->arena, n, sizeof *r.first),
                          arena_push_array(s->arena, 2 * (size_t)n, sizeof *r.next)};
    if (!r.first || !r.next) return false;
    memset(r.first, 0xFF, n * sizeof *r.first);
    s->work.count = 0;
    for (uint32_t i = 0; i < n; i++) {
        add_referrer(&r, s->nodes.data[i].target, 2 * i);
        add_referrer(&r, s->nodes.data[i].dynamic_target, 2 * i + 1);
        if (s->nodes.data[i].dynamic_name != NO_INDEX && !mark(s, i)) return false;
    }
    while (s->work.count) { /* whatever leads to a dependent node depends on the scope too */
        uint32_t node = s->work.data[--s->work.count], parent = s->nodes.data[node].parent;
        if (parent != NODE_NONE && !mark(s, parent)) return false;
        for (uint32_t link = r.first[node]; link != NO_INDEX; link = r.next[link])
            if (!mark(s, link / 2)) return false;
    }
    return true;
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static uint32_t intern_scope(struct json_schema *s, const struct scope_entry *entries,
                             uint32_t count) {
    size_t size = count * sizeof *entries;
    uint32_t hash = fa_hash(entries, size), id = s->scopes.count;
    for (struct table_probe p = table_probe(&s->by_scope, hash); table_next(&s->by_scope, &p);) {
        const struct schema_scope *known = &s->scopes.data[p.id];
        if (known->count == count && memcmp(known->entries, entries, size) == 0) return p.id;
    }
    if (id == MAX_SCOPES) s->too_many_scopes = s->arena->failed = true;
    if (!ARENA_VEC_GROW(s->arena, &s->scopes) || !table_add(&s->by_scope, hash, id)) return 0;
    s->scopes.data[id] = (struct schema_scope){entries, count};
    s->scopes.count++;
    return id;
}

/* Where the name stands in a scope, or would stand. */
static uint32_t search_scope(const struct schema_scope *scope, uint32_t name, bool *found) {
    uint32_t low = 0, high = scope->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (scope->entries[middle].name < name)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low < scope->count && scope->entries[low].name == name;
    return low;
}

static uint32_t widen(struct json_schema *s, uint32_t scope, uint32_t resource) {
    struct schema_scope grown = s->scopes.data[scope];
    for (uint32_t i = s->resources.data[resource].first_anchor; i != NO_INDEX;
         i = s->dynamics.data[i].next) {
        struct schema_dynamic d = s->dynamics.data[i];
        bool found;
        uint32_t at = search_scope(&grown, d.name, &found);
        if (found || !s->dynamic_names.data[d.name].wanted) continue;
        struct scope_entry *entries = arena_push_array(s->arena, grown.count + 1, sizeof *entries);
        if (!entries) return 0;
        if (at) memcpy(entries, grown.entries, at * sizeof *entries);
        entries[at] = (struct scope_entry){d.name, d.node};
        if (at < grown.count)
            memcpy(entries + at + 1, grown.entries + at, (grown.count - at) * sizeof *entries);
        grown = (struct schema_scope){entries, grown.count + 1};
    }
    return intern_scope(s, grown.entries, grown.count);
}

/* The scope after entering a resource. */
static uint32_t enter(struct json_schema *s, uint32_t scope, uint32_t resource) {
    uint32_t hash = fa_hash_mix(fa_hash_mix(3, scope), resource), id = s->scope_steps.count;
    for (struct table_probe p = table_probe(&s->by_scope_step, hash);
         table_next(&s->by_scope_step, &p);) {
        const struct scope_step *known = &s->scope_steps.data[p.id];
        if (known->scope == scope && known->resource == resource) return known->result;
    }
    if (s->resources.data[resource].first_anchor == NO_INDEX) return scope;
    uint32_t result = widen(s, scope, resource);
    if (s->arena->failed || !ARENA_VEC_GROW(s->arena, &s->scope_steps) ||
        !table_add(&s->by_scope_step, hash, id))
        return 0;
    s->scope_steps.data[id] = (struct scope_step){scope, resource, result};
    s->scope_steps.count++;
    return result;
}

/* ---- steps ----------------------------------------------------------------------------------- */

struct schema_place schema_arrive(struct json_schema *s, uint32_t scope, uint32_t node) {
    if (node >= NODE_FALSE || !s->nodes.data[node].dynamic) return (struct schema_place){node, 0};
    return (struct schema_place){node, enter(s, scope, s->nodes.data[node].resource)};
}

struct schema_place schema_descend(struct json_schema *s, uint32_t scope,
                                   const struct json_value *value) {
    if (value->kind == JSON_TRUE) return (struct schema_place){NODE_TRUE, 0};
    if (value->kind == JSON_FALSE) return (struct schema_place){NODE_FALSE, 0};
    return schema_arrive(s, scope, schema_find_node(s, value));
}

struct schema_place schema_follow(struct json_schema *s, struct schema_place from,
                                  enum keyword keyword) {
    struct schema_node node = s->nodes.data[from.node];
    if (keyword == KEYWORD_REF) return schema_arrive(s, from.scope, node.target);
    if (keyword != KEYWORD_DYNAMIC_REF && keyword != KEYWORD_RECURSIVE_REF)
        return (struct schema_place){NODE_NONE, 0};
    if (node.dynamic_name != NO_INDEX) {
        const struct schema_scope *scope = &s->scopes.data[from.scope];
        bool found;
        uint32_t at = search_scope(scope, node.dynamic_name, &found);
        if (found) return schema_arrive(s, from.scope, scope->entries[at].node);
    }
    return schema_arrive(s, from.scope, node.dynamic_target);
}
