/* SPDX-License-Identifier: MIT */
#include "automaton/next.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

bool bytes_are_empty(const uint32_t bytes[8]) {
    uint32_t any = 0;
    for (int i = 0; i < 8; i++) any |= bytes[i];
    return any == 0;
}

void machine_live_bytes(struct machine *m, struct state s, uint32_t bytes[8]) {
    memset(bytes, 0, 8 * sizeof *bytes);
    for (unsigned b = 0; b < 256; b++)
        if (!state_is_dead(machine_step(m, s, (unsigned char)b))) BYTES_ADD(bytes, b);
}

bool machine_can(struct machine *m, struct state s, const struct next_item *item) {
    const struct forma_next *n = &item->shown;
    if (item->kind == NEXT_END) return m->ops->accepts(m, s);
    if (n->length) {
        for (size_t i = 0; i < n->length && !state_is_dead(s); i++)
            s = machine_step(m, s, (unsigned char)n->text[i]);
        return !state_is_dead(s);
    }
    for (unsigned b = 0; b < 256; b++)
        if (BYTES_HAS(n->first, b) && !state_is_dead(machine_step(m, s, (unsigned char)b)))
            return true;
    return item->kind == NEXT_NUMBER_END && m->ops->accepts(m, s);
}

void machine_list_bytes(struct machine *m, struct state s, next_visit visit, void *ctx) {
    struct next_item item = {.kind = NEXT_BYTES};
    char what[160];
    struct text t;
    text_init(&t, what, sizeof what);
    machine_live_bytes(m, s, item.shown.first);
    item.shown.possible = true;
    item.shown.what = what;
    item.shown.why = item.shown.text = "";
    if (!bytes_are_empty(item.shown.first)) {
        text_add_bytes(&t, item.shown.first);
        visit(ctx, &item);
    }
    if (!m->ops->accepts(m, s)) return;
    item = (struct next_item){.kind = NEXT_END};
    item.shown =
        (struct forma_next){.possible = true, .what = "the end of the text", .why = "", .text = ""};
    visit(ctx, &item);
}

/* ---- words --------------------------------------------------------------------------------- */

/* Nothing, or something else, would be seen of it: controls, marks that join, private use. */
static bool is_invisible(uint32_t c) {
    return c <= 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD || (c >= 0x300 && c < 0x370) ||
           (c >= 0x600 && c < 0x606) || (c >= 0x2000 && c < 0x2010) ||
           (c >= 0x2028 && c < 0x2030) || (c >= 0x205F && c < 0x2070) || c == 0x3000 ||
           (c >= 0xD800 && c < 0xF900) || (c >= 0xFE00 && c < 0xFE10) || c == 0xFEFF ||
           (c >= 0xFFF0 && c < 0x10000) || c >= 0xE0000 || (c & 0xFFFE) == 0xFFFE;
}

void text_add_code(struct text *t, uint32_t c) {
    unsigned char bytes[4];
    size_t n = utf8_encode(c, bytes);
    if (is_invisible(c) || n == 0)
        text_add(t, "U+%04X", (unsigned)c);
    else
        text_add(t, "%.*s", (int)n, (const char *)bytes);
}

static void add_byte(struct text *t, unsigned b) {
    if (b == ' ')
        text_add(t, "space");
    else if (b > 0x20 && b < 0x7F)
        text_add(t, "%c", b);
    else
        text_add(t, "0x%02X", b);
}

void text_add_bytes(struct text *t, const uint32_t bytes[8]) {
    const char *separator = "";
    for (unsigned b = 0; b < 256; b++) {
        if (!BYTES_HAS(bytes, b)) continue;
        unsigned last = b;
        while (last < 255 && BYTES_HAS(bytes, last + 1)) last++;
        if (t->length + 24 > t->capacity) {
            text_add(t, " ...");
            return;
        }
        text_add(t, "%s", separator);
        separator = " ";
        add_byte(t, b);
        if (last > b) text_add(t, last > b + 1 ? "-" : " ");
        if (last > b) add_byte(t, last);
        b = last;
    }
}

void text_add_quoted(struct text *t, const char *text, size_t length, size_t limit) {
    const unsigned char *p = (const unsigned char *)text;
    size_t cut = length;
    if (length > limit) cut = limit - utf8_incomplete_tail(p, limit);
    text_add(t, "\"");
    for (size_t i = 0; i < cut; i++) {
        if (p[i] == '"' || p[i] == '\\')
            text_add(t, "\\%c", p[i]);
        else if (p[i] < 0x20 || p[i] == 0x7F)
            text_add(t, "\\u%04x", p[i]);
        else
            text_add(t, "%c", p[i]);
    }
    text_add(t, cut < length ? "...\"" : "\"");
}
