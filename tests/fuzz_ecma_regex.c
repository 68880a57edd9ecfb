/* SPDX-License-Identifier: MIT
 *
 * Fuzz entry of the ECMA-262 pattern parser: the pattern is the input up to the first newline,
 * the rest is a text. What compiles must answer alike for the pattern and its complement, and a
 * living residual must have a witness step that stays alive.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "schema/ecma_regex.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct code_range everything = {0, 0x10FFFF};
    const struct ecma_options options = {50, size & 1};
    const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
    size_t n = line ? (size_t)(line - data) : size, rest = line ? size - n - 1 : 0;
    struct arena a;
    struct forma_error err;
    if (!arena_init(&a, NULL, (size_t)64 << 20)) return 0;
    struct regex_store *s = regex_store_new(&a, &everything, 1);
    term_id t = ecma_regex_compile(s, (const char *)data, n, &options, &err);
    if (err.status != FORMA_OK && t != TERM_NONE) abort();
    if (rest > 200) rest = 200;
    if (err.status == FORMA_OK && utf8_valid_prefix(line ? line + 1 : data, rest) == rest) {
        const uint8_t *text = line ? line + 1 : data;
        uint64_t work = 0, k = 0;
        bool yes = regex_matches(s, t, text, rest);
        bool no = regex_matches(s, regex_not(s, t), text, rest);
        if (!a.failed && yes == no) abort();
        for (size_t i = 0; i < rest; i++) {
            t = regex_derive(s, t, text[i]);
            k += (text[i] & 0xC0) != 0x80;
        }
        if (regex_alive(s, t, k, PARTIAL_BOUNDARY, &work, 10000) == REGEX_YES) {
            int b = regex_witness_byte(s, t, k, PARTIAL_BOUNDARY);
            if (!a.failed && (b < 0) != regex_nullable(s, t, k) && !a.failed) abort();
        }
    }
    arena_destroy(&a);
    return 0;
}
