/* SPDX-License-Identifier: MIT
 *
 * Where the time of masks goes: by the kind of place that the text stands at, and whether the mask
 * was in the cache; and the slowest ones, with their places. One owner.
 */
#ifndef FORMA_CLI_BENCH_PROFILE_H
#define FORMA_CLI_BENCH_PROFILE_H

#include "cli/bench_samples.h"
#include "tokenmask/matcher.h"

/* Strings and keys are told apart by what may follow inside: anything; so many characters of
 * anything; one of a list; what a pattern or format says; or the text so far matters too much. */
#define PROFILE_KINDS(X)                                                                           \
    X(PROFILE_STRUCTURE, "structure")                                                              \
    X(PROFILE_NUMBER, "number")                                                                    \
    X(PROFILE_LITERAL, "literal")                                                                  \
    X(PROFILE_STRING_FREE, "string, free")                                                         \
    X(PROFILE_STRING_BOUNDED, "string, bounded")                                                   \
    X(PROFILE_STRING_LISTED, "string, listed")                                                     \
    X(PROFILE_STRING_PATTERN, "string, pattern")                                                   \
    X(PROFILE_STRING_OTHER, "string, other")                                                       \
    X(PROFILE_KEY_FREE, "key, free")                                                               \
    X(PROFILE_KEY_BOUNDED, "key, bounded")                                                         \
    X(PROFILE_KEY_LISTED, "key, listed")                                                           \
    X(PROFILE_KEY_PATTERN, "key, pattern")                                                         \
    X(PROFILE_KEY_OTHER, "key, other")                                                             \
    X(PROFILE_END, "end")
enum profile_kind {
#define X(code, text) code,
    PROFILE_KINDS(X)
#undef X
        N_PROFILE_KINDS
};

#define PROFILE_SLOWEST 20
struct profile_place {
    double us;
    enum profile_kind kind;
    bool cold;
    size_t test, token;
    char file[96], text[48]; /* cut: the end of the text before */
};

struct profile {
    struct samples cold[N_PROFILE_KINDS], hot[N_PROFILE_KINDS];
    struct profile_place slowest[PROFILE_SLOWEST]; /* the slowest first */
    size_t n_slowest;
    size_t n_interrupted; /* masks left out, because the system took the processor meanwhile */
    unsigned char *kinds; /* of each place in the text at hand (enum profile_kind) */
    size_t capacity;
    const char *text;
    size_t length;
};

/* Takes up a text of valid JSON. False: no memory. */
bool profile_begin(struct profile *p, const char *text, size_t length);
/* A mask in front of byte `at` of the text; `place` has what is known but for the kind and the
 * text. False: no memory. */
bool profile_add(struct profile *p, struct forma_matcher *matcher, size_t at,
                 struct profile_place place);
void profile_print(struct profile *p, FILE *out);
void profile_free(struct profile *p);

#endif
