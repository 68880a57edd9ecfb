/* SPDX-License-Identifier: MIT
 *
 * Texts of one length after the other, each length in byte order: a depth-first walk that enters
 * only states from which the rest of the length can suffice, as far as bounds tell, and that remembers
 * where it did not. At first the length is the bound of the beginning: where that is exact the walk
 * goes straight to the text. Else the length is searched for (shortest_length.c).
 *
 * Every live state has a completion. So a state that is not entered because too little of the length
 * is left proves that there are longer texts; a walk that met none has seen the whole form.
 */
#include "automaton/shortest_internal.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Address space for what is remembered, and for texts. */
#define ARENA_BYTES ((size_t)4 << 30)
#define MAX_TEXT    ((size_t)1 << 30)
/* Texts whose exact length is not searched for when they are too long anyway. */
#define LONG_TEXT 65536
/* The first walk, which hopes that the bound is exact, may look at one in so many of all states. */
#define HOPE_PART 8

/* ---- what both searches use ----------------------------------------------------------------- */

struct state shortest_step(struct shortest *s, struct state from, unsigned byte) {
    struct state next = machine_step(s->machine, from, (unsigned char)byte);
    s->narrowed |= s->machine->narrowed;
    s->work += !state_is_dead(next);
    return next;
}

bool shortest_may_go_on(struct shortest *s) {
    if (s->cancel && *s->cancel) s->cancelled = true;
    return s->work <= s->max_work && !s->cancelled && !s->machine->failed && !s->arena.failed;
}

uint64_t shortest_bound(struct shortest *s, struct state at) {
    uint64_t (*at_least)(struct machine *, struct state) = s->machine->ops->at_least;
    uint64_t bound = at_least ? at_least(s->machine, at) : 0;
    return bound || s->machine->ops->accepts(s->machine, at) ? bound : 1;
}

/* The same, with what the search for the length has shown. */
static uint64_t bound(struct shortest *s, struct state at) {
    uint64_t rest = shortest_bound(s, at);
    uint32_t id = s->reached.count ? shortest_find_reached(s, at) : NO_NODE;
    if (id == NO_NODE || s->reached.data[id].cost >= s->least) return rest;
    uint64_t shown = s->least - s->reached.data[id].cost;
    return shown > rest ? shown : rest;
}

/* ---- where there was nothing ----------------------------------------------------------------- */

static uint32_t barren_hash(struct state at, uint64_t rest) {
    return fa_hash_mix(fa_hash_mix(at.context, at.region), (uint32_t)rest);
}

static const struct barren *find_barren(const struct shortest *s, struct state at, uint64_t rest) {
    for (struct table_probe p = table_probe(&s->barren_table, barren_hash(at, rest));
         table_next(&s->barren_table, &p);) {
        const struct barren *b = &s->barren.data[p.id];
        if (state_equal(b->state, at) && b->rest == rest) return b;
    }
    return NULL;
}

/* Failure is seen in the arena. */
static void keep_barren(struct shortest *s, struct state at, uint64_t rest, bool longer) {
    if (!ARENA_VEC_GROW(&s->arena, &s->barren) ||
        !table_add(&s->barren_table, barren_hash(at, rest), s->barren.count))
        return;
    s->barren.data[s->barren.count++] = (struct barren){at, rest, longer};
}

/* ---- the walk -------------------------------------------------------------------------------- */

static bool enter(struct shortest *s, struct state at) {
    if (!shortest_may_go_on(s) || !ARENA_VEC_GROW(&s->arena, &s->ways)) return false;
    s->ways.data[s->ways.count++] = (struct way){.state = at};
    return true;
}

/* Goes back to the state before, which learns what was found here. */
static void leave(struct shortest *s) {
    struct way done = s->ways.data[--s->ways.count];
    if (!done.found) keep_barren(s, done.state, s->length - s->ways.count, done.longer);
    if (s->ways.count) {
        s->ways.data[s->ways.count - 1].found |= done.found;
        s->ways.data[s->ways.count - 1].longer |= done.longer;
    } else {
        s->longer |= done.longer;
    }
}

enum walk { WALK_TEXT, WALK_END, WALK_LIMIT };

/* To the next text of the length: the ways say where the walk stands. */
static enum walk walk(struct shortest *s) {
    while (s->ways.count) {
        struct way *w = &s->ways.data[s->ways.count - 1];
        uint64_t written = s->ways.count - 1, rest = s->length - written;
        if (w->next == 0 && rest == 0 && !w->found &&
            s->machine->ops->accepts(s->machine, w->state)) {
            w->found = true; /* and then its children are looked at */
            return WALK_TEXT;
        }
        if (w->next == 256) {
            leave(s);
            continue;
        }
        if (!shortest_may_go_on(s)) return WALK_LIMIT; /* one step can be a long search */
        unsigned byte = w->next++;
        struct state next = shortest_step(s, w->state, byte);
        if (state_is_dead(next)) continue;
        const struct barren *known = rest ? find_barren(s, next, rest - 1) : NULL;
        if (!rest || bound(s, next) > rest - 1)
            w->longer = true;
        else if (known)
            w->longer |= known->longer;
        else if (!enter(s, next))
            return WALK_LIMIT;
        else
            s->text[written] = (unsigned char)byte;
    }
    return shortest_may_go_on(s) ? WALK_END : WALK_LIMIT;
}

static bool begin_length(struct shortest *s, uint64_t length) {
    if (length >= s->capacity) return false;
    s->length = length;
    s->longer = false;
    s->ways.count = 0;
    return enter(s, s->start);
}

/* ---- the first text -------------------------------------------------------------------------- */

static size_t complete(struct shortest *s, unsigned char *out, size_t capacity) {
    machine_speculate(s->machine);
    size_t n = s->machine->ops->completion(s->machine, s->start, out, capacity);
    machine_forget(s->machine);
    return n;
}

enum forma_status shortest_check_length(struct shortest *s, size_t max_length,
                                        struct forma_error *err) {
    pthread_mutex_lock(&s->machine->lock);
    uint64_t least = shortest_bound(s, s->start);
    pthread_mutex_unlock(&s->machine->lock);
    if (least <= max_length || least <= LONG_TEXT) return FORMA_OK;
    return error_set(err, FORMA_EINVAL,
                     "every text of the form has at least %" PRIu64
                     " bytes; raise max_length, which is %zu",
                     least, max_length);
}

static enum forma_status find_known(struct shortest *s, struct forma_error *err) {
    uint64_t least = shortest_bound(s, s->start);
    if (least >= s->capacity)
        return error_set(err, FORMA_ELIMIT,
                         "every text of the form has at least %" PRIu64
                         " bytes, more than the %zu that can be written; lower what the form "
                         "demands at least",
                         least, s->capacity);
    s->known_length = complete(s, s->text, s->capacity);
    if (s->known_length == SIZE_MAX && s->machine->failed) return machine_error(s->machine, err);
    if (s->known_length == SIZE_MAX)
        return error_set(err, FORMA_ELIMIT,
                         "every text that is known has more than %zu bytes, which is too long; "
                         "lower what the form demands at least",
                         s->capacity);
    s->known = fa_alloc(s->allocator, s->known_length + 1);
    if (!s->known) return error_set(err, FORMA_EMEMORY, "no memory for a text");
    memcpy(s->known, s->text, s->known_length);
    uint64_t more = 4 * (uint64_t)s->known_length;
    s->max_work = s->max_work > UINT64_MAX - more ? UINT64_MAX : s->max_work + more;
    return FORMA_OK;
}

/* Stands before the first text of the least length. */
static bool begin(struct shortest *s) {
    uint64_t all = s->max_work;
    s->least = shortest_bound(s, s->start);
    s->max_work = 4 * s->least + all / HOPE_PART;
    if (s->max_work > all) s->max_work = all;
    bool walked = begin_length(s, s->least);
    enum walk w = walked ? walk(s) : WALK_LIMIT;
    s->max_work = all;
    if (w == WALK_TEXT) {
        s->ways.data[s->ways.count - 1].found = false; /* to be met again */
        return true;
    }
    if (w == WALK_END) s->least++;
    return shortest_find_length(s, s->known_length) && begin_length(s, s->least);
}

/* ---- one after the other --------------------------------------------------------------------- */

static enum walk next_text(struct shortest *s) {
    if (s->phase == SHORTEST_NEW) {
        s->phase = SHORTEST_WRITING;
        if (!begin(s)) return WALK_LIMIT;
    }
    for (;;) {
        enum walk w = walk(s);
        if (w != WALK_END) return w;
        if (!s->longer) return WALK_END;
        if (!begin_length(s, s->length + 1)) return WALK_LIMIT;
    }
}

enum forma_status shortest_next(struct shortest *s, struct shortest_text *out,
                                struct forma_error *err) {
    *out = (struct shortest_text){0};
    error_clear(err);
    if (s->phase == SHORTEST_DONE) return FORMA_OK;
    bool first = s->phase == SHORTEST_NEW;
    pthread_mutex_lock(&s->machine->lock);
    s->machine->narrowed = 0;
    enum forma_status status = first ? find_known(s, err) : FORMA_OK;
    enum walk w = status == FORMA_OK ? next_text(s) : WALK_LIMIT;
    pthread_mutex_unlock(&s->machine->lock);
    if (w != WALK_TEXT) s->phase = SHORTEST_DONE;
    if (status != FORMA_OK) return status;
    if (s->cancelled) return error_set(err, FORMA_ECANCELLED, "the search was cancelled");
    out->limits = s->narrowed;
    if (w == WALK_LIMIT)
        out->limits |= s->work > s->max_work ? FORMA_LIMIT_WORK : FORMA_LIMIT_MEMORY;
    out->proven = !out->limits;
    if (w == WALK_TEXT) {
        out->text = s->text;
        out->length = s->length;
    } else if (first) {
        out->text = s->known;
        out->length = s->known_length;
    }
    return FORMA_OK;
}

struct shortest *shortest_new(struct machine *machine, uint64_t max_work,
                              const volatile bool *cancel, const struct forma_allocator *allocator,
                              struct forma_error *err) {
    return shortest_new_at(machine, machine->start, max_work, cancel, allocator, err);
}

struct shortest *shortest_new_at(struct machine *machine, struct state from, uint64_t max_work,
                                 const volatile bool *cancel,
                                 const struct forma_allocator *allocator, struct forma_error *err) {
    error_clear(err);
    allocator = fa_allocator_or_default(allocator);
    struct shortest *s = fa_alloc_zero(allocator, sizeof *s);
    if (s) {
        s->machine = machine;
        s->start = from;
        s->allocator = allocator;
        s->max_work = max_work;
        s->cancel = cancel;
        s->capacity = MAX_TEXT;
        s->text = fa_reserve(allocator, MAX_TEXT);
        if (s->text && arena_init(&s->arena, allocator, ARENA_BYTES) &&
            table_init(&s->reached_table, &s->arena, 64) &&
            table_init(&s->barren_table, &s->arena, 64))
            return s;
    }
    shortest_free(s);
    error_set(err, FORMA_EMEMORY, "no memory for a search");
    return NULL;
}

void shortest_free(struct shortest *s) {
    if (!s) return;
    arena_destroy(&s->arena);
    if (s->text) fa_release(s->allocator, s->text, s->capacity);
    fa_free(s->allocator, s->known, s->known ? s->known_length + 1 : 0);
    fa_free(s->allocator, s, sizeof *s);
}
