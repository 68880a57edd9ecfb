/* SPDX-License-Identifier: MIT
 *
 * Drawings of a state of the JSON machine: the byte automaton of its region, and the goals of what
 * is open.
 */
#include <string.h>

#include "automaton/dot.h"
#include "automaton/goal_dot.h"
#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"

/* ---- regions ------------------------------------------------------------------------------- */

static uint32_t step_string(void *ctx, uint32_t state, unsigned char byte) {
    struct json_machine *m = ctx;
    bool limited = false;
    string_state next = string_step(m->strings, state, byte, &limited);
    return next == STRING_DEAD ? DOT_DEAD : next == STRING_CLOSED ? DOT_OUT : next;
}

static uint32_t step_number(void *ctx, uint32_t state, unsigned char byte) {
    struct json_machine *m = ctx;
    bool limited = false;
    if (!strchr("0123456789+-.eE", byte) || !byte) return DOT_DEAD;
    number_state next = number_step(m->numbers, state, byte, &limited);
    return next == NUMBER_DEAD ? DOT_DEAD : next;
}

static bool number_accepts(void *ctx, uint32_t state) {
    return number_may_end(((struct json_machine *)ctx)->numbers, state);
}

static bool never_accepts(void *ctx, uint32_t state) {
    (void)ctx;
    (void)state;
    return false;
}

/* Literals by their region; the last letter leads out. */
static uint32_t step_literal(void *ctx, uint32_t state, unsigned char byte) {
    (void)ctx;
    const char *rest = json_literal_text[state >> 4] + (state & 15);
    if ((unsigned char)*rest != byte) return DOT_DEAD;
    return rest[1] ? state + 1 : DOT_OUT;
}

/* White space, inside one context. */
struct blanks {
    struct json_machine *m;
    uint32_t context;
};

static uint32_t step_blanks(void *ctx, uint32_t state, unsigned char byte) {
    const struct blanks *b = ctx;
    struct state next = json_step(&b->m->base, (struct state){b->context, state}, byte);
    if (state_is_dead(next)) return DOT_DEAD;
    bool inside = next.context == b->context && region_kind(next.region) == REGION_BLANK &&
                  region_place(next.region) == region_place(state);
    return inside ? next.region : DOT_OUT;
}

static bool blanks_accept(void *ctx, uint32_t state) {
    const struct blanks *b = ctx;
    return json_accepts(&b->m->base, (struct state){b->context, state});
}

static void draw_region(struct json_machine *m, struct state s, size_t max_states, FILE *out) {
    struct blanks blanks = {m, s.context};
    struct dot_automaton a = {m, step_string, never_accepts, "a string", "the closing quote"};
    uint32_t from = json_piece(m, s.region);
    switch (region_kind(s.region)) {
    case REGION_STRING:
    case REGION_RECORDED_STRING: break;
    case REGION_KEY:
        a.title = "a member's name";
        from = key_place(m, s);
        break;
    case REGION_NUMBER:
    case REGION_RECORDED_NUMBER:
        a = (struct dot_automaton){m, step_number, number_accepts, "a number", ""};
        break;
    case REGION_LITERAL:
        a = (struct dot_automaton){m, step_literal, never_accepts, "a literal", "its end"};
        from = s.region & REGION_MASK;
        break;
    case REGION_BLANK:
        a = (struct dot_automaton){&blanks, step_blanks, blanks_accept, "white space",
                                   "what follows it"};
        from = s.region;
        break;
    }
    dot_draw_automaton(&a, from, max_states, &m->goals->scratch, out);
}

/* ---- goals --------------------------------------------------------------------------------- */

static const char *pointer_of(void *ctx, uint32_t schema_node) {
    const struct json_machine *m = ctx;
    return m->form.pointer ? m->form.pointer(m->form.ctx, schema_node) : "";
}

static void draw_goal(struct json_machine *m, struct state s, FILE *out) {
    const struct context *c = context(m, s.context);
    struct goal_drawing d = {.goals = m->goals, .pointer = pointer_of, .ctx = m, .out = out};
    if (!goal_dot_begin(&d)) return;
    for (uint32_t i = 0; i < c->n_roots; i++) {
        char what[40];
        snprintf(what, sizeof what, i ? "tracked %u" : "demand", i);
        goal_dot_root(&d, what, c->roots[i], c->kind == CONTEXT_VALUE);
    }
    goal_dot_end(&d, c->kind == CONTEXT_OBJECT  ? "what the open object must still meet"
                     : c->kind == CONTEXT_ARRAY ? "what the open array must still meet"
                     : c->kind == CONTEXT_VALUE ? "what the value must meet"
                                                : "nothing is open");
}

void json_draw(struct machine *base, struct state s, enum forma_drawing what, size_t max_states,
               FILE *out) {
    struct json_machine *m = (struct json_machine *)(void *)base;
    size_t mark = goal_scratch_mark(m->goals);
    if (!state_is_dead(s) && region_kind(s.region) == REGION_KEY) s = key_settle(m, s);
    if (!state_is_dead(s)) s = record_settle(m, s);
    if (state_is_dead(s)) return;
    if (what == FORMA_DRAW_REGION)
        draw_region(m, s, max_states, out);
    else
        draw_goal(m, s, out);
    m->goals->scratch.failed = false; /* a drawing that is too large is cut, no more */
    goal_scratch_pop(m->goals, mark);
}
