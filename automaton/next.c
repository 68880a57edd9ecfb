/* SPDX-License-Identifier: MIT */
#include "automaton/next.h"

#include <string.h>

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
    for (size_t i = 0; i < n->n_before && !state_is_dead(s); i++)
        s = machine_step(m, s, (unsigned char)n->before[i]);
    if (state_is_dead(s)) return false;
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
    struct lister l;
    next_open(&l, m, s, visit, ctx);
    next_close(&l);
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

/* ---- listing ------------------------------------------------------------------------------- */

void next_open(struct lister *l, struct machine *m, struct state s, next_visit visit, void *ctx) {
    memset(l, 0, sizeof *l);
    l->machine = m;
    l->s = s;
    l->visit = visit;
    l->ctx = ctx;
    machine_live_bytes(m, s, l->live);
}

struct next_item next_begin(struct lister *l, enum next_kind kind) {
    text_init(&l->what, l->what_out, sizeof l->what_out);
    text_init(&l->why, l->why_out, sizeof l->why_out);
    return (struct next_item){
        .kind = kind,
        .type = NEXT_NO_TYPE,
        .goal = NEXT_ANY_GOAL,
        .shown = {.what = l->what_out, .why = l->why_out, .before = "", .text = ""}};
}

void next_add_range(struct next_item *item, unsigned first, unsigned last) {
    for (unsigned b = first; b <= last; b++) BYTES_ADD(item->shown.first, b);
}

void next_add_each(struct next_item *item, const char *bytes) {
    for (; *bytes; bytes++) BYTES_ADD(item->shown.first, (unsigned char)*bytes);
}

void next_set_before(struct next_item *item, const char *text, size_t length) {
    item->shown.before = text;
    item->shown.n_before = length;
}

void next_set_text(struct next_item *item, const char *text, size_t length) {
    item->shown.text = text;
    item->shown.length = length;
}

/* The first byte is known where a text is. */
static void begin_with_text(struct forma_next *n) {
    if (!n->length) return;
    memset(n->first, 0, sizeof n->first);
    BYTES_ADD(n->first, (unsigned char)n->text[0]);
}

bool next_possible(struct lister *l, struct next_item *item) {
    struct forma_next *n = &item->shown;
    uint32_t live[8], first[8];
    struct state s = l->s;
    begin_with_text(n);
    memcpy(live, l->live, sizeof live);
    for (size_t i = 0; i < n->n_before; i++)
        s = machine_step(l->machine, s, (unsigned char)n->before[i]);
    if (n->n_before) machine_live_bytes(l->machine, s, live);
    for (int i = 0; i < 8; i++) first[i] = n->first[i] & live[i];
    if (bytes_are_empty(first) && item->kind != NEXT_END) return false;
    memcpy(n->first, first, sizeof first);
    if (n->n_before)
        BYTES_ADD(l->covered, (unsigned char)n->before[0]);
    else
        for (int i = 0; i < 8; i++) l->covered[i] |= first[i];
    n->possible = true;
    l->visit(l->ctx, item);
    return true;
}

void next_blocked(struct lister *l, struct next_item *item) {
    begin_with_text(&item->shown);
    if (machine_can(l->machine, l->s, item)) return;
    item->shown.possible = false;
    l->visit(l->ctx, item);
}

void next_add(struct lister *l, struct next_item *item) {
    if (!next_possible(l, item)) next_blocked(l, item);
}

void next_close(struct lister *l) {
    struct next_item item = next_begin(l, NEXT_BYTES);
    for (int i = 0; i < 8; i++) item.shown.first[i] = l->live[i] & ~l->covered[i];
    if (!bytes_are_empty(item.shown.first)) {
        text_add_bytes(&l->what, item.shown.first);
        next_possible(l, &item);
    }
    item = next_begin(l, NEXT_END);
    text_add(&l->what, "the end of the text");
    if (l->machine->ops->accepts(l->machine, l->s)) next_possible(l, &item);
}
