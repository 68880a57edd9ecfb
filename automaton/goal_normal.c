/* SPDX-License-Identifier: MIT
 *
 * Normal forms (json-machine: "normal form"). A conjunction is flattened, type sets are
 * intersected, complements give false, and units are propagated into its disjunctions and
 * exactly-ones: a kid that is a unit is true, a kid whose negation is a unit is false; a compound
 * kid counts as true when all of its own parts are units. Disjunction is the dual and is made as
 * such, with the signs exchanged, so that the rules exist once.
 *
 * Kids are sorted by id, so equal sets are equal nodes. Cost: O(total kids * log) a pass; a pass
 * is repeated while propagation finds something, each time with fewer literals.
 */
#include "automaton/goal_internal.h"

#include <stdlib.h>
#include <string.h>

/* Which of the two connectives is being made: the same code serves both. `unit` is the neutral
 * element, `zero` the absorbing one, `dual` the other connective's kind. */
struct connective {
    enum goal_kind kind, dual;
    goal_id unit, zero;
};
static const struct connective connective_and = {GOAL_KIND_AND, GOAL_KIND_OR, GOAL_TRUE,
                                                 GOAL_FALSE};
static const struct connective connective_or = {GOAL_KIND_OR, GOAL_KIND_AND, GOAL_FALSE, GOAL_TRUE};

/* A hash set of goals on the scratch stack; GOAL_FALSE marks a free place. */
struct goal_set {
    goal_id *slots;
    size_t mask, left; /* how many more may be added */
};

struct literals {
    goal_id *ids; /* sorted, without duplicates */
    size_t n;
    const struct goal_set *found; /* NULL, or units that this round of propagation has found */
};

static int by_id(const void *a, const void *b) {
    goal_id x = *(const goal_id *)a, y = *(const goal_id *)b;
    return (x > y) - (x < y);
}

static bool goal_set_init(struct goal_store *s, struct goal_set *set, size_t most) {
    size_t size = 16;
    while (size < most * 2) size *= 2;
    set->slots = goal_scratch(s, size);
    set->mask = size - 1;
    set->left = most;
    if (set->slots) memset(set->slots, 0, size * sizeof *set->slots);
    return set->slots != NULL;
}

static goal_id *goal_set_slot(const struct goal_set *set, goal_id g) {
    size_t i = (size_t)g * 0x9E3779B1u >> 4;
    while (set->slots[i & set->mask] != GOAL_FALSE && set->slots[i & set->mask] != g) i++;
    return &set->slots[i & set->mask];
}

static bool goal_set_has(const struct goal_set *set, goal_id g) {
    return *goal_set_slot(set, g) == g && g != GOAL_FALSE;
}

static void goal_set_add(struct goal_set *set, goal_id g) {
    if (set->left == 0) return;
    set->left--;
    *goal_set_slot(set, g) = g;
}

static bool is_sorted_set(const goal_id *ids, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (ids[i - 1] >= ids[i]) return false;
    return true;
}

/* Sorts. What comes here was sorted before a few kids were exchanged: the misfits are picked out,
 * sorted and merged. `spare` has room for n. */
static void sort_nearly(goal_id *ids, size_t n, goal_id *spare) {
    size_t kept = 0, misfits = 0;
    for (size_t i = 0; i < n; i++) {
        goal_id x = ids[i];
        if (!kept || ids[kept - 1] <= x) {
            ids[kept++] = x;
        } else if (kept < 2 || ids[kept - 2] <= x) {
            spare[misfits++] = ids[kept - 1];
            ids[kept - 1] = x;
        } else {
            spare[misfits++] = x;
        }
    }
    qsort(spare, misfits, sizeof *spare, by_id);
    /* From the back, so that nothing is overwritten before it is read. */
    size_t i = kept, j = misfits, k = kept + misfits;
    while (j) ids[--k] = i && ids[i - 1] > spare[j - 1] ? ids[--i] : spare[--j];
}

/* The same, and drops duplicates. */
static size_t sort_unique(goal_id *ids, size_t n, goal_id *spare) {
    if (is_sorted_set(ids, n)) return n;
    sort_nearly(ids, n, spare);
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (m == 0 || ids[m - 1] != ids[i]) ids[m++] = ids[i];
    return m;
}

static bool has(const struct literals *l, goal_id g) {
    size_t low = 0, high = l->n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (l->ids[mid] == g) return true;
        if (l->ids[mid] < g)
            low = mid + 1;
        else
            high = mid;
    }
    return l->found && goal_set_has(l->found, g);
}

/* Is the negation of g among the literals? A negation that nobody has made is not there, except
 * for compound kids, whose negation is only worth making when it is cheap. */
static bool has_negation(struct goal_store *s, const struct literals *l, goal_id g) {
    const struct goal_node *n = node(s, g);
    if (n->negation != GOAL_UNKNOWN) return has(l, n->negation);
    if (n->kind == GOAL_KIND_AND || n->kind == GOAL_KIND_OR) return false;
    return has(l, goal_not(s, g));
}

static bool all_in(struct goal_store *s, const struct literals *l, const struct goal_node *n,
                   bool negated) {
    const goal_id *kids = n->kids;
    uint32_t count = n->n_kids;
    for (uint32_t i = 0; i < count; i++)
        if (negated ? !has_negation(s, l, kids[i]) : !has(l, kids[i])) return false;
    return true;
}

static bool any_in(struct goal_store *s, const struct literals *l, const struct goal_node *n,
                   bool negated) {
    const goal_id *kids = n->kids;
    uint32_t count = n->n_kids;
    for (uint32_t i = 0; i < count; i++)
        if (negated ? has_negation(s, l, kids[i]) : has(l, kids[i])) return true;
    return false;
}

/* The value of kid d when all literals of l hold (for a conjunction): 1, 0, or -1 not known. */
static int known_value(struct goal_store *s, const struct literals *l, goal_id d) {
    if (has(l, d)) return 1;
    struct goal_node n = *node(s, d);
    if (n.kind == GOAL_KIND_AND) {
        if (all_in(s, l, &n, false)) return 1;
        if (any_in(s, l, &n, true)) return 0;
    } else if (n.kind == GOAL_KIND_OR) {
        if (any_in(s, l, &n, false)) return 1;
        if (all_in(s, l, &n, true)) return 0;
    }
    return has_negation(s, l, d) ? 0 : -1;
}

static goal_id make(struct goal_store *s, const struct connective *c, const goal_id *kids,
                    size_t n);

/* A kid of the dual kind inside conjunction (literal set l): simplified, or `unit` when it holds
 * anyway. */
static goal_id propagate_dual(struct goal_store *s, const struct connective *c,
                              const struct literals *l, goal_id g) {
    struct goal_node n = *node(s, g);
    size_t mark = goal_scratch_mark(s), m = 0;
    goal_id *rest = goal_scratch(s, n.n_kids);
    if (!rest) return g;
    goal_id result = GOAL_UNKNOWN;
    for (uint32_t i = 0; i < n.n_kids && result == GOAL_UNKNOWN; i++) {
        goal_id d = n.kids[i];
        if (has(l, d)) { /* absorption */
            result = c->unit;
            break;
        }
        struct goal_node k = *node(s, d);
        bool refuted = has_negation(s, l, d) || (k.kind == c->kind && any_in(s, l, &k, true));
        if (k.kind == c->kind && all_in(s, l, &k, false)) result = c->unit;
        if (!refuted) rest[m++] = d;
    }
    if (result == GOAL_UNKNOWN)
        result = m == n.n_kids
                     ? g
                     : make(s, c == &connective_and ? &connective_or : &connective_and, rest, m);
    goal_scratch_pop(s, mark);
    return result;
}

/* An exactly-one inside a conjunction: known kids are counted or dropped. Inside a disjunction
 * every literal may be taken as false (if one holds, the whole holds anyway). */
static goal_id propagate_one(struct goal_store *s, const struct connective *c,
                             const struct literals *l, goal_id g) {
    struct goal_node n = *node(s, g);
    size_t mark = goal_scratch_mark(s), m = 0;
    goal_id *rest = goal_scratch(s, n.n_kids);
    if (!rest) return g;
    unsigned already = n.type;
    for (uint32_t i = 0; i < n.n_kids; i++) {
        int value;
        if (c == &connective_and)
            value = known_value(s, l, n.kids[i]);
        else
            value = has(l, n.kids[i]) ? 0 : has_negation(s, l, n.kids[i]) ? 1 : -1;
        if (value == 1)
            already++;
        else if (value == -1)
            rest[m++] = n.kids[i];
    }
    goal_id result = m == n.n_kids ? g : goal_one(s, already, rest, m, n.sign);
    goal_scratch_pop(s, mark);
    return result;
}

/* A condition of an unevaluated under the literals: what is known becomes a constant, parts of a
 * conjunction that hold are dropped. */
static goal_id propagate_condition(struct goal_store *s, const struct connective *c,
                                   const struct literals *l, goal_id g) {
    if (c != &connective_and) {
        if (has(l, g)) return GOAL_FALSE;
        return has_negation(s, l, g) ? GOAL_TRUE : g;
    }
    int value = known_value(s, l, g);
    if (value >= 0) return value ? GOAL_TRUE : GOAL_FALSE;
    struct goal_node n = *node(s, g);
    if (n.kind == GOAL_KIND_OR) return propagate_dual(s, c, l, g);
    if (n.kind != GOAL_KIND_AND) return g;
    size_t mark = goal_scratch_mark(s), m = 0;
    goal_id *rest = goal_scratch(s, n.n_kids);
    if (!rest) return g;
    for (uint32_t i = 0; i < n.n_kids; i++)
        if (!has(l, n.kids[i])) rest[m++] = n.kids[i];
    goal_id result = m == n.n_kids ? g : goal_and(s, rest, m);
    goal_scratch_pop(s, mark);
    return result;
}

static goal_id propagate_unevaluated(struct goal_store *s, const struct connective *c,
                                     const struct literals *l, goal_id g) {
    struct goal_node n = *node(s, g);
    size_t mark = goal_scratch_mark(s);
    goal_id *kids = goal_scratch(s, n.n_kids);
    if (!kids) return g;
    bool changed = false;
    for (uint32_t i = 0; i < n.n_kids; i++) {
        kids[i] = propagate_condition(s, c, l, n.kids[i]);
        changed |= kids[i] != n.kids[i];
    }
    goal_id result = changed ? goal_with_kids(s, &n, kids) : g;
    goal_scratch_pop(s, mark);
    return result;
}

/* Flattens into out; returns false when the zero element was met. Type sets are combined. */
static bool flatten(struct goal_store *s, const struct connective *c, const goal_id *kids, size_t n,
                    goal_id *out, size_t *count, bool *cycle) {
    unsigned types = c->kind == GOAL_KIND_AND ? TYPE_ALL : 0;
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        const struct goal_node *k = node(s, kids[i]);
        bool nested = k->kind == c->kind;
        const goal_id *sub = nested ? k->kids : &kids[i];
        uint32_t n_sub = nested ? k->n_kids : 1;
        for (uint32_t j = 0; j < n_sub; j++) {
            goal_id g = sub[j];
            const struct goal_node *x = node(s, g);
            if (g == c->zero) return false;
            if (g == c->unit) continue;
            if (g == GOAL_CYCLE)
                *cycle = true;
            else if (x->kind == GOAL_KIND_TYPE)
                types = c->kind == GOAL_KIND_AND ? types & x->type : types | x->type;
            else
                out[m++] = g;
        }
    }
    goal_id t = goal_type(s, types);
    if (t == c->zero) return false;
    if (t != c->unit) out[m++] = t;
    *count = m;
    return true;
}

/* The literals that are not among the `n_known` known ones (both sorted). */
static size_t find_fresh(const struct literals *l, const goal_id *known, size_t n_known,
                         goal_id *fresh) {
    size_t n = 0;
    for (size_t i = 0, j = 0; i < l->n; i++) {
        while (j < n_known && known[j] < l->ids[i]) j++;
        if (j == n_known || known[j] != l->ids[i]) fresh[n++] = l->ids[i];
    }
    return n;
}

static bool contradicts(struct goal_store *s, const struct literals *l, const goal_id *fresh,
                        size_t n_fresh) {
    for (size_t i = 0; l->n > 1 && i < n_fresh; i++)
        if (has_negation(s, l, fresh[i])) return true;
    return false;
}

/* Is a literal out of `news`, or the negation of one, in g? `levels`: how deep simplification looks
 * into kids of kids. */
static bool mentions(struct goal_store *s, const struct goal_set *news, goal_id g,
                     unsigned levels) {
    const struct goal_node *n = node(s, g);
    s->visits += n->n_kids;
    for (uint32_t i = 0; i < n->n_kids; i++) {
        goal_id kid = n->kids[i], negation = node(s, kid)->negation;
        if (goal_set_has(news, kid) || negation == GOAL_UNKNOWN || goal_set_has(news, negation))
            return true;
        if (levels && node(s, kid)->n_kids && mentions(s, news, kid, levels - 1)) return true;
    }
    return false;
}

/* A literal that has turned up, if it is a unit. */
static void add_unit(const struct goal_store *s, goal_id g, struct goal_set *news,
                     struct goal_set *found) {
    if (!found->left || g <= GOAL_CYCLE || node(s, g)->n_kids) return;
    goal_set_add(news, g);
    goal_set_add(found, g);
}

/* One round of unit propagation. True when something changed: `l` holds the new literals (not
 * flattened). Kids are looked at against all literals of the round, themselves included: a node
 * is never inside itself, so a kid says nothing about itself. Units that turn up on the way count
 * from then on, so that a chain of implications is followed in one round where it runs with the
 * order. Kids that were simplified against all but the news are passed over. */
static bool propagate(struct goal_store *s, const struct connective *c, struct literals *l,
                      const goal_id *fresh, size_t n_fresh) {
    if (l->n < 2 || n_fresh == 0) return false;
    struct literals next = {.ids = goal_scratch(s, l->n)};
    struct goal_set news, found;
    size_t most_found = l->n / 4 + 16;
    if (!next.ids || !goal_set_init(s, &news, n_fresh + most_found) ||
        !goal_set_init(s, &found, most_found))
        return false;
    for (size_t i = 0; i < n_fresh; i++) goal_set_add(&news, fresh[i]);
    const struct literals all = {.ids = l->ids, .n = l->n, .found = &found};
    bool changed = false;
    for (size_t i = 0; i < l->n; i++) {
        goal_id g = l->ids[i], simpler = g;
        enum goal_kind kind = node(s, g)->kind;
        bool condition = kind == GOAL_KIND_UNEVALUATED; /* one level further down */
        bool compound = kind == c->dual || kind == GOAL_KIND_ONE || condition;
        if (compound && n_fresh < l->n && !goal_set_has(&news, g) &&
            !mentions(s, &news, g, condition ? 2 : 1))
            compound = false;
        if (compound && kind == c->dual)
            simpler = propagate_dual(s, c, &all, g);
        else if (compound && condition)
            simpler = propagate_unevaluated(s, c, &all, g);
        else if (compound)
            simpler = propagate_one(s, c, &all, g);
        if (simpler != c->unit) next.ids[next.n++] = simpler;
        if (simpler == g) continue;
        changed = true;
        const struct goal_node *x = node(s, simpler);
        bool several = x->kind == c->kind;
        for (uint32_t k = 0; k < (several ? x->n_kids : 1); k++)
            add_unit(s, several ? x->kids[k] : simpler, &news, &found);
    }
    if (changed) *l = next;
    return changed;
}

static size_t flat_size(const struct goal_store *s, const struct connective *c, const goal_id *kids,
                        size_t n) {
    size_t total = 1;
    for (size_t i = 0; i < n; i++)
        total += node(s, kids[i])->kind == c->kind ? node(s, kids[i])->n_kids : 1;
    return total;
}

static goal_id finish(struct goal_store *s, const struct connective *c, const struct literals *l,
                      bool cycle) {
    if (cycle) { /* a cycle holds for no value and neither does its negation */
        if (c->kind == GOAL_KIND_AND) return GOAL_CYCLE;
        if (l->n == 0) return GOAL_CYCLE;
    }
    if (l->n == 0) return c->unit;
    if (l->n == 1) return l->ids[0];
    return goal_intern(
        s, &(struct goal_node){.kind = (uint8_t)c->kind, .n_kids = (uint32_t)l->n, .kids = l->ids});
}

/* `known`: a sorted set of literals that were simplified against each other before (so only what
 * is not among them can change anything); none when n_known is 0. */
static goal_id make_from(struct goal_store *s, const struct connective *c, const goal_id *kids,
                         size_t n, const goal_id *known, size_t n_known) {
    if (n == 1) return kids[0];
    size_t mark = goal_scratch_mark(s);
    goal_id result = c->zero;
    bool cycle = false;
    for (;;) {
        size_t size = flat_size(s, c, kids, n), n_fresh;
        struct literals l = {.ids = goal_scratch(s, size)};
        goal_id *fresh = goal_scratch(s, size);
        if (!l.ids || !fresh || !flatten(s, c, kids, n, l.ids, &l.n, &cycle)) break;
        l.n = sort_unique(l.ids, l.n, fresh);
        s->visits += l.n;
        n_fresh = find_fresh(&l, known, n_known, fresh);
        if (contradicts(s, &l, fresh, n_fresh) ||
            !goal_subsume_counts(s, c == &connective_or, l.ids, &l.n))
            break;
        known = l.ids;
        n_known = l.n;
        if (!propagate(s, c, &l, fresh, n_fresh)) {
            result = finish(s, c, &l, cycle);
            break;
        }
        kids = l.ids;
        n = l.n;
    }
    goal_scratch_pop(s, mark);
    return result;
}

static goal_id make(struct goal_store *s, const struct connective *c, const goal_id *kids,
                    size_t n) {
    return make_from(s, c, kids, n, NULL, 0);
}

goal_id goal_and(struct goal_store *s, const goal_id *kids, size_t n) {
    return n ? make(s, &connective_and, kids, n) : GOAL_TRUE;
}

goal_id goal_or(struct goal_store *s, const goal_id *kids, size_t n) {
    return n ? make(s, &connective_or, kids, n) : GOAL_FALSE;
}

goal_id goal_and2(struct goal_store *s, goal_id a, goal_id b) {
    return goal_and(s, (const goal_id[]){a, b}, 2);
}

goal_id goal_or2(struct goal_store *s, goal_id a, goal_id b) {
    return goal_or(s, (const goal_id[]){a, b}, 2);
}

/* ---- exactly one ----------------------------------------------------------------------------- */

/* All of kids false. */
static goal_id none_of(struct goal_store *s, const goal_id *kids, size_t n) {
    size_t mark = goal_scratch_mark(s);
    goal_id *negated = goal_scratch(s, n);
    if (!negated) return GOAL_FALSE;
    for (size_t i = 0; i < n; i++) negated[i] = goal_not(s, kids[i]);
    goal_id result = goal_and(s, negated, n);
    goal_scratch_pop(s, mark);
    return result;
}

static bool has_complement(const struct goal_store *s, const struct literals *l, goal_id g) {
    goal_id negation = node(s, g)->negation;
    return negation != GOAL_UNKNOWN && has(l, negation);
}

/* Removes pairs (x, not x): one of the two holds. Returns how many pairs. `spare` has room for all
 * literals. */
static unsigned cancel_complements(const struct goal_store *s, struct literals *l, goal_id *spare) {
    size_t m = 0;
    for (size_t i = 0; i < l->n; i++)
        if (!has_complement(s, l, l->ids[i])) spare[m++] = l->ids[i];
    unsigned pairs = (unsigned)(l->n - m) / 2;
    l->ids = spare;
    l->n = m;
    return pairs;
}

static goal_id one_positive(struct goal_store *s, unsigned already, const goal_id *kids, size_t n) {
    size_t mark = goal_scratch_mark(s);
    struct literals l = {.ids = goal_scratch(s, n)};
    goal_id *twice = goal_scratch(s, n + 1), *spare = goal_scratch(s, n);
    if (!l.ids || !twice || !spare) return GOAL_FALSE;
    s->visits += n;
    for (size_t i = 0; i < n; i++) {
        if (kids[i] == GOAL_CYCLE) {
            goal_scratch_pop(s, mark);
            return GOAL_CYCLE;
        }
        if (kids[i] == GOAL_TRUE)
            already++;
        else if (kids[i] != GOAL_FALSE)
            l.ids[l.n++] = kids[i];
    }
    /* A kid that stands there twice cannot be the one that holds. */
    sort_nearly(l.ids, l.n, spare);
    size_t m = 0, n_twice = 0;
    for (size_t i = 0; i < l.n;) {
        size_t j = i + 1;
        while (j < l.n && l.ids[j] == l.ids[i]) j++;
        if (j - i == 1)
            l.ids[m++] = l.ids[i];
        else
            twice[n_twice++] = goal_not(s, l.ids[i]);
        i = j;
    }
    l.n = m;
    already += cancel_complements(s, &l, spare);
    goal_id result;
    if (already >= 2)
        result = GOAL_FALSE;
    else if (already == 1)
        result = none_of(s, l.ids, l.n);
    else if (l.n == 0)
        result = GOAL_FALSE;
    else if (l.n == 1)
        result = l.ids[0];
    else
        result = goal_intern(
            s, &(struct goal_node){
                   .kind = GOAL_KIND_ONE, .sign = true, .n_kids = (uint32_t)l.n, .kids = l.ids});
    twice[n_twice++] = result;
    if (n_twice > 1) result = goal_and(s, twice, n_twice);
    goal_scratch_pop(s, mark);
    return result;
}

goal_id goal_one(struct goal_store *s, unsigned already, const goal_id *kids, size_t n, bool sign) {
    goal_id g = one_positive(s, already, kids, n);
    return sign ? g : goal_not(s, g);
}

goal_id goal_with_kids(struct goal_store *s, const struct goal_node *n, const goal_id *kids) {
    if (n->kind == GOAL_KIND_AND)
        return make_from(s, &connective_and, kids, n->n_kids, n->kids, n->n_kids);
    if (n->kind == GOAL_KIND_OR)
        return make_from(s, &connective_or, kids, n->n_kids, n->kids, n->n_kids);
    if (n->kind == GOAL_KIND_UNEVALUATED) return unevaluated_with_conditions(s, n, kids);
    return goal_one(s, n->type, kids, n->n_kids, n->sign);
}

/* ---- negation -------------------------------------------------------------------------------- */

static goal_id negate_compound(struct goal_store *s, goal_id g) {
    struct goal_node n = *node(s, g);
    size_t mark = goal_scratch_mark(s);
    goal_id *kids = goal_scratch(s, n.n_kids);
    if (!kids || !goal_descend(s)) return GOAL_FALSE;
    for (uint32_t i = 0; i < n.n_kids; i++) kids[i] = goal_not(s, n.kids[i]);
    s->depth--;
    goal_id result =
        n.kind == GOAL_KIND_AND ? goal_or(s, kids, n.n_kids) : goal_and(s, kids, n.n_kids);
    goal_scratch_pop(s, mark);
    return result;
}

goal_id goal_not(struct goal_store *s, goal_id g) {
    if (node(s, g)->negation != GOAL_UNKNOWN) return node(s, g)->negation;
    struct goal_node n = *node(s, g);
    goal_id result = GOAL_FALSE;
    switch ((enum goal_kind)n.kind) {
    case GOAL_KIND_CONSTANT: break; /* preset */
    case GOAL_KIND_AND:
    case GOAL_KIND_OR: result = negate_compound(s, g); break;
    case GOAL_KIND_TYPE: result = goal_type(s, TYPE_ALL & ~(unsigned)n.type); break;
    case GOAL_KIND_LEAF:
        n.sign = !n.sign;
        n.vacuous = !n.vacuous;
        result = goal_intern(s, &n);
        break;
    case GOAL_KIND_ONE:
    case GOAL_KIND_PREDICATE:
    case GOAL_KIND_REF:
    case GOAL_KIND_VARIABLE:
    case GOAL_KIND_UNEVALUATED:
        n.sign = !n.sign;
        result = goal_intern(s, &n);
        break;
    }
    if (s->arena->failed) return GOAL_FALSE;
    s->nodes.data[g].negation = result;
    if (s->nodes.data[result].negation == GOAL_UNKNOWN) s->nodes.data[result].negation = g;
    return result;
}
