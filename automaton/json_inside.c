/* SPDX-License-Identifier: MIT
 *
 * Strings and keys as masks see them (machine_strings in machine.h): their insides, without what
 * encloses them, and what follows their closing quote.
 *
 * A value is read by its string automaton. A key is read by two: its language says what can be read
 * inside; the automaton of undeclared names (json_names.c) which class the name is in once it is
 * closed. Special names are exceptions.
 */
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"
#include "automaton/regex_machine.h"

static struct json_machine *machine_of(struct machine *base) {
    return (struct json_machine *)(void *)base;
}

static bool look(struct machine *base, uint32_t place, struct string_view *view) {
    const struct json_machine *m = machine_of(base);
    struct string_facts f = string_facts(m->strings, place);
    view->settled = f.settled;
    view->closes = f.closes;
    view->dense = f.dense;
    view->room = f.room;
    view->listed = f.listed;
    view->gapless = f.between && string_is_gapless(m->strings, place);
    return f.between;
}

/* Fills in what is behind view->inside. */
static void loosen(struct json_machine *m, struct string_view *view) {
    view->loose = view->inside;
    view->owed = 0;
    if (view->dense) return;
    view->loose = string_loosen(m->strings, view->inside, &view->room, &view->owed);
}

static uint64_t need(struct machine *base, uint32_t place, uint64_t least) {
    struct json_machine *m = machine_of(base);
    bool limited = false;
    uint64_t n =
        string_need(m->strings, place, least, &m->mask_work, MASK_WORK * m->max_work, &limited);
    if (limited) base->narrowed |= FORMA_LIMIT_WORK;
    return n;
}

static bool pure(struct machine *base, uint32_t place, struct regex_pure *p) {
    return string_pure(machine_of(base)->strings, place, p);
}

static bool pure_step(struct machine *base, const struct regex_pure *p, unsigned char byte,
                      struct regex_pure *next) {
    return regex_pure_step(machine_of(base)->regex, p, byte, next);
}

static uint32_t step_inside(struct machine *base, uint32_t place, unsigned char byte) {
    struct json_machine *m = machine_of(base);
    bool limited = json_mask_is_full(m);
    string_state next = limited ? STRING_DEAD : string_step(m->strings, place, byte, &limited);
    if (limited) base->narrowed |= FORMA_LIMIT_WORK;
    return next == STRING_CLOSED ? STRING_DEAD : next;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* First state of the automaton of undeclared names of OBJECT o; STRING_DEAD: none may come. False
 * where there is none. */
static bool undeclared_start(struct json_machine *m, uint32_t o, string_state *start) {
    struct context *c = context(m, o);
    struct object_names *x = names_of(m, o);
    if (!x || c->keys == NOT_KNOWN) return false; /* a narrowed one is not kept */
    if (c->undeclared == NOT_KNOWN) {
        uint64_t k;
        partial_id partial;
        bool limited = false;
        term_id terms[1 + MAX_KEY_CLASSES];
        term_id language = string_residual(m->strings, c->keys, &k, &partial);
        terms[0] = c->names_are_declared ? TERM_NONE : names_undeclared(m, language);
        memcpy(terms + 1, x->classes, x->n_varying * sizeof *terms);
        string_state s = terms[0] == TERM_NONE
                             ? STRING_DEAD
                             : string_begin(m->strings, terms, 1 + x->n_varying, &limited);
        if (limited || m->arena.failed) return false;
        c->undeclared = s;
    }
    *start = c->undeclared;
    return true;
}

/* The place behind a text; false: a search was cut short. */
static bool read_text(struct json_machine *m, const char *text, size_t length, string_state *s) {
    bool limited = false;
    for (size_t i = 0; i < length && *s != STRING_DEAD; i++) {
        unsigned char bytes[6];
        size_t n = string_spell((unsigned char)text[i], bytes);
        for (size_t k = 0; k < n && *s != STRING_DEAD; k++)
            *s = string_step(m->strings, *s, bytes[k], &limited);
    }
    return !limited;
}

static bool view_key(struct json_machine *m, struct state s, struct string_view *view) {
    const struct context *c = context(m, s.context);
    struct key_state k = key_state_get(m, s.region);
    if (k.phase != KEY_TEXT || c->is_guessed) return false;
    if (c->recorded != RECORD_NONE && !record_may_guess(m, s.context)) return false;
    struct string_facts f = string_facts(m->strings, k.string);
    if (!f.between) return false;
    /* Names that were read are missing from a language that holds few: dense ones never do. */
    bool dense = f.dense && f.room == UINT64_MAX;
    view->has_exceptions = !dense && c->seen != NAME_SET_EMPTY && !c->names_are_declared;
    if (!undeclared_start(m, s.context, &view->place)) return false;
    size_t mark = goal_scratch_mark(m->goals), length;
    char *text = prefix_text(m, k.prefix, &length);
    bool read = text && read_text(m, text, length, &view->place);
    goal_scratch_pop(m->goals, mark);
    if (!read) return false;
    view->inside = k.string;
    view->settled = view->place != STRING_DEAD && string_facts(m->strings, view->place).settled;
    view->closes = view->settled;
    view->dense = f.dense;
    view->room = f.room;
    view->listed = f.listed;
    loosen(m, view);
    return true;
}

/* The decoded text behind s and `bytes`, which lead through undecoded text from it. */
static char *decoded_text(struct json_machine *m, struct key_state k, const unsigned char *bytes,
                          size_t n, size_t *length) {
    bool limited = false;
    char *text = prefix_text(m, k.prefix, length);
    char *longer = text ? arena_push(&m->goals->scratch, *length + 4 * n + 1) : NULL;
    if (!longer) return NULL;
    memcpy(longer, text, *length);
    for (size_t i = 0; i < n; i++) {
        string_state next = string_step(m->strings, k.string, bytes[i], &limited);
        *length +=
            string_decoded(m->strings, k.string, bytes[i], next, (unsigned char *)longer + *length);
        k.string = next;
    }
    return longer;
}

static uint32_t class_of(struct json_machine *m, const struct object_names *x, string_state place) {
    uint32_t verdicts = 0;
    for (uint32_t i = 0; i < x->n_varying; i++)
        if (string_verdict(m->strings, place, i + 1)) verdicts |= UINT32_C(1) << i;
    return verdicts;
}

/* A name that is not special: `text`, or where its end does not matter, `text` and more. 0: none. */
static uint32_t plain_name(struct json_machine *m, uint32_t o, const char *text, size_t length,
                           bool settled) {
    size_t mark = goal_scratch_mark(m->goals), room = settled ? 64 : 0;
    char *longer = arena_push(&m->goals->scratch, length + room + 1);
    uint32_t name = 0;
    if (longer) {
        memcpy(longer, text, length);
        memset(longer + length, 'a', room);
        for (size_t i = 0; i <= room && !name; i++) {
            uint32_t found = goal_name(m->goals, longer, length + i);
            if (!names_is_special(m, o, found)) name = found;
        }
    }
    goal_scratch_pop(m->goals, mark);
    return name;
}

static struct state close_key(struct json_machine *m, struct state s, uint32_t place,
                              const unsigned char *bytes, size_t n, bool *shared) {
    bool limited = false;
    if (string_step(m->strings, place, '"', &limited) != STRING_CLOSED) return (struct state){0, 0};
    bool settled = string_facts(m->strings, place).settled;
    uint32_t verdicts = class_of(m, names_of(m, s.context), place), value = 0;
    *shared = settled;
    if (!key_class_child_find(m, s.context, verdicts, &value)) {
        size_t mark = goal_scratch_mark(m->goals), length;
        struct key_state k = key_state_get(m, s.region);
        char *text = decoded_text(m, k, bytes, n, &length);
        uint32_t name = text ? plain_name(m, s.context, text, length, settled) : 0;
        goal_scratch_pop(m->goals, mark);
        if (!name) return (struct state){0, 0}; /* special: an exception */
        value = key_child_of_class(m, s.context, verdicts, name);
    }
    return (struct state){value, value ? region_blank(PLACE_COLON, 0) : 0};
}

struct exceptions {
    struct json_machine *m;
    const char *prefix;
    size_t length;
    void (*visit)(void *ctx, const unsigned char *bytes, size_t n);
    void *ctx;
};

static bool visit_name(void *ctx, uint32_t name) {
    struct exceptions *x = ctx;
    size_t length;
    const char *text = goal_name_text(x->m->goals, name, &length);
    if (length >= x->length && memcmp(text, x->prefix, x->length) == 0)
        x->visit(x->ctx, (const unsigned char *)text + x->length, length - x->length);
    return true;
}

/* ---- both ------------------------------------------------------------------------------------ */

static bool is_outside(struct machine *base, struct state s) {
    (void)base;
    enum region_kind k = region_kind(s.region);
    return k == REGION_BLANK || k == REGION_NUMBER || k == REGION_RECORDED_NUMBER ||
           k == REGION_LITERAL;
}

static unsigned digits(struct machine *base, struct state s) {
    struct json_machine *m = machine_of(base);
    if (region_kind(s.region) != REGION_NUMBER) return 0;
    return number_free_digits(m->numbers, json_piece(m, s.region));
}

static bool view(struct machine *base, struct state s, struct string_view *out) {
    struct json_machine *m = machine_of(base);
    out->any_escape = string_knows_any_escape(m->strings);
    out->has_exceptions = false;
    if (region_kind(s.region) == REGION_KEY) return view_key(m, s, out);
    if (region_kind(s.region) == REGION_RECORDED_STRING) {
        struct key_state k = key_state_get(m, s.region);
        if (k.phase != KEY_TEXT || context(m, s.context)->is_guessed) return false;
        if (!record_may_guess(m, s.context)) return false;
    } else if (region_kind(s.region) != REGION_STRING) {
        return false;
    }
    out->place = json_piece(m, s.region);
    out->inside = string_inside(m->strings, out->place);
    if (!look(base, out->place, out)) return false;
    loosen(m, out);
    return true;
}

static struct state close_string(struct machine *base, struct state s, uint32_t place,
                                 const unsigned char *bytes, size_t n, bool *shared) {
    struct json_machine *m = machine_of(base);
    bool limited = false;
    if (region_kind(s.region) == REGION_KEY) return close_key(m, s, place, bytes, n, shared);
    *shared = true;
    if (string_step(m->strings, place, '"', &limited) != STRING_CLOSED) return (struct state){0, 0};
    bool recorded = region_kind(s.region) == REGION_RECORDED_STRING;
    return json_end_string(m, s.context, place, recorded ? VALUE_SOME : VALUE_NONE);
}

static void exceptions(struct machine *base, struct state s,
                       void (*visit)(void *ctx, const unsigned char *bytes, size_t n), void *ctx) {
    struct json_machine *m = machine_of(base);
    if (region_kind(s.region) != REGION_KEY) return;
    size_t mark = goal_scratch_mark(m->goals);
    struct exceptions x = {.m = m, .visit = visit, .ctx = ctx};
    x.prefix = prefix_text(m, key_state_get(m, s.region).prefix, &x.length);
    if (x.prefix) {
        const struct object_names *names = names_of(m, s.context);
        for (uint32_t i = 0; i < names->n_special; i++) visit_name(&x, names->special[i]);
        name_set_visit(solver_name_sets(m->solver), context(m, s.context)->seen, visit_name, &x);
    }
    goal_scratch_pop(m->goals, mark);
}

const struct machine_strings json_strings = {.outside = is_outside,
                                             .digits = digits,
                                             .view = view,
                                             .step = step_inside,
                                             .pure = pure,
                                             .pure_step = pure_step,
                                             .look = look,
                                             .need = need,
                                             .close = close_string,
                                             .exceptions = exceptions};
