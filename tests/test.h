/* SPDX-License-Identifier: MIT
 *
 * The test harness: checks that print file:line with both values and count; a test program ends
 * with `return test_done("module");`, which prints "module: N passed, N failed" and gives the exit
 * status. Each test_<module>.c is one program.
 */
#ifndef FORMA_TESTS_TEST_H
#define FORMA_TESTS_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long test_passed, test_failed;

static inline bool test_result(bool ok) {
    if (ok)
        test_passed++;
    else
        test_failed++;
    return ok;
}

static inline bool test_int(const char *file, int line, const char *what, long long got,
                            long long want) {
    if (!test_result(got == want))
        fprintf(stderr, "%s:%d: %s: got %lld, want %lld\n", file, line, what, got, want);
    return got == want;
}

static inline bool test_str(const char *file, int line, const char *what, const char *got,
                            const char *want) {
    bool same = got && want ? strcmp(got, want) == 0 : got == want;
    if (!test_result(same))
        fprintf(stderr, "%s:%d: %s: got \"%s\", want \"%s\"\n", file, line, what,
                got ? got : "(null)", want ? want : "(null)");
    return same;
}

static inline bool test_near(const char *file, int line, const char *what, double got, double want,
                             double tolerance) {
    bool near = fabs(got - want) <= tolerance; /* false for NaN */
    if (!test_result(near))
        fprintf(stderr, "%s:%d: %s: got %.9g, want %.9g +- %g\n", file, line, what, got, want,
                tolerance);
    return near;
}

/* Each is true when the check holds. */
#define CHECK(condition)                                                                           \
    (test_result(condition)                                                                        \
         ? true                                                                                    \
         : (fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition), false))
#define CHECK_INT(got, want) test_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))
#define CHECK_STR(got, want) test_str(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_NEAR(got, want, tolerance)                                                           \
    test_near(__FILE__, __LINE__, #got, (double)(got), (double)(want), (double)(tolerance))

/* A small seeded generator for property tests (splitmix64); print the seed when a check fails. */
static inline uint64_t test_random(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
/* 0 .. n-1 */
static inline uint32_t test_below(uint64_t *state, uint32_t n) {
    return (uint32_t)((test_random(state) >> 32) * n >> 32);
}

static inline int test_done(const char *module) {
    printf("%s: %ld passed, %ld failed\n", module, test_passed, test_failed);
    return test_failed != 0;
}

#endif
