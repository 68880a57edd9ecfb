/* SPDX-License-Identifier: MIT
 *
 * The tree is walked by recursion: json_parse bounds its depth (JSON_NESTING_CAP).
 */
#include "cli/python_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

struct writer {
    struct cli_text *out; /* NULL: only count */
    size_t count;         /* characters of the ASCII form */
    struct forma_error *err;
};

static enum forma_status put(struct writer *w, const char *text, size_t length) {
    w->count += length;
    return w->out ? cli_text_append(w->out, text, length, w->err) : FORMA_OK;
}

/* The shortest digits that read back as the same double, laid out as Python's repr does. */
static void print_float(double x, char out[64]) {
    char digits[40];
    int precision = 0;
    do {
        snprintf(digits, sizeof digits, "%.*e", precision, x);
    } while (++precision < 17 && strtod(digits, NULL) != x);
    char *e = strchr(digits, 'e');
    int exponent = atoi(e + 1), n = 0;
    *e = 0;
    char *p = digits + (digits[0] == '-');
    out += digits[0] == '-' ? sprintf(out, "-") : 0;
    for (char *q = p; *q; q++)
        if (*q != '.') p[n++] = *q;
    if (exponent >= -4 && exponent < 0) {
        sprintf(out, "0.%.*s%.*s", -exponent - 1, "000", n, p);
    } else if (exponent >= 0 && exponent < 16) {
        int whole = exponent + 1 < n ? exponent + 1 : n;
        sprintf(out, "%.*s%.*s.%.*s", whole, p, exponent + 1 - whole, "0000000000000000",
                n > whole ? n - whole : 1, n > whole ? p + whole : "0");
    } else {
        sprintf(out, "%.1s%s%.*se%c%02d", p, n > 1 ? "." : "", n - 1, p + 1,
                exponent < 0 ? '-' : '+', abs(exponent));
    }
}

static enum forma_status put_number(struct writer *w, const struct json_value *v) {
    char text[64];
    bool is_float = false;
    for (size_t i = 0; i < v->length; i++) is_float |= strchr(".eE", v->text[i]) != NULL;
    if (!is_float) {
        bool negative_zero = v->length == 2 && !memcmp(v->text, "-0", 2);
        return negative_zero ? put(w, "0", 1) : put(w, v->text, v->length);
    }
    char *copy = malloc(v->length + 1);
    if (!copy) return error_set(w->err, FORMA_EMEMORY, "no memory for a number");
    memcpy(copy, v->text, v->length);
    copy[v->length] = 0;
    double x = strtod(copy, NULL);
    free(copy);
    if (isinf(x))
        strcpy(text, x < 0 ? "-Infinity" : "Infinity");
    else
        print_float(x, text);
    return put(w, text, strlen(text));
}

static enum forma_status put_string(struct writer *w, const char *text, size_t length) {
    static const char plain[] = "\"\\\n\r\t\f\b", letters[] = "\"\\nrtfb";
    enum forma_status status = put(w, "\"", 1);
    size_t run = 0, i = 0;
    for (; i < length && !status; i++) {
        unsigned char c = (unsigned char)text[i];
        const char *short_form = c ? strchr(plain, c) : NULL;
        if (c >= 0x20 && !short_form) continue;
        char escape[8];
        int n = short_form ? snprintf(escape, sizeof escape, "\\%c", letters[short_form - plain])
                           : snprintf(escape, sizeof escape, "\\u%04x", c);
        status = put(w, text + run, i - run);
        if (!status) status = put(w, escape, (size_t)n);
        run = i + 1;
    }
    if (!status) status = put(w, text + run, i - run);
    if (!status) status = put(w, "\"", 1);
    /* In the ASCII form a character of more bytes is \uXXXX, or two of them. */
    for (i = 0; i < length; i++) {
        size_t n = utf8_sequence_length((unsigned char)text[i]);
        if (n > 1) w->count += (n == 4 ? 12 : 6) - n;
        if (text[i] == 0x7F) w->count += 5;
    }
    return status;
}

static enum forma_status put_value(struct writer *w, const struct json_value *v) {
    enum forma_status status = FORMA_OK;
    bool object = v->kind == JSON_OBJECT;
    switch (v->kind) {
    case JSON_NULL: return put(w, "null", 4);
    case JSON_TRUE: return put(w, "true", 4);
    case JSON_FALSE: return put(w, "false", 5);
    case JSON_NUMBER: return put_number(w, v);
    case JSON_STRING: return put_string(w, v->text, v->length);
    case JSON_ARRAY:
    case JSON_OBJECT: break;
    }
    status = put(w, object ? "{" : "[", 1);
    for (uint32_t i = 0; i < v->count && !status; i++) {
        const struct json_member *m = object ? &v->members[i] : NULL;
        if (i > 0) status = put(w, ", ", 2);
        if (m && !status) status = put_string(w, m->name, m->name_length);
        if (m && !status) status = put(w, ": ", 2);
        if (!status) status = put_value(w, m ? &m->value : &v->items[i]);
    }
    return status ? status : put(w, object ? "}" : "]", 1);
}

enum forma_status python_json_append(struct cli_text *out, const struct json_value *v,
                                     struct forma_error *err) {
    struct writer w = {.out = out, .err = err};
    return put_value(&w, v);
}

enum forma_status python_json_size(const struct json_value *v, size_t *size,
                                   struct forma_error *err) {
    struct writer w = {.err = err};
    enum forma_status status = put_value(&w, v);
    *size = w.count;
    return status;
}
