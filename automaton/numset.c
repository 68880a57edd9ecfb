/* SPDX-License-Identifier: MIT
 *
 * The store of sets: scratch memory, interning, evaluating, replacing atoms, printing.
 */
#include "automaton/number_internal.h"

#include <stdlib.h>
#include <string.h>

#define SCRATCH_BYTES     ((size_t)64 << 10)
#define SCRATCH_BYTES_MAX ((size_t)64 << 20)

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

void number_reset_question(struct number_store *s) {
    s->work = 0;
    s->limited = s->scratch_short = false;
}

uint64_t number_begin_question(struct number_store *s, uint64_t done, uint64_t limit) {
    uint64_t saved = s->limit;
    s->limit = limit > done ? limit - done : 0;
    if (s->limit > saved) s->limit = saved;
    s->work = 0;
    return saved;
}

void number_end_question(struct number_store *s, uint64_t saved, uint64_t *work) {
    *work += s->work + 1;
    s->limit = saved;
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
    if (!scratch_carve(s, SCRATCH_BYTES) || !table_init(&s->node_table, arena, 16) ||
        !table_init(&s->tuple_table, arena, 16) || !table_init(&s->context_table, arena, 16) ||
        !table_init(&s->state_table, arena, 16) || !ARENA_VEC_GROW(arena, &s->nodes) ||
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
    if (k->kids) return fa_hash_mix(h, fa_hash(k->kids, k->n * sizeof *k->kids));
    if (k->kind != SET_VALUES) return fa_hash_mix(h, decimal_hash(&k->c));
    for (uint32_t i = 0; i < k->n; i++) h = fa_hash_mix(h, decimal_hash(&k->values[i]));
    return h;
}

static bool same_node(const struct set_node *a, const struct set_node *b) {
    if (a->kind != b->kind || a->n != b->n) return false;
    if (a->kids) return memcmp(a->kids, b->kids, a->n * sizeof *a->kids) == 0;
    if (a->kind != SET_VALUES) return decimal_compare(&a->c, &b->c) == 0;
    for (uint32_t i = 0; i < a->n; i++)
        if (decimal_compare(&a->values[i], &b->values[i])) return false;
    return true;
}

/* Copies what the node points at into the arena. */
static bool keep_node(struct number_store *s, struct set_node *k) {
    if (k->kids) {
        k->kids = arena_push_copy(s->arena, k->kids, k->n * sizeof *k->kids);
        return k->kids != NULL;
    }
    if (k->kind != SET_VALUES) return decimal_keep(s, &k->c, &k->c);
    if (k->kept) return true;
    struct decimal *values = arena_push_array(s->arena, k->n, sizeof *values);
    if (!values) return false;
    for (uint32_t i = 0; i < k->n; i++)
        if (!decimal_keep(s, &k->values[i], &values[i])) return false;
    k->values = values;
    k->kept = true;
    return true;
}

numset_id numset_intern(struct number_store *s, struct set_node k) {
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
    return numset_intern(s, (struct set_node){.kind = SET_AT_LEAST, .c = *c});
}

numset_id numset_above(struct number_store *s, const struct decimal *c) {
    return numset_intern(s, (struct set_node){.kind = SET_ABOVE, .c = *c});
}

numset_id numset_multiple_of(struct number_store *s, const struct decimal *m) {
    return numset_intern(s, (struct set_node){.kind = SET_MULTIPLE, .c = *m});
}

static int compare_values(const void *a, const void *b) {
    return decimal_compare(a, b);
}

void decimals_sort(struct decimal *d, size_t n) {
    for (size_t i = 1; i < n; i++) {
        if (decimal_compare(&d[i - 1], &d[i]) <= 0) continue;
        qsort(d, n, sizeof *d, compare_values);
        return;
    }
}

numset_id numset_sorted_values(struct number_store *s, const struct decimal *values, uint32_t n) {
    if (!n) return NUMSET_NONE;
    return numset_intern(
        s, (struct set_node){.kind = SET_VALUES, .values = values, .n = n, .kept = true});
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
    decimals_sort(sorted, n);
    uint32_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!kept || decimal_compare(&sorted[kept - 1], &sorted[i])) sorted[kept++] = sorted[i];
    numset_id id =
        numset_intern(s, (struct set_node){.kind = SET_VALUES, .values = sorted, .n = kept});
    scratch_release(s, mark);
    return id;
}

numset_id numset_not(struct number_store *s, numset_id a) {
    (void)s;
    return a ^ 1;
}

/* ---- evaluating ----------------------------------------------------------------------------- */

static enum truth evaluate(struct number_store *s, numset_id a, atom_truth_fn atom, void *ctx) {
    struct set_node *k = set_node(s, a);
    if (k->value_stamp != s->stamp) {
        enum truth value = TRUTH_NO;
        if (k->kind == SET_AND) {
            value = TRUTH_YES;
            for (uint32_t i = 0; value && i < k->n; i++) {
                enum truth kid = evaluate(s, k->kids[i], atom, ctx);
                if (kid != TRUTH_YES) value = kid;
            }
        } else if (k->kind != SET_CONSTANT) {
            value = atom(ctx, s, a >> 1);
        }
        k->value_stamp = s->stamp;
        k->value = (uint8_t)value;
    }
    if (k->value == TRUTH_UNKNOWN) return TRUTH_UNKNOWN;
    return k->value != (a & 1) ? TRUTH_YES : TRUTH_NO;
}

enum truth numset_evaluate(struct number_store *s, numset_id a, atom_truth_fn atom, void *ctx) {
    s->stamp++;
    return evaluate(s, a, atom, ctx);
}

static bool has(const struct set_node *k, const struct decimal *x) {
    switch (k->kind) {
    case SET_AT_LEAST: return decimal_compare(x, &k->c) >= 0;
    case SET_ABOVE: return decimal_compare(x, &k->c) > 0;
    case SET_MULTIPLE: return decimal_is_multiple(x, &k->c);
    default: return bsearch(x, k->values, k->n, sizeof *k->values, compare_values) != NULL;
    }
}

static enum truth atom_has(void *ctx, const struct number_store *s, uint32_t node) {
    return has(&s->nodes.data[node], ctx) ? TRUTH_YES : TRUTH_NO;
}

bool numset_contains(struct number_store *s, numset_id a, const struct decimal *x) {
    struct decimal copy = *x;
    if (!numset_is_written(s, a)) return numset_evaluate(s, a, atom_has, &copy) == TRUTH_YES;
    return (decimal_is_integer(x) && numset_contains(s, numset_part(s, a, true), x)) ||
           numset_contains(s, numset_part(s, a, false), x);
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
            scratch_release(s, mark);
            mapped = arena_push_array(s->arena, n, sizeof *mapped);
            if (!mapped) return NUMSET_NONE;
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
    for (uint32_t i = 0; i < k.n; i++) values[i] = decimal_negate(&k.values[k.n - 1 - i]);
    return numset_sorted_values(s, values, k.n);
}

numset_id numset_mirror(struct number_store *s, numset_id a) {
    if (numset_is_written(s, a)) {
        numset_id whole = numset_mirror(s, numset_part(s, a, true));
        return numset_written(s, whole, numset_mirror(s, numset_part(s, a, false)));
    }
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
    if (k->kids) {
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

static void print_written(struct number_store *s, numset_id whole, numset_id other, FILE *out) {
    static const char *const names[2] = {"written without fraction and exponent",
                                         "written with a fraction or an exponent"};
    numset_id parts[2] = {whole, other};
    bool both = whole != NUMSET_NONE && other != NUMSET_NONE;
    if (both) fputs("(", out);
    for (int i = 0; i < 2; i++) {
        if (parts[i] == NUMSET_NONE) continue;
        fprintf(out, "%s%s%s", i && both ? " or " : "", parts[i] == NUMSET_ALL ? "" : "(",
                names[i]);
        if (parts[i] == NUMSET_ALL) continue;
        fputs(" and ", out);
        numset_print(s, parts[i], out);
        fputs(")", out);
    }
    if (both) fputs(")", out);
}

void numset_print(struct number_store *s, numset_id a, FILE *out) {
    const struct set_node *k = set_node(s, a);
    if (k->kind == SET_WRITTEN) {
        print_written(s, numset_part(s, a, true), numset_part(s, a, false), out);
        return;
    }
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
