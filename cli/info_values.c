/* SPDX-License-Identifier: MIT */
#include "cli/info_values.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cli/common.h"

#define SHOWN_BYTES    100 /* of a string in text */
#define SHOWN_ELEMENTS 6   /* of an array in text */

const char *info_number(uint64_t n, char *digits) {
    char plain[24];
    int length = snprintf(plain, sizeof plain, "%" PRIu64, n), at = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) digits[at++] = ',';
        digits[at++] = plain[i];
    }
    digits[at] = 0;
    return digits;
}

void info_print_string(FILE *out, struct gguf_string s, size_t limit) {
    size_t n = s.length < limit ? s.length : limit;
    /* Not through the middle of a character. */
    while (n < s.length && n > limit - 3 && ((unsigned char)s.data[n] & 0xc0) == 0x80) n--;
    cli_print_quoted(out, s.data, n);
    if (n < s.length) fputs("...", out);
}

/* With as few digits as read back to the same number. */
static void print_double(FILE *out, double x, bool is_float) {
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        double back = strtod(text, NULL);
        if (is_float ? (float)back == (float)x : back == x) break;
    }
    fputs(text, out);
}

/* A string as a value: in quotes, cut when it is for people. */
static void print_text(FILE *out, struct gguf_string s, bool json) {
    if (json) {
        cli_json_string(out, s.data, s.length);
        return;
    }
    putc('"', out);
    info_print_string(out, s, SHOWN_BYTES);
    putc('"', out);
}

/* A scalar of this type at `i` elements behind `v->data`. */
static void print_scalar(FILE *out, const struct gguf_value *v, enum gguf_value_type type,
                         uint64_t i, bool json) {
    switch (type) {
    case GGUF_BOOL: fputs(v->data[i] ? "true" : "false", out); return;
    case GGUF_F32:
    case GGUF_F64: {
        double x = gguf_array_f64(v, i);
        if (x - x != 0.0)
            fputs(json ? "null" : "not finite", out); /* infinite or NaN */
        else
            print_double(out, x, type == GGUF_F32);
        return;
    }
    case GGUF_U64: fprintf(out, "%" PRIu64, (uint64_t)gguf_array_i64(v, i)); return;
    default: fprintf(out, "%" PRId64, gguf_array_i64(v, i));
    }
}

static void print_array(FILE *out, const struct gguf_value *v, bool json) {
    const unsigned char *cursor = v->data;
    struct gguf_string s;
    putc('[', out);
    for (uint64_t i = 0; i < v->count; i++) {
        if (i) fputs(", ", out);
        if (!json && i == SHOWN_ELEMENTS) {
            fprintf(out, "... %" PRIu64 " in all", v->count);
            break;
        }
        if (v->element_type == GGUF_ARRAY) {
            fputs(json ? "null" : "[...]", out);
        } else if (v->element_type != GGUF_STRING) {
            print_scalar(out, v, v->element_type, i, json);
        } else if (gguf_next_string(v, &cursor, &s)) {
            print_text(out, s, json);
        }
    }
    putc(']', out);
}

static void print_value(FILE *out, const struct gguf_value *v, bool json) {
    if (v->type == GGUF_ARRAY) {
        print_array(out, v, json);
    } else if (v->type == GGUF_STRING) {
        struct gguf_string s = {(const char *)v->data + 8, (size_t)v->bytes - 8};
        print_text(out, s, json);
    } else {
        print_scalar(out, v, v->type, 0, json);
    }
}

void info_print_value(FILE *out, const struct gguf_value *v) {
    print_value(out, v, false);
}

void info_json_value(FILE *out, const struct gguf_value *v) {
    print_value(out, v, true);
}
