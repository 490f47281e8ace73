/* SPDX-License-Identifier: Apache-2.0 */
/* Student's t distribution.
 *
 *     P(T <= t) = 1 - I_x(df/2, 1/2) / 2   for t >= 0, x = df / (df + t^2)
 *
 * I_x is computed by its continued fraction (Abramowitz and Stegun 26.5.8), evaluated
 * from the front by Lentz's method.  The quantile is found by halving an interval, which
 * is slow, safe and gives the same bits everywhere. */
#include "stat/student.h"

#include <float.h>
#include <math.h>

/* The continued fraction; converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1;
    double d = 1 - (a + b) * x / (a + 1);
    double f;

    d = 1 / (fabs(d) < tiny ? tiny : d);
    f = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step;

        d = 1 + even * d;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = 1 + even / c;
        c = fabs(c) < tiny ? tiny : c;
        f *= d * c;
        d = 1 + odd * d;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = 1 + odd / c;
        c = fabs(c) < tiny ? tiny : c;
        step = d * c;
        f *= step;
        if (fabs(step - 1) < 4 * DBL_EPSILON)
            break;
    }
    return f;
}

double assay_beta_share(double a, double b, double x)
{
    double front;

    if (x <= 0)
        return 0;
    if (x >= 1)
        return 1;
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double assay_student_cdf(double t, double df)
{
    double tail = assay_beta_share(df / 2, 0.5, df / (df + t * t)) / 2;

    return t > 0 ? 1 - tail : tail;
}

double assay_student_quantile(double p, double df)
{
    double low = 0;
    double high = 1;

    if (p < 0.5)
        return -assay_student_quantile(1 - p, df);
    while (assay_student_cdf(high, df) < p && high < 1e300)
        high *= 2;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + (high - low) / 2;

        if (middle <= low || middle >= high)
            break;
        if (assay_student_cdf(middle, df) < p)
            low = middle;
        else
            high = middle;
    }
    return high;
}
