/* SPDX-License-Identifier: MIT */
#include "runtime/jinja_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define MAX_PARSER_NESTING 100 /* brackets and blocks inside each other: some 20 frames each */

/* ---- what expressions need too ------------------------------------------------------------ */

void jinja_fail(struct jinja_parser *p, enum forma_status status, size_t offset, const char *format,
                ...) {
    if (p->failed) return;
    p->failed = true;
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    error_at_text(p->err, status, p->lexer.source, p->lexer.length, offset, "%s", message);
}

void jinja_fail_expected(struct jinja_parser *p, const char *what) {
    static const char *const places[] = {[JINJA_END] = "the end of the template",
                                         [JINJA_TEXT] = "text",
                                         [JINJA_OUTPUT_END] = "\"}}\"",
                                         [JINJA_BLOCK_END] = "\"%}\"",
                                         [JINJA_STRING] = "a string",
                                         [JINJA_OUTPUT_BEGIN] = "\"{{\"",
                                         [JINJA_BLOCK_BEGIN] = "\"{%\"",
                                         [JINJA_OPERATOR] = NULL};
    const struct jinja_token *t = &p->token;
    const char *place = t->kind < sizeof places / sizeof *places ? places[t->kind] : NULL;
    if (place)
        jinja_fail(p, FORMA_EMODEL, t->offset, "expected %s, found %s", what, place);
    else
        jinja_fail(p, FORMA_EMODEL, t->offset, "expected %s, found \"%.*s\"", what,
                   (int)(t->length < 40 ? t->length : 40), t->text);
}

void jinja_advance(struct jinja_parser *p) {
    if (p->failed || jinja_lexer_next(&p->lexer, &p->token)) return;
    p->failed = true; /* the lexer has described it */
}

static bool token_is(const struct jinja_parser *p, enum jinja_token_kind kind, const char *text) {
    return !p->failed && p->token.kind == kind && p->token.length == strlen(text) &&
           memcmp(p->token.text, text, p->token.length) == 0;
}

bool jinja_is_operator(const struct jinja_parser *p, const char *text) {
    return token_is(p, JINJA_OPERATOR, text);
}

bool jinja_is_word(const struct jinja_parser *p, const char *text) {
    return token_is(p, JINJA_NAME, text);
}

bool jinja_take_operator(struct jinja_parser *p, const char *text) {
    if (!jinja_is_operator(p, text)) return false;
    jinja_advance(p);
    return true;
}

bool jinja_take_word(struct jinja_parser *p, const char *text) {
    if (!jinja_is_word(p, text)) return false;
    jinja_advance(p);
    return true;
}

bool jinja_expect_operator(struct jinja_parser *p, const char *text) {
    if (jinja_take_operator(p, text)) return !p->failed;
    char what[16];
    snprintf(what, sizeof what, "\"%s\"", text);
    jinja_fail_expected(p, what);
    return false;
}

struct jinja_node *jinja_node_new(struct jinja_parser *p, enum jinja_node_kind kind,
                                  size_t offset) {
    if (p->failed) return NULL;
    struct jinja_node *n = arena_push(p->arena, sizeof *n);
    if (!n) {
        jinja_fail(p, FORMA_EMEMORY, offset, "no memory for the template");
        return NULL;
    }
    n->kind = kind;
    n->offset = (uint32_t)offset;
    n->depth = 1;
    return n;
}

bool jinja_node_finish(struct jinja_parser *p, struct jinja_node *n) {
    if (p->failed) return false;
    const struct jinja_node *parts[] = {n->a, n->b, n->c, n->d};
    for (size_t i = 0; i < 4; i++)
        for (const struct jinja_node *part = parts[i]; part; part = part->next)
            if (part->depth >= n->depth) n->depth = part->depth + 1;
    if (n->depth <= JINJA_MAX_DEPTH) return true;
    jinja_fail(p, FORMA_ELIMIT, n->offset, "the template nests more than %d deep here",
               JINJA_MAX_DEPTH);
    return false;
}

bool jinja_enter(struct jinja_parser *p) {
    if (++p->nesting <= MAX_PARSER_NESTING) return !p->failed;
    jinja_fail(p, FORMA_ELIMIT, p->token.offset, "the template nests more than %d deep here",
               MAX_PARSER_NESTING);
    return false;
}

void jinja_leave(struct jinja_parser *p) {
    p->nesting--;
}

/* ---- statements --------------------------------------------------------------------------- */

static bool parse_body(struct jinja_parser *p, const char *const *ends, struct jinja_node **first);

static bool expect_block_end(struct jinja_parser *p) {
    if (!p->failed && p->token.kind != JINJA_BLOCK_END) jinja_fail_expected(p, "\"%}\"");
    jinja_advance(p);
    return !p->failed;
}

static struct jinja_node *finish(struct jinja_parser *p, struct jinja_node *n) {
    return n && jinja_node_finish(p, n) ? n : NULL;
}

/* The tag's word is consumed; the body ends before the word of one of `ends`, not consumed. */
static struct jinja_node *parse_if(struct jinja_parser *p, size_t offset) {
    static const char *const ends[] = {"elif", "else", "endif", NULL};
    struct jinja_node *n = jinja_node_new(p, JINJA_N_IF, offset);
    if (!n) return NULL;
    struct jinja_node **tail = &n->a;
    for (bool has_test = true;; tail = &(*tail)->next) {
        struct jinja_node *branch = jinja_node_new(p, JINJA_N_BRANCH, p->token.offset);
        if (!branch) return NULL;
        if (has_test && !(branch->a = jinja_parse_tuple(p, true))) return NULL;
        if (!expect_block_end(p) || !parse_body(p, ends, &branch->b)) return NULL;
        *tail = finish(p, branch);
        if (!*tail) return NULL;
        if (jinja_take_word(p, "endif")) break;
        if (!has_test) {
            jinja_fail_expected(p, "\"endif\"");
            return NULL;
        }
        has_test = jinja_is_word(p, "elif");
        jinja_advance(p);
    }
    return expect_block_end(p) ? finish(p, n) : NULL;
}

/* name or name, name ... ; `attributes`: ns.name too. */
static bool parse_targets(struct jinja_parser *p, bool attributes, struct jinja_node **first) {
    bool group = jinja_take_operator(p, "(");
    for (struct jinja_node **tail = first; !p->failed;) {
        if (p->token.kind != JINJA_NAME) {
            jinja_fail_expected(p, "a name to set");
            return false;
        }
        struct jinja_node *n = jinja_node_new(p, JINJA_N_NAME, p->token.offset);
        if (!n) return false;
        n->name = p->token.text;
        n->name_length = p->token.length;
        jinja_advance(p);
        if (attributes && jinja_take_operator(p, ".")) {
            struct jinja_node *space = n;
            n = jinja_node_new(p, JINJA_N_ATTRIBUTE, space->offset);
            if (!n) return false;
            if (p->token.kind != JINJA_NAME) jinja_fail_expected(p, "a name");
            n->a = space;
            n->name = p->token.text;
            n->name_length = p->token.length;
            jinja_advance(p);
        }
        if (!finish(p, n)) return false;
        *tail = n;
        tail = &n->next;
        if (!jinja_take_operator(p, ",")) break;
    }
    return !p->failed && (!group || jinja_expect_operator(p, ")"));
}

static struct jinja_node *parse_for(struct jinja_parser *p, size_t offset) {
    static const char *const ends[] = {"else", "endfor", NULL}, *const last[] = {"endfor", NULL};
    struct jinja_node *n = jinja_node_new(p, JINJA_N_FOR, offset);
    struct jinja_node *rest = jinja_node_new(p, JINJA_N_FOR_REST, offset);
    if (!n || !rest || !parse_targets(p, false, &n->a)) return NULL;
    if (!jinja_take_word(p, "in")) {
        jinja_fail_expected(p, "\"in\"");
        return NULL;
    }
    n->b = jinja_parse_tuple(p, false);
    if (!n->b) return NULL;
    if (jinja_take_word(p, "if") && !(rest->a = jinja_parse_expression(p))) return NULL;
    if (jinja_is_word(p, "recursive"))
        jinja_fail(p, FORMA_EUNSUPPORTED, p->token.offset, "recursive loops are not supported yet");
    if (!expect_block_end(p) || !parse_body(p, ends, &n->c)) return NULL;
    if (jinja_take_word(p, "else") && (!expect_block_end(p) || !parse_body(p, last, &rest->b)))
        return NULL;
    jinja_advance(p); /* endfor */
    n->d = finish(p, rest);
    return n->d && expect_block_end(p) ? finish(p, n) : NULL;
}

static struct jinja_node *parse_set(struct jinja_parser *p, size_t offset) {
    static const char *const ends[] = {"endset", NULL};
    struct jinja_node *n = jinja_node_new(p, JINJA_N_SET, offset);
    if (!n || !parse_targets(p, true, &n->a)) return NULL;
    if (jinja_take_operator(p, "=")) {
        n->b = jinja_parse_tuple(p, true);
        return n->b && expect_block_end(p) ? finish(p, n) : NULL;
    }
    if (jinja_is_operator(p, "|"))
        jinja_fail(p, FORMA_EUNSUPPORTED, p->token.offset,
                   "a filter on a set block is not supported yet");
    n->kind = JINJA_N_SET_BLOCK;
    if (!expect_block_end(p) || !parse_body(p, ends, &n->b)) return NULL;
    jinja_advance(p);
    return expect_block_end(p) ? finish(p, n) : NULL;
}

/* Hugging Face marks what the assistant wrote with generation ... endgeneration, for training:
 * here its body alone counts. */
static struct jinja_node *parse_generation(struct jinja_parser *p, size_t offset) {
    static const char *const ends[] = {"endgeneration", NULL};
    struct jinja_node *n = jinja_node_new(p, JINJA_N_IF, offset);
    struct jinja_node *branch = jinja_node_new(p, JINJA_N_BRANCH, offset);
    if (!n || !branch || !expect_block_end(p) || !parse_body(p, ends, &branch->b)) return NULL;
    jinja_advance(p);
    n->a = finish(p, branch);
    return n->a && expect_block_end(p) ? finish(p, n) : NULL;
}

static struct jinja_node *parse_tag(struct jinja_parser *p) {
    size_t offset = p->token.offset;
    if (jinja_take_word(p, "if")) return parse_if(p, offset);
    if (jinja_take_word(p, "for")) return parse_for(p, offset);
    if (jinja_take_word(p, "set")) return parse_set(p, offset);
    if (jinja_take_word(p, "generation")) return parse_generation(p, offset);
    bool stops = jinja_is_word(p, "break");
    if (stops || jinja_is_word(p, "continue")) {
        jinja_advance(p);
        struct jinja_node *n = jinja_node_new(p, stops ? JINJA_N_BREAK : JINJA_N_CONTINUE, offset);
        return n && expect_block_end(p) ? n : NULL;
    }
    bool ends = p->token.length >= 3 && memcmp(p->token.text, "end", 3) == 0;
    if (p->token.kind == JINJA_NAME && !ends && !jinja_is_word(p, "else") &&
        !jinja_is_word(p, "elif"))
        jinja_fail(p, FORMA_EUNSUPPORTED, offset, "the tag \"%.*s\" is not supported yet",
                   (int)(p->token.length < 40 ? p->token.length : 40), p->token.text);
    else
        jinja_fail_expected(p, "a tag that begins here");
    return NULL;
}

static struct jinja_node *parse_output(struct jinja_parser *p) {
    struct jinja_node *n = jinja_node_new(p, JINJA_N_OUTPUT, p->token.offset);
    jinja_advance(p);
    if (!n || !(n->a = jinja_parse_tuple(p, true))) return NULL;
    if (p->token.kind != JINJA_OUTPUT_END) jinja_fail_expected(p, "\"}}\"");
    jinja_advance(p);
    return finish(p, n);
}

static struct jinja_node *parse_text(struct jinja_parser *p) {
    struct jinja_node *n = jinja_node_new(p, JINJA_N_TEXT, p->token.offset);
    if (n) n->value = jinja_str(p->token.text, p->token.length, false);
    jinja_advance(p);
    return n;
}

static bool ends_here(const struct jinja_parser *p, const char *const *ends) {
    for (; *ends; ends++)
        if (jinja_is_word(p, *ends)) return true;
    return false;
}

/* Statements up to the tag whose word is one of `ends`, which is then the present token; without
 * ends, up to the end of the template. */
static bool parse_statements(struct jinja_parser *p, const char *const *ends,
                             struct jinja_node **first) {
    for (struct jinja_node **tail = first; !p->failed; tail = &(*tail)->next) {
        if (p->token.kind == JINJA_END) {
            if (!*ends) return true;
            jinja_fail(p, FORMA_EMODEL, p->token.offset, "the template ends before \"%s\"",
                       ends[1] ? ends[1] : ends[0]);
            return false;
        }
        if (p->token.kind == JINJA_TEXT) {
            *tail = parse_text(p);
        } else if (p->token.kind == JINJA_OUTPUT_BEGIN) {
            *tail = parse_output(p);
        } else {
            jinja_advance(p);
            if (ends_here(p, ends)) return true;
            *tail = parse_tag(p);
        }
        if (!*tail) return false;
    }
    return false;
}

static bool parse_body(struct jinja_parser *p, const char *const *ends, struct jinja_node **first) {
    bool fine = jinja_enter(p) && parse_statements(p, ends, first);
    jinja_leave(p);
    return fine;
}

bool jinja_parse(struct arena *arena, const char *source, size_t length, struct jinja_node **first,
                 struct forma_error *err) {
    static const char *const ends[] = {NULL};
    struct jinja_parser p = {.arena = arena, .err = err};
    *first = NULL;
    jinja_lexer_init(&p.lexer, source, length, err);
    jinja_advance(&p);
    return !p.failed && parse_statements(&p, ends, first) && !p.failed;
}
