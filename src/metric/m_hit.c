/* SPDX-License-Identifier: Apache-2.0 */
/* hit@k: whether the first k hits hold anything relevant.
 *
 *     hit@k = 1 if a relevant hit is in the top k, else 0
 */
#include "metric/metric.h"

static void eval_hit(const assay_judged *q, const assay_args *args, double *out)
{
    for (size_t c = 0; c < args->n; c++)
        out[c] = q->n_rel_pos && q->rel_pos[0] < args->k[c] ? 1.0 : 0.0;
}

const assay_metric assay_metric_hit = {
    .name = "hit",
    .summary = "whether a relevant thing is among the first k",
    .formula = "1 if a relevant hit is in the top k, else 0",
    .source = "trec_eval success",
    .aliases = "Success,success,hit_at_k",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_REQUIRED,
    .eval = eval_hit,
};
