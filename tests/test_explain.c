/* SPDX-License-Identifier: MIT
 *
 * forma_explain_json_schema: a keyword that is called enforced is; every refusal is found; what a
 * report says agrees with a compile, for the schemas of fixtures/cases, too. test_schema_fixtures
 * asks the same of its schemas.
 */
#include "schema/json_text.h"
#include "schema/keywords.h"
#include "tests/lib_alloc.h"
#include "tests/lib_explain.h"
#include "tests/test.h"

static struct forma_options options_of(int draft) {
    struct forma_options o;
    forma_options_init(&o);
    o.style = forma_style_exact();
    if (draft == 30)
        o.dialect = FORMA_DIALECT_OPENAPI_3_0;
    else
        o.draft = (enum forma_draft)draft;
    return o;
}

static bool accepts(const char *schema, const char *text, const struct forma_options *o) {
    struct forma_error err;
    struct forma_grammar *g = forma_grammar_from_json_schema(schema, strlen(schema), NULL, o, &err);
    struct forma_matcher *m = g ? forma_matcher_new(g, NULL, NULL, &err) : NULL;
    if (!CHECK(m != NULL)) fprintf(stderr, "  in %s: %s\n", schema, err.message);
    bool ok = m &&
              forma_matcher_accept_bytes(m, (const unsigned char *)text, strlen(text), NULL) ==
                  FORMA_OK &&
              forma_matcher_accepts_end(m);
    forma_matcher_free(m);
    forma_grammar_free(g);
    return ok;
}

/* ---- enforced means enforced --------------------------------------------------------------- */

/* A schema, and a text that it refuses; with the keyword renamed it accepts that. */
static const struct {
    const char *keyword, *schema, *text;
    int draft; /* 30: OpenAPI 3.0 */
} enforced[] = {
    {"$dynamicRef", "{\"$dynamicRef\":\"#/$defs/a\",\"$defs\":{\"a\":{\"type\":\"null\"}}}", "1",
     2020},
    {"$recursiveRef", "{\"anyOf\":[{\"type\":\"array\"}],\"items\":{\"$recursiveRef\":\"#\"}}",
     "[1]", 2019},
    {"$ref", "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"type\":\"null\"}}}", "1", 2020},
    {"additionalItems", "{\"items\":[true],\"additionalItems\":false}", "[1,2]", 7},
    {"additionalProperties", "{\"additionalProperties\":false}", "{\"a\":1}", 4},
    {"allOf", "{\"allOf\":[true,{\"type\":\"null\"}]}", "1", 7},
    {"anyOf", "{\"anyOf\":[{\"type\":\"null\"}]}", "1", 4},
    {"const", "{\"const\":2}", "1", 6},
    {"contains", "{\"contains\":{\"type\":\"null\"}}", "[1]", 2020},
    {"contentEncoding", "{\"contentEncoding\":\"base64\"}", "\"a\"", 7},
    {"contentMediaType", "{\"contentMediaType\":\"application/json\"}", "\"a\"", 7},
    {"dependencies", "{\"dependencies\":{\"a\":[\"b\"]}}", "{\"a\":1}", 4},
    {"dependentRequired", "{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}", 2019},
    {"dependentSchemas", "{\"dependentSchemas\":{\"a\":{\"minProperties\":2}}}", "{\"a\":1}", 2020},
    {"else", "{\"if\":{\"type\":\"null\"},\"else\":{\"type\":\"array\"}}", "1", 7},
    {"enum", "{\"enum\":[2,\"a\"]}", "1", 2020},
    {"exclusiveMaximum", "{\"exclusiveMaximum\":1}", "1", 6},
    {"exclusiveMinimum", "{\"minimum\":1,\"exclusiveMinimum\":true}", "1", 4},
    {"format", "{\"format\":\"date\"}", "\"2024-02-30\"", 2020},
    {"if", "{\"if\":{\"type\":\"number\"},\"then\":{\"type\":\"null\"}}", "1", 7},
    {"items", "{\"items\":{\"type\":\"null\"}}", "[1]", 2020},
    {"maxContains", "{\"contains\":true,\"maxContains\":1}", "[1,2]", 2019},
    {"maxItems", "{\"maxItems\":0}", "[1]", 2020},
    {"maxLength", "{\"maxLength\":0}", "\"a\"", 2020},
    {"maxProperties", "{\"maxProperties\":0}", "{\"a\":1}", 2020},
    {"maximum", "{\"maximum\":0.5}", "1", 2020},
    {"minContains", "{\"contains\":true,\"minContains\":2}", "[1]", 2020},
    {"minItems", "{\"minItems\":2}", "[1]", 2020},
    {"minLength", "{\"minLength\":2}", "\"a\"", 2020},
    {"minProperties", "{\"minProperties\":2}", "{\"a\":1}", 2020},
    {"minimum", "{\"minimum\":1.5}", "1", 2020},
    {"multipleOf", "{\"multipleOf\":2}", "1", 2020},
    {"not", "{\"not\":{\"type\":\"number\"}}", "1", 2020},
    {"nullable", "{\"not\":{\"type\":\"string\",\"nullable\":true}}", "null", 30},
    {"oneOf", "{\"oneOf\":[true,{\"type\":\"number\"}]}", "1", 2020},
    {"pattern", "{\"pattern\":\"b\"}", "\"a\"", 2020},
    {"patternProperties", "{\"patternProperties\":{\"^a\":false}}", "{\"a\":1}", 2020},
    {"prefixItems", "{\"prefixItems\":[{\"type\":\"null\"}]}", "[1]", 2020},
    {"properties", "{\"properties\":{\"a\":false}}", "{\"a\":1}", 2020},
    {"propertyNames", "{\"propertyNames\":{\"maxLength\":0}}", "{\"a\":1}", 6},
    {"required", "{\"required\":[\"b\"]}", "{\"a\":1}", 2020},
    {"then", "{\"if\":{\"type\":\"number\"},\"then\":{\"type\":\"null\"}}", "1", 7},
    {"type", "{\"type\":\"string\"}", "1", 2020},
    {"unevaluatedItems", "{\"unevaluatedItems\":false}", "[1]", 2020},
    {"unevaluatedProperties", "{\"unevaluatedProperties\":false}", "{\"a\":1}", 2019},
    {"uniqueItems", "{\"uniqueItems\":true}", "[1,1]", 2020},
};

/* The rule of a keyword that occurs once. */
static const struct told_rule *rule_of(const struct told *t, const char *keyword) {
    const struct told_rule *found = NULL;
    for (size_t i = 0; i < t->n; i++)
        if (!strcmp(t->rules[i].keyword, keyword)) found = &t->rules[i];
    return found;
}

static void test_enforced(void) {
    bool seen[KEYWORD_COUNT] = {false};
    for (size_t i = 0; i < sizeof enforced / sizeof *enforced; i++) {
        const char *keyword = enforced[i].keyword, *schema = enforced[i].schema;
        struct forma_options o = options_of(enforced[i].draft);
        char quoted[64], other[256];
        snprintf(quoted, sizeof quoted, "\"%s\":", keyword);
        const char *at = strstr(schema, quoted);
        if (!CHECK(at != NULL)) continue;
        snprintf(other, sizeof other, "%.*s\"x-%s", (int)(at - schema), schema, at + 1);
        struct told t;
        told_init(&t, schema, strlen(schema), &o);
        const struct told_rule *r = rule_of(&t, keyword);
        const struct keyword_info *k = keyword_find_any(keyword, strlen(keyword));
        bool ok = CHECK(r && r->status == FORMA_RULE_ENFORCED && *r->reason) && CHECK(k != NULL);
        ok &= CHECK(!accepts(schema, enforced[i].text, &o));
        ok &= CHECK(accepts(other, enforced[i].text, &o));
        ok &= CHECK(told_agrees(schema, strlen(schema), &o));
        ok &= CHECK(told_agrees(other, strlen(other), &o));
        if (!ok) fprintf(stderr, "  in %s, %s\n", schema, enforced[i].text);
        if (k) seen[k->id] = true;
        told_free(&t);
    }
    const struct keyword_info *k;
    for (size_t i = 0; (k = keyword_at(i)) != NULL; i++) {
        bool restricts = k->status == KEYWORD_ENFORCED || k->status == KEYWORD_COMPANION;
        if (!CHECK(seen[k->id] == restricts) || !CHECK(*keyword_meaning(k)))
            fprintf(stderr, "  of '%s'\n", k->word);
    }
}

/* ---- each status --------------------------------------------------------------------------- */

static const struct {
    const char *schema, *pointer, *keyword, *status, *reason;
    int draft;
} told[] = {
    {"{\"properties\":{\"a\":{\"format\":\"date\"}}}", "/properties/a", "format", "enforced",
     "a language of strings: RFC 3339, section 5.6: full-date", 2020},
    {"{\"format\":\"color\"}", "", "format", "annotation", "unknown format 'color'", 2020},
    {"{\"title\":\"a\"}", "", "title", "annotation", "restricts nothing", 2020},
    {"{\"contentEncoding\":\"base64\"}", "", "contentEncoding", "annotation",
     "only draft 7 makes it a demand", 2020},
    {"{\"contentEncoding\":\"hex\"}", "", "contentEncoding", "annotation", "only base64 is known",
     7},
    {"{\"contentEncoding\":\"hex\",\"contentMediaType\":\"application/json\"}", "",
     "contentMediaType", "annotation", "it is not known how the string is encoded", 7},
    {"{\"contentMediaType\":\"text/plain\"}", "", "contentMediaType", "annotation",
     "only application/json is known", 7},
    {"{\"$ref\":\"#/$defs/a~1b\",\"$defs\":{\"a/b\":{\"type\":\"null\"}}}", "", "$ref", "enforced",
     "leads to /$defs/a~1b", 2020},
    {"{\"items\":{\"$ref\":\"#\"}}", "/items", "$ref", "enforced", "leads to the root", 2020},
    {"{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":true}}", "", "$ref", "enforced", "leads to true",
     2020},
    {"{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"type\":\"null\"}}}", "/$defs/a", "type",
     "enforced", "values of these types", 2020},
    {"{\"$defs\":{\"a\":{\"type\":\"null\"}}}", "/$defs/a", "type", "unused",
     "nothing leads to this schema", 2020},
    {"{\"then\":{\"type\":\"null\"}}", "/then", "type", "unused", "nothing leads to this schema",
     7},
    {"{\"then\":{}}", "", "then", "ignored", "no 'if' beside it", 7},
    {"{\"if\":{\"type\":\"null\"}}", "", "if", "ignored", "neither 'then' nor 'else' beside it", 7},
    {"{\"if\":{\"type\":\"null\"}}", "", "if", "structure",
     "neither 'then' nor 'else' beside it: it only tells what is evaluated", 2019},
    {"{\"if\":true,\"else\":false}", "", "if", "enforced", "decides between 'then' and 'else'", 7},
    {"{\"minContains\":1}", "", "minContains", "ignored", "no 'contains' beside it", 2020},
    {"{\"items\":{},\"additionalItems\":false}", "", "additionalItems", "ignored",
     "no 'items' with a list beside it", 7},
    {"{\"additionalItems\":false}", "", "additionalItems", "ignored", "no keyword of draft 2020-12",
     2020},
    {"{\"exclusiveMaximum\":true}", "", "exclusiveMaximum", "ignored", "no 'maximum' beside it", 4},
    {"{\"nullable\":true}", "", "nullable", "ignored", "no 'type' beside it", 30},
    {"{\"nullable\":true}", "", "nullable", "ignored",
     "a keyword of OpenAPI 3.0 only (the dialect openapi-3.0 knows it)", 4},
    {"{\"$ref\":\"#/definitions/a\",\"type\":\"null\",\"definitions\":{\"a\":{}}}", "", "type",
     "ignored", "it stands beside '$ref' in draft 7", 7},
    {"{\"items\":{\"$ref\":\"#\",\"$id\":\"http://a/b\"}}", "/items", "$id", "ignored",
     "it stands beside '$ref' in draft 6", 6},
    {"{\"$ref\":\"#/definitions/a\",\"typ\":1,\"definitions\":{\"a\":{}}}", "", "typ", "unknown",
     "no keyword of any draft", 4},
    {"{\"requird\":[]}", "", "requird", "unknown", "did you mean 'required'?", 2020},
    {"{\"$schema\":\"http://json-schema.org/draft-07/schema#\"}", "", "$schema", "structure",
     "draft 7", 2020},
    {"{\"$anchor\":\"a\"}", "", "$anchor", "structure", "names this schema", 2020},
    {"{\"anyOf\":[{\"type\":\"null\"},{\"$ref\":\"#\"}]}", "/anyOf/1", "$ref", "never",
     "it leads back to itself without going into a member or item", 2020},
    {"{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"string\",\"minLength\":2,\"maxLength\":1}]}",
     "/anyOf/1", "", "never", "no string meets all of its rules (lengths, pattern, format, enum)",
     2020},
    {"{\"type\":\"string\",\"minLength\":2,\"maxLength\":1}", "", "", "never",
     "no string meets all of its rules (lengths, pattern, format, enum)", 2020},
    {"false", "", "", "never", "no value satisfies the schema: it is false; relax it", 2020},
    {"{\"pattern\":\"(a)\\\\1\"}", "", "pattern", "refused",
     "a backreference (\\1) is not supported: the texts that match one are no regular language; "
     "write out the alternatives (byte 3 of the pattern)",
     2020},
    {"{\"$ref\":\"http://a/b\"}", "", "$ref", "refused",
     "'$ref' to 'http://a/b': no schema or document is known by the name 'http://a/b', and nothing "
     "is fetched; supply it as a document (--ref)",
     2020},
};

static void test_statuses(void) {
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const char *schema = told[i].schema;
        struct forma_options o = options_of(told[i].draft);
        struct told t;
        told_init(&t, schema, strlen(schema), &o);
        const struct told_rule *r = told_find(&t, told[i].pointer, told[i].keyword);
        bool ok = CHECK(r != NULL) && CHECK_STR(forma_strrule(r->status), told[i].status);
        if (r) ok &= CHECK_STR(r->reason, told[i].reason);
        ok &= CHECK(told_agrees(schema, strlen(schema), &o));
        if (!ok) fprintf(stderr, "  in %s\n", schema);
        told_free(&t);
    }
    struct forma_options o = options_of(7);
    struct told t;
    static const char schema[] = "{\"format\":\"date\",\"contentEncoding\":\"base64\"}";
    o.formats = FORMA_FORMATS_ANNOTATE;
    told_init(&t, schema, strlen(schema), &o);
    CHECK_INT(told_count(&t, FORMA_RULE_ANNOTATION), 2);
    for (size_t i = 0; i < t.n; i++)
        CHECK_STR(t.rules[i].reason, "formats are annotations here (--formats annotate)");
    CHECK_STR(t.draft, "7");
    told_free(&t);
}

/* Other texts: their pointers begin with their URI; what is not reached is not told. */
static void test_documents(void) {
    static const struct forma_document documents[] = {
        {"http://a/one", "{\"type\":\"array\",\"$defs\":{\"x\":{\"const\":1},\"y\":{}}}", 49},
        {"http://a/two", "{\"type\":\"null\"}", 15},
        {"http://a/bad", "{\"type\"", 7},
    };
    static const char schema[] = "{\"$ref\":\"http://a/one\"}";
    static const char bad[] = "{\"$ref\":\"http://a/bad\",\"items\":{\"minItems\":-1}}";
    struct forma_options o = options_of(2020);
    struct told t;
    o.documents = documents;
    o.n_documents = 3;
    CHECK_INT(strlen(documents[0].text), documents[0].length);
    told_init(&t, schema, strlen(schema), &o);
    CHECK_INT(t.n, 4);
    const struct told_rule *r = told_find(&t, "http://a/one#", "type");
    CHECK(r && r->status == FORMA_RULE_ENFORCED);
    r = told_find(&t, "http://a/one#/$defs/x", "const");
    CHECK(r && r->status == FORMA_RULE_UNUSED);
    told_free(&t);
    told_init(&t, bad, strlen(bad), &o);
    r = told_find(&t, "", "$ref");
    CHECK(r && r->status == FORMA_RULE_REFUSED &&
          strstr(r->reason, "http://a/bad 1:8: ") == r->reason);
    r = told_find(&t, "/items", "minItems");
    CHECK(r && r->status == FORMA_RULE_REFUSED);
    CHECK_INT(told_count(&t, FORMA_RULE_REFUSED), 2);
    told_free(&t);
    CHECK(told_agrees(bad, strlen(bad), &o));
}

/* ---- all refusals -------------------------------------------------------------------------- */

static void test_refusals(void) {
    static const struct {
        const char *schema;
        size_t n;
        const char *places; /* what the reasons begin with */
        int draft;
    } cases[] = {
        {"{\"type\":[\"x\",\"null\",\"y\",\"null\"],\"minLength\":-1}", 4, "/0: /2: /3: '", 2020},
        {"{\"required\":[\"a\",1,\"a\",2]}", 3, "/1: /2: /3: ", 2020},
        {"{\"allOf\":[1,{\"pattern\":\"(\"},2,{\"$ref\":\"#/x\"}]}", 4, "/0: /2: a '", 2020},
        {"{\"properties\":{\"a\":1,\"b\":{\"enum\":1},\"c\":2}}", 3, "/a: /c: '", 2020},
        {"{\"patternProperties\":{\"(\":{},\"a\":1,\"[\":{}}}", 3, "/a: /(: /[: ", 2020},
        {"{\"patternProperties\":[1,2]}", 1, "'", 2020},
        {"{\"dependencies\":{\"a\":[1],\"b\":2,\"c\":[\"x\",\"x\"]}}", 3, "/a/0: /b: /c/1: ", 7},
        {"{\"items\":[{\"type\":\"x\"}]}", 1, "a", 2020}, /* not below what is refused */
        {"{\"$schema\":\"http://a/none\",\"minItems\":\"1\"}", 2, "the '", 2020},
        {"{\"minLength\":1e30,\"maxLength\":1e30,\"minItems\":1e30}", 2, "' '", 2020},
        {"{\"contentMediaType\":\"application/json\",\"contentEncoding\":\"base64\"}", 1, "the ",
         7},
        {"{\"$dynamicRef\":\"#/x\",\"$ref\":7,\"format\":1}", 3, "' ' '", 2020},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *schema = cases[i].schema, *place = cases[i].places;
        struct forma_options o = options_of(cases[i].draft);
        struct told t;
        told_init(&t, schema, strlen(schema), &o);
        bool ok = CHECK_INT(told_count(&t, FORMA_RULE_REFUSED), cases[i].n);
        for (size_t k = 0; k < t.n; k++) {
            if (t.rules[k].status != FORMA_RULE_REFUSED) continue;
            size_t n = strcspn(place, " ");
            ok &= CHECK(!strncmp(t.rules[k].reason, place, n));
            place += n + (place[n] == ' ');
        }
        ok &= CHECK(told_agrees(schema, strlen(schema), &o));
        for (size_t k = 0; !ok && k < t.n; k++)
            fprintf(stderr, "  %s %s: %s\n", t.rules[k].pointer, t.rules[k].keyword,
                    t.rules[k].reason);
        told_free(&t);
    }
    static const char *const none[] = {"[1]", "{\"a\":", "1", "{\"a\":1,\"a\":2}"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) { /* about no keyword */
        struct told t;
        told_init(&t, none[i], strlen(none[i]), NULL);
        CHECK(t.status == FORMA_ESCHEMA && t.n == 0);
        CHECK(told_agrees(none[i], strlen(none[i]), NULL));
        told_free(&t);
    }
}

/* ---- limits, memory ------------------------------------------------------------------------ */

static void test_limits(void) {
    static const char schema[] =
        "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/x\"},\"b\":{\"pattern\":\"(\"}},"
        "\"$defs\":{\"x\":{\"title\":\"t\"}}}";
    static const char hard[] = "{\"not\":{\"required\":[\"a\"]},\"minProperties\":2}";
    struct forma_options o = options_of(2020);
    struct told t;
    o.max_nodes = 2;
    told_init(&t, schema, strlen(schema), &o);
    CHECK(t.status == FORMA_ELIMIT && t.n == 0);
    told_free(&t);
    o = options_of(2020);
    o.max_bytes = 10;
    told_init(&t, schema, strlen(schema), &o);
    CHECK(t.status == FORMA_ELIMIT && t.n == 0);
    told_free(&t);
    o = options_of(2020);
    o.max_work = 1; /* the search is cut, but the keywords are known */
    told_init(&t, hard, strlen(hard), &o);
    CHECK(t.status != FORMA_ELIMIT || t.n == 3);
    told_free(&t);
    struct counting_allocator c;
    for (long fail_at = 1;; fail_at++) {
        counting_allocator_init(&c);
        o = options_of(2020);
        o.allocator = &c.allocator;
        c.fail_at = fail_at;
        told_init(&t, schema, strlen(schema), &o);
        CHECK_INT(c.blocks, 0);
        bool whole = t.status == FORMA_ESCHEMA;
        CHECK(whole ? t.n == 5 : t.status == FORMA_EMEMORY && t.n == 0);
        told_free(&t);
        if (whole) break;
    }
}

/* ---- the schemas of fixtures/cases --------------------------------------------------------- */

/* The end of a JSON value that is known to be one. */
static size_t end_of(const char *text, size_t at) {
    size_t depth = 0;
    for (bool string = false;; at++) {
        if (string && text[at] == '\\') at++;
        if (text[at] == '"') string = !string;
        if (string) continue;
        depth += text[at] == '{' || text[at] == '[';
        if (text[at] == '}' || text[at] == ']') depth--;
        if (depth == 0) return at + 1;
    }
}

static size_t test_line(const char *line, size_t length) {
    struct arena arena;
    struct json_limits limits = {SIZE_MAX, 1000};
    size_t tested = 0;
    if (!CHECK(arena_init(&arena, NULL, (size_t)1 << 26))) return 0;
    const struct json_value *v = json_parse(&arena, line, length, &limits, NULL);
    const struct json_value *schema = v ? json_find(v, "schema") : NULL;
    const struct json_value *draft = v ? json_find(v, "draft") : NULL;
    if (schema && schema->kind == JSON_OBJECT) {
        size_t end = end_of(line, schema->offset);
        char *text = strndup(line + schema->offset, end - schema->offset);
        struct forma_options o = options_of(draft && draft->text ? atoi(draft->text) : 2020);
        if (text && !CHECK(told_agrees(text, strlen(text), &o))) fprintf(stderr, "  in %s\n", text);
        free(text);
        tested = 1;
    }
    arena_destroy(&arena);
    return tested;
}

static void test_cases(void) {
    static const char *const files[] = {"naive_arrays",  "naive_logic",      "naive_numbers",
                                        "naive_objects", "naive_references", "naive_unevaluated",
                                        "random",        "random_numbers"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[80], *line = NULL;
        size_t capacity = 0;
        ssize_t length;
        snprintf(path, sizeof path, "fixtures/cases/%s.jsonl", files[i]);
        FILE *file = fopen(path, "r");
        if (!CHECK(file != NULL)) continue;
        while ((length = getline(&line, &capacity, file)) > 0) n += test_line(line, (size_t)length);
        free(line);
        fclose(file);
    }
    CHECK(n > 300);
}

int main(void) {
    test_enforced();
    test_statuses();
    test_documents();
    test_refusals();
    test_limits();
    test_cases();
    return test_done("explain");
}
