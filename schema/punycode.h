/* SPDX-License-Identifier: MIT
 *
 * Punycode (RFC 3492), which writes labels of domain names in ASCII. Pure functions; a label has at
 * most IDNA_MAX_LABEL code points.
 */
#ifndef FORMA_SCHEMA_PUNYCODE_H
#define FORMA_SCHEMA_PUNYCODE_H

#include "schema/idna.h"

/* The octets of a label, written to `out` unless it is NULL: how many; SIZE_MAX: more than
 * `limit`. */
size_t punycode_encode(const uint32_t *label, size_t n, unsigned char *out, size_t limit);

/* Code points are told apart by block, of 256 or, where scripts are larger, more. */
struct punycode_block {
    uint16_t id; /* ascending with the code points */
    uint8_t n;   /* how many of a label are in it */
};
uint16_t punycode_block_of(uint32_t c);
/* The most octets that a label may have which holds `n` code points, so many of them in these blocks
 * (by id, none empty) and the others in ASCII, whatever they are and in whatever order. SIZE_MAX: more
 * than 59, what "xn--" leaves of 63. */
size_t punycode_most_octets(const struct punycode_block *blocks, size_t n_blocks, size_t n);

/* Reading: the label so far, and the number (delta) that says what comes in next, and where. */
struct punycode {
    uint32_t label[IDNA_MAX_LABEL];
    size_t n;
    uint32_t code;   /* of the last insertion; 128 at first */
    uint32_t start;  /* the place behind it: numbers count from here */
    uint32_t index;  /* start plus the digits of the number that were read */
    uint32_t weight; /* of its next digit */
    uint32_t k, bias;
    bool first; /* nothing was inserted yet */
};

/* Begins with the ASCII characters of a label, lower case. */
void punycode_begin(struct punycode *p, const unsigned char *basic, size_t n);
/* One digit. False: it is none, or no code point is so large. */
bool punycode_read(struct punycode *p, unsigned char digit);
static inline bool punycode_is_between(const struct punycode *p) {
    return p->weight == 1;
}

/* What comes in, and where, if the whole number is index - start. False: no code point. */
bool punycode_place(const struct punycode *p, uint64_t index, uint32_t *code, uint32_t *at);
/* How many digits still write `rest`, in units of the next digit's weight; the first of them. */
size_t punycode_digits(const struct punycode *p, uint64_t rest, unsigned char *first);

#endif
