/* SPDX-License-Identifier: MIT
 *
 * The two questions about arrays whose items must differ, or must not (json-machine: R6). Their
 * formulas do not speak of that any more: they are what is left of a formula that was split by it.
 *
 * DISTINCT. Place the next item, which must meet c, before a rest that can be satisfied on its own
 * by witness W: if c has a value that neither the array holds already nor W needs, that is it. Else
 * c has finitely many values, all of them in W, and for each the rest is asked without it. An item
 * of W with infinitely many values is in nobody's way: it can always be another one.
 *
 * REPEAT. One equal pair is enough. On the way through the items one goal is carried along, that
 * of the item to be repeated (at first: "equal to what the array holds"). An item repeats it, or
 * is passed over, or becomes the one to be repeated.
 */
#include "automaton/unique_internal.h"

static witness_id no_items(struct solver *s, bool distinct) {
    return solver_add_witness(
        s, &(struct witness){.type = TYPE_ARRAY, .distinct = distinct, .depth = 1});
}

/* ---- all different --------------------------------------------------------------------------- */

struct placing {
    struct solver *s;
    value_set seen;
    witness_id found;
};

/* Does array witness w need exactly v for one of its items? */
static bool needs_value(struct solver *s, witness_id id, value_id v) {
    struct witness w = s->witnesses.data[id];
    for (uint32_t i = 0; i < w.count; i++)
        if (s->witnesses.data[w.kids[i]].draw == GOAL_FALSE &&
            solver_witness_value(s, w.kids[i]) == v)
            return true;
    return false;
}

/* An item with infinitely many values before `rest`. */
static witness_id place_any(struct solver *s, goal_id child, witness_id rest) {
    witness_id any = solver_decide(s, QUESTION_GOAL, child, NAME_SET_EMPTY);
    if (any == WITNESS_NONE) return WITNESS_NONE;
    struct witness w = s->witnesses.data[any];
    w.draw = child;
    any = solver_add_witness(s, &w);
    return any == WITNESS_NONE ? any : solver_join_items(s, any, rest, 0);
}

static bool place_distinct(void *ctx, goal_id child, goal_id rest) {
    struct placing *p = ctx;
    struct solver *s = p->s;
    witness_id after = solver_decide(s, QUESTION_DISTINCT, rest, p->seen);
    if (after == WITNESS_NONE) return false;
    size_t most = solver_count_values(s, p->seen) + s->witnesses.data[after].count + 1;
    struct domain d = solver_domain(s, child, most < DOMAIN_MAX ? (uint32_t)most : DOMAIN_MAX);
    if (s->limited) return false;
    if (d.infinite) {
        p->found = place_any(s, child, after);
        return p->found != WITNESS_NONE;
    }
    /* First the values that leave the rest as it is. */
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < d.n && solver_step(s); i++) {
            value_id v = d.values[i];
            if (name_set_has(&s->names, p->seen, v)) continue;
            bool needed = needs_value(s, after, v);
            if (needed != (round == 1)) continue;
            witness_id r = after;
            if (needed)
                r = solver_decide(s, QUESTION_DISTINCT, rest, name_set_add(&s->names, p->seen, v));
            if (r == WITNESS_NONE) continue;
            p->found = solver_join_items(s, solver_value_witness(s, v), r, 0);
            return p->found != WITNESS_NONE;
        }
    }
    if (!d.complete) s->limited = true;
    return false;
}

witness_id solver_decide_distinct(struct solver *s, goal_id f, value_set seen) {
    if (formula_close(s->goals, f) == GOAL_TRUE) return no_items(s, true);
    struct goal_node n = *node(s->goals, f);
    if (n.kind == GOAL_KIND_OR) {
        for (uint32_t i = 0; i < n.n_kids && !s->limited; i++) {
            witness_id w = solver_decide(s, QUESTION_DISTINCT, n.kids[i], seen);
            if (w != WITNESS_NONE) return w;
        }
        return WITNESS_NONE;
    }
    size_t mark = goal_scratch_mark(s->goals);
    struct placing p = {s, seen, WITNESS_NONE};
    struct plain_array plain;
    if (!s->only_general && plain_array_read(s, f, &plain))
        p.found = plain_array_decide(s, &plain, seen);
    else
        solver_try_children(s, formula_step_item(s->goals, f, GOAL_FALSE), GOAL_TRUE,
                            place_distinct, &p);
    goal_scratch_pop(s->goals, mark);
    return p.found;
}

/* ---- one pair that is equal ------------------------------------------------------------------ */

struct repeating {
    struct solver *s;
    goal_id candidates;
    witness_id found;
};

/* An item of goal `child` that is one of the candidates; then anything. */
static witness_id repeat_now(struct solver *s, goal_id child, goal_id rest, goal_id candidates) {
    if (candidates == GOAL_FALSE) return WITNESS_NONE;
    witness_id w =
        solver_decide(s, QUESTION_GOAL, goal_and2(s->goals, child, candidates), NAME_SET_EMPTY);
    witness_id after =
        w == WITNESS_NONE ? w : solver_decide(s, QUESTION_ARRAY, rest, VALUE_SET_EMPTY);
    return after == WITNESS_NONE ? after : solver_join_items(s, w, after, 1);
}

static witness_id repeat_later(struct solver *s, goal_id child, goal_id rest, goal_id candidates) {
    witness_id w = solver_decide(s, QUESTION_GOAL, child, NAME_SET_EMPTY);
    if (w == WITNESS_NONE) return w;
    witness_id after = solver_decide(s, QUESTION_REPEAT, rest, candidates);
    if (after != WITNESS_NONE) {
        uint32_t again = s->witnesses.data[after].again;
        return solver_join_items(s, w, after, again ? again + 1 : 0);
    }
    after = solver_decide(s, QUESTION_REPEAT, rest, child);
    if (after == WITNESS_NONE) return after;
    struct witness x = s->witnesses.data[after];
    return solver_join_items(s, x.again ? x.kids[x.again - 1] : w, after, 0);
}

static bool place_repeat(void *ctx, goal_id child, goal_id rest) {
    struct repeating *r = ctx;
    r->found = repeat_now(r->s, child, rest, r->candidates);
    if (r->found == WITNESS_NONE) r->found = repeat_later(r->s, child, rest, r->candidates);
    return r->found != WITNESS_NONE;
}

/* n items that all meet `each`, of which one is a candidate or two are equal. */
static witness_id repeat_stationary(struct solver *s, uint64_t least, uint64_t most, goal_id each,
                                    goal_id candidates) {
    witness_id any = solver_decide(s, QUESTION_GOAL, each, NAME_SET_EMPTY), again = WITNESS_NONE;
    if (least > most || most == 0 || any == WITNESS_NONE) return WITNESS_NONE;
    if (candidates != GOAL_FALSE)
        again =
            solver_decide(s, QUESTION_GOAL, goal_and2(s->goals, each, candidates), NAME_SET_EMPTY);
    if (again == WITNESS_NONE && most < 2) return WITNESS_NONE;
    uint64_t n = least;
    if (again == WITNESS_NONE && n < 2) n = 2;
    if (n == 0) n = 1;
    witness_id *kids = arena_push_array(s->arena, 2, sizeof *kids);
    if (!kids) return WITNESS_NONE;
    kids[0] = again == WITNESS_NONE ? any : again;
    kids[1] = any;
    uint32_t depth = 0, count = n > 1 ? 2 : 1;
    for (uint32_t i = 0; i < count; i++)
        if (s->witnesses.data[kids[i]].depth > depth) depth = s->witnesses.data[kids[i]].depth;
    return solver_add_witness(s, &(struct witness){.type = TYPE_ARRAY,
                                                   .count = count,
                                                   .kids = kids,
                                                   .repeat = n > 1 ? n - 1 : 0,
                                                   .depth = depth + 1,
                                                   .again = again == WITNESS_NONE ? 0 : 1});
}

witness_id solver_decide_repeat(struct solver *s, goal_id f, goal_id candidates) {
    struct goal_node n = *node(s->goals, f);
    if (n.kind == GOAL_KIND_OR) {
        for (uint32_t i = 0; i < n.n_kids && !s->limited; i++) {
            witness_id w = solver_decide(s, QUESTION_REPEAT, n.kids[i], candidates);
            if (w != WITNESS_NONE) return w;
        }
        return WITNESS_NONE;
    }
    uint64_t least, most;
    goal_id each;
    if (!s->only_general && solver_is_stationary(s, f, &least, &most, &each))
        return repeat_stationary(s, least, most, each, candidates);
    size_t mark = goal_scratch_mark(s->goals);
    struct repeating r = {s, candidates, WITNESS_NONE};
    solver_try_children(s, formula_step_item(s->goals, f, GOAL_FALSE), GOAL_TRUE, place_repeat, &r);
    goal_scratch_pop(s->goals, mark);
    return r.found;
}
