/* SPDX-License-Identifier: MIT */
#include "cli/bench_samples.h"

#include <stdlib.h>

bool samples_add(struct samples *s, double value) {
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 1024, bytes;
        double *grown =
            fa_mul_size(capacity, sizeof *grown, &bytes) ? realloc(s->values, bytes) : NULL;
        if (!grown) return false;
        s->values = grown;
        s->capacity = capacity;
    }
    s->values[s->count++] = value;
    return true;
}

void samples_free(struct samples *s) {
    free(s->values);
    *s = (struct samples){0};
}

static int by_value(const void *pa, const void *pb) {
    double a = *(const double *)pa, b = *(const double *)pb;
    return a < b ? -1 : a > b;
}

static double percentile(const struct samples *s, double share) {
    double place = share * (double)(s->count - 1);
    size_t below = (size_t)place, above = below + 1 < s->count ? below + 1 : below;
    double part = place - (double)below;
    return s->values[below] + part * (s->values[above] - s->values[below]);
}

struct summary samples_sum(struct samples *s) {
    struct summary sum = {.count = s->count};
    double total = 0;
    if (s->count == 0) return sum;
    qsort(s->values, s->count, sizeof *s->values, by_value);
    for (size_t i = 0; i < s->count; i++) total += s->values[i];
    sum.mean = total / (double)s->count;
    sum.p50 = percentile(s, 0.5);
    sum.p90 = percentile(s, 0.9);
    sum.p99 = percentile(s, 0.99);
    sum.p999 = percentile(s, 0.999);
    sum.max = s->values[s->count - 1];
    return sum;
}

struct summary summary_scaled(const struct summary *s, double factor) {
    return (struct summary){s->count,        s->mean * factor, s->p50 * factor, s->p90 * factor,
                            s->p99 * factor, s->p999 * factor, s->max * factor};
}

void summary_print(FILE *out, const char *name, const struct summary *s) {
    if (!s)
        fprintf(out, "%-28s %9s %9s %9s %9s %9s %11s %9s\n", name, "mean", "p50", "p90", "p99",
                "p99.9", "max", "n");
    else
        fprintf(out, "%-28s %9.2f %9.2f %9.2f %9.2f %9.2f %11.2f %9zu\n", name, s->mean, s->p50,
                s->p90, s->p99, s->p999, s->max, s->count);
}

void summary_json(FILE *out, const struct summary *s) {
    fprintf(out,
            "{\"n\": %zu, \"mean\": %.3f, \"p50\": %.3f, \"p90\": %.3f, \"p99\": %.3f, "
            "\"p999\": %.3f, \"max\": %.3f}",
            s->count, s->mean, s->p50, s->p90, s->p99, s->p999, s->max);
}
