/* SPDX-License-Identifier: MIT */
#include "tests/lib_toy_machine.h"

#include <stdio.h>
#include <string.h>

#define MAX_DEPTH 20

/* TAIL + n: n continuation bytes are missing; the LOW/HIGH ones are behind E0, ED, F0 and F4. */
enum region {
    VALUE = 1,
    VALUE_OR_CLOSE,
    NUMBER,
    STRING,
    AFTER,
    TAIL_1,
    TAIL_2,
    TAIL_3,
    TAIL_E0,
    TAIL_ED,
    TAIL_F0,
    TAIL_F4
};

static const struct state dead = {0, 0};

static struct state close_bracket(uint32_t stack, unsigned char byte) {
    if (stack == 1 || (byte == '}') != (stack & 1)) return dead;
    return (struct state){stack >> 1, AFTER};
}

static struct state after_value(uint32_t stack, unsigned char byte) {
    if (byte == ']' || byte == '}') return close_bracket(stack, byte);
    return byte == ',' && stack != 1 ? (struct state){stack, VALUE} : dead;
}

static struct state begin_value(uint32_t stack, unsigned char byte) {
    if (byte >= '0' && byte <= '9') return (struct state){stack, NUMBER};
    if (byte == '"') return (struct state){stack, STRING};
    if ((byte == '[' || byte == '{') && stack < (UINT32_C(1) << MAX_DEPTH))
        return (struct state){stack << 1 | (byte == '{'), VALUE_OR_CLOSE};
    return dead;
}

static uint32_t lead_region(unsigned char byte) {
    if (byte >= 0xC2 && byte <= 0xDF) return TAIL_1;
    if (byte == 0xE0) return TAIL_E0;
    if (byte == 0xED) return TAIL_ED;
    if (byte >= 0xE1 && byte <= 0xEF) return TAIL_2;
    if (byte == 0xF0) return TAIL_F0;
    if (byte >= 0xF1 && byte <= 0xF3) return TAIL_3;
    return byte == 0xF4 ? TAIL_F4 : 0;
}

static struct state in_string(const struct toy_machine *toy, struct state s, unsigned char byte) {
    if (byte == '"') return (struct state){s.context, AFTER};
    if (byte < 0x20 || byte == '\\') return dead;
    if (byte < 0x80 || toy->plain_bytes) return s;
    uint32_t region = lead_region(byte);
    return region ? (struct state){s.context, region} : dead;
}

static struct state in_character(struct state s, unsigned char byte) {
    unsigned lo = s.region == TAIL_E0 ? 0xA0 : s.region == TAIL_F0 ? 0x90 : 0x80;
    unsigned hi = s.region == TAIL_ED ? 0x9F : s.region == TAIL_F4 ? 0x8F : 0xBF;
    if (byte < lo || byte > hi) return dead;
    if (s.region == TAIL_1) return (struct state){s.context, STRING};
    bool three = s.region == TAIL_3 || s.region == TAIL_F0 || s.region == TAIL_F4;
    return (struct state){s.context, three ? TAIL_2 : TAIL_1};
}

static struct state toy_step(struct machine *m, struct state s, unsigned char byte) {
    struct toy_machine *toy = (struct toy_machine *)m;
    if (state_is_dead(s) || m->failed) return dead;
    if (toy->narrow_on_7 && byte == '7' && s.region != STRING) {
        m->narrowed = FORMA_LIMIT_WORK;
        return dead;
    }
    if (toy->fail_on_8 && byte == '8') {
        m->failed = true;
        return dead;
    }
    switch (s.region) {
    case VALUE_OR_CLOSE:
        if (byte == ']' || byte == '}') return close_bracket(s.context, byte);
        return begin_value(s.context, byte);
    case VALUE: return begin_value(s.context, byte);
    case NUMBER:
        if (byte >= '0' && byte <= '9') return s;
        return after_value(s.context, byte);
    case AFTER: return after_value(s.context, byte);
    case STRING: return in_string(toy, s, byte);
    default: return in_character(s, byte);
    }
}

static bool toy_accepts(struct machine *m, struct state s) {
    (void)m;
    return s.context == 1 && (s.region == NUMBER || s.region == AFTER);
}

static size_t toy_completion(struct machine *m, struct state s, unsigned char *out,
                             size_t capacity) {
    size_t n = 0;
    while (!toy_accepts(m, s)) {
        unsigned char byte = '0';
        if (s.region == NUMBER || s.region == AFTER || s.region == VALUE_OR_CLOSE)
            byte = s.context & 1 ? '}' : ']';
        else if (s.region == STRING)
            byte = '"';
        else if (s.region >= TAIL_1)
            byte = s.region == TAIL_E0 ? 0xA0 : s.region == TAIL_F0 ? 0x90 : 0x80;
        if (n == capacity) return SIZE_MAX;
        out[n++] = byte;
        s = toy_step(m, s, byte);
    }
    return n;
}

static void toy_describe(struct machine *m, struct state s, char *out, size_t capacity) {
    (void)m;
    snprintf(out, capacity, "region %u of toy", s.region);
}

static size_t toy_memory(const struct machine *m) {
    (void)m;
    return sizeof(struct toy_machine);
}

static void toy_destroy(struct machine *m) {
    pthread_mutex_destroy(&m->lock);
}

struct forma_grammar *toy_grammar(struct toy_machine *toy) {
    static const struct machine_ops ops = {.step = toy_step,
                                           .accepts = toy_accepts,
                                           .completion = toy_completion,
                                           .describe = toy_describe,
                                           .memory = toy_memory,
                                           .destroy = toy_destroy};
    toy->machine.ops = &ops;
    toy->machine.start = (struct state){1, VALUE};
    toy->machine.narrowed = 0;
    toy->machine.failed = false;
    pthread_mutex_init(&toy->machine.lock, NULL);
    return grammar_new(&toy->machine, NULL, fa_default_allocator());
}
