/* SPDX-License-Identifier: MIT
 *
 * The store of sets: interning, normalising, evaluating. An AND is flattened and sorted; of its
 * bounds the strongest stay; multiples become their least common multiple; a finite list is
 * filtered by everything else. By complement the same holds for OR.
 */
#include "automaton/number_internal.h"

#include <stdlib.h>
#include <string.h>

#define SCRATCH_BYTES     ((size_t)64 << 10)
#define SCRATCH_BYTES_MAX ((size_t)64 << 20)
#define LCM_DIGITS_MAX    1000 /* longer ones are left as separate atoms */

/* ---- memory and limits ---------------------------------------------------------------------- */

void scratch_release(struct number_store *s, size_t mark) {
    struct arena *t = &s->scratch;
    if (t->used > mark) memset(t->base + mark, 0, t->used - mark);
    t->used = mark;
    if (t->failed) s->scratch_short = true;
    t->failed = false;
}

static bool scratch_carve(struct number_store *s, size_t size) {
    unsigned char *base = arena_push(s->arena, size);
    if (!base) return false;
    s->scratch = (struct arena){.base = base, .size = size, .fail_after = SIZE_MAX};
    return true;
}

bool scratch_grow(struct number_store *s) {
    if (s->arena->failed || s->scratch.size >= SCRATCH_BYTES_MAX) return false;
    return scratch_carve(s, s->scratch.size * 4);
}

bool number_work(struct number_store *s, uint64_t steps) {
    s->work += steps;
    if (s->work <= s->limit) return true;
    s->limited = true;
    return false;
}

bool decimal_keep(struct number_store *s, const struct decimal *d, struct decimal *out) {
    *out = *d;
    if (!d->n_digits) return true;
    out->digits = arena_push_copy(s->arena, d->digits, d->n_digits);
    return out->digits != NULL;
}

/* ---- making the store ----------------------------------------------------------------------- */

static void read_alphabet(struct number_store *s, const bool alphabet[256]) {
    static const char bytes[N_CLASSES + 1] = "0123456789-+.e";
    s->all_digits = true;
    for (int i = 0; i < N_CLASSES; i++) {
        s->byte_of[i] = (unsigned char)bytes[i];
        s->writable[i] = alphabet[s->byte_of[i]];
        if (i < 10 && !s->writable[i]) s->all_digits = false;
    }
    s->lower_e = alphabet['e'];
    s->upper_e = alphabet['E'];
    if (!s->lower_e && s->upper_e) {
        s->byte_of[CLASS_E] = 'E';
        s->writable[CLASS_E] = true;
    }
    if (!s->any_form) s->writable[CLASS_E] = s->writable[CLASS_PLUS] = false;
}

struct number_store *number_store_new(struct arena *arena, const bool alphabet[256],
                                      bool any_form) {
    struct number_store *s = arena_push(arena, sizeof *s);
    if (!s) return NULL;
    s->arena = arena;
    s->any_form = any_form;
    s->limit = 1000000;
    read_alphabet(s, alphabet);
    if (!scratch_carve(s, SCRATCH_BYTES) || !table_init(&s->node_table, arena, 64) ||
        !table_init(&s->tuple_table, arena, 64) || !table_init(&s->context_table, arena, 16) ||
        !table_init(&s->state_table, arena, 64) || !ARENA_VEC_GROW(arena, &s->nodes) ||
        !ARENA_VEC_GROW(arena, &s->tuples) || !ARENA_VEC_GROW(arena, &s->contexts) ||
        !ARENA_VEC_GROW(arena, &s->states))
        return NULL;
    s->nodes.data[s->nodes.count++] = (struct set_node){.kind = SET_CONSTANT};
    s->tuples.data[s->tuples.count++] = (struct tuple){NULL, 0};
    s->contexts.data[s->contexts.count++] = (struct exponent_context){NULL, 0};
    s->states.data[s->states.count++] = (struct number_record){.status = STATUS_DEAD};
    return s;
}

void number_set_limit(struct number_store *s, uint64_t limit) {
    s->limit = limit;
}

/* ---- interning ------------------------------------------------------------------------------ */

static uint32_t hash_node(const struct set_node *k) {
    uint32_t h = fa_hash_mix(k->kind, k->n);
    if (k->kind == SET_AND) return fa_hash_mix(h, fa_hash(k->kids, k->n * sizeof *k->kids));
    if (k->kind != SET_VALUES) return fa_hash_mix(h, decimal_hash(&k->c));
    for (uint32_t i = 0; i < k->n; i++) h = fa_hash_mix(h, decimal_hash(&k->values[i]));
    return h;
}

static bool same_node(const struct set_node *a, const struct set_node *b) {
    if (a->kind != b->kind || a->n != b->n) return false;
    if (a->kind == SET_AND) return memcmp(a->kids, b->kids, a->n * sizeof *a->kids) == 0;
    if (a->kind != SET_VALUES) return decimal_compare(&a->c, &b->c) == 0;
    for (uint32_t i = 0; i < a->n; i++)
        if (decimal_compare(&a->values[i], &b->values[i])) return false;
    return true;
}

/* Copies what the node points at into the arena. */
static bool keep_node(struct number_store *s, struct set_node *k) {
    if (k->kind == SET_AND) {
        k->kids = arena_push_copy(s->arena, k->kids, k->n * sizeof *k->kids);
        return k->kids != NULL;
    }
    if (k->kind != SET_VALUES) return decimal_keep(s, &k->c, &k->c);
    struct decimal *values = arena_push_array(s->arena, k->n, sizeof *values);
    if (!values) return false;
    for (uint32_t i = 0; i < k->n; i++)
        if (!decimal_keep(s, &k->values[i], &values[i])) return false;
    k->values = values;
    return true;
}

static numset_id intern(struct number_store *s, struct set_node k) {
    uint32_t hash = hash_node(&k);
    for (struct table_probe p = table_probe(&s->node_table, hash); table_next(&s->node_table, &p);)
        if (same_node(&s->nodes.data[p.id], &k)) return p.id << 1;
    if (k.depth > SET_DEPTH_MAX || s->nodes.count >= INT32_MAX / 2) s->arena->failed = true;
    k.mirror = UINT32_MAX;
    if (s->arena->failed || !keep_node(s, &k) || !ARENA_VEC_GROW(s->arena, &s->nodes) ||
        !table_add(&s->node_table, hash, s->nodes.count))
        return NUMSET_NONE;
    s->nodes.data[s->nodes.count] = k;
    return s->nodes.count++ << 1;
}

numset_id numset_at_least(struct number_store *s, const struct decimal *c) {
    return intern(s, (struct set_node){.kind = SET_AT_LEAST, .c = *c});
}

numset_id numset_above(struct number_store *s, const struct decimal *c) {
    return intern(s, (struct set_node){.kind = SET_ABOVE, .c = *c});
}

numset_id numset_multiple_of(struct number_store *s, const struct decimal *m) {
    return intern(s, (struct set_node){.kind = SET_MULTIPLE, .c = *m});
}

static int compare_values(const void *a, const void *b) {
    return decimal_compare(a, b);
}

numset_id numset_values(struct number_store *s, const struct decimal *values, size_t n) {
    size_t mark = scratch_mark(s);
    if (!n) return NUMSET_NONE;
    if (n > UINT32_MAX / 2) {
        s->arena->failed = true;
        return NUMSET_NONE;
    }
    struct decimal *sorted = arena_push_copy(&s->scratch, values, n * sizeof *sorted);
    if (!sorted) {
        scratch_release(s, mark);
        sorted = arena_push_copy(s->arena, values, n * sizeof *sorted);
        if (!sorted) return NUMSET_NONE;
    }
    qsort(sorted, n, sizeof *sorted, compare_values);
    uint32_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!kept || decimal_compare(&sorted[kept - 1], &sorted[i])) sorted[kept++] = sorted[i];
    numset_id id = intern(s, (struct set_node){.kind = SET_VALUES, .values = sorted, .n = kept});
    scratch_release(s, mark);
    return id;
}

numset_id numset_not(struct number_store *s, numset_id a) {
    (void)s;
    return a ^ 1;
}

/* ---- evaluating ----------------------------------------------------------------------------- */

static bool evaluate(struct number_store *s, numset_id a, atom_truth_fn atom, void *ctx) {
    struct set_node *k = set_node(s, a);
    if (k->value_stamp != s->stamp) {
        bool value = false;
        if (k->kind == SET_AND) {
            value = true;
            for (uint32_t i = 0; value && i < k->n; i++) value = evaluate(s, k->kids[i], atom, ctx);
        } else if (k->kind != SET_CONSTANT) {
            value = atom(ctx, s, a >> 1);
        }
        k->value_stamp = s->stamp;
        k->value = value;
    }
    return k->value != (a & 1);
}

bool numset_evaluate(struct number_store *s, numset_id a, atom_truth_fn atom, void *ctx) {
    s->stamp++;
    return evaluate(s, a, atom, ctx);
}

static bool atom_has(void *ctx, const struct number_store *s, uint32_t node) {
    const struct decimal *x = ctx;
    const struct set_node *k = &s->nodes.data[node];
    switch (k->kind) {
    case SET_AT_LEAST: return decimal_compare(x, &k->c) >= 0;
    case SET_ABOVE: return decimal_compare(x, &k->c) > 0;
    case SET_MULTIPLE: return decimal_is_multiple(x, &k->c);
    default: return bsearch(x, k->values, k->n, sizeof *k->values, compare_values) != NULL;
    }
}

bool numset_contains(struct number_store *s, numset_id a, const struct decimal *x) {
    struct decimal copy = *x;
    return numset_evaluate(s, a, atom_has, &copy);
}

static numset_id map_set(struct number_store *s, numset_id a, uint64_t stamp, atom_map_fn map,
                         void *ctx) {
    struct set_node *k = set_node(s, a);
    if (k->map_stamp == stamp) return k->mapped ^ (a & 1);
    numset_id id = NUMSET_NONE;
    if (k->kind == SET_AND) {
        uint32_t n = k->n;
        const numset_id *kids = k->kids; /* stays in the arena when the nodes move */
        size_t mark = scratch_mark(s);
        numset_id *mapped = arena_push_array(&s->scratch, n, sizeof *mapped);
        if (!mapped) {
            s->limited = true;
            return NUMSET_NONE;
        }
        for (uint32_t i = 0; i < n; i++) mapped[i] = map_set(s, kids[i], stamp, map, ctx);
        id = numset_and(s, mapped, n);
        scratch_release(s, mark);
    } else if (k->kind != SET_CONSTANT) {
        id = map(ctx, s, a >> 1);
    }
    k = set_node(s, a);
    k->map_stamp = stamp;
    k->mapped = id;
    return id ^ (a & 1);
}

numset_id numset_map(struct number_store *s, numset_id a, atom_map_fn map, void *ctx) {
    return map_set(s, a, ++s->stamp, map, ctx);
}

static numset_id mirror_atom(void *ctx, struct number_store *s, uint32_t node) {
    (void)ctx;
    struct set_node k = s->nodes.data[node];
    struct decimal c = decimal_negate(&k.c);
    switch (k.kind) {
    case SET_AT_LEAST: return numset_above(s, &c) ^ 1; /* -y >= c: not y > -c */
    case SET_ABOVE: return numset_at_least(s, &c) ^ 1;
    case SET_VALUES: break;
    default: return node << 1;
    }
    struct decimal *values = arena_push_array(s->arena, k.n, sizeof *values);
    if (!values) return NUMSET_NONE;
    for (uint32_t i = 0; i < k.n; i++) values[i] = decimal_negate(&k.values[i]);
    return numset_values(s, values, k.n);
}

numset_id numset_mirror(struct number_store *s, numset_id a) {
    if (set_node(s, a)->mirror == UINT32_MAX) {
        numset_id mirror = numset_map(s, a & ~1u, mirror_atom, NULL);
        set_node(s, a)->mirror = mirror;
    }
    return set_node(s, a)->mirror ^ (a & 1);
}

struct atom_list {
    ARENA_VEC(uint32_t) ids;
    uint64_t stamp;
    bool failed;
};

static void list_atoms(struct number_store *s, numset_id a, struct atom_list *list) {
    struct set_node *k = set_node(s, a);
    if (k->seen_stamp == list->stamp || k->kind == SET_CONSTANT) return;
    k->seen_stamp = list->stamp;
    if (k->kind == SET_AND) {
        for (uint32_t i = 0; i < k->n; i++) list_atoms(s, k->kids[i], list);
        return;
    }
    if (!ARENA_VEC_GROW(&s->scratch, &list->ids))
        list->failed = true;
    else
        list->ids.data[list->ids.count++] = a >> 1;
}

uint32_t *numset_atoms(struct number_store *s, const numset_id *sets, size_t n_sets, size_t *n) {
    struct atom_list list = {.stamp = ++s->stamp};
    for (size_t i = 0; i < n_sets; i++) list_atoms(s, sets[i], &list);
    if (list.failed) s->limited = true;
    *n = list.ids.count;
    return list.ids.data;
}

/* ---- normalising an AND --------------------------------------------------------------------- */

struct conjunction {
    numset_id *kids;
    uint32_t n, capacity;
    bool none; /* known to be empty */
};

static int compare_ids(const void *a, const void *b) {
    numset_id x = *(const numset_id *)a, y = *(const numset_id *)b;
    return (x > y) - (x < y);
}

static void flatten(struct number_store *s, const numset_id *sets, size_t n,
                    struct conjunction *c) {
    for (size_t i = 0; i < n; i++) {
        const struct set_node *k = set_node(s, sets[i]);
        if (sets[i] == NUMSET_NONE) c->none = true;
        if (sets[i] <= NUMSET_ALL) continue;
        if (k->kind == SET_AND && !(sets[i] & 1)) {
            memcpy(c->kids + c->n, k->kids, k->n * sizeof *k->kids);
            c->n += k->n;
        } else {
            c->kids[c->n++] = sets[i];
        }
    }
    if (!c->n) return;
    qsort(c->kids, c->n, sizeof *c->kids, compare_ids);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < c->n; i++) {
        if (c->kids[i] == (c->kids[kept - 1] ^ 1)) c->none = true;
        if (c->kids[i] != c->kids[kept - 1]) c->kids[kept++] = c->kids[i];
    }
    c->n = kept;
}

static bool is_lower(const struct number_store *s, numset_id a) {
    const struct set_node *k = set_node(s, a);
    return !(a & 1) && (k->kind == SET_AT_LEAST || k->kind == SET_ABOVE);
}

static bool is_upper(const struct number_store *s, numset_id a) {
    return is_lower(s, a ^ 1);
}

/* Of two lower bounds (or two upper ones) the one that implies the other. */
static numset_id stronger(const struct number_store *s, numset_id a, numset_id b) {
    const struct set_node *x = set_node(s, a), *y = set_node(s, b);
    int c = decimal_compare(&x->c, &y->c);
    if (c) return (c > 0) == !(a & 1) ? a : b;
    /* same constant: above is stronger than at least; not at least stronger than not above */
    return (x->kind == SET_ABOVE) == !(a & 1) ? a : b;
}

/* Keeps the strongest bounds; equal ones become a single value. */
static void join_bounds(struct number_store *s, struct conjunction *c) {
    numset_id lower = NUMSET_ALL, upper = NUMSET_ALL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        numset_id a = c->kids[i];
        if (is_lower(s, a))
            lower = lower == NUMSET_ALL ? a : stronger(s, lower, a);
        else if (is_upper(s, a))
            upper = upper == NUMSET_ALL ? a : stronger(s, upper, a);
        else
            c->kids[kept++] = a;
    }
    c->n = kept;
    if (lower != NUMSET_ALL && upper != NUMSET_ALL) {
        const struct set_node *l = set_node(s, lower), *u = set_node(s, upper);
        int order = decimal_compare(&l->c, &u->c);
        if (order > 0 || (order == 0 && (l->kind == SET_ABOVE || u->kind == SET_AT_LEAST))) {
            c->none = true;
            return;
        }
        if (order == 0) {
            struct decimal value = l->c;
            c->kids[c->n++] = numset_values(s, &value, 1);
            return;
        }
    }
    if (lower != NUMSET_ALL) c->kids[c->n++] = lower;
    if (upper != NUMSET_ALL) c->kids[c->n++] = upper;
}

/* Positive multiples become one; a negated one that it implies makes the set empty. */
static void join_multiples(struct number_store *s, struct conjunction *c) {
    numset_id all = NUMSET_ALL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        numset_id a = c->kids[i];
        if (set_node(s, a)->kind == SET_MULTIPLE && !(a & 1)) {
            struct decimal lcm;
            if (all == NUMSET_ALL) {
                all = a;
                continue;
            }
            size_t mark = scratch_mark(s);
            bool joined =
                decimal_lcm(&s->scratch, &set_node(s, all)->c, &set_node(s, a)->c, &lcm) &&
                lcm.n_digits <= LCM_DIGITS_MAX;
            if (joined) all = numset_multiple_of(s, &lcm);
            scratch_release(s, mark);
            if (joined) continue;
        }
        c->kids[kept++] = a;
    }
    c->n = kept;
    if (all == NUMSET_ALL) return;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct set_node *k = set_node(s, c->kids[i]);
        if (k->kind == SET_MULTIPLE && (c->kids[i] & 1) &&
            decimal_is_multiple(&set_node(s, all)->c, &k->c))
            c->none = true;
    }
    c->kids[c->n++] = all;
}

/* Is x in all kids but number `but`? */
static bool others_have(struct number_store *s, const struct conjunction *c, uint32_t but,
                        const struct decimal *x) {
    for (uint32_t i = 0; i < c->n; i++)
        if (i != but && !numset_contains(s, c->kids[i], x)) return false;
    return true;
}

/* The values of list number `at` that the other kids allow, as a set. */
static numset_id filter_values(struct number_store *s, const struct conjunction *c, uint32_t at) {
    struct set_node k = *set_node(s, c->kids[at]);
    size_t mark = scratch_mark(s);
    struct decimal *kept = arena_push_array(&s->scratch, k.n, sizeof *kept);
    if (!kept) { /* a long list */
        scratch_release(s, mark);
        kept = arena_push_array(s->arena, k.n, sizeof *kept);
        if (!kept) return NUMSET_NONE;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < k.n; i++)
        if (others_have(s, c, at, &k.values[i])) kept[n++] = k.values[i];
    numset_id id = n == k.n ? c->kids[at] & ~1u : numset_values(s, kept, n);
    scratch_release(s, mark);
    return id;
}

/* Several excluded lists become one. */
static void join_excluded(struct number_store *s, struct conjunction *c) {
    uint32_t kept = 0;
    size_t total = 0, lists = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (set_node(s, c->kids[i])->kind == SET_VALUES) {
            total += set_node(s, c->kids[i])->n;
            lists++;
        }
    if (lists < 2) return;
    struct decimal *values = arena_push_array(s->arena, total, sizeof *values);
    if (!values) return;
    total = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct set_node *k = set_node(s, c->kids[i]);
        if (k->kind != SET_VALUES) {
            c->kids[kept++] = c->kids[i];
            continue;
        }
        memcpy(values + total, k->values, k->n * sizeof *values);
        total += k->n;
    }
    c->n = kept;
    c->kids[c->n++] = numset_values(s, values, total) ^ 1;
}

static numset_id finish(struct number_store *s, struct conjunction *c) {
    for (uint32_t i = 0; i < c->n; i++) /* a finite list: the others only filter it */
        if (set_node(s, c->kids[i])->kind == SET_VALUES && !(c->kids[i] & 1))
            return filter_values(s, c, i);
    join_excluded(s, c);
    for (uint32_t i = 0; i < c->n; i++) {
        if (set_node(s, c->kids[i])->kind != SET_VALUES) continue;
        numset_id excluded = filter_values(s, c, i) ^ 1;
        if (excluded == NUMSET_ALL)
            c->kids[i] = c->kids[--c->n];
        else
            c->kids[i] = excluded;
        break;
    }
    if (!c->n) return NUMSET_ALL;
    if (c->n == 1) return c->kids[0];
    qsort(c->kids, c->n, sizeof *c->kids, compare_ids);
    struct set_node k = {.kind = SET_AND, .kids = c->kids, .n = c->n};
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t depth = set_node(s, c->kids[i])->depth + 1;
        if (depth > k.depth) k.depth = depth;
    }
    return intern(s, k);
}

numset_id numset_and(struct number_store *s, const numset_id *sets, size_t n) {
    size_t room = 4, mark = scratch_mark(s);
    for (size_t i = 0; i < n; i++) {
        const struct set_node *k = set_node(s, sets[i]);
        room += k->kind == SET_AND ? k->n : 1;
    }
    struct conjunction c = {0};
    c.kids = arena_push_array(&s->scratch, room, sizeof *c.kids);
    if (!c.kids) {
        scratch_release(s, mark);
        c.kids = arena_push_array(s->arena, room, sizeof *c.kids);
        if (!c.kids) return NUMSET_NONE;
    }
    flatten(s, sets, n, &c);
    if (!c.none) join_bounds(s, &c);
    if (!c.none) join_multiples(s, &c);
    numset_id id = c.none ? NUMSET_NONE : finish(s, &c);
    scratch_release(s, mark);
    return id;
}

numset_id numset_or(struct number_store *s, const numset_id *sets, size_t n) {
    size_t mark = scratch_mark(s);
    numset_id *kids = arena_push_array(&s->scratch, n + 1, sizeof *kids);
    if (!kids) {
        scratch_release(s, mark);
        kids = arena_push_array(s->arena, n + 1, sizeof *kids);
        if (!kids) return NUMSET_NONE;
    }
    for (size_t i = 0; i < n; i++) kids[i] = sets[i] ^ 1;
    numset_id id = numset_and(s, kids, n) ^ 1;
    scratch_release(s, mark);
    return s->arena->failed ? NUMSET_NONE : id;
}

/* ---- printing ------------------------------------------------------------------------------- */

static void print_decimal(const struct decimal *d, FILE *out) {
    char text[64];
    decimal_print(d, text, sizeof text);
    fputs(text, out);
}

static void print_atom(const struct set_node *k, bool negated, FILE *out) {
    switch (k->kind) {
    case SET_CONSTANT: fputs(negated ? "all" : "none", out); return;
    case SET_AT_LEAST: fputs(negated ? "< " : ">= ", out); break;
    case SET_ABOVE: fputs(negated ? "<= " : "> ", out); break;
    case SET_MULTIPLE: fputs(negated ? "not multiple of " : "multiple of ", out); break;
    default:
        fputs(negated ? "not in {" : "in {", out);
        for (uint32_t i = 0; i < k->n; i++) {
            if (i) fputs(", ", out);
            print_decimal(&k->values[i], out);
        }
        fputs("}", out);
        return;
    }
    print_decimal(&k->c, out);
}

void numset_print(struct number_store *s, numset_id a, FILE *out) {
    const struct set_node *k = set_node(s, a);
    if (k->kind != SET_AND) {
        print_atom(k, a & 1, out);
        return;
    }
    fputs("(", out);
    for (uint32_t i = 0; i < k->n; i++) {
        if (i) fputs(a & 1 ? " or " : " and ", out);
        numset_print(s, k->kids[i] ^ (a & 1), out);
    }
    fputs(")", out);
}
