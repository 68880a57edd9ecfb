/* SPDX-License-Identifier: MIT */
#include "tests/lib_walk.h"

#include <time.h>

#include "tests/test.h"
#include "tokenmask/mask.h"
#include "tokenmask/matcher.h"

/* ---- kinds of tokens ----------------------------------------------------------------------- */

static bool only(const unsigned char *bytes, size_t length, const char *set) {
    for (size_t i = 0; i < length; i++)
        if (!bytes[i] || !strchr(set, bytes[i])) return false;
    return true;
}

static bool any(const unsigned char *bytes, size_t length, const char *set) {
    for (size_t i = 0; i < length; i++)
        if (bytes[i] && strchr(set, bytes[i])) return true;
    return false;
}

static enum walk_kind kind_of(const unsigned char *bytes, size_t length) {
    if (only(bytes, length, " \t\n\r")) return WALK_BLANK;
    if (only(bytes, length, "0123456789+-.eE")) return WALK_NUMBER;
    if (only(bytes, length, "\"{}[],: \t\n\r"))
        return strchr("\"}]", bytes[0]) ? WALK_CLOSING : WALK_STRUCTURE;
    if (length == 1) return WALK_SHORT;
    return any(bytes, length, "\"\\{}[]") ? WALK_MIXED : WALK_TEXT;
}

struct walker *walker_new(const struct forma_vocabulary *v) {
    struct walker *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->v = v;
    w->words = mask_words(v->n_tokens);
    for (int k = 0; k < WALK_KINDS; k++) {
        w->rows[k] = calloc(w->words, sizeof *w->rows[k]);
        if (!w->rows[k]) {
            walker_free(w);
            return NULL;
        }
    }
    for (uint32_t id = 0; id < v->n_tokens; id++) {
        size_t length;
        const unsigned char *bytes = forma_vocabulary_bytes(v, id, &length);
        if (forma_vocabulary_is_eos(v, id))
            mask_allow(w->rows[WALK_END], id);
        else if (bytes)
            mask_allow(w->rows[kind_of(bytes, length)], id);
    }
    return w;
}

void walker_free(struct walker *w) {
    for (int k = 0; w && k < WALK_KINDS; k++) free(w->rows[k]);
    free(w);
}

/* ---- drawing ------------------------------------------------------------------------------- */

static const struct walk_policy policies[] = {
    /*             end  close  structure  number  blank  short  mixed  text */
    {"uniform", true, {1, 1, 1, 1, 1, 1, 1, 1}},
    {"kinds", false, {1, 1, 1, 1, 0.2, 1, 1, 1}},
    {"closing", false, {6, 6, 2, 2, 0.1, 1, 0.5, 1}},
    {"growing", false, {0.02, 1, 6, 1, 0.1, 0.5, 2, 0.5}},
    {"drawn", false, {0}},
};
enum { POLICIES = sizeof policies / sizeof *policies };

static double fraction(uint64_t *random) {
    return (double)(test_random(random) >> 11) * 0x1p-53;
}

struct walk_policy walk_policy(unsigned n, uint64_t *random) {
    struct walk_policy p = policies[n % POLICIES];
    if (n % POLICIES + 1 == POLICIES)
        for (int k = 0; k < WALK_KINDS; k++) p.weights[k] = exp(6 * fraction(random) - 3);
    return p;
}

/* In steps that a compiler makes vectors of: this is most of a walk's time beside the masks. */
static uint32_t count_bits(uint32_t x) {
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F;
    x += x >> 8;
    return (x + (x >> 16)) & 0x3F;
}

static size_t count_common(const uint32_t *a, const uint32_t *b, size_t words) {
    uint32_t n = 0;
    for (size_t i = 0; i < words; i++) n += count_bits(a[i] & b[i]);
    return n;
}

static uint32_t nth_common(const uint32_t *a, const uint32_t *b, size_t nth) {
    for (size_t i = 0;; i++) {
        uint32_t bits = a[i] & b[i];
        size_t n = count_bits(bits);
        for (; nth < n; nth--, bits &= bits - 1)
            if (nth == 0) return (uint32_t)(32 * i) + (uint32_t)__builtin_ctz(bits);
        nth -= n;
    }
}

uint32_t walk_draw(const struct walker *w, const struct walk_policy *policy, const uint32_t *row,
                   uint64_t *random) {
    size_t counts[WALK_KINDS];
    double sum = 0;
    int kind = -1;
    for (int k = 0; k < WALK_KINDS; k++) {
        counts[k] = count_common(row, w->rows[k], w->words);
        if (counts[k]) sum += policy->weights[k] * (policy->evenly ? (double)counts[k] : 1);
    }
    double at = fraction(random) * sum;
    for (int k = 0; k < WALK_KINDS && at >= 0; k++) {
        if (!counts[k]) continue;
        kind = k;
        at -= policy->weights[k] * (policy->evenly ? (double)counts[k] : 1);
    }
    if (kind < 0) return UINT32_MAX;
    return nth_common(row, w->rows[kind], test_below(random, (uint32_t)counts[kind]));
}

uint32_t walk_longest(const struct walker *w, const unsigned char *text, size_t length) {
    const struct trie *trie = &w->v->trie;
    uint32_t id = UINT32_MAX;
    for (size_t n = 1; n <= length && n <= trie->max_depth; n++) {
        const struct trie_node *node = trie_find(trie, text, n);
        if (!node) break;
        if (node[1].first > node->first) id = trie->ids[node->first];
    }
    return id;
}

/* ---- walking ------------------------------------------------------------------------------- */

enum { TRAIL = 16, SIDE_STEPS = 6, MAX_PLAN_TOKENS = 1000 };

/* What one walk holds while it runs. */
struct run {
    struct walk *walk;
    const struct walker *w;
    struct forma_matcher *m;
    const struct walk_how *how;
    uint64_t random, shaking; /* what is shaken draws apart: it must leave no trace */
    uint32_t *row, *other;
    /* The last tokens, and hashes of the masks before them; by number of the step, modulo TRAIL. */
    uint32_t ids[TRAIL];
    uint64_t hashes[TRAIL];
    bool narrowed; /* was the last mask? Then others may be narrowed elsewhere */
};

double walk_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static uint64_t hash_row(const uint32_t *row, size_t words) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < words; i++) h = (h ^ row[i]) * UINT64_C(1099511628211);
    return h;
}

static bool fail(struct run *r, const char *fault) {
    if (!r->walk->fault) r->walk->fault = fault;
    return false;
}

/* Equal to a mask of before? Where a limit narrowed one of them they may differ. */
static bool same_mask(struct run *r, struct forma_matcher *m, uint64_t hash, const char *fault) {
    if (forma_matcher_mask(m, (int32_t *)r->other, r->w->words, NULL) != FORMA_OK)
        return fail(r, "a mask is refused");
    if (forma_matcher_narrowed(m)) r->walk->narrowed = true;
    if (forma_matcher_narrowed(m) || r->narrowed) return true;
    return hash_row(r->other, r->w->words) == hash || fail(r, fault);
}

/* The mask into r->row, with what must hold of each. */
static bool take_mask(struct run *r) {
    struct walk *walk = r->walk;
    double started = walk_now_ms();
    if (forma_matcher_mask(r->m, (int32_t *)r->row, r->w->words, NULL) != FORMA_OK)
        return fail(r, "a mask is refused");
    walk->mask_ms += walk_now_ms() - started;
    r->narrowed = forma_matcher_narrowed(r->m);
    walk->narrowed |= r->narrowed;
    uint64_t hash = hash_row(r->row, r->w->words);
    r->hashes[walk->tokens % TRAIL] = hash;
    walk->hash = (walk->hash ^ hash) * UINT64_C(1099511628211);
    walk->masks++;
    if (mask_is_empty(r->row, r->w->words)) return fail(r, "no token is allowed");
    if (r->how->slow_every && test_below(&r->shaking, r->how->slow_every) == 0 && !r->narrowed) {
        matcher_mask_slow(r->m, r->other, r->w->words);
        if (memcmp(r->row, r->other, r->w->words * sizeof *r->row) != 0)
            return fail(r, "a mask is not what its definition says");
    }
    bool ends = forma_matcher_accepts_end(r->m);
    for (size_t i = 0; i < r->w->v->n_eos; i++)
        if (mask_test(r->row, r->w->v->eos[i]) != ends)
            return fail(r, "an end token is allowed where the text may not end, or the reverse");
    for (size_t i = 0; i < r->how->n_twins; i++)
        if (!same_mask(r, r->how->twins[i], hash, "the mask of another matcher differs"))
            return false;
    return true;
}

static bool step(struct run *r, uint32_t id) {
    struct walk *walk = r->walk;
    size_t length = 0;
    if (forma_matcher_accept(r->m, id, NULL) != FORMA_OK)
        return fail(r, "an allowed token is refused");
    for (size_t i = 0; i < r->how->n_twins; i++)
        if (forma_matcher_accept(r->how->twins[i], id, NULL) != FORMA_OK)
            return fail(r, "an allowed token is refused by another matcher");
    walk->hash = (walk->hash ^ id) * UINT64_C(1099511628211);
    r->ids[walk->tokens++ % TRAIL] = id;
    if (forma_vocabulary_is_eos(r->w->v, id)) return true;
    const unsigned char *bytes = forma_vocabulary_bytes(r->w->v, id, &length);
    if (walk->length + length > walk->capacity) {
        size_t capacity = 2 * walk->capacity + length + 1024;
        unsigned char *text = realloc(walk->text, capacity);
        if (!text) return fail(r, "no memory");
        walk->text = text;
        walk->capacity = capacity;
    }
    memcpy(walk->text + walk->length, bytes, length);
    walk->length += length;
    return true;
}

/* Takes back some steps; the mask there must be what it was; does them again. */
static bool there_and_back(struct run *r) {
    unsigned tokens = r->walk->tokens, most = tokens < TRAIL ? tokens : TRAIL - 1;
    if (!most) return true;
    unsigned back = 1 + test_below(&r->shaking, most);
    if (forma_matcher_rollback(r->m, back, NULL) != FORMA_OK) return fail(r, "no way back");
    if (!same_mask(r, r->m, r->hashes[(tokens - back) % TRAIL], "a mask differs after a rollback"))
        return false;
    for (unsigned i = tokens - back; i < tokens; i++)
        if (forma_matcher_accept(r->m, r->ids[i % TRAIL], NULL) != FORMA_OK)
            return fail(r, "a token is refused after a rollback");
    return true;
}

/* A copy begins where the matcher is, and goes its own way. */
static bool side_walk(struct run *r, uint64_t hash) {
    struct forma_matcher *copy = forma_matcher_copy(r->m, NULL);
    if (!copy) return fail(r, "no copy");
    bool ok = same_mask(r, copy, hash, "the mask of a copy differs");
    for (int i = 0; ok && i < SIDE_STEPS; i++) {
        uint32_t id = walk_draw(r->w, r->how->policy, r->other, &r->shaking);
        if (id == UINT32_MAX) ok = fail(r, "no token is allowed to a copy");
        if (ok && forma_matcher_accept(copy, id, NULL) != FORMA_OK)
            ok = fail(r, "an allowed token is refused by a copy");
        if (!ok || forma_vocabulary_is_eos(r->w->v, id)) break;
        if (forma_matcher_mask(copy, (int32_t *)r->other, r->w->words, NULL) != FORMA_OK)
            ok = fail(r, "a mask is refused to a copy");
    }
    forma_matcher_free(copy);
    return ok && same_mask(r, r->m, hash, "a mask differs after a copy went on");
}

/* Takes these tokens, which must lead on, or to an end, and comes back. */
static bool try_tokens(struct run *r, const uint32_t *ids, size_t n, bool ends, const char *fault) {
    size_t taken = 0;
    while (taken < n && forma_matcher_accept(r->m, ids[taken], NULL) == FORMA_OK) taken++;
    bool ok = taken == n && (!ends || forma_matcher_accepts_end(r->m));
    if (forma_matcher_rollback(r->m, taken, NULL) != FORMA_OK) return fail(r, "no way back");
    return ok || fail(r, fault);
}

/* Forced tokens are accepted; a plan ends the text, and so does that behind a token that fits. */
static bool ask_for_plans(struct run *r, uint64_t hash) {
    uint32_t ids[MAX_PLAN_TOKENS], drawn = walk_draw(r->w, r->how->policy, r->row, &r->shaking);
    size_t n = forma_matcher_forced_tokens(r->m, NULL, NULL, ids, MAX_PLAN_TOKENS);
    if (!try_tokens(r, ids, n, false, "a forced token is refused")) return false;
    n = forma_matcher_plan(r->m, 0, ids, MAX_PLAN_TOKENS);
    if (n <= MAX_PLAN_TOKENS && !try_tokens(r, ids, n, true, "a plan does not end the text"))
        return false;
    if (!forma_matcher_fits(r->m, drawn, MAX_PLAN_TOKENS - 1, ids + 1, &n)) return true;
    ids[0] = drawn;
    return try_tokens(r, ids, n + 1, !forma_vocabulary_is_eos(r->w->v, drawn),
                      "what fits does not end the text") &&
           same_mask(r, r->m, hash, "a mask differs behind questions");
}

/* The known completion, as it is here, in its longest tokens. */
static void follow(struct run *r) {
    const struct walk_how *how = r->how;
    unsigned char *plan = malloc(how->plan_bytes);
    size_t length = plan ? forma_matcher_completion(r->m, plan, how->plan_bytes) : SIZE_MAX;
    struct walk *walk = r->walk;
    unsigned masks = 0;
    walk->end = length == SIZE_MAX ? WALK_CUT : WALK_FOLLOWED;
    for (size_t at = 0; length != SIZE_MAX && at <= length;) {
        bool ends = at == length;
        uint32_t id = ends ? r->w->v->eos[0] : walk_longest(r->w, plan + at, length - at);
        if (id == UINT32_MAX) {
            fail(r, "the completion cannot be spelled");
            break;
        }
        if (masks++ < how->follow_masks || ends) {
            if (!take_mask(r)) break;
            if (!mask_test(r->row, id)) {
                fail(r, "the completion is not allowed");
                break;
            }
        }
        size_t before = walk->length;
        if (!step(r, id) || ends) break;
        at += walk->length - before;
    }
    free(plan);
}

static void run_walk(struct run *r) {
    const struct walk_how *how = r->how;
    struct walk *walk = r->walk;
    double started = walk_now_ms();
    for (;;) {
        bool late = how->ms && walk_now_ms() - started > how->ms;
        if (walk->tokens >= how->tokens || late) {
            walk->late = late;
            follow(r);
            return;
        }
        if (!take_mask(r)) return;
        uint64_t hash = r->hashes[walk->tokens % TRAIL];
        if (how->shake && test_below(&r->shaking, 12) == 0 && !there_and_back(r)) return;
        if (how->shake && test_below(&r->shaking, 24) == 0 && !side_walk(r, hash)) return;
        if (how->plans_every && test_below(&r->shaking, how->plans_every) == 0 &&
            !ask_for_plans(r, hash))
            return;
        uint32_t id = walk_draw(r->w, r->how->policy, r->row, &r->random);
        if (id == UINT32_MAX) {
            fail(r, "a control token is allowed");
            return;
        }
        if (!step(r, id)) return;
        if (forma_vocabulary_is_eos(r->w->v, id)) {
            walk->end = WALK_DRAWN;
            if (!forma_matcher_is_finished(r->m)) fail(r, "the text goes on after its end");
            return;
        }
    }
}

void walk_run(struct walk *walk, const struct walker *w, struct forma_matcher *m,
              const struct walk_how *how) {
    struct run r = {
        .walk = walk, .w = w, .m = m, .how = how, .random = how->seed, .shaking = how->seed + 1};
    *walk = (struct walk){.text = walk->text, .capacity = walk->capacity};
    forma_matcher_reset(m);
    for (size_t i = 0; i < how->n_twins; i++) forma_matcher_reset(how->twins[i]);
    r.row = malloc(w->words * sizeof *r.row);
    r.other = malloc(w->words * sizeof *r.other);
    if (r.row && r.other)
        run_walk(&r);
    else
        fail(&r, "no memory");
    free(r.row);
    free(r.other);
}

void walk_destroy(struct walk *walk) {
    free(walk->text);
    *walk = (struct walk){0};
}
