/* SPDX-License-Identifier: MIT */
#include "schema/in_play.h"

#include <string.h>

#include "schema/internal.h"

/* One step into a value: a member's name, or an item's index. */
struct step {
    const char *name; /* NULL: an item */
    size_t length;
    uint32_t index;
};

/* The places that apply to a value, before and after going in place. */
struct level {
    ARENA_VEC(struct schema_place) places;
    bool is_array;
    struct step step; /* to the child that is open or comes next */
};

struct in_play {
    struct json_schema *s;
    struct json_machine *m;
    ARENA_VEC(struct level) levels; /* the open containers, outermost first */
    struct level value;             /* the value where the text stands, if that is no container */
    bool in_value;
    goal_id *goals; /* of the levels, then of the value */
    size_t n_goals;
    uint32_t *distances; /* by node */
    const char **out;
    size_t n_out, capacity;
};

/* ---- the text ------------------------------------------------------------------------------ */

struct scan {
    struct in_play *p;
    const char *text;
    size_t length, at;
    bool key; /* a name comes next */
};

static struct level *top(struct in_play *p) {
    return p->levels.count ? &p->levels.data[p->levels.count - 1] : NULL;
}

static bool open_level(struct scan *scan, bool is_array) {
    struct in_play *p = scan->p;
    if (!ARENA_VEC_GROW(p->s->arena, &p->levels)) return false;
    p->levels.data[p->levels.count++] = (struct level){.is_array = is_array};
    p->in_value = is_array;
    scan->key = !is_array;
    return true;
}

static void read_name(struct scan *scan, size_t start, struct step *out) {
    struct json_limits limits = {SIZE_MAX, 1};
    const struct json_value *v =
        json_parse(scan->p->s->arena, scan->text + start, scan->at - start, &limits, NULL);
    *out = (struct step){v ? v->text : "", v ? v->length : 0, 0};
}

/* A string, from its opening quote on. False: the text ends in it. */
static bool scan_string(struct scan *scan) {
    size_t start = scan->at++;
    while (scan->at < scan->length && scan->text[scan->at] != '"')
        scan->at += scan->text[scan->at] == '\\' ? 2 : 1;
    if (scan->at >= scan->length) return false;
    scan->at++;
    struct level *l = top(scan->p);
    if (scan->key && l) read_name(scan, start, &l->step);
    if (!scan->key) scan->p->in_value = false;
    scan->key = false;
    return true;
}

static bool scan_text(struct scan *scan) {
    struct in_play *p = scan->p;
    p->in_value = true;
    while (scan->at < scan->length) {
        struct level *l = top(p);
        char c = scan->text[scan->at];
        if (c == '"') {
            if (!scan_string(scan)) return true;
            continue;
        }
        scan->at++;
        if ((c == '{' || c == '[') && !open_level(scan, c == '[')) return false;
        if ((c == '}' || c == ']') && p->levels.count) {
            p->levels.count--;
            p->in_value = false;
            scan->key = false;
        }
        if (c == ':') p->in_value = true;
        if (c == ',' && l) {
            l->step.index++;
            p->in_value = l->is_array;
            scan->key = !l->is_array;
        }
        /* A literal or number ends where something else begins: its own bytes leave it open. */
    }
    return true;
}

/* ---- places -------------------------------------------------------------------------------- */

static bool add_place(struct json_schema *s, struct level *l, struct schema_place place) {
    if (place.node >= NODE_FALSE) return true;
    for (uint32_t i = 0; i < l->places.count; i++)
        if (l->places.data[i].node == place.node && l->places.data[i].scope == place.scope)
            return true;
    if (!ARENA_VEC_GROW(s->arena, &l->places)) return false;
    l->places.data[l->places.count++] = place;
    return true;
}

static const struct json_value *keyword_of(const struct json_schema *s, uint32_t node,
                                           enum keyword id, const struct json_member **member) {
    const struct json_value *object = s->nodes.data[node].value;
    for (uint32_t i = 0; i < object->count; i++) {
        const struct keyword_info *k = schema_effect(s, node, &object->members[i]);
        if (!k || k->id != id) continue;
        if (member) *member = &object->members[i];
        return &object->members[i].value;
    }
    return NULL;
}

/* Does the node itself take values of the type? TYPE_COUNT: of any. */
static bool takes(const struct json_schema *s, uint32_t node, unsigned type) {
    static const char *const names[TYPE_COUNT] = {
        [TYPE_NULL] = "null",     [TYPE_BOOLEAN] = "boolean", [TYPE_STRING] = "string",
        [TYPE_NUMBER] = "number", [TYPE_ARRAY] = "array",     [TYPE_OBJECT] = "object"};
    const struct json_value *v = keyword_of(s, node, KEYWORD_TYPE, NULL);
    if (!v || type >= TYPE_COUNT) return true;
    const struct json_value *nullable = keyword_of(s, node, KEYWORD_NULLABLE, NULL);
    if (type == TYPE_NULL && nullable && nullable->kind == JSON_TRUE) return true;
    const struct json_value *list = v->kind == JSON_ARRAY ? v->items : v;
    for (uint32_t i = 0; i < (v->kind == JSON_ARRAY ? v->count : 1); i++)
        if (!strcmp(list[i].text, names[type]) ||
            (type == TYPE_NUMBER && !strcmp(list[i].text, "integer")))
            return true;
    return false;
}

/* The schemas that apply in place beside those of `seeds`, for values of a type. What stands under
 * `not` and `if` is no rule that something comes by. */
static bool go_in_place(struct json_schema *s, const struct level *seeds, unsigned type,
                        struct level *out) {
    out->places.count = 0;
    for (uint32_t i = 0; i < seeds->places.count; i++)
        if (takes(s, seeds->places.data[i].node, type) && !add_place(s, out, seeds->places.data[i]))
            return false;
    for (uint32_t i = 0; i < out->places.count; i++) {
        struct schema_place from = out->places.data[i];
        const struct json_value *object = s->nodes.data[from.node].value;
        for (uint32_t j = 0; j < object->count; j++) {
            const struct keyword_info *k = schema_effect(s, from.node, &object->members[j]);
            const struct json_value *next;
            if (!k || k->id == KEYWORD_NOT || k->id == KEYWORD_IF) continue;
            for (uint32_t n = 0; (next = schema_in_place(k, &object->members[j].value, n)); n++) {
                struct schema_place to = schema_descend(s, from.scope, next);
                if (to.node < NODE_FALSE && takes(s, to.node, type) && !add_place(s, out, to))
                    return false;
            }
            struct schema_place to = schema_follow(s, from, (enum keyword)k->id);
            if (to.node < NODE_FALSE && takes(s, to.node, type) && !add_place(s, out, to))
                return false;
        }
    }
    return !s->arena->failed;
}

/* A keyword that speaks of a child, and where in its list or map. */
struct saying {
    uint32_t node;
    const struct json_member *member, *key;
    uint32_t index;
    struct schema_place place; /* of the child's schema */
};

typedef void (*hear_fn)(void *ctx, const struct saying *saying);

static void say(struct json_schema *s, struct schema_place from, const struct json_member *member,
                const struct json_member *key, uint32_t index, const struct json_value *child,
                hear_fn hear, void *ctx) {
    struct saying x = {from.node, member, key, index, schema_descend(s, from.scope, child)};
    hear(ctx, &x);
}

static bool pattern_has(struct json_schema *s, const struct json_member *m, const struct step *to) {
    uint32_t id = schema_find_pattern(s, m->name, m->name_length);
    return id != UINT32_MAX && regex_matches(goal_store_regex(s->goals), s->patterns.data[id].term,
                                             (const unsigned char *)to->name, to->length);
}

/* The members of `properties` and `patternProperties` that speak of the name. */
static bool say_members(struct json_schema *s, struct schema_place from, const struct step *to,
                        hear_fn hear, void *ctx) {
    const struct json_member *m = NULL;
    const struct json_value *v = keyword_of(s, from.node, KEYWORD_PROPERTIES, &m), *child;
    bool any = false;
    if ((child = json_find_n(v, to->name, to->length))) {
        const char *base = (const char *)child - offsetof(struct json_member, value);
        say(s, from, m, (const struct json_member *)(const void *)base, NO_INDEX, child, hear, ctx);
        any = true;
    }
    v = keyword_of(s, from.node, KEYWORD_PATTERN_PROPERTIES, &m);
    for (uint32_t i = 0; v && i < v->count; i++) {
        if (!pattern_has(s, &v->members[i], to)) continue;
        say(s, from, m, &v->members[i], NO_INDEX, &v->members[i].value, hear, ctx);
        any = true;
    }
    return any;
}

static void say_child(struct json_schema *s, struct schema_place from, const struct step *to,
                      hear_fn hear, void *ctx) {
    static const enum keyword others[2][2] = {
        {KEYWORD_ADDITIONAL_PROPERTIES, KEYWORD_UNEVALUATED_PROPERTIES},
        {KEYWORD_ADDITIONAL_ITEMS, KEYWORD_UNEVALUATED_ITEMS}};
    const struct json_member *m = NULL;
    const struct json_value *v;
    bool any = false;
    if (to->name) {
        any = say_members(s, from, to, hear, ctx);
    } else {
        v = keyword_of(s, from.node, KEYWORD_PREFIX_ITEMS, &m);
        bool list = v != NULL;
        if (!v) v = keyword_of(s, from.node, KEYWORD_ITEMS, &m);
        list |= v && v->kind == JSON_ARRAY;
        if (list && to->index < v->count) {
            say(s, from, m, NULL, to->index, &v->items[to->index], hear, ctx);
            any = true;
        } else if (list) {
            v = keyword_of(s, from.node, KEYWORD_ITEMS, &m);
        }
        if (!any && v && v->kind != JSON_ARRAY) {
            say(s, from, m, NULL, NO_INDEX, v, hear, ctx);
            any = true;
        }
    }
    for (int i = 0; i < 2 && !any; i++) {
        v = keyword_of(s, from.node, others[to->name ? 0 : 1][i], &m);
        if (!v) continue;
        say(s, from, m, NULL, NO_INDEX, v, hear, ctx);
        any = true;
    }
}

/* ---- branches that were left ---------------------------------------------------------------- */

/* The schema nodes that a goal names. */
struct named {
    struct json_schema *s;
    ARENA_VEC(goal_id) goals;
    struct table seen;
    bool any;
};

static bool name_goals(struct named *n, goal_id g) {
    struct arena *a = n->s->arena;
    if (!table_init(&n->seen, a, 64) || !ARENA_VEC_GROW(a, &n->goals)) return false;
    n->goals.data[n->goals.count++] = g;
    for (uint32_t i = 0; i < n->goals.count; i++) {
        struct goal_node x = *goal_get(n->s->goals, n->goals.data[i]);
        n->any |= x.kind == GOAL_KIND_REF;
        for (uint32_t k = 0; k < x.n_kids; k++) {
            bool known = false;
            for (struct table_probe p = table_probe(&n->seen, fa_hash_mix(1, x.kids[k]));
                 !known && table_next(&n->seen, &p);)
                known = p.id == x.kids[k];
            if (known) continue;
            if (!table_add(&n->seen, fa_hash_mix(1, x.kids[k]), x.kids[k]) ||
                !ARENA_VEC_GROW(a, &n->goals))
                return false;
            n->goals.data[n->goals.count++] = x.kids[k];
        }
    }
    return true;
}

/* Is the place named? Where nothing is, or the place says nothing, one cannot tell. */
static bool is_named(const struct named *n, struct schema_place place) {
    if (!n->any || place.node >= NODE_FALSE) return true;
    goal_id g = schema_place_goal(n->s, place);
    const struct goal_node *x = goal_get(n->s->goals, g);
    if (x->kind != GOAL_KIND_REF) return true;
    uint32_t node = x->a;
    for (uint32_t i = 0; i < n->goals.count; i++) {
        x = goal_get(n->s->goals, n->goals.data[i]);
        if (x->kind == GOAL_KIND_REF && x->a == node) return true;
    }
    return false;
}

struct gather {
    struct json_schema *s;
    struct level *out;
    const struct named *named;
};

static void gather_place(void *ctx, const struct saying *x) {
    const struct gather *g = ctx;
    if (is_named(g->named, x->place)) add_place(g->s, g->out, x->place);
}

/* The schemas of a child whose goal is `goal`. */
static bool descend(struct in_play *p, const struct level *from, const struct step *step,
                    goal_id goal, struct level *to) {
    struct named named = {.s = p->s};
    if (!name_goals(&named, goal)) return false;
    struct gather g = {p->s, to, &named};
    for (uint32_t i = 0; i < from->places.count; i++)
        say_child(p->s, from->places.data[i], step, gather_place, &g);
    return !p->s->arena->failed;
}

/* ---- making -------------------------------------------------------------------------------- */

static void note_distance(struct in_play *p, const struct level *l, uint32_t distance) {
    for (uint32_t i = 0; i < l->places.count; i++) {
        uint32_t *d = &p->distances[l->places.data[i].node];
        if (distance < *d) *d = distance;
    }
}

static goal_id goal_at(const struct in_play *p, size_t level) {
    return level < p->n_goals ? p->goals[level] : GOAL_TRUE;
}

/* From the root to the value where the text stands. */
static bool settle(struct in_play *p) {
    struct json_schema *s = p->s;
    struct level seeds = {.is_array = false};
    uint32_t n = p->levels.count;
    if (!add_place(s, &seeds, schema_descend(s, 0, s->root))) return false;
    for (uint32_t i = 0; i < n; i++) {
        struct level *l = &p->levels.data[i];
        if (!go_in_place(s, &seeds, l->is_array ? TYPE_ARRAY : TYPE_OBJECT, l)) return false;
        note_distance(p, l, n - i);
        seeds.places.count = 0;
        if (i + 1 < n && !descend(p, l, &l->step, goal_at(p, i + 1), &seeds)) return false;
    }
    if (!p->in_value) return true;
    if (n && !descend(p, top(p), &top(p)->step, goal_at(p, n), &seeds)) return false;
    p->value = seeds;
    struct level all = {.is_array = false};
    if (!go_in_place(s, &seeds, TYPE_COUNT, &all)) return false;
    note_distance(p, &all, 0);
    return true;
}

struct in_play *in_play_new(struct json_schema *s, struct json_machine *m, struct state state,
                            const char *text, size_t length) {
    struct in_play *p = arena_push(s->arena, sizeof *p);
    struct scan scan = {p, text, length, 0, false};
    if (!p) return NULL;
    p->s = s;
    p->m = m;
    p->distances = arena_push_array(s->arena, s->nodes.count + (size_t)1, sizeof *p->distances);
    if (!p->distances) return NULL;
    memset(p->distances, 0xFF, s->nodes.count * sizeof *p->distances);
    if (!scan_text(&scan)) return NULL;
    size_t room = p->levels.count + (size_t)1;
    p->goals = arena_push_array(s->arena, room, sizeof *p->goals);
    if (!p->goals) return NULL;
    p->n_goals = json_machine_open_goals(m, state, p->goals, room);
    return settle(p) ? p : NULL;
}

uint32_t in_play_distance(const struct in_play *p, uint32_t node) {
    return p->distances[node];
}

/* ---- rules --------------------------------------------------------------------------------- */

static void put(struct in_play *p, uint32_t node, const struct json_member *member,
                const struct json_member *key, uint32_t index) {
    if (p->n_out < p->capacity)
        p->out[p->n_out++] = schema_pointer(p->s, p->s->arena, node, member, key, index);
}

static void put_keywords(struct in_play *p, const struct level *l, const enum keyword *ids,
                         size_t n) {
    for (uint32_t i = 0; i < l->places.count; i++) {
        uint32_t node = l->places.data[i].node;
        const struct json_value *object = p->s->nodes.data[node].value;
        for (uint32_t j = 0; j < object->count; j++) {
            const struct keyword_info *k = schema_effect(p->s, node, &object->members[j]);
            for (size_t x = 0; k && x < n; x++)
                if (k->id == ids[x]) put(p, node, &object->members[j], NULL, NO_INDEX);
        }
    }
}

#define PUT_KEYWORDS(p, level, ...)                                                                \
    put_keywords(p, level, (const enum keyword[]){__VA_ARGS__},                                    \
                 sizeof((const enum keyword[]){__VA_ARGS__}) / sizeof(enum keyword))

/* What the value's schemas say of values of the type; `begun`: of one that is being read. */
static void put_value(struct in_play *p, unsigned type, bool begun) {
    struct level l = {.is_array = false};
    if (!go_in_place(p->s, &p->value, type, &l)) return;
    if (!begun) PUT_KEYWORDS(p, &l, KEYWORD_TYPE);
    PUT_KEYWORDS(p, &l, KEYWORD_ENUM, KEYWORD_CONST);
    if (type == TYPE_STRING)
        PUT_KEYWORDS(p, &l, KEYWORD_PATTERN, KEYWORD_FORMAT, KEYWORD_MIN_LENGTH, KEYWORD_MAX_LENGTH,
                     KEYWORD_CONTENT_ENCODING, KEYWORD_CONTENT_MEDIA_TYPE);
    if (type == TYPE_NUMBER && begun) PUT_KEYWORDS(p, &l, KEYWORD_TYPE);
    if (type == TYPE_NUMBER)
        PUT_KEYWORDS(p, &l, KEYWORD_MINIMUM, KEYWORD_MAXIMUM, KEYWORD_EXCLUSIVE_MINIMUM,
                     KEYWORD_EXCLUSIVE_MAXIMUM, KEYWORD_MULTIPLE_OF);
}

struct telling {
    struct in_play *p;
    const struct named *named;
};

static void tell_child(void *ctx, const struct saying *x) {
    const struct telling *t = ctx;
    if (x->place.node != NODE_FALSE && is_named(t->named, x->place))
        put(t->p, x->node, x->member, x->key, x->index);
}

static void put_child(struct in_play *p, const struct step *step, goal_id goal) {
    const struct level *l = top(p);
    struct named named = {.s = p->s};
    struct telling t = {p, &named};
    if (!l || !name_goals(&named, goal)) return;
    for (uint32_t i = 0; i < l->places.count; i++)
        say_child(p->s, l->places.data[i], step, tell_child, &t);
}

static void put_names(struct in_play *p) {
    if (top(p))
        PUT_KEYWORDS(p, top(p), KEYWORD_PROPERTIES, KEYWORD_PATTERN_PROPERTIES,
                     KEYWORD_ADDITIONAL_PROPERTIES, KEYWORD_PROPERTY_NAMES,
                     KEYWORD_UNEVALUATED_PROPERTIES);
}

size_t in_play_rules(struct in_play *p, const struct next_item *item, const char **pointers,
                     size_t capacity) {
    struct step step = {item->name, item->name_length, 0};
    p->out = pointers;
    p->n_out = 0;
    p->capacity = capacity;
    switch (item->kind) {
    case NEXT_VALUE: put_value(p, item->type, false); break;
    case NEXT_MEMBER: put_child(p, &step, item->goal); break;
    case NEXT_OTHER_MEMBER:
        if (item->name) put_child(p, &step, item->goal);
        if (top(p)) PUT_KEYWORDS(p, top(p), KEYWORD_PROPERTY_NAMES);
        break;
    case NEXT_ITEM:
        step = (struct step){NULL, 0, top(p) ? top(p)->step.index + 1 : 0};
        put_child(p, &step, item->goal);
        break;
    case NEXT_CHARACTER:
    case NEXT_ESCAPE:
    case NEXT_QUOTE:
        if (item->in_key)
            put_names(p);
        else
            put_value(p, TYPE_STRING, true);
        break;
    case NEXT_REST:
        if (item->is_string) put_value(p, TYPE_STRING, true);
        break;
    case NEXT_DIGIT:
    case NEXT_NUMBER_END: put_value(p, TYPE_NUMBER, true); break;
    default: break;
    }
    return p->n_out;
}
