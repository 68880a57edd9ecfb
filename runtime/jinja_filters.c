/* SPDX-License-Identifier: MIT
 *
 * Filters and tests: two tables of names and functions, to be added to.
 */
#include <string.h>

#include "base/error.h"
#include "runtime/jinja_eval.h"
#include "runtime/jinja_lexer.h"

/* ---- strings ------------------------------------------------------------------------------ */

static bool is_stripped(const struct jinja_string *s, size_t at, size_t size,
                        const struct jinja_string *chars) {
    if (chars) {
        struct jinja_string c = {.data = s->data + at, .length = size};
        for (size_t i = 0, step; i < chars->length; i += step) {
            step = jinja_char_size(chars, i);
            if (step == size && memcmp(chars->data + i, c.data, size) == 0) return true;
        }
        return false;
    }
    const char *rest = s->data + at;
    jinja_strip_front(&rest, &size);
    return size == 0;
}

bool jinja_strip(struct jinja_machine *m, const struct jinja_node *n, const struct jinja_string *s,
                 const struct jinja_string *chars, int sides, struct jinja_value *out) {
    size_t begin = 0, end = s->length;
    const uint64_t cost = 1 + (chars ? chars->length / 16 : 0); /* of one character */
    while ((sides & 1) && begin < end) {
        if (!jinja_spend(m, n, cost)) return false;
        size_t size = jinja_char_size(s, begin);
        if (!is_stripped(s, begin, size, chars)) break;
        begin += size;
    }
    while ((sides & 2) && end > begin) {
        if (!jinja_spend(m, n, cost)) return false;
        size_t at = end - 1;
        while (at > begin && ((unsigned char)s->data[at] & 0xC0) == 0x80) at--;
        if (!is_stripped(s, at, end - at, chars)) break;
        end = at;
    }
    *out = jinja_str("", 0, false);
    return jinja_substring(&m->arena, s, begin, end, &out->string) || jinja_error_space(m, n);
}

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

bool jinja_change_case(struct jinja_machine *m, const struct jinja_node *n,
                       const struct jinja_string *s, enum jinja_case to, struct jinja_value *out) {
    if (!jinja_spend(m, n, s->length / 64)) return false;
    char *data = arena_push(&m->arena, s->length);
    if (!data) return jinja_error_space(m, n);
    bool starts = true; /* of the text, or of a word */
    for (size_t i = 0; i < s->length; i++) {
        char c = s->data[i];
        if ((unsigned char)c >= 0x80)
            return jinja_error(m, n, FORMA_EUNSUPPORTED,
                               "the case of letters outside ASCII is not supported yet");
        bool up = to == JINJA_UPPER || (to >= JINJA_CAPITALIZE && starts);
        if (up && is_lower(c))
            c = (char)(c - 'a' + 'A');
        else if (!up && is_upper(c))
            c = (char)(c - 'A' + 'a');
        data[i] = c;
        starts = to == JINJA_TITLE && memchr(" \t\n\r\f\v-([{<", c, 11) != NULL;
    }
    *out = jinja_str("", 0, false);
    out->string = *s;
    out->string.data = data;
    return true;
}

bool jinja_replace(struct jinja_machine *m, const struct jinja_node *n,
                   const struct jinja_string *s, const struct jinja_arguments *args,
                   struct jinja_value *out) {
    const struct jinja_value *old = jinja_argument(args, 0, "old");
    const struct jinja_value *new = jinja_argument(args, 1, "new");
    const struct jinja_value *limit = jinja_argument(args, 2, "count");
    struct jinja_string from, to;
    if (!old || !new) return jinja_error(m, n, FORMA_EMODEL, "replace takes two strings");
    if (!jinja_text(m, n, old, &from) || !jinja_text(m, n, new, &to)) return false;
    if (from.length == 0)
        return jinja_error(m, n, FORMA_EUNSUPPORTED,
                           "replacing the empty string is not supported yet");
    int64_t left = limit && jinja_is_number(limit) ? jinja_number(limit) : -1;
    struct jinja_builder b;
    jinja_builder_init(&b, &m->arena, m->max_bytes);
    size_t at = 0;
    if (!jinja_spend(m, n, s->length / 64)) return false;
    for (;; at += from.length) {
        size_t found = left == 0 ? SIZE_MAX : jinja_search(s, &from, at);
        struct jinja_string part;
        if (!jinja_spend(m, n, 1)) return false;
        if (!jinja_substring(&m->arena, s, at, found == SIZE_MAX ? s->length : found, &part) ||
            !jinja_builder_add(&b, &part))
            return jinja_error_space(m, n);
        if (found == SIZE_MAX) break;
        if (!jinja_builder_add(&b, &to)) return jinja_error_space(m, n);
        at = found;
        if (left > 0) left--;
    }
    *out = jinja_str("", 0, false);
    out->string = jinja_builder_string(&b);
    return true;
}

/* ---- filters ------------------------------------------------------------------------------ */

typedef bool filter_fn(struct jinja_machine *m, const struct jinja_node *n,
                       const struct jinja_value *v, const struct jinja_arguments *args,
                       struct jinja_value *out);

static bool filter_trim(struct jinja_machine *m, const struct jinja_node *n,
                        const struct jinja_value *v, const struct jinja_arguments *args,
                        struct jinja_value *out) {
    const struct jinja_value *chars = jinja_argument(args, 0, "chars");
    struct jinja_string text;
    return jinja_text(m, n, v, &text) &&
           jinja_strip(m, n, &text, chars && chars->kind == JINJA_STR ? &chars->string : NULL, 3,
                       out);
}

static bool filter_length(struct jinja_machine *m, const struct jinja_node *n,
                          const struct jinja_value *v, const struct jinja_arguments *args,
                          struct jinja_value *out) {
    (void)args;
    size_t count;
    if (!jinja_count(m, n, v, &count)) return false;
    *out = jinja_int((int64_t)count);
    return true;
}

static bool filter_case(struct jinja_machine *m, const struct jinja_node *n,
                        const struct jinja_value *v, const struct jinja_arguments *args,
                        struct jinja_value *out) {
    (void)args;
    enum jinja_case to = jinja_name_is(n, "upper")   ? JINJA_UPPER
                         : jinja_name_is(n, "lower") ? JINJA_LOWER
                         : jinja_name_is(n, "title") ? JINJA_TITLE
                                                     : JINJA_CAPITALIZE;
    struct jinja_string text;
    return jinja_text(m, n, v, &text) && jinja_change_case(m, n, &text, to, out);
}

static bool filter_default(struct jinja_machine *m, const struct jinja_node *n,
                           const struct jinja_value *v, const struct jinja_arguments *args,
                           struct jinja_value *out) {
    (void)m;
    (void)n;
    const struct jinja_value *other = jinja_argument(args, 0, "default_value");
    const struct jinja_value *boolean = jinja_argument(args, 1, "boolean");
    bool use = v->kind == JINJA_UNDEFINED || (boolean && jinja_truth(boolean) && !jinja_truth(v));
    *out = !use ? *v : other ? *other : jinja_str("", 0, false);
    return true;
}

static bool filter_join(struct jinja_machine *m, const struct jinja_node *n,
                        const struct jinja_value *v, const struct jinja_arguments *args,
                        struct jinja_value *out) {
    const struct jinja_value *between = jinja_argument(args, 0, "d");
    const struct jinja_value *attribute = jinja_argument(args, 1, "attribute");
    struct jinja_value list;
    struct jinja_string text, gap = {.data = ""};
    if (!jinja_iterate(m, n, v, &list) || (between && !jinja_text(m, n, between, &gap)))
        return false;
    struct jinja_builder b;
    jinja_builder_init(&b, &m->arena, m->max_bytes);
    for (size_t i = 0; i < list.count; i++) {
        struct jinja_value item = list.items[i];
        if (attribute && !jinja_subscript(m, n, &list.items[i], attribute, &item)) return false;
        if (!jinja_text(m, n, &item, &text) ||
            !jinja_spend(m, n, 1 + (text.length + gap.length) / 64))
            return false;
        if ((i > 0 && !jinja_builder_add(&b, &gap)) || !jinja_builder_add(&b, &text))
            return jinja_error_space(m, n);
    }
    *out = jinja_str("", 0, false);
    out->string = jinja_builder_string(&b);
    return true;
}

static bool filter_tojson(struct jinja_machine *m, const struct jinja_node *n,
                          const struct jinja_value *v, const struct jinja_arguments *args,
                          struct jinja_value *out) {
    const struct jinja_value *indent = NULL;
    for (size_t i = 0; i < args->count; i++) {
        const struct jinja_node *keyword = args->items[i].keyword;
        if (keyword && !jinja_name_is(keyword, "indent") && !jinja_name_is(keyword, "ensure_ascii"))
            return jinja_unsupported(m, n, "the argument of tojson", keyword->name,
                                     keyword->name_length);
        if (keyword && jinja_name_is(keyword, "ensure_ascii") && jinja_truth(&args->items[i].value))
            return jinja_unsupported(m, n, "the argument of tojson", "ensure_ascii=true", 17);
        if (!keyword || jinja_name_is(keyword, "indent")) indent = &args->items[i].value;
    }
    if (indent && indent->kind == JINJA_NONE) indent = NULL;
    if (indent &&
        (!jinja_is_number(indent) || jinja_number(indent) < 0 || jinja_number(indent) > 16))
        return jinja_error(m, n, FORMA_EUNSUPPORTED,
                           "an indent other than 0 to 16 is not supported yet");
    return jinja_json(m, n, v, indent ? jinja_number(indent) : -1, out);
}

static bool filter_string(struct jinja_machine *m, const struct jinja_node *n,
                          const struct jinja_value *v, const struct jinja_arguments *args,
                          struct jinja_value *out) {
    (void)args;
    *out = jinja_str("", 0, false);
    return jinja_text(m, n, v, &out->string);
}

static bool filter_list(struct jinja_machine *m, const struct jinja_node *n,
                        const struct jinja_value *v, const struct jinja_arguments *args,
                        struct jinja_value *out) {
    (void)args;
    return jinja_iterate(m, n, v, out);
}

static bool filter_end(struct jinja_machine *m, const struct jinja_node *n,
                       const struct jinja_value *v, const struct jinja_arguments *args,
                       struct jinja_value *out) {
    (void)args;
    struct jinja_value list;
    if (!jinja_iterate(m, n, v, &list)) return false;
    bool first = jinja_name_is(n, "first");
    *out =
        list.count == 0 ? jinja_undefined("the item", 8) : list.items[first ? 0 : list.count - 1];
    return true;
}

static bool filter_reverse(struct jinja_machine *m, const struct jinja_node *n,
                           const struct jinja_value *v, const struct jinja_arguments *args,
                           struct jinja_value *out) {
    (void)args;
    struct jinja_value list;
    if (v->kind == JINJA_STR) return jinja_unsupported(m, n, "the filter on strings", "reverse", 7);
    if (!jinja_iterate(m, n, v, &list)) return false;
    struct jinja_value *items = jinja_list_new(m, n, list.count, out);
    if (!items) return false;
    for (size_t i = 0; i < list.count; i++) items[i] = list.items[list.count - 1 - i];
    return true;
}

static bool filter_replace(struct jinja_machine *m, const struct jinja_node *n,
                           const struct jinja_value *v, const struct jinja_arguments *args,
                           struct jinja_value *out) {
    struct jinja_string text;
    return jinja_text(m, n, v, &text) && jinja_replace(m, n, &text, args, out);
}

static bool filter_safe(struct jinja_machine *m, const struct jinja_node *n,
                        const struct jinja_value *v, const struct jinja_arguments *args,
                        struct jinja_value *out) {
    return filter_string(m, n, v, args, out);
}

static bool filter_items(struct jinja_machine *m, const struct jinja_node *n,
                         const struct jinja_value *v, const struct jinja_arguments *args,
                         struct jinja_value *out) {
    (void)args;
    return jinja_dict_items(m, n, v, out);
}

static bool filter_abs(struct jinja_machine *m, const struct jinja_node *n,
                       const struct jinja_value *v, const struct jinja_arguments *args,
                       struct jinja_value *out) {
    (void)args;
    if (!jinja_is_number(v) || jinja_number(v) == INT64_MIN)
        return jinja_error(m, n, FORMA_EMODEL, "%s has no size", jinja_kind_name(v));
    int64_t i = jinja_number(v);
    *out = jinja_int(i < 0 ? -i : i);
    return true;
}

/* map(attribute="x") */
static bool filter_map(struct jinja_machine *m, const struct jinja_node *n,
                       const struct jinja_value *v, const struct jinja_arguments *args,
                       struct jinja_value *out) {
    const struct jinja_value *attribute = jinja_argument(args, SIZE_MAX, "attribute");
    if (!attribute || args->count != 1)
        return jinja_unsupported(m, n, "the filter", "map without attribute", 21);
    struct jinja_value list;
    if (!jinja_iterate(m, n, v, &list)) return false;
    struct jinja_value *items = jinja_list_new(m, n, list.count, out);
    for (size_t i = 0; items && i < list.count; i++)
        if (!jinja_subscript(m, n, &list.items[i], attribute, &items[i])) return false;
    return items != NULL;
}

/* select, reject: (test, argument); selectattr, rejectattr: (attribute, test, argument). */
static bool filter_select(struct jinja_machine *m, const struct jinja_node *n,
                          const struct jinja_value *v, const struct jinja_arguments *args,
                          struct jinja_value *out) {
    bool by_attribute = n->name_length > 6, keeps = n->name[0] == 's';
    size_t at = by_attribute;
    const struct jinja_value *attribute = jinja_argument(args, 0, "attribute");
    const struct jinja_value *test = jinja_argument(args, at, "test");
    const struct jinja_value *argument = jinja_argument(args, at + 1, "argument");
    if ((by_attribute && !attribute) || (test && test->kind != JINJA_STR))
        return jinja_error(m, n, FORMA_EMODEL, "this filter takes the name of a test");
    struct jinja_value list;
    if (!jinja_iterate(m, n, v, &list)) return false;
    struct jinja_value *items = jinja_list_new(m, n, list.count, out);
    if (!items) return false;
    out->count = 0;
    for (size_t i = 0; i < list.count; i++) {
        struct jinja_value tested = list.items[i];
        if (by_attribute && !jinja_subscript(m, n, &list.items[i], attribute, &tested))
            return false;
        bool holds = jinja_truth(&tested);
        if (test && !jinja_test_value(m, n, test->string.data, test->string.length, &tested,
                                      argument, &holds))
            return false;
        if (holds == keeps) items[out->count++] = list.items[i];
    }
    return true;
}

static const struct {
    const char *name;
    filter_fn *run;
} filters[] = {
    {"abs", filter_abs},         {"capitalize", filter_case},   {"count", filter_length},
    {"d", filter_default},       {"default", filter_default},   {"first", filter_end},
    {"items", filter_items},     {"join", filter_join},         {"last", filter_end},
    {"length", filter_length},   {"list", filter_list},         {"lower", filter_case},
    {"map", filter_map},         {"reject", filter_select},     {"rejectattr", filter_select},
    {"replace", filter_replace}, {"reverse", filter_reverse},   {"safe", filter_safe},
    {"select", filter_select},   {"selectattr", filter_select}, {"string", filter_string},
    {"title", filter_case},      {"tojson", filter_tojson},     {"trim", filter_trim},
    {"upper", filter_case},
};

bool jinja_filter(struct jinja_machine *m, const struct jinja_node *n, struct jinja_value *out) {
    struct jinja_value v;
    struct jinja_arguments args;
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (jinja_name_is(n, filters[i].name))
            return jinja_eval(m, n->a, &v) && jinja_eval_arguments(m, n->b, &args) &&
                   filters[i].run(m, n, &v, &args, out);
    return jinja_unsupported(m, n, "the filter", n->name, n->name_length);
}

/* ---- tests -------------------------------------------------------------------------------- */

enum test_kind {
    T_DEFINED,
    T_UNDEFINED,
    T_NONE,
    T_STRING,
    T_NUMBER,
    T_INTEGER,
    T_FLOAT,
    T_BOOLEAN,
    T_TRUE,
    T_FALSE,
    T_MAPPING,
    T_SEQUENCE,
    T_ITERABLE,
    T_ODD,
    T_EVEN,
    T_DIVISIBLE,
    T_EQUAL,
    T_DIFFERENT,
    T_IN
};

static const struct {
    const char *name;
    enum test_kind kind;
} tests[] = {
    {"defined", T_DEFINED},
    {"undefined", T_UNDEFINED},
    {"none", T_NONE},
    {"string", T_STRING},
    {"number", T_NUMBER},
    {"integer", T_INTEGER},
    {"float", T_FLOAT},
    {"boolean", T_BOOLEAN},
    {"true", T_TRUE},
    {"false", T_FALSE},
    {"mapping", T_MAPPING},
    {"sequence", T_SEQUENCE},
    {"iterable", T_ITERABLE},
    {"odd", T_ODD},
    {"even", T_EVEN},
    {"equalto", T_EQUAL},
    {"eq", T_EQUAL},
    {"==", T_EQUAL},
    {"ne", T_DIFFERENT},
    {"!=", T_DIFFERENT},
    {"divisibleby", T_DIVISIBLE},
    {"in", T_IN},
};

static bool remainder_is(struct jinja_machine *m, const struct jinja_node *n,
                         const struct jinja_value *v, int64_t by, int64_t want, bool *holds) {
    if (!jinja_is_number(v))
        return jinja_error(m, n, FORMA_EMODEL, "%s has no remainder", jinja_kind_name(v));
    if (by == 0) return jinja_error(m, n, FORMA_EMODEL, "division by zero");
    int64_t rest = by == -1 ? 0 : jinja_number(v) % by;
    *holds = (rest != 0) == (want != 0);
    return true;
}

bool jinja_test_value(struct jinja_machine *m, const struct jinja_node *n, const char *name,
                      size_t length, const struct jinja_value *v,
                      const struct jinja_value *argument, bool *holds) {
    size_t i = 0, count = sizeof tests / sizeof *tests;
    while (i < count && (strlen(tests[i].name) != length || memcmp(tests[i].name, name, length)))
        i++;
    if (i == count) return jinja_unsupported(m, n, "the test", name, length);
    enum test_kind kind = tests[i].kind;
    enum jinja_kind is = v->kind;
    if (kind >= T_DIVISIBLE && !argument)
        return jinja_error(m, n, FORMA_EMODEL, "the test \"%s\" takes a value", tests[i].name);
    bool text_or_list = is == JINJA_STR || is == JINJA_LIST || is == JINJA_DICT;
    switch (kind) {
    case T_DEFINED: *holds = is != JINJA_UNDEFINED; break;
    case T_UNDEFINED: *holds = is == JINJA_UNDEFINED; break;
    case T_NONE: *holds = is == JINJA_NONE; break;
    case T_STRING: *holds = is == JINJA_STR; break;
    case T_NUMBER: *holds = jinja_is_number(v); break;
    case T_INTEGER: *holds = is == JINJA_INT; break;
    case T_FLOAT: *holds = false; break;
    case T_BOOLEAN: *holds = is == JINJA_BOOL; break;
    case T_TRUE: *holds = is == JINJA_BOOL && v->boolean; break;
    case T_FALSE: *holds = is == JINJA_BOOL && !v->boolean; break;
    case T_MAPPING: *holds = is == JINJA_DICT; break;
    case T_SEQUENCE: *holds = text_or_list || is == JINJA_UNDEFINED; break;
    case T_ITERABLE: *holds = text_or_list || is == JINJA_UNDEFINED || is == JINJA_LOOP; break;
    case T_ODD: return remainder_is(m, n, v, 2, 1, holds);
    case T_EVEN: return remainder_is(m, n, v, 2, 0, holds);
    case T_DIVISIBLE:
        return remainder_is(m, n, v, jinja_is_number(argument) ? jinja_number(argument) : 0, 0,
                            holds);
    case T_EQUAL:
    case T_DIFFERENT:
        if (!jinja_same(m, n, v, argument, holds)) return false;
        *holds = *holds == (kind == T_EQUAL);
        break;
    case T_IN: {
        struct jinja_node in = *n;
        in.name = "in";
        in.name_length = 2;
        return jinja_compare(m, &in, v, argument, holds);
    }
    }
    return true;
}

bool jinja_test(struct jinja_machine *m, const struct jinja_node *n, struct jinja_value *out) {
    struct jinja_value v;
    struct jinja_arguments args;
    bool holds = false;
    if (!jinja_eval(m, n->a, &v) || !jinja_eval_arguments(m, n->b, &args) ||
        !jinja_test_value(m, n, n->name, n->name_length, &v,
                          args.count ? &args.items[0].value : NULL, &holds))
        return false;
    *out = jinja_bool(holds);
    return true;
}
