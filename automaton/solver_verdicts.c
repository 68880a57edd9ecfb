/* SPDX-License-Identifier: MIT
 *
 * Strings and numbers go the same way. The finite languages among the goals (enum, const, also
 * patterns such as ^Abs$) are listed, element by element, so that their rows cost what they hold.
 * The infinite ones cut the universe into cells; what the listed elements leave of a cell is a
 * row as well.
 */
#include "automaton/solver_verdicts.h"

#include <string.h>

#define MAX_ROWS      2048
#define MAX_LISTED    512     /* elements of one finite language */
#define MAX_ELEMENTS  65536   /* listed, of all languages together */
#define MAX_CELLS     1024    /* of the infinite ones */
#define MAX_BYTES     4000000 /* of verdicts */
#define MAX_VARIABLES 65536

/* Elements are ids: of a name for strings, of a set of one value for numbers. */
struct algebra {
    uint32_t (*language)(struct solver *s, goal_id goal);
    uint32_t (*both)(struct solver *s, uint32_t a, uint32_t b);
    uint32_t (*negate)(struct solver *s, uint32_t a);
    bool (*alive)(struct solver *s, uint32_t a);
    /* Lists a finite language; false: it is infinite, or too large. */
    bool (*list)(struct solver *s, uint32_t a, bool (*visit)(void *ctx, uint32_t element),
                 void *ctx);
    bool (*holds)(struct solver *s, uint32_t a, uint32_t element);
    uint32_t (*language_of)(struct solver *s, const uint32_t *elements, size_t n);
};

/* ---- strings --------------------------------------------------------------------------------- */

static uint32_t string_language(struct solver *s, goal_id g) {
    return goal_to_term(s->goals, goal_specialise(s->goals, g, TYPE_STRING));
}

static uint32_t string_both(struct solver *s, uint32_t a, uint32_t b) {
    return regex_and(s->goals->regex, (const term_id[]){a, b}, 2);
}

static uint32_t string_negate(struct solver *s, uint32_t a) {
    return regex_not(s->goals->regex, a);
}

struct string_list {
    struct solver *s;
    bool (*visit)(void *ctx, uint32_t element);
    void *ctx;
    size_t left;
};

static bool add_string(void *ctx, const unsigned char *bytes, size_t length) {
    struct string_list *l = ctx;
    uint32_t name = goal_name(l->s->goals, (const char *)bytes, length);
    return name && l->left-- > 0 && l->visit(l->ctx, name);
}

static bool list_strings(struct solver *s, uint32_t a, bool (*visit)(void *ctx, uint32_t element),
                         void *ctx) {
    struct string_list l = {s, visit, ctx, MAX_LISTED};
    enum regex_answer more;
    regex_enumerate(s->goals->regex, a, add_string, &l, &more, &s->work, solver_budget(s));
    return more == REGEX_NO;
}

static uint32_t language_of_strings(struct solver *s, const uint32_t *elements, size_t n) {
    struct arena *scratch = &s->goals->scratch;
    size_t mark = goal_scratch_mark(s->goals);
    const unsigned char **texts = arena_push_array(scratch, n, sizeof *texts);
    size_t *lengths = arena_push_array(scratch, n, sizeof *lengths);
    term_id t = TERM_NONE;
    for (size_t i = 0; texts && lengths && i < n; i++)
        texts[i] = (const unsigned char *)goal_name_text(s->goals, elements[i], &lengths[i]);
    if (texts && lengths) t = regex_literal_set(s->goals->regex, texts, lengths, n);
    goal_scratch_pop(s->goals, mark);
    return t;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint32_t number_language(struct solver *s, goal_id g) {
    return goal_to_numset(s->goals, goal_specialise(s->goals, g, TYPE_NUMBER));
}

static uint32_t number_both(struct solver *s, uint32_t a, uint32_t b) {
    return numset_and(s->goals->numbers, (const numset_id[]){a, b}, 2);
}

static uint32_t number_negate(struct solver *s, uint32_t a) {
    return numset_not(s->goals->numbers, a);
}

static bool number_alive(struct solver *s, uint32_t a) {
    enum numset_answer answer = numset_has_value(s->goals->numbers, a, &s->work, solver_budget(s));
    if (answer == NUMSET_LIMIT) s->limited = true;
    return answer == NUMSET_YES;
}

static bool number_holds(struct solver *s, uint32_t a, uint32_t element) {
    return number_both(s, a, element) == element;
}

/* Elements are values, or where draft 4 asks how a number is written, a value so written. */
static bool list_numbers(struct solver *s, uint32_t a, bool (*visit)(void *ctx, uint32_t element),
                         void *ctx) {
    struct number_store *numbers = s->goals->numbers;
    struct decimal values[MAX_LISTED]; /* not on the scratch stack: visit grows that */
    enum numset_answer more;
    size_t n = numset_enumerate(numbers, a, values, MAX_LISTED, &more, &s->work, solver_budget(s));
    numset_id spellings[2];
    unsigned n_spellings = numset_spellings(numbers, spellings);
    if (more != NUMSET_NO) return false;
    for (size_t i = 0; i < n; i++) {
        numset_id value = numset_values(numbers, &values[i], 1);
        for (unsigned j = 0; j < n_spellings; j++) {
            numset_id element = number_both(s, value, spellings[j]);
            if (element == NUMSET_NONE || !number_holds(s, a, element)) continue;
            if (!visit(ctx, element)) return false;
        }
    }
    return true;
}

static uint32_t language_of_numbers(struct solver *s, const uint32_t *elements, size_t n) {
    return numset_or(s->goals->numbers, elements, n);
}

static const struct algebra algebra_of_strings = {
    string_language, string_both,       string_negate,      solver_has_string,
    list_strings,    solver_name_is_in, language_of_strings};
static const struct algebra algebra_of_numbers = {number_language,    number_both,  number_negate,
                                                  number_alive,       list_numbers, number_holds,
                                                  language_of_numbers};

/* ---- making the table ------------------------------------------------------------------------ */

struct listed {
    uint32_t element, next; /* of the same row + 1 */
    bool *verdicts;
};

struct maker {
    struct solver *s;
    const struct algebra *a;
    struct arena *scratch;
    size_t n;            /* goals */
    uint32_t *languages; /* one a goal */
    uint32_t *twin;      /* one a goal: the first goal of the same language */
    bool *finite;        /* one a goal: its language has been listed */
    size_t goal;         /* whose language is being listed */
    size_t max_bytes;
    ARENA_VEC(struct listed) elements;
    struct table by_element;
    struct verdict_table *out;
};

/* The scratch stack is used again and again: what comes off it is not zero. */
static void *push_zero(struct arena *scratch, size_t size) {
    void *p = arena_push(scratch, size);
    if (p && size) memset(p, 0, size);
    return p;
}

static bool too_many(const struct maker *m) {
    return m->elements.count >= MAX_ELEMENTS ||
           (m->elements.count + (size_t)1) * (m->n + 64) > m->max_bytes;
}

static bool add_element(void *ctx, uint32_t element) {
    struct maker *m = ctx;
    uint32_t hash = fa_hash_mix(element, 1);
    for (struct table_probe p = table_probe(&m->by_element, hash); table_next(&m->by_element, &p);)
        if (m->elements.data[p.id].element == element) {
            m->elements.data[p.id].verdicts[m->goal] = true;
            return true;
        }
    if (too_many(m) || !ARENA_VEC_GROW(m->scratch, &m->elements)) return false;
    bool *verdicts = push_zero(m->scratch, m->n);
    if (!verdicts || !table_add(&m->by_element, hash, m->elements.count)) return false;
    verdicts[m->goal] = true;
    m->elements.data[m->elements.count++] =
        (struct listed){.element = element, .verdicts = verdicts};
    return true;
}

/* Lists what can be listed. A language that turns out too large is left to the cells. */
static void list_finite(struct maker *m) {
    for (m->goal = 0; m->goal < m->n; m->goal++) {
        uint32_t twin = m->twin[m->goal];
        m->finite[m->goal] = twin < m->goal
                                 ? m->finite[twin]
                                 : m->a->list(m->s, m->languages[m->goal], add_element, m);
    }
    for (uint32_t e = 0; e < m->elements.count; e++) {
        struct listed *x = &m->elements.data[e];
        for (size_t i = 0; i < m->n; i++)
            if (m->twin[i] < i)
                x->verdicts[i] = x->verdicts[m->twin[i]];
            else if (!m->finite[i])
                x->verdicts[i] = m->a->holds(m->s, m->languages[i], x->element);
    }
}

static bool add_row(struct maker *m, uint32_t language, const bool *verdicts) {
    if (m->out->rows.count == MAX_ROWS || !ARENA_VEC_GROW(m->scratch, &m->out->rows)) return false;
    m->out->rows.data[m->out->rows.count++] = (struct verdict_row){language, verdicts};
    return true;
}

/* One row for the elements of equal verdicts. Until all are seen, a row's language is the last
 * element + 1 of its chain. */
static bool rows_of_elements(struct maker *m) {
    struct table by_verdicts;
    if (!table_init(&by_verdicts, m->scratch, 64)) return false;
    for (uint32_t e = 0; e < m->elements.count; e++) {
        struct listed *x = &m->elements.data[e];
        uint32_t hash = fa_hash(x->verdicts, m->n), row = UINT32_MAX;
        struct table_probe p = table_probe(&by_verdicts, hash);
        while (row == UINT32_MAX && table_next(&by_verdicts, &p))
            if (memcmp(m->out->rows.data[p.id].verdicts, x->verdicts, m->n) == 0) row = p.id;
        if (row == UINT32_MAX) {
            row = m->out->rows.count;
            if (!add_row(m, 0, x->verdicts) || !table_add(&by_verdicts, hash, row)) return false;
        }
        x->next = m->out->rows.data[row].language;
        m->out->rows.data[row].language = e + 1;
    }
    uint32_t *chain = arena_push_array(m->scratch, m->elements.count + (size_t)1, sizeof *chain);
    for (uint32_t row = 0; chain && row < m->out->rows.count; row++) {
        size_t n = 0;
        for (uint32_t e = m->out->rows.data[row].language; e; e = m->elements.data[e - 1].next)
            chain[n++] = m->elements.data[e - 1].element;
        m->out->rows.data[row].language = m->a->language_of(m->s, chain, n);
    }
    return chain != NULL;
}

/* The infinite languages cut what the elements leave over. */
static bool rows_of_cells(struct maker *m, uint32_t everything) {
    uint32_t *cells = arena_push_array(m->scratch, MAX_CELLS, sizeof *cells);
    bool **verdicts = arena_push_array(m->scratch, MAX_CELLS, sizeof *verdicts);
    uint32_t *all = arena_push_array(m->scratch, m->elements.count + (size_t)1, sizeof *all);
    if (!cells || !verdicts || !all || !(verdicts[0] = push_zero(m->scratch, m->n))) return false;
    for (uint32_t e = 0; e < m->elements.count; e++) all[e] = m->elements.data[e].element;
    cells[0] = everything;
    if (m->elements.count)
        cells[0] = m->a->negate(m->s, m->a->language_of(m->s, all, m->elements.count));
    size_t n = m->a->alive(m->s, cells[0]) ? 1 : 0;
    for (size_t i = 0; i < m->n; i++) {
        if (m->finite[i]) continue;
        if (m->twin[i] < i) {
            for (size_t c = 0; c < n; c++) verdicts[c][i] = verdicts[c][m->twin[i]];
            continue;
        }
        uint32_t outside = m->a->negate(m->s, m->languages[i]);
        for (size_t c = 0, before = n; c < before; c++) {
            if (!solver_step(m->s)) return false;
            uint32_t in = m->a->both(m->s, cells[c], m->languages[i]);
            uint32_t out = m->a->both(m->s, cells[c], outside);
            verdicts[c][i] = m->a->alive(m->s, in);
            /* A cell that is not cut stays as it is written: languages grow with cuts only. */
            if (!verdicts[c][i] || !m->a->alive(m->s, out)) continue;
            if (n == MAX_CELLS) return false;
            verdicts[n] = arena_push_copy(m->scratch, verdicts[c], m->n);
            if (!verdicts[n]) return false;
            verdicts[n][i] = false;
            cells[n++] = out;
            cells[c] = in;
        }
    }
    for (size_t c = 0; c < n; c++)
        if (!add_row(m, cells[c], verdicts[c])) return false;
    return true;
}

static bool make_table(struct solver *s, const struct algebra *a, uint32_t everything,
                       const goal_id *goals, size_t n, struct verdict_table *out) {
    struct maker m = {.s = s, .a = a, .scratch = &s->goals->scratch, .n = n, .out = out};
    m.max_bytes = (m.scratch->size - m.scratch->used) / 8;
    if (m.max_bytes > MAX_BYTES) m.max_bytes = MAX_BYTES;
    if (m.max_bytes < (n + 16) * 256) return false;
    m.languages = arena_push_array(m.scratch, n, sizeof *m.languages);
    m.twin = push_zero(m.scratch, n * sizeof *m.twin);
    m.finite = push_zero(m.scratch, n);
    if (!m.languages || !m.twin || !m.finite || !table_init(&m.by_element, m.scratch, 64))
        return false;
    for (size_t i = 0; i < n; i++) {
        m.languages[i] = a->language(s, goals[i]);
        while (m.languages[m.twin[i]] != m.languages[i]) m.twin[i]++;
    }
    list_finite(&m);
    return rows_of_elements(&m) && rows_of_cells(&m, everything) && !s->limited;
}

/* ---- null and booleans ----------------------------------------------------------------------- */

static bool make_small(struct solver *s, enum value_type t, const goal_id *goals, size_t n,
                       struct verdict_table *out) {
    unsigned values = t == TYPE_BOOLEAN ? 2 : 1;
    struct maker m = {.s = s, .scratch = &s->goals->scratch, .n = n, .out = out};
    for (unsigned v = 0; v < values; v++) {
        bool *verdicts = arena_push(m.scratch, n);
        if (!verdicts) return false;
        for (size_t i = 0; i < n; i++)
            verdicts[i] = goal_holds_boolean(s->goals, goal_specialise(s->goals, goals[i], t), v);
        if (v && memcmp(verdicts, out->rows.data[0].verdicts, n) == 0)
            out->rows.data[0].language = 3;
        else if (!add_row(&m, 1u << v, verdicts))
            return false;
    }
    return true;
}

bool solver_verdict_table(struct solver *s, enum value_type t, const goal_id *goals, size_t n,
                          struct verdict_table *out) {
    memset(out, 0, sizeof *out);
    out->type = t;
    if (t == TYPE_STRING) return make_table(s, &algebra_of_strings, TERM_ANY, goals, n, out);
    if (t == TYPE_NUMBER) return make_table(s, &algebra_of_numbers, NUMSET_ALL, goals, n, out);
    return make_small(s, t, goals, n, out);
}

/* ---- using it -------------------------------------------------------------------------------- */

goal_id solver_row_goal(struct solver *s, enum value_type t, const struct verdict_row *row,
                        const goal_id *goals, size_t n) {
    goal_id value = GOAL_TRUE, type = goal_type(s->goals, TYPE_BIT(t));
    size_t holds = n;
    for (size_t i = 0; i < n; i++)
        if (row->verdicts[i]) holds = holds == n ? i : n + 1;
    if (t == TYPE_STRING) {
        value = goal_string(s->goals, row->language);
        if (holds < n && string_language(s, goals[holds]) == row->language) value = goals[holds];
    } else if (t == TYPE_NUMBER) {
        value = goal_number(s->goals, row->language);
        if (holds < n && number_language(s, goals[holds]) == row->language) value = goals[holds];
    } else if (t == TYPE_BOOLEAN && row->language != 3) {
        value = goal_boolean(s->goals, row->language == 2);
    }
    return goal_and2(s->goals, type, value);
}

size_t solver_settled_goals(struct solver *s, enum value_type t, const goal_id *goals, size_t n,
                            goal_id *settled, bool *verdicts) {
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        goal_id g = goal_specialise(s->goals, goals[i], t);
        if (g > GOAL_CYCLE) continue;
        settled[m] = goals[i];
        verdicts[m++] = g == GOAL_TRUE;
    }
    return m;
}

bool solver_wants_table(const struct formula_variable *variables, size_t n) {
    bool mixed = n >= 4;
    for (size_t i = 0; i < n && !mixed; i++) mixed = variables[i].polarity == 3;
    return n >= 2 && mixed;
}

struct formula_variable *solver_variables(struct solver *s, goal_id f, size_t *n) {
    size_t mark = goal_scratch_mark(s->goals);
    for (size_t capacity = 64; capacity <= MAX_VARIABLES; capacity *= 4) {
        struct formula_variable *list =
            arena_push_array(&s->goals->scratch, capacity, sizeof *list);
        if (!list) break;
        *n = formula_variables(s->goals, f, list, 0, capacity);
        if (*n != SIZE_MAX) return list;
        goal_scratch_pop(s->goals, mark);
    }
    s->limited = true;
    return NULL;
}
