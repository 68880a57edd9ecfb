/* SPDX-License-Identifier: MIT
 *
 * Keys of open objects. Which names may come is one language, made when the first key is looked
 * for: the declared names whose member leaves the object satisfiable, and the cells of undeclared
 * names for which the same holds. A key is read as a string of that language, while its decoded
 * text is kept as a node of a tree: no name may come twice, so the exact text matters.
 *
 * (The texts are kept in json_key_text.c.)
 *
 * Names read before are not cut out of the language (it would grow with the object): as long as
 * the residual language is infinite some other name is always left; only finite ones are compared,
 * and all of them inside an escape, whose digits allow a part of the language only.
 *
 * Key order "schema": passing a name makes every name before it unavailable, an undeclared name
 * makes all declared ones unavailable. Their single-name predicates close at once; where members of
 * a class of names are still needed (minProperties, say), they count as names read before.
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/conjunction.h"
#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"
#include "automaton/member_rules.h"

/* ---- orders ---------------------------------------------------------------------------------- */

struct indexed_name {
    uint32_t name, index;
};

static int by_name(const void *a, const void *b) {
    const struct indexed_name *x = a, *y = b;
    return (x->name > y->name) - (x->name < y->name);
}

uint32_t key_order_for(struct json_machine *m, const goal_id *goals, uint32_t n) {
    const uint32_t *names;
    uint32_t count = m->form.key_order(m->form.ctx, goals, n, &names);
    if (!count) return 0;
    uint32_t hash = fa_hash(names, count * sizeof *names);
    for (struct table_probe p = table_probe(&m->order_table, hash);
         table_next(&m->order_table, &p);) {
        const struct key_order *o = &m->orders.data[p.id];
        if (o->n == count && memcmp(o->names, names, count * sizeof *names) == 0) return p.id;
    }
    size_t mark = goal_scratch_mark(m->goals);
    struct indexed_name *sorted = arena_push_array(&m->goals->scratch, count, sizeof *sorted);
    uint32_t *index = arena_push_array(&m->arena, count, sizeof *index);
    const uint32_t *copy = arena_push_copy(&m->arena, names, count * sizeof *names);
    if (!sorted || !index || !copy || !ARENA_VEC_GROW(&m->arena, &m->orders)) return 0;
    for (uint32_t i = 0; i < count; i++) sorted[i] = (struct indexed_name){names[i], i};
    qsort(sorted, count, sizeof *sorted, by_name);
    for (uint32_t i = 0; i < count; i++) index[i] = sorted[i].index;
    goal_scratch_pop(m->goals, mark);
    if (!table_add(&m->order_table, hash, m->orders.count)) return 0;
    m->orders.data[m->orders.count] = (struct key_order){copy, count, index};
    return m->orders.count++;
}

uint32_t key_index(const struct json_machine *m, uint32_t order, uint32_t name) {
    const struct key_order *o = &m->orders.data[order];
    uint32_t low = 0, high = o->n;
    while (low < high) {
        uint32_t mid = (low + high) / 2, index = o->by_name[mid], at = o->names[index];
        if (at == name) return index;
        if (at < name)
            low = mid + 1;
        else
            high = mid;
    }
    return UINT32_MAX;
}

/* ---- members --------------------------------------------------------------------------------- */

struct gone {
    const struct json_machine *m;
    uint32_t order, first, last; /* indices first..last-1 are passed over */
};

static bool is_gone(void *ctx, uint32_t name) {
    const struct gone *g = ctx;
    uint32_t i = key_index(g->m, g->order, name);
    return i != UINT32_MAX && i >= g->first && i < g->last;
}

static uint32_t make_child(struct json_machine *m, uint32_t o, uint32_t name, bool guessed) {
    const struct context *c = context(m, o);
    struct context key = {.parent = c->parent,
                          .depth = c->depth,
                          .n_roots = c->n_roots,
                          .order = c->order,
                          .rank = c->rank,
                          .seen = c->seen,
                          .recorded =
                              guessed && c->recorded != RECORD_NONE ? RECORD_SOME : c->recorded,
                          .is_guessed = c->is_guessed,
                          .has_guessed_name = guessed || c->has_guessed_name,
                          .names = c->names,
                          .member = c->recorded == RECORD_NONE ? 0 : name,
                          .shown = c->shown};
    if (name_set_has(solver_name_sets(m->solver), c->seen, name)) return 0;
    uint32_t index = key_index(m, c->order, name), n_order = m->orders.data[c->order].n;
    struct gone gone = {m, c->order, c->rank, index == UINT32_MAX ? n_order : index};
    if (index == UINT32_MAX) {
        key.seen = name_set_add(solver_name_sets(m->solver), c->seen, name);
        key.rank = n_order;
    } else if (index < c->rank) {
        return 0;
    } else {
        key.rank = index + 1;
    }
    size_t mark = goal_scratch_mark(m->goals);
    goal_id *roots = goal_scratch(m->goals, c->n_roots);
    if (!roots) return 0;
    for (uint32_t i = 0; i < c->n_roots; i++) {
        goal_id f = c->roots[i];
        if (gone.first < gone.last) f = formula_close_names(m->goals, f, is_gone, &gone);
        roots[i] = formula_step_key(m->goals, f, name, FORMULA_SERVE_NONE);
    }
    if (solver_counts_names(m->solver, roots[0]))
        for (uint32_t i = c->rank; i < key.rank; i++)
            key.seen = name_set_add(solver_name_sets(m->solver), key.seen,
                                    m->orders.data[c->order].names[i]);
    key.roots = roots;
    uint32_t value = context_child(m, &key, TYPE_OBJECT);
    goal_scratch_pop(m->goals, mark);
    return value;
}

/* Remembered as `id`, which is the name or stands for its class. */
static uint32_t child(struct json_machine *m, uint32_t o, uint32_t id, uint32_t name) {
    uint32_t hash = fa_hash_mix(o, id);
    for (struct table_probe p = table_probe(&m->key_child_table, hash);
         table_next(&m->key_child_table, &p);) {
        const struct key_child *k = &m->key_children.data[p.id];
        if (k->object == o && k->name == id) return k->value;
    }
    unsigned was_narrowed = m->base.narrowed;
    m->base.narrowed = 0;
    uint32_t value = make_child(m, o, name, id != name);
    bool remember = !m->base.narrowed && !m->arena.failed;
    m->base.narrowed |= was_narrowed;
    if (remember && ARENA_VEC_GROW(&m->arena, &m->key_children) &&
        table_add(&m->key_child_table, hash, m->key_children.count))
        m->key_children.data[m->key_children.count++] = (struct key_child){o, id, value};
    return value;
}

uint32_t key_child(struct json_machine *m, uint32_t o, uint32_t name) {
    return child(m, o, name, name);
}

bool key_class_child_find(struct json_machine *m, uint32_t o, uint32_t verdicts, uint32_t *value) {
    uint32_t id = verdicts | KEY_CHILD_CLASS, hash = fa_hash_mix(o, id);
    for (struct table_probe p = table_probe(&m->key_child_table, hash);
         table_next(&m->key_child_table, &p);) {
        const struct key_child *k = &m->key_children.data[p.id];
        if (k->object != o || k->name != id) continue;
        *value = k->value;
        return true;
    }
    return false;
}

uint32_t key_child_of_class(struct json_machine *m, uint32_t o, uint32_t verdicts, uint32_t name) {
    return child(m, o, verdicts | KEY_CHILD_CLASS, name);
}

/* ---- which members may come --------------------------------------------------------------- */

/* Looking for the names that may come next in OBJECT o, as far as the formula `f` goes. Where it
 * has a plain part, only the rest is stepped: `rest` is what it is once the names passed over so
 * far are closed (without a plain part: all of it). */
struct key_search {
    struct json_machine *m;
    uint32_t o;
    goal_id f;
    const struct conjunction *plain; /* or NULL */
    goal_id rest;
    bool counts_names; /* the rest does: `taken` are the names that it cannot have any more */
    name_set taken;
    const struct member_rules *rules; /* of the rest, or NULL */
    bool blocked;    /* what has been passed over must come: nothing behind it may come first */
    bool undeclared; /* names that the order does not hold may come */
    bool finite;     /* some of these sets of names are finite, or hang on what was read before */
};

/* Can a member `name` come next, after what was passed over, if only the rest is asked? */
static bool rest_member_is_possible(const struct key_search *k, uint32_t name) {
    struct json_machine *m = k->m;
    const struct context *c = context(m, k->o);
    goal_id harmless = k->rules ? member_rules_harmless(m->solver, k->rules, name) : GOAL_FALSE;
    unsigned was_narrowed = m->base.narrowed;
    bool cut;
    if (harmless != GOAL_FALSE && context_fits(m, harmless, c->depth)) return true;
    m->base.narrowed = was_narrowed; /* the long way may know */
    name_set taken = k->taken;
    if (k->counts_names) taken = name_set_add(solver_name_sets(m->solver), taken, name);
    goal_id stepped = formula_step_key(m->goals, k->rest, name, FORMULA_SERVE_NONE);
    goal_id demand = solver_demand_within(m->solver, stepped, TYPE_OBJECT, taken,
                                          context_room(m, c->depth - 1), &cut);
    if (cut) m->base.narrowed |= FORMA_LIMIT_NESTING;
    if (solver_was_limited(m->solver)) m->base.narrowed |= FORMA_LIMIT_WORK;
    return demand != GOAL_FALSE && context_fits(m, demand, c->depth);
}

static bool rest_touches(const struct key_search *k, uint32_t name) {
    return !k->plain || conjunction_rest_touches(k->m->solver, k->plain, name);
}

/* Is there room for a member that is not needed? */
static bool has_room(const struct key_search *k) {
    size_t n_needs;
    if (!k->plain) return true;
    conjunction_needs(k->plain, &n_needs);
    return n_needs < conjunction_max_members(k->plain);
}

static bool member_is_possible(const struct key_search *k, uint32_t name) {
    struct json_machine *m = k->m;
    const struct context *c = context(m, k->o);
    if (name_set_has(solver_name_sets(m->solver), c->seen, name)) return false;
    if (rest_touches(k, name)) return rest_member_is_possible(k, name);
    if (!has_room(k) && !conjunction_is_need(k->plain, name)) return false;
    return context_fits(m, conjunction_member(m->solver, k->plain, name), c->depth);
}

static bool is_name(void *ctx, uint32_t name) {
    return *(const uint32_t *)ctx == name;
}

/* From here on `name` can no longer come. */
static void pass_over(struct key_search *k, uint32_t name) {
    if (!rest_touches(k, name)) {
        k->blocked |= conjunction_is_need(k->plain, name);
        return;
    }
    goal_id closed = formula_close_names(k->m->goals, k->rest, is_name, &name);
    if (closed == k->rest && !k->counts_names) return;
    k->rest = closed;
    if (k->counts_names) k->taken = name_set_add(solver_name_sets(k->m->solver), k->taken, name);
    enum sat_answer a = solver_object(k->m->solver, k->rest, k->taken, NULL);
    if (a == SAT_LIMIT) k->m->base.narrowed |= FORMA_LIMIT_WORK;
    k->blocked |= a != SAT_YES;
}

/* ---- the language of keys -------------------------------------------------------------------- */

struct name_texts {
    const unsigned char **texts;
    size_t *lengths;
    size_t n;
};

static void try_name(const struct key_search *k, struct name_texts *l, uint32_t name) {
    if (!member_is_possible(k, name)) return;
    l->texts[l->n] = (const unsigned char *)goal_name_text(k->m->goals, name, &l->lengths[l->n]);
    l->n++;
}

/* Names to try one by one: the order's from `rank` on (style "schema"), and single names of the
 * formula that the order does not hold (all of them in style "any"). */
static term_id single_keys(struct key_search *k) {
    struct json_machine *m = k->m;
    const struct context *c = context(m, k->o);
    const struct key_order order = m->orders.data[c->order];
    const uint32_t *singles;
    size_t n_singles = solver_single_names(m->solver, &k->f, 1, &singles);
    size_t mark = goal_scratch_mark(m->goals), capacity = n_singles + order.n;
    struct name_texts l = {0};
    l.texts = arena_push_array(&m->goals->scratch, capacity, sizeof *l.texts);
    l.lengths = arena_push_array(&m->goals->scratch, capacity, sizeof *l.lengths);
    if (!l.texts || !l.lengths) {
        m->arena.failed = true;
        return TERM_NONE;
    }
    for (uint32_t i = c->rank; i < order.n && !k->blocked; i++) {
        try_name(k, &l, order.names[i]);
        pass_over(k, order.names[i]);
    }
    for (size_t i = 0; i < n_singles && !k->blocked; i++)
        if (key_index(m, c->order, singles[i]) == UINT32_MAX) try_name(k, &l, singles[i]);
    term_id t = regex_literal_set(m->regex, l.texts, l.lengths, l.n);
    goal_scratch_pop(m->goals, mark);
    return t;
}

static bool is_finite(struct json_machine *m, term_id t) {
    uint64_t work = 0;
    return regex_is_infinite(m->regex, t, &work, m->max_work) != REGEX_YES;
}

/* May a member of any name come that the formula and the order do not hold, because some value
 * suits whatever classes of names it is in? Then they need not be told apart. */
static bool any_name_is_possible(const struct key_search *k) {
    struct json_machine *m = k->m;
    goal_id suits = k->plain ? conjunction_any_member(m->solver, k->plain) : GOAL_TRUE;
    if (k->rest != GOAL_TRUE)
        suits = k->rules ? goal_and2(m->goals, suits,
                                     member_rules_harmless_anywhere(m->solver, k->rules))
                         : GOAL_FALSE;
    unsigned was_narrowed = m->base.narrowed;
    bool possible = suits != GOAL_FALSE && context_fits(m, suits, context(m, k->o)->depth);
    m->base.narrowed = was_narrowed; /* the cells may tell */
    return possible;
}

static term_id undeclared_keys(struct key_search *k) {
    struct json_machine *m = k->m;
    if (!has_room(k)) return TERM_NONE;
    if (!solver_is_general(m->solver) && any_name_is_possible(k)) {
        const struct key_order *order = &m->orders.data[context(m, k->o)->order];
        term_id t = solver_other_names(m->solver, k->f, order->names, order->n);
        k->finite |= is_finite(m, t);
        k->undeclared |= t != TERM_NONE;
        return t;
    }
    const struct context *c = context(m, k->o);
    const struct key_order *order = &m->orders.data[c->order];
    const struct key_cell *cells;
    bool hangs;
    size_t n =
        solver_key_cells(m->solver, &k->f, 1, order->names, order->n, c->seen, &cells, &hangs);
    k->finite |= hangs;
    if (solver_was_limited(m->solver)) m->base.narrowed |= FORMA_LIMIT_WORK;
    size_t mark = goal_scratch_mark(m->goals), count = 0;
    term_id *terms = goal_scratch(m->goals, n);
    if (!terms) return TERM_NONE;
    for (size_t i = 0; i < n; i++) {
        k->finite |= is_finite(m, cells[i].term);
        if (cells[i].name && member_is_possible(k, cells[i].name)) terms[count++] = cells[i].term;
    }
    term_id t = regex_or(m->regex, terms, count);
    k->undeclared |= t != TERM_NONE;
    goal_scratch_pop(m->goals, mark);
    return t;
}

static uint32_t language_hash(const struct key_language *l) {
    return fa_hash_mix(fa_hash_mix(l->formula, l->seen), fa_hash_mix(l->order, l->rank));
}

static const struct key_language *find_language(const struct json_machine *m,
                                                const struct key_language *key) {
    for (struct table_probe p = table_probe(&m->key_language_table, language_hash(key));
         table_next(&m->key_language_table, &p);) {
        const struct key_language *l = &m->key_languages.data[p.id];
        if (l->formula == key->formula && l->seen == key->seen && l->order == key->order &&
            l->rank == key->rank && l->depth == key->depth)
            return l;
    }
    return NULL;
}

/* The names that may come next in OBJECT o if f is its formula. A disjunction lets come what one of
 * its parts does; the parts are remembered one by one, so a union of many objects is not gone
 * through again when a key has changed a few of them. */
static term_id key_language(struct json_machine *m, uint32_t o, goal_id f, bool *undeclared) {
    const struct context *c = context(m, o);
    if (f == GOAL_FALSE || f == GOAL_CYCLE) return TERM_NONE;
    struct key_language key = {.formula = f, .order = c->order, .rank = c->rank, .depth = c->depth};
    key.seen = solver_relevant_names(m->solver, f, c->seen);
    const struct key_language *known = find_language(m, &key);
    if (!known && key.seen != c->seen) {
        struct key_language exact = key;
        exact.seen = c->seen;
        known = find_language(m, &exact);
    }
    if (known) {
        *undeclared |= known->undeclared;
        return known->term;
    }
    unsigned was_narrowed = m->base.narrowed;
    m->base.narrowed = 0;
    struct goal_node n = *node(m->goals, f);
    if (n.kind == GOAL_KIND_OR) {
        size_t mark = goal_scratch_mark(m->goals);
        term_id *terms = goal_scratch(m->goals, n.n_kids);
        if (!terms) return TERM_NONE;
        /* What is asked below takes it that the part has a value at all. */
        for (uint32_t i = 0; i < n.n_kids; i++) {
            witness_id w;
            enum sat_answer a = solver_object(m->solver, n.kids[i], c->seen, &w);
            bool fits = context_found_fits(m, a, w, c->depth - 1);
            terms[i] = fits ? key_language(m, o, n.kids[i], &key.undeclared) : TERM_NONE;
        }
        key.term = regex_or(m->regex, terms, n.n_kids);
        key.seen = c->seen; /* some part may hang on it */
        goal_scratch_pop(m->goals, mark);
    } else {
        struct key_search k = {.m = m, .o = o, .f = f, .rest = f, .taken = c->seen};
        if (!solver_is_general(m->solver)) k.plain = conjunction_find(m->solver, f);
        if (k.plain) k.rest = conjunction_rest(k.plain);
        k.counts_names = solver_counts_names(m->solver, k.rest);
        size_t mark = goal_scratch_mark(m->goals);
        if (!solver_is_general(m->solver)) k.rules = member_rules_make(m->solver, k.rest);
        term_id singles = single_keys(&k);
        term_id others = k.blocked ? TERM_NONE : undeclared_keys(&k);
        key.term = regex_or(m->regex, (const term_id[]){singles, others}, 2);
        key.undeclared = k.undeclared;
        if (k.finite) key.seen = c->seen;
        goal_scratch_pop(m->goals, mark);
    }
    if (!m->base.narrowed && !m->arena.failed && ARENA_VEC_GROW(&m->arena, &m->key_languages) &&
        table_add(&m->key_language_table, language_hash(&key), m->key_languages.count))
        m->key_languages.data[m->key_languages.count++] = key;
    m->base.narrowed |= was_narrowed;
    *undeclared |= key.undeclared;
    return key.term;
}

static string_state first_key_state(struct json_machine *m, uint32_t o) {
    struct context *c = context(m, o);
    if (c->keys != NOT_KNOWN) return c->keys;
    unsigned was_narrowed = m->base.narrowed;
    bool limited = false, undeclared = false;
    m->base.narrowed = 0;
    solver_share_work(m->solver, true);
    term_id language = key_language(m, o, c->roots[0], &undeclared);
    solver_share_work(m->solver, false);
    c->names_are_declared = !undeclared;
    string_state s = language == TERM_NONE || m->arena.failed
                         ? STRING_DEAD
                         : string_begin(m->strings, &language, 1, &limited);
    if (limited) m->base.narrowed |= FORMA_LIMIT_WORK;
    if (!m->base.narrowed && !m->arena.failed) c->keys = s;
    m->base.narrowed |= was_narrowed;
    return s;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The key state's place in the language without the names that were read before; dead when nothing
 * is left. The same place when they make no difference. */
static string_state place_among_unseen(struct json_machine *m, uint32_t o, struct key_state k) {
    name_set seen = context(m, o)->seen;
    if (seen == NAME_SET_EMPTY || context(m, o)->names_are_declared) return k.string;
    uint64_t length;
    partial_id partial;
    bool limited = false;
    term_id residual = string_residual(m->strings, k.string, &length, &partial);
    /* Digits of an escape leave few characters, and with them few names of an infinite language. */
    term_id rest = string_is_escaping(m->strings, k.string)
                       ? key_unseen(m, residual, seen, k.prefix)
                       : key_without_seen(m, residual, seen, k.prefix);
    if (rest == residual) return k.string;
    string_state s = string_retarget(m->strings, k.string, rest, &limited);
    if (limited) m->base.narrowed |= FORMA_LIMIT_WORK;
    return s;
}

static struct state enter(struct json_machine *m, uint32_t o, struct key_state k) {
    if (place_among_unseen(m, o, k) == STRING_DEAD) return (struct state){0, 0};
    return key_state_in(m, o, k);
}

struct state key_begin(struct json_machine *m, uint32_t o) {
    string_state s = first_key_state(m, o);
    return s == STRING_DEAD ? (struct state){0, 0} : enter(m, o, (struct key_state){.string = s});
}

term_id key_names(struct json_machine *m, uint32_t o) {
    uint64_t length;
    partial_id partial;
    string_state s = first_key_state(m, o);
    return s == STRING_DEAD ? TERM_NONE : string_residual(m->strings, s, &length, &partial);
}

string_state key_place(struct json_machine *m, struct state s) {
    return place_among_unseen(m, s.context, key_state_get(m, s.region));
}

bool key_is_possible(struct json_machine *m, uint32_t o) {
    string_state s = first_key_state(m, o);
    return s != STRING_DEAD &&
           place_among_unseen(m, o, (struct key_state){.string = s}) != STRING_DEAD;
}

/* The VALUE of the member whose whole key is `prefix`. */
static uint32_t child_of(struct json_machine *m, uint32_t o, uint32_t prefix) {
    size_t mark = goal_scratch_mark(m->goals), length;
    char *text = prefix_text(m, prefix, &length);
    uint32_t name = text ? goal_name(m->goals, text, length) : 0;
    goal_scratch_pop(m->goals, mark);
    return name ? key_child(m, o, name) : 0;
}

static bool is_seen(struct json_machine *m, uint32_t o, uint32_t prefix) {
    size_t mark = goal_scratch_mark(m->goals), length;
    char *text = prefix_text(m, prefix, &length);
    uint32_t name = text ? goal_name_find(m->goals, text, length) : 0;
    goal_scratch_pop(m->goals, mark);
    return name && name_set_has(solver_name_sets(m->solver), context(m, o)->seen, name);
}

/* The key is closed. While speculating the member is not made yet: every token with a quote in it
 * ends some key, and few of them are taken. */
static struct state close_key(struct json_machine *m, uint32_t o, struct key_state k) {
    if (m->base.speculating) {
        if (is_seen(m, o, k.prefix)) return (struct state){0, 0};
        k.phase = KEY_CLOSED;
        k.count = 0;
        return key_state_in(m, o, k);
    }
    uint32_t value = child_of(m, o, k.prefix);
    return (struct state){value, value ? region_blank(PLACE_COLON, 0) : 0};
}

struct state key_settle(struct json_machine *m, struct state s) {
    struct key_state k = key_state_get(m, s.region);
    if (k.phase == KEY_TEXT) return s;
    uint32_t value = child_of(m, s.context, k.prefix);
    enum place p = k.phase == KEY_CLOSED ? PLACE_COLON : PLACE_AFTER_COLON;
    return (struct state){value, value ? region_blank(p, k.count) : 0};
}

/* Behind the closing quote, while speculating. */
static struct state step_closed(struct json_machine *m, struct state s, struct key_state k,
                                unsigned char byte) {
    enum place p = k.phase == KEY_CLOSED ? PLACE_COLON : PLACE_AFTER_COLON;
    uint32_t depth = context(m, s.context)->depth;
    uint32_t count = blank_step(&m->style, p, depth, k.count, byte);
    if (count != BLANK_NONE) {
        k.count = (uint8_t)count; /* at most one blank is counted here */
        return key_state_in(m, s.context, k);
    }
    if (k.phase == KEY_CLOSED) {
        if (byte != ':' || !(blank_follow(&m->style, p, depth, k.count) & FOLLOW_OPEN))
            return (struct state){0, 0};
        k.phase = KEY_COLON;
        k.count = 0;
        return key_state_in(m, s.context, k);
    }
    s = key_settle(m, s);
    return state_is_dead(s) ? s : json_step_blank(m, s, byte);
}

struct state key_step(struct json_machine *m, struct state s, unsigned char byte) {
    struct key_state k = key_state_get(m, s.region);
    if (k.phase != KEY_TEXT) return step_closed(m, s, k, byte);
    bool limited = false;
    string_state next = string_step(m->strings, k.string, byte, &limited);
    if (limited) m->base.narrowed |= FORMA_LIMIT_WORK;
    if (next == STRING_DEAD) return (struct state){0, 0};
    if (next == STRING_CLOSED) return close_key(m, s.context, k);
    unsigned char decoded[4];
    size_t n = string_decoded(m->strings, k.string, byte, next, decoded);
    k.string = next;
    for (size_t i = 0; i < n; i++) k.prefix = prefix_extend(m, k.prefix, decoded[i]);
    return enter(m, s.context, k);
}

unsigned char key_witness_byte(struct json_machine *m, struct state s) {
    struct key_state k = key_state_get(m, s.region);
    uint64_t length;
    partial_id partial;
    name_set seen = context(m, s.context)->seen;
    bool limited = false;
    if (seen == NAME_SET_EMPTY) return string_witness_byte(m->strings, k.string);
    /* Here an infinite language is cut too: its shortest string may have been read. */
    term_id residual = string_residual(m->strings, k.string, &length, &partial);
    term_id rest = key_unseen(m, residual, seen, k.prefix);
    string_state among = string_retarget(m->strings, k.string, rest, &limited);
    return string_witness_byte(m->strings, among == STRING_DEAD ? k.string : among);
}
