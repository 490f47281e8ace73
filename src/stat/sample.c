/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/sample.h"

#include <math.h>

/* What rounding may do to a difference of two values. */
static const double rounding = 1e-12;

assay_sample assay_sample_of(const double *value, size_t n)
{
    assay_sample s = {.n = n, .mean = NAN, .is_constant = true};
    double sum = 0;
    double squares = 0;

    if (!n)
        return s;
    for (size_t i = 0; i < n; i++) {
        sum += value[i];
        s.magnitude += fabs(value[i]);
        s.is_constant = s.is_constant && value[i] == value[0];
    }
    /* The mean of equal values is that value, whatever the sum was rounded to. */
    s.mean = s.is_constant ? value[0] : sum / (double)n;
    if (s.is_constant)
        return s;
    for (size_t i = 0; i < n; i++)
        squares += (value[i] - s.mean) * (value[i] - s.mean);
    s.spread = sqrt(squares / (double)(n - 1));
    return s;
}

void assay_sample_pair(const double *a, const double *b, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) {
        const double d = b[i] - a[i];

        out[i] = fabs(d) <= rounding * fmax(fabs(a[i]), fabs(b[i])) ? 0 : d;
    }
}
