/* SPDX-License-Identifier: MIT */
#include "cli/bench_profile.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
#define X(code, text) text,
    PROFILE_KINDS(X)
#undef X
};

/* ---- kinds of places ----------------------------------------------------------------------- */

/* Marks the places inside the string that begins at `at`; returns the one behind it. */
static size_t mark_string(struct profile *p, size_t at, enum profile_kind kind) {
    for (at++; at < p->length; at++) {
        p->kinds[at] = (unsigned char)kind;
        if (p->text[at] == '"') return at + 1;
        if (p->text[at] == '\\' && at + 1 < p->length) p->kinds[++at] = (unsigned char)kind;
    }
    return at;
}

/* The same for a number or literal. A number may go on behind its last digit, a literal may not. */
static size_t mark_word(struct profile *p, size_t at) {
    static const char ends[] = ",:]} \t\r\n";
    char first = p->text[at];
    bool number = first == '-' || (first >= '0' && first <= '9');
    for (at++; at < p->length && !strchr(ends, p->text[at]); at++)
        p->kinds[at] = number ? PROFILE_NUMBER : PROFILE_LITERAL;
    if (number) p->kinds[at] = PROFILE_NUMBER;
    return at;
}

bool profile_begin(struct profile *p, const char *text, size_t length) {
    if (length + 1 > p->capacity) {
        unsigned char *grown = realloc(p->kinds, 2 * length + 1);
        if (!grown) return false;
        p->kinds = grown;
        p->capacity = 2 * length + 1;
    }
    p->text = text;
    p->length = length;
    memset(p->kinds, PROFILE_STRUCTURE, length + 1);
    p->kinds[length] = PROFILE_END;
    for (size_t i = 0; i < length;) {
        char c = text[i];
        if (c == '"') {
            size_t begin = i;
            i = mark_string(p, i, PROFILE_STRING_FREE);
            if (i < length && text[i] == ':') mark_string(p, begin, PROFILE_KEY_FREE);
        } else if (strchr("{}[],: \t\r\n", c)) {
            i++;
        } else {
            i = mark_word(p, i);
        }
    }
    return true;
}

/* The offset that the kinds of strings and keys have in common. */
static unsigned string_kind(struct forma_matcher *matcher) {
    struct string_view view;
    if (!matcher_string_view(matcher, &view)) return PROFILE_STRING_OTHER - PROFILE_STRING_FREE;
    if (view.settled) return 0;
    if (view.listed) return PROFILE_STRING_LISTED - PROFILE_STRING_FREE;
    return (view.dense ? PROFILE_STRING_BOUNDED : PROFILE_STRING_PATTERN) - PROFILE_STRING_FREE;
}

/* ---- adding up ----------------------------------------------------------------------------- */

static void keep_slow(struct profile *p, const struct profile_place *place) {
    size_t at = p->n_slowest;
    if (at == PROFILE_SLOWEST && place->us <= p->slowest[at - 1].us) return;
    if (at == PROFILE_SLOWEST) at--;
    for (; at > 0 && p->slowest[at - 1].us < place->us; at--) p->slowest[at] = p->slowest[at - 1];
    p->slowest[at] = *place;
    if (p->n_slowest < PROFILE_SLOWEST) p->n_slowest++;
}

bool profile_add(struct profile *p, struct forma_matcher *matcher, size_t at,
                 struct profile_place place) {
    unsigned kind = p->kinds[at];
    if (kind == PROFILE_STRING_FREE || kind == PROFILE_KEY_FREE) kind += string_kind(matcher);
    place.kind = (enum profile_kind)kind;
    size_t n = at < sizeof place.text - 1 ? at : sizeof place.text - 1;
    memcpy(place.text, p->text + at - n, n);
    place.text[n] = 0;
    keep_slow(p, &place);
    return samples_add(place.cold ? &p->cold[kind] : &p->hot[kind], place.us);
}

void profile_print(struct profile *p, FILE *out) {
    double total = 0;
    struct summary sums[N_PROFILE_KINDS][2];
    for (int kind = 0; kind < N_PROFILE_KINDS; kind++) {
        sums[kind][0] = samples_sum(&p->cold[kind]);
        sums[kind][1] = samples_sum(&p->hot[kind]);
        for (int i = 0; i < 2; i++) total += sums[kind][i].mean * (double)sums[kind][i].count;
    }
    fputc('\n', out);
    summary_print(out, "mask, us, made anew / kept", NULL);
    for (int kind = 0; kind < N_PROFILE_KINDS; kind++)
        for (int i = 0; i < 2; i++) {
            const struct summary *s = &sums[kind][i];
            char name[64];
            if (s->count == 0) continue;
            snprintf(name, sizeof name, "%s%s %.1f%%", kind_names[kind], i ? ", kept" : "",
                     total > 0 ? 100 * s->mean * (double)s->count / total : 0);
            summary_print(out, name, s);
        }
    fprintf(out, "\nthe slowest (left out: %zu during which the system ran something else)\n",
            p->n_interrupted);
    for (size_t i = 0; i < p->n_slowest; i++) {
        const struct profile_place *s = &p->slowest[i];
        fprintf(out, "%11.2f us  %s%s, %s, test %zu, token %zu, behind ", s->us,
                kind_names[s->kind], s->cold ? "" : ", kept", s->file, s->test, s->token);
        cli_print_quoted(out, s->text, strlen(s->text));
        fputc('\n', out);
    }
}

void profile_free(struct profile *p) {
    for (int kind = 0; kind < N_PROFILE_KINDS; kind++) {
        samples_free(&p->cold[kind]);
        samples_free(&p->hot[kind]);
    }
    free(p->kinds);
    p->kinds = NULL;
}
