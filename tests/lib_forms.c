/* SPDX-License-Identifier: MIT */
#include "tests/lib_forms.h"

#include <string.h>

#include "automaton/grammar.h"
#include "automaton/json_machine.h"

struct maker {
    struct goal_store *s;
    struct regex_store *r;
};

static uint32_t name(struct maker *k, const char *text) {
    return key_class_name(k->s, goal_name(k->s, text, strlen(text)));
}
static goal_id has(struct maker *k, const char *text) {
    return goal_count_keys(k->s, name(k, text), GOAL_TRUE, 1, true);
}
/* The member is absent or meets g. */
static goal_id member(struct maker *k, const char *text, goal_id g) {
    return goal_count_keys(k->s, name(k, text), goal_not(k->s, g), 1, false);
}
/* All names are in the class. */
static goal_id names_in(struct maker *k, term_id term) {
    return goal_count_keys(k->s, key_class_term(k->s, regex_not(k->r, term)), GOAL_TRUE, 1, false);
}
static goal_id members(struct maker *k, uint64_t least, uint64_t most) {
    return goal_and2(k->s, goal_count_keys(k->s, KEY_CLASS_ALL, GOAL_TRUE, least, true),
                     goal_count_keys(k->s, KEY_CLASS_ALL, GOAL_TRUE, most + 1, false));
}
static term_id letters(struct maker *k, uint32_t first, uint32_t last, uint32_t most) {
    return regex_repeat(k->r, regex_charset(k->r, (const struct code_range[]){{first, last}}, 1), 1,
                        most);
}
static goal_id is_type(struct maker *k, enum value_type t) {
    return goal_type(k->s, TYPE_BIT(t));
}

static goal_id make_goal(struct goal_store *s, const char *which) {
    struct maker maker = {s, goal_store_regex(s)}, *k = &maker;
    goal_id object = is_type(k, TYPE_OBJECT), null = is_type(k, TYPE_NULL), parts[6] = {object};
    size_t n = 1;
    if (!strcmp(which, "@one")) { /* exactly one of a and b */
        parts[n++] = goal_one(s, 0, (const goal_id[]){has(k, "a"), has(k, "b")}, 2, true);
    } else if (!strcmp(which, "@none")) { /* exactly one of a and a: with alternatives without */
        goal_id one =
            goal_one(s, 0, (const goal_id[]){has(k, "a"), has(k, "b"), has(k, "a")}, 3, true);
        return goal_or2(s, goal_and(s, (const goal_id[]){object, one, member(k, "b", null)}, 3),
                        is_type(k, TYPE_STRING));
    } else if (!strcmp(which, "@names")) { /* twelve names, at least three of them */
        parts[n++] = names_in(k, letters(k, 'a', 'c', 2));
        parts[n++] = members(k, 3, 100);
    } else if (!strcmp(which, "@two")) { /* a and b, null, one of them at least */
        parts[n++] = names_in(k, letters(k, 'a', 'b', 1));
        parts[n++] = goal_count_keys(s, KEY_CLASS_ALL, goal_not(s, null), 1, false);
        parts[n++] = members(k, 1, 100);
    } else if (!strcmp(which, "@all")) { /* all three of a, b, c, whatever order */
        parts[n++] = names_in(k, letters(k, 'a', 'c', 1));
        parts[n++] = goal_count_keys(s, KEY_CLASS_ALL, goal_not(s, null), 1, false);
        parts[n++] = members(k, 3, 3);
    } else if (!strcmp(which, "@contains")) { /* null, a boolean, and two strings somewhere */
        parts[0] = is_type(k, TYPE_ARRAY);
        parts[n++] = goal_count_items(s, 0, 0, goal_not(s, null), 1, false);
        parts[n++] = goal_count_items(s, 1, 1, goal_not(s, is_type(k, TYPE_BOOLEAN)), 1, false);
        parts[n++] = goal_count_items(s, 0, INDEX_UNBOUNDED, is_type(k, TYPE_STRING), 2, true);
        parts[n++] = goal_count_items(s, 0, INDEX_UNBOUNDED, is_type(k, TYPE_STRING), 4, false);
    } else if (!strcmp(which, "@not")) { /* b, and not both */
        parts[n++] = goal_not(s, goal_and2(s, has(k, "a"), has(k, "b")));
        parts[n++] = has(k, "b");
    } else if (!strcmp(which, "@if")) { /* if t is null then u must come, else it may not */
        goal_id is_null = goal_and2(s, has(k, "t"), member(k, "t", null));
        parts[n++] = goal_or2(s, goal_not(s, is_null), has(k, "u"));
        parts[n++] = goal_or2(s, is_null, goal_not(s, has(k, "u")));
    } else if (!strcmp(which, "@pattern")) { /* names in a: strings; names are a or b */
        parts[n++] = goal_count_keys(s, key_class_term(s, letters(k, 'a', 'a', 9)),
                                     goal_not(s, is_type(k, TYPE_STRING)), 1, false);
        parts[n++] = names_in(k, letters(k, 'a', 'b', 1));
    }
    return goal_and(s, parts, n);
}

static uint32_t no_order(void *ctx, const goal_id *goals, uint32_t n, const uint32_t **names) {
    (void)ctx;
    (void)goals;
    (void)n;
    *names = NULL;
    return 0;
}

static struct forma_grammar *form_from_goal(const char *which, const struct forma_options *o,
                                            struct forma_error *err) {
    struct json_machine_options mo = {.style = o->style,
                                      .max_memory = o->max_memory,
                                      .max_nesting = o->max_nesting,
                                      .max_work = o->max_work,
                                      .allocator = fa_default_allocator()};
    struct json_form form = {.key_order = no_order};
    struct json_machine *m = json_machine_new(&mo, err);
    if (!m) return NULL;
    goal_id root = make_goal(json_machine_goals(m), which);
    if (json_machine_start(m, root, &form, NULL, NULL, err) == FORMA_OK) {
        struct forma_grammar *g = grammar_new(json_machine_base(m), NULL, fa_default_allocator());
        if (g) return g;
    }
    json_machine_free(m);
    return NULL;
}

struct forma_grammar *form_with(const char *form, const struct forma_options *o,
                                struct forma_error *err) {
    return *form == '@' ? form_from_goal(form, o, err)
                        : forma_grammar_from_json_schema(form, strlen(form), NULL, o, err);
}
