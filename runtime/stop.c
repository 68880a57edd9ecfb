/* SPDX-License-Identifier: MIT
 *
 * One Knuth-Morris-Pratt automaton for each sequence; `matched` is how much of it the text ends
 * with. The longest such beginning is what has to be held.
 */
#include "runtime/stop.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

struct sequence {
    unsigned char *bytes;
    uint16_t *failure; /* failure[i]: the longest proper border of the first i + 1 bytes */
    size_t length, matched;
};

struct stop_scanner {
    const struct forma_allocator *allocator;
    struct sequence *sequences;
    size_t n_sequences;
    unsigned char *held; /* (capacity) */
    bool *may_end;       /* (capacity) for each held byte: may the text end before it? */
    size_t n_held, capacity;
};

static void compute_failure(struct sequence *q) {
    size_t border = 0;
    q->failure[0] = 0;
    for (size_t i = 1; i < q->length; i++) {
        while (border > 0 && q->bytes[i] != q->bytes[border]) border = q->failure[border - 1];
        if (q->bytes[i] == q->bytes[border]) border++;
        q->failure[i] = (uint16_t)border;
    }
}

static enum forma_status check_sequence(const char *text, size_t length, struct forma_error *err) {
    if (length == 0)
        return error_set(err, FORMA_EINVAL, "a stop sequence is empty; give it at least a byte");
    if (length > STOP_MAX_BYTES)
        return error_set(err, FORMA_EINVAL, "a stop sequence has %zu bytes; at most %d are allowed",
                         length, STOP_MAX_BYTES);
    if (utf8_valid_prefix((const unsigned char *)text, length) != length)
        return error_set(err, FORMA_EINVAL, "a stop sequence is not UTF-8, so no text holds it");
    return FORMA_OK;
}

static bool add_sequence(struct stop_scanner *s, const char *text, size_t length) {
    struct sequence *q = &s->sequences[s->n_sequences++];
    q->length = length;
    q->bytes = fa_alloc(s->allocator, length);
    q->failure = fa_alloc(s->allocator, length * sizeof *q->failure);
    if (!q->bytes || !q->failure) return false;
    memcpy(q->bytes, text, length);
    compute_failure(q);
    return true;
}

struct stop_scanner *stop_new(const char *const *sequences, size_t n,
                              const struct forma_allocator *allocator, struct forma_error *err) {
    size_t longest = 0;
    if (n > STOP_MAX_SEQUENCES) {
        error_set(err, FORMA_EINVAL, "%zu stop sequences; at most %d are allowed", n,
                  STOP_MAX_SEQUENCES);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(sequences[i]);
        if (check_sequence(sequences[i], length, err) != FORMA_OK) return NULL;
        if (length > longest) longest = length;
    }
    allocator = fa_allocator_or_default(allocator);
    struct stop_scanner *s = fa_alloc_zero(allocator, sizeof *s);
    if (!s) goto fail;
    s->allocator = allocator;
    s->capacity = longest + 1;
    s->held = fa_alloc(allocator, s->capacity);
    s->may_end = fa_alloc(allocator, s->capacity * sizeof *s->may_end);
    s->sequences = fa_alloc_zero(allocator, STOP_MAX_SEQUENCES * sizeof *s->sequences);
    if (!s->held || !s->may_end || !s->sequences) goto fail;
    for (size_t i = 0; i < n; i++)
        if (!add_sequence(s, sequences[i], strlen(sequences[i]))) goto fail;
    return s;
fail:
    stop_free(s);
    error_set(err, FORMA_EMEMORY, "no memory for the stop sequences");
    return NULL;
}

void stop_free(struct stop_scanner *s) {
    if (!s) return;
    for (size_t i = 0; i < s->n_sequences; i++) {
        struct sequence *q = &s->sequences[i];
        fa_free(s->allocator, q->bytes, q->length);
        fa_free(s->allocator, q->failure, q->length * sizeof *q->failure);
    }
    fa_free(s->allocator, s->sequences, STOP_MAX_SEQUENCES * sizeof *s->sequences);
    fa_free(s->allocator, s->held, s->capacity);
    fa_free(s->allocator, s->may_end, s->capacity * sizeof *s->may_end);
    fa_free(s->allocator, s, sizeof *s);
}

size_t stop_capacity(const struct stop_scanner *s) {
    return s->capacity;
}

/* Lets out the first n held bytes. */
static size_t release(struct stop_scanner *s, size_t n, char *out) {
    if (n == 0) return 0;
    memcpy(out, s->held, n);
    s->n_held -= n;
    memmove(s->held, s->held + n, s->n_held);
    memmove(s->may_end, s->may_end + n, s->n_held * sizeof *s->may_end);
    return n;
}

/* True when the byte completes the sequence. */
static bool step(struct sequence *q, unsigned char byte) {
    if (q->matched == q->length) q->matched = q->failure[q->length - 1]; /* it was no end */
    while (q->matched > 0 && q->bytes[q->matched] != byte) q->matched = q->failure[q->matched - 1];
    if (q->bytes[q->matched] == byte) q->matched++;
    return q->matched == q->length;
}

int stop_push(struct stop_scanner *s, unsigned char byte, bool may_end, char *out, size_t *n_out) {
    int found = -1;
    size_t keep = 0;
    s->held[s->n_held] = byte;
    s->may_end[s->n_held++] = may_end;
    for (size_t i = 0; i < s->n_sequences; i++) {
        struct sequence *q = &s->sequences[i];
        bool complete = step(q, byte);
        if (complete && s->may_end[s->n_held - q->length] &&
            (found < 0 || q->length > s->sequences[found].length))
            found = (int)i;
        size_t alive = complete ? q->failure[q->length - 1] : q->matched;
        if (alive > keep) keep = alive;
    }
    if (found >= 0) {
        *n_out = release(s, s->n_held - s->sequences[found].length, out);
        s->n_held = 0;
        for (size_t i = 0; i < s->n_sequences; i++) s->sequences[i].matched = 0;
    } else {
        *n_out = release(s, s->n_held - keep, out);
    }
    return found;
}

size_t stop_flush(struct stop_scanner *s, char *out) {
    for (size_t i = 0; i < s->n_sequences; i++) s->sequences[i].matched = 0;
    return release(s, s->n_held, out);
}
