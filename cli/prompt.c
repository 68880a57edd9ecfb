/* SPDX-License-Identifier: MIT
 *
 * The schema in the system text is written without white space between its parts: fewer tokens,
 * and small models copy the layout that they see.
 */
#include "cli/prompt.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "cli/common.h"
#include "runtime/chat_template.h"

/* A chat template is a program: these bound it, far above what templates of real models need. */
#define TEMPLATE_MAX_STEPS UINT64_C(1000000)
#define TEMPLATE_MAX_BYTES ((size_t)64 << 20)

static const char schema_intro[] = "Answer with JSON that follows this JSON Schema:\n";
static const char schema_outro[] = "\nWrite only the JSON, nothing else.";

static enum forma_status append_compact(struct cli_text *out, const char *json, size_t length,
                                        struct forma_error *err) {
    bool in_string = false;
    size_t start = 0;
    for (size_t i = 0; i <= length; i++) {
        bool blank = i < length && !in_string && strchr(" \t\r\n", json[i]) && json[i];
        if (i == length || blank) {
            enum forma_status status = cli_text_append(out, json + start, i - start, err);
            if (status != FORMA_OK) return status;
            start = i + 1;
        } else if (in_string && json[i] == '\\' && i + 1 < length) {
            i++;
        } else if (json[i] == '"') {
            in_string = !in_string;
        }
    }
    return FORMA_OK;
}

static enum forma_status make_system(const struct prompt_source *s, struct cli_text *out,
                                     struct forma_error *err) {
    enum forma_status status = FORMA_OK;
    if (s->system) status = cli_text_append(out, s->system, strlen(s->system), err);
    if (status != FORMA_OK || !s->schema) return status;
    if (out->length) status = cli_text_append(out, "\n\n", 2, err);
    if (status == FORMA_OK)
        status = cli_text_append(out, schema_intro, sizeof schema_intro - 1, err);
    if (status == FORMA_OK) status = append_compact(out, s->schema, s->schema_length, err);
    if (status == FORMA_OK)
        status = cli_text_append(out, schema_outro, sizeof schema_outro - 1, err);
    return status;
}

/* The spelling of a token that the file names by id, terminated; NULL when there is none. */
static const char *named_token(const struct gguf *file, const struct tokenizer *t, const char *key,
                               char *out, size_t capacity) {
    uint64_t id;
    if (!gguf_get_u64(file, key, &id) || id >= tokenizer_size(t)) return NULL;
    struct gguf_string piece = tokenizer_piece(t, (uint32_t)id);
    if (piece.length >= capacity) return NULL;
    memcpy(out, piece.data, piece.length);
    out[piece.length] = '\0';
    return out;
}

static enum forma_status render(const struct gguf *file, const struct tokenizer *tokenizer,
                                const struct chat_template *template,
                                const struct chat_message *messages, size_t n,
                                struct chat_text *out, struct forma_error *err) {
    char bos[256], eos[256];
    struct chat_context context = {
        .messages = messages,
        .n_messages = n,
        .add_generation_prompt = true,
        .bos_token = named_token(file, tokenizer, "tokenizer.ggml.bos_token_id", bos, sizeof bos),
        .eos_token = named_token(file, tokenizer, "tokenizer.ggml.eos_token_id", eos, sizeof eos),
    };
    return chat_template_render(template, &context, TEMPLATE_MAX_STEPS, TEMPLATE_MAX_BYTES, out,
                                err);
}

/* Some templates refuse the role "system": then its text goes in front of the user's. */
static enum forma_status render_chat(const struct gguf *file, const struct tokenizer *tokenizer,
                                     const struct chat_template *template, struct cli_text *system,
                                     const char *user, struct chat_text *out,
                                     struct forma_error *err) {
    struct chat_message messages[2];
    size_t n = 0;
    if (system->length) messages[n++] = (struct chat_message){"system", system->data};
    messages[n++] = (struct chat_message){"user", user};
    enum forma_status status = render(file, tokenizer, template, messages, n, out, err);
    if (status == FORMA_OK || status == FORMA_EMEMORY || n == 1) return status;
    chat_text_destroy(out);
    *out = (struct chat_text){0};
    struct forma_error second;
    if (cli_text_append(system, "\n\n", 2, &second) != FORMA_OK ||
        cli_text_append(system, user, strlen(user), &second) != FORMA_OK)
        return status;
    messages[0] = (struct chat_message){"user", system->data};
    if (render(file, tokenizer, template, messages, 1, out, &second) != FORMA_OK) return status;
    return FORMA_OK;
}

static enum forma_status encode_pieces(const struct tokenizer *tokenizer,
                                       const struct chat_text *text, struct token_list *out,
                                       struct forma_error *err) {
    struct text_span *spans = calloc(text->n_pieces + 1, sizeof *spans);
    if (!spans) return error_set(err, FORMA_EMEMORY, "no memory for the prompt");
    for (size_t i = 0; i < text->n_pieces; i++) {
        const struct chat_piece *p = &text->pieces[i];
        spans[i] = (struct text_span){p->text, p->length, p->from_template};
    }
    enum forma_status status = tokenizer_encode_spans(tokenizer, spans, text->n_pieces, out, err);
    free(spans);
    return status;
}

#define TEMPLATE_KEY "tokenizer.chat_template"

/* A fault in the template, or one that it raises, has its line and column: of this key. */
static enum forma_status in_template(struct forma_error *err) {
    if (err->status != FORMA_EMEMORY) error_set_pointer(err, TEMPLATE_KEY);
    return err->status;
}

static enum forma_status encode_chat(const struct gguf *file, const struct tokenizer *tokenizer,
                                     const struct prompt_source *s, struct token_list *out,
                                     struct forma_error *err) {
    struct gguf_string source;
    if (!gguf_get_string(file, TEMPLATE_KEY, &source))
        return error_set(err, FORMA_EMODEL, "the model has no chat template; use --raw");
    const char *nul = memchr(s->text, '\0', s->length);
    if (nul)
        return error_at_offset(err, FORMA_EINVAL, (uint64_t)(nul - s->text),
                               "the prompt holds a NUL byte; remove it, or use --raw");
    struct chat_template *template = chat_template_compile(source.data, source.length, NULL, err);
    if (!template) return in_template(err);
    struct cli_text system = {0};
    struct chat_text text = {0};
    enum forma_status status = make_system(s, &system, err);
    if (status == FORMA_OK &&
        render_chat(file, tokenizer, template, &system, s->text, &text, err) != FORMA_OK)
        status = in_template(err);
    if (status == FORMA_OK) status = encode_pieces(tokenizer, &text, out, err);
    chat_text_destroy(&text);
    cli_text_free(&system);
    chat_template_free(template);
    return status;
}

static enum forma_status encode_raw(const struct tokenizer *tokenizer,
                                    const struct prompt_source *s, struct token_list *out,
                                    struct forma_error *err) {
    int64_t bos = tokenizer_bos(tokenizer);
    if (s->length == 0 && bos < 0)
        return error_set(err, FORMA_EINVAL,
                         "the prompt is empty and the model has no token that begins a text; give "
                         "a prompt with -p or -f");
    if (bos >= 0 && (tokenizer_adds_bos(tokenizer) || s->length == 0) &&
        !token_list_push(out, (uint32_t)bos))
        return error_set(err, FORMA_EMEMORY, "no memory for the prompt");
    return tokenizer_encode(tokenizer, s->text, s->length, false, out, err);
}

enum forma_status prompt_encode(const struct gguf *file, const struct tokenizer *tokenizer,
                                const struct prompt_source *source, struct token_list *out,
                                struct forma_error *err) {
    size_t valid = utf8_valid_prefix((const unsigned char *)source->text, source->length);
    if (valid < source->length)
        return error_at_offset(err, FORMA_EINVAL, valid,
                               "the prompt is not valid UTF-8 here; convert it to UTF-8");
    return source->raw ? encode_raw(tokenizer, source, out, err)
                       : encode_chat(file, tokenizer, source, out, err);
}
