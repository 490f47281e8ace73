/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal text to double and back, exactly. */
#ifndef ASSAY_BASE_NUMBER_H
#define ASSAY_BASE_NUMBER_H

#include <stdbool.h>

#include "assay.h"

/* Room that assay_number_print needs. */
enum { ASSAY_NUMBER_TEXT = 32 };

/* The longest prefix of [p, end) that is a decimal number as strtod reads it, rounded
 * to nearest even.  Returns the end of the number, or `p` where there is none.  Also
 * takes what strtod takes beyond decimals (hex, inf, nan) when `is_lenient`. */
const char *assay_number_scan(const char *p, const char *end, bool is_lenient,
                              double *out);

/* The usual score, digits with or without a point, at most 8 digits before it and 8
 * behind: exact, and faster than scan.  False when [p, end) is anything else; then
 * *out is untouched. */
static inline bool assay_number_short(const char *p, const char *end, double *out)
{
    static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    uint64_t mantissa = 0;
    const char *point;
    bool is_negative = p < end && *p == '-';

    p += is_negative;
    point = p;
    while (p < end && (unsigned)(*p - '0') <= 9)
        mantissa = mantissa * 10 + (unsigned)(*p++ - '0');
    if (p == point || p - point > 8)
        return false;
    point = p;
    if (p < end && *p == '.') {
        p++;
        while (p < end && (unsigned)(*p - '0') <= 9)
            mantissa = mantissa * 10 + (unsigned)(*p++ - '0');
        if (p != end || p - point > 9)
            return false;
    }
    if (p != end)
        return false;
    /* 16 digits can exceed 2^53. */
    if (mantissa > (uint64_t)1 << 53)
        return false;
    *out = (double)mantissa / power[p > point ? p - point - 1 : 0];
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
