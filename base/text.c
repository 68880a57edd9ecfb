/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

void text_add(struct text *t, const char *format, ...) {
    if (t->length + 1 >= t->capacity) return;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->out + t->length, t->capacity - t->length, format, args);
    va_end(args);
    if (n > 0) t->length += (size_t)n;
    if (t->length >= t->capacity) t->length = t->capacity - 1;
}
