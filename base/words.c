/* SPDX-License-Identifier: MIT */
#include "base/words.h"

#include <stdbool.h>
#include <stdint.h>

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool same(char a, char b) {
    return lower(a) == lower(b);
}

/* Levenshtein, with a swap of neighbours as one edit; three rows of the table are enough. */
size_t words_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t n = a_length, m = b_length, rows[3][WORDS_MAX + 1];
    if (n > WORDS_MAX || m > WORDS_MAX) return SIZE_MAX;
    for (size_t j = 0; j <= m; j++) rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = above[j - 1] + !same(a[i - 1], b[j - 1]);
            if (above[j] + 1 < best) best = above[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]) &&
                above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}
