/* SPDX-License-Identifier: MIT */
#include "schema/json_schema.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "schema/internal.h"
#include "schema/rules.h"

/* ---- places ---------------------------------------------------------------------------------- */

struct pointer_writer {
    char *out;
    size_t length, capacity;
};

static void put(struct pointer_writer *w, char c) {
    if (w->length + 1 < w->capacity) w->out[w->length] = c;
    w->length++;
}

static void put_token(struct pointer_writer *w, const char *text, size_t length) {
    put(w, '/');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '~' || text[i] == '/') put(w, '~');
        put(w, text[i] == '~' ? '0' : text[i] == '/' ? '1' : text[i]);
    }
}

static void put_step(struct pointer_writer *w, const struct json_member *keyword,
                     const struct json_member *key, uint32_t index) {
    if (keyword) put_token(w, keyword->name, keyword->name_length);
    if (key) put_token(w, key->name, key->name_length);
    if (index == NO_INDEX) return;
    char digits[10];
    size_t n = 0;
    do digits[n++] = (char)('0' + index % 10);
    while ((index /= 10));
    put(w, '/');
    while (n) put(w, digits[--n]);
}

const char *schema_pointer(const struct json_schema *s, struct arena *arena, uint32_t node,
                           const struct json_member *keyword, const struct json_member *key,
                           uint32_t index) {
    uint32_t depth = 0;
    for (uint32_t n = node; n != NODE_NONE; n = s->nodes.data[n].parent) depth++;
    uint32_t *chain = arena_push_array(arena, depth, sizeof *chain);
    if (!chain) return "";
    for (uint32_t n = node, i = depth; n != NODE_NONE; n = s->nodes.data[n].parent) chain[--i] = n;
    struct pointer_writer w = {NULL, 0, 0};
    uint32_t resource = s->nodes.data[node].resource;
    const struct schema_document *d = &s->documents.data[s->resources.data[resource].document];
    for (int pass = 0; pass < 2; pass++) { /* the first one measures */
        for (size_t i = 0; i < d->uri_length; i++) put(&w, d->uri[i]);
        if (d->uri_length) put(&w, '#');
        for (uint32_t i = 0; i < depth; i++) {
            const struct schema_node *n = &s->nodes.data[chain[i]];
            for (size_t j = 0; j < n->path_length; j++) put(&w, n->path[j]);
            put_step(&w, n->keyword, n->key, n->index);
        }
        put_step(&w, keyword, key, index);
        if (w.out) break;
        w.capacity = w.length + 1;
        w.length = 0;
        w.out = arena_push(arena, w.capacity); /* zeroed, so it ends */
        if (!w.out) return "";
    }
    return w.out;
}

const char *json_schema_pointer(struct json_schema *s, uint32_t node) {
    if (node >= s->nodes.count) return "";
    struct schema_node *n = &s->nodes.data[s->nodes.data[node].first];
    if (!n->pointer)
        n->pointer = schema_pointer(s, s->arena, s->nodes.data[node].first, NULL, NULL, NO_INDEX);
    return n->pointer;
}

/* ---- messages -------------------------------------------------------------------------------- */

#define MESSAGE_SIZE sizeof((struct forma_error *)0)->message

void schema_format_line(char *out, size_t size, const char *format, va_list arguments) {
    vsnprintf(out, size, format, arguments);
    for (char *p = out; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7F) *p = ' ';
}

bool schema_fail(struct json_schema *s, uint32_t node, const struct json_member *keyword,
                 const struct json_member *key, uint32_t index, struct forma_error *err,
                 enum forma_status status, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    schema_format_line(message, sizeof message, format, arguments);
    va_end(arguments);
    error_at_pointer(err, status, schema_pointer(s, s->arena, node, keyword, key, index), "%s",
                     message);
    return false;
}

/* All memory here is the form's arena, which was reserved at once: a full one is a limit met. */
bool schema_fail_memory(struct json_schema *s, struct forma_error *err) {
    (void)s;
    error_at_pointer(err, FORMA_ELIMIT, "",
                     "the schema needs more memory than the form may use; raise max_memory");
    return false;
}

void schema_log(struct json_schema *s, uint32_t node, const struct json_member *keyword, int level,
                const char *format, ...) {
    const struct schema_resource *r = &s->resources.data[s->nodes.data[node].resource];
    if (!s->options || !s->options->log || s->documents.data[r->document].builtin) return;
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    schema_format_line(message, sizeof message, format, arguments);
    va_end(arguments);
    s->options->log(s->options->log_ctx, level,
                    schema_pointer(s, s->arena, node, keyword, NULL, NO_INDEX), message);
}

static bool asserts_content(const struct json_schema *s, uint32_t node) {
    return s->asserts_formats && dialect_may_assert_content(schema_dialect(s, node));
}

bool schema_asserts_base64(const struct json_schema *s, uint32_t node,
                           const struct json_value *encoding) {
    return asserts_content(s, node) && encoding->kind == JSON_STRING &&
           strcasecmp(encoding->text, "base64") == 0;
}

bool schema_asserts_json(const struct json_schema *s, uint32_t node,
                         const struct json_value *media_type) {
    static const char json[] = "application/json";
    size_t n = sizeof json - 1;
    return asserts_content(s, node) && media_type->kind == JSON_STRING &&
           strncasecmp(media_type->text, json, n) == 0 &&
           strchr("; ", media_type->text[n]); /* the NUL behind the text is found, too */
}

bool schema_asserts_formats(const struct json_schema *s, uint32_t node) {
    const struct schema_language *l = &s->resources.data[s->nodes.data[node].resource].language;
    return s->asserts_formats || l->vocabularies & VOCABULARY_BIT(VOCABULARY_FORMAT_ASSERTION);
}

bool schema_asserts_format(const struct json_schema *s, uint32_t node,
                           const struct json_value *format) {
    return schema_asserts_formats(s, node) && format->kind == JSON_STRING &&
           format_find(format->text, format->length) != FORMAT_COUNT;
}

static const struct json_value *sibling(const struct json_schema *s, uint32_t node,
                                        const char *word) {
    return schema_keyword(s, node, word, strlen(word)) ? json_find(s->nodes.data[node].value, word)
                                                       : NULL;
}

bool schema_decides(const struct json_schema *s, uint32_t node) {
    return sibling(s, node, "then") || sibling(s, node, "else");
}

const char *schema_lacks(const struct json_schema *s, uint32_t node,
                         const struct json_member *member, const struct keyword_info *k) {
    const struct json_value *items;
    bool flag = schema_dialect(s, node) == DIALECT_4 &&
                (member->value.kind == JSON_TRUE || member->value.kind == JSON_FALSE);
    switch (k->id) {
    case KEYWORD_THEN:
    case KEYWORD_ELSE: return sibling(s, node, "if") ? NULL : "no 'if' beside it";
    case KEYWORD_IF: /* from 2019-09 on it marks what is evaluated, too */
        if (schema_dialect(s, node) >= DIALECT_2019) return NULL;
        return schema_decides(s, node) ? NULL : "neither 'then' nor 'else' beside it";
    case KEYWORD_NULLABLE: return sibling(s, node, "type") ? NULL : "no 'type' beside it";
    case KEYWORD_MIN_CONTAINS:
    case KEYWORD_MAX_CONTAINS:
        return sibling(s, node, "contains") ? NULL : "no 'contains' beside it";
    case KEYWORD_ADDITIONAL_ITEMS:
        items = sibling(s, node, "items");
        return items && items->kind == JSON_ARRAY ? NULL : "no 'items' with a list beside it";
    /* In draft 4 the exclusive forms are booleans that sharpen their neighbours. */
    case KEYWORD_EXCLUSIVE_MINIMUM:
        return flag && !sibling(s, node, "minimum") ? "no 'minimum' beside it" : NULL;
    case KEYWORD_EXCLUSIVE_MAXIMUM:
        return flag && !sibling(s, node, "maximum") ? "no 'maximum' beside it" : NULL;
    default: return NULL;
    }
}

const struct keyword_info *schema_effect(const struct json_schema *s, uint32_t node,
                                         const struct json_member *member) {
    const struct keyword_info *k = schema_keyword(s, node, member->name, member->name_length);
    if (!k || (k->status != KEYWORD_ENFORCED && k->status != KEYWORD_COMPANION)) return NULL;
    /* In another encoding nobody can look at the JSON. */
    if (k->id == KEYWORD_CONTENT_MEDIA_TYPE &&
        (!schema_asserts_json(s, node, &member->value) ||
         json_find(s->nodes.data[node].value, "contentEncoding")))
        return NULL;
    if (k->id == KEYWORD_FORMAT && !schema_asserts_format(s, node, &member->value)) return NULL;
    if (k->id == KEYWORD_CONTENT_ENCODING && !schema_asserts_base64(s, node, &member->value))
        return NULL;
    if (schema_lacks(s, node, member, k)) return NULL;
    return s->nodes.data[node].hidden && k->id != KEYWORD_REF ? NULL : k;
}

/* ---- loading --------------------------------------------------------------------------------- */

/* Room for all nodes at once: a text has at most as many objects as it has opening braces. */
static bool init_tables(struct json_schema *s, const char *text, size_t length) {
    struct table *tables[] = {&s->by_document, &s->by_embedded,  &s->by_language,
                              &s->by_uri,      &s->by_anchor,    &s->by_content,
                              &s->by_order,    &s->by_pattern,   &s->by_dynamic_name,
                              &s->by_scope,    &s->by_scope_step};
    size_t n = 1;
    for (size_t i = 0; i < length; i++) n += text[i] == '{';
    if (n > UINT32_MAX / 4) return false;
    s->nodes.data = arena_push_array(s->arena, n, sizeof *s->nodes.data);
    if (!s->nodes.data || !table_init(&s->by_value, s->arena, (uint32_t)(n / 3 * 4 + 16)))
        return false;
    s->nodes.capacity = (uint32_t)n;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!table_init(tables[i], s->arena, 16)) return false;
    schema_dynamic_name(s, "", 0); /* number 0 */
    if (!ARENA_VEC_GROW(s->arena, &s->scopes)) return false;
    s->scopes.data[s->scopes.count++] = (struct schema_scope){NULL, 0};
    return !s->arena->failed;
}

static struct schema_language default_language(const struct forma_options *options) {
    unsigned openapi = VOCABULARY_BIT(VOCABULARY_OPENAPI);
    if (options->dialect == FORMA_DIALECT_OPENAPI_3_0)
        return (struct schema_language){DIALECT_4, VOCABULARIES_ALL | openapi};
    enum dialect dialect = DIALECT_2020;
    switch (options->draft) {
    case FORMA_DRAFT_4: dialect = DIALECT_4; break;
    case FORMA_DRAFT_6: dialect = DIALECT_6; break;
    case FORMA_DRAFT_7: dialect = DIALECT_7; break;
    case FORMA_DRAFT_2019_09: dialect = DIALECT_2019; break;
    case FORMA_DRAFT_2020_12: break;
    }
    return (struct schema_language){dialect, VOCABULARIES_ALL};
}

static bool load(struct json_schema *s, const char *text, size_t length,
                 const struct schema_wishes *wishes, struct forma_error *err) {
    uint32_t root;
    s->language = default_language(s->options);
    if (!ARENA_VEC_GROW(s->arena, &s->documents)) return false;
    s->documents.data[s->documents.count++] =
        (struct schema_document){.uri = "", .text = text, .length = length, .root = s->root};
    if (!schema_open_documents(s, err)) return false;
    if (s->root->kind == JSON_TRUE || s->root->kind == JSON_FALSE)
        return !s->report || schema_report_end(s->report, true, err);
    if (s->root->kind != JSON_OBJECT) {
        error_at_pointer(err, FORMA_ESCHEMA, "", "a schema must be an object or a boolean");
        return false;
    }
    if (!schema_index(s, 0, &root, err)) return false;
    s->language = s->resources.data[0].language; /* of documents that do not say */
    bool ok = schema_check(s, root, err);
    if (s->report) ok = schema_report_end(s->report, ok, err);
    if (ok && (s->options->log || s->report)) schema_warn_of_cycles(s);
    if (ok) rules_drop(s, wishes->without, wishes->n_without);
    return ok && schema_settle_scopes(s) && schema_settle_identity(s);
}

struct json_schema *json_schema_load(struct goal_store *goals, const char *text, size_t length,
                                     const struct forma_options *options, struct forma_error *err) {
    struct schema_wishes none = {0};
    return json_schema_load_with(goals, text, length, options, &none, err);
}

struct json_schema *json_schema_load_with(struct goal_store *goals, const char *text, size_t length,
                                          const struct forma_options *options,
                                          const struct schema_wishes *wishes,
                                          struct forma_error *err) {
    struct arena *arena = goal_store_arena(goals);
    struct json_limits limits = {options->max_bytes, options->max_nesting};
    struct forma_error why;
    error_clear(&why);
    struct json_schema *s = arena_push(arena, sizeof *s);
    if (!s) {
        schema_fail_memory(s, err);
        return NULL;
    }
    s->arena = arena;
    s->goals = goals;
    s->options = options;
    s->report = wishes->report;
    if (s->report) schema_report_begin(s->report, s);
    s->max_nesting = options->max_nesting;
    s->asserts_formats = options->formats == FORMA_FORMATS_ASSERT;
    bool ok = (s->root = json_parse(arena, text, length, &limits, &why)) &&
              init_tables(s, text, length) && load(s, text, length, wishes, &why);
    if (!ok || arena->failed) {
        bool full = arena->failed && why.status == FORMA_ELIMIT; /* said in the form's words */
        if (why.status == FORMA_OK || full) schema_fail_memory(s, &why);
        if (err) *err = why;
        return NULL;
    }
    s->options = NULL;
    goal_store_set_expand(goals, schema_expand, s);
    error_clear(err);
    return s;
}

goal_id json_schema_root(struct json_schema *s) {
    return schema_goal(s, s->root, 0);
}

bool json_schema_told_of_cycle(const struct json_schema *s) {
    return s->told_of_cycle;
}

bool json_schema_too_many_scopes(const struct json_schema *s) {
    return s->too_many_scopes;
}
