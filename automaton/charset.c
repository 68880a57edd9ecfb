/* SPDX-License-Identifier: MIT */
#include "automaton/charset.h"

#include <stdlib.h>
#include <string.h>

#include "base/ranges.h"
#include "base/utf8.h"

bool charset_store_init(struct charset_store *cs, struct arena *arena) {
    memset(cs, 0, sizeof *cs);
    cs->arena = arena;
    if (!table_init(&cs->table, arena, 16)) return false;
    for (int i = 0; i < 2; i++) { /* the two reserved ids hold no ranges */
        if (!ARENA_VEC_GROW(arena, &cs->sets)) return false;
        cs->sets.data[cs->sets.count++] = (struct charset){NULL, 0, 0, NULL};
    }
    return true;
}

static bool push_range(struct charset_store *cs, uint32_t first, uint32_t last) {
    if (first > last) return true;
    if (!ARENA_VEC_GROW(cs->arena, &cs->scratch)) return false;
    cs->scratch.data[cs->scratch.count++] = (struct code_range){first, last};
    return true;
}

static int compare_ranges(const void *pa, const void *pb) {
    const struct code_range *a = pa, *b = pb;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* The scratch list, sorted: joins what overlaps or touches. */
static void join_ranges(struct charset_store *cs) {
    struct code_range *r = cs->scratch.data;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cs->scratch.count; i++) {
        if (kept && r[i].first <= r[kept - 1].last + 1) {
            if (r[i].last > r[kept - 1].last) r[kept - 1].last = r[i].last;
        } else {
            r[kept++] = r[i];
        }
    }
    cs->scratch.count = kept;
}

/* Interns the scratch list (sorted and joined). */
static uint32_t intern_scratch(struct charset_store *cs, uint32_t pending) {
    uint32_t n = cs->scratch.count;
    if (!n || cs->arena->failed) return CHARSET_NOTHING;
    size_t bytes = n * sizeof(struct code_range);
    uint32_t hash = fa_hash_mix(fa_hash(cs->scratch.data, bytes), pending);
    for (struct table_probe p = table_probe(&cs->table, hash); table_next(&cs->table, &p);) {
        const struct charset *c = &cs->sets.data[p.id];
        if (c->n == n && c->pending == pending && !memcmp(c->ranges, cs->scratch.data, bytes))
            return p.id;
    }
    const struct code_range *copy = arena_push_copy(cs->arena, cs->scratch.data, bytes);
    if (!copy || !ARENA_VEC_GROW(cs->arena, &cs->sets)) return CHARSET_NOTHING;
    uint32_t id = cs->sets.count;
    if (!table_add(&cs->table, hash, id)) return CHARSET_NOTHING;
    cs->sets.data[cs->sets.count++] = (struct charset){copy, n, pending, NULL};
    return id;
}

uint32_t charset_make(struct charset_store *cs, const struct code_range *ranges, size_t n,
                      uint32_t pending) {
    static const uint32_t last_value[4] = {UTF8_MAX_CODE_POINT, 0x3F, 0xFFF, 0x3FFFF};
    cs->scratch.count = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t first = ranges[i].first, last = ranges[i].last;
        if (last > last_value[pending]) last = last_value[pending];
        if (pending == 0 && first <= 0xDFFF && last >= 0xD800) {
            if (first < 0xD800 && !push_range(cs, first, 0xD7FF)) return CHARSET_NOTHING;
            first = 0xE000;
        }
        if (!push_range(cs, first, last)) return CHARSET_NOTHING;
    }
    if (cs->scratch.count > 1)
        qsort(cs->scratch.data, cs->scratch.count, sizeof *cs->scratch.data, compare_ranges);
    join_ranges(cs);
    return intern_scratch(cs, pending);
}

uint32_t charset_union(struct charset_store *cs, uint32_t a, uint32_t b) {
    if (a == b || b == CHARSET_NOTHING) return a;
    if (a == CHARSET_NOTHING) return b;
    const struct charset x = cs->sets.data[a], y = cs->sets.data[b];
    cs->scratch.count = 0;
    for (uint32_t i = 0, j = 0; i < x.n || j < y.n;) {
        bool left = j == y.n || (i < x.n && x.ranges[i].first <= y.ranges[j].first);
        const struct code_range *r = left ? &x.ranges[i++] : &y.ranges[j++];
        if (!push_range(cs, r->first, r->last)) return CHARSET_NOTHING;
    }
    join_ranges(cs);
    return intern_scratch(cs, x.pending);
}

uint32_t charset_intersection(struct charset_store *cs, uint32_t a, uint32_t b) {
    if (a == b) return a;
    const struct charset x = cs->sets.data[a], y = cs->sets.data[b];
    cs->scratch.count = 0;
    for (uint32_t i = 0, j = 0; i < x.n && j < y.n;) {
        struct code_range p = x.ranges[i], q = y.ranges[j];
        uint32_t first = p.first > q.first ? p.first : q.first;
        uint32_t last = p.last < q.last ? p.last : q.last;
        if (!push_range(cs, first, last)) return CHARSET_NOTHING;
        if (p.last < q.last)
            i++;
        else
            j++;
    }
    return intern_scratch(cs, x.pending);
}

uint32_t charset_difference(struct charset_store *cs, uint32_t a, uint32_t b) {
    if (a == b) return CHARSET_NOTHING;
    const struct charset x = cs->sets.data[a], y = cs->sets.data[b];
    cs->scratch.count = 0;
    uint32_t j = 0;
    for (uint32_t i = 0; i < x.n; i++) {
        uint32_t first = x.ranges[i].first, last = x.ranges[i].last;
        while (j < y.n && y.ranges[j].last < first) j++;
        bool more = true;
        for (uint32_t k = j; more && k < y.n && y.ranges[k].first <= last; k++) {
            if (y.ranges[k].first > first && !push_range(cs, first, y.ranges[k].first - 1))
                return CHARSET_NOTHING;
            more = y.ranges[k].last < last;
            first = y.ranges[k].last + 1;
        }
        if (more && !push_range(cs, first, last)) return CHARSET_NOTHING;
    }
    return intern_scratch(cs, x.pending);
}

/* Index of the first range that ends at or after `value`. */
static uint32_t find_range(const struct charset *c, uint32_t value) {
    return (uint32_t)ranges_from(c->ranges, c->n, sizeof *c->ranges, value);
}

bool charset_has(const struct charset_store *cs, uint32_t set, uint32_t value) {
    const struct charset *c = &cs->sets.data[set];
    uint32_t i = find_range(c, value);
    return i < c->n && c->ranges[i].first <= value;
}

unsigned charset_count2(const struct charset_store *cs, uint32_t set) {
    const struct charset *c = &cs->sets.data[set];
    if (c->n == 0) return 0;
    return c->n == 1 && c->ranges[0].first == c->ranges[0].last ? 1 : 2;
}

/* Members in [first, last], counted from `base`, with `pending` bytes to come. */
static uint32_t cut(struct charset_store *cs, uint32_t set, struct code_range window, uint32_t base,
                    uint32_t pending) {
    const struct charset c = cs->sets.data[set];
    cs->scratch.count = 0;
    for (uint32_t i = find_range(&c, window.first); i < c.n; i++) {
        if (c.ranges[i].first > window.last) break;
        uint32_t first = c.ranges[i].first > window.first ? c.ranges[i].first : window.first;
        uint32_t last = c.ranges[i].last < window.last ? c.ranges[i].last : window.last;
        if (!push_range(cs, first - base, last - base)) return CHARSET_NOTHING;
    }
    return intern_scratch(cs, pending);
}

/* The values that a set has when `byte` comes next, less `base`; false where none is possible. Inside
 * a character `byte` is a continuation. */
static bool find_window(uint32_t pending, unsigned char byte, struct code_range *window,
                        uint32_t *base) {
    static const uint32_t lead_bits[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = pending ? pending : utf8_sequence_length(byte);
    if (!length) return false;
    uint32_t bits = 6 * ((uint32_t)length - 1);
    *base = (byte & (pending ? 0x3F : lead_bits[length])) << bits;
    *window = (struct code_range){*base, *base + (1u << bits) - 1};
    if (!pending && window->first < smallest[length]) window->first = smallest[length];
    return true;
}

static uint32_t step(struct charset_store *cs, uint32_t set, unsigned char byte) {
    uint32_t pending = cs->sets.data[set].pending, base;
    struct code_range window;
    if (!find_window(pending, byte, &window, &base)) return CHARSET_NOTHING;
    uint32_t left = pending ? pending - 1 : (uint32_t)utf8_sequence_length(byte) - 1;
    if (!left) return charset_has(cs, set, window.first) ? CHARSET_DONE : CHARSET_NOTHING;
    return cut(cs, set, window, base, left);
}

/* Like the byte before, if the set holds all that may follow each of them. */
static bool is_like(const struct charset *c, unsigned char byte) {
    struct code_range before, window;
    uint32_t base, base_before;
    if (utf8_sequence_length(byte) != utf8_sequence_length((unsigned char)(byte - 1)) ||
        !find_window(c->pending, (unsigned char)(byte - 1), &before, &base_before) ||
        !find_window(c->pending, byte, &window, &base))
        return false;
    uint32_t i = find_range(c, before.first);
    return before.first - base_before == window.first - base && i < c->n &&
           c->ranges[i].first <= before.first && c->ranges[i].last >= window.last;
}

void charset_steps(struct charset_store *cs, uint32_t set, uint32_t next[256]) {
    const struct charset c = cs->sets.data[set];
    memset(next, 0, 256 * sizeof *next);
    if (set <= CHARSET_DONE) return;
    unsigned begin = c.pending ? 0x80 : 0xC2, end = c.pending ? 0xC0 : 0xF5;
    for (uint32_t i = 0; !c.pending && i < c.n && c.ranges[i].first < 0x80; i++)
        for (uint32_t v = c.ranges[i].first; v <= c.ranges[i].last && v < 0x80; v++)
            next[v] = CHARSET_DONE;
    for (unsigned b = begin; b < end; b++)
        next[b] = b > begin && is_like(&c, (unsigned char)b)
                      ? next[b - 1]
                      : charset_step(cs, set, (unsigned char)b);
}

uint32_t charset_step(struct charset_store *cs, uint32_t set, unsigned char byte) {
    if (set <= CHARSET_DONE) return CHARSET_NOTHING;
    if (!cs->sets.data[set].row) {
        size_t width = cs->sets.data[set].pending ? 64 : 256;
        uint32_t *row = arena_push_array(cs->arena, width, sizeof *row);
        if (!row) return CHARSET_NOTHING;
        cs->sets.data[set].row = row;
    }
    uint32_t *row = cs->sets.data[set].row, index = byte;
    if (cs->sets.data[set].pending) {
        if ((byte & 0xC0) != 0x80) return CHARSET_NOTHING;
        index = byte & 0x3F;
    }
    if (!row[index]) row[index] = step(cs, set, byte) + 1;
    return row[index] - 1;
}

unsigned charset_spell(uint32_t value, uint32_t pending, unsigned char out[4]) {
    if (!pending) return (unsigned)utf8_encode(value, out);
    for (uint32_t i = 0; i < pending; i++)
        out[i] = (unsigned char)(0x80 | (value >> 6 * (pending - 1 - i) & 0x3F));
    return pending;
}
