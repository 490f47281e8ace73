/* SPDX-License-Identifier: Apache-2.0 */
/* White space and line breaks of 64 bytes at once, as bit masks. */
#ifndef ASSAY_BASE_SCAN_H
#define ASSAY_BASE_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

#include "base/compiler.h"

#if defined(ASSAY_HAS_AVX2)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { ASSAY_SCAN_BYTES = 64 };

typedef struct assay_scan {
    uint64_t space; /* bit i: byte i is white space as isspace in the C locale */
    uint64_t line;  /* bit i: byte i is a line feed */
} assay_scan;

static inline bool assay_scan_is_space(char c)
{
    return c == ' ' || (unsigned char)(c - '\t') < 5;
}

/* Look at p[0..64), all of which must be readable. */
static inline assay_scan assay_scan_block(const char *p)
{
    assay_scan out = {0, 0};
#if defined(__SSE2__)
    const __m128i blank = _mm_set1_epi8(' ');
    const __m128i feed = _mm_set1_epi8('\n');
    const __m128i tab = _mm_set1_epi8('\t');
    const __m128i four = _mm_set1_epi8(4);

    for (int i = 0; i < 4; i++) {
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        /* c - '\t' <= 4, unsigned: min leaves it alone */
        __m128i control = _mm_sub_epi8(b, tab);
        __m128i is_control = _mm_cmpeq_epi8(_mm_min_epu8(control, four), control);
        __m128i is_space = _mm_or_si128(_mm_cmpeq_epi8(b, blank), is_control);

        out.space |= (uint64_t)(uint32_t)_mm_movemask_epi8(is_space) << (16 * i);
        out.line |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(b, feed))
                    << (16 * i);
    }
#else
    for (int i = 0; i < ASSAY_SCAN_BYTES; i++) {
        out.space |= (uint64_t)assay_scan_is_space(p[i]) << i;
        out.line |= (uint64_t)(p[i] == '\n') << i;
    }
#endif
    return out;
}

#if defined(ASSAY_HAS_AVX2)
/* The same in two steps of 32 bytes. */
ASSAY_AVX2 static inline assay_scan assay_scan_block_wide(const char *p)
{
    const __m256i blank = _mm256_set1_epi8(' ');
    const __m256i feed = _mm256_set1_epi8('\n');
    const __m256i tab = _mm256_set1_epi8('\t');
    const __m256i four = _mm256_set1_epi8(4);
    assay_scan out = {0, 0};

    for (int i = 0; i < 2; i++) {
        __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32 * i));
        __m256i control = _mm256_sub_epi8(b, tab);
        __m256i is_control = _mm256_cmpeq_epi8(_mm256_min_epu8(control, four), control);
        __m256i is_space = _mm256_or_si256(_mm256_cmpeq_epi8(b, blank), is_control);
        __m256i is_feed = _mm256_cmpeq_epi8(b, feed);

        out.space |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_space) << (32 * i);
        out.line |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_feed) << (32 * i);
    }
    return out;
}
#endif

/* The same where fewer than 64 bytes are readable: the rest counts as line feeds. */
static inline assay_scan assay_scan_tail(const char *p, const char *end)
{
    char copy[ASSAY_SCAN_BYTES];

    if (end - p >= ASSAY_SCAN_BYTES)
        return assay_scan_block(p);
    memset(copy, '\n', sizeof copy);
    memcpy(copy, p, (size_t)(end - p));
    return assay_scan_block(copy);
}

#endif
