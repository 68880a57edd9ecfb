/* SPDX-License-Identifier: MIT
 *
 * Which nodes say the same: equal content in one resource, where annotations, unknown words and
 * definitions are left out. Subschemas are compared by their canonical nodes, bottom-up, so this is
 * linear in the text (expected, by hashing).
 */
#include <string.h>

#include "schema/internal.h"

/* What stands for a subschema in the content of its parent; *low becomes at most its node. */
static uint32_t child_token(const struct json_schema *s, const struct json_value *v,
                            uint32_t *low) {
    if (v->kind == JSON_TRUE) return NODE_TRUE;
    if (v->kind == JSON_FALSE) return NODE_FALSE;
    uint32_t node = schema_find_node(s, v);
    if (node < *low) *low = node;
    return node == NODE_NONE ? NODE_NONE : s->nodes.data[node].canonical;
}

/* Mixes the subschemas of one keyword into `hash`; *low becomes the lowest node among them. */
static uint32_t hash_member(const struct json_schema *s, const struct keyword_info *k,
                            const struct json_member *m, uint32_t hash, uint32_t *low) {
    const struct json_value *v = &m->value;
    hash = fa_hash_mix(hash, k->id);
    if (k->place == PLACE_NONE) return fa_hash_mix(hash, json_hash(v));
    bool map = k->place == PLACE_MAP || k->place == PLACE_MAP_OR_NAMES;
    if (k->place == PLACE_ONE || (!map && v->kind != JSON_ARRAY))
        return fa_hash_mix(hash, child_token(s, v, low));
    hash = fa_hash_mix(hash, v->count);
    for (uint32_t i = 0; i < v->count; i++) {
        if (map) hash = fa_hash_mix(hash, fa_hash(v->members[i].name, v->members[i].name_length));
        hash = fa_hash_mix(hash, child_token(s, map ? &v->members[i].value : &v->items[i], low));
    }
    return hash;
}

static bool same_name(const struct json_member *a, const struct json_member *b) {
    return a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
}

static bool same_member(const struct json_schema *s, const struct keyword_info *k,
                        const struct json_value *a, const struct json_value *b) {
    if (k->place == PLACE_NONE) return json_equal(a, b);
    bool map = k->place == PLACE_MAP || k->place == PLACE_MAP_OR_NAMES;
    uint32_t low = 0;
    if (k->place == PLACE_ONE || (!map && (a->kind != JSON_ARRAY || b->kind != JSON_ARRAY)))
        return child_token(s, a, &low) == child_token(s, b, &low);
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (map && !same_name(&a->members[i], &b->members[i])) return false;
        const struct json_value *x = map ? &a->members[i].value : &a->items[i];
        const struct json_value *y = map ? &b->members[i].value : &b->items[i];
        if (map && x->kind == JSON_ARRAY ? !json_equal(x, y)
                                         : child_token(s, x, &low) != child_token(s, y, &low))
            return false;
    }
    return true;
}

/* The next member from *i on that has an effect; NULL at the end. */
static const struct json_member *next_effect(const struct json_schema *s, uint32_t node,
                                             uint32_t *i, const struct keyword_info **k) {
    const struct json_value *object = s->nodes.data[node].value;
    while (*i < object->count) {
        const struct json_member *m = &object->members[(*i)++];
        *k = schema_effect(s, node, m);
        if (*k) return m;
    }
    return NULL;
}

static bool same_content(const struct json_schema *s, uint32_t a, uint32_t b) {
    const struct keyword_info *ka = NULL, *kb = NULL;
    if (s->nodes.data[a].resource != s->nodes.data[b].resource) return false;
    for (uint32_t i = 0, j = 0;;) {
        const struct json_member *x = next_effect(s, a, &i, &ka);
        const struct json_member *y = next_effect(s, b, &j, &kb);
        if (!x || !y) return x == y;
        if (ka != kb || !same_member(s, ka, &x->value, &y->value)) return false;
    }
}

bool schema_settle_identity(struct json_schema *s) {
    for (uint32_t node = s->nodes.count; node-- > 0;) {
        struct schema_node *n = &s->nodes.data[node];
        const struct keyword_info *k;
        const struct json_member *m;
        /* Children come first, as they have higher ids. Not so where a reference reads something
         * else as a schema (such as a `properties` object): those keep their place. */
        uint32_t hash = fa_hash_mix(1, n->resource), low = NODE_NONE;
        if (!n->reached || n->located) continue;
        for (uint32_t i = 0; (m = next_effect(s, node, &i, &k));)
            hash = hash_member(s, k, m, hash, &low);
        if (low <= node) continue;
        struct table_probe p = table_probe(&s->by_content, hash);
        bool found = false;
        while (!found && table_next(&s->by_content, &p)) {
            if (!same_content(s, p.id, node)) continue;
            n->canonical = p.id;
            s->nodes.data[p.id].first = node;
            found = true;
        }
        if (!found && !table_add(&s->by_content, hash, node)) return false;
    }
    return true;
}
