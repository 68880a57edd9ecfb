/* SPDX-License-Identifier: MIT */
#include "schema/uri.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hex.h"

struct span {
    const char *text;
    size_t length;
    bool present;
};

struct uri {
    struct span scheme, authority, path, query;
};

static bool is_alpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_scheme_char(char c) {
    return is_alpha(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

size_t uri_without_fragment(const char *uri, size_t length) {
    const char *hash = length ? memchr(uri, '#', length) : NULL;
    return hash ? (size_t)(hash - uri) : length;
}

static struct uri split(const char *text, size_t length) {
    struct uri u;
    memset(&u, 0, sizeof u);
    const char *p = text, *end = text + uri_without_fragment(text, length), *q = p;
    if (p < end && is_alpha(*p)) {
        while (q < end && is_scheme_char(*q)) q++;
        if (q < end && *q == ':') {
            u.scheme = (struct span){p, (size_t)(q - p), true};
            p = q + 1;
        }
    }
    if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
        for (q = p += 2; q < end && *q != '/' && *q != '?';) q++;
        u.authority = (struct span){p, (size_t)(q - p), true};
        p = q;
    }
    for (q = p; q < end && *q != '?';) q++;
    u.path = (struct span){p, (size_t)(q - p), true};
    if (q < end) u.query = (struct span){q + 1, (size_t)(end - q - 1), true};
    return u;
}

/* In place (section 5.2.4); returns the new length. */
static size_t remove_dot_segments(char *path, size_t length) {
    size_t in = 0, out = 0;
    while (in < length) {
        const char *p = path + in;
        size_t left = length - in;
        if (left >= 3 && memcmp(p, "../", 3) == 0) {
            in += 3;
        } else if (left >= 2 && memcmp(p, "./", 2) == 0) {
            in += 2;
        } else if (left >= 3 && memcmp(p, "/./", 3) == 0) {
            in += 2;
        } else if (left == 2 && memcmp(p, "/.", 2) == 0) {
            in += 1;
            path[in] = '/';
        } else if ((left >= 4 && memcmp(p, "/../", 4) == 0) ||
                   (left == 3 && memcmp(p, "/..", 3) == 0)) {
            in += left == 3 ? 2 : 3;
            path[in] = '/';
            while (out && path[out - 1] != '/') out--;
            if (out) out--;
        } else if ((left == 1 && *p == '.') || (left == 2 && memcmp(p, "..", 2) == 0)) {
            in = length;
        } else {
            do path[out++] = path[in++];
            while (in < length && path[in] != '/');
        }
    }
    return out;
}

struct writer {
    char *out;
    size_t length, capacity;
    bool full;
};

static void put(struct writer *w, const char *text, size_t length) {
    if (w->full || length >= w->capacity - w->length) {
        w->full = true;
        return;
    }
    if (length) memcpy(w->out + w->length, text, length);
    w->length += length;
}

size_t uri_resolve(const char *base, size_t base_length, const char *reference,
                   size_t reference_length, char *out, size_t capacity) {
    struct uri b = split(base, base_length), r = split(reference, reference_length);
    struct writer w = {out, 0, capacity, capacity == 0};
    bool own = r.scheme.present, authority = own || r.authority.present;
    struct span scheme = own ? r.scheme : b.scheme;
    struct span host = authority ? r.authority : b.authority;
    struct span query = r.query;
    bool keep = !authority && r.path.length == 0; /* the base's path */
    if (keep && !r.query.present) query = b.query;
    if (scheme.present) {
        put(&w, scheme.text, scheme.length);
        put(&w, ":", 1);
    }
    if (host.present) {
        put(&w, "//", 2);
        put(&w, host.text, host.length);
    }
    size_t path = w.length;
    if (keep) {
        put(&w, b.path.text, b.path.length);
    } else {
        if (!authority && r.path.text[0] != '/') { /* merge (section 5.2.3) */
            size_t directory = b.path.length;
            while (directory && b.path.text[directory - 1] != '/') directory--;
            if (b.authority.present && b.path.length == 0) put(&w, "/", 1);
            put(&w, b.path.text, directory);
        }
        put(&w, r.path.text, r.path.length);
        if (!w.full) w.length = path + remove_dot_segments(out + path, w.length - path);
    }
    if (query.present) {
        put(&w, "?", 1);
        put(&w, query.text, query.length);
    }
    if (w.full) return SIZE_MAX;
    out[w.length] = '\0';
    return w.length;
}

size_t uri_percent_decode(const char *text, size_t length, char *out) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '%' && length - i > 2 && hex_digit(text[i + 1]) >= 0 &&
            hex_digit(text[i + 2]) >= 0) {
            out[n++] = (char)(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
            i += 2;
        } else {
            out[n++] = text[i];
        }
    }
    return n;
}
