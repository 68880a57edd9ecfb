/* SPDX-License-Identifier: MIT
 *
 * The chain works on an array of candidates, at first all that the mask allows, by rising id:
 *
 *     logits + mask -> gather -> steps, in the order of the options -> softmax -> draw
 *
 * Filters only shorten the array; each softmax runs over what is left, so probabilities are
 * always renormalised. Candidates are compared by logit, then by id (lowest first), a total
 * order: ties never depend on the path. The best candidate survives every filter, hence the array
 * is never empty once gather found one.
 *
 * Sorting is partial. A max-heap over n candidates costs O(n) to build and O(log n) for each that
 * is taken; a small k is found by one scan against the worst of the best so far; top-p drops the
 * tail, which cannot belong to it, before it sorts. Sums are in double, in array order.
 *
 * Logits that are not finite: +infinity counts as FLT_MAX, NaN as -infinity. If every allowed
 * logit is -infinity, all are equally likely.
 */
#include "runtime/sampler.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

struct sampler {
    struct sampler_options options;
    const struct forma_allocator *allocator;
    struct rng rng;
    uint32_t n_vocab;
    struct candidate *candidates; /* (n_vocab) */
    uint32_t n_candidates;
    uint32_t best;    /* index of the best candidate, if there is any */
    bool sorted;      /* candidates: best first */
    bool has_softmax; /* candidates[i].probability is current */
    uint32_t *counts; /* (n_vocab) how often each token was accepted */
    uint32_t *seen;   /* (n_vocab) the first n_seen: ids with a count above 0 */
    uint32_t n_seen;
};

/* ---- options ------------------------------------------------------------------------------ */

static const char *const step_names[SAMPLER_STEP_COUNT] = {"penalties", "temperature", "top-k",
                                                           "top-p", "min-p"};

void sampler_options_init(struct sampler_options *o) {
    memset(o, 0, sizeof *o);
    o->temperature = 0.8f;
    o->top_p = 1.0f;
    o->repeat_penalty = 1.0f;
    for (unsigned i = 0; i < SAMPLER_STEP_COUNT; i++) o->steps[i] = (enum sampler_step)i;
    o->n_steps = SAMPLER_STEP_COUNT;
}

static bool find_step(const char *name, size_t length, enum sampler_step *step) {
    for (unsigned i = 0; i < SAMPLER_STEP_COUNT; i++) {
        if (strlen(step_names[i]) == length && memcmp(step_names[i], name, length) == 0) {
            *step = (enum sampler_step)i;
            return true;
        }
    }
    return false;
}

enum forma_status sampler_parse_steps(const char *list, struct sampler_options *o,
                                      struct forma_error *err) {
    enum sampler_step steps[SAMPLER_STEP_COUNT] = {SAMPLER_PENALTIES};
    uint32_t n = 0;
    bool used[SAMPLER_STEP_COUNT] = {false};
    for (const char *p = list; *p;) {
        size_t length = strcspn(p, ",");
        enum sampler_step step;
        if (!find_step(p, length, &step))
            return error_set(err, FORMA_EINVAL,
                             "unknown sampler \"%.*s\"; known are penalties, temperature, top-k, "
                             "top-p and min-p",
                             (int)(length < 40 ? length : 40), p);
        if (used[step])
            return error_set(err, FORMA_EINVAL, "sampler \"%s\" appears twice; name it once",
                             step_names[step]);
        used[step] = true;
        steps[n++] = step;
        p += length;
        if (*p == ',' && *++p == '\0')
            return error_set(err, FORMA_EINVAL, "the list of samplers ends in a comma; remove it");
    }
    memcpy(o->steps, steps, n * sizeof *steps);
    o->n_steps = n;
    return FORMA_OK;
}

/* The comparisons are written so that NaN fails them. */
static enum forma_status check_options(const struct sampler_options *o, struct forma_error *err) {
    if (!(o->temperature >= 0 && o->temperature <= FLT_MAX))
        return error_set(err, FORMA_EINVAL, "temperature must be a number of 0 or more");
    if (!(o->top_p >= 0 && o->top_p <= 1))
        return error_set(err, FORMA_EINVAL, "top-p must lie between 0 and 1");
    if (!(o->min_p >= 0 && o->min_p <= 1))
        return error_set(err, FORMA_EINVAL, "min-p must lie between 0 and 1");
    if (!(o->repeat_penalty > 0 && o->repeat_penalty <= FLT_MAX))
        return error_set(err, FORMA_EINVAL, "the repeat penalty must be above 0 (1 = off)");
    if (!(fabsf(o->presence_penalty) <= FLT_MAX))
        return error_set(err, FORMA_EINVAL, "the presence penalty must be a finite number");
    if (!(fabsf(o->frequency_penalty) <= FLT_MAX))
        return error_set(err, FORMA_EINVAL, "the frequency penalty must be a finite number");
    if (o->n_steps > SAMPLER_STEP_COUNT)
        return error_set(err, FORMA_EINVAL, "too many samplers in the chain");
    for (uint32_t i = 0; i < o->n_steps; i++)
        if ((unsigned)o->steps[i] >= SAMPLER_STEP_COUNT)
            return error_set(err, FORMA_EINVAL, "unknown sampler in the chain");
    return FORMA_OK;
}

/* ---- making and resetting ----------------------------------------------------------------- */

struct sampler *sampler_new(const struct sampler_options *o, uint32_t n_vocab,
                            const struct forma_allocator *allocator, struct forma_error *err) {
    if (check_options(o, err) != FORMA_OK) return NULL;
    if (n_vocab == 0) {
        error_set(err, FORMA_EINVAL, "a sampler needs a vocabulary that is not empty");
        return NULL;
    }
    allocator = fa_allocator_or_default(allocator);
    struct sampler *s = fa_alloc_zero(allocator, sizeof *s);
    if (s) {
        s->options = *o;
        s->allocator = allocator;
        s->n_vocab = n_vocab;
        s->candidates = fa_alloc(allocator, n_vocab * sizeof *s->candidates);
        s->counts = fa_alloc_zero(allocator, n_vocab * sizeof *s->counts);
        s->seen = fa_alloc(allocator, n_vocab * sizeof *s->seen);
    }
    if (!s || !s->candidates || !s->counts || !s->seen) {
        sampler_free(s);
        error_set(err, FORMA_EMEMORY, "no memory for a sampler of %u tokens", (unsigned)n_vocab);
        return NULL;
    }
    rng_seed(&s->rng, o->seed);
    return s;
}

void sampler_free(struct sampler *s) {
    if (!s) return;
    fa_free(s->allocator, s->candidates, s->n_vocab * sizeof *s->candidates);
    fa_free(s->allocator, s->counts, s->n_vocab * sizeof *s->counts);
    fa_free(s->allocator, s->seen, s->n_vocab * sizeof *s->seen);
    fa_free(s->allocator, s, sizeof *s);
}

void sampler_accept(struct sampler *s, uint32_t token) {
    if (token >= s->n_vocab) return;
    if (s->counts[token] == 0) s->seen[s->n_seen++] = token;
    if (s->counts[token] < UINT32_MAX) s->counts[token]++;
}

void sampler_reset(struct sampler *s, uint64_t seed) {
    for (uint32_t i = 0; i < s->n_seen; i++) s->counts[s->seen[i]] = 0;
    s->n_seen = 0;
    s->n_candidates = 0;
    s->options.seed = seed;
    rng_seed(&s->rng, seed);
}

/* ---- order -------------------------------------------------------------------------------- */

static bool is_better(const struct candidate *a, const struct candidate *b) {
    return a->logit > b->logit || (a->logit == b->logit && a->id < b->id);
}

static void swap(struct candidate *a, struct candidate *b) {
    struct candidate t = *a;
    *a = *b;
    *b = t;
}

/* Lets heap[i] sink to its place among the first n. */
static void sift_down(struct candidate *heap, size_t n, size_t i) {
    struct candidate moving = heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= n) break;
        if (child + 1 < n && is_better(&heap[child + 1], &heap[child])) child++;
        if (!is_better(&heap[child], &moving)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moving;
}

static void make_heap(struct candidate *heap, size_t n) {
    for (size_t i = n / 2; i-- > 0;) sift_down(heap, n, i);
}

/* Moves the best of the first n to position n - 1. */
static void pop_heap(struct candidate *heap, size_t n) {
    swap(&heap[0], &heap[n - 1]);
    sift_down(heap, n - 1, 0);
}

static void reverse(struct candidate *c, size_t n) {
    for (size_t i = 0; i < n / 2; i++) swap(&c[i], &c[n - 1 - i]);
}

static bool is_sorted(const struct candidate *c, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (!is_better(&c[i - 1], &c[i])) return false;
    return true;
}

static void sort(struct candidate *c, size_t n) {
    make_heap(c, n);
    for (size_t left = n; left > 1; left--) pop_heap(c, left);
    reverse(c, n);
}

/* Brings the k best of n to the front, best first. 0 < k <= n. */
static void select_best(struct candidate *c, size_t n, size_t k) {
    if (k > n / 8) {
        make_heap(c, n);
        for (size_t taken = 0; taken < k; taken++) pop_heap(c, n - taken);
        reverse(c, n);
        return;
    }
    /* c[0 .. k) stays sorted by insertion; few of the others get past the last of it. */
    sort(c, k);
    for (size_t i = k; i < n; i++) {
        if (!is_better(&c[i], &c[k - 1])) continue;
        struct candidate moving = c[i];
        size_t at = k - 1;
        for (; at > 0 && is_better(&moving, &c[at - 1]); at--) c[at] = c[at - 1];
        c[at] = moving;
    }
}

/* ---- steps -------------------------------------------------------------------------------- */

static float clean(float logit) {
    if (isnan(logit)) return -INFINITY;
    return logit > FLT_MAX ? FLT_MAX : logit;
}

static void find_best(struct sampler *s) {
    const struct candidate *c = s->candidates;
    s->best = 0;
    for (uint32_t i = 1; i < s->n_candidates; i++)
        if (is_better(&c[i], &c[s->best])) s->best = i;
}

static void gather(struct sampler *s, const float *logits, const int32_t *mask) {
    struct candidate *c = s->candidates;
    uint32_t n = 0;
    if (!mask) {
        for (uint32_t id = 0; id < s->n_vocab; id++)
            c[n++] = (struct candidate){.id = id, .logit = clean(logits[id])};
    } else {
        for (uint32_t base = 0; base < s->n_vocab; base += 32) {
            uint32_t word = (uint32_t)mask[base / 32];
            for (; word; word &= word - 1) {
                uint32_t id = base + (uint32_t)__builtin_ctz(word);
                if (id >= s->n_vocab) break;
                c[n++] = (struct candidate){.id = id, .logit = clean(logits[id])};
            }
            if (s->n_vocab - base <= 32) break; /* base + 32 could overflow */
        }
    }
    s->n_candidates = n;
    s->sorted = false;
    s->has_softmax = false;
    find_best(s);
}

/* Where nothing is above -infinity, all candidates become equal. */
static void lift_if_hopeless(struct sampler *s) {
    if (s->candidates[s->best].logit > -INFINITY) return;
    for (uint32_t i = 0; i < s->n_candidates; i++) s->candidates[i].logit = 0;
}

static void penalise(struct sampler *s) {
    const struct sampler_options *o = &s->options;
    if (s->n_seen == 0) return;
    if (o->repeat_penalty == 1 && o->presence_penalty == 0 && o->frequency_penalty == 0) return;
    for (uint32_t i = 0; i < s->n_candidates; i++) {
        struct candidate *c = &s->candidates[i];
        uint32_t count = s->counts[c->id];
        if (count == 0 || c->logit == -INFINITY) continue;
        float logit = c->logit;
        logit = logit > 0 ? logit / o->repeat_penalty : logit * o->repeat_penalty;
        logit -= o->presence_penalty;
        logit -= o->frequency_penalty * (float)count;
        if (isnan(logit)) logit = -FLT_MAX;
        /* Finite still: a penalty makes a token unlikely, never impossible. */
        c->logit = fminf(fmaxf(logit, -FLT_MAX), FLT_MAX);
    }
    s->sorted = false;
    s->has_softmax = false;
    find_best(s);
}

static void heat(struct sampler *s) {
    float temperature = s->options.temperature;
    struct candidate *c = s->candidates;
    if (temperature == 1) return;
    s->has_softmax = false;
    if (temperature == 0) {
        c[0] = c[s->best];
        s->n_candidates = 1;
        s->best = 0;
        s->sorted = true;
        return;
    }
    /* Measured from the best, else a small temperature would make infinities of them all. The
     * difference is taken in double: it can be twice FLT_MAX. */
    double best = c[s->best].logit;
    for (uint32_t i = 0; i < s->n_candidates; i++)
        c[i].logit = (float)((c[i].logit - best) / temperature);
}

static void softmax(struct sampler *s) {
    struct candidate *c = s->candidates;
    double best = c[s->best].logit, sum = 0;
    if (s->has_softmax) return;
    for (uint32_t i = 0; i < s->n_candidates; i++) {
        c[i].probability = expf((float)(c[i].logit - best));
        sum += c[i].probability;
    }
    for (uint32_t i = 0; i < s->n_candidates; i++)
        c[i].probability = (float)(c[i].probability / sum);
    s->has_softmax = true;
}

static void cut(struct sampler *s, uint32_t n) {
    if (n < s->n_candidates) s->has_softmax = false;
    s->n_candidates = n;
    s->sorted = true;
    s->best = 0;
}

static void filter_top_k(struct sampler *s) {
    uint32_t k = s->options.top_k, n = s->n_candidates;
    if (k == 0 || k >= n) return;
    if (!s->sorted) select_best(s->candidates, n, k);
    cut(s, k);
}

/* Drops candidates of probability below (1 - p) / n: all of them together have less than 1 - p,
 * so the others reach p without them. Returns how many are left. */
static uint32_t drop_tail(struct candidate *c, uint32_t n, double p) {
    double threshold = 0.999 * (1 - p) / n; /* probabilities are rounded; one at least stays */
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++)
        if (c[i].probability >= threshold) c[left++] = c[i];
    return left;
}

/* The fewest of the most probable whose sum reaches p: the one that crosses it is included. */
static void filter_top_p(struct sampler *s) {
    double p = s->options.top_p;
    if (p >= 1) return;
    softmax(s);
    struct candidate *c = s->candidates;
    uint32_t before = s->n_candidates, n = before, kept = 0;
    double sum = 0;
    if (s->sorted) {
        do sum += c[kept++].probability;
        while (sum < p && kept < n);
    } else {
        n = drop_tail(c, n, p);
        make_heap(c, n);
        do {
            pop_heap(c, n - kept);
            sum += c[n - 1 - kept].probability;
            kept++;
        } while (sum < p && kept < n);
        reverse(c, n);
    }
    if (kept < before) s->has_softmax = false;
    cut(s, kept);
}

/* Keeps what is at least min_p times as probable as the best. */
static void filter_min_p(struct sampler *s) {
    if (s->options.min_p == 0) return;
    softmax(s);
    struct candidate *c = s->candidates;
    float threshold = s->options.min_p * c[s->best].probability;
    uint32_t kept = 0, best = 0;
    for (uint32_t i = 0; i < s->n_candidates; i++) {
        /* Rounding may lift the threshold above the best of min_p = 1: it stays all the same. */
        if (i != s->best && c[i].probability < threshold) continue;
        if (i == s->best) best = kept;
        c[kept++] = c[i];
    }
    if (kept < s->n_candidates) s->has_softmax = false;
    s->n_candidates = kept;
    s->best = best;
}

static void apply(struct sampler *s, enum sampler_step step) {
    switch (step) {
    case SAMPLER_PENALTIES: penalise(s); break;
    case SAMPLER_TEMPERATURE: heat(s); break;
    case SAMPLER_TOP_K: filter_top_k(s); break;
    case SAMPLER_TOP_P: filter_top_p(s); break;
    case SAMPLER_MIN_P: filter_min_p(s); break;
    case SAMPLER_STEP_COUNT: break;
    }
}

/* ---- the draw ----------------------------------------------------------------------------- */

bool sampler_draw(struct sampler *s, const float *logits, const int32_t *mask, uint32_t *token) {
    gather(s, logits, mask);
    if (s->n_candidates == 0) return false;
    lift_if_hopeless(s);
    for (uint32_t i = 0; i < s->options.n_steps; i++) apply(s, s->options.steps[i]);
    assert(s->n_candidates > 0);
    softmax(s);

    /* One number of the generator for each draw, needed or not: the draws that follow do not
     * depend on how many candidates the filters left. */
    const struct candidate *c = s->candidates;
    double point = rng_unit(&s->rng); /* probabilities add up to 1, but for rounding */
    uint32_t chosen = s->best;
    for (uint32_t i = 0; i < s->n_candidates; i++) {
        if (c[i].probability == 0) continue;
        chosen = i; /* the last one, should rounding leave a rest */
        point -= c[i].probability;
        if (point < 0) break;
    }
    *token = c[chosen].id;
    return true;
}

const struct candidate *sampler_candidates(const struct sampler *s, uint32_t *count) {
    *count = s->n_candidates;
    if (!is_sorted(s->candidates, s->n_candidates)) sort(s->candidates, s->n_candidates);
    return s->candidates;
}
