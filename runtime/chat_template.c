/* SPDX-License-Identifier: MIT
 *
 * Between the engine and the Jinja interpreter: the source is copied with its line ends made equal
 * and parsed once; a rendering builds the messages as values, runs the tree in an arena of its own
 * and copies the result out.
 */
#include "runtime/chat_template.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "runtime/jinja_eval.h"

struct chat_template {
    const struct forma_allocator *allocator;
    struct arena arena;
    char *source;
    size_t length;
    const struct jinja_node *first;
};

/* Newlines become "\n" and one at the very end goes, as Jinja has it. */
static size_t copy_source(char *out, const char *source, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (source[i] == '\r') {
            if (i + 1 < length && source[i + 1] == '\n') continue;
            out[n++] = '\n';
        } else {
            out[n++] = source[i];
        }
    }
    return n > 0 && out[n - 1] == '\n' ? n - 1 : n;
}

struct chat_template *chat_template_compile(const char *source, size_t length,
                                            const struct forma_allocator *allocator,
                                            struct forma_error *err) {
    allocator = fa_allocator_or_default(allocator);
    if (length > JINJA_MAX_SOURCE) {
        error_set(err, FORMA_ELIMIT, "the chat template has more than %d bytes", JINJA_MAX_SOURCE);
        return NULL;
    }
    size_t valid = utf8_valid_prefix((const unsigned char *)source, length);
    if (valid < length) {
        error_at_text(err, FORMA_EMODEL, source, length, valid, "the chat template is not UTF-8");
        return NULL;
    }
    struct chat_template *t = fa_alloc_zero(allocator, sizeof *t);
    if (!t) goto no_memory;
    t->allocator = allocator;
    /* Every token is at least a byte and makes at most two nodes, or a list element. */
    size_t space = 3 * sizeof(struct jinja_node) * (length + 64);
    if (!arena_init(&t->arena, allocator, space)) goto no_memory;
    t->source = arena_push(&t->arena, length);
    if (!t->source) goto no_memory;
    t->length = copy_source(t->source, source, length);
    struct jinja_node *first;
    if (!jinja_parse(&t->arena, t->source, t->length, &first, err)) {
        if (t->arena.failed) goto no_memory;
        chat_template_free(t);
        return NULL;
    }
    t->first = first;
    return t;

no_memory:
    chat_template_free(t);
    error_set(err, FORMA_EMEMORY, "no memory for the chat template");
    return NULL;
}

void chat_template_free(struct chat_template *t) {
    if (!t) return;
    if (t->arena.allocator) arena_destroy(&t->arena);
    fa_free(t->allocator, t, sizeof *t);
}

void chat_text_destroy(struct chat_text *t) {
    const struct forma_allocator *allocator = fa_allocator_or_default(t->allocator);
    fa_free(allocator, t->pieces, t->n_pieces * sizeof *t->pieces);
    fa_free(allocator, t->buffer, t->buffer_size);
    t->pieces = NULL;
    t->buffer = NULL;
    t->n_pieces = t->buffer_size = 0;
}

/* ---- rendering ---------------------------------------------------------------------------- */

static bool make_messages(struct jinja_machine *m, const struct chat_context *context,
                          struct jinja_value *out) {
    struct jinja_value *items = arena_push_array(&m->arena, context->n_messages, sizeof *items);
    *out = (struct jinja_value){.kind = JINJA_LIST, .count = context->n_messages};
    out->items = items;
    for (size_t i = 0; items && i < context->n_messages; i++) {
        const struct chat_message *message = &context->messages[i];
        struct jinja_pair *pairs = arena_push_array(&m->arena, 2, sizeof *pairs);
        if (!pairs) return false;
        pairs[0] = (struct jinja_pair){jinja_str("role", 4, false),
                                       jinja_str(message->role, strlen(message->role), true)};
        pairs[1] = (struct jinja_pair){jinja_str("content", 7, false),
                                       jinja_str(message->content, strlen(message->content), true)};
        items[i] = (struct jinja_value){.kind = JINJA_DICT, .count = 2};
        items[i].pairs = pairs;
    }
    return items != NULL;
}

static bool set_variable(struct jinja_machine *m, const char *name, struct jinja_value value) {
    static const struct jinja_node nowhere = {.kind = JINJA_N_NAME};
    return jinja_assign(m, &nowhere, name, strlen(name), value);
}

/* What Hugging Face passes: tools and documents are there and none. */
static bool set_context(struct jinja_machine *m, const struct chat_context *context) {
    struct jinja_value messages;
    if (!make_messages(m, context, &messages)) return false;
    const char *bos = context->bos_token, *eos = context->eos_token;
    return set_variable(m, "messages", messages) && set_variable(m, "tools", jinja_none()) &&
           set_variable(m, "documents", jinja_none()) &&
           set_variable(m, "add_generation_prompt", jinja_bool(context->add_generation_prompt)) &&
           (!bos || set_variable(m, "bos_token", jinja_str(bos, strlen(bos), false))) &&
           (!eos || set_variable(m, "eos_token", jinja_str(eos, strlen(eos), false)));
}

static bool copy_out(const struct jinja_builder *b, struct chat_text *out) {
    const struct forma_allocator *allocator = fa_allocator_or_default(out->allocator);
    struct chat_text made = {
        .allocator = out->allocator, .n_pieces = b->runs.count, .buffer_size = b->length + 1};
    made.buffer = fa_alloc(allocator, made.buffer_size);
    made.pieces = fa_alloc(allocator, made.n_pieces * sizeof *made.pieces);
    if (!made.buffer || (made.n_pieces && !made.pieces)) {
        chat_text_destroy(&made);
        return false;
    }
    if (b->length) memcpy(made.buffer, b->data, b->length);
    made.buffer[b->length] = '\0';
    size_t begin = 0;
    for (size_t i = 0; i < made.n_pieces; begin = b->runs.data[i++].end)
        made.pieces[i] = (struct chat_piece){made.buffer + begin, b->runs.data[i].end - begin,
                                             !b->runs.data[i].from_message};
    chat_text_destroy(out);
    *out = made;
    return true;
}

/* The messages' text is not copied; the output is built by doubling, strings on the way to it may
 * be as long; lists and scopes grow with the steps. Address space, of which little is touched. */
static size_t arena_size(const struct chat_context *context, uint64_t max_steps, size_t max_bytes) {
    const uint64_t most = UINT64_C(1) << 32;
    uint64_t bytes = max_bytes < most ? max_bytes : most;
    uint64_t steps = max_steps < most / 64 ? max_steps : most / 64;
    uint64_t messages = context->n_messages < most / 512 ? context->n_messages : most / 512;
    uint64_t size = (UINT64_C(1) << 20) + 8 * bytes + 64 * steps + 512 * messages;
    return size < most ? (size_t)size : (size_t)most;
}

enum forma_status chat_template_render(const struct chat_template *t,
                                       const struct chat_context *context, uint64_t max_steps,
                                       size_t max_bytes, struct chat_text *out,
                                       struct forma_error *err) {
    struct forma_error local; /* the status decides, so an error is needed */
    if (!err) err = &local;
    error_clear(err);
    struct jinja_machine m = {.source = t->source,
                              .source_length = t->length,
                              .err = err,
                              .max_steps = max_steps,
                              .max_bytes = max_bytes};
    if (!arena_init(&m.arena, t->allocator, arena_size(context, max_steps, max_bytes)))
        return error_set(err, FORMA_EMEMORY, "no memory to render the chat template");
    struct jinja_builder text;
    jinja_builder_init(&text, &m.arena, max_bytes);
    m.out = &text;
    enum forma_status status = FORMA_OK;
    if (!set_context(&m, context))
        status = error_set(err, FORMA_ELIMIT, "there are too many messages to render");
    else if (!jinja_run(&m, t->first))
        status = err->status;
    else if (!copy_out(&text, out))
        status = error_set(err, FORMA_EMEMORY, "no memory for the rendered messages");
    arena_destroy(&m.arena);
    return status;
}
