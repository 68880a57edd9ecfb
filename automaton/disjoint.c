/* SPDX-License-Identifier: MIT */
#include "automaton/disjoint.h"

#include <stdlib.h>
#include <string.h>

#include "automaton/conjunction.h"
#include "automaton/solver_verdicts.h"
#include "automaton/unevaluated_split.h"

#define MAX_TAGS   32   /* names that are tried */
#define MAX_KIDS   4096 /* alternatives of one exactly-one */
#define MAX_PAIRED 128  /* alternatives whose tags are compared by a search for each pair */

/* ---- groups of alternatives that may overlap ------------------------------------------------- */

/* `apart` has a bit for each pair that is proved to have no value in common. */
struct alternatives {
    struct solver *s;
    enum value_type type;
    const goal_id *kids; /* each with its context */
    const struct conjunction **plain;
    uint32_t n;
    uint64_t *apart; /* n rows of `words` */
    uint32_t words;
    uint32_t left; /* pairs not proved apart */
};

static bool is_apart(const struct alternatives *a, uint32_t i, uint32_t j) {
    return a->apart[(size_t)i * a->words + j / 64] >> (j % 64) & 1;
}

static void set_apart(struct alternatives *a, uint32_t i, uint32_t j) {
    if (is_apart(a, i, j)) return;
    a->apart[(size_t)i * a->words + j / 64] |= UINT64_C(1) << (j % 64);
    a->apart[(size_t)j * a->words + i / 64] |= UINT64_C(1) << (i % 64);
    a->left--;
}

/* What the value under `name` must meet in alternative i; true where that cannot be told. */
static goal_id member_of(const struct alternatives *a, uint32_t i, uint32_t name) {
    const struct conjunction *c = a->plain[i];
    if (!c || conjunction_rest_touches(a->s, c, name)) return GOAL_TRUE;
    return conjunction_member(a->s, c, name);
}

/* Arrays are told apart by their first item: what it must meet in alternative i, and whether it
 * must come. */
static goal_id first_item_of(const struct alternatives *a, uint32_t i, bool *needed) {
    struct goal_store *g = a->s->goals;
    size_t n, m = 0, mark = goal_scratch_mark(g);
    const goal_id *literals = formula_literals(g, &a->kids[i], &n);
    goal_id *goals = goal_scratch(g, n), result = GOAL_TRUE;
    for (size_t k = 0; goals && k < n; k++) {
        struct goal_node x = *node(g, literals[k]);
        if (x.kind != GOAL_KIND_PREDICATE) continue;
        struct predicate p = *predicate_get(g, x.a);
        if (p.kind != PREDICATE_COUNT_ITEMS) continue;
        *needed |= x.sign;
        if (!x.sign && p.n == 1 && p.first == 0) goals[m++] = goal_not(g, p.goal);
    }
    if (goals) result = goal_and(g, goals, m);
    goal_scratch_pop(g, mark);
    return result;
}

/* Values of one type: `share[i]` goals overlap with each other where a row has both. */
static bool mark_overlaps(const struct alternatives *a, enum value_type t, const goal_id *members,
                          uint64_t *overlap) {
    struct verdict_table table;
    if (!solver_verdict_table(a->s, t, members, a->n, &table)) return false;
    uint32_t *holding = goal_scratch(a->s->goals, a->n);
    if (!holding) return false;
    for (uint32_t r = 0; r < table.rows.count; r++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < a->n; i++)
            if (table.rows.data[r].verdicts[i]) holding[n++] = i;
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t y = 0; y < n; y++)
                overlap[(size_t)holding[x] * a->words + holding[y] / 64] |= UINT64_C(1)
                                                                            << (holding[y] % 64);
    }
    return true;
}

/* Is it proved, without leaning on an answer that is still open, that g has no value? */
static bool is_empty(struct solver *s, goal_id g) {
    uint32_t low = s->low;
    s->low = UINT32_MAX;
    bool empty = solver_decide(s, QUESTION_GOAL, g, NAME_SET_EMPTY) == WITNESS_NONE;
    bool proved = empty && !s->limited && s->low == UINT32_MAX;
    if (low < s->low) s->low = low;
    return proved;
}

static void mark_overlap(const struct alternatives *a, uint64_t *overlap, uint32_t i, uint32_t j) {
    overlap[(size_t)i * a->words + j / 64] |= UINT64_C(1) << (j % 64);
    overlap[(size_t)j * a->words + i / 64] |= UINT64_C(1) << (i % 64);
}

/* Arrays and objects under the tag: pair by pair, where the pairs are not too many. */
static void mark_containers(const struct alternatives *a, enum value_type t, const goal_id *members,
                            uint64_t *overlap) {
    struct goal_store *g = a->s->goals;
    uint32_t *holding = goal_scratch(g, a->n), n = 0;
    goal_id type = goal_type(g, TYPE_BIT(t));
    for (uint32_t i = 0; holding && i < a->n; i++)
        if (goal_specialise(g, members[i], t) != GOAL_FALSE) holding[n++] = i;
    for (uint32_t x = 0; x < n; x++)
        for (uint32_t y = x + 1; y < n; y++) {
            goal_id both[] = {type, members[holding[x]], members[holding[y]]};
            if (n > MAX_PAIRED || is_apart(a, holding[x], holding[y]) || both[1] == both[2] ||
                !is_empty(a->s, goal_and(g, both, 3)))
                mark_overlap(a, overlap, holding[x], holding[y]);
        }
}

/* Alternatives of which one needs the tag are apart where no value of it suits both. */
static void compare_members(struct alternatives *a, const goal_id *members, const bool *needed) {
    struct goal_store *g = a->s->goals;
    size_t bytes = (size_t)a->n * a->words * sizeof(uint64_t);
    uint64_t *overlap = arena_push(&g->scratch, bytes);
    bool known = overlap != NULL;
    if (known) memset(overlap, 0, bytes);
    for (int t = 0; t < TYPE_COUNT && known; t++) {
        if (!(a->s->types & TYPE_BIT(t))) continue;
        if (t == TYPE_ARRAY || t == TYPE_OBJECT)
            mark_containers(a, (enum value_type)t, members, overlap);
        else
            known = mark_overlaps(a, (enum value_type)t, members, overlap);
    }
    for (uint32_t i = 0; known && i < a->n; i++)
        for (uint32_t j = i + 1; j < a->n; j++)
            if (!(overlap[(size_t)i * a->words + j / 64] >> (j % 64) & 1) &&
                (needed[i] || needed[j]))
                set_apart(a, i, j);
}

/* A tag of objects (a name), or the first item of arrays (no name). */
static void try_tag(struct alternatives *a, uint32_t tag) {
    struct goal_store *g = a->s->goals;
    size_t mark = goal_scratch_mark(g);
    goal_id *members = goal_scratch(g, a->n);
    bool *needed = arena_push(&g->scratch, a->n);
    for (uint32_t i = 0; members && needed && i < a->n; i++) {
        needed[i] = tag && a->plain[i] && conjunction_is_need(a->plain[i], tag);
        members[i] = tag ? member_of(a, i, tag) : first_item_of(a, i, &needed[i]);
    }
    if (members && needed) compare_members(a, members, needed);
    goal_scratch_pop(g, mark);
}

/* Groups: alternatives that are connected through pairs not proved apart. group[i] is the lowest
 * alternative of i's group. Returns how many groups there are. */
static uint32_t find_groups(const struct alternatives *a, uint32_t *group, uint32_t *queue) {
    uint32_t groups = 0;
    for (uint32_t i = 0; i < a->n; i++) group[i] = UINT32_MAX;
    for (uint32_t i = 0; i < a->n; i++) {
        if (group[i] != UINT32_MAX) continue;
        uint32_t n = 0;
        groups++;
        group[i] = i;
        queue[n++] = i;
        while (n) {
            uint32_t x = queue[--n];
            for (uint32_t j = i + 1; j < a->n; j++)
                if (group[j] == UINT32_MAX && !is_apart(a, x, j)) {
                    group[j] = i;
                    queue[n++] = j;
                }
        }
    }
    return groups;
}

/* The names to try: those that some alternative needs, each once, in the order of the formula. */
static uint32_t find_tags(const struct alternatives *a, uint32_t *tags) {
    uint32_t n_tags = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        size_t n = 0;
        const uint32_t *list = a->plain[i] ? conjunction_needs(a->plain[i], &n) : NULL;
        for (size_t j = 0; j < n && n_tags < MAX_TAGS; j++) {
            bool known = false;
            for (uint32_t k = 0; k < n_tags && !known; k++) known = tags[k] == list[j];
            if (!known) tags[n_tags++] = list[j];
        }
    }
    return n_tags;
}

static bool prove_apart(struct alternatives *a) {
    uint32_t tags[MAX_TAGS], n = find_tags(a, tags);
    if (a->type == TYPE_ARRAY) try_tag(a, 0);
    for (uint32_t i = 0; i < n && a->left && !a->s->limited; i++) try_tag(a, tags[i]);
    return !a->s->limited;
}

/* ---- one exactly-one ------------------------------------------------------------------------- */

/* What stands beside an exactly-one: the units, as one goal, and the unevaluated nodes, which it
 * may take in. */
struct beside {
    enum value_type type; /* of the formula */
    goal_id context;
    const goal_id *unevaluated;
    size_t n_unevaluated;
    bool taken_in;
};

/* The exactly-one with these kids, none of them true so far, group by group. */
static goal_id join_groups(struct solver *s, const goal_id *kids, uint32_t n, const uint32_t *group,
                           bool sign, struct beside *beside) {
    struct goal_store *g = s->goals;
    goal_id *parts = goal_scratch(g, n), *members = goal_scratch(g, n);
    uint32_t n_parts = 0;
    struct unevaluated_split split;
    if (!parts || !members) return GOAL_FALSE;
    beside->taken_in =
        sign && beside->n_unevaluated &&
        unevaluated_split_open(&split, g, beside->unevaluated, beside->n_unevaluated, kids, n);
    for (uint32_t i = 0; i < n; i++) {
        if (group[i] != i) continue;
        uint32_t m = 0;
        for (uint32_t j = i; j < n; j++)
            if (group[j] == i) members[m++] = kids[j];
        goal_id part = goal_one(g, 0, members, m, true);
        if (beside->taken_in) part = goal_and2(g, part, unevaluated_split_group(&split, group, i));
        parts[n_parts++] = part;
    }
    goal_id any = goal_or(g, parts, n_parts);
    return sign ? any : goal_not(g, any);
}

static goal_id loosen_one(struct solver *s, goal_id one, const goal_id *kids,
                          struct beside *beside) {
    struct goal_store *g = s->goals;
    struct goal_node n = *node(g, one);
    goal_id whole = goal_with_kids(g, &n, kids);
    const struct goal_node *w = node(g, whole);
    if (w->kind != GOAL_KIND_ONE || w->type || w->n_kids > MAX_KIDS) return whole;
    struct goal_node x = *w;
    struct alternatives a = {
        .s = s, .type = beside->type, .n = x.n_kids, .words = (x.n_kids + 63) / 64};
    size_t mark = goal_scratch_mark(g), bytes = (size_t)a.n * a.words * sizeof *a.apart;
    goal_id *inside = goal_scratch(g, a.n);
    uint32_t *group = goal_scratch(g, a.n), *queue = goal_scratch(g, a.n);
    a.plain = arena_push_array(&g->scratch, a.n, sizeof(struct conjunction *));
    a.apart = arena_push(&g->scratch, bytes);
    if (inside && group && queue && a.plain && a.apart) {
        memset(a.apart, 0, bytes);
        a.kids = inside;
        a.left = a.n * (a.n - 1) / 2;
        for (uint32_t i = 0; i < a.n; i++) {
            inside[i] = goal_and2(g, beside->context, x.kids[i]);
            a.plain[i] = a.type == TYPE_OBJECT ? conjunction_find(s, inside[i]) : NULL;
        }
        if (prove_apart(&a) && find_groups(&a, group, queue) > 1)
            whole = join_groups(s, x.kids, a.n, group, x.sign, beside);
    }
    goal_scratch_pop(g, mark);
    return whole;
}

/* ---- a formula ------------------------------------------------------------------------------- */

/* The literals beside an exactly-one that hold wherever it matters. */
static goal_id units_of(struct goal_store *g, const struct goal_node *n, goal_id context) {
    size_t mark = goal_scratch_mark(g), m = 0;
    goal_id *units = goal_scratch(g, n->n_kids + (size_t)1), result = context;
    if (!units) return context;
    for (uint32_t i = 0; i < n->n_kids; i++)
        if (node(g, n->kids[i])->kind == GOAL_KIND_PREDICATE) units[m++] = n->kids[i];
    units[m++] = context;
    result = goal_and(g, units, m);
    goal_scratch_pop(g, mark);
    return result;
}

static goal_id loosen(struct solver *s, goal_id f, struct beside *beside);

/* The kids of n (kids[]) loosened, where the context of `beside` holds. An exactly-one in a
 * conjunction takes in the unevaluated nodes beside it if it can. */
static bool loosen_kids(struct solver *s, const struct goal_node *n, const struct beside *beside,
                        goal_id *kids) {
    struct goal_store *g = s->goals;
    struct beside inner = {.type = beside->type, .context = beside->context};
    goal_id *unevaluated = goal_scratch(g, n->n_kids);
    bool changed = false;
    if (!unevaluated) return false;
    for (uint32_t i = 0; i < n->n_kids; i++) {
        if (node(g, n->kids[i])->kind == GOAL_KIND_ONE) continue;
        kids[i] = loosen(s, n->kids[i], &inner);
        const struct goal_node *x = node(g, kids[i]);
        if (n->kind == GOAL_KIND_AND && x->kind == GOAL_KIND_UNEVALUATED && x->sign &&
            beside->type == TYPE_OBJECT)
            unevaluated[inner.n_unevaluated++] = kids[i];
    }
    inner.unevaluated = unevaluated;
    for (uint32_t i = 0; i < n->n_kids; i++) {
        if (node(g, n->kids[i])->kind != GOAL_KIND_ONE) continue;
        kids[i] = loosen(s, n->kids[i], &inner);
        if (!inner.taken_in) continue;
        for (uint32_t k = 0; k < n->n_kids; k++)
            if (node(g, n->kids[k])->kind != GOAL_KIND_ONE)
                for (size_t u = 0; u < inner.n_unevaluated; u++)
                    if (kids[k] == unevaluated[u]) kids[k] = GOAL_TRUE;
        inner.n_unevaluated = 0;
        inner.taken_in = false;
    }
    for (uint32_t i = 0; i < n->n_kids; i++) changed |= kids[i] != n->kids[i];
    return changed;
}

static goal_id loosen(struct solver *s, goal_id f, struct beside *beside) {
    struct goal_store *g = s->goals;
    struct goal_node n = *node(g, f);
    if (n.n_kids == 0 || s->limited) return f;
    if (!goal_descend(g)) return GOAL_FALSE;
    size_t mark = goal_scratch_mark(g);
    goal_id *kids = goal_scratch(g, n.n_kids), result = f;
    if (kids) {
        struct beside inside = {.type = beside->type, .context = beside->context};
        if (n.kind == GOAL_KIND_AND) inside.context = units_of(g, &n, beside->context);
        bool changed = loosen_kids(s, &n, &inside, kids);
        if (n.kind == GOAL_KIND_ONE)
            result = loosen_one(s, f, kids, beside);
        else if (changed)
            result = goal_with_kids(g, &n, kids);
    }
    goal_scratch_pop(g, mark);
    g->depth--;
    return result;
}

/* Arrays that need no item have the empty one in common. It is set apart, and the others are looked
 * at with an item that must come. */
static goal_id loosen_non_empty(struct solver *s, goal_id f) {
    struct goal_store *g = s->goals;
    struct predicate p = {
        .kind = PREDICATE_COUNT_ITEMS, .last = INDEX_UNBOUNDED, .goal = GOAL_TRUE, .n = 1};
    goal_id some = goal_predicate(g, TYPE_ARRAY, &p, true);
    struct beside non_empty = {.type = TYPE_ARRAY, .context = some};
    goal_id loosened = loosen(s, f, &non_empty);
    if (loosened == f) return f;
    goal_id result = goal_and2(g, some, loosened);
    return formula_close(g, f) == GOAL_TRUE ? goal_or2(g, goal_not(g, some), result) : result;
}

goal_id disjoint_loosen(struct solver *s, goal_id f, enum value_type type) {
    uint32_t hash = fa_hash_mix(f, 3);
    if (node(s->goals, f)->n_kids == 0 || s->only_general) return f;
    for (struct table_probe p = table_probe(&s->loosened_table, hash);
         table_next(&s->loosened_table, &p);)
        if (s->loosened.data[p.id].formula == f) return s->loosened.data[p.id].result;
    bool was_limited = s->limited;
    uint64_t work = s->work;
    s->limited = false;
    struct beside nothing = {.type = type, .context = GOAL_TRUE};
    goal_id result = loosen(s, f, &nothing);
    if (result == f && type == TYPE_ARRAY && !s->limited) result = loosen_non_empty(s, f);
    if (s->limited) { /* no proof: the formula stays as it is */
        result = f;
        s->work = work;
    }
    s->limited = was_limited;
    if (!s->arena->failed && ARENA_VEC_GROW(s->arena, &s->loosened) &&
        table_add(&s->loosened_table, hash, s->loosened.count))
        s->loosened.data[s->loosened.count++] = (struct loosened_record){f, result};
    return result;
}
