/* SPDX-License-Identifier: MIT */
#include "automaton/goal_dot.h"

#include <string.h>

#include "automaton/dot.h"
#include "automaton/goal_internal.h"
#include "automaton/next.h"
#include "automaton/regex_internal.h"
#include "automaton/regex_list.h"

/* Goals that are drawn; a union of a thousand alternatives is no drawing any more. */
enum { MAX_DRAWN = 1000, LABEL_SIZE = 200, TERM_SHOWN = 60 };

static const char *const type_names[TYPE_COUNT] = {"null",   "boolean", "string",
                                                   "number", "array",   "object"};

/* ---- labels -------------------------------------------------------------------------------- */

/* Few enough nodes to print: a term may share its parts, what is printed of it does not. */
static bool is_printable(const struct regex_store *s, term_id t, unsigned *budget) {
    while (*budget) {
        const struct term *x = term_get(s, t);
        --*budget;
        switch ((enum term_kind)x->kind) {
        case KIND_OR:
        case KIND_AND:
            for (uint32_t i = 0; i < x->c; i++)
                if (!is_printable(s, x->kids[i], budget)) return false;
            return true;
        case KIND_CAT:
            if (!is_printable(s, x->a, budget)) return false;
            t = x->b;
            break;
        case KIND_NOT:
        case KIND_REPEAT:
        case KIND_LITERAL: t = x->a; break;
        default: return true;
        }
    }
    return false;
}

static void add_term(struct goal_store *s, struct text *t, term_id term) {
    char printed[TERM_SHOWN + 1] = "";
    unsigned budget = TERM_SHOWN;
    if (regex_list(s->regex, term, "one of", t)) return;
    if (term == TERM_ANY) {
        text_add(t, "any");
        return;
    }
    FILE *out =
        is_printable(s->regex, term, &budget) ? fmemopen(printed, sizeof printed, "w") : NULL;
    if (out) {
        regex_print(s->regex, term, out);
        fclose(out);
    }
    text_add(t, strlen(printed) < TERM_SHOWN && *printed ? "%s" : "a language", printed);
}

static void add_numbers(struct goal_store *s, struct text *t, numset_id set) {
    char printed[LABEL_SIZE] = "";
    FILE *out = fmemopen(printed, sizeof printed, "w");
    if (out) {
        numset_print(s->numbers, set, out);
        fclose(out);
    }
    printed[sizeof printed - 1] = 0;
    text_add(t, strlen(printed) + 2 < sizeof printed && *printed ? "%s" : "a set", printed);
}

static void add_children(struct goal_store *s, struct text *t, const struct child_range *r,
                         enum value_type type) {
    const struct key_class *k = key_class_get(s, r->key_class);
    if (type == TYPE_ARRAY && r->last == INDEX_UNBOUNDED)
        text_add(t, "items %llu...", (unsigned long long)r->first);
    else if (type == TYPE_ARRAY)
        text_add(t, "items %llu to %llu", (unsigned long long)r->first,
                 (unsigned long long)r->last);
    else if (k->name)
        text_add_quoted(t, s->names.data[k->name].text, s->names.data[k->name].length, 40);
    else if (r->key_class == KEY_CLASS_ALL)
        text_add(t, "all members");
    else {
        text_add(t, "members ");
        add_term(s, t, k->term);
    }
}

static void add_predicate(struct goal_store *s, struct text *t, const struct predicate *p) {
    switch (p->kind) {
    case PREDICATE_STRING:
        text_add(t, "string: ");
        add_term(s, t, p->term);
        return;
    case PREDICATE_NUMBER:
        text_add(t, "number: ");
        add_numbers(s, t, p->set);
        return;
    case PREDICATE_TRUE: text_add(t, "true"); return;
    case PREDICATE_UNIQUE: text_add(t, "unique items"); return;
    case PREDICATE_COUNT_KEYS:
    case PREDICATE_COUNT_ITEMS: break;
    }
    text_add(t, "at least %llu of ", (unsigned long long)p->n);
    add_children(s, t, &(struct child_range){p->key_class, p->first, p->last},
                 p->kind == PREDICATE_COUNT_KEYS ? TYPE_OBJECT : TYPE_ARRAY);
}

static void add_types(struct text *t, unsigned set) {
    const char *separator = "type ";
    for (int i = 0; i < TYPE_COUNT; i++) {
        if (!(set & TYPE_BIT(i))) continue;
        text_add(t, "%s%s", separator, type_names[i]);
        separator = " or ";
    }
}

static void add_label(struct goal_drawing *d, struct text *t, goal_id g) {
    static const char *const constants[] = {"false", "true", "a circle of references"};
    struct goal_store *s = d->goals;
    const struct goal_node n = *node(s, g);
    if ((n.kind == GOAL_KIND_ONE || n.kind >= GOAL_KIND_LEAF) && !n.sign) text_add(t, "not ");
    switch ((enum goal_kind)n.kind) {
    case GOAL_KIND_CONSTANT: text_add(t, "%s", constants[g]); break;
    case GOAL_KIND_AND: text_add(t, "and"); break;
    case GOAL_KIND_OR: text_add(t, "or"); break;
    case GOAL_KIND_ONE: text_add(t, n.type ? "none more" : "exactly one"); break;
    case GOAL_KIND_TYPE: add_types(t, n.type); break;
    case GOAL_KIND_LEAF:
    case GOAL_KIND_PREDICATE:
        add_predicate(s, t, predicate_get(s, n.a));
        if (n.kind == GOAL_KIND_LEAF)
            text_add(t, n.vacuous ? "\n(or no %s)" : "\n(and a %s)", type_names[n.type]);
        break;
    case GOAL_KIND_REF: {
        const char *pointer = d->pointer(d->ctx, n.a);
        text_add(t, "schema %s", *pointer ? pointer : "at the root");
        if (n.b) text_add(t, "\nin scope %u", n.b);
        break;
    }
    case GOAL_KIND_VARIABLE: text_add(t, "the child meets"); break;
    case GOAL_KIND_UNEVALUATED:
        text_add(t, "unevaluated ");
        add_children(s, t, &unevaluated_get(s, n.a)->asked, (enum value_type)n.type);
        break;
    }
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* The node of a goal; UINT32_MAX: there are too many. */
static uint32_t node_of(struct goal_drawing *d, goal_id g) {
    uint32_t hash = fa_hash_mix(9, g);
    for (struct table_probe p = table_probe(&d->table, hash); table_next(&d->table, &p);)
        if (d->drawn.data[p.id] == g) return p.id;
    if (d->drawn.count >= MAX_DRAWN || !ARENA_VEC_GROW(&d->goals->scratch, &d->drawn) ||
        !table_add(&d->table, hash, d->drawn.count))
        return UINT32_MAX;
    d->drawn.data[d->drawn.count] = g;
    return d->drawn.count++;
}

static void draw_edge(struct goal_drawing *d, const char *from, goal_id to, const char *label) {
    uint32_t target = node_of(d, to);
    fprintf(d->out, "    %s -> ", from);
    if (target == UINT32_MAX)
        fputs("rest", d->out);
    else
        fprintf(d->out, "g%u", target);
    if (label) {
        fputs(" [label=", d->out);
        dot_quote(d->out, label);
        fputc(']', d->out);
    }
    fputs(";\n", d->out);
}

static void draw_cells(struct goal_drawing *d, const char *from, const struct goal_node *n) {
    const struct unevaluated u = *unevaluated_get(d->goals, n->a);
    draw_edge(d, from, u.goal, "meet");
    for (uint32_t i = 0; i < u.n; i++) {
        char label[LABEL_SIZE];
        struct text t;
        text_init(&t, label, sizeof label);
        text_add(&t, "but ");
        add_children(d->goals, &t, &u.cells[i].children, (enum value_type)n->type);
        if (u.cells[i].goal != GOAL_TRUE) {
            char of[LABEL_SIZE];
            snprintf(of, sizeof of, "%.100s, if they meet", label);
            draw_edge(d, from, u.cells[i].goal, of);
        }
        text_add(&t, ", if");
        draw_edge(d, from, n->kids[i], label);
    }
}

static void draw_node(struct goal_drawing *d, uint32_t i) {
    goal_id g = d->drawn.data[i];
    const struct goal_node n = *node(d->goals, g);
    char label[LABEL_SIZE], name[16];
    struct text t;
    text_init(&t, label, sizeof label);
    add_label(d, &t, g);
    snprintf(name, sizeof name, "g%u", i);
    fprintf(d->out, "    %s [label=", name);
    dot_quote(d->out, label);
    bool joins = n.kind == GOAL_KIND_AND || n.kind == GOAL_KIND_OR || n.kind == GOAL_KIND_ONE;
    fputs(joins ? ", shape=ellipse];\n" : "];\n", d->out);
    if (joins)
        for (uint32_t k = 0; k < n.n_kids; k++) draw_edge(d, name, n.kids[k], NULL);
    if (n.kind == GOAL_KIND_VARIABLE) draw_edge(d, name, n.a, NULL);
    if (n.kind == GOAL_KIND_UNEVALUATED) draw_cells(d, name, &n);
    if (n.kind != GOAL_KIND_LEAF && n.kind != GOAL_KIND_PREDICATE) return;
    const struct predicate p = *predicate_get(d->goals, n.a);
    bool counts = p.kind == PREDICATE_COUNT_KEYS || p.kind == PREDICATE_COUNT_ITEMS;
    if (counts && p.goal != GOAL_TRUE) draw_edge(d, name, p.goal, "meets");
}

bool goal_dot_begin(struct goal_drawing *d) {
    fputs("digraph goal {\n    node [shape=box];\n", d->out);
    return table_init(&d->table, &d->goals->scratch, 64);
}

void goal_dot_root(struct goal_drawing *d, const char *name, goal_id g, bool by_type) {
    char root[16];
    snprintf(root, sizeof root, "r%u", d->n_roots++);
    fprintf(d->out, "    %s [shape=plaintext, label=", root);
    dot_quote(d->out, name);
    fputs("];\n", d->out);
    draw_edge(d, root, g, NULL);
    for (int t = 0; by_type && t < TYPE_COUNT; t++) {
        goal_id f = goal_specialise(d->goals, g, (enum value_type)t);
        char label[40];
        snprintf(label, sizeof label, "for type %s", type_names[t]);
        if (f != GOAL_FALSE) draw_edge(d, root, f, label);
    }
}

void goal_dot_end(struct goal_drawing *d, const char *title) {
    for (uint32_t i = 0; i < d->drawn.count; i++) draw_node(d, i);
    if (d->drawn.count >= MAX_DRAWN) fputs("    rest [shape=plaintext, label=\"...\"];\n", d->out);
    fputs("    label=", d->out);
    dot_quote(d->out, title);
    fputs(";\n}\n", d->out);
}
