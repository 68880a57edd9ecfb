/* SPDX-License-Identifier: MIT
 *
 * The regular languages: random terms against a naive evaluator over all short strings of a small
 * alphabet (membership, viability, witnesses, lengths, places inside characters), then the cases
 * that must be fast, sets that cannot be spelled, and failing memory.
 */
#include <time.h>

#include "automaton/regex.h"
#include "base/utf8.h"
#include "tests/test.h"

static const struct code_range everything = {0, 0x10FFFF};

static term_id lit(struct regex_store *s, const char *text) {
    return regex_literal(s, (const unsigned char *)text, strlen(text));
}
static bool matches(struct regex_store *s, term_id t, const char *text) {
    return regex_matches(s, t, (const unsigned char *)text, strlen(text));
}
static term_id and2(struct regex_store *s, term_id a, term_id b) {
    term_id both[2] = {a, b};
    return regex_and(s, both, 2);
}
static term_id or2(struct regex_store *s, term_id a, term_id b) {
    term_id both[2] = {a, b};
    return regex_or(s, both, 2);
}
static enum regex_answer alive(struct regex_store *s, term_id t, uint64_t k) {
    uint64_t work = 0;
    return regex_alive(s, t, k, PARTIAL_BOUNDARY, &work, 1000000);
}
static double now_ms(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- naive evaluator ------------------------------------------------------------------------- */

enum { LETTERS = 4, MAX_LENGTH = 6, MAX_NODES = 64 };
/* the last two share two lead bytes */
static const uint32_t alphabet[LETTERS] = {'a', 'b', 0x20AC, 0x20AD};
static const struct code_range spellable[] = {{'a', 'b'}, {0x20AC, 0x20AD}};

enum op {
    OP_SET,
    OP_LITERAL,
    OP_EMPTY,
    OP_ANY,
    OP_CAT,
    OP_OR,
    OP_AND,
    OP_NOT,
    OP_REPEAT,
    OP_LENGTH
};

struct node {
    enum op op;
    unsigned set; /* bits of letters */
    int a, b;
    uint32_t min, max;
    unsigned char word[3]; /* letters of a literal */
    unsigned n_word;
};

struct tree {
    struct node nodes[MAX_NODES];
    int count;
};

static int random_node(uint64_t *seed, struct tree *t, int depth, bool pure) {
    struct node n = {.op = OP_EMPTY};
    unsigned pick = test_below(seed, depth > 0 && t->count < MAX_NODES - 8 ? 14 : 4);
    if (pick == 0 || pick == 1) {
        n.op = OP_SET;
        n.set = 1 + test_below(seed, 15);
    } else if (pick == 2) {
        n.op = OP_LITERAL;
        n.n_word = 1 + test_below(seed, 3);
        for (unsigned i = 0; i < n.n_word; i++)
            n.word[i] = (unsigned char)test_below(seed, LETTERS);
    } else if (pick == 3) {
        n.op = test_below(seed, 2) ? OP_ANY : OP_EMPTY;
    } else if (pick <= 6) {
        n.op = OP_CAT;
        n.a = random_node(seed, t, depth - 1, true);
        n.b = random_node(seed, t, depth - 1, true);
    } else if (pick <= 8) {
        n.op = OP_REPEAT;
        n.a = random_node(seed, t, depth - 1, true);
        n.min = test_below(seed, 3);
        n.max = test_below(seed, 2) ? REGEX_UNBOUNDED : n.min + test_below(seed, 3);
    } else if (pick == 9 && !pure) {
        n.op = OP_LENGTH;
        n.min = 1 + test_below(seed, 5);
    } else if (pick <= 11) {
        n.op = pick == 10 ? OP_OR : OP_AND;
        n.a = random_node(seed, t, depth - 1, pure);
        n.b = random_node(seed, t, depth - 1, pure);
    } else {
        n.op = OP_NOT;
        n.a = random_node(seed, t, depth - 1, pure);
    }
    t->nodes[t->count] = n;
    return t->count++;
}

static term_id to_term(struct regex_store *s, const struct tree *t, int i) {
    const struct node *n = &t->nodes[i];
    switch (n->op) {
    case OP_SET: {
        struct code_range r[LETTERS];
        size_t count = 0;
        for (unsigned l = 0; l < LETTERS; l++)
            if (n->set >> l & 1) r[count++] = (struct code_range){alphabet[l], alphabet[l]};
        return regex_charset(s, r, count);
    }
    case OP_LITERAL: {
        unsigned char bytes[16];
        size_t length = 0;
        for (unsigned k = 0; k < n->n_word; k++)
            length += utf8_encode(alphabet[n->word[k]], bytes + length);
        return regex_literal(s, bytes, length);
    }
    case OP_EMPTY: return TERM_EMPTY_STRING;
    case OP_ANY: return TERM_ANY;
    case OP_CAT: return regex_cat(s, to_term(s, t, n->a), to_term(s, t, n->b));
    case OP_OR: return or2(s, to_term(s, t, n->a), to_term(s, t, n->b));
    case OP_AND: return and2(s, to_term(s, t, n->a), to_term(s, t, n->b));
    case OP_NOT: return regex_not(s, to_term(s, t, n->a));
    case OP_REPEAT: return regex_repeat(s, to_term(s, t, n->a), n->min, n->max);
    case OP_LENGTH: return regex_min_length(s, n->min);
    }
    return TERM_NONE;
}

/* Does node i hold letters [from, to) of w? Straight from the definitions. */
static bool holds(const struct tree *t, int i, const unsigned char *w, int from, int to) {
    const struct node *n = &t->nodes[i];
    switch (n->op) {
    case OP_SET: return to - from == 1 && (n->set >> w[from] & 1);
    case OP_LITERAL: return to - from == (int)n->n_word && !memcmp(w + from, n->word, n->n_word);
    case OP_EMPTY: return to == from;
    case OP_ANY: return true;
    case OP_CAT:
        for (int m = from; m <= to; m++)
            if (holds(t, n->a, w, from, m) && holds(t, n->b, w, m, to)) return true;
        return false;
    case OP_OR: return holds(t, n->a, w, from, to) || holds(t, n->b, w, from, to);
    case OP_AND: return holds(t, n->a, w, from, to) && holds(t, n->b, w, from, to);
    case OP_NOT: return !holds(t, n->a, w, from, to);
    case OP_LENGTH: return to - from >= (int)n->min;
    case OP_REPEAT: {
        /* reach[m] bit r: [from, m) is r rounds; rounds past 8 cannot matter at these sizes */
        unsigned reach[MAX_LENGTH + 1] = {0};
        reach[from] = 1;
        bool empty = holds(t, n->a, w, from, from);
        for (int m = from; m <= to; m++) {
            if (empty)
                for (int r = 0; r < 16; r++) reach[m] |= (reach[m] & (1u << r)) << 1;
            for (int e = m + 1; e <= to; e++)
                if (reach[m] && holds(t, n->a, w, m, e)) reach[e] |= reach[m] << 1;
        }
        uint32_t max = n->max > 16 ? 16 : n->max;
        for (uint32_t r = n->min; r <= max; r++)
            if (reach[to] >> r & 1) return true;
        return false;
    }
    }
    return false;
}

struct word {
    unsigned char letters[MAX_LENGTH], bytes[4 * MAX_LENGTH];
    int n;
    size_t length;
};

static struct word word_at(unsigned index, int n) {
    struct word w = {.n = n};
    for (int i = 0; i < n; i++, index /= LETTERS) {
        w.letters[i] = (unsigned char)(index % LETTERS);
        w.length += utf8_encode(alphabet[w.letters[i]], w.bytes + w.length);
    }
    return w;
}

/* The witness from here must end, and in the language. */
static bool witness_ends(struct regex_store *s, term_id t, uint64_t k, partial_id p) {
    for (int i = 0; i < 400; i++) {
        int b = regex_witness_byte(s, t, k, p);
        if (b < 0) return p == PARTIAL_BOUNDARY && regex_nullable(s, t, k);
        k += (b & 0xC0) != 0x80;
        p = regex_partial_step(s, 0, p, (unsigned char)b);
        t = regex_derive(s, t, (unsigned char)b);
        uint64_t work = 0;
        if (regex_alive(s, t, k, p, &work, 1000000) != REGEX_YES) return false;
    }
    return false;
}

/* Membership of all short words; viability of all their prefixes, byte by byte. */
static bool check_words(struct regex_store *s, term_id t, const struct tree *tree, int root,
                        int max, uint64_t *seed) {
    unsigned count = 1;
    bool any = false, ok = true;
    for (int n = 0; n <= max; n++, count *= LETTERS) {
        for (unsigned i = 0; i < count && ok; i++) {
            struct word w = word_at(i, n);
            bool in = holds(tree, root, w.letters, 0, n);
            any |= in;
            if (n > 4 && test_below(seed, 8)) continue;
            ok = CHECK_INT(regex_matches(s, t, w.bytes, w.length), in);
            struct word bad = w; /* a character that cannot be spelled, or a broken one */
            if (n) bad.bytes[test_below(seed, (uint32_t)w.length)] ^= 0x0F;
            if (n) ok &= CHECK(!regex_matches(s, t, bad.bytes, bad.length));
            term_id u = t;
            uint64_t k = 0;
            partial_id p = PARTIAL_BOUNDARY;
            for (size_t b = 0; in && b < w.length; b++) { /* a prefix of a member is alive */
                k += (w.bytes[b] & 0xC0) != 0x80;
                p = regex_partial_step(s, 0, p, w.bytes[b]);
                u = regex_settle(s, regex_derive(s, u, w.bytes[b]), k);
                uint64_t work = 0;
                ok &= CHECK_INT(regex_alive(s, u, k, p, &work, 1000000), REGEX_YES);
            }
            if (!in && n && test_below(seed, 4) == 0 && alive(s, u, k) == REGEX_YES)
                ok &= CHECK(witness_ends(s, u, k, p));
        }
    }
    enum regex_answer a = alive(s, t, 0);
    if (any) ok &= CHECK_INT(a, REGEX_YES);
    if (a == REGEX_YES) ok &= CHECK(witness_ends(s, t, 0, PARTIAL_BOUNDARY));
    return ok;
}

struct count {
    size_t n, room;
    size_t of_length[MAX_LENGTH + 1]; /* in code points */
    bool sorted;
    unsigned char last[64];
    size_t last_length;
};

static bool count_string(void *ctx, const unsigned char *bytes, size_t length) {
    struct count *c = ctx;
    size_t points = 0;
    if (c->n == c->room) return false;
    for (size_t i = 0; i < length; i++) points += (bytes[i] & 0xC0) != 0x80;
    if (points <= MAX_LENGTH) c->of_length[points]++;
    size_t n = length < c->last_length ? length : c->last_length;
    int order = n ? memcmp(c->last, bytes, n) : 0;
    if (c->n && (order > 0 || (order == 0 && length <= c->last_length))) c->sorted = false;
    if (length <= sizeof c->last) {
        if (length) memcpy(c->last, bytes, length);
        c->last_length = length;
    }
    c->n++;
    return true;
}

/* What is listed of a finite term, against all words; that it is finite, against a huge length. */
static bool check_list(struct regex_store *s, term_id t, const struct tree *tree, int root,
                       int max) {
    uint64_t work = 0;
    enum regex_answer infinite = regex_is_infinite(s, t, &work, 100000), more;
    struct count c = {.sorted = true, .room = 100000};
    size_t n = regex_enumerate(s, t, count_string, &c, &more, &work, 10000000);
    bool ok = CHECK_INT(n, c.n);
    if (infinite == REGEX_LIMIT || more == REGEX_LIMIT) return ok;
    term_id longer = and2(s, t, regex_min_length(s, 1000000));
    ok &= CHECK_INT(alive(s, longer, 0), infinite);
    if (infinite == REGEX_YES) return ok && CHECK_INT(more, REGEX_YES) && CHECK_INT(n, 0);
    unsigned count = 1;
    for (int length = 0; length <= max && more == REGEX_NO; length++, count *= LETTERS) {
        size_t found = 0;
        for (unsigned i = 0; i < count; i++) {
            struct word w = word_at(i, length);
            found += holds(tree, root, w.letters, 0, length);
        }
        ok &= CHECK_INT(c.of_length[length], found);
    }
    struct count few = {.sorted = true, .room = n / 2};
    CHECK_INT(regex_enumerate(s, t, count_string, &few, &more, &work, 10000000), n / 2);
    return ok && CHECK_INT(more, n ? REGEX_YES : REGEX_NO) && CHECK(c.sorted);
}

static void test_random_terms(uint64_t seed, int rounds) {
    for (int round = 0; round < rounds; round++) {
        uint64_t before = seed;
        struct tree tree = {.count = 0};
        int root = random_node(&seed, &tree, 4, false);
        struct arena a;
        arena_init(&a, NULL, (size_t)256 << 20);
        struct regex_store *s = regex_store_new(&a, spellable, 2);
        term_id t = to_term(s, &tree, root);
        int max = round % 8 == 0 ? MAX_LENGTH : 4;
        bool ok = check_words(s, t, &tree, root, max, &seed);
        ok = ok && check_list(s, t, &tree, root, max);
        if (!ok || a.failed) {
            fprintf(stderr, "  seed %llu: ", (unsigned long long)before);
            regex_print(s, t, stderr);
            fputc('\n', stderr);
            arena_destroy(&a);
            return;
        }
        arena_destroy(&a);
    }
}

/* ---- lengths --------------------------------------------------------------------------------- */

/* Can a string of t in [lo, hi] be found, against all words of the alphabet? */
static void test_random_lengths(uint64_t seed, int rounds) {
    for (int round = 0; round < rounds; round++) {
        uint64_t before = seed;
        struct tree tree = {.count = 0};
        int root = random_node(&seed, &tree, 3, true);
        struct arena a;
        arena_init(&a, NULL, (size_t)256 << 20);
        struct regex_store *s = regex_store_new(&a, spellable, 2);
        term_id t = to_term(s, &tree, root);
        unsigned count = 1;
        bool ok = true;
        for (int n = 0; n <= 5 && ok; n++, count *= LETTERS) {
            bool any = false;
            for (unsigned i = 0; i < count && !any; i++) {
                struct word w = word_at(i, n);
                any = holds(&tree, root, w.letters, 0, n);
            }
            term_id exact[3] = {t, regex_min_length(s, (uint64_t)n),
                                regex_not(s, regex_min_length(s, (uint64_t)n + 1))};
            term_id u = regex_and(s, exact, 3);
            ok = CHECK_INT(alive(s, u, 0), any ? REGEX_YES : REGEX_NO);
            if (any) ok &= CHECK(witness_ends(s, u, 0, PARTIAL_BOUNDARY));
        }
        if (!ok) {
            fprintf(stderr, "  seed %llu: ", (unsigned long long)before);
            regex_print(s, t, stderr);
            fputc('\n', stderr);
        }
        arena_destroy(&a);
        if (!ok) return;
    }
}

static void test_long_lengths(void) {
    struct arena a;
    arena_init(&a, NULL, (size_t)256 << 20);
    struct regex_store *s = regex_store_new(&a, &everything, 1);
    double start = now_ms();
    const uint64_t billion = 1000000000;
    term_id least = regex_min_length(s, billion);
    CHECK_INT(alive(s, least, 0), REGEX_YES);
    CHECK_INT(alive(s, and2(s, least, regex_not(s, regex_min_length(s, billion))), 0), REGEX_NO);
    uint64_t k = billion - 3;
    int b, n = 0;
    term_id t = least;
    for (; (b = regex_witness_byte(s, t, k, PARTIAL_BOUNDARY)) >= 0 && n < 10; n++) {
        t = regex_derive(s, t, (unsigned char)b);
        k += (b & 0xC0) != 0x80;
    }
    CHECK_INT(n, 3);
    /* the length must be a multiple of 3, of 7 */
    term_id three = regex_repeat(s, lit(s, "abc"), 0, REGEX_UNBOUNDED);
    term_id seven = regex_repeat(s, lit(s, "abcabca"), 0, REGEX_UNBOUNDED);
    term_id exact = and2(s, least, regex_not(s, regex_min_length(s, billion + 1)));
    CHECK_INT(alive(s, and2(s, three, exact), 0), REGEX_NO); /* 10^9 = 1 mod 3 */
    CHECK_INT(alive(s, and2(s, three, exact), 1), REGEX_YES);
    CHECK_INT(alive(s, and2(s, three, least), 0), REGEX_YES);
    CHECK_INT(alive(s, and2(s, seven, exact), 6), REGEX_YES); /* 10^9 = 6 mod 7 */
    CHECK_INT(alive(s, and2(s, seven, exact), 5), REGEX_NO);
    /* short tails may only come at the end */
    term_id tail = regex_cat(s, three, regex_repeat(s, lit(s, "xy"), 2, 2));
    CHECK_INT(alive(s, and2(s, tail, exact), 0), REGEX_YES); /* 3n + 4 = 10^9 */
    CHECK_INT(alive(s, and2(s, tail, exact), 1), REGEX_NO);
    term_id not_three =
        and2(s, regex_not(s, three),
             regex_repeat(s, or2(s, lit(s, "a"), lit(s, "bc")), 0, REGEX_UNBOUNDED));
    CHECK_INT(alive(s, and2(s, not_three, exact), 0), REGEX_YES);
    CHECK(witness_ends(s, and2(s, tail, exact), billion - 7, PARTIAL_BOUNDARY));
    for (uint64_t len = 0; len < 60; len++) { /* a tail longer than what is left to skip */
        term_id u = regex_cat(s, three, regex_repeat(s, lit(s, "xy"), 5, 5));
        u = and2(s, u,
                 and2(s, regex_min_length(s, len), regex_not(s, regex_min_length(s, len + 1))));
        CHECK_INT(alive(s, u, 0), len >= 10 && (len - 10) % 3 == 0 ? REGEX_YES : REGEX_NO);
    }
    CHECK(now_ms() - start < 4000);
    arena_destroy(&a);
}

/* ---- literal sets, characters, sight --------------------------------------------------------- */

static void test_literals(void) {
    enum { N = 100000 };
    struct arena a;
    arena_init(&a, NULL, (size_t)1 << 30);
    struct regex_store *s = regex_store_new(&a, &everything, 1);
    char(*text)[24] = malloc(N * sizeof *text);
    const unsigned char **strings = malloc(N * sizeof *strings);
    size_t *lengths = malloc(N * sizeof *lengths);
    uint64_t seed = 7;
    for (int i = 0; i < N; i++) {
        uint64_t x = test_random(&seed);
        lengths[i] = (size_t)snprintf(text[i], sizeof text[i], "%llx", (unsigned long long)x);
        strings[i] = (const unsigned char *)text[i];
    }
    double start = now_ms();
    term_id t = regex_literal_set(s, strings, lengths, N);
    double took = now_ms() - start;
    if (!CHECK(took < 5000)) fprintf(stderr, "  %.0f ms\n", took);
    CHECK(a.used < (size_t)128 << 20);
    for (int i = 0; i < N; i += 997) CHECK(matches(s, t, text[i]));
    CHECK(!matches(s, t, "nothing"));
    term_id u = and2(s, t, regex_not(s, regex_min_length(s, 17)));
    CHECK_INT(alive(s, u, 0), REGEX_YES);
    CHECK(witness_ends(s, u, 0, PARTIAL_BOUNDARY));
    u = and2(s, t, regex_cat(s, lit(s, "a"), TERM_ANY));
    CHECK_INT(alive(s, u, 0), REGEX_YES);
    free(text);
    free(strings);
    free(lengths);
    /* one form for one set, whatever the order */
    const unsigned char *xs[] = {(const unsigned char *)"tap", (const unsigned char *)"top",
                                 (const unsigned char *)"", (const unsigned char *)"tap"};
    const unsigned char *ys[] = {(const unsigned char *)"", (const unsigned char *)"top",
                                 (const unsigned char *)"tap"};
    const size_t ls[] = {3, 3, 0, 3}, ms[] = {0, 3, 3};
    CHECK_INT(regex_literal_set(s, xs, ls, 4), regex_literal_set(s, ys, ms, 3));
    CHECK_INT(regex_literal_set(s, xs, ls, 0), TERM_NONE);
    CHECK_INT(regex_literal_set(s, ys, ms, 1), TERM_EMPTY_STRING);
    struct count c = {.sorted = true, .room = 10};
    enum regex_answer more;
    uint64_t work = 0;
    term_id set = regex_literal_set(s, xs, ls, 4);
    CHECK_INT(regex_enumerate(s, set, count_string, &c, &more, &work, 1000), 3);
    CHECK_INT(more, REGEX_NO);
    c = (struct count){.sorted = true, .room = 2};
    CHECK_INT(regex_enumerate(s, set, count_string, &c, &more, &work, 1000), 2);
    CHECK_INT(more, REGEX_YES);
    term_id many =
        regex_repeat(s, regex_charset(s, &(struct code_range){'a', 'z'}, 1), 9, 1000000000);
    CHECK_INT(regex_enumerate(s, many, count_string, &c, &more, &work, 1000), 0);
    CHECK_INT(more, REGEX_YES); /* there was no room */
    c = (struct count){.sorted = true, .room = 10};
    CHECK_INT(regex_enumerate(s, regex_repeat(s, lit(s, "a"), 1000000000, 1000000000), count_string,
                              &c, &more, &work, 1000),
              0);
    CHECK_INT(more, REGEX_LIMIT);
    arena_destroy(&a);
}

static void test_long_literal(void) {
    enum { N = 100000 };
    struct arena a;
    arena_init(&a, NULL, (size_t)256 << 20);
    struct regex_store *s = regex_store_new(&a, &everything, 1);
    unsigned char *text = malloc(N);
    for (int i = 0; i < N; i++) text[i] = (unsigned char)('a' + i % 23);
    term_id t = regex_literal(s, text, N);
    CHECK(regex_matches(s, t, text, N));
    CHECK(!regex_matches(s, t, text, N - 1));
    CHECK_INT(regex_cat(s, regex_literal(s, text, 70), regex_literal(s, text + 70, N - 70)), t);
    CHECK_INT(regex_derive(s, t, 'a'), regex_literal(s, text + 1, N - 1));
    free(text);
    arena_destroy(&a);
}

static void test_spellable(void) {
    struct arena a;
    arena_init(&a, NULL, (size_t)16 << 20);
    struct regex_store *s = regex_store_new(&a, spellable, 2);
    CHECK_INT(lit(s, "abc"), TERM_NONE);
    CHECK_INT(regex_charset(s, &(struct code_range){'x', 'z'}, 1), TERM_NONE);
    CHECK_INT(matches(s, TERM_ANY, "ab\xE2\x82\xAC"), true);
    CHECK_INT(matches(s, TERM_ANY, "abc"), false);
    term_id not_a = regex_not(s, lit(s, "a"));
    CHECK_INT(matches(s, not_a, "c"), false);
    CHECK_INT(matches(s, not_a, "b"), true);
    CHECK_INT(matches(s, not_a, "\xE2\x82\xAC"), true);
    CHECK_INT(matches(s, not_a, "\xE2\x82\xAE"), false);
    CHECK_INT(matches(s, not_a, "\xE2\x82"), false);
    CHECK_INT(regex_derive(s, not_a, 0x82), TERM_NONE);
    term_id one = regex_charset_except(s, NULL, 0);
    CHECK_INT(alive(s, and2(s, one, regex_not(s, one)), 0), REGEX_NO);
    /* nothing can be spelled: only "" */
    s = regex_store_new(&a, NULL, 0);
    CHECK_INT(alive(s, TERM_ANY, 0), REGEX_YES);
    CHECK_INT(alive(s, regex_min_length(s, 1), 0), REGEX_NO);
    CHECK_INT(regex_witness_byte(s, TERM_ANY, 0, PARTIAL_BOUNDARY), -1);
    CHECK_INT(regex_derive(s, TERM_ANY, 'a'), TERM_NONE);
    arena_destroy(&a);
}

/* The writer may use fewer characters raw than can be spelled: the place inside one restricts. */
static void test_places(void) {
    struct arena a;
    arena_init(&a, NULL, (size_t)16 << 20);
    struct regex_store *s = regex_store_new(&a, &everything, 1);
    const struct code_range euro = {0x20AC, 0x20AC}, won = {0x20A9, 0x20A9};
    uint32_t raw = regex_partial_set(s, &euro, 1);
    uint64_t work = 0;
    partial_id p = regex_partial_step(s, raw, PARTIAL_BOUNDARY, 0xE2);
    CHECK(p != PARTIAL_DEAD && p != PARTIAL_BOUNDARY);
    term_id t = regex_derive(s, regex_charset(s, &won, 1), 0xE2);
    CHECK(t != TERM_NONE);
    CHECK_INT(regex_alive(s, t, 1, p, &work, 1000), REGEX_NO);
    t = regex_derive(s, regex_charset_except(s, &won, 1), 0xE2);
    CHECK_INT(regex_alive(s, t, 1, p, &work, 1000), REGEX_YES);
    CHECK_INT(regex_witness_byte(s, t, 1, p), 0x82);
    t = regex_derive(s, t, 0x82);
    p = regex_partial_step(s, raw, p, 0x82);
    CHECK_INT(regex_witness_byte(s, t, 1, p), 0xAC);
    CHECK_INT(regex_partial_step(s, raw, p, 0xAC), PARTIAL_BOUNDARY);
    CHECK_INT(regex_partial_step(s, raw, p, 0xAD), PARTIAL_DEAD);
    CHECK_INT(regex_partial_step(s, 0, PARTIAL_BOUNDARY, 0xED) != PARTIAL_DEAD, true);
    p = regex_partial_step(s, 0, PARTIAL_BOUNDARY, 0xED);
    CHECK_INT(regex_partial_step(s, 0, p, 0xA0), PARTIAL_DEAD); /* a surrogate */
    CHECK_INT(regex_partial_step(s, 0, PARTIAL_BOUNDARY, 0xC1), PARTIAL_DEAD);
    CHECK_INT(regex_partial_step(s, 0, PARTIAL_BOUNDARY, 0xF5), PARTIAL_DEAD);
    uint32_t none = regex_partial_set(s, NULL, 0);
    CHECK_INT(regex_partial_step(s, none, PARTIAL_BOUNDARY, 'a'), PARTIAL_DEAD);
    arena_destroy(&a);
}

static void test_shapes(void) {
    struct arena a;
    arena_init(&a, NULL, (size_t)64 << 20);
    struct regex_store *s = regex_store_new(&a, &everything, 1);
    term_id x = lit(s, "a"), y = lit(s, "b");
    CHECK_INT(or2(s, x, y), or2(s, y, x));
    CHECK_INT(or2(s, x, regex_not(s, x)), TERM_ANY);
    CHECK_INT(and2(s, x, regex_not(s, x)), TERM_NONE);
    CHECK_INT(regex_repeat(s, regex_repeat(s, x, 10, 10), 10, 10), regex_repeat(s, x, 100, 100));
    CHECK_INT(regex_repeat(s, x, 3, 2), TERM_NONE);
    CHECK_INT(or2(s, regex_repeat(s, x, 2, 4), regex_repeat(s, x, 5, 7)), regex_repeat(s, x, 2, 7));
    term_id gap = or2(s, regex_repeat(s, x, 2, 4), regex_repeat(s, x, 6, 7));
    CHECK(matches(s, gap, "aaaa") && !matches(s, gap, "aaaaa") && matches(s, gap, "aaaaaa"));
    CHECK_INT(regex_min_length(s, 0), TERM_ANY);
    CHECK(regex_has_length(s, regex_not(s, regex_min_length(s, 3))));
    CHECK_INT(regex_settle(s, regex_min_length(s, 3), 3), TERM_ANY);
    CHECK_INT(regex_settle(s, regex_min_length(s, 3), 2), regex_min_length(s, 3));
    CHECK_INT(regex_nonempty(s, regex_repeat(s, x, 0, 5)), regex_repeat(s, x, 1, 5));
    uint64_t work = 0;
    CHECK_INT(regex_is_infinite(s, TERM_ANY, &work, 1000), REGEX_YES);
    CHECK_INT(regex_is_infinite(s, regex_not(s, regex_min_length(s, 3)), &work, 1000), REGEX_NO);
    CHECK_INT(regex_is_infinite(s, and2(s, regex_not(s, x), regex_repeat(s, y, 0, 3)), &work, 1000),
              REGEX_NO);
    CHECK_INT(regex_is_infinite(s, regex_not(s, x), &work, 1000), REGEX_YES);
    char text[256] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    regex_print(
        s, and2(s, regex_repeat(s, or2(s, x, y), 1, REGEX_UNBOUNDED), regex_not(s, lit(s, "ab"))),
        f);
    fclose(f);
    CHECK(strstr(text, "not(\"ab\")") != NULL);
    arena_destroy(&a);
}

/* Everything once, with the n-th allocation failing: no crash, no wrong verdict. */
static void test_memory(void) {
    bool done = false;
    for (size_t n = 0; !done && n < 20000; n++) {
        struct arena a;
        arena_init(&a, NULL, (size_t)16 << 20);
        a.fail_after = n;
        struct regex_store *s = regex_store_new(&a, &everything, 1);
        if (s) {
            uint64_t work = 0;
            term_id x =
                regex_repeat(s, regex_charset(s, &(struct code_range){'a', 0x3B1}, 1), 0, 9);
            term_id parts[4] = {x, regex_not(s, regex_cat(s, TERM_ANY, lit(s, "\xCE\xB1"))),
                                regex_min_length(s, 3),
                                regex_not(s, regex_repeat(s, lit(s, "ab"), 0, 4))};
            term_id t = regex_and(s, parts, 4);
            enum regex_answer r = regex_alive(s, t, 0, PARTIAL_BOUNDARY, &work, 100000);
            CHECK(r == REGEX_YES || a.failed);
            CHECK(r != REGEX_NO);
            regex_witness_byte(s, t, 0, PARTIAL_BOUNDARY);
            regex_is_infinite(s, t, &work, 100000);
            struct count c = {.sorted = true, .room = 20};
            enum regex_answer more;
            regex_enumerate(s, t, count_string, &c, &more, &work, 100000);
            CHECK(more != REGEX_NO || a.failed || c.n < 20);
            matches(s, t, "a\xCE\xB1q");
            done = !a.failed;
        }
        arena_destroy(&a);
    }
    CHECK(done);
}

int main(void) {
    test_shapes();
    test_spellable();
    test_places();
    test_long_lengths();
    test_literals();
    test_long_literal();
    test_random_terms(20261130, 1500);
    test_random_lengths(4242, 1500);
    test_memory();
    return test_done("regex");
}
