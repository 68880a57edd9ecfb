/* SPDX-License-Identifier: MIT
 *
 * RFC 3339, section 5.6: full-time, "hh:mm:ss", a fraction, then "Z" or an offset. A second 60 is a
 * leap second, and these come at 23:59 UTC (section 5.7, appendix D). Local time is UTC plus the
 * offset, so hour and minute leave one offset of each sign:
 *
 *     hh:mm = 23:59 + offset    "+": offset = hh:mm + 1 minute    "-": offset = 23:59 - hh:mm
 *
 * As an automaton that would have a state for each of the 1,440 minutes, with their tails; a
 * machine makes those that are met. The bound of an offset is that of a time: 23:59.
 */
#include <string.h>

#include "schema/formats_internal.h"

enum phase {
    HOUR_TENS,
    HOUR,
    HOUR_END,
    MINUTE_TENS,
    MINUTE,
    MINUTE_END,
    SECOND_TENS,
    SECOND,
    SECOND_END, /* a fraction or a zone */
    FRACTION,   /* its first digit */
    FRACTION_END,
    OFFSET_HOUR_TENS,
    OFFSET_HOUR,
    OFFSET_HOUR_END,
    OFFSET_MINUTE_TENS,
    OFFSET_MINUTE,
    END
};

/* A state. `hour` and `minute`: of the time; behind the sign those that a leap second demands. */
struct clock {
    uint8_t phase;
    uint8_t tens; /* of the number being read */
    uint8_t hour, minute;
    uint8_t leap;
};

static bool is_midnight(const struct clock *t) {
    return t->hour == 23 && t->minute == 59;
}

static void begin_offset(struct clock *t, bool east) {
    t->phase = OFFSET_HOUR_TENS;
    if (!t->leap) return;
    unsigned minutes = t->hour * 60u + t->minute;
    minutes = east ? (minutes + 1) % 1440 : 1439 - minutes;
    t->hour = (uint8_t)(minutes / 60);
    t->minute = (uint8_t)(minutes % 60);
}

static bool begin_zone(struct clock *t, uint32_t c) {
    if (c == 'Z' || c == 'z') {
        if (t->leap && !is_midnight(t)) return false;
        *t = (struct clock){.phase = END};
        return true;
    }
    if (c != '+' && c != '-') return false;
    begin_offset(t, c == '+');
    return true;
}

/* The digit `d` of a number below `limit`, a multiple of ten or 24, of which *value is what a leap
 * second demands (NULL: anything). */
static bool digit_fits(const struct clock *t, bool first, unsigned d, unsigned limit,
                       const uint8_t *value) {
    if (value) return d == (first ? *value / 10u : *value % 10u);
    return first ? d * 10 < limit : t->tens * 10u + d < limit;
}

static bool read_digit(struct clock *t, unsigned d) {
    bool behind = t->phase > FRACTION_END;
    const uint8_t *hour = behind && t->leap ? &t->hour : NULL;
    const uint8_t *minute = behind && t->leap ? &t->minute : NULL;
    switch ((enum phase)t->phase) {
    case HOUR_TENS:
    case OFFSET_HOUR_TENS:
    case MINUTE_TENS:
    case OFFSET_MINUTE_TENS: {
        bool hours = t->phase == HOUR_TENS || t->phase == OFFSET_HOUR_TENS;
        if (!digit_fits(t, true, d, hours ? 24 : 60, hours ? hour : minute)) return false;
        /* behind the sign a second digit of minutes depends on nothing */
        if (!behind || (hours && !t->leap)) t->tens = (uint8_t)d;
        break;
    }
    case HOUR:
    case OFFSET_HOUR:
        if (!digit_fits(t, false, d, 24, hour)) return false;
        if (!behind) t->hour = (uint8_t)(t->tens * 10u + d);
        t->tens = 0;
        break;
    case MINUTE:
    case OFFSET_MINUTE:
        if (!digit_fits(t, false, d, 60, minute)) return false;
        if (!behind) t->minute = (uint8_t)(t->tens * 10u + d);
        t->tens = 0;
        break;
    case SECOND_TENS:
        if (d > 6) return false;
        t->leap = d == 6;
        if (!t->leap) t->hour = t->minute = 0;
        break;
    case SECOND:
        if (t->leap && d) return false;
        break;
    case FRACTION: break;
    case FRACTION_END: return true;
    default: return false;
    }
    t->phase++;
    if (t->phase == END) *t = (struct clock){.phase = END};
    return true;
}

static bool read_character(struct clock *t, uint32_t c) {
    if (c >= '0' && c <= '9') return read_digit(t, c - '0');
    switch ((enum phase)t->phase) {
    case HOUR_END:
    case MINUTE_END:
    case OFFSET_HOUR_END: t->phase++; return c == ':';
    case SECOND_END:
        if (c == '.') {
            t->phase = FRACTION;
            return true;
        }
        return begin_zone(t, c);
    case FRACTION_END: return begin_zone(t, c);
    default: return false;
    }
}

static size_t step(const unsigned char *state, size_t size, uint32_t c, unsigned char *next) {
    struct clock t;
    memcpy(&t, state, sizeof t);
    if (!read_character(&t, c)) return 0;
    memcpy(next, &t, sizeof t);
    return size;
}

static uint64_t distance(const unsigned char *state, size_t size, uint32_t *next) {
    struct clock t;
    (void)size;
    memcpy(&t, state, sizeof t);
    bool offset = t.leap && !is_midnight(&t);
    uint64_t zone = offset ? 6 : 1;
    *next = '0';
    switch ((enum phase)t.phase) {
    case HOUR_END:
    case MINUTE_END:
    case OFFSET_HOUR_END: *next = ':'; break;
    case SECOND_END:
    case FRACTION_END: *next = offset ? '+' : 'Z'; break;
    case OFFSET_HOUR_TENS: *next += t.hour / 10; break;
    case OFFSET_HOUR: *next += t.hour % 10; break;
    case OFFSET_MINUTE_TENS: *next += t.minute / 10; break;
    case OFFSET_MINUTE: *next += t.minute % 10; break;
    default: break;
    }
    if (t.phase > FRACTION_END) return (uint64_t)END - t.phase;
    if (t.phase == FRACTION_END) return zone;
    if (t.phase == FRACTION) return zone + 1;
    return SECOND_END - t.phase + zone;
}

static uint32_t symbol(const unsigned char *state, size_t size, uint32_t c) {
    struct clock t;
    (void)size;
    memcpy(&t, state, sizeof t);
    if (!read_character(&t, c)) return 0;
    uint32_t number = (t.hour * 60u + t.minute) * 2 + t.leap;
    return (number * 10 + t.tens) * (END + 1) + t.phase;
}

term_id format_time(struct regex_store *s) {
    static const struct code_range alphabet[] = {
        {'+', '+'}, {'-', '.'}, {'0', ':'}, {'Z', 'Z'}, {'z', 'z'}};
    static const struct regex_machine machine = {.name = "time",
                                                 .alphabet = alphabet,
                                                 .n_alphabet = sizeof alphabet / sizeof *alphabet,
                                                 .ways = alphabet,
                                                 .n_ways = sizeof alphabet / sizeof *alphabet,
                                                 .max_length = UINT64_MAX,
                                                 .step = step,
                                                 .distance = distance,
                                                 .symbol = symbol};
    struct clock start = {.phase = HOUR_TENS};
    return regex_machine_term(s, &machine, (const unsigned char *)&start, sizeof start);
}
