/* SPDX-License-Identifier: MIT
 *
 * The sampling chain: each step against arithmetic written out here, the order of the chain, the
 * draw against its distribution (chi-square), and what must hold for every input (a masked token
 * is never drawn; an allowed one always is).
 */
#include "runtime/sampler.h"
#include "tests/test.h"

#include <float.h>

static struct sampler *make(const struct sampler_options *o, uint32_t n) {
    struct forma_error err;
    struct sampler *s = sampler_new(o, n, NULL, &err);
    if (!CHECK(s != NULL)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return s;
}

static struct sampler_options plain(float temperature) {
    struct sampler_options o;
    sampler_options_init(&o);
    o.temperature = temperature;
    return o;
}

static uint32_t draw(struct sampler *s, const float *logits, const int32_t *mask) {
    uint32_t token = UINT32_MAX;
    CHECK(sampler_draw(s, logits, mask, &token));
    return token;
}

/* The ids left after the filters, best first, as "3 1 2". */
static const char *left_ids(struct sampler *s, char *out, size_t capacity) {
    uint32_t n;
    const struct candidate *c = sampler_candidates(s, &n);
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < n && used < capacity; i++)
        used += (size_t)snprintf(out + used, capacity - used, "%s%u", i ? " " : "", c[i].id);
    return out;
}

static double sum_of(struct sampler *s) {
    uint32_t n;
    const struct candidate *c = sampler_candidates(s, &n);
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += c[i].probability;
    return sum;
}

static double probability_of(struct sampler *s, uint32_t id) {
    uint32_t n;
    const struct candidate *c = sampler_candidates(s, &n);
    for (uint32_t i = 0; i < n; i++)
        if (c[i].id == id) return c[i].probability;
    return 0;
}

/* ---- generator ---------------------------------------------------------------------------- */

static void test_rng(void) {
    /* Outputs of the authors' programs: xoshiro256++ from the state 1, 2, 3, 4 ... */
    static const uint64_t want[] = {41943041, 58720359, UINT64_C(3588806011781223),
                                    UINT64_C(3591011842654386), UINT64_C(9228616714210784205)};
    struct rng r = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) CHECK(rng_next(&r) == want[i]);
    /* ... and splitmix64 from 1234567. */
    static const uint64_t seeds[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                     UINT64_C(9817491932198370423), UINT64_C(4593380528125082431)};
    rng_seed(&r, 1234567);
    for (size_t i = 0; i < 4; i++) CHECK(r.s[i] == seeds[i]);
    double least = 1, most = 0, mean = 0;
    for (int i = 0; i < 100000; i++) {
        double u = rng_unit(&r);
        least = fmin(least, u);
        most = fmax(most, u);
        mean += u / 100000;
    }
    CHECK(least >= 0 && most < 1);
    CHECK_NEAR(mean, 0.5, 0.01);
}

/* The same tokens on every platform: logits whose softmax leaves no cut near a draw. */
static void test_golden_draws(void) {
    static const float logits[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    static const uint32_t want[16] = {6, 2, 7, 5, 6, 4, 1, 4, 1, 7, 4, 6, 5, 0, 3, 4};
    struct sampler_options o = plain(1);
    o.seed = 42;
    struct sampler *s = make(&o, 8);
    uint32_t first[16];
    for (int i = 0; i < 16; i++) first[i] = draw(s, logits, NULL);
    for (int i = 0; i < 16; i++) CHECK_INT(first[i], want[i]);
    sampler_reset(s, 42);
    for (int i = 0; i < 16; i++) CHECK_INT(draw(s, logits, NULL), first[i]);
    sampler_reset(s, 43);
    int same = 0;
    for (int i = 0; i < 16; i++) same += draw(s, logits, NULL) == first[i];
    CHECK(same < 16);
    sampler_free(s);
}

/* ---- temperature and greedy --------------------------------------------------------------- */

static void test_greedy(void) {
    static const float logits[6] = {1, 3, 2, 3, -1, 0};
    static const int32_t mask[1] = {0x3D}; /* all but 1 */
    struct sampler_options o = plain(0);
    struct sampler *s = make(&o, 6);
    for (int i = 0; i < 20; i++) CHECK_INT(draw(s, logits, NULL), 1); /* lowest id on ties */
    CHECK_INT(draw(s, logits, mask), 3);
    sampler_free(s);

    o = plain(5);
    o.top_k = 1;
    s = make(&o, 6);
    for (int i = 0; i < 20; i++) CHECK_INT(draw(s, logits, NULL), 1);
    sampler_free(s);
    /* The smallest temperatures neither overflow nor lose the best. */
    o = plain(1e-38f);
    s = make(&o, 6);
    uint32_t token = draw(s, logits, NULL);
    CHECK(token == 1 || token == 3);
    CHECK_NEAR(probability_of(s, 1), 0.5, 1e-6);
    CHECK_NEAR(probability_of(s, 3), 0.5, 1e-6);
    sampler_free(s);
}

static void test_temperature(void) {
    static const float logits[3] = {2, 1, -0.5f};
    static const float temperatures[] = {0.25f, 0.8f, 1, 2, 100};
    for (size_t t = 0; t < sizeof temperatures / sizeof *temperatures; t++) {
        struct sampler_options o = plain(temperatures[t]);
        struct sampler *s = make(&o, 3);
        draw(s, logits, NULL);
        double sum = 0;
        for (int i = 0; i < 3; i++) sum += exp((double)logits[i] / (double)temperatures[t]);
        for (uint32_t i = 0; i < 3; i++)
            CHECK_NEAR(probability_of(s, i), exp((double)logits[i] / (double)temperatures[t]) / sum,
                       1e-6);
        CHECK_NEAR(sum_of(s), 1, 1e-6);
        sampler_free(s);
    }
}

/* Pearson's statistic over 20,000 draws, 5 degrees of freedom: 30 is passed once in 70,000 runs. */
static void test_chi_square(void) {
    static const float logits[6] = {0, 1, 2, -1, 0.5f, -INFINITY};
    enum { DRAWS = 20000 };
    long counts[6] = {0};
    struct sampler_options o = plain(1);
    o.seed = 7;
    struct sampler *s = make(&o, 6);
    for (int i = 0; i < DRAWS; i++) counts[draw(s, logits, NULL)]++;
    double sum = 0, statistic = 0;
    for (int i = 0; i < 6; i++) sum += exp((double)logits[i]);
    for (int i = 0; i < 5; i++) {
        double want = DRAWS * exp((double)logits[i]) / sum;
        statistic += ((double)counts[i] - want) * ((double)counts[i] - want) / want;
    }
    CHECK(statistic < 30);
    CHECK_INT(counts[5], 0);
    sampler_free(s);
}

/* ---- filters ------------------------------------------------------------------------------ */

/* Logits whose softmax is the given distribution. */
static void set_logits(float *logits, const double *p, size_t n) {
    for (size_t i = 0; i < n; i++) logits[i] = (float)log(p[i]);
}

static void test_filters(void) {
    static const double p[6] = {0.05, 0.4, 0.1, 0.25, 0.05, 0.15};
    static const double flat[6] = {1 / 6., 1 / 6., 1 / 6., 1 / 6., 1 / 6., 1 / 6.};
    static const double peak[6] = {0.02, 0.9, 0.02, 0.02, 0.02, 0.02};
    static const struct {
        const double *p;
        uint32_t k;
        float top_p, min_p;
        const char *left;
    } cases[] = {
        {p, 0, 1, 0, "1 3 5 2 0 4"},
        {p, 2, 1, 0, "1 3"},
        {p, 5, 1, 0, "1 3 5 2 0"}, /* the tie of 0 and 4 goes to the lower id */
        {p, 6, 1, 0, "1 3 5 2 0 4"},
        {p, 100, 1, 0, "1 3 5 2 0 4"},
        {p, 0, 0.3f, 0, "1"},
        {p, 0, 0.5f, 0, "1 3"}, /* 0.4 < 0.5: the token that crosses is kept */
        {p, 0, 0.7f, 0, "1 3 5"},
        {p, 0, 0.9f, 0, "1 3 5 2 0"}, /* the sum 0.9 of four is not quite reached in binary */
        {p, 0, 0, 0, "1"},
        {flat, 0, 0.6f, 0, "0 1 2 3"}, /* widens when flat, */
        {peak, 0, 0.6f, 0, "1"},       /* shrinks when peaked */
        {p, 0, 1, 0.5f, "1 3"},
        {p, 0, 1, 0.3f, "1 3 5"},
        {p, 0, 1, 1, "1"},
        {flat, 0, 1, 1, "0 1 2 3 4 5"},
        {p, 3, 0.6f, 0, "1 3"}, /* of the rest: 0.5, 0.3125, 0.1875 */
        {p, 4, 0.95f, 0.5f, "1 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sampler_options o = plain(1);
        o.top_k = cases[i].k;
        o.top_p = cases[i].top_p;
        o.min_p = cases[i].min_p;
        struct sampler *s = make(&o, 6);
        float logits[6];
        char ids[64];
        set_logits(logits, cases[i].p, 6);
        draw(s, logits, NULL);
        if (cases[i].top_p != 0.9f)
            CHECK_STR(left_ids(s, ids, sizeof ids), cases[i].left);
        else
            CHECK(strncmp(left_ids(s, ids, sizeof ids), "1 3 5 2", 7) == 0);
        CHECK_NEAR(sum_of(s), 1, 1e-6);
        sampler_free(s);
    }
}

/* The order of the chain changes the set: heat first and the distribution is flat when it is cut. */
static void test_order(void) {
    static const double p[4] = {0.7, 0.2, 0.07, 0.03};
    float logits[4];
    char ids[64];
    struct forma_error err;
    set_logits(logits, p, 4);
    struct sampler_options o = plain(3);
    o.top_p = 0.75f;
    struct sampler *s = make(&o, 4);
    draw(s, logits, NULL);
    CHECK_STR(left_ids(s, ids, sizeof ids), "0 1 2"); /* default: temperature, then top-p */
    sampler_free(s);
    CHECK_INT(sampler_parse_steps("top-p,temperature", &o, &err), FORMA_OK);
    CHECK_INT(o.n_steps, 2);
    s = make(&o, 4);
    draw(s, logits, NULL);
    CHECK_STR(left_ids(s, ids, sizeof ids), "0 1");
    sampler_free(s);
    /* A step that is not in the list is not applied. */
    o.top_k = 1;
    s = make(&o, 4);
    draw(s, logits, NULL);
    CHECK_STR(left_ids(s, ids, sizeof ids), "0 1");
    sampler_free(s);

    sampler_options_init(&o);
    static const enum sampler_step order[] = {SAMPLER_PENALTIES, SAMPLER_TEMPERATURE, SAMPLER_TOP_K,
                                              SAMPLER_TOP_P, SAMPLER_MIN_P};
    CHECK_INT(o.n_steps, 5);
    for (uint32_t i = 0; i < o.n_steps; i++) CHECK_INT(o.steps[i], order[i]);
    static const char *const bad[] = {"top_k", "top-k,top-k", "top-k,", ",", "top-k,,top-p", " "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_INT(sampler_parse_steps(bad[i], &o, &err), FORMA_EINVAL);
        CHECK_INT(o.n_steps, 5); /* unchanged */
    }
    CHECK_INT(sampler_parse_steps("", &o, &err), FORMA_OK); /* no steps: pure sampling */
    CHECK_INT(o.n_steps, 0);
}

/* Partial sorting keeps what a full sort keeps: a token is among the k best iff fewer than k are
 * better, and among the nucleus iff the sum of the better ones is below p. */
static void test_partial_sort(void) {
    enum { N = 500 };
    uint64_t r = 99;
    for (int round = 0; round < 60; round++) {
        struct sampler_options o = plain(1);
        uint32_t k = 1 + test_below(&r, N), n;
        float logits[N];
        double total = 0;
        for (int i = 0; i < N; i++) {
            logits[i] = (float)test_below(&r, 200) / 16;
            total += exp((double)logits[i]);
        }
        if (round % 2)
            o.top_p = 0.001f + (float)test_below(&r, 998) / 1000;
        else
            o.top_k = k;
        struct sampler *s = make(&o, N);
        draw(s, logits, NULL);
        const struct candidate *c = sampler_candidates(s, &n);
        bool kept[N] = {false}, ok = true;
        for (uint32_t i = 0; i < n; i++) kept[c[i].id] = true;
        for (int i = 0; i < N; i++) {
            uint32_t better = 0;
            double sum = 0;
            for (int j = 0; j < N; j++) {
                if (logits[j] < logits[i] || (logits[j] == logits[i] && j >= i)) continue;
                better++;
                sum += exp((double)logits[j]) / total;
            }
            if (round % 2 && fabs(sum - (double)o.top_p) < 1e-6) continue; /* rounding decides */
            ok &= kept[i] == (round % 2 ? sum < (double)o.top_p : better < k);
        }
        CHECK(ok);
        sampler_free(s);
    }
}

/* Equal logits for every size of vocabulary: 1/n rounds up or down, the nucleus is never empty. */
static void test_flat_nucleus(void) {
    static const float logits[400];
    struct sampler_options o = plain(1);
    for (uint32_t n = 1; n <= 400; n++) {
        uint32_t left;
        o.top_p = n % 2 ? 0 : 0.5f;
        struct sampler *s = make(&o, n);
        draw(s, logits, NULL);
        sampler_candidates(s, &left);
        CHECK(n % 2 ? left == 1 : left == n / 2 || left == n / 2 + 1);
        sampler_free(s);
    }
}

/* 32,000 tokens that share 30%: sampled from freely, cut by each filter. */
static void test_tail(void) {
    enum { N = 32002 };
    float *logits = malloc(N * sizeof *logits);
    if (!logits) exit(1);
    logits[0] = (float)log(0.5);
    logits[1] = (float)log(0.2);
    for (int i = 2; i < N; i++) logits[i] = (float)log(0.3 / (N - 2));
    static const struct {
        uint32_t k;
        float top_p, min_p;
        double tail;
    } cases[] = {{0, 1, 0, 0.3}, {2, 1, 0, 0}, {0, 0.65f, 0, 0}, {0, 1, 0.1f, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sampler_options o = plain(1);
        o.top_k = cases[i].k;
        o.top_p = cases[i].top_p;
        o.min_p = cases[i].min_p;
        struct sampler *s = make(&o, N);
        draw(s, logits, NULL);
        CHECK_NEAR(1 - probability_of(s, 0) - probability_of(s, 1), cases[i].tail, 1e-5);
        CHECK_NEAR(sum_of(s), 1, 1e-6);
        sampler_free(s);
    }
    free(logits);
}

/* ---- penalties ---------------------------------------------------------------------------- */

static void test_penalties(void) {
    static const float logits[4] = {2, -2, 1, 0.5f};
    struct sampler_options o = plain(1);
    uint32_t n;
    o.repeat_penalty = 1.25f;
    o.presence_penalty = 0.5f;
    o.frequency_penalty = 0.25f;
    struct sampler *s = make(&o, 4);
    draw(s, logits, NULL);
    const struct candidate *c = sampler_candidates(s, &n);
    for (uint32_t i = 0; i < n; i++) CHECK(c[i].logit == logits[c[i].id]); /* nothing seen yet */
    for (int i = 0; i < 3; i++) sampler_accept(s, 0);
    sampler_accept(s, 1);
    sampler_accept(s, 4); /* out of range: ignored */
    draw(s, logits, NULL);
    c = sampler_candidates(s, &n);
    CHECK_INT(n, 4);
    /* Positive divided, negative multiplied; presence once, frequency for each. All exact. */
    static const float want[4] = {2 / 1.25f - 0.5f - 0.75f, -2 * 1.25f - 0.5f - 0.25f, 1, 0.5f};
    for (uint32_t i = 0; i < n; i++) CHECK(c[i].logit == want[c[i].id]);
    sampler_reset(s, 0);
    draw(s, logits, NULL);
    c = sampler_candidates(s, &n);
    for (uint32_t i = 0; i < n; i++) CHECK(c[i].logit == logits[c[i].id]);
    sampler_free(s);
}

static void test_penalties_never_forbid(void) {
    static const float logits[3] = {-FLT_MAX, 5, 5};
    static const int32_t only_0[1] = {1};
    struct sampler_options o = plain(0);
    o.repeat_penalty = 1e30f;
    o.presence_penalty = FLT_MAX;
    o.frequency_penalty = FLT_MAX;
    for (int t = 0; t < 2; t++) {
        o.temperature = (float)t;
        struct sampler *s = make(&o, 3);
        for (uint32_t i = 0; i < 3; i++) sampler_accept(s, i), sampler_accept(s, 0);
        CHECK_INT(draw(s, logits, only_0), 0);
        sampler_free(s);
    }
}

/* ---- strange logits ----------------------------------------------------------------------- */

static void test_not_finite(void) {
    static const struct {
        float logits[4];
        int32_t mask;
        uint32_t greedy;
        double p[4];
    } cases[] = {
        {{NAN, 1, NAN, 1}, 15, 1, {0, 0.5, 0, 0.5}},
        {{-INFINITY, -INFINITY, 0, NAN}, 15, 2, {0, 0, 1, 0}},
        {{INFINITY, 1, INFINITY, 3}, 15, 0, {0.5, 0, 0.5, 0}},
        {{NAN, NAN, -INFINITY, NAN}, 15, 0, {0.25, 0.25, 0.25, 0.25}},
        {{NAN, 5, -INFINITY, NAN}, 13, 0, {1 / 3., 0, 1 / 3., 1 / 3.}},
        {{INFINITY, 5, -INFINITY, 1}, 4, 2, {0, 0, 1, 0}},
        {{FLT_MAX, -FLT_MAX, 0, 0}, 15, 0, {1, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sampler_options o = plain(0);
        struct sampler *s = make(&o, 4);
        CHECK_INT(draw(s, cases[i].logits, &cases[i].mask), cases[i].greedy);
        sampler_free(s);
        o = plain(0.7f);
        s = make(&o, 4);
        draw(s, cases[i].logits, &cases[i].mask);
        for (uint32_t id = 0; id < 4; id++) CHECK_NEAR(probability_of(s, id), cases[i].p[id], 1e-6);
        sampler_free(s);
    }
    struct sampler_options o = plain(1);
    struct sampler *s = make(&o, 4);
    int32_t none = 0, beyond = ~15;
    uint32_t token;
    CHECK(!sampler_draw(s, cases[0].logits, &none, &token));
    CHECK(!sampler_draw(s, cases[0].logits, &beyond, &token)); /* bits past the vocabulary */
    sampler_free(s);
}

/* Random chains over random logits and masks: the token drawn is allowed, probabilities add up to
 * 1, candidates come best first. */
static uint64_t property_round(uint64_t seed) {
    enum { N = 300 };
    uint64_t r = seed;
    float logits[N];
    int32_t mask[(N + 31) / 32] = {0};
    struct sampler_options o = plain((float)test_below(&r, 4) / 2);
    static const enum sampler_step all[] = {SAMPLER_MIN_P, SAMPLER_TOP_P, SAMPLER_TOP_K,
                                            SAMPLER_TEMPERATURE, SAMPLER_PENALTIES};
    if (test_below(&r, 2)) memcpy(o.steps, all, sizeof all);
    o.n_steps = test_below(&r, SAMPLER_STEP_COUNT + 1);
    o.top_k = test_below(&r, 3) ? 0 : test_below(&r, 40);
    o.top_p = test_below(&r, 2) ? 1 : (float)test_below(&r, 101) / 100;
    o.min_p = test_below(&r, 2) ? 0 : (float)test_below(&r, 101) / 100;
    o.repeat_penalty = test_below(&r, 2) ? 1 : 0.5f + (float)test_below(&r, 10) / 4;
    o.presence_penalty = test_below(&r, 2) ? 0 : (float)test_below(&r, 10) - 5;
    o.seed = seed;
    int allowed = 0;
    for (uint32_t i = 0; i < N; i++) {
        static const float odd[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX};
        logits[i] = (float)((int)test_below(&r, 64) - 32) / 4;
        if (test_below(&r, 50) == 0) logits[i] = odd[test_below(&r, 5)];
        if (test_below(&r, 3) == 0) mask[i / 32] = (int32_t)((uint32_t)mask[i / 32] | 1u << i % 32);
        allowed += (int)((uint32_t)mask[i / 32] >> i % 32 & 1);
    }
    struct sampler *s = make(&o, N);
    uint32_t before = test_below(&r, 20);
    for (uint32_t i = 0; i < before; i++) sampler_accept(s, test_below(&r, N));
    bool ok = true;
    for (int i = 0; i < 5 && ok; i++) {
        uint32_t token = N, n;
        ok = sampler_draw(s, logits, mask, &token) == (allowed > 0);
        if (!ok || !allowed) continue;
        ok = token < N && (uint32_t)mask[token / 32] >> token % 32 & 1;
        const struct candidate *c = sampler_candidates(s, &n);
        double sum = 0;
        for (uint32_t j = 0; j < n; j++) {
            sum += c[j].probability;
            ok &= ((uint32_t)mask[c[j].id / 32] >> c[j].id % 32 & 1) != 0;
            ok &= j == 0 || c[j - 1].logit > c[j].logit ||
                  (c[j - 1].logit == c[j].logit && c[j - 1].id < c[j].id);
        }
        ok &= n > 0 && fabs(sum - 1) < 1e-6;
    }
    if (!CHECK(ok)) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    sampler_free(s);
    return r;
}

/* ---- options and memory ------------------------------------------------------------------- */

static void test_bad_options(void) {
    struct sampler_options good = plain(1), o;
    struct forma_error err;
#define REFUSED(assignment)                                                                        \
    do {                                                                                           \
        o = good;                                                                                  \
        o.assignment;                                                                              \
        struct sampler *s = sampler_new(&o, 8, NULL, &err);                                        \
        CHECK(s == NULL);                                                                          \
        CHECK_INT(err.status, FORMA_EINVAL);                                                       \
        sampler_free(s);                                                                           \
    } while (0)
    REFUSED(temperature = -1);
    REFUSED(temperature = NAN);
    REFUSED(temperature = INFINITY);
    REFUSED(top_p = 1.5f);
    REFUSED(top_p = -0.1f);
    REFUSED(top_p = NAN);
    REFUSED(min_p = 2);
    REFUSED(repeat_penalty = 0);
    REFUSED(repeat_penalty = NAN);
    REFUSED(presence_penalty = INFINITY);
    REFUSED(frequency_penalty = NAN);
    REFUSED(n_steps = 6);
#undef REFUSED
    CHECK(sampler_new(&good, 0, NULL, &err) == NULL);
}

struct failing {
    long left; /* allocations that still succeed */
    long live;
    long calls;
};

static void *failing_resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct failing *f = ctx;
    (void)old_size;
    f->calls++;
    if (new_size == 0) {
        f->live -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    if (f->left-- <= 0) return NULL;
    f->live += ptr == NULL;
    return realloc(ptr, new_size);
}

static void test_memory(void) {
    struct sampler_options o = plain(1);
    struct forma_error err;
    o.top_p = 0.9f;
    struct sampler *s = NULL;
    struct failing f = {0};
    struct forma_allocator allocator = {&f, failing_resize, NULL};
    for (long n = 0; !s && n < 100; n++) {
        f = (struct failing){.left = n};
        s = sampler_new(&o, 1000, &allocator, &err);
        if (!s) {
            CHECK_INT(err.status, FORMA_EMEMORY);
            CHECK_INT(f.live, 0);
        }
    }
    CHECK(s != NULL);
    long calls = f.calls;
    float logits[1000];
    for (int i = 0; i < 1000; i++) logits[i] = (float)(i % 97) / 10;
    for (int i = 0; i < 100; i++) sampler_accept(s, draw(s, logits, NULL));
    CHECK_INT(f.calls, calls); /* sampling allocates nothing */
    sampler_free(s);
    CHECK_INT(f.live, 0);
}

int main(void) {
    test_rng();
    test_golden_draws();
    test_greedy();
    test_temperature();
    test_chi_square();
    test_filters();
    test_order();
    test_partial_sort();
    test_flat_nucleus();
    test_tail();
    test_penalties();
    test_penalties_never_forbid();
    test_not_finite();
    for (uint64_t seed = 1; seed <= 3000; seed++) property_round(seed);
    test_bad_options();
    test_memory();
    return test_done("sampler");
}
