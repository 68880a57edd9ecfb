/* SPDX-License-Identifier: MIT
 *
 * The length of a sample. The text is known to fit as far as the last *mark*: there the completion
 * was measured. The next mark is set after a part of the room that was left, so marks are dense
 * only where room is short, and a text costs a few dozen completions.
 */
#include "automaton/sample_internal.h"

#include <string.h>

#include "automaton/shortest.h"
#include "base/alloc.h"
#include "base/error.h"

/* Room that is spent before the completion is measured again: a part of it. */
#define MARK_PART 8
/* With less room than that the text ends as the completion says. */
#define LITTLE_ROOM 8
/* How often a text that has grown too long is taken up again from its mark. */
#define RETRIES 3
/* Bytes of texts without parts, at most, before they go to their end. */
#define ENOUGH 48

struct mark {
    struct state state;
    size_t length, next; /* next: where to measure again */
    unsigned depth;
};

size_t sample_completion(struct sample_maker *d, unsigned char *out, size_t capacity) {
    machine_speculate(d->machine);
    size_t n = d->machine->ops->completion(d->machine, d->state, out, capacity);
    machine_forget(d->machine);
    return n;
}

/* ---- making -------------------------------------------------------------------------------- */

/* The machine's completion need not be short. Where it does not fit, look for a shorter text. */
static enum forma_status find_plan(struct sample_maker *d, struct forma_error *err) {
    struct shortest_text shortest;
    pthread_mutex_lock(&d->machine->lock);
    d->state = d->machine->start;
    d->least = sample_completion(d, d->text, d->max_length);
    enum forma_status status = d->machine->failed ? machine_error(d->machine, err) : FORMA_OK;
    pthread_mutex_unlock(&d->machine->lock);
    if (status != FORMA_OK || d->least != SIZE_MAX) return status;
    struct shortest *search =
        shortest_new(d->machine, SHORTEST_DEFAULT_WORK, NULL, d->allocator, err);
    if (!search) return err->status;
    status = shortest_check_length(search, d->max_length, err);
    if (status == FORMA_OK) status = shortest_next(search, &shortest, err);
    if (status == FORMA_OK && shortest.length > d->max_length) {
        status = error_set(
            err, FORMA_EINVAL, "the shortest text %s has %zu bytes; raise max_length, which is %zu",
            shortest.proven ? "of the form" : "that is known", shortest.length, d->max_length);
    } else if (status == FORMA_OK) {
        d->least = shortest.length;
        d->plan = fa_alloc(d->allocator, shortest.length);
        if (d->plan)
            memcpy(d->plan, shortest.text, shortest.length);
        else
            status = error_set(err, FORMA_EMEMORY, "no memory for a text");
    }
    shortest_free(search);
    return status;
}

struct sample_maker *sample_maker_new(struct machine *machine, size_t max_length,
                                      const struct forma_allocator *allocator,
                                      struct forma_error *err) {
    struct forma_error own;
    if (!err) err = &own;
    error_clear(err);
    if (max_length < 1 || max_length > SAMPLE_MAX_LENGTH) {
        error_set(err, FORMA_EINVAL, "max_length is %zu; it must be 1 to %zu", max_length,
                  SAMPLE_MAX_LENGTH);
        return NULL;
    }
    allocator = fa_allocator_or_default(allocator);
    struct sample_maker *d = fa_alloc_zero(allocator, sizeof *d);
    if (d) d->text = fa_reserve(allocator, max_length);
    if (!d || !d->text) {
        error_set(err, FORMA_EMEMORY, "no memory for samples");
        fa_free(allocator, d, sizeof *d);
        return NULL;
    }
    d->machine = machine;
    d->allocator = allocator;
    d->max_length = max_length;
    if (find_plan(d, err) == FORMA_OK) return d;
    sample_maker_free(d);
    return NULL;
}

void sample_maker_free(struct sample_maker *d) {
    if (!d) return;
    fa_free(d->allocator, d->plan, d->plan ? d->least : 0);
    fa_release(d->allocator, d->text, d->max_length);
    fa_free(d->allocator, d, sizeof *d);
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void return_to(struct sample_maker *d, const struct mark *mark) {
    d->state = mark->state;
    d->length = mark->length;
    d->depth = mark->depth;
}

/* Ends the text as is known from here. */
static bool finish(struct sample_maker *d) {
    if (d->plan && d->length == 0) {
        memcpy(d->text, d->plan, d->least);
        d->length = d->least;
        return true;
    }
    size_t n = sample_completion(d, d->text + d->length, d->max_length - d->length);
    if (n == SIZE_MAX) return false;
    d->length += n;
    return true;
}

/* The mark is set here, if the completion fits; `room` is what it leaves. */
static bool set_mark(struct sample_maker *d, struct mark *mark, size_t *room) {
    size_t left = d->max_length - d->length;
    size_t n = d->length || !d->plan ? sample_completion(d, d->text + d->length, left) : d->least;
    if (n == SIZE_MAX) return false;
    *room = left - n;
    *mark = (struct mark){d->state, d->length, d->length + *room / MARK_PART + 1, d->depth};
    return true;
}

/* False: no way to an end was found, which only limits or lack of memory can explain. */
static bool draw(struct sample_maker *d) {
    struct mark mark = {d->state, 0, 0, 0};
    unsigned retries = 0;
    size_t room = 0;
    if (!set_mark(d, &mark, &room)) return false;
    for (;;) {
        if (room < LITTLE_ROOM || d->length >= d->enough) return finish(d);
        enum sample_step step = sample_choose(d);
        if (step == SAMPLE_END) return true;
        if (d->machine->failed) return false;
        bool good = step == SAMPLE_WRITTEN;
        if (good && d->length >= mark.next) good = set_mark(d, &mark, &room);
        if (good) continue;
        return_to(d, &mark);
        if (retries++ == RETRIES) return finish(d);
    }
}

enum forma_status sample_draw(struct sample_maker *d, uint64_t seed, const unsigned char **text,
                              size_t *length, struct forma_error *err) {
    enum forma_status status = FORMA_OK;
    error_clear(err);
    pthread_mutex_lock(&d->machine->lock);
    d->machine->narrowed = 0;
    rng_seed(&d->rng, seed);
    sample_draw_mood(d);
    /* A machine that suggests nothing shows no parts whose length the mood could set. */
    d->enough = d->machine->ops->suggest ? SIZE_MAX : 1 + rng_below(&d->rng, ENOUGH);
    d->state = d->machine->start;
    d->length = 0;
    d->depth = 0;
    bool whole = draw(d);
    if (d->machine->failed)
        status = machine_error(d->machine, err);
    else if (!whole)
        status = error_set(err, FORMA_ELIMIT,
                           "a search limit was met and no way to an end is known; raise max_work");
    pthread_mutex_unlock(&d->machine->lock);
    *text = d->text;
    *length = d->length;
    return status;
}
