/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out, at every place where it can: each request to the allocator failing in
 * turn, memory limits from the least one up, and each push of the machine's arena failing while
 * a schema is compiled and while a text is read. Always an error, never a crash, nothing left
 * behind. And none asked for by the loop: a matcher that was made calls no allocator any more.
 */
#include "automaton/grammar.h"
#include "automaton/json_machine.h"
#include "base/error.h"
#include "schema/json_schema.h"
#include "tests/lib_alloc.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"

static const char *const schemas[] = {
    "{\"type\":\"object\",\"properties\":{\"stato\":{\"enum\":[\"aperto\",\"chiuso\"]},"
    "\"priorita\":{"
    "\"type\":\"integer\",\"minimum\":1,\"maximum\":5}},\"required\":[\"stato\"],"
    "\"additionalProperties\":false}",
    "{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":"
    "\"number\",\"multipleOf\":0.25},\"l\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/n\"}},"
    "\"s\":{\"type\":\"string\",\"pattern\":\"^[a-f]+\\\\d$\",\"maxLength\":5}},\"required\":["
    "\"v\"]}}}",
    "{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"k\":{\"const\":\"x\"},\"v\":{\"type\":"
    "\"null\"}},\"required\":[\"k\",\"v\"]},{\"type\":\"object\",\"properties\":{\"k\":{\"const\":"
    "\"y\"}},"
    "\"required\":[\"k\",\"w\"]},{\"enum\":[[1,{\"a\":null}],\"\\u00e9\"]}]}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"prefixItems\":[{\"enum\":[\"a\",1,{\"k\":[]}]},{"
    "\"enum\":[\"a\",1]}],\"minItems\":3}",
    "{\"oneOf\":[{\"properties\":{\"k\":{\"const\":1},\"a\":{}},\"required\":[\"k\"]},{"
    "\"properties\":{\"k\":{\"const\":2}}},{\"if\":{\"required\":[\"z\"]},\"else\":false}],"
    "\"unevaluatedProperties\":false,\"unevaluatedItems\":false}",
};
#define LONG_TEXT                                                                                  \
    "{\"v\":-1.75,\"l\":[{\"v\":0},{\"v\":2,\"s\":\"ab1\"}],\"other\":[true,{}],\"more\":"         \
    "\"\\n\\u0001\"}"
static const char *const texts[] = {
    "{\"stato\":\"aperto\",\"priorita\":4}",
    LONG_TEXT,
    "{\"k\":\"y\",\"w\":[[]]}",
    "[{\"k\":[]},\"a\",{\"k\":[2]},-2,[\"a\",{}],[]]",
    "{\"a\":0,\"k\":1}",
};
enum { N_SCHEMAS = sizeof schemas / sizeof *schemas };

static void options_for(struct forma_options *o, const struct forma_allocator *allocator) {
    forma_options_init(o);
    o->style.blanks = FORMA_BLANKS_COMPACT;
    o->style.keys = FORMA_KEYS_ANY;
    o->style.escapes = FORMA_ESCAPES_ANY;
    o->max_memory = (size_t)1 << 26;
    o->allocator = allocator;
}

static bool is_memory(enum forma_status status) {
    return status == FORMA_EMEMORY || status == FORMA_ELIMIT;
}

/* ---- the allocator fails ---------------------------------------------------------------------- */

/* Vocabulary, grammar, matcher, a text with masks, a copy; true if nothing failed. */
static bool use_everything(size_t which, struct counting_allocator *c, struct forma_error *err) {
    struct forma_options o;
    struct forma_matcher_options mo;
    options_for(&o, &c->allocator);
    forma_matcher_options_init(&mo);
    mo.allocator = &c->allocator;
    mo.mask_cache_bytes = (size_t)1 << 16;
    bool done = false;
    error_set(err, FORMA_EMEMORY, "the vocabulary");
    struct forma_vocabulary *v = vocabulary_of_bytes(&c->allocator);
    struct forma_grammar *g =
        v ? forma_grammar_from_json_schema(schemas[which], strlen(schemas[which]), v, &o, err)
          : NULL;
    struct forma_matcher *m = g ? forma_matcher_new(g, v, &mo, err) : NULL;
    long calls = c->calls;
    int32_t row[9];
    for (const char *p = texts[which]; m && *p; p++) {
        CHECK_INT(forma_matcher_mask(m, row, 9, NULL), FORMA_OK);
        CHECK_INT(forma_matcher_accept(m, (unsigned char)*p, NULL), FORMA_OK);
    }
    if (m) {
        CHECK(forma_matcher_accepts_end(m));
        CHECK_INT(c->calls, calls);
        struct forma_matcher *copy = forma_matcher_copy(m, err);
        done = copy != NULL;
        forma_matcher_free(copy);
    }
    forma_matcher_free(m);
    forma_grammar_free(g);
    forma_vocabulary_free(v);
    return done;
}

static void test_allocator(size_t which) {
    for (long fail_at = 1;; fail_at++) {
        struct counting_allocator c;
        struct forma_error err = {.status = FORMA_OK};
        counting_allocator_init(&c);
        c.fail_at = fail_at;
        bool done = use_everything(which, &c, &err);
        CHECK_INT(c.blocks, 0);
        CHECK_INT(c.bytes, 0);
        if (done) {
            CHECK(c.calls < fail_at && fail_at > 5);
            return;
        }
        if (!CHECK_INT(err.status, FORMA_EMEMORY) || !CHECK(fail_at < 200)) return;
    }
}

/* ---- the loop asks for nothing --------------------------------------------------------------- */

static void test_loop(void) {
    struct counting_allocator c;
    struct forma_options o;
    struct forma_matcher_options mo;
    counting_allocator_init(&c);
    options_for(&o, &c.allocator);
    forma_matcher_options_init(&mo);
    mo.allocator = &c.allocator;
    mo.mask_cache_bytes = 4096; /* a few rows: it is emptied again and again */
    struct forma_vocabulary *v = vocabulary_random(3, 2000);
    for (size_t which = 0; which < N_SCHEMAS; which++) {
        struct forma_grammar *g =
            forma_grammar_from_json_schema(schemas[which], strlen(schemas[which]), v, &o, NULL);
        struct forma_matcher *m = g ? forma_matcher_new(g, v, &mo, NULL) : NULL;
        if (!CHECK(m != NULL)) break;
        size_t words = forma_matcher_mask_words(m);
        int32_t *row = calloc(words, 4);
        unsigned char out[256];
        char described[100];
        long calls = c.calls;
        long long bytes = c.bytes;
        for (int round = 0; round < 3; round++) {
            for (const unsigned char *p = (const unsigned char *)texts[which]; *p; p++) {
                CHECK_INT(forma_matcher_mask(m, row, words, NULL), FORMA_OK);
                CHECK_INT(forma_matcher_accept_bytes(m, p, 1, NULL), FORMA_OK);
                forma_matcher_completion(m, out, sizeof out);
                forma_matcher_describe(m, described, sizeof described);
                if (*p % 3) continue;
                CHECK_INT(forma_matcher_rollback(m, 1, NULL), FORMA_OK);
                CHECK_INT(forma_matcher_accept_bytes(m, p, 1, NULL), FORMA_OK);
            }
            CHECK(forma_matcher_accepts_end(m));
            forma_matcher_accept_bytes(m, (const unsigned char *)"x", 1, NULL);
            forma_matcher_reset(m);
        }
        CHECK_INT(c.calls, calls);
        CHECK_INT(c.bytes, bytes);
        free(row);
        forma_matcher_free(m);
        forma_grammar_free(g);
    }
    CHECK_INT(c.blocks, 0);
    forma_vocabulary_free(v);
}

/* ---- the arena is small ---------------------------------------------------------------------- */

/* Reads the text with a mask at each byte; FORMA_OK or the first error. */
static enum forma_status read_text(struct forma_matcher *m, const char *text) {
    int32_t row[9];
    unsigned char out[256];
    char described[100];
    for (; *text; text++) {
        enum forma_status status = forma_matcher_mask(m, row, 9, NULL);
        if (status == FORMA_OK) status = forma_matcher_accept(m, (unsigned char)*text, NULL);
        if (status != FORMA_OK) return status;
        forma_matcher_completion(m, out, sizeof out);
        forma_matcher_describe(m, described, sizeof described);
    }
    return forma_matcher_accepts_end(m) ? FORMA_OK : FORMA_EINTERNAL;
}

static void test_small_limits(void) {
    struct forma_vocabulary *v = vocabulary_of_bytes(NULL);
    long failed = 0, finished = 0;
    for (size_t limit = (size_t)1 << 20; limit < (size_t)8 << 20; limit += 65536)
        for (size_t which = 0; which < N_SCHEMAS; which++) {
            struct forma_options o;
            struct forma_error err;
            options_for(&o, NULL);
            o.max_memory = limit;
            struct forma_grammar *g =
                forma_grammar_from_json_schema(schemas[which], strlen(schemas[which]), v, &o, &err);
            if (!g) {
                CHECK(is_memory(err.status) && *err.message);
                failed++;
                continue;
            }
            CHECK(forma_grammar_memory(g) <= limit);
            struct forma_matcher *m = forma_matcher_new(g, v, NULL, NULL);
            if (CHECK(m != NULL)) {
                enum forma_status status = read_text(m, texts[which]);
                CHECK(status == FORMA_OK || is_memory(status));
                finished += status == FORMA_OK;
                failed += status != FORMA_OK;
                if (status != FORMA_OK) { /* the failure sticks */
                    int32_t row[9];
                    CHECK(is_memory(forma_matcher_mask(m, row, 9, NULL)));
                    CHECK(is_memory(forma_matcher_accept(m, 'x', NULL)));
                }
            }
            CHECK(forma_grammar_memory(g) <= limit);
            forma_matcher_free(m);
            forma_grammar_free(g);
        }
    CHECK(failed > 0 && finished > 20);
    if (getenv("VERBOSE")) printf("small limits: %ld failed, %ld finished\n", failed, finished);
    forma_vocabulary_free(v);
}

/* ---- each push fails ------------------------------------------------------------------------- */

static uint32_t key_order(void *ctx, const goal_id *goals, uint32_t n, const uint32_t **names) {
    return json_schema_key_order(ctx, goals, n, names);
}
static const char *pointer(void *ctx, uint32_t node) {
    return json_schema_pointer(ctx, node);
}

/* Compiles with `pushes` pushes to spend, then reads with `more`. What is left of them, or
 * SIZE_MAX after a failure. */
static size_t drive(size_t which, size_t pushes, size_t more) {
    struct forma_options o;
    struct forma_error err = {.status = FORMA_OK};
    options_for(&o, fa_default_allocator());
    o.max_memory = (size_t)1 << 22;
    struct json_machine_options mo = {.style = o.style,
                                      .max_memory = o.max_memory,
                                      .max_nesting = o.max_nesting,
                                      .max_work = o.max_work,
                                      .allocator = o.allocator};
    struct json_machine *m = json_machine_new(&mo, &err);
    if (!CHECK(m != NULL)) return SIZE_MAX;
    struct arena *arena = json_machine_arena(m);
    arena->fail_after = pushes;
    struct json_schema *s =
        json_schema_load(json_machine_goals(m), schemas[which], strlen(schemas[which]), &o, &err);
    struct json_form form = {key_order, pointer, s};
    enum forma_status status = err.status;
    if (s) status = json_machine_start(m, json_schema_root(s), &form, NULL, NULL, &err);
    size_t left = SIZE_MAX;
    if (!s || status != FORMA_OK) {
        CHECK(is_memory(status) && *err.message && arena->failed);
    } else {
        struct machine *base = json_machine_base(m);
        struct state at = base->start;
        unsigned char out[512];
        char described[200];
        if (more != SIZE_MAX) arena->fail_after = more;
        for (const char *p = texts[which]; *p && !state_is_dead(at); p++) {
            base->ops->completion(base, at, out, sizeof out);
            base->ops->describe(base, at, described, sizeof described);
            machine_speculate(base);
            for (unsigned b = 0; b < 256; b += 5) machine_step(base, at, (unsigned char)b);
            machine_forget(base);
            at = machine_step(base, at, (unsigned char)*p);
        }
        if (!arena->failed && CHECK(base->ops->accepts(base, at))) left = arena->fail_after;
        CHECK(!state_is_dead(at) || base->failed);
    }
    json_machine_free(m);
    return left;
}

static void test_pushes(size_t which) {
    enum { MANY = 10000000 };
    size_t left = drive(which, MANY, SIZE_MAX);
    if (!CHECK(left != SIZE_MAX)) return;
    size_t all = MANY - left; /* compiling and reading */
    left = drive(which, SIZE_MAX, MANY);
    size_t reading = MANY - left, failures = 0;
    if (getenv("VERBOSE")) printf("%zu pushes, %zu of them to read\n", all, reading);
    for (size_t n = 0; n < all - reading; n++) failures += drive(which, n, SIZE_MAX) == SIZE_MAX;
    CHECK_INT(failures, all - reading);
    failures = 0;
    for (size_t n = 0; n < reading; n++) failures += drive(which, SIZE_MAX, n) == SIZE_MAX;
    CHECK_INT(failures, reading);
}

int main(void) {
    for (size_t i = 0; i < N_SCHEMAS; i++) test_allocator(i);
    test_loop();
    test_small_limits();
    for (size_t i = 0; i < N_SCHEMAS; i++) test_pushes(i);
    return test_done("grammar without memory");
}
