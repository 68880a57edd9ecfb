/* SPDX-License-Identifier: MIT
 *
 * Classes of names are as a rule complements of lists, of what `properties` declares, or of patterns
 * beside these. Reduced, a class is a list of names and a rest that holds the same of all others.
 */
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/regex_internal.h"
#include "automaton/solver_internal.h"

#define MAX_LISTED 65536 /* names of one class */
#define MAX_DEPTH  16    /* of and, or, not above a list */
#define MAX_TEXT   512   /* bytes of a name; longer ones are found by a search */

struct reducer {
    struct solver *s;
    uint32_t *names; /* on the scratch stack */
    uint32_t n, capacity;
    bool lists, full; /* are names listed; are there more of them than that */
};

static bool list_name(void *ctx, const unsigned char *bytes, size_t length) {
    struct reducer *r = ctx;
    uint32_t name = r->n < r->capacity ? goal_name(r->s->goals, (const char *)bytes, length) : 0;
    if (!name) return false;
    r->names[r->n++] = name;
    return true;
}

/* Lists are written as such: no need to search. `text` has room for MAX_TEXT bytes. False: longer than
 * that, or no list. */
static bool list_written(struct reducer *r, term_id t, unsigned char *text, size_t n) {
    const struct term *x = term_get(r->s->goals->regex, t);
    switch (x->kind) {
    case KIND_EMPTY: return list_name(r, text, n);
    case KIND_LITERAL:
        if (n + x->c > MAX_TEXT) return false;
        memcpy(text + n, x->bytes, x->c);
        return list_written(r, x->a, text, n + x->c);
    case KIND_TRIE:
        if (n == MAX_TEXT || (x->final && !list_name(r, text, n))) return false;
        for (uint32_t i = 0; i < x->c; i++) {
            text[n] = x->bytes[i];
            if (!list_written(r, x->kids[i], text, n + 1)) return false;
        }
        return true;
    default: return false;
    }
}

/* Adds the names of a list. */
static void list(struct reducer *r, term_id t) {
    unsigned char text[MAX_TEXT];
    uint32_t before = r->n;
    uint64_t work = 0;
    enum regex_answer more = REGEX_NO;
    if (list_written(r, t, text, 0)) return;
    r->n = before;
    regex_enumerate(r->s->goals->regex, t, list_name, r, &more, &work, UINT64_C(1) << 20);
    r->full |= more != REGEX_NO;
}

static term_id reduce(struct reducer *r, term_id t, unsigned depth);

static term_id reduce_kids(struct reducer *r, const struct term *x, unsigned depth) {
    struct regex_store *s = r->s->goals->regex;
    size_t mark = goal_scratch_mark(r->s->goals);
    term_id *kids = goal_scratch(r->s->goals, x->c), t;
    if (!kids) return TERM_NONE;
    for (uint32_t i = 0; i < x->c; i++) kids[i] = reduce(r, x->kids[i], depth);
    t = x->kind == KIND_OR ? regex_or(s, kids, x->c) : regex_and(s, kids, x->c);
    goal_scratch_pop(r->s->goals, mark);
    return t;
}

static term_id reduce(struct reducer *r, term_id t, unsigned depth) {
    struct regex_store *s = r->s->goals->regex;
    const struct term *x = term_get(s, t);
    if (x->has_length || depth == 0) return t;
    if (regex_is_list(s, t)) {
        if (r->lists) list(r, t);
        return TERM_NONE;
    }
    if (x->kind == KIND_NOT) return regex_not(s, reduce(r, x->a, depth - 1));
    if (x->kind == KIND_OR || x->kind == KIND_AND) return reduce_kids(r, x, depth - 1);
    return t;
}

static struct reduced_names *make(struct solver *s, term_id t, bool lists) {
    size_t mark = goal_scratch_mark(s->goals);
    const struct arena *scratch = &s->goals->scratch;
    size_t capacity = (scratch->size - scratch->used) / sizeof(uint32_t) / 2;
    if (capacity > MAX_LISTED) capacity = MAX_LISTED;
    struct reducer r = {.s = s, .capacity = lists ? (uint32_t)capacity : 0, .lists = lists};
    struct reduced_names *made = arena_push(s->arena, sizeof *made);
    r.names = goal_scratch(s->goals, r.capacity);
    if (made && r.names) {
        *made = (struct reduced_names){.term = t, .lists = lists};
        made->rest = reduce(&r, t, MAX_DEPTH);
        made->n = r.n;
        made->names = arena_push_copy(s->arena, r.names, r.n * sizeof *r.names);
        made->usable = !r.full && made->names;
    }
    goal_scratch_pop(s->goals, mark);
    return made;
}

const struct reduced_names *solver_reduce_names(struct solver *s, term_id t, bool lists) {
    uint32_t hash = fa_hash_mix(t, lists);
    const struct reduced_names *made;
    for (struct table_probe p = table_probe(&s->reduced_table, hash);
         table_next(&s->reduced_table, &p);) {
        made = s->reduced.data[p.id];
        if (made->term == t && made->lists == lists) return made->usable ? made : NULL;
    }
    made = make(s, t, lists);
    if (!made || s->arena->failed || !ARENA_VEC_GROW(s->arena, &s->reduced) ||
        !table_add(&s->reduced_table, hash, s->reduced.count))
        return NULL;
    s->reduced.data[s->reduced.count++] = made;
    return made->usable ? made : NULL;
}
