/* SPDX-License-Identifier: MIT
 *
 * The machine that reads JSON for a schema: all texts of finite schemas, listed by walking the
 * machine itself; golden texts of every style; completions, descriptions and taking back along
 * random walks; memory that does not grow with the output; limits of search and nesting.
 */
#include "automaton/grammar.h"
#include "tests/lib_forms.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"
#include "tokenmask/mask.h"
#include "tokenmask/matcher.h"

#define C6                                                                                         \
    "{\"type\":\"object\",\"properties\":{\"stato\":{\"enum\":[\"aperto\",\"chiuso\"]},"           \
    "\"priorita\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":5}},"                            \
    "\"required\":[\"stato\"],\"additionalProperties\":false}"

static struct forma_style compact(void) {
    return (struct forma_style){.keys = FORMA_KEYS_SCHEMA,
                                .blanks = FORMA_BLANKS_COMPACT,
                                .numbers = FORMA_NUMBERS_PLAIN,
                                .escapes = FORMA_ESCAPES_MINIMAL};
}

/* NULL when the form is refused, which counts as a failure. */
static struct forma_grammar *compile(const char *form, struct forma_style style) {
    struct forma_options o;
    struct forma_error err;
    forma_options_init(&o);
    o.style = style;
    struct forma_grammar *g = form_with(form, &o, &err);
    if (!CHECK(g != NULL)) fprintf(stderr, "%s: %s\n", form, err.message);
    return g;
}

static bool accepts(struct machine *m, const char *text) {
    struct state s = m->start;
    for (; *text && !state_is_dead(s); text++) s = machine_step(m, s, (unsigned char)*text);
    return m->ops->accepts(m, s);
}

/* ---- all texts of a form --------------------------------------------------------------------- */

enum { MAX_LENGTH = 128, MAX_TEXTS = 128 };

struct texts {
    struct machine *m;
    char text[MAX_LENGTH + 1];
    size_t length;
    char *found[MAX_TEXTS];
    size_t n;
    bool too_many;
};

/* Depth first over the bytes. */
static void list_texts(struct texts *t, struct state s) {
    if (t->m->ops->accepts(t->m, s)) {
        if (t->n == MAX_TEXTS) {
            t->too_many = true;
            return;
        }
        t->text[t->length] = 0;
        t->found[t->n++] = strdup(t->text);
    }
    bool lives = t->m->ops->accepts(t->m, s);
    for (unsigned b = 0; b < 256 && !t->too_many; b++) {
        struct state next = machine_step(t->m, s, (unsigned char)b);
        if (state_is_dead(next)) continue;
        lives = true;
        if (t->length == MAX_LENGTH) {
            t->too_many = true;
            return;
        }
        t->text[t->length++] = (char)b;
        list_texts(t, next);
        t->length--;
    }
    CHECK(lives || t->too_many); /* no dead ends */
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The texts of the form are exactly `want` (separated by spaces unless `separator` says other). */
static void check_texts(const char *schema, struct forma_style style, const char *want,
                        const char *separator) {
    struct forma_grammar *g = compile(schema, style);
    if (!g) return;
    struct texts t = {.m = grammar_machine(g)};
    list_texts(&t, t.m->start);
    CHECK(!t.too_many);
    char *wanted = strdup(want), *parts[MAX_TEXTS];
    size_t n = 0;
    for (char *p = strtok(wanted, separator); p && n < MAX_TEXTS; p = strtok(NULL, separator))
        parts[n++] = p;
    qsort(parts, n, sizeof *parts, by_text);
    qsort(t.found, t.n, sizeof *t.found, by_text);
    bool ok = CHECK_INT(t.n, n);
    for (size_t i = 0; i < t.n || i < n; i++)
        ok = CHECK_STR(i < t.n ? t.found[i] : "(none)", i < n ? parts[i] : "(none)") && ok;
    if (!ok) fprintf(stderr, "form %s\n", schema);
    for (size_t i = 0; i < t.n; i++) free(t.found[i]);
    free(wanted);
    forma_grammar_free(g);
}

static void test_finite(void) {
    struct forma_style any_keys = compact(), escapes = compact(), pretty = compact();
    struct forma_style zero = compact();
    any_keys.keys = FORMA_KEYS_ANY;
    escapes.escapes = FORMA_ESCAPES_ANY;
    pretty.blanks = zero.blanks = FORMA_BLANKS_PRETTY;
    pretty.pretty_indent = 2;
    check_texts(C6, compact(),
                "{\"stato\":\"aperto\"} {\"stato\":\"chiuso\"} "
                "{\"stato\":\"aperto\",\"priorita\":1} {\"stato\":\"aperto\",\"priorita\":2} "
                "{\"stato\":\"aperto\",\"priorita\":3} {\"stato\":\"aperto\",\"priorita\":4} "
                "{\"stato\":\"aperto\",\"priorita\":5} {\"stato\":\"chiuso\",\"priorita\":1} "
                "{\"stato\":\"chiuso\",\"priorita\":2} {\"stato\":\"chiuso\",\"priorita\":3} "
                "{\"stato\":\"chiuso\",\"priorita\":4} {\"stato\":\"chiuso\",\"priorita\":5}",
                " ");
    check_texts("@two", compact(),
                "{\"a\":null} {\"b\":null} {\"a\":null,\"b\":null} {\"b\":null,\"a\":null}", " ");
    check_texts("@all", compact(),
                "{\"a\":null,\"b\":null,\"c\":null} {\"a\":null,\"c\":null,\"b\":null} "
                "{\"b\":null,\"a\":null,\"c\":null} {\"b\":null,\"c\":null,\"a\":null} "
                "{\"c\":null,\"a\":null,\"b\":null} {\"c\":null,\"b\":null,\"a\":null}",
                " ");
    check_texts("{\"properties\":{\"a\":{\"const\":1},\"b\":{\"const\":2}},\"required\":[\"b\"],"
                "\"additionalProperties\":false,\"type\":\"object\"}",
                any_keys, "{\"b\":2} {\"a\":1,\"b\":2} {\"b\":2,\"a\":1}", " ");
    check_texts("{\"enum\":[1,2.5,\"x\",null,-0.0,1e2,true,[1],{\"k\":[]}]}", compact(),
                "1 2.5 \"x\" null 0 100 true [1] {\"k\":[]}", " ");
    check_texts("{\"const\":{\"b\":[0,{\"c\":null}],\"a\":{}}}", pretty,
                "{\n  \"b\": [\n    0,\n    {\n      \"c\": null\n    }\n  ],\n  \"a\": {}\n}",
                "|");
    check_texts("{\"const\":{\"b\":[0,[]]}}", zero, "{\n\"b\": [\n0,\n[]\n]\n}", "|");
    check_texts(
        "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":{\"type\":"
        "\"boolean\"}}}",
        pretty, "{}|{\n  \"a\": true\n}|{\n  \"a\": false\n}", "|");
    check_texts("{\"const\":\"a\"}", escapes, "\"a\" \"\\u0061\"", " ");
    check_texts("{\"const\":\"a/\"}", compact(), "\"a/\"", " ");
    check_texts("{\"const\":\"/\"}", escapes, "\"/\" \"\\/\" \"\\u002f\" \"\\u002F\"", " ");
    check_texts("{\"const\":\"\\u00e9\"}", escapes, "\"\xC3\xA9\" \"\\u00e9\" \"\\u00E9\"", " ");
    check_texts("{\"const\":\"\\n\\u0001\"}", compact(), "\"\\n\\u0001\"", " ");
    check_texts("{\"const\":\"\\n\"}", escapes, "\"\\n\" \"\\u000a\" \"\\u000A\"", " ");
    check_texts("{\"enum\":[\"\\ud800\\udc00\"]}", escapes,
                "\"\xF0\x90\x80\x80\" \"\\ud800\\udc00\" \"\\uD800\\udc00\" \"\\ud800\\uDC00\" "
                "\"\\uD800\\uDC00\" \"\\ud800\\uDc00\" \"\\ud800\\udC00\" \"\\uD800\\uDc00\" "
                "\"\\uD800\\udC00\"",
                " ");
    check_texts("{\"const\":{\"\\u00e9\":0}}", escapes,
                "{\"\xC3\xA9\":0} {\"\\u00e9\":0} {\"\\u00E9\":0}", " ");
}

/* ---- styles ---------------------------------------------------------------------------------- */

static void check_style(const char *schema, struct forma_style style, const char *const *yes,
                        const char *const *no) {
    struct forma_grammar *g = compile(schema, style);
    if (!g) return;
    for (; *yes; yes++)
        if (!CHECK(accepts(grammar_machine(g), *yes))) fprintf(stderr, "not accepted: %s\n", *yes);
    for (; *no; no++)
        if (!CHECK(!accepts(grammar_machine(g), *no))) fprintf(stderr, "accepted: %s\n", *no);
    forma_grammar_free(g);
}
#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_blanks(void) {
    struct forma_style s = compact();
    char indent_64[100], indent_65[100];
    snprintf(indent_64, sizeof indent_64, "[\n%64s1]", "");
    snprintf(indent_65, sizeof indent_65, "[\n%65s1]", "");
    check_style("true", s, TEXTS("{\"a\":1,\"b\":[1,2]}", "[]", "{}", "[[],{}]", "\" \""),
                TEXTS("{\"a\": 1}", "[ ]", "[1, 2]", " 1", "1 ", "[1\n]", "{ }", "{\"a\" :1}"));
    s.blanks = FORMA_BLANKS_NATURAL;
    check_style("true", s,
                TEXTS("{\"a\": 1, \"b\": [1, 2]}", "{\"a\":1,\"b\":[1,2]}", "{ \"a\": 1 }", "[ 1 ]",
                      "{\n  \"a\": 1,\n  \"b\": [\n    1\n  ]\n}", "{\n\t\"a\": 1\n}", "[1,\n2]",
                      indent_64),
                TEXTS("{\"a\":  1}", "{\"a\" : 1}", "[1 ,2]", " 1", "1 ", "\n1", "1\n", "[\n\n1]",
                      "[  1]", "[1,  2]", "[\r\n1]", "{\"a\":\n1}", "[1\n,2]", indent_65));
    s.blanks = FORMA_BLANKS_ANY;
    check_style("true", s,
                TEXTS(" { \"a\" :\t1\r\n, \"b\" : [ ] } ", "\n\n\n1\n\n", "[1 , 2]", "{\"a\":1}",
                      indent_65),
                TEXTS("tr ue", "1 2", "\v1", "[1\f]", "1\xC2\xA0", "- 1", "\"a\" \"b\""));
    s.blanks = FORMA_BLANKS_PRETTY;
    s.pretty_indent = 2;
    check_style("true", s,
                TEXTS("1", "[]", "{}", "[\n  1,\n  2\n]", "{\n  \"a\": [\n    {}\n  ]\n}"),
                TEXTS("[1]", "[\n  1, 2\n]", "[\n 1\n]", "[\n   1\n]", "[\n  1]", "[\n]",
                      "{\n  \"a\":1\n}", "{\n  \"a\": 1\n  }", "[\n  1\n]\n", "[\n\t1\n]"));
    s.pretty_indent = 16;
    check_style("true", s,
                TEXTS("[\n                [\n                                1\n"
                      "                ]\n]"),
                TEXTS("[\n  1\n]"));
}

static void test_numbers_and_keys(void) {
    struct forma_style s = compact();
    check_style("true", s, TEXTS("0", "-1", "1.5", "-0.25", "100"),
                TEXTS("-0", "1.0", "1e2", "01", ".5", "1.", "+1", "-", "1.50", "0x1", "NaN"));
    s.numbers = FORMA_NUMBERS_ANY;
    check_style("true", s, TEXTS("0", "-0", "1.0", "1e2", "1E+2", "1.50e-07", "-0.0e0"),
                TEXTS("01", ".5", "1.", "+1", "-", "1e", "1e+", "--1", "1e1.5"));
    check_style("{\"const\":1}", s, TEXTS("1", "1.0", "1e0", "10e-1", "0.1E1"),
                TEXTS("-1", "1.1", "1e1", "10"));
    check_style("{\"type\":\"integer\",\"maximum\":20}", s, TEXTS("1.0", "2e1", "-0"),
                TEXTS("1.5", "3e1", "1e-1"));
    const char *two = "{\"properties\":{\"a\":{\"type\":\"null\"},\"b\":{\"type\":\"null\"}},"
                      "\"required\":[\"b\"],\"type\":\"object\"}";
    s = compact();
    check_style(two, s,
                TEXTS("{\"b\":null}", "{\"a\":null,\"b\":null}", "{\"b\":null,\"c\":1,\"d\":2}",
                      "{\"a\":null,\"b\":null,\"z\":1,\"c\":2}"),
                TEXTS("{}", "{\"b\":null,\"a\":null}", "{\"c\":1,\"b\":null}", "{\"a\":null}",
                      "{\"b\":null,\"b\":null}", "{\"b\":null,\"c\":1,\"c\":1}",
                      "{\"b\":null,\"c\":1,\"a\":null}"));
    s.keys = FORMA_KEYS_ANY;
    check_style(
        two, s,
        TEXTS("{\"b\":null}", "{\"b\":null,\"a\":null}", "{\"c\":1,\"b\":null}",
              "{\"x\":1,\"a\":null,\"y\":2,\"b\":null,\"z\":3}"),
        TEXTS("{}", "{\"b\":null,\"b\":null}", "{\"c\":1,\"b\":null,\"c\":1}", "{\"a\":1}"));
    s.escapes = FORMA_ESCAPES_ANY;
    check_style(two, s, TEXTS("{\"\\u0062\":null}", "{\"\\u0063\":1,\"b\":null}"),
                TEXTS("{\"\\u0062\":null,\"b\":null}", "{\"b\":null,\"c\":1,\"\\u0063\":1}",
                      "{\"\\u0062\":1}", "{\"b\":null,\"\\ud800\":1}"));
}

/* Pitfalls of the specification, as prefixes: which live, which are dead. */
static void test_prefixes(void) {
    static const struct {
        const char *schema, *text;
        bool live;
    } cases[] = {
        {"@none", "{", true}, /* b alone is left */
        {"@none", "{\"a\"", false},
        {"@none", "{\"b\":null}", true},
        {"@none", "{\"b\":1", false},
        {"@one", "{\"a\":1,\"b", true}, /* "ba" may come, "b" may not */
        {"@one", "{\"a\":1,\"b\"", false},
        {"@one", "{}", false},
        {"@not", "{\"a\"", false},
        {"@if", "{\"t\":1,\"u\"", false},
        {"@if", "{\"u\":1}", false},
        {"@if", "{\"u\":1,\"t\":n", true},
        {"@if", "{\"u\":1,\"t\":t", false},
        {"@pattern", "{\"a\":1", false},
        {"@pattern", "{\"b\":1}", true},
        {"@pattern", "{\"b\":1,\"a\":\"\",", false},
        {"@pattern", "{\"b\":1,\"", true},
        {"@pattern", "{\"b\":1,\"b", false},
        {"@all", "{\"ab", false},
        {"@all", "{\"c\":null,\"a\":null}", false},
        {"@contains", "[null,true,\"\",1,\"x\"]", true},
        {"@contains", "[null,true,\"\",1]", false},
        {"@contains", "[null,true,\"\",\"\",\"\",\"", false},
        {"{\"type\":\"array\",\"items\":{\"type\":\"null\"},\"maxItems\":1}", "[null,", false},
        {"{\"anyOf\":[{\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"null\"}}},{"
         "\"required\":["
         "\"b\"]}],\"type\":\"object\"}",
         "{\"a\":1", true},
        {"{\"anyOf\":[{\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"null\"}}},{"
         "\"required\":["
         "\"b\"]}],\"type\":\"object\"}",
         "{\"a\":1}", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct forma_grammar *g = compile(cases[i].schema, compact());
        if (!g) continue;
        struct machine *m = grammar_machine(g);
        struct state s = m->start;
        for (const char *p = cases[i].text; *p; p++) s = machine_step(m, s, (unsigned char)*p);
        if (!CHECK_INT(!state_is_dead(s), cases[i].live))
            fprintf(stderr, "%s behind %s\n", cases[i].schema, cases[i].text);
        forma_grammar_free(g);
    }
}

/* ---- walks ----------------------------------------------------------------------------------- */

static const char *const walk_schemas[] = {
    "true",
    C6,
    "{\"type\":\"array\",\"items\":{\"type\":[\"string\",\"null\"]},\"minItems\":2,\"maxItems\":5}",
    "@names",
    "@one",
    "@none",
    "@two",
    "@all",
    "@contains",
    "@not",
    "@if",
    "@pattern",
    "{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"k\":{\"const\":\"x\"},\"v\":{\"type\":"
    "\"integer\"}},\"required\":[\"k\",\"v\"]},{\"type\":\"object\",\"properties\":{\"k\":{"
    "\"const\":"
    "\"y\"},\"w\":{\"type\":\"string\"}},\"required\":[\"k\",\"w\"]}]}",
    "{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":"
    "\"number\"},\"next\":{\"anyOf\":[{\"type\":\"null\"},{\"$ref\":\"#/$defs/"
    "n\"}]}},\"required\":["
    "\"v\",\"next\"]}}}",
    "{\"type\":\"string\",\"pattern\":\"^\\\\d{3}-[a-z]+\\u00e9?$\",\"maxLength\":9}",
    "{\"type\":\"number\",\"multipleOf\":0.25,\"exclusiveMinimum\":-3,\"maximum\":12}",
    "{\"enum\":[\"a\",\"\\u0001\",\"\\ud83d\\ude00\",{\"x\":[1,{\"y\":null}]},[],17]}",
    "{\"type\":\"array\",\"prefixItems\":[{\"const\":1},{\"type\":\"boolean\"}],\"items\":{"
    "\"type\":"
    "\"array\",\"items\":{\"maxLength\":2}},\"minItems\":4}",
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"boolean\"},\"b\":{\"type\":\"object\","
    "\"required\":[\"\\n\",\"/\"]}},\"additionalProperties\":{\"type\":\"integer\"},\"required\":["
    "\"b\",\"z\"]}",
};

enum { N_SCHEMAS = sizeof walk_schemas / sizeof *walk_schemas, COMPLETION = 4096 };

static bool check_state(struct machine *m, struct state s) {
    unsigned char text[COMPLETION];
    char words[512] = "";
    size_t n = m->ops->completion(m, s, text, sizeof text);
    if (!CHECK(n <= sizeof text)) return false;
    struct state at = s;
    for (size_t i = 0; i < n; i++) at = machine_step(m, at, text[i]);
    bool ok = CHECK(m->ops->accepts(m, at)) && CHECK(n > 0 || m->ops->accepts(m, s));
    m->ops->describe(m, s, words, sizeof words);
    ok &= CHECK(strlen(words) > 0 && strlen(words) < sizeof words);
    for (size_t capacity = 1; capacity < 12 && ok; capacity += 5) { /* cut, terminated */
        char few[12];
        memset(few, '#', sizeof few);
        m->ops->describe(m, s, few, capacity);
        ok &= CHECK(memchr(few, 0, capacity) != NULL) && CHECK_INT(few[capacity], '#') &&
              CHECK(strncmp(few, words, strlen(few)) == 0);
    }
    if (n > 1) ok &= CHECK_INT(m->ops->completion(m, s, text, n - 1), SIZE_MAX);
    return ok && CHECK(!m->failed);
}

enum { WALK = 240 };

/* Bytes at random, structure more often than the insides of strings; `deep`: opening brackets
 * most of all. */
static bool walk(struct machine *m, uint64_t *random, char *text, size_t capacity, bool deep) {
    struct state states[WALK + 1];
    const char *wanted = deep ? "{[:\"," : "\"{}[]:,";
    size_t n = 0;
    states[0] = m->start;
    text[0] = 0;
    if (!check_state(m, states[0])) return false;
    while (n < WALK && n + 1 < capacity) {
        unsigned char live[256];
        unsigned n_live = 0;
        for (unsigned b = 0; b < 256; b++)
            if (!state_is_dead(machine_step(m, states[n], (unsigned char)b)))
                live[n_live++] = (unsigned char)b;
        if (!CHECK(n_live > 0 || m->ops->accepts(m, states[n]))) return false;
        if (!n_live) break;
        unsigned char b = live[test_below(random, n_live)];
        for (int tries = 0; tries < 3 + 5 * deep && !strchr(wanted, b); tries++)
            b = live[test_below(random, n_live)];
        states[n + 1] = machine_step(m, states[n], b);
        text[n++] = (char)b;
        text[n] = 0;
        if (!check_state(m, states[n])) return false;
    }
    for (size_t i = 0; i < n; i++) /* what was made since has changed nothing */
        if (!CHECK(state_equal(machine_step(m, states[i], (unsigned char)text[i]), states[i + 1])))
            return false;
    return true;
}

static void test_walks(uint64_t seed) {
    uint64_t random = seed;
    for (size_t i = 0; i < N_SCHEMAS; i++)
        for (unsigned style = 0; style < 32; style++) {
            struct forma_style s = {.keys = style & 1 ? FORMA_KEYS_ANY : FORMA_KEYS_SCHEMA,
                                    .blanks = (enum forma_blanks)(style >> 1 & 3),
                                    .pretty_indent = test_below(&random, 5),
                                    .numbers = style & 8 ? FORMA_NUMBERS_ANY : FORMA_NUMBERS_PLAIN,
                                    .escapes =
                                        style & 16 ? FORMA_ESCAPES_ANY : FORMA_ESCAPES_MINIMAL};
            struct forma_grammar *g = compile(walk_schemas[i], s);
            if (!g) continue;
            for (int round = 0; round < 3; round++) {
                char text[65];
                bool ok = walk(grammar_machine(g), &random, text, sizeof text, false);
                if (ok && CHECK(!grammar_machine(g)->narrowed)) continue;
                fprintf(stderr, "schema %s\nstyle %u, seed %llu, behind %s\n", walk_schemas[i],
                        style, (unsigned long long)seed, text);
                break;
            }
            forma_grammar_free(g);
        }
}

/* ---- long outputs ---------------------------------------------------------------------------- */

struct output {
    struct forma_grammar *g;
    struct forma_vocabulary *v;
    struct forma_matcher *m;
    int32_t *mask;
    size_t words;
};

static bool open_output(struct output *o, const char *schema, struct forma_style style,
                        size_t cache_bytes) {
    struct forma_matcher_options mo;
    forma_matcher_options_init(&mo);
    mo.mask_cache_bytes = cache_bytes;
    o->g = compile(schema, style);
    o->v = vocabulary_of_bytes(NULL);
    o->m = o->g && o->v ? forma_matcher_new(o->g, o->v, &mo, NULL) : NULL;
    if (!CHECK(o->m != NULL)) return false;
    o->words = forma_matcher_mask_words(o->m);
    o->mask = calloc(o->words, 4);
    return o->mask != NULL;
}

static void close_output(struct output *o) {
    free(o->mask);
    forma_matcher_free(o->m);
    forma_vocabulary_free(o->v);
    forma_grammar_free(o->g);
}

/* Tokens one by one, a mask before each. */
static bool feed(struct output *o, const char *text) {
    for (; *text; text++) {
        unsigned char b = (unsigned char)*text;
        if (forma_matcher_mask(o->m, o->mask, o->words, NULL) != FORMA_OK ||
            !mask_test((const uint32_t *)(void *)o->mask, b) ||
            forma_matcher_accept(o->m, b, NULL) != FORMA_OK)
            return test_result(false);
    }
    return true;
}

/* 20,000 items, each with its own content: after the first hundred nothing grows. */
static void test_long_array(size_t cache_bytes) {
    struct output o;
    char item[100];
    size_t early = 0;
    if (!open_output(
            &o,
            "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"id\":{"
            "\"type\":\"integer\"},\"name\":{\"type\":\"string\"},\"on\":{\"type\":"
            "\"boolean\"}},\"required\":[\"id\",\"name\"],\"additionalProperties\":false}}",
            compact(), cache_bytes))
        return;
    bool ok = feed(&o, "[");
    for (int i = 0; i < 20000 && ok; i++) {
        if (i == 100) early = forma_grammar_memory(o.g);
        snprintf(item, sizeof item, "%s{\"id\":%d,\"name\":\"n%d\\n\"%s}", i ? "," : "",
                 i * 7919 % 100000, i, i % 2 ? ",\"on\":true" : "");
        /* a few items token by token, the others at once: the masks do not change */
        ok = i % 200 == 0 ? feed(&o, item)
                          : CHECK_INT(forma_matcher_accept_bytes(o.m, (const unsigned char *)item,
                                                                 strlen(item), NULL),
                                      FORMA_OK);
    }
    ok = ok && feed(&o, "]");
    CHECK(ok && forma_matcher_accepts_end(o.m) && !forma_matcher_narrowed(o.m));
    CHECK_INT(forma_grammar_memory(o.g), early);
    close_output(&o);
}

/* Arrays with counts remember how many items there are, and nothing else. */
static void test_counted_array(void) {
    struct output o;
    if (!open_output(&o, "{\"type\":\"array\",\"minItems\":3000,\"items\":{\"type\":\"integer\"}}",
                     compact(), (size_t)1 << 20))
        return;
    bool ok = feed(&o, "[");
    size_t early = forma_grammar_memory(o.g), at_end = 0;
    for (int i = 0; i < 6000 && ok; i++) {
        char item[16];
        if (i == 3100) at_end = forma_grammar_memory(o.g);
        snprintf(item, sizeof item, "%s%d", i ? "," : "", i % 1000);
        ok = feed(&o, item);
    }
    CHECK(ok);
    CHECK(at_end - early < 3100 * 2100u);
    CHECK_INT(forma_grammar_memory(o.g), at_end);
    close_output(&o);
}

/* 2,000 undeclared names: each costs its own text and a frame, not the object's length. */
static void test_long_object(enum forma_keys keys) {
    struct forma_style style = compact();
    struct output o;
    size_t early = 0, middle = 0;
    enum { N = 2000 };
    style.keys = keys;
    if (!open_output(&o,
                     "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"null\"}},"
                     "\"additionalProperties\":{\"type\":\"integer\"}}",
                     style, (size_t)1 << 20))
        return;
    bool ok = feed(&o, "{");
    for (int i = 0; i < N && ok; i++) {
        char member[32];
        if (i == 1) early = forma_grammar_memory(o.g);
        if (i == N / 2) middle = forma_grammar_memory(o.g);
        snprintf(member, sizeof member, "%s\"k%d\":%d", i ? "," : "", i, i % 10);
        ok = feed(&o, member);
    }
    size_t late = forma_grammar_memory(o.g);
    CHECK(ok);
    if (getenv("VERBOSE"))
        printf("%zu bytes a member in the first half, %zu in the second\n",
               (middle - early) / (N / 2), (late - middle) / (N / 2));
    CHECK((late - early) / N < 16000);
    CHECK(late - middle < 3 * (middle - early)); /* linear, but for tables that double */
    for (int i = 0; i < N && ok; i++) {          /* and none of them may come again */
        char member[32];
        int length = snprintf(member, sizeof member, ",\"k%d\"", i);
        struct forma_error err;
        ok = CHECK_INT(forma_matcher_accept_bytes(o.m, (const unsigned char *)member,
                                                  (size_t)length, &err),
                       FORMA_EREFUSED) &&
             CHECK_INT(err.offset, length - 1);
    }
    unsigned char text[64];
    ok = ok && feed(&o, ",\"k");
    size_t n = forma_matcher_completion(o.m, text, sizeof text);
    CHECK(n <= sizeof text);
    CHECK_INT(forma_matcher_accept_bytes(o.m, text, n, NULL), FORMA_OK);
    CHECK(forma_matcher_accepts_end(o.m));
    close_output(&o);
}

/* Steps taken back, again and again: nothing is left behind, and the masks are the same. */
static void test_rollback(void) {
    struct output o;
    if (!open_output(&o, C6, compact(), 0)) return;
    const char *text = "{\"stato\":\"chiuso\",\"priorita\":3}";
    uint32_t before[9], after[9];
    size_t memory = 0;
    bool ok = CHECK(o.words <= 9);
    for (int round = 0; round < 200 && ok; round++) {
        if (round == 2) memory = forma_grammar_memory(o.g);
        ok = feed(&o, "{\"stato\"");
        forma_matcher_mask(o.m, o.mask, o.words, NULL);
        memcpy(before, o.mask, o.words * 4);
        struct state at = matcher_state(o.m);
        ok = ok && feed(&o, text + 8) && CHECK(forma_matcher_is_finished(o.m));
        ok = ok && CHECK_INT(forma_matcher_rollback(o.m, strlen(text) - 8, NULL), FORMA_OK);
        forma_matcher_mask(o.m, o.mask, o.words, NULL);
        memcpy(after, o.mask, o.words * 4);
        ok = ok && CHECK(memcmp(before, after, o.words * 4) == 0) &&
             CHECK(state_equal(at, matcher_state(o.m)));
        ok = ok && CHECK_INT(forma_matcher_rollback(o.m, 8, NULL), FORMA_OK);
    }
    CHECK_INT(forma_grammar_memory(o.g), memory);
    close_output(&o);
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* With little work to spend the form is narrower, never wider, and never a dead end. */
static void test_narrowed(uint64_t seed) {
    uint64_t random = seed;
    long narrowed = 0, finished = 0;
    struct forma_vocabulary *v = vocabulary_of_bytes(NULL);
    for (size_t i = 0; i < N_SCHEMAS; i++)
        for (size_t work = 1; work < 40; work += 1 + work / 4) {
            struct forma_options o;
            struct forma_error err;
            forma_options_init(&o);
            o.style = compact();
            o.max_work = work;
            struct forma_grammar *g = form_with(walk_schemas[i], &o, &err);
            if (!g) {
                CHECK_INT(err.status, FORMA_ELIMIT);
                continue;
            }
            struct forma_grammar *full = compile(walk_schemas[i], compact());
            for (int round = 0; round < 4 && full; round++) {
                struct forma_matcher *m = forma_matcher_new(g, v, NULL, NULL);
                struct forma_matcher *judge = forma_matcher_new(full, NULL, NULL, NULL);
                uint32_t mask[9];
                bool ok = CHECK(m && judge);
                unsigned char plan[COMPLETION];
                size_t n_plan = 0, at = 0;
                for (int step = 0; step < 300 && ok && !forma_matcher_is_finished(m); step++) {
                    ok = CHECK_INT(forma_matcher_mask(m, (int32_t *)(void *)mask, 9, &err),
                                   FORMA_OK);
                    narrowed += forma_matcher_narrowed(m);
                    ok = ok && CHECK(!mask_is_empty(mask, 9));
                    if (step == 30) { /* free steps are over: to the end */
                        n_plan = forma_matcher_completion(m, plan, sizeof plan);
                        ok = ok && CHECK(n_plan <= sizeof plan);
                    }
                    uint32_t token;
                    if (step >= 30) {
                        if (at >= n_plan) break;
                        token = plan[at++];
                    } else {
                        do token = test_below(&random, 256);
                        while (!mask_test(mask, token) && !mask_test(mask, 256));
                        if (!mask_test(mask, token)) break;
                    }
                    unsigned char b = (unsigned char)token;
                    ok = ok && CHECK_INT(forma_matcher_accept(m, token, NULL), FORMA_OK) &&
                         CHECK_INT(forma_matcher_accept_bytes(judge, &b, 1, NULL), FORMA_OK);
                }
                ok = ok && CHECK(forma_matcher_accepts_end(m)) &&
                     CHECK(forma_matcher_accepts_end(judge));
                finished += ok;
                if (!ok) {
                    char words[200];
                    forma_matcher_describe(m, words, sizeof words);
                    fprintf(stderr, "schema %s, work %zu: %s\n", walk_schemas[i], work, words);
                }
                forma_matcher_free(m);
                forma_matcher_free(judge);
            }
            forma_grammar_free(full);
            forma_grammar_free(g);
        }
    CHECK(narrowed > 10 && finished > 100);
    if (getenv("VERBOSE")) printf("narrowed masks %ld, finished %ld\n", narrowed, finished);
    forma_vocabulary_free(v);
}

static void test_nesting(void) {
    struct forma_options o;
    forma_options_init(&o);
    o.style = compact();
    o.max_nesting = 3;
    struct forma_grammar *g = forma_grammar_from_json_schema("true", 4, NULL, &o, NULL);
    if (!CHECK(g != NULL)) return;
    struct machine *m = grammar_machine(g);
    CHECK(accepts(m, "[[[1]]]") && accepts(m, "{\"a\":[{}]}") && accepts(m, "[[[]],[[]]]"));
    CHECK(!m->narrowed);
    CHECK(!accepts(m, "[[[[]]]]"));
    CHECK_INT(m->narrowed, FORMA_LIMIT_NESTING);
    m->narrowed = 0;
    CHECK(!accepts(m, "[{\"a\":[{}]}]"));
    CHECK_INT(m->narrowed, FORMA_LIMIT_NESTING);
    forma_grammar_free(g);
}

#define MEMBERS_ARE_ARRAYS                                                                         \
    "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"array\",\"minItems\":1,"            \
    "\"items\":{\"type\":[\"object\",\"array\"]}},\"required\":[\"a\"]}"

/* At the limit too every live state has a known completion, also where values need others inside. */
static void test_nesting_walks(uint64_t seed) {
    static const char *const forms[] = {
        "true",
        "{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"type\":\"object\",\"properties\":{\"v\":{"
        "\"type\":\"array\",\"minItems\":1},\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":"
        "\"#/$defs/n\"}}},\"required\":[\"kids\"]}}}",
        "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/a\"},\"$defs\":{\"a\":{\"anyOf\":[{"
        "\"properties\":{\"k\":{\"enum\":[1,12]},\"r\":{\"$ref\":\"#/$defs/a\"}},\"required\":["
        "\"k\",\"r\"]},{\"properties\":{\"k\":{\"enum\":[2,13]},\"s\":{\"type\":\"array\","
        "\"minItems"
        "\":2,\"items\":{\"type\":\"array\"}}},\"required\":[\"k\",\"s\"]},{\"type\":\"null\"}],"
        "\"type\":[\"object\",\"null\"]}}}",
        MEMBERS_ARE_ARRAYS,
        "@contains",
    };
    uint64_t random = seed;
    long narrowed = 0, refused = 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (size_t nesting = 1; nesting < 14; nesting++)
            for (int keys = 0; keys < 2; keys++) {
                struct forma_options o;
                struct forma_error err;
                forma_options_init(&o);
                o.style = compact();
                o.style.keys = keys ? FORMA_KEYS_ANY : FORMA_KEYS_SCHEMA;
                o.max_nesting = nesting;
                struct forma_grammar *g = form_with(forms[i], &o, &err);
                if (!g) {
                    CHECK_INT(err.status, FORMA_ELIMIT);
                    refused++;
                    continue;
                }
                for (int round = 0; round < 3; round++) {
                    char text[241];
                    struct machine *m = grammar_machine(g);
                    bool ok = walk(m, &random, text, sizeof text, true);
                    narrowed += m->narrowed;
                    m->narrowed = 0;
                    if (ok) continue;
                    fprintf(stderr, "%s\nnesting %zu, behind %s\n", forms[i], nesting, text);
                    break;
                }
                forma_grammar_free(g);
            }
    CHECK(narrowed > 20 && refused > 10);
    if (getenv("VERBOSE")) printf("nesting: %ld narrowed walks, %ld refused\n", narrowed, refused);
}

int main(void) {
    test_finite();
    test_blanks();
    test_numbers_and_keys();
    test_prefixes();
    test_walks(2024);
    test_long_array(0);
    test_long_array((size_t)1 << 20);
    test_counted_array();
    test_long_object(FORMA_KEYS_SCHEMA);
    test_long_object(FORMA_KEYS_ANY);
    test_rollback();
    test_narrowed(77);
    test_nesting();
    test_nesting_walks(5);
    return test_done("JSON machine");
}
