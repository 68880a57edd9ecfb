/* SPDX-License-Identifier: MIT
 *
 * What forma_explain_json_schema tells, kept, and whether that agrees with a compile of the same
 * schema.
 */
#ifndef FORMA_TESTS_EXPLAIN_H
#define FORMA_TESTS_EXPLAIN_H

#include "base/arena.h"
#include "forma.h"

struct told_rule {
    char *pointer, *keyword, *reason;
    enum forma_rule_status status;
};

struct told {
    struct told_rule *rules;
    size_t n, capacity;
    enum forma_status status;
    struct forma_error err;
    const char *draft;
};

void told_init(struct told *t, const char *text, size_t length,
               const struct forma_options *options);
void told_free(struct told *t);
/* The first such rule; NULL where there is none. */
const struct told_rule *told_find(const struct told *t, const char *pointer, const char *keyword);
size_t told_count(const struct told *t, enum forma_rule_status status);

/* Checks that the report of a schema agrees with what a compile says of it: the same verdict and
 * error; refusals where that is about a keyword, and only there; every member of every schema object
 * that a plain walk finds, and no member twice. False where something did not. */
bool told_agrees(const char *text, size_t length, const struct forma_options *options);

#endif
