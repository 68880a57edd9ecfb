/* SPDX-License-Identifier: MIT
 *
 * Does a set meet a range? The constants of the set cut the line into points and open cells. A
 * point is asked directly. Within a cell only the multiples vary: for every choice S of those that
 * hold, y must be a multiple of L = lcm(S) and of none of the others, so a short run of multiples
 * of L decides (Jacobsthal: among few divisors a run of some hundred contains one that all of them
 * miss, unless one divides L). With S empty, y is any number with a last digit below all of them.
 * Choices are made one multiple after the other: what S implies is not asked, and what makes the
 * set fail or leaves no room for L is not pursued, so many multiples need not cost 2^n.
 *
 * The range of all numbers that begin with given digits is a union of intervals, one a power of
 * ten. Those too short to hold a multiple of L, and those after one that surely does, are skipped.
 */
#include "automaton/number_internal.h"

#include <stdlib.h>
#include <string.h>

#define MULTIPLES_MAX 64   /* atoms of one question: bits of a choice */
#define RUN_MAX       2000 /* multiples of L that are tried in one interval */
#define FAR_DIGITS    3000 /* beyond: only multiples of L * 10^n are tried */
#define NO_BOUND_LOW  INT64_MIN
#define NO_BOUND_HIGH INT64_MAX

/* ---- ranges --------------------------------------------------------------------------------- */

bool reach_has(const struct reach *r, const struct decimal *y) {
    if (r->empty || y->negative || (!r->dense && !decimal_is_integer(y))) return false;
    if (!r->prefix) {
        int c = decimal_compare(y, &r->lo);
        if (c < 0 || (c == 0 && r->lo_out)) return false;
        return r->hi_infinite || decimal_compare(y, &r->hi) < 0;
    }
    if (!y->n_digits) return false;
    int64_t j = y->exponent - r->p.exponent;
    struct decimal shifted = decimal_scale(y, -j);
    int c = decimal_compare(&shifted, &r->p);
    if (c == 0 && j == 0 && r->lo_out) return false;
    return j >= r->j_min && j <= r->j_max && c >= 0 && decimal_compare(&shifted, &r->p_above) < 0;
}

/* -1, 0, 1: all of the range lies below c, not decided, above or at c (`strict`: above). */
static int side_of(const struct reach *r, const struct decimal *c, bool strict) {
    static const struct decimal zero = {NULL, 0, false, 0};
    struct decimal lo = zero, hi = zero;
    bool lo_out = true, hi_infinite = false;
    if (!r->prefix) {
        lo = r->lo;
        hi = r->hi;
        lo_out = r->lo_out;
        hi_infinite = r->hi_infinite;
    } else {
        if (r->j_min != NO_BOUND_LOW) {
            lo = decimal_scale(&r->p, r->j_min);
            lo_out = r->lo_out && r->j_min == 0;
        }
        hi_infinite = r->j_max == NO_BOUND_HIGH;
        if (!hi_infinite) hi = decimal_scale(&r->p_above, r->j_max);
    }
    int order = decimal_compare(&lo, c);
    if (order > 0 || (order == 0 && (!strict || lo_out))) return 1;
    return !hi_infinite && decimal_compare(&hi, c) <= 0 ? -1 : 0;
}

static numset_id fold_values(struct number_store *s, uint32_t node, const struct reach *r) {
    struct set_node k = s->nodes.data[node];
    uint32_t n = 0;
    for (uint32_t i = 0; i < k.n; i++) n += reach_has(r, &k.values[i]);
    if (n == k.n || n == 0) return n ? node << 1 : NUMSET_NONE;
    struct decimal *kept = arena_push_array(s->arena, n, sizeof *kept);
    if (!kept) return NUMSET_NONE;
    n = 0;
    for (uint32_t i = 0; i < k.n; i++)
        if (reach_has(r, &k.values[i])) kept[n++] = k.values[i];
    return numset_sorted_values(s, kept, n);
}

static numset_id fold_multiple(struct number_store *s, uint32_t node, const struct reach *r) {
    static const unsigned char one_digit[1] = {1};
    const struct decimal one = {one_digit, 1, false, 1};
    const struct decimal m = s->nodes.data[node].c;
    if (!r->dense && decimal_is_multiple(&one, &m)) return NUMSET_ALL;
    if (r->prefix || r->hi_infinite) return node << 1;
    struct decimal y;
    size_t mark = scratch_mark(s);
    bool none = decimal_next_multiple(&s->scratch, &r->lo, &m, r->lo_out, &y) &&
                decimal_compare(&y, &r->hi) >= 0;
    scratch_release(s, mark);
    return none ? NUMSET_NONE : node << 1;
}

static numset_id fold_atom(void *ctx, struct number_store *s, uint32_t node) {
    const struct reach *r = ctx;
    const struct set_node *k = &s->nodes.data[node];
    int side = 0;
    switch (k->kind) {
    case SET_VALUES: return fold_values(s, node, r);
    case SET_MULTIPLE: return fold_multiple(s, node, r);
    default: side = side_of(r, &k->c, k->kind == SET_ABOVE);
    }
    return side > 0 ? NUMSET_ALL : side < 0 ? NUMSET_NONE : node << 1;
}

numset_id numset_fold(struct number_store *s, numset_id a, const struct reach *r) {
    if (a <= NUMSET_ALL) return a;
    struct reach copy = *r;
    return numset_map(s, a, fold_atom, &copy);
}

/* ---- a question ----------------------------------------------------------------------------- */

struct question {
    struct number_store *s;
    numset_id set;
    bool dense;
    struct decimal *cuts; /* ascending, >= 0 */
    size_t n_cuts;
    struct decimal multiples[MULTIPLES_MAX];
    numset_id multiple_sets[MULTIPLES_MAX];
    unsigned n_multiples;
    uint64_t must, must_not; /* multiples that hold, or fail, wherever the set does */
    /* the cell being asked */
    size_t cell;
    uint64_t choice;
    unsigned n_chosen; /* the choice is about the multiples up to this one */
};

static bool chosen(uint64_t choice, unsigned i) {
    return choice >> i & 1;
}

static enum truth cut_truth(void *ctx, const struct number_store *s, uint32_t node) {
    const struct question *q = ctx;
    const struct set_node *k = &s->nodes.data[node];
    bool yes = false;
    if (k->kind == SET_MULTIPLE) {
        if (k->place >= q->n_chosen) return TRUTH_UNKNOWN;
        yes = chosen(q->choice, k->place);
    } else if (k->kind != SET_VALUES) { /* whose values are cuts, not cells */
        yes = k->place <= q->cell;
    }
    return yes ? TRUTH_YES : TRUTH_NO;
}

static size_t place_of(const struct question *q, const struct decimal *c) {
    size_t lo = 0, hi = q->n_cuts;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (decimal_compare(&q->cuts[mid], c) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Collects the cuts; negative ones hold nowhere or everywhere on y >= 0 and share place "before
 * the first". */
static bool collect_cuts(struct question *q, const uint32_t *atoms, size_t n) {
    struct number_store *s = q->s;
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        const struct set_node *k = &s->nodes.data[atoms[i]];
        total += k->kind == SET_VALUES ? k->n : 1;
    }
    q->cuts = arena_push_array(&s->scratch, total, sizeof *q->cuts);
    if (!q->cuts) return false;
    for (size_t i = 0; i < n; i++) {
        const struct set_node *k = &s->nodes.data[atoms[i]];
        if (k->kind == SET_MULTIPLE) continue;
        const struct decimal *values = k->kind == SET_VALUES ? k->values : &k->c;
        for (uint32_t j = 0; j < (k->kind == SET_VALUES ? k->n : 1); j++)
            if (!values[j].negative) q->cuts[q->n_cuts++] = values[j];
    }
    decimals_sort(q->cuts, q->n_cuts);
    size_t kept = 0;
    for (size_t i = 0; i < q->n_cuts; i++)
        if (!kept || decimal_compare(&q->cuts[kept - 1], &q->cuts[i])) q->cuts[kept++] = q->cuts[i];
    q->n_cuts = kept;
    return true;
}

static void find_forced(struct question *q) {
    const struct set_node *k = set_node(q->s, q->set);
    bool conjunction = k->kind == SET_AND && !(q->set & 1);
    const numset_id *kids = conjunction ? k->kids : &q->set;
    for (uint32_t i = 0; i < (conjunction ? k->n : 1); i++) {
        const struct set_node *kid = set_node(q->s, kids[i]);
        if (kid->kind != SET_MULTIPLE) continue;
        if (kids[i] & 1)
            q->must_not |= UINT64_C(1) << kid->place;
        else
            q->must |= UINT64_C(1) << kid->place;
    }
}

static bool question_init(struct question *q, struct number_store *s, numset_id set, bool dense) {
    size_t n;
    memset(q, 0, sizeof *q);
    q->s = s;
    q->set = set;
    q->dense = dense;
    uint32_t *atoms = numset_atoms(s, &set, 1, &n);
    if (s->limited || !number_work(s, n)) return false;
    if (!collect_cuts(q, atoms, n)) return false;
    if (!number_work(s, q->n_cuts / NUMSET_LOOKS_A_STEP)) return false;
    for (size_t i = 0; i < n; i++) {
        struct set_node *k = &s->nodes.data[atoms[i]];
        if (k->kind == SET_VALUES) continue;
        if (k->kind != SET_MULTIPLE) {
            /* true in cell c iff the constant is one of the c cuts below it, or below zero */
            k->place = k->c.negative ? 0 : (uint32_t)place_of(q, &k->c) + 1;
            continue;
        }
        if (q->n_multiples == MULTIPLES_MAX) return false;
        k->place = q->n_multiples;
        q->multiple_sets[q->n_multiples] = atoms[i] << 1;
        q->multiples[q->n_multiples++] = k->c;
    }
    find_forced(q);
    return true;
}

/* Does the set hold in cell number `cell` (between cuts cell - 1 and cell) under the choice about
 * the first n multiples? */
static enum truth truth_in_cell(struct question *q, size_t cell, uint64_t choice, unsigned n) {
    q->cell = cell;
    q->choice = choice;
    q->n_chosen = n;
    return numset_evaluate(q->s, q->set, cut_truth, q);
}

/* ---- one interval --------------------------------------------------------------------------- */

struct interval {
    struct decimal lo, hi;
    bool lo_out, hi_infinite; /* hi is out */
};

static int64_t last_place(const struct decimal *d) {
    return d->exponent - (int64_t)d->n_digits;
}

static bool misses_others(const struct question *q, uint64_t choice, const struct decimal *y) {
    for (unsigned i = 0; i < q->n_multiples; i++)
        if (!chosen(choice, i) && decimal_is_multiple(y, &q->multiples[i])) return false;
    return true;
}

/* The first multiple of `step` in the interval that misses the other multiples. */
static enum numset_answer run(struct question *q, uint64_t choice, const struct decimal *step,
                              const struct interval *v, struct decimal *y) {
    struct arena *t = &q->s->scratch;
    if (!decimal_next_multiple(t, &v->lo, step, v->lo_out, y)) return NUMSET_LIMIT;
    for (int i = 0; i < RUN_MAX; i++) {
        if (!v->hi_infinite && decimal_compare(y, &v->hi) >= 0) return NUMSET_NO;
        if (!number_work(q->s, 1 + y->n_digits / 64)) return NUMSET_LIMIT;
        if (misses_others(q, choice, y)) return NUMSET_YES;
        struct decimal before = *y;
        if (!decimal_next_multiple(t, &before, step, true, y)) return NUMSET_LIMIT;
    }
    return NUMSET_LIMIT;
}

/* Where lo is so large that its multiples of the step have very many digits, rounder ones do. */
static enum numset_answer find_multiple(struct question *q, uint64_t choice,
                                        const struct decimal *step, const struct interval *v,
                                        struct decimal *y) {
    int64_t far = v->lo.exponent - last_place(step);
    if (!v->lo.n_digits || far <= FAR_DIGITS) return run(q, choice, step, v, y);
    int64_t wide = v->lo.exponent - step->exponent;
    for (int64_t digits = 2; digits <= 1000 && digits < wide; digits *= 8) {
        struct decimal round = decimal_scale(step, wide - digits);
        enum numset_answer a = run(q, choice, &round, v, y);
        if (a == NUMSET_YES || q->s->limited) return a;
    }
    return far <= DECIMAL_MAX_DIGITS ? run(q, choice, step, v, y) : NUMSET_LIMIT;
}

/* Any number strictly inside that is no multiple of anything: with a digit below the last one of
 * every multiple, and fine enough for the interval. */
static enum numset_answer find_dense(struct question *q, const struct interval *v,
                                     struct decimal *y) {
    static const unsigned char one[1] = {1};
    int64_t place = v->lo.n_digits ? v->lo.exponent - 1 : 0; /* power of ten of the last digit */
    for (unsigned i = 0; i < q->n_multiples; i++)
        if (last_place(&q->multiples[i]) - 1 < place) place = last_place(&q->multiples[i]) - 1;
    if (!v->hi_infinite) {
        struct decimal width = v->hi, minus_lo = decimal_negate(&v->lo);
        if (v->lo.n_digits && v->lo.exponent >= v->hi.exponent - 1 &&
            !decimal_add(&q->s->scratch, &v->hi, &minus_lo, &width))
            return NUMSET_LIMIT;
        if (width.exponent - 3 < place) place = width.exponent - 3;
    }
    struct decimal step = {one, 1, false, place + 1};
    return find_multiple(q, 0, &step, v, y);
}

/* ---- choices -------------------------------------------------------------------------------- */

/* Cuts the interval down to the cell; false when nothing is left. */
static bool clip(const struct question *q, size_t cell, struct interval *v) {
    if (cell > 0) {
        const struct decimal *cut = &q->cuts[cell - 1];
        int c = decimal_compare(cut, &v->lo);
        if (c > 0) v->lo = *cut;
        if (c >= 0) v->lo_out = true;
    }
    if (cell < q->n_cuts) {
        const struct decimal *cut = &q->cuts[cell];
        if (v->hi_infinite || decimal_compare(cut, &v->hi) < 0) v->hi = *cut;
        v->hi_infinite = false;
    }
    return v->hi_infinite || decimal_compare(&v->lo, &v->hi) < 0;
}

/* What is done with a choice under which the set holds; `step` is NULL if no multiple has to hold.
 * NUMSET_NO: go on with the next choice. */
typedef enum numset_answer (*choice_fn)(struct question *q, uint64_t choice,
                                        const struct decimal *step, void *ctx);

struct choices {
    struct interval within; /* choices without a number here are left out */
    choice_fn visit;
    void *ctx;
};

static bool has_multiple(struct question *q, const struct interval *v, const struct decimal *step) {
    struct decimal y;
    if (v->hi_infinite) return true;
    size_t mark = scratch_mark(q->s);
    bool none = decimal_next_multiple(&q->s->scratch, &v->lo, step, v->lo_out, &y) &&
                decimal_compare(&y, &v->hi) >= 0;
    scratch_release(q->s, mark);
    return !none;
}

static enum numset_answer choose(struct question *q, const struct choices *c, unsigned i,
                                 uint64_t choice, const struct decimal *step);

/* Multiple number i holds, too. */
static enum numset_answer choose_it(struct question *q, const struct choices *c, unsigned i,
                                    uint64_t choice, const struct decimal *step) {
    const struct decimal *m = &q->multiples[i];
    struct decimal joined = *m;
    size_t mark = scratch_mark(q->s);
    if (step && decimal_is_multiple(step, m))
        joined = *step;
    else if (step && !decimal_lcm(&q->s->scratch, step, m, &joined))
        return NUMSET_LIMIT;
    choice |= UINT64_C(1) << i;
    for (unsigned j = 0; j < i; j++)
        if (!chosen(choice, j) && decimal_is_multiple(&joined, &q->multiples[j])) return NUMSET_NO;
    enum numset_answer a = NUMSET_NO;
    if (has_multiple(q, &c->within, &joined)) a = choose(q, c, i + 1, choice, &joined);
    if (a != NUMSET_YES) scratch_release(q->s, mark); /* else the value found lies there */
    return a;
}

/* Goes through the choices of multiples number i and up. As deep as there are multiples. */
static enum numset_answer choose(struct question *q, const struct choices *c, unsigned i,
                                 uint64_t choice, const struct decimal *step) {
    enum numset_answer without = NUMSET_NO, with = NUMSET_NO;
    if (!number_work(q->s, 1)) return NUMSET_LIMIT;
    if (truth_in_cell(q, q->cell, choice, i) == TRUTH_NO) return NUMSET_NO;
    if (i == q->n_multiples) return c->visit(q, choice, step, c->ctx);
    bool implied = step && decimal_is_multiple(step, &q->multiples[i]);
    if (!implied && !chosen(q->must, i)) without = choose(q, c, i + 1, choice, step);
    if (without == NUMSET_YES || q->s->limited) return without;
    if (!chosen(q->must_not, i)) with = choose_it(q, c, i, choice, step);
    return with == NUMSET_NO ? without : with;
}

/* All choices in a cell of the interval. NUMSET_YES as soon as the visit says so; NUMSET_LIMIT if
 * something was not known. */
static enum numset_answer choose_all(struct question *q, size_t cell, struct interval within,
                                     choice_fn visit, void *ctx) {
    static const unsigned char one_digit[1] = {1};
    const struct decimal one = {one_digit, 1, false, 1};
    struct choices c = {within, visit, ctx};
    q->cell = cell;
    if (!clip(q, cell, &c.within)) return NUMSET_NO;
    enum numset_answer a = choose(q, &c, 0, 0, q->dense ? NULL : &one);
    return q->s->limited && a == NUMSET_NO ? NUMSET_LIMIT : a;
}

/* ---- a range -------------------------------------------------------------------------------- */

static enum numset_answer ask_interval(struct question *q, size_t cell, uint64_t choice,
                                       const struct decimal *step, struct interval v,
                                       struct decimal *y) {
    if (!clip(q, cell, &v)) return NUMSET_NO;
    return step ? find_multiple(q, choice, step, &v, y) : find_dense(q, &v, y);
}

static struct interval decade(const struct reach *r, int64_t j) {
    return (struct interval){.lo = decimal_scale(&r->p, j),
                             .hi = decimal_scale(&r->p_above, j),
                             .lo_out = r->lo_out && j == 0};
}

/* All numbers that begin with the digits of p: one interval a power of ten. */
static enum numset_answer ask_prefix(struct question *q, size_t cell, uint64_t choice,
                                     const struct decimal *step, const struct reach *r,
                                     struct decimal *y) {
    const struct decimal *lo = cell ? &q->cuts[cell - 1] : NULL;
    const struct decimal *hi = cell < q->n_cuts ? &q->cuts[cell] : NULL;
    if (hi && !hi->n_digits) return NUMSET_NO;
    if (r->j_min <= 0 && r->j_max >= 0) { /* the shortest texts first */
        enum numset_answer a = ask_interval(q, cell, choice, step, decade(r, 0), y);
        if (a != NUMSET_NO) return a;
    }
    int64_t from = r->j_min, bound = NO_BOUND_LOW;
    if (lo && lo->n_digits) bound = lo->exponent - r->p.exponent - 1;
    if (from < bound) from = bound;
    if (step && from < step->exponent - r->p.exponent - 1)
        from = step->exponent - r->p.exponent - 1;
    if (from == NO_BOUND_LOW) from = hi ? hi->exponent - r->p.exponent - 3 : 0;
    /* From `sure` on an interval that lies inside the cell must hold an answer. */
    int64_t sure = step && step->exponent + 3 > from ? step->exponent + 3 : from;
    int64_t to = sure + 3;
    if (hi && to > hi->exponent - r->p.exponent + 1) to = hi->exponent - r->p.exponent + 1;
    if (to > r->j_max) to = r->j_max;
    for (int64_t j = from; j <= to; j++) {
        if (!number_work(q->s, 1 + r->p.n_digits / 64)) return NUMSET_LIMIT;
        enum numset_answer a = ask_interval(q, cell, choice, step, decade(r, j), y);
        if (a != NUMSET_NO) return a;
    }
    return NUMSET_NO;
}

struct search {
    const struct reach *r;
    struct decimal *y;
};

static enum numset_answer ask_choice(struct question *q, uint64_t choice,
                                     const struct decimal *step, void *ctx) {
    const struct search *c = ctx;
    const struct reach *r = c->r;
    if (r->prefix) return ask_prefix(q, q->cell, choice, step, r, c->y);
    struct interval whole = {r->lo, r->hi, r->lo_out, r->hi_infinite};
    return ask_interval(q, q->cell, choice, step, whole, c->y);
}

/* The least interval that holds the range. */
static struct interval around(const struct reach *r) {
    if (!r->prefix) return (struct interval){r->lo, r->hi, r->lo_out, r->hi_infinite};
    struct interval v = {.hi_infinite = r->j_max == NO_BOUND_HIGH};
    if (r->j_min != NO_BOUND_LOW) v.lo = decimal_scale(&r->p, r->j_min);
    if (!v.hi_infinite) v.hi = decimal_scale(&r->p_above, r->j_max);
    return v;
}

/* Which cells can the range meet at all? Saves asking the others one by one. */
static void cell_range(const struct question *q, const struct reach *r, size_t *from, size_t *to) {
    *from = 0;
    *to = q->n_cuts;
    if (!r->prefix) {
        *from = place_of(q, &r->lo);
        if (!r->hi_infinite) *to = place_of(q, &r->hi);
    }
}

static enum numset_answer find_listed(struct number_store *s, const struct set_node *list,
                                      const struct reach *r, struct decimal *y) {
    for (uint32_t i = 0; i < list->n; i++)
        if (reach_has(r, &list->values[i])) {
            *y = list->values[i];
            return NUMSET_YES;
        }
    return number_work(s, 1 + list->n / NUMSET_LOOKS_A_STEP) ? NUMSET_NO : NUMSET_LIMIT;
}

enum numset_answer numset_find(struct number_store *s, numset_id a, const struct reach *r,
                               struct decimal *y) {
    struct question q;
    enum numset_answer worst = NUMSET_NO;
    size_t from, to;
    if (r->empty || a == NUMSET_NONE) return NUMSET_NO;
    if (set_node(s, a)->kind == SET_VALUES && !(a & 1)) return find_listed(s, set_node(s, a), r, y);
    if (!question_init(&q, s, a, r->dense)) return NUMSET_LIMIT;
    for (size_t i = 0; i < q.n_cuts; i++)
        if (reach_has(r, &q.cuts[i]) && numset_contains(s, a, &q.cuts[i])) {
            *y = q.cuts[i];
            return NUMSET_YES;
        }
    cell_range(&q, r, &from, &to);
    for (size_t cell = from; cell <= to; cell++) {
        struct search search = {r, y};
        enum numset_answer answer = choose_all(&q, cell, around(r), ask_choice, &search);
        if (answer == NUMSET_YES) return answer;
        if (answer == NUMSET_LIMIT) worst = answer;
        if (s->limited) return NUMSET_LIMIT;
    }
    return worst;
}

/* ---- infinite? ------------------------------------------------------------------------------ */

static enum numset_answer any_choice(struct question *q, uint64_t choice,
                                     const struct decimal *step, void *ctx) {
    (void)q;
    (void)choice;
    (void)step;
    (void)ctx;
    return NUMSET_YES;
}

/* A cell with an end holds infinitely many numbers where none has to be a multiple. In the last
 * one every choice does: with a multiple of L that misses the others, so does that plus any
 * common multiple. */
static enum numset_answer is_side_infinite(struct number_store *s, numset_id a) {
    const struct interval all = {.hi_infinite = true};
    struct question q;
    if (!question_init(&q, s, a, number_dense(s))) return NUMSET_LIMIT;
    for (size_t cell = 0; q.dense && cell < q.n_cuts; cell++) {
        if (!number_work(s, 1)) return NUMSET_LIMIT;
        if (q.cuts[cell].n_digits && truth_in_cell(&q, cell, 0, q.n_multiples) == TRUTH_YES)
            return NUMSET_YES;
    }
    return choose_all(&q, q.n_cuts, all, any_choice, NULL);
}

/* Both sides of zero, as far as they can be written. */
static enum numset_answer is_infinite(struct number_store *s, numset_id a) {
    enum numset_answer positive = is_side_infinite(s, a), negative = NUMSET_NO;
    if (positive == NUMSET_YES || s->limited) return positive;
    if (s->writable[CLASS_MINUS]) negative = is_side_infinite(s, numset_mirror(s, a));
    return negative == NUMSET_NO ? positive : negative;
}

enum numset_answer numset_is_infinite(struct number_store *s, numset_id a, uint64_t *work,
                                      uint64_t limit) {
    enum numset_answer answer;
    uint64_t saved = number_begin_question(s, *work, limit);
    a = numset_written_values(s, a);
    do {
        size_t mark = scratch_mark(s);
        number_reset_question(s);
        answer = is_infinite(s, a);
        scratch_release(s, mark);
    } while (answer == NUMSET_LIMIT && s->scratch_short && scratch_grow(s));
    number_end_question(s, saved, work);
    if (s->arena->failed) return NUMSET_LIMIT;
    /* Which of infinitely many can do without some digit is not known. */
    return answer == NUMSET_YES && !s->all_digits ? NUMSET_LIMIT : answer;
}

/* ---- finite sets ---------------------------------------------------------------------------- */

struct value_list {
    struct decimal *out;
    size_t n, capacity;
    bool negative; /* the side being listed */
};

/* NUMSET_YES: there is no room. */
static enum numset_answer add_value(struct number_store *s, struct value_list *l,
                                    const struct decimal *y) {
    if (!decimal_is_integer(y) && !number_dense(s)) return NUMSET_NO; /* cannot be written */
    if (l->n == l->capacity) return NUMSET_YES;
    struct decimal x = l->negative ? decimal_negate(y) : *y;
    if (!decimal_keep(s, &x, &l->out[l->n])) return NUMSET_LIMIT;
    l->n++;
    return NUMSET_NO;
}

/* All values of one choice in one cell. */
static enum numset_answer list_choice(struct question *q, uint64_t choice,
                                      const struct decimal *step, void *ctx) {
    struct number_store *s = q->s;
    struct interval v = {.lo_out = true, .hi_infinite = true};
    struct decimal y, before;
    enum numset_answer a = NUMSET_NO;
    if (!step || q->cell == q->n_cuts) return NUMSET_YES; /* infinitely many */
    if (!clip(q, q->cell, &v)) return NUMSET_NO;
    size_t mark = scratch_mark(s);
    bool next = decimal_next_multiple(&s->scratch, &v.lo, step, true, &y);
    while (next && a == NUMSET_NO && decimal_compare(&y, &v.hi) < 0) {
        if (!number_work(s, 1)) return NUMSET_LIMIT;
        if (misses_others(q, choice, &y)) a = add_value(s, ctx, &y);
        before = y;
        next = decimal_next_multiple(&s->scratch, &before, step, true, &y);
    }
    scratch_release(s, mark);
    return next ? a : NUMSET_LIMIT;
}

/* The values of the set beside zero, on one side. */
static enum numset_answer list_side(struct number_store *s, numset_id a, struct value_list *l) {
    const struct interval positive = {.lo_out = true, .hi_infinite = true};
    enum numset_answer answer = NUMSET_NO;
    struct question q;
    if (!question_init(&q, s, a, number_dense(s))) return NUMSET_LIMIT;
    for (size_t i = 0; answer == NUMSET_NO && i < q.n_cuts; i++)
        if (q.cuts[i].n_digits && numset_contains(s, a, &q.cuts[i]))
            answer = add_value(s, l, &q.cuts[i]);
    for (size_t cell = 0; answer == NUMSET_NO && cell <= q.n_cuts; cell++)
        answer = choose_all(&q, cell, positive, list_choice, l);
    return answer;
}

/* NUMSET_YES: there are more than fit. */
static enum numset_answer list_values(struct number_store *s, numset_id a, struct value_list *l) {
    static const struct decimal zero = {NULL, 0, false, 0};
    enum numset_answer answer = NUMSET_NO;
    l->n = 0;
    if (numset_contains(s, a, &zero)) answer = add_value(s, l, &zero);
    l->negative = true;
    if (answer == NUMSET_NO && s->writable[CLASS_MINUS])
        answer = list_side(s, numset_mirror(s, a), l);
    l->negative = false;
    return answer == NUMSET_NO ? list_side(s, a, l) : answer;
}

/* Where a digit is missing: leaves out what cannot be written. */
static size_t keep_writable(struct number_store *s, numset_id a, struct decimal *values, size_t n,
                            enum numset_answer *more) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t work = 0;
        numset_id both[2] = {a, numset_values(s, &values[i], 1)};
        enum numset_answer in = numset_has_value(s, numset_and(s, both, 2), &work, s->limit);
        if (in == NUMSET_LIMIT) *more = NUMSET_LIMIT;
        if (in == NUMSET_YES) values[kept++] = values[i];
    }
    if (*more == NUMSET_YES) *more = NUMSET_LIMIT;
    return kept;
}

size_t numset_enumerate(struct number_store *s, numset_id a, struct decimal *out, size_t capacity,
                        enum numset_answer *more, uint64_t *work, uint64_t limit) {
    struct value_list l = {.out = out, .capacity = capacity};
    *more = numset_is_infinite(s, a, work, limit);
    if (*more != NUMSET_NO) return 0;
    uint64_t saved = number_begin_question(s, *work, limit);
    numset_id values = numset_written_values(s, a);
    do {
        size_t mark = scratch_mark(s);
        number_reset_question(s);
        *more = list_values(s, values, &l);
        scratch_release(s, mark);
    } while (*more == NUMSET_LIMIT && s->scratch_short && scratch_grow(s));
    number_end_question(s, saved, work);
    size_t n = s->all_digits ? l.n : keep_writable(s, a, out, l.n, more);
    if (s->arena->failed) *more = NUMSET_LIMIT;
    return n;
}
