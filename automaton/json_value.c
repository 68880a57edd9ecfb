/* SPDX-License-Identifier: MIT */
#include "automaton/json_value.h"

#include <string.h>

#include "automaton/goal_internal.h"

struct list_node {
    value_list before;
    value_id item;
    uint32_t count, depth;
};

struct pair {
    uint32_t name;
    value_id value;
};

/* The goal of a set, by the set. */
struct set_goal {
    value_set set;
    goal_id goal;
};

/* Strings or numbers of 64 values with neighbouring ids, as one language or set. */
struct block_goal {
    uint32_t block;
    uint64_t present;
    term_id term;
    numset_id numbers;
};

struct value_store {
    struct goal_store *goals;
    struct arena *arena;
    struct name_set_store *sets;
    ARENA_VEC(struct json_value_record) values;
    struct table value_table;
    ARENA_VEC(struct list_node) lists;
    struct table list_table;
    ARENA_VEC(struct pair) pairs;
    struct table pair_table;
    ARENA_VEC(struct set_goal) set_goals;
    struct table set_goal_table;
    ARENA_VEC(struct block_goal) blocks;
    struct table block_table;
};

struct value_store *value_store_new(struct goal_store *goals, struct name_set_store *sets) {
    struct arena *arena = goal_store_arena(goals);
    struct value_store *s = arena_push(arena, sizeof *s);
    if (!s) return NULL;
    s->goals = goals;
    s->arena = arena;
    s->sets = sets;
    if (!table_init(&s->value_table, arena, 16) || !table_init(&s->list_table, arena, 16) ||
        !table_init(&s->pair_table, arena, 16) || !table_init(&s->set_goal_table, arena, 16) ||
        !table_init(&s->block_table, arena, 16) || !ARENA_VEC_GROW(arena, &s->values) ||
        !ARENA_VEC_GROW(arena, &s->lists) || !ARENA_VEC_GROW(arena, &s->pairs))
        return NULL;
    for (value_id v = VALUE_NONE; v <= VALUE_SOME; v++)
        s->values.data[s->values.count++] =
            (struct json_value_record){.type = TYPE_COUNT, .equal = GOAL_FALSE};
    s->lists.data[s->lists.count++] = (struct list_node){0}; /* id 0: the empty list */
    s->pairs.data[s->pairs.count++] = (struct pair){0};      /* id 0: none */
    return s;
}

const struct json_value_record *value_get(const struct value_store *s, value_id v) {
    return &s->values.data[v];
}

uint32_t value_count(const struct value_store *s) {
    return s->values.count;
}

/* ---- interning ------------------------------------------------------------------------------- */

static bool same_value(const struct json_value_record *a, const struct json_value_record *b) {
    if (a->type != b->type) return false;
    switch (a->type) {
    case TYPE_NULL: return true;
    case TYPE_BOOLEAN: return a->boolean == b->boolean;
    case TYPE_STRING: return a->name == b->name;
    case TYPE_NUMBER: return decimal_compare(&a->number, &b->number) == 0;
    case TYPE_ARRAY: return a->items == b->items;
    case TYPE_OBJECT: return a->members == b->members;
    case TYPE_COUNT: break;
    }
    return false;
}

static uint32_t hash_value(const struct json_value_record *v) {
    switch (v->type) {
    case TYPE_NULL: return 1;
    case TYPE_BOOLEAN: return fa_hash_mix(TYPE_BOOLEAN, v->boolean);
    case TYPE_STRING: return fa_hash_mix(TYPE_STRING, v->name);
    case TYPE_NUMBER: return fa_hash_mix(TYPE_NUMBER, decimal_hash(&v->number));
    case TYPE_ARRAY: return fa_hash_mix(TYPE_ARRAY, v->items);
    case TYPE_OBJECT: return fa_hash_mix(TYPE_OBJECT, v->members);
    case TYPE_COUNT: break;
    }
    return 0;
}

static value_id intern(struct value_store *s, struct json_value_record v) {
    uint32_t hash = hash_value(&v);
    for (struct table_probe p = table_probe(&s->value_table, hash);
         table_next(&s->value_table, &p);)
        if (same_value(&s->values.data[p.id], &v)) return p.id;
    if (v.type == TYPE_NUMBER) {
        v.number.digits = arena_push_copy(s->arena, v.number.digits, v.number.n_digits);
        if (!v.number.digits) return VALUE_NONE;
    }
    v.equal = GOAL_UNKNOWN;
    if (s->arena->failed || !ARENA_VEC_GROW(s->arena, &s->values) ||
        !table_add(&s->value_table, hash, s->values.count))
        return VALUE_NONE;
    s->values.data[s->values.count] = v;
    return s->values.count++;
}

value_id value_null(struct value_store *s) {
    return intern(s, (struct json_value_record){.type = TYPE_NULL});
}

value_id value_boolean(struct value_store *s, bool b) {
    return intern(s, (struct json_value_record){.type = TYPE_BOOLEAN, .boolean = b});
}

value_id value_string(struct value_store *s, const char *text, size_t length) {
    uint32_t name = goal_name(s->goals, text, length);
    return intern(s, (struct json_value_record){.type = TYPE_STRING, .name = name});
}

value_id value_number(struct value_store *s, const struct decimal *d) {
    return intern(s, (struct json_value_record){.type = TYPE_NUMBER, .number = *d});
}

value_id value_array(struct value_store *s, value_list items) {
    const struct list_node *l = &s->lists.data[items];
    return intern(
        s, (struct json_value_record){
               .type = TYPE_ARRAY, .items = items, .count = l->count, .depth = l->depth + 1});
}

value_list value_list_add(struct value_store *s, value_list list, value_id item) {
    uint32_t hash = fa_hash_mix(list, item);
    for (struct table_probe p = table_probe(&s->list_table, hash); table_next(&s->list_table, &p);)
        if (s->lists.data[p.id].before == list && s->lists.data[p.id].item == item) return p.id;
    if (!ARENA_VEC_GROW(s->arena, &s->lists) || !table_add(&s->list_table, hash, s->lists.count))
        return VALUE_LIST_EMPTY;
    struct list_node n = s->lists.data[list];
    uint32_t depth = s->values.data[item].depth;
    s->lists.data[s->lists.count] =
        (struct list_node){list, item, n.count + 1, depth > n.depth ? depth : n.depth};
    return s->lists.count++;
}

value_members value_members_add(struct value_store *s, value_members members, uint32_t name,
                                value_id value) {
    uint32_t hash = fa_hash_mix(name, value), id = 0;
    for (struct table_probe p = table_probe(&s->pair_table, hash);
         !id && table_next(&s->pair_table, &p);)
        if (s->pairs.data[p.id].name == name && s->pairs.data[p.id].value == value) id = p.id;
    if (!id) {
        if (!ARENA_VEC_GROW(s->arena, &s->pairs) ||
            !table_add(&s->pair_table, hash, s->pairs.count))
            return members;
        id = s->pairs.count++;
        s->pairs.data[id] = (struct pair){name, value};
    }
    return name_set_add(s->sets, members, id);
}

/* ---- reading --------------------------------------------------------------------------------- */

struct pair_list {
    const struct value_store *s;
    uint32_t *names;
    value_id *values;
    uint32_t n, depth;
};

static bool take_pair(void *ctx, uint32_t id) {
    struct pair_list *l = ctx;
    const struct pair *p = &l->s->pairs.data[id];
    uint32_t depth = l->s->values.data[p->value].depth;
    if (depth > l->depth) l->depth = depth;
    if (l->names) {
        l->names[l->n] = p->name;
        l->values[l->n] = p->value;
    }
    l->n++;
    return true;
}

value_id value_object(struct value_store *s, value_members members) {
    struct pair_list l = {.s = s};
    name_set_visit(s->sets, members, take_pair, &l);
    return intern(s,
                  (struct json_value_record){
                      .type = TYPE_OBJECT, .members = members, .count = l.n, .depth = l.depth + 1});
}

void value_items(const struct value_store *s, value_id v, value_id *items) {
    value_list at = s->values.data[v].items;
    for (uint32_t i = s->values.data[v].count; i > 0; at = s->lists.data[at].before)
        items[--i] = s->lists.data[at].item;
}

void value_pairs(const struct value_store *s, value_id v, uint32_t *names, value_id *values) {
    struct pair_list l = {.s = s, .names = names, .values = values};
    name_set_visit(s->sets, s->values.data[v].members, take_pair, &l);
}

void value_set_witness(struct value_store *s, value_id v, uint32_t witness) {
    s->values.data[v].witness = witness;
}

/* ---- goals ----------------------------------------------------------------------------------- */

static goal_id leaf(struct value_store *s, enum value_type t, const struct predicate *p,
                    bool sign) {
    return goal_leaf(s->goals, t, p, sign, false);
}

static term_id string_term(struct value_store *s, const struct json_value_record *v) {
    size_t length;
    const char *text = goal_name_text(s->goals, v->name, &length);
    return regex_literal(goal_store_regex(s->goals), (const unsigned char *)text, length);
}

/* Exactly these children, each equal to its own. */
static goal_id array_goal(struct value_store *s, value_id v, uint32_t n, goal_id *kids) {
    value_id *items = goal_scratch(s->goals, n);
    if (!items) return GOAL_FALSE;
    value_items(s, v, items);
    for (uint32_t i = 0; i < n; i++) {
        goal_id other = goal_not(s->goals, value_equal_goal(s, items[i]));
        kids[i] = goal_count_items(s->goals, i, i, other, 1, false);
    }
    kids[n] = goal_count_items(s->goals, 0, INDEX_UNBOUNDED, GOAL_TRUE, n, true);
    kids[n + 1] = goal_count_items(s->goals, 0, INDEX_UNBOUNDED, GOAL_TRUE, n + (uint64_t)1, false);
    kids[n + 2] = goal_type(s->goals, TYPE_BIT(TYPE_ARRAY));
    return goal_and(s->goals, kids, n + (size_t)3);
}

static goal_id object_goal(struct value_store *s, value_id v, uint32_t n, goal_id *kids) {
    uint32_t *names = goal_scratch(s->goals, n);
    value_id *values = goal_scratch(s->goals, n);
    if (!names || !values) return GOAL_FALSE;
    value_pairs(s, v, names, values);
    for (uint32_t i = 0; i < n; i++)
        kids[i] = goal_count_keys(s->goals, key_class_name(s->goals, names[i]),
                                  value_equal_goal(s, values[i]), 1, true);
    kids[n] = goal_count_keys(s->goals, KEY_CLASS_ALL, GOAL_TRUE, n + (uint64_t)1, false);
    kids[n + 1] = goal_type(s->goals, TYPE_BIT(TYPE_OBJECT));
    return goal_and(s->goals, kids, n + (size_t)2);
}

/* Recurses as deep as the value nests, which is no deeper than the text was allowed to. */
goal_id value_equal_goal(struct value_store *s, value_id v) {
    if (v == VALUE_NONE) return GOAL_FALSE;
    struct json_value_record r = s->values.data[v];
    if (r.equal != GOAL_UNKNOWN) return r.equal;
    size_t mark = goal_scratch_mark(s->goals);
    goal_id *kids = goal_scratch(s->goals, r.count + (size_t)3), g = GOAL_FALSE;
    struct predicate p = {.kind = PREDICATE_TRUE};
    if (!kids) return GOAL_FALSE;
    switch (r.type) {
    case TYPE_NULL: g = goal_type(s->goals, TYPE_BIT(TYPE_NULL)); break;
    case TYPE_BOOLEAN: g = leaf(s, TYPE_BOOLEAN, &p, r.boolean); break;
    case TYPE_STRING:
        p = (struct predicate){.kind = PREDICATE_STRING, .term = string_term(s, &r)};
        g = leaf(s, TYPE_STRING, &p, true);
        break;
    case TYPE_NUMBER:
        p = (struct predicate){.kind = PREDICATE_NUMBER,
                               .set = numset_values(goal_store_numbers(s->goals), &r.number, 1)};
        g = leaf(s, TYPE_NUMBER, &p, true);
        break;
    case TYPE_ARRAY: g = array_goal(s, v, r.count, kids); break;
    case TYPE_OBJECT: g = object_goal(s, v, r.count, kids); break;
    case TYPE_COUNT: break;
    }
    goal_scratch_pop(s->goals, mark);
    if (!s->arena->failed) s->values.data[v].equal = g;
    return g;
}

/* ---- goals of sets --------------------------------------------------------------------------- */

/* A set is taken in blocks of 64 ids: items are interned as they are read, so a set that grows by
 * one value differs from the one before in one block, and only that is made anew. */
struct set_parts {
    struct value_store *s;
    uint64_t *present; /* by block: which strings and numbers */
    uint32_t n_blocks;
    goal_id *others; /* of all else */
    size_t n_others;
};

static bool take_value(void *ctx, uint32_t v) {
    struct set_parts *x = ctx;
    enum value_type t = x->s->values.data[v].type;
    if (t == TYPE_STRING || t == TYPE_NUMBER)
        x->present[v / 64] |= UINT64_C(1) << v % 64;
    else if (x->others)
        x->others[x->n_others++] = value_equal_goal(x->s, v);
    else
        x->n_others++;
    return true;
}

static struct block_goal make_block(struct value_store *s, uint32_t block, uint64_t present) {
    const unsigned char *texts[64];
    size_t lengths[64], n_texts = 0, n_numbers = 0;
    struct decimal numbers[64];
    for (uint32_t i = 0; i < 64; i++) {
        if (!(present >> i & 1)) continue;
        const struct json_value_record *v = &s->values.data[block * 64 + i];
        if (v->type == TYPE_NUMBER) {
            numbers[n_numbers++] = v->number;
            continue;
        }
        texts[n_texts] =
            (const unsigned char *)goal_name_text(s->goals, v->name, &lengths[n_texts]);
        n_texts++;
    }
    struct block_goal b = {block, present, TERM_NONE, NUMSET_NONE};
    b.term = regex_literal_set(goal_store_regex(s->goals), texts, lengths, n_texts);
    if (n_numbers) b.numbers = numset_values(goal_store_numbers(s->goals), numbers, n_numbers);
    return b;
}

static struct block_goal find_block(struct value_store *s, uint32_t block, uint64_t present) {
    uint32_t hash = fa_hash_mix(fa_hash_mix(block, (uint32_t)present), (uint32_t)(present >> 32));
    for (struct table_probe p = table_probe(&s->block_table, hash);
         table_next(&s->block_table, &p);) {
        const struct block_goal *b = &s->blocks.data[p.id];
        if (b->block == block && b->present == present) return *b;
    }
    struct block_goal b = make_block(s, block, present);
    if (!s->arena->failed && ARENA_VEC_GROW(s->arena, &s->blocks) &&
        table_add(&s->block_table, hash, s->blocks.count))
        s->blocks.data[s->blocks.count++] = b;
    return b;
}

static goal_id make_set_goal(struct value_store *s, value_set set) {
    struct arena *scratch = &s->goals->scratch;
    struct set_parts x = {.s = s, .n_blocks = s->values.count / 64 + 1};
    x.present = arena_push_array(scratch, x.n_blocks, sizeof *x.present);
    term_id *terms = goal_scratch(s->goals, x.n_blocks);
    numset_id *sets = goal_scratch(s->goals, x.n_blocks);
    if (!x.present || !terms || !sets) {
        s->arena->failed = true;
        return GOAL_FALSE;
    }
    memset(x.present, 0, x.n_blocks * sizeof *x.present);
    name_set_visit(s->sets, set, take_value, &x);
    goal_id *kids = goal_scratch(s->goals, x.n_others + 2);
    if (!kids) return GOAL_FALSE;
    x.others = kids;
    x.n_others = 0;
    name_set_visit(s->sets, set, take_value, &x);
    size_t n = 0;
    for (uint32_t i = 0; i < x.n_blocks; i++) {
        if (!x.present[i]) continue;
        struct block_goal b = find_block(s, i, x.present[i]);
        terms[n] = b.term;
        sets[n++] = b.numbers;
    }
    struct predicate strings = {.kind = PREDICATE_STRING,
                                .term = regex_or(goal_store_regex(s->goals), terms, n)};
    struct predicate numbers = {.kind = PREDICATE_NUMBER,
                                .set = numset_or(goal_store_numbers(s->goals), sets, n)};
    kids[x.n_others] = leaf(s, TYPE_STRING, &strings, true);
    kids[x.n_others + 1] = leaf(s, TYPE_NUMBER, &numbers, true);
    return goal_or(s->goals, kids, x.n_others + 2);
}

goal_id value_set_goal(struct value_store *s, value_set set) {
    if (set == VALUE_SET_EMPTY) return GOAL_FALSE;
    uint32_t hash = fa_hash_mix(set, 0);
    for (struct table_probe p = table_probe(&s->set_goal_table, hash);
         table_next(&s->set_goal_table, &p);)
        if (s->set_goals.data[p.id].set == set) return s->set_goals.data[p.id].goal;
    size_t mark = goal_scratch_mark(s->goals);
    goal_id g = make_set_goal(s, set);
    goal_scratch_pop(s->goals, mark);
    if (!s->arena->failed && ARENA_VEC_GROW(s->arena, &s->set_goals) &&
        table_add(&s->set_goal_table, hash, s->set_goals.count))
        s->set_goals.data[s->set_goals.count++] = (struct set_goal){set, g};
    return g;
}
