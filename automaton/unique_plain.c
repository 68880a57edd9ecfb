/* SPDX-License-Identifier: MIT
 *
 * Distinct items where nothing but that ties them together: "at least n items, at most m, items at
 * these places meet G". Then n items are as good as more, an item with infinitely many values is
 * never in the way of another, and what is left is to match items of finitely many values with
 * values: a bipartite matching, by augmenting paths (breadth first). Items of equal goals are one
 * group that takes several values, so that 900 items out of 1000 strings are one node.
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/unique_internal.h"

/* ---- reading --------------------------------------------------------------------------------- */

static uint64_t plus(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Does the interval hold n places? */
static bool holds(const struct predicate *p, uint64_t n) {
    return p->last >= p->first && (p->last == INDEX_UNBOUNDED || p->last - p->first >= n - 1);
}

/* One literal. False: not of this kind. */
static bool read_rule(struct solver *s, struct plain_array *a, goal_id literal) {
    struct goal_node x = *node(s->goals, literal);
    if (x.kind != GOAL_KIND_PREDICATE) return false;
    struct predicate p = *predicate_get(s->goals, x.a);
    if (p.kind != PREDICATE_COUNT_ITEMS) return false;
    if (p.goal == GOAL_TRUE) {
        if (x.sign && !holds(&p, p.n)) return false;
        if (x.sign && plus(p.first, p.n) > a->least) a->least = plus(p.first, p.n);
        if (!x.sign && holds(&p, p.n) && plus(p.first, p.n - 1) < a->most)
            a->most = plus(p.first, p.n - 1);
        return true;
    }
    struct item_rule *rule = &a->rules[a->n_rules++];
    *rule = (struct item_rule){p.first, p.last, x.sign ? p.goal : goal_not(s->goals, p.goal)};
    if (p.n != 1 || (x.sign && p.first != p.last)) return false;
    if (x.sign && plus(p.first, 1) > a->least) a->least = plus(p.first, 1);
    uint64_t stable = p.last == INDEX_UNBOUNDED ? p.first : plus(p.last, 1);
    if (stable > a->prefix) a->prefix = stable;
    return true;
}

bool plain_array_read(struct solver *s, goal_id f, struct plain_array *a) {
    size_t n;
    const goal_id *literals = formula_literals(s->goals, &f, &n);
    *a = (struct plain_array){.most = UINT64_MAX};
    a->rules = arena_push_array(&s->goals->scratch, n, sizeof *a->rules);
    if (!a->rules) {
        s->arena->failed = true;
        return false;
    }
    for (size_t i = 0; i < n; i++)
        if (!read_rule(s, a, literals[i])) return false;
    return true;
}

static goal_id item_goal(struct solver *s, const struct plain_array *a, uint64_t at) {
    size_t mark = goal_scratch_mark(s->goals), n = 0;
    goal_id *kids = goal_scratch(s->goals, a->n_rules), g = GOAL_FALSE;
    if (!kids) return GOAL_FALSE;
    for (size_t i = 0; i < a->n_rules; i++)
        if (a->rules[i].first <= at && at <= a->rules[i].last) kids[n++] = a->rules[i].goal;
    g = goal_and(s->goals, kids, n);
    goal_scratch_pop(s->goals, mark);
    return g;
}

#define MAX_FREE_PREFIX 64 /* longer ones are not looked at */

bool plain_array_is_free(struct solver *s, const struct plain_array *a) {
    static const enum value_type types[] = {TYPE_STRING, TYPE_ARRAY, TYPE_OBJECT};
    if (a->prefix > MAX_FREE_PREFIX) return false;
    for (uint64_t i = 0; i <= a->prefix && i < a->most; i++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            goal_id g =
                goal_and2(s->goals, item_goal(s, a, i), goal_type(s->goals, TYPE_BIT(types[t])));
            if (g == GOAL_FALSE) continue;
            struct domain d = solver_domain(s, g, 1);
            if (s->limited || (!d.infinite && (d.n || !d.complete))) return false;
        }
    return true;
}

/* ---- matching -------------------------------------------------------------------------------- */

#define NOBODY UINT32_MAX

/* Items that meet the same goal. */
struct group {
    goal_id goal;
    uint64_t need;  /* how many */
    witness_id any; /* a witness of the goal */
    bool infinite, complete;
    uint32_t n; /* values that the array does not hold yet */
    value_id *values;
    uint32_t lost; /* the value by which a search came here; 0 = it has not */
};

struct matching {
    struct solver *s;
    struct group *groups;
    uint32_t n_groups;
    uint32_t *item_groups; /* of the items before the stationary part */
    uint32_t tail;         /* the group of that part, or NOBODY */
    uint64_t items;        /* in all */
    uint32_t *owner;       /* by value: the group that has it */
    uint32_t *via;         /* by value: the group from which a search came, or NOBODY */
    uint32_t *queue;
    value_id *reached; /* values whose `via` is set */
    uint32_t n_reached;
};

static uint32_t group_for(struct matching *m, goal_id g, uint64_t more) {
    uint32_t i = 0;
    while (i < m->n_groups && m->groups[i].goal != g) i++;
    if (i == m->n_groups) m->groups[m->n_groups++] = (struct group){.goal = g};
    m->groups[i].need = plus(m->groups[i].need, more);
    return i;
}

/* The values of a finite group that are still free. False: too few, or too many to look at. */
static bool list_values(struct matching *m, struct group *g, value_set seen, size_t n_seen) {
    struct solver *s = m->s;
    /* As many values as there are items, and those that are taken: then it can wait for all. */
    uint64_t most = plus(plus(m->items, n_seen), 1);
    struct domain d = solver_domain(s, g->goal, most < DOMAIN_MAX ? (uint32_t)most : DOMAIN_MAX);
    if (s->limited) return false;
    g->infinite = d.infinite;
    g->complete = d.complete;
    if (d.infinite) return true;
    g->values = goal_scratch(s->goals, d.n);
    if (!g->values) return false;
    for (uint32_t i = 0; i < d.n; i++)
        if (!name_set_has(&s->names, seen, d.values[i])) g->values[g->n++] = d.values[i];
    if (g->n >= g->need) return true;
    if (!d.complete) s->limited = true;
    return false;
}

static bool make_groups(struct matching *m, const struct plain_array *a, value_set seen) {
    struct solver *s = m->s;
    uint64_t prefix = a->least < a->prefix ? a->least : a->prefix;
    if (prefix > DOMAIN_MAX) {
        s->limited = true;
        return false;
    }
    m->items = a->least;
    m->groups = arena_push_array(&s->goals->scratch, prefix + 1, sizeof *m->groups);
    m->item_groups = goal_scratch(s->goals, prefix);
    if (!m->groups || !m->item_groups) return false;
    for (uint64_t i = 0; i < prefix; i++) m->item_groups[i] = group_for(m, item_goal(s, a, i), 1);
    m->tail = NOBODY;
    if (a->least > prefix) m->tail = group_for(m, item_goal(s, a, prefix), a->least - prefix);
    size_t n_seen = solver_count_values(s, seen);
    for (uint32_t i = 0; i < m->n_groups; i++) {
        struct group *g = &m->groups[i];
        g->any = solver_decide(s, QUESTION_GOAL, g->goal, NAME_SET_EMPTY);
        if (g->any == WITNESS_NONE || !solver_step(s) || !list_values(m, g, seen, n_seen))
            return false;
    }
    return true;
}

static bool prepare(struct matching *m) {
    struct solver *s = m->s;
    size_t n = value_count(s->values);
    m->owner = goal_scratch(s->goals, n);
    m->via = goal_scratch(s->goals, n);
    m->queue = goal_scratch(s->goals, m->n_groups);
    m->reached = goal_scratch(s->goals, n);
    if (!m->owner || !m->via || !m->queue || !m->reached) return false;
    memset(m->owner, 0xFF, n * sizeof *m->owner); /* NOBODY */
    memset(m->via, 0xFF, n * sizeof *m->via);
    return true;
}

/* The value v is free: every group on the way here takes one and gives up another. */
static void take_path(struct matching *m, uint32_t g, value_id v) {
    for (;;) {
        uint32_t taker = m->via[v];
        m->owner[v] = taker;
        if (taker == g) return;
        v = m->groups[taker].lost;
    }
}

/* Looks at the values of group x. True: one of them, or one of those behind it, is free. */
static bool reach_values(struct matching *m, uint32_t g, uint32_t x, value_id banned,
                         uint32_t *queued) {
    m->s->work += m->groups[x].n / 16;
    for (uint32_t i = 0; i < m->groups[x].n; i++) {
        value_id v = m->groups[x].values[i];
        uint32_t y = m->owner[v];
        if (v == banned || m->via[v] != NOBODY || y == x) continue;
        m->via[v] = x;
        m->reached[m->n_reached++] = v;
        if (y == NOBODY) {
            take_path(m, g, v);
            return true;
        }
        if (y == g || m->groups[y].lost != VALUE_NONE) continue;
        m->groups[y].lost = v;
        m->queue[(*queued)++] = y;
    }
    return false;
}

/* One more value for group g, other than `banned`. */
static bool augment(struct matching *m, uint32_t g, value_id banned) {
    uint32_t queued = 0;
    bool found = false;
    for (uint32_t i = 0; i < m->n_groups; i++) m->groups[i].lost = VALUE_NONE;
    m->queue[queued++] = g;
    for (uint32_t head = 0; head < queued && !found && solver_step(m->s); head++)
        found = reach_values(m, g, m->queue[head], banned, &queued);
    while (m->n_reached) m->via[m->reached[--m->n_reached]] = NOBODY;
    return found;
}

/* A group with at least `enough` values need not be matched: whatever the others take, values are
 * left. */
static bool is_tight(const struct group *g, uint64_t enough) {
    return !g->infinite && g->n < enough;
}

static bool match_all(struct matching *m, uint64_t enough) {
    for (uint32_t i = 0; i < m->n_groups; i++)
        for (uint64_t k = 0; is_tight(&m->groups[i], enough) && k < m->groups[i].need; k++)
            if (!augment(m, i, VALUE_NONE)) {
                /* Of a group that was not listed to its end other values may have done. */
                for (uint32_t j = 0; j < m->n_groups; j++)
                    if (is_tight(&m->groups[j], enough) && !m->groups[j].complete)
                        m->s->limited = true;
                return false;
            }
    return true;
}

/* ---- the witness ----------------------------------------------------------------------------- */

/* The next value that group g may use for an item: one that was matched, or any that is free. */
static witness_id take_value(struct matching *m, uint32_t g, bool tight) {
    struct group *x = &m->groups[g];
    for (; x->lost < x->n; x->lost++) { /* here: how far the values are used */
        value_id v = x->values[x->lost];
        if (m->owner[v] != (tight ? g : NOBODY)) continue;
        m->owner[v] = g;
        x->lost++;
        return solver_value_witness(m->s, v);
    }
    return WITNESS_NONE;
}

static witness_id item_witness(struct matching *m, uint32_t g) {
    struct group *x = &m->groups[g];
    if (!x->infinite) return take_value(m, g, is_tight(x, m->items));
    struct witness w = m->s->witnesses.data[x->any];
    w.draw = x->goal;
    return solver_add_witness(m->s, &w);
}

static witness_id make_witness(struct matching *m, const struct plain_array *a) {
    struct solver *s = m->s;
    uint64_t prefix = a->least < a->prefix ? a->least : a->prefix, tail = a->least - prefix;
    struct witness w = {.type = TYPE_ARRAY, .distinct = true, .count = (uint32_t)prefix};
    bool counted = tail && m->groups[m->tail].infinite;
    w.count += counted ? 1 : (uint32_t)tail;
    if (counted) w.repeat = tail;
    witness_id *kids = arena_push_array(s->arena, w.count, sizeof *kids);
    if (!kids) return WITNESS_NONE;
    for (uint32_t i = 0; i < m->n_groups; i++) m->groups[i].lost = 0;
    for (uint32_t i = 0; i < w.count; i++) {
        kids[i] = item_witness(m, i < prefix ? m->item_groups[i] : m->tail);
        if (kids[i] == WITNESS_NONE) return WITNESS_NONE;
        if (s->witnesses.data[kids[i]].depth > w.depth) w.depth = s->witnesses.data[kids[i]].depth;
    }
    w.depth++;
    w.kids = kids;
    return solver_add_witness(s, &w);
}

witness_id plain_array_decide(struct solver *s, const struct plain_array *a, value_set seen) {
    size_t mark = goal_scratch_mark(s->goals);
    struct matching m = {.s = s};
    witness_id w = WITNESS_NONE;
    if (a->least <= a->most && make_groups(&m, a, seen) && prepare(&m) && match_all(&m, m.items))
        w = make_witness(&m, a);
    goal_scratch_pop(s->goals, mark);
    return s->limited ? WITNESS_NONE : w;
}

/* The values that were matched, on the scratch stack. */
static value_id *matched_values(struct matching *m, uint32_t *n) {
    uint32_t end = value_count(m->s->values);
    value_id *list = goal_scratch(m->s->goals, end);
    *n = 0;
    for (value_id v = 1; list && v < end; v++)
        if (m->owner[v] != NOBODY) list[(*n)++] = v;
    return list;
}

value_set plain_array_critical(struct solver *s, const struct plain_array *a, value_set seen) {
    size_t mark = goal_scratch_mark(s->goals);
    struct matching m = {.s = s};
    value_set critical = VALUE_SET_EMPTY;
    uint64_t enough = plus(a->least, 1); /* with one value less, too */
    if (make_groups(&m, a, seen) && prepare(&m) && match_all(&m, enough)) {
        uint32_t n;
        const value_id *values = matched_values(&m, &n);
        for (uint32_t i = 0; values && i < n && !s->limited; i++) {
            uint32_t g = m.owner[values[i]];
            if (g == NOBODY) continue; /* another took its place */
            m.owner[values[i]] = NOBODY;
            if (augment(&m, g, values[i])) continue;
            m.owner[values[i]] = g;
            critical = name_set_add(&s->names, critical, values[i]);
        }
    }
    goal_scratch_pop(s->goals, mark);
    return critical;
}
