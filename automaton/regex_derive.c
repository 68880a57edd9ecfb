/* SPDX-License-Identifier: MIT
 *
 * Reading: partitions of the bytes, derivatives, length leaves. A row of derivatives, one for
 * each class of bytes, is filled on demand at each term (Owens, Reppy, Turon 2009).
 *
 * Complement inside characters. At a lead byte, not(x) becomes "the rest of any character, then
 * anything" and not(x'), where not is raw. Continuation bytes step both. When the character is
 * complete the first has become TERM_ANY and is gone, so complements between characters have one
 * form again. A raw complement never stands alone; so what the byte is tells what a term that
 * fits anywhere (TERM_ANY, length leaves) has to become.
 */
#include <string.h>

#include "automaton/regex_look_internal.h"
#include "automaton/regex_machine_internal.h"

/* ---- partitions ------------------------------------------------------------------------------ */

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

/* Groups bytes by value. */
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

/* ---- derivatives ----------------------------------------------------------------------------- */

static term_id derive(struct regex_store *s, term_id t, unsigned char byte);

term_id term_any_after(struct regex_store *s, unsigned char byte) {
    uint32_t rest = charset_step(&s->sets, s->all, byte);
    if (rest == CHARSET_NOTHING) return TERM_NONE;
    if (rest == CHARSET_DONE) return TERM_ANY;
    return regex_cat(s, term_set(s, rest), TERM_ANY);
}

static term_id derive_trie(const struct term *x, unsigned char byte) {
    uint32_t lo = 0, hi = x->c;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (x->bytes[mid] < byte)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < x->c && x->bytes[lo] == byte ? x->kids[lo] : TERM_NONE;
}

static term_id derive_cat(struct regex_store *s, term_id t, unsigned char byte) {
    uint32_t base = s->stack.count;
    for (;;) {
        const struct term *x = term_get(s, t);
        bool cat = x->kind == KIND_CAT;
        term_id d = derive(s, cat ? x->a : t, byte);
        if (!term_push(s, cat ? regex_cat(s, d, x->b) : d)) break;
        if (!cat || !term_get(s, x->a)->nullable) break;
        t = x->b;
    }
    return term_or_stack(s, base);
}

static term_id derive_or(struct regex_store *s, const struct term *x, unsigned char byte) {
    uint32_t base = s->stack.count;
    for (uint32_t i = 0; i < x->c; i++)
        if (!term_push(s, derive(s, x->kids[i], byte))) break;
    return term_or_stack(s, base);
}

/* Complements and lengths step raw; at a lead byte the rest of "any character" goes with them
 * unless a kid keeps the text well-formed. */
static term_id derive_and(struct regex_store *s, const struct term *x, unsigned char byte) {
    uint32_t base = s->stack.count;
    for (uint32_t i = 0; i < x->c; i++) {
        const struct term *k = term_get(s, x->kids[i]);
        term_id d = k->kind == KIND_NOT      ? regex_not(s, derive(s, k->a, byte))
                    : k->kind == KIND_LENGTH ? x->kids[i]
                                             : derive(s, x->kids[i], byte);
        if (d == TERM_NONE || !term_push(s, d)) {
            s->stack.count = base;
            return TERM_NONE;
        }
    }
    bool guarded = is_continuation(byte);
    for (uint32_t i = base; !guarded && i < s->stack.count; i++)
        guarded = term_get(s, s->stack.data[i])->guarded;
    if (!guarded) term_push(s, term_any_after(s, byte));
    return term_and_stack(s, base);
}

static term_id derive_alone(struct regex_store *s, term_id raw, unsigned char byte) {
    if (is_continuation(byte)) return raw;
    term_id both[2] = {term_any_after(s, byte), raw};
    return regex_and(s, both, 2);
}

static term_id derive_node(struct regex_store *s, term_id t, unsigned char byte) {
    const struct term *x = term_get(s, t);
    switch ((enum term_kind)x->kind) {
    case KIND_NONE:
    case KIND_EMPTY: return TERM_NONE;
    case KIND_ANY: return derive_alone(s, TERM_ANY, byte);
    case KIND_LENGTH: return derive_alone(s, t, byte);
    case KIND_NOT: return derive_alone(s, regex_not(s, derive(s, x->a, byte)), byte);
    case KIND_SET: {
        uint32_t rest = charset_step(&s->sets, x->a, byte);
        return rest == CHARSET_DONE ? TERM_EMPTY_STRING : term_set(s, rest);
    }
    case KIND_LITERAL: {
        if (x->bytes[0] != byte) return TERM_NONE;
        if (x->c == 1) return x->a;
        struct term node = {.kind = KIND_LITERAL, .a = x->a, .c = x->c - 1, .bytes = x->bytes + 1};
        return term_make(s, &node);
    }
    case KIND_TRIE: return derive_trie(x, byte);
    case KIND_CAT: return derive_cat(s, t, byte);
    case KIND_OR: return derive_or(s, x, byte);
    case KIND_AND: return derive_and(s, x, byte);
    case KIND_REPEAT: {
        uint32_t min = x->b ? x->b - 1 : 0, max = x->c == REGEX_UNBOUNDED ? x->c : x->c - 1;
        term_id d = derive(s, x->a, byte);
        return d == TERM_NONE ? d : regex_cat(s, d, regex_repeat(s, x->a, min, max));
    }
    case KIND_LOOK: return look_language(s, look_derive(s, x->a, byte));
    case KIND_MACHINE: return machine_derive(s, x, byte);
    }
    return TERM_NONE;
}

static term_id derive(struct regex_store *s, term_id t, unsigned char byte) {
    if (term_get(s, t)->kind == KIND_TRIE) return derive_trie(term_get(s, t), byte);
    const struct partition *p = term_partition(s, t);
    if (!p) return TERM_NONE;
    struct term_memo *memo = term_memo(s, t);
    if (!memo->row) memo->row = arena_push_array(s->arena, p->n, sizeof *memo->row);
    if (!memo->row) return TERM_NONE;
    term_id *cell = &memo->row[p->classes[byte]];
    if (!*cell) {
        term_id d = derive_node(s, t, byte);
        if (s->arena->failed) return TERM_NONE;
        *cell = d + 1;
    }
    return *cell - 1;
}

term_id regex_derive(struct regex_store *s, term_id t, unsigned char byte) {
    /* a raw complement must not be asked between characters, nor the other way round */
    if (is_continuation(byte) != term_is_inside(term_get(s, t))) return TERM_NONE;
    return term_living(s, derive(s, t, byte));
}

bool regex_matches(struct regex_store *s, term_id t, const unsigned char *bytes, size_t length) {
    uint64_t k = 0;
    for (size_t i = 0; i < length && t != TERM_NONE; i++) {
        t = regex_derive(s, t, bytes[i]);
        k += !is_continuation(bytes[i]);
    }
    return regex_nullable(s, t, k);
}

/* ---- inside characters ----------------------------------------------------------------------- */

uint32_t regex_partial_set(struct regex_store *s, const struct code_range *ranges, size_t n) {
    uint32_t set = charset_make(&s->sets, ranges, n, 0);
    set = charset_intersection(&s->sets, set, s->all);
    return set == CHARSET_NOTHING ? CHARSET_DONE : set; /* 1 names the empty set here */
}

partial_id regex_partial_step(struct regex_store *s, uint32_t set, partial_id p,
                              unsigned char byte) {
    if (p == PARTIAL_DEAD) return PARTIAL_DEAD;
    if (p == PARTIAL_BOUNDARY) p = set ? set : s->all;
    return charset_step(&s->sets, p, byte);
}
