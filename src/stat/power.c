/* SPDX-License-Identifier: Apache-2.0 */
/* Power of the one-sided paired t test.  A true drop D makes t noncentral, off by
 * D sqrt(n) / spread; the power is the chance that it is above the critical value. */
#include "stat/power.h"

#include <math.h>

#include "stat/distributions.h"
#include "stat/student.h"

/* From here on t is normal to more digits than planning needs. */
static const uint32_t many = 100000;

static double power_at(double delta, uint32_t n, double alpha)
{
    if (n >= many)
        return assay_normal_tail(-assay_normal_quantile(alpha) - delta);
    return assay_noncentral_tail(assay_student_quantile(1 - alpha, n - 1.0), n - 1.0,
                                 delta);
}

double assay_power_of(double drop, double spread, uint32_t n, double alpha)
{
    if (n < 2)
        return 0;
    if (!(spread > 0))
        return drop > 0 ? 1 : alpha;
    return power_at(drop * sqrt((double)n) / spread, n, alpha);
}

/* The noncentrality that gives this power, by halving. */
static double delta_for(uint32_t n, double alpha, double power)
{
    const double critical = n >= many ? 0 : assay_student_quantile(1 - alpha, n - 1.0);
    double low = 0;
    double high = 1;

    if (n >= many)
        return assay_normal_quantile(power) - assay_normal_quantile(alpha);
    while (assay_noncentral_tail(critical, n - 1.0, high) < power && high < 1e6)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        const double middle = low + (high - low) / 2;

        if (assay_noncentral_tail(critical, n - 1.0, middle) < power)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double assay_power_drop(double spread, uint32_t n, double alpha, double power)
{
    if (n < 2)
        return NAN;
    if (!(spread > 0))
        return 0;
    return delta_for(n, alpha, power) * spread / sqrt((double)n);
}

uint32_t assay_power_queries(double drop, double spread, double alpha, double power)
{
    const uint32_t most = INT32_MAX;
    uint32_t low = 1; /* too few */
    uint32_t high = 2;

    if (!(drop > 0))
        return 0;
    while (assay_power_of(drop, spread, high, alpha) < power) {
        low = high;
        if (high == most)
            return 0;
        high = high > most / 2 ? most : high * 2;
    }
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (assay_power_of(drop, spread, middle, alpha) < power)
            low = middle;
        else
            high = middle;
    }
    return high;
}
