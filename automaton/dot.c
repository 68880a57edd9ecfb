/* SPDX-License-Identifier: MIT */
#include "automaton/dot.h"

#include <string.h>

#include "automaton/next.h"
#include "base/hash.h"
#include "base/text.h"

void dot_quote(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '\n')
            fputs("\\n", out);
        else if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p);
        else if (*p < 0x20 || *p == 0x7F)
            fprintf(out, "U+%04X", *p);
        else
            fputc(*p, out);
    }
    fputc('"', out);
}

/* ---- automata ------------------------------------------------------------------------------ */

/* Nodes are numbered as they are met: 0 is where we stand. */
struct drawing {
    const struct dot_automaton *a;
    struct arena *arena;
    struct table table;
    ARENA_VEC(uint32_t) states;
    size_t max_states;
    bool has_rest, has_out;
    FILE *out;
};

#define NODE_REST UINT32_MAX
#define NODE_OUT  (UINT32_MAX - 1)
#define NODE_DEAD (UINT32_MAX - 2)

static uint32_t node_of(struct drawing *d, uint32_t state) {
    if (state == DOT_DEAD) return NODE_DEAD;
    if (state == DOT_OUT) return NODE_OUT;
    uint32_t hash = fa_hash_mix(5, state);
    for (struct table_probe p = table_probe(&d->table, hash); table_next(&d->table, &p);)
        if (d->states.data[p.id] == state) return p.id;
    if (d->states.count >= d->max_states) return NODE_REST;
    if (!ARENA_VEC_GROW(d->arena, &d->states) || !table_add(&d->table, hash, d->states.count))
        return NODE_REST;
    d->states.data[d->states.count] = state;
    return d->states.count++;
}

static void print_node_name(FILE *out, uint32_t node) {
    if (node == NODE_REST)
        fputs("rest", out);
    else if (node == NODE_OUT)
        fputs("out", out);
    else
        fprintf(out, "s%u", node);
}

/* The edges of a node, those to one target together, in the order of their first bytes. */
static void draw_edges(struct drawing *d, uint32_t node) {
    uint32_t to[256];
    for (unsigned b = 0; b < 256; b++)
        to[b] = node_of(d, d->a->step(d->a->ctx, d->states.data[node], (unsigned char)b));
    for (unsigned b = 0; b < 256; b++) {
        uint32_t bytes[8] = {0}, target = to[b];
        char label[120];
        struct text t;
        if (target == NODE_DEAD) continue;
        for (unsigned c = b; c < 256; c++) {
            if (to[c] != target) continue;
            BYTES_ADD(bytes, c);
            to[c] = NODE_DEAD;
        }
        d->has_rest |= target == NODE_REST;
        d->has_out |= target == NODE_OUT;
        text_init(&t, label, sizeof label);
        text_add_bytes(&t, bytes);
        fprintf(d->out, "    s%u -> ", node);
        print_node_name(d->out, target);
        fputs(" [label=", d->out);
        dot_quote(d->out, label);
        fputs("];\n", d->out);
    }
}

bool dot_draw_automaton(const struct dot_automaton *a, uint32_t from, size_t max_states,
                        struct arena *scratch, FILE *out) {
    struct drawing d = {.a = a, .arena = scratch, .max_states = max_states, .out = out};
    if (!table_init(&d.table, scratch, 64)) return false;
    fputs("digraph region {\n    rankdir=LR;\n    label=", out);
    dot_quote(out, a->title);
    fputs(";\n    node [shape=circle];\n    begin [shape=point];\n    begin -> s0;\n", out);
    if (node_of(&d, from) != 0) return false;
    for (uint32_t i = 0; i < d.states.count && !scratch->failed; i++) {
        fprintf(out, "    s%u [label=\"%u\"", i, i);
        if (a->accepts(a->ctx, d.states.data[i])) fputs(", shape=doublecircle", out);
        fputs(i == 0 ? ", style=filled];\n" : "];\n", out);
        draw_edges(&d, i);
    }
    if (d.has_out) {
        fputs("    out [shape=plaintext, label=", out);
        dot_quote(out, a->out);
        fputs("];\n", out);
    }
    if (d.has_rest) fputs("    rest [shape=plaintext, label=\"...\"];\n", out);
    fputs("}\n", out);
    return !scratch->failed;
}
