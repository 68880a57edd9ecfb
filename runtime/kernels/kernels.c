/* SPDX-License-Identifier: MIT
 *
 * The CPU's tables, and which of them this machine may use. */
#include "runtime/kernels/kernels.h"

#include <string.h>

#include "base/error.h"
#include "runtime/kernels/internal.h"

#define CPU_TABLE(variant, text)                                                                   \
    const struct kernels *kernels_##variant(void) {                                                \
        static const struct kernels table = {                                                      \
            .name = text,                                                                          \
            .embed = op_embed,                                                                     \
            .rmsnorm = variant##_rmsnorm,                                                          \
            .matmul = variant##_matmul,                                                            \
            .rope = variant##_rope,                                                                \
            .kv_store = variant##_kv_store,                                                        \
            .attention = variant##_attention,                                                      \
            .swiglu = variant##_swiglu,                                                            \
            .add = variant##_add,                                                                  \
            .gather = op_gather,                                                                   \
        };                                                                                         \
        return &table;                                                                             \
    }

CPU_TABLE(reference, "reference")
CPU_TABLE(scalar, "scalar")
CPU_TABLE(avx2, "avx2")
CPU_TABLE(avx512, "avx512 (VNNI)")

/* The compiler's run time asks CPUID, and XGETBV for the registers that the system saves. F16C has
 * no name in older compilers; every CPU with AVX2 has it. */
static bool has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

static bool has_avx512(void) {
#if defined(__x86_64__)
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vnni");
#else
    return false;
#endif
}

const struct kernels *kernels_find(const char *name, struct forma_error *err) {
    if (!name)
        return has_avx512() ? kernels_avx512() : has_avx2() ? kernels_avx2() : kernels_scalar();
    const char *lacks = NULL;
    if (strcmp(name, "scalar") == 0) return kernels_scalar();
    if (strcmp(name, "avx2") == 0) {
        if (has_avx2()) return kernels_avx2();
        lacks = "AVX2 with FMA";
    } else if (strcmp(name, "avx512") == 0) {
        if (has_avx512()) return kernels_avx512();
        lacks = "AVX-512 (F, BW, VL, DQ) with VNNI";
    }
    if (lacks)
        error_set(err, FORMA_EUNSUPPORTED,
                  "this CPU or system does not grant %s; leave the choice "
                  "of kernels out or take \"scalar\"",
                  lacks);
    else
        error_set(err, FORMA_EINVAL, "there are no kernels \"%.40s\"; take scalar, avx2 or avx512",
                  name);
    return NULL;
}
