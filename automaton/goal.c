/* SPDX-License-Identifier: MIT
 *
 * The store: interning of nodes, predicates, names and key classes, and the leaves that keywords
 * are written with. Normal forms are in goal_normal.c, types in goal_specialise.c.
 */
#include "automaton/goal_internal.h"

#include <string.h>

/* Where "unique" stands in a formula: 1 positively, 2 negatively, 3 both or inside exactly-one. */
static uint8_t polarity_of_unique(const struct goal_store *s, const struct goal_node *n) {
    if (n->kind == GOAL_KIND_PREDICATE)
        return s->predicates.data[n->a].kind != PREDICATE_UNIQUE ? 0 : n->sign ? 1 : 2;
    uint8_t polarity = 0;
    for (uint32_t i = 0; i < n->n_kids; i++) polarity |= node(s, n->kids[i])->unique;
    return polarity && n->kind != GOAL_KIND_AND && n->kind != GOAL_KIND_OR ? 3 : polarity;
}

static goal_id add_node(struct goal_store *s, const struct goal_node *key, uint32_t hash) {
    if (!ARENA_VEC_GROW(s->arena, &s->nodes)) return GOAL_FALSE;
    struct goal_node n = *key;
    if (n.n_kids) {
        n.kids = arena_push_copy(s->arena, key->kids, n.n_kids * sizeof *n.kids);
        if (!n.kids) return GOAL_FALSE;
    }
    n.negation = n.closed = GOAL_UNKNOWN;
    n.open = n.kind == GOAL_KIND_VARIABLE;
    n.counts = n.kind == GOAL_KIND_PREDICATE && s->predicates.data[n.a].n > 1;
    for (uint32_t i = 0; i < n.n_kids; i++) n.open |= node(s, n.kids[i])->open;
    n.unique = polarity_of_unique(s, &n);
    for (int t = 0; t < TYPE_COUNT; t++) n.spec[t] = GOAL_UNKNOWN;
    goal_id id = s->nodes.count;
    if (!table_add(&s->node_table, hash, id)) return GOAL_FALSE;
    s->nodes.data[s->nodes.count++] = n;
    return id;
}

static bool same_node(const struct goal_node *a, const struct goal_node *b) {
    return a->kind == b->kind && a->sign == b->sign && a->vacuous == b->vacuous &&
           a->type == b->type && a->a == b->a && a->b == b->b && a->n_kids == b->n_kids &&
           (!a->n_kids || memcmp(a->kids, b->kids, a->n_kids * sizeof *a->kids) == 0);
}

goal_id goal_intern(struct goal_store *s, const struct goal_node *key) {
    uint32_t hash = fa_hash_mix(key->kind | (uint32_t)key->sign << 8 | (uint32_t)key->vacuous << 9 |
                                    (uint32_t)key->type << 16,
                                key->a);
    hash = fa_hash_mix(hash, key->b);
    if (key->n_kids) hash = fa_hash_mix(hash, fa_hash(key->kids, key->n_kids * sizeof *key->kids));
    for (struct table_probe p = table_probe(&s->node_table, hash); table_next(&s->node_table, &p);)
        if (same_node(node(s, p.id), key)) return p.id;
    return add_node(s, key, hash);
}

goal_id *goal_scratch(struct goal_store *s, size_t n) {
    goal_id *p = arena_push_array(&s->scratch, n, sizeof *p);
    if (!p) s->arena->failed = true;
    return p;
}

struct goal_store *goal_store_new(struct arena *arena, struct regex_store *regex,
                                  struct number_store *numbers) {
    struct goal_store *s = arena_push(arena, sizeof *s);
    if (!s) return NULL;
    s->arena = arena;
    s->regex = regex;
    s->numbers = numbers;
    s->relies_on = UINT32_MAX;
    if (!arena_split_tail(arena, arena->size / 16, &s->scratch) ||
        !table_init(&s->node_table, arena, 64) || !table_init(&s->predicate_table, arena, 32) ||
        !table_init(&s->unevaluated_table, arena, 16) || !table_init(&s->name_table, arena, 32) ||
        !table_init(&s->class_table, arena, 16) || !table_init(&s->member_table, arena, 16))
        return NULL;
    for (unsigned constant = GOAL_FALSE; constant <= GOAL_CYCLE; constant++)
        goal_intern(s, &(struct goal_node){.kind = GOAL_KIND_CONSTANT, .a = constant});
    if (arena->failed) return NULL;
    s->nodes.data[GOAL_FALSE].negation = GOAL_TRUE;
    s->nodes.data[GOAL_TRUE].negation = GOAL_FALSE;
    s->nodes.data[GOAL_CYCLE].negation = GOAL_CYCLE;
    if (!ARENA_VEC_GROW(arena, &s->names)) return NULL;
    s->names.data[s->names.count++] = (struct name_record){"", 0}; /* id 0: no name */
    key_class_term(s, TERM_NONE);
    key_class_term(s, TERM_ANY);
    return arena->failed ? NULL : s;
}

void goal_store_set_expand(struct goal_store *s, goal_expand_fn expand, void *ctx) {
    s->expand = expand;
    s->expand_ctx = ctx;
}

struct arena *goal_store_arena(struct goal_store *s) {
    return s->arena;
}

struct regex_store *goal_store_regex(struct goal_store *s) {
    return s->regex;
}

struct number_store *goal_store_numbers(struct goal_store *s) {
    return s->numbers;
}

bool goal_store_met_cycle(const struct goal_store *s) {
    return s->met_cycle;
}

bool goal_store_too_deep(const struct goal_store *s) {
    return s->too_deep;
}

const struct goal_node *goal_get(const struct goal_store *s, goal_id g) {
    return node(s, g);
}

const struct predicate *predicate_get(const struct goal_store *s, uint32_t id) {
    return &s->predicates.data[id];
}

/* ---- names and key classes ------------------------------------------------------------------ */

static uint32_t find_name(const struct goal_store *s, const char *text, size_t length,
                          uint32_t hash) {
    for (struct table_probe p = table_probe(&s->name_table, hash);
         table_next(&s->name_table, &p);) {
        const struct name_record *r = &s->names.data[p.id];
        if (r->length == length && (!length || memcmp(r->text, text, length) == 0)) return p.id;
    }
    return 0;
}

uint32_t goal_name_find(const struct goal_store *s, const char *text, size_t length) {
    return find_name(s, text, length, fa_hash(text, length));
}

uint32_t goal_name(struct goal_store *s, const char *text, size_t length) {
    uint32_t hash = fa_hash(text, length), id = find_name(s, text, length, hash);
    if (id) return id;
    if (!ARENA_VEC_GROW(s->arena, &s->names)) return 0;
    char *copy = arena_push(s->arena, length + 1);
    if (!copy) return 0;
    if (length) memcpy(copy, text, length);
    id = s->names.count;
    if (!table_add(&s->name_table, hash, id)) return 0;
    s->names.data[s->names.count++] = (struct name_record){copy, length};
    return id;
}

const char *goal_name_text(const struct goal_store *s, uint32_t name, size_t *length) {
    *length = s->names.data[name].length;
    return s->names.data[name].text;
}

static uint32_t intern_class(struct goal_store *s, term_id term, uint32_t name) {
    uint32_t hash = fa_hash_mix(term, name);
    for (struct table_probe p = table_probe(&s->class_table, hash);
         table_next(&s->class_table, &p);)
        if (s->classes.data[p.id].term == term && s->classes.data[p.id].name == name) return p.id;
    if (!ARENA_VEC_GROW(s->arena, &s->classes)) return KEY_CLASS_NONE;
    uint32_t id = s->classes.count;
    if (!table_add(&s->class_table, hash, id)) return KEY_CLASS_NONE;
    s->classes.data[s->classes.count++] = (struct key_class){term, name};
    return id;
}

uint32_t key_class_name(struct goal_store *s, uint32_t name) {
    const struct name_record *r = &s->names.data[name];
    term_id term = regex_literal(s->regex, (const unsigned char *)r->text, r->length);
    return term == TERM_NONE ? KEY_CLASS_NONE : intern_class(s, term, name);
}

uint32_t key_class_term(struct goal_store *s, term_id term) {
    return intern_class(s, term, 0);
}

const struct key_class *key_class_get(const struct goal_store *s, uint32_t id) {
    return &s->classes.data[id];
}

bool key_class_has(struct goal_store *s, uint32_t key_class, uint32_t name) {
    struct key_class k = s->classes.data[key_class];
    if (k.name) return k.name == name;
    if (key_class <= KEY_CLASS_ALL) return key_class == KEY_CLASS_ALL;
    uint32_t hash = fa_hash_mix(key_class, name);
    for (struct table_probe p = table_probe(&s->member_table, hash);
         table_next(&s->member_table, &p);) {
        const struct key_member *m = &s->members.data[p.id];
        if (m->key_class == key_class && m->name == name) return m->has;
    }
    const struct name_record *r = &s->names.data[name];
    bool has = regex_matches(s->regex, k.term, (const unsigned char *)r->text, r->length);
    if (ARENA_VEC_GROW(s->arena, &s->members) &&
        table_add(&s->member_table, hash, s->members.count))
        s->members.data[s->members.count++] = (struct key_member){key_class, name, has};
    return has;
}

/* ---- predicates and leaves ------------------------------------------------------------------- */

uint32_t predicate_intern(struct goal_store *s, const struct predicate *p) {
    const uint32_t key[] = {p->kind,
                            p->term,
                            p->set,
                            p->key_class,
                            p->goal,
                            (uint32_t)p->n,
                            (uint32_t)(p->n >> 32),
                            (uint32_t)p->first,
                            (uint32_t)(p->first >> 32),
                            (uint32_t)p->last,
                            (uint32_t)(p->last >> 32)};
    uint32_t hash = fa_hash(key, sizeof key);
    for (struct table_probe t = table_probe(&s->predicate_table, hash);
         table_next(&s->predicate_table, &t);) {
        const struct predicate *q = &s->predicates.data[t.id];
        if (q->kind == p->kind && q->term == p->term && q->set == p->set &&
            q->key_class == p->key_class && q->goal == p->goal && q->n == p->n &&
            q->first == p->first && q->last == p->last)
            return t.id;
    }
    if (!ARENA_VEC_GROW(s->arena, &s->predicates)) return 0;
    uint32_t id = s->predicates.count;
    if (!table_add(&s->predicate_table, hash, id)) return 0;
    s->predicates.data[s->predicates.count++] = *p;
    return id;
}

/* The predicate's constant value, if its form has one: 0 false, 1 true, -1 neither. */
static int constant_value(const struct predicate *p) {
    switch (p->kind) {
    case PREDICATE_STRING: return p->term == TERM_NONE ? 0 : p->term == TERM_ANY ? 1 : -1;
    case PREDICATE_NUMBER: return p->set == NUMSET_NONE ? 0 : p->set == NUMSET_ALL ? 1 : -1;
    case PREDICATE_TRUE:
    case PREDICATE_UNIQUE: return -1;
    case PREDICATE_COUNT_KEYS:
        if (p->n == 0) return 1;
        return p->key_class == KEY_CLASS_NONE || p->goal == GOAL_FALSE ? 0 : -1;
    case PREDICATE_COUNT_ITEMS:
        if (p->n == 0) return 1;
        return p->first > p->last || p->goal == GOAL_FALSE ? 0 : -1;
    }
    return -1;
}

goal_id goal_predicate(struct goal_store *s, enum value_type t, const struct predicate *p,
                       bool sign) {
    int constant = constant_value(p);
    if (constant >= 0) return constant == sign ? GOAL_TRUE : GOAL_FALSE;
    return goal_intern(s, &(struct goal_node){.kind = GOAL_KIND_PREDICATE,
                                              .type = (uint8_t)t,
                                              .sign = sign,
                                              .a = predicate_intern(s, p)});
}

goal_id goal_leaf(struct goal_store *s, enum value_type t, const struct predicate *p, bool sign,
                  bool vacuous) {
    int constant = constant_value(p);
    if (constant >= 0) {
        bool value = constant == sign;
        if (value == vacuous) return value ? GOAL_TRUE : GOAL_FALSE;
        return goal_type(s, vacuous ? TYPE_ALL & ~TYPE_BIT(t) : TYPE_BIT(t));
    }
    return goal_intern(s, &(struct goal_node){.kind = GOAL_KIND_LEAF,
                                              .type = (uint8_t)t,
                                              .sign = sign,
                                              .vacuous = vacuous,
                                              .a = predicate_intern(s, p)});
}

goal_id goal_type(struct goal_store *s, unsigned set) {
    set &= TYPE_ALL;
    if (set == TYPE_ALL) return GOAL_TRUE;
    if (set == 0) return GOAL_FALSE;
    return goal_intern(s, &(struct goal_node){.kind = GOAL_KIND_TYPE, .type = (uint8_t)set});
}

goal_id goal_ref(struct goal_store *s, uint32_t schema_node, uint32_t scope) {
    return goal_intern(
        s, &(struct goal_node){.kind = GOAL_KIND_REF, .sign = true, .a = schema_node, .b = scope});
}

goal_id goal_variable(struct goal_store *s, goal_id g) {
    if (g == GOAL_TRUE || g == GOAL_FALSE) return g;
    goal_id not_g = goal_not(s, g);
    bool sign = g <= not_g;
    return goal_intern(
        s, &(struct goal_node){.kind = GOAL_KIND_VARIABLE, .sign = sign, .a = sign ? g : not_g});
}

goal_id goal_string(struct goal_store *s, term_id term) {
    struct predicate p = {.kind = PREDICATE_STRING, .term = term};
    return goal_leaf(s, TYPE_STRING, &p, true, true);
}

goal_id goal_number(struct goal_store *s, numset_id set) {
    struct predicate p = {.kind = PREDICATE_NUMBER, .set = set};
    return goal_leaf(s, TYPE_NUMBER, &p, true, true);
}

goal_id goal_boolean(struct goal_store *s, bool value) {
    struct predicate p = {.kind = PREDICATE_TRUE};
    return goal_leaf(s, TYPE_BOOLEAN, &p, value, true);
}

goal_id goal_count_keys(struct goal_store *s, uint32_t key_class, goal_id g, uint64_t n,
                        bool sign) {
    struct predicate p = {.kind = PREDICATE_COUNT_KEYS, .key_class = key_class, .goal = g, .n = n};
    return goal_leaf(s, TYPE_OBJECT, &p, sign, true);
}

goal_id goal_count_items(struct goal_store *s, uint64_t first, uint64_t last, goal_id g, uint64_t n,
                         bool sign) {
    struct predicate p = {
        .kind = PREDICATE_COUNT_ITEMS, .first = first, .last = last, .goal = g, .n = n};
    return goal_leaf(s, TYPE_ARRAY, &p, sign, true);
}

goal_id goal_unique(struct goal_store *s) {
    struct predicate p = {.kind = PREDICATE_UNIQUE};
    return goal_leaf(s, TYPE_ARRAY, &p, true, true);
}
