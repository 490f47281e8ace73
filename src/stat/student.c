/* SPDX-License-Identifier: Apache-2.0 */
/* Student's t distribution.
 *
 *     P(T >= t) = I_x(df/2, 1/2) / 2   for t >= 0, x = df / (df + t^2)
 *
 * I_x is computed by its continued fraction (Abramowitz and Stegun 26.5.8), evaluated
 * from the front by Lentz's method.  What stands before the fraction is a binomial
 * probability in all but name and is computed as one (Loader 2000): differences of
 * logarithms of gamma functions would lose four digits at a few thousand degrees of
 * freedom.  The quantile is found by halving an interval, which is slow, safe and gives
 * the same bits everywhere. */
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
    for (int m = 1; m < 100000; m++) {
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

/* log(n!) less Stirling's formula (n + 1/2) log n - n + log(2 pi) / 2. */
static double stirling_rest(double n)
{
    const double half_log_2pi = 0.91893853320467274178;
    const double s = n * n;

    if (n <= 0)
        return 0;
    if (n < 16)
        return lgamma(n + 1) - (n + 0.5) * log(n) + n - half_log_2pi;
    return (1 / 12.0 -
            (1 / 360.0 - (1 / 1260.0 - (1 / 1680.0 - 1 / 1188.0 / s) / s) / s) / s) /
           n;
}

/* x log(x / mean) + mean - x, which is small where x is near the mean. */
static double deviance(double x, double mean)
{
    const double v = (x - mean) / (x + mean);
    double sum = (x - mean) * v;
    double term = 2 * x * v;

    if (fabs(x - mean) >= 0.1 * (x + mean))
        return x * log(x / mean) + mean - x;
    for (int j = 1; j < 1000; j++) {
        double next;

        term *= v * v;
        next = sum + term / (2 * j + 1);
        if (next == sum)
            break;
        sum = next;
    }
    return sum;
}

double assay_beta_front(double a, double b, double x, double y)
{
    const double two_pi = 6.28318530717958647693;
    const double n = a + b;
    double log_share;

    if (a <= 0)
        return b <= 0 ? 1 : exp(b < 1e-3 || y > 0.5 ? b * log1p(-x) : b * log(y));
    if (b <= 0)
        return exp(a < 1e-3 || x > 0.5 ? a * log1p(-y) : a * log(x));
    log_share = stirling_rest(n) - stirling_rest(a) - stirling_rest(b) -
                deviance(a, n * x) - deviance(b, n * y);
    return exp(log_share) * sqrt(n / (two_pi * a * b));
}

/* I_x(a, b), given y = 1 - x too, which may be too small to be had from x. */
static double beta_share(double a, double b, double x, double y)
{
    double front;

    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    front = assay_beta_front(a, b, x, y) * a * b / (a + b);
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

double assay_beta_share(double a, double b, double x)
{
    return beta_share(a, b, x, 1 - x);
}

double assay_student_tail(double t, double df)
{
    double both;

    if (isinf(t))
        return t > 0 ? 0 : 1;
    both = beta_share(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t));
    return t > 0 ? both / 2 : 1 - both / 2;
}

double assay_student_cdf(double t, double df)
{
    return assay_student_tail(-t, df);
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
