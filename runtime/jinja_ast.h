/* SPDX-License-Identifier: MIT
 *
 * The tree of a template. One node type serves statements and expressions: `a`, `b`, `c`, `d` are
 * parts whose meaning the list below gives, `next` links nodes of one list. Nodes live in the
 * template's arena and are read-only after parsing. `depth` bounds the recursion of those who walk
 * the tree: the parser refuses more than JINJA_MAX_DEPTH.
 */
#ifndef FORMA_RUNTIME_JINJA_AST_H
#define FORMA_RUNTIME_JINJA_AST_H

#include "runtime/jinja_value.h"

#define JINJA_MAX_DEPTH  200       /* nested nodes; a chain a + b + c counts one a term */
#define JINJA_MAX_SOURCE (1 << 20) /* bytes of a template; real ones have at most some 20,000 */

enum jinja_node_kind {
    /* expressions */
    JINJA_N_LITERAL,     /* value */
    JINJA_N_NAME,        /* name */
    JINJA_N_LIST,        /* a: items */
    JINJA_N_DICT,        /* a: key, value, key, value ... */
    JINJA_N_ATTRIBUTE,   /* a . name */
    JINJA_N_INDEX,       /* a [ b ] */
    JINJA_N_SLICE,       /* a [ b : c : d ], parts may be NULL */
    JINJA_N_CALL,        /* a ( b: arguments ) */
    JINJA_N_FILTER,      /* a | name ( b: arguments ) */
    JINJA_N_TEST,        /* a is name ( b: arguments ) */
    JINJA_N_KEYWORD,     /* an argument: name = a */
    JINJA_N_NOT,         /* a */
    JINJA_N_NEGATE,      /* - a */
    JINJA_N_PLUS,        /* + a */
    JINJA_N_BINARY,      /* a name b: + - * / // % ~ ** */
    JINJA_N_COMPARE,     /* a, then b: COMPARAND list */
    JINJA_N_COMPARAND,   /* name a: == != < > <= >= in "not in" */
    JINJA_N_AND,         /* a, b */
    JINJA_N_OR,          /* a, b */
    JINJA_N_CONDITIONAL, /* a if b else c; c may be NULL */
    JINJA_N_UNSUPPORTED, /* name: what; an error when it is reached */
    /* statements */
    JINJA_N_TEXT,      /* value */
    JINJA_N_OUTPUT,    /* a */
    JINJA_N_IF,        /* a: BRANCH list */
    JINJA_N_BRANCH,    /* a: test, NULL for else; b: body */
    JINJA_N_FOR,       /* a: targets (NAMEs); b: what is gone through; c: body; d: FOR_REST */
    JINJA_N_FOR_REST,  /* a: filter, may be NULL; b: else, may be NULL */
    JINJA_N_SET,       /* a: targets (NAME or ATTRIBUTE of a NAME); b: value */
    JINJA_N_SET_BLOCK, /* a: target; b: body */
    JINJA_N_BREAK,
    JINJA_N_CONTINUE
};

struct jinja_node {
    enum jinja_node_kind kind;
    uint32_t depth, offset;
    const char *name;
    size_t name_length;
    struct jinja_value value;
    struct jinja_node *a, *b, *c, *d, *next;
};

static inline bool jinja_name_is(const struct jinja_node *n, const char *name) {
    size_t i = 0;
    while (i < n->name_length && name[i] == n->name[i] && name[i]) i++;
    return i == n->name_length && name[i] == '\0';
}

/* Parses the template; all nodes in the arena. `source` must live as long as the tree. False: a
 * fault, described. An empty template is *first == NULL. */
bool jinja_parse(struct arena *arena, const char *source, size_t length, struct jinja_node **first,
                 struct forma_error *err);

#endif
