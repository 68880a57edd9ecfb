/* SPDX-License-Identifier: MIT
 *
 * States. A state is an interned key (number_key.c) that is known to be live: when one is made, a
 * value in reach is searched once (numset_decide.c), spelled, and its bytes are walked, so that
 * every state on the way gets its witness byte too. Each of them points to a state that was
 * live before it, or to the next one on the way to an end: following witnesses ends.
 *
 * Where some digit cannot be written, reach is no union of intervals; then the keys themselves are
 * searched breadth first.
 */
#include "automaton/number_internal.h"

#include <string.h>

#define SEARCH_STATES_MAX 20000

static int class_of(unsigned char byte) {
    switch (byte) {
    case '-': return CLASS_MINUS;
    case '+': return CLASS_PLUS;
    case '.': return CLASS_POINT;
    case 'e':
    case 'E': return CLASS_E;
    default: return byte >= '0' && byte <= '9' ? byte - '0' : CLASS_NONE;
    }
}

/* ---- interning ------------------------------------------------------------------------------ */

static uint32_t hash_key(const struct number_key *k) {
    uint32_t h = fa_hash_mix((uint32_t)k->phase, k->end);
    h = fa_hash_mix(h, k->rest);
    h = fa_hash_mix(h, decimal_hash(&k->p));
    return fa_hash_mix(h, (uint32_t)(uint64_t)k->f);
}

/* The record of a key, its status perhaps not known yet; 0 when the arena is full. */
static number_state intern(struct number_store *s, const struct number_key *k) {
    uint32_t hash = hash_key(k);
    for (struct table_probe p = table_probe(&s->state_table, hash);
         table_next(&s->state_table, &p);) {
        const struct number_key *o = &s->states.data[p.id].key;
        if (o->phase == k->phase && o->end == k->end && o->rest == k->rest && o->f == k->f &&
            decimal_compare(&o->p, &k->p) == 0)
            return p.id;
    }
    struct number_record r = {.key = *k, .witness = CLASS_NONE};
    r.status = k->end ? STATUS_LIVE : STATUS_UNKNOWN;
    memset(r.row, 0xFF, sizeof r.row);
    if (!decimal_keep(s, &k->p, &r.key.p) || s->states.count >= ROW_LIMITED ||
        !ARENA_VEC_GROW(s->arena, &s->states) || !table_add(&s->state_table, hash, s->states.count))
        return NUMBER_DEAD;
    s->states.data[s->states.count] = r;
    return s->states.count++;
}

/* The record behind one more byte, not judged; 0 when dead by itself or on failure. */
static number_state successor(struct number_store *s, number_state state, int class) {
    struct number_key k = s->states.data[state].key, next;
    size_t mark = scratch_mark(s);
    number_state id = NUMBER_DEAD;
    if (number_derive(s, &k, class, &next) && !key_is_dead(&next)) id = intern(s, &next);
    scratch_release(s, mark);
    return id;
}

/* ---- judging -------------------------------------------------------------------------------- */

struct step {
    number_state from;
    int8_t class;
};

/* Walks a completion from `state` and makes every state on the way live. False if the text does
 * not end in an accepted one: a limit was met. */
static bool walk(struct number_store *s, number_state state, const struct text *t) {
    struct step *steps = arena_push_array(&s->scratch, t->length, sizeof *steps);
    size_t n = 0;
    if (!steps) return false;
    while (s->states.data[state].status != STATUS_LIVE) {
        if (n == t->length || s->arena->failed) return false;
        if (!number_work(s, 1 + s->states.data[state].key.p.n_digits / 16)) return false;
        int class = class_of((unsigned char)t->data[n]);
        steps[n] = (struct step){state, (int8_t) class};
        n++;
        state = class == CLASS_NONE ? NUMBER_DEAD : successor(s, state, class);
        if (!state) return false;
    }
    while (n-- > 0) {
        struct number_record *r = &s->states.data[steps[n].from];
        if (r->status == STATUS_LIVE) continue; /* a loop: its last visit leads out */
        r->status = STATUS_LIVE;
        r->witness = steps[n].class;
    }
    return true;
}

/* A value of the range that the demand allows, as the bytes that complete the text to it. */
static enum numset_answer find_spelled(struct number_store *s, const struct number_key *k,
                                       numset_id demand, struct reach r, enum spelling spelling,
                                       struct text *t) {
    static const struct decimal zero = {NULL, 0, false, 0};
    enum numset_answer a;
    struct decimal y;
    bool negative = false;
    if (s->limited) return NUMSET_LIMIT;
    if (k->phase != PHASE_START) {
        a = numset_find(s, demand, &r, &y);
    } else if (numset_contains(s, demand, &zero)) {
        y = zero;
        a = NUMSET_YES;
    } else {
        r.lo_out = true;
        a = numset_find(s, demand, &r, &y);
        if (a != NUMSET_YES && s->writable[CLASS_MINUS]) {
            enum numset_answer other = numset_find(s, numset_mirror(s, demand), &r, &y);
            negative = other == NUMSET_YES;
            if (other != NUMSET_NO) a = other;
        }
    }
    if (a == NUMSET_YES) number_spell(s, k, &y, negative, spelling, t);
    return a == NUMSET_YES && t->failed ? NUMSET_LIMIT : a;
}

static enum numset_answer find_text(struct number_store *s, const struct number_key *k,
                                    struct text *t) {
    if (k->phase >= PHASE_E) return exponent_witness(s, k, t) ? NUMSET_YES : NUMSET_NO;
    numset_id demand = s->tuples.data[k->rest].sets[0];
    struct reach r = number_reach(s, k);
    if (!numset_is_written(s, demand)) return find_spelled(s, k, demand, r, SPELL_FREELY, t);
    enum numset_answer whole =
        find_spelled(s, k, numset_part(s, demand, true), number_reach_whole(s, k), SPELL_WHOLE, t);
    if (whole == NUMSET_YES || s->limited) return whole;
    *t = (struct text){NULL, 0, 0, false};
    enum numset_answer other =
        find_spelled(s, k, numset_part(s, demand, false), r, SPELL_NOT_WHOLE, t);
    return other == NUMSET_NO ? whole : other;
}

struct visit {
    number_state state;
    uint32_t parent; /* index in the queue */
    int8_t class;
};

/* Breadth-first search for a state that may end, over bytes that can be written. */
static enum numset_answer search(struct number_store *s, number_state start) {
    ARENA_VEC(struct visit) queue = {0};
    uint64_t stamp = ++s->visit;
    if (!ARENA_VEC_GROW(&s->scratch, &queue)) return NUMSET_LIMIT;
    queue.data[queue.count++] = (struct visit){start, 0, CLASS_NONE};
    s->states.data[start].visit = stamp;
    for (uint32_t i = 0; i < queue.count; i++) {
        for (int class = 0; class < N_CLASSES; class ++) {
            number_state next = successor(s, queue.data[i].state, class);
            if (s->limited || s->arena->failed || !number_work(s, 1)) return NUMSET_LIMIT;
            if (!next || s->states.data[next].status == STATUS_DEAD ||
                s->states.data[next].visit == stamp)
                continue;
            s->states.data[next].visit = stamp;
            if (queue.count >= SEARCH_STATES_MAX || !ARENA_VEC_GROW(&s->scratch, &queue))
                return NUMSET_LIMIT;
            queue.data[queue.count++] = (struct visit){next, i, (int8_t) class};
            if (s->states.data[next].status != STATUS_LIVE) continue;
            for (uint32_t at = queue.count - 1; at > 0; at = queue.data[at].parent) {
                struct number_record *r = &s->states.data[queue.data[queue.data[at].parent].state];
                r->status = STATUS_LIVE;
                r->witness = queue.data[at].class;
            }
            return NUMSET_YES;
        }
    }
    for (uint32_t i = 0; i < queue.count; i++)
        s->states.data[queue.data[i].state].status = STATUS_DEAD;
    return NUMSET_NO;
}

/* Settles the status of a state; false when a limit was met. */
static bool judge(struct number_store *s, number_state state) {
    size_t mark = scratch_mark(s);
    enum numset_answer a = NUMSET_YES;
    if (s->states.data[state].status != STATUS_UNKNOWN) return true;
    if (!s->all_digits) {
        a = search(s, state);
    } else {
        struct text t = {NULL, 0, 0, false};
        struct number_key k = s->states.data[state].key;
        a = find_text(s, &k, &t);
        if (a == NUMSET_YES && !walk(s, state, &t)) a = NUMSET_LIMIT;
    }
    scratch_release(s, mark);
    if (a == NUMSET_NO && !s->arena->failed) s->states.data[state].status = STATUS_DEAD;
    return a != NUMSET_LIMIT;
}

/* ---- the interface -------------------------------------------------------------------------- */

/* The state before the first byte and what is known of it. */
static enum numset_answer begin(struct number_store *s, const numset_id *goals, size_t n_goals,
                                number_state *state) {
    *state = NUMBER_DEAD;
    if (s->arena->failed) return NUMSET_LIMIT;
    if (goals[0] == NUMSET_NONE) return NUMSET_NO;
    struct number_key k = {.phase = PHASE_START};
    k.rest = tuple_intern(s, goals, n_goals);
    number_state id = k.rest ? intern(s, &k) : NUMBER_DEAD;
    bool known = false;
    for (bool again = id != NUMBER_DEAD; again;) {
        number_reset_question(s);
        known = judge(s, id);
        again = !known && s->scratch_short && scratch_grow(s);
    }
    if (!known || s->arena->failed) return NUMSET_LIMIT;
    if (s->states.data[id].status == STATUS_DEAD) return NUMSET_NO;
    *state = id;
    return NUMSET_YES;
}

number_state number_begin(struct number_store *s, const numset_id *goals, size_t n_goals,
                          bool *limited) {
    number_state state;
    if (begin(s, goals, n_goals, &state) == NUMSET_LIMIT) *limited = true;
    return state;
}

enum numset_answer numset_has_value(struct number_store *s, numset_id a, uint64_t *work,
                                    uint64_t limit) {
    number_state state;
    uint64_t saved = number_begin_question(s, *work, limit);
    enum numset_answer answer = begin(s, &a, 1, &state);
    number_end_question(s, saved, work);
    return answer;
}

number_state number_step(struct number_store *s, number_state state, unsigned char byte,
                         bool *limited) {
    int class = class_of(byte);
    if (!state || class == CLASS_NONE || s->arena->failed) return NUMBER_DEAD;
    if ((byte == 'e' && !s->lower_e) || (byte == 'E' && !s->upper_e)) return NUMBER_DEAD;
    uint32_t known = s->states.data[state].row[class];
    if (known < ROW_LIMITED) return known;
    if (known == ROW_LIMITED) {
        *limited = true;
        return NUMBER_DEAD;
    }
    number_state next = NUMBER_DEAD;
    for (bool again = true; again;) {
        number_reset_question(s);
        next = successor(s, state, class);
        bool judged = !next || judge(s, next);
        if (!judged) s->limited = true;
        again = s->limited && s->scratch_short && scratch_grow(s);
    }
    if (s->arena->failed) return NUMBER_DEAD;
    if (s->limited) {
        s->states.data[state].row[class] = ROW_LIMITED;
        *limited = true;
        return NUMBER_DEAD;
    }
    if (next && s->states.data[next].status == STATUS_DEAD) next = NUMBER_DEAD;
    s->states.data[state].row[class] = next;
    return next;
}

bool number_may_end(struct number_store *s, number_state state) {
    return s->states.data[state].key.end != 0;
}

bool number_verdict(struct number_store *s, number_state state, size_t goal) {
    const struct tuple *t = &s->tuples.data[s->states.data[state].key.end];
    return goal < t->n && t->sets[goal] == NUMSET_ALL;
}

int number_witness_byte(struct number_store *s, number_state state) {
    int class = s->states.data[state].witness;
    return class == CLASS_NONE ? -1 : s->byte_of[class];
}
