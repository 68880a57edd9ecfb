/* SPDX-License-Identifier: MIT
 *
 * The operators of the interpreter: texts, arithmetic, comparison, `in`, iteration, length.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "runtime/jinja_eval.h"

bool jinja_error_undefined(struct jinja_machine *m, const struct jinja_node *n,
                           const struct jinja_value *v) {
    int length = (int)(v->string.length < 80 ? v->string.length : 80);
    return jinja_error(m, n, FORMA_EMODEL, "\"%.*s\" is undefined", length, v->string.data);
}

struct jinja_value *jinja_list_new(struct jinja_machine *m, const struct jinja_node *n,
                                   size_t count, struct jinja_value *list) {
    if (!jinja_spend(m, n, count)) return NULL;
    struct jinja_value *items = arena_push_array(&m->arena, count, sizeof *items);
    if (!items) {
        jinja_error_space(m, n);
        return NULL;
    }
    *list = (struct jinja_value){.kind = JINJA_LIST, .count = count};
    list->items = items;
    return items;
}

bool jinja_text(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *v,
                struct jinja_string *out) {
    *out = (struct jinja_string){.data = ""};
    switch (v->kind) {
    case JINJA_UNDEFINED: return true;
    case JINJA_NONE: *out = (struct jinja_string){.data = "None", .length = 4}; return true;
    case JINJA_BOOL:
        out->data = v->boolean ? "True" : "False";
        out->length = strlen(out->data);
        return true;
    case JINJA_INT: {
        char digits[32];
        int length = snprintf(digits, sizeof digits, "%" PRId64, v->integer);
        out->data = arena_push_copy(&m->arena, digits, (size_t)length);
        out->length = (size_t)length;
        return out->data || jinja_error_space(m, n);
    }
    case JINJA_STR: *out = v->string; return true;
    default:
        return jinja_error(m, n, FORMA_EUNSUPPORTED,
                           "printing %s is not supported yet; the filter tojson is",
                           jinja_kind_name(v));
    }
}

bool jinja_join(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_string *a,
                const struct jinja_string *b, struct jinja_value *out) {
    struct jinja_builder builder;
    jinja_builder_init(&builder, &m->arena, m->max_bytes);
    if (!jinja_spend(m, n, (a->length + b->length) / 64)) return false;
    if (!jinja_builder_add(&builder, a) || !jinja_builder_add(&builder, b))
        return jinja_error_space(m, n);
    *out = jinja_str("", 0, false);
    out->string = jinja_builder_string(&builder);
    return true;
}

static bool wrong_kinds(struct jinja_machine *m, const struct jinja_node *n,
                        const struct jinja_value *a, const struct jinja_value *b) {
    if (a->kind == JINJA_UNDEFINED) return jinja_error_undefined(m, n, a);
    if (b->kind == JINJA_UNDEFINED) return jinja_error_undefined(m, n, b);
    return jinja_error(m, n, FORMA_EMODEL, "\"%.*s\" does not fit %s and %s", (int)n->name_length,
                       n->name, jinja_kind_name(a), jinja_kind_name(b));
}

/* Division rounds down and the remainder has the divisor's sign, as in Python. */
static bool integer_binary(struct jinja_machine *m, const struct jinja_node *n, int64_t a,
                           int64_t b, struct jinja_value *out) {
    int64_t r = 0;
    bool overflow = false;
    if (jinja_name_is(n, "+")) {
        overflow = __builtin_add_overflow(a, b, &r);
    } else if (jinja_name_is(n, "-")) {
        overflow = __builtin_sub_overflow(a, b, &r);
    } else if (jinja_name_is(n, "*")) {
        overflow = __builtin_mul_overflow(a, b, &r);
    } else if (jinja_name_is(n, "//") || jinja_name_is(n, "%")) {
        if (b == 0) return jinja_error(m, n, FORMA_EMODEL, "division by zero");
        overflow = a == INT64_MIN && b == -1;
        if (!overflow) {
            int64_t q = a / b, rest = a % b;
            bool adjust = rest != 0 && (rest < 0) != (b < 0);
            r = jinja_name_is(n, "%") ? rest + (adjust ? b : 0) : q - adjust;
        }
    } else {
        return jinja_unsupported(m, n, "the operator", n->name, n->name_length);
    }
    if (overflow)
        return jinja_error(m, n, FORMA_EUNSUPPORTED,
                           "integers of more than 64 bits are not supported yet");
    *out = jinja_int(r);
    return true;
}

static bool repeat(struct jinja_machine *m, const struct jinja_node *n,
                   const struct jinja_string *s, int64_t times, struct jinja_value *out) {
    struct jinja_builder builder;
    jinja_builder_init(&builder, &m->arena, m->max_bytes);
    if (s->length == 0) times = 0;
    for (int64_t i = 0; i < times; i++)
        if (!jinja_spend(m, n, 1 + s->length / 64))
            return false;
        else if (!jinja_builder_add(&builder, s))
            return jinja_error_space(m, n);
    *out = jinja_str("", 0, false);
    out->string = jinja_builder_string(&builder);
    return true;
}

bool jinja_binary(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *a,
                  const struct jinja_value *b, struct jinja_value *out) {
    if (jinja_name_is(n, "~")) {
        struct jinja_string left, right;
        return jinja_text(m, n, a, &left) && jinja_text(m, n, b, &right) &&
               jinja_join(m, n, &left, &right, out);
    }
    if (jinja_name_is(n, "**")) return jinja_unsupported(m, n, "the operator", "**", 2);
    bool plus = jinja_name_is(n, "+"), times = jinja_name_is(n, "*");
    if (jinja_is_number(a) && jinja_is_number(b))
        return integer_binary(m, n, jinja_number(a), jinja_number(b), out);
    if (plus && a->kind == JINJA_STR && b->kind == JINJA_STR)
        return jinja_join(m, n, &a->string, &b->string, out);
    if (times && a->kind == JINJA_STR && jinja_is_number(b))
        return repeat(m, n, &a->string, jinja_number(b), out);
    if (times && b->kind == JINJA_STR && jinja_is_number(a))
        return repeat(m, n, &b->string, jinja_number(a), out);
    if (jinja_name_is(n, "%") && a->kind == JINJA_STR)
        return jinja_error(m, n, FORMA_EUNSUPPORTED, "formatting with \"%%\" is not supported yet");
    if (!plus || a->kind != JINJA_LIST || b->kind != JINJA_LIST) return wrong_kinds(m, n, a, b);
    struct jinja_value list;
    struct jinja_value *items = jinja_list_new(m, n, a->count + b->count, &list);
    if (!items) return false;
    for (size_t i = 0; i < a->count; i++) items[i] = a->items[i];
    for (size_t i = 0; i < b->count; i++) items[a->count + i] = b->items[i];
    *out = list;
    return true;
}

bool jinja_same(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *a,
                const struct jinja_value *b, bool *same) {
    uint64_t left = m->max_steps - m->steps;
    *same = jinja_equal(a, b, &left);
    m->steps = m->max_steps - left;
    return jinja_spend(m, n, left == 0); /* used up: the error */
}

static bool is_in(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *a,
                  const struct jinja_value *b, bool *holds) {
    *holds = false;
    switch (b->kind) {
    case JINJA_UNDEFINED: return true;
    case JINJA_STR:
        if (a->kind != JINJA_STR) return wrong_kinds(m, n, a, b);
        if (!jinja_spend(m, n, b->string.length / 64)) return false;
        *holds = jinja_search(&b->string, &a->string, 0) != SIZE_MAX;
        return true;
    case JINJA_LIST:
        for (size_t i = 0; i < b->count && !*holds; i++)
            if (!jinja_same(m, n, a, &b->items[i], holds)) return false;
        return true;
    case JINJA_DICT: *holds = jinja_find(b->pairs, b->count, a) != NULL; return true;
    default: return wrong_kinds(m, n, a, b);
    }
}

bool jinja_compare(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *a,
                   const struct jinja_value *b, bool *holds) {
    if (jinja_name_is(n, "==") || jinja_name_is(n, "!=")) {
        bool same;
        if (!jinja_same(m, n, a, b, &same)) return false;
        *holds = same == (n->name[0] == '=');
        return true;
    }
    if (jinja_name_is(n, "in")) return is_in(m, n, a, b, holds);
    if (jinja_name_is(n, "not in")) {
        bool found;
        if (!is_in(m, n, a, b, &found)) return false;
        *holds = !found;
        return true;
    }
    int order;
    if (jinja_is_number(a) && jinja_is_number(b)) {
        int64_t x = jinja_number(a), y = jinja_number(b);
        order = (x > y) - (x < y);
    } else if (a->kind == JINJA_STR && b->kind == JINJA_STR) {
        order = jinja_compare_strings(&a->string, &b->string);
    } else if (a->kind == JINJA_LIST && b->kind == JINJA_LIST) {
        return jinja_error(m, n, FORMA_EUNSUPPORTED, "the order of lists is not supported yet");
    } else {
        return wrong_kinds(m, n, a, b);
    }
    bool less = n->name[0] == '<', or_equal = n->name_length == 2;
    *holds = order == 0 ? or_equal : less == (order < 0);
    return true;
}

bool jinja_iterate(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *v,
                   struct jinja_value *list) {
    struct jinja_value *items;
    switch (v->kind) {
    case JINJA_LIST: *list = *v; return true;
    case JINJA_UNDEFINED: return jinja_list_new(m, n, 0, list) != NULL;
    case JINJA_DICT:
        items = jinja_list_new(m, n, v->count, list);
        for (size_t i = 0; items && i < v->count; i++) items[i] = v->pairs[i].key;
        return items != NULL;
    case JINJA_STR:
        items = jinja_list_new(m, n, jinja_string_length(&v->string), list);
        if (!items) return false;
        for (size_t at = 0, i = 0, size; at < v->string.length; at += size, i++) {
            size = jinja_char_size(&v->string, at);
            items[i] = jinja_str("", 0, false);
            if (!jinja_substring(&m->arena, &v->string, at, at + size, &items[i].string))
                return jinja_error_space(m, n);
        }
        return true;
    case JINJA_LOOP:
        return jinja_error(m, n, FORMA_EUNSUPPORTED, "a loop over loop is not supported yet");
    default:
        return jinja_error(m, n, FORMA_EMODEL, "%s cannot be gone through", jinja_kind_name(v));
    }
}

bool jinja_count(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_value *v,
                 size_t *count) {
    switch (v->kind) {
    case JINJA_UNDEFINED: *count = 0; return true;
    case JINJA_LIST:
    case JINJA_DICT: *count = v->count; return true;
    case JINJA_STR:
        *count = jinja_string_length(&v->string);
        return jinja_spend(m, n, v->string.length / 64);
    case JINJA_LOOP: *count = v->loop->count; return true;
    default: return jinja_error(m, n, FORMA_EMODEL, "%s has no length", jinja_kind_name(v));
    }
}
