/* SPDX-License-Identifier: MIT
 *
 * What may come next, on random schemas and random texts. What is possible covers exactly the bytes
 * that may come, and its texts are read. What is not possible is not; and each set of rules that is
 * blamed is so by the definition: with these keywords taken out of the schema's text the thing may
 * come, with any of them put back it may not (any one of them alone is enough where they are not
 * blamed together). The last part is asked of grammars made from such texts, so it needs nothing of
 * the code that found the blame. Drawings at the same places are read by a parser of their grammar.
 */
#include <cjson/cJSON.h>

#include "automaton/next.h"
#include "tests/lib_random_schema.h"
#include "tests/test.h"

enum { MAX_TEXT = 400, MAX_THINGS = 300, MAX_WORDS = 600, MAX_RULES = 16 };

struct thing {
    bool possible, together;
    char what[MAX_WORDS], why[MAX_WORDS], before[MAX_WORDS], text[MAX_WORDS];
    size_t n_before, length;
    uint32_t first[8];
    char rules[MAX_RULES][256];
    size_t n_rules;
};

struct things {
    struct thing list[MAX_THINGS];
    size_t n;
};

struct walk {
    const char *schema;
    struct forma_options options;
    struct forma_matcher *matcher;
    char text[MAX_TEXT];
    size_t length;
    uint64_t *random;
    long asked, blamed, unknown;
};

static void keep_thing(void *ctx, const struct forma_next *n) {
    struct things *all = ctx;
    if (all->n == MAX_THINGS) return;
    struct thing *x = &all->list[all->n++];
    memset(x, 0, sizeof *x);
    x->possible = n->possible;
    x->together = n->together;
    snprintf(x->what, sizeof x->what, "%s", n->what);
    snprintf(x->why, sizeof x->why, "%s", n->why);
    x->n_before = n->n_before < MAX_WORDS ? n->n_before : MAX_WORDS - 1;
    memcpy(x->before, n->before, x->n_before);
    x->length = n->length < MAX_WORDS ? n->length : MAX_WORDS - 1;
    memcpy(x->text, n->text, x->length);
    memcpy(x->first, n->first, sizeof x->first);
    for (size_t i = 0; i < n->n_rules && i < MAX_RULES; i++)
        snprintf(x->rules[x->n_rules++], sizeof x->rules[0], "%s", n->rules[i]);
}

/* ---- the definition ------------------------------------------------------------------------ */

static bool reads(struct forma_matcher *m, const char *text, size_t length) {
    if (forma_matcher_accept_bytes(m, (const unsigned char *)text, length, NULL) != FORMA_OK)
        return false;
    return forma_matcher_rollback(m, 1, NULL) == FORMA_OK;
}

/* Does the matcher go on with the thing, behind what comes before it? */
static bool goes_on_here(struct forma_matcher *m, const struct thing *x) {
    bool end = true;
    if (x->length) return reads(m, x->text, x->length);
    for (unsigned b = 0; b < 256; b++) {
        char byte = (char)b;
        if (!BYTES_HAS(x->first, b)) continue;
        end = false;
        if (reads(m, &byte, 1)) return true;
    }
    if (strstr(x->what, "the end of the number")) end = true;
    return end && forma_matcher_accepts_end(m);
}

static bool goes_on(struct forma_matcher *m, const struct thing *x) {
    const unsigned char *before = (const unsigned char *)x->before;
    if (forma_matcher_accept_bytes(m, before, x->n_before, NULL) != FORMA_OK) return false;
    bool answer = goes_on_here(m, x);
    return CHECK_INT(forma_matcher_rollback(m, 1, NULL), FORMA_OK) && answer;
}

/* Takes what the pointer leads to out of the schema; a `false` in a list or map becomes `true`. */
static bool take_out(cJSON *schema, const char *pointer) {
    cJSON *parent = NULL, *at = schema;
    while (*pointer == '/' && at) {
        char token[200];
        size_t n = 0;
        for (pointer++; *pointer && *pointer != '/' && n + 1 < sizeof token; pointer++) {
            if (*pointer == '~') pointer++;
            bool escaped = pointer[-1] == '~';
            token[n++] = escaped ? (*pointer == '0' ? '~' : '/') : *pointer;
        }
        token[n] = 0;
        parent = at;
        at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(token))
                               : cJSON_GetObjectItemCaseSensitive(at, token);
    }
    if (!at || !parent) return false;
    static const char *const singles[] = {"additionalProperties",
                                          "unevaluatedProperties",
                                          "items",
                                          "unevaluatedItems",
                                          "not",
                                          "contains"};
    bool single = false;
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
        single |= at->string && !strcmp(at->string, singles[i]);
    if (cJSON_IsFalse(at) && !single) {
        at->type = (at->type & ~0xFF) | cJSON_True;
        return true;
    }
    cJSON_Delete(cJSON_DetachItemViaPointer(parent, at));
    return true;
}

enum answer { NO, YES, CANNOT_TELL };

/* May the thing come without the rules, the one at `put_back` excepted, or only with the one at
 * `alone` left out? */
static enum answer comes_without(const struct walk *w, const struct thing *x, size_t put_back,
                                 size_t alone) {
    struct forma_options o = w->options;
    cJSON *schema = cJSON_Parse(w->schema);
    bool ok = schema != NULL;
    o.style.keys = FORMA_KEYS_ANY;
    for (size_t i = 0; i < x->n_rules && ok; i++) {
        const char *rule = x->rules[i];
        if (i == put_back || (alone != SIZE_MAX && i != alone)) continue;
        if (!strncmp(rule, "--numbers", 9))
            o.style.numbers = FORMA_NUMBERS_ANY;
        else if (!strncmp(rule, "--escapes", 9))
            o.style.escapes = FORMA_ESCAPES_ANY;
        else if (!strncmp(rule, "--blanks", 8))
            o.style.blanks = FORMA_BLANKS_ANY;
        else if (*rule == '/')
            ok = take_out(schema, rule);
    }
    char *text = ok ? cJSON_PrintUnformatted(schema) : NULL;
    struct forma_grammar *g =
        text ? forma_grammar_from_json_schema(text, strlen(text), NULL, &o, NULL) : NULL;
    struct forma_matcher *m = g ? forma_matcher_new(g, NULL, NULL, NULL) : NULL;
    enum answer answer = CANNOT_TELL; /* a reference may lead into what was taken out */
    if (m)
        answer = forma_matcher_accept_bytes(m, (const unsigned char *)w->text, w->length, NULL) ==
                     FORMA_OK &&
                 goes_on(m, x);
    forma_matcher_free(m);
    forma_grammar_free(g);
    cJSON_free(text);
    cJSON_Delete(schema);
    return answer;
}

static bool check_blame(struct walk *w, const struct thing *x) {
    bool ok = CHECK(!goes_on(w->matcher, x));
    if (strstr(x->why, "no JSON text")) return CHECK(!x->n_rules) && ok;
    w->asked++;
    if (!x->n_rules) {
        w->unknown++;
        if (getenv("SHOW"))
            fprintf(stderr, "UNK %s: %s | %s | %.*s\n", x->what, x->why, w->schema, (int)w->length,
                    w->text);
        return ok;
    }
    w->blamed++;
    if (!x->together) {
        for (size_t i = 0; i < x->n_rules; i++) ok &= CHECK(comes_without(w, x, SIZE_MAX, i) != NO);
        return ok;
    }
    ok &= CHECK(x->n_rules > 1);
    ok &= CHECK(comes_without(w, x, SIZE_MAX, SIZE_MAX) != NO);
    for (size_t i = 0; i < x->n_rules; i++) ok &= CHECK(comes_without(w, x, i, SIZE_MAX) != YES);
    return ok;
}

/* ---- drawings ------------------------------------------------------------------------------ */

/* The grammar of Graphviz, as far as it is written: digraph ID { statements }, where a statement is
 * ID = ID, ID [attributes] or ID -> ID [attributes]. */
static const char *skip_space(const char *p) {
    return p + strspn(p, " \n\t");
}

static const char *read_id(const char *p) {
    p = skip_space(p);
    if (*p != '"') {
        size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        return n ? p + n : NULL;
    }
    for (p++; *p && *p != '"'; p++) {
        if ((unsigned char)*p < 0x20) return NULL;
        if (*p == '\\' && !strchr("\\\"n", *++p)) return NULL;
    }
    return *p ? p + 1 : NULL;
}

static const char *read_attributes(const char *p) {
    const char *at = skip_space(p);
    if (*at != '[') return p;
    do {
        p = read_id(at + 1);
        if (!p || *(p = skip_space(p)) != '=' || !(p = read_id(p + 1))) return NULL;
        at = skip_space(p);
    } while (*at == ',');
    return *at == ']' ? at + 1 : NULL;
}

static bool is_drawing(const char *p) {
    if (strncmp(p, "digraph ", 8) != 0 || !(p = read_id(p + 8)) || *(p = skip_space(p)) != '{')
        return false;
    p = skip_space(p + 1);
    while (*p != '}') {
        if (!(p = read_id(p))) return false;
        const char *at = skip_space(p);
        if (at[0] == '-' && at[1] == '>') {
            if (!(p = read_id(at + 2))) return false;
        } else if (*at == '=') {
            if (!(p = read_id(at + 1))) return false;
        }
        if (!(p = read_attributes(p)) || *(p = skip_space(p)) != ';') return false;
        p = skip_space(p + 1);
    }
    return *skip_space(p + 1) == 0;
}

static void keep_drawing(void *ctx, const char *text, size_t length) {
    *(char **)ctx = strndup(text, length);
}

static char *draw(struct forma_matcher *m, enum forma_drawing what, size_t max_states) {
    char *text = NULL;
    CHECK_INT(forma_matcher_draw(m, what, max_states, keep_drawing, &text, NULL), FORMA_OK);
    return text;
}

static void check_drawings(const struct walk *w) {
    for (int what = FORMA_DRAW_REGION; what <= FORMA_DRAW_GOAL; what++)
        for (size_t most = 1; most <= 50; most += 49) {
            char *once = draw(w->matcher, (enum forma_drawing)what, most);
            char *again = draw(w->matcher, (enum forma_drawing)what, most);
            if (!CHECK(once && is_drawing(once)))
                fprintf(stderr, "%s %.*s\n%s\n", w->schema, (int)w->length, w->text, once);
            CHECK_STR(again, once);
            free(once);
            free(again);
        }
}

/* ---- walks --------------------------------------------------------------------------------- */

static void live_bytes(struct forma_matcher *m, uint32_t live[8]) {
    memset(live, 0, 32);
    for (unsigned b = 0; b < 256; b++) {
        char byte = (char)b;
        if (reads(m, &byte, 1)) BYTES_ADD(live, b);
    }
}

static bool check_possible(const struct walk *w, const struct things *all, const uint32_t live[8]) {
    uint32_t covered[8] = {0};
    bool ends = false, ok = true;
    for (size_t i = 0; i < all->n; i++) {
        const struct thing *x = &all->list[i];
        if (!x->possible) continue;
        for (int k = 0; k < 8 && !x->n_before; k++) covered[k] |= x->first[k];
        if (x->n_before) BYTES_ADD(covered, (unsigned char)x->before[0]);
        ends |= bytes_are_empty(x->first);
        ok &= CHECK(goes_on(w->matcher, x));
    }
    ok &= CHECK(memcmp(covered, live, sizeof covered) == 0);
    ok &= CHECK_INT(ends, forma_matcher_accepts_end(w->matcher));
    return ok;
}

static void check_place(struct walk *w, bool with_rules) {
    static struct things all, plain;
    uint32_t live[8];
    struct forma_error err;
    all.n = plain.n = 0;
    live_bytes(w->matcher, live);
    bool ok = CHECK_INT(forma_matcher_next(w->matcher, keep_thing, &plain, &err), FORMA_OK);
    ok &= check_possible(w, &plain, live);
    if (with_rules) {
        ok &= CHECK_INT(forma_explain_text(w->schema, strlen(w->schema), NULL, &w->options, w->text,
                                           w->length, keep_thing, &all, &err),
                        FORMA_OK);
        ok &= check_possible(w, &all, live);
        for (size_t i = 0; i < all.n; i++)
            if (!all.list[i].possible && !check_blame(w, &all.list[i])) {
                ok = false;
                fprintf(stderr, "%s: %s%s", all.list[i].what, all.list[i].rules[0],
                        all.list[i].together ? " together\n" : "\n");
            }
    }
    if (!ok) fprintf(stderr, "in %s behind %.*s\n", w->schema, (int)w->length, w->text);
}

static bool step(struct walk *w) {
    uint32_t live[8], n = 0;
    unsigned char way[8];
    live_bytes(w->matcher, live);
    for (unsigned b = 0; b < 256; b++) n += BYTES_HAS(live, b);
    if (!n) return false;
    unsigned pick = test_below(w->random, n), byte = 0;
    for (unsigned b = 0; b < 256; b++)
        if (BYTES_HAS(live, b) && pick-- == 0) byte = b;
    size_t length = forma_matcher_completion(w->matcher, way, sizeof way);
    if (length && test_below(w->random, 100) < 60) byte = way[0];
    w->text[w->length++] = (char)byte;
    return CHECK_INT(
        forma_matcher_accept_bytes(w->matcher, (unsigned char *)&w->text[w->length - 1], 1, NULL),
        FORMA_OK);
}

/* A byte that does not fit is told with its rules, and with what could have stood there. */
static void check_refusal(struct walk *w) {
    static struct things all;
    struct forma_error err;
    uint32_t live[8];
    unsigned byte = 0x20 + test_below(w->random, 0x5F);
    live_bytes(w->matcher, live);
    if (BYTES_HAS(live, byte)) return;
    all.n = 0;
    w->text[w->length] = (char)byte;
    enum forma_status status = forma_explain_text(w->schema, strlen(w->schema), NULL, &w->options,
                                                  w->text, w->length + 1, keep_thing, &all, &err);
    CHECK_INT(status, FORMA_EREFUSED);
    CHECK_INT(err.offset, w->length);
    bool ok = check_possible(w, &all, live);
    for (size_t i = 0; i < all.n; i++)
        if (!all.list[i].possible) ok &= check_blame(w, &all.list[i]);
    if (!ok) fprintf(stderr, "in %s behind %.*s\n", w->schema, (int)w->length + 1, w->text);
}

static void random_style(uint64_t *random, struct forma_style *style) {
    style->keys = test_below(random, 2) ? FORMA_KEYS_ANY : FORMA_KEYS_SCHEMA;
    style->blanks = (enum forma_blanks)test_below(random, 4);
    style->numbers = test_below(random, 3) ? FORMA_NUMBERS_PLAIN : FORMA_NUMBERS_ANY;
    style->escapes = test_below(random, 2) ? FORMA_ESCAPES_ANY : FORMA_ESCAPES_MINIMAL;
}

static void walk_schema(struct walk *w, int percent) {
    struct forma_grammar *g =
        forma_grammar_from_json_schema(w->schema, strlen(w->schema), NULL, &w->options, NULL);
    w->matcher = g ? forma_matcher_new(g, NULL, NULL, NULL) : NULL;
    w->length = 0;
    while (w->matcher && w->length + 1 < MAX_TEXT && w->length < 60) {
        bool chosen = test_below(w->random, 100) < (uint32_t)percent;
        check_place(w, chosen);
        if (chosen) check_refusal(w);
        if (chosen) check_drawings(w);
        if (!step(w)) break;
    }
    forma_matcher_free(w->matcher);
    forma_grammar_free(g);
}

static void test_walks(uint64_t seed, int n) {
    static char schema[1 << 16];
    struct walk w = {.schema = schema, .random = &seed};
    for (int i = 0; i < n; i++) {
        uint64_t before = seed;
        long failed = test_failed;
        if (!random_schema(&seed, schema, sizeof schema)) continue;
        forma_options_init(&w.options);
        w.options.max_memory = (size_t)64 << 20;
        random_style(&seed, &w.options.style);
        walk_schema(&w, 30);
        if (test_failed != failed) fprintf(stderr, "seed %llu\n", (unsigned long long)before);
    }
    CHECK(w.blamed > 0);
    /* Where a search gives up nobody is blamed. */
    if (!CHECK(w.unknown * 100 <= w.asked))
        fprintf(stderr, "%ld things, %ld blamed, %ld not known\n", w.asked, w.blamed, w.unknown);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    test_walks(seed, argc > 2 ? atoi(argv[2]) : 250);
    return test_done("next");
}
