/* SPDX-License-Identifier: MIT
 *
 * What the two halves of the parser share: jinja_parser.c reads statements, jinja_expression.c
 * expressions. One token of look-ahead. The first fault is final: `failed` is set, every function
 * gives NULL or false from then on.
 */
#ifndef FORMA_RUNTIME_JINJA_PARSER_H
#define FORMA_RUNTIME_JINJA_PARSER_H

#include "runtime/jinja_ast.h"
#include "runtime/jinja_lexer.h"

struct jinja_parser {
    struct arena *arena;
    struct jinja_lexer lexer;
    struct jinja_token token; /* the next one */
    struct forma_error *err;
    unsigned nesting; /* of the parser's own recursion */
    bool failed;
};

/* Sets the error (the first only). */
__attribute__((format(printf, 4, 5))) void jinja_fail(struct jinja_parser *p,
                                                      enum forma_status status, size_t offset,
                                                      const char *format, ...);
/* "expected X here" at the present token. */
void jinja_fail_expected(struct jinja_parser *p, const char *what);
void jinja_advance(struct jinja_parser *p);
bool jinja_is_operator(const struct jinja_parser *p, const char *text);
bool jinja_is_word(const struct jinja_parser *p, const char *text);
/* Consumes it if it is there. */
bool jinja_take_operator(struct jinja_parser *p, const char *text);
bool jinja_take_word(struct jinja_parser *p, const char *text);
/* Consumes it or fails. */
bool jinja_expect_operator(struct jinja_parser *p, const char *text);

/* NULL: no room, or a part is NULL because of an earlier fault. */
struct jinja_node *jinja_node_new(struct jinja_parser *p, enum jinja_node_kind kind, size_t offset);
/* Takes the depth of the parts into account; false past the limit. */
bool jinja_node_finish(struct jinja_parser *p, struct jinja_node *n);

/* a, b, c: several make a list. `conditional`: x if y else z may stand in it. */
struct jinja_node *jinja_parse_tuple(struct jinja_parser *p, bool conditional);
struct jinja_node *jinja_parse_expression(struct jinja_parser *p);

/* Guards recursion: false past the limit. Each enter needs a leave, also after failure. */
bool jinja_enter(struct jinja_parser *p);
void jinja_leave(struct jinja_parser *p);

#endif
