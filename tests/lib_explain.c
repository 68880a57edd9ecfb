/* SPDX-License-Identifier: MIT */
#include "tests/lib_explain.h"

#include "schema/json_text.h"
#include "schema/keywords.h"
#include "tests/test.h"

/* ---- keeping ------------------------------------------------------------------------------- */

static void keep(void *ctx, const struct forma_rule *rule) {
    struct told *t = ctx;
    if (t->n == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 64;
        t->rules = realloc(t->rules, t->capacity * sizeof *t->rules);
        if (!t->rules) abort();
    }
    t->rules[t->n++] = (struct told_rule){strdup(rule->pointer), strdup(rule->keyword),
                                          strdup(rule->reason), rule->status};
}

void told_init(struct told *t, const char *text, size_t length,
               const struct forma_options *options) {
    memset(t, 0, sizeof *t);
    t->status = forma_explain_json_schema(text, length, options, keep, t, &t->draft, &t->err);
}

void told_free(struct told *t) {
    for (size_t i = 0; i < t->n; i++) {
        free(t->rules[i].pointer);
        free(t->rules[i].keyword);
        free(t->rules[i].reason);
    }
    free(t->rules);
    memset(t, 0, sizeof *t);
}

const struct told_rule *told_find(const struct told *t, const char *pointer, const char *keyword) {
    for (size_t i = 0; i < t->n; i++)
        if (!strcmp(t->rules[i].pointer, pointer) && !strcmp(t->rules[i].keyword, keyword))
            return &t->rules[i];
    return NULL;
}

size_t told_count(const struct told *t, enum forma_rule_status status) {
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) n += t->rules[i].status == status;
    return n;
}

/* ---- a plain walk -------------------------------------------------------------------------- */

struct walk {
    struct told_rule *const *sorted; /* the rules of members, by pointer and keyword */
    size_t n;
    enum dialect dialect;
    bool ok;
};

static int by_name(const void *a, const void *b) {
    const struct told_rule *x = *(struct told_rule *const *)a, *y = *(struct told_rule *const *)b;
    int order = strcmp(x->pointer, y->pointer);
    return order ? order : strcmp(x->keyword, y->keyword);
}

static void expect_member(struct walk *w, const char *pointer, const struct json_member *m) {
    char keyword[256];
    snprintf(keyword, sizeof keyword, "%s", m->name);
    if (strlen(keyword) + 1 == sizeof keyword) return;
    struct told_rule key = {.pointer = (char *)pointer, .keyword = keyword}, *p = &key;
    if (w->n && bsearch(&p, w->sorted, w->n, sizeof *w->sorted, by_name)) return;
    fprintf(stderr, "  nothing was told of '%s' at '%s'\n", keyword, pointer);
    w->ok = false;
}

static void walk_schema(struct walk *w, const struct json_value *schema, const char *pointer);

static void walk_child(struct walk *w, const struct json_value *v, const char *pointer,
                       const struct json_member *keyword, const struct json_member *key,
                       size_t index) {
    char below[1024];
    snprintf(below, sizeof below, "%s", pointer);
    json_pointer_push(below, sizeof below, keyword->name, keyword->name_length);
    if (key) json_pointer_push(below, sizeof below, key->name, key->name_length);
    if (index != SIZE_MAX) json_pointer_push_index(below, sizeof below, index);
    if (v->kind == JSON_OBJECT) walk_schema(w, v, below);
}

static void walk_children(struct walk *w, const struct json_member *m, const char *pointer,
                          enum keyword_place place) {
    const struct json_value *v = &m->value;
    bool map = place == PLACE_MAP || place == PLACE_MAP_OR_NAMES;
    bool list = place == PLACE_LIST || place == PLACE_ONE_OR_LIST;
    if (v->kind == JSON_OBJECT && (place == PLACE_ONE || place == PLACE_ONE_OR_LIST))
        walk_child(w, v, pointer, m, NULL, SIZE_MAX);
    for (uint32_t i = 0; map && v->kind == JSON_OBJECT && i < v->count; i++)
        walk_child(w, &v->members[i].value, pointer, m, &v->members[i], SIZE_MAX);
    for (uint32_t i = 0; list && v->kind == JSON_ARRAY && i < v->count; i++)
        walk_child(w, &v->items[i], pointer, m, NULL, i);
}

/* Recursive: the texts nest at most a few hundred deep. */
static void walk_schema(struct walk *w, const struct json_value *schema, const char *pointer) {
    bool hides = w->dialect <= DIALECT_7 && json_find(schema, "$ref");
    for (uint32_t i = 0; i < schema->count; i++) {
        const struct json_member *m = &schema->members[i];
        const struct keyword_info *k = keyword_find(m->name, m->name_length, w->dialect);
        expect_member(w, pointer, m);
        if (k && (!hides || k->status == KEYWORD_STRUCTURE))
            walk_children(w, m, pointer, (enum keyword_place)k->place);
    }
}

static enum dialect dialect_called(const char *number) {
    for (int d = DIALECT_4; d <= DIALECT_2020; d++)
        if (!strcmp(dialect_number((enum dialect)d), number)) return (enum dialect)d;
    return DIALECT_2020;
}

static bool is_listed_once(const struct told_rule *a, const struct told_rule *b) {
    return by_name(&a, &b) != 0 ||
           (a->status == FORMA_RULE_REFUSED && b->status == FORMA_RULE_REFUSED);
}

/* Schemas with parts in another language than the root's are left out. */
static bool lists_all(const struct told *t, const char *text, size_t length) {
    struct told_rule **sorted = calloc(t->n + 1, sizeof *sorted);
    struct arena arena;
    struct json_limits limits = {SIZE_MAX, 1000};
    if (!sorted || !arena_init(&arena, NULL, (size_t)1 << 28)) abort();
    struct walk w = {.sorted = sorted, .dialect = dialect_called(t->draft), .ok = true};
    for (size_t i = 0; i < t->n; i++)
        if (*t->rules[i].keyword || t->rules[i].status != FORMA_RULE_NEVER)
            sorted[w.n++] = &t->rules[i];
    if (w.n) qsort(sorted, w.n, sizeof *sorted, by_name);
    for (size_t i = 1; i < w.n; i++)
        if (!is_listed_once(sorted[i - 1], sorted[i])) {
            fprintf(stderr, "  '%s' at '%s' is told twice\n", sorted[i]->keyword,
                    sorted[i]->pointer);
            w.ok = false;
        }
    const struct json_value *root = json_parse(&arena, text, length, &limits, NULL);
    const struct json_value *named = root ? json_find(root, "$schema") : NULL;
    enum dialect dialect;
    bool plain = !named ||
                 (named->kind == JSON_STRING && dialect_find(named->text, named->length, &dialect));
    const char *first = strstr(text, "\"$schema\"");
    bool single = !first || !strstr(first + 1, "\"$schema\"");
    if (root && root->kind == JSON_OBJECT && plain && single && t->n) walk_schema(&w, root, "");
    arena_destroy(&arena);
    free(sorted);
    return w.ok;
}

/* ---- agreement ----------------------------------------------------------------------------- */

/* Is the error about a keyword's value, so that a rule must say it? */
static bool is_refusal(const struct told *t) {
    return t->n && (t->status == FORMA_ESCHEMA || t->status == FORMA_EUNSUPPORTED);
}

static bool tells_error(const struct told *t, const struct forma_error *err) {
    for (size_t i = 0; i < t->n; i++) {
        const struct told_rule *r = &t->rules[i];
        char place[512];
        if (r->status != FORMA_RULE_REFUSED || !strstr(r->reason, err->message)) continue;
        snprintf(place, sizeof place, "%s", r->pointer);
        json_pointer_push(place, sizeof place, r->keyword, strlen(r->keyword));
        bool elsewhere = *err->pointer != '/'; /* in another text, or cut */
        if (elsewhere || strlen(err->pointer) > 250 ||
            strncmp(place, err->pointer, strlen(place)) == 0)
            return true;
    }
    return false;
}

bool told_agrees(const char *text, size_t length, const struct forma_options *options) {
    struct told t;
    struct forma_error err;
    struct forma_grammar *g = forma_grammar_from_json_schema(text, length, NULL, options, &err);
    told_init(&t, text, length, options);
    bool ok = CHECK_INT(t.status, err.status);
    ok &= CHECK_INT(t.err.status, err.status) && CHECK_STR(t.err.message, err.message) &&
          CHECK_STR(t.err.pointer, err.pointer);
    ok &= CHECK((g != NULL) == (t.status == FORMA_OK));
    if (is_refusal(&t))
        ok &= CHECK(tells_error(&t, &err));
    else if (t.status == FORMA_OK || t.status == FORMA_EUNSAT)
        ok &= CHECK_INT(told_count(&t, FORMA_RULE_REFUSED), 0);
    if (t.status == FORMA_EUNSAT) ok &= CHECK(told_count(&t, FORMA_RULE_NEVER) > 0);
    ok &= CHECK(lists_all(&t, text, length));
    told_free(&t);
    forma_grammar_free(g);
    return ok;
}
