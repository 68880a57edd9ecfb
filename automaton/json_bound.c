/* SPDX-License-Identifier: MIT
 *
 * How much is missing of a text at least: a bound for the search for shortest texts (shortest.h),
 * which is exact where members and items do not depend on each other. It adds up along the stack
 * what every open container still needs. Of a formula that is:
 *
 *     and   what its needed names cost, each with the value that it must have, and the most that
 *           one of the other conjuncts asks for beside them
 *     or    the least of its parts
 *
 * A bound may be too low, never too high: what a branch asks for is counted only where all of them
 * do, a verdict that is not known yet counts as the better one, escapes as one byte, blanks only
 * where the style demands them. What is once known of a goal, a formula or a frame is kept.
 */
#include <string.h>

#include "automaton/conjunction.h"
#include "automaton/goal_internal.h"
#include "automaton/json_internal.h"

#define NO_VALUE        UINT64_MAX
#define MAX_NAMES       256  /* needed names of a formula that are counted */
#define MAX_RANGES      32   /* of items, told apart */
#define MAX_DEPTH       200  /* goals inside each other: deeper ones count as the least value */
#define MAX_STRING_WORK 4096 /* steps of one search for the shortest string */
#define MAX_DIGITS      400  /* number states that a search for the next end looks at */

enum bound_of { OF_GOAL = 1, OF_FORMULA, OF_FRAME, OF_NUMBER };

/* What an object of a formula still needs; the names are those that every such object needs. */
struct needs {
    uint64_t cost; /* bytes of members, the comma of each included */
    uint32_t names[MAX_NAMES];
    uint32_t n;
};

static uint64_t plus(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t r;
    return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}
static uint64_t less(uint64_t a, uint64_t b) {
    return a > b ? a - b : 0;
}

/* ---- what is known --------------------------------------------------------------------------- */

static uint64_t *find(struct json_machine *m, enum bound_of of, uint32_t id) {
    for (struct table_probe p = table_probe(&m->bound_table, fa_hash_mix(of, id));
         table_next(&m->bound_table, &p);) {
        struct json_bound *b = &m->bounds.data[p.id];
        if (b->of == of && b->id == id) return &b->bytes;
    }
    return NULL;
}

static uint64_t keep(struct json_machine *m, enum bound_of of, uint32_t id, uint64_t bytes) {
    if (ARENA_VEC_GROW(&m->arena, &m->bounds) &&
        table_add(&m->bound_table, fa_hash_mix(of, id), m->bounds.count))
        m->bounds.data[m->bounds.count++] = (struct json_bound){of, id, bytes};
    return bytes;
}

/* ---- scalars --------------------------------------------------------------------------------- */

/* Characters that are missing, as many bytes at least. */
static uint64_t string_bound(struct json_machine *m, term_id t, uint64_t k) {
    uint64_t work = 0;
    return regex_at_least(m->regex, t, k, &work, MAX_STRING_WORK);
}

/* Bytes to the next place where the number may end: breadth first over its states. */
static uint64_t number_bound(struct json_machine *m, number_state from) {
    static const char bytes[] = "0123456789-.eE+";
    uint64_t *known = find(m, OF_NUMBER, from);
    if (known) return *known;
    number_state seen[MAX_DIGITS];
    uint32_t n = 1, end = 1;
    uint64_t length = 0;
    seen[0] = from;
    for (uint32_t i = 0; i < n; i++) {
        if (i == end) {
            length++;
            end = n;
        }
        if (number_may_end(m->numbers, seen[i])) return keep(m, OF_NUMBER, from, length);
        for (const char *b = bytes; *b; b++) {
            bool limited = false;
            uint32_t k = 0;
            number_state next = number_step(m->numbers, seen[i], (unsigned char)*b, &limited);
            if (!limited && next == NUMBER_DEAD) continue;
            while (!limited && k < n && seen[k] != next) k++;
            if (!limited && k < n) continue;
            if (limited || n == MAX_DIGITS) { /* what comes behind this level is not known */
                for (uint32_t j = i + 1; j < end; j++)
                    if (number_may_end(m->numbers, seen[j])) return length;
                return length + 1;
            }
            seen[n++] = next;
        }
    }
    return keep(m, OF_NUMBER, from, length);
}

static uint64_t number_goal_bound(struct json_machine *m, numset_id set) {
    bool limited = false;
    if (set == NUMSET_NONE) return NO_VALUE;
    number_state s = number_begin(m->numbers, &set, 1, &limited);
    return limited ? 1 : s == NUMBER_DEAD ? NO_VALUE : number_bound(m, s);
}

/* ---- objects --------------------------------------------------------------------------------- */

static uint64_t goal_bound(struct json_machine *m, goal_id g, unsigned depth);

/* Blanks that `pretty` demands in front of a member or an item, at the least; and the one behind a
 * colon. */
static uint64_t blanks_before(const struct json_machine *m) {
    return m->style.blanks == FORMA_BLANKS_PRETTY ? 1 + m->style.pretty_indent : 0;
}
static uint64_t blanks_after_colon(const struct json_machine *m) {
    return m->style.blanks == FORMA_BLANKS_PRETTY;
}

/* A member with a key of so many bytes: quotes, colon, comma. */
static uint64_t member_bytes(const struct json_machine *m, uint64_t key, uint64_t value) {
    return plus(plus(key, 4 + blanks_before(m) + blanks_after_colon(m)), value);
}

static uint64_t name_bytes(const struct json_machine *m, uint32_t name) {
    size_t length;
    goal_name_text(m->goals, name, &length);
    return length;
}

static bool has_name(const struct needs *n, uint32_t name) {
    for (uint32_t i = 0; i < n->n; i++)
        if (n->names[i] == name) return true;
    return false;
}

static bool is_count(const struct json_machine *m, goal_id f, enum predicate_kind kind,
                     struct predicate *p, bool *sign) {
    const struct goal_node *x = node(m->goals, f);
    if (x->kind != GOAL_KIND_PREDICATE) return false;
    *p = *predicate_get(m->goals, x->a);
    *sign = x->sign;
    return p->kind == kind;
}

/* What the value under `name` must meet, as far as these literals say. */
static goal_id value_of(struct json_machine *m, const goal_id *literals, size_t n, uint32_t name) {
    goal_id g = GOAL_TRUE;
    for (size_t i = 0; i < n; i++) {
        struct predicate p;
        bool sign;
        if (!is_count(m, literals[i], PREDICATE_COUNT_KEYS, &p, &sign) || p.n != 1) continue;
        bool single = key_class_get(m->goals, p.key_class)->name != 0;
        if ((sign && !single) || !key_class_has(m->goals, p.key_class, name)) continue;
        g = goal_and2(m->goals, g, sign ? p.goal : goal_not(m->goals, p.goal));
    }
    return g;
}

static void add_name(struct json_machine *m, struct needs *needs, const goal_id *literals, size_t n,
                     uint32_t name, unsigned depth) {
    if (needs->n == MAX_NAMES || has_name(needs, name)) return;
    needs->names[needs->n++] = name;
    uint64_t value = goal_bound(m, value_of(m, literals, n, name), depth);
    needs->cost = plus(needs->cost, member_bytes(m, name_bytes(m, name), value));
}

/* What every member of class `k` must meet, as far as these literals say. */
static goal_id value_in_class(struct json_machine *m, const goal_id *literals, size_t n,
                              uint32_t k) {
    goal_id g = GOAL_TRUE;
    for (size_t i = 0; i < n; i++) {
        struct predicate p;
        bool sign;
        if (is_count(m, literals[i], PREDICATE_COUNT_KEYS, &p, &sign) && !sign && p.n == 1 &&
            (p.key_class == k || p.key_class == KEY_CLASS_ALL))
            g = goal_and2(m->goals, g, goal_not(m->goals, p.goal));
    }
    return g;
}

/* The names of class `k` that may come, as far as these literals say. */
static term_id names_language(struct json_machine *m, const goal_id *literals, size_t n,
                              const struct key_class *k) {
    term_id t = k->term;
    for (size_t i = 0; i < n; i++) {
        struct predicate p;
        bool sign;
        if (!is_count(m, literals[i], PREDICATE_COUNT_KEYS, &p, &sign) || sign || p.n != 1 ||
            p.goal != GOAL_TRUE)
            continue;
        term_id never = key_class_get(m->goals, p.key_class)->term;
        t = regex_and(m->regex, (const term_id[]){t, regex_not(m->regex, never)}, 2);
    }
    return t;
}

static bool count_string(void *ctx, const unsigned char *bytes, size_t length) {
    (void)bytes;
    (void)length;
    uint64_t *left = ctx;
    return --*left > 0;
}

/* Bytes of n different names of t: some are as short as can be, the others longer. */
static uint64_t names_bytes(struct json_machine *m, term_id t, uint64_t n) {
    uint64_t each = string_bound(m, t, 0), work = 0, left = n;
    enum regex_answer more;
    if (each == NO_VALUE) return NO_VALUE;
    if (n == 1 || n > MAX_NAMES || each > MAX_NAMES) return times(n, each);
    term_id shortest = regex_and(
        m->regex, (const term_id[]){t, regex_not(m->regex, regex_min_length(m->regex, each + 1))},
        2);
    regex_enumerate(m->regex, shortest, count_string, &left, &more, &work, MAX_STRING_WORK);
    return plus(times(n, each), more == REGEX_NO ? left : 0);
}

/* At least p.n members of a class, those that are counted already left out. */
static uint64_t class_bound(struct json_machine *m, const struct predicate *p,
                            const goal_id *literals, size_t n, const struct needs *needs,
                            unsigned depth) {
    const struct key_class k = *key_class_get(m->goals, p->key_class);
    uint64_t there = 0;
    for (uint32_t i = 0; i < needs->n; i++)
        there += key_class_has(m->goals, p->key_class, needs->names[i]);
    if (p->n <= there) return 0;
    uint64_t more = p->n - there;
    goal_id value = goal_and2(m->goals, p->goal, value_in_class(m, literals, n, p->key_class));
    uint64_t each = member_bytes(m, 0, goal_bound(m, value, depth));
    uint64_t names = names_bytes(m, names_language(m, literals, n, &k), more);
    return plus(times(more, each), names);
}

/* What formula f asks for beside `base`. */
static uint64_t formula_bound(struct json_machine *m, goal_id f, const struct needs *base,
                              unsigned depth) {
    const struct goal_node x = *node(m->goals, f);
    struct predicate p;
    bool sign;
    if (depth > MAX_DEPTH) return 0;
    if (x.kind == GOAL_KIND_OR || (x.kind == GOAL_KIND_ONE && x.sign && !x.type)) {
        uint64_t least = NO_VALUE;
        for (uint32_t i = 0; i < x.n_kids && least; i++) {
            uint64_t kid = formula_bound(m, x.kids[i], base, depth + 1);
            if (kid < least) least = kid;
        }
        return least;
    }
    if (x.kind == GOAL_KIND_PREDICATE)
        return is_count(m, f, PREDICATE_COUNT_KEYS, &p, &sign) && sign
                   ? class_bound(m, &p, &f, 1, base, depth + 1)
                   : 0;
    if (x.kind != GOAL_KIND_AND) return 0;
    size_t mark = goal_scratch_mark(m->goals);
    struct needs *own = arena_push_copy(&m->goals->scratch, base, sizeof *base);
    if (!own) {
        m->arena.failed = true;
        return 0;
    }
    for (uint32_t i = 0; i < x.n_kids; i++) {
        if (!is_count(m, x.kids[i], PREDICATE_COUNT_KEYS, &p, &sign) || !sign) continue;
        uint32_t name = key_class_get(m->goals, p.key_class)->name;
        if (name) add_name(m, own, x.kids, x.n_kids, name, depth + 1);
    }
    uint64_t most = 0;
    for (uint32_t i = 0; i < x.n_kids; i++) {
        uint64_t kid = is_count(m, x.kids[i], PREDICATE_COUNT_KEYS, &p, &sign) && sign
                           ? class_bound(m, &p, x.kids, x.n_kids, own, depth + 1)
                           : formula_bound(m, x.kids[i], own, depth + 1);
        if (kid > most) most = kid;
    }
    uint64_t cost = plus(own->cost - base->cost, most);
    goal_scratch_pop(m->goals, mark);
    return cost;
}

/* Bytes of the members that an object of formula f still needs, a comma with each. */
static uint64_t members_bound(struct json_machine *m, goal_id f, unsigned depth) {
    uint64_t *known = find(m, OF_FORMULA, f);
    if (known) return *known;
    size_t mark = goal_scratch_mark(m->goals);
    struct needs *none = arena_push(&m->goals->scratch, sizeof *none);
    if (!none) {
        m->arena.failed = true;
        return 0;
    }
    none->n = 0;
    none->cost = 0;
    uint64_t bytes = formula_bound(m, f, none, depth);
    goal_scratch_pop(m->goals, mark);
    return depth > MAX_DEPTH / 2 ? bytes : keep(m, OF_FORMULA, f, bytes);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* What item i must meet, as far as these literals say; *same: how many items from i on have the
 * same to meet. */
static goal_id item_at(struct json_machine *m, const goal_id *literals, size_t n, uint64_t at,
                       uint64_t *same) {
    goal_id g = GOAL_TRUE;
    *same = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        struct predicate p;
        bool sign;
        if (!is_count(m, literals[i], PREDICATE_COUNT_ITEMS, &p, &sign) || sign || p.n != 1)
            continue;
        if (at < p.first && p.first - at < *same) *same = p.first - at;
        if (at < p.first || at > p.last) continue;
        if (p.last != INDEX_UNBOUNDED && p.last - at < *same) *same = p.last - at + 1;
        g = goal_and2(m->goals, g, goal_not(m->goals, p.goal));
    }
    return g;
}

/* Do these literals say that all items differ? */
static bool is_unique(const struct json_machine *m, const goal_id *literals, size_t n) {
    struct predicate p;
    bool sign;
    for (size_t i = 0; i < n; i++)
        if (is_count(m, literals[i], PREDICATE_UNIQUE, &p, &sign) && sign) return true;
    return false;
}

/* What n different values take beyond n bytes: there are ten of one byte, the digits, and 102 of two
 * (two digits, a sign and one, an empty string, array, object). */
static uint64_t different_values(uint64_t n) {
    return plus(less(n, 10), less(n, 112));
}

/* Bytes of so many items, a comma with each. */
static uint64_t first_items_bound(struct json_machine *m, const goal_id *literals, size_t n,
                                  uint64_t count, unsigned depth) {
    uint64_t bytes = 0, at = 0;
    for (unsigned range = 0; at < count; range++) {
        uint64_t same, item = 1;
        goal_id g = item_at(m, literals, n, at, &same);
        if (range < MAX_RANGES)
            item = goal_bound(m, g, depth);
        else
            same = count - at;
        if (same > count - at) same = count - at;
        bytes = plus(bytes, times(same, plus(item, 1 + blanks_before(m))));
        at += same;
    }
    return bytes;
}

static uint64_t items_formula_bound(struct json_machine *m, goal_id f, unsigned depth) {
    const struct goal_node x = *node(m->goals, f);
    uint64_t least = NO_VALUE, most = 0, count = 0;
    if (depth > MAX_DEPTH) return 0;
    if (x.kind == GOAL_KIND_OR || (x.kind == GOAL_KIND_ONE && x.sign && !x.type)) {
        for (uint32_t i = 0; i < x.n_kids && least; i++) {
            uint64_t kid = items_formula_bound(m, x.kids[i], depth + 1);
            if (kid < least) least = kid;
        }
        return least;
    }
    if (x.kind != GOAL_KIND_AND && x.kind != GOAL_KIND_PREDICATE) return 0;
    const goal_id *literals = x.kind == GOAL_KIND_AND ? x.kids : &f;
    size_t n = x.kind == GOAL_KIND_AND ? x.n_kids : 1;
    for (size_t i = 0; i < n; i++) {
        struct predicate p;
        bool sign;
        if (!is_count(m, literals[i], PREDICATE_COUNT_ITEMS, &p, &sign)) {
            uint64_t kid = n > 1 ? items_formula_bound(m, literals[i], depth + 1) : 0;
            if (kid > most) most = kid;
            continue;
        }
        if (!sign) continue;
        if (plus(p.first, p.n) > count) count = plus(p.first, p.n);
        /* those that are asked for, and those in front of them */
        uint64_t item = plus(goal_bound(m, p.goal, depth + 1), 1 + blanks_before(m));
        uint64_t bytes = plus(times(p.n, item), times(p.first, 2));
        if (bytes > most) most = bytes;
    }
    uint64_t bytes = first_items_bound(m, literals, n, count, depth + 1);
    if (count && is_unique(m, literals, n)) {
        uint64_t each = 2 + blanks_before(m),
                 different = plus(times(count, each), different_values(count));
        if (different > bytes) bytes = different;
    }
    return bytes > most ? bytes : most;
}

static uint64_t items_bound(struct json_machine *m, goal_id f, unsigned depth) {
    uint64_t *known = find(m, OF_FORMULA, f);
    if (known) return *known;
    uint64_t bytes = items_formula_bound(m, f, depth);
    return depth > MAX_DEPTH / 2 ? bytes : keep(m, OF_FORMULA, f, bytes);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Brackets around `inside`, whose first comma does not stand there; `pretty` breaks the line before
 * the closing one. */
static uint64_t brackets(const struct json_machine *m, uint64_t inside) {
    if (!inside) return 2;
    return plus(inside, 1 + (m->style.blanks == FORMA_BLANKS_PRETTY));
}

static uint64_t type_bound(struct json_machine *m, goal_id f, enum value_type t, unsigned depth) {
    uint64_t string;
    switch (t) {
    case TYPE_NULL: return goal_holds_null(m->goals, f) ? 4 : NO_VALUE;
    case TYPE_BOOLEAN:
        if (goal_holds_boolean(m->goals, f, true)) return 4;
        return goal_holds_boolean(m->goals, f, false) ? 5 : NO_VALUE;
    case TYPE_STRING:
        string = string_bound(m, goal_to_term(m->goals, f), 0);
        return string == NO_VALUE ? NO_VALUE : plus(string, 2);
    case TYPE_NUMBER: return number_goal_bound(m, goal_to_numset(m->goals, f));
    case TYPE_ARRAY: return brackets(m, items_bound(m, f, depth + 1));
    case TYPE_OBJECT: return brackets(m, members_bound(m, f, depth + 1));
    case TYPE_COUNT: break;
    }
    return NO_VALUE;
}

static uint64_t goal_bound(struct json_machine *m, goal_id g, unsigned depth) {
    uint64_t *known = find(m, OF_GOAL, g), least = NO_VALUE;
    if (known) return *known;
    if (depth > MAX_DEPTH || m->arena.failed) return 1;
    keep(m, OF_GOAL, g, 1); /* what it is said to need while it is asked about itself */
    for (int t = 0; t < TYPE_COUNT && least > 1; t++) {
        goal_id f = goal_specialise(m->goals, g, (enum value_type)t);
        if (f == GOAL_FALSE || f == GOAL_CYCLE) continue;
        uint64_t bytes = type_bound(m, f, (enum value_type)t, depth);
        if (bytes < least) least = bytes;
    }
    /* Nothing that is known: a limit, or a contradiction that only the solver sees. */
    if (least == NO_VALUE) least = 1;
    known = find(m, OF_GOAL, g);
    if (known) *known = least;
    return least;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Bytes from behind a child of PENDING c (0: of nothing) to the end of the text. */
static uint64_t behind(struct json_machine *m, uint32_t c) {
    uint64_t *known = c ? find(m, OF_FRAME, c) : NULL;
    if (!c) return 0;
    if (known) return *known;
    uint64_t sum = 0;
    for (uint32_t at = c; at; at = context(m, at)->parent) {
        const struct context *x = context(m, at);
        bool object = x->kind == CONTEXT_PENDING_OBJECT;
        uint64_t inside =
            object ? members_bound(m, x->roots[0], 0) : items_bound(m, x->roots[0], 0);
        sum = plus(sum, plus(inside, 1 + (m->style.blanks == FORMA_BLANKS_PRETTY)));
    }
    return keep(m, OF_FRAME, c, sum);
}

/* In OBJECT or ARRAY c, between its children. */
static uint64_t container_bound(struct json_machine *m, uint32_t c, enum place p) {
    const struct context *x = context(m, c);
    bool object = x->kind == CONTEXT_OBJECT;
    uint64_t inside = object ? members_bound(m, x->roots[0], 0) : items_bound(m, x->roots[0], 0);
    /* The comma, and all blanks perhaps, are written already, or stand in front of no child. */
    if (p != PLACE_AFTER_MEMBER && p != PLACE_AFTER_ITEM)
        inside = less(inside, 1 + blanks_before(m));
    if (p == PLACE_NEXT_KEY && inside < 4) inside = 4; /* one must come: "":0 */
    return plus(plus(behind(m, x->parent), 1), inside);
}

struct prefix_question {
    struct json_machine *m;
    goal_id formula;
    const char *text;
    size_t length;
    bool may_serve; /* a member whose name begins so may be one that is needed */
    uint64_t saved; /* then: bytes of what its name must have at least that are read */
};

static void ask_class(void *ctx, uint32_t key_class, bool needed) {
    struct prefix_question *q = ctx;
    const struct key_class *k = key_class_get(q->m->goals, key_class);
    size_t length;
    uint64_t saved = q->length;
    if (!needed) return;
    if (k->name) {
        const char *name = goal_name_text(q->m->goals, k->name, &length);
        if (length < q->length || memcmp(name, q->text, q->length) != 0) return;
    } else {
        size_t n;
        const goal_id *literals = formula_literals(q->m->goals, &q->formula, &n);
        uint64_t least = string_bound(q->m, names_language(q->m, literals, n, k), 0);
        if (least < saved) saved = least;
    }
    if (saved > q->saved) q->saved = saved;
    q->may_serve = true;
}

/* In a key of OBJECT o: it is one that is needed, of whose cost the part that was read is saved; or
 * it comes beside those. */
static uint64_t key_bound(struct json_machine *m, uint32_t o, struct key_state k) {
    const struct context *x = context(m, o);
    uint64_t after = plus(behind(m, x->parent), 1), inside = members_bound(m, x->roots[0], 0);
    if (k.phase != KEY_TEXT) return plus(after, 1);
    uint64_t count;
    partial_id partial;
    size_t mark = goal_scratch_mark(m->goals);
    struct prefix_question q = {.m = m, .formula = x->roots[0]};
    q.text = prefix_text(m, k.prefix, &q.length);
    term_id rest = string_residual(m->strings, k.string, &count, &partial);
    if (q.text) formula_key_classes(m->goals, x->roots[0], ask_class, &q);
    uint64_t beside = plus(plus(string_bound(m, rest, count), 3), plus(after, inside));
    /* `inside` holds the quote, the comma and blanks, which are written */
    uint64_t serving = plus(less(inside, plus(q.saved, 2 + blanks_before(m))), after);
    goal_scratch_pop(m->goals, mark);
    return q.may_serve && serving < beside ? serving : beside;
}

static uint64_t piece_bound(struct json_machine *m, struct state s) {
    uint32_t at = json_piece(m, s.region);
    uint64_t count;
    partial_id partial;
    switch (region_kind(s.region)) {
    case REGION_STRING:
    case REGION_RECORDED_STRING: {
        term_id rest = string_residual(m->strings, at, &count, &partial);
        return plus(string_bound(m, rest, count), 1);
    }
    case REGION_NUMBER:
    case REGION_RECORDED_NUMBER: return number_bound(m, at);
    case REGION_LITERAL: return strlen(json_literal_text[at >> 4]) - (at & 15);
    case REGION_BLANK:
    case REGION_KEY: break;
    }
    return 0;
}

uint64_t json_at_least(struct machine *base, struct state s) {
    struct json_machine *m = (struct json_machine *)(void *)base;
    const struct context *c = context(m, s.context);
    unsigned narrowed = base->narrowed;
    uint64_t bytes = 0;
    if (c->kind == CONTEXT_END) return 0;
    if (region_kind(s.region) == REGION_KEY) {
        bytes = key_bound(m, s.context, key_state_get(m, s.region));
    } else if (region_kind(s.region) != REGION_BLANK) {
        bytes = plus(piece_bound(m, s), behind(m, c->parent));
    } else if (c->kind == CONTEXT_VALUE) {
        bytes = plus(goal_bound(m, c->roots[0], 0), behind(m, c->parent));
        bytes += region_place(s.region) == PLACE_COLON;
    } else {
        bytes = container_bound(m, s.context, region_place(s.region));
    }
    base->narrowed = narrowed;
    return bytes;
}
