/* SPDX-License-Identifier: MIT */
#include "tokenmask/json_lexer.h"

#include <stdint.h>
#include <string.h>

/* Places as bits, so that all that a token may stand at are followed together. LITERAL + i: i letters
 * of LETTERS were read, which holds the literals one behind the other. */
enum { BETWEEN, NUMBER, STRING, ESCAPE, LITERAL };
#define BIT(place) (UINT32_C(1) << (place))
static const char letters[] = "nulltruefalse";
enum { N_LETTERS = sizeof letters - 1 };

/* Does letter i begin a literal; end one? */
static bool begins(unsigned i) {
    return i == 0 || i == 4 || i == 8;
}
static bool ends(unsigned i) {
    return i + 1 == N_LETTERS || begins(i + 1);
}

static bool is_in(unsigned char byte, const char *bytes) {
    return byte && strchr(bytes, byte);
}

/* `at`: BETWEEN or NUMBER, which is over where no number goes on. */
static uint32_t read_outside(unsigned at, unsigned char byte) {
    bool digit = byte >= '0' && byte <= '9';
    if (digit || byte == '-' || (at == NUMBER && is_in(byte, "+.eE"))) return BIT(NUMBER);
    if (is_in(byte, " \t\n\r{}[]:,")) return BIT(BETWEEN);
    if (byte == '"') return at == BETWEEN ? BIT(STRING) : 0;
    for (unsigned i = 0; i < N_LETTERS && at == BETWEEN; i++)
        if (begins(i) && (unsigned char)letters[i] == byte) return BIT(LITERAL + i + 1);
    return 0;
}

static uint32_t read_string(unsigned at, unsigned char byte) {
    if (at == ESCAPE) return is_in(byte, "\"\\/bfnrtu") ? BIT(STRING) : 0;
    if (byte < 0x20) return 0;
    return byte == '"' ? BIT(BETWEEN) : byte == '\\' ? BIT(ESCAPE) : BIT(STRING);
}

static uint32_t read_literal(unsigned i, unsigned char byte) {
    if ((unsigned char)letters[i] != byte) return 0;
    return ends(i) ? BIT(BETWEEN) : BIT(LITERAL + i + 1);
}

static uint32_t read(unsigned at, unsigned char byte) {
    if (at == BETWEEN || at == NUMBER) return read_outside(at, byte);
    return at < LITERAL ? read_string(at, byte) : read_literal(at - LITERAL, byte);
}

bool json_lexer_reads(const unsigned char *bytes, size_t n) {
    uint32_t places = BIT(BETWEEN) | BIT(NUMBER);
    for (unsigned i = 0; i < N_LETTERS; i++)
        if (!begins(i)) places |= BIT(LITERAL + i);
    for (size_t i = 0; i < n && places; i++) {
        uint32_t next = 0;
        for (uint32_t rest = places; rest; rest &= rest - 1)
            next |= read((unsigned)__builtin_ctz(rest), bytes[i]);
        places = next;
    }
    return places != 0;
}
