/* SPDX-License-Identifier: MIT
 *
 * FA_WIDE_LOOPS before a function: it is compiled for several widths of vectors, too, and the system
 * picks one when the program is loaded. For plain loops over long arrays, which compilers vectorise by
 * themselves. Not under sanitizers, which must not run before the program does.
 */
#ifndef FORMA_BASE_VECTORISE_H
#define FORMA_BASE_VECTORISE_H

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FA_WIDE_LOOPS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FA_WIDE_LOOPS
#endif

#endif
