/* SPDX-License-Identifier: MIT
 *
 * What may come next inside a string or a name of a JSON text: characters (next_text.h), escapes,
 * the closing quote.
 */
#include <string.h>

#include "automaton/json_next.h"
#include "automaton/next_text.h"

size_t next_spell(const char *text, size_t length, char *out) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char bytes[6];
        size_t m = string_spell((unsigned char)text[i], bytes);
        memcpy(out + n, bytes, m);
        n += m;
    }
    return n;
}

static size_t write_rest(const unsigned char *rest, size_t length, char *out) {
    size_t n = next_spell((const char *)rest, length, out);
    out[n] = '"';
    return n + 1;
}

static uint32_t step_raw(void *ctx, uint32_t state, unsigned char byte) {
    struct json_machine *m = ctx;
    bool limited = false;
    if (byte == '"' || byte == '\\') return STRING_DEAD;
    return string_step(m->strings, state, byte, &limited);
}

static void add_escape(struct lister *l, string_state at, bool in_key) {
    struct string_reader *strings = json_of(l)->strings;
    uint32_t letters[8] = {0};
    bool limited = false;
    string_state next = string_step(strings, at, '\\', &limited);
    struct next_item item = next_begin(l, NEXT_ESCAPE);
    item.in_key = in_key;
    if (next == STRING_DEAD) return;
    for (const char *p = "\"\\/bfnrtu"; *p; p++)
        if (string_step(strings, next, (unsigned char)*p, &limited) != STRING_DEAD)
            BYTES_ADD(letters, (unsigned char)*p);
    text_add(&l->what, "an escape: \\ and one of ");
    text_add_bytes(&l->what, letters);
    next_add_each(&item, "\\");
    next_possible(l, &item);
}

static void add_inside(struct lister *l, enum string_where where, bool in_key) {
    struct next_item item = next_begin(l, NEXT_ESCAPE);
    item.in_key = in_key;
    memcpy(item.shown.first, l->live, sizeof l->live);
    text_add(&l->what,
             where == STRING_INSIDE ? "the rest of a character: " : "the rest of an escape: ");
    text_add_bytes(&l->what, l->live);
    next_possible(l, &item);
}

void next_in_string(struct lister *l, string_state at, bool in_key) {
    struct json_machine *m = json_of(l);
    bool limited = false;
    partial_id partial;
    uint64_t least;
    if (at == STRING_DEAD) return;
    enum string_where where = string_where(m->strings, at);
    if (where != STRING_BETWEEN) {
        add_inside(l, where, in_key);
        return;
    }
    struct text_place p = {.step = step_raw, .ctx = m, .state = at, .regex = m->regex};
    p.what = in_key ? "name" : "string";
    p.in_key = in_key;
    p.open = string_begin(m->strings, &(term_id){TERM_ANY}, 1, &limited);
    p.residual = string_residual(m->strings, at, &p.k, &partial);
    if (!in_key) p.has_rests = next_rests(l, &p, write_rest);
    next_in_text(l, &p, &least);
    add_escape(l, at, in_key);
    struct next_item item = next_begin(l, NEXT_QUOTE);
    item.in_key = in_key;
    next_add_each(&item, "\"");
    text_add(&l->what, "the end of the %s", p.what);
    if (least != UINT64_MAX && least > 0)
        text_add(&l->why, "at least %llu more character%s", (unsigned long long)least,
                 least > 1 ? "s" : "");
    next_add(l, &item);
}
