/* SPDX-License-Identifier: MIT
 *
 * From the text of a JSON Schema to a grammar: the machine, the goals, the root's
 * verdict. The whole compile runs under the memory, work and time limits of the options.
 */
#include <stdio.h>

#include "automaton/grammar.h"
#include "automaton/json_machine.h"
#include "base/clock.h"
#include "base/error.h"
#include "schema/json_schema.h"
#include "schema/options.h"

static bool expired(void *ctx) {
    return clock_ms() >= *(const double *)ctx;
}

static uint32_t key_order(void *ctx, const goal_id *goals, uint32_t n, const uint32_t **names) {
    return json_schema_key_order(ctx, goals, n, names);
}

static const char *pointer(void *ctx, uint32_t schema_node) {
    return json_schema_pointer(ctx, schema_node);
}

static void log_dead_part(void *ctx, const char *where, const char *why) {
    const struct forma_options *o = *(const struct forma_options *const *)ctx;
    char message[320];
    snprintf(message, sizeof message, "no value satisfies this part: %s", why);
    o->log(o->log_ctx, 0, where, message);
}

/* A started machine, or NULL. */
static struct json_machine *build(const char *text, size_t length, const bool *alphabet,
                                  const struct forma_options *o, struct forma_error *err) {
    double deadline = clock_ms() + o->max_compile_ms;
    struct json_machine_options mo = {.style = o->style,
                                      .alphabet = alphabet,
                                      .max_memory = o->max_memory,
                                      .max_nesting = o->max_nesting,
                                      .max_work = o->max_work,
                                      .max_states = o->max_states,
                                      .allocator = fa_allocator_or_default(o->allocator)};
    struct json_machine *m = json_machine_new(&mo, err);
    if (!m) return NULL;
    struct json_schema *s = json_schema_load(json_machine_goals(m), text, length, o, err);
    struct json_form form = {key_order, pointer, s};
    if (s &&
        json_machine_start(m, json_schema_root(s), &form, expired, &deadline, err) == FORMA_OK) {
        /* Loading sees them all but those that only dynamic anchors make. */
        if (goal_store_met_cycle(json_machine_goals(m)) && o->log && !json_schema_told_of_cycle(s))
            o->log(o->log_ctx, 0, "",
                   "a dynamic reference leads back to itself without going into a member or item; "
                   "it holds for no value");
        if (o->report_parts && o->log)
            json_machine_dead_parts(m, expired, &deadline, log_dead_part, &o);
        return m;
    }
    if (s && json_schema_too_many_scopes(s))
        error_at_pointer(err, FORMA_ELIMIT, "",
                         "dynamic anchors can be met in too many combinations; use fewer "
                         "'$dynamicAnchor's");
    json_machine_free(m);
    return NULL;
}

/* The schema has no value in this alphabet. If it has one in full, name the missing byte. */
static void explain_alphabet(const char *text, size_t length, const bool *alphabet,
                             const struct forma_options *o, struct forma_error *err) {
    struct forma_options quiet = *o;
    quiet.log = NULL;
    struct json_machine *m = build(text, length, NULL, &quiet, NULL);
    if (!m) return;
    unsigned char value[4096];
    struct machine *base = json_machine_base(m);
    size_t n = base->ops->completion(base, base->start, value, sizeof value);
    if (n > sizeof value) n = sizeof value;
    for (size_t i = 0; i < n; i++)
        if (!alphabet[value[i]]) {
            error_at_pointer(err, FORMA_EUNSAT, "",
                             "no value can be written: the vocabulary has no token for the byte "
                             "0x%02X; use another model or relax the schema",
                             value[i]);
            break;
        }
    json_machine_free(m);
}

struct forma_grammar *forma_grammar_from_json_schema(const char *text, size_t length,
                                                     const struct forma_vocabulary *vocabulary,
                                                     const struct forma_options *options,
                                                     struct forma_error *err) {
    struct forma_options defaults;
    struct forma_error own;
    if (!err) err = &own;
    error_clear(err);
    forma_options_init(&defaults);
    if (!options) options = &defaults;
    if (options_check(options, err) != FORMA_OK) return NULL;
    const bool *alphabet = vocabulary ? forma_vocabulary_alphabet(vocabulary) : NULL;
    struct json_machine *m = build(text, length, alphabet, options, err);
    if (!m) {
        if (err->status == FORMA_EUNSAT && alphabet)
            explain_alphabet(text, length, alphabet, options, err);
        return NULL;
    }
    struct forma_grammar *g =
        grammar_new(json_machine_base(m), fa_allocator_or_default(options->allocator));
    if (g) return g;
    json_machine_free(m);
    error_set(err, FORMA_EMEMORY, "no memory for a grammar");
    return NULL;
}
