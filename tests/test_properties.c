/* SPDX-License-Identifier: MIT
 *
 * What must always hold, on random schemas and random walks over whole vocabularies. At every
 * state of a walk: the mask equals its definition (each token's bytes stepped), with the mask
 * cache and without; some token is allowed, an end token iff the text may end; the known
 * completion is accepted to its end; what is taken back comes back.
 *
 *     test_properties [--all | --scale N] [--seed N] [--dump FILE]
 *     test_properties [--seed N] --schemas N
 *     test_properties [--seed N] --instances FILE
 *
 * --dump writes finished texts as JSON lines {"schema", "text"}, for an independent validator
 * (scripts/check_instances.py). --schemas prints random schemas. --instances reads JSON lines
 * {"schema", "text", "valid"} from scripts/make_instances.py: under the exact style a text is
 * accepted iff it is valid, by bytes and by tokens, however it is cut into these. Without it
 * fixtures/instances.jsonl is read, then come the walks.
 */
#include <cjson/cJSON.h>

#include "tests/lib_random_schema.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"
#include "tokenmask/mask.h"
#include "tokenmask/matcher.h"

#define MODEL     "models/SmolLM2-135M-Instruct.Q4_1.gguf"
#define LLAMA_XZ  "../shared/data/tokenizers/llama3_1.tokenizer.json.xz"
#define LLAMA     "build/llama3_1.tokenizer.json"
#define INSTANCES "fixtures/instances.jsonl"
#define MAX_STEPS 400 /* of a walk that follows completions: then it counts as unfinished */

enum { COMPLETION = 1 << 16 };

/* One walk's trail, to compare with after a rollback. */
struct trail {
    struct state states[MAX_STEPS + 1];
    uint64_t masks[MAX_STEPS + 1]; /* hashes */
    unsigned char text[1 << 17];
    size_t text_length;
    /* The completion that was known when the free steps were used up: it ends the walk. */
    unsigned char plan[COMPLETION];
    size_t plan_length;
};

struct run {
    const struct forma_vocabulary *v;
    size_t words;
    uint32_t *mask, *other, *slow;
    unsigned char *completion; /* COMPLETION bytes */
    uint64_t random;
    FILE *dump;
    const char *schema;
    const struct trail *trail; /* of the last walk */
    long states, narrowed, finished, unfinished, empty_forms;
};

static uint64_t hash_row(const uint32_t *row, size_t words) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < words; i++) h = (h ^ row[i]) * 1099511628211u;
    return h;
}

static bool check_mask(struct run *r, struct forma_matcher *m, struct forma_matcher *uncached) {
    struct forma_error err = {0};
    bool ok = CHECK_INT(forma_matcher_mask(m, (int32_t *)r->mask, r->words, &err), FORMA_OK);
    if (!ok) fprintf(stderr, "%s %s\n", err.pointer, err.message);
    r->narrowed += forma_matcher_narrowed(m);
    ok &= CHECK_INT(forma_matcher_mask(uncached, (int32_t *)r->other, r->words, NULL), FORMA_OK);
    matcher_mask_slow(m, r->slow, r->words);
    ok &= CHECK(memcmp(r->mask, r->slow, r->words * 4) == 0);
    ok &= CHECK(memcmp(r->mask, r->other, r->words * 4) == 0);
    bool may_end = forma_matcher_accepts_end(m);
    for (size_t i = 0; i < r->v->n_eos; i++)
        ok &= CHECK_INT(mask_test(r->mask, r->v->eos[i]), may_end);
    ok &= CHECK(!mask_is_empty(r->mask, r->words) || may_end);
    return ok;
}

/* The completion is accepted, the text may end behind it, and taking it back leaves no trace. */
static bool check_completion(struct run *r, struct forma_matcher *m, size_t *length) {
    struct state before = matcher_state(m);
    *length = forma_matcher_completion(m, r->completion, COMPLETION);
    if (!CHECK(*length <= COMPLETION)) return false; /* these schemas ask for no long texts */
    if (*length == 0) return CHECK(forma_matcher_accepts_end(m));
    bool ok = CHECK_INT(forma_matcher_accept_bytes(m, r->completion, *length, NULL), FORMA_OK);
    ok = ok && CHECK(forma_matcher_accepts_end(m));
    ok = ok && CHECK_INT(forma_matcher_rollback(m, 1, NULL), FORMA_OK);
    return ok && CHECK(state_equal(before, matcher_state(m)));
}

/* The longest token along a text. At its end: an end token. UINT32_MAX: there is none. */
static uint32_t token_along(const struct run *r, const unsigned char *text, size_t length) {
    uint32_t id = UINT32_MAX;
    if (length == 0) return r->v->n_eos ? r->v->eos[0] : id;
    for (size_t n = 1; n <= length && n <= r->v->trie.max_depth; n++) {
        const struct trie_node *node = trie_find(&r->v->trie, text, n);
        if (!node) break;
        if (node[1].first > node->first) id = r->v->trie.ids[node->first];
    }
    return id;
}

static uint32_t random_token(struct run *r) {
    size_t n = mask_count(r->mask, r->words);
    if (n == 0) return UINT32_MAX;
    uint32_t nth = test_below(&r->random, (uint32_t)n);
    for (size_t w = 0;; w++) {
        uint32_t bits = (uint32_t)__builtin_popcount(r->mask[w]);
        if (nth >= bits) {
            nth -= bits;
            continue;
        }
        for (uint32_t b = 0;; b++)
            if (r->mask[w] >> b & 1 && nth-- == 0) return (uint32_t)w * 32 + b;
    }
}

static void put_json_string(FILE *out, const unsigned char *text, size_t length) {
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            fprintf(out, "\\%c", text[i]);
        else if (text[i] < 0x20)
            fprintf(out, "\\u%04x", text[i]);
        else
            fputc(text[i], out);
    }
    fputc('"', out);
}

static void finish_walk(struct run *r, const struct trail *t, bool finished) {
    r->finished += finished;
    r->unfinished += !finished;
    if (!finished || !r->dump) return;
    fputs("{\"schema\": ", r->dump);
    put_json_string(r->dump, (const unsigned char *)r->schema, strlen(r->schema));
    fputs(", \"text\": ", r->dump);
    put_json_string(r->dump, t->text, t->text_length);
    fputs("}\n", r->dump);
}

/* Takes back some steps, compares with the trail, and goes on from there or forward again. */
static bool check_rollback(struct run *r, struct forma_matcher *m, struct forma_matcher *uncached,
                           const struct trail *t, const uint32_t *ids, int steps) {
    int back = 1 + (int)test_below(&r->random, (uint32_t)(steps < 6 ? steps : 6));
    int at = steps - back;
    bool ok = CHECK_INT(forma_matcher_rollback(m, (size_t)back, NULL), FORMA_OK);
    ok &= CHECK_INT(forma_matcher_rollback(uncached, (size_t)back, NULL), FORMA_OK);
    ok &= CHECK(state_equal(matcher_state(m), t->states[at]));
    ok &= CHECK_INT(forma_matcher_mask(m, (int32_t *)r->other, r->words, NULL), FORMA_OK);
    ok &= CHECK(hash_row(r->other, r->words) == t->masks[at]);
    ok &= CHECK_INT(forma_matcher_mask(uncached, (int32_t *)r->other, r->words, NULL), FORMA_OK);
    ok &= CHECK(hash_row(r->other, r->words) == t->masks[at]);
    for (int i = at; i < steps; i++) {
        ok &= CHECK_INT(forma_matcher_accept(m, ids[i], NULL), FORMA_OK);
        ok &= CHECK_INT(forma_matcher_accept(uncached, ids[i], NULL), FORMA_OK);
    }
    return ok;
}

/* False: something failed. `free_steps` random tokens, then the known completion to its end. */
static bool walk(struct run *r, struct forma_matcher *m, struct forma_matcher *uncached,
                 int free_steps) {
    static struct trail t;
    static uint32_t ids[MAX_STEPS];
    r->trail = &t;
    t.text_length = 0;
    size_t planned = 0; /* bytes of the plan that are written */
    forma_matcher_reset(m);
    forma_matcher_reset(uncached);
    for (int step = 0; step < MAX_STEPS; step++) {
        size_t completion, length;
        t.states[step] = matcher_state(m);
        r->states++;
        if (!check_mask(r, m, uncached) || !check_completion(r, m, &completion)) return false;
        t.masks[step] = hash_row(r->mask, r->words);
        if (step == free_steps) {
            memcpy(t.plan, r->completion, completion);
            t.plan_length = completion;
        }
        uint32_t id = step >= free_steps ? token_along(r, t.plan + planned, t.plan_length - planned)
                      : test_below(&r->random, 100) < 15 ? token_along(r, r->completion, completion)
                                                         : random_token(r);
        if (id == UINT32_MAX) return CHECK(r->v->n_eos == 0 && completion == 0);
        if (!CHECK_INT(forma_matcher_accept(m, id, NULL), FORMA_OK)) return false;
        if (!CHECK_INT(forma_matcher_accept(uncached, id, NULL), FORMA_OK)) return false;
        ids[step] = id;
        if (forma_vocabulary_is_eos(r->v, id)) {
            CHECK(forma_matcher_is_finished(m));
            finish_walk(r, &t, true);
            return check_rollback(r, m, uncached, &t, ids, step + 1);
        }
        const unsigned char *bytes = forma_vocabulary_bytes(r->v, id, &length);
        if (t.text_length + length > sizeof t.text) break;
        memcpy(t.text + t.text_length, bytes, length);
        t.text_length += length;
        if (step >= free_steps) planned += length;
        if (test_below(&r->random, 8) == 0 && !check_rollback(r, m, uncached, &t, ids, step + 1))
            return false;
    }
    finish_walk(r, &t, false);
    return true;
}

static void random_style(uint64_t *random, struct forma_style *style) {
    switch (test_below(random, 4)) {
    case 0: *style = forma_style_exact(); break;
    case 1:
        style->keys = test_below(random, 2) ? FORMA_KEYS_SCHEMA : FORMA_KEYS_ANY;
        style->blanks = (enum forma_blanks)test_below(random, 4);
        style->pretty_indent = test_below(random, 5);
        style->numbers = test_below(random, 2) ? FORMA_NUMBERS_PLAIN : FORMA_NUMBERS_ANY;
        style->escapes = test_below(random, 2) ? FORMA_ESCAPES_MINIMAL : FORMA_ESCAPES_ANY;
        break;
    default: break; /* the defaults of generation */
    }
}

/* Where and in what a check failed. */
static void explain(const struct run *r, struct forma_matcher *m, uint64_t seed,
                    const struct forma_style *style) {
    char expected[300];
    forma_matcher_describe(m, expected, sizeof expected);
    fprintf(stderr, "seed %llu, keys %d, blanks %d (%u), numbers %d, escapes %d, %zu tokens\n",
            (unsigned long long)seed, (int)style->keys, (int)style->blanks, style->pretty_indent,
            (int)style->numbers, (int)style->escapes, r->v->n_tokens);
    fprintf(stderr, "  schema %s\n  text ", r->schema);
    put_json_string(stderr, r->trail->text, r->trail->text_length);
    fprintf(stderr, "\n  expected here: %s\n", expected);
}

/* Two walks in one random form. False where the form has no value (or a limit refused it). */
static bool check_form(struct run *r, uint64_t seed, int free_steps) {
    static char schema[1 << 16];
    struct forma_error err = {0};
    struct forma_options options;
    uint64_t random = seed;
    size_t length = random_schema(&random, schema, sizeof schema);
    if (length == 0) return false;
    forma_options_init(&options);
    random_style(&random, &options.style);
    r->schema = schema;
    r->random = random;
    struct forma_grammar *g = forma_grammar_from_json_schema(schema, length, r->v, &options, &err);
    if (!g) {
        bool known = err.status == FORMA_EUNSAT || err.status == FORMA_ELIMIT;
        if (!CHECK(known))
            fprintf(stderr, "seed %llu: %s: %s: %s\n", (unsigned long long)seed, err.pointer,
                    err.message, schema);
        r->empty_forms++;
        return false;
    }
    struct forma_matcher_options with, without;
    forma_matcher_options_init(&with);
    forma_matcher_options_init(&without);
    with.mask_cache_bytes = 40 * r->words * 4; /* small: flushes too */
    without.mask_cache_bytes = 0;
    struct forma_matcher *m = forma_matcher_new(g, r->v, &with, &err);
    struct forma_matcher *uncached = forma_matcher_new(g, r->v, &without, &err);
    if (CHECK(m && uncached) &&
        !(walk(r, m, uncached, free_steps) && walk(r, m, uncached, free_steps)))
        explain(r, m, seed, &options.style);
    forma_matcher_free(m);
    forma_matcher_free(uncached);
    forma_grammar_free(g);
    return true;
}

static void check_vocabulary(const char *name, struct forma_vocabulary *v, uint64_t seed, int walks,
                             int free_steps, FILE *dump) {
    if (!CHECK(v != NULL)) {
        fprintf(stderr, "%s: no vocabulary\n", name);
        return;
    }
    struct run r = {.v = v, .words = mask_words(v->n_tokens), .dump = dump};
    r.mask = malloc(r.words * 4);
    r.other = malloc(r.words * 4);
    r.slow = malloc(r.words * 4);
    r.completion = malloc(COMPLETION);
    if (CHECK(r.mask && r.other && r.slow && r.completion))
        for (int done = 0; done < walks && r.empty_forms < 10 * walks; seed++)
            done += check_form(&r, seed, free_steps) ? 2 : 0;
    printf("%s: %ld walks finished, %ld cut, %ld states, %ld narrowed, %ld forms without value\n",
           name, r.finished, r.unfinished, r.states, r.narrowed, r.empty_forms);
    CHECK(r.finished > 0);
    free(r.mask);
    free(r.other);
    free(r.slow);
    free(r.completion);
    forma_vocabulary_free(v);
}

static bool exists(const char *path) {
    FILE *f = fopen(path, "rb");
    if (f) fclose(f);
    return f != NULL;
}

/* The Llama 3.1 vocabulary, unpacked once; NULL where it is not at hand. */
static struct forma_vocabulary *open_llama(void) {
    if (!exists(LLAMA)) {
        if (!exists(LLAMA_XZ)) return NULL;
        if (system("mkdir -p build && xz -dc " LLAMA_XZ " > " LLAMA ".part && mv " LLAMA
                   ".part " LLAMA) != 0)
            return NULL;
    }
    return forma_vocabulary_open(LLAMA, NULL, NULL);
}

static void check_properties(uint64_t seed, int scale, FILE *dump) {
    printf("seed %llu\n", (unsigned long long)seed);
    check_vocabulary("bytes", vocabulary_of_bytes(NULL), seed, 20 * scale, 60, dump);
    if (exists(MODEL))
        check_vocabulary("SmolLM2", forma_vocabulary_open(MODEL, NULL, NULL), seed + 1000000,
                         20 * scale, 25, dump);
    else
        check_vocabulary("made up", vocabulary_random(seed, 8000), seed + 1000000, 20 * scale, 25,
                         dump);
    struct forma_vocabulary *llama = open_llama();
    if (llama)
        check_vocabulary("Llama 3.1", llama, seed + 2000000, 6 * scale, 12, dump);
    else
        printf("Llama 3.1: skipped, " LLAMA_XZ " is not here\n");
}

/* ---- instances that another validator judged ----------------------------------------------- */

enum { MAX_IDS = 1 << 14, TOKENISATIONS = 3 };

/* One form at a time, fed by bytes (v NULL) or by tokens. */
struct judge {
    const char *name;
    struct forma_vocabulary *v;
    struct forma_grammar *grammar;
    struct forma_matcher *matcher;
    struct forma_error err; /* why there is no matcher; what the last text met */
    long skipped;           /* texts with a byte that no token can write */
};

static void judge_drop_form(struct judge *j) {
    forma_matcher_free(j->matcher);
    forma_grammar_free(j->grammar);
    j->matcher = NULL;
    j->grammar = NULL;
}

static void judge_set_form(struct judge *j, const char *schema) {
    struct forma_options options;
    struct forma_matcher_options uncached;
    judge_drop_form(j);
    memset(&j->err, 0, sizeof j->err);
    forma_options_init(&options);
    options.style = forma_style_exact();
    forma_matcher_options_init(&uncached);
    uncached.mask_cache_bytes = 0; /* no masks are asked for */
    j->grammar = forma_grammar_from_json_schema(schema, strlen(schema), j->v, &options, &j->err);
    if (j->grammar) j->matcher = forma_matcher_new(j->grammar, j->v, &uncached, &j->err);
}

/* Is the text, cut into tokens at random, a whole text of the form? */
static enum forma_status feed_tokens(struct judge *j, const uint32_t *ids, size_t n) {
    enum forma_status status = FORMA_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = forma_matcher_accept(j->matcher, ids[i], &j->err);
    if (status) return status;
    bool may_end = forma_matcher_accepts_end(j->matcher);
    status = forma_matcher_accept(j->matcher, j->v->eos[0], &j->err);
    CHECK_INT(status == FORMA_OK, may_end);
    return status;
}

/* 1: in the form, 0: not, -1: not decided (limits), -2: no tokens spell it. */
static int verdict(struct judge *j, const char *text, uint64_t *random) {
    static uint32_t ids[MAX_IDS];
    size_t n = 0, length = strlen(text);
    enum forma_status status;
    if (j->v) {
        n = vocabulary_spell(j->v, text, length, random, ids, MAX_IDS);
        if (n == SIZE_MAX) return -2;
    }
    if (!j->matcher) return j->err.status == FORMA_EUNSAT ? 0 : -1;
    memset(&j->err, 0, sizeof j->err);
    forma_matcher_reset(j->matcher);
    if (j->v) {
        status = feed_tokens(j, ids, n);
    } else {
        status =
            forma_matcher_accept_bytes(j->matcher, (const unsigned char *)text, length, &j->err);
        if (!status && !forma_matcher_accepts_end(j->matcher)) status = FORMA_EREFUSED;
    }
    if (status == FORMA_ELIMIT || (status && forma_matcher_narrowed(j->matcher))) return -1;
    return status == FORMA_OK;
}

/* By bytes once; by tokens under several tokenisations. */
static void check_instance(struct judge *j, const char *schema, const char *text, bool valid,
                           uint64_t *random) {
    for (int round = 0; round < (j->v ? TOKENISATIONS : 1); round++) {
        uint64_t before = *random;
        int got = verdict(j, text, random);
        if (got == -2) {
            j->skipped++;
            return;
        }
        if (!test_result(got == valid))
            fprintf(stderr, "%s, random %llu: %s: %s: want %d, got %d (%s %s)\n", j->name,
                    (unsigned long long)before, schema, text, valid, got, j->err.pointer,
                    j->err.message);
    }
}

static void check_lines(FILE *f, struct judge *judges, size_t n_judges, uint64_t random) {
    char *line = NULL, *last = NULL; /* the schema that is compiled */
    size_t capacity = 0;
    while (getline(&line, &capacity, f) > 0) {
        cJSON *root = cJSON_Parse(line);
        const char *schema = cJSON_GetStringValue(cJSON_GetObjectItem(root, "schema"));
        const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(root, "text"));
        bool valid = cJSON_IsTrue(cJSON_GetObjectItem(root, "valid"));
        if (schema && (!last || strcmp(last, schema) != 0)) {
            free(last);
            last = strdup(schema);
            for (size_t i = 0; i < n_judges; i++) judge_set_form(&judges[i], schema);
        }
        if (CHECK(last && text))
            for (size_t i = 0; i < n_judges; i++)
                check_instance(&judges[i], last, text, valid, &random);
        cJSON_Delete(root);
    }
    free(last);
    free(line);
}

/* Under the exact style a text is in the form iff it is valid, however it is cut into tokens. */
static void check_instances(const char *path, uint64_t seed) {
    struct judge judges[5] = {{.name = "as bytes"}};
    size_t n = 1;
    judges[n++] = (struct judge){.name = "bytes", .v = vocabulary_of_bytes(NULL)};
    judges[n++] = (struct judge){.name = "made up", .v = vocabulary_random(seed, 8000)};
    if (exists(MODEL))
        judges[n++] =
            (struct judge){.name = "SmolLM2", .v = forma_vocabulary_open(MODEL, NULL, NULL)};
    struct forma_vocabulary *llama = open_llama();
    if (llama) judges[n++] = (struct judge){.name = "Llama 3.1", .v = llama};
    FILE *f = fopen(path, "rb");
    bool ready = CHECK(f != NULL);
    for (size_t i = 1; i < n; i++) ready &= CHECK(judges[i].v != NULL);
    long before = test_passed;
    if (ready) check_lines(f, judges, n, seed);
    CHECK(test_passed > before);
    if (f) fclose(f);
    printf("%s, seed %llu:", path, (unsigned long long)seed);
    for (size_t i = 0; i < n; i++) {
        printf(" %s%s", judges[i].name, i + 1 < n ? "," : "");
        if (judges[i].skipped) printf(" (%ld not spelled)", judges[i].skipped);
        judge_drop_form(&judges[i]);
        forma_vocabulary_free(judges[i].v);
    }
    putchar('\n');
}

static int print_schemas(uint64_t seed, int n) {
    static char schema[1 << 16];
    for (int i = 0; i < n; i++, seed++) {
        uint64_t random = seed;
        if (random_schema(&random, schema, sizeof schema)) puts(schema);
    }
    return 0;
}

int main(int argc, char **argv) {
    uint64_t seed = 1;
    int scale = 1;
    FILE *dump = NULL;
    const char *instances = NULL;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--all") == 0)
            scale = 12;
        else if (strcmp(argv[i], "--scale") == 0 && more)
            scale = atoi(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && more)
            seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--dump") == 0 && more)
            dump = fopen(argv[++i], "wb");
        else if (strcmp(argv[i], "--schemas") == 0 && more)
            return print_schemas(seed, atoi(argv[++i]));
        else if (strcmp(argv[i], "--instances") == 0 && more)
            instances = argv[++i];
        else {
            fprintf(stderr,
                    "usage: %s [--seed N] [--all | --scale N] [--dump FILE] | "
                    "--schemas N | --instances FILE\n",
                    argv[0]);
            return 2;
        }
    }
    if (instances) {
        check_instances(instances, seed);
        return test_done("instances");
    }
    check_instances(INSTANCES, seed);
    check_properties(seed, scale, dump);
    if (dump) CHECK_INT(fclose(dump), 0);
    return test_done("properties");
}
