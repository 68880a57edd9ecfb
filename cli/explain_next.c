/* SPDX-License-Identifier: MIT
 *
 * forma explain TEXT: what may come behind the text and which rules speak of it; what may not, and
 * which rules are to blame; and some way to the end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/explain.h"

enum { MAX_COMPLETION = 4096 };

struct listing {
    const struct explain_request *r;
    struct forma_matcher *matcher;
    FILE *possible, *blocked; /* what is printed of the two, in memory */
    char *possible_text, *blocked_text;
    size_t possible_length, blocked_length;
    size_t n_possible, n_blocked;
    size_t offset; /* where the text is refused; the length: it is not */
    bool colour;
    enum forma_status status;
    /* The line that is being printed: things that are blocked by the same rules share one. */
    bool has_line, line_possible, line_has_why;
    struct cli_text line_rules;
};

/* ---- human --------------------------------------------------------------------------------- */

/* " (/a or /b)"; empty where no rule is known. */
static enum forma_status rules_text(const struct forma_next *n, struct cli_text *out,
                                    struct forma_error *err) {
    enum forma_status status = cli_text_append(out, "", 0, err);
    for (size_t i = 0; i < n->n_rules && status == FORMA_OK; i++) {
        const char *separator = i == 0 ? "" : n->possible ? ", " : n->together ? " and " : " or ";
        const char *rule = *n->rules[i] ? n->rules[i] : "the root";
        status = cli_text_append(out, separator, strlen(separator), err);
        if (status == FORMA_OK) status = cli_text_append(out, rule, strlen(rule), err);
    }
    return status;
}

/* Ends the line that is open. */
static void end_line(struct listing *l) {
    FILE *out = l->line_possible ? l->possible : l->blocked;
    if (!l->has_line) return;
    l->has_line = false;
    if (l->line_rules.length) {
        fputs(l->colour ? "  \033[2m(" : "  (", out);
        cli_print_words(out, l->line_rules.data, l->line_rules.length);
        fputs(l->colour ? ")\033[0m" : ")", out);
    }
    fputc('\n', out);
}

/* The first column: the byte with which it begins, where there is one to be seen; returns that. */
static char print_bytes(const struct forma_next *n, FILE *out) {
    unsigned count = 0, one = 0;
    if (n->n_before) {
        fprintf(out, *n->before == ',' ? "  ,   " : "      ");
        return 0;
    }
    for (unsigned b = 0; b < 256; b++)
        if (n->first[b / 32] >> (b % 32) & 1u) {
            count++;
            one = b;
        }
    if (count == 1 && one > 0x20 && one < 0x7F) {
        fprintf(out, "  %c   ", (int)one);
        return (char)one;
    }
    fputs("      ", out);
    return 0;
}

static void print_what(const struct forma_next *n, char seen, FILE *out) {
    bool has_why = !n->possible && *n->why;
    bool said = seen && n->what[0] == seen && !n->what[1]; /* by the first column */
    const char *what = !said ? n->what : has_why ? "" : "this character";
    cli_print_words(out, what, strlen(what));
    if (!has_why) return;
    if (*what) fputs(": ", out);
    cli_print_words(out, n->why, strlen(n->why));
}

/* What is not possible by the same rules stands in one line. */
static void print_next(void *ctx, const struct forma_next *n) {
    struct listing *l = ctx;
    FILE *out = n->possible ? l->possible : l->blocked;
    struct cli_text rules = {0};
    struct forma_error err;
    char seen = 0;
    if (rules_text(n, &rules, &err) != FORMA_OK) {
        l->status = err.status;
        return;
    }
    bool joins = l->has_line && !n->possible && !l->line_possible && !*n->why && !l->line_has_why &&
                 rules.length && strcmp(rules.data, l->line_rules.data) == 0;
    if (n->possible)
        l->n_possible++;
    else
        l->n_blocked++;
    if (joins) {
        fputs(", ", out);
    } else {
        end_line(l);
        seen = print_bytes(n, out);
    }
    print_what(n, seen, out);
    cli_text_free(&l->line_rules);
    l->line_rules = rules;
    l->has_line = true;
    l->line_possible = n->possible;
    l->line_has_why = *n->why != 0;
}

/* The text, cut to its end. */
static void print_text(const struct listing *l, size_t length) {
    enum { SHOWN = 60 };
    const char *text = l->r->text;
    size_t from = length > SHOWN ? length - SHOWN : 0;
    while (from < length && ((unsigned char)text[from] & 0xC0) == 0x80) from++;
    if (!length) {
        fputs("at the beginning", stdout);
        return;
    }
    fputs(from ? "behind ..." : "behind ", stdout);
    cli_print_words(stdout, text + from, length - from);
}

static void print_part(const char *title, const char *text, size_t length, bool colour) {
    if (!length) return;
    printf("%s%s%s\n", colour ? "\033[1m" : "", title, colour ? "\033[0m" : "");
    fwrite(text, 1, length, stdout);
}

static void print_way(struct listing *l) {
    unsigned char way[MAX_COMPLETION];
    size_t n = forma_matcher_completion(l->matcher, way, sizeof way);
    if (n == 0 || n == SIZE_MAX) {
        if (n) puts("a way to the end: longer than 4096 bytes");
        return;
    }
    fputs("a way to the end: ", stdout);
    cli_print_words(stdout, (const char *)way, n);
    putchar('\n');
}

static void print_listing(struct listing *l) {
    bool refused = l->offset < l->r->length, has_rules = l->r->form->kind == FORM_SCHEMA;
    if (refused)
        printf("%sbyte %zu does not fit%s, ", l->colour ? "\033[31m" : "", l->offset,
               l->colour ? "\033[0m" : "");
    print_text(l, refused ? l->offset : l->r->length);
    if (refused || !l->n_possible)
        putchar('\n');
    else if (forma_matcher_accepts_end(l->matcher))
        puts(", a whole text of the form");
    else
        puts(l->r->length ? ", the beginning of a text of the form" : "");
    if (refused && has_rules)
        print_part("what stands there cannot come:", l->blocked_text, l->blocked_length, l->colour);
    print_part(refused ? "what could have come:" : "what may come next:", l->possible_text,
               l->possible_length, l->colour);
    if (!refused) print_part("what may not:", l->blocked_text, l->blocked_length, l->colour);
    print_way(l);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void json_next(void *ctx, const struct forma_next *n) {
    struct listing *l = ctx;
    FILE *out = n->possible ? l->possible : l->blocked;
    size_t *count = n->possible ? &l->n_possible : &l->n_blocked;
    fputs((*count)++ ? ", {\"what\": " : "{\"what\": ", out);
    cli_json_string(out, n->what, strlen(n->what));
    if (n->n_before) {
        fputs(", \"before\": ", out);
        cli_json_string(out, n->before, n->n_before);
    }
    if (n->length) {
        fputs(", \"text\": ", out);
        cli_json_string(out, n->text, n->length);
    }
    fputs(", \"bytes\": [", out);
    const char *separator = "";
    for (unsigned b = 0; b < 256; b++)
        if (n->first[b / 32] >> (b % 32) & 1u) {
            fprintf(out, "%s%u", separator, b);
            separator = ", ";
        }
    fputs("]", out);
    if (!n->possible) {
        fputs(", \"why\": ", out);
        cli_json_string(out, n->why, strlen(n->why));
    }
    fputs(", \"rules\": [", out);
    for (size_t i = 0; i < n->n_rules; i++) {
        if (i) fputs(", ", out);
        cli_json_string(out, n->rules[i], strlen(n->rules[i]));
    }
    fputs(n->possible   ? "]}"
          : n->together ? "], \"together\": true}"
                        : "], \"together\": false}",
          out);
}

static void print_json(struct listing *l) {
    unsigned char way[MAX_COMPLETION];
    bool refused = l->offset < l->r->length;
    size_t n = forma_matcher_completion(l->matcher, way, sizeof way);
    fputs("{\"text\": ", stdout);
    cli_json_string(stdout, l->r->text, l->r->length);
    printf(", \"offset\": %zu, \"refused\": %s, \"accepted\": %s, \"next\": [", l->offset,
           refused ? "true" : "false",
           !refused && forma_matcher_accepts_end(l->matcher) ? "true" : "false");
    fwrite(l->possible_text, 1, l->possible_length, stdout);
    fputs("], \"blocked\": [", stdout);
    fwrite(l->blocked_text, 1, l->blocked_length, stdout);
    fputs("], \"completion\": ", stdout);
    if (n == SIZE_MAX)
        fputs("null", stdout);
    else
        cli_json_string(stdout, (const char *)way, n);
    puts("}");
}

/* ---- the command --------------------------------------------------------------------------- */

/* The matcher at the end of the text, or before the byte that does not fit. */
static enum forma_status stand(struct listing *l, struct forma_error *err) {
    const unsigned char *text = (const unsigned char *)l->r->text;
    l->matcher = forma_matcher_new(l->r->form->grammar, NULL, NULL, err);
    if (!l->matcher) return err->status;
    l->offset = l->r->length;
    enum forma_status status = forma_matcher_accept_bytes(l->matcher, text, l->r->length, err);
    if (status != FORMA_EREFUSED || forma_matcher_narrowed(l->matcher)) return status;
    l->offset = (size_t)err->offset;
    return forma_matcher_accept_bytes(l->matcher, text, l->offset, err);
}

static enum forma_status list(struct listing *l, struct forma_error *err) {
    const struct form *form = l->r->form;
    forma_next_fn fn = l->r->json ? json_next : print_next;
    enum forma_status status =
        form->kind == FORM_SCHEMA
            ? forma_explain_text(form->text.data, form->text.length, NULL, &form->options,
                                 l->r->text, l->r->length, fn, l, err)
            : forma_matcher_next(l->matcher, fn, l, err);
    end_line(l);
    bool closed = fclose(l->possible) == 0 && l->status == FORMA_OK;
    closed &= fclose(l->blocked) == 0;
    l->possible = l->blocked = NULL;
    if (status == FORMA_EREFUSED) status = FORMA_OK;
    if (status == FORMA_OK && !closed)
        return error_set(err, FORMA_EMEMORY, "no memory for the list");
    return status;
}

int explain_next(const struct explain_request *r) {
    struct forma_error err;
    struct listing l = {.r = r, .colour = !r->json && cli_has_colour(stdout)};
    error_clear(&err);
    l.possible = open_memstream(&l.possible_text, &l.possible_length);
    l.blocked = open_memstream(&l.blocked_text, &l.blocked_length);
    enum forma_status status = l.possible && l.blocked
                                   ? stand(&l, &err)
                                   : error_set(&err, FORMA_EMEMORY, "no memory for the list");
    if (status == FORMA_OK) status = list(&l, &err);
    if (l.possible) fclose(l.possible);
    if (l.blocked) fclose(l.blocked);
    int exit_status = l.offset < r->length ? CLI_NO : CLI_OK;
    if (status != FORMA_OK)
        exit_status = cli_fail(r->json, r->file, &err);
    else if (r->json)
        print_json(&l);
    else
        print_listing(&l);
    free(l.possible_text);
    free(l.blocked_text);
    cli_text_free(&l.line_rules);
    forma_matcher_free(l.matcher);
    return exit_status;
}
