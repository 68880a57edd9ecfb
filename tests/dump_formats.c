/* SPDX-License-Identifier: MIT
 *
 * Strings of formats with verdicts, for scripts/check_formats.py.
 *
 *     dump_formats N SEED [FORMAT]...
 *
 * For each format, or each that is named: a line "format NAME", then lines "VERDICT HEX": N strings
 * drawn from the language, N from its complement, N of the former with a few characters changed.
 */
#include "schema/formats.h"
#include "tests/lib_draw.h"
#include "tests/test.h"

static bool dump(enum format format, unsigned n, uint64_t *seed) {
    struct arena a;
    struct text x;
    struct format_terms terms = {{0}, {0}};
    arena_init(&a, NULL, (size_t)1 << 30);
    struct regex_store *s = draw_store_new(&a);
    term_id t = format_term(s, &terms, format), sides[2] = {t, regex_not(s, t)};
    for (unsigned i = 0; i < n * 2 && !a.failed; i++) {
        if (!draw_string(s, sides[i & 1], seed, &x)) continue;
        draw_print(s, t, &x);
        if (i & 1) continue;
        draw_mutation(seed, &x);
        draw_print(s, t, &x);
    }
    bool ok = !a.failed;
    arena_destroy(&a);
    return ok;
}

int main(int argc, char **argv) {
    static const char *const names[] = {
#define X(identifier, name, source) name,
        FORMAT_MAP(X)
#undef X
    };
    if (argc < 3) return 2;
    unsigned n = (unsigned)strtoul(argv[1], NULL, 10);
    uint64_t seed = strtoull(argv[2], NULL, 10);
    for (enum format f = 0; f < FORMAT_COUNT; f++) {
        bool named = argc == 3;
        for (int i = 3; i < argc; i++) named |= strcmp(argv[i], names[f]) == 0;
        if (!named) continue;
        printf("format %s\n", names[f]);
        if (!dump(f, n, &seed)) return 1;
    }
    return 0;
}
