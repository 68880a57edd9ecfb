/* SPDX-License-Identifier: MIT
 *
 * What is expected at a state, in words, with the pointer of the schema behind it. Cheap and for
 * people: a list of what may come next, cut where it gets long.
 */
#include <stdio.h>
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"
#include "automaton/regex_list.h"
#include "base/text.h"

static uint32_t first_ref(const struct goal_store *s, goal_id g, unsigned depth) {
    const struct goal_node *n = node(s, g);
    if (n->kind == GOAL_KIND_REF) return n->a;
    for (uint32_t i = 0; i < n->n_kids && depth; i++) {
        uint32_t found = first_ref(s, n->kids[i], depth - 1);
        if (found != UINT32_MAX) return found;
    }
    return UINT32_MAX;
}

const char *json_goal_pointer(struct json_machine *m, goal_id g) {
    uint32_t ref = first_ref(m->goals, g, 4);
    return ref == UINT32_MAX || !m->form.pointer ? NULL : m->form.pointer(m->form.ctx, ref);
}

static void add_pointer(struct json_machine *m, struct text *t, goal_id g) {
    const char *pointer = json_goal_pointer(m, g);
    if (!pointer) return;
    text_add(t, " (schema %s%s)", *pointer ? "at " : "", *pointer ? pointer : "root");
}

/* "a number", and which. */
void json_describe_number(struct json_machine *m, struct text *t, uint32_t v) {
    goal_id f = goal_specialise(m->goals, context(m, v)->roots[0], TYPE_NUMBER);
    numset_id set = goal_to_numset(m->goals, f);
    char which[120] = "";
    FILE *out = set == NUMSET_ALL ? NULL : fmemopen(which, sizeof which, "w");
    if (out) {
        numset_print(m->numbers, set, out);
        fclose(out);
    }
    which[sizeof which - 1] = 0;
    if (strlen(which) + 2 >= sizeof which) which[0] = 0; /* cut: too long to help */
    static const char integer[] = "multiple of 1", bounded[] = "(multiple of 1 and ";
    if (!strcmp(which, integer))
        text_add(t, "an integer");
    else if (!strncmp(which, bounded, strlen(bounded)))
        text_add(t, "an integer (%s", which + strlen(bounded));
    else
        text_add(t, which[0] ? "a number %s" : "a number%s", which);
}

/* Must VALUE v differ from the items of its array so far? */
static bool is_unique_item(const struct json_machine *m, uint32_t v) {
    const struct context *pending = context(m, context(m, v)->parent);
    if (pending->kind != CONTEXT_PENDING_ARRAY || pending->seen == VALUE_SET_EMPTY) return false;
    size_t n;
    const goal_id *literals = formula_literals(m->goals, &pending->roots[0], &n);
    for (size_t i = 0; i < n; i++)
        if (node(m->goals, literals[i])->kind == GOAL_KIND_PREDICATE &&
            node(m->goals, literals[i])->unique == 1)
            return true;
    return false;
}

void json_describe_value(struct json_machine *m, struct text *t, uint32_t v) {
    static const struct {
        unsigned char byte;
        const char *name;
    } starts[] = {{'{', "an object"}, {'[', "an array"}, {'"', "a string"}, {'n', "null"},
                  {'t', "true"},      {'f', "false"},    {0, "a number"}};
    enum { N_STARTS = sizeof starts / sizeof *starts };
    struct state s = {v, region_blank(PLACE_AFTER_COLON, 0)};
    if (m->style.blanks == FORMA_BLANKS_PRETTY) s.region = region_blank(PLACE_TOP, 0);
    bool fits[N_STARTS];
    unsigned n = 0;
    for (size_t i = 0; i < N_STARTS; i++) {
        fits[i] = starts[i].byte
                      ? !state_is_dead(json_step(&m->base, s, starts[i].byte))
                      : context_number(m, v) != NUMBER_DEAD && m->types & TYPE_BIT(TYPE_NUMBER);
        n += fits[i];
    }
    if (n == N_STARTS) text_add(t, "any value");
    const char *separator = "";
    for (size_t i = 0; i < N_STARTS && n < N_STARTS; i++) {
        if (!fits[i]) continue;
        text_add(t, "%s", separator);
        if (starts[i].byte)
            text_add(t, "%s", starts[i].name);
        else
            json_describe_number(m, t, v);
        separator = " or ";
    }
    if (n && is_unique_item(m, v)) text_add(t, " that differs from the items before it");
}

static void add_value(struct json_machine *m, struct text *t, uint32_t v) {
    json_describe_value(m, t, v);
    add_pointer(m, t, context(m, v)->roots[0]);
}

static bool may_come(struct json_machine *m, struct state s, unsigned char byte) {
    return !state_is_dead(json_step(&m->base, s, byte));
}

static void add_structure(struct json_machine *m, struct text *t, struct state s, const char *bytes,
                          const char *const *names) {
    const char *separator = "";
    for (size_t i = 0; bytes[i]; i++) {
        if (!may_come(m, s, (unsigned char)bytes[i])) continue;
        text_add(t, "%s%s", separator, names[i]);
        separator = " or ";
    }
    if (!*separator) text_add(t, "white space as the style demands");
}

/* The members that must still come. */
static void add_missing(struct json_machine *m, struct text *t, uint32_t o) {
    const struct context *c = context(m, o);
    witness_id id;
    if (context_can_close(m, o) || solver_object(m->solver, c->roots[0], c->seen, &id) != SAT_YES)
        return;
    struct witness w = *solver_witness(m->solver, id);
    for (uint32_t i = 0; i < w.count && i < 3; i++) {
        size_t length;
        const char *name = goal_name_text(m->goals, w.names[i], &length);
        text_add(t, "%s\"%.*s\"", i ? ", " : " (still missing: ", (int)(length > 40 ? 40 : length),
                 name);
    }
    if (w.count) text_add(t, w.count > 3 ? ", ...)" : ")");
}

static bool is_name(void *ctx, uint32_t name) {
    return *(const uint32_t *)ctx == name;
}

bool json_missing(struct json_machine *m, uint32_t o, uint32_t *names, size_t capacity, size_t *n) {
    const struct context *c = context(m, o);
    witness_id id;
    *n = 0;
    if (context_can_close(m, o) || solver_object(m->solver, c->roots[0], c->seen, &id) != SAT_YES)
        return false;
    struct witness w = *solver_witness(m->solver, id);
    for (uint32_t i = 0; i < w.count && *n <= capacity; i++) {
        uint32_t name = w.names[i];
        goal_id f = formula_close_names(m->goals, c->roots[0], is_name, &name);
        if (f == c->roots[0] || solver_object(m->solver, f, c->seen, NULL) != SAT_NO) continue;
        if (*n < capacity) names[*n] = name;
        ++*n;
    }
    return *n > 0;
}

static void add_blank(struct json_machine *m, struct text *t, struct state s) {
    static const char *const object[] = {"a member's name", "','", "'}'"};
    static const char *const array[] = {"','", "']'"};
    enum place p = region_place(s.region);
    switch (p) {
    case PLACE_TOP:
    case PLACE_AFTER_COLON:
    case PLACE_ITEM: add_value(m, t, s.context); break;
    case PLACE_COLON: text_add(t, "':'"); break;
    case PLACE_FIRST_KEY:
    case PLACE_NEXT_KEY:
    case PLACE_AFTER_MEMBER:
        add_structure(m, t, s, "\",}", object);
        add_missing(m, t, s.context);
        add_pointer(m, t, context(m, s.context)->shown);
        break;
    case PLACE_FIRST_ITEM:
        if (context_item(m, s.context)) add_value(m, t, context_item(m, s.context));
        if (may_come(m, s, ']')) text_add(t, "%s']'", t->length ? " or " : "");
        break;
    case PLACE_AFTER_ITEM:
        add_structure(m, t, s, ",]", array);
        add_pointer(m, t, context(m, s.context)->shown);
        break;
    case PLACE_END: text_add(t, "the end of the text"); break;
    }
}

/* Does any byte but the closing quote keep the string alive? */
static bool string_goes_on(struct json_machine *m, string_state s) {
    bool limited = false;
    for (unsigned b = 0; b < 256; b++)
        if (b != '"' && string_step(m->strings, s, (unsigned char)b, &limited) != STRING_DEAD)
            return true;
    return false;
}

static void add_string(struct json_machine *m, struct text *t, string_state s, const char *what) {
    uint64_t k;
    partial_id partial;
    char before[64];
    term_id residual = string_residual(m->strings, s, &k, &partial);
    if (!string_goes_on(m, s)) {
        text_add(t, "the end of %s", what);
        return;
    }
    snprintf(before, sizeof before, "the rest of %s", what);
    if (k == 0 && partial == PARTIAL_BOUNDARY && regex_list(m->regex, residual, before, t)) return;
    text_add(t, "more of %s%s", what, string_verdict(m->strings, s, 0) ? ", or its end" : "");
}

static bool number_goes_on(struct json_machine *m, number_state s) {
    bool limited = false;
    for (const char *p = "0123456789.eE+-"; *p; p++)
        if (number_step(m->numbers, s, (unsigned char)*p, &limited) != NUMBER_DEAD) return true;
    return false;
}

/* Inside a number: what may follow it counts too. */
static void add_rest_of_number(struct json_machine *m, struct text *t, struct state s) {
    number_state at = json_piece(m, s.region);
    bool goes_on = number_goes_on(m, at), ends = number_may_end(m->numbers, at);
    if (goes_on) {
        text_add(t, "more of the number");
        add_pointer(m, t, context(m, s.context)->roots[0]);
    }
    struct state after = ends ? json_end_number(m, s) : (struct state){0, 0};
    if (state_is_dead(after)) return;
    if (goes_on) text_add(t, ", or ");
    add_blank(m, t, after);
}

void json_describe(struct machine *base, struct state s, char *out, size_t capacity) {
    struct json_machine *m = (struct json_machine *)(void *)base;
    struct text t;
    if (!capacity) return;
    text_init(&t, out, capacity);
    if (!state_is_dead(s) && region_kind(s.region) == REGION_KEY) s = key_settle(m, s);
    if (!state_is_dead(s)) s = record_settle(m, s);
    if (state_is_dead(s)) return;
    uint32_t at = json_piece(m, s.region);
    switch (region_kind(s.region)) {
    case REGION_BLANK: add_blank(m, &t, s); break;
    case REGION_STRING:
    case REGION_RECORDED_STRING:
        add_string(m, &t, at, "the string");
        add_pointer(m, &t, context(m, s.context)->roots[0]);
        break;
    case REGION_NUMBER:
    case REGION_RECORDED_NUMBER: add_rest_of_number(m, &t, s); break;
    case REGION_LITERAL: text_add(&t, "the rest of '%s'", json_literal_text[at >> 4]); break;
    case REGION_KEY:
        add_string(m, &t, key_state_get(m, s.region).string, "a member's name");
        add_pointer(m, &t, context(m, s.context)->shown);
        break;
    }
}
