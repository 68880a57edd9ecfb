/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a tokenizer.json: an error or a vocabulary whose tokens can be found in its trie.
 */
#include <stdlib.h>

#include "tokenmask/vocabulary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct forma_error err = {0};
    struct forma_vocabulary *v = vocabulary_from_json((const char *)data, size, NULL, NULL, &err);
    if (!v && err.status == FORMA_OK) abort();
    if (!v) return 0;
    for (uint32_t id = 0; id < forma_vocabulary_size(v) && id < 1000; id++) {
        size_t length;
        const unsigned char *bytes = forma_vocabulary_bytes(v, id, &length);
        if (bytes && !trie_find(&v->trie, bytes, length)) abort();
    }
    forma_vocabulary_free(v);
    return 0;
}
