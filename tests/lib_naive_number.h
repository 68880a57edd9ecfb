/* SPDX-License-Identifier: MIT
 *
 * Sets of numbers the slow way, for tests: expression trees, judged by scaled 128-bit arithmetic
 * that shares nothing with the code under test.
 */
#ifndef FORMA_TESTS_NAIVE_NUMBER_H
#define FORMA_TESTS_NAIVE_NUMBER_H

#include "automaton/number.h"

__extension__ typedef __int128 naive_int;

/* m * 10^e */
struct naive_decimal {
    naive_int m;
    int e;
};

/* What a text says: its value and whether it has neither fraction nor exponent. */
struct naive_number {
    struct naive_decimal v;
    bool whole;
};

enum { NAIVE_GE, NAIVE_GT, NAIVE_MULTIPLE, NAIVE_IN, NAIVE_WHOLE, NAIVE_AND, NAIVE_OR, NAIVE_NOT };

struct naive_numset {
    int op;
    struct naive_decimal c[3];
    int n; /* of c (IN) */
    const struct naive_numset *kids[2];
};

naive_int naive_power10(int n);
/* Does the set hold the number that is written so? */
bool naive_number_holds(const struct naive_numset *x, const struct naive_number *t);

/* What trees are made of. All constants lie within 1000; all divisors are multiples of 0.05 and
 * divide 2100. */
#define NAIVE_CONSTANTS 27
extern const struct naive_decimal naive_constants[NAIVE_CONSTANTS];
const struct naive_numset *naive_number_random(struct arena *a, uint64_t *seed, int depth);

/* The same for the code under test. */
struct decimal naive_number_decimal(struct arena *a, struct naive_decimal v);
numset_id naive_number_build(struct number_store *s, struct arena *a, const struct naive_numset *x);
/* A conjunction of space-separated atoms: ">=c", ">c", "<=c", "<c", "*m", "!*m", "=v", "w" (written
 * whole), "!w". */
numset_id naive_number_parse(struct number_store *s, struct arena *a, const char *text);

#endif
