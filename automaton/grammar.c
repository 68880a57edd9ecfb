/* SPDX-License-Identifier: MIT */
#include "automaton/grammar.h"

struct forma_grammar {
    struct machine *machine;
    const struct forma_allocator *allocator;
    struct grammar_share share;
};

struct forma_grammar *grammar_new(struct machine *machine, struct forma_cache *cache,
                                  const struct forma_allocator *allocator) {
    struct forma_grammar *g = fa_alloc_zero(allocator, sizeof *g);
    if (!g) return NULL;
    g->machine = machine;
    g->allocator = allocator;
    g->share.cache = cache;
    return g;
}

struct machine *grammar_machine(struct forma_grammar *g) {
    return g->machine;
}

struct grammar_share *grammar_share(struct forma_grammar *g) {
    return &g->share;
}

size_t forma_grammar_memory(const struct forma_grammar *g) {
    pthread_mutex_lock(&g->machine->lock);
    size_t bytes = g->machine->ops->memory(g->machine);
    pthread_mutex_unlock(&g->machine->lock);
    return bytes;
}

void forma_grammar_free(struct forma_grammar *g) {
    if (!g) return;
    g->machine->ops->destroy(g->machine);
    fa_free(g->allocator, g, sizeof *g);
}
