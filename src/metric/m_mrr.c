/* SPDX-License-Identifier: Apache-2.0 */
/* mrr, mrr@k: how far down the first relevant hit is.
 *
 *     mrr@k = 1 / rank of the first relevant hit, 0 if there is none in the top k
 */
#include "metric/metric.h"

static void eval_mrr(const assay_judged *q, const assay_args *args, double *out)
{
    for (size_t c = 0; c < args->n; c++)
        out[c] = q->n_rel_pos && q->rel_pos[0] < args->k[c]
                     ? 1.0 / ((double)q->rel_pos[0] + 1.0)
                     : 0.0;
}

const assay_metric assay_metric_mrr = {
    .name = "mrr",
    .summary = "one over the rank of the first relevant hit",
    .formula = "1 / rank of the first relevant hit, 0 if there is none in the top k",
    .source = "Voorhees 1999, TREC-8 question answering track",
    .aliases = "RR,MRR,recip_rank",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_OPTIONAL,
    .eval = eval_mrr,
};
