/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal text to double and back.
 *
 * Reading: with at most 19 digits of mantissa that fit in 53 bits and a power of ten
 * up to 10^22 both are exact doubles, so that one multiplication or division rounds
 * correctly (Clinger 1990).  Everything else goes to strtod.
 */
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

enum { EXACT_POWER = 22, MOST_DIGITS = 19, LONGEST_COPY = 1100 };

static const double power_of_ten[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* strtod needs a terminated copy; beyond LONGEST_COPY digits nothing can change the
 * rounding except by a tie that no real file holds, and strtod of the prefix is it. */
static const char *scan_slow(const char *p, const char *end, double *out)
{
    char copy[LONGEST_COPY];
    size_t n = (size_t)(end - p) < sizeof copy - 1 ? (size_t)(end - p) : sizeof copy - 1;
    char *stop;

    memcpy(copy, p, n);
    copy[n] = '\0';
    *out = strtod(copy, &stop);
    return p + (stop - copy);
}

static const char *scan_digits(const char *p, const char *end, uint64_t *mantissa,
                               int *n_digits)
{
    while (p < end && (unsigned)(*p - '0') <= 9) {
        *mantissa = *mantissa * 10 + (unsigned)(*p - '0');
        /* Leading zeros do not count as digits. */
        *n_digits += *mantissa != 0;
        p++;
    }
    return p;
}

const char *assay_number_scan(const char *p, const char *end, bool is_lenient, double *out)
{
    const char *start = p;
    bool is_negative = p < end && *p == '-';
    uint64_t mantissa = 0;
    int n_digits = 0;
    int exponent = 0;
    const char *whole;
    const char *point;

    p += p < end && (*p == '-' || *p == '+');
    whole = p;
    p = scan_digits(p, end, &mantissa, &n_digits);
    point = p;
    if (p < end && *p == '.') {
        p = scan_digits(p + 1, end, &mantissa, &n_digits);
        exponent = -(int)(p - point - 1 < 10000 ? p - point - 1 : 10000);
    }
    if (p - whole - (p > point) <= 0) {
        /* No digit: inf, nan, or nothing. */
        return is_lenient ? scan_slow(start, end, out) : start;
    }
    if (p < end && ((*p | 0x20) == 'e' || ((*p | 0x20) == 'x' && is_lenient)))
        return scan_slow(start, end, out);
    if (ASSAY_LIKELY(n_digits <= MOST_DIGITS && mantissa <= (uint64_t)1 << 53 &&
                     exponent >= -EXACT_POWER)) {
        double value = (double)mantissa / power_of_ten[-exponent];

        *out = is_negative ? -value : value;
        return p;
    }
    return scan_slow(start, p, out);
}

bool assay_number_read(assay_slice s, double *out)
{
    double value = 0;

    if (!s.len || assay_number_scan(s.ptr, s.ptr + s.len, false, &value) != s.ptr + s.len)
        return false;
    if (!isfinite(value))
        return false;
    *out = value;
    return true;
}

size_t assay_number_print(double value, char text[ASSAY_NUMBER_TEXT])
{
    int n = 0;

    if (isnan(value))
        return (size_t)snprintf(text, ASSAY_NUMBER_TEXT, "nan");
    /* Most values need 15 to 17 digits or very few. */
    for (int digits = 15; digits <= 17; digits++) {
        n = snprintf(text, ASSAY_NUMBER_TEXT, "%.*g", digits, value);
        if (isinf(value) || strtod(text, NULL) == value)
            break;
    }
    return (size_t)n;
}
