/* SPDX-License-Identifier: MIT
 *
 * The vocabulary for masks: the same tokens as byte strings, control tokens marked.
 */
#include "base/error.h"
#include "runtime/tokenizer_internal.h"

struct forma_vocabulary *tokenizer_vocabulary(const struct tokenizer *t, struct forma_error *err) {
    size_t n = t->n_tokens;
    struct forma_vocabulary *v = NULL;
    const unsigned char **bytes = fa_alloc(t->allocator, n * sizeof *bytes);
    size_t *lengths = fa_alloc(t->allocator, n * sizeof *lengths);
    bool *control = fa_alloc(t->allocator, n * sizeof *control);
    if (!bytes || !lengths || !control) {
        error_set(err, FORMA_EMEMORY, "no memory for the vocabulary");
        goto done;
    }
    for (uint32_t id = 0; id < n; id++) {
        bytes[id] = t->tokens[id].bytes;
        lengths[id] = t->tokens[id].length;
        control[id] = lengths[id] == 0;
    }
    v = forma_vocabulary_from_bytes(bytes, lengths, control, n, t->eos, t->n_eos, t->allocator,
                                    err);
done:
    fa_free(t->allocator, bytes, n * sizeof *bytes);
    fa_free(t->allocator, lengths, n * sizeof *lengths);
    fa_free(t->allocator, control, n * sizeof *control);
    return v;
}
