/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a JSON Schema: an error or a schema whose goals and key order can be made. The
 * first byte chooses the draft.
 */
#include "automaton/goal.h"
#include "base/error.h"
#include "schema/json_schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void discard(void *ctx, int level, const char *pointer, const char *message) {
    (void)ctx;
    (void)level;
    if (!pointer || !message) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const enum forma_draft drafts[] = {FORMA_DRAFT_4, FORMA_DRAFT_6, FORMA_DRAFT_7,
                                              FORMA_DRAFT_2019_09, FORMA_DRAFT_2020_12};
    static const struct code_range all[] = {{0, UINT32_C(0x10FFFF)}};
    struct forma_options options = {.max_bytes = 1 << 16, .max_nesting = 100, .log = discard};
    bool alphabet[256];
    struct arena arena;
    struct forma_error err;
    if (size == 0 || !arena_init(&arena, NULL, (size_t)1 << 28)) return 0;
    for (int i = 0; i < 256; i++) alphabet[i] = true;
    options.draft = drafts[data[0] % 5];
    struct goal_store *goals = goal_store_new(&arena, regex_store_new(&arena, all, 1),
                                              number_store_new(&arena, alphabet, true));
    struct json_schema *s =
        goals ? json_schema_load(goals, (const char *)data + 1, size - 1, &options, &err) : NULL;
    if (goals && (s != NULL) != (err.status == FORMA_OK)) __builtin_trap();
    if (s) {
        goal_id root = json_schema_root(s);
        const uint32_t *names;
        for (int t = 0; t < TYPE_COUNT; t++) goal_specialise(goals, root, (enum value_type)t);
        json_schema_key_order(s, &root, 1, &names);
        if (goal_get(goals, root)->kind == GOAL_KIND_REF)
            json_schema_pointer(s, goal_get(goals, root)->a);
    }
    arena_destroy(&arena);
    return 0;
}
