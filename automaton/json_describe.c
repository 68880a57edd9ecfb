/* SPDX-License-Identifier: MIT
 *
 * What is expected at a state, in words, with the pointer of the schema behind it. Cheap and for
 * people: a list of what may come next, cut where it gets long.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"

struct text {
    char *out;
    size_t length, capacity;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...) {
    if (t->length + 1 >= t->capacity) return;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->out + t->length, t->capacity - t->length, format, args);
    va_end(args);
    if (n > 0) t->length += (size_t)n;
    if (t->length >= t->capacity) t->length = t->capacity - 1;
}

/* The first reference in a goal: the schema that a person would look up. */
static uint32_t first_ref(const struct goal_store *s, goal_id g, unsigned depth) {
    const struct goal_node *n = node(s, g);
    if (n->kind == GOAL_KIND_REF) return n->a;
    for (uint32_t i = 0; i < n->n_kids && depth; i++) {
        uint32_t found = first_ref(s, n->kids[i], depth - 1);
        if (found != UINT32_MAX) return found;
    }
    return UINT32_MAX;
}

static void add_pointer(struct json_machine *m, struct text *t, goal_id g) {
    uint32_t ref = first_ref(m->goals, g, 4);
    if (ref == UINT32_MAX || !m->form.pointer) return;
    const char *pointer = m->form.pointer(m->form.ctx, ref);
    add(t, " (schema %s%s)", *pointer ? "at " : "", *pointer ? pointer : "root");
}

static void add_value(struct json_machine *m, struct text *t, uint32_t v) {
    static const struct {
        unsigned char byte;
        const char *name;
    } starts[] = {{'{', "an object"}, {'[', "an array"}, {'"', "a string"}, {'n', "null"},
                  {'t', "true"},      {'f', "false"},    {0, "a number"}};
    struct state s = {v, region_blank(PLACE_AFTER_COLON, 0)};
    if (m->style.blanks == FORMA_BLANKS_PRETTY) s.region = region_blank(PLACE_TOP, 0);
    const char *separator = "";
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        bool fits = starts[i].byte
                        ? !state_is_dead(json_step(&m->base, s, starts[i].byte))
                        : context_number(m, v) != NUMBER_DEAD && m->types & TYPE_BIT(TYPE_NUMBER);
        if (!fits) continue;
        add(t, "%s%s", separator, starts[i].name);
        separator = " or ";
    }
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
        add(t, "%s%s", separator, names[i]);
        separator = " or ";
    }
    if (!*separator) add(t, "white space as the style demands");
}

static void add_blank(struct json_machine *m, struct text *t, struct state s) {
    static const char *const object[] = {"a member's name", "','", "'}'"};
    static const char *const array[] = {"','", "']'"};
    enum place p = region_place(s.region);
    switch (p) {
    case PLACE_TOP:
    case PLACE_AFTER_COLON:
    case PLACE_ITEM: add_value(m, t, s.context); break;
    case PLACE_COLON: add(t, "':'"); break;
    case PLACE_FIRST_KEY:
    case PLACE_NEXT_KEY:
    case PLACE_AFTER_MEMBER: add_structure(m, t, s, "\",}", object); break;
    case PLACE_FIRST_ITEM:
        if (context_item(m, s.context)) add_value(m, t, context_item(m, s.context));
        if (may_come(m, s, ']')) add(t, "%s']'", t->length ? " or " : "");
        break;
    case PLACE_AFTER_ITEM: add_structure(m, t, s, ",]", array); break;
    case PLACE_END: add(t, "the end of the text"); break;
    }
}

/* The names (or values) that a finite language still allows, as a hint. */
struct hints {
    struct text *t;
    unsigned n;
};

static bool add_hint(void *ctx, const unsigned char *bytes, size_t length) {
    struct hints *h = ctx;
    if (length == 0) return true; /* said already: "or its end" */
    add(h->t, "%s\"%.*s\"", h->n ? ", " : " as in ", (int)(length > 40 ? 40 : length),
        (const char *)bytes);
    return ++h->n < 5;
}

static void add_string(struct json_machine *m, struct text *t, string_state s, const char *what) {
    uint64_t k, work = 0;
    partial_id partial;
    term_id residual = string_residual(m->strings, s, &k, &partial);
    add(t, "%s%s", what, string_verdict(m->strings, s, 0) ? " or its end" : "");
    if (k == 0 && partial == PARTIAL_BOUNDARY &&
        regex_is_infinite(m->regex, residual, &work, 10000) == REGEX_NO) {
        struct hints h = {t, 0};
        regex_enumerate(m->regex, residual, 5, add_hint, &h);
    }
}

void json_describe(struct machine *base, struct state s, char *out, size_t capacity) {
    struct json_machine *m = (struct json_machine *)(void *)base;
    struct text t = {out, 0, capacity};
    if (!capacity) return;
    out[0] = 0;
    if (!state_is_dead(s) && region_kind(s.region) == REGION_KEY) s = key_settle(m, s);
    if (state_is_dead(s)) return;
    uint32_t at = s.region & REGION_MASK;
    switch (region_kind(s.region)) {
    case REGION_BLANK: add_blank(m, &t, s); break;
    case REGION_STRING:
        add_string(m, &t, at, "more of a string");
        add_pointer(m, &t, context(m, s.context)->roots[0]);
        break;
    case REGION_NUMBER:
        add(&t, "more of a number%s", number_may_end(m->numbers, at) ? " or what follows it" : "");
        add_pointer(m, &t, context(m, s.context)->roots[0]);
        break;
    case REGION_LITERAL: add(&t, "the rest of '%s'", json_literal_text[at >> 4]); break;
    case REGION_KEY:
        add_string(m, &t, key_state_get(m, s.region).string, "more of a member's name");
        break;
    }
}
