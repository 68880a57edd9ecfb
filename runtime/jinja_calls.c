/* SPDX-License-Identifier: MIT
 *
 * Functions (range, namespace, raise_exception) and methods of strings and dictionaries. Values
 * hold no functions: what is called is always a name or an attribute.
 */
#include <string.h>

#include "base/error.h"
#include "runtime/jinja_eval.h"

bool jinja_eval_arguments(struct jinja_machine *m, const struct jinja_node *first,
                          struct jinja_arguments *out) {
    memset(out, 0, sizeof *out);
    for (const struct jinja_node *n = first; n; n = n->next) out->count++;
    if (out->count == 0) return true;
    out->items = arena_push_array(&m->arena, out->count, sizeof *out->items);
    if (!out->items) return jinja_error_space(m, first);
    size_t i = 0;
    for (const struct jinja_node *n = first; n; n = n->next, i++) {
        bool keyword = n->kind == JINJA_N_KEYWORD;
        if (!keyword && out->n_positional != i)
            return jinja_error(m, n, FORMA_EMODEL, "an argument without a name after named ones");
        if (keyword)
            out->items[i].keyword = n;
        else
            out->n_positional++;
        if (!jinja_eval(m, keyword ? n->a : n, &out->items[i].value)) return false;
    }
    return true;
}

const struct jinja_value *jinja_argument(const struct jinja_arguments *args, size_t position,
                                         const char *name) {
    if (position < args->n_positional) return &args->items[position].value;
    for (size_t i = args->n_positional; i < args->count; i++)
        if (jinja_name_is(args->items[i].keyword, name)) return &args->items[i].value;
    return NULL;
}

/* ---- functions ---------------------------------------------------------------------------- */

static bool call_range(struct jinja_machine *m, const struct jinja_node *n,
                       const struct jinja_arguments *args, struct jinja_value *out) {
    int64_t bounds[3] = {0, 0, 1};
    if (args->count < 1 || args->count > 3 || args->n_positional != args->count)
        return jinja_error(m, n, FORMA_EMODEL, "range takes one to three integers");
    for (size_t i = 0; i < args->count; i++) {
        if (!jinja_is_number(&args->items[i].value))
            return jinja_error(m, n, FORMA_EMODEL, "range takes integers");
        bounds[args->count == 1 ? 1 : i] = jinja_number(&args->items[i].value);
    }
    int64_t first = bounds[0], last = bounds[1], step = bounds[2];
    if (step == 0) return jinja_error(m, n, FORMA_EMODEL, "the step of range is 0");
    uint64_t span = step > 0 ? (last > first ? (uint64_t)last - (uint64_t)first : 0)
                             : (first > last ? (uint64_t)first - (uint64_t)last : 0);
    uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    uint64_t count = span ? (span - 1) / stride + 1 : 0;
    struct jinja_value *items = jinja_list_new(m, n, (size_t)count, out);
    if (!items) return false;
    for (uint64_t i = 0; i < count; i++)
        items[i] = jinja_int((int64_t)((uint64_t)first + i * (uint64_t)step));
    return true;
}

static bool call_namespace(struct jinja_machine *m, const struct jinja_node *n,
                           const struct jinja_arguments *args, struct jinja_value *out) {
    if (args->n_positional > 0)
        return jinja_error(m, n, FORMA_EUNSUPPORTED,
                           "a namespace from a dictionary is not supported yet");
    struct jinja_namespace *space = arena_push(&m->arena, sizeof *space);
    if (!space) return jinja_error_space(m, n);
    for (size_t i = 0; i < args->count; i++) {
        const struct jinja_node *keyword = args->items[i].keyword;
        if (!ARENA_VEC_GROW(&m->arena, &space->pairs)) return jinja_error_space(m, n);
        space->pairs.data[space->pairs.count++] = (struct jinja_pair){
            jinja_str(keyword->name, keyword->name_length, false), args->items[i].value};
    }
    *out = (struct jinja_value){.kind = JINJA_NAMESPACE};
    out->space = space;
    return true;
}

static bool call_raise(struct jinja_machine *m, const struct jinja_node *n,
                       const struct jinja_arguments *args, struct jinja_value *out) {
    struct jinja_string text = {.data = ""};
    *out = jinja_none();
    if (args->count > 0 && !jinja_text(m, n, &args->items[0].value, &text)) return false;
    return jinja_error(m, n, FORMA_EINVAL, "the chat template refuses these messages: %.*s",
                       (int)(text.length < 300 ? text.length : 300), text.data);
}

typedef bool function_fn(struct jinja_machine *m, const struct jinja_node *n,
                         const struct jinja_arguments *args, struct jinja_value *out);

static const struct {
    const char *name;
    function_fn *run; /* NULL: Jinja has it, forma not yet */
} functions[] = {
    {"range", call_range},
    {"namespace", call_namespace},
    {"raise_exception", call_raise},
    {"dict", NULL},
    {"lipsum", NULL},
    {"cycler", NULL},
    {"joiner", NULL},
};

#define N_FUNCTIONS (sizeof functions / sizeof *functions)

static size_t find_function(const struct jinja_node *name) {
    size_t i = 0;
    while (i < N_FUNCTIONS && !jinja_name_is(name, functions[i].name)) i++;
    return i;
}

bool jinja_is_function(const struct jinja_node *name) {
    return find_function(name) < N_FUNCTIONS;
}

static bool call_function(struct jinja_machine *m, const struct jinja_node *n,
                          struct jinja_value *out) {
    const struct jinja_node *name = n->a;
    struct jinja_arguments args;
    const struct jinja_value *shadow = jinja_lookup(m, name->name, name->name_length);
    if (shadow)
        return jinja_error(m, name, FORMA_EMODEL, "%s cannot be called", jinja_kind_name(shadow));
    size_t i = find_function(name);
    if (i == N_FUNCTIONS) {
        struct jinja_value undefined = jinja_undefined(name->name, name->name_length);
        return jinja_error_undefined(m, name, &undefined);
    }
    if (!functions[i].run)
        return jinja_unsupported(m, name, "the function", name->name, name->name_length);
    return jinja_eval_arguments(m, n->b, &args) && functions[i].run(m, n, &args, out);
}

/* ---- methods ------------------------------------------------------------------------------ */

bool jinja_dict_items(struct jinja_machine *m, const struct jinja_node *n,
                      const struct jinja_value *v, struct jinja_value *out) {
    if (v->kind == JINJA_UNDEFINED) return jinja_list_new(m, n, 0, out) != NULL;
    if (v->kind != JINJA_DICT)
        return jinja_error(m, n, FORMA_EMODEL, "%s has no items", jinja_kind_name(v));
    struct jinja_value *items = jinja_list_new(m, n, v->count, out);
    for (size_t i = 0; items && i < v->count; i++) {
        struct jinja_value *pair = jinja_list_new(m, n, 2, &items[i]);
        if (!pair) return false;
        pair[0] = v->pairs[i].key;
        pair[1] = v->pairs[i].value;
    }
    return items != NULL;
}

static bool dict_method(struct jinja_machine *m, const struct jinja_node *n,
                        const struct jinja_value *v, const struct jinja_arguments *args,
                        struct jinja_value *out) {
    const struct jinja_node *name = n->a;
    if (jinja_name_is(name, "items")) return jinja_dict_items(m, n, v, out);
    if (jinja_name_is(name, "get") && args->count >= 1 && args->n_positional == args->count) {
        const struct jinja_value *found = jinja_find(v->pairs, v->count, &args->items[0].value);
        *out = found ? *found : args->count > 1 ? args->items[1].value : jinja_none();
        return true;
    }
    bool keys = jinja_name_is(name, "keys");
    if (!keys && !jinja_name_is(name, "values"))
        return jinja_unsupported(m, name, "the method of dictionaries", name->name,
                                 name->name_length);
    struct jinja_value *items = jinja_list_new(m, n, v->count, out);
    for (size_t i = 0; items && i < v->count; i++)
        items[i] = keys ? v->pairs[i].key : v->pairs[i].value;
    return items != NULL;
}

/* split(): at runs of white space; split(separator), split(separator, at most). */
static bool string_split(struct jinja_machine *m, const struct jinja_node *n,
                         const struct jinja_string *s, const struct jinja_arguments *args,
                         struct jinja_value *out) {
    const struct jinja_value *by = jinja_argument(args, 0, "sep");
    const struct jinja_value *most = jinja_argument(args, 1, "maxsplit");
    if (!by || by->kind != JINJA_STR)
        return jinja_unsupported(m, n, "the method", "split without a separator", 25);
    if (by->string.length == 0) return jinja_error(m, n, FORMA_EMODEL, "the separator is empty");
    int64_t limit = most && jinja_is_number(most) ? jinja_number(most) : -1;
    size_t count = 1;
    for (size_t at = 0; limit < 0 || count <= (uint64_t)limit; count++) {
        at = jinja_search(s, &by->string, at);
        if (at == SIZE_MAX) break;
        at += by->string.length;
    }
    if (!jinja_spend(m, n, s->length / 64)) return false;
    struct jinja_value *items = jinja_list_new(m, n, count, out);
    if (!items) return false;
    for (size_t i = 0, at = 0; i < count; i++) {
        size_t end = i + 1 < count ? jinja_search(s, &by->string, at) : s->length;
        items[i] = jinja_str("", 0, false);
        if (!jinja_substring(&m->arena, s, at, end, &items[i].string))
            return jinja_error_space(m, n);
        at = end + by->string.length;
    }
    return true;
}

static bool string_starts(struct jinja_machine *m, const struct jinja_node *n,
                          const struct jinja_string *s, const struct jinja_arguments *args,
                          struct jinja_value *out) {
    bool front = jinja_name_is(n->a, "startswith");
    if (args->count != 1 || args->items[0].value.kind != JINJA_STR)
        return jinja_error(m, n, FORMA_EUNSUPPORTED,
                           "%s takes one string; other arguments are "
                           "not supported yet",
                           front ? "startswith" : "endswith");
    const struct jinja_string *part = &args->items[0].value.string;
    bool holds = part->length <= s->length;
    if (holds && part->length)
        holds = memcmp(front ? s->data : s->data + s->length - part->length, part->data,
                       part->length) == 0;
    *out = jinja_bool(holds);
    return true;
}

static bool string_method(struct jinja_machine *m, const struct jinja_node *n,
                          const struct jinja_value *v, const struct jinja_arguments *args,
                          struct jinja_value *out) {
    static const struct {
        const char *name;
        int sides;
    } strips[] = {{"lstrip", 1}, {"rstrip", 2}, {"strip", 3}};
    static const struct {
        const char *name;
        enum jinja_case to;
    } cases[] = {{"upper", JINJA_UPPER},
                 {"lower", JINJA_LOWER},
                 {"title", JINJA_TITLE},
                 {"capitalize", JINJA_CAPITALIZE}};
    const struct jinja_node *name = n->a;
    const struct jinja_value *first = args->count ? &args->items[0].value : NULL;
    for (size_t i = 0; i < sizeof strips / sizeof *strips; i++)
        if (jinja_name_is(name, strips[i].name))
            return jinja_strip(m, n, &v->string,
                               first && first->kind == JINJA_STR ? &first->string : NULL,
                               strips[i].sides, out);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (jinja_name_is(name, cases[i].name))
            return jinja_change_case(m, n, &v->string, cases[i].to, out);
    if (jinja_name_is(name, "split")) return string_split(m, n, &v->string, args, out);
    if (jinja_name_is(name, "replace")) return jinja_replace(m, n, &v->string, args, out);
    if (jinja_name_is(name, "startswith") || jinja_name_is(name, "endswith"))
        return string_starts(m, n, &v->string, args, out);
    return jinja_unsupported(m, name, "the method of strings", name->name, name->name_length);
}

bool jinja_call(struct jinja_machine *m, const struct jinja_node *n, struct jinja_value *out) {
    if (n->a->kind == JINJA_N_NAME) return call_function(m, n, out);
    if (n->a->kind != JINJA_N_ATTRIBUTE)
        return jinja_error(m, n, FORMA_EUNSUPPORTED, "calling a value is not supported yet");
    struct jinja_value v;
    struct jinja_arguments args;
    if (!jinja_eval(m, n->a->a, &v)) return false;
    if (v.kind == JINJA_UNDEFINED) return jinja_error_undefined(m, n->a, &v);
    if (!jinja_eval_arguments(m, n->b, &args)) return false;
    if (v.kind == JINJA_STR) return string_method(m, n, &v, &args, out);
    if (v.kind == JINJA_DICT) return dict_method(m, n, &v, &args, out);
    return jinja_error(
        m, n->a, FORMA_EUNSUPPORTED, "the method \"%.*s\" of %s is not supported yet",
        (int)(n->a->name_length < 80 ? n->a->name_length : 80), n->a->name, jinja_kind_name(&v));
}
