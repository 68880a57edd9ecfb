/* SPDX-License-Identifier: MIT
 *
 * A text that grows inside the caller's buffer and is cut where it does not fit; always terminated
 * (capacity at least 1). For messages: cutting is no error.
 */
#ifndef FORMA_BASE_TEXT_H
#define FORMA_BASE_TEXT_H

#include <stddef.h>

struct text {
    char *out;
    size_t length, capacity; /* bytes; length without the terminator */
};

static inline void text_init(struct text *t, char *out, size_t capacity) {
    *t = (struct text){out, 0, capacity};
    out[0] = 0;
}

__attribute__((format(printf, 2, 3))) void text_add(struct text *t, const char *format, ...);

#endif
