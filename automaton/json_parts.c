/* SPDX-License-Identifier: MIT
 *
 * Parts of a schema that no value can satisfy. A form may have values although some of its parts
 * have none: an alternative that contradicts itself, a member that can never come. Every schema
 * that the root leads to is asked, outermost first; where a part has no value because of one
 * further in, only that one is named.
 */
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"

#define MAX_PARTS 100000 /* looked at */

/* Expands the reference, so that the references inside it come to be goals of the store. */
static void expand(struct json_machine *m, goal_id g) {
    for (int t = 0; t < TYPE_COUNT; t++) goal_specialise(m->goals, g, (enum value_type)t);
}

void json_machine_dead_parts(struct json_machine *m, bool (*expired)(void *ctx), void *expired_ctx,
                             void (*visit)(void *ctx, uint32_t schema_node, const char *pointer,
                                           const char *why),
                             void *ctx) {
    uint32_t n = 0;
    solver_set_deadline(m->solver, expired, expired_ctx);
    for (goal_id g = 0; g < m->goals->nodes.count && !m->arena.failed; g++) {
        const struct goal_node *x = node(m->goals, g);
        if (x->kind != GOAL_KIND_REF || !x->sign) continue;
        if (n++ == MAX_PARTS || (expired && expired(expired_ctx))) break;
        expand(m, g);
        if (solver_goal(m->solver, g, NULL) != SAT_NO) continue;
        char why[256];
        const char *own = json_goal_pointer(m, g);
        const char *blamed = json_explain_unsat(m, g, why, sizeof why);
        if (own && strcmp(own, blamed) == 0) visit(ctx, node(m->goals, g)->a, own, why);
    }
    solver_set_deadline(m->solver, NULL, NULL);
}
