/* SPDX-License-Identifier: MIT
 *
 * A JSON Schema that is loaded into stores of its own, with what was reported on the way.
 */
#ifndef FORMA_TESTS_SCHEMA_H
#define FORMA_TESTS_SCHEMA_H

#include "schema/json_schema.h"

#define MAX_NOTES 16

struct note {
    int level;
    char pointer[128], message[256];
};

struct fixture {
    struct arena arena;
    struct goal_store *goals;
    struct json_schema *schema;
    struct forma_options options;
    struct forma_error err;
    struct note notes[MAX_NOTES];
    size_t n_notes;
};

/* The stores of a grammar, without a schema yet. The arena fails after that many pushes. */
bool open_stores(struct fixture *f, size_t fail_after);
/* False where the text does not load; close it all the same. */
bool open_text(struct fixture *f, const char *text, size_t length, enum forma_draft draft);
/* The same for a text that must load. */
bool open_2020(struct fixture *f, const char *text);
void close_text(struct fixture *f);

#endif
