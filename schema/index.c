/* SPDX-License-Identifier: MIT
 *
 * Where schemas stand, and what they are called.
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
        .resource = parent == NODE_NONE ? s->resources.count : s->nodes.data[parent].resource,
        .canonical = id,
        .first = id,
        .target = NODE_NONE,
        .dynamic_target = NODE_NONE,
        .dynamic_name = NO_INDEX,
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

/* ---- names ----------------------------------------------------------------------------------- */

static struct schema_name *find_name(const struct json_schema *s, const char *uri, size_t length) {
    struct table_probe p = table_probe(&s->by_uri, fa_hash(uri, length));
    while (table_next(&s->by_uri, &p)) {
        struct schema_name *n = &s->uris.data[p.id];
        if (n->length == length && memcmp(n->uri, uri, length) == 0) return n;
    }
    return NULL;
}

const struct schema_name *schema_find_name(const struct json_schema *s, const char *uri,
                                           size_t length) {
    return find_name(s, uri, length);
}

/* `uri` stays where it is. Two schemas of one name are told apart only where they differ. */
static bool add_name(struct json_schema *s, const char *uri, size_t length, uint32_t node) {
    struct schema_name *other = find_name(s, uri, length);
    if (other) {
        bool same = other->node == node ||
                    (node < NODE_FALSE && other->node < NODE_FALSE &&
                     json_equal(s->nodes.data[node].value, s->nodes.data[other->node].value));
        other->ambiguous = other->ambiguous || !same;
        return true;
    }
    uint32_t id = s->uris.count;
    if (!ARENA_VEC_GROW(s->arena, &s->uris) || !table_add(&s->by_uri, fa_hash(uri, length), id))
        return false;
    s->uris.data[id] = (struct schema_name){uri, length, node, false};
    s->uris.count++;
    return true;
}

static bool add_resource(struct json_schema *s, const char *uri, size_t length, uint32_t root,
                         uint32_t document, const struct schema_language *language) {
    uint32_t id = s->resources.count;
    if (!ARENA_VEC_GROW(s->arena, &s->resources)) return false;
    s->resources.data[id] =
        (struct schema_resource){uri, length, root, document, *language, NO_INDEX, false};
    s->resources.count++;
    return true;
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

const struct schema_anchor *schema_find_anchor(const struct json_schema *s, uint32_t resource,
                                               const char *name, size_t length) {
    return find_anchor(s, resource, name, length);
}

static struct schema_anchor *add_anchor(struct json_schema *s, uint32_t node, const char *name,
                                        size_t length) {
    uint32_t resource = s->nodes.data[node].resource, id = s->anchors.count;
    struct schema_anchor *other = find_anchor(s, resource, name, length);
    if (other) {
        if (other->node != node) other->ambiguous = true;
        return other;
    }
    if (!ARENA_VEC_GROW(s->arena, &s->anchors) ||
        !table_add(&s->by_anchor, hash_anchor(resource, name, length), id))
        return NULL;
    s->anchors.data[id] = (struct schema_anchor){name, length, resource, node, false, NO_INDEX};
    s->anchors.count++;
    return &s->anchors.data[id];
}

/* The number of a new dynamic anchor. */
static uint32_t add_dynamic(struct json_schema *s, uint32_t node, const char *name, size_t length) {
    struct schema_resource *r = &s->resources.data[s->nodes.data[node].resource];
    uint32_t id = s->dynamics.count, number = schema_dynamic_name(s, name, length);
    if (s->arena->failed || !ARENA_VEC_GROW(s->arena, &s->dynamics)) return NO_INDEX;
    struct schema_dynamic_name *n = &s->dynamic_names.data[number];
    s->dynamics.data[id] = (struct schema_dynamic){number, node, r->first_anchor, n->first};
    s->dynamics.count++;
    r->first_anchor = n->first = id;
    return id;
}

/* ---- identifiers ----------------------------------------------------------------------------- */

static const struct json_member *find_member(const struct json_value *object, const char *name) {
    const struct json_value *v = json_find(object, name);
    if (!v) return NULL;
    return (const struct json_member *)((const char *)v - offsetof(struct json_member, value));
}

/* Gives the node a name, and a resource of its own; the root of a document has one already. */
static bool name_resource(struct json_schema *s, uint32_t node, const char *uri, size_t length,
                          const struct schema_language *language) {
    uint32_t outer = s->nodes.data[node].resource;
    struct schema_resource *r = &s->resources.data[outer];
    char *copy = arena_push(s->arena, length + 1);
    if (!copy) return false;
    memcpy(copy, uri, length);
    if (r->root == node) {
        r->uri = copy;
        r->uri_length = length;
    } else {
        s->nodes.data[node].resource = s->resources.count;
        if (!add_resource(s, copy, length, node, r->document, language)) return false;
    }
    s->nodes.data[node].located = true;
    return add_name(s, copy, length, node);
}

/* The language of a schema that may begin a resource. What is wrong with `$schema` is said when it
 * is checked. */
static struct schema_language read_language(struct json_schema *s, const struct json_value *object,
                                            const struct schema_language *outer) {
    struct schema_language language = *outer;
    const struct json_value *named = json_find(object, "$schema");
    if (named && named->kind == JSON_STRING)
        schema_find_language(s, named->text, named->length, &language, NULL);
    return language;
}

/* The node's own resource, if an identifier begins one. */
static bool read_identifier(struct json_schema *s, uint32_t node, struct forma_error *err) {
    const struct json_value *object = s->nodes.data[node].value;
    uint32_t outer = s->nodes.data[node].resource;
    struct schema_language language = s->resources.data[outer].language;
    const char *word = language.dialect == DIALECT_4 ? "id" : "$id"; /* of the document around */
    if (s->resources.data[outer].root != node) language = read_language(s, object, &language);
    bool old = language.dialect <= DIALECT_7;
    const struct json_member *m = find_member(object, word);
    if (!m || m->value.kind != JSON_STRING || m->value.length == 0) return true;
    const char *id = m->value.text;
    size_t whole = m->value.length, length = uri_without_fragment(id, whole);
    if (old && length == 0) {
        add_anchor(s, node, id + 1, whole - 1);
        return true;
    }
    if (!old && length + 1 < whole)
        schema_log(s, node, m, 0, "the fragment of '$id' is ignored; '$anchor' names a place");
    if (length == 0) return true;
    char uri[MAX_URI];
    const struct schema_resource *base = &s->resources.data[outer];
    size_t n = uri_resolve(base->uri, base->uri_length, id, length, uri, sizeof uri);
    if (n == SIZE_MAX)
        return schema_fail(s, node, m, NULL, NO_INDEX, err, FORMA_ELIMIT,
                           "the absolute identifier is longer than %d bytes", MAX_URI - 1);
    if (!name_resource(s, node, uri, n, &language)) return false;
    if (old && length + 1 < whole) add_anchor(s, node, id + length + 1, whole - length - 1);
    return true;
}

/* The string of an identifying keyword, where the dialect has it. */
static const struct json_value *find_word(const struct json_schema *s, uint32_t node,
                                          const char *word) {
    const struct json_value *v = json_find(s->nodes.data[node].value, word);
    return v && schema_keyword(s, node, word, strlen(word)) ? v : NULL;
}

static void read_anchors(struct json_schema *s, uint32_t node) {
    const struct json_value *v = find_word(s, node, "$anchor");
    if (v && v->kind == JSON_STRING) add_anchor(s, node, v->text, v->length);
    v = find_word(s, node, "$dynamicAnchor");
    if (v && v->kind == JSON_STRING) {
        struct schema_anchor *a = add_anchor(s, node, v->text, v->length);
        if (a && a->node == node && a->dynamic == NO_INDEX)
            a->dynamic = add_dynamic(s, node, v->text, v->length);
    }
    v = find_word(s, node, "$recursiveAnchor");
    bool is_root = s->resources.data[s->nodes.data[node].resource].root == node;
    if (v && v->kind == JSON_TRUE && is_root) add_dynamic(s, node, "", 0);
}

/* ---- walking --------------------------------------------------------------------------------- */

/* Nodes from `node` on, which is not walked yet. */
static bool index_from(struct json_schema *s, uint32_t node, struct forma_error *err) {
    for (; node < s->nodes.count; node++) {
        const struct json_value *object = s->nodes.data[node].value;
        if (node >= s->options->max_nodes)
            return schema_fail(s, node, NULL, NULL, NO_INDEX, err, FORMA_ELIMIT,
                               "there are more than %zu schemas; raise max_nodes",
                               s->options->max_nodes);
        /* Up to draft 7 a reference hides what stands beside it; definitions can be pointed at. */
        bool hidden = schema_dialect(s, node) <= DIALECT_7 && json_find(object, "$ref");
        s->nodes.data[node].hidden = hidden;
        if (!hidden && !read_identifier(s, node, err)) return false;
        if (!hidden) read_anchors(s, node);
        for (uint32_t i = 0; i < object->count; i++) {
            const struct json_member *m = &object->members[i];
            const struct keyword_info *k = schema_keyword(s, node, m->name, m->name_length);
            if (!k || k->place == PLACE_NONE) continue;
            if (hidden && k->status != KEYWORD_STRUCTURE) continue;
            add_children(s, node, m, (enum keyword_place)k->place);
        }
        if (s->arena->failed) return false;
    }
    return true;
}

bool schema_index(struct json_schema *s, uint32_t document, uint32_t *node,
                  struct forma_error *err) {
    struct schema_document *d = &s->documents.data[document];
    const struct json_value *root = d->root;
    struct schema_language language = read_language(s, root, &s->language);
    d = &s->documents.data[document]; /* the language may have needed a document */
    d->indexed = true;
    *node = root->kind == JSON_TRUE ? NODE_TRUE : NODE_FALSE;
    if (root->kind == JSON_OBJECT) {
        *node = add_node(s, root, NODE_NONE, NULL, NULL, NO_INDEX);
        if (*node == NODE_NONE ||
            !add_resource(s, d->uri, d->uri_length, *node, document, &language))
            return false;
    }
    if (document != 0 && !add_name(s, d->uri, d->uri_length, *node)) return false;
    return root->kind != JSON_OBJECT || index_from(s, *node, err);
}

uint32_t schema_index_odd(struct json_schema *s, const struct json_value *value, uint32_t parent,
                          const char *path, size_t length, struct forma_error *err) {
    uint32_t node = add_node(s, value, parent, NULL, NULL, NO_INDEX);
    if (node == NODE_NONE) return NODE_NONE;
    s->nodes.data[node].path = path;
    s->nodes.data[node].path_length = length;
    return index_from(s, node, err) ? node : NODE_NONE;
}
