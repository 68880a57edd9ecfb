/* SPDX-License-Identifier: MIT
 *
 * What patterns cost: compiling them, and the states that masks make of them.
 *
 *     bench_patterns VOCABULARY N SEED [-v] < patterns
 *
 * Input: a pattern a line, as hexadecimal UTF-8. Each is read as the language of a JSON string. N
 * strings are drawn from it; at every fourth character a mask is walked. The first step from a state by
 * a byte is timed: some of them derive, and find a new state, a known or a dead one, the others are
 * look-ups; so is the second, which is taken off. With -v a line a
 * pattern: "compile-us first-mask-us masks new-states ns-a-new-state bytes pattern".
 */
#include <inttypes.h>
#include <time.h>

#include "automaton/json_string.h"
#include "base/hex.h"
#include "schema/ecma_regex.h"
#include "tests/lib_draw.h"
#include "tests/test.h"
#include "tokenmask/mask.h"

/* States whose steps are timed; a step that takes longer was interrupted. */
enum { MAX_STATES = 1 << 16, INTERRUPTED_US = 500 };

struct sums {
    double compile, first_mask, masked, first, second; /* us; of steps: the first of a kind */
    uint64_t masks, states, n_first, n_second, patterns, bytes;
};

struct string_machine {
    struct machine base;
    struct string_reader *reader;
    struct sums *sums;
    uint64_t (*seen)[2][4]; /* by state, bytes that were stepped once, twice */
};

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static struct state step(struct machine *base, struct state s, unsigned char byte) {
    struct string_machine *m = (struct string_machine *)(void *)base;
    bool limited = false;
    if (s.region == STRING_CLOSED) return (struct state){0, 0};
    uint64_t *once = &m->seen[s.region % MAX_STATES][0][byte / 64], *twice = once + 4;
    uint64_t bit = UINT64_C(1) << byte % 64;
    bool first = !(*once & bit), second = !first && !(*twice & bit);
    double start = first || second ? now_us() : 0;
    string_state next = string_step(m->reader, s.region, byte, &limited);
    double us = first || second ? now_us() - start : 0;
    *(first ? once : twice) |= bit;
    if (first && us < INTERRUPTED_US) {
        m->sums->first += us;
        m->sums->n_first++;
    } else if (second && us < INTERRUPTED_US) {
        m->sums->second += us;
        m->sums->n_second++;
    }
    return (struct state){next != STRING_DEAD, next};
}

static bool accepts(struct machine *base, struct state s) {
    (void)base;
    return s.region == STRING_CLOSED;
}

struct bench {
    const struct forma_vocabulary *vocabulary;
    struct mask_frame *path;
    uint32_t *row;
    size_t words;
    struct sums all;
    uint64_t (*seen)[2][4];
};

static void walk(struct bench *b, struct string_machine *m, string_state at, struct sums *sums) {
    uint32_t before = string_reader_states(m->reader);
    m->sums = sums;
    double start = now_us();
    mask_fill(&m->base, b->vocabulary, (struct state){1, at}, b->path, b->row, b->words);
    double us = now_us() - start;
    mask_fill(&m->base, b->vocabulary, (struct state){1, at}, b->path, b->row, b->words);
    sums->masked += us;
    if (sums->masks++ == 0) sums->first_mask = us;
    sums->states += string_reader_states(m->reader) - before;
}

/* Masks along a string, whose characters are written as they are. */
static void follow(struct bench *b, struct string_machine *m, string_state s, const struct text *x,
                   struct sums *sums) {
    bool limited = false;
    for (size_t i = 0, k = 0; i < x->length && i < 100 && s > STRING_CLOSED; i++) {
        bool lead = (x->bytes[i] & 0xC0) != 0x80;
        if (lead && k++ % 4 == 0) walk(b, m, s, sums);
        s = string_step(m->reader, s, x->bytes[i], &limited);
    }
}

/* What first steps took longer than look-ups. */
static double ns_a_state(const struct sums *x) {
    double look_up = x->n_second ? x->second / (double)x->n_second : 0;
    double derived = x->first - look_up * (double)x->n_first;
    return x->states ? 1e3 * derived / (double)x->states : 0;
}

static void measure(struct bench *b, const char *pattern, size_t length, unsigned n, uint64_t *seed,
                    bool verbose) {
    static const struct machine_ops ops = {.step = step, .accepts = accepts};
    const struct ecma_options options = {250, false};
    static struct code_range ranges[SPELLABLE_MAX_RANGES];
    const bool *alphabet = forma_vocabulary_alphabet(b->vocabulary);
    struct arena a;
    struct forma_error err;
    struct sums sums = {0};
    arena_init(&a, NULL, (size_t)1 << 30);
    struct regex_store *s = regex_store_new(&a, ranges, string_spellable(alphabet, false, ranges));
    struct string_machine m = {.base.ops = &ops,
                               .reader = string_reader_new(&a, s, alphabet, false, 250000),
                               .seen = b->seen};
    memset(b->seen, 0, MAX_STATES * sizeof *b->seen);
    bool limited = false;
    size_t used = a.used;
    double start = now_us();
    term_id t = ecma_regex_compile(s, pattern, length, &options, &err);
    string_state first =
        err.status == FORMA_OK ? string_begin(m.reader, &t, 1, &limited) : STRING_DEAD;
    sums.compile = now_us() - start;
    for (unsigned i = 0; i < n && first != STRING_DEAD && !a.failed; i++) {
        struct text x;
        if (i == 0) walk(b, &m, first, &sums);
        if (draw_string(s, t, seed, &x)) follow(b, &m, first, &x, &sums);
    }
    sums.bytes = a.used - used;
    if (verbose && sums.masks)
        printf("%.1f %.1f %" PRIu64 " %" PRIu64 " %.0f %" PRIu64 " %.*s\n", sums.compile,
               sums.first, sums.masks, sums.states, ns_a_state(&sums), sums.bytes, (int)length,
               pattern);
    b->all.compile += sums.compile;
    b->all.first += sums.first;
    b->all.masked += sums.masked;
    b->all.second += sums.second;
    b->all.n_first += sums.n_first;
    b->all.n_second += sums.n_second;
    b->all.first_mask += sums.first_mask;
    b->all.masks += sums.masks;
    b->all.states += sums.states;
    b->all.bytes += sums.bytes;
    b->all.patterns++;
    arena_destroy(&a);
}

int main(int argc, char **argv) {
    static char line[1 << 20];
    struct forma_error err;
    if (argc < 4) return 2;
    struct bench b = {.vocabulary = forma_vocabulary_open(argv[1], NULL, &err)};
    if (!b.vocabulary) return 2;
    b.words = mask_words(b.vocabulary->n_tokens);
    b.row = calloc(b.words, sizeof *b.row);
    b.path = calloc(b.vocabulary->trie.max_depth + 1, sizeof *b.path);
    b.seen = calloc(MAX_STATES, sizeof *b.seen);
    unsigned n = (unsigned)strtoul(argv[2], NULL, 10);
    uint64_t seed = strtoull(argv[3], NULL, 10);
    while (b.row && b.path && b.seen && fgets(line, sizeof line, stdin)) {
        size_t length = 0;
        for (; hex_digit((unsigned char)line[2 * length]) >= 0; length++)
            line[length] = (char)(hex_digit((unsigned char)line[2 * length]) * 16 +
                                  hex_digit((unsigned char)line[2 * length + 1]));
        measure(&b, line, length, n, &seed, argc > 4);
    }
    const struct sums *x = &b.all;
    fprintf(stderr,
            "%" PRIu64 " patterns: compile %.1f us, first mask %.1f us, %" PRIu64
            " masks of %.1f us; %" PRIu64 " new states of %.0f ns, %.0f bytes\n",
            x->patterns, x->compile / (double)x->patterns, x->first_mask / (double)x->patterns,
            x->masks, x->masked / (double)x->masks, x->states, ns_a_state(x),
            (double)x->bytes / (double)x->states);
    free(b.row);
    free(b.path);
    free(b.seen);
    return 0;
}
