/* SPDX-License-Identifier: MIT
 *
 * What may come next inside a string or a name: which characters, as ranges of code points; how many
 * more; the rests, where there are few. The characters are found by stepping the string reader
 * through UTF-8, which takes a few thousand steps.
 */
#include <string.h>

#include "automaton/goal_internal.h"
#include "automaton/json_next.h"
#include "automaton/regex_list.h"
#include "base/utf8.h"

/* ---- sets of characters -------------------------------------------------------------------- */

#define MAX_RANGES 4096

struct characters {
    struct code_range *ranges;
    size_t n;
};

static void add_codes(struct characters *c, uint32_t first, uint32_t last) {
    if (c->n && c->ranges[c->n - 1].last + 1 == first)
        c->ranges[c->n - 1].last = last;
    else if (c->n < MAX_RANGES)
        c->ranges[c->n++] = (struct code_range){first, last};
}

struct walk {
    struct string_reader *strings;
    struct characters *out;
    string_state whole[4]; /* by bytes to come: a state that all continuations follow */
};

/* The characters base..base+64^left-1 behind state s. */
static void walk(struct walk *w, string_state s, uint32_t base, unsigned left) {
    bool limited = false, all = true;
    uint32_t block = UINT32_C(1) << 6 * (left - 1);
    if (w->whole[left] == s) {
        add_codes(w->out, base, base + 64 * block - 1);
        return;
    }
    for (uint32_t b = 0; b < 64; b++) {
        string_state next = string_step(w->strings, s, (unsigned char)(0x80 + b), &limited);
        uint32_t low = base + b * block;
        all &= next != STRING_DEAD;
        if (next == STRING_DEAD) continue;
        if (left == 1) {
            add_codes(w->out, low, low);
            continue;
        }
        walk(w, next, low, left - 1);
        all &= w->whole[left - 1] == next;
    }
    if (all) w->whole[left] = s;
}

/* The characters that may be written as themselves behind s. */
static struct characters characters_of(struct lister *l, string_state s) {
    static const unsigned char lead_bits[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    struct json_machine *m = l->m;
    struct characters c = {
        arena_push_array(&m->goals->scratch, MAX_RANGES, sizeof(struct code_range)), 0};
    struct walk w = {m->strings, &c, {0}};
    bool limited = false;
    if (!c.ranges) return c;
    for (unsigned lead = 0x20; lead < 0xF5; lead++) {
        size_t length = utf8_sequence_length((unsigned char)lead);
        if (!length || lead == '"' || lead == '\\') continue;
        string_state next = string_step(m->strings, s, (unsigned char)lead, &limited);
        if (next == STRING_DEAD) continue;
        unsigned left = (unsigned)length - 1;
        uint32_t base = (uint32_t)(lead & lead_bits[length]) << 6 * left;
        if (left)
            walk(&w, next, base, left);
        else
            add_codes(&c, base, base);
    }
    return c;
}

/* Those of a that are not in b; on the scratch stack. */
static struct characters without(struct lister *l, struct characters a, struct characters b) {
    struct characters c = {
        arena_push_array(&l->m->goals->scratch, MAX_RANGES, sizeof(struct code_range)), 0};
    if (!c.ranges) return c;
    for (size_t i = 0, j = 0; i < a.n; i++) {
        uint32_t first = a.ranges[i].first, last = a.ranges[i].last;
        while (j < b.n && b.ranges[j].last < first) j++;
        for (size_t k = j; k < b.n && b.ranges[k].first <= last && first <= last; k++) {
            if (b.ranges[k].first > first) add_codes(&c, first, b.ranges[k].first - 1);
            first = b.ranges[k].last + 1;
        }
        if (first <= last) add_codes(&c, first, last);
    }
    return c;
}

static void add_words(struct text *t, struct characters c) {
    enum { SHOWN = 16 };
    for (size_t i = 0; i < c.n; i++) {
        struct code_range r = c.ranges[i];
        if (i == SHOWN) {
            text_add(t, " ...");
            return;
        }
        if (i) text_add(t, " ");
        if (r.first == ' ' && r.last == ' ')
            text_add(t, "space");
        else
            text_add_code(t, r.first);
        if (r.last > r.first) text_add(t, r.last > r.first + 1 ? "-" : " ");
        if (r.last > r.first) text_add_code(t, r.last);
    }
}

/* ---- how many more ------------------------------------------------------------------------- */

/* Searches that a list may take: it is for people, so a question past this has no answer. */
enum { COUNT_WORK = 20000 };
#define COUNT_UNKNOWN UINT64_MAX
#define COUNT_MOST    (UINT64_C(1) << 40)

struct counting {
    struct json_machine *m;
    term_id term;
    uint64_t k;
};

/* Is there a rest of n characters or more (fewer than n, if `below`)? */
static enum regex_answer has_rest(const struct counting *c, uint64_t n, bool below) {
    struct regex_store *r = c->m->regex;
    uint64_t work = 0;
    term_id length = regex_min_length(r, c->k + n);
    if (below) length = regex_not(r, length);
    term_id both = regex_and(r, (const term_id[]){c->term, length}, 2);
    return regex_alive(r, both, c->k, PARTIAL_BOUNDARY, &work, COUNT_WORK);
}

/* The smallest n > 0 for which has_rest(n, below) is `answer`, less one. */
static uint64_t last_before(const struct counting *c, bool below, enum regex_answer answer) {
    uint64_t low = 0, high = 1;
    enum regex_answer a;
    while ((a = has_rest(c, high, below)) != answer) {
        if (a == REGEX_LIMIT || high >= COUNT_MOST) return COUNT_UNKNOWN;
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        a = has_rest(c, middle, below);
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

/* ---- rests --------------------------------------------------------------------------------- */

char *next_spell(struct lister *l, const char *text, size_t length, size_t *spelled) {
    static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    static const char digits[] = "0123456789abcdef";
    char *out = arena_push(&l->m->goals->scratch, 6 * length + 1);
    size_t n = 0;
    for (size_t i = 0; out && i < length; i++) {
        unsigned char b = (unsigned char)text[i];
        const char *at = b ? strchr(escaped, b) : NULL;
        if (at) {
            out[n++] = '\\';
            out[n++] = letters[at - escaped];
        } else if (b < 0x20) {
            memcpy(out + n, "\\u00", 4);
            out[n + 4] = digits[b >> 4];
            out[n + 5] = digits[b & 15];
            n += 6;
        } else {
            out[n++] = (char)b;
        }
    }
    if (!out) l->m->arena.failed = true;
    *spelled = n;
    return out;
}

enum { RESTS_SHOWN = 12, REST_WORK = 100000 };

static bool add_rest(void *ctx, const unsigned char *bytes, size_t length) {
    struct lister *l = ctx;
    struct goal_store *goals = l->m->goals;
    size_t mark = goal_scratch_mark(goals), n;
    struct next_item item = next_begin(l, NEXT_REST);
    char *text = next_spell(l, (const char *)bytes, length, &n);
    if (!text) return false;
    text[n] = '"';
    item.type = TYPE_STRING;
    next_set_text(&item, text, n + 1);
    text_add(&l->what, length ? "the rest " : "the end of the string");
    if (length) text_add_quoted(&l->what, (const char *)bytes, length, 80);
    next_possible(l, &item);
    goal_scratch_pop(goals, mark);
    return true;
}

static bool count_rest(void *ctx, const unsigned char *bytes, size_t length) {
    (void)bytes;
    return length <= 60 && ++*(unsigned *)ctx <= RESTS_SHOWN;
}

/* Lists the rests of a string if they are few. */
static void list_rests(struct lister *l, term_id residual) {
    unsigned n = 0;
    uint64_t work = 0;
    enum regex_answer more = REGEX_LIMIT;
    if (!regex_is_short(l->m->regex, residual)) return;
    regex_enumerate(l->m->regex, residual, count_rest, &n, &more, &work, REST_WORK);
    if (n && more == REGEX_NO)
        regex_enumerate(l->m->regex, residual, add_rest, l, &more, &work, REST_WORK);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void add_characters(struct lister *l, struct characters c, struct characters others,
                           bool in_key, uint64_t least, uint64_t most) {
    struct next_item item = next_begin(l, NEXT_CHARACTER);
    item.in_key = in_key;
    next_add_range(&item, 0x20, 0xFF);
    item.shown.first['"' / 32] &= ~(UINT32_C(1) << '"' % 32);
    item.shown.first['\\' / 32] &= ~(UINT32_C(1) << '\\' % 32);
    if (!c.n) {
        text_add(&l->what, "another character");
        next_blocked(l, &item);
        return;
    }
    if (!others.n) {
        text_add(&l->what, "any character");
    } else if (others.n < c.n) {
        text_add(&l->what, "any character but ");
        add_words(&l->what, others);
    } else {
        text_add(&l->what, "a character: ");
        add_words(&l->what, c);
    }
    add_count(&l->what, least, most);
    next_possible(l, &item);
    if (!others.n) return;
    unsigned char example[4];
    item = next_begin(l, NEXT_CHARACTER);
    item.in_key = in_key;
    next_set_text(&item, (const char *)example, utf8_encode(others.ranges[0].first, example));
    text_add(&l->what, "other characters, such as ");
    add_words(&l->what,
              (struct characters){
                  &(struct code_range){others.ranges[0].first, others.ranges[0].first}, 1});
    next_blocked(l, &item);
}

static void add_escape(struct lister *l, string_state at, bool in_key) {
    uint32_t letters[8] = {0};
    bool limited = false;
    string_state next = string_step(l->m->strings, at, '\\', &limited);
    struct next_item item = next_begin(l, NEXT_ESCAPE);
    item.in_key = in_key;
    if (next == STRING_DEAD) return;
    for (const char *p = "\"\\/bfnrtu"; *p; p++)
        if (string_step(l->m->strings, next, (unsigned char)*p, &limited) != STRING_DEAD)
            BYTES_ADD(letters, (unsigned char)*p);
    text_add(&l->what, "an escape: \\ and one of ");
    text_add_bytes(&l->what, letters);
    next_add_range(&item, '\\', '\\');
    next_possible(l, &item);
}

static void add_inside(struct lister *l, enum string_where where, bool in_key) {
    struct next_item item = next_begin(l, NEXT_ESCAPE);
    item.in_key = in_key;
    memcpy(item.shown.first, l->live, sizeof l->live);
    text_add(&l->what,
             where == STRING_INSIDE ? "the rest of a character: " : "the rest of an escape: ");
    text_add_bytes(&l->what, l->live);
    next_possible(l, &item);
}

void next_in_string(struct lister *l, string_state at, bool in_key) {
    struct json_machine *m = l->m;
    bool limited = false;
    uint64_t least = COUNT_UNKNOWN, most = COUNT_UNKNOWN, k;
    partial_id partial;
    if (at == STRING_DEAD) return;
    enum string_where where = string_where(m->strings, at);
    if (where != STRING_BETWEEN) {
        add_inside(l, where, in_key);
        return;
    }
    size_t mark = goal_scratch_mark(m->goals);
    term_id residual = string_residual(m->strings, at, &k, &partial), any = TERM_ANY;
    struct counting counting = {m, residual, k};
    if (!in_key) {
        most = last_before(&counting, false, REGEX_NO);
        least = last_before(&counting, true, REGEX_YES);
    }
    if (k == 0 && !in_key) list_rests(l, residual);
    struct characters all = characters_of(l, string_begin(m->strings, &any, 1, &limited));
    struct characters c = characters_of(l, at);
    if (c.ranges && all.ranges) add_characters(l, c, without(l, all, c), in_key, least, most);
    add_escape(l, at, in_key);
    struct next_item item = next_begin(l, NEXT_QUOTE);
    item.in_key = in_key;
    next_add_range(&item, '"', '"');
    text_add(&l->what, "the end of the %s", in_key ? "name" : "string");
    if (least != COUNT_UNKNOWN && least > 0)
        text_add(&l->why, "at least %llu more character%s", (unsigned long long)least,
                 least > 1 ? "s" : "");
    if (!next_possible(l, &item)) next_blocked(l, &item);
    goal_scratch_pop(m->goals, mark);
}
