/* SPDX-License-Identifier: MIT
 *
 * The interpreter: walks the tree with one machine a rendering. Everything it makes lives in the
 * machine's arena; every node costs a step and long strings and lists cost more, so time, memory
 * and output are bounded. The first failure is final: functions return false up to the top.
 *
 *     jinja_exec.c       statements, scopes
 *     jinja_eval.c       expressions, names, attributes, slices
 *     jinja_operators.c  arithmetic, comparison, text of values
 *     jinja_filters.c    filters and tests
 *     jinja_calls.c      functions and methods
 *     jinja_json.c       tojson
 */
#ifndef FORMA_RUNTIME_JINJA_EVAL_H
#define FORMA_RUNTIME_JINJA_EVAL_H

#include "runtime/jinja_ast.h"

struct jinja_variable {
    const char *name;
    size_t length;
    struct jinja_value value;
};

struct jinja_machine {
    const char *source; /* for places in errors */
    size_t source_length;
    struct forma_error *err;
    struct arena arena;
    uint64_t max_steps, steps;
    size_t max_bytes; /* of any string */
    struct jinja_builder *out;
    ARENA_VEC(struct jinja_variable) variables;
    uint32_t scope; /* the first variable of the innermost scope */
    uint32_t loop_depth;
};

/* Describes the failure at the node's place; false. */
__attribute__((format(printf, 4, 5))) bool jinja_error(struct jinja_machine *m,
                                                       const struct jinja_node *n,
                                                       enum forma_status status, const char *format,
                                                       ...);
/* "X is not supported yet" */
bool jinja_unsupported(struct jinja_machine *m, const struct jinja_node *n, const char *kind,
                       const char *name, size_t length);
/* The arena is full, or a builder too long. */
bool jinja_error_space(struct jinja_machine *m, const struct jinja_node *n);
/* Counts steps; false when they are used up. */
bool jinja_spend(struct jinja_machine *m, const struct jinja_node *n, uint64_t steps);

/* Sets a variable of the innermost scope. */
bool jinja_assign(struct jinja_machine *m, const struct jinja_node *n, const char *name,
                  size_t length, struct jinja_value value);
const struct jinja_value *jinja_lookup(const struct jinja_machine *m, const char *name,
                                       size_t length);

bool jinja_run(struct jinja_machine *m, const struct jinja_node *first);
bool jinja_eval(struct jinja_machine *m, const struct jinja_node *n, struct jinja_value *out);

/* ---- operators ---------------------------------------------------------------------------- */

/* The value as `{{ }}` prints it. */
bool jinja_text(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *v,
                struct jinja_string *out);
bool jinja_join(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_string *a,
                const struct jinja_string *b, struct jinja_value *out);
bool jinja_binary(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *a,
                  const struct jinja_value *b, struct jinja_value *out);
bool jinja_same(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *a,
                const struct jinja_value *b, bool *same);
/* One link of a comparison: n is a COMPARAND. */
bool jinja_compare(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *a,
                   const struct jinja_value *b, bool *holds);
/* A list of what a loop over the value would see. */
bool jinja_iterate(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *v,
                   struct jinja_value *list);
/* The length as Python's len() counts it. */
bool jinja_count(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *v,
                 size_t *count);
/* value[key], undefined where there is none. */
bool jinja_subscript(struct jinja_machine *m, const struct jinja_node *n,
                     const struct jinja_value *v, const struct jinja_value *key,
                     struct jinja_value *out);
/* A new list of `count` items to fill. */
struct jinja_value *jinja_list_new(struct jinja_machine *m, const struct jinja_node *n,
                                   size_t count, struct jinja_value *list);
/* No attribute of an undefined value: an error that names it. */
bool jinja_error_undefined(struct jinja_machine *m, const struct jinja_node *n,
                           const struct jinja_value *v);

/* ---- calls -------------------------------------------------------------------------------- */

struct jinja_argument {
    const struct jinja_node *keyword; /* NULL: by position */
    struct jinja_value value;
};
struct jinja_arguments {
    struct jinja_argument *items;
    size_t count, n_positional;
};
bool jinja_eval_arguments(struct jinja_machine *m, const struct jinja_node *first,
                          struct jinja_arguments *out);
/* The argument at the position or under the name, or NULL. */
const struct jinja_value *jinja_argument(const struct jinja_arguments *args, size_t position,
                                         const char *name);

/* Does the name belong to a built-in function? */
bool jinja_is_function(const struct jinja_node *name);
bool jinja_call(struct jinja_machine *m, const struct jinja_node *n, struct jinja_value *out);
bool jinja_filter(struct jinja_machine *m, const struct jinja_node *n, struct jinja_value *out);
bool jinja_test(struct jinja_machine *m, const struct jinja_node *n, struct jinja_value *out);
/* A test by its name. */
bool jinja_test_value(struct jinja_machine *m, const struct jinja_node *n, const char *name,
                      size_t length, const struct jinja_value *v,
                      const struct jinja_value *argument, bool *holds);
/* JSON as Python's json.dumps writes it, characters outside ASCII as they are; indent < 0: on one
 * line. */
bool jinja_json(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *v,
                int64_t indent, struct jinja_value *out);

/* ---- string methods that filters share ---------------------------------------------------- */

/* sides: 1 front, 2 back, 3 both; `chars` NULL: white space. */
bool jinja_strip(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_string *s,
                 const struct jinja_string *chars, int sides, struct jinja_value *out);
enum jinja_case { JINJA_UPPER, JINJA_LOWER, JINJA_CAPITALIZE, JINJA_TITLE };
/* ASCII letters; other characters are an error, for their case is not known here. */
bool jinja_change_case(struct jinja_machine *m, const struct jinja_node *n,
                       const struct jinja_string *s, enum jinja_case to, struct jinja_value *out);
bool jinja_replace(struct jinja_machine *m, const struct jinja_node *n,
                   const struct jinja_string *s, const struct jinja_arguments *args,
                   struct jinja_value *out);
bool jinja_dict_items(struct jinja_machine *m, const struct jinja_node *n,
                      const struct jinja_value *v, struct jinja_value *out);

#endif
