/* SPDX-License-Identifier: MIT
 *
 * Stop sequences: what comes out, when, and which sequence ended the text; against an oracle that
 * looks at the whole text after each byte.
 */
#include "runtime/stop.h"
#include "tests/test.h"

#define MAX_STOPS 4

static struct stop_scanner *make(const char *const *stops, size_t n) {
    struct forma_error err;
    struct stop_scanner *s = stop_new(stops, n, NULL, &err);
    if (!CHECK(s != NULL)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return s;
}

static void test_cases(void) {
    static const struct {
        const char *stops[MAX_STOPS];
        const char *text;
        const char *out; /* in all */
        int found;
        const char *before_end; /* what is out when the whole text is in and did not end */
    } cases[] = {
        {{NULL}, "anything", "anything", -1, "anything"},
        {{"END"}, "some text END more", "some text ", 0, NULL},
        {{"END"}, "ENEND", "EN", 0, NULL},
        {{"END"}, "the EN", "the EN", -1, "the "},
        {{"aab"}, "aaaab", "aa", 0, NULL},
        {{"abab"}, "abaabab", "aba", 0, NULL},
        {{"\n\n"}, "a\nb\n\n\n", "a\nb", 0, NULL},
        {{"x", "yx"}, "ayx", "a", 1, NULL}, /* they end together: the longer */
        {{"abcd", "bc"}, "abcd", "a", 1, NULL},
        {{"a", "ab"}, "ab", "", 0, NULL}, /* complete first */
        {{"abcX", "cY"}, "abcY", "ab", 1, NULL},
        {{"\xC3\xA9"}, "\xC3\xA8\xC3\xA9", "\xC3\xA8", 0, NULL},
        {{"END"}, "", "", -1, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = 0, used = 0, got = 0;
        while (n < MAX_STOPS && cases[i].stops[n]) n++;
        struct stop_scanner *s = make(cases[i].stops, n);
        char out[256];
        int found = -1;
        for (const char *p = cases[i].text; *p && found < 0; p++) {
            found = stop_push(s, (unsigned char)*p, true, out + used, &got);
            CHECK(got <= stop_capacity(s));
            used += got;
        }
        out[used] = '\0';
        if (cases[i].before_end) CHECK_STR(out, cases[i].before_end);
        used += stop_flush(s, out + used);
        out[used] = '\0';
        CHECK_STR(out, cases[i].out);
        CHECK_INT(found, cases[i].found);
        CHECK_INT(stop_flush(s, out), 0);
        stop_free(s);
    }
}

/* Under a form: `}` ends only where the text may end. */
static void test_may_end(void) {
    static const char *const stops[] = {"\n\n", "}"};
    static const char text[] = "{}\n\n";
    static const bool may_end[] = {false, false, true, true};
    struct stop_scanner *s = make(stops, 2);
    char out[16];
    size_t used = 0, n;
    int found = -1;
    for (size_t i = 0; text[i] && found < 0; i++) {
        found = stop_push(s, (unsigned char)text[i], may_end[i], out + used, &n);
        used += n;
    }
    out[used] = '\0';
    CHECK_INT(found, 0);
    CHECK_STR(out, "{}");
    stop_free(s);
}

static bool ends_with(const char *text, size_t length, const char *tail, size_t n) {
    return n <= length && memcmp(text + length - n, tail, n) == 0;
}

static void property_round(uint64_t seed) {
    uint64_t r = seed;
    char stops[MAX_STOPS][6], text[40], out[64];
    const char *list[MAX_STOPS];
    bool may_end[40], ok = true;
    size_t n_stops = 1 + test_below(&r, MAX_STOPS), n_text = test_below(&r, 40), used = 0;
    for (size_t i = 0; i < n_stops; i++) {
        size_t length = 1 + test_below(&r, 5);
        for (size_t j = 0; j < length; j++) stops[i][j] = (char)('a' + test_below(&r, 2));
        stops[i][length] = '\0';
        list[i] = stops[i];
    }
    bool always = test_below(&r, 2);
    for (size_t i = 0; i < n_text; i++) {
        text[i] = (char)('a' + test_below(&r, 12) / 5);
        may_end[i] = always || test_below(&r, 4) == 0;
    }
    struct stop_scanner *s = make(list, n_stops);
    for (size_t length = 1; length <= n_text && ok; length++) {
        size_t n, keep = 0, longest = 0;
        int found =
            stop_push(s, (unsigned char)text[length - 1], may_end[length - 1], out + used, &n);
        used += n;
        for (size_t i = 0; i < n_stops; i++) {
            size_t l = strlen(stops[i]);
            if (l > longest && ends_with(text, length, stops[i], l) && may_end[length - l])
                longest = l;
            for (size_t k = 1; k < l; k++)
                if (k > keep && ends_with(text, length, stops[i], k)) keep = k;
        }
        if (longest) {
            ok = found >= 0 && strlen(stops[found]) == longest && used == length - longest &&
                 memcmp(out, text, used) == 0;
            break;
        }
        ok = found < 0 && used == length - keep && memcmp(out, text, used) == 0;
    }
    if (!CHECK(ok)) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    stop_free(s);
}

static void test_refused(void) {
    struct forma_error err;
    static const char *const empty[] = {"a", ""};
    static const char *const broken[] = {"\xC3"};
    CHECK(stop_new(empty, 2, NULL, &err) == NULL);
    CHECK_INT(err.status, FORMA_EINVAL);
    CHECK(stop_new(broken, 1, NULL, &err) == NULL);
    CHECK_INT(err.status, FORMA_EINVAL);
    const char *many[STOP_MAX_SEQUENCES + 1];
    for (size_t i = 0; i <= STOP_MAX_SEQUENCES; i++) many[i] = "x";
    CHECK(stop_new(many, STOP_MAX_SEQUENCES + 1, NULL, &err) == NULL);
    static char longest[STOP_MAX_BYTES + 2];
    memset(longest, 'x', STOP_MAX_BYTES + 1);
    const char *one = longest;
    CHECK(stop_new(&one, 1, NULL, &err) == NULL);
    one++; /* as long as is allowed */
    struct stop_scanner *s = make(&one, 1);
    char out[STOP_MAX_BYTES + 1];
    size_t n;
    for (int i = 0; i < STOP_MAX_BYTES - 1; i++) {
        int found = stop_push(s, 'x', true, out, &n);
        if (found >= 0 || n) CHECK(false);
    }
    CHECK_INT(stop_push(s, 'y', true, out, &n), -1);
    CHECK_INT(n, STOP_MAX_BYTES);
    stop_free(s);
}

static long live, left;

static void *failing_resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx;
    (void)old_size;
    if (new_size == 0) {
        live -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    if (left-- <= 0) return NULL;
    live += ptr == NULL;
    return realloc(ptr, new_size);
}

static void test_memory(void) {
    static const char *const stops[] = {"abc", "d"};
    struct forma_allocator allocator = {NULL, failing_resize, NULL};
    struct forma_error err;
    struct stop_scanner *s = NULL;
    for (long n = 0; !s && n < 100; n++) {
        left = n;
        s = stop_new(stops, 2, &allocator, &err);
        if (!s) CHECK_INT(err.status, FORMA_EMEMORY);
        if (!s) CHECK_INT(live, 0);
    }
    CHECK(s != NULL);
    stop_free(s);
    CHECK_INT(live, 0);
}

int main(void) {
    test_cases();
    test_may_end();
    for (uint64_t seed = 1; seed <= 20000; seed++) property_round(seed);
    test_refused();
    test_memory();
    return test_done("stop");
}
