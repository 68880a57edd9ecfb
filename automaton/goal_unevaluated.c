/* SPDX-License-Identifier: MIT
 *
 * "Every child that nothing has evaluated meets G" (json-machine: "counting and evaluation
 * keywords"), what `unevaluatedProperties` and `unevaluatedItems` say. A node holds
 *
 *     asked    the children it speaks of: a class of names, or an interval of indices
 *     goal     G
 *     cells    (children K, goal C, condition): children in K that meet C are evaluated if the
 *              condition, a formula over the whole container, holds
 *
 * The conditions are the node's kids, so that all rewritings reach them; the rest is a record. The
 * node is monotone in its conditions. Before a child at k every condition is stepped, and
 *
 *     U  ->  U' and (V(G) or, over the cells with k in K, (condition' and V(C)))
 *
 * where k is asked for, else U'. An end makes it true. Keys of equal membership give the same
 * clause, and a child that is surely evaluated gives none, so formulas do not grow.
 *
 * Normal form: a cell whose condition is true and that asks nothing of its children is cut out of
 * `asked`; cells of one condition are one cell; equal children under several conditions are a
 * disjunction. Without cells it is an ordinary count: all asked children meet G.
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/goal_internal.h"

/* Steps that finding an empty class of names may take; past them it stays, which is harmless. */
#define EMPTY_CLASS_WORK 2000

static const struct child_range empty_range = {KEY_CLASS_NONE, 1, 0};

static bool is_empty(const struct child_range *r, enum value_type t) {
    return t == TYPE_OBJECT ? r->key_class == KEY_CLASS_NONE : r->first > r->last;
}

static bool same_range(const struct child_range *a, const struct child_range *b) {
    return a->key_class == b->key_class && a->first == b->first && a->last == b->last;
}

/* ---- records --------------------------------------------------------------------------------- */

static uint32_t hash_range(uint32_t hash, const struct child_range *r) {
    const uint32_t key[] = {r->key_class, (uint32_t)r->first, (uint32_t)(r->first >> 32),
                            (uint32_t)r->last, (uint32_t)(r->last >> 32)};
    return fa_hash_mix(hash, fa_hash(key, sizeof key));
}

static bool same_record(const struct unevaluated *a, const struct unevaluated *b) {
    if (a->goal != b->goal || a->n != b->n || !same_range(&a->asked, &b->asked)) return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->cells[i].goal != b->cells[i].goal ||
            !same_range(&a->cells[i].children, &b->cells[i].children))
            return false;
    return true;
}

static uint32_t intern_record(struct goal_store *s, const struct unevaluated *u) {
    uint32_t hash = hash_range(u->goal, &u->asked);
    for (uint32_t i = 0; i < u->n; i++)
        hash = fa_hash_mix(hash_range(hash, &u->cells[i].children), u->cells[i].goal);
    for (struct table_probe p = table_probe(&s->unevaluated_table, hash);
         table_next(&s->unevaluated_table, &p);)
        if (same_record(&s->unevaluated.data[p.id], u)) return p.id;
    struct unevaluated copy = *u;
    copy.cells = arena_push_copy(s->arena, u->cells, u->n * sizeof *u->cells);
    uint32_t id = s->unevaluated.count;
    if (!copy.cells || !ARENA_VEC_GROW(s->arena, &s->unevaluated) ||
        !table_add(&s->unevaluated_table, hash, id))
        return 0;
    s->unevaluated.data[s->unevaluated.count++] = copy;
    return id;
}

const struct unevaluated *unevaluated_get(const struct goal_store *s, uint32_t id) {
    return &s->unevaluated.data[id];
}

/* ---- normal form ----------------------------------------------------------------------------- */

/* A node being made. */
struct form {
    struct goal_store *s;
    enum value_type type;
    bool settled;                      /* the type is: a predicate, not a leaf */
    struct child_range asked, trimmed; /* the cells lie inside `trimmed` */
    goal_id goal;
    struct evaluated_cell *cells; /* with conditions */
    size_t n;
};

static bool has_no_name(struct goal_store *s, term_id t) {
    uint64_t work = 0;
    return t == TERM_NONE ||
           regex_alive(s->regex, t, 0, PARTIAL_BOUNDARY, &work, EMPTY_CLASS_WORK) == REGEX_NO;
}

static term_id class_term(const struct goal_store *s, const struct child_range *r) {
    return key_class_get(s, r->key_class)->term;
}

/* The names of r that are in `in`. */
static struct child_range names_within(struct goal_store *s, const struct child_range *r,
                                       const struct child_range *in) {
    struct key_class k = *key_class_get(s, r->key_class);
    if (in->key_class == KEY_CLASS_ALL) return *r;
    if (k.name) return key_class_has(s, in->key_class, k.name) ? *r : empty_range;
    term_id asked = class_term(s, in), not_asked = regex_not(s->regex, asked);
    if (has_no_name(s, regex_and(s->regex, (const term_id[]){k.term, not_asked}, 2))) return *r;
    term_id both = regex_and(s->regex, (const term_id[]){k.term, asked}, 2);
    if (has_no_name(s, both)) return empty_range;
    return (struct child_range){.key_class = key_class_term(s, both)};
}

static struct child_range indices_within(const struct child_range *r,
                                         const struct child_range *in) {
    struct child_range both = *r;
    if (in->first > both.first) both.first = in->first;
    if (in->last < both.last) both.last = in->last;
    return both.first > both.last ? empty_range : both;
}

/* Cells that can evaluate nothing new are dropped, the others speak of asked children only. */
static void trim(struct form *f) {
    bool outside = !same_range(&f->asked, &f->trimmed);
    size_t m = 0;
    for (size_t i = 0; i < f->n; i++) {
        struct evaluated_cell c = f->cells[i];
        if (c.condition == GOAL_FALSE || c.condition == GOAL_CYCLE || c.goal == GOAL_FALSE ||
            c.goal == f->goal)
            continue;
        if (outside)
            c.children = f->type == TYPE_OBJECT ? names_within(f->s, &c.children, &f->asked)
                                                : indices_within(&c.children, &f->asked);
        if (!is_empty(&c.children, f->type)) f->cells[m++] = c;
    }
    f->n = m;
    f->trimmed = f->asked;
}

/* Cuts what is surely evaluated out of `asked`. True if there was anything. */
static bool cut_names(struct form *f) {
    struct goal_store *s = f->s;
    size_t mark = goal_scratch_mark(s), m = 0, n_terms = 0;
    term_id *terms = goal_scratch(s, f->n + 1);
    if (!terms) return false;
    for (size_t i = 0; i < f->n; i++) {
        const struct evaluated_cell *c = &f->cells[i];
        if (c->condition == GOAL_TRUE && c->goal == GOAL_TRUE)
            terms[n_terms++] = class_term(s, &c->children);
        else
            f->cells[m++] = *c;
    }
    f->n = m;
    if (n_terms) {
        terms[0] = regex_not(s->regex, regex_or(s->regex, terms, n_terms));
        terms[1] = class_term(s, &f->asked);
        term_id rest = regex_and(s->regex, terms, 2);
        f->asked.key_class = has_no_name(s, rest) ? KEY_CLASS_NONE : key_class_term(s, rest);
    }
    goal_scratch_pop(s, mark);
    return n_terms > 0;
}

/* The same for an interval: only at its ends, where it stays one. */
static bool cut_indices(struct form *f) {
    for (size_t i = 0; i < f->n; i++) {
        struct evaluated_cell c = f->cells[i];
        if (c.condition != GOAL_TRUE || c.goal != GOAL_TRUE) continue;
        bool from_first = c.children.first <= f->asked.first;
        bool to_last = c.children.last >= f->asked.last;
        if (!from_first && !to_last) continue;
        if (from_first && to_last)
            f->asked = empty_range;
        else if (from_first)
            f->asked.first = c.children.last + 1;
        else
            f->asked.last = c.children.first - 1;
        f->cells[i] = f->cells[--f->n];
        return true;
    }
    return false;
}

/* A goal that surely evaluates all that is asked: an alternative to G. */
static bool widen_goal(struct form *f) {
    for (size_t i = 0; i < f->n; i++) {
        struct evaluated_cell c = f->cells[i];
        if (c.condition != GOAL_TRUE || !same_range(&c.children, &f->asked)) continue;
        f->goal = goal_or2(f->s, f->goal, c.goal);
        f->cells[i] = f->cells[--f->n];
        return true;
    }
    return false;
}

static int compare(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int by_children(const void *a, const void *b) {
    const struct evaluated_cell *x = a, *y = b;
    int order = compare(x->children.key_class, y->children.key_class);
    if (!order) order = compare(x->children.first, y->children.first);
    if (!order) order = compare(x->children.last, y->children.last);
    if (!order) order = compare(x->goal, y->goal);
    return order ? order : compare(x->condition, y->condition);
}

static int by_condition(const void *a, const void *b) {
    const struct evaluated_cell *x = a, *y = b;
    int order = compare(x->condition, y->condition);
    if (!order) order = compare(x->goal, y->goal);
    return order ? order : by_children(a, b);
}

/* Names under one condition are one class. */
static size_t join_names(struct form *f, size_t from, size_t to, struct evaluated_cell *out) {
    struct goal_store *s = f->s;
    *out = f->cells[from];
    if (to - from == 1) return 1;
    size_t mark = goal_scratch_mark(s), n = 0;
    term_id *terms = goal_scratch(s, to - from);
    if (!terms) return 1;
    for (size_t i = from; i < to; i++) terms[n++] = class_term(s, &f->cells[i].children);
    out->children.key_class = key_class_term(s, regex_or(s->regex, terms, n));
    goal_scratch_pop(s, mark);
    return 1;
}

/* Intervals under one condition, sorted by their beginnings, are joined where they touch. */
static size_t join_indices(const struct form *f, size_t from, size_t to,
                           struct evaluated_cell *out) {
    size_t n = 0;
    for (size_t i = from; i < to; i++) {
        struct evaluated_cell c = f->cells[i];
        if (n && out[n - 1].children.last >= c.children.first - (c.children.first > 0)) {
            if (c.children.last > out[n - 1].children.last)
                out[n - 1].children.last = c.children.last;
        } else {
            out[n++] = c;
        }
    }
    return n;
}

/* Sorts the cells and joins those that can be. True if that changed their number. */
static bool join(struct form *f) {
    size_t before = f->n, n = 0;
    if (f->n > 1) qsort(f->cells, f->n, sizeof *f->cells, by_condition);
    for (size_t i = 0, j; i < f->n; i = j) {
        const struct evaluated_cell first = f->cells[i];
        for (j = i + 1; j < f->n; j++)
            if (f->cells[j].condition != first.condition || f->cells[j].goal != first.goal) break;
        n += f->type == TYPE_OBJECT ? join_names(f, i, j, &f->cells[n])
                                    : join_indices(f, i, j, &f->cells[n]);
    }
    f->n = n;
    if (f->n > 1) qsort(f->cells, f->n, sizeof *f->cells, by_children);
    n = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct evaluated_cell c = f->cells[i];
        struct evaluated_cell *last = n ? &f->cells[n - 1] : NULL;
        if (last && last->goal == c.goal && same_range(&last->children, &c.children))
            last->condition = goal_or2(f->s, last->condition, c.condition);
        else
            f->cells[n++] = c;
    }
    f->n = n;
    return n < before;
}

/* "All asked children meet G". */
static goal_id all_meet(const struct form *f) {
    struct goal_store *s = f->s;
    struct predicate p = {.kind =
                              f->type == TYPE_OBJECT ? PREDICATE_COUNT_KEYS : PREDICATE_COUNT_ITEMS,
                          .key_class = f->asked.key_class,
                          .first = f->asked.first,
                          .last = f->asked.last,
                          .goal = goal_not(s, f->goal),
                          .n = 1};
    return f->settled ? goal_predicate(s, f->type, &p, false)
                      : goal_leaf(s, f->type, &p, false, true);
}

static goal_id make(struct form *f) {
    struct goal_store *s = f->s;
    bool object = f->type == TYPE_OBJECT;
    trim(f);
    do {
        while (object ? cut_names(f) : cut_indices(f)) trim(f);
        while (widen_goal(f)) trim(f);
        if (f->goal == GOAL_TRUE || is_empty(&f->asked, f->type)) return GOAL_TRUE;
    } while (f->n > 1 && join(f) && !s->arena->failed);
    if (f->n == 0) return all_meet(f);
    size_t mark = goal_scratch_mark(s);
    goal_id *conditions = goal_scratch(s, f->n);
    if (!conditions) return GOAL_FALSE;
    for (size_t i = 0; i < f->n; i++) {
        conditions[i] = f->cells[i].condition;
        f->cells[i].condition = 0; /* no part of the record */
    }
    struct unevaluated u = {f->asked, f->goal, (uint32_t)f->n, f->cells};
    goal_id g = goal_intern(s, &(struct goal_node){.kind = GOAL_KIND_UNEVALUATED,
                                                   .type = (uint8_t)f->type,
                                                   .sign = true,
                                                   .vacuous = !f->settled,
                                                   .a = intern_record(s, &u),
                                                   .n_kids = u.n,
                                                   .kids = conditions});
    goal_scratch_pop(s, mark);
    return g;
}

goal_id goal_unevaluated(struct goal_store *s, enum value_type t,
                         const struct evaluated_cell *cells, size_t n, goal_id g) {
    size_t mark = goal_scratch_mark(s);
    struct form f = {.s = s, .type = t, .goal = g, .n = n};
    f.asked = (struct child_range){.key_class = t == TYPE_OBJECT ? KEY_CLASS_ALL : KEY_CLASS_NONE,
                                   .last = t == TYPE_OBJECT ? 0 : INDEX_UNBOUNDED};
    f.trimmed = empty_range;
    f.cells = arena_push_array(&s->scratch, n, sizeof *f.cells);
    if (!f.cells) {
        s->arena->failed = true;
        return GOAL_FALSE;
    }
    if (n) memcpy(f.cells, cells, n * sizeof *cells);
    goal_id result = make(&f);
    goal_scratch_pop(s, mark);
    return result;
}

/* The record of node n with the conditions `kids`, as a form on the scratch stack. */
static bool open_form(struct goal_store *s, const struct goal_node *n, const goal_id *kids,
                      struct form *f) {
    struct unevaluated u = *unevaluated_get(s, n->a);
    *f = (struct form){.s = s,
                       .type = (enum value_type)n->type,
                       .settled = !n->vacuous,
                       .asked = u.asked,
                       .trimmed = u.asked,
                       .goal = u.goal,
                       .n = u.n};
    f->cells = arena_push_array(&s->scratch, u.n, sizeof *f->cells);
    if (!f->cells) {
        s->arena->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < u.n; i++) {
        f->cells[i] = u.cells[i];
        f->cells[i].condition = kids[i];
    }
    return true;
}

goal_id unevaluated_with_conditions(struct goal_store *s, const struct goal_node *n,
                                    const goal_id *kids) {
    size_t mark = goal_scratch_mark(s);
    struct form f;
    /* A cycle holds for no value: nothing is evaluated by it, and nothing is known not to be. */
    for (uint32_t i = 0; i < n->n_kids && !n->sign; i++)
        if (kids[i] == GOAL_CYCLE) return GOAL_CYCLE;
    goal_id result = open_form(s, n, kids, &f) ? make(&f) : GOAL_FALSE;
    goal_scratch_pop(s, mark);
    return n->sign ? result : goal_not(s, result);
}

/* ---- stepping -------------------------------------------------------------------------------- */

/* V(G) or, over the cells with the child, (condition and V(C)). */
static goal_id child_clause(const struct form *f, uint32_t name) {
    struct goal_store *s = f->s;
    size_t mark = goal_scratch_mark(s), n = 0;
    goal_id *kids = goal_scratch(s, f->n + 1);
    if (!kids) return GOAL_FALSE;
    kids[n++] = goal_variable(s, f->goal);
    for (size_t i = 0; i < f->n; i++) {
        const struct evaluated_cell c = f->cells[i];
        bool in = name ? key_class_has(s, c.children.key_class, name) : c.children.first == 0;
        if (in) kids[n++] = goal_and2(s, c.condition, goal_variable(s, c.goal));
    }
    goal_id result = goal_or(s, kids, n);
    goal_scratch_pop(s, mark);
    return result;
}

/* Indices relative to the item after the next one. */
static struct child_range shifted(struct child_range r) {
    if (r.last == 0) return empty_range;
    if (r.first) r.first--;
    if (r.last != INDEX_UNBOUNDED) r.last--;
    return r;
}

goal_id unevaluated_step(struct goal_store *s, const struct goal_node *n, const goal_id *kids,
                         uint32_t name, bool served) {
    size_t mark = goal_scratch_mark(s);
    struct form f;
    if (!open_form(s, n, kids, &f)) return GOAL_FALSE;
    goal_id clause = GOAL_TRUE, rest = GOAL_TRUE;
    if (name ? key_class_has(s, f.asked.key_class, name) : f.asked.first == 0)
        clause = child_clause(&f, name);
    if (!name) {
        f.asked = f.trimmed = shifted(f.asked);
        for (size_t i = 0; i < f.n; i++) f.cells[i].children = shifted(f.cells[i].children);
    }
    if (!served) rest = make(&f);
    goal_scratch_pop(s, mark);
    goal_id result = goal_and2(s, rest, clause);
    return n->sign ? result : goal_not(s, result);
}
