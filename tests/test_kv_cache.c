/* SPDX-License-Identifier: MIT
 *
 * The paged cache: blocks are handed out, come back and are never named twice. */
#include "runtime/kv_cache.h"
#include "test.h"

#define TOKENS    160
#define SEQUENCES 5

static const struct kv_shape shape = {KV_F32, 2, 2, 8, TOKENS, SEQUENCES};

/* Every block is free or in exactly one table; lengths fit the tables. */
static bool consistent(const struct kv_cache *kv) {
    uint32_t seen[TOKENS / KV_BLOCK_TOKENS] = {0}, used = 0;
    for (uint32_t i = 0; i < kv->n_free; i++) seen[kv->free_blocks[i]]++;
    for (uint32_t s = 0; s < kv->n_sequences; s++) {
        for (uint32_t t = 0; t < kv->lengths[s]; t += KV_BLOCK_TOKENS, used++) {
            uint32_t block = kv_block_of(kv, s, t);
            if (block >= kv->n_blocks || kv->users[block] != 1) return false;
            seen[block]++;
        }
    }
    for (uint32_t b = 0; b < kv->n_blocks; b++)
        if (seen[b] != 1) return false;
    return used + kv->n_free == kv->n_blocks;
}

static void test_random_walk(uint64_t seed) {
    uint64_t state = seed;
    struct kv_cache kv;
    CHECK_INT(kv_cache_init(&kv, &shape, NULL, NULL), FORMA_OK);
    long failed = test_failed;
    for (int i = 0; i < 3000 && test_failed == failed; i++) {
        uint32_t s = test_below(&state, SEQUENCES), n = test_below(&state, 40);
        uint32_t before = kv.lengths[s], n_free = kv.n_free;
        if (test_below(&state, 2)) {
            uint32_t needed = kv_cache_blocks_needed(&kv, s, n);
            bool fits = kv_cache_extend(&kv, s, n);
            CHECK(fits == (needed <= n_free));
            CHECK_INT(kv.lengths[s], fits ? before + n : before);
            CHECK_INT(kv.n_free, fits ? n_free - needed : n_free);
        } else {
            kv_cache_truncate(&kv, s, n);
            CHECK_INT(kv.lengths[s], n < before ? n : before);
        }
        CHECK(consistent(&kv));
    }
    if (test_failed != failed) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    kv_cache_destroy(&kv);
}

static void test_addresses(void) {
    struct kv_cache kv;
    CHECK_INT(kv_cache_init(&kv, &shape, NULL, NULL), FORMA_OK);
    CHECK_INT(kv.n_blocks, TOKENS / 16);
    CHECK_INT(kv.data_bytes, 2 * 2 * 2 * 8 * TOKENS * 4); /* K, V; layers; heads; dim; tokens */
    CHECK(kv_k(&kv, 1, kv.n_blocks - 1, 1) + 3 * kv.head_bytes == kv.data + kv.data_bytes);
    CHECK(kv_cache_extend(&kv, 3, 20));
    uint32_t block = kv_block_of(&kv, 3, 17);
    float *keys = (float *)(void *)kv_k(&kv, 1, block, 1), k[8], v[8];
    float *values = (float *)(void *)kv_v(&kv, 1, block, 1);
    for (int d = 0; d < 8; d++) {
        keys[d * 16 + 1] = (float)d;
        values[8 + d] = (float)(10 + d);
    }
    kv_cache_read(&kv, 1, 3, 17, 1, k, v);
    for (int d = 0; d < 8; d++) {
        CHECK_INT(k[d], d);
        CHECK_INT(v[d], 10 + d);
    }
    kv_cache_destroy(&kv);
}

static void test_bad_sizes(void) {
    struct forma_error err;
    struct kv_cache kv;
    struct kv_shape huge = {KV_F32, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    CHECK_INT(kv_cache_init(&kv, &huge, NULL, &err), FORMA_EINVAL);
    kv_cache_destroy(&kv);
    struct kv_shape empty = shape;
    empty.n_tokens = 0;
    CHECK_INT(kv_cache_init(&kv, &empty, NULL, &err), FORMA_EINVAL);
    kv_cache_destroy(&kv);
    CHECK_INT(kv_cache_init(&kv, &shape, NULL, &err), FORMA_OK);
    CHECK_INT(kv_cache_blocks_needed(&kv, 0, UINT32_MAX), UINT32_MAX / 16 + 1);
    CHECK(kv_cache_extend(&kv, 0, 1));
    CHECK_INT(kv_cache_blocks_needed(&kv, 0, UINT32_MAX), UINT32_MAX);
    CHECK(!kv_cache_extend(&kv, 0, UINT32_MAX));
    CHECK_INT(kv.lengths[0], 1);
    kv_cache_destroy(&kv);
}

int main(void) {
    for (uint64_t seed = 1; seed <= 5; seed++) test_random_walk(seed);
    test_addresses();
    test_bad_sizes();
    return test_done("kv_cache");
}
