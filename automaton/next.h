/* SPDX-License-Identifier: MIT
 *
 * What may come next at a state, one thing at a time, and what may not although a reader of JSON
 * would look for it there. The machine knows what and how it is written; which rules of the schema
 * are behind it is the schema layer's to say (schema/explain_text.c).
 *
 * The things that may come cover the bytes that may come exactly: each byte that a live state
 * follows is the first byte of one of them, and no other byte is.
 */
#ifndef FORMA_AUTOMATON_NEXT_H
#define FORMA_AUTOMATON_NEXT_H

#include "automaton/machine.h"
#include "base/text.h"

enum next_kind {
    NEXT_BLANK,        /* white space */
    NEXT_VALUE,        /* a value of `type` */
    NEXT_MEMBER,       /* the member `name` */
    NEXT_OTHER_MEMBER, /* a member whose name the form does not say */
    NEXT_ITEM,         /* another item */
    NEXT_CLOSE,        /* the end of the object or array */
    NEXT_COLON,
    NEXT_CHARACTER,  /* of a string or name */
    NEXT_ESCAPE,     /* of a string or name, or the rest of one */
    NEXT_QUOTE,      /* the end of the string or name */
    NEXT_DIGIT,      /* or another byte of a number */
    NEXT_NUMBER_END, /* the end of the number */
    NEXT_REST,       /* of what has been begun */
    NEXT_END,        /* of the text */
    NEXT_BYTES       /* some bytes */
};

#define NEXT_NO_TYPE  UINT32_MAX
#define NEXT_ANY_GOAL 1u /* GOAL_TRUE */

struct next_item {
    struct forma_next shown; /* borrowed for the visit; without rules */
    enum next_kind kind;
    unsigned type;    /* NEXT_VALUE: enum value_type */
    bool is_string;   /* NEXT_REST: of a string */
    bool in_key;      /* characters, escapes and quotes: of a name */
    const char *name; /* decoded, of a member; of one of those that are possible, if any may be */
    size_t name_length;
    uint32_t goal; /* members, items: what their value must meet */
};

typedef void (*next_visit)(void *ctx, const struct next_item *item);

/* Does the state go on with the thing? What comes before; then its text, where it has one, else any
 * of its bytes; the end of the text where it has neither. */
bool machine_can(struct machine *m, struct state s, const struct next_item *item);

/* Visits the bytes that may come, in a few words: for machines without a better list. */
void machine_list_bytes(struct machine *m, struct state s, next_visit visit, void *ctx);

/* The bytes that lead to live states. */
void machine_live_bytes(struct machine *m, struct state s, uint32_t bytes[8]);

#define BYTES_HAS(set, b) ((set)[(b) / 32] >> ((b) % 32) & 1u)
#define BYTES_ADD(set, b) ((set)[(b) / 32] |= UINT32_C(1) << ((b) % 32))
bool bytes_are_empty(const uint32_t bytes[8]);

/* "a-z 0-9 0x80-0xBF", cut with "..." where it gets long. */
void text_add_bytes(struct text *t, const uint32_t bytes[8]);
/* The code point as a person reads it: itself, or U+200B. */
void text_add_code(struct text *t, uint32_t code_point);
/* Bytes inside double quotes, as JSON would write them; at most `limit` of them, then "...". */
void text_add_quoted(struct text *t, const char *text, size_t length, size_t limit);

/* ---- listing ------------------------------------------------------------------------------- */

/* Makes things one by one. What is possible is cut to the bytes that live, and what the things leave
 * over of these becomes one thing at the end. */
struct lister {
    struct machine *machine;
    struct state s;
    next_visit visit;
    void *ctx;
    uint32_t live[8], covered[8];
    struct text what, why; /* of the thing being made; emptied by next_begin */
    char what_out[512], why_out[256];
};

void next_open(struct lister *l, struct machine *m, struct state s, next_visit visit, void *ctx);
/* A thing with empty words. */
struct next_item next_begin(struct lister *l, enum next_kind kind);
/* Its first bytes. */
void next_add_range(struct next_item *item, unsigned first, unsigned last);
void next_add_each(struct next_item *item, const char *bytes);
/* Its text, and what comes before; they must stay where they are until it is handed out. */
void next_set_before(struct next_item *item, const char *text, size_t length);
void next_set_text(struct next_item *item, const char *text, size_t length);
/* Hands it out as possible, if some of its bytes live. Its first byte is that of its text, where it
 * has one. */
bool next_possible(struct lister *l, struct next_item *item);
/* Hands it out as not possible, if the state cannot go on with it. */
void next_blocked(struct lister *l, struct next_item *item);
/* One way or the other. */
void next_add(struct lister *l, struct next_item *item);
/* The live bytes that are left, and the end of the text. */
void next_close(struct lister *l);

#endif
