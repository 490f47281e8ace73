/* SPDX-License-Identifier: Apache-2.0 */
/* White space and line breaks of 64 bytes at once, as bit masks. */
#ifndef ASSAY_BASE_SCAN_H
#define ASSAY_BASE_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
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

/* Index of the lowest bit that is set; bits must not be 0. */
static inline unsigned assay_scan_first(uint64_t bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned n = 0;

    while (!(bits >> n & 1))
        n++;
    return n;
#endif
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
