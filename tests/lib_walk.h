/* SPDX-License-Identifier: MIT
 *
 * Random walks over masks: at each place a token is drawn among the allowed ones, until an end token
 * is drawn or a limit is reached; from there the known completion is followed to its end. Drawn
 * evenly, tokens would nearly all be text inside strings, so they are sorted into kinds (the end,
 * what closes a value, other structure, digits, blanks, ...) and a policy gives each kind a weight.
 *
 * A walker is read-only, shared by threads; a walk has one owner. Walks with equal seeds through
 * equal masks are equal: the hash of a walk tells whether the masks were.
 */
#ifndef FORMA_TESTS_WALK_H
#define FORMA_TESTS_WALK_H

#include "tokenmask/vocabulary.h"

enum walk_kind {
    WALK_END,       /* end tokens */
    WALK_CLOSING,   /* punctuation that begins with " } or ] */
    WALK_STRUCTURE, /* other punctuation of JSON */
    WALK_NUMBER,    /* of 0-9 + - . e E only */
    WALK_BLANK,     /* of blanks only */
    WALK_SHORT,     /* other tokens of one byte */
    WALK_MIXED,     /* others with a quote, a backslash, a bracket or a brace */
    WALK_TEXT,      /* all others */
    WALK_KINDS
};

struct walker {
    const struct forma_vocabulary *v;
    size_t words;
    uint32_t *rows[WALK_KINDS]; /* the tokens of each kind, as masks */
};

/* NULL: no memory. The vocabulary must outlive it. */
struct walker *walker_new(const struct forma_vocabulary *v);
void walker_free(struct walker *w);

/* How tokens are drawn: evenly among all, or first a kind, by weight, and then evenly in it. */
struct walk_policy {
    const char *name;
    bool evenly;
    double weights[WALK_KINDS];
};
/* The n-th of a cycle of five; the weights of the last are drawn. */
struct walk_policy walk_policy(unsigned n, uint64_t *random);
/* An allowed token; UINT32_MAX where there is none. */
uint32_t walk_draw(const struct walker *w, const struct walk_policy *policy, const uint32_t *row,
                   uint64_t *random);
/* The longest token along a text, UINT32_MAX: none. */
uint32_t walk_longest(const struct walker *w, const unsigned char *text, size_t length);

double walk_now_ms(void); /* of the thread's own time */

struct walk_how {
    const struct walk_policy *policy;
    uint64_t seed;
    unsigned tokens;       /* drawn, before the completion is followed */
    unsigned ms;           /* the same in milliseconds; 0: none */
    size_t plan_bytes;     /* of the completion: longer ones are not followed */
    unsigned follow_masks; /* masks that are asked for along the completion */
    /* Matchers of the same form, reset and led along: their masks must be equal. */
    struct forma_matcher *const *twins;
    size_t n_twins;
    /* Now and then steps are taken back and done again, and a copy of the matcher goes its own way
     * for a while; neither may leave a trace. */
    bool shake;
    unsigned slow_every;  /* one mask of so many is compared with its definition; 0: none */
    unsigned plans_every; /* at one place of so many forced tokens and plans are tried; 0: at none.
                           * The completion that is known in the end may then be another */
};

enum walk_end {
    WALK_DRAWN,    /* an end token was drawn */
    WALK_FOLLOWED, /* the completion was followed */
    WALK_CUT       /* it was too long to be */
};

/* Freed by walk_destroy; a zeroed one is fine, and one may be walked again. */
struct walk {
    unsigned char *text;
    size_t length, capacity;
    unsigned tokens, masks;
    uint64_t hash; /* of all masks and tokens */
    enum walk_end end;
    bool narrowed;     /* by a search limit, somewhere */
    bool late;         /* the completion was followed because of the time */
    const char *fault; /* what should not happen, constant; NULL: nothing */
    double mask_ms;    /* all masks */
};

/* Resets the matcher and walks. */
void walk_run(struct walk *walk, const struct walker *w, struct forma_matcher *m,
              const struct walk_how *how);
void walk_destroy(struct walk *walk);

#endif
