/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a chat template: compiled and rendered over two messages, within small limits.
 */
#include "runtime/chat_template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct chat_message messages[] = {{"system", "s <|x|> \xC3\xA9 "}, {"user", "u"}};
    struct chat_context context = {messages, 2, true, "<s>", "</s>"};
    struct forma_error err;
    struct chat_text text = {0};
    struct chat_template *t = chat_template_compile((const char *)data, size, NULL, &err);
    if (t && chat_template_render(t, &context, 20000, 20000, &text, &err) == FORMA_OK) {
        size_t length = 0;
        for (size_t i = 0; i < text.n_pieces; i++) length += text.pieces[i].length;
        if (length + 1 != text.buffer_size) __builtin_trap();
    }
    chat_text_destroy(&text);
    chat_template_free(t);
    return 0;
}
