/* SPDX-License-Identifier: MIT
 *
 * A schema object and a type to the goal that a value of that type must meet. Keywords of other
 * types are left out, subschemas become REF goals, so every build ends after one object.
 *
 * "All children in K meet G" is written not(count(K, not G, 1)), "at most m" not(count(.., m + 1)).
 * Equality with an array or object: as many children, and each at its place equal.
 */
#include "schema/internal.h"
#include "schema/json_content.h"

#include <string.h>

/* ---- goals of subschemas --------------------------------------------------------------------- */

goal_id schema_place_goal(struct json_schema *s, struct schema_place place) {
    /* A node with a `$ref` only is its target. Chains longer than this, and those that run in a
     * circle, are left to the goal store, which knows cycles. */
    for (int steps = 0; steps < 16; steps++) {
        if (place.node == NODE_TRUE) return GOAL_TRUE;
        if (place.node == NODE_FALSE) return GOAL_FALSE;
        if (place.node == NODE_NONE) return GOAL_FALSE; /* not after a successful load */
        if (s->nodes.data[place.node].plain) return GOAL_TRUE;
        if (!s->nodes.data[place.node].only_ref) break;
        place = schema_follow(s, place, KEYWORD_REF);
    }
    if (place.node >= NODE_FALSE) return place.node == NODE_TRUE ? GOAL_TRUE : GOAL_FALSE;
    return goal_ref(s->goals, s->nodes.data[place.node].canonical, place.scope);
}

goal_id schema_goal(struct json_schema *s, const struct json_value *value, uint32_t scope) {
    return schema_place_goal(s, schema_descend(s, scope, value));
}

/* Conjuncts and alternatives are gathered on a stack, so that builds may nest. */
static void add(struct json_schema *s, goal_id g) {
    if (ARENA_VEC_GROW(s->arena, &s->kids)) s->kids.data[s->kids.count++] = g;
}

static goal_id take(struct json_schema *s, uint32_t base,
                    goal_id (*join)(struct goal_store *, const goal_id *, size_t)) {
    const goal_id *kids = s->kids.data ? s->kids.data + base : NULL; /* none was ever made */
    goal_id g = s->arena->failed ? GOAL_FALSE : join(s->goals, kids, s->kids.count - base);
    s->kids.count = base;
    return g;
}

static void add_all_keys(struct json_schema *s, uint32_t keys, goal_id g) {
    if (g != GOAL_TRUE) add(s, goal_count_keys(s->goals, keys, goal_not(s->goals, g), 1, false));
}

static void add_all_items(struct json_schema *s, uint64_t first, uint64_t last, goal_id g) {
    if (g != GOAL_TRUE)
        add(s, goal_count_items(s->goals, first, last, goal_not(s->goals, g), 1, false));
}

/* Exactly n members or items. */
static void add_size(struct json_schema *s, enum value_type t, uint64_t n) {
    struct goal_store *g = s->goals;
    if (t == TYPE_OBJECT) { /* each of the n names is needed anyway */
        add(s, goal_count_keys(g, KEY_CLASS_ALL, GOAL_TRUE, n + 1, false));
    } else {
        add(s, goal_count_items(g, 0, INDEX_UNBOUNDED, GOAL_TRUE, n, true));
        add(s, goal_count_items(g, 0, INDEX_UNBOUNDED, GOAL_TRUE, n + 1, false));
    }
}

static uint32_t name_class(struct json_schema *s, const char *name, size_t length) {
    return key_class_name(s->goals, goal_name(s->goals, name, length));
}

/* ---- equality with a value ------------------------------------------------------------------- */

static enum value_type type_of(const struct json_value *v) {
    static const enum value_type types[] = {
        [JSON_NULL] = TYPE_NULL,     [JSON_FALSE] = TYPE_BOOLEAN, [JSON_TRUE] = TYPE_BOOLEAN,
        [JSON_NUMBER] = TYPE_NUMBER, [JSON_STRING] = TYPE_STRING, [JSON_ARRAY] = TYPE_ARRAY,
        [JSON_OBJECT] = TYPE_OBJECT};
    return types[v->kind];
}

static goal_id with_type(struct json_schema *s, enum value_type t, goal_id g) {
    return goal_and2(s->goals, goal_type(s->goals, TYPE_BIT(t)), g);
}

static goal_id scalar_equality(struct json_schema *s, const struct json_value *v) {
    goal_id g = GOAL_TRUE;
    switch (v->kind) {
    case JSON_FALSE:
    case JSON_TRUE: g = goal_boolean(s->goals, v->kind == JSON_TRUE); break;
    case JSON_NUMBER:
        g = goal_number(s->goals, numset_values(goal_store_numbers(s->goals), &v->number, 1));
        break;
    case JSON_STRING:
        g = goal_string(s->goals, regex_literal(goal_store_regex(s->goals),
                                                (const unsigned char *)v->text, v->length));
        break;
    default: break;
    }
    return with_type(s, type_of(v), g);
}

static void open_equality(struct json_schema *s, const struct json_value *v) {
    if (!ARENA_VEC_GROW(s->arena, &s->equality)) return;
    s->equality.data[s->equality.count++] = (struct equality_frame){v, 0, s->kids.count};
    add_size(s, type_of(v), v->count);
}

/* Not recursive: constants may nest as deep as the text. */
static goal_id equality(struct json_schema *s, const struct json_value *v) {
    if (v->kind != JSON_ARRAY && v->kind != JSON_OBJECT) return scalar_equality(s, v);
    uint32_t bottom = s->equality.count;
    open_equality(s, v);
    while (!s->arena->failed) {
        struct equality_frame *f = &s->equality.data[s->equality.count - 1];
        goal_id done;
        if (f->next < f->value->count) {
            uint32_t i = f->next++;
            const struct json_value *child =
                f->value->kind == JSON_ARRAY ? &f->value->items[i] : &f->value->members[i].value;
            if (child->kind == JSON_ARRAY || child->kind == JSON_OBJECT) {
                open_equality(s, child);
                continue;
            }
            done = scalar_equality(s, child);
        } else {
            enum value_type t = type_of(f->value);
            uint32_t base = f->base;
            s->equality.count--;
            done = with_type(s, t, take(s, base, goal_and));
            if (s->equality.count == bottom) return done;
            f = &s->equality.data[s->equality.count - 1];
        }
        uint32_t at = f->next - 1;
        if (f->value->kind == JSON_ARRAY) {
            add_all_items(s, at, at, done);
        } else {
            const struct json_member *m = &f->value->members[at];
            uint32_t keys = name_class(s, m->name, m->name_length);
            add(s, goal_count_keys(s->goals, keys, done, 1, true));
        }
    }
    s->equality.count = bottom;
    return GOAL_FALSE;
}

/* One set for all strings. */
static goal_id one_of_strings(struct json_schema *s, const struct json_value *values, uint32_t n) {
    const unsigned char **texts = arena_push_array(s->arena, n, sizeof *texts);
    size_t *lengths = arena_push_array(s->arena, n, sizeof *lengths), count = 0;
    if (!texts || !lengths) return GOAL_FALSE;
    for (uint32_t i = 0; i < n; i++) {
        if (values[i].kind != JSON_STRING) continue;
        texts[count] = (const unsigned char *)values[i].text;
        lengths[count++] = values[i].length;
    }
    if (!count) return GOAL_FALSE;
    return goal_string(s->goals,
                       regex_literal_set(goal_store_regex(s->goals), texts, lengths, count));
}

/* One set for all numbers. */
static goal_id one_of_numbers(struct json_schema *s, const struct json_value *values, uint32_t n) {
    struct decimal *numbers = arena_push_array(s->arena, n, sizeof *numbers);
    size_t count = 0;
    if (!numbers) return GOAL_FALSE;
    for (uint32_t i = 0; i < n; i++)
        if (values[i].kind == JSON_NUMBER) numbers[count++] = values[i].number;
    if (!count) return GOAL_FALSE;
    return goal_number(s->goals, numset_values(goal_store_numbers(s->goals), numbers, count));
}

/* A value of type t that is one of n. */
static goal_id one_of_values(struct json_schema *s, const struct json_value *values, uint32_t n,
                             enum value_type t) {
    if (t == TYPE_STRING) return one_of_strings(s, values, n);
    if (t == TYPE_NUMBER) return one_of_numbers(s, values, n);
    uint32_t base = s->kids.count;
    for (uint32_t i = 0; i < n; i++)
        if (type_of(&values[i]) == t) add(s, equality(s, &values[i]));
    return take(s, base, goal_or);
}

/* ---- keywords -------------------------------------------------------------------------------- */

/* The keywords of one node, by id; NULL where there is none. */
struct keywords {
    struct schema_place place;
    const struct json_value *value[KEYWORD_COUNT];
};

static struct keywords gather(const struct json_schema *s, uint32_t node, uint32_t scope) {
    struct keywords k;
    const struct json_value *object = s->nodes.data[node].value;
    memset(&k, 0, sizeof k);
    k.place = (struct schema_place){node, scope};
    for (uint32_t i = 0; i < object->count; i++) {
        const struct keyword_info *info = schema_effect(s, node, &object->members[i]);
        if (info) k.value[info->id] = &object->members[i].value;
    }
    return k;
}

/* The goal of a subschema. */
static goal_id below(struct json_schema *s, const struct keywords *k,
                     const struct json_value *value) {
    return schema_goal(s, value, k->place.scope);
}

static bool type_name_is(const struct json_value *v, const char *name) {
    return v->length == strlen(name) && memcmp(v->text, name, v->length) == 0;
}

enum type_answer { TYPE_NO, TYPE_YES, TYPE_INTEGER_ONLY };

/* Does `type` admit t? */
static enum type_answer admits_type(const struct json_value *v, enum value_type t) {
    static const char *const names[TYPE_COUNT] = {
        [TYPE_NULL] = "null",     [TYPE_BOOLEAN] = "boolean", [TYPE_STRING] = "string",
        [TYPE_NUMBER] = "number", [TYPE_ARRAY] = "array",     [TYPE_OBJECT] = "object"};
    const struct json_value *list = v->kind == JSON_ARRAY ? v->items : v;
    uint32_t n = v->kind == JSON_ARRAY ? v->count : 1;
    enum type_answer answer = TYPE_NO;
    for (uint32_t i = 0; i < n; i++) {
        if (type_name_is(&list[i], names[t])) return TYPE_YES;
        if (t == TYPE_NUMBER && type_name_is(&list[i], "integer")) answer = TYPE_INTEGER_ONLY;
    }
    return answer;
}

/* A multiple of 1; in draft 4 a matter of the spelling: "1.0" is none. */
static void add_integer(struct json_schema *s, const struct keywords *k) {
    static const unsigned char digit[] = {1};
    const struct decimal one = {.digits = digit, .n_digits = 1, .exponent = 1};
    struct number_store *numbers = goal_store_numbers(s->goals);
    bool spelling = schema_dialect(s, k->place.node) == DIALECT_4;
    add(s, goal_number(s->goals, spelling ? numset_written_whole(numbers)
                                          : numset_multiple_of(numbers, &one)));
}

static goal_id goal_exactly_one(struct goal_store *s, const goal_id *kids, size_t n) {
    return goal_one(s, 0, kids, n, true);
}

/* (not if or then) and (if or else) */
static void build_condition(struct json_schema *s, const struct keywords *k) {
    const struct json_value *yes = k->value[KEYWORD_THEN], *no = k->value[KEYWORD_ELSE];
    goal_id condition = below(s, k, k->value[KEYWORD_IF]);
    if (yes) add(s, goal_or2(s->goals, goal_not(s->goals, condition), below(s, k, yes)));
    if (no) add(s, goal_or2(s->goals, condition, below(s, k, no)));
}

/* Keywords of every type. False: no value of type t. */
static bool build_any(struct json_schema *s, const struct keywords *k, enum value_type t) {
    static const enum keyword references[] = {KEYWORD_REF, KEYWORD_DYNAMIC_REF,
                                              KEYWORD_RECURSIVE_REF};
    const struct json_value *v;
    if ((v = k->value[KEYWORD_TYPE])) {
        enum type_answer answer = admits_type(v, t);
        const struct json_value *nullable = k->value[KEYWORD_NULLABLE];
        if (t == TYPE_NULL && nullable && nullable->kind == JSON_TRUE) answer = TYPE_YES;
        if (answer == TYPE_NO) return false;
        if (answer == TYPE_INTEGER_ONLY) add_integer(s, k);
    }
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (k->value[references[i]])
            add(s, schema_place_goal(s, schema_follow(s, k->place, references[i])));
    if ((v = k->value[KEYWORD_ENUM])) add(s, one_of_values(s, v->items, v->count, t));
    if ((v = k->value[KEYWORD_CONST])) add(s, one_of_values(s, v, 1, t));
    if ((v = k->value[KEYWORD_ALL_OF]))
        for (uint32_t i = 0; i < v->count; i++) add(s, below(s, k, &v->items[i]));
    if ((v = k->value[KEYWORD_ANY_OF])) {
        uint32_t base = s->kids.count;
        for (uint32_t i = 0; i < v->count; i++) add(s, below(s, k, &v->items[i]));
        add(s, take(s, base, goal_or));
    }
    if ((v = k->value[KEYWORD_ONE_OF])) {
        uint32_t base = s->kids.count;
        for (uint32_t i = 0; i < v->count; i++) add(s, below(s, k, &v->items[i]));
        add(s, take(s, base, goal_exactly_one));
    }
    if ((v = k->value[KEYWORD_NOT])) add(s, goal_not(s->goals, below(s, k, v)));
    if ((v = k->value[KEYWORD_IF])) build_condition(s, k);
    return true;
}

static void add_number(struct json_schema *s, numset_id set, bool sign) {
    struct number_store *numbers = goal_store_numbers(s->goals);
    add(s, goal_number(s->goals, sign ? set : numset_not(numbers, set)));
}

static void build_number(struct json_schema *s, const struct keywords *k) {
    struct number_store *n = goal_store_numbers(s->goals);
    const struct json_value *low = k->value[KEYWORD_MINIMUM], *high = k->value[KEYWORD_MAXIMUM];
    const struct json_value *above = k->value[KEYWORD_EXCLUSIVE_MINIMUM];
    const struct json_value *below = k->value[KEYWORD_EXCLUSIVE_MAXIMUM];
    const struct json_value *step = k->value[KEYWORD_MULTIPLE_OF];
    /* In draft 4 the exclusive forms are booleans that sharpen their neighbours. */
    bool sharp_low = above && above->kind == JSON_TRUE;
    bool sharp_high = below && below->kind == JSON_TRUE;
    if (low)
        add_number(s, sharp_low ? numset_above(n, &low->number) : numset_at_least(n, &low->number),
                   true);
    if (high)
        add_number(s,
                   sharp_high ? numset_at_least(n, &high->number) : numset_above(n, &high->number),
                   false);
    if (above && above->kind == JSON_NUMBER) add_number(s, numset_above(n, &above->number), true);
    if (below && below->kind == JSON_NUMBER)
        add_number(s, numset_at_least(n, &below->number), false);
    if (step) add_number(s, numset_multiple_of(n, &step->number), true);
}

/* A size keyword's value; false where it is absent or restricts nothing. */
static bool size_of(const struct keywords *k, enum keyword id, uint64_t *n) {
    return k->value[id] && decimal_to_u64(&k->value[id]->number, n) && *n < UINT64_MAX - 1;
}

/* Load compiled every pattern. */
static term_id pattern_term(const struct json_schema *s, const char *text, size_t length) {
    uint32_t id = schema_find_pattern(s, text, length);
    return id == UINT32_MAX ? TERM_NONE : s->patterns.data[id].term;
}

static void build_string(struct json_schema *s, const struct keywords *k) {
    struct regex_store *r = goal_store_regex(s->goals);
    uint64_t n;
    if (size_of(k, KEYWORD_MIN_LENGTH, &n) && n)
        add(s, goal_string(s->goals, regex_min_length(r, n)));
    if (size_of(k, KEYWORD_MAX_LENGTH, &n))
        add(s, goal_string(s->goals, regex_not(r, regex_min_length(r, n + 1))));
    const struct json_value *pattern = k->value[KEYWORD_PATTERN];
    if (pattern) add(s, goal_string(s->goals, pattern_term(s, pattern->text, pattern->length)));
    const struct json_value *format = k->value[KEYWORD_FORMAT];
    if (format) {
        enum format f = format_find(format->text, format->length);
        add(s, goal_string(s->goals, format_term(r, &s->formats, f)));
    }
    if (k->value[KEYWORD_CONTENT_MEDIA_TYPE])
        add(s, goal_string(s->goals, json_content_term(r, s->max_nesting)));
    if (k->value[KEYWORD_CONTENT_ENCODING])
        add(s, goal_string(s->goals, pattern_term(s, BASE64_PATTERN, sizeof BASE64_PATTERN - 1)));
}

term_id schema_names(struct json_schema *s, const struct json_value *properties,
                     const struct json_value *patterns) {
    uint32_t n = properties ? properties->count : 0, n_patterns = patterns ? patterns->count : 0;
    const unsigned char **texts = arena_push_array(s->arena, n, sizeof *texts);
    size_t *lengths = arena_push_array(s->arena, n, sizeof *lengths);
    term_id *terms = arena_push_array(s->arena, n_patterns + (size_t)1, sizeof *terms);
    if (!texts || !lengths || !terms) return TERM_NONE;
    for (uint32_t i = 0; i < n; i++) {
        texts[i] = (const unsigned char *)properties->members[i].name;
        lengths[i] = properties->members[i].name_length;
    }
    struct regex_store *r = goal_store_regex(s->goals);
    for (uint32_t i = 0; i < n_patterns; i++)
        terms[i] = pattern_term(s, patterns->members[i].name, patterns->members[i].name_length);
    terms[n_patterns] = regex_literal_set(r, texts, lengths, n);
    return regex_or(r, terms, n_patterns + (size_t)1);
}

/* All the other names. */
static uint32_t additional_class(struct json_schema *s, const struct json_value *properties,
                                 const struct json_value *patterns) {
    term_id names = schema_names(s, properties, patterns);
    return key_class_term(s->goals, regex_not(goal_store_regex(s->goals), names));
}

static void build_properties(struct json_schema *s, const struct keywords *k) {
    const struct json_value *properties = k->value[KEYWORD_PROPERTIES];
    const struct json_value *patterns = k->value[KEYWORD_PATTERN_PROPERTIES];
    const struct json_value *rest = k->value[KEYWORD_ADDITIONAL_PROPERTIES];
    for (uint32_t i = 0; properties && i < properties->count; i++) {
        const struct json_member *m = &properties->members[i];
        add_all_keys(s, name_class(s, m->name, m->name_length), below(s, k, &m->value));
    }
    for (uint32_t i = 0; patterns && i < patterns->count; i++) {
        const struct json_member *m = &patterns->members[i];
        term_id names = pattern_term(s, m->name, m->name_length);
        add_all_keys(s, key_class_term(s->goals, names), below(s, k, &m->value));
    }
    if (rest) {
        goal_id g = below(s, k, rest);
        if (g != GOAL_TRUE) add_all_keys(s, additional_class(s, properties, patterns), g);
    }
}

static goal_id has(struct json_schema *s, const char *name, size_t length) {
    return goal_count_keys(s->goals, name_class(s, name, length), GOAL_TRUE, 1, true);
}

static void add_required(struct json_schema *s, const struct json_value *names) {
    for (uint32_t i = 0; names && i < names->count; i++)
        add(s, has(s, names->items[i].text, names->items[i].length));
}

/* For each member: it is absent, or what stands there holds: names that must come too, or a
 * schema of the whole object. */
static void build_dependencies(struct json_schema *s, const struct keywords *k, enum keyword id) {
    const struct json_value *map = k->value[id];
    for (uint32_t i = 0; map && i < map->count; i++) {
        const struct json_member *m = &map->members[i];
        uint32_t base = s->kids.count;
        if (m->value.kind == JSON_ARRAY)
            add_required(s, &m->value);
        else
            add(s, below(s, k, &m->value));
        goal_id then = take(s, base, goal_and);
        goal_id absent = goal_not(s->goals, has(s, m->name, m->name_length));
        add(s, goal_or2(s->goals, absent, then));
    }
}

static void add_unevaluated(struct json_schema *s, const struct keywords *k, enum keyword id,
                            enum value_type t) {
    if (!k->value[id]) return;
    goal_id g = below(s, k, k->value[id]);
    if (g != GOAL_TRUE) add(s, schema_unevaluated(s, k->place, t, g));
}

static void build_object(struct json_schema *s, const struct keywords *k) {
    const struct json_value *names = k->value[KEYWORD_PROPERTY_NAMES];
    struct goal_store *g = s->goals;
    uint64_t n;
    build_properties(s, k);
    add_required(s, k->value[KEYWORD_REQUIRED]);
    build_dependencies(s, k, KEYWORD_DEPENDENCIES);
    build_dependencies(s, k, KEYWORD_DEPENDENT_REQUIRED);
    build_dependencies(s, k, KEYWORD_DEPENDENT_SCHEMAS);
    if (names) {
        term_id allowed = goal_to_term(g, goal_specialise(g, below(s, k, names), TYPE_STRING));
        uint32_t others = key_class_term(g, regex_not(goal_store_regex(g), allowed));
        add_all_keys(s, others, GOAL_FALSE);
    }
    if (size_of(k, KEYWORD_MIN_PROPERTIES, &n))
        add(s, goal_count_keys(g, KEY_CLASS_ALL, GOAL_TRUE, n, true));
    if (size_of(k, KEYWORD_MAX_PROPERTIES, &n))
        add(s, goal_count_keys(g, KEY_CLASS_ALL, GOAL_TRUE, n + 1, false));
    add_unevaluated(s, k, KEYWORD_UNEVALUATED_PROPERTIES, TYPE_OBJECT);
}

void schema_item_keywords(const struct json_schema *s, uint32_t node,
                          const struct json_value **prefix, const struct json_value **rest) {
    struct keywords k = gather(s, node, 0);
    const struct json_value *items = k.value[KEYWORD_ITEMS];
    bool list = items && items->kind == JSON_ARRAY; /* before 2020-12 */
    *prefix = list ? items : k.value[KEYWORD_PREFIX_ITEMS];
    *rest = list ? k.value[KEYWORD_ADDITIONAL_ITEMS] : items;
}

static void build_contains(struct json_schema *s, const struct keywords *k) {
    const struct json_value *v = k->value[KEYWORD_CONTAINS];
    if (!v) return;
    goal_id g = below(s, k, v);
    uint64_t least = 1, most;
    size_of(k, KEYWORD_MIN_CONTAINS, &least);
    add(s, goal_count_items(s->goals, 0, INDEX_UNBOUNDED, g, least, true));
    if (size_of(k, KEYWORD_MAX_CONTAINS, &most))
        add(s, goal_count_items(s->goals, 0, INDEX_UNBOUNDED, g, most + 1, false));
}

static void build_array(struct json_schema *s, uint32_t node, const struct keywords *k) {
    const struct json_value *prefix, *rest;
    uint64_t n;
    schema_item_keywords(s, node, &prefix, &rest);
    for (uint32_t i = 0; prefix && i < prefix->count; i++)
        add_all_items(s, i, i, below(s, k, &prefix->items[i]));
    if (rest) add_all_items(s, prefix ? prefix->count : 0, INDEX_UNBOUNDED, below(s, k, rest));
    build_contains(s, k);
    const struct json_value *unique = k->value[KEYWORD_UNIQUE_ITEMS];
    if (unique && unique->kind == JSON_TRUE) add(s, goal_unique(s->goals));
    if (size_of(k, KEYWORD_MIN_ITEMS, &n) && n)
        add(s, goal_count_items(s->goals, 0, INDEX_UNBOUNDED, GOAL_TRUE, n, true));
    if (size_of(k, KEYWORD_MAX_ITEMS, &n))
        add(s, goal_count_items(s->goals, 0, INDEX_UNBOUNDED, GOAL_TRUE, n + 1, false));
    add_unevaluated(s, k, KEYWORD_UNEVALUATED_ITEMS, TYPE_ARRAY);
}

goal_id schema_expand(void *ctx, uint32_t node, uint32_t scope, enum value_type t) {
    struct json_schema *s = ctx;
    uint32_t base = s->kids.count;
    struct keywords k = gather(s, node, scope);
    if (!build_any(s, &k, t)) {
        s->kids.count = base;
        return GOAL_FALSE;
    }
    if (t == TYPE_NUMBER) build_number(s, &k);
    if (t == TYPE_STRING) build_string(s, &k);
    if (t == TYPE_OBJECT) build_object(s, &k);
    if (t == TYPE_ARRAY) build_array(s, node, &k);
    return take(s, base, goal_and);
}
