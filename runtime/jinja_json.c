/* SPDX-License-Identifier: MIT
 *
 * The filter `tojson`: a value of the interpreter as JSON text.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "runtime/jinja_eval.h"

#define MAX_JSON_DEPTH 64

struct writer {
    struct jinja_machine *m;
    const struct jinja_node *n;
    struct jinja_builder out;
    int64_t indent;
};

static bool put(struct writer *w, const char *text, size_t length, bool from_message) {
    return jinja_builder_put(&w->out, text, length, from_message) || jinja_error_space(w->m, w->n);
}

static bool put_template(struct writer *w, const char *text) {
    return put(w, text, strlen(text), false);
}

/* Escapes stay with the text that they stand for. */
static bool put_string(struct writer *w, const struct jinja_string *s) {
    static const char names[] = "\"\\\n\r\t\b\f", letters[] = "\"\\nrtbf";
    size_t run = 0;
    if (!jinja_spend(w->m, w->n, s->length / 16) || !put_template(w, "\"")) return false;
    for (size_t i = 0; i < s->length; i++) {
        while (s->runs && s->runs[run].end <= i) run++;
        bool from_message = s->runs ? s->runs[run].from_message : s->from_message;
        char escape[8] = {s->data[i]};
        const char *name = s->data[i] ? strchr(names, s->data[i]) : NULL;
        if (name)
            snprintf(escape, sizeof escape, "\\%c", letters[name - names]);
        else if ((unsigned char)s->data[i] < 0x20)
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)s->data[i]);
        if (!put(w, escape, strlen(escape), from_message)) return false;
    }
    return put_template(w, "\"");
}

static bool put_break(struct writer *w, int depth) {
    if (w->indent < 0) return true;
    if (!put_template(w, "\n")) return false;
    for (int64_t i = 0; i < depth * w->indent; i++)
        if (!put_template(w, " ")) return false;
    return true;
}

static bool put_comma(struct writer *w) {
    return put_template(w, w->indent < 0 ? ", " : ",");
}

static bool put_value(struct writer *w, const struct jinja_value *v, int depth);

static bool put_list(struct writer *w, const struct jinja_value *v, int depth) {
    if (v->count == 0) return put_template(w, "[]");
    if (!put_template(w, "[")) return false;
    for (size_t i = 0; i < v->count; i++)
        if ((i > 0 && !put_comma(w)) || !put_break(w, depth + 1) ||
            !put_value(w, &v->items[i], depth + 1))
            return false;
    return put_break(w, depth) && put_template(w, "]");
}

static bool put_dict(struct writer *w, const struct jinja_value *v, int depth) {
    if (v->count == 0) return put_template(w, "{}");
    if (!put_template(w, "{")) return false;
    for (size_t i = 0; i < v->count; i++) {
        const struct jinja_pair *pair = &v->pairs[i];
        if (pair->key.kind != JINJA_STR)
            return jinja_error(w->m, w->n, FORMA_EUNSUPPORTED,
                               "keys that are not strings are not supported in JSON yet");
        if ((i > 0 && !put_comma(w)) || !put_break(w, depth + 1) ||
            !put_string(w, &pair->key.string) || !put_template(w, ": ") ||
            !put_value(w, &pair->value, depth + 1))
            return false;
    }
    return put_break(w, depth) && put_template(w, "}");
}

static bool put_value(struct writer *w, const struct jinja_value *v, int depth) {
    struct jinja_string text;
    if (depth > MAX_JSON_DEPTH)
        return jinja_error(w->m, w->n, FORMA_ELIMIT, "the value nests more than %d deep",
                           MAX_JSON_DEPTH);
    if (!jinja_spend(w->m, w->n, 1)) return false;
    switch (v->kind) {
    case JINJA_NONE: return put_template(w, "null");
    case JINJA_BOOL: return put_template(w, v->boolean ? "true" : "false");
    case JINJA_INT:
        return jinja_text(w->m, w->n, v, &text) && put(w, text.data, text.length, false);
    case JINJA_STR: return put_string(w, &v->string);
    case JINJA_LIST: return put_list(w, v, depth);
    case JINJA_DICT: return put_dict(w, v, depth);
    case JINJA_UNDEFINED: return jinja_error_undefined(w->m, w->n, v);
    default:
        return jinja_error(w->m, w->n, FORMA_EMODEL, "%s cannot be written as JSON",
                           jinja_kind_name(v));
    }
}

bool jinja_json(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *v,
                int64_t indent, struct jinja_value *out) {
    struct writer w = {.m = m, .n = n, .indent = indent};
    jinja_builder_init(&w.out, &m->arena, m->max_bytes);
    if (!put_value(&w, v, 0)) return false;
    *out = jinja_str("", 0, false);
    out->string = jinja_builder_string(&w.out);
    return true;
}
