/* SPDX-License-Identifier: MIT
 *
 * The JSON machine as its own files see it: json_machine.c (life, stepping), json_context.c
 * (frames), json_keys.c (keys of objects), json_record.c (values that are kept), json_blanks.c,
 * json_completion.c, json_describe.c, json_sample.c, json_bound.c.
 *
 * A context is an interned, immutable record:
 *
 *     VALUE    a value is expected that meets roots[0]; roots[1..] are tracked for `parent`
 *     OBJECT   an open object, roots = its formulas: [demand, tracked...]
 *     ARRAY    an open array, the same
 *     PENDING  an open container whose child is being read: roots = the stepped formulas, tracked
 *              = the goals whose verdicts they wait for
 *     END      the whole text has been read
 *
 *     VALUE -{-> OBJECT -key-> VALUE(parent: PENDING) ... -verdicts-> OBJECT ... -}-> (parent)
 *
 * Fields below "memo" are filled on demand and say nothing new. UINT32_MAX = not known yet.
 */
#ifndef FORMA_AUTOMATON_JSON_INTERNAL_H
#define FORMA_AUTOMATON_JSON_INTERNAL_H

#include "automaton/json_machine.h"
#include "automaton/json_string.h"
#include "automaton/next.h"
#include "automaton/solver.h"

#define NOT_KNOWN UINT32_MAX

enum context_kind {
    CONTEXT_DEAD,
    CONTEXT_VALUE,
    CONTEXT_OBJECT,
    CONTEXT_ARRAY,
    CONTEXT_PENDING_OBJECT,
    CONTEXT_PENDING_ARRAY,
    CONTEXT_END
};

struct context {
    uint8_t kind;
    uint8_t may_guess; /* memo. VALUE, OBJECT: 0 not known, 1 no, 2 yes (json_record.c) */
    bool is_recorded;  /* VALUE: its value is wanted. It follows from the parent, and so does: */
    bool is_guessed;   /* not all items before it are known, or before what it is in */
    bool has_guessed_name;   /* OBJECT, PENDING: one of the names read is any of a class */
    bool names_are_declared; /* OBJECT, once `keys` is known: no undeclared name may come, so none
                              * that was read is in the language */
    uint32_t parent;         /* 0: the whole text */
    uint32_t depth;          /* open containers, this one included */
    uint32_t n_roots, n_tracked;
    const goal_id *roots, *tracked;
    uint32_t order; /* objects: key order id (style "schema"), 0 = none */
    uint32_t rank;  /* objects: names of the order before this index can no longer come */
    name_set seen;  /* objects: names that were read, those of the order excepted; arrays, while a
                     * root asks for unique items: the values that were read */
    /* What was read of a container whose own value is wanted (see RECORD_EMPTY); and PENDING, then:
     * the name of the member that is being read. */
    uint32_t recorded, member;
    /* not part of the identity: for messages, the goal of the container that is open */
    goal_id shown;
    /* memo */
    uint32_t string, number; /* VALUE: their first states */
    uint32_t object, array;  /* VALUE: the frame that { or [ opens, 0 = none */
    uint32_t item;           /* ARRAY: the VALUE of the next item, 0 = none */
    uint32_t keys;           /* OBJECT: first string state of the key language, 0 = none */
    uint32_t names;          /* OBJECT, PENDING: how its names are told apart, 0 = not known yet */
    string_state undeclared; /* OBJECT: the automaton of the undeclared ones, or NOT_KNOWN */
};

/* A declared order of names. */
struct key_order {
    const uint32_t *names;
    uint32_t n;
    const uint32_t *by_name; /* indices into names, sorted by name id */
};

/* Where a key is read: in its text; and, only while speculating, behind its closing quote or colon
 * with `count` blanks (elsewhere the member's VALUE takes over there). */
enum key_phase { KEY_TEXT, KEY_CLOSED, KEY_COLON };

/* A key being read: its place in the language of keys and the decoded text so far. Or a string or
 * number that is recorded: its string state or number state, and its text. */
struct key_state {
    string_state string;
    uint32_t prefix;
    uint8_t phase, count;
};

/* Decoded texts of keys as a tree; node 0 is the empty text. */
struct prefix_node {
    uint32_t parent, length;
    unsigned char byte;
};

/* Records made while speculating, dropped together (json_key_text.c); their ids have SPECULATIVE
 * set. */
#define SPECULATIVE (UINT32_C(1) << 28)
struct speculative_zone {
    void *records;
    uint32_t count, capacity;
};

/* Names that may come next in an object (json_keys.c). */
struct key_language {
    goal_id formula;
    uint32_t order, rank, depth;
    name_set seen;
    term_id term;
    bool undeclared; /* among them some that the formula and the order do not hold */
};

/* context.recorded: a list or set of children (json_value.h) plus RECORD_EMPTY; or RECORD_SOME,
 * while speculating, when not all of them are known. */
#define RECORD_NONE  0u
#define RECORD_SOME  1u
#define RECORD_EMPTY 2u

struct key_child {
    uint32_t object, name, value;
};
#define MAX_KEY_CLASSES 14
#define KEY_CHILD_CLASS                                                                            \
    (UINT32_C(1) << 31) /* in `name`: verdicts on classes, see key_child_of_class */

/* What the roots of an object tell apart: special names, and among the others classes. */
struct object_names {
    bool usable;
    uint32_t n_special;
    const uint32_t *special; /* sorted */
    uint32_t n_classes, n_varying;
    term_id classes[MAX_KEY_CLASSES]; /* reduced; those that hold some of the other names */
};

/* What is known of the least length of a value or of what is missing (json_bound.c). */
struct json_bound {
    uint32_t of, id;
    uint64_t bytes;
};

struct json_machine {
    struct machine base; /* first: the ops cast back */
    struct arena arena;
    const struct forma_allocator *allocator;
    struct json_pool *pool; /* where it goes when it is no longer needed; may be NULL */
    struct forma_style style;
    bool alphabet[256];
    size_t max_nesting;
    uint64_t max_work;
    size_t max_states;
    unsigned types; /* value types that the alphabet can write */
    struct regex_store *regex;
    struct number_store *numbers;
    struct goal_store *goals;
    struct solver *solver;
    struct string_reader *strings;
    struct json_form form;
    size_t mask_begin;  /* memory used when speculating began */
    uint64_t mask_work; /* of searches inside strings, since then */

    ARENA_VEC(struct context *) contexts;
    struct table context_table;
    ARENA_VEC(struct key_order) orders;
    struct table order_table;
    ARENA_VEC(struct key_state) key_states;
    struct table key_state_table;
    ARENA_VEC(struct prefix_node) prefixes;
    struct table prefix_table;
    struct speculative_zone new_key_states, new_prefixes;
    ARENA_VEC(struct key_language) key_languages;
    struct table key_language_table;
    ARENA_VEC(struct object_names) object_names; /* from 1 on */
    ARENA_VEC(struct key_child) key_children;
    struct table key_child_table;
    ARENA_VEC(struct json_bound) bounds;
    struct table bound_table;
};

/* One mask may take so much memory for places of strings, and search so many times as long as one
 * question: patterns with a state for every text are narrowed, not followed to all their states. */
#define MAX_MASK_BYTES ((size_t)48 << 20)
#define MASK_WORK      2
static inline bool json_mask_is_full(const struct json_machine *m) {
    return m->base.masking && m->arena.used - m->mask_begin > MAX_MASK_BYTES;
}

static inline struct context *context(const struct json_machine *m, uint32_t id) {
    return m->contexts.data[id];
}

/* ---- regions: three bits of kind, then what the kind needs --------------------------------- */

enum region_kind {
    REGION_BLANK,
    REGION_STRING,
    REGION_NUMBER,
    REGION_LITERAL,
    REGION_KEY,
    REGION_RECORDED_STRING,
    REGION_RECORDED_NUMBER
};
#define REGION_SHIFT 29
#define REGION_MASK  ((UINT32_C(1) << REGION_SHIFT) - 1)
static inline uint32_t region(enum region_kind kind, uint32_t payload) {
    return (uint32_t)kind << REGION_SHIFT | payload;
}
static inline enum region_kind region_kind(uint32_t r) {
    return (enum region_kind)(r >> REGION_SHIFT);
}

/* Where blanks may stand, and what follows. */
enum place {
    PLACE_TOP,          /* VALUE: the whole text */
    PLACE_AFTER_COLON,  /* VALUE of a member */
    PLACE_ITEM,         /* VALUE of an item behind a comma */
    PLACE_COLON,        /* VALUE of a member whose colon must come */
    PLACE_FIRST_KEY,    /* OBJECT behind { */
    PLACE_NEXT_KEY,     /* OBJECT behind a comma */
    PLACE_AFTER_MEMBER, /* OBJECT */
    PLACE_FIRST_ITEM,   /* ARRAY behind [ */
    PLACE_AFTER_ITEM,   /* ARRAY */
    PLACE_END           /* END */
};
#define PLACE_SHIFT 24
static inline uint32_t region_blank(enum place p, uint32_t count) {
    return region(REGION_BLANK, (uint32_t)p << PLACE_SHIFT | count);
}
static inline enum place region_place(uint32_t r) {
    return (enum place)((r & REGION_MASK) >> PLACE_SHIFT);
}
static inline uint32_t region_blank_count(uint32_t r) {
    return r & ((1u << PLACE_SHIFT) - 1);
}

enum literal { LITERAL_NULL, LITERAL_FALSE, LITERAL_TRUE };
extern const char *const json_literal_text[3];

/* ---- blanks ---------------------------------------------------------------------------------- */

#define FOLLOW_OPEN  1u /* a key, a value, a colon, the end of the text */
#define FOLLOW_COMMA 2u
#define FOLLOW_CLOSE 4u
#define BLANK_NONE   UINT32_MAX

/* After one more blank byte: the new count, or BLANK_NONE. `depth`: open containers. */
uint32_t blank_step(const struct forma_style *style, enum place p, uint32_t depth, uint32_t count,
                    unsigned char byte);
/* What may follow at once, and what may follow at once or after more blanks. */
unsigned blank_follow(const struct forma_style *style, enum place p, uint32_t depth,
                      uint32_t count);
unsigned blank_reach(const struct forma_style *style, enum place p, uint32_t depth, uint32_t count);
/* The blank byte to write so that `follow` gets nearer; 0 when it may come at once. */
unsigned char blank_witness(const struct forma_style *style, enum place p, uint32_t depth,
                            uint32_t count, unsigned follow);

/* ---- contexts -------------------------------------------------------------------------------- */

/* The interned context with this content (0 when memory is out; arrays are copied). */
uint32_t context_intern(struct json_machine *m, const struct context *key);
/* How deep a value inside `depth` containers may be. */
uint32_t context_room(const struct json_machine *m, uint32_t depth);
/* Is a value of goal g known that may stand there? A known one that is too deep narrows. */
bool context_fits(struct json_machine *m, goal_id g, uint32_t depth);
/* The same about an answer of the solver. */
bool context_found_fits(struct json_machine *m, enum sat_answer a, witness_id w, uint32_t depth);
/* A VALUE below `pending`, whose demand and tracked goals follow from its stepped roots. 0 when no
 * child can come. `key`: the pending context, not yet interned. */
uint32_t context_child(struct json_machine *m, struct context *key, enum value_type type);
/* The frame that opens under VALUE v; 0 = none. */
uint32_t context_open(struct json_machine *m, uint32_t v, enum value_type type);
/* The VALUE of the next item of ARRAY a; 0 = none. */
uint32_t context_item(struct json_machine *m, uint32_t a);
/* May the container close? */
bool context_can_close(struct json_machine *m, uint32_t c);
/* The state after a child of PENDING `parent` (0: the whole text) was read, with the verdicts on
 * the goals that it tracks, and its value where that is recorded. */
struct state context_return(struct json_machine *m, uint32_t parent, const bool *verdicts,
                            value_id value);
/* The state after OBJECT or ARRAY c was closed. */
struct state context_close(struct json_machine *m, uint32_t c);
/* Room for n verdicts on the scratch stack. */
bool *context_verdicts(struct json_machine *m, uint32_t n);

string_state context_string(struct json_machine *m, uint32_t v);
number_state context_number(struct json_machine *m, uint32_t v);

/* ---- texts of keys --------------------------------------------------------------------------- */

bool key_text_init(struct json_machine *m);
void key_text_forget(struct json_machine *m);
struct prefix_node prefix_get(const struct json_machine *m, uint32_t id);
uint32_t prefix_extend(struct json_machine *m, uint32_t parent, unsigned char byte);
/* The text of a prefix on the scratch stack; NULL (sticky failure) when it is full. */
char *prefix_text(struct json_machine *m, uint32_t prefix, size_t *length);
struct key_state key_state_get(const struct json_machine *m, uint32_t region);
uint32_t key_state_region(struct json_machine *m, enum region_kind kind, struct key_state k);
/* The state of OBJECT o in which key state k stands. */
struct state key_state_in(struct json_machine *m, uint32_t o, struct key_state k);
/* The residual language of a key without the names in `seen` (texts behind `prefix`). */
term_id key_unseen(struct json_machine *m, term_id residual, name_set seen, uint32_t prefix);
/* The same, or `residual` itself where that makes no difference to liveness. */
term_id key_without_seen(struct json_machine *m, term_id residual, name_set seen, uint32_t prefix);

/* ---- keys ------------------------------------------------------------------------------------ */

/* The first state of a key of OBJECT o (after its opening quote), dead when none can come. */
struct state key_begin(struct json_machine *m, uint32_t o);
struct state key_step(struct json_machine *m, struct state s, unsigned char byte);
/* If the key is over: the same place, seen from the member's VALUE. Else s itself. */
struct state key_settle(struct json_machine *m, struct state s);
unsigned char key_witness_byte(struct json_machine *m, struct state s);
bool key_is_possible(struct json_machine *m, uint32_t o);
/* The names that may come next in OBJECT o; those that were read may be among them where infinitely
 * many may come. */
term_id key_names(struct json_machine *m, uint32_t o);
/* A key that is being read, as a string of the names that may still come. */
string_state key_place(struct json_machine *m, struct state s);
/* The VALUE of member `name`, 0 = it cannot come. */
uint32_t key_child(struct json_machine *m, uint32_t o, uint32_t name);
/* Index in the order, or UINT32_MAX. */
uint32_t key_index(const struct json_machine *m, uint32_t order, uint32_t name);
/* Interns the order of an object that must meet `goals`. */
uint32_t key_order_for(struct json_machine *m, const goal_id *goals, uint32_t n);

/* The VALUE of a member of any of the undeclared names that the classes of the roots tell apart from
 * the others by these verdicts (one of them is `name`), 0 = it cannot come. */
uint32_t key_child_of_class(struct json_machine *m, uint32_t o, uint32_t verdicts, uint32_t name);
/* The same, if it has been made already. */
bool key_class_child_find(struct json_machine *m, uint32_t o, uint32_t verdicts, uint32_t *value);
extern const struct machine_strings json_strings; /* json_inside.c */

/* ---- names that need not be told apart (json_names.c) ----------------------------------------- */

/* The names of an object's language that are not special. */
term_id names_undeclared(struct json_machine *m, term_id language);
/* Those of OBJECT o (until the next call); NULL: too many classes, or memory. */
struct object_names *names_of(struct json_machine *m, uint32_t o);
/* Special, or read before? names_of(m, o) must be usable. */
bool names_is_special(struct json_machine *m, uint32_t o, uint32_t name);

/* ---- values that are recorded ---------------------------------------------------------------- */

/* The string or number state of a region, recorded or not. */
uint32_t json_piece(const struct json_machine *m, uint32_t region);
/* VALUE v behind the opening quote. */
struct state record_string(struct json_machine *m, uint32_t v, string_state s);
struct state record_step_string(struct json_machine *m, struct state s, unsigned char byte);
/* If the string is over: the same place, behind it. Else s itself. */
struct state record_settle(struct json_machine *m, struct state s);
/* VALUE v behind `byte`, which follows the text `before` and leads to s. */
struct state record_number(struct json_machine *m, uint32_t v, uint32_t before, unsigned char byte,
                           number_state s);
struct state record_step_number(struct json_machine *m, struct state s, unsigned char byte,
                                number_state next);
/* VALUE_NONE (narrowed) when its text is too long. */
value_id record_number_value(struct json_machine *m, uint32_t region);
/* Is it all the same to what follows which string VALUE v reads, or which name OBJECT v? */
bool record_may_guess(struct json_machine *m, uint32_t v);
/* context.is_guessed of a child of `pending`. */
bool record_is_guessed(const struct json_machine *m, const struct context *pending);
/* Does a step in s hang on what was left open (machine.h)? */
bool record_is_open(const struct json_machine *m, struct state s, unsigned char byte);
/* What is recorded of the container once the child was read. */
uint32_t record_child(struct json_machine *m, const struct context *pending, value_id value);
/* The value of OBJECT or ARRAY c, closed now; VALUE_NONE where it is not recorded. */
value_id record_value(struct json_machine *m, const struct context *c);

/* ---- ops ------------------------------------------------------------------------------------- */

struct state json_step(struct machine *base, struct state s, unsigned char byte);
struct state json_step_blank(struct json_machine *m, struct state s, unsigned char byte);
bool json_accepts(struct machine *base, struct state s);
/* The state behind a string: VALUE v stood at `at` when the quote came. */
struct state json_end_string(struct json_machine *m, uint32_t v, string_state at, value_id value);
/* The state in which the number that s has read is over (s is a number that may end). */
struct state json_end_number(struct json_machine *m, struct state s);
size_t json_completion(struct machine *base, struct state s, unsigned char *out, size_t capacity);
/* Pointer of the schema that a person would look up for a goal; NULL when none is behind it. */
const char *json_goal_pointer(struct json_machine *m, goal_id g);
/* Why no value meets goal g: a clause without a full stop into `out`, and the place (never NULL) of
 * the innermost schema that is to blame, as far as it can be told. */
const char *json_explain_unsat(struct json_machine *m, goal_id g, char *out, size_t capacity);
void json_describe(struct machine *base, struct state s, char *out, size_t capacity);
/* What VALUE v may be, as json_describe says it but without the pointer. */
struct text;
void json_describe_value(struct json_machine *m, struct text *t, uint32_t v);
/* "a number", and which. */
void json_describe_number(struct json_machine *m, struct text *t, uint32_t v);
/* Names of members without which OBJECT o cannot be completed: up to `capacity` of them; *n is at
 * most capacity + 1, then there are more. False: none is known. */
bool json_missing(struct json_machine *m, uint32_t o, uint32_t *names, size_t capacity, size_t *n);
/* json_next.c */
void json_next(struct machine *base, struct state s, next_visit visit, void *ctx);
/* json_dot.c */
void json_draw(struct machine *base, struct state s, enum forma_drawing what, size_t max_states,
               FILE *out);
size_t json_suggest(struct machine *base, struct state s, const struct sample_mood *mood,
                    struct rng *rng, unsigned char *out, size_t capacity);
uint64_t json_at_least(struct machine *base, struct state s);

#endif
