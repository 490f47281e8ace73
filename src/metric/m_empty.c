/* SPDX-License-Identifier: Apache-2.0 */
/* empty_result_rate: the share of queries that got no hits, over all queries, labelled or
 * not.  A query that is missing from the run or failed has no hits and counts. */
#include "metric/metric.h"

static void eval_empty(const assay_judged *q, const assay_args *args, double *out)
{
    for (size_t c = 0; c < args->n; c++)
        out[c] = q->n_ranked == 0;
}

const assay_metric assay_metric_empty_result_rate = {
    .name = "empty_result_rate",
    .summary = "share of all queries that got no hits; missing and failed ones are empty",
    .formula = "1 if there are no hits, else 0",
    .source = "kebab-eval",
    .is_lower_better = true,
    .eval = eval_empty,
};
