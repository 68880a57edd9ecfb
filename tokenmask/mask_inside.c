/* SPDX-License-Identifier: MIT
 *
 * Places that the plan looks at are described once: which byte classes can be read there wholly,
 * which in part, and where they lead. A class of lead bytes can be read wholly if all characters
 * that begin so can. Signatures and tries of the tokens use the same classes (trie_class), so a set
 * of them is one word.
 */
#include "tokenmask/mask_inside.h"

#include <limits.h>
#include <assert.h>
#include <string.h>

#include "automaton/regex_machine.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "base/vectorise.h"

#define MAX_NEXT   24   /* places that one place leads to; more: its classes are none of S */
#define MAX_PLACES 256  /* that S leads to */
#define MAX_LEVELS 64   /* characters that a plan looks ahead */
#define MAX_TRIES  24   /* sets S; then none */
#define N_KNOWN    1024 /* places that are described at a time */
#define N_ROWS     32
#define PATIENCE   2048 /* bytes of characters beyond ASCII that one place is asked about */

#define LEAD_CLASSES (UINT64_C(15) << 20)
#define LAZY_CLASSES (LEAD_CLASSES | TRIE_SPACES) /* many characters: only asked about while in S */

struct next_place {
    uint64_t classes; /* some byte of each leads there, or some character that begins so */
    uint32_t place;
};

struct known_place {
    uint32_t place; /* 0: none */
    uint32_t stamp; /* of the plan that it is part of */
    uint32_t level; /* there: how many characters lead to it at least */
    bool has_need, gapless;
    uint64_t need;      /* characters that must follow at least */
    uint64_t full, any; /* classes that can be read wholly, and at all */
    uint64_t asked;     /* of LAZY_CLASSES: it is known; of the others any may be read in part */
    uint32_t n;
    struct next_place next[MAX_NEXT];
};

/* Children of a trie's node that are being walked; their place; is it reached by bytes of S? */
struct open_list {
    uint32_t place, at, end;
    bool safe;
};

struct charset_row {
    uint64_t classes;
    bool used;
};

struct inside_scratch {
    const struct forma_allocator *allocator;
    size_t size;
    const struct string_tokens *tokens;
    const struct machine *machine; /* that the places are of */
    uint64_t occurring;            /* classes of bytes in plain tokens */
    uint32_t stamp, n_known;
    uint16_t index[2 * N_KNOWN]; /* by place: 1 + where it lies in `known`; 0: nothing */
    struct known_place known[N_KNOWN + 1];
    struct charset_row sets[N_ROWS]; /* a ring */
    uint32_t next_set;
    uint32_t *rows;           /* (N_ROWS, words) */
    struct open_list *lists;  /* max_depth + 1 */
    struct regex_pure *pures; /* max_depth + 2 */
    uint64_t class_bits[256];
};

struct plan {
    uint64_t safe;   /* S */
    uint64_t others; /* classes that may come behind S, but are not in it */
    unsigned levels; /* characters of S that may come for sure; UINT_MAX: any number */
    bool ends;       /* behind so many none of S can come */
    bool closed;     /* S leads from places of the plan to places of the plan only */
};

struct walk {
    struct inside_scratch *s;
    struct machine *machine;
    const struct machine_strings *ops;
    struct plan plan;
    uint64_t room, owed; /* characters that may and must come (UINT64_MAX: any number) */
    uint32_t *row;
    unsigned patience; /* while a place is described */
};

static uint64_t class_bit(unsigned byte) {
    return UINT64_C(1) << trie_class((unsigned char)byte);
}

/* ---- life ------------------------------------------------------------------------------------ */

struct inside_scratch *inside_scratch_new(const struct string_tokens *t, uint32_t max_depth,
                                          const struct forma_allocator *allocator) {
    size_t size = sizeof(struct inside_scratch) + N_ROWS * t->words * sizeof(uint32_t) +
                  (max_depth + 1) * sizeof(struct open_list) +
                  (max_depth + 2) * sizeof(struct regex_pure);
    struct inside_scratch *s = fa_reserve(allocator, size);
    if (!s) return NULL;
    s->allocator = allocator;
    s->size = size;
    s->tokens = t;
    s->pures = (struct regex_pure *)(void *)(s + 1);
    s->rows = (uint32_t *)(void *)(s->pures + max_depth + 2);
    s->lists = (struct open_list *)(void *)(s->rows + N_ROWS * t->words);
    for (unsigned b = 0; b < 256; b++) s->class_bits[b] = class_bit(b);
    s->occurring = t->plain_classes;
    return s;
}

void inside_scratch_free(struct inside_scratch *s) {
    if (s) fa_release(s->allocator, s, s->size);
}

static void forget(struct inside_scratch *s) {
    memset(s->index, 0, sizeof s->index);
    s->n_known = 0;
}

void inside_scratch_clear(struct inside_scratch *s) {
    forget(s);
    s->machine = NULL;
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool add_next(struct known_place *k, uint32_t place, uint64_t class) {
    for (uint32_t i = 0; i < k->n; i++)
        if (k->next[i].place == place) {
            k->next[i].classes |= class;
            return true;
        }
    if (k->n == MAX_NEXT) return false;
    k->next[k->n++] = (struct next_place){class, place};
    return true;
}

/* Lead bytes, and the bits of the code point so far behind one more byte, of characters among which
 * there are spaces. */
static bool leads_to_space(uint32_t bits, unsigned left) {
    if (left == 1)
        return bits == 0x02 || bits == 0x5A || bits == 0x80 || bits == 0x81 || bits == 0xC0 ||
               bits == 0x3FB;
    return left == 2 && (bits == 0x1 || bits == 0x2 || bits == 0x3 || bits == 0xF);
}

/* Behind a lead byte, `bits` of the code point read: can all characters be read to their ends, spaces
 * aside? No if there are none: then nothing is known of what comes behind a token that ends in the
 * lead byte. Bytes that lead to one place are looked at once, unless there are spaces among them. */
static bool read_continuations(struct walk *w, struct known_place *k, uint32_t place, uint32_t bits,
                               unsigned left, unsigned lo, unsigned hi, uint64_t class) {
    bool any = false;
    uint32_t last = 0;
    for (unsigned b = lo; b <= hi; b++) {
        if (!w->s->tokens->plain.occurs[b]) continue;
        uint32_t next = w->ops->step(w->machine, place, (unsigned char)b);
        uint32_t more = bits << 6 | (b & 0x3F);
        if (left == 1 && trie_is_space(more)) continue;
        bool spaces = left > 1 && leads_to_space(more, left - 1);
        any = true;
        if (!next || !w->patience) return false;
        w->patience--;
        if (next == last && !spaces) continue;
        last = spaces ? 0 : next;
        bool all = left > 1 ? read_continuations(w, k, next, more, left - 1, 0x80, 0xBF, class)
                            : add_next(k, next, class);
        if (!all) return false; /* the rest, perhaps a hundred thousand places, tells no more */
    }
    return any;
}

/* The lead bytes of some classes. */
static void read_leads(struct walk *w, struct known_place *k, uint64_t asked) {
    static const unsigned char leads[][6] = {
        /* RFC 3629, section 4: leads, first continuation, continuations, mask of the bits */
        {0xC2, 0xDF, 0x80, 0xBF, 1, 0x1F}, {0xE0, 0xE0, 0xA0, 0xBF, 2, 0x0F},
        {0xE1, 0xEC, 0x80, 0xBF, 2, 0x0F}, {0xED, 0xED, 0x80, 0x9F, 2, 0x0F},
        {0xEE, 0xEF, 0x80, 0xBF, 2, 0x0F}, {0xF0, 0xF0, 0x90, 0xBF, 3, 0x07},
        {0xF1, 0xF3, 0x80, 0xBF, 3, 0x07}, {0xF4, 0xF4, 0x80, 0x8F, 3, 0x07}};
    k->any &= ~asked;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        uint32_t last = 0;
        bool last_all = false;
        for (unsigned b = leads[i][0]; b <= leads[i][1]; b++) {
            uint64_t class = w->s->class_bits[b];
            if (!w->s->tokens->plain.occurs[b] || !(class & asked)) continue;
            uint32_t next = w->ops->step(w->machine, k->place, (unsigned char)b);
            uint32_t bits = b & leads[i][5];
            bool spaces = leads_to_space(bits, leads[i][4]), all = false;
            if (next && next == last && !spaces)
                all = last_all;
            else if (next)
                all = read_continuations(w, k, next, bits, leads[i][4], leads[i][2], leads[i][3],
                                         class);
            if (!all) k->full &= ~class;
            if (next) k->any |= class; /* tokens may end inside a character */
            last = spaces ? 0 : next;
            last_all = all;
        }
    }
    k->asked |= asked;
    k->any &= ~TRIE_CONTINUATIONS;
    k->full |= TRIE_CONTINUATIONS & w->s->occurring;
    if (k->any & LEAD_CLASSES) k->any |= TRIE_CONTINUATIONS;
    if (!(k->full & k->asked & LEAD_CLASSES)) k->full &= ~TRIE_CONTINUATIONS;
}

static void read_spaces(const struct walk *w, struct known_place *k) {
    k->any &= ~TRIE_SPACES;
    static const uint16_t spaces[] = {0xA0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
                                      0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028,
                                      0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        unsigned char bytes[4];
        size_t n = utf8_encode(spaces[i], bytes);
        uint32_t next = k->place;
        for (size_t b = 0; b < n && next; b++) next = w->ops->step(w->machine, next, bytes[b]);
        if (!next || !add_next(k, next, TRIE_SPACES)) k->full &= ~TRIE_SPACES;
        if (next) k->any |= TRIE_SPACES;
    }
    k->asked |= TRIE_SPACES;
}

static void describe(struct walk *w, struct known_place *k) {
    const struct trie *t = &w->s->tokens->plain;
    k->full = w->s->occurring;
    for (unsigned b = 0x20; b < 0x80; b++) {
        if (!t->occurs[b]) continue;
        uint64_t class = w->s->class_bits[b];
        uint32_t next = w->ops->step(w->machine, k->place, (unsigned char)b);
        if (!next || !add_next(k, next, class)) k->full &= ~class;
        if (next) k->any |= class;
    }
    k->any |= (LAZY_CLASSES | TRIE_CONTINUATIONS) & w->s->occurring;
    struct string_view view;
    w->ops->look(w->machine, k->place, &view);
    k->gapless = view.gapless;
}

/* Where the place's index is, or would be. */
static uint16_t *index_of(struct inside_scratch *s, uint32_t place) {
    for (uint32_t i = fa_hash_mix(place, 0);; i++) {
        uint16_t *at = &s->index[i % (2 * N_KNOWN)];
        if (!*at || s->known[*at - 1].place == place) return at;
    }
}

static struct known_place *find(const struct walk *w, uint32_t place) {
    uint16_t at = *index_of(w->s, place);
    return at ? &w->s->known[at - 1] : NULL;
}

/* What is to be known of a place with this S. There is always room for one more: see look_ahead. */
static struct known_place *know(struct walk *w, uint32_t place, uint64_t safe) {
    struct inside_scratch *s = w->s;
    uint16_t *at = index_of(s, place);
    if (!*at) {
        s->known[s->n_known++] = (struct known_place){.place = place};
        *at = (uint16_t)s->n_known;
        describe(w, &s->known[*at - 1]);
    }
    struct known_place *k = &s->known[*at - 1];
    uint64_t missing = safe & ~k->asked & LAZY_CLASSES;
    w->patience = PATIENCE;
    if (missing & LEAD_CLASSES) read_leads(w, k, missing & LEAD_CLASSES);
    if (missing & TRIE_SPACES) read_spaces(w, k);
    return k;
}

/* ---- the plan -------------------------------------------------------------------------------- */

static uint64_t weigh(const struct inside_scratch *s, uint64_t classes) {
    uint64_t sum = 0;
    for (; classes; classes &= classes - 1) sum += s->tokens->weight[__builtin_ctzll(classes)];
    return sum;
}

/* S without what hinders: classes that `k` cannot read, or those that lead to it. Keeps the S that
 * more tokens are made of. */
static uint64_t shrink(const struct inside_scratch *s, uint64_t safe, const struct known_place *k,
                       uint64_t leading) {
    uint64_t missing = safe & ~k->full;
    leading &= safe;
    uint64_t dropped = weigh(s, missing) <= weigh(s, leading) || !leading ? missing : leading;
    safe &= ~dropped;
    if (!(safe & LEAD_CLASSES)) safe &= ~TRIE_CONTINUATIONS;
    return safe;
}

/* One level after the other. False: S has been made smaller. */
static bool look_ahead(struct walk *w, uint32_t place, struct plan *plan) {
    struct inside_scratch *s = w->s;
    uint32_t queue[MAX_PLACES], n = 1, begin = 0;
    uint64_t leading[MAX_PLACES];
    uint32_t stamp = ++s->stamp;
    queue[0] = place;
    bool returns = false; /* S leads to places met before: a level does not hold all that may be */
    plan->others = 0;
    plan->ends = false;
    struct known_place *start = know(w, place, plan->safe);
    start->stamp = stamp;
    start->level = 0;
    for (unsigned level = 0; begin < n; level++) {
        uint32_t end = n;
        bool none = level > 0 && !returns; /* nothing of S can come here any more */
        for (uint32_t i = begin; i < end; i++) {
            struct known_place *k = know(w, queue[i], plan->safe);
            plan->others |= k->any;
            none &= !(k->any & plan->safe);
        }
        if (none) {
            plan->levels = level;
            plan->ends = true;
            return true;
        }
        for (uint32_t i = begin; i < end; i++) {
            const struct known_place *k = know(w, queue[i], plan->safe);
            if (plan->safe & ~k->full) {
                plan->safe = shrink(s, plan->safe, k, i ? leading[i] : 0);
                return false;
            }
            for (uint32_t j = 0; j < k->n; j++) {
                struct next_place next = k->next[j];
                if (!(next.classes & plan->safe)) continue;
                if (n == MAX_PLACES || level + 1 == MAX_LEVELS || s->n_known >= N_KNOWN) {
                    plan->levels = level;
                    return true;
                }
                struct known_place *to = know(w, next.place, plan->safe);
                if (to->stamp == stamp) {
                    returns |= to->level <= level;
                    continue;
                }
                to->stamp = stamp;
                to->level = level + 1;
                leading[n] = next.classes;
                queue[n++] = next.place;
            }
        }
        begin = end;
    }
    plan->levels = UINT_MAX;
    return true;
}

/* With a bound on the length: no more characters than leave room for what each place of the plan
 * needs behind them. False: the places behind S may not have completions of every length. */
static bool keep_room(const struct walk *w, struct plan *plan) {
    uint64_t most = 0;
    bool gapless = true;
    for (uint32_t i = 0; i < w->s->n_known; i++) {
        struct known_place *k = &w->s->known[i];
        if (k->stamp != w->s->stamp) continue;
        if (!k->has_need) k->need = w->ops->need(w->machine, k->place, 0);
        k->has_need = true;
        gapless &= k->gapless;
        if (k->need > most) most = k->need;
    }
    if (w->owed > 1 && !gapless) return false;
    if (w->room == UINT64_MAX) return true;
    uint64_t levels = most < w->room ? w->room - most : 0;
    if (levels >= plan->levels) return true;
    plan->levels = (unsigned)levels;
    plan->ends = false;
    return true;
}

static struct plan make_plan(struct walk *w, uint32_t place) {
    struct plan plan = {.safe = w->s->occurring};
    unsigned tries = 0;
    while (!look_ahead(w, place, &plan))
        if (++tries == MAX_TRIES) plan.safe = 0;
    plan.others &= ~plan.safe;
    plan.closed = plan.levels == UINT_MAX;
    if ((w->room != UINT64_MAX || w->owed > 1) && !keep_room(w, &plan)) {
        plan.levels = 0;
        plan.ends = false;
    }
    if (plan.levels != UINT_MAX && plan.levels >= STRING_ROOMS) {
        plan.levels = STRING_ROOMS - 1; /* there are no rows for more */
        plan.ends = false;
    }
    return plan;
}

/* ---- rows of sets ---------------------------------------------------------------------------- */

/* The tokens all of whose bytes are of these classes. */
FA_WIDE_LOOPS static void fill_row(uint32_t *row, const uint64_t *signatures, size_t words,
                                   uint64_t classes) {
    for (size_t w = 0; w < words; w++) {
        uint32_t bits = 0;
        for (unsigned i = 0; i < 32; i++)
            bits |= (uint32_t)((signatures[32 * w + i] & ~classes) == 0) << i;
        row[w] = bits;
    }
}

static const uint32_t *row_of(struct inside_scratch *s, uint64_t classes) {
    const struct string_tokens *t = s->tokens;
    for (uint32_t i = 0; i < N_ROWS; i++)
        if (s->sets[i].used && s->sets[i].classes == classes) return s->rows + i * t->words;
    uint32_t at = s->next_set;
    s->next_set = (at + 1) % N_ROWS;
    s->sets[at] = (struct charset_row){classes, true};
    uint32_t *row = s->rows + at * t->words;
    fill_row(row, t->signatures, t->words, classes);
    return row;
}

/* The tokens made of S with no more characters than the plan knows of. */
static void fill_base(const struct walk *w) {
    const struct string_tokens *t = w->s->tokens;
    if (!w->plan.safe) {
        memset(w->row, 0, t->words * sizeof *w->row);
        return;
    }
    memcpy(w->row, row_of(w->s, w->plan.safe), t->words * sizeof *w->row);
    if (w->plan.levels == UINT_MAX) return;
    const uint32_t *few = t->room_rows[1] + w->plan.levels * t->words;
    for (size_t i = 0; i < t->words; i++) w->row[i] &= few[i];
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void allow_range(const struct walk *w, const struct trie *t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) w->row[t->ids[i] / 32] |= UINT32_C(1) << t->ids[i] % 32;
}

/* The children of `list` (the root, 0, or 1 + a node), all behind one place. */
static struct open_list open_list(const struct trie *t, uint32_t list, uint32_t place, bool safe) {
    return (struct open_list){place, t->children.first[list], t->children.first[list + 1], safe};
}

/* Walks a trie without a plan. */
static void walk_all(const struct walk *w, const struct trie *t, uint32_t place) {
    struct open_list *top = w->s->lists;
    if (!t->n_nodes) return;
    *top = open_list(t, 0, place, false);
    for (;;) {
        if (top->at == top->end) {
            if (top-- == w->s->lists) return;
            continue;
        }
        uint32_t i = top->at++, next = w->ops->step(w->machine, top->place, t->children.bytes[i]);
        if (!next) continue;
        uint32_t node = t->children.nodes[i];
        allow_range(w, t, t->nodes[node].first, t->nodes[node + 1].first);
        if (t->nodes[node].skip > 1) *++top = open_list(t, node + 1, next, false);
    }
}

/* The same for the plain tokens where a machine alone reads. */
static void walk_pure(const struct walk *w) {
    const struct trie *t = &w->s->tokens->plain;
    struct open_list *top = w->s->lists;
    struct regex_pure *pure = w->s->pures; /* of the list on top */
    if (!t->n_nodes) return;
    *top = open_list(t, 0, 0, false);
    for (;;) {
        if (top->at == top->end) {
            if (top == w->s->lists) return;
            top--;
            pure--;
            continue;
        }
        uint32_t i = top->at++, node = t->children.nodes[i];
        if (!w->ops->pure_step(w->machine, pure, t->children.bytes[i], pure + 1)) continue;
        allow_range(w, t, t->nodes[node].first, t->nodes[node + 1].first);
        if (t->nodes[node].skip == 1) continue;
        *++top = open_list(t, node + 1, 0, false);
        pure++;
    }
}

/* Can the string be completed behind so many more characters, where its length is bounded? */
static bool has_room(const struct walk *w, uint32_t place, unsigned characters) {
    if (w->room == UINT64_MAX && w->owed <= 1) return true;
    uint64_t owed = w->owed > characters ? w->owed - characters : 0;
    uint64_t need = w->ops->need(w->machine, place, owed);
    return need != UINT64_MAX && characters <= w->room && need <= w->room - characters;
}

/* Does the row of S say all about the subtree of child i? Behind places of the plan it does where nothing
 * else may come; elsewhere where the place is one of the plan's and S goes on as from the start. */
static bool is_decided(const struct walk *w, const struct trie_node *node,
                       const struct plain_node *plain, const struct open_list *list) {
    const struct trie *t = &w->s->tokens->plain;
    const struct plan *plan = &w->plan;
    bool fits = plan->levels == UINT_MAX || plain->characters + plain->height <= plan->levels;
    if (list->safe) return (fits || plan->ends) && !(node->classes & plan->others);
    if (!plan->closed || !fits || (node->classes & ~plan->safe)) return false;
    const struct known_place *k = find(w, list->place);
    if (!k || k->stamp != w->s->stamp) return false;
    allow_range(w, t, node->first, node[node->skip].first);
    return true;
}

/* Where all bytes of the path are of S (the list is safe, and so its place is alive) other bytes than
 * those of the plan are dead, and the row says the most. Trees that it says all about are left out. */
static void walk_plain(const struct walk *w, uint32_t place) {
    const struct string_tokens *tokens = w->s->tokens;
    const struct trie *t = &tokens->plain;
    const struct plan *plan = &w->plan;
    const uint64_t *bits = w->s->class_bits;
    uint64_t possible = plan->safe | plan->others;
    struct open_list *top = w->s->lists;
    if (!t->n_nodes) return;
    *top = open_list(t, 0, place, true);
    for (;;) {
        if (top->at == top->end) {
            if (top-- == w->s->lists) return;
            continue;
        }
        uint32_t i = top->at++;
        unsigned char byte = t->children.bytes[i];
        if (top->safe && !(bits[byte] & possible)) continue;
        const struct trie_node *node = &t->nodes[t->children.nodes[i]];
        const struct plain_node *plain = &tokens->plain_nodes[t->children.nodes[i]];
        if (is_decided(w, node, plain, top)) continue;
        uint32_t next = w->ops->step(w->machine, top->place, byte);
        uint64_t own = bits[byte] | (plain->is_space ? TRIE_SPACES : 0);
        bool safe = top->safe && !(own & ~plan->safe) && plain->characters <= plan->levels;
        if (!next || (!safe && !has_room(w, next, plain->characters))) continue;
        allow_range(w, t, node->first, node[1].first);
        if (node->skip > 1) *++top = open_list(t, t->children.nodes[i] + 1, next, safe);
    }
}

/* ---- entry ----------------------------------------------------------------------------------- */

static struct walk begin(struct inside_scratch *s, struct machine *machine, uint32_t *row) {
    assert(!s->machine || s->machine == machine);
    if (s->n_known >= N_KNOWN / 2) forget(s);
    s->machine = machine;
    return (struct walk){
        .s = s, .machine = machine, .ops = machine->ops->strings, .room = UINT64_MAX, .row = row};
}

void inside_fill(struct inside_scratch *s, struct machine *machine, const struct string_view *view,
                 uint32_t *row) {
    struct walk w = begin(s, machine, row);
    w.room = view->room;
    w.owed = view->owed;
    if (view->listed || w.ops->pure(machine, view->inside, s->pures)) {
        memset(row, 0, s->tokens->words * sizeof *row);
        if (view->listed)
            walk_all(&w, &s->tokens->plain, view->inside);
        else
            walk_pure(&w);
    } else {
        w.plan = make_plan(&w, view->loose);
        fill_base(&w);
        walk_plain(&w, view->loose);
    }
    walk_all(&w, &s->tokens->escaping, view->inside);
    if (machine->narrowed) forget(s); /* what a limit cut short is no description */
}

void inside_fill_slow(struct inside_scratch *s, struct machine *machine, uint32_t place,
                      uint32_t *row) {
    struct walk w = begin(s, machine, row);
    memset(row, 0, s->tokens->words * sizeof *row);
    walk_all(&w, &s->tokens->plain, place);
    walk_all(&w, &s->tokens->escaping, place);
}
