/* SPDX-License-Identifier: MIT
 *
 * Why a schema has no value: follow what must be there (a needed member, a first item) down to the
 * innermost schema that nothing meets, and say what contradicts there. A help for people, not a
 * proof: where the contradiction lies between combinators it only names them.
 */
#include <stdio.h>
#include <string.h>

#include "automaton/conjunction.h"
#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"
#include "automaton/solver_internal.h"
#include "base/text.h"

enum { MAX_EXPLAINED_DEPTH = 12 };

struct explanation {
    struct json_machine *m;
    struct text text;
    const char *pointer;
    goal_id path[MAX_EXPLAINED_DEPTH]; /* goals on the way down */
    unsigned depth;
};

static void explain(struct explanation *e, goal_id g);

static bool has_no_value(struct explanation *e, goal_id g) {
    return solver_goal(e->m->solver, g, NULL) == SAT_NO;
}

static void explain_number(struct explanation *e, goal_id f) {
    size_t n;
    const goal_id *literals = formula_literals(e->m->goals, &f, &n);
    const char *separator = ": ";
    text_add(&e->text, "no number meets all of its rules");
    for (size_t i = 0; i < n && i < 4; i++) {
        struct goal_node x = *node(e->m->goals, literals[i]);
        if (x.kind != GOAL_KIND_PREDICATE) continue;
        numset_id set = predicate_get(e->m->goals, x.a)->set;
        char which[80] = "";
        FILE *out = fmemopen(which, sizeof which, "w");
        if (!out) return;
        numset_print(e->m->numbers, x.sign ? set : numset_not(e->m->numbers, set), out);
        fclose(out);
        which[sizeof which - 1] = 0;
        if (strlen(which) + 2 >= sizeof which) continue;
        text_add(&e->text, "%s%s", separator, which);
        separator = ", ";
    }
}

static void explain_object(struct explanation *e, goal_id f) {
    struct solver *s = e->m->solver;
    const struct conjunction *c = conjunction_find(s, f);
    size_t n = 0;
    const uint32_t *needs = c ? conjunction_needs(c, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        goal_id member = conjunction_member(s, c, needs[i]);
        if (!has_no_value(e, member)) continue;
        size_t length;
        const char *name = goal_name_text(e->m->goals, needs[i], &length);
        text_add(&e->text, "the member \"%.*s\" must come, but ", (int)(length > 40 ? 40 : length),
                 name);
        explain(e, member);
        return;
    }
    if (c && n > conjunction_max_members(c))
        text_add(&e->text, "%zu members must come, but at most %llu may", n,
                 (unsigned long long)conjunction_max_members(c));
    else
        text_add(&e->text, "no object meets all of its rules (allOf, anyOf, required and the "
                           "members' schemas contradict each other)");
}

/* Items that must come one by one; stops where it cannot tell. */
static void explain_array(struct explanation *e, goal_id f) {
    bool unique = node(e->m->goals, f)->unique == 1;
    for (unsigned i = 0; i < 1000 && f != GOAL_FALSE; i++) {
        goal_id child = GOAL_TRUE;
        goal_id stepped = formula_step_item(e->m->goals, f, GOAL_FALSE);
        stepped = solver_take_units(e->m->solver, stepped, &child);
        if (stepped == f || formula_has_variables(e->m->goals, stepped)) {
            if (!has_no_value(e, child)) break;
        }
        if (has_no_value(e, child)) {
            text_add(&e->text, "item %u must come, but ", i);
            explain(e, child);
            return;
        }
        f = stepped;
    }
    if (unique)
        text_add(&e->text, "no list of items that all differ meets all of its rules (uniqueItems, "
                           "minItems, the items' schemas)");
    else
        text_add(&e->text,
                 "no list of items meets all of its rules (such as minItems and maxItems)");
}

static void explain_type(struct explanation *e, goal_id f, enum value_type t) {
    switch (t) {
    case TYPE_OBJECT: explain_object(e, f); break;
    case TYPE_ARRAY: explain_array(e, f); break;
    case TYPE_NUMBER: explain_number(e, f); break;
    case TYPE_STRING:
        text_add(&e->text, "no string meets all of its rules (lengths, pattern, format, enum)");
        break;
    case TYPE_NULL:
    case TYPE_BOOLEAN:
    case TYPE_COUNT: text_add(&e->text, "null and booleans are excluded"); break;
    }
}

static void explain(struct explanation *e, goal_id g) {
    static const enum value_type order[] = {TYPE_OBJECT, TYPE_ARRAY,   TYPE_STRING,
                                            TYPE_NUMBER, TYPE_BOOLEAN, TYPE_NULL};
    const char *pointer = json_goal_pointer(e->m, g);
    if (pointer) e->pointer = pointer;
    for (unsigned i = 0; i < e->depth; i++)
        if (e->path[i] == g) {
            text_add(&e->text, "it needs another of itself, without end");
            return;
        }
    if (e->depth == MAX_EXPLAINED_DEPTH) {
        text_add(&e->text, "nothing fits further down");
        return;
    }
    e->path[e->depth++] = g;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        goal_id f = goal_specialise(e->m->goals, g, order[i]);
        if (f == GOAL_CYCLE) {
            text_add(&e->text, "its $ref leads back to itself without consuming anything");
            return;
        }
        if (f == GOAL_FALSE) continue;
        explain_type(e, f, order[i]);
        return;
    }
    text_add(&e->text, g == GOAL_FALSE ? "it is false" : "its rules contradict each other");
}

const char *json_explain_unsat(struct json_machine *m, goal_id g, char *out, size_t capacity) {
    struct explanation e = {.m = m, .pointer = ""};
    text_init(&e.text, out, capacity);
    explain(&e, g);
    return e.pointer;
}
