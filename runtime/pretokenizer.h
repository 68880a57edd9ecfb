/* SPDX-License-Identifier: MIT
 *
 * Cuts text into the pieces that byte-level BPE merges within, by the pattern that belongs to the
 * file's `tokenizer.ggml.pre` name. The patterns cover every character, so the pieces follow each
 * other without gaps. PCRE2 with Unicode properties does the matching (just-in-time compiled where
 * the system allows it); blanks are listed by code point, because PCRE2's \s also counts U+180E,
 * which Unicode took out of White_Space in version 6.3. Immutable after open, shared by threads;
 * what a match needs lives in the caller's `struct pretokenizer_run`.
 */
#ifndef FORMA_RUNTIME_PRETOKENIZER_H
#define FORMA_RUNTIME_PRETOKENIZER_H

#include "base/alloc.h"

struct pretokenizer;

/* How a family of tokenizers behaves beyond its split. */
struct pretokenizer_rule {
    const char *names; /* separated by blanks */
    const char *pattern;
    bool ignore_merges; /* a piece that is a whole token is that token */
    bool add_bos;       /* where the file does not say */
};

/* NULL: a name that forma does not know. */
const struct pretokenizer_rule *pretokenizer_find_rule(const char *name, size_t length);

struct pretokenizer *pretokenizer_new(const struct pretokenizer_rule *rule,
                                      const struct forma_allocator *allocator,
                                      struct forma_error *err);
void pretokenizer_free(struct pretokenizer *p);

struct pretokenizer_run {
    void *match_data; /* pcre2_match_data */
};
bool pretokenizer_begin(const struct pretokenizer *p, struct pretokenizer_run *run);
void pretokenizer_end(struct pretokenizer_run *run);

/* The end of the piece that begins at `start` < length, in valid UTF-8 text. */
enum forma_status pretokenizer_next(const struct pretokenizer *p, struct pretokenizer_run *run,
                                    const char *text, size_t length, size_t start, size_t *end,
                                    struct forma_error *err);

#endif
