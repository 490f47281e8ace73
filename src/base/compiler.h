/* SPDX-License-Identifier: Apache-2.0 */
/* The only place for what compilers spell differently. */
#ifndef ASSAY_BASE_COMPILER_H
#define ASSAY_BASE_COMPILER_H

#if defined(__GNUC__)
#define ASSAY_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define ASSAY_LIKELY(x)         __builtin_expect(!!(x), 1)
#define ASSAY_UNLIKELY(x)       __builtin_expect(!!(x), 0)
#define ASSAY_PREFETCH(p)       __builtin_prefetch(p)
#define ASSAY_NOINLINE          __attribute__((noinline))
#define ASSAY_INLINE            inline __attribute__((always_inline))
#else
#define ASSAY_PRINTF(fmt, args)
#define ASSAY_LIKELY(x)   (x)
#define ASSAY_UNLIKELY(x) (x)
#define ASSAY_PREFETCH(p) ((void)(p))
#define ASSAY_NOINLINE
#define ASSAY_INLINE inline
#endif

/* Whether the first byte of a word in memory is its lowest, and the compiler can say
 * which bit is set first: then scans may look at eight bytes at once. */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ASSAY_HAS_WORD_SCAN     1
#define ASSAY_TRAILING_ZEROS(x) ((unsigned)__builtin_ctzll(x))
#else
#define ASSAY_HAS_WORD_SCAN     0
#define ASSAY_TRAILING_ZEROS(x) 0U
#endif

/* 128-bit arithmetic, where there is any. */
#ifdef __SIZEOF_INT128__
#define ASSAY_HAS_U128         1
#define ASSAY_LEADING_ZEROS(x) __builtin_clzll(x)
__extension__ typedef unsigned __int128 assay_u128;
#else
#define ASSAY_HAS_U128 0
#endif

/* One function compiled twice, the second time for processors with AVX2 and BMI.  Ask
 * assay_has_avx2() before calling that one. */
#if defined(__GNUC__) && defined(__x86_64__)
#define ASSAY_HAS_AVX2 1
#define ASSAY_AVX2     __attribute__((target("avx2,bmi")))
static inline int assay_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
}
#endif

/* The same for the SHA instructions.  Other compilers than gcc cannot name the feature, and
 * asking the processor itself takes longer than hashing a page. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define ASSAY_HAS_SHA_NI 1
#define ASSAY_SHA_NI     __attribute__((target("sha,sse4.1")))
static inline int assay_has_sha_ni(void)
{
    return __builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1");
}
#endif

/* The same for kernels of arithmetic: AVX2 and fused multiply-add, asked for by name, so
 * that the compiler fuses nothing by itself. */
#if defined(__GNUC__) && defined(__x86_64__)
#define ASSAY_HAS_FMA 1
#define ASSAY_FMA     __attribute__((target("avx2,fma")))
static inline int assay_has_fma(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

#define ASSAY_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
