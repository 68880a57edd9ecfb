/* SPDX-License-Identifier: MIT
 *
 * The tokenizer against fixed vectors of another implementation, a quadratic reference of the
 * merges, damaged files built in memory, and failing memory.
 */
#include <cjson/cJSON.h>

#include "base/error.h"
#include "runtime/bpe.h"
#include "runtime/pretokenizer.h"
#include "runtime/tokenizer.h"
#include "tests/test.h"

#define TINY "fixtures/models/f16-mha.gguf"
#define REAL "models/SmolLM2-135M-Instruct.Q4_1.gguf"

/* ---- fixed vectors ------------------------------------------------------------------------ */

static void check_ids(const struct tokenizer *t, const char *line, const cJSON *row) {
    const char *text = cJSON_GetObjectItem(row, "text")->valuestring;
    const cJSON *ids = cJSON_GetObjectItem(row, "ids");
    struct token_list out = {0};
    bool same = tokenizer_encode(t, text, strlen(text), false, &out, NULL) == FORMA_OK &&
                out.count == (size_t)cJSON_GetArraySize(ids);
    size_t i = 0;
    for (const cJSON *id = ids->child; same && id; id = id->next)
        same = out.ids[i++] == (uint32_t)id->valuedouble;
    if (!CHECK(same)) fprintf(stderr, "  %s", line);
    token_list_destroy(&out);
}

static void check_pieces(const char *line, const cJSON *row) {
    const char *name = cJSON_GetObjectItem(row, "pre")->valuestring;
    const char *text = cJSON_GetObjectItem(row, "text")->valuestring;
    const struct pretokenizer_rule *rule = pretokenizer_find_rule(name, strlen(name));
    if (!CHECK(rule != NULL)) return;
    struct pretokenizer *p = pretokenizer_new(rule, NULL, NULL);
    struct pretokenizer_run run;
    bool same = pretokenizer_begin(p, &run);
    size_t start, end = 0, at = 0;
    pretokenizer_start(&run, text, strlen(text), NULL);
    for (const cJSON *c = cJSON_GetObjectItem(row, "pieces")->child; same && c; c = c->next) {
        same = pretokenizer_next(&run, &start, &end) && start == at &&
               end - start == strlen(c->valuestring) &&
               memcmp(text + start, c->valuestring, end - start) == 0;
        at = end;
    }
    same = same && !pretokenizer_next(&run, &start, &end) && run.status == FORMA_OK;
    if (!CHECK(same && at == strlen(text))) fprintf(stderr, "  %s", line);
    pretokenizer_end(&run);
    pretokenizer_free(p);
}

static void test_vectors(const struct tokenizer *t, const char *path) {
    FILE *file = fopen(path, "r");
    if (!CHECK(file != NULL)) return;
    char *line = NULL;
    size_t capacity = 0, n = 0;
    for (; getline(&line, &capacity, file) > 0; n++) {
        cJSON *row = cJSON_Parse(line);
        if (!CHECK(row != NULL)) continue;
        if (t)
            check_ids(t, line, row);
        else
            check_pieces(line, row);
        cJSON_Delete(row);
    }
    CHECK(n > 100);
    free(line);
    fclose(file);
}

/* ---- a GGUF file in memory ---------------------------------------------------------------- */

struct file {
    unsigned char bytes[16384];
    size_t n, n_keys;
};

static void put(struct file *f, const void *data, size_t n) {
    if (f->n + n > sizeof f->bytes) abort();
    memcpy(f->bytes + f->n, data, n);
    f->n += n;
}
static void put_u32(struct file *f, uint32_t x) {
    put(f, &x, 4);
}
static void put_u64(struct file *f, uint64_t x) {
    put(f, &x, 8);
}
static void put_string(struct file *f, const char *s) {
    put_u64(f, strlen(s));
    put(f, s, strlen(s));
}
static void put_key(struct file *f, const char *key, uint32_t type) {
    put_string(f, key);
    put_u32(f, type);
    f->n_keys++;
}
static void put_strings(struct file *f, const char *key, const char *const *list) {
    size_t n = 0;
    while (list[n]) n++;
    put_key(f, key, GGUF_ARRAY);
    put_u32(f, GGUF_STRING);
    put_u64(f, n);
    for (size_t i = 0; i < n; i++) put_string(f, list[i]);
}

/* What the built files hold; NULL and -1 leave a key out. */
struct plan {
    const char *model, *pre;
    const char *tokens[16], *merges[16];
    const int types[16]; /* 0 ends; first 0: no such key */
    long eos, bos, add_bos;
};

static void build(struct file *f, const struct plan *p) {
    memset(f, 0, sizeof *f);
    put(f, "GGUF", 4);
    put_u32(f, 3);
    put_u64(f, 0);
    put_u64(f, 0);
    if (p->model) {
        put_key(f, "tokenizer.ggml.model", GGUF_STRING);
        put_string(f, p->model);
    }
    if (p->pre) {
        put_key(f, "tokenizer.ggml.pre", GGUF_STRING);
        put_string(f, p->pre);
    }
    if (p->tokens[0]) put_strings(f, "tokenizer.ggml.tokens", p->tokens);
    put_strings(f, "tokenizer.ggml.merges", p->merges);
    if (p->types[0]) {
        uint32_t n = 0;
        while (p->types[n]) n++;
        put_key(f, "tokenizer.ggml.token_type", GGUF_ARRAY);
        put_u32(f, GGUF_I32);
        put_u64(f, n);
        for (uint32_t i = 0; i < n; i++) put_u32(f, (uint32_t)p->types[i]);
    }
    if (p->eos >= 0) {
        put_key(f, "tokenizer.ggml.eos_token_id", GGUF_U32);
        put_u32(f, (uint32_t)p->eos);
    }
    if (p->bos >= 0) {
        put_key(f, "tokenizer.ggml.bos_token_id", GGUF_U32);
        put_u32(f, (uint32_t)p->bos);
    }
    if (p->add_bos >= 0) {
        put_key(f, "tokenizer.ggml.add_bos_token", GGUF_BOOL);
        put(f, p->add_bos ? "\1" : "\0", 1);
    }
    uint64_t n_keys = f->n_keys;
    memcpy(f->bytes + 16, &n_keys, 8);
}

static void test_refused(void) {
    static const struct {
        const char *message; /* a part of it; NULL: opens */
        struct plan plan;
    } cases[] = {
        {NULL, {"gpt2", "smollm", {"a", "b", "ab"}, {"a b"}, {1, 1, 1}, -1, -1, -1}},
        {NULL, {"gpt2", "smollm", {"a", "", "", "b"}, {NULL}, {0}, 1, -1, -1}},
        {NULL, {"gpt2", "qwen2", {"a"}, {NULL}, {0}, -1, -1, 0}},
        {"holds no tokenizer", {NULL, "smollm", {"a"}, {NULL}, {0}, -1, -1, -1}},
        {"\"llama\" are not", {"llama", "default", {"a"}, {NULL}, {0}, -1, -1, -1}},
        {"\"t5\"", {"t5", NULL, {"a"}, {NULL}, {0}, -1, -1, -1}},
        {"\"tekken\"", {"gpt2", "tekken", {"a"}, {NULL}, {0}, -1, -1, -1}},
        {"\"gpt\"", {"gpt2", "gpt", {"a"}, {NULL}, {0}, -1, -1, -1}},
        {"how text is split", {"gpt2", NULL, {"a"}, {NULL}, {0}, -1, -1, -1}},
        {"not a list", {"gpt2", "smollm", {NULL}, {NULL}, {0}, -1, -1, -1}},
        {"tokens 0 and 2 are both spelled \"a\"",
         {"gpt2", "smollm", {"a", "b", "a"}, {NULL}, {0}, -1, -1, -1}},
        {"2 types for 3", {"gpt2", "smollm", {"a", "b", "c"}, {NULL}, {1, 1}, -1, -1, -1}},
        {"has the type 9", {"gpt2", "smollm", {"a", "b"}, {NULL}, {1, 9}, -1, -1, -1}},
        {"byte token", {"gpt2", "smollm", {"a", "<0x00>"}, {NULL}, {1, 6}, -1, -1, -1}},
        {"its right side is no token", {"gpt2", "smollm", {"a"}, {"a b"}, {0}, -1, -1, -1}},
        {"its left side is no", {"gpt2", "smollm", {"b"}, {"a b"}, {0}, -1, -1, -1}},
        {"its result is no", {"gpt2", "smollm", {"a", "b"}, {"a b"}, {0}, -1, -1, -1}},
        {"merge 0 \"ab\" is not two",
         {"gpt2", "smollm", {"a", "b", "ab"}, {"ab"}, {0}, -1, -1, -1}},
        {"is not two", {"gpt2", "smollm", {"a", "b", "ab"}, {"a b "}, {0}, -1, -1, -1}},
        {"is not two", {"gpt2", "smollm", {"a", "b", "ab"}, {" a"}, {0}, -1, -1, -1}},
        {"merge 1 \"a b\" is there twice",
         {"gpt2", "smollm", {"a", "b", "ab"}, {"a b", "a b"}, {0}, -1, -1, -1}},
        {"its result is a control token",
         {"gpt2", "smollm", {"a", "b", "ab"}, {"a b"}, {1, 1, 3}, -1, -1, -1}},
        {"token 7 is outside", {"gpt2", "smollm", {"a"}, {NULL}, {0}, 7, -1, -1}},
        {"outside", {"gpt2", "smollm", {"a"}, {NULL}, {0}, -1, 1, -1}},
        {"should begin", {"gpt2", "smollm", {"a"}, {NULL}, {0}, -1, -1, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct file f;
        build(&f, &cases[i].plan);
        struct forma_error err;
        struct gguf *g = gguf_open_memory(f.bytes, f.n, NULL, &err);
        if (!CHECK(g != NULL)) {
            fprintf(stderr, "  case %zu: %s\n", i, err.message);
            continue;
        }
        error_clear(&err);
        struct tokenizer *t = tokenizer_open(g, NULL, &err);
        bool right = cases[i].message ? !t && strstr(err.message, cases[i].message) : t != NULL;
        if (!CHECK(right)) fprintf(stderr, "  case %zu: %s\n", i, err.message);
        tokenizer_free(t);
        gguf_close(g);
    }
}

/* ---- special tokens, odd bytes, ends ------------------------------------------------------ */

static void test_encode_is(const struct tokenizer *t, const char *text, size_t length, bool special,
                           const char *want) {
    char got[256] = "";
    struct token_list out = {0};
    struct forma_error err;
    if (tokenizer_encode(t, text, length, special, &out, &err))
        snprintf(got, sizeof got, "%s at %llu", forma_strstatus(err.status),
                 (unsigned long long)err.offset);
    for (size_t i = 0, n = 0; i < out.count; i++)
        n += (size_t)snprintf(got + n, sizeof got - n, i ? " %u" : "%u", out.ids[i]);
    CHECK_STR(got, want);
    token_list_destroy(&out);
}

static void test_special(void) {
    static const struct plan plan = {
        "gpt2",
        "llama-bpe",
        /* 0    1    2     3      4        5       6       7       8      9            10 */
        {"a", "b", "ab", "<", "<s>", "<s><t>", "<u>", "abb", "\xC3\xBF", "</s>", "\xC4\xA0"},
        {"a b"},
        {1, 1, 1, 1, 3, 3, 4, 1, 1, 3, 1},
        9,
        4,
        -1};
    struct file f;
    build(&f, &plan);
    struct gguf *g = gguf_open_memory(f.bytes, f.n, NULL, NULL);
    struct tokenizer *t = tokenizer_open(g, NULL, NULL);
    if (!CHECK(t != NULL)) return;
    test_encode_is(t, "", 0, true, "");
    test_encode_is(t, "<s>ab", 5, true, "4 2");
    test_encode_is(t, "<s><t>", 6, true, "5");  /* the longest */
    test_encode_is(t, "<s><t", 5, true, "4 3"); /* 't' has no token: left out */
    test_encode_is(t, "a<u>b<s>", 8, true, "0 6 1 4");
    test_encode_is(t, "<<s>", 4, true, "3 4");
    test_encode_is(t, "<s>", 3, false, "3"); /* never in the user's text */
    test_encode_is(t, "<u>", 3, false, "3");
    test_encode_is(t, "abb", 3, false, "7");      /* a whole token without a merge */
    test_encode_is(t, "abba", 4, false, "2 1 0"); /* but only as the whole piece */
    test_encode_is(t,
                   "a\xFF"
                   "b",
                   3, false, "0 8 1");
    test_encode_is(t, "ab\xC3", 3, false, "invalid argument or option at 2");
    test_encode_is(t, "<s>a\xF0\x9F", 6, true, "invalid argument or option at 4");
    test_encode_is(t, "a\0b", 3, false, "0 1");

    struct token_list out = {0};
    token_list_push(&out, 77);
    CHECK_INT(tokenizer_encode(t, "x\xC3\xA9z", 4, false, &out, NULL), FORMA_OK);
    CHECK_INT(out.n_dropped, 4);
    CHECK_INT(tokenizer_encode(t, "abz\xFE", 4, false, &out, NULL), FORMA_EINVAL);
    CHECK_INT(out.n_dropped, 4); /* as it was */
    CHECK_INT(out.count, 1);
    static const struct text_span spans[] = {{"a<s>", 4, true}, {"b", 1, false}, {"\xFE", 1, true}};
    struct forma_error err;
    CHECK_INT(tokenizer_encode_spans(t, spans, 3, &out, &err), FORMA_EINVAL);
    CHECK_INT(err.offset, 5);
    token_list_destroy(&out);

    size_t n;
    CHECK_INT(tokenizer_bos(t), 4);
    CHECK(tokenizer_adds_bos(t)); /* the habit of this family, as the file is silent */
    CHECK_INT(tokenizer_eos(t, &n)[0], 9);
    CHECK_INT(n, 1);
    CHECK(tokenizer_is_control(t, 5) && !tokenizer_is_control(t, 6));
    CHECK(!tokenizer_is_control(t, 99) && !tokenizer_bytes(t, 99, &n));
    CHECK(tokenizer_bytes(t, 4, &n) && n == 0);
    CHECK(tokenizer_bytes(t, 8, &n)[0] == 0xFF && n == 1);
    CHECK_INT(tokenizer_piece(t, 8).length, 2);
    CHECK_INT(tokenizer_size(t), 11);
    tokenizer_free(t);
    gguf_close(g);
}

/* Parts: merges go over the seams, special tokens do not. */
static void test_spans(const struct tokenizer *t) {
    static const struct text_span spans[] = {
        {"<|im_start|>", 12, true},
        {"us", 2, false},
        {"er", 2, true},
        {"<|im_", 5, true},
        {"end|>", 5, true},
        {"<|im_end|>", 10, false},
        {"", 0, true},
        {"<|im_end|> t", 12, true},
        {"he", 2, false},
    };
    struct token_list got = {0}, want = {0};
    CHECK_INT(tokenizer_encode_spans(t, spans, 9, &got, NULL), FORMA_OK);
    token_list_push(&want, 1);
    CHECK_INT(tokenizer_encode(t, "user<|im_end|><|im_end|>", 24, false, &want, NULL), FORMA_OK);
    token_list_push(&want, 2);
    CHECK_INT(tokenizer_encode(t, " the", 4, false, &want, NULL), FORMA_OK);
    CHECK(got.count == want.count && memcmp(got.ids, want.ids, 4 * got.count) == 0);
    got.count = 0;
    CHECK_INT(tokenizer_encode_spans(t, spans, 0, &got, NULL), FORMA_OK);
    CHECK_INT(got.count, 0);
    token_list_destroy(&got);
    token_list_destroy(&want);
}

static void test_tiny_ends(const struct tokenizer *t) {
    size_t n;
    const uint32_t *eos = tokenizer_eos(t, &n);
    CHECK_INT(n, 2); /* <|im_end|> by its key, <|endoftext|> by its name */
    CHECK(n == 2 && eos[0] == 2 && eos[1] == 0);
    CHECK_INT(tokenizer_bos(t), 1);
    CHECK(!tokenizer_adds_bos(t));
    struct token_list out = {0};
    CHECK_INT(tokenizer_encode(t, "\xC3\x28\xED\xA0\x80\xFF", 6, false, &out, NULL), FORMA_OK);
    CHECK_INT(out.count, 6); /* a byte each */
    token_list_destroy(&out);
}

/* Any bytes, encoded and spelled again, are the same bytes: the tiny vocabulary has all 256. */
static void test_round_trip(const struct tokenizer *t) {
    uint64_t seed = 20240607;
    struct token_list out = {0};
    for (int round = 0; round < 2000; round++) {
        char text[64], back[512];
        size_t length = test_below(&seed, sizeof text), n = 0;
        for (size_t i = 0; i < length; i++)
            text[i] = test_below(&seed, 2) ? (char)test_below(&seed, 256)
                                           : " the'sand{\"}\n"[test_below(&seed, 12)];
        out.count = 0;
        bool same = tokenizer_encode(t, text, length, false, &out, NULL) == FORMA_OK;
        for (size_t i = 0; same && i < out.count; i++) {
            size_t size;
            const unsigned char *bytes = tokenizer_bytes(t, out.ids[i], &size);
            memcpy(back + n, bytes, size);
            n += size;
        }
        if (!CHECK(same && n == length && memcmp(back, text, n) == 0))
            fprintf(stderr, "  round %d\n", round);
    }
    token_list_destroy(&out);
}

/* ---- merges ------------------------------------------------------------------------------- */

/* The definition: look through all pairs, merge the best, again. */
static size_t naive_encode(const struct bpe *b, const unsigned char *piece, size_t n,
                           uint32_t *ids) {
    for (size_t i = 0; i < n; i++) ids[i] = b->byte_token[piece[i]];
    for (;;) {
        uint32_t best = BPE_NONE;
        size_t at = 0;
        for (size_t i = 0; i + 1 < n; i++) {
            uint32_t rank = bpe_find(b, ids[i], ids[i + 1]);
            if (rank < best) {
                best = rank;
                at = i;
            }
        }
        if (best == BPE_NONE) return n;
        ids[at] = b->merges[best].result;
        memmove(ids + at + 1, ids + at + 2, (n - at - 2) * sizeof *ids);
        n--;
    }
}

static void test_merges(void) {
    uint64_t seed = 77;
    for (int round = 0; round < 300; round++) {
        struct arena arena;
        struct bpe b;
        if (!CHECK(arena_init(&arena, NULL, 1 << 20) && bpe_init(&b, &arena, 60))) return;
        for (uint32_t i = 0; i < 3; i++) b.byte_token['a' + i] = i;
        uint32_t n_ids = 3; /* every merge makes a new symbol out of any two that exist */
        while (b.n_merges < 60 && n_ids < 40) {
            uint32_t left = test_below(&seed, n_ids), right = test_below(&seed, n_ids);
            if (bpe_add_merge(&b, left, right, n_ids) == BPE_ADDED) n_ids++;
        }
        struct bpe_scratch s = {.allocator = fa_default_allocator()};
        for (int text = 0; text < 20; text++) {
            unsigned char piece[80];
            uint32_t want[80];
            size_t length = 1 + test_below(&seed, sizeof piece), dropped = 0, i = 0;
            unsigned letters = 1 + test_below(&seed, 3);
            for (size_t k = 0; k < length; k++)
                piece[k] = (unsigned char)('a' + test_below(&seed, letters));
            size_t n = naive_encode(&b, piece, length, want);
            bool same = bpe_encode(&b, &s, piece, length, &dropped) && s.n_symbols == n;
            for (uint32_t k = 0; same && k != BPE_NONE; k = s.symbols[k].next)
                same = i < n && s.symbols[k].id == want[i++];
            if (!CHECK(same)) fprintf(stderr, "  seed 77, round %d, text %d\n", round, text);
        }
        bpe_scratch_destroy(&s);
        arena_destroy(&arena);
    }
}

/* "a" doubled again and again, so that a run is merged to the top. */
static void test_long_piece(void) {
    struct arena arena;
    struct bpe b;
    if (!CHECK(arena_init(&arena, NULL, 1 << 20) && bpe_init(&b, &arena, 16))) return;
    b.byte_token['a'] = 0;
    for (uint32_t i = 0; i < 16; i++) CHECK_INT(bpe_add_merge(&b, i, i, i + 1), BPE_ADDED);
    static unsigned char piece[1000000];
    memset(piece, 'a', sizeof piece);
    uint64_t work[2];
    for (int i = 0; i < 2; i++) {
        struct bpe_scratch s = {.allocator = fa_default_allocator()};
        size_t dropped = 0;
        CHECK(bpe_encode(&b, &s, piece, i ? 1000000 : 100000, &dropped));
        work[i] = s.work;
        bpe_scratch_destroy(&s);
    }
    if (!CHECK(work[1] <= 15 * work[0]))
        fprintf(stderr, "  work %llu and %llu\n", (unsigned long long)work[0],
                (unsigned long long)work[1]);
    arena_destroy(&arena);
}

/* A megabyte of one character ends in seconds, whatever the character. */
static void test_long_texts(const struct tokenizer *t) {
    static const char *const units[] = {"a", " ",   "\n",   "7",    "\xCC\x81",
                                        "!", " \n", "\xFF", "a 1\n"};
    size_t size = 1000000;
    char *text = malloc(size);
    if (!CHECK(text != NULL)) return;
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t n = strlen(units[u]), length = size / n * n, sum = 0;
        for (size_t i = 0; i < length; i++) text[i] = units[u][i % n];
        struct token_list out = {0};
        CHECK_INT(tokenizer_encode(t, text, length, true, &out, NULL), FORMA_OK);
        for (size_t i = 0; i < out.count; i++) {
            size_t bytes;
            tokenizer_bytes(t, out.ids[i], &bytes);
            sum += bytes;
        }
        CHECK_INT(sum, length);
        token_list_destroy(&out);
    }
    free(text);
}

static void test_long_splits(void) {
    static const char *const names[] = {"smollm", "gpt-2", "llama-bpe", "qwen2"};
    static const char *const units[] = {"a", " ", "\n", " \n", "7", "\xCC\x81", "'"};
    static char text[1000001];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct pretokenizer *p =
            pretokenizer_new(pretokenizer_find_rule(names[i], strlen(names[i])), NULL, NULL);
        struct pretokenizer_run run;
        if (!CHECK(p && pretokenizer_begin(p, &run))) return;
        for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            size_t n = strlen(units[u]), start, end, at = 0;
            for (size_t k = 0; k < 1000000; k++) text[k] = units[u][k % n];
            text[1000000] = 'x'; /* what follows a run matters to the look-ahead */
            pretokenizer_start(&run, text, sizeof text, NULL);
            while (pretokenizer_next(&run, &start, &end) && start == at) at = end;
            CHECK_INT(at, sizeof text);
        }
        pretokenizer_end(&run);
        pretokenizer_free(p);
    }
}

/* ---- the streaming decoder ---------------------------------------------------------------- */

static void test_decoder(void) {
    static const struct {
        const char *in, *plain, *replaced;
    } cases[] = {
        {"abc", "abc", "abc"},
        {"\xF0\x9F\x98\x80!", "\xF0\x9F\x98\x80!", "\xF0\x9F\x98\x80!"},
        {"\xF0\x9F\x98!", "\xF0\x9F\x98!", "\xEF\xBF\xBD!"},
        {"\xF0\x9F\xC3\xA9", "\xF0\x9F\xC3\xA9", "\xEF\xBF\xBD\xC3\xA9"},
        {"\x80\xFF", "\x80\xFF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xED\xA0\x80", "\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xC3", "\xC3", "\xEF\xBF\xBD"},
        {"\xE2\x82", "\xE2\x82", "\xEF\xBF\xBD"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t step = 1; step <= 4; step++)
            for (int replace = 0; replace < 2; replace++) {
                struct text_decoder d = {{0}, 0};
                unsigned char out[64];
                size_t n = 0, length = strlen(cases[i].in);
                for (size_t k = 0; k < length; k += step) {
                    size_t size = length - k < step ? length - k : step;
                    size_t wrote = text_decoder_push(&d, (const unsigned char *)cases[i].in + k,
                                                     size, replace, out + n);
                    CHECK(wrote <= 4 + (replace ? 3 : 1) * size);
                    n += wrote;
                }
                n += text_decoder_finish(&d, replace, out + n);
                out[n] = '\0';
                CHECK_STR((char *)out, replace ? cases[i].replaced : cases[i].plain);
            }
    struct text_decoder d = {{0}, 0};
    unsigned char out[16];
    CHECK_INT(text_decoder_push(&d, (const unsigned char *)"\xF0\x9F\x98", 3, true, out), 0);
    CHECK_INT(text_decoder_push(&d, (const unsigned char *)"\x80", 1, true, out), 4);
    CHECK_INT(text_decoder_finish(&d, true, out), 0);
}

/* ---- memory ------------------------------------------------------------------------------- */

struct budget {
    long left;  /* allocations that still succeed */
    long alive; /* bytes */
};

static void *budget_resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct budget *b = ctx;
    if (new_size > 0 && b->left-- <= 0) return NULL;
    b->alive += (long)new_size - (long)old_size;
    return fa_default_allocator()->resize(NULL, ptr, old_size, new_size);
}

static void *budget_reserve(void *ctx, void *ptr, size_t size) {
    struct budget *b = ctx;
    if (!ptr && b->left-- <= 0) return NULL;
    b->alive += ptr ? -(long)size : (long)size;
    return fa_default_allocator()->reserve(NULL, ptr, size);
}

static void test_memory(const struct gguf *g) {
    struct budget budget;
    struct forma_allocator allocator = {&budget, budget_resize, budget_reserve};
    long n = 0;
    for (bool done = false; !done && n < 1000; n++) {
        budget = (struct budget){n, 0};
        struct forma_error err;
        error_clear(&err);
        enum forma_status status = FORMA_OK;
        struct tokenizer *t = tokenizer_open(g, &allocator, &err);
        struct token_list out = {.allocator = &allocator};
        if (t) {
            char text[300];
            memset(text, 'a', sizeof text);
            status = tokenizer_encode(t, text, sizeof text, true, &out, &err);
            struct text_span span = {text, sizeof text, true};
            if (!status) status = tokenizer_encode_spans(t, &span, 1, &out, &err);
        }
        done = t && !status;
        if (!done) CHECK_INT(err.status, FORMA_EMEMORY);
        token_list_destroy(&out);
        tokenizer_free(t);
        CHECK_INT(budget.alive, 0);
    }
    CHECK(n > 5 && n < 1000);
}

int main(void) {
    struct forma_error err;
    struct gguf *g = gguf_open(TINY, NULL, &err);
    struct tokenizer *t = g ? tokenizer_open(g, NULL, &err) : NULL;
    if (CHECK(t != NULL)) {
        test_vectors(t, "fixtures/tokenizer/tiny.jsonl");
        test_tiny_ends(t);
        test_spans(t);
        test_round_trip(t);
        test_long_texts(t);
        test_memory(g);
    } else {
        fprintf(stderr, "  %s\n", err.message);
    }
    tokenizer_free(t);
    gguf_close(g);
    g = gguf_open(REAL, NULL, NULL); /* where the demo model was fetched */
    t = g ? tokenizer_open(g, NULL, NULL) : NULL;
    if (g && CHECK(t != NULL)) test_vectors(t, "fixtures/tokenizer/smollm2.jsonl");
    tokenizer_free(t);
    gguf_close(g);
    test_vectors(NULL, "fixtures/tokenizer/splits.jsonl");
    test_refused();
    test_special();
    test_merges();
    test_long_piece();
    test_long_splits();
    test_decoder();
    return test_done("tokenizer");
}
