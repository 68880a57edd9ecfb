/* SPDX-License-Identifier: MIT
 *
 * Strings of patterns with verdicts, for scripts/check_patterns.py.
 *
 *     dump_patterns N SEED < patterns
 *
 * Input: a pattern a line, as hexadecimal UTF-8. Output for each: a line "pattern STATUS OFFSET
 * MESSAGE", then lines "VERDICT HEX": N strings drawn from the language, N from its complement, N
 * of these with a few characters changed.
 */
#include <inttypes.h>

#include "base/hex.h"
#include "schema/ecma_regex.h"
#include "tests/lib_draw.h"
#include "tests/test.h"

static void dump(const char *pattern, size_t length, unsigned n, uint64_t *seed) {
    const struct ecma_options options = {250, false};
    struct arena a;
    struct forma_error err;
    struct text x;
    arena_init(&a, NULL, (size_t)1 << 30);
    struct regex_store *s = draw_store_new(&a);
    term_id t = ecma_regex_compile(s, pattern, length, &options, &err);
    printf("pattern %d %" PRId64 " %s\n", err.status, (int64_t)err.offset,
           err.status == FORMA_OK ? "" : err.message);
    if (err.status == FORMA_OK) {
        term_id sides[2] = {t, regex_not(s, t)};
        for (unsigned i = 0; i < n * 2 && !a.failed; i++) {
            if (!draw_string(s, sides[i & 1], seed, &x)) continue;
            draw_print(s, t, &x);
            if (i % 2 == 0) draw_mutation(seed, &x);
            if (i % 2 == 0) draw_print(s, t, &x);
        }
        if (a.failed) puts("memory");
    }
    arena_destroy(&a);
}

int main(int argc, char **argv) {
    static char line[1 << 20];
    if (argc != 3) return 2;
    unsigned n = (unsigned)strtoul(argv[1], NULL, 10);
    uint64_t seed = strtoull(argv[2], NULL, 10);
    while (fgets(line, sizeof line, stdin)) {
        size_t length = 0;
        for (; hex_digit((unsigned char)line[2 * length]) >= 0; length++)
            line[length] = (char)(hex_digit((unsigned char)line[2 * length]) * 16 +
                                  hex_digit((unsigned char)line[2 * length + 1]));
        dump(line, length, n, &seed);
    }
    return 0;
}
