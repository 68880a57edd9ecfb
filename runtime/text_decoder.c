/* SPDX-License-Identifier: MIT
 *
 * UTF-8 that arrives in tokens: a token may end inside a character, so the ill-formed end is held
 * until the next token shows whether it is completed. What can never be completed is the longest
 * beginning of a character that the next byte contradicts (Unicode's "maximal subpart"): one
 * replacement character each.
 */
#include <string.h>

#include "base/utf8.h"
#include "runtime/tokenizer.h"

static size_t put_ill_formed(const unsigned char *bytes, size_t n, bool replace,
                             unsigned char *out) {
    if (replace) return utf8_encode(0xFFFD, out);
    memcpy(out, bytes, n);
    return n;
}

size_t text_decoder_push(struct text_decoder *d, const unsigned char *bytes, size_t length,
                         bool replace, unsigned char *out) {
    size_t written = 0;
    uint32_t code_point;
    for (size_t i = 0; i < length;) {
        d->held[d->n_held] = bytes[i];
        size_t n = d->n_held + 1u;
        if (utf8_decode(d->held, n, &code_point) == n) {
            memcpy(out + written, d->held, n);
            written += n;
            d->n_held = 0;
            i++;
        } else if (utf8_incomplete_tail(d->held, n) == n) {
            d->n_held++;
            i++;
        } else if (d->n_held > 0) { /* the byte contradicts what is held: it begins anew */
            written += put_ill_formed(d->held, d->n_held, replace, out + written);
            d->n_held = 0;
        } else {
            written += put_ill_formed(d->held, 1, replace, out + written);
            i++;
        }
    }
    return written;
}

size_t text_decoder_finish(struct text_decoder *d, bool replace, unsigned char *out) {
    size_t n = d->n_held;
    d->n_held = 0;
    return n ? put_ill_formed(d->held, n, replace, out) : 0;
}
