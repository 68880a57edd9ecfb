/* SPDX-License-Identifier: MIT */
#include "schema/blame.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Variants of the form that are kept: the same few are asked about many things. */
enum { MAX_KEPT = 10 };

/* The style is loosened in one way; the first one is that in which rules are asked about: the order
 * of keys hangs on the rules. */
enum variant { ANY_KEYS, ANY_NUMBERS, ANY_ESCAPES, ANY_BLANKS, ANY_STYLE };

/* A form with some rules dropped, that has read the text. */
struct asked {
    struct json_machine *m; /* NULL: it does not compile, or refuses the text */
    struct state state;
};

struct kept {
    enum variant variant;
    size_t first, n; /* of b->rules; n = 1: one rule, else from the first on */
    struct asked asked;
};

struct blamer {
    const struct schema_source *source;
    struct json_schema *schema;
    const char *text;
    size_t length;
    double deadline;
    struct rule_place *rules;         /* by preference */
    size_t n, ends[RULE_FOREIGN + 1]; /* of the ranks */
    struct rule_place *dropped;       /* scratch, n */
    size_t *candidates;               /* scratch, n: indices into rules */
    struct kept kept[MAX_KEPT];
    size_t n_kept;
    enum variant variant; /* in which rules are asked about */
};

/* ---- forms --------------------------------------------------------------------------------- */

static struct forma_style style_of(const struct blamer *b, enum variant variant) {
    struct forma_style style = b->source->options->style;
    if (variant == ANY_STYLE) return forma_style_exact();
    style.keys = FORMA_KEYS_ANY;
    if (variant == ANY_NUMBERS) style.numbers = FORMA_NUMBERS_ANY;
    if (variant == ANY_ESCAPES) style.escapes = FORMA_ESCAPES_ANY;
    if (variant == ANY_BLANKS) style.blanks = FORMA_BLANKS_ANY;
    return style;
}

/* The style that the variant loosens, as the command line calls it. */
static const char *style_name(const struct blamer *b, enum variant variant) {
    static const char *const blanks[] = {
        [FORMA_BLANKS_COMPACT] = "--blanks compact",
        [FORMA_BLANKS_NATURAL] = "--blanks natural",
        [FORMA_BLANKS_ANY] = "--blanks any",
        [FORMA_BLANKS_PRETTY] = "--blanks pretty",
    };
    switch (variant) {
    case ANY_KEYS: return "--keys schema";
    case ANY_NUMBERS: return "--numbers plain";
    case ANY_ESCAPES: return "--escapes minimal";
    default: return blanks[b->source->options->style.blanks];
    }
}

static bool is_late(const struct blamer *b) {
    return clock_ms() >= b->deadline;
}

static struct asked make(const struct blamer *b, enum variant variant,
                         const struct rule_place *without, size_t n) {
    struct forma_options options = *b->source->options;
    struct asked a = {NULL, {0, 0}};
    options.style = style_of(b, variant);
    struct schema_source source = *b->source;
    source.options = &options;
    if (is_late(b)) return a;
    const struct schema_wishes wishes = {.without = without, .n_without = n};
    struct json_schema *schema;
    struct forma_error ignored;
    a.m = schema_build(&source, &wishes, b->deadline, &schema, &ignored);
    if (!a.m) return a;
    struct machine *base = json_machine_base(a.m);
    a.state = base->start;
    for (size_t i = 0; i < b->length && !state_is_dead(a.state); i++)
        a.state = machine_step(base, a.state, (unsigned char)b->text[i]);
    if (!state_is_dead(a.state)) return a;
    json_machine_free(a.m);
    a.m = NULL;
    return a;
}

static bool can(const struct asked *a, const struct next_item *item) {
    if (!a->m) return false;
    struct machine *base = json_machine_base(a->m);
    machine_speculate(base);
    bool answer = machine_can(base, a->state, item);
    machine_forget(base);
    return answer;
}

/* A form that is kept: without one rule, or from the first to the n-th. */
static const struct asked *keep(struct blamer *b, enum variant variant, size_t first, size_t n) {
    static const struct asked none = {NULL, {0, 0}};
    for (size_t i = 0; i < b->n_kept; i++) {
        const struct kept *k = &b->kept[i];
        if (k->variant == variant && k->first == first && k->n == n) return &k->asked;
    }
    if (is_late(b)) return &none;
    if (b->n_kept == MAX_KEPT) { /* the oldest that is about one rule */
        size_t oldest = 0;
        while (oldest + 1 < MAX_KEPT && b->kept[oldest].n != 1) oldest++;
        if (b->kept[oldest].asked.m) json_machine_free(b->kept[oldest].asked.m);
        memmove(b->kept + oldest, b->kept + oldest + 1, (MAX_KEPT - 1 - oldest) * sizeof *b->kept);
        b->n_kept--;
    }
    struct kept *k = &b->kept[b->n_kept++];
    *k = (struct kept){variant, first, n, make(b, variant, b->rules + first, n)};
    return &k->asked;
}

/* ---- halving ------------------------------------------------------------------------------- */

/* Some of the candidates, by index into b->rules. */
struct found {
    size_t rules[BLAME_MAX_RULES], n;
};

/* Without `found`, the one at `put_back` excepted, and the first n candidates? */
static bool can_without(struct blamer *b, const struct found *found, size_t put_back, size_t n,
                        const struct next_item *item) {
    size_t k = 0;
    for (size_t i = 0; i < found->n; i++)
        if (i != put_back) b->dropped[k++] = b->rules[found->rules[i]];
    for (size_t i = 0; i < n; i++) b->dropped[k++] = b->rules[b->candidates[i]];
    struct asked a = make(b, b->variant, b->dropped, k);
    bool answer = can(&a, item);
    if (a.m) json_machine_free(a.m);
    return answer;
}

/* A set of candidates, out of the first n, without which the thing may come and none of which can be
 * put back. Without all n it may. What comes late in the list is taken only where need be. */
static bool halve(struct blamer *b, size_t n, const struct next_item *item, struct found *found) {
    found->n = 0;
    while (found->n == 0 || !can_without(b, found, SIZE_MAX, 0, item)) {
        size_t low = 0, high = n; /* may not come without the first `low`, may without `high` */
        while (high - low > 1) {
            size_t middle = low + (high - low) / 2;
            if (can_without(b, found, SIZE_MAX, middle, item))
                high = middle;
            else
                low = middle;
        }
        if (high == 0 || found->n == BLAME_MAX_RULES || is_late(b)) return false;
        found->rules[found->n++] = b->candidates[high - 1];
        n = high - 1;
    }
    for (size_t i = 0; found->n > 1 && i < found->n;) {
        if (can_without(b, found, i, 0, item))
            memmove(found->rules + i, found->rules + i + 1,
                    (--found->n - i) * sizeof *found->rules);
        else
            i++;
    }
    return !is_late(b);
}

/* Takes candidates first..end, without those found. */
static size_t set_candidates(struct blamer *b, size_t end, const struct found *found) {
    size_t n = 0;
    for (size_t i = 0; i < end; i++) {
        bool is_found = false;
        for (size_t j = 0; j < found->n; j++) is_found |= found->rules[j] == i;
        if (!is_found) b->candidates[n++] = i;
    }
    return n;
}

/* ---- asking -------------------------------------------------------------------------------- */

static void tell(struct blamer *b, struct blame *out, size_t rule) {
    if (out->n < BLAME_MAX_RULES) out->rules[out->n++] = rule_pointer(b->schema, &b->rules[rule]);
}

/* Rules that were found before, for other things. */
static bool ask_known(struct blamer *b, const struct next_item *item, struct blame *out) {
    for (size_t i = 0; i < b->n_kept; i++)
        if (b->kept[i].variant == b->variant && b->kept[i].n == 1 && can(&b->kept[i].asked, item))
            tell(b, out, b->kept[i].first);
    return out->n > 0;
}

/* Other rules that alone are to blame, beside the one that was found. */
static void ask_others(struct blamer *b, const struct next_item *item, struct found *found,
                       struct blame *out) {
    struct found other;
    while (out->n < BLAME_MAX_RULES && !is_late(b)) {
        size_t n = set_candidates(b, b->ends[RULE_ASSERTS], found);
        other.n = 0;
        if (!can_without(b, &other, SIZE_MAX, n, item) || !halve(b, n, item, &other)) return;
        if (other.n != 1) return;
        tell(b, out, other.rules[0]);
        keep(b, b->variant, other.rules[0], 1);
        found->rules[found->n++] = other.rules[0];
    }
}

static bool ask_rules(struct blamer *b, const struct next_item *item, struct blame *out) {
    struct found found = {{0}, 0};
    for (int rank = RULE_ASSERTS; rank <= RULE_FOREIGN; rank++) {
        size_t end = b->ends[rank];
        if (end == 0 || (rank > 0 && end == b->ends[rank - 1])) continue;
        if (!can(keep(b, b->variant, 0, end), item)) continue;
        found.n = 0;
        if (!halve(b, set_candidates(b, end, &found), item, &found)) return false;
        for (size_t i = 0; i < found.n; i++) tell(b, out, found.rules[i]);
        out->together = found.n > 1;
        if (found.n != 1) return true;
        keep(b, b->variant, found.rules[0], 1);
        ask_others(b, item, &found, out);
        return true;
    }
    return false;
}

/* A style and rules, none of which is enough without the others. */
static bool ask_style_and_rules(struct blamer *b, const struct next_item *item, struct blame *out) {
    for (int v = ANY_NUMBERS; v <= ANY_BLANKS && !is_late(b); v++) {
        b->variant = (enum variant)v;
        if (!ask_rules(b, item, out)) continue;
        if (!out->together) out->n = 1; /* any one of them would do */
        if (out->n == BLAME_MAX_RULES) return false;
        out->rules[out->n++] = style_name(b, b->variant);
        out->together = true;
        return true;
    }
    return false;
}

bool blamer_ask(struct blamer *b, const struct next_item *item, struct blame *out) {
    memset(out, 0, sizeof *out);
    if (!can(keep(b, ANY_STYLE, 0, b->n), item)) {
        out->is_syntax = !is_late(b);
        return !is_late(b);
    }
    if (can(keep(b, ANY_KEYS, 0, 0), item)) {
        out->rules[out->n++] = style_name(b, ANY_KEYS);
        return true;
    }
    b->variant = ANY_KEYS;
    if (ask_known(b, item, out) || ask_rules(b, item, out)) return true;
    for (int v = ANY_NUMBERS; v <= ANY_BLANKS && !is_late(b); v++)
        if (can(keep(b, (enum variant)v, 0, 0), item)) {
            out->rules[out->n++] = style_name(b, (enum variant)v);
            return true;
        }
    return ask_style_and_rules(b, item, out);
}

/* ---- life ---------------------------------------------------------------------------------- */

struct preferred {
    struct rule_place rule;
    uint32_t distance;
    size_t index;
};

static int by_preference(const void *a, const void *b) {
    const struct preferred *x = a, *y = b;
    if (x->rule.rank != y->rule.rank) return x->rule.rank < y->rule.rank ? -1 : 1;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool settle_order(struct blamer *b, const struct in_play *in_play) {
    struct arena *a = b->schema->arena;
    struct preferred *list = arena_push_array(a, b->n, sizeof *list);
    b->dropped = arena_push_array(a, b->n + BLAME_MAX_RULES, sizeof *b->dropped);
    b->candidates = arena_push_array(a, b->n, sizeof *b->candidates);
    if (!list || !b->dropped || !b->candidates) return false;
    for (size_t i = 0; i < b->n; i++)
        list[i] = (struct preferred){b->rules[i], in_play_distance(in_play, b->rules[i].node), i};
    if (b->n) qsort(list, b->n, sizeof *list, by_preference);
    for (size_t i = 0; i < b->n; i++) {
        b->rules[i] = list[i].rule;
        for (int rank = (int)list[i].rule.rank; rank <= RULE_FOREIGN; rank++) b->ends[rank] = i + 1;
    }
    return true;
}

struct blamer *blamer_new(const struct schema_source *source, struct json_machine *machine,
                          struct json_schema *schema, const struct in_play *in_play,
                          const char *text, size_t length, double deadline) {
    struct blamer *b = arena_push(json_machine_arena(machine), sizeof *b);
    if (!b) return NULL;
    *b = (struct blamer){
        .source = source, .schema = schema, .text = text, .length = length, .deadline = deadline};
    return rules_list(schema, &b->rules, &b->n) && settle_order(b, in_play) ? b : NULL;
}

void blamer_free(struct blamer *b) {
    for (size_t i = 0; b && i < b->n_kept; i++)
        if (b->kept[i].asked.m) json_machine_free(b->kept[i].asked.m);
}
