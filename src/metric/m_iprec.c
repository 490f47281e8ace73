/* SPDX-License-Identifier: Apache-2.0 */
/* Interpolated precision at recall points.
 *
 *     iprec_at_recall@x = max of precision at k over all k at which recall >= x
 *     11pt_avg          = its mean over the recall points 0, 0.1 ... 1
 *
 * A point x stands for x R relevant hits: rounded to the nearest in trec_eval 10, up from
 * a tenth in trec_eval 9.  Precision is highest where a relevant hit stands, so only those
 * are looked at, from the last to the first.  With no hits at all (-J) the point 0 is 0/0,
 * which trec_eval prints as -nan; the division below is left to the machine for that. */
#include "metric/metric.h"

/* Relevant hits that recall point `x` stands for. */
static double hits_at(const assay_judged *q, double x)
{
    double n = x * (double)q->n_relevant;

    return q->is_trec9 ? trunc(n + 0.9) : round(n);
}

/* Give each of the `n` points its interpolated precision, last point first, as trec_eval
 * does: a list that is not ascending gets what its loop gives it.  Either out[] is
 * written (0 beyond the last relevant hit), or, where out is null, the sum is returned in
 * the order of its additions. */
static double interpolate(const assay_judged *q, const double *x, size_t n, double *out)
{
    uint32_t seen = q->n_rel_pos;
    double best = (double)seen / (double)q->n_ranked;
    double sum = 0.0;
    size_t left = n;

    while (left && hits_at(q, x[left - 1]) > (double)seen) {
        left--;
        if (out)
            out[left] = 0.0;
    }
    for (; seen > 0; seen--) {
        double here = (double)seen / ((double)q->rel_pos[seen - 1] + 1.0);

        if (best < here)
            best = here;
        for (; left && hits_at(q, x[left - 1]) == (double)seen; left--) {
            sum += best;
            if (out)
                out[left - 1] = best;
        }
    }
    for (; left; left--) {
        sum += best;
        if (out)
            out[left - 1] = best;
    }
    return sum;
}

static void eval_iprec(const assay_judged *q, const assay_args *args, double *out)
{
    (void)interpolate(q, args->x, args->n, out);
}

static void eval_11pt(const assay_judged *q, const assay_args *args, double *out)
{
    static const double points[] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5,
                                    0.6, 0.7, 0.8, 0.9, 1.0};
    const assay_value *given = &args->value[0];
    const double *x = given->n_reals ? given->real : points;
    size_t n = given->n_reals ? given->n_reals : sizeof points / sizeof points[0];

    out[0] = interpolate(q, x, n, NULL) / (double)n;
}

const assay_metric assay_metric_iprec_at_recall = {
    .name = "iprec_at_recall",
    .summary = "interpolated precision at a recall point",
    .formula = "max of precision at k over all k with recall at k >= x",
    .source = "trec_eval",
    .aliases = "IPrec",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_REAL,
    .eval = eval_iprec,
};

static const assay_metric_param points_param[] = {
    {.name = "points",
     .type = ASSAY_METRIC_PARAM_REALS,
     .reals = "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1",
     .summary = "recall points"},
    {.name = NULL},
};

const assay_metric assay_metric_11pt_avg = {
    .name = "11pt_avg",
    .summary = "mean interpolated precision over eleven recall points",
    .formula = "mean of iprec_at_recall@x over x = 0, 0.1 ... 1",
    .source = "trec_eval",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .param = points_param,
    .eval = eval_11pt,
};
