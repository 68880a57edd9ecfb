/* SPDX-License-Identifier: MIT
 *
 * What a tokenizer.json does to a text before it is split: a chain of steps, each from text to
 * text. Immutable after making, shared by threads; the texts in between live in the caller's
 * scratch. A chain that changes nothing copies nothing.
 */
#ifndef FORMA_RUNTIME_NORMALIZER_H
#define FORMA_RUNTIME_NORMALIZER_H

#include "base/tokenizer_json.h"

#define NORMALIZER_MAX_STEPS 8

enum normalizer_kind {
    NORMALIZE_REPLACE,      /* `from`, which is not empty, by `to` */
    NORMALIZE_PREPEND,      /* `to`, unless the text is empty */
    NORMALIZE_PREFIX,       /* `to`, unless the text begins with `from` or is empty */
    NORMALIZE_PREFIX_FIRST, /* the same, only at the beginning of the whole */
    NORMALIZE_NFC
};

struct normalizer {
    struct normalizer_step {
        enum normalizer_kind kind;
        struct json_string from, to; /* in the arena that it was made with */
    } steps[NORMALIZER_MAX_STEPS];
    size_t n_steps;
};

/* The normalizers of a file; FORMA_EUNSUPPORTED for those that are not known. */
enum forma_status normalizer_init(struct normalizer *n, const struct tokenizer_parts *normalizers,
                                  struct arena *arena, struct forma_error *err);
/* What its pre-tokenizers do to the text itself: a space in front, a sign for spaces. */
enum forma_status normalizer_init_prefix(struct normalizer *n,
                                         const struct tokenizer_parts *pre_tokenizers,
                                         struct arena *arena, struct forma_error *err);

struct normalizer_scratch {
    const struct forma_allocator *allocator; /* never NULL; the rest starts as zero */
    struct normalizer_buffer {
        char *data;
        size_t capacity;
    } buffers[2];
};
void normalizer_scratch_destroy(struct normalizer_scratch *s);

/* Where a text stands: nothing is put in front of one that goes on behind another. */
enum normalizer_place { NORMALIZE_PART, NORMALIZE_FIRST, NORMALIZE_CONTINUATION };

/* Replaces *text, valid UTF-8, by what it becomes: itself or something in the scratch, good until
 * the next call. False: no memory. Linear time. */
bool normalizer_apply(const struct normalizer *n, struct normalizer_scratch *s,
                      enum normalizer_place place, struct json_string *text);

#endif
