/* SPDX-License-Identifier: MIT
 *
 * What may come next behind a text, and by which rules. The machine lists the things (automaton/next.h);
 * for what may come, the keywords that speak of it are those of the schemas in play (in_play.h); what
 * may not is asked again without some of the rules (blame.h).
 */
#include <string.h>

#include "automaton/json_pool.h"
#include "base/error.h"
#include "base/utf8.h"
#include "schema/blame.h"
#include "schema/internal.h"
#include "schema/options.h"

enum { MAX_RULES_TOLD = 16 };

struct listed {
    ARENA_VEC(struct next_item) items;
    struct arena *arena;
};

struct explain {
    struct json_machine *machine;
    struct json_schema *schema;
    struct in_play *in_play;
    struct blamer *blamer;
    struct state state;
    struct listed listed;
    forma_next_fn fn;
    void *ctx;
};

static const char *copy_text(struct arena *a, const char *text, size_t length) {
    char *copy = arena_push(a, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy ? copy : "";
}

/* Things are gathered before anything else is asked of the machine. */
static void gather(void *ctx, const struct next_item *item) {
    struct listed *l = ctx;
    if (!ARENA_VEC_GROW(l->arena, &l->items)) return;
    struct next_item *x = &l->items.data[l->items.count++];
    *x = *item;
    x->shown.what = copy_text(l->arena, item->shown.what, strlen(item->shown.what));
    x->shown.why = copy_text(l->arena, item->shown.why, strlen(item->shown.why));
    x->shown.text = copy_text(l->arena, item->shown.text, item->shown.length);
    x->shown.before = copy_text(l->arena, item->shown.before, item->shown.n_before);
    if (item->name) x->name = copy_text(l->arena, item->name, item->name_length);
}

static void tell_possible(struct explain *e, struct next_item *item) {
    const char *rules[MAX_RULES_TOLD];
    item->shown.n_rules = in_play_rules(e->in_play, item, rules, MAX_RULES_TOLD);
    item->shown.rules = rules;
    e->fn(e->ctx, &item->shown);
}

static void tell_blocked(struct explain *e, struct next_item *item) {
    struct blame blame;
    bool known = blamer_ask(e->blamer, item, &blame);
    if (known && blame.is_syntax && item->kind != NEXT_BYTES) return;
    if (known && blame.is_syntax) item->shown.why = "no JSON text goes on like this";
    if (known) {
        item->shown.rules = blame.rules;
        item->shown.n_rules = blame.n;
        item->shown.together = blame.together;
    }
    e->fn(e->ctx, &item->shown);
}

/* What stands at `at` and does not fit; why: what the list calls it, if it is there. */
struct refused {
    struct next_item item;
    char what[32], why[600];
};

static void find_refused(struct explain *e, const char *text, size_t length, size_t at,
                         struct refused *r) {
    unsigned char byte = (unsigned char)text[at];
    uint32_t code = byte;
    struct text what, why;
    text_init(&what, r->what, sizeof r->what);
    text_init(&why, r->why, sizeof r->why);
    if (utf8_decode((const unsigned char *)text + at, length - at, &code))
        text_add_code(&what, code);
    else
        text_add(&what, "the byte 0x%02X", byte);
    r->item = (struct next_item){.kind = NEXT_BYTES, .type = NEXT_NO_TYPE};
    r->item.shown = (struct forma_next){
        .what = r->what, .why = r->why, .before = "", .text = text + at, .length = 1};
    BYTES_ADD(r->item.shown.first, byte);
    for (uint32_t i = 0; i < e->listed.items.count; i++) {
        const struct next_item *item = &e->listed.items.data[i];
        const struct forma_next *n = &item->shown;
        bool same = n->length ? (unsigned char)n->text[0] == byte && n->length == 1
                              : BYTES_HAS(n->first, byte) != 0;
        if (n->possible || !same) continue;
        if (item->kind == NEXT_CHARACTER && !*n->why) continue; /* says no more than `what` */
        text_add(&why, *n->why ? "%s: %s" : "%s", n->what, n->why);
        return;
    }
}

static enum forma_status read_text(struct explain *e, const char *text, size_t length, size_t *read,
                                   struct forma_error *err) {
    struct machine *base = json_machine_base(e->machine);
    base->narrowed = 0;
    e->state = base->start;
    for (*read = 0; *read < length; ++*read) {
        struct state next = machine_step(base, e->state, (unsigned char)text[*read]);
        if (state_is_dead(next)) break;
        e->state = next;
    }
    if (base->failed)
        return error_set(err, FORMA_ELIMIT,
                         "the grammar's memory limit is used up; raise max_memory");
    if (*read < length && base->narrowed) {
        const char *names = forma_strlimits(base->narrowed);
        return error_at_offset(err, FORMA_ELIMIT, *read,
                               "a search limit was met here, so it cannot be told whether the text "
                               "fits%s%s",
                               *names ? "; raise " : "", names);
    }
    return FORMA_OK;
}

static enum forma_status explain(struct explain *e, const struct schema_source *source,
                                 const char *text, size_t length, double deadline,
                                 struct forma_error *err) {
    struct machine *base = json_machine_base(e->machine);
    size_t read;
    enum forma_status status = read_text(e, text, length, &read, err);
    if (status != FORMA_OK) return status;
    e->listed.arena = json_machine_arena(e->machine);
    machine_speculate(base);
    base->ops->next(base, e->state, gather, &e->listed);
    machine_forget(base);
    e->in_play = in_play_new(e->schema, e->machine, e->state, text, read);
    e->blamer = e->in_play
                    ? blamer_new(source, e->machine, e->schema, e->in_play, text, read, deadline)
                    : NULL;
    if (!e->blamer)
        return error_set(err, FORMA_ELIMIT,
                         "the grammar's memory limit is used up; raise max_memory");
    if (read < length) {
        struct refused refused;
        find_refused(e, text, length, read, &refused);
        tell_blocked(e, &refused.item);
    }
    for (uint32_t i = 0; i < e->listed.items.count; i++)
        if (e->listed.items.data[i].shown.possible) tell_possible(e, &e->listed.items.data[i]);
    if (read < length)
        return error_at_offset(err, FORMA_EREFUSED, read, "the text does not fit here");
    for (uint32_t i = 0; i < e->listed.items.count; i++)
        if (!e->listed.items.data[i].shown.possible) tell_blocked(e, &e->listed.items.data[i]);
    return FORMA_OK;
}

enum forma_status forma_explain_text(const char *schema, size_t schema_length,
                                     const struct forma_vocabulary *vocabulary,
                                     const struct forma_options *options, const char *text,
                                     size_t length, forma_next_fn fn, void *ctx,
                                     struct forma_error *err) {
    struct forma_options quiet;
    struct forma_error own;
    if (!err) err = &own;
    error_clear(err);
    forma_options_init(&quiet);
    if (options) quiet = *options;
    quiet.log = NULL;
    enum forma_status status = options_check(&quiet, err);
    if (status != FORMA_OK) return status;
    const bool *alphabet = vocabulary ? forma_vocabulary_alphabet(vocabulary) : NULL;
    const struct schema_source source = {schema, schema_length, alphabet, &quiet,
                                         forma_vocabulary_machines(vocabulary)};
    struct explain e = {.fn = fn, .ctx = ctx};
    const struct schema_wishes none = {0};
    e.machine = schema_build(&source, &none, schema_deadline(&quiet), &e.schema, err);
    if (!e.machine) return err->status;
    status = explain(&e, &source, text, length, schema_deadline(&quiet), err);
    blamer_free(e.blamer);
    json_machine_free(e.machine);
    return status;
}
