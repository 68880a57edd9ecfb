/* SPDX-License-Identifier: MIT
 *
 * The plan is always at hand as tokens: what the grammar would answer when it is asked again may be
 * another, and longer.
 */
#include "runtime/budget.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

#define MAX_REJECTIONS 64    /* draws for one token, before the mask is looked at */
#define MAX_RANKED     1024  /* tokens of a mask that are looked at */
#define SEARCH_STATES  30000 /* for a shortest text, when the known one does not fit */

struct ranked_token {
    float logit;
    uint32_t id;
};

/* ---- plans ---------------------------------------------------------------------------------- */

#define NO_TOKEN UINT32_MAX

/* The next token of the plan; NO_TOKEN: the text is whole. */
static uint32_t planned(const struct budget *b) {
    return b->at < b->plan.n ? b->plan.ids[b->at] : NO_TOKEN;
}

enum forma_status budget_open(struct budget *b, struct forma_matcher *matcher, uint32_t tokens,
                              const struct forma_allocator *allocator, size_t *least,
                              struct forma_error *err) {
    *b = (struct budget){
        .matcher = matcher, .allocator = allocator, .left = tokens, .candidate = NO_TOKEN};
    b->capacity = tokens;
    b->plan.ids = fa_alloc(allocator, b->capacity * sizeof *b->plan.ids);
    b->other.ids = fa_alloc(allocator, b->capacity * sizeof *b->other.ids);
    b->ranked = fa_alloc(allocator, MAX_RANKED * sizeof *b->ranked);
    if (!b->plan.ids || !b->other.ids || !b->ranked)
        return error_set(err, FORMA_EMEMORY, "no memory for a plan");
    *least = forma_matcher_plan(matcher, 0, b->plan.ids, b->capacity);
    if (*least > tokens)
        *least = forma_matcher_plan(matcher, SEARCH_STATES, b->plan.ids, b->capacity);
    if (*least == SIZE_MAX)
        return error_set(err, FORMA_ELIMIT,
                         "no text of the form is known that is short enough to be planned for");
    if (*least > tokens)
        return error_set(err, FORMA_EINVAL,
                         "a whole value of the form takes %zu tokens, as far as is known", *least);
    b->plan.n = *least;
    return FORMA_OK;
}

void budget_close(struct budget *b) {
    if (!b->matcher) return;
    fa_free(b->allocator, b->plan.ids, b->capacity * sizeof *b->plan.ids);
    fa_free(b->allocator, b->other.ids, b->capacity * sizeof *b->other.ids);
    fa_free(b->allocator, b->ranked, MAX_RANKED * sizeof *b->ranked);
}

bool budget_allows(struct budget *b, uint32_t token) {
    if (token == planned(b)) return true;
    b->candidate = NO_TOKEN;
    if (!forma_matcher_fits(b->matcher, token, b->left, b->other.ids, &b->other.n)) return false;
    b->candidate = token;
    return true;
}

void budget_spend(struct budget *b, uint32_t token) {
    b->left -= b->left > 0;
    if (token == planned(b)) {
        b->at++;
    } else {
        assert(token == b->candidate); /* nothing comes that was not asked about */
        struct budget_plan old = b->plan;
        b->plan = b->other;
        b->other = old;
        b->at = 0;
    }
    b->candidate = NO_TOKEN;
}

/* ---- draws ---------------------------------------------------------------------------------- */

static void strike(int32_t *mask, uint32_t token) {
    mask[token / 32] = (int32_t)((uint32_t)mask[token / 32] & ~(UINT32_C(1) << token % 32));
}

static void allow(int32_t *mask, uint32_t token) {
    mask[token / 32] = (int32_t)((uint32_t)mask[token / 32] | UINT32_C(1) << token % 32);
}

/* Of a heap whose least probable token is its root: puts `token` at place i and lets it sink. */
static void sink(struct ranked_token *heap, size_t n, size_t i, struct ranked_token token) {
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && heap[child + 1].logit < heap[child].logit) child++;
        if (!(heap[child].logit < token.logit)) break;
        heap[i] = heap[child];
    }
    heap[i] = token;
}

/* The most probable tokens of the mask: how many. */
static size_t rank(struct ranked_token *ranked, const float *logits, const int32_t *mask,
                   size_t words) {
    size_t n = 0;
    for (size_t w = 0; w < words; w++) {
        for (uint32_t bits = (uint32_t)mask[w]; bits; bits &= bits - 1) {
            uint32_t id = (uint32_t)(32 * w) + (uint32_t)__builtin_ctz(bits);
            struct ranked_token token = {isnan(logits[id]) ? -INFINITY : logits[id], id};
            if (n < MAX_RANKED) {
                ranked[n++] = token;
                if (n < MAX_RANKED) continue;
                for (size_t i = n / 2; i-- > 0;) sink(ranked, n, i, ranked[i]);
            } else if (token.logit > ranked[0].logit) {
                sink(ranked, n, 0, token);
            }
        }
    }
    return n;
}

/* Leaves those in the mask that fit, as far as they are looked at. */
static void keep_what_fits(struct budget *b, const float *logits, int32_t *mask, size_t words) {
    size_t n = rank(b->ranked, logits, mask, words);
    memset(mask, 0, words * sizeof *mask);
    for (size_t i = 0; i < n; i++)
        if (budget_allows(b, b->ranked[i].id)) allow(mask, b->ranked[i].id);
}

bool budget_draw(struct budget *b, struct sampler *sampler, const float *logits, int32_t *mask,
                 size_t words, uint32_t *token) {
    for (int i = 0; i < MAX_REJECTIONS; i++) {
        if (!sampler_draw(sampler, logits, mask, token)) {
            if (i == 0) return false;
            break;
        }
        if (budget_allows(b, *token)) return true;
        strike(mask, *token);
        b->ruled = true;
    }
    keep_what_fits(b, logits, mask, words);
    if (sampler_draw(sampler, logits, mask, token) && budget_allows(b, *token)) return true;
    *token = planned(b);
    return *token != NO_TOKEN;
}
