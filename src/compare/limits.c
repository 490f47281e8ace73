/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/limits.h"

#include <math.h>

#include "base/number.h"
#include "base/slice.h"

bool assay_limit_above(double value, double limit)
{
    return value > limit + ASSAY_LIMIT_SLACK;
}

bool assay_limit_below(double value, double limit)
{
    return value < limit - ASSAY_LIMIT_SLACK;
}

const char *assay_limit_sign_text(assay_limit_sign sign)
{
    static const char *const text[] = {">=", "<=", ">", "<"};

    return text[sign];
}

bool assay_limit_holds(double value, assay_limit_sign sign, double limit)
{
    if (isnan(value))
        return false;
    switch (sign) {
    case ASSAY_LIMIT_AT_LEAST: return !assay_limit_below(value, limit);
    case ASSAY_LIMIT_AT_MOST: return !assay_limit_above(value, limit);
    case ASSAY_LIMIT_MORE: return assay_limit_above(value, limit);
    case ASSAY_LIMIT_LESS: return assay_limit_below(value, limit);
    }
    return false;
}

bool assay_allowance_parse(assay_slice text, assay_allowance *out)
{
    assay_slice s = assay_slice_trim(text);
    const bool is_share = s.len && s.ptr[s.len - 1] == '%';
    const char *end;
    double value;

    s.len -= is_share;
    s = assay_slice_trim(s);
    if (!s.len)
        return false;
    end = assay_number_scan(s.ptr, s.ptr + s.len, false, &value);
    if (end != s.ptr + s.len || !(value >= 0) || isinf(value))
        return false;
    *out = (assay_allowance){is_share ? value / 100 : value, is_share};
    return true;
}

double assay_allowance_of(const assay_allowance *allowance, double before)
{
    return allowance->is_share ? allowance->value * fabs(before) : allowance->value;
}

bool assay_limit_tolerates(double before, double after, double tolerance)
{
    return assay_limit_holds(before - after, ASSAY_LIMIT_AT_MOST, tolerance);
}
