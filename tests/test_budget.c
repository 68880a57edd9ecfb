/* SPDX-License-Identifier: MIT
 *
 * Text that is forced, and budgets in tokens that end in a whole value: runs of a tiny model with
 * random weights in many forms, and the draws by themselves.
 *
 *     test_budget [SEED]
 */
#include "runtime/budget.h"
#include "tests/engine_rig.h"
#include "tests/lib_fixture_schemas.h"

enum { WORK = 30000, MORE = 40 };

static const char *const schemas[] = {
    ("{\"type\": \"object\", \"properties\": {\"stato\": {\"enum\": [\"aperto\", \"chiuso\"]}, "
     "\"priorita\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 5}}, "
     "\"required\": [\"stato\", \"priorita\"], \"additionalProperties\": false}"),
    ("{\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": "
     "{\"ready\": {\"type\": \"boolean\"}}, \"required\": [\"ready\"], \"additionalProperties\": "
     "false}, \"minItems\": 1, \"maxItems\": 3}"),
    ("{\"type\": \"object\", \"properties\": {\"description\": {\"type\": \"string\"}, \"next\": "
     "{\"$ref\": \"#\"}}, \"required\": [\"description\"], \"additionalProperties\": false}"),
};
enum { N_SCHEMAS = sizeof schemas / sizeof *schemas };

/* ---- forced text ---------------------------------------------------------------------------- */

/* Every pass is for a draw: what is forced is computed along with it. */
static void test_passes(struct rig *r) {
    unsigned forced = 0;
    for (size_t s = 0; s < N_SCHEMAS; s++) {
        set_form(r, schemas[s], false);
        for (uint64_t seed = 0; seed < 12; seed++) {
            struct engine_request q = request_for(r, (float)(seed % 3), seed, 400);
            for (int with = 0; with < 2; with++) {
                q.no_forced = !with;
                struct engine_result a = generate(r, &q);
                uint32_t draws = a.completion_tokens - a.forced_tokens;
                CHECK_INT(a.passes, draws);
                CHECK_INT(a.mask_us.count, draws);
                CHECK_INT(a.itl_ms.count, draws ? draws - 1 : 0);
                CHECK(a.rows + 1 <= r->prompt.count + a.completion_tokens);
                CHECK(!a.budget_forced);
                if (!with) CHECK_INT(a.forced_tokens, 0);
                forced += a.forced_tokens;
                if (a.finish == ENGINE_LENGTH) continue; /* the last form may go on and on */
                if (!CHECK(is_valid(schemas[s], r->text, r->length)))
                    fprintf(stderr, "  %s: %s\n", schemas[s], r->text);
                char first[sizeof r->text];
                strcpy(first, r->text);
                generate(r, &q);
                CHECK_STR(r->text, first);
            }
        }
    }
    CHECK(forced > 100);
    drop_form(r);
}

/* A form with one text: the model is never asked, and the text is the one that it would write. */
static void test_nothing_to_ask(struct rig *r) {
    set_form(r, "{\"const\": \"a b, \u00e9 and \U0001f600\"}", false);
    char whole[sizeof r->text];
    struct engine_request q = request_for(r, 1, 3, 100);
    q.no_forced = true;
    generate(r, &q);
    strcpy(whole, r->text);
    q.no_forced = false;
    struct engine_result a = generate(r, &q);
    CHECK_STR(r->text, "\"a b, \u00e9 and \U0001f600\"");
    CHECK_STR(r->text, whole);
    CHECK_INT(a.passes, 0);
    CHECK_INT(a.forced_tokens, a.completion_tokens);
    CHECK(a.finish == ENGINE_STOP && a.complete && isnan(a.ttft_ms) && isnan(a.tpot_ms));
    drop_form(r);
}

/* Forced text is cut like other text, can be cancelled in, and ends at stop sequences. */
static void test_forced_ends(struct rig *r) {
    static const char form[] = "{\"const\": \"one two three four five six seven eight nine\"}";
    static const char *const stops[] = {"never", "five"};
    char whole[sizeof r->text];
    set_form(r, form, false);
    struct engine_request q = request_for(r, 0, 1, 100);
    uint32_t all = generate(r, &q).completion_tokens;
    strcpy(whole, r->text);
    for (uint32_t n = 1; n < all; n++) {
        q.max_tokens = n;
        struct engine_result a = generate(r, &q);
        CHECK_INT(a.finish, ENGINE_LENGTH);
        CHECK_INT(a.completion_tokens, n);
        CHECK(!a.complete && strncmp(r->text, whole, strlen(r->text)) == 0);
    }
    q.max_tokens = 100;
    for (int refuse = 0; refuse < 2; refuse++) {
        r->refuse = refuse;
        r->cancel_after = 3;
        struct engine_result a = generate(r, &q);
        CHECK_INT(a.finish, ENGINE_CANCELLED);
        CHECK(a.completion_tokens < all && r->pieces == 3);
    }
    r->cancel_after = 0;
    q.stops = stops;
    q.n_stops = 2;
    CHECK_INT(generate(r, &q).finish, ENGINE_STOP); /* inside of the value it is text */
    CHECK_STR(r->text, whole);
    new_engine(r, (uint32_t)r->prompt.count + 2, 0);
    q = request_for(r, 0, 1, 100);
    struct engine_result a = generate(r, &q);
    CHECK_INT(a.finish, ENGINE_CONTEXT);
    CHECK_INT(a.completion_tokens, 3);
    new_engine(r, 0, 0);
    drop_form(r);
}

/* ---- budgets -------------------------------------------------------------------------------- */

static size_t least_tokens(struct forma_matcher *m) {
    forma_matcher_reset(m);
    size_t known = forma_matcher_plan(m, 0, NULL, 0), found = forma_matcher_plan(m, WORK, NULL, 0);
    return found < known ? found : known;
}

struct budgets {
    struct rig *r;
    uint64_t random;
    unsigned forms, runs, forced, refused;
};

static void run_within(struct budgets *b, const char *schema, uint32_t tokens) {
    struct rig *r = b->r;
    struct engine_request q =
        request_for(r, (float)test_below(&b->random, 4), test_random(&b->random), tokens);
    q.complete = true;
    q.no_forced = test_below(&b->random, 2);
    if (test_below(&b->random, 2)) q.sampler.top_k = 5;
    struct engine_result a = generate(r, &q);
    bool ok = CHECK(a.completion_tokens <= tokens) && CHECK_INT(a.finish, ENGINE_STOP) &&
              CHECK(a.complete);
    forma_matcher_reset(r->matcher);
    ok &= CHECK_INT(
        forma_matcher_accept_bytes(r->matcher, (const unsigned char *)r->text, r->length, NULL),
        FORMA_OK);
    ok &= CHECK(forma_matcher_accepts_end(r->matcher));
    if (!ok) fprintf(stderr, "  %u tokens in %s: %s\n", (unsigned)tokens, schema, r->text);
    b->runs++;
    b->forced += a.budget_forced;
}

static void refuse_below(struct budgets *b, const char *schema, size_t least) {
    struct engine_request q = request_for(b->r, 1, 1, (uint32_t)least - 1);
    struct engine_result a;
    struct forma_error err = {0};
    char number[32];
    q.complete = true;
    forma_matcher_reset(b->r->matcher);
    snprintf(number, sizeof number, "to %zu or more", least);
    bool ok = CHECK_INT(engine_generate(b->r->engine, &q, &a, &err), FORMA_EINVAL);
    if (!ok || !CHECK(strstr(err.message, number) != NULL))
        fprintf(stderr, "  %zu in %s: %s\n", least, schema, err.message);
    CHECK_INT(a.passes, 0);
    b->refused++;
}

static void try_budgets(void *ctx, const char *schema, struct forma_grammar *g) {
    struct budgets *b = ctx;
    struct rig *r = b->r;
    r->matcher = forma_matcher_new(g, r->vocabulary, NULL, NULL);
    size_t least = least_tokens(r->matcher);
    if (least <= 400 && least > 0) { /* others are as right, and slow */
        run_within(b, schema, (uint32_t)least);
        run_within(b, schema, (uint32_t)least + 1);
        for (int i = 0; i < 4; i++)
            run_within(b, schema, (uint32_t)least + test_below(&b->random, MORE));
        if (least > 1) refuse_below(b, schema, least);
        b->forms++;
    }
    forma_matcher_free(r->matcher);
    r->matcher = NULL;
}

static void test_budgets(struct rig *r, uint64_t seed) {
    struct budgets b = {.r = r, .random = seed};
    each_fixture_schema(r->vocabulary, try_budgets, &b);
    for (size_t s = 0; s < N_SCHEMAS; s++) {
        struct forma_grammar *g = forma_grammar_from_json_schema(schemas[s], strlen(schemas[s]),
                                                                 r->vocabulary, NULL, NULL);
        for (int i = 0; i < 10; i++) try_budgets(&b, schemas[s], g);
        forma_grammar_free(g);
    }
    printf("%u forms, %u runs, %u of them ruled by the budget, %u refused\n", b.forms, b.runs,
           b.forced, b.refused);
    CHECK(b.forms > 150 && b.forced > 200 && b.refused > 100);
}

/* A budget that is large enough changes nothing. */
static void test_wide_budget(struct rig *r) {
    set_form(r, schemas[0], false);
    for (uint64_t seed = 0; seed < 10; seed++) {
        char first[sizeof r->text];
        struct engine_request q = request_for(r, 1, seed, 400);
        generate(r, &q);
        strcpy(first, r->text);
        q.complete = true;
        struct engine_result a = generate(r, &q);
        CHECK_STR(r->text, first);
        CHECK(!a.budget_forced);
    }
    drop_form(r);
}

/* The context is a budget, too; with a stop sequence, and no free text. */
static void test_context(struct rig *r) {
    struct engine_result a;
    struct forma_error err = {0};
    uint32_t n = (uint32_t)r->prompt.count;
    set_form(r, schemas[2], false);
    uint32_t least = (uint32_t)least_tokens(r->matcher);
    for (uint32_t room = least; room < least + 20; room++) {
        new_engine(r, n + room - 1, 0); /* the last token needs no place */
        struct engine_request q = request_for(r, 1, room, 1000);
        q.complete = true;
        a = generate(r, &q);
        CHECK(a.complete && a.finish == ENGINE_STOP && a.completion_tokens <= room);
        CHECK(is_valid(schemas[2], r->text, r->length));
    }
    new_engine(r, n + least - 2, 0);
    struct engine_request q = request_for(r, 1, 1, 1000);
    q.complete = true;
    forma_matcher_reset(r->matcher);
    CHECK_INT(engine_generate(r->engine, &q, &a, &err), FORMA_EINVAL);
    CHECK(strstr(err.message, "the context has room for") != NULL);
    new_engine(r, 0, 0);
    drop_form(r);
    q = request_for(r, 0, 1, 5);
    q.complete = true; /* of no form: as ever */
    CHECK_INT(generate(r, &q).finish, ENGINE_LENGTH);
}

/* ---- draws ---------------------------------------------------------------------------------- */

enum { LETTERS = 40, PAIRS = LETTERS * LETTERS, EOS = 256 + PAIRS, N_TOKENS = EOS + 1 };

/* All bytes and all pairs of forty letters. */
static struct forma_vocabulary *vocabulary_of_pairs(void) {
    static unsigned char single[256], pairs[PAIRS][2];
    static const unsigned char *bytes[N_TOKENS];
    static size_t lengths[N_TOKENS];
    uint32_t eos = EOS;
    for (size_t i = 0; i < EOS; i++) {
        if (i < 256) {
            single[i] = (unsigned char)i;
        } else {
            pairs[i - 256][0] = (unsigned char)('A' + (i - 256) / LETTERS);
            pairs[i - 256][1] = (unsigned char)('A' + (i - 256) % LETTERS);
        }
        bytes[i] = i < 256 ? &single[i] : pairs[i - 256];
        lengths[i] = i < 256 ? 1 : 2;
    }
    return forma_vocabulary_from_bytes(bytes, lengths, NULL, N_TOKENS, &eos, 1, NULL, NULL);
}

struct drawing {
    struct forma_vocabulary *v;
    struct forma_grammar *g;
    struct forma_matcher *m;
    float logits[N_TOKENS];
    uint64_t seed;
};

static void open_drawing(struct drawing *d, const char *pattern) {
    struct forma_error err;
    d->g = forma_grammar_from_regex(pattern, strlen(pattern), d->v, NULL, &err);
    must(d->g != NULL, &err);
    d->m = forma_matcher_new(d->g, d->v, NULL, &err);
    must(d->m != NULL, &err);
}

static void close_drawing(struct drawing *d) {
    forma_matcher_free(d->m);
    forma_grammar_free(d->g);
}

/* The first token of a budget. */
static uint32_t draw_first(struct drawing *d, struct sampler *sampler, uint32_t tokens,
                           bool *ruled) {
    int32_t mask[(N_TOKENS + 31) / 32];
    size_t words = sizeof mask / sizeof *mask, least;
    struct budget b;
    uint32_t token = UINT32_MAX;
    CHECK_INT(budget_open(&b, d->m, tokens, fa_default_allocator(), &least, NULL), FORMA_OK);
    forma_matcher_mask(d->m, mask, words, NULL);
    CHECK(budget_draw(&b, sampler, d->logits, mask, words, &token));
    *ruled = b.ruled;
    budget_close(&b);
    return token;
}

static struct sampler *sampler_of(float temperature, uint64_t seed) {
    struct sampler_options o;
    sampler_options_init(&o);
    o.temperature = temperature;
    o.seed = seed;
    return sampler_new(&o, N_TOKENS, fa_default_allocator(), NULL);
}

/* Among the tokens that fit, each has its own share, whatever the others would have got. */
static void test_shares(struct drawing *d) {
    enum { DRAWS = 20000 };
    unsigned counts[3] = {0}, ruled_count = 0;
    struct sampler *sampler = sampler_of(1, 7);
    open_drawing(d, "a|b|c|[0-9i-z]{3}"); /* of the last no two are a token */
    for (size_t i = 0; i < N_TOKENS; i++) d->logits[i] = 0;
    d->logits['b'] = 1;
    d->logits['c'] = -1;
    for (int i = 0; i < DRAWS; i++) {
        bool ruled;
        uint32_t token = draw_first(d, sampler, 2, &ruled);
        if (CHECK(token >= 'a' && token <= 'c')) counts[token - 'a']++;
        ruled_count += ruled;
    }
    double sum = 1 + exp(1) + exp(-1), all = sum + 28;
    CHECK_NEAR(counts[0], DRAWS / sum, 300);
    CHECK_NEAR(counts[1], DRAWS * exp(1) / sum, 300);
    CHECK_NEAR(counts[2], DRAWS * exp(-1) / sum, 300);
    CHECK_NEAR(ruled_count, DRAWS * (1 - sum / all), 300);
    close_drawing(d);
    sampler_free(sampler);
}

/* One token fits, the least probable: after some draws the best tokens are looked at, and if it is not
 * among them the plan decides. */
static void test_last_resorts(struct drawing *d) {
    static const char *const patterns[] = {
        "[A-H]{8}|z",         /* 64 pairs */
        "([A-T][A-T]){9}|z",  /* 400: all are looked at */
        "([A-h][A-h]){20}|z", /* 1600 */
    };
    for (size_t i = 0; i < 3; i++) {
        struct sampler *sampler = sampler_of(0, 1);
        bool ruled;
        open_drawing(d, patterns[i]);
        for (size_t t = 0; t < N_TOKENS; t++) d->logits[t] = (float)(t % 97);
        d->logits['z'] = i == 1 ? NAN : -1000;
        CHECK_INT(draw_first(d, sampler, 1, &ruled), 'z');
        CHECK(ruled);
        close_drawing(d);
        sampler_free(sampler);
    }
    /* Some of the best fit: the most probable of these. */
    struct sampler *sampler = sampler_of(0, 1);
    bool ruled;
    open_drawing(d, "([A-T][A-T]){9}|BC|CD|z");
    for (size_t t = 0; t < N_TOKENS; t++) d->logits[t] = (float)(t % 97);
    uint32_t bc = 256 + 1 * LETTERS + 2, cd = 256 + 2 * LETTERS + 3;
    d->logits['z'] = -3;
    d->logits[bc] = -1;
    d->logits[cd] = -2;
    CHECK_INT(draw_first(d, sampler, 1, &ruled), bc);
    close_drawing(d);
    sampler_free(sampler);
}

/* Plans that are longer than a budget are searched for a shorter text. */
static void test_least(struct drawing *d) {
    struct budget b;
    struct forma_error err = {0};
    size_t least = 0;
    open_drawing(d, "x{3}yy?");
    CHECK_INT(budget_open(&b, d->m, 3, fa_default_allocator(), &least, &err), FORMA_EINVAL);
    CHECK_INT(least, 4);
    budget_close(&b);
    CHECK_INT(budget_open(&b, d->m, 4, fa_default_allocator(), &least, &err), FORMA_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(budget_allows(&b, 'x'));
        CHECK_INT(forma_matcher_accept(d->m, 'x', NULL), FORMA_OK);
        budget_spend(&b, 'x');
    }
    CHECK(budget_allows(&b, 'y') && !budget_allows(&b, 'x') && b.left == 1);
    budget_close(&b);
    close_drawing(d);
    open_drawing(d, "(x{1000}){3000}");
    CHECK_INT(budget_open(&b, d->m, 100, fa_default_allocator(), &least, &err), FORMA_ELIMIT);
    budget_close(&b);
    close_drawing(d);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    static struct rig r;
    static struct drawing d;
    printf("seed %llu\n", (unsigned long long)seed);
    open_rig(&r, MODELS "f32-gqa.gguf", "Once upon a time, and then");
    test_passes(&r);
    test_nothing_to_ask(&r);
    test_forced_ends(&r);
    test_budgets(&r, seed);
    test_wide_budget(&r);
    test_context(&r);
    close_rig(&r);
    d.v = vocabulary_of_pairs();
    test_shares(&d);
    test_last_resorts(&d);
    test_least(&d);
    forma_vocabulary_free(d.v);
    return test_done("budget");
}
