/* SPDX-License-Identifier: MIT
 *
 * Whole files in memory.
 */
#ifndef FORMA_BASE_FILE_H
#define FORMA_BASE_FILE_H

#include "base/alloc.h"

struct file_text {
    const struct forma_allocator *allocator;
    char *data; /* not terminated */
    size_t length, capacity;
};

/* The first `n` bytes of a file; `*out` is shorter where the file is. */
enum forma_status file_head(const char *path, char *head, size_t n, size_t *out,
                            struct forma_error *err);
/* All of it, at most `max` bytes. On failure nothing is held. */
enum forma_status file_read(const char *path, size_t max, const struct forma_allocator *allocator,
                            struct file_text *out, struct forma_error *err);
void file_text_free(struct file_text *t);

#endif
