/* SPDX-License-Identifier: MIT
 *
 * Expressions, loosest first: `x if y else z`, or, and, not, comparisons, + -, ~, * / // %,
 * signs, then postfixes (.name, [index], call), filters and tests.
 */
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "runtime/jinja_parser.h"

typedef struct jinja_node *parse_fn(struct jinja_parser *p);

static parse_fn parse_or, parse_primary, parse_postfix_of_primary;

static struct jinja_node *finish(struct jinja_parser *p, struct jinja_node *n) {
    return n && jinja_node_finish(p, n) ? n : NULL;
}

static struct jinja_node *make(struct jinja_parser *p, enum jinja_node_kind kind, size_t offset,
                               struct jinja_node *a, struct jinja_node *b) {
    struct jinja_node *n = jinja_node_new(p, kind, offset);
    if (!n) return NULL;
    n->a = a;
    n->b = b;
    return finish(p, n);
}

/* ---- literals ----------------------------------------------------------------------------- */

/* The value of `digits` hexadecimal or octal digits, or UINT32_MAX. */
static uint32_t read_digits(const char *text, size_t length, size_t digits, uint32_t base) {
    if (length < digits) return UINT32_MAX;
    uint32_t value = 0;
    for (size_t i = 0; i < digits; i++) {
        char c = text[i];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 99;
        if (digit >= base) return UINT32_MAX;
        value = value * base + digit;
    }
    return value;
}

/* One escape as Python has them: the text behind the backslash, bytes consumed in *used (0: none
 * of Python's, the backslash stays), the character in *c (UINT32_MAX: nothing is written). False:
 * a fault. */
static bool read_escape(const char *text, size_t length, size_t *used, uint32_t *c) {
    static const char names[] = "ntr\\'\"abfv", values[] = "\n\t\r\\'\"\a\b\f\v";
    *used = 0;
    if (length == 0) return true;
    const char *name = text[0] ? strchr(names, text[0]) : NULL;
    size_t digits = text[0] == 'x' ? 2 : text[0] == 'u' ? 4 : text[0] == 'U' ? 8 : 0;
    if (name) {
        *used = 1;
        *c = (unsigned char)values[name - names];
    } else if (text[0] == '\n') {
        *used = 1;
        *c = UINT32_MAX;
    } else if (digits) {
        *used = 1 + digits;
        *c = read_digits(text + 1, length - 1, digits, 16);
        return *c != UINT32_MAX;
    } else if (text[0] >= '0' && text[0] <= '7') {
        size_t n = 1;
        while (n < 3 && n < length && text[n] >= '0' && text[n] <= '7') n++;
        *used = n;
        *c = read_digits(text, length, n, 8);
    } else if (text[0] == 'N') {
        return false;
    }
    return true;
}

/* Appends the decoded literal to the node's string. */
static bool append_literal(struct jinja_parser *p, struct jinja_node *n) {
    const struct jinja_token *t = &p->token;
    struct jinja_string *s = &n->value.string;
    char *out = arena_push(p->arena, s->length + t->length);
    if (!out) return false;
    if (s->length) memcpy(out, s->data, s->length);
    size_t length = s->length;
    for (size_t i = 0; i < t->length;) {
        if (t->text[i] != '\\') {
            out[length++] = t->text[i++];
            continue;
        }
        size_t used;
        uint32_t c = 0;
        bool fine = read_escape(t->text + i + 1, t->length - i - 1, &used, &c);
        unsigned char encoded[4] = "\\";
        size_t size = used ? c == UINT32_MAX ? 0 : utf8_encode(c, encoded) : 1;
        if (!fine || (used && size == 0 && c != UINT32_MAX)) {
            jinja_fail(p, FORMA_EMODEL, t->offset + 1 + i, "this escape is not a character");
            return false;
        }
        memcpy(out + length, encoded, size);
        length += size;
        i += 1 + used;
    }
    s->data = out;
    s->length = length;
    return true;
}

static struct jinja_node *parse_string(struct jinja_parser *p) {
    struct jinja_node *n = jinja_node_new(p, JINJA_N_LITERAL, p->token.offset);
    if (!n) return NULL;
    n->value = jinja_str("", 0, false);
    while (!p->failed && p->token.kind == JINJA_STRING) { /* "a" "b" is "ab" */
        if (!append_literal(p, n)) return NULL;
        jinja_advance(p);
    }
    return finish(p, n);
}

static struct jinja_node *parse_integer(struct jinja_parser *p) {
    struct jinja_node *n = jinja_node_new(p, JINJA_N_LITERAL, p->token.offset);
    if (!n) return NULL;
    int64_t value = 0;
    for (size_t i = 0; i < p->token.length; i++) {
        char c = p->token.text[i];
        if (c == '_') continue;
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, c - '0', &value)) {
            jinja_fail(p, FORMA_EUNSUPPORTED, n->offset,
                       "integers of more than 64 bits are not supported yet");
            return NULL;
        }
    }
    n->value = jinja_int(value);
    jinja_advance(p);
    return finish(p, n);
}

static struct jinja_node *parse_word(struct jinja_parser *p) {
    static const struct {
        const char *word;
        int value; /* -1 none */
    } constants[] = {{"true", 1},  {"True", 1},  {"false", 0},
                     {"False", 0}, {"none", -1}, {"None", -1}};
    struct jinja_node *n = jinja_node_new(p, JINJA_N_NAME, p->token.offset);
    if (!n) return NULL;
    n->name = p->token.text;
    n->name_length = p->token.length;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (jinja_is_word(p, constants[i].word)) {
            n->kind = JINJA_N_LITERAL;
            n->value = constants[i].value < 0 ? jinja_none() : jinja_bool(constants[i].value);
        }
    jinja_advance(p);
    return finish(p, n);
}

/* ---- brackets ----------------------------------------------------------------------------- */

static struct jinja_node *parse_list(struct jinja_parser *p) {
    struct jinja_node *n = jinja_node_new(p, JINJA_N_LIST, p->token.offset);
    if (!n) return NULL;
    jinja_advance(p);
    struct jinja_node **tail = &n->a;
    while (!p->failed && !jinja_is_operator(p, "]")) {
        *tail = jinja_parse_expression(p);
        if (!*tail) return NULL;
        tail = &(*tail)->next;
        if (!jinja_take_operator(p, ",")) break;
    }
    return jinja_expect_operator(p, "]") ? finish(p, n) : NULL;
}

static struct jinja_node *parse_dict(struct jinja_parser *p) {
    struct jinja_node *n = jinja_node_new(p, JINJA_N_DICT, p->token.offset);
    if (!n) return NULL;
    jinja_advance(p);
    struct jinja_node **tail = &n->a;
    while (!p->failed && !jinja_is_operator(p, "}")) {
        struct jinja_node *key = jinja_parse_expression(p);
        if (!key || !jinja_expect_operator(p, ":")) return NULL;
        struct jinja_node *value = jinja_parse_expression(p);
        if (!value) return NULL;
        *tail = key;
        key->next = value;
        tail = &value->next;
        if (!jinja_take_operator(p, ",")) break;
    }
    return jinja_expect_operator(p, "}") ? finish(p, n) : NULL;
}

static struct jinja_node *parse_group(struct jinja_parser *p) {
    size_t offset = p->token.offset;
    jinja_advance(p);
    if (jinja_take_operator(p, ")")) return make(p, JINJA_N_LIST, offset, NULL, NULL);
    struct jinja_node *n = jinja_parse_tuple(p, true);
    return n && jinja_expect_operator(p, ")") ? n : NULL;
}

static struct jinja_node *parse_primary(struct jinja_parser *p) {
    struct jinja_node *n;
    switch (p->token.kind) {
    case JINJA_NAME: return parse_word(p);
    case JINJA_STRING: return parse_string(p);
    case JINJA_INTEGER: return parse_integer(p);
    case JINJA_FLOAT:
        n = jinja_node_new(p, JINJA_N_UNSUPPORTED, p->token.offset);
        if (!n) return NULL;
        n->name = "a number with a fraction or exponent";
        n->name_length = strlen(n->name);
        jinja_advance(p);
        return finish(p, n);
    default: break;
    }
    if (jinja_is_operator(p, "[")) return parse_list(p);
    if (jinja_is_operator(p, "{")) return parse_dict(p);
    if (jinja_is_operator(p, "(")) return parse_group(p);
    jinja_fail_expected(p, "a value");
    return NULL;
}

/* ---- postfixes ---------------------------------------------------------------------------- */

/* Arguments up to ")"; the "(" is consumed. False: a fault. */
static bool parse_arguments(struct jinja_parser *p, struct jinja_node **first) {
    struct jinja_node **tail = first;
    while (!p->failed && !jinja_is_operator(p, ")")) {
        if (jinja_is_operator(p, "*") || jinja_is_operator(p, "**")) {
            jinja_fail(p, FORMA_EUNSUPPORTED, p->token.offset,
                       "\"%.*s\" before an argument is not supported yet", (int)p->token.length,
                       p->token.text);
            return false;
        }
        struct jinja_node *value = jinja_parse_expression(p);
        if (value && value->kind == JINJA_N_NAME && jinja_take_operator(p, "=")) {
            struct jinja_node *keyword = jinja_node_new(p, JINJA_N_KEYWORD, value->offset);
            if (!keyword) return false;
            keyword->name = value->name;
            keyword->name_length = value->name_length;
            keyword->a = jinja_parse_expression(p);
            value = finish(p, keyword->a ? keyword : NULL);
        }
        if (!value) return false;
        *tail = value;
        tail = &value->next;
        if (!jinja_take_operator(p, ",")) break;
    }
    return jinja_expect_operator(p, ")");
}

/* Behind "[": an index or a slice. */
static struct jinja_node *parse_subscript(struct jinja_parser *p, struct jinja_node *base,
                                          size_t offset) {
    struct jinja_node *parts[3] = {NULL};
    int n_colons = 0;
    for (; n_colons < 3; n_colons++) {
        if (!jinja_is_operator(p, ":") && !jinja_is_operator(p, "]")) {
            parts[n_colons] = jinja_parse_expression(p);
            if (!parts[n_colons]) return NULL;
        }
        if (!jinja_take_operator(p, ":")) break;
    }
    if (n_colons == 0 && !parts[0]) {
        jinja_fail_expected(p, "an index");
        return NULL;
    }
    if (jinja_is_operator(p, ","))
        jinja_fail(p, FORMA_EUNSUPPORTED, p->token.offset,
                   "an index of several values is not supported yet");
    if (!jinja_expect_operator(p, "]")) return NULL;
    struct jinja_node *n = jinja_node_new(p, n_colons ? JINJA_N_SLICE : JINJA_N_INDEX, offset);
    if (!n) return NULL;
    n->a = base;
    n->b = parts[0];
    n->c = parts[1];
    n->d = parts[2];
    return finish(p, n);
}

static struct jinja_node *parse_attribute(struct jinja_parser *p, struct jinja_node *base,
                                          size_t offset) {
    if (p->token.kind == JINJA_INTEGER) { /* a.0 is a[0] */
        struct jinja_node *index = parse_integer(p);
        return index ? make(p, JINJA_N_INDEX, offset, base, index) : NULL;
    }
    if (p->token.kind != JINJA_NAME) {
        jinja_fail_expected(p, "a name");
        return NULL;
    }
    struct jinja_node *n = jinja_node_new(p, JINJA_N_ATTRIBUTE, offset);
    if (!n) return NULL;
    n->a = base;
    n->name = p->token.text;
    n->name_length = p->token.length;
    jinja_advance(p);
    return finish(p, n);
}

/* n(...): what stands behind the opening parenthesis. */
static struct jinja_node *parse_call(struct jinja_parser *p, struct jinja_node *n, size_t offset) {
    struct jinja_node *call = jinja_node_new(p, JINJA_N_CALL, offset);
    if (!call || !parse_arguments(p, &call->b)) return NULL;
    call->a = n;
    return finish(p, call);
}

/* All postfixes behind the node. */
static struct jinja_node *parse_postfixes(struct jinja_parser *p, struct jinja_node *n) {
    while (n && !p->failed) {
        size_t offset = p->token.offset;
        if (jinja_take_operator(p, ".")) {
            n = parse_attribute(p, n, offset);
        } else if (jinja_take_operator(p, "[")) {
            n = parse_subscript(p, n, offset);
        } else if (jinja_take_operator(p, "(")) {
            n = parse_call(p, n, offset);
        } else {
            break;
        }
    }
    return p->failed ? NULL : n;
}

static struct jinja_node *parse_postfix_of_primary(struct jinja_parser *p) {
    return parse_postfixes(p, parse_primary(p));
}

static struct jinja_node *parse_filter(struct jinja_parser *p, struct jinja_node *base) {
    if (p->token.kind != JINJA_NAME) {
        jinja_fail_expected(p, "the name of a filter");
        return NULL;
    }
    struct jinja_node *n = jinja_node_new(p, JINJA_N_FILTER, p->token.offset);
    if (!n) return NULL;
    n->a = base;
    n->name = p->token.text;
    n->name_length = p->token.length;
    jinja_advance(p);
    if (jinja_take_operator(p, "(") && !parse_arguments(p, &n->b)) return NULL;
    return finish(p, n);
}

/* Can the token begin the argument of a test without brackets (`is divisibleby 3`)? */
static bool begins_argument(const struct jinja_parser *p) {
    enum jinja_token_kind kind = p->token.kind;
    if (kind == JINJA_NAME)
        return !jinja_is_word(p, "else") && !jinja_is_word(p, "or") && !jinja_is_word(p, "and") &&
               !jinja_is_word(p, "is") && !jinja_is_word(p, "if") && !jinja_is_word(p, "in") &&
               !jinja_is_word(p, "not");
    return kind == JINJA_STRING || kind == JINJA_INTEGER || kind == JINJA_FLOAT ||
           jinja_is_operator(p, "[") || jinja_is_operator(p, "{");
}

static struct jinja_node *parse_test(struct jinja_parser *p, struct jinja_node *base) {
    size_t offset = p->token.offset;
    bool negated = jinja_take_word(p, "not");
    if (p->token.kind != JINJA_NAME) {
        jinja_fail_expected(p, "the name of a test");
        return NULL;
    }
    struct jinja_node *n = jinja_node_new(p, JINJA_N_TEST, p->token.offset);
    if (!n) return NULL;
    n->a = base;
    n->name = p->token.text;
    n->name_length = p->token.length;
    jinja_advance(p);
    if (jinja_take_operator(p, "(")) {
        if (!parse_arguments(p, &n->b)) return NULL;
    } else if (begins_argument(p)) {
        n->b = parse_postfix_of_primary(p);
        if (!n->b) return NULL;
    } else if (jinja_is_word(p, "is")) {
        jinja_fail(p, FORMA_EMODEL, p->token.offset, "tests cannot be chained; use brackets");
        return NULL;
    }
    n = finish(p, n);
    return n && negated ? make(p, JINJA_N_NOT, offset, n, NULL) : n;
}

static struct jinja_node *parse_filters(struct jinja_parser *p, struct jinja_node *n) {
    while (n && !p->failed) {
        size_t offset = p->token.offset;
        if (jinja_take_operator(p, "|")) {
            n = parse_filter(p, n);
        } else if (jinja_take_word(p, "is")) {
            n = parse_test(p, n);
        } else if (jinja_take_operator(p, "(")) { /* what a filter gave is called */
            n = parse_call(p, n, offset);
        } else {
            break;
        }
    }
    return p->failed ? NULL : n;
}

/* ---- operators ---------------------------------------------------------------------------- */

/* A sign binds looser than a postfix, tighter than a filter: -a|abs is (-a)|abs. */
static struct jinja_node *parse_sign(struct jinja_parser *p) {
    size_t offset = p->token.offset;
    bool negate = jinja_take_operator(p, "-");
    if (!negate && !jinja_take_operator(p, "+")) return parse_postfix_of_primary(p);
    struct jinja_node *n = NULL;
    if (jinja_enter(p)) n = parse_sign(p);
    jinja_leave(p);
    return n ? make(p, negate ? JINJA_N_NEGATE : JINJA_N_PLUS, offset, n, NULL) : NULL;
}

static struct jinja_node *parse_unary(struct jinja_parser *p) {
    return parse_filters(p, parse_sign(p));
}

/* operand (operator operand)*, to the left. */
static struct jinja_node *parse_binary(struct jinja_parser *p, parse_fn *operand,
                                       const char *const *operators) {
    struct jinja_node *n = operand(p);
    while (n && !p->failed) {
        const char *const *found = operators;
        while (*found && !jinja_is_operator(p, *found)) found++;
        if (!*found) return n;
        size_t offset = p->token.offset;
        jinja_advance(p);
        struct jinja_node *right = operand(p);
        n = right ? make(p, JINJA_N_BINARY, offset, n, right) : NULL;
        if (n) {
            n->name = *found;
            n->name_length = strlen(*found);
        }
    }
    return p->failed ? NULL : n;
}

static struct jinja_node *parse_product(struct jinja_parser *p) {
    static const char *const operators[] = {"*", "/", "//", "%", "**", NULL};
    return parse_binary(p, parse_unary, operators);
}

static struct jinja_node *parse_tilde(struct jinja_parser *p) {
    static const char *const operators[] = {"~", NULL};
    return parse_binary(p, parse_product, operators);
}

static struct jinja_node *parse_sum(struct jinja_parser *p) {
    static const char *const operators[] = {"+", "-", NULL};
    return parse_binary(p, parse_tilde, operators);
}

/* The comparison operator that comes next, consumed, or NULL. */
static const char *take_comparison(struct jinja_parser *p) {
    static const char *const operators[] = {"==", "!=", "<=", ">=", "<", ">"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (jinja_take_operator(p, operators[i])) return operators[i];
    if (jinja_take_word(p, "in")) return "in";
    if (!jinja_is_word(p, "not")) return NULL;
    jinja_advance(p); /* behind an operand only "not in" can follow */
    if (jinja_take_word(p, "in")) return "not in";
    jinja_fail_expected(p, "\"in\"");
    return NULL;
}

static struct jinja_node *parse_comparison(struct jinja_parser *p) {
    struct jinja_node *first = parse_sum(p), *n = NULL, **tail = NULL;
    while (first && !p->failed) {
        size_t offset = p->token.offset;
        const char *operator= take_comparison(p);
        if (!operator) break;
        if (!n) {
            n = jinja_node_new(p, JINJA_N_COMPARE, offset);
            if (!n) return NULL;
            n->a = first;
            tail = &n->b;
        }
        struct jinja_node *right = parse_sum(p);
        right = right ? make(p, JINJA_N_COMPARAND, offset, right, NULL) : NULL;
        if (!right) return NULL;
        right->name = operator;
        right->name_length = strlen(operator);
        *tail = right;
        tail = &right->next;
    }
    return p->failed ? NULL : n ? finish(p, n) : first;
}

static struct jinja_node *parse_not(struct jinja_parser *p) {
    size_t offset = p->token.offset;
    if (!jinja_take_word(p, "not")) return parse_comparison(p);
    struct jinja_node *n = NULL;
    if (jinja_enter(p)) n = parse_not(p);
    jinja_leave(p);
    return n ? make(p, JINJA_N_NOT, offset, n, NULL) : NULL;
}

static struct jinja_node *parse_logic(struct jinja_parser *p, const char *word,
                                      enum jinja_node_kind kind, parse_fn *operand) {
    struct jinja_node *n = operand(p);
    while (n && !p->failed) {
        size_t offset = p->token.offset;
        if (!jinja_take_word(p, word)) return n;
        struct jinja_node *right = operand(p);
        n = right ? make(p, kind, offset, n, right) : NULL;
    }
    return p->failed ? NULL : n;
}

static struct jinja_node *parse_and(struct jinja_parser *p) {
    return parse_logic(p, "and", JINJA_N_AND, parse_not);
}

static struct jinja_node *parse_or(struct jinja_parser *p) {
    return parse_logic(p, "or", JINJA_N_OR, parse_and);
}

static struct jinja_node *parse_conditional(struct jinja_parser *p) {
    struct jinja_node *n = parse_or(p);
    while (n && !p->failed) {
        size_t offset = p->token.offset;
        if (!jinja_take_word(p, "if")) return n;
        struct jinja_node *whole = jinja_node_new(p, JINJA_N_CONDITIONAL, offset);
        struct jinja_node *test = parse_or(p);
        if (!whole || !test) return NULL;
        whole->a = n;
        whole->b = test;
        if (jinja_take_word(p, "else")) {
            whole->c = jinja_parse_expression(p);
            if (!whole->c) return NULL;
        }
        n = finish(p, whole);
    }
    return p->failed ? NULL : n;
}

struct jinja_node *jinja_parse_expression(struct jinja_parser *p) {
    struct jinja_node *n = NULL;
    if (jinja_enter(p)) n = parse_conditional(p);
    jinja_leave(p);
    return n;
}

struct jinja_node *jinja_parse_tuple(struct jinja_parser *p, bool conditional) {
    size_t offset = p->token.offset;
    struct jinja_node *n = conditional ? jinja_parse_expression(p) : parse_or(p);
    if (!n || !jinja_is_operator(p, ",")) return n;
    struct jinja_node *list = jinja_node_new(p, JINJA_N_LIST, offset), **tail = &n->next;
    if (!list) return NULL;
    list->a = n;
    while (jinja_take_operator(p, ",")) {
        if (p->token.kind == JINJA_BLOCK_END || p->token.kind == JINJA_OUTPUT_END ||
            jinja_is_operator(p, ")"))
            break;
        *tail = conditional ? jinja_parse_expression(p) : parse_or(p);
        if (!*tail) return NULL;
        tail = &(*tail)->next;
    }
    return finish(p, list);
}
