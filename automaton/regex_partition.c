/* SPDX-License-Identifier: MIT */
#include "automaton/regex_partition.h"

#include <string.h>

#include "automaton/regex_look_internal.h"
#include "automaton/regex_machine_internal.h"

/* Bytes in the order in which they should represent their class: texts made of them read well and
 * cost few bytes as JSON. */
static unsigned char preferred_byte(unsigned i) {
    static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                " -_.,:;!?+*/=()[]{}<>@#$%&'`^|~";
    enum { N = sizeof first - 1 };
    if (i < N) return (unsigned char)first[i];
    i -= N;
    if (i < 2) return (unsigned char)"\"\\"[i];
    i -= 2; /* then everything that is not ASCII, then controls and DEL */
    if (i < 128) return (unsigned char)(128 + i);
    i -= 128;
    return (unsigned char)(i < 32 ? i : 127);
}

const struct partition *partition_intern(struct regex_store *s, const uint32_t value[256]) {
    struct partition p;
    uint32_t seen[256] = {0};
    p.n = 0;
    memset(p.best, 0, sizeof p.best);
    for (unsigned i = 0; i < 256; i++) {
        unsigned char byte = preferred_byte(i);
        uint32_t c = 0;
        while (c < p.n && seen[c] != value[byte]) c++;
        if (c == p.n) {
            seen[p.n] = value[byte];
            p.best[p.n++] = byte;
        }
        p.classes[byte] = (unsigned char)c;
    }
    uint32_t hash = fa_hash(p.classes, sizeof p.classes);
    for (struct table_probe t = table_probe(&s->partition_table, hash);
         table_next(&s->partition_table, &t);)
        if (!memcmp(s->partitions.data[t.id]->classes, p.classes, sizeof p.classes))
            return s->partitions.data[t.id];
    struct partition *copy = arena_push_copy(s->arena, &p, sizeof p);
    if (!copy || !ARENA_VEC_GROW(s->arena, &s->partitions)) return NULL;
    copy->id = s->partitions.count;
    if (!table_add(&s->partition_table, hash, copy->id)) return NULL;
    s->partitions.data[s->partitions.count++] = copy;
    return copy;
}

static const struct partition *set_partition(struct regex_store *s, uint32_t set) {
    uint32_t value[256];
    for (unsigned b = 0; b < 256; b++) value[b] = charset_step(&s->sets, set, (unsigned char)b);
    return s->arena->failed ? NULL : partition_intern(s, value);
}

const struct partition *partition_of_place(struct regex_store *s, uint32_t set, partial_id p) {
    if (p == PARTIAL_BOUNDARY) p = set ? set : s->all;
    return set_partition(s, p);
}

/* What TERM_ANY, complements and lengths tell apart. */
static const struct partition *any_partition(struct regex_store *s) {
    if (s->any_partition) return s->any_partition;
    uint32_t value[256];
    for (unsigned b = 0; b < 256; b++)
        value[b] = is_continuation((unsigned char)b)
                       ? UINT32_MAX
                       : charset_step(&s->sets, s->all, (unsigned char)b);
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
    case KIND_LITERAL: value[x->bytes[0]] = 1; return partition_intern(s, value);
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
