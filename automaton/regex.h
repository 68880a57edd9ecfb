/* SPDX-License-Identifier: MIT
 *
 * Regular languages of decoded strings, as hash-consed terms over UTF-8 bytes with union,
 * intersection, complement and counted repetition, read by Brzozowski derivatives (Brzozowski
 * 1964; Owens, Reppy, Turon 2009). Equal ids mean equal languages; TERM_NONE is recognised
 * wherever emptiness is decided (see regex_alive), so a term is never kept alive by mistake.
 *
 * Spellable characters. A store is made for a set of code points that can be written at all
 * (the style and the vocabulary decide). Every character set is cut down to it, TERM_ANY means
 * "any string of spellable characters", and complement is relative to that.
 *
 * Length as a register. regex_min_length(n) is an opaque leaf, true for strings of at least n
 * code points *counted from the start of the whole string*. It stands only under and/or/not, never
 * inside concatenation or repetition. Derivatives leave it alone: whoever reads a string counts
 * its code points (lead bytes read so far) in k and hands k to the queries, so one row of states
 * serves every count and {0,100000} costs no more than {0,10}.
 *
 * Memory is the caller's arena; failure is sticky there (functions then return TERM_NONE).
 * One owner; no locks. Searches count their steps in *work and give up past a limit.
 */
#ifndef FORMA_AUTOMATON_REGEX_H
#define FORMA_AUTOMATON_REGEX_H

#include <stdio.h>

#include "base/arena.h"

typedef uint32_t term_id;
#define TERM_NONE         0u /* no string */
#define TERM_EMPTY_STRING 1u /* "" only */
#define TERM_ANY          2u /* every spellable string */

#define REGEX_UNBOUNDED UINT32_MAX

struct code_range {
    uint32_t first, last; /* inclusive code points */
};

struct regex_store;

/* `spellable`: sorted, disjoint ranges; surrogates are left out whatever they say. */
struct regex_store *regex_store_new(struct arena *arena, const struct code_range *spellable,
                                    size_t n_ranges);

struct arena *regex_arena(struct regex_store *s);

/* ---- making terms; each simplifies and interns, O(size of the new node) --------------------- */

/* One character out of the set (ranges in any order, may overlap). */
term_id regex_charset(struct regex_store *s, const struct code_range *ranges, size_t n);
term_id regex_charset_except(struct regex_store *s, const struct code_range *ranges, size_t n);
term_id regex_cat(struct regex_store *s, term_id a, term_id b);
term_id regex_or(struct regex_store *s, const term_id *terms, size_t n);
term_id regex_and(struct regex_store *s, const term_id *terms, size_t n);
/* `a` must stand between characters (not be a residual inside one). */
term_id regex_not(struct regex_store *s, term_id a);
/* a{min,max}; max REGEX_UNBOUNDED for no bound. */
term_id regex_repeat(struct regex_store *s, term_id a, uint32_t min, uint32_t max);
/* At least n code points in the whole string (see above); n = 0 is TERM_ANY. */
term_id regex_min_length(struct regex_store *s, uint64_t n);
/* Exactly these bytes (valid UTF-8); TERM_NONE if they hold an unspellable character. */
term_id regex_literal(struct regex_store *s, const unsigned char *bytes, size_t length);
/* One of n strings, as a shared trie: 100,000 strings are fine; order and duplicates do not
 * matter; unspellable ones are dropped. */
term_id regex_literal_set(struct regex_store *s, const unsigned char *const *strings,
                          const size_t *lengths, size_t n);
/* `a` without the empty string. */
term_id regex_nonempty(struct regex_store *s, term_id a);

/* ---- reading ------------------------------------------------------------------------------- */

/* The residual language after one byte of UTF-8. Memoised by (term, byte class). */
term_id regex_derive(struct regex_store *s, term_id t, unsigned char byte);
/* Partition of the bytes: classes[b] < *n; bytes of one class have equal derivatives. The array
 * lives in the store. */
const unsigned char *regex_classes(struct regex_store *s, term_id t, unsigned *n);
/* Does t hold "" when k code points have been read so far? */
bool regex_nullable(struct regex_store *s, term_id t, uint64_t k);
/* Replaces length leaves that k has decided (k >= n: true). Others stay. */
term_id regex_settle(struct regex_store *s, term_id t, uint64_t k);
/* Does any length leaf remain? If not, k does not matter and should be dropped from state keys. */
bool regex_has_length(const struct regex_store *s, term_id t);
/* Does t stand between characters? */
bool regex_is_between(const struct regex_store *s, term_id t);
/* Can every string be continued to one of t, as far as t's form tells? (At a boundary.) So too where
 * at most `*room` more code points may come, k having been read; UINT64_MAX: any number. */
bool regex_is_dense(const struct regex_store *s, term_id t, uint64_t k, uint64_t *room);
/* Is t written as a list of strings? */
bool regex_is_list(const struct regex_store *s, term_id t);
/* Is t held by the string? (k counted from 0.) */
bool regex_matches(struct regex_store *s, term_id t, const unsigned char *bytes, size_t length);

/* Where we stand inside a character: a set of continuations, itself interned. */
typedef uint32_t partial_id;
#define PARTIAL_DEAD     0u /* no character goes on like this */
#define PARTIAL_BOUNDARY 1u /* between characters */

/* After `byte`, when characters out of charset `set` may be written. At a boundary the set is
 * entered, inside a character it is implied by `p`. `set`: see regex_partial_set. */
partial_id regex_partial_step(struct regex_store *s, uint32_t set, partial_id p,
                              unsigned char byte);
/* Interns a set of characters for regex_partial_step (cut to the spellable ones). Set 0 is the
 * set of all spellable characters. */
uint32_t regex_partial_set(struct regex_store *s, const struct code_range *ranges, size_t n);
/* The code points that may still be meant by what p has read, as ranges (for tests, printing). */

/* ---- deciding ------------------------------------------------------------------------------ */

enum regex_answer { REGEX_NO, REGEX_YES, REGEX_LIMIT };

/* Can what has been read be completed to a string of t? k code points were begun so far, p says
 * where in a character we stand. Exact: intersections and complements are explored, lengths by
 * the eventually periodic sequence of state sets, never by unrolling a count. Memoised.
 * *work counts explored states; REGEX_LIMIT when it passes `limit`. */
enum regex_answer regex_alive(struct regex_store *s, term_id t, uint64_t k, partial_id p,
                              uint64_t *work, uint64_t limit);

/* The next byte of a completion known to regex_alive (a short one), or -1 where the string may
 * end here. Following it ends after finitely many bytes, and takes no new search; a length of
 * 10^9 is generated byte by byte. Only for alive states. */
int regex_witness_byte(struct regex_store *s, term_id t, uint64_t k, partial_id p);

/* No string of t has fewer code points to come when k were begun; UINT64_MAX: there is none. Exact,
 * unless the limit is met or a machine (regex_machine.h) is in it; never too high. */
uint64_t regex_at_least(struct regex_store *s, term_id t, uint64_t k, uint64_t *work,
                        uint64_t limit);

/* A string of t (which must be alive; k = 0, at a boundary) into `out`: its length, or SIZE_MAX when
 * it is longer than `capacity`. */
size_t regex_some_string(struct regex_store *s, term_id t, unsigned char *out, size_t capacity);
/* Does t hold infinitely many strings? (k = 0, at a boundary.) Exact, but REGEX_LIMIT past the
 * limit. */
enum regex_answer regex_is_infinite(struct regex_store *s, term_id t, uint64_t *work,
                                    uint64_t limit);
/* Calls visit(ctx, bytes, length) for the strings of a finite t (k = 0, at a boundary), in byte
 * order, until it returns false: no room for this one. Returns how many it took. *more: REGEX_NO,
 * these are all; REGEX_YES, there are others, too (of an infinite t none is visited); REGEX_LIMIT,
 * not known. Strings are those read, in code points of UTF-8, whatever escapes a text may use. */
size_t regex_enumerate(struct regex_store *s, term_id t,
                       bool (*visit)(void *ctx, const unsigned char *bytes, size_t length),
                       void *ctx, enum regex_answer *more, uint64_t *work, uint64_t limit);

/* ---- length, apart ------------------------------------------------------------------------- */

/* t without "at least" and "less than" a number of code points, where these stand beside all of the
 * rest: *least and *below are the numbers (0 and UINT64_MAX: none). False: they stand elsewhere. */
bool regex_split_length(struct regex_store *s, term_id t, term_id *rest, uint64_t *least,
                        uint64_t *below);
/* The least number >= `least` of code points that are still to begin in a completion of t, which has
 * no length leaves. */
enum regex_answer regex_need(struct regex_store *s, term_id t, partial_id p, uint64_t least,
                             uint64_t *work, uint64_t limit, uint64_t *need);
/* Do completions have all numbers of code points from the least on, as far as t's form tells? */
bool regex_is_gapless(const struct regex_store *s, term_id t);

/* ---- sight --------------------------------------------------------------------------------- */
void regex_print(struct regex_store *s, term_id t, FILE *out);

#endif
