/* SPDX-License-Identifier: MIT
 *
 * Time for measuring and for deadlines: it only goes forward, whatever the calendar does.
 */
#ifndef FORMA_BASE_CLOCK_H
#define FORMA_BASE_CLOCK_H

#include <time.h>

/* Milliseconds since some fixed moment. */
static inline double clock_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

#endif
