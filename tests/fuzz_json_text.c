/* SPDX-License-Identifier: MIT
 *
 * Any bytes: the reader answers with a tree or an error with its place, and a tree equals itself.
 */
#include <stdlib.h>

#include "schema/json_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct json_limits limits = {1 << 16, 64};
    struct forma_error err;
    struct arena a;
    if (!arena_init(&a, NULL, (size_t)64 << 20)) return 0;
    const struct json_value *v = json_parse(&a, (const char *)data, size, &limits, &err);
    if (v) {
        char pointer[32] = "";
        if (!json_equal(v, v)) abort();
        if (v->kind == JSON_OBJECT && v->count) {
            const struct json_member *m = &v->members[v->count - 1];
            if (json_find_n(v, m->name, m->name_length) != &m->value) abort();
            json_pointer_push(pointer, sizeof pointer, m->name, m->name_length);
        }
    } else if (err.status == FORMA_OK || !err.message[0] || err.offset > size) {
        abort();
    }
    arena_destroy(&a);
    return 0;
}
