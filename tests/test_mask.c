/* SPDX-License-Identifier: MIT
 *
 * Masks by the trie walk equal the definition, in every state of random walks of a toy machine
 * over random vocabularies; the mask cache keeps what it is given and stays within its budget.
 */
#include "tokenmask/mask.h"

#include "tests/lib_alloc.h"
#include "tests/lib_toy_machine.h"
#include "tests/lib_vocabulary.h"
#include "tests/test.h"
#include "tokenmask/json_lexer.h"
#include "tokenmask/mask_cache.h"

/* Walks by random allowed tokens and compares at each state. */
static void check_walks(struct machine *machine, const struct forma_vocabulary *v, uint64_t seed,
                        int walks) {
    size_t words = mask_words(v->n_tokens);
    uint32_t *fast = malloc(words * sizeof *fast), *slow = malloc(words * sizeof *slow);
    struct mask_scratch scratch;
    if (!CHECK(mask_scratch_init(&scratch, v, fa_default_allocator()))) return;
    uint64_t random = seed;
    long states = 0, differ = 0;
    for (int walk = 0; walk < walks; walk++) {
        struct state s = machine->start;
        for (int step = 0; step < 25; step++, states++) {
            mask_fill(machine, v, s, &scratch, fast, words);
            mask_fill_slow(machine, v, s, slow, words);
            if (memcmp(fast, slow, words * sizeof *fast) != 0 && differ++ == 0)
                fprintf(stderr, "masks differ: seed %llu, walk %d, step %d\n",
                        (unsigned long long)seed, walk, step);
            size_t n = mask_count(fast, words);
            if (n == 0) break;
            uint32_t pick = test_below(&random, (uint32_t)n), id = 0;
            for (;; id++)
                if (mask_test(fast, id) && pick-- == 0) break;
            size_t length;
            const unsigned char *bytes = forma_vocabulary_bytes(v, id, &length);
            if (!bytes) break; /* an end token */
            for (size_t i = 0; i < length; i++) s = machine_step(machine, s, bytes[i]);
        }
    }
    CHECK(states > walks);
    CHECK_INT(differ, 0);
    free(fast);
    free(slow);
    mask_scratch_destroy(&scratch);
}

static void test_walks(void) {
    for (int kind = 0; kind < 2; kind++) {
        struct toy_machine toy = {.plain_bytes = kind == 1};
        struct forma_grammar *g = toy_grammar(&toy);
        struct forma_vocabulary *bytes = vocabulary_of_bytes(NULL);
        if (CHECK(g && bytes)) check_walks(&toy.machine, bytes, 7, 40);
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct forma_vocabulary *v = vocabulary_random(seed, 2000);
            if (CHECK(v != NULL)) check_walks(&toy.machine, v, seed, 40);
            forma_vocabulary_free(v);
        }
        forma_vocabulary_free(bytes);
        forma_grammar_free(g);
    }
}

/* ---- random automata: bytes loop, part and die in every combination ------------------------- */

enum { DFA_STATES = 4 };

struct dfa_machine {
    struct machine machine;
    unsigned char next[DFA_STATES + 1][256]; /* 0 = dead */
};

static struct state dfa_step(struct machine *m, struct state s, unsigned char byte) {
    const struct dfa_machine *d = (const struct dfa_machine *)m;
    return (struct state){d->next[s.context][byte], 0};
}

static bool dfa_accepts(struct machine *m, struct state s) {
    (void)m;
    return s.context == 2;
}

/* Ranges of bytes mostly go one way, to the state itself more often than not. */
static void make_dfa(struct dfa_machine *d, uint64_t *random) {
    static const unsigned char starts[] = {0x00, 0x20, 0x30, 0x3A, 0x41, 0x5B, 0x61,
                                           0x7B, 0x80, 0x90, 0xA0, 0xC0, 0xC2, 0xE0,
                                           0xE1, 0xED, 0xEE, 0xF0, 0xF1, 0xF4, 0xF5};
    for (unsigned s = 1; s <= DFA_STATES; s++) {
        unsigned range = 0;
        for (unsigned b = 0; b < 256; b++) {
            bool start = range < sizeof starts && starts[range] == b;
            if (!start) {
                d->next[s][b] = d->next[s][b - 1];
                continue;
            }
            range++;
            unsigned char to = (unsigned char)test_below(random, DFA_STATES + 1);
            if (b < 0x80 && test_below(random, 3)) to = (unsigned char)s;
            /* Characters: often from 1 by 2 and 3 back to 1. */
            if (b >= 0x80 && test_below(random, 4)) to = (unsigned char)(b >= 0xC0 ? s + 1 : s - 1);
            d->next[s][b] = to > DFA_STATES ? 1 : to;
        }
        for (uint32_t odd = test_below(random, 3); odd; odd--)
            d->next[s][test_below(random, 256)] = (unsigned char)test_below(random, DFA_STATES + 1);
    }
}

static void test_random_automata(void) {
    static const struct machine_ops ops = {.step = dfa_step, .accepts = dfa_accepts};
    static struct dfa_machine d;
    struct forma_vocabulary *v = vocabulary_random(5, 3000);
    if (!CHECK(v != NULL)) return;
    size_t words = mask_words(v->n_tokens);
    uint32_t *fast = malloc(words * sizeof *fast), *slow = malloc(words * sizeof *slow);
    struct mask_scratch scratch;
    if (!CHECK(mask_scratch_init(&scratch, v, fa_default_allocator()))) return;
    d.machine.ops = &ops;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        uint64_t random = seed;
        bool same = true;
        make_dfa(&d, &random);
        for (uint32_t s = 1; s <= DFA_STATES; s++) {
            struct state state = {s, 0};
            mask_fill(&d.machine, v, state, &scratch, fast, words);
            mask_fill_slow(&d.machine, v, state, slow, words);
            same &= memcmp(fast, slow, words * sizeof *fast) == 0;
        }
        if (!CHECK(same)) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    }
    free(fast);
    free(slow);
    mask_scratch_destroy(&scratch);
    forma_vocabulary_free(v);
}

/* Inside a string nearly everything is allowed; at the start of a value little is. */
static void test_known(void) {
    struct toy_machine toy = {0};
    struct forma_grammar *g = toy_grammar(&toy);
    struct forma_vocabulary *v = vocabulary_of_bytes(NULL);
    struct mask_scratch scratch;
    if (!CHECK(mask_scratch_init(&scratch, v, fa_default_allocator()))) return;
    uint32_t row[9];
    mask_fill(&toy.machine, v, toy.machine.start, &scratch, row, 9);
    CHECK_INT(mask_count(row, 9), 13); /* ten digits, a quote, two brackets */
    CHECK(!mask_test(row, 256));
    struct state s = machine_step(&toy.machine, toy.machine.start, '"');
    mask_fill(&toy.machine, v, s, &scratch, row, 9);
    CHECK_INT(mask_count(row, 9), 0x60 - 1 + 0xF5 - 0xC2); /* no backslash; lead bytes */
    s = machine_step(&toy.machine, s, '"');
    mask_fill(&toy.machine, v, s, &scratch, row, 9);
    CHECK_INT(mask_count(row, 9), 1);
    CHECK(mask_test(row, 256));
    mask_fill(&toy.machine, v, (struct state){0, 0}, &scratch, row, 9);
    CHECK(mask_is_empty(row, 9));
    forma_vocabulary_free(v);
    forma_grammar_free(g);
}

static void test_prefixes(void) {
    static const char *const texts[] = {"[", "[1", "1", "[1]", "[1],", "[2", "[1"};
    const unsigned char *bytes[7];
    size_t lengths[7];
    for (size_t i = 0; i < 7; i++) {
        bytes[i] = (const unsigned char *)texts[i];
        lengths[i] = strlen(texts[i]);
    }
    struct toy_machine toy = {0};
    struct forma_grammar *g = toy_grammar(&toy);
    struct forma_vocabulary *v =
        forma_vocabulary_from_bytes(bytes, lengths, NULL, 7, NULL, 0, NULL, NULL);
    uint32_t row[1] = {0};
    if (CHECK(g && v))
        mask_allow_prefixes(&toy.machine, v, toy.machine.start, (const unsigned char *)"[1],", 4,
                            row);
    CHECK_INT(row[0], 1 | 2 | 8 | 64); /* "[1]," is no text: not even on request */
    forma_vocabulary_free(v);
    forma_grammar_free(g);
}

static void put(struct mask_cache *c, uint32_t owner, struct state s, const uint32_t *row) {
    uint16_t buffer[64];
    struct mask_difference d = mask_cache_compare(c, row, buffer);
    mask_cache_add(c, owner, s, row, &d);
    mask_cache_add(c, owner, s, row, &d); /* again: nothing happens */
}

static void test_cache(void) {
    struct counting_allocator a;
    struct mask_cache c;
    counting_allocator_init(&a);
    enum { WORDS = 40 };
    const size_t budget = 40000;
    uint32_t base[WORDS], row[WORDS], found[WORDS], kept = 0;
    for (uint32_t w = 0; w < WORDS; w++) base[w] = 77 + w;
    const uint32_t *bases[MASK_CACHE_BASES - 1] = {NULL, base};
    if (!CHECK(mask_cache_init(&c, WORDS, bases, budget, &a.allocator))) return;
    CHECK(c.capacity > 10 * WORDS);
    CHECK(a.bytes <= (long long)budget);
    const uint32_t n = 5000;
    for (uint32_t i = 1; i <= n; i++) { /* near nothing, near the base, near neither */
        struct state s = {i, i * 3};
        for (uint32_t w = 0; w < WORDS; w++)
            row[w] = i % 3 == 0   ? (w == i % WORDS) * i
                     : i % 3 == 1 ? base[w] ^ (w == 7) * i
                                  : i + w;
        CHECK(!mask_cache_find(&c, i % 2, s, found));
        put(&c, i % 2, s, row);
        CHECK(mask_cache_find(&c, i % 2, s, found) && memcmp(found, row, sizeof row) == 0);
        CHECK(!mask_cache_find(&c, 2, s, found)); /* it is another's */
    }
    for (uint32_t i = 1; i <= n; i++) {
        if (!mask_cache_find(&c, i % 2, (struct state){i, i * 3}, found)) continue;
        kept++;
        CHECK_INT(found[i % WORDS], i % 3 == 0   ? i
                                    : i % 3 == 1 ? base[i % WORDS] ^ (i % WORDS == 7) * i
                                                 : i + i % WORDS);
    }
    CHECK(kept > 0);
    CHECK_INT(kept, c.count);
    CHECK(c.flushes > 0 && c.flushes < n / 10);
    mask_cache_destroy(&c);
    CHECK_INT(a.blocks, 0);
    CHECK(mask_cache_init(&c, WORDS, NULL, 20, &a.allocator)); /* too small for a row */
    put(&c, 0, (struct state){1, 1}, row);
    CHECK(!mask_cache_find(&c, 0, (struct state){1, 1}, found));
    mask_cache_destroy(&c);
    a.fail_at = 1;
    CHECK(!mask_cache_init(&c, WORDS, NULL, budget, &a.allocator));
}

/* Whatever follows an outside place of a text can be read; words cannot. */
static void test_json_lexer(void) {
    static const char text[] =
        " {\"a \\\"b\\u0041\": [1, -2.5e+7,\t0E1 , null,true,\r\n false ], \"\xC3\xA9\": {} }\n";
    static const char *const others[] = {"word", " the", "nul ", "\"a\nb", "\"\\x", "tru:", "1x",
                                         "]a",   "{e",   "'",    "\\",     "1\"",   "\xC3", "\0"};
    bool inside = false;
    for (size_t i = 0; i < sizeof text; i++) {
        for (size_t n = 0; !inside && i + n < sizeof text; n++)
            CHECK(json_lexer_reads((const unsigned char *)text + i, n));
        if (text[i] == '"') inside = !inside;
        if (text[i] == '\\') i++;
    }
    CHECK(!inside);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!json_lexer_reads((const unsigned char *)others[i],
                                others[i][0] ? strlen(others[i]) : 1));
}

int main(void) {
    test_known();
    test_json_lexer();
    test_walks();
    test_prefixes();
    test_random_automata();
    test_cache();
    return test_done("mask");
}
