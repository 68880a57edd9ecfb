/* SPDX-License-Identifier: MIT
 *
 * Texts without a model. Samples: every text is accepted by a fresh matcher, ends within the length,
 * is the same for the same seed, and all parts of a form turn up. Shortest texts: the same, in the
 * same order, as when all texts are listed by brute force; and bounds on what is missing are never
 * too high.
 */
#include "automaton/grammar.h"
#include "automaton/sample.h"
#include "automaton/shortest.h"
#include "tests/lib_alloc.h"
#include "tests/lib_forms.h"
#include "tests/lib_random_schema.h"
#include "tests/lib_toy_machine.h"
#include "tests/test.h"

enum { MAX_LENGTH = 2000, MAX_BRUTE = 400, MAX_VISITS = 60000 };

static struct forma_grammar *compile(const char *form, enum forma_blanks blanks, bool exact) {
    struct forma_options o;
    struct forma_error err;
    forma_options_init(&o);
    if (exact) o.style = forma_style_exact();
    o.style.blanks = blanks;
    return form_with(form, &o, &err);
}

static bool accepted(struct forma_grammar *g, const unsigned char *text, size_t length) {
    struct forma_matcher *m = forma_matcher_new(g, NULL, NULL, NULL);
    bool ok = m && forma_matcher_accept_bytes(m, text, length, NULL) == FORMA_OK &&
              forma_matcher_accepts_end(m);
    forma_matcher_free(m);
    return ok;
}

static const char *const schemas[] = {
    "{}",
    "{\"type\": \"string\", \"minLength\": 3, \"maxLength\": 9}",
    "{\"type\": \"string\", \"pattern\": \"^[a-f]{2,5}-(\\\\d+|x)$\"}",
    "{\"type\": \"string\", \"format\": \"date-time\"}",
    "{\"type\": \"string\", \"format\": \"email\"}",
    "{\"type\": \"number\", \"minimum\": 99.5, \"maximum\": 1e9, \"multipleOf\": 0.25}",
    "{\"type\": \"array\", \"items\": {\"type\": \"integer\"}, \"uniqueItems\": true, "
    "\"minItems\": 2}",
    "{\"type\": \"object\", \"minProperties\": 3, \"propertyNames\": {\"pattern\": \"^[a-c]+$\"}}",
    "{\"type\": \"object\", \"properties\": {\"a\\n\\\"b\": {\"const\": 1}, \"\\u00e9\": {}}, "
    "\"required\": [\"a\\n\\\"b\"], \"additionalProperties\": false}",
    "{\"$ref\": \"#/$defs/t\", \"$defs\": {\"t\": {\"type\": \"object\", \"properties\": {\"v\": "
    "{\"type\": \"integer\"}, \"kids\": {\"type\": \"array\", \"items\": {\"$ref\": "
    "\"#/$defs/t\"}, \"minItems\": 1}}, \"required\": [\"v\"], \"additionalProperties\": false}}}",
    "{\"anyOf\": [{\"enum\": [\"p\", \"q\", 7]}, {\"type\": \"object\", \"required\": [\"k\"]}, "
    "{\"type\": \"array\", \"contains\": {\"const\": null}}]}",
    "{\"oneOf\": [{\"required\": [\"a\"]}, {\"required\": [\"bb\", \"c\"]}], \"type\": "
    "\"object\", \"patternProperties\": {\"^a\": {\"type\": \"string\", \"minLength\": 5}}}",
    "@one",
    "@none",
    "@names",
    "@two",
    "@all",
    "@contains",
    "@not",
    "@if",
    "@pattern",
};

/* ---- samples ------------------------------------------------------------------------------- */

/* At every place of a text the bound on what is missing is true. */
static void check_bounds(struct machine *m, const unsigned char *text, size_t length,
                         const char *form) {
    struct state s = m->start;
    pthread_mutex_lock(&m->lock);
    for (size_t i = 0; i <= length; i++) {
        uint64_t bound = m->ops->at_least ? m->ops->at_least(m, s) : 0;
        if (!test_result(bound <= length - i)) {
            fprintf(stderr, "bound %llu at %zu of %.*s under %s\n", (unsigned long long)bound, i,
                    (int)length, (const char *)text, form);
            break;
        }
        if (i < length) s = machine_step(m, s, text[i]);
    }
    pthread_mutex_unlock(&m->lock);
}

static void check_samples(const char *form, struct forma_grammar *g, unsigned n, uint64_t seed) {
    struct forma_error err;
    struct machine *m = grammar_machine(g);
    struct sample_maker *maker = sample_maker_new(m, MAX_LENGTH, NULL, &err);
    if (!maker) { /* the shortest text may be too long, or not known within limits */
        CHECK(err.status == FORMA_EINVAL || err.status == FORMA_ELIMIT);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        const unsigned char *text;
        size_t length;
        enum forma_status status = sample_draw(maker, seed + i, &text, &length, &err);
        if (!test_result(status == FORMA_OK)) {
            fprintf(stderr, "seed %llu: %s under %s\n", (unsigned long long)seed + i, err.message,
                    form);
            continue;
        }
        if (!test_result(length <= MAX_LENGTH && accepted(g, text, length)))
            fprintf(stderr, "seed %llu: not accepted: %.*s under %s\n",
                    (unsigned long long)seed + i, (int)length, (const char *)text, form);
        check_bounds(m, text, length, form);
    }
    sample_maker_free(maker);
}

static void test_forms(void) {
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++)
        for (int style = 0; style < 4; style++) {
            static const enum forma_blanks blanks[] = {FORMA_BLANKS_COMPACT, FORMA_BLANKS_NATURAL,
                                                       FORMA_BLANKS_PRETTY, FORMA_BLANKS_ANY};
            struct forma_grammar *g = compile(schemas[i], blanks[style], style == 3);
            if (CHECK(g != NULL)) check_samples(schemas[i], g, 60, 1000 * i);
            forma_grammar_free(g);
        }
}

static void test_random_forms(void) {
    uint64_t random = 7;
    char schema[1 << 14];
    for (int i = 0; i < 250; i++) {
        if (!random_schema(&random, schema, sizeof schema)) continue;
        struct forma_grammar *g =
            compile(schema, i % 3 ? FORMA_BLANKS_NATURAL : FORMA_BLANKS_COMPACT, i % 2);
        if (g) check_samples(schema, g, 8, (uint64_t)i);
        forma_grammar_free(g);
    }
}

static void test_seeds(void) {
    struct forma_grammar *g = compile("{}", FORMA_BLANKS_NATURAL, false);
    struct forma_grammar *other = compile("{}", FORMA_BLANKS_NATURAL, false);
    struct sample_maker *a = sample_maker_new(grammar_machine(g), MAX_LENGTH, NULL, NULL);
    struct sample_maker *b = sample_maker_new(grammar_machine(other), MAX_LENGTH, NULL, NULL);
    const unsigned char *x, *y;
    size_t n, k, different = 0;
    char last[MAX_LENGTH + 1] = "";
    for (uint64_t seed = 0; seed < 200; seed++) { /* in another order */
        CHECK_INT(sample_draw(a, 199 - seed, &x, &n, NULL), FORMA_OK);
        CHECK_INT(sample_draw(a, seed, &x, &n, NULL), FORMA_OK);
        CHECK_INT(sample_draw(b, seed, &y, &k, NULL), FORMA_OK);
        CHECK(n == k && memcmp(x, y, n) == 0);
        different += n != strlen(last) || memcmp(x, last, n) != 0;
        memcpy(last, x, n);
        last[n] = 0;
    }
    CHECK(different > 150);
    sample_maker_free(a);
    sample_maker_free(b);
    forma_grammar_free(g);
    forma_grammar_free(other);
}

/* Every part of the form occurs, and arrays and strings have several lengths. */
static void test_coverage(void) {
    static const char form[] =
        "{\"type\": \"object\", \"properties\": {"
        "\"colour\": {\"enum\": [\"red\", \"green\", \"blue\", \"black\", \"grey\", null, 17]},"
        "\"size\": {\"anyOf\": [{\"type\": \"integer\"}, {\"enum\": [\"small\", \"large\"]}, "
        "{\"type\": \"string\", \"pattern\": \"^[0-9]+px$\"}, {\"type\": \"object\", "
        "\"properties\": {\"w\": {\"type\": \"number\"}}, \"required\": [\"w\"], "
        "\"additionalProperties\": false}]},"
        "\"list\": {\"type\": \"array\", \"items\": {\"const\": 0}},"
        "\"name\": {\"type\": \"string\"}, \"on\": {\"type\": \"boolean\"}},"
        "\"required\": [\"colour\"], \"additionalProperties\": false}";
    static const char *const parts[] = {
        "\"red\"",     "\"green\"",    "\"blue\"",      "\"black\"", "\"grey\"",
        "null",        ":17",          "\"small\"",     "\"large\"", "px\"",
        "\"size\":{",  "\"size\":1",   "\"name\":",     "\"list\":", "\"on\":",
        "\"on\":true", "\"on\":false", "\"size\":-",    "[]",        "[0]",
        "[0,0]",       "[0,0,0,",      "\"name\":\"\"", "\\\"",      "\xC3",
    };
    long counts[sizeof parts / sizeof *parts] = {0}, whole = 0, least = 0;
    struct forma_grammar *g = compile(form, FORMA_BLANKS_COMPACT, false);
    struct sample_maker *maker = sample_maker_new(grammar_machine(g), MAX_LENGTH, NULL, NULL);
    for (uint64_t seed = 1; maker && seed <= 1000; seed++) {
        const unsigned char *text;
        size_t length;
        char copy[MAX_LENGTH + 1];
        CHECK_INT(sample_draw(maker, seed, &text, &length, NULL), FORMA_OK);
        memcpy(copy, text, length);
        copy[length] = 0;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            counts[i] += strstr(copy, parts[i]) != NULL;
        whole += strstr(copy, "size") && strstr(copy, "list") && strstr(copy, "name") &&
                 strstr(copy, "on");
        least += !strchr(copy, ',');
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!test_result(counts[i] >= 3))
            fprintf(stderr, "%s occurs in %ld of 1000 texts\n", parts[i], counts[i]);
    CHECK(whole > 20); /* texts with all members, and with those only that must come */
    CHECK(least > 20);
    sample_maker_free(maker);
    forma_grammar_free(g);
}

static void test_lengths(void) {
    static const char form[] = "{\"type\": \"array\", \"minItems\": 2, \"items\": {\"type\": "
                               "\"string\", \"minLength\": 4}}";
    struct forma_grammar *g = compile(form, FORMA_BLANKS_COMPACT, false);
    struct forma_error err;
    const unsigned char *text;
    size_t length;
    CHECK(sample_maker_new(grammar_machine(g), 14, NULL, &err) == NULL);
    CHECK_INT(err.status, FORMA_EINVAL);
    CHECK_STR(err.message,
              "the shortest text of the form has 15 bytes; raise max_length, which is 14");
    CHECK(sample_maker_new(grammar_machine(g), 0, NULL, &err) == NULL);
    CHECK_INT(err.status, FORMA_EINVAL);
    for (size_t most = 15; most < 60; most++) {
        struct sample_maker *maker = sample_maker_new(grammar_machine(g), most, NULL, &err);
        for (uint64_t seed = 0; CHECK(maker != NULL) && seed < 40; seed++) {
            CHECK_INT(sample_draw(maker, seed, &text, &length, NULL), FORMA_OK);
            CHECK(length <= most && accepted(g, text, length));
        }
        sample_maker_free(maker);
    }
    forma_grammar_free(g);
    g = compile("{\"type\": \"string\", \"minLength\": 100000}", FORMA_BLANKS_COMPACT, false);
    struct sample_maker *maker = sample_maker_new(grammar_machine(g), 110000, NULL, &err);
    CHECK_INT(sample_draw(maker, 1, &text, &length, NULL), FORMA_OK);
    CHECK(length >= 100002 && length <= 110000);
    sample_maker_free(maker);
    forma_grammar_free(g);
}

/* ---- the shortest -------------------------------------------------------------------------- */

/* All texts of exactly `length` bytes, in byte order, appended to out. False: too many to look at. */
struct brute {
    struct machine *m;
    char *texts[MAX_BRUTE];
    size_t lengths[MAX_BRUTE], n;
    long visits;
    unsigned char text[64];
};

static bool list_all(struct brute *b, struct state s, size_t at, size_t length) {
    if (++b->visits > MAX_VISITS) return false;
    if (at == length) {
        if (!b->m->ops->accepts(b->m, s)) return true;
        if (b->n == MAX_BRUTE) return false;
        b->texts[b->n] = malloc(length + 1);
        memcpy(b->texts[b->n], b->text, length);
        b->lengths[b->n++] = length;
        return true;
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        struct state next = machine_step(b->m, s, (unsigned char)byte);
        if (state_is_dead(next)) continue;
        b->text[at] = (unsigned char)byte;
        if (!list_all(b, next, at + 1, length)) return false;
    }
    return true;
}

/* Returns how many texts were compared. */
static size_t check_shortest(const char *form, struct forma_grammar *g) {
    struct machine *m = grammar_machine(g);
    struct brute *b = calloc(1, sizeof *b);
    struct forma_error err;
    b->m = m;
    pthread_mutex_lock(&m->lock);
    for (size_t length = 0; length < sizeof b->text; length++) {
        size_t before = b->n;
        if (list_all(b, m->start, 0, length)) continue;
        while (b->n > before) free(b->texts[--b->n]); /* a length that was not listed whole */
        break;
    }
    bool exact = !m->narrowed && !m->failed;
    pthread_mutex_unlock(&m->lock);
    struct shortest *s = shortest_new(m, 2000000, NULL, NULL, &err);
    for (size_t i = 0; exact && i < b->n; i++) {
        struct shortest_text t;
        CHECK_INT(shortest_next(s, &t, &err), FORMA_OK);
        bool same = t.text && t.length == b->lengths[i] && !memcmp(t.text, b->texts[i], t.length);
        if (!test_result(same && t.proven)) {
            fprintf(stderr, "text %zu: got %.*s, want %.*s under %s\n", i, (int)t.length,
                    t.text ? (const char *)t.text : "nothing", (int)b->lengths[i], b->texts[i],
                    form);
            break;
        }
    }
    size_t n = b->n;
    for (size_t i = 0; i < b->n; i++) free(b->texts[i]);
    free(b);
    shortest_free(s);
    return n;
}

static void test_shortest(void) {
    size_t compared = 0;
    uint64_t random = 11;
    char schema[1 << 14];
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        struct forma_grammar *g = compile(schemas[i], FORMA_BLANKS_COMPACT, false);
        compared += check_shortest(schemas[i], g);
        forma_grammar_free(g);
    }
    for (int i = 0; i < 150; i++) {
        static const enum forma_blanks blanks[] = {FORMA_BLANKS_COMPACT, FORMA_BLANKS_PRETTY,
                                                   FORMA_BLANKS_NATURAL};
        if (!random_schema(&random, schema, sizeof schema)) continue;
        struct forma_grammar *g = compile(schema, blanks[i % 3], i % 5 == 4);
        if (g) compared += check_shortest(schema, g);
        forma_grammar_free(g);
    }
    CHECK(compared > 2000);
}

/* All texts, in order, and then the word that these are all. */
static void check_list(const char *form, const char *const *want, size_t n) {
    struct forma_grammar *g = compile(form, FORMA_BLANKS_COMPACT, false);
    struct shortest *s = shortest_new(grammar_machine(g), 250000, NULL, NULL, NULL);
    struct shortest_text t;
    for (size_t i = 0; i < n; i++) {
        char text[128] = "";
        CHECK_INT(shortest_next(s, &t, NULL), FORMA_OK);
        if (CHECK(t.text && t.length < sizeof text)) memcpy(text, t.text, t.length);
        CHECK_STR(text, want[i]);
        CHECK(t.proven);
    }
    CHECK_INT(shortest_next(s, &t, NULL), FORMA_OK);
    CHECK(!t.text && t.proven);
    CHECK_INT(shortest_next(s, &t, NULL), FORMA_OK);
    CHECK(!t.text);
    shortest_free(s);
    forma_grammar_free(g);
}

static void test_finite(void) {
    static const char *const values[] = {"7", "\"b\"", "\"aa\"", "null", "true", "[1,2]"};
    static const char *const pairs[] = {"[1,2]", "[2,1]", "[1,33]", "[2,33]", "[33,1]", "[33,2]"};
    static const char *const objects[] = {"{}", "{\"b\":0}", "{\"a\":false}",
                                          "{\"a\":false,\"b\":0}"};
    check_list("{\"enum\": [true, null, \"aa\", [1, 2], \"b\", 7]}", values, 6);
    check_list("{\"type\": \"array\", \"items\": {\"enum\": [1, 2, 33]}, \"uniqueItems\": true, "
               "\"minItems\": 2, \"maxItems\": 2}",
               pairs, 6);
    check_list(
        "{\"type\": \"object\", \"properties\": {\"a\": {\"const\": false}, \"b\": {\"const\": "
        "0}}, \"additionalProperties\": false}",
        objects, 4);
}

/* The length of the shortest text, straight away. */
static void test_long(void) {
    static const struct {
        const char *form;
        size_t length;
    } cases[] = {
        {"{\"type\": \"string\", \"minLength\": 1000000}", 1000002},
        {"{\"type\": \"array\", \"minItems\": 5000, \"items\": {\"type\": \"string\", "
         "\"minLength\": 3}}",
         5000 * 6 + 1},
        {"{\"type\": \"number\", \"minimum\": 1e60}", 61},
        {"{\"type\": \"object\", \"required\": [\"description\", \"abc\"], \"properties\": "
         "{\"abc\": "
         "{\"type\": \"object\", \"required\": [\"x\"], \"properties\": {\"x\": {\"type\": "
         "\"string\", \"pattern\": \"^[0-9]{8}$\"}}}}}",
         40},
        {"{\"type\": \"object\", \"minProperties\": 4, \"propertyNames\": {\"minLength\": 2}}", 29},
        {"{\"type\": \"object\", \"required\": [\"aa\"], \"anyOf\": [{\"required\": [\"long "
         "name\"]}, "
         "{\"required\": [\"shorter\"]}]}",
         20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct forma_grammar *g = compile(cases[i].form, FORMA_BLANKS_COMPACT, false);
        struct shortest *s = shortest_new(grammar_machine(g), 50000, NULL, NULL, NULL);
        struct shortest_text t;
        CHECK_INT(shortest_next(s, &t, NULL), FORMA_OK);
        CHECK_INT(t.length, cases[i].length);
        CHECK(t.proven && accepted(g, t.text, t.length));
        shortest_free(s);
        forma_grammar_free(g);
    }
}

/* Past the limit there is a text all the same, and no claim. */
static void test_not_proven(void) {
    static const char form[] =
        "{\"type\": \"array\", \"uniqueItems\": true, \"minItems\": 9, \"items\": {\"type\": "
        "\"string\", \"pattern\": \"^(ab|cd|[x-z])+$\"}}";
    struct forma_grammar *g = compile(form, FORMA_BLANKS_COMPACT, false);
    struct shortest *s = shortest_new(grammar_machine(g), 10, NULL, NULL, NULL);
    struct shortest_text t;
    CHECK_INT(shortest_next(s, &t, NULL), FORMA_OK);
    CHECK(t.text && !t.proven && t.limits == FORMA_LIMIT_WORK && accepted(g, t.text, t.length));
    CHECK_INT(shortest_next(s, &t, NULL), FORMA_OK);
    CHECK(!t.text && !t.proven);
    shortest_free(s);
    const volatile bool cancel = true;
    struct forma_error err;
    s = shortest_new(grammar_machine(g), 250000, &cancel, NULL, NULL);
    CHECK_INT(shortest_next(s, &t, &err), FORMA_ECANCELLED);
    shortest_free(s);
    forma_grammar_free(g);
}

/* ---- any machine, no memory ---------------------------------------------------------------- */

static void test_other_machine(void) {
    static struct toy_machine toy;
    struct forma_grammar *g = toy_grammar(&toy);
    check_samples("toy", g, 300, 1);
    check_shortest("toy", g);
    toy.narrow_on_7 = true; /* texts with a 7 may be missed: nothing is proven */
    struct shortest *s = shortest_new(&toy.machine, 1000, NULL, NULL, NULL);
    struct shortest_text t;
    CHECK_INT(shortest_next(s, &t, NULL), FORMA_OK);
    CHECK(t.text && t.length == 1);
    shortest_free(s);
    toy.narrow_on_7 = false;
    toy.fail_on_8 = true;
    struct forma_error err;
    struct sample_maker *maker = sample_maker_new(&toy.machine, 100, NULL, &err);
    const unsigned char *text;
    size_t length;
    enum forma_status status = FORMA_OK;
    for (uint64_t seed = 0; seed < 200 && status == FORMA_OK; seed++)
        status = sample_draw(maker, seed, &text, &length, &err);
    CHECK_INT(status, FORMA_ELIMIT);
    sample_maker_free(maker);
    forma_grammar_free(g);
}

static void test_no_memory(void) {
    struct forma_grammar *g = compile(schemas[1], FORMA_BLANKS_COMPACT, false);
    struct forma_error err;
    for (long fail_at = 1;; fail_at++) {
        struct counting_allocator c;
        counting_allocator_init(&c);
        c.fail_at = fail_at;
        const unsigned char *text;
        size_t length;
        struct shortest_text t;
        struct sample_maker *maker = sample_maker_new(grammar_machine(g), 100, &c.allocator, &err);
        struct shortest *s =
            maker ? shortest_new(grammar_machine(g), 1000, NULL, &c.allocator, &err) : NULL;
        bool done = s && shortest_next(s, &t, &err) == FORMA_OK;
        if (done) CHECK_INT(sample_draw(maker, 1, &text, &length, &err), FORMA_OK);
        if (!done) CHECK_INT(err.status, FORMA_EMEMORY);
        sample_maker_free(maker);
        shortest_free(s);
        CHECK_INT(c.blocks, 0);
        if (done) break;
        if (!CHECK(fail_at < 100)) break;
    }
    forma_grammar_free(g);
}

int main(void) {
    test_forms();
    test_random_forms();
    test_seeds();
    test_coverage();
    test_lengths();
    test_shortest();
    test_finite();
    test_long();
    test_not_proven();
    test_other_machine();
    test_no_memory();
    return test_done("sample");
}
