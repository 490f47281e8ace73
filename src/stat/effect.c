/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/effect.h"

#include <math.h>

double assay_effect_dz(const assay_sample *d)
{
    if (d->n && d->mean == 0)
        return 0;
    return d->spread > 0 ? d->mean / d->spread : NAN;
}

/* Over n, from what is over n - 1. */
static double variance_over_n(const assay_sample *s)
{
    return s->n ? s->spread * s->spread * (double)(s->n - 1) / (double)s->n : 0;
}

double assay_effect_d(const assay_sample *a, const assay_sample *b)
{
    const double root = sqrt((variance_over_n(a) + variance_over_n(b)) / 2);

    if (!a->n || !b->n)
        return NAN;
    return root > 0 ? (b->mean - a->mean) / root : 0;
}

const char *assay_effect_level(double effect)
{
    const double size = fabs(effect);

    if (isnan(size))
        return "unknown";
    if (size < 0.2)
        return "negligible";
    if (size < 0.5)
        return "small";
    return size < 0.8 ? "medium" : "large";
}
