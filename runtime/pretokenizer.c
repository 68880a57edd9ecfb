/* SPDX-License-Identifier: MIT
 *
 * Each stage of the chain has a cursor over the piece that the stage before it gave out. To take a
 * piece, the deepest open cursor is asked; when it has none left, the one above moves on:
 *
 *     stage 0   |  A  |  B  |        cuts the text
 *     stage 1   |a|a'a|              cuts A, then B: what it gives out is a piece
 *
 * A match that was found ahead is kept until the cursor has come to it, so a run without a match is
 * searched once and the whole costs the time of the matching. Patterns come from files; each of
 * the known ones takes linear time for a run of equal characters: the greedy class takes the run at
 * once, and the look-ahead after blanks gives back at most one character.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "runtime/pretokenizer.h"

#include <pcre2.h>
#include <string.h>

#include "base/error.h"
#include "runtime/pretokenizer_pattern.h"

#define UNKNOWN SIZE_MAX

/* Steps back in one match, about a second's worth. Known patterns step back once for a character of
 * a run; one that takes exponential time comes to an end. */
#define MATCH_LIMIT 100000000u

enum behavior { ISOLATED, REMOVED, MERGED_WITH_PREVIOUS, MERGED_WITH_NEXT, CONTIGUOUS };

struct stage {
    pcre2_code *code;           /* or NULL: */
    struct json_string literal; /* a copy */
    enum behavior behavior;
    bool invert; /* what does not match is what the behaviour speaks of */
};

struct pretokenizer {
    const struct forma_allocator *allocator;
    pcre2_general_context *general;
    pcre2_compile_context *compile;
    pcre2_match_context *match;
    struct stage stages[PRETOKENIZER_MAX_STAGES];
    size_t n_stages;
};

/* ---- making -------------------------------------------------------------------------------- */

/* PCRE2 frees without a size, our allocator wants one: it is kept in front of the block. */
#define HEADER_BYTES 16

static void *pcre2_alloc(size_t size, void *ctx) {
    const struct pretokenizer *p = ctx;
    if (size > SIZE_MAX - HEADER_BYTES) return NULL;
    unsigned char *block = fa_alloc(p->allocator, size + HEADER_BYTES);
    if (!block) return NULL;
    memcpy(block, &size, sizeof size);
    return block + HEADER_BYTES;
}

static void pcre2_release(void *ptr, void *ctx) {
    const struct pretokenizer *p = ctx;
    if (!ptr) return;
    unsigned char *block = (unsigned char *)ptr - HEADER_BYTES;
    size_t size;
    memcpy(&size, block, sizeof size);
    fa_free(p->allocator, block, size + HEADER_BYTES);
}

static enum forma_status no_memory(struct forma_error *err) {
    return error_set(err, FORMA_EMEMORY, "no memory for the pre-tokenizer");
}

static struct pretokenizer *make_empty(const struct forma_allocator *allocator,
                                       struct forma_error *err) {
    allocator = fa_allocator_or_default(allocator);
    struct pretokenizer *p = fa_alloc_zero(allocator, sizeof *p);
    if (p) {
        p->allocator = allocator;
        p->general = pcre2_general_context_create(pcre2_alloc, pcre2_release, p);
        p->compile = p->general ? pcre2_compile_context_create(p->general) : NULL;
        p->match = p->general ? pcre2_match_context_create(p->general) : NULL;
    }
    if (!p || !p->general || !p->compile || !p->match) {
        no_memory(err);
        pretokenizer_free(p);
        return NULL;
    }
    pcre2_set_newline(p->compile, PCRE2_NEWLINE_LF);
    pcre2_set_match_limit(p->match, MATCH_LIMIT);
    pcre2_set_depth_limit(p->match, UINT32_MAX);
    return p;
}

static struct stage *add_stage(struct pretokenizer *p, struct forma_error *err) {
    if (p->n_stages < PRETOKENIZER_MAX_STAGES) return &p->stages[p->n_stages++];
    error_at_pointer(err, FORMA_EUNSUPPORTED, "/pre_tokenizer",
                     "more than %d splits in a row are not supported", PRETOKENIZER_MAX_STAGES);
    return NULL;
}

/* `pattern` in PCRE2's syntax, terminated. */
static enum forma_status add_pattern(struct pretokenizer *p, const char *pattern,
                                     enum behavior behavior, bool invert, struct forma_error *err) {
    int code = 0;
    PCRE2_SIZE offset = 0;
    struct stage *stage = add_stage(p, err);
    if (!stage) return FORMA_EUNSUPPORTED;
    stage->behavior = behavior;
    stage->invert = invert;
    stage->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_UCP,
                                &code, &offset, p->compile);
    if (!stage->code && code == PCRE2_ERROR_HEAP_FAILED) return no_memory(err);
    if (!stage->code)
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/pre_tokenizer",
                                "PCRE2 refuses a splitting pattern at %zu (error %d)", offset,
                                code);
    /* Where executable memory is refused the interpreter gives the same pieces. */
    (void)pcre2_jit_compile(stage->code, PCRE2_JIT_COMPLETE);
    return FORMA_OK;
}

static enum forma_status add_literal(struct pretokenizer *p, struct json_string literal,
                                     enum behavior behavior, bool invert, struct forma_error *err) {
    struct stage *stage = add_stage(p, err);
    if (!stage) return FORMA_EUNSUPPORTED;
    char *copy = fa_alloc(p->allocator, literal.length ? literal.length : 1);
    if (!copy) return no_memory(err);
    memcpy(copy, literal.data, literal.length);
    *stage =
        (struct stage){.literal = {copy, literal.length}, .behavior = behavior, .invert = invert};
    return FORMA_OK;
}

struct pretokenizer *pretokenizer_new(const struct pretokenizer_rule *rule,
                                      const struct forma_allocator *allocator,
                                      struct forma_error *err) {
    struct pretokenizer *p = make_empty(allocator, err);
    if (!p || add_pattern(p, rule->pattern, ISOLATED, false, err) == FORMA_OK) return p;
    pretokenizer_free(p);
    return NULL;
}

static bool read_behavior(struct json_string name, enum behavior *out) {
    static const char *const names[] = {"Isolated", "Removed", "MergedWithPrevious",
                                        "MergedWithNext", "Contiguous"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_string_is(name, names[i])) {
            *out = (enum behavior)i;
            return true;
        }
    return false;
}

static enum forma_status add_split(struct pretokenizer *p, const struct tokenizer_part *part,
                                   struct forma_error *err) {
    enum behavior behavior;
    char pattern[PRETOKENIZER_PATTERN_MAX];
    if (!read_behavior(part->behavior, &behavior))
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/pre_tokenizer",
                                "a split does not say what becomes of its matches");
    if (!part->pattern_is_regex) {
        if (part->pattern.length) return add_literal(p, part->pattern, behavior, part->invert, err);
        return error_at_pointer(err, FORMA_EUNSUPPORTED, "/pre_tokenizer",
                                "a split has no pattern");
    }
    enum forma_status status = pretokenizer_translate(part->pattern, pattern, sizeof pattern, err);
    return status ? status : add_pattern(p, pattern, behavior, part->invert, err);
}

static enum forma_status add_part(struct pretokenizer *p, const struct tokenizer_part *part,
                                  struct forma_error *err) {
    struct json_string type = part->type;
    if (json_string_is(type, "Split")) return add_split(p, part, err);
    if (json_string_is(type, "Digits"))
        return add_pattern(p, "\\p{N}", part->individual_digits ? ISOLATED : CONTIGUOUS, false,
                           err);
    if (json_string_is(type, "ByteLevel")) /* else the letters of bytes are the only matter */
        return part->use_regex ? add_pattern(p, pretokenizer_gpt2_pattern, ISOLATED, false, err)
                               : FORMA_OK;
    if (json_string_is(type, "Metaspace"))
        return part->split ? add_literal(p, part->replacement, MERGED_WITH_NEXT, false, err)
                           : FORMA_OK;
    int n = type.length < 40 ? (int)type.length : 40;
    return error_at_pointer(err, FORMA_EUNSUPPORTED, "/pre_tokenizer",
                            "the pre-tokenizer \"%.*s\" is not supported; Split, Digits, ByteLevel "
                            "and Metaspace are",
                            n, n ? type.data : "");
}

struct pretokenizer *pretokenizer_from_parts(const struct tokenizer_parts *parts,
                                             const struct forma_allocator *allocator,
                                             struct forma_error *err) {
    struct pretokenizer *p = make_empty(allocator, err);
    for (uint32_t i = 0; p && i < parts->count; i++)
        if (add_part(p, &parts->list[i], err) != FORMA_OK) {
            pretokenizer_free(p);
            return NULL;
        }
    return p;
}

void pretokenizer_free(struct pretokenizer *p) {
    if (!p) return;
    for (size_t i = 0; i < p->n_stages; i++) {
        struct stage *stage = &p->stages[i];
        pcre2_code_free(stage->code);
        char *literal = (char *)(uintptr_t)stage->literal.data;
        if (literal)
            fa_free(p->allocator, literal, stage->literal.length ? stage->literal.length : 1);
    }
    pcre2_match_context_free(p->match);
    pcre2_compile_context_free(p->compile);
    pcre2_general_context_free(p->general);
    fa_free(p->allocator, p, sizeof *p);
}

/* ---- running ------------------------------------------------------------------------------- */

bool pretokenizer_begin(const struct pretokenizer *p, struct pretokenizer_run *run) {
    memset(run, 0, sizeof *run);
    run->pretokenizer = p;
    run->match_data = pcre2_match_data_create(1, p->general);
    return run->match_data != NULL;
}

void pretokenizer_end(struct pretokenizer_run *run) {
    pcre2_match_data_free(run->match_data);
    run->match_data = NULL;
}

static void set_cursor(struct pretokenizer_cursor *c, size_t start, size_t end) {
    *c = (struct pretokenizer_cursor){
        .piece = start, .at = start, .end = end, .match_start = UNKNOWN};
}

void pretokenizer_start(struct pretokenizer_run *run, const char *text, size_t length,
                        struct forma_error *err) {
    run->text = text;
    run->length = length;
    run->err = err;
    run->status = FORMA_OK;
    run->open = 1;
    set_cursor(&run->cursors[0], 0, length);
}

static bool find_literal(struct json_string literal, const char *text, size_t at, size_t end,
                         size_t *match_start) {
    const char *found = memmem(text + at, end - at, literal.data, literal.length);
    if (found) *match_start = (size_t)(found - text);
    return found != NULL;
}

/* The next match at or behind c->at that is not empty; at c->end where there is none. A stage sees
 * its piece alone: the piece is the whole subject. */
static bool find_match(struct pretokenizer_run *run, const struct stage *stage,
                       struct pretokenizer_cursor *c) {
    const struct pretokenizer *p = run->pretokenizer;
    c->match_start = c->match_end = c->end;
    if (!stage->code) {
        if (find_literal(stage->literal, run->text, c->at, c->end, &c->match_start))
            c->match_end = c->match_start + stage->literal.length;
        return true;
    }
    pcre2_match_data *data = run->match_data;
    PCRE2_SPTR subject = (PCRE2_SPTR)run->text + c->piece;
    size_t length = c->end - c->piece, at = c->at - c->piece;
    uint32_t flags = PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY;
    int found = pcre2_match(stage->code, subject, length, at, flags, data, p->match);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT)
        found = pcre2_match(stage->code, subject, length, at, flags | PCRE2_NO_JIT, data, p->match);
    if (found == PCRE2_ERROR_NOMATCH) return true;
    if (found < 0) {
        run->status = found == PCRE2_ERROR_MATCHLIMIT
                          ? error_at_offset(run->err, FORMA_ELIMIT, c->at,
                                            "the splitting pattern takes too long here; split the "
                                            "text or use another tokenizer")
                      : found == PCRE2_ERROR_NOMEMORY || found == PCRE2_ERROR_HEAPLIMIT
                          ? error_set(run->err, FORMA_EMEMORY, "no memory to split the text")
                          : error_at_offset(run->err, FORMA_EINTERNAL, c->at,
                                            "the splitting pattern stops here (%d)", found);
        return false;
    }
    const PCRE2_SIZE *bounds = pcre2_get_ovector_pointer(data);
    c->match_start = c->piece + bounds[0];
    c->match_end = c->piece + bounds[1];
    return true;
}

/* The next match, or what lies before it. False at the end of the piece or on failure. */
static bool next_segment(struct pretokenizer_run *run, size_t depth,
                         struct pretokenizer_segment *out) {
    const struct stage *stage = &run->pretokenizer->stages[depth];
    struct pretokenizer_cursor *c = &run->cursors[depth];
    if (c->has_ahead) {
        c->has_ahead = false;
        *out = c->ahead;
        return true;
    }
    if (c->at == c->end) return false;
    if (c->match_start == UNKNOWN && !find_match(run, stage, c)) return false;
    bool is_match = c->at == c->match_start;
    *out = (struct pretokenizer_segment){c->at, is_match ? c->match_end : c->match_start,
                                         is_match != stage->invert};
    c->at = out->end;
    if (is_match) c->match_start = UNKNOWN;
    return true;
}

/* Does the behaviour join two segments that follow each other? */
static bool joins(enum behavior behavior, bool is_match, bool next_is_match) {
    switch (behavior) {
    case MERGED_WITH_PREVIOUS: return !is_match && next_is_match;
    case MERGED_WITH_NEXT: return is_match && !next_is_match;
    case CONTIGUOUS: return is_match == next_is_match;
    case ISOLATED:
    case REMOVED: break;
    }
    return false;
}

static bool next_of_stage(struct pretokenizer_run *run, size_t depth,
                          struct pretokenizer_segment *out) {
    enum behavior behavior = run->pretokenizer->stages[depth].behavior;
    struct pretokenizer_cursor *c = &run->cursors[depth];
    do {
        if (!next_segment(run, depth, out)) return false;
    } while (behavior == REMOVED && out->is_match);
    if (behavior == ISOLATED || behavior == REMOVED) return true;
    for (struct pretokenizer_segment next; next_segment(run, depth, &next);) {
        if (!joins(behavior, out->is_match, next.is_match)) {
            c->ahead = next;
            c->has_ahead = true;
            break;
        }
        out->end = next.end;
        if (behavior != CONTIGUOUS) break; /* two make a whole */
    }
    return !run->status;
}

bool pretokenizer_next(struct pretokenizer_run *run, size_t *start, size_t *end) {
    size_t n = run->pretokenizer->n_stages;
    if (n == 0) { /* the whole text, once */
        *start = 0;
        *end = run->length;
        bool given = run->open == 0;
        run->open = 0;
        return !given && run->length > 0;
    }
    while (run->open) {
        struct pretokenizer_segment piece;
        if (!next_of_stage(run, run->open - 1, &piece)) {
            if (run->status) return false;
            run->open--;
        } else if (run->open < n) {
            set_cursor(&run->cursors[run->open++], piece.start, piece.end);
        } else {
            *start = piece.start;
            *end = piece.end;
            return true;
        }
    }
    return false;
}
