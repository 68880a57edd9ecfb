/* SPDX-License-Identifier: MIT */
#include "automaton/json_string.h"

#include <string.h>

#include "automaton/byte_rows.h"
#include "automaton/regex_machine.h"
#include "automaton/regex_partition.h"
#include "base/hex.h"
#include "base/utf8.h"

/* Where we are in an escape sequence. */
enum escape_phase {
    ESCAPE_NONE,
    ESCAPE_BACKSLASH, /* after \ */
    ESCAPE_HEX,       /* after \u and `digits` hex digits */
    ESCAPE_LOW,       /* after a high surrogate: \ must come */
    ESCAPE_LOW_U,     /* after its \: u must come */
    ESCAPE_LOW_HEX    /* after that u: digits of the low surrogate */
};

struct escape {
    uint8_t phase, digits;
    uint16_t value; /* hex digits read so far */
    uint16_t high;  /* the high surrogate */
};

struct string_record {
    uint64_t need; /* memo of string_need(.., 0) + 1, 0 = not known yet; not part of the identity */
    uint32_t tuple; /* index into tuples: first term; the demand */
    uint32_t n_terms;
    uint64_t k;
    partial_id partial;
    struct escape escape;
};

struct string_reader {
    struct arena *arena;
    struct regex_store *regex;
    bool alphabet[256];
    bool any_escape, can_hex; /* \uXXXX can be written */
    uint32_t raw_set;
    uint64_t work, max_work;
    ARENA_VEC(struct string_record) states;
    struct table state_table;
    struct byte_rows rows;
    const struct partition *escape_bytes;        /* what is special in an escape */
    ARENA_VEC(const unsigned char *) boundaries; /* by partition: classes between characters */
    unsigned char never[256];                    /* bytes with which no raw character begins */
    uint32_t n_never;
    bool all_beyond_ascii; /* all characters beyond can be written raw */
    ARENA_VEC(term_id) tuples;
    struct table tuple_table; /* ids are indices of first terms */
};

static bool can_write_hex(const bool alphabet[256]) {
    static const char needed[] = "\\u0123456789abcdef";
    for (const char *p = needed; *p; p++)
        if (!alphabet[(unsigned char)*p]) return false;
    return true;
}

static bool is_raw(const bool alphabet[256], uint32_t c) {
    return c >= 0x20 && c != '"' && c != '\\' && spellable_raw(alphabet, c);
}

static const char short_escapes[] = "\"\\/bfnrt";
static const char short_meaning[] = "\"\\/\b\f\n\r\t";

/* The letter of the two-character escape of c, or 0. */
static char short_escape_of(uint32_t c) {
    for (int i = 0; short_escapes[i]; i++)
        if ((unsigned char)short_meaning[i] == c) return short_escapes[i];
    return 0;
}

size_t string_spell(unsigned char byte, unsigned char out[6]) {
    static const char digits[] = "0123456789abcdef";
    char letter = short_escape_of(byte);
    out[0] = byte;
    if (byte >= 0x20 && byte != '"' && byte != '\\') return 1;
    out[0] = '\\';
    out[1] = letter ? (unsigned char)letter : 'u';
    if (letter) return 2;
    out[2] = out[3] = '0';
    out[4] = (unsigned char)digits[byte >> 4];
    out[5] = (unsigned char)digits[byte & 15];
    return 6;
}

static bool is_escapable(const bool alphabet[256], bool any_escape, bool hex, uint32_t c) {
    char letter = short_escape_of(c);
    bool must = c < 0x20 || c == '"' || c == '\\';
    if (!must && !any_escape) return false;
    if (letter && alphabet['\\'] && alphabet[(unsigned char)letter]) return true;
    return hex && (any_escape || !letter);
}

/* The alphabet and the style. */
struct spelling {
    const bool *alphabet;
    bool any_escape, can_hex;
};

static bool fits_raw(const void *ctx, uint32_t c) {
    return is_raw(((const struct spelling *)ctx)->alphabet, c);
}

static bool fits(const void *ctx, uint32_t c) {
    const struct spelling *s = ctx;
    return is_raw(s->alphabet, c) || is_escapable(s->alphabet, s->any_escape, s->can_hex, c);
}

size_t string_spellable(const bool alphabet[256], bool any_escape, struct code_range *ranges) {
    struct spelling s = {alphabet, any_escape, can_write_hex(alphabet)};
    return spellable_ranges(alphabet, fits, &s, ranges);
}

/* Does some character of the ranges begin with this byte? */
static bool begins_some(const struct code_range *ranges, size_t n, unsigned byte) {
    static const unsigned char bits[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000}; /* of so many bytes */
    size_t length = utf8_sequence_length((unsigned char)byte);
    if (!length) return false;
    unsigned shift = 6 * ((unsigned)length - 1);
    uint32_t first = (uint32_t)(byte & bits[length]) << shift,
             last = first + (UINT32_C(1) << shift) - 1;
    if (first < least[length]) first = least[length];
    for (size_t i = 0; i < n; i++)
        if (ranges[i].first <= last && ranges[i].last >= first) return true;
    return false;
}

/* `raw`: the characters that are written as they are. */
static bool find_bytes(struct string_reader *r, const struct code_range *raw, size_t n_raw) {
    uint32_t escape[256] = {0}, n = 0;
    for (const char *p = "\"\\/bfnrtu0123456789acdeABCDEF"; *p; p++)
        escape[(unsigned char)*p] = ++n;
    r->escape_bytes = partition_intern(r->regex, escape);
    r->all_beyond_ascii = true;
    for (unsigned b = 0; b < 256; b++) {
        if (!begins_some(raw, n_raw, b)) r->never[r->n_never++] = (unsigned char)b;
        bool occurs = b < 0xC0 ? b >= 0x80 : utf8_sequence_length((unsigned char)b) > 1;
        if (occurs) r->all_beyond_ascii &= r->alphabet[b];
    }
    return r->escape_bytes != NULL;
}

struct string_reader *string_reader_new(struct arena *arena, struct regex_store *regex,
                                        const bool alphabet[256], bool any_escape,
                                        uint64_t max_work) {
    struct string_reader *r = arena_push(arena, sizeof *r);
    struct code_range ranges[SPELLABLE_MAX_RANGES];
    if (!r) return NULL;
    r->arena = arena;
    r->regex = regex;
    memcpy(r->alphabet, alphabet, sizeof r->alphabet);
    r->any_escape = any_escape;
    r->can_hex = can_write_hex(alphabet);
    r->max_work = max_work;
    struct spelling spelling = {alphabet, any_escape, r->can_hex};
    size_t n = spellable_ranges(alphabet, fits_raw, &spelling, ranges);
    r->raw_set = regex_partial_set(regex, ranges, n);
    if (!table_init(&r->state_table, arena, 64) || !table_init(&r->tuple_table, arena, 32))
        return NULL;
    if (!ARENA_VEC_GROW(arena, &r->states)) return NULL;
    r->states.count = 2; /* dead and closed */
    return byte_rows_init(&r->rows, arena) && find_bytes(r, ranges, n) ? r : NULL;
}

uint32_t string_reader_states(const struct string_reader *r) {
    return r->states.count;
}

/* ---- interning ------------------------------------------------------------------------------- */

static uint32_t intern_tuple(struct string_reader *r, const term_id *terms, uint32_t n) {
    uint32_t hash = fa_hash(terms, n * sizeof *terms);
    for (struct table_probe p = table_probe(&r->tuple_table, hash);
         table_next(&r->tuple_table, &p);)
        if (p.id + n <= r->tuples.count &&
            memcmp(r->tuples.data + p.id, terms, n * sizeof *terms) == 0)
            return p.id;
    while (r->tuples.capacity - r->tuples.count < n)
        if (!arena_vec_grow(r->arena, (void **)&r->tuples.data, sizeof *r->tuples.data,
                            r->tuples.count, &r->tuples.capacity))
            return UINT32_MAX;
    uint32_t id = r->tuples.count;
    if (!table_add(&r->tuple_table, hash, id)) return UINT32_MAX;
    memcpy(r->tuples.data + id, terms, n * sizeof *terms);
    r->tuples.count += n;
    return id;
}

static bool same_state(const struct string_record *a, const struct string_record *b) {
    return a->tuple == b->tuple && a->n_terms == b->n_terms && a->k == b->k &&
           a->partial == b->partial && memcmp(&a->escape, &b->escape, sizeof a->escape) == 0;
}

static string_state intern(struct string_reader *r, const struct string_record *key) {
    const struct escape *e = &key->escape;
    uint32_t hash = fa_hash_mix(key->tuple, (uint32_t)key->k);
    hash = fa_hash_mix(hash, key->partial);
    hash = fa_hash_mix(hash, (uint32_t)e->phase << 8 | e->digits);
    hash = fa_hash_mix(hash, (uint32_t)e->high << 16 | e->value);
    for (struct table_probe p = table_probe(&r->state_table, hash);
         table_next(&r->state_table, &p);)
        if (same_state(&r->states.data[p.id], key)) return p.id;
    if (!ARENA_VEC_GROW(r->arena, &r->states) || !table_add(&r->state_table, hash, r->states.count))
        return STRING_DEAD;
    r->states.data[r->states.count] = *key;
    r->states.data[r->states.count].need = 0;
    return r->states.count++;
}

/* ---- liveness -------------------------------------------------------------------------------- */

static bool is_alive(struct string_reader *r, term_id t, uint64_t k, partial_id p, bool *limited) {
    r->work = 0;
    enum regex_answer a = regex_alive(r->regex, t, k, p, &r->work, r->max_work);
    if (a == REGEX_LIMIT) *limited = true;
    return a == REGEX_YES;
}

/* Residual of t after character c. */
static term_id derive_char(struct string_reader *r, term_id t, uint32_t c) {
    unsigned char bytes[4];
    size_t n = utf8_encode(c, bytes);
    for (size_t i = 0; i < n && t != TERM_NONE; i++) t = regex_derive(r->regex, t, bytes[i]);
    return n ? t : TERM_NONE;
}

static bool char_is_alive(struct string_reader *r, const struct string_record *s, uint32_t c,
                          bool *limited) {
    term_id t = derive_char(r, r->tuples.data[s->tuple], c);
    return t != TERM_NONE &&
           is_alive(r, regex_settle(r->regex, t, s->k + 1), s->k + 1, PARTIAL_BOUNDARY, limited);
}

/* ASCII characters by class: one of each class is asked about. */
struct tried {
    uint64_t classes[4];
};

static bool ascii_is_alive(struct string_reader *r, const struct string_record *s, uint32_t c,
                           struct tried *tried, bool *limited) {
    unsigned n;
    const unsigned char *classes = regex_classes(r->regex, r->tuples.data[s->tuple], &n);
    uint64_t *word = &tried->classes[classes[c] / 64], bit = UINT64_C(1) << classes[c] % 64;
    if (*word & bit) return false;
    *word |= bit;
    return char_is_alive(r, s, c, limited);
}

/* Some character of [first, last] after which the demand is alive; UINT32_MAX: none. The bytes of
 * the characters are walked as a tree; bytes of one class with whole subtrees are tried once. */
static uint32_t live_char(struct string_reader *r, const struct string_record *s, uint32_t first,
                          uint32_t last, bool *limited);

struct char_walk {
    struct string_reader *r;
    uint64_t k;
    bool *limited;
};

/* Continuation bytes: `left` of them follow, the code points are base..base+64^left-1, cut to
 * [first, last]. */
static uint32_t walk_continuations(const struct char_walk *w, term_id t, uint32_t base,
                                   unsigned left, uint32_t first, uint32_t last) {
    if (t == TERM_NONE) return UINT32_MAX;
    if (left == 0) {
        term_id settled = regex_settle(w->r->regex, t, w->k + 1);
        return is_alive(w->r, settled, w->k + 1, PARTIAL_BOUNDARY, w->limited) ? base : UINT32_MAX;
    }
    unsigned n_classes;
    const unsigned char *classes = regex_classes(w->r->regex, t, &n_classes);
    bool tried[256] = {false};
    for (uint32_t b = 0; b < 64; b++) {
        uint32_t low = base + (b << 6 * (left - 1)), high = low + (1u << 6 * (left - 1)) - 1;
        if (high < first || low > last) continue;
        unsigned char byte = (unsigned char)(0x80 | b), cls = classes ? classes[byte] : 0;
        bool whole = low >= first && high <= last;
        if (classes && whole && tried[cls]) continue;
        if (classes && whole) tried[cls] = true;
        uint32_t found =
            walk_continuations(w, regex_derive(w->r->regex, t, byte), low, left - 1, first, last);
        if (found != UINT32_MAX) return found;
    }
    return UINT32_MAX;
}

static uint32_t live_char(struct string_reader *r, const struct string_record *s, uint32_t first,
                          uint32_t last, bool *limited) {
    struct char_walk w = {r, s->k, limited};
    term_id t = r->tuples.data[s->tuple];
    unsigned n_classes;
    const unsigned char *classes = regex_classes(r->regex, t, &n_classes);
    bool tried[256] = {false};
    for (unsigned lead = 0; lead < 0xF5; lead++) {
        size_t length = utf8_sequence_length((unsigned char)lead);
        if (!length) continue;
        static const unsigned char lead_bits[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
        unsigned left = (unsigned)length - 1;
        uint32_t low = (uint32_t)(lead & lead_bits[length]) << 6 * left;
        uint32_t high = low + (1u << 6 * left) - 1;
        if (high < first || low > last) continue;
        bool whole = low >= first && high <= last && left < 2; /* E0, ED, F0, F4 are special */
        if (classes && whole && tried[classes[lead]]) continue;
        if (classes && whole) tried[classes[lead]] = true;
        uint32_t found = walk_continuations(&w, regex_derive(r->regex, t, (unsigned char)lead), low,
                                            left, first, last);
        if (found != UINT32_MAX) return found;
    }
    return UINT32_MAX;
}

/* Some character that a \u escape with these digits can mean; UINT32_MAX: none. */
static uint32_t live_hex(struct string_reader *r, const struct string_record *s,
                         const struct escape *e, bool *limited) {
    if (!r->can_hex) return UINT32_MAX;
    unsigned open_bits = 4u * (4u - e->digits);
    uint32_t first = (uint32_t)e->value << open_bits, last = first + (1u << open_bits) - 1;
    if (e->phase == ESCAPE_LOW || e->phase == ESCAPE_LOW_U || e->phase == ESCAPE_LOW_HEX) {
        if (e->phase != ESCAPE_LOW_HEX) {
            first = 0xDC00;
            last = 0xDFFF;
        }
        if (first < 0xDC00) first = 0xDC00;
        if (last > 0xDFFF) last = 0xDFFF;
        if (first > last) return UINT32_MAX;
        uint32_t base = 0x10000 + ((uint32_t)(e->high - 0xD800) << 10);
        return live_char(r, s, base + first - 0xDC00, base + last - 0xDC00, limited);
    }
    if (!r->any_escape) {
        struct tried tried = {0};
        for (uint32_t c = first; c <= last && c < 0x20; c++)
            if (!short_escape_of(c) && ascii_is_alive(r, s, c, &tried, limited)) return c;
        return UINT32_MAX;
    }
    if (first < 0xD800) {
        uint32_t found = live_char(r, s, first, last < 0xD800 ? last : 0xD7FF, limited);
        if (found != UINT32_MAX) return found;
    }
    if (last > 0xDFFF) {
        uint32_t found = live_char(r, s, first > 0xDFFF ? first : 0xE000, last, limited);
        if (found != UINT32_MAX) return found;
    }
    uint32_t high_first = first < 0xD800 ? 0xD800 : first,
             high_last = last > 0xDBFF ? 0xDBFF : last;
    if (high_first > high_last) return UINT32_MAX;
    return live_char(r, s, 0x10000 + ((high_first - 0xD800) << 10),
                     0x10000 + ((high_last - 0xD800) << 10) + 0x3FF, limited);
}

/* ---- stepping -------------------------------------------------------------------------------- */

/* The state after the characters' `n` bytes were decoded; the escape is over. */
static string_state advance(struct string_reader *r, const struct string_record *s,
                            const unsigned char *bytes, size_t n, partial_id partial,
                            bool *limited) {
    struct string_record next = {.n_terms = s->n_terms, .k = s->k, .partial = partial};
    for (size_t i = 0; i < n; i++) next.k += (bytes[i] & 0xC0) != 0x80;
    size_t total = s->n_terms;
    term_id small[16];
    term_id *terms = total <= 16 ? small : arena_push_array(r->arena, total, sizeof *terms);
    if (!terms) return STRING_DEAD;
    bool counts = false;
    for (size_t g = 0; g < total; g++) {
        term_id t = r->tuples.data[s->tuple + g];
        for (size_t i = 0; i < n; i++) t = regex_derive(r->regex, t, bytes[i]);
        terms[g] = regex_settle(r->regex, t, next.k);
        if (g == 0 && (terms[0] == TERM_NONE || !is_alive(r, terms[0], next.k, partial, limited)))
            return STRING_DEAD;
        counts |= regex_has_length(r->regex, terms[g]);
    }
    if (!counts) next.k = 0;
    next.tuple = intern_tuple(r, terms, s->n_terms);
    return next.tuple == UINT32_MAX ? STRING_DEAD : intern(r, &next);
}

static string_state advance_char(struct string_reader *r, const struct string_record *s, uint32_t c,
                                 bool *limited) {
    unsigned char bytes[4];
    size_t n = utf8_encode(c, bytes);
    return n ? advance(r, s, bytes, n, PARTIAL_BOUNDARY, limited) : STRING_DEAD;
}

static string_state with_escape(struct string_reader *r, const struct string_record *s,
                                struct escape e) {
    struct string_record next = *s;
    next.escape = e;
    return intern(r, &next);
}

static string_state step_backslash(struct string_reader *r, const struct string_record *s,
                                   unsigned char byte, bool *limited) {
    if (byte == 'u') {
        struct escape e = {.phase = ESCAPE_HEX};
        return live_hex(r, s, &e, limited) == UINT32_MAX ? STRING_DEAD : with_escape(r, s, e);
    }
    const char *letter = byte ? strchr(short_escapes, byte) : NULL;
    if (!letter || (byte == '/' && !r->any_escape)) return STRING_DEAD;
    return advance_char(r, s, (unsigned char)short_meaning[letter - short_escapes], limited);
}

/* The digits that the style writes: `minimal` knows lower case only. */
static int hex_value(unsigned char b, bool upper_too) {
    return !upper_too && b >= 'A' && b <= 'F' ? -1 : hex_digit(b);
}

static string_state step_hex(struct string_reader *r, const struct string_record *s,
                             unsigned char byte, bool *limited) {
    int digit = hex_value(byte, r->any_escape);
    if (digit < 0) return STRING_DEAD;
    struct escape e = s->escape;
    e.value = (uint16_t)(e.value << 4 | digit);
    e.digits++;
    if (live_hex(r, s, &e, limited) == UINT32_MAX) return STRING_DEAD;
    if (e.digits < 4) return with_escape(r, s, e);
    if (e.phase == ESCAPE_LOW_HEX)
        return advance_char(
            r, s, 0x10000 + ((uint32_t)(e.high - 0xD800) << 10) + (e.value - 0xDC00u), limited);
    if (e.value >= 0xD800 && e.value <= 0xDBFF)
        return with_escape(r, s, (struct escape){.phase = ESCAPE_LOW, .high = e.value});
    return advance_char(r, s, e.value, limited);
}

/* Is there any escape sequence that keeps the demand alive? */
static bool backslash_is_alive(struct string_reader *r, const struct string_record *s,
                               bool *limited) {
    struct tried tried = {0};
    for (int i = 0; short_escapes[i]; i++) {
        unsigned char letter = (unsigned char)short_escapes[i];
        if (!r->alphabet[letter] || (letter == '/' && !r->any_escape)) continue;
        if (ascii_is_alive(r, s, (unsigned char)short_meaning[i], &tried, limited)) return true;
    }
    struct escape e = {.phase = ESCAPE_HEX};
    return live_hex(r, s, &e, limited) != UINT32_MAX;
}

static string_state step_plain(struct string_reader *r, const struct string_record *s,
                               unsigned char byte, bool *limited) {
    bool boundary = s->partial == PARTIAL_BOUNDARY;
    if (byte == '"' && boundary)
        return regex_nullable(r->regex, r->tuples.data[s->tuple], s->k) ? STRING_CLOSED
                                                                        : STRING_DEAD;
    if (byte == '\\' && boundary)
        return backslash_is_alive(r, s, limited)
                   ? with_escape(r, s, (struct escape){.phase = ESCAPE_BACKSLASH})
                   : STRING_DEAD;
    partial_id partial = regex_partial_step(r->regex, r->raw_set, s->partial, byte);
    return partial == PARTIAL_DEAD ? STRING_DEAD : advance(r, s, &byte, 1, partial, limited);
}

static string_state compute_step(struct string_reader *r, string_state id, unsigned char byte,
                                 bool *limited) {
    struct string_record s = r->states.data[id];
    switch ((enum escape_phase)s.escape.phase) {
    case ESCAPE_NONE: return step_plain(r, &s, byte, limited);
    case ESCAPE_BACKSLASH: return step_backslash(r, &s, byte, limited);
    case ESCAPE_HEX:
    case ESCAPE_LOW_HEX: return step_hex(r, &s, byte, limited);
    case ESCAPE_LOW:
        if (byte != '\\') return STRING_DEAD;
        return with_escape(r, &s, (struct escape){.phase = ESCAPE_LOW_U, .high = s.escape.high});
    case ESCAPE_LOW_U:
        if (byte != 'u') return STRING_DEAD;
        return with_escape(r, &s, (struct escape){.phase = ESCAPE_LOW_HEX, .high = s.escape.high});
    }
    return STRING_DEAD;
}

string_state string_begin(struct string_reader *r, const term_id *terms, uint32_t n,
                          bool *limited) {
    if (!r->alphabet['"']) return STRING_DEAD;
    struct string_record s = {.n_terms = n, .partial = PARTIAL_BOUNDARY};
    s.tuple = intern_tuple(r, terms, n);
    if (s.tuple == UINT32_MAX || !is_alive(r, terms[0], 0, PARTIAL_BOUNDARY, limited))
        return STRING_DEAD;
    return intern(r, &s);
}

/* Classes of a partition, and behind them: closing quotes, backslashes, what no character begins
 * with. */
static const unsigned char *boundary_classes(struct string_reader *r, const struct partition *p) {
    while (p->id >= r->boundaries.count) {
        if (!ARENA_VEC_GROW(r->arena, &r->boundaries)) return NULL;
        r->boundaries.data[r->boundaries.count++] = NULL;
    }
    const unsigned char **known = &r->boundaries.data[p->id];
    if (*known != NULL) return *known;
    unsigned char *classes = arena_push_copy(r->arena, p->classes, 256);
    if (!classes) return NULL;
    for (uint32_t i = 0; i < r->n_never; i++) classes[r->never[i]] = (unsigned char)(p->n + 2);
    classes['"'] = (unsigned char)p->n;
    classes['\\'] = (unsigned char)(p->n + 1);
    return *known = classes;
}

/* Makes a row for s, by what the languages and the place tell apart. */
static void open_row(struct string_reader *r, string_state id) {
    const struct string_record *s = &r->states.data[id];
    if (s->escape.phase != ESCAPE_NONE) {
        byte_rows_open(&r->rows, id, r->escape_bytes->classes, r->escape_bytes->n);
        return;
    }
    const struct partition *p = term_partition(r->regex, r->tuples.data[s->tuple]);
    for (uint32_t g = 1; g < s->n_terms; g++)
        p = partition_meet(r->regex, p, term_partition(r->regex, r->tuples.data[s->tuple + g]));
    bool boundary = s->partial == PARTIAL_BOUNDARY;
    /* Where all characters beyond ASCII can be written, a language knows what may follow. */
    if (!r->all_beyond_ascii)
        p = partition_meet(r->regex, p, partition_of_place(r->regex, r->raw_set, s->partial));
    if (!p || p->n > 253) return;
    const unsigned char *classes = boundary ? boundary_classes(r, p) : p->classes;
    if (classes) byte_rows_open(&r->rows, id, classes, p->n + (boundary ? 3 : 0));
}

string_state string_step(struct string_reader *r, string_state s, unsigned char byte,
                         bool *limited) {
    string_state next;
    if (byte_rows_find(&r->rows, s, byte, &next)) return next;
    bool gave_up = false;
    next = compute_step(r, s, byte, &gave_up);
    if (gave_up) *limited = true;
    if (gave_up || r->arena->failed) return next;
    if (!byte_rows_is_open(&r->rows, s)) open_row(r, s);
    byte_rows_keep(&r->rows, s, byte, next);
    return next;
}

/* ---- looking --------------------------------------------------------------------------------- */

bool string_verdict(struct string_reader *r, string_state s, uint32_t goal) {
    const struct string_record *x = &r->states.data[s];
    return regex_nullable(r->regex, r->tuples.data[x->tuple + goal], x->k);
}

term_id string_residual(const struct string_reader *r, string_state s, uint64_t *k,
                        partial_id *partial) {
    const struct string_record *x = &r->states.data[s];
    *k = x->k;
    *partial = x->partial;
    return r->tuples.data[x->tuple];
}

enum string_where string_where(const struct string_reader *r, string_state s) {
    const struct string_record *x = &r->states.data[s];
    if (x->escape.phase == ESCAPE_BACKSLASH) return STRING_BACKSLASH;
    if (x->escape.phase != ESCAPE_NONE) return STRING_ESCAPE;
    return x->partial == PARTIAL_BOUNDARY ? STRING_BETWEEN : STRING_INSIDE;
}

size_t string_decoded(const struct string_reader *r, string_state s, unsigned char byte,
                      string_state next, unsigned char out[4]) {
    if (next <= STRING_CLOSED || r->states.data[next].escape.phase != ESCAPE_NONE) return 0;
    const struct escape *e = &r->states.data[s].escape;
    uint32_t c;
    switch ((enum escape_phase)e->phase) {
    case ESCAPE_NONE: out[0] = byte; return 1;
    case ESCAPE_BACKSLASH:
        c = (unsigned char)short_meaning[strchr(short_escapes, byte) - short_escapes];
        break;
    case ESCAPE_HEX: c = (uint32_t)e->value << 4 | (uint32_t)hex_digit(byte); break;
    case ESCAPE_LOW_HEX:
        c = (uint32_t)e->value << 4 | (uint32_t)hex_digit(byte);
        c = 0x10000 + ((uint32_t)(e->high - 0xD800) << 10) + (c - 0xDC00);
        break;
    case ESCAPE_LOW:
    case ESCAPE_LOW_U:
    default: return 0;
    }
    return utf8_encode(c, out);
}

static bool is_constant(term_id t) {
    return t <= TERM_ANY && t != TERM_EMPTY_STRING;
}

struct string_facts string_facts(const struct string_reader *r, string_state s) {
    const struct string_record *x = &r->states.data[s];
    struct string_facts f = {.between =
                                 x->partial == PARTIAL_BOUNDARY && x->escape.phase == ESCAPE_NONE};
    if (!f.between) return f;
    bool decided = true; /* the other goals */
    for (uint32_t i = 1; i < x->n_terms; i++) decided &= is_constant(r->tuples.data[x->tuple + i]);
    f.settled = decided && is_constant(r->tuples.data[x->tuple]);
    f.dense = regex_is_dense(r->regex, r->tuples.data[x->tuple], x->k, &f.room);
    /* a bound from above is dense: what is met now is met up to it */
    f.closes = f.settled || (decided && f.dense && f.room != UINT64_MAX &&
                             regex_nullable(r->regex, r->tuples.data[x->tuple], x->k));
    f.listed = regex_is_list(r->regex, r->tuples.data[x->tuple]);
    return f;
}

bool string_is_escaping(const struct string_reader *r, string_state s) {
    return r->states.data[s].escape.phase != ESCAPE_NONE;
}

bool string_knows_any_escape(const struct string_reader *r) {
    return r->any_escape;
}

string_state string_inside(struct string_reader *r, string_state s) {
    struct string_record x = r->states.data[s];
    if (x.n_terms == 1) return s;
    x.n_terms = 1;
    x.tuple = intern_tuple(r, (const term_id[]){r->tuples.data[x.tuple]}, 1);
    if (x.tuple == UINT32_MAX) return STRING_DEAD;
    if (!regex_has_length(r->regex, r->tuples.data[x.tuple])) x.k = 0;
    return intern(r, &x);
}

string_state string_loosen(struct string_reader *r, string_state s, uint64_t *room,
                           uint64_t *owed) {
    struct string_record x = r->states.data[s];
    uint64_t least, below;
    term_id rest;
    *room = UINT64_MAX;
    *owed = 0;
    if (!regex_has_length(r->regex, r->tuples.data[x.tuple])) return s;
    if (!regex_split_length(r->regex, r->tuples.data[x.tuple], &rest, &least, &below)) return s;
    uint64_t k = x.k;
    x.n_terms = 1;
    x.k = 0;
    x.tuple = intern_tuple(r, &rest, 1);
    string_state loose = x.tuple == UINT32_MAX ? STRING_DEAD : intern(r, &x);
    if (loose == STRING_DEAD) return s;
    if (below != UINT64_MAX) *room = below - 1 - k;
    if (least > k) *owed = least - k;
    return loose;
}

uint64_t string_need(struct string_reader *r, string_state s, uint64_t least, uint64_t *work,
                     uint64_t limit, bool *limited) {
    struct string_record *x = &r->states.data[s];
    uint64_t need = 0;
    if (!least && x->need) return x->need - 1;
    enum regex_answer a =
        regex_need(r->regex, r->tuples.data[x->tuple], x->partial, least, work, limit, &need);
    if (a == REGEX_LIMIT) *limited = true;
    if (a != REGEX_YES) return UINT64_MAX;
    if (!least) x->need = need + 1;
    return need;
}

bool string_pure(struct string_reader *r, string_state s, struct regex_pure *p) {
    const struct string_record *x = &r->states.data[s];
    return x->n_terms == 1 && x->partial == PARTIAL_BOUNDARY && x->escape.phase == ESCAPE_NONE &&
           regex_pure_begin(r->regex, r->tuples.data[x->tuple], r->raw_set, p);
}

bool string_is_gapless(const struct string_reader *r, string_state s) {
    return regex_is_gapless(r->regex, r->tuples.data[r->states.data[s].tuple]);
}

/* ---- completion ------------------------------------------------------------------------------ */

string_state string_retarget(struct string_reader *r, string_state id, term_id term,
                             bool *limited) {
    struct string_record s = r->states.data[id];
    s.n_terms = 1;
    s.tuple = intern_tuple(r, &term, 1);
    if (s.tuple == UINT32_MAX) return STRING_DEAD;
    bool alive = false;
    switch ((enum escape_phase)s.escape.phase) {
    case ESCAPE_NONE: alive = is_alive(r, term, s.k, s.partial, limited); break;
    case ESCAPE_BACKSLASH: alive = backslash_is_alive(r, &s, limited); break;
    case ESCAPE_HEX:
    case ESCAPE_LOW:
    case ESCAPE_LOW_U:
    case ESCAPE_LOW_HEX: alive = live_hex(r, &s, &s.escape, limited) != UINT32_MAX; break;
    }
    return alive ? intern(r, &s) : STRING_DEAD;
}

/* The next character of a completion of the demand, from between characters; UINT32_MAX where the
 * string may end. */
static uint32_t witness_char(struct string_reader *r, const struct string_record *s) {
    term_id t = r->tuples.data[s->tuple];
    uint64_t k = s->k;
    partial_id p = PARTIAL_BOUNDARY;
    unsigned char bytes[4];
    size_t n = 0;
    uint32_t c = UINT32_MAX;
    do {
        int b = regex_witness_byte(r->regex, t, k, p);
        if (b < 0) return UINT32_MAX;
        bytes[n++] = (unsigned char)b;
        k += (b & 0xC0) != 0x80;
        t = regex_derive(r->regex, t, (unsigned char)b);
        p = regex_partial_step(r->regex, 0, p, (unsigned char)b);
    } while (p != PARTIAL_BOUNDARY && n < 4);
    utf8_decode(bytes, n, &c);
    return c;
}

/* The 16-bit unit of c that escape e is spelling. */
static uint32_t unit_of(const struct escape *e, uint32_t c) {
    if (c < 0x10000) return c;
    return e->phase == ESCAPE_LOW_HEX ? 0xDC00 + ((c - 0x10000) & 0x3FF)
                                      : 0xD800 + ((c - 0x10000) >> 10);
}

/* Do the digits read so far begin a spelling of c that the style has? */
static bool spells(const struct string_reader *r, const struct escape *e, uint32_t c) {
    if (c == UINT32_MAX) return false;
    if (!r->any_escape && (c >= 0x20 || short_escape_of(c))) return false;
    if (e->phase == ESCAPE_LOW_HEX && (c < 0x10000 || 0xD800 + ((c - 0x10000) >> 10) != e->high))
        return false;
    return unit_of(e, c) >> 4 * (4 - e->digits) == e->value;
}

static unsigned char witness_escape_letter(struct string_reader *r, string_state id, uint32_t c) {
    bool limited = false;
    char letter = c == UINT32_MAX ? 0 : short_escape_of(c);
    if (letter && string_step(r, id, (unsigned char)letter, &limited) != STRING_DEAD)
        return (unsigned char)letter;
    if (c != UINT32_MAX && string_step(r, id, 'u', &limited) != STRING_DEAD) return 'u';
    for (int i = 0; short_escapes[i]; i++)
        if (r->alphabet[(unsigned char)short_escapes[i]] &&
            string_step(r, id, (unsigned char)short_escapes[i], &limited) != STRING_DEAD)
            return (unsigned char)short_escapes[i];
    return 'u';
}

unsigned char string_witness_byte(struct string_reader *r, string_state id) {
    static const char hex[] = "0123456789abcdef";
    struct string_record s = r->states.data[id];
    bool limited = false;
    if (s.escape.phase == ESCAPE_LOW) return '\\';
    if (s.escape.phase == ESCAPE_LOW_U) return 'u';
    if (s.partial != PARTIAL_BOUNDARY) {
        int b = regex_witness_byte(r->regex, r->tuples.data[s.tuple], s.k, s.partial);
        return b < 0 ? '"' : (unsigned char)b;
    }
    uint32_t c = witness_char(r, &s);
    if (s.escape.phase == ESCAPE_BACKSLASH) return witness_escape_letter(r, id, c);
    if (s.escape.phase == ESCAPE_HEX || s.escape.phase == ESCAPE_LOW_HEX) {
        if (!spells(r, &s.escape, c)) c = live_hex(r, &s, &s.escape, &limited);
        return (unsigned char)hex[unit_of(&s.escape, c) >> 4 * (3 - s.escape.digits) & 15];
    }
    if (c == UINT32_MAX) return '"';
    unsigned char bytes[4];
    utf8_encode(c, bytes);
    return is_raw(r->alphabet, c) ? bytes[0] : '\\';
}
