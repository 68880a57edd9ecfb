/* SPDX-License-Identifier: MIT
 *
 * The files below a directory, sorted by name, so that what is done with them has one order on
 * every machine.
 */
#ifndef FORMA_CLI_FILES_H
#define FORMA_CLI_FILES_H

#include "cli/common.h"

struct file_list {
    char **paths; /* relative to the directory */
    size_t count, capacity;
};

/* All regular files whose names end in `suffix` ("" = all), at any depth; hidden ones, and those in
 * hidden directories, are left out. More than `max` are an error. */
enum forma_status files_below(const char *directory, const char *suffix, size_t max,
                              struct file_list *out, struct forma_error *err);
/* Appends a path as it is. False: no memory. */
bool files_add(struct file_list *files, const char *path);
void files_free(struct file_list *files);

bool files_is_directory(const char *path);

/* "directory/name", malloc'ed; NULL when there is no memory. */
char *files_join(const char *directory, const char *name);

#endif
