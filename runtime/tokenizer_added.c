/* SPDX-License-Identifier: MIT
 *
 * Finding added tokens: a walk down their sorted texts at each byte that one may begin with.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "runtime/tokenizer_internal.h"

static int by_text(const void *pa, const void *pb) {
    const struct gguf_string *a = &((const struct added_token *)pa)->text,
                             *b = &((const struct added_token *)pb)->text;
    size_t n = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->data, b->data, n);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

void added_set_finish(struct added_set *set) {
    if (set->count) qsort(set->list, set->count, sizeof *set->list, by_text);
    for (uint32_t i = 0; i < set->count; i++)
        if (set->list[i].text.length) set->begins[(unsigned char)set->list[i].text.data[0]] = true;
}

/* First index in [low, high) whose text has at `depth` a byte of at least `byte`, among texts that
 * agree before it (one that ends there comes first). */
static uint32_t lower_bound(const struct added_set *set, uint32_t low, uint32_t high, size_t depth,
                            int byte) {
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct gguf_string *s = &set->list[middle].text;
        int here = depth < s->length ? (unsigned char)s->data[depth] : -1;
        if (here < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The longest that begins here, or NULL. */
static const struct added_token *find_here(const struct added_set *set, const char *text,
                                           size_t length) {
    const struct added_token *best = NULL;
    uint32_t low = 0, high = set->count;
    for (size_t depth = 0; low < high; depth++) {
        if (depth && set->list[low].text.length == depth) best = &set->list[low];
        if (depth == length) break;
        int byte = (unsigned char)text[depth];
        low = lower_bound(set, low, high, depth, byte);
        high = lower_bound(set, low, high, depth, byte + 1);
    }
    return best;
}

static bool is_blank(uint32_t c) {
    return (c >= 0x9 && c <= 0xD) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

/* Moves back over the blanks that end at `at`, not before `least`. */
static size_t blanks_before(const unsigned char *text, size_t least, size_t at) {
    while (at > least) {
        size_t start = at - 1;
        uint32_t c;
        while (start > least && at - start < 4 && (text[start] & 0xC0) == 0x80) start--;
        if (utf8_decode(text + start, at - start, &c) != at - start || !is_blank(c)) break;
        at = start;
    }
    return at;
}

static size_t blanks_behind(const unsigned char *text, size_t at, size_t length) {
    for (size_t step; at < length; at += step) {
        uint32_t c;
        step = utf8_decode(text + at, length - at, &c);
        if (!step || !is_blank(c)) break;
    }
    return at;
}

struct added_match added_set_find(const struct added_set *set, enum encode_added which,
                                  const char *text, size_t length, size_t at) {
    struct added_match match = {NULL, length, length};
    size_t begin = at;
    if (which == ENCODE_PLAIN || !set->count) return match;
    while (at < length) {
        const struct added_token *token =
            set->begins[(unsigned char)text[at]] ? find_here(set, text + at, length - at) : NULL;
        if (token && (which == ENCODE_SPECIAL || !token->control)) {
            const unsigned char *p = (const unsigned char *)text;
            match.token = token;
            match.start = token->lstrip ? blanks_before(p, begin, at) : at;
            match.end = at + token->text.length;
            if (token->rstrip) match.end = blanks_behind(p, match.end, length);
            return match;
        }
        at += token ? token->text.length : 1;
    }
    return match;
}
