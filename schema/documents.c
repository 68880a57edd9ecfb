/* SPDX-License-Identifier: MIT
 *
 * The texts that references may reach. Those of the caller are known by the URI that comes with
 * them, or by the identifier that they give themselves; they are read when something refers to
 * them. Where neither they nor the schema know a URI, the built-in metaschemas may. Nothing is ever
 * fetched.
 */
#include "schema/internal.h"

#include <string.h>

#include "base/error.h"
#include "schema/metaschemas.h"
#include "schema/uri.h"

/* ---- the list -------------------------------------------------------------------------------- */

static uint32_t find_document(const struct json_schema *s, const char *uri, size_t length) {
    struct table_probe p = table_probe(&s->by_document, fa_hash(uri, length));
    while (table_next(&s->by_document, &p)) {
        const struct schema_document *d = &s->documents.data[p.id];
        if (d->uri_length == length && memcmp(d->uri, uri, length) == 0) return p.id;
    }
    return NO_INDEX;
}

/* `uri` is copied. Of two texts with one URI the first counts, and a use of it is refused if they
 * differ. */
static bool name_document(struct json_schema *s, uint32_t id, const char *uri, size_t length) {
    struct schema_document *d = &s->documents.data[id];
    uint32_t other = find_document(s, uri, length);
    if (other != NO_INDEX) {
        struct schema_document *o = &s->documents.data[other];
        if (o->length != d->length || memcmp(o->text, d->text, d->length) != 0) o->ambiguous = true;
        return true;
    }
    char *copy = arena_push(s->arena, length + 1);
    if (!copy) return false;
    memcpy(copy, uri, length);
    d->uri = copy;
    d->uri_length = length;
    return table_add(&s->by_document, fa_hash(copy, length), id);
}

/* Errors in a document of the caller say which one. */
static bool parse(struct json_schema *s, uint32_t id, struct forma_error *err) {
    struct schema_document *d = &s->documents.data[id];
    struct json_limits limits = {s->options->max_bytes, s->options->max_nesting};
    struct forma_error why;
    if (d->root) return true;
    d->root = json_parse(s->arena, d->text, d->length, &limits, &why);
    if (!d->root) {
        error_set_pointer(&why, d->uri);
        if (err) *err = why;
        return false;
    }
    if (d->root->kind == JSON_OBJECT || d->root->kind == JSON_TRUE || d->root->kind == JSON_FALSE)
        return true;
    error_at_pointer(err, FORMA_ESCHEMA, d->uri, "a schema must be an object or a boolean");
    d->root = NULL;
    return false;
}

static uint32_t add_document(struct json_schema *s, const char *text, size_t length) {
    uint32_t id = s->documents.count;
    if (!ARENA_VEC_GROW(s->arena, &s->documents)) return NO_INDEX;
    s->documents.data[id] = (struct schema_document){.uri = "", .text = text, .length = length};
    s->documents.count++;
    return id;
}

/* A document that only its own identifier names. */
static bool name_by_itself(struct json_schema *s, uint32_t id, struct forma_error *err) {
    if (!parse(s, id, err)) return false;
    const struct json_value *root = s->documents.data[id].root;
    const struct json_value *name = json_find(root, "$id");
    if (!name) name = json_find(root, "id");
    size_t length =
        name && name->kind == JSON_STRING ? uri_without_fragment(name->text, name->length) : 0;
    if (length) return name_document(s, id, name->text, length);
    error_set(err, FORMA_ESCHEMA,
              "document %u of those that references may reach has no '$id' that names it; give it "
              "a URI",
              id);
    return false;
}

bool schema_open_documents(struct json_schema *s, struct forma_error *err) {
    const struct forma_options *o = s->options;
    for (size_t i = 0; i < o->n_documents; i++) {
        const struct forma_document *d = &o->documents[i];
        uint32_t id = add_document(s, d->text, d->length);
        if (id == NO_INDEX) return false;
        bool ok = d->uri
                      ? name_document(s, id, d->uri, uri_without_fragment(d->uri, strlen(d->uri)))
                      : name_by_itself(s, id, err);
        if (!ok) return false;
    }
    return true;
}

/* ---- looking up ------------------------------------------------------------------------------ */

static uint32_t find_builtin(struct json_schema *s, const char *uri, size_t length) {
    const struct metaschema *m = metaschema_find(uri, length);
    if (!m) return NO_INDEX;
    uint32_t id = find_document(s, uri, length); /* http and https are two documents */
    if (id != NO_INDEX) return id;
    id = add_document(s, m->text, strlen(m->text));
    if (id == NO_INDEX || !name_document(s, id, uri, length)) return NO_INDEX;
    s->documents.data[id].builtin = true;
    return id;
}

/* A document of that name, parsed; NO_INDEX in *id when there is none. */
static bool open_document(struct json_schema *s, const char *uri, size_t length, uint32_t *id,
                          struct forma_error *err) {
    *id = find_document(s, uri, length);
    if (*id == NO_INDEX) *id = find_builtin(s, uri, length);
    if (*id == NO_INDEX) return !s->arena->failed;
    const struct schema_document *d = &s->documents.data[*id];
    if (!d->ambiguous) return parse(s, *id, err);
    error_at_pointer(err, FORMA_ESCHEMA, d->uri,
                     "several different documents have this URI; supply one");
    return false;
}

bool schema_find_uri(struct json_schema *s, const char *uri, size_t length, uint32_t *node,
                     struct forma_error *err) {
    const struct schema_name *name = schema_find_name(s, uri, length);
    uint32_t id;
    *node = NODE_NONE;
    if (!name) {
        if (!open_document(s, uri, length, &id, err)) return false;
        if (id != NO_INDEX) return schema_index(s, id, node, err);
        /* It may stand inside a document that was parsed to learn its name. */
        for (uint32_t i = 1; !name && i < s->documents.count; i++) {
            uint32_t root;
            if (!s->documents.data[i].root || s->documents.data[i].indexed) continue;
            if (!schema_index(s, i, &root, err)) return false;
            name = schema_find_name(s, uri, length);
        }
    }
    if (name) *node = name->node;
    return true;
}

/* The definitions of the schema itself that have an identifier: metaschemas may be among them, and
 * are asked for before anything is indexed. */
static bool list_embedded(struct json_schema *s) {
    static const char *const places[] = {"$defs", "definitions"};
    s->embedded_listed = true;
    for (size_t i = 0; i < 2; i++) {
        const struct json_value *map = json_find(s->root, places[i]);
        for (uint32_t k = 0; map && map->kind == JSON_OBJECT && k < map->count; k++) {
            const struct json_value *v = &map->members[k].value, *id = json_find(v, "$id");
            uint32_t n = s->embedded.count;
            if (!id || id->kind != JSON_STRING) continue;
            if (!ARENA_VEC_GROW(s->arena, &s->embedded) ||
                !table_add(&s->by_embedded, fa_hash(id->text, id->length), n))
                return false;
            s->embedded.data[n] = v;
            s->embedded.count++;
        }
    }
    return true;
}

static const struct json_value *find_embedded(struct json_schema *s, const char *uri,
                                              size_t length) {
    if (!s->embedded_listed && !list_embedded(s)) return NULL;
    struct table_probe p = table_probe(&s->by_embedded, fa_hash(uri, length));
    while (table_next(&s->by_embedded, &p)) {
        const struct json_value *v = s->embedded.data[p.id], *id = json_find(v, "$id");
        if (id->length == length && memcmp(id->text, uri, length) == 0) return v;
    }
    return NULL;
}

bool schema_find_metaschema(struct json_schema *s, const char *uri, size_t length,
                            const struct json_value **value, struct forma_error *err) {
    uint32_t id;
    *value = find_embedded(s, uri, length);
    if (*value) return true;
    if (!open_document(s, uri, length, &id, err)) return false;
    if (id != NO_INDEX) *value = s->documents.data[id].root;
    return true;
}
