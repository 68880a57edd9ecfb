/* SPDX-License-Identifier: MIT
 *
 * How many digits may follow, whichever they are. Behind an integer part p they make one of the
 * integers [p, p + 1) * 10^n; where all of these are in the demand, each text may even end.
 */
#include "automaton/number_internal.h"

#define MOST_DIGITS 16u /* that are looked at; tokens hold fewer */

static enum truth truth_of(bool yes, bool no) {
    return yes ? TRUTH_YES : no ? TRUTH_NO : TRUTH_UNKNOWN;
}

/* Is an atom true of all integers of the range (an interval), or of none? */
static enum truth atom_truth(void *ctx, const struct number_store *s, uint32_t node) {
    static const unsigned char one_digit[1] = {1};
    static const struct decimal one = {one_digit, 1, false, 1};
    const struct reach *r = ctx;
    const struct set_node *k = &s->nodes.data[node];
    bool any = false;
    int low, high;
    switch (k->kind) {
    case SET_AT_LEAST:
    case SET_ABOVE:
        low = decimal_compare(&r->lo, &k->c);
        high = decimal_compare(&r->hi, &k->c);
        return truth_of(low > 0 || (low == 0 && k->kind == SET_AT_LEAST), high <= 0);
    case SET_MULTIPLE: return truth_of(decimal_is_multiple(&one, &k->c), false);
    case SET_VALUES:
        for (uint32_t i = 0; i < k->n && !any; i++) any = reach_has(r, &k->values[i]);
        return truth_of(false, !any);
    default: return TRUTH_UNKNOWN;
    }
}

unsigned number_free_digits(struct number_store *s, number_state state) {
    const struct number_key *k = &s->states.data[state].key;
    bool integer = k->phase == PHASE_INTEGER || k->phase == PHASE_WHOLE;
    if (!integer || !s->all_digits || !k->rest || k->f != 0 || !k->p.n_digits) return 0;
    static const unsigned char one_digit[1] = {1};
    static const struct decimal one = {one_digit, 1, false, 1};
    numset_id demand = numset_part(s, s->tuples.data[k->rest].sets[0], true);
    struct decimal above;
    size_t mark = scratch_mark(s);
    unsigned n = 0;
    if (decimal_add(&s->scratch, &k->p, &one, &above))
        for (; n < MOST_DIGITS; n++) {
            struct reach r = {.lo = decimal_scale(&k->p, n + 1),
                              .hi = decimal_scale(&above, n + 1)};
            if (numset_evaluate(s, demand, atom_truth, &r) != TRUTH_YES) break;
        }
    scratch_release(s, mark);
    return n;
}
