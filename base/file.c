/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static FILE *open_file(const char *path, struct forma_error *err) {
    FILE *file = fopen(path, "rb");
    if (!file)
        error_set(err, FORMA_EIO, "cannot open the file (%s); check the path", strerror(errno));
    return file;
}

static enum forma_status cannot_read(struct forma_error *err) {
    return error_set(err, FORMA_EIO, "cannot read the file (%s)", strerror(errno));
}

enum forma_status file_head(const char *path, char *head, size_t n, size_t *out,
                            struct forma_error *err) {
    FILE *file = open_file(path, err);
    if (!file) return FORMA_EIO;
    *out = fread(head, 1, n, file);
    enum forma_status status = ferror(file) ? cannot_read(err) : FORMA_OK;
    fclose(file);
    return status;
}

static enum forma_status read_all(FILE *file, size_t max, struct file_text *t,
                                  struct forma_error *err) {
    for (;;) {
        if (t->length == t->capacity) {
            size_t wanted = t->capacity ? t->capacity * 2 : (size_t)1 << 20;
            if (t->length >= max)
                return error_set(err, FORMA_ELIMIT, "the file has more than %zu bytes", max);
            char *grown = fa_resize(t->allocator, t->data, t->capacity, wanted);
            if (!grown) return error_set(err, FORMA_EMEMORY, "no memory for the file");
            t->data = grown;
            t->capacity = wanted;
        }
        size_t n = fread(t->data + t->length, 1, t->capacity - t->length, file);
        if (n == 0) return ferror(file) ? cannot_read(err) : FORMA_OK;
        t->length += n;
    }
}

enum forma_status file_read(const char *path, size_t max, const struct forma_allocator *allocator,
                            struct file_text *out, struct forma_error *err) {
    *out = (struct file_text){.allocator = fa_allocator_or_default(allocator)};
    FILE *file = open_file(path, err);
    if (!file) return FORMA_EIO;
    enum forma_status status = read_all(file, max, out, err);
    fclose(file);
    if (status) file_text_free(out);
    return status;
}

void file_text_free(struct file_text *t) {
    if (t->data) fa_free(t->allocator, t->data, t->capacity);
    t->data = NULL;
    t->length = t->capacity = 0;
}
