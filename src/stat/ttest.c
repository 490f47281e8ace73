/* SPDX-License-Identifier: Apache-2.0 */
/* Student's t tests and intervals.
 *
 *     paired    t = mean / (spread / sqrt n),                         df = n - 1
 *     student   pooled variance ((na-1) va + (nb-1) vb) / (na+nb-2),  df = na + nb - 2
 *     welch     va/na + vb/nb,  df by Welch and Satterthwaite */
#include "stat/ttest.h"

#include <math.h>

#include "stat/student.h"

static double standard_error(const assay_sample *d)
{
    return d->spread / sqrt((double)d->n);
}

static assay_ttest two_sided(double t, double df)
{
    return (assay_ttest){t, df, 2 * assay_student_tail(fabs(t), df)};
}

assay_ttest assay_ttest_paired(const assay_sample *d)
{
    const double df = (double)d->n - 1;

    if (!d->n)
        return (assay_ttest){NAN, 0, NAN};
    if (d->n == 1)
        return (assay_ttest){0, 0, 1};
    if (d->spread > 0)
        return two_sided(d->mean / standard_error(d), df);
    if (d->mean == 0)
        return (assay_ttest){0, df, 1};
    return (assay_ttest){d->mean > 0 ? INFINITY : -INFINITY, df, 0};
}

/* Half the width of the interval whose one side is missed with chance alpha; NaN where one
 * value says nothing of the spread. */
static double half_width(const assay_sample *d, double alpha)
{
    if (!d->n || (d->n == 1 && d->mean != 0))
        return NAN;
    if (!(d->spread > 0))
        return 0;
    return assay_student_quantile(1 - alpha, (double)d->n - 1) * standard_error(d);
}

assay_interval assay_ttest_interval(const assay_sample *d, double confidence)
{
    const double half = half_width(d, (1 - confidence) / 2);

    return (assay_interval){d->mean - half, d->mean + half};
}

double assay_ttest_low(const assay_sample *d, double alpha)
{
    return d->mean - half_width(d, alpha);
}

double assay_ttest_high(const assay_sample *d, double alpha)
{
    return d->mean + half_width(d, alpha);
}

double assay_ttest_above(const assay_sample *d, double limit)
{
    if (!d->n || (d->n == 1 && d->mean != 0))
        return 1;
    if (!(d->spread > 0))
        return d->mean > limit ? 0 : 1;
    return assay_student_tail((d->mean - limit) / standard_error(d), (double)d->n - 1);
}

double assay_ttest_below(const assay_sample *d, double limit)
{
    assay_sample turned = *d;

    turned.mean = -d->mean;
    return assay_ttest_above(&turned, -limit);
}

/* Whether two samples can be compared at all. */
static bool has_spread(const assay_sample *a, const assay_sample *b)
{
    return a->n >= 2 && b->n >= 2 && (a->spread > 0 || b->spread > 0);
}

static assay_ttest no_test(const assay_sample *a, const assay_sample *b)
{
    return (assay_ttest){0, 0, a->n && b->n ? 1 : NAN};
}

assay_ttest assay_ttest_student(const assay_sample *a, const assay_sample *b)
{
    const double na = (double)a->n;
    const double nb = (double)b->n;
    double pooled;

    if (!has_spread(a, b))
        return no_test(a, b);
    pooled = ((na - 1) * a->spread * a->spread + (nb - 1) * b->spread * b->spread) /
             (na + nb - 2);
    return two_sided((b->mean - a->mean) / sqrt(pooled * (1 / na + 1 / nb)), na + nb - 2);
}

assay_ttest assay_ttest_welch(const assay_sample *a, const assay_sample *b)
{
    const double na = (double)a->n;
    const double nb = (double)b->n;
    double va;
    double vb;

    if (!has_spread(a, b))
        return no_test(a, b);
    va = a->spread * a->spread / na;
    vb = b->spread * b->spread / nb;
    return two_sided((b->mean - a->mean) / sqrt(va + vb),
                     (va + vb) * (va + vb) / (va * va / (na - 1) + vb * vb / (nb - 1)));
}
