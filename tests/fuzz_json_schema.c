/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a JSON Schema: an error or a schema whose goals and key order can be made; the same
 * verdict when a report is made, which goes on behind refusals. The first byte chooses the draft. What follows a NUL byte are documents, the first known as "a", the
 * others by their own identifiers.
 */
#include <string.h>

#include "automaton/goal.h"
#include "base/error.h"
#include "schema/json_schema.h"

#define MAX_DOCUMENTS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void discard(void *ctx, int level, const char *pointer, const char *message) {
    (void)ctx;
    (void)level;
    if (!pointer || !message) __builtin_trap();
}

/* Returns the length of the schema itself. */
static size_t split(const char *text, size_t length, struct forma_document *documents,
                    struct forma_options *options) {
    const char *end = memchr(text, 0, length), *all = text + length;
    size_t schema = end ? (size_t)(end - text) : length;
    while (end && options->n_documents < MAX_DOCUMENTS) {
        const char *from = end + 1;
        end = memchr(from, 0, (size_t)(all - from));
        documents[options->n_documents] = (struct forma_document){
            options->n_documents == 0 ? "a" : NULL, from, (size_t)((end ? end : all) - from)};
        options->n_documents++;
    }
    options->documents = documents;
    return schema;
}

static void take_rule(void *ctx, const struct forma_rule *rule) {
    *(bool *)ctx |= rule->status == FORMA_RULE_REFUSED;
    if (!rule->pointer || !rule->keyword || !rule->reason) __builtin_trap();
}

/* Loads again, for a report. */
static void report(const char *text, size_t length, const struct forma_options *options,
                   struct goal_store *goals, const struct forma_error *first) {
    struct forma_error err;
    bool refused = false;
    const char *draft;
    struct forma_options o = *options;
    o.max_memory = (size_t)1 << 28;
    struct schema_report *r = schema_report_new(&o, &err);
    if (!r) return;
    struct schema_wishes wishes = {.report = r};
    json_schema_load_with(goals, text, length, options, &wishes, &err);
    if (err.status != first->status || strcmp(err.message, first->message) != 0) __builtin_trap();
    if (schema_report_tell(r, take_rule, &refused, &draft) && refused && err.status == FORMA_OK)
        __builtin_trap();
    schema_report_free(r);
}

static struct goal_store *new_goals(struct arena *arena) {
    static const struct code_range all[] = {{0, UINT32_C(0x10FFFF)}};
    bool alphabet[256];
    for (int i = 0; i < 256; i++) alphabet[i] = true;
    return goal_store_new(arena, regex_store_new(arena, all, 1),
                          number_store_new(arena, alphabet, true));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const enum forma_draft drafts[] = {FORMA_DRAFT_4, FORMA_DRAFT_6, FORMA_DRAFT_7,
                                              FORMA_DRAFT_2019_09, FORMA_DRAFT_2020_12};
    struct forma_options options = {
        .max_bytes = 1 << 16, .max_nesting = 100, .max_nodes = 1 << 20, .log = discard};
    struct forma_document documents[MAX_DOCUMENTS];
    struct arena arena, other;
    struct forma_error err;
    if (size == 0 || !arena_init(&arena, NULL, (size_t)1 << 28)) return 0;
    options.draft = drafts[data[0] % 5];
    if (data[0] >= 128) options.formats = FORMA_FORMATS_ANNOTATE;
    if (data[0] % 128 >= 120) options.dialect = FORMA_DIALECT_OPENAPI_3_0;
    size_t length = split((const char *)data + 1, size - 1, documents, &options);
    struct goal_store *goals = new_goals(&arena);
    struct json_schema *s =
        goals ? json_schema_load(goals, (const char *)data + 1, length, &options, &err) : NULL;
    if (goals && (s != NULL) != (err.status == FORMA_OK)) __builtin_trap();
    if (s) {
        goal_id root = json_schema_root(s);
        const uint32_t *names;
        for (int t = 0; t < TYPE_COUNT; t++) goal_specialise(goals, root, (enum value_type)t);
        json_schema_key_order(s, &root, 1, &names);
        if (goal_get(goals, root)->kind == GOAL_KIND_REF)
            json_schema_pointer(s, goal_get(goals, root)->a);
    }
    if (goals && arena_init(&other, NULL, (size_t)1 << 28)) {
        struct goal_store *fresh = new_goals(&other);
        if (fresh) report((const char *)data + 1, length, &options, fresh, &err);
        arena_destroy(&other);
    }
    arena_destroy(&arena);
    return 0;
}
