/* SPDX-License-Identifier: MIT
 *
 * Values that are recorded: items of an array that asks for unique ones, and all that is inside
 * them. Their exact texts matter, as those of keys do, and they are kept in the same way: a state
 * is a place in the string or number and a node in the tree of texts (json_key_text.c).
 *
 * While speculating, a string that was closed is not taken for a value yet: every token with a
 * quote in it closes some string, and few of them are taken. It is when another byte follows.
 *
 * A walk that can go back (machine.h: guessing) need not even know the text. Where every later
 * item could be any of infinitely many strings, arrays and objects (or can be none of them), one
 * more value in the array takes no choice away, whichever it is: the string becomes VALUE_SOME, its
 * text is not kept, and its states return to themselves as those of any other string do. Only
 * *inside* a later item the text would matter.
 */
#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"

static struct state recorded(struct json_machine *m, uint32_t v, enum region_kind kind,
                             struct key_state k) {
    return (struct state){v, key_state_region(m, kind, k)};
}

uint32_t json_piece(const struct json_machine *m, uint32_t region) {
    enum region_kind kind = region_kind(region);
    if (kind == REGION_RECORDED_STRING || kind == REGION_RECORDED_NUMBER)
        return key_state_get(m, region).string;
    return region & REGION_MASK;
}

/* ---- guessing -------------------------------------------------------------------------------- */

bool record_is_guessed(const struct json_machine *m, const struct context *pending) {
    return pending->is_guessed ||
           (pending->kind == CONTEXT_PENDING_ARRAY &&
            name_set_has(solver_name_sets(m->solver), pending->seen, VALUE_SOME));
}

bool record_is_open(const struct json_machine *m, struct state s, unsigned char byte) {
    const struct context *c = context(m, s.context);
    if (c->has_guessed_name && c->kind == CONTEXT_OBJECT && byte != '}' && byte > ' ') return true;
    if (!c->is_guessed) return false;
    return c->kind != CONTEXT_VALUE || region_kind(s.region) == REGION_RECORDED_STRING;
}

bool record_may_guess(struct json_machine *m, uint32_t id_of_place) {
    struct context *c = context(m, id_of_place);
    if (c->may_guess) return c->may_guess == 2;
    bool yes = true;
    for (uint32_t id = c->parent; id && yes;) {
        const struct context *p = context(m, id);
        if (p->kind == CONTEXT_PENDING_ARRAY) yes = solver_has_free_items(m->solver, p->roots[0]);
        id = p->recorded == RECORD_NONE ? 0 : p->parent;
    }
    if (!m->arena.failed) c->may_guess = yes ? 2 : 1;
    return yes;
}

/* ---- strings --------------------------------------------------------------------------------- */

struct state record_string(struct json_machine *m, uint32_t v, string_state s) {
    return recorded(m, v, REGION_RECORDED_STRING, (struct key_state){.string = s});
}

static struct state end_string(struct json_machine *m, uint32_t v, struct key_state k) {
    size_t mark = goal_scratch_mark(m->goals), length;
    char *text = prefix_text(m, k.prefix, &length);
    value_id value = text ? value_string(solver_values(m->solver), text, length) : VALUE_NONE;
    goal_scratch_pop(m->goals, mark);
    return json_end_string(m, v, k.string, value);
}

struct state record_settle(struct json_machine *m, struct state s) {
    if (region_kind(s.region) != REGION_RECORDED_STRING) return s;
    struct key_state k = key_state_get(m, s.region);
    return k.phase == KEY_CLOSED ? end_string(m, s.context, k) : s;
}

struct state record_step_string(struct json_machine *m, struct state s, unsigned char byte) {
    struct key_state k = key_state_get(m, s.region);
    if (k.phase == KEY_CLOSED) {
        s = record_settle(m, s);
        return state_is_dead(s) ? s : json_step_blank(m, s, byte);
    }
    bool limited = false;
    string_state next = string_step(m->strings, k.string, byte, &limited);
    if (limited) m->base.narrowed |= FORMA_LIMIT_WORK;
    if (next == STRING_DEAD) return (struct state){0, 0};
    bool guess = m->base.guessing && record_may_guess(m, s.context);
    if (guess && next == k.string) return s;
    if (next == STRING_CLOSED) {
        if (guess) return json_end_string(m, s.context, k.string, VALUE_SOME);
        if (!m->base.speculating) return end_string(m, s.context, k);
        k.phase = KEY_CLOSED;
        return recorded(m, s.context, REGION_RECORDED_STRING, k);
    }
    unsigned char decoded[4];
    size_t n = guess ? 0 : string_decoded(m->strings, k.string, byte, next, decoded);
    k.string = next;
    for (size_t i = 0; i < n; i++) k.prefix = prefix_extend(m, k.prefix, decoded[i]);
    return recorded(m, s.context, REGION_RECORDED_STRING, k);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Values are compared as exact decimals, whose digits and exponents have limits: what would pass
 * them is given up while it is read, not when it is over. */
#define MAX_NUMBER_BYTES   65536
#define MAX_EXPONENT_BYTES 17

static bool is_digit(unsigned char byte) {
    return byte >= '0' && byte <= '9';
}

static bool is_too_large(const struct json_machine *m, uint32_t before, unsigned char byte) {
    struct prefix_node node = prefix_get(m, before);
    if (node.length >= MAX_NUMBER_BYTES) return true;
    if (!is_digit(byte)) return false;
    for (unsigned digits = 0; node.length; node = prefix_get(m, node.parent)) {
        if (is_digit(node.byte)) {
            if (++digits > MAX_EXPONENT_BYTES) return false; /* of an integer, or a fraction */
        } else {
            bool sign = node.byte == '+' || (node.byte == '-' && node.length > 1);
            return digits == MAX_EXPONENT_BYTES && (sign || node.byte == 'e' || node.byte == 'E');
        }
    }
    return false;
}

struct state record_number(struct json_machine *m, uint32_t v, uint32_t before, unsigned char byte,
                           number_state s) {
    if (is_too_large(m, before, byte)) {
        m->base.narrowed |= FORMA_LIMIT_FIXED;
        return (struct state){0, 0};
    }
    struct key_state k = {.string = s, .prefix = prefix_extend(m, before, byte)};
    return recorded(m, v, REGION_RECORDED_NUMBER, k);
}

struct state record_step_number(struct json_machine *m, struct state s, unsigned char byte,
                                number_state next) {
    return record_number(m, s.context, key_state_get(m, s.region).prefix, byte, next);
}

value_id record_number_value(struct json_machine *m, uint32_t region) {
    size_t mark = goal_scratch_mark(m->goals), length;
    char *text = prefix_text(m, key_state_get(m, region).prefix, &length);
    struct decimal d;
    value_id value = VALUE_NONE;
    if (text && decimal_parse(&m->goals->scratch, text, length, &d) == DECIMAL_OK)
        value = value_number(solver_values(m->solver), &d);
    else
        m->base.narrowed |= FORMA_LIMIT_FIXED; /* more digits than a number may have here */
    goal_scratch_pop(m->goals, mark);
    return value;
}

/* ---- containers ------------------------------------------------------------------------------ */

uint32_t record_child(struct json_machine *m, const struct context *pending, value_id value) {
    if (pending->recorded == RECORD_NONE) return RECORD_NONE;
    if (pending->recorded == RECORD_SOME || value == VALUE_SOME) return RECORD_SOME;
    struct value_store *values = solver_values(m->solver);
    uint32_t so_far = pending->recorded - RECORD_EMPTY;
    so_far = pending->kind == CONTEXT_PENDING_OBJECT
                 ? value_members_add(values, so_far, pending->member, value)
                 : value_list_add(values, so_far, value);
    return so_far + RECORD_EMPTY;
}

value_id record_value(struct json_machine *m, const struct context *c) {
    if (c->recorded == RECORD_NONE) return VALUE_NONE;
    if (c->recorded == RECORD_SOME) return VALUE_SOME;
    struct value_store *values = solver_values(m->solver);
    uint32_t children = c->recorded - RECORD_EMPTY;
    return c->kind == CONTEXT_OBJECT ? value_object(values, children)
                                     : value_array(values, children);
}
