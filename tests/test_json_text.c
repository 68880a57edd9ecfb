/* SPDX-License-Identifier: MIT
 *
 * The JSON reader: what it reads, where and how it refuses, large objects, equality, pointers,
 * failing memory.
 */
#include "schema/json_text.h"
#include "tests/test.h"

static const struct json_limits limits = {1 << 20, 50};

struct fixture {
    struct arena a;
    struct forma_error err;
};

static void setup(struct fixture *f) {
    CHECK(arena_init(&f->a, NULL, (size_t)1 << 28));
}

static const struct json_value *parse_n(struct fixture *f, const char *text, size_t length) {
    return json_parse(&f->a, text, length, &limits, &f->err);
}

static const struct json_value *parse(struct fixture *f, const char *text) {
    return parse_n(f, text, strlen(text));
}

static void test_tree(void) {
    struct fixture f;
    setup(&f);
    const struct json_value *v =
        parse(&f, "\xEF\xBB\xBF {\"b\": [1, 2.50, null, {}], \"a\\u0000\": "
                  "\"\\ud83d\\ude00\\n\", \"t\": true, \"f\":false}");
    if (CHECK(v != NULL)) {
        CHECK_INT(v->kind, JSON_OBJECT);
        CHECK_INT(v->count, 4);
        CHECK_INT(v->offset, 4);
        CHECK_STR(v->members[0].name, "b");
        const struct json_value *b = json_find(v, "b"), *s = json_find_n(v, "a\0", 2);
        CHECK_INT(b->kind, JSON_ARRAY);
        CHECK_INT(b->count, 4);
        CHECK_STR(b->items[1].text, "2.50");
        CHECK_INT(b->items[1].number.n_digits, 2);
        CHECK_INT(b->items[1].offset, 14);
        CHECK_INT(b->items[2].kind, JSON_NULL);
        CHECK_INT(b->items[3].kind, JSON_OBJECT);
        CHECK_INT(b->items[3].count, 0);
        CHECK_STR(s->text, "\xF0\x9F\x98\x80\n");
        CHECK_INT(s->length, 5);
        CHECK(json_find(v, "a") == NULL);
        CHECK(json_find(b, "b") == NULL);
        CHECK_INT(json_find(v, "t")->kind, JSON_TRUE);
        CHECK_INT(json_find(v, "f")->kind, JSON_FALSE);
    }
    v = parse(&f, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uFFFF\"");
    if (CHECK(v != NULL)) CHECK_STR(v->text, "\"\\/\b\f\n\r\t\xC3\xA9\xEF\xBF\xBF");
    CHECK(parse(&f, " 0 ") != NULL);
    CHECK(parse(&f, "\"\"") != NULL);
    arena_destroy(&f.a);
}

static void test_errors(void) {
    static const struct {
        const char *text;
        enum forma_status status;
        size_t line, column;
        const char *says;
    } cases[] = {
        {"", FORMA_ESCHEMA, 1, 1, "empty"},
        {" \n ", FORMA_ESCHEMA, 2, 2, "empty"},
        {"{\"a\": 1,\n \"a\": 2}", FORMA_ESCHEMA, 2, 2, "second member named \"a\""},
        {"{\"\": 1, \"\": 2}", FORMA_ESCHEMA, 1, 9, "second member"},
        {"{\"a\":1,\"\\u0061\":2}", FORMA_ESCHEMA, 1, 8, "second member"},
        {"{\"1\":1,\"2\":1,\"3\":1,\"4\":1,\"5\":1,\"6\":1,\"7\":1,\"8\":1,\"9\":1,\"5\":1}",
         FORMA_ESCHEMA, 1, 56, "named \"5\""},
        {"\"\\ud800\"", FORMA_ESCHEMA, 1, 2, "lone surrogate"},
        {"\"\\udc00\"", FORMA_ESCHEMA, 1, 2, "lone surrogate"},
        {"\"\\ud800\\u0041\"", FORMA_ESCHEMA, 1, 2, "lone surrogate"},
        {"\"a\xC3(\"", FORMA_ESCHEMA, 1, 3, "UTF-8"},
        {"\"\xED\xA0\x80\"", FORMA_ESCHEMA, 1, 2, "UTF-8"},
        {"\"a\tb\"", FORMA_ESCHEMA, 1, 3, "control character 0x09"},
        {"\"abc", FORMA_ESCHEMA, 1, 1, "closing quote"},
        {"\"\\x\"", FORMA_ESCHEMA, 1, 3, "after the backslash"},
        {"\"\\u12g4\"", FORMA_ESCHEMA, 1, 6, "hexadecimal"},
        {"\"\\", FORMA_ESCHEMA, 1, 3, "ends early"},
        {"[1] 2", FORMA_ESCHEMA, 1, 5, "follows"},
        {"[1,]", FORMA_ESCHEMA, 1, 4, "a JSON value"},
        {"[1 2]", FORMA_ESCHEMA, 1, 4, "',' or ']'"},
        {"[1}", FORMA_ESCHEMA, 1, 3, "',' or ']'"},
        {"{\"a\":1,}", FORMA_ESCHEMA, 1, 8, "member name"},
        {"{a:1}", FORMA_ESCHEMA, 1, 2, "member name"},
        {"{\"a\" 1}", FORMA_ESCHEMA, 1, 6, "':'"},
        {"{\"a\":}", FORMA_ESCHEMA, 1, 6, "a JSON value"},
        {"[", FORMA_ESCHEMA, 1, 2, "ends early"},
        {"nul", FORMA_ESCHEMA, 1, 1, "a JSON value"},
        {"NaN", FORMA_ESCHEMA, 1, 1, "a JSON value"},
        {"01", FORMA_ESCHEMA, 1, 1, "not a JSON number"},
        {"1.", FORMA_ESCHEMA, 1, 1, "not a JSON number"},
        {"-", FORMA_ESCHEMA, 1, 1, "not a JSON number"},
        {"// x\n1", FORMA_ESCHEMA, 1, 1, "a JSON value"},
        {"[1e999999999999999999]", FORMA_ELIMIT, 1, 2, "too long"},
        {"\xFF", FORMA_ESCHEMA, 1, 1, "0xFF"},
        {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", FORMA_ELIMIT, 1, 51, "50 deep"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        setup(&f);
        CHECK(parse(&f, cases[i].text) == NULL);
        bool ok = CHECK_INT(f.err.status, cases[i].status);
        ok = CHECK_INT(f.err.line, cases[i].line) && ok;
        ok = CHECK_INT(f.err.column, cases[i].column) && ok;
        ok = CHECK(strstr(f.err.message, cases[i].says) != NULL) && ok;
        ok = CHECK(!strchr(f.err.message, '\n')) && ok;
        if (!ok) fprintf(stderr, "  %s: %s\n", cases[i].text, f.err.message);
        arena_destroy(&f.a);
    }
    struct fixture f;
    setup(&f);
    CHECK(parse_n(&f, "1\0", 2) == NULL);
    CHECK_INT(f.err.column, 2);
    CHECK(parse(&f, "{\"a\\n\\u0000b\":1,\"a\\n\\u0000b\":1}") == NULL);
    CHECK(!strchr(f.err.message, '\n'));
    struct json_limits small = {3, 50};
    CHECK(json_parse(&f.a, "[1, 2]", 6, &small, &f.err) == NULL);
    CHECK_INT(f.err.status, FORMA_ELIMIT);
    CHECK(json_parse(&f.a, "1 x", 3, &limits, NULL) == NULL);
    arena_destroy(&f.a);
}

static void test_large(void) {
    enum { MEMBERS = 20000 };
    struct fixture f;
    char *text = malloc(MEMBERS * 24), name[24];
    size_t n = 0;
    setup(&f);
    text[n++] = '{';
    for (int i = 0; i < MEMBERS; i++)
        n += (size_t)sprintf(text + n, "%s\"name%d\":%d", i ? "," : "", i, i);
    text[n++] = '}';
    const struct json_value *v = parse_n(&f, text, n);
    if (CHECK(v != NULL))
        for (int i = 0; i < MEMBERS; i++) {
            sprintf(name, "name%d", i);
            const struct json_value *m = json_find(v, name);
            if (!m || atoi(m->text) != i) CHECK(m && atoi(m->text) == i);
        }
    CHECK(v && !json_find(v, "name"));
    arena_destroy(&f.a);
    free(text);
}

static void test_equality(void) {
    static const struct {
        const char *a, *b;
        bool equal;
    } cases[] = {
        {"1", "1.0", true},
        {"100", "1e2", true},
        {"1", "2", false},
        {"0", "-0.0", true},
        {"0", "false", false},
        {"null", "null", true},
        {"\"a\"", "\"\\u0061\"", true},
        {"\"a\"", "\"b\"", false},
        {"[1,2]", "[1,2.0]", true},
        {"[1,2]", "[2,1]", false},
        {"[]", "{}", false},
        {"[[]]", "[]", false},
        {"{\"a\":1,\"b\":[2]}", "{\"b\":[2e0],\"a\":1}", true},
        {"{\"a\":1}", "{\"a\":1,\"b\":1}", false},
        {"{\"a\":1}", "{\"b\":1}", false},
        {"{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}", false},
        {"9007199254740993", "9007199254740992", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        setup(&f);
        const struct json_value *x = parse(&f, cases[i].a), *y = parse(&f, cases[i].b);
        if (CHECK(x && y)) {
            CHECK(json_equal(x, y) == cases[i].equal);
            CHECK(json_equal(y, x) == cases[i].equal);
            CHECK((json_hash(x) == json_hash(y)) == cases[i].equal);
        }
        arena_destroy(&f.a);
    }
}

static void test_pointer(void) {
    char p[16] = "";
    json_pointer_push(p, sizeof p, "a/b", 3);
    json_pointer_push_index(p, sizeof p, 12);
    CHECK_STR(p, "/a~1b/12");
    json_pointer_push(p, sizeof p, "~x", 2);
    CHECK_STR(p, "/a~1b/12/~0x");
    json_pointer_push(p, sizeof p, "long name", 9);
    CHECK_STR(p, "/a~1b/12/~0x/lo");
    json_pointer_push(p, sizeof p, "more", 4);
    CHECK_STR(p, "/a~1b/12/~0x/lo");
}

static void test_no_memory(void) {
    static const char text[] =
        "{\"a\":[1,2,{\"b\":\"text\"}],\"c\":{\"1\":1,\"2\":2,\"3\":3,\"4\":4,"
        "\"5\":5,\"6\":6,\"7\":7,\"8\":8,\"9\":9,\"10\":10}}";
    bool whole = false;
    for (size_t n = 0; !whole && n < 1000; n++) {
        struct fixture f;
        setup(&f);
        f.a.fail_after = n;
        whole = parse(&f, text) != NULL;
        CHECK(whole == !f.a.failed);
        if (!whole) CHECK_INT(f.err.status, FORMA_ELIMIT);
        arena_destroy(&f.a);
    }
    CHECK(whole);
}

int main(void) {
    test_tree();
    test_errors();
    test_large();
    test_equality();
    test_pointer();
    test_no_memory();
    return test_done("json_text");
}
