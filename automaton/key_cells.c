/* SPDX-License-Identifier: MIT
 *
 * Cutting the undeclared names into cells: start with every name outside the declared and the
 * excluded ones, split by each key class of the formulas, drop what is empty. All names of a cell
 * step the formulas alike.
 */
#include "automaton/solver_internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CELLS      4096
#define MAX_NAME_BYTES 65536 /* of a representative: longer ones are a limit */

struct class_list {
    struct solver *s;
    uint32_t *ids;
    size_t n, capacity;
    bool single; /* collect single names (as name ids), else the other classes */
};

static void collect(void *ctx, uint32_t key_class, bool needed) {
    struct class_list *l = ctx;
    (void)needed;
    uint32_t name = key_class_get(l->s->goals, key_class)->name;
    if ((name != 0) != l->single) return;
    if (key_class <= KEY_CLASS_ALL) return;
    uint32_t id = l->single ? name : key_class;
    if (l->n == l->capacity) {
        l->s->limited = true;
        return;
    }
    l->ids[l->n++] = id;
}

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Distinct ids, sorted, on the scratch stack. */
static struct class_list collect_classes(struct solver *s, const goal_id *formulas, size_t n,
                                         bool single) {
    struct class_list l = {.s = s, .single = single};
    l.capacity = (s->goals->scratch.size - s->goals->scratch.used) / sizeof *l.ids / 2;
    if (l.capacity > 1 << 20) l.capacity = 1 << 20;
    l.ids = goal_scratch(s->goals, l.capacity);
    if (!l.ids) return (struct class_list){.s = s};
    for (size_t i = 0; i < n; i++) {
        formula_key_classes(s->goals, formulas[i], collect, &l);
        qsort(l.ids, l.n, sizeof *l.ids, by_value);
        size_t m = 0;
        for (size_t j = 0; j < l.n; j++)
            if (!m || l.ids[m - 1] != l.ids[j]) l.ids[m++] = l.ids[j];
        l.n = m;
    }
    s->goals->scratch.used -= (l.capacity - l.n) * sizeof *l.ids & ~(size_t)15;
    return l;
}

size_t solver_single_names(struct solver *s, const goal_id *formulas, size_t n_formulas,
                           const uint32_t **names) {
    size_t mark = goal_scratch_mark(s->goals);
    struct class_list l = collect_classes(s, formulas, n_formulas, true);
    *names = arena_push_copy(s->arena, l.ids, l.n * sizeof *l.ids);
    goal_scratch_pop(s->goals, mark);
    return *names ? l.n : 0;
}

size_t solver_key_classes(struct solver *s, const goal_id *formulas, size_t n_formulas,
                          const uint32_t **classes) {
    struct class_list l = collect_classes(s, formulas, n_formulas, false);
    *classes = l.ids;
    return l.ids ? l.n : SIZE_MAX;
}

/* ---- languages of names ---------------------------------------------------------------------- */

struct name_list {
    struct solver *s;
    const unsigned char **texts;
    size_t *lengths;
    size_t n, capacity;
};

static bool add_name(void *ctx, uint32_t name) {
    struct name_list *l = ctx;
    if (l->n == l->capacity) return false;
    l->texts[l->n] = (const unsigned char *)goal_name_text(l->s->goals, name, &l->lengths[l->n]);
    l->n++;
    return true;
}

static bool count_name(void *ctx, uint32_t name) {
    (void)name;
    ++*(size_t *)ctx;
    return true;
}

/* The language of exactly these names (two arrays and a set). */
static term_id names_term(struct solver *s, const uint32_t *a, size_t n_a, const uint32_t *b,
                          size_t n_b, name_set set) {
    size_t mark = goal_scratch_mark(s->goals), capacity = n_a + n_b;
    name_set_visit(&s->names, set, count_name, &capacity);
    struct name_list l = {.s = s, .capacity = capacity};
    l.texts = arena_push_array(&s->goals->scratch, capacity, sizeof *l.texts);
    l.lengths = arena_push_array(&s->goals->scratch, capacity, sizeof *l.lengths);
    if (!l.texts || !l.lengths) {
        s->arena->failed = true;
        return TERM_NONE;
    }
    for (size_t i = 0; i < n_a; i++) add_name(&l, a[i]);
    for (size_t i = 0; i < n_b; i++) add_name(&l, b[i]);
    name_set_visit(&s->names, set, add_name, &l);
    term_id t = regex_literal_set(s->goals->regex, l.texts, l.lengths, l.n);
    goal_scratch_pop(s->goals, mark);
    return t;
}

/* Some name of the (non-empty) language, interned; 0 past a limit. */
static uint32_t some_name(struct solver *s, term_id t) {
    size_t mark = goal_scratch_mark(s->goals), n;
    unsigned char *text = arena_push(&s->goals->scratch, MAX_NAME_BYTES);
    uint32_t name = 0;
    if (text && (n = regex_some_string(s->goals->regex, t, text, MAX_NAME_BYTES)) != SIZE_MAX)
        name = goal_name(s->goals, (const char *)text, n);
    if (!name) s->limited = true;
    goal_scratch_pop(s->goals, mark);
    return name;
}

/* The i-th of the short names a, b, ... z, aa, ab, ... */
static uint32_t short_name(struct solver *s, size_t i) {
    char text[16];
    size_t at = sizeof text;
    for (i++; i; i = (i - 1) / 26) text[--at] = (char)('a' + (i - 1) % 26);
    return goal_name(s->goals, text + at, sizeof text - at);
}

#define SHORT_NAMES 64 /* tried before the cell itself is asked */

/* Most cells hold most names: then a short one is found without making languages. Many names in
 * `avoid` are as a rule short ones that were found like this, one after the other. */
static uint32_t short_name_in(struct solver *s, term_id cell, name_set avoid) {
    size_t n_avoided = 0;
    name_set_visit(&s->names, avoid, count_name, &n_avoided);
    for (size_t i = n_avoided; i < n_avoided + SHORT_NAMES; i++) {
        uint32_t name = short_name(s, i);
        if (name && !name_set_has(&s->names, avoid, name) && solver_name_is_in(s, cell, name))
            return name;
    }
    return 0;
}

/* A name of the cell that is not in `avoid`, 0 when there is none. The names that stand in the way
 * are cut out one by one, a few as a rule; only when they are many the whole set is. */
static uint32_t representative(struct solver *s, term_id cell, name_set avoid) {
    uint32_t taken[16], found = avoid == NAME_SET_EMPTY ? 0 : short_name_in(s, cell, avoid);
    if (found) return found;
    for (size_t n = 0;;) {
        uint32_t name = some_name(s, cell);
        if (!name || !name_set_has(&s->names, avoid, name)) return name;
        taken[n++] = name;
        bool many = n == sizeof taken / sizeof *taken;
        term_id names = names_term(s, many ? NULL : &taken[n - 1], many ? 0 : 1, NULL, 0,
                                   many ? avoid : NAME_SET_EMPTY);
        cell = regex_and(s->goals->regex,
                         (const term_id[]){cell, regex_not(s->goals->regex, names)}, 2);
        if (!solver_has_string(s, cell)) return 0;
        if (many) return some_name(s, cell);
    }
}

term_id solver_other_names(struct solver *s, goal_id formula, const uint32_t *excluded,
                           size_t n_excluded) {
    size_t mark = goal_scratch_mark(s->goals);
    struct class_list singles = collect_classes(s, &formula, 1, true);
    term_id t = regex_not(s->goals->regex, names_term(s, singles.ids, singles.n, excluded,
                                                      n_excluded, NAME_SET_EMPTY));
    goal_scratch_pop(s->goals, mark);
    return t;
}

static bool has_name(const uint32_t *sorted, size_t n, uint32_t name) {
    return n && bsearch(&name, sorted, n, sizeof *sorted, by_value);
}

/* Names that no cell need hold; the lists are sorted. */
struct outside {
    const uint32_t *singles, *excluded;
    size_t n_singles, n_excluded;
    name_set avoid; /* what was read before: a cell of such names only cannot come */
    bool avoided;   /* that has made a difference */
};

static const uint32_t *sorted_copy(struct solver *s, const uint32_t *ids, size_t n) {
    uint32_t *copy = goal_scratch(s->goals, n);
    if (!copy) return NULL;
    if (n) memcpy(copy, ids, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, by_value);
    return copy;
}

/* A class without these, as it is simpler: the complement of what is declared is all names, as a
 * rule. */
static term_id class_outside(struct solver *s, uint32_t class, struct outside *o) {
    term_id whole = key_class_get(s->goals, class)->term;
    const struct reduced_names *r = solver_reduce_names(s, whole, true);
    bool all = r != NULL, avoided = false;
    for (uint32_t i = 0; all && i < r->n; i++) {
        if (has_name(o->singles, o->n_singles, r->names[i]) ||
            has_name(o->excluded, o->n_excluded, r->names[i]))
            continue;
        all = avoided = name_set_has(&s->names, o->avoid, r->names[i]);
    }
    o->avoided |= all && avoided;
    return all ? r->rest : whole;
}

size_t solver_key_cells(struct solver *s, const goal_id *formulas, size_t n_formulas,
                        const uint32_t *excluded, size_t n_excluded, name_set avoid,
                        const struct key_cell **cells, bool *hangs) {
    solver_begin(s);
    size_t mark = goal_scratch_mark(s->goals);
    struct regex_store *r = s->goals->regex;
    struct class_list singles = collect_classes(s, formulas, n_formulas, true);
    struct class_list classes = collect_classes(s, formulas, n_formulas, false);
    struct outside o = {
        singles.ids, sorted_copy(s, excluded, n_excluded), singles.n, n_excluded, avoid, false};
    term_id *terms = goal_scratch(s->goals, MAX_CELLS);
    struct key_cell *out = NULL;
    size_t n = 0;
    if (terms && o.excluded) {
        terms[0] = regex_not(
            r, names_term(s, singles.ids, singles.n, excluded, n_excluded, NAME_SET_EMPTY));
        n = solver_has_string(s, terms[0]) ? 1 : 0;
    }
    for (size_t c = 0; c < classes.n && !s->limited; c++) {
        term_id in = class_outside(s, classes.ids[c], &o);
        term_id not_in = regex_not(r, in);
        if (in == TERM_ANY || in == TERM_NONE) continue; /* it cuts nothing */
        size_t before = n;
        for (size_t i = 0; i < before && solver_step(s); i++) {
            term_id outside = regex_and(r, (const term_id[]){terms[i], not_in}, 2);
            term_id inside = regex_and(r, (const term_id[]){terms[i], in}, 2);
            /* A cell that is not cut stays as it is written: terms grow with cuts only. */
            if (!solver_has_string(s, inside) || !solver_has_string(s, outside)) continue;
            terms[i] = inside;
            if (n == MAX_CELLS) {
                s->limited = true;
                break;
            }
            terms[n++] = outside;
        }
    }
    out = arena_push_array(s->arena, n, sizeof *out);
    if (!out) n = 0;
    for (size_t i = 0; i < n; i++)
        out[i] = (struct key_cell){terms[i], representative(s, terms[i], avoid)};
    *cells = out;
    *hangs = o.avoided;
    goal_scratch_pop(s->goals, mark);
    return n;
}
