/* SPDX-License-Identifier: MIT
 *
 * Who must outlive whom, as include/forma.h promises it: what was borrowed for a call is changed and
 * freed after it, objects are freed as early as they may be, and all goes on as before. The address
 * sanitizer sees what is read too late; the overwriting shows it without.
 */
#include "forma.h"
#include "tests/lib_alloc.h"
#include "tests/test.h"

/* A copy on the heap that ends where the text ends; `spoil` makes another text of it and frees it. */
static char *lend(const char *text) {
    char *copy = malloc(strlen(text));
    if (!copy) abort();
    memcpy(copy, text, strlen(text));
    return copy;
}
static void spoil(char *copy, size_t length) {
    memset(copy, '{', length);
    free(copy);
}

/* The 256 bytes; 256 ends. */
static struct forma_vocabulary *lent_vocabulary(const struct forma_allocator *allocator) {
    unsigned char *all = malloc(256);
    const unsigned char **bytes = malloc(257 * sizeof *bytes);
    size_t *lengths = malloc(257 * sizeof *lengths);
    bool *control = malloc(257);
    uint32_t *end = malloc(sizeof *end);
    if (!all || !bytes || !lengths || !control || !end) abort();
    for (unsigned t = 0; t < 257; t++) {
        if (t < 256) all[t] = (unsigned char)t;
        bytes[t] = &all[t < 256 ? t : 0];
        lengths[t] = 1;
        control[t] = t == 256;
    }
    *end = 256;
    struct forma_vocabulary *v =
        forma_vocabulary_from_bytes(bytes, lengths, control, 257, end, 1, allocator, NULL);
    memset(all, 0, 256);
    memset(lengths, 0, 257 * sizeof *lengths);
    memset(control, 0, 257);
    *end = 0;
    free(end);
    free(control);
    free(lengths);
    free(bytes);
    free(all);
    return v;
}

static void check_text(struct forma_matcher *m, const char *text, const char *wrong) {
    struct forma_error err;
    char words[512];
    int32_t row[9];
    forma_matcher_describe(m, words, sizeof words);
    CHECK(words[0] != 0);
    for (const char *p = text; *p; p++) {
        if (forma_matcher_mask_words(m))
            CHECK(!forma_matcher_mask(m, row, 9, &err) &&
                  (row[(unsigned char)*p / 32] >> (unsigned char)*p % 32 & 1));
        CHECK_INT(forma_matcher_accept_bytes(m, (const unsigned char *)p, 1, &err), FORMA_OK);
    }
    CHECK(forma_matcher_accepts_end(m));
    CHECK_INT(forma_matcher_rollback(m, strlen(text), &err), FORMA_OK);
    CHECK_INT(forma_matcher_accept_bytes(m, (const unsigned char *)wrong, strlen(wrong), &err),
              FORMA_EREFUSED);
    CHECK_INT(err.offset, strlen(wrong) - 1);
}

/* The grammar keeps nothing that it was compiled with but the allocator; a matcher keeps its options
 * no longer than the call. */
static void test_borrowed(const struct forma_allocator *allocator) {
    static const char schema_text[] =
        "{\"type\": \"object\", \"properties\": {\"a\": {\"enum\": [\"open\", 12.5]}, \"b\": "
        "{\"$ref\": \"https://example.com/other#/$defs/x\"}, \"c\": {\"pattern\": \"^x+$\"}}, "
        "\"required\": [\"a\"], \"additionalProperties\": false}";
    static const char other_text[] =
        "{\"$defs\": {\"x\": {\"type\": \"integer\", \"minimum\": 7}}}";
    static const char uri_text[] = "https://example.com/other";
    static const char *const texts[] = {"{\"a\":12.5,\"b\":8,\"c\":\"xx\"}", "{\"a\":\"open\"}"};
    static const char *const wrong[] = {"{\"a\":12.5,\"b\":6}", "{\"a\":\"op,"};
    struct forma_options *options = malloc(sizeof *options);
    struct forma_document *document = malloc(sizeof *document);
    char *schema = lend(schema_text), *other = lend(other_text);
    char *uri = malloc(sizeof uri_text);
    struct forma_vocabulary *v = lent_vocabulary(allocator);
    if (!CHECK(options && document && uri && v)) return;
    memcpy(uri, uri_text, sizeof uri_text);
    *document = (struct forma_document){uri, other, strlen(other_text)};
    forma_options_init(options);
    options->documents = document;
    options->n_documents = 1;
    options->allocator = allocator;
    options->style.blanks = FORMA_BLANKS_COMPACT;
    struct forma_error err;
    struct forma_grammar *g =
        forma_grammar_from_json_schema(schema, strlen(schema_text), v, options, &err);
    spoil(schema, strlen(schema_text));
    spoil(other, strlen(other_text));
    spoil(uri, strlen(uri_text));
    memset(document, 0, sizeof *document);
    free(document);
    memset(options, 0xEE, sizeof *options);
    free(options);

    struct forma_matcher_options *with = malloc(sizeof *with);
    if (!CHECK(g && with)) return;
    forma_matcher_options_init(with);
    with->allocator = allocator;
    struct forma_matcher *m = forma_matcher_new(g, v, with, &err);
    memset(with, 0xEE, sizeof *with);
    free(with);
    if (!CHECK(m != NULL)) return;
    for (size_t i = 0; i < 2; i++) {
        forma_matcher_reset(m);
        check_text(m, texts[i], wrong[i]);
    }
    struct forma_matcher *copy = forma_matcher_copy(m, &err);
    forma_matcher_free(m); /* the copy needs the matcher no more */
    if (CHECK(copy != NULL)) check_text(copy, texts[0], wrong[0]);
    forma_matcher_free(copy);

    forma_vocabulary_free(v); /* no matcher has it: the grammar does not need it */
    m = forma_matcher_new(g, NULL, NULL, &err);
    if (CHECK(m != NULL)) check_text(m, texts[0], wrong[0]);
    forma_matcher_free(m);
    forma_grammar_free(g);
}

static void test_pattern(const struct forma_allocator *allocator) {
    static const char pattern_text[] = "(ab|\\d{2})+(?=x)x|open";
    char *pattern = lend(pattern_text);
    struct forma_vocabulary *v = lent_vocabulary(allocator);
    struct forma_options options;
    struct forma_error err;
    forma_options_init(&options);
    options.allocator = allocator;
    struct forma_grammar *g =
        forma_grammar_from_regex(pattern, strlen(pattern_text), v, &options, &err);
    spoil(pattern, strlen(pattern_text));
    forma_vocabulary_free(v);
    memset(&options, 0xEE, sizeof options);
    v = lent_vocabulary(allocator);
    struct forma_matcher *m = g ? forma_matcher_new(g, v, NULL, &err) : NULL;
    if (CHECK(m != NULL)) check_text(m, "ab12x", "abq");
    forma_matcher_free(m);
    forma_vocabulary_free(v); /* before the grammar: any order */
    forma_grammar_free(g);
}

int main(void) {
    struct counting_allocator counting;
    counting_allocator_init(&counting);
    test_borrowed(NULL);
    test_borrowed(&counting.allocator);
    test_pattern(NULL);
    test_pattern(&counting.allocator);
    CHECK(counting.calls > 0);
    CHECK_INT(counting.blocks, 0); /* all went back to the allocator that it came from */
    CHECK_INT(counting.bytes, 0);
    forma_vocabulary_free(NULL);
    forma_grammar_free(NULL);
    forma_matcher_free(NULL);
    return test_done("lives");
}
