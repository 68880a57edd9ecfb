/* SPDX-License-Identifier: MIT
 *
 * From a regular expression to a grammar of raw texts: forma_grammar_from_regex.
 */
#include "automaton/grammar.h"
#include "automaton/text_machine.h"
#include "base/error.h"
#include "schema/ecma_regex.h"
#include "schema/options.h"

/* A started machine, or NULL. */
static struct text_machine *build(const char *pattern, size_t length, const bool *alphabet,
                                  const struct forma_options *o, struct forma_error *err) {
    struct text_machine_options mo = {.alphabet = alphabet,
                                      .max_memory = o->max_memory,
                                      .max_work = o->max_work,
                                      .allocator = fa_allocator_or_default(o->allocator)};
    struct ecma_options eo = {.max_nesting = o->max_nesting, .whole = true};
    struct text_machine *m = text_machine_new(&mo, err);
    if (!m) return NULL;
    term_id t = ecma_regex_compile(text_machine_regex(m), pattern, length, &eo, err);
    if (err->status == FORMA_OK && text_machine_start(m, t, err) == FORMA_OK) return m;
    text_machine_free(m);
    return NULL;
}

/* No text can be written in this alphabet. If there is one in full, name the missing byte. */
static void explain_alphabet(const char *pattern, size_t length, const bool *alphabet,
                             const struct forma_options *o, struct forma_error *err) {
    struct forma_error ignored;
    struct text_machine *m = build(pattern, length, NULL, o, &ignored);
    if (!m) return;
    unsigned char text[4096];
    struct machine *base = text_machine_base(m);
    size_t n = base->ops->completion(base, base->start, text, sizeof text);
    if (n > sizeof text) n = sizeof text;
    for (size_t i = 0; i < n; i++)
        if (!alphabet[text[i]]) {
            error_set(
                err, FORMA_EUNSAT,
                "no text of the form can be written: the vocabulary has no token for the byte "
                "0x%02X; use another model or relax the pattern",
                text[i]);
            break;
        }
    text_machine_free(m);
}

struct forma_grammar *forma_grammar_from_regex(const char *pattern, size_t length,
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
    if (length > options->max_bytes) {
        error_set(err, FORMA_ELIMIT,
                  "the pattern is %zu bytes long, the limit is %zu; raise max_bytes", length,
                  options->max_bytes);
        return NULL;
    }
    const bool *alphabet = vocabulary ? forma_vocabulary_alphabet(vocabulary) : NULL;
    struct text_machine *m = build(pattern, length, alphabet, options, err);
    if (!m) {
        if (err->status == FORMA_EUNSAT && alphabet)
            explain_alphabet(pattern, length, alphabet, options, err);
        return NULL;
    }
    struct forma_grammar *g = grammar_new(text_machine_base(m), options->cache,
                                          fa_allocator_or_default(options->allocator));
    if (g) return g;
    text_machine_free(m);
    error_set(err, FORMA_EMEMORY, "no memory for a grammar");
    return NULL;
}
