/* SPDX-License-Identifier: MIT
 *
 * Reading a JSON string (RFC 8259, section 7): escapes are decoded in front of languages over
 * decoded text, so "\u0061" and "a" are the same string. A string state is interned: the residual
 * languages (goal 0 is the demand, the others are tracked), the number of code points begun (only
 * while a length still matters), where we stand inside a raw character, and inside an escape.
 * A state is dead unless the demand can still be met in the style, by spellable characters.
 *
 * Escape styles: `minimal` escapes only what must be: \" \\ \b \f \n \r \t and \u00xx (lower
 * case) for the other control characters. `any` allows every escape. A lone surrogate is never
 * written.
 *
 * Next states are kept in rows by class of bytes (byte_rows.h). Grows in the arena. One owner.
 */
#ifndef FORMA_AUTOMATON_JSON_STRING_H
#define FORMA_AUTOMATON_JSON_STRING_H

#include "automaton/regex.h"
#include "automaton/spellable.h"
#include "base/hash.h"

typedef uint32_t string_state;
#define STRING_DEAD   0u
#define STRING_CLOSED 1u /* the closing quote was read */

struct string_reader;
struct regex_pure;

/* The characters that can be written in the style with an alphabet of bytes, as ranges for
 * regex_store_new. Returns how many; `ranges` has room for SPELLABLE_MAX_RANGES. */
size_t string_spellable(const bool alphabet[256], bool any_escape, struct code_range *ranges);

struct string_reader *string_reader_new(struct arena *arena, struct regex_store *regex,
                                        const bool alphabet[256], bool any_escape,
                                        uint64_t max_work);

/* How a byte of a string's text is written in the style `minimal`, which every style knows; returns the
 * length. */
size_t string_spell(unsigned char byte, unsigned char out[6]);

/* How many states there are: for tests and measurements. */
uint32_t string_reader_states(const struct string_reader *r);

/* After the opening quote. terms[0] is the demand. */
string_state string_begin(struct string_reader *r, const term_id *terms, uint32_t n, bool *limited);
string_state string_step(struct string_reader *r, string_state s, unsigned char byte,
                         bool *limited);
/* Verdict on goal i at a state whose next byte was the closing quote (it stands between
 * characters). */
bool string_verdict(struct string_reader *r, string_state s, uint32_t goal);
/* The demand's residual language, its length register and place inside a character. */
term_id string_residual(const struct string_reader *r, string_state s, uint64_t *k,
                        partial_id *partial);
/* Where the state stands: between characters, inside a raw one, behind a backslash, further inside
 * an escape. */
enum string_where { STRING_BETWEEN, STRING_INSIDE, STRING_BACKSLASH, STRING_ESCAPE };
enum string_where string_where(const struct string_reader *r, string_state s);
/* Bytes of decoded text that the step from `s` by `byte` to `next` has completed (0 to 4); raw
 * bytes come one by one. */
size_t string_decoded(const struct string_reader *r, string_state s, unsigned char byte,
                      string_state next, unsigned char out[4]);
/* Where a state stands between characters and outside an escape: */
struct string_facts {
    bool between;  /* or not; then nothing else holds */
    bool settled;  /* every further character leads back here: all goals are decided */
    bool dense;    /* the demand can be met whatever characters come next, */
    uint64_t room; /* as long as they are no more than this (UINT64_MAX: any number) */
    bool closes;   /* settled or dense: behind each of these the demand is met, and what the other
                    * goals say is decided */
    bool listed;   /* the demand is a list of strings */
};
struct string_facts string_facts(const struct string_reader *r, string_state s);
bool string_is_escaping(const struct string_reader *r, string_state s);
bool string_knows_any_escape(const struct string_reader *r);
/* The same place with nothing tracked: what it can read hangs on this alone. */
string_state string_inside(struct string_reader *r, string_state s);
/* A place between characters, without bounds on the length of the string where these stand beside
 * all else: at most *room characters may still come, at least *owed must. Else s itself. */
string_state string_loosen(struct string_reader *r, string_state s, uint64_t *room, uint64_t *owed);
/* Characters that must still begin to meet the demand, `least` at least; UINT64_MAX: it cannot be (or
 * that is a limit: the search adds to *work, up to `limit`). Not inside an escape, no bounds on the
 * length. */
uint64_t string_need(struct string_reader *r, string_state s, uint64_t least, uint64_t *work,
                     uint64_t limit, bool *limited);
/* Can the demand be met with any number of characters from the least on, as its form tells? */
bool string_is_gapless(const struct string_reader *r, string_state s);
/* A place between characters with nothing tracked whose language is read by a machine alone: see
 * regex_machine.h. */
bool string_pure(struct string_reader *r, string_state s, struct regex_pure *p);
/* The same place in the text with another demand, `term` (nothing tracked); dead when it cannot be
 * met from there. */
string_state string_retarget(struct string_reader *r, string_state s, term_id term, bool *limited);
/* The next byte of a completion; '"' at its end. Follow it by string_step. */
unsigned char string_witness_byte(struct string_reader *r, string_state s);

#endif
