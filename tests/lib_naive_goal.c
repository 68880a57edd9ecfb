/* SPDX-License-Identifier: MIT */
#include "tests/lib_naive_goal.h"

#include <string.h>

bool naive_stores_open(struct naive_stores *s) {
    static const struct code_range all[] = {{0, 0xD7FF}, {0xE000, 0x10FFFF}};
    bool alphabet[256];
    memset(alphabet, true, sizeof alphabet);
    if (!arena_init(&s->arena, NULL, (size_t)1 << 30)) return false;
    s->regex = regex_store_new(&s->arena, all, 2);
    s->numbers = number_store_new(&s->arena, alphabet, true);
    s->goals = s->regex && s->numbers ? goal_store_new(&s->arena, s->regex, s->numbers) : NULL;
    return s->goals != NULL;
}

void naive_stores_close(struct naive_stores *s) {
    arena_destroy(&s->arena);
}

/* ---- values ---------------------------------------------------------------------------------- */

bool naive_pool_init(struct naive_pool *p, struct naive_stores *s, uint32_t capacity) {
    *p = (struct naive_pool){.stores = s, .capacity = capacity};
    p->values = arena_push_array(&s->arena, capacity, sizeof *p->values);
    return p->values != NULL;
}

static void add(struct naive_pool *p, struct naive_value v) {
    if (p->n == p->capacity) return;
    p->values[p->n++] = arena_push_copy(&p->stores->arena, &v, sizeof v);
}

void naive_pool_scalars(struct naive_pool *p) {
    static const char *const texts[] = {"a", "b", "c"};
    static const char *const numbers[] = {"-1", "0", "1", "2.5"};
    add(p, (struct naive_value){.type = TYPE_NULL});
    add(p, (struct naive_value){.type = TYPE_BOOLEAN});
    add(p, (struct naive_value){.type = TYPE_BOOLEAN, .boolean = true});
    for (int i = 0; i < 3; i++) add(p, (struct naive_value){.type = TYPE_STRING, .text = texts[i]});
    for (int i = 0; i < 4; i++) {
        struct naive_value v = {.type = TYPE_NUMBER};
        decimal_parse(&p->stores->arena, numbers[i], strlen(numbers[i]), &v.number);
        add(p, v);
    }
}

/* The kids chosen by the digits of `code` in base n_kids. */
static const struct naive_value *const *choose(struct naive_pool *p, uint32_t n, uint64_t code,
                                               uint32_t n_kids) {
    const struct naive_value **kids = arena_push_array(&p->stores->arena, n, sizeof *kids);
    for (uint32_t i = 0; kids && i < n; i++, code /= n_kids) kids[i] = p->values[code % n_kids];
    return kids;
}

static uint64_t power(uint32_t base, uint32_t n) {
    uint64_t x = 1;
    while (n--) x *= base;
    return x;
}

void naive_pool_containers(struct naive_pool *p, const uint32_t *names, uint32_t n_names,
                           uint32_t n_kids, uint32_t most) {
    struct arena *a = &p->stores->arena;
    for (uint32_t n = 0; n <= most; n++)
        for (uint64_t code = 0; code < power(n_kids, n) && p->n < p->capacity; code++)
            add(p, (struct naive_value){
                       .type = TYPE_ARRAY, .n = n, .kids = choose(p, n, code, n_kids)});
    for (uint32_t set = 0; set < 1u << n_names; set++) {
        uint32_t n = 0, *members = arena_push_array(a, n_names, sizeof *members);
        if (!members || (uint32_t)__builtin_popcount(set) > most) continue;
        for (uint32_t i = 0; i < n_names; i++)
            if (set >> i & 1) members[n++] = names[i];
        for (uint64_t code = 0; code < power(n_kids, n) && p->n < p->capacity; code++)
            add(p, (struct naive_value){.type = TYPE_OBJECT,
                                        .n = n,
                                        .names = members,
                                        .kids = choose(p, n, code, n_kids)});
    }
}

/* ---- goals ----------------------------------------------------------------------------------- */

static bool has_key(struct goal_store *s, uint32_t key_class, uint32_t name) {
    if (key_class == KEY_CLASS_ALL) return true;
    const struct key_class *k = key_class_get(s, key_class);
    if (k->name) return k->name == name;
    size_t length;
    const char *text = goal_name_text(s, name, &length);
    return regex_matches(goal_store_regex(s), k->term, (const unsigned char *)text, length);
}

/* JSON equality. */
static bool same(const struct naive_value *a, const struct naive_value *b) {
    if (a->type != b->type || a->n != b->n) return false;
    switch (a->type) {
    case TYPE_BOOLEAN: return a->boolean == b->boolean;
    case TYPE_STRING: return strcmp(a->text, b->text) == 0;
    case TYPE_NUMBER: return decimal_compare(&a->number, &b->number) == 0;
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < a->n; i++)
            if (!same(a->kids[i], b->kids[i])) return false;
        return true;
    case TYPE_OBJECT:
        for (uint32_t i = 0; i < a->n; i++) {
            uint32_t j = 0;
            while (j < b->n && b->names[j] != a->names[i]) j++;
            if (j == b->n || !same(a->kids[i], b->kids[j])) return false;
        }
        return true;
    case TYPE_NULL:
    case TYPE_COUNT: break;
    }
    return true;
}

static bool all_differ(const struct naive_context *c, const struct naive_value *v) {
    for (uint32_t i = 0; i < v->n; i++) {
        for (uint32_t j = 0; j < i; j++)
            if (same(v->kids[i], v->kids[j])) return false;
        for (uint32_t j = 0; j < c->n_before; j++)
            if (same(v->kids[i], c->before[j])) return false;
    }
    return true;
}

static bool predicate_holds(const struct naive_context *c, uint32_t id,
                            const struct naive_value *v) {
    struct goal_store *s = c->goals;
    struct predicate p = *predicate_get(s, id);
    struct naive_context inside = {.goals = s, .deref = c->deref, .ctx = c->ctx};
    uint64_t count = 0;
    switch (p.kind) {
    case PREDICATE_STRING:
        return regex_matches(goal_store_regex(s), p.term, (const unsigned char *)v->text,
                             strlen(v->text));
    case PREDICATE_NUMBER: return numset_contains(goal_store_numbers(s), p.set, &v->number);
    case PREDICATE_TRUE: return v->boolean;
    case PREDICATE_COUNT_KEYS:
        for (uint32_t i = 0; i < v->n; i++)
            count +=
                has_key(s, p.key_class, v->names[i]) && naive_holds(&inside, p.goal, v->kids[i]);
        return count >= p.n;
    case PREDICATE_COUNT_ITEMS:
        for (uint32_t i = 0; i < v->n; i++)
            count += i >= p.first && i <= p.last && naive_holds(&inside, p.goal, v->kids[i]);
        return count >= p.n;
    case PREDICATE_UNIQUE: return all_differ(c, v);
    }
    return false;
}

static bool in_range(struct goal_store *s, const struct child_range *r, const struct naive_value *v,
                     uint32_t i) {
    if (v->type == TYPE_OBJECT) return has_key(s, r->key_class, v->names[i]);
    return i >= r->first && i <= r->last;
}

bool naive_is_evaluated(const struct naive_context *c, const struct evaluated_cell *cells, size_t n,
                        const struct naive_value *v, uint32_t i) {
    for (size_t k = 0; k < n; k++)
        if (in_range(c->goals, &cells[k].children, v, i) &&
            naive_holds(c, cells[k].goal, v->kids[i]) && naive_holds(c, cells[k].condition, v))
            return true;
    return false;
}

/* Does each child that is asked for, and that no cell evaluates, meet the goal? */
static bool unevaluated_holds(const struct naive_context *c, const struct goal_node *n,
                              const struct naive_value *v) {
    struct unevaluated u = *unevaluated_get(c->goals, n->a);
    for (uint32_t i = 0; i < v->n; i++) {
        bool fine = !in_range(c->goals, &u.asked, v, i) || naive_holds(c, u.goal, v->kids[i]);
        for (uint32_t k = 0; k < u.n && !fine; k++) {
            struct evaluated_cell cell = u.cells[k];
            cell.condition = n->kids[k];
            fine = naive_is_evaluated(c, &cell, 1, v, i);
        }
        if (!fine) return false;
    }
    return true;
}

bool naive_holds(const struct naive_context *c, goal_id g, const struct naive_value *v) {
    struct goal_node n = *goal_get(c->goals, g);
    unsigned count = 0;
    switch ((enum goal_kind)n.kind) {
    case GOAL_KIND_CONSTANT: return g == GOAL_TRUE;
    case GOAL_KIND_AND:
    case GOAL_KIND_OR:
    case GOAL_KIND_ONE:
        for (uint32_t i = 0; i < n.n_kids; i++) count += naive_holds(c, n.kids[i], v);
        if (n.kind == GOAL_KIND_AND) return count == n.n_kids;
        if (n.kind == GOAL_KIND_OR) return count > 0;
        return (count + n.type == 1) == n.sign;
    case GOAL_KIND_TYPE: return n.type >> v->type & 1;
    case GOAL_KIND_LEAF:
        return n.type == v->type ? predicate_holds(c, n.a, v) == n.sign : n.vacuous;
    case GOAL_KIND_PREDICATE: return n.type == v->type && predicate_holds(c, n.a, v) == n.sign;
    case GOAL_KIND_REF: return naive_holds(c, c->deref(c->ctx, n.a), v) == n.sign;
    case GOAL_KIND_UNEVALUATED: return (n.type != v->type || unevaluated_holds(c, &n, v)) == n.sign;
    case GOAL_KIND_VARIABLE: return naive_holds(c, n.a, v) == n.sign;
    }
    return false;
}

/* ---- witnesses ------------------------------------------------------------------------------- */

enum { TEXT_BYTES = 256 };

static const char *text_of(struct naive_stores *s, term_id t) {
    unsigned char *text = arena_push(&s->arena, TEXT_BYTES);
    uint64_t k = 0;
    partial_id p = PARTIAL_BOUNDARY;
    for (size_t n = 0; text && n + 1 < TEXT_BYTES; n++) {
        int b = regex_witness_byte(s->regex, t, k, p);
        if (b < 0) return (const char *)text;
        text[n] = (unsigned char)b;
        t = regex_derive(s->regex, t, (unsigned char)b);
        p = regex_partial_step(s->regex, 0, p, (unsigned char)b);
        k += (b & 0xC0) != 0x80;
    }
    return NULL;
}

static bool number_of(struct naive_stores *s, numset_id set, struct decimal *out) {
    char text[TEXT_BYTES];
    size_t n = 0;
    bool limited = false;
    number_state at = number_begin(s->numbers, &set, 1, &limited);
    while (at != NUMBER_DEAD && n < sizeof text) {
        int b = number_witness_byte(s->numbers, at);
        if (b < 0) return decimal_parse(&s->arena, text, n, out) == DECIMAL_OK;
        text[n++] = (char)b;
        at = number_step(s->numbers, at, (unsigned char)b, &limited);
    }
    return false;
}

const struct naive_value *naive_from_witness(struct naive_stores *s, struct solver *solver,
                                             witness_id w) {
    if (w == WITNESS_NONE) return NULL;
    struct witness x = *solver_witness(solver, w);
    struct naive_value v = {.type = x.type, .boolean = x.boolean, .names = x.names};
    if (x.type == TYPE_STRING && !(v.text = text_of(s, x.term))) return NULL;
    if (x.type == TYPE_NUMBER && !number_of(s, x.set, &v.number)) return NULL;
    uint64_t repeat = x.repeat ? x.repeat - 1 : 0;
    if (repeat > 64) return NULL;
    v.n = x.count + (uint32_t)repeat;
    struct item_list items = solver_items(solver, w, VALUE_SET_EMPTY);
    const struct naive_value **kids = arena_push_array(&s->arena, v.n, sizeof *kids);
    if (!kids) return NULL;
    for (uint32_t i = 0; i < v.n; i++) {
        witness_id kid = x.type == TYPE_ARRAY ? solver_item(solver, &items) : x.kids[i];
        kids[i] = naive_from_witness(s, solver, kid);
        if (!kids[i]) return NULL;
    }
    v.kids = kids;
    return arena_push_copy(&s->arena, &v, sizeof v);
}

void naive_print(struct goal_store *goals, const struct naive_value *v, FILE *out) {
    char text[TEXT_BYTES];
    size_t length;
    switch (v->type) {
    case TYPE_NULL: fputs("null", out); break;
    case TYPE_BOOLEAN: fputs(v->boolean ? "true" : "false", out); break;
    case TYPE_STRING: fprintf(out, "\"%s\"", v->text); break;
    case TYPE_NUMBER:
        decimal_print(&v->number, text, sizeof text);
        fputs(text, out);
        break;
    case TYPE_ARRAY:
    case TYPE_OBJECT:
        fputc(v->type == TYPE_ARRAY ? '[' : '{', out);
        for (uint32_t i = 0; i < v->n; i++) {
            if (i) fputc(',', out);
            if (v->type == TYPE_OBJECT)
                fprintf(out, "\"%s\":", goal_name_text(goals, v->names[i], &length));
            naive_print(goals, v->kids[i], out);
        }
        fputc(v->type == TYPE_ARRAY ? ']' : '}', out);
        break;
    case TYPE_COUNT: break;
    }
}
