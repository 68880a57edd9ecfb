/* SPDX-License-Identifier: MIT
 *
 * What references mean: URIs, documents, built-in metaschemas, dynamic scopes, and the places that
 * messages name. (Verdicts are in fixtures/schemas: references, documents, dialects.)
 */
#include <dirent.h>

#include "base/error.h"
#include "schema/internal.h"
#include "schema/metaschemas.h"
#include "schema/uri.h"
#include "tests/lib_schema.h"
#include "tests/test.h"

/* ---- URIs ------------------------------------------------------------------------------------ */

/* RFC 3986, sections 5.4.1 and 5.4.2, without fragments, and other bases. */
static void test_uris(void) {
    static const struct {
        const char *base, *reference, *want;
    } cases[] = {
        {"http://a/b/c/d;p?q", "g:h", "g:h"},
        {"http://a/b/c/d;p?q", "g", "http://a/b/c/g"},
        {"http://a/b/c/d;p?q", "./g", "http://a/b/c/g"},
        {"http://a/b/c/d;p?q", "g/", "http://a/b/c/g/"},
        {"http://a/b/c/d;p?q", "/g", "http://a/g"},
        {"http://a/b/c/d;p?q", "//g", "http://g"},
        {"http://a/b/c/d;p?q", "?y", "http://a/b/c/d;p?y"},
        {"http://a/b/c/d;p?q", "g?y", "http://a/b/c/g?y"},
        {"http://a/b/c/d;p?q", "#s", "http://a/b/c/d;p?q"},
        {"http://a/b/c/d;p?q", "g#s", "http://a/b/c/g"},
        {"http://a/b/c/d;p?q", ";x", "http://a/b/c/;x"},
        {"http://a/b/c/d;p?q", "", "http://a/b/c/d;p?q"},
        {"http://a/b/c/d;p?q", ".", "http://a/b/c/"},
        {"http://a/b/c/d;p?q", "..", "http://a/b/"},
        {"http://a/b/c/d;p?q", "../g", "http://a/b/g"},
        {"http://a/b/c/d;p?q", "../../g", "http://a/g"},
        {"http://a/b/c/d;p?q", "../../../g", "http://a/g"},
        {"http://a/b/c/d;p?q", "/./g", "http://a/g"},
        {"http://a/b/c/d;p?q", "g.", "http://a/b/c/g."},
        {"http://a/b/c/d;p?q", "..g", "http://a/b/c/..g"},
        {"http://a/b/c/d;p?q", "./g/.", "http://a/b/c/g/"},
        {"http://a/b/c/d;p?q", "g/../h", "http://a/b/c/h"},
        {"http://a/b/c/d;p?q", "g?y/../x", "http://a/b/c/g?y/../x"},
        {"http://a", "g", "http://a/g"},
        {"", "g.json", "g.json"},
        {"", "../g", "g"},
        {"urn:example:a", "#x", "urn:example:a"},
        {"urn:example:a", "urn:example:b", "urn:example:b"},
        {"x/y", "z", "x/z"},
    };
    char out[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = uri_resolve(cases[i].base, strlen(cases[i].base), cases[i].reference,
                               strlen(cases[i].reference), out, sizeof out);
        if (CHECK(n != SIZE_MAX)) CHECK_STR(out, cases[i].want);
    }
    CHECK(uri_resolve("http://a/b", 10, "cdef", 4, out, 12) == SIZE_MAX);
    CHECK(uri_resolve("", 0, "", 0, out, 0) == SIZE_MAX);
    CHECK_INT(uri_percent_decode("a%25%7Eb%2", 10, out), 6);
    CHECK(memcmp(out, "a%~b%2", 6) == 0);
}

/* ---- places ---------------------------------------------------------------------------------- */

static void test_pointers(void) {
    struct fixture f;
    if (open_2020(
            &f, "{\"properties\":{\"a/b\":{\"prefixItems\":[true,{\"minimum\":0},{\"minimum\":1}]},"
                "\"b\":{\"minimum\":1},\"c\":{\"$ref\":\"#/x/y~1z\"}},\"x\":{\"y/z\":{}}}")) {
        const struct json_value *p = json_find(f.schema->root, "properties");
        const struct json_value *list = json_find(json_find(p, "a/b"), "prefixItems");
        uint32_t node = schema_find_node(f.schema, &list->items[1]);
        CHECK_STR(json_schema_pointer(f.schema, node), "/properties/a~1b/prefixItems/1");
        node = goal_get(f.goals, schema_goal(f.schema, &list->items[2], 0))->a;
        CHECK_STR(json_schema_pointer(f.schema, node), "/properties/b"); /* the first of two */
        node = schema_find_node(f.schema, json_find(json_find(f.schema->root, "x"), "y/z"));
        CHECK_STR(json_schema_pointer(f.schema, node), "/x/y~1z");
        CHECK_STR(json_schema_pointer(f.schema, 0), "");
    }
    close_text(&f);
}

#define DOCUMENT(uri, text)                                                                        \
    { uri, text, sizeof text - 1 }

static bool open_with(struct fixture *f, size_t fail_after, const char *text,
                      const struct forma_document *documents, size_t n) {
    if (!open_stores(f, fail_after)) return false;
    f->options.documents = documents;
    f->options.n_documents = n;
    f->schema = json_schema_load(f->goals, text, strlen(text), &f->options, &f->err);
    return f->schema != NULL;
}

static void test_foreign_places(void) {
    static const struct forma_document documents[] = {
        DOCUMENT("http://x/a", "{\"$defs\":{\"b\":{\"minimum\":1,\"x-y\":2}},\"type\":\"null\"}"),
        DOCUMENT("http://x/c", "{\n\"a\":}"),
        DOCUMENT("http://x/d#", "{\"type\":7}"),
    };
    struct fixture f;
    if (CHECK(open_with(&f, SIZE_MAX, "{\"$ref\":\"http://x/a#/$defs/b\"}", documents, 3))) {
        uint32_t node = goal_get(f.goals, json_schema_root(f.schema))->a;
        CHECK_STR(json_schema_pointer(f.schema, node), "http://x/a#/$defs/b");
        CHECK_INT(f.n_notes, 1);
        CHECK_STR(f.notes[0].pointer, "http://x/a#/$defs/b/x-y");
    }
    close_text(&f);
    CHECK(!open_with(&f, SIZE_MAX, "{\"$ref\":\"http://x/c\"}", documents, 3));
    CHECK_INT(f.err.status, FORMA_ESCHEMA);
    CHECK_STR(f.err.pointer, "http://x/c");
    CHECK_INT(f.err.line, 2);
    close_text(&f);
    CHECK(!open_with(&f, SIZE_MAX, "{\"$ref\":\"http://x/d\"}", documents, 3));
    CHECK_STR(f.err.pointer, "http://x/d#/type");
    close_text(&f);
    CHECK(!open_with(&f, SIZE_MAX, "{\"$ref\":\"http://x/e#/f\"}", documents, 3));
    CHECK_STR(f.err.pointer, "/$ref");
    CHECK(strstr(f.err.message, "'http://x/e'") != NULL);
    close_text(&f);
}

/* ---- metaschemas ----------------------------------------------------------------------------- */

static void check_metaschema(struct arena *arena, const char *name) {
    char path[512], *text = calloc(1, 1 << 16);
    struct json_limits limits = {1 << 16, 100};
    snprintf(path, sizeof path, "schema/metaschemas/%s", name);
    FILE *in = fopen(path, "rb");
    if (text && CHECK(in != NULL)) {
        size_t length = fread(text, 1, 1 << 16, in);
        const struct json_value *file = json_parse(arena, text, length, &limits, NULL);
        const struct json_value *id = json_find(file, "$id");
        if (!id) id = json_find(file, "id");
        if (CHECK(id != NULL)) {
            size_t n = uri_without_fragment(id->text, id->length);
            const struct metaschema *m = metaschema_find(id->text, n);
            if (CHECK(m != NULL))
                CHECK(json_equal(file, json_parse(arena, m->text, strlen(m->text), &limits, NULL)));
        }
    }
    if (in) fclose(in);
    free(text);
}

/* The generated C file is what the JSON files say. */
static void test_metaschemas(void) {
    struct arena arena;
    size_t n = 0;
    DIR *folder = opendir("schema/metaschemas");
    if (!CHECK(arena_init(&arena, NULL, 1 << 24)) || !CHECK(folder != NULL)) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        check_metaschema(&arena, entry->d_name);
        n++;
    }
    CHECK_INT(n, 19);
    closedir(folder);
    arena_destroy(&arena);
    CHECK(metaschema_find("https://json-schema.org/draft-07/schema", 39) != NULL);
    CHECK(metaschema_find("ftp://json-schema.org/draft-07/schema", 37) == NULL);
    CHECK(metaschema_find("http://json-schema.org/draft-07/schem", 37) == NULL);
    CHECK(metaschema_find("http", 4) == NULL);
    CHECK(metaschema_find("", 0) == NULL);
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static const struct json_value *member(const struct json_value *v, const char *first,
                                       const char *second) {
    return json_find(json_find(v, first), second);
}

/* One schema, met in several scopes, is one goal a scope; and one goal where the scope does not
 * matter. */
static void test_scopes(void) {
    static const struct forma_document documents[] = {
        DOCUMENT("http://x/list", "{\"items\":{\"$dynamicRef\":\"#i\"},\"minItems\":1,"
                                  "\"$defs\":{\"d\":{\"$dynamicAnchor\":\"i\"}}}"),
        DOCUMENT("http://x/1", "{\"$ref\":\"list\",\"$defs\":{\"d\":{\"$dynamicAnchor\":\"i\","
                               "\"minimum\":1}}}"),
        DOCUMENT("http://x/2", "{\"$ref\":\"1\",\"$defs\":{\"d\":{\"$dynamicAnchor\":\"j\","
                               "\"minimum\":2}}}"),
        DOCUMENT("http://x/p", "{\"minimum\":2,\"$defs\":{\"d\":{\"$dynamicAnchor\":\"i\"}}}"),
    };
    struct fixture f;
    if (CHECK(open_with(&f, SIZE_MAX,
                        "{\"properties\":{\"list\":{\"$ref\":\"http://x/"
                        "list\"},\"one\":{\"$ref\":\"http://x/1\"},"
                        "\"two\":{\"$ref\":\"http://x/2\"},\"p\":{\"$ref\":\"http://x/p\"}}}",
                        documents, 4))) {
        goal_id goals[4];
        const char *const names[] = {"list", "one", "two", "p"};
        for (size_t i = 0; i < 4; i++)
            goals[i] = schema_goal(f.schema, member(f.schema->root, "properties", names[i]), 0);
        const struct goal_node *list = goal_get(f.goals, goals[0]);
        const struct goal_node *one = goal_get(f.goals, goals[1]);
        CHECK_INT(list->kind, GOAL_KIND_REF);
        CHECK_INT(list->a, one->a);
        CHECK(list->b != one->b);
        CHECK_INT(goals[1], goals[2]); /* nobody asks for "j" */
        CHECK_INT(goal_get(f.goals, goals[3])->b, 0);
        goal_id array = goal_specialise(f.goals, goals[0], TYPE_ARRAY);
        CHECK(array != goal_specialise(f.goals, goals[1], TYPE_ARRAY));
    }
    close_text(&f);
}

/* Resources whose anchors can be entered in any combination: the number of scopes has a limit. */
static void test_many_scopes(void) {
    enum { LEVELS = 30 };
    char *text = calloc(1, 1 << 16), *out = text;
    if (!text) return;
    out += sprintf(out, "{\"$ref\":\"u:r0\",\"$defs\":{");
    for (int i = 0; i < LEVELS; i++) {
        out += sprintf(
            out,
            "\"r%d\":{\"$id\":\"u:r%d\",\"type\":\"object\",\"required\":[\"k\"],"
            "\"properties\":{\"k\":{\"anyOf\":[{\"$ref\":\"u:x%d\"},{\"$ref\":\"u:y%d\"}]}}},",
            i, i, i, i);
        for (int k = 'x'; k <= 'y'; k++)
            out += sprintf(out,
                           "\"%c%d\":{\"$id\":\"u:%c%d\",\"$ref\":\"u:r%d\",\"$defs\":{\"d\":{"
                           "\"$dynamicAnchor\":\"a%d\",\"minLength\":%d}}},",
                           k, i, k, i, i + 1, i, k == 'x' ? 1 : 2);
    }
    out +=
        sprintf(out, "\"r%d\":{\"$id\":\"u:r%d\",\"type\":\"string\",\"maxLength\":0,\"allOf\":[",
                LEVELS, LEVELS);
    for (int i = 0; i < LEVELS; i++)
        out += sprintf(out, "%s{\"$dynamicRef\":\"u:y%d#a%d\"}", i ? "," : "", i, i);
    sprintf(out, "]}}}");
    struct forma_error err;
    struct forma_grammar *g = forma_grammar_from_json_schema(text, strlen(text), NULL, NULL, &err);
    CHECK(g == NULL);
    CHECK_INT(err.status, FORMA_ELIMIT);
    CHECK(strstr(err.message, "dynamic") != NULL);
    forma_grammar_free(g);
    free(text);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Loads, makes goals, asks for orders and places. True where nothing failed. */
static bool use(struct fixture *f, size_t fail_after, const char *text,
                const struct forma_document *documents, size_t n_documents, int n_names) {
    bool loaded = open_with(f, fail_after, text, documents, n_documents);
    CHECK(loaded == (f->schema != NULL));
    if (f->goals) CHECK(loaded == (f->err.status == FORMA_OK));
    if (!loaded) {
        if (f->goals) CHECK_INT(f->err.status, FORMA_ELIMIT);
        return false;
    }
    goal_id root = json_schema_root(f->schema);
    for (int t = 0; t < TYPE_COUNT; t++) goal_specialise(f->goals, root, (enum value_type)t);
    const uint32_t *names;
    uint32_t n = json_schema_key_order(f->schema, &root, 1, &names);
    json_schema_pointer(f->schema, 1);
    if (!f->arena.failed) CHECK_INT(n, n_names);
    return !f->arena.failed;
}

/* Every push of the arena fails once. */
static void test_memory(void) {
    static const struct forma_document documents[] = {
        DOCUMENT(NULL, "{\"$id\":\"http://x/tree\",\"$dynamicAnchor\":\"t\",\"properties\":{\"a\":{"
                       "\"$dynamicRef\":\"#t\"}},\"$defs\":{\"s\":{\"$id\":\"s\"}}}"),
        DOCUMENT("http://x/meta",
                 "{\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/core\":true,"
                 "\"https://json-schema.org/draft/2020-12/vocab/applicator\":true}}"),
    };
    static const struct {
        const char *text;
        int n_names;
    } cases[] = {
        {"{\"$id\":\"http://x/y\",\"properties\":{\"a\":{\"enum\":[1,\"x\",{\"k\":[2]}],"
         "\"pattern\":\"a\"},\"b\":{\"$ref\":\"#/$defs/t\"},\"c\":{\"$ref\":\"#q\"}},\"required\":["
         "\"a\",\"z\"],\"additionalProperties\":false,\"anyOf\":[{\"prefixItems\":[{\"minimum\":1}]"
         "},"
         "{}],\"$defs\":{\"t\":{\"type\":\"integer\",\"x\":{}},\"u\":{\"$anchor\":\"q\"}}}",
         4},
        {"{\"$schema\":\"http://x/meta\",\"$id\":\"http://x/z\",\"$dynamicAnchor\":\"t\",\"$ref\":"
         "\"tree\",\"properties\":{\"b\":{\"$ref\":\"s\"},\"c\":{\"$ref\":"
         "\"https://json-schema.org/draft/2020-12/meta/core#/$defs/anchorString\"}}}",
         3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t fail_after = 0;
        bool done = false;
        for (; !done && fail_after < 3000; fail_after++) {
            struct fixture f;
            done = use(&f, fail_after, cases[i].text, documents, 2, cases[i].n_names);
            close_text(&f);
        }
        CHECK(done && fail_after > 20);
    }
}

int main(void) {
    test_uris();
    test_pointers();
    test_foreign_places();
    test_metaschemas();
    test_scopes();
    test_many_scopes();
    test_memory();
    return test_done("references");
}
