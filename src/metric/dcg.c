/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/dcg.h"

#include <stdlib.h>

/* The gain that the user gave `grade`, or null. */
static const assay_gain *given_gain(const assay_value *gains, int32_t grade)
{
    for (uint32_t i = 0; i < gains->n_gains; i++)
        if (gains->gain[i].grade == grade)
            return &gains->gain[i];
    return NULL;
}

double assay_dcg_gain(const assay_dcg *d, int32_t grade)
{
    const assay_gain *given = d->gains ? given_gain(d->gains, grade) : NULL;
    double gain = given ? given->gain : grade > 0 ? (double)grade : 0.0;

    return d->is_exponential ? exp2(gain) - 1.0 : gain;
}

static int by_gain_falling(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x < y) - (x > y);
}

/* Gains of the judged things that are above 0, highest first, in q->scratch. */
static void set_ideal(assay_dcg *d)
{
    const assay_judged *q = d->q;
    uint32_t n = 0;

    for (uint32_t i = 0; i < q->n_ideal; i++) {
        double gain = assay_dcg_gain(d, q->ideal[i]);

        if (gain > 0.0)
            q->scratch[n++] = gain;
    }
    if (d->gains)
        qsort(q->scratch, n, sizeof q->scratch[0], by_gain_falling);
    d->ideal = q->scratch;
    d->n_ideal = n;
}

assay_dcg assay_dcg_open(const assay_judged *q, const assay_value *gains,
                         bool is_exponential)
{
    assay_dcg d = {.q = q, .is_exponential = is_exponential};

    if (gains && gains->n_gains)
        d.gains = gains;

    if (q->is_evidence) {
        d.pos = q->found_pos;
        d.grade = q->found_grade;
        d.n = q->n_found;
    } else if (d.gains &&
               (given_gain(gains, ASSAY_POOLED) || given_gain(gains, ASSAY_UNPOOLED))) {
        d.n = q->n_ranked;
    } else {
        d.pos = q->pool_pos;
        d.n = q->n_pool_pos;
    }

    if (d.gains || is_exponential)
        set_ideal(&d);
    else
        while (d.n_ideal < q->n_ideal && q->ideal[d.n_ideal] > 0)
            d.n_ideal++;
    return d;
}
