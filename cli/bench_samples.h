/* SPDX-License-Identifier: MIT
 *
 * Measured values: kept all, so that the tail is exact, and summed up at the end.
 */
#ifndef FORMA_CLI_BENCH_SAMPLES_H
#define FORMA_CLI_BENCH_SAMPLES_H

#include "cli/common.h"

struct samples {
    double *values;
    size_t count, capacity;
};

bool samples_add(struct samples *s, double value); /* false: no memory */
void samples_free(struct samples *s);

struct summary {
    size_t count;
    double mean, p50, p90, p99, p999, max;
};
/* Sorts the values. Percentiles lie between two of them where they do not hit one. */
struct summary samples_sum(struct samples *s);

/* In another unit. */
struct summary summary_scaled(const struct summary *s, double factor);

/* "name   mean   p50 ..." as a row of a table; the heading when `s` is NULL. */
void summary_print(FILE *out, const char *name, const struct summary *s);
/* {"mean": ..., "p50": ...} */
void summary_json(FILE *out, const struct summary *s);

#endif
