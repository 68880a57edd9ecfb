/* SPDX-License-Identifier: MIT */
#include "automaton/next_text.h"

#include "automaton/regex_list.h"
#include "base/utf8.h"

/* ---- sets of characters -------------------------------------------------------------------- */

/* What does not fit is left out: no list shows that many. */
#define MAX_RANGES 2048

struct characters {
    struct code_range ranges[MAX_RANGES];
    size_t n;
};

static void add_codes(struct characters *c, uint32_t first, uint32_t last) {
    if (c->n && c->ranges[c->n - 1].last + 1 == first)
        c->ranges[c->n - 1].last = last;
    else if (c->n < MAX_RANGES)
        c->ranges[c->n++] = (struct code_range){first, last};
}

struct walk {
    const struct text_place *place;
    struct characters *out;
    uint32_t whole[4]; /* by bytes to come: a state that all continuations follow */
};

/* The characters base..base+64^left-1 behind state s. */
static void walk(struct walk *w, uint32_t s, uint32_t base, unsigned left) {
    bool all = true;
    uint32_t block = UINT32_C(1) << 6 * (left - 1);
    if (w->whole[left] == s) {
        add_codes(w->out, base, base + 64 * block - 1);
        return;
    }
    for (uint32_t b = 0; b < 64; b++) {
        uint32_t next = w->place->step(w->place->ctx, s, (unsigned char)(0x80 + b));
        uint32_t low = base + b * block;
        all &= next != 0;
        if (!next) continue;
        if (left == 1) {
            add_codes(w->out, low, low);
            continue;
        }
        walk(w, next, low, left - 1);
        all &= w->whole[left - 1] == next;
    }
    if (all) w->whole[left] = s;
}

static void characters_behind(const struct text_place *p, uint32_t s, struct characters *out) {
    static const unsigned char lead_bits[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    struct walk w = {p, out, {0}};
    out->n = 0;
    for (unsigned lead = 0; lead < 0xF5; lead++) {
        size_t length = utf8_sequence_length((unsigned char)lead);
        uint32_t next = length ? p->step(p->ctx, s, (unsigned char)lead) : 0;
        if (!next) continue;
        unsigned left = (unsigned)length - 1;
        uint32_t base = (uint32_t)(lead & lead_bits[length]) << 6 * left;
        if (left)
            walk(&w, next, base, left);
        else
            add_codes(out, base, base);
    }
}

/* Those of a that are not in b. */
static void leave_out(const struct characters *a, const struct characters *b,
                      struct characters *out) {
    out->n = 0;
    for (size_t i = 0, j = 0; i < a->n; i++) {
        uint32_t first = a->ranges[i].first, last = a->ranges[i].last;
        while (j < b->n && b->ranges[j].last < first) j++;
        for (size_t k = j; k < b->n && b->ranges[k].first <= last && first <= last; k++) {
            if (b->ranges[k].first > first) add_codes(out, first, b->ranges[k].first - 1);
            first = b->ranges[k].last + 1;
        }
        if (first <= last) add_codes(out, first, last);
    }
}

static void add_code(struct text *t, uint32_t c) {
    if (c == ' ')
        text_add(t, "space");
    else
        text_add_code(t, c);
}

static void add_words(struct text *t, const struct characters *c) {
    enum { SHOWN = 16 };
    for (size_t i = 0; i < c->n; i++) {
        struct code_range r = c->ranges[i];
        if (i == SHOWN) {
            text_add(t, " ...");
            return;
        }
        if (i) text_add(t, " ");
        add_code(t, r.first);
        if (r.last > r.first) text_add(t, r.last > r.first + 1 ? "-" : " ");
        if (r.last > r.first) add_code(t, r.last);
    }
}

/* One that a person would try: a letter or digit, if there is one. */
static uint32_t example_of(const struct characters *c) {
    uint32_t best = c->ranges[0].first;
    for (const char *p = "a0A_-. "; *p; p++)
        for (size_t i = 0; i < c->n; i++)
            if (c->ranges[i].first <= (unsigned char)*p && (unsigned char)*p <= c->ranges[i].last)
                return (unsigned char)*p;
    return best;
}

/* ---- how many more ------------------------------------------------------------------------- */

/* Searches that a list may take: it is for people, so a question past this has no answer. */
enum { COUNT_WORK = 20000 };
#define COUNT_UNKNOWN UINT64_MAX
#define COUNT_MOST    (UINT64_C(1) << 40)

/* Is there a rest of n characters or more (fewer than n, if `below`)? */
static enum regex_answer has_rest(const struct text_place *p, uint64_t n, bool below) {
    uint64_t work = 0;
    term_id length = regex_min_length(p->regex, p->k + n);
    if (below) length = regex_not(p->regex, length);
    term_id both = regex_and(p->regex, (const term_id[]){p->residual, length}, 2);
    return regex_alive(p->regex, both, p->k, PARTIAL_BOUNDARY, &work, COUNT_WORK);
}

/* The smallest n > 0 for which has_rest(n, below) is `answer`, less one. */
static uint64_t last_before(const struct text_place *p, bool below, enum regex_answer answer) {
    uint64_t low = 0, high = 1;
    enum regex_answer a;
    while ((a = has_rest(p, high, below)) != answer) {
        if (a == REGEX_LIMIT || high >= COUNT_MOST) return COUNT_UNKNOWN;
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        a = has_rest(p, middle, below);
        if (a == REGEX_LIMIT) return COUNT_UNKNOWN;
        if (a == answer)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static void add_count(struct text *t, uint64_t least, uint64_t most) {
    if (most == least && most != COUNT_UNKNOWN)
        text_add(t, "; exactly %llu more", (unsigned long long)most);
    else if (most != COUNT_UNKNOWN && least != COUNT_UNKNOWN && least > 0)
        text_add(t, "; %llu to %llu more", (unsigned long long)least, (unsigned long long)most);
    else if (most != COUNT_UNKNOWN)
        text_add(t, "; at most %llu more", (unsigned long long)most);
    else if (least != COUNT_UNKNOWN && least > 0)
        text_add(t, "; at least %llu more", (unsigned long long)least);
}

/* ---- listing ------------------------------------------------------------------------------- */

static struct next_item begin(struct lister *l, const struct text_place *p) {
    struct next_item item = next_begin(l, NEXT_CHARACTER);
    item.in_key = p->in_key;
    return item;
}

/* The first bytes of the characters. */
static void add_first_bytes(struct next_item *item, const struct characters *c) {
    static const uint32_t first_of[] = {0x80, 0x800, 0x10000}; /* two bytes, three, four */
    for (size_t i = 0; i < c->n; i++) {
        uint32_t at = c->ranges[i].first;
        while (at <= c->ranges[i].last) {
            unsigned char bytes[4];
            size_t n = utf8_encode(at, bytes);
            uint32_t step = n <= 1 ? 1 : UINT32_C(1) << 6 * (n - 1);
            if (n) next_add_range(item, bytes[0], bytes[0]);
            uint32_t next = n <= 1 ? at + 1 : (at / step + 1) * step;
            for (int k = 0; k < 3; k++)
                if (at < first_of[k] && next > first_of[k]) next = first_of[k];
            at = next;
        }
    }
}

static void add_possible(struct lister *l, const struct text_place *p, const struct characters *c,
                         const struct characters *others, uint64_t least, uint64_t most) {
    struct next_item item = begin(l, p);
    add_first_bytes(&item, c);
    if (!others->n) {
        text_add(&l->what, "any character");
    } else if (others->n < c->n) {
        text_add(&l->what, "any character but ");
        add_words(&l->what, others);
    } else {
        text_add(&l->what, "a character: ");
        add_words(&l->what, c);
    }
    add_count(&l->what, least, most);
    next_possible(l, &item);
}

static void add_blocked(struct lister *l, const struct text_place *p,
                        const struct characters *others, bool some) {
    struct next_item item = begin(l, p);
    unsigned char bytes[4];
    uint32_t example = example_of(others);
    if (!some) { /* by any of them */
        text_add(&l->what, "another character");
        add_first_bytes(&item, others);
    } else {
        next_set_text(&item, (const char *)bytes, utf8_encode(example, bytes));
        text_add(&l->what, "other characters, such as ");
        add_code(&l->what, example);
    }
    next_blocked(l, &item);
}

void next_in_text(struct lister *l, const struct text_place *p, uint64_t *least) {
    struct characters all, possible, others;
    uint64_t most = p->in_key ? COUNT_UNKNOWN : last_before(p, false, REGEX_NO);
    *least = p->in_key ? COUNT_UNKNOWN : last_before(p, true, REGEX_YES);
    characters_behind(p, p->open, &all);
    characters_behind(p, p->state, &possible);
    leave_out(&all, &possible, &others);
    if (possible.n && !p->has_rests) add_possible(l, p, &possible, &others, *least, most);
    if (others.n) add_blocked(l, p, &others, possible.n > 0);
}

/* ---- rests --------------------------------------------------------------------------------- */

enum { RESTS_SHOWN = 12, REST_WORK = 100000 };

struct rests {
    struct lister *l;
    const struct text_place *place;
    size_t (*write)(const unsigned char *rest, size_t length, char *out);
};

static bool add_rest(void *ctx, const unsigned char *bytes, size_t length) {
    const struct rests *r = ctx;
    char text[6 * NEXT_REST_LENGTH + 1];
    struct next_item item = next_begin(r->l, NEXT_REST);
    size_t n = r->write(bytes, length, text);
    if (!n) return true; /* the end of the text */
    item.is_string = true;
    next_set_text(&item, text, n);
    text_add(&r->l->what, length ? "the rest " : "the end of the %s", r->place->what);
    if (length) text_add_quoted(&r->l->what, (const char *)bytes, length, NEXT_REST_LENGTH);
    next_possible(r->l, &item);
    return true;
}

struct rest_count {
    unsigned n;
    bool some_long; /* more than a character */
};

static bool count_rest(void *ctx, const unsigned char *bytes, size_t length) {
    struct rest_count *count = ctx;
    uint32_t code_point;
    if (length) count->some_long |= utf8_decode(bytes, length, &code_point) < length;
    return length <= NEXT_REST_LENGTH && ++count->n <= RESTS_SHOWN;
}

bool next_rests(struct lister *l, const struct text_place *p,
                size_t (*write)(const unsigned char *rest, size_t length, char *out)) {
    struct rests r = {l, p, write};
    struct rest_count count = {0};
    uint64_t work = 0;
    enum regex_answer more = REGEX_LIMIT;
    if (p->k || !regex_is_short(p->regex, p->residual)) return false;
    regex_enumerate(p->regex, p->residual, count_rest, &count, &more, &work, REST_WORK);
    if (!count.some_long || more != REGEX_NO) return false;
    regex_enumerate(p->regex, p->residual, add_rest, &r, &more, &work, REST_WORK);
    return more == REGEX_NO;
}
