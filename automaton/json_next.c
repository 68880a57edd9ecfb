/* SPDX-License-Identifier: MIT
 *
 * What may come next in a JSON text, thing by thing, and what may not: values by type, members by
 * name, items, ends, the bytes of numbers. Strings are in json_next_string.c. All is asked of the
 * machine by stepping; nothing here knows a rule.
 */
#include "automaton/json_next.h"

#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/regex_list.h"

/* Names are listed one by one up to here; the others are counted. */
enum { NAMES_SHOWN = 100, BLOCKED_SHOWN = 40, NAME_SHOWN = 80 };

static void add_blanks(struct lister *l) {
    struct next_item item = next_begin(l, NEXT_BLANK);
    next_add_each(&item, " \t\r\n");
    text_add(&l->what, "white space");
    next_possible(l, &item);
}

/* ---- what the style demands first ---------------------------------------------------------- */

/* The blanks that must come before a token, and the state behind them. A level takes at most
 * MAX_INDENT of them. */
enum { MAX_INDENT = 16, MAX_LEVELS = 1001 };
struct ahead {
    char bytes[MAX_INDENT * MAX_LEVELS + 4];
    size_t length;
    struct state s;
};

static void add_ahead(struct ahead *a, struct json_machine *m, unsigned follow) {
    enum place p = region_place(a->s.region);
    uint32_t depth = context(m, a->s.context)->depth, count = region_blank_count(a->s.region);
    unsigned char b;
    if (!(blank_reach(&m->style, p, depth, count) & follow)) return;
    while ((b = blank_witness(&m->style, p, depth, count, follow)) &&
           a->length + 2 < sizeof a->bytes) {
        a->bytes[a->length++] = (char)b;
        count = blank_step(&m->style, p, depth, count, b);
    }
    a->s.region = region_blank(p, count);
}

static struct ahead look_ahead(const struct lister *l, unsigned follow) {
    struct ahead a = {.length = 0, .s = l->s};
    add_ahead(&a, json_of(l), follow);
    return a;
}

/* ---- values -------------------------------------------------------------------------------- */

static const struct {
    const char *name, *bytes;
    enum value_type type;
} value_starts[] = {{"an object", "{", TYPE_OBJECT}, {"an array", "[", TYPE_ARRAY},
                    {"a string", "\"", TYPE_STRING}, {"a number", "-0123456789", TYPE_NUMBER},
                    {"true", "t", TYPE_BOOLEAN},     {"false", "f", TYPE_BOOLEAN},
                    {"null", "n", TYPE_NULL}};

/* The few values that a string or number can have, or which numbers. */
static void describe_scalar(struct lister *l, uint32_t v, enum value_type t) {
    struct json_machine *m = json_of(l);
    goal_id f = goal_specialise(m->goals, context(m, v)->roots[0], t);
    if (t == TYPE_NUMBER)
        json_describe_number(m, &l->what, v);
    else
        text_add(&l->what, "a string");
    if (t == TYPE_STRING) regex_list(m->regex, goal_to_term(m->goals, f), "", &l->what);
}

/* The values that VALUE v may be; v = 0: none. */
static void list_value(struct lister *l, uint32_t v) {
    const struct ahead ahead = look_ahead(l, FOLLOW_OPEN);
    uint32_t live[8];
    machine_live_bytes(l->machine, ahead.s, live);
    for (size_t i = 0; i < sizeof value_starts / sizeof *value_starts; i++) {
        struct next_item item = next_begin(l, NEXT_VALUE);
        enum value_type t = value_starts[i].type;
        bool lives = false;
        item.type = (unsigned)t;
        next_add_each(&item, value_starts[i].bytes);
        next_set_before(&item, ahead.bytes, ahead.length);
        for (int k = 0; k < 8; k++) lives |= (item.shown.first[k] & live[k]) != 0;
        if (lives && v && (t == TYPE_STRING || t == TYPE_NUMBER))
            describe_scalar(l, v, t);
        else
            text_add(&l->what, "%s", value_starts[i].name);
        next_add(l, &item);
    }
}

/* ---- members ------------------------------------------------------------------------------- */

/* What is written before a name here: a comma, the blanks that the style demands. */
static struct ahead before_name(const struct lister *l) {
    struct ahead a = {.length = 0, .s = l->s};
    if (region_place(a.s.region) == PLACE_AFTER_MEMBER) {
        a.bytes[a.length++] = ',';
        a.s.region = region_blank(PLACE_NEXT_KEY, 0);
    }
    add_ahead(&a, json_of(l), FOLLOW_OPEN);
    return a;
}

/* Names that the form says: those of the declared order, then others of the formula; on the scratch
 * stack. */
static uint32_t *declared_names(struct json_machine *m, uint32_t o, size_t *n) {
    const struct context *c = context(m, o);
    const struct key_order order = m->orders.data[c->order];
    const uint32_t *singles;
    size_t n_singles = solver_single_names(m->solver, c->roots, 1, &singles);
    uint32_t *names = goal_scratch(m->goals, order.n + n_singles);
    *n = 0;
    for (uint32_t i = 0; names && i < order.n; i++) names[(*n)++] = order.names[i];
    for (size_t i = 0; names && i < n_singles; i++)
        if (key_index(m, c->order, singles[i]) == UINT32_MAX) names[(*n)++] = singles[i];
    return names;
}

static bool name_is_in(struct json_machine *m, term_id language, uint32_t o, uint32_t name) {
    size_t length;
    const char *text = goal_name_text(m->goals, name, &length);
    if (name_set_has(solver_name_sets(m->solver), context(m, o)->seen, name)) return false;
    return regex_matches(m->regex, language, (const unsigned char *)text, length);
}

/* The rest of a name with its closing quote, behind an opening one if `open`; on the scratch stack.
 */
static bool set_name(struct lister *l, struct next_item *item, bool open, const char *name,
                     size_t length) {
    struct json_machine *m = json_of(l);
    char *text = arena_push(&m->goals->scratch, 6 * length + 2);
    if (!text) {
        m->arena.failed = true;
        return false;
    }
    size_t n = 0;
    if (open) text[n++] = '"';
    n += next_spell(name, length, text + n);
    text[n++] = '"';
    next_set_text(item, text, n);
    return true;
}

static void add_member(struct lister *l, uint32_t o, uint32_t name, const struct ahead *b,
                       bool possible) {
    struct next_item item = next_begin(l, NEXT_MEMBER);
    size_t mark = goal_scratch_mark(json_of(l)->goals);
    item.name = goal_name_text(json_of(l)->goals, name, &item.name_length);
    text_add(&l->what, "the member ");
    text_add_quoted(&l->what, item.name, item.name_length, NAME_SHOWN);
    uint32_t v = possible ? key_child(json_of(l), o, name) : 0;
    if (v) {
        item.goal = context(json_of(l), v)->roots[0];
        text_add(&l->what, ": ");
        json_describe_value(json_of(l), &l->what, v);
    }
    next_set_before(&item, b->bytes, b->length);
    if (set_name(l, &item, true, item.name, item.name_length)) {
        if (possible)
            next_possible(l, &item);
        else
            next_blocked(l, &item);
    }
    goal_scratch_pop(json_of(l)->goals, mark);
}

static void count_more(struct lister *l, size_t n, const struct ahead *b) {
    struct next_item item = next_begin(l, NEXT_REST);
    text_add(&l->what, "%zu more members", n);
    next_set_before(&item, b->bytes, b->length);
    next_add_each(&item, "\"");
    next_possible(l, &item);
}

/* Members whose names the form does not say. What is not possible is told with an example. */
static void add_others(struct lister *l, uint32_t o, term_id language, const uint32_t *names,
                       size_t n, const struct ahead *b) {
    struct json_machine *m = json_of(l);
    enum { ROOM = 64 };
    unsigned char example[ROOM];
    size_t mark = goal_scratch_mark(m->goals);
    term_id rest = solver_other_names(m->solver, GOAL_TRUE, names, n);
    term_id kinds[2] = {
        regex_and(m->regex, (const term_id[]){rest, language}, 2),
        regex_and(m->regex, (const term_id[]){rest, regex_not(m->regex, language)}, 2)};
    for (int blocked = 0; blocked < 2; blocked++) {
        uint64_t work = 0;
        term_id open = key_unseen(m, kinds[blocked], context(m, o)->seen, 0);
        if (regex_alive(m->regex, open, 0, PARTIAL_BOUNDARY, &work, m->max_work) != REGEX_YES)
            continue;
        term_id longer =
            regex_and(m->regex, (const term_id[]){open, regex_min_length(m->regex, 1)}, 2);
        if (regex_alive(m->regex, longer, 0, PARTIAL_BOUNDARY, &work, m->max_work) == REGEX_YES)
            open = longer;
        size_t length = regex_some_string(m->regex, open, example, ROOM);
        struct next_item item = next_begin(l, NEXT_OTHER_MEMBER);
        if (length == SIZE_MAX) length = 0;
        item.name = (const char *)example;
        item.name_length = length;
        text_add(&l->what, "a member of another name");
        if (kinds[1] != TERM_NONE) {
            text_add(&l->what, ", such as ");
            text_add_quoted(&l->what, (const char *)example, length, ROOM);
        }
        next_set_before(&item, b->bytes, b->length);
        if (blocked && set_name(l, &item, true, item.name, length)) next_blocked(l, &item);
        if (blocked) continue;
        next_add_each(&item, "\"");
        next_possible(l, &item);
    }
    goal_scratch_pop(m->goals, mark);
}

static void list_members(struct lister *l, uint32_t o) {
    struct json_machine *m = json_of(l);
    const struct ahead b = before_name(l);
    size_t mark = goal_scratch_mark(m->goals), n, shown = 0, more = 0;
    struct next_item any = next_begin(l, NEXT_OTHER_MEMBER);
    next_set_before(&any, b.bytes, b.length);
    next_add_each(&any, "\"");
    if (!machine_can(l->machine, l->s, &any)) {
        text_add(&l->what, "another member");
        next_blocked(l, &any);
        goal_scratch_pop(m->goals, mark);
        return;
    }
    term_id language = key_names(m, o);
    uint32_t *names = declared_names(m, o, &n);
    for (size_t i = 0; names && i < n; i++) {
        if (!name_is_in(m, language, o, names[i])) continue;
        if (shown++ < NAMES_SHOWN)
            add_member(l, o, names[i], &b, true);
        else
            more++;
    }
    if (more) count_more(l, more, &b);
    if (names) add_others(l, o, language, names, n, &b);
    shown = 0;
    for (size_t i = 0; names && i < n && shown < BLOCKED_SHOWN; i++)
        if (!name_is_in(m, language, o, names[i])) {
            add_member(l, o, names[i], &b, false);
            shown++;
        }
    goal_scratch_pop(m->goals, mark);
}

/* ---- ends ---------------------------------------------------------------------------------- */

static void add_close(struct lister *l, uint32_t c, unsigned char byte) {
    struct json_machine *m = json_of(l);
    struct next_item item = next_begin(l, NEXT_CLOSE);
    enum { SHOWN = 8 };
    uint32_t names[SHOWN];
    size_t n = 0;
    const struct ahead ahead = look_ahead(l, FOLLOW_CLOSE);
    next_add_range(&item, byte, byte);
    next_set_before(&item, ahead.bytes, ahead.length);
    text_add(&l->what, "the end of the %s", byte == '}' ? "object" : "array");
    if (byte == '}' && json_missing(m, c, names, SHOWN, &n)) {
        for (size_t i = 0; i < n && i < SHOWN; i++) {
            size_t length;
            const char *text = goal_name_text(m->goals, names[i], &length);
            text_add(&l->why, i       ? ", "
                              : n > 1 ? "required members are missing: "
                                      : "a required member is missing: ");
            text_add_quoted(&l->why, text, length, NAME_SHOWN);
        }
        if (n > SHOWN) text_add(&l->why, ", ...");
    } else if (!context_can_close(m, c)) {
        text_add(&l->why, "the %s needs more", byte == '}' ? "object" : "array");
    }
    next_add(l, &item);
}

static void add_byte(struct lister *l, enum next_kind kind, unsigned char byte, const char *what) {
    struct next_item item = next_begin(l, kind);
    next_add_range(&item, byte, byte);
    text_add(&l->what, "%s", what);
    next_add(l, &item);
}

static void list_blank(struct lister *l) {
    uint32_t c = l->s.context;
    add_blanks(l);
    switch (region_place(l->s.region)) {
    case PLACE_TOP:
    case PLACE_AFTER_COLON:
    case PLACE_ITEM: list_value(l, c); break;
    case PLACE_COLON: add_byte(l, NEXT_COLON, ':', "the colon"); break;
    case PLACE_FIRST_KEY:
    case PLACE_AFTER_MEMBER:
        list_members(l, c);
        add_close(l, c, '}');
        break;
    case PLACE_NEXT_KEY: list_members(l, c); break;
    case PLACE_FIRST_ITEM:
        list_value(l, context_item(json_of(l), c));
        add_close(l, c, ']');
        break;
    case PLACE_AFTER_ITEM: {
        struct next_item item = next_begin(l, NEXT_ITEM);
        uint32_t v = context_item(json_of(l), c);
        next_add_range(&item, ',', ',');
        text_add(&l->what, "another item");
        if (v) {
            item.goal = context(json_of(l), v)->roots[0];
            text_add(&l->what, ": ");
            json_describe_value(json_of(l), &l->what, v);
        }
        next_add(l, &item);
        add_close(l, c, ']');
        break;
    }
    case PLACE_END: break;
    }
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void add_digits(struct lister *l) {
    struct next_item item = next_begin(l, NEXT_DIGIT), others = item;
    for (unsigned b = '0'; b <= '9'; b++)
        next_add_range(BYTES_HAS(l->live, b) ? &item : &others, b, b);
    text_add(&l->what, "a digit");
    if (!bytes_are_empty(item.shown.first) && !bytes_are_empty(others.shown.first)) {
        text_add(&l->what, ": ");
        text_add_bytes(&l->what, item.shown.first);
    }
    next_possible(l, &item);
    if (bytes_are_empty(others.shown.first)) return;
    next_begin(l, NEXT_DIGIT);
    text_add(&l->what, bytes_are_empty(item.shown.first) ? "another digit" : "other digits: ");
    if (!bytes_are_empty(item.shown.first)) text_add_bytes(&l->what, others.shown.first);
    next_blocked(l, &others);
}

static void list_number(struct lister *l) {
    number_state at = json_piece(json_of(l), l->s.region);
    add_digits(l);
    add_byte(l, NEXT_DIGIT, '.', "a decimal point");
    struct next_item item = next_begin(l, NEXT_DIGIT);
    next_add_range(&item, 'e', 'e');
    next_add_range(&item, 'E', 'E');
    text_add(&l->what, "an exponent");
    next_add(l, &item);
    item = next_begin(l, NEXT_DIGIT);
    next_add_range(&item, '+', '+');
    next_add_range(&item, '-', '-');
    text_add(&l->what, "a sign");
    next_possible(l, &item);
    struct state after = {0, 0};
    if (number_may_end(json_of(l)->numbers, at)) after = json_end_number(json_of(l), l->s);
    if (state_is_dead(after)) {
        item = next_begin(l, NEXT_NUMBER_END);
        next_add_each(&item, ",]} \t\r\n");
        text_add(&l->what, "the end of the number");
        next_blocked(l, &item);
        return;
    }
    l->s = after;
    list_blank(l);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void list_literal(struct lister *l) {
    uint32_t at = l->s.region & REGION_MASK;
    const char *rest = json_literal_text[at >> 4] + (at & 15);
    struct next_item item = next_begin(l, NEXT_REST);
    text_add(&l->what, "the rest of %s", json_literal_text[at >> 4]);
    next_set_text(&item, rest, strlen(rest));
    next_possible(l, &item);
}

/* Declared names that go on from what has been read of the key. */
static void list_names(struct lister *l, string_state at) {
    struct json_machine *m = json_of(l);
    struct key_state k = key_state_get(m, l->s.region);
    uint32_t o = l->s.context;
    if (at == STRING_DEAD || string_where(m->strings, k.string) != STRING_BETWEEN) return;
    size_t mark = goal_scratch_mark(m->goals), n, n_read, shown = 0;
    char *read = prefix_text(m, k.prefix, &n_read);
    uint32_t *names = read ? declared_names(m, o, &n) : NULL;
    term_id language = key_names(m, o);
    for (size_t i = 0; names && i < n && shown < NAMES_SHOWN; i++) {
        size_t length, inner = goal_scratch_mark(m->goals);
        const char *text = goal_name_text(m->goals, names[i], &length);
        if (length < n_read || memcmp(text, read, n_read) != 0) continue;
        if (!name_is_in(m, language, o, names[i])) continue;
        struct next_item item = next_begin(l, NEXT_MEMBER);
        item.name = text;
        item.name_length = length;
        text_add(&l->what, "the member ");
        text_add_quoted(&l->what, text, length, NAME_SHOWN);
        if (set_name(l, &item, false, text + n_read, length - n_read))
            shown += next_possible(l, &item);
        goal_scratch_pop(m->goals, inner);
    }
    goal_scratch_pop(m->goals, mark);
}

void json_next(struct machine *base, struct state s, next_visit visit, void *ctx) {
    struct json_machine *m = (struct json_machine *)(void *)base;
    struct lister l;
    if (state_is_dead(s)) return;
    if (region_kind(s.region) == REGION_KEY) s = key_settle(m, s);
    s = record_settle(m, s);
    if (state_is_dead(s)) return;
    next_open(&l, base, s, visit, ctx);
    switch (region_kind(s.region)) {
    case REGION_BLANK: list_blank(&l); break;
    case REGION_STRING:
    case REGION_RECORDED_STRING: next_in_string(&l, json_piece(m, s.region), false); break;
    case REGION_NUMBER:
    case REGION_RECORDED_NUMBER: list_number(&l); break;
    case REGION_LITERAL: list_literal(&l); break;
    case REGION_KEY: {
        string_state at = key_place(m, s);
        list_names(&l, at);
        next_in_string(&l, at, true);
        break;
    }
    }
    l.s = s;
    next_close(&l);
}
