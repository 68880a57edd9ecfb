/* SPDX-License-Identifier: MIT
 *
 * A budget in tokens that ends in a whole value of the form. A token may come when it and a known
 * completion behind it fit into what is left; there is always such a token, because a completion
 * that fits, the plan, is known from the start on. So the budget is met whatever the model says, and the
 * model chooses freely as long as it leaves room for an end.
 *
 * A token is drawn first and looked at afterwards; one that does not fit is struck out of the mask
 * and another one drawn, which gives each token the probability that it has among those that fit.
 * Where that takes too long, the best tokens are looked at one by one.
 */
#ifndef FORMA_RUNTIME_BUDGET_H
#define FORMA_RUNTIME_BUDGET_H

#include "runtime/sampler.h"

struct budget {
    struct forma_matcher *matcher; /* NULL: there is no budget */
    const struct forma_allocator *allocator;
    uint32_t left; /* tokens that may still come */
    bool ruled;    /* a token was struck out: the model would have gone on otherwise */
    size_t capacity, at;
    struct budget_plan {
        uint32_t *ids; /* (capacity) */
        size_t n;
    } plan,    /* the plan: plan.ids[at .. plan.n) */
        other; /* that behind `candidate`, a token that fits */
    uint32_t candidate;
    struct ranked_token *ranked;
};

/* `matcher` stands at the start of its text, of which `tokens` tokens may come, end tokens aside.
 * FORMA_EINVAL: too few; *least becomes what a whole value takes, as far as is known. To be closed
 * whatever comes. */
enum forma_status budget_open(struct budget *b, struct forma_matcher *matcher, uint32_t tokens,
                              const struct forma_allocator *allocator, size_t *least,
                              struct forma_error *err);
void budget_close(struct budget *b); /* a zeroed one is fine */

/* Does a token of the mask fit into what is left? About one completion. */
bool budget_allows(struct budget *b, uint32_t token);
/* The matcher has accepted it. */
void budget_spend(struct budget *b, uint32_t token);

/* Draws a token that fits; those that did not are struck out of `mask`, a row of `words` words.
 * False: the mask is empty. Allocates nothing. */
bool budget_draw(struct budget *b, struct sampler *sampler, const float *logits, int32_t *mask,
                 size_t words, uint32_t *token);

#endif
