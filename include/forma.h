/* SPDX-License-Identifier: MIT
 *
 * forma: structured output for language models. Compile a form (a JSON Schema, a regular
 * expression) into a grammar, make a matcher for each sequence, and before every draw ask it which
 * tokens keep the text viable. The form is guaranteed, the content is not.
 *
 *     forma_vocabulary  the tokens as bytes; immutable, shared by threads
 *     forma_grammar     a compiled form; shared by threads (they take turns on its lock)
 *     forma_matcher     one sequence; one owner at a time
 *
 * Ownership: who makes an object frees it (NULL is fine); what is passed in is borrowed for the
 * call, except where a comment says that it must outlive another, and must not be NULL, except
 * where a comment says that it may be; what an object returns lives as long as the object. On
 * failure no argument has been consumed. Functions return a status (0 = OK) or a pointer (NULL =
 * failure) and describe the first failure in `err`, which may be NULL; on success it says FORMA_OK.
 * The library has no global state; it never prints, exits or aborts on input.
 */
#ifndef FORMA_H
#define FORMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FORMA_API __attribute__((visibility("default")))
#else
#define FORMA_API
#endif

#define FORMA_VERSION "0.1.0"

/* FORMA_VERSION of the library that is linked. Structs grow between versions 0.x: a program fits
 * when it is equal to that of its header. */
FORMA_API const char *forma_version(void);

/* ---- errors ------------------------------------------------------------------------------- */

#define FORMA_STATUS_MAP(X)                                                                        \
    X(FORMA_OK, "ok")                                                                              \
    X(FORMA_EINVAL, "invalid argument or option")                                                  \
    X(FORMA_ESCHEMA, "invalid schema")                                                             \
    X(FORMA_EUNSUPPORTED, "not supported")                                                         \
    X(FORMA_EUNSAT, "the schema has no value")                                                     \
    X(FORMA_ELIMIT, "a limit was reached")                                                         \
    X(FORMA_EMODEL, "invalid model or tokenizer file")                                             \
    X(FORMA_EREFUSED, "text or token not in the form")                                             \
    X(FORMA_EIO, "input/output failure")                                                           \
    X(FORMA_EMEMORY, "out of memory")                                                              \
    X(FORMA_ECANCELLED, "cancelled")                                                               \
    X(FORMA_EINTERNAL, "internal fault")

enum forma_status {
#define X(code, text) code,
    FORMA_STATUS_MAP(X)
#undef X
};

/* A short constant text. Never NULL. */
FORMA_API const char *forma_strstatus(enum forma_status status);

/* Where there is no such place: empty strings, zeros, offset = UINT64_MAX. */
struct forma_error {
    enum forma_status status;
    uint64_t offset;  /* bytes from the start of the text or file */
    size_t line;      /* from 1 */
    size_t column;    /* from 1, in bytes */
    bool has_pointer; /* then the empty pointer is the whole text, not the lack of a place */
    /* JSON pointer (URI#pointer in another document), tensor name or key; cut with "..." if longer */
    char pointer[256];
    char message[512]; /* one sentence: what is wrong; what to do. No place, no newline */
};

/* ---- options ------------------------------------------------------------------------------ */

/* `resize(ctx, ptr, old, new)`: malloc, realloc, free in one: ptr NULL = new block, new 0 = free.
 * `reserve(ctx, NULL, size)`: zeroed pages, best if they cost nothing until touched;
 * `reserve(ctx, ptr, size)`: give them back. Called on the threads that call the library; the
 * struct must outlive what was made with it. NULL for an allocator: malloc and mmap. */
struct forma_allocator {
    void *ctx;
    void *(*resize)(void *ctx, void *ptr, size_t old_size, size_t new_size);
    void *(*reserve)(void *ctx, void *ptr, size_t size);
};

/* What is reported while compiling, such as ignored keywords. Level 0 = warning, 1 = note. The
 * pointer is that of an error. Texts are borrowed for the call. */
typedef void (*forma_log_fn)(void *ctx, int level, const char *pointer, const char *message);

enum forma_keys { FORMA_KEYS_SCHEMA, FORMA_KEYS_ANY };
enum forma_blanks {
    FORMA_BLANKS_COMPACT,
    FORMA_BLANKS_NATURAL,
    FORMA_BLANKS_ANY,
    FORMA_BLANKS_PRETTY
};
enum forma_numbers { FORMA_NUMBERS_PLAIN, FORMA_NUMBERS_ANY };
enum forma_escapes { FORMA_ESCAPES_MINIMAL, FORMA_ESCAPES_ANY };

/* How a value may be written. Every style accepts only valid instances. */
struct forma_style {
    enum forma_keys keys;       /* members in the order in which the schema lists them, or any */
    enum forma_blanks blanks;   /* no white space, what common writers make, any, or in lines */
    unsigned pretty_indent;     /* spaces a level, for FORMA_BLANKS_PRETTY: 0 to 16 */
    enum forma_numbers numbers; /* without exponents and needless zeros, or any */
    enum forma_escapes escapes; /* only those that a string needs, or any */
};

enum forma_draft {
    FORMA_DRAFT_4 = 4,
    FORMA_DRAFT_6 = 6,
    FORMA_DRAFT_7 = 7,
    FORMA_DRAFT_2019_09 = 2019,
    FORMA_DRAFT_2020_12 = 2020
};

/* Is `format` a demand, or an annotation that only the log mentions? */
enum forma_formats { FORMA_FORMATS_ASSERT, FORMA_FORMATS_ANNOTATE };

/* OPENAPI_3_0: the schemas of OpenAPI 3.0, which are draft 4 with `nullable`; `draft` is ignored. */
enum forma_dialect { FORMA_DIALECT_JSON_SCHEMA, FORMA_DIALECT_OPENAPI_3_0 };

/* A document that `$ref` may reach; nothing is ever fetched. It is parsed when a reference needs
 * it. `uri` is absolute and without fragment; NULL: the document's own `$id` (or `id`) names it. */
struct forma_document {
    const char *uri;
    const char *text;
    size_t length;
};

struct forma_options {
    struct forma_style style;
    enum forma_draft draft;                 /* where $schema is silent */
    enum forma_dialect dialect;             /* default: JSON Schema */
    enum forma_formats formats;             /* default: assert */
    const struct forma_document *documents; /* borrowed for the call */
    size_t n_documents;
    size_t max_bytes;   /* of the form's text */
    size_t max_nesting; /* of the form's text, of patterns and of the output */
    size_t max_nodes;   /* schema objects, in the form and the documents that it reaches */
    size_t max_states;  /* open values, arrays and objects that a grammar may tell apart */
    size_t max_memory;  /* bytes a grammar may carve, states and search included */
    size_t max_work;    /* search steps for one question of satisfiability */
    unsigned max_compile_ms;
    const struct forma_allocator *allocator; /* NULL = malloc and mmap */
    forma_log_fn log;                        /* NULL = silent */
    void *log_ctx;
    bool report_parts; /* log, as warnings, the parts of the form that no value can satisfy */
    /* For the masks of its matchers; must outlive the grammar. NULL: each matcher has its own. */
    struct forma_cache *cache;
};

/* Keys schema, blanks natural, numbers plain, escapes minimal, draft 2020-12; limits as
 * docs/limits.md lists them. Always begin with it: a struct of zeros is refused. */
FORMA_API void forma_options_init(struct forma_options *options);

/* keys any, blanks any, numbers any, escapes any. */
FORMA_API struct forma_style forma_style_exact(void);

/* ---- vocabulary --------------------------------------------------------------------------- */

struct forma_vocabulary;

/* Tokens by id, as the bytes that they add to the text, not as a tokenizer spells them. `bytes[i]`
 * has `lengths[i]` bytes; `control[i]` marks tokens that are never text (may be NULL: none; those
 * of length 0 are control, too). `eos` lists the tokens that end a sequence, also control tokens;
 * where there are none, ask forma_matcher_is_finished. Everything is copied. */
FORMA_API struct forma_vocabulary *
forma_vocabulary_from_bytes(const unsigned char *const *bytes, const size_t *lengths,
                            const bool *control, size_t n_tokens, const uint32_t *eos, size_t n_eos,
                            const struct forma_allocator *allocator, struct forma_error *err);

/* From the tokenizer keys of a GGUF file or from a Hugging Face tokenizer.json, told apart by
 * the content. */
FORMA_API struct forma_vocabulary *forma_vocabulary_open(const char *path,
                                                         const struct forma_allocator *allocator,
                                                         struct forma_error *err);

/* The same, but the tokens that end a sequence are those of `ends`, each a token as the file spells
 * it or its id in digits, instead of those that the file or their names tell. */
FORMA_API struct forma_vocabulary *
forma_vocabulary_open_with_ends(const char *path, const char *const *ends, size_t n_ends,
                                const struct forma_allocator *allocator, struct forma_error *err);

FORMA_API size_t forma_vocabulary_size(const struct forma_vocabulary *v);
/* Bytes of token `id`, or NULL for a control token or an id out of range. `length` may be NULL. */
FORMA_API const unsigned char *forma_vocabulary_bytes(const struct forma_vocabulary *v, uint32_t id,
                                                      size_t *length);
FORMA_API bool forma_vocabulary_is_eos(const struct forma_vocabulary *v, uint32_t id);
/* 256 flags: byte b can be written, because some token is that byte alone. */
FORMA_API const bool *forma_vocabulary_alphabet(const struct forma_vocabulary *v);
FORMA_API void forma_vocabulary_free(struct forma_vocabulary *v);

/* ---- what grammars and threads share --------------------------------------------------------- */

/* The masks of any number of grammars (forma_options.cache), on any threads, in a budget of bytes;
 * when it is used up all are dropped. The vocabulary must outlive the cache; matchers with another
 * one, or none, do not use it. */
struct forma_cache;
FORMA_API struct forma_cache *forma_cache_new(const struct forma_vocabulary *vocabulary,
                                              size_t budget_bytes,
                                              const struct forma_allocator *allocator,
                                              struct forma_error *err);
FORMA_API size_t forma_cache_memory(struct forma_cache *c); /* bytes in use */
FORMA_API void forma_cache_free(struct forma_cache *c);

/* Threads for forma_matcher_masks: n with the caller (1 to 64). One owner at a time. */
struct forma_threads;
FORMA_API struct forma_threads *
forma_threads_new(unsigned n, const struct forma_allocator *allocator, struct forma_error *err);
FORMA_API void forma_threads_free(struct forma_threads *t);

/* ---- grammar ------------------------------------------------------------------------------ */

struct forma_grammar;

/* Compiles a JSON Schema, UTF-8 of `length` bytes. `vocabulary` is that of the masks to come: bytes
 * that no token spells leave the alphabet before anything is decided, so that masks lead to no dead
 * end. NULL, where no masks are made: every byte can be written. `options` may be NULL (the
 * defaults). Fails with FORMA_EUNSAT when no value satisfies the schema. */
FORMA_API struct forma_grammar *
forma_grammar_from_json_schema(const char *text, size_t length,
                               const struct forma_vocabulary *vocabulary,
                               const struct forma_options *options, struct forma_error *err);
/* The texts that a regular expression matches from end to end: raw UTF-8, no JSON. ECMA-262 as with
 * the `u` flag (what else is taken: docs/schemas.md); styles, drafts and documents are not looked
 * at. err->offset is a byte of the pattern. Otherwise as above. */
FORMA_API struct forma_grammar *forma_grammar_from_regex(const char *pattern, size_t length,
                                                         const struct forma_vocabulary *vocabulary,
                                                         const struct forma_options *options,
                                                         struct forma_error *err);
/* Bytes carved so far: the form, its states and its search results. */
FORMA_API size_t forma_grammar_memory(const struct forma_grammar *g);
/* Every matcher of the grammar must be gone. */
FORMA_API void forma_grammar_free(struct forma_grammar *g);

/* ---- what a schema says ---------------------------------------------------------------------- */

/* What becomes of a keyword where it stands in a schema. */
#define FORMA_RULE_MAP(X)                                                                          \
    X(FORMA_RULE_ENFORCED, "enforced")     /* every text of the form meets it */                   \
    X(FORMA_RULE_STRUCTURE, "structure")   /* names or holds schemas; restricts nothing itself */  \
    X(FORMA_RULE_ANNOTATION, "annotation") /* restricts nothing */                                 \
    X(FORMA_RULE_IGNORED, "ignored")       /* a keyword that has no effect at this place */        \
    X(FORMA_RULE_UNKNOWN, "unknown")       /* no keyword of any draft */                           \
    X(FORMA_RULE_UNUSED, "unused")         /* in a schema that nothing leads to */                 \
    X(FORMA_RULE_REFUSED, "refused")       /* why the schema does not compile */                   \
    X(FORMA_RULE_NEVER, "never")           /* no value satisfies this part, or this keyword */

enum forma_rule_status {
#define X(code, text) code,
    FORMA_RULE_MAP(X)
#undef X
        FORMA_RULE_COUNT
};

struct forma_rule {
    const char *pointer; /* of the schema object; URI#pointer in another document */
    const char *keyword; /* the member; empty: the rule is about the whole schema object */
    enum forma_rule_status status;
    const char *reason; /* a phrase; before a refusal of a part of the value, its place */
};
typedef void (*forma_rule_fn)(void *ctx, const struct forma_rule *rule); /* texts: for the call */

/* The text of FORMA_RULE_MAP. Never NULL. */
FORMA_API const char *forma_strrule(enum forma_rule_status status);

/* Compiles a JSON Schema, keeps nothing, and tells what becomes of every member of every schema
 * object in its text and in the documents that it reaches: once, in the order of the text, but once
 * for each refusal. Parts without a value are told as far as max_compile_ms goes. Returns what the
 * compile does, with its error; where that is about no keyword (no JSON, too large) `fn` is not
 * called. *draft (may be NULL) becomes that of the root, such as "2020-12": a constant. */
FORMA_API enum forma_status forma_explain_json_schema(const char *text, size_t length,
                                                      const struct forma_options *options,
                                                      forma_rule_fn fn, void *ctx,
                                                      const char **draft, struct forma_error *err);

/* ---- matcher ------------------------------------------------------------------------------ */

struct forma_matcher;

/* The option to raise: max_work, max_nesting, max_memory; FIXED: none, it is built in. */
enum forma_limit {
    FORMA_LIMIT_WORK = 1,
    FORMA_LIMIT_NESTING = 2,
    FORMA_LIMIT_MEMORY = 4,
    FORMA_LIMIT_FIXED = 8
};

struct forma_matcher_options {
    size_t mask_cache_bytes; /* budget of cached masks; 0 = none. Not with forma_options.cache */
    size_t max_rollback;     /* tokens that can be taken back */
    const struct forma_allocator *allocator;
};
FORMA_API void forma_matcher_options_init(struct forma_matcher_options *options);

/* A matcher at the start of a text. `vocabulary` may be NULL (then only bytes can be fed), so may
 * `options` (the defaults); grammar and vocabulary must outlive the matcher. All of its memory is
 * reserved here: mask, accept and rollback allocate nothing, but perhaps the words of an error
 * (growth of the grammar carves memory that it reserved when it was made). */
FORMA_API struct forma_matcher *forma_matcher_new(struct forma_grammar *grammar,
                                                  const struct forma_vocabulary *vocabulary,
                                                  const struct forma_matcher_options *options,
                                                  struct forma_error *err);

/* int32 words that a mask of the vocabulary needs: ceil(size / 32). */
FORMA_API size_t forma_matcher_mask_words(const struct forma_matcher *m);

/* Sets bit t%32 of word t/32 for every token t that keeps the text viable, and of the end tokens
 * iff the text is complete; clears all others. `words` may be more than needed (logits wider than
 * the vocabulary): the rest is cleared. Some token is always allowed, but after an end token, or
 * where only the end may come and the vocabulary has no token for it; FORMA_EINVAL if there is none
 * because the grammar was not compiled with this vocabulary. Cost: a walk of the token trie the
 * first time in a state, a copy later. */
FORMA_API enum forma_status forma_matcher_mask(struct forma_matcher *m, int32_t *row, size_t words,
                                               struct forma_error *err);

/* The masks of n different matchers: that of matchers[i] in `words` words from rows + i * words on.
 * `threads` may be NULL. Matchers of one grammar take turns at masks that no cache knows. On failure
 * the status, and err, of the first matcher that failed; the rows of the others are right. */
FORMA_API enum forma_status forma_matcher_masks(struct forma_matcher *const *matchers, size_t n,
                                                int32_t *rows, size_t words,
                                                struct forma_threads *threads,
                                                struct forma_error *err);

/* Masks along a draft: row 0 is the mask here, row i that behind tokens[0 .. i), up to the first
 * token that may not come: *n_viable of them may, and *n_viable + 1 rows are written; `rows` has
 * room for n + 1. The matcher does not move. */
FORMA_API enum forma_status forma_matcher_draft_masks(struct forma_matcher *m,
                                                      const uint32_t *tokens, size_t n,
                                                      int32_t *rows, size_t words, size_t *n_viable,
                                                      struct forma_error *err);

/* Appends a token (FORMA_EREFUSED, and no change, if the text would not be viable). An end token
 * is accepted iff the text is complete; after it nothing is. */
FORMA_API enum forma_status forma_matcher_accept(struct forma_matcher *m, uint32_t token,
                                                 struct forma_error *err);

/* Appends bytes as one step of rollback. On FORMA_EREFUSED nothing changes and err->offset is the
 * index of the refused byte. */
FORMA_API enum forma_status forma_matcher_accept_bytes(struct forma_matcher *m,
                                                       const unsigned char *bytes, size_t length,
                                                       struct forma_error *err);

/* May the text end here? (Also true once it has.) */
FORMA_API bool forma_matcher_accepts_end(struct forma_matcher *m);
/* Is the end the only thing that may come (no byte keeps the text viable)? */
FORMA_API bool forma_matcher_is_finished(struct forma_matcher *m);
/* True if a search limit made the last mask or step stricter than the form. */
FORMA_API bool forma_matcher_narrowed(const struct forma_matcher *m);
/* Which limits those were, as bits of enum forma_limit; 0 if none. */
FORMA_API unsigned forma_matcher_narrowed_by(const struct forma_matcher *m);
/* The options to raise, such as "max_work and max_nesting"; empty where there is none. Constant. */
FORMA_API const char *forma_strlimits(unsigned limits);

/* Takes back the last n accepted steps: n at most max_rollback and what was accepted. */
FORMA_API enum forma_status forma_matcher_rollback(struct forma_matcher *m, size_t n,
                                                   struct forma_error *err);
/* Back to the start, for another sequence; cached masks are kept. */
FORMA_API void forma_matcher_reset(struct forma_matcher *m);
/* An independent matcher at the same place, with the same history. */
FORMA_API struct forma_matcher *forma_matcher_copy(const struct forma_matcher *m,
                                                   struct forma_error *err);

/* Some text that completes the form from here, into `out`, not terminated. Returns its length (0
 * where the text may end), or SIZE_MAX when it is longer than `capacity` (then `out` holds its
 * beginning). The matcher does not move. */
FORMA_API size_t forma_matcher_completion(struct forma_matcher *m, unsigned char *out,
                                          size_t capacity);

/* The bytes that must come: as long as one byte only is viable and the text may not end, at most
 * `capacity`; none that only a search limit forces. The matcher does not move. */
FORMA_API size_t forma_matcher_forced_text(struct forma_matcher *m, unsigned char *out,
                                           size_t capacity);
/* Cuts a text into tokens. Returns how many it wrote to `ids`; 0: it cannot. */
typedef size_t (*forma_encode_fn)(void *ctx, const unsigned char *text, size_t length,
                                  uint32_t *ids, size_t capacity);
/* Tokens of that text (of its first 4096 bytes) that can be accepted without asking a model: as `encode`
 * cuts it (NULL: the longest token each time), without those at its end in place of which the form
 * lets a token come that goes on behind it. Where a mask has one token only, that is forced, too.
 * Returns how many, 0 where the model has a choice. The matcher does not move. Costs a step for each
 * byte value and place, seldom a mask. */
FORMA_API size_t forma_matcher_forced_tokens(struct forma_matcher *m, forma_encode_fn encode,
                                             void *ctx, uint32_t *ids, size_t capacity);

/* A plan: tokens that complete the text, without an end token; the fewest for what
 * forma_matcher_completion writes or, with max_work, for a shortest text, where that takes fewer; the
 * search for it looks at so many states at most, and allocates. Returns how many (`capacity` of them
 * are written), 0 where the text may end, SIZE_MAX: none is known of at most 64 KiB and 16 bytes for
 * each that there is room for (nor of more than 1 MiB). The matcher does not move. */
FORMA_API size_t forma_matcher_plan(struct forma_matcher *m, uint64_t max_work, uint32_t *ids,
                                    size_t capacity);
/* May `token` come here, and is there a plan behind it (of at most 256 bytes and 16 for each token of
 * the budget), both together of at most `budget` tokens? Then `plan` (room for `budget` ids; may be
 * NULL, with n_plan) becomes that plan. True of an end token where the text may end. What does not fit
 * is struck out of the mask and another token drawn. Costs a step and a completion. */
FORMA_API bool forma_matcher_fits(struct forma_matcher *m, uint32_t token, size_t budget,
                                  uint32_t *plan, size_t *n_plan);

/* What is expected here, in words, with the pointer of the rule; cut to `capacity`, terminated. */
FORMA_API void forma_matcher_describe(struct forma_matcher *m, char *out, size_t capacity);

/* One thing that may come next, or one that may not though a reader would look for it here. All of
 * it is borrowed for the call. */
struct forma_next {
    bool possible;
    const char *what;   /* in words: the member "id" */
    const char *why;    /* of what is not possible, in words; may be empty */
    const char *before; /* what must be written first: a comma, white space; may be empty */
    size_t n_before;
    const char *text; /* how it is written, as far as one can say; may hold any byte */
    size_t length;
    /* Bit b%32 of word b/32: it begins with byte b. None: the end of the text. With `before`, what is
     * possible covers the bytes that may come, and no others. */
    uint32_t first[8];
    /* Possible: the keywords that speak of it, as JSON pointers (URI#pointer in another document).
     * Not possible: it could come without any one of these keywords or, `together`, without all of
     * them and not without fewer; "--keys schema" and the like name a choice of style. */
    const char *const *rules;
    size_t n_rules;
    bool together;
};
typedef void (*forma_next_fn)(void *ctx, const struct forma_next *next);

/* Visits what may come next, without rules. The matcher does not move. `fn` runs under the lock of
 * the grammar: it must not call what asks that. */
FORMA_API enum forma_status forma_matcher_next(struct forma_matcher *m, forma_next_fn fn, void *ctx,
                                               struct forma_error *err);

/* The same behind `text` in the form of a schema (as for forma_grammar_from_json_schema), with
 * rules. What blocks a thing is found by compiling the schema again without some keywords and
 * asking anew; max_compile_ms bounds that, and where it ends things have no rules. A text that the
 * form refuses is FORMA_EREFUSED, err->offset its first byte that does not fit; visited then: that
 * byte, which is not possible, and what could have stood there. */
FORMA_API enum forma_status forma_explain_text(const char *schema, size_t schema_length,
                                               const struct forma_vocabulary *vocabulary,
                                               const struct forma_options *options,
                                               const char *text, size_t length, forma_next_fn fn,
                                               void *ctx, struct forma_error *err);

/* A drawing for Graphviz, in pieces of text. REGION: the byte automaton of the string, number, name,
 * literal or white space that is being read, at most max_states states (0: 200). GOAL: what the
 * open value must still meet. */
enum forma_drawing { FORMA_DRAW_REGION, FORMA_DRAW_GOAL };
typedef void (*forma_write_fn)(void *ctx, const char *text, size_t length);
FORMA_API enum forma_status forma_matcher_draw(struct forma_matcher *m, enum forma_drawing what,
                                               size_t max_states, forma_write_fn write, void *ctx,
                                               struct forma_error *err);

FORMA_API void forma_matcher_free(struct forma_matcher *m);

#ifdef __cplusplus
}
#endif

#endif
