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

/* The usual score: perhaps a minus, 1 to 8 digits, a point, 1 to 7 digits.  Exact, and
 * faster than scan, because nothing in it depends on the digits.  False when [p, end) is
 * anything else; then *out is untouched.  The 16 bytes before `end` must be readable. */
static inline bool assay_number_short(const char *p, const char *end, double *out)
{
    static const uint64_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    const uint64_t zeros = UINT64_C(0x3030303030303030);
    uint64_t high = assay_bytes_load(end - 8);
    uint64_t low;
    uint64_t other = high ^ UINT64_C(0x2E2E2E2E2E2E2E2E);
    uint64_t point =
        (other - UINT64_C(0x0101010101010101)) & ~other & UINT64_C(0x8080808080808080);
    unsigned at;     /* of the point, in `high` */
    unsigned n_part; /* digits behind it */
    size_t n_whole;  /* and before it */
    bool is_negative = *p == '-';
    uint64_t mask;
    uint64_t whole;
    uint64_t part;

    if (!point)
        return false;
    p += is_negative;
    at = assay_bytes_first(point) / 8;
    n_part = 7 - at;
    n_whole = (size_t)(end - p) - n_part - 1;
    if (n_part - 1 > 6 || n_whole - 1 > 7)
        return false;
    /* Eight bytes that end with the last digit, and eight that end before the point;
     * what is not of the number is replaced by zeros. */
    mask = ~UINT64_C(0) << (8 * (8 - n_part));
    high = (high & mask) | (zeros & ~mask);
    low = assay_bytes_load(end - 16 + at);
    mask = ~UINT64_C(0) << (8 * (8 - n_whole));
    low = (low & mask) | (zeros & ~mask);
    if (!assay_number_eight(high, &part) || !assay_number_eight(low, &whole))
        return false;
    /* Below 10^15: exact in a double, and so is the power of ten. */
    part += whole * power[n_part];
    *out = (double)(int64_t)part / (double)(int64_t)power[n_part];
    *out = is_negative ? -*out : *out;
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
