/* SPDX-License-Identifier: MIT
 *
 * The walk: nodes in depth-first order, the state behind each open node on a stack, a dead state
 * skips the subtree.
 *
 * The loop rule makes it cheap where it would be long, inside a free string. Let q be the state of
 * the mask. A byte class *loops* when each of its bytes leads from q back to q; a class of UTF-8
 * lead bytes loops when each character that begins so leads from q back to q by live states. If
 * the text before a node is back in q, at the end of a character, and all bytes of the node's
 * subtree are of looping classes, then the whole subtree is viable and its ids, which lie side by
 * side, are set without a step. Tokens that are not the beginning of well-formed UTF-8 have a
 * class of their own (TRIE_ILL_FORMED), which never loops: so continuation bytes are only met
 * where the check of their lead bytes expects them. Every claim is checked by stepping; nothing is
 * assumed of the machine.
 *
 * A walk can go back, so the machine may guess (machine.h): where a step says that its answer hangs
 * on what was left open, the node's bytes are stepped again from the walk's state, without.
 */
#include "tokenmask/mask.h"

#include <string.h>

#include "tokenmask/mask_string.h"

bool mask_is_empty(const uint32_t *row, size_t words) {
    for (size_t i = 0; i < words; i++)
        if (row[i]) return false;
    return true;
}

size_t mask_count(const uint32_t *row, size_t words) {
    size_t n = 0;
    for (size_t i = 0; i < words; i++) n += (size_t)__builtin_popcount(row[i]);
    return n;
}

bool mask_scratch_init(struct mask_scratch *s, const struct forma_vocabulary *v,
                       const struct forma_allocator *allocator) {
    size_t frames = v->trie.max_depth + 1, words = (v->strings.n_tails + 31) / 32;
    memset(s, 0, sizeof *s);
    s->allocator = allocator;
    s->size = frames * (sizeof *s->path + sizeof *s->places + 1) + 2 * words * sizeof(uint32_t) +
              (mask_words(v->n_tokens) + 1) * sizeof *s->changes;
    s->block = fa_reserve(allocator, s->size);
    s->inside = inside_scratch_new(&v->strings, v->trie.max_depth, allocator);
    if (!s->block || !s->inside) return false;
    s->path = s->block;
    s->places = (struct place_frame *)(s->path + frames);
    s->tails.words = words;
    s->tails.yes = (uint32_t *)(s->places + frames);
    s->tails.unsure = s->tails.yes + words;
    s->changes = (uint16_t *)(void *)(s->tails.unsure + words);
    s->bytes = (unsigned char *)(s->changes + mask_words(v->n_tokens) + 1);
    return true;
}

void mask_scratch_destroy(struct mask_scratch *s) {
    if (s->block) fa_release(s->allocator, s->block, s->size);
    inside_scratch_free(s->inside);
    memset(s, 0, sizeof *s);
}

/* ---- the loop rule ------------------------------------------------------------------------- */

/* Do `left` bytes, the first of lo..hi and the others continuation bytes, lead from `from` to
 * `target`, whichever they are? One state a position suffices: if bytes part, the answer is no. */
static bool all_lead_to(struct machine *machine, const struct trie *t, struct state from,
                        unsigned left, unsigned lo, unsigned hi, struct state target) {
    for (; left; left--, lo = 0x80, hi = 0xBF) {
        struct state next = {0, 0};
        for (unsigned b = lo; b <= hi; b++) {
            if (!t->occurs[b]) continue;
            struct state s = machine_step(machine, from, (unsigned char)b);
            if (state_is_dead(s) || (!state_is_dead(next) && !state_equal(s, next))) return false;
            next = s;
        }
        if (state_is_dead(next)) return true; /* no token has such bytes */
        from = next;
    }
    return state_equal(from, target);
}

/* Classes of lead bytes that loop. RFC 3629, section 4: what may follow which lead byte. */
static uint64_t looping_leads(struct machine *machine, const struct trie *t, struct state q,
                              const struct state *row) {
    static const unsigned char leads[][5] = {
        /* leads, first continuation, continuations */
        {0xC2, 0xDF, 0x80, 0xBF, 1}, {0xE0, 0xE0, 0xA0, 0xBF, 2}, {0xE1, 0xEC, 0x80, 0xBF, 2},
        {0xED, 0xED, 0x80, 0x9F, 2}, {0xEE, 0xEF, 0x80, 0xBF, 2}, {0xF0, 0xF0, 0x90, 0xBF, 3},
        {0xF1, 0xF3, 0x80, 0xBF, 3}, {0xF4, 0xF4, 0x80, 0x8F, 3}};
    uint64_t loops = 0, broken = 0;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        struct state checked = {0, 0};
        for (unsigned b = leads[i][0]; b <= leads[i][1]; b++) {
            uint64_t class = UINT64_C(1) << trie_class((unsigned char)b);
            if (!t->occurs[b] || (broken & class)) continue;
            bool same = !state_is_dead(checked) && state_equal(checked, row[b]);
            if (!same && (state_is_dead(row[b]) || !all_lead_to(machine, t, row[b], leads[i][4],
                                                                leads[i][2], leads[i][3], q)))
                broken |= class;
            checked = row[b];
            loops |= class;
        }
    }
    loops &= ~broken;
    bool all = (loops >> trie_class(0xC2) & 1) && (loops >> trie_class(0xE2) & 1);
    return all ? loops | TRIE_SPACES : loops;
}

/* row[b] = the state behind byte b, for the bytes that occur. */
static uint64_t looping_classes(struct machine *machine, const struct trie *t, struct state q,
                                struct state *row) {
    uint64_t loops = 0, broken = 0;
    for (unsigned b = 0; b < 256; b++) {
        row[b] = (struct state){0, 0};
        if (!t->occurs[b]) continue;
        row[b] = machine_step(machine, q, (unsigned char)b);
        uint64_t class = UINT64_C(1) << trie_class((unsigned char)b);
        if (b >= 0x80) continue;
        if (state_equal(row[b], q))
            loops |= class;
        else
            broken |= class;
    }
    loops &= ~broken;
    if (loops) {
        uint64_t leads = looping_leads(machine, t, q, row);
        if (leads) loops |= leads | TRIE_CONTINUATIONS;
    }
    return loops;
}

/* ---- the walk ------------------------------------------------------------------------------ */

static void allow_range(uint32_t *row, const struct trie *t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) mask_allow(row, t->ids[i]);
}

/* The same; which words were 0 is noted for the cache, which else would have to look for them. */
static void allow_noting(struct mask_scratch *s, uint32_t *row, const uint32_t *ids, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (s->noted && !row[ids[i] / 32]) s->changes[s->n_changes++] = (uint16_t)(ids[i] / 32);
        mask_allow(row, ids[i]);
    }
}

static bool may_end(struct machine *machine, const struct forma_vocabulary *v, struct state state) {
    return v->n_eos > 0 && machine->ops->accepts(machine, state);
}

/* The state behind the bytes of the path, the last of them `byte`, from its first state on: without
 * guesses. */
static struct state step_again(struct machine *machine, const struct mask_frame *path,
                               unsigned depth, unsigned char byte) {
    struct state s = path[0].state;
    machine->guessing = machine->guessed = false;
    for (unsigned d = 1; d < depth && !state_is_dead(s); d++)
        s = machine_step(machine, s, path[d].byte);
    if (!state_is_dead(s)) s = machine_step(machine, s, byte);
    machine->guessing = true;
    return s;
}

/* Behind a quote: may any characters come that are written as they are, as many as a token has? Then
 * what follows is viable as long as it holds neither quote nor backslash. */
static bool opens_free_string(struct machine *machine, const struct forma_vocabulary *v,
                              struct state s) {
    struct string_view view;
    return machine->ops->strings && machine->ops->strings->view(machine, s, &view) && view.dense &&
           view.room >= v->strings.most_characters && !view.has_exceptions;
}

static bool is_digit(unsigned char byte) {
    return byte >= '0' && byte <= '9';
}

static bool is_blank(unsigned char byte) {
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/* The last state of which it was found which of some bytes lead back to it. */
struct known_loops {
    struct state state;
    uint64_t classes;
};

/* Does every digit lead from s back to s? */
static uint64_t loops_on_digits(struct machine *machine, struct state s,
                                struct known_loops *known) {
    if (state_equal(s, known->state)) return known->classes;
    *known = (struct known_loops){s, TRIE_DIGITS};
    for (unsigned char d = '0'; d <= '9' && known->classes; d++)
        if (!state_equal(machine_step(machine, s, d), s)) known->classes = 0;
    return known->classes;
}

/* Which blanks do? */
static uint64_t loops_on_blanks(struct machine *machine, struct state s,
                                struct known_loops *known) {
    static const unsigned char blanks[] = {' ', '\n', '\r', '\t'};
    if (state_equal(s, known->state)) return known->classes;
    *known = (struct known_loops){s, 0};
    for (size_t i = 0; i < sizeof blanks; i++)
        if (state_equal(machine_step(machine, s, blanks[i]), s))
            known->classes |= UINT64_C(1) << trie_class(blanks[i]);
    return known->classes;
}

/* A walk over the tokens of `t` from `start`. */
struct walk {
    struct machine *machine;
    const struct forma_vocabulary *v;
    const struct trie *t;
    struct state start;
    uint64_t loops;       /* at the start, and wherever the text is back there */
    uint64_t plain;       /* of tokens inside strings */
    unsigned free_digits; /* at the start */
    struct known_loops digits, blanks;
};

/* Digits that may come: any number of them, or a few whichever they are. */
static void describe_number(struct walk *w, struct mask_frame *f) {
    const struct machine_strings *json = w->machine->ops->strings;
    f->digits = json ? json->digits(w->machine, f->state) : 0;
    if (!f->digits) f->loops = loops_on_digits(w->machine, f->state, &w->digits);
}

/* What is known behind a byte that led to s. */
static struct mask_frame describe_frame(struct walk *w, const struct mask_frame *parent,
                                        unsigned char byte, struct state s) {
    struct mask_frame f = {.state = s, .byte = byte};
    if (byte == '"')
        f.free = opens_free_string(w->machine, w->v, s);
    else
        f.free = parent->free && byte != '\\';
    if (f.free)
        f.loops = w->plain;
    else if (is_digit(byte))
        describe_number(w, &f);
    else if (is_blank(byte))
        f.loops = loops_on_blanks(w->machine, s, &w->blanks);
    if (byte < 0x80 && state_equal(s, w->start)) f.loops |= w->loops;
    return f;
}

/* `first`: the states behind each byte at the start; NULL: not known. */
static void walk(struct walk *w, const struct state *first, struct mask_scratch *scratch,
                 uint32_t *row) {
    const struct trie *t = w->t;
    struct mask_frame *path = scratch->path;
    path[0] = (struct mask_frame){.state = w->start, .loops = w->loops, .digits = w->free_digits};
    for (size_t i = 0; i < t->n_nodes;) {
        const struct trie_node *node = &t->nodes[i];
        const struct mask_frame *parent = &path[node->depth - 1];
        if ((node->classes & ~parent->loops) == 0 ||
            (node->height <= parent->digits && (node->classes & ~TRIE_DIGITS) == 0)) {
            allow_noting(scratch, row, t->ids + node->first,
                         t->nodes[i + node->skip].first - node->first);
            i += node->skip;
            continue;
        }
        struct state s = first && state_equal(parent->state, w->start)
                             ? first[node->byte]
                             : machine_step(w->machine, parent->state, node->byte);
        if (w->machine->guessed) s = step_again(w->machine, path, node->depth, node->byte);
        if (state_is_dead(s)) {
            i += node->skip;
            continue;
        }
        path[node->depth] = describe_frame(w, parent, node->byte, s);
        allow_noting(scratch, row, t->ids + node->first, t->nodes[i + 1].first - node->first);
        i++;
    }
}

static void fill(struct machine *machine, const struct forma_vocabulary *v, struct state state,
                 struct mask_scratch *scratch, uint32_t *row, size_t words) {
    struct state first[256];
    size_t needed = mask_words(v->n_tokens);
    scratch->noted = false;
    scratch->n_changes = 0;
    memset(row + needed, 0, (words - needed) * sizeof *row);
    if (!state_is_dead(state) && mask_fill_string(machine, v, state, scratch, row)) return;
    memset(row, 0, needed * sizeof *row);
    if (state_is_dead(state)) return;
    machine->guessing =
        true; /* the first state is known wholly: no step from it hangs on a guess */
    const struct machine_strings *json = machine->ops->strings;
    struct walk w = {.machine = machine, .v = v, .t = &v->trie, .start = state};
    w.plain = v->strings.plain_classes & ~TRIE_CONTROLS;
    bool outside = json && json->outside(machine, state);
    if (outside) {
        w.t = &v->strings.outside;
        w.free_digits = json->digits(machine, state);
        w.loops = loops_on_blanks(machine, state, &w.blanks);
        if (!w.free_digits) w.loops |= loops_on_digits(machine, state, &w.digits);
    } else {
        w.loops = looping_classes(machine, w.t, state, first);
    }
    scratch->noted = needed <= UINT16_MAX;
    walk(&w, outside ? NULL : first, scratch, row);
    machine->guessing = false;
    if (may_end(machine, v, state)) allow_noting(scratch, row, v->eos, v->n_eos);
}

void mask_fill(struct machine *machine, const struct forma_vocabulary *v, struct state state,
               struct mask_scratch *scratch, uint32_t *row, size_t words) {
    machine->masking = true;
    fill(machine, v, state, scratch, row, words);
    machine->masking = false;
}

void mask_fill_slow(struct machine *machine, const struct forma_vocabulary *v, struct state state,
                    uint32_t *row, size_t words) {
    memset(row, 0, words * sizeof *row);
    if (state_is_dead(state)) return;
    for (uint32_t id = 0; id < v->n_tokens; id++) {
        size_t length;
        const unsigned char *bytes = forma_vocabulary_bytes(v, id, &length);
        struct state s = state;
        for (size_t i = 0; i < length && !state_is_dead(s); i++)
            s = machine_step(machine, s, bytes[i]);
        if (bytes && !state_is_dead(s)) mask_allow(row, id);
    }
    if (!may_end(machine, v, state)) return;
    for (size_t i = 0; i < v->n_eos; i++) mask_allow(row, v->eos[i]);
}

void mask_allow_prefixes(struct machine *machine, const struct forma_vocabulary *v,
                         struct state state, const unsigned char *bytes, size_t length,
                         uint32_t *row) {
    const struct trie *t = &v->trie;
    for (size_t n = 1; n <= length && n <= t->max_depth; n++) {
        state = machine_step(machine, state, bytes[n - 1]);
        const struct trie_node *node = trie_find(t, bytes, n);
        if (state_is_dead(state) || !node) return;
        allow_range(row, t, node->first, node[1].first);
    }
}
