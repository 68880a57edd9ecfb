/* SPDX-License-Identifier: MIT
 *
 * The names of an open object that need not be told apart. Almost all names are undeclared, and what
 * follows one of them hangs only on the classes that it is in (of patternProperties, say). *Special*
 * names are those that a formula knows one by one, and those read before. Classes are reduced: what
 * is written in them as a list of names goes to the special ones, so that `additionalProperties`,
 * "all names but these", becomes "all names", and the place behind any beginning of a name is the
 * same.
 *
 * Made for the first frame of an object whose key is asked about and handed on to the later ones:
 * formulas only lose names and classes on the way.
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"

term_id names_undeclared(struct json_machine *m, term_id language) {
    const struct reduced_names *r = solver_reduce_names(m->solver, language, false);
    return r ? r->rest : TERM_NONE;
}

/* ---- the names of an object ------------------------------------------------------------------ */

static bool has_special(const struct object_names *x, uint32_t name) {
    uint32_t low = 0, high = x->n_special;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (x->special[mid] == name) return true;
        if (x->special[mid] < name)
            low = mid + 1;
        else
            high = mid;
    }
    return false;
}

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* All that roots and order know one by one, each once. */
static bool collect_special(struct json_machine *m, const struct context *c,
                            const struct reduced_names *const *classes, struct object_names *out) {
    const uint32_t *singles;
    size_t n = solver_single_names(m->solver, c->roots, c->n_roots, &singles), capacity = n;
    const struct key_order *order = &m->orders.data[c->order];
    capacity += order->n;
    for (uint32_t i = 0; i < out->n_classes; i++) capacity += classes[i]->n;
    uint32_t *list = arena_push_array(&m->arena, capacity, sizeof *list);
    if (!list) return false;
    memcpy(list, singles, n * sizeof *list);
    if (order->n) memcpy(list + n, order->names, order->n * sizeof *list);
    n += order->n;
    for (uint32_t i = 0; i < out->n_classes; i++) {
        if (classes[i]->n) memcpy(list + n, classes[i]->names, classes[i]->n * sizeof *list);
        n += classes[i]->n;
    }
    qsort(list, n, sizeof *list, by_value);
    for (size_t i = 0; i < n; i++)
        if (!out->n_special || list[out->n_special - 1] != list[i])
            list[out->n_special++] = list[i];
    out->special = list;
    return true;
}

static struct object_names make_names(struct json_machine *m, const struct context *c) {
    struct object_names x = {0};
    const uint32_t *classes;
    const struct reduced_names *reduced[MAX_KEY_CLASSES];
    size_t mark = goal_scratch_mark(m->goals);
    size_t n = solver_key_classes(m->solver, c->roots, c->n_roots, &classes);
    for (size_t i = 0; i < n && n <= MAX_KEY_CLASSES; i++) {
        term_id t = key_class_get(m->goals, classes[i])->term;
        const struct reduced_names *r = solver_reduce_names(m->solver, t, true);
        if (!r) n = SIZE_MAX;
        if (r && r->rest > TERM_ANY) x.classes[x.n_varying++] = r->rest;
        if (r) reduced[i] = r;
    }
    if (n <= MAX_KEY_CLASSES) {
        x.n_classes = (uint32_t)n;
        x.usable = collect_special(m, c, reduced, &x);
    }
    goal_scratch_pop(m->goals, mark);
    return x;
}

struct object_names *names_of(struct json_machine *m, uint32_t o) {
    struct context *c = context(m, o);
    if (!c->names) {
        struct object_names x = make_names(m, c);
        if (m->arena.failed || !ARENA_VEC_GROW(&m->arena, &m->object_names)) return NULL;
        if (!m->object_names.count) m->object_names.count = 1;
        if (!ARENA_VEC_GROW(&m->arena, &m->object_names)) return NULL;
        m->object_names.data[m->object_names.count] = x;
        c->names = m->object_names.count++;
    }
    struct object_names *x = &m->object_names.data[c->names];
    return x->usable ? x : NULL;
}

bool names_is_special(struct json_machine *m, uint32_t o, uint32_t name) {
    return has_special(names_of(m, o), name) ||
           name_set_has(solver_name_sets(m->solver), context(m, o)->seen, name);
}
