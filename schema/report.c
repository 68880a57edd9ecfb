/* SPDX-License-Identifier: MIT
 *
 * What becomes of every keyword. The check says it where it decides it (schema_rule); a member of
 * which nothing was said is enforced if it has an effect: by the very function, schema_effect, from
 * which goals are built. So a report cannot promise what the compiler does not do. Without a report
 * the same rules go to the log.
 */
#include "schema/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define MESSAGE_SIZE sizeof((struct forma_error *)0)->message

struct rule {
    const struct json_value
        *value; /* of the member, or the schema object: rules go by their text */
    const struct json_member *member;
    const char *pointer, *reason; /* pointer: NULL until told */
    uint32_t node, document;
    uint32_t number; /* in the order of finding */
    enum forma_rule_status status;
};

struct schema_report {
    struct arena arena;
    struct json_schema *schema;
    ARENA_VEC(struct rule) rules;
    uint32_t n_settled; /* rules of members that are done with */
    bool complete;
    struct forma_error first; /* of the refusals */
};

struct schema_report *schema_report_new(const struct forma_options *options,
                                        struct forma_error *err) {
    struct arena arena;
    const struct forma_allocator *allocator = fa_allocator_or_default(options->allocator);
    struct schema_report *r = NULL;
    if (arena_init(&arena, allocator, options->max_memory)) {
        r = arena_push(&arena, sizeof *r);
        if (r)
            r->arena = arena;
        else
            arena_destroy(&arena);
    }
    if (!r) error_set(err, FORMA_EMEMORY, "no memory for a report");
    return r;
}

void schema_report_free(struct schema_report *r) {
    if (!r) return;
    struct arena arena = r->arena; /* it holds the report */
    arena_destroy(&arena);
}

void schema_report_begin(struct schema_report *r, struct json_schema *s) {
    r->schema = s;
}

/* ---- gathering ------------------------------------------------------------------------------- */

static const char *keep(struct schema_report *r, const char *text) {
    const char *copy = arena_push_copy(&r->arena, text, strlen(text) + 1);
    return copy ? copy : "";
}

static uint32_t document_of(const struct json_schema *s, uint32_t node) {
    return node == NODE_NONE ? 0 : s->resources.data[s->nodes.data[node].resource].document;
}

/* `reason` stays where it is; NULL: the status says it all. */
static void add_rule(struct schema_report *r, uint32_t node, const struct json_member *member,
                     enum forma_rule_status status, const char *reason) {
    static const char *const defaults[FORMA_RULE_COUNT] = {
        [FORMA_RULE_ANNOTATION] = "restricts nothing",
        [FORMA_RULE_UNKNOWN] = "no keyword of any draft",
        [FORMA_RULE_UNUSED] = "nothing leads to this schema",
    };
    const struct json_value *v = member              ? &member->value
                                 : node == NODE_NONE ? r->schema->root
                                                     : r->schema->nodes.data[node].value;
    if (!reason) reason = defaults[status];
    if (!ARENA_VEC_GROW(&r->arena, &r->rules)) return;
    r->rules.data[r->rules.count] = (struct rule){.value = v,
                                                  .member = member,
                                                  .reason = reason ? reason : "",
                                                  .node = node,
                                                  .document = document_of(r->schema, node),
                                                  .number = r->rules.count,
                                                  .status = status};
    r->rules.count++;
}

/* Words for the log. */
static const char *verdict(enum forma_rule_status status) {
    switch (status) {
    case FORMA_RULE_ENFORCED: return "'%.100s' is enforced%s%s";
    case FORMA_RULE_ANNOTATION: return "annotation '%.100s' has no effect on the form%s%s";
    case FORMA_RULE_IGNORED: return "'%.100s' is ignored%s%s";
    case FORMA_RULE_UNKNOWN: return "unknown word '%.100s' is ignored%s%s";
    case FORMA_RULE_NEVER: return "'%.100s' holds for no value%s%s";
    default: return "'%.100s'%s%s";
    }
}

void schema_rule(struct json_schema *s, uint32_t node, const struct json_member *member,
                 enum forma_rule_status status, int level, const char *reason) {
    if (s->report)
        add_rule(s->report, node, member, status, reason);
    else if (level != RULE_NOT_LOGGED)
        schema_log(s, node, member, level, verdict(status), member->name, reason ? ": " : "",
                   reason ? reason : "");
}

void schema_rule_because(struct json_schema *s, uint32_t node, const struct json_member *member,
                         enum forma_rule_status status, int level, const char *format, ...) {
    char reason[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    schema_format_line(reason, sizeof reason, format, arguments);
    va_end(arguments);
    schema_rule(s, node, member, status, level, s->report ? keep(s->report, reason) : reason);
}

/* Before the sentence stands what lies below the member, or in another text. */
static const char *place_below(struct schema_report *r, uint32_t node,
                               const struct json_member *member, const struct forma_error *err) {
    const char *own = schema_pointer(r->schema, &r->arena, node, member, NULL, NO_INDEX);
    size_t n = strlen(own);
    if (!err->has_pointer) return "";
    return strncmp(err->pointer, own, n) == 0 ? err->pointer + n : err->pointer;
}

bool schema_refuse(struct json_schema *s, uint32_t node, const struct json_member *member,
                   const struct forma_error *err) {
    struct schema_report *r = s->report;
    char reason[MESSAGE_SIZE + sizeof err->pointer + 64], line[48] = "";
    if (!r || s->arena->failed) return false;
    if (r->first.status == FORMA_OK) r->first = *err;
    if (err->line) snprintf(line, sizeof line, " %zu:%zu", err->line, err->column);
    const char *place = place_below(r, node, member, err);
    snprintf(reason, sizeof reason, "%s%s%s%s", place, line, *place || *line ? ": " : "",
             err->message);
    add_rule(r, node, member, FORMA_RULE_REFUSED, keep(r, reason));
    return !r->arena.failed;
}

/* ---- members of which nothing was said ------------------------------------------------------- */

static const char *describe_target(struct schema_report *r, uint32_t target, bool dynamic) {
    const char *place = target == NODE_TRUE ? "true"
                        : target == NODE_FALSE
                            ? "false"
                            : schema_pointer(r->schema, &r->arena, target, NULL, NULL, NO_INDEX);
    static const char anchor[] = ", or a dynamic anchor further out";
    size_t size = strlen(place) + sizeof "leads to the root" + sizeof anchor;
    char *text = arena_push(&r->arena, size);
    if (text)
        snprintf(text, size, "leads to %s%s", *place ? place : "the root", dynamic ? anchor : "");
    return text ? text : "";
}

static const char *describe_format(struct schema_report *r, const struct keyword_info *k,
                                   const struct json_value *v) {
    char text[160];
    snprintf(text, sizeof text, "%s: %s", keyword_meaning(k),
             format_source(format_find(v->text, v->length)));
    return keep(r, text);
}

static const char *describe(struct schema_report *r, uint32_t node, const struct json_member *m,
                            const struct keyword_info *k) {
    const struct schema_node *n = &r->schema->nodes.data[node];
    switch (k->id) {
    case KEYWORD_REF: return describe_target(r, n->target, false);
    case KEYWORD_DYNAMIC_REF:
    case KEYWORD_RECURSIVE_REF:
        return describe_target(r, n->dynamic_target, n->dynamic_name != NO_INDEX);
    case KEYWORD_FORMAT: return describe_format(r, k, &m->value);
    default: return keyword_meaning(k);
    }
}

void schema_report_member(struct json_schema *s, uint32_t node, const struct json_member *m) {
    struct schema_report *r = s->report;
    const struct keyword_info *k = schema_effect(s, node, m);
    if (r->rules.count > r->n_settled) {
        /* Said already. */
    } else if (k && k->id == KEYWORD_IF && !schema_decides(s, node)) {
        add_rule(r, node, m, FORMA_RULE_STRUCTURE,
                 "neither 'then' nor 'else' beside it: it only tells what is evaluated");
    } else if (k) {
        add_rule(r, node, m, FORMA_RULE_ENFORCED, describe(r, node, m, k));
    } else {
        k = schema_keyword(s, node, m->name, m->name_length);
        const char *meaning = k ? keyword_meaning(k) : NULL;
        if (k && k->id == KEYWORD_SCHEMA) meaning = dialect_name(schema_dialect(s, node));
        add_rule(r, node, m, FORMA_RULE_STRUCTURE, meaning);
    }
    r->n_settled = r->rules.count;
}

bool schema_report_end(struct schema_report *r, bool complete, struct forma_error *err) {
    r->complete = complete;
    if (r->first.status != FORMA_OK) *err = r->first;
    return complete && r->first.status == FORMA_OK;
}

void schema_report_never(struct schema_report *r, uint32_t node, const char *pointer,
                         const char *why) {
    if (!r->complete) return;
    add_rule(r, node, NULL, FORMA_RULE_NEVER, keep(r, why));
    if (node == NODE_NONE && r->rules.count)
        r->rules.data[r->rules.count - 1].pointer = keep(r, pointer);
}

bool schema_report_has_never(const struct schema_report *r) {
    for (uint32_t i = 0; i < r->rules.count; i++)
        if (r->rules.data[i].status == FORMA_RULE_NEVER) return true;
    return false;
}

/* ---- telling --------------------------------------------------------------------------------- */

/* In documents of which something is reached. */
static void add_unused(struct schema_report *r) {
    const struct json_schema *s = r->schema;
    bool *reached = arena_push_array(&r->arena, s->documents.count, sizeof *reached);
    for (uint32_t i = 0; reached && i < s->nodes.count; i++)
        if (s->nodes.data[i].reached) reached[document_of(s, i)] = true;
    for (uint32_t i = 0; reached && i < s->nodes.count; i++) {
        const struct json_value *object = s->nodes.data[i].value;
        if (s->nodes.data[i].reached || !reached[document_of(s, i)]) continue;
        for (uint32_t j = 0; j < object->count; j++)
            add_rule(r, i, &object->members[j], FORMA_RULE_UNUSED, NULL);
    }
}

static int by_place(const void *a, const void *b) {
    const struct rule *x = a, *y = b;
    if (x->document != y->document) return x->document < y->document ? -1 : 1;
    if (x->value->offset != y->value->offset) return x->value->offset < y->value->offset ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void add_pointers(struct schema_report *r) {
    const char **pointers =
        arena_push_array(&r->arena, r->schema->nodes.count, sizeof *pointers); /* by node */
    for (uint32_t i = 0; pointers && i < r->rules.count; i++) {
        struct rule *rule = &r->rules.data[i];
        if (rule->node == NODE_NONE) continue;
        if (!pointers[rule->node])
            pointers[rule->node] =
                schema_pointer(r->schema, &r->arena, rule->node, NULL, NULL, NO_INDEX);
        rule->pointer = pointers[rule->node];
    }
}

/* A reference that is enforced and turned out to hold for no value. */
static bool is_outdated(const struct schema_report *r, uint32_t i) {
    const struct rule *x = &r->rules.data[i], *next = x + 1;
    return i + 1 < r->rules.count && x->member && next->member == x->member &&
           next->status == FORMA_RULE_NEVER;
}

bool schema_report_tell(struct schema_report *r, forma_rule_fn fn, void *ctx, const char **draft) {
    if (r->schema && draft) *draft = dialect_number(r->schema->language.dialect);
    if (!r->complete) return true;
    add_unused(r);
    add_pointers(r);
    if (r->arena.failed) return false;
    if (r->rules.count) qsort(r->rules.data, r->rules.count, sizeof *r->rules.data, by_place);
    for (uint32_t i = 0; i < r->rules.count; i++) {
        const struct rule *x = &r->rules.data[i];
        if (is_outdated(r, i)) continue;
        const struct forma_rule rule = {x->pointer, x->member ? x->member->name : "", x->status,
                                        x->reason};
        fn(ctx, &rule);
    }
    return true;
}

const char *forma_strrule(enum forma_rule_status status) {
    static const char *const texts[] = {
#define X(code, text) text,
        FORMA_RULE_MAP(X)
#undef X
    };
    return (unsigned)status < FORMA_RULE_COUNT ? texts[status] : "unknown status";
}
