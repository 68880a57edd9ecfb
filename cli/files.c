/* SPDX-License-Identifier: MIT */
#include "cli/files.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool files_is_directory(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

char *files_join(const char *directory, const char *name) {
    size_t n = strlen(directory), m = strlen(name);
    bool slash = n > 0 && directory[n - 1] != '/';
    char *path = malloc(n + slash + m + 1);
    if (!path) return NULL;
    memcpy(path, directory, n);
    if (slash) path[n] = '/';
    memcpy(path + n + slash, name, m + 1);
    return path;
}

static bool ends_in(const char *name, const char *suffix) {
    size_t n = strlen(name), m = strlen(suffix);
    return n >= m && memcmp(name + n - m, suffix, m) == 0;
}

bool files_add(struct file_list *files, const char *path) {
    if (files->count == files->capacity) {
        size_t capacity = files->capacity ? 2 * files->capacity : 64;
        char **grown = realloc(files->paths, capacity * sizeof *grown);
        if (!grown) return false;
        files->paths = grown;
        files->capacity = capacity;
    }
    char *copy = strdup(path);
    if (copy) files->paths[files->count++] = copy;
    return copy != NULL;
}

static enum forma_status add(struct file_list *files, const char *path, size_t max,
                             struct forma_error *err) {
    if (files->count == max)
        return error_set(
            err, FORMA_ELIMIT,
            "more than the limit of %zu files lie below this directory; name a smaller one", max);
    return files_add(files, path)
               ? FORMA_OK
               : error_set(err, FORMA_EMEMORY, "no memory for the list of files");
}

static enum forma_status walk(FTS *tree, const char *directory, const char *suffix, size_t max,
                              struct file_list *out, struct forma_error *err) {
    size_t prefix = strlen(directory);
    enum forma_status status = FORMA_OK;
    FTSENT *e;
    while (status == FORMA_OK && (errno = 0, e = fts_read(tree)) != NULL) {
        bool hidden = e->fts_level > 0 && e->fts_name[0] == '.';
        if (hidden && e->fts_info == FTS_D) fts_set(tree, e, FTS_SKIP);
        if (hidden) continue;
        const char *path = e->fts_path + prefix;
        path += strspn(path, "/");
        if (e->fts_info == FTS_F && ends_in(e->fts_name, suffix))
            status = add(out, path, max, err);
        else if (e->fts_level == 0 && (e->fts_info == FTS_DNR || e->fts_info == FTS_NS))
            return error_set(err, FORMA_EIO, "cannot read the directory (%s); check the path",
                             strerror(e->fts_errno));
        else if (e->fts_info == FTS_ERR || e->fts_info == FTS_DNR || e->fts_info == FTS_NS)
            return error_set(err, FORMA_EIO, "cannot read what is below the directory (%s: %s)",
                             path, strerror(e->fts_errno));
    }
    if (status == FORMA_OK && errno != 0)
        return error_set(err, FORMA_EIO, "cannot read the directory (%s)", strerror(errno));
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum forma_status files_below(const char *directory, const char *suffix, size_t max,
                              struct file_list *out, struct forma_error *err) {
    *out = (struct file_list){0};
    char *copy = strdup(directory);
    char *const roots[] = {copy, NULL};
    /* Symbolic links are followed; fts leaves out those that lead back. */
    FTS *tree = copy ? fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL) : NULL;
    enum forma_status status =
        tree ? walk(tree, directory, suffix, max, out, err)
             : error_set(err, FORMA_EIO, "cannot read the directory (%s)", strerror(errno));
    if (tree) fts_close(tree);
    free(copy);
    if (status != FORMA_OK)
        files_free(out);
    else if (out->count)
        qsort(out->paths, out->count, sizeof *out->paths, by_name);
    return status;
}

void files_free(struct file_list *files) {
    for (size_t i = 0; i < files->count; i++) free(files->paths[i]);
    free(files->paths);
    *files = (struct file_list){0};
}
