/* SPDX-License-Identifier: MIT */
#include "automaton/regex_partition.h"

#include <string.h>

#include "automaton/regex_look_internal.h"
#include "automaton/regex_machine_internal.h"

/* Bytes in the order in which they should represent their class: texts made of them read well and
 * cost few bytes as JSON. Letters, digits, what else is printed; then all that is not ASCII, then
 * controls. */
static const unsigned char by_rank[256] = {
    97,  98,  99,  100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115,
    116, 117, 118, 119, 120, 121, 122, 48,  49,  50,  51,  52,  53,  54,  55,  56,  57,  65,  66,
    67,  68,  69,  70,  71,  72,  73,  74,  75,  76,  77,  78,  79,  80,  81,  82,  83,  84,  85,
    86,  87,  88,  89,  90,  32,  45,  95,  46,  44,  58,  59,  33,  63,  43,  42,  47,  61,  40,
    41,  91,  93,  123, 125, 60,  62,  64,  35,  36,  37,  38,  39,  96,  94,  124, 126, 34,  92,
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146,
    147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165,
    166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184,
    185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203,
    204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222,
    223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241,
    242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 0,   1,   2,   3,   4,
    5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,  16,  17,  18,  19,  20,  21,  22,  23,
    24,  25,  26,  27,  28,  29,  30,  31,  127,
};

/* Classes in the order of their best bytes. */
struct classes {
    uint32_t value[256];
    unsigned char best[256];
    uint32_t n;
};

static void group(const uint32_t value[256], unsigned char classes[256], struct classes *c) {
    enum { SLOTS = 512 };
    uint16_t slots[SLOTS] = {0}; /* 1 + class, by value */
    c->n = 0;
    for (unsigned i = 0; i < 256; i++) {
        unsigned char b = by_rank[i];
        uint32_t at = value[b] * UINT32_C(0x9E3779B1) >> 23;
        while (slots[at] && c->value[slots[at] - 1] != value[b]) at = (at + 1) % SLOTS;
        if (!slots[at]) {
            c->value[c->n] = value[b];
            c->best[c->n++] = b;
            slots[at] = (uint16_t)c->n;
        }
        classes[b] = (unsigned char)(slots[at] - 1);
    }
}

static struct partition *new_partition(struct regex_store *s, const unsigned char *classes,
                                       const unsigned char *best, uint32_t n) {
    struct partition *p = arena_push(s->arena, sizeof *p);
    if (!p || !classes || !best || !ARENA_VEC_GROW(s->arena, &s->partitions)) return NULL;
    *p = (struct partition){classes, best, s->partitions.count, n};
    return s->partitions.data[s->partitions.count++] = p;
}

const struct partition *partition_intern(struct regex_store *s, const uint32_t value[256]) {
    unsigned char classes[256] = {0};
    struct classes c;
    group(value, classes, &c);
    uint32_t hash = fa_hash(classes, sizeof classes);
    for (struct table_probe t = table_probe(&s->partition_table, hash);
         table_next(&s->partition_table, &t);)
        if (!memcmp(s->partitions.data[t.id]->classes, classes, sizeof classes))
            return s->partitions.data[t.id];
    struct partition *p = new_partition(s, arena_push_copy(s->arena, classes, sizeof classes),
                                        arena_push_copy(s->arena, c.best, c.n), c.n);
    return p && table_add(&s->partition_table, hash, p->id) ? p : NULL;
}

/* Of what may follow in a set of characters; kept, since string states ask for it again. */
static const struct partition *set_partition(struct regex_store *s, uint32_t set) {
    while (set >= s->set_partitions.count) {
        if (!ARENA_VEC_GROW(s->arena, &s->set_partitions)) return NULL;
        s->set_partitions.data[s->set_partitions.count++] = NULL;
    }
    const struct partition *p = s->set_partitions.data[set];
    uint32_t value[256];
    if (p) return p;
    charset_steps(&s->sets, set, value);
    if (!s->arena->failed) p = partition_intern(s, value);
    s->set_partitions.data[set] = p;
    return p;
}

/* Of one byte and the others: each literal has one, so it is no more than two pointers. */
static const struct partition *byte_partition(struct regex_store *s, unsigned char byte) {
    static const unsigned char one[511] = {[255] = 1};
    const struct partition **known = &s->byte_partitions[byte];
    unsigned char best[2] = {byte == 'a' ? 'b' : 'a', byte};
    if (!*known) *known = new_partition(s, one + 255 - byte, arena_push_copy(s->arena, best, 2), 2);
    return *known;
}

const struct partition *partition_of_place(struct regex_store *s, uint32_t set, partial_id p) {
    if (p == PARTIAL_BOUNDARY) p = set ? set : s->all;
    return set_partition(s, p);
}

/* What TERM_ANY, complements and lengths tell apart. */
static const struct partition *any_partition(struct regex_store *s) {
    if (s->any_partition) return s->any_partition;
    uint32_t value[256];
    charset_steps(&s->sets, s->all, value);
    for (unsigned b = 0x80; b < 0xC0; b++) value[b] = UINT32_MAX;
    if (!s->arena->failed) s->any_partition = partition_intern(s, value);
    return s->any_partition;
}

const struct partition *partition_meet(struct regex_store *s, const struct partition *p,
                                       const struct partition *q) {
    if (!p || !q) return NULL;
    if (p == q || q->n == 1) return p;
    if (p->n == 1) return q;
    if (p->id > q->id) {
        const struct partition *swap = p;
        p = q;
        q = swap;
    }
    uint32_t hash = fa_hash_mix(p->id, q->id);
    for (struct table_probe t = table_probe(&s->meet_table, hash);
         table_next(&s->meet_table, &t);) {
        const struct pair_result *r = &s->meets.data[t.id];
        if (r->a == p->id && r->b == q->id) return s->partitions.data[r->byte];
    }
    uint32_t value[256];
    for (unsigned b = 0; b < 256; b++) value[b] = (uint32_t)p->classes[b] << 8 | q->classes[b];
    const struct partition *result = partition_intern(s, value);
    if (!result || !ARENA_VEC_GROW(s->arena, &s->meets) ||
        !table_add(&s->meet_table, hash, s->meets.count))
        return NULL;
    s->meets.data[s->meets.count++] = (struct pair_result){p->id, q->id, result->id, REGEX_YES, 0};
    return result;
}

static const struct partition *make_partition(struct regex_store *s, term_id t) {
    const struct term *x = term_get(s, t);
    uint32_t value[256] = {0};
    switch ((enum term_kind)x->kind) {
    case KIND_NONE:
    case KIND_EMPTY: return partition_intern(s, value);
    case KIND_ANY:
    case KIND_LENGTH: return any_partition(s);
    case KIND_SET: return set_partition(s, x->a);
    case KIND_LITERAL: return byte_partition(s, x->bytes[0]);
    case KIND_TRIE:
        for (uint32_t i = 0; i < x->c; i++) value[x->bytes[i]] = x->kids[i] + 1;
        return partition_intern(s, value);
    case KIND_CAT: {
        const struct partition *p = term_partition(s, x->a);
        while (p && term_get(s, x->a)->nullable) {
            term_id rest = x->b;
            x = term_get(s, rest);
            p = partition_meet(s, p, term_partition(s, x->kind == KIND_CAT ? x->a : rest));
            if (x->kind != KIND_CAT) break;
        }
        return p;
    }
    case KIND_OR:
    case KIND_AND: {
        const struct partition *p = term_partition(s, x->kids[0]);
        for (uint32_t i = 1; p && i < x->c; i++)
            p = partition_meet(s, p, term_partition(s, x->kids[i]));
        return p;
    }
    case KIND_NOT: return partition_meet(s, term_partition(s, x->a), any_partition(s));
    case KIND_REPEAT: return term_partition(s, x->a);
    case KIND_LOOK: return look_partition(s, x->a);
    case KIND_MACHINE: return machine_partition(s, x);
    }
    return NULL;
}

const struct partition *term_partition(struct regex_store *s, term_id t) {
    struct term_memo *memo = term_memo(s, t);
    if (!memo) return NULL;
    if (!memo->partition) memo->partition = make_partition(s, t);
    return memo->partition;
}

const unsigned char *regex_classes(struct regex_store *s, term_id t, unsigned *n) {
    static const unsigned char one_class[256];
    const struct partition *p = term_partition(s, t);
    *n = p ? p->n : 1;
    return p ? p->classes : one_class;
}
