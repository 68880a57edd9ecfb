/* SPDX-License-Identifier: MIT
 *
 * Is every keyword's value what its specification asks for, and is every keyword that restricts
 * enforced? One function a shape of value. Nothing here makes goals.
 */
#include "schema/internal.h"

#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "schema/ecma_regex.h"

/* One keyword of one node. */
struct site {
    struct json_schema *s;
    uint32_t node;
    const struct json_member *m;
    const struct keyword_info *k;
    struct forma_error *err;
};

/* An error. True: where all of them are asked for it was noted, and the check goes on. */
static bool refuse(const struct site *c) {
    return schema_refuse(c->s, c->node, c->m, c->err);
}

#define FAIL_AS(status, c, key, index, ...)                                                        \
    (schema_fail((c)->s, (c)->node, (c)->m, (key), (index), (c)->err, (status), __VA_ARGS__),      \
     refuse(c))
#define FAIL(c, key, index, ...) FAIL_AS(FORMA_ESCHEMA, c, key, index, __VA_ARGS__)
#define FAIL_HERE(c, ...)        FAIL(c, NULL, NO_INDEX, __VA_ARGS__)

/* ---- subschemas ------------------------------------------------------------------------------ */

static bool put_to_work(struct json_schema *s, uint32_t node) {
    if (node >= NODE_FALSE || s->nodes.data[node].reached) return true;
    s->nodes.data[node].reached = true;
    if (!ARENA_VEC_GROW(s->arena, &s->work)) return false;
    s->work.data[s->work.count++] = node;
    return true;
}

/* Puts a node on the work list; and, with the first one of its resource, the dynamic anchors there
 * that some reference may now lead to. */
static bool reach(struct json_schema *s, uint32_t node) {
    if (!put_to_work(s, node)) return false;
    if (node >= NODE_FALSE) return true;
    struct schema_resource *r = &s->resources.data[s->nodes.data[node].resource];
    if (r->entered) return true;
    r->entered = true;
    for (uint32_t i = r->first_anchor; i != NO_INDEX; i = s->dynamics.data[i].next)
        if (s->dynamic_names.data[s->dynamics.data[i].name].wanted &&
            !put_to_work(s, s->dynamics.data[i].node))
            return false;
    return true;
}

static bool check_schema(struct site *c, const struct json_value *v, const struct json_member *key,
                         uint32_t index) {
    bool boolean = v->kind == JSON_TRUE || v->kind == JSON_FALSE;
    if (!boolean && v->kind != JSON_OBJECT)
        return FAIL(c, key, index, "a schema must be an object or a boolean");
    if (boolean && schema_dialect(c->s, c->node) == DIALECT_4 &&
        c->k->id != KEYWORD_ADDITIONAL_ITEMS && c->k->id != KEYWORD_ADDITIONAL_PROPERTIES)
        schema_log(c->s, c->node, c->m, 0, "boolean schemas came with draft 6; taken as such");
    if (boolean) return true;
    uint32_t node = schema_find_node(c->s, v);
    return node != NODE_NONE && reach(c->s, node);
}

static bool check_schema_list(struct site *c) {
    const struct json_value *v = &c->m->value;
    if (v->kind != JSON_ARRAY || v->count == 0)
        return FAIL_HERE(c, "'%s' must be an array of at least one schema", c->k->word);
    for (uint32_t i = 0; i < v->count; i++)
        if (!check_schema(c, &v->items[i], NULL, i)) return false;
    return true;
}

static bool check_schema_map(struct site *c) {
    const struct json_value *v = &c->m->value;
    if (v->kind != JSON_OBJECT) return FAIL_HERE(c, "'%s' must be an object", c->k->word);
    for (uint32_t i = 0; i < v->count; i++)
        if (!check_schema(c, &v->members[i].value, &v->members[i], NO_INDEX)) return false;
    return true;
}

static bool check_items(struct site *c) {
    if (c->m->value.kind != JSON_ARRAY) return check_schema(c, &c->m->value, NULL, NO_INDEX);
    if (schema_dialect(c->s, c->node) == DIALECT_2020)
        return FAIL_HERE(c, "an array of schemas is written 'prefixItems' in draft 2020-12; use "
                            "that, or name an older draft in '$schema'");
    for (uint32_t i = 0; i < c->m->value.count; i++)
        if (!check_schema(c, &c->m->value.items[i], NULL, i)) return false;
    return true;
}

/* It leads to nothing. What lies behind a limit is not looked for again. */
static bool refuse_reference(const struct site *c) {
    return c->err->status != FORMA_ELIMIT && refuse(c);
}

static bool check_ref(struct site *c) {
    if (c->m->value.kind != JSON_STRING) return FAIL_HERE(c, "'$ref' must be a string");
    uint32_t target = schema_resolve(c->s, c->node, c->m, NULL, c->err);
    if (target == NODE_NONE) return refuse_reference(c);
    c->s->nodes.data[c->node].target = target;
    return reach(c->s, target);
}

/* The reference may lead to any anchor of the name in a resource that is entered. */
static bool want_anchors(struct json_schema *s, uint32_t name) {
    struct schema_dynamic_name *n = &s->dynamic_names.data[name];
    if (n->wanted) return true;
    n->wanted = true;
    for (uint32_t i = n->first; i != NO_INDEX; i = s->dynamics.data[i].of_name) {
        uint32_t node = s->dynamics.data[i].node;
        if (s->resources.data[s->nodes.data[node].resource].entered && !put_to_work(s, node))
            return false;
    }
    return true;
}

static bool check_dynamic_ref(struct site *c) {
    struct json_schema *s = c->s;
    const struct json_value *v = &c->m->value;
    if (v->kind != JSON_STRING) return FAIL_HERE(c, "'%s' must be a string", c->k->word);
    if (c->k->id == KEYWORD_RECURSIVE_REF && strcmp(v->text, "#") != 0)
        return FAIL_HERE(c, "'$recursiveRef' must be \"#\"; use '$ref' for other places");
    uint32_t anchor, target = schema_resolve(s, c->node, c->m, &anchor, c->err);
    if (target == NODE_NONE) return refuse_reference(c);
    if (c->k->id == KEYWORD_RECURSIVE_REF && target < NODE_FALSE) {
        /* The nameless anchor, which only the root of a resource can have. */
        anchor = s->resources.data[s->nodes.data[target].resource].first_anchor;
        while (anchor != NO_INDEX && s->dynamics.data[anchor].name != 0)
            anchor = s->dynamics.data[anchor].next;
    }
    s->nodes.data[c->node].dynamic_target = target;
    if (anchor == NO_INDEX) return reach(s, target);
    s->nodes.data[c->node].dynamic_name = s->dynamics.data[anchor].name;
    return want_anchors(s, s->dynamics.data[anchor].name) && reach(s, target);
}

/* The name's id. Names get their ids here, in the order of the text, not when goals are made: that
 * order depends on what is generated, and key orders fall back on ids. */
static uint32_t intern(struct json_schema *s, const char *text, size_t length) {
    return goal_name(s->goals, text, length);
}

static void intern_members(struct json_schema *s, const struct json_value *v) {
    if (v->kind != JSON_OBJECT) return;
    for (uint32_t i = 0; i < v->count; i++)
        intern(s, v->members[i].name, v->members[i].name_length);
}

static bool push_value(struct json_schema *s, const struct json_value *v) {
    if (v->kind != JSON_ARRAY && v->kind != JSON_OBJECT) return true;
    if (!ARENA_VEC_GROW(s->arena, &s->equality)) return false;
    s->equality.data[s->equality.count++] = (struct equality_frame){.value = v};
    return true;
}

/* The names in a constant, however deep. */
static bool intern_constant(struct json_schema *s, const struct json_value *v) {
    s->equality.count = 0;
    if (!push_value(s, v)) return false;
    while (s->equality.count) {
        struct equality_frame *f = &s->equality.data[s->equality.count - 1];
        const struct json_value *top = f->value;
        uint32_t i = f->next++;
        if (i == 0) intern_members(s, top);
        if (i == top->count) {
            s->equality.count--;
            continue;
        }
        bool array = top->kind == JSON_ARRAY;
        if (!push_value(s, array ? &top->items[i] : &top->members[i].value)) return false;
    }
    return true;
}

/* ---- plain values ---------------------------------------------------------------------------- */

static bool is_type_name(const struct json_value *v) {
    static const char *const names[] = {"null",    "boolean", "string", "number",
                                        "integer", "array",   "object"};
    if (v->kind != JSON_STRING) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == v->length && memcmp(names[i], v->text, v->length) == 0) return true;
    return false;
}

static bool check_type(struct site *c) {
    static const char expected[] =
        "a type must be one of null, boolean, string, number, integer, array, object";
    const struct json_value *v = &c->m->value;
    if (v->kind == JSON_STRING) return is_type_name(v) || FAIL_HERE(c, "%s", expected);
    if (v->kind != JSON_ARRAY || v->count == 0)
        return FAIL_HERE(c, "'type' must be a type name or a list of at least one");
    /* With seven names a list without repetition is short. */
    for (uint32_t i = 0; i < v->count; i++) {
        if (!is_type_name(&v->items[i]) && !FAIL(c, NULL, i, "%s", expected)) return false;
        for (uint32_t j = 0; j < i; j++)
            if (v->items[i].kind == JSON_STRING && json_equal(&v->items[i], &v->items[j]) &&
                !FAIL(c, NULL, i, "the type '%s' stands there twice", v->items[i].text))
                return false;
    }
    return true;
}

static bool check_enum(struct site *c) {
    if (c->m->value.kind == JSON_ARRAY) return intern_constant(c->s, &c->m->value);
    return FAIL_HERE(c, "'enum' must be an array");
}

/* A list of distinct names, below the keyword at `key` if that is not NULL. */
static bool check_names(struct site *c, const struct json_value *v, const struct json_member *key) {
    struct json_schema *s = c->s;
    uint32_t stamp = ++s->stamp;
    if (v->kind != JSON_ARRAY)
        return FAIL(c, key, NO_INDEX, "'%s' must be an array of names",
                    key ? key->name : c->k->word);
    for (uint32_t i = 0; i < v->count; i++) {
        const struct json_value *name = &v->items[i];
        if (name->kind != JSON_STRING) {
            if (!FAIL(c, key, i, "a required name must be a string")) return false;
            continue;
        }
        uint32_t id = intern(s, name->text, name->length);
        if (s->arena->failed) return false;
        while (s->name_stamps.count <= id) {
            if (!ARENA_VEC_GROW(s->arena, &s->name_stamps)) return false;
            s->name_stamps.data[s->name_stamps.count++] = 0;
        }
        if (s->name_stamps.data[id] == stamp &&
            !FAIL(c, key, i, "the name '%.100s' stands there twice", name->text))
            return false;
        s->name_stamps.data[id] = stamp;
    }
    return true;
}

/* `dependencies`, and the two that came after it: lists of names, schemas, or both. */
static bool check_dependencies(struct site *c) {
    const struct json_value *v = &c->m->value;
    if (v->kind != JSON_OBJECT) return FAIL_HERE(c, "'%s' must be an object", c->k->word);
    if (c->k->id == KEYWORD_DEPENDENCIES && schema_dialect(c->s, c->node) > DIALECT_7)
        schema_rule(c->s, c->node, c->m, FORMA_RULE_ENFORCED, 1,
                    "a keyword of draft 7, as later drafts allow");
    intern_members(c->s, v);
    for (uint32_t i = 0; i < v->count; i++) {
        const struct json_member *m = &v->members[i];
        bool names = c->k->id == KEYWORD_DEPENDENT_REQUIRED ||
                     (c->k->id == KEYWORD_DEPENDENCIES && m->value.kind == JSON_ARRAY);
        if (!(names ? check_names(c, &m->value, m) : check_schema(c, &m->value, m, NO_INDEX)))
            return false;
    }
    return true;
}

static bool check_number(struct site *c) {
    const struct json_value *v = &c->m->value;
    if (v->kind != JSON_NUMBER) return FAIL_HERE(c, "'%s' must be a number", c->k->word);
    if (c->k->id == KEYWORD_MULTIPLE_OF && (v->number.n_digits == 0 || v->number.negative))
        return FAIL_HERE(c, "'multipleOf' must be greater than 0");
    return true;
}

static bool check_exclusive(struct site *c) {
    if (schema_dialect(c->s, c->node) != DIALECT_4) return check_number(c);
    if (c->m->value.kind == JSON_TRUE || c->m->value.kind == JSON_FALSE) return true;
    return FAIL_HERE(c, "'%s' must be a boolean in draft 4", c->k->word);
}

/* Sizes beyond 64 bits: as a maximum they restrict nothing, as a minimum no text is so long. */
static bool check_size(struct site *c) {
    const struct json_value *v = &c->m->value;
    uint64_t n;
    if (v->kind != JSON_NUMBER || v->number.negative || !decimal_is_integer(&v->number))
        return FAIL_HERE(c, "'%s' must be a non-negative integer", c->k->word);
    if (decimal_to_u64(&v->number, &n) && n < UINT64_MAX - 1) return true;
    if (c->k->word[1] == 'a') return true; /* max... */
    return FAIL_AS(FORMA_ELIMIT, c, NULL, NO_INDEX, "'%s' is beyond 64 bits", c->k->word);
}

uint32_t schema_find_pattern(const struct json_schema *s, const char *text, size_t length) {
    struct table_probe p = table_probe(&s->by_pattern, fa_hash(text, length));
    while (table_next(&s->by_pattern, &p)) {
        const struct schema_pattern *known = &s->patterns.data[p.id];
        if (known->length == length && memcmp(known->text, text, length) == 0) return p.id;
    }
    return UINT32_MAX;
}

/* Compiles a pattern that stands at the keyword, or is the name `key` below it. */
static bool add_pattern(struct site *c, const struct json_member *key, const char *text,
                        size_t length) {
    struct json_schema *s = c->s;
    if (schema_find_pattern(s, text, length) != UINT32_MAX) return true;
    struct ecma_options options = {.max_nesting = s->options->max_nesting, .whole = false};
    struct forma_error why;
    memset(&why, 0, sizeof why);
    term_id term = ecma_regex_compile(goal_store_regex(s->goals), text, length, &options, &why);
    if (s->arena->failed) return false;
    if (why.status != FORMA_OK) {
        if (why.offset == UINT64_MAX)
            return FAIL_AS(why.status, c, key, NO_INDEX, "%s", why.message);
        return FAIL_AS(why.status, c, key, NO_INDEX, "%s (byte %llu of the pattern)", why.message,
                       (unsigned long long)why.offset);
    }
    uint32_t id = s->patterns.count;
    if (!ARENA_VEC_GROW(s->arena, &s->patterns) ||
        !table_add(&s->by_pattern, fa_hash(text, length), id))
        return false;
    s->patterns.data[id] = (struct schema_pattern){text, length, term};
    s->patterns.count++;
    return true;
}

static bool check_pattern(struct site *c) {
    const struct json_value *v = &c->m->value;
    if (v->kind != JSON_STRING) return FAIL_HERE(c, "'pattern' must be a string");
    return add_pattern(c, NULL, v->text, v->length);
}

static bool check_pattern_properties(struct site *c) {
    const struct json_value *v = &c->m->value;
    if (!check_schema_map(c)) return false;
    for (uint32_t i = 0; v->kind == JSON_OBJECT && i < v->count; i++)
        if (!add_pattern(c, &v->members[i], v->members[i].name, v->members[i].name_length))
            return false;
    return true;
}

/* ---- formats and contents -------------------------------------------------------------------- */

/* Both are no error, so true. */
static bool ignore(const struct site *c, int level, const char *reason) {
    schema_rule(c->s, c->node, c->m, FORMA_RULE_IGNORED, level, reason);
    return true;
}

static bool take_for_annotation(const struct site *c, const char *reason) {
    schema_rule(c->s, c->node, c->m, FORMA_RULE_ANNOTATION, 1, reason);
    return true;
}

/* Of formats and contents, which the caller may have made annotations. */
static const char by_option[] = "formats are annotations here (--formats annotate)";

static bool check_content(struct site *c) {
    const struct json_value *v = &c->m->value;
    bool media_type = c->k->id == KEYWORD_CONTENT_MEDIA_TYPE;
    if (!dialect_may_assert_content(schema_dialect(c->s, c->node)))
        return take_for_annotation(c, "only draft 7 makes it a demand");
    if (!c->s->asserts_formats) return take_for_annotation(c, by_option);
    if (v->kind != JSON_STRING) return FAIL_HERE(c, "'%s' must be a string", c->k->word);
    if (media_type && schema_asserts_json(c->s, c->node, v)) {
        const struct json_value *object = c->s->nodes.data[c->node].value;
        const struct json_value *encoding = json_find(object, "contentEncoding");
        if (!encoding) return true;
        if (schema_asserts_base64(c->s, c->node, encoding))
            return FAIL_AS(
                FORMA_EUNSUPPORTED, c, NULL, NO_INDEX,
                "the media type '%.100s' inside base64 is not enforced yet; remove one of the two, "
                "or make formats annotations (--formats annotate)",
                v->text);
        return take_for_annotation(c, "it is not known how the string is encoded");
    }
    if (!media_type && schema_asserts_base64(c->s, c->node, v))
        return add_pattern(c, NULL, BASE64_PATTERN, sizeof BASE64_PATTERN - 1);
    return take_for_annotation(c, media_type ? "only application/json is known"
                                             : "only base64 is known");
}

static bool check_format(struct site *c) {
    const struct json_value *v = &c->m->value;
    if (v->kind != JSON_STRING) return FAIL_HERE(c, "'format' must be a string");
    enum format format = format_find(v->text, v->length);
    if (format == FORMAT_COUNT) {
        /* A slip would make the form looser than meant, where the right name is a demand. */
        bool asserts = schema_asserts_formats(c->s, c->node);
        const char *meant = asserts ? format_meant(v->text, v->length) : NULL;
        schema_rule_because(c->s, c->node, c->m, FORMA_RULE_ANNOTATION, meant ? 0 : 1,
                            "unknown format '%.100s'%s%s%s", v->text,
                            meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
        return true;
    }
    if (!schema_asserts_format(c->s, c->node, v)) return take_for_annotation(c, by_option);
    format_term(goal_store_regex(c->s->goals), &c->s->formats, format);
    return !c->s->arena->failed;
}

/* ---- a node ---------------------------------------------------------------------------------- */

static bool check_enforced(struct site *c) {
    switch (c->k->id) {
    case KEYWORD_REF: return check_ref(c);
    case KEYWORD_DYNAMIC_REF:
    case KEYWORD_RECURSIVE_REF: return check_dynamic_ref(c);
    case KEYWORD_TYPE: return check_type(c);
    case KEYWORD_ENUM: return check_enum(c);
    case KEYWORD_CONST: return intern_constant(c->s, &c->m->value);
    case KEYWORD_REQUIRED: return check_names(c, &c->m->value, NULL);
    case KEYWORD_PATTERN: return check_pattern(c);
    case KEYWORD_FORMAT: return check_format(c);
    case KEYWORD_ITEMS: return check_items(c);
    case KEYWORD_PROPERTIES: intern_members(c->s, &c->m->value); return check_schema_map(c);
    case KEYWORD_PATTERN_PROPERTIES: return check_pattern_properties(c);
    case KEYWORD_DEPENDENCIES:
    case KEYWORD_DEPENDENT_REQUIRED:
    case KEYWORD_DEPENDENT_SCHEMAS: return check_dependencies(c);
    case KEYWORD_ALL_OF:
    case KEYWORD_ANY_OF:
    case KEYWORD_ONE_OF:
    case KEYWORD_PREFIX_ITEMS: return check_schema_list(c);
    case KEYWORD_ADDITIONAL_ITEMS:
    case KEYWORD_ADDITIONAL_PROPERTIES:
    case KEYWORD_CONTAINS:
    case KEYWORD_IF:
    case KEYWORD_THEN:
    case KEYWORD_ELSE:
    case KEYWORD_NOT:
    case KEYWORD_PROPERTY_NAMES:
    case KEYWORD_UNEVALUATED_ITEMS:
    case KEYWORD_UNEVALUATED_PROPERTIES: return check_schema(c, &c->m->value, NULL, NO_INDEX);
    case KEYWORD_MINIMUM:
    case KEYWORD_MAXIMUM:
    case KEYWORD_MULTIPLE_OF: return check_number(c);
    case KEYWORD_EXCLUSIVE_MINIMUM:
    case KEYWORD_EXCLUSIVE_MAXIMUM: return check_exclusive(c);
    case KEYWORD_CONTENT_ENCODING:
    case KEYWORD_CONTENT_MEDIA_TYPE: return check_content(c);
    case KEYWORD_NULLABLE:
    case KEYWORD_UNIQUE_ITEMS:
        return c->m->value.kind == JSON_TRUE || c->m->value.kind == JSON_FALSE ||
               FAIL_HERE(c, "'%s' must be a boolean", c->k->word);
    default: return check_size(c);
    }
}

/* Words that begin with "x-" are somebody's own, and those with a sign in front ("_format") were set
 * aside on purpose. */
static bool is_on_purpose(const char *word) {
    return strncasecmp(word, "x-", 2) == 0 || strchr("_#/-!.~", *word) != NULL;
}

/* The keyword that an unknown word was probably meant to be, or NULL: a form that was to be stricter
 * must not be loose in silence. */
static const char *meant(const struct site *c) {
    const char *word = c->m->name;
    size_t length = c->m->name_length;
    if (is_on_purpose(word)) return NULL;
    const struct keyword_info *k = keyword_meant(word, length, schema_dialect(c->s, c->node));
    if (!k || !schema_keyword(c->s, c->node, k->word, strlen(k->word))) return NULL;
    return json_find(c->s->nodes.data[c->node].value, k->word) ? NULL : k->word;
}

static bool check_unknown(const struct site *c) {
    struct json_schema *s = c->s;
    const struct keyword_info *k = keyword_find_any(c->m->name, c->m->name_length);
    enum dialect dialect = schema_dialect(s, c->node);
    const char *word;
    if (k && k->id == KEYWORD_NULLABLE)
        return ignore(c, 0, "a keyword of OpenAPI 3.0 only (the dialect openapi-3.0 knows it)");
    if (k && k->first <= dialect && dialect <= k->last)
        return ignore(c, 1, "of a vocabulary that '$schema' turns off");
    if (k)
        schema_rule_because(s, c->node, c->m, FORMA_RULE_IGNORED, 0, "no keyword of %s",
                            dialect_name(dialect));
    else if ((word = meant(c)) != NULL)
        schema_rule_because(s, c->node, c->m, FORMA_RULE_UNKNOWN, 0, "did you mean '%s'?", word);
    else
        schema_rule(s, c->node, c->m, FORMA_RULE_UNKNOWN, 1, NULL);
    return true;
}

static bool check_dialect(struct site *c) {
    const struct json_value *v = &c->m->value;
    struct json_schema *s = c->s;
    struct schema_language ignored;
    struct forma_error why;
    uint32_t resource = s->nodes.data[c->node].resource;
    if (s->resources.data[resource].root != c->node)
        return ignore(c, 1, "the schema around it has no identifier");
    if (dialect_is_open(v->text, v->length))
        schema_rule_because(s, c->node, c->m, FORMA_RULE_STRUCTURE, 0,
                            "'%.100s' names no draft; read as %s", v->text,
                            dialect_name(s->language.dialect));
    error_clear(&why);
    if (schema_find_language(s, v->text, v->length, &ignored, &why)) return true;
    if (why.status == FORMA_OK) return false;
    return FAIL_AS(why.status, c, NULL, NO_INDEX, "%s", why.message);
}

static bool check_structure(struct site *c) {
    const struct json_value *v = &c->m->value;
    switch (c->k->id) {
    case KEYWORD_DEFS:
    case KEYWORD_DEFINITIONS:
        return v->kind == JSON_OBJECT || FAIL_HERE(c, "'%s' must be an object", c->k->word);
    case KEYWORD_RECURSIVE_ANCHOR:
        return v->kind == JSON_TRUE || v->kind == JSON_FALSE ||
               FAIL_HERE(c, "'%s' must be a boolean", c->k->word);
    default: break;
    }
    if (v->kind != JSON_STRING) return FAIL_HERE(c, "'%s' must be a string", c->k->word);
    return c->k->id != KEYWORD_SCHEMA || check_dialect(c);
}

/* Up to draft 7 what stands beside `$ref` is ignored; definitions can be pointed at. */
static bool check_hidden(const struct site *c) {
    if (!c->k)
        schema_rule(c->s, c->node, c->m, FORMA_RULE_UNKNOWN, RULE_NOT_LOGGED, NULL);
    else if (c->k->status == KEYWORD_ANNOTATION)
        take_for_annotation(c, NULL);
    else if (c->k->id != KEYWORD_DEFS && c->k->id != KEYWORD_DEFINITIONS)
        schema_rule_because(
            c->s, c->node, c->m, FORMA_RULE_IGNORED, c->k->status == KEYWORD_STRUCTURE ? 1 : 0,
            "it stands beside '$ref' in %s", dialect_name(schema_dialect(c->s, c->node)));
    return true;
}

static bool check_member(struct site *c) {
    const char *lacks = c->k ? schema_lacks(c->s, c->node, c->m, c->k) : NULL;
    if (c->s->nodes.data[c->node].hidden &&
        !(c->k && (c->k->id == KEYWORD_REF || c->k->id == KEYWORD_SCHEMA)))
        return check_hidden(c);
    if (!c->k) return check_unknown(c);
    if (lacks) return ignore(c, 1, lacks);
    if (c->k->status == KEYWORD_STRUCTURE) return check_structure(c);
    if (c->k->status == KEYWORD_ANNOTATION) return take_for_annotation(c, NULL);
    return check_enforced(c);
}

void schema_count_effects(struct json_schema *s, uint32_t node) {
    const struct json_value *object = s->nodes.data[node].value;
    uint32_t effects = 0, refs = 0;
    for (uint32_t i = 0; i < object->count; i++) {
        const struct keyword_info *k = schema_effect(s, node, &object->members[i]);
        effects += k != NULL;
        refs += k && k->id == KEYWORD_REF;
    }
    s->nodes.data[node].plain = effects == 0;
    s->nodes.data[node].only_ref = effects == 1 && refs == 1;
}

static bool check_node(struct json_schema *s, uint32_t node, struct forma_error *err) {
    const struct json_value *object = s->nodes.data[node].value;
    for (uint32_t i = 0; i < object->count; i++) {
        const struct json_member *m = &object->members[i];
        struct site c = {s, node, m, schema_keyword(s, node, m->name, m->name_length), err};
        if (!check_member(&c)) return false;
        if (s->report) schema_report_member(s, node, m);
    }
    schema_count_effects(s, node);
    return !s->arena->failed;
}

/* Who gives a document that says something wants a form by it. An empty schema, or one with nothing
 * but annotations, is what it seems to be; words of other drafts were told one by one. */
static void warn_of_open_root(struct json_schema *s, uint32_t root) {
    static const char *const openapi[] = {"openapi", "swagger", "components"};
    const struct json_value *object = s->nodes.data[root].value;
    bool definitions = false, unknown = false;
    if (!s->nodes.data[root].plain) return;
    for (uint32_t i = 0; i < object->count; i++) {
        const struct json_member *m = &object->members[i];
        const struct keyword_info *k = schema_keyword(s, root, m->name, m->name_length);
        if (k)
            definitions |= (k->id == KEYWORD_DEFS || k->id == KEYWORD_DEFINITIONS) &&
                           m->value.kind == JSON_OBJECT && m->value.count > 0;
        else
            unknown |= !keyword_find_any(m->name, m->name_length) && !is_on_purpose(m->name);
    }
    for (size_t i = 0; i < sizeof openapi / sizeof *openapi; i++) {
        const struct json_value *v = json_find(object, openapi[i]);
        if (!v || (i == 2 && v->kind != JSON_OBJECT)) continue;
        bool old = v->kind == JSON_STRING && strncmp(v->text, "3.0", 3) == 0;
        schema_log(s, root, NULL, 0,
                   "the schema restricts nothing: this is a document of OpenAPI; give it with "
                   "--ref URI=FILE%s, and a schema {\"$ref\": \"URI#/%s/NAME\"}",
                   old ? " and --dialect openapi-3.0" : "",
                   i == 1 ? "definitions" : "components/schemas");
        return;
    }
    if (definitions)
        schema_log(s, root, NULL, 0,
                   "the schema restricts nothing: it has definitions only; refer to one with "
                   "'$ref'");
    else if (unknown)
        schema_log(s, root, NULL, 0,
                   "the schema restricts nothing: it has no keyword that does; is it a JSON "
                   "Schema?");
}

bool schema_check(struct json_schema *s, uint32_t root, struct forma_error *err) {
    if (!reach(s, root)) return false;
    for (uint32_t i = 0; i < s->work.count; i++)
        if (!check_node(s, s->work.data[i], err)) return false;
    if (s->options->log) warn_of_open_root(s, root);
    return true;
}
