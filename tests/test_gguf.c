/* SPDX-License-Identifier: MIT
 *
 * The GGUF directory: what a good file gives, one broken file for every rule with the words of
 * its error, and the header of a real model truncated at every byte and with every byte changed:
 * each either opens or fails with one sentence.
 */
#include "base/gguf.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/test.h"

#define FIXTURE "fixtures/models/q4_1-mqa.gguf"

/* ---- a file under construction ------------------------------------------------------------ */

struct file {
    unsigned char data[1 << 18];
    size_t size;
};

static struct file file;

static void put(const void *bytes, size_t n) {
    memcpy(file.data + file.size, bytes, n);
    file.size += n;
}

static void put_le(uint64_t x, unsigned n) {
    for (unsigned i = 0; i < n; i++) file.data[file.size++] = (unsigned char)(x >> (8 * i));
}

static void put_string(const char *s) {
    put_le(strlen(s), 8);
    put(s, strlen(s));
}

static void put_header(uint32_t version, uint64_t n_tensors, uint64_t n_values) {
    file.size = 0;
    put("GGUF", 4);
    put_le(version, 4);
    put_le(n_tensors, 8);
    put_le(n_values, 8);
}

static void put_key(const char *key, uint32_t type) {
    put_string(key);
    put_le(type, 4);
}

static void put_tensor(const char *name, uint32_t type, uint64_t width, uint64_t offset) {
    put_string(name);
    put_le(1, 4);
    put_le(width, 8);
    put_le(type, 4);
    put_le(offset, 8);
}

static void put_data(size_t n, size_t alignment) {
    while (file.size % alignment) put_le(0, 1);
    for (size_t i = 0; i < n; i++) put_le(i, 1);
}

/* Opens what was put. A copy of just that size, so that a sanitizer sees every byte too many. */
static struct gguf *open_file(unsigned char **copy, struct forma_error *err) {
    *copy = malloc(file.size ? file.size : 1);
    memcpy(*copy, file.data, file.size);
    return gguf_open_memory(*copy, file.size, NULL, err);
}

/* The file is refused; the message holds `words`, the place is `pointer`. */
static void check_refused(int line, const char *pointer, const char *words) {
    struct forma_error err;
    unsigned char *copy;
    struct gguf *g = open_file(&copy, &err);
    bool ok = !g && err.status == FORMA_EMODEL && strstr(err.message, words) &&
              strcmp(err.pointer, pointer) == 0 && err.offset <= file.size;
    if (!test_result(ok))
        fprintf(stderr, "line %d: [%s] %s; wanted [%s] %s\n", line, g ? "" : err.pointer,
                g ? "opened" : err.message, pointer, words);
    gguf_close(g);
    free(copy);
}
#define REFUSED(pointer, words) check_refused(__LINE__, pointer, words)

/* ---- a good file -------------------------------------------------------------------------- */

static void put_good_values(void) {
    put_key("u8", GGUF_U8), put_le(200, 1);
    put_key("i8", GGUF_I8), put_le(0xfe, 1);
    put_key("u16", GGUF_U16), put_le(65535, 2);
    put_key("i16", GGUF_I16), put_le(0x8000, 2);
    put_key("u32", GGUF_U32), put_le(UINT32_MAX, 4);
    put_key("i32", GGUF_I32), put_le(7, 4);
    put_key("u64", GGUF_U64), put_le(UINT64_MAX, 8);
    put_key("i64", GGUF_I64), put_le(UINT64_MAX, 8);
    put_key("f32", GGUF_F32), put_le(0x3fc00000, 4);         /* 1.5 */
    put_key("f64", GGUF_F64), put_le(0xc004000000000000, 8); /* -2.5 */
    put_key("yes", GGUF_BOOL), put_le(1, 1);
    put_key("text", GGUF_STRING), put_string("h\xc3\xa9");
    put_key("texts", GGUF_ARRAY), put_le(GGUF_STRING, 4), put_le(3, 8);
    put_string("a"), put_string(""), put_string("ccc");
    put_key("i16s", GGUF_ARRAY), put_le(GGUF_I16, 4), put_le(2, 8), put_le(0xfffffffe, 4);
    put_key("f32s", GGUF_ARRAY), put_le(GGUF_F32, 4), put_le(1, 8), put_le(0x3fc00000, 4);
    put_key("none", GGUF_ARRAY), put_le(GGUF_U8, 4), put_le(0, 8);
    put_key("nest", GGUF_ARRAY), put_le(GGUF_ARRAY, 4), put_le(1, 8);
    put_le(GGUF_BOOL, 4), put_le(2, 8), put_le(1, 2);
}

static void check_values(const struct gguf *g) {
    static const struct {
        const char *key;
        bool integer;
        uint64_t value;
        double number;
    } cases[] = {
        {"u8", true, 200, 200},
        {"u16", true, 65535, 65535},
        {"i32", true, 7, 7},
        {"u32", true, UINT32_MAX, 4294967295.0},
        {"u64", true, UINT64_MAX, 18446744073709551615.0},
        {"i8", false, 0, -2},
        {"i16", false, 0, -32768},
        {"i64", false, 0, -1},
        {"f32", false, 0, 1.5},
        {"f64", false, 0, -2.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t x = 0;
        double d = 0;
        CHECK_INT(gguf_get_u64(g, cases[i].key, &x), cases[i].integer);
        CHECK(x == cases[i].value);
        CHECK(gguf_get_f64(g, cases[i].key, &d) && CHECK_NEAR(d, cases[i].number, 0));
    }
    uint64_t x;
    double d;
    bool b = false;
    struct gguf_string s;
    CHECK(gguf_get_bool(g, "yes", &b) && b);
    CHECK(!gguf_get_u64(g, "yes", &x) && !gguf_get_f64(g, "yes", &d) &&
          !gguf_get_bool(g, "u8", &b));
    CHECK(gguf_get_string(g, "text", &s) && s.length == 3 && memcmp(s.data, "h\xc3\xa9", 3) == 0);
    CHECK(!gguf_get_string(g, "u8", &s) && !gguf_get_string(g, "absent", &s));
    CHECK(!gguf_find(g, "u") && !gguf_find(g, "") && !gguf_find(g, "zzz"));
}

static void check_arrays(const struct gguf *g) {
    const struct gguf_value *texts = gguf_find(g, "texts"), *v;
    if (!CHECK(texts != NULL)) return;
    const unsigned char *cursor = texts->data;
    struct gguf_string s;
    CHECK(gguf_next_string(texts, &cursor, &s) && s.length == 1 && s.data[0] == 'a');
    CHECK(gguf_next_string(texts, &cursor, &s) && s.length == 0);
    CHECK(gguf_next_string(texts, &cursor, &s) && s.length == 3);
    CHECK(!gguf_next_string(texts, &cursor, &s));
    if (CHECK((v = gguf_find(g, "i16s")) != NULL)) {
        CHECK_INT(v->count, 2);
        CHECK_INT(gguf_array_i64(v, 0), -2);
        CHECK_INT(gguf_array_i64(v, 1), -1);
        cursor = v->data;
        CHECK(!gguf_next_string(v, &cursor, &s));
    }
    if (CHECK((v = gguf_find(g, "f32s")) != NULL)) CHECK_NEAR(gguf_array_f64(v, 0), 1.5, 0);
    if (CHECK((v = gguf_find(g, "none")) != NULL)) CHECK_INT(v->count, 0);
    if (CHECK((v = gguf_find(g, "nest")) != NULL)) CHECK_INT(v->bytes, 14);
}

static void check_tensors(const struct gguf *g) {
    const struct gguf_tensor *t = gguf_find_tensor(g, "w");
    if (!CHECK(t != NULL)) return;
    CHECK_STR(t->c_name, "w");
    CHECK_INT(t->n_dims, 1);
    CHECK_INT(t->dims[0], 64);
    CHECK_INT(t->dims[3], 1);
    CHECK_INT(t->bytes, 36);
    CHECK(t->data && t->data[0] == 32);
    CHECK_STR(gguf_type_name(t->type), "Q4_0");
    t = gguf_find_tensor(g, "strange"); /* listed, though forma cannot read it */
    if (CHECK(t != NULL)) CHECK(!t->data && t->n_elements == 100);
    CHECK(!gguf_find_tensor(g, "wx") && !gguf_find_tensor(g, ""));
}

static void test_good(uint32_t version) {
    struct forma_error err = {0};
    unsigned char *copy;
    put_header(version, 3, 17);
    put_good_values();
    put_tensor("v", GGUF_TYPE_F32, 8, 0);
    put_tensor("w", GGUF_TYPE_Q4_0, 64, 32);
    put_tensor("strange", 99, 100, 64);
    put_data(68, 32);
    struct gguf *g = open_file(&copy, &err);
    if (CHECK(g != NULL)) {
        CHECK_INT(gguf_version(g), version);
        CHECK_INT(gguf_file_size(g), file.size);
        CHECK_INT(gguf_n_values(g), 17);
        CHECK_INT(gguf_n_tensors(g), 3);
        check_values(g);
        check_arrays(g);
        check_tensors(g);
    } else {
        fprintf(stderr, "%s\n", err.message);
    }
    gguf_close(g);
    free(copy);
}

static void test_types(void) {
    uint32_t weights, bytes;
    CHECK(gguf_type_block(GGUF_TYPE_Q6_K, &weights, &bytes) && weights == 256 && bytes == 210);
    CHECK(!gguf_type_block(10, &weights, &bytes) && !gguf_type_block(4, &weights, &bytes));
    CHECK_STR(gguf_type_name(30), "BF16");
    CHECK_STR(gguf_type_name(10), "Q2_K");
    CHECK_STR(gguf_type_name(4), "unknown type");
    CHECK_STR(gguf_type_name(UINT32_MAX), "unknown type");
}

/* ---- one broken file a rule --------------------------------------------------------------- */

static void test_bad_headers(void) {
    file.size = 0;
    REFUSED("", "empty");
    put("GG", 2);
    REFUSED("", "the magic");
    put_header(3, 0, 0);
    file.data[0] = 'g';
    REFUSED("", "not a GGUF file");
    put_header(1, 0, 0);
    REFUSED("", "version 1 is not supported");
    put_header(0x03000000, 0, 0);
    REFUSED("", "big-endian");
    put_header(4, 0, 0);
    REFUSED("", "version 4 is not supported");
    put_header(3, 0, UINT64_MAX);
    REFUSED("", "do not fit");
    put_header(3, UINT64_MAX / 8, 0);
    REFUSED("", "do not fit");
    put_header(3, 0, 0);
    file.size = 12;
    REFUSED("", "the tensor count needs 8 bytes but 4 are left");
}

static void test_bad_values(void) {
    put_header(3, 0, 1);
    put_key("", GGUF_U8), put_le(0, 1), put_le(0, 8);
    REFUSED("", "a key is empty");
    put_header(3, 0, 1);
    put_key("a\nb", GGUF_U8), put_le(0, 1);
    REFUSED("", "0x0a");
    put_header(3, 0, 1);
    put_le(65536, 8);
    for (int i = 0; i < 65536; i++) put_le('k', 1);
    put_le(GGUF_U8, 4), put_le(0, 1);
    REFUSED("", "65536 bytes");
    put_header(3, 0, 1);
    put_le(UINT64_MAX, 8), put_le(0, 8);
    REFUSED("", "a key needs 18446744073709551615 bytes");
    put_header(3, 0, 1);
    put_key("a.b", 13), put_le(0, 8);
    REFUSED("a.b", "the value type is 13");
    put_header(3, 0, 1);
    put_key("a.b", GGUF_BOOL), put_le(2, 1);
    REFUSED("a.b", "2 instead of 0 or 1");
    put_header(3, 0, 1);
    put_key("a.b", GGUF_STRING), put_le(9, 8), put_le(0, 8);
    REFUSED("a.b", "the string needs 9 bytes but 8 are left");
    put_header(3, 0, 2);
    put_key("a.b", GGUF_U8), put_le(0, 1);
    put_key("a.b", GGUF_U8), put_le(1, 1);
    REFUSED("a.b", "appears twice");
}

static void test_bad_arrays(void) {
    put_header(3, 0, 1);
    put_key("a", GGUF_ARRAY), put_le(GGUF_U64, 4), put_le(UINT64_MAX / 8 + 2, 8), put_le(0, 8);
    REFUSED("a", "do not fit"); /* count * 8 is 8 modulo 2^64 */
    put_header(3, 0, 1);
    put_key("a", GGUF_ARRAY), put_le(GGUF_STRING, 4), put_le(UINT64_MAX, 8), put_le(0, 8);
    REFUSED("a", "do not fit");
    put_header(3, 0, 1);
    put_key("a", GGUF_ARRAY), put_le(GGUF_ARRAY, 4), put_le(UINT64_MAX, 8), put_le(0, 8);
    REFUSED("a", "do not fit");
    put_header(3, 0, 1);
    put_key("a", GGUF_ARRAY), put_le(99, 4), put_le(0, 8);
    REFUSED("a", "the element type is 99");
    put_header(3, 0, 1);
    put_key("a", GGUF_ARRAY), put_le(GGUF_BOOL, 4), put_le(3, 8), put_le(0x000301, 3);
    REFUSED("a", "3 instead of 0 or 1");
    put_header(3, 0, 1);
    put_key("a", GGUF_ARRAY);
    for (int i = 0; i < 1000; i++) put_le(GGUF_ARRAY, 4), put_le(1, 8);
    REFUSED("a", "nest deeper");
}

static void test_bad_alignment(void) {
    static const uint64_t alignments[] = {0, 1, 4, 12, 24, 33, UINT64_MAX};
    for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
        put_header(3, 0, 1);
        put_key("general.alignment", GGUF_U64), put_le(alignments[i], 8);
        REFUSED("general.alignment", "not a power of two of at least 8");
    }
    put_header(3, 0, 1);
    put_key("general.alignment", GGUF_STRING), put_string("32");
    REFUSED("general.alignment", "not an integer");
    put_header(3, 1, 1);
    put_key("general.alignment", GGUF_U64), put_le(UINT64_C(1) << 63, 8);
    put_tensor("t", GGUF_TYPE_F32, 8, 0);
    put_data(32, 32);
    REFUSED("t", "beyond the end");
    put_header(3, 1, 1);
    put_key("general.alignment", GGUF_U32), put_le(64, 4);
    put_tensor("t", GGUF_TYPE_F32, 8, 32);
    put_data(64, 64);
    REFUSED("t", "not a multiple of the alignment 64");
}

static void test_bad_tensors(void) {
    char name[66];
    memset(name, 'n', 65);
    name[65] = 0;
    static const struct {
        uint32_t type;
        uint64_t width, offset;
        const char *words;
    } cases[] = {
        {GGUF_TYPE_F32, 0, 0, "a dimension is 0"},
        {GGUF_TYPE_F32, UINT64_MAX, 0, "more than 2^63"},
        {GGUF_TYPE_F32, UINT64_MAX / 4 + 2, 0, "ends beyond the end"}, /* 4 bytes modulo 2^64 */
        {GGUF_TYPE_F32, 16, 8, "not a multiple of the alignment 32"},
        {GGUF_TYPE_F32, 17, 0, "ends beyond the end"},
        {GGUF_TYPE_F32, 9, 32, "ends beyond the end"},
        {GGUF_TYPE_F32, 8, 96, "beyond the end of the file"},
        {GGUF_TYPE_F32, 8, UINT64_MAX - 31, "beyond the end of the file"},
        {99, 8, 96, "beyond the end of the file"},
        {GGUF_TYPE_Q4_0, 33, 0, "not a multiple of the block of 32"},
        {GGUF_TYPE_Q4_K, 128, 0, "not a multiple of the block of 256"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_header(3, 1, 0);
        put_tensor("t", cases[i].type, cases[i].width, cases[i].offset);
        put_data(64, 32);
        REFUSED("t", cases[i].words);
    }
    put_header(3, 1, 0);
    put_tensor(name, GGUF_TYPE_F32, 8, 0), put_data(64, 32);
    REFUSED("", "65 bytes but the format allows 64");
    put_header(3, 1, 0);
    put_tensor("", GGUF_TYPE_F32, 8, 0), put_data(64, 32);
    REFUSED("", "a tensor name is empty");
    put_header(3, 1, 0);
    put_tensor("a\tb", GGUF_TYPE_F32, 8, 0), put_data(64, 32);
    REFUSED("", "0x09");
    put_header(3, 2, 0);
    put_tensor("t", GGUF_TYPE_F32, 8, 0), put_tensor("t", GGUF_TYPE_F32, 8, 32), put_data(64, 32);
    REFUSED("t", "the tensor appears twice");
    for (uint32_t n = 0; n < 6; n += 5) {
        put_header(3, 1, 0);
        put_string("t"), put_le(n, 4);
        for (int i = 0; i < 8; i++) put_le(1, 8);
        REFUSED("t", "1 to 4 are allowed");
    }
    put_header(3, 1, 0);
    put_string("t"), put_le(2, 4), put_le(UINT64_C(1) << 32, 8), put_le(UINT64_C(1) << 32, 8);
    put_le(0, 4), put_le(0, 8);
    REFUSED("t", "more than 2^63");
}

/* ---- files ------------------------------------------------------------------------------- */

static void check_path(const char *path, enum forma_status status, const char *words) {
    struct forma_error err;
    struct gguf *g = gguf_open(path, NULL, &err);
    if (!CHECK(!g && err.status == status && strstr(err.message, words)))
        fprintf(stderr, "%s: %s\n", path, g ? "opened" : err.message);
    gguf_close(g);
    CHECK(gguf_open(path, NULL, NULL) == NULL);
}

static void test_files(void) {
    char directory[64] = P_tmpdir "/forma-test-XXXXXX", path[80];
    check_path("fixtures", FORMA_EIO, "directory");
    check_path("fixtures/absent.gguf", FORMA_EIO, "No such file");
    check_path("/dev/null", FORMA_EIO, "not a regular file");
    check_path("LICENSE", FORMA_EMODEL, "not a GGUF file");
    if (!CHECK(mkdtemp(directory) != NULL)) return;
    snprintf(path, sizeof path, "%s/empty", directory);
    FILE *f = fopen(path, "w");
    if (CHECK(f != NULL)) fclose(f);
    check_path(path, FORMA_EMODEL, "empty");
    unlink(path);
    if (CHECK(mkfifo(path, 0600) == 0)) check_path(path, FORMA_EIO, "not a regular file");
    unlink(path);
    rmdir(directory);
}

static size_t read_fixture(unsigned char **data) {
    FILE *f = fopen(FIXTURE, "rb");
    *data = NULL;
    if (!CHECK(f != NULL)) return 0;
    fseek(f, 0, SEEK_END);
    size_t size = (size_t)ftell(f);
    rewind(f);
    *data = malloc(size);
    CHECK(*data && fread(*data, 1, size, f) == size);
    fclose(f);
    return size;
}

/* Opens and reads a byte of everything; the result is only that it is one or the other. */
static bool opens_or_explains(const unsigned char *data, size_t size) {
    struct forma_error err = {0};
    struct gguf *g = gguf_open_memory(data, size, NULL, &err);
    volatile unsigned sum = 0;
    if (!g) {
        size_t length = strlen(err.message);
        return err.status == FORMA_EMODEL && length > 10 && !strchr(err.message, '\n') &&
               err.offset <= size;
    }
    for (uint64_t i = 0; i < gguf_n_values(g); i++) {
        const struct gguf_value *v = gguf_value_at(g, i);
        if (v->bytes) sum += (unsigned)v->data[0] + v->data[v->bytes - 1];
    }
    for (uint64_t i = 0; i < gguf_n_tensors(g); i++) {
        const struct gguf_tensor *t = gguf_tensor_at(g, i);
        if (t->data) sum += (unsigned)t->data[0] + t->data[t->bytes - 1];
    }
    gguf_close(g);
    return sum != UINT32_MAX; /* always: keeps the reads */
}

static void test_hostile(void) {
    unsigned char *data;
    size_t size = read_fixture(&data), header = 0, wrong = 0;
    if (!data) return;
    struct gguf *g = gguf_open_memory(data, size, NULL, NULL);
    if (CHECK(g != NULL)) header = (size_t)(gguf_tensor_at(g, 0)->data - data);
    gguf_close(g);
    CHECK(header > 5000 && header < 20000);
    for (size_t n = 0; n <= header; n++) {
        unsigned char *cut = malloc(n ? n : 1); /* exact size: a sanitizer sees each step beyond */
        memcpy(cut, data, n);
        struct gguf *h = gguf_open_memory(cut, n, NULL, NULL);
        wrong += h != NULL; /* the weights are missing */
        gguf_close(h);
        wrong += !opens_or_explains(cut, n);
        free(cut);
    }
    CHECK_INT(wrong, 0);
    static const unsigned char flips[] = {0x01, 0x80, 0xff};
    for (size_t i = 0; i < header; i++)
        for (size_t j = 0; j < sizeof flips; j++) {
            data[i] ^= flips[j];
            wrong += !opens_or_explains(data, size);
            data[i] ^= flips[j];
        }
    CHECK_INT(wrong, 0);
    free(data);
}

/* ---- memory ------------------------------------------------------------------------------- */

struct failing {
    long left; /* allocations that still succeed */
    size_t held;
};

static void *failing_resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct failing *f = ctx;
    if (new_size && f->left-- <= 0) return NULL;
    f->held += new_size - old_size;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static void test_memory(void) {
    for (long n = 0;; n++) {
        struct failing f = {n, 0};
        struct forma_allocator a = {&f, failing_resize, NULL};
        struct forma_error err;
        struct gguf *g = gguf_open(FIXTURE, &a, &err);
        bool done = g != NULL;
        if (!done) CHECK_INT(err.status, FORMA_EMEMORY);
        gguf_close(g);
        CHECK_INT(f.held, 0);
        if (done || !CHECK(n < 100)) break;
    }
}

/* Many names in an order that is bad for a plain quicksort, and equal but for the last bytes. */
static void test_many_names(void) {
    const uint32_t n = 3000;
    put_header(3, n, 0);
    for (uint32_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "blk.weight.%06u", (i * 7919u) % n);
        put_tensor(name, GGUF_TYPE_F32, 8, 0);
    }
    put_data(64, 32);
    struct forma_error err = {0};
    unsigned char *copy;
    struct gguf *g = open_file(&copy, &err);
    if (CHECK(g != NULL)) {
        CHECK(gguf_find_tensor(g, "blk.weight.000000") != NULL);
        CHECK(gguf_find_tensor(g, "blk.weight.002999") != NULL);
        CHECK(gguf_find_tensor(g, "blk.weight.003000") == NULL);
    }
    gguf_close(g);
    free(copy);
}

int main(void) {
    test_good(2);
    test_good(3);
    test_types();
    test_bad_headers();
    test_bad_values();
    test_bad_arrays();
    test_bad_alignment();
    test_bad_tensors();
    test_files();
    test_hostile();
    test_memory();
    test_many_names();
    gguf_close(NULL);
    return test_done("gguf");
}
