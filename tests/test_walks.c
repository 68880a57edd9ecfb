/* SPDX-License-Identifier: MIT
 *
 * Walks over masks in schemas whose strings and keys have rules of every kind, each mask compared
 * with its definition: what decides them without a walk of the whole vocabulary must not be seen.
 *
 *     test_walks [SEED]
 */
#include "tests/lib_vocabulary.h"
#include "tests/lib_walk.h"
#include "tests/test.h"

enum { TOKENS = 40, WALKS = 5, MAX_PLAN = 1 << 16 };

/* Rules of a string; each stands alone, and names the keys of an object. */
static const char *const rules[] = {
    "{\"pattern\": \"^([a-z][0-9])+$\", \"minLength\": 40}",
    "{\"pattern\": \"^([a-z][0-9]|..a)*$\", \"minLength\": 12, \"maxLength\": 31}",
    "{\"pattern\": \"^([a-z]{2}[0-9A-Z]{3}){2,4}$\"}",
    "{\"pattern\": \"^\\\\S+( \\\\S+)*$\", \"maxLength\": 9}",
    "{\"pattern\": \"e.e\", \"not\": {\"pattern\": \"the\"}, \"minLength\": 7}",
    "{\"pattern\": \"^[\\\\w-]*[*]?$\"}",
    "{\"pattern\": \"^(a|the )*(b[0-9]*|[.])?c?$\"}",
    "{\"maxLength\": 5}",
    "{\"minLength\": 30}",
    "{\"enum\": [\"name\", \"value\", \"items\", \"Hello\", \"the\", \"a\\\"b\"]}",
    "{\"not\": {\"enum\": [\"name\", \"the\", \"Hello\"]}, \"maxLength\": 8}",
    "{\"format\": \"date-time\"}",
    "{\"format\": \"email\", \"maxLength\": 12}",
    "{\"format\": \"uri\"}",
    "{\"anyOf\": [{\"pattern\": \"^[a-z]*$\", \"minLength\": 9}, {\"pattern\": \"^[0-9]*$\"}]}",
    "{\"pattern\": \"^[\\\\u00e0-\\\\u00ff\\\\u4e00-\\\\u9fff]{3,}$\"}",
};
enum { RULES = sizeof rules / sizeof *rules };

static void walk_form(const struct walker *walker, const char *schema, bool exact, uint64_t seed) {
    struct forma_options options;
    struct forma_error err = {0};
    struct walk walk = {0};
    forma_options_init(&options);
    if (exact) options.style = forma_style_exact();
    struct forma_grammar *g =
        forma_grammar_from_json_schema(schema, strlen(schema), walker->v, &options, &err);
    struct forma_matcher *m = g ? forma_matcher_new(g, walker->v, NULL, &err) : NULL;
    if (!CHECK(m != NULL)) fprintf(stderr, "  %s: %s\n", schema, err.message);
    for (unsigned i = 0; i < WALKS && m; i++) {
        uint64_t random = seed + i;
        struct walk_policy policy = walk_policy(i, &random);
        struct walk_how how = {.policy = &policy,
                               .seed = random,
                               .tokens = TOKENS,
                               .plan_bytes = MAX_PLAN,
                               .follow_masks = TOKENS,
                               .shake = true,
                               .slow_every = 1,
                               .plans_every = 6};
        walk_run(&walk, walker, m, &how);
        if (!CHECK(walk.fault == NULL))
            fprintf(stderr, "  seed %llu, %s, exact %d: %s: %s\n  %.*s\n", (unsigned long long)seed,
                    policy.name, exact, schema, walk.fault, (int)walk.length, walk.text);
    }
    walk_destroy(&walk);
    forma_matcher_free(m);
    forma_grammar_free(g);
}

static void check_vocabulary(struct forma_vocabulary *v, uint64_t seed) {
    struct walker *walker = v ? walker_new(v) : NULL;
    char schema[1024];
    if (!CHECK(walker != NULL)) return;
    for (unsigned i = 0; i < RULES; i++) {
        snprintf(schema, sizeof schema, "{\"type\": \"string\", \"allOf\": [%s]}", rules[i]);
        walk_form(walker, schema, i % 2, seed);
        snprintf(schema, sizeof schema,
                 "{\"type\": \"array\", \"uniqueItems\": true, \"items\": %s}", rules[i]);
        walk_form(walker, schema, i % 2, seed);
        snprintf(schema, sizeof schema,
                 "{\"type\": \"object\", \"propertyNames\": %s, \"minProperties\": 2, "
                 "\"properties\": {\"name\": {}, \"a1b2\": {\"type\": \"null\"}}, "
                 "\"additionalProperties\": %s}",
                 rules[i], rules[(i + 1) % RULES]);
        walk_form(walker, schema, i % 3 == 0, seed);
    }
    walker_free(walker);
    forma_vocabulary_free(v);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    printf("seed %llu\n", (unsigned long long)seed);
    check_vocabulary(vocabulary_of_bytes(NULL), seed);
    check_vocabulary(vocabulary_random(seed, 3000), seed + 1);
    return test_done("walks");
}
