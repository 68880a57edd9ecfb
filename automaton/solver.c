/* SPDX-License-Identifier: MIT
 *
 * Questions, their memo, and cycles among them.
 *
 * A question that is asked again while it is open is answered "no" for now: a value cannot need
 * itself. What is concluded from that is provisional: it is marked with the lowest open depth it
 * relied on. When the question at that depth (the leader) ends with "no" too and no "yes" has
 * refuted anything in between, the whole group becomes final; if something was refuted, the
 * group is forgotten and the leader runs again. On "yes" the group is forgotten.
 */
#include "automaton/disjoint.h"
#include "automaton/solver_internal.h"

#define PLANNED_FROM 32

struct solver *solver_new(struct goal_store *goals, uint64_t max_work, unsigned types) {
    struct arena *arena = goal_store_arena(goals);
    struct solver *s = arena_push(arena, sizeof *s);
    if (!s) return NULL;
    s->goals = goals;
    s->arena = arena;
    s->max_work = max_work;
    s->types = types;
    s->planned_from = PLANNED_FROM;
    if (!name_set_store_init(&s->names, arena) || !table_init(&s->question_table, arena, 16) ||
        !table_init(&s->demand_table, arena, 16) || !table_init(&s->conjunction_table, arena, 16) ||
        !table_init(&s->loosened_table, arena, 16) || !table_init(&s->reduced_table, arena, 16) ||
        !table_init(&s->domain_table, arena, 16))
        return NULL;
    s->values = value_store_new(goals, &s->names);
    solver_add_witness(s, &(struct witness){0}); /* id 0: none */
    return arena->failed ? NULL : s;
}

struct name_set_store *solver_name_sets(struct solver *s) {
    return &s->names;
}

struct value_store *solver_values(struct solver *s) {
    return s->values;
}

const struct witness *solver_witness(const struct solver *s, witness_id w) {
    return &s->witnesses.data[w];
}

void solver_set_deadline(struct solver *s, bool (*expired)(void *ctx), void *ctx) {
    s->expired = expired;
    s->expired_ctx = ctx;
}

void solver_set_general(struct solver *s, bool only_general) {
    s->only_general = only_general;
}

void solver_set_planned_from(struct solver *s, uint64_t count) {
    s->planned_from = count;
}

bool solver_is_general(const struct solver *s) {
    return s->only_general;
}

bool solver_was_limited(const struct solver *s) {
    return s->limited;
}

void solver_share_work(struct solver *s, bool on) {
    s->shared = false;
    solver_begin(s);
    s->shared = on;
}

void solver_begin(struct solver *s) {
    if (s->depth || s->shared) return;
    s->work = 0;
    s->counted_visits = s->goals->visits;
    s->limited = false;
}

/* Rewriting a large formula is work too: so many nodes are one step. */
#define VISITS_PER_STEP 16

bool solver_step(struct solver *s) {
    if (s->limited || s->arena->failed) return false;
    uint64_t rewriting = (s->goals->visits - s->counted_visits) / VISITS_PER_STEP;
    s->counted_visits += rewriting * VISITS_PER_STEP;
    s->work += 1 + rewriting;
    if (s->work > solver_budget(s) || (s->expired && s->expired(s->expired_ctx))) {
        s->limited = true;
        return false;
    }
    return true;
}

witness_id solver_add_witness(struct solver *s, const struct witness *w) {
    if (!ARENA_VEC_GROW(s->arena, &s->witnesses)) return WITNESS_NONE;
    s->witnesses.data[s->witnesses.count] = *w;
    return s->witnesses.count++;
}

/* ---- scalars --------------------------------------------------------------------------------- */

bool solver_has_string(struct solver *s, term_id t) {
    enum regex_answer a =
        regex_alive(s->goals->regex, t, 0, PARTIAL_BOUNDARY, &s->work, solver_budget(s));
    if (a == REGEX_LIMIT) s->limited = true;
    return a == REGEX_YES;
}

bool solver_name_is_in(struct solver *s, term_id t, uint32_t name) {
    size_t length;
    const char *text = goal_name_text(s->goals, name, &length);
    return regex_matches(s->goals->regex, t, (const unsigned char *)text, length);
}

static witness_id decide_string(struct solver *s, goal_id f) {
    term_id term = goal_to_term(s->goals, f);
    if (!solver_has_string(s, term)) return WITNESS_NONE;
    return solver_add_witness(s, &(struct witness){.type = TYPE_STRING, .term = term});
}

static witness_id decide_number(struct solver *s, goal_id f) {
    numset_id set = goal_to_numset(s->goals, f);
    enum numset_answer a = numset_has_value(s->goals->numbers, set, &s->work, solver_budget(s));
    if (a == NUMSET_LIMIT) s->limited = true;
    if (a != NUMSET_YES) return WITNESS_NONE;
    return solver_add_witness(s, &(struct witness){.type = TYPE_NUMBER, .set = set});
}

static witness_id decide_boolean(struct solver *s, goal_id f) {
    for (int b = 0; b < 2; b++)
        if (goal_holds_boolean(s->goals, f, b))
            return solver_add_witness(s, &(struct witness){.type = TYPE_BOOLEAN, .boolean = b});
    return WITNESS_NONE;
}

static witness_id decide_null(struct solver *s, goal_id f) {
    if (!goal_holds_null(s->goals, f)) return WITNESS_NONE;
    return solver_add_witness(s, &(struct witness){.type = TYPE_NULL});
}

static witness_id decide_goal(struct solver *s, goal_id g) {
    for (int t = 0; t < TYPE_COUNT && !s->limited; t++) {
        if (!(s->types & TYPE_BIT(t))) continue;
        goal_id f = goal_specialise(s->goals, g, (enum value_type)t);
        if (f == GOAL_FALSE || f == GOAL_CYCLE) continue;
        witness_id w = WITNESS_NONE;
        switch ((enum value_type)t) {
        case TYPE_NULL: w = decide_null(s, f); break;
        case TYPE_BOOLEAN: w = decide_boolean(s, f); break;
        case TYPE_STRING: w = decide_string(s, f); break;
        case TYPE_NUMBER: w = decide_number(s, f); break;
        case TYPE_ARRAY:
            w = solver_decide(s, QUESTION_ARRAY, disjoint_loosen(s, f, TYPE_ARRAY), NAME_SET_EMPTY);
            break;
        case TYPE_OBJECT:
            w = solver_decide(s, QUESTION_OBJECT, disjoint_loosen(s, f, TYPE_OBJECT),
                              NAME_SET_EMPTY);
            break;
        case TYPE_COUNT: break;
        }
        if (w != WITNESS_NONE) return w;
    }
    return WITNESS_NONE;
}

/* ---- questions ------------------------------------------------------------------------------- */

static uint32_t find_question(struct solver *s, enum question_kind kind, goal_id f, name_set seen) {
    uint32_t hash = fa_hash_mix(fa_hash_mix(f, seen), kind);
    for (struct table_probe p = table_probe(&s->question_table, hash);
         table_next(&s->question_table, &p);) {
        const struct question *q = &s->questions.data[p.id];
        if (q->formula == f && q->seen == seen && q->kind == kind) return p.id;
    }
    if (!ARENA_VEC_GROW(s->arena, &s->questions) ||
        !table_add(&s->question_table, hash, s->questions.count))
        return UINT32_MAX;
    s->questions.data[s->questions.count] =
        (struct question){.formula = f, .seen = seen, .kind = (uint8_t)kind};
    return s->questions.count++;
}

/* What to do with the provisional answers made since `mark` that rely on `depth` or above. */
enum settle { SETTLE_FORGET, SETTLE_LOWER, SETTLE_FINAL };

static void settle_provisional(struct solver *s, uint32_t mark, uint32_t depth, enum settle how,
                               uint32_t low) {
    uint32_t kept = mark;
    for (uint32_t i = mark; i < s->provisional.count; i++) {
        struct question *q = &s->questions.data[s->provisional.data[i]];
        if (q->low >= depth) {
            if (how == SETTLE_LOWER) {
                q->low = low;
            } else {
                q->status = how == SETTLE_FINAL ? STATUS_FINAL : STATUS_UNKNOWN;
                q->used = false;
                continue;
            }
        }
        s->provisional.data[kept++] = s->provisional.data[i];
    }
    s->provisional.count = kept;
}

static bool push_provisional(struct solver *s, uint32_t id) {
    if (!ARENA_VEC_GROW(s->arena, &s->provisional)) return false;
    s->provisional.data[s->provisional.count++] = id;
    return true;
}

static witness_id decide_body(struct solver *s, const struct question *q) {
    switch ((enum question_kind)q->kind) {
    case QUESTION_GOAL: return decide_goal(s, q->formula);
    case QUESTION_OBJECT: return solver_decide_object(s, q->formula, q->seen);
    case QUESTION_ARRAY: return solver_decide_array(s, q->formula, q->seen);
    case QUESTION_DISTINCT: return solver_decide_distinct(s, q->formula, q->seen);
    case QUESTION_REPEAT: return solver_decide_repeat(s, q->formula, q->seen);
    }
    return WITNESS_NONE;
}

/* Runs the body until its answer is final or provisional. Returns the lowest depth that the
 * enclosing question now relies on through this one (LOW_NONE: none). */
static uint32_t run_question(struct solver *s, uint32_t id, uint32_t depth) {
    for (;;) {
        uint32_t mark = s->provisional.count;
        uint64_t dirty = s->dirty;
        s->low = LOW_NONE;
        struct question key = s->questions.data[id];
        witness_id w = solver_step(s) ? decide_body(s, &key) : WITNESS_NONE;
        struct question *q = &s->questions.data[id];
        uint32_t low = s->low;
        if (s->limited || s->arena->failed) {
            settle_provisional(s, mark, 0, SETTLE_FORGET, 0);
            q->status = STATUS_UNKNOWN;
            q->used = false;
            return LOW_NONE;
        }
        if (w != WITNESS_NONE) {
            if (q->used) s->dirty++;
            q->used = false;
            settle_provisional(s, mark, depth, SETTLE_FORGET, 0);
            q->status = STATUS_FINAL;
            q->witness = w;
            return LOW_NONE;
        }
        if (low < depth) {
            settle_provisional(s, mark, depth, SETTLE_LOWER, low);
            q->status = STATUS_PROVISIONAL;
            q->low = low;
            if (!push_provisional(s, id)) q->status = STATUS_UNKNOWN;
            return low;
        }
        if (s->dirty != dirty) {
            settle_provisional(s, mark, depth, SETTLE_FORGET, 0);
            continue;
        }
        settle_provisional(s, mark, depth, SETTLE_FINAL, 0);
        q->status = STATUS_FINAL;
        q->witness = WITNESS_NONE;
        return LOW_NONE;
    }
}

/* Is the same asked already, with fewer values to avoid? Then what answers this would answer that,
 * and sooner: for now the answer is no, as for a question inside itself. */
static bool is_dominated(struct solver *s, goal_id f, value_set seen) {
    for (uint32_t i = s->distinct.count; i > 0; i--) {
        struct question *q = &s->questions.data[s->distinct.data[i - 1]];
        if (q->formula != f || q->seen == seen || !name_set_within(&s->names, q->seen, seen))
            continue;
        q->used = true;
        if (q->low < s->low) s->low = q->low;
        return true;
    }
    return false;
}

witness_id solver_decide(struct solver *s, enum question_kind kind, goal_id f, name_set seen) {
    if (f == GOAL_FALSE || f == GOAL_CYCLE || s->limited) return WITNESS_NONE;
    if (kind == QUESTION_OBJECT) seen = solver_relevant_names(s, f, seen);
    if (kind == QUESTION_ARRAY && !node(s->goals, f)->unique) seen = VALUE_SET_EMPTY;
    uint32_t id = find_question(s, kind, f, seen);
    if (id == UINT32_MAX) return WITNESS_NONE;
    struct question *q = &s->questions.data[id];
    if (q->status == STATUS_FINAL) return q->witness;
    if (q->status != STATUS_UNKNOWN) {
        q->used = true;
        if (q->low < s->low) s->low = q->low;
        return WITNESS_NONE;
    }
    if (kind == QUESTION_DISTINCT && is_dominated(s, f, seen)) return WITNESS_NONE;
    if (s->depth >= SOLVER_MAX_DEPTH) {
        s->limited = true;
        return WITNESS_NONE;
    }
    uint32_t depth = s->depth++, outer_low = s->low;
    q->status = STATUS_OPEN;
    q->low = depth;
    bool distinct = kind == QUESTION_DISTINCT && ARENA_VEC_GROW(s->arena, &s->distinct);
    if (distinct) s->distinct.data[s->distinct.count++] = id;
    uint32_t low = run_question(s, id, depth);
    if (distinct) s->distinct.count--;
    s->depth--;
    s->low = low < outer_low ? low : outer_low;
    q = &s->questions.data[id];
    return q->status == STATUS_FINAL ? q->witness : WITNESS_NONE;
}

static enum sat_answer ask(struct solver *s, enum question_kind kind, goal_id f, name_set seen,
                           witness_id *w) {
    solver_begin(s);
    witness_id found = solver_decide(s, kind, f, seen);
    if (w) *w = found;
    if (found != WITNESS_NONE) return SAT_YES;
    return s->limited || s->arena->failed ? SAT_LIMIT : SAT_NO;
}

goal_id solver_loosen(struct solver *s, goal_id f, enum value_type type) {
    solver_begin(s);
    return disjoint_loosen(s, f, type);
}

enum sat_answer solver_goal(struct solver *s, goal_id g, witness_id *w) {
    return ask(s, QUESTION_GOAL, g, NAME_SET_EMPTY, w);
}

enum sat_answer solver_object(struct solver *s, goal_id f, name_set seen, witness_id *w) {
    return ask(s, QUESTION_OBJECT, f, seen, w);
}

enum sat_answer solver_array(struct solver *s, goal_id f, value_set seen, witness_id *w) {
    return ask(s, QUESTION_ARRAY, f, seen, w);
}
