/* SPDX-License-Identifier: MIT
 *
 * The text blocks of fixtures/schemas: a schema and texts that the whole machine, from the text of
 * the schema to single bytes, must take or refuse. types.test begins with a description of a
 * block. Texts are the rest of their line; under a pretty style `\n` in them is a line end.
 */
#include "forma.h"
#include "tests/lib_explain.h"
#include "tests/test.h"

#define MAX_LINE      4096
#define MAX_DOCUMENTS 8

static const char *const files[] = {
    "types",      "numbers",   "strings",  "objects",     "arrays", "unique", "combinations",
    "references", "documents", "dialects", "unevaluated", "errors", "formats"};

struct block {
    char name[MAX_LINE];
    char schema[MAX_LINE];
    struct forma_options options;
    struct forma_document documents[MAX_DOCUMENTS];
    struct forma_grammar *grammar;
    struct forma_matcher *matcher;
    struct forma_error err;
    bool compiled; /* tried to */
    bool pretty;
};

struct place {
    const char *file;
    int line;
    const char *block;
};

static void fail(const struct place *p, const char *what, const char *text) {
    test_result(false);
    fprintf(stderr, "fixtures/schemas/%s.test:%d: %s: %s: %s\n", p->file, p->line, p->block, what,
            text);
}

static void verdict(const struct place *p, bool ok, const char *what, const char *text) {
    if (ok)
        test_result(true);
    else
        fail(p, what, text);
}

static void close_block(struct block *b) {
    forma_matcher_free(b->matcher);
    forma_grammar_free(b->grammar);
    for (size_t i = 0; i < b->options.n_documents; i++) {
        free((char *)b->documents[i].uri);
        free((char *)b->documents[i].text);
    }
    memset(b, 0, sizeof *b);
    forma_options_init(&b->options);
}

/* Once a block, at its first verdict. */
static void compile(struct block *b) {
    if (b->compiled) return;
    b->compiled = true;
    if (!CHECK(told_agrees(b->schema, strlen(b->schema), &b->options)))
        fprintf(stderr, "  in %s: %s\n", b->name, b->schema);
    b->grammar =
        forma_grammar_from_json_schema(b->schema, strlen(b->schema), NULL, &b->options, &b->err);
    if (b->grammar) b->matcher = forma_matcher_new(b->grammar, NULL, NULL, &b->err);
}

/* "URI JSON"; "- JSON": the document's own identifier names it. */
static void read_document(struct block *b, const struct place *p, char *text) {
    size_t n = b->options.n_documents;
    char *space = strchr(text, ' ');
    if (!space || n == MAX_DOCUMENTS) {
        fail(p, "no room for a document, or no text", text);
        return;
    }
    *space = '\0';
    struct forma_document *d = &b->documents[n];
    d->uri = strcmp(text, "-") == 0 ? NULL : strdup(text);
    d->text = strdup(space + 1);
    d->length = strlen(space + 1);
    b->options.documents = b->documents;
    b->options.n_documents = n + 1;
}

static bool set_style(struct block *b, const char *word) {
    struct forma_style *s = &b->options.style;
    static const struct {
        const char *word;
        enum forma_blanks blanks;
    } blanks[] = {{"blanks=compact", FORMA_BLANKS_COMPACT},
                  {"blanks=natural", FORMA_BLANKS_NATURAL},
                  {"blanks=any", FORMA_BLANKS_ANY},
                  {"blanks=pretty2", FORMA_BLANKS_PRETTY}};
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        if (strcmp(word, blanks[i].word) != 0) continue;
        s->blanks = blanks[i].blanks;
        s->pretty_indent = 2;
        b->pretty = s->blanks == FORMA_BLANKS_PRETTY;
        return true;
    }
    if (strcmp(word, "exact") == 0)
        *s = forma_style_exact();
    else if (strcmp(word, "keys=any") == 0)
        s->keys = FORMA_KEYS_ANY;
    else if (strcmp(word, "numbers=any") == 0)
        s->numbers = FORMA_NUMBERS_ANY;
    else if (strcmp(word, "escapes=any") == 0)
        s->escapes = FORMA_ESCAPES_ANY;
    else
        return false;
    return true;
}

static void read_styles(struct block *b, const struct place *p, char *words) {
    char *rest = NULL;
    for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        if (!set_style(b, w)) fail(p, "unknown style", w);
}

static void read_draft(struct block *b, const struct place *p, const char *word) {
    int draft = atoi(word);
    bool known = draft == 4 || draft == 6 || draft == 7 || draft == 2019 || draft == 2020;
    if (known)
        b->options.draft = (enum forma_draft)draft;
    else
        fail(p, "unknown draft", word);
}

static void replace_line_ends(char *text) {
    char *out = text;
    for (const char *in = text; *in; in++)
        if (in[0] == '\\' && in[1] == 'n') {
            *out++ = '\n';
            in++;
        } else {
            *out++ = *in;
        }
    *out = '\0';
}

static void judge(struct block *b, const struct place *p, const char *kind, char *text) {
    compile(b);
    if (!b->matcher) {
        fail(p, "does not compile", b->err.message);
        return;
    }
    if (b->pretty) replace_line_ends(text);
    forma_matcher_reset(b->matcher);
    bool alive = forma_matcher_accept_bytes(b->matcher, (const unsigned char *)text, strlen(text),
                                            NULL) == FORMA_OK;
    bool accepted = alive && forma_matcher_accepts_end(b->matcher);
    if (strcmp(kind, "yes") == 0)
        verdict(p, accepted, "should be accepted", text);
    else if (strcmp(kind, "no") == 0)
        verdict(p, !accepted, "should not be accepted", text);
    else if (strcmp(kind, "live") == 0)
        verdict(p, alive, "should be viable", text);
    else
        verdict(p, !alive, "should not be viable", text);
}

static const char *status_word(enum forma_status status) {
    static const char *const words[] = {
#define X(code, text) #code,
        FORMA_STATUS_MAP(X)
#undef X
    };
    return words[status];
}

/* "STATUS" or "STATUS POINTER". */
static void judge_error(struct block *b, const struct place *p, char *want) {
    char *pointer = strchr(want, ' ');
    if (pointer) *pointer++ = '\0';
    compile(b);
    if (b->grammar) {
        fail(p, "compiles, but should be", want);
        return;
    }
    verdict(p, strcmp(status_word(b->err.status), want) == 0, "another error", b->err.message);
    if (pointer) verdict(p, strcmp(b->err.pointer, pointer) == 0, "another place", b->err.pointer);
}

static void read_line(struct block *b, struct place *p, char *line) {
    if (strncmp(line, "=== ", 4) == 0) {
        close_block(b);
        snprintf(b->name, sizeof b->name, "%s", line + 4);
        return;
    }
    char *colon = strchr(line, ':');
    if (!colon) {
        fail(p, "not a line of a block", line);
        return;
    }
    *colon = '\0';
    char *text = colon + 1;
    if (*text == ' ') text++;
    static const char *const verdicts[] = {"yes", "no", "live", "dead"};
    for (size_t i = 0; i < 4; i++)
        if (strcmp(line, verdicts[i]) == 0) {
            judge(b, p, line, text);
            return;
        }
    if (strcmp(line, "schema") == 0)
        snprintf(b->schema, sizeof b->schema, "%s", text);
    else if (strcmp(line, "style") == 0)
        read_styles(b, p, text);
    else if (strcmp(line, "draft") == 0)
        read_draft(b, p, text);
    else if (strcmp(line, "document") == 0)
        read_document(b, p, text);
    else if (strcmp(line, "dialect") == 0 && strcmp(text, "openapi-3.0") == 0)
        b->options.dialect = FORMA_DIALECT_OPENAPI_3_0;
    else if (strcmp(line, "formats") == 0 && strcmp(text, "annotate") == 0)
        b->options.formats = FORMA_FORMATS_ANNOTATE;
    else if (strcmp(line, "error") == 0)
        judge_error(b, p, text);
    else
        fail(p, "unknown word", line);
}

static void read_file(const char *name) {
    char path[256], line[MAX_LINE];
    struct block b;
    struct place p = {name, 0, b.name};
    snprintf(path, sizeof path, "fixtures/schemas/%s.test", name);
    FILE *in = fopen(path, "rb");
    if (!CHECK(in != NULL)) return;
    memset(&b, 0, sizeof b);
    close_block(&b);
    while (fgets(line, sizeof line, in)) {
        p.line++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] && line[0] != '#') read_line(&b, &p, line);
    }
    close_block(&b);
    fclose(in);
}

int main(void) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) read_file(files[i]);
    return test_done("schema_fixtures");
}
