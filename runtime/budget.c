/* SPDX-License-Identifier: MIT
 *
 * The plan is kept as tokens as long as the draws follow it. Otherwise only that there is one is
 * known, from budget_allows; it is made anew when a token is first struck out.
 */
#include "runtime/budget.h"

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

static void make_plan(struct budget *b, uint64_t max_work) {
    b->n_plan = forma_matcher_plan(b->matcher, max_work, b->plan, b->capacity);
    b->is_known = true;
    b->at = 0;
}

/* The next token of the plan; false: there is none that fits. */
static bool next_of_plan(struct budget *b, uint32_t *token) {
    if (!b->is_known) make_plan(b, 0);
    if (b->at >= b->n_plan || b->n_plan - b->at > b->left) return false;
    *token = b->plan[b->at];
    return true;
}

enum forma_status budget_open(struct budget *b, struct forma_matcher *matcher, uint32_t tokens,
                              const struct forma_allocator *allocator, size_t *least,
                              struct forma_error *err) {
    *b = (struct budget){.matcher = matcher, .allocator = allocator, .left = tokens};
    b->capacity = tokens;
    b->plan = fa_alloc(allocator, b->capacity * sizeof *b->plan);
    b->ranked = fa_alloc(allocator, MAX_RANKED * sizeof *b->ranked);
    if (!b->plan || !b->ranked) return error_set(err, FORMA_EMEMORY, "no memory for a plan");
    make_plan(b, 0);
    if (b->n_plan > tokens) make_plan(b, SEARCH_STATES);
    *least = b->n_plan;
    if (b->n_plan == SIZE_MAX)
        return error_set(err, FORMA_ELIMIT,
                         "no text of the form is known that is short enough to be planned for");
    if (b->n_plan > tokens)
        return error_set(err, FORMA_EINVAL,
                         "a whole value of the form takes %zu tokens, as far as is known", *least);
    return FORMA_OK;
}

void budget_close(struct budget *b) {
    if (!b->matcher) return;
    fa_free(b->allocator, b->plan, b->capacity * sizeof *b->plan);
    fa_free(b->allocator, b->ranked, MAX_RANKED * sizeof *b->ranked);
}

bool budget_allows(struct budget *b, uint32_t token) {
    uint32_t planned;
    if (b->is_known && next_of_plan(b, &planned) && planned == token) return true;
    if (forma_matcher_fits(b->matcher, token, b->left)) return true;
    return !b->is_known && next_of_plan(b, &planned) && planned == token;
}

void budget_spend(struct budget *b, uint32_t token) {
    b->left -= b->left > 0;
    if (b->is_known && b->at < b->n_plan && b->plan[b->at] == token)
        b->at++;
    else
        b->is_known = false;
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
        if (!sampler_draw(sampler, logits, mask, token)) return i > 0 && next_of_plan(b, token);
        if (budget_allows(b, *token)) return true;
        strike(mask, *token);
        b->ruled = true;
    }
    keep_what_fits(b, logits, mask, words);
    return sampler_draw(sampler, logits, mask, token) || next_of_plan(b, token);
}
