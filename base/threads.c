/* SPDX-License-Identifier: MIT
 *
 * The pool's state is one atomic word, the gate:
 *
 *     bits 63..32  number of the job        bit 31  open        bits 30..0  workers inside
 *
 * A worker joins an open job that it has not seen by adding 1 to the gate; the owner closes the
 * gate when no task is left and waits for those inside only. A worker that wakes late finds the
 * gate closed and goes back to sleep, so a job never waits for a thread that the system has not yet
 * scheduled. The job's fields are written while the gate is closed and nobody is inside.
 *
 * Sleeping: both sides count themselves under the mutex and look at the gate again before they
 * wait, and who changes the gate looks at the count afterwards (sequentially consistent), so no
 * wake-up is lost.
 */
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/error.h"

#define GATE_OPEN   (UINT64_C(1) << 31)
#define GATE_INSIDE (GATE_OPEN - 1)
#define GATE_QUIT   UINT64_MAX

#define WORKER_SPINS 4000 /* of a pause each, tens of microseconds: the gap between two jobs */
#define OWNER_SPINS  4000

struct worker {
    struct threads *pool;
    pthread_t thread;
    uint32_t index;
};

struct threads {
    const struct forma_allocator *allocator;
    uint32_t n_threads, n_started;
    threads_task_fn run;
    void *ctx;
    uint32_t n_tasks;
    _Alignas(64) atomic_uint_fast64_t gate;
    _Alignas(64) atomic_uint_fast32_t next_task;
    _Alignas(64) atomic_uint sleepers; /* workers that wait for `opened` */
    atomic_uint owner_waits;
    pthread_mutex_t mutex;
    pthread_cond_t opened, left;
    struct worker workers[THREADS_MAX];
};

static void spin_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

uint32_t threads_available(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int n = CPU_COUNT(&set);
    return n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (uint32_t)n;
}

static void run_tasks(struct threads *t, uint32_t thread) {
    for (;;) {
        uint_fast32_t task = atomic_fetch_add(&t->next_task, 1);
        if (task >= t->n_tasks) return;
        t->run(t->ctx, (uint32_t)task, thread);
    }
}

/* Something new for a worker that last saw job `seen`? */
static bool gate_calls(uint64_t gate, uint64_t seen) {
    return gate == GATE_QUIT || ((gate & GATE_OPEN) && gate >> 32 != seen);
}

static uint64_t wait_for_job(struct threads *t, uint64_t seen) {
    uint64_t gate = atomic_load(&t->gate);
    for (int i = 0; i < WORKER_SPINS; i++) {
        if (gate_calls(gate, seen)) return gate;
        spin_pause();
        gate = atomic_load(&t->gate);
    }
    pthread_mutex_lock(&t->mutex);
    atomic_fetch_add(&t->sleepers, 1);
    while (gate = atomic_load(&t->gate), !gate_calls(gate, seen))
        pthread_cond_wait(&t->opened, &t->mutex);
    atomic_fetch_sub(&t->sleepers, 1);
    pthread_mutex_unlock(&t->mutex);
    return gate;
}

static void *worker_main(void *arg) {
    struct worker *w = arg;
    struct threads *t = w->pool;
    uint64_t seen = 0;
    for (;;) {
        uint_fast64_t gate = wait_for_job(t, seen);
        if (gate == GATE_QUIT) return NULL;
        if (!atomic_compare_exchange_strong(&t->gate, &gate, gate + 1)) continue;
        seen = gate >> 32;
        run_tasks(t, w->index);
        gate = atomic_fetch_sub(&t->gate, 1) - 1;
        if (!(gate & (GATE_OPEN | GATE_INSIDE)) && atomic_load(&t->owner_waits)) {
            pthread_mutex_lock(&t->mutex);
            pthread_cond_signal(&t->left);
            pthread_mutex_unlock(&t->mutex);
        }
    }
}

static void wake_workers(struct threads *t) {
    if (atomic_load(&t->sleepers) == 0) return;
    pthread_mutex_lock(&t->mutex);
    pthread_cond_broadcast(&t->opened);
    pthread_mutex_unlock(&t->mutex);
}

static void wait_until_left(struct threads *t) {
    for (int i = 0; i < OWNER_SPINS; i++) {
        if (!(atomic_load(&t->gate) & GATE_INSIDE)) return;
        spin_pause();
    }
    pthread_mutex_lock(&t->mutex);
    atomic_store(&t->owner_waits, 1);
    while (atomic_load(&t->gate) & GATE_INSIDE) pthread_cond_wait(&t->left, &t->mutex);
    atomic_store(&t->owner_waits, 0);
    pthread_mutex_unlock(&t->mutex);
}

void threads_run(struct threads *t, threads_task_fn run, void *ctx, uint32_t n_tasks) {
    if (t->n_started == 0 || n_tasks < 2) {
        for (uint32_t i = 0; i < n_tasks; i++) run(ctx, i, 0);
        return;
    }
    t->run = run;
    t->ctx = ctx;
    t->n_tasks = n_tasks;
    atomic_store(&t->next_task, 0);
    uint64_t job = (atomic_load(&t->gate) >> 32) + 1;
    if (job >= UINT32_MAX) job = 1; /* the last number belongs to GATE_QUIT, 0 to "none seen" */
    atomic_store(&t->gate, job << 32 | GATE_OPEN);
    wake_workers(t);
    run_tasks(t, 0);
    atomic_fetch_and(&t->gate, ~GATE_OPEN);
    wait_until_left(t);
}

uint32_t threads_count(const struct threads *t) {
    return t->n_threads;
}

struct threads *threads_new(uint32_t n_threads, const struct forma_allocator *allocator,
                            struct forma_error *err) {
    if (n_threads < 1 || n_threads > THREADS_MAX) {
        error_set(err, FORMA_EINVAL, "%u threads: give 1 to %d", n_threads, THREADS_MAX);
        return NULL;
    }
    /* Pages, because the allocator promises no alignment to cache lines. */
    struct threads *t = fa_reserve(allocator, sizeof *t);
    if (!t) {
        error_set(err, FORMA_EMEMORY, "no memory for the threads");
        return NULL;
    }
    t->allocator = allocator;
    t->n_threads = n_threads;
    atomic_init(&t->gate, 0);
    atomic_init(&t->next_task, 0);
    atomic_init(&t->sleepers, 0);
    atomic_init(&t->owner_waits, 0);
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->opened, NULL);
    pthread_cond_init(&t->left, NULL);
    for (uint32_t i = 1; i < n_threads; i++) {
        struct worker *w = &t->workers[i];
        w->pool = t;
        w->index = i;
        if (pthread_create(&w->thread, NULL, worker_main, w) != 0) {
            error_set(err, FORMA_EMEMORY, "the system refused thread %u of %u", i + 1, n_threads);
            threads_free(t);
            return NULL;
        }
        t->n_started++;
    }
    return t;
}

void threads_free(struct threads *t) {
    if (!t) return;
    atomic_store(&t->gate, GATE_QUIT);
    pthread_mutex_lock(&t->mutex);
    pthread_cond_broadcast(&t->opened);
    pthread_mutex_unlock(&t->mutex);
    for (uint32_t i = 1; i <= t->n_started; i++) pthread_join(t->workers[i].thread, NULL);
    pthread_cond_destroy(&t->left);
    pthread_cond_destroy(&t->opened);
    pthread_mutex_destroy(&t->mutex);
    fa_release(t->allocator, t, sizeof *t);
}
