/* SPDX-License-Identifier: Apache-2.0 */
/* recall@k: the share of a query's relevant things found among its first k hits.
 *
 *     recall@k = relevant things found in the top k / relevant things
 */
#include "metric/metric.h"

static void eval_recall(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t i = 0;

    for (size_t c = 0; c < args->n; c++) {
        while (i < q->n_found && q->cover_pos[i] < args->k[c])
            i++;
        out[c] = q->n_relevant ? (double)i / q->n_relevant : 0.0;
    }
}

const assay_metric assay_metric_recall = {
    .name = "recall",
    .summary = "share of the relevant things that were found",
    .formula = "relevant found in the top k / relevant in the golden set",
    .source = "Cleverdon 1967, Cranfield",
    .aliases = "R,Recall,recall_at_k",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_REQUIRED,
    .eval = eval_recall,
};
