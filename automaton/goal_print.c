/* SPDX-License-Identifier: MIT
 *
 * Goals as text, for people and failing tests:
 *
 *     and(type(array object), not count(x, string /a/, 1))
 */
#include "automaton/goal_internal.h"

#define MAX_PRINT_DEPTH 40

static const char *const type_names[TYPE_COUNT] = {"null",   "boolean", "string",
                                                   "number", "array",   "object"};

static void print(struct goal_store *s, goal_id g, unsigned depth, FILE *out);

static void print_types(unsigned set, FILE *out) {
    const char *separator = "type(";
    for (int t = 0; t < TYPE_COUNT; t++) {
        if (!(set & TYPE_BIT(t))) continue;
        fprintf(out, "%s%s", separator, type_names[t]);
        separator = " ";
    }
    fputc(')', out);
}

static void print_class(struct goal_store *s, uint32_t id, FILE *out) {
    const struct key_class *k = key_class_get(s, id);
    if (k->name) {
        const struct name_record *r = &s->names.data[k->name];
        fputc('"', out);
        fwrite(r->text, 1, r->length, out);
        fputc('"', out);
    } else if (id == KEY_CLASS_ALL) {
        fputs("all", out);
    } else {
        regex_print(s->regex, k->term, out);
    }
}

static void print_children(struct goal_store *s, const struct child_range *r, enum value_type t,
                           FILE *out) {
    if (t == TYPE_OBJECT)
        print_class(s, r->key_class, out);
    else if (r->last == INDEX_UNBOUNDED)
        fprintf(out, "[%llu,...]", (unsigned long long)r->first);
    else
        fprintf(out, "[%llu,%llu]", (unsigned long long)r->first, (unsigned long long)r->last);
}

/* unevaluated(asked, goal; children goal if condition; ...) */
static void print_unevaluated(struct goal_store *s, const struct goal_node *n, unsigned depth,
                              FILE *out) {
    const struct unevaluated u = *unevaluated_get(s, n->a);
    enum value_type t = (enum value_type)n->type;
    fputs("unevaluated(", out);
    print_children(s, &u.asked, t, out);
    fputs(", ", out);
    print(s, u.goal, depth + 1, out);
    for (uint32_t i = 0; i < u.n; i++) {
        fputs("; ", out);
        print_children(s, &u.cells[i].children, t, out);
        fputc(' ', out);
        print(s, u.cells[i].goal, depth + 1, out);
        fputs(" if ", out);
        print(s, n->kids[i], depth + 1, out);
    }
    fputc(')', out);
}

static void print_predicate(struct goal_store *s, const struct predicate *p, unsigned depth,
                            FILE *out) {
    switch (p->kind) {
    case PREDICATE_STRING:
        fputs("string ", out);
        regex_print(s->regex, p->term, out);
        return;
    case PREDICATE_NUMBER:
        fputs("number ", out);
        numset_print(s->numbers, p->set, out);
        return;
    case PREDICATE_TRUE: fputs("true-literal", out); return;
    case PREDICATE_UNIQUE: fputs("unique", out); return;
    case PREDICATE_COUNT_KEYS:
    case PREDICATE_COUNT_ITEMS: fputs("count(", out); break;
    }
    print_children(s, &(struct child_range){p->key_class, p->first, p->last},
                   p->kind == PREDICATE_COUNT_KEYS ? TYPE_OBJECT : TYPE_ARRAY, out);
    fputs(", ", out);
    print(s, p->goal, depth + 1, out);
    fprintf(out, ", %llu)", (unsigned long long)p->n);
}

static void print_kids(struct goal_store *s, const struct goal_node *n, unsigned depth, FILE *out) {
    const char *name = n->kind == GOAL_KIND_AND ? "and" : n->kind == GOAL_KIND_OR ? "or" : "one";
    fprintf(out, "%s(", name);
    for (uint32_t i = 0; i < n->n_kids; i++) {
        if (i) fputs(", ", out);
        print(s, n->kids[i], depth + 1, out);
    }
    fputc(')', out);
}

static void print(struct goal_store *s, goal_id g, unsigned depth, FILE *out) {
    static const char *const constants[] = {"false", "true", "cycle"};
    const struct goal_node n = *node(s, g);
    if (depth > MAX_PRINT_DEPTH) {
        fputs("...", out);
        return;
    }
    bool signed_kind = n.kind == GOAL_KIND_ONE || n.kind >= GOAL_KIND_LEAF;
    if (signed_kind && !n.sign) fputs("not ", out);
    switch ((enum goal_kind)n.kind) {
    case GOAL_KIND_CONSTANT: fputs(constants[g], out); break;
    case GOAL_KIND_AND:
    case GOAL_KIND_OR:
    case GOAL_KIND_ONE: print_kids(s, &n, depth, out); break;
    case GOAL_KIND_TYPE: print_types(n.type, out); break;
    case GOAL_KIND_LEAF:
    case GOAL_KIND_PREDICATE:
        print_predicate(s, &s->predicates.data[n.a], depth, out);
        if (n.kind == GOAL_KIND_LEAF)
            fprintf(out, " %s %s", n.vacuous ? "unless not" : "and", type_names[n.type]);
        break;
    case GOAL_KIND_UNEVALUATED: print_unevaluated(s, &n, depth, out); break;
    case GOAL_KIND_REF: fprintf(out, "ref(%u, %u)", n.a, n.b); break;
    case GOAL_KIND_VARIABLE:
        fputs("child{", out);
        print(s, n.a, depth + 1, out);
        fputc('}', out);
        break;
    }
}

void goal_print(struct goal_store *s, goal_id g, FILE *out) {
    print(s, g, 0, out);
    fputc('\n', out);
}
