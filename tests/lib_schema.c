/* SPDX-License-Identifier: MIT */
#include "tests/lib_schema.h"

#include "tests/test.h"

#define ARENA_BYTES ((size_t)1 << 30)

static void take_note(void *ctx, int level, const char *pointer, const char *message) {
    struct fixture *f = ctx;
    if (f->n_notes == MAX_NOTES) return;
    struct note *n = &f->notes[f->n_notes++];
    n->level = level;
    snprintf(n->pointer, sizeof n->pointer, "%s", pointer);
    snprintf(n->message, sizeof n->message, "%s", message);
}

bool open_stores(struct fixture *f, size_t fail_after) {
    static const struct code_range all[] = {{0, 0xD7FF}, {0xE000, 0x10FFFF}};
    bool alphabet[256];
    memset(f, 0, sizeof *f);
    memset(alphabet, true, sizeof alphabet);
    if (!arena_init(&f->arena, NULL, ARENA_BYTES)) return false;
    f->arena.fail_after = fail_after;
    struct regex_store *regex = regex_store_new(&f->arena, all, 2);
    struct number_store *numbers = number_store_new(&f->arena, alphabet, true);
    f->goals = regex && numbers ? goal_store_new(&f->arena, regex, numbers) : NULL;
    f->options = (struct forma_options){.draft = FORMA_DRAFT_2020_12,
                                        .max_bytes = (size_t)1 << 24,
                                        .max_nesting = 1000,
                                        .max_nodes = 1000000,
                                        .log = take_note,
                                        .log_ctx = f};
    return f->goals != NULL;
}

bool open_text(struct fixture *f, const char *text, size_t length, enum forma_draft draft) {
    if (!CHECK(open_stores(f, SIZE_MAX))) return false;
    f->options.draft = draft;
    f->schema = json_schema_load(f->goals, text, length, &f->options, &f->err);
    return f->schema != NULL;
}

bool open_2020(struct fixture *f, const char *text) {
    bool ok = open_text(f, text, strlen(text), FORMA_DRAFT_2020_12);
    if (!ok) fprintf(stderr, "  in %s: %s\n", text, f->err.message);
    return CHECK(ok);
}

void close_text(struct fixture *f) {
    arena_destroy(&f->arena);
}
