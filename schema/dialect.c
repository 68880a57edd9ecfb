/* SPDX-License-Identifier: MIT
 *
 * What `$schema` means. It names a draft, or a metaschema that the caller supplied: its
 * `$vocabulary` decides which words are keywords; without one it is taken for what it builds on
 * with `$ref`, and otherwise for what its own `$schema` says.
 */
#include "schema/internal.h"

#include <string.h>

#include "base/error.h"
#include "schema/uri.h"

#define MAX_METASCHEMAS 16 /* that build on each other */

/* A search from metaschema to metaschema. */
struct search {
    struct json_schema *s;
    struct forma_error *err;
    unsigned steps;
};

static bool find(struct search *f, const char *uri, size_t length, struct schema_language *out);

static bool is_required(const struct json_member *m) {
    return m->value.kind == JSON_TRUE;
}

/* Vocabularies of the draft to which the core belongs; of others only optional ones pass. */
static bool read_vocabularies(struct search *f, const struct json_value *map, const char *uri,
                              struct schema_language *out) {
    bool known = false;
    out->vocabularies = VOCABULARY_BIT(VOCABULARY_CORE) | VOCABULARY_BIT(VOCABULARY_METADATA);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < map->count; i++) {
            const struct json_member *m = &map->members[i];
            enum vocabulary v = VOCABULARY_CORE;
            enum dialect dialect = DIALECT_2020;
            bool found = vocabulary_find(m->name, m->name_length, &v, &dialect);
            if (pass == 0) { /* the draft first */
                if (found && (!known || v == VOCABULARY_CORE)) out->dialect = dialect;
                known = known || found;
            } else if (found && dialect == out->dialect) {
                out->vocabularies |= VOCABULARY_BIT(v);
                if (v == VOCABULARY_FORMAT_ASSERTION)
                    out->vocabularies |= VOCABULARY_BIT(VOCABULARY_FORMAT);
            } else if (is_required(m)) {
                error_set(f->err, FORMA_EUNSUPPORTED,
                          "the metaschema '%.150s' requires the vocabulary '%.150s', which is not "
                          "supported; leave it out or make it optional",
                          uri, m->name);
                return false;
            }
        }
    }
    if (known) return true;
    error_set(f->err, FORMA_EUNSUPPORTED,
              "the metaschema '%.150s' names no vocabulary of draft 2019-09 or 2020-12; add the "
              "core vocabulary of one to its '$vocabulary'",
              uri);
    return false;
}

/* The schema that `value` refers to, if that is a language. Quiet: there are other ways. */
static bool find_base(struct search *f, const struct json_value *value, const char *uri,
                      size_t length, struct schema_language *out) {
    const struct json_value *ref = json_find(value, "$ref");
    char target[MAX_URI];
    if (!ref || ref->kind != JSON_STRING) return false;
    struct search quiet = {f->s, NULL, f->steps};
    size_t n = uri_resolve(uri, length, ref->text, uri_without_fragment(ref->text, ref->length),
                           target, sizeof target);
    bool found = n != SIZE_MAX && !(n == length && memcmp(target, uri, n) == 0) &&
                 find(&quiet, target, n, out);
    f->steps = quiet.steps;
    return found;
}

static bool read_metaschema(struct search *f, const struct json_value *m, const char *uri,
                            size_t length, struct schema_language *out) {
    const struct json_value *map = json_find(m, "$vocabulary"), *all = json_find(m, "allOf");
    const struct json_value *own = json_find(m, "$schema");
    if (map && map->kind == JSON_OBJECT) return read_vocabularies(f, map, uri, out);
    if (find_base(f, m, uri, length, out)) return true;
    for (uint32_t i = 0; all && all->kind == JSON_ARRAY && i < all->count; i++)
        if (find_base(f, &all->items[i], uri, length, out)) return true;
    size_t n = own && own->kind == JSON_STRING ? uri_without_fragment(own->text, own->length) : 0;
    if (n && !(n == length && memcmp(own->text, uri, n) == 0)) return find(f, own->text, n, out);
    error_set(f->err, FORMA_EUNSUPPORTED,
              "the metaschema '%.200s' does not say which draft it builds on; give it a "
              "'$vocabulary', or name a draft in its '$schema'",
              uri);
    return false;
}

/* `uri` without fragment, terminated or cut by its length. */
static bool find(struct search *f, const char *uri, size_t length, struct schema_language *out) {
    const struct json_value *m;
    out->vocabularies = VOCABULARIES_ALL;
    if (dialect_find(uri, length, &out->dialect)) return true;
    if (f->steps++ == MAX_METASCHEMAS) {
        error_set(f->err, FORMA_ELIMIT, "more than %d metaschemas build on each other",
                  MAX_METASCHEMAS);
        return false;
    }
    char *name = arena_push(f->s->arena, length + 1);
    if (!name) return false;
    memcpy(name, uri, length);
    if (!schema_find_metaschema(f->s, name, length, &m, f->err)) return false;
    if (m && m->kind == JSON_OBJECT) return read_metaschema(f, m, name, length, out);
    error_set(f->err, FORMA_EUNSUPPORTED,
              "the dialect '%.200s' is not known; drafts 4, 6, 7, 2019-09 and 2020-12 are, and "
              "those whose metaschema is supplied as a document",
              name);
    return false;
}

static struct known_language *find_known(struct json_schema *s, const char *uri, size_t length) {
    struct table_probe p = table_probe(&s->by_language, fa_hash(uri, length));
    while (table_next(&s->by_language, &p)) {
        struct known_language *l = &s->languages.data[p.id];
        if (l->length == length && memcmp(l->uri, uri, length) == 0) return l;
    }
    return NULL;
}

/* `uri` is kept. */
static bool remember(struct json_schema *s, const char *uri, size_t length, bool found,
                     const struct schema_language *language) {
    uint32_t id = s->languages.count;
    if (!ARENA_VEC_GROW(s->arena, &s->languages) ||
        !table_add(&s->by_language, fa_hash(uri, length), id))
        return false;
    s->languages.data[id] = (struct known_language){uri, length, found, *language};
    s->languages.count++;
    return true;
}

bool schema_find_language(struct json_schema *s, const char *uri, size_t length,
                          struct schema_language *out, struct forma_error *err) {
    struct search f = {s, err, 0};
    struct schema_language language = s->language;
    bool found = dialect_is_open(uri, length);
    if (!found) {
        length = uri_without_fragment(uri, length);
        const struct known_language *known = find_known(s, uri, length);
        if (known) language = known->language;
        found = known && known->found;
        if (!known || (!found && err)) found = find(&f, uri, length, &language);
        if (!known && !remember(s, uri, length, found, &language)) return false;
    }
    if (found) *out = language;
    return found;
}

const struct keyword_info *schema_keyword(const struct json_schema *s, uint32_t node,
                                          const char *word, size_t length) {
    const struct schema_language *l = &s->resources.data[s->nodes.data[node].resource].language;
    const struct keyword_info *k = keyword_find(word, length, l->dialect);
    if (!k) return NULL;
    return l->vocabularies & VOCABULARY_BIT(keyword_vocabulary(k, l->dialect)) ? k : NULL;
}
