/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *forma_version(void) {
    return FORMA_VERSION;
}

const char *forma_strstatus(enum forma_status status) {
    switch (status) {
#define X(code, text)                                                                              \
    case code: return text;
        FORMA_STATUS_MAP(X)
#undef X
    }
    return "unknown status";
}

void error_clear(struct forma_error *err) {
    if (!err) return;
    memset(err, 0, sizeof *err);
    err->offset = UINT64_MAX;
}

static void fill(struct forma_error *err, enum forma_status status, const char *format,
                 va_list args) {
    error_clear(err);
    err->status = status;
    vsnprintf(err->message, sizeof err->message, format, args);
}

enum forma_status error_set(struct forma_error *err, enum forma_status status, const char *format,
                            ...) {
    if (!err) return status;
    va_list args;
    va_start(args, format);
    fill(err, status, format, args);
    va_end(args);
    return status;
}

enum forma_status error_at_offset(struct forma_error *err, enum forma_status status,
                                  uint64_t offset, const char *format, ...) {
    if (!err) return status;
    va_list args;
    va_start(args, format);
    fill(err, status, format, args);
    va_end(args);
    err->offset = offset;
    return status;
}

void error_set_pointer(struct forma_error *err, const char *pointer) {
    if (!err) return;
    err->has_pointer = true;
    size_t n = strlen(pointer);
    if (n < sizeof err->pointer) {
        memcpy(err->pointer, pointer, n + 1);
    } else {
        memcpy(err->pointer, pointer, sizeof err->pointer - 4);
        memcpy(err->pointer + sizeof err->pointer - 4, "...", 4);
    }
}

enum forma_status error_at_pointer(struct forma_error *err, enum forma_status status,
                                   const char *pointer, const char *format, ...) {
    if (!err) return status;
    va_list args;
    va_start(args, format);
    fill(err, status, format, args);
    va_end(args);
    error_set_pointer(err, pointer);
    return status;
}

enum forma_status error_at_text(struct forma_error *err, enum forma_status status, const char *text,
                                size_t length, size_t offset, const char *format, ...) {
    if (!err) return status;
    va_list args;
    va_start(args, format);
    fill(err, status, format, args);
    va_end(args);
    if (offset > length) offset = length;
    err->offset = offset;
    err->line = 1;
    size_t line_start = 0;
    for (size_t i = 0; i < offset; i++)
        if (text[i] == '\n') {
            err->line++;
            line_start = i + 1;
        }
    err->column = offset - line_start + 1;
    return status;
}
