/* SPDX-License-Identifier: MIT
 *
 * Vocabularies from bytes and from each kind of tokenizer file (fixtures/vocabularies, made by
 * scripts/make_vocabularies.py), and what is refused.
 */
#include "tokenmask/vocabulary.h"

#include "tests/lib_alloc.h"
#include "tests/test.h"

#define DIR "fixtures/vocabularies/"

/* Does token `id` have these bytes? NULL: none. */
static bool has(const struct forma_vocabulary *v, uint32_t id, const char *want) {
    size_t length = 99;
    const unsigned char *bytes = forma_vocabulary_bytes(v, id, &length);
    if (!bytes || !want) return !bytes && !want && length == 0;
    return length == strlen(want) && memcmp(bytes, want, length) == 0;
}

static bool spells_all_bytes(const struct forma_vocabulary *v, uint32_t first) {
    for (uint32_t b = 0; b < 256; b++) {
        size_t length;
        const unsigned char *bytes = forma_vocabulary_bytes(v, first + b, &length);
        if (!bytes || length != 1 || *bytes != b) return false;
        if (!vocabulary_spells_byte(v, (unsigned char)b)) return false;
    }
    return true;
}

static struct forma_vocabulary *open_fixture(const char *path) {
    struct forma_error err = {0};
    struct forma_vocabulary *v = forma_vocabulary_open(path, NULL, &err);
    if (!CHECK(v != NULL)) fprintf(stderr, "%s: %s %s\n", path, err.pointer, err.message);
    return v;
}

static void test_bytes(void) {
    static const unsigned char a[] = "a", ab[] = "ab", end[] = "<end>";
    const unsigned char *bytes[] = {a, ab, ab, end, NULL, end};
    const size_t lengths[] = {1, 2, 2, 5, 0, 5};
    const bool control[] = {false, false, false, true, false, false};
    const uint32_t eos[] = {5, 5};
    struct forma_error err;
    struct forma_vocabulary *v =
        forma_vocabulary_from_bytes(bytes, lengths, control, 6, eos, 2, NULL, &err);
    if (!CHECK(v != NULL)) return;
    CHECK_INT(forma_vocabulary_size(v), 6);
    CHECK(has(v, 0, "a") && has(v, 1, "ab") && has(v, 2, "ab"));
    CHECK(has(v, 3, NULL) && has(v, 4, NULL) && has(v, 5, NULL) && has(v, 6, NULL));
    CHECK(forma_vocabulary_is_eos(v, 5) && !forma_vocabulary_is_eos(v, 3));
    CHECK_INT(v->n_eos, 1);
    CHECK(forma_vocabulary_alphabet(v)['a'] && !forma_vocabulary_alphabet(v)['b']);
    forma_vocabulary_free(v);
    forma_vocabulary_free(NULL);
    const uint32_t beyond = 6;
    CHECK(!forma_vocabulary_from_bytes(bytes, lengths, control, 6, &beyond, 1, NULL, &err));
    CHECK_INT(err.status, FORMA_EINVAL);
    CHECK(!forma_vocabulary_from_bytes(bytes, lengths, control, 0, NULL, 0, NULL, &err));
    CHECK_INT(err.status, FORMA_EINVAL);
    const size_t too_long[] = {1, 2, 2, 5, 1, 5};
    CHECK(!forma_vocabulary_from_bytes(bytes, too_long, control, 6, NULL, 0, NULL, &err));
    CHECK_INT(err.status, FORMA_EINVAL);
}

static void test_json_files(void) {
    struct forma_vocabulary *v = open_fixture(DIR "byte_level.tokenizer.json");
    if (v) {
        CHECK_INT(forma_vocabulary_size(v), 268);
        CHECK(spells_all_bytes(v, 0));
        CHECK(has(v, 256, "\"}") && has(v, 258, " the") && has(v, 259, "\xC3\xA9"));
        CHECK(has(v, 260, "\n\n") && has(v, 261, NULL) && has(v, 262, NULL));
        CHECK(has(v, 263, NULL) && has(v, 265, "<tool_call>") && has(v, 266, "</s>"));
        CHECK(has(v, 267, "\xC4\xA0x"));
        CHECK(forma_vocabulary_is_eos(v, 261) && !forma_vocabulary_is_eos(v, 262));
        CHECK(!forma_vocabulary_is_eos(v, 266));
    }
    forma_vocabulary_free(v);
    v = open_fixture(DIR "sentence.tokenizer.json");
    if (v) {
        CHECK(spells_all_bytes(v, 3));
        CHECK(has(v, 0, NULL) && has(v, 1, NULL) && has(v, 2, NULL));
        CHECK(has(v, 259, " ") && has(v, 260, " the") && has(v, 262, "\xC3\xA9"));
        CHECK(has(v, 264, "a b") && has(v, 265, "<0x4>") && has(v, 267, "  "));
        CHECK(forma_vocabulary_is_eos(v, 2) && !forma_vocabulary_is_eos(v, 1));
    }
    forma_vocabulary_free(v);
    v = open_fixture(DIR "unigram.tokenizer.json");
    if (v) {
        CHECK_INT(forma_vocabulary_size(v), 6);
        CHECK(has(v, 0, NULL) && has(v, 1, NULL) && has(v, 2, " ") && has(v, 3, " of"));
        CHECK(has(v, 5, "<0x41>")); /* no byte fallback in this file */
        CHECK(forma_vocabulary_is_eos(v, 1));
    }
    forma_vocabulary_free(v);
}

static void test_gguf_files(void) {
    struct forma_vocabulary *v = open_fixture(DIR "byte_level.gguf");
    if (v) {
        CHECK_INT(forma_vocabulary_size(v), 267);
        CHECK(spells_all_bytes(v, 0));
        CHECK(has(v, 258, " the") && has(v, 265, "\xC4\xA0x"));
        for (uint32_t id = 261; id < 265; id++) CHECK(has(v, id, NULL));
        CHECK(has(v, 266, NULL));
        static const bool eos[] = {true, false, true, false, false, true};
        for (uint32_t i = 0; i < 6; i++) CHECK_INT(forma_vocabulary_is_eos(v, 261 + i), eos[i]);
    }
    forma_vocabulary_free(v);
    v = open_fixture(DIR "sentence.gguf");
    if (v) {
        CHECK(spells_all_bytes(v, 3));
        CHECK(has(v, 0, NULL) && has(v, 2, NULL) && has(v, 259, " the") && has(v, 261, "  "));
        CHECK(has(v, 262, "</s>") && !forma_vocabulary_is_eos(v, 262));
        CHECK(forma_vocabulary_is_eos(v, 2));
    }
    forma_vocabulary_free(v);
}

#define BPE(vocab)                                                                                 \
    "\"decoder\":{\"type\":\"ByteLevel\"},\"model\":{\"type\":\"BPE\",\"vocab\":" vocab "}"

static void test_refused(void) {
    static const struct {
        const char *text;
        enum forma_status status;
        const char *pointer, *message;
    } cases[] = {
        {"", FORMA_EMODEL, "", "JSON"},
        {"{", FORMA_EMODEL, "", "JSON"},
        {"{} x", FORMA_EMODEL, "", "JSON"},
        {"[]", FORMA_EMODEL, "", "JSON object"},
        {"{\"model\":{\"type\":\"BPE\"}}", FORMA_EMODEL, "/model/vocab", "no vocabulary"},
        {"{\"model\":{\"type\":\"WordPiece\",\"vocab\":{}}}", FORMA_EUNSUPPORTED, "/model/type",
         "WordPiece"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}}}", FORMA_EUNSUPPORTED, "/decoder",
         "decoder"},
        {"{\"decoder\":{\"type\":\"Fuse\"},\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}}}",
         FORMA_EUNSUPPORTED, "/decoder", "blanks"},
        {"{" BPE("{}") "}", FORMA_EMODEL, "", "no tokens"},
        {"{" BPE("{\"a\":-1}") "}", FORMA_EMODEL, "", "whole number"},
        {"{" BPE("{\"a\":1.5}") "}", FORMA_EMODEL, "", "whole number"},
        {"{" BPE("{\"a\":\"1\"}") "}", FORMA_EMODEL, "", "whole number"},
        {"{" BPE("{\"a\":4000000000}") "}", FORMA_EMODEL, "", "4000000000"},
        {"{" BPE("{\"a\":1,\"b\":1}") "}", FORMA_EMODEL, "/model/vocab", "id 1"},
        {"{" BPE("{\"a\":1}") ",\"added_tokens\":[{\"id\":2}]}", FORMA_EMODEL, "/added_tokens",
         "content"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct forma_error err = {0};
        struct forma_vocabulary *v =
            vocabulary_from_json(cases[i].text, strlen(cases[i].text), NULL, NULL, &err);
        CHECK(v == NULL);
        if (!CHECK_INT(err.status, cases[i].status) ||
            !CHECK(strstr(err.message, cases[i].message) != NULL))
            fprintf(stderr, "case %zu: %s: %s\n", i, cases[i].text, err.message);
        CHECK_STR(err.pointer, cases[i].pointer);
        forma_vocabulary_free(v);
    }
    struct forma_error err;
    CHECK(forma_vocabulary_open(DIR "no_such_file", NULL, &err) == NULL);
    CHECK_INT(err.status, FORMA_EIO);
    CHECK(forma_vocabulary_open(NULL, NULL, &err) == NULL);
    CHECK_INT(err.status, FORMA_EINVAL);
    static const char escaped[] = "{" BPE("{\"a\\\\u0000b\":0}") "}"; /* a backslash, then u0000 */
    struct forma_vocabulary *v =
        vocabulary_from_json(escaped, sizeof escaped - 1, NULL, NULL, &err);
    CHECK(v && has(v, 0, "a\\u0000b"));
    forma_vocabulary_free(v);
    static const char nul[] = "{" BPE("{\"a\\u0000b\":0}") "}"; /* a character like others */
    size_t length = 0;
    v = vocabulary_from_json(nul, sizeof nul - 1, NULL, NULL, &err);
    if (!CHECK(v != NULL)) return;
    CHECK(memcmp(forma_vocabulary_bytes(v, 0, &length), "a\0b", 3) == 0);
    CHECK_INT(length, 3);
    forma_vocabulary_free(v);
}

/* End tokens that the caller names, by spelling or id. */
static void test_ends(void) {
    static const char *const files[] = {DIR "byte_level.tokenizer.json", DIR "byte_level.gguf"};
    for (size_t f = 0; f < 2; f++) {
        struct forma_error err;
        struct forma_vocabulary *usual = forma_vocabulary_open(files[f], NULL, &err);
        if (!CHECK(usual != NULL)) continue;
        const char *const ends[] = {"7", "<|im_start|>", "7"};
        struct forma_vocabulary *v = forma_vocabulary_open_with_ends(files[f], ends, 3, NULL, &err);
        if (CHECK(v != NULL)) {
            size_t n = 0;
            for (uint32_t id = 0; id < forma_vocabulary_size(v); id++) {
                n += forma_vocabulary_is_eos(v, id);
                bool named = forma_vocabulary_is_eos(v, id);
                CHECK(!named || !forma_vocabulary_bytes(v, id, NULL));
                /* What only its name made an end is a control token now. */
                if (forma_vocabulary_is_eos(usual, id) && !named)
                    CHECK(forma_vocabulary_bytes(v, id, NULL) == NULL);
            }
            CHECK_INT(n, 2);
            CHECK(forma_vocabulary_is_eos(v, 7));
        }
        const char *const none[] = {"<nothing>"};
        CHECK(forma_vocabulary_open_with_ends(files[f], none, 1, NULL, &err) == NULL);
        CHECK(err.status == FORMA_EINVAL && strstr(err.message, "<nothing>"));
        const char *const wild[] = {"99999999999999999999"};
        CHECK(forma_vocabulary_open_with_ends(files[f], wild, 1, NULL, &err) == NULL);
        forma_vocabulary_free(usual);
        forma_vocabulary_free(v);
    }
}

static void test_no_memory(void) {
    static const char *const files[] = {DIR "byte_level.tokenizer.json", DIR "sentence.gguf"};
    for (size_t f = 0; f < 2; f++) {
        for (long fail = 1; fail < 200; fail++) {
            struct counting_allocator c;
            struct forma_error err = {0};
            counting_allocator_init(&c);
            c.fail_at = fail;
            struct forma_vocabulary *v = forma_vocabulary_open(files[f], &c.allocator, &err);
            CHECK_INT(err.status, v ? FORMA_OK : FORMA_EMEMORY);
            forma_vocabulary_free(v);
            CHECK_INT(c.blocks, 0);
            CHECK_INT(c.bytes, 0);
            if (v) break;
        }
    }
}

int main(void) {
    test_bytes();
    test_json_files();
    test_gguf_files();
    test_refused();
    test_ends();
    test_no_memory();
    return test_done("vocabulary");
}
