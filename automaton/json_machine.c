/* SPDX-License-Identifier: MIT
 *
 * The machine's life and its step: what a byte does in each region.
 */
#include "automaton/json_internal.h"

#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_pool.h"
#include "base/error.h"

const char *const json_literal_text[3] = {"null", "false", "true"};
static const struct state dead = {0, 0};

static struct json_machine *machine_of(struct machine *base) {
    return (struct json_machine *)(void *)base;
}

/* ---- literals -------------------------------------------------------------------------------- */

static uint32_t region_literal(enum literal which, uint32_t position) {
    return region(REGION_LITERAL, (uint32_t)which << 4 | position);
}

static bool literal_fits(struct json_machine *m, goal_id g, enum literal which) {
    enum value_type t = which == LITERAL_NULL ? TYPE_NULL : TYPE_BOOLEAN;
    if (!(m->types & TYPE_BIT(t))) return false;
    goal_id f = goal_specialise(m->goals, g, t);
    return which == LITERAL_NULL ? goal_holds_null(m->goals, f)
                                 : goal_holds_boolean(m->goals, f, which == LITERAL_TRUE);
}

static struct state step_literal(struct json_machine *m, struct state s, unsigned char byte) {
    enum literal which = (enum literal)((s.region & REGION_MASK) >> 4);
    uint32_t position = s.region & 15;
    const char *text = json_literal_text[which];
    if ((unsigned char)text[position] != byte) return dead;
    if (text[position + 1]) return (struct state){s.context, region_literal(which, position + 1)};
    const struct context *v = context(m, s.context);
    size_t mark = goal_scratch_mark(m->goals);
    bool *verdicts = context_verdicts(m, v->n_roots);
    if (!verdicts) return dead;
    for (uint32_t i = 1; i < v->n_roots; i++) verdicts[i - 1] = literal_fits(m, v->roots[i], which);
    struct value_store *values = solver_values(m->solver);
    value_id value = !v->is_recorded         ? VALUE_NONE
                     : which == LITERAL_NULL ? value_null(values)
                                             : value_boolean(values, which == LITERAL_TRUE);
    struct state next = context_return(m, v->parent, verdicts, value);
    goal_scratch_pop(m->goals, mark);
    return next;
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct state begin_string(struct json_machine *m, uint32_t v) {
    string_state s = context_string(m, v);
    if (s == STRING_DEAD) return dead;
    if (context(m, v)->is_recorded) return record_string(m, v, s);
    return (struct state){v, region(REGION_STRING, s)};
}

static struct state begin_container(struct json_machine *m, uint32_t v, enum value_type t) {
    uint32_t c = context_open(m, v, t);
    enum place p = t == TYPE_OBJECT ? PLACE_FIRST_KEY : PLACE_FIRST_ITEM;
    return c ? (struct state){c, region_blank(p, 0)} : dead;
}

static struct state begin_literal(struct json_machine *m, uint32_t v, enum literal which) {
    return literal_fits(m, context(m, v)->roots[0], which)
               ? (struct state){v, region_literal(which, 1)}
               : dead;
}

static struct state begin_number(struct json_machine *m, uint32_t v, unsigned char byte) {
    number_state s = context_number(m, v);
    bool limited = false;
    if (s != NUMBER_DEAD) s = number_step(m->numbers, s, byte, &limited);
    if (limited) m->base.narrowed |= FORMA_LIMIT_WORK;
    if (s == NUMBER_DEAD) return dead;
    if (context(m, v)->is_recorded) return record_number(m, v, 0, byte, s);
    return (struct state){v, region(REGION_NUMBER, s)};
}

static struct state begin_value(struct json_machine *m, uint32_t v, unsigned char byte) {
    switch (byte) {
    case '"': return begin_string(m, v);
    case '{': return begin_container(m, v, TYPE_OBJECT);
    case '[': return begin_container(m, v, TYPE_ARRAY);
    case 'n': return begin_literal(m, v, LITERAL_NULL);
    case 'f': return begin_literal(m, v, LITERAL_FALSE);
    case 't': return begin_literal(m, v, LITERAL_TRUE);
    default: return byte == '-' || (byte >= '0' && byte <= '9') ? begin_number(m, v, byte) : dead;
    }
}

struct state json_end_string(struct json_machine *m, uint32_t value_context, string_state at,
                             value_id value) {
    const struct context *v = context(m, value_context);
    size_t mark = goal_scratch_mark(m->goals);
    bool *verdicts = context_verdicts(m, v->n_roots);
    if (!verdicts) return dead;
    for (uint32_t i = 1; i < v->n_roots; i++) verdicts[i - 1] = string_verdict(m->strings, at, i);
    struct state after = context_return(m, v->parent, verdicts, value);
    goal_scratch_pop(m->goals, mark);
    return after;
}

static struct state step_string(struct json_machine *m, struct state s, unsigned char byte) {
    string_state at = s.region & REGION_MASK;
    bool limited = json_mask_is_full(m);
    string_state next = limited ? STRING_DEAD : string_step(m->strings, at, byte, &limited);
    if (limited) m->base.narrowed |= FORMA_LIMIT_WORK;
    if (next == STRING_DEAD) return dead;
    if (next != STRING_CLOSED) return (struct state){s.context, region(REGION_STRING, next)};
    return json_end_string(m, s.context, at, VALUE_NONE);
}

struct state json_end_number(struct json_machine *m, struct state s) {
    number_state at = json_piece(m, s.region);
    const struct context *v = context(m, s.context);
    value_id value = v->is_recorded ? record_number_value(m, s.region) : VALUE_NONE;
    if (v->is_recorded && value == VALUE_NONE) return dead;
    size_t mark = goal_scratch_mark(m->goals);
    bool *verdicts = context_verdicts(m, v->n_roots);
    if (!verdicts) return dead;
    for (uint32_t i = 1; i < v->n_roots; i++) verdicts[i - 1] = number_verdict(m->numbers, at, i);
    struct state after = context_return(m, v->parent, verdicts, value);
    goal_scratch_pop(m->goals, mark);
    return after;
}

static struct state step_number(struct json_machine *m, struct state s, unsigned char byte) {
    number_state at = json_piece(m, s.region);
    bool limited = false;
    bool digit = (byte >= '0' && byte <= '9') || byte == '.' || byte == '-' || byte == '+' ||
                 byte == 'e' || byte == 'E';
    if (digit) {
        number_state next = number_step(m->numbers, at, byte, &limited);
        if (limited) m->base.narrowed |= FORMA_LIMIT_WORK;
        if (next == NUMBER_DEAD) return dead;
        if (region_kind(s.region) == REGION_RECORDED_NUMBER)
            return record_step_number(m, s, byte, next);
        return (struct state){s.context, region(REGION_NUMBER, next)};
    }
    bool follows = byte == ',' || byte == '}' || byte == ']' || byte == ' ' || byte == '\n' ||
                   byte == '\t' || byte == '\r';
    if (!follows || !number_may_end(m->numbers, at)) return dead;
    struct state after = json_end_number(m, s);
    return state_is_dead(after) ? dead : json_step_blank(m, after, byte);
}

/* ---- between tokens -------------------------------------------------------------------------- */

/* Which continuations the frame itself allows at a place. */
static unsigned possible(struct json_machine *m, uint32_t c, enum place p, unsigned asked) {
    unsigned answer = 0;
    switch (p) {
    case PLACE_FIRST_KEY:
    case PLACE_NEXT_KEY:
    case PLACE_AFTER_MEMBER:
        if (asked & (FOLLOW_OPEN | FOLLOW_COMMA) && key_is_possible(m, c))
            answer |= FOLLOW_OPEN | FOLLOW_COMMA;
        break;
    case PLACE_FIRST_ITEM:
    case PLACE_AFTER_ITEM:
        if (asked & (FOLLOW_OPEN | FOLLOW_COMMA) && context_item(m, c))
            answer |= FOLLOW_OPEN | FOLLOW_COMMA;
        break;
    case PLACE_TOP:
    case PLACE_AFTER_COLON:
    case PLACE_ITEM:
    case PLACE_COLON:
    case PLACE_END: return asked & FOLLOW_OPEN;
    }
    if (asked & FOLLOW_CLOSE && context_can_close(m, c)) answer |= FOLLOW_CLOSE;
    return answer & asked;
}

static struct state blank_byte(struct json_machine *m, struct state s, enum place p, uint32_t depth,
                               uint32_t count, unsigned char byte) {
    uint32_t next = blank_step(&m->style, p, depth, count, byte);
    if (next == BLANK_NONE) return dead;
    unsigned now = blank_reach(&m->style, p, depth, count);
    unsigned then = blank_reach(&m->style, p, depth, next);
    if (then != now && !possible(m, s.context, p, then)) return dead;
    return (struct state){s.context, region_blank(p, next)};
}

static struct state step_object(struct json_machine *m, uint32_t o, enum place p, unsigned follow,
                                unsigned char byte) {
    if (byte == '}' && follow & FOLLOW_CLOSE)
        return context_can_close(m, o) ? context_close(m, o) : dead;
    if (byte == ',' && follow & FOLLOW_COMMA)
        return key_is_possible(m, o) ? (struct state){o, region_blank(PLACE_NEXT_KEY, 0)} : dead;
    if (byte == '"' && follow & FOLLOW_OPEN && p != PLACE_AFTER_MEMBER) return key_begin(m, o);
    return dead;
}

static struct state step_array(struct json_machine *m, uint32_t a, enum place p, unsigned follow,
                               unsigned char byte) {
    if (byte == ']' && follow & FOLLOW_CLOSE)
        return context_can_close(m, a) ? context_close(m, a) : dead;
    uint32_t item;
    if (byte == ',' && follow & FOLLOW_COMMA) {
        item = context_item(m, a);
        return item ? (struct state){item, region_blank(PLACE_ITEM, 0)} : dead;
    }
    if (p != PLACE_FIRST_ITEM || !(follow & FOLLOW_OPEN)) return dead;
    item = context_item(m, a);
    return item ? begin_value(m, item, byte) : dead;
}

struct state json_step_blank(struct json_machine *m, struct state s, unsigned char byte) {
    enum place p = region_place(s.region);
    uint32_t count = region_blank_count(s.region), depth = context(m, s.context)->depth;
    if (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r')
        return blank_byte(m, s, p, depth, count, byte);
    unsigned follow = blank_follow(&m->style, p, depth, count);
    switch (p) {
    case PLACE_TOP:
    case PLACE_AFTER_COLON:
    case PLACE_ITEM: return follow & FOLLOW_OPEN ? begin_value(m, s.context, byte) : dead;
    case PLACE_COLON:
        return byte == ':' ? (struct state){s.context, region_blank(PLACE_AFTER_COLON, 0)} : dead;
    case PLACE_FIRST_KEY:
    case PLACE_NEXT_KEY:
    case PLACE_AFTER_MEMBER: return step_object(m, s.context, p, follow, byte);
    case PLACE_FIRST_ITEM:
    case PLACE_AFTER_ITEM: return step_array(m, s.context, p, follow, byte);
    case PLACE_END: return dead;
    }
    return dead;
}

struct state json_step(struct machine *base, struct state s, unsigned char byte) {
    struct json_machine *m = machine_of(base);
    struct state next = dead;
    if (state_is_dead(s)) return dead;
    if (base->guessing && record_is_open(m, s, byte)) {
        base->guessed = true;
        return dead;
    }
    switch (region_kind(s.region)) {
    case REGION_BLANK: next = json_step_blank(m, s, byte); break;
    case REGION_STRING: next = step_string(m, s, byte); break;
    case REGION_RECORDED_STRING: next = record_step_string(m, s, byte); break;
    case REGION_NUMBER:
    case REGION_RECORDED_NUMBER: next = step_number(m, s, byte); break;
    case REGION_LITERAL: next = step_literal(m, s, byte); break;
    case REGION_KEY: next = key_step(m, s, byte); break;
    }
    if (m->arena.failed) {
        base->failed = true;
        return dead;
    }
    return state_is_dead(next) ? dead : next;
}

bool json_accepts(struct machine *base, struct state s) {
    struct json_machine *m = machine_of(base);
    if (state_is_dead(s)) return false;
    const struct context *c = context(m, s.context);
    if (c->kind == CONTEXT_END) return true;
    return region_kind(s.region) == REGION_NUMBER && !c->parent &&
           number_may_end(m->numbers, s.region & REGION_MASK);
}

/* ---- life ------------------------------------------------------------------------------------ */

static size_t json_memory(const struct machine *base) {
    return ((const struct json_machine *)(const void *)base)->arena.used;
}

static void json_destroy(struct machine *base) {
    json_machine_free(machine_of(base));
}

static void json_look(struct machine *base) {
    struct json_machine *m = machine_of(base);
    m->mask_begin = m->arena.used;
    m->mask_work = 0;
}

static void json_forget(struct machine *base) {
    key_text_forget(machine_of(base));
}

static const struct machine_ops json_ops = {.step = json_step,
                                            .accepts = json_accepts,
                                            .completion = json_completion,
                                            .describe = json_describe,
                                            .next = json_next,
                                            .draw = json_draw,
                                            .look = json_look,
                                            .suggest = json_suggest,
                                            .at_least = json_at_least,
                                            .forget = json_forget,
                                            .memory = json_memory,
                                            .destroy = json_destroy,
                                            .strings = &json_strings};

/* Which types the alphabet can write at all. */
static unsigned writable_types(const bool alphabet[256]) {
    static const char *const needed[TYPE_COUNT] = {
        [TYPE_NULL] = "null", [TYPE_BOOLEAN] = "truefalse", [TYPE_STRING] = "\"",
        [TYPE_NUMBER] = "",   [TYPE_ARRAY] = "[,]",         [TYPE_OBJECT] = "{\":,}",
    };
    unsigned types = 0;
    for (int t = 0; t < TYPE_COUNT; t++) {
        bool all = true;
        for (const char *p = needed[t]; *p; p++) all &= alphabet[(unsigned char)*p];
        if (all) types |= TYPE_BIT(t);
    }
    return types;
}

static bool make_parts(struct json_machine *m) {
    bool any_escape = m->style.escapes == FORMA_ESCAPES_ANY;
    struct arena *a = &m->arena;
    struct code_range ranges[SPELLABLE_MAX_RANGES];
    size_t n = string_spellable(m->alphabet, any_escape, ranges);
    m->regex = regex_store_new(a, ranges, n);
    m->numbers = number_store_new(a, m->alphabet, m->style.numbers == FORMA_NUMBERS_ANY);
    if (!m->regex || !m->numbers) return false;
    number_set_limit(m->numbers, m->max_work);
    m->goals = goal_store_new(a, m->regex, m->numbers);
    if (!m->goals) return false;
    m->solver = solver_new(m->goals, m->max_work, m->types);
    m->strings = string_reader_new(a, m->regex, m->alphabet, any_escape, m->max_work);
    return m->solver && m->strings && table_init(&m->context_table, a, 32) &&
           table_init(&m->order_table, a, 16) && key_text_init(m) &&
           table_init(&m->key_child_table, a, 32) && table_init(&m->key_language_table, a, 16) &&
           table_init(&m->bound_table, a, 16);
}

/* Id 0 of each table: dead, no order. */
static bool make_zeros(struct json_machine *m) {
    context_intern(m, &(struct context){.kind = CONTEXT_DEAD});
    if (!ARENA_VEC_GROW(&m->arena, &m->orders)) return false;
    m->orders.data[m->orders.count++] = (struct key_order){0};
    return !m->arena.failed;
}

/* Makes an empty machine of zeroed memory. */
static bool make(struct json_machine *m, const struct json_machine_options *o) {
    m->allocator = o->allocator;
    m->base.ops = &json_ops;
    m->style = o->style;
    m->max_nesting = o->max_nesting;
    m->max_work = o->max_work;
    m->max_states = o->max_states ? o->max_states : SIZE_MAX;
    for (int b = 0; b < 256; b++) m->alphabet[b] = !o->alphabet || o->alphabet[b];
    m->types = writable_types(m->alphabet);
    pthread_mutex_init(&m->base.lock, NULL);
    return m->arena.base && make_parts(m) && make_zeros(m);
}

struct json_machine *json_machine_new(const struct json_machine_options *o,
                                      struct forma_error *err) {
    struct json_machine *m = fa_alloc_zero(o->allocator, sizeof *m);
    if (!m) {
        error_set(err, FORMA_EMEMORY, "no memory for a machine");
        return NULL;
    }
    bool reserved = arena_init(&m->arena, o->allocator, o->max_memory);
    if (make(m, o)) return m;
    if (reserved)
        error_set(err, FORMA_ELIMIT,
                  "the memory limit of %zu bytes is too small for any form; raise max_memory",
                  o->max_memory);
    else
        error_set(err, FORMA_EMEMORY,
                  "no address space for the memory limit of %zu bytes; lower max_memory",
                  o->max_memory);
    json_machine_destroy(m);
    return NULL;
}

void json_machine_destroy(struct json_machine *m) {
    if (!m) return;
    pthread_mutex_destroy(&m->base.lock);
    arena_destroy(&m->arena);
    fa_free(m->allocator, m, sizeof *m);
}

/* ---- used again ------------------------------------------------------------------------------ */

/* Beyond so much, new memory costs no more than zeroing the old. */
#define MAX_KEPT_BYTES ((size_t)2 << 20)

static struct json_machine_options options_of(const struct json_machine *m) {
    return (struct json_machine_options){
        .style = m->style,
        .alphabet = m->alphabet,
        .max_memory = m->arena.reserved,
        .max_nesting = m->max_nesting,
        .max_work = m->max_work,
        .max_states = m->max_states,
        .allocator = m->allocator,
    };
}

void json_machine_belongs_to(struct json_machine *m, struct json_pool *pool) {
    m->pool = pool;
}

bool json_machine_suits(const struct json_machine *m, const struct json_machine_options *o) {
    size_t max_states = o->max_states ? o->max_states : SIZE_MAX;
    if (m->arena.reserved != o->max_memory || m->max_nesting != o->max_nesting ||
        m->max_work != o->max_work || m->max_states != max_states ||
        m->style.keys != o->style.keys || m->style.blanks != o->style.blanks ||
        m->style.pretty_indent != o->style.pretty_indent || m->style.numbers != o->style.numbers ||
        m->style.escapes != o->style.escapes)
        return false;
    for (int b = 0; b < 256; b++)
        if (m->alphabet[b] != (!o->alphabet || o->alphabet[b])) return false;
    return true;
}

/* As json_machine_new left it, but for the lock and for what lies in split tails, which nobody
 * reads before it is written. */
static bool make_anew(struct json_machine *m) {
    struct arena arena = m->arena;
    if (arena.used > MAX_KEPT_BYTES || arena.fail_after != SIZE_MAX) return false;
    memset(arena.base, 0, arena.used);
    arena.used = 0;
    arena.size = arena.reserved;
    arena.failed = false;
    struct json_machine was = *m;
    struct json_machine_options o = options_of(&was);
    pthread_mutex_destroy(&m->base.lock);
    memset(m, 0, sizeof *m);
    m->arena = arena;
    return make(m, &o);
}

void json_machine_free(struct json_machine *m) {
    if (!m) return;
    struct json_pool *pool = m->pool;
    if (pool && make_anew(m)) {
        json_pool_give(pool, m);
        return;
    }
    json_machine_destroy(m);
    if (pool) json_pool_forget(pool);
}

struct machine *json_machine_base(struct json_machine *m) {
    return &m->base;
}

struct goal_store *json_machine_goals(struct json_machine *m) {
    return m->goals;
}

struct arena *json_machine_arena(struct json_machine *m) {
    return &m->arena;
}

enum forma_status json_machine_start(struct json_machine *m, goal_id root,
                                     const struct json_form *form, bool (*expired)(void *ctx),
                                     void *expired_ctx, struct forma_error *err) {
    m->form = *form;
    solver_set_deadline(m->solver, expired, expired_ctx);
    witness_id w;
    enum sat_answer answer = solver_goal(m->solver, root, &w);
    uint32_t v = answer != SAT_YES
                     ? 0
                     : context_intern(m, &(struct context){
                                             .kind = CONTEXT_VALUE, .n_roots = 1, .roots = &root});
    bool timed_out = answer == SAT_LIMIT && expired && expired(expired_ctx);
    solver_set_deadline(m->solver, NULL, NULL);
    if (goal_store_too_deep(m->goals))
        return error_at_pointer(err, FORMA_ELIMIT, "",
                                "references and combinators lead more than %d deep, or in too many "
                                "circles, without consuming anything; flatten the schema",
                                GOAL_MAX_DEPTH);
    if (m->base.too_many_states)
        return error_at_pointer(err, FORMA_ELIMIT, "",
                                "the schema needs more than %zu states; raise max_states",
                                m->max_states);
    if (m->arena.failed)
        return error_at_pointer(err, FORMA_ELIMIT, "",
                                "the schema needs more than the memory limit of %zu bytes; raise "
                                "max_memory or simplify it",
                                m->arena.reserved);
    if (timed_out)
        return error_at_pointer(err, FORMA_ELIMIT, "",
                                "the time limit was reached before it was decided whether the "
                                "schema has a value; raise max_compile_ms");
    if (answer == SAT_LIMIT)
        return error_at_pointer(err, FORMA_ELIMIT, "",
                                "the search limit was reached before it was decided whether the "
                                "schema has a value; raise max_work or simplify the schema");
    if (answer == SAT_NO) {
        char why[256];
        const char *pointer = json_explain_unsat(m, root, why, sizeof why);
        return error_at_pointer(err, FORMA_EUNSAT, pointer,
                                "no value satisfies the schema: %s; relax it", why);
    }
    if (solver_witness(m->solver, w)->depth > m->max_nesting)
        return error_at_pointer(err, FORMA_ELIMIT, "",
                                "the value found nests %u deep, past the limit of %zu; raise "
                                "max_nesting or relax the schema",
                                solver_witness(m->solver, w)->depth, m->max_nesting);
    m->base.start = (struct state){v, region_blank(PLACE_TOP, 0)};
    return FORMA_OK;
}
