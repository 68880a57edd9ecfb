/* SPDX-License-Identifier: MIT
 *
 * From logits to a token: constraint mask, penalties, temperature, top-k, top-p, min-p, then a
 * seeded draw. The order of the chain is configurable; the mask always comes first. One owner;
 * allocates when made, never while sampling.
 */
#ifndef FORMA_RUNTIME_SAMPLER_H
#define FORMA_RUNTIME_SAMPLER_H

#include "base/alloc.h"
#include "base/rng.h"

enum sampler_step {
    SAMPLER_PENALTIES,
    SAMPLER_TEMPERATURE,
    SAMPLER_TOP_K,
    SAMPLER_TOP_P,
    SAMPLER_MIN_P,
    SAMPLER_STEP_COUNT
};

struct sampler_options {
    float temperature;       /* >= 0; 0 = greedy (argmax, lowest id on ties) */
    uint32_t top_k;          /* 0 = off */
    float top_p;             /* 1 = off */
    float min_p;             /* 0 = off */
    float repeat_penalty;    /* CTRL form (Keskar 2019); 1 = off */
    float presence_penalty;  /* OpenAI form; 0 = off */
    float frequency_penalty; /* OpenAI form; 0 = off */
    enum sampler_step steps[SAMPLER_STEP_COUNT];
    uint32_t n_steps;
    uint64_t seed;
};
/* temperature 0.8, all filters off, default order. */
void sampler_options_init(struct sampler_options *o);
/* "penalties,temperature,top-k,top-p,min-p" and parts of it, each at most once. */
enum forma_status sampler_parse_steps(const char *list, struct sampler_options *o,
                                      struct forma_error *err);

struct candidate {
    uint32_t id;
    float logit;
    float probability;
};

struct sampler;
struct sampler *sampler_new(const struct sampler_options *o, uint32_t n_vocab,
                            const struct forma_allocator *allocator, struct forma_error *err);
void sampler_free(struct sampler *s);
/* Tells the penalties that a token was generated (or was in the prompt). */
void sampler_accept(struct sampler *s, uint32_t token);
void sampler_reset(struct sampler *s, uint64_t seed);

/* Draws a token. `mask` (int32 words, bit t%32 of word t/32) may be NULL. Logits are not changed.
 * Returns false iff no token is allowed. A masked token has probability exactly 0; if the mask
 * allows any token, one of them is drawn, whatever penalties, NaN or infinities say. */
bool sampler_draw(struct sampler *s, const float *logits, const int32_t *mask, uint32_t *token);
/* The candidates that were left at the last draw, most probable first. */
const struct candidate *sampler_candidates(const struct sampler *s, uint32_t *count);

#endif
