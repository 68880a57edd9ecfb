/* SPDX-License-Identifier: MIT */
#include "automaton/text_machine.h"

#include <string.h>

#include "automaton/byte_rows.h"
#include "automaton/dot.h"
#include "automaton/next_text.h"
#include "automaton/regex_list.h"
#include "automaton/regex_partition.h"
#include "automaton/spellable.h"
#include "base/error.h"

struct text_machine {
    struct machine base;
    const struct forma_allocator *allocator;
    struct arena arena;
    struct regex_store *regex;
    struct byte_rows rows; /* by term */
    uint64_t max_work;
};

static const struct state dead = {0, 0};

static struct text_machine *machine_of(struct machine *base) {
    return (struct text_machine *)(void *)base;
}

static struct state state_of(term_id t) {
    return t == TERM_NONE ? dead : (struct state){1, t};
}

/* ---- reading --------------------------------------------------------------------------------- */

static enum regex_answer is_alive(struct text_machine *m, term_id t) {
    uint64_t work = 0;
    return regex_alive(m->regex, t, 0, PARTIAL_BOUNDARY, &work, m->max_work);
}

static struct state text_step(struct machine *base, struct state s, unsigned char byte) {
    struct text_machine *m = machine_of(base);
    term_id next;
    if (state_is_dead(s)) return dead;
    if (byte_rows_find(&m->rows, s.region, byte, &next)) return state_of(next);
    next = regex_derive(m->regex, s.region, byte);
    enum regex_answer alive = next == TERM_NONE ? REGEX_NO : is_alive(m, next);
    if (m->arena.failed) {
        base->failed = true;
        return dead;
    }
    if (alive == REGEX_LIMIT) {
        base->narrowed |= FORMA_LIMIT_WORK;
        return dead;
    }
    if (alive == REGEX_NO) next = TERM_NONE;
    if (!byte_rows_is_open(&m->rows, s.region)) {
        const struct partition *p = term_partition(m->regex, s.region);
        if (p) byte_rows_open(&m->rows, s.region, p->classes, p->n);
    }
    byte_rows_keep(&m->rows, s.region, byte, next);
    return state_of(next);
}

static bool text_accepts(struct machine *base, struct state s) {
    return !state_is_dead(s) && regex_nullable(machine_of(base)->regex, s.region, 0);
}

static size_t text_completion(struct machine *base, struct state s, unsigned char *out,
                              size_t capacity) {
    struct text_machine *m = machine_of(base);
    term_id t = s.region;
    for (size_t n = 0;; n++) {
        int byte = regex_witness_byte(m->regex, t, 0, PARTIAL_BOUNDARY);
        if (m->arena.failed) return SIZE_MAX;
        if (byte < 0) return n;
        if (n == capacity) return SIZE_MAX;
        out[n] = (unsigned char)byte;
        t = regex_derive(m->regex, t, out[n]);
    }
}

static bool goes_on(struct machine *base, struct state s) {
    for (unsigned b = 0; b < 256; b++)
        if (!state_is_dead(text_step(base, s, (unsigned char)b))) return true;
    return false;
}

static void text_describe(struct machine *base, struct state s, char *out, size_t capacity) {
    struct text_machine *m = machine_of(base);
    struct text t;
    if (!capacity) return;
    text_init(&t, out, capacity);
    if (state_is_dead(s)) return;
    if (!goes_on(base, s))
        text_add(&t, "the end of the text");
    else if (!regex_is_between(m->regex, s.region) ||
             !regex_list(m->regex, s.region, "the rest of the text", &t))
        text_add(&t, "more of the text%s", text_accepts(base, s) ? ", or its end" : "");
}

/* ---- what may come next ------------------------------------------------------------------------ */

static uint32_t step_term(void *ctx, uint32_t term, unsigned char byte) {
    struct state next = text_step(ctx, (struct state){1, term}, byte);
    return state_is_dead(next) ? TERM_NONE : next.region;
}

static size_t write_rest(const unsigned char *rest, size_t length, char *out) {
    if (length) memcpy(out, rest, length);
    return length;
}

static void text_next(struct machine *base, struct state s, next_visit visit, void *ctx) {
    struct text_machine *m = machine_of(base);
    struct lister l;
    uint64_t least;
    if (state_is_dead(s)) return;
    next_open(&l, base, s, visit, ctx);
    struct text_place p = {.step = step_term, .ctx = base, .state = s.region, .open = TERM_ANY};
    p.regex = m->regex;
    p.residual = s.region;
    p.what = "text";
    if (regex_is_between(m->regex, s.region)) {
        p.has_rests = next_rests(&l, &p, write_rest);
        next_in_text(&l, &p, &least);
    } else {
        struct next_item item = next_begin(&l, NEXT_ESCAPE);
        memcpy(item.shown.first, l.live, sizeof l.live);
        text_add(&l.what, "the rest of a character: ");
        text_add_bytes(&l.what, l.live);
        next_possible(&l, &item);
    }
    next_close(&l);
}

static uint32_t draw_step(void *ctx, uint32_t term, unsigned char byte) {
    uint32_t next = step_term(ctx, term, byte);
    return next ? next : DOT_DEAD;
}

static bool draw_accepts(void *ctx, uint32_t term) {
    return text_accepts(ctx, (struct state){1, term});
}

static void text_draw(struct machine *base, struct state s, enum forma_drawing what,
                      size_t max_states, FILE *out) {
    struct dot_automaton a = {base, draw_step, draw_accepts, "a text", ""};
    (void)what; /* the goal is the automaton */
    if (!state_is_dead(s))
        dot_draw_automaton(&a, s.region, max_states, &machine_of(base)->arena, out);
}

/* ---- life ------------------------------------------------------------------------------------ */

static size_t text_memory(const struct machine *base) {
    return ((const struct text_machine *)(const void *)base)->arena.used;
}

static void text_destroy(struct machine *base) {
    text_machine_free(machine_of(base));
}

static const struct machine_ops text_ops = {.step = text_step,
                                            .accepts = text_accepts,
                                            .completion = text_completion,
                                            .describe = text_describe,
                                            .next = text_next,
                                            .draw = text_draw,
                                            .memory = text_memory,
                                            .destroy = text_destroy};

static bool fits(const void *alphabet, uint32_t c) {
    return spellable_raw(alphabet, c);
}

static bool make_parts(struct text_machine *m, const bool *given) {
    bool alphabet[256];
    struct code_range ranges[SPELLABLE_MAX_RANGES];
    for (int b = 0; b < 256; b++) alphabet[b] = !given || given[b];
    size_t n = spellable_ranges(alphabet, fits, alphabet, ranges);
    m->regex = regex_store_new(&m->arena, ranges, n);
    return m->regex && byte_rows_init(&m->rows, &m->arena);
}

struct text_machine *text_machine_new(const struct text_machine_options *o,
                                      struct forma_error *err) {
    struct text_machine *m = fa_alloc_zero(o->allocator, sizeof *m);
    if (!m) {
        error_set(err, FORMA_EMEMORY, "no memory for a machine");
        return NULL;
    }
    m->allocator = o->allocator;
    m->base.ops = &text_ops;
    m->max_work = o->max_work;
    pthread_mutex_init(&m->base.lock, NULL);
    if (!arena_init(&m->arena, o->allocator, o->max_memory)) {
        error_set(err, FORMA_EMEMORY,
                  "no address space for the memory limit of %zu bytes; lower max_memory",
                  o->max_memory);
    } else if (!make_parts(m, o->alphabet)) {
        error_set(err, FORMA_ELIMIT,
                  "the memory limit of %zu bytes is too small for any form; raise max_memory",
                  o->max_memory);
    } else {
        return m;
    }
    text_machine_free(m);
    return NULL;
}

void text_machine_free(struct text_machine *m) {
    if (!m) return;
    pthread_mutex_destroy(&m->base.lock);
    arena_destroy(&m->arena);
    fa_free(m->allocator, m, sizeof *m);
}

struct machine *text_machine_base(struct text_machine *m) {
    return &m->base;
}

struct regex_store *text_machine_regex(struct text_machine *m) {
    return m->regex;
}

enum forma_status text_machine_start(struct text_machine *m, term_id language,
                                     struct forma_error *err) {
    enum regex_answer alive = language == TERM_NONE ? REGEX_NO : is_alive(m, language);
    if (m->arena.failed)
        return error_set(err, FORMA_ELIMIT,
                         "the form needs more than the memory limit of %zu bytes; raise max_memory "
                         "or simplify it",
                         m->arena.reserved);
    if (alive == REGEX_LIMIT)
        return error_set(err, FORMA_ELIMIT,
                         "the search limit was reached before it was decided whether any text is "
                         "in the form; raise max_work or simplify it");
    if (alive == REGEX_NO) return error_set(err, FORMA_EUNSAT, "no text is in the form; relax it");
    m->base.start = state_of(language);
    return FORMA_OK;
}
