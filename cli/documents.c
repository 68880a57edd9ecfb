/* SPDX-License-Identifier: MIT */
#include "cli/documents.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/json_source.h"
#include "schema/uri.h"

#define URI_MAX 2048 /* as in schemas */

static enum forma_status no_memory(struct forma_error *err) {
    return error_set(err, FORMA_EMEMORY, "no memory for the documents of --ref");
}

static enum forma_status too_many(const struct documents *d, struct forma_error *err) {
    return error_set(err, FORMA_ELIMIT,
                     "the references name more than %zu documents; name fewer, or raise "
                     "--max-documents",
                     d->max_count);
}

/* The length of "scheme:" at the beginning of a text (RFC 3986), or 0. */
static size_t scheme_length(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
    if (!*text || !strchr(letters, *text)) return 0;
    size_t n = strspn(text, others);
    return text[n] == ':' ? n + 1 : 0;
}

/* ---- one document ------------------------------------------------------------------------- */

/* Takes `uri` and `text`, also on failure. */
static enum forma_status put(struct documents *d, char *uri, bool by_id, struct cli_text *text,
                             struct forma_error *err) {
    enum forma_status status = FORMA_OK;
    if (d->count == d->max_count)
        status = too_many(d, err);
    else if (text->length > d->max_bytes - d->bytes)
        status = error_set(err, FORMA_ELIMIT,
                           "the documents of the references have more than %zu bytes in all; name "
                           "fewer, or raise --max-document-bytes",
                           d->max_bytes);
    if (status == FORMA_OK && d->count == d->capacity) {
        size_t capacity = d->capacity ? 2 * d->capacity : 16;
        struct document *grown = realloc(d->all, capacity * sizeof *grown);
        if (grown) {
            d->all = grown;
            d->capacity = capacity;
        } else {
            status = no_memory(err);
        }
    }
    char *path = status == FORMA_OK ? strdup(d->file) : NULL;
    if (status == FORMA_OK && !path) status = no_memory(err);
    if (status != FORMA_OK) {
        free(uri);
        cli_text_free(text);
        return status;
    }
    d->all[d->count++] = (struct document){uri, text->data, path, text->length, by_id};
    d->bytes += text->length;
    return FORMA_OK;
}

/* Reads d->file. */
static enum forma_status read_current(struct documents *d, struct cli_text *text,
                                      struct forma_error *err) {
    return cli_read_file(d->file, d->max_file, text, err);
}

static void forget_file(struct documents *d) {
    free(d->file);
    d->file = NULL;
}

/* Takes `file`; NULL is a failed allocation. */
static enum forma_status set_file(struct documents *d, char *file, struct forma_error *err) {
    forget_file(d);
    d->file = file;
    return file ? FORMA_OK : no_memory(err);
}

/* ---- known by a URI ----------------------------------------------------------------------- */

static enum forma_status check_uri(const char *uri, size_t length, struct forma_error *err) {
    size_t bare = uri_without_fragment(uri, length);
    if (length > URI_MAX)
        return error_set(err, FORMA_ELIMIT, "option --ref: the URI has more than %d bytes",
                         URI_MAX);
    if (bare + 1 < length)
        return error_set(err, FORMA_EINVAL,
                         "option --ref: the URI \"%.*s\" has a fragment; a document is named by "
                         "what stands before the #",
                         (int)length, uri);
    return FORMA_OK;
}

static enum forma_status add_file(struct documents *d, const char *uri, size_t length,
                                  struct forma_error *err) {
    struct cli_text text;
    enum forma_status status = read_current(d, &text, err);
    if (status != FORMA_OK) return status;
    char *copy = strndup(uri, length);
    if (copy) return put(d, copy, false, &text, err);
    cli_text_free(&text);
    return no_memory(err);
}

/* The URI and the path, in which what a URI cannot hold is percent-encoded. */
static char *uri_of_path(const char *uri, size_t length, const char *path) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~!$&'()*+,;=:@/";
    static const char digits[] = "0123456789ABCDEF";
    char *out = malloc(length + 3 * strlen(path) + 1), *p = out;
    if (!out) return NULL;
    memcpy(p, uri, length);
    for (p += length; *path; path++) {
        unsigned char byte = (unsigned char)*path;
        if (strchr(plain, byte)) {
            *p++ = (char)byte;
            continue;
        }
        *p++ = '%';
        *p++ = digits[byte >> 4];
        *p++ = digits[byte & 15];
    }
    *p = '\0';
    return out;
}

static enum forma_status add_tree(struct documents *d, const char *uri, size_t length,
                                  const char *directory, struct forma_error *err) {
    struct file_list files;
    enum forma_status status = files_below(directory, "", d->max_count, &files, err);
    if (status == FORMA_ELIMIT) status = too_many(d, err);
    for (size_t i = 0; i < files.count && status == FORMA_OK; i++) {
        struct cli_text text;
        status = set_file(d, files_join(directory, files.paths[i]), err);
        if (status == FORMA_OK) status = read_current(d, &text, err);
        if (status != FORMA_OK) break;
        char *name = uri_of_path(uri, length, files.paths[i]);
        if (name) {
            status = put(d, name, false, &text, err);
        } else {
            cli_text_free(&text);
            status = no_memory(err);
        }
    }
    files_free(&files);
    return status;
}

static enum forma_status add_named(struct documents *d, const char *uri, size_t length,
                                   const char *path, struct forma_error *err) {
    enum forma_status status = check_uri(uri, length, err);
    if (status != FORMA_OK) return status;
    length = uri_without_fragment(uri, length);
    bool directory = files_is_directory(path);
    if (directory && uri[length - 1] != '/')
        return error_set(err, FORMA_EINVAL,
                         "option --ref: %.200s is a directory, so the URI before it must end with "
                         "/; the paths of its files are appended",
                         path);
    status = set_file(d, strdup(path), err);
    if (status != FORMA_OK) return status;
    return directory ? add_tree(d, uri, length, path, err) : add_file(d, uri, length, err);
}

/* ---- known by its own $id ----------------------------------------------------------------- */

/* A copy of the document's absolute $id (or id) without fragment; NULL, with FORMA_OK, when it has
 * none. */
static enum forma_status own_name(const struct documents *d, const struct cli_text *text,
                                  char **out, struct forma_error *err) {
    struct arena arena;
    *out = NULL;
    const struct json_value *root =
        json_source_parse(&arena, text->data, text->length, d->max_nesting, err);
    enum forma_status status = root ? FORMA_OK : err->status;
    const struct json_value *id = root ? json_find(root, "$id") : NULL;
    if (root && !id) id = json_find(root, "id");
    if (id && id->kind == JSON_STRING && id->length <= URI_MAX && scheme_length(id->text)) {
        *out = strndup(id->text, uri_without_fragment(id->text, id->length));
        if (!*out) status = no_memory(err);
    }
    arena_destroy(&arena);
    return status;
}

/* d->file, one of a directory (`among`: what has no name is left out) or named by itself. */
static enum forma_status add_by_id(struct documents *d, bool among, struct forma_error *err) {
    struct cli_text text;
    char *uri;
    enum forma_status status = read_current(d, &text, err);
    if (status != FORMA_OK) return status;
    status = own_name(d, &text, &uri, err);
    if (status == FORMA_OK && uri) return put(d, uri, true, &text, err);
    cli_text_free(&text);
    if (status == FORMA_EMEMORY) return status;
    if (!among && status == FORMA_OK)
        return error_set(err, FORMA_EINVAL,
                         "the document has no absolute $id by which a $ref could reach it; give it "
                         "one, or write --ref URI=FILE");
    if (!among) return status;
    if (status == FORMA_OK && d->common->verbose)
        fprintf(stderr, "forma: %s: note: left out, the document has no absolute $id\n", d->file);
    if (status != FORMA_OK && !d->common->quiet) {
        char why[1024];
        cli_error_text(err, why, sizeof why);
        fprintf(stderr, "forma: %s: warning: left out: %s\n", d->file, why);
    }
    return FORMA_OK;
}

static enum forma_status add_unnamed(struct documents *d, const char *path,
                                     struct forma_error *err) {
    enum forma_status status = set_file(d, strdup(path), err);
    if (status != FORMA_OK) return status;
    if (!files_is_directory(path)) return add_by_id(d, false, err);
    struct file_list files;
    status = files_below(path, ".json", d->max_count, &files, err);
    if (status == FORMA_ELIMIT) status = too_many(d, err);
    for (size_t i = 0; i < files.count && status == FORMA_OK; i++) {
        status = set_file(d, files_join(path, files.paths[i]), err);
        if (status == FORMA_OK) status = add_by_id(d, true, err);
    }
    files_free(&files);
    return status;
}

/* ---- all ---------------------------------------------------------------------------------- */

enum forma_status documents_add(struct documents *d, const char *reference,
                                struct forma_error *err) {
    forget_file(d);
    if (!*reference)
        return error_set(err, FORMA_EINVAL, "option --ref is empty; give a file or URI=FILE");
    const char *equals = scheme_length(reference) ? strchr(reference, '=') : NULL;
    if (!equals && scheme_length(reference) && access(reference, F_OK) != 0)
        return error_set(err, FORMA_EINVAL,
                         "option --ref: \"%.200s\" is no file; nothing is fetched, so write "
                         "URI=FILE",
                         reference);
    if (!equals) return add_unnamed(d, reference, err);
    if (!equals[1])
        return error_set(err, FORMA_EINVAL, "option --ref: no file stands behind \"%.200s\"",
                         reference);
    return add_named(d, reference, (size_t)(equals - reference), equals + 1, err);
}

enum forma_status documents_add_remotes(struct documents *d, const char *directory,
                                        struct forma_error *err) {
    enum forma_status status = set_file(d, strdup(directory), err);
    if (status != FORMA_OK) return status;
    return add_tree(d, DOCUMENTS_REMOTES, strlen(DOCUMENTS_REMOTES), directory, err);
}

static int by_uri(const void *a, const void *b) {
    return strcmp(((const struct document *)a)->uri, ((const struct document *)b)->uri);
}

static void free_document(struct document *one) {
    free(one->uri);
    free(one->text);
    free(one->path);
}

/* Leaves one of several that are the same. */
static enum forma_status drop_repeated(struct documents *d, struct forma_error *err) {
    size_t kept = 0;
    for (size_t i = 0; i < d->count; i++) {
        struct document *a = &d->all[i], *b = kept ? &d->all[kept - 1] : NULL;
        if (!b || strcmp(a->uri, b->uri) != 0) {
            d->all[kept++] = *a;
            continue;
        }
        if (a->length != b->length || memcmp(a->text, b->text, a->length) != 0) {
            error_set(err, FORMA_EINVAL,
                      "two different documents are named %.160s: %.120s and %.120s; leave one of "
                      "them out",
                      a->uri, b->path, a->path);
            memmove(&d->all[kept], a, (d->count - i) * sizeof *a);
            d->count -= i - kept;
            return FORMA_EINVAL;
        }
        b->by_id |= a->by_id;
        free_document(a);
    }
    d->count = kept;
    return FORMA_OK;
}

enum forma_status documents_settle(struct documents *d, struct forma_error *err) {
    forget_file(d);
    if (!d->count) return FORMA_OK;
    qsort(d->all, d->count, sizeof *d->all, by_uri);
    enum forma_status status = drop_repeated(d, err);
    if (status != FORMA_OK) return status;
    free(d->list);
    d->list = malloc(d->count * sizeof *d->list);
    if (!d->list) return no_memory(err);
    for (size_t i = 0; i < d->count; i++) {
        const struct document *one = &d->all[i];
        /* What names itself is handed on without a URI: the library then also finds the
         * identifiers of schemas embedded in it. */
        d->list[i] = (struct forma_document){one->by_id ? NULL : one->uri, one->text, one->length};
    }
    return FORMA_OK;
}

void documents_free(struct documents *d) {
    for (size_t i = 0; i < d->count; i++) free_document(&d->all[i]);
    free(d->all);
    free(d->list);
    d->all = NULL;
    d->list = NULL;
    forget_file(d);
    d->count = d->capacity = 0;
}
