/* SPDX-License-Identifier: MIT
 *
 * Domain names: labels of letters, digits and hyphens (RFC 1123, section 2.1; lengths: RFC 1035,
 * section 2.3.4), A-labels ("xn--", RFC 5890, section 2.3.2.1), which are decoded and checked, and in
 * international names U-labels. One label that is written from right to left puts a demand on all
 * of them (RFC 5893, section 2).
 *
 * What matters of a label in ASCII is little, and a state keeps no more. The length of a U-label's
 * A-label, and all that an A-label says, depend on every character: there the state is the label.
 *
 * Ways to an end. A U-label is tried with up to two more characters out of a few: for each rule that
 * may still be unmet they hold one that meets it. An A-label always has the way of becoming the
 * beginning of a longer one, as long as there is room; then, or with digits that were begun, code
 * points are tried for the insertion at hand, the nearest first.
 */
#include <string.h>

#include "schema/formats_internal.h"
#include "schema/punycode.h"

enum {
    MAX_OCTETS = 253, /* of a name; RFC 1035 says 255 with the octets of its encoding */
    MAX_LABEL = 63,
    PREFIX = 4,      /* "xn--" */
    MAX_BLOCKS = 30, /* each takes two octets of an A-label at least */
    MAX_TRIES = 400, /* insertions that are tried to complete an A-label */
    SHARP_S = 0xDF,  /* the first letter beyond ASCII that a label may hold */
    MIDDLE_DOT = 0xB7,
    KATAKANA_DOT = 0x30FB,
    SOME_LETTER = 'q' /* stands for what no longer matters: no mark composes with it */
};

#define NO_WAY UINT64_MAX

/* What is known of the name so far. */
enum {
    INTERNATIONAL = 1,
    BIDI = 2,  /* a label is written from right to left */
    LOOSE = 4, /* a label does not keep the Bidi rule */
    PLAIN = 8, /* this label must stay in ASCII: capital letters, or "--" as no U-label has it */
    MAIL = 16  /* the only separator is ".", and labels need not be in NFC */
};

struct domain {
    uint8_t flags;
    uint8_t octets; /* before this label */
    /* Of a U-label: how many of its code points lie where, so that its length as an A-label is
     * bounded. */
    uint8_t n_blocks;
    struct punycode_block blocks[MAX_BLOCKS];
    size_t n;
    uint32_t label[MAX_LABEL + 1];
};

/* ---- states ---------------------------------------------------------------------------------- */

enum { HEAD = 3 };

static void load(struct domain *d, const unsigned char *state, size_t size) {
    const unsigned char *p = state + HEAD;
    d->flags = state[0];
    d->octets = state[1];
    d->n_blocks = state[2];
    for (size_t i = 0; i < d->n_blocks; i++, p += 3)
        d->blocks[i] = (struct punycode_block){(uint16_t)(p[0] << 8 | p[1]), p[2]};
    d->n = (size - HEAD) / 3 - d->n_blocks;
    for (size_t i = 0; i < d->n; i++, p += 3)
        d->label[i] = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static size_t save(const struct domain *d, unsigned char *state) {
    unsigned char *p = state + HEAD;
    state[0] = d->flags;
    state[1] = d->octets;
    state[2] = d->n_blocks;
    for (size_t i = 0; i < d->n_blocks; i++) {
        *p++ = (unsigned char)(d->blocks[i].id >> 8);
        *p++ = (unsigned char)d->blocks[i].id;
        *p++ = d->blocks[i].n;
    }
    for (size_t i = 0; i < d->n; i++) {
        *p++ = (unsigned char)(d->label[i] >> 16);
        *p++ = (unsigned char)(d->label[i] >> 8);
        *p++ = (unsigned char)d->label[i];
    }
    return (size_t)(p - state);
}

/* Appends c to the label. False: there is no room. */
static bool put(struct domain *d, uint32_t c) {
    size_t at = 0;
    uint16_t id = punycode_block_of(c);
    if (d->n >= MAX_LABEL) return false;
    d->label[d->n++] = c;
    if (c < 0x80) return true;
    while (at < d->n_blocks && d->blocks[at].id < id) at++;
    if (at < d->n_blocks && d->blocks[at].id == id) {
        d->blocks[at].n++;
        return true;
    }
    if (d->n_blocks == MAX_BLOCKS) return false;
    memmove(d->blocks + at + 1, d->blocks + at, (d->n_blocks - at) * sizeof *d->blocks);
    d->blocks[at] = (struct punycode_block){id, 1};
    d->n_blocks++;
    return true;
}

/* How many characters of "xn--" the label begins with, if it holds no others. */
static size_t prefix_length(const struct domain *d) {
    static const unsigned char prefix[] = "xn--";
    size_t n = 0;
    while (n < d->n && n < PREFIX && d->label[n] == prefix[n]) n++;
    return n == PREFIX || n == d->n ? n : 0;
}

static bool is_a_label(const struct domain *d) {
    return prefix_length(d) == PREFIX;
}

static bool is_ascii(const struct domain *d) {
    return d->n_blocks == 0;
}

static size_t room(const struct domain *d) {
    size_t left = (size_t)MAX_OCTETS - d->octets;
    return left < MAX_LABEL ? left : MAX_LABEL;
}

/* ---- whole labels ---------------------------------------------------------------------------- */

/* May the label stand beside those before it? Adds what it is to *flags. */
static bool suits_domain(const uint32_t *label, size_t n, uint8_t *flags) {
    if (idna_is_right_to_left(label, n)) *flags |= BIDI;
    if (!idna_keeps_bidi_rule(label, n)) *flags |= LOOSE;
    return !(*flags & BIDI) || !(*flags & LOOSE);
}

static unsigned rules(const struct domain *d) {
    return d->flags & MAIL && !is_a_label(d) ? 0 : IDNA_COMPOSED;
}

/* The most octets of the A-label, "xn--" included; SIZE_MAX: too many. */
static size_t most_octets(const struct domain *d) {
    size_t n = punycode_most_octets(d->blocks, d->n_blocks, d->n);
    return n == SIZE_MAX || n + PREFIX > room(d) ? SIZE_MAX : n + PREFIX;
}

/* The same; where the bound does not do, by writing it out. */
static size_t u_label_octets(const struct domain *d) {
    unsigned char text[MAX_LABEL];
    size_t n = most_octets(d);
    if (n != SIZE_MAX || room(d) < PREFIX) return n;
    n = punycode_encode(d->label, d->n, text, room(d) - PREFIX);
    return n == SIZE_MAX ? n : n + PREFIX;
}

/* A U-label, beside the labels before it. */
static bool is_u_label(const struct domain *d, const uint32_t *label, size_t n, uint8_t *flags) {
    return idna_is_label(label, n, rules(d) | IDNA_WHOLE) && suits_domain(label, n, flags);
}

/* What an A-label's octets say so far: those before the last hyphen stand for themselves. */
static bool decode(const struct domain *d, struct punycode *p) {
    unsigned char text[MAX_LABEL] = {0};
    size_t n = d->n - PREFIX, basic = 0;
    for (size_t i = 0; i < n; i++) {
        text[i] = (unsigned char)d->label[PREFIX + i];
        if (text[i] == '-') basic = i;
    }
    if (basic == 0 && n && text[0] == '-') return false; /* a hyphen behind nothing */
    punycode_begin(p, text, basic);
    for (size_t i = basic ? basic + 1 : 0; i < n; i++) {
        bool between = punycode_is_between(p);
        if (!punycode_read(p, text[i])) return false;
        if (!between && punycode_is_between(p) && !idna_is_allowed(p->code)) return false;
    }
    return true;
}

static bool is_whole(const struct domain *d, uint8_t *flags, size_t *octets) {
    if (d->n == 0 || d->label[0] == '-' || d->label[d->n - 1] == '-') return false;
    *octets = d->n;
    if (is_a_label(d)) {
        struct punycode p;
        return d->n <= room(d) && decode(d, &p) && punycode_is_between(&p) && !p.first &&
               is_u_label(d, p.label, p.n, flags);
    }
    if (!is_ascii(d)) {
        *octets = u_label_octets(d);
        return *octets != SIZE_MAX && is_u_label(d, d->label, d->n, flags);
    }
    return d->n <= room(d) && suits_domain(d->label, d->n, flags);
}

/* ---- ways to an end -------------------------------------------------------------------------- */

static uint64_t way_of_ascii(const struct domain *d, uint32_t *next) {
    struct domain longer = *d;
    uint8_t flags = d->flags;
    size_t octets;
    longer.label[longer.n++] = 'a';
    *next = 'a';
    return d->n < MAX_LABEL && is_whole(&longer, &flags, &octets) ? 1 : NO_WAY;
}

/* Letters of both directions, one that joins to what is before it in each direction, one behind a
 * middle dot, one of each script that a rule of context asks for. */
static const uint32_t fillers[] = {'a', 'l', 0x3B2, 0x4E00, 0x5D0, 0x628, 0x1820};
enum { N_FILLERS = sizeof fillers / sizeof *fillers };

/* What ways are made of: these, and octets of A-labels. */
static const struct code_range ways[] = {{'-', '-'},       {'0', '9'},      {'a', 'z'},
                                         {0x3B2, 0x3B2},   {0x5D0, 0x5D0},  {0x628, 0x628},
                                         {0x1820, 0x1820}, {0x4E00, 0x4E00}};
enum { N_ASCII_WAYS = 3, N_WAYS = sizeof ways / sizeof *ways };

static uint64_t way_of_u_label(const struct domain *d, uint32_t *next) {
    struct domain longer;
    if (u_label_octets(d) == SIZE_MAX || !idna_is_label(d->label, d->n, rules(d))) return NO_WAY;
    for (size_t length = 1; length <= 2; length++) {
        size_t n_ways = length == 1 ? N_FILLERS : N_FILLERS * N_FILLERS;
        for (size_t i = 0; i < n_ways; i++) {
            uint8_t flags = d->flags;
            size_t octets;
            longer = *d;
            if (!put(&longer, fillers[i % N_FILLERS])) return NO_WAY;
            if (length == 2 && !put(&longer, fillers[i / N_FILLERS])) return NO_WAY;
            if (!is_whole(&longer, &flags, &octets)) continue;
            *next = longer.label[d->n];
            return length;
        }
    }
    return NO_WAY;
}

/* The first `n` octets so far as the ASCII characters of a label, then `more` letters, and beside
 * them one beyond ASCII: in front, or at the end. */
static uint64_t way_with_letter(const struct domain *d, size_t n, size_t more, bool front,
                                uint32_t *next) {
    uint32_t label[2 * MAX_LABEL];
    unsigned char text[MAX_LABEL];
    size_t have = d->n - PREFIX, left = room(d), length = n + more + 1;
    uint8_t flags = d->flags;
    if (left < PREFIX || length == 1 || length > MAX_LABEL) return NO_WAY;
    memcpy(label + front, d->label + PREFIX, n * sizeof *label);
    for (size_t i = 0; i < more; i++) label[front + n + i] = 'a';
    label[front ? 0 : length - 1] = SHARP_S;
    if (!idna_is_label(label, length, IDNA_WHOLE | IDNA_COMPOSED) ||
        !suits_domain(label, length, &flags))
        return NO_WAY;
    size_t octets = punycode_encode(label, length, text, left - PREFIX);
    if (octets == SIZE_MAX || octets <= have) return NO_WAY;
    for (size_t i = 0; i < have; i++)
        if (text[i] != d->label[PREFIX + i]) return NO_WAY;
    *next = text[have];
    return octets - have;
}

/* All octets so far, or those before the last hyphen. */
static uint64_t way_of_longer_a_label(const struct domain *d, uint32_t *next) {
    size_t have = d->n - PREFIX, basic = have;
    while (basic && d->label[PREFIX + basic - 1] != '-') basic--;
    for (size_t way = 0; way < 8; way++) {
        bool known = way < 2; /* on such a way already: to its end */
        if (known && basic < 2) continue;
        uint64_t length = known ? way_with_letter(d, basic - 1, 0, way % 2, next)
                                : way_with_letter(d, have, way / 2 - 1, way % 2, next);
        if (length != NO_WAY) return length;
    }
    return NO_WAY;
}

static bool is_label_with(const struct domain *d, const struct punycode *p, uint32_t code,
                          uint32_t at) {
    uint32_t label[MAX_LABEL];
    uint8_t flags = d->flags;
    memcpy(label, p->label, at * sizeof *label);
    label[at] = code;
    memcpy(label + at + 1, p->label + at, (p->n - at) * sizeof *label);
    return idna_is_label(label, p->n + 1, IDNA_WHOLE | IDNA_COMPOSED) &&
           suits_domain(label, p->n + 1, &flags);
}

/* One insertion more, with the digits that were read as the beginning of its number. */
static uint64_t way_of_insertion(const struct domain *d, const struct punycode *p, uint32_t *next) {
    size_t left = room(d) > d->n ? room(d) - d->n : 0;
    uint64_t rest = 0;
    for (unsigned tries = 0; tries < MAX_TRIES; tries++) {
        uint32_t code, at;
        unsigned char digit;
        uint64_t index = p->index + rest * p->weight;
        if (!punycode_place(p, index, &code, &at)) return NO_WAY;
        uint32_t allowed = idna_next_allowed(code);
        if (!allowed) return NO_WAY;
        if (allowed > code) { /* jump to it */
            uint64_t target = (uint64_t)(allowed - p->code) * (p->n + 1);
            rest = (target - p->index + p->weight - 1) / p->weight;
            continue;
        }
        uint64_t digits = punycode_digits(p, rest, &digit);
        if (digits > left) return NO_WAY;
        if (is_label_with(d, p, code, at)) {
            *next = digit;
            return digits;
        }
        rest++;
    }
    return NO_WAY;
}

static uint64_t way_of_a_label(const struct domain *d, uint32_t *next) {
    struct punycode p;
    uint64_t longer = way_of_longer_a_label(d, next);
    if (longer != NO_WAY) return longer;
    return decode(d, &p) ? way_of_insertion(d, &p, next) : NO_WAY;
}

static uint64_t way(const struct domain *d, uint32_t *next) {
    uint8_t flags = d->flags;
    size_t octets;
    if (is_whole(d, &flags, &octets)) return 0;
    if (is_a_label(d)) return way_of_a_label(d, next);
    return is_ascii(d) ? way_of_ascii(d, next) : way_of_u_label(d, next);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool is_separator(uint32_t c) {
    return c == '.' || c == 0x3002 || c == 0xFF0E || c == 0xFF61; /* RFC 3490, section 3.1 */
}

static bool is_lower(uint32_t c) {
    return c >= 'a' && c <= 'z';
}

/* All that later characters may ask of one in ASCII: its kind; behind a digit or letter at the
 * beginning, or one from right to left, no more than that something is there. Letters that a mark
 * may compose with, or that a middle dot asks for, are kept while they are last. */
static uint32_t reduced(const struct domain *d, uint32_t c) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    if (is_a_label(d) || c == '-' || c >= 0x80) return c;
    if (prefix_length(d) == d->n && c == (d->n == 0 ? 'x' : d->n == 1 ? 'n' : 0)) return c;
    if (is_lower(c)) return d->flags & INTERNATIONAL && !(d->flags & PLAIN) ? c : SOME_LETTER;
    bool right = d->n && d->label[0] >= 0x80 && idna_is_right_to_left(d->label, 1);
    return d->n == 0 || right ? '0' : SOME_LETTER;
}

/* Before c is appended: characters that no longer matter are made alike. */
static void reduce_label(struct domain *d, uint32_t c) {
    bool right = d->n && d->label[0] >= 0x80 && idna_is_right_to_left(d->label, 1);
    size_t prefix = prefix_length(d);
    if (is_a_label(d) || right || d->n == 0) return;
    if (prefix == d->n && c == (d->n == 1 ? 'n' : '-')) return; /* on the way to an A-label */
    if (prefix == d->n)
        for (size_t i = 0; i + 1 < d->n; i++) d->label[i] = SOME_LETTER;
    if (d->n == PREFIX && d->label[2] == '-' && d->label[3] == '-') d->flags |= PLAIN;
    uint32_t last = d->label[d->n - 1];
    bool behind_dot = d->n > 1 && d->label[d->n - 2] == MIDDLE_DOT;
    if (is_lower(last) && !behind_dot && (c < 0x80 || d->flags & PLAIN))
        d->label[d->n - 1] = SOME_LETTER;
    if (last == '-' && d->n != 3 && !(d->n == 4 && d->label[2] == '-'))
        d->label[d->n - 1] = SOME_LETTER;
    for (size_t i = 2; i < PREFIX && d->n == PREFIX; i++)
        if (d->label[i] == '-') d->label[i] = SOME_LETTER;
}

static bool end_label(struct domain *d) {
    size_t octets;
    if (!is_whole(d, &d->flags, &octets) || d->octets + octets + 2 > MAX_OCTETS) return false;
    d->octets = (uint8_t)(d->octets + octets + 1);
    d->flags &= (uint8_t)~PLAIN;
    d->n = d->n_blocks = 0;
    return true;
}

static bool append(struct domain *d, uint32_t c) {
    bool capital = c >= 'A' && c <= 'Z';
    if (c >= 0x80 && (d->flags & PLAIN || is_a_label(d))) return false;
    if (d->n >= MAX_LABEL) return false;
    c = reduced(d, c);
    if (capital) {
        if (!is_ascii(d)) return false;
        d->flags |= PLAIN;
    }
    reduce_label(d, c);
    if ((c >= 0x80 && d->flags & PLAIN) || !put(d, c)) return false;
    if (is_a_label(d)) d->flags &= (uint8_t)~PLAIN;
    return true;
}

static size_t step(const unsigned char *state, size_t size, uint32_t c, unsigned char *next) {
    struct domain d;
    uint32_t unused;
    load(&d, state, size);
    bool separates = is_separator(c);
    if (!(separates ? end_label(&d) : append(&d, c)) || way(&d, &unused) == NO_WAY) return 0;
    return save(&d, next);
}

static uint64_t distance(const unsigned char *state, size_t size, uint32_t *next) {
    struct domain d;
    load(&d, state, size);
    return way(&d, next);
}

/* A whole label may be followed by others, in ASCII: by strings of all lengths but 1, and that is tried.
 * What is not whole goes its way first. */
static uint64_t longest(const unsigned char *state, size_t size) {
    struct domain d;
    uint32_t next = 0;
    uint64_t steps = 0, rest;
    load(&d, state, size);
    if (is_a_label(&d) || d.n == MAX_LABEL) return 0;
    for (; (rest = way(&d, &next)) != 0; steps++)
        if (rest == NO_WAY || !append(&d, next)) return 0;
    if (!is_ascii(&d) && way_of_u_label(&d, &next) != 1) return 0;
    size_t octets = d.octets + (is_ascii(&d) ? d.n : u_label_octets(&d));
    return octets < MAX_OCTETS ? steps + MAX_OCTETS - octets : 0;
}

static uint32_t symbol(const unsigned char *state, size_t size, uint32_t c) {
    struct domain d;
    load(&d, state, size);
    if (is_separator(c)) return 1;
    bool capital = c >= 'A' && c <= 'Z' && !is_a_label(&d);
    return reduced(&d, c) + (capital ? 0x100 : 0);
}

static const struct code_range separators[] = {
    {0x3002, 0x3002}, {0xFF0E, 0xFF0E}, {0xFF61, 0xFF61}};
enum { N_SEPARATORS = sizeof separators / sizeof *separators };

static bool is_particular(const unsigned char *state, size_t size, uint32_t first, uint32_t last) {
    struct domain d;
    if (!(state[0] & INTERNATIONAL)) return false;
    for (size_t i = 0; i < N_SEPARATORS; i++)
        if (first <= separators[i].first && separators[i].first <= last) return true;
    load(&d, state, size);
    if (d.flags & PLAIN || is_a_label(&d)) return false; /* all are dead */
    uint32_t allowed = idna_next_allowed(first);
    return allowed && allowed <= last;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static const struct code_range ascii[] = {{'-', '.'}, {'0', '9'}, {'A', 'Z'}, {'a', 'z'}};
enum { N_ASCII = sizeof ascii / sizeof *ascii };

/* All code points that labels may hold, and `n` separators. */
static bool wide_alphabet(struct arena *arena, struct regex_machine *m, size_t n) {
    size_t size = N_ASCII + n, at = N_ASCII;
    uint32_t c;
    for (c = 0x80; (c = idna_next_allowed(c)) != 0; c = idna_last_allowed(c) + 1) size++;
    struct code_range *r = arena_push_array(arena, size, sizeof *r);
    if (!r) return false;
    memcpy(r, ascii, sizeof ascii);
    for (c = 0x80; (c = idna_next_allowed(c)) != 0; c = r[at++].last + 1)
        r[at] = (struct code_range){c, idna_last_allowed(c)};
    memcpy(r + at, separators, n * sizeof *r);
    m->alphabet = r;
    m->n_alphabet = size;
    return true;
}

static const struct regex_machine ordinary = {.name = "hostname",
                                              .alphabet = ascii,
                                              .n_alphabet = N_ASCII,
                                              .ways = ways,
                                              .n_ways = N_ASCII_WAYS,
                                              .max_length = MAX_OCTETS,
                                              .is_wide = true,
                                              .step = step,
                                              .distance = distance,
                                              .longest = longest,
                                              .symbol = symbol};

static term_id make(struct regex_store *s, const struct regex_machine *m, uint8_t flags) {
    struct domain start = {.flags = flags};
    unsigned char state[REGEX_MACHINE_STATE];
    return regex_machine_term(s, m, state, save(&start, state));
}

static term_id make_wide(struct regex_store *s, const char *name, uint8_t flags, size_t n) {
    struct regex_machine *m = arena_push_copy(regex_arena(s), &ordinary, sizeof ordinary);
    if (!m || !wide_alphabet(regex_arena(s), m, n)) return TERM_NONE;
    m->name = name;
    m->n_ways = N_WAYS;
    m->is_particular = is_particular;
    return make(s, m, flags);
}

term_id format_hostname(struct regex_store *s, bool international) {
    return international ? make_wide(s, "idn-hostname", INTERNATIONAL, N_SEPARATORS)
                         : make(s, &ordinary, 0);
}

term_id format_mail_domain(struct regex_store *s) {
    return make_wide(s, "mail domain", INTERNATIONAL | MAIL, 0);
}
