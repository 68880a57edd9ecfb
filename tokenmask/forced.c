/* SPDX-License-Identifier: MIT
 *
 * Forced text: bytes that must come, whatever a model says, and the tokens of it that can be appended
 * without asking one.
 *
 *     text    {"name": "      as far as one byte only is viable and the end is not
 *     tokens  {" name ": "    as the tokenizer cuts it
 *     safe    {" name         some token goes on behind `": "`, so `": "` may be part of it
 *
 * A tokenizer that knew the whole text might cut it with one token across the end of what is forced.
 * Such a token begins at some byte of the forced text and lies in the vocabulary's trie below what
 * is forced from there on, and the form lets it go on. From the first such byte on nothing is safe.
 */
#include "tokenmask/mask.h"
#include "tokenmask/matcher.h"

#define MAX_FORCED_BYTES 4096 /* of one question: a longer text is forced in several */

/* ---- bytes ----------------------------------------------------------------------------------- */

/* What often can come is tried first: two bytes that can come are enough. */
static const char likely[] = "\", }]:10a-e\n{[tfns";

struct follow {
    unsigned count; /* of the bytes that can come, at most `most` */
    unsigned char byte;
    struct state next; /* behind it, the last that was found */
};

static void try_byte(struct machine *machine, struct state s, unsigned char byte,
                     struct follow *f) {
    struct state next = machine_step(machine, s, byte);
    if (state_is_dead(next)) return;
    *f = (struct follow){f->count + 1, byte, next};
}

/* A byte that a search limit refused counts as one that can come: it is not known. */
static struct follow follow_up_to(struct machine *machine, struct state s, unsigned most,
                                  const bool *only) {
    struct follow f = {0};
    for (const char *b = likely; *b && f.count < most; b++)
        if (!only || only[(unsigned char)*b]) try_byte(machine, s, (unsigned char)*b, &f);
    for (unsigned b = 0; b < 256 && f.count < most; b++)
        if ((b == 0 || !strchr(likely, (int)b)) && (!only || only[b]))
            try_byte(machine, s, (unsigned char)b, &f);
    if (machine->narrowed || machine->failed) f.count = most;
    return f;
}

/* Moves *s along. */
static size_t force(struct machine *machine, struct state *s, unsigned char *out, size_t capacity) {
    size_t n = 0;
    while (n < capacity && !machine->ops->accepts(machine, *s)) {
        struct follow f = follow_up_to(machine, *s, 2, NULL);
        if (f.count != 1) break;
        out[n++] = f.byte;
        *s = f.next;
    }
    return n;
}

size_t forma_matcher_forced_text(struct forma_matcher *m, unsigned char *out, size_t capacity) {
    if (matcher_has_ended(m)) return 0;
    struct state s = matcher_state(m);
    size_t n = force(matcher_look(m), &s, out, capacity);
    matcher_end_look(m);
    return n;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* Is there a token below `node` that the form takes on from s, the state at the node? */
static bool goes_on(struct machine *machine, const struct trie *t, uint32_t node, struct state s,
                    struct state *path) {
    const struct trie_node *nodes = t->nodes;
    uint32_t depth = nodes[node].depth, end = node + nodes[node].skip;
    path[depth] = s;
    for (uint32_t i = node + 1; i < end;) {
        struct state next = machine_step(machine, path[nodes[i].depth - 1], nodes[i].byte);
        if (machine->narrowed) return true; /* nobody knows */
        if (state_is_dead(next)) {
            i += nodes[i].skip;
            continue;
        }
        if (nodes[i].first < nodes[i + 1].first) return true;
        path[nodes[i].depth] = next;
        i++;
    }
    return false;
}

/* Where the first token can begin that goes on behind the text, which leads to s; n: none does. */
static size_t safe_length(struct machine *machine, const struct trie *t, const unsigned char *text,
                          size_t n, struct state s, struct state *path) {
    for (size_t i = n > t->max_depth ? n - t->max_depth : 0; i < n; i++) {
        const struct trie_node *node = trie_find(t, text + i, n - i);
        if (node && goes_on(machine, t, (uint32_t)(node - t->nodes), s, path)) return i;
    }
    return n;
}

/* Are there surely two tokens that can come? `text` of n bytes is forced here. */
static bool is_choice(struct machine *machine, const struct forma_vocabulary *v, struct state s,
                      const unsigned char *text, size_t n) {
    size_t count = machine->ops->accepts(machine, s) ? v->n_eos : 0;
    uint32_t list = 0;
    if (n == 0) return count + follow_up_to(machine, s, 2, v->alphabet).count >= 2;
    for (size_t i = 0; i < n && count < 2; i++) {
        uint32_t at = trie_child(&v->trie, list, text[i]);
        if (at == UINT32_MAX) break;
        count += v->trie.nodes[at + 1].first - v->trie.nodes[at].first;
        list = at + 1;
    }
    return count >= 2;
}

/* The longest token again and again, as far as there is one. */
static size_t cut_longest(const struct trie *t, const unsigned char *text, size_t n, uint32_t *ids,
                          size_t capacity) {
    size_t count = 0;
    for (size_t at = 0; at < n && count < capacity; count++) {
        uint32_t list = 0, best = 0;
        for (size_t i = at; i < n; i++) {
            uint32_t node = trie_child(t, list, text[i]);
            if (node == UINT32_MAX) break;
            if (t->nodes[node].first < t->nodes[node + 1].first) best = node + 1;
            list = node + 1;
        }
        if (!best) break;
        ids[count] = t->ids[t->nodes[best - 1].first];
        at += t->nodes[best - 1].depth;
    }
    return count;
}

/* How many of these tokens spell a beginning of the text. */
static size_t count_spelled(const struct forma_vocabulary *v, const unsigned char *text, size_t n,
                            const uint32_t *ids, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t length = 0;
        const unsigned char *bytes = forma_vocabulary_bytes(v, ids[i], &length);
        if (!bytes || length > n || memcmp(bytes, text, length) != 0) return i;
        text += length;
        n -= length;
    }
    return count;
}

/* The token of a mask that has one only. */
static size_t only_token(struct forma_matcher *m, uint32_t *id) {
    size_t words = forma_matcher_mask_words(m);
    const uint32_t *row = (const uint32_t *)matcher_scratch(m)->row;
    if (forma_matcher_mask(m, matcher_scratch(m)->row, words, NULL) || forma_matcher_narrowed(m) ||
        mask_count(row, words) != 1)
        return 0;
    size_t i = 0;
    while (!row[i]) i++;
    *id = (uint32_t)(32 * i) + (uint32_t)__builtin_ctz(row[i]);
    return 1;
}

size_t forma_matcher_forced_tokens(struct forma_matcher *m, forma_encode_fn encode, void *ctx,
                                   uint32_t *ids, size_t capacity) {
    const struct forma_vocabulary *v = matcher_vocabulary(m);
    if (!v || matcher_has_ended(m) || capacity == 0) return 0;
    struct matcher_scratch *scratch = matcher_scratch(m);
    unsigned char *text = scratch->text;
    struct state start = matcher_state(m), s = start;
    struct machine *machine = matcher_look(m);
    size_t n = force(machine, &s, text, MAX_FORCED_BYTES);
    size_t safe = safe_length(machine, &v->trie, text, n, s, scratch->path);
    bool choice = is_choice(machine, v, start, text, n);
    if (!matcher_end_look(m)) return 0;
    size_t count = 0;
    if (safe && encode)
        count = encode(ctx, text, n, ids, capacity);
    else if (safe)
        count = cut_longest(&v->trie, text, n, ids, capacity);
    count = count_spelled(v, text, safe, ids, count < capacity ? count : capacity);
    return count || choice ? count : only_token(m, ids);
}
