/* SPDX-License-Identifier: MIT
 *
 * The patterns run anchored, from the end of one piece to the next. Each is written so that a run
 * of equal characters costs linear time: the greedy class takes the run at once, and the
 * look-ahead after blanks gives back at most one character.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "runtime/pretokenizer.h"

#include <pcre2.h>
#include <string.h>

#include "base/error.h"

/* White_Space of Unicode, as the inside of a class. */
#define BLANK                                                                                      \
    "\\x{9}-\\x{D}\\x{20}\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}"             \
    "\\x{202F}\\x{205F}\\x{3000}"
#define OTHER "[^" BLANK "\\p{L}\\p{N}]"

/* GPT-2: contractions; letters, numbers or signs, each with one space before; blanks, of which the
 * last stays for what follows. */
#define GPT2_WORDS "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+"
#define GPT2       GPT2_WORDS "| ?\\p{N}+| ?" OTHER "+|[" BLANK "]+(?![^" BLANK "])|[" BLANK "]+"

/* Every numeric character is isolated first and the rest is split by GPT-2's rule: a digit ends
 * the text as far as the look-ahead can see. */
#define SMOLLM "\\p{N}|" GPT2_WORDS "| ?" OTHER "+|[" BLANK "]+(?![^" BLANK "\\p{N}])|[" BLANK "]+"

#define LLAMA3_WITH(digits)                                                                        \
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" digits "| ?" OTHER               \
    "+[\\r\\n]*|[" BLANK "]*[\\r\\n]+|[" BLANK "]+(?![^" BLANK "])|[" BLANK "]+"

static const struct pretokenizer_rule rules[] = {
    {"smollm starcoder refact command-r codeshell exaone minerva-7b minerva", SMOLLM, false, false},
    {"gpt-2 phi-2 mpt olmo jina-es jina-de jina-v2-es jina-v2-de gigachat", GPT2, false, false},
    {"llama-bpe llama3 llama-v3 falcon3 pixtral lfm2", LLAMA3_WITH("\\p{N}{1,3}"), true, true},
    {"dbrx smaug-bpe", LLAMA3_WITH("\\p{N}{1,3}"), false, false},
    {"qwen2 deepseek-r1-qwen stablelm2 megrez grok-2", LLAMA3_WITH("\\p{N}"), false, false},
};

const struct pretokenizer_rule *pretokenizer_find_rule(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (const char *p = rules[i].names; *p;) {
            size_t n = strcspn(p, " ");
            if (n == length && memcmp(p, name, n) == 0) return &rules[i];
            p += n + (p[n] == ' ');
        }
    return NULL;
}

struct pretokenizer {
    const struct forma_allocator *allocator;
    pcre2_general_context *general;
    pcre2_match_context *match;
    pcre2_code *code;
};

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

struct pretokenizer *pretokenizer_new(const struct pretokenizer_rule *rule,
                                      const struct forma_allocator *allocator,
                                      struct forma_error *err) {
    allocator = fa_allocator_or_default(allocator);
    struct pretokenizer *p = fa_alloc_zero(allocator, sizeof *p);
    if (!p) goto no_memory;
    p->allocator = allocator;
    p->general = pcre2_general_context_create(pcre2_alloc, pcre2_release, p);
    if (!p->general) goto no_memory;
    pcre2_compile_context *compile = pcre2_compile_context_create(p->general);
    if (!compile) goto no_memory;
    int code = 0;
    PCRE2_SIZE offset = 0;
    p->code = pcre2_compile((PCRE2_SPTR)rule->pattern, PCRE2_ZERO_TERMINATED,
                            PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED, &code, &offset, compile);
    pcre2_compile_context_free(compile);
    if (!p->code) {
        if (code == PCRE2_ERROR_HEAP_FAILED) goto no_memory;
        error_set(err, FORMA_EINTERNAL, "PCRE2 refuses a splitting pattern at %zu (error %d)",
                  offset, code);
        goto fail;
    }
    p->match = pcre2_match_context_create(p->general);
    if (!p->match) goto no_memory;
    /* The patterns are ours and linear; the limits would only cut off long runs. */
    pcre2_set_match_limit(p->match, UINT32_MAX);
    pcre2_set_depth_limit(p->match, UINT32_MAX);
    /* Where executable memory is refused the interpreter gives the same pieces. */
    (void)pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
    return p;

no_memory:
    error_set(err, FORMA_EMEMORY, "no memory for the pre-tokenizer");
fail:
    pretokenizer_free(p);
    return NULL;
}

void pretokenizer_free(struct pretokenizer *p) {
    if (!p) return;
    pcre2_match_context_free(p->match);
    pcre2_code_free(p->code);
    pcre2_general_context_free(p->general);
    fa_free(p->allocator, p, sizeof *p);
}

bool pretokenizer_begin(const struct pretokenizer *p, struct pretokenizer_run *run) {
    run->match_data = pcre2_match_data_create(1, p->general);
    return run->match_data != NULL;
}

void pretokenizer_end(struct pretokenizer_run *run) {
    pcre2_match_data_free(run->match_data);
    run->match_data = NULL;
}

enum forma_status pretokenizer_next(const struct pretokenizer *p, struct pretokenizer_run *run,
                                    const char *text, size_t length, size_t start, size_t *end,
                                    struct forma_error *err) {
    pcre2_match_data *data = run->match_data;
    uint32_t flags = PCRE2_NO_UTF_CHECK;
    int found = pcre2_match(p->code, (PCRE2_SPTR)text, length, start, flags, data, p->match);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT)
        found = pcre2_match(p->code, (PCRE2_SPTR)text, length, start, flags | PCRE2_NO_JIT, data,
                            p->match);
    if (found == PCRE2_ERROR_NOMEMORY || found == PCRE2_ERROR_HEAPLIMIT)
        return error_set(err, FORMA_EMEMORY, "no memory to split the text");
    const PCRE2_SIZE *bounds = pcre2_get_ovector_pointer(data);
    if (found < 0 || bounds[0] != start || bounds[1] <= start)
        return error_at_offset(err, FORMA_EINTERNAL, start, "the splitting pattern stops here (%d)",
                               found);
    *end = bounds[1];
    return FORMA_OK;
}
