/* SPDX-License-Identifier: MIT
 *
 * One sequence: a state of the grammar's machine, the states behind it (for rollback), and masks.
 * States are values and stepping never changes one, so taking back is restoring an old value. The
 * history is a ring: the oldest steps fall out when it is full.
 *
 * The machine's tables grow while it is asked, so each call that asks it holds its lock; matchers
 * of one grammar on many threads take turns. All memory is reserved in forma_matcher_new.
 */
#include "tokenmask/matcher.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "automaton/grammar.h"
#include "automaton/next.h"
#include "base/error.h"
#include "tokenmask/mask.h"
#include "tokenmask/matcher_pool.h"
#include "tokenmask/shared_cache.h"

#define DEFAULT_CACHE_BYTES  ((size_t)16 << 20)
#define DEFAULT_MAX_ROLLBACK 4096u
#define DRAWN_STATES         200
#define MAX_ROLLBACK         (UINT32_C(1) << 28) /* steps: 12 bytes each */

/* Where a text stands. `ended`: an end token was accepted. */
struct place {
    struct state state;
    bool ended;
};

struct forma_matcher {
    struct forma_grammar *grammar;
    struct machine *machine;
    const struct forma_vocabulary *vocabulary; /* may be NULL */
    const struct forma_allocator *allocator;
    struct forma_matcher_options options;
    struct place place;
    unsigned narrowed; /* enum forma_limit, of the last question */

    struct place *history; /* ring of max_rollback places; the newest is before `next` */
    size_t max_rollback, count, next;

    struct place finished_at; /* what is_finished found last, and where (dead: nothing yet) */
    bool finished;

    struct forma_cache *shared; /* or NULL: its own */
    uint32_t number;            /* of the grammar there */
    unsigned stripe;
    struct mask_cache cache;
    uint64_t hits, misses;
    struct mask_scratch scratch;
    unsigned char *witness; /* max_depth bytes of a completion */
    struct matcher_scratch other;
    bool planned; /* `other` was used */
};

void forma_matcher_options_init(struct forma_matcher_options *options) {
    *options = (struct forma_matcher_options){DEFAULT_CACHE_BYTES, DEFAULT_MAX_ROLLBACK, NULL};
}

/* ---- making -------------------------------------------------------------------------------- */

static bool reserve_memory(struct forma_matcher *m) {
    if (m->max_rollback) {
        m->history = fa_reserve(m->allocator, m->max_rollback * sizeof *m->history);
        if (!m->history) return false;
    }
    if (!m->vocabulary) return true;
    size_t depth = m->vocabulary->trie.max_depth;
    m->witness = fa_reserve(m->allocator, depth + 1);
    if (!m->witness || !mask_scratch_init(&m->scratch, m->vocabulary, m->allocator) ||
        !matcher_scratch_init(&m->other, m->vocabulary, m->allocator))
        return false;
    return m->shared ||
           mask_cache_init_for(&m->cache, m->vocabulary, m->options.mask_cache_bytes, m->allocator);
}

/* The grammar's cache, if it is one for this vocabulary. */
static void share_cache(struct forma_matcher *m) {
    struct grammar_share *share = grammar_share(m->grammar);
    if (!share->cache || !m->vocabulary || !shared_cache_serves(share->cache, m->vocabulary))
        return;
    pthread_mutex_lock(&m->machine->lock);
    if (!share->number) share->number = shared_cache_number(share->cache);
    m->number = share->number;
    pthread_mutex_unlock(&m->machine->lock);
    m->shared = share->cache;
    m->stripe = shared_cache_stripe(share->cache);
}

/* At the start of a text. */
static void begin(struct forma_matcher *m, struct forma_grammar *grammar) {
    m->grammar = grammar;
    m->machine = grammar_machine(grammar);
    m->place = (struct place){.state = m->machine->start};
}

/* Does the grammar want no cache to be shared? Then a matcher's own serves. */
static struct forma_matcher *used_before(struct forma_grammar *grammar,
                                         const struct forma_vocabulary *vocabulary,
                                         const struct forma_matcher_options *options) {
    if (!vocabulary || grammar_share(grammar)->cache) return NULL;
    struct forma_matcher *m = matcher_pool_take(vocabulary->matchers, options);
    if (m) begin(m, grammar);
    return m;
}

struct forma_matcher *forma_matcher_new(struct forma_grammar *grammar,
                                        const struct forma_vocabulary *vocabulary,
                                        const struct forma_matcher_options *options,
                                        struct forma_error *err) {
    struct forma_matcher_options defaults;
    error_clear(err);
    forma_matcher_options_init(&defaults);
    if (!options) options = &defaults;
    if (!grammar || options->max_rollback > MAX_ROLLBACK) {
        error_set(err, FORMA_EINVAL,
                  "a matcher needs a grammar, and a rollback of at most %u steps", MAX_ROLLBACK);
        return NULL;
    }
    struct forma_matcher *m = used_before(grammar, vocabulary, options);
    if (m) return m;
    const struct forma_allocator *a = fa_allocator_or_default(options->allocator);
    m = fa_alloc_zero(a, sizeof *m);
    if (m) {
        begin(m, grammar);
        m->vocabulary = vocabulary;
        m->allocator = a;
        m->options = *options;
        m->max_rollback = options->max_rollback;
        share_cache(m);
        if (reserve_memory(m)) return m;
    }
    error_set(err, FORMA_EMEMORY, "no memory for the matcher");
    if (m) matcher_destroy(m);
    return NULL;
}

struct forma_matcher *forma_matcher_copy(const struct forma_matcher *m, struct forma_error *err) {
    struct forma_matcher *copy = forma_matcher_new(m->grammar, m->vocabulary, &m->options, err);
    if (!copy) return NULL;
    copy->place = m->place;
    copy->narrowed = m->narrowed;
    copy->count = m->count;
    copy->next = m->count % (m->max_rollback ? m->max_rollback : 1);
    for (size_t i = 0; i < m->count; i++) {
        size_t from = m->next + m->max_rollback - m->count + i;
        copy->history[i] = m->history[from % m->max_rollback];
    }
    return copy;
}

void matcher_destroy(struct forma_matcher *m) {
    const struct forma_allocator *a = m->allocator;
    if (m->history) fa_release(a, m->history, m->max_rollback * sizeof *m->history);
    if (m->witness) fa_release(a, m->witness, m->vocabulary->trie.max_depth + 1);
    mask_scratch_destroy(&m->scratch);
    matcher_scratch_destroy(&m->other);
    mask_cache_destroy(&m->cache);
    fa_free(a, m, sizeof *m);
}

bool matcher_suits(const struct forma_matcher *m, const struct forma_matcher_options *options) {
    return m->options.mask_cache_bytes == options->mask_cache_bytes &&
           m->options.max_rollback == options->max_rollback;
}

/* Everything that the text and the grammar left is dropped. The history is of 12 bytes a step. */
static bool make_anew(struct forma_matcher *m) {
    if (!m->vocabulary || m->shared || m->planned || m->allocator != m->vocabulary->allocator ||
        m->max_rollback * sizeof *m->history + mask_cache_stats(&m->cache).bytes >
            MATCHER_KEPT_BYTES)
        return false;
    mask_cache_clear(&m->cache);
    inside_scratch_clear(m->scratch.inside);
    m->grammar = NULL;
    m->machine = NULL;
    m->narrowed = 0;
    m->count = m->next = 0;
    m->finished_at = (struct place){{0, 0}, false};
    m->finished = false;
    m->hits = m->misses = 0;
    return true;
}

void forma_matcher_free(struct forma_matcher *m) {
    if (!m) return;
    if (make_anew(m) && matcher_pool_give(m->vocabulary->matchers, m)) return;
    matcher_destroy(m);
}

/* ---- the machine, one caller at a time ----------------------------------------------------- */

static void begin_asking(struct forma_matcher *m) {
    pthread_mutex_lock(&m->machine->lock);
    m->machine->narrowed = 0;
}

/* States are only looked at: none is kept. */
static void begin_looking(struct forma_matcher *m) {
    begin_asking(m);
    machine_speculate(m->machine);
}

/* What the machine's answers are worth; FORMA_ELIMIT when it ran out of memory on the way. */
static enum forma_status end_asking(struct forma_matcher *m, struct forma_error *err) {
    enum forma_status status = m->machine->failed ? machine_error(m->machine, err) : FORMA_OK;
    m->narrowed = m->machine->narrowed;
    if (m->machine->speculating) machine_forget(m->machine);
    pthread_mutex_unlock(&m->machine->lock);
    return status;
}

/* ---- masks --------------------------------------------------------------------------------- */

size_t forma_matcher_mask_words(const struct forma_matcher *m) {
    return m->vocabulary ? mask_words(m->vocabulary->n_tokens) : 0;
}

static bool find_mask(struct forma_matcher *m, uint32_t *row) {
    bool found = m->shared ? shared_cache_find(m->shared, m->stripe, m->number, m->place.state, row)
                           : mask_cache_find(&m->cache, 0, m->place.state, row);
    if (found)
        m->hits++;
    else
        m->misses++;
    return found;
}

static void keep_mask(struct forma_matcher *m, const uint32_t *row) {
    if (m->shared) {
        shared_cache_put(m->shared, m->number, m->place.state, row, &m->scratch);
        return;
    }
    struct mask_difference d = mask_find_difference(&m->cache, row, &m->scratch);
    mask_cache_add(&m->cache, 0, m->place.state, row, &d);
}

/* A search that gave up may have left nothing: then at least the known completion stays open. */
static void allow_witness(struct forma_matcher *m, uint32_t *row) {
    size_t room = m->vocabulary->trie.max_depth;
    const struct machine_ops *ops = m->machine->ops;
    size_t n = ops->completion(m->machine, m->place.state, m->witness, room);
    mask_allow_prefixes(m->machine, m->vocabulary, m->place.state, m->witness, n < room ? n : room,
                        row);
}

enum forma_status forma_matcher_mask(struct forma_matcher *m, int32_t *row, size_t words,
                                     struct forma_error *err) {
    uint32_t *bits = (uint32_t *)row;
    size_t needed = forma_matcher_mask_words(m);
    error_clear(err);
    if (!m->vocabulary) return error_set(err, FORMA_EINVAL, "the matcher has no vocabulary");
    if (words < needed)
        return error_set(err, FORMA_EINVAL, "a mask of this vocabulary needs %zu words, not %zu",
                         needed, words);
    memset(bits + needed, 0, (words - needed) * sizeof *bits);
    m->narrowed = 0;
    if (m->place.ended) {
        memset(bits, 0, needed * sizeof *bits);
        return FORMA_OK;
    }
    if (find_mask(m, bits)) return FORMA_OK;
    begin_looking(m);
    mask_fill(m->machine, m->vocabulary, m->place.state, &m->scratch, bits, needed);
    unsigned narrowed = m->machine->narrowed;
    if (narrowed && !m->machine->failed && mask_is_empty(bits, needed)) allow_witness(m, bits);
    /* A text that cannot end can go on, in bytes: some token spells them, if they were looked at. */
    bool stuck =
        mask_is_empty(bits, needed) && !m->machine->ops->accepts(m->machine, m->place.state);
    m->machine->narrowed = narrowed;
    enum forma_status status = end_asking(m, err);
    if (!status && stuck)
        status = error_set(err, FORMA_EINVAL,
                           "no token of the vocabulary spells what must come next; compile the "
                           "grammar with the vocabulary of the matcher");
    if (status)
        memset(bits, 0, needed * sizeof *bits);
    else if (!narrowed)
        keep_mask(m, bits);
    return status;
}

/* ---- steps --------------------------------------------------------------------------------- */

static void move_to(struct forma_matcher *m, struct place place) {
    if (m->max_rollback) {
        m->history[m->next] = m->place;
        m->next = m->next + 1 == m->max_rollback ? 0 : m->next + 1;
        if (m->count < m->max_rollback) m->count++;
    }
    m->place = place;
}

static enum forma_status refuse_byte(struct forma_matcher *m, unsigned char byte, size_t offset,
                                     const char *expected, struct forma_error *err) {
    const char *names = forma_strlimits(m->narrowed);
    char found[16], why[96] = "";
    if (m->narrowed)
        snprintf(why, sizeof why, " (a search limit was met%s%s)", *names ? "; raise " : "", names);
    snprintf(found, sizeof found, byte >= 0x20 && byte < 0x7F ? "'%c'" : "byte 0x%02X", byte);
    return error_at_offset(err, FORMA_EREFUSED, offset, "%s does not fit%s; expected %s", found,
                           why, expected);
}

enum forma_status forma_matcher_accept_bytes(struct forma_matcher *m, const unsigned char *bytes,
                                             size_t length, struct forma_error *err) {
    char expected[320] = "";
    size_t i = 0;
    error_clear(err);
    m->narrowed = 0;
    if (m->place.ended && length)
        return error_at_offset(err, FORMA_EREFUSED, 0, "the text has ended");
    struct state s = m->place.state, before = s;
    begin_asking(m);
    for (; i < length && !state_is_dead(s); i++) {
        before = s;
        s = machine_step(m->machine, s, bytes[i]);
    }
    if (state_is_dead(s) && err && !m->machine->failed)
        m->machine->ops->describe(m->machine, before, expected, sizeof expected);
    enum forma_status status = end_asking(m, err);
    if (status) return status;
    if (state_is_dead(s)) {
        assert(i > 0); /* a matcher never stands in a dead state */
        return refuse_byte(m, bytes[i - 1], i - 1, expected, err);
    }
    move_to(m, (struct place){s, m->place.ended});
    return FORMA_OK;
}

static enum forma_status accept_end(struct forma_matcher *m, struct forma_error *err) {
    m->narrowed = 0;
    if (m->place.ended) return error_set(err, FORMA_EREFUSED, "the text has ended");
    begin_asking(m);
    bool accepts = m->machine->ops->accepts(m->machine, m->place.state);
    enum forma_status status = end_asking(m, err);
    if (status) return status;
    if (!accepts) return error_set(err, FORMA_EREFUSED, "the text is not complete: it may not end");
    move_to(m, (struct place){m->place.state, true});
    return FORMA_OK;
}

enum forma_status forma_matcher_accept(struct forma_matcher *m, uint32_t token,
                                       struct forma_error *err) {
    error_clear(err);
    if (!m->vocabulary) return error_set(err, FORMA_EINVAL, "the matcher has no vocabulary");
    if (token >= m->vocabulary->n_tokens)
        return error_set(err, FORMA_EINVAL, "token %u is not in the vocabulary of %zu tokens",
                         token, m->vocabulary->n_tokens);
    if (forma_vocabulary_is_eos(m->vocabulary, token)) return accept_end(m, err);
    size_t length;
    const unsigned char *bytes = forma_vocabulary_bytes(m->vocabulary, token, &length);
    m->narrowed = 0;
    if (!bytes)
        return error_set(err, FORMA_EREFUSED, "token %u is a control token: it is no text", token);
    return forma_matcher_accept_bytes(m, bytes, length, err);
}

enum forma_status forma_matcher_draft_masks(struct forma_matcher *m, const uint32_t *tokens,
                                            size_t n, int32_t *rows, size_t words, size_t *n_viable,
                                            struct forma_error *err) {
    struct place here = m->place;
    size_t max_rollback = m->max_rollback;
    unsigned narrowed = 0;
    m->max_rollback = 0; /* these steps are not remembered */
    *n_viable = 0;
    enum forma_status status = forma_matcher_mask(m, rows, words, err);
    while (!status && *n_viable < n && tokens[*n_viable] < m->vocabulary->n_tokens) {
        narrowed |= m->narrowed;
        status = forma_matcher_accept(m, tokens[*n_viable], err);
        narrowed |= m->narrowed;
        if (status) break;
        ++*n_viable;
        status = forma_matcher_mask(m, rows + *n_viable * words, words, err);
    }
    m->place = here;
    m->max_rollback = max_rollback;
    m->narrowed |= narrowed;
    if (status != FORMA_EREFUSED) return status;
    error_clear(err);
    return FORMA_OK;
}

enum forma_status forma_matcher_rollback(struct forma_matcher *m, size_t n,
                                         struct forma_error *err) {
    error_clear(err);
    if (n > m->count)
        return error_set(err, FORMA_EINVAL, "cannot take back %zu steps: %zu are kept", n,
                         m->count);
    if (n == 0) return FORMA_OK;
    m->next = (m->next + m->max_rollback - n) % m->max_rollback;
    m->count -= n;
    m->place = m->history[m->next];
    m->narrowed = 0;
    return FORMA_OK;
}

void forma_matcher_reset(struct forma_matcher *m) {
    m->place = (struct place){m->machine->start, false};
    m->count = m->next = 0;
    m->narrowed = 0;
}

/* ---- questions ----------------------------------------------------------------------------- */

bool forma_matcher_accepts_end(struct forma_matcher *m) {
    if (m->place.ended) return true;
    pthread_mutex_lock(&m->machine->lock);
    bool accepts = m->machine->ops->accepts(m->machine, m->place.state);
    pthread_mutex_unlock(&m->machine->lock);
    return accepts;
}

bool forma_matcher_is_finished(struct forma_matcher *m) {
    if (m->place.ended) return true;
    if (!state_is_dead(m->finished_at.state) && state_equal(m->finished_at.state, m->place.state))
        return m->finished;
    unsigned narrowed = m->narrowed;
    begin_looking(m);
    /* A live state that does not accept has a completion, so some byte may come. */
    bool finished = m->machine->ops->accepts(m->machine, m->place.state);
    for (unsigned b = 0; b < 256 && finished; b++)
        finished = state_is_dead(machine_step(m->machine, m->place.state, (unsigned char)b));
    enum forma_status status = end_asking(m, NULL);
    if (status == FORMA_OK && !m->narrowed) {
        m->finished_at = m->place;
        m->finished = finished;
    }
    m->narrowed |= narrowed;
    return status == FORMA_OK && finished;
}

bool forma_matcher_narrowed(const struct forma_matcher *m) {
    return m->narrowed != 0;
}

unsigned forma_matcher_narrowed_by(const struct forma_matcher *m) {
    return m->narrowed;
}

const char *forma_strlimits(unsigned limits) {
    static const char *const names[] = {
        "",
        "max_work",
        "max_nesting",
        "max_work and max_nesting",
        "max_memory",
        "max_work and max_memory",
        "max_nesting and max_memory",
        "max_work and max_nesting and max_memory",
    };
    return names[limits & (FORMA_LIMIT_WORK | FORMA_LIMIT_NESTING | FORMA_LIMIT_MEMORY)];
}

size_t forma_matcher_completion(struct forma_matcher *m, unsigned char *out, size_t capacity) {
    if (m->place.ended) return 0;
    pthread_mutex_lock(&m->machine->lock);
    machine_speculate(m->machine);
    size_t n = m->machine->ops->completion(m->machine, m->place.state, out, capacity);
    machine_forget(m->machine);
    pthread_mutex_unlock(&m->machine->lock);
    return n;
}

void forma_matcher_describe(struct forma_matcher *m, char *out, size_t capacity) {
    if (capacity == 0) return;
    out[0] = 0;
    if (m->place.ended) {
        static const char ended[] = "nothing: the text has ended";
        size_t n = sizeof ended <= capacity ? sizeof ended - 1 : capacity - 1;
        memcpy(out, ended, n);
        out[n] = 0;
        return;
    }
    pthread_mutex_lock(&m->machine->lock);
    machine_speculate(m->machine);
    m->machine->ops->describe(m->machine, m->place.state, out, capacity);
    machine_forget(m->machine);
    pthread_mutex_unlock(&m->machine->lock);
}

struct visitor {
    forma_next_fn fn;
    void *ctx;
};

static void visit_next(void *ctx, const struct next_item *item) {
    const struct visitor *v = ctx;
    v->fn(v->ctx, &item->shown);
}

enum forma_status forma_matcher_next(struct forma_matcher *m, forma_next_fn fn, void *ctx,
                                     struct forma_error *err) {
    struct visitor v = {fn, ctx};
    error_clear(err);
    m->narrowed = 0;
    if (m->place.ended) return FORMA_OK;
    begin_looking(m);
    if (m->machine->ops->next)
        m->machine->ops->next(m->machine, m->place.state, visit_next, &v);
    else
        machine_list_bytes(m->machine, m->place.state, visit_next, &v);
    return end_asking(m, err);
}

enum forma_status forma_matcher_draw(struct forma_matcher *m, enum forma_drawing what,
                                     size_t max_states, forma_write_fn write, void *ctx,
                                     struct forma_error *err) {
    char *text = NULL;
    size_t length = 0;
    error_clear(err);
    if (!m->machine->ops->draw)
        return error_set(err, FORMA_EUNSUPPORTED, "there is no drawing of such a form yet");
    FILE *out = open_memstream(&text, &length);
    if (!out) return error_set(err, FORMA_EMEMORY, "no memory for a drawing");
    begin_looking(m);
    m->machine->ops->draw(m->machine, m->place.state, what, max_states ? max_states : DRAWN_STATES,
                          out);
    enum forma_status status = end_asking(m, err);
    if (fclose(out) != 0 && status == FORMA_OK)
        status = error_set(err, FORMA_EMEMORY, "no memory for a drawing");
    if (status == FORMA_OK) write(ctx, text, length);
    free(text);
    return status;
}

struct mask_cache_stats matcher_cache_stats(const struct forma_matcher *m) {
    struct mask_cache_stats stats =
        m->shared ? shared_cache_stats(m->shared) : mask_cache_stats(&m->cache);
    stats.hits = m->hits;
    stats.misses = m->misses;
    return stats;
}

bool matcher_string_view(struct forma_matcher *m, struct string_view *view) {
    const struct machine_strings *strings = m->machine->ops->strings;
    if (!strings || m->place.ended) return false;
    unsigned narrowed = m->narrowed;
    begin_looking(m);
    bool found = strings->view(m->machine, m->place.state, view);
    end_asking(m, NULL);
    m->narrowed = narrowed;
    return found;
}

struct state matcher_state(const struct forma_matcher *m) {
    return m->place.state;
}

void matcher_mask_slow(struct forma_matcher *m, uint32_t *row, size_t words) {
    pthread_mutex_lock(&m->machine->lock);
    machine_speculate(m->machine);
    mask_fill_slow(m->machine, m->vocabulary, m->place.state, row, words);
    machine_forget(m->machine);
    pthread_mutex_unlock(&m->machine->lock);
    if (m->place.ended) memset(row, 0, words * sizeof *row);
}

/* ---- for other files ------------------------------------------------------------------------ */

const struct forma_vocabulary *matcher_vocabulary(const struct forma_matcher *m) {
    return m->vocabulary;
}

struct matcher_scratch *matcher_scratch(struct forma_matcher *m) {
    m->planned = true;
    return &m->other;
}

bool matcher_has_ended(const struct forma_matcher *m) {
    return m->place.ended;
}

struct machine *matcher_machine(const struct forma_matcher *m) {
    return m->machine;
}

struct machine *matcher_look(struct forma_matcher *m) {
    begin_looking(m);
    return m->machine;
}

bool matcher_end_look(struct forma_matcher *m) {
    unsigned narrowed = m->narrowed;
    bool good = end_asking(m, NULL) == FORMA_OK;
    m->narrowed = narrowed;
    return good;
}
