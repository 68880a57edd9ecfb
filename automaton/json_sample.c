/* SPDX-License-Identifier: MIT
 *
 * What reads well in a JSON text, for samples (sample.h): the names that an object declares, some
 * of them skipped; an end where no declared member is left; names that look like names where any
 * may come; numbers of some digits; the strings that a branch of the form lists beside another that
 * takes any string. All of it is only suggested: what the text may hold is the machine's step to say.
 */
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"
#include "automaton/sample.h"

/* Where keys come in any order: declared names to try before giving up. */
#define MAX_TRIES 16
/* Strings that are looked at to choose one of them. */
#define MAX_LISTED 256

struct suggestion {
    struct json_machine *m;
    const struct sample_mood *mood;
    struct rng *rng;
    unsigned char *out;
    size_t length, capacity;
};

static bool chance(struct suggestion *s, unsigned of_256) {
    return rng_below(s->rng, 256) < of_256;
}

static void put(struct suggestion *s, unsigned char byte) {
    if (s->length < s->capacity) s->out[s->length] = byte;
    s->length++;
}

/* The text of a string as the style `minimal` writes it, closing quote included. */
static void put_string(struct suggestion *s, const unsigned char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char bytes[6];
        size_t n = string_spell(text[i], bytes);
        for (size_t k = 0; k < n; k++) put(s, bytes[k]);
    }
    put(s, '"');
}

/* ---- names --------------------------------------------------------------------------------- */

struct declared {
    const uint32_t *names; /* those that the order still lets come */
    uint32_t n;
    bool in_order;
};

static struct declared declared_names(struct json_machine *m, uint32_t o) {
    const struct context *c = context(m, o);
    bool in_order = m->style.keys == FORMA_KEYS_SCHEMA;
    uint32_t order = in_order ? c->order : key_order_for(m, &c->shown, 1);
    uint32_t rank = in_order ? c->rank : 0;
    const struct key_order *list = &m->orders.data[order];
    return (struct declared){list->names + (list->n ? rank : 0), list->n - rank, in_order};
}

/* A declared name that may come: in order, each is skipped with the mood's chance, but not what
 * must come; in any order, one of all. 0: none was found. */
static uint32_t choose_declared(struct suggestion *s, uint32_t o) {
    struct declared d = declared_names(s->m, o);
    uint32_t first = d.in_order || !d.n ? 0 : rng_below(s->rng, d.n);
    uint32_t most = d.in_order || d.n < MAX_TRIES ? d.n : MAX_TRIES, skipped = d.n;
    for (uint32_t i = 0; i < most; i++) {
        uint32_t at = (first + i) % d.n;
        if (d.in_order && !chance(s, 96 + s->mood->fullness * 5 / 8)) {
            if (skipped == d.n) skipped = i;
            continue;
        }
        if (key_child(s->m, o, d.names[at])) return d.names[at];
        if (d.in_order && skipped != d.n) break; /* what was skipped may have to come */
    }
    for (uint32_t i = skipped; i < d.n; i++)
        if (key_child(s->m, o, d.names[i])) return d.names[i];
    return 0;
}

static bool is_declared_left(struct suggestion *s, uint32_t o) {
    struct declared d = declared_names(s->m, o);
    uint32_t first = d.in_order || !d.n ? 0 : rng_below(s->rng, d.n);
    for (uint32_t i = 0; i < d.n && i < MAX_TRIES; i++)
        if (key_child(s->m, o, d.names[(first + i) % d.n])) return true;
    return false;
}

static void suggest_identifier(struct suggestion *s) {
    static const char vowels[] = "aeiou", others[] = "bcdfghklmnprstvz";
    for (unsigned i = 0, n = 1 + rng_below(s->rng, 8); i < n; i++) {
        const char *from = i % 2 ? vowels : others;
        put(s,
            (unsigned char)from[rng_below(s->rng, i % 2 ? sizeof vowels - 1 : sizeof others - 1)]);
    }
    put(s, '"');
}

/* Behind the opening quote of a key of OBJECT o. */
static void suggest_key(struct suggestion *s, uint32_t o) {
    bool declared_only = context(s->m, o)->names_are_declared;
    uint32_t name = declared_only || !chance(s, 24) ? choose_declared(s, o) : 0;
    if (name) {
        size_t length;
        const char *text = goal_name_text(s->m->goals, name, &length);
        put_string(s, (const unsigned char *)text, length);
    } else if (!declared_only && chance(s, 192)) {
        suggest_identifier(s);
    }
}

/* Behind a member, or behind the brace (`first`). */
static void suggest_in_object(struct suggestion *s, uint32_t o, bool first) {
    struct json_machine *m = s->m;
    unsigned more = s->mood->fullness;
    if (context_can_close(m, o)) {
        bool named = is_declared_left(s, o);
        bool listed = context(m, o)->order || declared_names(m, o).n;
        /* Members that the form says nothing of are rare beside those that it names. */
        if (!named && listed) more /= 16;
        if (named) more = 128 + more / 2;
        if (!chance(s, more)) {
            put(s, '}');
            return;
        }
    }
    put(s, first ? '"' : ',');
}

/* ---- scalars ------------------------------------------------------------------------------- */

struct listing {
    struct suggestion *s;
    uint32_t n, chosen; /* all are the same likely: the n-th replaces the one before at 1 / n */
    unsigned char *text;
    size_t length, capacity;
};

static bool list_string(void *ctx, const unsigned char *bytes, size_t length) {
    struct listing *l = ctx;
    if (l->n == MAX_LISTED) return false;
    l->n++;
    if (length > l->capacity || rng_below(l->s->rng, l->n) != 0) return true;
    memcpy(l->text, bytes, length);
    l->length = length;
    return true;
}

/* In front of VALUE v: where strings have a choice of branches, one of them; if that lists its
 * strings, one of these. (The language of the string shows nothing of them where another branch
 * takes any.) */
static void suggest_listed(struct suggestion *s, uint32_t v) {
    struct json_machine *m = s->m;
    goal_id g = goal_specialise(m->goals, context(m, v)->roots[0], TYPE_STRING);
    if (node(m->goals, g)->kind != GOAL_KIND_OR || !chance(s, 80)) return;
    while (node(m->goals, g)->kind == GOAL_KIND_OR) {
        const struct goal_node *n = node(m->goals, g);
        g = n->kids[rng_below(s->rng, n->n_kids)];
    }
    unsigned char text[1024];
    struct listing l = {.s = s, .text = text, .capacity = sizeof text};
    enum regex_answer more;
    uint64_t work = 0;
    term_id term = goal_to_term(m->goals, g);
    regex_enumerate(m->regex, term, list_string, &l, &more, &work, m->max_work);
    if (!l.n) return;
    put(s, '"');
    put_string(s, text, l.length);
}

/* The rest of the number on a known way to its end. */
static void suggest_rest_of_number(struct suggestion *s, number_state n) {
    bool limited = false;
    for (int b; n != NUMBER_DEAD && s->length <= s->capacity; put(s, (unsigned char)b)) {
        if ((b = number_witness_byte(s->m->numbers, n)) < 0) return;
        n = number_step(s->m->numbers, n, (unsigned char)b, &limited);
    }
}

/* In a number: another digit, now and then a point; or what may come behind it. Digits at random
 * hardly ever make a multiple of something large, so after some the known way is taken. */
static void suggest_after_number(struct suggestion *s, struct state at) {
    struct json_machine *m = s->m;
    number_state n = json_piece(m, at.region);
    if (number_may_end(m->numbers, n) && rng_below(s->rng, s->mood->digits + 1) == 0) {
        struct state after = json_end_number(m, at);
        unsigned kind = state_is_dead(after) ? CONTEXT_DEAD : context(m, after.context)->kind;
        if (kind == CONTEXT_OBJECT) suggest_in_object(s, after.context, false);
        if (kind == CONTEXT_ARRAY) put(s, chance(s, s->mood->fullness) ? ',' : ']');
        return;
    }
    if (!number_may_end(m->numbers, n) && rng_below(s->rng, 8 * s->mood->digits + 8) == 0) {
        suggest_rest_of_number(s, n);
        return;
    }
    unsigned point = rng_below(s->rng, 16);
    if (point > 1) put(s, (unsigned char)('0' + rng_below(s->rng, 10)));
    if (point == 1) put(s, '.');
}

/* ---- the op -------------------------------------------------------------------------------- */

static void suggest_at_blank(struct suggestion *s, struct state at) {
    enum place p = region_place(at.region);
    uint32_t item;
    switch (p) {
    case PLACE_FIRST_KEY:
    case PLACE_AFTER_MEMBER: suggest_in_object(s, at.context, p == PLACE_FIRST_KEY); break;
    case PLACE_TOP:
    case PLACE_AFTER_COLON:
    case PLACE_ITEM: suggest_listed(s, at.context); break;
    case PLACE_FIRST_ITEM:
        item = chance(s, s->mood->fullness) ? context_item(s->m, at.context) : 0;
        if (item) suggest_listed(s, item);
        break;
    case PLACE_NEXT_KEY:
    case PLACE_COLON:
    case PLACE_AFTER_ITEM:
    case PLACE_END: break;
    }
}

size_t json_suggest(struct machine *base, struct state at, const struct sample_mood *mood,
                    struct rng *rng, unsigned char *out, size_t capacity) {
    struct json_machine *m = (struct json_machine *)(void *)base;
    struct suggestion s = {.m = m, .mood = mood, .rng = rng, .out = out, .capacity = capacity};
    size_t mark = goal_scratch_mark(m->goals);
    switch (region_kind(at.region)) {
    case REGION_BLANK: suggest_at_blank(&s, at); break;
    case REGION_KEY: {
        struct key_state k = key_state_get(m, at.region);
        if (k.phase == KEY_TEXT && !k.prefix && k.string == context(m, at.context)->keys)
            suggest_key(&s, at.context);
        break;
    }
    case REGION_NUMBER:
    case REGION_RECORDED_NUMBER: suggest_after_number(&s, at); break;
    case REGION_LITERAL:
    case REGION_STRING:
    case REGION_RECORDED_STRING: break;
    }
    goal_scratch_pop(m->goals, mark);
    return s.length <= capacity ? s.length : 0;
}
