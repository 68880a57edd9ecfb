/* SPDX-License-Identifier: MIT
 *
 * The autoregressive loop on tiny models with random weights: how runs end, what they count, that
 * a seed fixes the text, that stop sequences and forms hold, that the loop calls no malloc.
 */
#include "tests/engine_rig.h"

/* ---- counting malloc ---------------------------------------------------------------------- */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

static volatile long n_allocations; /* of the program, whoever asked */

#if defined(__GLIBC__) && !defined(SANITIZED)
#define COUNTS_MALLOC 1
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);
void *malloc(size_t size) {
    n_allocations++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    n_allocations++;
    return __libc_calloc(count, size);
}
void *realloc(void *ptr, size_t size) {
    n_allocations++;
    return __libc_realloc(ptr, size);
}
#endif

/* ---- free text ---------------------------------------------------------------------------- */

/* With a seed that meets no end token: the counts are known. */
static void test_counts(struct rig *r) {
    uint64_t n_prompt = r->prompt.count;
    new_engine(r, 200, 4);
    struct engine_request q = request_for(r, 0, 1, 20);
    struct engine_result result = generate(r, &q);
    char greedy[sizeof r->text];
    if (result.finish != ENGINE_LENGTH) return; /* this model says its end token: other models */
    CHECK_INT(result.prompt_tokens, n_prompt);
    CHECK_INT(result.completion_tokens, 20);
    CHECK_INT(result.prefill_passes, (n_prompt + 3) / 4);
    CHECK_INT(result.passes, (n_prompt + 3) / 4 + 19); /* the last token needs no pass */
    CHECK_INT(result.rows, n_prompt + 19);
    CHECK_INT(result.itl_ms.count, 19);
    CHECK_INT(result.mask_us.count, 0);
    CHECK(result.itl_ms.p50 <= result.itl_ms.p95 && result.itl_ms.p99 <= result.itl_ms.max);
    CHECK(result.ttft_ms >= 0 && result.tpot_ms >= 0 && result.total_ms >= result.ttft_ms);
    strcpy(greedy, r->text);

    /* Without a cache every pass computes all: n + (n+1) + ... positions, the same text. */
    q.no_kv_cache = true;
    result = generate(r, &q);
    CHECK_STR(r->text, greedy);
    CHECK_INT(result.rows, 20 * n_prompt + 190);

    /* The chunk of prefill changes passes, not text. */
    static const uint32_t chunks[] = {1, 3, 64};
    for (size_t i = 0; i < 3; i++) {
        new_engine(r, 200, chunks[i]);
        q = request_for(r, 0, 1, 20);
        result = generate(r, &q);
        CHECK_STR(r->text, greedy);
        CHECK_INT(result.prefill_passes, (n_prompt + chunks[i] - 1) / chunks[i]);
    }
}

/* Positions that a prompt of p tokens and an answer of a tokens cost. With the cache each is
 * computed once, the last token never: p + a - 1. Without it each token drawn computes all that
 * stands before it: p + (p+1) + ... + (p+a-1). For p = 1000 and a = 500: 1,499 and 624,750. */
static uint64_t positions(uint64_t p, uint64_t a, bool cached) {
    return cached ? p + a - 1 : a * p + a * (a - 1) / 2;
}

static void test_positions(struct rig *r) {
    static const uint32_t answers[] = {1, 2, 9, 30};
    int runs = 0;
    CHECK_INT(positions(1000, 500, true), 1499);
    CHECK_INT(positions(1000, 500, false), 624750);
    new_engine(r, 200, 0);
    for (size_t p = 1; p <= r->prompt.count; p += 3) {
        for (size_t i = 0; i < 8; i++) {
            uint32_t a = answers[i / 2];
            struct engine_request q = request_for(r, 0, 1, a);
            q.n_prompt = p;
            q.no_kv_cache = i % 2;
            struct engine_result result = generate(r, &q);
            if (result.finish != ENGINE_LENGTH) continue; /* an end token: fewer than a */
            CHECK_INT(result.completion_tokens, a);
            CHECK_INT(result.rows, positions(p, a, !q.no_kv_cache));
            runs++;
        }
    }
    CHECK(runs >= 16);
}

static void test_seed(struct rig *r) {
    char first[sizeof r->text];
    struct engine_request q = request_for(r, 1.5f, 11, 40);
    q.sampler.top_p = 0.95f;
    q.sampler.frequency_penalty = 0.2f;
    generate(r, &q);
    strcpy(first, r->text);
    for (int i = 0; i < 3; i++) {
        generate(r, &q);
        CHECK_STR(r->text, first);
    }
    q.sampler.seed = 12;
    generate(r, &q);
    CHECK(strcmp(r->text, first) != 0);
    q = request_for(r, 1, 5, 40);
    q.sampler.top_k = 1; /* greedy under any seed */
    generate(r, &q);
    strcpy(first, r->text);
    q = request_for(r, 0, 6, 40);
    generate(r, &q);
    CHECK_STR(r->text, first);
}

static void test_ends(struct rig *r) {
    uint32_t n_prompt = (uint32_t)r->prompt.count;
    struct engine_result result;
    struct forma_error err;
    struct engine_request q = request_for(r, 0, 1, 1);
    result = generate(r, &q);
    CHECK_INT(result.completion_tokens, 1);
    CHECK(isnan(result.tpot_ms));
    /* A context of the prompt and three: the fourth token is drawn, then there is no room. */
    new_engine(r, n_prompt + 3, 0);
    CHECK_INT(engine_n_ctx(r->engine), n_prompt + 3);
    q = request_for(r, 0, 1, 50);
    result = generate(r, &q);
    CHECK_INT(result.finish, ENGINE_CONTEXT);
    CHECK_INT(result.completion_tokens, 4);
    q.n_prompt = 0;
    CHECK_INT(engine_generate(r->engine, &q, &result, &err), FORMA_EINVAL);
    new_engine(r, n_prompt - 1, 0);
    q = request_for(r, 0, 1, 50);
    CHECK_INT(engine_generate(r->engine, &q, &result, &err), FORMA_EINVAL);
    new_engine(r, 0, 0);
    q.max_tokens = 0;
    CHECK_INT(engine_generate(r->engine, &q, &result, &err), FORMA_EINVAL);
    q.max_tokens = 5;
    q.sampler.top_p = 7;
    CHECK_INT(engine_generate(r->engine, &q, &result, &err), FORMA_EINVAL);
    static const char *const empty[] = {""};
    q = request_for(r, 0, 1, 50);
    q.stops = empty;
    q.n_stops = 1;
    CHECK_INT(engine_generate(r->engine, &q, &result, NULL), FORMA_EINVAL);
    CHECK_STR(engine_finish_name(ENGINE_STOP_SEQUENCE), "stop_sequence");
    CHECK_STR(engine_finish_name(ENGINE_CANCELLED), "cancelled");
}

/* Some draw is an end token sooner or later; it ends the run and is no text. */
static void test_end_token(struct rig *r) {
    bool seen = false;
    for (uint64_t seed = 1; seed <= 60 && !seen; seed++) {
        struct engine_request q = request_for(r, 3, seed, 200);
        struct engine_result result = generate(r, &q);
        if (result.finish != ENGINE_STOP) continue;
        seen = true;
        CHECK(result.completion_tokens <= 200);
        CHECK(!result.complete); /* no form, nothing to be complete in */
        CHECK(strstr(r->text, "<|im_end|>") == NULL);
    }
    CHECK(seen);
}

static void test_cancel(struct rig *r) {
    struct engine_request q = request_for(r, 0, 1, 100);
    struct engine_result result;
    struct forma_error err;
    for (int refuse = 0; refuse < 2; refuse++) {
        r->refuse = refuse;
        r->cancel_after = 5;
        result = generate(r, &q);
        CHECK_INT(result.finish, ENGINE_CANCELLED);
        CHECK(result.completion_tokens < 100);
        CHECK(r->pieces >= 5 && r->pieces <= 6 && r->length > 0); /* what was held may follow */
    }
    r->cancel_after = 0;
    r->cancel = true;
    CHECK_INT(engine_generate(r->engine, &q, &result, &err), FORMA_OK);
    CHECK_INT(result.finish, ENGINE_CANCELLED);
    CHECK_INT(result.completion_tokens, 0);
    r->cancel = false;
}

/* Any part of the text, taken as stop sequence, cuts the text at its first occurrence. */
static void test_stops(struct rig *r) {
    char whole[sizeof r->text];
    uint64_t random = 3;
    struct engine_request q = request_for(r, 1, 77, 60);
    generate(r, &q);
    strcpy(whole, r->text);
    size_t n = strlen(whole);
    for (int round = 0; round < 40 && CHECK(n > 12); round++) {
        char part[16] = "";
        const char *stops[2] = {"never said", part};
        size_t from = test_below(&random, (uint32_t)n - 9), length = 1 + test_below(&random, 8);
        while ((whole[from] & 0xC0) == 0x80) from--; /* whole characters only */
        while (from + length < n && (whole[from + length] & 0xC0) == 0x80) length++;
        memcpy(part, whole + from, length);
        part[length] = '\0';
        q.stops = stops;
        q.n_stops = 2;
        struct engine_result result = generate(r, &q);
        size_t first = (size_t)(strstr(whole, part) - whole);
        CHECK_INT(result.finish, ENGINE_STOP_SEQUENCE);
        CHECK_INT(result.stop_index, 1);
        CHECK_INT(r->length, first);
        CHECK(memcmp(r->text, whole, first) == 0);
    }
    static const char *const never[] = {"never said"};
    q.stops = never;
    q.n_stops = 1;
    struct engine_result result = generate(r, &q);
    CHECK_STR(r->text, whole); /* what was held comes out at the end */
    CHECK_INT(result.finish, ENGINE_LENGTH);
}

static void test_no_malloc(struct rig *r, const char *schema) {
#ifdef COUNTS_MALLOC
    static const char *const stops[] = {"never said", "nor this"};
    if (schema) set_form(r, schema, false);
    r->allocations = &n_allocations;
    struct engine_request q = request_for(r, 1, 4, 200);
    q.complete = schema != NULL;
    q.stops = stops;
    q.n_stops = 2;
    q.sampler.top_p = 0.9f;
    q.sampler.repeat_penalty = 1.1f;
    generate(r, &q);
    CHECK(r->pieces > 5);
    CHECK_INT(r->last - r->first, 0);
    drop_form(r);
#else
    (void)r;
    (void)schema;
#endif
}

/* ---- in a form ---------------------------------------------------------------------------- */

static const char *const schemas[] = {
    "{\"enum\": [\"red\", \"green\", [1, 2], {\"a\": null}, 17]}",
    "{\"type\": \"boolean\"}",
    "{\"type\": \"integer\", \"minimum\": -20, \"maximum\": 3000}",
    "{\"type\": \"string\", \"maxLength\": 12}",
    "{\"type\": \"object\", \"properties\": {\"stato\": {\"enum\": [\"aperto\", \"chiuso\"]}, "
    "\"priorita\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 5}}, "
    "\"required\": [\"stato\"], \"additionalProperties\": false}",
    "{\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": "
    "{\"x\": {\"type\": \"boolean\"}}, \"required\": [\"x\"], \"additionalProperties\": false}, "
    "\"minItems\": 1, \"maxItems\": 3}",
};

/* Random weights in bounded forms: every run ends, and every text is valid. */
static void test_forms(struct rig *r) {
    for (size_t s = 0; s < sizeof schemas / sizeof *schemas; s++) {
        set_form(r, schemas[s], false);
        for (uint64_t seed = 0; seed < 12; seed++) {
            struct engine_request q = request_for(r, (float)(seed % 4), seed, 300);
            struct engine_result result = generate(r, &q);
            bool valid = is_valid(schemas[s], r->text, r->length);
            if (!CHECK(valid)) fprintf(stderr, "seed %d: %s: %s\n", (int)seed, schemas[s], r->text);
            CHECK_INT(result.finish, ENGINE_STOP);
            CHECK(result.complete && !result.narrowed);
            CHECK_INT(result.mask_us.count, result.completion_tokens - result.forced_tokens);
            char first[sizeof r->text];
            strcpy(first, r->text);
            generate(r, &q);
            CHECK_STR(r->text, first);
        }
    }
    drop_form(r);
}

/* A cut text is the beginning of a valid one, and said to be cut. */
static void test_cut_form(struct rig *r) {
    set_form(r, schemas[4], false);
    struct engine_request q = request_for(r, 1, 3, 4);
    struct engine_result result = generate(r, &q);
    CHECK_INT(result.finish, ENGINE_LENGTH);
    CHECK(!result.complete);
    forma_matcher_reset(r->matcher);
    CHECK_INT(
        forma_matcher_accept_bytes(r->matcher, (const unsigned char *)r->text, r->length, NULL),
        FORMA_OK);
    /* A form with nothing more to say ends without another pass. */
    set_form(r, "{\"const\": \"abc\"}", false);
    q = request_for(r, 1, 3, 50);
    q.no_forced = true;
    result = generate(r, &q);
    CHECK_STR(r->text, "\"abc\"");
    CHECK_INT(result.finish, ENGINE_STOP);
    CHECK_INT(result.rows, r->prompt.count + result.completion_tokens - 1);
    drop_form(r);
}

/* Under a form a stop sequence ends only where the text before it is a whole value. */
static void test_stops_in_form(struct rig *r) {
    static const char *const bar[] = {"|", "b\""};
    static const char *const blank[] = {" ", "\n"};
    set_form(r, "{\"const\": \"a|b\"}", false);
    struct engine_request q = request_for(r, 1, 3, 50);
    q.stops = bar;
    q.n_stops = 2;
    struct engine_result result = generate(r, &q);
    CHECK_STR(r->text, "\"a|b\"");
    CHECK_INT(result.finish, ENGINE_STOP);
    int stopped = 0;
    set_form(r, "{\"type\": \"array\", \"items\": {\"enum\": [1, 2]}, \"maxItems\": 2}", true);
    for (uint64_t seed = 0; seed < 60; seed++) {
        q = request_for(r, 2, seed, 120);
        q.stops = blank;
        q.n_stops = 2;
        result = generate(r, &q);
        if (result.finish != ENGINE_STOP_SEQUENCE) continue;
        stopped++;
        CHECK(result.complete);
        forma_matcher_reset(r->matcher);
        CHECK_INT(
            forma_matcher_accept_bytes(r->matcher, (const unsigned char *)r->text, r->length, NULL),
            FORMA_OK);
        CHECK(forma_matcher_accepts_end(r->matcher));
        CHECK(strchr(r->text, ']') != NULL); /* \t and \r may follow */
    }
    CHECK(stopped > 0);
    drop_form(r);
}

/* ---- failing memory ----------------------------------------------------------------------- */

struct failing {
    const struct forma_allocator *inner;
    long left, live;
};

static void *failing_resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct failing *f = ctx;
    if (new_size && f->left-- <= 0) return NULL;
    void *result = f->inner->resize(f->inner->ctx, ptr, old_size, new_size);
    if (new_size == 0)
        f->live -= ptr != NULL;
    else
        f->live += ptr == NULL && result;
    return result;
}

static void *failing_reserve(void *ctx, void *ptr, size_t size) {
    struct failing *f = ctx;
    if (!ptr && f->left-- <= 0) return NULL;
    f->live += ptr ? -1 : 1;
    return f->inner->reserve(f->inner->ctx, ptr, size);
}

/* The first, the second, ... allocation fails: an error each time, no leak, at last a text. */
static void test_memory(struct rig *r, const char *schema) {
    static const char *const stops[] = {"never said"};
    struct failing f = {.inner = fa_default_allocator()};
    struct forma_allocator allocator = {&f, failing_resize, failing_reserve};
    struct run_options o;
    if (schema) set_form(r, schema, false);
    struct engine_request q = request_for(r, 1, 3, schema ? 30 : 5);
    enum forma_status status = FORMA_EMEMORY;
    q.complete = true;
    run_options_init(&o);
    o.n_threads = 1;
    o.n_ctx = 64;
    o.allocator = &allocator;
    q.stops = stops;
    q.n_stops = 1;
    long n = 0;
    for (; status == FORMA_EMEMORY && n < 200; n++) {
        struct engine_result result;
        struct forma_error err = {0};
        f.left = n;
        if (schema) forma_matcher_reset(r->matcher);
        struct engine *e = engine_new(r->model, r->tokenizer, &o, &err);
        status = e ? engine_generate(e, &q, &result, &err) : err.status;
        if (status != FORMA_OK) CHECK_INT(err.status, FORMA_EMEMORY);
        engine_free(e);
        CHECK_INT(f.live, 0);
    }
    CHECK_INT(status, FORMA_OK);
    CHECK(n > (schema ? 12 : 8));
    drop_form(r);
}

int main(void) {
    static const char *const models[] = {MODELS "f32-gqa.gguf", MODELS "f16-mha.gguf",
                                         MODELS "mixed.gguf", MODELS "q4_1-mqa.gguf",
                                         MODELS "k-quants.gguf"};
    static struct rig r;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        open_rig(&r, models[i], "Once upon a time, and then");
        test_counts(&r);
        test_positions(&r);
        test_seed(&r);
        close_rig(&r);
    }
    open_rig(&r, models[0], "Once upon a time, and then");
    test_ends(&r);
    test_end_token(&r);
    test_cancel(&r);
    test_stops(&r);
    test_no_malloc(&r, NULL);
    test_memory(&r, NULL);
    test_memory(&r, schemas[4]);
    test_forms(&r);
    test_cut_form(&r);
    test_stops_in_form(&r);
    test_no_malloc(&r, schemas[5]);
    close_rig(&r);
    return test_done("engine");
}
