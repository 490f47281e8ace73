/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal text to double and back, exactly. */
#ifndef ASSAY_BASE_NUMBER_H
#define ASSAY_BASE_NUMBER_H

#include <stdbool.h>

#include "assay.h"
#include "base/bytes.h"

/* Room that assay_number_print needs. */
enum { ASSAY_NUMBER_TEXT = 32 };

/* The longest prefix of [p, end) that is a decimal number as strtod reads it, rounded
 * to nearest even.  Returns the end of the number, or `p` where there is none.  Also
 * takes what strtod takes beyond decimals (hex, inf, nan) when `is_lenient`. */
const char *assay_number_scan(const char *p, const char *end, bool is_lenient,
                              double *out);

/* Eight digits as a number, by three multiplications; false when some are no digits.
 * `word` has the first character in its lowest byte. */
static inline bool assay_number_eight(uint64_t word, uint64_t *out)
{
    const uint64_t high = UINT64_C(0xF0F0F0F0F0F0F0F0);
    const uint64_t over = (word + UINT64_C(0x0606060606060606)) & high;

    if (((word & high) | over >> 4) != UINT64_C(0x3333333333333333))
        return false;
    word = (word & UINT64_C(0x0F0F0F0F0F0F0F0F)) * 2561 >> 8;
    word = (word & UINT64_C(0x00FF00FF00FF00FF)) * 6553601 >> 16;
    *out = (word & UINT64_C(0x0000FFFF0000FFFF)) * UINT64_C(42949672960001) >> 32;
    return true;
}

/* The usual score: 1 to 8 digits, a point, 1 to 8 digits.  Exact, and faster than scan.
 * False when [p, end) is anything else; then *out is untouched.  The 8 bytes before p
 * must be readable. */
static inline bool assay_number_short(const char *p, const char *end, double *out)
{
    static const uint64_t power[] = {1,      10,      100,      1000,     10000,
                                     100000, 1000000, 10000000, 100000000};
    bool is_negative = p < end && *p == '-';
    const char *start = p + is_negative;
    uint64_t whole = 0;
    uint64_t part;
    uint64_t word;
    uint64_t mask;
    unsigned n;

    for (p = start; p < end && (unsigned)(*p - '0') <= 9; p++)
        whole = whole * 10 + (unsigned)(*p - '0');
    if (p == start || p - start > 8 || end - p < 2 || end - p > 9 || *p != '.')
        return false;
    /* The last 8 bytes, those before the point's digits replaced by zeros. */
    n = (unsigned)(end - p - 1);
    word = assay_bytes_load(end - 8);
    mask = ~UINT64_C(0) << (8 * (8 - n));
    word = (word & mask) | (UINT64_C(0x3030303030303030) & ~mask);
    if (!assay_number_eight(word, &part))
        return false;
    part += whole * power[n];
    if (part > (uint64_t)1 << 53)
        return false;
    *out = (double)(int64_t)part / (double)(int64_t)power[n];
    if (is_negative)
        *out = -*out;
    return true;
}

/* The whole slice as a finite decimal number. */
bool assay_number_read(assay_slice s, double *out);

/* Write the fewest digits, at most 17, that read back as the same double, in the form
 * of %g: "0.1", "1e-07", "100000", "1e+15", "1" and "-0" are possible results.  Infinite
 * and NaN give "inf", "-inf", "nan".  Returns the length; `text` is terminated.  Neither
 * this nor reading depends on the locale. */
size_t assay_number_print(double value, char text[ASSAY_NUMBER_TEXT]);

#endif
