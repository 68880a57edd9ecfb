/* SPDX-License-Identifier: MIT
 *
 * The tokens of a tokenizer file as masks see them, for scripts/check_tokenizers.py.
 *
 *     dump_vocabulary FILE
 *
 * A line for each id: "text HEX", "control", "end", or "none" where there is no such token. The
 * encoder must have the same: where it has not, the line goes on with "differs".
 */
#include "runtime/tokenizer.h"
#include "tests/test.h"

int main(int argc, char **argv) {
    struct forma_error err = {0};
    const char *path = argc == 2 ? argv[1] : "";
    struct forma_vocabulary *v = forma_vocabulary_open(path, NULL, &err);
    struct tokenizer *t = v ? tokenizer_open_file(path, NULL, &err) : NULL;
    if (!t) {
        fprintf(stderr, "dump_vocabulary: %s: %s %s\n", path, err.pointer, err.message);
        forma_vocabulary_free(v);
        return 1;
    }
    for (uint32_t id = 0; id < forma_vocabulary_size(v); id++) {
        size_t n, other;
        const unsigned char *bytes = forma_vocabulary_bytes(v, id, &n);
        const unsigned char *same = tokenizer_bytes(t, id, &other);
        if (bytes)
            printf("text ");
        else
            printf(forma_vocabulary_is_eos(v, id)       ? "end"
                   : tokenizer_piece(t, id).length == 0 ? "none"
                                                        : "control");
        for (size_t i = 0; i < n; i++) printf("%02x", bytes[i]);
        puts(n == other && (n == 0 || memcmp(bytes, same, n) == 0) ? "" : " differs");
    }
    if (tokenizer_size(t) != forma_vocabulary_size(v)) puts("sizes differ");
    tokenizer_free(t);
    forma_vocabulary_free(v);
    return 0;
}
