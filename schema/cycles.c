/* SPDX-License-Identifier: MIT
 *
 * References that lead back to themselves without going into a child: such a one holds for
 * no value, which is rarely what was meant. Found by a walk over the schemas that apply in place,
 * depth-first and not recursive, linear in what is reached.
 */
#include "schema/internal.h"

static uint32_t target_of(const struct json_schema *s, uint32_t node,
                          const struct keyword_info *k) {
    switch (k->id) {
    case KEYWORD_REF: return s->nodes.data[node].target;
    case KEYWORD_DYNAMIC_REF:
    case KEYWORD_RECURSIVE_REF: return s->nodes.data[node].dynamic_target;
    default: return NODE_NONE;
    }
}

/* Stamps: nodes on the way down have `open`, those that are left `open + 1`. */
static void enter(struct json_schema *s, uint32_t node, uint32_t open) {
    if (s->nodes.data[node].stamp >= open || !ARENA_VEC_GROW(s->arena, &s->stack)) return;
    s->nodes.data[node].stamp = open;
    s->stack.data[s->stack.count++] = (struct order_frame){{node, 0}, 0, 0};
}

static void follow(struct json_schema *s, uint32_t from, const struct json_member *m,
                   uint32_t target, uint32_t open) {
    if (target >= NODE_FALSE) return;
    if (s->nodes.data[target].stamp == open) {
        schema_rule(s, from, m, FORMA_RULE_NEVER, 0,
                    "it leads back to itself without going into a member or item");
        s->told_of_cycle = true;
    } else {
        enter(s, target, open);
    }
}

static void walk(struct json_schema *s, uint32_t root, uint32_t open) {
    enter(s, root, open);
    while (s->stack.count && !s->arena->failed) {
        struct order_frame *f = &s->stack.data[s->stack.count - 1];
        uint32_t node = f->place.node;
        const struct json_value *object = s->nodes.data[node].value;
        if (f->member == object->count) {
            s->nodes.data[node].stamp = open + 1;
            s->stack.count--;
            continue;
        }
        const struct json_member *m = &object->members[f->member];
        const struct keyword_info *k = schema_effect(s, node, m);
        const struct json_value *next = k ? schema_in_place(k, &m->value, f->item) : NULL;
        if (next) {
            f->item++;
            if (next->kind == JSON_OBJECT) enter(s, schema_find_node(s, next), open);
            continue;
        }
        f->member++;
        f->item = 0;
        if (k) follow(s, node, m, target_of(s, node, k), open);
    }
}

void schema_warn_of_cycles(struct json_schema *s) {
    uint32_t open = s->stamp + 1;
    s->stack.count = 0;
    for (uint32_t i = 0; i < s->work.count; i++) walk(s, s->work.data[i], open);
    s->stamp += 2;
}
