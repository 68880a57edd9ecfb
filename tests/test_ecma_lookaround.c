/* SPDX-License-Identifier: MIT
 *
 * Lookaround by brute force: random patterns over a small alphabet, each compared on every string
 * up to a length with a matcher that is nothing but the definition. It works on the tree that the
 * pattern was printed from and gives, for a place in the string, the set of places where a match
 * can end.
 */
#include "schema/ecma_regex.h"
#include "tests/test.h"

enum { MAX_NODES = 200, LONGEST = 5, N_LETTERS = 3 };

/* A word character of one byte, one of two bytes that is none, and a line end, which . leaves out. */
static const char *const letters[N_LETTERS] = {"a", "\xC3\xA9", "\n"};

enum kind { SET, EMPTY, CAT, OR, REPEAT, START, END, BOUNDARY, AHEAD, BEHIND };

struct node {
    enum kind kind;
    unsigned members; /* SET: by letter */
    bool negated;
    int a, b, min, max; /* max -1: none */
};

struct tree {
    struct node nodes[MAX_NODES];
    int count;
    char text[4096];
    size_t length;
};

/* ---- making patterns ------------------------------------------------------------------------- */

static const struct {
    const char *text;
    unsigned members;
} sets[] = {{"a", 1},       {"\xC3\xA9", 2},     {"\n", 4},     {".", 3},
            {"\\w", 1},     {"\\W", 6},          {"[^a]", 6},   {"[a\xC3\xA9]", 3},
            {"[^\\s]", 3},  {"\\p{L}", 3},       {"\\P{L}", 4}, {"\\p{ASCII}", 5},
            {"\\u{e9}", 2}, {"[\\x0a\\xe9]", 6}, {"\\cJ", 4},   {"[]", 0},
            {"[^]", 7},     {"\\n", 4},          {"[\\D]", 7},  {"\\d", 0}};

static int add(struct tree *t, struct node node) {
    t->nodes[t->count] = node;
    return t->count++;
}

static void say(struct tree *t, const char *what) {
    size_t n = strlen(what);
    if (t->length + n >= sizeof t->text) n = 0;
    memcpy(t->text + t->length, what, n);
    t->length += n;
}

static int random_tree(struct tree *t, uint64_t *seed, int depth);

static int random_set(struct tree *t, uint64_t *seed) {
    unsigned i = test_below(seed, sizeof sets / sizeof *sets);
    say(t, sets[i].text);
    return add(t, (struct node){.kind = SET, .members = sets[i].members});
}

static int random_group(struct tree *t, uint64_t *seed, int depth, const char *head) {
    say(t, head);
    int inside = random_tree(t, seed, depth - 1);
    say(t, ")");
    return inside;
}

static int random_assertion(struct tree *t, uint64_t *seed, int depth) {
    static const char *const heads[4] = {"(?=", "(?!", "(?<=", "(?<!"};
    unsigned which = test_below(seed, depth > 0 ? 10 : 4);
    if (which < 2) {
        say(t, which ? "$" : "^");
        return add(t, (struct node){.kind = which ? END : START});
    }
    if (which < 4) {
        say(t, which == 2 ? "\\b" : "\\B");
        return add(t, (struct node){.kind = BOUNDARY, .negated = which == 3});
    }
    which = test_below(seed, 4);
    int inside = random_group(t, seed, depth, heads[which]);
    enum kind kind = which < 2 ? AHEAD : BEHIND;
    return add(t, (struct node){.kind = kind, .negated = which & 1, .a = inside});
}

static int random_piece(struct tree *t, uint64_t *seed, int depth) {
    static const struct {
        const char *text;
        int min, max;
    } quantifiers[] = {{"*", 0, -1},    {"+", 1, -1},    {"?", 0, 1},   {"{2}", 2, 2},
                       {"{0,2}", 0, 2}, {"{2,}", 2, -1}, {"*?", 0, -1}, {"{1,3}?", 1, 3}};
    if (test_below(seed, 3) == 0) return random_assertion(t, seed, depth);
    bool group = depth > 0 && test_below(seed, 2) == 0;
    int piece = group ? random_group(t, seed, depth, "(?:") : random_set(t, seed);
    if (test_below(seed, 5) >= 2) return piece;
    unsigned q = test_below(seed, sizeof quantifiers / sizeof *quantifiers);
    say(t, quantifiers[q].text);
    return add(
        t, (struct node){
               .kind = REPEAT, .a = piece, .min = quantifiers[q].min, .max = quantifiers[q].max});
}

static int random_tree(struct tree *t, uint64_t *seed, int depth) {
    int result = -1;
    do {
        int sequence = add(t, (struct node){.kind = EMPTY});
        if (result >= 0) say(t, "|");
        for (unsigned n = test_below(seed, 4); n && t->count < MAX_NODES - 60; n--) {
            int piece = random_piece(t, seed, depth);
            sequence = add(t, (struct node){.kind = CAT, .a = sequence, .b = piece});
        }
        result =
            result < 0 ? sequence : add(t, (struct node){.kind = OR, .a = result, .b = sequence});
    } while (test_below(seed, 3) == 0 && t->count < MAX_NODES - 60);
    return result;
}

/* ---- the definition -------------------------------------------------------------------------- */

struct string {
    int letters[LONGEST], length;
};

static unsigned ends(const struct tree *t, int at, const struct string *s, int i);

/* All places where a match of `b` can end that begins at one of `from`. */
static unsigned ends_from(const struct tree *t, int b, const struct string *s, unsigned from) {
    unsigned result = 0;
    for (int i = 0; i <= s->length; i++)
        if (from >> i & 1) result |= ends(t, b, s, i);
    return result;
}

static bool is_word(const struct string *s, int i) {
    return i >= 0 && i < s->length && s->letters[i] == 0;
}

static unsigned ends_of_repeat(const struct tree *t, const struct node *n, const struct string *s,
                               int i) {
    unsigned now = 1u << i, result = n->min == 0 ? now : 0;
    /* beyond the minimum, rounds that gain no place add nothing */
    for (int round = 1; round <= (n->max < 0 ? n->min + LONGEST + 1 : n->max); round++) {
        now = ends_from(t, n->a, s, now);
        if (round >= n->min) result |= now;
    }
    return result;
}

static unsigned ends(const struct tree *t, int at, const struct string *s, int i) {
    const struct node *n = &t->nodes[at];
    unsigned here = 1u << i;
    bool yes = false;
    switch (n->kind) {
    case SET: return i < s->length && (n->members >> s->letters[i] & 1) ? here << 1 : 0;
    case EMPTY: return here;
    case CAT: return ends_from(t, n->b, s, ends(t, n->a, s, i));
    case OR: return ends(t, n->a, s, i) | ends(t, n->b, s, i);
    case REPEAT: return ends_of_repeat(t, n, s, i);
    case START: yes = i == 0; break;
    case END: yes = i == s->length; break;
    case BOUNDARY: yes = is_word(s, i - 1) != is_word(s, i); break;
    case AHEAD: yes = ends(t, n->a, s, i) != 0; break;
    case BEHIND:
        for (int k = 0; k <= i && !yes; k++) yes = ends(t, n->a, s, k) >> i & 1;
        break;
    }
    return yes != n->negated ? here : 0;
}

/* ---- comparison ------------------------------------------------------------------------------ */

struct comparison {
    const struct tree *tree;
    int root;
    struct regex_store *store;
    bool whole, ok;
};

static bool expected(const struct comparison *c, const struct string *s) {
    if (c->whole) return ends(c->tree, c->root, s, 0) >> s->length & 1;
    return ends_from(c->tree, c->root, s, (2u << s->length) - 1) != 0;
}

/* Is there a completion of what was read, as the witness says? It is compared, too. */
static bool check_witness(const struct comparison *c, term_id t, struct string s) {
    for (size_t bytes = 0; bytes < 200; bytes++) {
        int b = regex_witness_byte(c->store, t, 0, PARTIAL_BOUNDARY);
        if (b < 0) return s.length > LONGEST || expected(c, &s) == regex_nullable(c->store, t, 0);
        t = regex_derive(c->store, t, (unsigned char)b);
        if (s.length == LONGEST) s.length++; /* longer than can be compared, or another letter */
        if (s.length > LONGEST) continue;
        int letter = 0;
        while (letter < N_LETTERS && (unsigned char)letters[letter][0] != b) letter++;
        if (letter == N_LETTERS || letter == 1) {
            s.length = LONGEST + 1;
            continue;
        }
        s.letters[s.length++] = letter;
    }
    return false;
}

/* Walks all strings; returns whether one below s, or s, matches. */
static bool walk(struct comparison *c, term_id t, struct string *s) {
    uint64_t work = 0;
    bool some = expected(c, s);
    enum regex_answer alive = regex_alive(c->store, t, 0, PARTIAL_BOUNDARY, &work, 1000000);
    c->ok = c->ok && CHECK_INT(regex_nullable(c->store, t, 0), some);
    for (int l = 0; l < N_LETTERS && s->length < LONGEST && c->ok; l++) {
        term_id next = t;
        for (const char *p = letters[l]; *p; p++)
            next = regex_derive(c->store, next, (unsigned char)*p);
        s->letters[s->length++] = l;
        some |= walk(c, next, s);
        s->length--;
    }
    if (c->ok && some) c->ok = CHECK_INT(alive, REGEX_YES);
    if (c->ok && alive == REGEX_YES) c->ok = CHECK(check_witness(c, t, *s));
    return some;
}

static void compare_random(uint64_t seed, int rounds) {
    static struct tree tree;
    static const struct code_range everything = {0, 0x10FFFF};
    for (int round = 0; round < rounds; round++) {
        uint64_t before = seed;
        tree.count = 0;
        tree.length = 0;
        int root = random_tree(&tree, &seed, 3);
        struct arena a;
        struct forma_error err;
        arena_init(&a, NULL, (size_t)256 << 20);
        const struct ecma_options options = {100, round & 1};
        struct comparison c = {&tree, root, regex_store_new(&a, &everything, 1), round & 1, true};
        term_id t = ecma_regex_compile(c.store, tree.text, tree.length, &options, &err);
        struct string s = {.length = 0};
        c.ok = CHECK_INT(err.status, FORMA_OK);
        if (c.ok) walk(&c, t, &s);
        if (!c.ok)
            fprintf(stderr, "  seed %llu: %s%.*s (%s)\n", (unsigned long long)before,
                    c.whole ? "whole " : "", (int)tree.length, tree.text, err.message);
        arena_destroy(&a);
        if (!c.ok) return;
    }
}

int main(int argc, char **argv) {
    compare_random(argc > 1 ? strtoull(argv[1], NULL, 10) : 20261130,
                   argc > 2 ? atoi(argv[2]) : 1500);
    return test_done("ecma_lookaround");
}
