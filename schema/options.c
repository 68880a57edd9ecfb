/* SPDX-License-Identifier: MIT */
#include "schema/options.h"

#include "base/error.h"

void forma_options_init(struct forma_options *o) {
    *o = (struct forma_options){
        .style = {.keys = FORMA_KEYS_SCHEMA,
                  .blanks = FORMA_BLANKS_NATURAL,
                  .pretty_indent = 2,
                  .numbers = FORMA_NUMBERS_PLAIN,
                  .escapes = FORMA_ESCAPES_MINIMAL},
        .draft = FORMA_DRAFT_2020_12,
        .formats = FORMA_FORMATS_ASSERT,
        .max_bytes = (size_t)16 << 20,
        .max_nesting = 512,
        .max_nodes = 1000000,
        .max_states = 4000000,
        .max_memory = (size_t)1 << 30,
        .max_work = 250000,
        .max_compile_ms = 10000,
    };
}

struct forma_style forma_style_exact(void) {
    return (struct forma_style){.keys = FORMA_KEYS_ANY,
                                .blanks = FORMA_BLANKS_ANY,
                                .numbers = FORMA_NUMBERS_ANY,
                                .escapes = FORMA_ESCAPES_ANY};
}

enum forma_status options_check(const struct forma_options *o, struct forma_error *err) {
    if (o->style.blanks == FORMA_BLANKS_PRETTY && o->style.pretty_indent > 16)
        return error_set(err, FORMA_EINVAL, "an indent of %u is too wide; use 0 to 16",
                         o->style.pretty_indent);
    if (o->max_nesting == 0 || o->max_nesting > 1000)
        return error_set(err, FORMA_EINVAL, "max_nesting is %zu; it must be 1 to 1000",
                         o->max_nesting);
    if (o->max_nodes == 0 || o->max_states == 0)
        return error_set(err, FORMA_EINVAL, "max_nodes and max_states must be at least 1");
    if (o->max_memory < (size_t)1 << 20)
        return error_set(err, FORMA_EINVAL, "max_memory is %zu bytes; it must be at least 1 MiB",
                         o->max_memory);
    return FORMA_OK;
}
