/* SPDX-License-Identifier: MIT
 *
 * Plans: tokens that complete a text, so that a budget in tokens ends in a whole value. They are a
 * completion of the machine, or a shortest one that is searched for, in its fewest tokens. That is
 * an upper bound of what completing the text takes: another text may need fewer.
 */
#include "tokenmask/plan.h"

#include "automaton/shortest.h"

#define UNREACHED UINT32_MAX
/* Completions are written as far as it can be worth it: they may be very long where a form asks for
 * a million items. Real tokens have some four bytes. */
#define BYTES_A_TOKEN 16
#define MORE_BYTES    256
#define PLANNED_BYTES ((size_t)64 << 10)

bool matcher_scratch_init(struct matcher_scratch *s, const struct forma_vocabulary *v,
                          const struct forma_allocator *allocator) {
    size_t places = MATCHER_TEXT_BYTES + 1, depth = v->trie.max_depth + (size_t)1;
    size_t words = (v->n_tokens + 31) / 32;
    s->allocator = allocator;
    s->size = depth * sizeof *s->path + (2 * places + words) * sizeof *s->least + places;
    s->block = fa_reserve(allocator, s->size);
    if (!s->block) return false;
    s->path = s->block;
    s->least = (uint32_t *)(void *)(s->path + depth);
    s->last = s->least + places;
    s->row = (int32_t *)(void *)(s->last + places);
    s->text = (unsigned char *)(s->row + words);
    return true;
}

void matcher_scratch_destroy(struct matcher_scratch *s) {
    if (s->block) fa_release(s->allocator, s->block, s->size);
}

/* ---- a text in tokens ------------------------------------------------------------------------ */

size_t plan_fewest(const struct forma_vocabulary *v, struct matcher_scratch *s, size_t n) {
    const struct trie *t = &v->trie;
    s->least[0] = 0;
    for (size_t i = 1; i <= n; i++) s->least[i] = UNREACHED;
    for (size_t i = 0; i < n; i++) {
        if (s->least[i] == UNREACHED) continue;
        uint32_t count = s->least[i] + 1, list = 0;
        for (size_t end = i; end < n;) {
            uint32_t at = trie_child(t, list, s->text[end++]);
            if (at == UINT32_MAX) break;
            if (t->nodes[at].first < t->nodes[at + 1].first && count < s->least[end]) {
                s->least[end] = count;
                s->last[end] = t->ids[t->nodes[at].first];
            }
            list = at + 1;
        }
    }
    return s->least[n] == UNREACHED ? SIZE_MAX : s->least[n];
}

void plan_write(const struct forma_vocabulary *v, const struct matcher_scratch *s, size_t n,
                uint32_t *ids, size_t capacity) {
    for (size_t i = s->least[n]; i-- > 0; n -= v->spans[s->last[n]].length)
        if (i < capacity) ids[i] = s->last[n];
}

/* ---- completions ----------------------------------------------------------------------------- */

static size_t most_bytes(size_t tokens, size_t more) {
    if (tokens > (MATCHER_TEXT_BYTES - more) / BYTES_A_TOKEN) return MATCHER_TEXT_BYTES;
    return more + tokens * BYTES_A_TOKEN;
}

/* A completion of `from` in scratch->text; SIZE_MAX: none of at most `most` bytes is known. */
static size_t complete(struct forma_matcher *m, struct machine *machine, struct state from,
                       size_t most) {
    if (state_is_dead(from)) return SIZE_MAX;
    return machine->ops->completion(machine, from, matcher_scratch(m)->text, most);
}

/* The same for a shortest completion of where the matcher stands. */
static size_t search(struct forma_matcher *m, uint64_t max_work, size_t most) {
    struct matcher_scratch *scratch = matcher_scratch(m);
    struct shortest *s = shortest_new_at(matcher_machine(m), matcher_state(m), max_work, NULL,
                                         scratch->allocator, NULL);
    struct shortest_text text = {0};
    size_t n = SIZE_MAX;
    if (s && shortest_next(s, &text, NULL) == FORMA_OK && text.text && text.length <= most) {
        n = text.length;
        memcpy(scratch->text, text.text, n);
    }
    shortest_free(s);
    return n;
}

/* Does the machine know that every completion of where the matcher stands is longer? */
static bool is_longer(struct forma_matcher *m, size_t most) {
    struct machine *machine = matcher_machine(m);
    if (!machine->ops->at_least) return false;
    pthread_mutex_lock(&machine->lock);
    bool longer = machine->ops->at_least(machine, matcher_state(m)) > most;
    pthread_mutex_unlock(&machine->lock);
    return longer;
}

size_t forma_matcher_plan(struct forma_matcher *m, uint64_t max_work, uint32_t *ids,
                          size_t capacity) {
    const struct forma_vocabulary *v = matcher_vocabulary(m);
    struct matcher_scratch *s = matcher_scratch(m);
    size_t most = most_bytes(capacity, PLANNED_BYTES), n, best;
    if (!v) return SIZE_MAX;
    if (matcher_has_ended(m)) return 0;
    if (is_longer(m, most)) return SIZE_MAX;
    struct machine *machine = matcher_look(m);
    n = complete(m, machine, matcher_state(m), most);
    if (!matcher_end_look(m)) return SIZE_MAX;
    if (n == SIZE_MAX) return n; /* the search would write all of it first */
    best = plan_fewest(v, s, n);
    if (best != SIZE_MAX) plan_write(v, s, n, ids, capacity);
    if (max_work == 0 || best == 0) return best;
    n = search(m, max_work, most);
    size_t found = n == SIZE_MAX ? n : plan_fewest(v, s, n);
    if (found >= best) return best;
    plan_write(v, s, n, ids, capacity);
    return found;
}

bool forma_matcher_fits(struct forma_matcher *m, uint32_t token, size_t budget, uint32_t *plan,
                        size_t *n_plan) {
    const struct forma_vocabulary *v = matcher_vocabulary(m);
    struct matcher_scratch *scratch = matcher_scratch(m);
    if (n_plan) *n_plan = 0;
    if (!v || matcher_has_ended(m) || budget == 0) return false;
    if (forma_vocabulary_is_eos(v, token)) return forma_matcher_accepts_end(m);
    size_t length = 0, left = budget - 1, most = most_bytes(left, MORE_BYTES);
    const unsigned char *bytes = forma_vocabulary_bytes(v, token, &length);
    if (!bytes) return false;
    if (left < most / v->trie.max_depth) most = left * v->trie.max_depth;
    struct machine *machine = matcher_look(m);
    struct state s = matcher_state(m);
    for (size_t i = 0; i < length && !state_is_dead(s); i++) s = machine_step(machine, s, bytes[i]);
    size_t n = complete(m, machine, s, most);
    if (!matcher_end_look(m) || n == SIZE_MAX) return false;
    size_t count = plan_fewest(v, scratch, n);
    if (count > left) return false;
    if (plan) plan_write(v, scratch, n, plan, left);
    if (n_plan) *n_plan = count;
    return true;
}
