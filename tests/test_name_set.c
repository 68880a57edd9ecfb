/* SPDX-License-Identifier: MIT
 *
 * Sets of names against bit arrays: membership, subsets, visits, equal sets have equal ids whatever the
 * order, and growth that does not cost the length squared.
 */
#include "automaton/name_set.h"
#include "tests/test.h"

enum { NAMES = 4096 };

struct visit {
    bool met[NAMES];
    size_t n, stop_after;
};

static bool meet(void *ctx, uint32_t name) {
    struct visit *v = ctx;
    CHECK(name < NAMES && !v->met[name]);
    if (name < NAMES) v->met[name] = true;
    return ++v->n != v->stop_after;
}

/* Names added in a random order; the same set whatever the order. */
static void test_sets(uint64_t seed) {
    struct arena arena;
    struct name_set_store s;
    uint64_t random = seed;
    if (!CHECK(arena_init(&arena, NULL, (size_t)1 << 28)) ||
        !CHECK(name_set_store_init(&s, &arena)))
        return;
    for (int round = 0; round < 200; round++) {
        uint32_t range = 1 + test_below(&random, round % 2 ? 20 : NAMES - 1);
        uint32_t list[200], n = test_below(&random, 200);
        bool in[NAMES] = {false};
        name_set set = NAME_SET_EMPTY, other = NAME_SET_EMPTY;
        for (uint32_t i = 0; i < n; i++) {
            list[i] = test_below(&random, range);
            name_set before = set;
            set = name_set_add(&s, set, list[i]);
            CHECK_INT(set == before, in[list[i]]);
            in[list[i]] = true;
        }
        for (uint32_t i = n; i > 0; i--) other = name_set_add(&s, other, list[i - 1]);
        CHECK_INT(set, other);
        struct visit v = {.n = 0};
        name_set_visit(&s, set, meet, &v);
        for (uint32_t i = 0; i < NAMES; i++)
            if (name_set_has(&s, set, i) != in[i] || v.met[i] != in[i]) CHECK_INT(i, -1);
        /* Some of the names, now and then with one more. */
        name_set part = NAME_SET_EMPTY;
        bool within = true;
        for (uint32_t i = test_below(&random, n + 1); i > 0; i--)
            part = name_set_add(&s, part, list[i - 1]);
        if (test_below(&random, 2)) {
            uint32_t more = test_below(&random, range);
            part = name_set_add(&s, part, more);
            within = in[more];
        }
        CHECK_INT(name_set_within(&s, part, set), within);
        CHECK(name_set_within(&s, NAME_SET_EMPTY, part) && name_set_within(&s, set, set));
        struct visit two = {.stop_after = 2};
        name_set_visit(&s, set, meet, &two);
        CHECK_INT(two.n, v.n < 2 ? v.n : 2);
    }
    arena_destroy(&arena);
}

/* Every prefix of a long object is a set of its own: O(log n) nodes each. */
static void test_growth(void) {
    struct arena arena;
    struct name_set_store s;
    if (!CHECK(arena_init(&arena, NULL, (size_t)1 << 30)) ||
        !CHECK(name_set_store_init(&s, &arena)))
        return;
    name_set set = NAME_SET_EMPTY;
    for (uint32_t i = 1; i <= 100000; i++) set = name_set_add(&s, set, i);
    CHECK(s.nodes.count < 100000u * 20);
    CHECK(name_set_has(&s, set, 1) && name_set_has(&s, set, 100000));
    CHECK(!name_set_has(&s, set, 100001) && !name_set_has(&s, set, 0));
    /* ids that differ in the highest bit only */
    name_set far = name_set_add(&s, name_set_add(&s, NAME_SET_EMPTY, 5), 5u | 1u << 31);
    CHECK(name_set_has(&s, far, 5) && name_set_has(&s, far, 5u | 1u << 31));
    CHECK(!name_set_has(&s, far, 5u | 1u << 30));
    arena_destroy(&arena);
}

/* Each push that can fail, failing: no crash, and the failure sticks. */
static void test_failure(void) {
    for (size_t after = 0; after < 40; after++) {
        struct arena arena;
        struct name_set_store s;
        if (!CHECK(arena_init(&arena, NULL, (size_t)1 << 24))) return;
        arena.fail_after = after;
        if (name_set_store_init(&s, &arena)) {
            name_set set = NAME_SET_EMPTY;
            for (uint32_t i = 1; i < 2000; i++) set = name_set_add(&s, set, i * 7);
            CHECK(arena.failed || name_set_has(&s, set, 7 * 1999));
        } else {
            CHECK(arena.failed);
        }
        arena_destroy(&arena);
    }
}

int main(void) {
    test_sets(11);
    test_sets(12);
    test_growth();
    test_failure();
    return test_done("name set");
}
