/* SPDX-License-Identifier: MIT
 *
 * Which texts are regular expressions: ECMA-262, section 22.2.1, with the u flag, and what
 * schema/ecma_regex.c tolerates beyond it (docs/schemas.md). Groups nest, references need groups
 * that may come later, so this is a machine. A state is the place in the grammar, the open groups,
 * how many groups there are and how many are asked for, and the names that were given and used.
 *
 * Every state has a way to an end: what is begun is finished, open groups are closed, groups that
 * are missing are appended.
 */
#include <stddef.h>
#include <string.h>

#include "base/hex.h"
#include "base/utf8.h"
#include "schema/ecma_class.h"
#include "schema/ecma_names.h"
#include "schema/ecma_property.h"
#include "schema/formats_internal.h"

enum {
    MAX_DEPTH = 250,   /* groups, as ecma_regex.c has it */
    MAX_GROUPS = 1000, /* that a number may refer to */
    MAX_NAME = 60,     /* octets of a name */
    MAX_NAMES = 300    /* of all names together */
};

enum mode {
    BARE,     /* nothing that a quantifier could follow */
    ATOM,     /* behind an atom */
    REPEATED, /* behind a quantifier: it may be lazy */
    BRACE,    /* behind "{": what is no quantifier stands for itself */
    LEAST,
    COMMA,
    MOST,
    ESCAPE,
    ZERO,   /* behind "\0": no digit */
    NUMBER, /* a reference */
    CONTROL,
    HEX,      /* `count` digits to come */
    UNICODE,  /* behind "\u" */
    CODE,     /* behind "\u{" */
    PROPERTY, /* behind "\p" */
    PROPERTY_NAME,
    REFERENCE, /* behind "\k" */
    REFERENCE_NAME,
    GROUP, /* behind "(" */
    GROUP_KIND,
    GROUP_ANGLE, /* behind "(?<" */
    GROUP_NAME,
    CLASS_START,
    CLASS,
    CLASS_LOW, /* behind a character in a class */
    CLASS_DASH /* behind a character and "-" */
};

struct reader {
    uint8_t mode;
    uint8_t in_class; /* an escape: where it goes on, CLASS or CLASS_DASH; 0: outside of classes */
    uint8_t count;    /* digits to come, or read */
    uint8_t bare;     /* a brace behind nothing that could be repeated */
    uint32_t value;   /* of an escape, a reference, the least count */
    uint32_t low;     /* of a range in a class; the greatest count */
    uint16_t depth, groups, wanted, n_text, n_names;
    unsigned char assertion[MAX_DEPTH / 8 + 1]; /* a bit for each open group */
    unsigned char text[MAX_NAME];               /* the name being read */
    unsigned char names[MAX_NAMES];             /* each: given or used, length, octets */
};

enum { USED, GIVEN };
#define HEAD offsetof(struct reader, assertion)

static void load(struct reader *r, const unsigned char *state) {
    memcpy(r, state, HEAD);
    const unsigned char *p = state + HEAD;
    size_t bits = r->depth / 8u + 1;
    memset(r->assertion, 0, sizeof r->assertion);
    memcpy(r->assertion, p, bits);
    memcpy(r->text, p += bits, r->n_text);
    memcpy(r->names, p + r->n_text, r->n_names);
}

static size_t save(const struct reader *r, unsigned char *state) {
    unsigned char *p = state + HEAD;
    size_t bits = r->depth / 8u + 1;
    memcpy(state, r, HEAD);
    memcpy(p, r->assertion, bits);
    memcpy(p += bits, r->text, r->n_text);
    memcpy(p += r->n_text, r->names, r->n_names);
    return (size_t)(p - state) + r->n_names;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The entry of the name being read; n_names if there is none. */
static size_t find_name(const struct reader *r, const unsigned char *text, size_t n) {
    size_t i = 0;
    while (i < r->n_names && !(r->names[i + 1] == n && !memcmp(r->names + i + 2, text, n)))
        i += 2u + r->names[i + 1];
    return i;
}

static bool add_name(struct reader *r, unsigned char kind) {
    size_t i = find_name(r, r->text, r->n_text);
    if (i < r->n_names) {
        if (kind == GIVEN && r->names[i] == GIVEN) return false; /* two groups of one name */
        if (kind == GIVEN) r->names[i] = GIVEN;
    } else {
        if (i + 2 + r->n_text > MAX_NAMES) return false;
        r->names[i] = kind;
        r->names[i + 1] = (unsigned char)r->n_text;
        memcpy(r->names + i + 2, r->text, r->n_text);
        r->n_names = (uint16_t)(i + 2 + r->n_text);
    }
    r->n_text = 0;
    return true;
}

static bool is_letter(uint32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* RegExpIdentifierStart and RegExpIdentifierPart. */
static bool is_in_name(uint32_t c, bool at_start) {
    if (c >= 0x80) return ecma_is_in_name(c, at_start);
    bool digit = c >= '0' && c <= '9';
    return is_letter(c) || c == '$' || c == '_' || (digit && !at_start);
}

static bool append_text(struct reader *r, uint32_t c) {
    unsigned char bytes[4];
    size_t n = utf8_encode(c, bytes);
    if (n == 0 || r->n_text + n > MAX_NAME) return false;
    memcpy(r->text + r->n_text, bytes, n);
    r->n_text = (uint16_t)(r->n_text + n);
    return true;
}

static bool read_name(struct reader *r, uint32_t c, unsigned char kind) {
    if (c == '>') {
        if (r->n_text == 0 || !add_name(r, kind)) return false;
        r->mode = kind == GIVEN ? BARE : ATOM;
        return true;
    }
    return is_in_name(c, r->n_text == 0) && append_text(r, c);
}

/* ---- properties ------------------------------------------------------------------------------ */

/* How many octets the shortest name of a property has that goes on from the text; the first of
 * them. SIZE_MAX: none does. */
static size_t rest_of_name(const char *names, const unsigned char *text, size_t n, uint32_t *next) {
    size_t best = SIZE_MAX;
    for (const char *end; *names; names = *end ? end + 1 : end) {
        end = strchr(names, ' ');
        if (!end) end = names + strlen(names);
        size_t length = (size_t)(end - names);
        if (length < n || memcmp(names, text, n) != 0 || length - n >= best) continue;
        best = length - n;
        *next = best ? (unsigned char)names[n] : '}';
    }
    return best;
}

static size_t rest_in_table(const struct ecma_property *table, unsigned count, bool scripts,
                            const unsigned char *text, size_t n, uint32_t *next) {
    size_t best = SIZE_MAX;
    for (unsigned i = 0; i < count; i++) {
        uint32_t first = 0;
        if ((table[i].kind == ECMA_SCRIPT) != scripts || table[i].kind == ECMA_EXTENSIONS) continue;
        size_t rest = rest_of_name(table[i].names, text, n, &first);
        if (rest >= best) continue;
        best = rest;
        *next = first;
    }
    return best;
}

/* Octets up to the closing brace, which counts. */
static size_t rest_of_property(const struct reader *r, uint32_t *next) {
    static const char heads[] = "General_Category= gc= Script= sc= Script_Extensions= scx=";
    const unsigned char *equals = memchr(r->text, '=', r->n_text), *text = r->text;
    size_t n = r->n_text, rest;
    uint32_t first;
    if (equals) {
        bool scripts = r->text[0] == 'S' || r->text[0] == 's';
        text = equals + 1;
        n -= (size_t)(text - r->text);
        rest = rest_in_table(ecma_property_values, ecma_property_n_values, scripts, text, n, next);
        return rest == SIZE_MAX ? rest : rest + 1;
    }
    rest = rest_in_table(ecma_property_values, ecma_property_n_values, false, text, n, next);
    size_t binary =
        rest_in_table(ecma_property_binary, ecma_property_n_binary, false, text, n, &first);
    if (binary < rest) {
        rest = binary;
        *next = first;
    }
    if (rest == SIZE_MAX) { /* a head, then the shortest value: C, Yi */
        rest = rest_of_name(heads, text, n, next);
        return rest == SIZE_MAX ? rest : rest + (text[0] == 'S' || text[0] == 's' ? 3 : 2);
    }
    return rest + 1;
}

/* ---- escapes --------------------------------------------------------------------------------- */

/* A character has been read, in a class or not. Surrogates come in pairs that count as one: their
 * order is not looked at. */
static bool end_character(struct reader *r, uint32_t c) {
    bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    uint8_t where = r->in_class;
    r->in_class = 0;
    r->value = 0;
    r->count = 0;
    if (!where) {
        r->mode = ATOM;
        return true;
    }
    bool range = where == CLASS_DASH;
    if (range && !surrogate && c < r->low) return false;
    r->mode = range ? CLASS : CLASS_LOW;
    r->low = range || surrogate ? 0 : c;
    return true;
}

/* A set of characters, such as \d: in a class no range begins or ends with it. */
static bool end_set(struct reader *r) {
    r->mode = r->in_class ? CLASS : ATOM;
    r->in_class = 0;
    r->low = 0;
    return true;
}

/* The least digits of \u{...} that must still come, as the code point may not be below `low`; the
 * first of them. SIZE_MAX: too large already. */
static size_t rest_of_code(const struct reader *r, uint32_t *next) {
    uint64_t low = r->in_class == CLASS_DASH ? r->low : 0, unit = 1;
    size_t digits = 0;
    while (digits == 0 ? r->count == 0 || r->value < low : (r->value + UINT64_C(1)) * unit <= low) {
        digits++;
        unit *= 16;
        if (r->value * unit > UTF8_MAX_CODE_POINT) return SIZE_MAX;
    }
    uint64_t best = r->value * unit < low ? low : r->value * unit;
    if (best > UTF8_MAX_CODE_POINT) return SIZE_MAX;
    *next = digits ? (unsigned char)"0123456789ABCDEF"[best / (unit / 16) % 16] : '}';
    return digits;
}

/* Could the digits to come still make it a character that is not below `low`? */
static bool hex_may_fit(const struct reader *r) {
    uint64_t most = (r->value + UINT64_C(1)) << 4 * r->count;
    return r->in_class != CLASS_DASH || most > r->low;
}

static bool read_hex(struct reader *r, uint32_t c) {
    int digit = hex_digit((int)c);
    if (digit < 0) return false;
    r->value = r->value * 16 + (uint32_t)digit;
    if (--r->count) return hex_may_fit(r);
    return end_character(r, r->value);
}

static bool read_code(struct reader *r, uint32_t c) {
    uint32_t unused;
    if (c == '}') return r->count && end_character(r, r->value);
    int digit = hex_digit((int)c);
    if (digit < 0) return false;
    r->value = r->value * 16 + (uint32_t)digit;
    r->count = 1;
    return r->value <= UTF8_MAX_CODE_POINT && rest_of_code(r, &unused) != SIZE_MAX;
}

static bool read_escape(struct reader *r, uint32_t c) {
    static const char *const letters = "tnvfr";
    char letter = (char)c;
    uint32_t value;
    if (c == 0 || c >= 0x80) return false;
    if (letter != '.' && ecma_class_find(letter).ranges) return end_set(r);
    switch (letter) {
    case 'p':
    case 'P': r->mode = PROPERTY; return true;
    case 'x':
        r->mode = HEX;
        r->count = 2;
        return hex_may_fit(r);
    case 'u': r->mode = UNICODE; return true;
    case 'c': r->mode = CONTROL; return r->in_class != CLASS_DASH || r->low <= 26;
    case '0':
        if (r->in_class == CLASS_DASH && r->low) return false;
        r->mode = ZERO;
        return true;
    default: break;
    }
    if (!r->in_class) {
        if (c == 'b' || c == 'B') r->mode = BARE;
        if (c == 'k') r->mode = REFERENCE;
        if (c >= '1' && c <= '9') {
            r->mode = NUMBER;
            r->value = c - '0';
        }
        if (r->mode != ESCAPE) return true;
    }
    if (!strchr(letters, letter) && hex_digit(letter) >= 0 && !(c == 'b' && r->in_class))
        return false;
    return ecma_escape_read(&letter, 1, r->in_class != 0, &value) && end_character(r, value);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static bool open_group(struct reader *r, bool assertion) {
    unsigned char bit = (unsigned char)(1u << r->depth % 8u);
    if (r->depth >= MAX_DEPTH) return false;
    r->assertion[r->depth / 8] &= (unsigned char)~bit;
    if (assertion) r->assertion[r->depth / 8] |= bit;
    r->depth++;
    r->mode = BARE;
    return true;
}

static bool close_group(struct reader *r) {
    if (!r->depth) return false;
    r->depth--;
    unsigned char *byte = &r->assertion[r->depth / 8], bit = (unsigned char)(1u << r->depth % 8u);
    r->mode = *byte & bit ? BARE : ATOM;
    *byte &= (unsigned char)~bit;
    return true;
}

static void count_group(struct reader *r) {
    if (r->groups < MAX_GROUPS) r->groups++;
    if (r->wanted <= r->groups) r->wanted = 0;
}

/* Outside of classes, at the beginning of something. */
static bool read_term(struct reader *r, uint32_t c) {
    bool bare = r->mode == BARE || r->mode == REPEATED;
    bool lazy = r->mode == REPEATED && c == '?';
    switch (c) {
    case '*':
    case '+':
    case '?':
        if (bare && !lazy) return false;
        r->mode = lazy ? BARE : REPEATED;
        return true;
    case '{':
        r->bare = bare;
        r->mode = BRACE;
        return true;
    case '^':
    case '$':
    case '|': r->mode = BARE; return true;
    case '(': r->mode = GROUP; return r->depth < MAX_DEPTH;
    case ')': return close_group(r);
    case '[': r->mode = CLASS_START; return true;
    case '\\': r->mode = ESCAPE; return true;
    default: r->mode = ATOM; return true;
    }
}

/* Digits of a count; what is greater than all others stands for what does not fit. */
static uint32_t more_digits(uint32_t value, uint32_t c) {
    uint64_t v = value * UINT64_C(10) + (c - '0');
    return value == UINT32_MAX || v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

static bool read_brace(struct reader *r, uint32_t c) {
    bool digit = c >= '0' && c <= '9';
    uint8_t mode = r->mode;
    if (digit && mode != MOST && mode != COMMA) {
        r->mode = LEAST;
        r->value = more_digits(r->value, c);
        return true;
    }
    if (digit) {
        r->mode = MOST;
        r->low = more_digits(r->low, c);
        return true;
    }
    if (c == ',' && mode == LEAST) {
        r->mode = COMMA;
        return true;
    }
    bool ordered = mode != MOST || r->value <= r->low, bare = r->bare;
    r->value = r->low = r->bare = 0;
    if (c == '}' && mode != BRACE) {
        r->mode = REPEATED;
        return ordered && !bare;
    }
    r->mode = ATOM; /* it stood for itself */
    return read_term(r, c);
}

static bool read_class(struct reader *r, uint32_t c) {
    uint8_t mode = r->mode;
    if (mode == CLASS_START && c == '^') {
        r->mode = CLASS;
        return true;
    }
    if (c == ']') {
        r->mode = ATOM;
        r->low = 0;
        return true;
    }
    if (mode == CLASS_LOW && c == '-') {
        r->mode = CLASS_DASH;
        return true;
    }
    r->in_class = mode == CLASS_DASH ? CLASS_DASH : CLASS;
    if (mode != CLASS_DASH) r->low = 0;
    if (c != '\\') return end_character(r, c);
    r->mode = ESCAPE;
    return true;
}

static bool read_group(struct reader *r, uint32_t c) {
    if (r->mode == GROUP) {
        if (c == '?') {
            r->mode = GROUP_KIND;
            return true;
        }
        count_group(r);
        return open_group(r, false) && read_term(r, c);
    }
    bool assertion = c == '=' || c == '!';
    if (assertion || (r->mode == GROUP_KIND && c == ':')) return open_group(r, assertion);
    if (r->mode == GROUP_KIND) {
        r->mode = GROUP_ANGLE;
        return c == '<';
    }
    count_group(r);
    open_group(r, false);
    r->mode = GROUP_NAME;
    return c != '>' && read_name(r, c, GIVEN);
}

/* Behind "\5": more digits, or what follows. */
static bool read_number(struct reader *r, uint32_t c) {
    if (c >= '0' && c <= '9') {
        r->value = r->value * 10 + c - '0';
        return r->value <= MAX_GROUPS;
    }
    if (r->value > r->groups && r->value > r->wanted) r->wanted = (uint16_t)r->value;
    r->value = 0;
    r->mode = ATOM;
    return read_term(r, c);
}

static bool read_property(struct reader *r, uint32_t c) {
    uint32_t unused;
    if (c == '}' && rest_of_property(r, &unused) == 1) {
        r->n_text = 0;
        return end_set(r);
    }
    return c < 0x80 && append_text(r, c) && rest_of_property(r, &unused) != SIZE_MAX;
}

static bool read_character(struct reader *r, uint32_t c) {
    switch ((enum mode)r->mode) {
    case BARE:
    case ATOM:
    case REPEATED: return read_term(r, c);
    case BRACE:
    case LEAST:
    case COMMA:
    case MOST: return read_brace(r, c);
    case ESCAPE: return read_escape(r, c);
    case ZERO:
        if ((c >= '0' && c <= '9') || !end_character(r, 0)) return false;
        return r->mode == ATOM ? read_term(r, c) : read_class(r, c);
    case NUMBER: return read_number(r, c);
    case CONTROL: return is_letter(c) && end_character(r, c & 0x1F);
    case HEX: return read_hex(r, c);
    case UNICODE:
        r->mode = c == '{' ? CODE : HEX;
        r->count = c == '{' ? 0 : 4;
        return c == '{' || read_hex(r, c);
    case CODE: return read_code(r, c);
    case PROPERTY: r->mode = PROPERTY_NAME; return c == '{';
    case PROPERTY_NAME: return read_property(r, c);
    case REFERENCE: r->mode = REFERENCE_NAME; return c == '<';
    case REFERENCE_NAME: return read_name(r, c, USED);
    case GROUP:
    case GROUP_KIND:
    case GROUP_ANGLE: return read_group(r, c);
    case GROUP_NAME: return read_name(r, c, GIVEN);
    case CLASS_START:
    case CLASS:
    case CLASS_LOW:
    case CLASS_DASH: return read_class(r, c);
    }
    return false;
}

/* ---- ways to an end -------------------------------------------------------------------------- */

/* The first name that is used and not given, of those that begin with the text being read; its
 * length in *n. NULL: there is none. */
static const unsigned char *pending_name(const struct reader *r, size_t *n) {
    size_t have = r->mode == GROUP_NAME ? r->n_text : 0;
    for (size_t i = 0; i < r->n_names; i += 2u + r->names[i + 1]) {
        *n = r->names[i + 1];
        if (r->names[i] == USED && *n >= have && !memcmp(r->names + i + 2, r->text, have))
            return r->names + i + 2;
    }
    return NULL;
}

static uint32_t next_in_name(const struct reader *r, const unsigned char *name, size_t n) {
    uint32_t c = '>';
    size_t have = r->mode == GROUP_NAME ? r->n_text : 0;
    if (have < n) utf8_decode(name + have, n - have, &c);
    return c;
}

static bool is_between(const struct reader *r) {
    return r->mode <= MOST || r->mode == NUMBER || (r->mode == ZERO && !r->in_class);
}

static bool wants_group(const struct reader *r) {
    size_t unused;
    uint32_t number = r->mode == NUMBER ? r->value : 0;
    return r->wanted > r->groups || number > r->groups || pending_name(r, &unused) != NULL;
}

static bool may_end(const struct reader *r) {
    return is_between(r) && r->depth == 0 && !wants_group(r);
}

/* A character that leads nearer to an end. */
static uint32_t nearer(const struct reader *r) {
    size_t n = 0;
    uint32_t c = 0;
    const unsigned char *name = pending_name(r, &n);
    if (is_between(r)) return r->depth ? ')' : '(';
    switch ((enum mode)r->mode) {
    case ESCAPE: return 'd';
    case CONTROL: return 'z';
    case HEX: return r->in_class == CLASS_DASH ? 'F' : '0';
    case UNICODE:
    case PROPERTY: return '{';
    case CODE: rest_of_code(r, &c); return c;
    case PROPERTY_NAME: rest_of_property(r, &c); return c;
    case REFERENCE: return '<';
    case REFERENCE_NAME: return r->n_text ? '>' : 'a';
    case GROUP: return name ? '?' : ')';
    case GROUP_KIND: return name ? '<' : ':';
    case GROUP_ANGLE: return name ? next_in_name(r, name, n) : '=';
    case GROUP_NAME:
        if (name) return next_in_name(r, name, n);
        return find_name(r, r->text, r->n_text) < r->n_names ? 'a' : '>';
    default: return ']';
    }
}

#define NO_WAY UINT64_MAX

static uint64_t way(struct reader r) {
    uint64_t n = 0;
    for (; !may_end(&r); n++)
        if (!read_character(&r, nearer(&r))) return NO_WAY;
    return n;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static size_t step(const unsigned char *state, size_t size, uint32_t c, unsigned char *next) {
    struct reader r;
    (void)size;
    load(&r, state);
    return read_character(&r, c) && way(r) != NO_WAY ? save(&r, next) : 0;
}

static uint64_t distance(const unsigned char *state, size_t size, uint32_t *next) {
    struct reader r;
    (void)size;
    load(&r, state);
    *next = nearer(&r);
    return way(r);
}

/* More atoms may follow any expression. Inside of names and numbers the way is not always the
 * shortest. */
static uint64_t longest(const unsigned char *state, size_t size) {
    struct reader r;
    (void)size;
    load(&r, state);
    bool shortest = is_between(&r) || r.mode == ESCAPE || r.mode == GROUP || r.mode >= CLASS_START;
    return shortest ? UINT64_MAX : 0;
}

static uint32_t symbol(const unsigned char *state, size_t size, uint32_t c) {
    (void)size;
    bool term = state[0] == BARE || state[0] == ATOM || state[0] == REPEATED;
    return term && (c == 0 || !strchr("*+?{^$|()[\\", (int)c)) ? 0 : c + 1;
}

static bool is_particular(const unsigned char *state, size_t size, uint32_t first, uint32_t last) {
    uint8_t mode = state[0];
    (void)size;
    if (mode == REFERENCE_NAME || mode == GROUP_ANGLE || mode == GROUP_NAME)
        return ecma_some_in_name(first, last);
    return mode >= CLASS_START;
}

/* In a class the character before matters to a hyphen only. */
static size_t beyond_ascii(const unsigned char *state, size_t size, unsigned char *out) {
    struct reader r;
    load(&r, state);
    if (r.mode == CLASS_START || r.mode == CLASS_LOW) {
        r.mode = CLASS;
        r.low = 0;
        return save(&r, out);
    }
    memcpy(out, state, size);
    return size;
}

term_id format_regex(struct regex_store *s) {
    static const struct code_range all = {0, UTF8_MAX_CODE_POINT}, ways = {'!', '~'};
    static const struct regex_machine machine = {.name = "regex",
                                                 .alphabet = &all,
                                                 .n_alphabet = 1,
                                                 .ways = &ways,
                                                 .n_ways = 1,
                                                 .max_length = UINT64_MAX,
                                                 .is_wide = true,
                                                 .step = step,
                                                 .distance = distance,
                                                 .longest = longest,
                                                 .symbol = symbol,
                                                 .is_particular = is_particular,
                                                 .beyond_ascii = beyond_ascii};
    struct reader start;
    unsigned char state[REGEX_MACHINE_STATE];
    memset(&start, 0, sizeof start);
    return regex_machine_term(s, &machine, state, save(&start, state));
}
