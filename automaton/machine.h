/* SPDX-License-Identifier: MIT
 *
 * One interface for every automaton that reads a text byte by byte. A state is a pair of ids:
 * the *context* is an interned, immutable stack of what is open, the *region* is where we stand
 * inside the piece of text that the context is reading. Equal states mean equal futures. Stepping
 * never mutates a state; rolling back is popping states. A state is non-dead only if some
 * completion exists and is known.
 *
 * A machine belongs to a grammar. Its tables grow while it is used, so callers hold its lock
 * around every call.
 */
#ifndef FORMA_AUTOMATON_MACHINE_H
#define FORMA_AUTOMATON_MACHINE_H

#include <pthread.h>
#include <stdio.h>

#include "forma.h"

struct state {
    uint32_t context; /* 0 = dead */
    uint32_t region;
};

static inline bool state_is_dead(struct state s) {
    return s.context == 0;
}
static inline bool state_equal(struct state a, struct state b) {
    return a.context == b.context && a.region == b.region;
}

struct machine;
struct next_item;
struct regex_pure; /* regex_machine.h */

/* A place inside a JSON string (a value or a key), between characters and outside escapes: what masks
 * can make use of. The string is read by an automaton of its own, and what encloses it matters only
 * once it is closed. */
struct string_view {
    uint32_t place;  /* in that automaton; 0 is dead */
    uint32_t inside; /* the same for all places from which the same can be read, closing aside */
    uint32_t loose; /* `inside` without bounds on the number of characters; then these hold, too: */
    uint64_t owed;  /* characters that must still come; see `room` */
    bool any_escape; /* the style */
    bool settled;    /* every further character leads back to the place */
    bool dense;      /* the string can be completed whatever characters come next, */
    uint64_t room; /* if they are no more than these (UINT64_MAX: any number); not dense: characters
                      * that may still come */
    bool closes;  /* settled or dense: behind these characters, whatever they are, the string may be
                    * closed, and the same follows */
    bool listed;  /* it is one of a list of strings */
    bool gapless; /* `place` can be completed by any number of characters from the least on */
    bool has_exceptions; /* not all exceptions (below) are exceptions behind the quote only */
};

struct machine_strings {
    /* Is s outside of all strings? Then it is a place in a JSON text between or inside its other
     * pieces. */
    bool (*outside)(struct machine *m, struct state s);
    /* So many further digits, whichever they are, keep the text viable (0: nothing is known). */
    unsigned (*digits)(struct machine *m, struct state s);
    /* False: s is no such place, or one where the text read so far matters too much. */
    bool (*view)(struct machine *m, struct state s, struct string_view *view);
    /* The place behind one more byte, which does not close the string. */
    uint32_t (*step)(struct machine *m, uint32_t place, unsigned char byte);
    /* Reading a place by a machine alone, without making places (regex_machine.h). False: it is not
     * that kind of place. And the same behind one more byte; false: dead. */
    bool (*pure)(struct machine *m, uint32_t place, struct regex_pure *p);
    bool (*pure_step)(struct machine *m, const struct regex_pure *p, unsigned char byte,
                      struct regex_pure *next);
    /* Fills a view with what holds of a place; false where it is not between characters. */
    bool (*look)(struct machine *m, uint32_t place, struct string_view *view);
    /* Characters that must still begin behind a loose place, `least` at least; UINT64_MAX: none do. */
    uint64_t (*need)(struct machine *m, uint32_t place, uint64_t least);
    /* The state behind the closing quote at `place`, which `bytes` lead to from s. With *shared the
     * same state follows all ways to `place`, but those of the exceptions. Guesses (see below). */
    struct state (*close)(struct machine *m, struct state s, uint32_t place,
                          const unsigned char *bytes, size_t n, bool *shared);
    /* Texts that, read from s, close the string with another state, or with has_exceptions make it
     * dead, or a beginning of them does, though the automaton says otherwise. */
    void (*exceptions)(struct machine *m, struct state s,
                       void (*visit)(void *ctx, const unsigned char *bytes, size_t n), void *ctx);
};
struct sample_mood;
struct rng;

struct machine_ops {
    struct state (*step)(struct machine *m, struct state s, unsigned char byte);
    bool (*accepts)(struct machine *m, struct state s);
    /* Writes up to `capacity` bytes of a completion; returns its length, or SIZE_MAX when it is
     * longer than `capacity`. */
    size_t (*completion)(struct machine *m, struct state s, unsigned char *out, size_t capacity);
    void (*describe)(struct machine *m, struct state s, char *out, size_t capacity);
    /* Visits what may come next (automaton/next.h). NULL: machine_list_bytes serves. */
    void (*next)(struct machine *m, struct state s,
                 void (*visit)(void *ctx, const struct next_item *item), void *ctx);
    /* A drawing for Graphviz. May be NULL. */
    void (*draw)(struct machine *m, struct state s, enum forma_drawing what, size_t max_states,
                 FILE *out);
    /* Before speculating, and to drop what was made meanwhile. May be NULL. */
    void (*look)(struct machine *m);
    /* For sample.h: a piece of text that reads well here, such as a name that is declared, into
     * `out`. Returns its length; 0: nothing better than any byte that fits. Whether it fits is for
     * the caller to see. May be NULL. */
    size_t (*suggest)(struct machine *m, struct state s, const struct sample_mood *mood,
                      struct rng *rng, unsigned char *out, size_t capacity);
    /* For shortest.h: no completion of s has fewer bytes. NULL: 0. */
    uint64_t (*at_least)(struct machine *m, struct state s);
    void (*forget)(struct machine *m);
    size_t (*memory)(const struct machine *m);
    void (*destroy)(struct machine *m);
    const struct machine_strings *strings; /* NULL: the machine reads none */
};

struct machine {
    const struct machine_ops *ops;
    struct state start;
    pthread_mutex_t lock;
    /* Set while states are only looked at, by a walk over a vocabulary: states made meanwhile are
     * good until machine_forget, and a machine may keep them apart so that walks leave nothing
     * behind. */
    bool speculating;
    /* Set by a walk that can go back: a step may leave open what exactly was read (the text of a
     * string, say), as long as its answer is right whatever it was. Where the answer would hang on
     * it, the step sets `guessed` and is dead; the walk then steps the whole text again without. */
    bool guessing, guessed;
    /* Set while a mask is made: a machine may then give up what would take too much. */
    bool masking;
    /* Bits of enum forma_limit, set by a step that gave up a search: "dead" may be too strict. */
    unsigned narrowed;
    bool failed;          /* memory or states used up: no answer counts any more */
    bool too_many_states; /* failed because of these */
};

/* FORMA_ELIMIT, with the limit by which the machine failed. The lock is held. */
enum forma_status machine_error(const struct machine *m, struct forma_error *err);

static inline struct state machine_step(struct machine *m, struct state s, unsigned char byte) {
    return m->ops->step(m, s, byte);
}

static inline void machine_speculate(struct machine *m) {
    m->speculating = true;
    if (m->ops->look) m->ops->look(m);
}
static inline void machine_forget(struct machine *m) {
    m->speculating = false;
    if (m->ops->forget) m->ops->forget(m);
}

#endif
