/* SPDX-License-Identifier: MIT
 *
 * JSON read piece by piece, for large files of known shape (a tokenizer.json has millions of
 * values): the reader asks for what it expects next and makes no tree.
 *
 *     pull_enter(&p, '{');
 *     while (pull_member(&p, &name))
 *         if (json_string_is(name, "id")) pull_u32(&p, &id);
 *         else pull_skip(&p);
 *
 * Strings are borrowed from the text unless they hold escapes: those are decoded into the arena.
 * Strict (RFC 8259): valid UTF-8, no lone surrogates. Names may come twice: the asker sees both.
 * Failure is sticky: after the first, which fills `err`, every call returns false, so a reader looks
 * at `status` once, at the end. One owner.
 */
#ifndef FORMA_BASE_JSON_PULL_H
#define FORMA_BASE_JSON_PULL_H

#include "base/arena.h"

struct json_string {
    const char *data; /* UTF-8, may hold NUL; not terminated */
    size_t length;
};
bool json_string_is(struct json_string s, const char *word);

struct json_pull {
    const char *text;
    size_t length, at;
    struct arena *arena;
    struct forma_error *err;
    enum forma_status status;
    bool first;    /* directly behind an opening bracket */
    size_t opened; /* brackets */
};

void pull_begin(struct json_pull *p, const char *text, size_t length, struct arena *arena,
                struct forma_error *err);

/* What comes next: one of { [ " t f n, '0' for a number; 0: nothing that begins a value. */
char pull_peek(struct json_pull *p);

/* Goes into an object or array, as `bracket` says; then pull_member or pull_item until false, each
 * followed by reading the value. */
bool pull_enter(struct json_pull *p, char bracket);
bool pull_member(struct json_pull *p, struct json_string *name);
bool pull_item(struct json_pull *p);

bool pull_string(struct json_pull *p, struct json_string *out);
bool pull_bool(struct json_pull *p, bool *out);
bool pull_u32(struct json_pull *p, uint32_t *out);
/* A value of any kind, nested at most 1000 deep; its text goes to *source where that is not NULL. */
bool pull_skip(struct json_pull *p, struct json_string *source);
/* Nothing but blanks may be left. */
bool pull_end(struct json_pull *p);

/* The first failure: "expected WHAT" at the current place. Returns false. */
bool pull_fail(struct json_pull *p, const char *what);

#endif
