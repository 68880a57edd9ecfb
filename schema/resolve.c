/* SPDX-License-Identifier: MIT
 *
 * Where schemas stand, what they are called, and what `$ref` means.
 *
 * Indexing walks every position that can hold a schema in the dialect, definitions included,
 * breadth-first, and notes identifiers and anchors. Values of `enum` and `const` and of unknown
 * words are not walked: an `$id` there names nothing. A reference by pointer may still lead into
 * such a place; then the walk starts anew from there. Up to draft 7 the siblings of `$ref` are
 * ignored, identifiers too. Embedded resources may name a dialect of their own.
 */
#include "schema/internal.h"

#include <string.h>

#include "base/error.h"
#include "schema/uri.h"

#define MAX_URI 2048 /* bytes; each resource keeps its absolute URI */

static uint32_t hash_address(const void *p) {
    uint64_t bits = (uint64_t)(uintptr_t)p;
    return fa_hash_mix((uint32_t)bits, (uint32_t)(bits >> 32));
}

uint32_t schema_find_node(const struct json_schema *s, const struct json_value *value) {
    struct table_probe p = table_probe(&s->by_value, hash_address(value));
    while (table_next(&s->by_value, &p))
        if (s->nodes.data[p.id].value == value) return p.id;
    return NODE_NONE;
}

/* The node of an object; other values have none, and stay for the check to judge. */
static uint32_t add_node(struct json_schema *s, const struct json_value *value, uint32_t parent,
                         const struct json_member *keyword, const struct json_member *key,
                         uint32_t index) {
    if (value->kind != JSON_OBJECT) return NODE_NONE;
    uint32_t id = schema_find_node(s, value);
    if (id != NODE_NONE) return id;
    id = s->nodes.count;
    if (!ARENA_VEC_GROW(s->arena, &s->nodes) || !table_add(&s->by_value, hash_address(value), id))
        return NODE_NONE;
    s->nodes.count++;
    s->nodes.data[id] = (struct schema_node){
        .value = value,
        .parent = parent,
        .resource = parent == NODE_NONE ? 0 : s->nodes.data[parent].resource,
        .canonical = id,
        .first = id,
        .target = NODE_NONE,
        .keyword = keyword,
        .key = key,
        .index = index,
    };
    return id;
}

static void add_children(struct json_schema *s, uint32_t node, const struct json_member *member,
                         enum keyword_place place) {
    const struct json_value *v = &member->value;
    switch (place) {
    case PLACE_NONE: return;
    case PLACE_ONE: add_node(s, v, node, member, NULL, NO_INDEX); return;
    case PLACE_ONE_OR_LIST:
    case PLACE_LIST:
        if (v->kind == JSON_OBJECT && place == PLACE_ONE_OR_LIST)
            add_node(s, v, node, member, NULL, NO_INDEX);
        if (v->kind == JSON_ARRAY)
            for (uint32_t i = 0; i < v->count; i++)
                add_node(s, &v->items[i], node, member, NULL, i);
        return;
    case PLACE_MAP:
    case PLACE_MAP_OR_NAMES:
        if (v->kind == JSON_OBJECT)
            for (uint32_t i = 0; i < v->count; i++)
                add_node(s, &v->members[i].value, node, member, &v->members[i], NO_INDEX);
        return;
    }
}

/* ---- identifiers ----------------------------------------------------------------------------- */

static uint32_t find_resource(const struct json_schema *s, const char *uri, size_t length) {
    struct table_probe p = table_probe(&s->by_uri, fa_hash(uri, length));
    while (table_next(&s->by_uri, &p)) {
        const struct schema_resource *r = &s->resources.data[p.id];
        if (r->uri_length == length && memcmp(r->uri, uri, length) == 0) return p.id;
    }
    return UINT32_MAX;
}

static uint32_t add_resource(struct json_schema *s, const char *uri, size_t length, uint32_t root,
                             enum dialect dialect) {
    uint32_t id = s->resources.count, other = find_resource(s, uri, length);
    char *copy = arena_push(s->arena, length + 1);
    if (!copy || !ARENA_VEC_GROW(s->arena, &s->resources)) return 0;
    if (length) memcpy(copy, uri, length);
    if (other != UINT32_MAX)
        s->resources.data[other].ambiguous = true;
    else if (!table_add(&s->by_uri, fa_hash(copy, length), id))
        return 0;
    s->resources.data[id] = (struct schema_resource){copy, length, root, dialect, false};
    s->resources.count++;
    return id;
}

static uint32_t hash_anchor(uint32_t resource, const char *name, size_t length) {
    return fa_hash_mix(fa_hash(name, length), resource);
}

static struct schema_anchor *find_anchor(const struct json_schema *s, uint32_t resource,
                                         const char *name, size_t length) {
    struct table_probe p = table_probe(&s->by_anchor, hash_anchor(resource, name, length));
    while (table_next(&s->by_anchor, &p)) {
        struct schema_anchor *a = &s->anchors.data[p.id];
        if (a->resource == resource && a->length == length && memcmp(a->name, name, length) == 0)
            return a;
    }
    return NULL;
}

static void add_anchor(struct json_schema *s, uint32_t node, const char *name, size_t length) {
    uint32_t resource = s->nodes.data[node].resource, id = s->anchors.count;
    struct schema_anchor *other = find_anchor(s, resource, name, length);
    if (other) {
        if (other->node != node) other->ambiguous = true;
        return;
    }
    if (!ARENA_VEC_GROW(s->arena, &s->anchors) ||
        !table_add(&s->by_anchor, hash_anchor(resource, name, length), id))
        return;
    s->anchors.data[id] = (struct schema_anchor){name, length, resource, node, false};
    s->anchors.count++;
}

static const struct json_member *find_member(const struct json_value *object, const char *name) {
    const struct json_value *v = json_find(object, name);
    if (!v) return NULL;
    return (const struct json_member *)((const char *)v - offsetof(struct json_member, value));
}

/* The node's own resource, if an identifier begins one. */
static bool read_identifier(struct json_schema *s, uint32_t node, struct forma_error *err) {
    const struct json_value *object = s->nodes.data[node].value;
    uint32_t outer = s->nodes.data[node].resource;
    enum dialect dialect = s->resources.data[outer].dialect;
    const struct json_value *named = json_find(object, "$schema");
    if (named && named->kind == JSON_STRING) dialect_find(named->text, named->length, &dialect);
    const struct json_member *m = find_member(object, dialect == DIALECT_4 ? "id" : "$id");
    if (!m || m->value.kind != JSON_STRING || m->value.length == 0) return true;
    const char *id = m->value.text;
    size_t whole = m->value.length, length = uri_without_fragment(id, whole);
    if (dialect <= DIALECT_7) {
        if (length == 0) {
            add_anchor(s, node, id + 1, whole - 1);
            return true;
        }
    } else if (length + 1 < whole) {
        schema_log(s, node, m, 0, "the fragment of '$id' is ignored; '$anchor' names a place");
    }
    if (length == 0) return true;
    char uri[MAX_URI];
    const struct schema_resource *base = &s->resources.data[outer];
    size_t n = uri_resolve(base->uri, base->uri_length, id, length, uri, sizeof uri);
    if (n == SIZE_MAX)
        return schema_fail(s, node, m, NULL, NO_INDEX, err, FORMA_ELIMIT,
                           "the absolute identifier is longer than %d bytes", MAX_URI - 1);
    uint32_t resource = add_resource(s, uri, n, node, dialect);
    if (s->arena->failed) return false;
    s->nodes.data[node].resource = resource;
    s->nodes.data[node].located = true;
    if (dialect <= DIALECT_7 && length + 1 < whole)
        add_anchor(s, node, id + length + 1, whole - length - 1);
    return true;
}

static void read_anchors(struct json_schema *s, uint32_t node) {
    static const char *const words[] = {"$anchor", "$dynamicAnchor"};
    const struct json_value *object = s->nodes.data[node].value;
    enum dialect dialect = schema_dialect(s, node);
    for (size_t i = 0; i < 2; i++) {
        if (!keyword_find(words[i], strlen(words[i]), dialect)) continue;
        const struct json_value *v = json_find(object, words[i]);
        if (v && v->kind == JSON_STRING) add_anchor(s, node, v->text, v->length);
    }
}

/* Nodes from `node` on, which is not walked yet. */
static bool index_from(struct json_schema *s, uint32_t node, struct forma_error *err) {
    for (; node < s->nodes.count; node++) {
        const struct json_value *object = s->nodes.data[node].value;
        /* Up to draft 7 a reference hides what stands beside it; definitions can be pointed at. */
        bool hidden = schema_dialect(s, node) <= DIALECT_7 && json_find(object, "$ref");
        s->nodes.data[node].hidden = hidden;
        if (!hidden && !read_identifier(s, node, err)) return false;
        if (!hidden) read_anchors(s, node);
        enum dialect dialect = schema_dialect(s, node);
        for (uint32_t i = 0; i < object->count; i++) {
            const struct json_member *m = &object->members[i];
            const struct keyword_info *k = keyword_find(m->name, m->name_length, dialect);
            if (!k || k->place == PLACE_NONE) continue;
            if (hidden && k->status != KEYWORD_STRUCTURE) continue;
            add_children(s, node, m, (enum keyword_place)k->place);
        }
        if (s->arena->failed) return false;
    }
    return true;
}

bool schema_index(struct json_schema *s, enum dialect dialect, struct forma_error *err) {
    add_resource(s, "", 0, 0, dialect);
    add_node(s, s->root, NODE_NONE, NULL, NULL, NO_INDEX);
    if (s->arena->failed) return false;
    return index_from(s, 0, err);
}

/* ---- references ------------------------------------------------------------------------------ */

static bool fail_reference(struct json_schema *s, uint32_t node, const struct json_member *ref,
                           struct forma_error *err, enum forma_status status, const char *why) {
    return schema_fail(s, node, ref, NULL, NO_INDEX, err, status, "'$ref' to '%.200s': %s",
                       ref->value.text, why);
}

/* One reference token of a JSON pointer, unescaped into `out`; false when an escape is wrong. */
static bool unescape(const char *token, size_t length, char *out, size_t *out_length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (token[i] != '~') {
            out[n++] = token[i];
            continue;
        }
        if (++i == length || (token[i] != '0' && token[i] != '1')) return false;
        out[n++] = token[i] == '0' ? '~' : '/';
    }
    *out_length = n;
    return true;
}

static const struct json_value *descend(const struct json_value *v, const char *token,
                                        size_t length) {
    if (v->kind == JSON_OBJECT) return json_find_n(v, token, length);
    if (v->kind != JSON_ARRAY || length == 0 || length > 9) return NULL;
    if (length > 1 && token[0] == '0') return NULL;
    uint32_t index = 0;
    for (size_t i = 0; i < length; i++) {
        if (token[i] < '0' || token[i] > '9') return NULL;
        index = index * 10 + (uint32_t)(token[i] - '0');
    }
    return index < v->count ? &v->items[index] : NULL;
}

/* Follows a decoded pointer from the node `from`. Where it leads to an object that is no node yet,
 * that becomes one, in the resource of the last node on the way. */
static uint32_t follow_pointer(struct json_schema *s, uint32_t from, const char *path,
                               size_t length, struct forma_error *err, const char **why) {
    const struct json_value *v = s->nodes.data[from].value;
    uint32_t last = from;
    size_t last_at = 0;
    char *token = arena_push(s->arena, length + 1);
    if (!token) return NODE_NONE;
    for (size_t at = 0; at < length;) {
        size_t end = ++at, token_length;
        while (end < length && path[end] != '/') end++;
        if (!unescape(path + at, end - at, token, &token_length)) {
            *why = "the pointer has a '~' that neither 0 nor 1 follows";
            return NODE_NONE;
        }
        v = descend(v, token, token_length);
        if (!v) {
            *why = "there is nothing at that place";
            return NODE_NONE;
        }
        at = end;
        uint32_t node = v->kind == JSON_OBJECT ? schema_find_node(s, v) : NODE_NONE;
        if (node != NODE_NONE) {
            last = node;
            last_at = at;
        }
    }
    if (v->kind == JSON_TRUE) return NODE_TRUE;
    if (v->kind == JSON_FALSE) return NODE_FALSE;
    if (v->kind != JSON_OBJECT) {
        *why = "what stands there is no schema";
        return NODE_NONE;
    }
    if (s->nodes.data[last].value == v) return last;
    uint32_t node = add_node(s, v, last, NULL, NULL, NO_INDEX);
    if (node == NODE_NONE) return NODE_NONE;
    s->nodes.data[node].path = path + last_at;
    s->nodes.data[node].path_length = length - last_at;
    return index_from(s, node, err) ? node : NODE_NONE;
}

/* The resource that the part before '#' names. */
static uint32_t target_resource(struct json_schema *s, uint32_t node, const struct json_member *ref,
                                size_t uri_length, enum forma_status *status, const char **why) {
    uint32_t own = s->nodes.data[node].resource;
    *status = FORMA_ESCHEMA;
    if (uri_length == 0) return own;
    const struct schema_resource *base = &s->resources.data[own];
    char uri[MAX_URI];
    size_t n =
        uri_resolve(base->uri, base->uri_length, ref->value.text, uri_length, uri, sizeof uri);
    if (n == SIZE_MAX) {
        *why = "the absolute URI is too long";
        return UINT32_MAX;
    }
    if (n == base->uri_length && memcmp(uri, base->uri, n) == 0) return own;
    uint32_t found = find_resource(s, uri, n);
    if (found != UINT32_MAX && !s->resources.data[found].ambiguous) return found;
    if (found == UINT32_MAX) *status = FORMA_EUNSUPPORTED;
    *why = found == UINT32_MAX ? "the document holds no schema with that identifier, and "
                                 "references to other documents are not supported yet"
                               : "several schemas of the document have that identifier";
    return UINT32_MAX;
}

uint32_t schema_resolve(struct json_schema *s, uint32_t node, const struct json_member *ref,
                        struct forma_error *err) {
    const char *text = ref->value.text, *why = NULL;
    size_t length = ref->value.length, uri_length = uri_without_fragment(text, length);
    enum forma_status status;
    uint32_t resource = target_resource(s, node, ref, uri_length, &status, &why);
    if (resource == UINT32_MAX) {
        fail_reference(s, node, ref, err, status, why);
        return NODE_NONE;
    }
    uint32_t root = s->resources.data[resource].root;
    if (length <= uri_length + 1) return root;
    char *fragment = arena_push(s->arena, length - uri_length);
    if (!fragment) return NODE_NONE;
    size_t n = uri_percent_decode(text + uri_length + 1, length - uri_length - 1, fragment);
    uint32_t target = NODE_NONE;
    if (fragment[0] == '/') {
        target = follow_pointer(s, root, fragment, n, err, &why);
        if (target == NODE_NONE && why) { /* an old `$id` may be "#/a/b" */
            const struct schema_anchor *a = find_anchor(s, resource, fragment, n);
            if (a && !a->ambiguous) return a->node;
        }
    } else {
        const struct schema_anchor *a = find_anchor(s, resource, fragment, n);
        if (!a)
            why = "there is no anchor of that name";
        else if (a->ambiguous)
            why = "several schemas have an anchor of that name";
        else
            target = a->node;
    }
    if (target == NODE_NONE && why) fail_reference(s, node, ref, err, FORMA_ESCHEMA, why);
    return target;
}

/* ---- identity -------------------------------------------------------------------------------- */

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
