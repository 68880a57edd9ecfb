/* SPDX-License-Identifier: MIT
 *
 * The JSON Schema reader: which texts load, which errors they give and where, which goals keywords
 * become (compared with goals made by hand in the same store: equal goals have equal ids), and the
 * declared key order. References have their own program, test_references.c.
 */
#include <time.h>

#include "automaton/number.h"
#include "base/error.h"
#include "schema/internal.h"
#include "schema/formats.h"
#include "schema/keywords.h"
#include "tests/lib_schema.h"
#include "tests/test.h"

static const char *status_name(enum forma_status status) {
    switch (status) {
    case FORMA_OK: return "ok";
    case FORMA_ESCHEMA: return "schema";
    case FORMA_EUNSUPPORTED: return "unsupported";
    case FORMA_ELIMIT: return "limit";
    case FORMA_EMEMORY: return "memory";
    default: return "other";
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void test_keywords(void) {
    static const char *const words[] = {
#define X(identifier, word, first, last, status, place) word,
        KEYWORD_MAP(X)
#undef X
    };
    size_t n = sizeof words / sizeof *words;
    for (size_t i = 0; i < n; i++) {
        const struct keyword_info *k = keyword_find_any(words[i], strlen(words[i]));
        if (CHECK(k != NULL)) CHECK_INT(k->id, i);
        if (i) CHECK(strcmp(words[i - 1], words[i]) < 0);
    }
    CHECK(!keyword_find_any("typ", 3));
    CHECK(!keyword_find_any("type\0", 5));
    CHECK(!keyword_find_any("", 0));
    CHECK(!keyword_find("const", 5, DIALECT_4));
    CHECK(keyword_find("const", 5, DIALECT_6) != NULL);
    CHECK(!keyword_find("prefixItems", 11, DIALECT_2019));
    CHECK(!keyword_find("additionalItems", 15, DIALECT_2020));
    CHECK_INT(format_find("uuid", 4), FORMAT_UUID);
    CHECK_INT(format_find("uuidx", 5), FORMAT_COUNT);
    CHECK_INT(format_find("int32", 5), FORMAT_COUNT);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Status, pointer, and a part of the message. draft 0: 2020-12. */
static const struct error_case {
    const char *schema, *status, *pointer, *message;
    int draft;
} error_cases[] = {
    /* what a schema is */
    {"3", "schema", "", "object or a boolean", 0},
    {"{\"properties\":{\"a\":3}}", "schema", "/properties/a", "object or a boolean", 0},
    {"{\"properties\":[]}", "schema", "/properties", "must be an object", 0},
    {"{\"items\":[]}", "schema", "/items", "prefixItems", 0},
    {"{\"items\":[true]}", "ok", "", "", 7},
    {"{\"items\":[1]}", "schema", "/items/0", "object or a boolean", 7},
    {"{\"items\":3}", "schema", "/items", "object or a boolean", 0},
    {"{\"prefixItems\":[]}", "schema", "/prefixItems", "at least one", 0},
    {"{\"allOf\":[]}", "schema", "/allOf", "at least one", 0},
    {"{\"anyOf\":{}}", "schema", "/anyOf", "array", 0},
    {"{\"anyOf\":[{},{\"allOf\":[1]}]}", "schema", "/anyOf/1/allOf/0", "object or a boolean", 0},
    {"{\"additionalProperties\":1}", "schema", "/additionalProperties", "boolean", 0},
    {"{\"$defs\":[]}", "schema", "/$defs", "object", 0},
    /* values */
    {"{\"type\":\"int\"}", "schema", "/type", "must be one of", 0},
    {"{\"type\":[]}", "schema", "/type", "at least one", 0},
    {"{\"type\":[\"string\",\"x\"]}", "schema", "/type/1", "must be one of", 0},
    {"{\"type\":[\"null\",\"string\",\"null\"]}", "schema", "/type/2", "twice", 0},
    {"{\"type\":{}}", "schema", "/type", "list", 0},
    {"{\"enum\":{}}", "schema", "/enum", "array", 0},
    {"{\"enum\":[]}", "ok", "", "", 0},
    {"{\"required\":true}", "schema", "/required", "array of names", 0},
    {"{\"required\":[\"a\",1]}", "schema", "/required/1", "string", 0},
    {"{\"required\":[\"a\",\"b\",\"a\"]}", "schema", "/required/2", "'a' stands there twice", 0},
    {"{\"allOf\":[{\"required\":[\"a\"]},{\"required\":[\"a\"]}]}", "ok", "", "", 0},
    {"{\"required\":[]}", "ok", "", "", 0},
    {"{\"minimum\":\"3\"}", "schema", "/minimum", "number", 0},
    {"{\"multipleOf\":0}", "schema", "/multipleOf", "greater than 0", 0},
    {"{\"multipleOf\":-2}", "schema", "/multipleOf", "greater than 0", 0},
    {"{\"exclusiveMinimum\":true}", "schema", "/exclusiveMinimum", "number", 0},
    {"{\"exclusiveMinimum\":1}", "schema", "/exclusiveMinimum", "boolean in draft 4", 4},
    {"{\"exclusiveMinimum\":true,\"minimum\":1}", "ok", "", "", 4},
    {"{\"minLength\":-1}", "schema", "/minLength", "non-negative integer", 0},
    {"{\"minLength\":1.5}", "schema", "/minLength", "non-negative integer", 0},
    {"{\"minLength\":1.0}", "ok", "", "", 0},
    {"{\"maxLength\":1e400}", "ok", "", "", 0},
    {"{\"minLength\":9223372036854775808}", "ok", "", "", 0},
    {"{\"minItems\":1e400}", "limit", "/minItems", "beyond 64 bits", 0},
    {"{\"minItems\":\"1\"}", "schema", "/minItems", "non-negative integer", 0},
    {"{\"pattern\":1}", "schema", "/pattern", "string", 0},
    {"{\"properties\":{\"a\":{\"pattern\":\"a(\"}}}", "schema", "/properties/a/pattern",
     "of the pattern)", 0},
    /* references */
    {"{\"$ref\":1}", "schema", "/$ref", "string", 0},
    {"{\"$ref\":\"#/a\"}", "schema", "/$ref", "nothing at that place", 0},
    {"{\"$ref\":\"#/minLength\",\"minLength\":1}", "schema", "/$ref", "no schema", 0},
    {"{\"$ref\":\"#/$defs/~2\",\"$defs\":{\"~2\":{}}}", "schema", "/$ref", "'~'", 0},
    {"{\"$ref\":\"#a\"}", "schema", "/$ref", "no anchor", 0},
    {"{\"$ref\":\"#a\",\"$defs\":{\"x\":{\"$anchor\":\"a\"},\"y\":{\"$anchor\":\"a\"}}}", "schema",
     "/$ref", "several", 0},
    {"{\"$ref\":\"other.json\"}", "unsupported", "/$ref", "the name is relative", 0},
    {"{\"$ref\":\"urn:other\"}", "unsupported", "/$ref", "nothing is fetched", 0},
    {"{\"$ref\":\"u:x\",\"$defs\":{\"a\":{\"$id\":\"u:x\"},\"b\":{\"$id\":\"u:x\"}}}", "ok", "", "",
     0},
    {"{\"$ref\":\"u:x\",\"$defs\":{\"a\":{\"$id\":\"u:x\"},\"b\":{\"$id\":\"u:x\",\"minimum\":1}}}",
     "schema", "/$ref", "several", 0},
    {"{\"$ref\":\"#/anyOf/01\",\"anyOf\":[true,true]}", "schema", "/$ref", "nothing", 0},
    {"{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"type\":3}}}", "schema", "/$defs/a/type", "type",
     0},
    {"{\"$ref\":\"#/x/y/z\",\"x\":{\"y\":{\"z\":{\"not\":1}}}}", "schema", "/x/y/z/not", "boolean",
     0},
    {"{\"$ref\":\"#/x/a~1b\",\"x\":{\"a/b\":{\"items\":{\"not\":3}}}}", "schema",
     "/x/a~1b/items/not", "boolean", 0},
    /* what is not reached is not checked */
    {"{\"$defs\":{\"a\":{\"type\":3,\"not\":1}}}", "ok", "", "", 0},
    {"{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$ref\":\"#/definitions/a\","
     "\"oneOf\":3,\"definitions\":{\"a\":{}}}",
     "ok", "", "", 0},
    /* dialects */
    {"{\"$schema\":\"http://example.com/mine\"}", "unsupported", "/$schema", "mine", 0},
    {"{\"$schema\":7}", "schema", "/$schema", "string", 0},
    {"{\"$schema\":\"http://json-schema.org/draft-07/schema\",\"items\":[{}]}", "ok", "", "", 0},
    {"{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"items\":[{}]}", "schema",
     "/items", "prefixItems", 7},
    /* values of keywords */
    {"{\"oneOf\":[{},3]}", "schema", "/oneOf/1", "boolean", 0},
    {"{\"oneOf\":[]}", "schema", "/oneOf", "at least one", 0},
    {"{\"not\":[]}", "schema", "/not", "boolean", 0},
    {"{\"not\":false}", "ok", "", "", 0},
    {"{\"if\":{},\"then\":7}", "schema", "/then", "boolean", 0},
    {"{\"if\":{},\"then\":{}}", "ok", "", "", 6},
    {"{\"if\":{}}", "ok", "", "", 0},
    {"{\"then\":7}", "ok", "", "", 0},
    {"{\"dependentRequired\":{\"a\":[\"b\",\"b\"]}}", "schema", "/dependentRequired/a/1", "twice",
     0},
    {"{\"dependentRequired\":{\"a\":{}}}", "schema", "/dependentRequired/a", "array", 0},
    {"{\"dependentRequired\":{\"a\":[]}}", "ok", "", "", 0},
    {"{\"dependentSchemas\":{\"a\":[\"b\"]}}", "schema", "/dependentSchemas/a", "boolean", 0},
    {"{\"dependentSchemas\":{\"a\":true}}", "ok", "", "", 0},
    {"{\"dependencies\":{\"a\":[\"b\",1]}}", "schema", "/dependencies/a/1", "string", 7},
    {"{\"dependencies\":{\"a\":\"b\"}}", "schema", "/dependencies/a", "boolean", 7},
    {"{\"dependencies\":{\"a\":[\"b\"]}}", "ok", "", "", 0},
    {"{\"patternProperties\":{\"a\":{},\"b(\":{}}}", "schema", "/patternProperties/b(",
     "(byte 1 of the pattern)", 0},
    {"{\"patternProperties\":{}}", "ok", "", "", 0},
    {"{\"propertyNames\":{\"maxLength\":-1}}", "schema", "/propertyNames/maxLength", "non-negative",
     0},
    {"{\"propertyNames\":{\"maxLength\":1}}", "ok", "", "", 4},
    {"{\"minProperties\":1.5}", "schema", "/minProperties", "non-negative", 0},
    {"{\"minProperties\":0}", "ok", "", "", 0},
    {"{\"minProperties\":-1}", "schema", "/minProperties", "non-negative", 0},
    {"{\"maxProperties\":\"3\"}", "schema", "/maxProperties", "non-negative", 0},
    {"{\"contains\":1}", "schema", "/contains", "boolean", 0},
    {"{\"contains\":{},\"minContains\":-1}", "schema", "/minContains", "non-negative", 0},
    {"{\"contains\":{},\"minContains\":0}", "ok", "", "", 0},
    {"{\"minContains\":2,\"maxContains\":3}", "ok", "", "", 0},
    {"{\"uniqueItems\":true}", "ok", "", "", 0},
    {"{\"uniqueItems\":false}", "ok", "", "", 0},
    {"{\"uniqueItems\":\"yes\"}", "schema", "/uniqueItems", "boolean", 0},
    {"{\"unevaluatedProperties\":false}", "ok", "", "", 0},
    {"{\"unevaluatedProperties\":1}", "schema", "/unevaluatedProperties", "boolean", 0},
    {"{\"unevaluatedItems\":[]}", "schema", "/unevaluatedItems", "boolean", 2019},
    {"{\"unevaluatedItems\":[]}", "ok", "", "", 7},
    {"{\"$dynamicRef\":\"#\"}", "ok", "", "", 0},
    {"{\"$dynamicRef\":\"#a\"}", "schema", "/$dynamicRef", "no anchor", 0},
    {"{\"$dynamicRef\":1}", "schema", "/$dynamicRef", "string", 0},
    {"{\"$recursiveRef\":\"#\"}", "ok", "", "", 2019},
    {"{\"$recursiveRef\":\"#/$defs/a\",\"$defs\":{\"a\":{}}}", "schema", "/$recursiveRef", "'$ref'",
     2019},
    {"{\"$recursiveRef\":1}", "ok", "", "", 0},
    {"{\"format\":\"date\"}", "ok", "", "", 4},
    {"{\"format\":\"int32\"}", "ok", "", "", 0},
    {"{\"format\":3}", "schema", "/format", "string", 0},
    {"{\"items\":{\"properties\":{\"a~b\":{\"not\":1}}}}", "schema", "/items/properties/a~0b/not",
     "boolean", 0},
    /* other dialects */
    {"{\"const\":1,\"$defs\":{\"a\":{}}}", "ok", "", "", 4},
    {"{\"prefixItems\":3}", "ok", "", "", 7},
};

static void test_errors(void) {
    for (size_t i = 0; i < sizeof error_cases / sizeof *error_cases; i++) {
        const struct error_case *c = &error_cases[i];
        struct fixture f;
        open_text(&f, c->schema, strlen(c->schema),
                  c->draft ? (enum forma_draft)c->draft : FORMA_DRAFT_2020_12);
        bool ok = CHECK_STR(status_name(f.err.status), c->status);
        ok &= CHECK_STR(f.err.pointer, c->pointer);
        ok &= CHECK(strstr(f.err.message, c->message) != NULL);
        ok &= CHECK((f.schema != NULL) == (f.err.status == FORMA_OK));
        if (!ok) fprintf(stderr, "  in %s\n  message: %s\n", c->schema, f.err.message);
        close_text(&f);
    }
}

static void test_texts(void) {
    static const struct {
        const char *text;
        size_t length, line, column;
    } cases[] = {
        {"", 0, 1, 1},
        {"{\n \"a\": }", 10, 2, 7},
        {"{\"a\":1,\"a\":2}", 13, 1, 8},
        {"{\"a\":\"\xFF\"}", 9, 1, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        CHECK(!open_text(&f, cases[i].text, cases[i].length, FORMA_DRAFT_2020_12));
        CHECK_INT(f.err.status, FORMA_ESCHEMA);
        CHECK_INT(f.err.line, cases[i].line);
        CHECK_INT(f.err.column, cases[i].column);
        close_text(&f);
    }
}

/* Words that are not known: which of them look like a slip? */
static void test_slips(void) {
    static const struct {
        const char *word, *meant; /* NULL: none, it is a note only */
        int draft;
    } cases[] = {
        {"requird", "required", 2020},
        {"reqiured", "required", 2020},
        {"requireds", "required", 2020},
        {"requared", "required", 2020},
        {"Required", "required", 2020},
        {"additionalproperties", "additionalProperties", 7},
        {"additional_properties", "additionalProperties", 7},
        {"oneof", "oneOf", 4},
        {"ENUM", "enum", 4},
        {"ref", "$ref", 2020},
        {"minContain", "minContains", 2020},
        {"minContain", NULL, 7}, /* there it is no keyword */
        {"reqird", NULL, 2020},  /* two letters */
        {"typ", NULL, 2020},     /* too short to tell */
        {"enums", NULL, 2020},
        {"example", NULL, 2020}, /* an annotation is meant */
        {"titel", NULL, 2020},
        {"x-required", NULL, 2020},
        {"X-enum", NULL, 2020},
        {"_required", NULL, 2020}, /* set aside */
        {"//pattern", NULL, 2020},
        {"", NULL, 2020},
        {"patternPropertiespatternPropertiespatternPropertiespatternProperties", NULL, 2020},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char schema[160], message[160];
        struct fixture f;
        snprintf(schema, sizeof schema, "{\"items\":{\"%s\":[]}}", cases[i].word);
        snprintf(message, sizeof message, "unknown word '%s' is ignored%s%s%s", cases[i].word,
                 cases[i].meant ? ": did you mean '" : "", cases[i].meant ? cases[i].meant : "",
                 cases[i].meant ? "'?" : "");
        CHECK(open_text(&f, schema, strlen(schema), (enum forma_draft)cases[i].draft));
        CHECK_INT(f.n_notes, 1);
        CHECK_INT(f.notes[0].level, cases[i].meant ? 0 : 1);
        CHECK_STR(f.notes[0].message, message);
        close_text(&f);
    }
    struct fixture f; /* the keyword is there, too: then the other word is somebody's own */
    CHECK(open_2020(&f, "{\"items\":{\"required\":[\"a\"],\"requires\":[\"b\"]}}"));
    CHECK_INT(f.n_notes, 1);
    CHECK_INT(f.notes[0].level, 1);
    close_text(&f);
}

/* A root that says much and restricts nothing. */
static void test_open_roots(void) {
    static const struct {
        const char *schema, *message; /* a part of it; NULL: no warning */
    } cases[] = {
        {"true", NULL},
        {"{}", NULL},
        {"{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"urn:a\","
         "\"$comment\":\"c\",\"title\":\"t\",\"description\":\"d\",\"x-own\":1}",
         NULL},
        {"{\"$defs\":{}}", NULL},
        {"{\"properties\":{},\"word\":1}", NULL}, /* who writes it knows what it does */
        {"{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{}},\"word\":1}", NULL},
        {"{\"items\":{\"word\":1}}", NULL},
        {"{\"word\":1}", "it has no keyword that does"},
        {"{\"$defs\":{\"a\":{\"type\":\"null\"}}}", "it has definitions only"},
        {"{\"openapi\":\"3.1.0\",\"paths\":{}}", "URI=FILE, and a schema {\"$ref\": "
                                                 "\"URI#/components/schemas/NAME\"}"},
        {"{\"openapi\":\"3.0.3\",\"paths\":{}}", "URI=FILE and --dialect openapi-3.0, and"},
        {"{\"components\":{\"schemas\":{}}}", "a document of OpenAPI"},
        {"{\"swagger\":\"2.0\",\"definitions\":{\"a\":{}}}", "URI#/definitions/NAME"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        size_t warnings = 0;
        bool found = false;
        CHECK(open_2020(&f, cases[i].schema));
        for (size_t n = 0; n < f.n_notes; n++) {
            warnings += f.notes[n].level == 0;
            found |= cases[i].message && f.notes[n].level == 0 && !*f.notes[n].pointer &&
                     strstr(f.notes[n].message, "the schema restricts nothing: ") &&
                     strstr(f.notes[n].message, cases[i].message);
        }
        bool ok = CHECK_INT(warnings, cases[i].message != NULL);
        ok &= CHECK(found == (cases[i].message != NULL));
        if (!ok) fprintf(stderr, "  in %s\n", cases[i].schema);
        close_text(&f);
    }
}

static void test_notes(void) {
    static const struct {
        const char *schema;
        int level;
        const char *pointer, *message;
        int draft;
    } cases[] = {
        {"{\"properties\":{\"a\":{\"x-a\":1}}}", 1, "/properties/a/x-a",
         "unknown word 'x-a' is ignored", 2020},
        {"{\"const\":1}", 0, "/const", "'const' is ignored: no keyword of draft 4", 4},
        {"{\"items\":{\"title\":\"x\"}}", 1, "/items/title",
         "annotation 'title' has no effect on the form", 2020},
        {"{\"items\":{\"$ref\":\"#\",\"default\":1}}", 1, "/items/default",
         "annotation 'default' has no effect on the form", 7},
        {"{\"then\":{}}", 1, "/then", "'then' is ignored: no 'if' beside it", 7},
        {"{\"format\":\"int32\"}", 1, "/format",
         "annotation 'format' has no effect on the form: unknown format 'int32'", 2020},
        {"{\"allOf\":[{\"$ref\":\"#/definitions/"
         "a\",\"type\":\"null\"}],\"definitions\":{\"a\":{}}}",
         0, "/allOf/0/type", "'type' is ignored: it stands beside '$ref' in draft 7", 7},
        {"{\"anyOf\":[true,{\"$ref\":\"#\"}]}", 0, "/anyOf/1/$ref",
         "'$ref' holds for no value: it leads back to itself without going into a member or item",
         2020},
        {"{\"type\":\"string\",\"nullable\":true}", 0, "/nullable",
         "'nullable' is ignored: a keyword of OpenAPI 3.0 only (the dialect openapi-3.0 knows it)",
         2020},
        {"{\"dependencies\":{}}", 1, "/dependencies",
         "'dependencies' is enforced: a keyword of draft 7, as later drafts allow", 2020},
        {"{\"$schema\":\"http://json-schema.org/schema#\"}", 0, "/$schema",
         "'$schema': 'http://json-schema.org/schema#' names no draft; read as draft 6", 6},
        {"{\"$schema\":\"https://json-schema.org/draft/2020-12/meta/core\",\"minimum\":1}", 1,
         "/minimum", "'minimum' is ignored: of a vocabulary that '$schema' turns off", 2020},
        {"{\"$id\":\"#a\"}", 0, "/$id", "the fragment of '$id' is ignored; '$anchor' names a place",
         2020},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        CHECK(open_text(&f, cases[i].schema, strlen(cases[i].schema),
                        (enum forma_draft)cases[i].draft));
        CHECK_INT(f.n_notes, 1);
        CHECK_INT(f.notes[0].level, cases[i].level);
        CHECK_STR(f.notes[0].pointer, cases[i].pointer);
        CHECK_STR(f.notes[0].message, cases[i].message);
        close_text(&f);
    }
    struct fixture f;
    static const char annotated[] =
        "{\"title\":1,\"description\":2,\"default\":3,\"examples\":4,\"$comment\":5,"
        "\"readOnly\":6,\"writeOnly\":7,\"deprecated\":8,\"contentEncoding\":9,\"$defs\":{}}";
    CHECK(open_text(&f, annotated, strlen(annotated), FORMA_DRAFT_2020_12));
    CHECK_INT(f.n_notes, 9);
    CHECK_INT(json_schema_root(f.schema), GOAL_TRUE);
    close_text(&f);
}

/* ---- goals ----------------------------------------------------------------------------------- */

static goal_id root_as(struct fixture *f, enum value_type t) {
    return goal_specialise(f->goals, json_schema_root(f->schema), t);
}

static goal_id key(struct fixture *f, const char *name, goal_id g, bool sign) {
    uint32_t class = key_class_name(f->goals, goal_name(f->goals, name, strlen(name)));
    return goal_specialise(f->goals, goal_count_keys(f->goals, class, g, 1, sign), TYPE_OBJECT);
}

static goal_id items(struct fixture *f, uint64_t first, uint64_t last, goal_id g, uint64_t n,
                     bool sign) {
    return goal_specialise(f->goals, goal_count_items(f->goals, first, last, g, n, sign),
                           TYPE_ARRAY);
}

static goal_id string_of(struct fixture *f, term_id t) {
    return goal_specialise(f->goals, goal_string(f->goals, t), TYPE_STRING);
}

static void test_goals(void) {
    struct fixture f;
    if (open_2020(&f, "{\"type\":[\"object\",\"null\"],\"required\":[\"a\"]}")) {
        CHECK_INT(root_as(&f, TYPE_NULL), GOAL_TRUE);
        CHECK_INT(root_as(&f, TYPE_STRING), GOAL_FALSE);
        CHECK_INT(root_as(&f, TYPE_NUMBER), GOAL_FALSE);
        CHECK_INT(root_as(&f, TYPE_OBJECT), key(&f, "a", GOAL_TRUE, true));
    }
    close_text(&f);
    if (open_2020(
            &f, "{\"properties\":{\"a\":{\"type\":\"null\"},\"b\":{},\"c\":{\"title\":\"x\"}}}")) {
        CHECK_INT(root_as(&f, TYPE_NULL), GOAL_TRUE);
        goal_id g = root_as(&f, TYPE_OBJECT);
        const struct goal_node *n = goal_get(f.goals, g);
        CHECK_INT(n->kind, GOAL_KIND_PREDICATE); /* b and c restrict nothing */
        CHECK(!n->sign);
        const struct predicate *p = predicate_get(f.goals, n->a);
        CHECK_INT(goal_get(f.goals, p->goal)->kind, GOAL_KIND_REF);
        CHECK_INT(goal_specialise(f.goals, p->goal, TYPE_NULL), GOAL_FALSE);
        CHECK_INT(goal_specialise(f.goals, p->goal, TYPE_STRING), GOAL_TRUE);
    }
    close_text(&f);
    if (open_2020(&f, "{\"prefixItems\":[true,false],\"items\":false,\"minItems\":1.0,"
                      "\"maxItems\":9223372036854775808}")) {
        goal_id want[] = {
            items(&f, 1, 1, GOAL_TRUE, 1, false),
            items(&f, 2, INDEX_UNBOUNDED, GOAL_TRUE, 1, false),
            items(&f, 0, INDEX_UNBOUNDED, GOAL_TRUE, 1, true),
            items(&f, 0, INDEX_UNBOUNDED, GOAL_TRUE, UINT64_C(9223372036854775809), false)};
        CHECK_INT(root_as(&f, TYPE_ARRAY), goal_and(f.goals, want, 4));
    }
    close_text(&f);
    if (open_2020(&f, "{\"minLength\":2,\"maxLength\":3}")) {
        struct regex_store *r = goal_store_regex(f.goals);
        CHECK_INT(root_as(&f, TYPE_STRING),
                  goal_and2(f.goals, string_of(&f, regex_min_length(r, 2)),
                            string_of(&f, regex_not(r, regex_min_length(r, 4)))));
        CHECK_INT(root_as(&f, TYPE_NUMBER), GOAL_TRUE);
    }
    close_text(&f);
    if (open_2020(&f, "{\"enum\":[null,\"a\",true,\"b\",{\"k\":[1]},[]]}")) {
        struct regex_store *r = goal_store_regex(f.goals);
        const unsigned char *const texts[] = {(const unsigned char *)"b",
                                              (const unsigned char *)"a"};
        CHECK_INT(root_as(&f, TYPE_STRING),
                  string_of(&f, regex_literal_set(r, texts, (const size_t[]){1, 1}, 2)));
        CHECK_INT(root_as(&f, TYPE_NULL), GOAL_TRUE);
        CHECK_INT(root_as(&f, TYPE_NUMBER), GOAL_FALSE);
        CHECK(goal_holds_boolean(f.goals, root_as(&f, TYPE_BOOLEAN), true));
        CHECK(!goal_holds_boolean(f.goals, root_as(&f, TYPE_BOOLEAN), false));
        CHECK_INT(root_as(&f, TYPE_ARRAY), items(&f, 0, INDEX_UNBOUNDED, GOAL_TRUE, 1, false));
        const struct goal_node *n = goal_get(f.goals, root_as(&f, TYPE_OBJECT));
        CHECK_INT(n->kind, GOAL_KIND_AND);
    }
    close_text(&f);
    CHECK(open_text(&f, "false", 5, FORMA_DRAFT_7));
    CHECK_INT(json_schema_root(f.schema), GOAL_FALSE);
    close_text(&f);
}

/* Are the two schemas of an anyOf one goal? (If not, they differ for a type too.) */
static void test_same_goals(void) {
    static const struct {
        const char *schema;
        int draft;
        bool same;
        enum value_type type; /* where they differ */
    } cases[] = {
        {"{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"null\",\"title\":\"x\",\"y\":1}]}", 2020,
         true, TYPE_NULL},
        {"{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"string\"}]}", 2020, false, TYPE_NULL},
        {"{\"anyOf\":[{\"properties\":{\"a\":{\"minimum\":1}}},"
         "{\"properties\":{\"a\":{\"minimum\":1.0,\"title\":\"t\"}}}]}",
         2020, true, TYPE_NULL},
        {"{\"anyOf\":[{\"properties\":{\"title\":{\"minimum\":1}}},{\"properties\":{}}]}", 2020,
         false, TYPE_OBJECT},
        {"{\"anyOf\":[{\"enum\":[{\"title\":1}]},{\"enum\":[{}]}]}", 2020, false, TYPE_OBJECT},
        {"{\"anyOf\":[{\"$ref\":\"#/$defs/a\"},{\"$ref\":\"#x\"}],"
         "\"$defs\":{\"a\":{\"$anchor\":\"x\",\"minimum\":1}}}",
         2020, true, TYPE_NULL},
        {"{\"anyOf\":[{\"$ref\":\"#/$defs/a%25~1%7e0b\"},{\"minimum\":1}],"
         "\"$defs\":{\"a%/~b\":{\"minimum\":1}}}",
         2020, true, TYPE_NULL},
        {"{\"$id\":\"http://x/root\",\"anyOf\":[{\"$ref\":\"sub#/$defs/b\"},"
         "{\"$ref\":\"#/$defs/a/$defs/b\"}],\"$defs\":{\"a\":{\"$id\":\"sub\","
         "\"$defs\":{\"b\":{\"minimum\":1}}}}}",
         2020, true, TYPE_NULL},
        {"{\"anyOf\":[{\"$ref\":\"#foo\"},{\"minimum\":1}],"
         "\"definitions\":{\"a\":{\"$id\":\"#foo\",\"minimum\":1}}}",
         7, true, TYPE_NULL},
        {"{\"anyOf\":[{\"$ref\":\"#foo\"},{\"minimum\":1}],"
         "\"definitions\":{\"a\":{\"id\":\"#foo\",\"minimum\":1}}}",
         4, true, TYPE_NULL},
        /* the base changes what the same reference means */
        {"{\"$id\":\"http://x/r\",\"anyOf\":[{\"$ref\":\"p\"},{\"$ref\":\"q\"}],\"$defs\":{"
         "\"p\":{\"$id\":\"p\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/t\"}},"
         "\"$defs\":{\"t\":{\"type\":\"null\"}}},"
         "\"q\":{\"$id\":\"q\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/t\"}},"
         "\"$defs\":{\"t\":{\"type\":\"string\"}}}}}",
         2020, false, TYPE_OBJECT},
        /* an identifier inside a constant or an unknown word names nothing */
        {"{\"anyOf\":[{\"$ref\":\"#/$defs/a\"},{\"minimum\":1}],\"x\":{\"$anchor\":\"q\"},"
         "\"const\":{\"$id\":\"u:v\"},\"$defs\":{\"a\":{\"minimum\":1}}}",
         2020, true, TYPE_NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        if (!CHECK(open_text(&f, cases[i].schema, strlen(cases[i].schema),
                             (enum forma_draft)cases[i].draft))) {
            fprintf(stderr, "  in %s: %s\n", cases[i].schema, f.err.message);
        } else {
            const struct json_value *list = json_find(f.schema->root, "anyOf");
            goal_id a = schema_goal(f.schema, &list->items[0], 0);
            goal_id b = schema_goal(f.schema, &list->items[1], 0);
            if (!cases[i].same) {
                a = goal_specialise(f.goals, a, cases[i].type);
                b = goal_specialise(f.goals, b, cases[i].type);
            }
            if (!CHECK((a == b) == cases[i].same)) fprintf(stderr, "  in %s\n", cases[i].schema);
        }
        close_text(&f);
    }
}

/* ---- key order ------------------------------------------------------------------------------- */

static void order_text(struct fixture *f, goal_id g, char *out, size_t size) {
    const uint32_t *names;
    uint32_t n = json_schema_key_order(f->schema, &g, 1, &names);
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < n; i++) {
        size_t length;
        const char *name = goal_name_text(f->goals, names[i], &length);
        used +=
            (size_t)snprintf(out + used, size - used, "%s%.*s", i ? " " : "", (int)length, name);
    }
}

static void test_order(void) {
    static const struct {
        const char *schema, *want;
    } cases[] = {
        {"{\"properties\":{\"b\":{},\"a\":{}}}", "b a"},
        {"{\"required\":[\"z\",\"a\",\"y\"],\"properties\":{\"b\":{},\"a\":{}}}", "b a z y"},
        {"{\"allOf\":[{\"properties\":{\"c\":{},\"a\":{}}}],\"properties\":{\"b\":{},\"a\":{}}}",
         "c a b"},
        {"{\"properties\":{\"b\":{},\"a\":{}},\"anyOf\":[{\"properties\":{\"d\":{}},"
         "\"required\":[\"r\"]},{\"$ref\":\"#/$defs/x\"},{\"properties\":{\"c\":{}}}],"
         "\"$defs\":{\"x\":{\"required\":[\"q\"],\"properties\":{\"x\":{}}}}}",
         "b a d x c r q"},
        {"{\"$defs\":{\"x\":{\"properties\":{\"x\":{}},\"$ref\":\"#\"}},"
         "\"allOf\":[{\"$ref\":\"#/$defs/x\"}],\"properties\":{\"y\":{}}}",
         "x y"},
        {"{\"enum\":[{\"q\":1,\"a\":{\"z\":1}},{\"b\":1,\"q\":2}]}", "q a b"},
        {"{\"type\":\"string\"}", ""},
        {"true", ""},
    };
    char got[128];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        if (open_2020(&f, cases[i].schema)) {
            order_text(&f, json_schema_root(f.schema), got, sizeof got);
            CHECK_STR(got, cases[i].want);
            order_text(&f, json_schema_root(f.schema), got, sizeof got);
            CHECK_STR(got, cases[i].want);
        }
        close_text(&f);
    }
    /* Formulas: by the place of the schemas in the text, whichever goal was made first. */
    struct fixture f;
    if (open_2020(&f, "{\"properties\":{\"p\":{\"properties\":{\"b\":{},\"a\":{\"const\":{\"y\":1,"
                      "\"x\":2}}}},\"q\":{\"properties\":{\"c\":{},\"a\":{}}}}}")) {
        const struct json_value *p = json_find(json_find(f.schema->root, "properties"), "p");
        const struct json_value *q = json_find(json_find(f.schema->root, "properties"), "q");
        goal_id gq = schema_goal(f.schema, q, 0), gp = schema_goal(f.schema, p, 0);
        order_text(&f, goal_and2(f.goals, gq, goal_not(f.goals, gp)), got, sizeof got);
        CHECK_STR(got, "b a c");
        const uint32_t *names;
        CHECK_INT(json_schema_key_order(f.schema, (const goal_id[]){gq, gp}, 2, &names), 3);
        /* A constant inside a constant has no schema: its names stand in the formula. */
        const struct json_value *a = json_find(json_find(p, "properties"), "a");
        goal_id as_object = goal_specialise(f.goals, schema_goal(f.schema, a, 0), TYPE_OBJECT);
        order_text(&f, as_object, got, sizeof got);
        CHECK_STR(got, "y x");
    }
    close_text(&f);
}

/* ---- size ------------------------------------------------------------------------------------ */

struct text {
    char *data;
    size_t length, capacity;
};

static void put(struct text *t, const char *what) {
    size_t n = strlen(what);
    if (t->length + n + 1 > t->capacity) {
        t->capacity = t->capacity ? t->capacity * 2 + n : 4096;
        t->data = realloc(t->data, t->capacity);
        if (!t->data) abort();
    }
    memcpy(t->data + t->length, what, n + 1);
    t->length += n;
}

static void put_repeated(struct text *t, const char *what, int n) {
    for (int i = 0; i < n; i++) put(t, what);
}

/* Loads; the CPU seconds that it took, or -1 (then with the error in f). */
static double load_seconds(struct fixture *f, const struct text *t, size_t max_nesting) {
    if (!open_stores(f, SIZE_MAX)) return -1;
    f->options.max_nesting = max_nesting;
    clock_t start = clock();
    f->schema = json_schema_load(f->goals, t->data, t->length, &f->options, &f->err);
    return f->schema ? (double)(clock() - start) / CLOCKS_PER_SEC : -1;
}

enum shape { SHAPE_PROPERTIES, SHAPE_ALL_OF, SHAPE_REFS, SHAPE_ENUM, SHAPE_IDS, SHAPE_EQUAL };

static void make_shape(struct text *t, enum shape shape) {
    char line[256];
    static const char *const begin[] = {"{\"properties\":{\"x\":true",
                                        "{\"allOf\":[true",
                                        "{\"$defs\":{\"d\":{\"type\":\"null\"}},\"allOf\":[true",
                                        "{\"enum\":[0",
                                        "{\"$id\":\"http://example.com/a/b\",\"$defs\":{\"x\":true",
                                        "{\"anyOf\":[true"};
    static const char *const end[] = {"}}", "]}", "]}", "]}", "}}", "]}"};
    put(t, begin[shape]);
    for (int i = 0; t->length < 1000000; i++) {
        switch (shape) {
        case SHAPE_PROPERTIES:
            snprintf(line, sizeof line, ",\"key%d\":{\"type\":\"string\",\"maxLength\":%d}", i, i);
            break;
        case SHAPE_ALL_OF: snprintf(line, sizeof line, ",{\"required\":[\"k%d\"]}", i); break;
        case SHAPE_REFS: snprintf(line, sizeof line, ",{\"$ref\":\"#/$defs/d\"}"); break;
        case SHAPE_ENUM:
            if (i % 30)
                snprintf(line, sizeof line, ",\"v%d\",%d", i, i);
            else
                snprintf(line, sizeof line, ",{\"k%d\":%d}", i, i);
            break;
        case SHAPE_IDS:
            snprintf(line, sizeof line, ",\"k%d\":{\"$id\":\"c%d\",\"$anchor\":\"a\"}", i, i);
            break;
        case SHAPE_EQUAL:
            snprintf(line, sizeof line, ",{\"properties\":{\"a\":{\"minimum\":1}}}");
            break;
        }
        put(t, line);
    }
    put(t, end[shape]);
}

/* Far from what a quadratic step would take (minutes), far above what is normal. */
#define SECONDS_FOR_A_MEGABYTE 2.0

static void test_large(void) {
    for (int shape = SHAPE_PROPERTIES; shape <= SHAPE_EQUAL; shape++) {
        struct fixture f;
        struct text t = {NULL, 0, 0};
        make_shape(&t, (enum shape)shape);
        double seconds = load_seconds(&f, &t, 1000);
        CHECK(seconds >= 0 && seconds < SECONDS_FOR_A_MEGABYTE);
        if (getenv("TEST_TIMES"))
            printf("  shape %d: %.1f ms, %.1f MB\n", shape, seconds * 1e3,
                   (double)f.arena.used / 1e6);
        if (f.schema) {
            clock_t start = clock();
            goal_specialise(f.goals, json_schema_root(f.schema), TYPE_OBJECT);
            const uint32_t *names;
            goal_id root = json_schema_root(f.schema);
            json_schema_key_order(f.schema, &root, 1, &names);
            seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
            CHECK(seconds < SECONDS_FOR_A_MEGABYTE && !f.arena.failed);
            if (getenv("TEST_TIMES")) printf("    goals: %.1f ms\n", seconds * 1e3);
        }
        close_text(&f);
        free(t.data);
    }
}

/* Objects and arrays in each other: under the cap of the JSON reader, 10,000. */
#define DEPTH 4900

static void test_deep(void) {
    static const struct {
        const char *open, *middle, *close;
    } cases[] = {
        {"{\"items\":", "{}", "}"},
        {"{\"allOf\":[", "{}", "]}"},
        {"{\"const\":{\"x\":", "1", "}}"},
        {"{\"properties\":{\"a/b\":", "{\"not\":1}", "}}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text t = {NULL, 0, 0};
        put_repeated(&t, cases[i].open, DEPTH);
        put(&t, cases[i].middle);
        put_repeated(&t, cases[i].close, DEPTH);
        struct fixture f;
        CHECK(load_seconds(&f, &t, 1000) < 0);
        CHECK_INT(f.err.status, FORMA_ELIMIT);
        close_text(&f);
        load_seconds(&f, &t, 100000);
        if (i == 3) {
            CHECK_INT(f.err.status, FORMA_ESCHEMA);
            CHECK_INT(strlen(f.err.pointer), sizeof f.err.pointer - 1);
        } else {
            if (!CHECK_INT(f.err.status, FORMA_OK))
                fprintf(stderr, "  %zu: %s\n", i, f.err.message);
            if (f.schema) goal_specialise(f.goals, json_schema_root(f.schema), TYPE_OBJECT);
        }
        close_text(&f);
        free(t.data);
    }
    /* An equality goal as deep as its constant. */
    struct text t = {NULL, 0, 0};
    put(&t, "{\"const\":");
    put_repeated(&t, "[{\"a\":", 4900);
    put(&t, "null");
    put_repeated(&t, "}]", 4900);
    put(&t, "}");
    struct fixture f;
    CHECK(load_seconds(&f, &t, 100000) >= 0);
    if (f.schema) CHECK(goal_specialise(f.goals, json_schema_root(f.schema), TYPE_ARRAY) > 2);
    CHECK(!f.arena.failed);
    close_text(&f);
    free(t.data);
}

int main(void) {
    test_keywords();
    test_errors();
    test_texts();
    test_notes();
    test_slips();
    test_open_roots();
    test_goals();
    test_same_goals();
    test_order();
    test_large();
    test_deep();
    return test_done("schema");
}
