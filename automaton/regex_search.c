/* SPDX-License-Identifier: MIT
 *
 * Deciding, for terms without length leaves. Terms without and/not are never empty and know
 * their shortest length; for the others the graph of derivatives is searched, by code points (a
 * lead byte costs 1, a continuation byte 0). An exhausted search proves all it saw empty; a path
 * that reaches an end keeps its verdict, its length and its next byte.
 *
 * term_shortest is A*: the structural minimum of a term never overestimates. term_reach takes any
 * string; it also follows a guess at what is missing, because the shortest string of a conjunction
 * of searched patterns is a shortest common supersequence: hard, while some string is easy.
 *
 * term_least_length: the least length >= lo. Level j holds the residuals after j characters.
 * Levels are a deterministic sequence over finitely many sets, hence periodic in the end: the
 * first repetition lets whole periods be skipped, so lo = 10^9 costs what its remainder costs.
 */
#include <stdlib.h>
#include <string.h>

#include "automaton/regex_look_internal.h"

/* ---- shortest strings ------------------------------------------------------------------------ */

/* Known without search? `exact`: with the least length. */
static enum verdict known(const struct regex_store *s, term_id t, bool exact, uint64_t *length) {
    const struct term *x = term_get(s, t);
    if (t == TERM_NONE) return VERDICT_DEAD;
    if (x->positive || x->nullable) {
        *length = x->nullable ? 0 : x->min;
        return VERDICT_ALIVE;
    }
    if (!x->memo || (exact && x->memo->verdict == VERDICT_ALIVE && !x->memo->exact))
        return VERDICT_UNKNOWN;
    if (x->memo->verdict == VERDICT_ALIVE) *length = x->memo->shortest;
    return (enum verdict)x->memo->verdict;
}

static bool heap_less(struct search_entry a, struct search_entry b) {
    return a.estimate != b.estimate ? a.estimate < b.estimate : a.cost > b.cost;
}

static bool heap_push(struct regex_store *s, struct search_entry e) {
    if (!ARENA_VEC_GROW(s->arena, &s->heap)) return false;
    struct search_entry *h = s->heap.data;
    uint32_t i = s->heap.count++;
    for (; i && heap_less(e, h[(i - 1) / 2]); i = (i - 1) / 2) h[i] = h[(i - 1) / 2];
    h[i] = e;
    return true;
}

static struct search_entry heap_pop(struct regex_store *s) {
    struct search_entry *h = s->heap.data, top = h[0], last = h[--s->heap.count];
    uint32_t i = 0, n = s->heap.count;
    for (;;) {
        uint32_t k = 2 * i + 1;
        if (k >= n) break;
        if (k + 1 < n && heap_less(h[k + 1], h[k])) k++;
        if (!heap_less(h[k], last)) break;
        h[i] = h[k];
        i = k;
    }
    h[i] = last;
    return top;
}

/* Reaches node.term at node.cost: a new node, or a better way to an old one. */
static bool relax(struct regex_store *s, struct search_node node, unsigned weight) {
    const struct term *x = term_get(s, node.term);
    uint64_t rest = weight ? weight * (uint64_t)x->guess : x->min;
    if (known(s, node.term, !weight, &rest) == VERDICT_DEAD) return true;
    struct term_scratch *seen = term_scratch(s, node.term);
    if (!seen) return false;
    if (seen->stamp == s->stamp) {
        if (s->nodes.data[seen->slot].cost <= node.cost) return true;
        s->nodes.data[seen->slot] = node;
    } else {
        if (!ARENA_VEC_GROW(s->arena, &s->nodes)) return false;
        seen->stamp = s->stamp;
        seen->slot = s->nodes.count;
        s->nodes.data[s->nodes.count++] = node;
    }
    uint64_t estimate = saturating_add(node.cost, rest);
    return heap_push(s, (struct search_entry){estimate, node.cost, seen->slot});
}

/* The path to node `at`, whose rest is `shortest` long, is known now. */
static void keep_path(struct regex_store *s, uint32_t at, uint64_t shortest, bool exact) {
    uint64_t total = saturating_add(s->nodes.data[at].cost, shortest);
    while (s->nodes.data[at].parent != UINT32_MAX) {
        unsigned char byte = s->nodes.data[at].byte;
        at = s->nodes.data[at].parent;
        struct term_memo *memo = term_get(s, s->nodes.data[at].term)->memo;
        memo->verdict = VERDICT_ALIVE;
        memo->shortest = total - s->nodes.data[at].cost;
        memo->via = byte;
        memo->exact = exact;
    }
}

static bool expand(struct regex_store *s, uint32_t at, unsigned weight) {
    term_id t = s->nodes.data[at].term;
    uint64_t cost = s->nodes.data[at].cost;
    const struct partition *p = term_partition(s, t);
    if (!p) return false;
    bool inside = term_is_inside(term_get(s, t));
    for (uint32_t c = 0; c < p->n; c++) {
        term_id d = regex_derive(s, t, p->best[c]);
        struct search_node node = {d, at, cost + !inside, p->best[c]};
        if (d != TERM_NONE && !relax(s, node, weight)) return false;
    }
    return !s->arena->failed;
}

/* Each of their states is made, with dozens that follow it. */
#define PRICE_WIDE 100u

/* What t costs before it is derived: expressions with lookaround are made, not only looked up. */
static uint64_t price(const struct regex_store *s, term_id t) {
    const struct term *x = term_get(s, t);
    uint64_t sum = x->is_wide ? PRICE_WIDE : 1;
    if (x->kind == KIND_LOOK) return 1 + look_width(s, x->a);
    if (x->kind != KIND_AND && x->kind != KIND_OR) return sum;
    for (uint32_t i = 0; i < x->c; i++) {
        const struct term *k = term_get(s, x->kids[i]);
        if (k->kind == KIND_LOOK) sum += look_width(s, k->a);
    }
    return sum;
}

/* What has been spent: the difference of two is added to the work. States are kept, so what they
 * take counts, and a search ends before memory does. */
enum { BYTES_A_STEP = 512, EFFORT_A_STEP = 32 };

static uint64_t spent(const struct regex_store *s) {
    return s->effort / EFFORT_A_STEP + s->arena->used / BYTES_A_STEP;
}

/* Weight 0: A*, the answer is exact. Otherwise the guess counts so many times. */
static enum regex_answer search(struct regex_store *s, term_id t, unsigned weight, uint64_t *work,
                                uint64_t limit, uint64_t *length) {
    if (s->arena->failed) return REGEX_LIMIT;
    enum verdict v = known(s, t, !weight, length);
    if (v != VERDICT_UNKNOWN) return v == VERDICT_ALIVE ? REGEX_YES : REGEX_NO;
    s->stamp++;
    s->nodes.count = s->heap.count = 0;
    if (!relax(s, (struct search_node){t, UINT32_MAX, 0, 0}, weight)) return REGEX_LIMIT;
    while (s->heap.count) {
        struct search_entry e = heap_pop(s);
        if (e.cost > s->nodes.data[e.node].cost) continue;
        term_id u = s->nodes.data[e.node].term;
        *work += price(s, u);
        if (*work > limit) return REGEX_LIMIT;
        uint64_t rest;
        if (known(s, u, !weight, &rest) == VERDICT_ALIVE) {
            keep_path(s, e.node, rest, !weight);
            *length = saturating_add(e.cost, rest);
            return REGEX_YES;
        }
        uint64_t before = spent(s);
        if (!expand(s, e.node, weight)) return REGEX_LIMIT;
        *work += spent(s) - before;
    }
    if (s->arena->failed) return REGEX_LIMIT;
    for (uint32_t i = 0; i < s->nodes.count; i++)
        term_get(s, s->nodes.data[i].term)->memo->verdict = VERDICT_DEAD;
    return REGEX_NO;
}

/* Each way of searching has families of terms where it runs astray, so they take turns with
 * growing budgets: the sum is a small multiple of what the best of them needs. */
enum regex_answer term_reach(struct regex_store *s, term_id t, uint64_t *work, uint64_t limit,
                             uint64_t *length) {
    static const unsigned weights[] = {2, 0, 16};
    enum verdict v = known(s, t, false, length);
    if (v != VERDICT_UNKNOWN) return v == VERDICT_ALIVE ? REGEX_YES : REGEX_NO;
    struct term_scratch *scratch = term_scratch(s, t);
    uint64_t left = limit > *work ? limit - *work : 0;
    if (!scratch || scratch->gave_up >= left) return REGEX_LIMIT;
    if (term_get(s, t)->is_wide) {
        enum regex_answer a = term_reach_wide(s, t, work, limit, length);
        if (a != REGEX_LIMIT || s->arena->failed) return a;
    }
    for (uint64_t budget = 128;; budget *= 4) {
        for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
            uint64_t end = saturating_add(*work, budget);
            if (end > limit) end = limit;
            enum regex_answer a = search(s, t, weights[i], work, end, length);
            if (a == REGEX_LIMIT && *work > limit) scratch->gave_up = left;
            if (a != REGEX_LIMIT || s->arena->failed || *work > limit) return a;
        }
    }
}

enum regex_answer term_shortest(struct regex_store *s, term_id t, uint64_t *work, uint64_t limit,
                                uint64_t *length) {
    return search(s, t, 0, work, limit, length);
}

/* ---- the first byte -------------------------------------------------------------------------- */

static int set_byte(struct regex_store *s, uint32_t set) {
    const struct partition *p = term_partition(s, term_set(s, set));
    for (uint32_t c = 0; p && c < p->n; c++)
        if (charset_step(&s->sets, set, p->best[c]) != CHARSET_NOTHING) return p->best[c];
    return -1;
}

static int trie_byte(const struct regex_store *s, const struct term *x) {
    for (uint32_t i = 0; i < x->c; i++) {
        uint64_t min = term_get(s, x->kids[i])->min + !is_continuation(x->bytes[i]);
        if (min == x->min) return x->bytes[i];
    }
    return -1;
}

/* Of a positive, not nullable term. */
static int structural_byte(struct regex_store *s, term_id t) {
    for (;;) {
        const struct term *x = term_get(s, t);
        switch ((enum term_kind)x->kind) {
        case KIND_SET: return set_byte(s, x->a);
        case KIND_LITERAL: return x->bytes[0];
        case KIND_TRIE: return trie_byte(s, x);
        case KIND_CAT: t = term_get(s, x->a)->nullable ? x->b : x->a; break;
        case KIND_REPEAT: t = x->a; break;
        case KIND_OR: {
            term_id best = x->kids[0];
            for (uint32_t i = 1; i < x->c; i++)
                if (term_get(s, x->kids[i])->min < term_get(s, best)->min) best = x->kids[i];
            t = best;
            break;
        }
        default: return -1;
        }
    }
}

int term_known_byte(struct regex_store *s, term_id t) {
    const struct term *x = term_get(s, t);
    if (x->nullable) return -1;
    if (x->positive) return structural_byte(s, t);
    return x->memo && x->memo->verdict == VERDICT_ALIVE ? x->memo->via : -1;
}

void term_carry(struct regex_store *s, term_id from, term_id to) {
    while (from != to && from != TERM_NONE && to != TERM_NONE) {
        uint64_t have, better;
        int byte = term_known_byte(s, from);
        struct term_memo *memo = term_memo(s, to);
        if (byte < 0 || !memo || term_get(s, to)->positive ||
            known(s, from, false, &better) != VERDICT_ALIVE ||
            (known(s, to, false, &have) == VERDICT_ALIVE && have <= better))
            return;
        memo->verdict = VERDICT_ALIVE;
        memo->shortest = better;
        memo->via = (uint8_t)byte;
        memo->exact = false;
        from = regex_derive(s, from, (unsigned char)byte);
        to = regex_derive(s, to, (unsigned char)byte);
    }
}

/* ---- lengths by levels ----------------------------------------------------------------------- */

static int compare_ids(const void *pa, const void *pb) {
    term_id a = *(const term_id *)pa, b = *(const term_id *)pb;
    return a < b ? -1 : a > b;
}

/* Sorts s->stack from `base`, drops duplicates. */
static void sort_stack(struct regex_store *s, uint32_t base) {
    uint32_t n = s->stack.count - base, kept = base;
    if (n > 1) qsort(s->stack.data + base, n, sizeof(term_id), compare_ids);
    for (uint32_t i = base; i < base + n; i++)
        if (kept == base || s->stack.data[kept - 1] != s->stack.data[i])
            s->stack.data[kept++] = s->stack.data[i];
    s->stack.count = kept;
}

/* Machines may have a new state for every character, and for every string. So of the residuals of
 * such a term, and of such terms on a level, few are kept: strings that are found are there, but
 * nothing is proved empty. What is kept of a part holds what is kept of the whole, and so a string
 * that was found once is found again from each of its places. */
enum { MAX_WIDE = 24 };

/* Pushes what t becomes when the character that it is in (or begins) is complete. *cut: not all. */
static bool push_after_character(struct regex_store *s, term_id t, bool begin, bool *cut) {
    bool wide = term_get(s, t)->is_wide;
    uint32_t base = s->stack.count, done = base;
    if (!term_push(s, t)) return false;
    /* terms inside the character are replaced, by all that follow them, until none is left */
    for (uint32_t i = base; i < s->stack.count; i++) {
        term_id u = s->stack.data[i];
        if (!term_is_inside(term_get(s, u)) && !(begin && i == base)) {
            s->stack.data[done++] = u;
            continue;
        }
        if (wide && done - base >= MAX_WIDE) {
            *cut = true;
            break;
        }
        const struct partition *p = term_partition(s, u);
        for (uint32_t c = 0; p && c < p->n; c++) {
            term_id d = regex_derive(s, u, p->best[c]);
            if (d != TERM_NONE && !term_push(s, d)) return false;
        }
        if (s->arena->failed) return false;
    }
    s->stack.count = done;
    sort_stack(s, base);
    return true;
}

/* Residuals of t after one character, kept. */
static const struct term_scratch *next_terms(struct regex_store *s, term_id t) {
    struct term_scratch *x = term_scratch(s, t);
    if (!x || x->next) return x;
    uint32_t base = s->stack.count;
    if (push_after_character(s, t, true, &x->cut)) {
        x->n_next = s->stack.count - base;
        x->next = arena_push_copy(s->arena, s->stack.data + base, x->n_next * sizeof(term_id));
    }
    s->stack.count = base;
    return x->next ? x : NULL;
}

/* Keeps a copy of the level as the one to compare with. */
static bool keep_level(struct regex_store *s, uint32_t base) {
    s->levels.count = 0;
    for (uint32_t i = base; i < s->stack.count; i++) {
        if (!ARENA_VEC_GROW(s->arena, &s->levels)) return false;
        s->levels.data[s->levels.count++] = s->stack.data[i];
    }
    return true;
}

static bool is_kept_level(const struct regex_store *s, uint32_t base) {
    uint32_t n = s->stack.count - base;
    return n == s->levels.count &&
           (n == 0 || !memcmp(s->levels.data, s->stack.data + base, n * sizeof(term_id)));
}

/* Nearer to an end, as far as is known; then the older. */
static bool is_better(const struct regex_store *s, term_id a, term_id b) {
    uint32_t x = term_get(s, a)->guess, y = term_get(s, b)->guess;
    return x != y ? x < y : a < b;
}

/* True if any were dropped. */
static bool prune_level(struct regex_store *s, uint32_t base) {
    term_id best[MAX_WIDE];
    uint32_t kept = base, n = 0, n_wide = 0;
    for (uint32_t i = base; i < s->stack.count; i++) {
        term_id t = s->stack.data[i];
        if (!term_get(s, t)->is_wide) {
            s->stack.data[kept++] = t;
            continue;
        }
        n_wide++;
        if (n == MAX_WIDE && !is_better(s, t, best[n - 1])) continue;
        uint32_t at = n < MAX_WIDE ? n++ : n - 1;
        for (; at && is_better(s, t, best[at - 1]); at--) best[at] = best[at - 1];
        best[at] = t;
    }
    for (uint32_t i = 0; i < n; i++) s->stack.data[kept++] = best[i];
    s->stack.count = kept;
    sort_stack(s, base);
    return n_wide > n;
}

/* Replaces the level on the stack by the next. Drops terms whose strings are all too short to
 * reach `need`; *slack is the longest of those dropped. */
static bool next_level(struct regex_store *s, uint32_t base, uint64_t need, uint64_t *slack,
                       bool *pruned, uint64_t *work, uint64_t limit) {
    uint32_t end = s->stack.count;
    for (uint32_t i = base; i < end; i++) {
        uint64_t before = spent(s);
        const struct term_scratch *x = next_terms(s, s->stack.data[i]);
        if (!x || *work > limit) return false;
        *work += price(s, s->stack.data[i]) + spent(s) - before;
        *pruned |= x->cut;
        for (uint32_t k = 0; k < x->n_next; k++) {
            term_id d = term_living(s, x->next[k]);
            uint64_t max = term_get(s, d)->max;
            if (d == TERM_NONE) continue;
            if (max < need) {
                if (max > *slack) *slack = max;
                continue;
            }
            if (!term_push(s, d)) return false;
        }
    }
    uint32_t n = s->stack.count - end;
    if (n) memmove(s->stack.data + base, s->stack.data + end, n * sizeof(term_id));
    s->stack.count = base + n;
    sort_stack(s, base);
    *pruned |= prune_level(s, base);
    return true;
}

/* Does a term of the level hold strings of every length around `need`? */
static bool level_covers(const struct regex_store *s, uint32_t base, uint64_t need) {
    for (uint32_t i = base; i < s->stack.count; i++) {
        const struct term *x = term_get(s, s->stack.data[i]);
        if (x->contiguous && x->min <= need && need <= x->max) return true;
    }
    return false;
}

/* Is there a character after which t is itself? Then it can be pumped: every length from that of
 * some string on is there. */
static bool is_loop(struct regex_store *s, term_id t) {
    const struct term_scratch *x = next_terms(s, t);
    uint32_t lo = 0, hi = x ? x->n_next : 0;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (x->next[mid] < t)
            lo = mid + 1;
        else
            hi = mid;
    }
    return x && lo < x->n_next && x->next[lo] == t;
}

/* Can a term of the level be pumped to `need`? */
static bool level_pumps(struct regex_store *s, uint32_t base, uint64_t need) {
    for (uint32_t i = base; i < s->stack.count; i++) {
        term_id t = s->stack.data[i];
        uint64_t some;
        if (known(s, t, false, &some) == VERDICT_ALIVE && some <= need && is_loop(s, t))
            return true;
    }
    return false;
}

/* On the stack from `base`: level 0, all of it or `pruned`. */
static enum regex_answer walk_levels(struct regex_store *s, uint32_t base, bool pruned, uint64_t lo,
                                     uint64_t *work, uint64_t limit, uint64_t *length) {
    uint64_t slack = 0, kept = 0, patience = 1;
    for (uint64_t j = 0; j < lo; j++) {
        if (s->stack.count == base) return pruned ? REGEX_LIMIT : REGEX_NO;
        if (level_covers(s, base, lo - j) || level_pumps(s, base, lo - j)) {
            *length = lo;
            return REGEX_YES;
        }
        /* Brent 1980: compare with one kept level, renewed after 1, 2, 4, ... steps */
        if (j > kept && lo - j > slack && is_kept_level(s, base)) {
            uint64_t period = j - kept;
            j += (lo - j - slack - 1) / period * period;
            kept = lo; /* no more skipping */
        } else if (j == 0 || (kept < lo && j - kept >= patience)) {
            patience *= 2;
            kept = j;
            if (!keep_level(s, base)) return REGEX_LIMIT;
        }
        if (*work > limit || !next_level(s, base, lo - j - 1, &slack, &pruned, work, limit))
            return REGEX_LIMIT;
    }
    *length = TERM_NO_LENGTH;
    for (uint32_t i = base; i < s->stack.count; i++) {
        uint64_t rest = 0;
        enum regex_answer a = REGEX_YES;
        if (pruned && !term_get(s, s->stack.data[i])->nullable) continue;
        if (!pruned) a = term_shortest(s, s->stack.data[i], work, limit, &rest);
        if (a == REGEX_LIMIT) return a;
        if (a == REGEX_YES && saturating_add(lo, rest) < *length) *length = lo + rest;
    }
    if (pruned && *length != lo) return REGEX_LIMIT; /* a shorter one may have been dropped */
    return *length == TERM_NO_LENGTH ? REGEX_NO : REGEX_YES;
}

enum regex_answer term_least_length(struct regex_store *s, term_id t, uint64_t lo, uint64_t *work,
                                    uint64_t limit, uint64_t *length) {
    const struct term *x = term_get(s, t);
    uint64_t some;
    if (x->contiguous) {
        *length = x->min > lo ? x->min : lo;
        return x->max < *length ? REGEX_NO : REGEX_YES;
    }
    bool found = x->is_wide && term_has_length_wide(s, t, lo, work, limit);
    if (!found && !x->is_wide && lo && !term_is_inside(x) && is_loop(s, t))
        found = term_reach(s, t, work, limit, &some) == REGEX_YES && some <= lo;
    if (found) {
        *length = lo;
        return REGEX_YES;
    }
    enum regex_answer a = x->is_wide ? term_reach(s, t, work, limit, length)
                                     : term_shortest(s, t, work, limit, length);
    if (a != REGEX_YES || *length >= lo) return a;
    if (x->max < lo) return REGEX_NO;
    uint32_t base = s->stack.count;
    bool cut = false;
    a = push_after_character(s, t, false, &cut) ? walk_levels(s, base, cut, lo, work, limit, length)
                                                : REGEX_LIMIT;
    s->stack.count = base;
    return s->arena->failed ? REGEX_LIMIT : a;
}
