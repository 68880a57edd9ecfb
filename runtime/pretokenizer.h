/* SPDX-License-Identifier: MIT
 *
 * Cuts text into the pieces that byte-pair encoding merges within. A pre-tokenizer is a chain of
 * splits: each cuts the pieces of the one before it, and sees nothing outside of the piece that it
 * cuts. A GGUF file names its chain (`tokenizer.ggml.pre`), a tokenizer.json spells it out.
 *
 * PCRE2 with Unicode properties does the matching (just-in-time compiled where the system allows
 * it). Immutable after making, shared by threads; what a run needs lives in the caller's
 * `struct pretokenizer_run`.
 */
#ifndef FORMA_RUNTIME_PRETOKENIZER_H
#define FORMA_RUNTIME_PRETOKENIZER_H

#include "base/tokenizer_json.h"

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
/* From the parts of a tokenizer.json. What is not known here is FORMA_EUNSUPPORTED, by name:
 * pieces that are nearly right would make ids that are nearly right. */
struct pretokenizer *pretokenizer_from_parts(const struct tokenizer_parts *parts,
                                             const struct forma_allocator *allocator,
                                             struct forma_error *err);
void pretokenizer_free(struct pretokenizer *p);

/* One text after the other through the same run; its memory is given back at the end. */
#define PRETOKENIZER_MAX_STAGES 8
struct pretokenizer_segment {
    size_t start, end;
    bool is_match;
};
struct pretokenizer_run {
    const struct pretokenizer *pretokenizer;
    void *match_data; /* pcre2_match_data */
    const char *text; /* valid UTF-8 */
    size_t length;
    struct pretokenizer_cursor {
        size_t piece, at, end;             /* the piece that is cut; what is left of it */
        size_t match_start, match_end;     /* the next match; match_start = SIZE_MAX: unknown */
        struct pretokenizer_segment ahead; /* read but not given out yet, */
        bool has_ahead;                    /* if so */
    } cursors[PRETOKENIZER_MAX_STAGES];
    size_t open; /* stages whose cursor has something left, from the first on */
    struct forma_error *err;
    enum forma_status status;
};
bool pretokenizer_begin(const struct pretokenizer *p, struct pretokenizer_run *run);
void pretokenizer_end(struct pretokenizer_run *run);

/* Takes up a text. Failures of pretokenizer_next go to run->status and to `err`. */
void pretokenizer_start(struct pretokenizer_run *run, const char *text, size_t length,
                        struct forma_error *err);
/* The next piece, text[start .. end), not empty; false at the end or on failure. */
bool pretokenizer_next(struct pretokenizer_run *run, size_t *start, size_t *end);

#endif
