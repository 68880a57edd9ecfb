/* SPDX-License-Identifier: MIT
 *
 * Blanks between the tokens of a JSON text, in four styles. `count` is all that is remembered:
 *
 *     compact   none
 *     any       space, tab, line feed, carriage return, as many as one likes: count stays 0
 *     natural   one space behind a colon; behind an opening bracket or a comma, and before a
 *               closing bracket, one space (count 1) or a line feed (count 2) and at most
 *               NATURAL_INDENT spaces or tabs (count 3...): bounded, yet what serialisers write
 *     pretty:N  what a serialiser with indent N writes, and nothing else
 */
#include "automaton/json_internal.h"

#define NATURAL_INDENT 64 /* eight levels of eight */

static bool is_after(enum place p) {
    return p == PLACE_AFTER_MEMBER || p == PLACE_AFTER_ITEM;
}

static bool is_first(enum place p) {
    return p == PLACE_FIRST_KEY || p == PLACE_FIRST_ITEM;
}

/* Places where a line may break. */
static bool breaks(enum place p) {
    return is_after(p) || is_first(p) || p == PLACE_NEXT_KEY || p == PLACE_ITEM;
}

static uint32_t natural_step(enum place p, uint32_t count, unsigned char byte) {
    if (p == PLACE_AFTER_COLON) return byte == ' ' && count == 0 ? 1 : BLANK_NONE;
    if (!breaks(p)) return BLANK_NONE;
    if (count == 0) return byte == ' ' ? 1 : byte == '\n' ? 2 : BLANK_NONE;
    if (count == 1 || count >= 2 + NATURAL_INDENT) return BLANK_NONE;
    return byte == ' ' || byte == '\t' ? count + 1 : BLANK_NONE;
}

/* Spaces behind the line feed in front of the next token. */
static uint32_t pretty_width(const struct forma_style *style, enum place p, uint32_t depth) {
    return style->pretty_indent * (is_after(p) ? depth - 1 : depth);
}

static uint32_t pretty_step(const struct forma_style *style, enum place p, uint32_t depth,
                            uint32_t count, unsigned char byte) {
    if (p == PLACE_AFTER_COLON) return byte == ' ' && count == 0 ? 1 : BLANK_NONE;
    if (!breaks(p)) return BLANK_NONE;
    if (count == 0) return byte == '\n' ? 1 : BLANK_NONE;
    return byte == ' ' && count <= pretty_width(style, p, depth) ? count + 1 : BLANK_NONE;
}

uint32_t blank_step(const struct forma_style *style, enum place p, uint32_t depth, uint32_t count,
                    unsigned char byte) {
    switch (style->blanks) {
    case FORMA_BLANKS_COMPACT: return BLANK_NONE;
    case FORMA_BLANKS_NATURAL: return natural_step(p, count, byte);
    case FORMA_BLANKS_ANY:
        return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' ? 0 : BLANK_NONE;
    case FORMA_BLANKS_PRETTY: return pretty_step(style, p, depth, count, byte);
    }
    return BLANK_NONE;
}

/* What the grammar allows at the place, blanks aside. */
static unsigned place_follow(enum place p) {
    if (is_after(p)) return FOLLOW_COMMA | FOLLOW_CLOSE;
    return is_first(p) ? FOLLOW_OPEN | FOLLOW_CLOSE : FOLLOW_OPEN;
}

static unsigned pretty_follow(const struct forma_style *style, enum place p, uint32_t depth,
                              uint32_t count) {
    if (p == PLACE_AFTER_COLON) return count == 1 ? FOLLOW_OPEN : 0;
    if (!breaks(p)) return place_follow(p);
    if (count == 0) return is_after(p) ? FOLLOW_COMMA : is_first(p) ? FOLLOW_CLOSE : 0;
    if (count != pretty_width(style, p, depth) + 1) return 0;
    return is_after(p) ? FOLLOW_CLOSE : FOLLOW_OPEN;
}

unsigned blank_follow(const struct forma_style *style, enum place p, uint32_t depth,
                      uint32_t count) {
    if (style->blanks == FORMA_BLANKS_PRETTY) return pretty_follow(style, p, depth, count);
    /* A comma follows its value at once, unless blanks are free. */
    return count && is_after(p) ? FOLLOW_CLOSE : place_follow(p);
}

unsigned blank_reach(const struct forma_style *style, enum place p, uint32_t depth,
                     uint32_t count) {
    (void)depth;
    if (style->blanks != FORMA_BLANKS_PRETTY || !breaks(p))
        return count && is_after(p) ? FOLLOW_CLOSE : place_follow(p);
    if (count == 0) return place_follow(p);
    return is_after(p) ? FOLLOW_CLOSE : FOLLOW_OPEN;
}

unsigned char blank_witness(const struct forma_style *style, enum place p, uint32_t depth,
                            uint32_t count, unsigned follow) {
    if (style->blanks != FORMA_BLANKS_PRETTY) return 0;
    if (pretty_follow(style, p, depth, count) & follow) return 0;
    return p != PLACE_AFTER_COLON && count == 0 ? '\n' : ' ';
}
