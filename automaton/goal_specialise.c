/* SPDX-License-Identifier: MIT
 *
 * From goals over all values to formulas over one type, and from formulas over scalars to one
 * language or one set.
 *
 * A reference is expanded in place. While its expansion is being made, meeting the same reference
 * again means that a chain of $ref consumes nothing: that occurrence is GOAL_CYCLE, which holds
 * for no value and whose negation holds for none either. What was made out of such an occurrence
 * is true inside that expansion only: it is not kept until the reference is closed.
 */
#include "automaton/goal_internal.h"

/* A spec memo value from here on (GOAL_UNKNOWN excepted) marks "being expanded", as the open
 * reference number value - GOAL_IN_PROGRESS. */
#define GOAL_IN_PROGRESS (UINT32_MAX - 1 - GOAL_MAX_DEPTH)

static goal_id specialise_kids(struct goal_store *s, const struct goal_node *n, enum value_type t) {
    size_t mark = goal_scratch_mark(s);
    goal_id *kids = goal_scratch(s, n->n_kids);
    if (!kids) return GOAL_FALSE;
    for (uint32_t i = 0; i < n->n_kids; i++) kids[i] = goal_specialise(s, n->kids[i], t);
    goal_id result = goal_with_kids(s, n, kids);
    goal_scratch_pop(s, mark);
    return result;
}

static goal_id specialise_ref(struct goal_store *s, goal_id g, const struct goal_node *n,
                              enum value_type t) {
    if (!n->sign) return goal_not(s, goal_specialise(s, goal_not(s, g), t));
    uint32_t mine = s->open_refs++;
    s->nodes.data[g].spec[t] = GOAL_IN_PROGRESS + mine;
    goal_id expansion = s->expand(s->expand_ctx, n->a, n->b, t);
    goal_id result = goal_specialise(s, expansion, t);
    s->nodes.data[g].spec[t] = GOAL_UNKNOWN;
    s->open_refs--;
    if (s->relies_on == mine) s->relies_on = UINT32_MAX; /* on itself: that is over */
    return result;
}

goal_id goal_specialise(struct goal_store *s, goal_id g, enum value_type t) {
    goal_id memo = node(s, g)->spec[t];
    if (memo >= GOAL_IN_PROGRESS && memo != GOAL_UNKNOWN) {
        uint32_t ref = memo - GOAL_IN_PROGRESS;
        s->met_cycle = true;
        if (ref < s->relies_on) s->relies_on = ref;
        return GOAL_CYCLE;
    }
    if (memo != GOAL_UNKNOWN) return memo;
    if (!goal_descend(s)) return GOAL_FALSE;
    struct goal_node n = *node(s, g);
    uint32_t outside = s->relies_on;
    s->relies_on = UINT32_MAX;
    goal_id result = g;
    switch ((enum goal_kind)n.kind) {
    case GOAL_KIND_CONSTANT:
    case GOAL_KIND_PREDICATE:
    case GOAL_KIND_VARIABLE: break;
    case GOAL_KIND_AND:
    case GOAL_KIND_OR:
    case GOAL_KIND_ONE: result = specialise_kids(s, &n, t); break;
    case GOAL_KIND_TYPE: result = n.type & TYPE_BIT(t) ? GOAL_TRUE : GOAL_FALSE; break;
    case GOAL_KIND_LEAF:
        if (n.type == t) {
            struct predicate p = s->predicates.data[n.a];
            result = goal_predicate(s, t, &p, n.sign);
        } else {
            result = n.vacuous ? GOAL_TRUE : GOAL_FALSE;
        }
        break;
    case GOAL_KIND_REF: result = specialise_ref(s, g, &n, t); break;
    case GOAL_KIND_UNEVALUATED:
        if (n.type != t) {
            result = n.sign ? GOAL_TRUE : GOAL_FALSE;
        } else if (n.vacuous) {
            n.vacuous = false;
            result = specialise_kids(s, &n, t);
        }
        break;
    }
    s->depth--;
    if (s->relies_on == UINT32_MAX && !s->arena->failed)
        s->nodes.data[g].spec[t] = result;
    else if (s->relies_on != UINT32_MAX && ++s->unsettled > GOAL_MAX_UNSETTLED)
        s->too_deep = s->arena->failed = true;
    if (outside < s->relies_on) s->relies_on = outside;
    return result;
}

/* ---- scalars --------------------------------------------------------------------------------- */

/* The boolean structure of a scalar formula, folded with the operations of languages (term_id) or
 * of number sets (numset_id): both are uint32_t with 0 = none and a constant for all. */
struct algebra {
    uint32_t none, all;
    uint32_t (*leaf)(struct goal_store *s, const struct predicate *p);
    uint32_t (*and_)(struct goal_store *s, const uint32_t *x, size_t n);
    uint32_t (*or_)(struct goal_store *s, const uint32_t *x, size_t n);
    uint32_t (*not_)(struct goal_store *s, uint32_t x);
};

static uint32_t fold(struct goal_store *s, const struct algebra *a, goal_id g);

/* Of a list of kids: where none of them holds, and where exactly one does. */
struct holding {
    uint32_t none, one;
};

static struct holding join(struct goal_store *s, const struct algebra *a, struct holding x,
                           struct holding y) {
    uint32_t left = a->and_(s, (const uint32_t[]){x.one, y.none}, 2);
    uint32_t right = a->and_(s, (const uint32_t[]){x.none, y.one}, 2);
    return (struct holding){a->and_(s, (const uint32_t[]){x.none, y.none}, 2),
                            a->or_(s, (const uint32_t[]){left, right}, 2)};
}

/* Halves, so that n constants cost the languages of n log n values, not of n^2. */
static struct holding fold_kids(struct goal_store *s, const struct algebra *a, const goal_id *kids,
                                uint32_t n) {
    if (n == 1) {
        uint32_t x = fold(s, a, kids[0]);
        return (struct holding){a->not_(s, x), x};
    }
    struct holding left = fold_kids(s, a, kids, n / 2);
    return join(s, a, left, fold_kids(s, a, kids + n / 2, n - n / 2));
}

static uint32_t fold_one(struct goal_store *s, const struct algebra *a, const struct goal_node *n) {
    struct holding all = fold_kids(s, a, n->kids, n->n_kids);
    uint32_t result = n->type == 0 ? all.one : all.none; /* with one true already: none may */
    return n->sign ? result : a->not_(s, result);
}

static uint32_t fold(struct goal_store *s, const struct algebra *a, goal_id g) {
    if (g == GOAL_TRUE) return a->all;
    if (g == GOAL_FALSE || g == GOAL_CYCLE) return a->none;
    struct goal_node n = *node(s, g);
    if (n.kind == GOAL_KIND_PREDICATE) {
        struct predicate p = s->predicates.data[n.a];
        uint32_t x = a->leaf(s, &p);
        return n.sign ? x : a->not_(s, x);
    }
    if (!goal_descend(s)) return a->none;
    uint32_t result;
    if (n.kind == GOAL_KIND_ONE) {
        result = fold_one(s, a, &n);
    } else {
        size_t mark = goal_scratch_mark(s);
        uint32_t *x = goal_scratch(s, n.n_kids);
        if (!x) return a->none;
        for (uint32_t i = 0; i < n.n_kids; i++) x[i] = fold(s, a, n.kids[i]);
        result = n.kind == GOAL_KIND_AND ? a->and_(s, x, n.n_kids) : a->or_(s, x, n.n_kids);
        goal_scratch_pop(s, mark);
    }
    s->depth--;
    return result;
}

static uint32_t term_leaf(struct goal_store *s, const struct predicate *p) {
    (void)s;
    return p->term;
}
static uint32_t term_and(struct goal_store *s, const uint32_t *x, size_t n) {
    return regex_and(s->regex, x, n);
}
static uint32_t term_or(struct goal_store *s, const uint32_t *x, size_t n) {
    return regex_or(s->regex, x, n);
}
static uint32_t term_not(struct goal_store *s, uint32_t x) {
    return regex_not(s->regex, x);
}

term_id goal_to_term(struct goal_store *s, goal_id specialised) {
    static const struct algebra terms = {TERM_NONE, TERM_ANY, term_leaf,
                                         term_and,  term_or,  term_not};
    return fold(s, &terms, specialised);
}

static uint32_t set_leaf(struct goal_store *s, const struct predicate *p) {
    (void)s;
    return p->set;
}
static uint32_t set_and(struct goal_store *s, const uint32_t *x, size_t n) {
    return numset_and(s->numbers, x, n);
}
static uint32_t set_or(struct goal_store *s, const uint32_t *x, size_t n) {
    return numset_or(s->numbers, x, n);
}
static uint32_t set_not(struct goal_store *s, uint32_t x) {
    return numset_not(s->numbers, x);
}

numset_id goal_to_numset(struct goal_store *s, goal_id specialised) {
    static const struct algebra sets = {NUMSET_NONE, NUMSET_ALL, set_leaf,
                                        set_and,     set_or,     set_not};
    return fold(s, &sets, specialised);
}

/* Booleans: 0 = none, 1 = all, over one fixed value. */
static uint32_t truth_leaf_true(struct goal_store *s, const struct predicate *p) {
    (void)s;
    (void)p;
    return 1;
}
static uint32_t truth_leaf_false(struct goal_store *s, const struct predicate *p) {
    (void)s;
    (void)p;
    return 0;
}
static uint32_t truth_and(struct goal_store *s, const uint32_t *x, size_t n) {
    (void)s;
    for (size_t i = 0; i < n; i++)
        if (!x[i]) return 0;
    return 1;
}
static uint32_t truth_or(struct goal_store *s, const uint32_t *x, size_t n) {
    (void)s;
    for (size_t i = 0; i < n; i++)
        if (x[i]) return 1;
    return 0;
}
static uint32_t truth_not(struct goal_store *s, uint32_t x) {
    (void)s;
    return !x;
}

bool goal_holds_boolean(struct goal_store *s, goal_id specialised, bool b) {
    const struct algebra truth = {0,         1,        b ? truth_leaf_true : truth_leaf_false,
                                  truth_and, truth_or, truth_not};
    return fold(s, &truth, specialised) != 0;
}

bool goal_holds_null(struct goal_store *s, goal_id specialised) {
    return goal_holds_boolean(s, specialised, false);
}
