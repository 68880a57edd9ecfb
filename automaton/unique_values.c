/* SPDX-License-Identifier: MIT
 *
 * Which values does a goal have? Strings and numbers are listed by their languages and sets; arrays
 * and objects by asking for a value that is none of those found so far, again and again, until
 * there is none or one is found in which a string or number can be varied without end.
 *
 * The other way round: one value out of a witness, and the items of array witnesses that leave
 * open which of infinitely many values an item is.
 */
#include <string.h>

#include "automaton/unique_internal.h"

#define MAX_TEXT_BYTES 65536 /* of one string or number: longer ones are a limit */

/* ---- one value ------------------------------------------------------------------------------- */

static value_id string_value(struct solver *s, term_id t) {
    size_t mark = goal_scratch_mark(s->goals), n;
    unsigned char *text = arena_push(&s->goals->scratch, MAX_TEXT_BYTES);
    value_id v = VALUE_NONE;
    if (text && (n = regex_some_string(s->goals->regex, t, text, MAX_TEXT_BYTES)) != SIZE_MAX)
        v = value_string(s->values, (const char *)text, n);
    goal_scratch_pop(s->goals, mark);
    return v;
}

static value_id number_value(struct solver *s, numset_id set) {
    size_t mark = goal_scratch_mark(s->goals), n = 0;
    char *text = arena_push(&s->goals->scratch, MAX_TEXT_BYTES);
    bool limited = false;
    number_state at = number_begin(s->goals->numbers, &set, 1, &limited);
    value_id v = VALUE_NONE;
    while (text && at != NUMBER_DEAD && n < MAX_TEXT_BYTES) {
        int b = number_witness_byte(s->goals->numbers, at);
        struct decimal d;
        if (b < 0) {
            if (decimal_parse(&s->goals->scratch, text, n, &d) == DECIMAL_OK)
                v = value_number(s->values, &d);
            break;
        }
        text[n++] = (char)b;
        at = number_step(s->goals->numbers, at, (unsigned char)b, &limited);
    }
    goal_scratch_pop(s->goals, mark);
    return v;
}

static value_id array_value(struct solver *s, witness_id w) {
    struct item_list l = solver_open_items(s, w, VALUE_SET_EMPTY);
    value_list items = VALUE_LIST_EMPTY;
    witness_id item;
    if (l.n > DOMAIN_MAX) return VALUE_NONE;
    while ((item = solver_next_item(s, &l)) != WITNESS_NONE) {
        value_id v = solver_witness_value(s, item);
        if (v == VALUE_NONE || !solver_step(s)) return VALUE_NONE;
        items = value_list_add(s->values, items, v);
    }
    return l.failed ? VALUE_NONE : value_array(s->values, items);
}

static value_id object_value(struct solver *s, const struct witness *w) {
    value_members members = VALUE_MEMBERS_EMPTY;
    for (uint32_t i = 0; i < w->count; i++) {
        value_id v = solver_witness_value(s, w->kids[i]);
        if (v == VALUE_NONE) return VALUE_NONE;
        members = value_members_add(s->values, members, w->names[i], v);
    }
    return value_object(s->values, members);
}

/* Recurses as deep as the witness nests. */
static value_id make_value(struct solver *s, witness_id id) {
    struct witness w = s->witnesses.data[id];
    switch (w.type) {
    case TYPE_NULL: return value_null(s->values);
    case TYPE_BOOLEAN: return value_boolean(s->values, w.boolean);
    case TYPE_STRING: return string_value(s, w.term);
    case TYPE_NUMBER: return number_value(s, w.set);
    case TYPE_ARRAY: return array_value(s, id);
    case TYPE_OBJECT: return object_value(s, &w);
    case TYPE_COUNT: break;
    }
    return VALUE_NONE;
}

value_id solver_witness_value(struct solver *s, witness_id w) {
    if (w == WITNESS_NONE) return VALUE_NONE;
    value_id v = make_value(s, w);
    if (v == VALUE_NONE || s->arena->failed) {
        s->limited = true;
        return VALUE_NONE;
    }
    return v;
}

static witness_id container_witness(struct solver *s, value_id v,
                                    const struct json_value_record *r) {
    uint32_t *names = arena_push_array(s->arena, r->count, sizeof *names);
    witness_id *kids = arena_push_array(s->arena, r->count, sizeof *kids);
    if (!names || !kids) return WITNESS_NONE;
    if (r->type == TYPE_OBJECT)
        value_pairs(s->values, v, names, kids);
    else
        value_items(s->values, v, kids);
    for (uint32_t i = 0; i < r->count; i++) kids[i] = solver_value_witness(s, kids[i]);
    return solver_add_witness(
        s,
        &(struct witness){
            .type = r->type, .count = r->count, .names = names, .kids = kids, .depth = r->depth});
}

witness_id solver_value_witness(struct solver *s, value_id v) {
    struct json_value_record r = *value_get(s->values, v);
    if (r.witness != WITNESS_NONE) return r.witness;
    struct witness w = {.type = r.type, .boolean = r.boolean};
    goal_id f = GOAL_TRUE;
    if (r.type == TYPE_STRING || r.type == TYPE_NUMBER)
        f = goal_specialise(s->goals, value_equal_goal(s->values, v), r.type);
    if (r.type == TYPE_STRING) w.term = goal_to_term(s->goals, f);
    if (r.type == TYPE_NUMBER) w.set = goal_to_numset(s->goals, f);
    witness_id id = r.type == TYPE_ARRAY || r.type == TYPE_OBJECT ? container_witness(s, v, &r)
                                                                  : solver_add_witness(s, &w);
    value_set_witness(s->values, v, id);
    return id;
}

/* ---- items of array witnesses ---------------------------------------------------------------- */

struct item_list solver_open_items(struct solver *s, witness_id array, value_set used) {
    struct witness w = s->witnesses.data[array];
    struct item_list l = {.array = array, .used = used};
    l.n = w.count + (w.repeat ? w.repeat - 1 : 0);
    for (uint32_t i = 0; w.distinct && i < w.count; i++) {
        if (s->witnesses.data[w.kids[i]].draw != GOAL_FALSE) continue;
        value_id v = solver_witness_value(s, w.kids[i]);
        l.failed |= v == VALUE_NONE;
        l.used = name_set_add(&s->names, l.used, v);
    }
    return l;
}

witness_id solver_next_item(struct solver *s, struct item_list *l) {
    const struct witness *w = &s->witnesses.data[l->array];
    if (l->failed || l->next == l->n) return WITNESS_NONE;
    witness_id item = w->kids[l->next < w->count ? l->next : w->count - 1];
    goal_id draw = w->distinct ? s->witnesses.data[item].draw : GOAL_FALSE;
    l->next++;
    if (draw == GOAL_FALSE) return item;
    goal_id unused = goal_not(s->goals, value_set_goal(s->values, l->used));
    item = solver_decide(s, QUESTION_GOAL, goal_and2(s->goals, draw, unused), NAME_SET_EMPTY);
    value_id v = solver_witness_value(s, item);
    if (v == VALUE_NONE) {
        l->failed = true;
        return WITNESS_NONE;
    }
    l->used = name_set_add(&s->names, l->used, v);
    return solver_value_witness(s, v);
}

struct item_list solver_items(struct solver *s, witness_id array, value_set used) {
    solver_begin(s);
    return solver_open_items(s, array, used);
}

witness_id solver_item(struct solver *s, struct item_list *l) {
    solver_begin(s);
    return solver_next_item(s, l);
}

witness_id solver_join_items(struct solver *s, witness_id first, witness_id rest, uint32_t again) {
    struct witness w = s->witnesses.data[rest], *kid = &s->witnesses.data[first];
    witness_id *kids = arena_push_array(s->arena, w.count + (size_t)1, sizeof *kids);
    if (!kids) return WITNESS_NONE;
    kids[0] = first;
    if (w.count) memcpy(kids + 1, w.kids, w.count * sizeof *kids);
    w.kids = kids;
    w.count++;
    w.again = again;
    w.draw = GOAL_FALSE;
    if (kid->depth + 1 > w.depth) w.depth = kid->depth + 1;
    return solver_add_witness(s, &w);
}

/* ---- the values of a goal -------------------------------------------------------------------- */

struct value_collector {
    struct solver *s;
    ARENA_VEC(value_id) values;
    uint32_t most;
    bool infinite, more;
};

static bool collect(struct value_collector *c, value_id v) {
    if (c->values.count == c->most) {
        c->more = true;
        return false;
    }
    if (!ARENA_VEC_GROW(c->s->arena, &c->values)) return false;
    c->values.data[c->values.count++] = v;
    return true;
}

static bool collect_string(void *ctx, const unsigned char *bytes, size_t length) {
    struct value_collector *c = ctx;
    return c->values.count < c->most &&
           collect(c, value_string(c->s->values, (const char *)bytes, length));
}

static void collect_strings(struct value_collector *c, term_id t) {
    struct solver *s = c->s;
    enum regex_answer a = regex_is_infinite(s->goals->regex, t, &s->work, solver_budget(s)), more;
    if (a == REGEX_YES) c->infinite = true;
    if (a == REGEX_LIMIT) s->limited = true;
    if (a != REGEX_NO) return;
    regex_enumerate(s->goals->regex, t, collect_string, c, &more, &s->work, solver_budget(s));
    if (more == REGEX_LIMIT) s->limited = true;
    if (more == REGEX_YES) c->more = true;
}

static void collect_numbers(struct value_collector *c, numset_id set) {
    struct solver *s = c->s;
    struct number_store *numbers = s->goals->numbers;
    enum numset_answer a = numset_is_infinite(numbers, set, &s->work, solver_budget(s)), more;
    if (a == NUMSET_YES) c->infinite = true;
    if (a == NUMSET_LIMIT) s->limited = true;
    if (a != NUMSET_NO) return;
    size_t mark = goal_scratch_mark(s->goals), room = c->most - c->values.count;
    struct decimal *list = arena_push_array(&s->goals->scratch, room, sizeof *list);
    if (!list) {
        s->limited = true;
        return;
    }
    size_t n = numset_enumerate(numbers, set, list, room, &more, &s->work, solver_budget(s));
    if (more == NUMSET_LIMIT) s->limited = true;
    if (more == NUMSET_YES) c->more = true;
    for (size_t i = 0; i < n; i++) collect(c, value_number(s->values, &list[i]));
    goal_scratch_pop(s->goals, mark);
}

/* Can some string or number in it be any of infinitely many? (Where the answer is no, there may
 * yet be infinitely many values of other shapes.) Recurses as deep as the witness nests. */
static bool witness_varies(struct solver *s, witness_id id) {
    struct witness w = s->witnesses.data[id];
    if (w.type == TYPE_STRING)
        return regex_is_infinite(s->goals->regex, w.term, &s->work, solver_budget(s)) == REGEX_YES;
    if (w.type == TYPE_NUMBER)
        return numset_is_infinite(s->goals->numbers, w.set, &s->work, solver_budget(s)) ==
               NUMSET_YES;
    for (uint32_t i = 0; i < w.count; i++)
        if (witness_varies(s, w.kids[i])) return true;
    return false;
}

static void collect_containers(struct value_collector *c, goal_id g, enum value_type t) {
    struct solver *s = c->s;
    value_set found = VALUE_SET_EMPTY;
    g = goal_and2(s->goals, g, goal_type(s->goals, TYPE_BIT(t)));
    while (!c->more && solver_step(s)) {
        goal_id other = goal_not(s->goals, value_set_goal(s->values, found));
        witness_id w =
            solver_decide(s, QUESTION_GOAL, goal_and2(s->goals, g, other), NAME_SET_EMPTY);
        if (w == WITNESS_NONE) return;
        if (witness_varies(s, w)) {
            c->infinite = true;
            return;
        }
        value_id v = solver_witness_value(s, w);
        if (v == VALUE_NONE || !collect(c, v)) return;
        found = name_set_add(&s->names, found, v);
    }
}

static void collect_type(struct value_collector *c, goal_id g, enum value_type t) {
    struct solver *s = c->s;
    goal_id f = goal_specialise(s->goals, g, t);
    if (f == GOAL_FALSE || f == GOAL_CYCLE) return;
    switch (t) {
    case TYPE_NULL:
        if (goal_holds_null(s->goals, f)) collect(c, value_null(s->values));
        break;
    case TYPE_BOOLEAN:
        for (int b = 0; b < 2; b++)
            if (goal_holds_boolean(s->goals, f, b)) collect(c, value_boolean(s->values, b));
        break;
    case TYPE_STRING: collect_strings(c, goal_to_term(s->goals, f)); break;
    case TYPE_NUMBER: collect_numbers(c, goal_to_numset(s->goals, f)); break;
    case TYPE_ARRAY:
    case TYPE_OBJECT: collect_containers(c, g, t); break;
    case TYPE_COUNT: break;
    }
}

static struct domain *find_domain(struct solver *s, goal_id g) {
    for (struct table_probe p = table_probe(&s->domain_table, fa_hash_mix(g, 0));
         table_next(&s->domain_table, &p);)
        if (s->domains.data[p.id].goal == g) return &s->domains.data[p.id];
    return NULL;
}

/* The longer list takes the place of a shorter one. */
static void keep_domain(struct solver *s, const struct domain *d) {
    struct domain *old = find_domain(s, d->goal);
    if (old)
        *old = *d;
    else if (ARENA_VEC_GROW(s->arena, &s->domains) &&
             table_add(&s->domain_table, fa_hash_mix(d->goal, 0), s->domains.count))
        s->domains.data[s->domains.count++] = *d;
}

struct domain solver_domain(struct solver *s, goal_id g, uint32_t most) {
    const struct domain *known = find_domain(s, g);
    if (known && (known->infinite || known->complete || known->n >= most)) return *known;
    struct value_collector c = {.s = s, .most = most};
    if (known && known->n * 2 > most) c.most = known->n * 2; /* each list twice as long */
    if (c.most > DOMAIN_MAX) c.most = DOMAIN_MAX;
    uint32_t outer_low = s->low;
    s->low = LOW_NONE;
    for (int t = 0; t < TYPE_COUNT && !c.infinite && !c.more && !s->limited; t++)
        if (s->types & TYPE_BIT(t)) collect_type(&c, g, (enum value_type)t);
    struct domain d = {.goal = g,
                       .infinite = c.infinite,
                       .complete = !c.infinite && !c.more,
                       .n = c.infinite ? 0 : c.values.count,
                       .values = c.values.data};
    /* A list that ended because of a question that is still open is no one else's. */
    if (s->low == LOW_NONE && !s->limited && !s->arena->failed) keep_domain(s, &d);
    if (outer_low < s->low) s->low = outer_low;
    return s->limited ? (struct domain){.goal = g, .complete = true} : d;
}

static bool count_value(void *ctx, uint32_t v) {
    (void)v;
    ++*(size_t *)ctx;
    return true;
}

size_t solver_count_values(const struct solver *s, value_set set) {
    size_t n = 0;
    name_set_visit(&s->names, set, count_value, &n);
    return n;
}
