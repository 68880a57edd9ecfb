/* SPDX-License-Identifier: MIT */
#include "runtime/jinja_eval.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

bool jinja_error(struct jinja_machine *m, const struct jinja_node *n, enum forma_status status,
                 const char *format, ...) {
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (char *c = message; *c; c++) /* parts may be the template's text */
        if ((unsigned char)*c < 0x20) *c = ' ';
    error_at_text(m->err, status, m->source, m->source_length, n->offset, "%s", message);
    return false;
}

bool jinja_unsupported(struct jinja_machine *m, const struct jinja_node *n, const char *kind,
                       const char *name, size_t length) {
    return jinja_error(m, n, FORMA_EUNSUPPORTED, "%s \"%.*s\" is not supported yet", kind,
                       (int)(length < 80 ? length : 80), name);
}

bool jinja_error_space(struct jinja_machine *m, const struct jinja_node *n) {
    if (m->arena.failed)
        return jinja_error(m, n, FORMA_ELIMIT, "the template needs more than %zu bytes of memory",
                           m->arena.size);
    return jinja_error(m, n, FORMA_ELIMIT, "the text grows past its limit of %zu bytes",
                       m->max_bytes);
}

bool jinja_spend(struct jinja_machine *m, const struct jinja_node *n, uint64_t steps) {
    if (steps > m->max_steps - m->steps)
        return jinja_error(m, n, FORMA_ELIMIT, "the template takes more than %" PRIu64 " steps",
                           m->max_steps);
    m->steps += steps;
    return true;
}

const struct jinja_value *jinja_lookup(const struct jinja_machine *m, const char *name,
                                       size_t length) {
    for (uint32_t i = m->variables.count; i-- > 0;) {
        const struct jinja_variable *v = &m->variables.data[i];
        if (v->length == length && memcmp(v->name, name, length) == 0) return &v->value;
    }
    return NULL;
}

bool jinja_assign(struct jinja_machine *m, const struct jinja_node *n, const char *name,
                  size_t length, struct jinja_value value) {
    for (uint32_t i = m->scope; i < m->variables.count; i++) {
        struct jinja_variable *v = &m->variables.data[i];
        if (v->length == length && memcmp(v->name, name, length) == 0) {
            v->value = value;
            return true;
        }
    }
    if (!ARENA_VEC_GROW(&m->arena, &m->variables)) return jinja_error_space(m, n);
    m->variables.data[m->variables.count++] = (struct jinja_variable){name, length, value};
    return true;
}

/* ---- parts of values ---------------------------------------------------------------------- */

static bool loop_attribute(struct jinja_machine *m, const struct jinja_node *n,
                           const struct jinja_loop *loop, struct jinja_value *out) {
    size_t i = loop->index, count = loop->count;
    const struct {
        const char *name;
        struct jinja_value value;
    } attributes[] = {
        {"index", jinja_int((int64_t)i + 1)},
        {"index0", jinja_int((int64_t)i)},
        {"revindex", jinja_int((int64_t)(count - i))},
        {"revindex0", jinja_int((int64_t)(count - i) - 1)},
        {"first", jinja_bool(i == 0)},
        {"last", jinja_bool(i + 1 == count)},
        {"length", jinja_int((int64_t)count)},
        {"depth", jinja_int(1)}, /* Jinja counts recursive loops only */
        {"depth0", jinja_int(0)},
        {"previtem", i > 0 ? loop->items[i - 1] : jinja_undefined("loop.previtem", 13)},
        {"nextitem", i + 1 < count ? loop->items[i + 1] : jinja_undefined("loop.nextitem", 13)},
    };
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
        if (jinja_name_is(n, attributes[k].name)) {
            *out = attributes[k].value;
            return true;
        }
    return jinja_unsupported(m, n, "the attribute of loop", n->name, n->name_length);
}

static bool eval_attribute(struct jinja_machine *m, const struct jinja_node *n,
                           struct jinja_value *out) {
    struct jinja_value v;
    if (!jinja_eval(m, n->a, &v)) return false;
    struct jinja_value key = jinja_str(n->name, n->name_length, false);
    const struct jinja_value *found = NULL;
    switch (v.kind) {
    case JINJA_UNDEFINED: return jinja_error_undefined(m, n, &v);
    case JINJA_LOOP: return loop_attribute(m, n, v.loop, out);
    case JINJA_DICT: found = jinja_find(v.pairs, v.count, &key); break;
    case JINJA_NAMESPACE:
        found = jinja_find(v.space->pairs.data, v.space->pairs.count, &key);
        break;
    default: break;
    }
    *out = found ? *found : jinja_undefined(n->name, n->name_length);
    return true;
}

/* The byte offset of code point `index` of the string, or its length. */
static size_t offset_of(const struct jinja_string *s, size_t index) {
    size_t at = 0;
    while (index-- > 0 && at < s->length) at += jinja_char_size(s, at);
    return at;
}

bool jinja_subscript(struct jinja_machine *m, const struct jinja_node *n,
                     const struct jinja_value *v, const struct jinja_value *key,
                     struct jinja_value *out) {
    *out = jinja_undefined("the item", 8);
    if (key->kind == JINJA_STR) *out = jinja_undefined(key->string.data, key->string.length);
    if (v->kind == JINJA_UNDEFINED) return jinja_error_undefined(m, n, v);
    if (v->kind == JINJA_DICT || v->kind == JINJA_NAMESPACE) {
        bool dict = v->kind == JINJA_DICT;
        const struct jinja_value *found = jinja_find(dict ? v->pairs : v->space->pairs.data,
                                                     dict ? v->count : v->space->pairs.count, key);
        if (found) *out = *found;
        return true;
    }
    if (v->kind == JINJA_LOOP && key->kind == JINJA_STR) {
        struct jinja_node name = *n;
        name.name = key->string.data;
        name.name_length = key->string.length;
        return loop_attribute(m, &name, v->loop, out);
    }
    if ((v->kind != JINJA_LIST && v->kind != JINJA_STR) || !jinja_is_number(key)) return true;
    size_t count;
    if (!jinja_count(m, n, v, &count)) return false;
    int64_t index = jinja_number(key);
    if (index < 0) index += (int64_t)count;
    if (index < 0 || (uint64_t)index >= count) return true;
    if (v->kind == JINJA_LIST) {
        *out = v->items[index];
        return true;
    }
    size_t at = offset_of(&v->string, (size_t)index);
    *out = jinja_str("", 0, false);
    return jinja_substring(&m->arena, &v->string, at, at + jinja_char_size(&v->string, at),
                           &out->string) ||
           jinja_error_space(m, n);
}

/* One bound of a slice: NULL or none is `missing`; negative counts from the end; clamped. */
static bool eval_bound(struct jinja_machine *m, const struct jinja_node *n, int64_t count,
                       int64_t low, int64_t high, int64_t missing, int64_t *out) {
    *out = missing;
    if (!n) return true;
    struct jinja_value v;
    if (!jinja_eval(m, n, &v)) return false;
    if (v.kind == JINJA_NONE) return true;
    if (!jinja_is_number(&v))
        return jinja_error(m, n, FORMA_EMODEL, "%s is no place in a list", jinja_kind_name(&v));
    int64_t i = jinja_number(&v);
    if (i < 0) i = i < -count ? low : i + count;
    *out = i < low ? low : i > high ? high : i;
    return true;
}

/* Strings are sliced as lists of their characters, except where the characters are neighbours. */
static bool eval_slice(struct jinja_machine *m, const struct jinja_node *n,
                       struct jinja_value *out) {
    struct jinja_value v, list, step = jinja_int(1);
    size_t size;
    if (!jinja_eval(m, n->a, &v)) return false;
    if (v.kind == JINJA_UNDEFINED) return jinja_error_undefined(m, n, &v);
    if (v.kind != JINJA_LIST && v.kind != JINJA_STR)
        return jinja_error(m, n, FORMA_EMODEL, "%s has no parts to cut", jinja_kind_name(&v));
    if (!jinja_count(m, n, &v, &size) || (n->d && !jinja_eval(m, n->d, &step))) return false;
    if (step.kind == JINJA_NONE) step = jinja_int(1);
    if (!jinja_is_number(&step) || jinja_number(&step) == 0)
        return jinja_error(m, n, FORMA_EMODEL, "the step of a slice is an integer but 0");
    int64_t by = jinja_number(&step), count = (int64_t)size, first, last;
    bool up = by > 0;
    int64_t low = up ? 0 : -1, high = up ? count : count - 1;
    if (!eval_bound(m, n->b, count, low, high, up ? low : high, &first) ||
        !eval_bound(m, n->c, count, low, high, up ? high : low, &last))
        return false;
    if (v.kind == JINJA_STR && by == 1) {
        if (last < first) last = first;
        size_t begin = offset_of(&v.string, (size_t)first);
        size_t end = offset_of(&v.string, (size_t)last);
        *out = jinja_str("", 0, false);
        return jinja_spend(m, n, v.string.length / 64) &&
               (jinja_substring(&m->arena, &v.string, begin, end, &out->string) ||
                jinja_error_space(m, n));
    }
    if (!jinja_iterate(m, n, &v, &list)) return false;
    struct jinja_value picked = list;
    uint64_t span = up ? (last > first ? (uint64_t)(last - first) : 0)
                       : (first > last ? (uint64_t)(first - last) : 0);
    uint64_t stride = up ? (uint64_t)by : 0 - (uint64_t)by;
    size_t n_picked = span ? (size_t)((span - 1) / stride + 1) : 0;
    struct jinja_value *items = jinja_list_new(m, n, n_picked, &picked);
    if (!items) return false;
    for (size_t i = 0; i < n_picked; i++)
        items[i] = list.items[up ? (uint64_t)first + i * stride : (uint64_t)first - i * stride];
    *out = picked;
    if (v.kind == JINJA_LIST) return true;
    struct jinja_builder b;
    jinja_builder_init(&b, &m->arena, m->max_bytes);
    for (size_t i = 0; i < n_picked; i++)
        if (!jinja_builder_add(&b, &items[i].string)) return jinja_error_space(m, n);
    *out = jinja_str("", 0, false);
    out->string = jinja_builder_string(&b);
    return true;
}

/* ---- expressions -------------------------------------------------------------------------- */

static bool eval_list(struct jinja_machine *m, const struct jinja_node *n,
                      struct jinja_value *out) {
    size_t count = 0;
    for (const struct jinja_node *item = n->a; item; item = item->next) count++;
    struct jinja_value list, *items = jinja_list_new(m, n, count, &list);
    if (!items) return false;
    for (const struct jinja_node *item = n->a; item; item = item->next)
        if (!jinja_eval(m, item, items++)) return false;
    *out = list;
    return true;
}

static bool eval_dict(struct jinja_machine *m, const struct jinja_node *n,
                      struct jinja_value *out) {
    size_t count = 0;
    for (const struct jinja_node *item = n->a; item; item = item->next->next) count++;
    struct jinja_pair *pairs = arena_push_array(&m->arena, count, sizeof *pairs);
    if (!pairs) return jinja_error_space(m, n);
    *out = (struct jinja_value){.kind = JINJA_DICT};
    out->pairs = pairs;
    for (const struct jinja_node *item = n->a; item; item = item->next->next) {
        struct jinja_pair pair;
        if (!jinja_eval(m, item, &pair.key) || !jinja_eval(m, item->next, &pair.value))
            return false;
        if (pair.key.kind != JINJA_STR && !jinja_is_number(&pair.key))
            return jinja_error(m, item, FORMA_EUNSUPPORTED, "%s as a key is not supported yet",
                               jinja_kind_name(&pair.key));
        bool seen = false; /* the last value counts, the first place stays */
        for (size_t i = 0; i < out->count && !seen; i++) {
            if (!jinja_same(m, item, &pairs[i].key, &pair.key, &seen)) return false;
            if (seen) pairs[i].value = pair.value;
        }
        if (!seen) pairs[out->count++] = pair;
    }
    return true;
}

static bool eval_sign(struct jinja_machine *m, const struct jinja_node *n,
                      struct jinja_value *out) {
    struct jinja_value v;
    if (!jinja_eval(m, n->a, &v)) return false;
    if (v.kind == JINJA_UNDEFINED) return jinja_error_undefined(m, n, &v);
    if (!jinja_is_number(&v))
        return jinja_error(m, n, FORMA_EMODEL, "%s has no sign", jinja_kind_name(&v));
    int64_t i = jinja_number(&v);
    if (n->kind == JINJA_N_NEGATE && __builtin_sub_overflow(0, i, &i))
        return jinja_error(m, n, FORMA_EUNSUPPORTED,
                           "integers of more than 64 bits are not supported yet");
    *out = jinja_int(i);
    return true;
}

static bool eval_comparison(struct jinja_machine *m, const struct jinja_node *n,
                            struct jinja_value *out) {
    struct jinja_value left, right;
    bool holds = true;
    if (!jinja_eval(m, n->a, &left)) return false;
    for (const struct jinja_node *next = n->b; next && holds; next = next->next) {
        if (!jinja_eval(m, next->a, &right) || !jinja_compare(m, next, &left, &right, &holds))
            return false;
        left = right;
    }
    *out = jinja_bool(holds);
    return true;
}

static bool eval_conditional(struct jinja_machine *m, const struct jinja_node *n,
                             struct jinja_value *out) {
    struct jinja_value test;
    if (!jinja_eval(m, n->b, &test)) return false;
    if (jinja_truth(&test)) return jinja_eval(m, n->a, out);
    if (n->c) return jinja_eval(m, n->c, out);
    *out = jinja_undefined("an if without else", 18);
    return true;
}

static bool eval_name(struct jinja_machine *m, const struct jinja_node *n,
                      struct jinja_value *out) {
    const struct jinja_value *found = jinja_lookup(m, n->name, n->name_length);
    if (found)
        *out = *found;
    else if (jinja_is_function(n))
        *out = (struct jinja_value){.kind = JINJA_FUNCTION};
    else
        *out = jinja_undefined(n->name, n->name_length);
    return true;
}

bool jinja_eval(struct jinja_machine *m, const struct jinja_node *n, struct jinja_value *out) {
    if (!jinja_spend(m, n, 1)) return false;
    struct jinja_value a, b;
    switch (n->kind) {
    case JINJA_N_LITERAL: *out = n->value; return true;
    case JINJA_N_NAME: return eval_name(m, n, out);
    case JINJA_N_LIST: return eval_list(m, n, out);
    case JINJA_N_DICT: return eval_dict(m, n, out);
    case JINJA_N_ATTRIBUTE: return eval_attribute(m, n, out);
    case JINJA_N_INDEX:
        return jinja_eval(m, n->a, &a) && jinja_eval(m, n->b, &b) &&
               jinja_subscript(m, n, &a, &b, out);
    case JINJA_N_SLICE: return eval_slice(m, n, out);
    case JINJA_N_CALL: return jinja_call(m, n, out);
    case JINJA_N_FILTER: return jinja_filter(m, n, out);
    case JINJA_N_TEST: return jinja_test(m, n, out);
    case JINJA_N_NOT:
        if (!jinja_eval(m, n->a, &a)) return false;
        *out = jinja_bool(!jinja_truth(&a));
        return true;
    case JINJA_N_NEGATE:
    case JINJA_N_PLUS: return eval_sign(m, n, out);
    case JINJA_N_BINARY:
        return jinja_eval(m, n->a, &a) && jinja_eval(m, n->b, &b) &&
               jinja_binary(m, n, &a, &b, out);
    case JINJA_N_COMPARE: return eval_comparison(m, n, out);
    case JINJA_N_AND:
    case JINJA_N_OR:
        if (!jinja_eval(m, n->a, out)) return false;
        return jinja_truth(out) == (n->kind == JINJA_N_OR) || jinja_eval(m, n->b, out);
    case JINJA_N_CONDITIONAL: return eval_conditional(m, n, out);
    case JINJA_N_UNSUPPORTED:
        return jinja_error(m, n, FORMA_EUNSUPPORTED, "%.*s is not supported yet",
                           (int)n->name_length, n->name);
    default: return jinja_error(m, n, FORMA_EINTERNAL, "a statement inside an expression");
    }
}
