/* SPDX-License-Identifier: MIT */
#include "automaton/formula.h"

#include <string.h>

#include "automaton/goal_internal.h"

/* ---- rewriting ------------------------------------------------------------------------------- */

/* A rewriting replaces predicates and variables; and/or/exactly-one are rebuilt around them. */
struct rewriting {
    struct goal_store *s;
    goal_id (*leaf)(struct rewriting *r, goal_id g, const struct goal_node *n);
    /* An unevaluated whose conditions became `kids`; NULL: only they change. */
    goal_id (*unevaluated)(struct rewriting *r, goal_id g, const struct goal_node *n,
                           const goal_id *kids);
    bool only_open; /* parts without variables stay as they are */
    /* what the leaf functions need */
    uint32_t name;
    goal_id serve;
    goal_id seen;
    bool unique;
    bool (*gone)(void *ctx, uint32_t name);
    void *ctx;
    const goal_id *goals;
    const bool *verdicts;
    size_t n;
};

static bool begin_rewriting(struct goal_store *s) {
    while (s->rewritten.capacity < s->nodes.count)
        if (!arena_vec_grow(s->arena, (void **)&s->rewritten.data, sizeof *s->rewritten.data,
                            s->rewritten.capacity, &s->rewritten.capacity))
            return false;
    if (++s->rewrite_stamp == 0) { /* after 2^32 rewritings all stamps are stale */
        memset(s->rewritten.data, 0, s->rewritten.capacity * sizeof *s->rewritten.data);
        s->rewrite_stamp = 1;
    }
    return true;
}

static goal_id rewrite(struct rewriting *r, goal_id g);

static goal_id rewrite_kids(struct rewriting *r, goal_id g, const struct goal_node *n) {
    struct goal_store *s = r->s;
    size_t mark = goal_scratch_mark(s);
    goal_id *kids = goal_scratch(s, n->n_kids);
    if (!kids) return GOAL_FALSE;
    goal_id absorbing = n->kind == GOAL_KIND_AND  ? GOAL_FALSE
                        : n->kind == GOAL_KIND_OR ? GOAL_TRUE
                                                  : GOAL_UNKNOWN;
    goal_id result = GOAL_UNKNOWN;
    bool changed = false;
    for (uint32_t i = 0; i < n->n_kids && result == GOAL_UNKNOWN; i++) {
        kids[i] = rewrite(r, n->kids[i]);
        changed |= kids[i] != n->kids[i];
        if (kids[i] == absorbing) result = absorbing;
    }
    /* Unchanged: the caller keeps the node. */
    if (n->kind == GOAL_KIND_UNEVALUATED && r->unevaluated)
        result = r->unevaluated(r, g, n, kids);
    else if (result == GOAL_UNKNOWN && changed)
        result = goal_with_kids(s, n, kids);
    goal_scratch_pop(s, mark);
    return result;
}

static goal_id rewrite(struct rewriting *r, goal_id g) {
    struct goal_store *s = r->s;
    if (g <= GOAL_CYCLE || (r->only_open && !node(s, g)->open)) return g;
    if (s->rewritten.data[g].stamp == s->rewrite_stamp) return s->rewritten.data[g].value;
    if (!goal_descend(s)) return GOAL_FALSE;
    struct goal_node n = *node(s, g);
    goal_id result;
    s->visits++;
    if (n.kind == GOAL_KIND_PREDICATE || n.kind == GOAL_KIND_VARIABLE) {
        result = r->leaf(r, g, &n);
    } else {
        result = rewrite_kids(r, g, &n);
        if (result == GOAL_UNKNOWN) result = g;
    }
    s->depth--;
    s->rewritten.data[g] = (struct rewrite_memo){s->rewrite_stamp, result};
    return result;
}

static goal_id run(struct rewriting *r, goal_id f) {
    return begin_rewriting(r->s) ? rewrite(r, f) : GOAL_FALSE;
}

/* ---- step ------------------------------------------------------------------------------------ */

/* (V(G) and count(rest, G, n-1)) or count(rest, G, n), with the predicate's sign. */
static goal_id count_child(struct rewriting *r, enum value_type t, const struct predicate *p,
                           struct predicate rest, bool sign, bool served) {
    struct goal_store *s = r->s;
    rest.n = p->n - 1;
    goal_id fewer = goal_predicate(s, t, &rest, true);
    if (served || p->goal == GOAL_TRUE) /* then n children imply n - 1 */
        return sign ? fewer : goal_not(s, fewer);
    rest.n = p->n;
    goal_id same = goal_predicate(s, t, &rest, true);
    goal_id counted = goal_and2(s, goal_variable(s, p->goal), fewer);
    goal_id result = goal_or2(s, counted, same);
    return sign ? result : goal_not(s, result);
}

static goal_id step_key_leaf(struct rewriting *r, goal_id g, const struct goal_node *n) {
    struct goal_store *s = r->s;
    if (n->kind != GOAL_KIND_PREDICATE || n->type != TYPE_OBJECT) return g;
    struct predicate p = s->predicates.data[n->a];
    if (!key_class_has(s, p.key_class, r->name)) return g;
    struct predicate rest = p;
    if (key_class_get(s, p.key_class)->name) rest.key_class = KEY_CLASS_NONE;
    return count_child(r, TYPE_OBJECT, &p, rest, n->sign, g == r->serve);
}

static goal_id step_unevaluated(struct rewriting *r, goal_id g, const struct goal_node *n,
                                const goal_id *kids) {
    return unevaluated_step(r->s, n, kids, r->name, g == r->serve);
}

goal_id formula_step_key(struct goal_store *s, goal_id f, uint32_t name, goal_id serve) {
    struct rewriting r = {.s = s,
                          .leaf = step_key_leaf,
                          .unevaluated = step_unevaluated,
                          .name = name,
                          .serve = serve};
    return run(&r, f);
}

static goal_id step_item_leaf(struct rewriting *r, goal_id g, const struct goal_node *n) {
    struct goal_store *s = r->s;
    if (n->kind != GOAL_KIND_PREDICATE || n->type != TYPE_ARRAY) return g;
    struct predicate p = s->predicates.data[n->a], rest = p;
    if (p.kind == PREDICATE_UNIQUE) {
        bool sign = n->sign;
        goal_id again = goal_variable(s, r->seen);
        return sign ? goal_and2(s, g, goal_not(s, again)) : goal_or2(s, g, again);
    }
    bool counts = p.first == 0;
    if (p.first > 0) rest.first--;
    if (p.last == 0) { /* the interval is used up: an empty one */
        rest.first = 1;
        rest.last = 0;
    } else if (p.last != INDEX_UNBOUNDED) {
        rest.last--;
    }
    if (!counts) return goal_predicate(s, TYPE_ARRAY, &rest, n->sign);
    return count_child(r, TYPE_ARRAY, &p, rest, n->sign, false);
}

goal_id formula_step_item(struct goal_store *s, goal_id f, goal_id seen) {
    struct rewriting r = {.s = s,
                          .leaf = step_item_leaf,
                          .unevaluated = step_unevaluated,
                          .serve = FORMULA_SERVE_NONE,
                          .seen = seen};
    return run(&r, f);
}

static goal_id settle_unique_leaf(struct rewriting *r, goal_id g, const struct goal_node *n) {
    if (!n->unique) return g;
    return n->sign == r->unique ? GOAL_TRUE : GOAL_FALSE;
}

goal_id formula_settle_unique(struct goal_store *s, goal_id f, bool unique) {
    if (!node(s, f)->unique) return f;
    struct rewriting r = {.s = s, .leaf = settle_unique_leaf, .unique = unique};
    return run(&r, f);
}

/* ---- close, assign --------------------------------------------------------------------------- */

/* The value of a formula without variables when nothing more comes. Kept with every node. */
goal_id formula_close(struct goal_store *s, goal_id f) {
    struct goal_node n = *node(s, f);
    if (n.closed != GOAL_UNKNOWN) return n.closed;
    goal_id result = f;
    unsigned held = 0;
    if (f > GOAL_CYCLE && !goal_descend(s)) return GOAL_FALSE;
    switch ((enum goal_kind)n.kind) {
    case GOAL_KIND_AND:
        result = GOAL_TRUE;
        for (uint32_t i = 0; i < n.n_kids && result != GOAL_FALSE; i++) {
            goal_id kid = formula_close(s, n.kids[i]);
            if (kid != GOAL_TRUE) result = kid;
        }
        break;
    case GOAL_KIND_OR:
        result = GOAL_FALSE;
        for (uint32_t i = 0; i < n.n_kids && result != GOAL_TRUE; i++) {
            goal_id kid = formula_close(s, n.kids[i]);
            if (kid != GOAL_FALSE) result = kid;
        }
        break;
    case GOAL_KIND_ONE:
        held = n.type;
        for (uint32_t i = 0; i < n.n_kids; i++) held += formula_close(s, n.kids[i]) == GOAL_TRUE;
        result = (held == 1) == n.sign ? GOAL_TRUE : GOAL_FALSE;
        break;
    case GOAL_KIND_PREDICATE: /* nothing is counted any more, and nothing comes twice */
        result = n.sign == (n.unique != 0) ? GOAL_TRUE : GOAL_FALSE;
        break;
    case GOAL_KIND_UNEVALUATED: result = n.sign ? GOAL_TRUE : GOAL_FALSE; break;
    default: break;
    }
    s->visits++;
    if (f > GOAL_CYCLE) s->depth--;
    if (!s->arena->failed) s->nodes.data[f].closed = result;
    return result;
}

static goal_id close_names_leaf(struct rewriting *r, goal_id g, const struct goal_node *n) {
    if (n->kind != GOAL_KIND_PREDICATE || n->type != TYPE_OBJECT) return g;
    const struct predicate *p = predicate_get(r->s, n->a);
    uint32_t name = key_class_get(r->s, p->key_class)->name;
    if (!name || !r->gone(r->ctx, name)) return g;
    return n->sign ? GOAL_FALSE : GOAL_TRUE;
}

goal_id formula_close_names(struct goal_store *s, goal_id f, bool (*gone)(void *ctx, uint32_t name),
                            void *ctx) {
    struct rewriting r = {.s = s, .leaf = close_names_leaf, .gone = gone, .ctx = ctx};
    return run(&r, f);
}

static goal_id assign_leaf(struct rewriting *r, goal_id g, const struct goal_node *n) {
    if (n->kind != GOAL_KIND_VARIABLE) return g;
    size_t low = 0, high = r->n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (r->goals[mid] == n->a) return r->verdicts[mid] == n->sign ? GOAL_TRUE : GOAL_FALSE;
        if (r->goals[mid] < n->a)
            low = mid + 1;
        else
            high = mid;
    }
    return g;
}

goal_id formula_assign(struct goal_store *s, goal_id f, const goal_id *goals, const bool *verdicts,
                       size_t n) {
    if (n == 0) return f;
    struct rewriting r = {.s = s,
                          .leaf = assign_leaf,
                          .only_open = true,
                          .goals = goals,
                          .verdicts = verdicts,
                          .n = n};
    return run(&r, f);
}

/* ---- looking --------------------------------------------------------------------------------- */

/* How what a node says bears on the formula: for it, against it, or both ways. Bits of a set. */
enum polarity { POLARITY_FOR = 1, POLARITY_AGAINST = 2, POLARITY_BOTH = 3 };

static enum polarity polarity_signed(enum polarity p, bool sign) {
    return sign || p == POLARITY_BOTH ? p : p == POLARITY_FOR ? POLARITY_AGAINST : POLARITY_FOR;
}

/* Walks every node below f once for each polarity in which it is met (both ways is one). Formulas
 * are in negation normal form: only an exactly-one mixes, and the conditions below the negation of
 * an unevaluated are turned round. */
static void walk(struct goal_store *s, goal_id g, enum polarity p, bool only_open,
                 void (*visit)(void *ctx, goal_id g, enum polarity p), void *ctx) {
    if (g <= GOAL_CYCLE || s->arena->failed || (only_open && !node(s, g)->open)) return;
    uint32_t seen = 1u << p;
    struct rewrite_memo *memo = &s->rewritten.data[g];
    if (memo->stamp == s->rewrite_stamp && memo->value & seen) return;
    if (memo->stamp != s->rewrite_stamp) *memo = (struct rewrite_memo){s->rewrite_stamp, 0};
    memo->value |= seen;
    s->visits++;
    const struct goal_node *n = node(s, g);
    if (n->kind == GOAL_KIND_PREDICATE || n->kind == GOAL_KIND_VARIABLE ||
        n->kind == GOAL_KIND_UNEVALUATED)
        visit(ctx, g, p);
    if (n->n_kids == 0 || !goal_descend(s)) return;
    const goal_id *kids = n->kids;
    uint32_t count = n->n_kids;
    if (n->kind == GOAL_KIND_ONE) p = POLARITY_BOTH;
    if (n->kind == GOAL_KIND_UNEVALUATED) p = polarity_signed(p, n->sign);
    for (uint32_t i = 0; i < count; i++) walk(s, kids[i], p, only_open, visit, ctx);
    s->depth--;
}

struct variable_list {
    struct goal_store *s;
    struct formula_variable *out;
    size_t n, capacity;
    bool full;
};

static void add_variable(void *ctx, goal_id g, enum polarity p) {
    struct variable_list *l = ctx;
    const struct goal_node *n = node(l->s, g);
    if (n->kind != GOAL_KIND_VARIABLE) return;
    uint8_t polarity = (uint8_t)polarity_signed(p, n->sign);
    size_t low = 0, high = l->n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (l->out[mid].goal < n->a)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < l->n && l->out[low].goal == n->a) {
        l->out[low].polarity |= polarity;
        return;
    }
    if (l->n == l->capacity) {
        l->full = true;
        return;
    }
    memmove(l->out + low + 1, l->out + low, (l->n - low) * sizeof *l->out);
    l->out[low] = (struct formula_variable){n->a, polarity};
    l->n++;
}

size_t formula_variables(struct goal_store *s, goal_id f, struct formula_variable *out, size_t n,
                         size_t capacity) {
    struct variable_list l = {s, out, n, capacity, false};
    if (!begin_rewriting(s)) return SIZE_MAX;
    walk(s, f, POLARITY_FOR, true, add_variable, &l);
    return l.full || s->arena->failed ? SIZE_MAX : l.n;
}

bool formula_has_variables(const struct goal_store *s, goal_id f) {
    return node(s, f)->open;
}

struct class_visit {
    struct goal_store *s;
    void (*visit)(void *ctx, uint32_t key_class, bool needed);
    void *ctx;
};

static void visit_classes(void *ctx, goal_id g, enum polarity p) {
    struct class_visit *v = ctx;
    const struct goal_node *n = node(v->s, g);
    if (n->kind == GOAL_KIND_VARIABLE || n->type != TYPE_OBJECT) return;
    p = polarity_signed(p, n->sign);
    if (n->kind == GOAL_KIND_PREDICATE) {
        v->visit(v->ctx, predicate_get(v->s, n->a)->key_class, p & POLARITY_FOR);
        return;
    }
    const struct unevaluated u = *unevaluated_get(v->s, n->a);
    v->visit(v->ctx, u.asked.key_class, p & POLARITY_AGAINST);
    for (uint32_t i = 0; i < u.n; i++) v->visit(v->ctx, u.cells[i].children.key_class, false);
}

void formula_key_classes(struct goal_store *s, goal_id f,
                         void (*visit)(void *ctx, uint32_t key_class, bool needed), void *ctx) {
    struct class_visit v = {s, visit, ctx};
    if (begin_rewriting(s)) walk(s, f, POLARITY_FOR, false, visit_classes, &v);
}

struct occurrence_visit {
    struct goal_store *s;
    void (*visit)(void *ctx, goal_id g, bool wanted);
    void *ctx;
};

static void visit_occurrence(void *ctx, goal_id g, enum polarity p) {
    struct occurrence_visit *v = ctx;
    v->visit(v->ctx, g, polarity_signed(p, node(v->s, g)->sign) == POLARITY_FOR);
}

void formula_occurrences(struct goal_store *s, goal_id f,
                         void (*visit)(void *ctx, goal_id g, bool wanted), void *ctx) {
    struct occurrence_visit v = {s, visit, ctx};
    if (begin_rewriting(s)) walk(s, f, POLARITY_FOR, false, visit_occurrence, &v);
}

const goal_id *formula_literals(struct goal_store *s, const goal_id *f, size_t *n) {
    const struct goal_node *x = node(s, *f);
    if (x->kind != GOAL_KIND_AND) {
        *n = 1;
        return f;
    }
    *n = x->n_kids;
    return x->kids;
}
