/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/distributions.h"

#include <math.h>

#include "stat/student.h"

static const double root_half = 0.70710678118654752440;

double assay_normal_cdf(double z)
{
    return erfc(-z * root_half) / 2;
}

double assay_normal_tail(double z)
{
    return erfc(z * root_half) / 2;
}

/* Newton's method on the logarithm of the tail, which is nearly a parabola: from the rough
 * formula of Abramowitz and Stegun 26.2.23 it is there in three or four steps. */
double assay_normal_quantile(double p)
{
    const double root_2pi = 2.50662827463100050242;
    const double tail = p < 0.5 ? p : 1 - p;
    double z;
    double t;

    if (p == 0.5)
        return 0;
    t = sqrt(-2 * log(tail));
    z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int i = 0; i < 8; i++) {
        const double have = assay_normal_tail(z);
        const double density = exp(-z * z / 2) / root_2pi;
        const double step = log(have / tail) * have / density;

        z += step;
        if (fabs(step) <= 1e-16 * fabs(z))
            break;
    }
    return p < 0.5 ? -z : z;
}

double assay_binomial_share(uint32_t k, uint32_t n, double p)
{
    if (k > n)
        return 0;
    if (p <= 0)
        return k == 0;
    if (p >= 1)
        return k == n;
    return assay_beta_front(k, n - k, p, 1 - p);
}

double assay_binomial_cdf(uint32_t k, uint32_t n, double p)
{
    if (k >= n)
        return 1;
    return assay_beta_share(n - k, k + 1.0, 1 - p);
}

/* With S the root of a chi-square over its degrees of freedom,
 *
 *     P(T >= t) = integral of f_S(s) P(Z >= t s - delta) ds
 *
 * by Simpson's rule.  f_S is known up to a factor, which is what its own integral says. */
double assay_noncentral_tail(double t, double df, double delta)
{
    enum { STEPS = 1024 };
    const double wide = 9 / sqrt(2 * df);
    const double from = wide < 1 ? 1 - wide : 0;
    const double step = (1 + wide - from) / STEPS;
    double sum = 0;
    double all = 0;

    for (int i = 0; i <= STEPS; i++) {
        const double s = from + i * step;
        const double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        double density;

        if (s <= 0)
            density = df <= 1 ? exp(0.5 * df) : 0;
        else
            density = exp((df - 1) * log(s) - df * (s * s - 1) / 2);
        all += weight * density;
        sum += weight * density * assay_normal_tail(t * s - delta);
    }
    return sum / all;
}
