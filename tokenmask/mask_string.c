/* SPDX-License-Identifier: MIT */
#include "tokenmask/mask_string.h"

#include <string.h>

struct string_mask {
    struct machine *machine;
    const struct machine_strings *ops;
    const struct forma_vocabulary *v;
    const struct string_tokens *tokens;
    struct state state;
    struct string_view view;
    struct mask_scratch *scratch;
    uint32_t *row;
};

static void forbid(uint32_t *row, uint32_t id) {
    row[id / 32] &= ~(UINT32_C(1) << id % 32);
}

static void allow_range(struct string_mask *m, const struct trie *t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) mask_allow(m->row, t->ids[i]);
}

/* ---- inside ---------------------------------------------------------------------------------- */

/* Tokens that need no more than `room` characters. */
static void fill_by_room(struct string_mask *m, uint64_t room) {
    const struct string_tokens *t = m->tokens;
    size_t bytes = t->words * sizeof *m->row;
    const uint32_t *free_row = t->free_rows[m->view.any_escape];
    if (room >= t->most_characters) {
        memcpy(m->row, free_row, bytes);
        return;
    }
    uint64_t known = room < STRING_ROOMS ? room : STRING_ROOMS - 1;
    memcpy(m->row, t->room_rows[m->view.any_escape] + known * t->words, bytes);
    for (size_t i = 0; i < t->n_longer && t->longer[i].characters <= room; i++)
        if (mask_test(free_row, t->longer[i].id)) mask_allow(m->row, t->longer[i].id);
}

static void fill_inside(struct string_mask *m) {
    if (m->view.dense)
        fill_by_room(m, m->view.room);
    else
        inside_fill(m->scratch->inside, m->machine, &m->view, m->row);
}

/* ---- exactly --------------------------------------------------------------------------------- */

static struct state step_all(struct machine *machine, struct state s, const unsigned char *bytes,
                             size_t n) {
    machine->guessing = machine->guessed = false;
    for (size_t i = 0; i < n && !state_is_dead(s); i++) s = machine_step(machine, s, bytes[i]);
    return s;
}

static void decide_token(struct string_mask *m, uint32_t id) {
    size_t n;
    const unsigned char *bytes = forma_vocabulary_bytes(m->v, id, &n);
    if (state_is_dead(step_all(m->machine, m->state, bytes, n)))
        forbid(m->row, id);
    else
        mask_allow(m->row, id);
}

/* Nodes of `closing` from `begin` on, all below one whose depth is `depth` and behind which the
 * machine is in s. */
static void walk_exactly(struct string_mask *m, size_t begin, size_t end, uint32_t depth,
                         struct state s) {
    const struct trie *t = &m->tokens->closing;
    struct mask_frame *path = m->scratch->path;
    path[depth].state = s;
    for (size_t i = begin; i < end;) {
        const struct trie_node *node = &t->nodes[i];
        s = machine_step(m->machine, path[node->depth - 1].state, node->byte);
        if (state_is_dead(s)) {
            i += node->skip;
            continue;
        }
        path[node->depth].state = s;
        allow_range(m, t, node->first, t->nodes[i + 1].first);
        i++;
    }
}

/* ---- tails ----------------------------------------------------------------------------------- */

static void mark(uint32_t *bits, uint32_t tail) {
    bits[tail / 32] |= UINT32_C(1) << tail % 32;
}

/* Which tails may follow in state s. Some may hang on what was left open. */
static void read_tails(struct string_mask *m, struct state s) {
    const struct trie *t = &m->tokens->tails;
    struct tail_row *out = &m->scratch->tails;
    struct mask_frame *path = m->scratch->path;
    if (!state_is_dead(out->state) && state_equal(out->state, s)) return;
    out->state = s;
    memset(out->yes, 0, 2 * out->words * sizeof *out->yes);
    out->any_unsure = false;
    mark(out->yes, 0);
    path[0].state = s;
    m->machine->guessing = true;
    m->machine->guessed = false;
    for (size_t i = 0; i < t->n_nodes;) {
        const struct trie_node *node = &t->nodes[i];
        s = machine_step(m->machine, path[node->depth - 1].state, node->byte);
        if (m->machine->guessed) {
            m->machine->guessed = false;
            out->any_unsure = true;
            for (size_t k = i; k < i + node->skip; k++)
                if (t->nodes[k].first < t->nodes[k + 1].first)
                    mark(out->unsure, t->ids[t->nodes[k].first]);
            i += node->skip;
            continue;
        }
        if (state_is_dead(s)) {
            i += node->skip;
            continue;
        }
        path[node->depth].state = s;
        if (node->first < t->nodes[i + 1].first) mark(out->yes, t->ids[node->first]);
        i++;
    }
    m->machine->guessing = false;
}

static void allow_entry(struct string_mask *m, uint32_t entry) {
    if (m->view.any_escape || m->tokens->minimal[entry])
        mask_allow(m->row, m->tokens->closing.ids[entry]);
}

/* All closing tokens, whatever stands before the quote, if it is no more than `room` characters. */
static void allow_tails(struct string_mask *m, uint64_t room) {
    const struct string_tokens *t = m->tokens;
    const struct tail_row *tails = &m->scratch->tails;
    for (size_t w = 0; w < tails->words; w++)
        for (uint32_t bits = tails->yes[w]; bits; bits &= bits - 1) {
            size_t tail = 32 * w + (size_t)__builtin_ctz(bits);
            for (uint32_t i = t->tail_first[tail]; i < t->tail_first[tail + 1]; i++)
                if (t->before[t->tail_entries[i]] <= room) allow_entry(m, t->tail_entries[i]);
        }
    for (size_t w = 0; tails->any_unsure && w < tails->words; w++)
        for (uint32_t bits = tails->unsure[w]; bits; bits &= bits - 1) {
            size_t tail = 32 * w + (size_t)__builtin_ctz(bits);
            for (uint32_t i = t->tail_first[tail]; i < t->tail_first[tail + 1]; i++)
                if (t->before[t->tail_entries[i]] <= room)
                    decide_token(m, t->closing.ids[t->tail_entries[i]]);
        }
}

/* The same for the entries of a subtree. */
static void allow_entries(struct string_mask *m, uint32_t begin, uint32_t end) {
    const struct tail_row *tails = &m->scratch->tails;
    for (uint32_t k = begin; k < end; k++) {
        uint32_t tail = m->tokens->tail[k];
        if (mask_test(tails->yes, tail))
            allow_entry(m, k);
        else if (tails->any_unsure && mask_test(tails->unsure, tail))
            decide_token(m, m->tokens->closing.ids[k]);
    }
}

/* ---- closing --------------------------------------------------------------------------------- */

/* The state behind the quote at `place`, and which tails may follow it. False: it may not close. */
static bool close_at(struct string_mask *m, uint32_t place, const unsigned char *bytes, size_t n) {
    bool shared;
    struct state s = m->ops->close(m->machine, m->state, place, bytes, n, &shared);
    if (state_is_dead(s)) return false;
    read_tails(m, s);
    return true;
}

static void walk_closing(struct string_mask *m) {
    const struct trie *t = &m->tokens->closing;
    struct place_frame *path = m->scratch->places;
    unsigned char *bytes = m->scratch->bytes;
    path[0].place = m->view.place;
    for (size_t i = 0; i < t->n_nodes;) {
        const struct trie_node *node = &t->nodes[i];
        const struct place_frame *parent = &path[node->depth - 1];
        size_t end = i + node->skip;
        struct string_view view = {.settled = false};
        bool between = m->ops->look(m->machine, parent->place, &view);
        if (between && (view.settled || node->byte == '"')) {
            /* a settled parent: all of its children from here on, else this one */
            if (view.settled)
                while (end < t->n_nodes && t->nodes[end].depth >= node->depth)
                    end += t->nodes[end].skip;
            if (close_at(m, parent->place, bytes, node->depth - 1))
                allow_entries(m, node->first, t->nodes[end].first);
            i = end;
            continue;
        }
        uint32_t place = m->ops->step(m->machine, parent->place, node->byte);
        if (!place) {
            i = end;
            continue;
        }
        bytes[node->depth - 1] = node->byte;
        path[node->depth].place = place;
        i++;
    }
}

/* Tokens whose beginning before the quote stands for `bytes`, escaped. */
static void decide_escaped(struct string_mask *m, const unsigned char *bytes, size_t n) {
    const struct string_tokens *t = m->tokens;
    size_t low = 0, high = t->n_escaped;
    while (low < high) {
        size_t mid = (low + high) / 2;
        const struct escaped_token *e = &t->escaped[mid];
        size_t shorter = e->length < n ? e->length : n;
        int order = shorter ? memcmp(t->decoded + e->offset, bytes, shorter) : 0;
        if (order == 0) order = (e->length > n) - (e->length < n);
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < t->n_escaped; low++) {
        const struct escaped_token *e = &t->escaped[low];
        if (e->length != n || (n && memcmp(t->decoded + e->offset, bytes, n) != 0)) return;
        decide_token(m, t->closing.ids[e->entry]);
    }
}

/* Plain tokens along `bytes`: behind some of them the string may be dead. */
static void decide_inside(struct string_mask *m, const unsigned char *bytes, size_t n) {
    const struct trie *t = &m->tokens->plain;
    struct state s = m->state;
    m->machine->guessing = false;
    for (size_t d = 1; d <= n && d <= t->max_depth; d++) {
        const struct trie_node *node = trie_find(t, bytes, d);
        if (!node) return;
        s = machine_step(m->machine, s, bytes[d - 1]);
        if (!state_is_dead(s)) continue;
        for (uint32_t k = node->first; k < node[node->skip].first; k++) forbid(m->row, t->ids[k]);
        return;
    }
}

static void decide_exception(void *ctx, const unsigned char *bytes, size_t n) {
    struct string_mask *m = ctx;
    const struct trie *t = &m->tokens->closing;
    if (m->view.has_exceptions) decide_inside(m, bytes, n);
    if (m->tokens->n_escaped) decide_escaped(m, bytes, n);
    if (n >= t->max_depth) return;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] < 0x20 || bytes[i] == '"' || bytes[i] == '\\') return; /* only escaped */
    unsigned char *closed = m->scratch->bytes;
    memcpy(closed, bytes, n);
    closed[n] = '"';
    const struct trie_node *node = trie_find(t, closed, n + 1);
    if (!node) return;
    size_t at = (size_t)(node - t->nodes);
    for (uint32_t k = node->first; k < t->nodes[at + node->skip].first; k++)
        forbid(m->row, t->ids[k]);
    struct state s = step_all(m->machine, m->state, closed, n + 1);
    if (state_is_dead(s)) return;
    allow_range(m, t, node->first, node[1].first);
    walk_exactly(m, at + 1, at + node->skip, node->depth, s);
}

bool mask_fill_string(struct machine *machine, const struct forma_vocabulary *v, struct state state,
                      struct mask_scratch *scratch, uint32_t *row) {
    const struct machine_strings *ops = machine->ops->strings;
    struct string_mask m = {machine, ops, v, &v->strings, state, {0}, scratch, row};
    if (!ops || !ops->view(machine, state, &m.view)) return false;
    scratch->tails.state = (struct state){0, 0};
    fill_inside(&m);
    if (m.view.place) {
        if (!m.view.closes)
            walk_closing(&m);
        else if (close_at(&m, m.view.place, NULL, 0))
            allow_tails(&m, m.view.settled ? UINT64_MAX : m.view.room);
    }
    if (m.view.has_exceptions) { /* what is escaped may lead along them, too */
        const struct trie *t = &m.tokens->escaping;
        for (size_t i = 0; i < t->n_ids; i++)
            if (mask_test(row, t->ids[i])) decide_token(&m, t->ids[i]);
    }
    ops->exceptions(machine, state, decide_exception, &m);
    return true;
}
