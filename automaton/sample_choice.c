/* SPDX-License-Identifier: MIT
 *
 * What comes next in a sample. In order: a blank that suits the mood; what the machine suggests; a
 * byte. Where letters of all sorts may come we are in *running text*, whose length is geometric:
 * now and then a byte of the known completion is taken, which leads out of it. Elsewhere (between
 * the parts of a value, in a text with few choices) the kind of byte is drawn first, by weight
 * among the kinds that some byte of may come. Bytes are tried until one fits: in most places the
 * first does.
 */
#include <string.h>

#include "automaton/sample_internal.h"

#define MAX_SUGGESTION 1024

enum kind {
    KIND_LOWER,
    KIND_UPPER,
    KIND_DIGIT,
    KIND_BLANK,
    KIND_POINT, /* . and - */
    KIND_MARK,  /* other ASCII punctuation */
    KIND_QUOTE,
    KIND_OPEN,
    KIND_CLOSE,
    KIND_NEXT, /* , and : */
    KIND_ESCAPE,
    KIND_WIDE, /* not ASCII */
    KIND_CONTROL,
    KIND_LINE_END,
    KIND_COUNT
};

/* Control characters and what is not ASCII are ranges. */
static const char *const kind_bytes[KIND_COUNT] = {
    [KIND_LOWER] = "abcdefghijklmnopqrstuvwxyz",
    [KIND_UPPER] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    [KIND_DIGIT] = "0123456789",
    [KIND_BLANK] = " \t",
    [KIND_POINT] = ".-",
    [KIND_MARK] = "!#$%&'()*+/;<=>?@^_`|~",
    [KIND_QUOTE] = "\"",
    [KIND_OPEN] = "[{",
    [KIND_CLOSE] = "]}",
    [KIND_NEXT] = ",:",
    [KIND_ESCAPE] = "\\",
    [KIND_WIDE] = NULL,
    [KIND_CONTROL] = NULL,
    [KIND_LINE_END] = "\n\r",
};

static size_t kind_size(enum kind k) {
    if (k == KIND_WIDE) return 128;
    if (k == KIND_CONTROL) return 29; /* without blanks and line ends, with DEL */
    return strlen(kind_bytes[k]);
}

static unsigned char kind_byte(enum kind k, size_t i) {
    if (k == KIND_WIDE) return (unsigned char)(128 + i);
    if (k == KIND_CONTROL) {
        size_t c = i < 9 ? i : i < 11 ? i + 2 : i + 3; /* not 9, 10, 13 */
        return (unsigned char)(c < 32 ? c : 127);
    }
    return (unsigned char)kind_bytes[k][i];
}

/* ---- moods --------------------------------------------------------------------------------- */

void sample_draw_mood(struct sample_maker *d) {
    static const unsigned fullness[] = {24, 112, 176, 232}, length[] = {3, 7, 14, 30},
                          digits[] = {1, 2, 3, 7};
    static const enum sample_characters characters[] = {SAMPLE_PLAIN, SAMPLE_PLAIN, SAMPLE_PLAIN,
                                                        SAMPLE_PLAIN, SAMPLE_MIXED, SAMPLE_WILD};
    static const enum sample_blanks blanks[] = {SAMPLE_NO_BLANKS, SAMPLE_NO_BLANKS, SAMPLE_SPACES,
                                                SAMPLE_SPACES, SAMPLE_ANY_BLANKS};
    d->mood = (struct sample_mood){
        .fullness = fullness[rng_below(&d->rng, 4)],
        .length = length[rng_below(&d->rng, 4)],
        .digits = digits[rng_below(&d->rng, 4)],
        .characters = characters[rng_below(&d->rng, 6)],
        .blanks = blanks[rng_below(&d->rng, 5)],
    };
}

/* ---- writing ------------------------------------------------------------------------------- */

static bool fits(struct sample_maker *d, unsigned char byte) {
    return !state_is_dead(machine_step(d->machine, d->state, byte));
}

static enum sample_step put(struct sample_maker *d, unsigned char byte) {
    struct state next = machine_step(d->machine, d->state, byte);
    if (state_is_dead(next)) return SAMPLE_STUCK;
    if (d->length == d->max_length) return SAMPLE_FULL;
    d->text[d->length++] = byte;
    d->state = next;
    return SAMPLE_WRITTEN;
}

/* The whole piece, or nothing of it. */
static enum sample_step put_piece(struct sample_maker *d, const unsigned char *piece, size_t n) {
    struct state before = d->state;
    size_t length = d->length;
    enum sample_step step = SAMPLE_STUCK;
    for (size_t i = 0; i < n; i++) {
        step = put(d, piece[i]);
        if (step == SAMPLE_WRITTEN) continue;
        d->state = before;
        d->length = length;
        break;
    }
    return step;
}

static bool chance(struct sample_maker *d, unsigned of_256) {
    return rng_below(&d->rng, 256) < of_256;
}

/* A byte of kind k that fits, the first from a random one on. */
static enum sample_step put_kind(struct sample_maker *d, enum kind k) {
    size_t n = kind_size(k), first = rng_below(&d->rng, (uint32_t)n);
    enum sample_step step = SAMPLE_STUCK;
    for (size_t i = 0; i < n && step == SAMPLE_STUCK; i++)
        step = put(d, kind_byte(k, (first + i) % n));
    return step;
}

/* A kind by weight, among those that fit. A weight of 0: only where nothing else does. */
static enum sample_step put_weighted(struct sample_maker *d, unsigned weights[KIND_COUNT]) {
    bool tried[KIND_COUNT] = {false};
    for (;;) {
        unsigned total = 0;
        for (int k = 0; k < KIND_COUNT; k++) total += tried[k] ? 0 : weights[k];
        if (!total) break;
        unsigned point = rng_below(&d->rng, total);
        int k = 0;
        for (; tried[k] || point >= weights[k]; k++) point -= tried[k] ? 0 : weights[k];
        enum sample_step step = put_kind(d, (enum kind)k);
        if (step != SAMPLE_STUCK) return step;
        tried[k] = true;
    }
    for (int k = 0; k < KIND_COUNT; k++) {
        if (tried[k]) continue;
        enum sample_step step = put_kind(d, (enum kind)k);
        if (step != SAMPLE_STUCK) return step;
    }
    return SAMPLE_STUCK;
}

/* ---- running text -------------------------------------------------------------------------- */

static bool is_running_text(struct sample_maker *d) {
    static const char letters[] = "eatmzX";
    unsigned n = 0;
    for (const char *p = letters; *p && n < 4; p++) n += fits(d, (unsigned char)*p);
    return n >= 4;
}

/* The next byte of the completion: what is missing here, or the way out. */
static enum sample_step put_completion_byte(struct sample_maker *d) {
    unsigned char byte = 0;
    size_t n = sample_completion(d, &byte, 1);
    if (n == 0) return SAMPLE_END;
    return put(d, byte);
}

/* Letters as frequent as in many languages, so that words look like words. */
static enum sample_step put_letter(struct sample_maker *d) {
    static const char vowels[] = "eeeeaaaaiiiooouu", others[] = "nnntttssrrrlldddccmmppggvvbbhhffk"
                                                                "wyzjxq";
    unsigned char last = d->length ? d->text[d->length - 1] : 0;
    bool after_vowel = last && strchr("aeiou", last);
    const char *from = chance(d, after_vowel ? 48 : 208) ? vowels : others;
    return put(d, (unsigned char)from[rng_below(&d->rng, (uint32_t)strlen(from))]);
}

/* The first byte of a character that is not ASCII: European letters, then the rest of the world. */
static enum sample_step put_wide(struct sample_maker *d) {
    static const unsigned char first[] = {0xC3, 0xC3, 0xC3, 0xC5, 0xCE, 0xD0, 0xD7,
                                          0xD9, 0xE0, 0xE2, 0xE3, 0xE6, 0xEA, 0xF0};
    return put(d, first[rng_below(&d->rng, sizeof first)]);
}

static enum sample_step put_running_text(struct sample_maker *d) {
    if (rng_below(&d->rng, d->mood.length) == 0) {
        enum sample_step step = put_completion_byte(d);
        if (step != SAMPLE_STUCK) return step;
    }
    bool mixed = d->mood.characters != SAMPLE_PLAIN, wild = d->mood.characters == SAMPLE_WILD;
    bool in_word = d->length && strchr("\"' ([{", d->text[d->length - 1]) == NULL;
    enum sample_step step = SAMPLE_STUCK;
    unsigned point = rng_below(&d->rng, 100);
    if (point < 70) step = put_letter(d);
    if (point >= 70 && point < 72 + (mixed ? 8u : 0)) step = put_wide(d);
    if (step != SAMPLE_STUCK) return step;
    unsigned weights[KIND_COUNT] = {
        [KIND_LOWER] = 8,
        [KIND_UPPER] = in_word ? 1 : 6,
        [KIND_DIGIT] = 2,
        [KIND_BLANK] = in_word ? 8 : 0,
        [KIND_POINT] = in_word ? 3 : 1,
        [KIND_NEXT] = in_word,
        [KIND_MARK] = wild ? 6 : mixed,
        [KIND_OPEN] = wild,
        [KIND_CLOSE] = wild,
        [KIND_ESCAPE] = wild ? 8 : mixed,
        [KIND_WIDE] = wild ? 4 : 0,
        [KIND_LINE_END] = wild && in_word,
    };
    return put_weighted(d, weights);
}

/* ---- the rest ------------------------------------------------------------------------------ */

/* Of 256: how readily there is more here. Less so deep inside, and in a text that is long already:
 * recursive forms must come to an end. */
static unsigned readiness(const struct sample_maker *d) {
    size_t half = d->max_length / 2 + 1;
    if (d->length >= half) return 0;
    unsigned ready = d->mood.fullness * (unsigned)((half - d->length) * 256 / half) / 256;
    for (unsigned i = 1; i < d->depth && i < 16; i++) ready = ready * 7 / 8;
    return ready;
}

/* Between the parts of a value a line ends only where it must: texts are to be one a line. */
static enum sample_step put_structure(struct sample_maker *d) {
    bool may_end = d->machine->ops->accepts(d->machine, d->state);
    if (may_end && !chance(d, readiness(d) / 2)) return SAMPLE_END;
    enum sample_step step = SAMPLE_STUCK;
    unsigned shallow = d->depth < 4 ? 4 - d->depth : 0;
    unsigned weights[KIND_COUNT] = {
        [KIND_LOWER] = 5,
        [KIND_UPPER] = 3,
        [KIND_DIGIT] = 3 * d->mood.digits,
        [KIND_BLANK] = d->mood.blanks == SAMPLE_ANY_BLANKS ? 2 : 0,
        [KIND_POINT] = 1,
        [KIND_MARK] = 2,
        [KIND_QUOTE] = 8,
        [KIND_OPEN] = 2 * shallow + (shallow != 0),
        [KIND_NEXT] = 6,
        [KIND_ESCAPE] = d->mood.characters == SAMPLE_PLAIN ? 0 : 1,
        [KIND_WIDE] = d->mood.characters == SAMPLE_PLAIN ? 0 : 2,
    };
    if (!chance(d, readiness(d))) step = put_kind(d, KIND_CLOSE);
    if (step == SAMPLE_STUCK) step = put_weighted(d, weights);
    if (step != SAMPLE_WRITTEN) return step == SAMPLE_STUCK && may_end ? SAMPLE_END : step;
    unsigned char byte = d->text[d->length - 1];
    if (byte == '[' || byte == '{') d->depth++;
    if ((byte == ']' || byte == '}') && d->depth) d->depth--;
    return SAMPLE_WRITTEN;
}

static enum sample_step put_suggestion(struct sample_maker *d) {
    unsigned char piece[MAX_SUGGESTION];
    if (!d->machine->ops->suggest) return SAMPLE_STUCK;
    struct sample_mood mood = d->mood;
    mood.fullness = readiness(d);
    size_t n = d->machine->ops->suggest(d->machine, d->state, &mood, &d->rng, piece, sizeof piece);
    if (!n) return SAMPLE_STUCK;
    enum sample_step step = put_piece(d, piece, n);
    if (step == SAMPLE_WRITTEN && n == 1 && (*piece == ']' || *piece == '}') && d->depth)
        d->depth--;
    return step;
}

/* A space behind a comma or colon. */
static bool suits_space(const struct sample_maker *d) {
    return d->mood.blanks == SAMPLE_SPACES && d->length &&
           strchr(",:", d->text[d->length - 1]) != NULL;
}

enum sample_step sample_choose(struct sample_maker *d) {
    enum sample_step step = suits_space(d) ? put(d, ' ') : SAMPLE_STUCK;
    if (step == SAMPLE_STUCK) step = put_suggestion(d);
    if (step == SAMPLE_STUCK && is_running_text(d)) step = put_running_text(d);
    return step == SAMPLE_STUCK ? put_structure(d) : step;
}
