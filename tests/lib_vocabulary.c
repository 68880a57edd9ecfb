/* SPDX-License-Identifier: MIT */
#include "tests/lib_vocabulary.h"

#include "tests/test.h"

struct forma_vocabulary *vocabulary_of_bytes(const struct forma_allocator *allocator) {
    unsigned char texts[257];
    const unsigned char *bytes[257];
    size_t lengths[257];
    uint32_t eos = 256;
    for (size_t i = 0; i < 257; i++) {
        texts[i] = (unsigned char)i;
        bytes[i] = &texts[i];
        lengths[i] = 1;
    }
    return forma_vocabulary_from_bytes(bytes, lengths, NULL, 257, &eos, 1, allocator, NULL);
}

static const char *const pieces[] = {"\"",
                                     "\":",
                                     "\": ",
                                     "\",",
                                     "\", \"",
                                     "\"}",
                                     "\"]",
                                     "{\"",
                                     "[\"",
                                     "{}",
                                     "[]",
                                     "[[",
                                     "]]",
                                     "}}",
                                     "],",
                                     "},",
                                     "}, {",
                                     "true",
                                     "false",
                                     "null",
                                     "tr",
                                     "al",
                                     "se",
                                     "nul",
                                     " ",
                                     "  ",
                                     "\n",
                                     "\n  ",
                                     ", ",
                                     ": ",
                                     "0",
                                     "00",
                                     "10",
                                     "123",
                                     "-",
                                     "-1",
                                     "0.",
                                     ".5",
                                     "1e",
                                     "e+",
                                     "E",
                                     "a",
                                     "ab",
                                     "abc",
                                     "name",
                                     "value",
                                     "items",
                                     "the",
                                     " the",
                                     "Hello",
                                     "\\\"",
                                     "\\n",
                                     "\\u",
                                     "\\u00",
                                     "\\\\",
                                     "\xC3\xA9",
                                     "\xC3",
                                     "\xE4\xB8",
                                     "\xE4\xB8\xAD",
                                     "\xAD",
                                     "\x80",
                                     "\xF0\x9F\x98\x80",
                                     "\xF0\x9F",
                                     "\x98\x80",
                                     "\xE2\x82\xAC",
                                     "\xED\xA0",
                                     "\xC3\xA9\"",
                                     "\xE2\x82\xAC\xE2\x82",
                                     "x\xC3",
                                     "\xFF\xFE",
                                     "a\"b",
                                     "12\"",
                                     "\x01",
                                     "\x7F"};

enum { N_PIECES = sizeof pieces / sizeof *pieces, TEXT = 32 };

struct forma_vocabulary *vocabulary_random(uint64_t seed, uint32_t n) {
    struct vocabulary_builder b;
    uint64_t random = seed;
    if (builder_begin(&b, NULL, NULL)) return NULL;
    uint32_t id = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        if (byte >= 0xF5 || byte == 0xC0 || byte == 0xC1 || byte == 0x0B) continue;
        char c = (char)byte;
        if (builder_put(&b, id++, SPELLING_PLAIN, &c, 1, NULL)) goto fail;
    }
    while (id < n) {
        char text[TEXT];
        size_t length = 0;
        for (uint32_t parts = 1 + test_below(&random, 3); parts; parts--) {
            const char *piece = pieces[test_below(&random, N_PIECES)];
            if (length + strlen(piece) > sizeof text) break;
            memcpy(text + length, piece, strlen(piece));
            length += strlen(piece);
        }
        if (test_below(&random, 40) == 0) length = 0; /* a control token */
        if (test_below(&random, 40) == 0) id += 3;    /* a hole */
        if (builder_put(&b, id++, SPELLING_PLAIN, text, length, NULL)) goto fail;
    }
    if (builder_put_eos(&b, id, NULL) || builder_put_eos(&b, id + 1, NULL)) goto fail;
    return builder_finish(&b, NULL);
fail:
    builder_abandon(&b);
    return NULL;
}

size_t vocabulary_spell(const struct forma_vocabulary *v, const char *text, size_t length,
                        uint64_t *random, uint32_t *ids, size_t capacity) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t n = 0;
    for (size_t at = 0, step; at < length; at += step, n++) {
        uint32_t seen = 0; /* tokens that fit here; each is kept with probability 1 / seen */
        step = 0;
        for (size_t k = 1; k <= length - at && k <= v->trie.max_depth; k++) {
            const struct trie_node *node = trie_find(&v->trie, bytes + at, k);
            if (!node) break;
            for (uint32_t i = node->first; i < node[1].first; i++) {
                if (test_below(random, ++seen) != 0) continue;
                if (n == capacity) return SIZE_MAX;
                ids[n] = v->trie.ids[i];
                step = k;
            }
        }
        if (step == 0) return SIZE_MAX;
    }
    return n;
}
