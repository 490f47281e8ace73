/* SPDX-License-Identifier: Apache-2.0 */
/* What the gain metrics share: the gains of the hits, and those of the ideal ranking.
 *
 * By default the gain is the grade, and only hits in the pool can have one, so that the
 * walk is over pool_pos[].  With gains of the user's own every judged grade can have any
 * gain, and even what nobody judged: ASSAY_POOLED and ASSAY_UNPOOLED may stand among the
 * gains (trec_eval's levels -2 and -1).  At the level of evidence the things found take
 * the place of the hits. */
#ifndef ASSAY_METRIC_DCG_H
#define ASSAY_METRIC_DCG_H

#include "metric/metric.h"

typedef struct assay_dcg {
    const assay_judged *q;
    const uint32_t *pos;      /* positions that may gain; null: hit i is at position i */
    const int32_t *grade;     /* by hit; null: by position, in q->grade */
    uint32_t n;               /* hits to walk */
    const assay_value *gains; /* the user's own, or null */
    bool is_exponential;      /* gain 2^g - 1 instead of g */
    const double *ideal; /* all gains above 0, highest first; null: q->ideal, linear */
    uint32_t n_ideal;    /* how many there are */
} assay_dcg;

/* Lay out the gains of `q`.  `gains` may be null or not set.  May use q->scratch. */
assay_dcg assay_dcg_open(const assay_judged *q, const assay_value *gains,
                         bool is_exponential);

/* Gain of a grade. */
double assay_dcg_gain(const assay_dcg *d, int32_t grade);

static inline uint32_t assay_dcg_pos(const assay_dcg *d, uint32_t i)
{
    return d->pos ? d->pos[i] : i;
}

static inline double assay_dcg_hit(const assay_dcg *d, uint32_t i)
{
    int32_t grade = d->grade ? d->grade[i] : d->q->grade[assay_dcg_pos(d, i)];

    if (!d->gains && !d->is_exponential)
        return grade > 0 ? (double)grade : 0.0;
    return assay_dcg_gain(d, grade);
}

/* i < n_ideal */
static inline double assay_dcg_ideal(const assay_dcg *d, uint32_t i)
{
    return d->ideal ? d->ideal[i] : (double)d->q->ideal[i];
}

/* log2(pos + 2).  Things found can stand beyond the table: one long hit may cover several
 * anchors, and each takes a position of its own. */
static inline double assay_dcg_discount(const assay_judged *q, uint32_t pos)
{
    if (pos < q->n_ranked || pos < q->n_ideal)
        return q->log2_rank[pos];
    return log2((double)pos + 2.0);
}

#endif
