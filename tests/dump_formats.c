/* SPDX-License-Identifier: MIT
 *
 * Strings of formats with verdicts, for scripts/check_formats.py.
 *
 *     dump_formats N SEED [FORMAT]...
 *     dump_formats - < LINES
 *
 * For each format, or each that is named: a line "format NAME", then lines "VERDICT HEX": N strings
 * drawn from the language, N from its complement, N of the former with a few characters changed. With
 * `-` the strings are read, as lines "format NAME" and HEX.
 */
#include "base/hex.h"
#include "schema/formats.h"
#include "tests/lib_draw.h"
#include "tests/test.h"

enum { STRINGS_A_STORE = 200 }; /* machines have new states for new strings */

static const char *const names[] = {
#define X(identifier, name, source) name,
    FORMAT_MAP(X)
#undef X
};

struct language {
    struct arena arena;
    struct regex_store *store;
    term_id term;
};

static void open_language(struct language *l, enum format format) {
    struct format_terms terms = {{0}, {0}};
    arena_init(&l->arena, NULL, (size_t)1 << 30);
    l->store = draw_store_new(&l->arena);
    l->term = format_term(l->store, &terms, format);
}

static bool dump(enum format format, unsigned n, uint64_t *seed) {
    struct language l;
    struct text x;
    open_language(&l, format);
    term_id sides[2] = {l.term, regex_not(l.store, l.term)};
    for (unsigned i = 0; i < n * 2 && !l.arena.failed; i++) {
        if (!draw_string(l.store, sides[i & 1], seed, &x)) continue;
        draw_print(l.store, l.term, &x);
        if (i & 1) continue;
        draw_mutation(seed, &x);
        draw_print(l.store, l.term, &x);
    }
    bool ok = !l.arena.failed;
    arena_destroy(&l.arena);
    return ok;
}

static bool from_hex(const char *line, struct text *x) {
    for (x->length = 0; line[0] && line[0] != '\n'; line += 2) {
        int high = hex_digit((unsigned char)line[0]), low = hex_digit((unsigned char)line[1]);
        if (high < 0 || low < 0 || x->length == DRAW_MAX) return false;
        x->bytes[x->length++] = (unsigned char)(high * 16 + low);
    }
    return true;
}

static int judge_lines(void) {
    static char line[2 * DRAW_MAX + 2];
    struct language l = {.store = NULL};
    struct text x;
    enum format format = FORMAT_COUNT;
    unsigned n = 0;
    while (fgets(line, sizeof line, stdin)) {
        bool named = strncmp(line, "format ", 7) == 0;
        if (named) {
            format = format_find(line + 7, strcspn(line + 7, "\n"));
            fputs(line, stdout);
        }
        if (named || n++ % STRINGS_A_STORE == 0) {
            if (l.store) arena_destroy(&l.arena);
            if (format == FORMAT_COUNT) return 2;
            open_language(&l, format);
        }
        if (named) continue;
        if (!from_hex(line, &x)) return 2;
        draw_print(l.store, l.term, &x);
        if (l.arena.failed) return 1;
    }
    if (l.store) arena_destroy(&l.arena);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "-") == 0) return judge_lines();
    if (argc < 3) return 2;
    unsigned n = (unsigned)strtoul(argv[1], NULL, 10);
    uint64_t seed = strtoull(argv[2], NULL, 10);
    for (enum format f = 0; f < FORMAT_COUNT; f++) {
        bool named = argc == 3;
        for (int i = 3; i < argc; i++) named |= strcmp(argv[i], names[f]) == 0;
        if (!named) continue;
        printf("format %s\n", names[f]);
        for (unsigned done = 0; done < n; done += STRINGS_A_STORE)
            if (!dump(f, n - done < STRINGS_A_STORE ? n - done : STRINGS_A_STORE, &seed)) return 1;
    }
    return 0;
}
