/* SPDX-License-Identifier: MIT
 *
 * Statements. A loop's body, its else and a set block have scopes of their own: what is set there
 * is gone afterwards (that is what namespaces are for); `if` has none.
 */
#include "base/error.h"
#include "runtime/jinja_eval.h"

enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_FAILED };

static enum flow run_list(struct jinja_machine *m, const struct jinja_node *n);

/* What opening a scope changes. */
struct scope {
    uint32_t first, count;
};

static struct scope open_scope(struct jinja_machine *m) {
    struct scope outer = {m->scope, m->variables.count};
    m->scope = m->variables.count;
    return outer;
}

static void close_scope(struct jinja_machine *m, struct scope outer) {
    m->variables.count = outer.count;
    m->scope = outer.first;
}

static bool put_out(struct jinja_machine *m, const struct jinja_node *n,
                    const struct jinja_string *s) {
    return jinja_spend(m, n, s->length / 64) &&
           (jinja_builder_add(m->out, s) || jinja_error_space(m, n));
}

static bool run_output(struct jinja_machine *m, const struct jinja_node *n) {
    struct jinja_value v;
    struct jinja_string text;
    return jinja_eval(m, n->a, &v) && jinja_text(m, n, &v, &text) && put_out(m, n, &text);
}

static enum flow run_if(struct jinja_machine *m, const struct jinja_node *n) {
    for (const struct jinja_node *branch = n->a; branch; branch = branch->next) {
        struct jinja_value test = jinja_bool(true);
        if (branch->a && !jinja_eval(m, branch->a, &test)) return FLOW_FAILED;
        if (jinja_truth(&test)) return run_list(m, branch->b);
    }
    return FLOW_ON;
}

/* ---- set ---------------------------------------------------------------------------------- */

static bool set_attribute(struct jinja_machine *m, const struct jinja_node *target,
                          struct jinja_value value) {
    struct jinja_value v;
    if (!jinja_eval(m, target->a, &v)) return false;
    if (v.kind != JINJA_NAMESPACE)
        return jinja_error(m, target, FORMA_EMODEL, "only a namespace's attributes can be set");
    struct jinja_namespace *space = v.space;
    struct jinja_pair pair = {jinja_str(target->name, target->name_length, false), value};
    bool same = false;
    for (uint32_t i = 0; i < space->pairs.count; i++) {
        if (!jinja_same(m, target, &space->pairs.data[i].key, &pair.key, &same)) return false;
        if (!same) continue;
        space->pairs.data[i].value = value;
        return true;
    }
    if (!ARENA_VEC_GROW(&m->arena, &space->pairs)) return jinja_error_space(m, target);
    space->pairs.data[space->pairs.count++] = pair;
    return true;
}

static bool set_target(struct jinja_machine *m, const struct jinja_node *target,
                       struct jinja_value value) {
    if (target->kind == JINJA_N_ATTRIBUTE) return set_attribute(m, target, value);
    return jinja_assign(m, target, target->name, target->name_length, value);
}

/* One target takes the value, several take its items. */
static bool set_targets(struct jinja_machine *m, const struct jinja_node *targets,
                        struct jinja_value value) {
    if (!targets->next) return set_target(m, targets, value);
    struct jinja_value list;
    if (!jinja_iterate(m, targets, &value, &list)) return false;
    size_t i = 0;
    for (const struct jinja_node *t = targets; t; t = t->next, i++)
        if (i >= list.count || (!t->next && i + 1 < list.count))
            return jinja_error(m, targets, FORMA_EMODEL,
                               "there are %zu values for another number of names", list.count);
        else if (!set_target(m, t, list.items[i]))
            return false;
    return true;
}

static bool run_set(struct jinja_machine *m, const struct jinja_node *n) {
    struct jinja_value v;
    return jinja_eval(m, n->b, &v) && set_targets(m, n->a, v);
}

static enum flow run_set_block(struct jinja_machine *m, const struct jinja_node *n) {
    struct jinja_builder text, *outer = m->out;
    jinja_builder_init(&text, &m->arena, m->max_bytes);
    struct scope scope = open_scope(m);
    m->out = &text;
    enum flow flow = run_list(m, n->b);
    m->out = outer;
    close_scope(m, scope);
    if (flow != FLOW_ON) return flow;
    struct jinja_value v = jinja_str("", 0, false);
    v.string = jinja_builder_string(&text);
    return set_targets(m, n->a, v) ? FLOW_ON : FLOW_FAILED;
}

/* ---- for ---------------------------------------------------------------------------------- */

/* Keeps the items that the loop's own `if` lets through. */
static bool filter_items(struct jinja_machine *m, const struct jinja_node *n,
                         struct jinja_value *list) {
    struct jinja_value kept, *items = jinja_list_new(m, n, list->count, &kept);
    if (!items) return false;
    kept.count = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct scope scope = open_scope(m);
        struct jinja_value test;
        bool fine = set_targets(m, n->a, list->items[i]) && jinja_eval(m, n->d->a, &test);
        close_scope(m, scope);
        if (!fine) return false;
        if (jinja_truth(&test)) items[kept.count++] = list->items[i];
    }
    *list = kept;
    return true;
}

static enum flow run_for(struct jinja_machine *m, const struct jinja_node *n) {
    struct jinja_value over, list;
    if (!jinja_eval(m, n->b, &over) || !jinja_iterate(m, n, &over, &list)) return FLOW_FAILED;
    if (n->d->a && !filter_items(m, n, &list)) return FLOW_FAILED;
    enum flow flow = FLOW_ON;
    if (list.count == 0) {
        struct scope scope = open_scope(m);
        flow = run_list(m, n->d->b);
        close_scope(m, scope);
        return flow;
    }
    /* In the arena, not on the stack: a namespace may hold `loop` longer than the loop lasts. */
    struct jinja_loop *loop = arena_push(&m->arena, sizeof *loop);
    if (!loop) return jinja_error_space(m, n) ? FLOW_ON : FLOW_FAILED;
    *loop = (struct jinja_loop){list.items, list.count, 0};
    m->loop_depth++;
    struct jinja_value loop_value = {.kind = JINJA_LOOP};
    loop_value.loop = loop;
    for (size_t i = 0; i < list.count && flow == FLOW_ON; i++) {
        struct scope scope = open_scope(m);
        loop->index = i;
        bool fine = jinja_spend(m, n, 1) && jinja_assign(m, n, "loop", 4, loop_value) &&
                    set_targets(m, n->a, list.items[i]);
        flow = fine ? run_list(m, n->c) : FLOW_FAILED;
        if (flow == FLOW_CONTINUE) flow = FLOW_ON;
        close_scope(m, scope);
    }
    m->loop_depth--;
    return flow == FLOW_BREAK ? FLOW_ON : flow;
}

/* ---- all ---------------------------------------------------------------------------------- */

static enum flow run_jump(struct jinja_machine *m, const struct jinja_node *n) {
    if (m->loop_depth == 0) {
        jinja_error(m, n, FORMA_EMODEL, "there is no loop to leave here");
        return FLOW_FAILED;
    }
    return n->kind == JINJA_N_BREAK ? FLOW_BREAK : FLOW_CONTINUE;
}

static enum flow run_one(struct jinja_machine *m, const struct jinja_node *n) {
    bool fine;
    switch (n->kind) {
    case JINJA_N_TEXT: fine = put_out(m, n, &n->value.string); break;
    case JINJA_N_OUTPUT: fine = run_output(m, n); break;
    case JINJA_N_SET: fine = run_set(m, n); break;
    case JINJA_N_IF: return run_if(m, n);
    case JINJA_N_FOR: return run_for(m, n);
    case JINJA_N_SET_BLOCK: return run_set_block(m, n);
    case JINJA_N_BREAK:
    case JINJA_N_CONTINUE: return run_jump(m, n);
    default: fine = jinja_error(m, n, FORMA_EINTERNAL, "an expression among statements");
    }
    return fine ? FLOW_ON : FLOW_FAILED;
}

static enum flow run_list(struct jinja_machine *m, const struct jinja_node *n) {
    enum flow flow = FLOW_ON;
    for (; n && flow == FLOW_ON; n = n->next)
        flow = jinja_spend(m, n, 1) ? run_one(m, n) : FLOW_FAILED;
    return flow;
}

bool jinja_run(struct jinja_machine *m, const struct jinja_node *first) {
    return run_list(m, first) != FLOW_FAILED;
}
