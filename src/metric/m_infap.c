/* SPDX-License-Identifier: Apache-2.0 */
/* infAP: average precision inferred from a pool of which only a sample was judged.
 *
 *     infAP = 1/R * sum over relevant hits at rank k of
 *             1/k + (k-1)/k * (pool above / (k-1)) * (r + e) / (r + n + 2e)
 *
 * r, n: relevant and nonrelevant hits above, pool above: r + n + the pooled ones that
 * nobody judged, e = 0.00001.  What is not in the pool is taken for not relevant. */
#include "metric/metric.h"

#define EPSILON 0.00001

typedef struct above {
    uint32_t rel;
    uint32_t nonrel;
    uint32_t unjudged;
} above;

/* The expected precision at position `pos`; the order of operations is trec_eval's. */
static double expected_precision(const above *a, uint32_t pos)
{
    double j = (double)pos;
    double judged = (double)a->rel + (double)a->nonrel;

    if (pos == 0)
        return 1.0;
    return 1.0 / (j + 1.0) + (j / (j + 1.0)) * ((judged + (double)a->unjudged) / j) *
                                 (((double)a->rel + EPSILON) / (judged + 2 * EPSILON));
}

static void eval_infAP(const assay_judged *q, const assay_args *args, double *out)
{
    above a = {0, 0, 0};
    double sum = 0.0;

    (void)args;
    for (uint32_t i = 0; i < q->n_pool_pos; i++) {
        int32_t grade = q->grade[q->pool_pos[i]];

        if (grade < 0) {
            a.unjudged++;
        } else if (grade < q->threshold) {
            a.nonrel++;
        } else {
            sum += expected_precision(&a, q->pool_pos[i]);
            a.rel++;
        }
    }
    out[0] = q->n_relevant ? sum / (double)q->n_relevant : sum;
}

const assay_metric assay_metric_infAP = {
    .name = "infAP",
    .summary = "average precision inferred from a sampled pool",
    .formula = "1/R * sum over relevant hits of the expected precision at their rank",
    .source = "Yilmaz and Aslam 2006, Estimating Average Precision",
    .aliases = "infap",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .eval = eval_infAP,
};
