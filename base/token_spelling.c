/* SPDX-License-Identifier: MIT
 *
 * How tokenizer files write bytes as characters. Byte-level tokenizers write each byte as one
 * printable character: bytes that are printable in Latin-1 (33-126, 161-172, 174-255) as
 * themselves, the other 68, in order, as U+0100, U+0101, ... Sentence-piece tokenizers write a
 * space as U+2581 and spell lone bytes as tokens named <0xNN>.
 */
#include "base/token_spelling.h"

#include <string.h>

#include "base/hex.h"
#include "base/utf8.h"

static bool stands_for_itself(uint32_t c) {
    return (c >= 33 && c <= 126) || (c >= 161 && c <= 172) || (c >= 174 && c <= 255);
}

/* The byte that a character stands for, or -1. */
static int stand_in_byte(uint32_t c) {
    if (c < 256) return stands_for_itself(c) ? (int)c : -1;
    if (c >= 256 + 68) return -1;
    uint32_t nth = c - 256;
    if (nth < 33) return (int)nth;        /* 0 .. 32 */
    if (nth < 67) return (int)(nth + 94); /* 127 .. 160 */
    return 173;
}

static size_t decode_byte_level(const char *piece, size_t length, unsigned char *out) {
    size_t n = 0;
    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t used = utf8_decode((const unsigned char *)piece + i, length - i, &c);
        int byte = used ? stand_in_byte(c) : -1;
        if (byte < 0) {
            memcpy(out, piece, length);
            return length;
        }
        out[n++] = (unsigned char)byte;
        i += used;
    }
    return n;
}

bool spelling_is_byte_level(const char *piece, size_t length) {
    for (size_t i = 0, used; i < length; i += used) {
        uint32_t c;
        used = utf8_decode((const unsigned char *)piece + i, length - i, &c);
        if (!used || stand_in_byte(c) < 0) return false;
    }
    return true;
}

static size_t decode_sentence(const char *piece, size_t length, unsigned char *out) {
    size_t n = 0;
    for (size_t i = 0; i < length;) {
        if (length - i >= 3 && memcmp(piece + i, "\xE2\x96\x81", 3) == 0) {
            out[n++] = ' ';
            i += 3;
        } else {
            out[n++] = (unsigned char)piece[i++];
        }
    }
    return n;
}

size_t spelling_decode(enum spelling spelling, const char *piece, size_t length,
                       unsigned char *out) {
    if (spelling == SPELLING_BYTE_LEVEL) return decode_byte_level(piece, length, out);
    if (spelling == SPELLING_SENTENCE) return decode_sentence(piece, length, out);
    if (length) memcpy(out, piece, length);
    return length;
}

int spelling_byte_token(const char *piece, size_t length) {
    if (length != 6 || memcmp(piece, "<0x", 3) != 0 || piece[5] != '>') return -1;
    int high = hex_digit(piece[3]), low = hex_digit(piece[4]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

bool spelling_names_end(const char *piece, size_t length, bool control) {
    static const char *const names[] = {"<|endoftext|>",
                                        "<|end_of_text|>",
                                        "<|eot_id|>",
                                        "<|eom_id|>",
                                        "<|im_end|>",
                                        "<end_of_turn>",
                                        "</s>",
                                        "<eos>",
                                        "[EOS]",
                                        "<|endofturn|>",
                                        "<|return|>",
                                        "<|call|>",
                                        "<EOT>",
                                        "<|END_OF_TURN_TOKEN|>",
                                        "<\xEF\xBD\x9C"
                                        "end\xE2\x96\x81"
                                        "of\xE2\x96\x81"
                                        "sentence\xEF\xBD\x9C>",
                                        "<end_of_utterance>",
                                        "<|EOT|>"};
    if (!control && (length < 2 || piece[1] != '|')) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], piece, length) == 0) return true;
    return false;
}
