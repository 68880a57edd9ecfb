/* SPDX-License-Identifier: MIT
 *
 * The documents that `$ref` may reach, as the command line names them:
 *
 *     --ref URI=FILE    the file is known by that URI
 *     --ref URI/=DIR    every file below, by the URI and its path below DIR
 *     --ref FILE        by its own $id (or id)
 *     --ref DIR         every *.json below that has an absolute $id
 *     --remotes DIR     --ref http://localhost:1234/=DIR
 *
 * All are read when the command starts, so that a missing file is told at once; a document that the
 * command line gives a URI is parsed only when a reference needs it. Nothing is fetched.
 */
#ifndef FORMA_CLI_DOCUMENTS_H
#define FORMA_CLI_DOCUMENTS_H

#include "cli/options.h"

#define DOCUMENTS_REMOTES "http://localhost:1234/"

/* A wrong directory (a whole home, a system's root) is to be an error, not an hour of reading. */
#define DOCUMENTS_MAX       ((size_t)10000)
#define DOCUMENTS_MAX_BYTES ((size_t)256 << 20)

struct document {
    char *uri, *text, *path; /* all owned; the path is for messages */
    size_t length;
    bool by_id; /* the URI is the $id that it gives itself */
};

struct documents {
    struct document *all; /* sorted by URI once settled */
    size_t count, capacity;
    struct forma_document *list; /* the same, as the library takes them; NULL before that */
    size_t bytes, max_bytes, max_count;
    size_t max_file, max_nesting; /* of one document */
    const struct common_args *common;
    char *file; /* that the last error is about */
};

/* Adds what one --ref names, or the files below a directory of remotes. On failure `d->file` is
 * the file to name, or NULL. */
enum forma_status documents_add(struct documents *d, const char *reference,
                                struct forma_error *err);
enum forma_status documents_add_remotes(struct documents *d, const char *directory,
                                        struct forma_error *err);
/* Call after the last was added: makes the list. Two different documents of one URI are an error. */
enum forma_status documents_settle(struct documents *d, struct forma_error *err);
void documents_free(struct documents *d);

#endif
