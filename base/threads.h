/* SPDX-License-Identifier: MIT
 *
 * A pool of worker threads that run the tasks of one job at a time: `threads_run` hands out task
 * numbers 0..n-1, the caller works too, and returns when all are done. Which thread runs which task
 * is left to chance, so a task must write only what belongs to its number.
 *
 * One owner: only one thread may call `threads_run`. Idle workers spin for some microseconds, in
 * case that the next job comes at once, and then sleep. Allocates only in `threads_new`.
 */
#ifndef FORMA_BASE_THREADS_H
#define FORMA_BASE_THREADS_H

#include "base/alloc.h"

#define THREADS_MAX 64

struct threads;

/* `thread` is 0..n_threads-1: an index for scratch memory; the caller is 0. */
typedef void (*threads_task_fn)(void *ctx, uint32_t task, uint32_t thread);

/* Processors that this process may use, 1 to THREADS_MAX. */
uint32_t threads_available(void);

/* n_threads counts the caller: 1 starts none. NULL when memory or threads are refused. */
struct threads *threads_new(uint32_t n_threads, const struct forma_allocator *allocator,
                            struct forma_error *err);
void threads_run(struct threads *t, threads_task_fn run, void *ctx, uint32_t n_tasks);
uint32_t threads_count(const struct threads *t);
/* Joins the workers. NULL is fine. */
void threads_free(struct threads *t);

#endif
