/* SPDX-License-Identifier: MIT
 *
 * The one error convention: functions return a status or NULL, the first failure fills the
 * caller's struct forma_error (which may be NULL). These helpers fill it and return the status,
 * so that `return error_set(err, FORMA_ESCHEMA, "...")` is one line.
 */
#ifndef FORMA_BASE_ERROR_H
#define FORMA_BASE_ERROR_H

#include "forma.h"

/* No error, no place. NULL is fine. */
void error_clear(struct forma_error *err);

__attribute__((format(printf, 3, 4))) enum forma_status
error_set(struct forma_error *err, enum forma_status status, const char *format, ...);

/* With a byte offset. */
__attribute__((format(printf, 4, 5))) enum forma_status error_at_offset(struct forma_error *err,
                                                                        enum forma_status status,
                                                                        uint64_t offset,
                                                                        const char *format, ...);

/* With a JSON pointer, tensor name or key. */
__attribute__((format(printf, 4, 5))) enum forma_status error_at_pointer(struct forma_error *err,
                                                                         enum forma_status status,
                                                                         const char *pointer,
                                                                         const char *format, ...);

/* Names what the place in `err` is in, or is: a JSON pointer, tensor name or key. NULL is fine. */
void error_set_pointer(struct forma_error *err, const char *pointer);

/* With a place in a text: offset, and line and column found by counting. */
__attribute__((format(printf, 6, 7))) enum forma_status
error_at_text(struct forma_error *err, enum forma_status status, const char *text, size_t length,
              size_t offset, const char *format, ...);

#endif
