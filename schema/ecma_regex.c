/* SPDX-License-Identifier: MIT
 *
 * The parser: recursive descent, one level of recursion a group (limited), straight to terms.
 * A sequence is a list of pieces on a stack, joined from the right when it ends. Neighbouring
 * plain characters are one piece of text; alternatives that are only text become one trie.
 */
#include "schema/ecma_regex.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "schema/ecma_class.h"
#include "schema/ecma_property.h"
#include "schema/ecma_shape.h"

#define ECMA_MAX_NESTING 250u  /* groups: the terms' depth and ours stay small */
#define ECMA_MAX_COSTLY  1000u /* assertions that cost up to the square of their number */

/* A piece of a sequence, or an alternative: a shape, or text in the parser's buffer. */
struct piece {
    struct ecma_shape shape;
    bool is_text;
    uint32_t start, length;
};

struct name {
    const char *text;
    uint32_t length, hidden;
};

struct parser {
    struct regex_store *store;
    struct arena *arena;
    const char *text;
    size_t length, at;
    size_t depth, max_depth;
    size_t assertions; /* so far, ^ and $ included */
    size_t costly;     /* lookarounds, \b, \B, repetitions that hold an assertion */
    struct forma_error *err;
    ARENA_VEC(struct piece) pieces;
    ARENA_VEC(struct code_range) ranges;
    ARENA_VEC(unsigned char) literal;
    ARENA_VEC(struct name) names; /* of groups */
};

static bool fail(struct parser *p, size_t offset, const char *what) {
    if (p->err->status == FORMA_OK) error_at_offset(p->err, FORMA_ESCHEMA, offset, "%s", what);
    return false;
}

static bool no_memory(struct parser *p) {
    if (p->err->status == FORMA_OK)
        error_at_offset(p->err, FORMA_ELIMIT, p->at,
                        "no memory is left for the pattern; raise max_memory");
    return false;
}

/* One more of those that are costly. */
static bool spend(struct parser *p, size_t offset) {
    if (p->costly++ < ECMA_MAX_COSTLY) return true;
    error_at_offset(
        p->err, FORMA_ELIMIT, offset,
        "the pattern holds more than %u lookarounds, \\b, \\B and repetitions of groups "
        "with an assertion; split it",
        ECMA_MAX_COSTLY);
    return false;
}

static bool looking_at(const struct parser *p, const char *what) {
    size_t n = strlen(what);
    return p->length - p->at >= n && !memcmp(p->text + p->at, what, n);
}

static int peek(const struct parser *p) {
    return p->at < p->length ? (unsigned char)p->text[p->at] : -1;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static bool push_piece(struct parser *p, struct piece piece) {
    if (!ARENA_VEC_GROW(p->arena, &p->pieces)) return no_memory(p);
    p->pieces.data[p->pieces.count++] = piece;
    return true;
}

static bool push_shape(struct parser *p, struct ecma_shape shape) {
    return push_piece(p, (struct piece){shape, false, 0, 0});
}

static bool push_term(struct parser *p, term_id t) {
    return push_shape(p, ecma_term(p->store, t));
}

static bool push_character(struct parser *p, uint32_t c) {
    unsigned char bytes[4];
    size_t n = utf8_encode(c, bytes);
    if (!n) return push_term(p, TERM_NONE); /* a lone surrogate */
    struct piece piece = {.is_text = true, .start = p->literal.count, .length = (uint32_t)n};
    for (size_t i = 0; i < n; i++) {
        if (!ARENA_VEC_GROW(p->arena, &p->literal)) return no_memory(p);
        p->literal.data[p->literal.count++] = bytes[i];
    }
    return push_piece(p, piece);
}

static struct ecma_shape piece_shape(struct parser *p, const struct piece *piece) {
    if (!piece->is_text) return piece->shape;
    const unsigned char *text = p->literal.data + piece->start;
    return ecma_term(p->store, regex_literal(p->store, text, piece->length));
}

/* The last piece joins the text before it. */
static void join_text(struct parser *p, uint32_t base) {
    if (p->pieces.count < base + 2) return;
    struct piece *last = &p->pieces.data[p->pieces.count - 1], *before = last - 1;
    if (!last->is_text || !before->is_text || before->start + before->length != last->start) return;
    before->length += last->length;
    p->pieces.count--;
}

/* Pieces from `base` become one piece: text if they are. */
static void join_sequence(struct parser *p, uint32_t base) {
    uint32_t n = p->pieces.count - base;
    if (n == 1) return;
    struct ecma_shape shape = ecma_term(p->store, TERM_EMPTY_STRING);
    for (uint32_t i = p->pieces.count; i-- > base;)
        shape = ecma_cat(p->store, piece_shape(p, &p->pieces.data[i]), shape);
    p->pieces.count = base;
    push_shape(p, shape);
}

static struct ecma_shape or_shapes(struct parser *p, uint32_t base) {
    uint32_t n = p->pieces.count - base;
    struct ecma_shape *shapes = arena_push_array(p->arena, n, sizeof *shapes);
    if (!shapes) return ecma_term(p->store, TERM_NONE);
    for (uint32_t i = 0; i < n; i++) shapes[i] = p->pieces.data[base + i].shape;
    return ecma_or(p->store, shapes, n);
}

/* Alternatives from `base` become one piece. */
static bool join_alternatives(struct parser *p, uint32_t base) {
    uint32_t n = p->pieces.count - base, texts = 0, kept = base;
    if (n == 1) return true;
    const unsigned char **strings = arena_push_array(p->arena, n, sizeof *strings);
    size_t *lengths = arena_push_array(p->arena, n, sizeof *lengths);
    if (!strings || !lengths) return no_memory(p);
    for (uint32_t i = base; i < base + n; i++) {
        struct piece piece = p->pieces.data[i];
        if (piece.is_text) {
            strings[texts] = p->literal.data + piece.start;
            lengths[texts++] = piece.length;
        } else {
            p->pieces.data[kept++] = piece;
        }
    }
    p->pieces.count = kept;
    if (texts && !push_term(p, regex_literal_set(p->store, strings, lengths, texts))) return false;
    struct ecma_shape shape = or_shapes(p, base);
    p->pieces.count = base;
    return push_shape(p, shape);
}

/* ---- classes --------------------------------------------------------------------------------- */

static bool push_range(struct parser *p, uint32_t first, uint32_t last) {
    if (first > last) return true;
    if (!ARENA_VEC_GROW(p->arena, &p->ranges)) return no_memory(p);
    p->ranges.data[p->ranges.count++] = (struct code_range){first, last};
    return true;
}

static bool push_class(struct parser *p, struct ecma_class c) {
    uint32_t next = 0;
    for (size_t i = 0; i < c.n; i++) {
        bool ok = c.negated ? push_range(p, next, c.ranges[i].first - 1)
                            : push_range(p, c.ranges[i].first, c.ranges[i].last);
        if (!ok) return false;
        next = c.ranges[i].last + 1;
    }
    return !c.negated || push_range(p, next, UTF8_MAX_CODE_POINT);
}

/* Ranges in ascending order, or what they leave out. */
static bool push_property(struct parser *p, const struct ecma_property *property, bool negated) {
    const char *set = property->set;
    struct code_range range;
    uint32_t next = 0, at = 0;
    while (ecma_property_next(&set, &at, &range)) {
        if (!negated && !push_range(p, range.first, range.last)) return false;
        if (negated && range.first > next && !push_range(p, next, range.first - 1)) return false;
        next = at;
    }
    return !negated || push_range(p, next, UTF8_MAX_CODE_POINT);
}

/* Behind "\\p" or "\\P". */
static bool read_property(struct parser *p, size_t start, bool negated) {
    const char *text = p->text + p->at + 1;
    const char *end = peek(p) == '{' ? memchr(text, '}', p->length - p->at - 1) : NULL;
    if (!end) return fail(p, start, "a Unicode property is written \\p{...}");
    const struct ecma_property *property = ecma_property_find(text, (size_t)(end - text));
    if (!property) {
        int length = end - text > 60 ? 60 : (int)(end - text);
        char script[80];
        int n = snprintf(script, sizeof script, "Script=%.*s", length, text);
        bool is_script = n > 0 && ecma_property_find(script, (size_t)n) != NULL;
        if (p->err->status == FORMA_OK)
            error_at_offset(p->err, FORMA_ESCHEMA, start,
                            "ECMA-262 knows no Unicode property '%.*s'%s%s%s", length, text,
                            is_script ? "; for the script write \\p{" : "", is_script ? script : "",
                            is_script ? "}" : "");
        return false;
    }
    p->at += (size_t)(end - text) + 2;
    return push_property(p, property, negated);
}

/* At a backslash: \\d \\w \\s \\p and their complements push their ranges, all else is left. */
static bool read_class_escape(struct parser *p, bool *found) {
    size_t start = p->at;
    char letter = p->at + 1 < p->length ? p->text[p->at + 1] : 0;
    *found = true;
    if (letter == 'p' || letter == 'P') {
        p->at += 2;
        return read_property(p, start, letter == 'P');
    }
    struct ecma_class c = {NULL, 0, false};
    if (letter != '.') c = ecma_class_find(letter);
    *found = c.ranges != NULL;
    if (!*found) return true;
    p->at += 2;
    return push_class(p, c);
}

/* A plain code point. */
static bool read_code_point(struct parser *p, uint32_t *value) {
    size_t n = utf8_decode((const unsigned char *)p->text + p->at, p->length - p->at, value);
    if (!n) return fail(p, p->at, "the pattern is not valid UTF-8");
    p->at += n;
    return true;
}

static bool bad_escape(struct parser *p, size_t offset) {
    int c = offset + 1 < p->length ? (unsigned char)p->text[offset + 1] : -1;
    if (c == 'k' || (c >= '1' && c <= '9')) {
        if (p->err->status == FORMA_OK)
            error_at_offset(p->err, FORMA_EUNSUPPORTED, offset,
                            "a backreference (\\%c) is not supported: the texts that match one are "
                            "no regular language; write out the alternatives",
                            c);
        return false;
    }
    if (c < 0) return fail(p, offset, "the pattern ends behind a backslash");
    if (c == 'A' || c == 'Z' || c == 'z')
        return fail(p, offset, "\\A, \\Z and \\z are not ECMA-262; write ^ and $");
    return fail(p, offset, "unknown escape sequence; ECMA-262 does not define it");
}

/* One member of a class: a character (*is_class false) or a class escape, pushed. */
static bool read_class_atom(struct parser *p, uint32_t *value, bool *is_class) {
    *is_class = false;
    if (peek(p) != '\\') return read_code_point(p, value);
    size_t start = p->at;
    if (!read_class_escape(p, is_class)) return false;
    if (*is_class) return true;
    p->at++;
    size_t n = ecma_escape_read(p->text + p->at, p->length - p->at, true, value);
    if (!n) {
        if (peek(p) == 'B') return fail(p, start, "\\B may not stand in a class");
        return bad_escape(p, start);
    }
    p->at += n;
    return true;
}

/* Behind "[". A hyphen beside a class escape is itself, as validators read it. */
static bool parse_class(struct parser *p) {
    size_t open = p->at - 1;
    bool negated = peek(p) == '^';
    p->at += negated;
    p->ranges.count = 0;
    while (peek(p) != ']') {
        uint32_t first, last;
        bool is_class, is_last_class;
        size_t start = p->at;
        if (p->at >= p->length) return fail(p, open, "a class is not closed: ] is missing");
        if (!read_class_atom(p, &first, &is_class)) return false;
        bool range =
            !is_class && peek(p) == '-' && p->at + 1 < p->length && p->text[p->at + 1] != ']';
        if (!range) {
            if (!is_class && !push_range(p, first, first)) return false;
            continue;
        }
        p->at++;
        if (!read_class_atom(p, &last, &is_last_class)) return false;
        if (is_last_class) {
            if (!push_range(p, first, first) || !push_range(p, '-', '-')) return false;
        } else {
            if (first > last) return fail(p, start, "a range of characters runs backwards");
            if (!push_range(p, first, last)) return false;
        }
    }
    p->at++;
    return push_term(p, negated ? regex_charset_except(p->store, p->ranges.data, p->ranges.count)
                                : regex_charset(p->store, p->ranges.data, p->ranges.count));
}

/* ---- atoms ----------------------------------------------------------------------------------- */

static bool parse_alternatives(struct parser *p);

static bool in_property(const char *name, uint32_t c) {
    const char *set = ecma_property_find(name, strlen(name))->set;
    struct code_range range;
    uint32_t at = 0;
    while (ecma_property_next(&set, &at, &range))
        if (c <= range.last) return c >= range.first;
    return false;
}

/* Two groups of one name may not both take part in a match (ECMA-262, 22.2.1.1): those in other
 * alternatives are hidden. */
static bool add_name(struct parser *p, size_t start) {
    struct name name = {p->text + start, (uint32_t)(p->at - start), 0};
    for (uint32_t i = 0; i < p->names.count; i++) {
        const struct name *old = &p->names.data[i];
        if (!old->hidden && old->length == name.length &&
            memcmp(old->text, name.text, name.length) == 0)
            return fail(p, start, "two groups have this name");
    }
    if (!ARENA_VEC_GROW(p->arena, &p->names)) return no_memory(p);
    p->names.data[p->names.count++] = name;
    return true;
}

/* Behind "(?<": the name and ">". Escapes in names are refused: names mean nothing here. */
static bool read_group_name(struct parser *p) {
    size_t start = p->at;
    while (peek(p) != '>') {
        size_t at = p->at;
        uint32_t c;
        if (at >= p->length) return fail(p, start, "a group name is not complete");
        if (!read_code_point(p, &c)) return false;
        bool ok = c == '$' || c == '_' || in_property(at == start ? "ID_Start" : "ID_Continue", c);
        if (c == '\\') {
            error_at_offset(p->err, FORMA_EUNSUPPORTED, at,
                            "an escape in a group name is not supported; write the character");
            return false;
        }
        if (!ok && (at == start || (c != 0x200C && c != 0x200D)))
            return fail(p, at, "this character may not stand in a group name");
    }
    if (p->at == start) return fail(p, start, "a group name is not complete");
    if (!add_name(p, start)) return false;
    p->at++;
    return true;
}

enum group { GROUP_ERROR, GROUP_PLAIN, GROUP_AHEAD, GROUP_BEHIND };

/* Behind "(": what kind of group, for an assertion whether it is negated. */
static enum group parse_group_head(struct parser *p, bool *negated) {
    size_t open = p->at - 1;
    *negated = false;
    if (peek(p) != '?') return GROUP_PLAIN;
    if (looking_at(p, "?=") || looking_at(p, "?!")) {
        *negated = p->text[p->at + 1] == '!';
        p->at += 2;
        return GROUP_AHEAD;
    }
    if (looking_at(p, "?<=") || looking_at(p, "?<!")) {
        *negated = p->text[p->at + 2] == '!';
        p->at += 3;
        return GROUP_BEHIND;
    }
    if (looking_at(p, "?:")) {
        p->at += 2;
        return GROUP_PLAIN;
    }
    if (looking_at(p, "?<")) {
        p->at += 2;
        return read_group_name(p) ? GROUP_PLAIN : GROUP_ERROR;
    }
    size_t i = p->at + 1;
    while (i < p->length && p->text[i] && strchr("ims-", p->text[i])) i++;
    if (i > p->at + 1 && i < p->length && p->text[i] == ':')
        error_at_offset(p->err, FORMA_EUNSUPPORTED, open,
                        "a group with modifiers (?i: is not supported; write the pattern without");
    else
        fail(p, open, "unknown group; ECMA-262 does not define it");
    return GROUP_ERROR;
}

/* At "(": pushes a piece. */
static bool parse_group(struct parser *p, bool *assertion) {
    size_t open = p->at++;
    bool negated;
    if (p->depth >= p->max_depth) {
        error_at_offset(p->err, FORMA_ELIMIT, open, "groups nest deeper than %zu levels; use fewer",
                        p->max_depth);
        return false;
    }
    enum group group = parse_group_head(p, &negated);
    if (group == GROUP_ERROR) return false;
    p->depth++;
    if (!parse_alternatives(p)) return false;
    p->depth--;
    if (peek(p) != ')') return fail(p, open, "a group is not closed: ) is missing");
    p->at++;
    *assertion = group != GROUP_PLAIN;
    if (!*assertion) return true;
    if (!spend(p, open)) return false;
    struct piece *last = &p->pieces.data[p->pieces.count - 1];
    struct ecma_shape shape = piece_shape(p, last);
    shape = group == GROUP_AHEAD ? ecma_ahead(p->store, shape, negated)
                                 : ecma_behind(p->store, shape, negated);
    *last = (struct piece){shape, false, 0, 0};
    return true;
}

static bool push_boundary(struct parser *p, bool negated) {
    struct ecma_class word = ecma_class_find('w');
    if (!spend(p, p->at++ - 1)) return false;
    return push_shape(
        p, ecma_boundary(p->store, regex_charset(p->store, word.ranges, word.n), negated));
}

static bool parse_escape(struct parser *p, bool *assertion) {
    size_t start = p->at;
    uint32_t value;
    bool is_class;
    p->ranges.count = 0;
    if (!read_class_escape(p, &is_class)) return false;
    if (is_class) return push_term(p, regex_charset(p->store, p->ranges.data, p->ranges.count));
    p->at++;
    *assertion = peek(p) == 'b' || peek(p) == 'B';
    if (*assertion) return push_boundary(p, peek(p) == 'B');
    size_t n = ecma_escape_read(p->text + p->at, p->length - p->at, false, &value);
    if (!n) return bad_escape(p, start);
    p->at += n;
    return push_character(p, value);
}

/* ---- quantifiers ----------------------------------------------------------------------------- */

enum quantifier { QUANTIFIER_NONE, QUANTIFIER_OK, QUANTIFIER_TOO_LARGE };

static bool read_number(const struct parser *p, size_t *at, uint32_t *value, bool *large) {
    size_t start = *at;
    uint64_t v = 0;
    for (; *at < p->length && p->text[*at] >= '0' && p->text[*at] <= '9'; ++*at) {
        v = v * 10 + (uint64_t)(p->text[*at] - '0');
        if (v >= REGEX_UNBOUNDED) {
            *large = true;
            v = REGEX_UNBOUNDED;
        }
    }
    *value = (uint32_t)v;
    return *at > start;
}

/* At the place; a brace that is no quantifier stands for itself. */
static enum quantifier read_quantifier(const struct parser *p, size_t *end, uint32_t *min,
                                       uint32_t *max) {
    int c = peek(p);
    *end = p->at + 1;
    *min = c == '+';
    *max = c == '?' ? 1 : REGEX_UNBOUNDED;
    if (c == '*' || c == '+' || c == '?') return QUANTIFIER_OK;
    bool large = false;
    if (c != '{' || !read_number(p, end, min, &large)) return QUANTIFIER_NONE;
    *max = *min;
    if (*end < p->length && p->text[*end] == ',') {
        ++*end;
        if (!read_number(p, end, max, &large)) *max = REGEX_UNBOUNDED;
    }
    if (*end >= p->length || p->text[*end] != '}') return QUANTIFIER_NONE;
    ++*end;
    return large ? QUANTIFIER_TOO_LARGE : QUANTIFIER_OK;
}

/* After an atom: applies a quantifier to the last piece, which `holds` an assertion or not. */
static bool parse_quantifier(struct parser *p, bool holds) {
    size_t start = p->at, end, behind;
    uint32_t min, max, least, most;
    enum quantifier q = read_quantifier(p, &end, &min, &max);
    if (q == QUANTIFIER_NONE) return true;
    if (q == QUANTIFIER_TOO_LARGE) {
        error_at_offset(p->err, FORMA_ELIMIT, start, "a repetition count is too large");
        return false;
    }
    if (min > max) return fail(p, start, "the bounds of a repetition are out of order");
    p->at = end;
    if (peek(p) == '?') p->at++; /* laziness does not change what matches */
    if (read_quantifier(p, &behind, &least, &most) != QUANTIFIER_NONE)
        return fail(p, p->at, "nothing to repeat");
    if (holds && !spend(p, start)) return false;
    struct piece *last = &p->pieces.data[p->pieces.count - 1];
    last->shape = ecma_repeat(p->store, piece_shape(p, last), min, max);
    last->is_text = false;
    return true;
}

/* ---- sequences and alternatives -------------------------------------------------------------- */

/* Pushes a piece; an assertion takes no quantifier. */
static bool parse_atom(struct parser *p, bool *assertion) {
    int c = peek(p);
    uint32_t value;
    struct ecma_class any = ecma_class_find('.');
    *assertion = c == '^' || c == '$';
    switch (c) {
    case '^':
    case '$': p->at++; return push_shape(p, ecma_anchor(p->store, c == '^'));
    case '.': p->at++; return push_term(p, regex_charset_except(p->store, any.ranges, any.n));
    case '[': p->at++; return parse_class(p);
    case '(': return parse_group(p, assertion);
    case '\\': return parse_escape(p, assertion);
    default: return read_code_point(p, &value) && push_character(p, value);
    }
}

static bool parse_sequence(struct parser *p) {
    uint32_t base = p->pieces.count;
    while (p->at < p->length && peek(p) != '|' && peek(p) != ')') {
        size_t end;
        uint32_t min, max;
        bool assertion;
        if (read_quantifier(p, &end, &min, &max) != QUANTIFIER_NONE)
            return fail(p, p->at, "nothing to repeat");
        size_t before = p->assertions;
        if (!parse_atom(p, &assertion)) return false;
        p->assertions += assertion;
        if (assertion && read_quantifier(p, &end, &min, &max) != QUANTIFIER_NONE)
            return fail(p, p->at, "nothing to repeat: an assertion takes no quantifier");
        if (!assertion && !parse_quantifier(p, p->assertions != before)) return false;
        join_text(p, base);
        if (p->arena->failed) return no_memory(p);
    }
    join_sequence(p, base);
    return !p->arena->failed || no_memory(p);
}

static bool parse_alternatives(struct parser *p) {
    uint32_t base = p->pieces.count, names = p->names.count, hidden = names;
    if (!parse_sequence(p)) return false;
    while (peek(p) == '|') {
        for (; hidden < p->names.count; hidden++) p->names.data[hidden].hidden++;
        p->at++;
        if (!parse_sequence(p)) return false;
    }
    while (hidden > names) p->names.data[--hidden].hidden--;
    return join_alternatives(p, base);
}

term_id ecma_regex_compile(struct regex_store *s, const char *pattern, size_t length,
                           const struct ecma_options *options, struct forma_error *err) {
    struct parser p = {.store = s,
                       .arena = regex_arena(s),
                       .text = pattern,
                       .length = length,
                       .max_depth = options->max_nesting,
                       .err = err};
    error_clear(err);
    if (p.max_depth > ECMA_MAX_NESTING) p.max_depth = ECMA_MAX_NESTING;
    if (!parse_alternatives(&p)) {
        if (err->status == FORMA_OK) no_memory(&p);
        return TERM_NONE;
    }
    if (p.at < length) {
        fail(&p, p.at, "a group is not open: ( is missing");
        return TERM_NONE;
    }
    struct ecma_shape shape = piece_shape(&p, &p.pieces.data[p.pieces.count - 1]);
    term_id t = options->whole ? ecma_whole(s, shape) : ecma_search(s, shape);
    if (!p.arena->failed) return t;
    no_memory(&p);
    return TERM_NONE;
}
