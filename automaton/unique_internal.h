/* SPDX-License-Identifier: MIT
 *
 * Arrays whose items must differ, or must not, as the unique*.c files see them: unique.c (the two
 * questions), unique_values.c (which values a goal has; single values out of witnesses),
 * unique_plain.c (arrays whose items do not depend on each other otherwise), unique_demand.c.
 */
#ifndef FORMA_AUTOMATON_UNIQUE_INTERNAL_H
#define FORMA_AUTOMATON_UNIQUE_INTERNAL_H

#include "automaton/solver_internal.h"

/* More values of one goal are not listed: what would need them is a limit. */
#define DOMAIN_MAX 65536

/* The values of goal g: all, if there are no more than `most`, else at least `most`. Past a limit
 * (s->limited) nothing. */
struct domain solver_domain(struct solver *s, goal_id g, uint32_t most);
/* One value that witness w describes, always the same; VALUE_NONE (and s->limited) where it is too
 * large. */
value_id solver_witness_value(struct solver *s, witness_id w);
/* solver_items and solver_item, within what is being decided. */
struct item_list solver_open_items(struct solver *s, witness_id array, value_set used);
witness_id solver_next_item(struct solver *s, struct item_list *l);
/* The witness of exactly this value. */
witness_id solver_value_witness(struct solver *s, value_id v);
size_t solver_count_values(const struct solver *s, value_set set);

/* The witness of an array that holds `first` and then the items of array witness `rest`. */
witness_id solver_join_items(struct solver *s, witness_id first, witness_id rest, uint32_t again);

/* A conjunction of "at least n items", "at most n items" and "items at such places meet G". */
struct item_rule {
    uint64_t first, last;
    goal_id goal;
};
struct plain_array {
    uint64_t least, most;
    uint64_t prefix; /* from this index on all items have the same rules */
    struct item_rule *rules;
    size_t n_rules;
};
/* False when f is no such conjunction. The rules live on the scratch stack. */
bool plain_array_read(struct solver *s, goal_id f, struct plain_array *p);
/* Is every item that can come free to be any of infinitely many strings, and so on for arrays and
 * objects, or can it be none of them? */
bool plain_array_is_free(struct solver *s, const struct plain_array *p);
/* A witness whose items differ from each other and from `seen`. */
witness_id plain_array_decide(struct solver *s, const struct plain_array *p, value_set seen);
/* Given that there is one: the values that are in every such array, so that it could not do without
 * any of them. */
value_set plain_array_critical(struct solver *s, const struct plain_array *p, value_set seen);

#endif
