/* SPDX-License-Identifier: MIT
 *
 * Walks and texts of schemas over a real vocabulary, for scripts/check_soundness.py.
 *
 *     walk_schemas TOKENIZER [URI=FILE]... < jobs
 *
 * A job is a JSON object in a line, and so is each reply, in the same order. URI=FILE is a document
 * that schemas may refer to. Members of a job:
 *
 *     schema      its text, as a string
 *     style       "exact", or "generate" (the defaults of forma generate)
 *     draft       "4" ... "2020-12", where $schema is silent
 *     formats     "assert" or "annotate"
 *     seed        of all that is drawn
 *     walks       how many, of at most `tokens` drawn tokens or `ms` milliseconds (0: no such limit)
 *     slow        one mask of so many is compared with its definition; 0: none
 *     plans       at one place of so many forced tokens and plans are tried; 0: at none
 *     shake       each walk beside a matcher without a mask cache, with steps taken back and copies;
 *                 then all walks again on a fresh grammar, two threads at once
 *     texts       a list of {"text", "valid", "ids": one more way to cut it into tokens}
 *     places      in how many places of a text, drawn at random, the mask is compared with the next
 *                 token
 *
 * The reply to a schema that is refused has "error" with "status", "pointer" and "message"; any
 * other has
 *
 *     walks       of each "policy", "text" (hexadecimal), "end" (drawn, followed, cut), "tokens",
 *                 "narrowed", "late", and "fault" where something went wrong
 *     misses      of each text that is judged otherwise than `valid` says: "text" (its index),
 *                 "cut" (how it was cut into tokens), "fault", "at" (bytes)
 *     judged, limits, masks, mask_ms     cut texts; those that met a search limit; masks in all
 */
#include <cjson/cJSON.h>
#include <pthread.h>

#include "tests/lib_vocabulary.h"
#include "tests/lib_walk.h"
#include "tests/test.h"
#include "tokenmask/mask.h"

enum { MAX_DOCUMENTS = 512, MAX_WALKS = 64, MAX_PLAN = 1 << 20, FOLLOW_MASKS = 24, THREADS = 2 };

struct tool {
    struct forma_vocabulary *v;
    struct walker *walker;
    struct forma_document documents[MAX_DOCUMENTS];
    size_t n_documents;
};

/* One job. */
struct job {
    const struct tool *tool;
    const cJSON *members;
    struct forma_options options;
    struct walk_how how; /* of each walk; its policy and seed are its own */
    uint64_t seed;
    unsigned n_walks;
    cJSON *reply;
    long judged, limited, masks;
    double mask_ms;
};

/* ---- reading ------------------------------------------------------------------------------- */

static char *read_file(const char *path, size_t *length) {
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t n = 0, capacity = 0;
    while (f && !feof(f)) {
        if (n == capacity) {
            capacity = 2 * capacity + 4096;
            char *larger = realloc(text, capacity);
            if (!larger) break;
            text = larger;
        }
        n += fread(text + n, 1, capacity - n, f);
        if (ferror(f)) break;
    }
    if (f) fclose(f);
    *length = n;
    return text;
}

static const char *word(const cJSON *o, const char *name, const char *otherwise) {
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItem(o, name));
    return s ? s : otherwise;
}

static double number(const cJSON *o, const char *name, double otherwise) {
    const cJSON *n = cJSON_GetObjectItem(o, name);
    return cJSON_IsNumber(n) ? n->valuedouble : otherwise;
}

static enum forma_draft draft_of(const char *name) {
    static const struct {
        const char *name;
        enum forma_draft draft;
    } drafts[] = {{"4", FORMA_DRAFT_4},
                  {"6", FORMA_DRAFT_6},
                  {"7", FORMA_DRAFT_7},
                  {"2019-09", FORMA_DRAFT_2019_09}};
    for (size_t i = 0; i < sizeof drafts / sizeof *drafts; i++)
        if (!strcmp(name, drafts[i].name)) return drafts[i].draft;
    return FORMA_DRAFT_2020_12;
}

static void read_job(struct job *job) {
    const cJSON *o = job->members;
    forma_options_init(&job->options);
    if (!strcmp(word(o, "style", ""), "exact")) job->options.style = forma_style_exact();
    if (!strcmp(word(o, "formats", ""), "annotate")) job->options.formats = FORMA_FORMATS_ANNOTATE;
    job->options.draft = draft_of(word(o, "draft", ""));
    job->options.documents = job->tool->documents;
    job->options.n_documents = job->tool->n_documents;
    job->how = (struct walk_how){.tokens = (unsigned)number(o, "tokens", 300),
                                 .ms = (unsigned)number(o, "ms", 0),
                                 .plan_bytes = MAX_PLAN,
                                 .follow_masks = FOLLOW_MASKS,
                                 .slow_every = (unsigned)number(o, "slow", 0),
                                 .plans_every = (unsigned)number(o, "plans", 0)};
    job->seed = (uint64_t)number(o, "seed", 1);
    job->n_walks = (unsigned)number(o, "walks", 0);
    if (job->n_walks > MAX_WALKS) job->n_walks = MAX_WALKS;
}

static struct forma_grammar *compile(const struct job *job, struct forma_error *err) {
    const char *schema = word(job->members, "schema", "");
    return forma_grammar_from_json_schema(schema, strlen(schema), job->tool->v, &job->options, err);
}

/* ---- walks --------------------------------------------------------------------------------- */

static void put_hex(cJSON *o, const char *name, const unsigned char *bytes, size_t length) {
    char *hex = malloc(2 * length + 1);
    if (!hex) return;
    for (size_t i = 0; i < length; i++) snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    hex[2 * length] = 0;
    cJSON_AddStringToObject(o, name, hex);
    free(hex);
}

/* How to make the n-th walk. */
static struct walk_how how_of(const struct job *job, unsigned n, struct walk_policy *policy) {
    struct walk_how how = job->how;
    how.seed = job->seed + n * UINT64_C(0x9E3779B97F4A7C15);
    *policy = walk_policy(n, &how.seed);
    how.policy = policy;
    return how;
}

static cJSON *put_walk(struct job *job, cJSON *list, const struct walk *walk, const char *policy) {
    static const char *const ends[] = {"drawn", "followed", "cut"};
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToArray(list, o);
    cJSON_AddStringToObject(o, "policy", policy);
    put_hex(o, "text", walk->text, walk->length);
    cJSON_AddStringToObject(o, "end", ends[walk->end]);
    cJSON_AddNumberToObject(o, "tokens", walk->tokens);
    cJSON_AddBoolToObject(o, "narrowed", walk->narrowed);
    cJSON_AddBoolToObject(o, "late", walk->late);
    if (walk->fault) cJSON_AddStringToObject(o, "fault", walk->fault);
    job->masks += walk->masks;
    job->mask_ms += walk->mask_ms;
    return o;
}

/* One of the walks again, by a thread. */
struct again {
    const struct job *job;
    struct forma_grammar *grammar;
    unsigned number;
    struct walk walk;
    pthread_t thread;
};

static void *walk_again(void *arg) {
    struct again *a = arg;
    struct walk_policy policy;
    struct walk_how how = how_of(a->job, a->number, &policy);
    struct forma_matcher *m = forma_matcher_new(a->grammar, a->job->tool->v, NULL, NULL);
    if (m)
        walk_run(&a->walk, a->job->tool->walker, m, &how);
    else
        a->walk.fault = "no matcher";
    forma_matcher_free(m);
    return NULL;
}

/* The same walks by threads on one grammar that is made anew: nothing that was asked before, or is
 * asked at the same time, changes a mask. */
static void check_threads(const struct job *job, const struct walk *walks, cJSON *list) {
    struct forma_grammar *g = compile(job, NULL);
    for (unsigned first = 0; g && first < job->n_walks; first += THREADS) {
        struct again again[THREADS];
        unsigned n = 0;
        for (; n < THREADS && first + n < job->n_walks; n++) {
            again[n] = (struct again){.job = job, .grammar = g, .number = first + n};
            if (pthread_create(&again[n].thread, NULL, walk_again, &again[n]) != 0) break;
        }
        for (unsigned i = 0; i < n; i++) {
            pthread_join(again[i].thread, NULL);
            const struct walk *one = &walks[first + i], *other = &again[i].walk;
            const char *fault = other->fault;
            bool comparable = !one->narrowed && !other->narrowed && !one->late && !other->late;
            if (!fault && !one->fault && comparable && one->hash != other->hash)
                fault = "the walk differs on a fresh grammar beside another thread";
            cJSON *o = cJSON_GetArrayItem(list, (int)(first + i));
            if (fault && !one->fault) cJSON_AddStringToObject(o, "fault", fault);
            walk_destroy(&again[i].walk);
        }
    }
    forma_grammar_free(g);
}

static void do_walks(struct job *job, struct forma_grammar *g) {
    static struct walk walks[MAX_WALKS];
    bool shake = cJSON_IsTrue(cJSON_GetObjectItem(job->members, "shake"));
    struct forma_matcher_options options;
    forma_matcher_options_init(&options);
    struct forma_matcher *m = forma_matcher_new(g, job->tool->v, &options, NULL);
    options.mask_cache_bytes = 0;
    struct forma_matcher *twin = forma_matcher_new(g, job->tool->v, &options, NULL);
    cJSON *list = cJSON_AddArrayToObject(job->reply, "walks");
    for (unsigned i = 0; i < job->n_walks; i++) {
        struct walk_policy policy;
        struct walk_how how = how_of(job, i, &policy);
        how.shake = shake;
        how.twins = &twin;
        how.n_twins = shake;
        if (m && twin)
            walk_run(&walks[i], job->tool->walker, m, &how);
        else
            walks[i].fault = "no matcher";
        put_walk(job, list, &walks[i], policy.name);
    }
    if (shake) check_threads(job, walks, list);
    for (unsigned i = 0; i < job->n_walks; i++) walk_destroy(&walks[i]);
    forma_matcher_free(m);
    forma_matcher_free(twin);
}

/* ---- texts --------------------------------------------------------------------------------- */

enum { CUTS = 4 };
static const char *const cuts[CUTS] = {"given", "longest", "random", "random again"};

/* The tokens of a text, cut one of several ways. SIZE_MAX: not spelled so. */
static size_t cut_text(const struct job *job, const cJSON *item, const char *text, int cut,
                       uint64_t *random, uint32_t *ids) {
    size_t length = strlen(text), n = 0;
    if (cut == 0) {
        const cJSON *given = cJSON_GetObjectItem(item, "ids"), *id;
        if (!given) return SIZE_MAX;
        cJSON_ArrayForEach(id, given) ids[n++] = (uint32_t)id->valuedouble;
        return n;
    }
    if (cut > 1) return vocabulary_spell(job->tool->v, text, length, random, ids, length);
    for (size_t at = 0, step; at < length; at += step, n++) {
        ids[n] = walk_longest(job->tool->walker, (const unsigned char *)text + at, length - at);
        if (ids[n] == UINT32_MAX) return SIZE_MAX;
        forma_vocabulary_bytes(job->tool->v, ids[n], &step);
    }
    return n;
}

/* Feeds the tokens, with masks before some of them. NULL, or what is not as it should be; `accepted`
 * and `limited` tell how it went, `at` how many tokens were read. */
static const char *feed(struct job *job, struct forma_matcher *m, const uint32_t *ids, size_t n,
                        double places, uint64_t *random, bool *accepted, bool *limited,
                        size_t *at) {
    uint32_t end = job->tool->v->eos[0];
    size_t words = job->tool->walker->words;
    uint32_t *row = malloc(words * sizeof *row);
    const char *fault = row ? NULL : "no memory";
    *accepted = *limited = false;
    forma_matcher_reset(m);
    for (*at = 0; *at <= n && !fault; (*at)++) {
        uint32_t id = *at < n ? ids[*at] : end;
        bool asked = *at == n || (double)test_below(random, 1000) * (double)(n + 1) < 1000 * places,
             set = false;
        if (asked) {
            double started = walk_now_ms();
            if (forma_matcher_mask(m, (int32_t *)row, words, NULL) != FORMA_OK)
                fault = "a mask is refused";
            job->mask_ms += walk_now_ms() - started;
            job->masks++;
            set = mask_test(row, id);
            *limited |= forma_matcher_narrowed(m);
        }
        enum forma_status status = fault ? FORMA_OK : forma_matcher_accept(m, id, NULL);
        *limited |= forma_matcher_narrowed(m);
        bool taken = status == FORMA_OK;
        if (!fault && asked && set != taken && !*limited)
            fault = set ? "a token of the mask is refused" : "a token is accepted against the mask";
        if (!taken) break;
        *accepted = *at == n;
    }
    free(row);
    return fault;
}

static void check_text(struct job *job, struct forma_matcher *m, const cJSON *item, int index,
                       cJSON *misses) {
    const char *text = word(item, "text", "");
    bool valid = cJSON_IsTrue(cJSON_GetObjectItem(item, "valid"));
    uint64_t random = job->seed + (uint64_t)index;
    double places = number(job->members, "places", 0);
    uint32_t *ids = malloc((strlen(text) + 1) * sizeof *ids);
    for (int cut = 0; ids && cut < CUTS; cut++) {
        bool accepted = false, limited = false;
        size_t at = 0, bytes = 0, n = cut_text(job, item, text, cut, &random, ids);
        if (n == SIZE_MAX) continue;
        const char *fault = feed(job, m, ids, n, places, &random, &accepted, &limited, &at);
        job->judged++;
        job->limited += limited;
        if (!fault && accepted != valid && limited) fault = "a limit";
        if (!fault && accepted != valid) fault = valid ? "refused" : "accepted";
        if (!fault) continue;
        cJSON *o = cJSON_CreateObject();
        for (size_t i = 0, length; i < at && i < n; i++, bytes += length)
            if (!forma_vocabulary_bytes(job->tool->v, ids[i], &length)) length = 0;
        cJSON_AddItemToArray(misses, o);
        cJSON_AddNumberToObject(o, "text", index);
        cJSON_AddStringToObject(o, "cut", cuts[cut]);
        cJSON_AddStringToObject(o, "fault", fault);
        cJSON_AddNumberToObject(o, "at", (double)bytes);
    }
    free(ids);
}

static void do_texts(struct job *job, struct forma_grammar *g) {
    const cJSON *texts = cJSON_GetObjectItem(job->members, "texts"), *item;
    struct forma_matcher *m = texts ? forma_matcher_new(g, job->tool->v, NULL, NULL) : NULL;
    if (!m) return;
    cJSON *misses = cJSON_AddArrayToObject(job->reply, "misses");
    int index = 0;
    cJSON_ArrayForEach(item, texts) check_text(job, m, item, index++, misses);
    forma_matcher_free(m);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static void do_job(struct job *job) {
    struct forma_error err = {0};
    read_job(job);
    struct forma_grammar *g = compile(job, &err);
    if (!g) {
        cJSON *o = cJSON_AddObjectToObject(job->reply, "error");
        cJSON_AddStringToObject(o, "status", forma_strstatus(err.status));
        cJSON_AddStringToObject(o, "pointer", err.pointer);
        cJSON_AddStringToObject(o, "message", err.message);
        return;
    }
    if (job->n_walks) do_walks(job, g);
    do_texts(job, g);
    forma_grammar_free(g);
    cJSON_AddNumberToObject(job->reply, "judged", (double)job->judged);
    cJSON_AddNumberToObject(job->reply, "limits", (double)job->limited);
    cJSON_AddNumberToObject(job->reply, "masks", (double)job->masks);
    cJSON_AddNumberToObject(job->reply, "mask_ms", job->mask_ms);
}

static bool do_line(const struct tool *tool, const char *line) {
    struct job job = {.tool = tool, .members = cJSON_Parse(line), .reply = cJSON_CreateObject()};
    bool ok = job.members && job.reply;
    if (ok) do_job(&job);
    char *reply = ok ? cJSON_PrintUnformatted(job.reply) : NULL;
    puts(reply ? reply : "{\"error\": {\"status\": \"no job\"}}");
    fflush(stdout);
    free(reply);
    cJSON_Delete(job.reply);
    cJSON_Delete((cJSON *)job.members);
    return ok;
}

int main(int argc, char **argv) {
    static struct tool tool;
    struct forma_error err = {0};
    char *line = NULL;
    size_t capacity = 0;
    if (argc < 2 || argc - 2 > MAX_DOCUMENTS) return 2;
    tool.v = forma_vocabulary_open(argv[1], NULL, &err);
    tool.walker = tool.v && tool.v->n_eos ? walker_new(tool.v) : NULL;
    if (!tool.walker) {
        fprintf(stderr, "%s: %s\n", argv[1], err.message);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        char *split = strchr(argv[i], '=');
        struct forma_document *d = &tool.documents[tool.n_documents++];
        if (split) *split = 0;
        d->uri = argv[i];
        d->text = split ? read_file(split + 1, &d->length) : NULL;
        if (!d->text) return 2;
    }
    while (getline(&line, &capacity, stdin) > 0)
        if (!do_line(&tool, line)) return 2;
    free(line);
    for (size_t i = 0; i < tool.n_documents; i++) free((char *)tool.documents[i].text);
    walker_free(tool.walker);
    forma_vocabulary_free(tool.v);
    return 0;
}
