/* SPDX-License-Identifier: MIT
 *
 * The trie against a naive list of tokens: every token is found with all ids of its bytes, skips
 * and lists are consistent, nothing else is found.
 */
#include "tokenmask/trie.h"

#include "tests/lib_alloc.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"

static bool same_bytes(const struct forma_vocabulary *v, uint32_t a, uint32_t b) {
    return v->spans[a].length == v->spans[b].length &&
           memcmp(v->text + v->spans[a].offset, v->text + v->spans[b].offset, v->spans[a].length) ==
               0;
}

/* Every node against the naive reading of the whole structure. */
static void check_structure(const struct forma_vocabulary *v) {
    const struct trie *t = &v->trie;
    bool order = true, nested = true, classes = true;
    for (size_t i = 0; i < t->n_nodes; i++) {
        const struct trie_node *node = &t->nodes[i];
        size_t end = i + node->skip;
        uint64_t seen = 0;
        if (end > t->n_nodes) nested = false;
        for (size_t k = i + 1; k < end && k < t->n_nodes; k++) {
            if (t->nodes[k].depth <= node->depth) nested = false;
            seen |= UINT64_C(1) << trie_class(t->nodes[k].byte);
        }
        if (end < t->n_nodes && t->nodes[end].depth > node->depth) nested = false;
        if (end < t->n_nodes && t->nodes[end].depth == node->depth &&
            t->nodes[end].byte <= node->byte)
            order = false;
        seen |= UINT64_C(1) << trie_class(node->byte);
        if ((node->classes & ~TRIE_ILL_FORMED) != seen) classes = false;
        if (node->first > t->nodes[i + 1].first) order = false;
    }
    CHECK(order);
    CHECK(nested);
    CHECK(classes);
    CHECK_INT(t->nodes[t->n_nodes].first, t->n_ids);
}

static void check_tokens(const struct forma_vocabulary *v) {
    const struct trie *t = &v->trie;
    size_t texts = 0;
    for (uint32_t id = 0; id < v->n_tokens; id++) {
        if (v->spans[id].length == 0) continue;
        texts++;
        const struct trie_node *node =
            trie_find(t, v->text + v->spans[id].offset, v->spans[id].length);
        if (!CHECK(node != NULL)) continue;
        CHECK_INT(node->depth, v->spans[id].length);
        size_t listed = 0, equal = 0;
        bool found = false;
        for (uint32_t k = node->first; k < node[1].first; k++, listed++) found |= t->ids[k] == id;
        for (uint32_t other = 0; other < v->n_tokens; other++) equal += same_bytes(v, id, other);
        CHECK(found);
        CHECK_INT(listed, equal);
    }
    CHECK_INT(t->n_ids, texts);
}

static void test_small(void) {
    static const unsigned char text[] = "aabacb";
    static const struct token_span spans[] = {{0, 1}, {1, 2}, {0, 0}, {3, 2}, {5, 1}, {1, 2}};
    struct trie t;
    if (!CHECK(trie_build(&t, text, spans, 6, fa_default_allocator()))) return;
    static const unsigned char bytes[] = "abcb";
    static const uint32_t skips[] = {3, 1, 1, 1}, depths[] = {1, 2, 2, 1};
    CHECK_INT(t.n_nodes, 4);
    for (size_t i = 0; i < 4; i++) {
        CHECK_INT(t.nodes[i].byte, bytes[i]);
        CHECK_INT(t.nodes[i].skip, skips[i]);
        CHECK_INT(t.nodes[i].depth, depths[i]);
    }
    const struct trie_node *ab = trie_find(&t, (const unsigned char *)"ab", 2);
    CHECK_INT(ab[1].first - ab->first, 2);
    CHECK_INT(t.ids[ab->first], 1);
    CHECK_INT(t.ids[ab->first + 1], 5);
    CHECK(trie_find(&t, (const unsigned char *)"ad", 2) == NULL);
    CHECK(trie_find(&t, (const unsigned char *)"abb", 3) == NULL);
    CHECK(t.occurs['c'] && !t.occurs['d']);
    CHECK_INT(t.max_depth, 2);
    trie_destroy(&t);
    CHECK(trie_build(&t, text, NULL, 0, fa_default_allocator()));
    CHECK_INT(t.n_nodes, 0);
    CHECK(trie_find(&t, (const unsigned char *)"a", 1) == NULL);
    trie_destroy(&t);
}

static void test_ill_formed(void) {
    static const struct {
        const char *text;
        bool ill_formed;
    } cases[] = {{"a", false},         {"\xC3\xA9", false},     {"\xC3", false},   {"\xA9", true},
                 {"a\xE4\xB8", false}, {"\xE0\x80", true},      {"\xFF", true},    {"a\xC3z", true},
                 {"\xED\xA0", true},   {"\xF4\x8F\xBF", false}, {"\xF4\x90", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trie t;
        struct token_span span = {0, (uint32_t)strlen(cases[i].text)};
        if (!CHECK(trie_build(&t, (const unsigned char *)cases[i].text, &span, 1,
                              fa_default_allocator())))
            continue;
        CHECK_INT((t.nodes[0].classes & TRIE_ILL_FORMED) != 0, cases[i].ill_formed);
        trie_destroy(&t);
    }
}

static void test_no_memory(void) {
    static const unsigned char text[] = "abc";
    static const struct token_span spans[] = {{0, 3}};
    for (long fail = 1;; fail++) {
        struct counting_allocator c;
        struct trie t;
        counting_allocator_init(&c);
        c.fail_at = fail;
        bool built = trie_build(&t, text, spans, 1, &c.allocator);
        trie_destroy(&t);
        CHECK_INT(c.blocks, 0);
        CHECK_INT(c.bytes, 0);
        if (built) break;
        CHECK(fail < 20);
        if (fail >= 20) break;
    }
}

int main(void) {
    test_small();
    test_ill_formed();
    test_no_memory();
    bool classes = true;
    for (unsigned b = 0; b < 256; b++) classes &= trie_class((unsigned char)b) < 63;
    CHECK(classes);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct forma_vocabulary *v = vocabulary_random(seed, 1500);
        if (!CHECK(v != NULL)) continue;
        check_structure(v);
        check_tokens(v);
        forma_vocabulary_free(v);
    }
    return test_done("trie");
}
