/* SPDX-License-Identifier: MIT
 *
 * The oracle of sets of numbers; see lib_naive_number.h.
 */
#include "tests/lib_naive_number.h"

#include "tests/test.h"

naive_int naive_power10(int n) {
    naive_int p = 1;
    while (n-- > 0) p *= 10;
    return p;
}

static int compare(struct naive_decimal a, struct naive_decimal b) {
    naive_int x = a.m, y = b.m;
    if (a.e > b.e)
        x *= naive_power10(a.e - b.e);
    else
        y *= naive_power10(b.e - a.e);
    return (x > y) - (x < y);
}

bool naive_number_holds(const struct naive_numset *x, const struct naive_number *t) {
    struct naive_decimal v = t->v;
    switch (x->op) {
    case NAIVE_GE: return compare(v, x->c[0]) >= 0;
    case NAIVE_GT: return compare(v, x->c[0]) > 0;
    case NAIVE_MULTIPLE: {
        naive_int a = v.m, m = x->c[0].m;
        if (v.e > x->c[0].e)
            a *= naive_power10(v.e - x->c[0].e);
        else
            m *= naive_power10(x->c[0].e - v.e);
        return a % m == 0;
    }
    case NAIVE_IN:
        for (int i = 0; i < x->n; i++)
            if (compare(v, x->c[i]) == 0) return true;
        return false;
    case NAIVE_WHOLE: return t->whole;
    case NAIVE_AND: return naive_number_holds(x->kids[0], t) && naive_number_holds(x->kids[1], t);
    case NAIVE_OR: return naive_number_holds(x->kids[0], t) || naive_number_holds(x->kids[1], t);
    default: return !naive_number_holds(x->kids[0], t);
    }
}

/* ---- making the same sets twice ------------------------------------------------------------- */

static struct decimal parse_decimal(struct arena *a, const char *text) {
    struct decimal d = {0};
    decimal_parse(a, text, strlen(text), &d);
    return d;
}

struct decimal naive_number_decimal(struct arena *a, struct naive_decimal v) {
    char text[64];
    snprintf(text, sizeof text, "%llde%d", (long long)v.m, v.e);
    return parse_decimal(a, text);
}

numset_id naive_number_build(struct number_store *s, struct arena *a,
                             const struct naive_numset *x) {
    struct decimal d[3];
    numset_id kids[2];
    for (int i = 0; i < 3; i++) d[i] = naive_number_decimal(a, x->c[i]);
    for (int i = 0; i < 2; i++)
        if (x->kids[i]) kids[i] = naive_number_build(s, a, x->kids[i]);
    switch (x->op) {
    case NAIVE_GE: return numset_at_least(s, &d[0]);
    case NAIVE_GT: return numset_above(s, &d[0]);
    case NAIVE_MULTIPLE: return numset_multiple_of(s, &d[0]);
    case NAIVE_IN: return numset_values(s, d, (size_t)x->n);
    case NAIVE_WHOLE: return numset_written_whole(s);
    case NAIVE_AND: return numset_and(s, kids, 2);
    case NAIVE_OR: return numset_or(s, kids, 2);
    default: return numset_not(s, kids[0]);
    }
}

const struct naive_decimal naive_constants[NAIVE_CONSTANTS] = {
    {0, 0},  {1, 0},   {2, 0},  {5, 0},   {7, 0},    {10, 0},   {12, 0},    {13, 0},   {20, 0},
    {99, 0}, {100, 0}, {1, 3},  {5, -1},  {1, -1},   {125, -2}, {1, -2},    {333, -2}, {19, -1},
    {-1, 0}, {-5, -1}, {-3, 0}, {-12, 0}, {-100, 0}, {123, 0},  {1005, -1}, {1, -3},   {-125, -2}};
static const struct naive_decimal divisors[] = {{1, 0},  {2, 0},   {3, 0},  {7, 0},
                                                {5, -1}, {25, -2}, {10, 0}, {15, -1},
                                                {3, -1}, {1, -1},  {1, 2},  {12, 0}};

#define PICK(array, r) ((array)[test_below((r), (uint32_t)(sizeof(array) / sizeof *(array)))])

const struct naive_numset *naive_number_random(struct arena *a, uint64_t *r, int depth) {
    struct naive_numset *x = arena_push(a, sizeof *x);
    static const int atoms[] = {NAIVE_GE,       NAIVE_GT,       NAIVE_MULTIPLE,
                                NAIVE_MULTIPLE, NAIVE_MULTIPLE, NAIVE_IN};
    static const int joins[] = {NAIVE_AND, NAIVE_AND, NAIVE_AND, NAIVE_AND, NAIVE_OR, NAIVE_NOT};
    bool join = depth && test_below(r, 2);
    x->op = join ? PICK(joins, r) : test_below(r, 8) ? PICK(atoms, r) : NAIVE_WHOLE;
    x->n = 1 + (int)test_below(r, 3);
    for (int i = 0; i < 3; i++)
        x->c[i] = x->op == NAIVE_MULTIPLE ? PICK(divisors, r) : PICK(naive_constants, r);
    if (x->op >= NAIVE_AND) x->kids[0] = naive_number_random(a, r, depth - 1);
    if (x->op == NAIVE_AND || x->op == NAIVE_OR) x->kids[1] = naive_number_random(a, r, depth - 1);
    return x;
}

numset_id naive_number_parse(struct number_store *s, struct arena *a, const char *text) {
    numset_id sets[16];
    size_t n = 0;
    char copy[256], *save = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        bool equal = w[0] != '*' && w[1] == '=', negated = w[0] == '!' || w[0] == '<';
        bool multiple = w[0] == '*' || (w[0] == '!' && w[1] == '*');
        bool written = w[negated] == 'w';
        struct decimal c = {0};
        if (!written) c = parse_decimal(a, w + 1 + (equal || (negated && multiple)));
        numset_id id;
        if (written)
            id = numset_written_whole(s);
        else if (multiple)
            id = numset_multiple_of(s, &c);
        else if (w[0] == '=')
            id = numset_values(s, &c, 1);
        else if (w[0] == '>')
            id = equal ? numset_at_least(s, &c) : numset_above(s, &c);
        else
            id = equal ? numset_above(s, &c) : numset_at_least(s, &c);
        sets[n++] = negated ? numset_not(s, id) : id;
    }
    return numset_and(s, sets, n);
}
