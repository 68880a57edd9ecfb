/* SPDX-License-Identifier: MIT
 *
 * What a reference means: the part before '#', resolved against the base URI of its resource, names
 * a schema; the fragment is a JSON pointer from there, or an anchor of that resource.
 */
#include "schema/internal.h"

#include <string.h>

#include "base/error.h"
#include "schema/uri.h"

static uint32_t fail_reference(struct json_schema *s, uint32_t node, const struct json_member *ref,
                               struct forma_error *err, enum forma_status status, const char *why) {
    schema_fail(s, node, ref, NULL, NO_INDEX, err, status, "'%s' to '%.200s': %s", ref->name,
                ref->value.text, why);
    return NODE_NONE;
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
    return schema_index_odd(s, v, last, path + last_at, length - last_at, err);
}

static bool is_absolute(const char *uri) {
    size_t n = strcspn(uri, ":/?");
    return n > 0 && uri[n] == ':';
}

/* The root of what the part before '#' names; NODE_NONE with *why, or with an error. */
static uint32_t target_root(struct json_schema *s, uint32_t node, const struct json_member *ref,
                            size_t uri_length, struct forma_error *err, const char **why) {
    const struct schema_resource *base = &s->resources.data[s->nodes.data[node].resource];
    if (uri_length == 0) return base->root;
    char uri[MAX_URI];
    uint32_t found;
    size_t n =
        uri_resolve(base->uri, base->uri_length, ref->value.text, uri_length, uri, sizeof uri);
    if (n == SIZE_MAX) {
        *why = "the absolute URI is too long";
        return NODE_NONE;
    }
    if (n == base->uri_length && memcmp(uri, base->uri, n) == 0) return base->root;
    if (!schema_find_uri(s, uri, n, &found, err)) return NODE_NONE;
    if (found == NODE_NONE && !is_absolute(uri)) {
        schema_fail(s, node, ref, NULL, NO_INDEX, err, FORMA_EUNSUPPORTED,
                    "'%s' to '%.150s': the name is relative, and no absolute $id (in draft 4: id) "
                    "around it says to what; give the schema one, or write the whole URI",
                    ref->name, ref->value.text);
        return NODE_NONE;
    }
    if (found == NODE_NONE) {
        schema_fail(s, node, ref, NULL, NO_INDEX, err, FORMA_EUNSUPPORTED,
                    "'%s' to '%.150s': no schema or document is known by the name '%.150s', and "
                    "nothing is fetched; supply it as a document (--ref)",
                    ref->name, ref->value.text, uri);
        return NODE_NONE;
    }
    const struct schema_name *name = schema_find_name(s, uri, n);
    if (!name || !name->ambiguous) return found;
    *why = "several different schemas have that identifier";
    return NODE_NONE;
}

static uint32_t follow_anchor(const struct json_schema *s, uint32_t root, const char *name,
                              size_t length, uint32_t *dynamic, const char **why) {
    const struct schema_anchor *a =
        schema_find_anchor(s, s->nodes.data[root].resource, name, length);
    if (a && !a->ambiguous) {
        *dynamic = a->dynamic;
        return a->node;
    }
    *why = a ? "several schemas have an anchor of that name" : "there is no anchor of that name";
    return NODE_NONE;
}

uint32_t schema_resolve(struct json_schema *s, uint32_t node, const struct json_member *ref,
                        uint32_t *dynamic, struct forma_error *err) {
    const char *text = ref->value.text, *why = NULL;
    size_t length = ref->value.length, uri_length = uri_without_fragment(text, length);
    uint32_t root = target_root(s, node, ref, uri_length, err, &why), target = NODE_NONE, ignored;
    if (!dynamic) dynamic = &ignored;
    *dynamic = NO_INDEX;
    if (root == NODE_NONE)
        return why ? fail_reference(s, node, ref, err, FORMA_ESCHEMA, why) : root;
    if (length <= uri_length + 1) return root;
    char *fragment = arena_push(s->arena, length - uri_length);
    if (!fragment) return NODE_NONE;
    size_t n = uri_percent_decode(text + uri_length + 1, length - uri_length - 1, fragment);
    if (root >= NODE_FALSE) {
        why = "there is nothing at that place";
    } else if (fragment[0] == '/') {
        target = follow_pointer(s, root, fragment, n, err, &why);
        const char *other;
        if (target == NODE_NONE && why) { /* an old `$id` may be "#/a/b" */
            target = follow_anchor(s, root, fragment, n, &ignored, &other);
            if (target != NODE_NONE) why = NULL;
        }
    } else {
        target = follow_anchor(s, root, fragment, n, dynamic, &why);
    }
    return why ? fail_reference(s, node, ref, err, FORMA_ESCHEMA, why) : target;
}

const struct json_value *schema_in_place(const struct keyword_info *k, const struct json_value *v,
                                         uint32_t i) {
    switch (k->id) {
    case KEYWORD_ALL_OF:
    case KEYWORD_ANY_OF:
    case KEYWORD_ONE_OF: return i < v->count ? &v->items[i] : NULL;
    case KEYWORD_DEPENDENCIES:
    case KEYWORD_DEPENDENT_SCHEMAS: return i < v->count ? &v->members[i].value : NULL;
    case KEYWORD_IF:
    case KEYWORD_THEN:
    case KEYWORD_ELSE:
    case KEYWORD_NOT: return i == 0 ? v : NULL;
    default: return NULL;
    }
}
