/* SPDX-License-Identifier: MIT
 *
 * Whole JSON values, interned by JSON equality: equal ids, equal values. 1 and 1.0 are one value,
 * objects are equal up to the order of their members. "uniqueItems" needs them: which items an open
 * array holds already, and what an item must not be (or be) because of that.
 *
 * An array is a list of item values that grows at its end, an object a set of (name, value) pairs:
 * both are persistent, so what has been read of an open one costs little more with every child.
 * Sets of values are name sets over value ids. Grows in the goal store's arena. One owner.
 */
#ifndef FORMA_AUTOMATON_JSON_VALUE_H
#define FORMA_AUTOMATON_JSON_VALUE_H

#include "automaton/goal.h"
#include "automaton/name_set.h"

typedef uint32_t value_id;
#define VALUE_NONE 0u /* no value; or memory is out */
#define VALUE_SOME 1u /* a value that is not known: it equals none */

typedef uint32_t value_list;
#define VALUE_LIST_EMPTY 0u
typedef name_set value_members; /* of pair ids */
#define VALUE_MEMBERS_EMPTY NAME_SET_EMPTY
typedef name_set value_set;
#define VALUE_SET_EMPTY NAME_SET_EMPTY

struct json_value_record {
    enum value_type type;
    bool boolean;
    uint32_t name;  /* string: its text as a name of the goal store */
    uint32_t count; /* array, object: children */
    uint32_t depth; /* arrays and objects inside each other, this one included */
    struct decimal number;
    value_list items;
    value_members members;
    goal_id equal;    /* memo: the goal that only this value meets; UINT32_MAX = not made yet */
    uint32_t witness; /* memo of the solver; 0 = not made yet */
};

struct value_store;

/* `sets` must outlive the store. */
struct value_store *value_store_new(struct goal_store *goals, struct name_set_store *sets);
const struct json_value_record *value_get(const struct value_store *s, value_id v);

/* Ids are smaller than this. */
uint32_t value_count(const struct value_store *s);

value_id value_null(struct value_store *s);
value_id value_boolean(struct value_store *s, bool b);
value_id value_string(struct value_store *s, const char *text, size_t length);
value_id value_number(struct value_store *s, const struct decimal *d);
value_id value_array(struct value_store *s, value_list items);
value_id value_object(struct value_store *s, value_members members);

value_list value_list_add(struct value_store *s, value_list list, value_id item);
value_members value_members_add(struct value_store *s, value_members members, uint32_t name,
                                value_id value);
/* The items in order, or the members (as names and values) in some order, to arrays with room for
 * the record's `count`. */
void value_items(const struct value_store *s, value_id v, value_id *items);
void value_pairs(const struct value_store *s, value_id v, uint32_t *names, value_id *values);

void value_set_witness(struct value_store *s, value_id v, uint32_t witness);

/* "equals v" */
goal_id value_equal_goal(struct value_store *s, value_id v);
/* "equals a value of the set"; GOAL_FALSE for the empty one. */
goal_id value_set_goal(struct value_store *s, value_set set);

#endif
