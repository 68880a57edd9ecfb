/* SPDX-License-Identifier: MIT
 *
 * tokenizer.json files: the reader of their JSON, small files of many kinds against another
 * implementation's ids, what is refused, failing memory.
 */
#include <cjson/cJSON.h>

#include "base/tokenizer_json.h"
#include "runtime/pretokenizer_pattern.h"
#include "runtime/tokenizer.h"
#include "tests/lib_alloc.h"
#include "tests/test.h"

#define FILES "fixtures/tokenizer/files.jsonl"

/* ---- the reader of JSON -------------------------------------------------------------------- */

static bool skips(const char *text, size_t length, struct forma_error *err) {
    struct arena arena;
    struct json_pull p;
    arena_init(&arena, NULL, 1 << 20);
    pull_begin(&p, text, length, &arena, err);
    bool ok = pull_skip(&p, NULL) && pull_end(&p);
    CHECK_INT(p.status == FORMA_OK, ok);
    arena_destroy(&arena);
    return ok;
}

static void test_skip(void) {
    static const char *const good[] = {"{}", " [ ] ", "[1,-2.5e+3,true,false,null,\"a\\\"]\"]",
                                       "{\"a\":{\"b\":[[],{}]},\"c\":0}", "\"\""};
    static const char *const bad[] = {"",
                                      "[",
                                      "{",
                                      "[1",
                                      "[1,",
                                      "[,]",
                                      "[1,]",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "{1:2}",
                                      "tru",
                                      "nul",
                                      "\"a",
                                      "\"a\\",
                                      "[1]]",
                                      "[1 2]",
                                      "x",
                                      "{\"a\":1 \"b\":2}",
                                      "\xFF"};
    struct forma_error err;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!CHECK(skips(good[i], strlen(good[i]), &err))) fprintf(stderr, "  %s\n", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!CHECK(!skips(bad[i], strlen(bad[i]), &err)) || !CHECK_INT(err.status, FORMA_EMODEL))
            fprintf(stderr, "  %s\n", bad[i]);
    CHECK(!skips("[1,\n x]", 7, &err));
    CHECK(err.line == 2 && err.column == 2 && err.offset == 5);
    static char deep[4000];
    memset(deep, '[', sizeof deep);
    CHECK(!skips(deep, sizeof deep, &err));
    memset(deep + 900, ']', 900);
    CHECK(skips(deep, 1800, &err));
}

static void test_strings(void) {
    static const struct {
        const char *json, *want; /* NULL: refused */
    } cases[] = {
        {"\"plain\"", "plain"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"a\\u00e9\\uD83D\\uDE00z\"", "a\xC3\xA9\xF0\x9F\x98\x80z"},
        {"\"\xC3\xA9\\\\\"", "\xC3\xA9\\"},
        {"\"\\uD83D\"", NULL},
        {"\"\\uD83Dx\"", NULL},
        {"\"\\uDE00\"", NULL},
        {"\"\\uD83D\\u0041\"", NULL},
        {"\"\\u12\"", NULL},
        {"\"\\x\"", NULL},
        {"\"a\nb\"", NULL},
        {"\"\\na\nb\"", NULL},
        {"\"\xC3\"", NULL},
        {"\"\xED\xA0\x80\"", NULL},
        {"7", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        struct json_pull p;
        struct json_string s;
        arena_init(&arena, NULL, 1 << 20);
        pull_begin(&p, cases[i].json, strlen(cases[i].json), &arena, NULL);
        bool ok = pull_string(&p, &s) && pull_end(&p);
        bool right = cases[i].want ? ok && json_string_is(s, cases[i].want) : !ok;
        if (!CHECK(right)) fprintf(stderr, "  %s\n", cases[i].json);
        arena_destroy(&arena);
    }
}

static void test_numbers(void) {
    static const struct {
        const char *json;
        long long want; /* -1: refused */
    } cases[] = {{"0", 0},    {" 42", 42},        {"4294967295", 4294967295},
                 {"-1", -1},  {"4294967296", -1}, {"1.0", -1},
                 {"1e3", -1}, {"\"1\"", -1},      {"99999999999999999999999", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json_pull p;
        uint32_t n = 0;
        pull_begin(&p, cases[i].json, strlen(cases[i].json), NULL, NULL);
        bool ok = pull_u32(&p, &n);
        CHECK_INT(ok ? (long long)n : -1, cases[i].want);
    }
}

/* ---- patterns ------------------------------------------------------------------------------ */

static void test_patterns(void) {
    static const struct {
        const char *pattern, *want; /* NULL: refused */
    } cases[] = {
        {"\\p{Lu}\\p{^N}\\P{Han}", "\\p{Lu}\\P{N}\\P{sc:Han}"},
        {"[^\\r\\n\\d]?(?i:'s)(a|b)", "[^\\x{D}\\x{A}\\p{Nd}]?(?i:'s)(?:a|b)"},
        {"\\u4e00\\x{1F600}\\v\\-", "\\x{4e00}\\x{1F600}\\x{B}\\-"},
        {" ?[!\\]#]{1,3}+", NULL},
        {"(?<name>a)", NULL},
        {"^a", NULL},
        {"a$", NULL},
        {"[[a]b]", NULL},
        {"[a&&b]", NULL},
        {"[^]]", NULL},
        {"[a", NULL},
        {"\\h", NULL},
        {"\\b", NULL},
        {"\\w", NULL},
        {"[\\S]", NULL},
        {"\\p{L", NULL},
        {"\\pL", NULL},
        {"\\u12", NULL},
        {"\\", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[256];
        struct forma_error err;
        struct json_string pattern = {cases[i].pattern, strlen(cases[i].pattern)};
        enum forma_status status = pretokenizer_translate(pattern, out, sizeof out, &err);
        CHECK_INT(status, cases[i].want ? FORMA_OK : FORMA_EUNSUPPORTED);
        if (cases[i].want) CHECK_STR(out, cases[i].want);
    }
    char small[8];
    struct json_string pattern = {"aaaaaaaa", 8};
    CHECK_INT(pretokenizer_translate(pattern, small, sizeof small, NULL), FORMA_EUNSUPPORTED);
}

/* ---- whole files --------------------------------------------------------------------------- */

static void check_row(const struct tokenizer *t, const char *name, const cJSON *row) {
    const char *text = cJSON_GetArrayItem(row, 0)->valuestring;
    for (int way = 1; way <= 2; way++) {
        const cJSON *ids = cJSON_GetArrayItem(row, way);
        struct token_list out = {0};
        enum encode_added which = way == 1 ? ENCODE_SPECIAL : ENCODE_TEXT;
        bool same = tokenizer_encode(t, text, strlen(text), which, &out, NULL) == FORMA_OK &&
                    out.count == (size_t)cJSON_GetArraySize(ids);
        size_t i = 0;
        for (const cJSON *id = ids->child; same && id; id = id->next)
            same = out.ids[i++] == (uint32_t)id->valuedouble;
        if (!CHECK(same)) fprintf(stderr, "  %s, %d: %s\n", name, way, text);
        token_list_destroy(&out);
    }
}

/* Do these tokens spell the text, but perhaps with a space in front? */
static bool spell(const struct tokenizer *t, const uint32_t *ids, size_t n, const char *text,
                  bool space) {
    size_t at = 0, length = strlen(text);
    for (size_t i = 0; i < n; i++) {
        size_t m = 0;
        const unsigned char *bytes = tokenizer_bytes(t, ids[i], &m);
        if (i == 0 && space && m && bytes[0] == ' ' && text[0] != ' ') {
            bytes++;
            m--;
        }
        if (!bytes || m > length - at || memcmp(bytes, text + at, m) != 0) return false;
        at += m;
    }
    return at == length;
}

/* A text that goes on is cut as one that begins, with nothing put in front of it. */
static size_t check_continuation(const struct tokenizer *t, struct continuation *c,
                                 const char *name, const char *text) {
    uint32_t ids[512] = {0}, few[2];
    struct token_list first = {0};
    tokenizer_encode(t, text, strlen(text), ENCODE_TEXT, &first, NULL);
    bool spelled = first.count < 512 && spell(t, first.ids, first.count, text, true);
    size_t n = continuation_encode(c, (const unsigned char *)text, strlen(text), ids, 512);
    if (spelled && !CHECK(spell(t, ids, n, text, false))) fprintf(stderr, "  %s: %s\n", name, text);
    if (spelled && first.count && spell(t, first.ids, first.count, text, false))
        CHECK(n == first.count && memcmp(ids, first.ids, n * sizeof *ids) == 0);
    CHECK_INT(continuation_encode(c, (const unsigned char *)text, strlen(text), few, 2),
              n < 2 ? n : 2);
    CHECK(n < 2 || memcmp(ids, few, sizeof few) == 0);
    token_list_destroy(&first);
    return spelled;
}

static void check_continuations(const struct tokenizer *t, const char *name, const cJSON *rows,
                                size_t *n) {
    struct continuation *c = continuation_new(t, 64, NULL, NULL);
    if (!CHECK(c != NULL)) return;
    for (const cJSON *r = rows->child; r; r = r->next)
        *n += check_continuation(t, c, name, cJSON_GetArrayItem(r, 0)->valuestring);
    continuation_free(c);
}

static void check_memory(const char *text) {
    for (long fail = 1; fail < 1000; fail++) {
        struct counting_allocator c;
        struct forma_error err = {0};
        struct token_list ids = {0};
        counting_allocator_init(&c);
        c.fail_at = fail;
        struct tokenizer *t = tokenizer_from_json(text, strlen(text), &c.allocator, &err);
        CHECK_INT(err.status, t ? FORMA_OK : FORMA_EMEMORY);
        bool done = t != NULL;
        if (t) {
            static const char sample[] = "the caf\xC3\xA9 e\xCC\x81 <x> of";
            for (long more = 1; more < 100; more++) {
                c.fail_at = c.calls + more;
                enum forma_status status =
                    tokenizer_encode(t, sample, sizeof sample - 1, ENCODE_TEXT, &ids, &err);
                if (status == FORMA_OK) break;
                CHECK_INT(status, FORMA_EMEMORY);
                CHECK_INT(ids.count, 0);
            }
            for (long more = 1; more < 100; more++) {
                c.fail_at = c.calls + more;
                struct continuation *go = continuation_new(t, 100, &c.allocator, &err);
                CHECK_INT(err.status, go ? FORMA_OK : FORMA_EMEMORY);
                continuation_free(go);
                if (go) break;
            }
        }
        tokenizer_free(t);
        token_list_destroy(&ids);
        CHECK_INT(c.blocks, 0);
        CHECK_INT(c.bytes, 0);
        if (done) return;
    }
    CHECK(false);
}

static void test_files(void) {
    FILE *file = fopen(FILES, "r");
    if (!CHECK(file != NULL)) return;
    char *line = NULL;
    size_t capacity = 0, n = 0, continued = 0;
    for (; getline(&line, &capacity, file) > 0; n++) {
        cJSON *row = cJSON_Parse(line);
        if (!CHECK(row != NULL)) continue;
        const char *name = cJSON_GetObjectItem(row, "name")->valuestring;
        char *text = cJSON_PrintUnformatted(cJSON_GetObjectItem(row, "file"));
        struct forma_error err = {0};
        struct tokenizer *t = tokenizer_from_json(text, strlen(text), NULL, &err);
        const cJSON *rows = cJSON_GetObjectItem(row, "rows");
        if (CHECK(t != NULL))
            for (const cJSON *r = rows->child; r; r = r->next) check_row(t, name, r);
        else
            fprintf(stderr, "  %s: %s %s\n", name, err.pointer, err.message);
        if (t) check_continuations(t, name, rows, &continued);
        if (!strcmp(name, "nfc") || !strcmp(name, "llama 2")) check_memory(text);
        tokenizer_free(t);
        cJSON_free(text);
        cJSON_Delete(row);
    }
    CHECK(n > 20 && continued > 100);
    free(line);
    fclose(file);
}

#define MODEL(more) "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2}" more "}"
#define BYTE_LEVEL                                                                                 \
    ",\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":false},\"decoder\":{"         \
    "\"type\":"                                                                                    \
    "\"ByteLevel\"}"

static void test_refused(void) {
    static const struct {
        const char *text;
        enum forma_status status;
        const char *pointer, *message;
    } cases[] = {
        {"{}", FORMA_EMODEL, "/model/vocab", "no vocabulary"},
        {MODEL(",\"merges\":[\"a c\"]") BYTE_LEVEL "}", FORMA_EMODEL, "/model/merges",
         "its right side"},
        {MODEL(",\"merges\":[\"a a\"]") BYTE_LEVEL "}", FORMA_EMODEL, "/model/merges",
         "its result"},
        {MODEL(",\"merges\":[\"a b\",[\"a\",\"b\"]]") BYTE_LEVEL "}", FORMA_EMODEL, "/model/merges",
         "twice"},
        {MODEL(",\"merges\":[\"a b c\"]") BYTE_LEVEL "}", FORMA_EMODEL, "", "one space"},
        {MODEL(",\"merges\":[[\"a\"]]") BYTE_LEVEL "}", FORMA_EMODEL, "", "two pieces"},
        {MODEL(",\"merges\":[\"a b\"]") BYTE_LEVEL
         ",\"added_tokens\":[{\"id\":2,\"content\":\"ab\",\"special\":true}]}",
         FORMA_EMODEL, "/model/merges", "control token"},
        {MODEL(",\"dropout\":0.1") BYTE_LEVEL "}", FORMA_EUNSUPPORTED, "/model/dropout", "chance"},
        {MODEL(",\"end_of_word_suffix\":\"</w>\"") BYTE_LEVEL "}", FORMA_EUNSUPPORTED, "/model",
         "suffix"},
        {MODEL("") ",\"decoder\":{\"type\":\"ByteLevel\"}}", FORMA_EUNSUPPORTED, "/pre_tokenizer",
         "nothing makes bytes"},
        {MODEL("") ",\"normalizer\":{\"type\":\"Lowercase\"}}", FORMA_EUNSUPPORTED, "/normalizer",
         "Lowercase"},
        {MODEL("") ",\"pre_tokenizer\":{\"type\":\"Whitespace\"}}", FORMA_EUNSUPPORTED,
         "/pre_tokenizer", "Whitespace"},
        {MODEL("") ",\"pre_tokenizer\":{\"type\":\"Split\",\"behavior\":\"Isolated\",\"pattern\":"
                   "{\"Regex\":\"(\"}}}",
         FORMA_EUNSUPPORTED, "/pre_tokenizer", "PCRE2"},
        {MODEL("") BYTE_LEVEL
         ",\"added_tokens\":[{\"id\":5,\"content\":\"x\",\"single_word\":true}]}",
         FORMA_EUNSUPPORTED, "/added_tokens", "single word"},
        {"{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",-1.0]]}}", FORMA_EUNSUPPORTED,
         "/model/type", "Unigram"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct forma_error err = {0};
        struct tokenizer *t = tokenizer_from_json(cases[i].text, strlen(cases[i].text), NULL, &err);
        CHECK(t == NULL);
        if (!CHECK_INT(err.status, cases[i].status) ||
            !CHECK(strstr(err.message, cases[i].message) != NULL))
            fprintf(stderr, "case %zu: %s: %s\n", i, cases[i].text, err.message);
        CHECK_STR(err.pointer, cases[i].pointer);
        tokenizer_free(t);
    }
}

int main(void) {
    test_skip();
    test_strings();
    test_numbers();
    test_patterns();
    test_files();
    test_refused();
    return test_done("tokenizer_json");
}
