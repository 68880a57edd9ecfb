/* SPDX-License-Identifier: MIT */
#include "automaton/regex_list.h"

#include "automaton/next.h"

/* Longer lists and longer strings are no help. */
enum { SHOWN = 5, COUNTED = 20, LENGTH = 60, BYTES_SHOWN = 40 };
enum { SHORT_WORK = 10000, LIST_WORK = 1000000 };

struct list {
    struct text *out;
    unsigned n;
};

static bool add(void *ctx, const unsigned char *bytes, size_t length) {
    struct list *list = ctx;
    if (list->n == SHOWN) text_add(list->out, ", ...");
    if (list->n >= SHOWN) return false;
    text_add(list->out, list->n++ ? ", " : ": ");
    text_add_quoted(list->out, (const char *)bytes, length, BYTES_SHOWN);
    return true;
}

static bool count(void *ctx, const unsigned char *bytes, size_t length) {
    (void)bytes;
    (void)length;
    return ++*(unsigned *)ctx <= COUNTED;
}

bool regex_is_short(struct regex_store *s, term_id t) {
    uint64_t work = 0;
    term_id longer = regex_min_length(s, LENGTH + 1);
    longer = regex_and(s, (const term_id[]){t, longer}, 2);
    return regex_alive(s, longer, 0, PARTIAL_BOUNDARY, &work, SHORT_WORK) == REGEX_NO;
}

bool regex_list(struct regex_store *s, term_id t, const char *before, struct text *out) {
    enum regex_answer more = REGEX_LIMIT;
    uint64_t work = 0;
    unsigned n = 0;
    if (!regex_is_short(s, t)) return false;
    regex_enumerate(s, t, count, &n, &more, &work, LIST_WORK);
    if (!n || more != REGEX_NO) return false;
    struct list list = {out, 0};
    text_add(out, "%s", before);
    regex_enumerate(s, t, add, &list, &more, &work, LIST_WORK);
    return true;
}
