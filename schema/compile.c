/* SPDX-License-Identifier: MIT
 *
 * From the text of a JSON Schema to a grammar: the machine, the goals, the root's
 * verdict. The whole compile runs under the memory, work and time limits of the options.
 */
#include <stdio.h>

#include "automaton/grammar.h"
#include "automaton/json_pool.h"
#include "base/clock.h"
#include "base/error.h"
#include "schema/compile.h"
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

static void log_dead_part(void *ctx, uint32_t node, const char *where, const char *why) {
    (void)node;
    const struct forma_options *o = *(const struct forma_options *const *)ctx;
    char message[320];
    snprintf(message, sizeof message, "no value satisfies this part: %s", why);
    o->log(o->log_ctx, 0, where, message);
}

static void report_dead_part(void *ctx, uint32_t node, const char *where, const char *why) {
    schema_report_never(ctx, node, where, why);
}

static struct json_machine *new_machine(const struct schema_source *source,
                                        struct forma_error *err) {
    const struct forma_options *o = source->options;
    struct json_machine_options mo = {.style = o->style,
                                      .alphabet = source->alphabet,
                                      .max_memory = o->max_memory,
                                      .max_nesting = o->max_nesting,
                                      .max_work = o->max_work,
                                      .max_states = o->max_states,
                                      .allocator = fa_allocator_or_default(o->allocator)};
    return json_pool_take(source->machines, &mo, err);
}

/* Loads the schema, into *schema, and starts the machine. */
static enum forma_status start(struct json_machine *m, const struct schema_source *source,
                               const struct schema_wishes *wishes, double deadline,
                               struct json_schema **schema, struct forma_error *err) {
    const struct forma_options *o = source->options;
    struct json_schema *s =
        json_schema_load_with(json_machine_goals(m), source->text, source->length, o, wishes, err);
    *schema = s;
    if (!s) return err->status;
    struct json_form form = {key_order, pointer, s};
    enum forma_status status =
        json_machine_start(m, json_schema_root(s), &form, expired, &deadline, err);
    if (status != FORMA_OK && json_schema_too_many_scopes(s))
        return error_at_pointer(err, FORMA_ELIMIT, "",
                                "dynamic anchors can be met in too many combinations; use fewer "
                                "'$dynamicAnchor's");
    /* Loading sees them all but those that only dynamic anchors make. */
    if (status == FORMA_OK && goal_store_met_cycle(json_machine_goals(m)) && o->log &&
        !json_schema_told_of_cycle(s))
        o->log(o->log_ctx, 0, "",
               "a dynamic reference leads back to itself without going into a member or item; it "
               "holds for no value");
    if (wishes->report && (status == FORMA_OK || status == FORMA_EUNSAT))
        json_machine_dead_parts(m, expired, &deadline, report_dead_part, wishes->report);
    else if (status == FORMA_OK && o->report_parts && o->log)
        json_machine_dead_parts(m, expired, &deadline, log_dead_part, &o);
    return status;
}

double schema_deadline(const struct forma_options *options) {
    return clock_ms() + options->max_compile_ms;
}

struct json_machine *schema_build(const struct schema_source *source,
                                  const struct schema_wishes *wishes, double deadline,
                                  struct json_schema **schema, struct forma_error *err) {
    struct json_machine *m = new_machine(source, err);
    if (!m || start(m, source, wishes, deadline, schema, err) == FORMA_OK) return m;
    json_machine_free(m);
    return NULL;
}

/* The schema has no value in this alphabet. If it has one in full, name the missing byte. */
static void explain_alphabet(const struct schema_source *source, struct forma_error *err) {
    struct forma_options quiet = *source->options;
    quiet.log = NULL;
    struct forma_error ignored;
    const struct schema_source whole = {source->text, source->length, NULL, &quiet, NULL};
    const struct schema_wishes none = {0};
    struct json_schema *s;
    struct json_machine *m = schema_build(&whole, &none, schema_deadline(&quiet), &s, &ignored);
    if (!m) return;
    unsigned char value[4096];
    struct machine *base = json_machine_base(m);
    size_t n = base->ops->completion(base, base->start, value, sizeof value);
    if (n > sizeof value) n = sizeof value;
    for (size_t i = 0; i < n; i++)
        if (!source->alphabet[value[i]]) {
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
    const struct schema_source source = {text, length, alphabet, options,
                                         forma_vocabulary_machines(vocabulary)};
    const struct schema_wishes none = {0};
    struct json_schema *s;
    struct json_machine *m = schema_build(&source, &none, schema_deadline(options), &s, err);
    if (!m) {
        if (err->status == FORMA_EUNSAT && alphabet) explain_alphabet(&source, err);
        return NULL;
    }
    struct forma_grammar *g = grammar_new(json_machine_base(m), options->cache,
                                          fa_allocator_or_default(options->allocator));
    if (g) return g;
    json_machine_free(m);
    error_set(err, FORMA_EMEMORY, "no memory for a grammar");
    return NULL;
}

/* A root without a value, where no schema below it was blamed. */
static void report_unsat(struct schema_report *report, const struct forma_error *err) {
    if (!schema_report_has_never(report))
        schema_report_never(report, UINT32_MAX, err->pointer, err->message);
}

enum forma_status forma_explain_json_schema(const char *text, size_t length,
                                            const struct forma_options *options, forma_rule_fn fn,
                                            void *ctx, const char **draft,
                                            struct forma_error *err) {
    struct forma_options defaults;
    struct forma_error own;
    if (!err) err = &own;
    error_clear(err);
    forma_options_init(&defaults);
    if (!options) options = &defaults;
    if (draft) *draft = "";
    if (options_check(options, err) != FORMA_OK) return err->status;
    struct schema_report *report = schema_report_new(options, err);
    const struct schema_source source = {text, length, NULL, options, NULL};
    const struct schema_wishes wishes = {.report = report};
    struct json_machine *m = report ? new_machine(&source, err) : NULL;
    if (m) {
        struct json_schema *s;
        enum forma_status status = start(m, &source, &wishes, schema_deadline(options), &s, err);
        if (status == FORMA_EUNSAT) report_unsat(report, err);
        if (!schema_report_tell(report, fn, ctx, draft))
            error_at_pointer(err, FORMA_ELIMIT, "",
                             "the report needs more than the memory limit of %zu bytes; raise "
                             "max_memory",
                             options->max_memory);
    }
    json_machine_free(m);
    schema_report_free(report);
    return err->status;
}
