/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a tokenizer.json: an error or a vocabulary whose tokens can be found in its trie; an
 * error or an encoder that turns its own tokens, and the file itself, into ids.
 */
#include <stdlib.h>

#include "runtime/tokenizer.h"
#include "tokenmask/vocabulary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void encode(const struct tokenizer *t, const char *text, size_t length) {
    struct token_list ids = {0};
    for (int which = ENCODE_PLAIN; which <= ENCODE_TEXT; which++) {
        enum forma_status status =
            tokenizer_encode(t, text, length, (enum encode_added)which, &ids, NULL);
        if (status != FORMA_OK && status != FORMA_EINVAL && status != FORMA_ELIMIT) abort();
    }
    for (size_t i = 0; i < ids.count; i++)
        if (ids.ids[i] >= tokenizer_size(t)) abort();
    token_list_destroy(&ids);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    struct forma_error err = {0};
    struct forma_vocabulary *v = vocabulary_from_json(text, size, NULL, NULL, &err);
    if (!v && err.status == FORMA_OK) abort();
    for (uint32_t id = 0; v && id < forma_vocabulary_size(v) && id < 1000; id++) {
        size_t length;
        const unsigned char *bytes = forma_vocabulary_bytes(v, id, &length);
        if (bytes && !trie_find(&v->trie, bytes, length)) abort();
    }
    forma_vocabulary_free(v);
    struct tokenizer *t = tokenizer_from_json(text, size, NULL, &err);
    if (!t && err.status == FORMA_OK) abort();
    if (!t) return 0;
    encode(t, text, size);
    for (uint32_t id = 0; id < tokenizer_size(t) && id < 100; id++) {
        struct gguf_string piece = tokenizer_piece(t, id);
        encode(t, piece.data, piece.length);
    }
    tokenizer_free(t);
    return 0;
}
