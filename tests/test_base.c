/* SPDX-License-Identifier: MIT
 *
 * The base: allocator, arena, hash table, UTF-8, errors.
 */
#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "tests/test.h"

/* ---- allocator and arena -------------------------------------------------------------------- */

static void test_alloc(void) {
    const struct forma_allocator *a = fa_allocator_or_default(NULL);
    CHECK(a == fa_default_allocator());
    CHECK(fa_alloc(a, 0) == NULL);
    unsigned char *p = fa_alloc_zero(a, 100);
    if (!CHECK(p != NULL)) return;
    for (int i = 0; i < 100; i++)
        if (p[i]) CHECK_INT(p[i], 0);
    memset(p, 7, 100);
    p = fa_resize(a, p, 100, 5000);
    CHECK(p && p[99] == 7);
    fa_free(a, p, 5000);
    fa_free(a, NULL, 0);
    unsigned char *pages = fa_reserve(a, (size_t)1 << 30);
    if (CHECK(pages != NULL)) {
        CHECK_INT((uintptr_t)pages % 4096, 0);
        CHECK_INT(pages[(size_t)1 << 29], 0);
        pages[((size_t)1 << 30) - 1] = 1;
    }
    fa_release(a, pages, (size_t)1 << 30);
    fa_release(a, NULL, 0);
    size_t product;
    CHECK(fa_mul_size(3, 4, &product) && product == 12);
    CHECK(!fa_mul_size(SIZE_MAX / 2, 3, &product));
}

static void test_arena(void) {
    struct arena a;
    if (!CHECK(arena_init(&a, NULL, 4096))) return;
    unsigned char *p = arena_push(&a, 10), *q = arena_push(&a, 16);
    CHECK(p && q && q == p + 16);
    CHECK_INT((uintptr_t)p % 16, 0);
    CHECK_INT(a.used, 32);
    CHECK(arena_push(&a, 0) != NULL);
    char *copy = arena_push_copy(&a, "text", 5);
    CHECK_STR(copy, "text");
    int *array = arena_push_array(&a, 8, sizeof *array);
    for (int i = 0; array && i < 8; i++) CHECK_INT(array[i], 0);
    CHECK(!a.failed);
    CHECK(arena_push(&a, 5000) == NULL); /* does not fit, and from now on nothing does */
    CHECK(a.failed);
    CHECK(arena_push(&a, 1) == NULL);
    arena_destroy(&a);
    CHECK(a.base == NULL);

    CHECK(arena_init(&a, NULL, 4096));
    CHECK(arena_push(&a, 4096) != NULL);
    CHECK(arena_push(&a, 1) == NULL);
    arena_destroy(&a);
    CHECK(arena_init(&a, NULL, 4096));
    CHECK(arena_push(&a, SIZE_MAX) == NULL && a.failed);
    arena_destroy(&a);
    CHECK(arena_init(&a, NULL, 4096));
    CHECK(arena_push_array(&a, SIZE_MAX / 4, 8) == NULL && a.failed);
    arena_destroy(&a);
    CHECK(arena_init(&a, NULL, 4096));
    a.fail_after = 2;
    CHECK(arena_push(&a, 1) && arena_push(&a, 1) && !arena_push(&a, 1) && a.failed);
    arena_destroy(&a);
    CHECK(!arena_init(&a, NULL, SIZE_MAX / 2 - 4095));
}

static void test_vector(void) {
    struct arena a;
    ARENA_VEC(int) v = {0};
    if (!CHECK(arena_init(&a, NULL, 1 << 16))) return;
    for (int i = 0; i < 1000; i++) {
        if (!CHECK(ARENA_VEC_GROW(&a, &v))) break;
        v.data[v.count++] = i;
    }
    for (int i = 0; i < 1000; i++)
        if (v.data[i] != i) CHECK_INT(v.data[i], i);
    uint32_t before = v.count;
    while (ARENA_VEC_GROW(&a, &v)) v.data[v.count++] = 5;
    CHECK(a.failed && v.count > before && v.data[999] == 999);
    arena_destroy(&a);
}

/* ---- hash table ----------------------------------------------------------------------------- */

static uint32_t find(const struct table *t, const uint64_t *keys, uint64_t key) {
    struct table_probe p = table_probe(t, fa_hash(&key, sizeof key));
    while (table_next(t, &p))
        if (keys[p.id] == key) return p.id;
    return UINT32_MAX;
}

static void test_table(void) {
    enum { N = 20000 };
    struct arena a;
    struct table t;
    uint64_t *keys = malloc(N * sizeof *keys), r = 5;
    if (!CHECK(arena_init(&a, NULL, 1 << 24)) || !CHECK(table_init(&t, &a, 0))) return;
    for (uint32_t i = 0; i < N; i++) {
        keys[i] = test_random(&r);
        if (!table_add(&t, fa_hash(&keys[i], sizeof keys[i]), i)) CHECK(false);
    }
    CHECK_INT(t.count, N);
    for (uint32_t i = 0; i < N; i++)
        if (find(&t, keys, keys[i]) != i) CHECK_INT(find(&t, keys, keys[i]), i);
    CHECK_INT(find(&t, keys, 42), UINT32_MAX);

    struct table same; /* many ids under one hash: all of them come out */
    CHECK(table_init(&same, &a, 4));
    for (uint32_t i = 0; i < 100; i++) CHECK(table_add(&same, 7, i));
    struct table_probe p = table_probe(&same, 7);
    uint64_t seen = 0;
    bool met[100] = {false};
    for (; table_next(&same, &p); seen++)
        if (CHECK(p.id < 100 && !met[p.id])) met[p.id] = true;
    CHECK_INT(seen, 100);
    arena_destroy(&a);

    CHECK(arena_init(&a, NULL, 1 << 16));
    CHECK(table_init(&t, &a, 16));
    a.fail_after = 0;
    uint32_t added = 0;
    while (table_add(&t, added, added)) added++;
    CHECK(added >= 12 && t.count == added); /* a failed add changes nothing */
    p = table_probe(&t, 3);
    CHECK(table_next(&t, &p) && p.id == 3);
    CHECK(!table_init(&t, &a, 16));
    CHECK(!table_next(&t, &p));
    arena_destroy(&a);
    free(keys);
}

static void test_hash(void) {
    unsigned char text[40];
    memset(text, 0, sizeof text);
    for (size_t n = 1; n < sizeof text; n++) /* length counts, and so does every byte */
        CHECK(fa_hash(text, n) != fa_hash(text, n - 1));
    uint32_t zero = fa_hash(text, 33);
    for (size_t i = 0; i < 33; i++) {
        text[i] = 1;
        CHECK(fa_hash(text, 33) != zero);
        text[i] = 0;
    }
    CHECK_INT(fa_hash("aligned", 7), fa_hash((const char *)"xaligned" + 1, 7));
    CHECK(fa_hash_mix(1, 2) != fa_hash_mix(2, 1));
}

/* ---- UTF-8 ---------------------------------------------------------------------------------- */

static void test_utf8_round_trip(void) {
    for (uint32_t c = 0; c <= UTF8_MAX_CODE_POINT + 10; c++) {
        unsigned char bytes[4];
        uint32_t back = 0;
        size_t n = utf8_encode(c, bytes);
        bool valid = c <= UTF8_MAX_CODE_POINT && (c < 0xD800 || c > 0xDFFF);
        size_t want = !valid ? 0 : c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        bool ok = n == want;
        if (ok && n) {
            ok = utf8_decode(bytes, n, &back) == n && back == c &&
                 utf8_sequence_length(bytes[0]) == n && utf8_valid_prefix(bytes, n) == n;
            for (size_t cut = 1; ok && cut < n; cut++)
                ok = utf8_decode(bytes, cut, &back) == 0 && utf8_valid_prefix(bytes, cut) == 0 &&
                     utf8_incomplete_tail(bytes, cut) == cut;
        }
        if (!ok) CHECK_INT(c, -1);
    }
    test_result(true);
}

/* Every sequence of up to three bytes decodes exactly if it is what its code point encodes to. */
static void test_utf8_strict(void) {
    for (uint32_t v = 0; v < 1u << 24; v += v < 1u << 17 ? 1 : 7) {
        unsigned char bytes[4] = {(unsigned char)(v >> 16), (unsigned char)(v >> 8),
                                  (unsigned char)v, 0x80},
                      again[4];
        uint32_t c = 0;
        size_t n = utf8_decode(bytes, 4, &c);
        if (n && (utf8_encode(c, again) != n || memcmp(bytes, again, n))) CHECK_INT(v, -1);
    }
    static const struct {
        const char *bytes;
        size_t length, valid, tail;
    } cases[] = {
        {"", 0, 0, 0},
        {"abc", 3, 3, 0},
        {"a\xC3\xA9", 3, 3, 0},
        {"a\xC3", 2, 1, 1},
        {"\xE2\x82", 2, 0, 2},
        {"\xF0\x9F\x98", 3, 0, 3},
        {"\xF0\x9F\x98\x80", 4, 4, 0},
        {"\xC0\x80", 2, 0, 0}, /* overlong */
        {"\xE0\x80\x80", 3, 0, 0},
        {"\xF0\x80\x80\x80", 4, 0, 0},
        {"\xED\xA0\x80", 3, 0, 0},     /* surrogate */
        {"\xED\xA0", 2, 0, 0},         /* no continuation could mend it */
        {"\xF4\x90\x80\x80", 4, 0, 0}, /* past U+10FFFF */
        {"\xF5", 1, 0, 0},
        {"\x80", 1, 0, 0},
        {"ab\xFFz", 4, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned char *p = (const unsigned char *)cases[i].bytes;
        CHECK_INT(utf8_valid_prefix(p, cases[i].length), cases[i].valid);
        CHECK_INT(utf8_incomplete_tail(p, cases[i].length), cases[i].tail);
    }
}

/* ---- errors --------------------------------------------------------------------------------- */

static void test_errors(void) {
    struct forma_error err;
    memset(&err, 0x55, sizeof err);
    error_clear(&err);
    CHECK_INT(err.status, FORMA_OK);
    CHECK(err.offset == UINT64_MAX && !err.line && !err.column);
    CHECK_STR(err.message, "");
    error_clear(NULL);

    CHECK_INT(error_set(&err, FORMA_ELIMIT, "%d of %s", 3, "x"), FORMA_ELIMIT);
    CHECK_STR(err.message, "3 of x");
    CHECK(!err.has_pointer);
    CHECK_INT(error_at_offset(&err, FORMA_EMODEL, 77, "bad"), FORMA_EMODEL);
    CHECK_INT(err.offset, 77);
    CHECK_INT(error_at_text(&err, FORMA_ESCHEMA, "ab\ncd\n", 6, 4, "here"), FORMA_ESCHEMA);
    CHECK_INT(err.line, 2);
    CHECK_INT(err.column, 2);
    CHECK_INT(err.offset, 4);
    error_at_text(&err, FORMA_ESCHEMA, "ab\n", 3, 99, "at the end");
    CHECK_INT(err.offset, 3);
    CHECK_INT(err.line, 2);
    CHECK_INT(err.column, 1);
    error_at_pointer(&err, FORMA_ESCHEMA, "/a/b", "wrong");
    CHECK_STR(err.pointer, "/a/b");
    CHECK(err.has_pointer);
    CHECK_INT(err.line, 0); /* of the error before: gone */

    error_at_pointer(&err, FORMA_ESCHEMA, "", "wrong");
    CHECK(err.has_pointer && err.pointer[0] == '\0'); /* the root */
    error_at_offset(&err, FORMA_EMODEL, 1, "bad");
    CHECK(!err.has_pointer);

    error_at_text(&err, FORMA_EMODEL, "ab\n", 3, 1, "bad");
    error_set_pointer(&err, "a.key");
    CHECK(err.has_pointer && err.line == 1 && err.column == 2);
    CHECK_STR(err.pointer, "a.key");
    error_set_pointer(NULL, "x");

    char longer[600];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    error_at_pointer(&err, FORMA_ESCHEMA, longer, "%s", longer);
    CHECK_INT(strlen(err.pointer), sizeof err.pointer - 1);
    CHECK_STR(err.pointer + sizeof err.pointer - 5, "x...");
    CHECK_INT(strlen(err.message), sizeof err.message - 1);

    CHECK_INT(error_set(NULL, FORMA_EIO, "x"), FORMA_EIO);
    CHECK_INT(error_at_offset(NULL, FORMA_EIO, 1, "x"), FORMA_EIO);
    CHECK_INT(error_at_pointer(NULL, FORMA_EIO, "/", "x"), FORMA_EIO);
    CHECK_INT(error_at_text(NULL, FORMA_EIO, "", 0, 0, "x"), FORMA_EIO);
    for (int status = FORMA_OK; status <= FORMA_EINTERNAL; status++)
        CHECK(strlen(forma_strstatus((enum forma_status)status)) > 1);
    CHECK_STR(forma_strstatus((enum forma_status)999), "unknown status");
    CHECK_STR(forma_version(), FORMA_VERSION);
}

int main(void) {
    test_alloc();
    test_arena();
    test_vector();
    test_table();
    test_hash();
    test_utf8_round_trip();
    test_utf8_strict();
    test_errors();
    return test_done("base");
}
