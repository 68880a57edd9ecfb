/* SPDX-License-Identifier: MIT
 *
 * A completion of a text: the piece that is being read is ended by its own region's witness, then
 * the frames from the inside out add what the solver's witness says is missing. The machine is
 * stepped along, byte by byte, so what is written is what the machine accepts.
 *
 * Values that a witness planned are written as planned, not just as any value that the frame
 * would take: a frame may accept a child that brings its own completion no nearer.
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"
#include "base/utf8.h"

struct writer {
    struct json_machine *m;
    struct state s;
    unsigned char *out;
    size_t length, capacity;
    bool stopped; /* full, or the machine died (out of memory) */
};

static void put(struct writer *w, unsigned char byte) {
    if (w->stopped) return;
    w->s = json_step(&w->m->base, w->s, byte);
    if (state_is_dead(w->s) || w->length == w->capacity) {
        w->stopped = true;
        return;
    }
    w->out[w->length++] = byte;
}

static void put_text(struct writer *w, const char *text) {
    for (; *text; text++) put(w, (unsigned char)*text);
}

/* The blanks that the style demands before `follow`. */
static void put_blanks(struct writer *w, unsigned follow) {
    if (!w->stopped && region_kind(w->s.region) == REGION_KEY) w->s = key_settle(w->m, w->s);
    if (!w->stopped) w->s = record_settle(w->m, w->s);
    while (!w->stopped && region_kind(w->s.region) == REGION_BLANK) {
        unsigned char b = blank_witness(&w->m->style, region_place(w->s.region),
                                        context(w->m, w->s.context)->depth,
                                        region_blank_count(w->s.region), follow);
        if (!b) return;
        put(w, b);
    }
}

static void put_token(struct writer *w, unsigned char byte, unsigned follow) {
    put_blanks(w, follow);
    put(w, byte);
}

/* A string of the language, in the style. */
static void put_string(struct writer *w, term_id term) {
    bool limited = false;
    string_state s = string_begin(w->m->strings, &term, 1, &limited);
    put(w, '"');
    while (!w->stopped && s > STRING_CLOSED) {
        unsigned char b = string_witness_byte(w->m->strings, s);
        s = string_step(w->m->strings, s, b, &limited);
        put(w, b);
    }
    if (s != STRING_CLOSED) w->stopped = true;
}

static void put_number(struct writer *w, numset_id set) {
    bool limited = false;
    number_state s = number_begin(w->m->numbers, &set, 1, &limited);
    while (!w->stopped && s != NUMBER_DEAD) {
        int b = number_witness_byte(w->m->numbers, s);
        if (b < 0) { /* over: what stands behind it may be blanks */
            w->s = json_end_number(w->m, w->s);
            return;
        }
        s = number_step(w->m->numbers, s, (unsigned char)b, &limited);
        put(w, (unsigned char)b);
    }
    w->stopped = true;
}

static void put_key(struct writer *w, uint32_t name) {
    size_t length;
    const char *text = goal_name_text(w->m->goals, name, &length);
    put_string(w, regex_literal(w->m->regex, (const unsigned char *)text, length));
    put_token(w, ':', FOLLOW_OPEN);
}

/* ---- planned values -------------------------------------------------------------------------- */

static void put_value(struct writer *w, witness_id id, unsigned depth);

struct planned {
    uint32_t index, name;
    witness_id kid;
};

static int by_index(const void *a, const void *b) {
    const struct planned *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* The witness's members in the order in which object o may read them; on the scratch stack. */
static struct planned *plan(struct json_machine *m, uint32_t o, const struct witness *x) {
    struct planned *list = arena_push_array(&m->goals->scratch, x->count + 1, sizeof *list);
    if (!list) {
        m->arena.failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < x->count; i++)
        list[i] = (struct planned){key_index(m, context(m, o)->order, x->names[i]), x->names[i],
                                   x->kids[i]};
    qsort(list, x->count, sizeof *list, by_index);
    return list;
}

static void put_object(struct writer *w, const struct witness *x, unsigned depth) {
    put(w, '{');
    if (w->stopped) return;
    size_t mark = goal_scratch_mark(w->m->goals);
    struct planned *list = plan(w->m, w->s.context, x);
    for (uint32_t i = 0; list && i < x->count && !w->stopped; i++) {
        if (i) put(w, ',');
        put_blanks(w, FOLLOW_OPEN);
        put_key(w, list[i].name);
        put_value(w, list[i].kid, depth + 1);
    }
    put_token(w, '}', FOLLOW_CLOSE);
    goal_scratch_pop(w->m->goals, mark);
}

/* The items that array witness `array` plans, behind those whose values are `seen`. */
static void put_items(struct writer *w, witness_id array, value_set seen, unsigned depth) {
    struct item_list l = solver_items(w->m->solver, array, seen);
    witness_id item;
    while (!w->stopped && (item = solver_item(w->m->solver, &l)) != WITNESS_NONE) {
        if (l.next > 1) put(w, ',');
        put_value(w, item, depth);
    }
    w->stopped |= l.failed;
}

static void put_array(struct writer *w, witness_id array, unsigned depth) {
    put(w, '[');
    put_items(w, array, VALUE_SET_EMPTY, depth + 1);
    put_token(w, ']', FOLLOW_CLOSE);
}

static void put_value(struct writer *w, witness_id id, unsigned depth) {
    if (w->stopped) return;
    if (depth > SOLVER_MAX_VALUE_DEPTH || id == WITNESS_NONE) {
        w->stopped = true;
        return;
    }
    struct witness x = *solver_witness(w->m->solver, id);
    put_blanks(w, FOLLOW_OPEN);
    switch (x.type) {
    case TYPE_NULL: put_text(w, "null"); break;
    case TYPE_BOOLEAN: put_text(w, x.boolean ? "true" : "false"); break;
    case TYPE_STRING: put_string(w, x.term); break;
    case TYPE_NUMBER: put_number(w, x.set); break;
    case TYPE_ARRAY: put_array(w, id, depth); break;
    case TYPE_OBJECT: put_object(w, &x, depth); break;
    case TYPE_COUNT: break;
    }
}

/* ---- what is open ---------------------------------------------------------------------------- */

/* Behind a comma, or a line feed that only a child can follow, a container cannot close at once. */
static bool can_still_close(const struct writer *w) {
    return blank_reach(&w->m->style, region_place(w->s.region), context(w->m, w->s.context)->depth,
                       region_blank_count(w->s.region)) &
           FOLLOW_CLOSE;
}

/* Some value that VALUE v takes. */
static void put_any_value(struct writer *w, uint32_t v) {
    witness_id id;
    if (solver_goal(w->m->solver, context(w->m, v)->roots[0], &id) != SAT_YES)
        w->stopped = true;
    else
        put_value(w, id, 0);
}

static void finish_object(struct writer *w, enum place p) {
    uint32_t o = w->s.context;
    const struct context *c = context(w->m, o);
    witness_id id;
    if (solver_object(w->m->solver, c->roots[0], c->seen, &id) != SAT_YES) {
        w->stopped = true;
        return;
    }
    struct witness x = *solver_witness(w->m->solver, id);
    if (!x.count && can_still_close(w)) {
        put_token(w, '}', FOLLOW_CLOSE);
        return;
    }
    if (p == PLACE_AFTER_MEMBER) put(w, ',');
    put_blanks(w, FOLLOW_OPEN);
    if (!x.count) { /* a key must come although none is missing: any */
        put(w, '"');
        return;
    }
    size_t mark = goal_scratch_mark(w->m->goals);
    struct planned *list = plan(w->m, o, &x);
    struct planned first = list ? list[0] : (struct planned){0};
    goal_scratch_pop(w->m->goals, mark);
    if (!list) {
        w->stopped = true;
        return;
    }
    put_key(w, first.name);
    put_value(w, first.kid, 0);
}

static void finish_array(struct writer *w, enum place p) {
    uint32_t a = w->s.context;
    const struct context *c = context(w->m, a);
    witness_id id;
    if (solver_array(w->m->solver, c->roots[0], c->seen, &id) != SAT_YES) {
        w->stopped = true;
        return;
    }
    struct witness x = *solver_witness(w->m->solver, id);
    if (!x.count && can_still_close(w)) {
        put_token(w, ']', FOLLOW_CLOSE);
        return;
    }
    if (p == PLACE_AFTER_ITEM) put(w, ',');
    if (x.count && node(w->m->goals, c->roots[0])->unique)
        put_items(w, id, c->seen, 0); /* as planned: values depend on each other */
    else if (x.count)
        put_value(w, x.kids[0], 0);
    else
        put_any_value(w, context_item(w->m, a));
}

static void finish_blank(struct writer *w) {
    enum place p = region_place(w->s.region);
    switch (p) {
    case PLACE_TOP:
    case PLACE_AFTER_COLON:
    case PLACE_ITEM: put_any_value(w, w->s.context); break;
    case PLACE_COLON: put_token(w, ':', FOLLOW_OPEN); break;
    case PLACE_FIRST_KEY:
    case PLACE_NEXT_KEY:
    case PLACE_AFTER_MEMBER: finish_object(w, p); break;
    case PLACE_FIRST_ITEM:
    case PLACE_AFTER_ITEM: finish_array(w, p); break;
    case PLACE_END: break;
    }
}

static void finish_piece(struct writer *w) {
    uint32_t at = json_piece(w->m, w->s.region);
    int b;
    if (region_kind(w->s.region) == REGION_RECORDED_STRING) {
        w->s = record_settle(w->m, w->s);
        if (region_kind(w->s.region) != REGION_RECORDED_STRING) return;
    }
    switch (region_kind(w->s.region)) {
    case REGION_BLANK: finish_blank(w); break;
    case REGION_STRING:
    case REGION_RECORDED_STRING: put(w, string_witness_byte(w->m->strings, at)); break;
    case REGION_NUMBER:
    case REGION_RECORDED_NUMBER:
        b = number_witness_byte(w->m->numbers, at);
        if (b >= 0)
            put(w, (unsigned char)b);
        else
            w->s = json_end_number(w->m, w->s);
        break;
    case REGION_LITERAL: put(w, (unsigned char)json_literal_text[at >> 4][at & 15]); break;
    case REGION_KEY:
        if (key_state_get(w->m, w->s.region).phase == KEY_TEXT)
            put(w, key_witness_byte(w->m, w->s));
        else
            w->s = key_settle(w->m, w->s);
        break;
    }
}

size_t json_completion(struct machine *base, struct state s, unsigned char *out, size_t capacity) {
    struct writer w = {
        .m = (struct json_machine *)(void *)base, .s = s, .out = out, .capacity = capacity};
    size_t mark = goal_scratch_mark(w.m->goals);
    while (!w.stopped && !state_is_dead(w.s) && !json_accepts(base, w.s)) finish_piece(&w);
    goal_scratch_pop(w.m->goals, mark);
    return w.stopped || state_is_dead(w.s) ? SIZE_MAX : w.length;
}
