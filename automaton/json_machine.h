/* SPDX-License-Identifier: MIT
 *
 * The machine that reads JSON for a goal (design: "the JSON machine"). Made empty, filled with
 * goals through its goal store, then started with the root goal. It asks the schema layer for two
 * things only, through function pointers: the declared key order of an object's goals, and the
 * pointer of a schema node for messages.
 *
 * All memory is one arena over reserved address space; what is carved counts against max_memory.
 * Callers hold machine->lock once it is shared.
 */
#ifndef FORMA_AUTOMATON_JSON_MACHINE_H
#define FORMA_AUTOMATON_JSON_MACHINE_H

#include "automaton/goal.h"
#include "automaton/machine.h"

struct json_machine;

struct json_machine_options {
    struct forma_style style;
    const bool *alphabet; /* 256 flags; NULL = every byte */
    size_t max_memory, max_nesting;
    uint64_t max_work;
    size_t max_states;                       /* 0: no limit */
    const struct forma_allocator *allocator; /* not NULL */
};

/* What the schema layer knows. */
struct json_form {
    uint32_t (*key_order)(void *ctx, const goal_id *goals, uint32_t n, const uint32_t **names);
    const char *(*pointer)(void *ctx, uint32_t schema_node);
    void *ctx;
};

struct json_machine *json_machine_new(const struct json_machine_options *options,
                                      struct forma_error *err);
void json_machine_free(struct json_machine *m); /* to its pool, if it has one (json_pool.h) */
struct machine *json_machine_base(struct json_machine *m);
struct goal_store *json_machine_goals(struct json_machine *m);
struct arena *json_machine_arena(struct json_machine *m);

/* Decides the root and makes the start state. FORMA_EUNSAT when it has no value that can be
 * written, FORMA_ELIMIT past a limit. `expired` (may be NULL) is polled: true = FORMA_ELIMIT. */
enum forma_status json_machine_start(struct json_machine *m, goal_id root,
                                     const struct json_form *form, bool (*expired)(void *ctx),
                                     void *expired_ctx, struct forma_error *err);

/* ---- for json_pool.c -------------------------------------------------------------------------- */

struct json_pool;
void json_machine_belongs_to(struct json_machine *m, struct json_pool *pool);
/* Is it the machine that these options make? */
bool json_machine_suits(const struct json_machine *m, const struct json_machine_options *options);
/* Frees it, whatever its pool. NULL is fine. */
void json_machine_destroy(struct json_machine *m);

/* ---- questions -------------------------------------------------------------------------------- */

/* What the values that are open in state s had to meet when they were opened, outermost first, and
 * what the one that is being read must meet: up to `capacity`. Returns how many there are. */
size_t json_machine_open_goals(const struct json_machine *m, struct state s, goal_id *goals,
                               size_t capacity);

/* After a start: visits the schemas below the root that no value can satisfy, with the id and
 * the JSON pointer of the schema and a clause without a full stop that says why. Also after a start
 * that failed with FORMA_EUNSAT. Costs a question for each schema; ends early when
 * `expired` (may be NULL) says so, or the memory limit is met. */
void json_machine_dead_parts(struct json_machine *m, bool (*expired)(void *ctx), void *expired_ctx,
                             void (*visit)(void *ctx, uint32_t schema_node, const char *pointer,
                                           const char *why),
                             void *ctx);

#endif
