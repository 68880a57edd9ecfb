/* SPDX-License-Identifier: MIT
 *
 * Sets that depend on the spelling: is the number written whole, without fraction and exponent?
 * With one such question a set is a pair of sets of values, one for texts written whole and one
 * for the others. Texts written whole have integers as values, so the first is reduced to what it
 * says of integers; if the second says the same of them, the spelling does not matter and it
 * stands for the pair.
 */
#include "automaton/number_internal.h"

static const unsigned char one_digit[1] = {1};
static const struct decimal one = {one_digit, 1, false, 1};

static numset_id integer_values(struct number_store *s, uint32_t node) {
    struct set_node k = s->nodes.data[node];
    uint32_t n = 0;
    for (uint32_t i = 0; i < k.n; i++) n += decimal_is_integer(&k.values[i]);
    if (n == k.n || n == 0) return n ? node << 1 : NUMSET_NONE;
    struct decimal *kept = arena_push_array(s->arena, n, sizeof *kept);
    if (!kept) return NUMSET_NONE;
    n = 0;
    for (uint32_t i = 0; i < k.n; i++)
        if (decimal_is_integer(&k.values[i])) kept[n++] = k.values[i];
    return numset_sorted_values(s, kept, n);
}

static numset_id atom_on_integers(void *ctx, struct number_store *s, uint32_t node) {
    const struct set_node *k = &s->nodes.data[node];
    (void)ctx;
    if (k->kind == SET_VALUES) return integer_values(s, node);
    if (k->kind == SET_MULTIPLE && decimal_is_multiple(&one, &k->c)) return NUMSET_ALL;
    return node << 1;
}

static numset_id on_integers(struct number_store *s, numset_id a) {
    return numset_map(s, a, atom_on_integers, NULL);
}

numset_id numset_written(struct number_store *s, numset_id whole, numset_id other) {
    numset_id sign = other & 1;
    other ^= sign;
    whole = on_integers(s, whole ^ sign);
    if (whole == on_integers(s, other)) return other ^ sign;
    const numset_id kids[2] = {whole, other};
    numset_id id = numset_intern(s, (struct set_node){.kind = SET_WRITTEN, .kids = kids, .n = 2});
    return s->arena->failed ? NUMSET_NONE : id ^ sign;
}

numset_id numset_written_whole(struct number_store *s) {
    if (!s->any_form) return numset_multiple_of(s, &one);
    if (!s->writable[CLASS_POINT] && !s->writable[CLASS_E]) return NUMSET_ALL;
    s->has_written = true;
    return numset_written(s, NUMSET_ALL, NUMSET_NONE);
}

unsigned numset_spellings(struct number_store *s, numset_id out[2]) {
    out[0] = s->has_written ? numset_written_whole(s) : NUMSET_ALL;
    out[1] = out[0] ^ 1;
    return s->has_written ? 2 : 1;
}

static numset_id and_parts(struct number_store *s, const numset_id *sets, size_t n, bool whole) {
    size_t mark = scratch_mark(s);
    numset_id *parts = arena_push_array(&s->scratch, n, sizeof *parts);
    if (!parts) {
        scratch_release(s, mark);
        parts = arena_push_array(s->arena, n, sizeof *parts);
        if (!parts) return NUMSET_NONE;
    }
    for (size_t i = 0; i < n; i++) parts[i] = numset_part(s, sets[i], whole);
    numset_id id = numset_and(s, parts, n);
    scratch_release(s, mark);
    return id;
}

numset_id numset_written_and(struct number_store *s, const numset_id *sets, size_t n) {
    numset_id whole = and_parts(s, sets, n, true);
    return numset_written(s, whole, and_parts(s, sets, n, false));
}

numset_id numset_written_values(struct number_store *s, numset_id a) {
    if (!numset_is_written(s, a)) return a;
    numset_id whole[2] = {numset_part(s, a, true), numset_multiple_of(s, &one)};
    numset_id either[2] = {numset_and(s, whole, 2), numset_part(s, a, false)};
    return numset_or(s, either, 2);
}
