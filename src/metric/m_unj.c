/* SPDX-License-Identifier: Apache-2.0 */
/* unj@k: how much of the top nobody judged.
 *
 *     unj@k = unjudged hits in the top k / k
 *
 * A warning sign beside other metrics: unjudged is not the same as not relevant. */
#include "metric/metric.h"

static void eval_unj(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t unjudged = 0;
    uint32_t pos = 0;

    for (size_t c = 0; c < args->n; c++) {
        for (; pos < q->n_ranked && pos < args->k[c]; pos++)
            unjudged += q->grade[pos] == ASSAY_POOLED || q->grade[pos] == ASSAY_UNPOOLED;
        out[c] = (double)unjudged / (double)args->k[c];
    }
}

const assay_metric assay_metric_unj = {
    .name = "unj",
    .summary = "share of the first k hits that nobody judged",
    .formula = "unjudged hits in the top k / k",
    .source = "trec_eval 10",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_REQUIRED,
    .is_lower_better = true,
    .eval = eval_unj,
};
